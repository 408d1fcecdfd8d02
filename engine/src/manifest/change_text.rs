//! Changes between two manifests, for people: in the words of the author's own file, or with `-v` in the names of the IR.

use crate::manifest::Manifest;
use crate::manifest::diff::{Change, ChangeKind};
use crate::manifest::ir::{ClosedSet, MeterPrice, Plan, RateLimit};
use crate::manifest::words;
use crate::money::units::Units;
use crate::text::visible;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// Longest value that is shown, in characters.
const SHOWN_MAX_CHARS: usize = 60;

/// How changes are told.
#[derive(Clone, Copy)]
pub enum Wording<'m> {
    /// Fields and values as the IR has them.
    Ir,
    /// As the author writes them. The manifests tell what a price is for; without them that is left out.
    Author {
        /// What was before.
        before: Option<&'m Manifest>,
        /// What is after.
        after: Option<&'m Manifest>,
    },
}

/// The changes, by resource.
pub fn human(changes: &[Change], wording: Wording<'_>) -> String {
    if changes.is_empty() {
        return "nothing changed".to_owned();
    }
    let mut lines = Vec::new();
    let (mut resource, mut key) = ("", "");
    for change in changes {
        if change.resource != resource {
            (resource, key) = (&change.resource, "");
            lines.push(resource.to_owned());
        }
        if change.field.is_empty() {
            lines.push(format!("  {} {}{}{}", sign(change.kind), name(change), whole(change, wording), marks(change)));
            key = &change.key;
            continue;
        }
        if change.key != key || key.is_empty() && lines.last().is_some_and(|line| line == resource) {
            key = &change.key;
            lines.push(format!("  ~ {}", name(change)));
        }
        let told = match wording {
            Wording::Ir => format!("{}{}", visible(&change.field), values(change)),
            Wording::Author { before, after } => visible(&Telling { change, before, after }.field()),
        };
        lines.push(format!("      {} {told}{}", sign(change.kind), marks(change)));
    }
    lines.join("\n")
}

fn name(change: &Change) -> String {
    if change.key.is_empty() { format!("({})", change.resource) } else { visible(&change.key) }
}

fn sign(kind: ChangeKind) -> char {
    match kind {
        ChangeKind::Added => '+',
        ChangeKind::Removed => '-',
        ChangeKind::Changed => '~',
        ChangeKind::Moved => '↕',
    }
}

fn values(change: &Change) -> String {
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!(": {} → {}", short(before), short(after)),
        (Some(only), None) | (None, Some(only)) => format!(": {}", short(only)),
        (None, None) => String::new(),
    }
}

fn short(value: &Json) -> String {
    cut(visible(&value.to_string()))
}

fn cut(text: String) -> String {
    match text.char_indices().nth(SHOWN_MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn marks(change: &Change) -> &'static str {
    match (change.economic, change.breaking) {
        (true, true) => "  [economic, breaking]",
        (true, false) => "  [economic]",
        (false, true) => "  [breaking]",
        (false, false) => "",
    }
}

/// What a whole element is, where that says more than its name: what a plan costs, from where to where a route moved.
fn whole(change: &Change, wording: Wording<'_>) -> String {
    if matches!(wording, Wording::Ir) {
        return String::new();
    }
    if change.kind == ChangeKind::Moved {
        return format!(", {}", places(change));
    }
    let value = change.after.as_ref().or(change.before.as_ref());
    let plan = value.filter(|_| change.resource == "plans").and_then(|value| Plan::deserialize(value).ok());
    plan.map(|plan| format!(": {}", words::fee(&plan))).unwrap_or_default()
}

/// From which place to which something moved; people count from 1.
fn places(change: &Change) -> String {
    let place = |value: &Option<Json>| value.as_ref().and_then(Json::as_u64).map_or(0, |index| index.saturating_add(1));
    format!("from place {} to place {}", place(&change.before), place(&change.after))
}

/// One step of a field's path: its name, and which element of it.
type Step<'c> = (&'c str, Option<&'c str>);

/// One change of a field, told in the author's words.
struct Telling<'c> {
    change: &'c Change,
    before: Option<&'c Manifest>,
    after: Option<&'c Manifest>,
}

