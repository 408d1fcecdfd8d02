//! The metering of an open window: an item becomes charges by the served release, each is rated and paid on copies, and what went
//! well is taken over.

use crate::core::Core;
use crate::counters::HoldEnd;
use crate::error::CoreError;
use crate::ids::{new_id, to_micros};
use crate::items::{Item, ItemResult, Measured, Refusal, Reported, Served, refuse};
use crate::locked_subscription::{LockedSubscription, is_bought};
use crate::period_ratings;
use crate::saving::Saving;
use crate::terms::Terms;
use crate::watermarks::{self, Quantities};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use svc_engine::manifest::canonical;
use svc_engine::manifest::ir::{Aggregation, ClosedSet, Key, Manifest, Method, Plan, Route};
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::SpendBounds;
use svc_engine::money::bucket::{Bucket, HoldPart};
use svc_engine::money::cell::{ATTRIBUTE_VALUE_MAX_CHARS, CELL_MAX_BYTES, Cell, is_attribute_value};
use svc_engine::money::funding::{self, Change, Payment, Reach, SpendLimit};
use svc_engine::money::ledger::{Transaction, UsageTotals};
use svc_engine::money::level::Around;
use svc_engine::money::rating::{Draft, Drafted, Levels, PeriodRating, Report, Window};
use svc_engine::money::scope::{self, Part, PartSums};
use svc_engine::money::units::Units;
use svc_engine::rules::routes;
use svc_store::records::{Charge, Id, StoredPeriod, StoredWindow, Subscription, UsageItemRecord};
use svc_store::{Connection, Store, Tx};

/// Why an item was not admitted.
pub(crate) enum AdmitError {
    /// Something is wrong with it.
    Refused(Refusal),
    /// Something is wrong here; the batch fails, unless it is a refusal by another name.
    Failed(CoreError),
}

impl From<Refusal> for AdmitError {
    fn from(refusal: Refusal) -> Self {
        AdmitError::Refused(refusal)
    }
}

impl From<CoreError> for AdmitError {
    fn from(error: CoreError) -> Self {
        AdmitError::Failed(error)
    }
}

/// What is about to be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Estimate {
    /// A request: its route's fixed costs and estimates.
    Route {
        /// Method and path.
        route: String,
    },
    /// So much of a meter.
    Meter {
        /// The meter.
        meter: String,
        /// How many units.
        units: Units,
    },
}

/// A subscription whose usage is being metered: its open window as it is after the items so far, and what is still to be written.
pub(crate) struct Metering {
    pub(crate) locked: LockedSubscription,
    /// How much of its usage the subscriber may pay with own money.
    pub(crate) limit: SpendLimit,
    manifest: Arc<Manifest>,
    window: StoredWindow,
    is_stored: bool,
    rating: Window,
    /// Of each meter whose level lasts, the windows in which it has lasted without a break.
    lasting_windows: BTreeMap<Key, Vec<String>>,
    sums: PartSums,
    /// Where the period's meters stood when it was opened, those of them whose free units are a quantity.
    opened_at: Quantities,
    known_items: BTreeMap<String, UsageItemRecord>,
    known_keys: BTreeSet<(Cell, String)>,
    new_items: BTreeSet<String>,
    new_keys: Vec<(Cell, String)>,
    charges: Vec<Charge>,
}

/// One charge to be made.
struct Usage {
    id: String,
    cell: Cell,
    units: Units,
    unique_key: Option<String>,
}

/// What an item's charges did, to be taken over when all of them went well.
struct Charged {
    rating: Drafted,
    sums: PartSums,
    buckets: Vec<Bucket>,
    held: Vec<HoldPart>,
    charges: Vec<(Charge, Option<Transaction>)>,
    keys: Vec<(Cell, String)>,
}

