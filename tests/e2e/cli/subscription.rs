//! `svc subscription`: subscribing, changing, ending, resuming, and what was used.

use super::Shop;

#[test]
fn a_subscription_and_its_plan() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["subscription", "create", "ada", "free"]), @"
    [stdout]
    <sub 1>: ada on free, version 1, 0 cents a month
    [exit status: 0]
    ");
    let subscription = shop.operator(&["subscription", "create", "bea", "free", "--format", "json"]).done().json();
    let id = subscription["data"]["subscriptionId"].as_str().unwrap().to_owned();
    shop.use_tokens("run-1", "bea", 30);
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &id, "pro", "--at", "period_end", "--dry-run"]), @"
    [stdout]
    <sub 2>: bea on free, version 1, 0 cents a month
    moves at <moment>: 0 cents, then 1900; 0 nanodollars are owed for the rest of the period, 0 are given as credit
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &id, "pro"]), @"
    [stdout]
    <sub 2>: bea on pro, version 1, 0 cents a month
    cents from the next period on: 1900
    moves at <moment>: 0 cents, then 1900; 0 nanodollars are owed for the rest of the period, 0 are given as credit
    [exit status: 0]
    ");
    shop.use_tokens("run-2", "bea", 3000);
    insta::assert_snapshot!(shop.operator(&["usage", "show", &id]), @"
    [stdout]
    bea on pro, from <moment> to <moment>
    WINDOW   METER   QUANTITY  INCLUDED  RATED (n)
    <win 1>  tokens  30        0         0
    <win 2>  tokens  3000      0         7000000
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "cancel", &id, "--at", "period_end"]), @"
    [stdout]
    <sub 2>: bea on pro, version 1, 0 cents a month
    cents from the next period on: 1900
    is going to end at: <moment>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "resume", &id]), @"
    [stdout]
    <sub 2>: bea on pro, version 1, 0 cents a month
    cents from the next period on: 1900
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "cancel", &id, "--prorate", "--yes"]), @"
    [stdout]
    <sub 2>: bea on pro, version 1, 0 cents a month
    cents from the next period on: 1900
    ended at: <moment>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "show", &id]), @"
    [stdout]
    <sub 2>: bea on pro, version 1, 0 cents a month
    cents from the next period on: 1900
    ended at: <moment>
    [exit status: 0]
    ");
}

#[test]
fn a_subscription_has_a_most_of_its_own() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&["subscription", "create", "ada", "pro", "--max-spend", "$25"]), @"
    [stdout]
    <sub 1>: ada on pro, version 1, 1900 cents a month
    cents a month at most, of its own: 2500
    [exit status: 0]
    ");
    let bea = shop.subscribe("bea", "pro");
    shop.use_tokens("run-1", "bea", 3000);
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &bea, "--max-spend", "1,000.50", "--dry-run"]), @"
    [stdout]
    <sub 2>: bea on pro, version 1, 1900 cents a month
    the open period may come to $1,000.50, and has come to $19.007
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &bea, "--max-spend", "19"]), @"
    [stdout]
    <sub 2>: bea on pro, version 1, 1900 cents a month
    cents a month at most, of its own: 1900
    the open period may come to $19.00, and has come to $19.007: what is owed stays owed, and usage that no credit pays for is let in and not billed until the period ends
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &bea, "free", "--max-spend", "none", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "subscription change",
      "data": {
        "subscription": {
          "subscriptionId": "<sub 2>",
          "subject": "bea",
          "plan": "free",
          "planVersion": 1,
          "releaseId": "<rel 1>",
          "recurringFeeCents": 1900,
          "nextFeeCents": 0,
          "interval": "month",
          "startedAt": "<moment>",
          "trialEndsAt": null,
          "cancelAt": null,
          "cancelledAt": null
        },
        "change": {
          "subscriptionId": "<sub 2>",
          "subject": "bea",
          "dueAt": "<moment>",
          "recurringFeeCents": 1900,
          "nextFeeCents": 0,
          "prorationNanos": "0",
          "creditNanos": "0"
        },
        "spend": {
          "mostNanos": null,
          "spentNanos": "19007000000",
          "isReached": false,
          "overageBehavior": "allow_and_bill"
        }
      }
    }
    [exit status: 0]
    "#);
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &bea, "--max-spend", "19.005"]), @r#"
    [stderr]
    error: invalid value '19.005' for '--max-spend <DOLLARS>': "19.005" is no amount of dollars, such as 20, 20.50 or $1,000.00

    For more information, try '--help'.
    [exit status: 2]
    "#);
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &bea]), @"
    [stderr]
    error: the following required arguments were not provided:
      <PLAN>

    Usage: svc subscription change --url <URL> --token <TOKEN> --business <BUSINESS> <SUBSCRIPTION> <PLAN>

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &bea, "--max-spend", "19", "--at", "now"]), @"
    [stderr]
    error: the following required arguments were not provided:
      <PLAN>

    Usage: svc subscription change --max-spend <DOLLARS> --at <AT> --url <URL> --token <TOKEN> --business <BUSINESS> <SUBSCRIPTION> <PLAN>

    For more information, try '--help'.
    [exit status: 2]
    ");
}

#[test]
fn what_can_not_be_done_is_refused_by_name() {
    let shop = Shop::open();
    let id = shop.subscribe("ada", "free");
    insta::assert_snapshot!(shop.operator(&["subscription", "create", "ada", "pro"]), @"
    [stderr]
    svc: ALREADY_SUBSCRIBED: the subject has a live subscription
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "create", "bea", "gold"]), @r#"
    [stderr]
    svc: UNKNOWN_PLAN: the active release has no plan "gold"
    [exit status: 1]
    "#);
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &id, "free"]), @r#"
    [stderr]
    svc: ALREADY_ON_PLAN: the subscription is on "free", version 1, already
    [exit status: 5]
    "#);
    insta::assert_snapshot!(shop.operator(&["subscription", "change", &id, "pro", "--at", "tomorrow"]), @"
    [stderr]
    error: invalid value 'tomorrow' for '--at <AT>'
      [possible values: now, period_end]

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.operator(&["subscription", "show", "sub_nobody"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such subscription
    [exit status: 5]
    ");
    shop.operator(&["subscription", "cancel", &id, "--yes"]).done();
    insta::assert_snapshot!(shop.operator(&["subscription", "resume", &id]), @"
    [stderr]
    svc: SUBSCRIPTION_ENDED: the subscription has ended; subscribe the subject anew
    [exit status: 5]
    ");
}
