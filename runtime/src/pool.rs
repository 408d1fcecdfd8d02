//! The parent's side: workers that wait, ready; one takes each job; the parent holds the deadline and names every death.

use crate::begun::Begun;
use crate::frame::{self, ANSWER_MAX_BYTES, JOB_MAX_BYTES, Reply, Request};
use crate::harness::MESSAGE_MAX_CHARS;
use crate::isolate::{EXIT_ENGINE_FATAL, EXIT_OUT_OF_MEMORY};
use crate::job::{BuildFailure, Job, Outcome, TestResult};
use crate::process::{End, Forked, Group, Process, Spawner};
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
use svc_engine::diagnostic::{DIAGNOSTICS_MAX, Diagnostic};
use svc_engine::sources;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

/// How long past its own deadline a worker may take to answer, in milliseconds. Then it is killed.
pub(crate) const GRACE_MS: u64 = 500;
/// How long a worker may take to get ready, in milliseconds.
pub(crate) const SETUP_MAX_MS: u64 = 10_000;
/// How long a zygote may take to make a worker, in milliseconds. Then it is killed, and another one started.
const COPY_MAX_MS: u64 = 1_000;
/// How often a job is given to another worker when the first one died before it had begun.
const HANDOVERS_MAX: usize = 3;

/// Most tests of one product.
pub const TESTS_MAX: usize = 2_000;

