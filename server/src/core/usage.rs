//! Usage intake: items become charges, charges are rated in the window open now, paid from buckets, and posted. Each item is
//! accepted, known already, or refused by name; a batch is one transaction.

use super::error::CoreError;
use super::model::{Charge, Id, Projection, StoredWindow, Subscription, UsageItemRecord};
use super::{Core, businesses, new_id, settlement};
use crate::store::{Inserted, Mode, Store, Tx};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use svc_engine::manifest::canonical;
use svc_engine::manifest::ir::{Aggregation, ClosedSet, Key, Manifest, Method};
use svc_engine::money::funding::{self, Bucket};
use svc_engine::money::ledger::Transaction;
use svc_engine::money::period::Period;
use svc_engine::money::rating::{MeterRate, RateCard, Report, Window};
use svc_engine::money::units::Units;
use svc_engine::rules::routes;

/// Most items of one batch.
pub const BATCH_MAX_ITEMS: usize = 1_000;
/// Longest id and unique key of an item, in characters.
pub const ITEM_ID_MAX_CHARS: usize = 200;

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
struct Refusal {
    code: &'static str,
    message: String,
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
        let sized =
            |text: &str| (1..=ITEM_ID_MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        let unique = if let Item::Measured(Measured { unique_key: Some(key), .. }) = &item { sized(key) } else { true };
        if sized(item.id()) && unique {
            return Ok(item);
        }
        refuse(
            "ITEM_FORM",
            format!("an id and a uniqueKey have 1 to {ITEM_ID_MAX_CHARS} characters and no control characters"),
        )
    }
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
        let mut tx = self.store.begin(Mode::Write).await?;
        businesses::known_business(&mut tx, business).await?;
        let mut intake = Intake { business: business.clone(), now, open: BTreeMap::new() };
        let mut results = Vec::with_capacity(items.len());
        for (index, json) in items.into_iter().enumerate() {
            let id = json.get("id").and_then(Json::as_str).map(str::to_owned);
            let result = match Item::parse(json) {
                Ok(item) => intake.admit(&mut tx, &item).await?,
                Err(refusal) => Err(refusal),
            };
            results.push(result.unwrap_or_else(|Refusal { code, message }| ItemResult::Refused {
                id,
                index,
                code,
                message,
            }));
        }
        intake.save(&mut tx).await?;
        tx.commit().await?;
        Ok(results)
    }
}

/// What a batch has opened: one account per subject.
struct Intake {
    business: Id,
    now: Timestamp,
    open: BTreeMap<String, Account>,
}

/// A subscription under way: its window and buckets as they are after the items so far.
struct Account {
    subscription: Subscription,
    period: Period,
    manifest: Manifest,
    window: StoredWindow,
    rating: Window,
    buckets: Vec<Bucket>,
}

/// One charge to be made.
struct Usage {
    id: String,
    meter: Key,
    units: Units,
    unique_key: Option<String>,
}

impl Intake {
    async fn admit<T: Tx>(&mut self, tx: &mut T, item: &Item) -> Result<Result<ItemResult, Refusal>, CoreError> {
        if !self.open.contains_key(item.subject()) {
            match Account::open(tx, &self.business, item.subject(), self.now).await? {
                Ok(account) => {
                    self.open.insert(item.subject().to_owned(), account);
                }
                Err(refusal) => return Ok(Err(refusal)),
            }
        }
        let Some(account) = self.open.get_mut(item.subject()) else {
            return Err(CoreError::Internal("an account that was opened is gone".to_owned()));
        };
        let fingerprint = canonical::hash(item).map_err(|error| CoreError::Internal(error.to_string()))?;
        if let Some(known) = tx.usage_item(&account.subscription.id, item.id()).await? {
            if known.fingerprint == fingerprint {
                return Ok(Ok(ItemResult::Duplicate { id: known.id, charges: known.charges }));
            }
            return Ok(refuse("ITEM_CONFLICT", format!("another item was admitted under the id {:?}", known.id)));
        }
        let usages = match account.usages(item) {
            Ok(usages) => usages,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let occurred_at = match item {
            Item::Measured(item) => item.occurred_at,
            Item::Served(item) => item.occurred_at,
        };
        let (charges, transactions) = match account.charge(tx, usages, occurred_at, self.now).await {
            Ok(made) => made,
            Err(CoreError::Invalid { code, message }) => return Ok(Err(Refusal { code, message })),
            Err(other) => return Err(other),
        };
        let count = u32::try_from(charges.len()).map_err(|error| CoreError::Internal(error.to_string()))?;
        let record = UsageItemRecord { id: item.id().to_owned(), fingerprint, charges: count };
        tx.insert_usage_item(&account.subscription.id, &record, &charges).await?;
        for transaction in transactions {
            let id = new_id("ltx", self.now);
            tx.append(&account.subscription.id, account.period.index, &id, self.now, &transaction).await?;
        }
        Ok(Ok(ItemResult::Accepted { id: record.id, charges: count }))
    }

    /// Keeps the state of every account.
    async fn save<T: Tx>(self, tx: &mut T) -> Result<(), CoreError> {
        for account in self.open.into_values() {
            if account.window.charge_count == 0 {
                continue;
            }
            tx.put_window(&account.window).await?;
            tx.put_quantities(&account.window.id, account.rating.quantities()).await?;
            for bucket in &account.buckets {
                tx.put_bucket(&account.subscription.id, bucket).await?;
            }
        }
        Ok(())
    }
}

impl Account {
    async fn open<T: Tx>(
        tx: &mut T,
        business: &Id,
        subject: &str,
        now: Timestamp,
    ) -> Result<Result<Account, Refusal>, CoreError> {
        let Some(mut subscription) = tx.live_subscription(business, subject).await? else {
            return Ok(refuse("SUBSCRIPTION_NOT_FOUND", format!("the subject {subject:?} has no live subscription")));
        };
        let period = settlement::period(&subscription, now)?;
        let Some(projection) = settlement::served_projection(tx, &subscription).await? else {
            return Err(CoreError::Internal(
                "the projection a subscription is served under is missing or altered".to_owned(),
            ));
        };
        let mut buckets = tx.buckets(&subscription.id, period.start).await?;
        settlement::settle(tx, &mut subscription, Some(&projection), period, &mut buckets, now).await?;
        let release = tx.release(&subscription.release).await?;
        let ir = release
            .ok_or_else(|| CoreError::Internal("the release a subscription is served under is missing".to_owned()))?
            .ir;
        let manifest = serde_json::from_str(&ir).map_err(|error| CoreError::Internal(error.to_string()))?;
        let windows = tx.windows(&subscription.id, period.index).await?;
        let current = windows.into_iter().find(|window| window.release == subscription.release && window.end > now);
        let window = current.unwrap_or_else(|| StoredWindow {
            id: new_id("win", now),
            subscription: subscription.id.clone(),
            period: period.index,
            start: period.start,
            end: period.end,
            release: subscription.release.clone(),
            charge_count: 0,
            rated: svc_engine::money::amount::Nanos::ZERO,
        });
        let quantities = tx.quantities(&window.id).await?;
        let rating = Window::new(rate_card(&projection), quantities)?;
        Ok(Ok(Account { subscription, period, manifest, window, rating, buckets }))
    }

