//! What a price makes of a quantity. A curve is prepared once, so that a quantity costs the same work whether the price has one
//! tier or a thousand.

use super::amount::{Micros, NANOS_PER_MICRO};
use super::trace::{Part, PartKind, Recorder};
use super::units::Units;
use crate::manifest::ir::{MeterPrice, PerUnits, Rounding, Tier};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::collections::HashMap;

pub use super::trace::{ExactNanos, ExactSteps};

/// The exact form of a quantity.
pub fn exact_steps(units: Units) -> ExactSteps {
    ExactSteps::from_integer(BigInt::from(units.steps()))
}

/// What a price makes of the units that are not free.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    shape: Shape,
    /// Most that it comes to.
    most: Option<ExactNanos>,
}

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Linear(Slope),
    Graduated(Vec<Step>),
    Volume(Vec<Step>),
}

/// The sum of exact amounts. Those of one denominator are added as integers, so that a thousand cells take one reduction and not a thousand.
#[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
pub fn sum<'a>(amounts: impl IntoIterator<Item = &'a ExactNanos>) -> ExactNanos {
    let mut by_denominator: Vec<(&BigInt, BigInt)> = Vec::new();
    let mut places: HashMap<&BigInt, usize> = HashMap::new();
    for amount in amounts {
        let place = *places.entry(amount.denom()).or_insert(by_denominator.len());
        match by_denominator.get_mut(place) {
            Some((_, sum)) => *sum += amount.numer(),
            None => by_denominator.push((amount.denom(), amount.numer().clone())),
        }
    }
    by_denominator.into_iter().map(|(denominator, sum)| ExactNanos::new(sum, denominator.clone())).sum()
}

/// So much per so many units.
#[derive(Clone, Debug, PartialEq)]
struct Slope {
    /// Nanodollars of one `per`.
    nanos: u128,
    /// Billionths of a unit in one `per`.
    per: u128,
    /// Whether each started `per` is charged whole.
    rounds_up: bool,
}

/// A tier.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    /// The last quantity before it.
    from: ExactSteps,
    /// Its last quantity; nothing for the open one.
    end: Option<ExactSteps>,
    slope: Slope,
    /// What the tier itself costs.
    flat: ExactNanos,
    /// What all tiers before it cost together, where each is passed through.
    below: ExactNanos,
}

impl Slope {
    fn new(micros: Micros, per: PerUnits, round: Option<Rounding>) -> Slope {
        Slope {
            nanos: u128::from(micros.get()).saturating_mul(NANOS_PER_MICRO.unsigned_abs()),
            per: Units::from_whole(per.get()).steps(),
            rounds_up: round == Some(Rounding::Up),
        }
    }

    #[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
    fn cost(&self, quantity: &ExactSteps) -> ExactNanos {
        if self.rounds_up {
            let started = ExactSteps::new(quantity.numer().clone(), quantity.denom() * self.per).ceil();
            return ExactNanos::from_integer(started.to_integer() * self.nanos);
        }
        self.small_cost(quantity)
            .unwrap_or_else(|| ExactNanos::new(quantity.numer() * self.nanos, quantity.denom() * self.per))
    }

    /// The same where all of it fits 128 bits, as it does for what people use: reduced without big integers.
    fn small_cost(&self, quantity: &ExactSteps) -> Option<ExactNanos> {
        let (steps, parts) = (quantity.numer().to_u128()?, quantity.denom().to_u128()?);
        let (nanos, per) = (steps.checked_mul(self.nanos)?, parts.checked_mul(self.per)?);
        let common = nanos.gcd(&per);
        let reduced = |number: u128| number.checked_div(common).map(BigInt::from);
        Some(ExactNanos::new_raw(reduced(nanos)?, reduced(per)?))
    }
}

#[expect(clippy::arithmetic_side_effects, reason = "big integers have no range to leave")]
fn nanos(micros: Micros) -> BigInt {
    BigInt::from(micros.get()) * BigInt::from(NANOS_PER_MICRO)
}

impl Curve {
    /// One rate for all units.
    pub fn linear(micros: Micros, per: PerUnits, round: Option<Rounding>) -> Curve {
        Curve { shape: Shape::Linear(Slope::new(micros, per, round)), most: None }
    }

    /// Each unit at the rate of its own tier.
    pub fn graduated(tiers: &[Tier]) -> Curve {
        Curve { shape: Shape::Graduated(steps(tiers)), most: None }
    }

