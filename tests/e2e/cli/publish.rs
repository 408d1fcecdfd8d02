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
