//! The pure heart of the service: what a registry means, which Manifest IR it becomes, and what usage costs.
//!
//! This crate does no I/O, reads no clock, spawns nothing and knows neither V8 nor SQL nor HTTP. Every function is a
//! function of its arguments. Left of [`manifest`] everything speaks of an author's source; right of it, of money.

pub mod diagnostic;
pub mod lines;
pub mod manifest;
pub mod moment;
pub mod money;
pub mod registry;
pub mod rules;
pub mod source;
pub mod sources;
pub mod text;
mod work;
