//! Refunds and corrections: new transactions, never changes of old ones.

use crate::audit_log::Deed;
use crate::core::Core;
use crate::error::CoreError;
use crate::idempotency::IdempotencyKey;
use crate::ids::new_id;
use crate::locked_subscription::LockedSubscription;
use crate::{invoices, subscriptions, voids};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;
use svc_engine::money::amount::Nanos;
use svc_engine::money::funding;
use svc_engine::money::ledger::{Account, Cause, Transaction};
use svc_store::records::{Id, StoredAdjustment, Subscription, UsageItemRecord};
use svc_store::{Connection, Mode, Store, Tx};

/// Longest reason, in characters.
const REASON_MAX_CHARS: usize = 500;
/// Largest correction, up or down, in cents: ten thousand million dollars.
pub const CORRECTION_MAX_CENTS: i128 = 1_000_000_000_000;

/// What to put right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Adjustment {
    /// Void a usage item: its charges leave their window, the period is rated again, and the difference goes to whoever paid it.
    /// After that the item may be reported again, and is charged again.
    Refund {
        /// The item's id.
        item: String,
    },
    /// Move what the open period owes, down or up; after the end, what the last period owes, or a credit note.
    Correction {
        /// By how much: negative in the subscriber's favour.
        amount: Nanos,
    },
}

impl Adjustment {
    /// What the audit log calls it.
    fn action(&self) -> &'static str {
        match self {
            Adjustment::Refund { .. } => "usage.refunded",
            Adjustment::Correction { .. } => "correction.posted",
        }
    }
}

/// What an adjustment did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Adjusted {
    /// The adjustment.
    pub adjustment_id: Id,
    /// By how much what the period owes moved.
    pub receivable_nanos: Nanos,
    /// How much went back into buckets.
    pub refunded_to_buckets_nanos: Nanos,
}

