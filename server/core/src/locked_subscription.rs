//! A subscription with its money, as one thing: opened under lock and brought up to the moment, changed, and saved.
//!
//! What time does to a subscription is done here, before anything else reads or moves its money: holds and buckets expire,
//! transitions of migrations take place, periods end and begin, a planned end comes. Each event happens at its own instant, in
//! order, whoever comes by first; so it does not matter when that is, and no background job is needed for it.

use crate::counters::{self, HoldEnd};
use crate::error::CoreError;
use crate::events::{News, Served};
use crate::ids::new_id;
use crate::period_ratings::just_before;
use crate::saving::{Saving, Told};
use crate::terms::{SharedTerms, Terms};
use crate::watermarks::Watermarks;
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use svc_engine::manifest::ir::{Disclosure, Display, Grant, GrantKind, Key};
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::bill::ChargedTime;
use svc_engine::money::bucket::{self, Bucket, BucketOrigin, BucketState};
use svc_engine::money::fee::{FeeTerms, PeriodFee};
use svc_engine::money::ledger::{Cause, Transaction};
use svc_engine::money::period::{Anchor, Period, PeriodError};
use svc_engine::money::rating::{Levels, PeriodRating};
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
    pub(crate) projection: Option<Arc<Terms>>,
    /// The windows of the open period, oldest first.
    pub(crate) windows: Vec<StoredWindow>,
    /// Every bucket that counts in the period.
    pub(crate) buckets: Vec<Bucket>,
    /// The holds that are open.
    pub(crate) holds: Vec<Hold>,
    /// The move that waits, or is offered.
    pub(crate) transition: Option<Transition>,
    entries: Vec<Entry>,
    /// Buckets that had nothing in them when a period ended, with that period.
    spent: Vec<(u32, Bucket)>,
    /// The period of no length that it began with, where it has just begun with one.
    ended: Option<StoredPeriod>,
    /// What its money was when it was opened.
    pub(crate) marks: Watermarks,
    /// What happened to it, and when.
    pub(crate) news: Vec<(Timestamp, News)>,
    /// The rating of its windows as they were settled, where levels last and time made it known: for who meters at once.
    pub(crate) rated: Option<PeriodRating>,
    /// The moment it is settled up to: that of the request, or, where another server's clock is ahead, what was settled already. Time
    /// never runs backwards for a subscription. What is made gets an id of this moment, whenever before it takes effect, so that
    /// ids go up.
    pub(crate) now: Timestamp,
}

/// What was found of a subscription that is under lock.
pub(crate) struct Found {
    pub(crate) position: StoredPosition,
    /// What it is served under, verified.
    pub(crate) terms: Option<Arc<Terms>>,
    /// The levels of its windows, where they were asked for already.
    pub(crate) levels: Option<BTreeMap<Id, Levels>>,
}

