//! `svc credits`: given, sold and taken back.

use super::Shop;

#[test]
fn credit_is_given_and_taken_back() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.subscribe("bea", "pro");
    insta::assert_snapshot!(shop.operator(&["credits", "give", "ada", "--cents", "250"]), @"
    [stdout]
    <bkt 1>: promo, AVAILABLE, 2500000000 nanodollars left, never ends
    [exit status: 0]
    ");
    let dated = ["credits", "give", "ada", "--cents", "5", "--kind", "referral", "--expires-after-days", "30"];
    insta::assert_snapshot!(shop.operator(&dated), @"
    [stdout]
    <bkt 2>: referral, AVAILABLE, 50000000 nanodollars left, ends <moment>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["credits", "give", "bea", "--cents", "7", "--meter", "tokens"]), @"
    [stdout]
    <bkt 3>: promo, AVAILABLE, 70000000 nanodollars left, never ends, for tokens only
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["credits", "give", "bea", "--cents", "7", "--meter", "tokens", "--meter", "Seats"]), @r#"
    [stderr]
    svc: UNKNOWN_METER: the served release has no meter "Seats"
    [exit status: 1]
    "#);
    let given = shop.operator(&["credits", "give", "ada", "--cents", "1", "--format", "json"]);
    insta::assert_snapshot!(given, @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "credits give",
      "data": {
        "bucketId": "<bkt 4>",
        "kind": "promo",
        "state": "AVAILABLE",
        "remainingNanos": "10000000",
        "expiresAt": null
      }
    }
    [exit status: 0]
    "#);
    let bucket = given.json()["data"]["bucketId"].as_str().unwrap().to_owned();
    insta::assert_snapshot!(shop.operator(&["credits", "revoke", "--yes", &bucket]), @"
    [stdout]
    <bkt 4>: promo, REVOKED, 0 nanodollars left, never ends
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["credits", "revoke", "--yes", &bucket]), @"
    [stdout]
    <bkt 4>: promo, REVOKED, 0 nanodollars left, never ends
    [exit status: 0]
    ");
}

#[test]
fn a_pack_is_sold() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    insta::assert_snapshot!(shop.operator(&["credits", "give", "ada", "--top-up", "pack"]), @"
    [stdout]
    <bkt 1>: prepaid, AVAILABLE, 11000000000 nanodollars left, never ends
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["credits", "give", "ada", "--top-up", "none"]), @r#"
    [stderr]
    svc: UNKNOWN_SKU: the plan has no pack "none"
    [exit status: 1]
    "#);
    insta::assert_snapshot!(shop.operator(&["credits", "give", "ada", "--top-up", "pack", "--cents", "500"]), @r#"
    [stderr]
    svc: CREDIT_FORM: the pack "pack" has a price of its own; leave the amount out
    [exit status: 1]
    "#);
}

#[test]
fn what_is_not_there_or_not_taken() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    insta::assert_snapshot!(shop.operator(&["credits", "give", "grace", "--cents", "250"]), @"
    [stderr]
    svc: NOT_FOUND: the subject has no live subscription
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["credits", "give", "ada", "--cents", "0"]), @"
    [stderr]
    svc: CREDIT_FORM: a credit is at least one cent
    [exit status: 1]
    ");
    insta::assert_snapshot!(shop.operator(&["credits", "give", "ada", "--cents", "1", "--kind", "bonus"]), @"
    [stderr]
    error: invalid value 'bonus' for '--kind <KIND>'
      [possible values: included, promo, prepaid, referral]

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.operator(&["credits", "revoke", "--yes", "bkt_none"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such bucket
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.deploy(&["credits", "give", "ada", "--cents", "250"]), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
}

#[test]
fn usage() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["credits", "give", "ada"]), @"
    [stderr]
    error: the following required arguments were not provided:
      --cents <CENTS>

    Usage: svc credits give --url <URL> --token <TOKEN> --business <BUSINESS> --cents <CENTS> <SUBJECT>

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.operator(&["credits", "give", "ada", "--cents", "-5"]), @"
    [stderr]
    error: unexpected argument '-5' found

      tip: to pass '-5' as a value, use '-- -5'

    Usage: svc credits give [OPTIONS] <SUBJECT>

    For more information, try '--help'.
    [exit status: 2]
    ");
    let kind = ["credits", "give", "ada", "--kind", "promo", "--top-up", "pack"];
    assert!(shop.operator(&kind).to_string().contains("cannot be used with"));
}
