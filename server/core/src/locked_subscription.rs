//! A subscription with its money, as one thing: opened under lock and brought up to the moment, changed, and saved.
//!
//! What time does to a subscription is done here, before anything else reads or moves its money: holds and buckets expire,
//! transitions of migrations take place, periods end and begin, a planned end comes. Each event happens at its own instant, in
//! order, whoever comes by first; so it does not matter when that is, and no background job is needed for it.

use crate::error::CoreError;
use crate::ids::new_id;
use crate::releases;
use jiff::{SignedDuration, Timestamp};
use svc_engine::manifest::ir::{Display, Grant, GrantKind};
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::bill;
use svc_engine::money::funding::{self, Bucket, BucketState};
use svc_engine::money::ledger::{Cause, Transaction};
use svc_engine::money::period::{Period, PeriodError};
use svc_store::positions::StoredPosition;
use svc_store::records::{
    Entry, Hold, HoldState, Id, Projection, Proration, StoredPeriod, StoredWindow, Subscription, Transition,
    TransitionState,
};
use svc_store::{Connection, Tx};

/// Hours in a day of UTC.
const HOURS_PER_DAY: i64 = 24;

/// A subscription that is under lock, settled up to a moment.
pub(crate) struct LockedSubscription {
    pub(crate) subscription: Subscription,
    /// The open period; the last one where the subscription has ended.
    pub(crate) period: StoredPeriod,
    /// What it is served under, verified; nothing when any lookup misses (rule 3 of the preview).
    pub(crate) projection: Option<Projection>,
    /// The windows of the open period, oldest first.
    pub(crate) windows: Vec<StoredWindow>,
    /// Every bucket that counts in the period.
    pub(crate) buckets: Vec<Bucket>,
    /// The holds that are open.
    pub(crate) holds: Vec<Hold>,
    transition: Option<Transition>,
    entries: Vec<Entry>,
    /// The moment it is settled up to: that of the request, or, where another server's clock is ahead, what was settled already. Time
    /// never runs backwards for a subscription. What is made gets an id of this moment, whenever before it takes effect, so that
    /// ids go up.
    pub(crate) now: Timestamp,
}

/// What time does, in the order in which it does it at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    HoldOver,
    BucketOver,
    End,
    Transition,
    Rollover,
}

impl LockedSubscription {
    /// A new subscription, with its plan's grants.
    pub(crate) fn create(subscription: Subscription, projection: Projection) -> Result<LockedSubscription, CoreError> {
        let now = subscription.started_at;
        let period = subscription.anchor().period(subscription.period)?;
        let period = stored(&subscription, period)?;
        let mut locked = LockedSubscription {
            subscription,
            period,
            projection: Some(projection),
            windows: Vec::new(),
            buckets: Vec::new(),
            holds: Vec::new(),
            transition: None,
            entries: Vec::new(),
            now,
        };
        locked.grant_credits(now, |_| true)?;
        Ok(locked)
    }

    /// Opens a subscription that was read under lock, and settles it up to `now`.
    pub(crate) async fn open<C: Connection>(
        tx: &mut Tx<C>,
        subscription: Subscription,
        now: Timestamp,
    ) -> Result<LockedSubscription, CoreError> {
        let position = tx.position_of_subscription(&subscription.id).await?;
        let missing = || CoreError::Internal("a subscription's open period is missing".to_owned());
        let StoredPosition { period, projection, windows, buckets, holds, transition, .. } =
            position.ok_or_else(missing)?;
        let projection = projection.as_ref().and_then(|(body, hash)| releases::intact(body, hash));
        let now = now.max(period.start).max(subscription.served_since);
        let mut locked = LockedSubscription {
            subscription,
            period,
            projection,
            windows,
            buckets,
            holds,
            transition,
            entries: Vec::new(),
            now,
        };
        locked.settle(tx).await?;
        Ok(locked)
    }

    /// Whether the subscription is still going on.
    pub(crate) fn is_live(&self) -> bool {
        self.subscription.cancelled_at.is_none()
    }

    /// Posts a transaction in the open period. Gives its id.
    pub(crate) fn post(&mut self, transaction: Transaction, at: Timestamp) -> Result<Id, CoreError> {
        self.period.totals = self.period.totals.with(&transaction)?;
        let id = new_id("ltx", self.now);
        self.entries.push(Entry { id: id.clone(), period: self.period.index, at, transaction });
        Ok(id)
    }

