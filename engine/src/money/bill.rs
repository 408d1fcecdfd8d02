//! The one function that computes a bill. Preview and invoice both call [`bill`]; nothing else adds money up for a
//! subscriber.

use super::amount::{AmountError, Cents, Nanos, SAFE_INTEGER_MAX};
use super::bucket::{self, Bucket, BucketState};
use super::fee::PeriodFee;
use super::funding::SpendLimit;
use super::ledger::{Account, Cause, LedgerError, PeriodTotals, Transaction};
use super::period::Period;
use super::rating::{self, ExactNanos, PeriodRating, RatingError};
use super::units::{STEPS_PER_UNIT, Units};
use crate::manifest::ir::{BillingInterval, Currency, Disclosure, Display, GrantKind, OverageBehavior, Plan};
use crate::moment::Moment;
use jiff::Timestamp;
use num_bigint::BigInt;
use num_traits::Zero;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use std::borrow::Cow;

/// Months in a year, by which a month's spend bounds are a year's.
const MONTHS_PER_YEAR: u8 = 12;
/// Basis points in a whole.
const BASIS_POINTS: u128 = 10_000;
/// Billionths of a unit in a hundredth: multiplier quantities are shown with two decimals.
const STEPS_PER_HUNDREDTH: u128 = STEPS_PER_UNIT / 100;

/// A window of the period as a bill lists it: one subscription, one billing period, one release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BillWindow {
    /// The window's id.
    pub window_id: String,
    /// First moment, in UTC.
    #[schemars(with = "Moment")]
    pub window_start: Timestamp,
    /// First moment after it, in UTC.
    #[schemars(with = "Moment")]
    pub window_end: Timestamp,
    /// Charges admitted in it.
    pub charge_count: u64,
    /// Floor of its exact total, in nanodollars.
    pub rated_nanos: Nanos,
}

/// What the ledger and the projections say of one subscription's open period.
#[derive(Clone, Debug, PartialEq)]
pub struct PeriodMoney {
    /// Currency of the plan.
    pub currency: Currency,
    /// The pin that the period began with.
    pub recurring_fee_cents: Cents,
    /// Windows of the period, oldest first.
    pub windows: Vec<BillWindow>,
    /// Sums of the period's postings.
    pub totals: PeriodTotals,
    /// What the least of the period adds, as if it ended without more usage; see [`SpendBounds::true_up`].
    pub true_up: Nanos,
    /// Buckets of the subject.
    pub buckets: Vec<Bucket>,
}

/// Sums of a bill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Sum of the windows, in nanodollars.
    pub rated_nanos: Nanos,
    /// Paid by buckets, in nanodollars.
    pub funded_nanos: Nanos,
    /// Owed by the subscriber beside the fee, in nanodollars: what is posted, and what the least adds.
    pub receivable_nanos: Nanos,
}

/// Everything a bill says, before anything is withheld.
#[derive(Clone, Debug, PartialEq)]
pub struct Bill {
    /// Currency of every amount.
    pub currency: Currency,
    /// Recurring fee, in cents.
    pub recurring_fee_cents: Cents,
    /// Windows, oldest first.
    pub windows: Vec<BillWindow>,
    /// Its sums.
    pub totals: Totals,
    /// The part of what is owed that the least adds, in nanodollars.
    pub true_up: Nanos,
    /// Buckets as they are at the bill's moment.
    pub buckets: Vec<Bucket>,
}

/// Computes the bill of a period at `now`.
///
/// # Errors
/// [`LedgerError::Amount`] when the windows' sum leaves 128 bits; [`LedgerError::BucketUnbalanced`] when a bucket's parts
/// don't make up what was granted.
// INVARIANT 6: preview and invoice both come from here; nothing else adds a bill up.
pub fn bill(money: PeriodMoney, now: Timestamp) -> Result<Bill, LedgerError> {
    money.buckets.iter().try_for_each(Bucket::check)?;
    let rated = money.windows.iter().try_fold(Nanos::ZERO, |sum, window| sum.plus(window.rated_nanos))?;
    let PeriodTotals { receivable, usage, .. } = money.totals;
    let totals =
        Totals { rated_nanos: rated, funded_nanos: usage.funded, receivable_nanos: receivable.plus(money.true_up)? };
    let buckets = money.buckets.into_iter().map(|bucket| as_of(bucket, now)).collect();
    Ok(Bill {
        currency: money.currency,
        recurring_fee_cents: money.recurring_fee_cents,
        windows: money.windows,
        totals,
        true_up: money.true_up,
        buckets,
    })
}

/// A bucket whose time is over has nothing left, even before its expiry is posted.
fn as_of(mut bucket: Bucket, now: Timestamp) -> Bucket {
    if bucket.is_alive() && bucket.is_over(now) {
        bucket.state = BucketState::Expired;
        bucket.remaining = Nanos::ZERO;
    }
    bucket
}

