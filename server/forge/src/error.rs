//! Why a forge did not do what it was asked.

use std::time::Duration;

/// Whether asking again may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Later, as soon as one likes.
    Soon,
    /// Not before this long.
    After(Duration),
    /// Not before this moment, in seconds since 1970.
    At(u64),
    /// It is not there. Just after a push it may not be there yet.
    IfNew,
    /// It does not.
    Never,
}

/// A forge did not do what it was asked. The message is for the author: no secret stands in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ForgeError {
    /// Stable code, such as `FORGE_RATE_LIMITED`.
    pub code: &'static str,
    /// What happened, in a sentence.
    pub message: String,
    /// Whether asking again may help.
    pub retry: Retry,
}

impl ForgeError {
    pub(crate) fn new(code: &'static str, retry: Retry, message: impl Into<String>) -> Self {
        ForgeError { code, message: message.into(), retry }
    }

    /// The forge says something else than the hashes.
    pub(crate) fn wrong(message: impl Into<String>) -> Self {
        ForgeError::new("FORGE_WRONG_OBJECT", Retry::Never, message)
    }

    /// The forge's answer is not of its form.
    pub(crate) fn form(what: &str) -> Self {
        ForgeError::new("FORGE_ANSWER", Retry::Soon, format!("the forge's answer is not of its form: {what}"))
    }

    /// More than is taken.
    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        ForgeError::new("SOURCE_TOO_LARGE", Retry::Never, message)
    }
}
