//! A plan of a release as the gateway needs it: its routes with what they cost, who may call them, the limits, and whether usage may be
//! refused. Made once for each release and plan.

use crate::headers::{Named, named};
use crate::path::Path;
use crate::table::RouteTable;
use std::collections::{BTreeMap, BTreeSet};
use svc_core::metering::estimates_of;
use svc_core::rates::Limit;
use svc_engine::manifest::ir::{
    Aggregation, Backend, Feature, Grant, Key, Manifest, Method, OverageBehavior, Plan, ResourceEffect, Route,
    StatusRange, TransportMode,
};
use svc_engine::money::units::{UNITS_MAX, Units};

/// The dimension of a limit that counts requests.
const REQUESTS: &str = "requests";

/// What becomes of requests when the store can't be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithoutStore {
    /// They are refused where a limit enforces, or usage may be refused.
    Closed,
    /// They are let through, and charged later.
    Open,
}

/// A plan of a release.
#[derive(Debug)]
pub(crate) struct Served {
    table: RouteTable,
    routes: Vec<ServedRoute>,
    /// Its rate limits, in the author's order.
    pub(crate) limits: Vec<Limit>,
    /// Most of each resource.
    caps: BTreeMap<Key, u64>,
    /// What the author says about a store that can't be asked.
    without_store: WithoutStore,
}

/// A route of a release, to the subscribers of one plan.
#[derive(Debug)]
pub(crate) struct ServedRoute {
    /// `METHOD /path`, as the author writes it.
    pub(crate) name: String,
    pub(crate) name_named: Named,
    /// The feature that it belongs to.
    pub(crate) feature: Key,
    pub(crate) feature_named: Named,
    /// Whether the plan has the feature.
    pub(crate) is_entitled: bool,
    /// Whether anything of it is counted.
    pub(crate) is_metered: bool,
    /// What it costs in each of the plan's limits, as far as that is known before: in their order.
    pub(crate) costs: Vec<Units>,
    /// Meters of which it costs so much each time.
    fixed: BTreeSet<Key>,
    /// Whether there are such.
    pub(crate) has_costs: bool,
    /// Answers that count.
    pub(crate) status_codes: Vec<StatusRange>,
    /// Meters whose values its backend may report.
    pub(crate) reports: BTreeSet<String>,
    /// What the reports are expected to be.
    pub(crate) estimates: BTreeMap<String, Units>,
    /// Whether money is set aside before: the plan refuses usage that nobody pays, and the route has usage with a price.
    pub(crate) is_held: bool,
    /// So many requests of it may be charged as one.
    pub(crate) together_max: u32,
    /// The count that it changes.
    pub(crate) resource: Option<(Key, ResourceEffect)>,
    /// Where it is served.
    pub(crate) upstream: Upstream,
    /// The limits that concern it, as its answers tell of them: `RateLimit-Policy`.
    pub(crate) policy_named: Named,
}

/// Where a route is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Upstream {
    /// The backend's id; nothing for the product's origin.
    pub(crate) backend: Option<Key>,
    /// Its URL, without a slash at its end.
    pub(crate) url: String,
    /// Whether it opens a tunnel, which this gateway does not have.
    pub(crate) is_tunnel: bool,
    /// Whether its reports must be signed.
    pub(crate) must_prove: bool,
}

impl Served {
    pub(crate) fn new(manifest: &Manifest, plan: &Plan) -> Served {
        let features = features_of(manifest, plan);
        let limits: Vec<Limit> = plan.limits.iter().map(Limit::from).collect();
        let priced: BTreeSet<&Key> = plan.meters.iter().map(svc_engine::manifest::ir::MeterPrice::meter).collect();
        let routes = manifest.routes.iter().map(|route| {
            let upstream = upstream(manifest, route);
            let allowed = backend(manifest, route).and_then(|backend| backend.meters.as_ref());
            let reports = route.reports.iter().filter(|key| allowed.is_none_or(|allowed| allowed.contains(key)));
            let estimates = estimates_of(manifest, route);
            let is_priced = route.costs.keys().chain(&route.reports).any(|meter| priced.contains(meter));
            let mut served = ServedRoute {
                name: route.name(),
                name_named: named(&route.name()),
                feature: route.feature.clone(),
                feature_named: named(route.feature.as_str()),
                is_entitled: features.contains(&route.feature),
                is_metered: route.metered,
                costs: limits.iter().map(|limit| cost(route, &estimates, &limit.dimension)).collect(),
                fixed: route.costs.keys().cloned().collect(),
                has_costs: !route.costs.is_empty(),
                status_codes: route.status_codes.clone(),
                reports: reports.map(Key::to_string).collect(),
                estimates: estimates.iter().map(|(meter, units)| (meter.to_string(), *units)).collect(),
                is_held: route.metered && is_priced && plan.overage_behavior == OverageBehavior::Block,
                together_max: together_max(manifest, route),
                resource: resource(manifest, route),
                upstream,
                policy_named: None,
            };
            served.policy_named = policy(&limits, &served);
            served
        });
        let routes = routes.collect();
        let table = RouteTable::new(&manifest.routes);
        Served { table, routes, limits, caps: caps(plan), without_store: without_store(plan) }
    }

