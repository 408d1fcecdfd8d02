//! The way of a push: accepted, fetched, built, published or compared, told.

use super::Scene;
use serde_json::json;
use std::process::Command;
use svc_tests::api::{ONE_PLAN, OPERATOR};
use svc_tests::forge::{DIALECTS, Dialect, TestForge};
use svc_tests::hooked::{Hooked, NOWHERE, serve, told};
use svc_tests::program::block_on;
use svc_tests::repository::Repository;

#[test]
fn a_push_is_built_published_and_told_of_at_every_forge() {
    block_on(async {
        let repository = Repository::new();
        let first = repository.product(ONE_PLAN, "first");
        let second = repository.product(&ONE_PLAN.replace("1900", "2900"), "second");
        let folder = tempfile::tempdir().unwrap();
        let server = serve(&["--data".to_owned(), folder.path().join("svc.db").display().to_string()]);
        for dialect in DIALECTS {
            let forge = TestForge::start(repository.path()).await;
            repository.git(&["reset", "--quiet", "--hard", &first]);
            let hooked = Hooked::new(&server, &forge, dialect, "").await;
            let accepted = hooked.push(NOWHERE, &first).await.expect(202);
            assert!(accepted.text("url").contains(&accepted.text("buildId")), "{accepted:?}");
            let built = forge.final_status(&first, "svc/build").await;
            assert_eq!((built.state.as_str(), built.description.as_str()), ("success", "built"), "{dialect:?}");
            assert_eq!(built.target_url, accepted.text("url"));
            let published = forge.final_status(&first, "svc/publish").await;
            assert_eq!(published.description, "published: +plan basic; 7 changes, economic", "{dialect:?}");
            hooked.business.subscribe("ada", "basic").await;
            repository.git(&["reset", "--quiet", "--hard", &second]);
            let _accepted = hooked.push(&first, &second).await.expect(202);
            let published = forge.final_status(&second, "svc/publish").await;
            assert_eq!(
                published.description,
                "published: basic v1 → v2; 1 subscriber stays; 1 change, economic, breaking"
            );
            let active = hooked.active().await.expect(200);
            assert_eq!(active.body["ir"]["plans"][0]["recurringFeeCents"], 2900, "{:#}", active.body["ir"]["plans"]);
            let plans = hooked.business.api.get(OPERATOR, &format!("{}/plans", hooked.business.root)).await.expect(200);
            assert_eq!(plans.body["plans"][0]["subscribers"], json!(1), "{:#}", plans.body);
        }
    });
}

#[test]
fn a_wrong_product_is_told_of_by_its_first_error_and_nothing_is_published() {
    block_on(async {
        let scene = Scene::new(Dialect::Github).await;
        let wrong = scene.repository.product(&ONE_PLAN.replace("rate: 60", "rate: \"sixty\""), "wrong");
        let _accepted = scene.hooked.push(NOWHERE, &wrong).await.expect(202);
        let built = scene.forge.final_status(&wrong, "svc/build").await;
        assert_eq!(built.state, "failure");
        assert!(built.description.starts_with("product/product.config.ts:8:48: "), "{built:?}");
        assert!(built.description.contains(": WRONG_TYPE "), "{built:?}");
        let published = scene.forge.final_status(&wrong, "svc/publish").await;
        assert_eq!(
            (published.state.as_str(), published.description.as_str()),
            ("failure", "not published: the build failed")
        );
        assert_eq!(scene.hooked.active().await.status, 404);
    });
}

#[test]
fn a_branch_that_is_not_published_is_told_what_publishing_would_change() {
    block_on(async {
        let scene = Scene::new(Dialect::Gitlab).await;
        let _accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
        scene.forge.final_status(&scene.first, "svc/publish").await;
        scene.hooked.business.subscribe("ada", "basic").await;
        scene.repository.git(&["checkout", "--quiet", "-b", "feature/price"]);
        let second = scene.price(2900);
        let _accepted =
            scene.hooked.deliver(&scene.hooked.delivery(&told("feature/price", NOWHERE, &second))).await.expect(202);
        let built = scene.forge.final_status(&second, "svc/build").await;
        let expected = "built; publishing would change basic v1 → v2; 1 subscriber stays; 1 change, economic, breaking";
        assert_eq!((built.state.as_str(), built.description.as_str()), ("success", expected));
        assert!(scene.forge.statuses_of(&second, "svc/publish").is_empty());
        assert_eq!(scene.active_price().await, Some(1900));
    });
}

