//! Who did what: every move of money by hand, publication, migration and change of access is noted in the transaction that does it, so that
//! one is never there without the other. The service's own acts (periods that settle, builds on push) are noted as its own.

use crate::core::Core;
use crate::error::CoreError;
use crate::ids::{new_id, next_page};
use jiff::Timestamp;
use serde_json::Value as Json;
use svc_store::records::{AuditEntry, Id};
use svc_store::{Connection, Mode, Store, StoreResult, Tx};

/// Entries that one page of the log has, at most.
pub const AUDIT_ENTRIES_MAX: u32 = 100;
/// An entry of the log before it has a moment and an actor.
#[derive(Debug)]
pub(crate) struct Deed<'a> {
    /// The business; nothing for what is of none.
    pub(crate) business: Option<&'a Id>,
    /// What is done, such as `credit.given`.
    pub(crate) action: &'static str,
    /// The id of what it is done to.
    pub(crate) target: Option<&'a str>,
    /// What else is to be known of it.
    pub(crate) detail: Option<Json>,
}

impl<'a> Deed<'a> {
    /// Of a business, to something of it.
    pub(crate) fn of(business: &'a Id, action: &'static str, target: &'a str) -> Deed<'a> {
        Deed { business: Some(business), action, target: Some(target), detail: None }
    }

    /// With what else is to be known.
    pub(crate) fn with(mut self, detail: Json) -> Self {
        self.detail = Some(detail);
        self
    }
}

impl<S: Store> Core<S> {
    /// Notes what is done, in the transaction that does it.
    pub(crate) async fn note<C: Connection>(&self, tx: &mut Tx<C>, deed: Deed<'_>, now: Timestamp) -> StoreResult<()> {
        let (actor_kind, actor, actor_name) = self.actor.columns();
        let entry = AuditEntry {
            id: new_id("aud", now),
            business: deed.business.cloned(),
            at: now,
            actor_kind: actor_kind.to_owned(),
            actor,
            actor_name,
            action: deed.action.to_owned(),
            target: deed.target.map(str::to_owned),
            detail: deed.detail.map(|detail| detail.to_string()),
        };
        tx.insert_audit_entry(&entry).await
    }

    /// A page of what was done in a business or, without one, beside them, the newest first, and where the next page begins.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn audit_entries(
        &self,
        business: Option<&Id>,
        before: Option<&str>,
        limit: u32,
    ) -> Result<(Vec<AuditEntry>, Option<Id>), CoreError> {
        let limit = limit.clamp(1, AUDIT_ENTRIES_MAX);
        let mut tx = self.store.begin(Mode::Read).await?;
        if let Some(business) = business {
            tx.business(business).await?.ok_or(CoreError::NotFound("there is no such business"))?;
        }
        let page = tx.audit_entries(business, before, limit).await?;
        let next = next_page(&page, limit, |entry| entry.id.clone());
        Ok((page, next))
    }
}
