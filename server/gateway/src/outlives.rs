//! Work that is finished though nobody waits for it any more.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::runtime::Handle;
use tracing::{Instrument, Span};

/// A future that is polled by whoever waits for it, and goes on as a task of its own when they leave before it is done: a request's client, as
/// a rule. So it costs a task only where one is needed. It is worth nothing where the future panicked.
pub(crate) struct Outlives<F>
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    rest: Option<Pin<Box<F>>>,
    span: Span,
}

impl<F> Outlives<F>
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    pub(crate) fn new(future: F) -> Outlives<F> {
        Outlives { rest: Some(Box::pin(future)), span: Span::current() }
    }
}

impl<F> Future for Outlives<F>
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<F::Output>> {
        // Taken out, so that one that panics is dropped with what it holds, and not polled again.
        let Some(mut rest) = self.rest.take() else { return Poll::Ready(None) };
        match catch_unwind(AssertUnwindSafe(|| rest.as_mut().poll(context))) {
            Ok(Poll::Ready(output)) => Poll::Ready(Some(output)),
            Ok(Poll::Pending) => {
                self.rest = Some(rest);
                Poll::Pending
            }
            Err(_panicked) => Poll::Ready(None),
        }
    }
}

impl<F> Drop for Outlives<F>
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn drop(&mut self) {
        // Without a runtime everything ends.
        if let (Some(rest), Ok(runtime)) = (self.rest.take(), Handle::try_current()) {
            runtime.spawn(rest.instrument(self.span.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    /// Something that takes a while, and how often it was done.
    fn work() -> (Arc<AtomicUsize>, impl Future<Output = u8> + Send + 'static) {
        let done = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&done);
        let work = async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            counted.fetch_add(1, Ordering::SeqCst);
            7
        };
        (done, work)
    }

    #[tokio::test]
    async fn who_leaves_leaves_it_to_be_done_once() {
        let (done, future) = work();
        assert_eq!(Outlives::new(future).await, Some(7));
        assert_eq!(done.load(Ordering::SeqCst), 1);

        let (done, future) = work();
        assert!(tokio::time::timeout(Duration::from_millis(1), Outlives::new(future)).await.is_err());
        assert_eq!(done.load(Ordering::SeqCst), 0);
        while done.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
        assert_eq!(done.load(Ordering::SeqCst), 1);

        let (done, future) = work();
        drop(Outlives::new(future));
        while done.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn one_that_panics_is_worth_nothing_and_drops_what_it_holds() {
        let held = Arc::new(());
        let holds = Arc::clone(&held);
        let found: Option<()> = Outlives::new(async move {
            let _holds = holds;
            tokio::task::yield_now().await;
            assert!(Arc::strong_count(&_holds) == 0, "a fault of ours");
        })
        .await;
        assert_eq!((found, Arc::strong_count(&held)), (None, 1));
    }
}
