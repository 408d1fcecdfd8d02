//! What a plan charges for a meter's units: `meter`, and the raw `meters`.

use super::finding::At;
use super::reader::{Node, Options};
use super::suggest;
use crate::diagnostic::Code;
use crate::manifest::ir::{Included, IncludedEach, Key, MeterPrice, PerUnits, Rates, Tier, UnitPool};
use crate::money::amount::{Cents, Micros};
use crate::money::cell::{ATTRIBUTE_VALUE_MAX_CHARS, is_attribute_value};
use crate::money::units::Units;
use crate::registry::Value;
use std::collections::{BTreeMap, BTreeSet};

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

/// The kinds of price.
const KINDS: [&str; 3] = ["linear", "graduated", "volume"];

/// An entry of `meter`.
fn overage(meter: Key, node: &Node<'_>) -> Option<MeterPrice> {
    let options = node.options()?;
    let price = match (options.get("kind"), options.get("tiers")) {
        (Some(kind), _) => of_kind(Some(meter), &kind, &options),
        (None, None) => linear(Some(meter), &options),
        (None, Some(tiers)) => {
            let message = format!("`{}` has tiers, and does not say how they count", node.name());
            let hint = "add `kind: \"graduated\"`, each unit at the price of its own tier, or `kind: \"volume\"`, all at the last one's";
            tiers.report(Code::OptionRequired, At::Key, message, Some(hint.to_owned()));
            read_tiers(&tiers);
            limits(&options);
            included(&options);
            None
        }
    };
    options.finish();
    price
}

/// An item of the raw `meters[]` passthrough.
fn raw_price(node: &Node<'_>) -> Option<MeterPrice> {
    let options = node.options()?;
    let meter = options.require("meter").and_then(|meter| meter.key());
    let price = match options.require("kind") {
        Some(kind) => of_kind(meter, &kind, &options),
        None => {
            forgive_any(&options);
            None
        }
    };
    options.finish();
    price
}

/// A price that says its kind. One whose kind is none is reported alone.
fn of_kind(meter: Option<Key>, kind: &Node<'_>, options: &Options<'_>) -> Option<MeterPrice> {
    match kind.value() {
        Value::Text(name) if name == "linear" => linear(meter, options),
        Value::Text(name) if name == "graduated" || name == "volume" => tiered(meter, name == "volume", options),
        Value::Text(name) => {
            let message = format!("{name:?} is no kind of price; it is one of {}", suggest::list(&KINDS));
            // The IR's word for it.
            let hint = match name == "rates" {
                true => Some("a price with `rates` is of the kind \"linear\": each cell at its own rate".to_owned()),
                false => suggest::hint(name, KINDS),
            };
            kind.report(Code::UnknownValue, At::Value, message, hint);
            forgive_any(options);
            None
        }
        _ => {
            kind.wrong_type(&format!("one of {}", suggest::list(&KINDS)));
            forgive_any(options);
            None
        }
    }
}

/// Whatever kind was meant: what is an option of none of them may be it, misspelled.
fn forgive_any(options: &Options<'_>) {
    for known in ["micros", "per", "includedUnits", "tiers", "round", "minCents", "maxCents", "rates"] {
        options.get(known);
    }
}

fn linear(meter: Option<Key>, options: &Options<'_>) -> Option<MeterPrice> {
    if let Some(rates) = options.get("rates") {
        return by_cell(meter, &rates, options);
    }
    options.said_otherwise(&SAID_OTHERWISE);
    let micros = options.require("micros").and_then(|micros| micros.micros());
    let per = per(options);
    let included_units = included(options);
    let round = options.choice("round");
    let (min_cents, max_cents) = limits(options);
    let (meter, micros, per, included_units) = (meter?, micros?, per?, included_units?);
    Some(MeterPrice::Linear { meter, micros, per, included_units, round, min_cents, max_cents })
}

/// What an author may take for an option of a linear price, and how it is said.
const SAID_OTHERWISE: [(&str, &str); 4] = [
    (
        "flatMicros",
        "so much for each use is the price of a meter that counts uses, `aggregation: \"count\"`; only tiers have `flatMicros`",
    ),
    ("price", IN_MICROS),
    ("amount", IN_MICROS),
    ("cents", IN_MICROS),
];
const IN_MICROS: &str = "a price is in `micros`, millionths of a dollar: 50_000 are 0.05 dollars";
/// The same of a price with a rate for each cell.
const SAID_OTHERWISE_OF_RATES: [(&str, &str); 4] = [
    ("includedUnits", "free units of all values together are a pool of the one meter: `pools`"),
    ("tiers", EACH_ITS_METER),
    ("minCents", EACH_ITS_METER),
    ("maxCents", EACH_ITS_METER),
];
const EACH_ITS_METER: &str =
    "each value has a rate and nothing else; where it has tiers or bounds of its own, declare a meter for each";

/// A rate for each cell.
fn by_cell(meter: Option<Key>, rates: &Node<'_>, options: &Options<'_>) -> Option<MeterPrice> {
    options.said_otherwise(&SAID_OTHERWISE_OF_RATES);
    let per = per(options);
    let round = options.choice("round");
    let rates = read_rates(rates)?;
    let (meter, per) = (meter?, per?);
    Some(MeterPrice::Rates { meter, per, round, rates })
}

