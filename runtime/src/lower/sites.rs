//! Finds where an author wrote what: every decorator of the authoring package, with the span of every key and value that
//! is written out, through parentheses, `as`, constants of the file, spreads and the package's own helpers.

use super::effort::Effort;
use oxc::ast::ast::{
    Argument, ArrayExpressionElement, CallExpression, Class, ClassElement, Declaration, Decorator, Expression,
    IdentifierReference, ImportDeclaration, ImportDeclarationSpecifier, MemberExpression, ModuleExportName,
    ObjectPropertyKind, Program, PropertyKey, SimpleAssignmentTarget, Statement, StaticMemberExpression, TSType,
    UnaryExpression, VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::Scoping;
use oxc::span::GetSpan;
use oxc::syntax::operator::UnaryOperator;
use oxc::syntax::symbol::SymbolId;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use svc_engine::lines::Lines;
use svc_engine::source::{Segment, Span, SpanTree};

/// The authoring package's specifier.
pub(crate) const PACKAGE: &str = "@svc/product";
/// What test files import beside the package.
pub(crate) const TESTING: &str = "@svc/product/test";
/// The names that it exports.
pub(crate) const TESTING_EXPORTS: &[&str] = &[
    "assert",
    "equal",
    "forAll",
    "freeStaysFree",
    "given",
    "moreNeverCostsLess",
    "moveNeverChargesTwice",
    "neverAboveMost",
    "test",
    "usage",
];
/// The package's decorators.
pub(super) const DECORATORS: &[&str] = &[
    "Backend",
    "Capability",
    "Entitlement",
    "Feature",
    "Frontend",
    "Meter",
    "Meters",
    "Plan",
    "Policy",
    "Product",
    "Raw",
    "Requests",
    "Resource",
    "Surface",
    "Workflow",
];
/// Most names that may be decorators which are noted of one helper or one decorator.
const NAMED_MAX: usize = 50;
/// Longest way over modules to a decorator: `kit.svc.Plan` has three names.
const PATH_MAX: usize = 4;
/// How deep a literal's spans are noted; the package copies no deeper either.
const DEPTH_MAX: usize = 64;

/// What a name in a file stands for, as far as that file tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// What the package exports under this name.
    Package(String),
    /// What another file has: the module, and the names that lead to it from there.
    Elsewhere(String, Vec<String>),
}

/// Functions and constants that name decorators inside, by name, and which.
pub(crate) type Helpers = HashMap<String, Vec<Named>>;
/// Those of one file, whatever they are called.
type Local = HashMap<SymbolId, Vec<Named>>;

/// One class that carries decorators which may be the package's.
#[derive(Debug)]
pub(crate) struct Decorated {
    pub(crate) name: Option<String>,
    pub(crate) span: Span,
    /// In the registry's order: the class's from top to bottom, then the members'.
    pub(crate) decorators: Vec<Written>,
}

/// One decorator as it is written.
#[derive(Debug)]
pub(crate) struct Written {
    /// What is called, or applied as it is.
    pub(crate) callee: Option<Named>,
    /// What is named inside of it, where the callee is not the package's own.
    pub(crate) inside: Vec<Named>,
    pub(crate) member: Option<String>,
    pub(crate) span: Span,
    pub(crate) args: Vec<SpanTree>,
}

/// What a file says of decorators.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// Its decorated classes, in source order.
    pub(crate) classes: Vec<Decorated>,
    /// Its helpers, by the names that it exports them under.
    pub(crate) helpers: Helpers,
}

/// Finds the decorators of a program whose imports name modules outright. Names are followed by scope.
pub(super) fn find<'p>(program: &'p Program<'p>, scoping: &Scoping, lines: &Lines<'_>, effort: &Effort) -> Sites {
    let mut names = Names { scoping, imported: HashMap::new(), namespaces: HashMap::new() };
    names.visit_program(program);
    let helpers = helpers(&names, program);
    let changed = changed(&names, program);
    let mut finder = Finder { names, helpers, constants: HashMap::new(), changed, effort, lines, found: Vec::new() };
    finder.note_constants(program);
    finder.visit_program(program);
    let helpers = exported(&finder.helpers, &finder.names, program);
    Sites { classes: finder.found, helpers }
}

