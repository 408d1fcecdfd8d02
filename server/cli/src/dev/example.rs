//! The example bills of `svc dev`: for each plan a period with what it includes of each priced meter, and a little more. The service's own use
//! cases work them out.

use crate::output::CommandError;
use crate::repl::money::{Money, cents};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use svc_engine::manifest::Manifest;
use svc_engine::manifest::ir::{Aggregation, MeterPrice, Plan, Rates, Tier};
use svc_engine::manifest::words;

/// Most plans that a bill is shown of.
const PLANS_SHOWN_MAX: usize = 20;
/// Prices past what is included: `per` units each, or reports of a meter that counts them.
const STEPS: u64 = 10;

/// One line for each plan.
pub(super) async fn bills(manifest: &Manifest) -> Result<String, CommandError> {
    let mut money = Money::new().await?;
    let mut lines = Vec::new();
    for plan in manifest.plans.iter().take(PLANS_SHOWN_MAX) {
        lines.push(match bill(&mut money, manifest, plan).await {
            Ok(line) => line,
            Err(failure) => format!("  {}: {}", plan.key.as_str(), failure.message),
        });
    }
    Ok(lines.join("\n"))
}

async fn bill(money: &mut Money, manifest: &Manifest, plan: &Plan) -> Result<String, CommandError> {
    let (mut usage, mut told) = (Vec::new(), Vec::new());
    for price in &plan.meters {
        let aggregation =
            manifest.meters.iter().find(|meter| meter.key == *price.meter()).map(|meter| meter.aggregation);
        let (mut items, shown) = used(price, aggregation.unwrap_or(Aggregation::Sum));
        if let MeterPrice::Rates { rates, .. } = price {
            // Of a meter that counts by attributes, the first cell that has a rate.
            let by = manifest.meters.iter().find(|meter| meter.key == *price.meter()).map(|meter| &meter.by);
            let values = Rates::cells_of(rates).into_iter().next().map(|(values, _)| values).unwrap_or_default();
            let by: BTreeMap<_, _> = by.into_iter().flatten().zip(values).collect();
            items.iter_mut().for_each(|item| item["by"] = json!(by));
        }
        usage.extend(items);
        told.push(format!("{shown} {}", price.meter().as_str()));
    }
    let open = money.trial(manifest, plan.key.as_str(), usage).await?;
    let total = open.first().map_or_else(|| "nothing".to_owned(), |invoice| cents(invoice.invoice.total_cents));
    let usage = if told.is_empty() { String::new() } else { format!(" with {}", told.join(", ")) };
    Ok(format!("  {}: {total}{usage}", plan.key.as_str()))
}

/// The items of one meter, and how much they are.
fn used(price: &MeterPrice, aggregation: Aggregation) -> (Vec<Json>, String) {
    let meter = price.meter().as_str();
    match aggregation {
        Aggregation::Count | Aggregation::Unique => {
            let item = |number: u64| match aggregation {
                Aggregation::Unique => json!({ "meter": meter, "units": 1, "uniqueKey": format!("key-{number}") }),
                _ => json!({ "meter": meter, "units": 1 }),
            };
            ((0..STEPS).map(item).collect(), STEPS.to_string())
        }
        Aggregation::Sum | Aggregation::Max | Aggregation::Last | Aggregation::TimeWeighted => {
            let units = units(price);
            (vec![json!({ "meter": meter, "units": units })], words::grouped(units))
        }
    }
}

/// What is included, and [`STEPS`] prices more.
fn units(price: &MeterPrice) -> u64 {
    let whole = |text: String| text.split('.').next().and_then(|whole| whole.parse::<u64>().ok()).unwrap_or(0);
    let included = whole(price.included().fixed().unwrap_or_default().to_string());
    let more = match price {
        MeterPrice::Linear { per, .. } | MeterPrice::Rates { per, .. } => per.get().saturating_mul(STEPS),
        MeterPrice::Graduated { tiers, .. } | MeterPrice::Volume { tiers, .. } => {
            let ends = tiers.iter().filter_map(|tier: &Tier| tier.up_to).map(|end| whole(end.to_string()));
            ends.max().unwrap_or(0).saturating_add(STEPS)
        }
    };
    included.saturating_add(more)
}
