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
