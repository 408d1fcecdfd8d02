//! Rate limits, exactly: for each limit a level that usage raises and time lowers evenly (the cell-rate algorithm, GCRA). A subject may use a
//! limit at once, and gets it back evenly; no window has an edge at which twice as much goes through. All is integers: units in billionths,
//! time in microseconds, and the level in their product, so that nothing is rounded in anyone's favour.

use svc_engine::manifest::ir::{Enforcement, Key, RateInterval, RateLimit};
use svc_engine::money::units::{STEPS_PER_UNIT, Units};

/// Microseconds in a second.
const MICROS_PER_SECOND: u64 = 1_000_000;
/// Seconds in a day.
const DAY_SECONDS: u64 = 86_400;
/// Days in a limit's month: every month has them.
const MONTH_DAYS: u64 = 30;

/// A limit of a plan. A level means something only beside the limit that it is of: two plans whose limits differ count apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Limit {
    /// `requests`, or a meter's key.
    pub dimension: Key,
    /// Billionths of a unit per interval; at most 10^24.
    rate: u128,
    /// The interval, in microseconds; at most a month's.
    interval: u128,
    /// What it does.
    pub enforcement: Enforcement,
}

/// How far one limit is used up, in billionths of a unit times microseconds; and when that was so, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    level: u128,
    at: u64,
}

/// What a limit has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Whole units.
    pub units: u64,
    /// Seconds until all of it is there again, rounded up.
    pub reset_seconds: u64,
}

/// Seconds of an interval.
pub fn interval_seconds(interval: RateInterval) -> u64 {
    match interval {
        RateInterval::Second => 1,
        RateInterval::Minute => 60,
        RateInterval::Hour => 3_600,
        RateInterval::Day => DAY_SECONDS,
        RateInterval::Week => 7 * DAY_SECONDS,
        RateInterval::Month => MONTH_DAYS * DAY_SECONDS,
    }
}

impl From<&RateLimit> for Limit {
    fn from(limit: &RateLimit) -> Limit {
        Limit {
            dimension: limit.dimension.clone(),
            rate: limit.rate.steps(),
            interval: u128::from(interval_seconds(limit.interval).saturating_mul(MICROS_PER_SECOND)),
            enforcement: limit.enforcement,
        }
    }
}

impl Limit {
    /// What its level is kept under: dimension, rate and interval.
    pub fn name(&self) -> String {
        format!("{} {}/{}", self.dimension, Units::from_steps(self.rate), self.window_seconds())
    }

    /// Units per interval, whole ones.
    pub fn quota(&self) -> u64 {
        whole(self.rate)
    }

    /// Billionths of a unit per interval.
    pub fn rate_steps(&self) -> u128 {
        self.rate
    }

    /// The interval, in seconds.
    pub fn window_seconds(&self) -> u64 {
        seconds(self.interval)
    }

    /// What so much raises the level by.
    pub fn height(&self, cost: Units) -> u128 {
        cost.steps().saturating_mul(self.interval)
    }

    /// What the level is when the limit is used up: below 2^112.
    fn capacity(&self) -> u128 {
        self.rate.saturating_mul(self.interval)
    }
}

impl Level {
    /// As a store keeps it.
    pub fn parts(self) -> (u128, u64) {
        (self.level, self.at)
    }

    /// As a store kept it.
    pub fn of_parts(level: u128, at: u64) -> Level {
        Level { level, at }
    }

    /// The level at `now`. Time never runs backwards for it.
    pub fn drained(self, limit: &Limit, now: u64) -> Level {
        let elapsed = u128::from(now.saturating_sub(self.at));
        Level { level: self.level.saturating_sub(elapsed.saturating_mul(limit.rate)), at: now.max(self.at) }
    }

