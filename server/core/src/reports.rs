//! Commit statuses: what they are to say is kept in the transaction that decided it, and sent afterwards, at least once.

use crate::core::Core;
use crate::error::CoreError;
use crate::push_texts::line;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use svc_store::records::{Id, Push, ReportState, StatusReport};
use svc_store::{Connection, Mode, Store, Tx};

/// What the status of a build is called.
pub const BUILD_CONTEXT: &str = "svc/build";
/// What the status of a publication is called.
pub const PUBLISH_CONTEXT: &str = "svc/publish";
/// How long a server has to send a status, in seconds.
const LEASE_SECONDS: i64 = 15;
/// Statuses of one business that are sent at once: a slow forge holds up its own business alone.
const AT_ONCE_PER_BUSINESS: u32 = 4;
/// How often a status is tried, with pauses that double: about two hours.
pub const ATTEMPTS_MAX: u32 = 20;

/// Has the status of a push's commit say something.
pub(crate) async fn say<C: Connection>(
    tx: &mut Tx<C>,
    push: &Push,
    context: &str,
    (state, text): (ReportState, &str),
    now: Timestamp,
) -> Result<(), CoreError> {
    let about = (push.commit.as_str(), Some(push.build.clone()));
    say_of(tx, &push.business, about, context, (state, text), now).await
}

/// Has the status of a commit say something.
pub(crate) async fn say_of<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    (commit, build): (&str, Option<Id>),
    context: &str,
    (state, text): (ReportState, &str),
    now: Timestamp,
) -> Result<(), CoreError> {
    let (business, commit, context) = (business.clone(), commit.to_owned(), context.to_owned());
    let (description, revision, attempts, trace) = (line(text), 0, 0, None);
    let report = StatusReport { business, commit, context, build, state, description, revision, attempts, trace };
    Ok(tx.report(&report, now).await?)
}

impl<S: Store> Core<S> {
    /// Waits until a status is to be sent, for `at_most`.
    pub async fn queued_report(&self, at_most: Duration) {
        let _woken = tokio::time::timeout(at_most, self.signals.reported.notified()).await;
    }

    /// Takes a status that is due and that nobody sends: of the business with the fewest under way, the oldest.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn take_report(&self, now: Timestamp) -> Result<Option<StatusReport>, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let lease = now.checked_add(SignedDuration::from_secs(LEASE_SECONDS));
                let leased_until = lease.map_err(|error| CoreError::Internal(error.to_string()))?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let found = tx.take_report(now, leased_until, AT_ONCE_PER_BUSINESS).await?;
                tx.commit().await?;
                Ok(found)
            })
        })
        .await
    }

    /// Notes that a status was sent. Where it has something newer to say by now, that is still to be sent.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn report_is_sent(&self, report: &StatusReport) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                tx.report_is_sent(report).await?;
                tx.commit().await?;
                self.signals.reported.notify_one();
                Ok(())
            })
        })
        .await
    }

    /// Leaves a status for later, or gives it up where `due_at` is nothing.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn report_is_unsent(
        &self,
        report: &StatusReport,
        due_at: Option<Timestamp>,
        why: &str,
    ) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                match due_at {
                    Some(due_at) => tx.postpone_report(report, due_at).await?,
                    None => tx.give_report_up(report, &line(why)).await?,
                }
                tx.commit().await?;
                Ok(())
            })
        })
        .await
    }
}
