//! Who is told of a business's events: an address, with a secret that what is sent there is signed with.

use crate::audit_log::Deed;
use crate::businesses;
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use crate::secrets::{Purpose, Sealed};
use crate::sources::{PREVIOUS_HOURS, STANDARD_PREFIX};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use svc_store::records::{EventDelivery, EventReceiver, EventType, Id};
use svc_store::{Mode, Store};
use url::Url;

/// Receivers that one business may have.
pub const RECEIVERS_MAX: usize = 10;
/// Bytes of chance in a secret.
const SECRET_BYTES: usize = 32;
/// Shortest and longest secret that is taken, in bytes: what Standard Webhooks says.
const SECRET_LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;
/// Longest address, in characters.
const URL_MAX_CHARS: usize = 1_000;

/// What a delivery is signed with, and whether the operator named the host that it goes to.
#[derive(Clone)]
pub struct OpenDelivery {
    /// The keys that it is signed with: the present one, and the former one as long as receivers may know no other.
    pub keys: Vec<Vec<u8>>,
    /// Whether the operator named its host.
    pub is_named: bool,
}

impl<S: Store> Core<S> {
    /// Adds a receiver, told of `types`, or of everything. Returns it with its secret, which is told nowhere else.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for what is not of its form; [`CoreError::Conflict`]
    /// where the business has [`RECEIVERS_MAX`], or without a key for secrets; [`CoreError::Store`].
    pub async fn add_receiver(
        &self,
        business: &Id,
        url: &str,
        types: Option<Vec<EventType>>,
        secret: Option<String>,
        now: Timestamp,
    ) -> Result<(EventReceiver, String), CoreError> {
        let secret = checked_or_fresh(secret)?;
        let receiver = EventReceiver {
            business: business.clone(),
            id: new_id("rcv", now),
            url: self.checked_url(url)?,
            types: types.map(checked_types).transpose()?,
            sealed_secret: self.sealed(business, &secret)?,
            previous: None,
            stopped: None,
            created_at: now,
        };
        let (receiver, secret) = (&receiver, &secret);
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                businesses::lock_business(&mut tx, business).await?;
                if tx.receivers(business).await?.len() >= RECEIVERS_MAX {
                    let message = format!("the business has {RECEIVERS_MAX} receivers, and no more are taken");
                    return Err(CoreError::conflict("TOO_MANY_RECEIVERS", message));
                }
                tx.put_receiver(receiver).await?;
                let deed = Deed::of(business, "receiver.added", receiver.id.as_str());
                self.note(&mut tx, deed.with(json!({ "url": receiver.url })), now).await?;
                tx.commit().await?;
                Ok((receiver.clone(), secret.clone()))
            })
        })
        .await
    }

    /// The receivers of a business, oldest first.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn receivers(&self, business: &Id) -> Result<Vec<EventReceiver>, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        Ok(tx.receivers(business).await?)
    }

    /// Gives a receiver another secret. What is sent is signed with the former one too for [`PREVIOUS_HOURS`] more, unless that is to end at
    /// once.
    ///
    /// # Errors
    /// As [`Core::add_receiver`].
    pub async fn rotate_receiver(
        &self,
        business: &Id,
        id: &Id,
        secret: Option<String>,
        at_once: bool,
        now: Timestamp,
    ) -> Result<(EventReceiver, String), CoreError> {
        let secret = checked_or_fresh(secret)?;
        let sealed_secret = self.sealed(business, &secret)?;
        let until = now.checked_add(SignedDuration::from_hours(PREVIOUS_HOURS));
        let until = until.map_err(|error| CoreError::Internal(error.to_string()))?;
        let (secret, sealed_secret) = (&secret, &sealed_secret);
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                let receiver = tx.lock_receiver(business, id).await?.ok_or_else(no_receiver)?;
                let previous = (!at_once).then(|| (receiver.sealed_secret.clone(), until));
                let receiver = EventReceiver { sealed_secret: sealed_secret.clone(), previous, ..receiver };
                tx.put_receiver(&receiver).await?;
                self.note(&mut tx, Deed::of(business, "receiver.rotated", id.as_str()), now).await?;
                tx.commit().await?;
                Ok((receiver, secret.clone()))
            })
        })
        .await
    }

    /// Sends events to a receiver again that said it was gone. What was given up meanwhile is sent by [`Core::redeliver`].
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn start_receiver(&self, business: &Id, id: &Id, now: Timestamp) -> Result<EventReceiver, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                let receiver = tx.lock_receiver(business, id).await?.ok_or_else(no_receiver)?;
                let receiver = EventReceiver { stopped: None, ..receiver };
                tx.put_receiver(&receiver).await?;
                self.note(&mut tx, Deed::of(business, "receiver.started", id.as_str()), now).await?;
                tx.commit().await?;
                Ok(receiver)
            })
        })
        .await
    }

    /// Takes a receiver away, with all that was on its way to it.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn remove_receiver(&self, business: &Id, id: &Id, now: Timestamp) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                if !tx.remove_receiver(business, id).await? {
                    return Err(no_receiver());
                }
                self.note(&mut tx, Deed::of(business, "receiver.removed", id.as_str()), now).await?;
                tx.commit().await?;
                Ok(())
            })
        })
        .await
    }

    /// What a delivery is signed with.
    ///
    /// # Errors
    /// [`CoreError::Conflict`] without a key for secrets; [`CoreError::Internal`] where a secret does not open.
    pub fn open_delivery(&self, delivery: &EventDelivery, now: Timestamp) -> Result<OpenDelivery, CoreError> {
        let EventReceiver { business, url, sealed_secret, previous, .. } = &delivery.receiver;
        let secrets = self.secrets()?;
        let previous = previous.as_ref().filter(|(_, until)| *until > now).map(|(sealed, _)| sealed);
        let sealed = std::iter::once(sealed_secret).chain(previous);
        let opened: Result<Vec<String>, Sealed> =
            sealed.map(|sealed| secrets.open(business, Purpose::Events, sealed)).collect();
        let opened = opened.map_err(|error| CoreError::Internal(error.to_string()))?;
        let keys = opened.iter().filter_map(|secret| key(secret)).collect();
        Ok(OpenDelivery { keys, is_named: Url::parse(url).is_ok_and(|url| self.is_named(&url)) })
    }

    fn sealed(&self, business: &Id, secret: &str) -> Result<Vec<u8>, CoreError> {
        self.secrets()?.seal(business, Purpose::Events, secret).map_err(CoreError::Internal)
    }

    /// The address of a receiver, as it is kept.
    fn checked_url(&self, text: &str) -> Result<String, CoreError> {
        let refuse = |why: &str| CoreError::invalid("RECEIVER_URL", format!("the receiver's address {why}"));
        if text.chars().count() > URL_MAX_CHARS {
            return Err(refuse(&format!("has more than {URL_MAX_CHARS} characters")));
        }
        let url = Url::parse(text).map_err(|error| refuse(&format!("is no address: {error}")))?;
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(refuse("has a user, a password or a fragment; events are signed instead"));
        }
        if url.host_str().is_none() || !matches!(url.scheme(), "http" | "https") {
            return Err(refuse("begins with https://"));
        }
        if url.scheme() == "http" && !self.is_named(&url) {
            return Err(refuse("begins with https://; http:// is for hosts that the operator named"));
        }
        Ok(url.to_string())
    }
}

