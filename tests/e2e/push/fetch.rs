//! Fetching: what is built is that commit, whatever the forge does; and a forge is reached where the source says, or not at all.

use super::Scene;
use std::time::{Duration, Instant};
use svc_forge::{Forge, ForgeError, Place, Retry};
use svc_outbound::Outbound;
use svc_tests::api::ONE_PLAN;
use svc_tests::forge::{DIALECTS, Dialect, FORGE_TOKEN, Fault, TestForge};
use svc_tests::hooked::{Hooked, NOWHERE, REPOSITORY};
use svc_tests::program::block_on;
use svc_tests::repository::Repository;

/// A forge as the program sees it.
fn seen(forge: &TestForge, dialect: Dialect, is_named: bool) -> Forge {
    let place = Place {
        api_base: forge.base(dialect),
        repository: REPOSITORY.to_owned(),
        token: FORGE_TOKEN.to_owned(),
        is_named,
    };
    at(dialect, &place).unwrap()
}

fn at(dialect: Dialect, place: &Place) -> Result<Forge, ForgeError> {
    let http = Outbound::new().unwrap();
    match dialect {
        Dialect::Github => Forge::github(&http, place),
        Dialect::Gitlab => Forge::gitlab(&http, place),
        Dialect::Gitea => Forge::gitea(&http, place),
    }
}

/// The paths of a commit, of trees and of blobs in each dialect.
fn paths(dialect: Dialect) -> [&'static str; 3] {
    match dialect {
        Dialect::Github | Dialect::Gitea => ["/git/commits/", "/git/trees/", "/git/blobs/"],
        Dialect::Gitlab => ["/repository/commits/", "/repository/tree?", "/repository/blobs/"],
    }
}

fn repository() -> (Repository, String) {
    let repository = Repository::new();
    repository.write("product/prices.ts", "export const PRICE = 1900;");
    let commit = repository.product(ONE_PLAN, "first");
    (repository, commit)
}

#[test]
fn a_forge_that_lies_is_found_out() {
    block_on(async {
        let (repository, commit) = repository();
        for dialect in DIALECTS {
            let forge = TestForge::start(repository.path()).await;
            let [commits, trees, blobs] = paths(dialect);
            let fetch = async || seen(&forge, dialect, true).files(&commit, "").await;
            assert_eq!(fetch().await.unwrap().len(), 2, "{dialect:?}");
            let replaced = |from: &str, to: &str| Fault::Replaced(from.to_owned(), to.to_owned());
            let rows = [
                ("another author", commits, replaced("Ada Lovelace", "Eve Lovelace"), "FORGE_COMMIT_UNVERIFIED"),
                ("another message", commits, replaced("first", "fürst"), "FORGE_COMMIT_UNVERIFIED"),
                ("another mode", trees, replaced("040000", "100644"), "FORGE_"),
                ("another name", trees, replaced("\"product\"", "\"Product\""), "FORGE_"),
                ("another file", blobs, Fault::Body(lied(dialect)), "FORGE_WRONG_OBJECT"),
            ];
            for (what, path, fault, code) in rows {
                forge.fail(path, fault, 1);
                // Git itself does not help out: it has nothing, or lies too.
                forge.fail("git-upload-pack", Fault::Status(404, Vec::new()), 1);
                let error = fetch().await.unwrap_err();
                assert!(error.code.starts_with(code), "{what} at {dialect:?}: {error:?}");
                assert_eq!(error.retry, Retry::Never, "{what} at {dialect:?}");
                forge.mend();
            }
            if dialect != Dialect::Gitlab {
                let tree = repository.git(&["rev-parse", "HEAD:product"]);
                let root = repository.git(&["rev-parse", "HEAD^{tree}"]);
                forge.fail(commits, replaced(&root, &tree), 1);
                assert_eq!(fetch().await.unwrap_err().code, "FORGE_COMMIT_UNVERIFIED", "another tree at {dialect:?}");
            }
            assert_eq!(fetch().await.unwrap().len(), 2);
            if dialect == Dialect::Gitlab {
                let another = repository.commit("another");
                let pack = svc_tests::repository::git(
                    repository.path(),
                    &["pack-objects", "--stdout"],
                    format!("{another}\n").as_bytes(),
                )
                .unwrap();
                let line = |band: &[u8], data: &[u8]| {
                    [format!("{:04x}", data.len() + band.len() + 4).as_bytes(), band, data].concat()
                };
                let lie = [line(b"", b"packfile\n"), line(b"\x01", &pack), b"0000".to_vec()].concat();
                forge.fail(commits, replaced("first", "fürst"), 1);
                forge.fail("git-upload-pack", Fault::Body(lie), 1);
                assert_eq!(fetch().await.unwrap_err().code, "FORGE_COMMIT_UNVERIFIED", "another commit by git itself");
                forge.fail(commits, replaced("first", "fürst"), 1);
                assert_eq!(fetch().await.unwrap().len(), 2, "git itself tells what the API does not");
            }
        }
    });
}

