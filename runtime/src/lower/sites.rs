//! Finds where an author wrote what: every decorator of the authoring package, with the span of every key and value that
//! is written out, through parentheses, `as`, constants of the file, spreads and the package's own helpers.

use super::lines::Lines;
use super::problems::Problems;
use oxc::ast::ast::{
    Argument, ArrayExpressionElement, ArrowFunctionExpression, CallExpression, Class, ClassElement, Declaration,
    Decorator, Expression, ExpressionStatement, Function, IdentifierReference, ImportDeclaration,
    ImportDeclarationSpecifier, ModuleExportName, ObjectPropertyKind, Program, PropertyKey, Statement,
    StaticMemberExpression, VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::GetSpan;
use oxc::syntax::scope::ScopeFlags;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use svc_engine::diagnostic::Code;
use svc_engine::source::{CallSite, ClassSite, IndirectSite, Segment, SpanTree};

/// The authoring package's specifier.
pub(crate) const PACKAGE: &str = "@svc/product";
/// The package's decorators.
const DECORATORS: &[&str] = &[
    "Backend",
    "Capability",
    "Entitlement",
    "Feature",
    "Frontend",
    "Meter",
    "Plan",
    "Policy",
    "Product",
    "Raw",
    "Requests",
    "Resource",
    "Surface",
    "Workflow",
];
/// Most values of one file whose places are noted; past them a value is blamed as a whole. A file of 1 MiB holds fewer literals, and
/// constants that are spread into each other many more.
const VALUES_MAX: usize = 400_000;
/// How deep a literal's spans are noted; the package copies no deeper either.
const DEPTH_MAX: usize = 64;

/// The decorated classes of a program, in source order. Reports decorators that are called and not used.
pub(super) fn classes<'p>(program: &'p Program<'p>, lines: &Lines<'_>, problems: &mut Problems<'_>) -> Vec<ClassSite> {
    let mut names = Names::default();
    names.visit_program(program);
    let helpers = helpers(&names, program);
    let mut finder = Finder {
        names,
        helpers,
        constants: HashMap::new(),
        values_left: Cell::new(VALUES_MAX),
        lines,
        functions: 0,
        unused: Vec::new(),
        found: Vec::new(),
    };
    finder.note_constants(program);
    finder.visit_program(program);
    for (name, span) in finder.unused {
        let message = format!("`{name}(…)` is called, and the decorator that it gives is not applied");
        let hint = format!("write `@{name}(…)` above the field, or the class, that it belongs to");
        problems.push(Code::DecoratorNotApplied, span, message, Some(hint));
    }
    finder.found
}

/// The file's own functions that name decorators of the package, and which.
fn helpers(names: &Names, program: &Program<'_>) -> HashMap<String, Vec<String>> {
    let mut helpers = HashMap::new();
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
                    helpers.insert(id.name.to_string(), inside.found);
                }
            }
            Some(Declaration::VariableDeclaration(variables)) => {
                for declarator in &variables.declarations {
                    let mut inside = Inside { names, helpers: None, found: Vec::new() };
                    declarator.init.iter().for_each(|init| inside.visit_expression(init));
                    if let (Some(name), false) = (declarator.id.get_identifier_name(), inside.found.is_empty()) {
                        helpers.insert(name.to_string(), inside.found);
                    }
                }
            }
            _ => {}
        }
    }
    helpers
}

/// Collects which decorators of the package are named inside of something, each once.
struct Inside<'n> {
    names: &'n Names,
    /// The file's own functions that name some; not followed into each other.
    helpers: Option<&'n HashMap<String, Vec<String>>>,
    found: Vec<String>,
}

impl Inside<'_> {
    fn note(&mut self, name: &str) {
        if DECORATORS.contains(&name) && !self.found.iter().any(|known| known == name) {
            self.found.push(name.to_owned());
        }
    }
}

impl<'p> Visit<'p> for Inside<'_> {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'p>) {
        let (names, helpers) = (self.names, self.helpers);
        if let Some(exported) = names.imported.get(name.name.as_str()) {
            self.note(exported);
        }
        let helped = helpers.and_then(|helpers| helpers.get(name.name.as_str()));
        helped.into_iter().flatten().for_each(|decorator| self.note(decorator));
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'p>) {
        if let Expression::Identifier(object) = &member.object
            && self.names.namespaces.iter().any(|name| name == object.name.as_str())
        {
            self.note(member.property.name.as_str());
        }
        walk::walk_static_member_expression(self, member);
    }

    /// A class has decorators of its own.
    fn visit_class(&mut self, _class: &Class<'p>) {}
}

/// What the file's top-level names stand for.
#[derive(Default)]
struct Names {
    /// Local name to the package's exported name.
    imported: HashMap<String, String>,
    /// Local names of the package's whole namespace.
    namespaces: Vec<String>,
}

