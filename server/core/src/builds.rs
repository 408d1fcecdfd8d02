//! The queue of builds, as use cases: asking for one, waiting for its end, taking the next, ending it. What a build does is not
//! known here; `svc-builds` takes builds from this queue and runs them.

use crate::businesses;
use crate::core::Core;
use crate::error::CoreError;
use crate::events::{self, News};
use crate::idempotency::IdempotencyKey;
use crate::ids::new_id;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use svc_engine::sources::{self, SourceLimits, Sources};
use svc_store::records::{Build, BuildResult, Id, Progress};
use svc_store::{Connection, Mode, Store, Tx};

/// How long a server has for a build it took, in seconds, unless it extends that. After that another may take it.
pub const LEASE_SECONDS: i64 = 30;
/// How long the sources of builds that gave no IR are kept, in days.
pub const SOURCES_KEPT_DAYS: i64 = 7;
/// Of how many builds of one business they are kept.
pub const SOURCES_KEPT: u32 = 20;
/// Builds of all servers and businesses that may wait.
pub const QUEUE_MAX: u64 = 1_024;
/// Builds of one business that may wait or be under way: a part of [`QUEUE_MAX`], so that no business fills the queue.
pub const QUEUE_MAX_PER_BUSINESS: u64 = 128;
/// Characters of a commit's id: SHA-1 in hex.
const COMMIT_ID_CHARS: usize = 40;
/// First pause of someone who waits for a build of another server, in milliseconds; it doubles with each look.
const WAIT_MIN_MS: u64 = 50;
/// Longest pause of someone who waits for a build of another server, in milliseconds.
const WAIT_MAX_MS: u64 = 1_000;

