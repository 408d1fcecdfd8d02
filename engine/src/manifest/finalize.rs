//! Registry to Manifest IR: reads every declaration, adds defaults, lowers routes, and says everything that is wrong in one
//! go. Total: whatever the registry holds, it ends with a manifest or with at least one error.

use super::ir::{Frontend, IR_VERSION, Key, Manifest, Meter, Product, Route, StatusRange};
use super::locate::{Index, Locator, Matched, matching_class};
use super::misuse::{lost_classes, misuse_diagnostic};
use crate::diagnostic::{self, Code, Diagnostic};
use crate::money::units::Units;
use crate::registry::{Absence, Declaration, Registry, Value};
use crate::rules::features::RouteDraft;
use crate::rules::finding::{At, Finding, Place};
use crate::rules::reader::{Node, Sink};
use crate::rules::{
    backends, capabilities, entitlements, features, frontend, meters, plans, policies, product, raw, resources,
    semantics, surfaces, workflows,
};
use crate::source::{ClassSite, Path, Segment};
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
    let class_name = match &class {
        // Compilers invent names for anonymous classes; the author's source has none.
        Some(Matched { class: ClassSite { name: None, .. }, .. }) => "",
        _ => registry.class_name.as_str(),
    };
    let mut assembly = Assembly::new(registry, class_name, &sink);
    assembly.check_export();
    for (index, declaration) in registry.declarations.iter().enumerate() {
        assembly.read(index, declaration);
    }
    let (mut manifest, index) = assembly.finish();
    let mut findings = sink.into_findings();
    if registry.absent.is_none() {
        let consequences = consequences(&findings);
        let meaning = semantics::check(&manifest);
        findings.extend(
            meaning.into_iter().filter(|finding| !consequences.contains(&(finding.code, finding.path.clone()))),
        );
    }
    // Only now: what an unmetered route names must exist all the same.
    manifest.routes.iter_mut().filter(|route| !route.metered).for_each(clear_metering);
    let locator = Locator { index: &index, class: class.as_ref(), declarations: &registry.declarations };
    let mut diagnostics: Vec<Diagnostic> = findings.into_iter().map(|finding| locator.diagnostic(finding)).collect();
    diagnostics.extend(registry.misuses.iter().map(|misuse| misuse_diagnostic(misuse, classes)));
    diagnostics.extend(lost_classes(class.as_ref(), classes));
    diagnostics.sort_by(|a, b| (&a.span, a.code).cmp(&(&b.span, b.code)));
    // What is inside a computed value has no place of its own; said once, it says enough.
    diagnostics.dedup_by(|b, a| {
        a == b || (a.code == Code::ValueNotPlain && b.code == a.code && a.span == b.span && a.span.is_some())
    });
    diagnostic::sort(&mut diagnostics);
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    Finalized { manifest: (!broken).then_some(manifest), diagnostics }
}

/// What follows from something already reported and would only distract: a plan whose limits are broken has no rate limit.
fn consequences(findings: &[Finding]) -> BTreeSet<(Code, Path)> {
    let plan_of = |finding: &Finding| match finding.path.segments() {
        [Segment::Key(plans), Segment::Key(plan), Segment::Key(limits), ..]
            if plans == "plans" && limits == "limits" =>
        {
            Some((Code::PlanRateLimitRequired, Path::new([plans.as_str(), plan.as_str()])))
        }
        _ => None,
    };
    findings.iter().filter_map(plan_of).collect()
}

