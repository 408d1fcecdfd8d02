//! What usage costs: exact rational totals per window, posted in whole nanodollars.
//!
//! Let E be the exact total of a window over all its meters. After every charge the sum of all that was posted is floor(E):
//! each charge posts the floor of its own exact marginal value, and when the fractions left over reach a whole nano, a
//! separate remainder posting brings the sum up. So the customer never pays more than E.

use super::amount::Nanos;
use super::card::{Base, RateCard, Share, Standing};
use super::cell::Cell;
use super::curve;
use super::level::{Around, Quantity, Weighing};
use super::trace::{Part, PartKind, Recorder};
use super::units::Units;
use crate::manifest::ir::{Aggregation, Key};
use jiff::Timestamp;
use num_traits::{ToPrimitive, Zero};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

pub use super::curve::ExactNanos;
pub use super::level::Level;

/// Why a charge can't be rated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// The served release has no such meter.
    #[error("there is no meter {0:?} in the release")]
    UnknownMeter(String),
    /// A quantity or an amount left the range of 128 bits.
    #[error("the window's quantity or amount left the range of 128 bits")]
    Overflow,
}

/// One report on one meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many units.
    pub units: Units,
    /// For [`Aggregation::Unique`]: whether the report's key is new in this period.
    pub is_new_key: bool,
    /// When it happened, as far as that is known: for [`Aggregation::Last`], the newest counts.
    pub at: Timestamp,
    /// For [`Aggregation::TimeWeighted`]: what is known around it, where it is for an earlier moment than the newest.
    pub around: Option<Around>,
}

/// The level of each cell that was used.
pub type Levels = BTreeMap<Cell, Level>;

/// A report that counts, for those who work levels out again; see [`PeriodRating::void`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Place of its window in the period.
    pub window: usize,
    /// What it counts.
    pub cell: Cell,
    /// How many units.
    pub units: Units,
    /// What a `unique` meter counts once.
    pub unique_key: Option<String>,
    /// When it happened.
    pub at: Timestamp,
}

impl Counted {
    /// What is known around it, where others of its cell came before it and one of them is for a later moment.
    pub fn around<'c>(&self, before: impl IntoIterator<Item = &'c Counted>) -> Option<Around> {
        let own = before.into_iter().filter(|other| other.cell == self.cell);
        Around::among(self.at, own.map(|other| (other.at, other.units)))
    }
}

/// What one charge posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rated {
    /// Floor of the charge's exact marginal value. Negative where a volume price falls.
    pub charge: Nanos,
    /// What the window's fractions now add up to in whole nanos: 0 or 1.
    pub remainder: Nanos,
}

/// What one cell of a window comes to. A window's exact total is the sum of its cells'.
#[derive(Clone, Debug, PartialEq)]
pub struct CellTotal {
    /// Where it stood at the window's start, and where it stands. Their difference is what the window used; negative where a level fell.
    pub from: Standing,
    /// See `from`.
    pub to: Standing,
    /// Its exact price.
    pub exact: ExactNanos,
}

/// What one cell of a window comes to, with the parts of its price.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedCell<'w> {
    /// The cell.
    pub cell: &'w Cell,
    /// What it comes to.
    pub total: CellTotal,
    /// What that is the sum of; nothing where the cell has no price.
    pub parts: Vec<Part>,
}

/// Where a window begins: what the windows before it in its period used and charged of each cell.
#[derive(Clone, Debug, Default)]
pub struct Start(BTreeMap<Cell, Begun>);

/// What is before the first window.
static NOTHING: LazyLock<Begun> = LazyLock::new(Begun::default);

/// What the windows before one used and charged of a cell.
#[derive(Clone, Debug, Default)]
struct Begun {
    level: Level,
    /// Where the level stood when the window began.
    standing: Standing,
    charged: ExactNanos,
    /// The part of both that was by other terms than the window's.
    base: Base,
}

impl Start {
    /// The same, as if nothing had been charged: for levels alone.
    fn of_levels(levels: &Levels) -> Start {
        let begun = |(cell, level): (&Cell, &Level)| (cell.clone(), Begun { level: *level, ..Begun::default() });
        Start(levels.iter().map(begun).collect())
    }

    /// The levels of earlier windows that go on in one by this card. One whose reports were all taken out is no level: it is kept where it was
    /// set, and does not go on, or what a window holds would depend on when it was opened.
    fn going_on(&self, card: &RateCard) -> impl Iterator<Item = (Cell, Level)> {
        let levels = self.0.iter().map(|(cell, begun)| (cell.clone(), begun.level));
        levels.filter(|(cell, level)| card.lasts(cell.meter()) && level.is_set())
    }
}

/// The running rating of one window: one subscription, one billing period, one plan of one release.
///
/// Levels are the period's, not the window's: a window begins where the one before it ended. So a move in the middle of a period
/// gives no included unit twice, and charges no user, peak or level twice. A cell whose terms the move left as they were goes on
/// as if there had been no move. Where they changed, what was charged stays: the window charges what comes beside it.
#[derive(Clone, Debug)]
pub struct Window {
    card: Arc<RateCard>,
    start: Start,
    /// By what levels that last are weighted.
    time: Weighing,
    state: State,
}

/// What a window has come to, or what a draft changes of it.
#[derive(Clone, Debug)]
struct State {
    levels: Levels,
    totals: BTreeMap<Cell, ExactNanos>,
    exact: ExactNanos,
    /// Up to when levels that last have held.
    until: Timestamp,
    /// Units that the period has used of each pool, past its end too.
    pools: Vec<u128>,
    /// The cells whose level was set since it was rated from what is kept.
    moved: BTreeSet<Cell>,
}

/// Changes of a window that are not its own yet: what goes wrong has done nothing.
#[derive(Debug)]
pub struct Draft<'w> {
    window: &'w Window,
    state: State,
}

/// What a [`Draft`] came to.
#[derive(Clone, Debug)]
pub struct Drafted(State);

impl Window {
    /// A window whose meters have reached these levels; none for a new one.
    ///
    /// # Errors
    /// [`RatingError::UnknownMeter`] when a level's meter has no rate; [`RatingError::Overflow`].
    pub fn new(card: Arc<RateCard>, start: Start, levels: Levels) -> Result<Window, RatingError> {
        let time = Weighing::default();
        Window::timed(card, start, levels, (time, time.start))
    }

