//! The ledger, buckets, holds and invoices.

use crate::error::{StoreError, StoreResult};
use crate::records::{Hold, HoldState, Id, StoredAdjustment, StoredInvoice, SubscriptionKey};
use crate::statement::sql;
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;
use jiff::Timestamp;
use svc_engine::money::amount::Nanos;
use svc_engine::money::bucket::Bucket;

macro_rules! bucket_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, number, origin, kind, state, granted_nanos, remaining_nanos, held_nanos, consumed_nanos, paid_nanos, ",
            "price_nanos, expires_at, display, given_in, meters FROM buckets ",
            $rest
        )
    };
}

pub(crate) fn bucket(row: &mut Row) -> StoreResult<Bucket> {
    Ok(Bucket {
        id: row.get("id")?,
        number: row.get("number")?,
        origin: row.get("origin")?,
        kind: row.get("kind")?,
        state: row.get("state")?,
        granted: row.get("granted_nanos")?,
        remaining: row.get("remaining_nanos")?,
        held: row.get("held_nanos")?,
        consumed: row.get("consumed_nanos")?,
        paid: row.get("paid_nanos")?,
        price: row.get("price_nanos")?,
        expires_at: row.get("expires_at")?,
        display: row.get("display")?,
        given_in: row.get("given_in")?,
        meters: row.get("meters")?,
    })
}

macro_rules! hold_sql {
    ($rest:literal) => {
        concat!(
            "SELECT business_id, subscription_id, id, fingerprint, parts, owed_nanos, state, expires_at FROM holds ",
            $rest
        )
    };
}

