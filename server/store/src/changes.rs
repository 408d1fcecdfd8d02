//! What is written of subscriptions, table by table: of one, or of all that a batch touches. However many they are, each table takes one
//! statement.

use crate::error::StoreResult;
use crate::records::{Charge, Entry, Id, StoredPeriod, StoredWindow, Subscription, SubscriptionKey, UsageItemRecord};
use crate::statement::{RowsStatement, rows_sql};
use crate::transaction::{Connection, Tx};
use crate::value::{Value, values};
use serde_json::{Value as Json, json};
use svc_engine::money::bucket::Bucket;
use svc_engine::money::cell::Cell;
use svc_engine::money::ledger::{PeriodTotals, Posting, Transaction};
use svc_engine::money::rating::{Level, Levels};

static PUT_WINDOW: &RowsStatement = rows_sql!(
    "INSERT INTO windows (business_id, id, subscription_id, period, window_start, window_end, release_id, plan, charge_count, rated_nanos, rated_until)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (business_id, id) DO UPDATE SET window_end = excluded.window_end,
     charge_count = excluded.charge_count, rated_nanos = excluded.rated_nanos, rated_until = excluded.rated_until",
    text text text int8 timestamptz timestamptz text text int8 text timestamptz
);

static PUT_LEVEL: &RowsStatement = rows_sql!(
    "INSERT INTO window_levels (business_id, window_id, meter, steps, as_of, pooled_steps, area) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT (business_id, window_id, meter) DO UPDATE SET steps = excluded.steps, as_of = excluded.as_of,
     pooled_steps = excluded.pooled_steps, area = excluded.area",
    text text text text timestamptz text text
);

static INSERT_PERIOD_KEY: &RowsStatement = rows_sql!(
    "INSERT INTO period_keys (business_id, subscription_id, period, meter, unique_key) VALUES (?1, ?2, ?3, ?4, ?5)",
    text text int8 text text
);

// Of a new one there is no row, unless another server admits it to another subscription of the subject at this very moment: then this
// transaction is stopped, and finds it known.
static INSERT_USAGE_ITEM: &RowsStatement = rows_sql!(
    "INSERT INTO usage_items (business_id, subject, id, subscription_id, fingerprint, charges, attempt, refunded_by)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    text text text text text int8 int8 text
);

static PUT_USAGE_ITEM: &RowsStatement = rows_sql!(
    "INSERT INTO usage_items (business_id, subject, id, subscription_id, fingerprint, charges, attempt, refunded_by)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (business_id, subject, id) DO UPDATE SET
     subscription_id = excluded.subscription_id, fingerprint = excluded.fingerprint, charges = excluded.charges,
     attempt = excluded.attempt, refunded_by = excluded.refunded_by",
    text text text text text int8 int8 text
);

static INSERT_CHARGE: &RowsStatement = rows_sql!(
    "INSERT INTO charges (business_id, subscription_id, period, position, voided_by, id, item, attempt, window_id, meter, steps,
     unique_key, admitted_at, occurred_at, charge_nanos, remainder_nanos, transaction_id)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    text text int8 int8 text text text int8 text text text text timestamptz timestamptz text text text
);

static UPDATE_SUBSCRIPTION: &RowsStatement = rows_sql!(
    one: "UPDATE subscriptions SET release_id = ?3, plan_version = ?4, recurring_fee_cents = ?5, next_fee_cents = ?6, billing_interval = ?7,
          anchor_at = ?8, anchor_period = ?9, served_since = ?10, cancel_at = ?11, cancelled_at = ?12, next_due_at = ?13, period = ?14,
          plan = ?15, buckets_given = ?16, fee_terms = ?17, intro = ?18, own_most_cents = ?19 WHERE business_id = ?1 AND id = ?2",
    // The rows are of one business, whose name an engine of several nodes looks for in the condition on its own.
    many: "UPDATE subscriptions s SET release_id = n.release_id, plan_version = n.plan_version, recurring_fee_cents = n.recurring_fee_cents,
           next_fee_cents = n.next_fee_cents, billing_interval = n.billing_interval, anchor_at = n.anchor_at, anchor_period = n.anchor_period,
           served_since = n.served_since, cancel_at = n.cancel_at, cancelled_at = n.cancelled_at, next_due_at = n.next_due_at,
           period = n.period, plan = n.plan, buckets_given = n.buckets_given, fee_terms = n.fee_terms, intro = n.intro,
           own_most_cents = n.own_most_cents
           FROM UNNEST(?1::text[], ?2::text[], ?3::text[], ?4::int8[], ?5::int8[], ?6::int8[], ?7::text[], ?8::timestamptz[], ?9::int8[],
           ?10::timestamptz[], ?11::timestamptz[], ?12::timestamptz[], ?13::timestamptz[], ?14::int8[], ?15::text[], ?16::int8[], ?17::text[],
           ?18::text[], ?19::int8[]) AS n (business_id, id, release_id, plan_version, recurring_fee_cents, next_fee_cents, billing_interval, anchor_at,
           anchor_period, served_since, cancel_at, cancelled_at, next_due_at, period, plan, buckets_given, fee_terms, intro,
           own_most_cents)
           WHERE s.business_id = (?1::text[])[1] AND s.id = n.id"
);

