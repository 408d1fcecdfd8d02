//! `@Plan`: price, limits, overage, grants and policies, lowered to the IR's plan.

use super::product::merge_raw;
use super::reader::{Node, Options};
use super::{At, suggest};
use crate::diagnostic::Code;
use crate::manifest::ir::{
    Archive, ArchiveAt, BillingInterval, Currency, Disclosure, Display, Enforcement, Grant, GrantKind, Key, MeterPrice,
    OverageBehavior, PerUnits, Plan, RateLimit, SpendPolicy, Tier,
};
use crate::money::amount::Cents;
use crate::money::units::Units;
use crate::registry::Value;
use std::collections::BTreeMap;

/// Longest trial and longest life of a credit, in days.
const DAYS_MAX: u64 = 36_500;
/// Largest factor of a display multiplier.
const FACTOR_MAX: u32 = 1_000_000_000;
/// Finest step of a display factor, in billionths: a preview shows two decimals, and what is left and what is consumed
/// must add up to the factor.
const FACTOR_STEP: u128 = 10_000_000;
/// Names of a plan's typed fields, which its `raw` may not touch.
const TYPED_FIELDS: &[&str] = &[
    "key",
    "name",
    "recurringFeeCents",
    "currency",
    "interval",
    "limits",
    "capabilityLimits",
    "meters",
    "grants",
    "capabilities",
    "featureGates",
    "trialDays",
    "maxMonthlySpendCents",
    "minMonthlySpendCents",
    "overageBehavior",
    "selfServeEnabled",
    "legacy",
    "archive",
    "spendPolicy",
    "raw",
];

/// The plan of `@Plan(key, options?)` on the member `member`.
pub(crate) fn plan(key: Key, member: &str, options: Option<&Node<'_>>) -> Plan {
    let mut plan = Plan {
        key,
        name: member.to_owned(),
        recurring_fee_cents: Cents::ZERO,
        currency: Currency::Usd,
        interval: BillingInterval::Month,
        limits: Vec::new(),
        capability_limits: BTreeMap::new(),
        meters: Vec::new(),
        grants: Vec::new(),
        capabilities: Vec::new(),
        feature_gates: BTreeMap::new(),
        trial_days: 0,
        max_monthly_spend_cents: None,
        min_monthly_spend_cents: None,
        overage_behavior: OverageBehavior::AllowAndBill,
        self_serve_enabled: true,
        legacy: false,
        archive: None,
        spend_policy: SpendPolicy { disclosure: Disclosure::Transparent },
        raw: serde_json::Map::new(),
    };
    if let Some(options) = options.and_then(Node::options) {
        read_price(&options, &mut plan);
        read_limits(&options, &mut plan);
        plan.meters = meter_prices(&options);
        read_grants(&options, &mut plan);
        read_spending(&options, &mut plan);
        read_flags(&options, &mut plan);
        if let Some(raw) = options.get("raw") {
            merge_raw(&raw, &mut plan.raw, TYPED_FIELDS, "the plan");
        }
        options.finish();
    }
    plan
}

fn read_price(options: &Options<'_>, plan: &mut Plan) {
    if let Some(name) = options.text("name") {
        plan.name = name;
    }
    let Some(price) = options.get("price").and_then(|node| node.options()) else { return };
    let free = price.get("free");
    let (amount, currency, interval) = (price.get("amount"), price.get("currency"), price.get("interval"));
    match free {
        Some(free) => {
            if matches!(free.value(), Value::Bool(false)) {
                let message = format!("`{}` can only be true", plan_path(plan, "price.free"));
                free.report(
                    Code::UnknownValue,
                    At::Value,
                    message,
                    Some("leave `free` out and give an amount".to_owned()),
                );
            } else {
                free.boolean();
            }
            let is_free = !matches!(free.value(), Value::Bool(false));
            for other in [amount, currency, interval].into_iter().flatten().filter(|_| is_free) {
                let message = format!(
                    "the price of plan {:?} is both free and has {}",
                    plan.key.as_str(),
                    other.value().describe()
                );
                other.report(Code::FreeWithAmount, At::Key, message, Some("write { free: true } alone".to_owned()));
            }
        }
        None => {
            plan.recurring_fee_cents = price.require("amount").and_then(|node| node.cents()).unwrap_or_default();
            plan.currency = price.require("currency").and_then(|node| node.choice()).unwrap_or(plan.currency);
            plan.interval = price.require("interval").and_then(|node| node.choice()).unwrap_or(plan.interval);
        }
    }
    price.finish();
}

