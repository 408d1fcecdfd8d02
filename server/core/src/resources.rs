//! Counts of resources, by what requests do to them: one that makes one more takes its place before it is served, so that however many come
//! at once, there are never more than the plan allows.

use crate::core::Core;
use crate::error::CoreError;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use svc_engine::manifest::ir::{ClosedSet, Key, ResourceEffect};
use svc_store::records::Id;
use svc_store::{Mode, Store};

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

impl<S: Store> Core<S> {
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
    ) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let counted = (business, subject, change.resource.as_str());
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let count = tx.lock_resource_count(counted).await?;
                let was_there = tx.end_resource_change(counted, &change.id).await?;
                if was_there && was_done {
                    let count = match change.effect {
                        ResourceEffect::Create => count.saturating_add(1),
                        ResourceEffect::Delete => count.saturating_sub(1),
                    };
                    tx.set_resource_count(counted, count).await?;
                }
                Ok(tx.commit().await?)
            })
        })
        .await
    }
}
