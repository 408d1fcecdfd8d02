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
          ~ limits[requests].rate: 600 → 300  [breaking]
          ~ recurringFeeCents: 1900 → 2900  [economic, breaking]
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
      + free  [economic]
    frontend
      + (frontend)
    [exit status: 0]
    ");
    place.write(&format!("old/{CONFIG}"), &tiny);
    insta::assert_snapshot!(place.run(&["diff", "--against", "old"]), @"
    [stdout]
    plans
      ~ free
          ~ limits[requests].rate: 90 → 60  [breaking]
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
      "diagnostics": []
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
          ~ recurringFeeCents: 1900 → 2900  [economic, breaking]
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.place.run(&["diff", "--against", "release"]), @"
    [stderr]
    svc: TOKEN_MISSING: this needs a token
      hint: give --token, or set SVC_TOKEN
    [exit status: 2]
    ");
}
