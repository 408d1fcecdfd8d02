//! Settling: what requests cost goes to Core as usage, many in a transaction, each under its request's id, so that what is sent twice is
//! charged once. What the store can't take now is tried until it can.

use crate::journal::{Found, Journal, Kept};
use crate::limits::{SETTLE_PAUSE_MAX_MS, SETTLEMENT_BATCH, SETTLEMENTS_MAX, SETTLERS};
use crate::meters::Meters;
use crate::outcome::Charge;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use svc_core::items::ItemResult;
use svc_core::resources::ResourceChange;
use svc_core::{Clock, Core, CoreError};
use svc_engine::money::units::Units;
use svc_store::Store;
use svc_store::records::Id;
use tokio::sync::{mpsc, oneshot};

/// A request that is to be settled.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) business: Id,
    pub(crate) subject: String,
    /// The request's id: the usage item's, and its hold's.
    pub(crate) id: String,
    /// `METHOD /path` of the route.
    pub(crate) route: String,
    /// When it was let through.
    pub(crate) at: Timestamp,
    pub(crate) charge: Option<Charge>,
    /// Whether money was set aside for it.
    pub(crate) is_held: bool,
    /// The count that it was to change, and whether it did.
    pub(crate) change: Option<(ResourceChange, bool)>,
    /// What its reports were expected to be: what was set aside.
    pub(crate) expected: BTreeMap<String, Units>,
    /// Where it is written down until it is done.
    #[serde(skip)]
    pub(crate) kept: Option<Kept>,
    /// Who waits for it.
    #[serde(skip)]
    pub(crate) done: Option<oneshot::Sender<()>>,
}

impl Job {
    /// What a gateway has left that lives no more.
    fn found(Found { line, kept }: Found) -> Option<Job> {
        match serde_json::from_slice::<Job>(&line) {
            Ok(job) => Some(Job { kept: Some(kept), ..job }),
            Err(error) => {
                kept.unreadable(&error);
                None
            }
        }
    }

    fn item(&self, charge: &Charge) -> Json {
        let mut item = json!({
            "id": self.id, "subject": self.subject, "route": self.route, "status": charge.status, "reports": charge.reports,
            "occurredAt": self.at,
        });
        if let (Json::Object(members), true) = (&mut item, self.is_held) {
            members.insert("hold".to_owned(), json!(self.id));
        }
        item
    }
}

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
    queues: Arc<[mpsc::UnboundedSender<Job>]>,
    waiting: Arc<AtomicUsize>,
    meters: Meters,
    journal: Option<Arc<Journal>>,
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
            let (queue, jobs) = mpsc::unbounded_channel();
            let worker = Worker {
                core: core.clone(),
                clock: Arc::clone(clock),
                meters: meters.clone(),
                waiting: Arc::clone(&waiting),
            };
            tokio::spawn(worker.run(jobs));
            queue
        });
        let found = journal.as_ref().map(Journal::found).unwrap_or_default();
        let settler =
            Settler { queues: queues.collect(), waiting, meters: meters.clone(), journal: journal.map(Arc::new) };
        if !found.is_empty() {
            tracing::warn!(count = found.len(), "a gateway has left requests that were not settled yet, or just were");
        }
        found.into_iter().filter_map(Job::found).for_each(|job| settler.queue(job));
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
            Some(Ok(kept)) => job.kept = Some(kept),
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
        let waiting = self.waiting.fetch_add(1, Ordering::AcqRel).saturating_add(1);
        self.meters.waiting(waiting);
        // A subject's jobs go one way: they wait for the same row.
        let spread =
            job.subject.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
        let queue = self.queues.get(spread.checked_rem(self.queues.len()).unwrap_or_default());
        if queue.is_none_or(|queue| queue.send(job).is_err()) {
            self.waiting.fetch_sub(1, Ordering::AcqRel);
            tracing::error!("a request could not be settled: the gateway has stopped");
        }
    }
}

/// Settles the jobs of one queue.
struct Worker<S> {
    core: Core<S>,
    clock: Arc<Clock>,
    meters: Meters,
    waiting: Arc<AtomicUsize>,
}

impl<S: Store> Worker<S> {
    async fn run(self, mut jobs: mpsc::UnboundedReceiver<Job>) {
        let mut batch = Vec::with_capacity(SETTLEMENT_BATCH);
        while jobs.recv_many(&mut batch, SETTLEMENT_BATCH).await > 0 {
            let mut by_business: HashMap<Id, Vec<Job>> = HashMap::new();
            for job in batch.drain(..) {
                by_business.entry(job.business.clone()).or_default().push(job);
            }
            for (business, jobs) in by_business {
                self.settle(&business, jobs).await;
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
                self.core.end_resource_change(&job.business, &job.subject, change, *was_done).await?;
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
        self.meters.settled(how);
        self.meters.waiting(self.waiting.fetch_sub(1, Ordering::AcqRel).saturating_sub(1));
        if let Some(kept) = job.kept {
            kept.done();
        }
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

    fn job(reports: &[(&str, u64)], is_held: bool) -> Job {
        let units = |pairs: &[(&str, u64)]| {
            pairs.iter().map(|(meter, units)| ((*meter).to_owned(), Units::from_whole(*units))).collect()
        };
        Job {
            business: Id::named("biz"),
            subject: "ada".to_owned(),
            id: "req_1".to_owned(),
            route: "POST /v1/jobs".to_owned(),
            at: Timestamp::UNIX_EPOCH,
            charge: Some(Charge { status: 201, reports: units(reports) }),
            is_held,
            change: None,
            expected: units(&[("ms", 10)]),
            kept: None,
            done: None,
        }
    }

    fn refused(code: &'static str) -> ItemResult {
        ItemResult::Refused { id: None, index: 0, code, message: String::new() }
    }

    #[test]
    fn an_item_is_the_same_each_time_and_names_its_hold() {
        let held = job(&[("ms", 5)], true);
        let item = held.item(held.charge.as_ref().unwrap());
        assert_eq!(item["hold"], "req_1");
        assert_eq!((&item["reports"]["ms"], &item["occurredAt"]), (&json!(5), &json!("1970-01-01T00:00:00Z")));
        assert!(job(&[], false).item(&Charge { status: 200, reports: BTreeMap::new() }).get("hold").is_none());
    }

    #[test]
    fn a_job_is_read_as_it_was_written() {
        let resource = svc_engine::manifest::ir::Key::try_from("jobs".to_owned()).unwrap();
        let change = ResourceChange {
            id: "req_1".to_owned(),
            resource,
            effect: svc_engine::manifest::ir::ResourceEffect::Create,
        };
        for job in [
            job(&[], false),
            Job { charge: None, change: Some((change, true)), subject: "a \u{2028}\n\"".to_owned(), ..job(&[], true) },
            job(&[("ms", 1_000_000_000_000_000)], true),
        ] {
            let text = serde_json::to_string(&job).unwrap();
            let read: Job = serde_json::from_str(&text).unwrap();
            assert_eq!(format!("{read:?}"), format!("{job:?}"), "{text}");
        }
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
