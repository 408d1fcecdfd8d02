//! `@Requests` and `@Meter`.

use super::finding::At;
use super::reader::Node;
use crate::diagnostic::Code;
use crate::manifest::ir::{Aggregation, Key, Meter, Resource};
use crate::money::units::Units;

/// Most attributes of one meter.
pub const ATTRIBUTES_MAX: usize = 8;

/// Key of the meter that `@Requests` declares, and of the dimension every plan may limit.
pub const REQUESTS: &str = "requests";

/// The managed meter of `@Requests(options?)`.
pub(crate) fn requests(options: Option<&Node<'_>>) -> Option<Meter> {
    let mut meter = Meter {
        key: Key::try_from(REQUESTS.to_owned()).ok()?,
        display: "Requests".to_owned(),
        unit: Some("request".to_owned()),
        estimate: Some(Units::ONE),
        route_default: None,
        aggregation: Aggregation::Count,
        by: Vec::new(),
        resource: None,
        managed: true,
        window: None,
        enforcement_type: None,
    };
    if let Some(options) = options.and_then(Node::options) {
        meter.display = options.text("display").unwrap_or(meter.display);
        meter.unit = options.text("unit").or(meter.unit);
        meter.estimate = options.get("estimate").and_then(|node| node.estimate()).or(meter.estimate);
        meter.window = options.choice("window");
        meter.enforcement_type = options.choice("enforcementType");
        options.finish();
    }
    Some(meter)
}

/// The meter that counts a resource which some plan prices: its level lasts.
pub(crate) fn of_resource(resource: &Resource) -> Meter {
    Meter {
        display: resource.display.clone(),
        aggregation: Aggregation::TimeWeighted,
        resource: Some(resource.name.clone()),
        ..meter(resource.name.clone(), None)
    }
}

/// The meter of `@Meter(key, options?)`.
pub(crate) fn meter(key: Key, options: Option<&Node<'_>>) -> Meter {
    let mut meter = Meter {
        display: key.title_case(),
        key,
        unit: None,
        estimate: None,
        route_default: None,
        aggregation: Aggregation::Sum,
        by: Vec::new(),
        resource: None,
        managed: false,
        window: None,
        enforcement_type: None,
    };
    if let Some(options) = options.and_then(Node::options) {
        meter.display = options.text("display").unwrap_or(meter.display);
        meter.unit = options.text("unit");
        meter.estimate = options.get("estimate").and_then(|node| node.estimate());
        meter.route_default = options.get("routeDefault").and_then(|node| node.units());
        meter.aggregation = options.choice("aggregation").unwrap_or(meter.aggregation);
        meter.by = options.get("by").map(|by| attributes(&by)).unwrap_or_default();
        options.finish();
    }
    meter
}

/// The attributes of a meter: each once.
fn attributes(node: &Node<'_>) -> Vec<Key> {
    let mut attributes: Vec<Key> = Vec::new();
    for item in node.list() {
        let Some(attribute) = item.key() else { continue };
        if attributes.contains(&attribute) {
            let message = format!("the attribute {:?} stands twice in `{}`", attribute.as_str(), node.name());
            item.report(Code::DuplicateKey, At::Value, message, None);
        } else {
            attributes.push(attribute);
        }
    }
    if attributes.len() > ATTRIBUTES_MAX {
        let message =
            format!("`{}` has {} attributes; at most {ATTRIBUTES_MAX} are taken", node.name(), attributes.len());
        node.report(Code::TooManyDeclarations, At::Value, message, None);
    }
    attributes
}
