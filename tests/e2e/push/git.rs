//! Any git: real pushes to a bare repository, over a path and over git's own HTTP, whose `post-receive` hook calls `svc push --commit`.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use svc_tests::api::{Api, ONE_PLAN, Server};
use svc_tests::program::{block_on, root, svc};
use svc_tests::repository::{Repository, git};

/// The `post-receive` hook of the docs.
fn hook() -> String {
    let docs = std::fs::read_to_string(root().join("docs/push.md")).unwrap();
    let block = docs.split("```sh post-receive\n").nth(1).expect("docs/push.md has the hook");
    block.split("\n```").next().unwrap().to_owned() + "\n"
}

struct Receiving {
    repository: Repository,
    bare: std::path::PathBuf,
    business: svc_tests::api::Business,
    _server: Server,
    _data: tempfile::TempDir,
}

async fn receiving() -> Receiving {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(&data.path().join("svc.db"));
    let business = Api::new(&server).business(ONE_PLAN).await;
    let repository = Repository::new();
    repository.product(ONE_PLAN, "first");
    let bare = repository.bare("bare.git");
    git(&bare, &["config", "http.receivepack", "true"], &[]).unwrap();
    let environment = format!(
        "#!/bin/sh\nexport SVC_URL={} SVC_TOKEN={} SVC_BUSINESS={} PATH={}:$PATH\n",
        server.base,
        business.deploy,
        business.id,
        svc().parent().unwrap().display()
    );
    let script = bare.join("hooks/post-receive");
    std::fs::create_dir_all(script.parent().unwrap()).unwrap();
    std::fs::write(&script, environment + hook().trim_start_matches("#!/bin/sh\n")).unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    Receiving { repository, bare, business, _server: server, _data: data }
}

/// Pushes, and returns what the remote side said.
fn push(repository: &Repository, to: &str, what: &str) -> String {
    let mut command = Command::new("git");
    command.arg("-C").arg(repository.path()).args(["push", "--force", to, what]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stderr).unwrap()
}

async fn price(receiving: &Receiving) -> u64 {
    let business = &receiving.business;
    let active = business.api.get(&business.deploy, &format!("{}/releases/active", business.root)).await.expect(200);
    active.body["ir"]["plans"][0]["recurringFeeCents"].as_u64().unwrap()
}

#[test]
fn a_post_receive_hook_builds_what_was_pushed_and_publishes_the_main_branch() {
    block_on(async {
        let receiving = receiving().await;
        let (repository, bare) = (&receiving.repository, receiving.bare.to_str().unwrap());
        let commit = repository.product(&ONE_PLAN.replace("1900", "2900"), "second");
        // What lies in the folder is not what is pushed.
        repository.write("product/product.config.ts", "never committed");
        let said = push(repository, bare, "main");
        assert!(said.contains("remote: published as rel_") && said.contains(&commit[..7]), "{said}");
        assert_eq!(price(&receiving).await, 2900);
        repository.git(&["checkout", "--quiet", "--force", "-b", "feature"]);
        let wrong = repository.product(&ONE_PLAN.replace("rate: 60", "rates: 60"), "wrong");
        let said = push(repository, bare, "feature");
        assert!(said.contains("UNKNOWN_OPTION") && said.contains("^^^^^"), "{said}");
        assert!(git(&receiving.bare, &["cat-file", "-e", &wrong], &[]).is_ok(), "the push itself is taken");
        assert_eq!(price(&receiving).await, 2900);
        push(repository, bare, ":feature");
    });
}

#[test]
fn the_same_over_git_s_own_http() {
    block_on(async {
        let receiving = receiving().await;
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let root = receiving.bare.parent().unwrap().to_owned();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let root = root.clone();
                std::thread::spawn(move || http_backend(stream.unwrap(), &root));
            }
        });
        receiving.repository.product(&ONE_PLAN.replace("1900", "3900"), "over HTTP");
        let said = push(&receiving.repository, &format!("http://{address}/bare.git"), "main");
        assert!(said.contains("remote: published as rel_"), "{said}");
        assert_eq!(price(&receiving).await, 3900);
    });
}

