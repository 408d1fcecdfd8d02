//! Rules about what a product charges: said at the value, once, and in the IR alone where a release is accepted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(missing_docs, reason = "tests")]

use serde_json::{Value as Json, json};
use svc_engine::diagnostic::Diagnostic;
use svc_engine::manifest::{Finalized, Manifest, finalize};
use svc_engine::registry::Registry;
use svc_engine::rules::semantics;

fn judge(declarations: &[Json]) -> Finalized {
    let product =
        json!({ "decorator": "Product", "member": null, "args": [{ "name": "p", "origin": "https://a.example" }] });
    let declarations: Vec<&Json> = [&product].into_iter().chain(declarations).collect();
    let registry = json!({
        "registryVersion": 1, "sdkVersion": "0.1.0", "className": "P", "products": 1, "declarations": declarations, "misuses": [],
    });
    finalize(&Registry::parse(&registry.to_string()).unwrap(), &[])
}

fn declare(decorator: &str, key: &str, options: Json) -> Json {
    json!({ "decorator": decorator, "member": key, "args": [key, options] })
}

fn plan(key: &str, options: Json) -> Json {
    let mut whole = json!({ "limits": { "requests": { "rate": 1, "interval": "day" } } });
    whole.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    declare("Plan", key, whole)
}

/// A feature of the plan `p` with one route.
fn route(options: Json) -> Json {
    declare("Feature", "f", json!({ "plans": ["p"], "routes": { "POST /x": options } }))
}

fn meter(options: Json) -> Json {
    declare("Meter", "m", options)
}

fn found(declarations: &[Json]) -> Vec<String> {
    let line = |diagnostic: Diagnostic| format!("{} {}", diagnostic.code, diagnostic.path);
    judge(declarations).diagnostics.into_iter().map(line).collect()
}

#[test]
fn a_fixed_cost_of_a_counting_meter_is_one() {
    let cost = |meter: Json, route: Json| found(&[meter, route, plan("p", json!({}))]);
    let count = || meter(json!({ "aggregation": "count" }));
    assert_eq!(cost(count(), self::route(json!({ "cost": { "m": 1 } }))), [""; 0]);
    for units in [json!(0), json!(2), json!(0.5)] {
        let found = cost(count(), self::route(json!({ "cost": { "m": units } })));
        assert_eq!(found, ["COUNT_METER_COST features.f.routes.POST /x.cost.m"]);
    }
    for aggregation in ["sum", "max", "last"] {
        assert_eq!(
            cost(meter(json!({ "aggregation": aggregation })), self::route(json!({ "cost": { "m": 2 } }))),
            [""; 0]
        );
    }
    // A default is said once, and at the meter; what a route adds to it, at the route.
    let default = |units: u32| meter(json!({ "aggregation": "count", "routeDefault": units }));
    assert_eq!(cost(default(1), self::route(json!({}))), [""; 0]);
    assert_eq!(cost(default(3), self::route(json!({}))), ["COUNT_METER_COST meters.m.routeDefault"]);
    let added = cost(default(1), self::route(json!({ "cost": { "m": 1 } })));
    assert_eq!(added, ["COUNT_METER_COST features.f.routes.POST /x.cost.m"]);
    let unmetered = cost(count(), self::route(json!({ "unmetered": true, "cost": { "m": 9 } })));
    assert_eq!(unmetered, [""; 0]);
    let requests = json!({ "decorator": "Requests", "member": "requests", "args": [] });
    let batch = cost(requests, self::route(json!({ "cost": { "requests": 4 } })));
    assert_eq!(batch, ["COUNT_METER_COST features.f.routes.POST /x.cost.requests"]);
}

