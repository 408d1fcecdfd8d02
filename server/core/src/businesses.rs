//! Businesses.

use crate::audit_log::Deed;
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use jiff::Timestamp;
use serde_json::json;
use svc_store::records::{Business, Id};
use svc_store::{Connection, Mode, Store, Tx};

/// Longest name of a business and of a subject, in characters.
pub const NAME_MAX_CHARS: usize = 200;

/// A name that people gave: neither empty nor too long, without control characters.
pub(crate) fn checked_name(what: &str, name: &str) -> Result<String, CoreError> {
    let fits = (1..=NAME_MAX_CHARS).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if fits {
        return Ok(name.to_owned());
    }
    Err(CoreError::invalid(
        "NAME_FORM",
        format!("{what} has 1 to {NAME_MAX_CHARS} characters and no control characters"),
    ))
}

impl<S: Store> Core<S> {
    /// Makes a business.
    ///
    /// # Errors
    /// [`CoreError::Invalid`] for a bad name; [`CoreError::Store`].
    pub async fn create_business(&self, name: &str, now: Timestamp) -> Result<Business, CoreError> {
        let business =
            Business { id: new_id("biz", now), name: checked_name("a business's name", name)?, created_at: now };
        let business = &business;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                tx.insert_business(business).await?;
                let deed = Deed::of(&business.id, "business.created", business.id.as_str());
                self.note(&mut tx, deed.with(json!({ "name": business.name })), now).await?;
                tx.commit().await?;
                Ok(business.clone())
            })
        })
        .await
    }
}

/// Fails for a business that is not there.
pub(crate) async fn known_business<C: Connection>(tx: &mut Tx<C>, business: &Id) -> Result<(), CoreError> {
    match tx.business(business).await? {
        Some(_) => Ok(()),
        None => Err(CoreError::NotFound("there is no such business")),
    }
}

/// Locks a business: publishing, subscribing and migrating take turns. Fails for one that is not there.
pub(crate) async fn lock_business<C: Connection>(tx: &mut Tx<C>, business: &Id) -> Result<(), CoreError> {
    match tx.lock_business(business).await? {
        Some(_) => Ok(()),
        None => Err(CoreError::NotFound("there is no such business")),
    }
}
