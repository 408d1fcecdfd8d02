//! What a change means for those who rely on a release: whether it touches money, and whether it takes something away. One
//! table, [`EFFECTS`]; `docs/diff.md` shows the same.

use super::change::ChangeKind;
use rust_decimal::Decimal;
use serde_json::Value as Json;

/// When a change to a field is breaking: someone who relied on the old value gets less, pays more, or has to change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// Whatever becomes of it.
    Always,
    /// When it rises, or is there now.
    Rises,
    /// When it rises, or is gone.
    RisesOrGoes,
    /// When it falls, or is there now.
    Falls,
    /// When it falls, or is gone.
    FallsOrGoes,
    /// When it is there now.
    Comes,
    /// When it is gone.
    Goes,
    /// When it becomes this value.
    Becomes(&'static str),
    /// When it is `false` now, or was `true` and is gone.
    Closes,
}

/// What changes to one field mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The collection.
    pub resource: &'static str,
    /// The field inside an element; empty for the element itself. `[]` is any element of a list, `*` any key of a map, `**` anything
    /// below.
    pub field: &'static str,
    /// Whether it changes what someone pays or what they get for it.
    pub economic: bool,
    /// When it is breaking.
    pub breaks: Breaks,
}

const fn effect(resource: &'static str, field: &'static str, economic: bool, breaks: Breaks) -> Effect {
    Effect { resource, field, economic, breaks }
}

