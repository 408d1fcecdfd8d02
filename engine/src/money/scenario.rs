//! One subscriber's life, played from its beginning in memory: what authors' tests ask of their prices. It is a function of manifest, plan and
//! steps. What it does in order is what the service does (`svc-core`'s locked subscription), by the same functions of this crate;
//! `tests/money/tests/money/scenarios.rs` holds the two together.

use super::amount::{AmountError, Cents, Nanos};
use super::bill::{self, BillWindow, ChargedTime, Invoice, PeriodMoney, SignedCents, SpendBounds};
use super::bucket::{self, Bucket, BucketOrigin, BucketState};
use super::card::{Basis, RateCard};
use super::cell::{ATTRIBUTE_VALUE_MAX_CHARS, CELL_MAX_BYTES, Cell, is_attribute_value};
use super::curve::ExactSteps;
use super::fee::{FeeTerms, IntroFee, PeriodFee};
use super::funding::{self, Change, PayError, Payment, Reach, SpendLimit};
use super::ledger::{Cause, LedgerError, PeriodTotals, Transaction};
use super::level::Weighing;
use super::period::{Anchor, Period, PeriodError};
use super::rating::{self, Levels, PeriodRating, RatingError, Report};
use super::scope;
use super::units::Units;
use crate::manifest::Manifest;
use crate::manifest::ir::{Aggregation, ClosedSet, Disclosure, Grant, GrantKind, Key, Meter, Method, Plan};
use crate::rules::{routes, suggest};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// When every scenario begins: a month of 31 days.
pub const FIRST_MOMENT: &str = "2026-01-01T00:00:00Z";
/// Most steps of one scenario.
pub const STEPS_MAX: usize = 10_000;
/// Most periods of one scenario: a hundred years of months.
pub const PERIODS_MAX: u32 = 1_200;
/// Hours in a day of UTC.
const HOURS_PER_DAY: i64 = 24;

/// What happens next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Step {
    /// So much of a meter is used.
    Use {
        /// The meter.
        meter: String,
        /// How many units, as decimal text.
        units: Units,
        /// What a `unique` meter counts once.
        #[serde(default)]
        unique_key: Option<String>,
        /// The value of each attribute that the meter counts by.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        by: BTreeMap<String, String>,
    },
    /// A request is served.
    Request {
        /// Method and path.
        route: String,
        /// What it was answered.
        status: u16,
        /// What was reported for the meters that the route reports.
        #[serde(default)]
        reports: BTreeMap<String, Reported>,
    },
    /// Time passes.
    After {
        /// How much, such as `15d` or `1mo`.
        span: String,
    },
    /// The subscriber moves to another plan, at once.
    Move {
        /// The plan.
        plan: String,
        /// What becomes of the open period's fee.
        #[serde(default)]
        proration: MoveProration,
    },
}

/// What a served request reported for a meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reported {
    /// How many units.
    Units(Units),
    /// How many of each combination of the values of the meter's attributes.
    Cells(Vec<ReportedCell>),
}

/// What was reported of one combination of the values of a meter's attributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportedCell {
    /// How many units.
    pub units: Units,
    /// The value of each attribute.
    pub by: BTreeMap<String, String>,
}

/// What a move does to the fee of the open period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveProration {
    /// It stays.
    #[default]
    None,
    /// The rest of it is paid at the new price.
    Prorate,
    /// The same, but a fall is given as credit.
    Credit,
}

/// Why a scenario can't be played: the sentence is for its author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// It names something that is not there, or in another form.
    #[error("{0}")]
    Wrong(String),
    /// An amount or a quantity left its range.
    #[error("{0}")]
    Range(String),
}

macro_rules! out_of_range {
    ($($error:ty),*) => {
        $(impl From<$error> for ScenarioError {
            fn from(error: $error) -> Self {
                ScenarioError::Range(error.to_string())
            }
        })*
    };
}
out_of_range!(AmountError, LedgerError, PeriodError, RatingError, PayError);

/// What a meter came to in a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MeterUse {
    /// The level it reached, as decimal text; of one that lasts what it came to by now, rounded down to a billionth. Of one that counts by
    /// attributes all of them together.
    pub quantity: String,
    /// Floor of what it costs, before anybody pays.
    pub rated_nanos: Nanos,
    /// Of a meter that counts by attributes: what each combination of their values came to, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellUse>,
}