/// One request by `git http-backend`, as a web server runs a CGI program.
fn http_backend(mut stream: TcpStream, root: &Path) {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).unwrap_or(0) == 0 {
            return;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let header = |name: &str| {
        head.lines()
            .find_map(|line| line.split_once(": ").filter(|(known, _)| known.eq_ignore_ascii_case(name)))
            .map_or("", |(_, value)| value)
    };
    if header("expect") == "100-continue" {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").unwrap();
    }
    let mut body = vec![0; header("content-length").parse().unwrap_or(0)];
    stream.read_exact(&mut body).unwrap();
    let target = head.split(' ').nth(1).unwrap();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut child = Command::new("git")
        .arg("http-backend")
        .envs([
            ("GIT_PROJECT_ROOT", root.to_str().unwrap()),
            ("GIT_HTTP_EXPORT_ALL", "1"),
            ("PATH_INFO", path),
            ("QUERY_STRING", query),
        ])
        .envs([
            ("REQUEST_METHOD", head.split(' ').next().unwrap()),
            ("CONTENT_TYPE", header("content-type")),
            ("REMOTE_USER", "ada"),
        ])
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let _closed = child.stdin.take().unwrap().write_all(&body);
    let answer = child.wait_with_output().unwrap().stdout;
    let at = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let (headers, content) = (String::from_utf8_lossy(&answer[..at]).into_owned(), &answer[at + 4..]);
    let status = headers.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK").to_owned();
    let reply =
        format!("HTTP/1.1 {status}\r\n{headers}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", content.len());
    let _gone = stream.write_all(reply.as_bytes());
    let _gone = stream.write_all(content);
}

#[test]
fn a_commit_is_named_by_anything_git_knows_and_read_from_below_its_folder() {
    block_on(async {
        let receiving = receiving().await;
        let repository = &receiving.repository;
        repository.write("shop/product/product.config.ts", ONE_PLAN);
        let commit = repository.commit("a shop");
        repository.git(&["tag", "-m", "v1", "v1"]);
        let run = |folder: &Path, arguments: &[&str]| {
            let output = Command::new(svc())
                .arg("push")
                .args(arguments)
                .current_dir(folder)
                .envs([
                    ("SVC_URL", &receiving._server.base),
                    ("SVC_TOKEN", &receiving.business.deploy),
                    ("SVC_BUSINESS", &receiving.business.id),
                ])
                .output()
                .unwrap();
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            (output.status.code(), text(output.stdout), text(output.stderr))
        };
        let (code, out, _) = run(repository.path(), &["--commit", "v1", "--format", "json"]);
        assert!(code == Some(0) && out.contains(&format!("\"commit\":\"{commit}\"")), "{out}");
        // A folder of the work tree is its own place; a bare repository has none and is told.
        assert_eq!(run(&repository.path().join("shop"), &["--commit", "HEAD"]).0, Some(0));
        repository.git(&["push", "--quiet", receiving.bare.to_str().unwrap(), "v1"]);
        assert_eq!(run(&receiving.bare, &["--commit", "v1", "--folder", "shop"]).0, Some(0));
        let (code, _, said) = run(repository.path(), &["--commit", "v1", "--folder", "nowhere"]);
        assert!(code == Some(1) && said.contains("ENTRY_MISSING"), "{said}");
        for name in ["nothing", "--help", "HEAD:product", ""] {
            let (code, _, said) = run(repository.path(), &["--commit", name]);
            assert!(
                code == Some(4) && said.contains("COMMIT_NOT_FOUND") || name == "--help" && code == Some(2),
                "{name}: {code:?} {said}"
            );
        }
        let (code, _, said) = run(tempfile::tempdir().unwrap().path(), &["--commit", "HEAD"]);
        assert!(code == Some(4) && said.contains("COMMIT_NOT_FOUND"), "{said}");
    });
}
