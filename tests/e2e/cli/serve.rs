//! `svc serve`: how it begins and ends. What it serves is told in `http.rs`.

use super::{Place, Told};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

/// Waits for an answer: who answers also hears signals, which is not so yet when the address is told.
fn answers(base: &str) {
    let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: svc\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

/// Serves until it says where it listens, then ends it with SIGTERM.
pub(super) fn served(place: &Place, more: &[&str]) -> Told {
    while_served(place, more, || {})
}

/// Serves, does something beside it once it says where it listens, then ends it with SIGTERM.
fn while_served(place: &Place, more: &[&str], beside: impl FnOnce()) -> Told {
    let arguments = [&["serve", "--listen", "127.0.0.1:0"], more].concat();
    let mut child = place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let (mut stderr, mut address) = (String::new(), None);
    while address.is_none() && said.read_line(&mut stderr).unwrap() > 0 {
        address = stderr.lines().last().and_then(|line| line.strip_prefix("listening on ")).map(str::to_owned);
    }
    let address = address.unwrap();
    answers(&address);
    place.call(&address, "<service>");
    beside();
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    said.read_to_string(&mut stderr).unwrap();
    let mut output = child.wait_with_output().unwrap();
    output.stderr = stderr.into_bytes();
    place.tell(&output)
}

#[test]
fn a_token_is_made_where_none_is_given() {
    let place = Place::new();
    insta::assert_snapshot!(served(&place, &[]), @"
    [stderr]
    operator token (shown once): <operator token 1>
    listening on <service>
    [exit status: 0]
    ");
    assert_eq!(place.list("."), ["svc.db"], "the file is whole: nothing lies beside it");
}

#[test]
fn a_token_that_was_given_is_not_shown() {
    let place = Place::new();
    insta::assert_snapshot!(served(&place, &["--operator-token", &"t".repeat(32)]), @"
    [stderr]
    listening on <service>
    [exit status: 0]
    ");
}

/// A server for development, and the commands beside it in the same folder.
#[test]
fn commands_beside_a_development_server_need_nothing_said() {
    let place = Place::with(super::shop::PRICED);
    let told = while_served(&place, &["--dev"], || {
        let mode = std::fs::metadata(place.path(".svc/env")).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode, place.read(".svc/.gitignore").as_str()), (0o600, "env\n"));
        place.run(&["publish"]).done();
        place.run(&["subscription", "create", "ada", "pro"]).done();
        place.run(&["preview", "ada"]).done();
        place.run(&["events", "add", "http://localhost:9/events"]).done();
        // What is said goes before what is found.
        assert_eq!(place.run(&["plan", "list", "--token", "other"]).code, Some(5));
    });
    insta::assert_snapshot!(told, @"
    [stderr]
    the business <biz 1> and its tokens are in .svc/env; commands in this folder find them. Next, beside this:
      svc publish DIR                      release a product; svc init DIR writes one
      svc subscription create ada PLAN     subscribe somebody to one of its plans
      svc preview ada                      see their bill
    listening on <service>
    [exit status: 0]
    ");
    let kept = place.read(".svc/env");
    // Again: the same business and tokens, wherever it listens now.
    while_served(&place, &["--dev"], || {
        let without_url = |env: &str| env.lines().filter(|line| !line.starts_with("SVC_URL=")).collect::<String>();
        assert_eq!(without_url(&place.read(".svc/env")), without_url(&kept));
        place.run(&["preview", "ada"]).done();
    });
    // A folder can't have tokens sent elsewhere.
    place.write(".svc/env", "SVC_URL=http://svc.example.com\nSVC_TOKEN=t\nSVC_BUSINESS=b\n");
    assert_eq!(place.run(&["plan", "list", "--format", "json"]).json()["error"]["code"], "TOKEN_MISSING");
    insta::assert_snapshot!(place.run(&["serve", "--dev", "--listen", "0.0.0.0:0"]), @"
    [stderr]
    svc: DEV_LISTEN: --dev serves this machine alone, and 0.0.0.0:0 is reached from others
      hint: leave --listen out
    [exit status: 2]
    ");
}

#[test]
fn an_operators_token_that_is_too_short() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["serve", "--operator-token", "secret"]), @"
    [stderr]
    svc: OPERATOR_TOKEN_SHORT: the operator token has fewer than 32 characters
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["serve", "--operator-token", "secret", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "serve",
      "error": {
        "code": "OPERATOR_TOKEN_SHORT",
        "message": "the operator token has fewer than 32 characters",
        "hint": null
      },
      "diagnostics": []
    }
    [exit status: 2]
    "#);
}

#[test]
fn an_address_that_is_taken() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    place.call(&address, "<address>");
    insta::assert_snapshot!(place.run(&["serve", "--listen", &address]), @"
    [stderr]
    svc: ADDRESS_UNAVAILABLE: <address> can't be listened on: Address already in use (os error 98)
    [exit status: 4]
    ");
    insta::assert_snapshot!(place.run(&["serve", "--listen", "here"]), @"
    [stderr]
    error: invalid value 'here' for '--listen <LISTEN>': invalid socket address syntax

    For more information, try '--help'.
    [exit status: 2]
    ");
}

#[test]
fn a_store_that_can_not_be_opened() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["serve", "--data", "nowhere/svc.db"]), @"
    [stderr]
    svc: STORE_UNAVAILABLE: nowhere/svc.db can't be opened: No such file or directory (os error 2)
    [exit status: 4]
    ");
    place.write("letter.txt", "Dear Ada, this is no database. ".repeat(100));
    insta::assert_snapshot!(place.run(&["serve", "--data", "letter.txt"]), @"
    [stderr]
    svc: STORE_UNAVAILABLE: letter.txt can't be opened: file is not a database
    [exit status: 4]
    ");
    assert!(place.read("letter.txt").starts_with("Dear Ada"));
}

/// Its password is nobody's business.
#[test]
fn a_database_that_nobody_serves() {
    let place = Place::new();
    let told = place.run(&["serve", "--database-url", "postgres://svc:hunter2@127.0.0.1:1/svc"]);
    insta::assert_snapshot!(told, @"
    [stderr]
    svc: STORE_UNAVAILABLE: the database can't be opened: error connecting to server: Connection refused (os error 111)
    [exit status: 4]
    ");
    assert!(!told.stderr.contains("hunter2"));
    insta::assert_snapshot!(place.run(&["serve", "--database-url", "nonsense"]), @"
    [stderr]
    svc: STORE_UNAVAILABLE: the database can't be opened: invalid connection string: unexpected EOF
    [exit status: 4]
    ");
    insta::assert_snapshot!(place.run(&["serve", "--data", "svc.db", "--database-url", "postgres://127.0.0.1:1/svc"]), @"
    [stderr]
    error: the argument '--data <DATA>' cannot be used with '--database-url <DATABASE_URL>'

    Usage: svc serve --data <DATA>

    For more information, try '--help'.
    [exit status: 2]
    ");
}

#[test]
fn a_time_to_close_after_that_is_none() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["serve", "--close-after", "soon"]), @r#"
    [stderr]
    error: invalid value 'soon' for '--close-after <TIME>': "soon" is no time: a number of hours or days, such as 12h or 3d, at most a year

    For more information, try '--help'.
    [exit status: 2]
    "#);
}

#[test]
fn a_clock_that_stands_far_from_when_the_file_was_worked_with() {
    let place = Place::new();
    served(&place, &[]);
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(place.path("svc.db")).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600, "the file is its owner's alone");
    let worked_with = |sql: &str| {
        let file = rusqlite::Connection::open(place.path("svc.db")).unwrap();
        assert_eq!(file.execute(sql, []).unwrap(), 1);
    };
    worked_with("UPDATE clock SET last_at = 4102444800000000");
    let told = place.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(told.stderr.contains("but the file was worked with at 2100-01-01T00:00:00Z, which is later"), "{told}");
    assert!(told.stderr.contains("--trust-clock") && told.code == Some(5), "{told}");
    worked_with("UPDATE clock SET last_at = 1000000");
    let told = place.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(told.stderr.contains("days after the file was last worked with, at 1970-01-01T00:00:01Z"), "{told}");
    served(&place, &["--trust-clock"]);
    served(&place, &[]);
}
