//! A comparison of bills, for people: what all come to, whose bill changes and by what, and what can't be placed.

use crate::global::Exit;
use crate::output::{CommandError, plural};
use crate::remote::{list, table, text};
use serde_json::Value as Json;
use svc_engine::manifest::words;
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::SignedCents;

/// Subscribers that are shown unless all are asked for.
const ROWS_SHOWN_MAX: usize = 20;
/// The quantiles that are shown; JSON and the page have more.
const QUANTILES_SHOWN: [i128; 4] = [5, 50, 95, 100];
/// Meters that are named as what changes a bill.
const CAUSES_SHOWN_MAX: usize = 3;

/// A whole number that JSON has as a number or as text.
pub(crate) fn number(json: &Json, name: &str) -> i128 {
    match json.get(name) {
        Some(Json::String(text)) => text.parse().unwrap_or_default(),
        Some(Json::Number(number)) => number.as_i64().map(i128::from).unwrap_or_default(),
        _ => 0,
    }
}

/// Cents of either sign as money.
pub(crate) fn cents(json: &Json, name: &str) -> String {
    words::signed_cents(SignedCents(number(json, name)))
}

/// The same with its sign, as a change.
pub(crate) fn change(json: &Json, name: &str) -> String {
    let amount = number(json, name);
    let sign = if amount >= 0 { "+" } else { "" };
    format!("{sign}{}", words::signed_cents(SignedCents(amount)))
}

/// How far a bill rises or falls, in percent with one digit; nothing where it was nothing.
pub(crate) fn percent(old: i128, difference: i128) -> Option<String> {
    let tenths = difference.checked_mul(1_000)?.checked_div(Some(old).filter(|old| *old > 0)?)?;
    let (sign, size) = (if difference < 0 { '−' } else { '+' }, tenths.unsigned_abs());
    Some(match size {
        0 if difference != 0 => format!("{sign}<0.1 %"),
        size => format!("{sign}{}.{} %", size / 10, size % 10),
    })
}

fn change_with_percent(json: &Json) -> String {
    let share = percent(number(json, "oldCents"), number(json, "differenceCents"));
    let share = share.map(|share| format!(" ({share})")).unwrap_or_default();
    format!("{}{share}", change(json, "differenceCents"))
}

/// What changes a subscriber's bill, the largest first: the fee, meters, and what becomes of the rest.
pub(crate) fn causes(row: &Json) -> String {
    let mut parts: Vec<(i128, String)> = list(row, "meters")
        .iter()
        .map(|meter| {
            let by = number(meter, "newNanos").saturating_sub(number(meter, "oldNanos"));
            (by, format!("{} {}", text(meter, "meter"), signed(by)))
        })
        .collect();
    let fee = number(row, "feeDifferenceNanos");
    if fee != 0 {
        parts.push((fee, format!("fee {}", signed(fee))));
    }
    parts.sort_by_key(|(by, _)| std::cmp::Reverse(by.unsigned_abs()));
    let more = parts.len().saturating_sub(CAUSES_SHOWN_MAX);
    let mut told: Vec<String> = parts.into_iter().take(CAUSES_SHOWN_MAX).map(|(_, told)| told).collect();
    if more > 0 {
        told.push(format!("{more} more"));
    }
    for (name, word) in [("newWaivedNanos", "not billed"), ("deniedNanos", "denied")] {
        let amount = number(row, name);
        if amount != 0 {
            told.push(format!("{} {word}", words::nanos(Nanos::new(amount))));
        }
    }
    told.extend(list(row, "keeps").iter().filter_map(Json::as_str).map(|kept| format!("keeps the {kept}")));
    told.join(", ")
}

fn signed(nanos: i128) -> String {
    format!("{}{}", if nanos >= 0 { "+" } else { "" }, words::nanos(Nanos::new(nanos)))
}

/// The period that was compared, in words.
pub(crate) fn period(compared: &Json) -> &'static str {
    match compared.get("period").and_then(Json::as_str) {
        Some("open-period") => "the open period, as far as it is used",
        _ => "the last period",
    }
}

/// What the guard found too much.
pub(crate) fn exceeded(compared: &Json) -> Option<CommandError> {
    let guard = compared.get("guard")?;
    let [exceeded, unknown] =
        ["exceeded", "unknown"].map(|name| usize::try_from(number(guard, name)).unwrap_or(usize::MAX));
    let rise = format!("would rise by more than {}", share(guard));
    let message = match (exceeded, unknown) {
        (0, 0) => return None,
        (0, unknown) => format!("whether {} {rise} can't be told", plural(unknown, "bill")),
        (exceeded, 0) => format!("{} {rise}", plural(exceeded, "bill")),
        (exceeded, unknown) => format!("{} {rise}, and of {unknown} more it can't be told", plural(exceeded, "bill")),
    };
    let worst = guard.get("worst").filter(|worst| !worst.is_null());
    let failure = CommandError::new(Exit::Refused, "INCREASE_TOO_LARGE", message);
    Some(match worst {
        Some(worst) => failure.with_hint(format!(
            "{}'s from {} to {}",
            text(worst, "subject"),
            cents(worst, "oldCents"),
            cents(worst, "newCents")
        )),
        None => failure,
    })
}

