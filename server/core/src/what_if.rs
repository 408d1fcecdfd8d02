//! What publishing a build would do to the subscribers' bills: the usage of each one's period, rated and paid again under the
//! proposal by the invoice's own functions. Nothing is written and nothing locked: subscribers are read in pages, each in a state of
//! its own.

pub use crate::what_if_report::{
    Guard, Keeps, MeterDifference, Quantile, ROWS_MAX, Row, Step, UNPLACED_MAX, Unplaced, UnplacedReason, WhatIf,
    WhatIfPeriod,
};

use crate::audit::Replay;
use crate::beside::give_way;
use crate::businesses;
use crate::core::Core;
use crate::error::CoreError;
use crate::period_ratings::{self, Holding};
use crate::releases::Candidate;
use crate::terms::Terms;
use crate::what_if_report::{About, Report};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use svc_engine::manifest::Manifest;
use svc_engine::manifest::diff::diff;
use svc_engine::manifest::ir::{Aggregation, Key};
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::{BillWindow, SignedCents};
use svc_engine::money::bucket::{Bucket, BucketOrigin, BucketState};
use svc_engine::money::card::RateCard;
use svc_engine::money::cell::Cell;
use svc_engine::money::ledger::PeriodTotals;
use svc_engine::money::level::Weighing;
use svc_engine::money::rating::{self, Levels, PeriodRating};
use svc_engine::money::what_if::{self, Comparison, MeterChange, PastPeriod, WhatIfError};
use svc_store::past_periods::{SubscribersPeriod, WhichPeriod};
use svc_store::records::{Charge, EntryKind, Id, Projection, StoredPeriod, StoredWindow};
use svc_store::{Connection, Mode, Store, Tx};

/// Subscribers that are read at once: few enough that a database is done with them before anybody else waits for the processor.
const PAGE: u32 = 25;
/// Charges that are read at once, where a meter is to count otherwise.
const CHARGES_PAGE: u32 = 125;

impl From<WhatIfError> for CoreError {
    fn from(error: WhatIfError) -> Self {
        match error {
            WhatIfError::Rating(error) => error.into(),
            WhatIfError::Ledger(error) => error.into(),
        }
    }
}

/// What is proposed, as periods are rated under it.
struct Proposal(BTreeMap<String, Terms>);

impl Proposal {
    fn of(manifest: &Manifest) -> Proposal {
        let terms = |plan: &svc_engine::manifest::ir::Plan| {
            (plan.key.to_string(), Terms::new(Projection::new(manifest, plan, 0)))
        };
        Proposal(manifest.plans.iter().map(terms).collect())
    }
}

/// What windows were rated under, by release and plan; nothing where it is missing or altered.
type KnownTerms = HashMap<(Id, String), Option<Arc<Terms>>>;

/// What the store has of a page's periods, by subscription.
struct Page {
    windows: BTreeMap<Id, Vec<StoredWindow>>,
    levels: BTreeMap<Id, Levels>,
    buckets: BTreeMap<Id, Vec<Bucket>>,
    invoices: BTreeMap<Id, String>,
}

impl Page {
    async fn read<C: Connection>(
        tx: &mut Tx<C>,
        business: &Id,
        periods: &[SubscribersPeriod],
    ) -> Result<Page, CoreError> {
        let windows = tx.windows_of_periods(business, periods).await?;
        let ids = windows.values().flatten().map(|window| window.id.to_string()).collect();
        Ok(Page {
            levels: tx.levels_of_windows(business, ids).await?,
            buckets: tx.buckets_of_periods(business, periods).await?,
            invoices: tx.invoices_of_periods(business, periods).await?,
            windows,
        })
    }
}

impl<S: Store> Core<S> {
    /// Says what publishing a build would do to the bills of a business's live subscribers. With `max_increase_basis_points` it
    /// counts whose bill would rise by more.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business or build; [`CoreError::Invalid`] where the build can't be published;
    /// [`CoreError::Store`].
    pub async fn what_if(
        &self,
        business: &Id,
        build: &Id,
        period: WhatIfPeriod,
        max_increase_basis_points: Option<u64>,
        now: Timestamp,
    ) -> Result<WhatIf, CoreError> {
        let candidate = self.candidate(business, build).await?;
        let report = Report::new(max_increase_basis_points);
        let _place = self.comparisons_place().await?;
        let business = business.clone();
        self.beside(move |core| async move { core.compare_with(&business, candidate, period, report, now).await }).await
    }