/// How many workers there are and what they may do.
#[derive(Clone, Debug)]
pub struct PoolConfig {
    /// The program to start, which calls [`crate::worker::main`] with the argument behind `arguments`. `/proc/self/exe` is the very
    /// program that runs, also when another one lies at its path by now.
    pub program: PathBuf,
    /// Arguments in front of the worker's configuration.
    pub arguments: Vec<String>,
    /// What each worker is set up with.
    pub worker: WorkerConfig,
    /// Whether a worker on which the kernel does not enforce enough ([`Enforced::is_enough`]) gets no job.
    pub requires_sandbox: bool,
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
    /// Whoever began the build was killed from outside, several times: by a person, a supervisor, or for want of memory.
    #[error("build workers are killed from outside")]
    Interrupted,
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
    /// What the kernel enforces on the worker that got ready last.
    enforced: Mutex<Option<Enforced>>,
    /// Made by whoever starts the first process.
    spawner: tokio::sync::OnceCell<Spawner>,
    /// Held by whoever fills the pool: two would start a worker too many.
    filling: tokio::sync::Mutex<()>,
    /// A worker that was there before the pool.
    begun: Mutex<Option<Begun>>,
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
            enforced: Mutex::default(),
            spawner: tokio::sync::OnceCell::new(),
            filling: tokio::sync::Mutex::default(),
            begun: Mutex::default(),
        };
        Ok(Pool(Arc::new(inner)))
    }

    /// Has the first worker that would be started be this one, if it is set up as the pool's are.
    pub fn begin_with(&self, begun: Begun) {
        *self.0.begun.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun);
    }

    /// Starts workers until enough are warm.
    ///
    /// # Errors
    /// [`PoolError::Start`] when one can't be started, or the kernel does not enforce on it what is required.
    pub async fn fill(&self) -> Result<(), PoolError> {
        let _alone = self.0.filling.lock().await;
        while self.warm_count() < self.0.config.warm {
            let worker = self.0.start().await?;
            self.warm().push_back(worker);
        }
        Ok(())
    }

    /// What the kernel enforces on the worker that got ready last; nothing before the first.
    pub fn enforced(&self) -> Option<Enforced> {
        *self.0.enforced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What each build may use.
    pub fn limits(&self) -> crate::job::Limits {
        self.0.config.worker.limits
    }

    /// How many workers wait, ready.
    pub fn warm_count(&self) -> usize {
        self.warm().len()
    }

    /// Runs one build, waiting for its turn. Whatever the product does is in the outcome. What happens to its worker from outside is
    /// not: another worker takes the job.
    ///
    /// # Errors
    /// [`PoolError`] when the build was never run to an end of its own.
    pub async fn build(&self, job: Job) -> Result<Outcome, PoolError> {
        let _slot =
            QueueSlot::take(&self.0.waiting, self.0.config.queue_max.saturating_add(self.0.config.running_max))?;
        let _permit = self.0.running.acquire().await;
        let limits = &self.0.config.worker.limits;
        if let Err(problems) = sources::check(&job.sources, &limits.sources) {
            return Ok(Outcome::Rejected(problems));
        }
        let request = frame::encode(&Request::Run(job), JOB_MAX_BYTES).map_err(PoolError::Start)?;
        let wall = Duration::from_millis(limits.wall_ms.saturating_add(GRACE_MS));
        let mut last = Disturbed::Unbegun(io::Error::other("no worker began the job"));
        for _ in 0..HANDOVERS_MAX {
            let taken = self.warm().pop_front();
            let worker = match taken {
                Some(worker) => worker,
                None => self.0.start().await?,
            };
            let ran = worker.run(&request, wall).await;
            // Only now: a worker that starts takes the processor from the one at work.
            self.refill();
            match ran {
                Ok(outcome) => return Ok(checked(outcome, limits)),
                Err(disturbed) => last = disturbed,
            }
        }
        match last {
            Disturbed::Unbegun(error) => Err(PoolError::Start(error)),
            Disturbed::Killed => Err(PoolError::Interrupted),
            // Not one of several workers got the processor time of a build within many times its wall time.
            Disturbed::Stalled => Ok(Outcome::Failed(BuildFailure::Timeout)),
        }
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

/// What kept a worker from doing its job, other than the job.
enum Disturbed {
    /// It died before it began.
    Unbegun(io::Error),
    /// It was killed from outside.
    Killed,
    /// It was stopped, or the machine too busy.
    Stalled,
}

/// An answer of the form that a worker gives. Only one that is no longer ours gives another.
pub(crate) fn checked(outcome: Outcome, limits: &crate::job::Limits) -> Outcome {
    let fits = |diagnostics: &[Diagnostic]| {
        diagnostics.len() <= DIAGNOSTICS_MAX.saturating_add(1) && diagnostics.iter().all(Diagnostic::is_bounded)
    };
    let is_sound = match &outcome {
        Outcome::Collected(registry) => registry.len() <= limits.registry_max_bytes,
        Outcome::Built { ir, diagnostics } => ir.len() <= limits.ir_max_bytes && fits(diagnostics),
        Outcome::Rejected(diagnostics) => !diagnostics.is_empty() && fits(diagnostics),
        Outcome::Tested(report) => {
            let fits = |result: &TestResult| {
                let message = result.failure.as_ref().map_or("", |failure| failure.message.as_str());
                message.chars().count() <= MESSAGE_MAX_CHARS
            };
            report.results.len() <= TESTS_MAX && report.results.iter().all(fits)
        }
        // Whoever shows the place looks it up in the sources.
        Outcome::Located(_) | Outcome::Failed(_) => true,
    };
    if is_sound { outcome } else { Outcome::Failed(BuildFailure::Crashed) }
}

/// One turn among the running and waiting builds.
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
}

/// A process that has done what all workers do first, and makes copies of itself. Dropped, it is killed.
struct Zygote {
    _child: Child,
    control: UnixStream,
    group: Arc<Group>,
}

impl Inner {
    async fn start(&self) -> Result<Worker, PoolError> {
        let setup = tokio::time::timeout(Duration::from_millis(SETUP_MAX_MS), self.try_start());
        let late = || io::Error::new(io::ErrorKind::TimedOut, "it did not get ready in time");
        setup.await.unwrap_or_else(|_| Err(late())).map_err(PoolError::Start)
    }

    /// Copies a worker from the zygote where workers for builds are kept ready; starts one where there is only this job, or it is for tests or
    /// a debugger.
    async fn try_start(&self) -> io::Result<Worker> {
        let WorkerConfig { debugs, tests, .. } = self.config.worker;
        let (worker, enforced) = if self.config.warm > 0 && !debugs && !tests {
            match self.copy().await {
                Ok(copied) => copied,
                Err(error) => {
                    tracing::warn!(%error, "a worker could not be copied from a zygote; it is started alone");
                    self.start_alone().await?
                }
            }
        } else {
            self.start_alone().await?
        };
        *self.enforced.lock().unwrap_or_else(PoisonError::into_inner) = Some(enforced);
        if self.config.requires_sandbox && !enforced.is_enough() {
            return Err(io::Error::other(format!("the kernel does not enforce the whole sandbox on it: {enforced:?}")));
        }
        Ok(worker)
    }

    async fn start_alone(&self) -> io::Result<(Worker, Enforced)> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((pid, socket)) = begun.and_then(|begun| begun.into_parts(&self.config.worker)) {
            match Self::adopt(pid, socket).await {
                Ok(adopted) => return Ok(adopted),
                Err(error) => tracing::debug!(%error, "the worker that was begun is of no use; one is started"),
            }
        }
        let (child, mut socket) = self.spawn(&self.argument).await?;
        let enforced = ready(&mut socket).await?;
        Ok((Worker { process: Process::Spawned(child), socket }, enforced))
    }

    /// Takes over a worker that this process has copied itself as.
    async fn adopt(pid: i32, socket: std::os::unix::net::UnixStream) -> io::Result<(Worker, Enforced)> {
        let group = Group::new(u32::try_from(pid).map_err(io::Error::other)?);
        let process = Process::Forked(Forked::new(pid, group)?);
        socket.set_nonblocking(true)?;
        let mut socket = UnixStream::from_std(socket)?;
        let enforced = ready(&mut socket).await?;
        Ok((Worker { process, socket }, enforced))
    }

    async fn copy(&self) -> io::Result<(Worker, Enforced)> {
        let mut zygote = self.zygote.lock().await;
        // One that is gone, or answers nothing, is replaced, once.
        let soon = Duration::from_millis(COPY_MAX_MS);
        if let Some(mut living) = zygote.take()
            && let Ok(Ok(copied)) = tokio::time::timeout(soon, living.copy()).await
        {
            *zygote = Some(living);
            return Ok(copied);
        }
        let (child, mut control) = self.spawn(&self.zygote_argument).await?;
        let group = Group::new(child.id().ok_or_else(|| io::Error::other("the zygote ended at once"))?);
        ready(&mut control).await?;
        let mut fresh = Zygote { _child: child, control, group };
        let copied = fresh.copy().await?;
        *zygote = Some(fresh);
        Ok(copied)
    }

    async fn spawn(&self, argument: &str) -> io::Result<(Child, UnixStream)> {
        let spawner = self.spawner.get_or_try_init(|| async { Spawner::start() }).await?;
        spawn(&self.config, spawner, argument).await
    }
}