fn share(guard: &Json) -> String {
    let points = number(guard, "maxIncreaseBasisPoints");
    let part = format!("{:02}", points % 100);
    match part.trim_end_matches('0') {
        "" => format!("{} %", points / 100),
        part => format!("{}.{part} %", points / 100),
    }
}

/// The whole comparison as text.
pub(crate) fn human(compared: &Json, all: bool) -> String {
    let count = |name: &str| usize::try_from(number(compared, name)).unwrap_or(usize::MAX);
    let mut lines = vec![format!("what if, on {}:", period(compared))];
    let without = match count("withoutPeriod") {
        0 => String::new(),
        without => format!("; {without} have no such period yet"),
    };
    lines.push(format!("  {}{without}", plural(count("subscribers"), "subscriber")));
    lines.push(format!(
        "  total {} → {}, {}",
        cents(compared, "oldCents"),
        cents(compared, "newCents"),
        change_with_percent(compared)
    ));
    lines.push(format!("  {} pay more, {} the same, {} less", count("more"), count("same"), count("less")));
    let quantile = |of: &Json| format!("{} % at most {}", text(of, "percent"), change(of, "differenceCents"));
    let told = list(compared, "quantiles").iter().filter(|of| QUANTILES_SHOWN.contains(&number(of, "percent")));
    let quantiles: Vec<String> = told.map(quantile).collect();
    if !quantiles.is_empty() {
        lines.push(format!("  change of a bill: {}", quantiles.join(", ")));
    }
    if count("crossing") > 0 {
        lines.push(format!("  {} would pass the most that their plan lets them spend", count("crossing")));
    }
    if compared.get("routesChanged") == Some(&Json::Bool(true)) {
        lines.push("  what routes cost changes too; usage counts here as it was metered".to_owned());
    }
    lines.extend(meters(compared));
    lines.extend(rows(compared, all));
    lines.extend(unplaced(compared));
    lines.join("\n")
}

fn meters(compared: &Json) -> Option<String> {
    let row = |meter: &Json| {
        let (old, new) = (number(meter, "oldNanos"), number(meter, "newNanos"));
        let shown = |amount| words::nanos(Nanos::new(amount));
        vec![text(meter, "meter"), shown(old), shown(new), signed(new.saturating_sub(old))]
    };
    let rows: Vec<Vec<String>> = list(compared, "meters").iter().map(row).collect();
    (!rows.is_empty()).then(|| format!("\n{}", table(&["METER", "IS", "WOULD BE", "CHANGE"], rows)))
}

fn rows(compared: &Json, all: bool) -> Vec<String> {
    let shown = if all { usize::MAX } else { ROWS_SHOWN_MAX };
    let found = list(compared, "rows");
    let row = |row: &Json| {
        vec![
            text(row, "subject"),
            format!("{} v{}", text(row, "plan"), text(row, "planVersion")),
            cents(row, "oldCents"),
            cents(row, "newCents"),
            change_with_percent(row),
            causes(row),
        ]
    };
    let changed: Vec<Vec<String>> =
        found.iter().filter(|row| all || number(row, "differenceCents") != 0).take(shown).map(row).collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let told = changed.len();
    let mut lines = vec![format!("\n{}", table(&["SUBSCRIBER", "PLAN", "IS", "WOULD BE", "CHANGE", "BY"], changed))];
    let changes = number(compared, "more").saturating_add(number(compared, "less"));
    let more = changes.saturating_sub(i128::try_from(told).unwrap_or(i128::MAX));
    if more > 0 {
        lines.push(format!("… and {more} whose bills change less{}", if all { "" } else { "; -v shows more" }));
    }
    lines
}

fn unplaced(compared: &Json) -> Vec<String> {
    let found = list(compared, "unplaced");
    let row = |of: &Json| {
        let old = words::nanos(Nanos::new(number(of, "oldNanos")));
        vec![text(of, "subject"), text(of, "meter"), text(of, "charges"), old, text(of, "reason")]
    };
    let rows: Vec<Vec<String>> = found.iter().map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let names = ["SUBSCRIBER", "METER", "CHARGES", "CAME TO", "WHY"];
    let mut lines = vec!["\nwhat the proposal can't place, and bills nothing for:".to_owned(), table(&names, rows)];
    let more = number(compared, "unplacedOmitted");
    if more > 0 {
        lines.push(format!("… and {more} more"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_with_their_sign() {
        assert_eq!(percent(1_000, 100).as_deref(), Some("+10.0 %"));
        assert_eq!(percent(1_000, -25).as_deref(), Some("−2.5 %"));
        assert_eq!(percent(1_000_000, 1).as_deref(), Some("+<0.1 %"));
        assert_eq!(percent(0, 1), None);
        let json = serde_json::json!({ "a": -5, "b": "12345678901234567890" });
        assert_eq!(
            (change(&json, "a").as_str(), change(&json, "b").as_str()),
            ("-$0.05", "+$123,456,789,012,345,678.90")
        );
    }
}
