//! `svc events`: who is told of what happens in a business, and what was told.

use super::Shop;

const SECRET: [&str; 2] = ["--secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
/// Nobody listens there.
const ADDRESS: &str = "http://127.0.0.1:9/events";

#[test]
fn a_receiver_is_named_shown_and_taken_away() {
    let shop = Shop::open();
    let add = ["events", "add", ADDRESS, "--type", "invoice.closed", "--type", "bucket.low"];
    insta::assert_snapshot!(shop.operator(&[&add[..], &SECRET].concat()), @"
    [stdout]
    receiver  <rcv 1>
    address   http://127.0.0.1:9/events
    events    bucket.low, invoice.closed
    secret    whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw  (shown once)
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "receivers"]), @"
    [stdout]
    receiver                              address                    events                      state
    <rcv 1>  http://127.0.0.1:9/events  bucket.low, invoice.closed  told
    [exit status: 0]
    ");
    let id = shop.operator(&["events", "receivers", "--format", "json"]).json()["data"]["receivers"][0]["id"].clone();
    let id = id.as_str().unwrap();
    insta::assert_snapshot!(shop.operator(&[&["events", "rotate", id][..], &SECRET].concat()), @"
    [stdout]
    receiver  <rcv 1>
    address   http://127.0.0.1:9/events
    events    bucket.low, invoice.closed
    secret    whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw  (shown once)
    signed with the former secret too until <moment>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "start", id]), @"
    [stdout]
    receiver  <rcv 1>
    address   http://127.0.0.1:9/events
    events    bucket.low, invoice.closed
    signed with the former secret too until <moment>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "remove", "--yes", id]), @"
    [stdout]
    removed; nothing is sent there any more
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "remove", "--yes", id]), @"
    [stderr]
    svc: NOT_FOUND: there is no such receiver
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "receivers"]), @"
    [stdout]
    receiver  address  events  state
    [exit status: 0]
    ");
}

#[test]
fn what_happened_is_listed_and_sent_again() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["events", "list"]), @"
    [stdout]
    happened              event                                 type               receiver  state  tries  problem
    <moment>  <evt 1>  release.activated  -         -      -      -
    <moment>  <evt 2>  build.finished     -         -      -      -
    [exit status: 0]
    ");
    let listed = shop.operator(&["events", "list", "--limit", "1", "--format", "json"]).json();
    let event = listed["data"]["events"][0]["id"].as_str().unwrap().to_owned();
    insta::assert_snapshot!(shop.operator(&["events", "redeliver", &event]), @"
    [stdout]
    0 deliveries are on their way
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "redeliver"]), @"
    [stdout]
    0 deliveries are on their way
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "redeliver", &event, "--since", "2026-11-28T00:00:00Z"]), @"
    [stderr]
    error: the argument '[EVENT]' cannot be used with '--since <SINCE>'

    Usage: svc events redeliver --url <URL> --token <TOKEN> --business <BUSINESS> <EVENT>

    For more information, try '--help'.
    [exit status: 2]
    ");
}

#[test]
fn what_is_not_of_its_form_is_refused_by_name() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["events", "add", "http://example.com/"]), @"
    [stderr]
    svc: RECEIVER_URL: the receiver's address begins with https://; http:// is for hosts that the operator named
    [exit status: 1]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "add", ADDRESS, "--secret", "short"]), @"
    [stderr]
    svc: SECRET_FORM: a receiver's secret is whsec_ and 24 to 64 bytes as base64
    [exit status: 1]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "add", ADDRESS, "--type", "nothing.happened"]), @"
    [stderr]
    svc: BODY_FORM: the body is not of its form: unknown variant `nothing.happened`, expected one of `build.finished`, `release.activated`, `migration.applied`, `usage.threshold_reached`, `bucket.low`, `bucket.ended`, `invoice.closed` at line 1 column 62
    [exit status: 4]
    ");
    insta::assert_snapshot!(shop.operator(&["events", "list", "--limit", "0"]), @"
    [stderr]
    error: invalid value '0' for '--limit <LIMIT>': 0 is not in 1..=4294967295

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.deploy(&["events", "list"]), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
}
