//! `svc plan`: versions, and moving subscribers between them.

use super::Shop;

/// Ada is on version 1 of a plan that has a version 2.
fn repriced() -> Shop {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.republish("amount: 1900", "amount: 2900");
    shop
}

fn migrate<'a>(shop: &'a Shop, more: &[&'a str]) -> Vec<&'a str> {
    [&["plan", "migrate", &shop.business, "pro", "--yes", "--from", "1", "--to", "head", "--policy"], more].concat()
}

#[test]
fn versions_and_their_subscribers() {
    let shop = repriced();
    insta::assert_snapshot!(shop.deploy(&["plan", "list"]), @"
    [stdout]
    PLAN  VERSION  SUBSCRIBERS  ACTIVE  FIRST RELEASE
    free  1        0            yes     <rel 2>
    pro   1        1                    <rel 2>
    pro   2        0            yes     <rel 1>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["plan", "list", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "plan list",
      "data": {
        "plans": [
          {
            "plan": "free",
            "version": 1,
            "releaseId": "<rel 2>",
            "active": true,
            "subscribers": 0
          },
          {
            "plan": "pro",
            "version": 1,
            "releaseId": "<rel 2>",
            "active": false,
            "subscribers": 1
          },
          {
            "plan": "pro",
            "version": 2,
            "releaseId": "<rel 1>",
            "active": true,
            "subscribers": 0
          }
        ],
        "cursor": null
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn a_list_goes_on_where_a_page_ended() {
    let shop = repriced();
    insta::assert_snapshot!(shop.deploy(&["plan", "list", "--limit", "2"]), @"
    [stdout]
    PLAN  VERSION  SUBSCRIBERS  ACTIVE  FIRST RELEASE
    free  1        0            yes     <rel 2>
    pro   1        1                    <rel 2>
    more: --cursor pro:1
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["plan", "list", "--cursor", "pro:1"]), @"
    [stdout]
    PLAN  VERSION  SUBSCRIBERS  ACTIVE  FIRST RELEASE
    pro   2        0            yes     <rel 1>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["plan", "list", "--cursor", "pro"]), @"
    [stderr]
    svc: CURSOR_FORM: the cursor is none that a page ended with
    [exit status: 1]
    ");
    insta::assert_snapshot!(shop.deploy(&["plan", "list", "--limit", "101"]), @"
    [stdout]
    PLAN  VERSION  SUBSCRIBERS  ACTIVE  FIRST RELEASE
    free  1        0            yes     <rel 2>
    pro   1        1                    <rel 2>
    pro   2        0            yes     <rel 1>
    [exit status: 0]
    ");
}

#[test]
fn nobody_moves_in_a_dry_run_nor_under_grandfather() {
    let shop = repriced();
    insta::assert_snapshot!(shop.operator(&migrate(&shop, &["grandfather"])), @"
    [stdout]
    MIGRATION_SKIPPED: grandfather moves nobody: subscribers keep the version they have
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&migrate(&shop, &["next_renewal", "--dry-run"])), @r#"
    [stdout]
    MIGRATION_PLANNED: 1 subscription of "pro" would move from version 1 to version 2
    SUBSCRIPTION  SUBJECT  MOVES AT  FEE (c)  NEXT FEE (c)  PRORATION (n)  CREDIT (n)
    <sub 1>       ada      <moment>  1900     2900          0              0
    [exit status: 0]
    "#);
    let prorated = ["immediate", "--proration", "prorate", "--dry-run", "--format", "json"];
    let planned = shop.operator(&migrate(&shop, &prorated)).done().json();
    assert_eq!(planned["data"]["code"], "MIGRATION_PLANNED");
    let moves = &planned["data"]["moves"][0];
    assert_eq!((&moves["subject"], &moves["nextFeeCents"]), (&"ada".into(), &2900.into()));
    // A thousand cents for the rest of the period: all of it but what has passed since Ada subscribed.
    let nanos: i64 = moves["prorationNanos"].as_str().unwrap().parse().unwrap();
    assert!((9_990_000_000..=10_000_000_000).contains(&nanos), "{nanos}");
    insta::assert_snapshot!(shop.operator(&["plan", "migrations"]), @"
    [stdout]
    BATCH  PLAN  VERSIONS  POLICY  SUBSCRIPTIONS
    [exit status: 0]
    ");
}

#[test]
fn subscribers_move() {
    let shop = repriced();
    insta::assert_snapshot!(shop.operator(&migrate(&shop, &["immediate"])), @r#"
    [stdout]
    MIGRATION_APPLIED: 1 subscription of "pro" was moved from version 1 to version 2
    SUBSCRIPTION  SUBJECT  MOVES AT  FEE (c)  NEXT FEE (c)  PRORATION (n)  CREDIT (n)
    <sub 1>       ada      <moment>  1900     2900          0              0
    batch <mig 1>
    [exit status: 0]
    "#);
    insta::assert_snapshot!(shop.operator(&["plan", "migrations"]), @"
    [stdout]
    BATCH    PLAN  VERSIONS  POLICY     SUBSCRIPTIONS
    <mig 1>  pro   1 → 2     immediate  1 applied
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["plan", "migrations", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "plan migrations",
      "data": {
        "migrations": [
          {
            "batchId": "<mig 1>",
            "plan": "pro",
            "fromVersion": 1,
            "toVersion": 2,
            "policy": "immediate",
            "proration": "none",
            "completeBy": null,
            "createdAt": "<moment>",
            "transitions": {
              "applied": 1
            }
          }
        ],
        "cursor": null
      }
    }
    [exit status: 0]
    "#);
    insta::assert_snapshot!(shop.operator(&migrate(&shop, &["immediate", "--format", "json"])), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "plan migrate",
      "data": {
        "batchId": null,
        "code": "MIGRATION_SKIPPED",
        "message": "no subscription of \"pro\" version 1 is to be moved",
        "fromVersion": 1,
        "toVersion": 2,
        "moves": []
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn only_the_operator_moves_subscribers() {
    let shop = repriced();
    insta::assert_snapshot!(shop.deploy(&migrate(&shop, &["immediate"])), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
}

#[test]
fn a_plan_a_version_and_a_deadline_that_are_not_there() {
    let shop = repriced();
    let business = &shop.business;
    let to = |plan, version| {
        ["plan", "migrate", business, plan, "--from", "1", "--to", version, "--policy", "immediate", "--yes"]
    };
    insta::assert_snapshot!(shop.operator(&to("gold", "2")), @"
    [stderr]
    svc: NOT_FOUND: there is no such plan
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&to("pro", "7")), @r#"
    [stderr]
    svc: UNKNOWN_VERSION: the plan "pro" has versions 1 to 2, not 7
    [exit status: 1]
    "#);
    insta::assert_snapshot!(shop.operator(&to("pro", "newest")), @r#"
    [stderr]
    svc: BODY_FORM: the body is not of its form: "newest" is no version: a number such as 3, head, or any at line 1 column 25
    [exit status: 4]
    "#);
    insta::assert_snapshot!(shop.operator(&migrate(&shop, &["by_date"])), @"
    [stderr]
    svc: MIGRATION_DEADLINE: the policy by_date needs a deadline (--complete-by)
    [exit status: 1]
    ");
    insta::assert_snapshot!(shop.operator(&migrate(&shop, &["by_date", "--complete-by", "tomorrow"])), @r#"
    [stderr]
    error: invalid value 'tomorrow' for '--complete-by <MOMENT>': "tomorrow" is no moment: such as <moment>

    For more information, try '--help'.
    [exit status: 2]
    "#);
}

#[test]
fn usage() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.operator(&migrate(&shop, &["at_once"])), @"
    [stderr]
    error: invalid value 'at_once' for '--policy <POLICY>'
      [possible values: grandfather, next_renewal, immediate, by_date, opt_in, additions]

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.operator(&["plan", "migrate"]), @"
    [stderr]
    error: the following required arguments were not provided:
      --from <FROM>
      --to <TO>
      --policy <POLICY>
      <PRODUCT>
      <PLAN>

    Usage: svc plan migrate --from <FROM> --to <TO> --policy <POLICY> --url <URL> --token <TOKEN> --business <BUSINESS> <PRODUCT> <PLAN>

    For more information, try '--help'.
    [exit status: 2]
    ");
}
