//! Properties of finalize: total on whatever a worker may hand over, blind to the order of sorted collections, and not to
//! that of routes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(missing_docs, reason = "tests")]

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use svc_engine::manifest::{Manifest, canonical, finalize};
use svc_engine::registry::Registry;

fn registry(declarations: &[Json]) -> Registry {
    let text = json!({
        "registryVersion": 1, "sdkVersion": "0.1.0", "className": "P", "products": 1, "declarations": declarations, "misuses": [],
    });
    Registry::parse(&text.to_string()).unwrap()
}

fn declaration(decorator: &str, member: &str, args: Json) -> Json {
    let member = if matches!(decorator, "Product" | "Frontend" | "Raw") { Json::Null } else { json!(member) };
    json!({ "decorator": decorator, "member": member, "args": args })
}

fn manifest(declarations: &[Json]) -> Manifest {
    let finalized = finalize(&registry(declarations), &[]);
    finalized.manifest.unwrap_or_else(|| panic!("{:#?}", finalized.diagnostics))
}

/// A product with several of every sorted kind, as declarations that may stand in any order.
fn product() -> Vec<Json> {
    let limits = json!({ "requests": { "rate": 1, "interval": "minute" } });
    vec![
        declaration("Product", "", json!([{ "origin": "https://a.example", "name": "p" }])),
        declaration("Requests", "requests", json!([])),
        declaration("Meter", "m1", json!(["m1", { "routeDefault": 0.1 }])),
        declaration("Meter", "m2", json!(["m2", { "aggregation": "max" }])),
        declaration("Resource", "r1", json!(["r1"])),
        declaration("Resource", "r2", json!(["r2"])),
        declaration("Capability", "c1", json!(["c1"])),
        declaration("Capability", "c2", json!(["c2", { "includesCapabilities": ["c1"] }])),
        declaration(
            "Plan",
            "a",
            json!(["a", { "limits": limits, "caps": { "r1": 1, "r2": 2 }, "capabilities": ["c2"] }]),
        ),
        declaration("Plan", "b", json!(["b", { "limits": limits, "meter": { "m1": { "micros": 5 } } }])),
        declaration("Policy", "p1", json!(["p1", { "kind": "auth" }])),
        declaration("Policy", "p2", json!(["p2", { "kind": "custom", "config": { "x": [1, 2.5, null] } }])),
        declaration("Backend", "b1", json!(["b1"])),
        declaration("Backend", "b2", json!(["b2", { "default": true }])),
        declaration("Workflow", "w1", json!(["w1", { "meters": ["m2"] }])),
        declaration("Workflow", "w2", json!(["w2"])),
        declaration("Entitlement", "e1", json!(["e1", { "meters": ["m1"] }])),
        declaration("Entitlement", "e2", json!(["e2"])),
        declaration(
            "Feature",
            "f",
            json!(["f", { "plans": ["a"], "routes": {
            "GET /a/{x}": { "cost": { "m1": 0.2 } }, "GET /a/{x}/b": {}, "POST /a": { "reports": ["m2"] },
        } }]),
        ),
    ]
}

/// Any JSON that a worker might hand over as an argument.
fn value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(Json::from),
        (-3_i64..10).prop_map(Json::from),
        "[a-zA-Z0-9_./{} -]{0,12}".prop_map(Json::from),
        prop_oneof![Just("free"), Just("month"), Just("usd"), Just("GET /x"), Just("requests"), Just("linear")]
            .prop_map(Json::from),
        prop_oneof![Just("NaN"), Just("-0"), Just("Date"), Just("cycle"), Just("lone surrogate key")]
            .prop_map(|odd| json!({ "$odd": odd })),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
            prop::collection::vec((key(), inner), 0..6).prop_map(|entries| Json::Object(entries.into_iter().collect())),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        prop_oneof![
            Just("limits"),
            Just("routes"),
            Just("cost"),
            Just("reports"),
            Just("estimates"),
            Just("price"),
            Just("amount"),
            Just("interval"),
            Just("rate"),
            Just("count"),
            Just("caps"),
            Just("meter"),
            Just("meters"),
            Just("grants"),
            Just("tiers"),
            Just("upTo"),
            Just("micros"),
            Just("per"),
            Just("actions"),
            Just("id"),
            Just("kind"),
            Just("nav"),
            Just("pages"),
            Just("components"),
            Just("props"),
            Just("raw"),
            Just("display"),
            Just("factor"),
            Just("amountCents"),
            Just("type"),
            Just("onStatusCodes"),
            Just("archive"),
            Just("origin"),
        ]
        .prop_map(str::to_owned),
        "[a-z0-9_/ {}A-Z]{0,10}",
    ]
}

fn any_declaration() -> impl Strategy<Value = Json> {
    let decorator = prop_oneof![
        Just("Product"),
        Just("Frontend"),
        Just("Raw"),
        Just("Surface"),
        Just("Requests"),
        Just("Meter"),
        Just("Resource"),
        Just("Capability"),
        Just("Feature"),
        Just("Plan"),
        Just("Entitlement"),
        Just("Workflow"),
        Just("Backend"),
        Just("Policy"),
        Just("Nonsense"),
    ];
    (decorator, "[a-z]{0,6}", prop::collection::vec(value(), 0..4))
        .prop_map(|(decorator, member, args)| declaration(decorator, &member, Json::from(args)))
}

