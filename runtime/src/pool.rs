//! The parent's side: workers that wait, ready; one takes each job; the parent holds the deadline and names every death.

use crate::frame::{self, ANSWER_MAX_BYTES, JOB_MAX_BYTES, Reply, Request};
use crate::isolate::EXIT_OUT_OF_MEMORY;
use crate::job::{BuildFailure, Job, Outcome};
use crate::modules;
use crate::process::{End, Forked, Process};
use crate::sandbox::Enforced;
use crate::sandbox::raw::EXIT_STACK_OVERFLOW;
use crate::worker::WorkerConfig;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

/// How long past its own deadline a worker may take to answer, in milliseconds. Then it is killed.
const GRACE_MS: u64 = 500;
/// How long a worker may take to get ready, in milliseconds.
const SETUP_MAX_MS: u64 = 10_000;
/// How long a zygote may take to make a worker, in milliseconds. Then it is killed, and another one started.
const COPY_MAX_MS: u64 = 1_000;
/// How often a job is given to another worker when the first one died before it had begun.
const HANDOVERS_MAX: usize = 3;

/// How many workers there are and what they may do.
#[derive(Clone, Debug)]
pub struct PoolConfig {
    /// The program to start, which calls [`crate::worker::main`] with the argument behind `arguments`.
    pub program: PathBuf,
    /// Arguments in front of the worker's configuration.
    pub arguments: Vec<String>,
    /// What each worker is set up with.
    pub worker: WorkerConfig,
    /// Builds that run at once.
    pub running_max: usize,
    /// Workers that wait, ready, for the next job.
    pub warm: usize,
    /// Builds that may wait for a worker; one more is refused.
    pub queue_max: usize,
}

/// Why a pool did not run a build. None of these is the product's fault.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// [`PoolConfig::queue_max`] builds wait already.
    #[error("too many builds wait already")]
    Busy,
    /// A worker can't be started.
    #[error("a build worker can't be started: {0}")]
    Start(#[source] io::Error),
}

/// Ready workers and the right to use them. Cheap to clone.
#[derive(Clone)]
pub struct Pool(Arc<Inner>);

struct Inner {
    config: PoolConfig,
    argument: String,
    zygote_argument: String,
    zygote: tokio::sync::Mutex<Option<Zygote>>,
    running: Semaphore,
    waiting: AtomicUsize,
    warm: Mutex<VecDeque<Worker>>,
    /// Held by whoever fills the pool: two would start a worker too many.
    filling: tokio::sync::Mutex<()>,
}

impl Pool {
    /// A pool without workers yet; see [`Pool::fill`].
    ///
    /// # Errors
    /// [`PoolError::Start`] when the configuration can't be passed on.
    pub fn new(config: PoolConfig) -> Result<Pool, PoolError> {
        let argument = |zygote| {
            let worker = WorkerConfig { zygote, ..config.worker };
            serde_json::to_string(&worker).map_err(|error| PoolError::Start(error.into()))
        };
        let (argument, zygote_argument) = (argument(false)?, argument(true)?);
        let running = Semaphore::new(config.running_max.max(1));
        let inner = Inner {
            config,
            argument,
            zygote_argument,
            zygote: tokio::sync::Mutex::default(),
            running,
            waiting: AtomicUsize::new(0),
            warm: Mutex::default(),
            filling: tokio::sync::Mutex::default(),
        };
        Ok(Pool(Arc::new(inner)))
    }

    /// Starts workers until enough are warm. Answers what the kernel enforces on them, as the last one tells.
    ///
    /// # Errors
    /// [`PoolError::Start`] when one can't be started.
    pub async fn fill(&self) -> Result<Option<Enforced>, PoolError> {
        let _alone = self.0.filling.lock().await;
        let mut enforced = None;
        while self.warm_count() < self.0.config.warm {
            let worker = self.0.start().await?;
            enforced = Some(worker.enforced);
            self.warm().push_back(worker);
        }
        Ok(enforced)
    }

    /// What each build may use.
    pub fn limits(&self) -> crate::job::Limits {
        self.0.config.worker.limits
    }

    /// How many workers wait, ready.
    pub fn warm_count(&self) -> usize {
        self.warm().len()
    }

