//! The hook: who may deliver, what is wanted, and that one delivery is one build.

use super::Scene;
use serde_json::json;
use svc_tests::api::{Api, ONE_PLAN, OPERATOR, Server};
use svc_tests::forge::{DIALECTS, Dialect};
use svc_tests::hooked::{NOWHERE, REPOSITORY, told};
use svc_tests::program::block_on;

#[test]
fn a_proof_is_looked_at_before_anything_else() {
    block_on(async {
        for dialect in DIALECTS {
            let scene = Scene::new(dialect).await;
            let hooked = &scene.hooked;
            let good = hooked.delivery(&told("main", NOWHERE, &scene.first));
            let mut unsigned = good.clone();
            unsigned.headers.retain(|(name, _)| !name.ends_with("signature") && !name.ends_with("signature-256"));
            let mut other_body = good.clone();
            other_body.body.push(' ');
            let mut other_key = hooked.delivery(&told("main", NOWHERE, &scene.first));
            let stranger = Scene::new(dialect).await;
            let theirs = stranger.hooked.signed(&serde_json::from_str(&good.body).unwrap());
            other_key.headers = theirs.headers;
            // What is no JSON at all, and no event that anybody knows: without a proof it is not looked at.
            let mut garbage = unsigned.clone();
            garbage.body = "garbage".to_owned();
            for (what, wrong) in
                [("no proof", unsigned), ("another body", other_body), ("another key", other_key), ("garbage", garbage)]
            {
                let answer = hooked.deliver(&wrong).await;
                assert_eq!((answer.status, answer.code()), (401, "SIGNATURE"), "{what} at {dialect:?}");
            }
            let none =
                hooked.business.api.get(&hooked.business.deploy, &format!("{}/deliveries", hooked.business.root)).await;
            assert_eq!(none.body["deliveries"], json!([]));
            assert!(scene.forge.asked().is_empty(), "{:?}", scene.forge.asked());
            // Another business's hook does not take it, nor one that is not there: alike.
            let nobody = hooked.business.api.send("POST", "/hooks/git/biz_none", &[], good.body.clone()).await;
            let made = hooked
                .business
                .api
                .post(OPERATOR, "/v1/businesses", json!({ "name": "Other" }))
                .await
                .text("businessId");
            let unsourced =
                hooked.business.api.send("POST", &format!("/hooks/git/{made}"), &[], good.body.clone()).await;
            assert_eq!((nobody.status, unsourced.status), (404, 404));
            assert_eq!(nobody.body["detail"], unsourced.body["detail"]);
            let _accepted = hooked.deliver(&good).await.expect(202);
        }
    });
}

#[test]
fn one_delivery_is_one_build_however_often_it_comes() {
    block_on(async {
        let scene = Scene::new(Dialect::Github).await;
        let delivery = scene.hooked.delivery(&told("main", NOWHERE, &scene.first));
        let first = scene.hooked.deliver(&delivery).await.expect(202);
        let (again, at_once) = tokio::join!(scene.hooked.deliver(&delivery), scene.hooked.deliver(&delivery));
        assert_eq!((again.status, &again.body), (202, &first.body));
        assert_eq!((at_once.status, &at_once.body), (202, &first.body));
        scene.forge.final_status(&scene.first, "svc/publish").await;
        let late = scene.hooked.deliver(&delivery).await.expect(202);
        assert_eq!(late.body, first.body);
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let finals = scene.forge.statuses_of(&scene.first, "svc/publish");
        assert_eq!(finals.iter().filter(|status| status.state == "success").count(), 1, "{finals:#?}");
    });
}

