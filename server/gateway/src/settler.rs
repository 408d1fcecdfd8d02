//! Settling: what requests cost goes to Core as usage, many in a transaction, each under its request's id or the first of those that are
//! charged together, so that what is sent twice is charged once. What the store can't take now is tried until it can.

use crate::job::Job;
use crate::journal::{Journal, Kept};
use crate::limits::{
    SETTLE_GATHERED_MAX, SETTLE_PAUSE_MAX_MS, SETTLE_TOGETHER_MS, SETTLEMENT_BATCH, SETTLEMENTS_MAX, SETTLERS,
};
use crate::meters::Meters;
use crate::together::{rejoined, together};
use jiff::Timestamp;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use svc_core::items::ItemResult;
use svc_core::{Clock, Core, CoreError};
use svc_store::Store;
use svc_store::records::Id;
use tokio::sync::mpsc;

/// What is left to do for a job after the service has said something about it.
enum Next {
    /// Nothing.
    Done(&'static str),
    /// The same again, which was changed.
    Again,
    /// It can't be charged; what was set aside goes back.
    LetGo,
}

/// Takes jobs.
#[derive(Clone, Debug)]
pub(crate) struct Settler {
    queues: Arc<[Queue]>,
    waiting: Arc<AtomicUsize>,
    meters: Meters,
    journal: Option<Arc<Journal>>,
}

/// Where jobs of some subjects go.
#[derive(Debug)]
struct Queue {
    /// Those that somebody waits for.
    now: mpsc::UnboundedSender<Job>,
    /// The others.
    soon: mpsc::UnboundedSender<Job>,
}

impl Settler {
    /// Starts settling, with what the journal has of gateways that live no more.
    pub(crate) fn start<S: Store>(
        core: &Core<S>,
        clock: &Arc<Clock>,
        meters: &Meters,
        journal: Option<Journal>,
    ) -> Settler {
        let waiting = Arc::new(AtomicUsize::new(0));
        let queues = (0..SETTLERS).map(|_| {
            let ((now, jobs), (soon, others)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
            let worker = Worker {
                core: core.clone(),
                clock: Arc::clone(clock),
                meters: meters.clone(),
                waiting: Arc::clone(&waiting),
            };
            tokio::spawn(worker.clone().settle_now(jobs));
            tokio::spawn(worker.settle_soon(others));
            Queue { now, soon }
        });
        let found = journal.as_ref().map(Journal::found).unwrap_or_default();
        let settler =
            Settler { queues: queues.collect(), waiting, meters: meters.clone(), journal: journal.map(Arc::new) };
        if !found.is_empty() {
            tracing::warn!(count = found.len(), "a gateway has left requests that were not settled yet, or just were");
        }
        rejoined(found.into_iter().filter_map(Job::found).collect()).into_iter().for_each(|job| settler.queue(job));
        settler
    }

    /// Whether there is room for what further requests will leave to settle.
    pub(crate) fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < SETTLEMENTS_MAX
    }

    /// How many wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }

    /// Takes a job. When this returns it outlives the gateway, where there is a journal that can be written to.
    pub(crate) fn settle(&self, mut job: Job) {
        match self.journal.as_ref().map(|journal| journal.keep(&job, job.at)) {
            Some(Ok(kept)) => job.kept.push(kept),
            Some(Err(error)) => {
                self.meters.journal_failed();
                tracing::error!(%error, id = job.id, "what is to be settled can't be written down: a kill would lose it");
            }
            None => {}
        }
        self.queue(job);
    }

    /// The gateway ends, and all that can be settled is.
    pub(crate) fn end(&self) {
        if let Some(journal) = &self.journal {
            journal.end();
        }
    }

