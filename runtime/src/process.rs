//! A worker's process as its parent holds it: started from the program, or copied from a zygote.

use crate::sandbox::raw::watch_process;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use tokio::io::unix::AsyncFd;
use tokio::process::Child;

/// A worker's process. Dropped, it is killed.
pub(crate) enum Process {
    /// Started from the program.
    Spawned(Child),
    /// Copied from a zygote.
    Forked(Forked),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With this status.
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// In a way that nobody can tell.
    Unknown,
}

impl Process {
    /// Waits for its end.
    pub(crate) async fn wait(&mut self) -> io::Result<End> {
        match self {
            Process::Spawned(child) => {
                let status = child.wait().await?;
                let exited = status.code().map(End::Exited);
                Ok(exited.or(status.signal().map(End::Killed)).unwrap_or(End::Unknown))
            }
            Process::Forked(forked) => forked.wait().await,
        }
    }
}

/// A sibling of a zygote: this process's child, though it did not start it.
pub(crate) struct Forked {
    /// There until its end was seen.
    file: Option<AsyncFd<OwnedFd>>,
}

impl Forked {
    /// The child of this id, which nobody has waited for.
    pub(crate) fn new(pid: i32) -> io::Result<Forked> {
        let pid = Pid::from_raw(pid).ok_or_else(|| io::Error::other("a zygote named no process"))?;
        let file = rustix::process::pidfd_open(pid, PidfdFlags::NONBLOCK)?;
        Ok(Forked { file: Some(watch_process(file)?) })
    }

    async fn wait(&mut self) -> io::Result<End> {
        let Some(file) = &self.file else { return Ok(End::Unknown) };
        let end = reap(file).await?;
        self.file = None;
        Ok(end)
    }
}

async fn reap(file: &AsyncFd<OwnedFd>) -> io::Result<End> {
    let _ended = file.readable().await?;
    let status =
        rustix::process::waitid(WaitId::PidFd(std::os::fd::AsFd::as_fd(file.get_ref())), WaitIdOptions::EXITED)?;
    let Some(status) = status else { return Ok(End::Unknown) };
    let exited = status.exit_status().map(End::Exited);
    Ok(exited.or(status.terminating_signal().map(End::Killed)).unwrap_or(End::Unknown))
}

impl Drop for Forked {
    fn drop(&mut self) {
        let Some(file) = self.file.take() else { return };
        let _already_ended = rustix::process::pidfd_send_signal(file.get_ref(), Signal::KILL);
        // Its end must be seen, or the kernel keeps its entry; not here, where nobody can wait.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = reap(&file).await {
                    tracing::debug!(%error, "a worker's end was not seen");
                }
            });
        }
    }
}
