//! Reads the values an author passed, strictly: every key asked for is known, every other one is reported, every value
//! has its type, and each complaint knows its place. Knows no decorator.
// INVARIANT 2: whatever the authoring package checked is checked again here and in the files beside this one.

use super::finding::{At, Finding, Findings, Place};
use super::suggest;
use crate::diagnostic::Code;
use crate::manifest::ir::{ClosedSet, Key};
use crate::money::amount::{Cents, Micros, SAFE_INTEGER_MAX};
use crate::money::units::{STEPS_PER_UNIT, Units, UnitsError};
use crate::registry::Value;
use crate::source::{Path, Segment};
use serde_json::{Map, Value as Json};
use std::cell::RefCell;
use std::rc::Rc;
use unicode_normalization::is_nfc;

/// Longest trial and longest life of a credit, in days.
const DAYS_MAX: u64 = 36_500;

/// Collects findings. Shared by everything that reads one registry.
#[derive(Debug, Default)]
pub(crate) struct Sink(RefCell<Findings>);

impl Sink {
    /// Adds a finding of this code; it is only made where there is room.
    pub(crate) fn report(&self, code: Code, make: impl FnOnce() -> Finding) {
        self.0.borrow_mut().report(code, make);
    }

    pub(crate) fn push(&self, finding: Finding) {
        self.report(finding.code, || finding);
    }

    /// Lets another part of the rules add its findings.
    pub(crate) fn with<T>(&self, run: impl FnOnce(&mut Findings) -> T) -> T {
        run(&mut self.0.borrow_mut())
    }

    pub(crate) fn into_findings(self) -> Findings {
        self.0.into_inner()
    }
}

/// The way from a declaration to a value in it. Values share the way to what holds them.
enum Trail {
    Argument { declaration: usize, argument: usize, path: Path },
    Inside { outer: Rc<Trail>, segment: Segment },
}

impl Trail {
    /// The declaration, the argument's number and name, and the steps inside it.
    fn steps(&self) -> (usize, usize, &Path, Vec<Segment>) {
        let (mut trail, mut steps) = (self, Vec::new());
        loop {
            match trail {
                Trail::Inside { outer, segment } => {
                    steps.push(segment.clone());
                    trail = outer;
                }
                Trail::Argument { declaration, argument, path } => {
                    steps.reverse();
                    return (*declaration, *argument, path, steps);
                }
            }
        }
    }
}

/// One value of an argument, with its name and place.
#[derive(Clone)]
pub(crate) struct Node<'a> {
    value: &'a Value,
    trail: Rc<Trail>,
    sink: &'a Sink,
}

impl<'a> Node<'a> {
    /// The argument itself; `path` is what the author would call it.
    pub(crate) fn argument(value: &'a Value, path: Path, declaration: usize, argument: usize, sink: &'a Sink) -> Self {
        Node { value, trail: Rc::new(Trail::Argument { declaration, argument, path }), sink }
    }

