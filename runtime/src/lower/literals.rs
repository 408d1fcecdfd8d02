//! Names that are computed from constants: keys that are written twice in one object, in code or in JSON, so that the first value would
//! be lost, and decorated members that are named by a number.

use super::problems::Problems;
use oxc::ast::ast::{
    BinaryExpression, Decorator, Expression, ObjectExpression, ObjectProperty, ObjectPropertyKind, Program,
    PropertyDefinition, PropertyKey, PropertyKind, TemplateLiteral, VariableDeclaration,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, Span};
use oxc::syntax::constant_value::ConstantValue;
use oxc::syntax::number::ToJsString;
use oxc::syntax::operator::BinaryOperator;
use oxc::syntax::symbol::SymbolId;
use std::collections::{HashMap, HashSet};
use svc_engine::diagnostic::Code;

/// Longest computed key that is followed, in bytes: texts that are added up to each other grow fast.
const COMPUTED_MAX_BYTES: usize = 1_000;
/// How deep the expression of a computed key is followed.
const COMPUTED_MAX_DEPTH: usize = 16;

/// Reports the second and later of equal keys in each object literal.
pub(super) fn check(program: &Program<'_>, scoping: &Scoping, problems: &mut Problems<'_>) {
    Checker { scoping, constants: HashMap::new(), numbers: HashSet::new(), problems }.visit_program(program);
}

fn report(key: &str, span: Span, first: u32, problems: &mut Problems<'_>) {
    if problems.is_full() {
        return;
    }
    let message = format!("`{}` is written twice in one object; the value of the first is lost", beginning(key));
    let hint = format!("leave one of them out; the first stands in {}", problems.place(first));
    problems.push(Code::KeyWrittenTwice, span, message, Some(hint));
}

/// As much of a key as a sentence holds.
fn beginning(key: &str) -> String {
    const SHOWN_CHARS: usize = 100;
    match key.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", key.get(..end).unwrap_or_default()),
        None => key.to_owned(),
    }
}

struct Checker<'s, 'f, 'l> {
    scoping: &'s Scoping,
    /// Constants of the file that hold a text.
    constants: HashMap<SymbolId, String>,
    /// Constants of the file that hold a number.
    numbers: HashSet<SymbolId>,
    problems: &'f mut Problems<'l>,
}

/// Where the parts of one property are first written.
#[derive(Default)]
struct Written {
    value: Option<u32>,
    getter: Option<u32>,
    setter: Option<u32>,
}

impl Written {
    /// Notes one more; answers where what it replaces stands.
    fn replaced(&mut self, kind: PropertyKind, at: u32) -> Option<u32> {
        let (slot, other) = match kind {
            PropertyKind::Init => (&mut self.value, self.getter.or(self.setter)),
            PropertyKind::Get => (&mut self.getter, self.value),
            PropertyKind::Set => (&mut self.setter, self.value),
        };
        let first = slot.or(other);
        slot.get_or_insert(at);
        first
    }
}