    /// All units at the rate of the tier that they reach.
    pub fn volume(tiers: &[Tier]) -> Curve {
        Curve { shape: Shape::Volume(steps(tiers)), most: None }
    }

    /// The same, up to the most of a price.
    pub fn at_most(self, price: &MeterPrice) -> Curve {
        let (_, most) = price.bounds();
        Curve { most: most.map(|cents| ExactNanos::from_integer(BigInt::from(cents.nanos().get()))), ..self }
    }

    /// What a quantity costs beside what the same period was charged for a part of it under other terms: `before` of it was used
    /// then, for `charged`; both quantities are without what is free. What came before used up tiers and started packages; where one
    /// tier prices all units it counts for the tier. It costs nothing again, and nothing of it is given back. The most is the period's,
    /// so what was charged counts against it.
    pub fn cost(&self, before: &ExactSteps, reached: &ExactSteps, charged: &ExactNanos) -> ExactNanos {
        self.cost_noted(before, reached, charged, &mut ())
    }

    /// The same, with its parts.
    #[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
    pub fn cost_noted(
        &self,
        before: &ExactSteps,
        reached: &ExactSteps,
        charged: &ExactNanos,
        notes: &mut impl Recorder,
    ) -> ExactNanos {
        let mut rise = self.shape.way(before, reached, notes);
        if rise.is_negative() {
            let way = std::mem::replace(&mut rise, ExactNanos::zero());
            note(notes, PartKind::Kept, || (ExactSteps::zero(), -way));
        }
        let Some(most) = &self.most else { return rise };
        let cost = (&rise).min(&(most - charged).max(ExactNanos::zero())).clone();
        note(notes, PartKind::Most, || (ExactSteps::zero(), &cost - &rise));
        cost
    }
}

/// Notes a part that is about something.
fn note<R: Recorder>(notes: &mut R, kind: PartKind, part: impl FnOnce() -> (ExactSteps, ExactNanos)) {
    if R::RECORDS {
        let (quantity, exact) = part();
        if !quantity.is_zero() || !exact.is_zero() {
            notes.part(Part { kind, quantity, exact });
        }
    }
}

impl Shape {
    #[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
    fn way<R: Recorder>(&self, before: &ExactSteps, reached: &ExactSteps, notes: &mut R) -> ExactNanos {
        match self {
            Shape::Linear(slope) => {
                let cost = slope.cost(reached);
                let way = if before.is_zero() { cost } else { cost - slope.cost(before) };
                note(notes, PartKind::Units, || (reached - before, way.clone()));
                way
            }
            Shape::Graduated(steps) => {
                if R::RECORDS {
                    note_tiers(steps, before, reached, notes);
                }
                graduated(steps, reached) - graduated(steps, before)
            }
            Shape::Volume(steps) => {
                let place = place_of(steps, reached);
                let Some(step) = steps.get(place) else { return ExactNanos::zero() };
                let units = step.slope.cost(reached) - step.slope.cost(before);
                let flat = flat(steps, reached) - flat(steps, before);
                note(notes, PartKind::Tier(place), || (reached - before, units.clone()));
                note(notes, PartKind::Flat(place), || (ExactSteps::zero(), flat.clone()));
                units + flat
            }
        }
    }
}

/// Notes what each tier adds to a way through tiers.
#[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
fn note_tiers(steps: &[Step], before: &ExactSteps, reached: &ExactSteps, notes: &mut impl Recorder) {
    for (place, step) in steps.iter().enumerate() {
        let within = |quantity: &ExactSteps| match &step.end {
            Some(end) => (quantity.min(end) - &step.from).max(ExactSteps::zero()),
            None => (quantity - &step.from).max(ExactSteps::zero()),
        };
        let begun = |quantity: &ExactSteps| if *quantity > step.from { step.flat.clone() } else { ExactNanos::zero() };
        let (from, to) = (within(before), within(reached));
        note(notes, PartKind::Tier(place), || (&to - &from, step.slope.cost(&to) - step.slope.cost(&from)));
        note(notes, PartKind::Flat(place), || (ExactSteps::zero(), begun(reached) - begun(before)));
    }
}

