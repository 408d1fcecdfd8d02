//! What a plan charges for a meter's units: `meter`, and the raw `meters`.

use super::finding::At;
use super::reader::{Node, Options};
use super::suggest;
use crate::diagnostic::Code;
use crate::manifest::ir::{Key, MeterPrice, PerUnits, Tier};
use crate::money::units::Units;
use crate::registry::Value;
use std::collections::BTreeSet;

/// The prices of a plan, from `meter` or `meters`.
pub(crate) fn meter_prices(options: &Options<'_>) -> Vec<MeterPrice> {
    let (meter, meters) = (options.get("meter"), options.get("meters"));
    if let (Some(_), Some(meters)) = (&meter, &meters) {
        let message = "a plan has either `meter` or `meters`, not both";
        meters.report(
            Code::MeterAndMeters,
            At::Key,
            message,
            Some("move the prices of `meters` into `meter`, or the other way round".to_owned()),
        );
    }
    let overages: Vec<MeterPrice> = meter
        .map(|node| node.keyed())
        .unwrap_or_default()
        .into_iter()
        .filter_map(|(key, node)| overage(key, &node))
        .collect();
    if let Some(meters) = meters {
        return distinct_meters(meters.list().iter().filter_map(|item| Some((raw_price(item)?, item.clone()))));
    }
    overages
}

fn distinct_meters<'a>(prices: impl Iterator<Item = (MeterPrice, Node<'a>)>) -> Vec<MeterPrice> {
    let mut priced = BTreeSet::new();
    let mut is_first = |price: &MeterPrice, node: &Node<'a>| {
        let is_first = priced.insert(price.meter().clone());
        if !is_first {
            let message = format!("the meter {:?} has two prices in one plan", price.meter().as_str());
            node.report(Code::DuplicateKey, At::Value, message, None);
        }
        is_first
    };
    prices.filter_map(|(price, node)| is_first(&price, &node).then_some(price)).collect()
}

fn overage(meter: Key, node: &Node<'_>) -> Option<MeterPrice> {
    let options = node.options()?;
    let price = linear(meter, &options);
    options.finish();
    price
}

fn linear(meter: Key, options: &Options<'_>) -> Option<MeterPrice> {
    let micros = options.require("micros").and_then(|micros| micros.micros());
    let per = per(options);
    let included_units = options.get("includedUnits").map_or(Some(Units::ZERO), |units| units.units());
    Some(MeterPrice::Linear { meter, micros: micros?, per: per?, included_units: included_units? })
}

fn per(options: &Options<'_>) -> Option<PerUnits> {
    let Some(node) = options.get("per") else { return Some(PerUnits::ONE) };
    node.integer(1, "the number of units that one price is for").and_then(|per| PerUnits::try_from(per).ok())
}

/// An item of the raw `meters[]` passthrough.
fn raw_price(node: &Node<'_>) -> Option<MeterPrice> {
    let options = node.options()?;
    let meter = options.require("meter").and_then(|meter| meter.key());
    let kind = options.require("kind");
    let kinds = ["linear", "graduated", "volume"];
    let price = match kind.as_ref().map(|kind| (kind, kind.value())) {
        Some((_, Value::Text(kind))) if kind == "linear" => meter.and_then(|meter| linear(meter, &options)),
        Some((_, Value::Text(kind))) if kind == "graduated" || kind == "volume" => {
            let tiers = options.require("tiers").and_then(|tiers| read_tiers(&tiers));
            meter.zip(tiers).map(|(meter, tiers)| match kind.as_str() {
                "graduated" => MeterPrice::Graduated { meter, tiers },
                _ => MeterPrice::Volume { meter, tiers },
            })
        }
        Some((node, Value::Text(kind))) => {
            let message = format!("{kind:?} is no kind of price; it is one of {}", suggest::list(&kinds));
            node.report(Code::UnknownValue, At::Value, message, suggest::hint(kind, kinds));
            return None;
        }
        Some((node, _)) => {
            node.wrong_type(&format!("one of {}", suggest::list(&kinds)));
            return None;
        }
        None => {
            // Whatever kind was meant: what is an option of none of them may be it, misspelled.
            for known in ["micros", "per", "includedUnits", "tiers"] {
                options.get(known);
            }
            None
        }
    };
    options.finish();
    price
}

fn read_tiers(node: &Node<'_>) -> Option<Vec<Tier>> {
    let items = node.list();
    if !matches!(node.value(), Value::List(_)) {
        return None;
    }
    let tiers: Vec<Tier> = items.iter().filter_map(tier).collect();
    if tiers.len() != items.len() {
        return None;
    }
    let ends: Vec<Option<u64>> = tiers.iter().map(|tier| tier.up_to).collect();
    let ascending = ends.windows(2).all(|pair| match pair {
        [Some(first), Some(second)] => first < second,
        [Some(_), None] => true,
        _ => false,
    });
    if ascending && ends.last() == Some(&None) {
        return Some(tiers);
    }
    let message = "tiers ascend by `upTo`, and the last one has `upTo: null`";
    node.report(
        Code::TiersForm,
        At::Value,
        message,
        Some("such as [{ upTo: 100, micros: 50 }, { upTo: null, micros: 40 }]".to_owned()),
    );
    None
}

fn tier(node: &Node<'_>) -> Option<Tier> {
    let options = node.options()?;
    let up_to = options.require("upTo").and_then(|end| match end.value() {
        Value::Null => Some(None),
        _ => end.integer(1, "the last unit of a tier").map(Some),
    });
    let micros = options.require("micros").and_then(|micros| micros.micros());
    let per = per(&options);
    options.finish();
    Some(Tier { up_to: up_to?, micros: micros?, per: per? })
}
