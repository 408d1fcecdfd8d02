//! What changed between two manifests, for people and for the gate before a release: by resource and field, whether it
//! touches money, and whether it takes something away from someone who relies on it.

use super::fields::fields_of;
use super::ir::Manifest;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What happened to a resource or one of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another.
    Changed,
    /// It stands at another place, where the order counts.
    Moved,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The collection, such as `plans`.
    pub resource: Cow<'static, str>,
    /// The key inside it; empty for the product, the frontend and raw JSON.
    pub key: String,
    /// The field inside that, such as `limits[0].rate`; empty for the whole.
    pub field: String,
    /// What happened.
    pub kind: ChangeKind,
    /// The value before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Json>,
    /// The value now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Json>,
    /// Whether it changes what someone pays or gets for it.
    pub economic: bool,
    /// Whether someone who relied on the old one loses something.
    pub breaking: bool,
}

/// The changes from one manifest to another, grouped by resource in the IR's order; nothing on one side is an empty product.
pub fn diff(before: Option<&Manifest>, after: Option<&Manifest>) -> Vec<Change> {
    let (before, after) = (Resources::of(before), Resources::of(after));
    let mut changes = Vec::new();
    for resource in fields_of::<Manifest>().iter().filter(|name| !matches!(**name, "irVersion" | "sdkVersion")) {
        let (old, new) = (before.get(resource), after.get(resource));
        for (key, value) in &old {
            match new.iter().find(|(other, _)| other == key) {
                Some((_, now)) => fields(resource, key, String::new(), value, now, &mut changes),
                None => changes.push(whole(resource, key, ChangeKind::Removed, Some(value), None)),
            }
        }
        let added = new.iter().filter(|(key, _)| !old.iter().any(|(other, _)| other == key));
        changes.extend(added.map(|(key, value)| whole(resource, key, ChangeKind::Added, None, Some(value))));
        if *resource == "routes" {
            changes.extend(moved_routes(&old, &new));
        }
    }
    changes
}

/// A manifest as collections of keyed JSON.
struct Resources(Map<String, Json>);

impl Resources {
    fn of(manifest: Option<&Manifest>) -> Self {
        match manifest.map(serde_json::to_value) {
            Some(Ok(Json::Object(object))) => Resources(object),
            _ => Resources(Map::new()),
        }
    }

    /// The entries of a collection in the IR's order. What is no list is one entry without a key.
    fn get(&self, resource: &str) -> Vec<(String, Json)> {
        match self.0.get(resource) {
            Some(Json::Array(items)) => items.iter().map(|item| (key_of(item), item.clone())).collect(),
            Some(Json::Object(object)) if object.is_empty() => Vec::new(),
            Some(other) => vec![(String::new(), other.clone())],
            None => Vec::new(),
        }
    }
}

fn key_of(item: &Json) -> String {
    let text = |name: &str| item.get(name).and_then(Json::as_str);
    match (text("method"), text("path"), text("name"), text("type")) {
        (Some(method), Some(path), _, _) => format!("{method} {path}"),
        (_, _, Some(name), Some(kind)) => format!("{name}.{kind}"),
        _ => text("key").or_else(|| text("id")).or_else(|| text("name")).unwrap_or_default().to_owned(),
    }
}

fn whole(resource: &'static str, key: &str, kind: ChangeKind, before: Option<&Json>, after: Option<&Json>) -> Change {
    let economic = matches!(resource, "plans" | "routes" | "meters");
    let breaking = kind == ChangeKind::Removed && !matches!(resource, "frontend" | "raw");
    Change {
        resource: Cow::Borrowed(resource),
        key: key.to_owned(),
        field: String::new(),
        kind,
        before: before.cloned(),
        after: after.cloned(),
        economic,
        breaking,
    }
}

/// Compares two values, down to the fields that differ.
fn fields(resource: &'static str, key: &str, field: String, old: &Json, new: &Json, changes: &mut Vec<Change>) {
    if old == new {
        return;
    }
    let inner = |name: &str| if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") };
    let (olds, news) = match (old, new) {
        (Json::Object(old), Json::Object(new)) => (named(old, &inner), named(new, &inner)),
        (Json::Array(old), Json::Array(new)) => (listed(old, &field), listed(new, &field)),
        _ => {
            changes.push(changed(resource, key, field, ChangeKind::Changed, Some(old), Some(new)));
            return;
        }
    };
    for (name, value) in &olds {
        match news.get(name) {
            Some(now) => fields(resource, key, name.clone(), value, now, changes),
            None => changes.push(changed(resource, key, name.clone(), ChangeKind::Removed, Some(value), None)),
        }
    }
    for (name, value) in news.iter().filter(|(name, _)| !olds.contains_key(*name)) {
        changes.push(changed(resource, key, name.clone(), ChangeKind::Added, None, Some(value)));
    }
}

