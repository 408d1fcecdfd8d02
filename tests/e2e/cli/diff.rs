//! `svc diff`: what changed, by resource, and what of it touches money or takes away.

use super::{CONFIG, Place, Shop, tiny};
use serde_json::Value as Json;

/// The product that `svc init` writes, built; then with another price, a smaller limit and another route.
fn changed() -> Place {
    let place = Place::new();
    place.run(&["init"]).done();
    place.run(&["build"]).done();
    place.edit(CONFIG, "amount: 1900", "amount: 2900");
    place.edit(CONFIG, "rate: 600", "rate: 300");
    place.edit(CONFIG, "\"GET /v1/jobs/{id}\": {},", "\"PUT /v1/jobs/{id}\": {},");
    place
}

#[test]
fn against_the_own_build() {
    let place = changed();
    insta::assert_snapshot!(place.run(&["diff"]), @"
    [stdout]
    routes
      - GET /v1/jobs/{id}  [economic, breaking]
      + PUT /v1/jobs/{id}  [economic]
    plans
      ~ pro
          ~ limits.requests.rate 600 → 300 (−50 %)  [breaking]
          ~ price $19.00 → $29.00/month (+53 %)  [economic, breaking]
    [exit status: 0]
    ");
    let asked = place.run(&["diff", "--exit-code"]);
    assert_eq!(asked.code, Some(1), "a difference is a failure where that was asked for");
    place.run(&["build"]).done();
    insta::assert_snapshot!(place.run(&["diff", "--exit-code"]), @"
    [stdout]
    nothing changed
    [exit status: 0]
    ");
}

#[test]
fn the_envelope() {
    let told = changed().run(&["diff", "--format", "json"]);
    insta::assert_snapshot!(told, @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "diff",
      "data": {
        "against": "./product-build.json",
        "changes": [
          {
            "resource": "routes",
            "key": "GET /v1/jobs/{id}",
            "field": "",
            "kind": "removed",
            "before": {
              "costs": {
                "requests": 1
              },
              "estimates": {},
              "feature": "jobs",
              "metered": true,
              "method": "GET",
              "path": "/v1/jobs/{id}",
              "reports": [],
              "statusCodes": [
                {
                  "from": 200,
                  "to": 299
                }
              ]
            },
            "economic": true,
            "breaking": true
          },
          {
            "resource": "routes",
            "key": "PUT /v1/jobs/{id}",
            "field": "",
            "kind": "added",
            "after": {
              "costs": {
                "requests": 1
              },
              "estimates": {},
              "feature": "jobs",
              "metered": true,
              "method": "PUT",
              "path": "/v1/jobs/{id}",
              "reports": [],
              "statusCodes": [
                {
                  "from": 200,
                  "to": 299
                }
              ]
            },
            "economic": true,
            "breaking": false
          },
          {
            "resource": "plans",
            "key": "pro",
            "field": "limits[requests].rate",
            "kind": "changed",
            "before": 600,
            "after": 300,
            "economic": false,
            "breaking": true
          },
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
        "economic": 3,
        "breaking": 3
      }
    }
    [exit status: 0]
    "#);
    let json = told.json();
    let of = |resource: &str, key: &str, field: &str| {
        let is_it = |c: &&Json| c["resource"] == resource && c["key"] == key && c["field"] == field;
        json["data"]["changes"].as_array().unwrap().iter().find(is_it).unwrap()
    };
    let price = of("plans", "pro", "recurringFeeCents");
    assert_eq!(
        (&price["before"], &price["after"], &price["economic"], &price["breaking"]),
        (&1900.into(), &2900.into(), &true.into(), &true.into())
    );
    assert_eq!(of("plans", "pro", "limits[requests].rate")["breaking"], true);
    let kinds = ["GET", "PUT"].map(|method| &of("routes", &format!("{method} /v1/jobs/{{id}}"), "")["kind"]);
    assert_eq!(kinds, ["removed", "added"]);
}

#[test]
fn against_a_folder_a_file_and_nothing() {
    let (place, tiny) = (Place::with(&tiny("")), tiny("").replace("60", "90"));
    insta::assert_snapshot!(place.run(&["diff"]), @"
    [stdout]
    product
      + (product)
    plans
      + free: free  [economic]
    frontend
      + (frontend)
    [exit status: 0]
    ");
    place.write(&format!("old/{CONFIG}"), &tiny);
    insta::assert_snapshot!(place.run(&["diff", "--against", "old"]), @"
    [stdout]
    plans
      ~ free
          ~ limits.requests.rate 90 → 60 (−33 %)  [breaking]
    [exit status: 0]
    ");
    place.run(&["build", "old"]).done();
    let by_file = place.run(&["diff", "--against", "old/product-build.json"]);
    assert_eq!(by_file.stdout, place.run(&["diff", "--against", "old"]).stdout);
    let build: Json = serde_json::from_str(&place.read("old/product-build.json")).unwrap();
    place.write("ir.json", build["ir"].to_string());
    assert_eq!(place.run(&["diff", "--against", "ir.json"]).stdout, by_file.stdout);
    let nothing = place.run(&["diff", "--format", "json"]).json();
    assert!(nothing["data"]["changes"].as_array().unwrap().iter().all(|change| change["kind"] == "added"));
}

#[test]
fn against_what_is_not_there_or_is_no_build() {
    let place = Place::with(&tiny(""));
    insta::assert_snapshot!(place.run(&["diff", "--against", "nowhere.json"]), @"
    [stderr]
    svc: FILE_UNREADABLE: nowhere.json: No such file or directory (os error 2)
    [exit status: 4]
    ");
    place.write("broken.json", "{");
    insta::assert_snapshot!(place.run(&["diff", "--against", "broken.json"]), @"
    [stderr]
    svc: FILE_UNREADABLE: broken.json: EOF while parsing an object at line 1 column 1
    [exit status: 4]
    ");
    place.write("other.json", "{}");
    insta::assert_snapshot!(place.run(&["diff", "--against", "other.json"]), @"
    [stderr]
    svc: FILE_UNREADABLE: other.json: it holds no Manifest IR: missing field `irVersion`
    [exit status: 4]
    ");
}

#[test]
fn of_a_wrong_product() {
    let place = Place::with(&tiny("").replace("minute", "minut"));
    insta::assert_snapshot!(place.run(&["diff"]), @r#"
    [stderr]
    error[UNKNOWN_VALUE]: `plans.free.limits.requests.interval` can't be "minut"; it is one of "second", "minute", "hour", "day", "week" and "month"
     --> product/product.config.ts:5:61
      |
    5 |   @Plan("free", { limits: { requests: { rate: 60, interval: "minut" } } }) free;
      |                                                             ^^^^^^^
      |
      = help: did you mean "minute"?

    svc: BUILD_REJECTED: .: 1 error
    [exit status: 1]
    "#);
    insta::assert_snapshot!(place.run(&["diff", "nowhere"]), @"
    [stderr]
    svc: PRODUCT_NOT_FOUND: nowhere has no folder `product`
      hint: give the folder that holds `product/product.config.ts`
    [exit status: 4]
    ");
    insta::assert_snapshot!(place.run(&["diff", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "diff",
      "error": {
        "code": "BUILD_REJECTED",
        "message": ".: 1 error",
        "hint": null
      },
      "diagnostics": [
        {
          "code": "UNKNOWN_VALUE",
          "severity": "error",
          "message": "`plans.free.limits.requests.interval` can't be \"minut\"; it is one of \"second\", \"minute\", \"hour\", \"day\", \"week\" and \"month\"",
          "hint": "did you mean \"minute\"?",
          "path": "plans.free.limits.requests.interval",
          "file": "product/product.config.ts",
          "line": 5,
          "column": 61,
          "endLine": 5,
          "endColumn": 68
        }
      ]
    }
    [exit status: 1]
    "#);
}

#[test]
fn against_the_active_release() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.deploy(&["diff", "--against", "release"]), @"
    [stdout]
    nothing changed
    [exit status: 0]
    ");
    shop.place.edit(CONFIG, "amount: 1900", "amount: 2900");
    insta::assert_snapshot!(shop.deploy(&["diff", "--against", "release"]), @"
    [stdout]
    plans
      ~ pro
          ~ price $19.00 → $29.00/month (+53 %)  [economic, breaking]
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.place.run(&["diff", "--against", "release"]), @"
    [stderr]
    svc: TOKEN_MISSING: this needs a token
      hint: give --token, set SVC_TOKEN, or keep one with svc login
    [exit status: 2]
    ");
}

/// What is told stands for a change each: with `-v` the same lines have the names of the IR.
#[test]
fn in_the_authors_words_and_in_the_names_of_the_ir() {
    let place = Place::with(
        r#"import { Capability, Feature, Meter, Plan, Product, Requests, capabilityGrant, creditGrant, topUp } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Shop {
  @Requests() requests;
  @Meter("tokens", { unit: "token" }) tokens;
  @Meter("bytes") bytes;
  @Feature("jobs", { plans: ["pro"], routes: { "POST /v1/jobs": { reports: "tokens", cost: { bytes: 10 } } } }) jobs;
  @Plan("old", { limits: { requests: { rate: 1, interval: "minute" } } }) old;
  @Plan("pro", {
    price: { amount: 1900, currency: "usd", interval: "month" },
    limits: { requests: { rate: 600, interval: "minute" }, bytes: { rate: 5, interval: "day" } },
    meter: { tokens: { micros: 15, per: 1000, includedUnits: 500 }, bytes: { micros: 2_000_000 } },
    grants: [creditGrant({ amountCents: 500, kind: "promo" }), topUp({ sku: "ten", label: "Ten", priceCents: 1000, creditCents: 1000 })],
    trialDays: 14,
    maxMonthlySpendCents: 100_000,
  }) pro;
}
"#,
    );
    place.run(&["build"]).done();
    place.edit(CONFIG, "amount: 1900", "amount: 0");
    place.edit(CONFIG, "micros: 15, per: 1000, includedUnits: 500", "micros: 15_000, per: 1_000_000");
    place.edit(CONFIG, "micros: 2_000_000", "micros: 3_000_000");
    place.edit(
        CONFIG,
        ", bytes: { rate: 5, interval: \"day\" }",
        ", tokens: { rate: 2.5, interval: \"hour\", enforcement: \"track\" }",
    );
    place.edit(CONFIG, "priceCents: 1000", "priceCents: 999");
    place.edit(CONFIG, "amountCents: 500", "amountCents: 505");
    place.edit(
        CONFIG,
        "trialDays: 14,\n    maxMonthlySpendCents: 100_000",
        "trialDays: 7,\n    maxMonthlySpendCents: 50_000",
    );
    place.edit(CONFIG, "cost: { bytes: 10 }", "cost: { bytes: 10.5 }");
    place.edit(
        CONFIG,
        "@Plan(\"old\", {",
        "@Plan(\"new\", { price: { amount: 4900, currency: \"usd\", interval: \"year\" },",
    );
    insta::assert_snapshot!(place.run(&["diff"]), @"
    [stdout]
    routes
      ~ POST /v1/jobs
          ~ cost.bytes 10 → 10.5 (+5 %)  [economic, breaking]
    plans
      - old: free  [economic, breaking]
      ~ pro
          ~ grants[0].amountCents $5.00 → $5.05 (+1 %)  [economic]
          ~ grants[ten].priceCents $10.00 → $9.99 (−<1 %)  [economic]
          - limits.bytes 5 bytes/day
          + limits.tokens 2.5 tokens/hour (only counted)  [breaking]
          ~ maxMonthlySpendCents $1,000.00 → $500.00 (−50 %)  [economic, breaking]
          ~ meter.tokens.includedUnits 500 → 0 (−100 %)  [economic, breaking]
          ~ meter.tokens $0.000015 per 1,000 token → $0.015 per 1,000,000 token  [economic, breaking]
          ~ meter.tokens.per 1,000 → 1,000,000 (+99,900 %)  [economic]
          ~ meter.bytes $2.00 → $3.00 per unit (+50 %)  [economic, breaking]
          ~ price $19.00 → free (−100 %)  [economic]
          ~ trialDays 14 → 7 (−50 %)  [economic, breaking]
      + new: $49.00/year  [economic]
    [exit status: 0]
    ");
    insta::assert_snapshot!(place.run(&["diff", "-v"]), @r#"
    [stdout]
    routes
      ~ POST /v1/jobs
          ~ costs.bytes: 10 → "10.5"  [economic, breaking]
    plans
      - old  [economic, breaking]
      ~ pro
          ~ grants[0].amountCents: 500 → 505  [economic]
          ~ grants[ten].priceCents: 1000 → 999  [economic]
          - limits[bytes]: {"dimension":"bytes","enforcement":"enforce","interval":"day…
          + limits[tokens]: {"dimension":"tokens","enforcement":"track","interval":"hour…  [breaking]
          ~ maxMonthlySpendCents: 100000 → 50000  [economic, breaking]
          ~ meters[tokens].includedUnits: 500 → 0  [economic, breaking]
          ~ meters[tokens].micros: 15 → 15000  [economic, breaking]
          ~ meters[tokens].per: 1000 → 1000000  [economic]
          ~ meters[bytes].micros: 2000000 → 3000000  [economic, breaking]
          ~ recurringFeeCents: 1900 → 0  [economic]
          ~ trialDays: 14 → 7  [economic, breaking]
      + new  [economic]
    [exit status: 0]
    "#);
}

#[test]
fn a_move_is_told_by_places() {
    let routes = |all: &str| {
        let feature = format!("@Feature(\"jobs\", {{ plans: [\"free\"], routes: {{ {all} }} }}) jobs;");
        let text = tiny("").replace("Plan, Product", "Feature, Plan, Product");
        text.replace("@Plan", &format!("{feature}\n  @Plan"))
    };
    let place = Place::with(&routes("\"GET /a\": {}, \"GET /b\": {}, \"GET /c\": {}"));
    place.run(&["build"]).done();
    place.write(CONFIG, routes("\"GET /c\": {}, \"GET /a\": {}, \"GET /b\": {}"));
    insta::assert_snapshot!(place.run(&["diff"]), @"
    [stdout]
    routes
      ↕ GET /c, from place 3 to place 1  [economic, breaking]
    [exit status: 0]
    ");
}
