//! Rules that span several declarations. They read the IR alone, so the same code judges a fresh build and a release that
//! is about to be accepted. Each finding's path is the author's name for the value.

use super::finding::{At, Finding, Place};
use super::meters::REQUESTS;
use super::{routes, suggest};
use crate::diagnostic::Code;
use crate::manifest::ir::{ClosedSet, Component, Grant, Key, Manifest, Plan, RateLimit, Route};
use crate::source::Path;
use std::collections::BTreeSet;

/// Every broken rule of a manifest, errors and warnings.
pub fn check(manifest: &Manifest) -> Vec<Finding> {
    let mut checker = Checker { manifest, names: Names::of(manifest), findings: Vec::new() };
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
    checker.findings
}

/// The keys of everything declared.
struct Names<'a> {
    meters: BTreeSet<&'a str>,
    resources: BTreeSet<&'a str>,
    capabilities: BTreeSet<&'a str>,
    features: BTreeSet<&'a str>,
    plans: BTreeSet<&'a str>,
    actions: BTreeSet<&'a str>,
    backends: BTreeSet<&'a str>,
    policies: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    fn of(manifest: &'a Manifest) -> Self {
        Names {
            meters: manifest.meters.iter().map(|meter| meter.key.as_str()).collect(),
            resources: manifest.resources.iter().map(|resource| resource.name.as_str()).collect(),
            capabilities: manifest.capabilities.iter().map(|capability| capability.key.as_str()).collect(),
            features: manifest.features.iter().map(|feature| feature.key.as_str()).collect(),
            plans: manifest.plans.iter().map(|plan| plan.key.as_str()).collect(),
            actions: manifest.features.iter().flat_map(|f| f.actions.iter().map(|action| action.id.as_str())).collect(),
            backends: manifest.backends.iter().map(|backend| backend.id.as_str()).collect(),
            policies: manifest.policies.iter().map(|policy| policy.name.as_str()).collect(),
        }
    }
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

struct Checker<'a> {
    manifest: &'a Manifest,
    names: Names<'a>,
    findings: Vec<Finding>,
}

impl<'a> Checker<'a> {
    fn push(&mut self, code: Code, at: At, path: Path, message: String, hint: Option<String>) {
        self.findings.push(Finding { code, message, hint, path, place: Place::Path(at) });
    }

    fn names(&self, kind: Kind) -> (&BTreeSet<&'a str>, Code, &'static str) {
        match kind {
            Kind::Meter => (&self.names.meters, Code::UnknownMeter, "meter"),
            Kind::Resource => (&self.names.resources, Code::UnknownResource, "resource"),
            Kind::Capability => (&self.names.capabilities, Code::UnknownCapability, "capability"),
            Kind::Feature => (&self.names.features, Code::UnknownFeature, "feature"),
            Kind::Plan => (&self.names.plans, Code::UnknownPlan, "plan"),
            Kind::Action => (&self.names.actions, Code::UnknownAction, "action"),
            Kind::Backend => (&self.names.backends, Code::UnknownBackend, "backend"),
            Kind::Policy => (&self.names.policies, Code::UnknownPolicy, "policy"),
        }
    }