    async fn compare_with(
        &self,
        business: &Id,
        candidate: Candidate,
        period: WhatIfPeriod,
        report: Report,
        now: Timestamp,
    ) -> Result<WhatIf, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let active = tx.active_release(business).await?;
        let before = match &active {
            Some(active) => self.manifest(&mut tx, business, &active.id).await?,
            None => None,
        };
        let live = tx.count_live_subscriptions(business).await?;
        drop(tx);
        let after = Arc::clone(&candidate.manifest);
        let changes = self.aside(move || diff(before.as_deref(), Some(&after))).await?;
        let mut run =
            Run { business, proposal: Proposal::of(&candidate.manifest), known: KnownTerms::new(), report, now };
        let found = self.compare_all(&mut run, period).await?;
        run.report.done(About {
            period,
            as_of: now,
            active_hash: active.map(|active| active.ir_hash),
            proposed_hash: candidate.hash,
            routes_changed: changes.iter().any(|change| change.resource == "routes" && change.economic),
            live,
            found,
        })
    }

    /// Compares page by page. Returns how many subscribers have such a period.
    async fn compare_all(&self, run: &mut Run<'_>, period: WhatIfPeriod) -> Result<u64, CoreError> {
        let which = match period {
            WhatIfPeriod::LastPeriod => WhichPeriod::Last,
            WhatIfPeriod::OpenPeriod => WhichPeriod::Open,
        };
        let (mut after, mut found) = (Id::named(""), 0_u64);
        loop {
            // One consistent state per page; a long comparison holds up nobody.
            let mut tx = self.store.begin(Mode::Read).await?;
            let periods = tx.subscribers_periods(run.business, &after, which, run.now, PAGE).await?;
            let Some(last) = periods.last() else { return Ok(found) };
            after = last.period.subscription.id.clone();
            let mut page = Page::read(&mut tx, run.business, &periods).await?;
            for of in periods {
                found = found.saturating_add(1);
                give_way();
                run.compare(&mut tx, of, &mut page).await?;
            }
        }
    }
}

/// A comparison under way.
struct Run<'r> {
    business: &'r Id,
    proposal: Proposal,
    known: KnownTerms,
    report: Report,
    now: Timestamp,
}

