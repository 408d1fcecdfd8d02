//! `@Policy`.

use super::reader::Node;
use crate::manifest::ir::{Key, Policy, PolicyKind};
use serde_json::Value as Json;

/// The policy of `@Policy(name, options)`.
pub(crate) fn policy(name: Key, options: &Node<'_>) -> Option<Policy> {
    let options = options.options()?;
    let kind: Option<PolicyKind> = options.require("kind").and_then(|kind| kind.choice());
    let config = options.get("config").map_or_else(|| Some(Json::Object(serde_json::Map::new())), |node| node.json());
    options.finish();
    Some(Policy { name, kind: kind.unwrap_or(PolicyKind::Custom), config: config.unwrap_or_default() })
}
