//! The rate card: how the meters of a release count, and what a plan charges for them, prepared once for all that is rated by it.

use super::cell::Cell;
use super::curve::{Curve, ExactNanos, ExactSteps, exact_steps};
use super::level::Quantity;
use super::trace::{Part, PartKind, Recorder};
use super::units::Units;
use crate::manifest::ir::{Aggregation, Included, IncludedEach, Key, MeterPrice, Rates, UnitPool};
use num_traits::Zero;
use std::collections::{BTreeMap, BTreeSet};

/// How a meter counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis<'m> {
    /// How reports make one quantity.
    pub aggregation: Aggregation,
    /// Its attributes.
    pub by: &'m [Key],
}

/// The meters of a release with a plan's prices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RateCard {
    meters: BTreeMap<Key, Rate>,
    pools: Vec<Pool>,
    /// Meters whose free units depend on another one, by that other one.
    dependents: BTreeMap<Key, Vec<Key>>,
    /// Whether some meter's level lasts.
    lasts: bool,
}

/// How one meter counts and costs.
#[derive(Clone, Debug, PartialEq)]
struct Rate {
    aggregation: Aggregation,
    by: Vec<Key>,
    price: Option<Price>,
    pool: Option<Share>,
}

#[derive(Clone, Debug, PartialEq)]
struct Price {
    curves: Curves,
    included: Included,
}

#[derive(Clone, Debug, PartialEq)]
enum Curves {
    /// One for the meter.
    One(Curve),
    /// One for each cell.
    Each(BTreeMap<Vec<String>, Curve>),
}

/// Free units that several meters use up together.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// How many.
    pub units: Units,
    /// The meters, with how many of the pool's units one of theirs takes.
    pub weights: BTreeMap<Key, u64>,
}

/// A meter's part in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Place of the pool in the card.
    pub pool: usize,
    /// How many of its units one of the meter's takes.
    pub weight: u64,
}

/// Where a quantity stands: what was used, and what of it a pool made free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The quantity.
    pub quantity: Quantity,
    /// Units of it that a pool made free.
    pub pooled: Units,
}

/// From where on a price counts in a period: what was used before, under other terms, and what that was charged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Base {
    /// What was used.
    pub standing: Standing,
    /// What was charged for it.
    pub charged: ExactNanos,
}

