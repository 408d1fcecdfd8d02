//! What time does to a subscription: buckets expire, and each new period brings its recurring grants. Done before anything
//! else that reads or moves its money, inside the same transaction.

use super::error::CoreError;
use super::model::{Projection, Subscription};
use super::{new_id, releases};
use crate::store::Tx;
use jiff::{SignedDuration, Timestamp};
use svc_engine::manifest::ir::{Grant, Plan};
use svc_engine::money::amount::Nanos;
use svc_engine::money::funding::{self, Bucket, BucketState};
use svc_engine::money::period::{Anchor, Period, PeriodError};

/// Hours in a day of UTC.
const HOURS_PER_DAY: i64 = 24;

/// The period that `now` lies in.
pub(crate) fn period(subscription: &Subscription, now: Timestamp) -> Result<Period, PeriodError> {
    Anchor { start: subscription.started_at, interval: subscription.interval }.period_at(now)
}

/// The projection a subscription is served under, verified; nothing when any lookup misses (rule 3 of the preview).
pub(crate) async fn served_projection<T: Tx>(
    tx: &mut T,
    subscription: &Subscription,
) -> Result<Option<Projection>, CoreError> {
    if tx.activated_at(&subscription.release).await?.is_none() {
        return Ok(None);
    }
    let stored = tx.projection(&subscription.release, &subscription.plan).await?;
    Ok(stored.as_ref().and_then(releases::verified))
}

/// Whether [`settle`] would change something.
pub(crate) fn is_due(subscription: &Subscription, period: Period, buckets: &[Bucket], now: Timestamp) -> bool {
    let over = |bucket: &Bucket| {
        matches!(bucket.state, BucketState::Available | BucketState::Exhausted) && bucket.is_over(now)
    };
    period.index > subscription.granted_period || buckets.iter().any(over)
}

/// Brings a subscription's buckets up to `now`.
pub(crate) async fn settle<T: Tx>(
    tx: &mut T,
    subscription: &mut Subscription,
    projection: Option<&Projection>,
    period: Period,
    buckets: &mut Vec<Bucket>,
    now: Timestamp,
) -> Result<(), CoreError> {
    for bucket in buckets.iter_mut() {
        let before = bucket.state;
        let transaction = funding::expire(bucket, now)?;
        if bucket.state != before {
            tx.put_bucket(&subscription.id, bucket).await?;
        }
        if let Some(transaction) = transaction {
            tx.append(&subscription.id, period.index, &new_id("ltx", now), now, &transaction).await?;
        }
    }
    let Some(projection) = projection.filter(|_| period.index > subscription.granted_period) else { return Ok(()) };
    let recurring = |recurs: bool| recurs;
    let fresh = grant_credits(tx, subscription, &projection.plan, period, now, recurring).await?;
    buckets.extend(fresh);
    subscription.granted_period = period.index;
    tx.update_subscription(subscription).await?;
    Ok(())
}

/// Makes the buckets of a plan's credit grants whose `recurs` is wanted, and posts them.
pub(crate) async fn grant_credits<T: Tx>(
    tx: &mut T,
    subscription: &Subscription,
    plan: &Plan,
    period: Period,
    now: Timestamp,
    wanted: impl Fn(bool) -> bool,
) -> Result<Vec<Bucket>, CoreError> {
    let mut fresh = Vec::new();
    for grant in &plan.grants {
        let Grant::Credit { kind, amount_cents, recurs, expires_after_days, display, .. } = grant else { continue };
        if !wanted(*recurs) {
            continue;
        }
        let period_end = recurs.then_some(period.end);
        let own_end =
            expires_after_days.map(|days| days_after(period.start.max(subscription.started_at), days)).transpose()?;
        let expires_at = [period_end, own_end].into_iter().flatten().min();
        let bucket =
            new_bucket(new_id("bkt", now).to_string(), *kind, amount_cents.nanos(), expires_at, display.clone());
        put_granted(tx, subscription, period, &bucket, now).await?;
        fresh.push(bucket);
    }
    Ok(fresh)
}

pub(crate) fn days_after(start: Timestamp, days: u32) -> Result<Timestamp, CoreError> {
    let span = SignedDuration::from_hours(i64::from(days).saturating_mul(HOURS_PER_DAY));
    start.checked_add(span).map_err(|_| CoreError::invalid("EXPIRY_RANGE", "the expiry lies beyond the calendar"))
}

pub(crate) fn new_bucket(
    id: String,
    kind: svc_engine::manifest::ir::GrantKind,
    granted: Nanos,
    expires_at: Option<Timestamp>,
    display: Option<svc_engine::manifest::ir::Display>,
) -> Bucket {
    let state = if granted == Nanos::ZERO { BucketState::Exhausted } else { BucketState::Available };
    Bucket {
        id,
        kind,
        state,
        granted,
        remaining: granted,
        held: Nanos::ZERO,
        consumed: Nanos::ZERO,
        expires_at,
        display,
    }
}

/// Keeps a new bucket and posts what was put into it.
pub(crate) async fn put_granted<T: Tx>(
    tx: &mut T,
    subscription: &Subscription,
    period: Period,
    bucket: &Bucket,
    now: Timestamp,
) -> Result<(), CoreError> {
    tx.put_bucket(&subscription.id, bucket).await?;
    if let Some(transaction) = funding::grant(&bucket.id, bucket.granted)? {
        tx.append(&subscription.id, period.index, &new_id("ltx", now), now, &transaction).await?;
    }
    Ok(())
}
