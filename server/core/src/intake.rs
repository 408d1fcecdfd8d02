//! Usage intake: a batch of items in one transaction. Each item is accepted, a duplicate, or refused by name.

use crate::core::Core;
use crate::error::CoreError;
use crate::items::{Item, ItemResult, Refusal, refuse};
use crate::locked_subscription::LockedSubscription;
use crate::metering::{AdmitError, Metering};
use crate::saving::Saving;
use crate::{businesses, subscriptions};
use jiff::Timestamp;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use svc_store::records::Id;
use svc_store::{Connection, Mode, Store, Tx};

/// Most items of one batch.
pub const BATCH_MAX_ITEMS: usize = 1_000;

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
        let results = self.again(|| Box::pin(self.admit_once(business, &parsed, now))).await?;
        self.counters.usage(&results);
        Ok(results)
    }

    async fn admit_once(
        &self,
        business: &Id,
        parsed: &[(Option<String>, Result<Item, Refusal>)],
        now: Timestamp,
    ) -> Result<Vec<ItemResult>, CoreError> {
        let readable = || parsed.iter().filter_map(|(_, item)| item.as_ref().ok());
        let _turns = self.subjects.at(business, readable().map(Item::subject).collect()).await;
        let mut tx = self.store.begin(Mode::Write).await?;
        let mut intake = Intake::open(self, &mut tx, business, &readable().collect::<Vec<_>>(), now).await?;
        if intake.is_empty() {
            businesses::known_business(&mut tx, business).await?;
        }
        let mut results = Vec::with_capacity(parsed.len());
        for (index, (id, item)) in parsed.iter().enumerate() {
            let result = match item {
                Ok(item) => intake.admit(&mut tx, item).await?,
                Err(refusal) => Err(refusal.clone()),
            };
            let refused = |Refusal { code, message }| ItemResult::Refused { id: id.clone(), index, code, message };
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
    /// Locks the subscriptions of all subjects, by subject, so that two batches never wait for each other. Each thing that is needed of them is
    /// asked for once, for all of them.
    async fn open<S: Store>(
        core: &Core<S>,
        tx: &mut Tx<S::Connection>,
        business: &Id,
        items: &[&Item],
        now: Timestamp,
    ) -> Result<Intake, CoreError> {
        let subjects: BTreeSet<&str> = items.iter().map(|item| item.subject()).collect();
        let mut open: BTreeMap<String, Open> =
            subjects.iter().map(|subject| ((*subject).to_owned(), Open::Nobody)).collect();
        let mut served = Vec::with_capacity(subjects.len());
        for locked in subscriptions::lock_for_usage(tx, business, &subjects, now).await? {
            if is_served(core, tx, &locked).await? {
                served.push(locked);
                continue;
            }
            // What is damaged of one subscriber refuses that one's items, not the others'. What time did to it stands.
            let subject = locked.subscription.subject.clone();
            tracing::error!(subject, "usage is refused: what the subscription is served under is missing or altered");
            locked.save(tx).await?;
            open.insert(subject, Open::Damaged);
        }
        for metering in Metering::of_all(core, tx, business, served).await? {
            let subject = metering.locked.subscription.subject.clone();
            open.insert(subject, Open::Metering(Box::new(metering)));
        }
        let mut intake = Intake { open };
        intake.recall(tx, business, items).await?;
        Ok(intake)
    }

    /// Looks up which of these items, and of their unique keys, are known.
    async fn recall<C: Connection>(&mut self, tx: &mut Tx<C>, business: &Id, items: &[&Item]) -> Result<(), CoreError> {
        let metered = |item: &&Item| matches!(self.open.get(item.subject()), Some(Open::Metering(_)));
        let metered: Vec<&Item> = items.iter().copied().filter(metered).collect();
        if metered.is_empty() {
            return Ok(());
        }
        let mut known = tx.usage_items(business, metered.iter().map(|item| (item.subject(), item.id()))).await?;
        let mut keys = Vec::new();
        for item in &metered {
            if let (Item::Measured(measured), Some(Open::Metering(metering))) = (item, self.open.get(item.subject()))
                && let Some(key) = &measured.unique_key
            {
                keys.push((metering.locked.subscription.id.clone(), metering.period(), key.as_str()));
            }
        }
        let mut counted = match keys.is_empty() {
            true => BTreeMap::new(),
            false => tx.period_keys(business, keys.iter().map(|(id, period, key)| (id, *period, *key))).await?,
        };
        for (subject, open) in &mut self.open {
            if let Open::Metering(metering) = open {
                let keys = counted.remove(&metering.locked.subscription.id).unwrap_or_default();
                metering.know(known.remove(subject).unwrap_or_default(), keys);
            }
        }
        Ok(())
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
        // After the end, only what happened before it: the last window takes it in until its period is closed.
        if let Some(end) = metering.locked.subscription.cancelled_at
            && item.occurred_at().is_none_or(|moment| moment >= end)
        {
            let message =
                format!("the subscription of {:?} has ended, and the item did not occur before", item.subject());
            return Ok(refuse("SUBSCRIPTION_NOT_FOUND", message));
        }
        match metering.admit(tx, item).await {
            Ok(result) => Ok(Ok(result)),
            Err(AdmitError::Refused(refusal)) => Ok(Err(refusal)),
            Err(AdmitError::Failed(CoreError::Invalid { code, message } | CoreError::Conflict { code, message })) => {
                Ok(Err(Refusal { code, message }))
            }
            Err(AdmitError::Failed(error)) => Err(error),
        }
    }

    async fn save<C: Connection>(self, tx: &mut Tx<C>) -> Result<(), CoreError> {
        let mut saving = Saving::default();
        for open in self.open.into_values() {
            if let Open::Metering(metering) = open {
                metering.put_into(tx, &mut saving).await?;
            }
        }
        saving.write(tx).await
    }
}

/// Whether projection and release of a subscription are there, and as they were written.
async fn is_served<S: Store>(
    core: &Core<S>,
    tx: &mut Tx<S::Connection>,
    locked: &LockedSubscription,
) -> Result<bool, CoreError> {
    let release = &locked.subscription.release;
    Ok(locked.projection.is_some() && core.manifest(tx, &locked.subscription.business, release).await?.is_some())
}