/// What one combination of the values of a meter's attributes came to in a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CellUse {
    /// The value of each attribute.
    pub by: BTreeMap<Key, String>,
    /// As of the meter.
    pub quantity: String,
    /// As of the meter.
    pub rated_nanos: Nanos,
}

/// A period's bill.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScenarioBill {
    /// The plan at its end.
    pub plan: String,
    /// First moment of the period.
    pub period_start: Timestamp,
    /// First moment after it.
    pub period_end: Timestamp,
    /// What is owed. Of the open period as if it ended without more usage.
    #[serde(flatten)]
    pub invoice: Invoice,
    /// What of a negative sum is taken off the next period instead.
    pub carried_cents: SignedCents,
    /// Charges that were made.
    pub charges: u64,
    /// Uses that the plan denied, since nobody would have paid for them.
    pub denied: u64,
    /// What each meter came to.
    pub meters: BTreeMap<Key, MeterUse>,
    /// What is left in all buckets together, in nanodollars.
    pub credit_left_nanos: Nanos,
}

/// A scenario, played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Played {
    /// The moment at its end.
    pub now: Timestamp,
    /// The open period's bill.
    pub bill: ScenarioBill,
    /// The periods that ended, oldest first.
    pub invoices: Vec<ScenarioBill>,
}

/// Subscribes somebody to a plan, plays the steps, and says what they owe.
///
/// # Errors
/// [`ScenarioError::Wrong`] for what is not there or of another form; [`ScenarioError::Range`].
pub fn play(manifest: &Manifest, plan: &str, steps: &[Step]) -> Result<Played, ScenarioError> {
    if steps.len() > STEPS_MAX {
        return Err(wrong(format!("a scenario has at most {STEPS_MAX} steps, not {}", steps.len())));
    }
    let mut subscriber = Subscriber::new(manifest, plan)?;
    steps.iter().try_for_each(|step| subscriber.take(step))?;
    let bill = subscriber.bill()?;
    Ok(Played { now: subscriber.now, bill, invoices: subscriber.invoices })
}

fn wrong(message: impl Into<String>) -> ScenarioError {
    ScenarioError::Wrong(message.into())
}

/// The plan of this key, or what else it may be.
fn plan_named<'m>(manifest: &'m Manifest, key: &str) -> Result<&'m Plan, ScenarioError> {
    manifest.plans.iter().find(|plan| plan.key.as_str() == key).ok_or_else(|| {
        wrong(format!("there is no plan {key:?}{}", meant(key, manifest.plans.iter().map(|plan| plan.key.as_str()))))
    })
}

fn meant<'k>(key: &str, known: impl Iterator<Item = &'k str>) -> String {
    suggest::nearest(key, known).map(|near| format!("; did you mean {near:?}?")).unwrap_or_default()
}

/// The meters with a plan's prices.
fn rate_card(manifest: &Manifest, plan: &Plan) -> Arc<RateCard> {
    let meters = manifest.meters.iter();
    let meters = meters.map(|meter| (&meter.key, Basis { aggregation: meter.aggregation, by: &meter.by }));
    Arc::new(RateCard::new(meters, &plan.meters, &plan.pools))
}

/// One charge to be made.
struct Usage {
    cell: Cell,
    units: Units,
    unique_key: Option<String>,
}

struct Subscriber<'m> {
    manifest: &'m Manifest,
    plan: &'m Plan,
    /// The meters with the plan's prices.
    card: Arc<RateCard>,
    anchor: Anchor,
    now: Timestamp,
    trial_ends: Option<Timestamp>,
    /// The pin, and the next period's where a move set one.
    pin: (Cents, Option<Cents>),
    intro: Option<IntroFee>,
    period: Period,
    current_fee: Cents,
    period_fee: Cents,
    /// The open period's part in a fee.
    fee: PeriodFee,
    totals: PeriodTotals,
    rating: PeriodRating,
    windows: Vec<BillWindow>,
    /// Whether the last window takes usage.
    window_is_open: bool,
    keys: BTreeSet<(Cell, String)>,
    buckets: Vec<Bucket>,
    given: u64,
    denied: u64,
    invoices: Vec<ScenarioBill>,
}