    /// Writes everything that was changed.
    pub(crate) async fn save<C: Connection>(mut self, tx: &mut Tx<C>) -> Result<(), CoreError> {
        // INVARIANT 16: a broken bucket is an error before it is a row.
        self.buckets.iter().try_for_each(Bucket::check)?;
        self.subscription.next_due_at = self.next_event().map(|(at, _)| at);
        let id = &self.subscription.id;
        tx.update_subscription(&self.subscription).await?;
        tx.put_period(&self.period).await?;
        tx.put_buckets(id, &self.buckets).await?;
        tx.append(id, &self.entries).await?;
        Ok(())
    }

    /// Adds a bucket, and posts what was put into it. Gives a copy of it.
    pub(crate) fn add_bucket(
        &mut self,
        kind: GrantKind,
        granted: Nanos,
        expires_at: Option<Timestamp>,
        display: Option<Display>,
        at: Timestamp,
    ) -> Result<Bucket, CoreError> {
        let state = if granted == Nanos::ZERO { BucketState::Exhausted } else { BucketState::Available };
        let bucket = Bucket {
            id: new_id("bkt", self.now).to_string(),
            kind,
            state,
            granted,
            remaining: granted,
            held: Nanos::ZERO,
            consumed: Nanos::ZERO,
            expires_at,
            display,
        };
        if let Some(transaction) = funding::grant(&bucket.id, bucket.granted)? {
            self.post(transaction, at)?;
        }
        self.buckets.push(bucket.clone());
        Ok(bucket)
    }