static PUT_PERIOD: &RowsStatement = rows_sql!(
    "INSERT INTO periods (business_id, subscription_id, period, period_start, period_end, planned_end, charged_from, release_id, plan,
     recurring_fee_cents, current_fee_cents, receivable_nanos, fee_adjustment_nanos, funded_nanos, prepaid_nanos,
     owed_nanos, unbilled_nanos, entries, invoice_id, fee, own_most_cents)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
     ON CONFLICT (business_id, subscription_id, period) DO UPDATE SET period_end = excluded.period_end,
     release_id = excluded.release_id, plan = excluded.plan, current_fee_cents = excluded.current_fee_cents,
     receivable_nanos = excluded.receivable_nanos, fee_adjustment_nanos = excluded.fee_adjustment_nanos,
     funded_nanos = excluded.funded_nanos, prepaid_nanos = excluded.prepaid_nanos, owed_nanos = excluded.owed_nanos,
     unbilled_nanos = excluded.unbilled_nanos, entries = excluded.entries, invoice_id = excluded.invoice_id, fee = excluded.fee,
     own_most_cents = excluded.own_most_cents",
    text text int8 timestamptz timestamptz timestamptz timestamptz text text int8 int8 text text text text text text int8 text text int8
);

static PUT_BUCKET: &RowsStatement = rows_sql!(
    "INSERT INTO buckets (business_id, subscription_id, id, number, origin, kind, state, granted_nanos, remaining_nanos, held_nanos,
     consumed_nanos, paid_nanos, price_nanos, expires_at, display, last_period, given_in, meters)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
     ON CONFLICT (business_id, id) DO UPDATE SET
     state = excluded.state, remaining_nanos = excluded.remaining_nanos, held_nanos = excluded.held_nanos,
     consumed_nanos = excluded.consumed_nanos, paid_nanos = excluded.paid_nanos, last_period = excluded.last_period",
    text text text int8 text text text text text text text text text timestamptz text int8 int8 text
);

static APPEND: &RowsStatement = rows_sql!(
    "INSERT INTO ledger_transactions (business_id, subscription_id, id, period, at, postings) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    text text text int8 timestamptz text
);

/// A transaction's postings as they are kept.
fn postings(transaction: &Transaction) -> String {
    let posting =
        |posting: &Posting| json!([posting.account.to_string(), posting.amount.to_string(), posting.cause.to_string()]);
    transaction.postings().iter().map(posting).collect::<Json>().to_string()
}

/// Rows to be written, of one business's subscriptions.
#[derive(Debug, Default)]
pub struct Changes {
    windows: Vec<Vec<Value>>,
    levels: Vec<Vec<Value>>,
    keys: Vec<Vec<Value>>,
    new_items: Vec<Vec<Value>>,
    items: Vec<Vec<Value>>,
    charges: Vec<Vec<Value>>,
    subscriptions: Vec<Vec<Value>>,
    periods: Vec<Vec<Value>>,
    buckets: Vec<Vec<Value>>,
    entries: Vec<Vec<Value>>,
}

impl Changes {
    /// A window, or its new state.
    pub fn put_window(&mut self, window: &StoredWindow) {
        let w = window.clone();
        self.windows.push(values![
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
        ]);
    }

    /// Levels of a window.
    pub fn put_levels(&mut self, window: &StoredWindow, levels: &Levels) {
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
        self.levels.extend(levels.iter().map(row));
    }

    /// Keys that a period has counted.
    pub fn insert_period_keys(&mut self, subscription: &SubscriptionKey, period: u32, keys: &[(Cell, String)]) {
        let row = |(cell, key): &(Cell, String)| {
            values![subscription.business.clone(), subscription.id.clone(), period, cell.clone(), key.clone()]
        };
        self.keys.extend(keys.iter().map(row));
    }

    /// A subject's usage items, or their new state.
    pub fn put_usage_items(&mut self, business: &Id, subject: &str, items: &[UsageItemRecord]) {
        for item in items {
            let UsageItemRecord { id, subscription, fingerprint, charges, attempt, refunded_by } = item.clone();
            let is_new = attempt == 1 && refunded_by.is_none();
            let (business, subject) = (business.clone(), subject.to_owned());
            let row = values![business, subject, id, subscription, fingerprint, charges, attempt, refunded_by];
            if is_new { self.new_items.push(row) } else { self.items.push(row) }
        }
    }

    /// Charges and voids.
    pub fn insert_charges(&mut self, subscription: &SubscriptionKey, charges: &[Charge]) {
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
        self.charges.extend(charges.iter().map(row));
    }

