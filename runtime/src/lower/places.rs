//! Places for what V8 tells less exactly: where a name stands that is not there, and where decorators begin that lowering put elsewhere.

use oxc::ast::ast::{Argument, ArrayExpressionElement, CallExpression, Expression, IdentifierReference, Program};
use oxc::ast_visit::{Visit, VisitMut, walk_mut};
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, Span};

/// Most names of one file that are noted.
const NOTED_MAX: usize = 10_000;

/// The names that nothing in a file declares, in source order: globals, and what is not there.
pub(super) fn undeclared(program: &Program<'_>, scoping: &Scoping) -> Vec<(String, Span)> {
    let mut names = Undeclared { scoping, found: Vec::new() };
    if !scoping.root_unresolved_references().is_empty() {
        names.visit_program(program);
    }
    names.found
}

struct Undeclared<'s> {
    scoping: &'s Scoping,
    found: Vec<(String, Span)>,
}

impl<'p> Visit<'p> for Undeclared<'_> {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'p>) {
        let reference = name.reference_id.get().map(|id| self.scoping.get_reference(id));
        let is_declared = reference.is_none_or(|reference| reference.symbol_id().is_some());
        if !is_declared && self.found.len() < NOTED_MAX {
            self.found.push((name.name.to_string(), name.span));
        }
    }
}

/// Gives the calls that lowering made of decorators the place of the first of them, since V8 blames the call.
pub(super) fn give_places(program: &mut Program<'_>) {
    Giver.visit_program(program);
}

/// How the names of the helper begin.
const HELPER: &str = "_decorate";

struct Giver;

impl<'a> VisitMut<'a> for Giver {
    fn visit_call_expression(&mut self, call: &mut CallExpression<'a>) {
        let first = match call.arguments.first() {
            Some(Argument::ArrayExpression(all)) => {
                all.elements.first().and_then(ArrayExpressionElement::as_expression)
            }
            _ => None,
        };
        let place = first.map(GetSpan::span);
        if let (Expression::Identifier(callee), Some(place)) = (&mut call.callee, place)
            && callee.span.is_unspanned()
            && callee.name.starts_with(HELPER)
        {
            callee.span = place;
        }
        walk_mut::walk_call_expression(self, call);
    }
}