fn named<'j>(object: &'j Map<String, Json>, name: &impl Fn(&str) -> String) -> BTreeMap<String, &'j Json> {
    object.iter().map(|(key, value)| (name(key), value)).collect()
}

/// Elements by what names them, so that one more in front does not change all behind it; by index where nothing does.
fn listed<'j>(items: &'j [Json], field: &str) -> BTreeMap<String, &'j Json> {
    let name = |(index, item): (usize, &Json)| match item {
        Json::String(text) => text.clone(),
        _ => ["dimension", "meter", "capability", "sku", "id", "path"]
            .iter()
            .find_map(|name| item.get(*name).and_then(Json::as_str))
            .map_or_else(|| index.to_string(), str::to_owned),
    };
    items.iter().enumerate().map(|(index, item)| (format!("{field}[{}]", name((index, item))), item)).collect()
}

fn changed(
    resource: &'static str,
    key: &str,
    field: String,
    kind: ChangeKind,
    before: Option<&Json>,
    after: Option<&Json>,
) -> Change {
    let economic = is_economic(resource, &field);
    let breaking = is_breaking(resource, &field, kind, before, after);
    Change {
        resource: Cow::Borrowed(resource),
        key: key.to_owned(),
        field,
        kind,
        before: before.cloned(),
        after: after.cloned(),
        economic,
        breaking,
    }
}

/// The field's first name.
fn root(field: &str) -> &str {
    field.split(['.', '[']).next().unwrap_or_default()
}

fn is_economic(resource: &str, field: &str) -> bool {
    match resource {
        "plans" => matches!(
            root(field),
            "recurringFeeCents"
                | "currency"
                | "interval"
                | "meters"
                | "grants"
                | "trialDays"
                | "maxMonthlySpendCents"
                | "minMonthlySpendCents"
                | "overageBehavior"
        ),
        "routes" => matches!(root(field), "costs" | "reports" | "statusCodes" | "metered"),
        "meters" => matches!(root(field), "aggregation" | "routeDefault"),
        "product" => root(field) == "billOn4xx",
        _ => false,
    }
}

/// A subscriber or caller loses something: an element is gone, a limit is tighter, money is hidden, an origin moves.
fn is_breaking(resource: &str, field: &str, kind: ChangeKind, before: Option<&Json>, after: Option<&Json>) -> bool {
    let removed = kind == ChangeKind::Removed;
    let lowered = matches!((before.and_then(number), after.and_then(number)), (Some(old), Some(new)) if new < old);
    match (resource, root(field)) {
        ("plans", "limits") => {
            removed && !field.contains('.')
                || lowered
                || kind == ChangeKind::Added
                || field.ends_with(".interval")
                || field.ends_with(".enforcement")
        }
        ("plans", "capabilityLimits") => lowered || kind == ChangeKind::Added,
        ("plans", "grants") => removed || lowered,
        ("plans", "capabilities") => removed,
        ("plans", "featureGates") => after != Some(&Json::Bool(true)) && !removed,
        ("plans", "trialDays") => lowered,
        ("plans", "spendPolicy") => after.and_then(Json::as_str) == Some("opaque"),
        ("plans", "overageBehavior") => after.and_then(Json::as_str) == Some("block"),
        ("plans", "archive") => kind == ChangeKind::Added,
        ("features", "plans") | ("features", "actions") => removed,
        ("capabilities", "includesFeatures" | "includesCapabilities") => removed,
        ("meters", "aggregation" | "unit") => true,
        ("workflows", "meters") | ("backends", "meters") => removed,
        _ => false,
    }
}

fn number(value: &Json) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str().and_then(|text| text.parse().ok()))
}

/// Routes whose order among those that stayed is another: the first match wins, so each may answer other requests now.
fn moved_routes(old: &[(String, Json)], new: &[(String, Json)]) -> Vec<Change> {
    let stayed = |of: &[(String, Json)], among: &[(String, Json)]| -> Vec<String> {
        of.iter().map(|(key, _)| key).filter(|key| among.iter().any(|(other, _)| other == *key)).cloned().collect()
    };
    let (before, after) = (stayed(old, new), stayed(new, old));
    let moved = before.iter().zip(&after).filter(|(old, new)| old != new).map(|(_, new)| new);
    moved
        .map(|key| Change {
            resource: Cow::Borrowed("routes"),
            key: key.clone(),
            field: String::new(),
            kind: ChangeKind::Moved,
            before: None,
            after: None,
            economic: true,
            breaking: true,
        })
        .collect()
}
