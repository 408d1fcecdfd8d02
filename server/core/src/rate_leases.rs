//! Rate limits that several gateways share. What a gateway lets through it has leased before, and a lease raises the limit's level in the
//! store at once: so all of them together never let through more than the limit, however many there are and whichever dies. What a lease
//! leaves unused is given back with the next, or comes back as time passes, as all that was used does.

use crate::core::Core;
use crate::error::CoreError;
use crate::rates::{Level, Limit};
use jiff::Timestamp;
use std::collections::BTreeMap;
use svc_engine::manifest::ir::Key;
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
    /// Leases of a subject's limits, in one transaction.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn lease_rates(
        &self,
        business: &Id,
        subject: &str,
        asks: &[LeaseAsk],
        now: Timestamp,
    ) -> Result<Vec<Leased>, CoreError> {
        // By dimension, so that two gateways never wait for each other.
        let ordered: BTreeMap<&Key, usize> =
            asks.iter().enumerate().map(|(index, ask)| (&ask.limit.dimension, index)).collect();
        let ordered = &ordered;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                let mut leased: BTreeMap<usize, Leased> = BTreeMap::new();
                for (dimension, index) in ordered {
                    let Some(ask) = asks.get(*index) else { continue };
                    let counted = (business, subject, dimension.as_str());
                    let (level, at) = tx.lock_rate_level(counted, now).await?;
                    let one = lease(Level::of_parts(level, micros(at)), ask, micros(now));
                    let (level, at) = one.level.parts();
                    let at = i64::try_from(at).ok().and_then(|at| Timestamp::from_microsecond(at).ok());
                    let at = at.ok_or_else(|| CoreError::out_of_range("a limit's moment"))?;
                    tx.set_rate_level(counted, level, at).await?;
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

/// What is leased at this level.
fn lease(level: Level, ask: &LeaseAsk, now: u64) -> Leased {
    let LeaseAsk { limit, needs, wants, gives_back, used_more } = ask;
    let level = level.drained(limit, now).without(limit, *gives_back).with(limit, *used_more);
    if let Err(wait_micros) = level.has_room(limit, *needs) {
        return Leased { units: Units::ZERO, level, wait_micros };
    }
    let room = level.room(limit);
    let units = (*wants).min(room).max(*needs);
    Leased { units, level: level.with(limit, units), wait_micros: 0 }
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
        let first = lease(Level::default(), &ask(1, 6, 0), 5);
        assert_eq!((first.units, first.wait_micros), (Units::from_whole(6), 0));
        let second = lease(first.level, &ask(1, 6, 0), 5);
        assert_eq!(second.units, Units::from_whole(4), "never more than the limit, whoever leases");
        let third = lease(second.level, &ask(1, 6, 0), 5);
        assert_eq!((third.units, third.wait_micros), (Units::ZERO, 100_000));
        assert_eq!(
            lease(third.level, &ask(1, 6, 2), 5).units,
            Units::from_whole(2),
            "what is given back is there again"
        );
        assert_eq!(lease(third.level, &ask(1, 6, 0), 300_005).units, Units::from_whole(3), "and what time gives back");
    }
}
