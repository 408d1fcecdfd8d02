//! Businesses and the tokens that open their doors.

use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use svc_store::records::{Business, Id, Token, TokenScope};
use svc_store::{Connection, Mode, Store, Tx};

/// Bytes of chance in a token.
const TOKEN_BYTES: usize = 32;
/// Shortest life that a token can be given, in seconds.
pub const TOKEN_LIFE_MIN_SECONDS: u32 = 1;
/// Longest life that a token can be given, in seconds: a leap year. One without a life never ends.
pub const TOKEN_LIFE_MAX_SECONDS: u32 = 366 * 24 * 60 * 60;
/// Longest name of a business and of a subject, in characters.
pub const NAME_MAX_CHARS: usize = 200;

/// A token that was just made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MintedToken {
    /// The token itself: it is kept nowhere.
    pub text: String,
    /// From when on it opens nothing; nothing for never.
    pub expires_at: Option<Timestamp>,
}

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
        let business = &business;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                tx.insert_business(business).await?;
                tx.commit().await?;
                Ok(business.clone())
            })
        })
        .await
    }

    /// Makes a token that ends after `life_seconds`, or never. Its text is in the answer and nowhere else.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for a bad subject or a life outside
    /// [`TOKEN_LIFE_MIN_SECONDS`] to [`TOKEN_LIFE_MAX_SECONDS`]; [`CoreError::Store`].
    pub async fn mint_token(
        &self,
        business: &Id,
        scope: TokenScope,
        life_seconds: Option<u32>,
        now: Timestamp,
    ) -> Result<MintedToken, CoreError> {
        scope.subject().map(|subject| checked_name("a subject", subject)).transpose()?;
        let expires_at = life_seconds.map(|seconds| token_end(seconds, now)).transpose()?;
        let text = new_token(scope.kind())?;
        let token = Token { hash: token_hash(&text), business: business.clone(), scope, created_at: now, expires_at };
        let (text, token) = (&text, &token);
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                known_business(&mut tx, business).await?;
                tx.insert_token(token).await?;
                tx.commit().await?;
                Ok(MintedToken { text: text.clone(), expires_at })
            })
        })
        .await
    }

    /// The token of this text, where there is one that has not ended by `now`.
    ///
    /// # Errors
    /// [`CoreError::Busy`] where too many unknown ones are asked for; [`CoreError::Store`].
    pub async fn token(&self, text: &str, now: Timestamp) -> Result<Option<Token>, CoreError> {
        let hash = token_hash(text);
        let lives = |token: &Token| token.expires_at.is_none_or(|end| now < end);
        if let Some(known) = self.tokens.get(&hash) {
            return Ok(Some(known).filter(lives));
        }
        let _place = self.strangers_place().await?;
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        let found = tx.token(&hash).await?;
        if let Some(token) = &found {
            self.tokens.put(hash, token.clone());
        }
        Ok(found.filter(lives))
    }
}

/// When a token of this life ends.
fn token_end(life_seconds: u32, now: Timestamp) -> Result<Timestamp, CoreError> {
    let end = now.checked_add(SignedDuration::from_secs(i64::from(life_seconds))).ok();
    let range = TOKEN_LIFE_MIN_SECONDS..=TOKEN_LIFE_MAX_SECONDS;
    end.filter(|_| range.contains(&life_seconds)).ok_or_else(|| {
        let message =
            format!("expiresInSeconds is from {TOKEN_LIFE_MIN_SECONDS} to {TOKEN_LIFE_MAX_SECONDS}, a leap year");
        CoreError::invalid("TOKEN_LIFE_RANGE", message)
    })
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
