//! Subscribing a subject to a plan, and ending it.

use crate::audit_log::Deed;
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use crate::locked_subscription::{self, LockedSubscription, NewBucket};
use crate::subject_turns::SubjectTurn;
use crate::{businesses, releases};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;
use svc_engine::manifest::ir::GrantKind;
use svc_engine::money::bucket::{self, BucketOrigin};
use svc_engine::money::ledger::{Account, Cause};
use svc_store::records::{Id, Projection, Subscription};
use svc_store::{Connection, Inserted, Mode, Store, Tx};

/// When a subscription is to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CancelAt {
    /// At once.
    #[default]
    Now,
    /// When its open period ends.
    PeriodEnd,
}

impl<S: Store> Core<S> {
    /// Subscribes a subject to a plan of the active release, from `now` on. A trial, and promotional credit that does not recur, are
    /// given once per subject, unless it is to be given `again`. What is left of bought credit comes along.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for a plan that the active release does not
    /// have; [`CoreError::Conflict`] for a plan that takes nobody any more, or a subject that is subscribed already.
    pub async fn subscribe(
        &self,
        business: &Id,
        subject: &str,
        plan: &str,
        again: bool,
        now: Timestamp,
    ) -> Result<Subscription, CoreError> {
        self.again(move || Box::pin(self.subscribe_once(business, subject, plan, again, now))).await
    }

    async fn subscribe_once(
        &self,
        business: &Id,
        subject: &str,
        plan: &str,
        again: bool,
        now: Timestamp,
    ) -> Result<Subscription, CoreError> {
        let subject = businesses::checked_name("a subject", subject)?;
        let _turn = self.subjects.at(business, BTreeSet::from([subject.as_str()])).await;
        let mut tx = self.store.begin(Mode::Write).await?;
        // A publisher waits: a release is seen whole or not at all.
        businesses::lock_business(&mut tx, business).await?;
        end_if_due(&mut tx, business, &subject, now).await?;
        let (release, projection) = open_plan(&mut tx, business, plan).await?;
        let earlier = tx.subscriptions_of(business, &subject).await?;
        let had_trial = !again && earlier.iter().any(|subscription| subscription.trial_ends_at.is_some());
        let trial_days = if had_trial { 0 } else { projection.plan.trial_days };
        let trial_ends_at = (trial_days > 0).then(|| locked_subscription::days_after(now, trial_days)).transpose()?;
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
            interval: projection.plan.interval,
            started_at: now,
            anchor_at: now,
            anchor_period: 0,
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
        let subscription = locked.subscription.clone();
        locked.save(&mut tx).await?;
        let deed = Deed::of(business, "subscription.created", subscription.id.as_str());
        self.note(&mut tx, deed.with(json!({ "plan": plan })), now).await?;
        tx.commit().await?;
        Ok(subscription)
    }

    /// Takes a planned end back.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Conflict`] for a subscription that has ended.
    pub async fn resume(&self, business: &Id, id: &Id, now: Timestamp) -> Result<Subscription, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let _turn = self.turn_of(business, id).await?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let mut locked = lock(&mut tx, business, id, now).await?;
                if !locked.is_live() {
                    let message = "the subscription has ended; subscribe the subject anew";
                    return Err(CoreError::conflict("SUBSCRIPTION_ENDED", message));
                }
                locked.subscription.cancel_at = None;
                let subscription = locked.subscription.clone();
                locked.save(&mut tx).await?;
                self.note(&mut tx, Deed::of(business, "subscription.resumed", id.as_str()), now).await?;
                tx.commit().await?;
                Ok(subscription)
            })
        })
        .await
    }

    /// One of the business's subscriptions, as it is at `now`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn subscription(&self, business: &Id, id: &Id, now: Timestamp) -> Result<Subscription, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Read).await?;
                let found = tx.subscription(business, id).await?.ok_or_else(no_subscription)?;
                if found.next_due_at.is_none_or(|due| due > now) {
                    return Ok(found);
                }
                drop(tx);
                let _turn = self.subjects.at(business, BTreeSet::from([found.subject.as_str()])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let locked = lock(&mut tx, business, id, now).await?;
                let subscription = locked.subscription.clone();
                locked.save(&mut tx).await?;
                tx.commit().await?;
                Ok(subscription)
            })
        })
        .await
    }

    /// Ends a subscription, now or when its open period ends. The period that it ends in keeps its whole fee, or, with
    /// `prorates`, the rest of it is given back. Ending it again changes nothing.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn cancel(
        &self,
        business: &Id,
        id: &Id,
        at: CancelAt,
        prorates: bool,
        now: Timestamp,
    ) -> Result<Subscription, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let _turn = self.turn_of(business, id).await?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let mut locked = lock(&mut tx, business, id, now).await?;
                let now = locked.now;
                if locked.is_live() {
                    match at {
                        CancelAt::Now => locked.end(&mut tx, now, prorates).await?,
                        CancelAt::PeriodEnd => locked.subscription.cancel_at = Some(locked.period.end),
                    }
                    let deed = Deed::of(business, "subscription.cancelled", id.as_str());
                    self.note(&mut tx, deed.with(json!({ "at": at, "prorate": prorates })), now).await?;
                }
                let subscription = locked.subscription.clone();
                locked.save(&mut tx).await?;
                tx.commit().await?;
                Ok(subscription)
            })
        })
        .await
    }
}