#[test]
fn what_is_built_lies_below_the_folder_and_is_what_a_disk_would_give() {
    block_on(async {
        let scene = Scene::new(Dialect::Gitea).await;
        let repository = &scene.repository;
        for (path, text) in [
            (
                "shop/metered/product/product.config.ts",
                ONE_PLAN.replace("1900", "4200").replace("@svc/product\";", "@svc/product\";\nimport \"./deep/er/a\";"),
            ),
            ("shop/metered/product/deep/er/a.ts", "export {};".to_owned()),
            ("shop/metered/product/.hidden/b.ts", "this is wrong".to_owned()),
            ("shop/metered/product/node_modules/c.ts", "this is wrong".to_owned()),
            ("shop/metered/product/types.d.ts", "this is wrong".to_owned()),
            ("shop/metered/product/readme.md", "words".to_owned()),
            ("shop/metered/other.ts", "this is wrong".to_owned()),
        ] {
            repository.write(path, text);
        }
        std::os::unix::fs::symlink("/etc/passwd", repository.path().join("shop/metered/product/link.ts")).unwrap();
        for entry in 0..7 {
            repository.write(&format!("entry-{entry}/x"), "x");
        }
        let commit = repository.commit("a shop");
        let hooked = Hooked::new(&scene.server, &scene.forge, Dialect::Gitea, "shop/metered").await;
        let _accepted = hooked.push(NOWHERE, &commit).await.expect(202);
        let built = scene.forge.final_status(&commit, "svc/build").await;
        assert_eq!(built.description, "built", "{built:?}");
        assert_eq!(hooked.active().await.body["ir"]["plans"][0]["recurringFeeCents"], 4200);
        let elsewhere = Hooked::new(&scene.server, &scene.forge, Dialect::Gitlab, "shop").await;
        repository.write("later", "x");
        let later = repository.commit("later");
        let _accepted = elsewhere.push(NOWHERE, &later).await.expect(202);
        let built = scene.forge.final_status(&later, "svc/build").await;
        assert!(built.state == "failed" && built.description.contains("ENTRY_MISSING"), "{built:?}");
    });
}

#[test]
fn commits_of_every_kind_are_verified() {
    block_on(async {
        let scene = Scene::new(Dialect::Github).await;
        let repository = &scene.repository;
        let key = repository.path().join(".git/key");
        let made =
            Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f", key.to_str().unwrap()]).status();
        assert!(made.unwrap().success());
        let zoned = |zone: &str| {
            repository.write("zone", zone);
            repository.git(&["add", "--all"]);
            let date = format!("2026-11-28T12:00:00{zone}");
            repository.git(&[
                "-c",
                "user.name=Zoë 漢字",
                "commit",
                "--quiet",
                "--date",
                &date,
                "--message",
                "Ünïcode\n\nbody\n\n- list",
            ]);
            repository.head()
        };
        let mut commits = vec![("a zone apart from the committer's", zoned("+0545")), ("west", zoned("-0330"))];
        repository.write("signed", "x");
        repository.git(&["add", "--all"]);
        let format = ["-c", "gpg.format=ssh", "-c"];
        let signing = format!("user.signingkey={}", key.display());
        repository.git(&[&format[..], &[&signing, "commit", "--quiet", "-S", "--message", "signed"]].concat());
        commits.push(("signed", repository.head()));
        repository.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
        repository.write("side", "x");
        repository.commit("side");
        repository.git(&["checkout", "--quiet", "main"]);
        repository.git(&["merge", "--quiet", "--no-ff", "--no-edit", "side"]);
        commits.push(("a merge", repository.head()));
        let tree = repository.git(&["write-tree"]);
        let bare =
            svc_tests::repository::git(repository.path(), &["commit-tree", &tree, "-F", "-"], b"no line feed").unwrap();
        commits.push(("without parents and a last line feed", String::from_utf8(bare).unwrap().trim().to_owned()));
        for (number, (what, commit)) in commits.iter().enumerate() {
            for dialect in DIALECTS {
                let forge = TestForge::start(repository.path()).await;
                let hooked = Hooked::new(&scene.server, &forge, dialect, "").await;
                let branch = format!("branch-{number}");
                let _accepted = hooked.deliver(&hooked.delivery(&told(&branch, NOWHERE, commit))).await.expect(202);
                let built = forge.final_status(commit, "svc/build").await;
                assert_eq!(built.state, "success", "{what} at {dialect:?}: {built:?}");
                // Only what GitLab does not tell is asked of git itself.
                let asked_git = forge.asked().iter().any(|asked| asked.line.ends_with("git-upload-pack"));
                assert_eq!(asked_git, *what == "signed" && dialect == Dialect::Gitlab, "{what} at {dialect:?}");
            }
        }
    });
}
