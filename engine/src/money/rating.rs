//! What usage costs: exact rational totals per window, posted in whole nanodollars.
//!
//! Let E be the exact total of a window over all its meters. After every charge the sum of all that was posted is floor(E):
//! each charge posts the floor of its own exact marginal value, and when the fractions left over reach a whole nano, a
//! separate remainder posting brings the sum up. So the customer never pays more than E.

use super::amount::{NANOS_PER_MICRO, Nanos};
use super::units::{STEPS_PER_UNIT, Units};
use crate::manifest::ir::{Aggregation, Key, MeterPrice, Tier};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use std::collections::BTreeMap;

/// An exact number of nanodollars.
pub type ExactNanos = BigRational;

/// Why a charge can't be rated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// The served release has no such meter.
    #[error("there is no meter {0:?} in the release")]
    UnknownMeter(String),
    /// A quantity or an amount left the range of 128 bits.
    #[error("the window's quantity or amount left the range of 128 bits")]
    Overflow,
}

/// How one meter of a window counts and costs.
#[derive(Clone, Debug, PartialEq)]
pub struct MeterRate {
    /// How reports make one quantity.
    pub aggregation: Aggregation,
    /// What the quantity costs; `None` where the plan has no price for it.
    pub price: Option<MeterPrice>,
}

/// The meters of a release with a plan's prices.
pub type RateCard = BTreeMap<Key, MeterRate>;

/// One report on one meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many units.
    pub units: Units,
    /// For [`Aggregation::Unique`]: whether the report's key is new in this window.
    pub is_new_key: bool,
}

/// What one charge posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rated {
    /// Floor of the charge's exact marginal value. Negative where a volume price falls.
    pub charge: Nanos,
    /// What the window's fractions now add up to in whole nanos: 0 or 1.
    pub remainder: Nanos,
}

/// The running rating of one window: one subscription, one billing period, one release.
#[derive(Clone, Debug)]
pub struct Window {
    rates: RateCard,
    before: BTreeMap<Key, Units>,
    quantities: BTreeMap<Key, Units>,
    totals: BTreeMap<Key, ExactNanos>,
    exact: ExactNanos,
}

impl Window {
    /// A window with these quantities; none for a new one. `before` is what earlier windows of the period used: this
    /// window's units stand on it.
    ///
    /// # Errors
    /// [`RatingError::UnknownMeter`] when a quantity's meter has no rate; [`RatingError::Overflow`].
    #[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
    pub fn new(
        rates: RateCard,
        before: BTreeMap<Key, Units>,
        quantities: BTreeMap<Key, Units>,
    ) -> Result<Window, RatingError> {
        let empty = BTreeMap::new();
        let mut window =
            Window { rates, before, quantities: empty, totals: BTreeMap::new(), exact: ExactNanos::zero() };
        for (meter, quantity) in quantities {
            let total = window.total(&meter, quantity)?;
            window.exact += &total;
            window.totals.insert(meter.clone(), total);
            window.quantities.insert(meter, quantity);
        }
        Ok(window)
    }

    /// The aggregated quantity of each meter used.
    pub fn quantities(&self) -> &BTreeMap<Key, Units> {
        &self.quantities
    }

    /// How a meter counts, where the release has it.
    pub fn aggregation(&self, meter: &str) -> Option<Aggregation> {
        self.rates.get(meter).map(|rate| rate.aggregation)
    }

    /// The exact total over all meters.
    pub fn exact(&self) -> &ExactNanos {
        &self.exact
    }

    /// Floor of the exact total: what has been posted.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits.
    pub fn rated(&self) -> Result<Nanos, RatingError> {
        floor(&self.exact)
    }

    /// What a quantity of a meter costs in this window.
    fn total(&self, meter: &Key, quantity: Units) -> Result<ExactNanos, RatingError> {
        let rate = self.rates.get(meter).ok_or_else(|| RatingError::UnknownMeter(meter.to_string()))?;
        let before = self.before.get(meter).copied().unwrap_or_default();
        rate.price.as_ref().map_or_else(|| Ok(ExactNanos::zero()), |price| total(price, before, quantity))
    }

