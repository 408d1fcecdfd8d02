//! `svc adjust`: refunds and corrections.

use super::Shop;

#[test]
fn a_correction() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    insta::assert_snapshot!(shop.operator(&["adjust", "correct", "ada", "-5", "--reason", "a test"]), @"
    [stdout]
    <adj 1>: what is owed moved by -5 nanodollars; 0 went back into buckets
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["adjust", "correct", "ada", "5", "--reason", "a test", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "adjust correct",
      "data": {
        "adjustmentId": "<adj 2>",
        "receivableNanos": "5",
        "refundedToBucketsNanos": "0"
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn a_refund() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.use_tokens("run-1", "ada", 3000);
    let refund = ["adjust", "refund", "ada", "run-1", "--reason", "a test"];
    insta::assert_snapshot!(shop.operator(&refund), @"
    [stdout]
    <adj 1>: what is owed moved by -7000000 nanodollars; 0 went back into buckets
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&refund), @r#"
    [stderr]
    svc: ALREADY_REFUNDED: the item "run-1" was refunded already
    [exit status: 5]
    "#);
}

#[test]
fn a_refund_of_what_credit_paid() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.operator(&["credits", "give", "ada", "--cents", "250"]).done();
    shop.use_tokens("run-1", "ada", 3000);
    insta::assert_snapshot!(shop.operator(&["adjust", "refund", "ada", "run-1", "--reason", "a test"]), @"
    [stdout]
    <adj 1>: what is owed moved by 0 nanodollars; 7000000 went back into buckets
    [exit status: 0]
    ");
}

#[test]
fn what_is_not_there_or_not_taken() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    insta::assert_snapshot!(shop.operator(&["adjust", "refund", "ada", "run-9", "--reason", "a test"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such usage item
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["adjust", "correct", "grace", "5", "--reason", "a test"]), @"
    [stderr]
    svc: NOT_FOUND: the subject has no subscription
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["adjust", "correct", "ada", "5", "--reason", ""]), @"
    [stderr]
    svc: REASON_FORM: a reason has 1 to 500 characters
    [exit status: 1]
    ");
    insta::assert_snapshot!(shop.operator(&["adjust", "correct", "ada", "0", "--reason", "a test"]), @"
    [stderr]
    svc: ADJUSTMENT_FORM: a correction of zero corrects nothing
    [exit status: 1]
    ");
    insta::assert_snapshot!(shop.deploy(&["adjust", "correct", "ada", "5", "--reason", "a test"]), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
}

#[test]
fn usage() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["adjust", "correct", "ada", "5"]), @"
    [stderr]
    error: the following required arguments were not provided:
      --reason <REASON>

    Usage: svc adjust correct --reason <REASON> --url <URL> --token <TOKEN> --business <BUSINESS> <SUBJECT> <NANOS>

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.operator(&["adjust", "correct", "ada", "five", "--reason", "a test"]), @"
    [stderr]
    error: invalid value 'five' for '<NANOS>': invalid digit found in string

    For more information, try '--help'.
    [exit status: 2]
    ");
}