impl<'m> Subscriber<'m> {
    fn new(manifest: &'m Manifest, plan: &str) -> Result<Self, ScenarioError> {
        let plan = plan_named(manifest, plan)?;
        let now: Timestamp = FIRST_MOMENT.parse().map_err(|_| wrong("the calendar does not begin"))?;
        let trial_ends = (plan.trial_days > 0).then(|| days_after(now, plan.trial_days)).transpose()?;
        let (terms, pin) = (FeeTerms::of(plan), plan.recurring_fee_cents);
        let begins_without = terms.begins_without(trial_ends.is_some());
        let start = trial_ends.filter(|_| begins_without).unwrap_or(now);
        let anchor = Anchor { start, index: u32::from(begins_without), interval: plan.period_interval() };
        let mut intro = IntroFee::of(plan);
        let (period, fee) = if begins_without {
            (Period { index: 0, start: now, end: start }, PeriodFee::none(pin))
        } else {
            let period = anchor.period(0)?;
            let intro = intro_of(&mut intro, ChargedTime::new(period, trial_ends), pin);
            (period, PeriodFee { intro, ..PeriodFee::first(terms, pin) })
        };
        let mut subscriber = Subscriber {
            manifest,
            plan,
            card: rate_card(manifest, plan),
            anchor,
            now,
            trial_ends,
            pin: (pin, None),
            intro,
            period,
            current_fee: fee.own(pin),
            period_fee: pin,
            fee,
            totals: PeriodTotals::default(),
            rating: PeriodRating::default(),
            windows: Vec::new(),
            window_is_open: false,
            keys: BTreeSet::new(),
            buckets: Vec::new(),
            given: 0,
            denied: 0,
            invoices: Vec::new(),
        };
        if start == now && begins_without {
            // The document of the first fee, which comes in advance.
            let first = subscriber.bill()?;
            subscriber.invoices.push(first);
            subscriber.begin_next()?;
        }
        subscriber.waive_trial()?;
        subscriber.grant(now, |_| true)?;
        Ok(subscriber)
    }

    fn take(&mut self, step: &Step) -> Result<(), ScenarioError> {
        match step {
            Step::Use { meter, units, unique_key, by } => {
                let usage = self.measured(meter, *units, unique_key.as_ref(), by)?;
                self.charge(vec![usage])
            }
            Step::Request { route, status, reports } => {
                let usages = self.served(route, *status, reports)?;
                self.charge(usages)
            }
            Step::After { span } => self.pass(span),
            Step::Move { plan, proration } => self.move_to(plan, *proration),
        }
    }

    fn time(&self) -> ChargedTime {
        ChargedTime::new(self.period, self.trial_ends)
    }

    /// The time that the open period's fee is for.
    fn fee_time(&self) -> Result<ChargedTime, ScenarioError> {
        if self.fee.periods <= 1 {
            return Ok(self.time());
        }
        let past = self.fee.periods.saturating_sub(1).saturating_sub(self.fee.left);
        let first = self.period.index.saturating_sub(past);
        let (start, end) =
            (self.anchor.start_of(first)?, self.anchor.start_of(first.saturating_add(self.fee.periods))?);
        Ok(ChargedTime { period: Period { index: first, start, end }, from: start })
    }

    /// What the fee counts towards least and most.
    fn spend(&self) -> Result<Nanos, AmountError> {
        self.fee.spend(self.period_fee, self.current_fee, self.totals.fee_adjustment)
    }

    fn post(&mut self, transaction: Option<Transaction>) -> Result<(), ScenarioError> {
        let Some(transaction) = transaction else { return Ok(()) };
        let is_bought =
            |id: &str| self.buckets.iter().any(|bucket| bucket.id == id && bucket.kind == GrantKind::Prepaid);
        self.totals = self.totals.with(&transaction, is_bought)?;
        Ok(())
    }

