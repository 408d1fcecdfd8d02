//! What usage costs: exact rational totals per window, posted in whole nanodollars.
//!
//! Let E be the exact total of a window over all its meters. After every charge the sum of all that was posted is floor(E):
//! each charge posts the floor of its own exact marginal value, and when the fractions left over reach a whole nano, a
//! separate remainder posting brings the sum up. So the customer never pays more than E.

use super::amount::{NANOS_PER_MICRO, Nanos};
use super::units::{STEPS_PER_UNIT, Units};
use crate::manifest::ir::{Aggregation, Key, MeterPrice, Tier};
use jiff::Timestamp;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use std::collections::{BTreeMap, BTreeSet};

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
    /// For [`Aggregation::Unique`]: whether the report's key is new in this period.
    pub is_new_key: bool,
    /// When it happened, as far as that is known: for [`Aggregation::Last`], the newest counts.
    pub at: Timestamp,
}

/// What a period's reports on one meter come to, up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The quantity.
    pub units: Units,
    /// For [`Aggregation::Last`]: when the report that set it happened.
    pub as_of: Option<Timestamp>,
}

/// The level of each meter that was used.
pub type Levels = BTreeMap<Key, Level>;

/// A report that counts, for those who work levels out again; see [`PeriodRating::void`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Place of its window in the period.
    pub window: usize,
    /// How many units.
    pub units: Units,
    /// What a `unique` meter counts once.
    pub unique_key: Option<String>,
    /// When it happened.
    pub at: Timestamp,
}

/// What one charge posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rated {
    /// Floor of the charge's exact marginal value. Negative where a volume price falls.
    pub charge: Nanos,
    /// What the window's fractions now add up to in whole nanos: 0 or 1.
    pub remainder: Nanos,
}

/// What one meter of a window comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct MeterTotal {
    /// Level at the window's start, and now. Their difference is what the window used; negative where a level fell.
    pub from: Units,
    /// See `from`.
    pub to: Units,
    /// Its exact price.
    pub exact: ExactNanos,
}

/// The running rating of one window: one subscription, one billing period, one plan of one release.
///
/// Levels are the period's, not the window's: a window begins where the one before it ended, and pays for the way from there. So
/// a move in the middle of a period gives no included unit twice, and charges no user, peak or level twice.
#[derive(Clone, Debug)]
pub struct Window {
    rates: RateCard,
    before: Levels,
    levels: Levels,
    totals: BTreeMap<Key, ExactNanos>,
    exact: ExactNanos,
}

impl Window {
    /// A window whose meters have reached these levels; none for a new one. `before` is where the windows before it ended.
    ///
    /// # Errors
    /// [`RatingError::UnknownMeter`] when a level's meter has no rate; [`RatingError::Overflow`].
    #[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
    pub fn new(rates: RateCard, before: Levels, levels: Levels) -> Result<Window, RatingError> {
        let mut window =
            Window { rates, before, levels: Levels::new(), totals: BTreeMap::new(), exact: ExactNanos::zero() };
        for (meter, level) in levels {
            let total = window.total(&meter, level)?;
            window.exact += &total;
            window.totals.insert(meter.clone(), total);
            window.levels.insert(meter, level);
        }
        Ok(window)
    }

