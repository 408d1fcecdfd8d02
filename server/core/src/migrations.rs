//! Plan versions, and moving a plan's subscribers from one to another. Ordering a migration decides everything and moves nobody:
//! each subscription gets a transition, which [`crate::locked_subscription`] carries out at its instant, once.

use crate::audit_log::Deed;
use crate::core::Core;
use crate::error::CoreError;
use crate::idempotency::IdempotencyKey;
use crate::ids::{LISTED_MAX, new_id, next_page};
use crate::terms::Terms;
use crate::{businesses, fees, locked_subscription, subscriptions};
use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use svc_engine::manifest::Manifest;
use svc_engine::manifest::additions::Additions;
use svc_engine::moment::Moment;
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::bill::ChargedTime;
use svc_engine::money::fee::{FeeTerms, PeriodFee};
use svc_engine::money::period::Period;
use svc_store::records::{
    Id, Migration, MigrationPolicy, Projection, Proration, StoredPeriod, StoredProjection, Subscription,
    SubscriptionKey, Transition, TransitionState,
};
use svc_store::{Connection, Mode, Store, Tx};

/// A plan's version as a caller names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum VersionName {
    /// Every one, but that which is moved to.
    Any,
    /// The newest.
    Head,
    /// This one.
    Number(u32),
}

impl JsonSchema for VersionName {
    fn schema_name() -> Cow<'static, str> {
        "VersionName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A version of a plan: its number, such as `3` or `v3`, or `head` for the newest; `any`, to move from, for all others.",
            "type": "string",
            "pattern": "^(any|head|v?[0-9]{1,9})$",
        })
    }
}

impl std::str::FromStr for VersionName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "any" => Ok(VersionName::Any),
            "head" => Ok(VersionName::Head),
            number => {
                let form = |_| format!("{number:?} is no version: a number such as 3, head, or any");
                number.strip_prefix('v').unwrap_or(number).parse().map(VersionName::Number).map_err(form)
            }
        }
    }
}

impl TryFrom<String> for VersionName {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<VersionName> for String {
    fn from(name: VersionName) -> String {
        match name {
            VersionName::Any => "any".to_owned(),
            VersionName::Head => "head".to_owned(),
            VersionName::Number(number) => number.to_string(),
        }
    }
}

/// What to migrate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MigrationOrder {
    /// From which version.
    pub from: VersionName,
    /// To which version.
    pub to: VersionName,
    /// When.
    pub policy: MigrationPolicy,
    /// What happens to fees in the middle of a period.
    pub proration: Proration,
    /// The deadline of `by_date`.
    pub complete_by: Option<Timestamp>,
}

/// One subscription that moves, and what it would pay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedMove {
    /// The subscription.
    pub subscription_id: Id,
    /// The subscriber.
    pub subject: String,
    /// When; nothing while the subscriber has not opted in.
    #[schemars(with = "Option<Moment>")]
    pub due_at: Option<Timestamp>,
    /// Its recurring fee now, in cents.
    pub recurring_fee_cents: Cents,
    /// Its recurring fee from the next whole period on, in cents.
    pub next_fee_cents: Cents,
    /// What the move posts to the open period at once: negative in the subscriber's favour. Zero but with `prorate`.
    pub proration_nanos: Nanos,
    /// What the move gives as credit. Zero but with `credit`.
    pub credit_nanos: Nanos,
}

/// What a migration came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Migrated {
    /// The batch; nothing where nobody moves, or in a dry run.
    pub batch_id: Option<Id>,
    /// `MIGRATION_APPLIED` where all are moved, `MIGRATION_SCHEDULED` where they will be, `MIGRATION_PLANNED` of a dry run, or
    /// `MIGRATION_SKIPPED` where there is nothing to do.
    pub code: String,
    /// Why, for people.
    pub message: String,
    /// From which version; nothing for any.
    pub from_version: Option<u32>,
    /// To which version.
    pub to_version: u32,
    /// What the version adds, by its path in the product; only of the policy `additions`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Who moves.
    pub moves: Vec<PlannedMove>,
}

/// Moves that an answer lists, at most.
pub const MOVES_LISTED_MAX: u32 = 10_000;