    /// Runs one build, waiting for its turn. Every death of a worker is an [`Outcome::Failed`] of this build alone.
    ///
    /// # Errors
    /// [`PoolError`] when the build was never begun.
    pub async fn build(&self, job: Job) -> Result<Outcome, PoolError> {
        let _slot =
            QueueSlot::take(&self.0.waiting, self.0.config.queue_max.saturating_add(self.0.config.running_max))?;
        let permit = self.0.running.acquire().await;
        if let Err(problems) = modules::check(&job.sources, &self.0.config.worker.limits.sources) {
            return Ok(Outcome::Rejected(problems));
        }
        let request = frame::encode(&Request::Run(job), JOB_MAX_BYTES).map_err(PoolError::Start)?;
        let mut last = io::Error::other("no worker began the job");
        for _ in 0..HANDOVERS_MAX {
            let taken = self.warm().pop_front();
            let worker = match taken {
                Some(worker) => worker,
                None => self.0.start().await?,
            };
            let wall = Duration::from_millis(self.0.config.worker.limits.wall_ms.saturating_add(GRACE_MS));
            let ran = worker.run(&request, wall).await;
            // Only now: a worker that starts takes the processor from the one at work.
            self.refill();
            match ran {
                Ok(outcome) => {
                    drop(permit);
                    return Ok(outcome);
                }
                // It died while it waited: the job is as it was, and another worker takes it.
                Err(error) => last = error,
            }
        }
        Err(PoolError::Start(last))
    }

    /// Starts the next warm worker, beside whatever goes on.
    fn refill(&self) {
        if self.0.config.warm == 0 {
            return;
        }
        let pool = self.clone();
        tokio::spawn(async move {
            if let Err(error) = pool.fill().await {
                tracing::warn!(%error, "a warm worker could not be started");
            }
        });
    }

    fn warm(&self) -> std::sync::MutexGuard<'_, VecDeque<Worker>> {
        // The queue is whole at every moment, so a panic elsewhere leaves nothing half done.
        self.0.warm.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One place among the running and waiting builds.
struct QueueSlot<'p>(&'p AtomicUsize);

impl<'p> QueueSlot<'p> {
    fn take(waiting: &'p AtomicUsize, max: usize) -> Result<Self, PoolError> {
        let more = |count: usize| (count < max).then(|| count.saturating_add(1));
        match waiting.fetch_update(Ordering::AcqRel, Ordering::Acquire, more) {
            Ok(_) => Ok(QueueSlot(waiting)),
            Err(_) => Err(PoolError::Busy),
        }
    }
}

impl Drop for QueueSlot<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A worker that waits for its job. Dropped, it is killed.
struct Worker {
    process: Process,
    socket: UnixStream,
    enforced: Enforced,
}

/// A process that has done what all workers do first, and makes copies of itself. Dropped, it is killed.
struct Zygote {
    _child: Child,
    control: UnixStream,
}

impl Inner {
    async fn start(&self) -> Result<Worker, PoolError> {
        let setup = tokio::time::timeout(Duration::from_millis(SETUP_MAX_MS), self.try_start());
        let late = || io::Error::new(io::ErrorKind::TimedOut, "it did not get ready in time");
        setup.await.unwrap_or_else(|_| Err(late())).map_err(PoolError::Start)
    }

    /// Copies a worker from the zygote where workers are kept ready; starts one where there is only this job.
    async fn try_start(&self) -> io::Result<Worker> {
        if self.config.warm > 0 {
            match self.copy().await {
                Ok(worker) => return Ok(worker),
                Err(error) => tracing::warn!(%error, "a worker could not be copied from a zygote; it is started alone"),
            }
        }
        let (child, mut socket) = self.spawn(&self.argument)?;
        let enforced = ready(&mut socket).await?;
        Ok(Worker { process: Process::Spawned(child), socket, enforced })
    }

    async fn copy(&self) -> io::Result<Worker> {
        let mut zygote = self.zygote.lock().await;
        // One that is gone, or answers nothing, is replaced, once.
        let soon = Duration::from_millis(COPY_MAX_MS);
        if let Some(mut living) = zygote.take()
            && let Ok(Ok(worker)) = tokio::time::timeout(soon, living.copy()).await
        {
            *zygote = Some(living);
            return Ok(worker);
        }
        let (child, mut control) = self.spawn(&self.zygote_argument)?;
        ready(&mut control).await?;
        let mut fresh = Zygote { _child: child, control };
        let worker = fresh.copy().await?;
        *zygote = Some(fresh);
        Ok(worker)
    }

