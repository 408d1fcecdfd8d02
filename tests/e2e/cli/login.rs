//! `svc login`: a token that commands find by themselves.

use super::{Place, Shop, Told};
use std::os::unix::fs::PermissionsExt;
use svc_tests::api::OPERATOR;

const FILE: &str = "home/.config/svc/login.json";

/// Runs `svc` at home, with this on standard input, and nothing said of any service but by its arguments.
fn at_home(place: &Place, arguments: &[&str], input: &str) -> Told {
    let mut command = place.command(arguments);
    command.env("HOME", place.path("home"));
    place.feed(command, input)
}

#[test]
fn whoever_is_logged_in_names_no_token() {
    let shop = Shop::open();
    let (place, url) = (&shop.place, shop.url());
    let deploy = shop.api(async |business| business.deploy.clone());
    insta::assert_snapshot!(at_home(place, &["login", "--url", &format!("{url}/")], &format!("{deploy}\n")), @"
    [stdout]
    logged in to <service> as deploy (deploy), for <biz 1>; kept in <folder>/home/.config/svc/login.json
    [exit status: 0]
    ");
    let mode = |path: &str| std::fs::metadata(place.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(FILE), mode("home/.config/svc")), (0o600, 0o700));
    at_home(place, &["plan", "list"], "").done();
    // A token goes to its own service alone.
    insta::assert_snapshot!(at_home(place, &["plan", "list", "--url", "http://127.0.0.1:1"], ""), @"
    [stderr]
    svc: TOKEN_MISSING: this needs a token
      hint: give --token, set SVC_TOKEN, or keep one with svc login
    [exit status: 2]
    ");
    // What is said goes before what is kept.
    insta::assert_snapshot!(at_home(place, &["plan", "list", "--token", "svc_deploy_other"], ""), @"
    [stderr]
    svc: UNAUTHORIZED: a valid bearer token is needed
    [exit status: 5]
    ");
    // An operator is of no business, and names the one that commands are for.
    insta::assert_snapshot!(at_home(place, &["login", "--url", url], OPERATOR), @"
    [stdout]
    logged in to <service> as root (operator); kept in <folder>/home/.config/svc/login.json
    [exit status: 0]
    ");
    insta::assert_snapshot!(at_home(place, &["plan", "list"], ""), @"
    [stderr]
    svc: BUSINESS_MISSING: this needs a business
      hint: give --business, or set SVC_BUSINESS
    [exit status: 2]
    ");
    at_home(place, &["login", "--url", url, "--business", &shop.business], OPERATOR).done();
    at_home(place, &["plan", "migrations"], "").done();
    insta::assert_snapshot!(at_home(place, &["logout"], ""), @"
    [stdout]
    <service> is forgotten
    [exit status: 0]
    ");
    insta::assert_snapshot!(at_home(place, &["logout"], ""), @"
    [stdout]
    nothing is kept
    [exit status: 0]
    ");
    insta::assert_snapshot!(at_home(place, &["plan", "list"], ""), @"
    [stderr]
    svc: TOKEN_MISSING: this needs a token
      hint: give --token, set SVC_TOKEN, or keep one with svc login
    [exit status: 2]
    ");
}

#[test]
fn what_opens_nothing_is_not_kept() {
    let shop = Shop::open();
    let place = &shop.place;
    insta::assert_snapshot!(at_home(place, &["login", "--url", shop.url()], "nonsense"), @"
    [stderr]
    svc: UNAUTHORIZED: a valid bearer token is needed
    [exit status: 5]
    ");
    insta::assert_snapshot!(at_home(place, &["login", "--url", shop.url()], " \n"), @"
    [stderr]
    svc: TOKEN_MISSING: this needs a token, on standard input
      hint: an operator makes one: svc token mint
    [exit status: 2]
    ");
    insta::assert_snapshot!(at_home(place, &["login", "--url", "http://svc.example.com"], "token"), @"
    [stderr]
    svc: TOKEN_IN_CLEAR: the token would go to svc.example.com in the clear
      hint: ask it as https://; or say --insecure-http where nobody else can read the way there
    [exit status: 2]
    ");
    assert!(!place.path(FILE).exists());
    // Without a home there is no place to keep it.
    insta::assert_snapshot!(place.run_with(&["login", "--url", shop.url()], OPERATOR), @"
    [stderr]
    svc: NO_HOME: there is no folder to keep a login in
      hint: set HOME or XDG_CONFIG_HOME; or give --token, or SVC_TOKEN, to each command
    [exit status: 4]
    ");
}

#[test]
fn a_file_that_others_read_or_that_is_none() {
    let place = Place::new();
    place.write(FILE, "{}");
    std::fs::set_permissions(place.path(FILE), PermissionsExt::from_mode(0o640)).unwrap();
    insta::assert_snapshot!(at_home(&place, &["plan", "list"], ""), @"
    [stderr]
    svc: LOGIN_MODE: <folder>/home/.config/svc/login.json holds tokens, and others than its owner may read it
      hint: chmod 600, and take the tokens back where somebody may have read them
    [exit status: 5]
    ");
    std::fs::set_permissions(place.path(FILE), PermissionsExt::from_mode(0o600)).unwrap();
    insta::assert_snapshot!(at_home(&place, &["plan", "list"], ""), @"
    [stderr]
    svc: LOGIN_UNREADABLE: <folder>/home/.config/svc/login.json can't be read: missing field `services` at line 1 column 2
    [exit status: 4]
    ");
}