impl<S: Store> Core<S> {
    /// The turn at a subscription's subject, before a transaction that locks it begins; none where there is no such subscription, which that
    /// transaction finds out.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub(crate) async fn turn_of(&self, business: &Id, id: &Id) -> Result<Option<SubjectTurn>, CoreError> {
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        let found = tx.subscription(business, id).await?;
        drop(tx);
        let Some(Subscription { subject, .. }) = found else { return Ok(None) };
        Ok(self.subjects.at(business, BTreeSet::from([subject.as_str()])).await.pop())
    }
}

fn no_subscription() -> CoreError {
    CoreError::NotFound("there is no such subscription")
}

/// Opens a subscription under lock, live or ended.
pub(crate) async fn lock<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    id: &Id,
    now: Timestamp,
) -> Result<LockedSubscription, CoreError> {
    let subscription = tx.lock_subscription(business, id).await?.ok_or_else(no_subscription)?;
    LockedSubscription::open(tx, subscription, now).await
}

/// Opens a subject's live subscription under lock; nothing when there is none, or its planned end has come.
pub(crate) async fn lock_live<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    subject: &str,
    now: Timestamp,
) -> Result<Option<LockedSubscription>, CoreError> {
    let Some(subscription) = tx.lock_live_subscription(business, subject).await? else { return Ok(None) };
    let locked = LockedSubscription::open(tx, subscription, now).await?;
    if locked.is_live() {
        return Ok(Some(locked));
    }
    locked.save(tx).await?;
    Ok(None)
}

/// Opens the subscription of a subject that ended last under lock, where its last period is not closed yet.
pub(crate) async fn lock_unclosed<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    subject: &str,
    now: Timestamp,
) -> Result<Option<LockedSubscription>, CoreError> {
    let newest = tx.subscriptions_of(business, subject).await?.pop();
    let Some(ended) = newest.filter(|newest| newest.cancelled_at.is_some()) else { return Ok(None) };
    let locked = lock(tx, business, &ended.id, now).await?;
    Ok(Some(locked).filter(|locked| locked.period.invoice.is_none() && !locked.is_live()))
}

/// The active release, and its view of a plan that takes new subscribers.
pub(crate) async fn open_plan<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    plan: &str,
) -> Result<(Id, Projection), CoreError> {
    let unpublished = || CoreError::conflict("NO_ACTIVE_RELEASE", "the business has published nothing yet");
    let release = tx.active_release(business).await?.ok_or_else(unpublished)?;
    let unknown = || CoreError::invalid("UNKNOWN_PLAN", format!("the active release has no plan {plan:?}"));
    let stored = tx.projection(business, &release.id, plan).await?.ok_or_else(unknown)?;
    let projection =
        releases::verified(&stored).ok_or_else(|| CoreError::Internal("a projection's hash is wrong".to_owned()))?;
    if projection.plan.archive.is_some() || projection.plan.legacy {
        return Err(CoreError::conflict("PLAN_CLOSED", format!("the plan {plan:?} takes no new subscribers")));
    }
    Ok((release.id, projection))
}

/// Moves what is left of a subject's bought credit into its new subscription.
async fn bring_along<C: Connection>(tx: &mut Tx<C>, locked: &mut LockedSubscription) -> Result<(), CoreError> {
    let Subscription { business, subject, .. } = locked.subscription.clone();
    let now = locked.now;
    for id in tx.with_bought_credit(&business, &subject).await? {
        let mut old = lock(tx, &business, &id, now).await?;
        let mut moved = Vec::new();
        for bucket in old.buckets.iter_mut().filter(|bucket| bucket.kind == GrantKind::Prepaid) {
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
            let (expires_at, display) = (bucket.expires_at, bucket.display);
            let new = NewBucket::of(BucketOrigin::Transfer, GrantKind::Prepaid, bucket.remaining);
            locked.add_bucket(NewBucket { expires_at, display, cause, ..new }, now)?;
        }
        old.save(tx).await?;
    }
    Ok(())
}

/// Opens a subject's live subscription under lock.
pub(crate) async fn live<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    subject: &str,
    now: Timestamp,
) -> Result<LockedSubscription, CoreError> {
    let locked = lock_live(tx, business, subject, now).await?;
    locked.ok_or(CoreError::NotFound("the subject has no live subscription"))
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
