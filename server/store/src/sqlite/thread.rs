//! A connection on a thread of its own.

use crate::error::{StoreError, StoreResult};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce(&rusqlite::Connection) + Send>;

/// The way to a connection's thread. What is asked of it is done in order. Dropped, the connection is closed: the last one of a file makes it
/// whole, with nothing beside it.
#[derive(Debug)]
pub(super) struct Thread {
    /// There until it is dropped.
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Thread {
    fn drop(&mut self) {
        // Nothing more is to be done; then the thread ends by itself.
        drop(self.jobs.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the database's thread panicked");
        }
    }
}

impl Thread {
    /// Starts a thread with a connection.
    pub(super) fn start(connection: rusqlite::Connection) -> StoreResult<Thread> {
        let (jobs, todo) = channel::<Job>();
        let work = move || todo.into_iter().for_each(|job| job(&connection));
        let started = std::thread::Builder::new().name("sqlite".to_owned()).spawn(work);
        let thread = started.map_err(|error| StoreError::Database(format!("no thread for the database: {error}")))?;
        Ok(Thread { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Has something done, and waits for it. Where nobody waits any more it is done all the same.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        job: impl FnOnce(&rusqlite::Connection) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        let (done, waits) = oneshot::channel();
        self.tell(move |connection| {
            let _nobody_waits = done.send(job(connection));
        });
        waits.await.unwrap_or_else(|_| Err(StoreError::Database("the database's thread has ended".to_owned())))
    }

    /// Has something done after what was asked before.
    pub(super) fn tell(&self, job: impl FnOnce(&rusqlite::Connection) + Send + 'static) {
        if self.jobs.as_ref().is_none_or(|jobs| jobs.send(Box::new(job)).is_err()) {
            tracing::error!("the database's thread has ended");
        }
    }
}