    fn meter(&self, meter: &str) -> Result<&'m Meter, ScenarioError> {
        let found = self.manifest.meters.iter().find(|known| known.key.as_str() == meter);
        let known = || self.manifest.meters.iter().map(|meter| meter.key.as_str());
        found.ok_or_else(|| wrong(format!("there is no meter {meter:?}{}", meant(meter, known()))))
    }

    /// What a meter counts by these values of its attributes.
    fn cell(&self, meter: &Meter, by: &BTreeMap<String, String>) -> Result<Cell, ScenarioError> {
        let (key, known) = (meter.key.as_str(), || meter.by.iter().map(Key::as_str));
        if let Some(other) = by.keys().find(|name| !known().any(|attribute| attribute == name.as_str())) {
            let meant = meant(other, known());
            return Err(wrong(format!("the meter {key:?} has no attribute {other:?}{meant}")));
        }
        let value = |attribute: &Key| {
            let name = attribute.as_str();
            let missing = || wrong(format!("the meter {key:?} counts by {name:?}; say its value in `by`"));
            let value = by.get(name).ok_or_else(missing)?;
            let form =
                || wrong(format!("{value:?} is no value of {name:?}: 1 to {ATTRIBUTE_VALUE_MAX_CHARS} characters"));
            is_attribute_value(value).then(|| value.clone()).ok_or_else(form)
        };
        let cell = Cell::new(meter.key.clone(), meter.by.iter().map(value).collect::<Result<_, _>>()?);
        if !cell.fits() {
            return Err(wrong(format!("the attributes' values of {key:?} have more than {CELL_MAX_BYTES} bytes")));
        }
        if !self.card.admits(&cell) {
            return Err(wrong(format!("the plan {:?} has no price for {cell}", self.plan.key.as_str())));
        }
        Ok(cell)
    }

    fn measured(
        &self,
        meter: &str,
        units: Units,
        unique_key: Option<&String>,
        by: &BTreeMap<String, String>,
    ) -> Result<Usage, ScenarioError> {
        let found = self.meter(meter)?;
        match (found.aggregation, unique_key) {
            (Aggregation::Unique, None) => {
                return Err(wrong(format!("the meter {meter:?} counts distinct values; give a key")));
            }
            (Aggregation::Unique, Some(_)) | (_, None) => {}
            (_, Some(_)) => return Err(wrong(format!("the meter {meter:?} does not count distinct values"))),
        }
        if found.aggregation == Aggregation::Count && !units.is_whole() {
            return Err(wrong(format!("the meter {meter:?} counts reports, and {units} is no number of those")));
        }
        Ok(Usage { cell: self.cell(found, by)?, units, unique_key: unique_key.cloned() })
    }

    fn served(
        &self,
        route: &str,
        status: u16,
        reports: &BTreeMap<String, Reported>,
    ) -> Result<Vec<Usage>, ScenarioError> {
        let (method, path) = route.split_once(' ').unwrap_or((route, ""));
        let matching = |method| self.manifest.routes.iter().find(|known| routes::matches(known, method, path));
        let found = Method::named(method).and_then(matching);
        let found = found.ok_or_else(|| wrong(format!("no route of the product matches {route:?}")))?;
        let mut units: BTreeMap<Cell, Units> = BTreeMap::new();
        if found.metered && routes::counts(&found.status_codes, status) {
            units.extend(found.costs.iter().map(|(meter, cost)| (Cell::from(meter.clone()), *cost)));
        }
        for (meter, reported) in reports {
            let key = found.reports.iter().find(|key| key.as_str() == meter);
            let key = key.ok_or_else(|| wrong(format!("the route {route:?} does not report the meter {meter:?}")))?;
            let meter = self.meter(key.as_str())?;
            match reported {
                Reported::Units(reported) => {
                    units.insert(self.cell(meter, &BTreeMap::new())?, *reported);
                }
                Reported::Cells(cells) => {
                    for one in cells {
                        let cell = self.cell(meter, &one.by)?;
                        if units.insert(cell.clone(), one.units).is_some() {
                            return Err(wrong(format!("{cell} is reported twice")));
                        }
                    }
                }
            }
        }
        Ok(units.into_iter().map(|(cell, units)| Usage { cell, units, unique_key: None }).collect())
    }

    /// Opens a window, where none takes usage.
    fn open_window(&mut self) -> Result<(), ScenarioError> {
        if self.window_is_open {
            return Ok(());
        }
        if self.windows.is_empty() {
            let time = Weighing::of(self.period, self.fee, self.plan.period_interval())?;
            self.rating = PeriodRating::timed(time);
        }
        self.rating.reopen(Arc::clone(&self.card), Levels::new(), Some(self.now))?;
        self.windows.push(BillWindow {
            window_id: format!("window-{}", self.windows.len()),
            window_start: self.now,
            window_end: self.period.end,
            charge_count: 0,
            rated_nanos: Nanos::ZERO,
        });
        self.window_is_open = true;
        Ok(())
    }

    /// Lets levels that last hold up to a moment; who pays for that is who could just before.
    fn hold(&mut self, until: Timestamp, paid_at: Timestamp) -> Result<(), ScenarioError> {
        let Some(window) = self.windows.len().checked_sub(1).filter(|_| self.window_is_open) else { return Ok(()) };
        let unrated = self.unrated();
        let amount = self.rating.pass(window, until)?;
        let parts = &self.parts_since(unrated)?;
        let limit = SpendBounds::of(self.plan, None).limit(self.spend()?, self.totals)?.never_refusing();
        let change = Change::Time { window: "window", amount };
        let (usage, reach) = (self.totals.usage, Reach::Rise);
        let payment = Payment { change, now: paid_at, usage, limit, parts, reach };
        let paid = funding::pay(&payment, &mut self.buckets, &mut [])?;
        self.post(paid)
    }

    /// The rating as it is, where some credit pays for a part of usage alone.
    fn unrated(&self) -> Option<PeriodRating> {
        let has_parts = self.buckets.iter().any(|bucket| bucket.meters.is_some());
        has_parts.then(|| self.rating.clone())
    }

    /// The usage that some credit alone pays for, since the rating was like this.
    fn parts_since(&self, before: Option<PeriodRating>) -> Result<Vec<scope::Part>, RatingError> {
        let parts = before.map(|before| scope::between(scope::parts_of(&self.buckets), &before, &self.rating));
        Ok(parts.transpose()?.unwrap_or_default())
    }

    /// The levels that go on under the plan.
    fn held(&self) -> Levels {
        self.rating.windows().last().map(|window| window.held(&self.card)).unwrap_or_default()
    }

    /// Whether what a raised level costs by the end of the period could be paid.
    fn can_hold(&self, cell: &Cell, report: Report, limit: SpendLimit) -> Result<bool, ScenarioError> {
        let Some(place) = self.windows.len().checked_sub(1).filter(|_| matches!(limit, SpendLimit::Refuse(_))) else {
            return Ok(true);
        };
        let is_raised = self.rating.windows().last().is_some_and(|window| window.draft().is_raised(cell, report));
        if !is_raised {
            return Ok(true);
        }
        let mut later = self.rating.clone();
        let rated = later.admit(place, cell, report)?;
        let amount = rated.charge.plus(rated.remainder)?.plus(later.pass(place, self.period.end)?)?;
        let parts = &scope::between(scope::parts_of(&self.buckets), &self.rating, &later)?;
        let change = Change::Time { window: "window", amount };
        let (usage, reach) = (self.totals.usage, Reach::Rise);
        let payment = Payment { change, now: self.now, usage, limit, parts, reach };
        Ok(!matches!(funding::pay(&payment, &mut self.buckets.clone(), &mut []), Err(PayError::Blocked(_))))
    }

    /// Rates and pays what was used together; where the plan denies one of it, none of it happens.
    fn charge(&mut self, usages: Vec<Usage>) -> Result<(), ScenarioError> {
        self.open_window()?;
        let before = (self.rating.clone(), self.buckets.clone(), self.totals, self.keys.clone());
        let limit = SpendBounds::of(self.plan, None).limit(self.spend()?, self.totals)?;
        let count = u64::try_from(usages.len()).unwrap_or(u64::MAX);
        for usage in usages {
            let Usage { cell, units, unique_key } = usage;
            let key = unique_key.map(|key| (cell.clone(), key));
            let is_new_key = key.is_some_and(|key| self.keys.insert(key));
            let report = Report { units, is_new_key, at: self.now, around: None };
            let window = self.windows.len().saturating_sub(1);
            let can_hold = self.can_hold(&cell, report, limit)?;
            let unrated = self.unrated();
            let rated = self.rating.admit(window, &cell, report)?;
            let parts = &self.parts_since(unrated)?;
            let change = Change::Charge { charge: "use", window: "window", rated };
            let (usage, reach) = (self.totals.usage, Reach::Rise);
            let payment = Payment { change, now: self.now, usage, limit, parts, reach };
            let paid = match can_hold {
                true => funding::pay(&payment, &mut self.buckets, &mut []),
                false => Err(PayError::Blocked(Nanos::ZERO)),
            };
            match paid {
                Err(PayError::Blocked(_)) => {
                    (self.rating, self.buckets, self.totals, self.keys) = before;
                    self.denied = self.denied.saturating_add(1);
                    return Ok(());
                }
                paid => self.post(paid?)?,
            }
        }
        if let Some(window) = self.windows.last_mut() {
            window.charge_count = window.charge_count.saturating_add(count);
        }
        Ok(())
    }

    fn pass(&mut self, span: &str) -> Result<(), ScenarioError> {
        let malformed = || wrong(format!("{span:?} is no span of time; write 15d, 12h, 1mo or 1y"));
        let parsed: Span = span.trim().trim_start_matches('+').parse().map_err(|_| malformed())?;
        let then = self.now.to_zoned_datetime(TimeZone::UTC).checked_add(parsed).map_err(|_| malformed())?.timestamp();
        if then < self.now {
            return Err(wrong(format!("{span:?} leads back; time does not")));
        }
        while let Some((at, ends)) = self.next_event().filter(|(at, _)| *at <= then) {
            let just_before = at.checked_sub(SignedDuration::from_micros(1)).unwrap_or(at);
            self.hold(at, just_before)?;
            self.now = at;
            if ends { self.roll_over(at)? } else { self.expire(at)? }
        }
        self.now = then;
        self.hold(then, then)
    }

    /// The next thing that time does, and whether it is the period's end; a bucket's end comes first.
    fn next_event(&self) -> Option<(Timestamp, bool)> {
        let alive = self.buckets.iter().filter(|bucket| bucket.is_alive());
        let buckets = alive.filter_map(|bucket| bucket.expires_at).map(|at| (at, false));
        buckets.chain([(self.period.end, true)]).min()
    }

    fn expire(&mut self, at: Timestamp) -> Result<(), ScenarioError> {
        let mut expired = Vec::new();
        for bucket in &mut self.buckets {
            expired.extend(bucket::expire(bucket, at)?);
        }
        expired.into_iter().try_for_each(|transaction| self.post(Some(transaction)))
    }

    fn roll_over(&mut self, at: Timestamp) -> Result<(), ScenarioError> {
        let mut closed = self.bill()?;
        let mut carried = Nanos::ZERO;
        if closed.invoice.total_cents.0 < 0 {
            closed.carried_cents = std::mem::replace(&mut closed.invoice.total_cents, SignedCents(0));
            carried = Nanos::from_cents(closed.carried_cents.0)?;
        }
        self.invoices.push(closed);
        let mut held = self.held();
        held.retain(|_, level| level.units != Units::ZERO);
        self.begin_next()?;
        (self.totals, self.rating, self.denied) = (PeriodTotals::default(), PeriodRating::default(), 0);
        self.totals.receivable = carried;
        self.windows.clear();
        self.keys.clear();
        self.window_is_open = false;
        self.buckets.iter_mut().for_each(|bucket| bucket.paid = Nanos::ZERO);
        self.buckets.retain(|bucket| !bucket.is_spent());
        self.waive_trial()?;
        self.grant(at, |recurs| recurs)?;
        if !held.is_empty() {
            self.open_window()?;
        }
        for (cell, level) in held {
            let at = level.as_of.unwrap_or(at);
            self.rating.admit(0, &cell, Report { units: level.units, is_new_key: false, at, around: None })?;
        }
        Ok(())
    }

    /// Begins the period after the open one: of the same fee, or with another pin where a move set one.
    fn begin_next(&mut self) -> Result<(), ScenarioError> {
        let next = self.period.index.checked_add(1).filter(|next| *next < PERIODS_MAX);
        let next = next.ok_or_else(|| wrong(format!("a scenario has at most {PERIODS_MAX} periods")))?;
        let begins = self.fee.is_last();
        if begins {
            self.pin.0 = self.pin.1.take().unwrap_or(self.pin.0);
        }
        self.fee = self.fee.following(FeeTerms::of(self.plan), self.pin.0);
        self.period = self.anchor.period(next)?;
        if begins {
            let time = self.time();
            self.fee.intro = intro_of(&mut self.intro, time, self.pin.0);
            self.current_fee = self.fee.own(self.pin.0);
        }
        self.period_fee = self.pin.0;
        Ok(())
    }

    fn waive_trial(&mut self) -> Result<(), ScenarioError> {
        if self.fee.periods != 1 {
            return Ok(());
        }
        let waived = self.time().trial(self.fee.own(self.period_fee))?;
        let posted = funding::adjust(Cause::Trial(self.period.index.to_string()), waived)?;
        self.post(posted)
    }

    /// Makes the buckets of the plan's credit whose `recurs` is wanted.
    fn grant(&mut self, at: Timestamp, wanted: impl Fn(bool) -> bool) -> Result<(), ScenarioError> {
        for grant in &self.plan.grants {
            let Grant::Credit { kind, amount_cents, recurs, expires_after_days, rollover_periods, meters, .. } = grant
            else {
                continue;
            };
            if !wanted(*recurs) {
                continue;
            }
            let own_end = expires_after_days.map(|days| days_after(at, days)).transpose()?;
            let kept_until = recurs.then(|| self.anchor.end_after(self.period.index, *rollover_periods)).transpose()?;
            let expires_at = [kept_until, own_end].into_iter().flatten().min();
            let origin = if *recurs { BucketOrigin::Period } else { BucketOrigin::Plan };
            self.add_bucket(origin, *kind, amount_cents.nanos(), expires_at, meters.clone())?;
        }
        Ok(())
    }

    fn add_bucket(
        &mut self,
        origin: BucketOrigin,
        kind: GrantKind,
        granted: Nanos,
        expires_at: Option<Timestamp>,
        meters: Option<BTreeSet<Key>>,
    ) -> Result<(), ScenarioError> {
        let number = self.given;
        self.given = number.saturating_add(1);
        let id = format!("bucket-{number}");
        let state = if granted == Nanos::ZERO { BucketState::Exhausted } else { BucketState::Available };
        let posted = bucket::grant(&id, granted, Cause::Grant(id.clone()))?;
        self.post(posted)?;
        self.buckets.push(Bucket {
            id,
            number,
            origin,
            given_in: Some(self.period.index),
            kind,
            state,
            granted,
            remaining: granted,
            held: Nanos::ZERO,
            consumed: Nanos::ZERO,
            paid: Nanos::ZERO,
            price: None,
            expires_at,
            display: None,
            meters,
        });
        Ok(())
    }

    fn move_to(&mut self, plan: &str, proration: MoveProration) -> Result<(), ScenarioError> {
        let target = plan_named(self.manifest, plan)?;
        let length = |plan: &Plan| (plan.period_interval(), plan.periods_per_fee());
        if length(target) != length(self.plan) {
            return Err(wrong(format!("{plan:?} has periods of another length; a move to it waits for the renewal")));
        }
        if let Some(window) = self.windows.last_mut().filter(|_| self.window_is_open) {
            window.window_end = self.now;
        }
        self.window_is_open = false;
        let new = target.recurring_fee_cents;
        self.pin.1 = (new != self.pin.0).then_some(new);
        // The fee that a subscription begins with is of the plan that it begins on.
        if target.key != self.plan.key {
            self.intro = None;
        }
        if proration != MoveProration::None {
            let own = (self.fee, self.period_fee);
            let change = self.fee_time()?.proration(own, self.current_fee, new, self.now)?;
            self.fee = self.fee.moved_by(change)?;
            let is_opaque = [self.plan, target].iter().any(|plan| plan.spend_policy.disclosure == Disclosure::Opaque);
            self.current_fee = new;
            if proration == MoveProration::Credit && change < Nanos::ZERO && !is_opaque {
                self.add_bucket(BucketOrigin::Move, GrantKind::Promo, change.negated()?, None, None)?;
            } else {
                let posted = funding::adjust(Cause::Proration("move".to_owned()), change)?;
                self.post(posted)?;
            }
        }
        (self.plan, self.card) = (target, rate_card(self.manifest, target));
        // All plans of a scenario are of one release: they have the same meters.
        if !self.held().is_empty() {
            self.open_window()?;
        }
        Ok(())
    }

    fn bill(&self) -> Result<ScenarioBill, ScenarioError> {
        let rate = |(window, rated): (&BillWindow, &rating::Window)| {
            Ok::<_, ScenarioError>(BillWindow { rated_nanos: rated.rated()?, ..window.clone() })
        };
        let windows: Vec<BillWindow> =
            self.windows.iter().zip(self.rating.windows()).map(rate).collect::<Result<_, _>>()?;
        let charges = windows.iter().fold(0, |sum: u64, window| sum.saturating_add(window.charge_count));
        let bounds = SpendBounds::of(self.plan, None);
        let leasts = bill::short_of_leasts(self.plan, &self.rating, self.time(), self.period.end)?;
        let true_up = bounds.true_up(self.time(), self.period.end, self.spend()?, self.totals, leasts)?;
        let next = self.pin.1.unwrap_or(self.pin.0);
        let next = self.intro.and_then(|intro| intro.next(next)).unwrap_or(next);
        let next = FeeTerms::of(self.plan).in_advance.then_some(next);
        let due = self.fee.due_with(self.fee.own(self.period_fee), next, false)?;
        let receivable = self.totals.receivable.plus(due.nanos())?.minus(self.period_fee.nanos())?;
        let money = PeriodMoney {
            currency: self.plan.currency,
            recurring_fee_cents: self.period_fee,
            windows,
            totals: PeriodTotals { receivable, ..self.totals },
            true_up,
            buckets: self.buckets.clone(),
        };
        let bill = bill::bill(money, self.now)?;
        let left = bill.buckets.iter().try_fold(Nanos::ZERO, |sum, bucket| sum.plus(bucket.remaining))?;
        Ok(ScenarioBill {
            plan: self.plan.key.to_string(),
            period_start: self.period.start,
            period_end: self.period.end,
            invoice: bill::invoice(&bill)?,
            carried_cents: SignedCents(0),
            charges,
            denied: self.denied,
            meters: self.meters()?,
            credit_left_nanos: left,
        })
    }

    fn meters(&self) -> Result<BTreeMap<Key, MeterUse>, ScenarioError> {
        let mut cells: BTreeMap<&Cell, Used> = BTreeMap::new();
        for (cell, total) in self.rating.windows().iter().flat_map(rating::Window::cells) {
            let used = cells.entry(cell).or_default();
            used.quantity = total.to.quantity.exact();
            used.add_exact(&total.exact);
        }
        let mut meters: BTreeMap<&Key, (Used, Vec<CellUse>)> = BTreeMap::new();
        for (cell, used) in cells {
            let (sum, shown) = meters.entry(cell.meter()).or_default();
            sum.add(&used);
            if !cell.by().is_empty() {
                let by = self.meter(cell.meter().as_str())?.by.iter().cloned().zip(cell.by().iter().cloned());
                let (quantity, rated_nanos) = used.shown()?;
                shown.push(CellUse { by: by.collect(), quantity, rated_nanos });
            }
        }
        let shown = |(meter, (sum, cells)): (&Key, (Used, Vec<CellUse>))| {
            let (quantity, rated_nanos) = sum.shown()?;
            Ok((meter.clone(), MeterUse { quantity, rated_nanos, cells }))
        };
        meters.into_iter().map(shown).collect()
    }
}