    /// Lets what is left of the hold at `index` go.
    pub(crate) async fn end_hold<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        index: usize,
        state: HoldState,
        at: Timestamp,
    ) -> Result<(), CoreError> {
        if index >= self.holds.len() {
            return Err(CoreError::Internal("a hold to end is not among the open ones".to_owned()));
        }
        let hold = self.holds.swap_remove(index);
        for transaction in funding::release(&mut self.buckets, &hold.parts)? {
            self.post(transaction, at)?;
        }
        tx.end_hold(&self.subscription.id, &hold.id, state).await?;
        Ok(())
    }

    /// Ends the subscription at `at`. The period keeps its fee, or costs only the part up to then.
    pub(crate) async fn end<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        at: Timestamp,
        prorates: bool,
    ) -> Result<(), CoreError> {
        // A period that ends as it begins costs nothing, whatever was asked for.
        if prorates || at == self.period.start {
            self.period.recurring_fee_cents = fee(&self.subscription, self.period.period(), Some(at))?;
        }
        while !self.holds.is_empty() {
            self.end_hold(tx, 0, HoldState::Released, at).await?;
        }
        if let Some(transition) = self.transition.take() {
            tx.update_transition(&Transition { state: TransitionState::Dropped, ..transition }).await?;
        }
        self.close_windows(tx, at).await?;
        self.period.end = at;
        self.subscription.cancelled_at = Some(at);
        Ok(())
    }

    /// The next thing that time does, and when; nothing once the subscription has ended.
    fn next_event(&self) -> Option<(Timestamp, Event)> {
        if !self.is_live() {
            return None;
        }
        let holds = self.holds.iter().map(|hold| (hold.expires_at, Event::HoldOver));
        let buckets = self.buckets.iter().filter(|bucket| bucket.is_alive());
        let buckets = buckets.filter_map(|bucket| bucket.expires_at).map(|at| (at, Event::BucketOver));
        let end = self.subscription.cancel_at.map(|at| (at, Event::End));
        let due = self.transition.as_ref().filter(|transition| transition.state == TransitionState::Pending);
        // An order by a server whose clock is behind takes effect at the earliest moment that has not been settled.
        let earliest = self.period.start.max(self.subscription.served_since);
        let transition = due.and_then(|transition| transition.due_at).map(|at| (at.max(earliest), Event::Transition));
        let rollover = [(self.period.end, Event::Rollover)];
        holds.chain(buckets).chain(end).chain(transition).chain(rollover).min()
    }

    /// Lets time pass up to its moment.
    async fn settle<C: Connection>(&mut self, tx: &mut Tx<C>) -> Result<(), CoreError> {
        while let Some((at, event)) = self.next_event().filter(|(at, _)| *at <= self.now) {
            match event {
                Event::HoldOver => {
                    let over = self.holds.iter().position(|hold| hold.expires_at <= at);
                    let over = over.ok_or_else(|| CoreError::Internal("no hold is over at its moment".to_owned()))?;
                    self.end_hold(tx, over, HoldState::Released, at).await?;
                }
                Event::BucketOver => self.expire_buckets(at)?,
                Event::End => self.end(tx, at, false).await?,
                Event::Transition => self.move_over(tx, at).await?,
                Event::Rollover => self.roll_over(tx, at).await?,
            }
        }
        Ok(())
    }

    fn expire_buckets(&mut self, at: Timestamp) -> Result<(), CoreError> {
        let mut expired = Vec::new();
        for bucket in &mut self.buckets {
            expired.extend(funding::expire(bucket, at)?);
        }
        expired.into_iter().try_for_each(|transaction| self.post(transaction, at).map(drop))
    }

    /// Ends the open period and begins the next.
    async fn roll_over<C: Connection>(&mut self, tx: &mut Tx<C>, at: Timestamp) -> Result<(), CoreError> {
        tx.put_period(&self.period).await?;
        let next = self.period.index.checked_add(1).ok_or(PeriodError)?;
        self.subscription.period = next;
        if let Some(fee) = self.subscription.next_fee_cents.take() {
            self.subscription.recurring_fee_cents = fee;
        }
        let period = self.subscription.anchor().period(next)?;
        self.period = stored(&self.subscription, period)?;
        self.windows.clear();
        self.grant_credits(at, |recurs| recurs)
    }

    /// Makes the buckets of the plan's credit grants whose `recurs` is wanted.
    fn grant_credits(&mut self, at: Timestamp, wanted: impl Fn(bool) -> bool) -> Result<(), CoreError> {
        let Some(projection) = &self.projection else {
            tracing::error!(subscription = %self.subscription.id, "a period begins without its grants: the projection is missing or altered");
            return Ok(());
        };
        for grant in projection.plan.grants.clone() {
            let Grant::Credit { kind, amount_cents, recurs, expires_after_days, display, .. } = grant else { continue };
            if !wanted(recurs) {
                continue;
            }
            let period_end = recurs.then_some(self.period.end);
            let own_end = expires_after_days.map(|days| days_after(at, days)).transpose()?;
            let expires_at = [period_end, own_end].into_iter().flatten().min();
            self.add_bucket(kind, amount_cents.nanos(), expires_at, display, at)?;
        }
        Ok(())
    }

    /// Moves the subscription to its transition's release.
    async fn move_over<C: Connection>(&mut self, tx: &mut Tx<C>, at: Timestamp) -> Result<(), CoreError> {
        let Some(transition) = self.transition.take() else { return Ok(()) };
        let stored = tx.served_projection(&transition.to_release, &self.subscription.plan).await?;
        let Some(projection) = stored.as_ref().and_then(releases::verified) else {
            // It stays pending in the store, and is tried again when someone comes by.
            tracing::error!(transition = %transition.id, "a transition waits: its projection is missing or altered");
            return Ok(());
        };
        if at < self.period.end && self.subscription.interval != projection.plan.interval {
            // It could not be carried out at its renewal; periods of another length begin with the next one.
            let later = Transition { due_at: Some(self.period.end), ..transition };
            tx.update_transition(&later).await?;
            self.transition = Some(later);
            return Ok(());
        }
        self.close_windows(tx, at).await?;
        self.change_fee(projection.plan.recurring_fee_cents, transition.proration, &transition.id, at)?;
        let subscription = &mut self.subscription;
        if subscription.interval != projection.plan.interval {
            subscription.interval = projection.plan.interval;
            subscription.anchor_at = at;
            subscription.anchor_period = self.period.index.checked_add(1).ok_or(PeriodError)?;
        }
        subscription.release = transition.to_release.clone();
        subscription.plan_version = projection.version;
        subscription.served_since = at;
        if at < self.period.end {
            self.period.release = transition.to_release.clone();
        }
        self.projection = Some(projection);
        tx.update_transition(&Transition { state: TransitionState::Applied, ..transition }).await?;
        Ok(())
    }

    /// What a move at `at` does to the fee.
    fn change_fee(
        &mut self,
        new: Cents,
        proration: Proration,
        transition: &Id,
        at: Timestamp,
    ) -> Result<(), CoreError> {
        let period = self.period.period();
        let change = fee_change(&self.subscription, period, self.period.credited_fee_cents, new, proration, at)?;
        if change.takes_effect {
            self.subscription.recurring_fee_cents = new;
            self.subscription.next_fee_cents = None;
            self.period.recurring_fee_cents = fee(&self.subscription, period, None)?;
        } else {
            self.subscription.next_fee_cents = Some(new);
        }
        if let Some(transaction) = funding::adjust(Cause::Proration(transition.to_string()), change.adjustment)? {
            self.post(transaction, at)?;
        }
        if change.credit > Nanos::ZERO {
            self.period.credited_fee_cents = Some(new);
            self.add_bucket(GrantKind::Promo, change.credit, None, None, at)?;
        }
        Ok(())
    }

    /// Ends the windows that are open at `at`.
    async fn close_windows<C: Connection>(&mut self, tx: &mut Tx<C>, at: Timestamp) -> Result<(), CoreError> {
        for window in self.windows.iter_mut().filter(|window| window.end > at) {
            window.end = at;
            tx.put_window(window).await?;
        }
        Ok(())
    }
}

