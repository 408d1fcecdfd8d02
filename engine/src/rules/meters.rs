//! `@Requests`, `@Meter` and `@Resource`.

use super::reader::Node;
use crate::manifest::ir::{Aggregation, CountSource, Key, Meter, Resource};
use crate::money::units::Units;

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

/// The meter of `@Meter(key, options?)`.
pub(crate) fn meter(key: Key, options: Option<&Node<'_>>) -> Meter {
    let mut meter = Meter {
        display: title_case(key.as_str()),
        key,
        unit: None,
        estimate: None,
        route_default: None,
        aggregation: Aggregation::Sum,
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
        options.finish();
    }
    meter
}

/// The resource of `@Resource(name, options?)`.
pub(crate) fn resource(name: Key, options: Option<&Node<'_>>) -> Resource {
    let mut resource = Resource { display: title_case(name.as_str()), name, count_source: CountSource::ActionInferred };
    if let Some(options) = options.and_then(Node::options) {
        resource.display = options.text("display").unwrap_or(resource.display);
        resource.count_source = options.choice("countSource").unwrap_or(resource.count_source);
        options.finish();
    }
    resource
}

/// `cpu_seconds` as `Cpu Seconds`.
fn title_case(key: &str) -> String {
    let words = key.split(['_', '-', '.']).filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
    });
    words.collect::<Vec<_>>().join(" ")
}