impl Migrated {
    /// The same with a page of those who move, by subject, and where the next page begins: at most `limit` of those after `after`.
    #[must_use]
    pub fn page(mut self, after: Option<&str>, limit: u32) -> (Migrated, Option<String>) {
        if let Some(after) = after {
            self.moves.retain(|planned| planned.subject.as_str() > after);
        }
        let most = usize::try_from(limit.clamp(1, MOVES_LISTED_MAX)).unwrap_or(usize::MAX);
        let is_more = self.moves.len() > most;
        self.moves.truncate(most);
        let next = self.moves.last().filter(|_| is_more).map(|last| last.subject.clone());
        (self, next)
    }

    /// Says what becomes of those who move.
    fn say(&mut self, plan: &str, order: MigrationOrder, dry_run: bool) {
        let (one, count) = (self.moves.len() == 1, self.moves.len());
        let who = format!("{count} {} of {plan:?}", if one { "subscription" } else { "subscriptions" });
        let from = self.from_version.map_or_else(|| "any version".to_owned(), |from| format!("version {from}"));
        let keeps = if order.policy == MigrationPolicy::Additions { ", with the fee that each agreed to" } else { "" };
        let versions = format!("from {from} to version {}{keeps}", self.to_version);
        // Whoever looks at a subscription at its move's instant or later finds it moved.
        let (code, does, when) = match (dry_run, order.policy) {
            (true, _) => ("MIGRATION_PLANNED", "would move", String::new()),
            (false, MigrationPolicy::Immediate | MigrationPolicy::Additions) => {
                ("MIGRATION_APPLIED", if one { "was moved" } else { "were moved" }, String::new())
            }
            (false, policy) => {
                let does = if one { "moves" } else { "move" };
                let deadline = order.complete_by.map(|end| format!(", at the latest at {end}")).unwrap_or_default();
                let when = match policy {
                    MigrationPolicy::OptIn => " when its subscriber accepts".to_owned(),
                    _ => format!(" when its open period ends{deadline}"),
                };
                ("MIGRATION_SCHEDULED", does, when)
            }
        };
        self.code = code.to_owned();
        self.message = format!("{who} {does} {versions}{when}");
    }
}

/// A plan's version with its subscribers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanVersion {
    /// The plan.
    pub plan: String,
    /// The version.
    pub version: u32,
    /// The first release that has it.
    pub release_id: Id,
    /// Whether new subscriptions get it.
    pub active: bool,
    /// Live subscriptions on it.
    pub subscribers: u64,
}

/// A migration and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MigrationStatus {
    /// The batch.
    pub batch_id: Id,
    /// The plan.
    pub plan: String,
    /// From which version; nothing for any.
    pub from_version: Option<u32>,
    /// To which version.
    pub to_version: u32,
    /// When it moves subscriptions.
    pub policy: MigrationPolicy,
    /// What happens to fees.
    pub proration: Proration,
    /// The deadline.
    #[schemars(with = "Option<Moment>")]
    pub complete_by: Option<Timestamp>,
    /// When it was ordered.
    #[schemars(with = "Moment")]
    pub created_at: Timestamp,
    /// How many subscriptions are in which state.
    pub transitions: BTreeMap<String, u64>,
}

/// A move that a subscriber may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanOffer {
    /// The transition.
    pub offer_id: Id,
    /// The plan.
    pub plan: String,
    /// The version it has.
    pub from_version: u32,
    /// The version it would get.
    pub to_version: u32,
    /// Its recurring fee now, in cents.
    pub recurring_fee_cents: Cents,
    /// Its recurring fee then, in cents.
    pub next_fee_cents: Cents,
}

impl<S: Store> Core<S> {
    /// A page of the plans and versions of a business, with their live subscribers, by plan and version, and where the next page
    /// begins: at most `limit` of those after `after`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Invalid`] for an `after` that no page ended with; [`CoreError::Store`].
    pub async fn plan_versions(
        &self,
        business: &Id,
        after: Option<&str>,
        limit: u32,
        now: Timestamp,
    ) -> Result<(Vec<PlanVersion>, Option<String>), CoreError> {
        let limit = limit.clamp(1, LISTED_MAX);
        let after = match after {
            Some(cursor) => {
                let parts = cursor.rsplit_once(':').and_then(|(plan, version)| Some((plan, version.parse().ok()?)));
                parts.ok_or_else(|| CoreError::invalid("CURSOR_FORM", "the cursor is none that a page ended with"))?
            }
            None => ("", 0),
        };
        self.settle_due(business, now).await?;
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let counts: BTreeMap<(String, u32), u64> = (tx.subscriber_counts(business).await?.into_iter())
            .map(|(plan, version, count)| ((plan, version), count))
            .collect();
        let active = tx.active_release(business).await?;
        let mut versions = Vec::new();
        for (plan, version, release_id) in tx.plan_versions(business, after, limit).await? {
            let served = match &active {
                Some(active) => tx.projection(business, &active.id, &plan).await?.map(|projection| projection.version),
                None => None,
            };
            let subscribers = counts.get(&(plan.clone(), version)).copied().unwrap_or_default();
            versions.push(PlanVersion { active: served == Some(version), plan, version, release_id, subscribers });
        }
        let next = next_page(&versions, limit, |last| format!("{}:{}", last.plan, last.version));
        Ok((versions, next))
    }

