//! What the use cases did since the process started, for whoever watches it. No business, subject or token is kept with it.

use crate::error::CoreError;
use crate::items::ItemResult;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use svc_store::StoreError;

/// How a transaction that writes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransactionEnd {
    /// It was done.
    Done,
    /// The use case refused; nothing was written.
    Refused,
    /// The database stopped it in favour of another.
    Stopped,
    /// The database failed, or takes no writes.
    Failed,
}

impl TransactionEnd {
    /// As a label has it.
    pub fn name(self) -> &'static str {
        match self {
            TransactionEnd::Done => "done",
            TransactionEnd::Refused => "refused",
            TransactionEnd::Stopped => "stopped",
            TransactionEnd::Failed => "failed",
        }
    }

    fn of<T>(result: &Result<T, CoreError>) -> TransactionEnd {
        match result {
            Ok(_) => TransactionEnd::Done,
            Err(CoreError::Store(StoreError::Conflict(_))) => TransactionEnd::Stopped,
            Err(CoreError::Store(_) | CoreError::Internal(_)) => TransactionEnd::Failed,
            Err(_) => TransactionEnd::Refused,
        }
    }
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Usage items by what became of them (`accepted`, `duplicate`, `refused`), and the code of a refusal.
    pub items: BTreeMap<(&'static str, &'static str), u64>,
    /// Charges that accepted items made.
    pub charges: u64,
    /// Periods that were closed with a document.
    pub invoices: u64,
    /// Holds that were made.
    pub holds_opened: u64,
    /// Holds that their senders let go.
    pub holds_released: u64,
    /// Transactions that write, by how they ended.
    pub transactions: BTreeMap<TransactionEnd, u64>,
}

/// Counts.
#[derive(Debug, Default)]
pub(crate) struct Counters(Mutex<Counts>);

impl Counters {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn now(&self) -> Counts {
        self.lock().clone()
    }

    /// A transaction that writes ended.
    pub(crate) fn transaction<T>(&self, result: &Result<T, CoreError>) {
        more(self.lock().transactions.entry(TransactionEnd::of(result)).or_default(), 1);
    }

    /// A batch was written.
    pub(crate) fn usage(&self, results: &[ItemResult]) {
        let mut counts = self.lock();
        for result in results {
            let (outcome, charges) = match result {
                ItemResult::Accepted { charges, .. } => (("accepted", ""), u64::from(*charges)),
                ItemResult::Duplicate { .. } => (("duplicate", ""), 0),
                ItemResult::Refused { code, .. } => (("refused", *code), 0),
            };
            more(counts.items.entry(outcome).or_default(), 1);
            more(&mut counts.charges, charges);
        }
    }

    /// Periods were closed.
    pub(crate) fn closed(&self, invoices: usize) {
        more(&mut self.lock().invoices, u64::try_from(invoices).unwrap_or(u64::MAX));
    }

    /// A hold was made.
    pub(crate) fn hold_opened(&self) {
        more(&mut self.lock().holds_opened, 1);
    }

    /// A hold was let go.
    pub(crate) fn hold_released(&self) {
        more(&mut self.lock().holds_released, 1);
    }
}

fn more(count: &mut u64, by: u64) {
    *count = count.saturating_add(by);
}
