//! What every use case needs: the store, what never changes kept in memory, and the signals of the build queue.

use crate::actor::Actor;
use crate::batches::{BATCHES_TOGETHER_MAX, BatchQueues};
use crate::cache::Cache;
use crate::counters::{Counters, Counts};
use crate::error::CoreError;
use crate::looks::Looks;
use crate::preview_memory::PreviewMemory;
use crate::push_settings::PushSettings;
use crate::signals::BuildSignals;
use crate::subject_turns::SubjectTurns;
use crate::token_memory::TokenMemory;
use jiff::Timestamp;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use svc_engine::manifest::Manifest;
use svc_store::records::Id;
use svc_store::{Store, StoreError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

// INVARIANT 9: use cases take the moment as an argument; this is for the edges.
/// What tells the time. Only `main` reads the system's clock, and hands it to the edges as this.
pub type Clock = dyn Fn() -> Timestamp + Send + Sync;

/// Everything a use case needs, in somebody's name.
#[derive(Clone, Debug)]
pub struct Core<S> {
    /// One count of references for all of it: every request has a `Core` of its own, and many processors would contend for more.
    shared: Arc<Shared<S>>,
    /// Who uses the use cases.
    pub(crate) actor: Arc<Actor>,
    /// What build on push needs.
    pub(crate) push: Arc<PushSettings>,
    /// Batches that are admitted together, at most.
    pub(crate) together: usize,
    /// Subscriptions that a pass over what is due looks at with one query.
    pub(crate) due_page: u32,
}

/// What the use cases of a process share, whoever uses them.
#[derive(Debug)]
pub struct Shared<S> {
    /// Where everything is kept.
    pub store: S,
    /// Releases' manifests, by release: they never change.
    pub(crate) manifests: Cache<Id, Arc<Manifest>>,
    /// What is remembered of tokens.
    pub(crate) tokens: TokenMemory,
    /// Previews that were shown.
    pub(crate) previews: PreviewMemory,
    /// Looks at whether they are what there is.
    pub(crate) looks: Arc<Looks>,
    /// Wakes those who wait for builds, inside this process.
    pub(crate) signals: BuildSignals,
    /// Turns at subjects.
    pub(crate) subjects: SubjectTurns,
    /// Batches of usage that wait for subjects.
    pub(crate) batches: BatchQueues,
    /// Turns at work that takes the processor for long.
    turns: Semaphore,
    /// Places for comparisons of many bills.
    comparisons: Arc<Semaphore>,
    /// Places for questions to the store of callers who are not known yet.
    strangers: Arc<Semaphore>,
    /// Transactions that were run again.
    reruns: AtomicU64,
    /// What was done.
    pub(crate) counters: Counters,
}

impl<S> Deref for Core<S> {
    type Target = Shared<S>;

    fn deref(&self) -> &Shared<S> {
        &self.shared
    }
}

/// One run of a use case. Boxed, since the compiler can't tell yet that what an async closure returns may cross threads.
pub(crate) type Run<'w, T> = Pin<Box<dyn Future<Output = Result<T, CoreError>> + Send + 'w>>;

/// How often a use case is run when the database stops its transaction.
pub(crate) const ATTEMPTS_MAX: u32 = 5;
/// Longest pause before the second run, in milliseconds; before each further one it is twice as long.
const PAUSE_MS: u64 = 8;

/// A pause of chance length before the next run.
fn pause(attempt: u32) -> Duration {
    let most = PAUSE_MS.saturating_mul(1 << attempt.min(16));
    // Without chance the whole pause: it only serves to keep two apart.
    let chance = getrandom::u64().map_or(most, |chance| chance.checked_rem(most).unwrap_or(most));
    Duration::from_millis(chance.saturating_add(1))
}

/// Subscriptions that a pass over what is due looks at with one query.
const DUE_PAGE: u32 = 200;
/// Manifests kept in memory.
const MANIFESTS_KEPT: usize = 256;
/// Pieces of long work at once.
const TURNS: usize = 2;
/// Comparisons of a business's bills at once; each may read all charges that there are.
const COMPARISONS: usize = 1;
/// Questions to the store of callers who are not known yet, at once: who guesses tokens takes no connection from those who are known.
pub const STRANGERS_MAX: usize = 4;
/// How long such a question waits for its place, in seconds.
pub const STRANGER_WAIT_MAX_SECONDS: u64 = 10;

impl<S: Store> Core<S> {
    /// Use cases over a store.
    pub fn new(store: S) -> Self {
        let shared = Shared {
            store,
            manifests: Cache::new(MANIFESTS_KEPT),
            tokens: TokenMemory::default(),
            previews: PreviewMemory::default(),
            looks: Arc::default(),
            signals: BuildSignals::default(),
            subjects: SubjectTurns::default(),
            batches: BatchQueues::default(),
            turns: Semaphore::new(TURNS),
            comparisons: Arc::new(Semaphore::new(COMPARISONS)),
            strangers: Arc::new(Semaphore::new(STRANGERS_MAX)),
            reruns: AtomicU64::default(),
            counters: Counters::default(),
        };
        Core {
            shared: Arc::new(shared),
            actor: Arc::default(),
            push: Arc::default(),
            together: BATCHES_TOGETHER_MAX,
            due_page: DUE_PAGE,
        }
    }

    /// The use cases in somebody's name: what they do is noted as theirs.
    pub fn acting(&self, actor: Actor) -> Core<S> {
        Core { actor: Arc::new(actor), ..self.clone() }
    }

    /// Batches of usage are admitted one by one: what admitting them together is compared with.
    pub fn one_by_one(self) -> Core<S> {
        Core { together: 1, ..self }
    }

    /// A pass over what is due looks at so many subscriptions with one query.
    pub fn due_in_pages_of(self, page: u32) -> Core<S> {
        Core { due_page: page.max(1), ..self }
    }

    /// Runs a use case, and runs it again, whole, where the database stopped its transaction in favour of another: nothing of it is
    /// there then. At most [`ATTEMPTS_MAX`] times, each after a pause of chance length, so that two don't meet again.
    ///
    /// # Errors
    /// What the last run says.
    pub(crate) async fn again<'w, T>(&self, work: impl Fn() -> Run<'w, T>) -> Result<T, CoreError> {
        let mut attempt = 1;
        loop {
            let ended = self.counters.tallied(work()).await;
            match ended {
                Err(CoreError::Store(StoreError::Conflict(cause))) if attempt < ATTEMPTS_MAX => {
                    tracing::info!(attempt, cause, "a transaction was stopped; it is run again");
                    self.reruns.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(pause(attempt)).await;
                    attempt += 1;
                }
                done => return done,
            }
        }
    }

    /// What was done since the process started.
    pub fn counts(&self) -> Counts {
        self.counters.now()
    }

    /// How often a transaction was run again because the database had stopped it.
    pub fn reruns(&self) -> u64 {
        self.reruns.load(Ordering::Relaxed)
    }

    /// A place for a question to the store of a caller who is not known yet. Whoever asks one more meanwhile waits without a connection.
    ///
    /// # Errors
    /// [`CoreError::Busy`] after [`STRANGER_WAIT_MAX_SECONDS`].
    pub(crate) async fn strangers_place(&self) -> Result<OwnedSemaphorePermit, CoreError> {
        let wait = Duration::from_secs(STRANGER_WAIT_MAX_SECONDS);
        let place = tokio::time::timeout(wait, Arc::clone(&self.strangers).acquire_owned()).await;
        let place = place.map_err(|_| CoreError::Busy("too many callers are yet to be known"))?;
        place.map_err(|error| CoreError::Internal(error.to_string()))
    }

    /// The place for a comparison of many bills. Whoever waits for it has no connection to the store.
    ///
    /// # Errors
    /// [`CoreError::Internal`] never in practice: the places are not taken away.
    pub(crate) async fn comparisons_place(&self) -> Result<OwnedSemaphorePermit, CoreError> {
        let place = Arc::clone(&self.comparisons).acquire_owned().await;
        place.map_err(|error| CoreError::Internal(error.to_string()))
    }

    /// Does work that takes the processor for long, such as checking an IR, on a thread of its own: whoever else is served goes on.
    ///
    /// # Errors
    /// [`CoreError::Internal`] where the work failed.
    pub(crate) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, CoreError> {
        let failed = |error: String| CoreError::Internal(format!("work on a thread of its own failed: {error}"));
        let _turn = self.turns.acquire().await.map_err(|error| failed(error.to_string()))?;
        tokio::task::spawn_blocking(work).await.map_err(|error| failed(error.to_string()))
    }
}
