//! Rules that span several declarations. They read the IR alone, so the same code judges a fresh build and a release that
//! is about to be accepted. Each finding's path is the author's name for the value.

use super::finding::{At, Finding, Findings, Place, Said};
use super::meters::REQUESTS;
use super::routes::{Earlier, PARAMETER_SETS_MAX, Shapes};
use super::{counts, cycles, economics, suggest};
use crate::diagnostic::Code;
use crate::manifest::ir::{
    Aggregation, Capability, ClosedSet, Component, Grant, Key, Manifest, Meter, MeterPrice, Plan, RateLimit, Rates,
    Route,
};
use crate::money::amount::Micros;
use crate::money::cell::{CELL_MAX_BYTES, Cell};
use crate::source::Path;
use crate::work;
use std::collections::{BTreeMap, BTreeSet};

/// Most names that are not declared for which the nearest declared one is looked for.
pub(crate) const SUGGESTIONS_MAX: usize = 50;

/// The broken rules of a manifest: as many errors and as many warnings as [`crate::diagnostic::DIAGNOSTICS_MAX`].
pub fn check(manifest: &Manifest) -> Vec<Finding> {
    let mut findings = Findings::default();
    let costs = manifest.routes.iter().map(|route| route.costs.len()).sum();
    if counts::check(manifest, manifest.routes.len(), costs, &mut findings) {
        check_meaning(manifest, &mut findings);
        economics::packs(manifest, &mut findings);
    }
    findings.into_parts().0.collect()
}

/// Reports what is wrong between the declarations of a manifest whose counts are within their bounds.
pub(crate) fn check_meaning(manifest: &Manifest, findings: &mut Findings) {
    let names = Names::of(manifest);
    let mut checker = Checker { manifest, names, findings, suggestions_left: SUGGESTIONS_MAX };
    checker.surfaces();
    checker.capabilities();
    checker.features();
    checker.routes();
    checker.plans();
    checker.entitlements();
    checker.workflows();
    checker.backends();
    checker.frontend();
    checker.grants_nothing();
    economics::check(manifest, findings);
}

/// The keys of everything declared.
struct Names<'a> {
    meters: BTreeSet<&'a str>,
    declared: BTreeMap<&'a Key, &'a Meter>,
    resources: BTreeSet<&'a str>,
    capabilities: BTreeSet<&'a str>,
    features: BTreeSet<&'a str>,
    plans: BTreeSet<&'a str>,
    actions: BTreeSet<&'a str>,
    backends: BTreeSet<&'a str>,
    policies: BTreeSet<&'a str>,
    /// Meters that a route costs or reports, that a workflow reports, or that only measured values can feed.
    fed: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    fn of(manifest: &'a Manifest) -> Self {
        Names {
            meters: manifest.meters.iter().map(|meter| meter.key.as_str()).collect(),
            declared: manifest.meters.iter().map(|meter| (&meter.key, meter)).collect(),
            resources: manifest.resources.iter().map(|resource| resource.name.as_str()).collect(),
            capabilities: manifest.capabilities.iter().map(|capability| capability.key.as_str()).collect(),
            features: manifest.features.iter().map(|feature| feature.key.as_str()).collect(),
            plans: manifest.plans.iter().map(|plan| plan.key.as_str()).collect(),
            actions: manifest.features.iter().flat_map(|f| f.actions.iter().map(|action| action.id.as_str())).collect(),
            backends: manifest.backends.iter().map(|backend| backend.id.as_str()).collect(),
            policies: manifest.policies.iter().map(|policy| policy.name.as_str()).collect(),
            fed: fed(manifest),
        }
    }

    fn of_kind(&self, kind: Kind) -> (&BTreeSet<&'a str>, Code, &'static str) {
        match kind {
            Kind::Meter => (&self.meters, Code::UnknownMeter, "meter"),
            Kind::Resource => (&self.resources, Code::UnknownResource, "resource"),
            Kind::Capability => (&self.capabilities, Code::UnknownCapability, "capability"),
            Kind::Feature => (&self.features, Code::UnknownFeature, "feature"),
            Kind::Plan => (&self.plans, Code::UnknownPlan, "plan"),
            Kind::Action => (&self.actions, Code::UnknownAction, "action"),
            Kind::Backend => (&self.backends, Code::UnknownBackend, "backend"),
            Kind::Policy => (&self.policies, Code::UnknownPolicy, "policy"),
        }
    }
}