    /// The same, where levels that last have held up to a moment.
    fn timed(
        card: Arc<RateCard>,
        start: Start,
        levels: Levels,
        (time, until): (Weighing, Timestamp),
    ) -> Result<Window, RatingError> {
        let mut levels = levels;
        // What an earlier window used moves too where what its free units go by did; not where that is only rated again, or each time that it
        // is read a window would hold one meter more of a chain of them.
        let is_moved = |(cell, level): &(&Cell, &Level)| {
            card.lasts(cell.meter()) || start.0.get(cell).is_none_or(|begun| begun.level != **level)
        };
        let meters: BTreeSet<&Key> = levels.iter().filter(is_moved).map(|(cell, _)| cell.meter()).collect();
        let moved = meters.into_iter().flat_map(|meter| card.dependents(meter)).cloned().map(Cell::from);
        let moved: Vec<Cell> = moved.filter(|cell| !levels.contains_key(cell)).collect();
        levels.extend(moved.into_iter().filter_map(|cell| start.0.get(&cell).map(|begun| (cell, begun.level))));
        let state = State {
            levels,
            totals: BTreeMap::new(),
            exact: ExactNanos::zero(),
            until,
            pools: Vec::new(),
            moved: BTreeSet::new(),
        };
        let mut window = Window { card, start, time, state };
        window.state.pools = window.used_of_pools()?;
        let reached = |cell: &Cell| window.level(cell);
        let total = |(cell, level): (&Cell, &Level)| {
            Ok::<_, RatingError>((cell.clone(), window.total(cell, *level, (until, &reached))?))
        };
        let totals: BTreeMap<Cell, ExactNanos> = window.state.levels.iter().map(total).collect::<Result<_, _>>()?;
        window.state.exact = curve::sum(totals.values());
        window.state.totals = totals;
        Ok(window)
    }

    /// The level of each cell used in it.
    pub fn levels(&self) -> &Levels {
        &self.state.levels
    }

    /// The level of each cell that the period has used by now.
    pub fn end(&self) -> Levels {
        let mut end: Levels = self.start.0.iter().map(|(cell, begun)| (cell.clone(), begun.level)).collect();
        end.extend(self.state.levels.iter().map(|(cell, level)| (cell.clone(), *level)));
        end
    }

    /// The level of a cell that the period has used by now.
    pub fn reached(&self, cell: &Cell) -> Level {
        self.level(cell)
    }

    /// The levels that were set since it was made.
    pub fn moved(&self) -> Levels {
        self.state.moved.iter().map(|cell| (cell.clone(), self.level(cell))).collect()
    }

    /// Where the window after it begins, which is rated by this card.
    #[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
    fn next(&self, card: &RateCard) -> Result<Start, RatingError> {
        let begun = |(cell, level): (Cell, Level)| {
            let Begun { charged, base, .. } = self.start.0.get(&cell).cloned().unwrap_or_default();
            let charged = match self.state.totals.get(&cell) {
                Some(total) => charged + total,
                None => charged,
            };
            let lasts = self.card.lasts(cell.meter());
            if lasts != card.lasts(cell.meter()) {
                // What lasts and what does not are quantities of another kind: neither counts as the other, nor goes on where a release does
                // not have the meter. What was charged stays.
                let base = Base { standing: Standing::default(), charged: charged.clone() };
                return Ok((cell, Begun { charged, base, ..Begun::default() }));
            }
            let standing = self.standing_of(level, lasts, self.state.until)?;
            let goes_on = card.terms_as(&cell, &self.card);
            let base = if goes_on { base } else { Base { standing, charged: charged.clone() } };
            Ok((cell, Begun { level, standing, charged, base }))
        };
        self.end().into_iter().map(begun).collect::<Result<_, _>>().map(Start)
    }

    /// Where a level stands at a moment.
    fn standing_of(&self, level: Level, lasts: bool, until: Timestamp) -> Result<Standing, RatingError> {
        let quantity = match lasts {
            true => level.weighed(self.time, until).ok_or(RatingError::Overflow)?,
            false => Quantity::from(level.units),
        };
        Ok(Standing { quantity, pooled: level.pooled })
    }

    /// The quantity that a cell has come to by now.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits.
    pub fn quantity(&self, cell: &Cell) -> Result<Quantity, RatingError> {
        let lasts = self.card.lasts(cell.meter());
        Ok(self.standing_of(self.level(cell), lasts, self.state.until)?.quantity)
    }

    /// The levels that go on where another card comes next: those that last by both, and that a report has set. One that is zero is among them:
    /// the report that set it to that may be taken out later.
    pub fn held(&self, card: &RateCard) -> Levels {
        let lasts = |cell: &Cell| self.card.lasts(cell.meter()) && card.lasts(cell.meter());
        self.end().into_iter().filter(|(cell, level)| lasts(cell) && level.is_set()).collect()
    }

    /// Whether a report has set a level that lasts.
    pub fn has_held(&self) -> bool {
        !self.held(&self.card).is_empty()
    }

    /// Lets levels that last hold up to a moment, where it is later than they are known to. Returns by how much that changes what is posted.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits.
    pub fn pass(&mut self, to: Timestamp) -> Result<Nanos, RatingError> {
        let mut draft = self.draft();
        let change = draft.pass(to)?;
        let drafted = draft.end();
        self.take_over(drafted);
        Ok(change)
    }

    /// How its meters count and cost.
    pub fn card(&self) -> &RateCard {
        &self.card
    }

    /// The exact total over all cells.
    pub fn exact(&self) -> &ExactNanos {
        &self.state.exact
    }

    /// Floor of the exact total: what has been posted.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits.
    pub fn rated(&self) -> Result<Nanos, RatingError> {
        floor(&self.state.exact)
    }

    /// What each cell used in it comes to.
    pub fn cells(&self) -> impl Iterator<Item = (&Cell, CellTotal)> {
        self.state.levels.iter().map(|(cell, level)| {
            let exact = self.state.totals.get(cell).cloned().unwrap_or_else(ExactNanos::zero);
            (cell, self.cell_total(cell, *level, exact))
        })
    }

    /// The exact price of some meters' cells.
    pub(super) fn exact_of(&self, meters: &BTreeSet<Key>) -> ExactNanos {
        let of = self.state.totals.iter().filter(|(cell, _)| meters.contains(cell.meter())).map(|(_, exact)| exact);
        curve::sum(of)
    }

