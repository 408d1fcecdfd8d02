//! A comparison of bills as a page to be read and printed: one file without script, with the distribution as a picture.

use crate::global::Exit;
use crate::output::CommandError;
use crate::remote::{list, text};
use crate::what_if::{causes, cents, change, number, percent, period};
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::path::Path;
use svc_api::html::text as escaped;
use svc_engine::manifest::words;
use svc_engine::money::amount::Nanos;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}\
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}\
td,th{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #e5e5e5;vertical-align:top}\
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.up{color:#9a3412}.down{color:#166534}\
.hash{font:12px ui-monospace,monospace;overflow-wrap:anywhere}svg{width:100%;height:auto}\
@media print{body{margin:0;max-width:none}h2{break-after:avoid}tr{break-inside:avoid}thead{display:table-header-group}}";
/// Size of the picture, in its own units.
const WIDTH: u64 = 720;
const HEIGHT: u64 = 220;
/// Room for names below, and for counts above.
const FOOT: u64 = 36;
const HEAD: u64 = 18;

/// Writes the page.
pub(crate) fn write(file: &Path, compared: &Json) -> Result<(), CommandError> {
    std::fs::write(file, page(compared)).map_err(|error| {
        let message = format!("{} can't be written: {error}", file.display());
        CommandError::new(Exit::Unreachable, "FILE_NOT_WRITTEN", message)
    })
}

fn page(compared: &Json) -> String {
    let fact = |name: &str, value: String| format!("<tr><th>{name}</th><td>{value}</td></tr>");
    let share = percent(number(compared, "oldCents"), number(compared, "differenceCents"));
    let share = share.map(|share| format!(", {share}")).unwrap_or_default();
    let facts = [
        fact("Compared", format!("{} of {} subscribers", period(compared), text(compared, "subscribers"))),
        fact("Without such a period", text(compared, "withoutPeriod")),
        fact(
            "Total",
            format!(
                "{} → {} ({}{share})",
                cents(compared, "oldCents"),
                cents(compared, "newCents"),
                change(compared, "differenceCents")
            ),
        ),
        fact(
            "Bills",
            format!(
                "{} more, {} the same, {} less",
                text(compared, "more"),
                text(compared, "same"),
                text(compared, "less")
            ),
        ),
        fact("Past the most of a plan", text(compared, "crossing")),
        fact("Active", format!("<span class=\"hash\">{}</span>", escaped(&text(compared, "activeHash")))),
        fact("Proposed", format!("<span class=\"hash\">{}</span>", escaped(&text(compared, "proposedHash")))),
        fact("As of", escaped(&text(compared, "asOf"))),
    ];
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>What if</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\
         <h1>What this release would do to bills</h1><table>{}</table><h2>Bills by change</h2>{}{}{}{}{}</body></html>\n",
        facts.concat(),
        picture(compared),
        quantiles(compared),
        meters(compared),
        rows(compared),
        unplaced(compared)
    )
}

/// What a step of the distribution is called.
fn step_name(step: &Json) -> String {
    let bound = |name: &str| step.get(name).and_then(Json::as_i64);
    match (bound("overPercent"), bound("toPercent")) {
        (Some(0), Some(0)) => "same".to_owned(),
        (None, Some(to)) => format!("≤ {to} %"),
        (Some(from), None) => format!("> {from} %"),
        (Some(from), Some(to)) if to <= 0 => format!("{from}…{to} %"),
        (Some(from), Some(to)) => format!("+{from}…{to} %"),
        (None, None) => "all".to_owned(),
    }
}

/// The distribution as bars.
fn picture(compared: &Json) -> String {
    let steps = list(compared, "distribution");
    let count = |step: &Json| step.get("subscribers").and_then(Json::as_u64).unwrap_or_default();
    let most = steps.iter().map(count).max().unwrap_or_default().max(1);
    let each = WIDTH.checked_div(u64::try_from(steps.len()).unwrap_or(1)).unwrap_or(WIDTH);
    let room = HEIGHT.saturating_sub(FOOT).saturating_sub(HEAD);
    let floor = HEIGHT.saturating_sub(FOOT);
    let mut bars = String::new();
    for (place, step) in (0_u64..).zip(steps) {
        let (number, name) = (count(step), step_name(step));
        let height = room.saturating_mul(number).div_ceil(most);
        let left = each.saturating_mul(place);
        let (top, middle) = (floor.saturating_sub(height), left.saturating_add(each / 2));
        let colour = match step.get("toPercent").and_then(Json::as_i64) {
            Some(0) if name == "same" => "#737373",
            Some(to) if to <= 0 => "#16a34a",
            _ => "#c2410c",
        };
        let _a_text_takes_all = write!(
            bars,
            "<rect x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{height}\" fill=\"{colour}\"><title>{name}: {number}</title></rect>\
             <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            left.saturating_add(3),
            each.saturating_sub(6),
            top.saturating_sub(4),
            if number == 0 { String::new() } else { words::grouped(number) },
            floor.saturating_add(16),
        );
    }
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Subscribers by the change of their bill\" font-family=\"system-ui,sans-serif\" \
         font-size=\"9\" fill=\"currentColor\">{bars}<line x1=\"0\" y1=\"{floor}\" x2=\"{WIDTH}\" y2=\"{floor}\" stroke=\"currentColor\"/></svg>"
    )
}