    /// Reports a reference to something that is not declared. Returns whether it is.
    fn refer(&mut self, kind: Kind, key: &Key, at: At, path: impl FnOnce() -> Path) -> bool {
        let (names, code, what) = self.names(kind);
        if names.contains(key.as_str()) {
            return true;
        }
        let message = format!("there is no {what} {:?}", key.as_str());
        let hint = suggest::hint(key.as_str(), names.iter().copied());
        self.push(code, at, path(), message, hint);
        false
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

    /// A capability that is reached by what it includes is on a circle.
    fn capability_cycles(&mut self) {
        let manifest = self.manifest;
        let includes = |key: &str| {
            let found = manifest.capabilities.iter().find(|capability| capability.key.as_str() == key);
            found.map(|capability| capability.includes_capabilities.as_slice()).unwrap_or_default()
        };
        for capability in &manifest.capabilities {
            let key = capability.key.as_str();
            let mut open: Vec<&str> = includes(key).iter().map(Key::as_str).collect();
            let mut reached = BTreeSet::new();
            while let Some(inner) = open.pop() {
                if reached.insert(inner) {
                    open.extend(includes(inner).iter().map(Key::as_str));
                }
            }
            if reached.contains(key) {
                let message = format!("the capability {key:?} includes itself, over others or directly");
                let path = Path::new(["capabilities", key, "includesCapabilities"]);
                self.push(Code::CapabilityCycle, At::Value, path, message, None);
            }
        }
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
                    let message = format!("there are two actions {:?}", action.id.as_str());
                    self.push(Code::DuplicateAction, At::Value, path.join("id"), message, None);
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
        let mut earlier = routes::Shapes::default();
        for (index, route) in manifest.routes.iter().enumerate() {
            let path = route_path(route);
            self.route_references(route, &path);
            let hiding = earlier.first_hiding(route).and_then(|earlier| manifest.routes.get(earlier));
            earlier.insert(route, index);
            if let Some(other) = hiding {
                self.route_hidden(route, other, path);
            }
        }
    }

    fn route_hidden(&mut self, route: &Route, earlier: &Route, path: Path) {
        let (name, other) = (route_name(route), route_name(earlier));
        if name == other {
            let message = format!(
                "the route {name:?} is declared twice, in the features {:?} and {:?}",
                earlier.feature.as_str(),
                route.feature.as_str()
            );
            self.push(Code::DuplicateRoute, At::Key, path, message, None);
        } else {
            let message =
                format!("the route {name:?} is never reached: {other:?} stands before it and matches all of it");
            self.push(Code::RouteShadowed, At::Key, path, message, Some("declare the narrower route first".to_owned()));
        }
    }

    fn route_references(&mut self, route: &Route, path: &Path) {
        for meter in route.costs.keys() {
            self.refer(Kind::Meter, meter, At::Key, || path.join("cost").join(meter.as_str()));
        }
        for meter in &route.reports {
            self.refer(Kind::Meter, meter, At::Value, || path.join("reports").join(meter.as_str()));
            if route.costs.contains_key(meter) {
                let message = format!(
                    "the meter {:?} is both a fixed cost and a dynamic report of the route {:?}",
                    meter.as_str(),
                    route_name(route)
                );
                let hint = "keep one of the two; where the cost is the meter's `routeDefault`, set `inheritDefaultMeters: false`";
                self.push(
                    Code::MeterCostAndReport,
                    At::Key,
                    path.join("cost").join(meter.as_str()),
                    message,
                    Some(hint.to_owned()),
                );
            }
        }
        for meter in route.estimates.keys() {
            let bound = route.metered && (route.costs.contains_key(meter) || route.reports.contains(meter));
            if !bound {
                self.unbound_estimate(
                    meter,
                    &format!("the route {:?}", route_name(route)),
                    path.join("estimates").join(meter.as_str()),
                );
            }
        }
        if let Some(action) = &route.action {
            self.refer(Kind::Action, action, At::Value, || path.join("action"));
        }
        if let Some(backend) = &route.backend {
            self.refer(Kind::Backend, backend, At::Value, || path.join("backend"));
        }
    }

    fn unbound_estimate(&mut self, meter: &Key, owner: &str, path: Path) {
        let declared = self.names.meters.contains(meter.as_str());
        let (message, hint) = if declared {
            (format!("{owner} estimates the meter {:?}, which it neither costs nor reports", meter.as_str()), None)
        } else {
            let hint = suggest::hint(meter.as_str(), self.names.meters.iter().copied());
            (format!("{owner} estimates the meter {:?}, which is not declared", meter.as_str()), hint)
        };
        self.push(Code::EstimateMeterUnbound, At::Key, path, message, hint);
    }

    fn plans(&mut self) {
        for plan in &self.manifest.plans {
            let path = Path::new(["plans", plan.key.as_str()]);
            if plan.limits.is_empty() {
                let message =
                    format!("the plan {:?} has no rate limit; every plan needs at least one", plan.key.as_str());
                let hint = "such as limits: { requests: { rate: 60, interval: \"minute\" } }";
                self.push(Code::PlanRateLimitRequired, At::Value, path.clone(), message, Some(hint.to_owned()));
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

    fn plan_references(&mut self, plan: &Plan, path: &Path) {
        for resource in plan.capability_limits.keys() {
            self.refer(Kind::Resource, resource, At::Key, || path.join("caps").join(resource.as_str()));
        }
        for price in &plan.meters {
            let path = path.join("meter").join(price.meter().as_str());
            if self.refer(Kind::Meter, price.meter(), At::Key, || path.clone()) && !self.is_fed(price.meter()) {
                let message = format!(
                    "the plan {:?} prices the meter {:?}, which no route and no workflow feeds",
                    plan.key.as_str(),
                    price.meter().as_str()
                );
                self.push(Code::PricedMeterUnbound, At::Key, path, message, None);
            }
        }
        for grant in &plan.grants {
            if let Grant::Capability { capability, limits } = grant {
                let path = path.join("grants").join(capability.as_str());
                self.refer(Kind::Capability, capability, At::Value, || path.join("capability"));
                for resource in limits.keys() {
                    self.refer(Kind::Resource, resource, At::Key, || path.join("limits").join(resource.as_str()));
                }
            }
        }
        let granted: Vec<&Key> = plan.grants.iter().filter_map(granted_capability).collect();
        for key in plan.capabilities.iter().filter(|key| !granted.contains(key)) {
            self.refer(Kind::Capability, key, At::Value, || path.join("capabilities").join(key.as_str()));
        }
        for feature in plan.feature_gates.keys() {
            self.refer(Kind::Feature, feature, At::Key, || path.join("featureGates").join(feature.as_str()));
        }
    }

    fn is_fed(&self, meter: &Key) -> bool {
        let by_route = self
            .manifest
            .routes
            .iter()
            .any(|route| route.metered && (route.costs.contains_key(meter) || route.reports.contains(meter)));
        by_route || self.manifest.workflows.iter().any(|workflow| workflow.meters.contains(meter))
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
            for meter in workflow.estimates.keys().filter(|meter| !workflow.meters.contains(meter)) {
                let owner = format!("the workflow {:?}", workflow.key.as_str());
                self.unbound_estimate(meter, &owner, path.join("estimates").join(meter.as_str()));
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
        let plans = &self.manifest.plans;
        let granted: BTreeSet<&str> = self.granted_capabilities();
        for capability in &self.manifest.capabilities {
            if !granted.contains(capability.key.as_str()) {
                let message = format!("the capability {:?} is granted by no plan", capability.key.as_str());
                self.push(
                    Code::CapabilityUngranted,
                    At::Value,
                    Path::new(["capabilities", capability.key.as_str()]),
                    message,
                    None,
                );
            }
        }
        let by_capability: BTreeSet<&str> = (self.manifest.capabilities.iter())
            .filter(|capability| granted.contains(capability.key.as_str()))
            .flat_map(|capability| capability.includes_features.iter().map(Key::as_str))
            .collect();
        for feature in &self.manifest.features {
            let gated = plans.iter().any(|plan| plan.feature_gates.get(feature.key.as_str()) == Some(&true));
            if feature.plans.is_empty() && !gated && !by_capability.contains(feature.key.as_str()) {
                let message = format!("the feature {:?} is granted by no plan", feature.key.as_str());
                self.push(
                    Code::FeatureUngranted,
                    At::Value,
                    Path::new(["features", feature.key.as_str()]),
                    message,
                    None,
                );
            }
        }
    }

    /// Capabilities that some plan grants, and those they include.
    fn granted_capabilities(&self) -> BTreeSet<&'a str> {
        let mut granted = BTreeSet::new();
        let mut open: Vec<&'a str> =
            self.manifest.plans.iter().flat_map(|plan| plan.capabilities.iter().map(Key::as_str)).collect();
        while let Some(key) = open.pop() {
            if granted.insert(key) {
                let found = self.manifest.capabilities.iter().find(|capability| capability.key.as_str() == key);
                open.extend(
                    found.into_iter().flat_map(|capability| capability.includes_capabilities.iter().map(Key::as_str)),
                );
            }
        }
        granted
    }
}

fn granted_capability(grant: &Grant) -> Option<&Key> {
    match grant {
        Grant::Capability { capability, .. } => Some(capability),
        _ => None,
    }
}

fn route_name(route: &Route) -> String {
    format!("{} {}", route.method.as_str(), route.path)
}

fn route_path(route: &Route) -> Path {
    Path::new(["features", route.feature.as_str(), "routes", &route_name(route)])
}
