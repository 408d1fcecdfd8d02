//! The rules. One file a subject; each reads what an author passed to one decorator and makes its part of the IR, or
//! says why not. What spans several declarations is in [`semantics`], which needs only the IR and so also runs when a
//! release is accepted.

pub(crate) mod access;
pub(crate) mod capabilities;
pub(crate) mod features;
pub(crate) mod frontend;
pub mod meters;
pub(crate) mod plans;
pub(crate) mod product;
pub(crate) mod reader;
pub mod routes;
pub mod semantics;
pub mod suggest;

use crate::diagnostic::Code;
use crate::source::{Path, Segment};

/// A broken rule, before its place in the source is known.
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