impl Checker<'_, '_, '_> {
    /// The name of a property. `__proto__: x` sets no property.
    fn name(&self, property: &ObjectProperty<'_>) -> Option<String> {
        let name = match &property.key {
            PropertyKey::StaticIdentifier(name) => name.name.to_string(),
            PropertyKey::PrivateIdentifier(_) => return None,
            key => self.text(key.as_expression()?, COMPUTED_MAX_DEPTH)?,
        };
        let sets_prototype = name == "__proto__"
            && property.kind == PropertyKind::Init
            && !property.computed
            && !property.shorthand
            && !property.method;
        (!sets_prototype).then_some(name)
    }

    /// The text that an expression always is, as a key.
    fn text(&self, value: &Expression<'_>, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let text = match value.get_inner_expression() {
            Expression::StringLiteral(text) => text.value.to_string(),
            Expression::NumericLiteral(number) => number.value.to_js_string(),
            Expression::BigIntLiteral(number) => number.value.to_string(),
            Expression::TemplateLiteral(template) => self.template(template, depth)?,
            Expression::BinaryExpression(sum) => self.sum(sum, depth)?,
            Expression::Identifier(name) => {
                let symbol = self.scoping.get_reference(name.reference_id.get()?).symbol_id()?;
                self.constants.get(&symbol)?.clone()
            }
            Expression::StaticMemberExpression(member) => self.member(&member.object, member.property.name.as_str())?,
            Expression::ComputedMemberExpression(member) => {
                self.member(&member.object, member.static_property_name()?.as_str())?
            }
            _ => return None,
        };
        Some(text)
    }

    fn template(&self, template: &TemplateLiteral<'_>, depth: usize) -> Option<String> {
        let mut text = String::new();
        let mut values = template.expressions.iter();
        for quasi in &template.quasis {
            text.push_str(quasi.value.cooked.as_ref()?.as_str());
            if let Some(value) = values.next() {
                text.push_str(&self.text(value, depth)?);
            }
            if text.len() > COMPUTED_MAX_BYTES {
                return None;
            }
        }
        Some(text)
    }

    /// A sum with a text in it; of two numbers it is another number.
    fn sum(&self, sum: &BinaryExpression<'_>, depth: usize) -> Option<String> {
        let is_text = |value: &Expression<'_>| {
            matches!(value.get_inner_expression(), Expression::StringLiteral(_) | Expression::TemplateLiteral(_))
        };
        if sum.operator != BinaryOperator::Addition || !(is_text(&sum.left) || is_text(&sum.right)) {
            return None;
        }
        let text = format!("{}{}", self.text(&sum.left, depth)?, self.text(&sum.right, depth)?);
        (text.len() <= COMPUTED_MAX_BYTES).then_some(text)
    }

    /// Whether an expression is always a number.
    fn is_number(&self, value: &Expression<'_>) -> bool {
        match value.get_inner_expression() {
            Expression::NumericLiteral(_) => true,
            Expression::UnaryExpression(unary) => unary.operator.is_arithmetic() || unary.operator.is_bitwise(),
            Expression::Identifier(name) => {
                let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
                symbol.is_some_and(|symbol| self.numbers.contains(&symbol))
            }
            Expression::StaticMemberExpression(member) => {
                let constant = self.constant(&member.object, member.property.name.as_str());
                matches!(constant, Some(ConstantValue::Number(_)))
            }
            _ => false,
        }
    }

    /// A decorated member whose computed name is a number: TypeScript's decorators are handed the number, the standard's a text.
    fn check_member(&mut self, decorators: &[Decorator<'_>], key: &PropertyKey<'_>) {
        let computed = key.as_expression().filter(|key| !matches!(key, Expression::NumericLiteral(_)));
        if !decorators.is_empty() && computed.is_some_and(|key| self.is_number(key)) {
            let message = "the member's name is a number; a decorated member has a name";
            self.problems.report(Code::DecoratorMisuse, key.span(), message, "write a name, such as `starter`");
        }
    }

    fn member(&self, object: &Expression<'_>, name: &str) -> Option<String> {
        match self.constant(object, name)? {
            ConstantValue::String(text) => Some(text.to_string()),
            ConstantValue::Number(number) => Some(number.to_js_string()),
        }
    }

    /// An enum's constant.
    fn constant(&self, object: &Expression<'_>, name: &str) -> Option<&ConstantValue> {
        let Expression::Identifier(object) = object.get_inner_expression() else { return None };
        let symbol = self.scoping.get_reference(object.reference_id.get()?).symbol_id()?;
        let scopes = self.scoping.get_enum_body_scopes(symbol)?;
        let member = scopes.iter().find_map(|scope| self.scoping.get_binding(*scope, name.into()))?;
        self.scoping.get_enum_member_value(member)
    }
}

impl<'p> Visit<'p> for Checker<'_, '_, '_> {
    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'p>) {
        for declarator in declaration.declarations.iter().filter(|_| declaration.kind.is_const()) {
            let (Some(id), Some(init)) = (declarator.id.get_binding_identifier(), &declarator.init) else { continue };
            if self.is_number(init) {
                self.numbers.insert(id.symbol_id());
            }
            if let Some(text) = self.text(init, COMPUTED_MAX_DEPTH).filter(|text| text.len() <= COMPUTED_MAX_BYTES) {
                self.constants.insert(id.symbol_id(), text);
            }
        }
        walk::walk_variable_declaration(self, declaration);
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'p>) {
        self.check_member(&property.decorators, &property.key);
        walk::walk_property_definition(self, property);
    }

    fn visit_object_expression(&mut self, object: &ObjectExpression<'p>) {
        let mut seen: HashMap<String, Written> = HashMap::new();
        for property in &object.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else { continue };
            let Some(name) = self.name(property) else { continue };
            let span = property.key.span();
            let first = seen.entry(name.clone()).or_default().replaced(property.kind, span.start);
            if let Some(first) = first {
                report(&name, span, first, self.problems);
            }
        }
        walk::walk_object_expression(self, object);
    }
}

/// Reports the second and later of equal members in each object of a JSON text, which has been read and so is whole.
pub(super) fn check_json(text: &str, problems: &mut Problems<'_>) {
    let bytes = text.as_bytes();
    // One for each object or list that is open; a list has no keys.
    let mut open: Vec<Option<HashMap<String, u32>>> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' => open.push(Some(HashMap::new())),
            b'[' => open.push(None),
            b'}' | b']' => {
                open.pop();
            }
            b'"' => {
                let end = end_of_text(bytes, at);
                let is_key = bytes.get(end..).unwrap_or_default().iter().find(|byte| !byte.is_ascii_whitespace());
                if let (Some(b':'), Some(Some(keys))) = (is_key, open.last_mut()) {
                    note_member(text.get(at..end).unwrap_or_default(), (at, end), keys, problems);
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at = at.saturating_add(1);
    }
}

/// Where the text that begins at a quotation mark ends, behind its second one.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start.saturating_add(1);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at.saturating_add(1),
            b'\\' => at = at.saturating_add(2),
            _ => at = at.saturating_add(1),
        }
    }
    bytes.len()
}

fn note_member(
    quoted: &str,
    (start, end): (usize, usize),
    keys: &mut HashMap<String, u32>,
    problems: &mut Problems<'_>,
) {
    // Half a surrogate pair can't be read as text; then the key is what is written.
    let name = serde_json::from_str(quoted).unwrap_or_else(|_| quoted.to_owned());
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    match keys.get(&name) {
        Some(first) => report(&name, Span::new(offset(start), offset(end)), *first, problems),
        None => {
            keys.insert(name, offset(start));
        }
    }
}
