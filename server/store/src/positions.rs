//! A subscription's money at once: everything that a bill or an account needs, in one query, whose state is one moment's.

use crate::error::StoreResult;
use crate::ledger::bucket;
use crate::records::{Hold, Id, StoredPeriod, StoredWindow, SubscriptionKey, Transition};
use crate::statement::sql;
use crate::subscriptions::{fee_of, totals};
use crate::transaction::{Connection, Tx};
use crate::value::{Row, values};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_engine::money::bucket::Bucket;

/// A subscription's open period, with all that belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPosition {
    /// When time next does something to the subscription.
    pub next_due_at: Option<Timestamp>,
    /// The period.
    pub period: StoredPeriod,
    /// Text and hash of the projection it is served under, as it is kept; nothing where any lookup misses. Positions that are asked for
    /// together share the text.
    pub projection: Option<(Arc<str>, String)>,
    /// Windows of the period, oldest first.
    pub windows: Vec<StoredWindow>,
    /// Buckets that something is in, or was in the period; in the order in which they were given.
    pub buckets: Vec<Bucket>,
    /// Open holds, by id. Only for an account.
    pub holds: Vec<Hold>,
    /// The transition that has not ended. Only for an account.
    pub transition: Option<Transition>,
    /// Which version of it this is; see [`Tx::versions_of`]. Not for an account.
    pub version: Option<String>,
}

/// Which rows a position was read from, in which versions of them: PostgreSQL gives each version of a row another place or another
/// transaction. Whoever writes to what belongs to a subscription writes the subscription's own row, so that the others need no look. The
/// moment at which the database started keeps apart what was written before and after a server that was lost, or was set back.
macro_rules! version_sql {
    () => {
        "CASE WHEN FALSE /*pg OR TRUE*/ THEN /*pg CONCAT_WS(' ', s.xmin, s.ctid,
            (SELECT CONCAT_WS(' ', r.xmin, r.ctid) FROM releases r
                WHERE r.business_id = ?1 AND r.id = s.release_id AND r.activated_at IS NOT NULL),
            (SELECT CONCAT_WS(' ', j.xmin, j.ctid) FROM projections j
                WHERE j.business_id = ?1 AND j.release_id = s.release_id AND j.plan = s.plan),
            EXTRACT(EPOCH FROM pg_postmaster_start_time())) ||*/ '' END AS version"
    };
}

/// What a subscription of a condition on `s` is served under.
macro_rules! served_sql {
    () => {
        " LEFT JOIN releases r ON r.business_id = ?1 AND r.id = s.release_id AND r.activated_at IS NOT NULL
        LEFT JOIN projections j ON j.business_id = ?1 AND j.release_id = r.id AND j.plan = s.plan"
    };
}

/// Everything of subscriptions that a condition on `s` names: a row for each, with all rows of another table that belong to it as one text.
macro_rules! position_sql {
    ($subscriptions:literal, $body:literal, $more:expr) => {
        concat!(
            "SELECT p.subscription_id, p.period, p.period_start, p.period_end, p.planned_end, p.charged_from, p.release_id, p.plan,
                p.recurring_fee_cents, p.current_fee_cents, p.fee, p.own_most_cents, p.receivable_nanos, p.owed_nanos, p.fee_adjustment_nanos,
                p.funded_nanos, p.prepaid_nanos, p.unbilled_nanos, p.entries, p.invoice_id, s.next_due_at,
                j.hash AS projection_hash, ",
            $body,
            " AS projection,
                (SELECT json_group_array(json_object('id', w.id, 'period', w.period, 'window_start', w.window_start,
                    'window_end', w.window_end, 'release_id', w.release_id, 'plan', w.plan, 'charge_count', w.charge_count,
                    'rated_nanos', w.rated_nanos, 'rated_until', w.rated_until) ORDER BY w.window_start, w.id)/*pg ::text*/
                FROM windows w WHERE w.business_id = ?1 AND w.subscription_id = s.id AND w.period = s.period) AS windows,
                (SELECT json_group_array(json_object('id', b.id, 'number', b.number, 'origin', b.origin, 'kind', b.kind, 'state', b.state,
                    'granted_nanos', b.granted_nanos, 'remaining_nanos', b.remaining_nanos, 'held_nanos', b.held_nanos,
                    'consumed_nanos', b.consumed_nanos, 'paid_nanos', b.paid_nanos, 'price_nanos', b.price_nanos,
                    'expires_at', b.expires_at, 'display', b.display, 'given_in', b.given_in, 'meters', b.meters)
                    ORDER BY b.number, b.id)/*pg ::text*/
                FROM buckets b WHERE b.business_id = ?1 AND b.subscription_id = s.id
                AND (b.last_period IS NULL OR b.last_period >= s.period)) AS buckets",
            $more,
            " FROM subscriptions s JOIN /*pg LATERAL (SELECT * FROM */ periods p
            /*pg WHERE p.business_id = ?1 AND p.subscription_id = s.id AND p.period = s.period OFFSET 0) p */
            ON p.business_id = ?1 AND p.subscription_id = s.id AND p.period = s.period",
            served_sql!(),
            " WHERE s.business_id = ?1 AND ",
            $subscriptions
        )
    };
}

