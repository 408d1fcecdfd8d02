//! The Manifest IR: what a product means, in one JSON object whose bytes are a function of its source.

pub mod additions;
pub mod canonical;
pub mod change;
pub mod change_text;
pub mod diff;
pub mod effects;
pub(crate) mod fields;
pub mod finalize;
pub mod ir;
pub(crate) mod locate;
pub(crate) mod misuse;
pub mod pricing;
pub(crate) mod sequence;
pub mod words;

pub use finalize::{Finalized, finalize, written_at};
pub use ir::Manifest;
