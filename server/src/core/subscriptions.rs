//! Subscribing a subject to a plan, and ending it.

use super::error::CoreError;
use super::model::{Id, Subscription};
use super::{Core, businesses, new_id, releases, settlement};
use crate::store::{Inserted, Mode, Store, Tx};
use jiff::Timestamp;

impl<S: Store> Core<S> {
    /// Subscribes a subject to a plan of the active release, from `now` on.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for a plan that the active release does not
    /// have; [`CoreError::Conflict`] for a plan that takes nobody any more, or a subject that is subscribed already.
    pub async fn subscribe(
        &self,
        business: &Id,
        subject: &str,
        plan: &str,
        now: Timestamp,
    ) -> Result<Subscription, CoreError> {
        let subject = businesses::checked_name("a subject", subject)?;
        let mut tx = self.store.begin(Mode::Write).await?;
        businesses::known_business(&mut tx, business).await?;
        let unpublished = || CoreError::conflict("NO_ACTIVE_RELEASE", "the business has published nothing yet");
        let release = tx.active_release(business).await?.ok_or_else(unpublished)?;
        let stored = tx.projection(&release.id, plan).await?;
        let unknown = || CoreError::invalid("UNKNOWN_PLAN", format!("the active release has no plan {plan:?}"));
        let stored = stored.ok_or_else(unknown)?;
        let projection = releases::verified(&stored)
            .ok_or_else(|| CoreError::Internal("a projection's hash is wrong".to_owned()))?;
        if projection.plan.archive.is_some() || projection.plan.legacy {
            return Err(CoreError::conflict("PLAN_CLOSED", format!("the plan {plan:?} takes no new subscribers")));
        }
        let subscription = Subscription {
            id: new_id("sub", now),
            business: business.clone(),
            subject,
            release: release.id,
            plan: plan.to_owned(),
            plan_version: projection.version,
            recurring_fee_cents: projection.plan.recurring_fee_cents,
            interval: projection.plan.interval,
            started_at: now,
            cancelled_at: None,
            granted_period: 0,
        };
        if tx.insert_subscription(&subscription).await? == Inserted::Existing {
            return Err(CoreError::conflict("ALREADY_SUBSCRIBED", "the subject has a live subscription"));
        }
        let period = settlement::period(&subscription, now)?;
        settlement::grant_credits(&mut tx, &subscription, &projection.plan, period, now, |_| true).await?;
        tx.commit().await?;
        Ok(subscription)
    }

    /// One of the business's subscriptions.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn subscription(&self, business: &Id, id: &Id) -> Result<Subscription, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        tx.subscription(business, id).await?.ok_or(CoreError::NotFound("there is no such subscription"))
    }

    /// Ends a subscription at `now`. Ending it again changes nothing.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn cancel(&self, business: &Id, id: &Id, now: Timestamp) -> Result<Subscription, CoreError> {
        let mut tx = self.store.begin(Mode::Write).await?;
        let found = tx.subscription(business, id).await?;
        let mut subscription = found.ok_or(CoreError::NotFound("there is no such subscription"))?;
        if subscription.cancelled_at.is_none() {
            subscription.cancelled_at = Some(now);
            tx.update_subscription(&subscription).await?;
            tx.commit().await?;
        }
        Ok(subscription)
    }
}
