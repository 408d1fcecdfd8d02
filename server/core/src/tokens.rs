//! Tokens: made, listed, taken back, and known again. A token's text ends in a mark by a key that all servers of a database share, so that
//! what nobody minted is refused without a question to the store. What was read once is remembered for as long as this server hears
//! what was taken back; where it does not hear, it asks each time.

use crate::audit_log::Deed;
use crate::businesses::{checked_name, known_business};
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::{new_id, next_page};
use crate::secrets::{hex, hmac_sha256};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use subtle::ConstantTimeEq;
use svc_store::records::{Id, Token, TokenScope};
use svc_store::{Mode, Store, TokenQuery};

/// Bytes of chance in a token.
const TOKEN_BYTES: usize = 32;
/// Bytes of a token's mark.
const MARK_BYTES: usize = 8;
/// Bytes of the key that marks tokens.
const MARK_KEY_BYTES: usize = 32;
/// What the key that marks tokens is kept under.
const MARK_KEY: &str = "token mark";
/// Shortest life that a token can be given, in seconds.
pub const TOKEN_LIFE_MIN_SECONDS: u32 = 1;
/// Longest life that a token can be given, in seconds: a leap year. One without a life never ends.
pub const TOKEN_LIFE_MAX_SECONDS: u32 = 366 * 24 * 60 * 60;
/// Tokens that one page of a list has, at most.
pub const TOKENS_MAX: u32 = 100;
/// How often a server asks what was taken back, in seconds.
pub const TOKENS_ASKED_SECONDS: u64 = 3;
/// How far back it asks, in seconds: longer than a transaction takes from its moment to its commit, and than clocks are apart.
const ASKED_BACK_SECONDS: i64 = 300;

/// A token, as it is asked for.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// What it allows.
    pub scope: TokenScope,
    /// What people call it; its kind unless given.
    pub name: Option<String>,
    /// Seconds after which it ends; nothing for never.
    pub life_seconds: Option<u32>,
}

impl NewToken {
    /// One that never ends, and is called by its kind.
    pub fn of(scope: TokenScope) -> NewToken {
        NewToken { scope, name: None, life_seconds: None }
    }
}

/// A token that was just made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MintedToken {
    /// The token itself: it is kept nowhere.
    pub text: String,
    /// What is kept of it.
    pub token: Token,
}

