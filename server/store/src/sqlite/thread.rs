//! A connection on a thread of its own.

use crate::error::{StoreError, StoreResult};
use std::sync::mpsc::{Sender, channel};
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce(&rusqlite::Connection) + Send>;

/// The way to a connection's thread. What is asked of it is done in order; dropped, the thread ends.
#[derive(Debug)]
pub(super) struct Thread {
    jobs: Sender<Job>,
}

impl Thread {
    /// Starts a thread with a connection.
    pub(super) fn start(connection: rusqlite::Connection) -> StoreResult<Thread> {
        let (jobs, todo) = channel::<Job>();
        let work = move || todo.into_iter().for_each(|job| job(&connection));
        let started = std::thread::Builder::new().name("sqlite".to_owned()).spawn(work);
        started.map_err(|error| StoreError::Database(format!("no thread for the database: {error}")))?;
        Ok(Thread { jobs })
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
        if self.jobs.send(Box::new(job)).is_err() {
            tracing::error!("the database's thread has ended");
        }
    }
}
