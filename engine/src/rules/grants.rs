//! What a plan gives: credit, capabilities, packs of credit, and what the platform knows by name.

use super::finding::At;
use super::reader::{Node, Options};
use super::suggest;
use crate::diagnostic::Code;
use crate::manifest::ir::{Display, Grant, GrantKind};
use crate::money::units::Units;
use crate::registry::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Largest factor of a display multiplier.
const FACTOR_MAX: u32 = 1_000_000_000;
/// Finest step of a display factor, in billionths: a preview shows two decimals, and what is left and what is consumed
/// must add up to the factor.
const FACTOR_STEP: u128 = 10_000_000;
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
        if let Grant::TopUp { sku, .. } = &grant
            && !skus.insert(sku.clone())
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
    let display = options.get("display").and_then(|display| read_display(&display));
    Some(Grant::Credit { kind, amount_cents: amount_cents?, recurs, label, expires_after_days, display })
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
