//! The log: to standard error, at a level that may be changed while the program runs.

use crate::global::{Exit, Format};
use crate::output::{CommandError, Output};
use std::sync::Arc;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt, reload};

/// Sets what is logged from now on.
type Set = dyn Fn(EnvFilter) -> Result<(), String> + Send + Sync;

/// The log of the process.
#[derive(Clone)]
pub(crate) struct Log {
    set: Arc<Set>,
    /// What is logged unless something is said of it.
    level: &'static str,
}

impl Log {
    /// Begins to log: JSON lines with `--format json`, else lines for people. What is logged is said by `filter`, else by `RUST_LOG`, else by
    /// `-v` and `-q`.
    pub(crate) fn begin(output: &Output, filter: Option<&str>) -> Result<Log, CommandError> {
        let level = match (output.quiet, output.verbose) {
            (true, _) => "error",
            (false, 0) => "warn",
            (false, 1) => "info",
            (false, _) => "debug",
        };
        let (filter, handle) = reload::Layer::new(read(filter, level)?);
        let lines = fmt::layer().with_writer(std::io::stderr);
        let lines = match output.format {
            Format::Json | Format::Sarif => lines.json().boxed(),
            Format::Human => lines.with_ansi(output.color).boxed(),
        };
        // A second subscriber in one process would be refused; the first goes on.
        let _first_one_stays = tracing_subscriber::registry().with(filter).with(lines).try_init();
        let set: Arc<Set> = Arc::new(move |filter| handle.reload(filter).map_err(|error| error.to_string()));
        Ok(Log { set, level })
    }

    /// Logs what another filter says from now on.
    pub(crate) fn set(&self, filter: Option<&str>) -> Result<(), CommandError> {
        let failed = |error| CommandError::new(Exit::Unreachable, "LOG", error);
        (self.set)(read(filter, self.level)?).map_err(failed)
    }
}

fn read(filter: Option<&str>, level: &'static str) -> Result<EnvFilter, CommandError> {
    let Some(filter) = filter else {
        return Ok(EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level)));
    };
    let wrong = |error| {
        let message = format!("{filter:?} says nothing of a log: {error}");
        CommandError::new(Exit::Usage, "LOG_FILTER", message).with_hint("such as info, or warn,svc_api=debug")
    };
    EnvFilter::try_new(filter).map_err(wrong)
}