/// What names a token in the store.
pub fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// A fresh secret; `kind` stands in front so that people, and what looks for leaked secrets, can tell them apart.
///
/// # Errors
/// [`CoreError::Internal`] when the system gives no chance.
pub fn new_secret(kind: &str) -> Result<String, CoreError> {
    let mut bytes = [0_u8; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| CoreError::Internal(error.to_string()))?;
    Ok(format!("svc_{kind}_{}", digits(&bytes)))
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

/// What a token's text ends in.
fn mark(key: &[u8], text: &str) -> Result<String, CoreError> {
    let mac = hmac_sha256(key, &[text.as_bytes()]);
    let mac = mac.ok_or_else(|| CoreError::Internal("the key that marks tokens is none".to_owned()))?;
    Ok(digits(mac.get(..MARK_BYTES).unwrap_or_default()))
}

/// A text that has the form of a token, and its mark where it has one.
fn parts(text: &str) -> Option<(&str, Option<&str>)> {
    let (front, chance) = text.rsplit_once('_')?;
    if !front.starts_with("svc_") || hex(chance).is_none() {
        return None;
    }
    match chance.len().checked_sub(TOKEN_BYTES * 2)? {
        0 => Some((text, None)),
        rest if rest == MARK_BYTES * 2 => {
            text.split_at_checked(text.len() - rest).map(|(text, mark)| (text, Some(mark)))
        }
        _ => None,
    }
}

impl<S: Store> Core<S> {
    /// Makes a token of a business. Its text is in the answer and nowhere else.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for a bad subject or name, or a life outside
    /// [`TOKEN_LIFE_MIN_SECONDS`] to [`TOKEN_LIFE_MAX_SECONDS`]; [`CoreError::Store`].
    pub async fn mint_token(&self, business: &Id, new: NewToken, now: Timestamp) -> Result<MintedToken, CoreError> {
        self.mint(Some(business), new, now).await
    }

    /// Makes an operator's token.
    ///
    /// # Errors
    /// As [`Self::mint_token`].
    pub async fn add_operator(
        &self,
        name: &str,
        life_seconds: Option<u32>,
        now: Timestamp,
    ) -> Result<MintedToken, CoreError> {
        let new = NewToken { scope: TokenScope::Operator, name: Some(name.to_owned()), life_seconds };
        self.mint(None, new, now).await
    }

    async fn mint(&self, business: Option<&Id>, new: NewToken, now: Timestamp) -> Result<MintedToken, CoreError> {
        let NewToken { scope, name, life_seconds } = new;
        scope.subject().map(|subject| checked_name("a subject", subject)).transpose()?;
        let name = name.map(|name| checked_name("a token's name", &name)).transpose()?;
        let expires_at = life_seconds.map(|seconds| token_end(seconds, now)).transpose()?;
        let text = new_secret(scope.kind())?;
        let text = format!("{text}{}", mark(self.mark_key().await?, &text)?);
        let token = Token {
            id: new_id("tok", now),
            hash: token_hash(&text),
            business: business.cloned(),
            name: name.unwrap_or_else(|| scope.kind().to_owned()),
            scope,
            created_at: now,
            expires_at,
            last_used_at: None,
            revoked_at: None,
        };
        let minted = &MintedToken { text, token };
        self.again(move || {
            Box::pin(async move {
                let MintedToken { token, .. } = minted;
                let mut tx = self.store.begin(Mode::Write).await?;
                if let Some(business) = business {
                    known_business(&mut tx, business).await?;
                }
                tx.insert_token(token).await?;
                let detail = json!({ "kind": token.scope.kind(), "name": token.name, "expiresAt": token.expires_at });
                let target = Some(token.id.as_str());
                self.note(&mut tx, Deed { business, action: "token.minted", target, detail: Some(detail) }, now)
                    .await?;
                tx.commit().await?;
                Ok(minted.clone())
            })
        })
        .await
    }

    /// A page of a business's tokens or, without one, of operators', the newest first, and where the next page begins.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn tokens(
        &self,
        business: Option<&Id>,
        mut query: TokenQuery,
    ) -> Result<(Vec<Token>, Option<Id>), CoreError> {
        query.limit = query.limit.clamp(1, TOKENS_MAX);
        let mut tx = self.store.begin(Mode::Read).await?;
        if let Some(business) = business {
            known_business(&mut tx, business).await?;
        }
        let page = tx.tokens(business, &query).await?;
        let next = next_page(&page, query.limit, |token| token.id.clone());
        Ok((page, next))
    }

    /// Takes a token back: of a business or, without one, of an operator. It opens nothing at this server at once, and at no other after ten
    /// seconds. One that was taken back stays so.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown token; [`CoreError::Store`].
    pub async fn revoke_token(&self, business: Option<&Id>, id: &Id, now: Timestamp) -> Result<Token, CoreError> {
        let revoked = self
            .again(move || {
                Box::pin(async move {
                    let mut tx = self.store.begin(Mode::Write).await?;
                    let unknown = CoreError::NotFound("there is no such token");
                    let token = tx.token_by_id(business, id).await?.ok_or(unknown)?;
                    if token.revoked_at.is_some() {
                        return Ok(token);
                    }
                    tx.revoke_token(business, id, now).await?;
                    let detail = Some(json!({ "kind": token.scope.kind(), "name": token.name }));
                    let target = Some(id.as_str());
                    self.note(&mut tx, Deed { business, action: "token.revoked", target, detail }, now).await?;
                    tx.commit().await?;
                    Ok(Token { revoked_at: Some(now), ..token })
                })
            })
            .await?;
        self.tokens.forget(&revoked.hash);
        Ok(revoked)
    }

    /// Takes back every token of a subject; says how many there were.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn revoke_tokens_of(&self, business: &Id, subject: &str, now: Timestamp) -> Result<u64, CoreError> {
        let count = self
            .again(move || {
                Box::pin(async move {
                    let mut tx = self.store.begin(Mode::Write).await?;
                    known_business(&mut tx, business).await?;
                    let count = tx.revoke_tokens_of(business, subject, now).await?;
                    let deed = Deed::of(business, "tokens.revoked", subject).with(json!({ "count": count }));
                    self.note(&mut tx, deed, now).await?;
                    tx.commit().await?;
                    Ok(count)
                })
            })
            .await?;
        // Which of those that are remembered they were is not known here.
        self.tokens.clear();
        Ok(count)
    }

    /// The token of this text, where it opens anything by `now`.
    ///
    /// # Errors
    /// [`CoreError::Busy`] where too many unknown ones are asked for; [`CoreError::Store`].
    pub async fn token(&self, text: &str, now: Timestamp) -> Result<Option<Arc<Token>>, CoreError> {
        let hash = token_hash(text);
        let lives = |token: &Arc<Token>| token.revoked_at.is_none() && token.expires_at.is_none_or(|end| now < end);
        if let Some(known) = self.tokens.recall(&hash, now) {
            return Ok(Some(known).filter(lives));
        }
        if !self.may_be_token(text).await? {
            return Ok(None);
        }
        let _place = self.strangers_place().await?;
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        let found = tx.token(&hash).await?.map(Arc::new);
        if let Some(token) = &found {
            self.tokens.remember(token, now);
        }
        Ok(found.filter(lives))
    }

    /// Whether a text can be a token at all: by its form, and by its mark.
    async fn may_be_token(&self, text: &str) -> Result<bool, CoreError> {
        match parts(text) {
            None => Ok(false),
            Some((_, None)) => Ok(self.tokens.has_unmarked()),
            Some((text, Some(given))) => {
                let wanted = mark(self.mark_key().await?, text)?;
                Ok(bool::from(wanted.as_bytes().ct_eq(given.as_bytes())))
            }
        }
    }

    /// Hears what was taken back, and notes which tokens were used. To be called every [`TOKENS_ASKED_SECONDS`]; a server on which nobody
    /// calls it asks the store for each token each time.
    ///
    /// # Errors
    /// [`CoreError::Store`]: what is remembered is used a few seconds longer.
    pub async fn hear_of_tokens(&self, now: Timestamp) -> Result<(), CoreError> {
        let since = now.checked_sub(SignedDuration::from_secs(ASKED_BACK_SECONDS)).unwrap_or(Timestamp::MIN);
        let mut tx = self.store.begin(Mode::Read).await?;
        let revoked = tx.revoked_since(since).await?;
        let has_unmarked = tx.has_unmarked_tokens(now).await?;
        drop(tx);
        self.tokens.heard(&revoked, has_unmarked, now);
        let uses = self.tokens.take_uses();
        if uses.is_empty() {
            return Ok(());
        }
        let uses = &uses;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                tx.note_token_uses(uses.clone()).await?;
                Ok(tx.commit().await?)
            })
        })
        .await
    }

    /// The key that marks tokens, made by whichever server comes first.
    async fn mark_key(&self) -> Result<&[u8], CoreError> {
        let key = self.tokens.mark_key.get_or_try_init(|| async {
            let kept = self.store.begin(Mode::Read).await?.service_key(MARK_KEY).await?;
            if let Some(key) = kept {
                return Ok(key);
            }
            let mut fresh = vec![0_u8; MARK_KEY_BYTES];
            getrandom::fill(&mut fresh).map_err(|error| CoreError::Internal(error.to_string()))?;
            self.keep_mark_key(&fresh).await
        });
        key.await.map(Vec::as_slice)
    }

    /// Keeps a fresh key, unless another server was faster; gives the one that is kept.
    async fn keep_mark_key(&self, fresh: &[u8]) -> Result<Vec<u8>, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                tx.insert_service_key(MARK_KEY, fresh.to_vec()).await?;
                Ok(tx.commit().await?)
            })
        })
        .await?;
        let kept = self.store.begin(Mode::Read).await?.service_key(MARK_KEY).await?;
        kept.ok_or_else(|| CoreError::Internal("the key that marks tokens was not kept".to_owned()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_token_by_its_form() {
        let chance = "0123456789abcdef".repeat(4);
        let (plain, marked) = (format!("svc_deploy_{chance}"), format!("svc_deploy_{chance}fedcba9876543210"));
        assert_eq!(parts(&plain), Some((plain.as_str(), None)));
        assert_eq!(parts(&marked), Some((plain.as_str(), Some("fedcba9876543210"))));
        for wrong in [
            "",
            "_",
            "svc_deploy_",
            "svc_deploy_12",
            &chance,
            &format!("{plain}0"),
            &format!("{plain}0é"),
            &format!("{marked}00"),
        ] {
            assert_eq!(parts(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_mark_is_of_its_key_and_of_its_text() {
        let marks = [mark(&[1; 32], "one"), mark(&[2; 32], "one"), mark(&[1; 32], "two")].map(Result::unwrap);
        assert!(marks.iter().all(|mark| mark.len() == MARK_BYTES * 2));
        assert!(marks[0] != marks[1] && marks[0] != marks[2] && marks[1] != marks[2]);
    }
}
