//! Runs a stranger's product and hands over what it declared. The only crate that knows V8, oxc or the operating
//! system's sandbox.

pub mod begun;
pub mod debugger;
mod finalize;
mod frame;
mod harness;
mod inspector;
mod isolate;
pub mod job;
mod lower;
mod modules;
pub mod pool;
mod process;
pub mod sandbox;
pub mod worker;

pub use isolate::PrepareError;
pub use job::{
    BuildFailure, DebugJob, DecoratorSite, Job, Limits, Outcome, Stage, TestFailure, TestPlan, TestReport, TestResult,
};
pub use pool::{Pool, PoolConfig, PoolError};
pub use sandbox::Enforced;

/// The test files of a product, by name.
pub fn test_files(sources: &svc_engine::sources::Sources) -> Vec<&String> {
    harness::test_files(sources)
}

/// The file of a test file's golden bills, beside it.
pub fn golden_file(file: &str) -> String {
    harness::golden_file(file)
}

/// Version of the authoring package that is built in. Pinned in lockstep with the package's own.
pub const SDK_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Version of V8.
pub fn v8_version() -> &'static str {
    v8::V8::get_version()
}
