//! The diff of two manifests: nothing exactly when their hashes are equal, order as a change, and what each change means.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(missing_docs, reason = "tests")]

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use svc_engine::manifest::diff::{Change, ChangeKind, diff};
use svc_engine::manifest::effects::{Breaks, EFFECTS};
use svc_engine::manifest::{Manifest, canonical};

/// A manifest with one of everything.
fn base() -> Json {
    let limits = json!([{ "dimension": "requests", "rate": 60, "interval": "minute", "enforcement": "track" }]);
    json!({
        "irVersion": 1,
        "sdkVersion": "0.1.0",
        "product": { "name": "p", "origin": "https://a.example", "billOn4xx": false },
        "surfaces": [{ "name": "web", "type": "frontend" }],
        "meters": [{ "key": "m", "display": "M", "aggregation": "sum", "managed": false }],
        "resources": [{ "name": "r", "display": "R", "countSource": "action_inferred" }],
        "capabilities": [{ "key": "c", "includesFeatures": [], "includesPolicies": [], "includesCapabilities": [] }],
        "features": [{ "key": "f", "plans": [], "policies": [], "actions": [{ "id": "act", "kind": "mutation" }] }],
        "routes": [{
            "method": "GET", "path": "/a", "feature": "f", "costs": {}, "reports": [], "estimates": {},
            "statusCodes": [{ "from": 200, "to": 299 }], "metered": false,
        }],
        "plans": [{
            "key": "pro", "name": "Pro", "recurringFeeCents": 1900, "currency": "usd", "interval": "month", "limits": limits,
            "capabilityLimits": {}, "meters": [linear(5), volume(vec![tier(10, 9), open_tier()])],
            "grants": [{ "type": "credit", "kind": "included", "amountCents": 500, "recurs": true },
                       { "type": "capability", "capability": "c", "limits": {} },
                       { "type": "topUp", "sku": "s", "label": "S", "priceCents": 100, "creditCents": 100 }],
            "capabilities": ["c"], "featureGates": {}, "trialDays": 0, "overageBehavior": "allow_and_bill",
            "selfServeEnabled": true, "legacy": false, "spendPolicy": { "disclosure": "transparent" }, "raw": {},
        }],
        "entitlements": [{
            "key": "e", "capabilities": [], "featureGates": {}, "limits": limits, "capabilityLimits": {}, "meters": [],
        }],
        "workflows": [{ "key": "w", "kind": "job", "capabilities": [], "meters": [], "estimates": {} }],
        "backends": [{
            "id": "b", "transport": { "mode": "direct" }, "verification": { "required": false }, "default": false,
        }],
        "policies": [{ "name": "pol", "kind": "custom", "config": {} }],
        "frontend": {
            "nav": [{ "label": "One", "path": "/" }, { "label": "Two", "path": "/" }],
            "pages": [{ "path": "/", "requiresAuth": false, "components": [] }],
        },
        "raw": {},
    })
}

fn linear(micros: u64) -> Json {
    json!({ "kind": "linear", "meter": "m", "micros": micros, "per": 1000, "includedUnits": 100 })
}

fn volume(tiers: Vec<Json>) -> Json {
    json!({ "kind": "volume", "meter": "v", "tiers": tiers })
}

fn tier(up_to: u64, micros: u64) -> Json {
    json!({ "upTo": up_to, "micros": micros, "per": 10 })
}

fn open_tier() -> Json {
    json!({ "upTo": null, "micros": 1, "per": 1 })
}

fn read(json: &Json) -> Manifest {
    serde_json::from_value(json.clone()).unwrap_or_else(|error| panic!("{error}: {json:#}"))
}

fn changes(before: &Json, after: &Json) -> Vec<Change> {
    diff(Some(&read(before)), Some(&read(after)))
}

