//! Enums. oxc computes their constants itself, and not always as the language does, nor within any bound: such members are left to the
//! engine. A member that is a text has no entry back from its value, also where the engine computes it.

use super::problems::Problems;
use oxc::allocator::{Allocator, ReplaceWith, TakeIn};
use oxc::ast::ast::{
    AssignmentTarget, BinaryExpression, Expression, Function, Program, Statement, StringLiteral, TSEnumDeclaration,
    TSEnumMember, TSEnumMemberName, TemplateElement, VariableDeclaration,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{Visit, VisitMut, walk, walk_mut};
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, Span};
use oxc::syntax::operator::{BinaryOperator, UnaryOperator};
use oxc::syntax::scope::{ScopeFlags, ScopeId};
use oxc::syntax::symbol::SymbolId;
use std::collections::{HashMap, HashSet};
use svc_engine::diagnostic::Code;

/// Which members of each enum, by its scope, are texts that the engine computes.
pub(super) type Texts = HashMap<ScopeId, Vec<bool>>;

/// Marks what the engine is to compute. A `!` behind a value is nothing at run time, and keeps oxc from computing it.
pub(super) fn leave_to_engine<'a>(allocator: &'a Allocator, program: &mut Program<'a>) {
    Marker { builder: AstBuilder::new(allocator), lengths: HashMap::new() }.visit_program(program);
}

/// Longest text that oxc is to compute, in bytes. Each member may be made of those before it, so that forty lines are more than a
/// machine holds; the engine ties such texts together of their parts.
const COMPUTED_MAX_BYTES: usize = 10_000;
/// More bytes than a number takes as a text.
const NUMBER_MAX_BYTES: usize = 32;

struct Marker<'a> {
    builder: AstBuilder<'a>,
    /// How long the texts of members of a name are at most.
    lengths: HashMap<String, usize>,
}

impl Marker<'_> {
    /// The most bytes of the text that oxc makes of a value.
    fn length(&self, value: &Expression<'_>) -> usize {
        let known = |name: &str| self.lengths.get(name).copied().unwrap_or(NUMBER_MAX_BYTES);
        match value.get_inner_expression() {
            Expression::StringLiteral(text) => text.value.len(),
            Expression::TemplateLiteral(template) => {
                let parts = template.quasis.iter().map(|part| part.value.raw.len());
                parts.chain(template.expressions.iter().map(|value| self.length(value))).fold(0, usize::saturating_add)
            }
            Expression::BinaryExpression(sum) => self.length(&sum.left).saturating_add(self.length(&sum.right)),
            Expression::UnaryExpression(unary) => self.length(&unary.argument),
            Expression::Identifier(name) => known(name.name.as_str()),
            Expression::StaticMemberExpression(member) => known(member.property.name.as_str()),
            Expression::ComputedMemberExpression(member) => {
                member.static_property_name().map_or(NUMBER_MAX_BYTES, |name| known(name.as_str()))
            }
            _ => NUMBER_MAX_BYTES,
        }
    }
}

impl<'a> VisitMut<'a> for Marker<'a> {
    fn visit_ts_enum_member(&mut self, member: &mut TSEnumMember<'a>) {
        let length = member.initializer.as_ref().map_or(NUMBER_MAX_BYTES, |value| self.length(value));
        let is_long = length > COMPUTED_MAX_BYTES;
        if let Some(value) = member.initializer.as_mut().filter(|value| is_long || differs(value)) {
            let part = first_part(value);
            part.replace_with(|part| Expression::new_ts_non_null_expression(part.span(), part, &self.builder));
        }
        if !is_long {
            let known = self.lengths.entry(member.id.static_name().to_string()).or_default();
            *known = length.max(*known);
        }
        walk_mut::walk_ts_enum_member(self, member);
    }
}

/// What to mark of a value: where the value is computed its first part, since the next member may go on from such a value only.
fn first_part<'v, 'a>(value: &'v mut Expression<'a>) -> &'v mut Expression<'a> {
    match value {
        Expression::ParenthesizedExpression(inner) => first_part(&mut inner.expression),
        Expression::UnaryExpression(unary) => &mut unary.argument,
        Expression::BinaryExpression(binary) => &mut binary.left,
        other => other,
    }
}

/// Whether oxc might compute the value otherwise than the language: `+`, `-` and `~` of what may be a text, powers, which are the
/// engine's own, and half a surrogate pair, which it has no text for.
fn differs(value: &Expression<'_>) -> bool {
    match value {
        Expression::StringLiteral(text) => text.lone_surrogates,
        Expression::TemplateLiteral(template) => {
            template.quasis.iter().any(|quasi| quasi.lone_surrogates) || template.expressions.iter().any(differs)
        }
        Expression::UnaryExpression(unary) => match unary.operator {
            UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation | UnaryOperator::BitwiseNot => {
                !is_number(&unary.argument) || differs(&unary.argument)
            }
            _ => false,
        },
        Expression::BinaryExpression(binary) => {
            binary.operator == BinaryOperator::Exponential || differs(&binary.left) || differs(&binary.right)
        }
        Expression::ParenthesizedExpression(inner) => differs(&inner.expression),
        _ => false,
    }
}

/// Whether an expression is written as a number.
fn is_number(value: &Expression<'_>) -> bool {
    match value {
        Expression::NumericLiteral(_) => true,
        Expression::UnaryExpression(unary) => is_number(&unary.argument),
        Expression::BinaryExpression(binary) => is_number(&binary.left) && is_number(&binary.right),
        Expression::ParenthesizedExpression(inner) => is_number(&inner.expression),
        _ => false,
    }
}