fn no_receiver() -> CoreError {
    CoreError::NotFound("there is no such receiver")
}

/// Each type once, in their order.
fn checked_types(mut types: Vec<EventType>) -> Result<Vec<EventType>, CoreError> {
    types.sort();
    types.dedup();
    if types.is_empty() {
        return Err(CoreError::invalid("EVENT_TYPES", "a receiver is told of at least one type; leave it out for all"));
    }
    Ok(types)
}

/// The bytes that a secret stands for: `whsec_` and base64.
fn key(secret: &str) -> Option<Vec<u8>> {
    let key = STANDARD.decode(secret.strip_prefix(STANDARD_PREFIX)?).ok()?;
    SECRET_LENGTHS.contains(&key.len()).then_some(key)
}

fn checked_or_fresh(secret: Option<String>) -> Result<String, CoreError> {
    let Some(secret) = secret else {
        let mut bytes = [0_u8; SECRET_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| CoreError::Internal(error.to_string()))?;
        return Ok(format!("{STANDARD_PREFIX}{}", STANDARD.encode(bytes)));
    };
    let (least, most) = (SECRET_LENGTHS.start(), SECRET_LENGTHS.end());
    let wrong = || {
        let message = format!("a receiver's secret is {STANDARD_PREFIX} and {least} to {most} bytes as base64");
        CoreError::invalid("SECRET_FORM", message)
    };
    key(&secret).ok_or_else(wrong)?;
    Ok(secret)
}