/// What was used, exactly: in billionths of a unit, and what it costs.
#[derive(Default)]
struct Used {
    quantity: ExactSteps,
    exact: rating::ExactNanos,
}

#[expect(clippy::arithmetic_side_effects, reason = "rationals have no range to leave")]
impl Used {
    fn add(&mut self, other: &Used) {
        self.quantity += &other.quantity;
        self.add_exact(&other.exact);
    }

    fn add_exact(&mut self, exact: &rating::ExactNanos) {
        self.exact += exact;
    }

    /// Both rounded down, the quantity as decimal text.
    fn shown(&self) -> Result<(String, Nanos), ScenarioError> {
        let steps = u128::try_from(self.quantity.floor().to_integer());
        let steps = steps.map_err(|_| ScenarioError::Range("a quantity left its range".to_owned()))?;
        Ok((Units::from_steps(steps).to_string(), rating::floor(&self.exact)?))
    }
}

/// The introductory fee of a fee that begins with a period, of which one is used up: not where a trial waives all of it.
fn intro_of(intro: &mut Option<IntroFee>, time: ChargedTime, fee: Cents) -> Option<Cents> {
    intro.as_mut().filter(|_| time.from < time.period.end).and_then(|intro| intro.take(fee))
}

fn days_after(start: Timestamp, days: u32) -> Result<Timestamp, ScenarioError> {
    let hours = i64::from(days).checked_mul(HOURS_PER_DAY).ok_or_else(|| wrong("a number of days is too large"))?;
    start.checked_add(SignedDuration::from_hours(hours)).map_err(|_| wrong("a moment lies beyond the calendar"))
}
