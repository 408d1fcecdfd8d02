//! `@Raw`, and `raw` of a plan: plain JSON beside the typed fields.

use super::finding::At;
use super::reader::Node;
use crate::diagnostic::Code;
use crate::manifest::fields::fields_of;
use crate::manifest::ir::{Manifest, Plan};
use serde_json::{Map, Value as Json};

/// Merges one `@Raw(json)` into what the earlier ones gave. It may touch none of the IR's typed fields.
pub(crate) fn product_raw(node: &Node<'_>, merged: &mut Map<String, Json>) {
    merge_raw(node, merged, fields_of::<Manifest>(), "the product");
}

/// Merges a plan's `raw` into `merged`. It may touch none of the plan's typed fields.
pub(crate) fn plan_raw(node: &Node<'_>, merged: &mut Map<String, Json>) {
    merge_raw(node, merged, fields_of::<Plan>(), "the plan");
}

/// Merges raw JSON deeply, later values winning; a name in `typed` is refused.
fn merge_raw(node: &Node<'_>, merged: &mut Map<String, Json>, typed: &[&str], owner: &str) {
    for (key, value) in node.entries() {
        if typed.contains(&key.as_str()) {
            let message = format!("raw {key:?} would stand beside the typed field {key:?} of {owner}");
            value.report(
                Code::RawOverTyped,
                At::Key,
                message,
                Some(format!("declare {key:?} with its decorator or option, or choose another name")),
            );
        } else if let Some(json) = value.json() {
            merge(merged, key, json);
        }
    }
}

fn merge(into: &mut Map<String, Json>, key: String, value: Json) {
    match (into.get_mut(&key), value) {
        (Some(Json::Object(old)), Json::Object(new)) => {
            for (key, value) in new {
                merge(old, key, value);
            }
        }
        (_, value) => {
            into.insert(key, value);
        }
    }
}
