//! Counts of resources, by what requests do to them: one that makes one more takes its place before it is served, so that however many come
//! at once, there are never more than the plan allows.

use crate::audit_log::Deed;
use crate::businesses::{checked_name, known_business};
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::{LISTED_MAX, next_page};
use crate::locked_subscription::LockedSubscription;
use crate::subscriptions;
use crate::terms::Terms;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;
use svc_engine::manifest::ir::{ClosedSet, Key, ResourceEffect};
use svc_store::records::Id;
use svc_store::{Connection, Mode, Store, Tx};

/// A request that is to change a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceChange {
    /// The request's id.
    pub id: String,
    /// The resource.
    pub resource: Key,
    /// What it does.
    pub effect: ResourceEffect,
}

/// How many of a resource a subject has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ResourceCount {
    /// The resource.
    pub resource: String,
    /// How many; at most 2^53 − 1.
    pub count: u64,
}

/// Most of one resource: 2^53 − 1.
pub const RESOURCE_COUNT_MAX: u64 = (1 << 53) - 1;

impl<S: Store> Core<S> {
    /// A page of what a subject has of each resource that was ever counted, by resource, and where the next page begins: at most `limit` of
    /// those after `after`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn resource_counts(
        &self,
        business: &Id,
        subject: &str,
        after: &str,
        limit: u32,
    ) -> Result<(Vec<ResourceCount>, Option<String>), CoreError> {
        let limit = limit.clamp(1, LISTED_MAX);
        let mut tx = self.store.begin(Mode::Read).await?;
        known_business(&mut tx, business).await?;
        let page = tx.resource_counts(business, subject, after, limit).await?;
        let next = next_page(&page, limit, |(resource, _)| resource.clone());
        Ok((page.into_iter().map(|(resource, count)| ResourceCount { resource, count }).collect(), next))
    }

    /// Says how many of a resource a subject has, whatever was counted: requests under way count on from there. May exceed what the plan
    /// allows, and then no request makes one more.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] `UNKNOWN_RESOURCE` where the active release does not declare
    /// it, `COUNT_RANGE` past [`RESOURCE_COUNT_MAX`]; [`CoreError::Store`].
    pub async fn set_resource_count(
        &self,
        business: &Id,
        subject: &str,
        to: &ResourceCount,
        now: Timestamp,
    ) -> Result<(), CoreError> {
        if to.count > RESOURCE_COUNT_MAX {
            return Err(CoreError::invalid("COUNT_RANGE", format!("a count is at most {RESOURCE_COUNT_MAX}")));
        }
        checked_name("a subject", subject)?;
        self.again(move || {
            Box::pin(async move {
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                known_business(&mut tx, business).await?;
                self.check_declared(&mut tx, business, &to.resource).await?;
                let counted = (business, subject, to.resource.as_str());
                let payer = payer(&mut tx, counted, now).await?;
                let before = tx.lock_resource_count(counted).await?;
                if before != to.count {
                    tx.set_resource_count(counted, to.count).await?;
                }
                // Also where the count stays: it puts a level right that is not the count.
                pay_for(&mut tx, payer, (counted, to.count), now).await?;
                if before != to.count {
                    let detail = json!({ "resource": to.resource, "before": before, "after": to.count });
                    self.note(&mut tx, Deed::of(business, "resource.count_set", subject).with(detail), now).await?;
                }
                Ok(tx.commit().await?)
            })
        })
        .await
    }

    async fn check_declared(&self, tx: &mut Tx<S::Connection>, business: &Id, resource: &str) -> Result<(), CoreError> {
        let manifest = match tx.active_release(business).await? {
            Some(active) => self.manifest(tx, business, &active.id).await?,
            None => None,
        };
        let is_declared = manifest
            .is_some_and(|manifest| manifest.resources.iter().any(|declared| declared.name.as_str() == resource));
        let unknown =
            || CoreError::invalid("UNKNOWN_RESOURCE", format!("the active release has no resource {resource:?}"));
        is_declared.then_some(()).ok_or_else(unknown)
    }

    /// Begins a change of a count, of which there may be `most`. It is forgotten after `life_seconds`.
    ///
    /// # Errors
    /// [`CoreError::Conflict`] `RESOURCE_CAP_REACHED` where there are as many, those under way among them; [`CoreError::Store`].
    pub async fn begin_resource_change(
        &self,
        business: &Id,
        subject: &str,
        change: &ResourceChange,
        most: Option<u64>,
        (life_seconds, now): (u32, Timestamp),
    ) -> Result<(), CoreError> {
        let end = now.checked_add(SignedDuration::from_secs(i64::from(life_seconds)));
        let end = end.map_err(|error| CoreError::Internal(error.to_string()))?;
        self.again(move || {
            Box::pin(async move {
                let counted = (business, subject, change.resource.as_str());
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let count = tx.lock_resource_count(counted).await?;
                let under_way = tx.resources_under_way(counted, now).await?;
                let is_full = most.is_some_and(|most| count.saturating_add(under_way) >= most);
                if change.effect == ResourceEffect::Create && is_full {
                    return Err(CoreError::conflict("RESOURCE_CAP_REACHED", "there are as many as the plan allows"));
                }
                tx.begin_resource_change(counted, (&change.id, change.effect.as_str()), end).await?;
                Ok(tx.commit().await?)
            })
        })
        .await
    }

    /// Ends a change of a count that was begun: it was done, or it was not. Again, it does nothing.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn end_resource_change(
        &self,
        business: &Id,
        subject: &str,
        change: &ResourceChange,
        was_done: bool,
        now: Timestamp,
    ) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let counted = (business, subject, change.resource.as_str());
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let payer = if was_done { payer(&mut tx, counted, now).await? } else { None };
                let count = tx.lock_resource_count(counted).await?;
                let was_there = tx.end_resource_change(counted, &change.id).await?;
                if was_there && was_done {
                    let count = match change.effect {
                        ResourceEffect::Create => count.saturating_add(1),
                        ResourceEffect::Delete => count.saturating_sub(1),
                    };
                    tx.set_resource_count(counted, count).await?;
                    pay_for(&mut tx, payer, (counted, count), now).await?;
                } else if let Some(payer) = payer {
                    payer.save(&mut tx).await?;
                }
                Ok(tx.commit().await?)
            })
        })
        .await
    }
}

