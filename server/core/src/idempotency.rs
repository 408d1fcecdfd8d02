//! Requests that may be sent twice: whoever sends the same one again under the same key gets the first answer, and nothing is done
//! twice. The answer is kept in the transaction that did the work.

use crate::error::CoreError;
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_engine::manifest::canonical;
use svc_store::records::{Id, IdempotentAnswer};
use svc_store::{Connection, Inserted, Tx};

/// Longest key, in characters.
const KEY_MAX_CHARS: usize = 200;

/// One request's place among those that may come again.
pub(crate) struct IdempotencyKey {
    business: Id,
    scope: String,
    key: Option<String>,
    fingerprint: String,
}

impl IdempotencyKey {
    /// A request in a scope of a business, under its sender's key; without one it is done whenever it comes.
    ///
    /// # Errors
    /// [`CoreError::Invalid`] for a key that is no key.
    pub(crate) fn new(
        business: &Id,
        scope: String,
        key: Option<&str>,
        request: &impl Serialize,
    ) -> Result<IdempotencyKey, CoreError> {
        let fits = |key: &str| (1..=KEY_MAX_CHARS).contains(&key.chars().count()) && !key.chars().any(char::is_control);
        if key.is_some_and(|key| !fits(key)) {
            let message = format!("an idempotency key has 1 to {KEY_MAX_CHARS} characters and no control characters");
            return Err(CoreError::invalid("IDEMPOTENCY_KEY_FORM", message));
        }
        let fingerprint = canonical::hash(request).map_err(|error| CoreError::Internal(error.to_string()))?;
        Ok(IdempotencyKey { business: business.clone(), scope, key: key.map(str::to_owned), fingerprint })
    }

    /// The answer that was given before.
    ///
    /// # Errors
    /// [`CoreError::Conflict`] when something else was asked under the key.
    pub(crate) async fn recall<T: DeserializeOwned, C: Connection>(
        &self,
        tx: &mut Tx<C>,
    ) -> Result<Option<T>, CoreError> {
        let Some(key) = &self.key else { return Ok(None) };
        let Some(known) = tx.remembered(&self.business, &self.scope, key).await? else { return Ok(None) };
        if known.fingerprint != self.fingerprint {
            let message = format!("something else was asked under the idempotency key {key:?}");
            return Err(CoreError::conflict("IDEMPOTENCY_CONFLICT", message));
        }
        let answer = serde_json::from_str(&known.answer).map_err(|error| CoreError::Internal(error.to_string()))?;
        Ok(Some(answer))
    }

    // INVARIANT 11: the answer is kept in the transaction that did the work.
    /// Keeps the answer.
    pub(crate) async fn remember<C: Connection>(
        &self,
        tx: &mut Tx<C>,
        answer: &impl Serialize,
        now: Timestamp,
    ) -> Result<(), CoreError> {
        let Some(key) = &self.key else { return Ok(()) };
        let answer = serde_json::to_string(answer).map_err(|error| CoreError::Internal(error.to_string()))?;
        let fingerprint = self.fingerprint.clone();
        match tx.remember(&self.business, &self.scope, key, &IdempotentAnswer { fingerprint, answer }, now).await? {
            Inserted::New => Ok(()),
            // The same request came twice at one moment; the other one is done, this one leaves nothing behind.
            Inserted::Existing => Err(CoreError::Busy("the same request was just done; send it again for its answer")),
        }
    }
}
