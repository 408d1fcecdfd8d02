//! Builds: sources to IR in a sandboxed worker, the queue they wait in, and pushes: their commits are fetched from forges, published,
//! and told of. Knows the store, the workers and the forges; serves no HTTP.

mod compile;
pub mod excerpt;
mod push;
mod queue;
pub mod tests;

pub use compile::{Compiled, CompiledIr, FailedStage, compile};
pub use push::Pushes;
pub use queue::{ATTEMPTS_MAX, Builder};
