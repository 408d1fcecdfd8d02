//! Rate limits that several gateways share. What a gateway lets through it has leased before, and a lease raises the limit's level in the
//! store at once: so all of them together never let through more than the limit, however many there are and whichever dies. What a lease
//! leaves unused is given back with the next, or comes back as time passes, as all that was used does. So that it does not come back twice,
//! the store keeps for each gateway how low the level was since its lease.

use crate::core::Core;
use crate::error::CoreError;
use crate::rates::{Level, Limit};
use jiff::Timestamp;
use std::collections::BTreeMap;
use svc_engine::money::units::Units;
use svc_store::records::Id;
use svc_store::{Mode, Store};

/// What a gateway asks of one limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseAsk {
    /// The limit.
    pub limit: Limit,
    /// What it needs at least.
    pub needs: Units,
    /// What it would have.
    pub wants: Units,
    /// What of its last lease was not used.
    pub gives_back: Units,
    /// What was used beside it: reported as more than was expected.
    pub used_more: Units,
}

/// Most gateways whose leases of one limit can be given back. Of those past it, what they did not use comes back with time.
pub const HOLDERS_MAX: usize = 64;

/// What was leased of one limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leased {
    /// How much: from what was needed to what was wanted, or nothing.
    pub units: Units,
    /// The level after it.
    pub level: Level,
    /// Microseconds until what was needed can be there; 0 where it is.
    pub wait_micros: u64,
}

impl<S: Store> Core<S> {
    /// Leases of a subject's limits, in one transaction. `holder` is the gateway, by a name that no other has.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn lease_rates(
        &self,
        holder: &str,
        (business, subject): (&Id, &str),
        asks: &[LeaseAsk],
        now: Timestamp,
    ) -> Result<Vec<Leased>, CoreError> {
        // By name, so that two gateways never wait for each other.
        let ordered: BTreeMap<String, usize> =
            asks.iter().enumerate().map(|(index, ask)| (ask.limit.name(), index)).collect();
        let ordered = &ordered;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                let mut leased: BTreeMap<usize, Leased> = BTreeMap::new();
                for (name, index) in ordered {
                    let Some(ask) = asks.get(*index) else { continue };
                    let counted = (business, subject, name.as_str());
                    let mut kept = tx.lock_rate_level(counted, now).await?;
                    let level = Level::of_parts(kept.level, micros(kept.at));
                    let one = lease(level, &mut kept.lowest, holder, ask, micros(now));
                    let (level, at) = one.level.parts();
                    let at = i64::try_from(at).ok().and_then(|at| Timestamp::from_microsecond(at).ok());
                    kept.at = at.ok_or_else(|| CoreError::out_of_range("a limit's moment"))?;
                    kept.level = level;
                    tx.set_rate_level(counted, &kept).await?;
                    leased.insert(*index, one);
                }
                tx.commit().await?;
                Ok(leased.into_values().collect())
            })
        })
        .await
    }
}

fn micros(at: Timestamp) -> u64 {
    u64::try_from(at.as_microsecond()).unwrap_or_default()
}

