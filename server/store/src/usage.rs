//! Windows, usage items and charges.

use crate::error::StoreResult;
use crate::records::{Charge, Id, StoredWindow, UsageItemRecord};
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;
use std::collections::{BTreeMap, BTreeSet};
use svc_engine::manifest::ir::Key;
use svc_engine::money::units::Units;

macro_rules! charge_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, item, attempt, window_id, position, meter, steps, unique_key, is_new_key, ",
            "admitted_at, occurred_at, charge_nanos, remainder_nanos, transaction_id FROM charges ",
            $rest
        )
    };
}

fn charge(row: &mut Row) -> StoreResult<Charge> {
    Ok(Charge {
        id: row.get()?,
        item: row.get()?,
        attempt: row.get()?,
        window: row.get()?,
        position: row.get()?,
        meter: row.get()?,
        units: row.get()?,
        unique_key: row.get()?,
        is_new_key: row.get::<i64>()? != 0,
        admitted_at: row.get()?,
        occurred_at: row.get()?,
        charge: row.get()?,
        remainder: row.get()?,
        transaction: row.get()?,
    })
}

impl<C: Connection> Tx<C> {
    /// The windows of a period, oldest first.
    pub async fn windows(&mut self, subscription: &Id, period: u32) -> StoreResult<Vec<StoredWindow>> {
        let sql = "SELECT id, subscription_id, period, window_start, window_end, release_id, charge_count, rated_nanos
                   FROM windows WHERE subscription_id = ?1 AND period = ?2 ORDER BY window_start, id";
        self.all(sql, values![subscription.clone(), period], |row| {
            Ok(StoredWindow {
                id: row.get()?,
                subscription: row.get()?,
                period: row.get()?,
                start: row.get()?,
                end: row.get()?,
                release: row.get()?,
                charge_count: row.get()?,
                rated: row.get()?,
            })
        })
        .await
    }

    /// Stores a window, or its new state.
    pub async fn put_window(&mut self, window: &StoredWindow) -> StoreResult<()> {
        let sql = "INSERT INTO windows (id, subscription_id, period, window_start, window_end, release_id, charge_count, rated_nanos)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO UPDATE SET window_end = excluded.window_end,
                   charge_count = excluded.charge_count, rated_nanos = excluded.rated_nanos";
        let w = window.clone();
        let values = values![w.id, w.subscription, w.period, w.start, w.end, w.release, w.charge_count, w.rated];
        self.0.write(sql, vec![values]).await
    }

    /// The quantities of a period's windows, by window.
    pub async fn quantities(
        &mut self,
        subscription: &Id,
        period: u32,
    ) -> StoreResult<BTreeMap<Id, BTreeMap<Key, Units>>> {
        let sql = "SELECT q.window_id, q.meter, q.steps FROM window_quantities q JOIN windows w ON w.id = q.window_id
                   WHERE w.subscription_id = ?1 AND w.period = ?2";
        let read = |row: &mut Row| Ok((row.get::<Id>()?, row.get::<Key>()?, row.get::<Units>()?));
        let mut quantities: BTreeMap<Id, BTreeMap<Key, Units>> = BTreeMap::new();
        for (window, meter, units) in self.all(sql, values![subscription.clone(), period], read).await? {
            quantities.entry(window).or_default().insert(meter, units);
        }
        Ok(quantities)
    }

    /// Keeps the quantities of a window.
    pub async fn put_quantities(&mut self, window: &Id, quantities: &BTreeMap<Key, Units>) -> StoreResult<()> {
        let sql = "INSERT INTO window_quantities (window_id, meter, steps) VALUES (?1, ?2, ?3)
                   ON CONFLICT (window_id, meter) DO UPDATE SET steps = excluded.steps";
        let row = |(meter, units): (&Key, &Units)| values![window.clone(), meter.clone(), *units];
        self.0.write(sql, quantities.iter().map(row).collect()).await
    }

