//! A worker for the command that builds once: a copy of the program as it has just begun. Starting the program a second time would
//! load and relocate it again, which takes about as long as the build; and the copy prepares itself while the command reads what it
//! is to do.
//!
//! The copy has what a started worker has: no variable but its zone, no file but its socket, a process group of its own, one arena
//! of memory. Where a variable says how the C library or the loader behaves, or there is a second thread already, none is made, and
//! the worker is started.

use crate::sandbox::raw;
use crate::worker::{self, WorkerConfig};
use std::fs::File;
use std::io;
use std::os::unix::net::UnixStream;

/// Where one finds the process's threads.
const THREADS: &str = "/proc/self/task";

/// A worker that prepares itself. Dropped, it is killed, and its end seen.
#[derive(Debug)]
pub struct Begun {
    config: WorkerConfig,
    pid: raw::OwnChild,
    socket: UnixStream,
}

/// Begins a worker, as the program's first act: whatever the program has done by then is in the worker, too. Nothing where it would
/// not be as one that is started, or the kernel makes none. Returns in the program alone.
pub fn begin(config: WorkerConfig) -> Option<Begun> {
    let is_alone = std::fs::read_dir(THREADS).ok()?.count() == 1;
    if !is_alone || raw::environment_reaches_c() {
        return None;
    }
    let (ours, theirs) = UnixStream::pair().ok()?;
    let text = serde_json::to_string(&config).ok()?;
    match raw::fork().ok()? {
        Some(pid) => Some(Begun { config, pid, socket: ours }),
        None => raw::leave(match become_worker(&theirs) {
            Ok(()) => worker::run(&text).into(),
            Err(_) => worker::EXIT_SETUP.into(),
        }),
    }
}

/// Makes a copy what a started worker is.
fn become_worker(socket: &UnixStream) -> io::Result<()> {
    raw::forget_environment()?;
    rustix::stdio::dup2_stdin(socket)?;
    rustix::stdio::dup2_stdout(socket)?;
    rustix::stdio::dup2_stderr(File::options().write(true).open("/dev/null")?)?;
    rustix::process::setpgid(None, None)?;
    std::env::set_current_dir("/")
}

impl Begun {
    /// Its process and its socket, if it is set up like this.
    pub(crate) fn into_parts(self, config: &WorkerConfig) -> Option<(i32, UnixStream)> {
        (self.config == *config).then(|| (self.pid.into_id(), self.socket))
    }
}