impl Metering {
    /// Opens the window that is open at the moment it is settled up to.
    pub(crate) async fn open<S: Store>(
        core: &Core<S>,
        tx: &mut Tx<S::Connection>,
        locked: LockedSubscription,
    ) -> Result<Metering, CoreError> {
        let levels = tx.levels(&locked.subscription.key(), locked.period.index).await?;
        Metering::at(core, tx, locked, Rated::From(levels)).await
    }

    /// As [`Metering::open`], of several subscriptions of a business.
    pub(crate) async fn of_all<S: Store>(
        core: &Core<S>,
        tx: &mut Tx<S::Connection>,
        business: &Id,
        all: Vec<LockedSubscription>,
    ) -> Result<Vec<Metering>, CoreError> {
        let unrated = all.iter().filter(|locked| locked.rated.is_none()).flat_map(|locked| &locked.windows);
        let windows: Vec<String> = unrated.map(|window| window.id.to_string()).collect();
        let mut levels = match windows.is_empty() {
            true => BTreeMap::new(),
            false => tx.levels_of_windows(business, windows).await?,
        };
        let mut open = Vec::with_capacity(all.len());
        for mut locked in all {
            let rated = match locked.rated.take() {
                Some(rating) => Rated::Already(rating),
                None => Rated::From(own_levels(&locked.windows, &mut levels)),
            };
            open.push(Metering::at(core, tx, locked, rated).await?);
        }
        Ok(open)
    }

    /// As [`Metering::open`], with the levels of the period's windows, or with what they are rated as.
    pub(crate) async fn at<S: Store>(
        core: &Core<S>,
        tx: &mut Tx<S::Connection>,
        locked: LockedSubscription,
        rated: Rated,
    ) -> Result<Metering, CoreError> {
        let now = locked.now;
        let missing = |what: &str| {
            CoreError::Internal(format!("the {what} a subscription is served under is missing or altered"))
        };
        let projection = locked.projection.as_ref().ok_or_else(|| missing("projection"))?;
        let subscription = &locked.subscription;
        let manifest = core
            .manifest(tx, &subscription.business, &subscription.release)
            .await?
            .ok_or_else(|| missing("release"))?;
        // After the end, the window that was open then; else the one that is open now.
        let is_open = |window: &&StoredWindow| {
            let is_served = window.release == subscription.release && window.plan == subscription.plan;
            is_served && (window.end > now || window.end == locked.period.end)
        };
        let current = locked.windows.iter().rfind(is_open).cloned();
        let is_stored = current.is_some();
        let mut window = current.unwrap_or_else(|| StoredWindow {
            id: new_id("win", now),
            subscription: subscription.key(),
            period: locked.period.index,
            start: locked.period.start.max(subscription.served_since),
            end: locked.period.end,
            release: subscription.release.clone(),
            plan: subscription.plan.clone(),
            charge_count: 0,
            rated: Nanos::ZERO,
            rated_until: None,
        });
        let mut period = match rated {
            Rated::Already(rating) if is_stored => rating,
            Rated::Already(mut rating) => {
                rating.reopen(projection.card(), Levels::new(), window.rated_until)?;
                rating
            }
            Rated::From(levels) => rating_up_to(tx, &locked, &window, (projection, levels)).await?,
        };
        if projection.card().has_lasting() {
            // Where it is stored, it is rated up to now already.
            let until = now.min(window.end);
            period.pass(period.windows().len().saturating_sub(1), until)?;
            window.rated_until = Some(until);
        }
        let lasting_windows = lasting_windows(projection, &locked.windows, &period);
        let sums = PartSums::of(scope::parts_of(&locked.buckets), &period)?;
        let rating = period.into_last().ok_or_else(|| CoreError::Internal("a period without a window".to_owned()))?;
        let opened_at = watermarks::of_meters_with_included(&projection.plan, &rating)?;
        let limit = limit_of(&projection.plan, &locked.period)?;
        Ok(Metering {
            locked,
            limit,
            manifest,
            window,
            is_stored,
            rating,
            lasting_windows,
            sums,
            opened_at,
            known_items: BTreeMap::new(),
            known_keys: BTreeSet::new(),
            new_items: BTreeSet::new(),
            new_keys: Vec::new(),
            charges: Vec::new(),
        })
    }