    fn cell_total(&self, cell: &Cell, level: Level, exact: ExactNanos) -> CellTotal {
        let from = self.start.0.get(cell).map(|begun| begun.standing).unwrap_or_default();
        // What does not fit was refused when it was rated.
        let to = self.standing_of(level, self.card.lasts(cell.meter()), self.state.until).unwrap_or_default();
        CellTotal { from, to, exact }
    }

    /// What the period has come to by now.
    fn level(&self, cell: &Cell) -> Level {
        let before = || self.start.0.get(cell).map(|begun| begun.level).unwrap_or_default();
        self.state.levels.get(cell).copied().unwrap_or_else(before)
    }

    fn aggregation(&self, cell: &Cell) -> Result<Aggregation, RatingError> {
        let meter = cell.meter();
        self.card.aggregation(meter).ok_or_else(|| RatingError::UnknownMeter(meter.to_string()))
    }

    /// What it costs by a moment that a cell has reached a level in this window, where the others are at theirs.
    fn total(
        &self,
        cell: &Cell,
        level: Level,
        now: (Timestamp, impl Fn(&Cell) -> Level),
    ) -> Result<ExactNanos, RatingError> {
        self.total_noted(cell, level, now, &mut ())
    }

    #[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
    fn total_noted<R: Recorder>(
        &self,
        cell: &Cell,
        level: Level,
        (until, reached): (Timestamp, impl Fn(&Cell) -> Level),
        notes: &mut R,
    ) -> Result<ExactNanos, RatingError> {
        let lasts = self.aggregation(cell)? == Aggregation::TimeWeighted;
        let standing = self.standing_of(level, lasts, until)?;
        let of = |meter: &Key| {
            let other = reached(&Cell::from(meter.clone()));
            // One that does not fit is refused by its own total.
            let other = self.standing_of(other, self.card.lasts(meter), until).unwrap_or_default();
            other.quantity.exact()
        };
        let Some(begun) = self.start.0.get(cell) else {
            return Ok(self.card.cost_noted(cell, &NOTHING.base, standing, of, notes));
        };
        let cost = self.card.cost_noted(cell, &begun.base, standing, of, notes);
        let earlier = &begun.charged - &begun.base.charged;
        if R::RECORDS && begun.standing.quantity != begun.base.standing.quantity {
            let quantity = begun.base.standing.quantity.exact() - begun.standing.quantity.exact();
            notes.part(Part { kind: PartKind::Earlier, quantity, exact: -&earlier });
        }
        Ok(cost - earlier)
    }

    /// What each cell used in it comes to, with the parts of its price as the rating itself noted them.
    ///
    /// # Errors
    /// [`RatingError`] never in practice: it was rated before.
    pub fn explained(&self) -> Result<Vec<ExplainedCell<'_>>, RatingError> {
        let explained = |(cell, level)| {
            let level: &Level = level;
            let mut parts = Vec::new();
            let now = (self.state.until, |other: &Cell| self.level(other));
            let exact = self.total_noted(cell, *level, now, &mut parts)?;
            let total = self.cell_total(cell, *level, exact);
            Ok(ExplainedCell { cell, total, parts })
        };
        self.state.levels.iter().map(explained).collect()
    }

    /// What its levels have used of each pool.
    fn used_of_pools(&self) -> Result<Vec<u128>, RatingError> {
        let mut used = vec![0_u128; self.card.pools().len()];
        if used.is_empty() {
            return Ok(used);
        }
        for (cell, level) in &self.end() {
            let Some(Share { pool, weight }) = self.card.share(cell.meter()) else { continue };
            let Some(used) = used.get_mut(pool) else { continue };
            let units = level.units.steps().checked_mul(u128::from(weight)).ok_or(RatingError::Overflow)?;
            *used = used.checked_add(units).ok_or(RatingError::Overflow)?;
        }
        Ok(used)
    }

    /// A draft of changes to it.
    pub fn draft(&self) -> Draft<'_> {
        let State { exact, until, pools, .. } = &self.state;
        let state = State {
            levels: Levels::new(),
            totals: BTreeMap::new(),
            exact: exact.clone(),
            until: *until,
            pools: pools.clone(),
            moved: BTreeSet::new(),
        };
        Draft { window: self, state }
    }

    /// Takes over what a draft of it came to.
    pub fn take_over(&mut self, Drafted(state): Drafted) {
        self.state.moved.extend(state.levels.keys().cloned());
        self.state.levels.extend(state.levels);
        self.state.totals.extend(state.totals);
        self.state.exact = state.exact;
        self.state.until = state.until;
        self.state.pools = state.pools;
    }

    /// Admits one report and returns what it posts. On an error the window is unchanged.
    ///
    /// # Errors
    /// [`RatingError`] for a meter the release doesn't have, or numbers out of range.
    pub fn admit(&mut self, cell: &Cell, report: Report) -> Result<Rated, RatingError> {
        let mut draft = self.draft();
        let rated = draft.admit(cell, report)?;
        let drafted = draft.end();
        self.take_over(drafted);
        Ok(rated)
    }
}

