//! The binary `svc`: the one place that reads the system's clock and arguments.

use std::process::ExitCode;
use svc_runtime::worker::WorkerConfig;

fn main() -> ExitCode {
    let mut arguments = std::env::args();
    let first = arguments.nth(1);
    // A build worker begins here, before a thread or a runtime is made.
    if first.as_deref() == Some(svc_cli::WORKER) {
        return svc_runtime::worker::main(&arguments.next().unwrap_or_default());
    }
    // So does the one of a command that builds once, beside the command itself.
    let begun = first.is_some_and(|first| svc_cli::BUILD_ONCE.contains(&first.as_str()));
    let begun = begun.then(|| svc_runtime::begun::begin(WorkerConfig::default())).flatten();
    svc_cli::run(jiff::Timestamp::now, begun)
}
