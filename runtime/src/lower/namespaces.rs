//! Namespaces. oxc lowers one to a function with local variables, where TypeScript makes each exported variable a property of the
//! namespace's object: what that would change is refused. What is left gets the author's name back.

use super::problems::Problems;
use oxc::allocator::Allocator;
use oxc::ast::ast::{
    BindingIdentifier, BindingPattern, Declaration, Expression, Function, IdentifierReference, MemberExpression,
    Program, SimpleAssignmentTarget, Statement, TSNamespaceDeclaration, TSNamespaceDeclarationBody, UnaryExpression,
    VariableDeclaration,
};
use oxc::ast_visit::{Visit, VisitMut, walk, walk_mut};
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, Span};
use oxc::syntax::operator::UnaryOperator;
use oxc::syntax::scope::{ScopeFlags, ScopeId};
use oxc::syntax::symbol::SymbolId;
use std::collections::{BTreeMap, HashMap, HashSet};
use svc_engine::diagnostic::Code;

/// The name of each namespace by its scope, which lowering makes its function's.
pub(super) type Names = HashMap<ScopeId, String>;

/// One exported variable of a namespace.
struct Exported {
    symbol: SymbolId,
    span: Span,
    is_const: bool,
}

/// One namespace, whatever it exports.
#[derive(Default)]
struct Namespace {
    variables: BTreeMap<String, Exported>,
    /// The namespaces that it exports.
    inner: BTreeMap<String, SymbolId>,
    name: String,
    /// Whether another namespace or another file sees it.
    is_exported: bool,
}

struct Found<'s> {
    scoping: &'s Scoping,
    all: HashMap<SymbolId, Namespace>,
    /// Every one, in the order of the source.
    order: Vec<SymbolId>,
    /// Where the second and later blocks of one namespace stand.
    merged: Vec<(String, Span)>,
    names: Names,
}

/// Refuses what would be lowered to something else than TypeScript's. Answers the namespaces' names.
pub(super) fn check(program: &Program<'_>, scoping: &Scoping, problems: &mut Problems<'_>) -> Names {
    let mut found = Found { scoping, all: HashMap::new(), order: Vec::new(), merged: Vec::new(), names: Names::new() };
    for statement in &program.body {
        found.statement(statement, None);
    }
    for (name, span) in &found.merged {
        let message =
            format!("the namespace `{name}` is written in more than one block, which a build can't put together");
        problems.push(Code::SyntaxNotSupported, *span, message, Some("write all of it in one block".to_owned()));
    }
    if found.all.values().any(|namespace| !namespace.variables.is_empty()) {
        let mut uses = Uses::new(&found);
        uses.visit_program(program);
        for (name, span) in &uses.written {
            refuse_assigned(name, *span, problems);
        }
        check_handed_on(&uses, problems);
    }
    found.names
}

/// Reports exported variables that might be assigned where their namespace is handed to.
fn check_handed_on(uses: &Uses<'_, '_>, problems: &mut Problems<'_>) {
    let found = uses.found;
    for symbol in &found.order {
        let Some(namespace) = found.all.get(symbol) else { continue };
        let values = found.scoping.get_resolved_references(*symbol).filter(|reference| reference.is_value()).count();
        if !namespace.is_exported && values <= uses.members.get(symbol).copied().unwrap_or_default() {
            continue;
        }
        let changeable = |variable: &Exported| !variable.is_const && !uses.assigned.contains(&variable.symbol);
        for (name, variable) in namespace.variables.iter().filter(|(_, variable)| changeable(variable)) {
            let message = format!(
                "`{name}` is an exported variable of the namespace `{}`, which is handed on: whoever has it could assign it",
                namespace.name
            );
            problems.push(
                Code::SyntaxNotSupported,
                variable.span,
                message,
                Some(format!("write `export const {name}`")),
            );
        }
    }
}

fn refuse_assigned(name: &str, span: Span, problems: &mut Problems<'_>) {
    let message =
        format!("`{name}` is exported by a namespace and assigned here, which a build can't lower as TypeScript does");
    let hint = "give it its value where it is declared, or keep it in a variable or an object outside the namespace";
    problems.push(Code::SyntaxNotSupported, span, message, Some(hint.to_owned()));
}