    /// Orders a migration, or says what it would do.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business or plan; [`CoreError::Invalid`] for a version that is not there, a deadline
    /// missing, not wanted or past, or a change of the billing interval in the middle of a period.
    pub async fn migrate(
        &self,
        business: &Id,
        plan: &str,
        order: MigrationOrder,
        dry_run: bool,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<Migrated, CoreError> {
        self.again(move || {
            Box::pin(async move {
                check_deadline(order, now)?;
                check_proration(order)?;
                // Whoever was to move before now has moved, whether or not anyone came by since.
                self.settle_due(business, now).await?;
                let mut tx = self.store.begin(Mode::Write).await?;
                businesses::lock_business(&mut tx, business).await?;
                let idempotency = IdempotencyKey::new(business, "migrations".to_owned(), key, &(plan, order, dry_run))?;
                if let Some(known) = idempotency.recall(&mut tx).await? {
                    return Ok(known);
                }
                let (to, target) = find(&mut tx, business, plan, order.to).await?;
                let from = match order.from {
                    VersionName::Any => None,
                    name => Some(find(&mut tx, business, plan, name).await?.0.version),
                };
                let mut migrated = Migrated {
                    batch_id: None,
                    code: "MIGRATION_SKIPPED".to_owned(),
                    message: match from {
                        Some(from) => format!("no subscription of {plan:?} version {from} is to be moved"),
                        None => format!("no subscription of {plan:?} on another version is to be moved"),
                    },
                    from_version: from,
                    to_version: to.version,
                    added: Vec::new(),
                    moves: Vec::new(),
                };
                if order.policy == MigrationPolicy::Grandfather {
                    migrated.message = "grandfather moves nobody: subscribers keep the version they have".to_owned();
                    return Ok(migrated);
                }
                let subscribers = match from {
                    Some(from) => tx.lock_subscribers(business, plan, from).await?,
                    None => tx.lock_other_subscribers(business, plan, to.version).await?,
                };
                let mut moving: Vec<Subscription> =
                    subscribers.into_iter().filter(|subscription| subscription.release != to.release).collect();
                if order.policy == MigrationPolicy::Additions {
                    migrated.added = self.additions(&mut tx, &to, &mut moving).await?;
                }
                let mut known: BTreeMap<u32, Arc<Terms>> = BTreeMap::new();
                for subscription in &moving {
                    let current = match known.entry(subscription.plan_version) {
                        Entry::Occupied(found) => Arc::clone(found.get()),
                        Entry::Vacant(place) => {
                            let version = VersionName::Number(*place.key());
                            Arc::clone(place.insert(find(&mut tx, business, plan, version).await?.1))
                        }
                    };
                    let open = tx.period(&subscription.key(), subscription.period).await?;
                    migrated.moves.push(planned(subscription, open.as_ref(), [&current, &target], order, now)?);
                }
                if moving.is_empty() {
                    return Ok(migrated);
                }
                migrated.say(plan, order, dry_run);
                if dry_run {
                    return Ok(migrated);
                }
                let batch = new_id("mig", now);
                let migration = Migration {
                    id: batch.clone(),
                    business: business.clone(),
                    plan: plan.to_owned(),
                    from_version: from.unwrap_or_default(),
                    to_version: to.version,
                    to_release: to.release,
                    policy: order.policy,
                    proration: order.proration,
                    complete_by: order.complete_by,
                    created_at: now,
                };
                let transitions = transitions(&migration, &migrated.moves, now);
                tx.insert_migration(&migration, &transitions).await?;
                look_when_due(&mut tx, business, &migrated.moves).await?;
                if !matches!(order.policy, MigrationPolicy::Immediate | MigrationPolicy::Additions) {
                    note_due_fees(&mut tx, &moving, &target, now).await?;
                }
                let deed = Deed::of(business, "migration.begun", batch.as_str());
                let detail = json!({ "plan": plan, "from": order.from, "to": to.version, "policy": order.policy });
                self.note(&mut tx, deed.with(detail), now).await?;
                migrated.batch_id = Some(batch);
                idempotency.remember(&mut tx, &migrated, now).await?;
                tx.commit().await?;
                Ok(migrated)
            })
        })
        .await
    }

    /// What a version adds to the versions of those who are to move; it must only add to each. Whoever waits for another move is left to
    /// that one.
    async fn additions(
        &self,
        tx: &mut Tx<S::Connection>,
        to: &StoredProjection,
        moving: &mut Vec<Subscription>,
    ) -> Result<Vec<String>, CoreError> {
        let mut free = Vec::with_capacity(moving.len());
        for subscription in std::mem::take(moving) {
            if tx.open_transition(&subscription.key()).await?.is_none() {
                free.push(subscription);
            }
        }
        *moving = free;
        let missing = || CoreError::Internal("a release of a plan's version is missing or altered".to_owned());
        let mut added = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for subscription in moving.iter().filter(|subscription| seen.insert(subscription.plan_version)) {
            let Subscription { business, release, plan, plan_version, .. } = subscription;
            let old = self.manifest(tx, business, release).await?.ok_or_else(missing)?;
            let new = self.manifest(tx, business, &to.release).await?.ok_or_else(missing)?;
            let of = |manifest: &Manifest| manifest.plans.iter().find(|known| known.key.as_str() == plan).cloned();
            let (before, after) = (of(&old).ok_or_else(missing)?, of(&new).ok_or_else(missing)?);
            let found = Additions::between((&old, &before), (&new, &after))
                .map_err(|error| CoreError::Internal(error.to_string()))?;
            if !found.others.is_empty() {
                let message = format!(
                    "version {} of {plan:?} does not only add to version {plan_version}: {}",
                    to.version,
                    found.others.join("; ")
                );
                return Err(CoreError::invalid("NOT_AN_ADDITION", message));
            }
            added.extend(found.added);
        }
        Ok(added.into_iter().collect())
    }

    /// A page of the business's migrations, the newest first, and where the next page begins: at most `limit` of those before `before`.
    /// Subscriptions whose moment has come are moved first.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn migrations(
        &self,
        business: &Id,
        before: Option<&str>,
        limit: u32,
        now: Timestamp,
    ) -> Result<(Vec<MigrationStatus>, Option<Id>), CoreError> {
        let limit = limit.clamp(1, LISTED_MAX);
        self.settle_due(business, now).await?;
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let page = tx.migrations(business, before, limit).await?;
        let mut counts: BTreeMap<Id, BTreeMap<String, u64>> = BTreeMap::new();
        for (migration, state, count) in tx.transition_counts(business, &page).await? {
            counts.entry(migration).or_default().insert(<&str>::from(state).to_owned(), count);
        }
        let status = |migration: Migration| MigrationStatus {
            transitions: counts.get(&migration.id).cloned().unwrap_or_default(),
            batch_id: migration.id,
            plan: migration.plan,
            from_version: Some(migration.from_version).filter(|version| *version > 0),
            to_version: migration.to_version,
            policy: migration.policy,
            proration: migration.proration,
            complete_by: migration.complete_by,
            created_at: migration.created_at,
        };
        let next = next_page(&page, limit, |last| last.id.clone());
        Ok((page.into_iter().map(status).collect(), next))
    }

