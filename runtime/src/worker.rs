//! The worker's side: one process, one job. It limits itself, starts V8, closes the world behind itself, waits for its job,
//! runs it, answers, and ends.
//!
//! A *zygote* does the first half once: it starts V8, loads and hardens the world, and then makes copies of itself. Each copy is a
//! worker that does the second half; what none of them writes to they share.

use crate::frame::{self, ANSWER_MAX_BYTES, JOB_MAX_BYTES, Reply, Request};
use crate::harness::{self, Harness};
use crate::inspector;
use crate::inspector::inbox::Inbox;
use crate::isolate::{self, Isolate};
use crate::job::{Job, Limits, Outcome};
use crate::sandbox::memory::OwnMemory;
use crate::sandbox::stack::Stacks;
use crate::sandbox::{self, Enforced, Enforcement};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags};
use serde::{Deserialize, Serialize};
use std::io;
use std::os::fd::OwnedFd;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// How a worker is set up; its parent passes it as the one argument, in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerConfig {
    /// What the guest may use.
    pub limits: Limits,
    /// Seeds V8's hashes and its chance, to show that neither matters. For tests.
    pub seed: Option<u32>,
    /// Whether to leave out the system-call filter and landlock, for tools that must trace the worker.
    pub unsandboxed: bool,
    /// Whether it is a zygote: its parent sends it a socket for each worker that it is to make.
    pub zygote: bool,
    /// Whether it runs products under a debugger. Only such a worker has an inspector.
    #[serde(default)]
    pub debugs: bool,
    /// Whether it runs a product's tests. Only such a worker's guest has ops.
    #[serde(default)]
    pub tests: bool,
}

/// Which build of this program a worker says it is: the package's version and V8's.
pub fn version() -> String {
    frame::version()
}

/// Exit status of a worker that could not be set up.
pub(crate) const EXIT_SETUP: u8 = 80;

/// Runs a worker to its end. `config` is the text that the parent passed.
pub fn main(config: &str) -> ExitCode {
    ExitCode::from(run(config))
}

/// As [`main`], with the exit status.
pub(crate) fn run(config: &str) -> u8 {
    match serve(config) {
        Ok(()) => 0,
        Err(error) => {
            // Its standard error leads nowhere: V8 would print an author's text there. Best effort: the parent may be gone.
            let unusable = Reply::Unusable(error.to_string());
            let _parent_is_gone = frame::write(&mut io::stdout().lock(), &unusable, ANSWER_MAX_BYTES);
            EXIT_SETUP
        }
    }
}

/// Exit status of a worker that met a defect of its own.
const EXIT_PANIC: i32 = 83;

type Setup<T> = Result<T, Box<dyn std::error::Error>>;

fn serve(config: &str) -> Setup<()> {
    if !sandbox::raw::close_inherited_files() {
        return Err("inherited files can't be closed".into());
    }
    let config: WorkerConfig = serde_json::from_str(config)?;
    // A panic inside one of V8's callbacks would abort, which means something else here.
    std::panic::set_hook(Box::new(|_| sandbox::raw::leave(EXIT_PANIC)));
    sandbox::raw::keep_memory();
    if !sandbox::raw::ignore_signals() || !sandbox::raw::name_stack_overflow() {
        return Err("the signal handlers can't be installed".into());
    }
    // Before the process becomes one that can't be looked into, by itself neither.
    let memory = config.zygote.then(OwnMemory::open).transpose()?;
    let (privileges, limits) = sandbox::limit(&config.limits);
    let mut enforced = Enforced { privileges, limits, ..Enforced::NONE };
    // What is closed here is closed for every thread to come.
    if !config.unsandboxed {
        enforced.landlock = sandbox::close_world();
    }
    let served = sandbox::stack::start(config.limits.stack_max_bytes, |stacks| {
        live(&config, memory, enforced, stacks).map_err(|error| error.to_string())
    })?;
    Ok(served?)
}

/// The worker's life, in the thread that its work is done in.
fn live(config: &WorkerConfig, memory: Option<OwnMemory>, mut enforced: Enforced, stacks: Stacks) -> Setup<()> {
    if config.tests {
        harness::init_platform(config.seed);
        let mut harness = Harness::prepare(config.limits, stacks)?;
        let watchdog = harness.watch()?;
        close_rest(config, &mut enforced);
        return serve_one(enforced, |job| harness.run(&watchdog, job));
    }
    isolate::init_platform(config.seed);
    let mut isolate = Isolate::prepare(config.limits, stacks)?;
    let Some(mut memory) = memory else { return work(isolate, config, enforced) };
    isolate::warm_up();
    memory.share_with_copies()?;
    let written = memory.written_by_copy(|| isolate.try_out());
    if !make_copies(enforced)? {
        return Ok(());
    }
    sandbox::memory::bring_in(&written);
    work(isolate, config, enforced)
}

