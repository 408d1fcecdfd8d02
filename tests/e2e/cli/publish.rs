//! `svc publish`: a release, and what it would change.

use super::{CONFIG, Shop};

#[test]
fn the_first_release_of_a_business() {
    let shop = Shop::before_its_first_release();
    insta::assert_snapshot!(shop.deploy(&["diff", "--against", "release"]), @"
    [stderr]
    svc: NOT_FOUND: the business has published nothing yet
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.deploy(&["publish", "--dry-run"]), @"
    [stdout]
    product
      + (product)
    meters
      + requests  [economic]
      + tokens  [economic]
    features
      + jobs
    routes
      + POST /v1/jobs  [economic]
    plans
      + free: free  [economic]
      + pro: $19.00/month  [economic]
    frontend
      + (frontend)

    plan free: version - → 1; no subscribers
    plan pro: version - → 1; no subscribers
    8 changes; economic: true; breaking: false
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["publish"]), @"
    [stdout]
    <hash 1>
    published as <rel 1>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["diff", "--against", "release"]), @"
    [stdout]
    nothing changed
    [exit status: 0]
    ");
}

#[test]
fn a_dry_run_tells_every_change_and_whom_it_touches() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.place.edit(CONFIG, "amount: 1900", "amount: 2900");
    insta::assert_snapshot!(shop.deploy(&["publish", "--dry-run"]), @"
    [stdout]
    plans
      ~ pro
          ~ price $19.00 → $29.00 (+53 %)  [economic, breaking]

    plan free: version 1 → 1; no subscribers
    plan pro: version 1 → 2; 1 on version 1, who stay there
    1 change; economic: true; breaking: true
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["publish", "--dry-run", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "publish",
      "data": {
        "activeHash": "<hash 1>",
        "irHash": "<hash 2>",
        "unchanged": false,
        "economic": true,
        "breaking": true,
        "changes": [
          {
            "resource": "plans",
            "key": "pro",
            "field": "recurringFeeCents",
            "kind": "changed",
            "before": 1900,
            "after": 2900,
            "economic": true,
            "breaking": true
          }
        ],
        "plans": {
          "free": {
            "activeVersion": 1,
            "nextVersion": 1,
            "subscribers": {}
          },
          "pro": {
            "activeVersion": 1,
            "nextVersion": 2,
            "subscribers": {
              "1": 1
            }
          }
        }
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn a_release_replaces_the_one_before() {
    let shop = Shop::open();
    shop.place.edit(CONFIG, "amount: 1900", "amount: 2900");
    insta::assert_snapshot!(shop.deploy(&["publish"]), @"
    [stdout]
    <hash 1>
    published as <rel 1>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["publish"]), @"
    [stdout]
    <hash 1>
    is active already as <rel 1>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["publish", "--dry-run"]), @"
    [stdout]
    <hash 1>
    is active already; nothing would happen
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["publish", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "publish",
      "data": {
        "releaseId": "<rel 1>",
        "irHash": "<hash 1>",
        "activatedAt": "<moment>",
        "unchanged": true,
        "planVersions": {
          "free": 1,
          "pro": 2
        }
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn a_build_that_was_pushed_before_another_release() {
    let shop = Shop::open();
    let pushed = shop.deploy(&["push", "--format", "json"]).done().json();
    let build = pushed["data"]["buildId"].as_str().unwrap();
    shop.republish("amount: 1900", "amount: 2900");
    let moved = shop.deploy(&["publish", "--build", build]);
    insta::assert_snapshot!(moved, @r#"
    [stderr]
    svc: RELEASE_MOVED: another release was activated since the build; build again, or name the release it may replace (expected "<hash 1>", active is "<hash 2>")
    [exit status: 5]
    "#);
    let active = shop.place.run(&["check"]).done().stdout;
    insta::assert_snapshot!(shop.deploy(&["publish", "--build", build, "--replaces", active.trim()]), @"
    [stdout]
    <hash 1>
    published as <rel 2>
    [exit status: 0]
    ");
}

#[test]
fn a_wrong_product_is_not_released() {
    let shop = Shop::open();
    shop.place.edit(CONFIG, "\"minute\"", "\"minut\"");
    insta::assert_snapshot!(shop.deploy(&["publish"]), @r#"
    [stderr]
    error[UNKNOWN_VALUE]: `plans.free.limits.requests.interval` can't be "minut"; it is one of "second", "minute", "hour", "day", "week" and "month"
     --> product/product.config.ts:7:61
      |
    7 |   @Plan("free", { limits: { requests: { rate: 60, interval: "minut" } } }) free;
      |                                                             ^^^^^^^
      |
      = help: did you mean "minute"?

    error[UNKNOWN_VALUE]: `plans.pro.limits.requests.interval` can't be "minut"; it is one of "second", "minute", "hour", "day", "week" and "month"
      --> product/product.config.ts:10:48
       |
    10 |     limits: { requests: { rate: 600, interval: "minut" } },
       |                                                ^^^^^^^
       |
       = help: did you mean "minute"?

    svc: BUILD_REJECTED: the product is wrong; the diagnostics say where
    [exit status: 1]
    "#);
}

#[test]
fn a_build_that_is_not_there() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.deploy(&["publish", "--build", "bld_none"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such build
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.deploy(&["publish", ".", "--build", "bld_none"]), @"
    [stderr]
    error: the argument '[DIR]' cannot be used with '--build <BUILD>'

    Usage: svc publish --url <URL> --token <TOKEN> --business <BUSINESS> <DIR>

    For more information, try '--help'.
    [exit status: 2]
    ");
}

#[test]
fn a_comparison_tells_what_each_bill_would_be() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.subscribe("bea", "free");
    shop.use_tokens("a", "ada", 3_000_000);
    shop.place.edit(CONFIG, "micros: 7", "micros: 8");
    let compare = |more: &[&str]| shop.deploy(&[&["publish", "--dry-run", "--what-if", "open-period"], more].concat());
    insta::assert_snapshot!(compare(&[]), @"
    [stdout]
    plans
      ~ pro
          ~ meter.tokens $0.000007 → $0.000008 (+14 %)  [economic, breaking]

    plan free: version 1 → 1; 1 on version 1, who stay there
    plan pro: version 1 → 2; 1 on version 1, who stay there
    1 change; economic: true; breaking: true

    what if, on the open period, as far as it is used:
      2 subscribers
      total $26.00 → $27.00, +$1.00 (+3.8 %)
      1 pay more, 1 the same, 0 less
      change of a bill: 5 % at most +$0.00, 50 % at most +$0.00, 95 % at most +$1.00, 100 % at most +$1.00

    METER   IS     WOULD BE  CHANGE
    tokens  $7.00  $8.00     +$1.00

    SUBSCRIBER  PLAN    IS      WOULD BE  CHANGE           BY
    ada         pro v1  $26.00  $27.00    +$1.00 (+3.8 %)  tokens +$1.00
    [exit status: 0]
    ");
    insta::assert_snapshot!(compare(&["--max-increase", "3%"]), @"
    [stdout]
    plans
      ~ pro
          ~ meter.tokens $0.000007 → $0.000008 (+14 %)  [economic, breaking]

    plan free: version 1 → 1; 1 on version 1, who stay there
    plan pro: version 1 → 2; 1 on version 1, who stay there
    1 change; economic: true; breaking: true

    what if, on the open period, as far as it is used:
      2 subscribers
      total $26.00 → $27.00, +$1.00 (+3.8 %)
      1 pay more, 1 the same, 0 less
      change of a bill: 5 % at most +$0.00, 50 % at most +$0.00, 95 % at most +$1.00, 100 % at most +$1.00

    METER   IS     WOULD BE  CHANGE
    tokens  $7.00  $8.00     +$1.00

    SUBSCRIBER  PLAN    IS      WOULD BE  CHANGE           BY
    ada         pro v1  $26.00  $27.00    +$1.00 (+3.8 %)  tokens +$1.00
    [stderr]
    svc: INCREASE_TOO_LARGE: 1 bill would rise by more than 3 %
      hint: ada's from $26.00 to $27.00
    [exit status: 5]
    ");
    let _within = compare(&["--max-increase", "4%", "--html", "what-if.html"]).done();
    let page = shop.place.read("what-if.html");
    assert!(page.contains("<svg") && page.contains("tokens +$1.00"), "{page}");
}

#[test]
fn a_release_that_raises_a_bill_too_far_is_refused() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.use_tokens("a", "ada", 3_000_000);
    shop.place.edit(CONFIG, "micros: 7", "micros: 14");
    let arguments = ["publish", "--what-if", "open-period", "--max-increase", "10%"];
    insta::assert_snapshot!(shop.deploy(&arguments), @"
    [stderr]
    svc: INCREASE_TOO_LARGE: 1 bill would rise by more than allowed; a dry run shows whose
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.deploy(&["publish", "--max-increase", "ten"]), @r#"
    [stderr]
    svc: MAX_INCREASE_FORM: maxIncrease is a share such as "10%", with at most two digits behind the point
    [exit status: 1]
    "#);
    insta::assert_snapshot!(shop.deploy(&["publish", "--what-if"]), @"
    [stderr]
    svc: WHAT_IF_UNUSED: --what-if is for --dry-run, or to hold a release to --max-increase
    [exit status: 2]
    ");
    shop.place.edit(CONFIG, "micros: 14, per: 3", "micros: 15, per: 6");
    insta::assert_snapshot!(shop.deploy(&arguments), @"
    [stdout]
    <hash 1>
    published as <rel 1>
    [exit status: 0]
    ");
}

/// The story of `docs/what-if.md`.
#[test]
fn raising_a_price_without_losing_a_customer() {
    let shop = Shop::open();
    shop.subscribe("bea", "pro");
    shop.subscribe("cy", "pro");
    shop.use_tokens("a", "bea", 3_000_000);
    shop.use_tokens("a", "cy", 300_000);
    let compared = |told: &super::Told| told.stdout.split_once("SUBSCRIBER").unwrap().1.trim().to_owned();
    shop.place.edit(CONFIG, "micros: 7", "micros: 8");
    let dry_run = ["publish", "--dry-run", "--what-if", "open-period"];
    insta::assert_snapshot!(compared(&shop.deploy(&dry_run).done()), @"
    PLAN    IS      WOULD BE  CHANGE           BY
    bea         pro v1  $26.00  $27.00    +$1.00 (+3.8 %)  tokens +$1.00
    cy          pro v1  $19.70  $19.80    +$0.10 (+0.5 %)  tokens +$0.10
    ");
    let guarded = ["publish", "--what-if", "open-period", "--max-increase", "2%"];
    insta::assert_snapshot!(shop.deploy(&guarded), @"
    [stderr]
    svc: INCREASE_TOO_LARGE: 1 bill would rise by more than allowed; a dry run shows whose
    [exit status: 5]
    ");
    let tiers = "meters: [{ meter: \"tokens\", kind: \"graduated\", tiers: [{ upTo: 1_000_000, micros: 8, per: 3 }, { upTo: null, micros: 7, per: 3 }] }]";
    shop.place.edit(CONFIG, "meter: { tokens: { micros: 8, per: 3 } }", tiers);
    insta::assert_snapshot!(compared(&shop.deploy(&dry_run).done()), @"
    PLAN    IS      WOULD BE  CHANGE           BY
    bea         pro v1  $26.00  $26.33    +$0.33 (+1.2 %)  tokens +$0.333333333
    cy          pro v1  $19.70  $19.80    +$0.10 (+0.5 %)  tokens +$0.10
    ");
    let _published = shop.deploy(&guarded).done();
    let page = std::fs::read_to_string(svc_tests::program::root().join("docs/what-if.md")).unwrap();
    assert!(page.contains(tiers), "the page shows other tiers");
}
