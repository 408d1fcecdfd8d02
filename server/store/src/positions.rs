//! A subscription's money at once: everything that a bill or an account needs, in one query, whose state is one moment's.

use crate::error::{StoreError, StoreResult};
use crate::ledger::bucket;
use crate::records::{Hold, Id, StoredPeriod, StoredWindow, SubscriptionKey, Transition};
use crate::statement::sql;
use crate::subscriptions::{fee_of, totals};
use crate::transaction::{Connection, Tx};
use crate::value::{Row, values};
use jiff::Timestamp;
use std::collections::BTreeMap;
use svc_engine::money::bucket::Bucket;

/// A subscription's open period, with all that belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPosition {
    /// When time next does something to the subscription.
    pub next_due_at: Option<Timestamp>,
    /// The period.
    pub period: StoredPeriod,
    /// Text and hash of the projection it is served under, as it is kept; nothing where any lookup misses.
    pub projection: Option<(String, String)>,
    /// Windows of the period, oldest first.
    pub windows: Vec<StoredWindow>,
    /// Buckets that something is in, or was in the period; in the order in which they were given.
    pub buckets: Vec<Bucket>,
    /// Open holds, by id. Only for an account.
    pub holds: Vec<Hold>,
    /// The transition that has not ended. Only for an account.
    pub transition: Option<Transition>,
}

/// Columns that one part alone has, as one part of the query has them that is of another.
macro_rules! nulls {
    (period) => {
        "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
    };
    (window) => {
        "NULL, NULL, NULL"
    };
    (bucket) => {
        "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
    };
    (hold) => {
        "NULL, NULL"
    };
    (transition) => {
        "NULL, NULL, NULL, NULL"
    };
}

/// Everything of subscriptions that a condition on `s` names, of each its period first. What several parts have stands in columns that they
/// share; what one part alone has, in its own.
macro_rules! position_sql {
    ($subscriptions:literal, $more:expr) => {
        concat!(
            "WITH s AS (
                SELECT s.id, s.release_id AS served, s.plan AS served_plan, s.next_due_at, p.*
                FROM subscriptions s JOIN periods p ON p.business_id = ?1 AND p.subscription_id = s.id AND p.period = s.period
                WHERE s.business_id = ?1 AND ",
            $subscriptions,
            ")
            SELECT CAST(0 AS BIGINT) AS part, s.subscription_id, s.subscription_id AS id, s.release_id, s.plan, CAST(NULL AS TEXT) AS state,
                s.owed_nanos, s.period, s.period_start AS starts_at, s.period_end AS ends_at, CAST(NULL AS TIMESTAMPTZ) AS expires_at,
                s.next_due_at, s.planned_end, s.charged_from, s.recurring_fee_cents, s.current_fee_cents, s.receivable_nanos,
                s.fee_adjustment_nanos, s.funded_nanos, s.prepaid_nanos, s.unbilled_nanos, s.entries, s.invoice_id, s.fee, s.own_most_cents,
                j.body AS projection, j.hash AS projection_hash,
                CAST(NULL AS TEXT) AS rated_nanos, CAST(NULL AS BIGINT) AS charge_count, CAST(NULL AS TIMESTAMPTZ) AS rated_until,
                CAST(NULL AS BIGINT) AS number, CAST(NULL AS TEXT) AS origin, CAST(NULL AS TEXT) AS kind, CAST(NULL AS TEXT) AS granted_nanos,
                CAST(NULL AS TEXT) AS remaining_nanos, CAST(NULL AS TEXT) AS held_nanos, CAST(NULL AS TEXT) AS consumed_nanos,
                CAST(NULL AS TEXT) AS paid_nanos, CAST(NULL AS TEXT) AS price_nanos, CAST(NULL AS TEXT) AS display,
                CAST(NULL AS TEXT) AS meters, CAST(NULL AS BIGINT) AS given_in,
                CAST(NULL AS TEXT) AS fingerprint, CAST(NULL AS TEXT) AS parts,
                CAST(NULL AS TEXT) AS migration_id, CAST(NULL AS TEXT) AS proration, CAST(NULL AS BIGINT) AS keeps_fee,
                CAST(NULL AS TIMESTAMPTZ) AS due_at
            FROM s LEFT JOIN releases r ON r.business_id = ?1 AND r.id = s.served AND r.activated_at IS NOT NULL
            LEFT JOIN projections j ON j.business_id = ?1 AND j.release_id = r.id AND j.plan = s.served_plan
            UNION ALL
            SELECT 1, s.id, w.id, w.release_id, w.plan, NULL, NULL, w.period, w.window_start, w.window_end, NULL, ",
            nulls!(period), ", w.rated_nanos, w.charge_count, w.rated_until, ", nulls!(bucket), ", ", nulls!(hold), ", ", nulls!(transition),
            " FROM s JOIN windows w ON w.business_id = ?1 AND w.subscription_id = s.id AND w.period = s.period
            UNION ALL
            SELECT 2, s.id, b.id, NULL, NULL, b.state, NULL, NULL, NULL, NULL, b.expires_at, ",
            nulls!(period), ", ", nulls!(window), ", b.number, b.origin, b.kind, b.granted_nanos, b.remaining_nanos, b.held_nanos,
                b.consumed_nanos, b.paid_nanos, b.price_nanos, b.display, b.meters, b.given_in, ", nulls!(hold), ", ", nulls!(transition),
            " FROM s JOIN buckets b ON b.business_id = ?1 AND b.subscription_id = s.id AND (b.last_period IS NULL OR b.last_period >= s.period)",
            $more,
            " ORDER BY subscription_id, part, number, starts_at, id"
        )
    };
}