    /// Starts the program with one end of a socket as its standard input and output.
    fn spawn(&self, argument: &str) -> io::Result<(Child, UnixStream)> {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        let output = theirs.try_clone()?;
        let mut command = Command::new(&self.config.program);
        command.args(&self.config.arguments).arg(argument);
        // No variable of ours reaches the guest's process; its zone is UTC whatever the machine's is.
        // One arena: with more, malloc would look up the number of processors, in a file.
        command.env_clear().env("TZ", "UTC").env("MALLOC_ARENA_MAX", "1").current_dir("/");
        command
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(OwnedFd::from(output)))
            .stderr(Stdio::null());
        let child = command.kill_on_drop(true).spawn()?;
        ours.set_nonblocking(true)?;
        Ok((child, UnixStream::from_std(ours)?))
    }
}

/// Waits until a process says that it is ready.
async fn ready(socket: &mut UnixStream) -> io::Result<Enforced> {
    match receive(socket).await? {
        Reply::Ready(enforced) => Ok(enforced),
        Reply::Unusable(why) => Err(io::Error::other(why)),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "it did not say that it is ready")),
    }
}

impl Zygote {
    /// A fresh worker.
    async fn copy(&mut self) -> io::Result<Worker> {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        self.control.writable().await?;
        let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        let files = [theirs.as_fd()];
        ancillary.push(SendAncillaryMessage::ScmRights(&files));
        let sent = rustix::net::sendmsg(&self.control, &[io::IoSlice::new(&[0])], &mut ancillary, SendFlags::NOSIGNAL)?;
        if sent != 1 {
            return Err(io::Error::other("the zygote takes no socket"));
        }
        drop(theirs);
        let Reply::Forked(pid) = receive(&mut self.control).await? else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the zygote made no worker"));
        };
        let process = Process::Forked(Forked::new(pid)?);
        ours.set_nonblocking(true)?;
        let mut socket = UnixStream::from_std(ours)?;
        let enforced = ready(&mut socket).await?;
        Ok(Worker { process, socket, enforced })
    }
}

impl Worker {
    /// Hands the job over and waits for its end. An error means that it was never begun.
    async fn run(mut self, request: &[u8], wall: Duration) -> io::Result<Outcome> {
        let began = tokio::time::timeout(wall, async {
            self.socket.write_all(request).await?;
            receive(&mut self.socket).await
        });
        match began.await {
            Ok(Ok(Reply::Started)) => {}
            Ok(Ok(_)) => return Err(io::Error::new(io::ErrorKind::InvalidData, "it did not say that it began")),
            Ok(Err(error)) => return Err(error),
            Err(_) => return Err(io::Error::new(io::ErrorKind::TimedOut, "it did not take its job")),
        }
        match tokio::time::timeout(wall, receive(&mut self.socket)).await {
            Ok(Ok(Reply::Done(outcome))) => Ok(outcome),
            // Anything else that comes is no answer: the guest may have taken the worker over.
            Ok(Ok(_)) => Ok(Outcome::Failed(BuildFailure::Crashed)),
            Ok(Err(_)) => Ok(Outcome::Failed(self.death().await)),
            Err(_) => Ok(Outcome::Failed(BuildFailure::Timeout)),
        }
    }

    /// Why the worker ended.
    async fn death(&mut self) -> BuildFailure {
        let waited = tokio::time::timeout(Duration::from_millis(GRACE_MS), self.process.wait()).await;
        match waited {
            Ok(Ok(end)) => failure(end),
            _ => BuildFailure::Crashed,
        }
    }
}

// INVARIANT 4: every end of a worker has a name.
fn failure(end: End) -> BuildFailure {
    match end {
        End::Exited(EXIT_OUT_OF_MEMORY) => BuildFailure::OutOfMemory,
        End::Exited(EXIT_STACK_OVERFLOW) => BuildFailure::StackOverflow,
        End::Killed(libc::SIGXCPU) => BuildFailure::Timeout,
        // The C++ and the Rust allocator abort when the kernel gives no more; a panic ends with a status of its own.
        End::Killed(libc::SIGABRT) => BuildFailure::OutOfMemory,
        _ => BuildFailure::Crashed,
    }
}

async fn receive(socket: &mut UnixStream) -> io::Result<Reply> {
    let mut header = [0; 4];
    socket.read_exact(&mut header).await?;
    let mut body = vec![0; frame::announced(header, ANSWER_MAX_BYTES)?];
    socket.read_exact(&mut body).await?;
    Ok(serde_json::from_slice(&body)?)
}