    /// The level of each meter used in it.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// Where the window after it begins.
    pub fn end(&self) -> Levels {
        let mut end = self.before.clone();
        end.extend(self.levels.iter().map(|(meter, level)| (meter.clone(), *level)));
        end
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

    /// What each meter used in it comes to.
    pub fn meters(&self) -> BTreeMap<&Key, MeterTotal> {
        let one = |(meter, level): (&_, &Level)| {
            let from = self.before.get(meter).copied().unwrap_or_default().units;
            let exact = self.totals.get(meter).cloned().unwrap_or_else(ExactNanos::zero);
            MeterTotal { from, to: level.units, exact }
        };
        self.levels.iter().map(|(meter, level)| (meter, one((meter, level)))).collect()
    }

    fn rate(&self, meter: &Key) -> Result<&MeterRate, RatingError> {
        self.rates.get(meter).ok_or_else(|| RatingError::UnknownMeter(meter.to_string()))
    }

    /// What it costs that a meter has reached a level in this window.
    fn total(&self, meter: &Key, level: Level) -> Result<ExactNanos, RatingError> {
        let before = self.before.get(meter).copied().unwrap_or_default();
        let price = self.rate(meter)?.price.as_ref();
        Ok(price.map_or_else(ExactNanos::zero, |price| total(price, before.units, level.units)))
    }

    /// Admits one report and returns what it posts. On an error the window is unchanged.
    ///
    /// # Errors
    /// [`RatingError`] for a meter the release doesn't have, or numbers out of range.
    pub fn admit(&mut self, meter: &Key, report: Report) -> Result<Rated, RatingError> {
        let aggregation = self.rate(meter)?.aggregation;
        let level = self.levels.get(meter).or_else(|| self.before.get(meter)).copied().unwrap_or_default();
        let level = aggregate(aggregation, level, report).ok_or(RatingError::Overflow)?;
        let (marginal, posted) = self.set(meter, level)?;
        let charge = floor(&marginal)?;
        Ok(Rated { charge, remainder: posted.minus(charge).map_err(|_| RatingError::Overflow)? })
    }

    /// Puts a meter at a level. Returns what that adds exactly, and to what is posted. On an error the window is unchanged.
    #[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
    fn set(&mut self, meter: &Key, level: Level) -> Result<(ExactNanos, Nanos), RatingError> {
        let total = self.total(meter, level)?;
        let marginal = match self.totals.get(meter) {
            Some(before) => &total - before,
            None => total.clone(),
        };
        let exact = &self.exact + &marginal;
        let posted = floor(&exact)?.minus(floor(&self.exact)?).map_err(|_| RatingError::Overflow)?;
        self.exact = exact;
        self.totals.insert(meter.clone(), total);
        self.levels.insert(meter.clone(), level);
        Ok((marginal, posted))
    }
}

/// The windows of one period, oldest first.
#[derive(Clone, Debug, Default)]
pub struct PeriodRating {
    windows: Vec<Window>,
}

impl PeriodRating {
    /// A period of these windows, each as its rates and the levels it has reached.
    ///
    /// # Errors
    /// [`RatingError`] as of [`Window::new`].
    pub fn new(windows: impl IntoIterator<Item = (RateCard, Levels)>) -> Result<PeriodRating, RatingError> {
        let mut period = PeriodRating::default();
        for (rates, levels) in windows {
            period.open(rates, levels)?;
        }
        Ok(period)
    }

    /// Adds a window that begins where the last one ends.
    ///
    /// # Errors
    /// [`RatingError`] as of [`Window::new`].
    pub fn open(&mut self, rates: RateCard, levels: Levels) -> Result<(), RatingError> {
        let before = self.windows.last().map(Window::end).unwrap_or_default();
        self.windows.push(Window::new(rates, before, levels)?);
        Ok(())
    }

    /// Its windows, oldest first.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Admits a report in a window that no later one has charges in yet: later ones begin where it ends.
    ///
    /// # Errors
    /// [`RatingError`] as of [`Window::admit`], or for a window that is not there.
    pub fn admit(&mut self, window: usize, meter: &Key, report: Report) -> Result<Rated, RatingError> {
        let mut windows = self.windows.iter_mut().skip(window);
        let own = windows.next().ok_or_else(|| RatingError::UnknownMeter(meter.to_string()))?;
        let rated = own.admit(meter, report)?;
        if let Some(level) = own.levels.get(meter) {
            windows.for_each(|later| later.before.extend([(meter.clone(), *level)]));
        }
        Ok(rated)
    }

    /// Whether sums tell what a meter comes to without one of its reports. Otherwise [`PeriodRating::void`] needs all that count.
    pub fn is_additive(&self, meter: &Key) -> bool {
        let adds = |window: &Window| {
            matches!(window.aggregation(meter.as_str()), None | Some(Aggregation::Sum | Aggregation::Count))
        };
        self.windows.iter().all(adds)
    }

