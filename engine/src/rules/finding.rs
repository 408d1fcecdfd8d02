//! What a rule says when it is broken, before its place in the source is known.

use crate::diagnostic::{Bounded, Code};
use crate::source::{Path, Segment};
use crate::text::cut;

/// A broken rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Which rule.
    pub code: Code,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
    /// The value's name.
    pub path: Path,
    /// Where to look for its place.
    pub place: Place,
}

/// How a [`Finding`] is found in the source.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Inside an argument of one declaration.
    Argument {
        /// Index into the registry's declarations.
        declaration: usize,
        /// Index of the argument.
        argument: usize,
        /// Steps inside the argument.
        rest: Vec<Segment>,
        /// Whether the key or the value is to blame.
        at: At,
    },
    /// The whole decorator.
    Declaration(usize),
    /// Wherever the path leads.
    Path(At),
}

/// Which half of a `key: value` is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The key.
    Key,
    /// The value.
    Value,
}

/// The findings of one product, bounded.
pub(crate) type Findings = Bounded<Finding>;

impl Findings {
    /// Adds a finding of this code; it is only made where there is room.
    pub(crate) fn report(&mut self, code: Code, make: impl FnOnce() -> Finding) {
        self.add(code.severity(), || make().cut());
    }
}

/// What a finding says: about which value, what is wrong, and what to write instead.
pub(crate) type Said = (Path, String, Option<String>);

impl Findings {
    /// Adds a finding about the value at a path; what it says is only made where there is room.
    pub(crate) fn say(&mut self, code: Code, at: At, say: impl FnOnce() -> Said) {
        self.report(code, || {
            let (path, message, hint) = say();
            Finding { code, message, hint, path, place: Place::Path(at) }
        });
    }
}

impl Finding {
    /// The finding with texts of bounded length.
    fn cut(self) -> Finding {
        Finding { message: cut(self.message), hint: self.hint.map(cut), ..self }
    }

    /// A complaint about the product as a whole, standing at declaration `declaration` where there is one.
    pub(crate) fn about_product(code: Code, message: impl Into<String>, declaration: Option<usize>) -> Finding {
        let path = Path::new(["product"]);
        let place = declaration.map_or(Place::Path(At::Value), Place::Declaration);
        Finding { code, message: message.into(), hint: None, path, place }
    }
}
