//! A price as a line: what a period's quantity of a meter costs, from nothing on, for pictures and tables. The points come out of the
//! rating's own rate card, exactly; between two of them the line is straight.

use super::amount::Cents;
use super::card::{Base, Basis, RateCard, Standing};
use super::cell::Cell;
use super::curve::{ExactNanos, ExactSteps, exact_steps};
use super::units::{UNITS_MAX, Units};
use crate::manifest::Manifest;
use crate::manifest::ir::{Included, Key, MeterPrice, PerUnits, Plan, Rates, Rounding};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use std::collections::BTreeSet;

/// Most cells of a meter that are drawn, each a line of its own.
pub const LINES_MAX: usize = 6;
/// Most packages whose starts are drawn; where a line has more, they are as good as a slope.
const PACKAGES_MAX: u64 = 40;
/// Packages of a line that has nothing else to show.
const PACKAGES_SHOWN: u128 = 8;
/// How many times its own units a price is drawn that has nothing else to show either.
const SLOPE_SHOWN: u128 = 100;
/// How often a line is made twice as long until its least and most are on it.
const DOUBLINGS_MAX: usize = 40;
/// A line goes on behind its last point of interest by one part in so many of what is priced.
const BEYOND: u128 = 4;

/// A price as lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// A line for each cell, at most [`LINES_MAX`].
    pub lines: Vec<Line>,
    /// Cells that have no line.
    pub left_out: usize,
    /// Another meter by whose quantity free units go: the lines are for one unit of it.
    pub with_one_of: Option<Key>,
}

/// What one cell costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The cell, as text.
    pub name: String,
    /// Points, of ascending quantity; at a jump two, a billionth of a unit apart. The last one is where the picture ends, not the line.
    pub points: Vec<Point>,
}

/// So much costs so much.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Billionths of a unit.
    pub steps: ExactSteps,
    /// Nanodollars of a period.
    pub nanos: ExactNanos,
}

impl Plot {
    /// What a plan makes of a meter, where it has a price for it.
    pub fn new(manifest: &Manifest, plan: &Plan, meter: &Key) -> Option<Plot> {
        let price = plan.meters.iter().find(|price| price.meter() == meter)?;
        let (least, most) = price.bounds();
        let meters = manifest.meters.iter();
        let meters = meters.map(|meter| (&meter.key, Basis { aggregation: meter.aggregation, by: &meter.by }));
        let unbounded = [unbounded(price)];
        let card = RateCard::new(meters, &unbounded, &plan.pools);
        let mut cells = cells_of(price);
        let left_out = cells.len().saturating_sub(LINES_MAX);
        cells.truncate(LINES_MAX);
        let drawing = Drawing { card: &card, price, least: least.map(whole), most: most.map(whole) };
        let end = cells.iter().map(|cell| drawing.end(cell)).max()?;
        let line = |cell: &Cell| Line { name: cell.to_string(), points: drawing.points(cell, end) };
        Some(Plot { lines: cells.iter().map(line).collect(), left_out, with_one_of: price.included().per().cloned() })
    }
}

fn whole(cents: Cents) -> ExactNanos {
    ExactNanos::from_integer(BigInt::from(cents.nanos().get()))
}

fn cells_of(price: &MeterPrice) -> Vec<Cell> {
    let MeterPrice::Rates { meter, rates, .. } = price else { return vec![Cell::from(price.meter().clone())] };
    Rates::cells_of(rates).into_iter().map(|(values, _)| Cell::new(meter.clone(), values)).collect()
}

/// The same price without its least and most, which are put on the line after.
fn unbounded(price: &MeterPrice) -> MeterPrice {
    let mut price = price.clone();
    match &mut price {
        MeterPrice::Linear { min_cents, max_cents, .. }
        | MeterPrice::Graduated { min_cents, max_cents, .. }
        | MeterPrice::Volume { min_cents, max_cents, .. } => (*min_cents, *max_cents) = (None, None),
        MeterPrice::Rates { .. } => {}
    }
    price
}