/// What a move in the middle of a period does to what the period costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FeeChange {
    /// Whether the new fee is the open period's, too.
    takes_effect: bool,
    /// What is posted so that the time before is paid at the old fee.
    pub(crate) adjustment: Nanos,
    /// What is given because the rest of the period is cheaper.
    pub(crate) credit: Nanos,
}

/// What a move to a plan of fee `new` at `at` does. `credited` is the fee that moves of this period were credited down to.
pub(crate) fn fee_change(
    subscription: &Subscription,
    period: Period,
    credited: Option<Cents>,
    new: Cents,
    proration: Proration,
    at: Timestamp,
) -> Result<FeeChange, CoreError> {
    let mut change = FeeChange::default();
    if at >= period.end {
        return Ok(change);
    }
    let charged_from = subscription.trial_ends_at.unwrap_or(period.start);
    let old = subscription.recurring_fee_cents;
    match proration {
        Proration::None => {}
        Proration::Prorate => {
            change.takes_effect = true;
            let before = period.overlap_micros(charged_from, at);
            change.adjustment = old.nanos().minus(new.nanos())?.share(before, period.micros())?;
        }
        Proration::Credit => {
            let rest = period.overlap_micros(charged_from.max(at), period.end);
            let base = credited.unwrap_or(old).min(old);
            let difference = base.nanos().minus(new.nanos())?.max(Nanos::ZERO);
            change.credit = difference.share(rest, period.micros())?;
        }
    }
    Ok(change)
}

/// What a period of a subscription costs for the plan itself.
fn fee(subscription: &Subscription, period: Period, billed_until: Option<Timestamp>) -> Result<Cents, CoreError> {
    Ok(bill::fee(subscription.recurring_fee_cents, period, subscription.trial_ends_at, billed_until)?)
}

fn stored(subscription: &Subscription, period: Period) -> Result<StoredPeriod, CoreError> {
    Ok(StoredPeriod {
        subscription: subscription.id.clone(),
        index: period.index,
        start: period.start,
        end: period.end,
        release: subscription.release.clone(),
        plan: subscription.plan.clone(),
        recurring_fee_cents: fee(subscription, period, None)?,
        credited_fee_cents: None,
        totals: Default::default(),
        invoice: None,
    })
}

/// The moment `days` days of 24 hours after `start`.
pub(crate) fn days_after(start: Timestamp, days: u32) -> Result<Timestamp, CoreError> {
    let beyond = || CoreError::invalid("EXPIRY_RANGE", "the moment lies beyond the calendar");
    let hours = i64::from(days).checked_mul(HOURS_PER_DAY).ok_or_else(beyond)?;
    start.checked_add(SignedDuration::from_hours(hours)).map_err(|_| beyond())
}