impl Draft<'_> {
    /// Lets levels that last hold up to a moment, where it is later than they are known to. Returns by how much that changes what is posted.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits. After an error the draft is of no use.
    pub fn pass(&mut self, to: Timestamp) -> Result<Nanos, RatingError> {
        if to <= self.state.until {
            return Ok(Nanos::ZERO);
        }
        self.state.until = to;
        let (window, card) = (self.window, &self.window.card);
        if !card.has_lasting() {
            return Ok(Nanos::ZERO);
        }
        let before = floor(&self.state.exact)?;
        let known = window.state.levels.keys().chain(self.state.levels.keys());
        let own: BTreeSet<Cell> = known.filter(|cell| card.lasts(cell.meter())).cloned().collect();
        let going_on: Levels = window.start.going_on(card).filter(|(cell, _)| !own.contains(cell)).collect();
        for cell in &own {
            self.rate(cell, self.level(cell))?;
        }
        for (cell, level) in &going_on {
            self.set(cell, *level)?;
        }
        let meters: BTreeSet<&Key> = own.iter().chain(going_on.keys()).map(Cell::meter).collect();
        let moved: BTreeSet<&Key> = meters.into_iter().flat_map(|meter| card.dependents(meter)).collect();
        for meter in moved {
            self.rate_dependent(meter)?;
        }
        floor(&self.state.exact)?.minus(before).map_err(|_| RatingError::Overflow)
    }

    /// The same where its levels hold up to a moment, and what more is posted by then.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits.
    pub fn held_until(&self, to: Timestamp) -> Result<(Draft<'_>, Nanos), RatingError> {
        let mut later = Draft { window: self.window, state: self.state.clone() };
        let posted = later.pass(to)?;
        Ok((later, posted))
    }

    /// Whether a report would set a level that lasts, and higher than it is.
    pub fn is_raised(&self, cell: &Cell, report: Report) -> bool {
        let level = self.level(cell);
        let is_newest = level.as_of.is_none_or(|as_of| report.at >= as_of);
        self.window.card.lasts(cell.meter()) && is_newest && report.units > level.units
    }

    /// Rates a meter again whose free units go by another one, where it was used.
    fn rate_dependent(&mut self, meter: &Key) -> Result<(), RatingError> {
        let dependent = Cell::from(meter.clone());
        if self.is_used(&dependent) { self.set(&dependent, self.level(&dependent)) } else { Ok(()) }
    }

    /// Admits one report and returns what it posts. After an error the draft is of no use.
    ///
    /// # Errors
    /// [`RatingError`] for a meter the release doesn't have, or numbers out of range.
    #[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
    pub fn admit(&mut self, cell: &Cell, report: Report) -> Result<Rated, RatingError> {
        let aggregation = self.window.aggregation(cell)?;
        let level = aggregate(aggregation, self.level(cell), report, self.window.time).ok_or(RatingError::Overflow)?;
        let level = self.take_from_pool(cell, level)?;
        let before = self.state.exact.clone();
        self.set(cell, level)?;
        for meter in self.window.card.dependents(cell.meter()) {
            self.rate_dependent(meter)?;
        }
        let charge = floor(&(&self.state.exact - &before))?;
        let posted = floor(&self.state.exact)?.minus(floor(&before)?).map_err(|_| RatingError::Overflow)?;
        Ok(Rated { charge, remainder: posted.minus(charge).map_err(|_| RatingError::Overflow)? })
    }

    /// By how much each cell that it touched costs more than in the window, or less.
    #[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
    pub(super) fn rises(&self) -> impl Iterator<Item = (&Cell, ExactNanos)> {
        self.state.totals.iter().map(|(cell, total)| match self.window.state.totals.get(cell) {
            Some(before) => (cell, total - before),
            None => (cell, total.clone()),
        })
    }

    /// What it came to.
    pub fn end(self) -> Drafted {
        Drafted(self.state)
    }

    fn level(&self, cell: &Cell) -> Level {
        self.state.levels.get(cell).copied().unwrap_or_else(|| self.window.level(cell))
    }

    fn is_used(&self, cell: &Cell) -> bool {
        let is_used = [&self.state.levels, &self.window.state.levels].iter().any(|levels| levels.contains_key(cell));
        is_used || self.window.start.0.contains_key(cell)
    }

    /// Lets a pool make free what is left in it of the units that a cell has risen by.
    fn take_from_pool(&mut self, cell: &Cell, level: Level) -> Result<Level, RatingError> {
        let Some(share) = self.window.card.share(cell.meter()) else { return Ok(level) };
        let Some(pool) = self.window.card.pools().get(share.pool) else { return Ok(level) };
        let rise = level.units.checked_sub(self.level(cell).units).unwrap_or_default();
        let Some(used) = self.state.pools.get_mut(share.pool) else { return Ok(level) };
        let left = pool.units.steps().saturating_sub(*used);
        // Rounded up, so that nobody pays more than the exact sum: a part of a step that is free makes the step free.
        let free = left.div_ceil(u128::from(share.weight).max(1)).min(rise.steps());
        let taken = rise.steps().checked_mul(u128::from(share.weight)).ok_or(RatingError::Overflow)?;
        *used = used.checked_add(taken).ok_or(RatingError::Overflow)?;
        let pooled = level.pooled.checked_add(Units::from_steps(free)).ok_or(RatingError::Overflow)?;
        Ok(Level { pooled, ..level })
    }

    /// Puts a cell at a level.
    fn set(&mut self, cell: &Cell, level: Level) -> Result<(), RatingError> {
        self.state.levels.insert(cell.clone(), level);
        self.rate(cell, level)
    }

    /// Rates a cell at its level.
    #[expect(clippy::arithmetic_side_effects, reason = "big rationals have no range to leave")]
    fn rate(&mut self, cell: &Cell, level: Level) -> Result<(), RatingError> {
        let now = (self.state.until, |other: &Cell| self.level(other));
        let total = self.window.total(cell, level, now)?;
        if let Some(before) = self.state.totals.get(cell).or_else(|| self.window.state.totals.get(cell)) {
            self.state.exact -= before;
        }
        self.state.exact += &total;
        self.state.totals.insert(cell.clone(), total);
        Ok(())
    }
}

/// The windows of one period, oldest first.
#[derive(Clone, Debug, Default)]
pub struct PeriodRating {
    time: Weighing,
    windows: Vec<Window>,
}

impl PeriodRating {
    /// A period of these windows, each as its rates and the levels it has reached.
    ///
    /// # Errors
    /// [`RatingError`] as of [`Window::new`].
    pub fn new(windows: impl IntoIterator<Item = (Arc<RateCard>, Levels)>) -> Result<PeriodRating, RatingError> {
        let mut period = PeriodRating::default();
        for (card, levels) in windows {
            period.open(card, levels)?;
        }
        Ok(period)
    }

    /// A period without windows, by whose time levels that last are weighted.
    pub fn timed(time: Weighing) -> PeriodRating {
        PeriodRating { time, windows: Vec::new() }
    }

    /// Adds a window that begins where the last one ends.
    ///
    /// # Errors
    /// [`RatingError`] as of [`Window::new`].
    pub fn open(&mut self, card: Arc<RateCard>, levels: Levels) -> Result<(), RatingError> {
        self.reopen(card, levels, None)
    }