    fn queue(&self, job: Job) {
        let count = job.count();
        let waiting = self.waiting.fetch_add(count, Ordering::AcqRel).saturating_add(count);
        self.meters.waiting(waiting);
        // A subject's jobs go one way: they wait for the same row.
        let spread =
            job.subject.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
        let queue = self.queues.get(spread.checked_rem(self.queues.len()).unwrap_or_default());
        let queue = queue.map(|queue| if job.is_waited_for() { &queue.now } else { &queue.soon });
        if queue.is_none_or(|queue| queue.send(job).is_err()) {
            self.waiting.fetch_sub(count, Ordering::AcqRel);
            tracing::error!("a request could not be settled: the gateway has stopped");
        }
    }
}

/// Settles the jobs of one queue.
#[derive(Clone)]
struct Worker<S> {
    core: Core<S>,
    clock: Arc<Clock>,
    meters: Meters,
    waiting: Arc<AtomicUsize>,
}

impl<S: Store> Worker<S> {
    /// Settles what somebody waits for, as it comes.
    async fn settle_now(self, mut jobs: mpsc::UnboundedReceiver<Job>) {
        let mut batch = Vec::with_capacity(SETTLEMENT_BATCH);
        while jobs.recv_many(&mut batch, SETTLEMENT_BATCH).await > 0 {
            self.settle_all(std::mem::take(&mut batch)).await;
        }
    }

    /// Settles what nobody waits for: a moment's together.
    async fn settle_soon(self, mut jobs: mpsc::UnboundedReceiver<Job>) {
        let moment = Duration::from_millis(SETTLE_TOGETHER_MS.unsigned_abs());
        while let Some(first) = jobs.recv().await {
            tokio::time::sleep(moment).await;
            let mut gathered = vec![first];
            while gathered.len() < SETTLE_GATHERED_MAX {
                let Ok(job) = jobs.try_recv() else { break };
                gathered.push(job);
            }
            // Thousands may have come: answers are not to wait for that.
            match tokio::task::spawn_blocking(move || together(gathered)).await {
                Ok(jobs) => self.settle_all(jobs).await,
                Err(error) => {
                    tracing::error!(%error, "requests were not charged: the next gateway finds them in the journal")
                }
            }
        }
    }

    async fn settle_all(&self, jobs: Vec<Job>) {
        let mut by_business: HashMap<Id, Vec<Job>> = HashMap::new();
        for job in jobs {
            by_business.entry(job.business.clone()).or_default().push(job);
        }
        for (business, jobs) in by_business {
            let mut jobs = jobs.into_iter().peekable();
            while jobs.peek().is_some() {
                self.settle(&business, jobs.by_ref().take(SETTLEMENT_BATCH).collect()).await;
            }
        }
    }

    /// Settles jobs of a business, until all are.
    async fn settle(&self, business: &Id, mut jobs: Vec<Job>) {
        let mut pause_ms = 10;
        while !jobs.is_empty() {
            match self.try_settle(business, &mut jobs).await {
                Ok(()) => pause_ms = 10,
                Err(error) => {
                    tracing::warn!(%error, count = jobs.len(), "requests can't be settled now; they are tried again");
                    tokio::time::sleep(Duration::from_millis(pause_ms)).await;
                    pause_ms = pause_ms.saturating_mul(2).min(SETTLE_PAUSE_MAX_MS);
                }
            }
        }
    }

