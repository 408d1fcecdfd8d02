//! What a comparison of bills says: a row for each subscriber, and what all of them come to. It is built row by row, and holds no more
//! of them than it shows.

use crate::error::CoreError;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use svc_engine::manifest::ir::Key;
use svc_engine::moment::Moment;
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::SignedCents;
use svc_store::records::Id;

/// Rows that are told, those whose bill changes most; the others are counted.
pub const ROWS_MAX: usize = 10_000;
/// Charges on one meter of one subscriber that the proposal can't place: so many are told, the others are counted.
pub const UNPLACED_MAX: usize = 1_000;
/// The shares of subscribers whose bill changes by at most so much, in percent.
const QUANTILES: [u8; 9] = [0, 5, 25, 50, 75, 90, 95, 99, 100];
/// Where the distribution's steps end, in percent of the bill as it was.
const STEPS_PERCENT: [i128; 14] = [-50, -20, -10, -5, -1, 0, 0, 1, 5, 10, 20, 50, 100, i128::MAX];
/// Place of the step of bills that stay as they are among [`STEPS_PERCENT`].
const SAME: usize = 6;

/// Which period of each subscriber was rated again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhatIfPeriod {
    /// The newest that has ended.
    LastPeriod,
    /// The one that is open, as far as it is used.
    OpenPeriod,
}

/// What a release would do to the bills of a business.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhatIf {
    /// Which period was rated again.
    pub period: WhatIfPeriod,
    /// When.
    #[schemars(with = "Moment")]
    pub as_of: Timestamp,
    /// `sha256:…` of the active release's IR.
    pub active_hash: Option<String>,
    /// `sha256:…` of the proposal's IR.
    pub proposed_hash: String,
    /// Subscribers whose bills were compared.
    pub subscribers: u64,
    /// Live subscribers who have no such period.
    pub without_period: u64,
    /// How many of those compared would pay more, the same, and less.
    pub more: u64,
    /// See `more`.
    pub same: u64,
    /// See `more`.
    pub less: u64,
    /// Sum of the bills as they are.
    pub old_cents: SignedCents,
    /// Sum of the bills as they would be.
    pub new_cents: SignedCents,
    /// Their difference.
    pub difference_cents: SignedCents,
    /// By how much the bill of so many percent of the subscribers changes at most.
    pub quantiles: Vec<Quantile>,
    /// How many bills change by how much of what they were.
    pub distribution: Vec<Step>,
    /// What each meter comes to over all subscribers.
    pub meters: Vec<MeterDifference>,
    /// Whose usage passes the most that the proposal lets them pay, and did not pass what they have now.
    pub crossing: u64,
    /// Whether the proposal changes what routes cost. Charges are kept by meter and units: they count as they were metered.
    pub routes_changed: bool,
    /// Usage that the proposal can't place, and subscribers who can't be compared.
    pub unplaced: Vec<Unplaced>,
    /// How many more of those there are.
    pub unplaced_omitted: u64,
    /// Subscribers whose bill changes most, largest change first.
    pub rows: Vec<Row>,
    /// How many more there are.
    pub rows_omitted: u64,
    /// What the guard says, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
}

/// A share of the subscribers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quantile {
    /// How many of the subscribers, in percent.
    pub percent: u8,
    /// The bill of each of them changes by this much at most.
    pub difference_cents: SignedCents,
}

/// Bills that change by a similar share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// They change by more than this, in percent; nothing for the first.
    pub over_percent: Option<i128>,
    /// And by this at most; nothing for the last, which has those that were nothing too.
    pub to_percent: Option<i128>,
    /// How many.
    pub subscribers: u64,
}

/// What a meter comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeterDifference {
    /// The meter.
    pub meter: Key,
    /// As it was, in nanodollars, before anybody pays.
    pub old_nanos: Nanos,
    /// As it would be.
    pub new_nanos: Nanos,
}

