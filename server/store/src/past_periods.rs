//! Periods of many subscriptions at once, in pages: what comparing a business's bills reads. Nothing is locked.

use crate::error::StoreResult;
use crate::ledger::bucket;
use crate::records::{Id, StoredPeriod, StoredWindow, SubscriptionKey};
use crate::statement::sql;
use crate::subscriptions::period;
use crate::transaction::{Connection, Tx};
use crate::usage::{by_window, level, window};
use crate::value::{Row, values};
use jiff::Timestamp;
use std::collections::BTreeMap;
use svc_engine::money::bucket::Bucket;
use svc_engine::money::cell::Cell;
use svc_engine::money::rating::Levels;

/// Which period of each subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhichPeriod {
    /// The one that is open.
    Open,
    /// The newest that has ended.
    Last,
}

/// A live subscription's period, with what names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscribersPeriod {
    /// The subscriber.
    pub subject: String,
    /// The period of the subscription that is open.
    pub open: u32,
    /// The period.
    pub period: StoredPeriod,
}

macro_rules! subscribers_period_sql {
    ($which:literal) => {
        concat!(
            "SELECT s.subject, s.period AS open_period, p.business_id, p.subscription_id, p.period, p.period_start, p.period_end, p.planned_end, p.charged_from,
             p.release_id, p.plan, p.recurring_fee_cents, p.current_fee_cents, p.receivable_nanos, p.fee_adjustment_nanos, p.funded_nanos,
             p.prepaid_nanos, p.owed_nanos, p.unbilled_nanos, p.entries, p.invoice_id, p.fee, p.own_most_cents
             FROM subscriptions s JOIN /*pg LATERAL (SELECT * FROM */ periods p
             /*pg WHERE p.business_id = ?1 AND p.subscription_id = s.id AND ",
            $which,
            " OFFSET 0) p */ ON p.business_id = ?1 AND p.subscription_id = s.id
             WHERE s.business_id = ?1 AND s.cancelled_at IS NULL AND s.id > ?2 AND ",
            $which,
            " ORDER BY s.id LIMIT ?4"
        )
    };
}

/// Rows that belong to the periods of these subscriptions: `?2` their ids, `?3` ids and numbers of the periods.
macro_rules! of_periods {
    ($columns:literal, $join:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM periods p JOIN ",
            $join,
            " WHERE p.business_id = ?1 AND p.subscription_id IN (SELECT value FROM json_each(?2))
             AND p.subscription_id || '/' || p.period IN (SELECT value FROM json_each(?3)) ",
            $rest
        )
    };
}

/// Ids of the subscriptions, and of the periods.
fn names(periods: &[SubscribersPeriod]) -> (Vec<String>, Vec<String>) {
    let id = |of: &SubscribersPeriod| of.period.subscription.id.to_string();
    let both = |of: &SubscribersPeriod| format!("{}/{}", of.period.subscription.id, of.period.index);
    (periods.iter().map(id).collect(), periods.iter().map(both).collect())
}

