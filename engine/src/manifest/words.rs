//! Amounts and quantities as people write them: `$1,900.00`, `100,000`, `+53 %`. Exact: nothing is rounded but a percentage.

use crate::manifest::ir::{
    Aggregation, Billed, ClosedSet, Enforcement, Included, Intro, Manifest, MeterPrice, PerUnits, Plan, RateLimit,
    Rates, Rounding, Tier,
};
use crate::money::amount::{Cents, Micros, Nanos};
use crate::money::bill::SignedCents;
use crate::money::units::Units;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Cents in a dollar.
const CENTS_PER_DOLLAR: u64 = 100;
/// Micro-dollars in a dollar.
const MICROS_PER_DOLLAR: u64 = 1_000_000;
/// Nanodollars in a dollar.
const NANOS_PER_DOLLAR: u128 = 1_000_000_000;
/// Most tiers of one price that are shown.
const TIERS_SHOWN_MAX: usize = 4;

/// Cents as money: `$19.00`.
pub fn cents(amount: u64) -> String {
    format!("${}.{:02}", grouped(amount / CENTS_PER_DOLLAR), amount % CENTS_PER_DOLLAR)
}

/// Micro-dollars as money, to the last digit and at least to the cent: `$0.15`, `$0.000007`.
pub fn micros(amount: u64) -> String {
    let fraction = format!("{:06}", amount % MICROS_PER_DOLLAR);
    let fine = fraction.trim_end_matches('0');
    format!("${}.{fine:0<2}", grouped(amount / MICROS_PER_DOLLAR))
}

/// Nanodollars as money, of either sign, to the last digit and at least to the cent: `$1.50`, `-$0.000000001`.
pub fn nanos(amount: Nanos) -> String {
    dollars(amount.get(), NANOS_PER_DOLLAR, 9)
}

/// Cents of either sign as money: `-$19.00`.
pub fn signed_cents(amount: SignedCents) -> String {
    dollars(amount.0, u128::from(CENTS_PER_DOLLAR), 2)
}

/// Parts of a dollar as money; `digits` are those that one part is behind the point.
fn dollars(amount: i128, parts: u128, digits: usize) -> String {
    let (sign, size) = (if amount < 0 { "-" } else { "" }, amount.unsigned_abs());
    let whole = size.checked_div(parts).unwrap_or(size).to_string();
    let fraction = format!("{:0digits$}", size.checked_rem(parts).unwrap_or(0));
    let fine = fraction.trim_end_matches('0');
    format!("{sign}${}.{fine:0<2}", apart(&whole))
}

/// A whole number with its thousands apart: `1,000,000`.
pub fn grouped(number: u64) -> String {
    apart(&number.to_string())
}

/// A quantity with its thousands apart.
pub fn units(quantity: Units) -> String {
    let text = quantity.to_string();
    match text.split_once('.') {
        Some((whole, fraction)) => format!("{}.{fraction}", apart(whole)),
        None => apart(&text),
    }
}