    /// Takes a report out again, and returns by how much that changes what is posted over all windows. Windows after its own
    /// stood on it, so they are rated again too. `others` are the meter's reports that still count, in the order in which they were
    /// admitted; they are looked at only where [`PeriodRating::is_additive`] is false.
    ///
    /// # Errors
    /// [`RatingError`]; then the period is unchanged.
    pub fn void(&mut self, meter: &Key, voided: &Counted, others: &[Counted]) -> Result<Nanos, RatingError> {
        let levels =
            if self.is_additive(meter) { self.levels_without(meter, voided)? } else { self.levels_of(meter, others)? };
        let mut next = PeriodRating::default();
        for (window, level) in self.windows.iter().zip(levels) {
            let mut reached = window.levels.clone();
            if let Some(level) = level {
                reached.insert(meter.clone(), level);
            }
            next.open(window.rates.clone(), reached)?;
        }
        let change = next.posted()?.minus(self.posted()?).map_err(|_| RatingError::Overflow)?;
        *self = next;
        Ok(change)
    }

    /// Sum of what its windows have posted.
    fn posted(&self) -> Result<Nanos, RatingError> {
        let add = |sum: Nanos, window: &Window| sum.plus(window.rated()?).map_err(|_| RatingError::Overflow);
        self.windows.iter().try_fold(Nanos::ZERO, add)
    }

    /// A summed meter's level in each window, less what one report added.
    fn levels_without(&self, meter: &Key, voided: &Counted) -> Result<Vec<Option<Level>>, RatingError> {
        let lower = |(index, window): (usize, &Window)| {
            let Some(level) = window.levels.get(meter) else { return Ok(None) };
            if index < voided.window {
                return Ok(Some(*level));
            }
            let units = level.units.checked_sub(voided.units).ok_or(RatingError::Overflow)?;
            Ok(Some(Level { units, as_of: None }))
        };
        self.windows.iter().enumerate().map(lower).collect()
    }

