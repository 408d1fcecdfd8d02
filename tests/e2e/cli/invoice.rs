//! `svc invoice`: periods that ended, and what the open ones would come to.

use super::Shop;
use serde_json::json;
use svc_tests::api::OPERATOR;

#[test]
fn a_dry_run_closes_nothing() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["invoice", "close", "--dry-run"]), @"
    [stdout]
    NUMBER  INVOICE  SUBJECT  FROM  TO  FEE (c)  USAGE (c)  TRUE-UP (c)  TOTAL (c)  CARRIED (c)
    [exit status: 0]
    ");
    shop.subscribe("ada", "pro");
    shop.use_tokens("run-1", "ada", 1_000_000);
    insta::assert_snapshot!(shop.operator(&["invoice", "close", "--dry-run"]), @"
    [stdout]
    NUMBER  INVOICE  SUBJECT  FROM  TO  FEE (c)  USAGE (c)  TRUE-UP (c)  TOTAL (c)  CARRIED (c)
    if the open periods ended now:
    NUMBER  INVOICE  SUBJECT  FROM      TO        FEE (c)  USAGE (c)  TRUE-UP (c)  TOTAL (c)  CARRIED (c)
    -       -        ada      <moment>  <moment>  1900     233        0            2133       0
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["invoice", "close", "--dry-run", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "invoice close",
      "data": {
        "invoices": [],
        "open": [
          {
            "invoiceId": null,
            "number": null,
            "kind": "invoice",
            "subscriptionId": "<sub 1>",
            "subject": "ada",
            "period": 0,
            "periodStart": "<moment>",
            "periodEnd": "<moment>",
            "plan": "pro",
            "planName": "pro",
            "currency": "usd",
            "recurringFeeCents": 1900,
            "usageCents": 233,
            "trueUpCents": 0,
            "totalCents": 2133,
            "roundingNanos": "3333333",
            "totals": {
              "ratedNanos": "2333333333",
              "fundedNanos": "0",
              "receivableNanos": "2333333333"
            },
            "trueUpNanos": "0",
            "carriedCents": 0,
            "windows": [
              {
                "windowId": "<win 1>",
                "windowStart": "<moment>",
                "windowEnd": "<moment>",
                "chargeCount": 1,
                "ratedNanos": "2333333333"
              }
            ],
            "lines": [
              {
                "windowId": "<win 1>",
                "meter": "tokens",
                "quantity": "1000000",
                "includedUnits": 0,
                "ratedNanos": "2333333333"
              }
            ]
          }
        ]
      }
    }
    [exit status: 0]
    "#);
    insta::assert_snapshot!(shop.operator(&["invoice", "close", "--yes"]), @"
    [stdout]
    NUMBER  INVOICE  SUBJECT  FROM  TO  FEE (c)  USAGE (c)  TRUE-UP (c)  TOTAL (c)  CARRIED (c)
    [exit status: 0]
    ");
}

#[test]
fn an_ended_period_is_closed_once_and_listed() {
    let shop = Shop::open();
    let subscription = shop.subscribe("ada", "pro");
    shop.use_tokens("run-1", "ada", 1_000_000);
    shop.api(async |business| {
        let path = format!("{}/subscriptions/{subscription}/cancel", business.root);
        let _ended = business.api.post(OPERATOR, &path, json!({ "at": "now" })).await.expect(200);
    });
    insta::assert_snapshot!(shop.operator(&["invoice", "list", &subscription]), @"
    [stdout]
    NUMBER  INVOICE  SUBJECT  FROM  TO  FEE (c)  USAGE (c)  TRUE-UP (c)  TOTAL (c)  CARRIED (c)
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["invoice", "close", "--yes", "--subscription", &subscription]), @"
    [stdout]
    NUMBER  INVOICE  SUBJECT  FROM      TO        FEE (c)  USAGE (c)  TRUE-UP (c)  TOTAL (c)  CARRIED (c)
    1       <inv 1>  ada      <moment>  <moment>  1900     233        0            2133       0
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["invoice", "list", &subscription, "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "invoice list",
      "data": {
        "invoices": [
          {
            "invoiceId": "<inv 1>",
            "number": 1,
            "kind": "invoice",
            "subscriptionId": "<sub 1>",
            "subject": "ada",
            "period": 0,
            "periodStart": "<moment>",
            "periodEnd": "<moment>",
            "plan": "pro",
            "planName": "pro",
            "currency": "usd",
            "recurringFeeCents": 1900,
            "usageCents": 233,
            "trueUpCents": 0,
            "totalCents": 2133,
            "roundingNanos": "3333333",
            "totals": {
              "ratedNanos": "2333333333",
              "fundedNanos": "0",
              "receivableNanos": "2333333333"
            },
            "trueUpNanos": "0",
            "carriedCents": 0,
            "windows": [
              {
                "windowId": "<win 1>",
                "windowStart": "<moment>",
                "windowEnd": "<moment>",
                "chargeCount": 1,
                "ratedNanos": "2333333333"
              }
            ],
            "lines": [
              {
                "windowId": "<win 1>",
                "meter": "tokens",
                "quantity": "1000000",
                "includedUnits": 0,
                "ratedNanos": "2333333333"
              }
            ]
          }
        ],
        "cursor": null
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn a_subscription_that_is_not_there() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["invoice", "list", "sub_none"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such subscription
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["invoice", "close", "--yes", "--subscription", "sub_none"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such subscription
    [exit status: 5]
    ");
}

#[test]
fn only_the_operator_closes() {
    insta::assert_snapshot!(Shop::open().deploy(&["invoice", "close", "--yes"]), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
}

#[test]
fn usage() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["invoice"]), @"
    [stderr]
    Close periods, list invoices

    Usage: svc invoice [OPTIONS] <COMMAND>

    Commands:
      close  Close every ended period, once; with --dry-run, say what that would come to
      list   List a subscription's invoices, oldest first
      help   Print this message or the help of the given subcommand(s)

    Options:
          --format <FORMAT>  How results are written to standard output [env: SVC_FORMAT=] [default: human] [possible values: human, json, sarif]
          --color <COLOR>    When to use colours [env: SVC_COLOR=] [default: auto] [possible values: auto, always, never]
          --config <FILE>    A file of settings, such as svc.toml; flags and variables go before it. `svc config` shows what holds [env: SVC_CONFIG=]
      -q, --quiet            Say nothing but the result
      -v, --verbose...       Say more; twice for everything
      -h, --help             Print help (see more with '--help')
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.operator(&["invoice", "list"]), @"
    [stderr]
    error: the following required arguments were not provided:
      <SUBSCRIPTION>

    Usage: svc invoice list --url <URL> --token <TOKEN> --business <BUSINESS> <SUBSCRIPTION>

    For more information, try '--help'.
    [exit status: 2]
    ");
}