/// What is leased at this level. `lowest` has for each gateway how low the level was since its lease.
fn lease(level: Level, lowest: &mut BTreeMap<String, u128>, holder: &str, ask: &LeaseAsk, now: u64) -> Leased {
    let LeaseAsk { limit, needs, wants, gives_back, used_more } = ask;
    let level = level.drained(limit, now);
    let used = level.used();
    lowest.values_mut().for_each(|low| *low = (*low).min(used));
    let own = lowest.remove(holder).unwrap_or_default();
    let less = limit.height(*gives_back).min(own);
    let (level, _) = level.without(limit, *gives_back, own);
    // As though it had never been leased: since then whatever others found was lower, too. Who leased before has seen the level at its
    // lowest since as well, or lower; who leased after, never as low.
    lowest.retain(|_, low| {
        *low = if *low > own { low.saturating_sub(less) } else { (*low).min(own.saturating_sub(less)) };
        // Where the level was empty there is nothing more to give back.
        *low > 0
    });
    let level = level.with(limit, *used_more);
    if let Err(wait_micros) = level.has_room(limit, *needs) {
        return Leased { units: Units::ZERO, level, wait_micros };
    }
    let units = (*wants).min(level.room(limit)).max(*needs);
    let level = level.with(limit, units);
    if lowest.len() < HOLDERS_MAX {
        lowest.insert(holder.to_owned(), level.used());
    }
    Leased { units, level, wait_micros: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(needs: u64, wants: u64, gives_back: u64) -> LeaseAsk {
        let limit: svc_engine::manifest::ir::RateLimit = serde_json::from_value(serde_json::json!({
            "dimension": "requests", "rate": 10, "interval": "second", "enforcement": "enforce",
        }))
        .unwrap();
        let [needs, wants, gives_back] = [needs, wants, gives_back].map(Units::from_whole);
        LeaseAsk { limit: Limit::from(&limit), needs, wants, gives_back, used_more: Units::ZERO }
    }

    #[test]
    fn a_lease_has_what_there_is_up_to_what_is_wanted() {
        let mut lowest = BTreeMap::new();
        let mut lease = |level, holder, ask: LeaseAsk, now| lease(level, &mut lowest, holder, &ask, now);
        let first = lease(Level::default(), "a", ask(1, 6, 0), 5);
        assert_eq!((first.units, first.wait_micros), (Units::from_whole(6), 0));
        let second = lease(first.level, "b", ask(1, 6, 0), 5);
        assert_eq!(second.units, Units::from_whole(4), "never more than the limit, whoever leases");
        let third = lease(second.level, "c", ask(1, 6, 0), 5);
        assert_eq!((third.units, third.wait_micros), (Units::ZERO, 100_000));
        let given_back = lease(third.level, "a", ask(1, 6, 2), 5);
        assert_eq!(given_back.units, Units::from_whole(2), "what is given back is there again");
        let stranger = lease(third.level, "d", ask(1, 6, 2), 5);
        assert_eq!(stranger.units, Units::ZERO, "by whoever has it");
        assert_eq!(
            lease(third.level, "c", ask(1, 6, 0), 300_005).units,
            Units::from_whole(3),
            "and what time gives back"
        );
    }

    #[test]
    fn what_time_has_given_back_is_not_given_back_again() {
        // Ten a second, shared by two who lease two and use nothing of it, and by one who takes all there is.
        let (mut lowest, mut level, mut taken) = (BTreeMap::new(), Level::default(), 0);
        let mut held = [0_u64; 2];
        for step in 0..1_000_u64 {
            let now = step * 50_000;
            let turn = usize::try_from(step % 2).unwrap();
            let name = ["a", "b"][turn];
            let got = lease(level, &mut lowest, name, &ask(0, 2, held[turn]), now);
            (level, held[turn]) = (got.level, u64::try_from(got.units.steps() / 1_000_000_000).unwrap());
            let got = lease(level, &mut lowest, "taker", &ask(1, 1, 0), now);
            (level, taken) = (got.level, taken + u64::from(got.wait_micros == 0));
        }
        assert!(taken <= 10 + 10 * 50, "{taken} of 510 in 50 seconds");
        assert!(taken >= 480, "and what nobody used is not lost: {taken}");
        assert!(lowest.len() <= 3);
    }

    #[test]
    fn whoever_gives_back_the_level_is_never_below_what_was_used() {
        // Three gateways that lease at random and use a part, against a level that has only what they used, as they leased it.
        let limit = ask(0, 0, 0).limit;
        let mut seed = 3_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let whole = Units::from_whole;
        for _ in 0..2_000 {
            let (mut level, mut lowest, mut now) = (Level::default(), BTreeMap::new(), 0);
            // Of each gateway: what it has leased, when; and of all: what was used of leases that were given back.
            let mut open = [(0_u64, 0_u64); 3];
            let mut used: Vec<(u64, u64)> = Vec::new();
            for _ in 0..30 {
                now += next(700_000);
                let turn = usize::try_from(next(3)).unwrap();
                let (units, since) = open[turn];
                let unused = next(units + 1);
                used.push((since, units - unused));
                let got = lease(level, &mut lowest, ["a", "b", "c"][turn], &ask(0, 1 + next(9), unused), now);
                level = got.level;
                open[turn] = (u64::try_from(got.units.steps() / 1_000_000_000).unwrap(), now);
            }
            let mut all: Vec<(u64, u64)> =
                used.iter().copied().chain(open.map(|(units, since)| (since, units))).collect();
            all.sort_unstable();
            let without = all
                .iter()
                .fold(Level::default(), |level, (at, units)| level.drained(&limit, *at).with(&limit, whole(*units)));
            assert!(level.used() >= without.drained(&limit, now).used());
        }
    }
}