fn apart(digits: &str) -> String {
    let mut shown = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// How far a quantity rises or falls: `+53 %`. Nothing where it began at 0, or where either is no quantity.
pub fn percent(before: &Json, after: &Json) -> Option<String> {
    let steps = |value: &Json| -> Option<i128> {
        let units = match value.as_u64() {
            Some(whole) => Units::from_whole(whole),
            None => serde_json::from_value(value.clone()).ok()?,
        };
        i128::try_from(units.steps()).ok()
    };
    let (before, after) = (steps(before)?, steps(after)?);
    let change = after.checked_sub(before)?.checked_mul(100)?;
    let (size, half) = (change.checked_abs()?.checked_mul(2)?, before.checked_mul(2)?);
    let rounded = size.checked_add(before)?.checked_div(half)?;
    let sign = if change < 0 { '−' } else { '+' };
    let whole = u64::try_from(rounded).ok()?;
    Some(if whole == 0 && change != 0 { format!("{sign}<1 %") } else { format!("{sign}{} %", grouped(whole)) })
}

/// What a plan costs: `$19.00/month`, or `free`.
pub fn fee(plan: &Plan) -> String {
    match plan.recurring_fee_cents.get() {
        0 => "free".to_owned(),
        amount => {
            let months = if plan.usage_interval.is_some() { ", usage each month" } else { "" };
            let advance = if plan.billed == Billed::Advance { ", in advance" } else { "" };
            let intro = plan.intro.map(|Intro { amount_cents, periods }| {
                let first = if periods.get() == 1 { "first".to_owned() } else { format!("first {periods}") };
                format!(", the {first} for {}", cents(amount_cents.get()))
            });
            let intro = intro.unwrap_or_default();
            format!("{}/{}{advance}{months}{intro}", cents(amount), plan.interval.as_str())
        }
    }
}

/// A rate limit: `60 requests/minute`.
pub fn limit(limit: &RateLimit) -> String {
    let rate = units(limit.rate);
    let counted = if limit.enforcement == Enforcement::Track { " (only counted)" } else { "" };
    format!("{rate} {}/{}{counted}", limit.dimension, limit.interval.as_str())
}

/// What a meter's price is: `$0.15 per 1,000,000 ms, 100,000 included`.
pub fn price(price: &MeterPrice, manifest: Option<&Manifest>) -> String {
    let unit = unit_of(price, manifest);
    let shape = match price {
        MeterPrice::Linear { micros: amount, per, round, .. } => each(amount.get(), *per, *round, &unit),
        MeterPrice::Rates { per, round, rates, .. } => rates_in_words(rates, *per, *round, &unit),
        MeterPrice::Graduated { tiers, .. } => format!("each unit by its tier: {}", tiers_in_words(tiers, &unit)),
        MeterPrice::Volume { tiers, .. } => {
            format!("all units by the last tier reached: {}", tiers_in_words(tiers, &unit))
        }
    };
    let included = match price.included() {
        Included::Units(free) if *free == Units::ZERO => String::new(),
        Included::Units(free) => format!(", {} included", units(*free)),
        Included::Each(each) => format!(", {} included for each of {}", units(each.units), each.per),
    };
    let (least, most) = price.bounds();
    let bound = |what: &str, bound: Option<Cents>| {
        bound.map(|bound| format!(", {what} {}", cents(bound.get()))).unwrap_or_default()
    };
    format!("{shape}{included}{}{}", bound("at least", least), bound("at most", most))
}

/// Micro-dollars for so many units, or for each of so many that is started.
fn each(amount: u64, per: PerUnits, round: Option<Rounding>, unit: &Unit) -> String {
    match round {
        None => per_units(amount, per, unit),
        Some(Rounding::Up) => per_units(amount, per, unit).replacen(" per ", " per started ", 1),
    }
}

/// The lowest and the highest rate, and of how many there are.
fn rates_in_words(rates: &BTreeMap<String, Rates>, per: PerUnits, round: Option<Rounding>, unit: &Unit) -> String {
    let cells = Rates::cells_of(rates);
    let amounts = || cells.iter().map(|(_, micros)| micros.get());
    let (least, most) = (amounts().min().unwrap_or(0), amounts().max().unwrap_or(0));
    if least == most {
        let rates =
            if cells.len() == 1 { "1 rate".to_owned() } else { format!("{} rates", grouped(cells.len() as u64)) };
        return format!("{rates} of {}", each(most, per, round, unit));
    }
    format!("{} rates from {} to {}", grouped(cells.len() as u64), micros(least), each(most, per, round, unit))
}

fn tiers_in_words(tiers: &[Tier], unit: &Unit) -> String {
    let tier = |tier: &Tier| {
        let by_unit = each(tier.micros.get(), tier.per, tier.round, unit);
        let cost = match tier.flat_micros.map(|flat| micros(flat.get())) {
            Some(flat) if tier.micros == Micros::ZERO => flat,
            Some(flat) => format!("{flat} and {by_unit}"),
            None => by_unit,
        };
        match tier.up_to {
            Some(last) => format!("{cost} to {}", grouped(last)),
            None => format!("{cost} beyond"),
        }
    };
    let mut shown: Vec<String> = tiers.iter().take(TIERS_SHOWN_MAX).map(tier).collect();
    if let Some(more) = tiers.len().checked_sub(TIERS_SHOWN_MAX).filter(|more| *more > 0) {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

/// What one of a meter is called, and several.
pub struct Unit(String, String);

/// The unit of a price's meter, as its author names it. Without the manifest it is just a unit.
pub fn unit_of(price: &MeterPrice, manifest: Option<&Manifest>) -> Unit {
    let meter = manifest.and_then(|manifest| manifest.meters.iter().find(|meter| meter.key == *price.meter()));
    let (one, many) = match meter.map(|meter| (meter.unit.as_deref(), meter.aggregation)) {
        Some((Some(unit), _)) => (unit, unit),
        Some((None, Aggregation::Count)) => ("report", "reports"),
        Some((None, Aggregation::Unique)) => ("key", "keys"),
        _ => ("unit", "units"),
    };
    Unit(one.to_owned(), many.to_owned())
}

/// Micro-dollars for so many units: `$0.15 per 1,000,000 ms`.
pub fn per_units(amount: u64, per: PerUnits, unit: &Unit) -> String {
    let Unit(one, many) = unit;
    match per.get() {
        1 => format!("{} per {one}", micros(amount)),
        per => format!("{} per {} {many}", micros(amount), grouped(per)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_shown_to_the_last_digit() {
        assert_eq!([0, 5, 190, 1_900, 123_456_789].map(cents), ["$0.00", "$0.05", "$1.90", "$19.00", "$1,234,567.89"]);
        assert_eq!([0, 7, 150_000, 1_000_001].map(micros), ["$0.00", "$0.000007", "$0.15", "$1.000001"]);
        assert_eq!(cents(9_007_199_254_740_991), "$90,071,992,547,409.91");
    }

    #[test]
    fn amounts_of_either_sign_and_any_length_are_exact() {
        let shown =
            [0, 1, -1, 10_000_000, -1_500_000_000, i128::MAX, i128::MIN].map(|amount| nanos(Nanos::new(amount)));
        assert_eq!(
            shown,
            [
                "$0.00",
                "$0.000000001",
                "-$0.000000001",
                "$0.01",
                "-$1.50",
                "$170,141,183,460,469,231,731,687,303,715.884105727",
                "-$170,141,183,460,469,231,731,687,303,715.884105728"
            ]
        );
        assert_eq!(
            [0, 5, -1_900, 123_456_789].map(|cents| signed_cents(SignedCents(cents))),
            ["$0.00", "$0.05", "-$19.00", "$1,234,567.89"]
        );
    }

    #[test]
    fn quantities_have_their_thousands_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(units("1234.5".parse().unwrap()), "1,234.5");
    }

    #[test]
    fn a_percentage_is_rounded_and_never_nothing() {
        let told = |before: Json, after: Json| percent(&before, &after).unwrap_or_default();
        assert_eq!(told(1_900.into(), 2_900.into()), "+53 %");
        assert_eq!(told(600.into(), 300.into()), "−50 %");
        assert_eq!(told(100_000.into(), 100_001.into()), "+<1 %");
        assert_eq!(told(19.into(), 1_900.into()), "+9,900 %");
        assert_eq!(told("0.5".into(), 1.into()), "+100 %");
        assert_eq!(told(5.into(), 0.into()), "−100 %");
        assert_eq!(told(0.into(), 5.into()), "");
        assert_eq!(told("month".into(), "year".into()), "");
        assert_eq!(told(1.into(), 9_007_199_254_740_991_u64.into()), "+900,719,925,474,099,000 %");
    }
}
