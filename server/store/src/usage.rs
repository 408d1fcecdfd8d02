//! Windows, usage items and charges.

use crate::error::StoreResult;
use crate::records::{Charge, Id, StoredWindow, SubscriptionKey, UsageItemRecord};
use crate::statement::sql;
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;
use jiff::Timestamp;
use serde_json::json;
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
             AND c.window_id IN (SELECT value FROM json_each(?6)) AND CASE WHEN c.occurred_at < c.admitted_at THEN c.occurred_at ELSE c.admitted_at END ",
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

/// Levels by window. They come in the order of their cells, so each window's are put together at once and not one by one.
pub(crate) fn by_window(rows: Vec<(Id, Cell, Level)>) -> BTreeMap<Id, Levels> {
    let mut windows: BTreeMap<Id, Vec<(Cell, Level)>> = BTreeMap::new();
    for (window, cell, level) in rows {
        windows.entry(window).or_default().push((cell, level));
    }
    windows.into_iter().map(|(window, levels)| (window, levels.into_iter().collect())).collect()
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

    /// The levels that the cells of a period's windows have reached, by window.
    pub async fn levels(&mut self, subscription: &SubscriptionKey, period: u32) -> StoreResult<BTreeMap<Id, Levels>> {
        // As a join, SQLite goes through the levels of all the business's subscribers.
        let sql = sql!(
            "SELECT window_id, meter, steps, as_of, pooled_steps, area FROM window_levels
                   WHERE business_id = ?1 AND window_id IN
                   (SELECT id FROM windows WHERE business_id = ?1 AND subscription_id = ?2 AND period = ?3)"
        );
        let read = |row: &mut Row| Ok((row.get::<Id>("window_id")?, row.get::<Cell>("meter")?, level(row)?));
        let rows = self.all(sql, values![subscription.business.clone(), subscription.id.clone(), period], read).await?;
        Ok(by_window(rows))
    }

    /// Which of these keys periods have counted, with what counted them, by subscription: of each key the subscription and the period.
    pub async fn period_keys<'k>(
        &mut self,
        business: &Id,
        keys: impl IntoIterator<Item = (&'k Id, u32, &'k str)>,
    ) -> StoreResult<BTreeMap<Id, BTreeSet<(Cell, String)>>> {
        // A cross join is one in this order to SQLite, and so is what has an offset to PostgreSQL: each key is looked for, where they would go
        // through all that a business has as long as they know of few.
        let sql = sql!(
            "SELECT k.subscription_id, k.meter, k.unique_key
             FROM (SELECT value FROM json_each(?2)) a CROSS JOIN /*pg LATERAL (SELECT * FROM */ period_keys k
             WHERE k.business_id = ?1 AND k.subscription_id = a.value /*pg ::json */ ->> 0
             AND k.period = CAST(a.value /*pg ::json */ ->> 1 AS BIGINT) AND k.unique_key = a.value /*pg ::json */ ->> 2
             /*pg OFFSET 0) k */"
        );
        let asked =
            |(subscription, period, key): (&Id, u32, &str)| json!([subscription, period.to_string(), key]).to_string();
        let asked: Vec<String> = keys.into_iter().map(asked).collect();
        let read = |row: &mut Row| Ok((row.get("subscription_id")?, row.get("meter")?, row.get("unique_key")?));
        let mut found: BTreeMap<Id, BTreeSet<(Cell, String)>> = BTreeMap::new();
        for (subscription, cell, key) in self.all(sql, values![business.clone(), asked], read).await? {
            found.entry(subscription).or_default().insert((cell, key));
        }
        Ok(found)
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

    /// The admitted usage items among these, each named by its subject and its id, by subject.
    pub async fn usage_items<'i>(
        &mut self,
        business: &Id,
        items: impl IntoIterator<Item = (&'i str, &'i str)>,
    ) -> StoreResult<BTreeMap<String, Vec<UsageItemRecord>>> {
        // In this order, as above.
        let sql = sql!(
            "SELECT u.subject, u.id, u.subscription_id, u.fingerprint, u.charges, u.attempt, u.refunded_by
             FROM (SELECT value FROM json_each(?2)) a CROSS JOIN /*pg LATERAL (SELECT * FROM */ usage_items u
             WHERE u.business_id = ?1 AND u.subject = a.value /*pg ::json */ ->> 0 AND u.id = a.value /*pg ::json */ ->> 1
             /*pg OFFSET 0) u */"
        );
        let asked: BTreeSet<(&str, &str)> = items.into_iter().collect();
        let asked: Vec<String> = asked.into_iter().map(|item| json!(item).to_string()).collect();
        let read = |row: &mut Row| {
            let subject: String = row.get("subject")?;
            let item = UsageItemRecord {
                id: row.get("id")?,
                subscription: row.get("subscription_id")?,
                fingerprint: row.get("fingerprint")?,
                charges: row.get("charges")?,
                attempt: row.get("attempt")?,
                refunded_by: row.get("refunded_by")?,
            };
            Ok((subject, item))
        };
        let mut found: BTreeMap<String, Vec<UsageItemRecord>> = BTreeMap::new();
        for (subject, item) in self.all(sql, values![business.clone(), asked], read).await? {
            found.entry(subject).or_default().push(item);
        }
        Ok(found)
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

    /// What a period's reports on a cell in some of its windows say around a moment, as they came: the newest at or before it, and the next one after it, by when they
    /// happened; of several for one moment the one that came last.
    pub async fn levels_around(
        &mut self,
        subscription: &SubscriptionKey,
        period: u32,
        (cell, windows): (&Cell, &[String]),
        at: Timestamp,
    ) -> StoreResult<Vec<Charge>> {
        let (before, after) = (sql!(neighbour_sql!("<=", "DESC")), sql!(neighbour_sql!(">", "ASC")));
        let values = || {
            let SubscriptionKey { business, id } = subscription.clone();
            values![business, id, period, cell.clone(), at, windows.to_vec()]
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
