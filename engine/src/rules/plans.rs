//! `@Plan`: price, limits, overage, grants and policies, lowered to the IR's plan.

use super::finding::At;
use super::gates::feature_gates;
use super::grants::{distinct_packs, grant};
use super::limits::{Limit, limit};
use super::prices::{meter_prices, pools, resource_prices};
use super::raw::plan_raw;
use super::reader::{Node, Options};
use crate::diagnostic::Code;
use crate::manifest::ir::{
    Archive, ArchiveAt, Billed, BillingInterval, Currency, Disclosure, Grant, Intro, Key, MeterPrice, OverageBehavior,
    Plan, SpendPolicy,
};
use crate::money::amount::Cents;
use crate::registry::Value;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// Most periods of an introductory fee: a hundred years of months.
const INTRO_PERIODS_MAX: u64 = 1_200;

/// The plan of `@Plan(key, options?)` on the member `member`, and what it charges for resources, which is charged by meters of theirs.
pub(crate) fn plan<'a>(key: Key, member: &str, options: Option<&Node<'a>>) -> (Plan, Vec<(MeterPrice, Node<'a>)>) {
    let mut plan = Plan {
        key,
        name: member.to_owned(),
        recurring_fee_cents: Cents::ZERO,
        currency: Currency::Usd,
        interval: BillingInterval::Month,
        billed: Billed::Arrears,
        usage_interval: None,
        intro: None,
        limits: Vec::new(),
        capability_limits: BTreeMap::new(),
        meters: Vec::new(),
        pools: BTreeMap::new(),
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
    let mut of_resources = Vec::new();
    if let Some(options) = options.and_then(Node::options) {
        read_price(&options, &mut plan);
        read_limits(&options, &mut plan);
        plan.meters = meter_prices(&options);
        plan.pools = pools(&options);
        of_resources = resource_prices(&options);
        read_grants(&options, &mut plan);
        read_spending(&options, &mut plan);
        read_flags(&options, &mut plan);
        if let Some(raw) = options.get("raw") {
            plan_raw(&raw, &mut plan.raw);
        }
        options.finish();
    }
    (plan, of_resources)
}

fn read_price(options: &Options<'_>, plan: &mut Plan) {
    if let Some(name) = options.text("name") {
        plan.name = name;
    }
    let Some(price) = options.get("price").and_then(|node| node.options()) else { return };
    let free = price.get("free");
    let paid = ["amount", "currency", "interval", "billed", "usageInterval", "intro"].map(|name| price.get(name));
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
            for other in paid.into_iter().flatten().filter(|_| is_free) {
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
            plan.billed = price.choice("billed").unwrap_or_default();
            plan.usage_interval = price.get("usageInterval").and_then(|node| usage_interval(&node, plan.interval));
            plan.intro = price.get("intro").and_then(|node| intro(&node, plan.recurring_fee_cents));
        }
    }
    price.finish();
}

/// Months of usage, of a year's price; a year of usage is what a year's price has anyway.
fn usage_interval(node: &Node<'_>, of: BillingInterval) -> Option<BillingInterval> {
    let interval: BillingInterval = node.choice()?;
    if interval == BillingInterval::Month && of == BillingInterval::Year {
        return Some(interval);
    }
    let message = format!("`{}` is \"month\" beside a price for a year, and nothing else", node.name());
    let hint = "leave it out: periods are as long as the price's interval";
    node.report(Code::UsageInterval, At::Value, message, Some(hint.to_owned()));
    None
}

/// The fee of the first periods: less than that of the others.
fn intro(node: &Node<'_>, fee: Cents) -> Option<Intro> {
    let options = node.options()?;
    let place = options.require("amount");
    let amount = place.as_ref().and_then(Node::cents);
    let periods = options.require("periods").and_then(|periods| intro_periods(&periods));
    options.finish();
    if let (Some(amount), Some(place)) = (amount, place)
        && amount >= fee
    {
        let message =
            format!("an introductory fee is below the plan's, and {} cents are not below {}", amount.get(), fee.get());
        place.report(Code::IntroFee, At::Value, message, None);
    }
    Some(Intro { amount_cents: amount?, periods: periods? })
}

fn intro_periods(node: &Node<'_>) -> Option<NonZeroU32> {
    let periods = node.integer(1, "a number of periods")?;
    if periods > INTRO_PERIODS_MAX {
        let message = format!("{periods} periods are more than {INTRO_PERIODS_MAX}");
        node.report(Code::NumberRange, At::Value, message, None);
        return None;
    }
    u32::try_from(periods).ok().and_then(NonZeroU32::new)
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

fn read_grants(options: &Options<'_>, plan: &mut Plan) {
    let items = options.get("grants").map(|node| node.list()).unwrap_or_default();
    // What is wrong keeps its place, so that what is said of the others is said at theirs.
    let read = |item| (grant(item).unwrap_or(Grant::Named { name: String::new() }), item);
    plan.grants = distinct_packs(items.iter().map(read)).collect();
    plan.capabilities = options.keys("capabilities");
    plan.capabilities.extend(plan.grants.iter().filter_map(|grant| match grant {
        Grant::Capability { capability, .. } => Some(capability.clone()),
        _ => None,
    }));
    plan.capabilities.sort();
    plan.capabilities.dedup();
}

fn read_spending(options: &Options<'_>, plan: &mut Plan) {
    plan.trial_days = options.get("trialDays").and_then(|days| days.days(0)).unwrap_or(0);
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
    if plan.spend_policy.disclosure == Disclosure::Opaque {
        tells_amounts(options, plan);
    }
}

/// Reports packs whose amount the buyer chooses, and so knows, in a plan that is to show no rates.
fn tells_amounts(options: &Options<'_>, plan: &Plan) {
    if !plan.grants.iter().any(|grant| matches!(grant, Grant::OpenTopUp { .. })) {
        return;
    }
    let items = options.get("grants").map(|node| node.list()).unwrap_or_default();
    for item in items.iter().filter(|item| matches!(item.value(), Value::Map(_))) {
        let Some(amount) = item.options().and_then(|grant| grant.get("maxCents")) else { continue };
        let key = plan.key.as_str();
        let message =
            format!("the plan {key:?} is opaque, and who chooses an amount of credit can work its rates out from it");
        let hint = "offer packs of one price, or show what usage costs: `disclosure: \"transparent\"`";
        amount.report(Code::OpaqueTopUp, At::Key, message, Some(hint.to_owned()));
    }
}

fn read_flags(options: &Options<'_>, plan: &mut Plan) {
    plan.self_serve_enabled = options.boolean("selfServeEnabled", true);
    plan.legacy = options.boolean("legacy", false);
    plan.feature_gates = feature_gates(options);
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