impl<'p> Visit<'p> for Names {
    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'p>) {
        if import.source.value.as_str() != PACKAGE {
            return;
        }
        for specifier in import.specifiers.iter().flatten() {
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) => {
                    let exported = match &named.imported {
                        ModuleExportName::IdentifierName(name) => name.name.to_string(),
                        ModuleExportName::IdentifierReference(name) => name.name.to_string(),
                        ModuleExportName::StringLiteral(text) => text.value.to_string(),
                    };
                    self.imported.insert(named.local.name.to_string(), exported);
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => {
                    self.namespaces.push(all.local.name.to_string())
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => {}
            }
        }
    }
}

impl Names {
    /// The exported name of the package that an expression such as `Meter`, `M` or `svc.Meter` stands for.
    fn exported(&self, callee: &Expression<'_>) -> Option<String> {
        match callee.get_inner_expression() {
            Expression::Identifier(name) => self.imported.get(name.name.as_str()).cloned(),
            Expression::StaticMemberExpression(member) => {
                let Expression::Identifier(object) = &member.object else { return None };
                let namespace = self.namespaces.iter().any(|name| name == object.name.as_str());
                namespace.then(|| member.property.name.to_string())
            }
            _ => None,
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
    names: Names,
    helpers: HashMap<String, Vec<String>>,
    /// The module's own `const name = value`, with how deep the spans of each nest. Each is followed once: a constant is made of those
    /// above it.
    constants: HashMap<String, (SpanTree, usize)>,
    values_left: Cell<usize>,
    lines: &'l Lines<'l>,
    /// How many functions are around the place being read.
    functions: usize,
    /// Decorators that are called in a statement of their own, which does nothing. In a function it may be there for what it checks.
    unused: Vec<(String, oxc::span::Span)>,
    found: Vec<ClassSite>,
}

impl<'p> Visit<'p> for Finder<'_> {
    fn visit_class(&mut self, class: &Class<'p>) {
        let mut calls: Vec<CallSite> =
            class.decorators.iter().filter_map(|decorator| self.call(decorator, None)).collect();
        let mut indirect: Vec<IndirectSite> =
            class.decorators.iter().filter_map(|decorator| self.indirect(decorator, None)).collect();
        for element in &class.body.body {
            let (decorators, key) = match element {
                ClassElement::PropertyDefinition(property) => (&property.decorators, &property.key),
                ClassElement::MethodDefinition(method) => (&method.decorators, &method.key),
                ClassElement::AccessorProperty(accessor) => (&accessor.decorators, &accessor.key),
                _ => continue,
            };
            let member = member_name(key);
            calls.extend(decorators.iter().filter_map(|decorator| self.call(decorator, member.clone())));
            indirect.extend(decorators.iter().filter_map(|decorator| self.indirect(decorator, member.as_deref())));
        }
        if !calls.is_empty() || !indirect.is_empty() {
            let name = class.id.as_ref().map(|id| id.name.to_string());
            let span = self.lines.span(class.span.start, class.body.span.start);
            self.found.push(ClassSite { name, span, calls, indirect });
        }
        walk::walk_class(self, class);
    }

    fn visit_function(&mut self, function: &Function<'p>, flags: ScopeFlags) {
        self.functions = self.functions.saturating_add(1);
        walk::walk_function(self, function, flags);
        self.functions = self.functions.saturating_sub(1);
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'p>) {
        self.functions = self.functions.saturating_add(1);
        walk::walk_arrow_function_expression(self, function);
        self.functions = self.functions.saturating_sub(1);
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'p>) {
        if let Expression::CallExpression(call) = statement.expression.get_inner_expression()
            && let Some(name) = self.names.exported(&call.callee).filter(|name| DECORATORS.contains(&name.as_str()))
            && self.functions == 0
            && call.arguments.first().and_then(Argument::as_expression).is_none_or(is_written_out)
        {
            self.unused.push((name, call.span));
        }
        walk::walk_expression_statement(self, statement);
    }
}

/// Whether a value is a text or an object that is written out, and so no class that a decorator is applied to.
fn is_written_out(value: &Expression<'_>) -> bool {
    let value = value.get_inner_expression();
    matches!(value, Expression::StringLiteral(_) | Expression::TemplateLiteral(_) | Expression::ObjectExpression(_))
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
        let (Some(name), Some(init)) = (declarator.id.get_identifier_name(), &declarator.init) else { return };
        let noted = self.tree(None, init, DEPTH_MAX);
        self.constants.insert(name.to_string(), noted);
    }

    fn call(&self, decorator: &Decorator<'_>, member: Option<String>) -> Option<CallSite> {
        // A decorator without parentheses is a declaration without arguments.
        let (callee, args) = match decorator.expression.get_inner_expression() {
            Expression::CallExpression(call) => (&call.callee, call.arguments.as_slice()),
            bare => (bare, [].as_slice()),
        };
        let name = self.names.exported(callee)?;
        let args =
            args.iter().map_while(Argument::as_expression).map(|arg| self.tree(None, arg, DEPTH_MAX).0).collect();
        let span = self.lines.span(decorator.span.start, decorator.span.end);
        Some(CallSite { decorator: name, member, span, args })
    }

