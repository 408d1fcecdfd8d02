//! What the use cases did since the process started, for whoever watches it. No business, subject or token is kept with it.

use crate::error::CoreError;
use crate::items::ItemResult;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use svc_engine::money::bill::SignedCents;
use svc_store::StoreError;
use svc_store::records::BuildResult;

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

/// How a hold ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoldEnd {
    /// A usage item used it.
    Settled,
    /// Its sender let it go.
    Released,
    /// Its time ran out.
    Expired,
    /// Its subscription ended.
    Cancelled,
}

impl HoldEnd {
    /// Every one.
    pub const ALL: [HoldEnd; 4] = [HoldEnd::Settled, HoldEnd::Released, HoldEnd::Expired, HoldEnd::Cancelled];

    /// As a label has it.
    pub fn name(self) -> &'static str {
        match self {
            HoldEnd::Settled => "settled",
            HoldEnd::Released => "released",
            HoldEnd::Expired => "expired",
            HoldEnd::Cancelled => "cancelled",
        }
    }
}

/// The holds that a transaction ended: counted once it is done, and not where it is not.
type Ended = Arc<Mutex<BTreeMap<HoldEnd, u64>>>;

tokio::task_local! {
    /// Of the transaction that is under way in this task.
    static ENDED: Ended;
}

/// A hold ended in the transaction that is under way.
pub(crate) fn hold_ended(end: HoldEnd) {
    // Outside of a use case, in tests, nobody counts.
    let _nobody = ENDED.try_with(|ended| {
        more(ended.lock().unwrap_or_else(PoisonError::into_inner).entry(end).or_default(), 1);
    });
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
    /// Holds that ended, by how.
    pub holds_ended: BTreeMap<HoldEnd, u64>,
    /// Builds that ended, by what became of them (`succeeded`, `rejected`, `stopped`), and the code of what stopped them.
    pub builds: BTreeMap<(&'static str, String), u64>,
    /// What invoices came to, in cents.
    pub invoiced_cents: u64,
    /// What credit notes came to, in cents.
    pub credited_cents: u64,
    /// Subscriptions whose ledger was worked out again.
    pub audited: u64,
    /// What did not agree in them.
    pub audit_findings: u64,
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
    fn transaction<T>(&self, result: &Result<T, CoreError>) {
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

    /// Periods were closed, with documents of these sums.
    pub(crate) fn closed(&self, totals: impl Iterator<Item = SignedCents>) {
        let mut counts = self.lock();
        for SignedCents(total) in totals {
            more(&mut counts.invoices, 1);
            let size = u64::try_from(total.unsigned_abs()).unwrap_or(u64::MAX);
            let sum = if total < 0 { &mut counts.credited_cents } else { &mut counts.invoiced_cents };
            more(sum, size);
        }
    }

    /// A build ended.
    pub(crate) fn build(&self, result: &BuildResult) {
        let (outcome, code) = match (&result.ir, &result.failure) {
            (Some(_), _) => ("succeeded", String::new()),
            (None, None) => ("rejected", String::new()),
            (None, Some(failure)) => ("stopped", failure.code.clone()),
        };
        more(self.lock().builds.entry((outcome, code)).or_default(), 1);
    }

    /// The ledger of so many subscriptions was worked out again, and so much did not agree.
    pub(crate) fn audited(&self, subscriptions: usize, findings: usize) {
        let mut counts = self.lock();
        more(&mut counts.audited, u64::try_from(subscriptions).unwrap_or(u64::MAX));
        more(&mut counts.audit_findings, u64::try_from(findings).unwrap_or(u64::MAX));
    }

    /// A hold was made.
    pub(crate) fn hold_opened(&self) {
        more(&mut self.lock().holds_opened, 1);
    }

    /// Does the work of one transaction, and counts the holds that it ended where it was done.
    pub(crate) async fn tallied<T>(&self, work: impl Future<Output = Result<T, CoreError>>) -> Result<T, CoreError> {
        let ended = Ended::default();
        let result = ENDED.scope(Arc::clone(&ended), work).await;
        self.transaction(&result);
        if result.is_ok() {
            let ended = std::mem::take(&mut *ended.lock().unwrap_or_else(PoisonError::into_inner));
            let mut counts = self.lock();
            for (end, count) in ended {
                more(counts.holds_ended.entry(end).or_default(), count);
            }
        }
        result
    }
}

fn more(count: &mut u64, by: u64) {
    *count = count.saturating_add(by);
}
