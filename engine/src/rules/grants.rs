//! What a plan gives: credit, capabilities, packs of credit, and what the platform knows by name.

use super::finding::At;
use super::reader::{Node, Options};
use super::suggest;
use crate::diagnostic::Code;
use crate::manifest::ir::{Display, Grant, GrantKind, Key};
use crate::money::units::Units;
use crate::registry::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

/// Largest factor of a display multiplier.
const FACTOR_MAX: u32 = 1_000_000_000;
/// Finest step of a display factor, in billionths: a preview shows two decimals, and what is left and what is consumed
/// must add up to the factor.
const FACTOR_STEP: u128 = 10_000_000;
/// Most periods for which credit is kept: a hundred years of months.
const ROLLOVER_PERIODS_MAX: u64 = 1_200;
/// Largest fee on an amount of the buyer's choice, in basis points: as much again.
const BASIS_POINTS_MAX: u64 = 10_000;

/// One element of `grants`.
pub(crate) fn grant(node: &Node<'_>) -> Option<Grant> {
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

/// Reports each pack that has the `sku` of one before it.
pub(crate) fn distinct_packs<'n, 'a: 'n>(
    grants: impl Iterator<Item = (Grant, &'n Node<'a>)>,
) -> impl Iterator<Item = Grant> {
    let mut skus = BTreeSet::new();
    grants.map(move |(grant, node)| {
        if let Some(sku) = grant.sku()
            && !skus.insert(sku.to_owned())
            && let Some(place) = node.options().and_then(|options| options.get("sku"))
        {
            place.report(Code::DuplicateSku, At::Value, same_sku(sku), None);
        }
        grant
    })
}

/// What is wrong with a second pack of one `sku`.
pub(crate) fn same_sku(sku: &str) -> String {
    format!("two packs of one plan have the sku {sku:?}; the second can never be bought")
}

fn credit_grant(options: &Options<'_>) -> Option<Grant> {
    let amount_cents = options.require("amountCents").and_then(|amount| amount.cents());
    let kind = options.choice("kind").unwrap_or(GrantKind::Included);
    let recurs = options.boolean("recurs", false);
    let label = options.text("label");
    let expires_after_days = options.get("expiresAfterDays").and_then(|days| days.days(1));
    let rollover = options.get("rolloverPeriods");
    let rollover_periods = rollover.as_ref().and_then(read_rollover);
    if let Some(node) = rollover.filter(|_| !recurs) {
        let message = format!("`{}` is of credit that recurs, and this is given once", node.name());
        let hint = "write `recurs: true`, or `expiresAfterDays` for how long it lives";
        node.report(Code::GrantForm, At::Key, message, Some(hint.to_owned()));
    }
    let display = options.get("display").and_then(|display| read_display(&display));
    let meters = read_meters(options);
    let amount_cents = amount_cents?;
    Some(Grant::Credit { kind, amount_cents, recurs, label, expires_after_days, rollover_periods, meters, display })
}

/// Periods for which credit is kept.
fn read_rollover(node: &Node<'_>) -> Option<NonZeroU32> {
    let periods = node.integer(1, "a number of periods")?;
    if periods > ROLLOVER_PERIODS_MAX {
        let message = format!("{periods} periods are more than {ROLLOVER_PERIODS_MAX}");
        node.report(Code::NumberRange, At::Value, message, None);
        return None;
    }
    u32::try_from(periods).ok().and_then(NonZeroU32::new)
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

/// Options of a pack whose amount the buyer chooses.
const OF_OPEN_PACKS: [&str; 3] = ["minCents", "maxCents", "feeBasisPoints"];

/// A pack of one price, or one whose amount the buyer chooses.
fn top_up(options: &Options<'_>) -> Option<Grant> {
    let sku = options.require("sku").and_then(|sku| sku.text());
    let label = options.require("label").and_then(|label| label.text());
    let expires_after_days = options.get("expiresAfterDays").and_then(|days| days.days(1));
    let meters = read_meters(options);
    if OF_OPEN_PACKS.iter().all(|name| options.get(name).is_none()) {
        let price_cents = options.require("priceCents").and_then(|price| price.cents());
        let credit_cents = options.require("creditCents").and_then(|credit| credit.cents());
        let (price_cents, credit_cents) = (price_cents?, credit_cents?);
        return Some(Grant::TopUp { sku: sku?, label: label?, price_cents, credit_cents, expires_after_days, meters });
    }
    for fixed in ["priceCents", "creditCents"].into_iter().filter_map(|name| options.get(name)) {
        let message = format!("`{}` is of a pack of one price, and the buyer chooses the amount of this", fixed.name());
        let hint = "write `priceCents` and `creditCents`, or `minCents` and `maxCents`";
        fixed.report(Code::GrantForm, At::Key, message, Some(hint.to_owned()));
    }
    let min = options.require("minCents");
    let min_cents = min.as_ref().and_then(|min| min.cents_from(1));
    let max_cents = options.require("maxCents").and_then(|max| max.cents_from(1));
    if let (Some(least), Some(most), Some(node)) = (min_cents, max_cents, min)
        && least > most
    {
        let message = format!("one buys at least {} cents at once and at most {}", least.get(), most.get());
        node.report(Code::SpendBoundsCrossed, At::Value, message, None);
    }
    let fee_basis_points = options.get("feeBasisPoints").map_or(Some(0), |fee| read_basis_points(&fee));
    Some(Grant::OpenTopUp {
        sku: sku?,
        label: label?,
        min_cents: min_cents?,
        max_cents: max_cents?,
        fee_basis_points: fee_basis_points?,
        expires_after_days,
        meters,
    })
}

/// The meters whose usage credit pays for; nothing where it is for all, or where none is named rightly.
fn read_meters(options: &Options<'_>) -> Option<BTreeSet<Key>> {
    let node = options.get("meters")?;
    if matches!(node.value(), Value::List(items) if items.is_empty()) {
        let message = format!("`{}` names no meter, so this credit would pay for nothing", node.name());
        let hint = "leave it out, and the credit pays for all usage";
        node.report(Code::GrantForm, At::Value, message, Some(hint.to_owned()));
    }
    let mut meters = BTreeSet::new();
    for item in node.list() {
        let Some(meter) = item.key() else { continue };
        if !meters.insert(meter.clone()) {
            let message = format!("`{}` names the meter {:?} twice", node.name(), meter.as_str());
            item.report(Code::GrantForm, At::Value, message, None);
        }
    }
    Some(meters).filter(|meters| !meters.is_empty())
}

fn read_basis_points(node: &Node<'_>) -> Option<u32> {
    let points = node.integer(0, "a number of basis points")?;
    if points > BASIS_POINTS_MAX {
        let message = format!("{points} basis points are more than {BASIS_POINTS_MAX}, the whole amount");
        node.report(Code::NumberRange, At::Value, message, None);
        return None;
    }
    u32::try_from(points).ok()
}
