//! Registry to Manifest IR: reads every declaration, adds defaults, lowers routes, and says everything that is wrong in one
//! go. Total: whatever the registry holds, it ends with a manifest or with at least one error.

use super::ir::{Entitlement, Frontend, IR_VERSION, Key, Manifest, Meter, Product, Route, StatusRange};
use crate::diagnostic::{self, Code, Diagnostic};
use crate::money::units::Units;
use crate::registry::{Absence, Declaration, Misuse, MisuseReason, Registry, Value};
use crate::rules::features::RouteDraft;
use crate::rules::reader::{Node, Sink};
use crate::rules::{At, Finding, Place, access, capabilities, features, frontend, meters, plans, product, semantics};
use crate::source::{CallSite, ClassSite, Path, Segment, Span, SpanTree};
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
    let class_name = match matching_class(registry, classes) {
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
    let class = matching_class(registry, classes);
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

/// Where each named thing was declared: collection and key to declaration, and which argument holds its options.
#[derive(Default)]
struct Index {
    declared: BTreeMap<(&'static str, String), (usize, usize)>,
    /// For each merged `frontend.nav` and `frontend.pages` element: the declaration and the index inside it.
    nav: Vec<(usize, usize)>,
    pages: Vec<(usize, usize)>,
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
            entitlements: Vec::<Entitlement>::new(),
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
            let finding = product::about_product(code, message, None);
            self.sink.push(Finding { hint: Some(hint.to_owned()), ..finding });
        }
        if self.registry.products > 1 {
            let message = format!("{} classes carry `@Product`; a product is one class", self.registry.products);
            self.sink.push(product::about_product(Code::ProductTwice, message, None));
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
                    product::raw(&node, &mut self.manifest.raw);
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
            self.sink.push(product::about_product(
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
        self.index.nav.extend((0..self.manifest.frontend.nav.len().saturating_sub(nav)).map(|inner| (index, inner)));
        self.index
            .pages
            .extend((0..self.manifest.frontend.pages.len().saturating_sub(pages)).map(|inner| (index, inner)));
    }

    fn read_surface(&mut self, index: usize, member: &str) {
        let path = Path::new(["surfaces", member]);
        let Some(declaration) = self.registry.declarations.get(index) else { return };
        self.arity(index, declaration, 2);
        let kind = self.required(index, declaration, 0, path.join("type"));
        let options = self.node(index, 1, path);
        if let Some(surface) = product::surface(member, kind.as_ref(), options.as_ref()) {
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
                self.sink.push(product::about_product(Code::DecoratorMisuse, message, Some(index)));
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
            "resources" => self.manifest.resources.push(meters::resource(key, options)),
            "capabilities" => self.manifest.capabilities.push(capabilities::capability(key, options)),
            "features" => {
                let (feature, drafts) = features::feature(key, options, index);
                self.manifest.features.push(feature);
                self.drafts.extend(drafts);
            }
            "plans" => self.manifest.plans.push(plans::plan(key, member, options)),
            "entitlements" => self.manifest.entitlements.push(access::entitlement(key, options)),
            "workflows" => self.manifest.workflows.push(access::workflow(key, options)),
            "backends" => self.manifest.backends.push(access::backend(key, options)),
            _ => {
                let options = self.required(index, declaration, 1, path);
                self.manifest.policies.extend(options.and_then(|options| access::policy(key, &options)));
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
            self.sink.push(product::about_product(Code::UnknownOption, message, Some(index)));
        }
    }

    /// Notes where a key is declared; a second declaration is reported and refused.
    fn declare(&mut self, collection: &'static str, key: &str, index: usize, options: usize) -> bool {
        if self.index.declared.contains_key(&(collection, key.to_owned())) {
            let message = format!("{collection} has two declarations with the key {key:?}");
            let place = Place::Argument { declaration: index, argument: 0, rest: Vec::new(), at: At::Value };
            self.sink.push(Finding {
                code: Code::DuplicateKey,
                message,
                hint: None,
                path: Path::new([collection, key]),
                place,
            });
            return false;
        }
        self.index.declared.insert((collection, key.to_owned()), (index, options));
        true
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

/// A class and the calls in it that made the registry's declarations, one for one.
struct Matched<'a> {
    class: &'a ClassSite,
    calls: Vec<&'a CallSite>,
}

/// The class whose decorators are the registry's in name and order. Decorators that were misused are in the class too, and
/// passed over.
fn matching_class<'a>(registry: &Registry, classes: &'a [ClassSite]) -> Option<Matched<'a>> {
    classes.iter().filter(|_| registry.absent.is_none()).find_map(|class| {
        let mut rest = class.calls.iter();
        let mut made = |declaration: &Declaration| {
            rest.find(|call| call.decorator == declaration.decorator && call.member == declaration.member)
        };
        let calls: Vec<&CallSite> = registry.declarations.iter().map(&mut made).collect::<Option<_>>()?;
        (calls.len().saturating_add(registry.misuses.len()) >= class.calls.len()).then_some(Matched { class, calls })
    })
}

/// Classes whose declarations no product has: reported, since they would be lost in silence.
fn lost_classes<'a>(matched: Option<&Matched<'_>>, classes: &'a [ClassSite]) -> impl Iterator<Item = Diagnostic> + 'a {
    let product = matched.map(|matched| matched.class.span.clone());
    let is_lost = move |class: &&ClassSite| {
        product.as_ref().is_some_and(|product| *product != class.span)
            && class.calls.iter().all(|call| call.decorator != "Product")
    };
    classes.iter().filter(is_lost).map(|class| {
        let name = class.name.as_deref().map_or_else(|| "a class".to_owned(), |name| format!("the class `{name}`"));
        let message = format!("{name} carries decorators but no `@Product`; what it declares is in no product");
        let diagnostic = Diagnostic::new(Code::DecoratorMisuse, message).with_path(&Path::new(["product"]));
        diagnostic.with_hint("move its members into the product's class").with_span(Some(class.span.clone()))
    })
}

struct Locator<'a> {
    index: &'a Index,
    class: Option<&'a Matched<'a>>,
    declarations: &'a [Declaration],
}

impl Locator<'_> {
    fn diagnostic(&self, finding: Finding) -> Diagnostic {
        let span = self.span(&finding);
        let mut diagnostic = Diagnostic::new(finding.code, finding.message).with_path(&finding.path).with_span(span);
        diagnostic.hint = finding.hint;
        diagnostic
    }

    fn span(&self, finding: &Finding) -> Option<Span> {
        match &finding.place {
            Place::Argument { declaration, argument, rest, at } => self.argument(*declaration, *argument, rest, *at),
            Place::Declaration(declaration) => self.call(*declaration).map(|call| call.span.clone()),
            Place::Path(at) => self.by_path(finding.path.segments(), *at),
        }
        .or_else(|| self.class.map(|matched| matched.class.span.clone()))
    }

    fn call(&self, declaration: usize) -> Option<&CallSite> {
        self.class?.calls.get(declaration).copied()
    }

    fn by_path(&self, path: &[Segment], at: At) -> Option<Span> {
        let (Segment::Key(collection), rest) = path.split_first()? else { return None };
        if collection == "frontend" {
            return self.frontend(rest, at);
        }
        let (Segment::Key(key), rest) = rest.split_first()? else { return None };
        let found = self.index.declared.iter().find(|((name, declared), _)| name == collection && declared == key);
        let (declaration, options) = found.map(|(_, place)| *place)?;
        if rest.is_empty() {
            return self.argument(declaration, 0, rest, At::Value);
        }
        let rest = self.author_steps(declaration, options, rest);
        self.argument(declaration, options, &rest, at)
    }

    fn frontend(&self, rest: &[Segment], at: At) -> Option<Span> {
        let (Segment::Key(list), tail) = rest.split_first()? else { return None };
        let (Segment::Index(merged), tail) = tail.split_first()? else { return None };
        let places = if list == "nav" { &self.index.nav } else { &self.index.pages };
        let (declaration, inner) = *places.get(usize::try_from(*merged).ok()?)?;
        let steps: Vec<Segment> =
            [Segment::from(list.as_str()), Segment::from(inner)].into_iter().chain(tail.iter().cloned()).collect();
        self.argument(declaration, 0, &steps, at)
    }

    /// Turns the names that lowering gave to some places back into the author's: a key inside a list of keys becomes the
    /// index it stands at, `caps` may be `limits`, `meter` may be `meters`, `reports` may be `report`.
    fn author_steps(&self, declaration: usize, options: usize, rest: &[Segment]) -> Vec<Segment> {
        let mut value = self.declarations.get(declaration).and_then(|declaration| declaration.args.get(options));
        let mut steps = Vec::with_capacity(rest.len());
        for (position, segment) in rest.iter().enumerate() {
            let next = rest.get(position.saturating_add(1));
            let step = value.map_or_else(|| segment.clone(), |value| author_step(value, segment, next));
            value = value.and_then(|value| descend(value, &step));
            steps.push(step);
        }
        steps
    }

    /// The span of the innermost written-out value on the way; the decorator's when the argument is computed.
    fn argument(&self, declaration: usize, argument: usize, rest: &[Segment], at: At) -> Option<Span> {
        let call = self.call(declaration)?;
        let Some(mut tree) = call.args.get(argument) else { return Some(call.span.clone()) };
        let mut complete = true;
        for segment in rest {
            match tree.child(segment) {
                Some(inner) => tree = inner,
                None => {
                    complete = false;
                    break;
                }
            }
        }
        Some(span_of(tree, if complete { at } else { At::Value }))
    }
}

fn span_of(tree: &SpanTree, at: At) -> Span {
    match at {
        At::Key => tree.key.clone().unwrap_or_else(|| tree.value.clone()),
        At::Value => tree.value.clone(),
    }
}

fn author_step(value: &Value, segment: &Segment, next: Option<&Segment>) -> Segment {
    let Segment::Key(key) = segment else { return segment.clone() };
    match value {
        Value::List(items) => {
            let names = |item: &Value| match item {
                Value::Text(text) => text == key,
                Value::Map(entries) => entries.iter().any(|(name, inner)| {
                    matches!(name.as_str(), "meter" | "id" | "capability")
                        && matches!(inner, Value::Text(text) if text == key)
                }),
                _ => false,
            };
            items.iter().position(names).map_or_else(|| segment.clone(), Segment::from)
        }
        Value::Map(entries) => {
            let holds_next = |name: &str| {
                entries
                    .iter()
                    .find(|(entry, _)| entry == name)
                    .is_some_and(|(_, inner)| next.is_none_or(|next| names_step(inner, next)))
            };
            let other = match key.as_str() {
                "caps" => "limits",
                "meter" => "meters",
                "reports" => "report",
                _ => return segment.clone(),
            };
            if holds_next(key) || !holds_next(other) { segment.clone() } else { Segment::from(other) }
        }
        _ => segment.clone(),
    }
}

/// Whether `value` has something under `step`, be it a key of a map, an element, or a text that is the key.
fn names_step(value: &Value, step: &Segment) -> bool {
    match (value, step) {
        (Value::Text(text), Segment::Key(key)) => text == key,
        (value, step) => descend(value, &author_step(value, step, None)).is_some(),
    }
}

fn descend<'a>(value: &'a Value, step: &Segment) -> Option<&'a Value> {
    match (value, step) {
        (Value::Map(entries), Segment::Key(key)) => {
            entries.iter().find(|(name, _)| name == key).map(|(_, inner)| inner)
        }
        (Value::List(items), Segment::Index(index)) => items.get(usize::try_from(*index).ok()?),
        _ => None,
    }
}