    /// Admits one report and returns what it posts. On an error the window is unchanged.
    ///
    /// # Errors
    /// [`RatingError`] for a meter the release doesn't have, or numbers out of range.
    #[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
    pub fn admit(&mut self, meter: &Key, report: Report) -> Result<Rated, RatingError> {
        let rate = self.rates.get(meter).ok_or_else(|| RatingError::UnknownMeter(meter.to_string()))?;
        let before = self.quantities.get(meter).copied().unwrap_or_default();
        let quantity = aggregate(rate.aggregation, before, report).ok_or(RatingError::Overflow)?;
        let total_after = self.total(meter, quantity)?;
        let marginal = match self.totals.get(meter) {
            Some(total_before) => &total_after - total_before,
            None => total_after.clone(),
        };
        let exact = &self.exact + &marginal;
        let posted = floor(&exact)?.minus(floor(&self.exact)?).map_err(|_| RatingError::Overflow)?;
        let charge = floor(&marginal)?;
        let remainder = posted.minus(charge).map_err(|_| RatingError::Overflow)?;
        self.exact = exact;
        self.totals.insert(meter.clone(), total_after);
        self.quantities.insert(meter.clone(), quantity);
        Ok(Rated { charge, remainder })
    }
}

fn aggregate(aggregation: Aggregation, before: Units, report: Report) -> Option<Units> {
    match aggregation {
        Aggregation::Sum => before.checked_add(report.units),
        Aggregation::Count => before.checked_add(Units::ONE),
        Aggregation::Max => Some(before.max(report.units)),
        Aggregation::Last => Some(report.units),
        Aggregation::Unique if report.is_new_key => before.checked_add(Units::ONE),
        Aggregation::Unique => Some(before),
    }
}

/// The exact price of a quantity, in nanodollars. `before` units of the period were used in earlier windows: they have used up
/// included units and graduated tiers, and count for which volume tier is reached, but they cost nothing again.
///
/// # Errors
/// [`RatingError::Overflow`] when the period's quantity leaves 128 bits.
#[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
pub fn total(price: &MeterPrice, before: Units, quantity: Units) -> Result<ExactNanos, RatingError> {
    let reached = before.checked_add(quantity).ok_or(RatingError::Overflow)?.steps();
    Ok(match price {
        MeterPrice::Linear { micros, per, included_units, .. } => {
            // Differences down to zero: what is included and not used yet, and what is used past that.
            let included = included_units.steps().saturating_sub(before.steps());
            exact(quantity.steps().saturating_sub(included), micros.get(), per.get())
        }
        MeterPrice::Graduated { tiers, .. } => graduated(tiers, reached) - graduated(tiers, before.steps()),
        MeterPrice::Volume { tiers, .. } => {
            let tier = tiers.iter().find(|tier| tier_end(tier).is_none_or(|end| reached <= end));
            tier.map_or_else(ExactNanos::zero, |tier| exact(quantity.steps(), tier.micros.get(), tier.per.get()))
        }
    })
}

#[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
fn graduated(tiers: &[Tier], quantity: u128) -> ExactNanos {
    let mut sum = ExactNanos::zero();
    let mut from = 0_u128;
    for tier in tiers {
        let to = tier_end(tier).map_or(quantity, |end| end.min(quantity));
        sum += exact(to.saturating_sub(from), tier.micros.get(), tier.per.get());
        from = from.max(to);
    }
    sum
}

/// Last step of a tier; `None` for the open one.
fn tier_end(tier: &Tier) -> Option<u128> {
    tier.up_to.map(|units| Units::from_whole(units).steps())
}

/// `steps` billionths of a unit at `micros` per `per` units.
#[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
fn exact(steps: u128, micros: u64, per: u64) -> ExactNanos {
    let numerator = BigInt::from(steps) * BigInt::from(micros) * BigInt::from(NANOS_PER_MICRO);
    let denominator = BigInt::from(STEPS_PER_UNIT) * BigInt::from(per);
    ExactNanos::new(numerator, denominator)
}

