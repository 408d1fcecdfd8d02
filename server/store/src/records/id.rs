//! What names a record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An id that sorts by age (UUID version 7), with a prefix that says of what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Id(String);

impl Id {
    /// An id from outside, taken as it is; it names something or nothing.
    pub fn named(text: impl Into<String>) -> Self {
        Id(text.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