    /// Lets time pass over every live subscription of a business for which something is due.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn settle_due(&self, business: &Id, now: Timestamp) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Read).await?;
                let due = tx.due_subscriptions(business, now).await?;
                drop(tx);
                for subscription in due {
                    let _turn = self.turn_of(business, &subscription).await?;
                    let mut tx = self.store.begin(Mode::Write).await?;
                    subscriptions::lock(&mut tx, business, &subscription, now).await?.save(&mut tx).await?;
                    tx.commit().await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// The move that a subject may take; nothing where none is offered.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] without a live subscription; [`CoreError::Store`].
    pub async fn plan_offer(
        &self,
        business: &Id,
        subject: &str,
        now: Timestamp,
    ) -> Result<Option<PlanOffer>, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let locked = subscriptions::live(&mut tx, business, subject, now).await?;
                let subscription = locked.subscription.clone();
                locked.save(&mut tx).await?;
                let offered = tx.open_transition(&subscription.key()).await?;
                let Some(offered) = offered.filter(|offered| offered.state == TransitionState::Offered) else {
                    return Ok(None);
                };
                let stored = tx.served_projection(business, &offered.to_release, &offered.to_plan).await?;
                tx.commit().await?;
                Ok(stored.as_ref().and_then(Terms::verified).map(|target| PlanOffer {
                    offer_id: offered.id,
                    plan: subscription.plan.clone(),
                    from_version: subscription.plan_version,
                    to_version: target.version,
                    recurring_fee_cents: subscription.recurring_fee_cents,
                    next_fee_cents: target.plan.recurring_fee_cents,
                }))
            })
        })
        .await
    }

    /// Takes the move that is offered to a subject, at `now`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an offer that is not this subject's, was taken already, or is gone.
    pub async fn take_offer(
        &self,
        business: &Id,
        subject: &str,
        offer: &Id,
        now: Timestamp,
    ) -> Result<Subscription, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let locked = subscriptions::live(&mut tx, business, subject, now).await?;
                let subscription = locked.subscription.clone();
                let open = tx.open_transition(&subscription.key()).await?;
                let Some(offered) = open.filter(|open| open.id == *offer && open.state == TransitionState::Offered)
                else {
                    return Err(CoreError::NotFound("there is no such offer"));
                };
                locked.save(&mut tx).await?;
                let taken = Transition { due_at: Some(now), state: TransitionState::Pending, ..offered };
                tx.update_transition(&taken).await?;
                let locked = subscriptions::lock(&mut tx, business, &subscription.id, now).await?;
                let subscription = locked.subscription.clone();
                locked.save(&mut tx).await?;
                self.note(&mut tx, Deed::of(business, "offer.accepted", offer.as_str()), now).await?;
                tx.commit().await?;
                Ok(subscription)
            })
        })
        .await
    }
}

