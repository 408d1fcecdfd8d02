//! `@Frontend`: navigation and pages. Stacked declarations add up, from top to bottom.

use super::reader::Node;
use crate::manifest::ir::{Component, Frontend, NavEntry, Page};
use serde_json::Map;

/// Adds one `@Frontend(options)` to what the earlier ones gave.
pub(crate) fn frontend(options: &Node<'_>, merged: &mut Frontend) {
    let Some(options) = options.options() else { return };
    let nav = options.get("nav").map(|node| node.list()).unwrap_or_default();
    merged.nav.extend(nav.iter().filter_map(nav_entry));
    let pages = options.get("pages").map(|node| node.list()).unwrap_or_default();
    merged.pages.extend(pages.iter().filter_map(page));
    options.finish();
}

fn nav_entry(node: &Node<'_>) -> Option<NavEntry> {
    let options = node.options()?;
    let label = options.require("label").and_then(|label| label.text());
    let path = options.require("path").and_then(|path| path.text());
    let capability = options.key("capability");
    options.finish();
    Some(NavEntry { label: label?, path: path?, capability })
}

fn page(node: &Node<'_>) -> Option<Page> {
    let options = node.options()?;
    let path = options.require("path").and_then(|path| path.text());
    let title = options.text("title");
    let requires_auth = options.boolean("requiresAuth", false);
    let capability = options.key("capability");
    let components = options.get("components").map(|node| node.list()).unwrap_or_default();
    let components = components.iter().filter_map(component).collect();
    options.finish();
    Some(Page { path: path?, title, requires_auth, capability, components })
}

fn component(node: &Node<'_>) -> Option<Component> {
    let options = node.options()?;
    let component = options.require("component").and_then(|component| component.text());
    let props = options.get("props").map_or_else(Map::new, |props| props.json_object());
    let capability = options.key("capability");
    let gate_mode = options.choice("gateMode");
    options.finish();
    Some(Component { component: component?, props, capability, gate_mode })
}
