//! What a period would have come to under other terms: the usage as it was, rated and paid by the invoice's own functions.
//!
//! Who pays depends on what a period's usage comes to and not on the way there (`funding.rs`), so the difference between the two
//! ratings moves like that of a refund: a rise is paid from what buckets have left, then owed, then waived past the most; a fall undoes
//! that in reverse. Where nothing differs nothing moves, and what comes out is the invoice.

use super::amount::{AmountError, Cents, Nanos};
use super::bill::{self, BillWindow, ChargedTime, Invoice, PeriodMoney, SpendBounds};
use super::bucket::{Bucket, BucketOrigin, BucketState};
use super::fee::{FeeTerms, PeriodFee};
use super::funding::{self, Change, PayError, Payment, Reach, SpendLimit};
use super::ledger::{LedgerError, PeriodTotals, UsageTotals};
use super::rating::{self, ExactNanos, PeriodRating, RatingError};
use super::scope::{self, Part};
use crate::manifest::ir::{Grant, GrantKind, Key, Plan};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Names the change that is paid; it is posted nowhere.
const CAUSE: &str = "what-if";

/// Why a period can't be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhatIfError {
    /// Its usage can't be rated.
    #[error(transparent)]
    Rating(#[from] RatingError),
    /// An amount left 128 bits, or a bucket's parts don't add up.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl From<AmountError> for WhatIfError {
    fn from(error: AmountError) -> Self {
        WhatIfError::Ledger(error.into())
    }
}

/// A period as it was.
#[derive(Clone, Debug)]
pub struct PastPeriod<'p> {
    /// Its time, and the part of it that is charged.
    pub time: ChargedTime,
    /// First moment after it; earlier than planned where the subscription ended in it.
    pub end: Timestamp,
    /// When the difference is paid: the last moment of the period, or now where it is open.
    pub at: Timestamp,
    /// The pin that it began with.
    pub recurring_fee_cents: Cents,
    /// The fee that the rest of it is paid at.
    pub current_fee_cents: Cents,
    /// Its part in that fee.
    pub fee: PeriodFee,
    /// The subscription's own most of a month, in it.
    pub own_most_cents: Option<Cents>,
    /// Sums of its postings, without those of its close.
    pub totals: PeriodTotals,
    /// What the least added when it was closed; worked out where it was not.
    pub closed_true_up: Option<Nanos>,
    /// The plan that it ended under.
    pub plan: &'p Plan,
    /// Its windows, oldest first.
    pub windows: Vec<BillWindow>,
    /// Buckets of the subject as they stood at its end.
    pub buckets: Vec<Bucket>,
}

impl PastPeriod<'_> {
    /// What of its fee counts towards least and most, beside its adjustment.
    fn spend(&self) -> Result<Nanos, AmountError> {
        self.fee.spend(self.recurring_fee_cents, self.current_fee_cents, self.totals.fee_adjustment)
    }
}

/// What one meter of a period comes to, rounded down to a nano.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeterChange {
    /// As it was.
    pub old: Nanos,
    /// Under the other terms.
    pub new: Nanos,
}

/// Usage beyond what a plan's most lets the subscriber pay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrun {
    /// What was not billed.
    pub old_waived: Nanos,
    /// What would not be billed.
    pub new_waived: Nanos,
    /// What the other plan would have denied. It is neither billed nor waived: the bill ends at the bound.
    pub denied: Nanos,
}

/// A period under its own terms and under others.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Its invoice.
    pub old: Invoice,
    /// Its invoice under the other terms.
    pub new: Invoice,
    /// How much more the subscriber would owe for usage, beside fee and least.
    pub owed_difference: Nanos,
    /// What each meter that was used comes to.
    pub meters: BTreeMap<Key, MeterChange>,
    /// What passes the most.
    pub overrun: Overrun,
    /// Whether the fee stays although the plan's differs: the subscriber's pin is not the plan's, or a move priced a part of the period.
    pub keeps_fee: bool,
    /// Whether the period's credit stays although the plan's differs: it is not what the plan gives.
    pub keeps_credit: bool,
}