    /// What may change of a subscription.
    pub fn update_subscription(&mut self, subscription: &Subscription) {
        let s = subscription.clone();
        self.subscriptions.push(values![
            s.business,
            s.id,
            s.release,
            s.plan_version,
            s.recurring_fee_cents,
            s.next_fee_cents,
            s.interval,
            s.anchor_at,
            s.anchor_period,
            s.served_since,
            s.cancel_at,
            s.cancelled_at,
            s.next_due_at,
            s.period,
            s.plan,
            s.buckets_given,
            s.fee_terms,
            s.intro,
            s.own_most_cents,
        ]);
    }

    /// A period, or its new state.
    pub fn put_period(&mut self, period: &StoredPeriod) {
        let p = period.clone();
        let PeriodTotals { receivable, fee_adjustment, usage } = p.totals;
        self.periods.push(values![
            p.subscription.business,
            p.subscription.id,
            p.index,
            p.start,
            p.end,
            p.planned_end,
            p.charged_from,
            p.release,
            p.plan,
            p.recurring_fee_cents,
            p.current_fee_cents,
            receivable,
            fee_adjustment,
            usage.funded,
            usage.prepaid,
            usage.owed,
            usage.unbilled,
            p.entries,
            p.invoice,
            p.fee,
            p.own_most_cents,
        ]);
    }

    /// Buckets as they are in a period, or their new state.
    pub fn put_buckets<'b>(
        &mut self,
        subscription: &SubscriptionKey,
        period: u32,
        buckets: impl IntoIterator<Item = &'b Bucket>,
    ) {
        let row = |bucket: &Bucket| {
            let last_period = bucket.is_spent().then_some(period);
            let b = bucket.clone();
            values![
                subscription.business.clone(),
                subscription.id.clone(),
                b.id,
                b.number,
                b.origin,
                b.kind,
                b.state,
                b.granted,
                b.remaining,
                b.held,
                b.consumed,
                b.paid,
                b.price,
                b.expires_at,
                b.display,
                last_period,
                b.given_in,
                b.meters,
            ]
        };
        self.buckets.extend(buckets.into_iter().map(row));
    }

    /// Transactions at the end of the ledger.
    pub fn append(&mut self, subscription: &SubscriptionKey, entries: &[Entry]) {
        let row = |entry: &Entry| {
            let postings = postings(&entry.transaction);
            let (business, id) = (subscription.business.clone(), subscription.id.clone());
            values![business, id, entry.id.clone(), entry.period, entry.at, postings]
        };
        self.entries.extend(entries.iter().map(row));
    }
}

impl<C: Connection> Tx<C> {
    /// Writes rows of one business's subscriptions, each table's together. A row of a table comes once.
    pub async fn write(&mut self, changes: Changes) -> StoreResult<()> {
        let Changes { windows, levels, keys, new_items, items, charges, subscriptions, periods, buckets, entries } =
            changes;
        // A window stands before what refers to it.
        for (statement, rows) in [
            (PUT_WINDOW, windows),
            (PUT_LEVEL, levels),
            (INSERT_PERIOD_KEY, keys),
            (INSERT_USAGE_ITEM, new_items),
            (PUT_USAGE_ITEM, items),
            (INSERT_CHARGE, charges),
            (UPDATE_SUBSCRIPTION, subscriptions),
            (PUT_PERIOD, periods),
            (PUT_BUCKET, buckets),
            (APPEND, entries),
        ] {
            self.0.write_rows(statement, rows).await?;
        }
        Ok(())
    }

    /// Stores a window, or its new state.
    pub async fn put_window(&mut self, window: &StoredWindow) -> StoreResult<()> {
        self.put(|changes| changes.put_window(window)).await
    }

    /// Keeps levels of a window.
    pub async fn put_levels(&mut self, window: &StoredWindow, levels: &Levels) -> StoreResult<()> {
        self.put(|changes| changes.put_levels(window, levels)).await
    }

    /// Keeps a subject's usage items, or their new state.
    pub async fn put_usage_items(
        &mut self,
        business: &Id,
        subject: &str,
        items: &[UsageItemRecord],
    ) -> StoreResult<()> {
        self.put(|changes| changes.put_usage_items(business, subject, items)).await
    }

    /// Keeps charges and voids.
    pub async fn insert_charges(&mut self, subscription: &SubscriptionKey, charges: &[Charge]) -> StoreResult<()> {
        self.put(|changes| changes.insert_charges(subscription, charges)).await
    }

    /// Stores a period, or its new state.
    pub async fn put_period(&mut self, period: &StoredPeriod) -> StoreResult<()> {
        self.put(|changes| changes.put_period(period)).await
    }

    /// Appends transactions to the ledger.
    pub async fn append(&mut self, subscription: &SubscriptionKey, entries: &[Entry]) -> StoreResult<()> {
        self.put(|changes| changes.append(subscription, entries)).await
    }

    async fn put(&mut self, put: impl FnOnce(&mut Changes)) -> StoreResult<()> {
        let mut changes = Changes::default();
        put(&mut changes);
        self.write(changes).await
    }
}