impl Run<'_> {
    /// What a window, or a period's end, is rated under.
    async fn terms<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        release: &Id,
        plan: &str,
    ) -> Result<Option<Arc<Terms>>, CoreError> {
        let key = (release.clone(), plan.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let stored = tx.projection(self.business, release, plan).await?;
        let terms = stored.as_ref().and_then(Terms::verified);
        self.known.insert(key, terms.clone());
        Ok(terms)
    }

    async fn compare<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        mut of: SubscribersPeriod,
        page: &mut Page,
    ) -> Result<(), CoreError> {
        let id = of.period.subscription.id.clone();
        let mut windows = page.windows.remove(&id).unwrap_or_default();
        let mut cards = Vec::with_capacity(windows.len());
        let end = self.terms(tx, &of.period.release, &of.period.plan).await?;
        for window in &windows {
            cards.extend(self.terms(tx, &window.release, &window.plan).await?);
        }
        let Some(end) = end.filter(|_| cards.len() == windows.len()) else {
            self.unplaceable(&of, UnplacedReason::TermsMissing);
            return Ok(());
        };
        let kept_plan = !self.proposal.0.contains_key(&of.period.plan);
        let plan = self.proposal.0.get(&of.period.plan).unwrap_or(&end);
        if plan.plan.period_interval() != end.plan.period_interval() {
            self.unplaceable(&of, UnplacedReason::IntervalChanged);
            return Ok(());
        }
        let plan = plan.plan.clone();
        let mut levels: Vec<Levels> =
            windows.iter().map(|window| page.levels.remove(&window.id).unwrap_or_default()).collect();
        let time = period_ratings::weighing(&of.period, end.plan.period_interval())?;
        let own = cards.iter().map(|terms| terms.card()).zip(levels.clone());
        let mut old = rated(time, own, &windows)?;
        if of.period.index == of.open {
            let buckets = page.buckets.entry(id.clone()).or_default();
            let mut holding = Holding { period: &mut of.period, windows: &mut windows, buckets, terms: &end };
            holding.up_to_now(&mut old, self.now)?;
        }
        let until = self.now.min(of.period.end);
        if let Some(rest) = rest(&of.period, &windows, until) {
            old.open(end.card(), Levels::new())?;
            windows.push(rest);
            cards.push(Arc::clone(&end));
            levels.push(Levels::new());
        }
        let placed = Placed::new(&self.proposal, &windows, &cards, levels);
        let new = placed.rate(tx, (&of.period, time, until), &windows).await?;
        let mut past = past(&of, &end, &windows, self.now, page)?;
        if needs_payers(&past, &old, &new, &plan)? && of.period.index != of.open {
            note_payers(tx, &of.period, &mut past.buckets).await?;
        }
        let comparison = what_if::compare(&past, &old, &new, &plan)?;
        for ((place, cell), reason) in &placed.missing {
            let (subscription_id, subject) = (id.clone(), of.subject.clone());
            let Some((window, rated)) = windows.get(*place).zip(old.windows().get(*place)) else { continue };
            let charges = tx.count_charges_of_cell(&of.period.subscription, &window.id, cell).await?;
            let exact = rated.cells().find(|(used, _)| *used == cell).map(|(_, total)| total.exact);
            let old_nanos = exact.map_or(Ok(Nanos::ZERO), |exact| rating::floor(&exact))?;
            let meter = Some(cell.meter().clone());
            let unplaced = Unplaced { subscription_id, subject, reason: *reason, meter, charges, old_nanos };
            self.report.unplaced(unplaced);
        }
        let row = row(&of, &end, &comparison, kept_plan)?;
        self.report.add(row, comparison.meters.iter().map(meter_difference).collect())
    }

    fn unplaceable(&mut self, of: &SubscribersPeriod, reason: UnplacedReason) {
        self.report.unplaced(Unplaced {
            subscription_id: of.period.subscription.id.clone(),
            subject: of.subject.clone(),
            reason,
            meter: None,
            charges: 0,
            old_nanos: Nanos::ZERO,
        });
    }
}

/// The usage of a period's windows as the proposal takes it.
struct Placed {
    /// Rates of each window, and the levels that meters which count as before have reached.
    windows: Vec<(Arc<RateCard>, Levels)>,
    /// Whether some meter counts otherwise, so that its charges are to be counted again.
    recounts: bool,
    /// Cells that can't be placed, by the window that they were used in.
    missing: BTreeMap<(usize, Cell), UnplacedReason>,
}

impl Placed {
    fn new(proposal: &Proposal, windows: &[StoredWindow], cards: &[Arc<Terms>], levels: Vec<Levels>) -> Placed {
        let mut placed = Placed { windows: Vec::new(), recounts: false, missing: BTreeMap::new() };
        for (place, ((window, own), levels)) in windows.iter().zip(cards).zip(levels).enumerate() {
            let card = proposal.0.get(&window.plan).unwrap_or(own).card();
            let mut kept = Levels::new();
            for (cell, level) in levels {
                let before = own.card().aggregation(cell.meter()).unwrap_or(Aggregation::Sum);
                match card.aggregation(cell.meter()) {
                    None => {
                        placed.missing.insert((place, cell), UnplacedReason::MeterMissing);
                    }
                    Some(Aggregation::Unique) if before != Aggregation::Unique => {
                        placed.missing.insert((place, cell), UnplacedReason::UniqueKeyMissing);
                    }
                    Some(Aggregation::Count) if before != Aggregation::Count && !level.units.is_whole() => {
                        placed.missing.insert((place, cell), UnplacedReason::CountOfParts);
                    }
                    Some(_) if cell.by().len() != card.attributes(cell.meter()).len() || !card.admits(&cell) => {
                        placed.missing.insert((place, cell), UnplacedReason::CellWithoutPrice);
                    }
                    Some(after) => {
                        placed.recounts |= after != before && !(adds(after) && adds(before));
                        placed.recounts |= !card.pools_as(cell.meter(), &own.card());
                        kept.insert(cell, level);
                    }
                }
            }
            placed.windows.push((Arc::clone(&card), kept));
        }
        // A level begins anew behind a window that does not have its meter: where there is such a window is another thing by then.
        let used: BTreeSet<&Cell> = placed.windows.iter().flat_map(|(_, levels)| levels.keys()).collect();
        let breaks = |(own, (card, _)): (&Arc<Terms>, &(Arc<RateCard>, Levels))| {
            used.iter().any(|cell| own.card().lasts(cell.meter()) != card.lasts(cell.meter()))
        };
        placed.recounts |= cards.iter().zip(&placed.windows).any(breaks);
        placed
    }