/// Changes as lines: sign, resource, key, field, and marks.
fn lines(before: &Json, after: &Json) -> Vec<String> {
    let line = |change: Change| {
        let sign = match change.kind {
            ChangeKind::Added => '+',
            ChangeKind::Removed => '-',
            ChangeKind::Changed => '~',
            ChangeKind::Moved => '^',
        };
        let marks = format!("{}{}", if change.economic { " $" } else { "" }, if change.breaking { " !" } else { "" });
        let place = [change.resource.as_ref(), &change.key, &change.field].join(" ");
        format!("{sign} {}{marks}", place.trim_end())
    };
    changes(before, after).into_iter().map(line).collect()
}

/// The base with one value set at a pointer.
fn with(pointer: &str, value: Json) -> Json {
    let mut changed = base();
    *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    changed
}

/// A row of the table, two values, and what changing the first into the second and back means: `$` economic, `>` and `<` breaking on the
/// way there and on the way back. The last word of the pointer is put in, or taken out where the value is null; `-` is one more
/// element of a list.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("product", "origin", "/product/origin", r#""https://a.example""#, r#""https://b.example""#, "><"),
    ("product", "billOn4xx", "/product/billOn4xx", "false", "true", "$>"),
    ("surfaces", "", "/surfaces/-", "null", r#"{ "name": "x", "type": "api" }"#, "<"),
    ("surfaces", "path", "/surfaces/0/path", r#""/a""#, r#""/b""#, "><"),
    ("surfaces", "capability", "/surfaces/0/capability", "null", r#""c""#, ">"),
    ("meters", "", "/meters/-", "null", r#"{ "key": "x", "display": "X", "aggregation": "sum", "managed": false }"#, "$<"),
    ("meters", "unit", "/meters/0/unit", r#""s""#, r#""ms""#, "><"),
    ("meters", "aggregation", "/meters/0/aggregation", r#""sum""#, r#""max""#, "$><"),
    ("meters", "by", "/meters/0/by", "[]", r#"["model"]"#, "$><"),
    ("meters", "by[]", "/meters/0/by", r#"["model"]"#, r#"["model", "kind"]"#, "$><"),
    ("meters", "routeDefault", "/meters/0/routeDefault", r#""0.5""#, "1", "$>"),
    ("meters", "window", "/meters/0/window", r#""hour""#, r#""day""#, "><"),
    ("meters", "enforcementType", "/meters/0/enforcementType", r#""track""#, r#""enforce""#, ">"),
    ("resources", "", "/resources/-", "null", r#"{ "name": "x", "display": "X", "countSource": "action_inferred" }"#, "<"),
    ("capabilities", "", "/capabilities/-", "null", r#"{ "key": "x", "includesFeatures": [], "includesPolicies": [], "includesCapabilities": [] }"#, "<"),
    ("capabilities", "includesFeatures[]", "/capabilities/0/includesFeatures/-", "null", r#""f""#, "<"),
    ("capabilities", "includesCapabilities[]", "/capabilities/0/includesCapabilities/-", "null", r#""c""#, "<"),
    ("capabilities", "includesPolicies[]", "/capabilities/0/includesPolicies/-", "null", r#""pol""#, ">"),
    ("features", "", "/features/-", "null", r#"{ "key": "x", "plans": [], "policies": [], "actions": [] }"#, "<"),
    ("features", "plans[]", "/features/0/plans/-", "null", r#""pro""#, "<"),
    ("features", "policies[]", "/features/0/policies/-", "null", r#""pol""#, ">"),
    ("features", "actions[]", "/features/0/actions/-", "null", r#"{ "id": "x", "kind": "read" }"#, "<"),
    ("features", "actions[].resource", "/features/0/actions/0/resource", "null", r#"{ "resource": "r", "effect": "create" }"#, ">"),
    ("features", "actions[].resource.**", "/features/0/actions/0/resource", r#"{ "resource": "r", "effect": "delete" }"#, r#"{ "resource": "r", "effect": "create" }"#, "><"),
    ("routes", "", "/routes/-", "null", r#"{ "method": "GET", "path": "/b", "feature": "f", "costs": {}, "reports": [], "estimates": {}, "statusCodes": [], "metered": true }"#, "$<"),
    ("routes", "feature", "/routes/0/feature", r#""f""#, r#""g""#, "><"),
    ("routes", "costs.*", "/routes/0/costs/m.in", "null", "1", "$>"),
    ("routes", "costs.*", "/routes/0/costs/m", "1", "100", "$>"),
    ("routes", "reports[]", "/routes/0/reports/-", "null", r#""m""#, "$>"),
    ("routes", "estimates.*", "/routes/0/estimates/m", r#""0.25""#, r#""0.5""#, ">"),
    ("routes", "action", "/routes/0/action", "null", r#""act""#, "><"),
    ("routes", "backend", "/routes/0/backend", "null", r#""b""#, "><"),
    ("routes", "statusCodes[]", "/routes/0/statusCodes/-", "null", r#"{ "from": 404, "to": 404 }"#, "$>"),
    ("routes", "statusCodes[].**", "/routes/0/statusCodes/0", r#"{ "from": 200, "to": 299 }"#, r#"{ "from": 200, "to": 499 }"#, "$><"),
    ("routes", "metered", "/routes/0/metered", "false", "true", "$>"),
    ("plans", "", "/plans/-", "null", "plan", "$<"),
    ("plans", "recurringFeeCents", "/plans/0/recurringFeeCents", "1900", "190000", "$>"),
    ("plans", "interval", "/plans/0/interval", r#""month""#, r#""year""#, "$><"),
    ("plans", "billed", "/plans/0/billed", "null", r#""advance""#, "$><"),
    ("plans", "intro", "/plans/0/intro", "null", r#"{ "amountCents": 100, "periods": 3 }"#, "$<"),
    ("plans", "intro.amountCents", "/plans/0/intro", r#"{ "amountCents": 100, "periods": 3 }"#, r#"{ "amountCents": 101, "periods": 3 }"#, "$>"),
    ("plans", "intro.periods", "/plans/0/intro", r#"{ "amountCents": 100, "periods": 3 }"#, r#"{ "amountCents": 100, "periods": 2 }"#, "$>"),
    ("plans", "usageInterval", "/plans/0/usageInterval", "null", r#""month""#, "$><"),
    ("plans", "limits[]", "/plans/0/limits/-", "null", r#"{ "dimension": "m", "rate": 1, "interval": "day", "enforcement": "enforce" }"#, ">"),
    ("plans", "limits[].rate", "/plans/0/limits/0/rate", "600", "300", ">"),
    ("plans", "limits[].interval", "/plans/0/limits/0/interval", r#""minute""#, r#""hour""#, "><"),
    ("plans", "limits[].enforcement", "/plans/0/limits/0/enforcement", r#""track""#, r#""enforce""#, ">"),
    ("plans", "capabilityLimits.*", "/plans/0/capabilityLimits/r", "null", "5", ">"),
    ("plans", "capabilityLimits.*", "/plans/0/capabilityLimits/r", "5", "4", ">"),
    ("plans", "meters[]", "/plans/0/meters/-", "null", r#"{ "kind": "linear", "meter": "x", "micros": 1, "per": 1, "includedUnits": 0 }"#, "$>"),
    ("plans", "meters[].kind", "/plans/0/meters/1/kind", r#""volume""#, r#""graduated""#, "$><"),
    ("plans", "meters[].micros", "/plans/0/meters/0/micros", "5", "500", "$>"),
    ("plans", "meters[].per", "/plans/0/meters/0/per", "1000", "1", "$>"),
    ("plans", "meters[].includedUnits", "/plans/0/meters/0/includedUnits", "1000000", "0", "$>"),
    ("plans", "meters[].includedUnits.per", "/plans/0/meters/0/includedUnits", r#"{ "per": "a", "units": 1 }"#, r#"{ "per": "b", "units": 1 }"#, "$><"),
    ("plans", "meters[].includedUnits.units", "/plans/0/meters/0/includedUnits", r#"{ "per": "a", "units": 2 }"#, r#"{ "per": "a", "units": 1 }"#, "$>"),
    ("plans", "meters[].round", "/plans/0/meters/0/round", "null", r#""up""#, "$>"),
    ("plans", "meters[].minCents", "/plans/0/meters/0/minCents", "5", "6", "$>"),
    ("plans", "meters[].maxCents", "/plans/0/meters/0/maxCents", "null", "6", "$><"),
    ("plans", "meters[].rates.**", "/plans/0/meters/0", r#"{ "kind": "rates", "meter": "m", "per": 1, "rates": { "a": { "b": 5 } } }"#, r#"{ "kind": "rates", "meter": "m", "per": 1, "rates": { "a": { "b": 6 } } }"#, "$>"),
    ("plans", "meters[].rates.**", "/plans/0/meters/0", r#"{ "kind": "rates", "meter": "m", "per": 1, "rates": { "a": 5 } }"#, r#"{ "kind": "rates", "meter": "m", "per": 1, "rates": { "a": 5, "b": 6 } }"#, "$<"),
    ("plans", "meters[].tiers[]", "/plans/0/meters/1/tiers/-", "null", r#"{ "upTo": null, "micros": 3, "per": 1 }"#, "$><"),
    ("plans", "meters[].tiers[].upTo", "/plans/0/meters/1/tiers/0/upTo", "10", "20", "$><"),
    ("plans", "meters[].tiers[].micros", "/plans/0/meters/1/tiers/0/micros", "9", "10", "$>"),
    ("plans", "meters[].tiers[].per", "/plans/0/meters/1/tiers/0/per", "10", "9", "$>"),
    ("plans", "meters[].tiers[].flatMicros", "/plans/0/meters/1/tiers/0/flatMicros", "null", "6", "$>"),
    ("plans", "meters[].tiers[].round", "/plans/0/meters/1/tiers/0/round", "null", r#""up""#, "$>"),
    ("plans", "pools", "/plans/0/pools", r#"{ "p": { "units": 5, "meters": {} } }"#, "{}", "$>"),
    ("plans", "pools.*", "/plans/0/pools", r#"{ "p": { "units": 5, "meters": {} }, "q": { "units": 5, "meters": {} } }"#, r#"{ "q": { "units": 5, "meters": {} } }"#, "$>"),
    ("plans", "pools.*.units", "/plans/0/pools", r#"{ "p": { "units": 5, "meters": {} } }"#, r#"{ "p": { "units": 4, "meters": {} } }"#, "$>"),
    ("plans", "pools.*.meters.*", "/plans/0/pools", r#"{ "p": { "units": 5, "meters": { "m": 1 } } }"#, r#"{ "p": { "units": 5, "meters": { "m": 2 } } }"#, "$>"),
    ("plans", "grants[]", "/plans/0/grants/-", "null", r#"{ "type": "named", "name": "welcome" }"#, "$<"),
    ("plans", "grants[].type", "/plans/0/grants/1", r#"{ "type": "named", "name": "x" }"#, r#"{ "type": "topUp", "sku": "x", "label": "", "priceCents": 0, "creditCents": 0 }"#, "$><"),
    ("plans", "grants[].kind", "/plans/0/grants/0/kind", r#""included""#, r#""promo""#, "$><"),
    ("plans", "grants[].amountCents", "/plans/0/grants/0/amountCents", "500", "499", "$>"),
    ("plans", "grants[].recurs", "/plans/0/grants/0/recurs", "true", "false", "$>"),
    ("plans", "grants[].expiresAfterDays", "/plans/0/grants/0/expiresAfterDays", "null", "30", "$>"),
    ("plans", "grants[].rolloverPeriods", "/plans/0/grants/0/rolloverPeriods", "null", "2", "$<"),
    ("plans", "grants[].meters", "/plans/0/grants/0/meters", "null", r#"["m"]"#, "$>"),
    ("plans", "grants[].meters[]", "/plans/0/grants/0/meters", r#"["m"]"#, r#"["m", "n"]"#, "$<"),
    ("plans", "grants[].limits.*", "/plans/0/grants/1/limits/r", "2", "1", "$>"),
    ("plans", "grants[].priceCents", "/plans/0/grants/2/priceCents", "100", "9999", "$>"),
    ("plans", "grants[].creditCents", "/plans/0/grants/2/creditCents", "100", "99", "$>"),
    ("plans", "grants[].minCents", "/plans/0/grants/2", r#"{ "type": "openTopUp", "sku": "s", "label": "", "minCents": 1, "maxCents": 5, "feeBasisPoints": 0 }"#, r#"{ "type": "openTopUp", "sku": "s", "label": "", "minCents": 2, "maxCents": 5, "feeBasisPoints": 0 }"#, "$>"),
    ("plans", "grants[].maxCents", "/plans/0/grants/2", r#"{ "type": "openTopUp", "sku": "s", "label": "", "minCents": 1, "maxCents": 5, "feeBasisPoints": 0 }"#, r#"{ "type": "openTopUp", "sku": "s", "label": "", "minCents": 1, "maxCents": 4, "feeBasisPoints": 0 }"#, "$>"),
    ("plans", "grants[].feeBasisPoints", "/plans/0/grants/2", r#"{ "type": "openTopUp", "sku": "s", "label": "", "minCents": 1, "maxCents": 5, "feeBasisPoints": 0 }"#, r#"{ "type": "openTopUp", "sku": "s", "label": "", "minCents": 1, "maxCents": 5, "feeBasisPoints": 1 }"#, "$>"),
    ("plans", "capabilities[]", "/plans/0/capabilities/-", "null", r#""d""#, "<"),
    ("plans", "featureGates.*", "/plans/0/featureGates/f", "null", "true", "<"),
    ("plans", "featureGates.*", "/plans/0/featureGates/f", "null", "false", ">"),
    ("plans", "featureGates.*", "/plans/0/featureGates/f", "true", "false", ">"),
    ("plans", "trialDays", "/plans/0/trialDays", "14", "0", "$>"),
    ("plans", "maxMonthlySpendCents", "/plans/0/maxMonthlySpendCents", "500", "600", "$><"),
    ("plans", "minMonthlySpendCents", "/plans/0/minMonthlySpendCents", "null", "1", "$>"),
    ("plans", "overageBehavior", "/plans/0/overageBehavior", r#""allow_and_bill""#, r#""block""#, "$><"),
    ("plans", "selfServeEnabled", "/plans/0/selfServeEnabled", "true", "false", ">"),
    ("plans", "legacy", "/plans/0/legacy", "false", "true", ">"),
    ("plans", "archive", "/plans/0/archive", "null", r#"{ "at": "publish" }"#, ">"),
    ("plans", "spendPolicy.disclosure", "/plans/0/spendPolicy/disclosure", r#""transparent""#, r#""opaque""#, ">"),
    ("entitlements", "", "/entitlements/-", "null", r#"{ "key": "x", "capabilities": [], "featureGates": {}, "limits": [], "capabilityLimits": {}, "meters": [] }"#, "<"),
    ("entitlements", "capabilities[]", "/entitlements/0/capabilities/-", "null", r#""c""#, "<"),
    ("entitlements", "featureGates.*", "/entitlements/0/featureGates/f", "true", "false", ">"),
    ("entitlements", "limits[]", "/entitlements/0/limits/-", "null", r#"{ "dimension": "m", "rate": 1, "interval": "day", "enforcement": "enforce" }"#, ">"),
    ("entitlements", "limits[].rate", "/entitlements/0/limits/0/rate", "600", "300", ">"),
    ("entitlements", "limits[].interval", "/entitlements/0/limits/0/interval", r#""minute""#, r#""hour""#, "><"),
    ("entitlements", "limits[].enforcement", "/entitlements/0/limits/0/enforcement", r#""track""#, r#""enforce""#, ">"),
    ("entitlements", "capabilityLimits.*", "/entitlements/0/capabilityLimits/r", "5", "4", ">"),
    ("entitlements", "meters[]", "/entitlements/0/meters/-", "null", r#""m""#, "<"),
    ("workflows", "", "/workflows/-", "null", r#"{ "key": "x", "kind": "job", "capabilities": [], "meters": [], "estimates": {} }"#, "<"),
    ("workflows", "capabilities[]", "/workflows/0/capabilities/-", "null", r#""c""#, ">"),
    ("workflows", "meters[]", "/workflows/0/meters/-", "null", r#""m""#, "$><"),
    ("backends", "", "/backends/-", "null", r#"{ "id": "x", "transport": { "mode": "direct" }, "verification": { "required": true }, "default": false }"#, "<"),
    ("backends", "originUrl", "/backends/0/originUrl", "null", r#""https://b.example""#, "><"),
    ("backends", "transport.mode", "/backends/0/transport/mode", r#""direct""#, r#""tunnel""#, "><"),
    ("backends", "verification.required", "/backends/0/verification/required", "false", "true", ">"),
    ("backends", "meters", "/backends/0/meters", "null", "[]", ">"),
    ("backends", "meters[]", "/backends/0/meters", "[]", r#"["m"]"#, "<"),
    ("backends", "default", "/backends/0/default", "false", "true", "><"),
    ("policies", "", "/policies/-", "null", r#"{ "name": "x", "kind": "auth", "config": {} }"#, "<"),
    ("policies", "kind", "/policies/0/kind", r#""custom""#, r#""auth""#, "><"),
    ("policies", "config.**", "/policies/0/config", r#"{ "a": { "b": [1] } }"#, r#"{ "a": { "b": [2] } }"#, "><"),
];

/// Nothing but the currency has one value only.
const UNTESTED: &[(&str, &str)] = &[("plans", "currency")];

fn put(pointer: &str, value: &str) -> Json {
    let mut json = base();
    let value: Json = match value {
        "plan" => json!({ "key": "x" }),
        text => serde_json::from_str(text).unwrap(),
    };
    let (outer, name) = pointer.rsplit_once('/').unwrap();
    match json.pointer_mut(outer).unwrap_or_else(|| panic!("{pointer}")) {
        _ if value.is_null() => {}
        Json::Array(items) if name == "-" => {
            let mut item = value;
            if pointer == "/plans/-" {
                item = items[0].clone();
                item["key"] = json!("x");
            }
            items.push(item);
        }
        Json::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        Json::Object(object) => {
            object.insert(name.to_owned(), value);
        }
        other => panic!("{pointer}: {other}"),
    }
    json
}

#[test]
fn each_row_of_the_table_means_what_it_says() {
    for (resource, field, pointer, before, after, meaning) in ROWS {
        let (before, after) = (put(pointer, before), put(pointer, after));
        for (from, to, sign) in [(&before, &after, '>'), (&after, &before, '<')] {
            let found = changes(from, to);
            assert!(!found.is_empty() && found.iter().all(|change| change.resource == *resource), "{resource} {field}");
            let any = |marks: fn(&Change) -> bool| found.iter().any(marks);
            assert_eq!(any(|change| change.economic), meaning.contains('$'), "{resource} {field} {sign}: {found:#?}");
            assert_eq!(any(|change| change.breaking), meaning.contains(sign), "{resource} {field} {sign}: {found:#?}");
        }
    }
    for effect in EFFECTS {
        let row = (effect.resource, effect.field);
        let is_tested = ROWS.iter().any(|(resource, field, ..)| row == (*resource, *field)) || UNTESTED.contains(&row);
        assert!(is_tested, "{row:?} has no test");
    }
}

/// What `docs/diff.md` says of a row.
fn documented(breaks: Breaks) -> String {
    match breaks {
        Breaks::Always => "always".to_owned(),
        Breaks::Rises => "when it rises or is new".to_owned(),
        Breaks::RisesOrGoes => "when it rises or is gone".to_owned(),
        Breaks::FallsOrGoes => "when it falls or is gone".to_owned(),
        Breaks::Falls => "when it falls or is new".to_owned(),
        Breaks::Comes => "when it is new".to_owned(),
        Breaks::Goes => "when it is gone".to_owned(),
        Breaks::Becomes(value) => format!("when it becomes `{value}`"),
        Breaks::Closes => "when it becomes `false`, or was `true` and is gone".to_owned(),
    }
}

#[test]
fn the_table_is_the_one_in_the_docs() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/diff.md");
    let page = std::fs::read_to_string(file).unwrap();
    let row = |effect: &svc_engine::manifest::effects::Effect| {
        let field = if effect.field.is_empty() { "the whole".to_owned() } else { format!("`{}`", effect.field) };
        let economic = if effect.economic { "yes" } else { "" };
        format!("| `{}` | {field} | {economic} | {} |", effect.resource, documented(effect.breaks))
    };
    let wanted: Vec<String> = EFFECTS.iter().map(row).collect();
    let (head, rest) = page.split_once("|---|---|---|---|\n").unwrap();
    let (table, tail) = rest.split_once("\n\n").unwrap();
    if std::env::var_os("GOLDEN").is_some() {
        std::fs::write(file, format!("{head}|---|---|---|---|\n{}\n\n{tail}", wanted.join("\n"))).unwrap();
    } else {
        assert_eq!(table, wanted.join("\n"), "GOLDEN=write makes it anew");
    }
}

#[test]
fn what_stands_twice_is_compared_each() {
    // Two entries of one path, one label changed; two packs of one article number, the first a hundred times as dear.
    let label = with("/frontend/nav/1/label", json!("Other"));
    assert_eq!(lines(&base(), &label), ["~ frontend  nav[/#2].label"]);
    let pack =
        |price: u64| json!({ "type": "topUp", "sku": "s", "label": "S", "priceCents": price, "creditCents": 100 });
    let (before, after) = (
        with("/plans/0/grants", json!([pack(100), pack(100)])),
        with("/plans/0/grants", json!([pack(9_999), pack(100)])),
    );
    assert_eq!(lines(&before, &after), ["~ plans pro grants[s].priceCents $ !"]);
    let one = with("/plans/0/grants", json!([pack(100)]));
    assert_eq!(lines(&before, &one), ["- plans pro grants[s#2] $ !"]);
}

#[test]
fn another_order_is_a_change_that_blames_what_moved() {
    let limit =
        |dimension: &str| json!({ "dimension": dimension, "rate": 1, "interval": "day", "enforcement": "enforce" });
    let limits = |order: &str| with("/plans/0/limits", order.chars().map(|name| limit(&name.to_string())).collect());
    assert_eq!(lines(&limits("abcd"), &limits("bcda")), ["^ plans pro limits[a]"]);
    let route = |path: char| json!({ "method": "GET", "path": format!("/{path}"), "feature": "f", "costs": {}, "reports": [], "estimates": {}, "statusCodes": [], "metered": true });
    let routes = |order: &str| with("/routes", order.chars().map(route).collect());
    assert_eq!(lines(&routes("abcdefgh"), &routes("habcdefg")), ["^ routes GET /h $ !"]);
    assert_eq!(lines(&routes("abcdefgh"), &routes("bcdaefgh")), ["^ routes GET /a $ !"]);
    assert_eq!(
        lines(&routes("abcd"), &routes("cxd")),
        ["- routes GET /a $ !", "- routes GET /b $ !", "+ routes GET /x $"]
    );
    let grants = with(
        "/plans/0/grants",
        json!([base()["plans"][0]["grants"][2], base()["plans"][0]["grants"][0], base()["plans"][0]["grants"][1]]),
    );
    assert_eq!(lines(&base(), &grants), ["^ plans pro grants[s] $"]);
    let moved = changes(&base(), &grants).remove(0);
    assert_eq!((moved.before, moved.after), (Some(json!(2)), Some(json!(0))));
}

#[test]
fn versions_are_fields_like_others_between_two_manifests_only() {
    assert_eq!(lines(&base(), &with("/sdkVersion", json!("0.2.0"))), ["~ sdkVersion"]);
    let added = diff(None, Some(&read(&base())));
    assert!(added.iter().all(|change| change.kind == ChangeKind::Added && change.field.is_empty()));
    assert!(added.iter().all(|change| !change.resource.ends_with("Version")));
    assert_eq!(diff(None, None), []);
    let removed = diff(Some(&read(&base())), None);
    assert_eq!(removed.len(), added.len());
}

#[test]
fn what_is_shown_of_a_long_name_is_bounded() {
    let name = "k".repeat(200_000);
    let own = |values: u32| with("/raw", json!({ name.as_str(): (0..20_000).map(|n| n + values).collect::<Vec<_>>() }));
    let found = changes(&own(0), &own(1_000_000));
    assert_eq!(found.len(), 20_000);
    assert!(found.iter().all(|change| change.field.chars().count() <= svc_engine::text::TEXT_MAX_CHARS));
}

/// Every value inside a JSON value, as pointers.
fn pointers(json: &Json, at: &str, into: &mut Vec<String>) {
    match json {
        Json::Object(object) => object.iter().for_each(|(key, value)| pointers(value, &format!("{at}/{key}"), into)),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| pointers(value, &format!("{at}/{index}"), into))
        }
        _ => {}
    }
    into.push(at.to_owned());
}

/// One way to make another IR: at a place, with a number to choose by.
fn mutate(json: &mut Json, place: usize, choice: usize) {
    let mut places = Vec::new();
    pointers(json, "", &mut places);
    match json.pointer_mut(&places[place % places.len()]).unwrap() {
        Json::Array(items) if !items.is_empty() => {
            let (first, second) = (choice % items.len(), choice / 7 % items.len());
            match choice % 4 {
                0 => items.swap(first, second),
                1 => items.push(items[first].clone()),
                2 => drop(items.remove(first)),
                _ => items.rotate_left(first),
            }
        }
        Json::Object(object) if choice.is_multiple_of(3) => {
            object.insert(
                format!("k{}", choice % 5),
                [json!(1), json!(1.0), json!(true), json!("1")][choice / 3 % 4].clone(),
            );
        }
        Json::Number(number) => *number = (choice as u64 % 3).into(),
        Json::String(text) => *text = ["a", "b", "month", "year", "track", "enforce", "1"][choice % 7].to_owned(),
        Json::Bool(value) => *value = choice.is_multiple_of(2),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn there_is_no_change_exactly_when_the_hashes_are_equal(
        shared in prop::collection::vec((0_usize..10_000, 0_usize..10_000), 0..4),
        before in prop::collection::vec((0_usize..10_000, 0_usize..10_000), 0..3),
        after in prop::collection::vec((0_usize..10_000, 0_usize..10_000), 0..3),
    ) {
        let mut both = base();
        shared.iter().for_each(|(place, choice)| mutate(&mut both, *place, *choice));
        let read = |mutations: &[(usize, usize)]| {
            let mut json = both.clone();
            mutations.iter().for_each(|(place, choice)| mutate(&mut json, *place, *choice));
            serde_json::from_value::<Manifest>(json).ok()
        };
        if let (Some(before), Some(after)) = (read(&before), read(&after)) {
            let equal = canonical::hash(&before).unwrap() == canonical::hash(&after).unwrap();
            let found = diff(Some(&before), Some(&after));
            prop_assert_eq!(found.is_empty(), equal, "{:#?}", found);
            // The way back has the same changes, the other way round.
            prop_assert_eq!(diff(Some(&after), Some(&before)).len(), found.len());
        }
    }
}
