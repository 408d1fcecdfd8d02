//! What a build is given and what becomes of it: the words that worker and parent speak.

use serde::{Deserialize, Serialize};
use std::fmt;
use svc_engine::diagnostic::Diagnostic;
use svc_engine::source::Span;
use svc_engine::sources::{SourceLimits, Sources};

/// What a guest may use. Reaching one of these fails the build by name, whatever the guest catches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Processor time from the job's arrival to its answer, reading and rules included, in milliseconds.
    pub cpu_ms: u64,
    /// Wall time from the job's arrival to its answer, in milliseconds: a backstop, so that a busy machine is no input.
    pub wall_ms: u64,
    /// V8's heap, in bytes.
    pub heap_max_bytes: usize,
    /// All array buffers together, in bytes; they lie outside V8's heap.
    pub array_buffers_max_bytes: usize,
    /// The guest's stack, in bytes: exactly, rounded up to whole pages.
    pub stack_max_bytes: usize,
    /// The registry's text, in bytes.
    pub registry_max_bytes: usize,
    /// The canonical text of the IR, in bytes.
    pub ir_max_bytes: usize,
    /// The sources.
    pub sources: SourceLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            cpu_ms: 2_000,
            wall_ms: 10_000,
            heap_max_bytes: 64 << 20,
            array_buffers_max_bytes: 16 << 20,
            stack_max_bytes: 512 << 10,
            registry_max_bytes: 1 << 20,
            ir_max_bytes: 1 << 20,
            sources: SourceLimits::default(),
        }
    }
}

/// One build to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The author's files.
    pub sources: Sources,
    /// How far to go.
    pub stage: Stage,
}

impl Job {
    /// A whole build.
    pub fn build(sources: Sources) -> Job {
        Job { sources, stage: Stage::Manifest }
    }
}

/// One product to run under a debugger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebugJob {
    /// The author's files.
    pub sources: Sources,
    /// Whether the guest is kept when the product has run to its end, to look around in.
    pub stays: bool,
    /// Whether nothing runs before the debugger says so.
    pub waits: bool,
    /// Whether it stops at its first statement.
    pub breaks: bool,
    /// What stands before a file's path in the address that debuggers know it by.
    pub url_prefix: String,
}

/// A decorator as it is written in a product that is debugged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecoratorSite {
    /// The decorators of the package that it is, or may stand for.
    pub names: Vec<String>,
    /// From `@` to its end.
    pub span: Span,
}

/// How far a build goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// To what the package collected, without the rules.
    Registry,
    /// To the manifest.
    Manifest,
    /// Its tests, in a testing worker ([`crate::worker::WorkerConfig::tests`]).
    Tests(TestPlan),
    /// To what the package collected, for the place of the value at this path ([`svc_engine::source::Path::parse`]).
    Locate(String),
}

/// Which tests to run, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestPlan {
    /// The product's manifest, as its build gave it.
    pub ir: String,
    /// What generated usage begins from.
    pub seed: u64,
    /// Lives that each rule is tried on; 0 for what the rule says.
    pub runs: u32,
    /// Only tests in whose name or file this stands.
    pub filter: Option<String>,
    /// Whether golden bills are written anew instead of compared.
    pub updates: bool,
}

/// What tests found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    /// Each test that was run, in order.
    pub results: Vec<TestResult>,
    /// Files of golden bills that are to be written, by name.
    pub goldens: std::collections::BTreeMap<String, String>,
}

/// What one test found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestResult {
    /// Its file.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Why it failed.
    pub failure: Option<TestFailure>,
}

/// Why a test failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestFailure {
    /// What was thrown.
    pub message: String,
    /// Where, in the author's files.
    pub span: Option<Span>,
}

/// What became of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// What the product declared, as the package wrote it ([`Stage::Registry`]); see `docs/registry.md`.
    Collected(String),
    /// Where the value was written ([`Stage::Locate`]).
    Located(Option<Span>),
    /// The product has a manifest.
    Built {
        /// Canonical text of the manifest.
        ir: String,
        /// Warnings.
        diagnostics: Vec<Diagnostic>,
    },
    /// What the tests found ([`Stage::Tests`]).
    Tested(TestReport),
    /// The author has something to mend.
    Rejected(Vec<Diagnostic>),
    /// The build was stopped.
    Failed(BuildFailure),
}

/// Why a build was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BuildFailure {
    /// [`Limits::cpu_ms`], or [`Limits::wall_ms`] on several workers.
    Timeout,
    /// [`Limits::heap_max_bytes`] or [`Limits::array_buffers_max_bytes`].
    OutOfMemory,
    /// [`Limits::stack_max_bytes`], or source nested too deep to be read.
    StackOverflow,
    /// [`Limits::registry_max_bytes`].
    RegistryTooLarge,
    /// [`Limits::ir_max_bytes`].
    IrTooLarge,
    /// V8 gave up: a text or an array past the sizes it can have, as a rule.
    EngineFatal,
    /// The worker died otherwise.
    Crashed,
}

impl BuildFailure {
    /// The stable name that authors see.
    pub const fn as_str(self) -> &'static str {
        match self {
            BuildFailure::Timeout => "BUILD_TIMEOUT",
            BuildFailure::OutOfMemory => "BUILD_OUT_OF_MEMORY",
            BuildFailure::StackOverflow => "BUILD_STACK_OVERFLOW",
            BuildFailure::RegistryTooLarge => "BUILD_REGISTRY_TOO_LARGE",
            BuildFailure::IrTooLarge => "BUILD_IR_TOO_LARGE",
            BuildFailure::EngineFatal => "BUILD_ENGINE_FATAL",
            BuildFailure::Crashed => "BUILD_CRASHED",
        }
    }

    /// What happened, in one sentence.
    pub fn message(self, limits: &Limits) -> String {
        match self {
            BuildFailure::Timeout => {
                format!("the product did not finish within {} ms of processor time", limits.cpu_ms)
            }
            BuildFailure::OutOfMemory => format!(
                "the product used more than {} MiB of memory, or more than {} MiB in array buffers",
                limits.heap_max_bytes >> 20,
                limits.array_buffers_max_bytes >> 20
            ),
            BuildFailure::StackOverflow => {
                format!(
                    "the product's calls or its source nest deeper than {} KiB of stack hold",
                    limits.stack_max_bytes >> 10
                )
            }
            BuildFailure::RegistryTooLarge => {
                format!("the product declares more than {} KiB", limits.registry_max_bytes >> 10)
            }
            BuildFailure::IrTooLarge => {
                format!("the product's manifest is longer than {} KiB", limits.ir_max_bytes >> 10)
            }
            BuildFailure::EngineFatal => {
                "the product made V8 give up: it asked for a text or an array larger than there can be".to_owned()
            }
            BuildFailure::Crashed => "the build's process ended unexpectedly".to_owned(),
        }
    }
}

impl fmt::Display for BuildFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
