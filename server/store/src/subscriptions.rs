//! Subscriptions and their periods.

use crate::error::StoreResult;
use crate::records::{Id, StoredPeriod, Subscription, SubscriptionKey};
use crate::statement::sql;
use crate::transaction::{Connection, Inserted, Tx, inserted};
use crate::value::Row;
use crate::value::{Value, values};
use jiff::Timestamp;
use svc_engine::money::amount::Cents;
use svc_engine::money::fee::{FeeTerms, PeriodFee};
use svc_engine::money::ledger::{PeriodTotals, UsageTotals};

macro_rules! subscription_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, business_id, subject, release_id, plan, plan_version, recurring_fee_cents, next_fee_cents, ",
            "billing_interval, started_at, anchor_at, anchor_period, served_since, trial_ends_at, cancel_at, cancelled_at, ",
            "next_due_at, period, buckets_given, fee_terms, intro, own_most_cents FROM subscriptions WHERE ",
            $rest
        )
    };
}

fn subscription(row: &mut Row) -> StoreResult<Subscription> {
    Ok(Subscription {
        id: row.get("id")?,
        business: row.get("business_id")?,
        subject: row.get("subject")?,
        release: row.get("release_id")?,
        plan: row.get("plan")?,
        plan_version: row.get("plan_version")?,
        recurring_fee_cents: row.get("recurring_fee_cents")?,
        next_fee_cents: row.get("next_fee_cents")?,
        interval: row.get("billing_interval")?,
        started_at: row.get("started_at")?,
        anchor_at: row.get("anchor_at")?,
        anchor_period: row.get("anchor_period")?,
        served_since: row.get("served_since")?,
        trial_ends_at: row.get("trial_ends_at")?,
        cancel_at: row.get("cancel_at")?,
        cancelled_at: row.get("cancelled_at")?,
        next_due_at: row.get("next_due_at")?,
        period: row.get("period")?,
        buckets_given: row.get("buckets_given")?,
        fee_terms: row.get::<Option<FeeTerms>>("fee_terms")?.unwrap_or(FeeTerms::ARREARS),
        intro: row.get("intro")?,
        own_most_cents: row.get("own_most_cents")?,
    })
}

fn subscription_values(subscription: &Subscription) -> Vec<Value> {
    let s = subscription.clone();
    values![
        s.id,
        s.business,
        s.subject,
        s.release,
        s.plan,
        s.plan_version,
        s.recurring_fee_cents,
        s.next_fee_cents,
        s.interval,
        s.started_at,
        s.anchor_at,
        s.anchor_period,
        s.served_since,
        s.trial_ends_at,
        s.cancel_at,
        s.cancelled_at,
        s.next_due_at,
        s.period,
        s.buckets_given,
        s.fee_terms,
        s.intro,
        s.own_most_cents,
    ]
}

macro_rules! period_sql {
    ($rest:literal) => {
        concat!(
            "SELECT business_id, subscription_id, period, period_start, period_end, planned_end, charged_from, release_id, plan, ",
            "recurring_fee_cents, current_fee_cents, receivable_nanos, fee_adjustment_nanos, funded_nanos, prepaid_nanos, ",
            "owed_nanos, unbilled_nanos, entries, invoice_id, fee, own_most_cents FROM periods ",
            $rest
        )
    };
}

pub(crate) fn period(row: &mut Row) -> StoreResult<StoredPeriod> {
    let subscription = SubscriptionKey { business: row.get("business_id")?, id: row.get("subscription_id")? };
    let (index, start, end, planned_end, charged_from) = (
        row.get("period")?,
        row.get("period_start")?,
        row.get("period_end")?,
        row.get("planned_end")?,
        row.get("charged_from")?,
    );
    let (release, plan, recurring_fee_cents, current_fee_cents) =
        (row.get("release_id")?, row.get("plan")?, row.get("recurring_fee_cents")?, row.get("current_fee_cents")?);
    let (totals, entries, invoice) = (totals(row)?, row.get("entries")?, row.get("invoice_id")?);
    Ok(StoredPeriod {
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
        fee: fee_of(row.get("fee")?, recurring_fee_cents),
        own_most_cents: row.get("own_most_cents")?,
        totals,
        entries,
        invoice,
    })
}

