//! The binary `svc`: the one place that reads the system's clock and arguments.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args();
    // A build worker begins here, before a thread or a runtime is made.
    if arguments.nth(1).as_deref() == Some(svc_cli::WORKER) {
        return svc_runtime::worker::main(&arguments.next().unwrap_or_default());
    }
    svc_cli::run(jiff::Timestamp::now)
}
