//! What is under way, as a whole and for each business, so that nothing that one does takes another's place.

use crate::edge::connections::Peer;
use crate::edge::limits::{
    BODY_MAX_BYTES, Limits, READS_MAX_PER_BUSINESS, REFUSAL_PAUSE_MS, REFUSALS_AT_ONCE_PER_SECOND, REFUSALS_PAUSED_MAX,
    Shared, WRITE_WAIT_MAX_SECONDS,
};
use crate::edge::meters::Meters;
use crate::edge::shares::{Share, Shares};
use crate::problem::Problem;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use hyper::http::Extensions;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use svc_core::CoreError;
use svc_core::held::HeldByName;
use svc_store::records::Id;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// On whose account something is under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Account {
    /// The operator.
    Operator,
    /// A business, by a token or a session of its own.
    Business(Id),
    /// Whoever delivers pushes to a business, proven or not.
    Hook(Id),
}

/// Who is to read an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reader {
    Known(Account),
    Stranger(Peer),
}

/// What is under way.
#[derive(Debug)]
pub struct Traffic {
    requests: Arc<Shares<Account>>,
    bodies: Arc<Shares<Account>>,
    pub(crate) answers: Arc<Shares<Reader>>,
    writes: Arc<Semaphore>,
    writes_most: Shared,
    writes_each: HeldByName<Id, Semaphore>,
    reads_each: HeldByName<Id, Semaphore>,
    refusals: DefaultDirectRateLimiter,
    paused: Semaphore,
    parsing: Arc<Semaphore>,
    /// What is counted of it.
    pub(crate) meters: Meters,
}

impl Default for Traffic {
    fn default() -> Traffic {
        Traffic::new(&Limits::default())
    }
}

impl Traffic {
    /// Nothing under way, within these limits.
    pub fn new(limits: &Limits) -> Traffic {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Traffic {
            requests: Shares::new(limits.requests),
            bodies: Shares::new(limits.bodies),
            answers: Shares::new(limits.answers),
            writes: Arc::new(Semaphore::new(limits.writes.all)),
            writes_most: limits.writes,
            writes_each: HeldByName::default(),
            reads_each: HeldByName::default(),
            refusals: RateLimiter::direct(Quota::per_second(REFUSALS_AT_ONCE_PER_SECOND)),
            paused: Semaphore::new(REFUSALS_PAUSED_MAX),
            parsing: Arc::new(Semaphore::new(cores)),
            meters: Meters::default(),
        }
    }

    /// Sets other limits, for what comes from now on. How many writes are worked on stays as it was at the start.
    pub fn bound(&self, limits: &Limits) {
        self.requests.bound(limits.requests);
        self.bodies.bound(limits.bodies);
        self.answers.bound(limits.answers);
    }
}

/// A place among the writes that are worked on.
#[derive(Debug)]
pub(crate) struct Writing {
    _whole: OwnedSemaphorePermit,
    _own: OwnedSemaphorePermit,
}

impl Traffic {
    /// What a request is told of its bounds, and keeps its shares in.
    pub(crate) fn passage(&self, limits: Limits) -> Passage {
        Passage(Arc::new(Inner {
            limits,
            body_max: OnceLock::new(),
            requests: Arc::clone(&self.requests),
            bodies: Arc::clone(&self.bodies),
            parsing: Arc::clone(&self.parsing),
            held: Mutex::default(),
        }))
    }

    /// Waits for a place to write, first among the business's own, which are few. Whoever waits has no connection to the store.
    ///
    /// # Errors
    /// 503 past [`WRITE_WAIT_MAX_SECONDS`].
    pub(crate) async fn write(&self, business: &Id) -> Result<Writing, Problem> {
        let own = self.writes_each.get_or_make(business.clone(), || Semaphore::new(self.writes_most.each));
        let both = async {
            let own = own.acquire_owned().await.ok()?;
            let whole = Arc::clone(&self.writes).acquire_owned().await.ok()?;
            Some(Writing { _whole: whole, _own: own })
        };
        let waited = tokio::time::timeout(Duration::from_secs(WRITE_WAIT_MAX_SECONDS), both).await;
        waited.ok().flatten().ok_or_else(|| CoreError::Busy("too many writes are under way").into())
    }
}

impl Traffic {
    /// Waits for a place to read among the business's own, so that what one reads is never a long line before what another does.
    ///
    /// # Errors
    /// 503 past [`WRITE_WAIT_MAX_SECONDS`].
    pub(crate) async fn read(&self, business: &Id) -> Result<OwnedSemaphorePermit, Problem> {
        let own = self.reads_each.get_or_make(business.clone(), || Semaphore::new(READS_MAX_PER_BUSINESS));
        let waited = tokio::time::timeout(Duration::from_secs(WRITE_WAIT_MAX_SECONDS), own.acquire_owned()).await;
        waited.ok().and_then(Result::ok).ok_or_else(|| CoreError::Busy("too many reads are under way").into())
    }

    /// Has a refusal of too much wait where there were many just now: whoever asks again at once costs others less.
    pub(crate) async fn pause(&self) {
        if self.refusals.check().is_ok() {
            return;
        }
        if let Ok(_place) = self.paused.try_acquire() {
            tokio::time::sleep(Duration::from_millis(REFUSAL_PAUSE_MS)).await;
        }
    }
}

/// A request's way in. Whoever it turns out to come from, it is counted as theirs, with its body, until it is answered.
#[derive(Clone, Debug)]
pub(crate) struct Passage(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limits: Limits,
    body_max: OnceLock<usize>,
    requests: Arc<Shares<Account>>,
    bodies: Arc<Shares<Account>>,
    parsing: Arc<Semaphore>,
    held: Mutex<Option<Held>>,
}

