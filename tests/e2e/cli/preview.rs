//! `svc preview`: a subscriber's own bill.

use super::Shop;

#[test]
fn a_subscriber_sees_their_bill() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.use_tokens("run-1", "ada", 1000);
    shop.operator(&["adjust", "correct", "ada", "-5", "--reason", "a test"]).done();
    let portal = shop.portal("ada");
    insta::assert_snapshot!(shop.run(&portal, &["preview"]), @r#"
    [stdout]
    {
      "disclosure": "transparent",
      "currency": "usd",
      "recurringFeeCents": 1900,
      "windows": [
        {
          "windowId": "<win 1>",
          "windowStart": "<moment>",
          "windowEnd": "<moment>",
          "chargeCount": 1,
          "ratedNanos": "2333333"
        }
      ],
      "totals": {
        "ratedNanos": "2333333",
        "fundedNanos": "0",
        "receivableNanos": "2333328"
      },
      "allowances": []
    }
    [exit status: 0]
    "#);
    let envelope = shop.run(&portal, &["preview", "--format", "json"]).done().json();
    assert_eq!((&envelope["op"], &envelope["data"]["disclosure"]), (&"preview".into(), &"transparent".into()));
}

#[test]
fn who_has_no_subscription_has_no_bill() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.run(&shop.portal("grace"), &["preview"]), @"
    [stderr]
    svc: NOT_FOUND: there is no bill to preview
    [exit status: 5]
    ");
}

#[test]
fn a_token_of_another_kind() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.deploy(&["preview"]), @"
    [stderr]
    svc: FORBIDDEN: a portal token is needed
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["preview", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "preview",
      "error": {
        "code": "FORBIDDEN",
        "message": "a portal token is needed",
        "hint": null
      },
      "diagnostics": []
    }
    [exit status: 5]
    "#);
}
