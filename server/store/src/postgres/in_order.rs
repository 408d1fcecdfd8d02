//! Sending statements in their order, by construction.
//!
//! `tokio-postgres` puts a statement on the wire when its future is polled for the first time. `join_all` does not promise to
//! poll in order, nor to poll all before it returns (past 30 futures it stops early when some wake themselves), so a commit
//! polled after it could overtake a write. [`InOrder`] polls every future once, first to last, at its own first poll.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

/// The futures of several statements, whose outputs come in the order of the statements.
pub(super) struct InOrder<'c, F: Future> {
    slots: Vec<Slot<F>>,
    /// How many futures were polled for the first time, which is how many statements were sent.
    sent: &'c AtomicUsize,
}

enum Slot<F: Future> {
    Pending { future: Pin<Box<F>>, is_sent: bool },
    Ready(F::Output),
}

impl<'c, F: Future> InOrder<'c, F> {
    /// Joins `futures`, and counts in `sent` those that were polled.
    pub(super) fn new(futures: impl IntoIterator<Item = F>, sent: &'c AtomicUsize) -> Self {
        let slots = futures.into_iter().map(|future| Slot::Pending { future: Box::pin(future), is_sent: false });
        InOrder { slots: slots.collect(), sent }
    }
}

impl<F: Future> Future for InOrder<'_, F>
where
    F::Output: Unpin,
{
    type Output = Vec<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let sent = self.sent;
        let mut is_pending = false;
        for slot in &mut self.slots {
            let Slot::Pending { future, is_sent } = slot else { continue };
            if !std::mem::replace(is_sent, true) {
                sent.fetch_add(1, Ordering::Relaxed);
            }
            match future.as_mut().poll(context) {
                Poll::Ready(output) => *slot = Slot::Ready(output),
                Poll::Pending => is_pending = true,
            }
        }
        if is_pending {
            return Poll::Pending;
        }
        let output = |slot| if let Slot::Ready(output) = slot { Some(output) } else { None };
        Poll::Ready(std::mem::take(&mut self.slots).into_iter().filter_map(output).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Notes its number at its first poll and wakes itself, as a statement does whose answer comes while it is being polled.
    struct WakesItself<'l> {
        number: usize,
        log: &'l Mutex<Vec<usize>>,
        polls: usize,
    }

    impl Future for WakesItself<'_> {
        type Output = usize;
        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<usize> {
            self.polls += 1;
            if self.polls > 1 {
                return Poll::Ready(self.number);
            }
            self.log.lock().unwrap().push(self.number);
            context.waker().wake_by_ref();
            Poll::Pending
        }
    }

    #[tokio::test]
    async fn what_comes_last_is_polled_after_all_the_others() {
        const WRITES: usize = 100;
        let log = Mutex::new(Vec::new());
        let sent = AtomicUsize::new(0);
        let writes = (0..WRITES).map(|number| WakesItself { number, log: &log, polls: 0 });
        let last = async {
            log.lock().unwrap().push(WRITES);
            sent.load(Ordering::Relaxed)
        };
        let (outputs, sent_before_last) = tokio::join!(biased; InOrder::new(writes, &sent), last);
        assert_eq!(*log.lock().unwrap(), (0..=WRITES).collect::<Vec<_>>());
        assert_eq!(outputs, (0..WRITES).collect::<Vec<_>>());
        assert_eq!(sent_before_last, WRITES);
    }
}