    /// The period whose usage is metered.
    pub(crate) fn period(&self) -> u32 {
        self.window.period
    }

    /// Notes which of the items to come, and of their unique keys, are known already.
    pub(crate) fn know(&mut self, items: Vec<UsageItemRecord>, keys: BTreeSet<(Cell, String)>) {
        self.known_items = items.into_iter().map(|record| (record.id.clone(), record)).collect();
        self.known_keys = keys;
    }

    pub(crate) async fn admit<C: Connection>(&mut self, tx: &mut Tx<C>, item: &Item) -> Result<ItemResult, AdmitError> {
        let now = self.locked.now;
        let fingerprint = canonical::hash(item).map_err(|error| CoreError::Internal(error.to_string()))?;
        let known = self.known_items.get(item.id());
        if let Some(known) = known.filter(|known| known.fingerprint != fingerprint) {
            return Ok(refuse("ITEM_CONFLICT", format!("another item was admitted under the id {:?}", known.id))?);
        }
        if let Some(known) = known.filter(|known| known.refunded_by.is_none()) {
            return Ok(ItemResult::Duplicate { id: known.id.clone(), charges: known.charges });
        }
        let attempt = known.map_or(Some(1), |refunded| refunded.attempt.checked_add(1));
        let attempt = attempt.ok_or_else(|| CoreError::out_of_range("an item's count of attempts"))?;
        let usages = self.usages(item)?;
        // An item that was refunded and comes again has used its hold already.
        let named = item.hold().filter(|id| attempt == 1 || self.open_hold(id).is_ok());
        let hold = named.map(|id| self.open_hold(id)).transpose()?;
        let held = hold.and_then(|index| self.locked.holds.get(index)).map(|hold| hold.parts.clone());
        let limit = self.limit_beside(hold)?;
        let arounds = self.around(tx, &usages, item).await?;
        let charged = self.charge(usages, held.unwrap_or_default(), (limit, &arounds), (item, attempt))?;
        let count = u32::try_from(charged.charges.len()).map_err(|error| CoreError::Internal(error.to_string()))?;
        self.take_over(charged, hold)?;
        if let Some(index) = hold {
            self.locked.end_hold(tx, index, HoldEnd::Settled, now).await?;
        }
        let id = item.id().to_owned();
        let subscription = self.locked.subscription.id.clone();
        let record =
            UsageItemRecord { id: id.clone(), subscription, fingerprint, charges: count, attempt, refunded_by: None };
        self.known_items.insert(id.clone(), record);
        self.new_items.insert(id.clone());
        Ok(ItemResult::Accepted { id, charges: count })
    }

    fn open_hold(&self, id: &str) -> Result<usize, Refusal> {
        let found = self.locked.holds.iter().position(|hold| hold.id == id);
        found.map_or_else(|| refuse("HOLD_NOT_OPEN", format!("there is no open hold {id:?}")), Ok)
    }

    /// How much of its usage the subscriber may pay with own money, beside what the open holds but this one may come to owe.
    pub(crate) fn limit_beside(&self, own: Option<usize>) -> Result<SpendLimit, CoreError> {
        let SpendLimit::Refuse(bound) = self.limit else { return Ok(self.limit) };
        let others = self.locked.holds.iter().enumerate().filter(|(index, _)| Some(*index) != own);
        let promised = others.map(|(_, hold)| hold.owed).try_fold(bound, Nanos::minus)?;
        Ok(SpendLimit::Refuse(promised))
    }

