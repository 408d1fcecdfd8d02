//! The one function that computes a bill. Preview and invoice both call [`bill`]; nothing else adds money up for a
//! subscriber.

use super::amount::{AmountError, Cents, Nanos, SAFE_INTEGER_MAX};
use super::funding::{self, Bucket, BucketState, SpendLimit};
use super::ledger::{Account, Cause, LedgerError, PeriodTotals, Transaction};
use super::period::Period;
use super::units::{STEPS_PER_UNIT, Units};
use crate::manifest::ir::{BillingInterval, Currency, Disclosure, Display, GrantKind, OverageBehavior, Plan};
use jiff::Timestamp;
use num_bigint::BigInt;
use serde::Serialize;

/// Months in a year, by which a month's spend bounds are a year's.
const MONTHS_PER_YEAR: u8 = 12;
/// Basis points in a whole.
const BASIS_POINTS: u128 = 10_000;
/// Billionths of a unit in a hundredth: multiplier quantities are shown with two decimals.
const STEPS_PER_HUNDREDTH: u128 = STEPS_PER_UNIT / 100;

/// A window of the period as a bill lists it: one subscription, one billing period, one release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BillWindow {
    /// The window's id.
    pub window_id: String,
    /// First moment, in UTC.
    pub window_start: Timestamp,
    /// First moment after it, in UTC.
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
    /// What the period's invoice charges for the plan itself; see [`fee`].
    pub recurring_fee_cents: Cents,
    /// Windows of the period, oldest first.
    pub windows: Vec<BillWindow>,
    /// Sums of the period's postings.
    pub totals: PeriodTotals,
    /// Buckets of the subject.
    pub buckets: Vec<Bucket>,
}

/// Sums of a bill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Sum of the windows, in nanodollars.
    pub rated_nanos: Nanos,
    /// Paid by buckets, in nanodollars.
    pub funded_nanos: Nanos,
    /// Owed by the subscriber beside the fee, in nanodollars.
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
    let totals =
        Totals { rated_nanos: rated, funded_nanos: money.totals.funded, receivable_nanos: money.totals.receivable };
    let buckets = money.buckets.into_iter().map(|bucket| as_of(bucket, now)).collect();
    Ok(Bill {
        currency: money.currency,
        recurring_fee_cents: money.recurring_fee_cents,
        windows: money.windows,
        totals,
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

/// What a period costs for the plan itself: the pin, or the part of it for the time that is charged. Nothing is charged
/// before `free_until` (a trial) and from `billed_until` on (an end with proration). Rounded down to a cent.
///
/// # Errors
/// [`AmountError`] never in practice: a part of an authored amount fits.
pub fn fee(
    pin: Cents,
    period: Period,
    free_until: Option<Timestamp>,
    billed_until: Option<Timestamp>,
) -> Result<Cents, AmountError> {
    let (from, to) = (free_until.unwrap_or(period.start), billed_until.unwrap_or(period.end));
    let charged = period.overlap_micros(from, to);
    if charged == period.micros() {
        return Ok(pin);
    }
    let (cents, _) = pin.nanos().share(charged, period.micros())?.floor_cents();
    u64::try_from(cents).map_err(|_| AmountError::Overflow).and_then(Cents::try_from)
}

/// The least and the most that a period of a plan may cost, and what happens past the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpendBounds {
    /// The least, in nanodollars; `None` for no bound.
    pub min: Option<Nanos>,
    /// The most, in nanodollars; `None` for no bound.
    pub max: Option<Nanos>,
    /// What happens to charges past the most, or, without one, to charges that no bucket pays.
    pub overage: OverageBehavior,
}

impl SpendBounds {
    /// The bounds of a plan's period: those of a month, times twelve where a period is a year.
    pub fn of(plan: &Plan) -> SpendBounds {
        let months = match plan.interval {
            BillingInterval::Month => 1,
            BillingInterval::Year => MONTHS_PER_YEAR,
        };
        let whole = |bound: Option<Cents>| bound.map(|cents| cents.nanos_times(months));
        SpendBounds {
            min: whole(plan.min_monthly_spend_cents),
            max: whole(plan.max_monthly_spend_cents),
            overage: plan.overage_behavior,
        }
    }

    /// How far charges may raise what a period owes beside its fee.
    ///
    /// # Errors
    /// [`AmountError`] never in practice: authored amounts fit.
    pub fn limit(self, fee: Cents) -> Result<SpendLimit, AmountError> {
        let room = self.max.map(|max| max.minus(fee.nanos())).transpose()?.map(|room| room.max(Nanos::ZERO));
        Ok(match (self.overage, room) {
            (OverageBehavior::Block, room) => SpendLimit::Refuse(room.unwrap_or(Nanos::ZERO)),
            (OverageBehavior::AllowAndBill, Some(room)) => SpendLimit::Waive(room),
            (OverageBehavior::AllowAndBill, None) => SpendLimit::Unbounded,
        })
    }
}

/// A bill in whole cents, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Currency of every amount.
    pub currency: Currency,
    /// The recurring fee, in cents.
    pub recurring_fee_cents: Cents,
    /// What is owed beside it: the receivable, rounded down to a cent. Negative where more was given back than used.
    pub usage_cents: SignedCents,
    /// What the least of the period adds.
    pub true_up_cents: SignedCents,
    /// The sum. Negative is a credit note.
    pub total_cents: SignedCents,
    /// What was owed below a cent and is not charged: 0 to 9,999,999.
    pub rounding_nanos: Nanos,
    /// The bill's sums.
    pub totals: Totals,
}

