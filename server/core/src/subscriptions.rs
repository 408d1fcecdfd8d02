//! Opening subscriptions under lock; ending them, and taking an end back.

use crate::audit_log::Deed;
use crate::core::Core;
use crate::error::CoreError;
use crate::locked_subscription::{Found, LockedSubscription, no_period};
use crate::metering::own_levels;
use crate::subject_turns::SubjectTurn;
use crate::terms::{SharedTerms, Terms};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use svc_store::records::{Id, Subscription};
use svc_store::{Connection, Mode, Store, Tx};

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
                        CancelAt::PeriodEnd => locked.subscription.cancel_at = Some(locked.fee_time()?.period.end),
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

/// Opens under lock what usage of these subjects is of, by subject: of each the live subscription, else the one that ended last, where its last
/// period is not closed yet.
pub(crate) async fn lock_for_usage<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    subjects: &BTreeSet<&str>,
    now: Timestamp,
) -> Result<Vec<LockedSubscription>, CoreError> {
    // INVARIANT 12: by subject, upwards.
    let found = tx.lock_for_usage(business, subjects.iter().map(|subject| (*subject).to_owned()).collect()).await?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let ids = found.iter().map(|subscription| subscription.id.to_string()).collect();
    let mut positions = found_of(tx, business, ids).await?;
    let mut open = Vec::with_capacity(found.len());
    for subscription in found {
        let (position, was_live) = (positions.remove(&subscription.id), subscription.cancelled_at.is_none());
        let locked = LockedSubscription::at(tx, subscription, position.ok_or_else(no_period)?, now).await?;
        if !locked.is_live() && was_live {
            // Its planned end has come: from now on it is one that has ended.
            let subject = locked.subscription.subject.clone();
            locked.save(tx).await?;
            open.extend(lock_unclosed(tx, business, &subject, now).await?);
        } else if locked.is_live() || locked.period.invoice.is_none() {
            open.push(locked);
        }
    }
    Ok(open)
}

/// What is found of subscriptions under lock: where levels last, those too. All of them are asked for at once.
async fn found_of<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    ids: Vec<String>,
) -> Result<BTreeMap<Id, Found>, CoreError> {
    let mut shared = SharedTerms::default();
    let mut all: BTreeMap<Id, Found> = BTreeMap::new();
    for (id, position) in tx.positions_of_subscriptions(business, ids).await? {
        let terms = shared.intact(position.projection.as_ref());
        let levels = terms.as_ref().is_some_and(|terms| terms.card().has_lasting()).then(BTreeMap::new);
        all.insert(id, Found { position, terms, levels });
    }
    let lasting = all.values().filter(|found| found.levels.is_some()).flat_map(|found| &found.position.windows);
    let windows: Vec<String> = lasting.map(|window| window.id.to_string()).collect();
    if windows.is_empty() {
        return Ok(all);
    }
    let mut levels = tx.levels_of_windows(business, windows).await?;
    for Found { position, levels: own, .. } in all.values_mut() {
        if let Some(own) = own {
            *own = own_levels(&position.windows, &mut levels);
        }
    }
    Ok(all)
}

/// The active release, and its view of a plan that takes new subscribers.
pub(crate) async fn open_plan<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    plan: &str,
) -> Result<(Id, Arc<Terms>), CoreError> {
    let unpublished = || CoreError::conflict("NO_ACTIVE_RELEASE", "the business has published nothing yet");
    let release = tx.active_release(business).await?.ok_or_else(unpublished)?;
    let unknown = || CoreError::invalid("UNKNOWN_PLAN", format!("the active release has no plan {plan:?}"));
    let stored = tx.projection(business, &release.id, plan).await?.ok_or_else(unknown)?;
    let projection =
        Terms::verified(&stored).ok_or_else(|| CoreError::Internal("a projection's hash is wrong".to_owned()))?;
    if projection.plan.archive.is_some() || projection.plan.legacy {
        return Err(CoreError::conflict("PLAN_CLOSED", format!("the plan {plan:?} takes no new subscribers")));
    }
    Ok((release.id, projection))
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