    /// What is known around reports of levels that last, where they are for an earlier moment than the newest.
    async fn around<C: Connection>(
        &self,
        tx: &mut Tx<C>,
        usages: &[Usage],
        item: &Item,
    ) -> Result<BTreeMap<Cell, Around>, CoreError> {
        let (at, start) = (happened_at(item.occurred_at(), self.locked.now), self.locked.period.start);
        let is_late = |usage: &&Usage| {
            let newest = self.rating.reached(&usage.cell).as_of.filter(|newest| *newest > start);
            self.rating.card().lasts(usage.cell.meter()) && newest.is_some_and(|newest| at < newest)
        };
        let mut arounds = BTreeMap::new();
        for cell in usages.iter().filter(is_late).map(|usage| &usage.cell) {
            let (subscription, period) = (&self.locked.subscription.key(), self.window.period);
            let windows = self.lasting_windows.get(cell.meter()).map_or(&[][..], Vec::as_slice);
            let mut known = tx.levels_around(subscription, period, (cell, windows), at).await?;
            known.extend(self.charges.iter().filter(|charge| charge.cell == *cell).cloned());
            known.sort_by_key(|charge| charge.position);
            let moment = |charge: &Charge| happened_at(charge.occurred_at, charge.admitted_at);
            let around = Around::among(at, known.iter().map(|charge| (moment(charge), charge.units)));
            arounds.extend(around.map(|around| (cell.clone(), around)));
        }
        Ok(arounds)
    }

    /// Refuses to raise a level that nobody could pay for until the period ends, where the plan refuses what nobody pays for.
    fn check_held(
        &self,
        rating: &Draft<'_>,
        (usage, limit): (UsageTotals, SpendLimit),
        (buckets, parts): (&[Bucket], &[Part]),
    ) -> Result<(), CoreError> {
        if !matches!(limit, SpendLimit::Refuse(_)) {
            return Ok(());
        }
        let (later, amount) = rating.held_until(self.window.end)?;
        let mut parts = parts.to_vec();
        self.sums.go_on(&mut parts, &later)?;
        let change = Change::Time { window: self.window.id.as_str(), amount };
        let (now, parts, reach) = (self.locked.now, &parts, Reach::Rise);
        let payment = Payment { change, now, usage, limit, parts, reach };
        funding::pay(&payment, &mut buckets.to_vec(), &mut [])?;
        Ok(())
    }

    /// Rates and pays the charges of one item, on copies: when one can't be made, none is.
    fn charge(
        &self,
        usages: Vec<Usage>,
        held: Vec<HoldPart>,
        (limit, arounds): (SpendLimit, &BTreeMap<Cell, Around>),
        (item, attempt): (&Item, u32),
    ) -> Result<Charged, CoreError> {
        let now = self.locked.now;
        let mut paid = self.locked.period.totals.usage;
        let mut rating = self.rating.draft();
        let mut parts = self.sums.parts()?;
        let (mut buckets, mut held) = (self.locked.buckets.clone(), held);
        let (mut charges, mut keys) = (Vec::with_capacity(usages.len()), Vec::new());
        for (usage, position) in usages.into_iter().zip(self.locked.period.entries..) {
            let key = usage.unique_key.clone().map(|key| (usage.cell.clone(), key));
            let new_key = key.filter(|key| !self.known_keys.contains(key) && !keys.contains(key));
            let is_new_key = new_key.is_some();
            keys.extend(new_key);
            let at = happened_at(item.occurred_at(), now);
            let around = arounds.get(&usage.cell).copied();
            let report = Report { units: usage.units, is_new_key, at, around };
            let is_raised = rating.is_raised(&usage.cell, report);
            let rated = rating.admit(&usage.cell, report)?;
            self.sums.go_on(&mut parts, &rating)?;
            let change = Change::Charge { charge: &usage.id, window: self.window.id.as_str(), rated };
            let payment = Payment { change, now, usage: paid, limit, parts: &parts, reach: Reach::Rise };
            let transaction = funding::pay(&payment, &mut buckets, &mut held)?;
            if let Some(transaction) = &transaction {
                paid = paid.with(transaction, |id| is_bought(&buckets, id))?;
            }
            if is_raised {
                self.check_held(&rating, (paid, limit), (&buckets, &parts))?;
            }
            let charge = Charge {
                period: self.window.period,
                voided_by: None,
                id: usage.id,
                item: item.id().to_owned(),
                attempt,
                window: self.window.id.clone(),
                position,
                cell: usage.cell,
                units: usage.units,
                unique_key: usage.unique_key,
                admitted_at: now,
                occurred_at: item.occurred_at(),
                charge: rated.charge,
                remainder: rated.remainder,
                transaction: None,
            };
            charges.push((charge, transaction));
        }
        let mut sums = self.sums.clone();
        sums.take_over(&rating);
        Ok(Charged { rating: rating.end(), sums, buckets, held, charges, keys })
    }

