//! The one function that computes a bill. Preview and invoice both call [`bill`]; nothing else adds money up for a
//! subscriber.

use super::amount::{AmountError, Cents, Nanos};
use super::funding::{Bucket, BucketState};
use super::units::{STEPS_PER_UNIT, Units};
use crate::manifest::ir::{Currency, Disclosure, Display, GrantKind};
use jiff::Timestamp;
use serde::Serialize;

/// Basis points in a whole.
const BASIS_POINTS: i128 = 10_000;
/// Steps of a shown multiplier quantity in one unit: two decimals.
const SHOWN_STEPS_PER_UNIT: u128 = 100;

/// One rating window of the period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BillWindow {
    /// Its id.
    pub window_id: String,
    /// First moment.
    pub window_start: Timestamp,
    /// First moment after it.
    pub window_end: Timestamp,
    /// Charges admitted in it.
    pub charge_count: u64,
    /// Floor of its exact total.
    pub rated_nanos: Nanos,
}

/// What the ledger and the projections say of one subscription's open period.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// Currency of the plan.
    pub currency: Currency,
    /// The subscription's recurring-price pin.
    pub recurring_fee_cents: Cents,
    /// Windows of the period, oldest first.
    pub windows: Vec<BillWindow>,
    /// What buckets paid in the period.
    pub funded: Nanos,
    /// Debits minus credits of the receivable account in the period.
    pub receivable: Nanos,
    /// Buckets of the subject.
    pub buckets: Vec<Bucket>,
}

/// Sums of a bill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Sum of the windows.
    pub rated_nanos: Nanos,
    /// Paid by buckets.
    pub funded_nanos: Nanos,
    /// Due through the settlement rail.
    pub receivable_nanos: Nanos,
}

/// Everything a bill says, before anything is withheld.
#[derive(Clone, Debug, PartialEq)]
pub struct Bill {
    /// Currency.
    pub currency: Currency,
    /// Recurring fee, in cents.
    pub recurring_fee_cents: Cents,
    /// Windows, oldest first.
    pub windows: Vec<BillWindow>,
    /// Sums.
    pub totals: Totals,
    /// Buckets as they are at the bill's moment.
    pub buckets: Vec<Bucket>,
}

/// Computes the bill of a position at `now`.
///
/// # Errors
/// [`AmountError::Overflow`] when the windows' sum leaves 128 bits.
pub fn bill(position: Position, now: Timestamp) -> Result<Bill, AmountError> {
    let rated = position.windows.iter().try_fold(Nanos::ZERO, |sum, window| sum.plus(window.rated_nanos))?;
    let totals = Totals { rated_nanos: rated, funded_nanos: position.funded, receivable_nanos: position.receivable };
    let buckets = position.buckets.into_iter().map(|bucket| as_of(bucket, now)).collect();
    Ok(Bill {
        currency: position.currency,
        recurring_fee_cents: position.recurring_fee_cents,
        windows: position.windows,
        totals,
        buckets,
    })
}

/// A bucket whose time is over has nothing left, even before its expiry is posted.
fn as_of(mut bucket: Bucket, now: Timestamp) -> Bucket {
    if matches!(bucket.state, BucketState::Available | BucketState::Exhausted) && bucket.is_over(now) {
        bucket.state = BucketState::Expired;
        bucket.remaining = Nanos::ZERO;
    }
    bucket
}

/// What a subscriber sees of a bill.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "disclosure", rename_all = "lowercase")]
pub enum Preview {
    /// Windows, totals and nanodollars.
    #[serde(rename_all = "camelCase")]
    Transparent {
        /// Currency.
        currency: Currency,
        /// Recurring fee, in cents.
        recurring_fee_cents: Cents,
        /// Windows, oldest first.
        windows: Vec<BillWindow>,
        /// Sums.
        totals: Totals,
        /// Buckets in nanodollars.
        allowances: Vec<TransparentAllowance>,
    },
    /// Nothing from which a rate could be derived.
    #[serde(rename_all = "camelCase")]
    Opaque {
        /// Currency.
        currency: Currency,
        /// Recurring fee, in cents.
        recurring_fee_cents: Cents,
        /// Buckets as fractions.
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
    /// In ten-thousandths.
    Fraction {
        /// Gone.
        consumed_basis_points: i128,
        /// Left, rounded down.
        remaining_basis_points: i128,
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
                consumed_basis_points: BASIS_POINTS.saturating_sub(remaining),
                remaining_basis_points: remaining,
            }
        }
    };
    OpaqueAllowance { kind: bucket.kind, state: bucket.state, expires_at: bucket.expires_at, display }
}

fn multiplier(factor: Units, remaining: Nanos, granted: Nanos) -> AllowanceDisplay {
    let whole = i128::try_from(factor.steps() * SHOWN_STEPS_PER_UNIT / STEPS_PER_UNIT).unwrap_or(i128::MAX);
    let left = share(whole, remaining, granted);
    AllowanceDisplay::Multiplier {
        allowance_units: DecimalNumber(factor),
        remaining_units: two_decimals(left),
        consumed_units: two_decimals(whole.saturating_sub(left)),
    }
}

/// Floor of `whole` × `part` ÷ `of`; nothing of nothing is nothing. Amounts beyond 128 bits are scaled down first, which
/// can only round down.
fn share(whole: i128, part: Nanos, of: Nanos) -> i128 {
    if of <= Nanos::ZERO || part <= Nanos::ZERO {
        return 0;
    }
    let exact = num_bigint::BigInt::from(whole) * part.get() / of.get();
    i128::try_from(exact).unwrap_or(whole).min(whole)
}

fn two_decimals(hundredths: i128) -> String {
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
            consumed: Nanos::new(granted - remaining - held),
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
}