/// Compares a period with what it would come to on `plan`, where `old` and `new` are its ratings.
///
/// # Errors
/// [`WhatIfError`] where an amount leaves 128 bits.
pub fn compare(
    past: &PastPeriod<'_>,
    old: &PeriodRating,
    new: &PeriodRating,
    plan: &Plan,
) -> Result<Comparison, WhatIfError> {
    let most = past.own_most_cents;
    let (own, other) = (SpendBounds::of(past.plan, most), SpendBounds::of(plan, most));
    let own_true_up = {
        let meters = bill::short_of_leasts(past.plan, old, past.time, past.end)?;
        own.true_up(past.time, past.end, past.spend()?, past.totals, meters)?
    };
    let true_up = past.closed_true_up.unwrap_or(own_true_up);
    let fee = fee_under(past, plan)?;
    let mut totals = past.totals;
    totals.fee_adjustment = fee.adjustment;
    let limits = [own.limit(past.spend()?, past.totals)?, other.limit(fee.spend, totals)?];
    let credit = Credit::of(past, plan);
    let paid = pay_difference(past, [old, new], limits, &credit)?;
    totals.usage = paid.usage;
    let owed = paid.usage.owed.minus(past.totals.usage.owed)?;
    let adjusted = fee.adjustment.minus(past.totals.fee_adjustment)?;
    totals.receivable = totals.receivable.plus(owed)?.plus(adjusted)?;
    let other_true_up = {
        let meters = bill::short_of_leasts(plan, new, past.time, past.end)?;
        other.true_up(past.time, past.end, fee.spend, totals, meters)?
    };
    // Of a period that was closed before some of its usage was refunded, the least stays as it was invoiced where nothing differs.
    let new_true_up = true_up.plus(other_true_up.minus(own_true_up)?)?.max(Nanos::ZERO);
    let invoice = |rating, plan: &Plan, fee, totals, true_up| invoice(past, rating, plan, fee, totals, true_up);
    Ok(Comparison {
        old: invoice(old, past.plan, past.recurring_fee_cents, past.totals, true_up)?,
        new: invoice(new, plan, fee.cents, totals, new_true_up)?,
        owed_difference: owed,
        meters: meters(old, new)?,
        overrun: Overrun {
            old_waived: past.totals.usage.unbilled.max(Nanos::ZERO),
            new_waived: paid.usage.unbilled.max(Nanos::ZERO).minus(paid.denied)?,
            denied: paid.denied,
        },
        keeps_fee: fee.is_kept,
        keeps_credit: credit.is_kept,
    })
}

/// The invoice of the period, rated like this.
fn invoice(
    past: &PastPeriod<'_>,
    rating: &PeriodRating,
    plan: &Plan,
    fee: Cents,
    totals: PeriodTotals,
    true_up: Nanos,
) -> Result<Invoice, WhatIfError> {
    let rate = |(window, rated): (&BillWindow, &rating::Window)| {
        Ok::<_, WhatIfError>(BillWindow { rated_nanos: rated.rated()?, ..window.clone() })
    };
    let windows = past.windows.iter().zip(rating.windows()).map(rate).collect::<Result<_, _>>()?;
    let money = PeriodMoney {
        currency: plan.currency,
        recurring_fee_cents: fee,
        windows,
        totals,
        true_up,
        buckets: Vec::new(),
    };
    Ok(bill::invoice(&bill::bill(money, past.end)?)?)
}

/// Sum of what the windows have posted.
fn rated(rating: &PeriodRating) -> Result<Nanos, WhatIfError> {
    rating.windows().iter().try_fold(Nanos::ZERO, |sum, window| Ok(sum.plus(window.rated()?)?))
}

/// What each meter comes to over all windows.
fn meters(old: &PeriodRating, new: &PeriodRating) -> Result<BTreeMap<Key, MeterChange>, WhatIfError> {
    let (old, new) = (by_meter(old), by_meter(new));
    let keys: BTreeSet<&Key> = old.keys().chain(new.keys()).collect();
    let floor = |sums: &BTreeMap<Key, ExactNanos>, key: &Key| sums.get(key).map_or(Ok(Nanos::ZERO), rating::floor);
    let change = |key: &Key| Ok((key.clone(), MeterChange { old: floor(&old, key)?, new: floor(&new, key)? }));
    keys.into_iter().map(change).collect()
}

fn by_meter(rating: &PeriodRating) -> BTreeMap<Key, ExactNanos> {
    let mut sums: BTreeMap<Key, ExactNanos> = BTreeMap::new();
    for (cell, total) in rating.windows().iter().flat_map(rating::Window::cells) {
        let sum = sums.entry(cell.meter().clone()).or_default();
        #[expect(clippy::arithmetic_side_effects, reason = "rationals have no range to leave")]
        {
            *sum += total.exact;
        }
    }
    sums
}

/// The fee of a period under another plan.
struct Fee {
    cents: Cents,
    /// What of it counts towards least and most.
    spend: Nanos,
    /// What its trial, its moves and its end make of it.
    adjustment: Nanos,
    is_kept: bool,
}