fn ready(enforced: Enforced) -> Reply {
    Reply::Ready { enforced, version: frame::version() }
}

/// Makes a worker for each socket that the parent sends, until the parent is gone. Returns whether this is such a worker, with its
/// socket where the parent's was.
fn make_copies(enforced: Enforced) -> Setup<bool> {
    frame::write(&mut io::stdout().lock(), &ready(enforced), ANSWER_MAX_BYTES)?;
    while let Some(socket) = receive_socket()? {
        match sandbox::raw::fork_sibling()? {
            Some(pid) => frame::write(&mut io::stdout().lock(), &Reply::Forked(pid), ANSWER_MAX_BYTES)?,
            None => {
                rustix::stdio::dup2_stdin(&socket)?;
                rustix::stdio::dup2_stdout(&socket)?;
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The next socket from the parent; nothing when there will be none.
fn receive_socket() -> Setup<Option<OwnedFd>> {
    let mut byte = [0];
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [io::IoSliceMut::new(&mut byte)];
    let got = rustix::net::recvmsg(rustix::stdio::stdin(), &mut parts, &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    if got.bytes == 0 {
        return Ok(None);
    }
    let socket = ancillary.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut files) => files.next(),
        _ => None,
    });
    socket.map(Some).ok_or_else(|| "the parent sent no socket".into())
}

/// Closes the rest of the world, waits for the one job, runs it, answers, and ends.
fn work(mut isolate: Isolate, config: &WorkerConfig, mut enforced: Enforced) -> Setup<()> {
    let watchdog = isolate.watch()?;
    let inbox = config.debugs.then(|| isolate.open_inbox()).transpose()?;
    close_rest(config, &mut enforced);
    if let Some((inbox, jobs)) = inbox {
        return debug(isolate, &watchdog, inbox, &jobs, enforced);
    }
    serve_one(enforced, |job| isolate.run(&watchdog, job))
}

/// Closes what of the world is open yet.
fn close_rest(config: &WorkerConfig, enforced: &mut Enforced) {
    if sandbox::limit_process(&config.limits) != Enforcement::Full {
        enforced.limits = Enforcement::Partial;
    }
    if !config.unsandboxed {
        enforced.seccomp = sandbox::filter_calls();
    }
}

/// Waits for the one job, runs it, answers, and ends.
fn serve_one(enforced: Enforced, run: impl FnOnce(&Job) -> Outcome) -> Setup<()> {
    // Both are the socket to the parent.
    let (mut from_parent, mut to_parent) = (io::stdin().lock(), io::stdout().lock());
    frame::write(&mut to_parent, &ready(enforced), ANSWER_MAX_BYTES)?;
    let job = match frame::read(&mut from_parent, JOB_MAX_BYTES) {
        Ok(Request::Run(job)) => job,
        Ok(_) => return Err("the job is for a debugging worker".into()),
        // The parent needs no worker any more.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    frame::write(&mut to_parent, &Reply::Started, ANSWER_MAX_BYTES)?;
    let outcome = run(&job);
    frame::write(&mut to_parent, &Reply::Done(outcome), ANSWER_MAX_BYTES)?;
    // Nothing of the guest's runs while V8 is taken down: it is not.
    sandbox::raw::leave(0)
}

/// Waits for the one product that is to be debugged, runs it, answers, and ends.
fn debug(
    mut isolate: Isolate,
    watchdog: &isolate::Watchdog,
    inbox: Arc<Inbox>,
    jobs: &Receiver<Request>,
    enforced: Enforced,
) -> Setup<()> {
    inspector::say(&ready(enforced));
    // The parent that needs no worker any more is gone, and this process with it.
    let Ok(Request::Debug(job)) = jobs.recv() else { return Ok(()) };
    inspector::say(&Reply::Started);
    let outcome = isolate.debug(watchdog, &job, inbox);
    inspector::say(&Reply::Done(outcome));
    sandbox::raw::leave(0)
}