impl<'s> Found<'s> {
    /// Looks at one statement, in the body of `parent` where there is one.
    fn statement(&mut self, statement: &Statement<'_>, parent: Option<SymbolId>) {
        match statement {
            Statement::TSNamespaceDeclaration(namespace) => self.namespace(namespace, parent, false),
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::TSNamespaceDeclaration(namespace) => self.namespace(namespace, parent, true),
                Declaration::VariableDeclaration(variables) => self.variables(variables, parent),
                _ => {}
            },
            _ => {}
        }
    }

    fn namespace(&mut self, namespace: &TSNamespaceDeclaration<'_>, parent: Option<SymbolId>, is_exported: bool) {
        let symbol = namespace.id.symbol_id();
        if namespace.declare || !self.is_instantiated(&namespace.id) {
            return;
        }
        let name = namespace.id.name.to_string();
        if self.all.contains_key(&symbol) {
            self.merged.push((name.clone(), namespace.id.span));
        } else {
            self.order.push(symbol);
        }
        let known = self.all.entry(symbol).or_default();
        known.name.clone_from(&name);
        known.is_exported |= is_exported && parent.is_none();
        if let Some(parent) = parent.filter(|_| is_exported) {
            self.all.entry(parent).or_default().inner.insert(name.clone(), symbol);
        }
        if let Some(scope) = namespace.scope_id.get() {
            self.names.insert(scope, name);
        }
        match &namespace.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                block.body.iter().for_each(|statement| self.statement(statement, Some(symbol)));
            }
            // `namespace A.B {}` is a `B` that `A` exports.
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => self.namespace(inner, Some(symbol), true),
        }
    }

    /// Whether a block holds more than types. Where a name has several declarations, each says so for itself.
    fn is_instantiated(&self, id: &BindingIdentifier<'_>) -> bool {
        let redeclarations = self.scoping.symbol_redeclarations(id.symbol_id());
        let own = redeclarations.iter().find(|other| other.span == id.span).map(|own| own.flags);
        own.unwrap_or_else(|| self.scoping.symbol_flags(id.symbol_id())).is_value_module()
    }

    fn variables(&mut self, declaration: &VariableDeclaration<'_>, parent: Option<SymbolId>) {
        let Some(parent) = parent.filter(|_| !declaration.declare) else { return };
        let is_const = declaration.kind.is_const();
        let mut names = BoundNames(Vec::new());
        declaration.declarations.iter().for_each(|declarator| names.visit_binding_pattern(&declarator.id));
        let known = self.all.entry(parent).or_default();
        for (name, symbol, span) in names.0 {
            known.variables.insert(name, Exported { symbol, span, is_const });
        }
    }
}

/// The names that a pattern binds.
struct BoundNames(Vec<(String, SymbolId, Span)>);

impl<'p> Visit<'p> for BoundNames {
    fn visit_binding_identifier(&mut self, id: &BindingIdentifier<'p>) {
        self.0.push((id.name.to_string(), id.symbol_id(), id.span));
    }
    fn visit_expression(&mut self, _default: &Expression<'p>) {}
}

/// How a file uses its namespaces.
struct Uses<'f, 's> {
    found: &'f Found<'s>,
    /// The exported variables.
    variables: HashSet<SymbolId>,
    /// Assignments to them, by their own names the first of each.
    written: Vec<(String, Span)>,
    /// Those that are assigned by their own names.
    assigned: HashSet<SymbolId>,
    /// How often each namespace stands in front of a member's name.
    members: HashMap<SymbolId, usize>,
}

impl<'f, 's> Uses<'f, 's> {
    fn new(found: &'f Found<'s>) -> Self {
        let variables = found.all.values().flat_map(|namespace| namespace.variables.values());
        let variables = variables.map(|variable| variable.symbol).collect();
        Uses { found, variables, written: Vec::new(), assigned: HashSet::new(), members: HashMap::new() }
    }

    fn symbol(&self, name: &IdentifierReference<'_>) -> Option<SymbolId> {
        let symbol = self.found.scoping.get_reference(name.reference_id.get()?).symbol_id()?;
        self.found.all.contains_key(&symbol).then_some(symbol)
    }

