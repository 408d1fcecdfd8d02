//! What a plan costs beside its own form: how the meters it prices count, and what routes charge of them. A change of any of it
//! makes another version of the plan, since the same use would cost something else.

use super::ir::{Aggregation, Key, Manifest, Method, Plan, Route, StatusRange};
use crate::money::units::Units;
use crate::rules::routes::parameter_name;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Most pairs of routes that are compared to find free routes in front of charging ones. Past them every free route counts.
const PAIRS_MAX: usize = 1_000_000;

/// By what a plan's meters and the product's routes charge. Two plans of one form and one basis cost the same for the same use.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PriceBasis<'m> {
    /// How each meter that the plan prices counts.
    aggregations: BTreeMap<&'m Key, Aggregation>,
    /// What routes charge of those meters, in order: the first match wins.
    routes: Vec<RouteCharge<'m>>,
}

/// What one route charges of a plan's meters; nothing, where it only stands in front of one that charges.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct RouteCharge<'m> {
    method: Method,
    path: String,
    costs: BTreeMap<&'m Key, Units>,
    reports: BTreeSet<&'m Key>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_codes: Option<&'m [StatusRange]>,
}

impl RouteCharge<'_> {
    fn is_free(&self) -> bool {
        self.costs.is_empty() && self.reports.is_empty()
    }
}

impl<'m> PriceBasis<'m> {
    /// The basis of a plan's prices in a manifest.
    pub fn of(plan: &Plan, manifest: &'m Manifest) -> Self {
        let priced: BTreeSet<&str> = plan.meters.iter().map(|price| price.meter().as_str()).collect();
        let meters = manifest.meters.iter().filter(|meter| priced.contains(meter.key.as_str()));
        let aggregations = meters.map(|meter| (&meter.key, meter.aggregation)).collect();
        let mut routes: Vec<RouteCharge<'m>> = Vec::new();
        if !priced.is_empty() {
            routes.extend(manifest.routes.iter().map(|route| charge(route, &priced)));
            let matters = those_that_matter(&routes);
            let mut matters = matters.into_iter();
            routes.retain(|_| matters.next().unwrap_or(true));
        }
        PriceBasis { aggregations, routes }
    }

    /// Whether the plan prices nothing, so that its form says all.
    pub fn is_empty(&self) -> bool {
        self.aggregations.is_empty() && self.routes.is_empty()
    }
}

fn charge<'m>(route: &'m Route, priced: &BTreeSet<&str>) -> RouteCharge<'m> {
    let counts = |key: &&Key| route.metered && priced.contains(key.as_str());
    let costs: BTreeMap<&Key, Units> = route
        .costs
        .iter()
        .filter(|(key, units)| counts(key) && **units != Units::ZERO)
        .map(|(key, units)| (key, *units))
        .collect();
    let reports: BTreeSet<&Key> = route.reports.iter().filter(counts).collect();
    let status_codes = (!costs.is_empty() || !reports.is_empty()).then_some(route.status_codes.as_slice());
    RouteCharge { method: route.method, path: shape(&route.path), costs, reports, status_codes }
}

/// A path in which all parameters have one name, since the names do not choose what matches.
fn shape(path: &str) -> String {
    let segments = path.split('/').map(|segment| if parameter_name(segment).is_some() { "{}" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

/// Which routes count: those that charge, and the free ones that may answer a request of a later one that does.
fn those_that_matter(routes: &[RouteCharge<'_>]) -> Vec<bool> {
    let mut pairs_left = PAIRS_MAX;
    // The charging routes behind the one being looked at, by method and number of segments.
    let mut behind: BTreeMap<(Method, usize), Vec<&str>> = BTreeMap::new();
    let mut matters = vec![false; routes.len()];
    for (route, matters) in routes.iter().zip(&mut matters).rev() {
        let kind = (route.method, route.path.split('/').count());
        if route.is_free() {
            let charging = behind.get(&kind).map(Vec::as_slice).unwrap_or_default();
            *matters = match pairs_left.checked_sub(charging.len()) {
                Some(left) => {
                    pairs_left = left;
                    charging.iter().any(|path| meet(&route.path, path))
                }
                None => true,
            };
        } else {
            *matters = true;
            behind.entry(kind).or_default().push(&route.path);
        }
    }
    matters
}

/// Whether two paths of as many segments may match one request.
fn meet(one: &str, other: &str) -> bool {
    let mut segments = one.split('/').zip(other.split('/'));
    segments.all(|(one, other)| one == other || one == "{}" || other == "{}")
}
