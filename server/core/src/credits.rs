//! Credits that an operator gives beside a plan's own, packs of credit that a subscriber buys, and taking buckets back.

use crate::audit_log::Deed;
use crate::core::Core;
use crate::error::CoreError;
use crate::idempotency::IdempotencyKey;
use crate::locked_subscription::{self, LockedSubscription, NewBucket};
use crate::{invoices, subscriptions};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;
use svc_engine::manifest::ir::{Grant, GrantKind, Key};
use svc_engine::moment::Moment;
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::bucket::{self, Bucket, BucketOrigin, BucketState};
use svc_engine::money::funding;
use svc_store::records::Id;
use svc_store::{Mode, Store};

/// Basis points in a whole.
const BASIS_POINTS: i128 = 10_000;

/// What a credit is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "source")]
pub enum CreditSource {
    /// The operator gives it.
    #[serde(rename_all = "camelCase")]
    Given {
        /// How much, in cents.
        amount_cents: Cents,
        /// Where it comes from.
        kind: GrantKind,
        /// Days it lives; for ever unless given.
        expires_after_days: Option<u32>,
        /// The meters whose usage it pays for, of the served release; all usage where nothing is said.
        #[serde(skip_serializing_if = "Option::is_none")]
        meters: Option<BTreeSet<Key>>,
    },
    /// A pack of the served plan, by article number; its price goes on the open period's invoice.
    TopUp {
        /// The article number.
        sku: String,
        /// How much credit, in cents, where the buyer chooses.
        #[serde(skip_serializing_if = "Option::is_none")]
        amount_cents: Option<Cents>,
    },
}

/// A bucket as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Credited {
    /// The bucket.
    pub bucket_id: String,
    /// Where its money comes from.
    pub kind: GrantKind,
    /// What it can do.
    pub state: BucketState,
    /// What can still pay.
    pub remaining_nanos: Nanos,
    /// From when on it can't pay; null for never.
    #[schemars(with = "Option<Moment>")]
    pub expires_at: Option<Timestamp>,
    /// The meters whose usage it pays for; left out where it pays for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meters: Option<BTreeSet<Key>>,
}

impl From<&Bucket> for Credited {
    fn from(bucket: &Bucket) -> Self {
        Credited {
            bucket_id: bucket.id.clone(),
            kind: bucket.kind,
            state: bucket.state,
            remaining_nanos: bucket.remaining,
            expires_at: bucket.expires_at,
            meters: bucket.meters.clone(),
        }
    }
}

impl<S: Store> Core<S> {
    /// Puts credit into a new bucket of a subject's live subscription.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] without a live subscription; [`CoreError::Invalid`] for a credit of nothing, an expiry beyond the calendar, a meter that the
    /// served release does not have, or a pack that the plan does not have; [`CoreError::Conflict`] for a key that was used for something else.
    pub async fn give_credit(
        &self,
        business: &Id,
        subject: &str,
        source: &CreditSource,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<Credited, CoreError> {
        if matches!(source, CreditSource::Given { amount_cents, .. } if *amount_cents == Cents::ZERO) {
            return Err(CoreError::invalid("CREDIT_FORM", "a credit is at least one cent"));
        }
        self.again(move || {
            Box::pin(async move {
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let mut locked = subscriptions::live(&mut tx, business, subject, now).await?;
                let now = locked.now;
                let idempotency = IdempotencyKey::new(business, format!("credits/{subject}"), key, &(subject, source))?;
                if let Some(known) = idempotency.recall(&mut tx).await? {
                    return Ok(known);
                }
                let bucket = match source {
                    CreditSource::Given { amount_cents, kind, expires_after_days, meters } => {
                        let expires_at =
                            expires_after_days.map(|days| locked_subscription::days_after(now, days)).transpose()?;
                        check_meters(&locked, meters.as_ref())?;
                        let given = NewBucket::of(BucketOrigin::Given, *kind, amount_cents.nanos());
                        locked.add_bucket(NewBucket { expires_at, meters: meters.clone(), ..given }, now)?
                    }
                    CreditSource::TopUp { sku, amount_cents } => top_up(&mut locked, sku, *amount_cents, now)?,
                };
                let credited = Credited::from(&bucket);
                idempotency.remember(&mut tx, &credited, now).await?;
                let detail = json!({ "kind": credited.kind, "nanos": credited.remaining_nanos });
                let deed = Deed::of(business, "credit.given", &credited.bucket_id).with(detail);
                self.note(&mut tx, deed, now).await?;
                locked.save(&mut tx).await?;
                tx.commit().await?;
                Ok(credited)
            })
        })
        .await
    }

    /// Takes a bucket back: what is left in it is gone, what is held stays promised, and the price of an untouched pack is owed no
    /// more. Again: the same.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn revoke_credit(&self, business: &Id, bucket: &str, now: Timestamp) -> Result<Credited, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let unknown = || CoreError::NotFound("there is no such bucket");
                let mut tx = self.store.begin(Mode::ReadOnce).await?;
                let subscription = tx.subscription_of_bucket(business, bucket).await?.ok_or_else(unknown)?;
                drop(tx);
                let _turn = self.turn_of(business, &subscription).await?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let mut locked = subscriptions::lock(&mut tx, business, &subscription, now).await?;
                let now = locked.now;
                let returned = locked.buckets.iter().find(|known| known.id == bucket).and_then(Bucket::returned_price);
                let is_credit_note = returned.is_some() && locked.period.invoice.is_some();
                if is_credit_note {
                    locked.begin_credit_note()?;
                }
                let Some(found) = locked.buckets.iter_mut().find(|known| known.id == bucket) else {
                    // It ended before the open period began.
                    let buckets = tx.all_buckets(&locked.subscription.key()).await?;
                    return buckets.iter().find(|known| known.id == bucket).map(Credited::from).ok_or_else(unknown);
                };
                let transactions = bucket::revoke(found)?;
                let credited = Credited::from(&*found);
                for transaction in transactions {
                    locked.post(transaction, now)?;
                }
                locked.save(&mut tx).await?;
                if is_credit_note {
                    invoices::close_ended(&mut tx, business, &subscription, now).await?;
                }
                self.note(&mut tx, Deed::of(business, "credit.revoked", bucket), now).await?;
                tx.commit().await?;
                Ok(credited)
            })
        })
        .await
    }
}