    /// The period's rating under the proposal: from the levels, as an invoice has it, or charge by charge where meters count otherwise.
    async fn rate<C: Connection>(
        &self,
        tx: &mut Tx<C>,
        (period, time, until): (&StoredPeriod, Weighing, Timestamp),
        windows: &[StoredWindow],
    ) -> Result<PeriodRating, CoreError> {
        // A level goes on from the window before: where a cell is placed in one of them alone, it is counted there.
        let is_placed = |cell: &Cell| self.windows.iter().any(|(_, levels)| levels.contains_key(cell));
        if !self.recounts && !self.missing.keys().any(|(_, cell)| is_placed(cell)) {
            return rated(time, self.windows.iter().cloned(), windows);
        }
        let mut empty = PeriodRating::timed(time);
        for (card, _) in &self.windows {
            empty.open(Arc::clone(card), Levels::new())?;
        }
        let mut replay = Replay::new(windows, empty);
        let mut next = 0_u64;
        loop {
            let page: Vec<Charge> = tx.charges(&period.subscription, period.index, next, CHARGES_PAGE).await?;
            let Some(last) = page.last() else {
                // Also in windows that were not rated by time on their own terms.
                let _posted = replay.hold(until)?;
                return Ok(replay.rating);
            };
            next = last.position.saturating_add(1);
            give_way();
            for entry in &page {
                let Some(window) = replay.window(entry) else { continue };
                // What a period took over, and a count, are no reports of another kind of quantity.
                let card = self.windows.get(window).map(|(card, _)| card);
                let is_own = matches!(entry.kind(), EntryKind::Carried | EntryKind::Counted);
                let is_meant = !is_own || card.is_some_and(|card| card.lasts(entry.cell.meter()));
                if !is_meant || self.missing.contains_key(&(window, entry.cell.clone())) {
                    continue;
                }
                let _posted = replay.enter(window, entry)?;
            }
        }
    }
}

/// What is left of a period behind its last window: a window that was never opened, since nothing counted in it on its own terms. Under others
/// a level that lasts may go on in it.
fn rest(period: &StoredPeriod, windows: &[StoredWindow], until: Timestamp) -> Option<StoredWindow> {
    let last = windows.last().filter(|last| last.end < until)?;
    Some(StoredWindow {
        id: Id::named("rest"),
        start: last.end,
        end: period.end,
        release: period.release.clone(),
        plan: period.plan.clone(),
        charge_count: 0,
        rated: Nanos::ZERO,
        rated_until: None,
        ..last.clone()
    })
}

/// A period's rating, from levels that last as long as its windows are rated.
fn rated(
    time: Weighing,
    levels: impl Iterator<Item = (Arc<RateCard>, Levels)>,
    windows: &[StoredWindow],
) -> Result<PeriodRating, CoreError> {
    let mut rating = PeriodRating::timed(time);
    for ((card, levels), window) in levels.zip(windows) {
        rating.reopen(card, levels, window.rated_until)?;
    }
    Ok(rating)
}

/// Whether a quantity is the sum of what was reported.
fn adds(aggregation: Aggregation) -> bool {
    matches!(aggregation, Aggregation::Sum | Aggregation::Count)
}