/// A subscription that has no open period.
pub(crate) fn no_period() -> CoreError {
    CoreError::Internal("a subscription's open period is missing".to_owned())
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
    /// A new subscription, with its plan's grants: all that recur, and of the others those that are `due` to the subject.
    pub(crate) fn create(
        mut subscription: Subscription,
        projection: Arc<Terms>,
        due: impl Fn(GrantKind) -> bool,
    ) -> Result<LockedSubscription, CoreError> {
        let now = subscription.started_at;
        let (period, fee) = first_period(&mut subscription)?;
        let mut locked = LockedSubscription {
            period: stored(&subscription, period, fee),
            subscription,
            projection: Some(projection),
            windows: Vec::new(),
            buckets: Vec::new(),
            holds: Vec::new(),
            transition: None,
            entries: Vec::new(),
            spent: Vec::new(),
            ended: None,
            marks: Watermarks::default(),
            news: Vec::new(),
            rated: None,
            now,
        };
        if locked.period.end == now {
            // The document of the first fee, which comes in advance.
            locked.charge_due_fee(false, now)?;
            locked.ended = Some(locked.period.clone());
            locked.begin_next()?;
        }
        locked.waive_trial(now)?;
        locked.grant_credits(now, |kind, recurs| recurs || due(kind))?;
        Ok(locked)
    }

    /// Opens a subscription that was read under lock, and settles it up to `now`.
    pub(crate) async fn open<C: Connection>(
        tx: &mut Tx<C>,
        subscription: Subscription,
        now: Timestamp,
    ) -> Result<LockedSubscription, CoreError> {
        let position = tx.position_of_subscription(&subscription.key()).await?.ok_or_else(no_period)?;
        let terms = SharedTerms::default().intact(position.projection.as_ref());
        LockedSubscription::at(tx, subscription, Found { position, terms, levels: None }, now).await
    }

    /// Opens a subscription that was read under lock, with what was found of it, and settles it up to `now`.
    pub(crate) async fn at<C: Connection>(
        tx: &mut Tx<C>,
        subscription: Subscription,
        found: Found,
        now: Timestamp,
    ) -> Result<LockedSubscription, CoreError> {
        let Found { position, terms: projection, levels } = found;
        let StoredPosition { period, windows, buckets, holds, transition, .. } = position;
        let marks = Watermarks::of(&period, &buckets)?;
        let mut locked = LockedSubscription {
            subscription,
            period,
            projection,
            windows,
            buckets,
            holds,
            transition,
            entries: Vec::new(),
            spent: Vec::new(),
            ended: None,
            marks,
            news: Vec::new(),
            rated: None,
            now,
        };
        locked.now = locked.moment(now);
        locked.settle(tx, levels).await?;
        Ok(locked)
    }

    /// Whether the subscription is still going on.
    pub(crate) fn is_live(&self) -> bool {
        self.subscription.cancelled_at.is_none()
    }

    /// Posts a transaction in the open period. Gives its id.
    pub(crate) fn post(&mut self, transaction: Transaction, at: Timestamp) -> Result<Id, CoreError> {
        let is_bought = |id: &str| is_bought(&self.buckets, id);
        self.period.totals = self.period.totals.with(&transaction, is_bought)?;
        Ok(self.enter(transaction, at))
    }

    /// Posts a transaction that is about a closed period's usage: only what is owed moves in the open one. Gives its id.
    pub(crate) fn post_for_closed(&mut self, transaction: Transaction, at: Timestamp) -> Result<Id, CoreError> {
        self.period.totals = self.period.totals.with_receivable(&transaction)?;
        Ok(self.enter(transaction, at))
    }

    fn enter(&mut self, transaction: Transaction, at: Timestamp) -> Id {
        let id = new_id("ltx", self.now);
        self.entries.push(Entry { id: id.clone(), period: self.period.index, at, transaction });
        id
    }

    /// Writes what was posted so far, for whoever asks the ledger who paid.
    pub(crate) async fn write_entries<C: Connection>(&mut self, tx: &mut Tx<C>) -> Result<(), CoreError> {
        Ok(tx.append(&self.subscription.key(), &std::mem::take(&mut self.entries)).await?)
    }

    /// Writes everything that was changed.
    pub(crate) async fn save<C: Connection>(mut self, tx: &mut Tx<C>) -> Result<(), CoreError> {
        let mut saving = Saving::default();
        self.conclude(tx, &mut saving).await?;
        self.put_into(&mut saving)?;
        saving.write(tx).await
    }

    /// Concludes what was done at its moment: notes the fee that is due, and what there is to tell. What is told later is what happens after.
    pub(crate) async fn conclude<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        saving: &mut Saving,
    ) -> Result<(), CoreError> {
        if self.is_live() {
            self.note_due_fee(tx).await?;
        }
        self.tell(saving)
    }

    /// Puts everything that was changed, and is concluded, to what is to be written.
    pub(crate) fn put_into(mut self, saving: &mut Saving) -> Result<(), CoreError> {
        // INVARIANT 16: a broken bucket is an error before it is a row.
        self.buckets.iter().try_for_each(Bucket::check)?;
        self.subscription.next_due_at = self.next_event().map(|(at, _)| at);
        let (key, changes) = (&self.subscription.key(), &mut saving.changes);
        changes.update_subscription(&self.subscription);
        self.ended.iter().chain([&self.period]).for_each(|period| changes.put_period(period));
        for (period, bucket) in &self.spent {
            changes.put_buckets(key, *period, [bucket]);
        }
        changes.put_buckets(key, self.period.index, &self.buckets);
        changes.append(key, &self.entries);
        Ok(())
    }

    /// Puts what there is to tell so far, in the order in which it happened, to what is to be written.
    fn tell(&mut self, saving: &mut Saving) -> Result<(), CoreError> {
        let mut news = std::mem::take(&mut self.news);
        news.extend(self.marks.of_buckets(&self.subscription, &self.all_buckets(), self.now));
        if let Some(projection) = &self.projection {
            let spend = self.marks.of_spend(&self.subscription, &self.period, &projection.plan)?;
            news.extend(spend.into_iter().map(|news| (self.now, news)));
        }
        news.sort_by_key(|(at, _)| *at);
        self.marks = Watermarks::of(&self.period, &self.all_buckets())?;
        let trace = svc_trace::current_header();
        let (business, now) = (&self.subscription.business, self.now);
        let told = |(at, news)| Told { business: business.clone(), news, at, now, trace: trace.clone() };
        saving.told.extend(news.into_iter().map(told));
        Ok(())
    }

    /// The moment that it is settled up to by who opens it at `now`: not before what was settled, and what levels have lasted to, already.
    pub(crate) fn moment(&self, now: Timestamp) -> Timestamp {
        let rated_until = self.windows.iter().filter_map(|window| window.rated_until).max();
        now.max(self.period.start).max(self.subscription.served_since).max(rated_until.unwrap_or(now))
    }

    /// Whether time does nothing to it up to a moment.
    pub(crate) fn rests_until(&self, now: Timestamp) -> bool {
        self.next_event().is_none_or(|(at, _)| at > self.moment(now))
    }

    /// Adds a bucket, and posts what was put into it, because of `cause` or its own grant. Gives a copy of it.
    pub(crate) fn add_bucket(&mut self, new: NewBucket, at: Timestamp) -> Result<Bucket, CoreError> {
        let NewBucket { origin, kind, granted, price, expires_at, display, meters, cause } = new;
        let number = self.subscription.buckets_given;
        let next = number.checked_add(1).ok_or_else(|| CoreError::out_of_range("a subject's count of buckets"))?;
        self.subscription.buckets_given = next;
        let state = if granted == Nanos::ZERO { BucketState::Exhausted } else { BucketState::Available };
        let bucket = Bucket {
            id: new_id("bkt", self.now).to_string(),
            number,
            origin,
            given_in: Some(self.period.index),
            kind,
            state,
            granted,
            remaining: granted,
            held: Nanos::ZERO,
            consumed: Nanos::ZERO,
            paid: Nanos::ZERO,
            price,
            expires_at,
            display,
            meters,
        };
        let cause = cause.unwrap_or_else(|| Cause::Grant(bucket.id.clone()));
        if let Some(transaction) = bucket::grant(&bucket.id, bucket.granted, cause)? {
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
        end: HoldEnd,
        at: Timestamp,
    ) -> Result<(), CoreError> {
        if index >= self.holds.len() {
            return Err(CoreError::Internal("a hold to end is not among the open ones".to_owned()));
        }
        let hold = self.holds.swap_remove(index);
        for transaction in bucket::release(&mut self.buckets, &hold.parts)? {
            self.post(transaction, at)?;
        }
        let state = match end {
            HoldEnd::Settled => HoldState::Settled,
            HoldEnd::Released | HoldEnd::Expired | HoldEnd::Cancelled => HoldState::Released,
        };
        tx.end_hold(&self.subscription.key(), &hold.id, state).await?;
        counters::hold_ended(end);
        Ok(())
    }

    /// Ends the subscription at `at`. The period keeps its fee, or its rest is given back.
    pub(crate) async fn end<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        at: Timestamp,
        prorates: bool,
    ) -> Result<(), CoreError> {
        // A period that ends before any of its time was charged, in a trial or as it begins, costs nothing, whatever was asked for.
        let time = self.fee_time()?;
        if prorates || at <= time.from {
            self.give_rest_back(time, at)?;
        }
        self.charge_due_fee(true, at)?;
        while !self.holds.is_empty() {
            self.end_hold(tx, 0, HoldEnd::Cancelled, at).await?;
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
    async fn settle<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        mut levels: Option<BTreeMap<Id, Levels>>,
    ) -> Result<(), CoreError> {
        while let Some((at, event)) = self.next_event().filter(|(at, _)| *at <= self.now) {
            self.hold_levels(tx, at, just_before(at), levels.take()).await?;
            match event {
                Event::HoldOver => {
                    let over = self.holds.iter().position(|hold| hold.expires_at <= at);
                    let over = over.ok_or_else(|| CoreError::Internal("no hold is over at its moment".to_owned()))?;
                    self.end_hold(tx, over, HoldEnd::Expired, at).await?;
                }
                Event::BucketOver => self.expire_buckets(at)?,
                Event::End => self.end(tx, at, false).await?,
                Event::Transition => self.move_over(tx, at).await?,
                Event::Rollover => self.roll_over(tx, at).await?,
            }
        }
        self.rated = self.hold_levels(tx, self.now.min(self.period.end), self.now, levels).await?;
        Ok(())
    }

    fn expire_buckets(&mut self, at: Timestamp) -> Result<(), CoreError> {
        let mut expired = Vec::new();
        for bucket in &mut self.buckets {
            expired.extend(bucket::expire(bucket, at)?);
        }
        expired.into_iter().try_for_each(|transaction| self.post(transaction, at).map(drop))
    }

    /// Ends the open period and begins the next.
    async fn roll_over<C: Connection>(&mut self, tx: &mut Tx<C>, at: Timestamp) -> Result<(), CoreError> {
        self.charge_due_fee(false, at)?;
        tx.put_period(&self.period).await?;
        let (ended, held) = (self.period.index, self.held_levels(tx).await?);
        self.begin_next()?;
        self.leave_behind(ended);
        self.waive_trial(at)?;
        self.grant_credits(at, |_, recurs| recurs)?;
        self.carry_levels(tx, held, at).await?;
        if self.subscription.served_since == at {
            // It was moved as the period before ended, where no level begins any more.
            self.count_resources(tx, at).await?;
        }
        Ok(())
    }

    /// Begins the period after the open one: of the same fee, or with another pin where one was set.
    fn begin_next(&mut self) -> Result<(), CoreError> {
        let before = &self.period;
        let goes_on = !before.fee.is_last();
        let current = before.current_fee_cents;
        self.subscription.period = before.index.checked_add(1).ok_or(PeriodError)?;
        if !goes_on && let Some(fee) = self.subscription.next_fee_cents.take() {
            self.subscription.recurring_fee_cents = fee;
        }
        let mut fee = before.fee.following(self.subscription.fee_terms, self.subscription.recurring_fee_cents);
        let period = self.subscription.anchor().period(self.subscription.period)?;
        if !goes_on {
            fee.intro = self.subscription.take_intro(period);
        }
        self.period = stored(&self.subscription, period, fee);
        if goes_on {
            self.period.current_fee_cents = current;
        }
        self.windows.clear();
        Ok(())
    }

    /// What a bucket paid in a period that ended does not come back in the next; one that nothing is in is left behind.
    fn leave_behind(&mut self, ended: u32) {
        self.buckets.iter_mut().for_each(|bucket| bucket.paid = Nanos::ZERO);
        let (spent, living): (Vec<Bucket>, Vec<Bucket>) =
            std::mem::take(&mut self.buckets).into_iter().partition(Bucket::is_spent);
        self.buckets = living;
        self.spent.extend(spent.into_iter().map(|bucket| (ended, bucket)));
    }

    /// Every bucket that it holds, those that were left behind since it was opened among them.
    pub(crate) fn all_buckets(&self) -> Vec<Bucket> {
        self.buckets.iter().chain(self.spent.iter().map(|(_, bucket)| bucket)).cloned().collect()
    }

    /// Takes a bucket over that a void in another period changed. What it paid in the open period is another matter.
    pub(crate) fn put_bucket_of_the_past(&mut self, bucket: Bucket) {
        self.spent.retain(|(_, spent)| spent.id != bucket.id);
        match self.buckets.iter_mut().find(|known| known.id == bucket.id) {
            Some(known) => *known = Bucket { paid: known.paid, ..bucket },
            None => {
                // What comes back into one that was left behind is no news of its end.
                self.marks.note(&bucket);
                self.buckets.push(Bucket { paid: Nanos::ZERO, ..bucket });
            }
        }
    }

    /// Begins a period of no length after the end, for what is put right when everything is closed: a credit note.
    pub(crate) fn begin_credit_note(&mut self) -> Result<(), CoreError> {
        let ended = self.period.index;
        let index = ended.checked_add(1).ok_or(PeriodError)?;
        let at = self.now;
        self.subscription.period = index;
        self.period = StoredPeriod {
            index,
            start: at,
            end: at,
            planned_end: at,
            charged_from: at,
            recurring_fee_cents: Cents::ZERO,
            current_fee_cents: Cents::ZERO,
            fee: PeriodFee::none(Cents::ZERO),
            totals: Default::default(),
            entries: 0,
            invoice: None,
            ..self.period.clone()
        };
        self.windows.clear();
        self.leave_behind(ended);
        Ok(())
    }

    /// Makes the buckets of the plan's credit grants whose `recurs` is wanted.
    fn grant_credits(&mut self, at: Timestamp, wanted: impl Fn(GrantKind, bool) -> bool) -> Result<(), CoreError> {
        let Some(projection) = &self.projection else {
            tracing::error!(subscription = %self.subscription.id, "a period begins without its grants: the projection is missing or altered");
            return Ok(());
        };
        for grant in projection.plan.grants.clone() {
            let meters = grant.meters().cloned();
            let Grant::Credit { kind, amount_cents, recurs, expires_after_days, rollover_periods, display, .. } = grant
            else {
                continue;
            };
            if !wanted(kind, recurs) {
                continue;
            }
            let kept_until = |anchor: Anchor| anchor.end_after(self.period.index, rollover_periods);
            let kept_until = recurs.then(|| kept_until(self.subscription.anchor())).transpose()?;
            let own_end = expires_after_days.map(|days| days_after(at, days)).transpose()?;
            let expires_at = [kept_until, own_end].into_iter().flatten().min();
            let origin = if recurs { BucketOrigin::Period } else { BucketOrigin::Plan };
            self.add_bucket(
                NewBucket { expires_at, display, meters, ..NewBucket::of(origin, kind, amount_cents.nanos()) },
                at,
            )?;
        }
        Ok(())
    }

    /// Moves the subscription to its transition's release.
    async fn move_over<C: Connection>(&mut self, tx: &mut Tx<C>, at: Timestamp) -> Result<(), CoreError> {
        let Some(transition) = self.transition.take() else { return Ok(()) };
        let stored =
            tx.served_projection(&self.subscription.business, &transition.to_release, &transition.to_plan).await?;
        let Some(projection) = stored.as_ref().and_then(Terms::verified) else {
            // It stays pending in the store, and is tried again when someone comes by.
            tracing::error!(transition = %transition.id, "a transition waits: its projection is missing or altered");
            return Ok(());
        };
        let renewal = self.fee_time()?.period.end;
        let is_of_other_length = !self.subscription.has_periods_of(&projection.plan);
        if at < renewal && is_of_other_length {
            // It could not be carried out at its renewal; periods of another length begin with the next fee.
            let later = Transition { due_at: Some(renewal), ..transition };
            tx.update_transition(&later).await?;
            self.transition = Some(later);
            return Ok(());
        }
        self.close_windows(tx, at).await?;
        self.change_fee(&projection, &transition, at)?;
        let from = Served::of(&self.subscription);
        let subscription = &mut self.subscription;
        subscription.fee_terms = FeeTerms::of(&projection.plan);
        if is_of_other_length {
            subscription.interval = projection.plan.period_interval();
            subscription.anchor_at = at;
            subscription.anchor_period = self.period.index.checked_add(1).ok_or(PeriodError)?;
        }
        subscription.release = transition.to_release.clone();
        subscription.plan = transition.to_plan.clone();
        subscription.plan_version = projection.version;
        subscription.served_since = at;
        if at < self.period.end {
            self.period.release = transition.to_release.clone();
            self.period.plan = transition.to_plan.clone();
        }
        let had_lasting = self.has_lasting();
        self.projection = Some(projection);
        if had_lasting {
            self.go_on_under_move(tx, at).await?;
        }
        self.count_resources(tx, at).await?;
        self.news.push((at, moved(&self.subscription, &transition, from)));
        tx.update_transition(&Transition { state: TransitionState::Applied, ..transition }).await?;
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

/// What is told of a move.
fn moved(subscription: &Subscription, transition: &Transition, from: Served) -> News {
    News::MigrationApplied {
        subscription_id: subscription.id.clone(),
        subject: subscription.subject.clone(),
        migration_id: transition.migration.clone(),
        from,
        to: Served::of(subscription),
        proration: transition.proration,
    }
}

/// A bucket to be added.
pub(crate) struct NewBucket {
    pub(crate) origin: BucketOrigin,
    pub(crate) kind: GrantKind,
    pub(crate) granted: Nanos,
    pub(crate) price: Option<Nanos>,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) display: Option<Display>,
    /// The meters whose usage it pays for; all usage where nothing is said.
    pub(crate) meters: Option<BTreeSet<Key>>,
    /// Why money is put into it; its own grant where nothing is said.
    pub(crate) cause: Option<Cause>,
}

impl NewBucket {
    /// One that never expires.
    pub(crate) fn of(origin: BucketOrigin, kind: GrantKind, granted: Nanos) -> NewBucket {
        NewBucket { origin, kind, granted, price: None, expires_at: None, display: None, meters: None, cause: None }
    }
}

/// Whether a bucket's money was bought.
pub(crate) fn is_bought(buckets: &[Bucket], id: &str) -> bool {
    buckets.iter().any(|bucket| bucket.id == id && bucket.kind == GrantKind::Prepaid)
}

/// Whether subscribers of a plan may not see what it costs.
pub(crate) fn shows_no_money(projection: &Projection) -> bool {
    projection.plan.spend_policy.disclosure == Disclosure::Opaque
}

/// What a move in the middle of a period does to what the period costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FeeChange {
    /// What is posted because the rest of the period costs more, or less.
    pub(crate) adjustment: Nanos,
    /// What is given as credit because the rest of the period costs less.
    pub(crate) credit: Nanos,
}

