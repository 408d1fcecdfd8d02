//! What closes a period.

use schemars::JsonSchema;
use serde::Serialize;

/// Which document closes a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// The subscriber owes it, or nothing.
    Invoice,
    /// The subscriber gets it.
    CreditNote,
}
