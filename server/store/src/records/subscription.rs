//! Subscriptions, their periods, and the invoices that closed them.

use super::id::Id;
use jiff::Timestamp;
use std::fmt;
use svc_engine::manifest::ir::{BillingInterval, Plan};
use svc_engine::money::amount::{AmountError, Cents, Nanos};
use svc_engine::money::bill::ChargedTime;
use svc_engine::money::fee::{FeeTerms, IntroFee, PeriodFee};
use svc_engine::money::ledger::PeriodTotals;
use svc_engine::money::period::{Anchor, Period, PeriodError};

/// Names a subscription. Whatever is a subscription's is kept under its business first, so that an engine of several nodes may keep a
/// business together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubscriptionKey {
    /// The business.
    pub business: Id,
    /// The subscription's id.
    pub id: Id,
}

// People and logs tell subscriptions by their ids.
impl fmt::Display for SubscriptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}

/// A subject on one plan of one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its id.
    pub id: Id,
    /// The business.
    pub business: Id,
    /// The subscriber.
    pub subject: String,
    /// The release it is served under.
    pub release: Id,
    /// The plan.
    pub plan: String,
    /// The plan's version.
    pub plan_version: u32,
    /// The recurring-price pin, in cents.
    pub recurring_fee_cents: Cents,
    /// The pin from the next period on, where a move set one.
    pub next_fee_cents: Option<Cents>,
    /// How long a period is.
    pub interval: BillingInterval,
    /// When its fee is charged.
    pub fee_terms: FeeTerms,
    /// What is left of its plan's introductory fee, where it was given one.
    pub intro: Option<IntroFee>,
    /// The most of a month that it has of its own, in cents: the lower one of this and the plan's holds.
    pub own_most_cents: Option<Cents>,
    /// When it began.
    pub started_at: Timestamp,
    /// First moment of period `anchor_period`: from there periods are counted.
    pub anchor_at: Timestamp,
    /// 0, or the period from which on periods have another length, or that comes after a first one without a fee.
    pub anchor_period: u32,
    /// Since when it is served under its release.
    pub served_since: Timestamp,
    /// When its trial ends, where it has one.
    pub trial_ends_at: Option<Timestamp>,
    /// When it is going to end, where that is decided.
    pub cancel_at: Option<Timestamp>,
    /// When it ended.
    pub cancelled_at: Option<Timestamp>,
    /// When time next does something to it; nothing once it has ended.
    pub next_due_at: Option<Timestamp>,
    /// The period that is open: everything before it has been settled.
    pub period: u32,
    /// How many buckets its subject was given, over all subscriptions.
    pub buckets_given: u64,
}

impl Subscription {
    /// What names it.
    pub fn key(&self) -> SubscriptionKey {
        SubscriptionKey { business: self.business.clone(), id: self.id.clone() }
    }

    /// From where its periods are counted.
    pub fn anchor(&self) -> Anchor {
        Anchor { start: self.anchor_at, index: self.anchor_period, interval: self.interval }
    }

    /// How long what its fee is for is.
    pub fn billing_interval(&self) -> BillingInterval {
        if self.fee_terms.periods > 1 { BillingInterval::Year } else { self.interval }
    }

    /// Whether its periods, and what its fee is for, are as long as a plan's.
    pub fn has_periods_of(&self, plan: &Plan) -> bool {
        self.interval == plan.period_interval() && self.fee_terms.periods == plan.periods_per_fee()
    }

    /// The next fee: an introductory one while some are left, else what a move has set, else the pin.
    pub fn next_fee(&self) -> Cents {
        let fee = self.next_fee_cents.unwrap_or(self.recurring_fee_cents);
        self.intro.and_then(|intro| intro.next(fee)).unwrap_or(fee)
    }

