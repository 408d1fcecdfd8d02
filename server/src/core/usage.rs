//! Usage intake: items become charges, charges are rated in the window open now, paid from held money and buckets, and posted. Each
//! item is accepted, known already, or refused by name; a batch is one transaction.

use super::account::Account;
use super::error::CoreError;
use super::holds::Estimate;
use super::model::{Charge, HoldState, Id, Projection, StoredWindow, UsageItemRecord};
use super::{Core, businesses, new_id, subscriptions};
use crate::store::{Connection, Mode, Store, Tx};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use svc_engine::manifest::canonical;
use svc_engine::manifest::ir::{Aggregation, ClosedSet, Key, Manifest, Method, Route};
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::SpendBounds;
use svc_engine::money::funding::{self, Bucket, HoldPart, Payment, SpendLimit};
use svc_engine::money::ledger::Transaction;
use svc_engine::money::rating::{MeterRate, RateCard, Report, Window};
use svc_engine::money::units::Units;
use svc_engine::rules::routes;

/// Most items of one batch.
pub const BATCH_MAX_ITEMS: usize = 1_000;
/// Longest id and unique key of an item, in characters.
pub const ITEM_ID_MAX_CHARS: usize = 200;

/// First second of the year 1, counted from 1970: no store keeps moments before it.
const YEAR_ONE_SECONDS: i64 = -62_135_596_800;

/// One item, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Item {
    /// A measured value.
    Measured(Measured),
    /// A served request.
    Served(Served),
}

/// A measured value of one meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measured {
    /// The sender's id, unique in the subscription.
    pub id: String,
    /// The subscriber.
    pub subject: String,
    /// The meter.
    pub meter: String,
    /// How many units.
    pub units: Units,
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<Timestamp>,
    /// What a `unique` meter counts once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique_key: Option<String>,
    /// The hold whose money pays first; the rest of it is let go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<String>,
}

/// A request that the gateway served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Served {
    /// The sender's id, unique in the subscription.
    pub id: String,
    /// The subscriber.
    pub subject: String,
    /// Method and path.
    pub route: String,
    /// The answer's status code.
    pub status: u16,
    /// What the upstream reported, by meter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reports: BTreeMap<String, Units>,
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<Timestamp>,
    /// The hold whose money pays first; the rest of it is let go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<String>,
}

/// What became of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "status")]
pub enum ItemResult {
    /// It was admitted now.
    Accepted {
        /// Its id.
        id: String,
        /// Charges it made; none where its status does not count.
        charges: u32,
    },
    /// The very same item was admitted before; the first result stands.
    Duplicate {
        /// Its id.
        id: String,
        /// Charges it made then.
        charges: u32,
    },
    /// It was not admitted.
    Refused {
        /// Its id, where it has one.
        id: Option<String>,
        /// Its place in the batch, from 0.
        index: usize,
        /// Stable code.
        code: &'static str,
        /// What is wrong with it.
        message: String,
    },
}

/// A refusal of one item.
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

fn refuse<T>(code: &'static str, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code, message: message.into() })
}

impl Item {
    fn id(&self) -> &str {
        match self {
            Item::Measured(item) => &item.id,
            Item::Served(item) => &item.id,
        }
    }

    fn occurred_at(&self) -> Option<Timestamp> {
        match self {
            Item::Measured(item) => item.occurred_at,
            Item::Served(item) => item.occurred_at,
        }
    }

    fn hold(&self) -> Option<&str> {
        match self {
            Item::Measured(item) => item.hold.as_deref(),
            Item::Served(item) => item.hold.as_deref(),
        }
    }

    fn subject(&self) -> &str {
        match self {
            Item::Measured(item) => &item.subject,
            Item::Served(item) => &item.subject,
        }
    }

