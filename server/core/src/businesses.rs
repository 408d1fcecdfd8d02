//! Businesses and the tokens that open their doors.

use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use svc_store::records::{Business, Id, Token, TokenScope};
use svc_store::{Connection, Mode, Store, Tx};

/// Bytes of chance in a token.
const TOKEN_BYTES: usize = 32;
/// Longest name of a business and of a subject, in characters.
pub const NAME_MAX_CHARS: usize = 200;

/// What names a token in the store.
pub fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// A fresh token; `kind` stands in front so that people can tell tokens apart.
///
/// # Errors
/// [`CoreError::Internal`] when the system gives no chance.
pub fn new_token(kind: &str) -> Result<String, CoreError> {
    let mut bytes = [0_u8; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| CoreError::Internal(error.to_string()))?;
    Ok(bytes.iter().fold(format!("svc_{kind}_"), |token, byte| token + &format!("{byte:02x}")))
}

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
        let mut tx = self.store.begin(Mode::Write).await?;
        tx.insert_business(&business).await?;
        tx.commit().await?;
        Ok(business)
    }

    /// Makes a token. It is in the answer and nowhere else.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for a bad subject; [`CoreError::Store`].
    pub async fn mint_token(&self, business: &Id, scope: TokenScope, now: Timestamp) -> Result<String, CoreError> {
        let kind = match &scope {
            TokenScope::Deploy => "deploy",
            TokenScope::Portal { subject } => {
                checked_name("a subject", subject)?;
                "portal"
            }
        };
        let text = new_token(kind)?;
        let token = Token { hash: token_hash(&text), business: business.clone(), scope, created_at: now };
        let mut tx = self.store.begin(Mode::Write).await?;
        known_business(&mut tx, business).await?;
        tx.insert_token(&token).await?;
        tx.commit().await?;
        Ok(text)
    }

    /// The token of this text, where there is one.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn token(&self, text: &str) -> Result<Option<Token>, CoreError> {
        let hash = token_hash(text);
        if let Some(known) = self.tokens.get(&hash) {
            return Ok(Some(known));
        }
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        let found = tx.token(&hash).await?;
        if let Some(token) = &found {
            self.tokens.put(hash, token.clone());
        }
        Ok(found)
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
