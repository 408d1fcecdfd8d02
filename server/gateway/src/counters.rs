//! A rate limit's level in memory, which remembers how low it was: so that what was expected and did not come is taken back exactly.

use svc_core::rates::{Left, Level, Limit};
use svc_engine::money::units::Units;

/// Most lows that a counter remembers. Past it two become one, by which less is taken back rather than more.
const LOWS_MAX: usize = 32;

/// How far a limit is used up.
#[derive(Clone, Debug)]
pub(crate) struct Counter {
    level: Level,
    /// How often it was raised, counted from the moment at which it began: so that no mark of one before it is later than its own.
    raised: u64,
    /// What the level was when it was raised, from the oldest and lowest to the newest and highest: one that was followed by a lower one says
    /// nothing any more.
    lows: Vec<Low>,
}

/// What a level was before it was raised for the `before`th time.
#[derive(Clone, Copy, Debug)]
struct Low {
    before: u64,
    used: u128,
}

/// When a counter was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u64);

impl Counter {
    /// One that is unused, from this moment on, in microseconds.
    pub(crate) fn begun(now: u64) -> Counter {
        Counter { level: Level::default(), raised: now, lows: Vec::new() }
    }

    /// The level at this moment, in microseconds.
    pub(crate) fn at(&self, limit: &Limit, now: u64) -> Level {
        self.level.drained(limit, now)
    }

    /// Raises it by so much.
    pub(crate) fn raise(&mut self, limit: &Limit, cost: Units, now: u64) -> Mark {
        let level = self.at(limit, now).with(limit, cost);
        self.become_at(limit, level, now)
    }

    /// Takes back what a raise was too much; how much of it was still there.
    pub(crate) fn take_back(&mut self, limit: &Limit, cost: Units, since: Mark, now: u64) -> Units {
        let level = self.at(limit, now);
        let first = self.lows.partition_point(|low| low.before <= since.0);
        let mut later = self.lows.split_off(first);
        let lowest = later.first().map_or_else(|| level.used(), |low| low.used);
        let less = limit.height(cost).min(lowest);
        // As though it had never been used: whatever was found since was lower, too.
        later.iter_mut().for_each(|low| low.used = low.used.saturating_sub(less));
        if let Some(low) = later.first() {
            let kept = self.lows.partition_point(|earlier| earlier.used < low.used);
            self.lows.truncate(kept);
        }
        self.lows.append(&mut later);
        let (level, taken) = level.without(limit, cost, lowest);
        self.level = level;
        taken
    }

    /// It is known now to be higher: others used it too.
    pub(crate) fn become_at(&mut self, limit: &Limit, level: Level, now: u64) -> Mark {
        let used = self.at(limit, now).used();
        self.raised = self.raised.saturating_add(1);
        let kept = self.lows.partition_point(|low| low.used < used);
        self.lows.truncate(kept);
        if self.lows.len() >= LOWS_MAX {
            // The newest two become one: as low as the lower, as late as the later.
            if let Some(low) = self.lows.last_mut() {
                low.before = self.raised;
            }
        } else {
            self.lows.push(Low { before: self.raised, used });
        }
        self.level = level;
        Mark(self.raised)
    }

    /// What the limit has left.
    pub(crate) fn left(&self, limit: &Limit, now: u64) -> Left {
        self.at(limit, now).left(limit)
    }

    /// Whether nothing of it is used any more.
    pub(crate) fn is_empty(&self, limit: &Limit, now: u64) -> bool {
        self.at(limit, now).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit() -> Limit {
        let limit: svc_engine::manifest::ir::RateLimit = serde_json::from_value(serde_json::json!({
            "dimension": "tokens", "rate": 10, "interval": "second", "enforcement": "enforce",
        }))
        .unwrap();
        Limit::from(&limit)
    }

    fn whole(units: u64) -> Units {
        Units::from_whole(units)
    }

    #[test]
    fn what_did_not_come_is_taken_back_and_never_more_than_is_there() {
        let limit = limit();
        let mut counter = Counter::begun(0);
        let mark = counter.raise(&limit, whole(10), 0);
        assert_eq!(counter.take_back(&limit, whole(6), mark, 0), whole(6));
        assert_eq!(counter.left(&limit, 0).units, 6);

        let mut late = Counter::begun(0);
        let mark = late.raise(&limit, whole(10), 0);
        assert_eq!(late.take_back(&limit, whole(10), mark, 900_000), whole(1), "time gave back the rest");
        let mark = late.raise(&limit, whole(10), 2_000_000);
        late.raise(&limit, whole(10), 2_900_000);
        assert_eq!(late.take_back(&limit, whole(10), mark, 2_900_000), whole(1), "which others have used since");
        assert_eq!(late.left(&limit, 2_900_000).units, 0);
    }

    #[test]
    fn whatever_is_taken_back_in_whatever_order_the_level_is_as_though_it_had_never_been_used() {
        let limit = limit();
        let mut seed = 11_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut exact = 0;
        for round in 0..3_000_u64 {
            let (mut counter, mut now) = (Counter::begun(0), 0);
            // When, how much, how much of it was taken back, and the mark.
            let mut used: Vec<(u64, u64, u64, Mark)> = Vec::new();
            for _ in 0..(if round % 10 == 0 { 120 } else { 12 }) {
                now += next(1_500_000);
                let open = used.iter().position(|(_, units, back, _)| *back == 0 && *units > 0);
                if let (Some(place), true) = (open.filter(|_| next(3) == 0), !used.is_empty()) {
                    let (_, units, back, mark) = &mut used[place];
                    *back = 1 + next(*units);
                    counter.take_back(&limit, whole(*back), *mark, now);
                } else {
                    let units = next(23);
                    used.push((now, units, 0, counter.raise(&limit, whole(units), now)));
                }
            }
            let without = used.iter().fold(Level::default(), |level, (at, units, back, _)| {
                level.drained(&limit, *at).with(&limit, whole(units - back))
            });
            let (with, without) = (counter.at(&limit, now).used(), without.drained(&limit, now).used());
            assert!(with >= without, "{round}: never more is taken back than was there: {with} {without}");
            exact += u32::from(with == without);
        }
        assert!(exact >= 2_700, "but for very many under way at once it is exact: {exact}");
    }

    #[test]
    fn however_many_are_under_way_lows_are_bounded() {
        let limit = limit();
        let mut counter = Counter::begun(0);
        for step in 0..1_000_u64 {
            counter.raise(&limit, whole(step), step);
        }
        assert_eq!(counter.lows.len(), LOWS_MAX);
    }
}