    /// Adds a window as it is kept, in which levels that last have held up to a moment.
    ///
    /// # Errors
    /// [`RatingError`] as of [`Window::new`].
    pub fn reopen(&mut self, card: Arc<RateCard>, levels: Levels, until: Option<Timestamp>) -> Result<(), RatingError> {
        let last = self.windows.last();
        let begun = last.map_or(self.time.start, |window| window.state.until);
        let until = until.map_or(begun, |until| until.max(begun));
        let start = last.map(|window| window.next(&card)).transpose()?.unwrap_or_default();
        let mut levels = levels;
        if card.has_lasting() && until > begun {
            let going_on: Vec<(Cell, Level)> =
                start.going_on(&card).filter(|(cell, _)| !levels.contains_key(cell)).collect();
            levels.extend(going_on);
        }
        self.windows.push(Window::timed(card, start, levels, (self.time, until))?);
        Ok(())
    }

    /// Lets levels that last hold up to a moment in a window that no later one has charges in yet. Returns what that posts.
    ///
    /// # Errors
    /// [`RatingError::Overflow`] outside 128 bits.
    pub fn pass(&mut self, window: usize, to: Timestamp) -> Result<Nanos, RatingError> {
        let Some(passing) = self.windows.get_mut(window) else { return Ok(Nanos::ZERO) };
        let change = passing.pass(to)?;
        self.follow(window)?;
        Ok(change)
    }

    /// The first of the windows up to one in which the level of a meter has lasted without a break: reports before it set another level.
    pub fn lasting_since(&self, window: usize, meter: &Key) -> usize {
        let before = self.windows.get(..window).unwrap_or_default();
        before.iter().rposition(|before| !before.card.lasts(meter)).map_or(0, |last| last.saturating_add(1))
    }

    /// Lets the windows after one begin where it ends.
    fn follow(&mut self, window: usize) -> Result<(), RatingError> {
        let mut windows = self.windows.iter_mut().skip(window);
        let Some(mut last) = windows.next() else { return Ok(()) };
        for later in windows {
            later.start = last.next(&later.card)?;
            later.state.until = later.state.until.max(last.state.until);
            later.state.pools = later.used_of_pools()?;
            last = later;
        }
        Ok(())
    }

    /// Its last window.
    pub fn into_last(mut self) -> Option<Window> {
        self.windows.pop()
    }

    /// Its windows, oldest first.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// The exact price of a meter's cells over all windows.
    pub fn of_meter(&self, meter: &Key) -> ExactNanos {
        let totals = self.windows.iter().flat_map(|window| &window.state.totals);
        curve::sum(totals.filter(|(cell, _)| cell.meter() == meter).map(|(_, exact)| exact))
    }

    /// Admits a report in a window that no later one has charges in yet: later ones begin where it ends.
    ///
    /// # Errors
    /// [`RatingError`] as of [`Window::admit`], or for a window that is not there.
    pub fn admit(&mut self, window: usize, cell: &Cell, report: Report) -> Result<Rated, RatingError> {
        let admitting = self.windows.get_mut(window).ok_or_else(|| RatingError::UnknownMeter(cell.to_string()))?;
        let rated = admitting.admit(cell, report)?;
        self.follow(window)?;
        Ok(rated)
    }

    /// The cells whose reports [`PeriodRating::void`] needs to take one of this cell out; none where sums tell what is left.
    pub fn replayed_with(&self, cell: &Cell) -> BTreeSet<Cell> {
        let mut meters = BTreeSet::from([cell.meter()]);
        let mut open = vec![cell.meter()];
        while let Some(meter) = open.pop() {
            for window in &self.windows {
                open.extend(window.card.together(meter).into_iter().filter(|other| meters.insert(other)));
            }
        }
        if meters.len() == 1 && !self.windows.iter().any(|window| window.card.share(cell.meter()).is_some()) {
            let adds = |window: &Window| {
                let aggregation = window.card.aggregation(cell.meter());
                matches!(aggregation, None | Some(Aggregation::Sum | Aggregation::Count))
            };
            let is_additive = self.windows.iter().all(adds);
            return if is_additive { BTreeSet::new() } else { BTreeSet::from([cell.clone()]) };
        }
        let used = self.windows.iter().flat_map(|window| window.state.levels.keys());
        used.filter(|used| meters.contains(used.meter())).cloned().collect()
    }

    /// Takes a report out again, and returns by how much that changes what is posted over all windows. Windows after its own
    /// stood on it, so they are rated again too. `others` are the reports that still count of the cells that
    /// [`PeriodRating::replayed_with`] names, in the order in which they were admitted.
    ///
    /// # Errors
    /// [`RatingError`]; then the period is unchanged.
    pub fn void(&mut self, voided: &Counted, others: &[Counted]) -> Result<Nanos, RatingError> {
        let replayed = self.replayed_with(&voided.cell);
        let levels =
            if replayed.is_empty() { self.levels_without(voided)? } else { self.levels_of(&replayed, others)? };
        let mut next = PeriodRating::timed(self.time);
        for (window, levels) in self.windows.iter().zip(levels) {
            let mut reached = window.state.levels.clone();
            reached.extend(levels);
            next.reopen(Arc::clone(&window.card), reached, Some(window.state.until))?;
        }
        let change = next.posted()?.minus(self.posted()?).map_err(|_| RatingError::Overflow)?;
        *self = next;
        Ok(change)
    }

    /// Sum of what its windows have posted.
    fn posted(&self) -> Result<Nanos, RatingError> {
        let add = |sum: Nanos, window: &Window| sum.plus(window.rated()?).map_err(|_| RatingError::Overflow);
        self.windows.iter().try_fold(Nanos::ZERO, add)
    }

    /// A summed cell's level in each window, less what one report added.
    fn levels_without(&self, voided: &Counted) -> Result<Vec<Levels>, RatingError> {
        let lower = |(index, window): (usize, &Window)| {
            let Some(level) = window.state.levels.get(&voided.cell) else { return Ok(Levels::new()) };
            if index < voided.window {
                return Ok(Levels::new());
            }
            let units = level.units.checked_sub(voided.units).ok_or(RatingError::Overflow)?;
            Ok(Levels::from([(voided.cell.clone(), Level { units, ..Level::default() })]))
        };
        self.windows.iter().enumerate().map(lower).collect()
    }