/// The helpers that a file exports, by those names.
fn exported(helpers: &Local, names: &Names<'_>, program: &Program<'_>) -> Helpers {
    let mut exported = Helpers::new();
    let mut note = |name: &str, local: Option<SymbolId>| {
        if let Some(inside) = local.and_then(|local| helpers.get(&local)) {
            exported.insert(name.to_owned(), inside.clone());
        }
    };
    let mut default = Vec::new();
    for statement in &program.body {
        match statement {
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::VariableDeclaration(variables) => {
                    let all = variables.declarations.iter().filter_map(|one| one.id.get_binding_identifier());
                    all.for_each(|id| note(&id.name, Some(id.symbol_id())));
                }
                other => other.id().iter().for_each(|id| note(&id.name, Some(id.symbol_id()))),
            },
            Statement::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    let local = match &specifier.local {
                        ModuleExportName::IdentifierReference(local) => names.symbol(local),
                        _ => None,
                    };
                    note(specifier.exported.name().as_str(), local);
                }
            }
            Statement::ExportDefaultDeclaration(export) => {
                let mut inside = Inside { names, helpers: Some(helpers), found: Vec::new() };
                inside.visit_export_default_declaration_kind(&export.declaration);
                default = inside.found;
            }
            _ => {}
        }
    }
    if !default.is_empty() {
        exported.insert("default".to_owned(), default);
    }
    exported
}

/// The file's own functions and constants that name decorators, or what may be one, and which.
fn helpers(names: &Names<'_>, program: &Program<'_>) -> Local {
    let mut helpers = Local::new();
    for statement in &program.body {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            other => other.as_declaration(),
        };
        match declaration {
            Some(Declaration::FunctionDeclaration(function)) => {
                let mut inside = Inside { names, helpers: None, found: Vec::new() };
                function.body.iter().for_each(|body| inside.visit_function_body(body));
                if let (Some(id), false) = (&function.id, inside.found.is_empty()) {
                    helpers.insert(id.symbol_id(), inside.found);
                }
            }
            Some(Declaration::VariableDeclaration(variables)) => {
                for declarator in &variables.declarations {
                    let mut inside = Inside { names, helpers: None, found: Vec::new() };
                    declarator.init.iter().for_each(|init| inside.visit_expression(init));
                    if let (Some(id), false) = (declarator.id.get_binding_identifier(), inside.found.is_empty()) {
                        helpers.insert(id.symbol_id(), inside.found);
                    }
                }
            }
            _ => {}
        }
    }
    helpers
}

/// The names whose values are changed after they are written: what stands in the literal says nothing then.
fn changed(names: &Names<'_>, program: &Program<'_>) -> HashSet<SymbolId> {
    let mut changes = Changes { names, found: HashSet::new() };
    changes.visit_program(program);
    changes.found
}

/// Methods that change what they are called on.
const CHANGING: &[&str] = &["copyWithin", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"];

struct Changes<'n> {
    names: &'n Names<'n>,
    found: HashSet<SymbolId>,
}

impl Changes<'_> {
    /// Notes the name that a member, of a member, of a name begins with.
    fn note(&mut self, value: &Expression<'_>) {
        let mut value = value.get_inner_expression();
        while let Some(member) = value.as_member_expression() {
            value = member.object().get_inner_expression();
        }
        if let Expression::Identifier(name) = value {
            self.found.extend(self.names.symbol(name));
        }
    }

    fn note_member(&mut self, member: &MemberExpression<'_>) {
        self.note(member.object());
    }
}

impl<'p> Visit<'p> for Changes<'_> {
    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'p>) {
        if let Some(member) = target.as_member_expression() {
            self.note_member(member);
        }
        walk::walk_simple_assignment_target(self, target);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'p>) {
        if unary.operator == UnaryOperator::Delete
            && let Some(member) = unary.argument.get_inner_expression().as_member_expression()
        {
            self.note_member(member);
        }
        walk::walk_unary_expression(self, unary);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'p>) {
        if let Some(member) = call.callee.get_inner_expression().as_member_expression() {
            match member.static_property_name() {
                Some(name) if CHANGING.contains(&name) => self.note_member(member),
                // `Object.assign(price, …)`, `Object.defineProperty(price, …)`, `Reflect.set(price, …)`
                Some("assign" | "defineProperty" | "defineProperties" | "set" | "deleteProperty") => {
                    call.arguments.first().and_then(Argument::as_expression).iter().for_each(|first| self.note(first));
                }
                _ => {}
            }
        }
        walk::walk_call_expression(self, call);
    }
}