    /// A meter's level in each window, from all reports that count.
    fn levels_of(&self, meter: &Key, counted: &[Counted]) -> Result<Vec<Option<Level>>, RatingError> {
        let mut level = Level::default();
        let mut keys = BTreeSet::new();
        let mut levels = Vec::with_capacity(self.windows.len());
        for (index, window) in self.windows.iter().enumerate() {
            if !window.levels.contains_key(meter) {
                levels.push(None);
                continue;
            }
            let aggregation = window.rate(meter)?.aggregation;
            for counted in counted.iter().filter(|counted| counted.window == index) {
                let is_new_key = counted.unique_key.as_ref().is_some_and(|key| keys.insert(key));
                let report = Report { units: counted.units, is_new_key, at: counted.at };
                level = aggregate(aggregation, level, report).ok_or(RatingError::Overflow)?;
            }
            levels.push(Some(level));
        }
        Ok(levels)
    }
}

fn aggregate(aggregation: Aggregation, level: Level, report: Report) -> Option<Level> {
    let units = match aggregation {
        // A report on a meter that counts is of one unit, or of as many as it stands for.
        Aggregation::Sum | Aggregation::Count => level.units.checked_add(report.units)?,
        Aggregation::Max => level.units.max(report.units),
        // What happened before the report that set the level, and comes late, changes nothing.
        Aggregation::Last if level.as_of.is_some_and(|as_of| report.at < as_of) => return Some(level),
        Aggregation::Last => return Some(Level { units: report.units, as_of: Some(report.at) }),
        Aggregation::Unique if report.is_new_key => level.units.checked_add(Units::ONE)?,
        Aggregation::Unique => level.units,
    };
    Some(Level { units, as_of: None })
}

/// The exact price, in nanodollars, of the way of a period's quantity from one level to another. Included units and graduated
/// tiers are used up by what came before; a volume tier is that of the level reached, and what came before costs nothing again.
#[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
pub fn total(price: &MeterPrice, before: Units, reached: Units) -> ExactNanos {
    let (before, reached) = (before.steps(), reached.steps());
    match price {
        MeterPrice::Linear { micros, per, included_units, .. } => {
            let past = |steps: u128| BigInt::from(steps.saturating_sub(included_units.steps()));
            exact(past(reached) - past(before), micros.get(), per.get())
        }
        MeterPrice::Graduated { tiers, .. } => graduated(tiers, reached) - graduated(tiers, before),
        MeterPrice::Volume { tiers, .. } => {
            let tier = tiers.iter().find(|tier| tier_end(tier).is_none_or(|end| reached <= end));
            let used = BigInt::from(reached) - BigInt::from(before);
            tier.map_or_else(ExactNanos::zero, |tier| exact(used, tier.micros.get(), tier.per.get()))
        }
    }
}

#[expect(clippy::arithmetic_side_effects, reason = "big integers and rationals have no range to leave")]
fn graduated(tiers: &[Tier], quantity: u128) -> ExactNanos {
    let mut sum = ExactNanos::zero();
    let mut from = 0_u128;
    for tier in tiers {
        let to = tier_end(tier).map_or(quantity, |end| end.min(quantity));
        sum += exact(BigInt::from(to.saturating_sub(from)), tier.micros.get(), tier.per.get());
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
fn exact(steps: BigInt, micros: u64, per: u64) -> ExactNanos {
    let numerator = steps * BigInt::from(micros) * BigInt::from(NANOS_PER_MICRO);
    let denominator = BigInt::from(STEPS_PER_UNIT) * BigInt::from(per);
    ExactNanos::new(numerator, denominator)
}

/// An exact amount, rounded down to a nano.
///
/// # Errors
/// [`RatingError::Overflow`] outside 128 bits.
pub fn floor(exact: &ExactNanos) -> Result<Nanos, RatingError> {
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
        total(price, Units::from(before), Units::from(before.checked_add(quantity).unwrap()))
    }

    fn window(price: MeterPrice, aggregation: Aggregation) -> Window {
        let rates = RateCard::from([(key("m"), MeterRate { aggregation, price: Some(price) })]);
        Window::new(rates, BTreeMap::new(), BTreeMap::new()).unwrap()
    }

    fn report(units: &str) -> Report {
        Report { units: units.parse().unwrap(), is_new_key: true, at: Timestamp::UNIX_EPOCH }
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
            [(Aggregation::Sum, "9"), (Aggregation::Count, "9"), (Aggregation::Max, "5"), (Aggregation::Last, "1")]
        {
            let mut window = window(linear(1, 1, 0), aggregation);
            for units in ["3", "5", "1"] {
                post(&mut window, units);
            }
            assert_eq!(window.levels().values().next().unwrap().units.to_string(), wanted, "{aggregation:?}");
        }
    }

    #[test]
    fn distinct_values_count_once() {
        let mut window = window(linear(1, 1, 0), Aggregation::Unique);
        assert_eq!((window.aggregation("m"), window.aggregation("x")), (Some(Aggregation::Unique), None));
        for (is_new_key, wanted) in [(true, 1_000), (false, 1_000), (true, 2_000)] {
            window.admit(&key("m"), Report { is_new_key, ..report("9") }).unwrap();
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

    fn period(aggregation: Aggregation, prices: &[MeterPrice]) -> PeriodRating {
        let rates =
            |price: &MeterPrice| RateCard::from([(key("m"), MeterRate { aggregation, price: Some(price.clone()) })]);
        PeriodRating::new(prices.iter().map(|price| (rates(price), Levels::new()))).unwrap()
    }

    fn report_in(period: &mut PeriodRating, window: usize, report: Report) {
        period.admit(window, &key("m"), report).unwrap();
    }

    fn posted(period: &PeriodRating) -> Vec<i128> {
        period.windows().iter().map(|window| window.rated().unwrap().get()).collect()
    }

    #[test]
    fn a_move_charges_no_user_peak_or_level_twice() {
        for (aggregation, then, wanted) in [
            (Aggregation::Max, "100", [1_000, 0]),
            (Aggregation::Max, "130", [1_000, 300]),
            (Aggregation::Max, "60", [1_000, 0]),
            (Aggregation::Last, "100", [1_000, 0]),
            (Aggregation::Last, "60", [1_000, -400]),
            (Aggregation::Last, "130", [1_000, 300]),
        ] {
            let price = linear(10, 1_000, 0);
            let mut period = period(aggregation, &[price.clone(), price]);
            report_in(&mut period, 0, report("100"));
            report_in(&mut period, 1, report(then));
            assert_eq!(posted(&period), wanted, "{aggregation:?} {then}");
        }
        let included = linear(10, 1, 100);
        let mut level = period(Aggregation::Last, &[included.clone(), included]);
        report_in(&mut level, 0, report("100"));
        report_in(&mut level, 1, report("100"));
        assert_eq!(posted(&level), [0, 0], "what is included is included once, and enough");
    }

    #[test]
    fn a_level_is_that_of_the_newest_report_in_whatever_order_they_come() {
        let moment = |day: i64| Timestamp::from_second(day.checked_mul(86_400).unwrap()).unwrap();
        let reports = [(1, "5"), (2, "9"), (3, "7")];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            let mut window = window(linear(1, 1, 0), Aggregation::Last);
            for index in order {
                let (day, units) = reports[index];
                window.admit(&key("m"), Report { at: moment(day), ..report(units) }).unwrap();
            }
            assert_eq!(window.levels()["m"].units.to_string(), "7", "{order:?}");
        }
    }

    #[test]
    fn what_is_void_was_never_used() {
        let tiers = tiered(&[(Some(100), 30), (None, 20)]);
        let volume = MeterPrice::Volume { meter: key("m"), tiers };
        let sum = |window, units: &str| Counted { window, ..counted(units, None) };
        let mut summed = period(Aggregation::Sum, &[volume.clone(), linear(7, 1, 150)]);
        report_in(&mut summed, 0, report("60"));
        report_in(&mut summed, 0, report("60"));
        report_in(&mut summed, 1, report("50"));
        assert_eq!(posted(&summed), [2_400_000, 140_000]);
        let change = summed.void(&key("m"), &sum(0, "60"), &[]).unwrap();
        assert_eq!(posted(&summed), [1_800_000, 0], "the second window stands on less, and has more included");
        assert_eq!(change.get(), 1_800_000 - 2_540_000);
        for (aggregation, left, wanted) in [
            (Aggregation::Max, vec![counted("3", None), counted("5", None)], 5_000),
            (Aggregation::Last, vec![counted("5", None), counted("3", None)], 3_000),
            (Aggregation::Unique, vec![counted("1", Some("a")), counted("1", Some("b"))], 2_000),
            (Aggregation::Max, Vec::new(), 0),
        ] {
            let mut period = period(aggregation, &[linear(1, 1, 0)]);
            report_in(&mut period, 0, report("9"));
            period.void(&key("m"), &counted("9", Some("a")), &left).unwrap();
            assert_eq!(posted(&period), [wanted], "{aggregation:?}");
        }
        let before = posted(&summed);
        let broken = summed.void(&key("m"), &sum(0, "999"), &[]);
        assert_eq!((broken, posted(&summed)), (Err(RatingError::Overflow), before), "more than was used");
    }

    fn counted(units: &str, unique_key: Option<&str>) -> Counted {
        let unique_key = unique_key.map(str::to_owned);
        Counted { window: 0, units: units.parse().unwrap(), unique_key, at: Timestamp::UNIX_EPOCH }
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
                resumed = Window::new(resumed.rates.clone(), BTreeMap::new(), resumed.levels.clone()).unwrap();
                prop_assert_eq!(first, post(&mut resumed, &text));
            }
        }
    }
}