    /// The first route that matches.
    pub(crate) fn find(&self, method: Method, path: &Path) -> Option<(usize, &ServedRoute)> {
        let index = self.table.find(method, path)?;
        Some((index, self.routes.get(index)?))
    }

    /// A route by its place.
    pub(crate) fn route(&self, index: usize) -> Option<&ServedRoute> {
        self.routes.get(index)
    }

    /// Whether requests go on when the store can't be asked.
    pub(crate) fn is_open_without_store(&self) -> bool {
        self.without_store == WithoutStore::Open
    }

    /// Most that there may be of a resource; nothing where there is no bound.
    pub(crate) fn cap(&self, resource: &Key) -> Option<u64> {
        self.caps.get(resource).copied()
    }
}

impl ServedRoute {
    /// Whether its requests count in a dimension.
    pub(crate) fn concerns(&self, dimension: &Key) -> bool {
        let known = || self.fixed.contains(dimension) || self.reports.contains(dimension.as_str());
        self.is_metered && (dimension.as_str() == REQUESTS || known())
    }

    /// What its backend is expected to report.
    pub(crate) fn estimated_reports(&self) -> impl Iterator<Item = (String, Units)> {
        let is_reported = |meter: &String| self.reports.contains(meter);
        self.estimates.iter().filter(move |(meter, _)| is_reported(meter)).map(|(meter, units)| (meter.clone(), *units))
    }
}

/// The value of `RateLimit-Policy` on a route's answers; nothing where no limit concerns it.
fn policy(limits: &[Limit], route: &ServedRoute) -> Named {
    let concern = limits.iter().filter(|limit| route.concerns(&limit.dimension));
    let told: Vec<String> = concern
        .map(|limit| format!("\"{}\";q={};w={}", limit.dimension, limit.quota(), limit.window_seconds()))
        .collect();
    if told.is_empty() { None } else { named(&told.join(", ")) }
}

/// The features that a plan has: what its gates say, else those that name it and those of its capabilities.
fn features_of(manifest: &Manifest, plan: &Plan) -> BTreeSet<Key> {
    let mut granted: BTreeSet<&Key> = BTreeSet::new();
    let mut open: Vec<&Key> = plan.capabilities.iter().collect();
    let mut features: BTreeSet<Key> = BTreeSet::new();
    while let Some(key) = open.pop() {
        if !granted.insert(key) {
            continue;
        }
        let Some(capability) = manifest.capabilities.iter().find(|capability| capability.key == *key) else { continue };
        features.extend(capability.includes_features.iter().cloned());
        open.extend(&capability.includes_capabilities);
    }
    let named = |feature: &&Feature| feature.plans.contains(&plan.key);
    features.extend(manifest.features.iter().filter(named).map(|feature| feature.key.clone()));
    for (feature, is_open) in &plan.feature_gates {
        if *is_open {
            features.insert(feature.clone());
        } else {
            features.remove(feature);
        }
    }
    features
}

/// What a request of a route costs in a dimension, as far as that is known before it is served.
fn cost(route: &Route, estimates: &BTreeMap<Key, Units>, dimension: &Key) -> Units {
    if !route.metered {
        return Units::ZERO;
    }
    if dimension.as_str() == REQUESTS {
        return Units::ONE;
    }
    route.costs.get(dimension).or_else(|| estimates.get(dimension)).copied().unwrap_or(Units::ZERO)
}

fn backend<'m>(manifest: &'m Manifest, route: &Route) -> Option<&'m Backend> {
    match &route.backend {
        Some(id) => manifest.backends.iter().find(|backend| backend.id == *id),
        None => manifest.backends.iter().find(|backend| backend.default),
    }
}

fn upstream(manifest: &Manifest, route: &Route) -> Upstream {
    let backend = backend(manifest, route);
    let url = backend.and_then(|backend| backend.origin_url.as_ref()).unwrap_or(&manifest.product.origin);
    Upstream {
        backend: backend.map(|backend| backend.id.clone()),
        url: url.trim_end_matches('/').to_owned(),
        is_tunnel: backend.is_some_and(|backend| backend.transport.mode == TransportMode::Tunnel),
        must_prove: backend.is_none_or(|backend| backend.verification.required),
    }
}

