//! A subscription's money at once: everything that a bill or an account needs, in one query, whose state is one moment's.

use crate::error::{StoreError, StoreResult};
use crate::records::{Hold, Id, StoredPeriod, StoredWindow, SubscriptionKey, Transition};
use crate::subscriptions::{fee_of, totals};
use crate::transaction::{Connection, Tx};
use crate::value::values;
use crate::value::{Row, Value};
use jiff::Timestamp;
use svc_engine::money::bucket::Bucket;
use svc_engine::money::fee::PeriodFee;

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

/// Columns: the part, thirteen texts, four integers, five moments; each part reads those it fills.
macro_rules! position_sql {
    ($subscription:literal, $more:expr) => {
        concat!(
            "WITH s AS (
                SELECT s.id, s.release_id AS served, s.plan AS served_plan, s.next_due_at, p.*
                FROM subscriptions s JOIN periods p ON p.business_id = ?1 AND p.subscription_id = s.id AND p.period = s.period
                WHERE s.business_id = ?1 AND ",
            $subscription,
            ")
            SELECT CAST(0 AS BIGINT) AS part, s.id AS t1, s.release_id AS t2, s.plan AS t3, s.receivable_nanos AS t4,
                s.fee_adjustment_nanos AS t5, s.funded_nanos AS t6, s.prepaid_nanos AS t7, s.owed_nanos AS t8, s.unbilled_nanos AS t9,
                s.invoice_id AS t10, j.body AS t11, j.hash AS t12, s.fee AS t13, s.recurring_fee_cents AS i1, s.current_fee_cents AS i2,
                s.period AS i3, s.entries AS i4, s.next_due_at AS m1, s.period_start AS m2, s.period_end AS m3, s.planned_end AS m4,
                s.charged_from AS m5
            FROM s LEFT JOIN releases r ON r.business_id = ?1 AND r.id = s.served AND r.activated_at IS NOT NULL
            LEFT JOIN projections j ON j.business_id = ?1 AND j.release_id = r.id AND j.plan = s.served_plan
            UNION ALL
            SELECT 1, w.id, w.release_id, w.plan, w.rated_nanos, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                w.charge_count, w.period, NULL, NULL, w.window_start, w.window_end, w.rated_until, NULL, NULL
            FROM s JOIN windows w ON w.business_id = ?1 AND w.subscription_id = s.id AND w.period = s.period
            UNION ALL
            SELECT 2, b.id, b.origin, b.kind, b.state, b.granted_nanos, b.remaining_nanos, b.held_nanos, b.consumed_nanos, b.paid_nanos,
                b.price_nanos, b.display, b.meters, NULL, NULL, NULL, b.given_in, b.number, NULL, b.expires_at, NULL, NULL, NULL
            FROM s JOIN buckets b ON b.business_id = ?1 AND b.subscription_id = s.id AND (b.last_period IS NULL OR b.last_period >= s.period)",
            $more,
            " ORDER BY part, m1, i4, t1"
        )
    };
}

const OF_SUBJECT: &str = position_sql!("s.subject = ?2 AND s.cancelled_at IS NULL", "");
const OF_SUBSCRIPTION: &str = position_sql!(
    "s.id = ?2",
    " UNION ALL
    SELECT 3, h.id, h.fingerprint, h.parts, h.state, h.owed_nanos, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        h.expires_at, NULL, NULL, NULL, NULL
    FROM s JOIN holds h ON h.business_id = ?1 AND h.subscription_id = s.id AND h.state = 'open'
    UNION ALL
    SELECT 4, t.id, t.migration_id, t.to_release, t.to_plan, t.proration, t.state, NULL, NULL, NULL, NULL, NULL, NULL, NULL, t.keeps_fee, NULL, NULL, NULL, t.due_at, NULL, NULL, NULL, NULL
    FROM s JOIN transitions t ON t.business_id = ?1 AND t.subscription_id = s.id AND t.state IN ('offered', 'pending')"
);

impl<C: Connection> Tx<C> {
    /// The position of a subject's live subscription, without holds and transition.
    pub async fn position_of(&mut self, business: &Id, subject: &str) -> StoreResult<Option<StoredPosition>> {
        self.position(business, OF_SUBJECT, values![business.clone(), subject.to_owned()]).await
    }

    /// The position of a subscription. Under the subscription's lock it does not change until the end.
    pub async fn position_of_subscription(
        &mut self,
        subscription: &SubscriptionKey,
    ) -> StoreResult<Option<StoredPosition>> {
        self.position(
            &subscription.business,
            OF_SUBSCRIPTION,
            values![subscription.business.clone(), subscription.id.clone()],
        )
        .await
    }