impl<S: Store> Core<S> {
    /// Makes an adjustment to what a subject pays, for good: also of a closed period, and after the end. `reason` is kept with it, for
    /// whoever audits the ledger.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] without a subscription or such an item; [`CoreError::Invalid`] for a correction of more than
    /// [`CORRECTION_MAX_CENTS`]; [`CoreError::Conflict`] for an item that was refunded already, or a key that was used for
    /// something else.
    pub async fn adjust(
        &self,
        business: &Id,
        subject: &str,
        adjustment: &Adjustment,
        reason: &str,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<Adjusted, CoreError> {
        check(adjustment, reason)?;
        self.again(move || Box::pin(self.adjust_once(business, subject, adjustment, reason, key, now))).await
    }

    async fn adjust_once(
        &self,
        business: &Id,
        subject: &str,
        adjustment: &Adjustment,
        reason: &str,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<Adjusted, CoreError> {
        let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
        let mut tx = self.store.begin(Mode::Write).await?;
        let (mut locked, item) = self.adjusted(&mut tx, business, subject, adjustment, now).await?;
        let now = locked.now;
        let scope = format!("adjustments/{subject}");
        let idempotency = IdempotencyKey::new(business, scope, key, &(subject, adjustment, reason))?;
        if let Some(known) = idempotency.recall(&mut tx).await? {
            return Ok(known);
        }
        let id = new_id("adj", now);
        let transaction = match (adjustment, item) {
            (Adjustment::Correction { amount }, _) => {
                if locked.period.invoice.is_some() {
                    locked.begin_credit_note()?;
                }
                let correction = funding::adjust(Cause::Correction(id.to_string()), *amount)?;
                correction.iter().try_for_each(|correction| locked.post(correction.clone(), now).map(drop))?;
                correction
            }
            (Adjustment::Refund { .. }, Some(item)) => refund(&mut tx, &mut locked, item, &id).await?,
            (Adjustment::Refund { .. }, None) => return Err(no_item()),
        };
        let adjusted = Adjusted::of(id, transaction.as_ref())?;
        let subscription = locked.subscription.key();
        let is_credit_note = !locked.is_live() && locked.period.start == locked.period.planned_end;
        locked.save(&mut tx).await?;
        let body = serde_json::to_string(adjustment).map_err(|error| CoreError::Internal(error.to_string()))?;
        let (id, reason) = (adjusted.adjustment_id.clone(), reason.to_owned());
        let stored = StoredAdjustment { id, subscription: subscription.clone(), reason, body, at: now };
        tx.insert_adjustment(&stored).await?;
        if is_credit_note {
            invoices::close_ended(&mut tx, business, &subscription.id, now).await?;
        }
        let deed = Deed::of(business, adjustment.action(), adjusted.adjustment_id.as_str());
        self.note(&mut tx, deed.with(json!({ "subscriptionId": subscription.id })), now).await?;
        idempotency.remember(&mut tx, &adjusted, now).await?;
        tx.commit().await?;
        Ok(adjusted)
    }

    /// Opens the subscription that an adjustment is about: that of the item, else the subject's live one, else its last.
    async fn adjusted(
        &self,
        tx: &mut Tx<S::Connection>,
        business: &Id,
        subject: &str,
        adjustment: &Adjustment,
        now: Timestamp,
    ) -> Result<(LockedSubscription, Option<UsageItemRecord>), CoreError> {
        let item = match adjustment {
            Adjustment::Refund { item } => {
                let found = tx.usage_items(business, [(subject, item.as_str())]).await?.remove(subject);
                let found = found.and_then(|mut found| found.pop());
                Some(found.ok_or_else(no_item)?)
            }
            Adjustment::Correction { .. } => None,
        };
        let newest = tx.subscriptions_of(business, subject).await?.pop();
        let of_subject =
            newest.map(|subscription| subscription.id).ok_or(CoreError::NotFound("the subject has no subscription"))?;
        let id = item.as_ref().map_or(of_subject, |item| item.subscription.clone());
        let locked = subscriptions::lock(tx, business, &id, now).await?;
        let Some(item) = item else { return Ok((locked, None)) };
        // Under lock it is as it stays.
        let item = tx.usage_items(business, [(subject, item.id.as_str())]).await?.remove(subject);
        let item = item.and_then(|mut found| found.pop()).ok_or_else(no_item)?;
        Ok((locked, Some(item)))
    }
}

impl Adjusted {
    fn of(adjustment_id: Id, transaction: Option<&Transaction>) -> Result<Adjusted, CoreError> {
        let net =
            |selects: fn(&Account) -> bool| transaction.map_or(Ok(Nanos::ZERO), |transaction| transaction.net(selects));
        Ok(Adjusted {
            adjustment_id,
            receivable_nanos: net(|account| *account == Account::Receivable)?,
            refunded_to_buckets_nanos: net(|account| matches!(account, Account::Funding(_)))?.negated()?,
        })
    }
}

fn no_item() -> CoreError {
    CoreError::NotFound("there is no such usage item")
}

fn check(adjustment: &Adjustment, reason: &str) -> Result<(), CoreError> {
    if reason.trim().is_empty() || reason.chars().count() > REASON_MAX_CHARS {
        return Err(CoreError::invalid("REASON_FORM", format!("a reason has 1 to {REASON_MAX_CHARS} characters")));
    }
    let most = Nanos::from_cents(CORRECTION_MAX_CENTS)?;
    match adjustment {
        Adjustment::Correction { amount } if *amount == Nanos::ZERO => {
            Err(CoreError::invalid("ADJUSTMENT_FORM", "a correction of zero corrects nothing"))
        }
        Adjustment::Correction { amount } if *amount > most || *amount < most.negated()? => {
            let message = format!("a correction is at most {CORRECTION_MAX_CENTS} cents, up or down");
            Err(CoreError::invalid("AMOUNT_RANGE", message))
        }
        Adjustment::Correction { .. } | Adjustment::Refund { .. } => Ok(()),
    }
}

/// Voids an item that was not refunded yet.
async fn refund<C: Connection>(
    tx: &mut Tx<C>,
    locked: &mut LockedSubscription,
    mut item: UsageItemRecord,
    id: &Id,
) -> Result<Option<Transaction>, CoreError> {
    if item.refunded_by.is_some() {
        let message = format!("the item {:?} was refunded already", item.id);
        return Err(CoreError::conflict("ALREADY_REFUNDED", message));
    }
    let transaction = voids::void(tx, locked, &item, id).await?;
    item.refunded_by = Some(id.clone());
    let Subscription { business, subject, .. } = &locked.subscription;
    tx.put_usage_items(business, subject, &[item]).await?;
    Ok(transaction)
}