/// The time of a period, and the part of it that is not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChargedTime {
    /// The whole period, as it was planned.
    pub period: Period,
    /// From when on it is charged: its start, or the end of a trial; at most its end.
    pub from: Timestamp,
}

impl ChargedTime {
    /// The charged time of a period, with a trial that ends at `free_until`.
    pub fn new(period: Period, free_until: Option<Timestamp>) -> ChargedTime {
        let from = free_until.unwrap_or(period.start).clamp(period.start, period.end);
        ChargedTime { period, from }
    }

    /// What a trial waives of a period's fee: zero or less.
    ///
    /// # Errors
    /// [`AmountError`] never in practice: a part of an authored amount fits.
    pub fn trial(self, pin: Cents) -> Result<Nanos, AmountError> {
        let free = self.period.overlap_micros(self.period.start, self.from);
        pin.nanos().negated()?.share(free, self.period.micros())
    }

    /// What a move at `at` makes the rest of the period cost more, or less: only the rest, since the time before is paid for. Each part of a
    /// fee is rounded down by itself; what is given back is never more than `fee`, with a pin, has come to.
    ///
    /// # Errors
    /// [`AmountError`] never in practice: a part of an authored amount fits.
    pub fn proration(
        self,
        (fee, pin): (PeriodFee, Cents),
        current: Cents,
        new: Cents,
        at: Timestamp,
    ) -> Result<Nanos, AmountError> {
        let rest = self.period.overlap_micros(self.from.max(at), self.period.end);
        let change = new.nanos().minus(current.nanos())?.share(rest, self.period.micros())?;
        let so_far = fee.so_far(pin, self.trial(fee.own(pin))?)?;
        so_far.map_or(Ok(change), |so_far| Ok(change.max(so_far.negated()?)))
    }

    /// What an end at `at` with proration gives back: zero or less.
    ///
    /// # Errors
    /// [`AmountError`] never in practice: a part of an authored amount fits.
    pub fn cancellation(self, fee: (PeriodFee, Cents), current: Cents, at: Timestamp) -> Result<Nanos, AmountError> {
        self.proration(fee, current, Cents::ZERO, at)
    }
}

/// The least and the most that a period of a plan may cost, and what happens past the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpendBounds {
    /// The least, in nanodollars; `None` for no bound.
    pub min: Option<Nanos>,
    /// The most, in nanodollars: the lower one of the plan's and the subscription's own; `None` for no bound.
    pub max: Option<Nanos>,
    /// What happens to charges past the most, or, without one, to charges that no bucket pays.
    pub overage: OverageBehavior,
    /// Whether the plan lets no usage be owed at all: it refuses what nobody pays, and names no most. No subscription's own makes it more.
    pub owes_nothing: bool,
}

impl SpendBounds {
    /// The bounds of a period of a plan, for a subscription whose own most of a month is `own`: those of a month, times twelve where a
    /// period is a year.
    pub fn of(plan: &Plan, own: Option<Cents>) -> SpendBounds {
        let most = [plan.max_monthly_spend_cents, own].into_iter().flatten().min();
        let months = match plan.period_interval() {
            BillingInterval::Month => 1,
            BillingInterval::Year => MONTHS_PER_YEAR,
        };
        let whole = |bound: Option<Cents>| bound.map(|cents| cents.nanos_times(months));
        SpendBounds {
            min: whole(plan.min_monthly_spend_cents),
            max: whole(most),
            overage: plan.overage_behavior,
            owes_nothing: plan.overage_behavior == OverageBehavior::Block && plan.max_monthly_spend_cents.is_none(),
        }
    }

    /// How much of its usage the subscriber of a period may pay with own money: what the most leaves beside the fee, which is
    /// [`super::fee::PeriodFee::spend`].
    ///
    /// # Errors
    /// [`AmountError`] never in practice: authored amounts fit.
    pub fn limit(self, fee: Nanos, totals: PeriodTotals) -> Result<SpendLimit, AmountError> {
        let room = |max: Nanos| max.minus(fee)?.minus(totals.fee_adjustment);
        let room = self.max.map(room).transpose()?.map(|room| room.max(Nanos::ZERO));
        Ok(match (self.overage, room) {
            (OverageBehavior::Block, Some(room)) if !self.owes_nothing => SpendLimit::Refuse(room),
            (OverageBehavior::Block, _) => SpendLimit::Refuse(Nanos::ZERO),
            (OverageBehavior::AllowAndBill, Some(room)) => SpendLimit::Waive(room),
            (OverageBehavior::AllowAndBill, None) => SpendLimit::Unbounded,
        })
    }