#[test]
fn what_is_unwanted_is_well_and_says_why() {
    block_on(async {
        let scene = Scene::new(Dialect::Github).await;
        let hooked = &scene.hooked;
        let push: serde_json::Value =
            serde_json::from_str(&hooked.delivery(&told("main", NOWHERE, &scene.first)).body).unwrap();
        let with = |name: &str, value: serde_json::Value| {
            let mut body = push.clone();
            body[name] = value;
            hooked.signed(&body)
        };
        let mut ping = hooked.signed(&json!({ "zen": "x" }));
        ping.headers[0].1 = "ping".to_owned();
        let mut skipped = told("main", NOWHERE, &scene.first);
        skipped.message = "Words only [skip ci]".to_owned();
        let rows = [
            (ping, "the hook is set up"),
            (with("ref", json!("refs/tags/v1")), "what is no branch"),
            (with("deleted", json!(true)), "a branch that is gone"),
            (hooked.delivery(&skipped), "the commit's message says [skip ci]"),
            (
                with("repository", json!({ "full_name": "eve/jobs", "default_branch": "main" })),
                "it is of the repository \"eve/jobs\"",
            ),
        ];
        for (delivery, reason) in rows {
            let answer = hooked.deliver(&delivery).await.expect(200);
            assert_eq!(answer.body["outcome"], "skipped");
            assert!(answer.text("reason").starts_with(reason), "{answer:?}");
            assert_eq!(hooked.deliver(&delivery).await.expect(200).body, answer.body, "again");
        }
        for malformed in [
            json!({ "ref": "refs/heads/main" }),
            json!([1]),
            json!({ "ref": "refs/heads/a b", "after": scene.first, "repository": { "full_name": REPOSITORY } }),
        ] {
            let answer = hooked.deliver(&hooked.signed(&malformed)).await;
            let is_gone = answer.status == 200 && malformed.get("after").is_none();
            assert!(answer.status == 400 && answer.code() == "DELIVERY_FORM" || is_gone, "{malformed} {answer:?}");
        }
        assert!(scene.forge.asked().is_empty(), "{:?}", scene.forge.asked());
        let list = format!("{}/deliveries", hooked.business.root);
        let page = hooked.business.api.get(&hooked.business.deploy, &format!("{list}?limit=4")).await.expect(200);
        assert_eq!(page.body["deliveries"].as_array().unwrap().len(), 4);
        let rest = format!("{list}?limit=100&cursor={}", page.text("cursor"));
        let rest = hooked.business.api.get(&hooked.business.deploy, &rest).await.expect(200);
        assert_eq!(rest.body["deliveries"].as_array().unwrap().last().unwrap()["event"], "ping");
        assert_eq!(rest.body["cursor"], json!(null));
        let refused = hooked.business.api.get(&hooked.business.deploy, &format!("{list}?limit=0")).await;
        assert_eq!((refused.status, refused.code()), (400, "QUERY_FORM"));
    });
}

#[test]
fn a_push_that_changed_nothing_below_the_folder_is_green_where_it_was_good_before() {
    block_on(async {
        let scene = Scene::new(Dialect::Github).await;
        let hooked = &scene.hooked;
        let elsewhere = |before: &str, after: &str| {
            let mut push = told("main", before, after);
            push.modified = vec!["README.md".to_owned(), "products/product.config.ts".to_owned()];
            hooked.delivery(&push)
        };
        scene.repository.write("README.md", "one");
        let second = scene.repository.commit("words");
        // The commit before was never built: it can't be said that nothing is to be done.
        let _accepted = hooked.deliver(&elsewhere(&scene.first, &second)).await.expect(202);
        scene.forge.final_status(&second, "svc/publish").await;
        scene.repository.write("README.md", "two");
        let third = scene.repository.commit("more words");
        let answer = hooked.deliver(&elsewhere(&second, &third)).await.expect(200);
        assert_eq!(answer.body, json!({ "outcome": "unchanged", "reason": "no change below product/, nothing to do" }));
        for context in ["svc/build", "svc/publish"] {
            let told = scene.forge.final_status(&third, context).await;
            assert_eq!(
                (told.state.as_str(), told.description.as_str()),
                ("success", "no change below product/, nothing to do")
            );
        }
        // From there on likewise; and after a failure it is built again.
        scene.repository.write("README.md", "three");
        let fourth = scene.repository.commit("still more");
        let _unchanged = hooked.deliver(&elsewhere(&third, &fourth)).await.expect(200);
        let wrong = scene.repository.product("nonsense(", "wrong");
        let _accepted = hooked.push(&fourth, &wrong).await.expect(202);
        assert_eq!(scene.forge.final_status(&wrong, "svc/build").await.state, "failure");
        scene.repository.write("README.md", "four");
        let sixth = scene.repository.commit("words again");
        let _accepted = hooked.deliver(&elsewhere(&wrong, &sixth)).await.expect(202);
        assert_eq!(scene.forge.final_status(&sixth, "svc/build").await.state, "failure");
    });
}

