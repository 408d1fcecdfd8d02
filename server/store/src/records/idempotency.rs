//! Answers kept for those who ask again.

/// An answer that was given, by what asked for it: a repeat gets the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotentAnswer {
    /// Hash of what was asked.
    pub fingerprint: String,
    /// The answer, as JSON.
    pub answer: String,
}
