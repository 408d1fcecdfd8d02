//! Batches of usage that wait for the same subjects, inside this process: whoever's turn it is admits all that wait, in one transaction.

use crate::error::CoreError;
use crate::held::HeldByName;
use crate::items::{Item, ItemResult, Refusal};
use jiff::Timestamp;
use serde_json::Value as Json;
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use svc_store::records::Id;
use tokio::sync::{Mutex as Turn, oneshot};

/// Most items of one batch, and of all that are admitted together.
pub const BATCH_MAX_ITEMS: usize = 1_000;
/// Most batches that are admitted together.
pub const BATCHES_TOGETHER_MAX: usize = 32;

/// A batch, as it was read.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Each item with its id, as far as it has one.
    pub(crate) items: Vec<(Option<String>, Result<Item, Refusal>)>,
    /// The moment of its request.
    pub(crate) now: Timestamp,
    /// The trace that its request is a part of.
    pub(crate) trace: Option<String>,
}

impl Batch {
    /// Reads a batch.
    pub(crate) fn read(items: Vec<Json>, now: Timestamp) -> Result<Batch, CoreError> {
        if items.len() > BATCH_MAX_ITEMS {
            return Err(CoreError::invalid(
                "BATCH_TOO_LONG",
                format!("a batch has at most {BATCH_MAX_ITEMS} items, not {}", items.len()),
            ));
        }
        let read = |json: Json| (json.get("id").and_then(Json::as_str).map(str::to_owned), Item::parse(json));
        Ok(Batch { items: items.into_iter().map(read).collect(), now, trace: svc_trace::current_header() })
    }

    /// The items that could be read.
    pub(crate) fn readable(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter_map(|(_, item)| item.as_ref().ok())
    }

    /// The subjects that they are of.
    pub(crate) fn subjects(&self) -> BTreeSet<&str> {
        self.readable().map(Item::subject).collect()
    }
}

/// What became of a batch.
pub(crate) type Answer = Result<Vec<ItemResult>, CoreError>;

/// A batch, and where its answer is waited for.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) batch: Arc<Batch>,
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// Batches of the same subjects.
#[derive(Debug, Default)]
pub(crate) struct BatchQueue {
    /// Whose turn it is to admit.
    pub(crate) turn: Turn<()>,
    waiting: Mutex<VecDeque<Waiting>>,
}

impl BatchQueue {
    /// Puts a batch at the end; where its answer comes.
    pub(crate) fn join(&self, batch: Arc<Batch>) -> oneshot::Receiver<Answer> {
        let (answer, answered) = oneshot::channel();
        self.waiting().push_back(Waiting { batch, answer });
        answered
    }

    /// Takes those that are next, at most `most` and as many items as one batch may have. Those that nobody waits for any more go.
    pub(crate) fn take(&self, most: usize) -> Vec<Waiting> {
        let (mut waiting, mut taken, mut room) = (self.waiting(), Vec::new(), BATCH_MAX_ITEMS);
        while taken.len() < most
            && let Some(next) = waiting.pop_front()
        {
            if next.answer.is_closed() {
                continue;
            }
            match room.checked_sub(next.batch.items.len()) {
                Some(left) => room = left,
                None => {
                    waiting.push_front(next);
                    break;
                }
            }
            taken.push(next);
        }
        taken
    }

    /// Puts those that were taken and not admitted back to where they were.
    pub(crate) fn put_back(&self, taken: Vec<Waiting>) {
        let mut waiting = self.waiting();
        taken.into_iter().rev().for_each(|next| waiting.push_front(next));
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, VecDeque<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The queues, each by its business and its subjects, for as long as somebody waits in it.
#[derive(Debug, Default)]
pub(crate) struct BatchQueues(HeldByName<(Id, Vec<String>), BatchQueue>);

impl BatchQueues {
    /// The queue that a batch waits in.
    pub(crate) fn of(&self, business: &Id, batch: &Batch) -> Arc<BatchQueue> {
        let subjects = batch.subjects().into_iter().map(str::to_owned).collect();
        self.0.get_or_make((business.clone(), subjects), BatchQueue::default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(items: usize) -> Arc<Batch> {
        let item = serde_json::json!({ "id": "i", "subject": "ada", "meter": "tokens", "units": 1 });
        Arc::new(Batch::read(vec![item; items], Timestamp::UNIX_EPOCH).unwrap())
    }

    #[test]
    fn who_waits_is_taken_in_order_up_to_the_bounds() {
        let queue = BatchQueue::default();
        let sizes = |taken: &[Waiting]| taken.iter().map(|next| next.batch.items.len()).collect::<Vec<_>>();
        let answers: Vec<_> = [1, 2, 997, 1, 3].into_iter().map(|items| queue.join(batch(items))).collect();
        let gone = queue.join(batch(4));
        drop(gone);
        let _last = queue.join(batch(5));
        let taken = queue.take(10);
        assert_eq!(sizes(&taken), [1, 2, 997], "one more would be more than a batch may have");
        queue.put_back(taken);
        assert_eq!(sizes(&queue.take(2)), [1, 2], "they are where they were");
        assert_eq!(sizes(&queue.take(10)), [997, 1]);
        assert_eq!(sizes(&queue.take(10)), [3, 5], "nobody waits for the one of four");
        assert!(queue.take(10).is_empty());
        drop(answers);
    }

    #[test]
    fn a_batch_that_is_too_long_is_refused() {
        let items = vec![Json::Null; BATCH_MAX_ITEMS + 1];
        assert!(Batch::read(items, Timestamp::UNIX_EPOCH).unwrap_err().to_string().contains("at most 1000 items"));
    }
}