    /// One try: leaves those jobs that there is more to do for.
    async fn try_settle(&self, business: &Id, jobs: &mut Vec<Job>) -> Result<(), CoreError> {
        let now = (self.clock)();
        for job in jobs.iter_mut() {
            if let Some((change, was_done)) = &job.change {
                self.core.end_resource_change(&job.business, &job.subject, change, *was_done, now).await?;
                job.change = None;
            }
        }
        let items: Vec<Json> =
            jobs.iter().filter_map(|job| job.charge.as_ref().map(|charge| job.item(charge))).collect();
        let results = match items.is_empty() {
            true => Vec::new(),
            false => self.core.report_usage(business, items, now).await?,
        };
        let mut results = results.into_iter();
        let mut left = Vec::new();
        for mut job in std::mem::take(jobs) {
            let next = match job.charge.is_some() {
                true => results.next().map_or(Next::LetGo, |result| judge(&mut job, result)),
                false if job.is_held => Next::LetGo,
                false => Next::Done("free"),
            };
            match next {
                Next::Again => left.push(job),
                Next::Done(how) => self.end(job, how),
                Next::LetGo => match self.let_go(&job, now).await {
                    Ok(()) => {
                        let how = if job.charge.is_some() { "uncharged" } else { "free" };
                        self.end(job, how);
                    }
                    Err(error) => {
                        tracing::warn!(%error, "what was set aside can't be let go now");
                        left.push(Job { charge: None, ..job });
                        tokio::time::sleep(Duration::from_millis(SETTLE_PAUSE_MAX_MS)).await;
                    }
                },
            }
        }
        *jobs = left;
        Ok(())
    }

    async fn let_go(&self, job: &Job, now: Timestamp) -> Result<(), CoreError> {
        if !job.is_held {
            return Ok(());
        }
        match self.core.release_hold(&job.business, &job.subject, &job.id, now).await {
            // The subscription has ended, and its holds with it.
            Ok(_) | Err(CoreError::NotFound(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn end(&self, job: Job, how: &'static str) {
        let count = job.count();
        self.meters.settled(how, count);
        self.meters.waiting(self.waiting.fetch_sub(count, Ordering::AcqRel).saturating_sub(count));
        job.kept.into_iter().for_each(Kept::done);
        if let Some(done) = job.done {
            let _left = done.send(());
        }
    }
}

/// What the service's answer means for a job.
fn judge(job: &mut Job, result: ItemResult) -> Next {
    let ItemResult::Refused { code, message, .. } = result else { return Next::Done("charged") };
    let Some(charge) = job.charge.as_mut() else { return Next::LetGo };
    match code {
        // Its time was over: the request took longer than any may, or the store was away.
        "HOLD_NOT_OPEN" if job.is_held => {
            job.is_held = false;
            Next::Again
        }
        // More than was set aside, and the plan refuses the rest: what was set aside is paid, and no more.
        "SPEND_LIMIT_REACHED" if !charge.reports.is_empty() && charge.reports != job.expected => {
            tracing::warn!(id = job.id, "a report goes past what the subject may spend; what was expected is charged");
            charge.reports.clone_from(&job.expected);
            Next::Again
        }
        // What was reported does not fit the release that the subject is served under by now.
        "REPORT_NOT_DECLARED" | "UNKNOWN_METER" | "COUNT_UNITS" if !charge.reports.is_empty() => {
            charge.reports.clear();
            Next::Again
        }
        _ => {
            tracing::error!(id = job.id, code, message, "a request that was served can't be charged");
            Next::LetGo
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::tests::job;

    fn refused(code: &'static str) -> ItemResult {
        ItemResult::Refused { id: None, index: 0, code, message: String::new() }
    }

    #[test]
    fn a_report_past_what_may_be_spent_is_charged_as_expected_and_then_not_at_all() {
        let mut job = job(&[("ms", 500)], true);
        assert!(matches!(judge(&mut job, refused("SPEND_LIMIT_REACHED")), Next::Again));
        assert_eq!(job.charge.as_ref().unwrap().reports, job.expected);
        assert!(matches!(judge(&mut job, refused("SPEND_LIMIT_REACHED")), Next::LetGo));
    }

    #[test]
    fn a_hold_that_is_over_is_done_without() {
        let mut job = job(&[], true);
        assert!(matches!(judge(&mut job, refused("HOLD_NOT_OPEN")), Next::Again));
        assert!(!job.is_held);
        let done = ItemResult::Duplicate { id: String::new(), charges: 1 };
        assert!(matches!(judge(&mut job, done), Next::Done("charged")));
        assert!(matches!(judge(&mut job, refused("SUBSCRIPTION_NOT_FOUND")), Next::LetGo));
    }
}