/// A period as it was before anybody closed it.
fn past<'p>(
    of: &SubscribersPeriod,
    projection: &'p Projection,
    windows: &[StoredWindow],
    now: Timestamp,
    page: &mut Page,
) -> Result<PastPeriod<'p>, CoreError> {
    let period = &of.period;
    let invoice = page.invoices.remove(&period.subscription.id);
    let (totals, closed_true_up) = match invoice.filter(|_| period.invoice.is_some()) {
        Some(body) => {
            let closed = before_close(period.totals, &body)?;
            (closed.totals, Some(closed.true_up))
        }
        None => (period.totals, None),
    };
    let last = period.end.checked_sub(SignedDuration::from_micros(1)).unwrap_or(period.end);
    let buckets = page.buckets.remove(&period.subscription.id).unwrap_or_default();
    let is_open = period.index == of.open;
    let windows = windows.iter().map(|window| BillWindow {
        window_id: window.id.to_string(),
        window_start: window.start,
        window_end: window.end,
        charge_count: window.charge_count,
        rated_nanos: window.rated,
    });
    Ok(PastPeriod {
        time: period.charged_time(),
        end: period.end,
        at: now.min(last),
        recurring_fee_cents: period.recurring_fee_cents,
        current_fee_cents: period.current_fee_cents,
        fee: period.fee,
        own_most_cents: period.own_most_cents,
        totals,
        closed_true_up,
        plan: &projection.plan,
        windows: windows.collect(),
        buckets: if is_open { buckets } else { buckets_at_end(period, buckets)? },
    })
}

/// What an invoice tells of its period.
pub(crate) struct BeforeClose {
    /// The period's sums without what its close posted.
    pub(crate) totals: PeriodTotals,
    /// What the least added.
    pub(crate) true_up: Nanos,
    /// What was carried into the next period: zero, or a sum below it.
    pub(crate) carried: SignedCents,
}

/// A closed period as it was before, and what its close did.
pub(crate) fn before_close(totals: PeriodTotals, invoice: &str) -> Result<BeforeClose, CoreError> {
    let damaged = |what: String| CoreError::Internal(format!("an invoice is damaged: {what}"));
    let invoice: Json = serde_json::from_str(invoice).map_err(|error| damaged(error.to_string()))?;
    let nanos = |found: Option<&Json>| {
        let amount = found.and_then(Json::as_str).and_then(|text| text.parse::<Nanos>().ok());
        amount.ok_or_else(|| damaged("an amount is missing".to_owned()))
    };
    let true_up = nanos(invoice.get("trueUpNanos"))?;
    let owed = nanos(invoice.pointer("/totals/receivableNanos"))?;
    let cents = |value: &Json| value.as_i64().map(i128::from).or_else(|| value.as_str()?.parse().ok());
    let carried = invoice.get("carriedCents").and_then(cents).map(SignedCents);
    let carried = carried.ok_or_else(|| damaged("what it carried is missing".to_owned()))?;
    Ok(BeforeClose { totals: PeriodTotals { receivable: owed.minus(true_up)?, ..totals }, true_up, carried })
}

/// Buckets as they stood when a period ended: what was left and held then could still pay. What had ended, or was taken back since,
/// could not.
fn buckets_at_end(period: &StoredPeriod, buckets: Vec<Bucket>) -> Result<Vec<Bucket>, CoreError> {
    let was_there = |bucket: &Bucket| {
        let lasts = bucket.expires_at.is_none_or(|end| end >= period.end);
        // Of credit that was given before that was noted, the next period's ends after it; ids tell when the others were given.
        let is_next = match bucket.given_in {
            Some(index) => index > period.index,
            None => bucket.origin == BucketOrigin::Period && bucket.expires_at.is_some_and(|end| end > period.end),
        };
        bucket.state != BucketState::Revoked && lasts && !is_next && was_made_before(&bucket.id, period.end)
    };
    let at_end = |bucket: Bucket| {
        let consumed = bucket.consumed.minus(bucket.paid)?;
        let remaining = bucket.granted.minus(consumed)?;
        let state = if remaining > Nanos::ZERO { BucketState::Available } else { BucketState::Exhausted };
        Ok(Bucket { remaining, consumed, held: Nanos::ZERO, paid: Nanos::ZERO, state, ..bucket })
    };
    buckets.into_iter().filter(was_there).map(at_end).collect()
}