fn check_deadline(order: MigrationOrder, now: Timestamp) -> Result<(), CoreError> {
    let message = match (order.policy, order.complete_by) {
        (MigrationPolicy::ByDate, None) => "the policy by_date needs a deadline (--complete-by)",
        (MigrationPolicy::ByDate, Some(deadline)) if deadline < now => "the deadline has passed already",
        (MigrationPolicy::ByDate, Some(_)) | (_, None) => return Ok(()),
        (_, Some(_)) => "only the policy by_date has a deadline",
    };
    Err(CoreError::invalid("MIGRATION_DEADLINE", message))
}

/// Additions leave the fee as it is: there is nothing to prorate.
fn check_proration(order: MigrationOrder) -> Result<(), CoreError> {
    if order.policy != MigrationPolicy::Additions || order.proration == Proration::None {
        return Ok(());
    }
    Err(CoreError::invalid("MIGRATION_PRORATION", "the policy additions moves no fee; leave the proration out"))
}

/// A plan's version, in the newest release that has it.
async fn find<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    plan: &str,
    name: VersionName,
) -> Result<(StoredProjection, Arc<Terms>), CoreError> {
    let head = tx.newest_version(business, plan).await?.ok_or(CoreError::NotFound("there is no such plan"))?;
    let newest = head.version;
    let found = match name {
        VersionName::Head => Some(head),
        VersionName::Number(number) => tx.version(business, plan, number).await?,
        VersionName::Any => None,
    };
    let unknown = || {
        CoreError::invalid(
            "UNKNOWN_VERSION",
            format!("the plan {plan:?} has versions 1 to {newest}, not {}", String::from(name)),
        )
    };
    let stored = found.ok_or_else(unknown)?;
    let projection =
        Terms::verified(&stored).ok_or_else(|| CoreError::Internal("a projection's hash is wrong".to_owned()))?;
    Ok((stored, projection))
}

/// When a subscription moves between two plan versions, and what that does to what it pays.
fn planned(
    subscription: &Subscription,
    open: Option<&StoredPeriod>,
    [current, target]: [&Projection; 2],
    order: MigrationOrder,
    now: Timestamp,
) -> Result<PlannedMove, CoreError> {
    // The period that `now` lies in, whether or not someone has settled the subscription up to it.
    let period = subscription.fee_period_at(now)?;
    let due_at = match order.policy {
        MigrationPolicy::Immediate | MigrationPolicy::Additions => Some(now),
        MigrationPolicy::NextRenewal => Some(period.end),
        MigrationPolicy::ByDate => order.complete_by.map(|deadline| deadline.min(period.end)),
        MigrationPolicy::OptIn | MigrationPolicy::Grandfather => None,
    };
    let planned = planned_at(subscription, open, period, [current, target], order.proration, due_at)?;
    if order.policy == MigrationPolicy::Additions {
        let next_fee_cents = subscription.next_fee_cents.unwrap_or(subscription.recurring_fee_cents);
        return Ok(PlannedMove { next_fee_cents, ..planned });
    }
    Ok(planned)
}