/// What only an account needs.
macro_rules! account_sql {
    () => {
        ",
        (SELECT json_group_array(json_object('id', h.id, 'fingerprint', h.fingerprint, 'parts', h.parts, 'owed_nanos', h.owed_nanos,
            'state', h.state, 'expires_at', h.expires_at) ORDER BY h.id)/*pg ::text*/
        FROM holds h WHERE h.business_id = ?1 AND h.subscription_id = s.id AND h.state = 'open') AS holds,
        (SELECT json_group_array(json_object('id', t.id, 'migration_id', t.migration_id, 'to_release', t.to_release, 'to_plan', t.to_plan,
            'proration', t.proration, 'keeps_fee', t.keeps_fee, 'due_at', t.due_at, 'state', t.state) ORDER BY t.id)/*pg ::text*/
        FROM transitions t WHERE t.business_id = ?1 AND t.subscription_id = s.id AND t.state IN ('offered', 'pending')) AS transitions"
    };
}

impl<C: Connection> Tx<C> {
    /// The position of a subject's live subscription, without holds and transition.
    pub async fn position_of(&mut self, business: &Id, subject: &str) -> StoreResult<Option<StoredPosition>> {
        let sql =
            sql!(position_sql!("s.subject = ?2 AND s.cancelled_at IS NULL", "j.body", concat!(", ", version_sql!())));
        let found = self.0.query(sql, values![business.clone(), subject.to_owned()]).await?;
        let whole = |mut row: Row| {
            let (projection, version) = (projection(&mut row)?, row.get("version")?);
            Ok(StoredPosition { projection, version, ..position(row, business)? })
        };
        found.into_iter().next().map(whole).transpose()
    }

