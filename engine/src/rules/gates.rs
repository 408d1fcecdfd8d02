//! `featureGates`, of plans and entitlements.

use super::reader::Options;
use crate::manifest::ir::Key;
use std::collections::BTreeMap;

/// `featureGates`: a map of feature key to boolean.
pub(crate) fn feature_gates(options: &Options<'_>) -> BTreeMap<Key, bool> {
    let entries = options.get("featureGates").map(|node| node.keyed()).unwrap_or_default();
    entries.into_iter().filter_map(|(key, node)| Some((key, node.boolean()?))).collect()
}
