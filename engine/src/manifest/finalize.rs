//! Registry to Manifest IR: reads every declaration, adds defaults, lowers routes, and says everything that is wrong in one
//! go. Total: whatever the registry holds, it ends with a manifest or with at least one error.

use super::ir::{Frontend, IR_VERSION, Key, Manifest, Meter, MeterPrice, Product, Resource, Route, StatusRange};
use super::locate::{Index, Locator, Matched, matching_class};
use super::misuse::{count_decorators, each_once, lost_classes, misuse_diagnostic};
use crate::diagnostic::{self, Bounded, Code, Diagnostic};
use crate::money::units::Units;
use crate::registry::{Absence, Declaration, Registry, Value};
use crate::rules::features::RouteDraft;
use crate::rules::finding::{At, Finding, Findings, Place};
use crate::rules::reader::{Node, Sink};
use crate::rules::{
    backends, capabilities, counts, entitlements, features, frontend, meters, plans, policies, product, raw, resources,
    semantics, surfaces, workflows,
};
use crate::source::{ClassSite, Path, Segment, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What a registry came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Finalized {
    /// The manifest, when nothing is wrong with it.
    pub manifest: Option<Manifest>,
    /// Everything there is to say, ordered by position. Holds an error exactly when there is no manifest.
    pub diagnostics: Vec<Diagnostic>,
}

/// Makes the IR of a registry. `classes` says where the declarations stand in the source; it serves positions, and
/// tells whether the class has a name of its own.
pub fn finalize(registry: &Registry, classes: &[ClassSite]) -> Finalized {
    let sink = Sink::default();
    let class = matching_class(registry, classes);
    let mut assembly = Assembly::new(registry, class_name(registry, class.as_ref()), &sink);
    assembly.check_export();
    for (index, declaration) in registry.declarations.iter().enumerate() {
        assembly.read(index, declaration);
    }
    let Assembled { mut manifest, index, is_within_bounds } = assembly.finish();
    let mut findings = sink.into_findings();
    if registry.absent.is_none() && is_within_bounds {
        check_meaning(&manifest, &mut findings);
    }
    // Only now: what an unmetered route names must exist all the same.
    manifest.routes.iter_mut().filter(|route| !route.metered).for_each(clear_metering);
    // Where there is no product, the class that could be it is what there is to point at.
    let instead = classes.first().filter(|_| registry.absent.is_some()).map(|class| &class.span);
    let locator = Locator { index: &index, class: class.as_ref(), instead, declarations: &registry.declarations };
    let (findings, left_out) = findings.into_parts();
    let mut diagnostics = Bounded::default();
    findings.for_each(|finding| diagnostics.push(locator.diagnostic(finding)));
    let counted = count_decorators(registry, class.as_ref(), classes);
    for (number, misuse, times) in each_once(&registry.misuses, &counted.places) {
        let place = counted.places.get(&number);
        diagnostics.add(Code::DecoratorMisuse.severity(), || misuse_diagnostic(misuse, times, place, classes));
    }
    lost_classes(class.as_ref(), classes).for_each(|diagnostic| diagnostics.push(diagnostic));
    counted.lost.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
    let diagnostics = in_order(diagnostics, left_out);
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    Finalized { manifest: (!broken).then_some(manifest), diagnostics }
}

/// Where the value at a path was written, in the names of the author's file or of the IR: the innermost value on the way that is written
/// out. Nothing where the registry does not lead there.
pub fn written_at(registry: &Registry, classes: &[ClassSite], path: &Path) -> Option<Span> {
    let sink = Sink::default();
    let class = matching_class(registry, classes)?;
    let mut assembly = Assembly::new(registry, class_name(registry, Some(&class)), &sink);
    for (index, declaration) in registry.declarations.iter().enumerate() {
        assembly.read(index, declaration);
    }
    let index = assembly.finish().index;
    let locator = Locator { index: &index, class: Some(&class), instead: None, declarations: &registry.declarations };
    locator.value_at(path)
}

/// The class's name, as the source has it: compilers invent names for anonymous classes, and a static member may hide the name.
fn class_name<'a>(registry: &'a Registry, class: Option<&Matched<'a>>) -> &'a str {
    match class {
        Some(Matched { class, .. }) => class.name.as_deref().unwrap_or_default(),
        None => &registry.class_name,
    }
}

/// Reports what is wrong between the declarations, but for what follows from something already reported and would only
/// distract: a plan whose limits are broken has no rate limit.
fn check_meaning(manifest: &Manifest, findings: &mut Findings) {
    let plan_of = |finding: &Finding| match finding.path.segments() {
        [Segment::Key(plans), Segment::Key(plan), Segment::Key(limits), ..]
            if &**plans == "plans" && &**limits == "limits" =>
        {
            Some(Path::new(["plans", plan]))
        }
        _ => None,
    };
    let broken: BTreeSet<Path> = findings.iter().filter_map(plan_of).collect();
    semantics::check_meaning(manifest, findings);
    findings.retain(|finding| finding.code != Code::PlanRateLimitRequired || !broken.contains(&finding.path));
}

/// The diagnostics by position, each once.
fn in_order(diagnostics: Bounded<Diagnostic>, left_out: usize) -> Vec<Diagnostic> {
    let (diagnostics, left_out_later) = diagnostics.into_parts();
    let mut diagnostics: Vec<Diagnostic> = diagnostics.collect();
    diagnostics.sort_by(|a, b| (&a.span, a.code).cmp(&(&b.span, b.code)));
    // What is inside a computed value has no place of its own; said once, it says enough.
    diagnostics.dedup_by(|b, a| {
        a == b || (a.code == Code::ValueNotPlain && b.code == a.code && a.span == b.span && a.span.is_some())
    });
    diagnostic::sort_all(&mut diagnostics, left_out + left_out_later);
    diagnostics
}

/// What the declarations came to.
struct Assembled {
    manifest: Manifest,
    index: Index,
    /// Whether no kind of thing is declared too often. Where it is, routes are not lowered.
    is_within_bounds: bool,
}

struct Assembly<'a> {
    registry: &'a Registry,
    class_name: &'a str,
    sink: &'a Sink,
    manifest: Manifest,
    drafts: Vec<RouteDraft>,
    /// What plans charge for resources: the plan's place, the price, and where it is written.
    of_resources: Vec<(usize, MeterPrice, Node<'a>)>,
    index: Index,
    has_product: bool,
}

impl<'a> Assembly<'a> {
    fn new(registry: &'a Registry, class_name: &'a str, sink: &'a Sink) -> Self {
        let manifest = Manifest {
            ir_version: IR_VERSION,
            sdk_version: registry.sdk_version.clone(),
            product: Product {
                name: String::new(),
                origin: String::new(),
                display_name: None,
                description: None,
                bill_on_4xx: false,
            },
            surfaces: Vec::new(),
            meters: Vec::new(),
            resources: Vec::new(),
            capabilities: Vec::new(),
            features: Vec::new(),
            routes: Vec::new(),
            plans: Vec::new(),
            entitlements: Vec::new(),
            workflows: Vec::new(),
            backends: Vec::new(),
            policies: Vec::new(),
            frontend: Frontend { nav: Vec::new(), pages: Vec::new() },
            raw: serde_json::Map::new(),
        };
        Assembly {
            registry,
            class_name,
            sink,
            manifest,
            drafts: Vec::new(),
            of_resources: Vec::new(),
            index: Index::default(),
            has_product: false,
        }
    }

    fn check_export(&mut self) {
        let problem = match self.registry.absent {
            Some(Absence::Missing) => Some((
                Code::DefaultExportMissing,
                "product/product.config.ts has no default export",
                "write `export default class …`",
            )),
            Some(Absence::NotAClass) => Some((
                Code::DefaultExportNotProduct,
                "the default export is no class",
                "export the class that carries `@Product`",
            )),
            Some(Absence::NotDecorated) => Some((
                Code::DefaultExportNotProduct,
                "the class of the default export has no `@Product`",
                "put `@Product({ origin: \"https://…\" })` on top of it",
            )),
            None => None,
        };
        if let Some((code, message, hint)) = problem {
            let finding = Finding::about_product(code, message, None);
            self.sink.push(Finding { hint: Some(hint.to_owned()), ..finding });
        }
        if self.registry.products > 1 {
            let message = format!("{} classes carry `@Product`; a product is one class", self.registry.products);
            self.sink.push(Finding::about_product(Code::ProductTwice, message, None));
        }
    }

    fn node(&self, index: usize, argument: usize, path: Path) -> Option<Node<'a>> {
        let value = self.registry.declarations.get(index)?.args.get(argument)?;
        Some(Node::argument(value, path, index, argument, self.sink))
    }

    fn read(&mut self, index: usize, declaration: &'a Declaration) {
        match declaration.decorator.as_str() {
            "Product" => self.read_product(index, declaration),
            "Frontend" => self.read_frontend(index, declaration),
            "Raw" => {
                self.arity(index, declaration, 1);
                if let Some(node) = self.required(index, declaration, 0, Path::new(["raw"])) {
                    raw::product_raw(&node, &mut self.manifest.raw);
                }
            }
            "Surface" => self.read_surface(index, declaration),
            "Requests" => {
                self.arity(index, declaration, 1);
                let options = self.node(index, 0, Path::new(["meters", meters::REQUESTS]));
                if let Some(meter) = meters::requests(options.as_ref())
                    && self.declare("meters", meter.key.as_str(), index, 0)
                {
                    self.manifest.meters.push(meter);
                }
            }
            "Meters" => self.read_meters(index, declaration),
            _ => self.read_keyed(index, declaration),
        }
    }

    /// `@Meters({ key: options })`.
    fn read_meters(&mut self, index: usize, declaration: &'a Declaration) {
        self.arity(index, declaration, 1);
        let Some(node) = self.required(index, declaration, 0, Path::new(["meters"])) else { return };
        for (key, options) in node.keyed() {
            if self.index.declare("meters", key.as_str(), index, 0, true) {
                self.manifest.meters.push(meters::meter(key, Some(&options)));
            } else {
                let message = format!("meters has two declarations with the key {:?}", key.as_str());
                options.report(Code::DuplicateKey, At::Key, message, None);
            }
        }
    }

    fn read_product(&mut self, index: usize, declaration: &'a Declaration) {
        if self.has_product {
            self.sink.push(Finding::about_product(
                Code::ProductTwice,
                "the class carries `@Product` twice",
                Some(index),
            ));
            return;
        }
        self.has_product = true;
        self.arity(index, declaration, 1);
        if let Some(options) = self.required(index, declaration, 0, Path::new(["product"])) {
            self.manifest.product = product::product(&options, self.class_name);
        }
    }

    fn read_frontend(&mut self, index: usize, declaration: &'a Declaration) {
        self.arity(index, declaration, 1);
        let (nav, pages) = (self.manifest.frontend.nav.len(), self.manifest.frontend.pages.len());
        if let Some(node) = self.required(index, declaration, 0, Path::new(["frontend"])) {
            frontend::frontend(&node, &mut self.manifest.frontend);
        }
        let frontend = &self.manifest.frontend;
        self.index.add_frontend(index, frontend.nav.len() - nav, frontend.pages.len() - pages);
    }

    fn read_surface(&mut self, index: usize, declaration: &'a Declaration) {
        let member = declaration.member();
        let path = Path::new(["surfaces", member]);
        self.arity(index, declaration, 2);
        let kind = self.required(index, declaration, 0, path.join("type"));
        let options = self.node(index, 1, path);
        if let Some(surface) = surfaces::surface(member, kind.as_ref(), options.as_ref()) {
            // One member may stand for several surfaces, of different types.
            if self.declare("surfaces", &surface.id(), index, 1) {
                self.manifest.surfaces.push(surface);
            }
        }
    }

    /// Decorators of the form `(key, options?)`.
    fn read_keyed(&mut self, index: usize, declaration: &'a Declaration) {
        let collection = match declaration.decorator.as_str() {
            "Meter" => "meters",
            "Resource" => "resources",
            "Capability" => "capabilities",
            "Feature" => "features",
            "Plan" => "plans",
            "Entitlement" => "entitlements",
            "Workflow" => "workflows",
            "Backend" => "backends",
            "Policy" => "policies",
            other => {
                let message = format!("there is no decorator `@{other}`");
                self.sink.push(Finding::about_product(Code::DecoratorMisuse, message, Some(index)));
                return;
            }
        };
        self.arity(index, declaration, 2);
        let named = declaration
            .args
            .first()
            .and_then(|value| if let Value::Text(text) = value { Some(text.as_str()) } else { None });
        let path = Path::new([collection, named.unwrap_or(declaration.member())]);
        let Some(key) = self.required(index, declaration, 0, path.clone()).and_then(|node| node.key()) else { return };
        if !self.declare(collection, key.as_str(), index, 1) {
            return;
        }
        self.read_options(collection, key, index, declaration, path);
    }

    fn read_options(&mut self, collection: &str, key: Key, index: usize, declaration: &'a Declaration, path: Path) {
        let options = self.node(index, 1, path.clone());
        let options = options.as_ref();
        match collection {
            "meters" => self.manifest.meters.push(meters::meter(key, options)),
            "resources" => self.manifest.resources.push(resources::resource(key, options)),
            "capabilities" => self.manifest.capabilities.push(capabilities::capability(key, options)),
            "features" => {
                let (feature, drafts) = features::feature(key, options, index);
                self.manifest.features.push(feature);
                self.drafts.extend(drafts);
            }
            "plans" => {
                let (plan, of_resources) = plans::plan(key, declaration.member(), options);
                let place = self.manifest.plans.len();
                self.of_resources.extend(of_resources.into_iter().map(|(price, node)| (place, price, node)));
                self.manifest.plans.push(plan);
            }
            "entitlements" => self.manifest.entitlements.push(entitlements::entitlement(key, options)),
            "workflows" => self.manifest.workflows.push(workflows::workflow(key, options)),
            "backends" => self.manifest.backends.push(backends::backend(key, options)),
            _ => {
                let options = self.required(index, declaration, 1, path);
                self.manifest.policies.extend(options.and_then(|options| policies::policy(key, &options)));
            }
        }
    }

    /// The argument; its absence is reported.
    fn required(&self, index: usize, declaration: &Declaration, argument: usize, path: Path) -> Option<Node<'a>> {
        let node = self.node(index, argument, path.clone());
        if node.is_none() {
            let what = if argument == 0
                && !matches!(declaration.decorator.as_str(), "Product" | "Frontend" | "Raw" | "Meters")
            {
                "its first argument"
            } else {
                "its options"
            };
            let message = format!("`@{}` needs {what}", declaration.decorator);
            self.sink.push(Finding {
                code: Code::OptionRequired,
                message,
                hint: None,
                path,
                place: Place::Declaration(index),
            });
        }
        node
    }

    fn arity(&self, index: usize, declaration: &Declaration, max: usize) {
        if declaration.args.len() > max {
            let message =
                format!("`@{}` takes at most {max} argument(s), not {}", declaration.decorator, declaration.args.len());
            self.sink.push(Finding::about_product(Code::UnknownOption, message, Some(index)));
        }
    }

    /// Notes where a key is declared; a second declaration is reported and refused.
    fn declare(&mut self, collection: &'static str, key: &str, index: usize, options: usize) -> bool {
        let is_new = self.index.declare(collection, key, index, options, false);
        if !is_new {
            let message = format!("{collection} has two declarations with the key {key:?}");
            let place = Place::Argument { declaration: index, argument: 0, rest: Vec::new(), at: At::Value };
            self.sink.push(Finding {
                code: Code::DuplicateKey,
                message,
                hint: None,
                path: Path::new([collection, key]),
                place,
            });
        }
        is_new
    }

    /// Declares a meter for each resource that a plan prices, and gives the plan the meter's price.
    fn price_resources(&mut self) {
        let declared: BTreeSet<Key> = self.manifest.meters.iter().map(|meter| meter.key.clone()).collect();
        let resources = self.manifest.resources.iter().map(|resource| (resource.name.clone(), resource.clone()));
        let resources: BTreeMap<Key, Resource> = resources.collect();
        let mut counted = BTreeSet::new();
        let mut suggestions_left = semantics::SUGGESTIONS_MAX;
        for (place, price, node) in std::mem::take(&mut self.of_resources) {
            let key = price.meter();
            if declared.contains(key) {
                let message = format!(
                    "the resource {:?} is priced, and so counted by a meter of its key; there is such a meter already",
                    key.as_str()
                );
                node.report(Code::DuplicateKey, At::Key, message, None);
                continue;
            }
            let Some(resource) = resources.get(key) else {
                node.report_with(Code::UnknownResource, At::Key, || {
                    let message = format!("a plan prices the resource {:?}, which is not declared", key.as_str());
                    let names = resources.keys().map(Key::as_str);
                    (message, semantics::suggest_within(&mut suggestions_left, key, names))
                });
                continue;
            };
            if counted.insert(key.clone()) {
                self.manifest.meters.push(meters::of_resource(resource));
            }
            if let Some(plan) = self.manifest.plans.get_mut(place) {
                plan.meters.push(price);
            }
        }
    }

    fn finish(mut self) -> Assembled {
        self.price_resources();
        let defaults = default_costs(&self.manifest.meters);
        let costs =
            |draft: &RouteDraft| draft.costs.len() + if draft.inherit_default_meters { defaults.len() } else { 0 };
        let route_costs = self.drafts.iter().map(costs).sum();
        let is_within_bounds =
            self.sink.with(|findings| counts::check(&self.manifest, self.drafts.len(), route_costs, findings));
        let manifest = &mut self.manifest;
        if is_within_bounds {
            let to = if manifest.product.bill_on_4xx { 499 } else { 299 };
            let counted = [StatusRange { from: 200, to }];
            manifest.routes =
                self.drafts.iter().map(|draft| lower_route(draft, &defaults, &counted, self.sink)).collect();
        }
        manifest.meters.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.resources.sort_by(|a, b| a.name.cmp(&b.name));
        manifest.capabilities.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.plans.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.entitlements.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.workflows.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.backends.sort_by(|a, b| a.id.cmp(&b.id));
        manifest.policies.sort_by(|a, b| a.name.cmp(&b.name));
        Assembled { manifest: self.manifest, index: self.index, is_within_bounds }
    }
}