impl RateCard {
    /// A card of these prices and pools, for meters that count in these ways.
    pub fn new<'m>(
        meters: impl IntoIterator<Item = (&'m Key, Basis<'m>)>,
        prices: &[MeterPrice],
        pools: &BTreeMap<Key, UnitPool>,
    ) -> RateCard {
        let rate = |(meter, basis): (&Key, Basis<'_>)| {
            let rate = Rate { aggregation: basis.aggregation, by: basis.by.to_vec(), price: None, pool: None };
            (meter.clone(), rate)
        };
        let mut card = RateCard { meters: meters.into_iter().map(rate).collect(), ..RateCard::default() };
        card.lasts = card.meters.values().any(|rate| rate.aggregation == Aggregation::TimeWeighted);
        prices.iter().for_each(|price| card.price(price));
        pools.values().for_each(|pool| card.pool(pool));
        card
    }

    /// Sets the price of a meter; one that the release doesn't have has none.
    fn price(&mut self, price: &MeterPrice) {
        let Some(rate) = self.meters.get_mut(price.meter()) else { return };
        let included = price.included().clone();
        if let Included::Each(IncludedEach { per, .. }) = &included {
            self.dependents.entry(per.clone()).or_default().push(price.meter().clone());
        }
        let curves = match price {
            MeterPrice::Rates { per, round, rates, .. } => {
                let cells = Rates::cells_of(rates).into_iter();
                Curves::Each(cells.map(|(by, micros)| (by, Curve::linear(micros, *per, *round))).collect())
            }
            MeterPrice::Linear { micros, per, round, .. } => {
                Curves::One(Curve::linear(*micros, *per, *round).at_most(price))
            }
            MeterPrice::Graduated { tiers, .. } => Curves::One(Curve::graduated(tiers).at_most(price)),
            MeterPrice::Volume { tiers, .. } => Curves::One(Curve::volume(tiers).at_most(price)),
        };
        rate.price = Some(Price { curves, included });
    }

    /// Lets meters use up free units together.
    fn pool(&mut self, pool: &UnitPool) {
        let place = self.pools.len();
        let mut weights = BTreeMap::new();
        for (meter, weight) in &pool.meters {
            if let Some(rate) = self.meters.get_mut(meter) {
                rate.pool = Some(Share { pool: place, weight: weight.get() });
                weights.insert(meter.clone(), weight.get());
            }
        }
        self.pools.push(Pool { units: pool.units, weights });
    }

    /// How a meter counts, where the release has it.
    pub fn aggregation(&self, meter: &Key) -> Option<Aggregation> {
        self.meters.get(meter).map(|rate| rate.aggregation)
    }

    /// Whether a meter's level lasts, so that time alone makes it cost more.
    pub fn lasts(&self, meter: &Key) -> bool {
        self.lasts && self.aggregation(meter) == Some(Aggregation::TimeWeighted)
    }

    /// Whether the level of some meter lasts.
    pub fn has_lasting(&self) -> bool {
        self.lasts
    }

    /// A meter's attributes; none where it has none.
    pub fn attributes(&self, meter: &Key) -> &[Key] {
        self.meters.get(meter).map_or(&[], |rate| rate.by.as_slice())
    }

    /// Whether this may be used: its meter has no price, or it has one of its own.
    pub fn admits(&self, cell: &Cell) -> bool {
        match self.meters.get(cell.meter()).and_then(|rate| rate.price.as_ref()).map(|price| &price.curves) {
            Some(Curves::Each(curves)) => curves.contains_key(cell.by()),
            Some(Curves::One(_)) | None => true,
        }
    }

    /// Whether a cell counts and costs the same by another card, so that a move from one to the other changes nothing for it.
    pub fn terms_as(&self, cell: &Cell, other: &RateCard) -> bool {
        let of = |card: &RateCard| {
            let rate = card.meters.get(cell.meter())?;
            let price = rate.price.as_ref().map(|price| (price.curves.of(cell).cloned(), price.included.clone()));
            Some((rate.aggregation, price))
        };
        of(self) == of(other) && self.pools_as(cell.meter(), other)
    }

    /// Whether a meter uses up the same free units, together with the same others, as by another card.
    pub fn pools_as(&self, meter: &Key, other: &RateCard) -> bool {
        let of = |card: &RateCard| card.share(meter).and_then(|share| card.pools.get(share.pool).cloned());
        of(self) == of(other)
    }

    /// The pool that a meter's units are free from first.
    pub fn share(&self, meter: &Key) -> Option<Share> {
        self.meters.get(meter)?.pool
    }

    /// The pools.
    pub fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// The meters whose free units depend on this one's quantity.
    pub fn dependents(&self, meter: &Key) -> &[Key] {
        self.dependents.get(meter).map_or(&[], Vec::as_slice)
    }

    /// Meters whose reports must be taken in again together where one of them is taken out: those that share a pool.
    pub fn together(&self, meter: &Key) -> BTreeSet<&Key> {
        let pool = self.share(meter).and_then(|share| self.pools.get(share.pool));
        pool.into_iter().flat_map(|pool| pool.weights.keys()).collect()
    }

    /// What a cell costs beside what it was charged before its terms began to count, where it has reached this standing. `of` tells
    /// the quantities of other meters by now.
    pub fn cost(&self, cell: &Cell, base: &Base, reached: Standing, of: impl Fn(&Key) -> ExactSteps) -> ExactNanos {
        self.cost_noted(cell, base, reached, of, &mut ())
    }

    /// The same, with its parts.
    #[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
    pub fn cost_noted<R: Recorder>(
        &self,
        cell: &Cell,
        base: &Base,
        reached: Standing,
        of: impl Fn(&Key) -> ExactSteps,
        notes: &mut R,
    ) -> ExactNanos {
        let price = self.meters.get(cell.meter()).and_then(|rate| rate.price.as_ref());
        let Some(Price { curves, included }) = price else { return ExactNanos::zero() };
        let Some(curve) = curves.of(cell) else { return ExactNanos::zero() };
        // Units that another plan's pool made free count against a plan that has none for the meter.
        let is_pooled = self.share(cell.meter()).is_some();
        let own = |all: Standing| if is_pooled { all } else { Standing { pooled: Units::ZERO, ..all } };
        let (before, reached) = (own(base.standing), own(reached));
        // As many as are free by now were free before too: what was used under other terms is neither given back nor charged again.
        let free = match included {
            Included::Units(units) => exact_steps(*units),
            Included::Each(each) => each_of(each.units, &of(&each.per)),
        };
        let priced_now = priced(reached, &free);
        let priced_before = if before.quantity.is_zero() { ExactSteps::zero() } else { priced(before, &free) };
        if R::RECORDS {
            let free = |kind, quantity: ExactSteps| Part { kind, quantity, exact: ExactNanos::zero() };
            let pooled = exact_steps(reached.pooled) - exact_steps(before.pooled);
            let used = reached.quantity.exact() - before.quantity.exact();
            let included = &used - &pooled - (&priced_now - &priced_before);
            let parts = [free(PartKind::Pooled, pooled), free(PartKind::Included, included)];
            parts.into_iter().filter(|part| !part.quantity.is_zero()).for_each(|part| notes.part(part));
        }
        curve.cost_noted(&priced_before, &priced_now, &base.charged, notes)
    }
}

impl Curves {
    fn of(&self, cell: &Cell) -> Option<&Curve> {
        match self {
            Curves::One(curve) => Some(curve),
            Curves::Each(curves) => curves.get(cell.by()),
        }
    }
}

/// So many free units for each of a quantity.
#[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
fn each_of(units: Units, quantity: &ExactSteps) -> ExactSteps {
    quantity * exact_steps(units) / exact_steps(Units::ONE)
}

/// What of a quantity has a price.
#[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
fn priced(standing: Standing, free: &ExactSteps) -> ExactSteps {
    let mut own = standing.quantity.exact();
    if standing.pooled != Units::ZERO {
        own = (own - exact_steps(standing.pooled)).max(ExactSteps::zero());
    }
    if free.is_zero() { own } else { (own - free).max(ExactSteps::zero()) }
}
