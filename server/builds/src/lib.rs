//! Builds: sources to IR in a sandboxed worker, and the queue they wait in. Knows the store and the workers; knows no HTTP.

mod compile;
mod queue;

pub use compile::{Compiled, CompiledIr, compile};
pub use queue::{ATTEMPTS_MAX, Builder};
