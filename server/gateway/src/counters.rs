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
        let lowest = self.lows.get(first).map_or_else(|| level.used(), |low| low.used);
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
    fn however_many_are_under_way_no_more_is_taken_back_than_was_always_there() {
        // Against a counter for each of them that never knew it.
        let limit = limit();
        let mut counter = Counter::begun(0);
        let mut costs = Vec::new();
        for step in 0..200_u64 {
            let cost = whole(step * 7 % 23);
            costs.push((step * 130_000, cost, counter.raise(&limit, cost, step * 130_000)));
        }
        let now = 200 * 130_000;
        for (index, (_, cost, mark)) in costs.iter().enumerate() {
            let mut without = Level::default();
            for (at, other, _) in costs.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, cost)| cost) {
                without = without.drained(&limit, *at).with(&limit, *other);
            }
            let mut with = counter.clone();
            with.take_back(&limit, *cost, *mark, now);
            let (with, without) = (with.at(&limit, now).used(), without.drained(&limit, now).used());
            assert!(with >= without, "{index}: {with} {without}");
        }
        assert!(counter.lows.len() <= LOWS_MAX);
    }
}