impl<S: Store> Core<S> {
    /// Queues a build, noting what it means to replace. Returns its id; the same request under the same key, the same id.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Busy`]; [`CoreError::Conflict`]; [`CoreError::Store`].
    pub async fn queue_build(
        &self,
        business: &Id,
        sources: &Sources,
        commit: Option<&str>,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<Id, CoreError> {
        if commit.is_some_and(|commit| !is_commit_id(commit)) {
            return Err(CoreError::invalid("COMMIT_FORM", "a commit's id is 40 hex digits in lower case"));
        }
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                businesses::known_business(&mut tx, business).await?;
                let idempotency = IdempotencyKey::new(business, "builds".to_owned(), key, &(sources, commit))?;
                if let Some(known) = idempotency.recall(&mut tx).await? {
                    return Ok(known);
                }
                has_room(&mut tx, business).await?;
                let progress = progress(sources)?;
                let is_waiting = matches!(progress, Progress::Waiting { .. });
                let build = Build {
                    id: new_id("bld", now),
                    business: business.clone(),
                    base_hash: tx.active_release(business).await?.map(|active| active.ir_hash),
                    commit: commit.map(str::to_owned),
                    progress,
                    created_at: now,
                    trace: svc_trace::current_header(),
                };
                tx.insert_build(&build).await?;
                idempotency.remember(&mut tx, &build.id, now).await?;
                tx.commit().await?;
                if is_waiting {
                    self.signals.queued.notify_one();
                }
                Ok(build.id)
            })
        })
        .await
    }

    /// Waits until a build has ended, and returns it. A build that ends in this process wakes its waiters; one that ends on
    /// another server is found by looking, less and less often. Looking reads a flag, not the sources.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn ended_build(&self, business: &Id, id: &Id) -> Result<(Build, BuildResult), CoreError> {
        let mut pause = Duration::from_millis(WAIT_MIN_MS);
        loop {
            let ended = self.signals.ended.notified();
            tokio::pin!(ended);
            // From here on an end is not missed, whenever it comes.
            ended.as_mut().enable();
            let mut tx = self.store.begin(Mode::ReadOnce).await?;
            let is_ended = tx.build_is_ended(business, id).await?;
            drop(tx);
            if is_ended.ok_or(CoreError::NotFound("there is no such build"))? {
                let build = self.find_build(business, id).await?;
                let Progress::Ended(result) = build.progress.clone() else { continue };
                return Ok((build, result));
            }
            // Woken or not, it looks again.
            let _woken = tokio::time::timeout(pause, ended).await;
            pause = pause.saturating_mul(2).min(Duration::from_millis(WAIT_MAX_MS));
        }
    }

    /// Waits until a build is queued in this process, for `at_most`.
    pub async fn queued_build(&self, at_most: Duration) {
        let _woken = tokio::time::timeout(at_most, self.signals.queued.notified()).await;
    }

    /// Takes a build that nobody works on, for [`LEASE_SECONDS`]: of the business with the fewest builds under way, the oldest.
    /// Two servers never take the same one.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn take_build(&self, now: Timestamp) -> Result<Option<Build>, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let lease = now.checked_add(SignedDuration::from_secs(LEASE_SECONDS));
                let leased_until = lease.map_err(|error| CoreError::Internal(error.to_string()))?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let Some(build) = tx.take_build(now, leased_until).await? else { return Ok(None) };
                tx.commit().await?;
                Ok(Some(build))
            })
        })
        .await
    }

    /// Has the server that took a build for [`LEASE_SECONDS`] more, as long as it is still its to do. Returns whether it is: nobody else
    /// took it, which would be another attempt, and it has not ended.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn extend_build(&self, build: &Build, now: Timestamp) -> Result<bool, CoreError> {
        let Progress::Waiting { attempts, .. } = &build.progress else { return Ok(false) };
        self.again(move || {
            Box::pin(async move {
                let lease = now.checked_add(SignedDuration::from_secs(LEASE_SECONDS));
                let leased_until = lease.map_err(|error| CoreError::Internal(error.to_string()))?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let is_its = tx.extend_build(&build.id, *attempts, leased_until).await?;
                tx.commit().await?;
                Ok(is_its)
            })
        })
        .await
    }

    /// Gives a build back that was taken and not begun: whoever comes next takes it, and the attempt does not count.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn return_build(&self, id: &Id) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                tx.return_build(id).await?;
                tx.commit().await?;
                self.signals.queued.notify_one();
                Ok(())
            })
        })
        .await
    }

    /// Ends a build, once: whoever comes later changes nothing. `excerpts` are its diagnostics as people read them, as JSON; kept for
    /// the page of a build that a push asked for.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn end_build(
        &self,
        business: &Id,
        id: &Id,
        result: &BuildResult,
        excerpts: Option<&str>,
        now: Timestamp,
    ) -> Result<(), CoreError> {
        let ended = self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                if result.ir.is_none() {
                    tx.keep_sources(business, id, kept_until(now)?, SOURCES_KEPT).await?;
                }
                let is_ended = tx.end_build(id, result).await?;
                if is_ended {
                    events::tell(&mut tx, business, &News::of_build(id, result), now, now).await?;
                }
                let is_pushed = is_ended && tx.push_is_built(id, excerpts.map(str::to_owned), now).await?;
                tx.commit().await?;
                self.signals.ended.notify_waiters();
                if is_pushed {
                    self.signals.pushed.notify_one();
                }
                Ok(is_ended)
            })
        });
        if ended.await? {
            self.counters.build(result);
        }
        Ok(())
    }

    /// The sources of a build that gave no IR: the newest [`SOURCES_KEPT`] of a business, for [`SOURCES_KEPT_DAYS`].
    ///
    /// # Errors
    /// [`CoreError::NotFound`] where they are not kept; [`CoreError::Store`].
    pub async fn build_sources(&self, business: &Id, id: &Id, now: Timestamp) -> Result<Sources, CoreError> {
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        let kept = "the sources of this build are not kept: only those of builds that failed are, for a week, and the newest few";
        let files = tx.kept_sources(business, id, now).await?.ok_or(CoreError::NotFound(kept))?;
        serde_json::from_str(&files).map_err(|error| CoreError::Internal(error.to_string()))
    }

    /// The business's build of this id.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn find_build(&self, business: &Id, id: &Id) -> Result<Build, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        tx.build(business, id).await?.ok_or(CoreError::NotFound("there is no such build"))
    }

    /// Stores a build that was made elsewhere: publishing checks it from scratch like every other.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn keep_build(&self, business: &Id, result: BuildResult, now: Timestamp) -> Result<Build, CoreError> {
        let result = &result;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                businesses::known_business(&mut tx, business).await?;
                let base_hash = tx.active_release(business).await?.map(|active| active.ir_hash);
                let (id, business) = (new_id("bld", now), business.clone());
                let build = Build {
                    id,
                    business,
                    base_hash,
                    commit: None,
                    progress: Progress::Ended(result.clone()),
                    created_at: now,
                    trace: svc_trace::current_header(),
                };
                tx.insert_build(&build).await?;
                tx.commit().await?;
                Ok(build)
            })
        })
        .await
    }
}

fn kept_until(now: Timestamp) -> Result<Timestamp, CoreError> {
    let week = SignedDuration::from_hours(SOURCES_KEPT_DAYS * 24);
    now.checked_add(week).map_err(|error| CoreError::Internal(error.to_string()))
}

/// Fails where a business has its part of the queue, or the queue is full.
pub(crate) async fn has_room<C: Connection>(tx: &mut Tx<C>, business: &Id) -> Result<(), CoreError> {
    if tx.builds_waiting(Some(business)).await? >= QUEUE_MAX_PER_BUSINESS {
        return Err(CoreError::Busy("too many builds of this business wait already"));
    }
    if tx.builds_waiting(None).await? >= QUEUE_MAX {
        return Err(CoreError::Busy("too many builds wait already"));
    }
    Ok(())
}

/// Whether a text is what git names a commit by.
pub fn is_commit_id(text: &str) -> bool {
    text.len() == COMMIT_ID_CHARS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// How a new build begins: it waits, unless its files' names and sizes already say that it fails.
fn progress(sources: &Sources) -> Result<Progress, CoreError> {
    let text = |json: serde_json::Result<String>| json.map_err(|error| CoreError::Internal(error.to_string()));
    Ok(match sources::check(sources, &SourceLimits::default()) {
        Ok(()) => {
            Progress::Waiting { files: Some(text(serde_json::to_string(sources))?), attempts: 0, leased_until: None }
        }
        Err(problems) => Progress::Ended(BuildResult {
            ir_hash: None,
            ir: None,
            diagnostics: text(serde_json::to_string(&problems))?,
            failure: None,
        }),
    })
}