/// Starts the program with one end of a socket as its standard input and output, in a process group of its own: what is sent to the
/// server's group is for the server.
pub(crate) async fn spawn(config: &PoolConfig, spawner: &Spawner, argument: &str) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    let output = theirs.try_clone()?;
    let mut command = Command::new(&config.program);
    command.args(&config.arguments).arg(argument);
    // No variable of ours reaches the guest's process; its zone is UTC whatever the machine's is.
    // One arena: with more, malloc would look up the number of processors, in a file.
    command.env_clear().env("TZ", "UTC").env("MALLOC_ARENA_MAX", "1").current_dir("/");
    command
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(OwnedFd::from(output)))
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true);
    let child = spawner.spawn(command).await?;
    ours.set_nonblocking(true)?;
    Ok((child, UnixStream::from_std(ours)?))
}

/// Waits until a process says that it is ready, and that it is of this very program.
pub(crate) async fn ready(socket: &mut UnixStream) -> io::Result<Enforced> {
    match receive(socket).await? {
        Reply::Ready { enforced, version } if version == frame::version() => Ok(enforced),
        Reply::Ready { version, .. } => {
            Err(io::Error::other(format!("it is of another program: {version}, not {}", frame::version())))
        }
        Reply::Unusable(why) => Err(io::Error::other(why)),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "it did not say that it is ready")),
    }
}

