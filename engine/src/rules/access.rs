//! `@Entitlement`, `@Workflow`, `@Backend` and `@Policy`.

use super::features::quantities;
use super::plans::{Limit, limit};
use super::product::url;
use super::reader::{Node, Options};
use crate::manifest::ir::{
    Backend, Entitlement, Key, Policy, PolicyKind, Transport, TransportMode, Verification, Workflow,
};
use crate::registry::Value;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// `featureGates`: a map of feature key to boolean.
pub(crate) fn feature_gates(options: &Options<'_>) -> BTreeMap<Key, bool> {
    let entries = options.get("featureGates").map(|node| node.keyed()).unwrap_or_default();
    entries.into_iter().filter_map(|(key, node)| Some((key, node.boolean()?))).collect()
}

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

/// The workflow of `@Workflow(key, options?)`.
pub(crate) fn workflow(key: Key, options: Option<&Node<'_>>) -> Workflow {
    let mut workflow = Workflow {
        key,
        kind: "workflow".to_owned(),
        trigger: None,
        capabilities: Vec::new(),
        meters: Vec::new(),
        estimates: BTreeMap::new(),
    };
    if let Some(options) = options.and_then(Node::options) {
        workflow.kind = options.text("kind").unwrap_or(workflow.kind);
        workflow.trigger = options.get("trigger").and_then(|node| match node.value() {
            Value::Text(_) | Value::Map(_) => node.json(),
            _ => {
                node.wrong_type("a string or an object");
                None
            }
        });
        workflow.capabilities = options.keys("capabilities");
        workflow.meters = options.keys("meters");
        workflow.estimates = quantities(&options, "estimates", |node| node.estimate()).into_iter().collect();
        options.finish();
    }
    workflow
}

/// The backend of `@Backend(id, options?)`.
pub(crate) fn backend(id: Key, options: Option<&Node<'_>>) -> Backend {
    let mut backend = Backend {
        id,
        name: None,
        slug: None,
        origin_url: None,
        transport: Transport { mode: TransportMode::Direct },
        verification: Verification { required: true },
        meters: None,
        default: false,
    };
    if let Some(options) = options.and_then(Node::options) {
        backend.name = options.text("name");
        backend.slug = options.text("slug");
        backend.origin_url = options.get("originUrl").and_then(|node| url(&node));
        if let Some(transport) = options.get("transport").and_then(|node| node.options()) {
            backend.transport.mode =
                transport.require("mode").and_then(|mode| mode.choice()).unwrap_or(TransportMode::Direct);
            transport.finish();
        }
        if let Some(verification) = options.get("verification").and_then(|node| node.options()) {
            backend.verification.required =
                verification.require("required").and_then(|node| node.boolean()).unwrap_or(true);
            verification.finish();
        }
        backend.meters = options.get("meters").map(|node| node.keys());
        backend.default = options.boolean("default", false);
        options.finish();
    }
    backend
}

/// The policy of `@Policy(name, options)`.
pub(crate) fn policy(name: Key, options: &Node<'_>) -> Option<Policy> {
    let options = options.options()?;
    let kind: Option<PolicyKind> = options.require("kind").and_then(|kind| kind.choice());
    let config = options.get("config").map_or_else(|| Some(Json::Object(serde_json::Map::new())), |node| node.json());
    options.finish();
    Some(Policy { name, kind: kind.unwrap_or(PolicyKind::Custom), config: config.unwrap_or_default() })
}
