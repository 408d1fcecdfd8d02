//! Whatever a registry of at most a mebibyte holds, what the engine holds and says of it is bounded.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(missing_docs, reason = "tests")]

use serde_json::{Value as Json, json};
use svc_engine::diagnostic::{Bounded, Code, DIAGNOSTICS_MAX, Diagnostic, Severity};
use svc_engine::manifest::{Finalized, finalize};
use svc_engine::registry::Registry;
use svc_engine::rules::{counts, routes};
use svc_engine::text::TEXT_MAX_CHARS;

fn judge(declarations: &[Json], misuses: &[Json]) -> Finalized {
    let registry = json!({
        "registryVersion": 1, "sdkVersion": "0.1.0", "className": "P", "products": 1, "declarations": declarations, "misuses": misuses,
    });
    finalize(&Registry::parse(&registry.to_string()).unwrap(), &[])
}

fn declare(decorator: &str, args: Json) -> Json {
    let member = if matches!(decorator, "Product" | "Frontend" | "Raw") { Json::Null } else { json!("m") };
    json!({ "decorator": decorator, "member": member, "args": args })
}

fn keyed(decorator: &str, count: usize) -> Vec<Json> {
    (0..count).map(|number| declare(decorator, json!([format!("k{number}")]))).collect()
}

fn list(count: usize, item: impl Fn(usize) -> Json) -> Json {
    (0..count).map(item).collect()
}

fn map(count: usize, value: impl Fn(usize) -> Json) -> Json {
    Json::Object((0..count).map(|number| (format!("k{number}"), value(number))).collect())
}

fn route_map(count: usize) -> Json {
    Json::Object((0..count).map(|number| (format!("GET /r{number}"), json!({}))).collect())
}

/// So many members of one class stand for surfaces.
fn surfaces(count: usize) -> Vec<Json> {
    (0..count).map(|n| json!({ "decorator": "Surface", "member": format!("s{n}"), "args": ["api"] })).collect()
}

/// Meters and routes whose costs are so many, nearly all of them inherited.
fn inherited_costs(count: usize) -> Vec<Json> {
    let meters = (0..100).map(|n| declare("Meter", json!([format!("k{n}"), { "routeDefault": 1 }])));
    let rest = map(count % 100, |_| json!(1));
    let mut routes = route_map(count / 100);
    routes["POST /rest"] = json!({ "cost": rest, "inheritDefaultMeters": false });
    meters.chain([declare("Feature", json!(["f", { "routes": routes }]))]).collect()
}

fn plan(options: Json) -> Vec<Json> {
    vec![declare("Plan", json!(["p", options]))]
}

/// What there is too much of, as docs/limits.md calls it and as a diagnostic's path; the bound; declarations with so many.
type Case = (&'static str, &'static str, usize, fn(usize) -> Vec<Json>);

const CASES: &[Case] = &[
    ("surfaces", "surfaces", counts::SURFACES_MAX, surfaces),
    ("meters", "meters", counts::METERS_MAX, |n| keyed("Meter", n)),
    ("resources", "resources", counts::RESOURCES_MAX, |n| keyed("Resource", n)),
    ("capabilities", "capabilities", counts::CAPABILITIES_MAX, |n| keyed("Capability", n)),
    ("features", "features", counts::FEATURES_MAX, |n| keyed("Feature", n)),
    ("plans", "plans", counts::PLANS_MAX, |n| keyed("Plan", n)),
    ("entitlements", "entitlements", counts::ENTITLEMENTS_MAX, |n| keyed("Entitlement", n)),
    ("workflows", "workflows", counts::WORKFLOWS_MAX, |n| keyed("Workflow", n)),
    ("backends", "backends", counts::BACKENDS_MAX, |n| keyed("Backend", n)),
    ("policies", "policies", counts::POLICIES_MAX, |n| {
        (0..n).map(|number| declare("Policy", json!([format!("k{number}"), { "kind": "auth" }]))).collect()
    }),
    ("routes of all features", "features", counts::ROUTES_MAX, |n| {
        vec![declare("Feature", json!(["f", { "routes": route_map(n) }]))]
    }),
    ("costs of all routes, inherited ones among them", "features", counts::ROUTE_COSTS_MAX, inherited_costs),
    ("actions of one feature", "features.f.actions", counts::ACTIONS_MAX, |n| {
        let actions = list(n, |number| json!({ "id": format!("a{number}"), "kind": "read" }));
        vec![declare("Feature", json!(["f", { "actions": actions }]))]
    }),
    ("rate limits of one plan", "plans.p.limits", counts::PLAN_LIMITS_MAX, |n| {
        plan(json!({ "limits": map(n, |_| json!({ "rate": 1, "interval": "day" })) }))
    }),
    ("prices of one plan", "plans.p.meter", counts::PLAN_PRICES_MAX, |n| {
        plan(json!({ "meter": map(n, |_| json!({ "micros": 1 })) }))
    }),
    ("tiers of one price", "plans.p.meter.m", counts::PRICE_TIERS_MAX, |n| {
        let tier =
            |number| json!({ "upTo": if number + 1 == n { Json::Null } else { json!(number + 1) }, "micros": 1 });
        plan(json!({ "meters": [{ "meter": "m", "kind": "volume", "tiers": list(n, tier) }] }))
    }),
    ("rates of one price", "plans.p.meter.m", counts::PRICE_RATES_MAX, |n| {
        plan(json!({ "meter": { "m": { "rates": map(n, |_| json!(1)) } } }))
    }),
    ("grants of one plan", "plans.p.grants", counts::PLAN_GRANTS_MAX, |n| {
        plan(json!({ "grants": list(n, |_| json!("welcome")) }))
    }),
    ("entries of the navigation", "frontend.nav", counts::NAV_MAX, |n| {
        vec![declare("Frontend", json!([{ "nav": list(n, |_| json!({ "label": "l", "path": "/" })) }]))]
    }),
    ("pages", "frontend.pages", counts::PAGES_MAX, |n| {
        vec![declare("Frontend", json!([{ "pages": list(n, |_| json!({ "path": "/" })) }]))]
    }),
    ("components of one page", "frontend.pages[0].components", counts::PAGE_COMPONENTS_MAX, |n| {
        let components = list(n, |_| json!({ "component": "card" }));
        vec![declare("Frontend", json!([{ "pages": [{ "path": "/", "components": components }] }]))]
    }),
];

