//! Finds where an author wrote what: every decorator of the authoring package, with the span of every key and value that
//! is written out, through parentheses, `as`, constants of the file, spreads and the package's own helpers.

use super::lines::Lines;
use oxc::ast::ast::{
    Argument, ArrayExpressionElement, CallExpression, Class, ClassElement, Decorator, Expression, ImportDeclaration,
    ImportDeclarationSpecifier, ModuleExportName, ObjectPropertyKind, Program, PropertyKey, Statement,
    VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::GetSpan;
use std::collections::HashMap;
use svc_engine::source::{CallSite, ClassSite, Segment, SpanTree};

/// The authoring package's specifier.
pub(crate) const PACKAGE: &str = "@svc/product";
/// How many constants in a row a value is followed through.
const CONSTANTS_MAX: usize = 16;
/// How deep a literal's spans are noted; the package copies no deeper either.
const DEPTH_MAX: usize = 64;

/// The decorated classes of a program, in source order.
pub(crate) fn classes<'p>(program: &'p Program<'p>, lines: &Lines<'_>) -> Vec<ClassSite> {
    let mut names = Names::default();
    names.visit_program(program);
    names.note_constants(program);
    let mut finder = Finder { names, lines, found: Vec::new() };
    finder.visit_program(program);
    finder.found
}

/// What the file's top-level names stand for.
#[derive(Default)]
struct Names<'p> {
    /// Local name to the package's exported name.
    imported: HashMap<String, String>,
    /// Local names of the package's whole namespace.
    namespaces: Vec<String>,
    /// The module's own `const name = value`.
    constants: HashMap<String, &'p Expression<'p>>,
}

impl<'p> Visit<'p> for Names<'p> {
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

impl<'p> Names<'p> {
    /// Notes the constants of the module's top level.
    fn note_constants(&mut self, program: &'p Program<'p>) {
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

    fn note_constant(&mut self, declarator: &'p VariableDeclarator<'p>) {
        let (Some(name), Some(init)) = (declarator.id.get_identifier_name(), &declarator.init) else { return };
        self.constants.insert(name.to_string(), init);
    }

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

struct Finder<'p, 'l> {
    names: Names<'p>,
    lines: &'l Lines<'l>,
    found: Vec<ClassSite>,
}

impl<'p> Visit<'p> for Finder<'p, '_> {
    fn visit_class(&mut self, class: &Class<'p>) {
        let mut calls: Vec<CallSite> =
            class.decorators.iter().filter_map(|decorator| self.call(decorator, None)).collect();
        for element in &class.body.body {
            let (decorators, key) = match element {
                ClassElement::PropertyDefinition(property) => (&property.decorators, &property.key),
                ClassElement::MethodDefinition(method) => (&method.decorators, &method.key),
                ClassElement::AccessorProperty(accessor) => (&accessor.decorators, &accessor.key),
                _ => continue,
            };
            let member = member_name(key);
            calls.extend(decorators.iter().filter_map(|decorator| self.call(decorator, member.clone())));
        }
        if !calls.is_empty() {
            let name = class.id.as_ref().map(|id| id.name.to_string());
            self.found.push(ClassSite { name, span: self.lines.span(class.span.start, class.body.span.start), calls });
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

impl Finder<'_, '_> {
    fn call(&self, decorator: &Decorator<'_>, member: Option<String>) -> Option<CallSite> {
        // A decorator without parentheses is a declaration without arguments.
        let (callee, args) = match decorator.expression.get_inner_expression() {
            Expression::CallExpression(call) => (&call.callee, call.arguments.as_slice()),
            bare => (bare, [].as_slice()),
        };
        let name = self.names.exported(callee)?;
        let args =
            args.iter().map_while(Argument::as_expression).map(|arg| self.tree(None, arg, Fuel::full())).collect();
        let span = self.lines.span(decorator.span.start, decorator.span.end);
        Some(CallSite { decorator: name, member, span, args })
    }

    /// The spans of a value. What is computed has no children.
    fn tree(&self, key: Option<svc_engine::source::Span>, value: &Expression<'_>, fuel: Fuel) -> SpanTree {
        let inner = value.get_inner_expression();
        if let (Expression::Identifier(name), Some(fuel)) = (inner, fuel.follow())
            && let Some(constant) = self.names.constants.get(name.name.as_str())
        {
            return self.tree(key, constant, fuel);
        }
        let span = inner.span();
        let children = fuel.descend().map(|fuel| self.children(inner, fuel)).unwrap_or_default();
        SpanTree { key, value: self.lines.span(span.start, span.end), children }
    }

    fn children(&self, value: &Expression<'_>, fuel: Fuel) -> Vec<(Segment, SpanTree)> {
        match value {
            Expression::ObjectExpression(object) => {
                object.properties.iter().flat_map(|property| self.property(property, fuel)).collect()
            }
            Expression::ArrayExpression(array) => {
                // Behind a spread the positions are not known.
                let known = array
                    .elements
                    .iter()
                    .take_while(|element| !matches!(element, ArrayExpressionElement::SpreadElement(_)));
                let element = |(index, element): (usize, &ArrayExpressionElement<'_>)| {
                    Some((Segment::from(index), self.tree(None, element.as_expression()?, fuel)))
                };
                known.enumerate().filter_map(element).collect()
            }
            Expression::CallExpression(call) => self.helper(call, fuel),
            _ => Vec::new(),
        }
    }

    fn property(&self, property: &ObjectPropertyKind<'_>, fuel: Fuel) -> Vec<(Segment, SpanTree)> {
        match property {
            ObjectPropertyKind::ObjectProperty(property) => {
                let Some(name) = property.key.static_name() else { return Vec::new() };
                let span = property.key.span();
                let key = self.lines.span(span.start, span.end);
                vec![(Segment::from(name.as_ref()), self.tree(Some(key), &property.value, fuel))]
            }
            ObjectPropertyKind::SpreadProperty(spread) => self.tree(None, &spread.argument, fuel).children,
        }
    }

    /// What the package's helpers make of their arguments.
    fn helper(&self, call: &CallExpression<'_>, fuel: Fuel) -> Vec<(Segment, SpanTree)> {
        let argument = |index: usize| {
            let expression = call.arguments.get(index).and_then(Argument::as_expression)?;
            Some(self.tree(None, expression, fuel))
        };
        let options = |index: usize| argument(index).map(|tree| tree.children).unwrap_or_default();
        match self.names.exported(&call.callee).as_deref() {
            Some("capabilityGrant") => {
                let capability = argument(0).map(|tree| (Segment::from("capability"), tree));
                capability.into_iter().chain(options(1)).collect()
            }
            Some("creditGrant" | "topUp") => options(0),
            None if self.names.is_display(&call.callee) => options(0),
            _ => Vec::new(),
        }
    }
}

/// How far a value may still be followed.
#[derive(Clone, Copy)]
struct Fuel {
    constants: usize,
    depth: usize,
}

impl Fuel {
    fn full() -> Self {
        Fuel { constants: CONSTANTS_MAX, depth: DEPTH_MAX }
    }

    fn follow(self) -> Option<Self> {
        Some(Fuel { constants: self.constants.checked_sub(1)?, ..self })
    }

    fn descend(self) -> Option<Self> {
        Some(Fuel { depth: self.depth.checked_sub(1)?, ..self })
    }
}