/// Collects which decorators of the package, and what of other files, are named inside of something, each once.
struct Inside<'n> {
    names: &'n Names<'n>,
    /// The file's own functions that name some; not followed into each other.
    helpers: Option<&'n Local>,
    found: Vec<Named>,
}

impl Inside<'_> {
    fn note(&mut self, named: &Named) {
        let counts = match named {
            Named::Package(name) => DECORATORS.contains(&name.as_str()),
            Named::Elsewhere(..) => true,
        };
        if counts && self.found.len() < NAMED_MAX && !self.found.contains(named) {
            self.found.push(named.clone());
        }
    }
}

impl<'p> Visit<'p> for Inside<'_> {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'p>) {
        let (names, helpers) = (self.names, self.helpers);
        let Some(symbol) = names.symbol(name) else { return };
        if let Some(named) = names.imported.get(&symbol) {
            self.note(named);
        }
        let helped = helpers.and_then(|helpers| helpers.get(&symbol));
        helped.into_iter().flatten().for_each(|named| self.note(named));
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'p>) {
        match self.names.member(member) {
            Some(named) => self.note(&named),
            None => walk::walk_static_member_expression(self, member),
        }
    }

    /// A class has decorators of its own.
    fn visit_class(&mut self, _class: &Class<'p>) {}

    /// What is only a type names nothing.
    fn visit_ts_type(&mut self, _type: &TSType<'p>) {}
}

/// What the file's top-level names stand for.
struct Names<'s> {
    scoping: &'s Scoping,
    /// Local names, other than those of whole modules.
    imported: HashMap<SymbolId, Named>,
    /// Local names of whole modules.
    namespaces: HashMap<SymbolId, String>,
}

impl<'p> Visit<'p> for Names<'_> {
    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'p>) {
        if import.import_kind.is_type() {
            return;
        }
        let module = import.source.value.as_str();
        let named = |name: &str| match module {
            PACKAGE => Named::Package(name.to_owned()),
            module => Named::Elsewhere(module.to_owned(), vec![name.to_owned()]),
        };
        for specifier in import.specifiers.iter().flatten() {
            let local = specifier.local().symbol_id();
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(specifier) if specifier.import_kind.is_type() => {}
                ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                    self.imported.insert(local, named(specifier.imported.name().as_str()));
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => {
                    self.namespaces.insert(local, module.to_owned());
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => {
                    self.imported.insert(local, named("default"));
                }
            }
        }
    }
}

impl Names<'_> {
    /// What a name stands for, by scope.
    fn symbol(&self, name: &IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping.get_reference(name.reference_id.get()?).symbol_id()
    }

    /// What an expression such as `Meter`, `M`, `svc.Meter` or `kit.unit` stands for, where that is imported.
    fn named(&self, callee: &Expression<'_>) -> Option<Named> {
        match callee.get_inner_expression() {
            Expression::Identifier(name) => self.imported.get(&self.symbol(name)?).cloned(),
            Expression::StaticMemberExpression(member) => self.member(member),
            _ => None,
        }
    }

    fn member(&self, member: &StaticMemberExpression<'_>) -> Option<Named> {
        let mut path = vec![member.property.name.to_string()];
        let mut object = member.object.get_inner_expression();
        while let Expression::StaticMemberExpression(outer) = object {
            if path.len() >= PATH_MAX {
                return None;
            }
            path.push(outer.property.name.to_string());
            object = outer.object.get_inner_expression();
        }
        let Expression::Identifier(name) = object else { return None };
        let symbol = self.symbol(name)?;
        path.reverse();
        if let Some(module) = self.namespaces.get(&symbol) {
            return match (module.as_str(), path.as_slice()) {
                (PACKAGE, [name]) => Some(Named::Package(name.clone())),
                (PACKAGE, _) => None,
                _ => Some(Named::Elsewhere(module.clone(), path)),
            };
        }
        match self.imported.get(&symbol)? {
            Named::Package(_) => None,
            Named::Elsewhere(module, names) => {
                Some(Named::Elsewhere(module.clone(), names.iter().cloned().chain(path).collect()))
            }
        }
    }

    /// The exported name of the package that an expression stands for.
    fn exported(&self, callee: &Expression<'_>) -> Option<String> {
        match self.named(callee)? {
            Named::Package(name) => Some(name),
            Named::Elsewhere(..) => None,
        }
    }

    /// Whether the call is `display.multiplier(…)`, plain or under `svc`.
    fn is_display(&self, callee: &Expression<'_>) -> bool {
        let Expression::StaticMemberExpression(member) = callee.get_inner_expression() else { return false };
        if member.property.name != "multiplier" {
            return false;
        }
        match &member.object {
            Expression::StaticMemberExpression(inner) => inner.property.name == "display",
            object => self.exported(object).is_some_and(|name| name == "display"),
        }
    }
}