fn fed(manifest: &Manifest) -> BTreeSet<&str> {
    let by_routes = manifest.routes.iter().filter(|route| route.metered);
    let by_routes = by_routes.flat_map(|route| route.costs.keys().chain(&route.reports));
    let measured = manifest
        .meters
        .iter()
        .filter(|meter| matches!(meter.aggregation, Aggregation::Unique | Aggregation::TimeWeighted));
    let by_routes = by_routes.chain(measured.map(|meter| &meter.key));
    by_routes.chain(manifest.workflows.iter().flat_map(|workflow| &workflow.meters)).map(Key::as_str).collect()
}

/// What a reference may name.
#[derive(Clone, Copy)]
enum Kind {
    Meter,
    Resource,
    Capability,
    Feature,
    Plan,
    Action,
    Backend,
    Policy,
}

struct Checker<'a, 'f> {
    manifest: &'a Manifest,
    names: Names<'a>,
    findings: &'f mut Findings,
    suggestions_left: usize,
}

impl<'a> Checker<'a, '_> {
    fn report(&mut self, code: Code, at: At, say: impl FnOnce() -> Said) {
        self.findings.say(code, at, say);
    }

    /// Reports a reference to something that is not declared. Returns whether it is.
    fn refer(&mut self, kind: Kind, key: &Key, at: At, path: impl FnOnce() -> Path) -> bool {
        let (names, code, what) = self.names.of_kind(kind);
        work::step();
        let is_declared = names.contains(key.as_str());
        if !is_declared {
            let suggestions_left = &mut self.suggestions_left;
            self.findings.report(code, || {
                let message = format!("there is no {what} {:?}", key.as_str());
                let hint = suggest_within(suggestions_left, key, names.iter().copied());
                Finding { code, message, hint, path: path(), place: Place::Path(at) }
            });
        }
        is_declared
    }

    fn refer_all(&mut self, kind: Kind, keys: &[Key], path: &Path) {
        for key in keys {
            self.refer(kind, key, At::Value, || path.join(key.as_str()));
        }
    }

    fn surfaces(&mut self) {
        for surface in &self.manifest.surfaces {
            if let Some(key) = &surface.capability {
                self.refer(Kind::Capability, key, At::Value, || Path::new(["surfaces", &surface.id(), "capability"]));
            }
        }
    }

    fn capabilities(&mut self) {
        for capability in &self.manifest.capabilities {
            let path = Path::new(["capabilities", capability.key.as_str()]);
            self.refer_all(Kind::Feature, &capability.includes_features, &path.join("includesFeatures"));
            self.refer_all(Kind::Policy, &capability.includes_policies, &path.join("includesPolicies"));
            self.refer_all(Kind::Capability, &capability.includes_capabilities, &path.join("includesCapabilities"));
        }
        self.capability_cycles();
    }

    fn capability_cycles(&mut self) {
        let capabilities = &self.manifest.capabilities;
        let numbers = self.numbers_of_capabilities();
        let edges = |capability: &Capability| -> Vec<usize> {
            capability.includes_capabilities.iter().filter_map(|key| numbers.get(key.as_str()).copied()).collect()
        };
        let on_circles = cycles::on_circles(&capabilities.iter().map(edges).collect::<Vec<_>>());
        for (capability, _) in capabilities.iter().zip(on_circles).filter(|(_, on_circle)| *on_circle) {
            let key = capability.key.as_str();
            self.report(Code::CapabilityCycle, At::Value, || {
                let message = format!("the capability {key:?} includes itself, over others or directly");
                (Path::new(["capabilities", key, "includesCapabilities"]), message, None)
            });
        }
    }

    fn numbers_of_capabilities(&self) -> BTreeMap<&'a str, usize> {
        let mut numbers = BTreeMap::new();
        for (number, capability) in self.manifest.capabilities.iter().enumerate() {
            numbers.entry(capability.key.as_str()).or_insert(number);
        }
        numbers
    }

    fn features(&mut self) {
        let mut actions = BTreeSet::new();
        for feature in &self.manifest.features {
            let path = Path::new(["features", feature.key.as_str()]);
            self.refer_all(Kind::Plan, &feature.plans, &path.join("plans"));
            self.refer_all(Kind::Policy, &feature.policies, &path.join("policies"));
            for (index, action) in feature.actions.iter().enumerate() {
                let path = path.join("actions").join(index);
                if !actions.insert(action.id.as_str()) {
                    self.report(Code::DuplicateAction, At::Value, || {
                        (path.join("id"), format!("there are two actions {:?}", action.id.as_str()), None)
                    });
                }
                if let Some(resource) = &action.resource {
                    self.refer(Kind::Resource, &resource.resource, At::Value, || {
                        path.join("resource").join("resource")
                    });
                }
            }
        }
    }

    fn routes(&mut self) {
        let manifest = self.manifest;
        let mut earlier = Shapes::default();
        let mut crowded = None;
        for (index, route) in manifest.routes.iter().enumerate() {
            self.route_references(route);
            match earlier.visit(route, index) {
                Earlier::None => {}
                Earlier::TooManySets => crowded = crowded.or(Some(route)),
                Earlier::Hides(earlier) => {
                    if let Some(earlier) = manifest.routes.get(earlier) {
                        self.route_hidden(route, earlier);
                    }
                }
            }
        }
        if let Some(route) = crowded {
            self.parameters_everywhere(route);
        }
    }

    fn parameters_everywhere(&mut self, route: &Route) {
        self.report(Code::TooManyDeclarations, At::Key, || {
            let message = format!(
                "with {:?} the {} routes of its length have parameters at more than {PARAMETER_SETS_MAX} different sets of places",
                route.name(),
                route.method.as_str()
            );
            (route_path(route), message, None)
        });
    }

    /// `earlier` has the same method.
    fn route_hidden(&mut self, route: &Route, earlier: &Route) {
        if route.path == earlier.path {
            self.report(Code::DuplicateRoute, At::Key, || {
                let (name, first, second) = (route.name(), earlier.feature.as_str(), route.feature.as_str());
                let message = format!("the route {name:?} is declared twice, in the features {first:?} and {second:?}");
                (route_path(route), message, None)
            });
        } else {
            self.report(Code::RouteShadowed, At::Key, || {
                let (name, other) = (route.name(), earlier.name());
                let message =
                    format!("the route {name:?} is never reached: {other:?} stands before it and matches all of it");
                (route_path(route), message, Some("declare the narrower route first".to_owned()))
            });
        }
    }

    fn route_references(&mut self, route: &Route) {
        for meter in route.costs.keys() {
            self.refer(Kind::Meter, meter, At::Key, || route_path(route).join("cost").join(meter.as_str()));
        }
        for meter in &route.reports {
            self.refer(Kind::Meter, meter, At::Value, || route_path(route).join("reports").join(meter.as_str()));
            if route.costs.contains_key(meter) {
                self.cost_and_report(route, meter);
            }
        }
        self.route_estimates(route);
        if let Some(action) = &route.action {
            self.refer(Kind::Action, action, At::Value, || route_path(route).join("action"));
        }
        if let Some(backend) = &route.backend {
            self.refer(Kind::Backend, backend, At::Value, || route_path(route).join("backend"));
        }
    }

    fn cost_and_report(&mut self, route: &Route, meter: &Key) {
        self.report(Code::MeterCostAndReport, At::Key, || {
            let message = format!(
                "the meter {:?} is both a fixed cost and a dynamic report of the route {:?}",
                meter.as_str(),
                route.name()
            );
            let hint =
                "keep one of the two; where the cost is the meter's `routeDefault`, set `inheritDefaultMeters: false`";
            (route_path(route).join("cost").join(meter.as_str()), message, Some(hint.to_owned()))
        });
    }

    fn route_estimates(&mut self, route: &Route) {
        if route.estimates.is_empty() {
            return;
        }
        let bound: BTreeSet<&Key> = route.costs.keys().chain(&route.reports).filter(|_| route.metered).collect();
        for meter in route.estimates.keys().filter(|meter| !bound.contains(meter)) {
            let owner = || format!("the route {:?}", route.name());
            self.unbound_estimate(meter, owner, || route_path(route).join("estimates").join(meter.as_str()));
        }
    }

    fn unbound_estimate(&mut self, meter: &Key, owner: impl FnOnce() -> String, path: impl FnOnce() -> Path) {
        let names = &self.names.meters;
        let suggestions_left = &mut self.suggestions_left;
        let code = Code::EstimateMeterUnbound;
        self.findings.report(code, || {
            let (owner, key) = (owner(), meter.as_str());
            let (message, hint) = if names.contains(key) {
                (format!("{owner} estimates the meter {key:?}, which it neither costs nor reports"), None)
            } else {
                let hint = suggest_within(suggestions_left, meter, names.iter().copied());
                (format!("{owner} estimates the meter {key:?}, which is not declared"), hint)
            };
            Finding { code, message, hint, path: path(), place: Place::Path(At::Key) }
        });
    }

    fn plans(&mut self) {
        for plan in &self.manifest.plans {
            let path = Path::new(["plans", plan.key.as_str()]);
            if plan.limits.is_empty() {
                self.report(Code::PlanRateLimitRequired, At::Value, || {
                    let message =
                        format!("the plan {:?} has no rate limit; every plan needs at least one", plan.key.as_str());
                    let hint = "such as limits: { requests: { rate: 60, interval: \"minute\" } }";
                    (path.clone(), message, Some(hint.to_owned()))
                });
            }
            self.rate_limits(&plan.limits, &path.join("limits"));
            self.plan_references(plan, &path);
        }
    }

    fn rate_limits(&mut self, limits: &[RateLimit], path: &Path) {
        for limit in limits {
            if limit.dimension.as_str() != REQUESTS {
                self.refer(Kind::Meter, &limit.dimension, At::Key, || path.join(limit.dimension.as_str()));
            }
        }
    }

    /// Free units of a meter for each unit of one whose own free units go by the first: neither says how many.
    fn included_in_a_circle(
        &mut self,
        going_by: &BTreeSet<(&Key, &Key)>,
        (meter, per): (&Key, &Key),
        path: impl Fn() -> Path,
    ) {
        work::step();
        if per == meter || going_by.contains(&(per, meter)) {
            self.report(Code::IncludedUnitsCircle, At::Value, || {
                let (meter, per) = (meter.as_str(), per.as_str());
                let message = format!("the free units of {meter:?} go by {per:?}, and those of {per:?} by {meter:?}");
                let hint = "let them go by a meter whose own free units are a number, or that has none";
                (path(), message, Some(hint.to_owned()))
            });
        }
    }

    /// Rates nest as the meter's attributes do, and a meter with attributes has no other price.
    fn rates_form(&mut self, plan: &Plan, price: &MeterPrice, path: impl Fn() -> Path) {
        let Some(by) = self.names.declared.get(price.meter()).map(|meter| meter.by.as_slice()) else { return };
        let names = || by.iter().map(Key::as_str).collect::<Vec<_>>();
        let MeterPrice::Rates { rates, .. } = price else {
            if !by.is_empty() {
                self.report(Code::RatesForm, At::Key, || {
                    let message = format!(
                        "the plan {:?} has one price for the meter {:?}, which counts by {}",
                        plan.key.as_str(),
                        price.meter().as_str(),
                        suggest::list(&names())
                    );
                    (path(), message, Some("write `rates`, nested in the order of `by`".to_owned()))
                });
            }
            return;
        };
        let cells = Rates::cells_of(rates);
        self.long_cell(price.meter(), &cells, || path().join("rates"));
        let wrong = cells.into_iter().find(|(values, _)| values.len() != by.len());
        if let Some((values, _)) = wrong.filter(|_| !by.is_empty()) {
            self.report(Code::RatesForm, At::Value, || {
                let message = format!(
                    "the rate of {} has {} of the attributes {} of the meter {:?}",
                    suggest::list(&values.iter().map(String::as_str).collect::<Vec<_>>()),
                    values.len(),
                    suggest::list(&names()),
                    price.meter().as_str()
                );
                let path = values.iter().fold(path().join("rates"), |path, value| path.join(value.as_str()));
                (path, message, Some("nest the rates in the order of `by`, one level for each attribute".to_owned()))
            });
        } else if by.is_empty() {
            self.report(Code::RatesForm, At::Key, || {
                let message =
                    format!("the meter {:?} has rates, and no attributes to tell them apart", price.meter().as_str());
                let hint = "declare them at the meter: `by: [\"model\"]`";
                (path().join("rates"), message, Some(hint.to_owned()))
            });
        }
    }

    /// A rate whose cell no report can name.
    fn long_cell(&mut self, meter: &Key, cells: &[(Vec<String>, Micros)], path: impl Fn() -> Path) {
        let is_long = |(values, _): &&(Vec<String>, Micros)| !Cell::new(meter.clone(), values.clone()).fits();
        if let Some((values, _)) = cells.iter().find(is_long) {
            self.report(Code::RatesForm, At::Key, || {
                let path = values.iter().fold(path(), |path, value| path.join(value.as_str()));
                let message = format!(
                    "the meter's key and the values of its attributes, as a JSON array, have more than {CELL_MAX_BYTES} bytes"
                );
                (path, message, Some("say less in each value".to_owned()))
            });
        }
    }

    /// Meters that use up free units together.
    fn pools(&mut self, plan: &Plan, path: &Path) {
        let mut pooled = BTreeSet::new();
        let free = plan.meters.iter().filter(|price| !price.included().is_nothing()).map(MeterPrice::meter);
        let free: BTreeSet<&Key> = free.collect();
        for (key, pool) in &plan.pools {
            for meter in pool.meters.keys() {
                let path = || path.join("pools").join(key.as_str()).join("meters").join(meter.as_str());
                if !self.refer(Kind::Meter, meter, At::Key, path) {
                    continue;
                }
                let aggregation = self.names.declared.get(meter).map(|known| known.aggregation);
                let problem = if !matches!(aggregation, Some(Aggregation::Sum | Aggregation::Count)) {
                    "does not add up what is reported"
                } else if !pooled.insert(meter) {
                    "is in another pool of the plan"
                } else if free.contains(meter) {
                    "has free units of its own"
                } else {
                    continue;
                };
                let lasts = aggregation == Some(Aggregation::TimeWeighted);
                let hint =
                    lasts.then_some("credit that recurs pays for levels that last beside other usage: `creditGrant`");
                self.report(Code::PoolMeter, At::Key, || {
                    let message = format!(
                        "the pool {:?} of the plan {:?} names the meter {:?}, which {problem}",
                        key.as_str(),
                        plan.key.as_str(),
                        meter.as_str()
                    );
                    (path(), message, hint.map(str::to_owned))
                });
            }
        }
    }

    fn plan_references(&mut self, plan: &Plan, path: &Path) {
        for resource in plan.capability_limits.keys() {
            self.refer(Kind::Resource, resource, At::Key, || path.join("caps").join(resource.as_str()));
        }
        // Each meter whose free units go by another, with that one.
        let going_by = plan.meters.iter().filter_map(|price| Some((price.meter(), price.included().per()?)));
        let going_by: BTreeSet<(&Key, &Key)> = going_by.collect();
        for price in &plan.meters {
            let path = || path.join("meter").join(price.meter().as_str());
            if self.refer(Kind::Meter, price.meter(), At::Key, path) && !self.names.fed.contains(price.meter().as_str())
            {
                self.report(Code::PricedMeterUnbound, At::Key, || {
                    let message = format!(
                        "the plan {:?} prices the meter {:?}, which no route and no workflow feeds",
                        plan.key.as_str(),
                        price.meter().as_str()
                    );
                    (path(), message, None)
                });
            }
            self.rates_form(plan, price, path);
            if let Some(per) = price.included().per() {
                let path = || path().join("includedUnits").join("per");
                self.refer(Kind::Meter, per, At::Value, path);
                self.included_in_a_circle(&going_by, (price.meter(), per), path);
            }
        }
        self.pools(plan, path);
        for (place, grant) in plan.grants.iter().enumerate() {
            for meter in grant.meters().into_iter().flatten() {
                let path = || path.join("grants").join(place).join("meters").join(meter.as_str());
                self.refer(Kind::Meter, meter, At::Value, path);
            }
            if let Grant::Capability { capability, limits } = grant {
                let path = path.join("grants").join(capability.as_str());
                self.refer(Kind::Capability, capability, At::Value, || path.join("capability"));
                for resource in limits.keys() {
                    self.refer(Kind::Resource, resource, At::Key, || path.join("limits").join(resource.as_str()));
                }
            }
        }
        let granted: BTreeSet<&Key> = plan.grants.iter().filter_map(granted_capability).collect();
        for key in plan.capabilities.iter().filter(|key| !granted.contains(key)) {
            self.refer(Kind::Capability, key, At::Value, || path.join("capabilities").join(key.as_str()));
        }
        for feature in plan.feature_gates.keys() {
            self.refer(Kind::Feature, feature, At::Key, || path.join("featureGates").join(feature.as_str()));
        }
    }

    fn entitlements(&mut self) {
        for entitlement in &self.manifest.entitlements {
            let path = Path::new(["entitlements", entitlement.key.as_str()]);
            self.refer_all(Kind::Capability, &entitlement.capabilities, &path.join("capabilities"));
            self.refer_all(Kind::Meter, &entitlement.meters, &path.join("meters"));
            self.rate_limits(&entitlement.limits, &path.join("limits"));
            for feature in entitlement.feature_gates.keys() {
                self.refer(Kind::Feature, feature, At::Key, || path.join("featureGates").join(feature.as_str()));
            }
            for resource in entitlement.capability_limits.keys() {
                self.refer(Kind::Resource, resource, At::Key, || path.join("limits").join(resource.as_str()));
            }
        }
    }

    fn workflows(&mut self) {
        for workflow in &self.manifest.workflows {
            let path = Path::new(["workflows", workflow.key.as_str()]);
            self.refer_all(Kind::Capability, &workflow.capabilities, &path.join("capabilities"));
            self.refer_all(Kind::Meter, &workflow.meters, &path.join("meters"));
            let reported: BTreeSet<&Key> = workflow.meters.iter().collect();
            for meter in workflow.estimates.keys().filter(|meter| !reported.contains(meter)) {
                let owner = || format!("the workflow {:?}", workflow.key.as_str());
                self.unbound_estimate(meter, owner, || path.join("estimates").join(meter.as_str()));
            }
        }
    }

    fn backends(&mut self) {
        for backend in &self.manifest.backends {
            let path = Path::new(["backends", backend.id.as_str(), "meters"]);
            self.refer_all(Kind::Meter, backend.meters.as_deref().unwrap_or_default(), &path);
        }
    }

    fn frontend(&mut self) {
        let path = Path::new(["frontend"]);
        for (index, entry) in self.manifest.frontend.nav.iter().enumerate() {
            if let Some(key) = &entry.capability {
                self.refer(Kind::Capability, key, At::Value, || path.join("nav").join(index).join("capability"));
            }
        }
        for (index, page) in self.manifest.frontend.pages.iter().enumerate() {
            let path = path.join("pages").join(index);
            if let Some(key) = &page.capability {
                self.refer(Kind::Capability, key, At::Value, || path.join("capability"));
            }
            for (index, component) in page.components.iter().enumerate() {
                self.component(component, &path.join("components").join(index));
            }
        }
    }

    /// The props `meter` and `feature` are references; all others are the component's own.
    fn component(&mut self, component: &Component, path: &Path) {
        if let Some(key) = &component.capability {
            self.refer(Kind::Capability, key, At::Value, || path.join("capability"));
        }
        for (prop, kind) in [("meter", Kind::Meter), ("feature", Kind::Feature)] {
            let named = component.props.get(prop).and_then(|value| value.as_str());
            if let Some(key) = named.and_then(|text| Key::try_from(text.to_owned()).ok()) {
                self.refer(kind, &key, At::Value, || path.join("props").join(prop));
            }
        }
    }

    fn grants_nothing(&mut self) {
        let granted = self.granted_capabilities();
        for capability in &self.manifest.capabilities {
            let key = capability.key.as_str();
            if !granted.contains(key) {
                self.report(Code::CapabilityUngranted, At::Value, || {
                    let message = format!("the capability {key:?} is granted by no plan");
                    (Path::new(["capabilities", key]), message, None)
                });
            }
        }
        let opened = self.opened_features(&granted);
        for feature in &self.manifest.features {
            let key = feature.key.as_str();
            if feature.plans.is_empty() && !opened.contains(key) {
                self.report(Code::FeatureUngranted, At::Value, || {
                    let message = format!("the feature {key:?} is granted by no plan");
                    (Path::new(["features", key]), message, None)
                });
            }
        }
    }

    /// Features that a granted capability brings or that a plan's gate opens.
    fn opened_features(&self, granted: &BTreeSet<&str>) -> BTreeSet<&'a str> {
        let capabilities = self.manifest.capabilities.iter().filter(|c| granted.contains(c.key.as_str()));
        let brought = capabilities.flat_map(|capability| &capability.includes_features);
        let gates = self.manifest.plans.iter().flat_map(|plan| &plan.feature_gates);
        let opened = gates.filter(|(_, is_open)| **is_open).map(|(feature, _)| feature);
        brought.chain(opened).map(Key::as_str).collect()
    }

    /// Capabilities that some plan grants, and those they include.
    fn granted_capabilities(&self) -> BTreeSet<&'a str> {
        let numbers = self.numbers_of_capabilities();
        let mut granted = BTreeSet::new();
        let mut open: Vec<&'a str> =
            self.manifest.plans.iter().flat_map(|plan| plan.capabilities.iter().map(Key::as_str)).collect();
        while let Some(key) = open.pop() {
            if granted.insert(key) {
                let found = numbers.get(key).and_then(|number| self.manifest.capabilities.get(*number));
                open.extend(
                    found.into_iter().flat_map(|capability| capability.includes_capabilities.iter().map(Key::as_str)),
                );
            }
        }
        granted
    }
}

/// The declared name that is meant, while names are still looked for.
pub(crate) fn suggest_within<'a>(
    left: &mut usize,
    key: &Key,
    names: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> Option<String> {
    *left = left.checked_sub(1)?;
    suggest::hint(key.as_str(), names)
}

fn granted_capability(grant: &Grant) -> Option<&Key> {
    match grant {
        Grant::Capability { capability, .. } => Some(capability),
        _ => None,
    }
}

fn route_path(route: &Route) -> Path {
    Path::new(["features", route.feature.as_str(), "routes", &route.name()])
}