    /// Reads an item. Which of the two kinds it is, its keys tell, so that a mistake is named inside the right one.
    fn parse(json: Json) -> Result<Item, Refusal> {
        let served = json.get("route").is_some();
        let parsed = if served {
            serde_json::from_value(json).map(Item::Served)
        } else {
            serde_json::from_value(json).map(Item::Measured)
        };
        let item = parsed.or_else(|error| refuse("ITEM_FORM", error.to_string()))?;
        let unique = if let Item::Measured(item) = &item { item.unique_key.as_deref() } else { None };
        [Some(item.id()), unique].into_iter().flatten().try_for_each(checked_id)?;
        if item.occurred_at().is_some_and(|moment| moment.as_second() < YEAR_ONE_SECONDS) {
            return refuse("ITEM_FORM", "occurredAt lies before the year 1");
        }
        Ok(item)
    }
}

/// Checks what a sender named something.
pub(crate) fn checked_id(text: &str) -> Result<(), Refusal> {
    let fits = (1..=ITEM_ID_MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits {
        return Ok(());
    }
    refuse(
        "ITEM_FORM",
        format!("an id and a uniqueKey have 1 to {ITEM_ID_MAX_CHARS} characters and no control characters"),
    )
}

impl<S: Store> Core<S> {
    /// Admits a batch at `now`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for a batch too long; [`CoreError::Store`].
    /// What is wrong with an item is in its result.
    pub async fn report_usage(
        &self,
        business: &Id,
        items: Vec<Json>,
        now: Timestamp,
    ) -> Result<Vec<ItemResult>, CoreError> {
        if items.len() > BATCH_MAX_ITEMS {
            return Err(CoreError::invalid(
                "BATCH_TOO_LONG",
                format!("a batch has at most {BATCH_MAX_ITEMS} items, not {}", items.len()),
            ));
        }
        let parsed: Vec<(Option<String>, Result<Item, Refusal>)> = items
            .into_iter()
            .map(|json| (json.get("id").and_then(Json::as_str).map(str::to_owned), Item::parse(json)))
            .collect();
        let mut tx = self.store.begin(Mode::Write).await?;
        let readable = parsed.iter().filter_map(|(_, item)| item.as_ref().ok());
        let mut intake = Intake::open(self, &mut tx, business, readable, now).await?;
        if intake.is_empty() {
            businesses::known_business(&mut tx, business).await?;
        }
        let mut results = Vec::with_capacity(parsed.len());
        for (index, (id, item)) in parsed.into_iter().enumerate() {
            let result = match item {
                Ok(item) => intake.admit(&mut tx, &item).await?,
                Err(refusal) => Err(refusal),
            };
            let refused = |Refusal { code, message }| ItemResult::Refused { id, index, code, message };
            results.push(result.unwrap_or_else(refused));
        }
        intake.save(&mut tx).await?;
        tx.commit().await?;
        Ok(results)
    }
}

/// A batch under way, by subject.
struct Intake {
    open: BTreeMap<String, Open>,
}

/// What a batch found of a subject.
enum Open {
    /// It has no live subscription.
    Nobody,
    /// What it is served under is missing or altered.
    Damaged,
    /// What is metered.
    Metering(Box<Metering>),
}

impl Intake {
    /// Locks the subscriptions of all subjects, by subject, so that two batches never wait for each other.
    async fn open<'i, S: Store>(
        core: &Core<S>,
        tx: &mut Tx<S::Connection>,
        business: &Id,
        items: impl Iterator<Item = &'i Item>,
        now: Timestamp,
    ) -> Result<Intake, CoreError> {
        let mut ids: BTreeMap<String, Vec<&Item>> = BTreeMap::new();
        for item in items {
            ids.entry(item.subject().to_owned()).or_default().push(item);
        }
        let mut open = BTreeMap::new();
        for (subject, items) in ids {
            let metering = match subscriptions::lock_live(tx, business, &subject, now).await? {
                // What is damaged of one subscriber refuses that one's items, not the others'. What time did to it stands.
                Some(account) if !is_served(core, tx, &account).await? => {
                    tracing::error!(
                        subject,
                        "usage is refused: what the subscription is served under is missing or altered"
                    );
                    account.save(tx).await?;
                    Open::Damaged
                }
                Some(account) => {
                    let mut metering = Metering::open(core, tx, account).await?;
                    metering.recall(tx, &items).await?;
                    Open::Metering(Box::new(metering))
                }
                None => Open::Nobody,
            };
            open.insert(subject, metering);
        }
        Ok(Intake { open })
    }

    /// Whether no subject was found to have anything.
    fn is_empty(&self) -> bool {
        self.open.values().all(|open| matches!(open, Open::Nobody))
    }

    async fn admit<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        item: &Item,
    ) -> Result<Result<ItemResult, Refusal>, CoreError> {
        let metering = match self.open.get_mut(item.subject()) {
            Some(Open::Metering(metering)) => metering,
            Some(Open::Damaged) => {
                let message = format!("the release that {:?} is served under can't be read", item.subject());
                return Ok(refuse("RELEASE_UNREADABLE", message));
            }
            Some(Open::Nobody) | None => {
                let message = format!("the subject {:?} has no live subscription", item.subject());
                return Ok(refuse("SUBSCRIPTION_NOT_FOUND", message));
            }
        };
        match metering.admit(tx, item).await {
            Ok(result) => Ok(Ok(result)),
            Err(Stop::Refused(refusal)) => Ok(Err(refusal)),
            Err(Stop::Failed(CoreError::Invalid { code, message } | CoreError::Conflict { code, message })) => {
                Ok(Err(Refusal { code, message }))
            }
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    async fn save<C: Connection>(self, tx: &mut Tx<C>) -> Result<(), CoreError> {
        for open in self.open.into_values() {
            if let Open::Metering(metering) = open {
                metering.save(tx).await?;
            }
        }
        Ok(())
    }
}

/// Whether projection and release of an account are there, and as they were written.
async fn is_served<S: Store>(core: &Core<S>, tx: &mut Tx<S::Connection>, account: &Account) -> Result<bool, CoreError> {
    let release = &account.subscription.release;
    Ok(account.projection.is_some() && core.manifest(tx, release).await?.is_some())
}

/// Why an item was not admitted.
enum Stop {
    /// Something is wrong with it.
    Refused(Refusal),
    /// Something is wrong here; the batch fails, unless it is a refusal by another name.
    Failed(CoreError),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Stop::Refused(refusal)
    }
}

