//! Voiding a usage item: its charges leave their window, the period is rated again, and who paid for it gets the difference.

use crate::error::CoreError;
use crate::ids::new_id;
use crate::locked_subscription::{LockedSubscription, is_bought};
use crate::{metering, period_ratings, releases};
use std::collections::BTreeMap;
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::SpendBounds;
use svc_engine::money::bucket::Bucket;
use svc_engine::money::funding::{self, Change, Payment, Reach, SpendLimit};
use svc_engine::money::ledger::{Account, Transaction};
use svc_engine::money::rating::{Counted, PeriodRating};
use svc_engine::money::scope;
use svc_store::records::{Charge, Entry, Id, StoredPeriod, StoredWindow, UsageItemRecord};
use svc_store::{Connection, Tx};

/// A period that something is taken out of.
struct Voiding {
    period: StoredPeriod,
    windows: Vec<StoredWindow>,
    rating: PeriodRating,
    /// The same as it was.
    before: PeriodRating,
    /// How far the subscriber pays where it costs more without the item, as where a volume tier is lost.
    limit: SpendLimit,
    voids: Vec<Charge>,
}

/// Takes the charges of an item out, because of an adjustment. Returns what was posted; nothing where it cost nothing.
pub(crate) async fn void<C: Connection>(
    tx: &mut Tx<C>,
    locked: &mut LockedSubscription,
    item: &UsageItemRecord,
    adjustment: &Id,
) -> Result<Option<Transaction>, CoreError> {
    let charges = tx.charges_of_item(&locked.subscription.key(), &item.id, item.attempt).await?;
    let Some(first) = charges.first() else { return Ok(None) };
    let mut voiding = Voiding::open(tx, locked, first.period).await?;
    let mut change = Nanos::ZERO;
    for charge in &charges {
        change = change.plus(voiding.take_out(tx, locked, charge, adjustment).await?)?;
    }
    let transaction = voiding.pay(tx, locked, change, adjustment).await?;
    voiding.save(tx, locked, transaction.clone()).await?;
    Ok(transaction)
}

impl Voiding {
    async fn open<C: Connection>(
        tx: &mut Tx<C>,
        locked: &LockedSubscription,
        index: u32,
    ) -> Result<Voiding, CoreError> {
        let subscription = &locked.subscription.key();
        let period = if index == locked.period.index {
            locked.period.clone()
        } else {
            let missing = || CoreError::Internal("a charge's period is missing".to_owned());
            tx.period(subscription, index).await?.ok_or_else(missing)?
        };
        let windows = tx.windows(subscription, index).await?;
        let mut limit = SpendLimit::Unbounded;
        for window in &windows {
            let projection = releases::of_window(tx, window).await?;
            let bounds = SpendBounds::of(&projection.plan, period.own_most_cents);
            // A void is never refused: what passes a bound is not billed.
            limit = bounds.limit(period.spend_fee()?, period.totals)?.never_refusing();
        }
        let rating = period_ratings::period_rating(tx, &period, &windows).await?;
        Ok(Voiding { period, windows, before: rating.clone(), rating, limit, voids: Vec::new() })
    }

