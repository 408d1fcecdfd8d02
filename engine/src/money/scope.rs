//! What credit pays for: all usage, or that of some meters only. A period's usage falls into parts, each of the meters that the same
//! credit can pay for, and a rest that only credit for all usage can pay; a [`Flow`] says which part each bucket pays for.
//!
//! A bucket may pay for a part first and for another one later, where a bucket that can pay for less takes its place: what counts is what
//! each has paid in sum. So a bucket that pays first never leaves usage unpaid that another one could have paid for.

use super::amount::{AmountError, Nanos};
use super::bucket::Bucket;
use super::rating::{Draft, ExactNanos, PeriodRating, RatingError, Window, floor};
use crate::manifest::ir::Key;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Meters that the same credit can pay for, with what their usage has come to in a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The meters: at least one.
    pub meters: BTreeSet<Key>,
    /// What their usage came to before the change that is to be paid.
    pub before: Nanos,
    /// What it comes to after it.
    pub after: Nanos,
}

impl Part {
    /// Whether a bucket pays for it.
    fn is_paid_by(&self, bucket: &Bucket) -> bool {
        match &bucket.meters {
            None => true,
            // All of its meters are in the same scopes.
            Some(scope) => self.meters.first().is_some_and(|meter| scope.contains(meter)),
        }
    }
}

/// The meters that some of these buckets alone pay for, in sets that the same buckets pay for. None where each pays for all usage.
pub fn parts_of<'b>(buckets: impl IntoIterator<Item = &'b Bucket>) -> Vec<BTreeSet<Key>> {
    let scopes: BTreeSet<&BTreeSet<Key>> = buckets.into_iter().filter_map(|bucket| bucket.meters.as_ref()).collect();
    let mut named: BTreeMap<&Key, Vec<usize>> = BTreeMap::new();
    for (place, scope) in scopes.into_iter().enumerate() {
        scope.iter().for_each(|meter| named.entry(meter).or_default().push(place));
    }
    let mut parts: BTreeMap<Vec<usize>, BTreeSet<Key>> = BTreeMap::new();
    for (meter, scopes) in named {
        parts.entry(scopes).or_default().insert(meter.clone());
    }
    parts.into_values().collect()
}

/// What each part of a period's usage comes to, kept up to date while the last window takes charges.
#[derive(Clone, Debug, Default)]
pub struct PartSums(Vec<PartSum>);

#[derive(Clone, Debug)]
struct PartSum {
    meters: BTreeSet<Key>,
    /// What the windows before the last one have posted of it.
    earlier: Nanos,
    /// Its exact price in the last one.
    exact: ExactNanos,
}

impl PartSums {
    /// The sums of these parts in a period, whose last window is open.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits.
    pub fn of(parts: Vec<BTreeSet<Key>>, rating: &PeriodRating) -> Result<PartSums, RatingError> {
        let Some((last, earlier)) = rating.windows().split_last() else { return Ok(PartSums::default()) };
        let sum = |meters: BTreeSet<Key>| {
            let earlier = posted_of(earlier, &meters)?;
            Ok(PartSum { earlier, exact: last.exact_of(&meters), meters })
        };
        parts.into_iter().map(sum).collect::<Result<_, RatingError>>().map(PartSums)
    }

    /// The parts as they are without a change.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits.
    pub fn parts(&self) -> Result<Vec<Part>, RatingError> {
        let part = |sum: &PartSum| {
            let posted = sum.posted(&sum.exact)?;
            Ok(Part { meters: sum.meters.clone(), before: posted, after: posted })
        };
        self.0.iter().map(part).collect()
    }

    /// Lets parts go on to what they come to with a draft of the last window.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits.
    pub fn go_on(&self, parts: &mut [Part], draft: &Draft<'_>) -> Result<(), RatingError> {
        for (part, sum) in parts.iter_mut().zip(&self.0) {
            part.before = part.after;
            part.after = sum.posted(&sum.with(draft))?;
        }
        Ok(())
    }

    /// Takes over what a draft of the last window came to.
    pub fn take_over(&mut self, draft: &Draft<'_>) {
        for sum in &mut self.0 {
            sum.exact = sum.with(draft);
        }
    }
}

impl PartSum {
    fn posted(&self, exact: &ExactNanos) -> Result<Nanos, RatingError> {
        self.earlier.plus(floor(exact)?).map_err(|_| RatingError::Overflow)
    }

    /// Its exact price in the last window, as a draft of that has it.
    #[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
    fn with(&self, draft: &Draft<'_>) -> ExactNanos {
        let own = draft.rises().filter(|(cell, _)| self.meters.contains(cell.meter()));
        own.fold(self.exact.clone(), |sum, (_, rise)| sum + rise)
    }
}

/// What some meters' usage comes to in windows, each rounded down to a nano.
fn posted_of(windows: &[Window], meters: &BTreeSet<Key>) -> Result<Nanos, RatingError> {
    let add =
        |sum: Nanos, window: &Window| sum.plus(floor(&window.exact_of(meters))?).map_err(|_| RatingError::Overflow);
    windows.iter().try_fold(Nanos::ZERO, add)
}