    /// The levels of cells in each window, from all reports that count.
    fn levels_of(&self, cells: &BTreeSet<Cell>, all_counted: &[Counted]) -> Result<Vec<Levels>, RatingError> {
        if let Some(levels) = self.lasting_levels_of(cells, all_counted) {
            return levels;
        }
        let mut reached = Levels::new();
        let mut keys = BTreeSet::new();
        let mut all = Vec::with_capacity(self.windows.len());
        for (index, window) in self.windows.iter().enumerate() {
            // Only what cells of one pool have used counts for it, and all of those are among them.
            // Levels that last are no quantities of another kind.
            reached.retain(|cell, _| {
                let before = index.checked_sub(1).and_then(|before| self.windows.get(before));
                before.is_none_or(|before| before.card.lasts(cell.meter()) == window.card.lasts(cell.meter()))
            });
            let time = (self.time, window.state.until);
            let start = Start::of_levels(&reached);
            let mut again = Window::timed(Arc::clone(&window.card), start, Levels::new(), time)?;
            for (place, counted) in all_counted.iter().enumerate().filter(|(_, counted)| counted.window == index) {
                let is_new_key =
                    counted.unique_key.as_ref().is_some_and(|key| keys.insert((counted.cell.clone(), key.clone())));
                let since = self.lasting_since(index, counted.cell.meter());
                let before = || all_counted.iter().take(place).filter(|before| before.window >= since);
                let lasts = window.card.lasts(counted.cell.meter());
                let around = lasts.then(|| counted.around(before())).flatten();
                let report = Report { units: counted.units, is_new_key, at: counted.at, around };
                again.admit(&counted.cell, report)?;
            }
            reached = again.end();
            let own = cells.iter().filter(|cell| window.state.levels.contains_key(cell));
            let level = |cell: &Cell| (cell.clone(), reached.get(cell).copied().unwrap_or_default());
            all.push(own.map(level).collect());
        }
        Ok(all)
    }

    /// The same of one cell whose level lasts in all windows that know its meter, which follow each other: then it is that of all reports up
    /// to each window.
    fn lasting_levels_of(
        &self,
        cells: &BTreeSet<Cell>,
        counted: &[Counted],
    ) -> Option<Result<Vec<Levels>, RatingError>> {
        let cell = cells.first().filter(|_| cells.len() == 1)?;
        let knows = |window: &&Window| window.card.aggregation(cell.meter()).is_some();
        let lasts = |window: &&Window| window.card.lasts(cell.meter());
        let begins_anew =
            self.windows.iter().skip_while(|window| !lasts(window)).skip_while(lasts).any(|window| lasts(&window));
        if begins_anew || !self.windows.iter().filter(knows).all(|window| lasts(&window)) {
            return None;
        }
        let level = |(index, window): (usize, &Window)| {
            if !window.state.levels.contains_key(cell) {
                return Ok(Levels::new());
            }
            let known = counted.iter().filter(|counted| counted.window <= index && counted.cell == *cell);
            let points: Vec<(Timestamp, Units)> = known.map(|counted| (counted.at, counted.units)).collect();
            let level = Level::over(self.time, &points).ok_or(RatingError::Overflow)?;
            Ok(Levels::from([(cell.clone(), level)]))
        };
        Some(self.windows.iter().enumerate().map(level).collect())
    }
}

fn aggregate(aggregation: Aggregation, level: Level, report: Report, time: Weighing) -> Option<Level> {
    let units = match aggregation {
        // A report on a meter that counts is of one unit, or of as many as it stands for.
        Aggregation::Sum | Aggregation::Count => level.units.checked_add(report.units)?,
        Aggregation::Max => level.units.max(report.units),
        // What happened before the report that set the level, and comes late, changes nothing.
        Aggregation::Last if level.as_of.is_some_and(|as_of| report.at < as_of) => return Some(level),
        Aggregation::Last => return Some(Level { units: report.units, as_of: Some(report.at), ..level }),
        Aggregation::Unique if report.is_new_key => level.units.checked_add(Units::ONE)?,
        Aggregation::Unique => level.units,
        Aggregation::TimeWeighted => return level.set(report.at, report.units, report.around, time),
    };
    Some(Level { units, as_of: None, ..level })
}

