//! A bill preview as people read it: in the words of the subscriber's page, with money in dollars. What the service answered is behind
//! `--format json`.

use crate::remote::{list, table, text};
use jiff::Timestamp;
use serde_json::Value as Json;
use svc_engine::manifest::words;
use svc_engine::money::amount::Nanos;

/// Basis points in a hundredth.
const POINTS_PER_PERCENT: u64 = 100;

/// A preview, of either shape.
pub(crate) fn human(preview: &Json) -> String {
    let nothing = Json::Null;
    let fee = cents(preview.get("recurringFeeCents"));
    let totals = preview.get("totals").unwrap_or(&nothing);
    let mut parts = match text(preview, "disclosure").as_str() {
        "transparent" => vec![
            facts(&[
                ("owed for usage", &nanos(totals.get("receivableNanos"))),
                ("recurring fee", &fee),
                ("usage in all", &nanos(totals.get("ratedNanos"))),
                ("paid by allowances", &nanos(totals.get("fundedNanos"))),
            ]),
            windows(list(preview, "windows")),
        ],
        _ => vec![facts(&[("recurring fee", &fee)]), "what is owed for usage is on the invoice".to_owned()],
    };
    parts.extend(allowances(list(preview, "allowances")));
    parts.join("\n\n")
}

/// Names and amounts, the amounts below each other's last digit but for what is finer than a cent.
fn facts(facts: &[(&str, &str)]) -> String {
    let whole = |amount: &str| amount.find('.').unwrap_or(amount.len());
    let names = facts.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let wholes = facts.iter().map(|(_, amount)| whole(amount)).max().unwrap_or_default();
    let line = |(name, amount): &(&str, &str)| {
        let indent = wholes.saturating_sub(whole(amount));
        format!("{name:<names$}  {}{amount}", " ".repeat(indent))
    };
    facts.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn windows(windows: &[Json]) -> String {
    if windows.is_empty() {
        return "nothing has been used yet".to_owned();
    }
    let row = |window: &Json| {
        let charges = window.get("chargeCount").and_then(Json::as_u64).map(words::grouped).unwrap_or_default();
        vec![moment(window, "windowStart"), moment(window, "windowEnd"), charges, nanos(window.get("ratedNanos"))]
    };
    table(&["FROM", "TO", "CHARGES", "AMOUNT"], windows.iter().map(row).collect())
}

fn allowances(allowances: &[Json]) -> Option<String> {
    let row = |allowance: &Json| {
        let state = match text(allowance, "state").as_str() {
            "EXHAUSTED" => "used up".to_owned(),
            "REVOKED" => "taken back".to_owned(),
            other => other.to_lowercase(),
        };
        let held = nanos(allowance.get("heldNanos").filter(|held| held.as_str() != Some("0")));
        vec![text(allowance, "kind"), state, left(allowance), held, moment(allowance, "expiresAt")]
    };
    let names = ["ALLOWANCE", "STATE", "LEFT", "SET ASIDE", "EXPIRES"];
    (!allowances.is_empty()).then(|| table(&names, allowances.iter().map(row).collect()))
}

/// What is left of an allowance, and of how much.
fn left(allowance: &Json) -> String {
    let parts = ["remainingNanos", "heldNanos", "consumedNanos"].map(|name| amount(allowance.get(name)));
    if let [Some(remaining), Some(held), Some(consumed)] = parts {
        let all = remaining.plus(held).and_then(|sum| sum.plus(consumed)).unwrap_or(remaining);
        return format!("{} of {}", words::nanos(remaining), words::nanos(all));
    }
    let Some(display) = allowance.get("display") else { return "-".to_owned() };
    match display.get("remainingBasisPoints").and_then(Json::as_u64) {
        Some(points) => format!("{}.{:02}%", points / POINTS_PER_PERCENT, points % POINTS_PER_PERCENT),
        None => format!("{} of {}", text(display, "remainingUnits"), text(display, "allowanceUnits")),
    }
}

fn amount(value: Option<&Json>) -> Option<Nanos> {
    value?.as_str()?.parse().ok()
}

fn nanos(value: Option<&Json>) -> String {
    amount(value).map_or_else(|| "-".to_owned(), words::nanos)
}

fn cents(value: Option<&Json>) -> String {
    value.and_then(Json::as_u64).map_or_else(|| "-".to_owned(), words::cents)
}

/// A moment to the second; for ever where there is none.
fn moment(json: &Json, name: &str) -> String {
    let at = json.get(name).and_then(Json::as_str).and_then(|text| text.parse::<Timestamp>().ok());
    at.map_or_else(|| "-".to_owned(), |at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_opaque_bill_has_no_amounts() {
        let allowance =
            |display: Json| json!({ "kind": "promo", "state": "EXHAUSTED", "expiresAt": null, "display": display });
        let preview = json!({
            "disclosure": "opaque", "currency": "usd", "recurringFeeCents": 9_900,
            "allowances": [
                allowance(json!({ "kind": "fraction", "consumedBasisPoints": 9_995, "remainingBasisPoints": 5 })),
                allowance(json!({ "kind": "multiplier", "allowanceUnits": 20, "remainingUnits": "0", "consumedUnits": "20" })),
            ],
        });
        assert_eq!(
            human(&preview),
            "recurring fee  $99.00\n\nwhat is owed for usage is on the invoice\n\n\
             ALLOWANCE  STATE    LEFT     SET ASIDE  EXPIRES\n\
             promo      used up  0.05%    -          -\n\
             promo      used up  0 of 20  -          -"
        );
    }

    #[test]
    fn points_stand_below_each_other() {
        assert_eq!(facts(&[("a", "-$8.5"), ("bc", "$1,900.00")]), "a      -$8.5\nbc  $1,900.00");
    }

    /// A shape that is not known has nothing of money, as everywhere.
    #[test]
    fn what_is_not_known_is_shown_as_opaque() {
        let preview = json!({ "disclosure": "new", "recurringFeeCents": 0, "totals": { "receivableNanos": "5" } });
        assert_eq!(human(&preview), "recurring fee  $0.00\n\nwhat is owed for usage is on the invoice");
    }
}