impl Zygote {
    /// A fresh worker, and what the kernel enforces on it.
    async fn copy(&mut self) -> io::Result<(Worker, Enforced)> {
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
        let process = Process::Forked(Forked::new(pid, Arc::clone(&self.group))?);
        ours.set_nonblocking(true)?;
        let mut socket = UnixStream::from_std(ours)?;
        let enforced = ready(&mut socket).await?;
        Ok((Worker { process, socket }, enforced))
    }
}

impl Worker {
    /// Hands the job over and waits for its end.
    async fn run(mut self, request: &[u8], wall: Duration) -> Result<Outcome, Disturbed> {
        let began = tokio::time::timeout(wall, async {
            self.socket.write_all(request).await?;
            receive(&mut self.socket).await
        });
        let unbegun = |why: &str| Disturbed::Unbegun(io::Error::other(why.to_owned()));
        match began.await {
            Ok(Ok(Reply::Started)) => {}
            Ok(Ok(_)) => return Err(unbegun("it did not say that it began")),
            Ok(Err(error)) => return Err(Disturbed::Unbegun(error)),
            Err(_) => return Err(unbegun("it did not take its job")),
        }
        match tokio::time::timeout(wall, receive(&mut self.socket)).await {
            Ok(Ok(Reply::Done(outcome))) => Ok(outcome),
            // Anything else that comes is no answer: the guest may have taken the worker over.
            Ok(Ok(_)) => Ok(Outcome::Failed(BuildFailure::Crashed)),
            // What it sent is no message.
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => Ok(Outcome::Failed(BuildFailure::Crashed)),
            Ok(Err(_)) => self.death(wall).await,
            // The kernel ends it when its processor time is over; it did not come so far.
            Err(_) => Err(Disturbed::Stalled),
        }
    }

    /// Why the worker ended. On a busy machine its socket may close long before its end can be seen: how long is no verdict.
    async fn death(&mut self, wall: Duration) -> Result<Outcome, Disturbed> {
        match tokio::time::timeout(wall, self.process.wait()).await {
            Ok(Ok(end)) => failure(end).map(Outcome::Failed).ok_or(Disturbed::Killed),
            Ok(Err(_)) => Ok(Outcome::Failed(BuildFailure::Crashed)),
            Err(_) => Err(Disturbed::Stalled),
        }
    }
}

// INVARIANT 4: every end of a worker has a name. Nothing for the signals that no guest can cause: those are not the build's.
pub(crate) fn failure(end: End) -> Option<BuildFailure> {
    Some(match end {
        End::Exited(EXIT_OUT_OF_MEMORY) => BuildFailure::OutOfMemory,
        End::Exited(EXIT_STACK_OVERFLOW) => BuildFailure::StackOverflow,
        End::Exited(EXIT_ENGINE_FATAL) => BuildFailure::EngineFatal,
        End::Killed(libc::SIGXCPU) => BuildFailure::Timeout,
        // The C++ and the Rust allocator abort when the kernel gives no more; a panic ends with a status of its own.
        End::Killed(libc::SIGABRT) => BuildFailure::OutOfMemory,
        // How V8 ends itself.
        End::Killed(libc::SIGTRAP | libc::SIGILL) => BuildFailure::EngineFatal,
        // A fault, or a system call that is not on the list.
        End::Killed(libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE | libc::SIGSYS) => BuildFailure::Crashed,
        End::Killed(_) => return None,
        End::Exited(_) | End::Unknown => BuildFailure::Crashed,
    })
}

pub(crate) async fn receive(socket: &mut (impl AsyncReadExt + Unpin)) -> io::Result<Reply> {
    let mut header = [0; 4];
    socket.read_exact(&mut header).await?;
    let mut body = vec![0; frame::announced(header, ANSWER_MAX_BYTES)?];
    socket.read_exact(&mut body).await?;
    // Not as serde's own errors become: a text that ends too early is no end of the socket.
    serde_json::from_slice(&body).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}
