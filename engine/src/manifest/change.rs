//! One change between two manifests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::borrow::Cow;

/// What happened to a resource or one of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its value is another.
    Changed,
    /// It stands at another place among those that were there before.
    Moved,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The collection, such as `plans`.
    pub resource: Cow<'static, str>,
    /// The key inside it; empty for the product, the frontend, raw JSON and versions. The second element of one key is `key#2`.
    pub key: String,
    /// The field inside that, such as `limits[requests].rate`; empty for the whole.
    pub field: String,
    /// What happened.
    pub kind: ChangeKind,
    /// The value before; for what moved, its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Json>,
    /// The value now; for what moved, its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Json>,
    /// Whether it changes what someone pays or gets for it.
    pub economic: bool,
    /// Whether someone who relied on the old one loses something.
    pub breaking: bool,
}