/// What each route costs unless it says otherwise.
fn default_costs(meters: &[Meter]) -> Vec<(Key, Units)> {
    let cost = |meter: &Meter| if meter.managed { Some(Units::ONE) } else { meter.route_default };
    meters.iter().filter_map(|meter| Some((meter.key.clone(), cost(meter)?))).collect()
}

/// `unmetered` takes all metering away, inherited and own.
fn clear_metering(route: &mut Route) {
    route.costs.clear();
    route.reports.clear();
    route.estimates.clear();
}

/// Adds the inherited defaults to a route's own costs. `counted` are the answers that count unless the route says otherwise.
fn lower_route(draft: &RouteDraft, defaults: &[(Key, Units)], counted: &[StatusRange], sink: &Sink) -> Route {
    let mut route = Route {
        method: draft.method,
        path: draft.path.clone(),
        feature: draft.feature.clone(),
        costs: BTreeMap::new(),
        reports: Vec::new(),
        estimates: BTreeMap::new(),
        action: draft.action.clone(),
        backend: draft.backend.clone(),
        status_codes: draft.status_codes.clone().unwrap_or_else(|| counted.to_vec()),
        metered: !draft.unmetered,
    };
    let defaults = defaults.iter().filter(|_| draft.inherit_default_meters);
    for (meter, units) in defaults.chain(&draft.costs).cloned() {
        let cost = route.costs.entry(meter).or_default();
        match cost.checked_add(units) {
            Some(sum) => *cost = sum,
            None => sink.push(draft.finding(
                Code::NumberRange,
                "the route's costs add up to more than a quantity holds".to_owned(),
                None,
            )),
        }
    }
    route.reports.clone_from(&draft.reports);
    route.estimates = draft.estimates.iter().cloned().collect();
    route
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work;

    fn steps(declarations: &str) -> u64 {
        let text = format!(
            r#"{{"registryVersion":1,"sdkVersion":"","products":1,"declarations":[{declarations}],"misuses":[]}}"#
        );
        let registry = Registry::parse(&text).unwrap();
        work::count(|| finalize(&registry, &[])).1
    }

    fn capabilities(count: usize) -> String {
        let one = |number: usize| {
            let inner = (number + 1) % count;
            format!(
                r#"{{"decorator":"Capability","member":"m","args":["c{number}",{{"includesCapabilities":["c{inner}"]}}]}}"#
            )
        };
        (0..count).map(one).collect::<Vec<_>>().join(",")
    }

    fn unknown_names(count: usize) -> String {
        let names: Vec<String> = (0..count).map(|number| format!("\"x{number}\"")).collect();
        format!(r#"{{"decorator":"Feature","member":"m","args":["f",{{"plans":[{}]}}]}}"#, names.join(","))
    }

    /// Routes whose parameters are at a hundred sets of places, as many as are taken.
    fn routes(count: usize) -> String {
        let segment = |number: usize, at: usize| {
            let is_parameter = (number % 100) >> at & 1 == 1;
            if is_parameter { format!("{{p{at}}}") } else { format!("s{number}") }
        };
        let path = |number: usize| (0..13).map(|at| format!("/{}", segment(number, at))).collect::<String>();
        let routes: Vec<String> = (0..count).map(|number| format!("\"GET {}\":{{}}", path(number))).collect();
        format!(r#"{{"decorator":"Feature","member":"m","args":["f",{{"routes":{{{}}}}}]}}"#, routes.join(","))
    }

    /// Prices of one plan whose free units each go by the next meter.
    fn free_units(count: usize) -> String {
        let price = |number: usize| {
            let per = (number + 1) % count;
            format!(r#""m{number}":{{"micros":1,"per":1,"includedUnits":{{"per":"m{per}","units":2}}}}"#)
        };
        let meters: Vec<String> = (0..count).map(|number| format!(r#""m{number}":{{}}"#)).collect();
        let prices: Vec<String> = (0..count).map(price).collect();
        format!(
            r#"{{"decorator":"Meters","member":null,"args":[{{{}}}]}},{{"decorator":"Plan","member":"p","args":["p",{{"meter":{{{}}}}}]}}"#,
            meters.join(","),
            prices.join(",")
        )
    }

    /// Four times as much takes four times the steps, and a little.
    #[test]
    fn the_rules_take_steps_in_proportion_to_what_is_declared() {
        for (what, of, most) in [
            ("capabilities", capabilities as fn(usize) -> String, 10_000),
            ("unknown names", unknown_names, 84_000),
            ("routes", routes, 8_000),
            ("free units that go by meters", free_units, 8_000),
        ] {
            let (few, many) = (steps(&of(most / 4)), steps(&of(most)));
            assert!(many >= most as u64, "{what}: {many} steps for {most}");
            assert!(many <= few * 5, "{what}: {few} steps for a quarter, {many} for all");
        }
    }
}