fn section(title: &str, heads: &[&str], rows: &[String]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    format!("<h2>{title}</h2><table><thead><tr>{heads}</tr></thead><tbody>{}</tbody></table>", rows.concat())
}

fn quantiles(compared: &Json) -> String {
    let row = |of: &Json| {
        format!("<tr><td>{} %</td><td class=\"n\">{}</td></tr>", text(of, "percent"), change(of, "differenceCents"))
    };
    let rows: Vec<String> = list(compared, "quantiles").iter().map(row).collect();
    section("Change of a bill", &["of the subscribers", "at most"], &rows)
}

fn meters(compared: &Json) -> String {
    let row = |meter: &Json| {
        let amount = |name| words::nanos(Nanos::new(number(meter, name)));
        format!(
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escaped(&text(meter, "meter")),
            amount("oldNanos"),
            amount("newNanos")
        )
    };
    let rows: Vec<String> = list(compared, "meters").iter().map(row).collect();
    section("Usage by meter, before anybody pays", &["Meter", "Is", "Would be"], &rows)
}

fn rows(compared: &Json) -> String {
    let row = |row: &Json| {
        let difference = number(row, "differenceCents");
        let class = match difference {
            0 => "n",
            difference if difference > 0 => "n up",
            _ => "n down",
        };
        let share = percent(number(row, "oldCents"), difference).map(|share| format!(" ({share})")).unwrap_or_default();
        format!(
            "<tr><td>{}</td><td>{} v{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"{class}\">{}{share}</td><td>{}</td></tr>",
            escaped(&text(row, "subject")),
            escaped(&text(row, "plan")),
            text(row, "planVersion"),
            cents(row, "oldCents"),
            cents(row, "newCents"),
            change(row, "differenceCents"),
            escaped(&causes(row)),
        )
    };
    let rows: Vec<String> = list(compared, "rows").iter().map(row).collect();
    let more = match number(compared, "rowsOmitted") {
        0 => String::new(),
        more => format!("<p>… and {more} whose bills change less.</p>"),
    };
    section("Subscribers, largest change first", &["Subscriber", "Plan", "Is", "Would be", "Change", "By"], &rows)
        + &more
}

fn unplaced(compared: &Json) -> String {
    let row = |of: &Json| {
        format!(
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            escaped(&text(of, "subject")),
            escaped(&text(of, "meter")),
            text(of, "charges"),
            words::nanos(Nanos::new(number(of, "oldNanos"))),
            escaped(&text(of, "reason")),
        )
    };
    let rows: Vec<String> = list(compared, "unplaced").iter().map(row).collect();
    section(
        "What the proposal can't place, and bills nothing for",
        &["Subscriber", "Meter", "Charges", "Came to", "Why"],
        &rows,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_page_has_no_markup_of_a_subscribers_and_a_bar_for_each_step() {
        let compared = json!({
            "period": "last-period", "subscribers": 3, "withoutPeriod": 0, "more": 1, "same": 2, "less": 0, "oldCents": 300, "newCents": 310,
            "differenceCents": 10, "crossing": 0, "activeHash": null, "proposedHash": "sha256:0", "asOf": "2026-01-01T00:00:00Z",
            "quantiles": [{ "percent": 50, "differenceCents": 0 }],
            "distribution": [
                { "overPercent": null, "toPercent": 0, "subscribers": 0 }, { "overPercent": 0, "toPercent": 0, "subscribers": 2 },
                { "overPercent": 0, "toPercent": null, "subscribers": 1 },
            ],
            "meters": [], "unplaced": [], "rowsOmitted": 0,
            "rows": [{ "subject": "<script>alert(1)</script>", "plan": "pro", "planVersion": 1, "oldCents": 100, "newCents": 110, "differenceCents": 10,
                "meters": [{ "meter": "tokens", "oldNanos": "0", "newNanos": "100000000" }], "feeDifferenceNanos": "0", "keeps": [] }],
        });
        let page = page(&compared);
        assert!(!page.contains("<script"), "{page}");
        assert_eq!(page.matches("<rect").count(), 3);
        assert!(page.contains("+$0.10 (+10.0 %)") && page.contains("tokens +$0.10"), "{page}");
    }
}