    pub(crate) fn value(&self) -> &'a Value {
        self.value
    }

    fn child(&self, segment: impl Into<Segment>, value: &'a Value) -> Node<'a> {
        let trail = Trail::Inside { outer: Rc::clone(&self.trail), segment: segment.into() };
        Node { value, trail: Rc::new(trail), sink: self.sink }
    }

    /// The value's name, as a diagnostic shows it.
    pub(super) fn name(&self) -> String {
        let (_, _, path, rest) = self.trail.steps();
        path.joined(&rest).shown()
    }

    /// Where this value stands.
    pub(crate) fn place(&self, at: At) -> Place {
        let (declaration, argument, _, rest) = self.trail.steps();
        Place::Argument { declaration, argument, rest, at }
    }

    /// Reports something about this value.
    pub(crate) fn report(&self, code: Code, at: At, message: impl Into<String>, hint: Option<String>) {
        self.report_with(code, at, || (message.into(), hint));
    }

    /// As [`Node::report`], where message and hint cost something: they are only made where there is room.
    pub(crate) fn report_with(&self, code: Code, at: At, say: impl FnOnce() -> (String, Option<String>)) {
        self.sink.report(code, || {
            let (message, hint) = say();
            let (declaration, argument, path, rest) = self.trail.steps();
            let path = path.joined(&rest);
            Finding { code, message, hint, path, place: Place::Argument { declaration, argument, rest, at } }
        });
    }

    /// Reports the wrong type, or that it is no plain data at all.
    pub(crate) fn wrong_type(&self, expected: &str) {
        let message = format!("`{}` takes {expected}, not {}", self.name(), self.value.describe());
        let code = match self.value {
            Value::Odd(kind) => odd_code(kind),
            _ => Code::WrongType,
        };
        self.report(code, At::Value, message, None);
    }

    pub(crate) fn text(&self) -> Option<String> {
        match self.value {
            Value::Text(text) => Some(text.clone()),
            Value::Odd(kind) if kind == "lone surrogate" => {
                let message = format!("`{}` holds half of a surrogate pair, which is no text", self.name());
                self.report(Code::TextForm, At::Value, message, None);
                None
            }
            _ => {
                self.wrong_type("a string");
                None
            }
        }
    }

    pub(crate) fn boolean(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(*value),
            _ => {
                self.wrong_type("true or false");
                None
            }
        }
    }

    /// The key of a declaration, or a reference to one.
    pub(crate) fn key(&self) -> Option<Key> {
        let text = self.text()?;
        check_key(&text, self, At::Value)
    }

    pub(crate) fn choice<T: ClosedSet>(&self) -> Option<T> {
        let names: Vec<&str> = T::all().iter().map(|value| value.as_str()).collect();
        let Value::Text(text) = self.value else {
            self.wrong_type(&format!("one of {}", suggest::list(&names)));
            return None;
        };
        let found = T::named(text);
        if found.is_none() {
            self.report_with(Code::UnknownValue, At::Value, || {
                let message = format!("`{}` can't be {text:?}; it is one of {}", self.name(), suggest::list(&names));
                (message, suggest::nearest(text, names).map(|near| format!("did you mean {near:?}?")))
            });
        }
        found
    }

    /// An integer from `min` to 2^53 − 1.
    pub(crate) fn integer(&self, min: u64, what: &str) -> Option<u64> {
        match self.value {
            Value::Number(number) => match safe_integer(*number).filter(|&value| value >= min) {
                Some(value) => Some(value),
                None => {
                    let message =
                        format!("`{}` is {what}: an integer from {min} to 2^53 − 1, not {number}", self.name());
                    self.report(Code::NumberRange, At::Value, message, None);
                    None
                }
            },
            Value::Odd(kind) if matches!(kind.as_str(), "NaN" | "Infinity" | "-Infinity" | "-0") => {
                let message = format!("`{}` is {what}: an integer from {min} to 2^53 − 1, not {kind}", self.name());
                self.report(Code::NumberRange, At::Value, message, None);
                None
            }
            _ => {
                self.wrong_type(&format!("{what}, an integer"));
                None
            }
        }
    }

    /// A number of days from `min` to [`DAYS_MAX`].
    pub(crate) fn days(&self, min: u64) -> Option<u32> {
        let days = self.integer(min, "a number of days")?;
        if days > DAYS_MAX {
            let message = format!("{days} days are more than {DAYS_MAX}");
            self.report(Code::NumberRange, At::Value, message, None);
            return None;
        }
        u32::try_from(days).ok()
    }

    fn money(&self, unit: &str) -> Option<u64> {
        if let Value::Number(number) = self.value
            && let Some(value) = safe_integer(*number)
        {
            return Some(value);
        }
        let message = format!(
            "`{}` is money in {unit}: an integer from 0 to 2^53 − 1, not {}",
            self.name(),
            self.value.describe()
        );
        let fraction = match self.value {
            Value::Number(number) => fraction_hint(unit, *number),
            Value::Odd(kind) if kind == "NaN" && unit == "micro-dollars" => Some(PERCENT_FORM.to_owned()),
            Value::List(_) if unit == "micro-dollars" => Some(ONE_RATE.to_owned()),
            _ => None,
        };
        let hint = fraction.or_else(|| (unit == "cents").then(|| "write 19 dollars as 1900".to_owned()));
        self.report(Code::MoneyNotAnInteger, At::Value, message, hint);
        None
    }

    pub(crate) fn cents(&self) -> Option<Cents> {
        self.money("cents").and_then(|value| Cents::try_from(value).ok())
    }

    /// Money in cents, at least so many.
    pub(crate) fn cents_from(&self, least: u64) -> Option<Cents> {
        let cents = self.cents()?;
        if cents.get() < least {
            let message = format!("`{}` is at least {least}, not {}", self.name(), cents.get());
            self.report(Code::NumberRange, At::Value, message, None);
            return None;
        }
        Some(cents)
    }

    pub(crate) fn micros(&self) -> Option<Micros> {
        self.money("micro-dollars").and_then(|value| Micros::try_from(value).ok())
    }

    /// A non-negative quantity.
    pub(crate) fn units(&self) -> Option<Units> {
        let result = match self.value {
            Value::Number(number) => Units::from_number(*number),
            Value::Odd(kind) if kind == "-0" => Err(UnitsError::Negative),
            Value::Odd(kind) if matches!(kind.as_str(), "NaN" | "Infinity" | "-Infinity") => Err(UnitsError::Form),
            _ => {
                self.wrong_type("a non-negative number");
                return None;
            }
        };
        result
            .map_err(|error| {
                let message = format!("`{}` is {}: {error}", self.name(), self.value.describe());
                self.report(Code::NumberRange, At::Value, message, None);
            })
            .ok()
    }

    /// A quantity assumed before a request; NaN has a code of its own.
    pub(crate) fn estimate(&self) -> Option<Units> {
        if matches!(self.value, Value::Odd(kind) if kind == "NaN") {
            let message = format!("`{}` is NaN; an estimate is a non-negative number", self.name());
            self.report(Code::EstimateNotANumber, At::Value, message, None);
            return None;
        }
        self.units()
    }

    pub(crate) fn list(&self) -> Vec<Node<'a>> {
        match self.value {
            Value::List(items) => items.iter().enumerate().map(|(index, item)| self.child(index, item)).collect(),
            _ => {
                self.wrong_type("an array");
                Vec::new()
            }
        }
    }

    pub(crate) fn keys(&self) -> Vec<Key> {
        self.list().iter().filter_map(Node::key).collect()
    }

    /// The entries of a map whose keys the author chooses; keys that JavaScript would reorder or hide are refused.
    pub(crate) fn entries(&self) -> Vec<(String, Node<'a>)> {
        match self.value {
            Value::Map(entries) => entries
                .iter()
                .map(|(key, value)| (key.clone(), self.child(key.as_str(), value)))
                .filter(|(key, node)| check_map_key(key, node))
                .collect(),
            Value::Odd(kind) if kind == "lone surrogate key" => {
                let message = format!("`{}` has a key with half of a surrogate pair, which is no text", self.name());
                self.report(Code::TextForm, At::Value, message, None);
                Vec::new()
            }
            _ => {
                self.wrong_type("an object");
                Vec::new()
            }
        }
    }

    /// The entries of a map as they are; whoever asks checks the keys.
    pub(crate) fn raw_entries(&self) -> Vec<(String, Node<'a>)> {
        match self.value {
            Value::Map(entries) => {
                entries.iter().map(|(key, value)| (key.clone(), self.child(key.as_str(), value))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Entries whose keys are keys of declarations.
    pub(crate) fn keyed(&self) -> Vec<(Key, Node<'a>)> {
        let entries = self.entries().into_iter();
        entries.filter_map(|(key, node)| Some((check_key(&key, &node, At::Key)?, node))).collect()
    }

    pub(crate) fn options(&self) -> Option<Options<'a>> {
        match self.value {
            Value::Map(entries) => Some(Options { node: self.clone(), entries, asked: RefCell::default() }),
            _ => {
                self.wrong_type("an object of options");
                None
            }
        }
    }

    /// Plain JSON of the author's own; as deep as the registry's text, which is at most 128 levels.
    pub(crate) fn json(&self) -> Option<Json> {
        Some(match self.value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(number) => json_number(*number)?,
            Value::Text(text) => Json::String(text.clone()),
            Value::List(_) => Json::Array(self.list().iter().filter_map(Node::json).collect()),
            Value::Map(_) => Json::Object(self.json_object()),
            Value::Odd(kind) => {
                let message = format!("`{}` is plain JSON; {} is not", self.name(), self.value.describe());
                let code = if odd_code(kind) == Code::TextForm { Code::TextForm } else { Code::ValueNotPlain };
                self.report(code, At::Value, message, None);
                return None;
            }
        })
    }

    pub(crate) fn json_object(&self) -> Map<String, Json> {
        self.entries().iter().filter_map(|(key, node)| Some((key.clone(), node.json()?))).collect()
    }
}

/// An object of options. Whoever reads it calls [`Options::finish`] when done.
pub(crate) struct Options<'a> {
    node: Node<'a>,
    entries: &'a [(String, Value)],
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Options<'a> {
    pub(crate) fn node(&self) -> &Node<'a> {
        &self.node
    }

    /// The option's value, when it is given.
    pub(crate) fn get(&self, name: &'static str) -> Option<Node<'a>> {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&name) {
            asked.push(name);
        }
        self.entries.iter().find(|(key, _)| key == name).map(|(_, value)| self.node.child(name, value))
    }

    /// The option's value; its absence is reported.
    pub(crate) fn require(&self, name: &'static str) -> Option<Node<'a>> {
        let found = self.get(name);
        if found.is_none() {
            let message = format!("`{}` needs the option `{name}`", self.node.name());
            self.node.report(Code::OptionRequired, At::Value, message, None);
        }
        found
    }

    pub(crate) fn text(&self, name: &'static str) -> Option<String> {
        self.get(name)?.text()
    }

    pub(crate) fn key(&self, name: &'static str) -> Option<Key> {
        self.get(name)?.key()
    }

    pub(crate) fn boolean(&self, name: &'static str, default: bool) -> bool {
        self.get(name).and_then(|node| node.boolean()).unwrap_or(default)
    }

    pub(crate) fn keys(&self, name: &'static str) -> Vec<Key> {
        self.get(name).map(|node| node.keys()).unwrap_or_default()
    }

    /// A map of meter key to quantity.
    pub(crate) fn quantities(
        &self,
        name: &'static str,
        read: fn(&Node<'a>) -> Option<Units>,
    ) -> impl Iterator<Item = (Key, Units)> {
        let entries = self.get(name).map(|node| node.keyed()).unwrap_or_default();
        entries.into_iter().filter_map(move |(key, node)| Some((key, read(&node)?)))
    }

    pub(crate) fn choice<T: ClosedSet>(&self, name: &'static str) -> Option<T> {
        self.get(name)?.choice()
    }

    /// Reports those of these options that are there: other ones say it, as the hint beside each tells.
    pub(crate) fn said_otherwise(&self, hints: &[(&'static str, &str)]) {
        for (name, hint) in hints {
            let Some((_, value)) = self.entries.iter().find(|(key, _)| key.as_str() == *name) else { continue };
            self.asked.borrow_mut().push(name);
            self.node.child(*name, value).report_with(Code::UnknownOption, At::Key, || {
                (format!("`{}` has no option {name:?}", self.node.name()), Some((*hint).to_owned()))
            });
        }
    }

    /// Reports every option that was not asked for.
    pub(crate) fn finish(self) {
        let asked = self.asked.borrow();
        for (key, value) in self.entries {
            if asked.contains(&key.as_str()) {
                continue;
            }
            self.node.child(key.as_str(), value).report_with(Code::UnknownOption, At::Key, || {
                let message = format!("`{}` has no option {key:?}", self.node.name());
                (message, suggest::hint(key, asked.iter().copied()))
            });
        }
    }
}

/// What to write for a number that `percent` did not make.
const PERCENT_FORM: &str = "`percent` takes a text with at most two digits behind the point, such as percent(\"2.9\")";
/// What to write for tiers in place of a rate.
const ONE_RATE: &str = "a rate is one number; where each value has tiers of its own, declare a meter for each";

/// Steps of a quantity in a cent, of a quantity of dollars.
const STEPS_PER_CENT: u128 = STEPS_PER_UNIT / 100;

/// What to write for a fraction: dollars in cents, and less than a micro-dollar as a price for several units.
fn fraction_hint(unit: &str, number: f64) -> Option<String> {
    let amount = Units::from_number(number).ok().filter(|amount| !amount.is_whole())?;
    let steps = amount.steps();
    if unit == "cents" {
        let is_cents = steps.is_multiple_of(STEPS_PER_CENT);
        return is_cents.then(|| format!("write {number} dollars as {}", steps / STEPS_PER_CENT));
    }
    // The least power of ten that makes it whole.
    let per = (1..=9).map(|digits| 10_u128.pow(digits)).find(|per| (steps * per).is_multiple_of(STEPS_PER_UNIT))?;
    Some(format!(
        "write `micros: {}, per: {per}`: so many micro-dollars for so many units",
        steps * per / STEPS_PER_UNIT
    ))
}

/// The code of a value that is no plain data: odd numbers have the wrong type, halves of characters are no text.
fn odd_code(kind: &str) -> Code {
    match kind {
        "NaN" | "Infinity" | "-Infinity" | "-0" => Code::WrongType,
        "lone surrogate" | "lone surrogate key" => Code::TextForm,
        _ => Code::ValueNotPlain,
    }
}

/// A non-negative integer that a JavaScript number holds exactly.
fn safe_integer(number: f64) -> Option<u64> {
    #[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact in a double")]
    let max = SAFE_INTEGER_MAX as f64;
    let integral = number.fract() == 0.0 && (0.0..=max).contains(&number);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked integral and in range above")]
    integral.then_some(number as u64)
}

fn json_number(number: f64) -> Option<Json> {
    if let Some(integer) = safe_integer(number) {
        return Some(Json::from(integer));
    }
    serde_json::Number::from_f64(number).map(Json::Number)
}

/// Whether `text` looks like an integer, so that JavaScript would move it to the front of its object.
pub(crate) fn is_integer_like(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn check_map_key(key: &str, node: &Node<'_>) -> bool {
    let problem = if is_integer_like(key) {
        Some((
            Code::IntegerLikeKey,
            format!("the key {key:?} looks like an integer; JavaScript moves such keys to the front"),
            "begin it with a letter",
        ))
    } else if key == "__proto__" {
        Some((
            Code::KeyForm,
            format!("the key {key:?} sets an object's prototype in JavaScript"),
            "choose another name",
        ))
    } else if !is_nfc(key) {
        Some((
            Code::TextForm,
            format!("the key {key:?} is not in Unicode Normalization Form C"),
            "write it with composed characters",
        ))
    } else {
        None
    };
    match problem {
        Some((code, message, hint)) => {
            node.report(code, At::Key, message, Some(hint.to_owned()));
            false
        }
        None => true,
    }
}

fn check_key(text: &str, node: &Node<'_>, at: At) -> Option<Key> {
    if is_integer_like(text) {
        let message = format!("the key {text:?} looks like an integer; JavaScript moves such keys to the front");
        node.report(Code::IntegerLikeKey, at, message, Some("begin it with a letter".to_owned()));
        return None;
    }
    match Key::try_from(text.to_owned()) {
        Ok(key) => Some(key),
        Err(message) => {
            let hint = "a key begins with a small letter and goes on with small letters, digits, `_`, `.` or `-`, 64 characters at most";
            node.report(Code::KeyForm, at, message, Some(hint.to_owned()));
            None
        }
    }
}
