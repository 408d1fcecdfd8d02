//! Between SQLite's values and the records: exact integers as text, moments as microseconds, names as closed sets.

use super::{Answer, Inserted, StoreError};
use crate::core::model::{Id, Release, StoredWindow, Subscription};
use jiff::Timestamp;
use rusqlite::Row;
use svc_engine::manifest::ir::{BillingInterval, ClosedSet, GrantKind, Key};
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::funding::{Bucket, BucketState};
use svc_engine::money::units::Units;

/// Columns that [`subscription`] reads, in its order.
pub(super) const SUBSCRIPTION: &str = "id, business_id, subject, release_id, plan, plan_version, recurring_fee_cents, billing_interval, started_at, cancelled_at, granted_period";

pub(super) fn micros(moment: Timestamp) -> i64 {
    moment.as_microsecond()
}

pub(super) fn moment(micros: i64) -> Answer<Timestamp> {
    Timestamp::from_microsecond(micros).map_err(|error| StoreError::Row(error.to_string()))
}

pub(super) fn maybe_moment(micros: Option<i64>) -> Answer<Option<Timestamp>> {
    micros.map(moment).transpose()
}

pub(super) fn integer(value: u64) -> Answer<i64> {
    i64::try_from(value).map_err(|error| StoreError::Row(error.to_string()))
}

pub(super) fn nanos(text: &str) -> Answer<Nanos> {
    text.parse().map_err(|_| StoreError::Row(format!("{text:?} is no amount")))
}

pub(super) fn units(text: &str) -> Answer<Units> {
    text.parse().map(Units::from_steps).map_err(|_| StoreError::Row(format!("{text:?} is no quantity")))
}

pub(super) fn key(text: String) -> Answer<Key> {
    Key::try_from(text).map_err(StoreError::Row)
}

pub(super) fn inserted(count: usize) -> Inserted {
    if count == 0 { Inserted::Existing } else { Inserted::New }
}

fn member<T: ClosedSet>(text: &str) -> Answer<T> {
    let found = T::CHOICES.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| StoreError::Row(format!("{text:?} is none of its column's values")))
}

pub(super) fn release(row: &Row<'_>) -> Answer<Release> {
    Ok(Release {
        id: Id::named(row.get::<_, String>(0)?),
        business: Id::named(row.get::<_, String>(1)?),
        build: Id::named(row.get::<_, String>(2)?),
        ir_hash: row.get(3)?,
        ir: row.get(4)?,
        activated_at: maybe_moment(row.get(5)?)?,
    })
}

pub(super) fn subscription(row: &Row<'_>) -> Answer<Subscription> {
    let fee: i64 = row.get(6)?;
    let fee = u64::try_from(fee).ok().and_then(|fee| Cents::try_from(fee).ok());
    Ok(Subscription {
        id: Id::named(row.get::<_, String>(0)?),
        business: Id::named(row.get::<_, String>(1)?),
        subject: row.get(2)?,
        release: Id::named(row.get::<_, String>(3)?),
        plan: row.get(4)?,
        plan_version: row.get(5)?,
        recurring_fee_cents: fee.ok_or_else(|| StoreError::Row("a recurring fee is no amount".to_owned()))?,
        interval: member::<BillingInterval>(&row.get::<_, String>(7)?)?,
        started_at: moment(row.get(8)?)?,
        cancelled_at: maybe_moment(row.get(9)?)?,
        granted_period: row.get(10)?,
    })
}

pub(super) fn window(row: &Row<'_>) -> Answer<StoredWindow> {
    let count: i64 = row.get(6)?;
    Ok(StoredWindow {
        id: Id::named(row.get::<_, String>(0)?),
        subscription: Id::named(row.get::<_, String>(1)?),
        period: row.get(2)?,
        start: moment(row.get(3)?)?,
        end: moment(row.get(4)?)?,
        release: Id::named(row.get::<_, String>(5)?),
        charge_count: u64::try_from(count).map_err(|error| StoreError::Row(error.to_string()))?,
        rated: nanos(&row.get::<_, String>(7)?)?,
    })
}

pub(super) fn bucket(row: &Row<'_>) -> Answer<Bucket> {
    let display: Option<String> = row.get(8)?;
    let display = display.map(|text| serde_json::from_str(&text)).transpose();
    Ok(Bucket {
        id: row.get(0)?,
        kind: member::<GrantKind>(&row.get::<_, String>(1)?)?,
        state: bucket_state(&row.get::<_, String>(2)?)?,
        granted: nanos(&row.get::<_, String>(3)?)?,
        remaining: nanos(&row.get::<_, String>(4)?)?,
        held: nanos(&row.get::<_, String>(5)?)?,
        consumed: nanos(&row.get::<_, String>(6)?)?,
        expires_at: maybe_moment(row.get(7)?)?,
        display: display.map_err(|error| StoreError::Row(error.to_string()))?,
    })
}

fn bucket_state(text: &str) -> Answer<BucketState> {
    let all = [BucketState::Available, BucketState::Exhausted, BucketState::Expired, BucketState::Revoked];
    let found = all.into_iter().find(|state| state.as_str() == text);
    found.ok_or_else(|| StoreError::Row(format!("{text:?} is no state of a bucket")))
}