    /// What the least adds to a period that is charged up to `until`: what is missing of its part for the charged time. Fee and
    /// usage count, bought credit included; packs, corrections, refunds and carries don't. `meters` is what the leasts of meters
    /// add, see [`short_of_leasts`]: it counts too, and goes no further than the most.
    ///
    /// # Errors
    /// [`AmountError`] outside 128 bits.
    pub fn true_up(
        self,
        time: ChargedTime,
        until: Timestamp,
        fee: Nanos,
        totals: PeriodTotals,
        meters: Nanos,
    ) -> Result<Nanos, AmountError> {
        let spent = fee.plus(totals.fee_adjustment)?.plus(totals.usage.own()?)?;
        let meters = match self.max {
            Some(max) => meters.min(max.minus(spent)?.max(Nanos::ZERO)),
            None => meters,
        };
        let charged = time.period.overlap_micros(time.from, until);
        let least = match self.min {
            Some(min) if charged > 0 => min.share(charged, time.period.micros())?,
            Some(_) | None => Nanos::ZERO,
        };
        // A least of nothing is none: what comes to less than nothing stays so.
        if least == Nanos::ZERO {
            return Ok(meters);
        }
        least.minus(spent.plus(meters)?)?.max(Nanos::ZERO).plus(meters)
    }
}

/// What the leasts of a plan's meters add to a period that is charged up to `until`: what is missing of each one's part for the
/// charged time, whoever paid for the usage. Together with what is rated it is at most the exact sum.
///
/// # Errors
/// [`RatingError::Overflow`] outside 128 bits.
#[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
pub fn short_of_leasts(
    plan: &Plan,
    rating: &PeriodRating,
    time: ChargedTime,
    until: Timestamp,
) -> Result<Nanos, RatingError> {
    let mut missing = ExactNanos::zero();
    for (meter, least) in plan.meters.iter().filter_map(|price| Some((price.meter(), price.bounds().0?))) {
        let charged = time.period.overlap_micros(time.from, until);
        let part = ExactNanos::new(BigInt::from(charged), BigInt::from(time.period.micros().max(1)));
        let least = ExactNanos::from_integer(BigInt::from(least.nanos().get())) * part;
        // What fell below nothing, as where a cheaper plan prices a level that fell, is no more missing than nothing is.
        let used = rating.of_meter(meter).max(ExactNanos::zero());
        missing += (least - used).max(ExactNanos::zero());
    }
    if missing.is_zero() {
        return Ok(Nanos::ZERO);
    }
    // The fractions that windows did not post count for what is missing.
    let mut posted = ExactNanos::zero();
    for window in rating.windows() {
        missing += window.exact();
        posted += ExactNanos::from_integer(BigInt::from(window.rated()?.get()));
    }
    rating::floor(&(missing - posted))
}

/// A bill in whole cents, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Currency of every amount.
    pub currency: Currency,
    /// The recurring fee, in cents.
    pub recurring_fee_cents: Cents,
    /// What is posted beside it, rounded down to a cent. Negative where more was given back than used.
    pub usage_cents: SignedCents,
    /// What the least of the period adds.
    pub true_up_cents: SignedCents,
    /// The sum: fee and receivable, rounded down once. Negative is a credit note.
    pub total_cents: SignedCents,
    /// What was owed below a cent and is not charged: 0 to 9,999,999.
    pub rounding_nanos: Nanos,
    /// The bill's sums.
    pub totals: Totals,
    /// What the least adds, in nanodollars.
    pub true_up_nanos: Nanos,
}

/// Turns a bill into an invoice.
///
/// # Errors
/// [`AmountError`] outside 128 bits.
pub fn invoice(bill: &Bill) -> Result<Invoice, AmountError> {
    let (owed, rounding) = bill.totals.receivable_nanos.floor_cents();
    let (usage, _) = bill.totals.receivable_nanos.minus(bill.true_up)?.floor_cents();
    let true_up = owed.checked_sub(usage).ok_or(AmountError::Overflow)?;
    let total = i128::from(bill.recurring_fee_cents.get()).checked_add(owed).ok_or(AmountError::Overflow)?;
    Ok(Invoice {
        currency: bill.currency,
        recurring_fee_cents: bill.recurring_fee_cents,
        usage_cents: SignedCents(usage),
        true_up_cents: SignedCents(true_up),
        total_cents: SignedCents(total),
        rounding_nanos: rounding,
        totals: bill.totals.clone(),
        true_up_nanos: bill.true_up,
    })
}

impl Invoice {
    /// What closing a period posts, so that the period's receivable is the invoice's total exactly: the fee and the true-up are
    /// earned, and what is below a cent is written off. `id` names the invoice.
    ///
    /// # Errors
    /// [`LedgerError`] never in practice: the postings mirror each other.
    pub fn transactions(&self, id: &str) -> Result<Vec<Transaction>, LedgerError> {
        let earned = |amount: Nanos, cause| bucket::move_between(Account::Receivable, Account::Revenue, amount, cause);
        let fee = earned(self.recurring_fee_cents.nanos(), Cause::RecurringFee(id.to_owned()))?;
        let true_up = earned(self.true_up_nanos, Cause::TrueUp(id.to_owned()))?;
        let cause = Cause::Rounding(id.to_owned());
        let rounding = bucket::move_between(Account::Rounding, Account::Receivable, self.rounding_nanos, cause)?;
        Ok([fee, true_up, rounding].into_iter().flatten().collect())
    }
}