#[test]
fn each_kind_of_declaration_has_its_bound_and_is_refused_past_it() {
    for (_, path, most, declarations) in CASES {
        let too_many = |count: usize| -> Vec<Diagnostic> {
            let found = judge(&declarations(count), &[]).diagnostics;
            found.into_iter().filter(|diagnostic| diagnostic.code == Code::TooManyDeclarations).collect()
        };
        assert!(too_many(*most).is_empty(), "{path}: {most} are allowed");
        let refused = too_many(most + 1);
        assert_eq!(refused.len(), 1, "{path}");
        assert_eq!(refused[0].path, *path);
        assert!(refused[0].message.contains(&format!("at most {most} ")), "{}", refused[0].message);
    }
}

#[test]
fn a_rate_that_no_report_can_name_is_refused() {
    // `m`, two brackets, seven commas and sixteen quotes are 26 bytes, and seven values of 41 signs of three bytes 861.
    let has_error = |signs: usize| {
        let innermost = json!({ "\u{20ac}".repeat(signs): 1 });
        let rates = (0..7).fold(innermost, |rates, _| json!({ "\u{20ac}".repeat(41): rates }));
        let mut declarations = plan(json!({ "meter": { "m": { "rates": rates } } }));
        let by = ["a", "b", "c", "d", "e", "f", "g", "h"];
        declarations.push(declare("Meter", json!(["m", { "by": by }])));
        judge(&declarations, &[]).diagnostics.iter().any(|one| one.code == Code::RatesForm)
    };
    assert_eq!([45, 46].map(has_error), [false, true], "1,022 and 1,025 bytes");
}

#[test]
fn each_bound_is_in_the_docs() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/limits.md")).unwrap();
    let sets = ("sets of places of the parameters, for routes of one method and length", routes::PARAMETER_SETS_MAX);
    let bounds = CASES.iter().map(|(what, _, most, _)| (*what, *most)).chain([sets]);
    let section = page.split("\n## ").find(|section| section.starts_with("How much one product may declare")).unwrap();
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(rows.len(), CASES.len() + 1);
    for (what, most) in bounds {
        let thousands = if most >= 1_000 { format!("{},{:03}", most / 1_000, most % 1_000) } else { most.to_string() };
        assert!(rows.contains(&format!("| {what} | {thousands} |").as_str()), "{what}: {thousands}");
    }
}

fn is_bounded(finalized: &Finalized) {
    // What is alike down to the last shown character is said once.
    assert!((2..=DIAGNOSTICS_MAX + 1).contains(&finalized.diagnostics.len()));
    assert_eq!(finalized.diagnostics.last().unwrap().code, Code::TooManyProblems);
    for Diagnostic { message, hint, path, .. } in &finalized.diagnostics {
        for text in [message, path].into_iter().chain(hint) {
            assert!(text.chars().count() <= TEXT_MAX_CHARS, "{text}");
        }
    }
}

#[test]
fn unknown_names_by_the_ten_thousands_are_counted_and_a_few_get_advice() {
    let meters = (0..6_000).map(|number| declare("Meter", json!([format!("m{number}")])));
    let wrong = list(70_000, |number| json!(format!("x{number}")));
    let feature = declare("Feature", json!(["f", { "plans": wrong }]));
    let finalized = judge(&meters.chain([feature]).collect::<Vec<_>>(), &[]);
    is_bounded(&finalized);
    assert!(finalized.diagnostics.last().unwrap().message.starts_with("69500 more problems"));
    let wrong = list(2_000, |number| json!(format!("n{number}")));
    let meters = (0..6_000).map(|number| declare("Meter", json!([format!("m{number}")])));
    let workflow = declare("Workflow", json!(["w", { "meters": wrong }]));
    let finalized = judge(&meters.chain([workflow]).collect::<Vec<_>>(), &[]);
    let advised = finalized.diagnostics.iter().filter(|diagnostic| diagnostic.hint.is_some()).count();
    assert_eq!(advised, 50);
}