fn hold(row: &mut Row) -> StoreResult<Hold> {
    let subscription = SubscriptionKey { business: row.get("business_id")?, id: row.get("subscription_id")? };
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

fn invoice(row: &mut Row) -> StoreResult<StoredInvoice> {
    Ok(StoredInvoice {
        id: row.get("id")?,
        business: row.get("business_id")?,
        number: row.get("number")?,
        subscription: row.get("subscription_id")?,
        period: row.get("period")?,
        closed_at: row.get("closed_at")?,
        total_cents: row.get("total_cents")?,
        body: row.get("body")?,
    })
}

impl<C: Connection> Tx<C> {
    /// Every posting of a subscription after `after`, in order of transaction: period, transaction, account, amount and cause. At most
    /// `most` transactions' worth.
    pub async fn postings_after(
        &mut self,
        subscription: &SubscriptionKey,
        after: &Id,
        most: u32,
    ) -> StoreResult<Vec<(u32, Id, String, Nanos, String)>> {
        let sql = sql!("SELECT p.period, p.transaction_id, p.account, p.amount_nanos, p.cause FROM ledger_postings p
                   WHERE p.business_id = ?1 AND p.subscription_id = ?2 AND p.transaction_id IN (
                       SELECT id FROM ledger_transactions WHERE business_id = ?1 AND subscription_id = ?2 AND id > ?3 ORDER BY id LIMIT ?4)
                   ORDER BY p.transaction_id, p.line");
        self.all(sql, values![subscription.business.clone(), subscription.id.clone(), after.clone(), most], |row| {
            Ok((
                row.get("period")?,
                row.get("transaction_id")?,
                row.get("account")?,
                row.get("amount_nanos")?,
                row.get("cause")?,
            ))
        })
        .await
    }

    /// Every bucket of a subscription, oldest first.
    pub async fn all_buckets(&mut self, subscription: &SubscriptionKey) -> StoreResult<Vec<Bucket>> {
        let sql = sql!(bucket_sql!("WHERE business_id = ?1 AND subscription_id = ?2 ORDER BY number"));
        self.all(sql, values![subscription.business.clone(), subscription.id.clone()], bucket).await
    }

    /// The subscription whose bucket this is.
    pub async fn subscription_of_bucket(&mut self, business: &Id, bucket: &str) -> StoreResult<Option<Id>> {
        let sql = sql!("SELECT s.id FROM buckets b JOIN subscriptions s ON s.business_id = b.business_id AND s.id = b.subscription_id
                   WHERE s.business_id = ?1 AND b.business_id = ?1 AND b.id = ?2");
        self.one(sql, values![business.clone(), bucket.to_owned()], |row| row.get("id")).await
    }

    /// A subject's earlier subscriptions that bought credit is left in, by id.
    pub async fn with_bought_credit(&mut self, business: &Id, subject: &str) -> StoreResult<Vec<Id>> {
        let sql = sql!("SELECT s.id FROM subscriptions s WHERE s.business_id = ?1 AND s.subject = ?2 AND s.cancelled_at IS NOT NULL
                   AND EXISTS (SELECT 1 FROM buckets b WHERE b.business_id = ?1 AND b.subscription_id = s.id AND b.kind = 'prepaid'
                   AND b.state = 'AVAILABLE' /*pg OFFSET 0 */) ORDER BY s.id");
        self.all(sql, values![business.clone(), subject.to_owned()], |row| row.get("id")).await
    }

    /// Whether a plan gave a subject promotional credit before that does not recur.
    pub async fn was_promoted(&mut self, business: &Id, subject: &str) -> StoreResult<bool> {
        let sql = sql!("SELECT s.id FROM subscriptions s WHERE s.business_id = ?1 AND s.subject = ?2
                   AND EXISTS (SELECT 1 FROM buckets b WHERE b.business_id = ?1 AND b.subscription_id = s.id AND b.kind = 'promo'
                   AND b.origin = 'plan' /*pg OFFSET 0 */) LIMIT 1");
        let found = self.one(sql, values![business.clone(), subject.to_owned()], |row| row.get::<String>("id")).await?;
        Ok(found.is_some())
    }

    /// The open holds of a subscription, by id.
    pub async fn open_holds(&mut self, subscription: &SubscriptionKey) -> StoreResult<Vec<Hold>> {
        let sql = sql!(hold_sql!("WHERE business_id = ?1 AND subscription_id = ?2 AND state = 'open' ORDER BY id"));
        self.all(sql, values![subscription.business.clone(), subscription.id.clone()], hold).await
    }

    /// A hold of a subscription.
    pub async fn hold(&mut self, subscription: &SubscriptionKey, id: &str) -> StoreResult<Option<Hold>> {
        let sql = sql!(hold_sql!("WHERE business_id = ?1 AND subscription_id = ?2 AND id = ?3"));
        self.one(sql, values![subscription.business.clone(), subscription.id.clone(), id.to_owned()], hold).await
    }

    /// The open holds of a subscription whose time is not over at `now`, by id: `most` of those whose id follows `after`.
    pub async fn open_holds_after(
        &mut self,
        subscription: &SubscriptionKey,
        after: &str,
        now: Timestamp,
        most: u32,
    ) -> StoreResult<Vec<Hold>> {
        let sql = sql!(hold_sql!(
            "WHERE business_id = ?1 AND subscription_id = ?2 AND id > ?3 AND state = 'open' AND expires_at > ?4 ORDER BY id LIMIT ?5"
        ));
        let SubscriptionKey { business, id } = subscription.clone();
        self.all(sql, values![business, id, after.to_owned(), now, most], hold).await
    }

    /// Stores a hold, or its new state.
    pub async fn put_hold(&mut self, hold: &Hold) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO holds (business_id, subscription_id, id, fingerprint, parts, owed_nanos, state, expires_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                   ON CONFLICT (business_id, subscription_id, id) DO UPDATE SET state = excluded.state"
        );
        let Hold { id, subscription, fingerprint, parts, owed, state, expires_at } = hold.clone();
        self.0
            .write(
                sql,
                values![subscription.business, subscription.id, id, fingerprint, parts, owed, state, expires_at],
            )
            .await
    }

    /// Sets the state of a hold.
    pub async fn end_hold(&mut self, subscription: &SubscriptionKey, id: &str, state: HoldState) -> StoreResult<()> {
        let sql = sql!("UPDATE holds SET state = ?4 WHERE business_id = ?1 AND subscription_id = ?2 AND id = ?3");
        self.0.write(sql, values![subscription.business.clone(), subscription.id.clone(), id.to_owned(), state]).await
    }

    /// Stores an adjustment.
    pub async fn insert_adjustment(&mut self, adjustment: &StoredAdjustment) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO adjustments (business_id, id, subscription_id, reason, body, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        );
        let StoredAdjustment { id, subscription, reason, body, at } = adjustment.clone();
        self.0.write(sql, values![subscription.business, id, subscription.id, reason, body, at]).await
    }

    /// Takes the next number of a business's invoices and credit notes; whoever else takes one waits until the end.
    pub async fn next_invoice_number(&mut self, business: &Id) -> StoreResult<u64> {
        let sql = sql!(
            "INSERT INTO invoice_numbers (business_id, last) VALUES (?1, 1)
                   ON CONFLICT (business_id) DO UPDATE SET last = invoice_numbers.last + 1 RETURNING last"
        );
        let number = self.one(sql, values![business.clone()], |row| row.get("last")).await?;
        number.ok_or_else(|| StoreError::Row("a number was not given".to_owned()))
    }

    /// Stores an invoice. A second one for a period fails.
    pub async fn insert_invoice(&mut self, invoice: &StoredInvoice) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO invoices (id, business_id, number, subscription_id, period, closed_at, total_cents, body)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
        );
        let StoredInvoice { id, business, number, subscription, period, closed_at, total_cents, body } =
            invoice.clone();
        self.0.write(sql, values![id, business, number, subscription, period, closed_at, total_cents, body]).await
    }

    /// The newest invoices of a subject, over all its subscriptions: `most` of those whose number comes before `before`.
    pub async fn invoices_of_subject(
        &mut self,
        business: &Id,
        subject: &str,
        before: u64,
        most: u32,
    ) -> StoreResult<Vec<StoredInvoice>> {
        let sql = sql!(
            "SELECT i.id, i.business_id, i.number, i.subscription_id, i.period, i.closed_at, i.total_cents, i.body
                   FROM invoices i JOIN subscriptions s ON s.business_id = i.business_id AND s.id = i.subscription_id
                   WHERE s.business_id = ?1 AND i.business_id = ?1 AND s.subject = ?2 AND i.number < ?3
                   ORDER BY i.number DESC LIMIT ?4"
        );
        self.all(sql, values![business.clone(), subject.to_owned(), before, most], invoice).await
    }

    /// Subscriptions for which something is due at `now`, or that have a period to be closed which ended by `ended_by`, with their
    /// businesses: `most` of those whose id follows `after`, by id.
    pub async fn due(
        &mut self,
        after: &Id,
        now: Timestamp,
        ended_by: Option<Timestamp>,
        most: u32,
    ) -> StoreResult<Vec<(Id, Id)>> {
        let sql = sql!(
            "SELECT DISTINCT business_id, id FROM (
                       SELECT business_id, id FROM subscriptions WHERE id > ?1 AND next_due_at <= ?2
                       UNION ALL SELECT business_id, subscription_id FROM periods
                       WHERE subscription_id > ?1 AND invoice_id IS NULL AND period_end <= ?3) d
                   ORDER BY id LIMIT ?4"
        );
        let values = values![after.clone(), now, ended_by, most];
        self.all(sql, values, |row| Ok((row.get("business_id")?, row.get("id")?))).await
    }

    /// Takes a job for `owner` until a moment, or goes on having it; whether it could, since another may have it.
    pub async fn take_lease(&mut self, job: &str, owner: &Id, now: Timestamp, until: Timestamp) -> StoreResult<bool> {
        let sql = sql!(
            "INSERT INTO leases (job, owner, leased_until) VALUES (?1, ?2, ?3) ON CONFLICT (job) DO UPDATE SET
                   owner = excluded.owner, leased_until = excluded.leased_until
                   WHERE leases.owner = excluded.owner OR leases.leased_until <= ?4"
        );
        let values = values![job.to_owned(), owner.clone(), until, now];
        Ok(self.0.execute(sql, values).await? > 0)
    }

    /// Lets a job go.
    pub async fn end_lease(&mut self, job: &str, owner: &Id) -> StoreResult<()> {
        let sql = sql!("DELETE FROM leases WHERE job = ?1 AND owner = ?2");
        self.0.write(sql, values![job.to_owned(), owner.clone()]).await
    }

    /// The invoices of a subscription, oldest first.
    pub async fn invoices(&mut self, subscription: &SubscriptionKey) -> StoreResult<Vec<StoredInvoice>> {
        let sql = sql!(
            "SELECT id, business_id, number, subscription_id, period, closed_at, total_cents, body FROM invoices
                   WHERE business_id = ?1 AND subscription_id = ?2 ORDER BY period"
        );
        self.all(sql, values![subscription.business.clone(), subscription.id.clone()], invoice).await
    }

    /// The documents of a subscription, oldest first: `most` of those whose number follows `after`.
    pub async fn invoices_after(
        &mut self,
        subscription: &SubscriptionKey,
        after: u64,
        most: u32,
    ) -> StoreResult<Vec<StoredInvoice>> {
        let sql = sql!(
            "SELECT id, business_id, number, subscription_id, period, closed_at, total_cents, body FROM invoices
                   WHERE business_id = ?1 AND subscription_id = ?2 AND number > ?3 ORDER BY number LIMIT ?4"
        );
        let SubscriptionKey { business, id } = subscription.clone();
        self.all(sql, values![business, id, after, most], invoice).await
    }
}