fn misuse_diagnostic(misuse: &Misuse, classes: &[ClassSite]) -> Diagnostic {
    let why = match misuse.reason {
        MisuseReason::Method => "stands on a method or accessor; it belongs on a field",
        MisuseReason::Static => "stands on a static member; it belongs on an instance field",
        MisuseReason::Private => "stands on a #private member; it belongs on a public field",
        MisuseReason::SymbolMember => "stands on a member named by a symbol; it belongs on a named field",
        MisuseReason::ClassDecoratorOnMember => "stands on a member; it belongs on the class",
        MisuseReason::MemberDecoratorOnClass => "stands on the class; it belongs on a field",
        MisuseReason::OutsideClass => "was called outside a class",
        MisuseReason::Finalised => "came after `@Product` had finalised the class; `@Product` stands on top",
        MisuseReason::NoMetadata => "gets no metadata from this compiler",
    };
    let calls = classes.iter().filter(|_| misuse.reason != MisuseReason::OutsideClass).flat_map(|class| &class.calls);
    let site = calls.clone().find(|call| call.decorator == misuse.decorator && call.member == misuse.member);
    let anywhere =
        || classes.first().filter(|_| misuse.reason != MisuseReason::OutsideClass).map(|class| class.span.clone());
    let span = site.map(|call| call.span.clone()).or_else(anywhere);
    let mut path = Path::new(["product"]);
    if let Some(member) = &misuse.member {
        path = path.join(member.as_str());
    }
    Diagnostic::new(Code::DecoratorMisuse, format!("`@{}` {why}", misuse.decorator)).with_path(&path).with_span(span)
}