/// A subscriber's bill as it was and as it would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The subscription.
    pub subscription_id: Id,
    /// The subscriber.
    pub subject: String,
    /// The plan that the period ended under.
    pub plan: String,
    /// The version of it, and the release.
    pub plan_version: u32,
    /// How many periods came before.
    pub period: u32,
    /// First moment of the period.
    #[schemars(with = "Moment")]
    pub period_start: Timestamp,
    /// First moment after it.
    #[schemars(with = "Moment")]
    pub period_end: Timestamp,
    /// The invoice that closed it.
    pub invoice_id: Option<Id>,
    /// Total as it was.
    pub old_cents: SignedCents,
    /// Total as it would be.
    pub new_cents: SignedCents,
    /// Their difference.
    pub difference_cents: SignedCents,
    /// What the period's usage comes to as it was, before anybody pays, in nanodollars.
    pub old_rated_nanos: Nanos,
    /// The same as it would be.
    pub new_rated_nanos: Nanos,
    /// The part of it that the fee and what it is adjusted by make, in nanodollars.
    pub fee_difference_nanos: Nanos,
    /// The meters that come to something else, before anybody pays.
    pub meters: Vec<MeterDifference>,
    /// What the most leaves unbilled as it was, in nanodollars.
    pub old_waived_nanos: Nanos,
    /// What it would leave unbilled.
    pub new_waived_nanos: Nanos,
    /// What it would have denied.
    pub denied_nanos: Nanos,
    /// Whether usage passes the most there would be, and did not pass the one there was.
    pub crosses: bool,
    /// What of the subscriber's terms stays, since it is not what the plan says.
    pub keeps: Vec<Keeps>,
}

/// What of a subscriber's terms a proposal does not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Keeps {
    /// The pin is not the price of the plan, or a move priced a part of the period.
    Fee,
    /// The period's credit is not what the plan gives.
    Credit,
    /// The proposal does not have the plan: its subscribers keep it.
    Plan,
}

/// Usage that the proposal can't place, or a subscriber who can't be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unplaced {
    /// The subscription.
    pub subscription_id: Id,
    /// The subscriber.
    pub subject: String,
    /// Why.
    pub reason: UnplacedReason,
    /// The meter; nothing where the subscriber can't be compared.
    pub meter: Option<Key>,
    /// How many charges.
    pub charges: u64,
    /// What they came to, in nanodollars. The proposal's bill has nothing for them.
    pub old_nanos: Nanos,
}

/// Why something can't be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UnplacedReason {
    /// The proposal has no such meter.
    MeterMissing,
    /// The proposal's meter counts distinct values, and the charges name none.
    UniqueKeyMissing,
    /// The proposal's meter counts reports, and the charges are of parts of one.
    CountOfParts,
    /// The proposal has no price for these values of the meter's attributes, or counts it by other attributes.
    CellWithoutPrice,
    /// The proposal's plan has periods of another length.
    IntervalChanged,
    /// What the period is rated under is missing or altered.
    TermsMissing,
}

impl UnplacedReason {
    /// Whether it may cost more than before. What the proposal has no price for is refused, and costs nothing.
    fn may_cost_more(self) -> bool {
        match self {
            UnplacedReason::MeterMissing | UnplacedReason::CellWithoutPrice => false,
            UnplacedReason::UniqueKeyMissing
            | UnplacedReason::CountOfParts
            | UnplacedReason::IntervalChanged
            | UnplacedReason::TermsMissing => true,
        }
    }
}

impl Guard {
    /// Whether each bill is known to stay within.
    pub fn is_kept(&self) -> bool {
        self.exceeded == 0 && self.unknown == 0
    }
}

/// Refuses a release past an increase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Guard {
    /// The most that a bill may rise, in hundredths of a percent.
    pub max_increase_basis_points: u64,
    /// How many bills would rise by more. One that was nothing rises by more if it is anything.
    pub exceeded: u64,
    /// How many subscribers' bills might: they can't be compared, or what usage of theirs would cost can't be told.
    pub unknown: u64,
    /// The one among them that rises most, in cents.
    pub worst: Option<Box<Row>>,
}

/// The rows that are kept: a heap whose least important is at hand.
struct Kept(Row);