    /// Which of these keys the window has counted, with their meter.
    pub async fn window_keys(&mut self, window: &Id, keys: Vec<String>) -> StoreResult<BTreeSet<(Key, String)>> {
        let sql = "SELECT meter, unique_key FROM window_keys
                   WHERE window_id = ?1 AND unique_key IN (SELECT value FROM json_each(?2))";
        let found = self.all(sql, values![window.clone(), keys], |row| Ok((row.get()?, row.get()?))).await?;
        Ok(found.into_iter().collect())
    }

    /// Notes keys that a window has counted.
    pub async fn insert_window_keys(&mut self, window: &Id, keys: &[(Key, String)]) -> StoreResult<()> {
        let sql = "INSERT INTO window_keys (window_id, meter, unique_key) VALUES (?1, ?2, ?3)";
        let row = |(meter, key): &(Key, String)| values![window.clone(), meter.clone(), key.clone()];
        self.0.write(sql, keys.iter().map(row).collect()).await
    }

    /// The admitted usage items among these ids.
    pub async fn usage_items(&mut self, subscription: &Id, ids: Vec<String>) -> StoreResult<Vec<UsageItemRecord>> {
        let sql = "SELECT id, fingerprint, charges, attempt, refunded_by FROM usage_items
                   WHERE subscription_id = ?1 AND id IN (SELECT value FROM json_each(?2))";
        self.all(sql, values![subscription.clone(), ids], |row| {
            Ok(UsageItemRecord {
                id: row.get()?,
                fingerprint: row.get()?,
                charges: row.get()?,
                attempt: row.get()?,
                refunded_by: row.get()?,
            })
        })
        .await
    }

    /// Keeps usage items, or their new state.
    pub async fn put_usage_items(&mut self, subscription: &Id, items: &[UsageItemRecord]) -> StoreResult<()> {
        let sql = "INSERT INTO usage_items (subscription_id, id, fingerprint, charges, attempt, refunded_by)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (subscription_id, id) DO UPDATE SET
                   fingerprint = excluded.fingerprint, charges = excluded.charges, attempt = excluded.attempt,
                   refunded_by = excluded.refunded_by";
        let row = |item: &UsageItemRecord| {
            let UsageItemRecord { id, fingerprint, charges, attempt, refunded_by } = item.clone();
            values![subscription.clone(), id, fingerprint, charges, attempt, refunded_by]
        };
        self.0.write(sql, items.iter().map(row).collect()).await
    }

    /// Keeps charges.
    pub async fn insert_charges(&mut self, subscription: &Id, charges: &[Charge]) -> StoreResult<()> {
        let sql = "INSERT INTO charges (subscription_id, id, item, attempt, window_id, position, meter, steps, unique_key, is_new_key,
                   admitted_at, occurred_at, charge_nanos, remainder_nanos, transaction_id)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
        let row = |charge: &Charge| {
            let c = charge.clone();
            values![
                subscription.clone(),
                c.id,
                c.item,
                c.attempt,
                c.window,
                c.position,
                c.meter,
                c.units,
                c.unique_key,
                i64::from(c.is_new_key),
                c.admitted_at,
                c.occurred_at,
                c.charge,
                c.remainder,
                c.transaction,
            ]
        };
        self.0.write(sql, charges.iter().map(row).collect()).await
    }

    /// The charges that an item made at its latest attempt.
    pub async fn charges_of_item(&mut self, subscription: &Id, item: &str, attempt: u32) -> StoreResult<Vec<Charge>> {
        let sql = charge_sql!("WHERE subscription_id = ?1 AND item = ?2 AND attempt = ?3 ORDER BY position");
        self.all(sql, values![subscription.clone(), item.to_owned(), attempt], charge).await
    }

    /// Up to `most` charges of a window, from a position on, in order.
    pub async fn charges(&mut self, window: &Id, from: u64, most: u32) -> StoreResult<Vec<Charge>> {
        let sql = charge_sql!("WHERE window_id = ?1 AND position >= ?2 ORDER BY position LIMIT ?3");
        self.all(sql, values![window.clone(), from, most], charge).await
    }
}