    /// Takes over what an item's charges did.
    fn take_over(&mut self, charged: Charged, hold: Option<usize>) -> Result<(), CoreError> {
        let now = self.locked.now;
        let Charged { rating, sums, buckets, held, charges, keys } = charged;
        self.rating.take_over(rating);
        self.sums = sums;
        self.window.rated = self.rating.rated()?;
        self.locked.buckets = buckets;
        if let Some(hold) = hold.and_then(|index| self.locked.holds.get_mut(index)) {
            hold.parts = held;
        }
        self.known_keys.extend(keys.iter().cloned());
        self.new_keys.extend(keys);
        for (mut charge, transaction) in charges {
            charge.transaction = transaction.map(|transaction| self.locked.post(transaction, now)).transpose()?;
            let count = self.window.charge_count.checked_add(1);
            self.window.charge_count = count.ok_or_else(|| CoreError::out_of_range("a window's count of charges"))?;
            let entries = self.locked.period.entries.checked_add(1);
            self.locked.period.entries =
                entries.ok_or_else(|| CoreError::out_of_range("a period's count of entries"))?;
            self.charges.push(charge);
        }
        Ok(())
    }

    /// Puts what was metered, and the subscription, to what is to be written.
    pub(crate) fn put_into(self, saving: &mut Saving) -> Result<(), CoreError> {
        let (key, changes) = (self.locked.subscription.key(), &mut saving.changes);
        if self.is_stored || self.window.charge_count > 0 {
            changes.put_window(&self.window);
            // Only what moved: a plan may have a thousand cells.
            changes.put_levels(&self.window, &self.rating.moved());
        }
        changes.insert_period_keys(&key, self.window.period, &self.new_keys);
        let new = |id: &String| self.known_items.get(id).cloned();
        let items: Vec<UsageItemRecord> = self.new_items.iter().filter_map(new).collect();
        let Subscription { business, subject, .. } = &self.locked.subscription;
        changes.put_usage_items(business, subject, &items);
        changes.insert_charges(&key, &self.charges);
        self.locked.put_into(saving)
    }

    /// Notes what there is to tell of included units since it was opened, or this was last noted.
    fn note_included(&mut self) -> Result<(), CoreError> {
        let Some(projection) = &self.locked.projection else { return Ok(()) };
        let to = watermarks::of_meters_with_included(&projection.plan, &self.rating)?;
        let from = std::mem::replace(&mut self.opened_at, to);
        let (subscription, period) = (&self.locked.subscription, self.window.period);
        let news = watermarks::of_included(subscription, period, &projection.plan, &from, &self.opened_at);
        self.locked.news.extend(news.into_iter().map(|news| (self.locked.now, news)));
        Ok(())
    }

