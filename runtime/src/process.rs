//! A worker's process as its parent holds it: started from the program, or copied from a zygote; and the thread that starts them.

use crate::sandbox::raw::watch_process;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;
use tokio::io::unix::AsyncFd;
use tokio::process::{Child, Command};
use tokio::runtime::Handle;

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
    /// Has it killed, without waiting for its end.
    pub(crate) fn kill(&mut self) {
        match self {
            Process::Spawned(child) => {
                let _already_ended = child.start_kill();
            }
            Process::Forked(forked) => {
                if let Some(file) = &forked.file {
                    let _already_ended = rustix::process::pidfd_send_signal(file.get_ref(), Signal::KILL);
                }
            }
        }
    }

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
    /// Its zygote's, until its own end was seen.
    group: Option<Arc<Group>>,
}

/// A zygote's process group: the zygote and its copies. When the zygote is gone and the end of every copy that is known was seen,
/// whatever is left of it are copies whose ids never arrived; they are reaped.
pub(crate) struct Group(u32);

/// How often, and how long apart in milliseconds, the rest of a group is looked for.
const REAP_TRIES: u32 = 50;
const REAP_EVERY_MS: u64 = 100;

impl Group {
    /// The group of this leader.
    pub(crate) fn new(leader: u32) -> Arc<Group> {
        Arc::new(Group(leader))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(group) = i32::try_from(self.0).ok().and_then(Pid::from_raw) else { return };
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
            for _ in 0..REAP_TRIES {
                match rustix::process::waitid(WaitId::Pgid(Some(group)), ended) {
                    Ok(Some(_)) => {}
                    Ok(None) => tokio::time::sleep(Duration::from_millis(REAP_EVERY_MS)).await,
                    // No child of the group is left.
                    Err(_) => return,
                }
            }
        });
    }
}

impl Forked {
    /// The child of this id, which nobody has waited for.
    pub(crate) fn new(pid: i32, group: Arc<Group>) -> io::Result<Forked> {
        let pid = Pid::from_raw(pid).ok_or_else(|| io::Error::other("a zygote named no process"))?;
        let file = rustix::process::pidfd_open(pid, PidfdFlags::NONBLOCK)?;
        Ok(Forked { file: Some(watch_process(file)?), group: Some(group) })
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
        let group = self.group.take();
        let _already_ended = rustix::process::pidfd_send_signal(file.get_ref(), Signal::KILL);
        // Its end must be seen, or the kernel keeps its entry; not here, where nobody can wait.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = reap(&file).await {
                    tracing::debug!(%error, "a worker's end was not seen");
                }
                drop(group);
            });
        }
    }
}

/// A thread that starts processes and lives as long as whoever holds this. A process that is to die with its parent dies with the
/// thread that started it, and the runtime's threads come and go.
pub(crate) struct Spawner(mpsc::Sender<Order>);

/// What to start, in whose runtime, and where to say how it went.
type Order = (Command, Handle, tokio::sync::oneshot::Sender<io::Result<Child>>);

impl Spawner {
    /// Starts the thread.
    ///
    /// # Errors
    /// Where there is no thread to be had.
    pub(crate) fn start() -> io::Result<Spawner> {
        let (orders, incoming) = mpsc::channel::<Order>();
        std::thread::Builder::new().name("spawner".to_owned()).spawn(move || {
            for (mut command, runtime, answer) in incoming {
                let _inside = runtime.enter();
                // Nobody waits for it any more: it is killed as it is dropped.
                let _unwanted = answer.send(command.spawn());
            }
        })?;
        Ok(Spawner(orders))
    }

    /// Starts a process, watched by the current runtime.
    ///
    /// # Errors
    /// What starting it says.
    pub(crate) async fn spawn(&self, command: Command) -> io::Result<Child> {
        let (answer, started) = tokio::sync::oneshot::channel();
        let gone = || io::Error::other("the thread that starts processes is gone");
        self.0.send((command, Handle::current(), answer)).map_err(|_| gone())?;
        started.await.map_err(|_| gone())?
    }
}