    async fn position(
        &mut self,
        business: &Id,
        sql: &'static str,
        values: Vec<Value>,
    ) -> StoreResult<Option<StoredPosition>> {
        let mut rows = self.0.query(sql, values).await?.into_iter();
        let Some(mut first) = rows.next() else { return Ok(None) };
        if first.get::<i64>()? != 0 {
            return Err(StoreError::Row("a subscription's open period is missing".to_owned()));
        }
        let mut position = head(&mut first, business)?;
        for mut row in rows {
            match row.get::<i64>()? {
                1 => position.windows.push(window(&mut row, &position.period.subscription)?),
                2 => position.buckets.push(bucket(&mut row)?),
                3 => position.holds.push(hold(&mut row, &position.period.subscription)?),
                _ => position.transition = Some(transition(&mut row, &position.period.subscription)?),
            }
        }
        Ok(Some(position))
    }
}

fn head(row: &mut Row, business: &Id) -> StoreResult<StoredPosition> {
    let subscription = SubscriptionKey { business: business.clone(), id: row.get()? };
    let (release, plan) = (row.get()?, row.get()?);
    let totals = totals(row)?;
    let invoice = row.get()?;
    let (body, hash) = (row.get::<Option<String>>()?, row.get::<Option<String>>()?);
    // The pin comes behind what is read with it.
    let fee: Option<PeriodFee> = row.get()?;
    let (recurring_fee_cents, current_fee_cents, index, entries) = (row.get()?, row.get()?, row.get()?, row.get()?);
    let (next_due_at, start, end) = (row.get()?, row.get()?, row.get()?);
    let (planned_end, charged_from) = (row.get()?, row.get()?);
    let period = StoredPeriod {
        subscription,
        index,
        start,
        end,
        planned_end,
        charged_from,
        release,
        plan,
        recurring_fee_cents,
        current_fee_cents,
        fee: fee_of(fee, recurring_fee_cents),
        totals,
        entries,
        invoice,
    };
    let (windows, buckets, holds, transition) = Default::default();
    Ok(StoredPosition { next_due_at, period, projection: body.zip(hash), windows, buckets, holds, transition })
}

fn window(row: &mut Row, subscription: &SubscriptionKey) -> StoreResult<StoredWindow> {
    let (id, release, plan, rated) = (row.get()?, row.get()?, row.get()?, row.get()?);
    row.skip(9);
    let (charge_count, period) = (row.get()?, row.get()?);
    row.skip(2);
    let (start, end, rated_until) = (row.get()?, row.get()?, row.get()?);
    let subscription = subscription.clone();
    Ok(StoredWindow { id, subscription, period, start, end, release, plan, charge_count, rated, rated_until })
}

fn bucket(row: &mut Row) -> StoreResult<Bucket> {
    let (id, origin, kind, state) = (row.get()?, row.get()?, row.get()?, row.get()?);
    let (granted, remaining, held, consumed) = (row.get()?, row.get()?, row.get()?, row.get()?);
    let (paid, price, display) = (row.get()?, row.get()?, row.get()?);
    let meters = row.get()?;
    row.skip(3);
    let (given_in, number) = (row.get()?, row.get()?);
    row.skip(1);
    let expires_at = row.get()?;
    Ok(Bucket {
        id,
        number,
        origin,
        given_in,
        kind,
        state,
        granted,
        remaining,
        held,
        consumed,
        paid,
        price,
        expires_at,
        display,
        meters,
    })
}

fn hold(row: &mut Row, subscription: &SubscriptionKey) -> StoreResult<Hold> {
    let (id, fingerprint, parts, state, owed) = (row.get()?, row.get()?, row.get()?, row.get()?, row.get()?);
    row.skip(12);
    Ok(Hold { id, subscription: subscription.clone(), fingerprint, parts, owed, state, expires_at: row.get()? })
}

fn transition(row: &mut Row, subscription: &SubscriptionKey) -> StoreResult<Transition> {
    let (id, migration, to_release, to_plan) = (row.get()?, row.get()?, row.get()?, row.get()?);
    let (proration, state) = (row.get()?, row.get()?);
    row.skip(7);
    let keeps_fee = row.get::<Option<bool>>()?.unwrap_or_default();
    row.skip(3);
    let due_at = row.get()?;
    let subscription = subscription.clone();
    Ok(Transition { id, migration, subscription, to_release, to_plan, proration, keeps_fee, due_at, state })
}