impl<'c> Telling<'c> {
    fn field(&self) -> String {
        let steps = steps(&self.change.field);
        let named = match (self.change.resource.as_ref(), steps.as_slice()) {
            _ if self.change.kind == ChangeKind::Moved => {
                return format!("{}, {}", written(&self.change.resource, &steps), places(self.change));
            }
            ("plans", [("recurringFeeCents", None)]) => self.fee(),
            ("plans" | "entitlements", [("limits", Some(dimension))]) => {
                self.whole(&format!("limits.{dimension}"), |limit: &RateLimit, _| words::limit(limit))
            }
            ("plans", [("meters", Some(meter))]) => self.whole(&format!("meter.{meter}"), words::price),
            ("plans", [("meters", Some(meter)), ("micros", None)]) => self.price(meter),
            ("routes", [("metered", None)]) => self.unmetered(),
            _ => None,
        };
        named.unwrap_or_else(|| {
            self.plain(&written(&self.change.resource, &steps), steps.last().map_or("", |(name, _)| name))
        })
    }

    fn plan(manifest: Option<&'c Manifest>, key: &str) -> Option<&'c Plan> {
        manifest?.plans.iter().find(|plan| plan.key.as_str() == key)
    }

    /// `price $19.00 → $29.00/month (+53 %)`.
    fn fee(&self) -> Option<String> {
        let told = |value: &Option<Json>| match value.as_ref()?.as_u64()? {
            0 => Some("free".to_owned()),
            amount => Some(words::cents(amount)),
        };
        let (before, after) = (told(&self.change.before)?, told(&self.change.after)?);
        let plan = Self::plan(self.after, &self.change.key).filter(|plan| plan.recurring_fee_cents.get() > 0);
        let interval = plan.map(|plan| format!("/{}", plan.interval.as_str())).unwrap_or_default();
        Some(format!("price {before} → {after}{interval}{}", self.share()))
    }

    /// `meter.tokens $0.10 → $0.15 per 1,000 (+50 %)`: where the number of units is another too, both are told in full, without a
    /// share that would compare different things.
    fn price(&self, meter: &str) -> Option<String> {
        let amount = |value: &Option<Json>| value.as_ref()?.as_u64();
        let (before, after) = (amount(&self.change.before)?, amount(&self.change.after)?);
        let per = |manifest: Option<&'c Manifest>| {
            let prices = &Self::plan(manifest, &self.change.key)?.meters;
            let price = prices.iter().find(|price| price.meter().as_str() == meter)?;
            let MeterPrice::Linear { per, .. } = price else { return None };
            Some((*per, words::unit_of(price, manifest)))
        };
        Some(match (per(self.before), per(self.after)) {
            (Some((old, old_unit)), Some((new, new_unit))) if old != new => format!(
                "meter.{meter} {} → {}",
                words::per_units(before, old, &old_unit),
                words::per_units(after, new, &new_unit)
            ),
            (_, Some((new, unit))) => {
                format!(
                    "meter.{meter} {} → {}{}",
                    words::micros(before),
                    words::per_units(after, new, &unit),
                    self.share()
                )
            }
            _ => format!("meter.{meter} {} → {}{}", words::micros(before), words::micros(after), self.share()),
        })
    }

    /// An element that came or went as a whole.
    fn whole<T: DeserializeOwned>(&self, name: &str, tell: impl Fn(&T, Option<&Manifest>) -> String) -> Option<String> {
        let (value, manifest) = match (&self.change.before, &self.change.after) {
            (None, Some(after)) => (after, self.after),
            (Some(before), None) => (before, self.before),
            _ => return None,
        };
        Some(format!("{name} {}", tell(&T::deserialize(value).ok()?, manifest)))
    }

    fn unmetered(&self) -> Option<String> {
        let told = |value: &Option<Json>| value.as_ref()?.as_bool().map(|metered| !metered);
        Some(format!("unmetered {} → {}", told(&self.change.before)?, told(&self.change.after)?))
    }