/// Credit pays for meters that there are, and for one at least.
fn check_meters(locked: &LockedSubscription, meters: Option<&BTreeSet<Key>>) -> Result<(), CoreError> {
    let Some(meters) = meters else { return Ok(()) };
    if meters.is_empty() {
        return Err(CoreError::invalid(
            "CREDIT_FORM",
            "`meters` names none; leave it out for credit that pays for all usage",
        ));
    }
    let missing = || CoreError::Internal("the projection a subscription is served under is missing".to_owned());
    let served = locked.projection.as_ref().ok_or_else(missing)?;
    match meters.iter().find(|meter| !served.meters.contains_key(*meter)) {
        Some(unknown) => Err(unknown_meter(unknown.as_str())),
        None => Ok(()),
    }
}

/// The refusal of a meter that the served release does not have.
pub fn unknown_meter(meter: &str) -> CoreError {
    CoreError::invalid("UNKNOWN_METER", format!("the served release has no meter {meter:?}"))
}

/// What is sold.
struct Pack {
    credit: Nanos,
    price: Nanos,
    expires_after_days: Option<u32>,
}

/// Sells a pack: its credit in a prepaid bucket, its price on the invoice.
fn top_up(
    locked: &mut LockedSubscription,
    sku: &str,
    amount: Option<Cents>,
    now: Timestamp,
) -> Result<Bucket, CoreError> {
    let projection = locked.projection.as_ref();
    let plan = &projection
        .ok_or_else(|| CoreError::Internal("the projection a subscription is served under is missing".to_owned()))?
        .plan;
    let unknown = || CoreError::invalid("UNKNOWN_SKU", format!("the plan has no pack {sku:?}"));
    let grant = plan.grants.iter().find(|grant| grant.sku() == Some(sku)).ok_or_else(unknown)?;
    let Pack { credit, price, expires_after_days } = pack(grant, sku, amount)?;
    let meters = grant.meters().cloned();
    let expires_at = expires_after_days.map(|days| locked_subscription::days_after(now, days)).transpose()?;
    let new = NewBucket::of(BucketOrigin::TopUp, GrantKind::Prepaid, credit);
    let bucket = locked.add_bucket(NewBucket { price: Some(price), expires_at, meters, ..new }, now)?;
    if let Some(transaction) = funding::bill_top_up(&bucket.id, price)? {
        locked.post(transaction, now)?;
    }
    Ok(bucket)
}

/// What one gets for what, where the buyer chooses the amount or does not.
fn pack(grant: &Grant, sku: &str, amount: Option<Cents>) -> Result<Pack, CoreError> {
    let wrong = |message: String| CoreError::invalid("CREDIT_FORM", message);
    match (grant, amount) {
        (Grant::TopUp { price_cents, credit_cents, expires_after_days, .. }, None) => Ok(Pack {
            credit: credit_cents.nanos(),
            price: price_cents.nanos(),
            expires_after_days: *expires_after_days,
        }),
        (Grant::TopUp { .. }, Some(_)) => {
            Err(wrong(format!("the pack {sku:?} has a price of its own; leave the amount out")))
        }
        (Grant::OpenTopUp { min_cents, max_cents, fee_basis_points, expires_after_days, .. }, Some(amount)) => {
            if amount < *min_cents || amount > *max_cents {
                let (least, most) = (min_cents.get(), max_cents.get());
                let message = format!("one buys {least} to {most} cents of {sku:?} at once, not {}", amount.get());
                return Err(CoreError::invalid("AMOUNT_OUT_OF_BOUNDS", message));
            }
            // Whole nanos: a basis point of a cent is a thousand of them.
            let price = amount.nanos().plus(amount.nanos().share(i128::from(*fee_basis_points), BASIS_POINTS)?)?;
            Ok(Pack { credit: amount.nanos(), price, expires_after_days: *expires_after_days })
        }
        (Grant::OpenTopUp { .. }, None) => {
            Err(wrong(format!("of {sku:?} the buyer chooses how much: give amountCents")))
        }
        _ => Err(CoreError::Internal(format!("{sku:?} is nothing that can be sold"))),
    }
}