struct Finder<'l> {
    names: Names<'l>,
    helpers: Local,
    /// The module's own `const name = value`, with how deep the spans of each nest. Each is followed once: a constant is made of those
    /// above it.
    constants: HashMap<SymbolId, (SpanTree, usize)>,
    /// Names whose values are changed after they are written.
    changed: HashSet<SymbolId>,
    effort: &'l Effort,
    lines: &'l Lines<'l>,
    found: Vec<Decorated>,
}

impl<'p> Visit<'p> for Finder<'_> {
    fn visit_class(&mut self, class: &Class<'p>) {
        let mut all: Vec<Written> =
            class.decorators.iter().filter_map(|decorator| self.written(decorator, None)).collect();
        for element in &class.body.body {
            let (decorators, key) = match element {
                ClassElement::PropertyDefinition(property) => (&property.decorators, &property.key),
                ClassElement::MethodDefinition(method) => (&method.decorators, &method.key),
                ClassElement::AccessorProperty(accessor) => (&accessor.decorators, &accessor.key),
                _ => continue,
            };
            let member = member_name(key);
            all.extend(decorators.iter().filter_map(|decorator| self.written(decorator, member.clone())));
        }
        if !all.is_empty() {
            let name = class.id.as_ref().map(|id| id.name.to_string());
            let span = self.lines.span(class.span.start, class.body.span.start);
            self.found.push(Decorated { name, span, decorators: all });
        }
        walk::walk_class(self, class);
    }
}

fn member_name(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::PrivateIdentifier(name) => Some(format!("#{}", name.name)),
        other => other.static_name().map(|name| name.to_string()),
    }
}