/// The tiers of a price, with what those before each cost.
#[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
fn steps(tiers: &[Tier]) -> Vec<Step> {
    let (mut from, mut below) = (ExactSteps::zero(), ExactNanos::zero());
    let mut steps = Vec::with_capacity(tiers.len());
    for tier in tiers {
        let end = tier.up_to.map(|units| exact_steps(Units::from_whole(units)));
        let slope = Slope::new(tier.micros, tier.per, tier.round);
        let flat = ExactNanos::from_integer(tier.flat_micros.map_or_else(BigInt::zero, nanos));
        let next = end.clone().unwrap_or_else(|| from.clone());
        let through = &below + &flat + slope.cost(&(&next - &from));
        steps.push(Step { from: std::mem::replace(&mut from, next), end, slope, flat, below });
        below = through;
    }
    steps
}

/// The tier that a quantity falls in.
fn step_of<'s>(steps: &'s [Step], quantity: &ExactSteps) -> Option<&'s Step> {
    steps.get(place_of(steps, quantity))
}

/// The place of the tier that a quantity falls in.
fn place_of(steps: &[Step], quantity: &ExactSteps) -> usize {
    steps.partition_point(|step| step.end.as_ref().is_some_and(|end| end < quantity))
}

/// What the tier of a quantity costs by itself: nothing of nothing.
fn flat(steps: &[Step], quantity: &ExactSteps) -> ExactNanos {
    match step_of(steps, quantity) {
        Some(step) if !quantity.is_zero() => step.flat.clone(),
        _ => ExactNanos::zero(),
    }
}

