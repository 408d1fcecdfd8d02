//! `svc preview`: a subscriber's own bill.

use super::Shop;

#[test]
fn a_subscriber_sees_their_bill() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.use_tokens("run-1", "ada", 1000);
    shop.operator(&["adjust", "correct", "ada", "-5", "--reason", "a test"]).done();
    let portal = shop.portal("ada");
    insta::assert_snapshot!(shop.run(&portal, &["preview"]), @"
    [stdout]
    owed for usage       $0.002333328
    recurring fee       $19.00
    usage in all         $0.002333333
    paid by allowances   $0.00

    FROM      TO        CHARGES  AMOUNT
    <moment>  <moment>  1        $0.002333333
    [exit status: 0]
    ");
    let envelope = shop.run(&portal, &["preview", "--format", "json"]).done().json();
    assert_eq!((&envelope["op"], &envelope["data"]["disclosure"]), (&"preview".into(), &"transparent".into()));
}

/// What an operator sees is what the subscriber does.
#[test]
fn an_operator_sees_any_subscribers_bill() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.use_tokens("run-1", "ada", 1000);
    let own = shop.run(&shop.portal("ada"), &["preview", "--format", "json"]).done().json();
    assert_eq!(shop.operator(&["preview", "ada", "--format", "json"]).done().json()["data"], own["data"]);
    insta::assert_snapshot!(shop.operator(&["preview", "grace"]), @"
    [stderr]
    svc: NOT_FOUND: there is no bill to preview
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.deploy(&["preview", "ada"]), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
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