/// What each part comes to in a period, before a change and after it.
///
/// # Errors
/// [`RatingError::Overflow`] outside 128 bits.
pub fn between(
    parts: Vec<BTreeSet<Key>>,
    before: &PeriodRating,
    after: &PeriodRating,
) -> Result<Vec<Part>, RatingError> {
    let part = |meters: BTreeSet<Key>| {
        let (before, after) = (posted_of(before.windows(), &meters)?, posted_of(after.windows(), &meters)?);
        Ok(Part { meters, before, after })
    };
    parts.into_iter().map(part).collect()
}

/// What is to be paid of each part, and of the rest behind them: nowhere less than nothing, and together `all`. What the parts come to
/// is each rounded down by itself, so that the rest has the nanos that their fractions make together.
///
/// # Errors
/// [`AmountError`] outside 128 bits.
pub(super) fn demand(parts: impl Iterator<Item = Nanos>, all: Nanos) -> Result<Vec<Nanos>, AmountError> {
    let mut left = all.max(Nanos::ZERO);
    let mut demand = Vec::new();
    for part in parts {
        let part = part.max(Nanos::ZERO).min(left);
        left = left.minus(part)?;
        demand.push(part);
    }
    demand.push(left);
    Ok(demand)
}

/// Which part of a period's usage each bucket pays for. It exists while one change is paid: what is kept of a bucket is a sum.
pub(super) struct Flow {
    /// What nobody pays yet of each part, and of the rest.
    pub(super) open: Vec<Nanos>,
    /// Of each bucket, by place: the parts that it pays for, with how much of each.
    pays: Vec<Vec<Option<Nanos>>>,
}

impl Flow {
    /// Nobody pays yet of what is to be paid.
    pub(super) fn new(buckets: &[Bucket], parts: &[Part], demand: Vec<Nanos>) -> Flow {
        let pays = |bucket: &Bucket| {
            let pays = parts.iter().map(|part| part.is_paid_by(bucket)).chain([bucket.meters.is_none()]);
            pays.map(|pays| pays.then_some(Nanos::ZERO)).collect()
        };
        Flow { open: demand, pays: buckets.iter().map(pays).collect() }
    }

    /// Lets a bucket pay up to `most` more. What the others pay stays in sum; which parts they pay for may change. Returns how much.
    ///
    /// # Errors
    /// [`AmountError`] outside 128 bits.
    pub(super) fn pay(&mut self, bucket: usize, most: Nanos) -> Result<Nanos, AmountError> {
        let mut left = most;
        while left > Nanos::ZERO {
            let Some(way) = self.way_to_open(bucket) else { break };
            left = left.minus(self.take(bucket, &way, left)?)?;
        }
        most.minus(left)
    }

    /// The shortest way to a part of which something is open: the first is paid by the bucket, and each by the one who paid for the part
    /// before it.
    fn way_to_open(&self, bucket: usize) -> Option<Vec<Step>> {
        let mut from: Vec<Option<Step>> = vec![None; self.open.len()];
        let mut next = VecDeque::from([(bucket, None)]);
        while let Some((payer, freed)) = next.pop_front() {
            for (part, _) in self.pays.get(payer)?.iter().enumerate().filter(|(_, pays)| pays.is_some()) {
                let Some(unseen) = from.get_mut(part).filter(|step| step.is_none()) else { continue };
                *unseen = Some(Step { payer, part, freed });
                if self.open.get(part).is_some_and(|open| *open > Nanos::ZERO) {
                    return Some(way_of(&from, part));
                }
                let paid = |pays: &Vec<Option<Nanos>>| {
                    pays.get(part).copied().flatten().is_some_and(|paid| paid > Nanos::ZERO)
                };
                next.extend(
                    self.pays.iter().enumerate().filter(|(_, pays)| paid(pays)).map(|(other, _)| (other, Some(part))),
                );
            }
        }
        None
    }

    /// Pays along a way. Returns how much.
    fn take(&mut self, bucket: usize, way: &[Step], most: Nanos) -> Result<Nanos, AmountError> {
        let open = way.last().and_then(|step| self.open.get(step.part)).copied().unwrap_or_default();
        let paid = |step: &Step| step.freed.and_then(|part| self.pays.get(step.payer)?.get(part).copied().flatten());
        let amount = way.iter().filter_map(paid).fold(most.min(open), Nanos::min);
        debug_assert_eq!(way.first().map(|step| step.payer), Some(bucket), "a way begins with who pays");
        for step in way {
            if let Some(Some(freed)) = step.freed.and_then(|part| self.pays.get_mut(step.payer)?.get_mut(part)) {
                *freed = freed.minus(amount)?;
            }
            if let Some(Some(paid)) = self.pays.get_mut(step.payer).and_then(|pays| pays.get_mut(step.part)) {
                *paid = paid.plus(amount)?;
            }
        }
        if let Some(open) = way.last().and_then(|step| self.open.get_mut(step.part)) {
            *open = open.minus(amount)?;
        }
        Ok(amount)
    }
}

/// A part that a bucket pays for, on a way; and the part that it pays less of for it.
#[derive(Clone, Copy)]
struct Step {
    payer: usize,
    part: usize,
    freed: Option<usize>,
}

/// The way that leads to a part, from its beginning.
fn way_of(from: &[Option<Step>], part: usize) -> Vec<Step> {
    let mut way = Vec::new();
    let mut at = Some(part);
    while let Some(step) = at.and_then(|part| from.get(part).copied().flatten()) {
        at = step.freed;
        way.push(step);
    }
    way.reverse();
    way
}