    /// Takes one charge out. Returns by how much that changes what the period has posted.
    async fn take_out<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        locked: &LockedSubscription,
        charge: &Charge,
        adjustment: &Id,
    ) -> Result<Nanos, CoreError> {
        let (subscription, index) = (&locked.subscription.key(), self.period.index);
        let replayed = self.rating.replayed_with(&charge.cell);
        let others = if replayed.is_empty() {
            Vec::new()
        } else {
            let cells = replayed.iter().map(ToString::to_string).collect();
            let mut counted = tx.charges_of_cells(subscription, index, cells).await?;
            counted.retain(|other| other.counts() && !self.is_out(other, charge));
            counted.iter().map(|other| self.counted(other)).collect::<Result<Vec<_>, _>>()?
        };
        let voided = self.counted(charge)?;
        let change = self.rating.void(&voided, &others)?;
        if let Some(key) = &charge.unique_key
            && !others.iter().any(|other| other.cell == charge.cell && other.unique_key.as_ref() == Some(key))
        {
            tx.remove_period_key(subscription, index, &charge.cell, key).await?;
        }
        if let Some(window) = self.windows.get_mut(voided.window) {
            let count = window.charge_count.checked_sub(1);
            window.charge_count = count.ok_or_else(|| CoreError::out_of_range("a window's count of charges"))?;
        }
        let position = self.period.entries;
        let next = position.checked_add(1).ok_or_else(|| CoreError::out_of_range("a period's count of entries"))?;
        self.period.entries = next;
        self.voids.push(Charge {
            position,
            voided_by: Some(adjustment.clone()),
            admitted_at: locked.now,
            charge: change,
            remainder: Nanos::ZERO,
            transaction: None,
            ..charge.clone()
        });
        Ok(change)
    }

    /// Whether a charge is that which is taken out, or was taken out with it before.
    fn is_out(&self, other: &Charge, charge: &Charge) -> bool {
        let is_of_item = (&other.item, other.attempt) == (&charge.item, charge.attempt);
        is_of_item && (other.cell == charge.cell || self.voids.iter().any(|void| void.cell == other.cell))
    }

    fn counted(&self, charge: &Charge) -> Result<Counted, CoreError> {
        let window = self.windows.iter().position(|window| window.id == charge.window);
        let window = window.ok_or_else(|| CoreError::Internal("a charge's window is missing".to_owned()))?;
        Ok(Counted {
            window,
            cell: charge.cell.clone(),
            units: charge.units,
            unique_key: charge.unique_key.clone(),
            at: metering::happened_at(charge.occurred_at, charge.admitted_at),
        })
    }

    /// Moves the difference: to whoever paid in that very period.
    async fn pay<C: Connection>(
        &self,
        tx: &mut Tx<C>,
        locked: &mut LockedSubscription,
        change: Nanos,
        adjustment: &Id,
    ) -> Result<Option<Transaction>, CoreError> {
        let is_open = self.is_open(locked);
        let mut buckets = if is_open { locked.buckets.clone() } else { self.buckets_of_the_past(tx, locked).await? };
        let parts = &scope::between(scope::parts_of(&buckets), &self.before, &self.rating)?;
        let payment = Payment {
            change: Change::Void { adjustment: adjustment.as_str(), amount: change },
            now: locked.now,
            usage: self.period.totals.usage,
            limit: self.limit,
            parts,
            reach: Reach::Rise,
        };
        if is_open {
            return Ok(funding::pay(&payment, &mut locked.buckets, &mut [])?);
        }
        let before = buckets.clone();
        let transaction = funding::pay(&payment, &mut buckets, &mut [])?;
        for (bucket, _) in buckets.into_iter().zip(before).filter(|(bucket, before)| bucket != before) {
            locked.put_bucket_of_the_past(bucket);
        }
        Ok(transaction)
    }

    /// Every bucket, with what it paid in the period.
    async fn buckets_of_the_past<C: Connection>(
        &self,
        tx: &mut Tx<C>,
        locked: &mut LockedSubscription,
    ) -> Result<Vec<Bucket>, CoreError> {
        let subscription = &locked.subscription.key();
        // What time has posted since somebody came by is a part of it.
        locked.write_entries(tx).await?;
        let mut paid: BTreeMap<String, Nanos> = BTreeMap::new();
        for (account, amount) in tx.paid_by_buckets(subscription, self.period.index).await? {
            if let Account::Funding(bucket) = account.parse::<Account>()? {
                let sum = paid.entry(bucket).or_default();
                *sum = sum.plus(amount)?;
            }
        }
        // As they are by now, which is not written yet: some have expired since somebody came by, and some are new.
        let mut buckets = locked.all_buckets();
        for stored in tx.all_buckets(subscription).await? {
            if !buckets.iter().any(|known| known.id == stored.id) {
                buckets.push(stored);
            }
        }
        for bucket in &mut buckets {
            bucket.paid = paid.get(&bucket.id).copied().unwrap_or_default();
        }
        Ok(buckets)
    }

    fn is_open(&self, locked: &LockedSubscription) -> bool {
        self.period.index == locked.period.index
    }

    /// Posts, and writes the period as it is without the item. A period that is not closed yet owes the difference itself; one
    /// that is closed stays as its invoice says, and the open one owes it, or a credit note.
    async fn save<C: Connection>(
        mut self,
        tx: &mut Tx<C>,
        locked: &mut LockedSubscription,
        transaction: Option<Transaction>,
    ) -> Result<(), CoreError> {
        let now = locked.now;
        let subscription = locked.subscription.key();
        let mut id = None;
        if let Some(transaction) = transaction {
            let buckets = locked.buckets.clone();
            let is_bought = |id: &str| is_bought(&buckets, id);
            if self.period.invoice.is_some() {
                self.period.totals.usage = self.period.totals.usage.with(&transaction, is_bought)?;
                if locked.period.invoice.is_some() {
                    locked.begin_credit_note()?;
                }
                id = Some(locked.post_for_closed(transaction, now)?);
            } else if self.is_open(locked) {
                id = Some(locked.post(transaction, now)?);
                self.period.totals = locked.period.totals;
            } else {
                self.period.totals = self.period.totals.with(&transaction, is_bought)?;
                let entry = Entry { id: new_id("ltx", now), period: self.period.index, at: now, transaction };
                tx.append(&subscription, std::slice::from_ref(&entry)).await?;
                id = Some(entry.id);
            }
        }
        if self.is_open(locked) {
            locked.period.entries = self.period.entries;
        } else {
            tx.put_period(&self.period).await?;
        }
        for (window, rated) in self.windows.iter_mut().zip(self.rating.windows()) {
            window.rated = rated.rated()?;
            tx.put_window(window).await?;
            tx.put_levels(window, rated.levels()).await?;
        }
        self.voids.iter_mut().for_each(|void| void.transaction.clone_from(&id));
        tx.insert_charges(&subscription, &self.voids).await?;
        Ok(())
    }
}