/// An exact amount, rounded down to a nano.
///
/// # Errors
/// [`RatingError::Overflow`] outside 128 bits.
pub fn floor(exact: &ExactNanos) -> Result<Nanos, RatingError> {
    exact.floor().to_integer().to_i128().map(Nanos::new).ok_or(RatingError::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::ir::{Included, IncludedEach, MeterPrice, PerUnits, Tier};
    use crate::money::amount::Micros;
    use crate::money::card::Basis;
    use crate::money::curve::ExactSteps;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    fn key(text: &str) -> Key {
        Key::try_from(text.to_owned()).unwrap()
    }

    fn linear(micros: u64, per: u64, included: u32) -> MeterPrice {
        MeterPrice::Linear {
            meter: key("m"),
            micros: Micros::try_from(micros).unwrap(),
            per: PerUnits::try_from(per).unwrap(),
            included_units: Included::Units(Units::from(included)),
            round: None,
            min_cents: None,
            max_cents: None,
        }
    }

    fn graduated(tiers: Vec<Tier>) -> MeterPrice {
        let included_units = Included::default();
        MeterPrice::Graduated { meter: key("m"), tiers, included_units, min_cents: None, max_cents: None }
    }

    fn volume(tiers: Vec<Tier>) -> MeterPrice {
        let included_units = Included::default();
        MeterPrice::Volume { meter: key("m"), tiers, included_units, min_cents: None, max_cents: None }
    }

    fn card(aggregation: Aggregation, price: &MeterPrice) -> Arc<RateCard> {
        let meter = key("m");
        Arc::new(RateCard::new(
            [(&meter, Basis { aggregation, by: &[] })],
            std::slice::from_ref(price),
            &BTreeMap::new(),
        ))
    }

    fn m() -> Cell {
        Cell::from(key("m"))
    }

    fn tiered(ends: &[(Option<u64>, u64)]) -> Vec<Tier> {
        ends.iter()
            .map(|&(up_to, micros)| {
                let micros = Micros::try_from(micros).unwrap();
                Tier { up_to, micros, per: PerUnits::ONE, flat_micros: None, round: None }
            })
            .collect()
    }

    fn cost(price: &MeterPrice, before: u32, quantity: u32) -> ExactNanos {
        let standing = |units| Standing { quantity: Units::from(units).into(), ..Standing::default() };
        let reached = before.checked_add(quantity).unwrap();
        let base = Base { standing: standing(before), charged: ExactNanos::zero() };
        card(Aggregation::Sum, price).cost(&m(), &base, standing(reached), |_| ExactSteps::zero())
    }

    fn window(price: MeterPrice, aggregation: Aggregation) -> Window {
        Window::new(card(aggregation, &price), Start::default(), Levels::new()).unwrap()
    }

    fn report(units: &str) -> Report {
        Report { units: units.parse().unwrap(), is_new_key: true, at: Timestamp::UNIX_EPOCH, around: None }
    }

    fn post(window: &mut Window, units: &str) -> (i128, i128) {
        let rated = window.admit(&m(), report(units)).unwrap();
        (rated.charge.get(), rated.remainder.get())
    }

    #[test]
    fn three_thirds_of_a_micro_are_a_thousand_nanos() {
        let mut window = window(linear(1, 3, 0), Aggregation::Sum);
        let posted: Vec<_> = (0..3).map(|_| post(&mut window, "1")).collect();
        assert_eq!(posted, [(333, 0), (333, 0), (333, 1)]);
        assert_eq!(window.rated().unwrap().get(), 1000);
    }

    #[test]
    fn seven_charges_of_seven_tenths_are_four_nanos() {
        // 0.7 nanos are 0.0007 micros: 7 micros per 10,000 units.
        let mut window = window(linear(7, 10_000, 0), Aggregation::Sum);
        let posted: i128 = (0..7).map(|_| post(&mut window, "1")).map(|(charge, remainder)| charge + remainder).sum();
        assert_eq!(posted, 4);
        assert_eq!(window.rated().unwrap().get(), 4);
    }

    #[test]
    fn a_million_tokens_at_fifteen_cents_a_million() {
        let mut window = window(linear(150_000, 1_000_000, 0), Aggregation::Sum);
        assert_eq!(post(&mut window, "1000000"), (150_000_000, 0));
    }

    #[test]
    fn included_units_are_free_in_admission_order() {
        let mut window = window(linear(2, 1, 100), Aggregation::Sum);
        assert_eq!(post(&mut window, "60"), (0, 0));
        assert_eq!(post(&mut window, "60"), (40_000, 0));
        assert_eq!(post(&mut window, "0.5"), (1_000, 0));
    }

    #[test]
    fn tiers_split_or_take_the_whole() {
        let by_tier = graduated(tiered(&[(Some(10), 5), (Some(20), 3), (None, 1)]));
        assert_eq!(cost(&by_tier, 0, 25), ExactNanos::from_integer(BigInt::from((50 + 30 + 5) * 1000)));
        let by_volume = volume(tiered(&[(Some(10), 5), (None, 1)]));
        assert_eq!(cost(&by_volume, 0, 10), ExactNanos::from_integer(BigInt::from(50_000)));
        assert_eq!(cost(&by_volume, 0, 11), ExactNanos::from_integer(BigInt::from(11_000)));
    }

    #[test]
    fn units_used_before_count_against_included_units_and_tiers() {
        let nanos = |n: u32| ExactNanos::from_integer(BigInt::from(n));
        assert_eq!(cost(&linear(2, 1, 100), 60, 60), nanos(40_000), "40 were left of 100");
        assert_eq!(cost(&linear(2, 1, 100), 500, 60), nanos(120_000), "none was left");
        let by_tier = graduated(tiered(&[(Some(10), 5), (None, 1)]));
        assert_eq!(cost(&by_tier, 8, 4), nanos(2 * 5_000 + 2 * 1_000));
        let by_volume = volume(tiered(&[(Some(10), 5), (None, 1)]));
        assert_eq!(cost(&by_volume, 8, 4), nanos(4_000), "twelve reach the second tier; only four are paid here");
    }

    #[test]
    fn aggregations_make_one_quantity() {
        for (aggregation, wanted) in
            [(Aggregation::Sum, "9"), (Aggregation::Count, "9"), (Aggregation::Max, "5"), (Aggregation::Last, "1")]
        {
            let mut window = window(linear(1, 1, 0), aggregation);
            for units in ["3", "5", "1"] {
                post(&mut window, units);
            }
            assert_eq!(window.levels().values().next().unwrap().units.to_string(), wanted, "{aggregation:?}");
        }
    }

    #[test]
    fn distinct_values_count_once() {
        let mut window = window(linear(1, 1, 0), Aggregation::Unique);
        assert_eq!(
            (window.card().aggregation(&key("m")), window.card().aggregation(&key("x"))),
            (Some(Aggregation::Unique), None)
        );
        for (is_new_key, wanted) in [(true, 1_000), (false, 1_000), (true, 2_000)] {
            window.admit(&m(), Report { is_new_key, ..report("9") }).unwrap();
            assert_eq!(window.rated().unwrap().get(), wanted);
        }
    }

    #[test]
    fn a_price_that_leaves_128_bits_is_an_error_and_changes_nothing() {
        let mut window = window(linear(9_007_199_254_740_991, 1, 0), Aggregation::Sum);
        let huge = report("1000000000000000");
        let admitted = (0..30_000).take_while(|_| window.admit(&m(), huge).is_ok()).count();
        assert_eq!(admitted, 18_889, "i128::MAX nanos are 18,889 such charges");
        let before = window.exact().clone();
        assert_eq!(window.admit(&m(), huge), Err(RatingError::Overflow));
        assert_eq!(*window.exact(), before);
        assert!(matches!(window.admit(&Cell::from(key("x")), huge), Err(RatingError::UnknownMeter(_))));
    }

    fn period(aggregation: Aggregation, prices: &[MeterPrice]) -> PeriodRating {
        PeriodRating::new(prices.iter().map(|price| (card(aggregation, price), Levels::new()))).unwrap()
    }

    fn report_in(period: &mut PeriodRating, window: usize, report: Report) {
        period.admit(window, &m(), report).unwrap();
    }

    fn posted(period: &PeriodRating) -> Vec<i128> {
        period.windows().iter().map(|window| window.rated().unwrap().get()).collect()
    }

    #[test]
    fn a_move_charges_no_user_peak_or_level_twice() {
        for (aggregation, then, wanted) in [
            (Aggregation::Max, "100", [1_000, 0]),
            (Aggregation::Max, "130", [1_000, 300]),
            (Aggregation::Max, "60", [1_000, 0]),
            (Aggregation::Last, "100", [1_000, 0]),
            (Aggregation::Last, "60", [1_000, -400]),
            (Aggregation::Last, "130", [1_000, 300]),
        ] {
            let price = linear(10, 1_000, 0);
            let mut period = period(aggregation, &[price.clone(), price]);
            report_in(&mut period, 0, report("100"));
            report_in(&mut period, 1, report(then));
            assert_eq!(posted(&period), wanted, "{aggregation:?} {then}");
        }
        let included = linear(10, 1, 100);
        let mut level = period(Aggregation::Last, &[included.clone(), included]);
        report_in(&mut level, 0, report("100"));
        report_in(&mut level, 1, report("100"));
        assert_eq!(posted(&level), [0, 0], "what is included is included once, and enough");
    }

    #[test]
    fn a_level_is_that_of_the_newest_report_in_whatever_order_they_come() {
        let moment = |day: i64| Timestamp::from_second(day.checked_mul(86_400).unwrap()).unwrap();
        let reports = [(1, "5"), (2, "9"), (3, "7")];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            let mut window = window(linear(1, 1, 0), Aggregation::Last);
            for index in order {
                let (day, units) = reports[index];
                window.admit(&m(), Report { at: moment(day), ..report(units) }).unwrap();
            }
            assert_eq!(window.levels()[&m()].units.to_string(), "7", "{order:?}");
        }
    }

    /// A meter of one micro a unit, with a free unit for each of another one.
    fn with_each(meter: &str, per: &str) -> MeterPrice {
        MeterPrice::Linear {
            meter: key(meter),
            micros: Micros::try_from(1).unwrap(),
            per: PerUnits::ONE,
            included_units: Included::Each(IncludedEach { per: key(per), units: Units::ONE }),
            round: None,
            min_cents: None,
            max_cents: None,
        }
    }

    #[test]
    fn a_window_that_is_read_again_holds_what_it_held() {
        let meters = ["m", "c", "u"].map(key);
        let basis = |meter| (meter, Basis { aggregation: Aggregation::Sum, by: &[][..] });
        let prices = [with_each("m", "c"), with_each("c", "u")];
        let card = Arc::new(RateCard::new(meters.iter().map(basis), &prices, &BTreeMap::new()));
        let of = |meter: &str| Cell::from(key(meter));
        let mut period = PeriodRating::new([(Arc::clone(&card), Levels::new()), (card, Levels::new())]).unwrap();
        for meter in ["m", "c", "u"] {
            period.admit(0, &of(meter), report("5")).unwrap();
        }
        period.admit(1, &of("u"), report("1")).unwrap();
        let held = period.windows()[1].levels().clone();
        assert_eq!(held.keys().cloned().collect::<Vec<_>>(), [of("c"), of("u")], "the free units of c go by u");
        for _ in 0..2 {
            let mut again = PeriodRating::default();
            for window in period.windows() {
                again.reopen(Arc::clone(&window.card), window.levels().clone(), None).unwrap();
            }
            assert_eq!(again.windows()[1].levels(), &held, "m goes by c, which is only rated again");
            assert_eq!(posted(&again), posted(&period));
            period = again;
        }
    }

    #[test]
    fn what_is_void_was_never_used() {
        let tiers = tiered(&[(Some(100), 30), (None, 20)]);
        let by_volume = volume(tiers);
        let sum = |window, units: &str| Counted { window, ..counted(units, None) };
        let mut summed = period(Aggregation::Sum, &[by_volume.clone(), linear(7, 1, 150)]);
        report_in(&mut summed, 0, report("60"));
        report_in(&mut summed, 0, report("60"));
        report_in(&mut summed, 1, report("50"));
        assert_eq!(posted(&summed), [2_400_000, 140_000]);
        let change = summed.void(&sum(0, "60"), &[]).unwrap();
        assert_eq!(posted(&summed), [1_800_000, 0], "the second window stands on less, and has more included");
        assert_eq!(change.get(), 1_800_000 - 2_540_000);
        for (aggregation, left, wanted) in [
            (Aggregation::Max, vec![counted("3", None), counted("5", None)], 5_000),
            (Aggregation::Last, vec![counted("5", None), counted("3", None)], 3_000),
            (Aggregation::Unique, vec![counted("1", Some("a")), counted("1", Some("b"))], 2_000),
            (Aggregation::Max, Vec::new(), 0),
        ] {
            let mut period = period(aggregation, &[linear(1, 1, 0)]);
            report_in(&mut period, 0, report("9"));
            period.void(&counted("9", Some("a")), &left).unwrap();
            assert_eq!(posted(&period), [wanted], "{aggregation:?}");
        }
        let before = posted(&summed);
        let broken = summed.void(&sum(0, "999"), &[]);
        assert_eq!((broken, posted(&summed)), (Err(RatingError::Overflow), before), "more than was used");
    }

    fn counted(units: &str, unique_key: Option<&str>) -> Counted {
        let unique_key = unique_key.map(str::to_owned);
        Counted { window: 0, cell: m(), units: units.parse().unwrap(), unique_key, at: Timestamp::UNIX_EPOCH }
    }

    proptest! {
        #[test]
        fn posted_is_the_floor_of_the_exact_total_after_every_charge(
            micros in 0_u64..2_000_000, per in 1_u64..1_000_000, included in 0_u32..50,
            charges in prop::collection::vec((0_u64..10_000, 0_u32..1_000_000_000), 1..40),
        ) {
            let mut window = window(linear(micros, per, included), Aggregation::Sum);
            let mut posted = 0_i128;
            for (whole, billionths) in charges {
                let (charge, remainder) = post(&mut window, &format!("{whole}.{billionths:09}"));
                prop_assert!(charge >= 0 && (0..=1).contains(&remainder));
                posted = posted.checked_add(charge).unwrap().checked_add(remainder).unwrap();
                let rated = window.exact().floor().to_integer();
                prop_assert_eq!(&BigInt::from(posted), &rated);
                prop_assert!(ExactNanos::from_integer(BigInt::from(posted)) <= *window.exact());
            }
        }

        #[test]
        fn resuming_a_window_changes_nothing(charges in prop::collection::vec(0_u64..1_000, 1..20)) {
            let price = volume(tiered(&[(Some(100), 7), (Some(900), 3), (None, 2)]));
            let mut whole = window(price.clone(), Aggregation::Sum);
            let mut resumed = window(price, Aggregation::Sum);
            for units in charges {
                let text = units.to_string();
                let first = post(&mut whole, &text);
                resumed = Window::new(Arc::clone(&resumed.card), Start::default(), resumed.levels().clone()).unwrap();
                prop_assert_eq!(first, post(&mut resumed, &text));
            }
        }
    }
}