impl Finder<'_> {
    /// Notes the constants of the module's top level, from the first to the last.
    fn note_constants(&mut self, program: &Program<'_>) {
        for statement in &program.body {
            let declaration = match statement {
                Statement::VariableDeclaration(declaration) => Some(declaration),
                Statement::ExportDeclaration(export) => match &export.declaration {
                    oxc::ast::ast::Declaration::VariableDeclaration(declaration) => Some(declaration),
                    _ => None,
                },
                _ => None,
            };
            let Some(declaration) = declaration.filter(|declaration| declaration.kind.is_const()) else { continue };
            for declarator in &declaration.declarations {
                self.note_constant(declarator);
            }
        }
    }

    fn note_constant(&mut self, declarator: &VariableDeclarator<'_>) {
        let (Some(id), Some(init)) = (declarator.id.get_binding_identifier(), &declarator.init) else { return };
        if !self.changed.contains(&id.symbol_id()) {
            let noted = self.tree(None, init, DEPTH_MAX);
            self.constants.insert(id.symbol_id(), noted);
        }
    }

    /// A decorator that is the package's, or may be.
    fn written(&self, decorator: &Decorator<'_>, member: Option<String>) -> Option<Written> {
        // A decorator without parentheses is a declaration without arguments.
        let (callee, args) = match decorator.expression.get_inner_expression() {
            Expression::CallExpression(call) => (&call.callee, call.arguments.as_slice()),
            bare => (bare, [].as_slice()),
        };
        let callee = self.names.named(callee);
        let mut inside = Vec::new();
        if !matches!(callee, Some(Named::Package(_))) {
            let mut named = Inside { names: &self.names, helpers: Some(&self.helpers), found: Vec::new() };
            named.visit_expression(&decorator.expression);
            inside = named.found;
        }
        if callee.is_none() && inside.is_empty() {
            return None;
        }
        let args =
            args.iter().map_while(Argument::as_expression).map(|arg| self.tree(None, arg, DEPTH_MAX).0).collect();
        let span = self.lines.span(decorator.span.start, decorator.span.end);
        Some(Written { callee, inside, member, span, args })
    }

    /// The spans of a value, nesting at most `left` deep, and how deep they nest. What is computed has no children.
    fn tree(&self, key: Option<Span>, value: &Expression<'_>, left: usize) -> (SpanTree, usize) {
        let inner = value.get_inner_expression();
        if let Expression::Identifier(name) = inner
            && let Some((constant, depth)) = self.names.symbol(name).and_then(|symbol| self.constants.get(&symbol))
            && *depth <= left
        {
            return (SpanTree { key, ..constant.clone() }, *depth);
        }
        let span = inner.span();
        let children = left.checked_sub(1).and_then(|left| self.children(inner, left)).unwrap_or_default();
        let depth = children.iter().map(|(_, (_, depth))| depth.saturating_add(1)).max().unwrap_or_default();
        let children = children.into_iter().map(|(segment, (tree, _))| (segment, tree)).collect();
        (SpanTree { key, value: self.lines.span(span.start, span.end), children: Arc::new(children) }, depth)
    }

    /// What stands inside a value; nothing where no more places are noted.
    fn children(&self, value: &Expression<'_>, left: usize) -> Option<Vec<Child>> {
        match value {
            Expression::ObjectExpression(object) => {
                let mut all = Vec::new();
                for property in &object.properties {
                    // Each is counted, also where a later one takes its place.
                    all.extend(self.property(property, left)?);
                }
                let spreads =
                    object.properties.iter().any(|property| matches!(property, ObjectPropertyKind::SpreadProperty(_)));
                Some(if spreads { last_of_each(all) } else { all })
            }
            Expression::ArrayExpression(array) => {
                // Behind a spread the positions are not known.
                let known = array
                    .elements
                    .iter()
                    .take_while(|element| !matches!(element, ArrayExpressionElement::SpreadElement(_)));
                let elements = known.enumerate().filter_map(|(index, element)| Some((index, element.as_expression()?)));
                let element = |(index, element): (usize, &Expression<'_>)| {
                    self.effort.values(1).then(|| (Segment::from(index), self.tree(None, element, left)))
                };
                elements.map(element).collect()
            }
            Expression::CallExpression(call) => self.helper(call, left),
            _ => Some(Vec::new()),
        }
    }

    fn property(&self, property: &ObjectPropertyKind<'_>, left: usize) -> Option<Vec<Child>> {
        match property {
            ObjectPropertyKind::ObjectProperty(property) => {
                let Some(name) = property.key.static_name() else { return Some(Vec::new()) };
                if !self.effort.values(1) {
                    return None;
                }
                let span = property.key.span();
                let key = self.lines.span(span.start, span.end);
                Some(vec![(Segment::from(name.as_ref()), self.tree(Some(key), &property.value, left))])
            }
            ObjectPropertyKind::SpreadProperty(spread) => self.inside(&spread.argument, left),
        }
    }

    /// What stands inside a value that is spread, or is a helper's options.
    fn inside(&self, value: &Expression<'_>, left: usize) -> Option<Vec<Child>> {
        let (tree, depth) = self.tree(None, value, left.saturating_add(1));
        if !self.effort.values(tree.children.len()) {
            return None;
        }
        let depth = depth.saturating_sub(1);
        Some(tree.children.iter().map(|(segment, tree)| (segment.clone(), (tree.clone(), depth))).collect())
    }

    /// What the package's helpers make of their arguments.
    fn helper(&self, call: &CallExpression<'_>, left: usize) -> Option<Vec<Child>> {
        let argument = |index: usize| call.arguments.get(index).and_then(Argument::as_expression);
        let options = |index: usize| argument(index).map_or(Some(Vec::new()), |value| self.inside(value, left));
        match self.names.exported(&call.callee).as_deref() {
            Some("capabilityGrant") => {
                let capability = argument(0).map(|value| (Segment::from("capability"), self.tree(None, value, left)));
                Some(capability.into_iter().chain(options(1)?).collect())
            }
            Some("creditGrant" | "topUp") => options(0),
            None if self.names.is_display(&call.callee) => options(0),
            _ => Some(Vec::new()),
        }
    }
}

/// The last entry of each key, in order: what is spread again and again stands once.
fn last_of_each(all: Vec<Child>) -> Vec<Child> {
    let last: HashMap<Segment, usize> =
        all.iter().enumerate().map(|(at, (segment, _))| (segment.clone(), at)).collect();
    let entries = all.into_iter().enumerate();
    entries.filter(|(at, (segment, _))| last.get(segment) == Some(at)).map(|(_, entry)| entry).collect()
}

/// A part of a value, with how deep its spans nest.
type Child = (Segment, (SpanTree, usize));
