//! Windows, usage items and charges.

use crate::error::StoreResult;
use crate::records::{Charge, Id, StoredWindow, SubscriptionKey, UsageItemRecord};
use crate::statement::{rows_sql, sql};
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use svc_engine::money::amount::Nanos;
use svc_engine::money::cell::Cell;
use svc_engine::money::rating::{Level, Levels};

macro_rules! charge_sql {
    ($rest:expr) => {
        concat!(
            "SELECT c.period, c.position, c.voided_by, c.id, c.item, c.attempt, c.window_id, c.meter, c.steps, c.unique_key, ",
            "c.admitted_at, c.occurred_at, c.charge_nanos, c.remainder_nanos, c.transaction_id FROM charges c ",
            $rest
        )
    };
}

/// One of a period's charges on a cell that were not voided, by when they happened. What time did is none of them.
macro_rules! neighbour_sql {
    ($compare:literal, $order:literal) => {
        charge_sql!(concat!(
            "WHERE c.business_id = ?1 AND c.subscription_id = ?2 AND c.period = ?3 AND c.meter = ?4 AND c.voided_by IS NULL AND c.item NOT LIKE '\u{1}time %'
             AND CASE WHEN c.occurred_at < c.admitted_at THEN c.occurred_at ELSE c.admitted_at END ",
            $compare,
            " ?5 AND NOT EXISTS (
                SELECT 1 FROM charges v WHERE v.business_id = c.business_id AND v.subscription_id = c.subscription_id AND v.item = c.item AND v.attempt = c.attempt
                AND v.meter = c.meter AND v.voided_by IS NOT NULL)
             ORDER BY CASE WHEN c.occurred_at < c.admitted_at THEN c.occurred_at ELSE c.admitted_at END ",
            $order,
            ", c.position DESC LIMIT 1"
        ))
    };
}

fn charge(row: &mut Row) -> StoreResult<Charge> {
    Ok(Charge {
        period: row.get("period")?,
        position: row.get("position")?,
        voided_by: row.get("voided_by")?,
        id: row.get("id")?,
        item: row.get("item")?,
        attempt: row.get("attempt")?,
        window: row.get("window_id")?,
        cell: row.get("meter")?,
        units: row.get("steps")?,
        unique_key: row.get("unique_key")?,
        admitted_at: row.get("admitted_at")?,
        occurred_at: row.get("occurred_at")?,
        charge: row.get("charge_nanos")?,
        remainder: row.get("remainder_nanos")?,
        transaction: row.get("transaction_id")?,
    })
}

/// Four columns: units, when they were set, units of a pool, area.
pub(crate) fn level(row: &mut Row) -> StoreResult<Level> {
    let (units, as_of, pooled) = (row.get("steps")?, row.get("as_of")?, row.get("pooled_steps")?);
    Ok(Level { units, as_of, pooled, area: row.get::<Option<i128>>("area")?.unwrap_or_default() })
}

/// Eleven columns: business, subscription, id, period, start, end, release, plan, count of charges, rated, until when.
pub(crate) fn window(row: &mut Row) -> StoreResult<StoredWindow> {
    let subscription = SubscriptionKey { business: row.get("business_id")?, id: row.get("subscription_id")? };
    Ok(StoredWindow {
        id: row.get("id")?,
        subscription,
        period: row.get("period")?,
        start: row.get("window_start")?,
        end: row.get("window_end")?,
        release: row.get("release_id")?,
        plan: row.get("plan")?,
        charge_count: row.get("charge_count")?,
        rated: row.get("rated_nanos")?,
        rated_until: row.get("rated_until")?,
    })
}