fn plan_path(plan: &Plan, rest: &str) -> String {
    format!("plans.{}.{rest}", plan.key)
}

fn read_limits(options: &Options<'_>, plan: &mut Plan) {
    if let Some(caps) = options.get("caps") {
        for (resource, node) in caps.keyed() {
            if let Some(cap) = node.integer(0, "a cap") {
                plan.capability_limits.insert(resource, cap);
            }
        }
    }
    let Some(limits) = options.get("limits") else { return };
    for (dimension, node) in limits.keyed() {
        match limit(dimension, &node) {
            Some(Limit::Rate(rate)) => plan.limits.push(rate),
            Some(Limit::Count(resource, count)) => count_limit(plan, resource, count, &node),
            None => {}
        }
    }
}

fn count_limit(plan: &mut Plan, resource: Key, count: u64, node: &Node<'_>) {
    let (name, owner) = (resource.to_string(), plan.key.to_string());
    if plan.capability_limits.insert(resource, count).is_some() {
        let message = format!("the resource {name:?} is both in `caps` and a count limit of plan {owner:?}");
        node.report(Code::CapAndCount, At::Key, message, Some("keep one of the two".to_owned()));
    }
}

/// What one entry of a `limits` map is.
pub(crate) enum Limit {
    Rate(RateLimit),
    Count(Key, u64),
}

/// `{ rate, interval, enforcement? }` or `{ count }`.
pub(crate) fn limit(dimension: Key, node: &Node<'_>) -> Option<Limit> {
    let options = node.options()?;
    let limit = if let Some(count) = options.get("count") {
        count.integer(0, "a count").map(|count| Limit::Count(dimension, count))
    } else {
        let rate = options.require("rate").and_then(|rate| rate.units());
        let interval = options.require("interval").and_then(|interval| interval.choice());
        let enforcement = options.choice("enforcement").unwrap_or(Enforcement::Enforce);
        rate.zip(interval).map(|(rate, interval)| Limit::Rate(RateLimit { dimension, rate, interval, enforcement }))
    };
    options.finish();
    limit
}