    /// A decorator that is none of the package's, but names one inside.
    fn indirect(&self, decorator: &Decorator<'_>, member: Option<&str>) -> Option<IndirectSite> {
        let callee = match decorator.expression.get_inner_expression() {
            Expression::CallExpression(call) => &call.callee,
            bare => bare,
        };
        if self.names.exported(callee).is_some() {
            return None;
        }
        let mut inside = Inside { names: &self.names, helpers: Some(&self.helpers), found: Vec::new() };
        inside.visit_expression(&decorator.expression);
        let span = self.lines.span(decorator.span.start, decorator.span.end);
        let member = member.map(str::to_owned);
        (!inside.found.is_empty()).then_some(IndirectSite { decorators: inside.found, member, span })
    }

    /// The spans of a value, nesting at most `left` deep, and how deep they nest. What is computed has no children.
    fn tree(&self, key: Option<svc_engine::source::Span>, value: &Expression<'_>, left: usize) -> (SpanTree, usize) {
        let inner = value.get_inner_expression();
        if let Expression::Identifier(name) = inner
            && let Some((constant, depth)) = self.constants.get(name.name.as_str())
            && *depth <= left
        {
            return (SpanTree { key, ..constant.clone() }, *depth);
        }
        let span = inner.span();
        let mut children = left.checked_sub(1).map(|left| self.children(inner, left)).unwrap_or_default();
        match self.values_left.get().checked_sub(children.len()) {
            Some(values_left) => self.values_left.set(values_left),
            None => children.clear(),
        }
        let depth = children.iter().map(|(_, (_, depth))| depth.saturating_add(1)).max().unwrap_or_default();
        let children = children.into_iter().map(|(segment, (tree, _))| (segment, tree)).collect();
        (SpanTree { key, value: self.lines.span(span.start, span.end), children: Arc::new(children) }, depth)
    }

    fn children(&self, value: &Expression<'_>, left: usize) -> Vec<Child> {
        match value {
            Expression::ObjectExpression(object) => {
                let all: Vec<Child> =
                    object.properties.iter().flat_map(|property| self.property(property, left)).collect();
                let spreads =
                    object.properties.iter().any(|property| matches!(property, ObjectPropertyKind::SpreadProperty(_)));
                if spreads { last_of_each(all) } else { all }
            }
            Expression::ArrayExpression(array) => {
                // Behind a spread the positions are not known.
                let known = array
                    .elements
                    .iter()
                    .take_while(|element| !matches!(element, ArrayExpressionElement::SpreadElement(_)));
                let element = |(index, element): (usize, &ArrayExpressionElement<'_>)| {
                    Some((Segment::from(index), self.tree(None, element.as_expression()?, left)))
                };
                known.enumerate().filter_map(element).collect()
            }
            Expression::CallExpression(call) => self.helper(call, left),
            _ => Vec::new(),
        }
    }

    fn property(&self, property: &ObjectPropertyKind<'_>, left: usize) -> Vec<Child> {
        match property {
            ObjectPropertyKind::ObjectProperty(property) => {
                let Some(name) = property.key.static_name() else { return Vec::new() };
                let span = property.key.span();
                let key = self.lines.span(span.start, span.end);
                vec![(Segment::from(name.as_ref()), self.tree(Some(key), &property.value, left))]
            }
            ObjectPropertyKind::SpreadProperty(spread) => self.inside(&spread.argument, left),
        }
    }

    /// What stands inside a value that is spread, or is a helper's options.
    fn inside(&self, value: &Expression<'_>, left: usize) -> Vec<Child> {
        let (tree, depth) = self.tree(None, value, left.saturating_add(1));
        let depth = depth.saturating_sub(1);
        tree.children.iter().map(|(segment, tree)| (segment.clone(), (tree.clone(), depth))).collect()
    }

    /// What the package's helpers make of their arguments.
    fn helper(&self, call: &CallExpression<'_>, left: usize) -> Vec<Child> {
        let argument = |index: usize| call.arguments.get(index).and_then(Argument::as_expression);
        let options = |index: usize| argument(index).map(|value| self.inside(value, left)).unwrap_or_default();
        match self.names.exported(&call.callee).as_deref() {
            Some("capabilityGrant") => {
                let capability = argument(0).map(|value| (Segment::from("capability"), self.tree(None, value, left)));
                capability.into_iter().chain(options(1)).collect()
            }
            Some("creditGrant" | "topUp") => options(0),
            None if self.names.is_display(&call.callee) => options(0),
            _ => Vec::new(),
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