#[test]
fn a_meter_of_distinct_keys_is_bound_to_no_route() {
    let bound = |route: Json| {
        found(&[
            meter(json!({ "aggregation": "unique" })),
            route,
            plan("p", json!({ "meter": { "m": { "micros": 1 } } })),
        ])
    };
    let reported = ["UNIQUE_METER_ON_ROUTE features.f.routes.POST /x.reports.m"];
    assert_eq!(bound(route(json!({ "reports": ["m"] }))), reported);
    assert_eq!(bound(route(json!({ "report": "m" }))), reported);
    assert_eq!(bound(route(json!({ "cost": { "m": 1 } }))), ["UNIQUE_METER_ON_ROUTE features.f.routes.POST /x.cost.m"]);
    assert_eq!(bound(route(json!({}))), [""; 0], "it is priced, and fed by measured values");
    assert_eq!(bound(route(json!({ "unmetered": true, "reports": ["m"] }))), [""; 0]);
}

#[test]
fn one_backend_is_the_default() {
    let backend = |key: &str, default: bool| declare("Backend", key, json!({ "default": default }));
    assert_eq!(found(&[backend("a", true), backend("b", false), plan("p", json!({}))]), [""; 0]);
    let twice = found(&[backend("a", true), backend("b", true), backend("c", true), plan("p", json!({}))]);
    assert_eq!(twice, ["DEFAULT_BACKEND_TWICE backends.b.default", "DEFAULT_BACKEND_TWICE backends.c.default"]);
}

#[test]
fn a_plan_has_one_pack_of_a_sku() {
    let pack = |sku: &str| json!({ "type": "topUp", "sku": sku, "label": "l", "priceCents": 1, "creditCents": 1 });
    let two = plan("p", json!({ "grants": [pack("a"), "welcome", pack("b"), pack("a")] }));
    assert_eq!(found(&[two]), ["DUPLICATE_SKU plans.p.grants[3].sku"]);
    // What is broken before it does not move the place.
    let broken = plan("p", json!({ "grants": [pack("a"), { "type": "topUp" }, pack("a")] }));
    assert!(found(&[broken]).contains(&"DUPLICATE_SKU plans.p.grants[2].sku".to_owned()));
    let apart = [plan("p", json!({ "grants": [pack("a")] })), plan("q", json!({ "grants": [pack("a")] }))];
    assert_eq!(found(&apart), [""; 0]);
    // An IR that comes alone is held to it too.
    let mut alone =
        serde_json::to_value(judge(&[plan("p", json!({ "grants": [pack("a")] }))]).manifest.unwrap()).unwrap();
    let grants = alone["plans"][0]["grants"].as_array_mut().unwrap();
    grants.push(grants[0].clone());
    let alone: Manifest = serde_json::from_value(alone).unwrap();
    let broken: Vec<String> = semantics::check(&alone).iter().map(|f| format!("{} {}", f.code, f.path)).collect();
    assert_eq!(broken, ["DUPLICATE_SKU plans.p.grants[1].sku"]);
}

#[test]
fn a_price_that_falls_is_told_with_the_two_quantities() {
    let tiers = |aggregation: &str, tiers: Json| {
        let prices = json!({ "meters": [{ "meter": "m", "kind": "volume", "tiers": tiers }] });
        let finalized = judge(&[
            meter(json!({ "aggregation": aggregation })),
            route(json!({ "reports": ["m"] })),
            plan("p", prices),
        ]);
        assert!(finalized.manifest.is_some(), "{:#?}", finalized.diagnostics);
        finalized.diagnostics.into_iter().map(|found| format!("{} {}", found.path, found.message)).collect::<Vec<_>>()
    };
    let two = |micros: u32, per: u32| json!([{ "upTo": 10, "micros": 100, "per": 10 }, { "upTo": null, "micros": micros, "per": per }]);
    let at = "plans.p.meter.m.tiers[1].micros in the plan \"p\"";
    assert_eq!(tiers("sum", two(50, 10)), [format!("{at} 10 units of the meter \"m\" cost more than 11")]);
    assert_eq!(tiers("sum", two(99, 10)), [format!("{at} 10 units of the meter \"m\" cost more than 10.000000001")]);
    for (micros, per) in [(10, 1), (100, 10), (101, 10)] {
        assert_eq!(tiers("sum", two(micros, per)), [""; 0], "{micros} per {per}");
    }
    assert_eq!(tiers("count", two(99, 10)), [""; 0], "reports come whole");
    assert_eq!(tiers("count", two(50, 10)).len(), 1);
    let later = json!([{ "upTo": 10, "micros": 1 }, { "upTo": 20, "micros": 2 }, { "upTo": null, "micros": 1 }]);
    assert_eq!(
        tiers("max", later),
        ["plans.p.meter.m.tiers[2].micros in the plan \"p\" 20 units of the meter \"m\" cost more than 21"]
    );
    let huge = json!([{ "upTo": 9_007_199_254_740_991_u64, "micros": 9_007_199_254_740_991_u64 }, { "upTo": null, "micros": 0 }]);
    assert_eq!(tiers("sum", huge).len(), 1);
}

