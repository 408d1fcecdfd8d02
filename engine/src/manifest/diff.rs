//! What changed between two manifests, for people and for the gate before a release: by resource and field. Lists are
//! compared as sequences, so that a change of order is a change. What each change means is in [`super::effects`].

use super::canonical;
pub use super::change::{Change, ChangeKind};
use super::effects::Seen;
use super::fields::fields_of;
use super::ir::Manifest;
use super::sequence::{Alignment, Label, align};
use crate::text::cut;
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The changes from one manifest to another, grouped by resource in the IR's order. A missing one is a product without
/// anything. Between two manifests there is no change exactly when their hashes are equal.
pub fn diff(before: Option<&Manifest>, after: Option<&Manifest>) -> Vec<Change> {
    let both = before.is_some() && after.is_some();
    let (before, after) = (fields(before), fields(after));
    let mut differ = Differ::default();
    // The versions of a product that is not there are no change to it.
    let names = fields_of::<Manifest>().iter().filter(|name| both || !matches!(**name, "irVersion" | "sdkVersion"));
    for name in names {
        differ.resource(name, before.get(*name), after.get(*name));
    }
    differ.changes
}

/// The fields of a manifest as its canonical bytes have them, so that what is equal there is equal here.
fn fields(manifest: Option<&Manifest>) -> Map<String, Json> {
    let bytes = manifest.and_then(|manifest| canonical::bytes(manifest).ok());
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// What the table of effects has for whatever is inside the author's own JSON.
const INSIDE: &str = "**";

/// Where the comparison is. What is shown of it is bounded, as a diagnostic's texts are.
#[derive(Clone)]
struct Spot {
    resource: &'static str,
    key: String,
    /// The field as it is shown.
    field: String,
    /// The field as the table of effects has it.
    row: Vec<String>,
    /// Whether what is here is the author's own JSON, whose lists have no names that mean something.
    is_own: bool,
}

impl Spot {
    fn at(&self, name: &str) -> Spot {
        let mut spot = self.clone();
        spot.field = cut(if self.field.is_empty() { name.to_owned() } else { format!("{}.{name}", self.field) });
        spot.is_own = self.is_own || matches!(name, "raw" | "config" | "props" | "trigger");
        // However deep the author's own JSON is, the table only asks whether something is inside.
        if !self.is_own {
            spot.row.push(name.to_owned());
        } else if self.row.last().is_none_or(|last| last != INSIDE) {
            spot.row.push(INSIDE.to_owned());
        }
        spot
    }

    /// An element of the list here.
    fn element(&self, label: &str) -> Spot {
        let mut spot = self.clone();
        match spot.row.last_mut() {
            None => spot.key = cut(label.to_owned()),
            Some(list) => {
                spot.field = cut(format!("{}[{label}]", self.field));
                if !self.is_own {
                    list.push_str("[]");
                }
            }
        }
        spot
    }

    /// What tells the elements of the list here apart.
    fn label(&self, item: &Json) -> Label {
        let text = |name: &str| item.get(name).and_then(Json::as_str);
        let list = self.row.last().map_or(self.resource, String::as_str);
        let name = match list {
            _ if self.is_own => None,
            "routes" => text("method").zip(text("path")).map(|(method, path)| format!("{method} {path}")),
            "surfaces" => text("name").zip(text("type")).map(|(name, kind)| format!("{name}.{kind}")),
            "nav" | "pages" => text("path").map(str::to_owned),
            "components" => text("component").map(str::to_owned),
            _ => ["key", "id", "dimension", "meter", "capability", "sku", "name"]
                .iter()
                .find_map(|n| text(n))
                .map(str::to_owned),
        };
        let name = name.or_else(|| item.as_str().filter(|_| !self.is_own).map(str::to_owned));
        name.map_or_else(|| Label::Content(item.to_string()), Label::Name)
    }
}

#[derive(Default)]
struct Differ {
    changes: Vec<Change>,
}

impl Differ {
    fn resource(&mut self, name: &'static str, old: Option<&Json>, new: Option<&Json>) {
        let is_own = name == "raw";
        let spot = Spot { resource: name, key: String::new(), field: String::new(), row: Vec::new(), is_own };
        // An empty object is no declaration.
        let given = |value: &&Json| !value.as_object().is_some_and(Map::is_empty);
        match (old.filter(given), new.filter(given)) {
            (Some(Json::Array(old)), None) => self.list(&spot, old, &[]),
            (None, Some(Json::Array(new))) => self.list(&spot, &[], new),
            (old, new) => self.optional(&spot, old, new),
        }
    }

    fn optional(&mut self, spot: &Spot, old: Option<&Json>, new: Option<&Json>) {
        match (old, new) {
            (Some(old), Some(new)) => self.value(spot, old, new),
            (Some(_), None) => self.change(spot, ChangeKind::Removed, old, None),
            (None, Some(_)) => self.change(spot, ChangeKind::Added, None, new),
            (None, None) => {}
        }
    }

    /// Compares two values, down to the fields that differ: at most as deep as JSON is read, 128 levels.
    fn value(&mut self, spot: &Spot, old: &Json, new: &Json) {
        match (old, new) {
            _ if old == new => {}
            (Json::Object(old), Json::Object(new)) => self.object(spot, old, new),
            (Json::Array(old), Json::Array(new)) => self.list(spot, old, new),
            _ => self.change(spot, ChangeKind::Changed, Some(old), Some(new)),
        }
    }

    /// What was there by name, then what is new.
    fn object(&mut self, spot: &Spot, old: &Map<String, Json>, new: &Map<String, Json>) {
        let names: BTreeSet<&String> = old.keys().collect();
        let added: BTreeSet<&String> = new.keys().filter(|name| !old.contains_key(*name)).collect();
        for name in names.into_iter().chain(added) {
            self.optional(&spot.at(name), old.get(name), new.get(name));
        }
    }

    /// What was there in the old order, then what is new, then what moved.
    fn list(&mut self, spot: &Spot, old: &[Json], new: &[Json]) {
        let labels = |items: &[Json]| -> Vec<Label> { items.iter().map(|item| spot.label(item)).collect() };
        let (old_labels, new_labels) = (labels(old), labels(new));
        let (old_names, new_names) = (shown(&old_labels), shown(&new_labels));
        let Alignment { matches, removed, added } = align(&old_labels, &new_labels);
        let named = |names: &[String], index: usize| spot.element(names.get(index).map_or("", String::as_str));
        let here = |at: &usize| (*at, None);
        let mut were: Vec<(usize, Option<usize>)> =
            matches.iter().map(|found| (found.old, Some(found.new))).chain(removed.iter().map(here)).collect();
        were.sort_unstable();
        for (old_index, new_index) in were {
            let names = new_index.map_or((&old_names, old_index), |index| (&new_names, index));
            self.optional(&named(names.0, names.1), old.get(old_index), new_index.and_then(|index| new.get(index)));
        }
        for index in added {
            self.optional(&named(&new_names, index), None, new.get(index));
        }
        for found in matches.iter().filter(|found| found.is_moved) {
            let (before, after) = (Json::from(found.old), Json::from(found.new));
            self.change(&named(&new_names, found.new), ChangeKind::Moved, Some(&before), Some(&after));
        }
    }

    fn change(&mut self, spot: &Spot, kind: ChangeKind, before: Option<&Json>, after: Option<&Json>) {
        let (economic, breaking) = Seen { resource: spot.resource, field: &spot.row, kind, before, after }.effect();
        self.changes.push(Change {
            resource: Cow::Borrowed(spot.resource),
            key: spot.key.clone(),
            field: spot.field.clone(),
            kind,
            before: before.cloned(),
            after: after.cloned(),
            economic,
            breaking,
        });
    }
}

/// What elements are called: by name, from the second of a name on with its number; by index where they have none.
fn shown(labels: &[Label]) -> Vec<String> {
    let mut counts: BTreeMap<&Label, usize> = BTreeMap::new();
    let mut names = Vec::with_capacity(labels.len());
    for (index, label) in labels.iter().enumerate() {
        let count = counts.entry(label).or_default();
        *count += 1;
        names.push(match label {
            Label::Content(_) => index.to_string(),
            Label::Name(name) if *count == 1 => name.clone(),
            Label::Name(name) => format!("{name}#{count}"),
        });
    }
    names
}