/// Whether an id was made before a moment, to the millisecond that it tells.
fn was_made_before(id: &str, moment: Timestamp) -> bool {
    let hex: String = id.rsplit('_').next().unwrap_or_default().chars().take(12).collect();
    let millis = i64::from_str_radix(&hex, 16).ok();
    millis.is_none_or(|millis| millis < moment.as_millisecond())
}

/// Whether it matters which bucket paid how much for the period's usage: where something of it is to come back.
fn needs_payers(
    past: &PastPeriod<'_>,
    old: &PeriodRating,
    new: &PeriodRating,
    plan: &svc_engine::manifest::ir::Plan,
) -> Result<bool, CoreError> {
    let rated = |rating: &PeriodRating| {
        rating.windows().iter().try_fold(Nanos::ZERO, |sum, window| Ok::<_, CoreError>(sum.plus(window.rated()?)?))
    };
    let is_scoped = past.buckets.iter().any(|bucket| bucket.meters.is_some());
    Ok(!past.buckets.is_empty() && (is_scoped || past.plan.grants != plan.grants || rated(new)? < rated(old)?))
}

/// Notes what each bucket had paid for a past period's usage.
async fn note_payers<C: Connection>(
    tx: &mut Tx<C>,
    period: &StoredPeriod,
    buckets: &mut [Bucket],
) -> Result<(), CoreError> {
    for (account, amount) in tx.paid_by_buckets(&period.subscription, period.index).await? {
        let id = account.strip_prefix("funding:").unwrap_or(&account);
        if let Some(bucket) = buckets.iter_mut().find(|bucket| bucket.id == id) {
            bucket.paid = bucket.paid.plus(amount)?;
        }
    }
    Ok(())
}

fn meter_difference((meter, change): (&Key, &MeterChange)) -> MeterDifference {
    MeterDifference { meter: meter.clone(), old_nanos: change.old, new_nanos: change.new }
}

fn row(
    of: &SubscribersPeriod,
    projection: &Projection,
    comparison: &Comparison,
    kept_plan: bool,
) -> Result<Row, CoreError> {
    let (old, new) = (&comparison.old, &comparison.new);
    let difference = new.total_cents.0.checked_sub(old.total_cents.0);
    let difference = difference.ok_or_else(|| CoreError::out_of_range("a bill's difference"))?;
    let usage = |invoice: &svc_engine::money::bill::Invoice| {
        invoice.totals.receivable_nanos.minus(invoice.true_up_nanos)?.plus(invoice.recurring_fee_cents.nanos())
    };
    let fees = usage(new)?.minus(usage(old)?)?.minus(comparison.owed_difference)?;
    let overrun = comparison.overrun;
    let keeps =
        [(comparison.keeps_fee, Keeps::Fee), (comparison.keeps_credit, Keeps::Credit), (kept_plan, Keeps::Plan)];
    let changed = comparison.meters.iter().filter(|(_, change)| change.old != change.new);
    let StoredPeriod { subscription, index, start, end, plan, invoice, .. } = &of.period;
    Ok(Row {
        subscription_id: subscription.id.clone(),
        subject: of.subject.clone(),
        plan: plan.clone(),
        plan_version: projection.version,
        period: *index,
        period_start: *start,
        period_end: *end,
        invoice_id: invoice.clone(),
        old_cents: old.total_cents,
        new_cents: new.total_cents,
        difference_cents: svc_engine::money::bill::SignedCents(difference),
        old_rated_nanos: old.totals.rated_nanos,
        new_rated_nanos: new.totals.rated_nanos,
        fee_difference_nanos: fees,
        meters: changed.map(meter_difference).collect(),
        old_waived_nanos: overrun.old_waived,
        new_waived_nanos: overrun.new_waived,
        denied_nanos: overrun.denied,
        crosses: overrun.old_waived == Nanos::ZERO
            && (overrun.new_waived > Nanos::ZERO || overrun.denied > Nanos::ZERO),
        keeps: keeps.into_iter().filter_map(|(is_so, what)| is_so.then_some(what)).collect(),
    })
}