/// A line that is being drawn.
struct Drawing<'d> {
    card: &'d RateCard,
    price: &'d MeterPrice,
    least: Option<ExactNanos>,
    most: Option<ExactNanos>,
}

impl Drawing<'_> {
    /// Units of a cell that are free by themselves: all of its pool's, and those that are included.
    fn free(&self, cell: &Cell) -> u128 {
        let included = match self.price.included() {
            Included::Units(units) => *units,
            Included::Each(each) => each.units,
        };
        included.steps().saturating_add(self.pooled(cell))
    }

    fn pooled(&self, cell: &Cell) -> u128 {
        let Some(share) = self.card.share(cell.meter()) else { return 0 };
        let pool = self.card.pools().get(share.pool).map_or(0, |pool| pool.units.steps());
        pool.div_ceil(u128::from(share.weight).max(1))
    }

    /// What a quantity costs, without least and most.
    fn cost(&self, cell: &Cell, steps: u128) -> ExactNanos {
        let pooled = Units::from_steps(steps.min(self.pooled(cell)));
        let standing = Standing { quantity: Units::from_steps(steps).into(), pooled };
        self.card.cost(cell, &Base::default(), standing, |_| exact_steps(Units::ONE))
    }

    /// How far the line goes.
    fn end(&self, cell: &Cell) -> u128 {
        let free = self.free(cell);
        let last_tier = self.price.tiers().iter().filter_map(|tier| tier.up_to).max();
        let priced = match (last_tier, self.price) {
            (Some(last), _) => steps_of(last),
            (None, MeterPrice::Linear { per, round, .. } | MeterPrice::Rates { per, round, .. }) => match round {
                Some(Rounding::Up) => steps_of(per.get()).saturating_mul(PACKAGES_SHOWN),
                None => steps_of(per.get()).saturating_mul(SLOPE_SHOWN).max(free),
            },
            (None, MeterPrice::Graduated { .. } | MeterPrice::Volume { .. }) => steps_of(1).saturating_mul(SLOPE_SHOWN),
        };
        let mut end = free.saturating_add(priced).saturating_add(priced / BEYOND);
        let longest = steps_of(UNITS_MAX);
        let wanted = self.most.iter().chain(&self.least).max();
        for _ in 0..DOUBLINGS_MAX {
            match wanted {
                // One that does not grow never gets there.
                Some(wanted) if self.cost(cell, end) <= *wanted && end < longest && !self.is_flat(cell, end) => {
                    end = end.saturating_mul(2);
                }
                Some(wanted) if last_tier.is_none() && self.cost(cell, end / 2) > *wanted => end /= 2,
                _ => break,
            }
        }
        end.min(longest)
    }

    fn is_flat(&self, cell: &Cell, end: u128) -> bool {
        self.cost(cell, end) == self.cost(cell, end.saturating_mul(2))
    }

    /// Quantities where the line may bend or jump.
    fn bends(&self, cell: &Cell, end: u128) -> BTreeSet<u128> {
        let free = self.free(cell);
        let mut bends = BTreeSet::from([0, 1, self.pooled(cell), free, end]);
        let mut from = free;
        let tiers: Vec<(Option<u64>, PerUnits, Option<Rounding>)> = match self.price {
            MeterPrice::Linear { per, round, .. } | MeterPrice::Rates { per, round, .. } => vec![(None, *per, *round)],
            price => price.tiers().iter().map(|tier| (tier.up_to, tier.per, tier.round)).collect(),
        };
        let is_volume = matches!(self.price, MeterPrice::Volume { .. });
        for (up_to, per, round) in tiers {
            let to = up_to.map_or(end, |units| free.saturating_add(steps_of(units))).min(end);
            let per = steps_of(per.get());
            // Packages of a volume price are counted from the first unit on.
            let counted_from = if is_volume { free } else { from };
            let first = from.saturating_sub(counted_from).div_ceil(per.max(1));
            let last = to.saturating_sub(counted_from).checked_div(per).unwrap_or_default();
            if round == Some(Rounding::Up) && last.saturating_sub(first) <= u128::from(PACKAGES_MAX) {
                bends.extend((first..=last).map(|package| counted_from.saturating_add(package.saturating_mul(per))));
            }
            bends.insert(to);
            from = to;
        }
        let after: Vec<u128> = bends.iter().map(|bend| bend.saturating_add(1)).collect();
        bends.extend(after);
        bends.retain(|bend| *bend <= end);
        bends
    }

    fn points(&self, cell: &Cell, end: u128) -> Vec<Point> {
        let point =
            |steps: u128| Point { steps: ExactSteps::from_integer(BigInt::from(steps)), nanos: self.cost(cell, steps) };
        let mut points: Vec<Point> = self.bends(cell, end).into_iter().map(point).collect();
        for (bound, is_least) in [(&self.least, true), (&self.most, false)] {
            if let Some(bound) = bound {
                points = bounded(&points, bound, is_least);
            }
        }
        straightened(points)
    }
}

