//! What a period's reports come to, among them levels that last: a report sets one from its moment on, and it holds until the next.
//! What a period comes to is then the sum of each level times how long it held, by the length of the period: a fraction, which is kept
//! as one until money is rounded.
//!
//! Such a level is kept with its *area*: what is to be added to level × time since the period's start, so that what it comes to by any
//! moment is known without going through its reports. The order in which reports come changes nothing: of two for one moment the one that came
//! later counts, and one for an earlier moment changes only the span up to the next known level.

use super::curve::ExactSteps;
use super::fee::PeriodFee;
use super::period::{Anchor, Period, PeriodError};
use super::units::Units;
use crate::manifest::ir::BillingInterval;
use jiff::Timestamp;
use num_bigint::BigInt;
use std::num::NonZeroU64;

/// What a period's reports on one cell come to, up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The quantity; of a level that lasts what holds now.
    pub units: Units,
    /// Units of it that a pool made free.
    pub pooled: Units,
    /// Where the newest report counts, or the level lasts: when the report that set it happened.
    pub as_of: Option<Timestamp>,
    /// Of a level that lasts: what is to be added to it × microseconds since the period's start, in billionths of a unit.
    pub area: i128,
}

/// The time by which a period weights its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighing {
    /// First moment of the period.
    pub start: Timestamp,
    /// How long a level must hold to count whole, in microseconds.
    whole: NonZeroU64,
}

impl Weighing {
    /// From a period's start on, by a length in microseconds: the whole period's, or, of one that is cut to a trial or to nothing, of the
    /// interval that begins with it.
    pub fn new(start: Timestamp, micros: i128) -> Weighing {
        let whole = u64::try_from(micros).ok().and_then(NonZeroU64::new).unwrap_or(NonZeroU64::MIN);
        Weighing { start, whole }
    }

    /// Of a period with its part in a fee. A trial that is a period of its own is as long as it is; its levels count as in a whole interval.
    ///
    /// # Errors
    /// [`PeriodError`] beyond the year 9999.
    pub fn of(period: Period, fee: PeriodFee, interval: BillingInterval) -> Result<Weighing, PeriodError> {
        let whole = match fee.periods {
            0 => Anchor { start: period.start, index: period.index, interval }.period(period.index)?,
            _ => period,
        };
        Ok(Weighing::new(period.start, whole.micros()))
    }

    /// Microseconds since the period's start; 0 before it.
    fn micros_to(self, at: Timestamp) -> i128 {
        if at <= self.start { 0 } else { i128::from(at.as_microsecond().abs_diff(self.start.as_microsecond())) }
    }
}

/// For what has no levels that last.
impl Default for Weighing {
    fn default() -> Self {
        Weighing { start: Timestamp::UNIX_EPOCH, whole: NonZeroU64::MIN }
    }
}

/// A quantity, exact: so many billionths of a unit, divided by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    steps: u128,
    over: NonZeroU64,
}

impl Default for Quantity {
    fn default() -> Self {
        Quantity::from(Units::ZERO)
    }
}

impl From<Units> for Quantity {
    fn from(units: Units) -> Self {
        Quantity { steps: units.steps(), over: NonZeroU64::MIN }
    }
}

impl Quantity {
    /// Whether it is none.
    pub const fn is_zero(self) -> bool {
        self.steps == 0
    }

    /// It as a fraction of billionths of a unit.
    pub fn exact(self) -> ExactSteps {
        if self.over == NonZeroU64::MIN {
            return ExactSteps::from_integer(BigInt::from(self.steps));
        }
        ExactSteps::new(BigInt::from(self.steps), BigInt::from(self.over.get()))
    }

    /// It in whole billionths of a unit, rounded down: for those who show it.
    pub const fn floor(self) -> Units {
        Units::from_steps(self.steps.div_euclid(self.over.get() as u128))
    }
}

/// What is known around a report that is for an earlier moment than the newest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// The level that held at its moment.
    pub before: Units,
    /// When the next one begins.
    pub next: Timestamp,
}

impl Around {
    /// What is around a moment, among the moments and levels of other reports in the order in which they came; nothing where none is for a
    /// later moment.
    pub fn among(at: Timestamp, points: impl IntoIterator<Item = (Timestamp, Units)>) -> Option<Around> {
        let (mut held, mut next) = (None, None::<Timestamp>);
        for (moment, units) in points {
            if moment > at {
                next = Some(next.map_or(moment, |known| known.min(moment)));
            } else if held.is_none_or(|(known, _)| moment >= known) {
                held = Some((moment, units));
            }
        }
        next.map(|next| Around { before: held.map_or(Units::ZERO, |(_, units)| units), next })
    }
}

impl Level {
    /// Whether a report has set it, where the newest report counts or the level lasts.
    pub fn is_set(self) -> bool {
        self.as_of.is_some()
    }