/// Rates by the value of one attribute. How deep they nest is judged where the meter's attributes are known.
fn read_rates(node: &Node<'_>) -> Option<BTreeMap<String, Rates>> {
    let entries = node.entries();
    let count = entries.len();
    let mut rates = BTreeMap::new();
    for (value, inner) in entries {
        if !is_attribute_value(&value) {
            let message = format!(
                "{value:?} is no value of an attribute: it has 1 to {ATTRIBUTE_VALUE_MAX_CHARS} characters, and no control characters"
            );
            inner.report(Code::KeyForm, At::Key, message, None);
            continue;
        }
        let rate = match inner.value() {
            Value::Map(_) => read_rates(&inner).map(Rates::By),
            _ => inner.micros().map(Rates::Micros),
        };
        rates.extend(rate.map(|rate| (value, rate)));
    }
    (rates.len() == count && matches!(node.value(), Value::Map(_))).then_some(rates)
}

/// Micro-dollars in a cent.
const MICROS_PER_CENT: u64 = 10_000;

/// The prices of resources, each with where it is written: so much for each that is there for a whole period.
pub(crate) fn resource_prices<'a>(options: &Options<'a>) -> Vec<(MeterPrice, Node<'a>)> {
    let price = |(meter, node): (Key, Node<'a>)| {
        let options = node.options()?;
        let amount = options.require("amountCents");
        let micros = amount.and_then(|amount| {
            let cents = amount.cents()?;
            let micros = cents.get().checked_mul(MICROS_PER_CENT).and_then(|micros| Micros::try_from(micros).ok());
            if micros.is_none() {
                let message = format!("`{}` is past what a price holds", amount.name());
                amount.report(Code::NumberRange, At::Value, message, None);
            }
            micros
        });
        let included = options.get("included").map_or(Some(Units::ZERO), |included| included.units());
        options.finish();
        let (micros, included_units) = (micros?, Included::Units(included?));
        let (per, round, min_cents, max_cents) = (PerUnits::ONE, None, None, None);
        Some((MeterPrice::Linear { meter, micros, per, included_units, round, min_cents, max_cents }, node))
    };
    let resources = options.get("resources").map(|resources| resources.keyed()).unwrap_or_default();
    resources.into_iter().filter_map(price).collect()
}

/// The pools of a plan.
pub(crate) fn pools(options: &Options<'_>) -> BTreeMap<Key, UnitPool> {
    let pool = |node: Node<'_>| {
        let options = node.options()?;
        let units = options.require("units").and_then(|units| units.units());
        let weight = |(meter, node): (Key, Node<'_>)| {
            let weight = node.integer(1, "how many of the pool's units one of the meter's takes")?;
            Some((meter, PerUnits::try_from(weight).ok()?))
        };
        let meters = options.require("meters").map(|meters| meters.keyed()).unwrap_or_default();
        let meters = meters.into_iter().filter_map(weight).collect();
        options.finish();
        Some(UnitPool { units: units?, meters })
    };
    let pools = options.get("pools").map(|pools| pools.keyed()).unwrap_or_default();
    pools.into_iter().filter_map(|(key, node)| Some((key, pool(node)?))).collect()
}

fn tiered(meter: Option<Key>, is_volume: bool, options: &Options<'_>) -> Option<MeterPrice> {
    let tiers = options.require("tiers").and_then(|tiers| read_tiers(&tiers));
    let included_units = included(options);
    let (min_cents, max_cents) = limits(options);
    let (meter, tiers, included_units) = (meter?, tiers?, included_units?);
    Some(if is_volume {
        MeterPrice::Volume { meter, tiers, included_units, min_cents, max_cents }
    } else {
        MeterPrice::Graduated { meter, tiers, included_units, min_cents, max_cents }
    })
}

fn per(options: &Options<'_>) -> Option<PerUnits> {
    let Some(node) = options.get("per") else { return Some(PerUnits::ONE) };
    node.integer(1, "the number of units that one price is for").and_then(|per| PerUnits::try_from(per).ok())
}

/// `includedUnits`: a quantity, or so many for each unit of another meter.
fn included(options: &Options<'_>) -> Option<Included> {
    let Some(node) = options.get("includedUnits") else { return Some(Included::default()) };
    if !matches!(node.value(), Value::Map(_)) {
        return node.units().map(Included::Units);
    }
    let each = node.options()?;
    let per = each.require("per").and_then(|per| per.key());
    let units = each.require("units").and_then(|units| units.units());
    each.finish();
    Some(Included::Each(IncludedEach { per: per?, units: units? }))
}

/// Least and most of the meter in a period.
fn limits(options: &Options<'_>) -> (Option<Cents>, Option<Cents>) {
    let min = options.get("minCents");
    let (least, most) = (min.as_ref().and_then(Node::cents), options.get("maxCents").and_then(|max| max.cents()));
    if let (Some(least), Some(most), Some(node)) = (least, most, min)
        && least > most
    {
        let message = format!(
            "`{}` costs at least {} cents a period and at most {}",
            options.node().name(),
            least.get(),
            most.get()
        );
        node.report(Code::SpendBoundsCrossed, At::Value, message, None);
    }
    (least, most)
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
    let flat_micros = options.get("flatMicros");
    // A tier that costs something by itself may cost nothing a unit.
    let micros = if flat_micros.is_some() { options.get("micros") } else { options.require("micros") };
    let micros = match micros {
        Some(micros) => micros.micros(),
        None => flat_micros.is_some().then_some(Micros::ZERO),
    };
    let flat_micros = flat_micros.map(|flat| flat.micros());
    let per = per(&options);
    let round = options.choice("round");
    options.finish();
    let flat_micros = match flat_micros {
        Some(read) => Some(read?),
        None => None,
    };
    Some(Tier { up_to: up_to?, micros: micros?, per: per?, flat_micros, round })
}