/// What a move at `at` to a plan of fee `new` does, where the rest of the period is paid at `current`. With credit a fall becomes a
/// bucket, but not where its amount would tell what is not to be told.
pub(crate) fn fee_change(
    (time, own): (ChargedTime, (PeriodFee, Cents)),
    current: Cents,
    new: Cents,
    proration: Proration,
    at: Timestamp,
    is_opaque: bool,
) -> Result<FeeChange, CoreError> {
    let nothing = FeeChange::default();
    if at >= time.period.end || proration == Proration::None {
        return Ok(nothing);
    }
    let adjustment = time.proration(own, current, new, at)?;
    if proration == Proration::Credit && adjustment < Nanos::ZERO && !is_opaque {
        return Ok(FeeChange { credit: adjustment.negated()?, ..nothing });
    }
    Ok(FeeChange { adjustment, ..nothing })
}

/// The period that a subscription begins with, and its part in a fee.
fn first_period(subscription: &mut Subscription) -> Result<(Period, PeriodFee), CoreError> {
    let pin = subscription.recurring_fee_cents;
    if subscription.anchor_period == 0 {
        let period = subscription.anchor().period(0)?;
        let intro = subscription.take_intro(period);
        return Ok((period, PeriodFee { intro, ..PeriodFee::first(subscription.fee_terms, pin) }));
    }
    let period = Period { index: 0, start: subscription.started_at, end: subscription.anchor_at };
    Ok((period, PeriodFee::none(pin)))
}

/// A new period of a subscription.
fn stored(subscription: &Subscription, period: Period, fee: PeriodFee) -> StoredPeriod {
    StoredPeriod {
        subscription: subscription.key(),
        index: period.index,
        start: period.start,
        end: period.end,
        planned_end: period.end,
        charged_from: ChargedTime::new(period, subscription.trial_ends_at).from,
        release: subscription.release.clone(),
        plan: subscription.plan.clone(),
        recurring_fee_cents: subscription.recurring_fee_cents,
        current_fee_cents: fee.own(subscription.recurring_fee_cents),
        fee,
        own_most_cents: subscription.own_most_cents,
        totals: Default::default(),
        entries: 0,
        invoice: None,
    }
}

/// The moment `days` days of 24 hours after `start`.
pub(crate) fn days_after(start: Timestamp, days: u32) -> Result<Timestamp, CoreError> {
    let beyond = || CoreError::invalid("EXPIRY_RANGE", "the moment lies beyond the calendar");
    let hours = i64::from(days).checked_mul(HOURS_PER_DAY).ok_or_else(beyond)?;
    start.checked_add(SignedDuration::from_hours(hours)).map_err(|_| beyond())
}
