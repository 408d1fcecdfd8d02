//! `@Workflow`.

use super::reader::Node;
use crate::manifest::ir::{Key, Workflow};
use crate::registry::Value;
use std::collections::BTreeMap;

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
        workflow.estimates = options.quantities("estimates", Node::estimate).collect();
        options.finish();
    }
    workflow
}