/// Refuses names that can't be lowered, and tells which members are texts that oxc does not know.
pub(super) fn check(program: &Program<'_>, scoping: &Scoping, problems: &mut Problems<'_>) -> Texts {
    let mut checker = Checker { scoping, texts: HashSet::new(), found: Texts::new(), halved: Vec::new() };
    checker.visit_program(program);
    for span in checker.halved {
        let message = "an enum's member is named by half a surrogate pair, which a build can't lower";
        problems.report(Code::SyntaxNotSupported, span, message, "write whole characters");
    }
    checker.found
}

struct Checker<'s> {
    scoping: &'s Scoping,
    /// Constants and members that hold texts.
    texts: HashSet<SymbolId>,
    found: Texts,
    /// Names with half a surrogate pair.
    halved: Vec<Span>,
}

impl Checker<'_> {
    fn member(&mut self, scope: ScopeId, member: &TSEnumMember<'_>) -> bool {
        match &member.id {
            TSEnumMemberName::String(name) | TSEnumMemberName::ComputedString(name) => self.name(name),
            TSEnumMemberName::ComputedTemplateString(name) => name.quasis.iter().for_each(|part| self.part(part)),
            TSEnumMemberName::Identifier(_) => {}
        }
        let is_text = member.initializer.as_ref().is_some_and(|value| self.is_text(value));
        let name = member.id.static_name();
        if let Some(symbol) = self.scoping.get_binding(scope, name.as_str().into()).filter(|_| is_text) {
            self.texts.insert(symbol);
        }
        is_text
    }

    fn name(&mut self, name: &StringLiteral<'_>) {
        self.halved.extend(name.lone_surrogates.then_some(name.span));
    }

    fn part(&mut self, part: &TemplateElement<'_>) {
        self.halved.extend(part.lone_surrogates.then_some(part.span));
    }

    /// Whether TypeScript sees a text: one that is written, or the name of one.
    fn is_text(&self, value: &Expression<'_>) -> bool {
        match value.get_inner_expression() {
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => true,
            Expression::BinaryExpression(sum) => self.is_sum_of_text(sum),
            Expression::Identifier(name) => {
                let known = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
                known.is_some_and(|symbol| self.texts.contains(&symbol))
            }
            Expression::StaticMemberExpression(member) => {
                self.is_text_member(&member.object, member.property.name.as_str())
            }
            Expression::ComputedMemberExpression(member) => {
                let name = member.static_property_name();
                name.is_some_and(|name| self.is_text_member(&member.object, name.as_str()))
            }
            _ => false,
        }
    }

    fn is_sum_of_text(&self, sum: &BinaryExpression<'_>) -> bool {
        sum.operator == BinaryOperator::Addition && (self.is_text(&sum.left) || self.is_text(&sum.right))
    }

    fn is_text_member(&self, object: &Expression<'_>, name: &str) -> bool {
        let Expression::Identifier(object) = object.get_inner_expression() else { return false };
        let symbol = object.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
        let scopes = symbol.and_then(|symbol| self.scoping.get_enum_body_scopes(symbol)).unwrap_or_default();
        let mut members = scopes.iter().filter_map(|scope| self.scoping.get_binding(*scope, name.into()));
        members.any(|member| self.texts.contains(&member))
    }
}

impl<'p> Visit<'p> for Checker<'_> {
    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'p>) {
        for declarator in declaration.declarations.iter().filter(|_| declaration.kind.is_const()) {
            if let Some(id) = declarator.id.get_binding_identifier()
                && declarator.init.as_ref().is_some_and(|value| self.is_text(value))
            {
                self.texts.insert(id.symbol_id());
            }
        }
        walk::walk_variable_declaration(self, declaration);
    }

    fn visit_ts_enum_declaration(&mut self, declaration: &TSEnumDeclaration<'p>) {
        if let Some(scope) = declaration.body.scope_id.get().filter(|_| !declaration.declare) {
            let texts: Vec<bool> = declaration.body.members.iter().map(|member| self.member(scope, member)).collect();
            if texts.contains(&true) {
                self.found.insert(scope, texts);
            }
        }
        walk::walk_ts_enum_declaration(self, declaration);
    }
}

/// Takes the entries back from values that are texts out of the functions that enums became.
pub(super) fn drop_entries_back<'a>(allocator: &'a Allocator, program: &mut Program<'a>, texts: &Texts) {
    Dropper { allocator, texts }.visit_program(program);
}

struct Dropper<'a, 't> {
    allocator: &'a Allocator,
    texts: &'t Texts,
}

impl<'a> VisitMut<'a> for Dropper<'a, '_> {
    fn visit_function(&mut self, function: &mut Function<'a>, flags: ScopeFlags) {
        let texts = function.scope_id.get().and_then(|scope| self.texts.get(&scope));
        if let (Some(texts), Some(body)) = (texts, &mut function.body) {
            // One statement a member, in order.
            for (statement, _) in body.statements.iter_mut().zip(texts).filter(|(_, is_text)| **is_text) {
                self.drop_entry_back(statement);
            }
        }
        walk_mut::walk_function(self, function, flags);
    }
}

impl<'a> Dropper<'a, '_> {
    /// `E[E["a"] = value] = "a"` becomes `E["a"] = value`.
    fn drop_entry_back(&self, statement: &mut Statement<'a>) {
        let Statement::ExpressionStatement(entry) = statement else { return };
        let Expression::AssignmentExpression(back) = &mut entry.expression else { return };
        let AssignmentTarget::ComputedMemberExpression(target) = &mut back.left else { return };
        if matches!(target.expression, Expression::AssignmentExpression(_)) {
            let forth = target.expression.take_in(&self.allocator);
            entry.expression = forth;
        }
    }
}
