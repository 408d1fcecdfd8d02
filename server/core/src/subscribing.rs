//! Subscribing a subject to a plan.

use crate::audit_log::Deed;
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use crate::locked_subscription::{self, LockedSubscription, NewBucket};
use crate::subscriptions::{lock, lock_live, open_plan};
use crate::{businesses, invoices, own_most};
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use svc_engine::manifest::ir::GrantKind;
use svc_engine::money::amount::Cents;
use svc_engine::money::bucket::{self, Bucket, BucketOrigin, BucketState};
use svc_engine::money::fee::{FeeTerms, IntroFee};
use svc_engine::money::ledger::{Account, Cause};
use svc_store::records::{Id, Subscription};
use svc_store::{Connection, Inserted, Mode, Store, Tx};

/// What a subject subscribes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubscriptionOrder<'a> {
    /// The plan, of the active release.
    pub plan: &'a str,
    /// Whether what is given once per subject is given again.
    pub again: bool,
    /// The most of a month that the subscription has of its own, in cents, where it has one.
    pub own_most_cents: Option<Cents>,
}

impl<'a> SubscriptionOrder<'a> {
    /// A plan, as everybody has it.
    pub fn of(plan: &'a str) -> SubscriptionOrder<'a> {
        SubscriptionOrder { plan, again: false, own_most_cents: None }
    }
}

impl<S: Store> Core<S> {
    /// Subscribes a subject to a plan of the active release, from `now` on. A trial, an introductory fee, and promotional credit that does not recur,
    /// are given once per subject, unless it is to be given `again`. What is left of bought credit comes along.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for a plan that the active release does not
    /// have, or a most of its own that the plan does not allow; [`CoreError::Conflict`] for a plan that takes nobody any more, or a subject that is subscribed already.
    pub async fn subscribe(
        &self,
        business: &Id,
        subject: &str,
        order: SubscriptionOrder<'_>,
        now: Timestamp,
    ) -> Result<Subscription, CoreError> {
        self.again(move || Box::pin(self.subscribe_once(business, subject, order, now))).await
    }

