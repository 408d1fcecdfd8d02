//! Decorators that are called and not applied: written without the `@`, or kept in a constant that nothing uses. What they declare would
//! be in no product. Names are followed by scope.

use super::problems::Problems;
use super::sites::{DECORATORS, PACKAGE};
use oxc::ast::ast::{
    Argument, ArrowFunctionExpression, CallExpression, ExportDeclaration, Expression, ExpressionStatement,
    ImportDeclarationSpecifier, Program, Statement, VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::Scoping;
use oxc::syntax::symbol::SymbolId;
use std::collections::{HashMap, HashSet};
use svc_engine::diagnostic::Code;

/// Reports the calls whose decorator nothing applies.
pub(super) fn check(program: &Program<'_>, scoping: &Scoping, problems: &mut Problems<'_>) {
    let mut checker = Checker { scoping, imported: HashMap::new(), namespaces: HashSet::new(), problems };
    for statement in &program.body {
        let Statement::ImportDeclaration(import) = statement else { continue };
        for specifier in import.specifiers.iter().flatten().filter(|_| import.source.value == PACKAGE) {
            let symbol = specifier.local().symbol_id();
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) => {
                    checker.imported.insert(symbol, named.imported.name().to_string());
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => {
                    checker.namespaces.insert(symbol);
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => {}
            }
        }
    }
    if !checker.imported.is_empty() || !checker.namespaces.is_empty() {
        checker.visit_program(program);
    }
}

struct Checker<'s, 'f, 'l> {
    scoping: &'s Scoping,
    /// What each name of the package's stands for.
    imported: HashMap<SymbolId, String>,
    /// Names of the whole package.
    namespaces: HashSet<SymbolId>,
    problems: &'f mut Problems<'l>,
}

impl Checker<'_, '_, '_> {
    fn symbol(&self, value: &Expression<'_>) -> Option<SymbolId> {
        let Expression::Identifier(name) = value.get_inner_expression() else { return None };
        self.scoping.get_reference(name.reference_id.get()?).symbol_id()
    }

    /// The decorator that a call makes. A class as the argument is one that it is applied to by hand.
    fn made<'e>(&'e self, value: &'e Expression<'_>) -> Option<(&'e CallExpression<'e>, &'e str)> {
        let Expression::CallExpression(call) = value.get_inner_expression() else { return None };
        let name = match call.callee.get_inner_expression() {
            Expression::StaticMemberExpression(member) => {
                let object = self.symbol(&member.object)?;
                self.namespaces.contains(&object).then(|| member.property.name.as_str())?
            }
            callee => self.imported.get(&self.symbol(callee)?)?,
        };
        let is_made = call.arguments.first().and_then(Argument::as_expression).is_none_or(is_written_out);
        (is_made && DECORATORS.contains(&name)).then_some((call, name))
    }

    fn report(&mut self, value: &Expression<'_>, what: &str) {
        let Some((call, name)) = self.made(value) else { return };
        let message = format!("`{name}(…)` is {what}, and the decorator that it gives is not applied");
        let hint = format!("write `@{name}(…)` above the field, or the class, that it belongs to");
        let span = call.span;
        self.problems.push(Code::DecoratorNotApplied, span, message, Some(hint));
    }
}

impl<'p> Visit<'p> for Checker<'_, '_, '_> {
    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'p>) {
        self.report(&statement.expression, "called");
        walk::walk_expression_statement(self, statement);
    }

    /// What an arrow function without braces gives back is a statement only to the parser.
    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'p>) {
        match function.get_expression() {
            Some(value) => {
                self.visit_formal_parameters(&function.params);
                self.visit_expression(value);
            }
            None => walk::walk_arrow_function_expression(self, function),
        }
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'p>) {
        if let (Some(id), Some(init)) = (declarator.id.get_binding_identifier(), &declarator.init)
            && self.scoping.symbol_is_unused(id.symbol_id())
        {
            self.report(init, &format!("kept in `{}`, which nothing uses", id.name));
        }
        walk::walk_variable_declarator(self, declarator);
    }

    /// What is exported may be used elsewhere.
    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'p>) {
        match &export.declaration {
            oxc::ast::ast::Declaration::VariableDeclaration(variables) => {
                variables.declarations.iter().for_each(|one| walk::walk_variable_declarator(self, one));
            }
            other => self.visit_declaration(other),
        }
    }
}

/// Whether a value is a text or an object that is written out, and so no class that a decorator is applied to.
fn is_written_out(value: &Expression<'_>) -> bool {
    let value = value.get_inner_expression();
    matches!(value, Expression::StringLiteral(_) | Expression::TemplateLiteral(_) | Expression::ObjectExpression(_))
}
