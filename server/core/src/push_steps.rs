//! What is done for a push beside building it: its commit is fetched before, and afterwards its build is published, or compared with
//! what is published. Each step is taken under a lease, so that it is done though servers are killed.

use crate::businesses;
use crate::core::Core;
use crate::error::CoreError;
use crate::push_texts::{bills, effect, failure, line, success};
use crate::pushes::superseded_by;
use crate::releases::{Candidate, Published};
use crate::reports::{BUILD_CONTEXT, PUBLISH_CONTEXT, say};
use crate::what_if::WhatIfPeriod;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use svc_engine::sources::Sources;
use svc_store::records::{BuildResult, DeliveryOutcome, Progress, Push, PushOutcome, Release, ReportState};
use svc_store::{Connection, Mode, Store, Tx};

/// How long a server has for a step, in seconds; longer than a fetch may take.
const LEASE_SECONDS: i64 = 30;
/// How long a step compares bills at most, in seconds: well within its lease.
const COMPARE_MAX_SECONDS: u64 = 10;
/// Steps of one business that are done at once: a slow forge holds up its own business alone.
const AT_ONCE_PER_BUSINESS: u32 = 4;
/// What is said of a push that another one passed by while it was published.
const LATE: &str = "superseded by a newer push that is published";
/// What is said of a push that was built upon another release twice in vain.
const MOVED_TWICE: &str =
    "another release was activated meanwhile, and again after it was built anew; push again, or use `svc publish`";
/// What is said of a push whose source is gone.
const HOMELESS: &str = "the business's source was taken away";
/// How often a push is built again since another release was activated meanwhile.
const REBUILDS_MAX: u32 = 1;

/// Where the forge says that a branch stands, seen from a push of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// At the push's commit, or at one that asked not to be built.
    Here,
    /// At this other commit.
    At(String),
    /// There is no such branch any more.
    Gone,
}

/// What a push is to make of where its branch stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It is so.
    Sure(Head),
    /// It may not be: the forge's answer is an old one, or the delivery that tells of it is on its way. Later it is.
    Doubtful(Head),
}

/// What a push came to, and what is said of it.
struct Verdict {
    outcome: PushOutcome,
    summary: String,
    build: (ReportState, String),
    publish: (ReportState, String),
}

impl<S: Store> Core<S> {
    /// Waits until a push has a step to do, for `at_most`.
    pub async fn queued_push(&self, at_most: Duration) {
        let _woken = tokio::time::timeout(at_most, self.signals.pushed.notified()).await;
    }