/// Turns a bill into an invoice.
///
/// # Errors
/// [`AmountError`] outside 128 bits.
pub fn invoice(bill: &Bill, bounds: SpendBounds) -> Result<Invoice, AmountError> {
    let (usage, rounding) = bill.totals.receivable_nanos.floor_cents();
    let due = i128::from(bill.recurring_fee_cents.get()).checked_add(usage).ok_or(AmountError::Overflow)?;
    let least = bounds.min.map_or(due, |min| min.floor_cents().0);
    let missing = least.checked_sub(due).ok_or(AmountError::Overflow)?.max(0);
    Ok(Invoice {
        currency: bill.currency,
        recurring_fee_cents: bill.recurring_fee_cents,
        usage_cents: SignedCents(usage),
        true_up_cents: SignedCents(missing),
        total_cents: SignedCents(due.checked_add(missing).ok_or(AmountError::Overflow)?),
        rounding_nanos: rounding,
        totals: bill.totals.clone(),
    })
}

impl Invoice {
    /// What closing a period posts, so that the period's receivable is the invoice's total exactly: the fee and the true-up are
    /// earned, and what is below a cent is written off. `id` names the invoice.
    ///
    /// # Errors
    /// [`LedgerError`] never in practice: the postings mirror each other.
    pub fn transactions(&self, id: &str) -> Result<Vec<Transaction>, LedgerError> {
        let earned = |amount: Nanos, cause| funding::move_between(Account::Receivable, Account::Revenue, amount, cause);
        let fee = earned(self.recurring_fee_cents.nanos(), Cause::RecurringFee(id.to_owned()))?;
        let true_up = earned(Nanos::from_cents(self.true_up_cents.0)?, Cause::TrueUp(id.to_owned()))?;
        let cause = Cause::Rounding(id.to_owned());
        let rounding = funding::move_between(Account::Rounding, Account::Receivable, self.rounding_nanos, cause)?;
        Ok([fee, true_up, rounding].into_iter().flatten().collect())
    }
}

/// Cents of either sign. In JSON an integer where it is one that JavaScript holds, else a decimal string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignedCents(pub i128);

impl Serialize for SignedCents {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0).ok().filter(|cents| cents.unsigned_abs() <= SAFE_INTEGER_MAX) {
            Some(integer) => serializer.serialize_i64(integer),
            None => serializer.collect_str(&self.0),
        }
    }
}

/// What a subscriber sees of a bill.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// A bucket in nanodollars.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    pub expires_at: Option<Timestamp>,
}