fn meter_prices(options: &Options<'_>) -> Vec<MeterPrice> {
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
    let mut distinct: Vec<MeterPrice> = Vec::new();
    for (price, node) in prices {
        if distinct.iter().any(|other| other.meter() == price.meter()) {
            let message = format!("the meter {:?} has two prices in one plan", price.meter().as_str());
            node.report(Code::DuplicateKey, At::Value, message, None);
        } else {
            distinct.push(price);
        }
    }
    distinct
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
        None => return None,
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

fn read_grants(options: &Options<'_>, plan: &mut Plan) {
    let items = options.get("grants").map(|node| node.list()).unwrap_or_default();
    plan.grants = items.iter().filter_map(grant).collect();
    plan.capabilities = options.keys("capabilities");
    plan.capabilities.extend(plan.grants.iter().filter_map(|grant| match grant {
        Grant::Capability { capability, .. } => Some(capability.clone()),
        _ => None,
    }));
    plan.capabilities.sort();
    plan.capabilities.dedup();
}

fn grant(node: &Node<'_>) -> Option<Grant> {
    if let Value::Text(name) = node.value() {
        return Some(Grant::Named { name: name.clone() });
    }
    let options = node.options()?;
    let tag = options.get("type");
    let kind = match &tag {
        Some(kind) => kind.text()?,
        None => "credit".to_owned(),
    };
    let grant = match kind.as_str() {
        "credit" => credit_grant(&options),
        "capability" => capability_grant(&options),
        "topUp" => top_up(&options),
        _ => {
            let message = format!("{kind:?} is no type of grant");
            tag.as_ref().unwrap_or(node).report(
                Code::UnknownValue,
                At::Value,
                message,
                suggest::hint(&kind, ["credit", "capability", "topUp"]),
            );
            return None;
        }
    };
    options.finish();
    grant
}

fn credit_grant(options: &Options<'_>) -> Option<Grant> {
    let amount_cents = options.require("amountCents").and_then(|amount| amount.cents());
    let kind = options.choice("kind").unwrap_or(GrantKind::Included);
    let recurs = options.boolean("recurs", false);
    let label = options.text("label");
    let expires_after_days = options.get("expiresAfterDays").and_then(|days| read_days(&days, 1));
    let display = options.get("display").and_then(|display| read_display(&display));
    Some(Grant::Credit { kind, amount_cents: amount_cents?, recurs, label, expires_after_days, display })
}

fn read_days(node: &Node<'_>, min: u64) -> Option<u32> {
    let days = node.integer(min, "a number of days")?;
    if days > DAYS_MAX {
        let message = format!("{days} days are more than {DAYS_MAX}");
        node.report(Code::NumberRange, At::Value, message, None);
        return None;
    }
    u32::try_from(days).ok()
}

fn read_display(node: &Node<'_>) -> Option<Display> {
    let options = node.options()?;
    let tag = options.require("kind");
    let kind = tag.as_ref().and_then(Node::text);
    let factor = options.require("factor").and_then(|factor| read_factor(&factor));
    if let Some(other) = kind.as_deref().filter(|kind| *kind != "multiplier") {
        let message = format!("{other:?} is no kind of display");
        tag.as_ref().unwrap_or(node).report(
            Code::UnknownValue,
            At::Value,
            message,
            Some("write display.multiplier({ factor })".to_owned()),
        );
        return None;
    }
    options.finish();
    Some(Display::Multiplier { factor: factor? })
}

fn read_factor(node: &Node<'_>) -> Option<Units> {
    let factor = node.units()?;
    let in_range = factor > Units::ZERO && factor <= Units::from(FACTOR_MAX);
    if in_range && factor.steps().is_multiple_of(FACTOR_STEP) {
        return Some(factor);
    }
    let message =
        format!("a display factor is above 0, at most {FACTOR_MAX}, with at most two digits behind the point");
    node.report(Code::NumberRange, At::Value, message, None);
    None
}

fn capability_grant(options: &Options<'_>) -> Option<Grant> {
    let capability = options.require("capability").and_then(|capability| capability.key());
    let mut limits = BTreeMap::new();
    for (resource, node) in options.get("limits").map(|node| node.keyed()).unwrap_or_default() {
        if let Some(limit) = node.integer(0, "a limit") {
            limits.insert(resource, limit);
        }
    }
    Some(Grant::Capability { capability: capability?, limits })
}

fn top_up(options: &Options<'_>) -> Option<Grant> {
    let sku = options.require("sku").and_then(|sku| sku.text());
    let label = options.require("label").and_then(|label| label.text());
    let price_cents = options.require("priceCents").and_then(|price| price.cents());
    let credit_cents = options.require("creditCents").and_then(|credit| credit.cents());
    Some(Grant::TopUp { sku: sku?, label: label?, price_cents: price_cents?, credit_cents: credit_cents? })
}

fn read_spending(options: &Options<'_>, plan: &mut Plan) {
    plan.trial_days = options.get("trialDays").and_then(|days| read_days(&days, 0)).unwrap_or(0);
    let max = options.get("maxMonthlySpendCents");
    let min = options.get("minMonthlySpendCents");
    plan.max_monthly_spend_cents = max.and_then(|node| node.cents());
    plan.min_monthly_spend_cents = min.as_ref().and_then(Node::cents);
    if let (Some(most), Some(least), Some(node)) = (plan.max_monthly_spend_cents, plan.min_monthly_spend_cents, min)
        && least > most
    {
        let message = format!(
            "plan {:?} costs at least {} cents a month and at most {}",
            plan.key.as_str(),
            least.get(),
            most.get()
        );
        node.report(Code::SpendBoundsCrossed, At::Value, message, None);
    }
    plan.overage_behavior = options.choice("overageBehavior").unwrap_or(plan.overage_behavior);
    if let Some(policy) = options.get("spendPolicy").and_then(|node| node.options()) {
        plan.spend_policy.disclosure = policy.choice("disclosure").unwrap_or(Disclosure::Transparent);
        policy.finish();
    }
}

fn read_flags(options: &Options<'_>, plan: &mut Plan) {
    plan.self_serve_enabled = options.boolean("selfServeEnabled", true);
    plan.legacy = options.boolean("legacy", false);
    plan.feature_gates = super::access::feature_gates(options);
    if let Some(archive) = options.get("archive") {
        plan.archive = read_archive(&archive);
    }
}

/// `true`, `false`, or `{ at?: "publish" }`.
fn read_archive(node: &Node<'_>) -> Option<Archive> {
    if let Value::Bool(archived) = node.value() {
        return archived.then_some(Archive { at: ArchiveAt::Publish });
    }
    if !matches!(node.value(), Value::Map(_)) {
        node.wrong_type("true, false or { at: \"publish\" }");
        return None;
    }
    let options = node.options()?;
    let at = options.choice("at").unwrap_or(ArchiveAt::Publish);
    options.finish();
    Some(Archive { at })
}
