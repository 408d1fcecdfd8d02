//! What every command says that speaks to a service. `svc plan list` shows how, and all of them end alike.

use super::shop::PRICED;
use super::{Place, Shop, Told};
use std::net::TcpListener;

/// `svc plan list` with these arguments, away from any service.
fn list(more: &[&str]) -> Told {
    Place::new().run(&[&["plan", "list"], more].concat())
}

/// Each command that speaks to a service.
const COMMANDS: &[&[&str]] = &[
    &["diff", "--against", "release"],
    &["push"],
    &["publish"],
    &["publish", "--build", "bld_none"],
    &["plan", "list"],
    &["plan", "migrate", "biz_none", "pro", "--from", "1", "--to", "head", "--policy", "immediate", "--yes"],
    &["plan", "migrations"],
    &["release", "list"],
    &["release", "rollback"],
    &["hold", "create", "ada", "job-1", "--route", "POST /v1/jobs"],
    &["hold", "list", "ada"],
    &["hold", "release", "ada", "job-1", "--yes"],
    &["preview"],
    &["preview", "ada"],
    &["invoice", "close", "--yes"],
    &["invoice", "list", "sub_none"],
    &["credits", "give", "ada", "--cents", "5"],
    &["credits", "revoke", "bkt_none", "--yes"],
    &["adjust", "refund", "ada", "run-1", "--reason", "a test"],
    &["adjust", "correct", "ada", "5", "--reason", "a test"],
    &["ledger", "verify"],
];

/// An address that nobody listens on.
const NOBODY: &str = "http://127.0.0.1:1";

/// How a command ends: its status, and the code in its envelope.
fn end(place: &Place, command: &[&str], more: &[&str]) -> (Option<i32>, String) {
    let told = place.run(&[command, more, &["--format", "json"]].concat());
    let code = told.json()["error"]["code"].as_str().unwrap_or_else(|| panic!("{command:?}: {told}")).to_owned();
    (told.code, code)
}

#[test]
fn each_command_ends_alike_where_something_is_missing() {
    let shop = Shop::open();
    let place = Place::with(PRICED);
    let business = ["--business", &shop.business];
    let elsewhere = ["--business", &shop.business, "--token", "t", "--url", NOBODY];
    let unknown = ["--business", &shop.business, "--token", "t", "--url", shop.url()];
    for command in COMMANDS {
        let is = |more: &[&str], status, code: &str| {
            assert_eq!(end(&place, command, more), (Some(status), code.to_owned()), "{command:?} {more:?}");
        };
        is(&business, 2, "TOKEN_MISSING");
        if !command.contains(&"migrate") {
            is(&["--token", "t"], 2, "BUSINESS_MISSING");
        }
        is(&elsewhere, 4, "SERVICE_UNREACHABLE");
        is(&unknown, 5, "UNAUTHORIZED");
    }
}

#[test]
fn a_token_or_a_business_is_missing() {
    insta::assert_snapshot!(list(&[]), @"
    [stderr]
    svc: TOKEN_MISSING: this needs a token
      hint: give --token, set SVC_TOKEN, or keep one with svc login
    [exit status: 2]
    ");
    insta::assert_snapshot!(list(&["--business", "b", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "plan list",
      "error": {
        "code": "TOKEN_MISSING",
        "message": "this needs a token",
        "hint": "give --token, set SVC_TOKEN, or keep one with svc login"
      },
      "diagnostics": []
    }
    [exit status: 2]
    "#);
    insta::assert_snapshot!(list(&["--token", "t"]), @"
    [stderr]
    svc: BUSINESS_MISSING: this needs a business
      hint: give --business, or set SVC_BUSINESS
    [exit status: 2]
    ");
}

#[test]
fn an_address_of_another_form() {
    insta::assert_snapshot!(list(&["--token", "t", "--business", "b", "--url", "ftp://example.com"]), @"
    [stderr]
    svc: URL_FORM: ftp://example.com is no http:// or https:// address
    [exit status: 2]
    ");
    insta::assert_snapshot!(list(&["--token", "t", "--business", "b", "--url", "http://a b"]), @"
    [stderr]
    svc: URL_FORM: http://a b is no http:// or https:// address
    [exit status: 2]
    ");
}

#[test]
fn nobody_listens() {
    let there = ["--token", "t", "--business", "b", "--url", NOBODY];
    insta::assert_snapshot!(list(&there), @"
    [stderr]
    svc: SERVICE_UNREACHABLE: http://127.0.0.1:1/v1/businesses/b/plans?limit=100: client error (Connect): tcp connect error: Connection refused (os error 111)
    [exit status: 4]
    ");
    insta::assert_snapshot!(list(&[&there[..], &["--format", "json"]].concat()), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "plan list",
      "error": {
        "code": "SERVICE_UNREACHABLE",
        "message": "http://127.0.0.1:1/v1/businesses/b/plans?limit=100: client error (Connect): tcp connect error: Connection refused (os error 111)",
        "hint": null
      },
      "diagnostics": []
    }
    [exit status: 4]
    "#);
}

/// Another service may listen there.
#[test]
fn an_answer_that_is_not_the_services() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let place = Place::new();
    place.call(&base, "<other>");
    let answering = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = listener.accept().unwrap();
        let _asked = stream.read(&mut [0; 4096]).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>").unwrap();
    });
    insta::assert_snapshot!(place.run(&["plan", "list", "--token", "t", "--business", "b", "--url", &base]), @"
    [stderr]
    svc: SERVICE_UNREACHABLE: <other>/v1/businesses/b/plans?limit=100: the answer is no JSON: expected value at line 1 column 1
    [exit status: 4]
    ");
    answering.join().unwrap();
}

#[test]
fn a_token_that_nobody_knows() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.run("nonsense", &["plan", "list"]), @"
    [stderr]
    svc: UNAUTHORIZED: a valid bearer token is needed
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.run("nonsense", &["plan", "list", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "plan list",
      "error": {
        "code": "UNAUTHORIZED",
        "message": "a valid bearer token is needed",
        "hint": null
      },
      "diagnostics": []
    }
    [exit status: 5]
    "#);
    insta::assert_snapshot!(shop.run("two\nlines", &["plan", "list"]), @"
    [stderr]
    svc: SERVICE_UNREACHABLE: <service>/v1/businesses/<biz 1>/plans?limit=100: failed to parse header value
    [exit status: 4]
    ");
}

#[test]
fn a_business_that_is_not_there() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["plan", "list", "--business", "biz_none"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such business
    [exit status: 5]
    ");
}