impl From<CoreError> for Stop {
    fn from(error: CoreError) -> Self {
        Stop::Failed(error)
    }
}

/// An account whose usage is being metered: its open window as it is after the items so far, and what is still to be written.
pub(crate) struct Metering {
    pub(crate) account: Account,
    /// How far charges may raise what the period owes.
    pub(crate) limit: SpendLimit,
    manifest: Arc<Manifest>,
    window: StoredWindow,
    is_stored: bool,
    rating: Window,
    known_items: BTreeMap<String, UsageItemRecord>,
    known_keys: BTreeSet<(Key, String)>,
    new_items: BTreeSet<String>,
    new_keys: Vec<(Key, String)>,
    charges: Vec<Charge>,
}

/// One charge to be made.
struct Usage {
    id: String,
    meter: Key,
    units: Units,
    unique_key: Option<String>,
}

/// What an item's charges did, to be taken over when all of them went well.
struct Charged {
    rating: Window,
    buckets: Vec<Bucket>,
    held: Vec<HoldPart>,
    charges: Vec<(Charge, Option<Transaction>)>,
    keys: Vec<(Key, String)>,
}

impl Metering {
    /// Opens the window that is open at the account's moment.
    pub(crate) async fn open<S: Store>(
        core: &Core<S>,
        tx: &mut Tx<S::Connection>,
        account: Account,
    ) -> Result<Metering, CoreError> {
        let now = account.now;
        let missing = |what: &str| {
            CoreError::Internal(format!("the {what} a subscription is served under is missing or altered"))
        };
        let projection = account.projection.as_ref().ok_or_else(|| missing("projection"))?;
        let subscription = &account.subscription;
        let manifest = core.manifest(tx, &subscription.release).await?.ok_or_else(|| missing("release"))?;
        let mut quantities = tx.quantities(&subscription.id, account.period.index).await?;
        let current =
            account.windows.iter().find(|window| window.release == subscription.release && window.end > now).cloned();
        let is_stored = current.is_some();
        let window = current.unwrap_or_else(|| StoredWindow {
            id: new_id("win", now),
            subscription: subscription.id.clone(),
            period: account.period.index,
            start: account.period.start.max(subscription.served_since),
            end: account.period.end,
            release: subscription.release.clone(),
            charge_count: 0,
            rated: Nanos::ZERO,
        });
        let own = quantities.remove(&window.id).unwrap_or_default();
        let rating = Window::new(rate_card(projection), used_before(quantities)?, own)?;
        let limit = SpendBounds::of(&projection.plan).limit(account.period.recurring_fee_cents)?;
        Ok(Metering {
            account,
            limit,
            manifest,
            window,
            is_stored,
            rating,
            known_items: BTreeMap::new(),
            known_keys: BTreeSet::new(),
            new_items: BTreeSet::new(),
            new_keys: Vec::new(),
            charges: Vec::new(),
        })
    }

