//! The rules. One file a subject; each reads what an author passed to one decorator and makes its part of the IR, or
//! says why not. What spans several declarations is in [`semantics`], which needs only the IR and so also runs when a
//! release is accepted.

pub(crate) mod backends;
pub(crate) mod capabilities;
pub mod counts;
pub(crate) mod cycles;
pub(crate) mod economics;
pub(crate) mod entitlements;
pub(crate) mod features;
pub mod finding;
pub(crate) mod frontend;
pub(crate) mod gates;
pub(crate) mod grants;
pub(crate) mod limits;
pub mod meters;
pub(crate) mod plans;
pub(crate) mod policies;
pub(crate) mod prices;
pub(crate) mod product;
pub(crate) mod raw;
pub(crate) mod reader;
pub(crate) mod resources;
pub mod routes;
pub mod semantics;
pub mod suggest;
pub(crate) mod surfaces;
pub(crate) mod urls;
pub(crate) mod workflows;

pub use finding::{At, Finding, Place};