/// Whose count it is: subject and resource of a business.
type Counted<'c> = (&'c Id, &'c str, &'c str);

/// The live subscription that pays for a resource, under lock: before its count is, so that a move finds the count that it goes on with.
/// Nothing where no plan of its release prices it, and nothing is due.
async fn payer<C: Connection>(
    tx: &mut Tx<C>,
    (business, subject, resource): Counted<'_>,
    now: Timestamp,
) -> Result<Option<LockedSubscription>, CoreError> {
    let Some(found) = tx.live_subscription(business, subject).await? else { return Ok(None) };
    let stored = tx.served_projection(business, &found.release, &found.plan).await?;
    let terms = stored.as_ref().and_then(Terms::verified);
    let is_priced = terms.is_some_and(|terms| terms.resources.iter().any(|priced| priced.as_str() == resource));
    // What is due may move it to a release where it is.
    if !is_priced && found.next_due_at.is_none_or(|due| due > now) {
        return Ok(None);
    }
    subscriptions::lock_live(tx, business, subject, now).await
}

/// Lets a count be paid for from now on, by whoever pays for it; also one who has subscribed meanwhile.
async fn pay_for<C: Connection>(
    tx: &mut Tx<C>,
    known: Option<LockedSubscription>,
    (counted, count): (Counted<'_>, u64),
    now: Timestamp,
) -> Result<(), CoreError> {
    let payer = match known {
        Some(known) => Some(known),
        None => payer(tx, counted, now).await?,
    };
    let Some(mut payer) = payer else { return Ok(()) };
    let at = payer.now;
    payer.set_counts(tx, &[(counted.2.to_owned(), count)], at).await?;
    payer.save(tx).await
}