    /// Looks up which of these items, and of their unique keys, are known.
    async fn recall<C: Connection>(&mut self, tx: &mut Tx<C>, items: &[&Item]) -> Result<(), CoreError> {
        let ids = items.iter().map(|item| item.id().to_owned()).collect();
        let known = tx.usage_items(&self.account.subscription.id, ids).await?;
        self.known_items = known.into_iter().map(|record| (record.id.clone(), record)).collect();
        let keys: Vec<String> = items
            .iter()
            .filter_map(|item| if let Item::Measured(item) = item { item.unique_key.clone() } else { None })
            .collect();
        if !keys.is_empty() {
            self.known_keys = tx.window_keys(&self.window.id, keys).await?;
        }
        Ok(())
    }

    async fn admit<C: Connection>(&mut self, tx: &mut Tx<C>, item: &Item) -> Result<ItemResult, Stop> {
        let now = self.account.now;
        let fingerprint = canonical::hash(item).map_err(|error| CoreError::Internal(error.to_string()))?;
        let known = self.known_items.get(item.id());
        if let Some(known) = known.filter(|known| known.fingerprint != fingerprint) {
            return Ok(refuse("ITEM_CONFLICT", format!("another item was admitted under the id {:?}", known.id))?);
        }
        if let Some(known) = known.filter(|known| known.refunded_by.is_none()) {
            return Ok(ItemResult::Duplicate { id: known.id.clone(), charges: known.charges });
        }
        let attempt = known.map_or(1, |refunded| refunded.attempt.saturating_add(1));
        let usages = self.usages(item)?;
        // An item that was refunded and comes again has used its hold already.
        let named = item.hold().filter(|id| attempt == 1 || self.open_hold(id).is_ok());
        let hold = named.map(|id| self.open_hold(id)).transpose()?;
        let held = hold.and_then(|index| self.account.holds.get(index)).map(|hold| hold.parts.clone());
        let charged = self.charge(usages, held.unwrap_or_default(), item, attempt)?;
        let count = u32::try_from(charged.charges.len()).map_err(|error| CoreError::Internal(error.to_string()))?;
        self.take_over(charged, hold)?;
        if let Some(index) = hold {
            self.account.end_hold(tx, index, HoldState::Settled, now).await?;
        }
        let id = item.id().to_owned();
        let record = UsageItemRecord { id: id.clone(), fingerprint, charges: count, attempt, refunded_by: None };
        self.known_items.insert(id.clone(), record);
        self.new_items.insert(id.clone());
        Ok(ItemResult::Accepted { id, charges: count })
    }

    fn open_hold(&self, id: &str) -> Result<usize, Refusal> {
        let found = self.account.holds.iter().position(|hold| hold.id == id);
        found.map_or_else(|| refuse("HOLD_NOT_OPEN", format!("there is no open hold {id:?}")), Ok)
    }