    /// Takes a push whose next step is due and that nobody works on: of the business with the fewest steps under way, the oldest.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn take_push(&self, now: Timestamp) -> Result<Option<Push>, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let lease = now.checked_add(SignedDuration::from_secs(LEASE_SECONDS));
                let leased_until = lease.map_err(|error| CoreError::Internal(error.to_string()))?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let found = tx.take_push(now, leased_until, AT_ONCE_PER_BUSINESS).await?;
                tx.commit().await?;
                Ok(found)
            })
        })
        .await
    }

    /// Leaves a push's step for later.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn postpone_push(&self, push: &Push, due_at: Timestamp) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                tx.postpone_push(&push.business, &push.build, due_at).await?;
                tx.commit().await?;
                Ok(())
            })
        })
        .await
    }

    /// Lets a push's build into the queue, with the files of its commit.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn push_is_fetched(&self, push: &Push, files: &Sources) -> Result<(), CoreError> {
        let files = &serde_json::to_string(files).map_err(|error| CoreError::Internal(error.to_string()))?;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                if tx.fill_build(&push.build, files.clone()).await? {
                    tx.push_is_fetched(&push.business, &push.build).await?;
                }
                tx.commit().await?;
                self.signals.queued.notify_one();
                Ok(())
            })
        })
        .await
    }

    /// Whether it must be known where the branch stands before a push's build is published.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn needs_head(&self, push: &Push) -> Result<bool, CoreError> {
        let build = self.find_build(&push.business, &push.build).await?;
        Ok(push.publishes && matches!(&build.progress, Progress::Ended(result) if result.ir.is_some()))
    }

    /// What a push is to make of where the forge says that its branch stands.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn judge_head(&self, push: &Push, stands_at: Option<String>) -> Result<Judged, CoreError> {
        let Some(commit) = stands_at else { return Ok(Judged::Sure(Head::Gone)) };
        if commit == push.commit {
            return Ok(Judged::Sure(Head::Here));
        }
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        Ok(match tx.moved_to(&push.business, &push.branch, &commit).await? {
            Some((DeliveryOutcome::Skipped, _)) => Judged::Sure(Head::Here),
            Some((_, Some(position))) if position > push.position => Judged::Sure(Head::At(commit)),
            Some(_) | None => Judged::Doubtful(Head::At(commit)),
        })
    }

    /// Publishes a push's build, or compares it with what is published, and says so. `head` is where the branch stands, as
    /// [`Core::needs_head`] asks for: what it does not stand at is not published.
    ///
    /// # Errors
    /// [`CoreError::Store`]; then the step is still to be done.
    pub async fn conclude_push(&self, push: &Push, head: Option<&Head>, now: Timestamp) -> Result<(), CoreError> {
        let build = self.find_build(&push.business, &push.build).await?;
        let Progress::Ended(result) = build.progress else {
            return Err(CoreError::Internal("a push's build has not ended".to_owned()));
        };
        let verdict = match (&result.ir, head) {
            (None, _) => failed(&result),
            (Some(_), None) if !push.publishes => self.compare(push, &result, now).await?,
            (Some(_), None) => {
                refused(&result, "the forge did not say where the branch stands; push again, or use `svc publish`")
            }
            (Some(_), Some(Head::Gone)) => passed_by(&result, "the branch is gone".to_owned()),
            (Some(_), Some(Head::At(commit))) => passed_by(&result, superseded_by(commit)),
            (Some(_), Some(Head::Here)) => match self.publish_push(push, &result, now).await? {
                Some(verdict) => verdict,
                None => return Ok(()),
            },
        };
        self.again(|| {
            Box::pin(async {
                let mut tx = self.store.begin(Mode::Write).await?;
                settle(&mut tx, push, &verdict, now).await?;
                tx.commit().await?;
                self.signals.reported.notify_one();
                Ok(())
            })
        })
        .await
    }

    /// Says what publishing would change.
    async fn compare(&self, push: &Push, result: &BuildResult, now: Timestamp) -> Result<Verdict, CoreError> {
        let preview = match self.preview_publish(&push.business, &push.build, now).await {
            Ok(preview) => preview,
            Err(CoreError::Invalid { message, .. }) => return Ok(refused(result, &message)),
            Err(error) => return Err(error),
        };
        let bills = self.compare_bills(push, now).await?;
        let summary = format!("{}; {bills}publishing would change {}", success(result), effect(&preview));
        let build = (ReportState::Success, summary.clone());
        Ok(Verdict { outcome: PushOutcome::Compared, publish: build.clone(), build, summary })
    }

    /// What publishing would do to the last period's bills, as far as that is known in time; nothing where nobody has one.
    async fn compare_bills(&self, push: &Push, now: Timestamp) -> Result<String, CoreError> {
        let period = WhatIfPeriod::LastPeriod;
        let compared = self.what_if(&push.business, &push.build, period, None, now);
        match tokio::time::timeout(Duration::from_secs(COMPARE_MAX_SECONDS), compared).await {
            Ok(compared) => Ok(bills(&compared?)),
            Err(_) => Ok("the bills are too many to compare here; ".to_owned()),
        }
    }

    /// Publishes. Returns a verdict where that was not to be, and nothing where all is done, or is to be done again.
    async fn publish_push(
        &self,
        push: &Push,
        result: &BuildResult,
        now: Timestamp,
    ) -> Result<Option<Verdict>, CoreError> {
        let prepared = async {
            let preview = self.preview_publish(&push.business, &push.build, now).await?;
            Ok((preview, self.candidate(&push.business, &push.build).await?))
        };
        let (preview, candidate) = match prepared.await {
            Ok(prepared) => prepared,
            Err(CoreError::Invalid { message, .. }) => return Ok(Some(refused(result, &message))),
            Err(error) => return Err(error),
        };
        let (effect, candidate) = (&effect(&preview), &candidate);
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                match self.publish_in(&mut tx, push, candidate.clone(), now).await? {
                    Publication::Done(published) => {
                        settle(&mut tx, push, &done(result, &published, effect), now).await?;
                    }
                    Publication::Again | Publication::Settled => {}
                    Publication::Late => return Ok(Some(passed_by(result, LATE.to_owned()))),
                    Publication::Moved => return Ok(Some(refused(result, MOVED_TWICE))),
                    Publication::Homeless => return Ok(Some(refused(result, HOMELESS))),
                }
                tx.commit().await?;
                self.signals.pushed.notify_one();
                self.signals.reported.notify_one();
                Ok(None)
            })
        })
        .await
    }

    // INVARIANT 19: no push is published after a newer one of its source.
    /// Publishes in a transaction, where that is still to be.
    async fn publish_in(
        &self,
        tx: &mut Tx<S::Connection>,
        push: &Push,
        candidate: Candidate,
        now: Timestamp,
    ) -> Result<Publication, CoreError> {
        let Some(source) = tx.lock_source(&push.business).await? else { return Ok(Publication::Homeless) };
        businesses::lock_business(tx, &push.business).await?;
        if tx.lock_push(&push.business, &push.build).await?.is_none_or(|known| known.outcome.is_some()) {
            return Ok(Publication::Settled);
        }
        if source.published_position > push.position {
            return Ok(Publication::Late);
        }
        let active = tx.active_release(&push.business).await?;
        let active_hash = active.as_ref().map(|active| active.ir_hash.clone());
        let moved = !candidate.is(active.as_ref()) && active_hash != candidate.base_hash;
        if moved && !is_of_older_push(tx, push, active.as_ref()).await? {
            if push.rebuilds >= REBUILDS_MAX {
                return Ok(Publication::Moved);
            }
            // A build is a function of its files (invariant 3): building again gives the same IR, on another base.
            tx.rebase_build(&push.build, active_hash).await?;
            tx.count_rebuild(&push.business, &push.build, now).await?;
            return Ok(Publication::Again);
        }
        let published = self.activate(tx, &push.business, candidate, active, now).await?;
        tx.note_published(&push.business, push.position).await?;
        Ok(Publication::Done(published))
    }
}

