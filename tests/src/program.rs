//! The program under test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{Limits, Pool, PoolConfig};

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The program as a shell starts it. Cargo names its own libraries to whatever it runs, and a command that is told where to find libraries
/// does not make its worker as a copy of itself.
pub fn from_a_shell() -> std::process::Command {
    let mut command = std::process::Command::new(svc());
    command.env_remove("LD_LIBRARY_PATH");
    command
}

/// The binary `svc` beside this test's own, as cargo lays them.
pub fn svc() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let svc = test.parent().and_then(Path::parent).unwrap().join("svc");
    assert!(svc.is_file(), "{} is not there; run `cargo build -p svc-cli` first, or `make test`", svc.display());
    svc
}

/// Runs `svc` with these arguments.
pub fn run(arguments: &[&str]) -> Output {
    Command::new(svc()).args(arguments).env_remove("RUST_LOG").output().unwrap()
}

/// A pool whose workers are the program's own: copies of a zygote, as a server keeps them.
pub fn pool(worker: WorkerConfig) -> Pool {
    pool_of(worker, 2)
}

/// So many times the processor and wall time of a build have those that only compare how it ends: that a machine is slow, or gives
/// its time to others, is not to be mistaken for a product that ends in two ways.
const PATIENCE: u64 = 5;

/// With the time of a slow machine.
pub fn patient(worker: WorkerConfig) -> WorkerConfig {
    let Limits { cpu_ms, wall_ms, .. } = worker.limits;
    let limits = Limits { cpu_ms: cpu_ms * PATIENCE, wall_ms: wall_ms * PATIENCE, ..worker.limits };
    WorkerConfig { limits, ..worker }
}

/// A pool that starts a worker alone for each job, as the command line does.
pub fn pool_alone(worker: WorkerConfig) -> Pool {
    pool_of(worker, 0)
}

fn pool_of(worker: WorkerConfig, warm: usize) -> Pool {
    let running_max = std::thread::available_parallelism().map_or(2, usize::from);
    let arguments = vec![svc_cli::WORKER.to_owned()];
    let requires_sandbox = !worker.unsandboxed;
    let program = svc();
    Pool::new(PoolConfig { program, arguments, worker, requires_sandbox, running_max, warm, queue_max: 10_000 })
        .unwrap()
}

/// Runs a future to its end.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(future)
}