    /// Rates and pays the charges of one item, on copies: when one can't be made, none is.
    fn charge(&self, usages: Vec<Usage>, held: Vec<HoldPart>, item: &Item, attempt: u32) -> Result<Charged, CoreError> {
        let now = self.account.now;
        let mut receivable = self.account.period.totals;
        let mut charged = Charged {
            rating: self.rating.clone(),
            buckets: self.account.buckets.clone(),
            held,
            charges: Vec::with_capacity(usages.len()),
            keys: Vec::new(),
        };
        for (usage, position) in usages.into_iter().zip(self.window.charge_count..) {
            let key = usage.unique_key.clone().map(|key| (usage.meter.clone(), key));
            let new_key = key.filter(|key| !self.known_keys.contains(key) && !charged.keys.contains(key));
            let is_new_key = new_key.is_some();
            charged.keys.extend(new_key);
            let rated = charged.rating.admit(&usage.meter, Report { units: usage.units, is_new_key })?;
            let payment = Payment {
                charge: &usage.id,
                window: self.window.id.as_str(),
                rated,
                now,
                receivable: receivable.receivable,
                limit: self.limit,
            };
            let transaction = funding::pay(&payment, &mut charged.buckets, &mut charged.held)?;
            if let Some(transaction) = &transaction {
                receivable = receivable.with(transaction)?;
            }
            let charge = Charge {
                id: usage.id,
                item: item.id().to_owned(),
                attempt,
                window: self.window.id.clone(),
                position,
                meter: usage.meter,
                units: usage.units,
                unique_key: usage.unique_key,
                is_new_key,
                admitted_at: now,
                occurred_at: item.occurred_at(),
                charge: rated.charge,
                remainder: rated.remainder,
                transaction: None,
            };
            charged.charges.push((charge, transaction));
        }
        Ok(charged)
    }

    /// Takes over what an item's charges did.
    fn take_over(&mut self, charged: Charged, hold: Option<usize>) -> Result<(), CoreError> {
        let now = self.account.now;
        let Charged { rating, buckets, held, charges, keys } = charged;
        self.window.rated = rating.rated()?;
        self.rating = rating;
        self.account.buckets = buckets;
        if let Some(hold) = hold.and_then(|index| self.account.holds.get_mut(index)) {
            hold.parts = held;
        }
        self.known_keys.extend(keys.iter().cloned());
        self.new_keys.extend(keys);
        for (mut charge, transaction) in charges {
            charge.transaction = transaction.map(|transaction| self.account.post(transaction, now)).transpose()?;
            self.window.charge_count = self.window.charge_count.saturating_add(1);
            self.charges.push(charge);
        }
        Ok(())
    }

    /// Writes what was metered, and the account.
    async fn save<C: Connection>(self, tx: &mut Tx<C>) -> Result<(), CoreError> {
        let id = self.account.subscription.id.clone();
        if self.is_stored || self.window.charge_count > 0 {
            tx.put_window(&self.window).await?;
            tx.put_quantities(&self.window.id, self.rating.quantities()).await?;
        }
        tx.insert_window_keys(&self.window.id, &self.new_keys).await?;
        let new = |id: &String| self.known_items.get(id).cloned();
        let items: Vec<UsageItemRecord> = self.new_items.iter().filter_map(new).collect();
        tx.put_usage_items(&id, &items).await?;
        tx.insert_charges(&id, &self.charges).await?;
        self.account.save(tx).await
    }

    /// What something is expected to cost, at the margin of the open window.
    pub(crate) fn estimate(&self, estimate: &Estimate) -> Result<Nanos, CoreError> {
        let units: BTreeMap<Key, Units> = match estimate {
            Estimate::Meter { meter, units } => BTreeMap::from([(self.meter(meter)?, *units)]),
            Estimate::Route { route } => {
                let route = self.route(route)?;
                let costs = route.metered.then_some(&route.costs).into_iter().flatten();
                let mut units: BTreeMap<Key, Units> = costs.map(|(meter, cost)| (meter.clone(), *cost)).collect();
                for (meter, estimate) in &route.estimates {
                    units.entry(meter.clone()).or_insert(*estimate);
                }
                units
            }
        };
        let mut rating = self.rating.clone();
        let mut sum = Nanos::ZERO;
        for (meter, units) in units {
            let rated = rating.admit(&meter, Report { units, is_new_key: true })?;
            sum = sum.plus(rated.charge)?.plus(rated.remainder)?;
        }
        Ok(sum.max(Nanos::ZERO))
    }