/// The parts that only an account needs.
macro_rules! account_sql {
    () => {
        concat!(
            " UNION ALL
            SELECT 3, s.id, h.id, NULL, NULL, h.state, h.owed_nanos, NULL, NULL, NULL, h.expires_at, ",
            nulls!(period), ", ", nulls!(window), ", ", nulls!(bucket), ", h.fingerprint, h.parts, ", nulls!(transition),
            " FROM s JOIN holds h ON h.business_id = ?1 AND h.subscription_id = s.id AND h.state = 'open'
            UNION ALL
            SELECT 4, s.id, t.id, t.to_release, t.to_plan, t.state, NULL, NULL, NULL, NULL, NULL, ",
            nulls!(period), ", ", nulls!(window), ", ", nulls!(bucket), ", ", nulls!(hold), ", t.migration_id, t.proration, t.keeps_fee, t.due_at
            FROM s JOIN transitions t ON t.business_id = ?1 AND t.subscription_id = s.id AND t.state IN ('offered', 'pending')"
        )
    };
}

impl<C: Connection> Tx<C> {
    /// The position of a subject's live subscription, without holds and transition.
    pub async fn position_of(&mut self, business: &Id, subject: &str) -> StoreResult<Option<StoredPosition>> {
        let sql = sql!(position_sql!("s.subject = ?2 AND s.cancelled_at IS NULL", ""));
        let found = self.0.query(sql, values![business.clone(), subject.to_owned()]).await?;
        Ok(positions(business, found)?.pop())
    }

    /// The position of a subscription. Under the subscription's lock it does not change until the end.
    pub async fn position_of_subscription(
        &mut self,
        subscription: &SubscriptionKey,
    ) -> StoreResult<Option<StoredPosition>> {
        let sql = sql!(position_sql!("s.id = ?2", account_sql!()));
        let SubscriptionKey { business, id } = subscription.clone();
        let found = self.0.query(sql, values![business, id]).await?;
        Ok(positions(&subscription.business, found)?.pop())
    }