fn floor(exact: &ExactNanos) -> Result<Nanos, RatingError> {
    exact.floor().to_integer().to_i128().map(Nanos::new).ok_or(RatingError::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::ir::PerUnits;
    use crate::money::amount::Micros;
    use proptest::prelude::*;

    fn key(text: &str) -> Key {
        Key::try_from(text.to_owned()).unwrap()
    }

    fn linear(micros: u64, per: u64, included: u32) -> MeterPrice {
        MeterPrice::Linear {
            meter: key("m"),
            micros: Micros::try_from(micros).unwrap(),
            per: PerUnits::try_from(per).unwrap(),
            included_units: Units::from(included),
        }
    }

    fn tiered(ends: &[(Option<u64>, u64)]) -> Vec<Tier> {
        ends.iter()
            .map(|&(up_to, micros)| Tier { up_to, micros: Micros::try_from(micros).unwrap(), per: PerUnits::ONE })
            .collect()
    }

    fn cost(price: &MeterPrice, before: u32, quantity: u32) -> ExactNanos {
        total(price, Units::from(before), Units::from(quantity)).unwrap()
    }

    fn window(price: MeterPrice, aggregation: Aggregation) -> Window {
        let rates = RateCard::from([(key("m"), MeterRate { aggregation, price: Some(price) })]);
        Window::new(rates, BTreeMap::new(), BTreeMap::new()).unwrap()
    }

    fn report(units: &str) -> Report {
        Report { units: units.parse().unwrap(), is_new_key: true }
    }

    fn post(window: &mut Window, units: &str) -> (i128, i128) {
        let rated = window.admit(&key("m"), report(units)).unwrap();
        (rated.charge.get(), rated.remainder.get())
    }

    #[test]
    fn three_thirds_of_a_micro_are_a_thousand_nanos() {
        let mut window = window(linear(1, 3, 0), Aggregation::Sum);
        let posted: Vec<_> = (0..3).map(|_| post(&mut window, "1")).collect();
        assert_eq!(posted, [(333, 0), (333, 0), (333, 1)]);
        assert_eq!(window.rated().unwrap().get(), 1000);
    }

    #[test]
    fn seven_charges_of_seven_tenths_are_four_nanos() {
        // 0.7 nanos are 0.0007 micros: 7 micros per 10,000 units.
        let mut window = window(linear(7, 10_000, 0), Aggregation::Sum);
        let posted: i128 = (0..7).map(|_| post(&mut window, "1")).map(|(charge, remainder)| charge + remainder).sum();
        assert_eq!(posted, 4);
        assert_eq!(window.rated().unwrap().get(), 4);
    }

    #[test]
    fn a_million_tokens_at_fifteen_cents_a_million() {
        let mut window = window(linear(150_000, 1_000_000, 0), Aggregation::Sum);
        assert_eq!(post(&mut window, "1000000"), (150_000_000, 0));
    }

    #[test]
    fn included_units_are_free_in_admission_order() {
        let mut window = window(linear(2, 1, 100), Aggregation::Sum);
        assert_eq!(post(&mut window, "60"), (0, 0));
        assert_eq!(post(&mut window, "60"), (40_000, 0));
        assert_eq!(post(&mut window, "0.5"), (1_000, 0));
    }

    #[test]
    fn tiers_split_or_take_the_whole() {
        let graduated =
            MeterPrice::Graduated { meter: key("m"), tiers: tiered(&[(Some(10), 5), (Some(20), 3), (None, 1)]) };
        assert_eq!(cost(&graduated, 0, 25), ExactNanos::from_integer(BigInt::from((50 + 30 + 5) * 1000)));
        let volume = MeterPrice::Volume { meter: key("m"), tiers: tiered(&[(Some(10), 5), (None, 1)]) };
        assert_eq!(cost(&volume, 0, 10), ExactNanos::from_integer(BigInt::from(50_000)));
        assert_eq!(cost(&volume, 0, 11), ExactNanos::from_integer(BigInt::from(11_000)));
    }

    #[test]
    fn units_used_before_count_against_included_units_and_tiers() {
        let nanos = |n: u32| ExactNanos::from_integer(BigInt::from(n));
        assert_eq!(cost(&linear(2, 1, 100), 60, 60), nanos(40_000), "40 were left of 100");
        assert_eq!(cost(&linear(2, 1, 100), 500, 60), nanos(120_000), "none was left");
        let graduated = MeterPrice::Graduated { meter: key("m"), tiers: tiered(&[(Some(10), 5), (None, 1)]) };
        assert_eq!(cost(&graduated, 8, 4), nanos(2 * 5_000 + 2 * 1_000));
        let volume = MeterPrice::Volume { meter: key("m"), tiers: tiered(&[(Some(10), 5), (None, 1)]) };
        assert_eq!(cost(&volume, 8, 4), nanos(4_000), "twelve reach the second tier; only four are paid here");
    }

    #[test]
    fn aggregations_make_one_quantity() {
        for (aggregation, wanted) in
            [(Aggregation::Sum, "9"), (Aggregation::Count, "3"), (Aggregation::Max, "5"), (Aggregation::Last, "1")]
        {
            let mut window = window(linear(1, 1, 0), aggregation);
            for units in ["3", "5", "1"] {
                post(&mut window, units);
            }
            assert_eq!(window.quantities().values().next().unwrap().to_string(), wanted, "{aggregation:?}");
        }
    }

    #[test]
    fn distinct_values_count_once() {
        let mut window = window(linear(1, 1, 0), Aggregation::Unique);
        assert_eq!((window.aggregation("m"), window.aggregation("x")), (Some(Aggregation::Unique), None));
        for (is_new_key, wanted) in [(true, 1_000), (false, 1_000), (true, 2_000)] {
            window.admit(&key("m"), Report { units: Units::from(9), is_new_key }).unwrap();
            assert_eq!(window.rated().unwrap().get(), wanted);
        }
    }

    #[test]
    fn a_price_that_leaves_128_bits_is_an_error_and_changes_nothing() {
        let mut window = window(linear(9_007_199_254_740_991, 1, 0), Aggregation::Sum);
        let huge = report("1000000000000000");
        let admitted = (0..30_000).take_while(|_| window.admit(&key("m"), huge).is_ok()).count();
        assert_eq!(admitted, 18_889, "i128::MAX nanos are 18,889 such charges");
        let before = window.exact().clone();
        assert_eq!(window.admit(&key("m"), huge), Err(RatingError::Overflow));
        assert_eq!(*window.exact(), before);
        assert!(matches!(window.admit(&key("x"), huge), Err(RatingError::UnknownMeter(_))));
    }

    proptest! {
        #[test]
        fn posted_is_the_floor_of_the_exact_total_after_every_charge(
            micros in 0_u64..2_000_000, per in 1_u64..1_000_000, included in 0_u32..50,
            charges in prop::collection::vec((0_u64..10_000, 0_u32..1_000_000_000), 1..40),
        ) {
            let mut window = window(linear(micros, per, included), Aggregation::Sum);
            let mut posted = 0_i128;
            for (whole, billionths) in charges {
                let (charge, remainder) = post(&mut window, &format!("{whole}.{billionths:09}"));
                prop_assert!(charge >= 0 && (0..=1).contains(&remainder));
                posted = posted.checked_add(charge).unwrap().checked_add(remainder).unwrap();
                let rated = window.exact().floor().to_integer();
                prop_assert_eq!(&BigInt::from(posted), &rated);
                prop_assert!(ExactNanos::from_integer(BigInt::from(posted)) <= *window.exact());
            }
        }

        #[test]
        fn resuming_a_window_changes_nothing(charges in prop::collection::vec(0_u64..1_000, 1..20)) {
            let price = MeterPrice::Volume { meter: key("m"), tiers: tiered(&[(Some(100), 7), (Some(900), 3), (None, 2)]) };
            let mut whole = window(price.clone(), Aggregation::Sum);
            let mut resumed = window(price, Aggregation::Sum);
            for units in charges {
                let text = units.to_string();
                let first = post(&mut whole, &text);
                resumed = Window::new(resumed.rates.clone(), BTreeMap::new(), resumed.quantities.clone()).unwrap();
                prop_assert_eq!(first, post(&mut resumed, &text));
            }
        }
    }
}