/// Cents of either sign. In JSON an integer where it is one that JavaScript holds, else a decimal string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignedCents(pub i128);

impl JsonSchema for SignedCents {
    fn schema_name() -> Cow<'static, str> {
        "SignedCents".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Cents of either sign: an integer, or a string of digits where JavaScript holds it no longer exactly.",
            "anyOf": [{ "type": "integer" }, { "type": "string", "pattern": "^-?[0-9]{16,39}$" }],
        })
    }
}

impl Serialize for SignedCents {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0).ok().filter(|cents| cents.unsigned_abs() <= SAFE_INTEGER_MAX) {
            Some(integer) => serializer.serialize_i64(integer),
            None => serializer.collect_str(&self.0),
        }
    }
}

/// What a subscriber sees of a bill.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "disclosure", rename_all = "lowercase")]
pub enum Preview {
    /// Windows, totals and nanodollars.
    #[serde(rename_all = "camelCase")]
    Transparent {
        /// Currency of every amount.
        currency: Currency,
        /// Recurring fee, in cents.
        recurring_fee_cents: Cents,
        /// Windows, oldest first.
        windows: Vec<BillWindow>,
        /// Its sums.
        totals: Totals,
        /// Buckets in nanodollars.
        allowances: Vec<TransparentAllowance>,
    },
    /// Without anything from which a rate could be derived.
    #[serde(rename_all = "camelCase")]
    Opaque {
        /// Currency of every amount.
        currency: Currency,
        /// Recurring fee, in cents.
        recurring_fee_cents: Cents,
        /// Buckets without money.
        allowances: Vec<OpaqueAllowance>,
    },
}

impl Preview {
    /// How many windows and allowances it shows.
    pub fn lines(&self) -> usize {
        match self {
            Preview::Transparent { windows, allowances, .. } => windows.len().saturating_add(allowances.len()),
            Preview::Opaque { allowances, .. } => allowances.len(),
        }
    }
}

/// A bucket in nanodollars.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransparentAllowance {
    /// Where its money comes from.
    pub kind: GrantKind,
    /// What it can do.
    pub state: BucketState,
    /// What can still pay.
    pub remaining_nanos: Nanos,
    /// What is set aside.
    pub held_nanos: Nanos,
    /// What has paid.
    pub consumed_nanos: Nanos,
    /// From when on it can't pay; null for never.
    #[schemars(with = "Option<Moment>")]
    pub expires_at: Option<Timestamp>,
}

/// A bucket without money.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpaqueAllowance {
    /// Where its money comes from.
    pub kind: GrantKind,
    /// What it can do.
    pub state: BucketState,
    /// From when on it can't pay; null for never.
    #[schemars(with = "Option<Moment>")]
    pub expires_at: Option<Timestamp>,
    /// How much of it is left.
    pub display: AllowanceDisplay,
}

/// How much of a bucket is left, as its author wants it shown.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum AllowanceDisplay {
    /// In units of the author's choice.
    Multiplier {
        /// Units of a full bucket.
        allowance_units: DecimalNumber,
        /// Units left, rounded up, two decimals.
        remaining_units: String,
        /// Units gone, two decimals.
        consumed_units: String,
    },
    /// In basis points, ten-thousandths of what was granted.
    Fraction {
        /// Gone: held, consumed, expired or revoked. 0 to 10,000.
        consumed_basis_points: u128,
        /// Left, rounded up, so that the first nano does not show. 0 to 10,000.
        remaining_basis_points: u128,
    },
}

/// A quantity shown as a JSON number. Only for display factors, whose two decimals and nine digits a double shows exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalNumber(Units);

impl JsonSchema for DecimalNumber {
    fn schema_name() -> Cow<'static, str> {
        "DecimalNumber".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A number with at most two decimals.", "type": "number", "minimum": 0 })
    }
}

impl Serialize for DecimalNumber {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number: serde_json::Number = self.0.to_string().parse().map_err(serde::ser::Error::custom)?;
        number.serialize(serializer)
    }
}

/// Shows a bill under a disclosure setting.
pub fn preview(bill: Bill, disclosure: Disclosure) -> Preview {
    let Bill { currency, recurring_fee_cents, windows, totals, buckets, .. } = bill;
    match disclosure {
        Disclosure::Transparent => {
            let allowances = buckets.into_iter().map(transparent).collect();
            Preview::Transparent { currency, recurring_fee_cents, windows, totals, allowances }
        }
        Disclosure::Opaque => {
            Preview::Opaque { currency, recurring_fee_cents, allowances: buckets.into_iter().map(opaque).collect() }
        }
    }
}