    /// The charges that an item asks for.
    fn usages(&self, item: &Item) -> Result<Vec<Usage>, Refusal> {
        match item {
            Item::Measured(item) => self.measured(item).map(|usage| vec![usage]),
            Item::Served(item) => self.served(item),
        }
    }

    fn measured(&self, item: &Measured) -> Result<Usage, Refusal> {
        let Some(aggregation) = self.rating.aggregation(&item.meter) else {
            return refuse("UNKNOWN_METER", format!("the served release has no meter {:?}", item.meter));
        };
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
        let meter = Key::try_from(item.meter.clone()).or_else(|message| refuse("UNKNOWN_METER", message))?;
        Ok(Usage { id: item.id.clone(), meter, units: item.units, unique_key: item.unique_key.clone() })
    }

    /// The first matching route's fixed costs, when the status counts, and what was reported for meters it reports.
    fn served(&self, item: &Served) -> Result<Vec<Usage>, Refusal> {
        let (method, path) =
            item.route.split_once(' ').map_or((item.route.as_str(), ""), |(method, path)| (method, path));
        let method = Method::CHOICES.iter().find(|(name, _)| *name == method).map(|(_, method)| *method);
        let found =
            method.and_then(|method| self.manifest.routes.iter().find(|route| routes::matches(route, method, path)));
        let Some(route) = found else {
            return refuse("ROUTE_NOT_FOUND", format!("no route of the served release matches {:?}", item.route));
        };
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

    /// Rates and pays the charges of one item. When one can't be rated, none is made.
    async fn charge<T: Tx>(
        &mut self,
        tx: &mut T,
        usages: Vec<Usage>,
        occurred_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<(Vec<Charge>, Vec<Transaction>), CoreError> {
        let (mut rating, mut buckets, mut window) = (self.rating.clone(), self.buckets.clone(), self.window.clone());
        if !usages.is_empty() && window.charge_count == 0 {
            // The first charge makes the window, which its rows then refer to.
            tx.put_window(&window).await?;
        }
        let (mut charges, mut transactions) = (Vec::new(), Vec::new());
        for usage in usages {
            let is_new_key = match &usage.unique_key {
                Some(key) => tx.insert_unique_key(&window.id, usage.meter.as_str(), key).await? == Inserted::New,
                None => false,
            };
            let rated = rating.admit(&usage.meter, Report { units: usage.units, is_new_key })?;
            transactions.extend(funding::pay(&usage.id, window.id.as_str(), rated, &mut buckets, now)?);
            window.charge_count = window.charge_count.saturating_add(1);
            window.rated = rating.rated()?;
            charges.push(Charge {
                id: usage.id,
                subscription: self.subscription.id.clone(),
                window: window.id.clone(),
                meter: usage.meter.to_string(),
                units: usage.units,
                admitted_at: now,
                occurred_at,
                charge: rated.charge,
                remainder: rated.remainder,
            });
        }
        (self.rating, self.buckets, self.window) = (rating, buckets, window);
        Ok((charges, transactions))
    }
}

/// The meters of the served release with the plan's prices.
fn rate_card(projection: &Projection) -> RateCard {
    let rate = |(meter, aggregation): (&Key, &Aggregation)| {
        let price = projection.plan.meters.iter().find(|price| price.meter() == meter).cloned();
        (meter.clone(), MeterRate { aggregation: *aggregation, price })
    };
    projection.meters.iter().map(rate).collect()
}
