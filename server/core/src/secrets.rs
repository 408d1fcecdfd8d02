//! Secrets at rest: sealed with one key of the service's, each for its business and its purpose. A database that is read, or a row
//! that is moved to another business, opens none.

use crate::error::CoreError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::fmt;
use subtle::ConstantTimeEq;
use svc_store::records::Id;

/// Bytes of the service's key.
const KEY_BYTES: usize = 32;
/// Bytes of a nonce.
const NONCE_BYTES: usize = 24;
/// What a sealed secret begins with: how it was sealed.
const FORM: u8 = 1;
/// Bytes of a page's capability.
const CAPABILITY_BYTES: usize = 20;

/// What a sealed secret is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A forge's access token.
    Token,
    /// What deliveries are signed with.
    Hook,
    /// What events are signed with.
    Events,
}

impl Purpose {
    fn label(self) -> &'static [u8] {
        match self {
            Purpose::Token => b"forge token",
            Purpose::Hook => b"hook secret",
            Purpose::Events => b"event secret",
        }
    }
}

/// The keys that seal secrets and make capabilities; both come from the service's one key.
#[derive(Clone)]
pub struct Secrets {
    sealing: [u8; KEY_BYTES],
    pages: [u8; KEY_BYTES],
}

// The keys are never shown.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets")
    }
}

/// Why a text is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key for secrets is not 32 bytes, as 64 hex digits or as base64")]
pub struct KeyForm;

/// A sealed secret does not open: it was sealed with another key, for another business or purpose, or changed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a stored secret does not open with this service's key")]
pub struct Sealed;

/// A fresh key of a service, as [`Secrets::from_text`] takes it.
///
/// # Errors
/// [`CoreError::Internal`] when the system gives no chance.
pub fn new_key() -> Result<String, CoreError> {
    let mut key = [0_u8; KEY_BYTES];
    getrandom::fill(&mut key).map_err(|error| CoreError::Internal(error.to_string()))?;
    Ok(STANDARD.encode(key))
}

impl Secrets {
    /// From the service's key: 32 bytes as hex digits or base64.
    ///
    /// # Errors
    /// [`KeyForm`].
    pub fn from_text(text: &str) -> Result<Secrets, KeyForm> {
        let text = text.trim();
        let key = hex(text).or_else(|| STANDARD.decode(text).ok()).filter(|key| key.len() == KEY_BYTES);
        let key = key.ok_or(KeyForm)?;
        let derive = |label: &[u8]| -> Result<[u8; KEY_BYTES], KeyForm> { hmac_sha256(&key, &[label]).ok_or(KeyForm) };
        Ok(Secrets { sealing: derive(b"svc seal 1")?, pages: derive(b"svc pages 1")? })
    }