fn transparent(bucket: Bucket) -> TransparentAllowance {
    TransparentAllowance {
        kind: bucket.kind,
        state: bucket.state,
        remaining_nanos: bucket.remaining,
        held_nanos: bucket.held,
        consumed_nanos: bucket.consumed,
        expires_at: bucket.expires_at,
    }
}

fn opaque(bucket: Bucket) -> OpaqueAllowance {
    let display = match &bucket.display {
        Some(Display::Multiplier { factor }) => multiplier(*factor, bucket.remaining, bucket.granted),
        None => {
            let remaining = share(BASIS_POINTS, bucket.remaining, bucket.granted);
            AllowanceDisplay::Fraction {
                consumed_basis_points: BASIS_POINTS.abs_diff(remaining),
                remaining_basis_points: remaining,
            }
        }
    };
    OpaqueAllowance { kind: bucket.kind, state: bucket.state, expires_at: bucket.expires_at, display }
}

fn multiplier(factor: Units, remaining: Nanos, granted: Nanos) -> AllowanceDisplay {
    let whole = factor.steps() / STEPS_PER_HUNDREDTH;
    let left = share(whole, remaining, granted);
    AllowanceDisplay::Multiplier {
        allowance_units: DecimalNumber(factor),
        remaining_units: two_decimals(left),
        consumed_units: two_decimals(whole.abs_diff(left)),
    }
}

/// `whole` × `part` ÷ `of`, rounded up, from 0 to `whole`; 0 where `of` is zero. Up, because the first nano that is gone would
/// show otherwise, and with it how many units a nano buys.
fn share(whole: u128, part: Nanos, of: Nanos) -> u128 {
    if of <= Nanos::ZERO || part <= Nanos::ZERO {
        return 0;
    }
    #[expect(clippy::arithmetic_side_effects, reason = "big integers have no range to leave, and `of` is positive")]
    let exact = (BigInt::from(whole) * part.get() + (of.get() - 1)) / of.get();
    // A quotient beyond 128 bits is beyond `whole` too.
    u128::try_from(exact).map_or(whole, |share| share.min(whole))
}

