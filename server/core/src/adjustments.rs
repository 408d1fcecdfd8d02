//! Refunds and corrections: new transactions, never changes of old ones.

use crate::core::Core;
use crate::error::CoreError;
use crate::idempotency::IdempotencyKey;
use crate::ids::new_id;
use crate::subscriptions;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_engine::money::amount::Nanos;
use svc_engine::money::funding;
use svc_engine::money::ledger::{Account, Cause};
use svc_store::records::{Id, StoredAdjustment};
use svc_store::{Mode, Store, ledger};

/// Longest reason, in characters.
const REASON_MAX_CHARS: usize = 500;

/// What to put right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Adjustment {
    /// Give the money of a usage item's charges back to whoever paid it. After that the item may be reported again, and is
    /// charged again.
    Refund {
        /// The item's id.
        item: String,
    },
    /// Move what the open period owes, down or up.
    Correction {
        /// By how much: negative in the subscriber's favour.
        amount: Nanos,
    },
}

/// What an adjustment did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Makes an adjustment to a subject's open period. `reason` is kept with it, for whoever audits the ledger.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] without a live subscription or such an item; [`CoreError::Conflict`] for an item that was refunded
    /// already, or a key that was used for something else.
    pub async fn adjust(
        &self,
        business: &Id,
        subject: &str,
        adjustment: &Adjustment,
        reason: &str,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<Adjusted, CoreError> {
        self.again(move || {
            Box::pin(async move {
                if reason.trim().is_empty() || reason.chars().count() > REASON_MAX_CHARS {
                    return Err(CoreError::invalid(
                        "REASON_FORM",
                        format!("a reason has 1 to {REASON_MAX_CHARS} characters"),
                    ));
                }
                let mut tx = self.store.begin(Mode::Write).await?;
                let mut account = subscriptions::live(&mut tx, business, subject, now).await?;
                let now = account.now;
                let subscription = account.subscription.id.clone();
                let idempotency =
                    IdempotencyKey::new(format!("adjustments/{subscription}"), key, &(subject, adjustment, reason))?;
                if let Some(known) = idempotency.recall(&mut tx).await? {
                    return Ok(known);
                }
                let id = new_id("adj", now);
                let transactions = match adjustment {
                    Adjustment::Correction { amount } => {
                        funding::adjust(Cause::Correction(id.to_string()), *amount)?.into_iter().collect::<Vec<_>>()
                    }
                    Adjustment::Refund { item } => {
                        let unknown = || CoreError::NotFound("there is no such usage item");
                        let mut record =
                            tx.usage_items(&subscription, vec![item.clone()]).await?.pop().ok_or_else(unknown)?;
                        if record.refunded_by.is_some() {
                            return Err(CoreError::conflict(
                                "ALREADY_REFUNDED",
                                format!("the item {item:?} was refunded already"),
                            ));
                        }
                        let mut paid = Vec::new();
                        for charge in tx.charges_of_item(&subscription, item, record.attempt).await? {
                            let Some(transaction) = &charge.transaction else { continue };
                            for (account, amount) in tx.postings(transaction).await? {
                                paid.push(ledger::posting(&account, amount, Cause::Charge(charge.id.clone()))?);
                            }
                        }
                        record.refunded_by = Some(id.clone());
                        tx.put_usage_items(&subscription, &[record]).await?;
                        funding::refund(id.as_str(), &paid, &mut account.buckets)?.into_iter().collect()
                    }
                };
                let mut adjusted = Adjusted {
                    adjustment_id: id,
                    receivable_nanos: Nanos::ZERO,
                    refunded_to_buckets_nanos: Nanos::ZERO,
                };
                for transaction in transactions {
                    adjusted.receivable_nanos = transaction.net(|account| *account == Account::Receivable)?;
                    let funding = transaction.net(|account| matches!(account, Account::Funding(_)))?;
                    adjusted.refunded_to_buckets_nanos = funding.negated()?;
                    account.post(transaction, now)?;
                }
                let body = serde_json::to_string(adjustment).map_err(|error| CoreError::Internal(error.to_string()))?;
                let (id, reason) = (adjusted.adjustment_id.clone(), reason.to_owned());
                tx.insert_adjustment(&StoredAdjustment { id, subscription, reason, body, at: now }).await?;
                idempotency.remember(&mut tx, &adjusted, now).await?;
                account.save(&mut tx).await?;
                tx.commit().await?;
                Ok(adjusted)
            })
        })
        .await
    }
}