    /// Name and values as they are, money as money.
    fn plain(&self, name: &str, last: &str) -> String {
        let told = |value: &Json| match value.as_u64() {
            Some(amount) if last.ends_with("Cents") => words::cents(amount),
            Some(amount) if last == "micros" => words::micros(amount),
            Some(number) => words::grouped(number),
            None => Units::deserialize(value).map_or_else(|_| cut(value.to_string()), words::units),
        };
        match (&self.change.before, &self.change.after) {
            (Some(before), Some(after)) => format!("{name} {} → {}{}", told(before), told(after), self.share()),
            // The name of what is in a list of names says it all.
            (Some(Json::String(only)), None) | (None, Some(Json::String(only))) if name.ends_with(only.as_str()) => {
                name.to_owned()
            }
            (Some(only), None) | (None, Some(only)) => format!("{name} {}", told(only)),
            (None, None) => name.to_owned(),
        }
    }

    /// ` (+53 %)`, where there is such a thing.
    fn share(&self) -> String {
        let pair = self.change.before.as_ref().zip(self.change.after.as_ref());
        pair.and_then(|(before, after)| words::percent(before, after))
            .map(|share| format!(" ({share})"))
            .unwrap_or_default()
    }
}

/// The steps of a field such as `limits[requests].rate`.
fn steps(field: &str) -> Vec<Step<'_>> {
    let mut found = Vec::new();
    let mut rest = field;
    while !rest.is_empty() {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let (element, behind) = match behind.strip_prefix('[') {
            // A label may hold any character; it ends where a name could follow.
            Some(inside) => {
                let end = inside.match_indices(']').map(|(at, _)| at).find(|at| {
                    let next = inside.get(at.saturating_add(1)..).unwrap_or_default();
                    next.is_empty() || next.starts_with(['.', '['])
                });
                let (label, behind) = inside.split_at(end.unwrap_or(inside.len()));
                (Some(label), behind.strip_prefix(']').unwrap_or_default())
            }
            None => (None, behind),
        };
        found.push((name, element));
        rest = behind.strip_prefix('.').unwrap_or(behind);
    }
    found
}

/// The option that an author writes for a field of the IR.
fn written(resource: &str, steps: &[Step<'_>]) -> String {
    let mut name = String::new();
    for (at, (step, element)) in steps.iter().enumerate() {
        let option = match (resource, at, *step) {
            ("plans", 0, "currency") => "price.currency",
            ("plans", 0, "interval") => "price.interval",
            ("plans", 0, "billed") => "price.billed",
            ("plans", 0, "usageInterval") => "price.usageInterval",
            ("plans", 0, "intro") => "price.intro",
            ("plans", 1, "amountCents") if steps.first().is_some_and(|(step, _)| *step == "intro") => "amount",
            ("plans", 0, "capabilityLimits") => "caps",
            ("plans", 0, "meters") => "meter",
            ("routes", 0, "costs") => "cost",
            ("routes", 0, "statusCodes") => "onStatusCodes",
            _ => step,
        };
        if at > 0 {
            name.push('.');
        }
        name.push_str(option);
        match element {
            // What an author writes as a map, by key.
            Some(key) if at == 0 && matches!(*step, "limits" | "meters" | "reports" | "plans" | "capabilities") => {
                name.push('.');
                name.push_str(key);
            }
            Some(label) => name.push_str(&format!("[{label}]")),
            None => {}
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_step_by_step_whatever_its_labels_hold() {
        assert_eq!(steps("trialDays"), [("trialDays", None)]);
        assert_eq!(steps("limits[requests].rate"), [("limits", Some("requests")), ("rate", None)]);
        assert_eq!(steps("grants[a]b#2].priceCents"), [("grants", Some("a]b#2")), ("priceCents", None)]);
        assert_eq!(steps("meters[m].tiers[0].micros"), [("meters", Some("m")), ("tiers", Some("0")), ("micros", None)]);
        assert_eq!(steps("grants[cut off…"), [("grants", Some("cut off…"))]);
    }

    #[test]
    fn a_field_is_named_as_its_author_writes_it() {
        let told = |resource: &str, field: &str| written(resource, &steps(field));
        assert_eq!(told("plans", "limits[requests].rate"), "limits.requests.rate");
        assert_eq!(told("plans", "meters[tokens].includedUnits"), "meter.tokens.includedUnits");
        assert_eq!(told("plans", "capabilityLimits.projects"), "caps.projects");
        assert_eq!(told("routes", "costs.tokens"), "cost.tokens");
        assert_eq!(told("features", "actions[make].title"), "actions[make].title");
        assert_eq!(told("workflows", "meters[tokens]"), "meters.tokens");
    }
}