fn two_decimals(hundredths: u128) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::super::fee::FeeTerms;
    use super::super::ledger::UsageTotals;
    use super::*;

    fn bucket(granted: i128, remaining: i128, held: i128, display: Option<Display>) -> Bucket {
        Bucket {
            id: "b".to_owned(),
            number: 0,
            origin: bucket::BucketOrigin::Plan,
            given_in: Some(0),
            kind: GrantKind::Included,
            state: BucketState::Available,
            granted: Nanos::new(granted),
            remaining: Nanos::new(remaining),
            held: Nanos::new(held),
            consumed: Nanos::new(granted).minus(Nanos::new(remaining)).unwrap().minus(Nanos::new(held)).unwrap(),
            paid: Nanos::ZERO,
            price: None,
            expires_at: None,
            display,
            meters: None,
        }
    }

    #[test]
    fn fractions_round_what_is_left_up_and_count_held_money_as_consumed() {
        let shown = opaque(bucket(3, 2, 1, None)).display;
        assert_eq!(shown, AllowanceDisplay::Fraction { consumed_basis_points: 3333, remaining_basis_points: 6667 });
        let first = opaque(bucket(1_000_000, 999_999, 0, None)).display;
        assert_eq!(first, AllowanceDisplay::Fraction { consumed_basis_points: 0, remaining_basis_points: 10_000 });
        let empty = opaque(bucket(0, 0, 0, None)).display;
        assert_eq!(empty, AllowanceDisplay::Fraction { consumed_basis_points: 10_000, remaining_basis_points: 0 });
    }

    fn period(start: &str, end: &str) -> Period {
        Period { index: 0, start: start.parse().unwrap(), end: end.parse().unwrap() }
    }

    fn april(trial_ends: Option<&str>) -> ChargedTime {
        let april = period("2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z");
        ChargedTime::new(april, trial_ends.map(|text| text.parse().unwrap()))
    }

    #[test]
    fn only_the_rest_of_the_time_that_is_not_free_has_a_price() {
        let cents = |cents: u64| Cents::try_from(cents).unwrap();
        let day = |day: u32| format!("2026-04-{day:02}T00:00:00Z").parse::<Timestamp>().unwrap();
        let trial = |ends| april(ends).trial(cents(3_000)).unwrap().floor_cents().0;
        assert_eq!(trial(None), 0);
        assert_eq!(trial(Some("2026-04-16T00:00:00Z")), -1_500);
        assert_eq!(trial(Some("2026-06-01T00:00:00Z")), -3_000);
        assert_eq!(trial(Some("2026-03-01T00:00:00Z")), 0, "it ended before");
        let own = (PeriodFee::first(FeeTerms::ARREARS, cents(3_000)), cents(3_000));
        let moved = |ends, from, to, at: Timestamp| {
            april(ends).proration(own, cents(from), cents(to), at).unwrap().floor_cents().0
        };
        assert_eq!(moved(None, 3_000, 1_500, day(11)), -1_000);
        assert_eq!(moved(None, 1_500, 3_000, day(16)), 750);
        assert_eq!(moved(Some("2026-04-21T00:00:00Z"), 1_500, 3_000, day(16)), 500, "the trial is free on both");
        let ended = |ends, at| april(ends).cancellation(own, cents(3_000), at).unwrap().floor_cents().0;
        assert_eq!(ended(None, day(1)), -3_000);
        assert_eq!(ended(None, day(30)), -100);
        assert_eq!(ended(Some("2026-06-01T00:00:00Z"), day(2)), 0, "nothing was charged");
    }

    #[test]
    fn no_more_of_a_fee_is_given_back_than_it_has_come_to() {
        let cents = |cents: u64| Cents::try_from(cents).unwrap();
        let at: Timestamp = "2026-04-04T00:00:07Z".parse().unwrap();
        let april = april(Some("2026-04-08T00:00:00Z"));
        let fee = PeriodFee::first(FeeTerms::ARREARS, cents(1_000));
        let move_to =
            |fee: PeriodFee, current, new| april.proration((fee, cents(1_000)), cents(current), cents(new), at);
        assert_eq!(
            move_to(fee, 1_000, 0),
            Ok(Nanos::new(-7_666_666_666)),
            "and not 7,666,666,666⅔, of which no more is charged"
        );
        let unknown = PeriodFee { moved: None, ..fee };
        assert_eq!(move_to(unknown, 1_000, 0), Ok(Nanos::new(-7_666_666_667)));
        let up = move_to(fee, 1_000, 1_100).unwrap();
        let fee = fee.moved_by(up).unwrap();
        assert_eq!(move_to(fee, 1_100, 0), up.plus(Nanos::new(7_666_666_666)).unwrap().negated());
    }

    #[test]
    fn the_least_is_for_charged_time_and_counts_bought_credit_but_no_correction() {
        let cents = |value: i128| Nanos::from_cents(value).unwrap();
        let usage =
            |owed, prepaid| UsageTotals { owed: cents(owed), prepaid: cents(prepaid), ..UsageTotals::default() };
        let totals = |receivable, fee_adjustment, usage| PeriodTotals {
            receivable: cents(receivable),
            fee_adjustment: cents(fee_adjustment),
            usage,
        };
        let least = bounds(Some(5_000), None, OverageBehavior::AllowAndBill);
        let true_up = |trial: Option<&str>, until: &str, fee: u64, totals| {
            let fee = Cents::try_from(fee).unwrap().nanos();
            least.true_up(april(trial), until.parse().unwrap(), fee, totals, Nanos::ZERO).unwrap().floor_cents().0
        };
        let end = "2026-05-01T00:00:00Z";
        assert_eq!(true_up(None, end, 1_000, totals(0, 0, usage(0, 0))), 4_000);
        assert_eq!(true_up(None, end, 1_000, totals(1_500, 0, usage(1_500, 500))), 2_000);
        assert_eq!(true_up(None, end, 1_000, totals(-9_000, 0, usage(0, 0))), 4_000, "a correction stands outside");
        assert_eq!(true_up(None, end, 9_000, totals(0, 0, usage(0, 0))), 0);
        assert_eq!(true_up(Some("2026-04-16T00:00:00Z"), end, 1_000, totals(-500, -500, usage(0, 0))), 2_000);
        assert_eq!(true_up(Some("2026-06-01T00:00:00Z"), end, 0, totals(0, 0, usage(0, 0))), 0, "all of it is a trial");
        assert_eq!(true_up(None, "2026-04-01T00:00:00Z", 0, totals(0, 0, usage(0, 0))), 0, "it ended as it began");
        // Where there is no least, a sum below nothing stays so.
        for min in [Some(0), None] {
            let none = bounds(min, None, OverageBehavior::AllowAndBill);
            let less = totals(-100, -100, usage(0, 0));
            let nothing = none.true_up(april(None), end.parse().unwrap(), Nanos::ZERO, less, Nanos::ZERO);
            assert_eq!(nothing.unwrap(), Nanos::ZERO, "{min:?}");
        }
    }

    fn bill_of(fee: u64, receivable: i128, true_up: i128) -> Bill {
        let totals = PeriodTotals { receivable: Nanos::new(receivable), ..PeriodTotals::default() };
        let position = PeriodMoney {
            currency: Currency::Usd,
            recurring_fee_cents: Cents::try_from(fee).unwrap(),
            windows: vec![],
            totals,
            true_up: Nanos::new(true_up),
            buckets: vec![],
        };
        bill(position, "2026-05-01T00:00:00Z".parse().unwrap()).unwrap()
    }

    fn bounds(min: Option<u64>, max: Option<u64>, overage: OverageBehavior) -> SpendBounds {
        let nanos = |value: Option<u64>| value.map(|value| Cents::try_from(value).unwrap().nanos());
        let owes_nothing = overage == OverageBehavior::Block && max.is_none();
        SpendBounds { min: nanos(min), max: nanos(max), overage, owes_nothing }
    }

    #[test]
    fn an_invoice_rounds_down_and_its_postings_leave_the_total_owed() {
        for (fee, receivable, true_up, wanted) in [
            (1_900, 19_999_999, 0, (1, 0, 1_901, 9_999_999)),
            (1_900, 0, 6_000_000_000, (0, 600, 2_500, 0)),
            (1_900, 9_999_999, 5_990_000_001, (0, 600, 2_500, 0)),
            (0, -1, 0, (-1, 0, -1, 9_999_999)),
        ] {
            let invoice = invoice(&bill_of(fee, receivable, true_up)).unwrap();
            let got =
                (invoice.usage_cents.0, invoice.true_up_cents.0, invoice.total_cents.0, invoice.rounding_nanos.get());
            assert_eq!(got, wanted);
            let mut totals = PeriodTotals { receivable: Nanos::new(receivable), ..PeriodTotals::default() };
            for transaction in invoice.transactions("inv").unwrap() {
                totals = totals.with(&transaction, |_| false).unwrap();
            }
            assert_eq!(totals.receivable, Nanos::from_cents(invoice.total_cents.0).unwrap());
            assert_eq!((totals.fee_adjustment, totals.usage), (Nanos::ZERO, UsageTotals::default()));
        }
    }

    #[test]
    fn bounds_count_the_fee() {
        let fee = Cents::try_from(1_900).unwrap();
        let totals = PeriodTotals::default();
        let limit = |max, overage| bounds(None, max, overage).limit(fee.nanos(), totals).unwrap();
        assert_eq!(limit(None, OverageBehavior::AllowAndBill), SpendLimit::Unbounded);
        assert_eq!(limit(None, OverageBehavior::Block), SpendLimit::Refuse(Nanos::ZERO));
        assert_eq!(limit(Some(2_000), OverageBehavior::Block), SpendLimit::Refuse(Nanos::new(1_000_000_000)));
        assert_eq!(limit(Some(100), OverageBehavior::AllowAndBill), SpendLimit::Waive(Nanos::ZERO));
        let trial = PeriodTotals { fee_adjustment: Nanos::new(-9_000_000_000), ..totals };
        let room = bounds(None, Some(2_000), OverageBehavior::Block).limit(fee.nanos(), trial).unwrap();
        assert_eq!(room, SpendLimit::Refuse(Nanos::new(10_000_000_000)), "what the fee does not cost is room");
    }

    #[test]
    fn multipliers_add_up_to_the_factor() {
        let factor = Display::Multiplier { factor: "20".parse().unwrap() };
        let shown = serde_json::to_value(opaque(bucket(3, 1, 0, Some(factor))).display).unwrap();
        let wanted = serde_json::json!({ "kind": "multiplier", "allowanceUnits": 20, "remainingUnits": "6.67", "consumedUnits": "13.33" });
        assert_eq!(shown, wanted);
        let factor = Display::Multiplier { factor: "2.5".parse().unwrap() };
        let shown = serde_json::to_value(opaque(bucket(2, 2, 0, Some(factor))).display).unwrap();
        assert_eq!(shown["allowanceUnits"].to_string(), "2.5");
        assert_eq!(shown["consumedUnits"], "0.00");
    }

    #[test]
    fn cents_beyond_what_javascript_holds_are_a_string() {
        let json = |cents: i128| serde_json::to_string(&SignedCents(cents)).unwrap();
        assert_eq!([json(-1), json(9_007_199_254_740_991)], ["-1", "9007199254740991"]);
        assert_eq!(json(9_007_199_254_740_992), "\"9007199254740992\"");
        assert_eq!(json(-9_007_199_254_740_992), "\"-9007199254740992\"");
    }

    #[test]
    fn a_bucket_that_is_over_shows_nothing_left_and_one_that_has_ended_stays_as_it_ended() {
        let now: Timestamp = "2026-05-01T00:00:00Z".parse().unwrap();
        let ends =
            |text: &str, state| Bucket { expires_at: Some(text.parse().unwrap()), state, ..bucket(9, 5, 0, None) };
        let shown = |bucket: Bucket| {
            let bucket = as_of(bucket, now);
            (bucket.state, bucket.remaining.get())
        };
        assert_eq!(shown(ends("2026-05-01T00:00:00Z", BucketState::Available)), (BucketState::Expired, 0));
        assert_eq!(shown(ends("2026-05-02T00:00:00Z", BucketState::Available)), (BucketState::Available, 5));
        assert_eq!(shown(ends("2026-04-01T00:00:00Z", BucketState::Revoked)), (BucketState::Revoked, 5));
    }

    #[test]
    fn a_share_of_nothing_and_nothing_of_a_share_are_nothing() {
        assert_eq!(share(BASIS_POINTS, Nanos::ZERO, Nanos::new(5)), 0);
        assert_eq!(share(BASIS_POINTS, Nanos::new(5), Nanos::ZERO), 0);
        assert_eq!(share(BASIS_POINTS, Nanos::new(-5), Nanos::new(5)), 0);
        assert_eq!(share(BASIS_POINTS, Nanos::new(5), Nanos::new(5)), BASIS_POINTS);
    }

    #[test]
    fn a_years_bounds_are_twelve_months_bounds() {
        let plan = |interval: &str| -> Plan {
            serde_json::from_value(serde_json::json!({
                "key": "p", "name": "p", "capabilities": [], "capabilityLimits": {}, "currency": "usd", "featureGates": {},
                "grants": [], "interval": interval, "legacy": false, "limits": [], "meters": [], "overageBehavior": "block", "raw": {},
                "recurringFeeCents": 0, "selfServeEnabled": true, "spendPolicy": { "disclosure": "opaque" }, "trialDays": 0,
                "minMonthlySpendCents": 1, "maxMonthlySpendCents": 9_007_199_254_740_991_u64,
            }))
            .unwrap()
        };
        let month = SpendBounds::of(&plan("month"), None);
        let year = SpendBounds::of(&plan("year"), None);
        assert_eq!((month.min, year.min), (Some(Nanos::new(10_000_000)), Some(Nanos::new(120_000_000))));
        assert_eq!(year.max.unwrap().get(), month.max.unwrap().get() * 12);
        assert_eq!(year.overage, OverageBehavior::Block);
        let own = |cents: u64| SpendBounds::of(&plan("year"), Some(Cents::try_from(cents).unwrap()));
        assert_eq!(
            (own(500).max, own(500).min),
            (Some(Nanos::new(60_000_000_000)), year.min),
            "so is a subscription's own"
        );
        let mut unbounded = plan("month");
        unbounded.max_monthly_spend_cents = None;
        let own = SpendBounds::of(&unbounded, Some(Cents::try_from(500).unwrap()));
        let limit = own.limit(Nanos::ZERO, PeriodTotals::default()).unwrap();
        assert_eq!(limit, SpendLimit::Refuse(Nanos::ZERO), "what a plan refuses no subscription's own most admits");
        unbounded.overage_behavior = OverageBehavior::AllowAndBill;
        let own = SpendBounds::of(&unbounded, Some(Cents::try_from(500).unwrap()));
        let limit = own.limit(Nanos::ZERO, PeriodTotals::default()).unwrap();
        assert_eq!(limit, SpendLimit::Waive(Nanos::new(5_000_000_000)));
    }

    #[test]
    fn of_the_plans_most_and_the_subscriptions_own_the_lower_one_holds() {
        let plan: Plan = serde_json::from_value(serde_json::json!({
            "key": "p", "name": "p", "capabilities": [], "capabilityLimits": {}, "currency": "usd", "featureGates": {},
            "grants": [], "interval": "month", "legacy": false, "limits": [], "meters": [], "overageBehavior": "block", "raw": {},
            "recurringFeeCents": 0, "selfServeEnabled": true, "spendPolicy": { "disclosure": "opaque" }, "trialDays": 0,
            "maxMonthlySpendCents": 2_000,
        }))
        .unwrap();
        let most = |own: Option<u64>| {
            let bounds = SpendBounds::of(&plan, own.map(|cents| Cents::try_from(cents).unwrap()));
            bounds.max.map(|most| most.get().checked_div(10_000_000).unwrap())
        };
        assert_eq!(
            [most(None), most(Some(500)), most(Some(0)), most(Some(9_000))],
            [Some(2_000), Some(500), Some(0), Some(2_000)]
        );
    }

    #[test]
    fn no_bill_is_made_of_a_bucket_that_does_not_add_up() {
        let position = |consumed: i128| PeriodMoney {
            currency: Currency::Usd,
            recurring_fee_cents: Cents::ZERO,
            windows: Vec::new(),
            totals: PeriodTotals::default(),
            true_up: Nanos::ZERO,
            buckets: vec![Bucket { consumed: Nanos::new(consumed), ..bucket(10, 4, 1, None) }],
        };
        assert!(bill(position(5), Timestamp::UNIX_EPOCH).is_ok());
        assert!(matches!(bill(position(6), Timestamp::UNIX_EPOCH), Err(LedgerError::BucketUnbalanced { .. })));
    }
}
