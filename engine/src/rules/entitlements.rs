//! `@Entitlement`.

use super::gates::feature_gates;
use super::limits::{Limit, limit};
use super::reader::Node;
use crate::manifest::ir::{Entitlement, Key};
use std::collections::BTreeMap;

/// The entitlement of `@Entitlement(key, options?)`.
pub(crate) fn entitlement(key: Key, options: Option<&Node<'_>>) -> Entitlement {
    let mut entitlement = Entitlement {
        key,
        capabilities: Vec::new(),
        feature_gates: BTreeMap::new(),
        limits: Vec::new(),
        capability_limits: BTreeMap::new(),
        meters: Vec::new(),
    };
    if let Some(options) = options.and_then(Node::options) {
        entitlement.capabilities = options.keys("capabilities");
        entitlement.feature_gates = feature_gates(&options);
        for (dimension, node) in options.get("limits").map(|node| node.keyed()).unwrap_or_default() {
            match limit(dimension, &node) {
                Some(Limit::Rate(rate)) => entitlement.limits.push(rate),
                Some(Limit::Count(resource, count)) => {
                    entitlement.capability_limits.insert(resource, count);
                }
                None => {}
            }
        }
        entitlement.meters = options.keys("meters");
        options.finish();
    }
    entitlement
}