/// A period's part in its fee; of one from before that was noted, the whole.
pub(crate) fn fee_of(noted: Option<PeriodFee>, pin: Cents) -> PeriodFee {
    noted.unwrap_or_else(|| PeriodFee { moved: None, ..PeriodFee::first(FeeTerms::ARREARS, pin) })
}

/// Six columns: receivable, fee adjustment, funded, prepaid, owed, unbilled.
pub(crate) fn totals(row: &mut Row) -> StoreResult<PeriodTotals> {
    let (receivable, fee_adjustment) = (row.get("receivable_nanos")?, row.get("fee_adjustment_nanos")?);
    let usage = UsageTotals {
        funded: row.get("funded_nanos")?,
        prepaid: row.get("prepaid_nanos")?,
        owed: row.get("owed_nanos")?,
        unbilled: row.get("unbilled_nanos")?,
    };
    Ok(PeriodTotals { receivable, fee_adjustment, usage })
}

impl<C: Connection> Tx<C> {
    /// Stores a subscription; [`Inserted::Existing`] when the subject has a live one.
    pub async fn insert_subscription(&mut self, subscription: &Subscription) -> StoreResult<Inserted> {
        let sql = sql!("INSERT INTO subscriptions (id, business_id, subject, release_id, plan, plan_version, recurring_fee_cents,
                   next_fee_cents, billing_interval, started_at, anchor_at, anchor_period, served_since, trial_ends_at,
                   cancel_at, cancelled_at, next_due_at, period, buckets_given, fee_terms, intro, own_most_cents)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22) ON CONFLICT DO NOTHING");
        Ok(inserted(self.0.execute(sql, subscription_values(subscription)).await?))
    }

    /// Has the subscriptions looked at again at `due`, or before, where that is decided already.
    pub async fn advance_due(&mut self, business: &Id, subscriptions: Vec<String>, due: Timestamp) -> StoreResult<()> {
        let sql = sql!("UPDATE subscriptions SET next_due_at = ?3 WHERE business_id = ?1 AND id IN (SELECT value FROM json_each(?2))
                   AND (next_due_at IS NULL OR next_due_at > ?3)");
        self.0.write(sql, values![business.clone(), subscriptions, due]).await
    }

    /// The business's subscription of this id.
    pub async fn subscription(&mut self, business: &Id, id: &Id) -> StoreResult<Option<Subscription>> {
        let sql = sql!(subscription_sql!("business_id = ?1 AND id = ?2"));
        self.one(sql, values![business.clone(), id.clone()], subscription).await
    }

    /// The business's subscription of this id, which nobody else locks until the end.
    pub async fn lock_subscription(&mut self, business: &Id, id: &Id) -> StoreResult<Option<Subscription>> {
        let sql = sql!(subscription_sql!("business_id = ?1 AND id = ?2 /*pg FOR NO KEY UPDATE */"));
        self.one(sql, values![business.clone(), id.clone()], subscription).await
    }

    /// The subject's live subscription.
    pub async fn live_subscription(&mut self, business: &Id, subject: &str) -> StoreResult<Option<Subscription>> {
        let sql = sql!(subscription_sql!("business_id = ?1 AND subject = ?2 AND cancelled_at IS NULL"));
        self.one(sql, values![business.clone(), subject.to_owned()], subscription).await
    }

    /// The subject's live subscription, which nobody else locks until the end. Who locks several goes by subject, upwards.
    pub async fn lock_live_subscription(&mut self, business: &Id, subject: &str) -> StoreResult<Option<Subscription>> {
        let sql = sql!(subscription_sql!(
            "business_id = ?1 AND subject = ?2 AND cancelled_at IS NULL /*pg FOR NO KEY UPDATE */"
        ));
        self.one(sql, values![business.clone(), subject.to_owned()], subscription).await
    }

    /// The subscriptions that usage of these subjects is of, by subject, which nobody else locks until the end: of each the live one, else the
    /// one that ended last.
    pub async fn lock_for_usage(&mut self, business: &Id, subjects: Vec<String>) -> StoreResult<Vec<Subscription>> {
        // By subject, as everyone locks several; byte by byte, as Rust compares texts.
        let sql = sql!(subscription_sql!(
            "business_id = ?1 AND subject IN (SELECT value FROM json_each(?2)) AND (cancelled_at IS NULL OR NOT EXISTS (
                 SELECT 1 FROM subscriptions n WHERE n.business_id = ?1 AND n.subject = subscriptions.subject
                 AND (n.cancelled_at IS NULL OR n.started_at > subscriptions.started_at
                      OR n.started_at = subscriptions.started_at AND n.id > subscriptions.id)))
             ORDER BY subject /*pg COLLATE \"C\" FOR NO KEY UPDATE */"
        ));
        self.all(sql, values![business.clone(), subjects], subscription).await
    }

    /// A subject's subscriptions, the newest last.
    pub async fn subscriptions_of(&mut self, business: &Id, subject: &str) -> StoreResult<Vec<Subscription>> {
        let sql = sql!(subscription_sql!("business_id = ?1 AND subject = ?2 ORDER BY started_at, id"));
        self.all(sql, values![business.clone(), subject.to_owned()], subscription).await
    }

    /// The live subscriptions of a plan's version, which nobody else locks until the end.
    pub async fn lock_subscribers(
        &mut self,
        business: &Id,
        plan: &str,
        version: u32,
    ) -> StoreResult<Vec<Subscription>> {
        // By subject, as everyone locks several; byte by byte, as Rust compares texts.
        let sql = sql!(subscription_sql!(
            "business_id = ?1 AND plan = ?2 AND plan_version = ?3 AND cancelled_at IS NULL ORDER BY subject /*pg COLLATE \"C\" FOR NO KEY UPDATE */"
        ));
        self.all(sql, values![business.clone(), plan.to_owned(), version], subscription).await
    }

    /// The live subscriptions of a plan's other versions, which nobody else locks until the end.
    pub async fn lock_other_subscribers(
        &mut self,
        business: &Id,
        plan: &str,
        version: u32,
    ) -> StoreResult<Vec<Subscription>> {
        let sql = sql!(subscription_sql!(
            "business_id = ?1 AND plan = ?2 AND plan_version <> ?3 AND cancelled_at IS NULL ORDER BY subject /*pg COLLATE \"C\" FOR NO KEY UPDATE */"
        ));
        self.all(sql, values![business.clone(), plan.to_owned(), version], subscription).await
    }

    /// The subscriptions of a business for which something is due at `now`, by id.
    pub async fn due_subscriptions(&mut self, business: &Id, now: Timestamp) -> StoreResult<Vec<Id>> {
        let sql = sql!("SELECT id FROM subscriptions WHERE business_id = ?1 AND next_due_at <= ?2 ORDER BY id");
        self.all(sql, values![business.clone(), now], |row| row.get("id")).await
    }

    /// The subscriptions of a business, live or not, by id: `most` of those whose id follows `after`.
    pub async fn subscriptions_after(
        &mut self,
        business: &Id,
        after: &str,
        most: u32,
    ) -> StoreResult<Vec<Subscription>> {
        let sql = sql!(subscription_sql!("business_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"));
        self.all(sql, values![business.clone(), after.to_owned(), most], subscription).await
    }

    /// A period of a subscription.
    pub async fn period(&mut self, subscription: &SubscriptionKey, index: u32) -> StoreResult<Option<StoredPeriod>> {
        let sql = sql!(period_sql!("WHERE business_id = ?1 AND subscription_id = ?2 AND period = ?3"));
        self.one(sql, values![subscription.business.clone(), subscription.id.clone(), index], period).await
    }

    /// Every period of a subscription, oldest first.
    pub async fn periods(&mut self, subscription: &SubscriptionKey) -> StoreResult<Vec<StoredPeriod>> {
        let sql = sql!(period_sql!("WHERE business_id = ?1 AND subscription_id = ?2 ORDER BY period"));
        self.all(sql, values![subscription.business.clone(), subscription.id.clone()], period).await
    }
}