/// What each change means. The first row that fits holds; a change that no row names is neither economic nor breaking.
pub const EFFECTS: &[Effect] = {
    use Breaks::{Always, Becomes, Closes, Comes, Falls, FallsOrGoes, Goes, Rises, RisesOrGoes};
    &[
        effect("product", "origin", false, Always),
        effect("product", "billOn4xx", true, Becomes("true")),
        effect("surfaces", "", false, Goes),
        effect("surfaces", "path", false, Always),
        effect("surfaces", "capability", false, Comes),
        effect("meters", "", true, Goes),
        effect("meters", "unit", false, Always),
        effect("meters", "aggregation", true, Always),
        effect("meters", "by", true, Always),
        effect("meters", "by[]", true, Always),
        effect("meters", "routeDefault", true, Rises),
        effect("meters", "window", false, Always),
        effect("meters", "enforcementType", false, Becomes("enforce")),
        effect("resources", "", false, Goes),
        effect("capabilities", "", false, Goes),
        effect("capabilities", "includesFeatures[]", false, Goes),
        effect("capabilities", "includesCapabilities[]", false, Goes),
        effect("capabilities", "includesPolicies[]", false, Comes),
        effect("features", "", false, Goes),
        effect("features", "plans[]", false, Goes),
        effect("features", "policies[]", false, Comes),
        effect("features", "actions[]", false, Goes),
        effect("features", "actions[].resource", false, Comes),
        effect("features", "actions[].resource.**", false, Always),
        effect("routes", "", true, Goes),
        effect("routes", "feature", false, Always),
        effect("routes", "costs.*", true, Rises),
        effect("routes", "reports[]", true, Comes),
        effect("routes", "estimates.*", false, Rises),
        effect("routes", "action", false, Always),
        effect("routes", "backend", false, Always),
        effect("routes", "statusCodes[]", true, Comes),
        effect("routes", "statusCodes[].**", true, Always),
        effect("routes", "metered", true, Becomes("true")),
        effect("plans", "", true, Goes),
        effect("plans", "recurringFeeCents", true, Rises),
        effect("plans", "currency", true, Always),
        effect("plans", "interval", true, Always),
        effect("plans", "billed", true, Always),
        effect("plans", "usageInterval", true, Always),
        effect("plans", "intro", true, Goes),
        effect("plans", "intro.amountCents", true, Rises),
        effect("plans", "intro.periods", true, Falls),
        effect("plans", "limits[]", false, Comes),
        effect("plans", "limits[].rate", false, Falls),
        effect("plans", "limits[].interval", false, Always),
        effect("plans", "limits[].enforcement", false, Becomes("enforce")),
        effect("plans", "capabilityLimits.*", false, Falls),
        effect("plans", "meters[]", true, Comes),
        effect("plans", "meters[].kind", true, Always),
        effect("plans", "meters[].micros", true, Rises),
        effect("plans", "meters[].per", true, Falls),
        effect("plans", "meters[].includedUnits", true, Falls),
        effect("plans", "meters[].includedUnits.per", true, Always),
        effect("plans", "meters[].includedUnits.units", true, Falls),
        effect("plans", "meters[].round", true, Comes),
        effect("plans", "meters[].minCents", true, Rises),
        effect("plans", "meters[].maxCents", true, Always),
        effect("plans", "meters[].rates.**", true, RisesOrGoes),
        effect("plans", "meters[].tiers[]", true, Always),
        effect("plans", "meters[].tiers[].upTo", true, Always),
        effect("plans", "meters[].tiers[].micros", true, Rises),
        effect("plans", "meters[].tiers[].per", true, Falls),
        effect("plans", "meters[].tiers[].flatMicros", true, Rises),
        effect("plans", "meters[].tiers[].round", true, Comes),
        effect("plans", "pools", true, Goes),
        effect("plans", "pools.*", true, Goes),
        effect("plans", "pools.*.units", true, Falls),
        effect("plans", "pools.*.meters.*", true, RisesOrGoes),
        effect("plans", "grants[]", true, Goes),
        effect("plans", "grants[].type", true, Always),
        effect("plans", "grants[].kind", true, Always),
        effect("plans", "grants[].amountCents", true, Falls),
        effect("plans", "grants[].recurs", true, Becomes("false")),
        effect("plans", "grants[].expiresAfterDays", true, Falls),
        effect("plans", "grants[].rolloverPeriods", true, FallsOrGoes),
        effect("plans", "grants[].meters", true, Comes),
        effect("plans", "grants[].meters[]", true, Goes),
        effect("plans", "grants[].limits.*", true, Falls),
        effect("plans", "grants[].priceCents", true, Rises),
        effect("plans", "grants[].creditCents", true, Falls),
        effect("plans", "grants[].minCents", true, Rises),
        effect("plans", "grants[].maxCents", true, Falls),
        effect("plans", "grants[].feeBasisPoints", true, Rises),
        effect("plans", "capabilities[]", false, Goes),
        effect("plans", "featureGates.*", false, Closes),
        effect("plans", "trialDays", true, Falls),
        effect("plans", "maxMonthlySpendCents", true, Always),
        effect("plans", "minMonthlySpendCents", true, Rises),
        effect("plans", "overageBehavior", true, Always),
        effect("plans", "selfServeEnabled", false, Becomes("false")),
        effect("plans", "legacy", false, Becomes("true")),
        effect("plans", "archive", false, Comes),
        effect("plans", "spendPolicy.disclosure", false, Becomes("opaque")),
        effect("entitlements", "", false, Goes),
        effect("entitlements", "capabilities[]", false, Goes),
        effect("entitlements", "featureGates.*", false, Closes),
        effect("entitlements", "limits[]", false, Comes),
        effect("entitlements", "limits[].rate", false, Falls),
        effect("entitlements", "limits[].interval", false, Always),
        effect("entitlements", "limits[].enforcement", false, Becomes("enforce")),
        effect("entitlements", "capabilityLimits.*", false, Falls),
        effect("entitlements", "meters[]", false, Goes),
        effect("workflows", "", false, Goes),
        effect("workflows", "capabilities[]", false, Comes),
        effect("workflows", "meters[]", true, Always),
        effect("backends", "", false, Goes),
        effect("backends", "originUrl", false, Always),
        effect("backends", "transport.mode", false, Always),
        effect("backends", "verification.required", false, Becomes("true")),
        effect("backends", "meters", false, Comes),
        effect("backends", "meters[]", false, Goes),
        effect("backends", "default", false, Always),
        effect("policies", "", false, Goes),
        effect("policies", "kind", false, Always),
        effect("policies", "config.**", false, Always),
    ]
};