    /// It after a report for `at`; `around` is what is known around one that is late, which changes nothing without. Nothing where a number
    /// leaves 128 bits.
    pub(super) fn set(self, at: Timestamp, units: Units, around: Option<Around>, time: Weighing) -> Option<Level> {
        if self.as_of.is_some_and(|as_of| at < as_of) {
            let Some(Around { before, next }) = around else { return Some(self) };
            let span = time.micros_to(next).checked_sub(time.micros_to(at))?;
            let area = self.area.checked_add(rise(before, units)?.checked_mul(span)?)?;
            return Some(Level { area, ..self });
        }
        let area = self.area.checked_add(rise(units, self.units)?.checked_mul(time.micros_to(at))?)?;
        Some(Level { units, as_of: Some(at), area, ..self })
    }

    /// The level that reports make, in the order in which they came. Nothing where a number leaves 128 bits.
    pub(super) fn over(time: Weighing, points: &[(Timestamp, Units)]) -> Option<Level> {
        let mut sorted = points.to_vec();
        sorted.sort_by_key(|(at, _)| *at);
        sorted.into_iter().try_fold(Level::default(), |level, (at, units)| level.set(at, units, None, time))
    }

    /// What it comes to in the period by a moment.
    pub(super) fn weighed(self, time: Weighing, until: Timestamp) -> Option<Quantity> {
        let held = i128::try_from(self.units.steps()).ok()?.checked_mul(time.micros_to(until))?;
        let steps = u128::try_from(self.area.checked_add(held)?).ok()?;
        Some(Quantity { steps, over: time.whole })
    }
}

/// How much more `to` is than `from`, in billionths of a unit.
fn rise(from: Units, to: Units) -> Option<i128> {
    i128::try_from(to.steps()).ok()?.checked_sub(i128::try_from(from.steps()).ok()?)
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "small numbers of tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_second(day * 86_400).unwrap()
    }

    fn april() -> Weighing {
        Weighing::new(at(0), 30 * 86_400_000_000)
    }

    fn seats(level: Level, day: i64) -> String {
        (level.weighed(april(), at(day)).unwrap().exact() / ExactSteps::from_integer(BigInt::from(1_000_000_000)))
            .to_string()
    }

    #[test]
    fn a_level_counts_for_as_long_as_it_holds() {
        let level = Level::default().set(at(0), Units::from_whole(12), None, april()).unwrap();
        assert_eq!([0, 1, 20].map(|day| seats(level, day)), ["0", "2/5", "8"]);
        let level = level.set(at(20), Units::from_whole(15), None, april()).unwrap();
        assert_eq!([20, 30].map(|day| seats(level, day)), ["8", "13"]);
        assert_eq!(level.weighed(april(), at(30)).unwrap().floor(), Units::from_whole(13));
        // What was known when the period began counts from its start on.
        let carried = Level::default().set(at(-40), Units::from_whole(3), None, april()).unwrap();
        assert_eq!(seats(carried, 10), "1");
    }

    #[test]
    fn a_late_report_changes_the_span_up_to_the_next_known_level() {
        let points = [(at(0), Units::from_whole(12)), (at(20), Units::from_whole(15))];
        let level = Level::over(april(), &points).unwrap();
        let around = Around::among(at(10), points);
        assert_eq!(around, Some(Around { before: Units::from_whole(12), next: at(20) }));
        let late = level.set(at(10), Units::from_whole(3), around, april()).unwrap();
        assert_eq!(seats(late, 30), "10", "12 and 3 and 15, ten days each");
        assert_eq!(late.units, Units::from_whole(15));
        assert_eq!(Around::among(at(20), points), None, "of two for one moment the later one to come counts");
        assert_eq!(level.set(at(10), Units::from_whole(3), None, april()), Some(level));
    }

    #[test]
    fn the_largest_level_over_a_year_fits() {
        let (time, year) = (Weighing::new(at(0), 366 * 86_400_000_000), at(366));
        let most: Units = "1000000000000000".parse().unwrap();
        let points = [(at(0), most), (at(365), Units::ZERO), (year, most)];
        assert!(Level::over(time, &points).unwrap().weighed(time, year).is_some());
    }

    proptest! {
        #[test]
        fn the_order_of_reports_changes_nothing(
            reports in prop::collection::btree_map(-5_i64..30, 0_u64..20, 1..12), seed in any::<u64>(),
        ) {
            let sorted: Vec<(Timestamp, Units)> =
                reports.iter().map(|(day, units)| (at(*day), Units::from_whole(*units))).collect();
            let mut shuffled = sorted.clone();
            shuffled.sort_by_key(|(moment, _)| moment.as_second().unsigned_abs().wrapping_mul(seed | 1));
            let mut level = Level::default();
            for (place, (moment, units)) in shuffled.iter().enumerate() {
                let around = Around::among(*moment, shuffled[..place].iter().copied());
                level = level.set(*moment, *units, around, april()).unwrap();
            }
            prop_assert_eq!(level, Level::over(april(), &sorted).unwrap());
            // By the day: the newest level at each day's beginning, for that day.
            let on = |day: i64| sorted.iter().rev().find(|(moment, _)| *moment <= at(day)).map_or(0, |(_, units)| units.steps());
            let days: u128 = (0..30).map(on).sum();
            let wanted = ExactSteps::new(BigInt::from(days), BigInt::from(30));
            prop_assert_eq!(level.weighed(april(), at(30)).unwrap().exact(), wanted);
        }
    }
}
