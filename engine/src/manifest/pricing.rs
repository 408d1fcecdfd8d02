//! What a plan costs beside its own form: how the meters it prices count, and what routes charge of them. A change of any of it
//! makes another version of the plan, since the same use would cost something else.

use super::canonical::{self, CanonicalError};
use super::ir::{Aggregation, Key, Manifest, Method, Plan, Route, StatusRange};
use crate::money::units::Units;
use crate::rules::routes::parameter_name;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Most pairs of routes that are compared, over all meters, to find routes that may answer a charging one's requests. Past them the
/// order of all routes counts.
const PAIRS_MAX: usize = 1_000_000;

/// A hash of what each plan costs, by the plan's key: equal for two manifests exactly when the plan's form is, and whatever its meters
/// and routes charge of what it prices.
///
/// # Errors
/// What the canonical form can't hold; a manifest has nothing of the kind.
pub fn hashes(manifest: &Manifest) -> Result<BTreeMap<Key, String>, CanonicalError> {
    let priced: BTreeSet<&Key> = manifest.plans.iter().flat_map(|plan| plan.metered()).collect();
    let charges = charges(manifest, &priced)?;
    let plans = manifest.plans.iter().map(|plan| {
        let basis: BTreeMap<&Key, &String> =
            plan.metered().filter_map(|meter| charges.get_key_value(meter)).map(|(key, hash)| (*key, hash)).collect();
        // A plan without prices costs what its form says.
        let hash = if basis.is_empty() { form(plan) } else { canonical::hash(&Costs { plan, basis }) };
        Ok((plan.key.clone(), hash?))
    });
    plans.collect()
}

/// A hash of how each priced meter counts and of what routes charge of it.
///
/// # Errors
/// As [`hashes`].
pub fn charged(manifest: &Manifest) -> Result<BTreeMap<&Key, String>, CanonicalError> {
    let priced: BTreeSet<&Key> = manifest.plans.iter().flat_map(|plan| plan.metered()).collect();
    charges(manifest, &priced)
}

/// A hash of a plan's form alone.
///
/// # Errors
/// As [`hashes`].
pub fn form(plan: &Plan) -> Result<String, CanonicalError> {
    canonical::hash(plan)
}

/// What is hashed of a plan.
#[derive(Serialize)]
struct Costs<'m> {
    plan: &'m Plan,
    /// A hash of each priced meter's [`Charges`].
    basis: BTreeMap<&'m Key, &'m String>,
}

/// What is hashed of a meter.
#[derive(Serialize)]
struct Charges<'m> {
    aggregation: Aggregation,
    #[serde(skip_serializing_if = "<[Key]>::is_empty")]
    by: &'m [Key],
    /// The routes that charge it, and those in front of them that may answer their requests: the first match wins.
    routes: Vec<Charge<'m>>,
    /// The order of all routes, where there are too many to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<&'m String>,
}

/// What one route charges of one meter.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Charge<'m> {
    method: Method,
    /// The path, in which all parameters have one name: their names do not choose what matches.
    path: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Units>,
    reports: bool,
    /// Nothing for a route that charges nothing of the meter.
    #[serde(skip_serializing_if = "Option::is_none")]
    status_codes: Option<&'m [StatusRange]>,
}