#[test]
fn a_plan_that_is_open_and_closed_is_told() {
    let of = |options: Json| found(&[plan("p", options)]);
    assert_eq!(of(json!({ "legacy": true })), ["PLAN_UNSUBSCRIBABLE plans.p.legacy"]);
    assert_eq!(of(json!({ "archive": true })), ["PLAN_UNSUBSCRIBABLE plans.p.archive"]);
    assert_eq!(of(json!({ "archive": {}, "selfServeEnabled": true })), ["PLAN_UNSUBSCRIBABLE plans.p.archive"]);
    for meant in [
        json!({}),
        json!({ "selfServeEnabled": false }),
        json!({ "legacy": true, "archive": true, "selfServeEnabled": false }),
    ] {
        assert_eq!(of(meant), [""; 0]);
    }
}

#[test]
fn included_units_need_a_route_of_the_plan() {
    let included = json!({ "meter": { "m": { "micros": 1, "includedUnits": 5 } } });
    let with = |more: Json| {
        let mut options = included.clone();
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        plan("q", options)
    };
    let capabilities = [
        declare("Capability", "inner", json!({ "includesFeatures": ["f"] })),
        declare("Capability", "outer", json!({ "includesCapabilities": ["inner"] })),
    ];
    let of = |plan: Json, others: &[Json]| {
        let used = [
            meter(json!({})),
            route(json!({ "reports": ["m"] })),
            self::plan("p", json!({ "capabilities": ["outer"] })),
            plan,
        ];
        found(&[&used[..], &capabilities, others].concat())
    };
    let unusable = ["INCLUDED_UNITS_UNUSABLE plans.q.meter.m.includedUnits"];
    assert_eq!(of(with(json!({})), &[]), unusable);
    assert_eq!(of(with(json!({ "capabilities": ["outer"], "featureGates": { "f": false } })), &[]), unusable);
    for usable in [json!({ "capabilities": ["outer"] }), json!({ "featureGates": { "f": true } })] {
        assert_eq!(of(with(usable), &[]), [""; 0]);
    }
    let workflow = declare("Workflow", "w", json!({ "meters": ["m"] }));
    assert_eq!(of(with(json!({})), &[workflow]), [""; 0], "a workflow uses it for whoever has it");
    let free = plan("q", json!({ "meter": { "m": { "micros": 1 } } }));
    assert_eq!(of(free, &[]), [""; 0], "without included units the price is no promise");
}

/// A thousand plans that each reach ten thousand features over as many capabilities: looked at for a while, then no more.
#[test]
fn plans_that_reach_without_end_are_looked_at_for_a_bounded_while() {
    let chain = (0..4_000)
        .map(|n| declare("Capability", &format!("c{n}"), json!({ "includesCapabilities": [format!("c{}", n + 1)] })));
    let last = declare("Capability", "c4000", json!({}));
    let plans = (0..999).map(|n| {
        let options = json!({ "capabilities": ["c0"], "meter": { "m": { "micros": 1, "includedUnits": 5 } } });
        plan(&format!("q{n}"), options)
    });
    let rest = [meter(json!({})), route(json!({ "reports": ["m"] })), plan("p", json!({})), last];
    let found = found(&rest.into_iter().chain(chain).chain(plans).collect::<Vec<_>>());
    assert!((200..=260).contains(&found.len()), "4,001 steps a plan, a million in all: {}", found.len());
    assert!(found.iter().all(|line| line.starts_with("INCLUDED_UNITS_UNUSABLE")));
}