/// A subscriber whose pin is the plan's price pays the other plan's; anybody else's stays, with what moves made of it.
fn fee_under(past: &PastPeriod<'_>, plan: &Plan) -> Result<Fee, AmountError> {
    let (own, next) = (past.plan.recurring_fee_cents, plan.recurring_fee_cents);
    let (terms, others) = (FeeTerms::of(past.plan), FeeTerms::of(plan));
    let kept = Fee {
        cents: past.recurring_fee_cents,
        spend: past.spend()?,
        adjustment: past.totals.fee_adjustment,
        is_kept: own != next || terms != others,
    };
    // A fee that another document charges, or that is charged when another is, stays where it is.
    let is_moved = past.fee.periods != 1 || past.fee.due != past.recurring_fee_cents || terms != others;
    if own == next || is_moved || past.recurring_fee_cents != own || past.current_fee_cents != own {
        return Ok(kept);
    }
    let ends = |fee| {
        let whole = (PeriodFee::first(terms, fee), fee);
        past.time.trial(fee)?.plus(past.time.cancellation(whole, fee, past.end)?)
    };
    let adjustment = if past.totals.fee_adjustment == past.time.trial(own)? {
        past.time.trial(next)?
    } else if past.totals.fee_adjustment == ends(own)? {
        ends(next)?
    } else {
        return Ok(kept);
    };
    Ok(Fee { cents: next, spend: next.nanos(), adjustment, is_kept: false })
}

/// The credit that the two plans give each period.
struct Credit {
    /// Of each bucket that the period's plan gave, by id, what the other plan gives instead.
    resized: BTreeMap<String, Recurring>,
    /// What only the other plan gives.
    more: Vec<(GrantKind, Recurring)>,
    is_kept: bool,
}

impl Credit {
    fn of(past: &PastPeriod<'_>, plan: &Plan) -> Credit {
        let mut credit = Credit { resized: BTreeMap::new(), more: Vec::new(), is_kept: false };
        for kind in [GrantKind::Included, GrantKind::Promo, GrantKind::Referral, GrantKind::Prepaid] {
            let (old, new) = (recurring(past.plan, kind), recurring(plan, kind));
            if old == new {
                continue;
            }
            let index = past.time.period.index;
            let is_given = |bucket: &&Bucket| {
                bucket.origin == BucketOrigin::Period
                    && bucket.kind == kind
                    && bucket.given_in.is_none_or(|period| period == index)
            };
            let given = past.buckets.iter().filter(is_given);
            let given: Vec<&Bucket> = given.collect();
            if given.iter().map(|bucket| bucket.granted).ne(old.iter().map(|grant| grant.amount)) {
                credit.is_kept = true;
                continue;
            }
            let resized = given.iter().enumerate();
            let resized =
                resized.map(|(place, bucket)| (bucket.id.clone(), new.get(place).cloned().unwrap_or_default()));
            credit.resized.extend(resized);
            credit.more.extend(new.iter().skip(given.len()).map(|grant| (kind, grant.clone())));
        }
        credit
    }

    fn is_the_same(&self) -> bool {
        self.resized.is_empty() && self.more.is_empty()
    }

    /// Gives the buckets the other plan's sizes, and lets them pay for what the other plan's pay for. Returns what one had paid that is not in it any more, and of that the part that
    /// counts as bought.
    fn apply(&self, past: &PastPeriod<'_>, buckets: &mut Vec<Bucket>) -> Result<(Nanos, Nanos), AmountError> {
        let (mut missing, mut bought) = (Nanos::ZERO, Nanos::ZERO);
        for bucket in buckets.iter_mut() {
            let Some(Recurring { amount: size, meters }) = self.resized.get(&bucket.id) else { continue };
            bucket.meters.clone_from(meters);
            let unpaid = bucket.consumed.plus(bucket.held)?.minus(*size)?.max(Nanos::ZERO).min(bucket.paid);
            bucket.consumed = bucket.consumed.minus(unpaid)?;
            bucket.paid = bucket.paid.minus(unpaid)?;
            bucket.remaining = size.minus(bucket.consumed)?.minus(bucket.held)?.max(Nanos::ZERO);
            bucket.granted = bucket.remaining.plus(bucket.consumed)?.plus(bucket.held)?;
            bucket.state = if bucket.is_spent() { BucketState::Exhausted } else { BucketState::Available };
            missing = missing.plus(unpaid)?;
            bought = bought.plus(if bucket.kind == GrantKind::Prepaid { unpaid } else { Nanos::ZERO })?;
        }
        for (place, (kind, Recurring { amount, meters })) in self.more.iter().enumerate() {
            buckets.push(Bucket {
                id: format!("{CAUSE}-{place}"),
                number: u64::MAX,
                origin: BucketOrigin::Period,
                given_in: Some(past.time.period.index),
                kind: *kind,
                state: if *amount == Nanos::ZERO { BucketState::Exhausted } else { BucketState::Available },
                granted: *amount,
                remaining: *amount,
                held: Nanos::ZERO,
                consumed: Nanos::ZERO,
                paid: Nanos::ZERO,
                price: None,
                expires_at: Some(past.end.max(past.time.period.end)),
                display: None,
                meters: meters.clone(),
            });
        }
        Ok((missing, bought))
    }
}

