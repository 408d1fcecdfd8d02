//! Credits that an operator gives beside a plan's own.

use super::error::CoreError;
use super::model::Id;
use super::{Core, new_id, settlement};
use crate::store::{Mode, Store, Tx};
use jiff::Timestamp;
use svc_engine::manifest::ir::GrantKind;
use svc_engine::money::amount::Cents;
use svc_engine::money::funding::Bucket;

/// A credit to give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    /// Who gets it.
    pub subject: String,
    /// How much, in cents.
    pub amount: Cents,
    /// Where it comes from.
    pub kind: GrantKind,
    /// Days it lives; for ever unless given.
    pub expires_after_days: Option<u32>,
}

impl<S: Store> Core<S> {
    /// Gives a credit to a subject's live subscription.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] without a live subscription; [`CoreError::Invalid`] for an expiry beyond the calendar.
    pub async fn give_credit(&self, business: &Id, credit: Credit, now: Timestamp) -> Result<Bucket, CoreError> {
        let mut tx = self.store.begin(Mode::Write).await?;
        let found = tx.live_subscription(business, &credit.subject).await?;
        let subscription = found.ok_or(CoreError::NotFound("the subject has no live subscription"))?;
        let period = settlement::period(&subscription, now)?;
        let expires_at = credit.expires_after_days.map(|days| settlement::days_after(now, days)).transpose()?;
        let bucket = settlement::new_bucket(
            new_id("bkt", now).to_string(),
            credit.kind,
            credit.amount.nanos(),
            expires_at,
            None,
        );
        settlement::put_granted(&mut tx, &subscription, period, &bucket, now).await?;
        tx.commit().await?;
        Ok(bucket)
    }
}