impl<C: Connection> Tx<C> {
    /// The windows of a period, oldest first.
    pub async fn windows(&mut self, subscription: &SubscriptionKey, period: u32) -> StoreResult<Vec<StoredWindow>> {
        let sql =
            sql!("SELECT business_id, subscription_id, id, period, window_start, window_end, release_id, plan, charge_count, rated_nanos,
                   rated_until FROM windows WHERE business_id = ?1 AND subscription_id = ?2 AND period = ?3 ORDER BY window_start, id");
        self.all(sql, values![subscription.business.clone(), subscription.id.clone(), period], window).await
    }

    /// Stores a window, or its new state.
    pub async fn put_window(&mut self, window: &StoredWindow) -> StoreResult<()> {
        let sql = sql!("INSERT INTO windows (business_id, id, subscription_id, period, window_start, window_end, release_id, plan, charge_count, rated_nanos, rated_until)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (business_id, id) DO UPDATE SET window_end = excluded.window_end,
                   charge_count = excluded.charge_count, rated_nanos = excluded.rated_nanos, rated_until = excluded.rated_until");
        let w = window.clone();
        let values = values![
            w.subscription.business,
            w.id,
            w.subscription.id,
            w.period,
            w.start,
            w.end,
            w.release,
            w.plan,
            w.charge_count,
            w.rated,
            w.rated_until
        ];
        self.0.write(sql, values).await
    }

    /// The levels that the cells of a period's windows have reached, by window.
    pub async fn levels(&mut self, subscription: &SubscriptionKey, period: u32) -> StoreResult<BTreeMap<Id, Levels>> {
        // As a join, SQLite goes through the levels of all the business's subscribers.
        let sql = sql!(
            "SELECT window_id, meter, steps, as_of, pooled_steps, area FROM window_levels
                   WHERE business_id = ?1 AND window_id IN
                   (SELECT id FROM windows WHERE business_id = ?1 AND subscription_id = ?2 AND period = ?3)"
        );
        let read = |row: &mut Row| Ok((row.get::<Id>("window_id")?, row.get::<Cell>("meter")?, level(row)?));
        let mut levels: BTreeMap<Id, Levels> = BTreeMap::new();
        for (window, meter, level) in
            self.all(sql, values![subscription.business.clone(), subscription.id.clone(), period], read).await?
        {
            levels.entry(window).or_default().insert(meter, level);
        }
        Ok(levels)
    }

    /// Keeps the levels of a window.
    pub async fn put_levels(&mut self, window: &StoredWindow, levels: &Levels) -> StoreResult<()> {
        let sql = rows_sql!("INSERT INTO window_levels (business_id, window_id, meter, steps, as_of, pooled_steps, area) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                   ON CONFLICT (business_id, window_id, meter) DO UPDATE SET steps = excluded.steps, as_of = excluded.as_of,
                   pooled_steps = excluded.pooled_steps, area = excluded.area", text text text text timestamptz text text);
        let row = |(cell, level): (&Cell, &Level)| {
            values![
                window.subscription.business.clone(),
                window.id.clone(),
                cell.clone(),
                level.units,
                level.as_of,
                level.pooled,
                (level.area != 0).then_some(level.area)
            ]
        };
        self.0.write_rows(sql, levels.iter().map(row).collect()).await
    }

    /// Which of these keys a period has counted, with what counted them.
    pub async fn period_keys(
        &mut self,
        subscription: &SubscriptionKey,
        period: u32,
        keys: Vec<String>,
    ) -> StoreResult<BTreeSet<(Cell, String)>> {
        let sql = sql!("SELECT meter, unique_key FROM period_keys
                   WHERE business_id = ?1 AND subscription_id = ?2 AND period = ?3 AND unique_key IN (SELECT value FROM json_each(?4))");
        let values = values![subscription.business.clone(), subscription.id.clone(), period, keys];
        let found = self.all(sql, values, |row| Ok((row.get("meter")?, row.get("unique_key")?))).await?;
        Ok(found.into_iter().collect())
    }

    /// Notes keys that a period has counted.
    pub async fn insert_period_keys(
        &mut self,
        subscription: &SubscriptionKey,
        period: u32,
        keys: &[(Cell, String)],
    ) -> StoreResult<()> {
        let sql = rows_sql!("INSERT INTO period_keys (business_id, subscription_id, period, meter, unique_key) VALUES (?1, ?2, ?3, ?4, ?5)", text text int8 text text);
        let row = |(cell, key): &(Cell, String)| {
            values![subscription.business.clone(), subscription.id.clone(), period, cell.clone(), key.clone()]
        };
        self.0.write_rows(sql, keys.iter().map(row).collect()).await
    }

    /// Forgets a key that a period counts no more.
    pub async fn remove_period_key(
        &mut self,
        subscription: &SubscriptionKey,
        period: u32,
        cell: &Cell,
        key: &str,
    ) -> StoreResult<()> {
        let sql = sql!(
            "DELETE FROM period_keys WHERE business_id = ?1 AND subscription_id = ?2 AND period = ?3 AND meter = ?4 AND unique_key = ?5"
        );
        self.0
            .write(
                sql,
                values![subscription.business.clone(), subscription.id.clone(), period, cell.clone(), key.to_owned()],
            )
            .await
    }

    /// The admitted usage items of a subject among these ids.
    pub async fn usage_items(
        &mut self,
        business: &Id,
        subject: &str,
        ids: Vec<String>,
    ) -> StoreResult<Vec<UsageItemRecord>> {
        let sql = sql!(
            "SELECT id, subscription_id, fingerprint, charges, attempt, refunded_by FROM usage_items
                   WHERE business_id = ?1 AND subject = ?2 AND id IN (SELECT value FROM json_each(?3))"
        );
        self.all(sql, values![business.clone(), subject.to_owned(), ids], |row| {
            Ok(UsageItemRecord {
                id: row.get("id")?,
                subscription: row.get("subscription_id")?,
                fingerprint: row.get("fingerprint")?,
                charges: row.get("charges")?,
                attempt: row.get("attempt")?,
                refunded_by: row.get("refunded_by")?,
            })
        })
        .await
    }

    /// Keeps a subject's usage items, or their new state.
    pub async fn put_usage_items(
        &mut self,
        business: &Id,
        subject: &str,
        items: &[UsageItemRecord],
    ) -> StoreResult<()> {
        let sql = rows_sql!("INSERT INTO usage_items (business_id, subject, id, subscription_id, fingerprint, charges, attempt, refunded_by)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (business_id, subject, id) DO UPDATE SET
                   subscription_id = excluded.subscription_id, fingerprint = excluded.fingerprint, charges = excluded.charges,
                   attempt = excluded.attempt, refunded_by = excluded.refunded_by", text text text text text int8 int8 text);
        let row = |item: &UsageItemRecord| {
            let UsageItemRecord { id, subscription, fingerprint, charges, attempt, refunded_by } = item.clone();
            let subject = subject.to_owned();
            values![business.clone(), subject, id, subscription, fingerprint, charges, attempt, refunded_by]
        };
        // Of a new one there is no row, unless another server admits it to another subscription of the subject at this very moment: then this
        // transaction is stopped, and finds it known.
        let new = rows_sql!("INSERT INTO usage_items (business_id, subject, id, subscription_id, fingerprint, charges, attempt, refunded_by)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", text text text text text int8 int8 text);
        let is_new = |item: &&UsageItemRecord| item.attempt == 1 && item.refunded_by.is_none();
        self.0.write_rows(new, items.iter().filter(is_new).map(row).collect()).await?;
        self.0.write_rows(sql, items.iter().filter(|item| !is_new(item)).map(row).collect()).await
    }

    /// Keeps charges and voids.
    pub async fn insert_charges(&mut self, subscription: &SubscriptionKey, charges: &[Charge]) -> StoreResult<()> {
        let sql = rows_sql!("INSERT INTO charges (business_id, subscription_id, period, position, voided_by, id, item, attempt, window_id, meter, steps,
                   unique_key, admitted_at, occurred_at, charge_nanos, remainder_nanos, transaction_id)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)", text text int8 int8 text text text int8 text text text text timestamptz timestamptz text text text);
        let row = |charge: &Charge| {
            let c = charge.clone();
            values![
                subscription.business.clone(),
                subscription.id.clone(),
                c.period,
                c.position,
                c.voided_by,
                c.id,
                c.item,
                c.attempt,
                c.window,
                c.cell,
                c.units,
                c.unique_key,
                c.admitted_at,
                c.occurred_at,
                c.charge,
                c.remainder,
                c.transaction,
            ]
        };
        self.0.write_rows(sql, charges.iter().map(row).collect()).await
    }

    /// The charges that an item made at an attempt, in order.
    pub async fn charges_of_item(
        &mut self,
        subscription: &SubscriptionKey,
        item: &str,
        attempt: u32,
    ) -> StoreResult<Vec<Charge>> {
        let sql = sql!(charge_sql!(
            "WHERE c.business_id = ?1 AND c.subscription_id = ?2 AND c.item = ?3 AND c.attempt = ?4 AND c.voided_by IS NULL ORDER BY c.position"
        ));
        self.all(sql, values![subscription.business.clone(), subscription.id.clone(), item.to_owned(), attempt], charge)
            .await
    }

    /// The charges of a period on these cells that were not voided, in order.
    pub async fn charges_of_cells(
        &mut self,
        subscription: &SubscriptionKey,
        period: u32,
        cells: Vec<String>,
    ) -> StoreResult<Vec<Charge>> {
        let sql = sql!(charge_sql!(
            "WHERE c.business_id = ?1 AND c.subscription_id = ?2 AND c.period = ?3 AND c.meter IN (SELECT value FROM json_each(?4)) AND c.voided_by IS NULL AND NOT EXISTS (
                SELECT 1 FROM charges v WHERE v.business_id = c.business_id AND v.subscription_id = c.subscription_id AND v.item = c.item AND v.attempt = c.attempt
                AND v.meter = c.meter AND v.voided_by IS NOT NULL) ORDER BY c.position"
        ));
        self.all(sql, values![subscription.business.clone(), subscription.id.clone(), period, cells], charge).await
    }

    /// What a period's reports on a cell say around a moment, as they came: the newest at or before it, and the next one after it, by when they
    /// happened; of several for one moment the one that came last.
    pub async fn levels_around(
        &mut self,
        subscription: &SubscriptionKey,
        period: u32,
        cell: &Cell,
        at: Timestamp,
    ) -> StoreResult<Vec<Charge>> {
        let (before, after) = (sql!(neighbour_sql!("<=", "DESC")), sql!(neighbour_sql!(">", "ASC")));
        let values = || {
            let SubscriptionKey { business, id } = subscription.clone();
            values![business, id, period, cell.clone(), at]
        };
        let mut found = self.all(before, values(), charge).await?;
        found.extend(self.all(after, values(), charge).await?);
        Ok(found)
    }

    /// Up to `most` charges and voids of a period, from a position on, in order.
    pub async fn charges(
        &mut self,
        subscription: &SubscriptionKey,
        period: u32,
        from: u64,
        most: u32,
    ) -> StoreResult<Vec<Charge>> {
        let sql = sql!(charge_sql!(
            "WHERE c.business_id = ?1 AND c.subscription_id = ?2 AND c.period = ?3 AND c.position >= ?4 ORDER BY c.position LIMIT ?5"
        ));
        self.all(sql, values![subscription.business.clone(), subscription.id.clone(), period, from, most], charge).await
    }

    /// What each bucket has paid for a period's usage and not got back, voids that were posted later among it.
    pub async fn paid_by_buckets(
        &mut self,
        subscription: &SubscriptionKey,
        period: u32,
    ) -> StoreResult<Vec<(String, Nanos)>> {
        let sql = sql!("SELECT p.account, p.amount_nanos FROM ledger_postings p WHERE p.business_id = ?1 AND p.account LIKE 'funding:%' AND p.transaction_id IN (
                   SELECT c.transaction_id FROM charges c WHERE c.business_id = ?1 AND c.subscription_id = ?2 AND c.period = ?3)");
        self.all(sql, values![subscription.business.clone(), subscription.id.clone(), period], |row| {
            Ok((row.get("account")?, row.get("amount_nanos")?))
        })
        .await
    }

    /// The postings to revenue by which a period's usage was earned, voids that were posted later among them.
    pub async fn earned_by_usage(&mut self, subscription: &SubscriptionKey, period: u32) -> StoreResult<Vec<Nanos>> {
        let sql = sql!("SELECT p.amount_nanos FROM ledger_postings p WHERE p.business_id = ?1 AND p.account = 'revenue' AND p.transaction_id IN (
                   SELECT c.transaction_id FROM charges c WHERE c.business_id = ?1 AND c.subscription_id = ?2 AND c.period = ?3)");
        self.all(sql, values![subscription.business.clone(), subscription.id.clone(), period], |row| {
            row.get("amount_nanos")
        })
        .await
    }
}