/// Credit that a plan gives each period anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Recurring {
    amount: Nanos,
    /// The meters whose usage it pays for; all usage where nothing is said.
    meters: Option<BTreeSet<Key>>,
}

/// The credit of a kind that a plan gives each period anew, in its order.
fn recurring(plan: &Plan, wanted: GrantKind) -> Vec<Recurring> {
    let amount = |grant: &Grant| match grant {
        Grant::Credit { kind, amount_cents, recurs: true, meters, .. } if *kind == wanted => {
            Some(Recurring { amount: amount_cents.nanos(), meters: meters.clone() })
        }
        _ => None,
    };
    plan.grants.iter().filter_map(amount).collect()
}

/// Who pays when the difference is paid.
struct Paid {
    usage: UsageTotals,
    denied: Nanos,
}

fn pay_difference(
    past: &PastPeriod<'_>,
    [old, new]: [&PeriodRating; 2],
    [own, other]: [SpendLimit; 2],
    credit: &Credit,
) -> Result<Paid, WhatIfError> {
    let mut usage = past.totals.usage;
    let mut due = rated(new)?.minus(rated(old)?)?;
    let mut reach = Reach::Rise;
    let mut buckets = past.buckets.clone();
    if own != other || !credit.is_the_same() {
        // What the subscriber and nobody pay is paid anew, since there is another bound, or other credit to pay it.
        let again = usage.owed.max(Nanos::ZERO).plus(usage.unbilled.max(Nanos::ZERO))?;
        usage.owed = usage.owed.min(Nanos::ZERO);
        usage.unbilled = usage.unbilled.min(Nanos::ZERO);
        due = due.plus(again)?;
        reach = Reach::All;
    }
    let (missing, bought) = credit.apply(past, &mut buckets)?;
    usage.funded = usage.funded.minus(missing)?;
    usage.prepaid = usage.prepaid.minus(bought)?;
    due = due.plus(missing)?;
    let parts = scope::between(scope::parts_of(&buckets), old, new)?;
    let change = |limit, buckets: &mut [Bucket]| change(past, due, usage, limit, (&parts, reach), buckets);
    match change(other, &mut buckets) {
        Err(PayError::Blocked(denied)) => {
            let bound = match other {
                SpendLimit::Refuse(bound) | SpendLimit::Waive(bound) => SpendLimit::Waive(bound),
                SpendLimit::Unbounded => SpendLimit::Unbounded,
            };
            let usage = change(bound, &mut buckets)?;
            Ok(Paid { denied: denied.min(usage.unbilled.max(Nanos::ZERO)), usage })
        }
        paid => Ok(Paid { usage: paid?, denied: Nanos::ZERO }),
    }
}

/// Pays a change as of a refund, and returns who has paid then.
fn change(
    past: &PastPeriod<'_>,
    amount: Nanos,
    usage: UsageTotals,
    limit: SpendLimit,
    (parts, reach): (&[Part], Reach),
    buckets: &mut [Bucket],
) -> Result<UsageTotals, PayError> {
    let change = Change::Void { adjustment: CAUSE, amount };
    let payment = Payment { change, now: past.at, usage, limit, parts, reach };
    let Some(transaction) = funding::pay(&payment, buckets, &mut [])? else { return Ok(usage) };
    let is_bought = |id: &str| buckets.iter().any(|bucket| bucket.id == id && bucket.kind == GrantKind::Prepaid);
    Ok(usage.with(&transaction, is_bought)?)
}

impl From<PayError> for WhatIfError {
    fn from(error: PayError) -> Self {
        match error {
            PayError::Ledger(error) => WhatIfError::Ledger(error),
            // A payment that no bound refuses is never blocked.
            PayError::Blocked(_) => WhatIfError::Ledger(LedgerError::Amount(AmountError::Overflow)),
        }
    }
}
