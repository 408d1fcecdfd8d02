//! A product's own tests, in a testing worker.

use crate::compile::{Compiled, FailedStage};
use svc_engine::diagnostic::{self, Code, Diagnostic};
use svc_engine::sources::Sources;
use svc_runtime::{
    BuildFailure, Job, Limits, Outcome, Pool, PoolError, Stage, TestPlan, TestReport, TestResult, test_files,
};

/// Processor time of all tests of a product, in milliseconds.
pub const TESTS_CPU_MS: u64 = 20_000;
/// Wall time of all tests of a product, in milliseconds.
pub const TESTS_WALL_MS: u64 = 60_000;
/// V8's heap in a testing worker, in bytes.
pub const TESTS_HEAP_MAX_BYTES: usize = 128 << 20;

/// What generated usage begins from unless told: the same files find the same.
pub const SEED: u64 = 1;

/// What a testing worker may use: what a build may, but more time and memory.
pub fn limits() -> Limits {
    Limits { cpu_ms: TESTS_CPU_MS, wall_ms: TESTS_WALL_MS, heap_max_bytes: TESTS_HEAP_MAX_BYTES, ..Limits::default() }
}

/// What became of a product's tests.
#[derive(Clone, Debug, PartialEq)]
pub enum Tested {
    /// They ran.
    Ran(TestReport),
    /// A test file can't be read, or threw outside of a test.
    Wrong(Vec<Diagnostic>),
    /// They were stopped.
    Stopped(BuildFailure),
}

/// Why tests that ran within these limits were stopped, in one sentence.
pub fn message(failure: BuildFailure, limits: &Limits) -> String {
    failure.message(limits).replacen("the product", "the tests", 1)
}

/// Runs the tests of a product whose manifest is in the plan.
///
/// # Errors
/// [`PoolError`] when no worker ran them to an end of their own.
pub async fn run(pool: &Pool, sources: Sources, plan: TestPlan) -> Result<Tested, PoolError> {
    Ok(match pool.build(Job { sources, stage: Stage::Tests(plan) }).await? {
        Outcome::Tested(report) => Tested::Ran(report),
        Outcome::Rejected(diagnostics) => Tested::Wrong(diagnostics),
        Outcome::Failed(failure) => Tested::Stopped(failure),
        // No testing worker answers it.
        Outcome::Built { .. } | Outcome::Collected(_) | Outcome::Located(_) => Tested::Stopped(BuildFailure::Crashed),
    })
}

/// A build whose product must pass its own tests: what fails is a diagnostic, and there is no IR then.
pub(crate) async fn demand(tester: &Pool, sources: &Sources, compiled: Compiled) -> Result<Compiled, PoolError> {
    let Some(ir) = compiled.ir.as_ref().filter(|_| !test_files(sources).is_empty()) else { return Ok(compiled) };
    let plan = TestPlan { ir: ir.text.clone(), seed: SEED, runs: 0, filter: None, updates: false };
    let problems = match run(tester, sources.clone(), plan).await? {
        Tested::Ran(report) if report.results.is_empty() => vec![none_at_all()],
        Tested::Ran(report) => report.results.iter().filter_map(problem).collect(),
        Tested::Wrong(problems) => problems,
        Tested::Stopped(failure) => {
            return Ok(Compiled { stage: FailedStage::Tests, ..Compiled::stopped(failure) });
        }
    };
    if problems.is_empty() {
        return Ok(compiled);
    }
    let mut diagnostics = compiled.diagnostics;
    diagnostics.extend(problems);
    diagnostic::sort(&mut diagnostics);
    Ok(Compiled::of(None, diagnostics))
}

/// Files of tests that have none: whoever demands that tests pass is not told that they did.
fn none_at_all() -> Diagnostic {
    Diagnostic::new(Code::TestFailed, "the files beside the product that end in .test.ts have no test")
}

/// A failed test as a diagnostic.
fn problem(result: &TestResult) -> Option<Diagnostic> {
    let failure = result.failure.as_ref()?;
    let message = format!("{:?}: {}", result.name, failure.message);
    Some(Diagnostic::new(Code::TestFailed, message).with_span(failure.span.clone()))
}
