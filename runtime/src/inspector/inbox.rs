//! What the parent sends a debugging worker: read by a thread of its own, so that a message can reach a guest that runs.

use super::raw;
use crate::frame::{self, JOB_MAX_BYTES, Request};
use serde::Deserialize;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What reaches a guest that runs; every other message waits until it is stopped or has ended. None of these runs code of the guest's.
const URGENT: &[&str] = &[
    "Debugger.pause",
    "Debugger.setBreakpoint",
    "Debugger.setBreakpointByUrl",
    "Debugger.removeBreakpoint",
    "Debugger.setBreakpointsActive",
    "Runtime.terminateExecution",
];

/// What came from the parent.
#[derive(Debug)]
pub(crate) enum Message {
    /// A message of the debugger's protocol.
    Cdp(String),
    /// See [`Request::Look`].
    Look,
    /// The parent is gone.
    End,
}

/// The messages that wait.
#[derive(Default)]
pub(crate) struct Inbox {
    waiting: Mutex<VecDeque<Message>>,
    arrived: Condvar,
}

impl Inbox {
    /// Starts the thread that reads the socket. It has begun when this returns: the sandbox lets no thread begin later.
    pub(crate) fn start(handle: v8::IsolateHandle) -> io::Result<(Arc<Inbox>, std::sync::mpsc::Receiver<Request>)> {
        let inbox = Arc::new(Inbox::default());
        let there = Arc::clone(&inbox);
        let (first, job) = std::sync::mpsc::sync_channel(1);
        let (runs, running) = std::sync::mpsc::sync_channel(0);
        std::thread::Builder::new().name("inbox".to_owned()).spawn(move || {
            if runs.send(()).is_ok() {
                there.read(&first, &handle);
            }
        })?;
        running.recv().map_err(io::Error::other)?;
        Ok((inbox, job))
    }

    /// The next message, however long it takes to come.
    pub(crate) fn wait(&self) -> Message {
        let mut waiting = self.waiting();
        loop {
            if let Some(message) = waiting.pop_front() {
                return message;
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Puts [`Message::Look`] back, so often.
    pub(super) fn put_back(&self, looks: usize) {
        let mut waiting = self.waiting();
        (0..looks).for_each(|_| waiting.push_front(Message::Look));
    }

    /// Takes out what may reach a guest that runs.
    pub(super) fn take_urgent(&self) -> Vec<String> {
        let mut waiting = self.waiting();
        let (urgent, rest) = std::mem::take(&mut *waiting).into_iter().partition(is_urgent);
        *waiting = rest;
        let texts = |urgent: VecDeque<Message>| {
            urgent.into_iter().filter_map(|message| match message {
                Message::Cdp(text) => Some(text),
                Message::Look | Message::End => None,
            })
        };
        texts(urgent).collect()
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Message>> {
        // The queue is whole at every moment.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads for ever: the first request is the job.
    fn read(&self, first: &std::sync::mpsc::SyncSender<Request>, handle: &v8::IsolateHandle) {
        let mut from_parent = io::stdin().lock();
        while let Ok(request) = frame::read(&mut from_parent, JOB_MAX_BYTES) {
            let message = match request {
                Request::Cdp(text) => Message::Cdp(text),
                Request::Look => Message::Look,
                job => {
                    let _one_job_a_worker = first.try_send(job);
                    continue;
                }
            };
            let interrupts = is_urgent(&message);
            self.waiting().push_back(message);
            self.arrived.notify_one();
            if interrupts {
                raw::interrupt(handle);
            }
        }
        self.waiting().push_back(Message::End);
        self.arrived.notify_one();
    }
}

fn is_urgent(message: &Message) -> bool {
    #[derive(Deserialize)]
    struct Head {
        method: String,
    }
    let Message::Cdp(text) = message else { return false };
    serde_json::from_str::<Head>(text).is_ok_and(|head| URGENT.contains(&head.method.as_str()))
}
