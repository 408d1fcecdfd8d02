//! `@Feature`: its actions, and its routes before they are lowered.

use super::finding::{At, Finding, Place};
use super::reader::{Node, Options};
use super::routes;
use crate::diagnostic::Code;
use crate::manifest::ir::{Action, ActionResource, ActionSubject, Feature, Key, Method, StatusRange};
use crate::money::units::Units;
use crate::registry::Value;
use crate::source::Path;

/// A route as its author wrote it, before defaults are added.
#[derive(Clone, Debug)]
pub(crate) struct RouteDraft {
    /// The key, `METHOD /path`.
    pub(crate) text: String,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) feature: Key,
    pub(crate) costs: Vec<(Key, Units)>,
    pub(crate) reports: Vec<Key>,
    pub(crate) estimates: Vec<(Key, Units)>,
    pub(crate) action: Option<Key>,
    pub(crate) backend: Option<Key>,
    pub(crate) status_codes: Option<Vec<StatusRange>>,
    pub(crate) unmetered: bool,
    pub(crate) inherit_default_meters: bool,
    /// Where it stands.
    pub(crate) place: Place,
}

/// The feature of `@Feature(key, options?)` and its routes.
pub(crate) fn feature(key: Key, options: Option<&Node<'_>>, declaration: usize) -> (Feature, Vec<RouteDraft>) {
    let mut feature = Feature { key, description: None, plans: Vec::new(), policies: Vec::new(), actions: Vec::new() };
    let mut drafts = Vec::new();
    if let Some(options) = options.and_then(Node::options) {
        feature.description = options.text("description");
        feature.plans = options.keys("plans");
        feature.policies = options.keys("policies");
        let actions = options.get("actions").map(|node| node.list()).unwrap_or_default();
        feature.actions = actions.iter().filter_map(action).collect();
        for (text, node) in options.get("routes").map(|node| node.routes()).unwrap_or_default() {
            drafts.extend(route(text, &node, &feature.key, declaration));
        }
        options.finish();
    }
    (feature, drafts)
}

impl<'a> Node<'a> {
    /// The entries of a `routes` map; their keys are checked as route keys, not as keys of declarations.
    fn routes(&self) -> Vec<(String, Node<'a>)> {
        match self.value() {
            Value::Map(_) => self.raw_entries(),
            _ => {
                self.wrong_type("an object of routes");
                Vec::new()
            }
        }
    }
}

fn action(node: &Node<'_>) -> Option<Action> {
    let options = node.options()?;
    let id = options.require("id").and_then(|id| id.key());
    let kind = options.require("kind").and_then(|kind| kind.text());
    let title = options.text("title");
    let subject = options.get("subject").and_then(|node| action_subject(&node));
    let resource = options.get("resource").and_then(|node| action_resource(&node));
    let audit = options.text("audit");
    options.finish();
    Some(Action { id: id?, kind: kind.unwrap_or_default(), title, subject, resource, audit })
}

fn action_subject(node: &Node<'_>) -> Option<ActionSubject> {
    let options = node.options()?;
    let kind = options.require("type").and_then(|kind| kind.text());
    let from = options.require("from").and_then(|from| from.choice());
    let name = options.require("name").and_then(|name| name.text());
    options.finish();
    Some(ActionSubject { r#type: kind?, from: from?, name: name? })
}

fn action_resource(node: &Node<'_>) -> Option<ActionResource> {
    let options = node.options()?;
    let resource = options.require("resource").and_then(|resource| resource.key());
    let effect = options.require("effect").and_then(|effect| effect.choice());
    options.finish();
    Some(ActionResource { resource: resource?, effect: effect? })
}

fn route(text: String, node: &Node<'_>, feature: &Key, declaration: usize) -> Option<RouteDraft> {
    let (method, path) = routes::route_key(&text, node)?;
    let options = node.options()?;
    let unmetered = options.boolean("unmetered", false);
    let draft = RouteDraft {
        text,
        method,
        path,
        feature: feature.clone(),
        costs: options.quantities("cost", Node::units).collect(),
        reports: reports(&options),
        estimates: options.quantities("estimates", Node::estimate).collect(),
        action: options.key("action"),
        backend: options.key("backend"),
        status_codes: options.get("onStatusCodes").and_then(|codes| routes::status_codes(&codes)),
        unmetered,
        inherit_default_meters: options.boolean("inheritDefaultMeters", true),
        place: Place::Declaration(declaration),
    };
    options.finish();
    Some(RouteDraft { place: node.place(At::Key), ..draft })
}

/// `report` and `reports`, each one key or an array of keys.
fn reports(options: &Options<'_>) -> Vec<Key> {
    let mut keys = Vec::new();
    for name in ["report", "reports"] {
        let Some(node) = options.get(name) else { continue };
        match node.value() {
            Value::List(_) => keys.extend(node.keys()),
            Value::Text(_) => keys.extend(node.key()),
            _ => node.wrong_type("a meter key or an array of meter keys"),
        }
    }
    keys.sort();
    keys.dedup();
    keys
}

impl RouteDraft {
    /// A complaint about this route's key.
    pub(crate) fn finding(&self, code: Code, message: String, hint: Option<String>) -> Finding {
        let path = Path::new(["features", self.feature.as_str(), "routes", self.text.as_str()]);
        Finding { code, message, hint, path, place: self.place.clone() }
    }
}