    /// The namespace that an expression such as `A.B` stands for.
    fn namespace(&self, value: &Expression<'_>) -> Option<SymbolId> {
        let mut path = Vec::new();
        let mut value = value.get_inner_expression();
        loop {
            match value {
                Expression::Identifier(name) => {
                    let mut symbol = self.symbol(name)?;
                    for step in path.iter().rev() {
                        symbol = *self.found.all.get(&symbol)?.inner.get(*step)?;
                    }
                    return Some(symbol);
                }
                // Nobody nests namespaces deeper, and chains of members may be long.
                Expression::StaticMemberExpression(member) if path.len() < 32 => {
                    path.push(member.property.name.as_str());
                    value = member.object.get_inner_expression();
                }
                _ => return None,
            }
        }
    }

    fn note_write(&mut self, object: &Expression<'_>, name: Option<&str>, span: Span) {
        let Some(namespace) = self.namespace(object).and_then(|symbol| self.found.all.get(&symbol)) else { return };
        match name {
            Some(name) if namespace.variables.contains_key(name) => self.written.push((name.to_owned(), span)),
            // A computed name may be any of them.
            None if !namespace.variables.is_empty() => self.written.push((namespace.name.clone(), span)),
            _ => {}
        }
    }
}

impl<'p> Visit<'p> for Uses<'_, '_> {
    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'p>) {
        let behind_type = target.get_expression().map(|value| value.get_inner_expression());
        let member = behind_type.map_or_else(|| target.as_member_expression(), |value| value.as_member_expression());
        if let Some(member) = member {
            self.note_write(member.object(), member.static_property_name(), member.span());
        }
        walk::walk_simple_assignment_target(self, target);
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'p>) {
        let reference = name.reference_id.get().map(|id| self.found.scoping.get_reference(id));
        let symbol = reference.filter(|reference| reference.is_write()).and_then(|reference| reference.symbol_id());
        if let Some(symbol) = symbol.filter(|symbol| self.variables.contains(symbol))
            && self.assigned.insert(symbol)
        {
            self.written.push((name.name.to_string(), name.span));
        }
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'p>) {
        if unary.operator == UnaryOperator::Delete
            && let Some(member) = unary.argument.get_inner_expression().as_member_expression()
        {
            self.note_write(member.object(), member.static_property_name(), unary.span);
        }
        walk::walk_unary_expression(self, unary);
    }

    fn visit_member_expression(&mut self, member: &MemberExpression<'p>) {
        if let Expression::Identifier(name) = member.object().get_inner_expression()
            && let Some(symbol) = self.symbol(name)
        {
            let count = self.members.entry(symbol).or_default();
            *count = count.saturating_add(1);
        }
        walk::walk_member_expression(self, member);
    }
}

/// Gives the functions that namespaces became their parameters' names back, where nothing in them has that name: V8's messages show it.
pub(super) fn rename_parameters<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: &Scoping,
    names: &Names,
) {
    let mut renamer = Renamer { allocator, scoping, names, renamed: HashMap::new() };
    renamer.visit_program(program);
}

struct Renamer<'a, 'n> {
    allocator: &'a Allocator,
    scoping: &'n Scoping,
    names: &'n Names,
    renamed: HashMap<SymbolId, &'a str>,
}

impl<'a> VisitMut<'a> for Renamer<'a, '_> {
    fn visit_function(&mut self, function: &mut Function<'a>, flags: ScopeFlags) {
        if let Some(scope) = function.scope_id.get()
            && let Some(name) = self.names.get(&scope)
            && let [parameter] = function.params.items.as_slice()
            && let BindingPattern::BindingIdentifier(id) = &parameter.pattern
            && let Some(symbol) = id.symbol_id.get()
            && self.scoping.get_binding(scope, name.as_str().into()).is_none()
        {
            self.renamed.insert(symbol, self.allocator.alloc_str(name));
        }
        walk_mut::walk_function(self, function, flags);
    }

    fn visit_binding_identifier(&mut self, id: &mut BindingIdentifier<'a>) {
        if let Some(name) = id.symbol_id.get().and_then(|symbol| self.renamed.get(&symbol)) {
            id.name = (*name).into();
        }
    }

    fn visit_identifier_reference(&mut self, name: &mut IdentifierReference<'a>) {
        let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
        if let Some(written) = symbol.and_then(|symbol| self.renamed.get(&symbol)) {
            name.name = (*written).into();
        }
    }
}
