//! `svc hold`: money set aside, used and let go.

use super::Shop;

#[test]
fn money_is_set_aside_used_and_let_go() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.operator(&["credits", "give", "ada", "--cents", "500"]).done();
    let create = ["hold", "create", "ada", "job-1", "--meter", "tokens", "--units", "3000"];
    insta::assert_snapshot!(shop.deploy(&create), @"
    [stdout]
    job-1 is open: $0.007, until <moment>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["hold", "create", "ada", "job-2", "--route", "POST /v1/jobs", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "hold create",
      "data": {
        "holdId": "job-2",
        "state": "open",
        "heldNanos": "0",
        "expiresAt": "<moment>"
      }
    }
    [exit status: 0]
    "#);
    insta::assert_snapshot!(shop.deploy(&["hold", "list", "ada", "--limit", "1"]), @"
    [stdout]
    HOLD   AMOUNT  UNTIL
    job-1  $0.007  <moment>
    more: --cursor job-1
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["hold", "list", "ada", "--cursor", "job-1", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "hold list",
      "data": {
        "holds": [
          {
            "holdId": "job-2",
            "state": "open",
            "heldNanos": "0",
            "expiresAt": "<moment>"
          }
        ],
        "cursor": null
      }
    }
    [exit status: 0]
    "#);
    let item = r#"{ "id": "run-1", "subject": "ada", "meter": "tokens", "units": 1500, "hold": "job-1" }"#;
    shop.deploy_with(&["usage", "report"], item).done();
    insta::assert_snapshot!(shop.deploy(&create), @"
    [stdout]
    job-1 is settled: $0.007
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["hold", "release", "--yes", "ada", "job-2"]), @"
    [stdout]
    job-2 is released: $0.00
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["hold", "list", "ada"]), @"
    [stdout]
    nothing is set aside
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["hold", "list", "eve"]), @"
    [stderr]
    svc: NOT_FOUND: the subject has no live subscription
    [exit status: 5]
    ");
}

#[test]
fn a_hold_that_is_not_there_and_one_of_no_form() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    insta::assert_snapshot!(shop.deploy(&["hold", "release", "--yes", "ada", "job-9"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such hold
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.deploy(&["hold", "create", "ada", "job-1", "--meter", "tokens"]), @"
    [stderr]
    error: the following required arguments were not provided:
      --units <UNITS>

    Usage: svc hold create --meter <METER> --units <UNITS> --url <URL> --token <TOKEN> --business <BUSINESS> <SUBJECT> <ID>

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.deploy(&["hold", "create", "ada", "job-1", "--meter", "bytes", "--units", "1"]), @r#"
    [stderr]
    svc: UNKNOWN_METER: the served release has no meter "bytes"
    [exit status: 1]
    "#);
}