/// A change as the table sees it.
pub(crate) struct Seen<'a> {
    pub(crate) resource: &'a str,
    /// The names down to the field, each with `[]` for every list that an element is taken from; empty for the whole.
    pub(crate) field: &'a [String],
    pub(crate) kind: ChangeKind,
    pub(crate) before: Option<&'a Json>,
    pub(crate) after: Option<&'a Json>,
}

impl Seen<'_> {
    /// Whether it is economic, and whether it is breaking.
    pub(crate) fn effect(&self) -> (bool, bool) {
        if self.kind == ChangeKind::Moved {
            return self.effect_of_a_move();
        }
        let row = EFFECTS.iter().find(|row| row.resource == self.resource && fits(row.field, self.field));
        row.map_or((false, false), |row| (row.economic, self.is_breaking(row.breaks)))
    }

    /// The first route that matches wins, so another order answers other requests. Credit that is granted first pays first.
    fn effect_of_a_move(&self) -> (bool, bool) {
        match (self.resource, self.field) {
            ("routes", []) => (true, true),
            ("plans", [list]) if list == "grants[]" => (true, false),
            _ => (false, false),
        }
    }

    fn is_breaking(&self, breaks: Breaks) -> bool {
        let comes = self.kind == ChangeKind::Added;
        let goes = self.kind == ChangeKind::Removed;
        let numbers = self.before.and_then(number).zip(self.after.and_then(number));
        match breaks {
            Breaks::Always => true,
            Breaks::Rises => comes || numbers.is_some_and(|(before, after)| after > before),
            Breaks::RisesOrGoes => goes || numbers.is_some_and(|(before, after)| after > before),
            Breaks::FallsOrGoes => goes || numbers.is_some_and(|(before, after)| after < before),
            Breaks::Falls => comes || numbers.is_some_and(|(before, after)| after < before),
            Breaks::Comes => comes,
            Breaks::Goes => goes,
            Breaks::Becomes(value) => self.after.is_some_and(|after| text(after) == value),
            Breaks::Closes if goes => self.before == Some(&Json::Bool(true)),
            Breaks::Closes => self.after == Some(&Json::Bool(false)),
        }
    }
}

/// Whether a field is one that a row names.
fn fits(row: &str, field: &[String]) -> bool {
    let (mut row, mut field) = (row.split('.').filter(|name| !name.is_empty()), field.iter());
    loop {
        match (row.next(), field.next()) {
            (None, None) | (Some("**"), Some(_)) => return true,
            (Some("*"), Some(_)) => {}
            (Some(wanted), Some(name)) if wanted == name => {}
            _ => return false,
        }
    }
}

/// A number or a decimal text, exactly.
fn number(value: &Json) -> Option<Decimal> {
    matches!(value, Json::Number(_) | Json::String(_)).then(|| Decimal::from_str_exact(&text(value)).ok()).flatten()
}

fn text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_fits_a_row_by_name_element_key_or_below() {
        for (row, field, wanted) in [
            ("", &[][..], true),
            ("limits[].rate", &["limits[]", "rate"], true),
            ("limits[]", &["limits[]", "rate"], false),
            ("limits[].rate", &["limits[]"], false),
            ("costs.*", &["costs", "tokens.in"], true),
            ("costs.*", &["costs"], false),
            ("config.**", &["config", "a", "b[]", "c"], true),
            ("config.**", &["config"], false),
        ] {
            let field: Vec<String> = field.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(fits(row, &field), wanted, "{row} {field:?}");
        }
    }

    #[test]
    fn quantities_are_compared_exactly() {
        let above = |before: Json, after: Json| number(&after).unwrap() > number(&before).unwrap();
        assert!(above(Json::from("999999999999999.999999998"), Json::from("999999999999999.999999999")));
        assert!(above(Json::from("0.5"), Json::from(1)));
        assert!(!above(Json::from(9_007_199_254_740_991_u64), Json::from(9_007_199_254_740_990_u64)));
        assert_eq!(number(&Json::from("month")), None);
    }
}