/// A hash of each priced meter's charges.
fn charges<'m>(
    manifest: &'m Manifest,
    priced: &BTreeSet<&'m Key>,
) -> Result<BTreeMap<&'m Key, String>, CanonicalError> {
    let shapes: Vec<String> = manifest.routes.iter().map(|route| shape(&route.path)).collect();
    let routes: Vec<(&Route, &str)> = manifest.routes.iter().zip(shapes.iter().map(String::as_str)).collect();
    let names: Vec<(Method, &str)> = routes.iter().map(|(route, path)| (route.method, *path)).collect();
    let all = canonical::hash(&names)?;
    let mut charging: BTreeMap<&Key, BTreeSet<usize>> = BTreeMap::new();
    for (number, route) in manifest.routes.iter().enumerate().filter(|(_, route)| route.metered) {
        let costs = route.costs.iter().filter(|(_, units)| **units != Units::ZERO).map(|(key, _)| key);
        for key in costs.chain(&route.reports).filter(|key| priced.contains(key)) {
            charging.entry(key).or_default().insert(number);
        }
    }
    let groups = groups(&routes);
    let mut pairs_left = PAIRS_MAX;
    let meters = manifest.meters.iter().filter(|meter| priced.contains(&meter.key));
    let hashed = meters.map(|meter| {
        let charging = charging.remove(&meter.key).unwrap_or_default();
        let in_front = in_front(&routes, &groups, &charging, &mut pairs_left);
        let numbers: BTreeSet<usize> = in_front.iter().flatten().chain(&charging).copied().collect();
        let charge = |number: &usize| {
            let (route, path) = routes.get(*number)?;
            Some(charge(route, path, &meter.key, charging.contains(number)))
        };
        let routes = numbers.iter().filter_map(charge).collect();
        let all = in_front.is_none().then_some(&all);
        Ok((&meter.key, canonical::hash(&Charges { aggregation: meter.aggregation, by: &meter.by, routes, all })?))
    });
    hashed.collect()
}

fn charge<'m>(route: &'m Route, path: &'m str, meter: &Key, charges: bool) -> Charge<'m> {
    Charge {
        method: route.method,
        path,
        cost: route.costs.get(meter).copied().filter(|units| charges && *units != Units::ZERO),
        reports: charges && route.reports.contains(meter),
        status_codes: charges.then_some(route.status_codes.as_slice()),
    }
}

