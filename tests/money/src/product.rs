//! Products as manifests, made without a build: for tests of what comes after it.

use serde_json::{Value as Json, json};
use svc_engine::manifest::{Manifest, canonical};
use svc_store::records::BuildResult;

/// A meter of this aggregation.
pub fn meter(key: &str, aggregation: &str) -> Json {
    json!({ "key": key, "display": key, "aggregation": aggregation, "managed": false })
}

/// A linear price: `micros` per `per` units past the included ones.
pub fn linear(meter: &str, micros: u64, per: u64, included: u64) -> Json {
    json!({ "meter": meter, "kind": "linear", "micros": micros, "per": per, "includedUnits": included })
}

/// A monthly plan of this fee and these prices, with whatever `more` says otherwise.
pub fn plan(key: &str, fee_cents: u64, prices: &[Json], more: Json) -> Json {
    let mut plan = json!({
        "key": key,
        "name": key,
        "capabilities": [],
        "capabilityLimits": {},
        "currency": "usd",
        "featureGates": {},
        "grants": [],
        "interval": "month",
        "legacy": false,
        "limits": [{ "dimension": "requests", "enforcement": "enforce", "interval": "minute", "rate": 60 }],
        "meters": prices,
        "overageBehavior": "allow_and_bill",
        "raw": {},
        "recurringFeeCents": fee_cents,
        "selfServeEnabled": true,
        "spendPolicy": { "disclosure": "transparent" },
        "trialDays": 0,
    });
    for (name, value) in more.as_object().unwrap() {
        plan[name] = value.clone();
    }
    plan
}

/// A grant of credit.
pub fn credit(kind: &str, cents: u64, recurs: bool) -> Json {
    json!({ "type": "credit", "kind": kind, "amountCents": cents, "recurs": recurs })
}

/// A product of these meters and plans, as a build that succeeded. Its one route, `POST /v1/use`, costs one unit of the first
/// meter; every meter is reported at `POST /v1/report`.
pub fn build(meters: &[Json], plans: &[Json]) -> BuildResult {
    build_with(meters, plans, |_| {})
}

/// As [`build`], with something changed in the IR.
pub fn build_with(meters: &[Json], plans: &[Json], change: impl FnOnce(&mut Json)) -> BuildResult {
    let mut meters = meters.to_vec();
    meters.sort_by_key(|meter| meter["key"].as_str().unwrap().to_owned());
    let mut plans = plans.to_vec();
    plans.sort_by_key(|plan| plan["key"].as_str().unwrap().to_owned());
    let route = |path: &str, costs: Json, reports: Json, estimates: Json| {
        json!({
            "costs": costs, "estimates": estimates, "feature": "all", "metered": true, "method": "POST", "path": path,
            "reports": reports, "statusCodes": [{ "from": 200, "to": 299 }],
        })
    };
    let first = meters[0]["key"].as_str().unwrap().to_owned();
    let but = |unlike: &'static str| {
        let fits = move |meter: &&Json| {
            ![json!("unique"), json!(unlike)].contains(&meter["aggregation"]) && meter["resource"].is_null()
        };
        let all = meters.iter().filter(fits);
        all.map(|meter| meter["key"].as_str().unwrap())
    };
    let all: Vec<&str> = but("").collect();
    let estimates: serde_json::Map<String, Json> =
        but("time_weighted").map(|key| (key.to_owned(), json!(10))).collect();
    let plan_keys: Vec<&Json> = plans.iter().map(|plan| &plan["key"]).collect();
    let mut manifest = json!({
        "irVersion": 1,
        "sdkVersion": "0.1.0",
        "product": { "name": "Test", "origin": "https://api.example.com", "billOn4xx": false },
        "backends": [], "capabilities": [], "entitlements": [], "policies": [], "resources": [], "surfaces": [], "workflows": [],
        "features": [{ "key": "all", "actions": [], "plans": plan_keys, "policies": [] }],
        "frontend": { "nav": [], "pages": [] },
        "meters": meters,
        "plans": plans,
        "raw": {},
        "routes": [
            route("/v1/use", json!({ first.as_str(): 1 }), json!([]), json!({})),
            route("/v1/report", json!({}), json!(all), json!(estimates)),
        ],
    });
    change(&mut manifest);
    let manifest: Manifest = serde_json::from_value(manifest).unwrap();
    let bytes = canonical::bytes(&manifest).unwrap();
    BuildResult {
        ir_hash: Some(canonical::hash_bytes(&bytes)),
        ir: Some(String::from_utf8(bytes).unwrap()),
        diagnostics: "[]".to_owned(),
        failure: None,
    }
}