#[test]
fn a_long_key_with_many_wrong_values_inside_is_not_copied_for_each() {
    // 400 kB of key times 30,000 values would be 12 GB.
    let key = "k".repeat(400_000);
    let nested = json!({ key.as_str(): list(30_000, |_| json!({ "$odd": "x" })) });
    is_bounded(&judge(&[declare("Raw", json!([nested]))], &[]));
    let path = format!("GET /{}", "p".repeat(400_000));
    let routes = json!({ path.as_str(): { "cost": map(40_000, |_| json!(-1)) } });
    is_bounded(&judge(&[declare("Feature", json!(["f", { "routes": routes }]))], &[]));
    let routes = json!({ path.as_str(): { "cost": map(40_000, |_| json!(1)) } });
    is_bounded(&judge(&[declare("Feature", json!(["f", { "routes": routes }]))], &[]));
}

#[test]
fn a_route_with_a_long_name_is_not_named_for_each_that_it_hides_or_costs() {
    let routes = route_map(15_000);
    let long = format!("GET /{{{}}}", "p".repeat(400_000));
    let first = json!({ long.as_str(): {} });
    let all: serde_json::Map<String, Json> = first
        .as_object()
        .unwrap()
        .iter()
        .chain(routes.as_object().unwrap())
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    let hidden = judge(&[declare("Feature", json!(["f", { "routes": all }]))], &[]);
    is_bounded(&hidden);
    assert!(hidden.manifest.is_some(), "warnings fail no build");
    let meters = (0..6_000).map(|n| declare("Meter", json!([format!("k{n}"), { "aggregation": "count" }])));
    let costs = json!({ long.as_str(): { "cost": map(6_000, |_| json!(2)) } });
    let feature = declare("Feature", json!(["f", { "routes": costs }]));
    is_bounded(&judge(&meters.chain([feature]).collect::<Vec<_>>(), &[]));
}

#[test]
fn misuses_without_end_are_bounded() {
    let misuses: Vec<Json> =
        (0..15_000).map(|_| json!({ "decorator": "Plan", "member": "m", "reason": "method" })).collect();
    let finalized = judge(&[], &misuses);
    assert!(finalized.diagnostics.len() <= DIAGNOSTICS_MAX + 1);
    assert!(finalized.diagnostics.last().unwrap().message.starts_with("14500 more problems"));
}

#[test]
fn values_nested_without_end_are_no_registry() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let text = |value: &str| {
        format!(
            r#"{{"registryVersion":1,"sdkVersion":"","products":1,"declarations":[{{"decorator":"Raw","member":null,"args":[{value}]}}],"misuses":[]}}"#
        )
    };
    assert!(Registry::parse(&text(&deep(100))).is_ok());
    assert!(Registry::parse(&text(&deep(400_000))).is_err());
}

#[test]
fn routes_with_parameters_everywhere_are_refused_by_name() {
    let segment = |number: usize, at: usize| if number >> at & 1 == 1 { format!("{{p{at}}}") } else { "s".to_owned() };
    let path = |number: usize| (0..13).map(|at| format!("/{}", segment(number, at))).collect::<String>();
    // Fewer parameters first, so that few are hidden.
    let mut numbers: Vec<usize> = (0..8_000).collect();
    numbers.sort_by_key(|number| number.count_ones());
    let routes = Json::Object(numbers.into_iter().map(|number| (format!("GET {}", path(number)), json!({}))).collect());
    let found = judge(&[declare("Feature", json!(["f", { "routes": routes }]))], &[]).diagnostics;
    let refused: Vec<_> = found.iter().filter(|found| found.code == Code::TooManyDeclarations).collect();
    assert_eq!(refused.len(), 1);
    assert!(refused[0].message.contains(&routes::PARAMETER_SETS_MAX.to_string()));
}

#[test]
fn warnings_never_push_an_error_out() {
    let mut bounded = Bounded::default();
    for number in 0..2 * DIAGNOSTICS_MAX {
        bounded.push(Diagnostic::new(Code::RouteShadowed, number.to_string()));
    }
    bounded.push(Diagnostic::new(Code::WrongType, "the error"));
    bounded.add(Severity::Warning, not_made);
    let (kept, left_out) = bounded.into_parts();
    let kept: Vec<Diagnostic> = kept.collect();
    assert_eq!((kept.len(), left_out), (DIAGNOSTICS_MAX + 1, DIAGNOSTICS_MAX + 1));
    assert!(kept[0].is_error());
}

fn not_made() -> Diagnostic {
    panic!("what has no room is not made")
}