    /// Which versions the positions of subjects' live subscriptions have, by subject: as long as one is the same, so is all of the position.
    /// Nothing of a subject that has none, or where the database knows no versions of rows.
    pub async fn versions_of(&mut self, business: &Id, subjects: Vec<String>) -> StoreResult<BTreeMap<String, String>> {
        // Subject by subject: before the rows are counted, PostgreSQL would go through all subscriptions of the business. The list is one that it
        // can't count either, or it would plan anew for each length.
        let sql = sql!(concat!(
            "SELECT s.subject, s.version FROM /*pg UNNEST(ARRAY */ (SELECT value FROM json_each(?2)) /*pg ) AS */ a /*pg (value) */
            JOIN /*pg LATERAL */ (SELECT s.subject, ",
            version_sql!(),
            " FROM subscriptions s WHERE s.business_id = ?1 AND s.cancelled_at IS NULL /*pg AND s.subject = a.value OFFSET 0 */) s
            ON s.subject = a.value"
        ));
        let version = |row: &mut Row| Ok((row.get("subject")?, row.get::<Option<String>>("version")?));
        let versions = self.all(sql, values![business.clone(), subjects], version).await?;
        Ok(versions.into_iter().filter_map(|(subject, version)| Some((subject, version?))).collect())
    }

    /// The position of a subscription. Under the subscription's lock it does not change until the end.
    pub async fn position_of_subscription(
        &mut self,
        subscription: &SubscriptionKey,
    ) -> StoreResult<Option<StoredPosition>> {
        let sql = sql!(position_sql!("s.id = ?2", "j.body", account_sql!()));
        let SubscriptionKey { business, id } = subscription.clone();
        let found = self.0.query(sql, values![business, id]).await?;
        let whole = |mut row: Row| {
            let projection = projection(&mut row)?;
            Ok(StoredPosition { projection, ..account(row, &subscription.business)? })
        };
        found.into_iter().next().map(whole).transpose()
    }

    /// The positions of subscriptions of a business, by their ids. Under the subscriptions' locks they do not change until the end.
    pub async fn positions_of_subscriptions(
        &mut self,
        business: &Id,
        ids: Vec<String>,
    ) -> StoreResult<BTreeMap<Id, StoredPosition>> {
        // A text may have a thousand prices, and most subscribers share it: of each one row brings it.
        let sql = sql!(position_sql!(
            "s.id IN (SELECT value FROM json_each(?2))",
            "s.release_id AS served_release, s.plan AS served_plan,
             CASE WHEN ROW_NUMBER() OVER (PARTITION BY s.release_id, s.plan ORDER BY s.id) = 1
             THEN (SELECT t.body FROM projections t WHERE t.business_id = ?1 AND t.release_id = r.id AND t.plan = s.plan) END",
            account_sql!()
        ));
        let (mut texts, mut positions) = (BTreeMap::<(Id, String), Arc<str>>::new(), BTreeMap::new());
        let mut sharing = Vec::new();
        for mut row in self.0.query(sql, values![business.clone(), ids]).await? {
            let served: (Id, String) = (row.get("served_release")?, row.get("served_plan")?);
            let (text, hash) =
                (row.get::<Option<String>>("projection")?, row.get::<Option<String>>("projection_hash")?);
            texts.extend(text.map(|text| (served.clone(), text.into())));
            let position = account(row, business)?;
            let id = position.period.subscription.id.clone();
            sharing.extend(hash.map(|hash| (id.clone(), served, hash)));
            positions.insert(id, position);
        }
        for (id, served, hash) in sharing {
            if let Some(position) = positions.get_mut(&id) {
                position.projection = texts.get(&served).map(|text| (Arc::clone(text), hash));
            }
        }
        Ok(positions)
    }
}

/// The projection in a row that has its text.
fn projection(row: &mut Row) -> StoreResult<Option<(Arc<str>, String)>> {
    let (text, hash) = (row.get::<Option<String>>("projection")?, row.get::<Option<String>>("projection_hash")?);
    Ok(text.map(Arc::from).zip(hash))
}

/// A position with holds and transition, without its projection.
fn account(mut row: Row, business: &Id) -> StoreResult<StoredPosition> {
    let (holds, transitions) = (row.nested("holds")?, row.nested("transitions")?);
    let mut position = position(row, business)?;
    let subscription = &position.period.subscription;
    position.holds = holds.into_iter().map(|row| hold(row, subscription)).collect::<StoreResult<_>>()?;
    position.transition = transitions.into_iter().last().map(|row| transition(row, subscription)).transpose()?;
    Ok(position)
}

fn position(mut row: Row, business: &Id) -> StoreResult<StoredPosition> {
    let row = &mut row;
    let subscription = SubscriptionKey { business: business.clone(), id: row.get("subscription_id")? };
    let (windows, buckets) = (row.nested("windows")?, row.nested("buckets")?);
    let windows = windows.into_iter().map(|row| window(row, &subscription)).collect::<StoreResult<_>>()?;
    let buckets = buckets.into_iter().map(|mut row| bucket(&mut row)).collect::<StoreResult<_>>()?;
    let recurring_fee_cents = row.get("recurring_fee_cents")?;
    let period = StoredPeriod {
        subscription,
        index: row.get("period")?,
        start: row.get("period_start")?,
        end: row.get("period_end")?,
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
    let (projection, holds, transition, version) = Default::default();
    let next_due_at = row.get("next_due_at")?;
    Ok(StoredPosition { next_due_at, period, projection, windows, buckets, holds, transition, version })
}

fn window(mut row: Row, subscription: &SubscriptionKey) -> StoreResult<StoredWindow> {
    Ok(StoredWindow {
        id: row.get("id")?,
        subscription: subscription.clone(),
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

fn hold(mut row: Row, subscription: &SubscriptionKey) -> StoreResult<Hold> {
    Ok(Hold {
        id: row.get("id")?,
        subscription: subscription.clone(),
        fingerprint: row.get("fingerprint")?,
        parts: row.get("parts")?,
        owed: row.get("owed_nanos")?,
        state: row.get("state")?,
        expires_at: row.get("expires_at")?,
    })
}

fn transition(mut row: Row, subscription: &SubscriptionKey) -> StoreResult<Transition> {
    Ok(Transition {
        id: row.get("id")?,
        migration: row.get("migration_id")?,
        subscription: subscription.clone(),
        to_release: row.get("to_release")?,
        to_plan: row.get("to_plan")?,
        proration: row.get("proration")?,
        keeps_fee: row.get::<Option<bool>>("keeps_fee")?.unwrap_or_default(),
        due_at: row.get("due_at")?,
        state: row.get("state")?,
    })
}
