//! How work is taken from a queue in the store: while there are slots for it, each piece beside whatever goes on.

use crate::error::CoreError;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use svc_trace::Context;
use tokio::sync::Semaphore;

/// How often a server looks for work that was queued on other servers, in milliseconds.
const SWEEP_MS: u64 = 500;

/// A queue in the store, and what is done with what it holds.
pub trait Queue: Clone + Send + Sync + 'static {
    /// What a piece is called, in traces and in the log.
    const NAME: &'static str;

    /// A piece of work.
    type Work: Send + 'static;

    /// Pieces that this server may have taken at once.
    fn slots(&self) -> &Arc<Semaphore>;

    /// Takes a piece that nobody works on, under a lease.
    fn take(&self) -> impl Future<Output = Result<Option<Self::Work>, CoreError>> + Send;

    /// Waits until there may be work, for `at_most`.
    fn wait(&self, at_most: Duration) -> impl Future<Output = ()> + Send;

    /// The trace of what asked for a piece, as `traceparent` says it.
    fn cause(work: &Self::Work) -> Option<&str>;

    /// Does a piece. Where that fails its lease runs out, and somebody takes it again.
    fn work(&self, work: Self::Work) -> impl Future<Output = Result<(), CoreError>> + Send;
}

/// Takes work and does it, for ever.
pub async fn run<Q: Queue>(queue: &Q) {
    while let Ok(slot) = Arc::clone(queue.slots()).acquire_owned().await {
        match queue.take().await {
            Ok(Some(work)) => {
                let queue = queue.clone();
                tokio::spawn(async move {
                    let cause = Q::cause(&work).and_then(Context::parse);
                    if let Err(error) = svc_trace::traced(Q::NAME, cause, queue.work(work)).await {
                        tracing::warn!(%error, "a piece of work could not be ended; its lease runs out");
                    }
                    drop(slot);
                });
            }
            Ok(None) => {
                drop(slot);
                queue.wait(Duration::from_millis(SWEEP_MS)).await;
            }
            Err(error) => {
                tracing::warn!(%error, "queued work could not be taken");
                tokio::time::sleep(Duration::from_millis(SWEEP_MS)).await;
            }
        }
    }
}
