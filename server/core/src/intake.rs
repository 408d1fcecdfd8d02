//! Usage intake: batches of items in one transaction. Each item is accepted, a duplicate, or refused by name.

pub use crate::batches::{BATCH_MAX_ITEMS, BATCHES_TOGETHER_MAX};

use crate::batches::{Answer, Batch, Waiting};
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
use std::sync::Arc;
use svc_store::records::Id;
use svc_store::{Connection, Mode, Store, Tx};
use tokio::sync::oneshot::error::TryRecvError;

impl<S: Store> Core<S> {
    /// Admits a batch at `now`. Batches that wait for the same subjects meanwhile are admitted with it, in one transaction; what each of them is
    /// answered, and what is kept of it, is as if they had come one after the other.
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
        let batch = Arc::new(Batch::read(items, now)?);
        let results = self.admit_in_turn(business, &batch).await?;
        self.counters.usage(&results);
        Ok(results)
    }

    /// Admits batches at their moments, in order, those of the same subjects that follow each other together. What each of them is answered, and
    /// what is kept of it, is as if they had come one after the other.
    ///
    /// # Errors
    /// As [`Core::report_usage`], of the first batch that fails; those before it are admitted.
    pub async fn report_in_order(
        &self,
        business: &Id,
        batches: Vec<(Vec<Json>, Timestamp)>,
    ) -> Result<Vec<Vec<ItemResult>>, CoreError> {
        let read = |(items, now)| Batch::read(items, now).map(Arc::new);
        let batches: Vec<Arc<Batch>> = batches.into_iter().map(read).collect::<Result<_, _>>()?;
        let mut answers = Vec::with_capacity(batches.len());
        while let Some(first) = batches.get(answers.len()) {
            let next = batches.iter().skip(answers.len());
            let together: Vec<Arc<Batch>> =
                next.take_while(|next| next.subjects() == first.subjects()).take(self.together).cloned().collect();
            let admitted = self.admit_together(business, &together).await?;
            admitted.iter().for_each(|results| self.counters.usage(results));
            answers.extend(admitted);
        }
        Ok(answers)
    }

    /// Admits a batch when its turn comes, or has it admitted by who has the turn before it.
    async fn admit_in_turn(&self, business: &Id, batch: &Arc<Batch>) -> Answer {
        let queue = self.batches.of(business, batch);
        let mut answered = queue.join(Arc::clone(batch));
        let turn = tokio::select! {
            biased;
            answer = &mut answered => match answer {
                Ok(answer) => return answer,
                // Who had taken it left, or could not admit them together.
                Err(_) => return self.admit_alone(business, batch).await,
            },
            turn = queue.turn.lock() => turn,
        };
        loop {
            match answered.try_recv() {
                Ok(answer) => return answer,
                Err(TryRecvError::Closed) => break,
                Err(TryRecvError::Empty) => {}
            }
            let subjects = self.subjects.at(business, batch.subjects()).await;
            // Those that came while the subjects were waited for are among them.
            let mut taken = queue.take(self.together);
            let batches: Vec<Arc<Batch>> = taken.iter().map(|next| Arc::clone(&next.batch)).collect();
            let admitted = self.again(|| Box::pin(self.admit_once(business, &batches))).await;
            drop(subjects);
            match admitted {
                Ok(answers) => queue.put_back(answer(taken, answers)),
                Err(error) if taken.len() > 1 => {
                    // Nothing of them is there, or nobody knows; each finds out by itself, who is at fault and who is not.
                    tracing::warn!(%error, batches = taken.len(), "batches could not be admitted together");
                }
                Err(error) => {
                    if let Some(alone) = taken.pop() {
                        let _nobody_waits = alone.answer.send(Err(error));
                    }
                }
            }
        }
        drop(turn);
        self.admit_alone(business, batch).await
    }

    /// Admits a batch, and no other with it.
    async fn admit_alone(&self, business: &Id, batch: &Arc<Batch>) -> Answer {
        let mut answers = self.admit_together(business, std::slice::from_ref(batch)).await?;
        answers.pop().ok_or_else(|| CoreError::Internal("a batch was not admitted".to_owned()))
    }

    /// Admits batches of the same subjects; at least the first.
    async fn admit_together(&self, business: &Id, batches: &[Arc<Batch>]) -> Result<Vec<Vec<ItemResult>>, CoreError> {
        let subjects = batches.first().map(|first| first.subjects()).unwrap_or_default();
        let _turns = self.subjects.at(business, subjects).await;
        self.again(|| Box::pin(self.admit_once(business, batches))).await
    }

    /// Admits batches in one transaction, up to the first between which and the one before it time does something.
    async fn admit_once(&self, business: &Id, batches: &[Arc<Batch>]) -> Result<Vec<Vec<ItemResult>>, CoreError> {
        let Some(first) = batches.first() else { return Ok(Vec::new()) };
        let mut tx = self.store.begin(Mode::Write).await?;
        let items: Vec<&Item> = batches.iter().flat_map(|batch| batch.readable()).collect();
        let mut intake = Intake::open(self, &mut tx, business, &items, first.now).await?;
        if intake.is_empty() {
            businesses::known_business(&mut tx, business).await?;
        }
        let (mut answers, mut saving) = (Vec::with_capacity(batches.len()), Saving::default());
        for batch in batches {
            if !answers.is_empty() && !intake.goes_on(batch.now)? {
                break;
            }
            answers.push(intake.admit_all(&mut tx, batch).await?);
            intake.conclude(&mut tx, &mut saving, batch).await?;
        }
        intake.put_into(&mut saving)?;
        saving.write(&mut tx).await?;
        tx.commit().await?;
        Ok(answers)
    }
}

