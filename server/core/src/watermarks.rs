//! What of a subscription's money is told of when it passes a mark: found by comparing what was opened with what is saved.

use crate::error::CoreError;
use crate::events::{News, Threshold, ToldBucket};
use jiff::Timestamp;
use std::collections::BTreeMap;
use svc_engine::manifest::ir::{Key, Plan};
use svc_engine::money::amount::{AmountError, Nanos};
use svc_engine::money::bill::SpendBounds;
use svc_engine::money::bucket::{Bucket, BucketState};
use svc_engine::money::cell::Cell;
use svc_engine::money::funding::SpendLimit;
use svc_engine::money::rating::{RatingError, Window};
use svc_engine::money::units::Units;
use svc_store::records::{StoredPeriod, Subscription};

/// The shares of what is included, or of the most, that are told of, in percent. Upwards: one is told again where usage fell below it.
pub(crate) const THRESHOLD_PERCENTS: [u8; 2] = [80, 100];
/// A bucket is low where no more than this is left of it, in percent.
const LOW_PERCENT: i128 = 20;

/// What a subscription's money was when it was opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watermarks {
    /// The open period, and what its usage had cost the subscriber.
    spent: Option<(u32, Nanos)>,
    /// State of each bucket, and whether it was low.
    buckets: BTreeMap<String, (BucketState, bool)>,
}

impl Watermarks {
    /// Of a subscription that was just read.
    pub(crate) fn of(period: &StoredPeriod, buckets: &[Bucket]) -> Result<Watermarks, CoreError> {
        let state = |bucket: &Bucket| (bucket.id.clone(), (bucket.state, is_low(bucket)));
        Ok(Watermarks {
            spent: Some((period.index, period.totals.usage.own()?)),
            buckets: buckets.iter().map(state).collect(),
        })
    }

    /// Takes a bucket as it is for what it was: nothing is told of how it came to be so, as where its money went into another one.
    pub(crate) fn note(&mut self, bucket: &Bucket) {
        self.buckets.insert(bucket.id.clone(), (bucket.state, is_low(bucket)));
    }

    /// What is to be told of buckets: that they became low, or came to their end.
    pub(crate) fn of_buckets(
        &self,
        subscription: &Subscription,
        buckets: &[Bucket],
        now: Timestamp,
    ) -> Vec<(Timestamp, News)> {
        let about = |bucket: &Bucket| (subscription.id.clone(), subscription.subject.clone(), ToldBucket::of(bucket));
        let told = |bucket: &Bucket| {
            let (state, was_low) = self.buckets.get(&bucket.id).copied().unwrap_or((BucketState::Available, false));
            let (subscription_id, subject, told) = about(bucket);
            if bucket.state != BucketState::Available && state == BucketState::Available {
                let expiry = bucket.expires_at.filter(|_| bucket.state == BucketState::Expired);
                let news = News::BucketEnded { subscription_id, subject, state: bucket.state, bucket: told };
                return Some((expiry.unwrap_or(now), news));
            }
            let is_newly_low = bucket.state == BucketState::Available && is_low(bucket) && !was_low;
            is_newly_low.then_some((now, News::BucketLow { subscription_id, subject, bucket: told }))
        };
        buckets.iter().filter(|bucket| bucket.granted > Nanos::ZERO).filter_map(told).collect()
    }

    /// What is to be told of the most that a plan may cost.
    pub(crate) fn of_spend(
        &self,
        subscription: &Subscription,
        period: &StoredPeriod,
        plan: &Plan,
    ) -> Result<Vec<News>, CoreError> {
        let bounds = SpendBounds::of(plan, period.own_most_cents);
        let limit = match bounds.limit(period.spend_fee()?, period.totals)? {
            SpendLimit::Refuse(room) | SpendLimit::Waive(room) if bounds.max.is_some() => room,
            SpendLimit::Refuse(_) | SpendLimit::Waive(_) | SpendLimit::Unbounded => return Ok(Vec::new()),
        };
        let before = self.spent.filter(|(index, _)| *index == period.index).map_or(Nanos::ZERO, |(_, spent)| spent);
        let used = period.totals.usage.own()?;
        let mut told = Vec::new();
        for percent in THRESHOLD_PERCENTS {
            let mark = limit.share(i128::from(percent), 100)?;
            if mark > Nanos::ZERO && before < mark && used >= mark {
                let threshold = Threshold::Spend { used_nanos: used, limit_nanos: limit };
                told.push(reached(subscription, period.index, percent, threshold));
            }
        }
        Ok(told)
    }
}

/// What some cells have come to, rounded down to a billionth.
pub(crate) type Quantities = BTreeMap<Cell, Units>;

/// How far the meters are whose free units are a quantity.
pub(crate) fn of_meters_with_included(plan: &Plan, rating: &Window) -> Result<Quantities, RatingError> {
    let with_included =
        plan.meters.iter().filter(|price| price.included().fixed().is_some_and(|units| units != Units::ZERO));
    let cells = with_included.map(|price| Cell::from(price.meter().clone()));
    cells.map(|cell| Ok((cell.clone(), rating.quantity(&cell)?.floor()))).collect()
}

/// What is to be told of included units, where meters went from one level to another.
pub(crate) fn of_included(
    subscription: &Subscription,
    period: u32,
    plan: &Plan,
    before: &Quantities,
    after: &Quantities,
) -> Vec<News> {
    let level = |all: &Quantities, meter: &Key| all.get(&Cell::from(meter.clone())).copied().unwrap_or_default();
    let mut told = Vec::new();
    for price in &plan.meters {
        let meter = price.meter();
        let Some(included_units) = price.included().fixed() else { continue };
        let (from, to) = (level(before, meter), level(after, meter));
        for percent in THRESHOLD_PERCENTS {
            if !has_reached(from, included_units, percent) && has_reached(to, included_units, percent) {
                let meter = meter.clone();
                let threshold = Threshold::IncludedUnits { meter, used_units: to, included_units };
                told.push(reached(subscription, period, percent, threshold));
            }
        }
    }
    told
}

/// Whether a level has reached a share of what is included. Nothing included is never reached.
fn has_reached(used: Units, included: Units, percent: u8) -> bool {
    let hundredfold = |units: Units, times: u8| units.steps().saturating_mul(u128::from(times));
    included == Units::ZERO || hundredfold(used, 100) >= hundredfold(included, percent)
}

fn reached(subscription: &Subscription, period: u32, percent: u8, threshold: Threshold) -> News {
    let (subscription_id, subject) = (subscription.id.clone(), subscription.subject.clone());
    News::ThresholdReached { subscription_id, subject, period, percent, threshold }
}

/// Whether little is left of a bucket.
fn is_low(bucket: &Bucket) -> bool {
    let low: Result<Nanos, AmountError> = bucket.granted.share(LOW_PERCENT, 100);
    low.is_ok_and(|low| bucket.remaining <= low)
}