    /// Whether a drained level has room for so much; one that costs nothing yet needs only that the limit is not passed. Else the
    /// microseconds until it may be asked again.
    ///
    /// # Errors
    /// The wait.
    pub fn has_room(self, limit: &Limit, cost: Units) -> Result<(), u64> {
        let wanted = limit.height(cost).max(u128::from(cost == Units::ZERO));
        let over = self.level.saturating_add(wanted).saturating_sub(limit.capacity());
        if over == 0 {
            return Ok(());
        }
        // What is more than the whole limit never fits; asking again after an interval shows the same.
        let never = limit.rate == 0 || wanted > limit.capacity();
        let wait = if never { limit.interval } else { over.div_ceil(limit.rate) };
        Err(u64::try_from(wait).unwrap_or(u64::MAX))
    }

    /// The level with so much more used, past the limit too.
    #[must_use]
    pub fn with(self, limit: &Limit, cost: Units) -> Level {
        Level { level: self.level.saturating_add(limit.height(cost)), ..self }
    }

    /// A drained level as though so much had never been used, where it was at `lowest` since (before what came after was used); and how much
    /// less that is. Without it the level would be lower by all of it until it were empty, and from then on by what there is: so no more can be
    /// taken back than was always there, and a limit does not get twice what time has given back already.
    #[must_use]
    pub fn without(self, limit: &Limit, cost: Units, lowest: u128) -> (Level, Units) {
        let less = limit.height(cost).min(lowest).min(self.level);
        let units = less.checked_div(limit.interval).unwrap_or_default();
        (Level { level: self.level.saturating_sub(less), ..self }, Units::from_steps(units))
    }

    /// How far it is used up, in billionths of a unit times microseconds.
    pub fn used(self) -> u128 {
        self.level
    }

    /// What fits into a drained level.
    pub fn room(self, limit: &Limit) -> Units {
        let left = limit.capacity().saturating_sub(self.level).checked_div(limit.interval).unwrap_or_default();
        Units::from_steps(left)
    }

    /// What is left at a drained level.
    pub fn left(self, limit: &Limit) -> Left {
        let left = limit.capacity().saturating_sub(self.level).checked_div(limit.interval).unwrap_or_default();
        let reset = if limit.rate == 0 { limit.interval } else { self.level.div_ceil(limit.rate.max(1)) };
        Left { units: whole(left), reset_seconds: seconds(reset) }
    }

    /// Whether nothing is used.
    pub fn is_empty(self) -> bool {
        self.level == 0
    }
}

/// Whole units of billionths, rounded down.
fn whole(steps: u128) -> u64 {
    u64::try_from(steps.checked_div(STEPS_PER_UNIT).unwrap_or_default()).unwrap_or(u64::MAX)
}