    async fn subscribe_once(
        &self,
        business: &Id,
        subject: &str,
        order: SubscriptionOrder<'_>,
        now: Timestamp,
    ) -> Result<Subscription, CoreError> {
        let SubscriptionOrder { plan, again, own_most_cents } = order;
        let subject = businesses::checked_name("a subject", subject)?;
        let _turn = self.subjects.at(business, BTreeSet::from([subject.as_str()])).await;
        let mut tx = self.store.begin(Mode::Write).await?;
        // A publisher waits: a release is seen whole or not at all.
        businesses::lock_business(&mut tx, business).await?;
        end_if_due(&mut tx, business, &subject, now).await?;
        let (release, projection) = open_plan(&mut tx, business, plan).await?;
        own_most::check(own_most_cents, &projection.plan)?;
        let earlier = tx.subscriptions_of(business, &subject).await?;
        let had_trial = !again && earlier.iter().any(|subscription| subscription.trial_ends_at.is_some());
        let trial_days = if had_trial { 0 } else { projection.plan.trial_days };
        let trial_ends_at = (trial_days > 0).then(|| locked_subscription::days_after(now, trial_days)).transpose()?;
        let fee_terms = FeeTerms::of(&projection.plan);
        // A trial that no fee is for is a period of its own, and so is the moment before a fee in advance.
        let begins_without = fee_terms.begins_without(trial_ends_at.is_some());
        let had_intro = !again && earlier.iter().any(|subscription| subscription.intro.is_some());
        let was_promoted = !again && tx.was_promoted(business, &subject).await?;
        let subscription = Subscription {
            id: new_id("sub", now),
            business: business.clone(),
            subject,
            release,
            plan: plan.to_owned(),
            plan_version: projection.version,
            recurring_fee_cents: projection.plan.recurring_fee_cents,
            next_fee_cents: None,
            interval: projection.plan.period_interval(),
            fee_terms,
            intro: IntroFee::of(&projection.plan).filter(|_| !had_intro),
            own_most_cents,
            started_at: now,
            anchor_at: trial_ends_at.filter(|_| begins_without).unwrap_or(now),
            anchor_period: u32::from(begins_without),
            served_since: now,
            trial_ends_at,
            cancel_at: None,
            cancelled_at: None,
            next_due_at: None,
            period: 0,
            buckets_given: earlier.iter().map(|subscription| subscription.buckets_given).max().unwrap_or(0),
        };
        if tx.insert_subscription(&subscription).await? == Inserted::Existing {
            return Err(CoreError::conflict("ALREADY_SUBSCRIBED", "the subject has a live subscription"));
        }
        let due = |kind| kind != GrantKind::Promo || !was_promoted;
        let mut locked = LockedSubscription::create(subscription, projection, due)?;
        bring_along(&mut tx, &mut locked).await?;
        locked.count_resources(&mut tx, now).await?;
        let subscription = locked.subscription.clone();
        locked.save(&mut tx).await?;
        let deed = Deed::of(business, "subscription.created", subscription.id.as_str());
        self.note(&mut tx, deed.with(told(order)), now).await?;
        let mut totals = Vec::new();
        if begins_without && trial_ends_at.is_none() {
            let closed = invoices::close_ended(&mut tx, business, &subscription.id, now).await?;
            self.note_closed(&mut tx, business, &closed, now).await?;
            totals.extend(closed.invoices.iter().map(|closed| closed.invoice.total_cents));
        }
        tx.commit().await?;
        self.counters.closed(totals.into_iter());
        Ok(subscription)
    }
}

/// What the audit log has of it.
fn told(order: SubscriptionOrder<'_>) -> Json {
    match order.own_most_cents {
        Some(most) => json!({ "plan": order.plan, "maxMonthlySpendCents": most }),
        None => json!({ "plan": order.plan }),
    }
}

/// Moves what is left of a subject's bought credit into its new subscription.
async fn bring_along<C: Connection>(tx: &mut Tx<C>, locked: &mut LockedSubscription) -> Result<(), CoreError> {
    let Subscription { business, subject, .. } = locked.subscription.clone();
    let now = locked.now;
    for id in tx.with_bought_credit(&business, &subject).await? {
        let mut old = lock(tx, &business, &id, now).await?;
        let mut moved = Vec::new();
        // One that nothing is in stays: what it paid may come back to it.
        let is_left =
            |bucket: &&mut Bucket| bucket.kind == GrantKind::Prepaid && bucket.state == BucketState::Available;
        for bucket in old.buckets.iter_mut().filter(is_left) {
            let before = bucket.clone();
            let cause = Cause::Transfer(bucket.id.clone());
            if let Some(transaction) = bucket::empty(bucket, Account::Adjustments, cause)? {
                moved.push((before, transaction));
            }
        }
        for (bucket, transaction) in moved {
            old.post(transaction, now)?;
            if let Some(emptied) = old.buckets.iter().find(|emptied| emptied.id == bucket.id) {
                old.marks.note(emptied);
            }
            let cause = Some(Cause::Transfer(bucket.id));
            let (expires_at, display, meters) = (bucket.expires_at, bucket.display, bucket.meters);
            let new = NewBucket::of(BucketOrigin::Transfer, GrantKind::Prepaid, bucket.remaining);
            locked.add_bucket(NewBucket { expires_at, display, meters, cause, ..new }, now)?;
        }
        old.save(tx).await?;
    }
    Ok(())
}

/// Ends a subject's subscription whose planned end has come, so that it can subscribe anew.
async fn end_if_due<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    subject: &str,
    now: Timestamp,
) -> Result<(), CoreError> {
    let ends = tx.live_subscription(business, subject).await?.and_then(|subscription| subscription.cancel_at);
    if ends.is_some_and(|at| at <= now) {
        lock_live(tx, business, subject, now).await?;
    }
    Ok(())
}