    /// The charges that an item asks for.
    fn usages(&self, item: &Item) -> Result<Vec<Usage>, Refusal> {
        match item {
            Item::Measured(item) => self.measured(item).map(|usage| vec![usage]),
            Item::Served(item) => self.served(item),
        }
    }

    fn meter(&self, meter: &str) -> Result<Key, Refusal> {
        let known = Key::try_from(meter.to_owned()).ok().filter(|_| self.rating.aggregation(meter).is_some());
        known.map_or_else(|| refuse("UNKNOWN_METER", format!("the served release has no meter {meter:?}")), Ok)
    }

    fn measured(&self, item: &Measured) -> Result<Usage, Refusal> {
        let meter = self.meter(&item.meter)?;
        let aggregation = self.rating.aggregation(&item.meter).unwrap_or(Aggregation::Sum);
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
        Ok(Usage { id: item.id.clone(), meter, units: item.units, unique_key: item.unique_key.clone() })
    }

    /// The first matching route's fixed costs, when the status counts, and what was reported for meters it reports.
    fn served(&self, item: &Served) -> Result<Vec<Usage>, Refusal> {
        let route = self.route(&item.route)?;
        let mut units: BTreeMap<Key, Units> = BTreeMap::new();
        if route.metered && routes::counts(&route.status_codes, item.status) {
            units.extend(route.costs.iter().map(|(meter, cost)| (meter.clone(), *cost)));
        }
        for (meter, reported) in &item.reports {
            let Some(key) = route.reports.iter().find(|key| key.as_str() == meter) else {
                return refuse(
                    "REPORT_NOT_DECLARED",
                    format!("the route {:?} does not report the meter {meter:?}", item.route),
                );
            };
            units.insert(key.clone(), *reported);
        }
        for key in route.reports.iter().filter(|key| !item.reports.contains_key(key.as_str())) {
            tracing::debug!(meter = key.as_str(), "a report is missing; nothing is charged for it");
        }
        Ok(units
            .into_iter()
            .map(|(meter, units)| Usage { id: format!("{}/{meter}", item.id), meter, units, unique_key: None })
            .collect())
    }

    /// The first route of the served release that matches.
    fn route(&self, route: &str) -> Result<&Route, Refusal> {
        let (method, path) = route.split_once(' ').unwrap_or((route, ""));
        let method = Method::CHOICES.iter().find(|(name, _)| *name == method).map(|(_, method)| *method);
        let found =
            method.and_then(|method| self.manifest.routes.iter().find(|route| routes::matches(route, method, path)));
        found.map_or_else(|| refuse("ROUTE_NOT_FOUND", format!("no route of the served release matches {route:?}")), Ok)
    }
}

/// What earlier windows of a period used, over all of them.
pub(crate) fn used_before(windows: BTreeMap<Id, BTreeMap<Key, Units>>) -> Result<BTreeMap<Key, Units>, CoreError> {
    let mut before: BTreeMap<Key, Units> = BTreeMap::new();
    for (meter, units) in windows.into_values().flatten() {
        let sum = before.get(&meter).copied().unwrap_or_default().checked_add(units);
        let overflow = || CoreError::invalid("AMOUNT_RANGE", "the period's quantity left the range of 128 bits");
        before.insert(meter, sum.ok_or_else(overflow)?);
    }
    Ok(before)
}

/// The meters of the served release with the plan's prices.
pub(crate) fn rate_card(projection: &Projection) -> RateCard {
    let rate = |(meter, aggregation): (&Key, &Aggregation)| {
        let price = projection.plan.meters.iter().find(|price| price.meter() == meter).cloned();
        (meter.clone(), MeterRate { aggregation: *aggregation, price })
    };
    projection.meters.iter().map(rate).collect()
}