/// What a move at `due_at` does to what a subscription pays; nothing yet where that is not known.
pub(crate) fn planned_at(
    subscription: &Subscription,
    open: Option<&StoredPeriod>,
    period: Period,
    [current, target]: [&Projection; 2],
    proration: Proration,
    due_at: Option<Timestamp>,
) -> Result<PlannedMove, CoreError> {
    if !subscription.has_periods_of(&target.plan) && due_at != Some(period.end) {
        let message = "the two bill by different intervals; only the end of a period can move between them";
        return Err(CoreError::invalid("MIGRATION_INTERVAL", message));
    }
    let (old, new) = (subscription.recurring_fee_cents, target.plan.recurring_fee_cents);
    let change = match due_at {
        Some(due) => {
            let time = ChargedTime::new(period, subscription.trial_ends_at);
            let open = open.filter(|open| open.index == period.index);
            let goes_on = subscription.plan == target.plan.key.as_str();
            // In a period to come an introductory fee that is left goes on, or not, as the next one does.
            let intro = subscription.intro.and_then(|intro| intro.next(old));
            let next = |fee| subscription.intro.and_then(|intro| intro.next(fee)).unwrap_or(fee);
            let to_come = (PeriodFee { intro, ..PeriodFee::first(subscription.fee_terms, old) }, old);
            let own = open.map_or(to_come, StoredPeriod::own_fee);
            let paid = open.map_or(next(old), |open| open.current_fee_cents);
            let rest = match open {
                Some(open) => fees::fee_of_rest(open, goes_on, new),
                None if goes_on => next(new),
                None => new,
            };
            let is_opaque = [current, target].into_iter().any(locked_subscription::shows_no_money);
            locked_subscription::fee_change((time, own), paid, rest, proration, due, is_opaque)?
        }
        None => locked_subscription::FeeChange::default(),
    };
    Ok(PlannedMove {
        subscription_id: subscription.id.clone(),
        subject: subscription.subject.clone(),
        due_at,
        recurring_fee_cents: old,
        next_fee_cents: new,
        proration_nanos: change.adjustment,
        credit_nanos: change.credit,
    })
}

/// A migration's transition for each move.
fn transitions(migration: &Migration, moves: &[PlannedMove], now: Timestamp) -> Vec<Transition> {
    let transition = |planned: &PlannedMove| Transition {
        id: new_id("trn", now),
        migration: Some(migration.id.clone()),
        subscription: SubscriptionKey { business: migration.business.clone(), id: planned.subscription_id.clone() },
        to_release: migration.to_release.clone(),
        to_plan: migration.plan.clone(),
        proration: migration.proration,
        keeps_fee: migration.policy == MigrationPolicy::Additions,
        due_at: planned.due_at,
        state: if planned.due_at.is_some() { TransitionState::Pending } else { TransitionState::Offered },
    };
    moves.iter().map(transition).collect()
}

/// Has each subscription looked at when its move is due.
async fn look_when_due<C: Connection>(tx: &mut Tx<C>, business: &Id, moves: &[PlannedMove]) -> Result<(), CoreError> {
    let mut due: BTreeMap<Timestamp, Vec<String>> = BTreeMap::new();
    for planned in moves {
        if let Some(at) = planned.due_at {
            due.entry(at).or_default().push(planned.subscription_id.to_string());
        }
    }
    for (at, subscriptions) in due {
        tx.advance_due(business, subscriptions, at).await?;
    }
    Ok(())
}

/// Has the open documents of those whose fee comes, or is going to come, in advance charge the fee that the move sets.
async fn note_due_fees<C: Connection>(
    tx: &mut Tx<C>,
    moving: &[Subscription],
    target: &Projection,
    now: Timestamp,
) -> Result<(), CoreError> {
    let is_due = FeeTerms::of(&target.plan).in_advance;
    for subscription in moving {
        let open = tx.period(&subscription.key(), subscription.period).await?;
        let was_noted = open.is_some_and(|open| open.fee.due != open.recurring_fee_cents);
        if is_due || was_noted || subscription.fee_terms.in_advance {
            subscriptions::lock(tx, &subscription.business, &subscription.id, now).await?.save(tx).await?;
        }
    }
    Ok(())
}