/// A blob that is another.
fn lied(dialect: Dialect) -> Vec<u8> {
    match dialect {
        Dialect::Gitea => br#"{"content":"ZXZpbA=="}"#.to_vec(),
        Dialect::Github | Dialect::Gitlab => b"evil".to_vec(),
    }
}

#[test]
fn a_forge_that_fails_is_told_apart() {
    block_on(async {
        let (repository, commit) = repository();
        for dialect in DIALECTS {
            let forge = TestForge::start(repository.path()).await;
            let [commits, trees, blobs] = paths(dialect);
            let fetch = async || seen(&forge, dialect, true).files(&commit, "").await;
            let status = |status: u16, headers: Vec<(&'static str, String)>| Fault::Status(status, headers);
            let away = || vec![("location", "https://evil.example/".to_owned())];
            let rows = [
                (commits, status(301, away()), "FORGE_REDIRECT", Retry::Never),
                (trees, status(302, away()), "FORGE_REDIRECT", Retry::Never),
                (blobs, status(307, away()), "FORGE_REDIRECT", Retry::Never),
                (
                    commits,
                    status(429, vec![("retry-after", "17".to_owned())]),
                    "FORGE_RATE_LIMITED",
                    Retry::After(Duration::from_secs(17)),
                ),
                (
                    blobs,
                    status(
                        403,
                        vec![("x-ratelimit-remaining", "0".to_owned()), ("x-ratelimit-reset", "1800000000".to_owned())],
                    ),
                    "FORGE_RATE_LIMITED",
                    Retry::At(1_800_000_000),
                ),
                (commits, status(403, Vec::new()), "FORGE_DENIED", Retry::Never),
                (commits, status(401, Vec::new()), "FORGE_DENIED", Retry::Never),
                (commits, status(404, Vec::new()), "FORGE_NOT_FOUND", Retry::IfNew),
                (trees, status(502, Vec::new()), "FORGE_FAILED", Retry::Soon),
                (commits, Fault::Body(b"<html>".to_vec()), "FORGE_ANSWER", Retry::Soon),
                (commits, Fault::Body(b"{}".to_vec()), "FORGE_ANSWER", Retry::Soon),
                (blobs, Fault::Flood(9 << 20), "SOURCE_TOO_LARGE", Retry::Never),
                (trees, Fault::Flood(9 << 20), "SOURCE_TOO_LARGE", Retry::Never),
                (blobs, Fault::Cut, "FORGE_UNREACHABLE", Retry::Soon),
            ];
            for (path, fault, code, retry) in rows {
                let what = format!("{path} {fault:?} at {dialect:?}").chars().take(120).collect::<String>();
                // A connection that is cut off before an answer is tried once more by the client.
                forge.fail(path, fault, 4);
                let error = fetch().await.unwrap_err();
                assert_eq!((error.code, error.retry), (code, retry), "{what}: {error}");
                assert!(!error.message.contains(FORGE_TOKEN), "{what}: {error}");
                forge.mend();
            }
            let hosts: Vec<_> =
                forge.asked().into_iter().filter(|asked| !asked.credential.ends_with(FORGE_TOKEN)).collect();
            assert!(hosts.is_empty(), "{hosts:?}");
        }
    });
}

#[test]
fn a_forge_that_is_slow_has_its_time_and_no_more() {
    block_on(async {
        let (repository, commit) = repository();
        let forge = TestForge::start(repository.path()).await;
        forge.fail("/git/commits/", Fault::Slow(Duration::from_secs(60)), 1);
        let begun = Instant::now();
        let error = seen(&forge, Dialect::Github, true).files(&commit, "").await.unwrap_err();
        assert_eq!((error.code, error.retry), ("FORGE_TIMEOUT", Retry::Soon));
        assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    });
}

#[test]
fn more_than_a_build_takes_is_not_fetched() {
    block_on(async {
        let repository = Repository::new();
        for number in 0..300 {
            repository.write(&format!("product/file-{number}.ts"), format!("// {number}"));
        }
        let many = repository.product(ONE_PLAN, "many files");
        for number in 0..300 {
            std::fs::remove_file(repository.path().join(format!("product/file-{number}.ts"))).unwrap();
        }
        repository.write("product/large.ts", vec![b' '; 2 << 20]);
        let large = repository.commit("a large file");
        repository.write("product/large.ts", [0xff, 0xfe]);
        let binary = repository.commit("no text");
        for dialect in DIALECTS {
            let forge = TestForge::start(repository.path()).await;
            let seen = seen(&forge, dialect, true);
            assert_eq!(seen.files(&many, "").await.unwrap_err().code, "SOURCE_TOO_LARGE", "{dialect:?}");
            assert!(!forge.asked().iter().any(|asked| asked.line.contains("blobs")), "{dialect:?}");
            let error = seen.files(&large, "").await.unwrap_err();
            assert_eq!(error.code, "SOURCE_TOO_LARGE", "{dialect:?}");
            assert!(error.message.contains("product/large.ts"), "{error}");
            let error = seen.files(&binary, "").await.unwrap_err();
            assert_eq!((error.code, error.message.as_str()), ("FILE_NOT_TEXT", "`product/large.ts` is no UTF-8 text"));
        }
    });
}

#[test]
fn a_host_without_a_public_address_is_not_reached_unless_the_operator_named_it() {
    block_on(async {
        let (repository, commit) = repository();
        let forge = TestForge::start(repository.path()).await;
        let port = forge.address.port();
        // Every way to write an address of this machine, and of its neighbours. The address is looked at when it is connected to, so
        // a name that leads there is none the better.
        for host in [
            "127.0.0.1",
            "localhost",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "0.0.0.0",
            "[::]",
            "10.0.0.1",
            "192.168.0.1",
            "172.16.0.1",
            "169.254.169.254",
            "100.100.100.200",
            "[fd00:ec2::254]",
            "[fe80::1]",
            "224.0.0.1",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
        ] {
            let place = Place {
                api_base: format!("https://{host}:{port}/github"),
                repository: REPOSITORY.to_owned(),
                token: FORGE_TOKEN.to_owned(),
                is_named: false,
            };
            let error = at(Dialect::Github, &place).unwrap().files(&commit, "").await.unwrap_err();
            assert_eq!((error.code, error.retry), ("FORGE_ADDRESS", Retry::Never), "{host}: {error}");
        }
        // Other spellings are no host of a certificate; a source is kept with the plain one, see `hook.rs`.
        for host in ["127.1", "0x7f.1", "2130706433", "0177.0.0.1"] {
            let place = Place {
                api_base: format!("https://{host}:{port}/github"),
                repository: REPOSITORY.to_owned(),
                token: FORGE_TOKEN.to_owned(),
                is_named: false,
            };
            assert!(at(Dialect::Github, &place).unwrap().files(&commit, "").await.is_err(), "{host}");
        }
        // Without TLS a host that nobody named is not spoken to, wherever it is.
        let error = seen(&forge, Dialect::Github, false).files(&commit, "").await.unwrap_err();
        assert_eq!(error.code, "FORGE_UNREACHABLE", "{error}");
        assert!(forge.asked().is_empty());
        assert_eq!(seen(&forge, Dialect::Github, true).files(&commit, "").await.unwrap().len(), 2);
    });
}

#[test]
fn the_host_of_a_delivery_is_of_no_account() {
    block_on(async {
        let scene = Scene::new(Dialect::Github).await;
        let elsewhere = TestForge::start(scene.repository.path()).await;
        let delivery = scene.hooked.delivery(&svc_tests::hooked::told("main", NOWHERE, &scene.first));
        let mut body: serde_json::Value = serde_json::from_str(&delivery.body).unwrap();
        for name in ["url", "clone_url", "git_url", "commits_url", "trees_url", "statuses_url"] {
            body["repository"][name] = format!("http://{}/github/repos/{REPOSITORY}", elsewhere.address).into();
        }
        let _accepted = scene.hooked.deliver(&scene.hooked.signed(&body)).await.expect(202);
        scene.forge.final_status(&scene.first, "svc/publish").await;
        assert!(elsewhere.asked().is_empty(), "{:?}", elsewhere.asked());
    });
}

#[test]
fn what_fails_for_a_while_is_done_again_and_what_fails_for_good_is_told() {
    block_on(async {
        let scene = Scene::new(Dialect::Gitea).await;
        // Just after a push the forge may not have the commit; then it fails; then it takes no more for a second.
        scene.forge.fail("/git/commits/", Fault::Status(404, Vec::new()), 1);
        scene.forge.fail("/git/trees/", Fault::Status(500, Vec::new()), 1);
        scene.forge.fail("/git/blobs/", Fault::Status(429, vec![("retry-after", "1".to_owned())]), 1);
        scene.forge.fail("/branches/main", Fault::Status(503, Vec::new()), 1);
        scene.forge.fail("/statuses/", Fault::Status(500, Vec::new()), 2);
        let _accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
        assert_eq!(scene.forge.final_status(&scene.first, "svc/publish").await.state, "success");
        let second = scene.price(2900);
        scene.forge.fail("/git/commits/", Fault::Status(302, vec![("location", "http://evil.example/".to_owned())]), 1);
        let _accepted = scene.hooked.push(&scene.first, &second).await.expect(202);
        let built = scene.forge.final_status(&second, "svc/build").await;
        assert!(built.state == "error" && built.description.starts_with("FORGE_REDIRECT: "), "{built:?}");
        // A commit that is not there at all.
        let nothing = "1234567812345678123456781234567812345678";
        let _accepted = scene.hooked.push(&second, nothing).await.expect(202);
        let built = scene.forge.final_status(nothing, "svc/build").await;
        assert!(built.state == "error" && built.description.starts_with("FORGE_NOT_FOUND: "), "{built:?}");
    });
}

#[test]
fn a_token_that_is_wrong_is_told_on_the_page_since_no_status_can_be_set() {
    block_on(async {
        let scene = Scene::new(Dialect::Github).await;
        let other = Hooked::new(&scene.server, &scene.forge, Dialect::Github, "").await;
        let source = serde_json::json!({
            "forge": "github", "apiBase": scene.forge.base(Dialect::Github), "repository": REPOSITORY, "token": "another-token-0123456789",
            "secret": other.secret,
        });
        let _replaced = other
            .business
            .api
            .post(&other.business.deploy, &format!("{}/source", other.business.root), source)
            .await
            .expect(201);
        let accepted = other.push(NOWHERE, &scene.first).await.expect(202);
        let path = accepted.text("url").split_once("/builds/").map(|(_, path)| format!("/builds/{path}")).unwrap();
        for _ in 0..200 {
            let page = super::page::text(&other.business.api, &path).await;
            if page.contains("FORGE_DENIED") && page.contains("the forge does not have it: the forge answers 401") {
                let body = serde_json::json!({ "token": FORGE_TOKEN });
                let rotate = format!("{}/source/rotate", other.business.root);
                let mended = other.business.api.post(&other.business.deploy, &rotate, body).await.expect(200);
                assert!(mended.body.get("secret").is_none(), "{mended:?}");
                let _accepted = other.push(NOWHERE, &scene.first).await.expect(202);
                // What the first push had to say may be said now, too, before the second one's word.
                while scene.forge.final_status(&scene.first, "svc/publish").await.state != "success" {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{}", super::page::text(&other.business.api, &path).await);
    });
}

/// Makes a root, and a server's certificate that it signed.
fn certificates(folder: &std::path::Path) {
    let openssl = |arguments: &str| {
        let made =
            std::process::Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n").unwrap();
    openssl("req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -days 2 -subj /CN=root");
    openssl("req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost");
    openssl("x509 -req -in request.pem -CA root.pem -CAkey root.key -out cert.pem -days 2 -extfile names");
}

/// What a process that trusts these roots is told by an HTTPS server. Which roots are trusted is read once, from the environment.
fn told_over_tls(port: u16, host: &str, roots: &std::path::Path) -> String {
    let told = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "push::fetch::a_forge_s_certificate_is_checked", "--nocapture"])
        .env("SSL_CERT_FILE", roots)
        .env("PUSH_TLS_BASE", format!("https://{host}:{port}"))
        .output()
        .unwrap();
    let text = String::from_utf8(told.stdout).unwrap();
    text.lines().find_map(|line| line.split_once("told over TLS: ")).unwrap_or_else(|| panic!("{text}")).1.to_owned()
}

#[test]
fn a_forge_s_certificate_is_checked() {
    if let Ok(base) = std::env::var("PUSH_TLS_BASE") {
        let place =
            Place { api_base: base, repository: REPOSITORY.to_owned(), token: FORGE_TOKEN.to_owned(), is_named: true };
        let error = block_on(async { at(Dialect::Github, &place).unwrap().head("main").await.unwrap_err() });
        println!("\ntold over TLS: {} {}", error.code, error.message);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    certificates(folder.path());
    std::fs::create_dir(folder.path().join("other")).unwrap();
    certificates(&folder.path().join("other"));
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut server = std::process::Command::new("openssl")
        .args([
            "s_server",
            "-quiet",
            "-www",
            "-cert",
            "cert.pem",
            "-key",
            "key.pem",
            "-accept",
            &format!("127.0.0.1:{port}"),
        ])
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let trusted = told_over_tls(port, "localhost", &folder.path().join("root.pem"));
    let other_root = told_over_tls(port, "localhost", &folder.path().join("other/root.pem"));
    let other_name = told_over_tls(port, "127.0.0.1", &folder.path().join("root.pem"));
    server.kill().unwrap();
    server.wait().unwrap();
    // The server tells a page of its own, which is no JSON: that far one comes only with the right certificate.
    assert!(trusted.starts_with("FORGE_ANSWER "), "{trusted}");
    assert!(other_root.starts_with("FORGE_UNREACHABLE ") && other_root.contains("certificate"), "{other_root}");
    assert!(other_name.starts_with("FORGE_UNREACHABLE ") && other_name.contains("certificate"), "{other_name}");
}
