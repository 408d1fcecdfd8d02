//! `svc ledger`: the audit.

use super::Shop;

#[test]
fn everything_agrees() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.use_tokens("run-1", "ada", 3000);
    insta::assert_snapshot!(shop.operator(&["ledger", "verify"]), @"
    [stdout]
    1 subscription, 1 window, 1 charge and 1 transaction looked at
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["ledger", "verify", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "ledger verify",
      "data": {
        "subscriptions": 1,
        "windows": 1,
        "charges": 1,
        "transactions": 1,
        "findings": []
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn what_does_not_agree_is_named() {
    let shop = Shop::open();
    let subscription = shop.subscribe("ada", "pro");
    shop.use_tokens("run-1", "ada", 3000);
    shop.meddle("UPDATE windows SET rated_nanos = '7' WHERE subscription_id = ?", &subscription);
    insta::assert_snapshot!(shop.operator(&["ledger", "verify"]), @"
    [stderr]
    window <win 1> rated: kept 7, computed 7000000
    subscription <sub 1> period 0 usage that is paid for: kept 7000000, computed 7
    svc: LEDGER_DISAGREES: 2 things do not agree; 1 subscription, 1 window, 1 charge and 1 transaction looked at
    [exit status: 1]
    ");
    insta::assert_snapshot!(shop.operator(&["ledger", "verify", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "ledger verify",
      "error": {
        "code": "LEDGER_DISAGREES",
        "message": "2 things do not agree; 1 subscription, 1 window, 1 charge and 1 transaction looked at",
        "hint": null
      },
      "diagnostics": [],
      "data": {
        "subscriptions": 1,
        "windows": 1,
        "charges": 1,
        "transactions": 1,
        "findings": [
          {
            "place": "window <win 1> rated",
            "kept": "7",
            "computed": "7000000"
          },
          {
            "place": "subscription <sub 1> period 0 usage that is paid for",
            "kept": "7000000",
            "computed": "7"
          }
        ]
      }
    }
    [exit status: 1]
    "#);
}

#[test]
fn only_the_operator_audits() {
    insta::assert_snapshot!(Shop::open().deploy(&["ledger", "verify"]), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
}

#[test]
fn usage() {
    insta::assert_snapshot!(Shop::open().operator(&["ledger"]), @"
    [stderr]
    Audit the ledger

    Usage: svc ledger [OPTIONS] <COMMAND>

    Commands:
      verify  Work out every balance, window and invoice again from charges and postings alone, and compare
      help    Print this message or the help of the given subcommand(s)

    Options:
          --format <FORMAT>  How results are written to standard output [env: SVC_FORMAT=] [default: human] [possible values: human, json, sarif]
          --color <COLOR>    When to use colours [env: SVC_COLOR=] [default: auto] [possible values: auto, always, never]
          --config <FILE>    A file of settings, such as svc.toml; flags and variables go before it. `svc config` shows what holds [env: SVC_CONFIG=]
      -q, --quiet            Say nothing but the result
      -v, --verbose...       Say more; twice for everything
      -h, --help             Print help (see more with '--help')
    [exit status: 2]
    ");
}
