//! What `svc check` understood, in a few lines: so that 19 cents where 19 dollars were meant is seen before anybody pays it.

use crate::output::{plural, visible};
use std::collections::BTreeSet;
use svc_engine::manifest::Manifest;
use svc_engine::manifest::ir::{ArchiveAt, ClosedSet, Disclosure, Grant, Key, OverageBehavior, Plan};
use svc_engine::manifest::words;

/// Most plans that are shown.
const PLANS_SHOWN_MAX: usize = 20;
/// Most lines below one plan.
const LINES_SHOWN_MAX: usize = 12;
/// Most keys that one line names.
const KEYS_SHOWN_MAX: usize = 10;

/// How much the product has of what.
pub(crate) fn counts(manifest: &Manifest) -> String {
    let counts = [
        plural(manifest.plans.len(), "plan"),
        plural(manifest.meters.len(), "meter"),
        plural(manifest.routes.len(), "route"),
    ];
    counts.join(", ")
}

/// The product in plain words: its plans with what they cost and allow, and the meters that no plan prices.
pub(crate) fn summary(manifest: &Manifest) -> String {
    let mut lines = vec![format!("{}: {}", manifest.product.name, counts(manifest))];
    for plan in manifest.plans.iter().take(PLANS_SHOWN_MAX) {
        lines.push(format!("  {}: {}", plan.key, head(plan)));
        lines.extend(at_most(below(plan, manifest), LINES_SHOWN_MAX).into_iter().map(|line| format!("    {line}")));
    }
    if let Some(more) = manifest.plans.len().checked_sub(PLANS_SHOWN_MAX).filter(|more| *more > 0) {
        lines.push(format!("  … and {}", plural(more, "plan")));
    }
    let priced: BTreeSet<&Key> =
        manifest.plans.iter().flat_map(|plan| &plan.meters).map(|price| price.meter()).collect();
    let unpriced: Vec<&Key> =
        manifest.meters.iter().map(|meter| &meter.key).filter(|key| !priced.contains(key)).collect();
    if !unpriced.is_empty() {
        lines.push(format!("  no plan prices {}", keys(&unpriced)));
    }
    visible(&lines.join("\n"))
}

/// The fee and the limits, in one line.
fn head(plan: &Plan) -> String {
    let mut parts = vec![words::fee(plan)];
    if plan.trial_days > 0 {
        parts.push(format!("{} of trial", plural(usize::try_from(plan.trial_days).unwrap_or(usize::MAX), "day")));
    }
    parts.extend(plan.limits.iter().take(KEYS_SHOWN_MAX).map(words::limit));
    let caps = plan.capability_limits.iter().take(KEYS_SHOWN_MAX);
    parts.extend(caps.map(|(resource, most)| format!("at most {} {resource}", words::grouped(*most))));
    let closed = [
        (plan.legacy, "legacy"),
        (matches!(&plan.archive, Some(archive) if archive.at == ArchiveAt::Publish), "archived"),
        (!plan.self_serve_enabled, "no self-service"),
        (plan.spend_policy.disclosure == Disclosure::Opaque, "opaque"),
    ];
    parts.extend(closed.iter().filter(|(is_so, _)| *is_so).map(|(_, word)| (*word).to_owned()));
    parts.join("; ")
}

/// Prices, bounds and grants, a line each.
fn below(plan: &Plan, manifest: &Manifest) -> Vec<String> {
    let prices = plan.meters.iter().map(|price| format!("{}: {}", price.meter(), words::price(price, Some(manifest))));
    let mut lines: Vec<String> = prices.collect();
    if let Some(least) = plan.min_monthly_spend_cents.filter(|least| least.get() > 0) {
        lines.push(format!("at least {} a month", words::cents(least.get())));
    }
    match (plan.max_monthly_spend_cents, plan.overage_behavior) {
        (Some(most), OverageBehavior::Block) => {
            lines.push(format!("at most {} a month; usage above it is denied", words::cents(most.get())));
        }
        (Some(most), OverageBehavior::AllowAndBill) => {
            lines.push(format!("at most {} a month; usage above it is not billed", words::cents(most.get())));
        }
        (None, OverageBehavior::Block) => lines.push("usage that no credit pays for is denied".to_owned()),
        (None, OverageBehavior::AllowAndBill) => {}
    }
    lines.extend(plan.grants.iter().filter_map(grant));
    lines
}

fn grant(grant: &Grant) -> Option<String> {
    let scope = grant.meters().map(|meters| format!(", for {} alone", keys(&meters.iter().collect::<Vec<_>>())));
    credit(grant).map(|line| line + &scope.unwrap_or_default())
}

fn credit(grant: &Grant) -> Option<String> {
    match grant {
        Grant::Credit { kind, amount_cents, recurs, expires_after_days, rollover_periods, .. } => {
            let often = if *recurs { "each period" } else { "once" };
            let kept = rollover_periods.map(|periods| format!(", kept {periods} more")).unwrap_or_default();
            let amount = words::cents(amount_cents.get());
            Some(format!("{} credit: {amount} {often}{kept}{}", kind.as_str(), lives(*expires_after_days)))
        }
        Grant::TopUp { sku, price_cents, credit_cents, expires_after_days, .. } => {
            let (price, credit) = (words::cents(price_cents.get()), words::cents(credit_cents.get()));
            Some(format!("pack {sku}: {credit} of credit for {price}{}", lives(*expires_after_days)))
        }
        Grant::OpenTopUp { sku, min_cents, max_cents, fee_basis_points, expires_after_days, .. } => {
            let (least, most) = (words::cents(min_cents.get()), words::cents(max_cents.get()));
            let fee = (*fee_basis_points > 0).then(|| {
                let (whole, rest) = (fee_basis_points / 100, fee_basis_points % 100);
                format!(", {whole}.{rest:02} % on top")
            });
            let (fee, lives) = (fee.unwrap_or_default(), lives(*expires_after_days));
            Some(format!("pack {sku}: {least} to {most} of credit{fee}{lives}"))
        }
        // What it opens and caps; no money.
        Grant::Capability { .. } | Grant::Named { .. } => None,
    }
}

fn lives(days: Option<u32>) -> String {
    days.map(|days| format!(", for {} days", words::grouped(u64::from(days)))).unwrap_or_default()
}

fn at_most(mut lines: Vec<String>, most: usize) -> Vec<String> {
    if let Some(more) = lines.len().checked_sub(most).filter(|more| *more > 0) {
        lines.truncate(most);
        lines.push(format!("… and {more} more"));
    }
    lines
}

fn keys(all: &[&Key]) -> String {
    let shown = all.iter().take(KEYS_SHOWN_MAX).map(|key| key.as_str());
    let mut shown: Vec<&str> = shown.collect();
    if all.len() > shown.len() {
        shown.push("others");
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}