    /// Concludes what was done at its moment, as [`LockedSubscription::conclude`].
    pub(crate) async fn conclude<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        saving: &mut Saving,
    ) -> Result<(), CoreError> {
        self.note_included()?;
        self.locked.conclude(tx, saving).await
    }

    /// Whether whoever opened the subscription at `now` would find it as it is here: time does nothing to it until then.
    pub(crate) fn may_go_on(&self, now: Timestamp) -> bool {
        self.locked.rests_until(now)
            && (!self.rating.card().has_lasting() || self.locked.moment(now) == self.locked.now)
    }

    /// Goes on at a moment up to which it may.
    pub(crate) fn go_on(&mut self, now: Timestamp) -> Result<(), CoreError> {
        self.locked.now = self.locked.moment(now);
        if let Some(projection) = &self.locked.projection {
            self.limit = limit_of(&projection.plan, &self.locked.period)?;
        }
        Ok(())
    }

    /// What something is expected to cost, at the margin of the open window; and of that, what only some credit pays for.
    pub(crate) fn estimate(&self, estimate: &Estimate) -> Result<(Nanos, Vec<Part>), CoreError> {
        let units: BTreeMap<Key, Units> = match estimate {
            Estimate::Meter { meter, units } => BTreeMap::from([(self.meter(meter)?, *units)]),
            Estimate::Route { route } => {
                let route = self.route(route)?;
                let costs = route.metered.then_some(&route.costs).into_iter().flatten();
                let mut units: BTreeMap<Key, Units> = costs.map(|(meter, cost)| (meter.clone(), *cost)).collect();
                for (meter, estimate) in estimates_of(&self.manifest, route) {
                    units.entry(meter).or_insert(estimate);
                }
                units
            }
        };
        let mut rating = self.rating.draft();
        let mut sum = Nanos::ZERO;
        for (meter, units) in units {
            let card = self.rating.card();
            if !card.attributes(&meter).is_empty() || card.lasts(&meter) {
                continue;
            }
            // Which key it will be is not known, so a meter of distinct values holds nothing; nor, above, of which cell it will be, or how long
            // a level will last.
            let report = Report { units, is_new_key: false, at: self.locked.now, around: None };
            let rated = rating.admit(&Cell::from(meter), report)?;
            sum = sum.plus(rated.charge)?.plus(rated.remainder)?;
        }
        let mut parts = self.sums.parts()?;
        self.sums.go_on(&mut parts, &rating)?;
        Ok((sum.max(Nanos::ZERO), parts))
    }

    /// The charges that an item asks for.
    fn usages(&self, item: &Item) -> Result<Vec<Usage>, Refusal> {
        match item {
            Item::Measured(item) => self.measured(item).map(|usage| vec![usage]),
            Item::Served(item) => self.served(item),
        }
    }

    fn meter(&self, meter: &str) -> Result<Key, Refusal> {
        let known = Key::try_from(meter.to_owned()).ok();
        let known = known.filter(|meter| self.aggregation(meter).is_some());
        known.map_or_else(|| refuse("UNKNOWN_METER", format!("the served release has no meter {meter:?}")), Ok)
    }

    fn aggregation(&self, meter: &Key) -> Option<Aggregation> {
        self.rating.card().aggregation(meter)
    }

    fn measured(&self, item: &Measured) -> Result<Usage, Refusal> {
        let meter = self.meter(&item.meter)?;
        let aggregation = self.aggregation(&meter).unwrap_or(Aggregation::Sum);
        match (aggregation, &item.unique_key) {
            (Aggregation::Unique, None) => {
                return refuse(
                    "UNIQUE_KEY_REQUIRED",
                    format!("the meter {:?} counts distinct values; give a uniqueKey", item.meter),
                );
            }
            (Aggregation::Unique, Some(_)) | (_, None) => {}
            (_, Some(_)) => {
                return refuse(
                    "UNIQUE_KEY_UNUSED",
                    format!("the meter {:?} does not count distinct values", item.meter),
                );
            }
        }
        self.check_counted(&meter, item.units, Units::ONE)?;
        let cell = self.cell(meter, &item.by)?;
        Ok(Usage { id: item.id.clone(), cell, units: item.units, unique_key: item.unique_key.clone() })
    }

    /// The cells of a reported meter, with their units.
    fn reported(&self, meter: &Key, reported: &Reported) -> Result<Vec<(Cell, Units)>, Refusal> {
        match reported {
            Reported::Units(units) => Ok(vec![(self.cell(meter.clone(), &BTreeMap::new())?, *units)]),
            Reported::Cells(cells) => {
                cells.iter().map(|one| Ok((self.cell(meter.clone(), &one.by)?, one.units))).collect()
            }
        }
    }

    /// What a meter counts by these values of its attributes. One that the plan has no price for is refused, and never free.
    fn cell(&self, meter: Key, by: &BTreeMap<String, String>) -> Result<Cell, Refusal> {
        let counts = self.locked.projection.as_ref().is_some_and(|terms| terms.resources.contains(&meter));
        if counts {
            let message = format!("{:?} counts a resource; its count is set, and not reported", meter.as_str());
            return refuse("METER_COUNTS_RESOURCE", message);
        }
        let attributes = self.rating.card().attributes(&meter);
        if let Some(unknown) = by.keys().find(|name| !attributes.iter().any(|known| known.as_str() == name.as_str())) {
            return refuse("ATTRIBUTE_UNKNOWN", format!("the meter {:?} has no attribute {unknown:?}", meter.as_str()));
        }
        let mut values = Vec::with_capacity(attributes.len());
        for attribute in attributes {
            let attribute = attribute.as_str();
            let Some(value) = by.get(attribute) else {
                let meter = meter.as_str();
                let message = format!("the meter {meter:?} counts by {attribute:?}; say its value in `by`");
                return refuse("ATTRIBUTE_MISSING", message);
            };
            if !is_attribute_value(value) {
                let message = format!(
                    "a value of {attribute:?} has 1 to {ATTRIBUTE_VALUE_MAX_CHARS} characters and no control characters"
                );
                return refuse("ATTRIBUTE_FORM", message);
            }
            values.push(value.clone());
        }
        let cell = Cell::new(meter, values);
        if !cell.fits() {
            let message = format!(
                "the values of all attributes of {:?} have more than {CELL_MAX_BYTES} bytes as JSON, with its key",
                cell.meter().as_str()
            );
            return refuse("ATTRIBUTE_FORM", message);
        }
        if !self.rating.card().admits(&cell) {
            return refuse("CELL_WITHOUT_PRICE", format!("the plan has no price for {cell}"));
        }
        Ok(cell)
    }

    /// A value on a meter that counts is the number of what it counts, and nothing else.
    fn check_counted(&self, meter: &Key, units: Units, counted: Units) -> Result<(), Refusal> {
        if units == counted || self.aggregation(meter) != Some(Aggregation::Count) {
            return Ok(());
        }
        let message =
            format!("the meter {:?} counts reports: a value on it is {counted}, and not {units}", meter.as_str());
        refuse("COUNT_UNITS", message)
    }

    /// The first matching route's fixed costs, when the status counts, and what was reported for meters it reports.
    fn served(&self, item: &Served) -> Result<Vec<Usage>, Refusal> {
        let route = self.route(&item.route)?;
        let mut units: BTreeMap<Cell, Units> = BTreeMap::new();
        if route.metered && routes::counts(&route.status_codes, item.status) {
            for (meter, cost) in &route.costs {
                let all = cost.checked_times(item.count.get());
                let too_many =
                    || refuse("UNITS_RANGE", format!("{} times {cost} of {meter:?} is past 10^15", item.count));
                units.insert(Cell::from(meter.clone()), all.map_or_else(too_many, Ok)?);
            }
        }
        for (meter, reported) in &item.reports {
            let Some(key) = route.reports.iter().find(|key| key.as_str() == meter) else {
                return refuse(
                    "REPORT_NOT_DECLARED",
                    format!("the route {:?} does not report the meter {meter:?}", item.route),
                );
            };
            let mut sum = Units::ZERO;
            for (cell, reported) in self.reported(key, reported)? {
                sum = sum.checked_add(reported).unwrap_or(sum);
                if units.insert(cell, reported).is_some() {
                    let message = format!("the meter {meter:?} is reported twice by the same attributes");
                    return refuse("CELL_TWICE", message);
                }
            }
            self.check_counted(key, sum, Units::from_whole(u64::from(item.count.get())))?;
        }
        for key in route.reports.iter().filter(|key| !item.reports.contains_key(key.as_str())) {
            tracing::debug!(meter = key.as_str(), "a report is missing; nothing is charged for it");
        }
        Ok(units
            .into_iter()
            .map(|(cell, units)| Usage { id: format!("{}/{cell}", item.id), cell, units, unique_key: None })
            .collect())
    }

    /// The first route of the served release that matches.
    fn route(&self, route: &str) -> Result<&Route, Refusal> {
        let (method, path) = route.split_once(' ').unwrap_or((route, ""));
        let method = Method::named(method);
        let found =
            method.and_then(|method| self.manifest.routes.iter().find(|route| routes::matches(route, method, path)));
        found.map_or_else(|| refuse("ROUTE_NOT_FOUND", format!("no route of the served release matches {route:?}")), Ok)
    }
}

