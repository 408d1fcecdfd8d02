//! What a commit's status says, in a line.

use crate::releases::{PlanPreview, PublishPreview};
use crate::what_if::WhatIf;
use serde_json::Value as Json;
use svc_engine::diagnostic::{Diagnostic, Severity};
use svc_engine::manifest::words;
use svc_engine::text::visible;
use svc_store::records::BuildResult;

/// Longest line, in characters: what GitHub takes.
const LINE_MAX_CHARS: usize = 140;
/// Plans that a line names; of more it gives the number.
const PLANS_NAMED: usize = 3;
/// Characters of a commit's id that people read.
const SHORT_ID_CHARS: usize = 7;

/// One line of plain text that fits.
pub(crate) fn line(text: &str) -> String {
    let text = visible(text).replace(['\n', '\t'], " ");
    if text.chars().count() <= LINE_MAX_CHARS {
        return text;
    }
    text.chars().take(LINE_MAX_CHARS - 1).chain(['…']).collect()
}

/// The beginning of a commit's id.
pub(crate) fn short(commit: &str) -> &str {
    commit.get(..SHORT_ID_CHARS).unwrap_or(commit)
}

/// Why a build failed: what stopped it, or its first error.
pub(crate) fn failure(result: &BuildResult) -> String {
    if let Some(failure) = &result.failure {
        return line(&format!("{}: {}", failure.code, failure.message));
    }
    let diagnostics: Vec<Diagnostic> = serde_json::from_str(&result.diagnostics).unwrap_or_default();
    let errors = || diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let Some(first) = errors().next() else { return "the build failed".to_owned() };
    let place = first
        .span
        .as_ref()
        .map_or_else(String::new, |span| format!("{}:{}:{}: ", span.file, span.start.line, span.start.column));
    let more = match errors().count().saturating_sub(1) {
        0 => String::new(),
        more => format!("+{more} more: "),
    };
    line(&format!("{more}{place}{} {}", first.code.as_str(), first.message))
}

/// How many warnings a build gave.
pub(crate) fn success(result: &BuildResult) -> String {
    let diagnostics: Vec<Json> = serde_json::from_str(&result.diagnostics).unwrap_or_default();
    match diagnostics.len() {
        0 => "built".to_owned(),
        1 => "built; 1 warning".to_owned(),
        many => format!("built; {many} warnings"),
    }
}

/// What publishing changes, in a line.
pub(crate) fn effect(preview: &PublishPreview) -> String {
    if preview.unchanged {
        return "nothing: it is what is active".to_owned();
    }
    let mut parts: Vec<String> = preview.plans.iter().filter_map(|(plan, change)| plan_effect(plan, change)).collect();
    if parts.len() > PLANS_NAMED {
        let more = parts.len().saturating_sub(PLANS_NAMED);
        parts.truncate(PLANS_NAMED);
        parts.push(format!("{more} more plans"));
    }
    if parts.is_empty() {
        parts.push("no plan's version".to_owned());
    }
    let stay = match stayers(preview) {
        0 => String::new(),
        1 => "; 1 subscriber stays".to_owned(),
        many => format!("; {many} subscribers stay"),
    };
    let count = preview.changes.len();
    let changes = format!("; {count} change{}", if count == 1 { "" } else { "s" });
    let marks = match (preview.economic, preview.breaking) {
        (true, true) => ", economic, breaking",
        (true, false) => ", economic",
        (false, true) => ", breaking",
        (false, false) => "",
    };
    format!("{}{stay}{changes}{marks}", parts.join(", "))
}