/// How many registries each property tries; `PROPTEST_CASES` raises it.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn finalize_is_total(declarations in prop::collection::vec(any_declaration(), 0..12)) {
        let finalized = finalize(&registry(&declarations), &[]);
        let broken = finalized.diagnostics.iter().any(svc_engine::diagnostic::Diagnostic::is_error);
        prop_assert_eq!(finalized.manifest.is_none(), broken);
        prop_assert!(finalized.diagnostics.len() <= svc_engine::diagnostic::DIAGNOSTICS_MAX + 1);
    }

    #[test]
    fn parsing_never_panics(text in any::<String>(), json in value()) {
        let _any = Registry::parse(&text);
        let _json = Registry::parse(&json.to_string());
    }

    #[test]
    fn the_order_of_sorted_collections_keeps_the_hash(order in Just((0..product().len()).collect::<Vec<_>>()).prop_shuffle()) {
        let whole = product();
        let shuffled: Vec<Json> = order.into_iter().map(|index| whole[index].clone()).collect();
        prop_assert_eq!(canonical::hash(&manifest(&whole)).unwrap(), canonical::hash(&manifest(&shuffled)).unwrap());
    }

    #[test]
    fn canonical_bytes_read_back_to_the_same_value(rate in 1_u32..1000, micros in 0_u64..1_000_000, included in "[1-9][0-9]{0,8}(\\.[0-9]{1,9})?") {
        let included: f64 = included.parse().unwrap();
        let mut declarations = product();
        declarations.push(declaration("Plan", "z", json!(["z", {
            "limits": { "m1": { "rate": rate, "interval": "day" } }, "meter": { "m2": { "micros": micros, "includedUnits": included } },
        }])));
        let finalized = finalize(&registry(&declarations), &[]);
        // A number whose shortest form has more than nine digits behind the point is refused, and nothing else.
        if let Some(manifest) = finalized.manifest {
            let bytes = canonical::bytes(&manifest).unwrap();
            let back: Manifest = serde_json::from_slice(&bytes).unwrap();
            prop_assert_eq!(&back, &manifest);
            prop_assert_eq!(canonical::bytes(&back).unwrap(), bytes);
        } else {
            let shown = included.to_string();
            prop_assert!(shown.split('.').nth(1).is_some_and(|fraction| fraction.len() > 9));
        }
    }
}

#[test]
fn the_order_of_routes_changes_the_hash() {
    let mut declarations = product();
    let before = canonical::hash(&manifest(&declarations)).unwrap();
    declarations.last_mut().unwrap()["args"][1]["routes"] =
        json!({ "POST /a": { "reports": ["m2"] }, "GET /a/{x}": { "cost": { "m1": 0.2 } }, "GET /a/{x}/b": {} });
    assert_ne!(before, canonical::hash(&manifest(&declarations)).unwrap());
}

#[test]
fn defaults_and_costs_are_summed_exactly() {
    let manifest = manifest(&product());
    let costs: Vec<String> = manifest.routes[0].costs.iter().map(|(meter, units)| format!("{meter} {units}")).collect();
    assert_eq!(costs, ["m1 0.3", "requests 1"]);
}

#[test]
fn the_class_name_does_not_count_beside_an_explicit_one() {
    let text = |class: &str| {
        let registry = json!({ "registryVersion": 1, "sdkVersion": "0.1.0", "className": class, "products": 1, "declarations": product(), "misuses": [] });
        canonical::hash(&finalize(&Registry::parse(&registry.to_string()).unwrap(), &[]).manifest.unwrap()).unwrap()
    };
    assert_eq!(text("A"), text("B"));
}

/// SplitMix64, so that a failing round can be replayed.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from((z ^ (z >> 31)) % 1_000_000_007).unwrap()
}

/// Every value inside a JSON value, as pointers.
fn pointers(json: &Json, at: String, into: &mut Vec<String>) {
    match json {
        Json::Object(object) => object.iter().for_each(|(key, value)| {
            pointers(value, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), into)
        }),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| pointers(value, format!("{at}/{index}"), into))
        }
        _ => {}
    }
    into.push(at);
}

/// Real registries, damaged: values swapped for each other, taken away, or replaced by what doesn't fit. Bounded here;
/// `FUZZ_ROUNDS` and `FUZZ_SEED` extend and replay it.
#[test]
fn damaged_registries_of_the_corpus_are_judged_and_never_panic() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (rounds, seed) = (number("FUZZ_ROUNDS", 2_000), number("FUZZ_SEED", 20_261_128));
    let corpus: Vec<Json> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus"))
        .unwrap()
        .map(|entry| serde_json::from_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap())
        .collect();
    assert!(corpus.len() >= 2);
    let mut state = seed;
    let mut judged = 0;
    for round in 0..rounds {
        let mut damaged = corpus[next(&mut state) % corpus.len()].clone();
        for _ in 0..=next(&mut state) % 4 {
            let mut places = Vec::new();
            pointers(&damaged, String::new(), &mut places);
            let (place, other) =
                (places[next(&mut state) % places.len()].clone(), places[next(&mut state) % places.len()].clone());
            let odd = json!([null, true, -1, 0.5, 1e300, "", "x", "requests", [], {}, { "$odd": "NaN" }, { "$odd": "function" }, { "1": 1 }, { "": {} }]);
            let with = if next(&mut state).is_multiple_of(2) {
                damaged.pointer(&other).cloned().unwrap_or_default()
            } else {
                odd[next(&mut state) % 14].clone()
            };
            if let Some(value) = damaged.pointer_mut(&place) {
                *value = with;
            }
        }
        let text = damaged.to_string();
        if let Ok(registry) = Registry::parse(&text) {
            let finalized = finalize(&registry, &[]);
            let broken = finalized.diagnostics.iter().any(svc_engine::diagnostic::Diagnostic::is_error);
            assert_eq!(finalized.manifest.is_none(), broken, "round {round} of seed {seed}: {text}");
            judged += 1;
        }
    }
    assert!(judged * 2 > rounds, "most damage should be inside the declarations");
}