    /// The positions of subscriptions of a business, by their ids. Under the subscriptions' locks they do not change until the end.
    pub async fn positions_of_subscriptions(
        &mut self,
        business: &Id,
        ids: Vec<String>,
    ) -> StoreResult<BTreeMap<Id, StoredPosition>> {
        let sql = sql!(position_sql!("s.id IN (SELECT value FROM json_each(?2))", account_sql!()));
        let found = self.0.query(sql, values![business.clone(), ids]).await?;
        let by_id = |position: StoredPosition| (position.period.subscription.id.clone(), position);
        Ok(positions(business, found)?.into_iter().map(by_id).collect())
    }
}

/// Rows as positions, by their subscriptions' ids.
fn positions(business: &Id, rows: Vec<Row>) -> StoreResult<Vec<StoredPosition>> {
    let mut positions: Vec<StoredPosition> = Vec::new();
    for mut row in rows {
        let (part, id): (i64, Id) = (row.get("part")?, row.get("subscription_id")?);
        let subscription = SubscriptionKey { business: business.clone(), id };
        if part == 0 {
            positions.push(head(&mut row, subscription)?);
            continue;
        }
        let is_its = |position: &&mut StoredPosition| position.period.subscription == subscription;
        let position = positions.last_mut().filter(is_its);
        let position = position.ok_or_else(|| StoreError::Row("a subscription's open period is missing".to_owned()))?;
        match part {
            1 => position.windows.push(window(&mut row, subscription)?),
            2 => position.buckets.push(bucket(&mut row)?),
            3 => position.holds.push(hold(&mut row, subscription)?),
            _ => position.transition = Some(transition(&mut row, subscription)?),
        }
    }
    Ok(positions)
}

fn head(row: &mut Row, subscription: SubscriptionKey) -> StoreResult<StoredPosition> {
    let (body, hash) = (row.get::<Option<String>>("projection")?, row.get::<Option<String>>("projection_hash")?);
    let recurring_fee_cents = row.get("recurring_fee_cents")?;
    let period = StoredPeriod {
        subscription,
        index: row.get("period")?,
        start: row.get("starts_at")?,
        end: row.get("ends_at")?,
        planned_end: row.get("planned_end")?,
        charged_from: row.get("charged_from")?,
        release: row.get("release_id")?,
        plan: row.get("plan")?,
        recurring_fee_cents,
        current_fee_cents: row.get("current_fee_cents")?,
        fee: fee_of(row.get("fee")?, recurring_fee_cents),
        own_most_cents: row.get("own_most_cents")?,
        totals: totals(row)?,
        entries: row.get("entries")?,
        invoice: row.get("invoice_id")?,
    };
    let (windows, buckets, holds, transition) = Default::default();
    let next_due_at = row.get("next_due_at")?;
    Ok(StoredPosition { next_due_at, period, projection: body.zip(hash), windows, buckets, holds, transition })
}

fn window(row: &mut Row, subscription: SubscriptionKey) -> StoreResult<StoredWindow> {
    Ok(StoredWindow {
        id: row.get("id")?,
        subscription,
        period: row.get("period")?,
        start: row.get("starts_at")?,
        end: row.get("ends_at")?,
        release: row.get("release_id")?,
        plan: row.get("plan")?,
        charge_count: row.get("charge_count")?,
        rated: row.get("rated_nanos")?,
        rated_until: row.get("rated_until")?,
    })
}

fn hold(row: &mut Row, subscription: SubscriptionKey) -> StoreResult<Hold> {
    Ok(Hold {
        id: row.get("id")?,
        subscription,
        fingerprint: row.get("fingerprint")?,
        parts: row.get("parts")?,
        owed: row.get("owed_nanos")?,
        state: row.get("state")?,
        expires_at: row.get("expires_at")?,
    })
}

fn transition(row: &mut Row, subscription: SubscriptionKey) -> StoreResult<Transition> {
    Ok(Transition {
        id: row.get("id")?,
        migration: row.get("migration_id")?,
        subscription,
        to_release: row.get("release_id")?,
        to_plan: row.get("plan")?,
        proration: row.get("proration")?,
        keeps_fee: row.get::<Option<bool>>("keeps_fee")?.unwrap_or_default(),
        due_at: row.get("due_at")?,
        state: row.get("state")?,
    })
}
