//! What a subscription's fee does over time: which document charges it, and what a trial, a move and an end make of it.

use crate::error::CoreError;
use crate::locked_subscription::{LockedSubscription, NewBucket, fee_change, shows_no_money};
use crate::terms::Terms;
use jiff::Timestamp;
use std::ops::Deref;
use svc_engine::manifest::ir::GrantKind;
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::bill::ChargedTime;
use svc_engine::money::bucket::{self, BucketOrigin};
use svc_engine::money::fee::FeeTerms;
use svc_engine::money::funding;
use svc_engine::money::ledger::{Account, Cause, Transaction};
use svc_engine::money::period::Period;
use svc_store::records::{Projection, Proration, StoredPeriod, Transition, TransitionState};
use svc_store::{Connection, Tx};

impl LockedSubscription {
    /// The time that the open period's fee is for, of which the period may be a part.
    pub(crate) fn fee_time(&self) -> Result<ChargedTime, CoreError> {
        let (fee, time) = (self.period.fee, self.period.charged_time());
        if fee.periods <= 1 {
            return Ok(time);
        }
        let out_of_range = || CoreError::out_of_range("a period's place in its fee");
        let past = fee.periods.checked_sub(1).and_then(|last| last.checked_sub(fee.left)).ok_or_else(out_of_range)?;
        let first = self.period.index.checked_sub(past).ok_or_else(out_of_range)?;
        let anchor = self.subscription.anchor();
        let start = anchor.start_of(first)?;
        let end = anchor.start_of(first.checked_add(fee.periods).ok_or_else(out_of_range)?)?;
        Ok(ChargedTime { period: Period { index: self.period.index, start, end }, from: start })
    }

    /// Posts the part of the open period's fee that a trial waives.
    pub(crate) fn waive_trial(&mut self, at: Timestamp) -> Result<(), CoreError> {
        if self.period.fee.periods != 1 {
            return Ok(());
        }
        let waived = self.period.charged_time().trial(self.period.fee.own(self.period.recurring_fee_cents))?;
        let cause = Cause::Trial(self.period.index.to_string());
        funding::adjust(cause, waived)?.map(|transaction| self.post(transaction, at)).transpose().map(drop)
    }

    /// Gives back what the open period's fee is for after `at`; with it what is left of the credit that moves gave in its place.
    pub(crate) fn give_rest_back(&mut self, time: ChargedTime, at: Timestamp) -> Result<(), CoreError> {
        let cause = Cause::Cancellation(self.subscription.id.to_string());
        let rest = time.cancellation(self.period.own_fee(), self.period.current_fee_cents, at)?;
        let mut transactions: Vec<Transaction> = funding::adjust(cause.clone(), rest)?.into_iter().collect();
        for bucket in self.buckets.iter_mut().filter(|bucket| bucket.origin == BucketOrigin::Move) {
            transactions.extend(bucket::empty(bucket, Account::Receivable, cause.clone())?);
        }
        transactions.into_iter().try_for_each(|transaction| self.post(transaction, at).map(drop))
    }

    /// What a move at `at` does to the fee: the next one is the new one, and the rest of this one is priced by the proration.
    pub(crate) fn change_fee(
        &mut self,
        target: &Projection,
        transition: &Transition,
        at: Timestamp,
    ) -> Result<(), CoreError> {
        if transition.keeps_fee {
            return Ok(());
        }
        let new = target.plan.recurring_fee_cents;
        self.subscription.next_fee_cents = (new != self.subscription.recurring_fee_cents).then_some(new);
        let goes_on = self.subscription.plan == transition.to_plan;
        if let Some(intro) = self.subscription.intro.as_mut().filter(|_| !goes_on) {
            intro.left = 0;
        }
        let new = fee_of_rest(&self.period, goes_on, new);
        let (time, current) = (self.fee_time()?, self.period.current_fee_cents);
        if at >= time.period.end || transition.proration == Proration::None {
            return Ok(());
        }
        let is_opaque =
            [self.projection.as_deref().map(Deref::deref), Some(target)].into_iter().flatten().any(shows_no_money);
        let own = self.period.own_fee();
        let change = fee_change((time, own), current, new, transition.proration, at, is_opaque)?;
        self.period.current_fee_cents = new;
        self.period.fee = self.period.fee.moved_by(change.adjustment.minus(change.credit)?)?;
        let cause = Cause::Proration(transition.id.to_string());
        if let Some(transaction) = funding::adjust(cause, change.adjustment)? {
            self.post(transaction, at)?;
        }
        if change.credit > Nanos::ZERO {
            self.add_bucket(NewBucket::of(BucketOrigin::Move, GrantKind::Promo, change.credit), at)?;
        }
        Ok(())
    }

    /// Has the open period's document charge the fees that are due with it, as far as that is known: a fee in advance goes with the
    /// document before its own, and not where an end is planned; a move that waits for the period's end sets it.
    pub(crate) async fn note_due_fee<C: Connection>(&mut self, tx: &mut Tx<C>) -> Result<(), CoreError> {
        let end = self.period.end;
        let subscription = &self.subscription;
        let ends = subscription.cancel_at.is_some_and(|at| at <= end);
        let waiting = self.transition.as_ref().filter(|transition| {
            let is_due = transition.due_at.is_some_and(|due| due <= end);
            transition.state == TransitionState::Pending && is_due && self.period.fee.is_last() && !ends
        });
        let (mut fee, mut terms) = (subscription.next_fee(), subscription.fee_terms);
        if let Some(transition) = waiting {
            let stored =
                tx.served_projection(&subscription.business, &transition.to_release, &transition.to_plan).await?;
            if let Some(target) = stored.as_ref().and_then(Terms::verified) {
                let intro = subscription.intro.filter(|_| subscription.plan == transition.to_plan);
                fee = target.plan.recurring_fee_cents;
                fee = intro.and_then(|intro| intro.next(fee)).unwrap_or(fee);
                terms = FeeTerms::of(&target.plan);
            }
        }
        self.charge_fees(terms.in_advance.then_some(fee), ends, self.now)
    }

    /// As [`LockedSubscription::note_due_fee`], at the very end of the period, where nothing waits any more.
    pub(crate) fn charge_due_fee(&mut self, ends: bool, at: Timestamp) -> Result<(), CoreError> {
        let next = self.subscription.fee_terms.in_advance.then(|| self.subscription.next_fee());
        self.charge_fees(next, ends, at)
    }

    fn charge_fees(&mut self, next: Option<Cents>, ends: bool, at: Timestamp) -> Result<(), CoreError> {
        let due = self.period.fee.due_with(self.period.fee.own(self.period.recurring_fee_cents), next, ends)?;
        let change = due.nanos().minus(self.period.fee.due.nanos())?;
        self.period.fee.due = due;
        let cause = Cause::FeeDue(self.period.index.to_string());
        funding::adjust(cause, change)?.map(|transaction| self.post(transaction, at)).transpose().map(drop)
    }
}

/// What the rest of a period is paid at after a move to a plan of fee `new`: an introductory fee goes on on the plan that it is of.
pub(crate) fn fee_of_rest(period: &StoredPeriod, goes_on: bool, new: Cents) -> Cents {
    period.fee.intro.filter(|_| goes_on).map_or(new, |intro| intro.min(new))
}