/// So many requests of a route may be charged as one: those whose cost is a sum, and can be said. Half of what an item may hold is left to
/// what is reported.
fn together_max(manifest: &Manifest, route: &Route) -> u32 {
    let aggregation = |key: &Key| manifest.meters.iter().find(|meter| meter.key == *key).map(|meter| meter.aggregation);
    let is_sum = |key: &Key| aggregation(key) == Some(Aggregation::Sum);
    // What a meter counts is the requests, whatever else is reported of them.
    let adds_up = route.costs.keys().all(|key| is_sum(key) || aggregation(key) == Some(Aggregation::Count));
    if !adds_up || !route.reports.iter().all(is_sum) {
        return 1;
    }
    let room = Units::from_whole(UNITS_MAX / 2).steps();
    let times = route.costs.values().filter_map(|cost| room.checked_div(cost.steps())).min();
    times.map_or(u32::MAX, |times| u32::try_from(times).unwrap_or(u32::MAX))
}

fn resource(manifest: &Manifest, route: &Route) -> Option<(Key, ResourceEffect)> {
    let id = route.action.as_ref()?;
    let action = manifest.features.iter().flat_map(|feature| &feature.actions).find(|action| action.id == *id)?;
    action.resource.as_ref().map(|changed| (changed.resource.clone(), changed.effect))
}

/// Most of each resource: what the plan says itself, else the most that a capability of it gives.
fn caps(plan: &Plan) -> BTreeMap<Key, u64> {
    let mut caps = BTreeMap::new();
    for grant in &plan.grants {
        let Grant::Capability { limits, .. } = grant else { continue };
        for (resource, most) in limits {
            let known: &mut u64 = caps.entry(resource.clone()).or_insert(*most);
            *known = (*known).max(*most);
        }
    }
    caps.extend(plan.capability_limits.clone());
    caps
}

