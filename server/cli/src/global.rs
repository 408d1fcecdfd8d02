//! What every command shares: the global options, exit statuses, the clock, and the pool of build workers.

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{Pool, PoolConfig, PoolError};

/// The first argument of a build worker's process. Not for people.
pub const WORKER: &str = "__worker";

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
pub type Clock = fn() -> Timestamp;

#[derive(Args, Clone, Debug)]
pub(crate) struct Global {
    /// How results are written to standard output.
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,
    /// Say nothing but the result.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more; twice for everything.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// One JSON envelope.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A pool whose workers are this very program.
pub(crate) fn pool(worker: WorkerConfig, running_max: usize, warm: usize, queue_max: usize) -> Result<Pool, PoolError> {
    let program = std::env::current_exe().map_err(PoolError::Start)?;
    Pool::new(PoolConfig { program, arguments: vec![WORKER.to_owned()], worker, running_max, warm, queue_max })
}