struct Assembly<'a> {
    registry: &'a Registry,
    class_name: &'a str,
    sink: &'a Sink,
    manifest: Manifest,
    drafts: Vec<RouteDraft>,
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
        let member = declaration.member.as_deref().unwrap_or_default();
        match declaration.decorator.as_str() {
            "Product" => self.read_product(index),
            "Frontend" => self.read_frontend(index, declaration),
            "Raw" => {
                self.arity(index, declaration, 1);
                if let Some(node) = self.required(index, declaration, 0, Path::new(["raw"])) {
                    raw::product_raw(&node, &mut self.manifest.raw);
                }
            }
            "Surface" => self.read_surface(index, member),
            "Requests" => {
                self.arity(index, declaration, 1);
                let options = self.node(index, 0, Path::new(["meters", meters::REQUESTS]));
                if let Some(meter) = meters::requests(options.as_ref())
                    && self.declare("meters", meter.key.as_str(), index, 0)
                {
                    self.manifest.meters.push(meter);
                }
            }
            _ => self.read_keyed(index, declaration, member),
        }
    }

    fn read_product(&mut self, index: usize) {
        if self.has_product {
            self.sink.push(Finding::about_product(
                Code::ProductTwice,
                "the class carries `@Product` twice",
                Some(index),
            ));
            return;
        }
        self.has_product = true;
        let Some(declaration) = self.registry.declarations.get(index) else { return };
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

    fn read_surface(&mut self, index: usize, member: &str) {
        let path = Path::new(["surfaces", member]);
        let Some(declaration) = self.registry.declarations.get(index) else { return };
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
    fn read_keyed(&mut self, index: usize, declaration: &'a Declaration, member: &str) {
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
        let path = Path::new([collection, named.unwrap_or(member)]);
        let Some(key) = self.required(index, declaration, 0, path.clone()).and_then(|node| node.key()) else { return };
        if !self.declare(collection, key.as_str(), index, 1) {
            return;
        }
        let options = self.node(index, 1, path.clone());
        self.read_options(collection, key, index, declaration, member, options, path);
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one dispatch with one caller; a struct of its arguments would say no more"
    )]
    fn read_options(
        &mut self,
        collection: &str,
        key: Key,
        index: usize,
        declaration: &'a Declaration,
        member: &str,
        options: Option<Node<'a>>,
        path: Path,
    ) {
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
            "plans" => self.manifest.plans.push(plans::plan(key, member, options)),
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
            let what = if argument == 0 && !matches!(declaration.decorator.as_str(), "Product" | "Frontend" | "Raw") {
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
        let is_new = self.index.declare(collection, key, index, options);
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

    fn finish(mut self) -> (Manifest, Index) {
        let default_codes = StatusRange { from: 200, to: if self.manifest.product.bill_on_4xx { 499 } else { 299 } };
        let routes =
            self.drafts.iter().map(|draft| lower_route(draft, &self.manifest.meters, &default_codes, self.sink));
        let routes = routes.collect();
        let manifest = &mut self.manifest;
        manifest.routes = routes;
        manifest.meters.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.resources.sort_by(|a, b| a.name.cmp(&b.name));
        manifest.capabilities.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.plans.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.entitlements.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.workflows.sort_by(|a, b| a.key.cmp(&b.key));
        manifest.backends.sort_by(|a, b| a.id.cmp(&b.id));
        manifest.policies.sort_by(|a, b| a.name.cmp(&b.name));
        (self.manifest, self.index)
    }
}

/// `unmetered` takes all metering away, inherited and own.
fn clear_metering(route: &mut Route) {
    route.costs.clear();
    route.reports.clear();
    route.estimates.clear();
}

/// Adds the inherited defaults to a route's own costs.
fn lower_route(draft: &RouteDraft, meters: &[Meter], default_codes: &StatusRange, sink: &Sink) -> Route {
    let mut route = Route {
        method: draft.method,
        path: draft.path.clone(),
        feature: draft.feature.clone(),
        costs: BTreeMap::new(),
        reports: Vec::new(),
        estimates: BTreeMap::new(),
        action: draft.action.clone(),
        backend: draft.backend.clone(),
        status_codes: draft.status_codes.clone().unwrap_or_else(|| vec![default_codes.clone()]),
        metered: !draft.unmetered,
    };
    let defaults = meters.iter().filter(|_| draft.inherit_default_meters).filter_map(|meter| {
        let units = if meter.managed { Some(Units::ONE) } else { meter.route_default };
        units.map(|units| (meter.key.clone(), units))
    });
    for (meter, units) in defaults.chain(draft.costs.iter().cloned()) {
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
