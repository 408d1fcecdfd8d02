//! The bytes a manifest is: RFC 8785 (JCS), and the hash of those.

use super::ir::Manifest;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A value could not be written as JSON: a defect of the engine, since every IR type can.
#[derive(Debug, thiserror::Error)]
#[error("the value has no canonical JSON form: {0}")]
pub struct CanonicalError(#[from] serde_json::Error);

/// The canonical JSON bytes of any IR value.
///
/// # Errors
/// [`CanonicalError`] if the value holds what JSON can't say.
pub fn bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, CanonicalError> {
    Ok(serde_json_canonicalizer::to_vec(value)?)
}

/// `sha256:` and the hex digest of [`bytes`].
///
/// # Errors
/// As [`bytes`].
pub fn hash<T: Serialize>(value: &T) -> Result<String, CanonicalError> {
    Ok(hash_bytes(&bytes(value)?))
}

/// `sha256:` and the hex digest of these bytes.
pub fn hash_bytes(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let mut text = String::with_capacity(7 + 64);
    text.push_str("sha256:");
    for byte in digest {
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

/// The IR's JSON Schema (2020-12).
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Manifest);
    schema.insert("title".to_owned(), "Manifest IR, version 1".into());
    schema.to_value()
}
