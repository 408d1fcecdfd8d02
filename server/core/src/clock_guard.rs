//! The database's clock is the authority. A server whose own clock is apart from it writes nothing: what time does to money can't be taken
//! back.

use crate::core::Clock;
use jiff::{SignedDuration, Timestamp};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use svc_store::{Connections, Mode, Store, StoreError, StoreResult, Tx};

/// How far apart a server's clock and the database's may be, in milliseconds.
pub const SKEW_MAX_MS: i64 = 2_000;

/// An answer that took longer than this says nothing of the time.
const ANSWER_MAX: Duration = Duration::from_secs(1);
/// How long nothing is written after the clock was seen to be apart: as long as a request that read it then may wait before it writes.
const MISTRUST: Duration = Duration::from_secs(60);

/// A clock that nobody sets: the time since some moment, also while the machine sleeps.
pub type SteadyClock = dyn Fn() -> Duration + Send + Sync;

/// Knows how far a server's clock is from the database's, at every moment, without asking each time: what the database said last, and what a
/// steady clock counted since.
pub struct ClockGuard {
    clock: Arc<Clock>,
    steady: Arc<SteadyClock>,
    /// What the database said, and the steady clock then.
    known: Mutex<Option<(Timestamp, Duration)>>,
    /// When the clock was seen to be apart last, by the steady clock.
    seen_apart: Mutex<Option<Duration>>,
}

impl ClockGuard {
    /// A guard of the server's clock, which knows nothing of the database's yet.
    pub fn new(clock: Arc<Clock>, steady: Arc<SteadyClock>) -> ClockGuard {
        ClockGuard { clock, steady, known: Mutex::new(None), seen_apart: Mutex::new(None) }
    }

    /// Asks the database for the time. One that has no clock of its own is the machine's: there the server's clock is held against what it
    /// said before, so that it is seen where it is set.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer; what it said before stands.
    pub async fn ask(&self, store: &impl Store) -> StoreResult<()> {
        let before = (self.steady)();
        let told = store.now().await?;
        let after = (self.steady)();
        // Who waited long for the answer does not know when it was given.
        if after.saturating_sub(before) > ANSWER_MAX {
            return Ok(());
        }
        match told {
            // It looked at its clock somewhere between.
            Some(told) => self.note(told, before.saturating_add(after) / 2),
            None if !self.is_apart() => self.note((self.clock)(), after),
            None => {}
        }
        Ok(())
    }

    fn note(&self, told: Timestamp, at: Duration) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some((told, at));
    }

    /// How far the server's clock is ahead of the database's; nothing before it was asked.
    pub fn skew(&self) -> Option<SignedDuration> {
        let known = *self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (told, at) = known?;
        let passed = SignedDuration::try_from((self.steady)().saturating_sub(at)).ok()?;
        let authority = told.checked_add(passed).ok()?;
        Some((self.clock)().duration_since(authority))
    }

    /// Whether the server's clock is too far from the database's now.
    pub fn is_apart(&self) -> bool {
        let is_apart = self.skew().is_some_and(|skew| skew.abs() > SignedDuration::from_millis(SKEW_MAX_MS));
        if is_apart {
            *self.seen_apart.lock().unwrap_or_else(PoisonError::into_inner) = Some((self.steady)());
        }
        is_apart
    }

    /// Whether something may be written: the clock is right, and was since whoever writes may have read it.
    pub fn trusts(&self) -> bool {
        if self.is_apart() {
            return false;
        }
        let seen = *self.seen_apart.lock().unwrap_or_else(PoisonError::into_inner);
        seen.is_none_or(|seen| (self.steady)().saturating_sub(seen) > MISTRUST)
    }
}

/// How far before the moment at which a file was last worked with a server's clock may stand, in seconds.
const BACK_MAX_SECONDS: i64 = 60;
/// How far after it, in days: a server that rested for longer is started by somebody who says that the clock is right.
const AHEAD_MAX_DAYS: i64 = 31;

/// Whether a start at `now` fits when a database without a clock of its own was last worked with; a sentence where it does not.
///
/// # Errors
/// [`StoreError::Clock`], where not `trusted`; [`StoreError`] where the database does not answer.
pub async fn check_start(store: &impl Store, now: Timestamp, trusted: bool) -> StoreResult<()> {
    if let Some(last) = store.last_worked().await?.filter(|_| !trusted) {
        let away = now.duration_since(last);
        if away < SignedDuration::from_secs(-BACK_MAX_SECONDS) {
            return Err(StoreError::Clock(format!(
                "the clock says {now}, but the file was worked with at {last}, which is later"
            )));
        }
        if away > SignedDuration::from_hours(AHEAD_MAX_DAYS * 24) {
            let days = away.as_hours() / 24;
            return Err(StoreError::Clock(format!(
                "the clock says {now}, {days} days after the file was last worked with, at {last}"
            )));
        }
    }
    store.note_work(now).await
}

/// A store that takes no writes while the server's clock is apart from its own.
#[derive(Clone)]
pub struct Guarded<S> {
    store: S,
    guard: Arc<ClockGuard>,
}

impl<S> Guarded<S> {
    /// The store behind the guard.
    pub fn new(store: S, guard: Arc<ClockGuard>) -> Guarded<S> {
        Guarded { store, guard }
    }
}

impl<S: Store> Store for Guarded<S> {
    type Connection = S::Connection;

    async fn begin(&self, mode: Mode) -> StoreResult<Tx<S::Connection>> {
        if mode == Mode::Write && !self.guard.trusts() {
            let skew = self.guard.skew().unwrap_or_default().as_millis();
            return Err(StoreError::Clock(format!(
                "this server's clock is, or was just now, apart from the database's: {skew} ms ahead"
            )));
        }
        self.store.begin(mode).await
    }

    async fn last_worked(&self) -> StoreResult<Option<Timestamp>> {
        self.store.last_worked().await
    }

    async fn note_work(&self, now: Timestamp) -> StoreResult<()> {
        // A clock that is apart is not what the next start is held against.
        if !self.guard.trusts() { Ok(()) } else { self.store.note_work(now).await }
    }

    fn is_writable(&self) -> bool {
        self.store.is_writable()
    }

    fn connections(&self) -> Option<Connections> {
        self.store.connections()
    }

    async fn check(&self) -> StoreResult<()> {
        self.store.check().await
    }

    async fn now(&self) -> StoreResult<Option<Timestamp>> {
        self.store.now().await
    }
}
