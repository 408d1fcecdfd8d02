//! Changes of a manifest as text for people.

use crate::manifest::change::{Change, ChangeKind};
use crate::text::visible;
use serde_json::Value as Json;

/// Longest value that is shown to people, in characters.
const SHOWN_MAX_CHARS: usize = 60;

/// The changes for people, by resource.
pub fn human(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "nothing changed".to_owned();
    }
    let mut lines = Vec::new();
    let (mut resource, mut key) = ("", "");
    for change in changes {
        if change.resource != resource {
            (resource, key) = (&change.resource, "");
            lines.push(resource.to_owned());
        }
        if change.field.is_empty() {
            lines.push(format!("  {} {}{}", sign(change.kind), name(change), marks(change)));
            key = &change.key;
            continue;
        }
        if change.key != key || key.is_empty() && lines.last().is_some_and(|line| line == resource) {
            key = &change.key;
            lines.push(format!("  ~ {}", name(change)));
        }
        lines.push(format!(
            "      {} {}{}{}",
            sign(change.kind),
            visible(&change.field),
            values(change),
            marks(change)
        ));
    }
    lines.join("\n")
}

fn name(change: &Change) -> String {
    if change.key.is_empty() { format!("({})", change.resource) } else { visible(&change.key) }
}

fn sign(kind: ChangeKind) -> char {
    match kind {
        ChangeKind::Added => '+',
        ChangeKind::Removed => '-',
        ChangeKind::Changed => '~',
        ChangeKind::Moved => '↕',
    }
}

fn values(change: &Change) -> String {
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!(": {} → {}", short(before), short(after)),
        (Some(only), None) | (None, Some(only)) => format!(": {}", short(only)),
        (None, None) => String::new(),
    }
}

fn short(value: &Json) -> String {
    let text = visible(&value.to_string());
    if text.chars().count() <= SHOWN_MAX_CHARS {
        return text;
    }
    text.chars().take(SHOWN_MAX_CHARS).chain(['…']).collect()
}

fn marks(change: &Change) -> &'static str {
    match (change.economic, change.breaking) {
        (true, true) => "  [economic, breaking]",
        (true, false) => "  [economic]",
        (false, true) => "  [breaking]",
        (false, false) => "",
    }
}