impl<C: Connection> Tx<C> {
    /// A period of each live subscription of a business after `after`, by the subscription's id; at most `most`. One that has no
    /// such period is left out.
    pub async fn subscribers_periods(
        &mut self,
        business: &Id,
        after: &Id,
        which: WhichPeriod,
        now: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<SubscribersPeriod>> {
        // Each names the moment, so that both take the same parameters.
        let sql = match which {
            WhichPeriod::Open => sql!(subscribers_period_sql!("p.period = s.period AND p.period_start <= ?3")),
            WhichPeriod::Last => sql!(subscribers_period_sql!(
                "p.period = (SELECT MAX(q.period) FROM periods q WHERE q.business_id = ?1 AND q.subscription_id = s.id AND q.period_end <= ?3)"
            )),
        };
        let read = |row: &mut Row| {
            Ok(SubscribersPeriod { subject: row.get("subject")?, open: row.get("open_period")?, period: period(row)? })
        };
        self.all(sql, values![business.clone(), after.clone(), now, most], read).await
    }

    /// The windows of these periods, oldest first, by subscription.
    pub async fn windows_of_periods(
        &mut self,
        business: &Id,
        periods: &[SubscribersPeriod],
    ) -> StoreResult<BTreeMap<Id, Vec<StoredWindow>>> {
        let sql = sql!(of_periods!(
            "w.business_id, w.subscription_id, w.id, w.period, w.window_start, w.window_end, w.release_id, w.plan, w.charge_count, w.rated_nanos,
             w.rated_until",
            "windows w ON w.business_id = ?1 AND w.subscription_id = p.subscription_id AND w.period = p.period",
            "ORDER BY w.subscription_id, w.window_start, w.id"
        ));
        let (ids, pairs) = names(periods);
        let mut all: BTreeMap<Id, Vec<StoredWindow>> = BTreeMap::new();
        for window in self.all(sql, values![business.clone(), ids, pairs], window).await? {
            all.entry(window.subscription.id.clone()).or_default().push(window);
        }
        Ok(all)
    }

    /// The levels that the cells of these windows have reached, by window.
    pub async fn levels_of_windows(
        &mut self,
        business: &Id,
        windows: Vec<String>,
    ) -> StoreResult<BTreeMap<Id, Levels>> {
        let sql = sql!(
            "SELECT window_id, meter, steps, as_of, pooled_steps, area FROM window_levels
                   WHERE business_id = ?1 AND window_id IN (SELECT value FROM json_each(?2))"
        );
        let read = |row: &mut Row| Ok((row.get::<Id>("window_id")?, row.get::<Cell>("meter")?, level(row)?));
        Ok(by_window(self.all(sql, values![business.clone(), windows], read).await?))
    }

    /// The buckets in which something was in one of these periods or is now, in the order in which they were given, by subscription.
    pub async fn buckets_of_periods(
        &mut self,
        business: &Id,
        periods: &[SubscribersPeriod],
    ) -> StoreResult<BTreeMap<Id, Vec<Bucket>>> {
        let sql = sql!(of_periods!(
            "b.subscription_id, b.id, b.number, b.origin, b.kind, b.state, b.granted_nanos, b.remaining_nanos, b.held_nanos, b.consumed_nanos,
             b.paid_nanos, b.price_nanos, b.expires_at, b.display, b.given_in, b.meters",
            "buckets b ON b.business_id = ?1 AND b.subscription_id = p.subscription_id AND (b.last_period IS NULL OR b.last_period >= p.period)",
            "ORDER BY b.subscription_id, b.number"
        ));
        let (ids, pairs) = names(periods);
        let read = |row: &mut Row| Ok((row.get::<Id>("subscription_id")?, bucket(row)?));
        let mut all: BTreeMap<Id, Vec<Bucket>> = BTreeMap::new();
        for (subscription, bucket) in self.all(sql, values![business.clone(), ids, pairs], read).await? {
            all.entry(subscription).or_default().push(bucket);
        }
        Ok(all)
    }

    /// The invoices that closed these periods, as JSON, by subscription.
    pub async fn invoices_of_periods(
        &mut self,
        business: &Id,
        periods: &[SubscribersPeriod],
    ) -> StoreResult<BTreeMap<Id, String>> {
        let sql = sql!(of_periods!(
            "i.subscription_id, i.body",
            "invoices i ON i.business_id = ?1 AND i.subscription_id = p.subscription_id AND i.period = p.period",
            ""
        ));
        let (ids, pairs) = names(periods);
        let read = |row: &mut Row| Ok((row.get::<Id>("subscription_id")?, row.get("body")?));
        Ok(self.all(sql, values![business.clone(), ids, pairs], read).await?.into_iter().collect())
    }

    /// How many charges of a period on a cell were not voided.
    pub async fn count_charges_of_cell(
        &mut self,
        subscription: &SubscriptionKey,
        window: &Id,
        cell: &Cell,
    ) -> StoreResult<u64> {
        let sql = sql!("SELECT COUNT(*) AS count FROM charges c WHERE c.business_id = ?1 AND c.subscription_id = ?2 AND c.window_id = ?3 AND c.meter = ?4
                   AND c.voided_by IS NULL AND NOT EXISTS (
                       SELECT 1 FROM charges v WHERE v.business_id = c.business_id AND v.subscription_id = c.subscription_id
                       AND v.item = c.item AND v.attempt = c.attempt AND v.meter = c.meter AND v.voided_by IS NOT NULL)");
        let values = values![subscription.business.clone(), subscription.id.clone(), window.clone(), cell.clone()];
        Ok(self.one(sql, values, |row| row.get("count")).await?.unwrap_or_default())
    }

    /// The period that an invoice closed: its subscription, and its number there.
    pub async fn period_of_invoice(&mut self, business: &Id, invoice: &Id) -> StoreResult<Option<(Id, u32)>> {
        let sql = sql!("SELECT subscription_id, period FROM invoices WHERE business_id = ?1 AND id = ?2");
        self.one(sql, values![business.clone(), invoice.clone()], |row| {
            Ok((row.get("subscription_id")?, row.get("period")?))
        })
        .await
    }

    /// An invoice as JSON, as it was closed.
    pub async fn invoice_body(&mut self, business: &Id, invoice: &Id) -> StoreResult<Option<String>> {
        let sql = sql!("SELECT body FROM invoices WHERE business_id = ?1 AND id = ?2");
        self.one(sql, values![business.clone(), invoice.clone()], |row| row.get("body")).await
    }

    /// How many live subscriptions a business has.
    pub async fn count_live_subscriptions(&mut self, business: &Id) -> StoreResult<u64> {
        let sql = sql!("SELECT COUNT(*) AS count FROM subscriptions WHERE business_id = ?1 AND cancelled_at IS NULL");
        Ok(self.one(sql, values![business.clone()], |row| row.get("count")).await?.unwrap_or_default())
    }
}