fn shape(path: &str) -> String {
    let segments = path.split('/').map(|segment| if parameter_name(segment).is_some() { PARAMETER } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

/// What stands for any parameter.
const PARAMETER: &str = "{}";

/// A method and a number of segments: only routes that share both can match one request.
type Group = (Method, usize);

fn group(route: &Route, path: &str) -> Group {
    (route.method, path.split('/').count())
}

/// The routes of each group, in order.
fn groups(routes: &[(&Route, &str)]) -> BTreeMap<Group, Vec<usize>> {
    let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    for (number, (route, path)) in routes.iter().enumerate() {
        groups.entry(group(route, path)).or_default().push(number);
    }
    groups
}

/// The routes that charge nothing, but stand in front of one that does and may answer its requests. Nothing when no pairs are left.
fn in_front(
    routes: &[(&Route, &str)],
    groups: &BTreeMap<Group, Vec<usize>>,
    charging: &BTreeSet<usize>,
    pairs_left: &mut usize,
) -> Option<BTreeSet<usize>> {
    let mut found = BTreeSet::new();
    for number in charging {
        let (route, path) = routes.get(*number)?;
        let earlier = groups.get(&group(route, path)).into_iter().flatten().take_while(|earlier| *earlier < number);
        for earlier in earlier.filter(|earlier| !charging.contains(earlier)) {
            *pairs_left = pairs_left.checked_sub(1)?;
            if routes.get(*earlier).is_some_and(|(_, other)| meet(other, path)) {
                found.insert(*earlier);
            }
        }
    }
    Some(found)
}

/// Whether two paths of as many segments may match one request.
fn meet(one: &str, other: &str) -> bool {
    let mut segments = one.split('/').zip(other.split('/'));
    segments.all(|(one, other)| one == other || one == PARAMETER || other == PARAMETER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn route(name: &str, costs: Json, reports: Json) -> Json {
        let (method, path) = name.split_once(' ').unwrap();
        json!({ "method": method, "path": path, "feature": "all", "costs": costs, "reports": reports, "estimates": {},
            "statusCodes": [{ "from": 200, "to": 299 }], "metered": true })
    }

    fn product(aggregation: &str, routes: &[Json]) -> Json {
        let plan = |key: &str, meters: Json| {
            json!({ "key": key, "name": key, "capabilities": [], "capabilityLimits": {}, "currency": "usd", "featureGates": {},
                "grants": [], "interval": "month", "legacy": false, "limits": [], "meters": meters,
                "overageBehavior": "allow_and_bill", "raw": {}, "recurringFeeCents": 0, "selfServeEnabled": true,
                "spendPolicy": { "disclosure": "transparent" }, "trialDays": 0 })
        };
        let price = json!([{ "kind": "linear", "meter": "a", "micros": 5, "per": 1, "includedUnits": 0 }]);
        let meter = |key: &str, aggregation: &str| json!({ "key": key, "display": key, "aggregation": aggregation, "managed": false });
        json!({ "irVersion": 1, "sdkVersion": "0.1.0", "product": { "name": "x", "origin": "https://x.example", "billOn4xx": false },
            "surfaces": [], "meters": [meter("a", aggregation), meter("b", "sum")], "resources": [], "capabilities": [],
            "features": [], "routes": routes, "plans": [plan("free", json!([])), plan("paid", price)], "entitlements": [],
            "workflows": [], "backends": [], "policies": [], "frontend": { "nav": [], "pages": [] }, "raw": {} })
    }

    /// The hashes of the free and of the paid plan.
    fn hashed(product: Json) -> [String; 2] {
        let manifest: Manifest = serde_json::from_value(product).unwrap();
        let hashes = hashes(&manifest).unwrap();
        ["free", "paid"].map(|plan| hashes.get(plan).unwrap().clone())
    }

    fn base() -> Vec<Json> {
        vec![
            route("GET /free/{x}", json!({}), json!([])),
            route("GET /jobs/{id}", json!({ "a": 2 }), json!(["b"])),
            route("POST /jobs", json!({ "b": 1 }), json!(["a"])),
        ]
    }

    #[test]
    fn whatever_a_priced_meter_is_charged_by_counts() {
        let before = hashed(product("sum", &base()));
        let with = |number: usize, change: &dyn Fn(&mut Json)| {
            let mut routes = base();
            change(routes.get_mut(number).unwrap());
            product("sum", &routes)
        };
        for (what, after) in [
            ("the aggregation", product("max", &base())),
            ("a cost", with(1, &|route| route["costs"]["a"] = json!(3))),
            ("a cost that is gone", with(1, &|route| route["costs"] = json!({}))),
            ("a report that is gone", with(2, &|route| route["reports"] = json!([]))),
            ("a report that comes", with(0, &|route| route["reports"] = json!(["a"]))),
            ("answers that count", with(1, &|route| route["statusCodes"] = json!([{ "from": 200, "to": 499 }]))),
            ("metering that ends", with(1, &|route| route["metered"] = json!(false))),
            ("a path", with(1, &|route| route["path"] = json!("/jobs/{id}/log"))),
            ("a method", with(2, &|route| route["method"] = json!("PUT"))),
            (
                "a free route in front",
                product("sum", &[vec![route("GET /jobs/new", json!({}), json!([]))], base()].concat()),
            ),
            (
                "a wider free route in front",
                product("sum", &[vec![route("GET /{any}/{x}", json!({}), json!([]))], base()].concat()),
            ),
        ] {
            let after = hashed(after);
            assert_eq!(after[0], before[0], "{what} changes nothing for a plan without prices");
            assert_ne!(after[1], before[1], "{what}");
        }
    }

    #[test]
    fn what_charges_nothing_of_it_does_not_count() {
        let before = hashed(product("sum", &base()));
        let mut others = base();
        others[0]["costs"] = json!({ "b": 7 });
        others[1]["costs"]["b"] = json!(1);
        others[1]["path"] = json!("/jobs/{name}");
        others[1]["reports"] = json!([]);
        others[2]["estimates"] = json!({ "a": 5 });
        others.push(route("GET /jobs/new", json!({}), json!([])));
        others.insert(0, route("GET /jobs/{id}/log", json!({ "b": 1 }), json!([])));
        assert_eq!(hashed(product("sum", &others)), before);
        let moved: Vec<Json> = base().into_iter().rev().collect();
        assert_ne!(hashed(product("sum", &moved))[1], before[1], "the order of charging routes counts");
    }

    #[test]
    fn past_the_pairs_the_order_of_all_routes_counts() {
        let mut many: Vec<Json> = (0..1_500).map(|n| route(&format!("GET /free/{n}"), json!({}), json!([]))).collect();
        many.extend((0..1_500).map(|n| route(&format!("GET /paid/{n}"), json!({ "a": 1 }), json!([]))));
        let before = hashed(product("sum", &many));
        many.swap(0, 1);
        assert_ne!(hashed(product("sum", &many))[1], before[1]);
    }
}