/// What becomes of the last period's bills, in a line; nothing where there are none.
pub(crate) fn bills(compared: &WhatIf) -> String {
    if compared.subscribers == 0 && compared.unplaced.is_empty() {
        return String::new();
    }
    let changed = compared.more.saturating_add(compared.less);
    let unplaced = if compared.unplaced.is_empty() { "" } else { ", some usage has no place" };
    if changed == 0 {
        return format!("no bill of the last period would change{unplaced}; ");
    }
    let all = compared.subscribers;
    let rise = |(percent, word)| {
        let found = compared.quantiles.iter().find(|quantile| quantile.percent == percent)?;
        let sign = if found.difference_cents.0 < 0 { "" } else { "+" };
        Some(format!("{sign}{} {word}", words::signed_cents(found.difference_cents)))
    };
    let told: Vec<String> = [(50, "at the median"), (100, "at most")].into_iter().filter_map(rise).collect();
    format!("{} of {all} bills rise, {} fall, {}{unplaced}; ", compared.more, compared.less, told.join(", "))
}

fn plan_effect(plan: &str, change: &PlanPreview) -> Option<String> {
    match (change.active_version, change.next_version) {
        (None, Some(_)) => Some(format!("+plan {plan}")),
        (Some(_), None) => Some(format!("-plan {plan}")),
        (Some(from), Some(to)) if from != to => Some(format!("{plan} v{from} → v{to}")),
        _ => None,
    }
}

/// Subscribers of plans that change; publishing moves none of them.
fn stayers(preview: &PublishPreview) -> u64 {
    let changed = preview.plans.values().filter(|plan| plan.active_version != plan.next_version);
    changed.flat_map(|plan| plan.subscribers.values()).fold(0, |sum, count| sum.saturating_add(*count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use svc_engine::diagnostic::Code;
    use svc_engine::source::{Position, Span};
    use svc_store::records::StoredFailure;

    fn result(diagnostics: &[Diagnostic], failure: Option<StoredFailure>) -> BuildResult {
        let diagnostics = serde_json::to_string(diagnostics).unwrap_or_default();
        BuildResult { ir_hash: None, ir: None, diagnostics, failure }
    }

    #[test]
    fn a_line_is_one_line_of_what_github_takes() {
        assert_eq!(line("a\nb\tc\u{1b}[31m"), "a b c\\u{1b}[31m");
        let long = line(&"é".repeat(300));
        assert_eq!((long.chars().count(), long.ends_with('…')), (140, true));
    }

    #[test]
    fn the_first_error_is_told_with_its_place() {
        let at = |line, column| Position { line, column };
        let span = Span { file: "product/product.config.ts".into(), start: at(12, 5), end: at(12, 9) };
        let error = Diagnostic::new(Code::UnknownOption, "no option \"rate\"").with_span(Some(span));
        let told = failure(&result(std::slice::from_ref(&error), None));
        assert_eq!(told, "product/product.config.ts:12:5: UNKNOWN_OPTION no option \"rate\"");
        assert!(failure(&result(&[error.clone(), error], None)).starts_with("+1 more: product/"));
        let stopped = StoredFailure { code: "BUILD_TIMEOUT".to_owned(), message: "too long".to_owned() };
        assert_eq!(failure(&result(&[], Some(stopped))), "BUILD_TIMEOUT: too long");
    }

    #[test]
    fn an_effect_names_plans_versions_and_who_stays() {
        let plan = |from, to, count| PlanPreview {
            active_version: from,
            next_version: to,
            subscribers: BTreeMap::from([(1, count)]),
        };
        let preview = PublishPreview {
            active_hash: None,
            ir_hash: String::new(),
            unchanged: false,
            economic: true,
            breaking: false,
            changes: Vec::new(),
            plans: BTreeMap::from([
                ("starter".to_owned(), plan(Some(3), Some(4), 41)),
                ("team".to_owned(), plan(None, Some(1), 0)),
                ("same".to_owned(), plan(Some(2), Some(2), 9)),
            ]),
        };
        assert_eq!(effect(&preview), "starter v3 → v4, +plan team; 41 subscribers stay; 0 changes, economic");
        let same = PublishPreview { unchanged: true, ..preview };
        assert_eq!(effect(&same), "nothing: it is what is active");
    }
}