/// How publishing a push's build went.
enum Publication {
    /// This release is active.
    Done(Published),
    /// It was done with before, by a server whose lease was over.
    Settled,
    /// Another release was activated since the build; it is built again.
    Again,
    /// The same once more.
    Moved,
    /// A newer push is published.
    Late,
    /// There is no source any more.
    Homeless,
}

/// Whether a release is of an older push: what came after that in git may take its place.
async fn is_of_older_push<C: Connection>(
    tx: &mut Tx<C>,
    push: &Push,
    active: Option<&Release>,
) -> Result<bool, CoreError> {
    let Some(active) = active else { return Ok(false) };
    let by = tx.push(&push.business, &active.build).await?;
    Ok(by.is_some_and(|by| by.position < push.position))
}

/// Notes what a push came to, and has its commit's statuses say so.
async fn settle<C: Connection>(
    tx: &mut Tx<C>,
    push: &Push,
    verdict: &Verdict,
    now: Timestamp,
) -> Result<(), CoreError> {
    let known = tx.lock_push(&push.business, &push.build).await?;
    if known.is_none_or(|known| known.outcome.is_some()) {
        return Ok(());
    }
    tx.conclude_push(&push.business, &push.build, verdict.outcome, &line(&verdict.summary)).await?;
    say(tx, push, BUILD_CONTEXT, (verdict.build.0, &verdict.build.1), now).await?;
    if push.publishes {
        say(tx, push, PUBLISH_CONTEXT, (verdict.publish.0, &verdict.publish.1), now).await?;
    }
    Ok(())
}

/// A build that is the active release now.
fn done(result: &BuildResult, published: &Published, effect: &str) -> Verdict {
    let summary = if published.unchanged {
        format!("{} is active already", published.release_id)
    } else {
        format!("published: {effect}")
    };
    let (build, publish) = ((ReportState::Success, success(result)), (ReportState::Success, summary.clone()));
    Verdict { outcome: PushOutcome::Published, summary, build, publish }
}

fn failed(result: &BuildResult) -> Verdict {
    let state = if result.failure.is_some() { ReportState::Error } else { ReportState::Failure };
    let summary = failure(result);
    let publish = (ReportState::Failure, "not published: the build failed".to_owned());
    Verdict { outcome: PushOutcome::Failed, build: (state, summary.clone()), publish, summary }
}

/// A good build that could not be published.
fn refused(result: &BuildResult, why: &str) -> Verdict {
    let publish = (ReportState::Failure, format!("not published: {why}"));
    let build = (ReportState::Success, success(result));
    Verdict { outcome: PushOutcome::Refused, build, summary: publish.1.clone(), publish }
}

/// A good build that is no longer wanted.
fn passed_by(result: &BuildResult, why: String) -> Verdict {
    let build = (ReportState::Success, success(result));
    Verdict { outcome: PushOutcome::Superseded, build, publish: (ReportState::Superseded, why.clone()), summary: why }
}