#[test]
fn a_secret_is_rotated_with_the_former_one_still_taken_and_a_source_removed() {
    block_on(async {
        let mut scene = Scene::new(Dialect::Gitlab).await;
        let (api, deploy) = (scene.hooked.business.api.clone(), scene.hooked.business.deploy.clone());
        let source = format!("{}/source", scene.hooked.business.root);
        let shown = api.get(&deploy, &source).await.expect(200);
        assert!(shown.text("hookUrl").ends_with(&format!("/hooks/git/{}", scene.hooked.business.id)));
        assert!(shown.body.get("secret").is_none() && shown.body.get("token").is_none(), "{:#}", shown.body);
        let old = scene.hooked.secret.clone();
        let rotated = api.post(&deploy, &format!("{source}/rotate"), json!({})).await.expect(200);
        assert_ne!(rotated.text("secret"), old);
        assert!(rotated.body["formerSecretUntil"].is_string());
        let _accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
        scene.hooked.secret = rotated.text("secret");
        let second = scene.price(2900);
        let _accepted = scene.hooked.push(&scene.first, &second).await.expect(202);
        let at_once = api.post(&deploy, &format!("{source}/rotate"), json!({ "atOnce": true })).await.expect(200);
        assert_eq!(scene.hooked.push(&scene.first, &second).await.status, 401);
        scene.hooked.secret = at_once.text("secret");
        // GitLab's older proof is the secret itself.
        let mut older = scene.hooked.delivery(&told("main", &scene.first, &second));
        older.headers = vec![
            ("x-gitlab-event", "Push Hook".to_owned()),
            ("x-gitlab-event-uuid", "older".to_owned()),
            ("x-gitlab-token", scene.hooked.secret.clone()),
        ];
        let _accepted = scene.hooked.deliver(&older).await.expect(202);
        let _removed =
            api.send("DELETE", &source, &[("authorization", &format!("Bearer {deploy}"))], "").await.expect(200);
        assert_eq!(scene.hooked.deliver(&older).await.status, 404);
        assert_eq!(api.get(&deploy, &source).await.status, 404);
    });
}

#[test]
fn a_source_is_checked_when_it_is_made_and_needs_a_key_for_secrets() {
    block_on(async {
        let scene = Scene::new(Dialect::Github).await;
        let (api, business) = (&scene.hooked.business.api, &scene.hooked.business);
        let good = json!({ "forge": "github", "repository": "ada/jobs", "token": "0123456789abcdef" });
        let with = |name: &str, value: &str| {
            let mut body = good.clone();
            body[name] = json!(value);
            body
        };
        let rows = [
            (with("apiBase", "http://forge.example/api"), "API_BASE"),
            (with("apiBase", "file:///etc/passwd"), "API_BASE"),
            (with("apiBase", "ssh://git@forge.example"), "API_BASE"),
            (with("apiBase", "ext::sh -c id"), "API_BASE"),
            (with("apiBase", "https://user:secret@forge.example"), "API_BASE"),
            (with("apiBase", "https://forge.example/?x=1"), "API_BASE"),
            (with("apiBase", "http://127.0.0.2/"), "API_BASE"),
            (with("repository", "jobs"), "REPOSITORY_FORM"),
            (with("repository", "../../admin"), "REPOSITORY_FORM"),
            (with("repository", "a/b?x=1"), "REPOSITORY_FORM"),
            (with("folder", "a/../b"), "FOLDER_FORM"),
            (with("branch", "a..b"), "BRANCH_FORM"),
            (with("token", "short"), "SECRET_FORM"),
            (with("token", "0123456789abcdef\r\nx: y"), "SECRET_FORM"),
            (with("secret", "short"), "SECRET_FORM"),
            (with("forge", "gitea"), "API_BASE"),
        ];
        for (body, code) in rows {
            let answer = api.post(&business.deploy, &format!("{}/source", business.root), body.clone()).await;
            assert_eq!((answer.status, answer.code()), (422, code), "{body}");
        }
        for host in ["127.1", "0x7f.1", "2130706433", "0177.0.0.1"] {
            let body = with("apiBase", &format!("https://{host}/api"));
            let added = api.post(&business.deploy, &format!("{}/source", business.root), body).await.expect(201);
            assert_eq!(added.text("apiBase"), "https://127.0.0.1/api", "{host}");
        }
        let portal = business.portal("ada").await;
        assert_eq!(api.post(&portal, &format!("{}/source", business.root), good.clone()).await.status, 403);
        let folder = tempfile::tempdir().unwrap();
        let keyless = Server::start(&folder.path().join("svc.db"));
        let keyless = Api::new(&keyless).business(ONE_PLAN).await;
        let answer = keyless.api.post(&keyless.deploy, &format!("{}/source", keyless.root), good).await;
        assert_eq!((answer.status, answer.code()), (409, "SECRETS_KEY_MISSING"));
        assert!(answer.text("detail").contains("SVC_SECRETS_KEY"), "{answer:?}");
    });
}
