//! A product under a debugger, as its parent holds it: a worker of its own, started for this one run. Its wall clock stands still while
//! nothing of the guest's runs.

use crate::frame::{self, JOB_MAX_BYTES, Reply, Request};
use crate::job::{BuildFailure, DebugJob, DecoratorSite, Limits, Outcome};
use crate::pool::{GRACE_MS, PoolConfig, SETUP_MAX_MS, checked, failure, ready, receive, spawn};
use crate::process::{Process, Spawner};
use crate::worker::WorkerConfig;
use std::io;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Replies that are kept while nobody asks for them; then the worker waits.
const REPLIES_KEPT: usize = 256;
/// How long the end of a worker that said nothing may take to be seen, in milliseconds. Nobody's build waits for it.
const END_MAX_MS: u64 = 10_000;

/// What runs code of the product's. A message that only mentions one is asked about in vain, which costs little.
const RUNNING: &[&str] = &["Runtime.evaluate", "Runtime.callFunctionOn", "Runtime.runScript"];

/// What happens to a product under a debugger.
#[derive(Debug)]
pub enum Event {
    /// Where it has decorators: the first of all.
    Decorators(Vec<DecoratorSite>),
    /// A message of the debugger's protocol.
    Cdp(String),
    /// Nothing of it runs any more: it waits for its start, or is paused.
    Stopped,
    /// It runs.
    Running,
    /// It has run to its end and stays; this is what it has come to.
    Looked(Outcome),
    /// Its worker is gone.
    Ended(Outcome),
}

/// A product under a debugger. Dropped, it is killed.
pub struct Debuggee {
    process: Process,
    to_worker: OwnedWriteHalf,
    replies: mpsc::Receiver<io::Result<Reply>>,
    limits: Limits,
    /// What is left of its wall time while it does not run.
    left: Duration,
    /// When its wall time is over, while it runs.
    deadline: Option<Instant>,
    /// Whether it has run to its end.
    stays: bool,
    /// How often it is still to say what it has come to.
    asked: usize,
    /// Whether nothing of it runs until the debugger says so.
    is_stopped: bool,
    _spawner: Spawner,
}

impl Debuggee {
    /// Starts a worker with an inspector, and hands it a product.
    ///
    /// # Errors
    /// What starting it says.
    pub async fn start(config: &PoolConfig, job: DebugJob) -> io::Result<Debuggee> {
        let worker = WorkerConfig { debugs: true, zygote: false, ..config.worker };
        let argument = serde_json::to_string(&worker)?;
        let spawner = Spawner::start()?;
        let setup = async {
            let (child, mut socket) = spawn(config, &spawner, &argument).await?;
            let enforced = ready(&mut socket).await?;
            if config.requires_sandbox && !enforced.is_enough() {
                return Err(io::Error::other(format!("the kernel does not enforce the whole sandbox: {enforced:?}")));
            }
            Ok((child, socket))
        };
        let setup = tokio::time::timeout(Duration::from_millis(SETUP_MAX_MS), setup).await;
        let (child, socket) = setup.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
        let (from_worker, to_worker) = socket.into_split();
        let (tell, replies) = mpsc::channel(REPLIES_KEPT);
        tokio::spawn(read(from_worker, tell));
        let limits = config.worker.limits;
        let left = Duration::from_millis(limits.wall_ms.saturating_add(GRACE_MS));
        let process = Process::Spawned(child);
        let deadline = Some(Instant::now() + left);
        let mut debuggee = Debuggee {
            process,
            to_worker,
            replies,
            limits,
            left,
            deadline,
            stays: false,
            asked: 0,
            is_stopped: false,
            _spawner: spawner,
        };
        debuggee.send(&Request::Debug(job)).await?;
        Ok(debuggee)
    }

    /// What each run may use.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Sends a message of the debugger's protocol. A product that has run to its end and runs again for it then also says what it has come
    /// to by now, once that is done.
    ///
    /// # Errors
    /// Where the worker is gone; [`Debuggee::next`] says why.
    pub async fn dispatch(&mut self, message: String) -> io::Result<()> {
        let looks = self.stays && !self.is_stopped && RUNNING.iter().any(|method| message.contains(method));
        if looks {
            self.asked = self.asked.saturating_add(1);
            self.run_clock();
        }
        self.send(&Request::Cdp(message)).await?;
        if looks {
            self.send(&Request::Look).await?;
        }
        Ok(())
    }

    /// Whether a product that has run to its end has said all that it was asked.
    pub fn has_answered(&self) -> bool {
        self.stays && self.asked == 0
    }

    /// The next event. Dropping what this returns loses none.
    pub async fn next(&mut self) -> Event {
        let reply = match self.deadline {
            Some(deadline) => tokio::time::timeout_at(deadline, self.replies.recv()).await,
            None => Ok(self.replies.recv().await),
        };
        match reply {
            Ok(Some(Ok(reply))) => self.event(reply),
            Ok(Some(Err(_)) | None) => Event::Ended(self.death().await),
            Err(_) => {
                self.process.kill();
                Event::Ended(Outcome::Failed(BuildFailure::Timeout))
            }
        }
    }

    fn event(&mut self, reply: Reply) -> Event {
        match reply {
            Reply::Started => Event::Running,
            Reply::Decorators(sites) => Event::Decorators(sites),
            Reply::Cdp(text) => Event::Cdp(text),
            Reply::Stopped => {
                self.is_stopped = true;
                self.stop_clock();
                Event::Stopped
            }
            Reply::Running => {
                self.is_stopped = false;
                self.run_clock();
                Event::Running
            }
            Reply::Looked(outcome) => {
                self.stays = true;
                self.asked = self.asked.saturating_sub(1);
                if self.asked == 0 {
                    self.stop_clock();
                }
                Event::Looked(checked(outcome, &self.limits))
            }
            Reply::Done(outcome) => Event::Ended(checked(outcome, &self.limits)),
            // Nothing that a worker says of its own accord: the guest may have taken it over.
            Reply::Ready { .. } | Reply::Forked(_) | Reply::Unusable(_) => {
                Event::Ended(Outcome::Failed(BuildFailure::Crashed))
            }
        }
    }

    fn stop_clock(&mut self) {
        if let Some(deadline) = self.deadline.take() {
            self.left = deadline.saturating_duration_since(Instant::now());
        }
    }

    fn run_clock(&mut self) {
        if self.deadline.is_none() {
            self.deadline = Some(Instant::now() + self.left);
        }
    }

    async fn send(&mut self, request: &Request) -> io::Result<()> {
        self.to_worker.write_all(&frame::encode(request, JOB_MAX_BYTES)?).await
    }

    /// Why the worker ended without a word.
    async fn death(&mut self) -> Outcome {
        let waited = tokio::time::timeout(Duration::from_millis(END_MAX_MS), self.process.wait()).await;
        let named = waited.ok().and_then(Result::ok).and_then(failure);
        Outcome::Failed(named.unwrap_or(BuildFailure::Crashed))
    }
}

async fn read(mut from_worker: OwnedReadHalf, tell: mpsc::Sender<io::Result<Reply>>) {
    loop {
        let reply = receive(&mut from_worker).await;
        let is_last = reply.is_err();
        if tell.send(reply).await.is_err() || is_last {
            return;
        }
    }
}