/// `raw: { gateway: { withoutStore: "open" } }` lets requests through when the store can't be asked.
fn without_store(plan: &Plan) -> WithoutStore {
    let said = plan.raw.get("gateway").and_then(|gateway| gateway.get("withoutStore"));
    match said.and_then(serde_json::Value::as_str) {
        Some("open") => WithoutStore::Open,
        _ => WithoutStore::Closed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn manifest(with: &Json) -> Manifest {
        let mut base = json!({
            "irVersion": 1, "sdkVersion": "0", "product": { "name": "x", "origin": "https://api.example.com/base/", "billOn4xx": false },
            "surfaces": [], "resources": [], "entitlements": [], "workflows": [], "policies": [],
            "meters": [{ "key": "ms", "display": "ms", "estimate": 10, "aggregation": "sum", "managed": false },
                { "key": "calls", "display": "calls", "aggregation": "sum", "managed": false }],
            "capabilities": [
                { "key": "all", "includesFeatures": [], "includesPolicies": [], "includesCapabilities": ["some"] },
                { "key": "some", "includesFeatures": ["b"], "includesPolicies": [], "includesCapabilities": [] }],
            "features": [
                { "key": "a", "plans": ["one"], "policies": [], "actions": [] },
                { "key": "b", "plans": [], "policies": [], "actions": [] }],
            "routes": [
                { "method": "GET", "path": "/a", "feature": "a", "costs": { "calls": 2 }, "reports": ["ms"], "estimates": {},
                    "statusCodes": [{ "from": 200, "to": 299 }], "metered": true },
                { "method": "GET", "path": "/b", "feature": "b", "costs": {}, "reports": [], "estimates": {}, "statusCodes": [],
                    "metered": false, "backend": "far" }],
            "plans": [], "frontend": { "nav": [], "pages": [] }, "raw": {},
            "backends": [{ "id": "far", "transport": { "mode": "tunnel" }, "verification": { "required": true }, "meters": [], "default": false }],
        });
        base.as_object_mut().unwrap().extend(with.as_object().unwrap().clone());
        serde_json::from_value(base).unwrap()
    }

    fn plan(with: &Json) -> Plan {
        let mut base = json!({
            "key": "one", "name": "One", "recurringFeeCents": 0, "currency": "usd", "interval": "month", "capabilityLimits": {},
            "limits": [{ "dimension": "requests", "rate": 5, "interval": "second", "enforcement": "enforce" },
                { "dimension": "ms", "rate": 5, "interval": "second", "enforcement": "track" }],
            "meters": [], "grants": [], "capabilities": [], "featureGates": {}, "trialDays": 0, "overageBehavior": "allow_and_bill",
            "selfServeEnabled": true, "legacy": false, "spendPolicy": { "disclosure": "transparent" }, "raw": {},
        });
        base.as_object_mut().unwrap().extend(with.as_object().unwrap().clone());
        serde_json::from_value(base).unwrap()
    }

    fn entitled(with: &Json) -> [bool; 2] {
        let served = Served::new(&manifest(&json!({})), &plan(with));
        [0, 1].map(|index| served.route(index).unwrap().is_entitled)
    }

    #[test]
    fn a_plan_has_the_features_that_name_it_that_its_capabilities_include_and_that_its_gates_say() {
        assert_eq!(entitled(&json!({})), [true, false]);
        assert_eq!(entitled(&json!({ "key": "two" })), [false, false]);
        assert_eq!(entitled(&json!({ "capabilities": ["all"] })), [true, true], "over another capability");
        assert_eq!(entitled(&json!({ "capabilities": ["all"], "featureGates": { "b": false } })), [true, false]);
        assert_eq!(entitled(&json!({ "featureGates": { "a": false, "b": true } })), [false, true]);
    }

    #[test]
    fn a_route_costs_in_a_dimension_what_is_known_before() {
        let served = Served::new(&manifest(&json!({})), &plan(&json!({})));
        assert_eq!(served.route(0).unwrap().costs, [Units::ONE, Units::from_whole(10)], "the meter's own estimate");
        assert_eq!(served.route(1).unwrap().costs, [Units::ZERO, Units::ZERO], "what is not metered counts in nothing");
    }

    #[test]
    fn money_is_set_aside_where_the_plan_may_refuse_and_the_route_has_a_price() {
        let price = json!([{ "kind": "linear", "meter": "calls", "micros": 1, "per": 1, "includedUnits": 0 }]);
        let held = |with: &Json| Served::new(&manifest(&json!({})), &plan(with)).route(0).unwrap().is_held;
        assert!(!held(&json!({ "meters": price })));
        assert!(!held(&json!({ "overageBehavior": "block" })));
        assert!(held(&json!({ "overageBehavior": "block", "meters": price })));
    }

    #[test]
    fn requests_are_charged_together_where_their_cost_is_a_sum_that_can_be_said() {
        let with = |aggregation: &str, cost: u64| {
            let mut manifest = manifest(&json!({}));
            manifest.meters[0].aggregation = serde_json::from_value(json!(aggregation)).unwrap();
            manifest.routes[0].costs.values_mut().for_each(|units| *units = Units::from_whole(cost));
            Served::new(&manifest, &plan(&json!({}))).route(0).unwrap().together_max
        };
        assert_eq!(with("sum", 2), u32::MAX);
        assert_eq!((with("max", 2), with("count", 2)), (1, 1), "what is reported is no sum");
        assert_eq!(with("sum", UNITS_MAX / 10), 5);
        assert_eq!(with("sum", UNITS_MAX), 0);
    }

    #[test]
    fn a_route_is_served_by_its_backend_or_the_origin() {
        let served = Served::new(&manifest(&json!({})), &plan(&json!({})));
        assert_eq!(served.route(0).unwrap().upstream.url, "https://api.example.com/base");
        let far = served.route(1).unwrap();
        assert!(far.upstream.is_tunnel && far.reports.is_empty());
    }

    #[test]
    fn a_cap_is_the_plans_own_else_the_most_that_a_capability_gives() {
        let grants = json!([
            { "type": "capability", "capability": "some", "limits": { "jobs": 5, "seats": 2 } },
            { "type": "capability", "capability": "all", "limits": { "jobs": 9 } }
        ]);
        let served =
            Served::new(&manifest(&json!({})), &plan(&json!({ "grants": grants, "capabilityLimits": { "seats": 1 } })));
        let cap = |name: &str| served.cap(&Key::try_from(name.to_owned()).unwrap());
        assert_eq!((cap("jobs"), cap("seats"), cap("more")), (Some(9), Some(1), None));
    }

    #[test]
    fn an_author_may_rather_serve_than_ask() {
        let open =
            |raw: &Json| Served::new(&manifest(&json!({})), &plan(&json!({ "raw": raw }))).is_open_without_store();
        assert!(!open(&json!({})) && !open(&json!({ "gateway": { "withoutStore": "closed" } })));
        assert!(open(&json!({ "gateway": { "withoutStore": "open" } })));
    }
}
