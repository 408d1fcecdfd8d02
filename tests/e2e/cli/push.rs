//! `svc push`: a build at the service.

use super::{CONFIG, Shop};

#[test]
fn what_is_pushed_is_built_there() {
    let shop = Shop::open();
    let pushed = shop.deploy(&["push"]);
    insta::assert_snapshot!(pushed, @"
    [stdout]
    <hash 1>
    built as <bld 1>
    [exit status: 0]
    ");
    let here = shop.place.run(&["check"]).done();
    assert_eq!(pushed.stdout.lines().next(), here.stdout.lines().next(), "the same hash as on this machine");
    insta::assert_snapshot!(shop.deploy(&["push", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "push",
      "data": {
        "buildId": "<bld 2>",
        "irHash": "<hash 1>",
        "diagnostics": []
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn a_wrong_product_is_shown_at_its_lines() {
    let shop = Shop::open();
    shop.place.edit(CONFIG, "rate: 60,", "rate: \"sixty\",");
    insta::assert_snapshot!(shop.deploy(&["push"]), @r#"
    [stderr]
    error[WRONG_TYPE]: `plans.free.limits.requests.rate` takes a non-negative number, not the string "sixty"
     --> product/product.config.ts:7:47
      |
    7 |   @Plan("free", { limits: { requests: { rate: "sixty", interval: "minute" } } }) free;
      |                                               ^^^^^^^

    svc: BUILD_REJECTED: the product is wrong; the diagnostics say where
    [exit status: 1]
    "#);
    insta::assert_snapshot!(shop.deploy(&["push", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "push",
      "error": {
        "code": "BUILD_REJECTED",
        "message": "the product is wrong; the diagnostics say where",
        "hint": null
      },
      "diagnostics": [
        {
          "code": "WRONG_TYPE",
          "severity": "error",
          "message": "`plans.free.limits.requests.rate` takes a non-negative number, not the string \"sixty\"",
          "path": "plans.free.limits.requests.rate",
          "file": "product/product.config.ts",
          "line": 7,
          "column": 47,
          "endLine": 7,
          "endColumn": 54
        }
      ]
    }
    [exit status: 1]
    "#);
}

#[test]
fn a_build_that_is_stopped_there() {
    let shop = Shop::open();
    shop.place.edit(CONFIG, "@Product", "while (true) {}\n@Product");
    insta::assert_snapshot!(shop.deploy(&["push"]), @"
    [stderr]
    svc: BUILD_TIMEOUT: the product did not finish within 2000 ms of processor time
    [exit status: 3]
    ");
}

#[test]
fn no_product() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.deploy(&["push", "nowhere"]), @"
    [stderr]
    svc: PRODUCT_NOT_FOUND: nowhere has no folder `product`
      hint: give the folder that holds `product/product.config.ts`
    [exit status: 4]
    ");
}
