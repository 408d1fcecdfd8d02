//! What the service does by itself as time passes: subscriptions are settled, and periods closed where the operator asks for it. It gives
//! what settling lazily and closing by hand give; it only sees to it that nobody need come by.

use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use crate::invoices::{self, Closing};
use jiff::{SignedDuration, Timestamp};
use svc_store::records::Id;
use svc_store::{Mode, Store};

/// The name of the job's lease.
const LEASE: &str = "due work";
/// How long a server has the job for itself, in seconds from the pass's beginning. A longer pass goes on until another server takes the job,
/// and ends at its next page; what it has done stands.
const LEASE_SECONDS: i64 = 600;

/// What a pass did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DueWork {
    /// Subscriptions that were settled.
    pub settled: u64,
    /// Invoices and credit notes that were made.
    pub closed: u64,
}

impl<S: Store> Core<S> {
    /// Settles, over all businesses, the subscriptions for which something is due, and closes the periods that ended at least
    /// `close_after` ago; none where that is nothing. One server at a time does it, a subscription at a time, each in a transaction of its
    /// own; one that fails is logged and left for the next pass. Returns nothing where another server is at it.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn do_due_work(
        &self,
        close_after: Option<SignedDuration>,
        now: Timestamp,
    ) -> Result<Option<DueWork>, CoreError> {
        let beyond = |error: jiff::Error| CoreError::Internal(error.to_string());
        let ended_by = close_after.map(|after| now.checked_sub(after)).transpose().map_err(beyond)?;
        let leased_until = now.checked_add(SignedDuration::from_secs(LEASE_SECONDS)).map_err(beyond)?;
        let owner = new_id("job", now);
        let (mut done, mut last) = (DueWork::default(), Id::named(""));
        loop {
            let Some(due) = self.due_page(&owner, &last, (now, ended_by, leased_until)).await? else {
                return Ok((done != DueWork::default()).then_some(done));
            };
            let Some((_, newest)) = due.last() else { break };
            last = newest.clone();
            for (business, id) in &due {
                let closing = Closing { dry_run: false, ended_by: ended_by.unwrap_or(Timestamp::MIN), now };
                match self.close_one(business, id, closing).await {
                    Ok(closed) => {
                        done.settled = done.settled.saturating_add(1);
                        done.closed = done.closed.saturating_add(closed);
                    }
                    Err(error) => tracing::error!(%error, subscription = %id, "due work is not done"),
                }
            }
        }
        let owner = &owner;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                tx.end_lease(LEASE, owner).await?;
                Ok(tx.commit().await?)
            })
        })
        .await?;
        Ok(Some(done))
    }

    /// The next page of what is due, under the job's lease; nothing where another server has it. What is due is looked for outside of the
    /// transaction that takes the lease: nobody who writes waits for it.
    async fn due_page(
        &self,
        owner: &Id,
        last: &Id,
        (now, ended_by, leased_until): (Timestamp, Option<Timestamp>, Timestamp),
    ) -> Result<Option<Vec<(Id, Id)>>, CoreError> {
        let has_lease = self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                let has_lease = tx.take_lease(LEASE, owner, now, leased_until).await?;
                tx.commit().await?;
                Ok(has_lease)
            })
        });
        if !has_lease.await? {
            return Ok(None);
        }
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        Ok(Some(tx.due(last, now, ended_by, self.due_page).await?))
    }

    async fn close_one(&self, business: &Id, id: &Id, closing: Closing) -> Result<u64, CoreError> {
        let closed = self.again(move || {
            Box::pin(async move {
                let _turn = self.turn_of(business, id).await?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let closed = invoices::close(&mut tx, business, id, closing).await?;
                self.note_closed(&mut tx, business, &closed, closing.now).await?;
                tx.commit().await?;
                Ok(closed)
            })
        });
        let closed = closed.await?;
        self.counters.closed(closed.totals());
        Ok(u64::try_from(closed.invoices.len()).unwrap_or(u64::MAX))
    }
}