#[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
fn graduated(steps: &[Step], quantity: &ExactSteps) -> ExactNanos {
    match step_of(steps, quantity) {
        Some(step) if *quantity > step.from => &step.below + &step.flat + step.slope.cost(&(quantity - &step.from)),
        _ => ExactNanos::zero(),
    }
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "small numbers of tests")]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    const UNIT: u128 = 1_000_000_000;

    fn curve(price: Json) -> Curve {
        let price: MeterPrice = serde_json::from_value(price).unwrap();
        let curve = match &price {
            MeterPrice::Linear { micros, per, round, .. } => Curve::linear(*micros, *per, *round),
            MeterPrice::Graduated { tiers, .. } => Curve::graduated(tiers),
            MeterPrice::Volume { tiers, .. } => Curve::volume(tiers),
            MeterPrice::Rates { .. } => panic!("one curve for each cell"),
        };
        curve.at_most(&price)
    }

    /// What a way costs in micro-dollars; quantities in thousandths of a unit.
    fn micros(curve: &Curve, before: u128, reached: u128) -> String {
        let steps = |thousandths: u128| exact_steps(Units::from_steps(thousandths * 1_000_000));
        let cost = curve.cost(&steps(before), &steps(reached), &ExactNanos::zero());
        (cost / ExactNanos::from_integer(BigInt::from(NANOS_PER_MICRO))).to_string()
    }

    fn priced(mut price: Json, more: Json) -> Curve {
        let fields = [("meter", json!("m")), ("per", json!(1)), ("includedUnits", json!(0))];
        let is_linear = price["kind"] == "linear";
        for (name, value) in fields.into_iter().filter(|(name, _)| is_linear || *name == "meter") {
            price[name] = value;
        }
        for (name, value) in more.as_object().unwrap() {
            price[name] = value.clone();
        }
        curve(price)
    }

    #[test]
    fn each_started_package_is_charged_once() {
        let packages = priced(json!({ "kind": "linear", "micros": 900 }), json!({ "per": 1_000, "round": "up" }));
        assert_eq!(
            [0, 1, 1_000_000, 1_000_001, 7_301_000].map(|reached| micros(&packages, 0, reached)),
            ["0", "900", "900", "1800", "7200"]
        );
        assert_eq!(micros(&packages, 500_000, 900_000), "0", "a package that was started goes on");
        assert_eq!(micros(&packages, 500_000, 1_000_001), "900");
        assert_eq!(micros(&packages, 1_000_001, 500_000), "0", "what other terms charged is not given back");
    }

    #[test]
    fn a_tier_costs_by_itself_once_it_is_begun() {
        let tiers = json!([{ "upTo": 500, "flatMicros": 35, "micros": 0, "per": 1 }, { "upTo": null, "flatMicros": 70, "micros": 1, "per": 2 }]);
        let volume = priced(json!({ "kind": "volume" }), json!({ "tiers": tiers }));
        assert_eq!(
            [0, 1, 500_000, 502_000].map(|reached| micros(&volume, 0, reached)),
            ["0", "35", "35", "321"],
            "70 and half of 502"
        );
        assert_eq!(micros(&volume, 400_000, 502_000), "86", "what came before costs nothing again: 51 and 70 less 35");
        let graduated = priced(json!({ "kind": "graduated" }), json!({ "tiers": tiers }));
        assert_eq!(
            [0, 1, 500_000, 502_000].map(|reached| micros(&graduated, 0, reached)),
            ["0", "35", "35", "106"],
            "both tiers, and half of 2"
        );
    }

    #[test]
    fn a_most_is_the_periods() {
        let capped = priced(json!({ "kind": "linear", "micros": 10_000 }), json!({ "maxCents": 5 }));
        assert_eq!([(0, 4_000), (0, 9_000)].map(|(from, to)| micros(&capped, from, to)), ["40000", "50000"]);
        let beside = |charged: i64, to: u128| {
            let (before, reached) = (exact_steps(Units::from_whole(9)), exact_steps(Units::from_steps(to * UNIT)));
            let cost = capped.cost(&before, &reached, &ExactNanos::from_integer(BigInt::from(charged) * 1_000_000));
            (cost / ExactNanos::from_integer(BigInt::from(1_000_000))).to_string()
        };
        // Nine units were used before; what they were charged counts against the most, and not what they would cost.
        assert_eq!(
            [(0, 11), (0, 20), (35, 11), (50, 11), (70, 11), (35, 4)].map(|(charged, to)| beside(charged, to)),
            ["20", "50", "15", "0", "0", "0"]
        );
    }

    #[test]
    fn a_sum_by_denominators_is_the_sum() {
        let exact =
            |numerator: i64, denominator: i64| ExactNanos::new(BigInt::from(numerator), BigInt::from(denominator));
        let amounts = [exact(1, 3), exact(7, 1), exact(2, 3), exact(-5, 7), exact(0, 1), exact(9, 1), exact(4, 21)];
        assert_eq!(sum(&amounts), amounts.iter().sum::<ExactNanos>());
        assert_eq!(sum(&[]), ExactNanos::zero());
    }

    #[test]
    fn a_small_cost_is_the_big_one_and_one_past_128_bits_is_big() {
        let slope = |micros: u64, per: u64| Slope::new(micros.try_into().unwrap(), per.try_into().unwrap(), None);
        for (micros, per, steps, parts) in [
            (0, 1, 5, 1),
            (150_000, 1_000_000, 123_456_789, 1),
            (7, 3, 1, 7),
            (9_007_199_254_740_991, 7, 1_u128 << 70, 1),
        ] {
            let quantity = ExactSteps::new(BigInt::from(steps), BigInt::from(parts));
            let slope = slope(micros, per);
            let big = ExactNanos::new(quantity.numer() * slope.nanos, quantity.denom() * slope.per);
            assert_eq!(slope.cost(&quantity), big);
            if let Some(small) = slope.small_cost(&quantity) {
                assert_eq!((small.numer(), small.denom()), (big.numer(), big.denom()), "reduced alike");
            }
        }
        let huge = ExactSteps::from_integer(BigInt::from(u128::MAX));
        assert_eq!(slope(2, 1).small_cost(&huge), None);
        assert_eq!(slope(2, 1).small_cost(&-exact_steps(Units::ONE)), None, "nor is one below nothing");
        assert_eq!(slope(2, 1).cost(&-exact_steps(Units::ONE)), ExactNanos::from_integer(BigInt::from(-2_000)));
    }

    #[test]
    fn a_thousand_tiers_are_one_look_at_the_right_one() {
        let tiers: Vec<Json> = (1..=999).map(|end| json!({ "upTo": end, "micros": 1_000 - end, "per": 1 })).collect();
        let tiers: Vec<Json> = tiers.into_iter().chain([json!({ "upTo": null, "micros": 0, "per": 1 })]).collect();
        let graduated = priced(json!({ "kind": "graduated" }), json!({ "tiers": tiers }));
        assert_eq!(micros(&graduated, 0, 999_000), (999 * 1_000 / 2).to_string());
        assert_eq!(micros(&graduated, 0, 2_500), format!("{}/2", (999 + 998) * 2 + 997));
    }
}