/// How much of a period's usage the subscriber may pay with own money.
fn limit_of(plan: &Plan, period: &StoredPeriod) -> Result<SpendLimit, CoreError> {
    Ok(SpendBounds::of(plan, period.own_most_cents).limit(period.spend_fee()?, period.totals)?)
}

/// Of each meter whose level lasts, the windows up to the last one in which it has lasted without a break.
fn lasting_windows(terms: &Terms, windows: &[StoredWindow], period: &PeriodRating) -> BTreeMap<Key, Vec<String>> {
    let card = terms.card();
    let last = period.windows().len().saturating_sub(1);
    let since =
        |meter: &Key| windows.iter().skip(period.lasting_since(last, meter)).map(|window| window.id.to_string());
    terms.meters.keys().filter(|meter| card.lasts(meter)).map(|meter| (meter.clone(), since(meter).collect())).collect()
}

/// What the windows of a period that is opened came to.
pub(crate) enum Rated {
    /// To be rated from their levels.
    From(BTreeMap<Id, Levels>),
    /// As it was settled: up to its last window, which is the one that is open where there is one.
    Already(PeriodRating),
}

/// Takes the levels of these windows out of those of many.
pub(crate) fn own_levels(windows: &[StoredWindow], levels: &mut BTreeMap<Id, Levels>) -> BTreeMap<Id, Levels> {
    windows.iter().filter_map(|window| levels.remove_entry(&window.id)).collect()
}