/// A bucket without money.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OpaqueAllowance {
    /// Where its money comes from.
    pub kind: GrantKind,
    /// What it can do.
    pub state: BucketState,
    /// From when on it can't pay; null for never.
    pub expires_at: Option<Timestamp>,
    /// How much of it is left.
    pub display: AllowanceDisplay,
}

/// How much of a bucket is left, as its author wants it shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum AllowanceDisplay {
    /// In units of the author's choice.
    Multiplier {
        /// Units of a full bucket.
        allowance_units: DecimalNumber,
        /// Units left, rounded down, two decimals.
        remaining_units: String,
        /// Units gone, two decimals.
        consumed_units: String,
    },
    /// In basis points, ten-thousandths of what was granted.
    Fraction {
        /// Gone: held, consumed, expired or revoked. 0 to 10,000.
        consumed_basis_points: u128,
        /// Left, rounded down. 0 to 10,000.
        remaining_basis_points: u128,
    },
}

/// A quantity shown as a JSON number. Only for display factors, whose two decimals and nine digits a double shows exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalNumber(Units);

impl Serialize for DecimalNumber {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number: serde_json::Number = self.0.to_string().parse().map_err(serde::ser::Error::custom)?;
        number.serialize(serializer)
    }
}

/// Shows a bill under a disclosure setting.
pub fn preview(bill: Bill, disclosure: Disclosure) -> Preview {
    let Bill { currency, recurring_fee_cents, windows, totals, buckets } = bill;
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

/// Floor of `whole` × `part` ÷ `of`, from 0 to `whole`; 0 where `of` is zero.
fn share(whole: u128, part: Nanos, of: Nanos) -> u128 {
    if of <= Nanos::ZERO || part <= Nanos::ZERO {
        return 0;
    }
    #[expect(clippy::arithmetic_side_effects, reason = "big integers have no range to leave, and `of` is positive")]
    let exact = BigInt::from(whole) * part.get() / of.get();
    // A quotient beyond 128 bits is beyond `whole` too.
    u128::try_from(exact).map_or(whole, |share| share.min(whole))
}

fn two_decimals(hundredths: u128) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(granted: i128, remaining: i128, held: i128, display: Option<Display>) -> Bucket {
        Bucket {
            id: "b".to_owned(),
            kind: GrantKind::Included,
            state: BucketState::Available,
            granted: Nanos::new(granted),
            remaining: Nanos::new(remaining),
            held: Nanos::new(held),
            consumed: Nanos::new(granted).minus(Nanos::new(remaining)).unwrap().minus(Nanos::new(held)).unwrap(),
            expires_at: None,
            display,
        }
    }

    #[test]
    fn fractions_round_what_is_left_down_and_count_held_money_as_consumed() {
        let shown = opaque(bucket(3, 2, 1, None)).display;
        assert_eq!(shown, AllowanceDisplay::Fraction { consumed_basis_points: 3334, remaining_basis_points: 6666 });
        let empty = opaque(bucket(0, 0, 0, None)).display;
        assert_eq!(empty, AllowanceDisplay::Fraction { consumed_basis_points: 10_000, remaining_basis_points: 0 });
    }

    fn period(start: &str, end: &str) -> Period {
        Period { index: 0, start: start.parse().unwrap(), end: end.parse().unwrap() }
    }

    #[test]
    fn a_fee_is_charged_for_the_time_that_is_not_free() {
        let april = period("2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z");
        let pin = Cents::try_from(3_000).unwrap();
        let at = |text: &str| Some(text.parse().unwrap());
        assert_eq!(fee(pin, april, None, None).unwrap(), pin);
        assert_eq!(fee(pin, april, at("2026-04-16T00:00:00Z"), None).unwrap().get(), 1_500);
        assert_eq!(fee(pin, april, None, at("2026-04-01T00:00:00Z")).unwrap().get(), 0);
        assert_eq!(fee(pin, april, at("2026-06-01T00:00:00Z"), None).unwrap().get(), 0);
        assert_eq!(fee(pin, april, at("2026-03-01T00:00:00Z"), at("2026-06-01T00:00:00Z")).unwrap(), pin);
    }

    fn bill_of(fee: u64, receivable: i128) -> Bill {
        let totals = PeriodTotals { funded: Nanos::ZERO, receivable: Nanos::new(receivable) };
        let recurring_fee_cents = Cents::try_from(fee).unwrap();
        let position =
            PeriodMoney { currency: Currency::Usd, recurring_fee_cents, windows: vec![], totals, buckets: vec![] };
        bill(position, "2026-05-01T00:00:00Z".parse().unwrap()).unwrap()
    }

    fn bounds(min: Option<u64>, max: Option<u64>, overage: OverageBehavior) -> SpendBounds {
        let nanos = |value: Option<u64>| value.map(|value| Cents::try_from(value).unwrap().nanos());
        SpendBounds { min: nanos(min), max: nanos(max), overage }
    }

    #[test]
    fn an_invoice_rounds_down_and_its_postings_leave_the_total_owed() {
        for (fee, receivable, min, wanted) in [
            (1_900, 19_999_999, None, (1, 0, 1_901, 9_999_999)),
            (1_900, 0, Some(2_500), (0, 600, 2_500, 0)),
            (1_900, 20_000_000_000, Some(2_500), (2_000, 0, 3_900, 0)),
            (0, -1, None, (-1, 0, -1, 9_999_999)),
        ] {
            let bill = bill_of(fee, receivable);
            let invoice = invoice(&bill, bounds(min, None, OverageBehavior::AllowAndBill)).unwrap();
            let got =
                (invoice.usage_cents.0, invoice.true_up_cents.0, invoice.total_cents.0, invoice.rounding_nanos.get());
            assert_eq!(got, wanted);
            let mut totals = PeriodTotals { funded: Nanos::ZERO, receivable: Nanos::new(receivable) };
            for transaction in invoice.transactions("inv").unwrap() {
                totals = totals.with(&transaction).unwrap();
            }
            assert_eq!(totals.receivable, Nanos::from_cents(invoice.total_cents.0).unwrap());
            assert_eq!(totals.funded, Nanos::ZERO);
        }
    }

    #[test]
    fn bounds_count_the_fee() {
        let fee = Cents::try_from(1_900).unwrap();
        let limit = |max, overage| bounds(None, max, overage).limit(fee).unwrap();
        assert_eq!(limit(None, OverageBehavior::AllowAndBill), SpendLimit::Unbounded);
        assert_eq!(limit(None, OverageBehavior::Block), SpendLimit::Refuse(Nanos::ZERO));
        assert_eq!(limit(Some(2_000), OverageBehavior::Block), SpendLimit::Refuse(Nanos::new(1_000_000_000)));
        assert_eq!(limit(Some(100), OverageBehavior::AllowAndBill), SpendLimit::Waive(Nanos::ZERO));
    }

    #[test]
    fn multipliers_add_up_to_the_factor() {
        let factor = Display::Multiplier { factor: "20".parse().unwrap() };
        let shown = serde_json::to_value(opaque(bucket(3, 1, 0, Some(factor))).display).unwrap();
        let wanted = serde_json::json!({ "kind": "multiplier", "allowanceUnits": 20, "remainingUnits": "6.66", "consumedUnits": "13.34" });
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
        let month = SpendBounds::of(&plan("month"));
        let year = SpendBounds::of(&plan("year"));
        assert_eq!((month.min, year.min), (Some(Nanos::new(10_000_000)), Some(Nanos::new(120_000_000))));
        assert_eq!(year.max.unwrap().get(), month.max.unwrap().get() * 12);
        assert_eq!(year.overage, OverageBehavior::Block);
    }

    #[test]
    fn no_bill_is_made_of_a_bucket_that_does_not_add_up() {
        let position = |consumed: i128| PeriodMoney {
            currency: Currency::Usd,
            recurring_fee_cents: Cents::ZERO,
            windows: Vec::new(),
            totals: PeriodTotals::default(),
            buckets: vec![Bucket { consumed: Nanos::new(consumed), ..bucket(10, 4, 1, None) }],
        };
        assert!(bill(position(5), Timestamp::UNIX_EPOCH).is_ok());
        assert!(matches!(bill(position(6), Timestamp::UNIX_EPOCH), Err(LedgerError::BucketUnbalanced { .. })));
    }
}