    /// Takes the introductory fee of a fee that begins with a period; none where a trial waives all of it.
    pub fn take_intro(&mut self, period: Period) -> Option<Cents> {
        let is_charged = ChargedTime::new(period, self.trial_ends_at).from < period.end;
        let fee = self.recurring_fee_cents;
        self.intro.as_mut().filter(|_| is_charged).and_then(|intro| intro.take(fee))
    }

    /// What the fee is for at a moment, with the number of the period then: a period, or several.
    ///
    /// # Errors
    /// [`PeriodError`] beyond the year 9999.
    pub fn fee_period_at(&self, moment: Timestamp) -> Result<Period, PeriodError> {
        if moment < self.anchor_at && self.anchor_period == 1 {
            return Ok(Period { index: 0, start: self.started_at, end: self.anchor_at });
        }
        let anchor = self.anchor();
        let period = anchor.period_at(moment.max(self.anchor_at))?;
        let passed = period.index.checked_sub(anchor.index).ok_or(PeriodError)?;
        let past = passed.checked_rem(self.fee_terms.periods).unwrap_or(0);
        let first = period.index.checked_sub(past).ok_or(PeriodError)?;
        let next = first.checked_add(self.fee_terms.periods.max(1)).ok_or(PeriodError)?;
        Ok(Period { index: period.index, start: anchor.start_of(first)?, end: anchor.start_of(next)? })
    }
}

/// One period of a subscription: under which plan it ends, what it costs, and what its postings add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPeriod {
    /// The subscription.
    pub subscription: SubscriptionKey,
    /// How many periods came before it.
    pub index: u32,
    /// First moment.
    pub start: Timestamp,
    /// First moment after it; earlier than planned where the subscription ended in it.
    pub end: Timestamp,
    /// First moment after it, as it was planned.
    pub planned_end: Timestamp,
    /// From when on it is charged: its start, or the end of a trial.
    pub charged_from: Timestamp,
    /// The release at its end; the present one while it is open.
    pub release: Id,
    /// The plan.
    pub plan: String,
    /// The pin that it began with, in cents.
    pub recurring_fee_cents: Cents,
    /// The fee that the rest of it is paid at, in cents: the pin, or that of its last move with proration.
    pub current_fee_cents: Cents,
    /// Its part in that fee, and what its document charges of fees.
    pub fee: PeriodFee,
    /// The subscription's own most of a month, as it holds in the period: what is set later leaves it as it is.
    pub own_most_cents: Option<Cents>,
    /// Sums of its postings.
    pub totals: PeriodTotals,
    /// How many charges and voids it has.
    pub entries: u64,
    /// The invoice that closed it.
    pub invoice: Option<Id>,
}

impl StoredPeriod {
    /// What of its fee counts towards least and most, beside its adjustment.
    ///
    /// # Errors
    /// [`AmountError`] never in practice: authored amounts fit.
    pub fn spend_fee(&self) -> Result<Nanos, AmountError> {
        self.fee.spend(self.recurring_fee_cents, self.current_fee_cents, self.totals.fee_adjustment)
    }

    /// Its fee, with the pin that it began with.
    pub const fn own_fee(&self) -> (PeriodFee, Cents) {
        (self.fee, self.recurring_fee_cents)
    }

    /// Its time as it was planned, and the part of it that is charged.
    pub fn charged_time(&self) -> ChargedTime {
        let period = Period { index: self.index, start: self.start, end: self.planned_end };
        ChargedTime { period, from: self.charged_from }
    }
}

/// A closed period's invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredInvoice {
    /// Its id.
    pub id: Id,
    /// The business.
    pub business: Id,
    /// Its number among the business's invoices and credit notes, from 1 without gaps.
    pub number: u64,
    /// The subscription.
    pub subscription: Id,
    /// The period.
    pub period: u32,
    /// When it was closed.
    pub closed_at: Timestamp,
    /// The sum, in cents.
    pub total_cents: i128,
    /// The invoice, as JSON, with its windows.
    pub body: String,
}