/// Billionths of whole units.
fn steps_of(units: u64) -> u128 {
    Units::from_whole(units).steps()
}

/// A line that stays above a least, or below a most: where it crosses the bound, it bends.
#[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
fn bounded(points: &[Point], bound: &ExactNanos, is_least: bool) -> Vec<Point> {
    let mut all = Vec::with_capacity(points.len());
    for (index, to) in points.iter().enumerate() {
        let from = index.checked_sub(1).and_then(|before| points.get(before));
        if let Some(from) =
            from.filter(|from| (from.nanos < *bound && to.nanos > *bound) || (from.nanos > *bound && to.nanos < *bound))
        {
            let share = (bound - &from.nanos) / (&to.nanos - &from.nanos);
            let steps = &from.steps + (&to.steps - &from.steps) * share;
            all.push(Point { steps, nanos: bound.clone() });
        }
        let nanos = if is_least { (&to.nanos).max(bound) } else { (&to.nanos).min(bound) };
        all.push(Point { steps: to.steps.clone(), nanos: nanos.clone() });
    }
    all
}

/// Without the points that lie on the straight line between their neighbours.
#[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
fn straightened(points: Vec<Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for point in points {
        while let [.., first, middle] = kept.as_slice() {
            let on_the_way = (&middle.nanos - &first.nanos) * (&point.steps - &first.steps);
            if on_the_way != (&point.nanos - &first.nanos) * (&middle.steps - &first.steps) {
                break;
            }
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

/// Where a value lies between nothing and a most, on a scale of so many parts.
#[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
pub fn place(value: &ExactNanos, most: &ExactNanos, parts: u32) -> u32 {
    if most.is_zero() {
        return 0;
    }
    (value * ExactNanos::from_integer(BigInt::from(parts)) / most).round().to_integer().to_u32().unwrap_or(parts)
}

/// Marks of an axis from nothing to a most: at most ten of them, at 1, 2 or 5 times a power of ten.
#[expect(clippy::arithmetic_side_effects, reason = "big integers have no range to leave")]
pub fn marks(most: &ExactNanos) -> Vec<ExactNanos> {
    let most = most.floor().to_integer();
    let mut power = BigInt::from(1);
    let step = loop {
        let steps = [1_u32, 2, 5].map(|factor| &power * factor);
        if let Some(step) = steps.into_iter().find(|step| step * 9_u32 >= most) {
            break step;
        }
        power *= 10;
    };
    let mark = |number: u32| &step * number;
    (0..=9).map(mark).take_while(|mark| *mark <= most).map(ExactNanos::from_integer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_few_round_marks() {
        let shown = |most: u64| -> Vec<String> {
            marks(&ExactNanos::from_integer(most.into())).iter().map(ToString::to_string).collect()
        };
        assert_eq!(shown(0), ["0"]);
        assert_eq!(shown(7), ["0", "1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(shown(40), ["0", "5", "10", "15", "20", "25", "30", "35", "40"]);
        assert_eq!(shown(95_000), ["0", "20000", "40000", "60000", "80000"]);
    }
}