#[derive(Debug)]
struct Held {
    _request: Share<Account>,
    body: Option<Share<Account>>,
    account: Account,
}

impl Passage {
    /// The passage of a request, which the router gave it.
    pub(crate) fn of(extensions: &Extensions) -> Result<Passage, Problem> {
        let lost = || CoreError::Internal("a request has no passage".to_owned());
        extensions.get::<Passage>().cloned().ok_or_else(lost).map_err(Problem::from)
    }

    fn held(&self) -> MutexGuard<'_, Option<Held>> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Longest body, in bytes.
    pub(crate) fn body_max(&self) -> usize {
        self.0.body_max.get().copied().unwrap_or(BODY_MAX_BYTES)
    }

    /// Says how long its body may be, in bytes; the first to say so is heard.
    pub(crate) fn bound_body(&self, most: usize) {
        self.0.body_max.get_or_init(|| most);
    }

    /// Whose the request is, as far as that is known.
    pub(crate) fn account(&self) -> Option<Account> {
        self.held().as_ref().map(|held| held.account.clone())
    }

    /// A place among those who parse beside the threads that serve.
    pub(crate) async fn parsing(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.parsing).acquire_owned().await.ok()
    }

    /// Counts the request as this one's.
    ///
    /// # Errors
    /// 503 where they, or all, have too many under way.
    pub(crate) fn enter(&self, account: Account) -> Result<(), Problem> {
        let mut held = self.held();
        if held.is_some() {
            return Ok(());
        }
        let request = self.0.requests.take(&account, 1).ok_or(CoreError::Busy("too many requests are under way"))?;
        *held = Some(Held { _request: request, body: None, account });
        Ok(())
    }

    /// Counts more of its body.
    ///
    /// # Errors
    /// 503 where bodies take too much memory.
    pub(crate) fn keep(&self, bytes: usize) -> Result<(), Problem> {
        let busy = || Problem::from(CoreError::Busy("too many bodies are under way"));
        let mut held = self.held();
        let held = held.as_mut().ok_or_else(|| CoreError::Internal("a body is read of nobody".to_owned()))?;
        match &mut held.body {
            Some(share) => share.grow(bytes).then_some(()).ok_or_else(busy),
            none => {
                *none = Some(self.0.bodies.take(&held.account, bytes).ok_or_else(busy)?);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::limits::{BODIES_MAX_BYTES_PER_BUSINESS, REQUESTS_MAX_PER_BUSINESS, WRITES_MAX_PER_BUSINESS};

    fn business(name: &str) -> Id {
        Id::named(name.to_owned())
    }

    #[test]
    fn one_businesss_requests_and_bodies_leave_the_others_theirs() {
        let traffic = Traffic::default();
        let enter = |name: &str| {
            let passage = traffic.passage(Limits::default());
            passage.enter(Account::Business(business(name))).map(|()| passage)
        };
        let busy: Vec<_> = (0..REQUESTS_MAX_PER_BUSINESS).map(|_| enter("busy").unwrap()).collect();
        assert_eq!(enter("busy").unwrap_err().code, "BUSY");
        let other = enter("other").unwrap();
        let first = busy.first().unwrap();
        assert!(first.keep(BODIES_MAX_BYTES_PER_BUSINESS).is_ok() && first.keep(1).is_err() && other.keep(1).is_ok());
        drop((busy, other));
        assert_eq!((traffic.requests.taken(), traffic.bodies.taken()), (0, 0));
    }

    #[tokio::test]
    async fn one_business_waits_for_its_own_reads_and_another_does_not() {
        let traffic = Traffic::default();
        let (one, other) = (business("one"), business("other"));
        let mut reading = Vec::new();
        for _ in 0..READS_MAX_PER_BUSINESS {
            reading.push(traffic.read(&one).await.unwrap());
        }
        let moment = Duration::from_millis(50);
        assert!(tokio::time::timeout(moment, traffic.read(&one)).await.is_err(), "it waits for its own");
        assert!(tokio::time::timeout(moment, traffic.read(&other)).await.is_ok());
        reading.pop();
        assert!(tokio::time::timeout(moment, traffic.read(&one)).await.is_ok());
    }

    #[tokio::test]
    async fn the_first_refusals_are_answered_at_once_and_further_ones_wait() {
        let traffic = Traffic::default();
        let at_once = Duration::from_millis(REFUSAL_PAUSE_MS / 2);
        let mut waited = 0;
        let most = REFUSALS_AT_ONCE_PER_SECOND.get() + 3;
        for _ in 0..most {
            waited += u32::from(tokio::time::timeout(Duration::ZERO, traffic.pause()).await.is_err());
        }
        assert!((1..=3).contains(&waited), "{waited} of {most} waited");
        // Where too many wait already, there is no more waiting.
        let _all = traffic.paused.acquire_many(u32::try_from(REFUSALS_PAUSED_MAX).unwrap()).await.unwrap();
        for _ in 0..most {
            assert!(tokio::time::timeout(at_once, traffic.pause()).await.is_ok());
        }
    }

    #[tokio::test]
    async fn one_business_waits_for_its_own_writes_and_another_does_not() {
        let traffic = Traffic::default();
        let (one, other) = (business("one"), business("other"));
        let mut writing = Vec::new();
        for _ in 0..WRITES_MAX_PER_BUSINESS {
            writing.push(traffic.write(&one).await.unwrap());
        }
        let moment = Duration::from_millis(50);
        assert!(tokio::time::timeout(moment, traffic.write(&one)).await.is_err());
        drop(traffic.write(&other).await.unwrap());
        drop(writing.pop());
        assert!(tokio::time::timeout(moment, traffic.write(&one)).await.is_ok());
    }
}