impl Kept {
    fn rank(&self) -> (u128, Reverse<&Id>) {
        (self.0.difference_cents.0.unsigned_abs(), Reverse(&self.0.subscription_id))
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Kept {}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Kept {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// A report under way.
#[derive(Default)]
pub(crate) struct Report {
    max_increase_basis_points: Option<u64>,
    differences: Vec<i128>,
    steps: [u64; STEPS_PERCENT.len()],
    old: i128,
    new: i128,
    crossing: u64,
    exceeded: u64,
    unknown: u64,
    /// The subscription that was counted there last.
    last_unknown: Option<Id>,
    worst: Option<Row>,
    meters: BTreeMap<Key, (Nanos, Nanos)>,
    rows: BinaryHeap<Reverse<Kept>>,
    unplaced: Vec<Unplaced>,
    unplaced_omitted: u64,
}

impl Report {
    /// An empty one, which counts whose bill rises by more than this.
    pub(crate) fn new(max_increase_basis_points: Option<u64>) -> Report {
        Report { max_increase_basis_points, ..Report::default() }
    }

    /// Notes what can't be placed.
    pub(crate) fn unplaced(&mut self, unplaced: Unplaced) {
        let is_counted = self.last_unknown.as_ref() == Some(&unplaced.subscription_id);
        if unplaced.reason.may_cost_more() && !is_counted {
            self.unknown = self.unknown.saturating_add(1);
            self.last_unknown = Some(unplaced.subscription_id.clone());
        }
        if self.unplaced.len() < UNPLACED_MAX {
            self.unplaced.push(unplaced);
        } else {
            self.unplaced_omitted = self.unplaced_omitted.saturating_add(1);
        }
    }

    /// Takes a subscriber in. `meters` is what each of theirs comes to, changed or not.
    pub(crate) fn add(&mut self, row: Row, meters: Vec<MeterDifference>) -> Result<(), CoreError> {
        let overflow = || CoreError::out_of_range("the sum of the bills");
        let (old, new, difference) = (row.old_cents.0, row.new_cents.0, row.difference_cents.0);
        self.old = self.old.checked_add(old).ok_or_else(overflow)?;
        self.new = self.new.checked_add(new).ok_or_else(overflow)?;
        for meter in meters {
            let sums = self.meters.entry(meter.meter).or_default();
            *sums = (sums.0.plus(meter.old_nanos)?, sums.1.plus(meter.new_nanos)?);
        }
        if let Some(step) = self.steps.get_mut(step(old, difference)) {
            *step = step.saturating_add(1);
        }
        self.crossing = self.crossing.saturating_add(u64::from(row.crosses));
        if self.max_increase_basis_points.is_some_and(|most| exceeds(old, difference, most)) {
            self.exceeded = self.exceeded.saturating_add(1);
            if self.worst.as_ref().is_none_or(|worst| worst.difference_cents.0 < difference) {
                self.worst = Some(row.clone());
            }
        }
        self.differences.push(difference);
        self.rows.push(Reverse(Kept(row)));
        if self.rows.len() > ROWS_MAX {
            self.rows.pop();
        }
        Ok(())
    }

    /// The report.
    pub(crate) fn done(mut self, about: About) -> Result<WhatIf, CoreError> {
        self.differences.sort_unstable();
        let count = |wanted: std::cmp::Ordering| {
            to_u64(self.differences.iter().filter(|difference| difference.cmp(&&0) == wanted).count())
        };
        let subscribers = to_u64(self.differences.len());
        let difference =
            self.new.checked_sub(self.old).ok_or_else(|| CoreError::out_of_range("the bills' difference"))?;
        let (more, same, less) =
            (count(std::cmp::Ordering::Greater), count(std::cmp::Ordering::Equal), count(std::cmp::Ordering::Less));
        let quantiles = QUANTILES.into_iter().filter_map(|percent| quantile(&self.differences, percent)).collect();
        let meters = self.meters.into_iter();
        let rows: Vec<Row> = self.rows.into_sorted_vec().into_iter().map(|Reverse(Kept(row))| row).collect();
        Ok(WhatIf {
            period: about.period,
            as_of: about.as_of,
            active_hash: about.active_hash,
            proposed_hash: about.proposed_hash,
            subscribers,
            without_period: about.live.saturating_sub(about.found),
            more,
            same,
            less,
            old_cents: SignedCents(self.old),
            new_cents: SignedCents(self.new),
            difference_cents: SignedCents(difference),
            quantiles,
            distribution: distribution(&self.steps),
            meters: meters
                .map(|(meter, (old_nanos, new_nanos))| MeterDifference { meter, old_nanos, new_nanos })
                .collect(),
            crossing: self.crossing,
            routes_changed: about.routes_changed,
            unplaced: self.unplaced,
            unplaced_omitted: self.unplaced_omitted,
            rows_omitted: subscribers.saturating_sub(to_u64(rows.len())),
            rows,
            guard: self.max_increase_basis_points.map(|max_increase_basis_points| Guard {
                max_increase_basis_points,
                exceeded: self.exceeded,
                unknown: self.unknown,
                worst: self.worst.map(Box::new),
            }),
        })
    }
}

/// What a report is about.
pub(crate) struct About {
    pub(crate) period: WhatIfPeriod,
    pub(crate) as_of: Timestamp,
    pub(crate) active_hash: Option<String>,
    pub(crate) proposed_hash: String,
    pub(crate) routes_changed: bool,
    /// Live subscriptions.
    pub(crate) live: u64,
    /// Those that have such a period.
    pub(crate) found: u64,
}

fn to_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Whether a bill rises by more than so many hundredths of a percent.
fn exceeds(old: i128, difference: i128, basis_points: u64) -> bool {
    difference > 0 && difference.saturating_mul(10_000) > old.max(0).saturating_mul(i128::from(basis_points))
}

/// The step that a change belongs to: the first whose end it does not pass.
fn step(old: i128, difference: i128) -> usize {
    if difference == 0 {
        return SAME;
    }
    let last = STEPS_PERCENT.len().saturating_sub(1);
    if old <= 0 {
        return if difference > 0 { last } else { 0 };
    }
    let ends =
        STEPS_PERCENT.iter().enumerate().filter(|(place, _)| *place != SAME && (difference < 0) == (*place < SAME));
    let within = |end: i128| difference.saturating_mul(100) <= old.saturating_mul(end);
    ends.into_iter().find(|(_, end)| within(**end)).map_or(last, |(place, _)| place)
}

fn distribution(counts: &[u64; STEPS_PERCENT.len()]) -> Vec<Step> {
    let ends = STEPS_PERCENT.iter().map(|end| Some(*end).filter(|end| *end != i128::MAX));
    let starts = std::iter::once(None).chain(ends.clone());
    let both = starts.zip(ends).zip(counts);
    both.map(|((over_percent, to_percent), subscribers)| Step { over_percent, to_percent, subscribers: *subscribers })
        .collect()
}

/// The least change that so many percent don't exceed: the nearest rank.
fn quantile(sorted: &[i128], percent: u8) -> Option<Quantile> {
    let rank = sorted.len().saturating_mul(usize::from(percent)).div_ceil(100).max(1);
    let difference = sorted.get(rank.saturating_sub(1))?;
    Some(Quantile { percent, difference_cents: SignedCents(*difference) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_belongs_to_the_first_step_whose_end_it_does_not_pass() {
        let place = |old, difference| {
            let steps = distribution(&[0; STEPS_PERCENT.len()]);
            let found = steps[step(old, difference)];
            (found.over_percent, found.to_percent)
        };
        assert_eq!(place(100, 0), (Some(0), Some(0)));
        assert_eq!(place(0, 0), (Some(0), Some(0)));
        assert_eq!(place(10_000, 1), (Some(0), Some(1)));
        assert_eq!(place(10_000, 100), (Some(0), Some(1)));
        assert_eq!(place(10_000, 101), (Some(1), Some(5)));
        assert_eq!(place(100, 101), (Some(100), None));
        assert_eq!(place(0, 1), (Some(100), None));
        assert_eq!(place(10_000, -1), (Some(-1), Some(0)));
        assert_eq!(place(10_000, -100), (Some(-5), Some(-1)));
        assert_eq!(place(10_000, -9_000), (None, Some(-50)));
        assert_eq!(place(-5, -1), (None, Some(-50)));
    }

    #[test]
    fn quantiles_are_of_the_nearest_rank() {
        let of = |sorted: &[i128], percent| quantile(sorted, percent).map(|found| found.difference_cents.0);
        assert_eq!(of(&[], 50), None);
        assert_eq!(of(&[7], 0), Some(7));
        let ten: Vec<i128> = (1..=10).collect();
        assert_eq!([0, 5, 50, 90, 95, 100].map(|percent| of(&ten, percent).unwrap()), [1, 1, 5, 9, 10, 10]);
    }

    #[test]
    fn a_rise_is_measured_exactly_and_nothing_may_become_nothing_else() {
        assert!(!exceeds(1_000, 100, 1_000));
        assert!(exceeds(1_000, 101, 1_000));
        assert!(exceeds(0, 1, 1_000_000));
        assert!(!exceeds(0, 0, 0));
        assert!(!exceeds(5, -5, 0));
    }
}