/// Seconds of microseconds, rounded up.
pub fn seconds(micros: u128) -> u64 {
    u64::try_from(micros.div_ceil(u128::from(MICROS_PER_SECOND))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(rate: &str, interval: &str) -> Limit {
        let limit: RateLimit = serde_json::from_value(serde_json::json!({
            "dimension": "requests", "rate": rate, "interval": interval, "enforcement": "enforce",
        }))
        .unwrap();
        Limit::from(&limit)
    }

    /// How many requests go through at these moments.
    fn admitted(limit: &Limit, moments: impl IntoIterator<Item = u64>) -> usize {
        let mut level = Level::default();
        let one = |now: &u64| {
            level = level.drained(limit, *now);
            let fits = level.has_room(limit, Units::ONE).is_ok();
            if fits {
                level = level.with(limit, Units::ONE);
            }
            fits
        };
        moments.into_iter().filter(one).count()
    }

    #[test]
    fn a_limit_is_there_at_once_and_comes_back_evenly() {
        for rate in [1_u64, 3, 7, 60, 100, 999] {
            let limit = limit(&rate.to_string(), "minute");
            let all = usize::try_from(rate).unwrap();
            assert_eq!(admitted(&limit, std::iter::repeat_n(5, all + 50)), all, "{rate} at once, and not one more");
            // In ten minutes of asking all the time: what there was, and what came back.
            let asked = (0..=600_000).map(|ms| ms * 1_000);
            assert_eq!(admitted(&limit, asked), all + 10 * all, "{rate}");
        }
    }

    #[test]
    fn what_is_denied_fits_after_the_wait_and_not_before() {
        let limit = limit("7", "second");
        let full = (0..7).fold(Level::default(), |level, _| level.with(&limit, Units::ONE));
        let wait = full.has_room(&limit, Units::ONE).unwrap_err();
        assert_eq!(wait, 142_858);
        assert!(full.drained(&limit, wait - 1).has_room(&limit, Units::ONE).is_err());
        assert!(full.drained(&limit, wait).has_room(&limit, Units::ONE).is_ok());
        assert_eq!(full.left(&limit), Left { units: 0, reset_seconds: 1 });
        assert_eq!(Level::default().left(&limit), Left { units: 7, reset_seconds: 0 });
    }

    #[test]
    fn the_largest_limit_and_none_are_exact() {
        let large = limit("1000000000000000", "month");
        let all = Units::from_whole(1_000_000_000_000_000);
        let used = Level::default().with(&large, all);
        assert!(Level::default().has_room(&large, all).is_ok());
        assert!(used.has_room(&large, Units::from_steps(1)).is_err());
        assert!(used.drained(&large, 1).has_room(&large, Units::from_steps(1)).is_ok());
        let none = limit("0", "hour");
        assert_eq!(Level::default().has_room(&none, Units::ONE), Err(3_600_000_000));
        let half = limit("0.5", "second");
        assert!(Level::default().has_room(&half, Units::ONE).is_err(), "more than the whole limit never fits");
    }

    #[test]
    fn what_was_used_past_a_limit_is_waited_for() {
        let limit = limit("10", "second");
        let over = Level::default().with(&limit, Units::from_whole(25));
        assert_eq!(over.has_room(&limit, Units::ZERO), Err(1_500_001));
        assert!(over.drained(&limit, 1_500_001).has_room(&limit, Units::ZERO).is_ok());
        assert!(over.without(&limit, Units::from_whole(25), over.used()).0.is_empty());
    }

    #[test]
    fn what_was_used_for_nothing_is_taken_back_as_though_it_had_never_been() {
        // Levels with and without what is taken back, side by side: what is taken back makes the one the other, whatever came between.
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..2_000 {
            let limit = limit(&(1 + next(20)).to_string(), "second");
            let start = Level::default().with(&limit, Units::from_whole(next(30)));
            let cost = Units::from_whole(next(25));
            let (mut level, mut without) = (start.with(&limit, cost), start);
            let (mut lowest, mut now) = (u128::MAX, 0);
            for _ in 0..next(8) {
                now += next(900_000);
                (level, without) = (level.drained(&limit, now), without.drained(&limit, now));
                lowest = lowest.min(level.used());
                let used = Units::from_whole(next(12));
                (level, without) = (level.with(&limit, used), without.with(&limit, used));
            }
            now += next(900_000);
            (level, without) = (level.drained(&limit, now), without.drained(&limit, now));
            assert_eq!(level.without(&limit, cost, lowest).0, without);
        }
    }

    #[test]
    fn limits_that_differ_have_names_that_differ() {
        let names: std::collections::BTreeSet<String> =
            [("1", "second"), ("1", "minute"), ("1.5", "minute"), ("60", "minute"), ("1", "month")]
                .map(|(rate, interval)| limit(rate, interval).name())
                .into();
        assert_eq!(names.len(), 5, "{names:?}");
        assert_eq!(limit("1.5", "minute").name(), "requests 1.5/60");
    }

    #[test]
    fn a_clock_that_is_set_back_gives_nothing_back() {
        let limit = limit("1", "second");
        let used = Level::default().drained(&limit, 5_000_000).with(&limit, Units::ONE);
        assert!(used.drained(&limit, 1_000_000).has_room(&limit, Units::ONE).is_err());
    }
}