/// Gives those that were admitted their answers; the others.
fn answer(mut taken: Vec<Waiting>, answers: Vec<Vec<ItemResult>>) -> Vec<Waiting> {
    let others = taken.split_off(answers.len().min(taken.len()));
    for (waiting, results) in taken.into_iter().zip(answers) {
        let _nobody_waits = waiting.answer.send(Ok(results));
    }
    others
}

/// Batches under way, by subject.
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

    /// Whether the next batch may be admitted as it would be by who opens the subjects at its moment; then that is the moment from here on.
    fn goes_on(&mut self, now: Timestamp) -> Result<bool, CoreError> {
        let mut open: Vec<&mut Box<Metering>> = self.metered().collect();
        if !open.iter().all(|metering| metering.may_go_on(now)) {
            return Ok(false);
        }
        open.iter_mut().try_for_each(|metering| metering.go_on(now))?;
        Ok(true)
    }

    /// Concludes a batch that was admitted.
    async fn conclude<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        saving: &mut Saving,
        batch: &Batch,
    ) -> Result<(), CoreError> {
        let told = saving.told.len();
        for metering in self.metered() {
            metering.conclude(tx, saving).await?;
        }
        saving.told.iter_mut().skip(told).for_each(|told| told.trace.clone_from(&batch.trace));
        Ok(())
    }

    fn metered(&mut self) -> impl Iterator<Item = &mut Box<Metering>> {
        self.open
            .values_mut()
            .filter_map(|open| if let Open::Metering(metering) = open { Some(metering) } else { None })
    }

    async fn admit_all<C: Connection>(&mut self, tx: &mut Tx<C>, batch: &Batch) -> Result<Vec<ItemResult>, CoreError> {
        let mut results = Vec::with_capacity(batch.items.len());
        for (index, (id, item)) in batch.items.iter().enumerate() {
            let result = match item {
                Ok(item) => self.admit(tx, item).await?,
                Err(refusal) => Err(refusal.clone()),
            };
            let refused = |Refusal { code, message }| ItemResult::Refused { id: id.clone(), index, code, message };
            results.push(result.unwrap_or_else(refused));
        }
        Ok(results)
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

    /// Puts everything that was changed to what is to be written.
    fn put_into(self, saving: &mut Saving) -> Result<(), CoreError> {
        for open in self.open.into_values() {
            if let Open::Metering(metering) = open {
                metering.put_into(saving)?;
            }
        }
        Ok(())
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
