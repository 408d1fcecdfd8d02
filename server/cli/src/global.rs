//! What every command shares: the global options, exit statuses, the clock, and the pool of build workers.

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use std::path::PathBuf;
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{Pool, PoolConfig, PoolError};

/// The first argument of a build worker's process. Not for people.
pub const WORKER: &str = "__worker";

/// First arguments with which the program builds once, so that it may begin a worker before it knows more.
pub const BUILD_ONCE: [&str; 2] = ["build", "check"];

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what it was asked.
    Done = 0,
    /// The product is wrong.
    Wrong = 1,
    /// It was asked in a way it does not know.
    Usage = 2,
    /// The build was stopped: a limit, or a crash.
    Stopped = 3,
    /// It could not reach or read something.
    Unreachable = 4,
    /// It was refused: a token, or a contradiction.
    Refused = 5,
}

/// Tells the time.
pub type SystemClock = fn() -> Timestamp;

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Global {
    /// How results are written to standard output.
    #[arg(long, global = true, value_enum, env = "SVC_FORMAT", default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// When to use colours.
    #[arg(long, global = true, value_enum, env = "SVC_COLOR", default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,
    /// A file of settings, such as svc.toml; flags and variables go before it. `svc config` shows what holds.
    #[arg(long, global = true, env = "SVC_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Say nothing but the result.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more; twice for everything.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON envelope.
    Json,
    /// SARIF 2.1.0, which code hosts show beside the lines; of `build` and `check`.
    Sarif,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// This very program, also when another one lies at its path by now.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// How many workers a command has.
pub(crate) struct Workers {
    /// Builds that run at once.
    pub(crate) running_max: usize,
    /// Workers that wait, ready.
    pub(crate) warm: usize,
    /// Builds that may wait for a worker.
    pub(crate) queue_max: usize,
    /// Whether a worker that the kernel does not enforce the whole sandbox on gets no job.
    pub(crate) requires_sandbox: bool,
}

/// A pool whose workers are this very program.
pub(crate) fn pool(worker: WorkerConfig, workers: &Workers) -> Result<Pool, PoolError> {
    Pool::new(pool_config(worker, workers))
}

/// How workers of this very program are set up.
pub(crate) fn pool_config(worker: WorkerConfig, workers: &Workers) -> PoolConfig {
    let Workers { running_max, warm, queue_max, requires_sandbox } = *workers;
    let arguments = vec![WORKER.to_owned()];
    let program = PathBuf::from(THIS_PROGRAM);
    PoolConfig { program, arguments, worker, requires_sandbox, running_max, warm, queue_max }
}