    /// Seals a secret of a business.
    ///
    /// # Errors
    /// Where the system gives no chance.
    pub(crate) fn seal(&self, business: &Id, purpose: Purpose, secret: &str) -> Result<Vec<u8>, String> {
        let mut nonce = [0_u8; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(|error| error.to_string())?;
        let aad = associated(business, purpose);
        let cipher = XChaCha20Poly1305::new(&self.sealing.into());
        let text = cipher.encrypt(&XNonce::from(nonce), Payload { msg: secret.as_bytes(), aad: &aad });
        let text = text.map_err(|_| "a secret could not be sealed".to_owned())?;
        Ok([&[FORM], nonce.as_slice(), &text].concat())
    }

    /// Opens what was sealed for the business and the purpose.
    pub(crate) fn open(&self, business: &Id, purpose: Purpose, sealed: &[u8]) -> Result<String, Sealed> {
        let (form, rest) = sealed.split_first().ok_or(Sealed)?;
        let (nonce, text) = rest.split_first_chunk::<NONCE_BYTES>().filter(|_| *form == FORM).ok_or(Sealed)?;
        let aad = associated(business, purpose);
        let cipher = XChaCha20Poly1305::new(&self.sealing.into());
        let opened = cipher.decrypt(&XNonce::from(*nonce), Payload { msg: text, aad: &aad }).map_err(|_| Sealed)?;
        String::from_utf8(opened).map_err(|_| Sealed)
    }

    /// What opens the page of a build: whoever was given the link may read it, and nobody can guess it.
    pub fn capability(&self, business: &Id, build: &Id) -> String {
        let parts: [&[u8]; 3] = [business.as_str().as_bytes(), b"\0", build.as_str().as_bytes()];
        let mac = hmac_sha256(&self.pages, &parts).unwrap_or_default();
        mac.iter().take(CAPABILITY_BYTES).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    /// Whether a capability opens the page of a build.
    pub fn opens(&self, business: &Id, build: &Id, capability: &str) -> bool {
        bool::from(self.capability(business, build).as_bytes().ct_eq(capability.as_bytes()))
    }
}

fn associated(business: &Id, purpose: Purpose) -> Vec<u8> {
    [purpose.label(), b"\0", business.as_str().as_bytes()].concat()
}

/// HMAC-SHA256 of parts, one behind the other.
pub fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> Option<[u8; 32]> {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).ok()?;
    parts.iter().for_each(|part| mac.update(part));
    Some(mac.finalize().into_bytes().into())
}

/// The bytes of hex digits.
pub fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|char| char.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    let (pairs, _) = digits.as_chunks::<2>();
    Some(pairs.iter().map(|[high, low]| (high << 4) | low).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(byte: &str) -> Secrets {
        Secrets::from_text(&byte.repeat(32)).unwrap()
    }

    #[test]
    fn a_key_is_thirty_two_bytes_in_either_form() {
        let hex = "00ff".repeat(16);
        let base64 = STANDARD.encode([0x00, 0xff].repeat(16));
        let (business, build) = (Id::named("biz"), Id::named("bld"));
        let capability = |text: &str| Secrets::from_text(text).unwrap().capability(&business, &build);
        assert_eq!(capability(&hex), capability(&format!(" {base64}\n")));
        for bad in ["", "00", &"0".repeat(63), &"0".repeat(66), &STANDARD.encode([1; 31]), "not a key at all"] {
            assert!(Secrets::from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_secret_opens_for_its_business_purpose_and_key_alone() {
        let (one, other) = (Id::named("biz_1"), Id::named("biz_2"));
        let sealed = secrets("0a").seal(&one, Purpose::Token, "glpat-x").unwrap();
        assert_eq!(secrets("0a").open(&one, Purpose::Token, &sealed).as_deref(), Ok("glpat-x"));
        assert_eq!(secrets("0a").open(&other, Purpose::Token, &sealed), Err(Sealed));
        assert_eq!(secrets("0a").open(&one, Purpose::Hook, &sealed), Err(Sealed));
        assert_eq!(secrets("0b").open(&one, Purpose::Token, &sealed), Err(Sealed));
        assert!(!sealed.windows(5).any(|part| part == b"glpat"));
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(secrets("0a").open(&one, Purpose::Token, &changed), Err(Sealed), "byte {at}");
            assert_eq!(secrets("0a").open(&one, Purpose::Token, &sealed[..at]), Err(Sealed), "cut at {at}");
        }
        assert_ne!(sealed, secrets("0a").seal(&one, Purpose::Token, "glpat-x").unwrap());
    }

    #[test]
    fn a_capability_opens_one_page() {
        let (business, build) = (Id::named("biz_1"), Id::named("bld_1"));
        let capability = secrets("0a").capability(&business, &build);
        assert!(secrets("0a").opens(&business, &build, &capability));
        assert!(!secrets("0a").opens(&business, &Id::named("bld_2"), &capability));
        assert!(!secrets("0a").opens(&Id::named("biz_"), &Id::named("1\0bld_1"), &capability));
        assert!(!secrets("0b").opens(&business, &build, &capability));
        assert!(!secrets("0a").opens(&business, &build, ""));
    }
}