/// The open period up to a window, rated from its levels and from what the windows before it used and charged: all of them where it is new.
async fn rating_up_to<C: Connection>(
    tx: &mut Tx<C>,
    locked: &LockedSubscription,
    window: &StoredWindow,
    (terms, mut levels): (&Terms, BTreeMap<Id, Levels>),
) -> Result<PeriodRating, CoreError> {
    let earlier: Vec<StoredWindow> =
        locked.windows.iter().take_while(|earlier| earlier.id != window.id).cloned().collect();
    let mut rating = match earlier.is_empty() {
        true => period_ratings::empty(&locked.period, Some(terms))?,
        false => period_ratings::rating_of(tx, &locked.period, (&earlier, locked.known_terms()), &mut levels).await?,
    };
    rating.reopen(terms.card(), levels.remove(&window.id).unwrap_or_default(), window.rated_until)?;
    Ok(rating)
}

/// When a report happened, as far as it can be believed: not after it came. To the microsecond, as it is kept.
pub(crate) fn happened_at(occurred_at: Option<Timestamp>, admitted_at: Timestamp) -> Timestamp {
    occurred_at.map_or(admitted_at, |occurred_at| to_micros(occurred_at).min(admitted_at))
}

/// What a route's reports are expected to be: what it says itself, else what their meters say; nothing for those of which neither does.
pub fn estimates_of(manifest: &Manifest, route: &Route) -> BTreeMap<Key, Units> {
    let of_meter = |key: &Key| manifest.meters.iter().find(|meter| meter.key == *key).and_then(|meter| meter.estimate);
    let reported = route.reports.iter().filter_map(|key| Some((key.clone(), of_meter(key)?)));
    reported.chain(route.estimates.clone()).collect()
}
