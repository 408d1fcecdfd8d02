//! The canonical product with one mistake made: every mutant is refused with the right code at the exact characters.

use super::golden::example;
use std::collections::BTreeMap;
use svc_builds::compile;
use svc_engine::sources::{ENTRY, Sources};
use svc_runtime::worker::WorkerConfig;
use svc_tests::program::{block_on, pool};
use tokio::task::JoinSet;

/// One mistake: which characters were replaced by what, and the code that names it.
struct Mutant {
    what: String,
    text: String,
    code: &'static str,
    start: usize,
    len: usize,
}

/// Option names that the canonical product writes.
const OPTIONS: &[&str] = &[
    "origin",
    "displayName",
    "description",
    "billOn4xx",
    "title",
    "path",
    "capability",
    "display",
    "unit",
    "estimate",
    "window",
    "enforcementType",
    "routeDefault",
    "aggregation",
    "countSource",
    "includesFeatures",
    "includesPolicies",
    "includesCapabilities",
    "mutationClass",
    "plans",
    "policies",
    "actions",
    "routes",
    "subject",
    "resource",
    "effect",
    "audit",
    "cost",
    "report",
    "reports",
    "estimates",
    "action",
    "backend",
    "onStatusCodes",
    "unmetered",
    "inheritDefaultMeters",
    "price",
    "amount",
    "currency",
    "limits",
    "rate",
    "caps",
    "meter",
    "meters",
    "micros",
    "per",
    "includedUnits",
    "grants",
    "trialDays",
    "maxMonthlySpendCents",
    "minMonthlySpendCents",
    "capabilities",
    "featureGates",
    "overageBehavior",
    "selfServeEnabled",
    "legacy",
    "archive",
    "spendPolicy",
    "disclosure",
    "trigger",
    "slug",
    "originUrl",
    "transport",
    "verification",
    "required",
    "default",
    "upTo",
    "amountCents",
    "recurs",
    "label",
    "expiresAfterDays",
    "priceCents",
    "creditCents",
    "sku",
];
/// Options that name something, and the code of a name that is not there.
const REFERENCES: &[(&str, &str)] = &[
    ("capability", "UNKNOWN_CAPABILITY"),
    ("report", "UNKNOWN_METER"),
    ("reports", "UNKNOWN_METER"),
    ("action", "UNKNOWN_ACTION"),
    ("backend", "UNKNOWN_BACKEND"),
    ("plans", "UNKNOWN_PLAN"),
    ("includesFeatures", "UNKNOWN_FEATURE"),
    ("includesPolicies", "UNKNOWN_POLICY"),
    ("includesCapabilities", "UNKNOWN_CAPABILITY"),
    ("capabilities", "UNKNOWN_CAPABILITY"),
    ("policies", "UNKNOWN_POLICY"),
    ("meters", "UNKNOWN_METER"),
];
/// Options with a closed set of values.
const CHOICES: &[&str] = &[
    "interval",
    "enforcement",
    "currency",
    "aggregation",
    "mode",
    "disclosure",
    "overageBehavior",
    "mutationClass",
    "effect",
    "from",
    "countSource",
    "enforcementType",
    "window",
];
const MONEY: &[&str] =
    &["amount", "micros", "amountCents", "priceCents", "creditCents", "maxMonthlySpendCents", "minMonthlySpendCents"];
const INTEGERS: &[&str] = &["per", "count", "upTo", "trialDays", "expiresAfterDays"];
const QUANTITIES: &[&str] = &["rate", "includedUnits", "routeDefault", "estimate"];
/// What a number becomes, and its code as money, integer, quantity; nothing where it is right.
const NUMBERS: &[(&str, [Option<&str>; 3])] = &[
    ("\"5\"", [Some("MONEY_NOT_AN_INTEGER"), Some("WRONG_TYPE"), Some("WRONG_TYPE")]),
    ("NaN", [Some("MONEY_NOT_AN_INTEGER"), Some("NUMBER_RANGE"), Some("NUMBER_RANGE")]),
    ("1.5", [Some("MONEY_NOT_AN_INTEGER"), Some("NUMBER_RANGE"), None]),
    ("-1", [Some("MONEY_NOT_AN_INTEGER"), Some("NUMBER_RANGE"), Some("NUMBER_RANGE")]),
    ("5n", [Some("MONEY_NOT_AN_INTEGER"), Some("VALUE_NOT_PLAIN"), Some("VALUE_NOT_PLAIN")]),
];

/// Every `name: value` of the text, outside comments and the places where any JSON may stand: offsets of name and value.
fn entries(text: &str) -> Vec<(usize, &str, usize, &str)> {
    let mut found = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let open_json =
            ["//", "@Raw(", "config:", "props:", "raw:", "trigger:", " * "].iter().any(|mark| line.contains(mark));
        if !open_json {
            let mut rest = line;
            let mut at = offset;
            while let Some(colon) = rest.find(": ") {
                let name_start = rest[..colon].rfind(|c: char| !c.is_alphanumeric()).map_or(0, |before| before + 1);
                let name = &rest[name_start..colon];
                let value = &rest[colon + 2..];
                found.push((at + name_start, name, at + colon + 2, value));
                at += colon + 2;
                rest = value;
            }
        }
        offset += line.len();
    }
    found
}

fn replaced(text: &str, start: usize, len: usize, with: &str) -> String {
    format!("{}{with}{}", &text[..start], &text[start + len..])
}

fn mutants(text: &str) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let mut push = |what: String, start: usize, len: usize, with: &str, code: &'static str| {
        mutants.push(Mutant { what, text: replaced(text, start, len, with), code, start, len: with.len() });
    };
    for (name_at, name, value_at, value) in entries(text) {
        if OPTIONS.contains(&name) {
            push(format!("{name} misspelled"), name_at, name.len(), &format!("{name}z"), "UNKNOWN_OPTION");
        }
        if let Some((_, code)) = REFERENCES.iter().find(|(option, _)| *option == name) {
            let list = usize::from(value.starts_with('['));
            if let Some(key) = value[list..].strip_prefix('"').and_then(|rest| rest.split('"').next()) {
                push(format!("{name} broken"), value_at + list, key.len() + 2, &format!("\"{key}-x\""), code);
            }
        }
        if let Some(choice) =
            value.strip_prefix('"').and_then(|rest| rest.split('"').next()).filter(|_| CHOICES.contains(&name))
        {
            push(
                format!("{name} of another set"),
                value_at,
                choice.len() + 2,
                &format!("\"{choice}x\""),
                "UNKNOWN_VALUE",
            );
        }
        let digits = value.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(value.len());
        let kind = [MONEY, INTEGERS, QUANTITIES].iter().position(|names| names.contains(&name));
        if let Some(kind) = kind.filter(|_| digits > 0) {
            for (with, codes) in NUMBERS {
                if let Some(code) = codes[kind] {
                    let code = if name == "estimate" && *with == "NaN" { "ESTIMATE_NOT_A_NUMBER" } else { code };
                    push(format!("{name} is {with}"), value_at, digits, with, code);
                }
            }
        }
    }
    // A second declaration of a kind gets the first one's key.
    let mut firsts: BTreeMap<&str, &str> = BTreeMap::new();
    for (at, _) in text.match_indices("  @") {
        let call = &text[at + 3..];
        let Some((name, rest)) = call.split_once("(\"") else { continue };
        let Some(key) = rest.split('"').next().filter(|_| name.chars().all(char::is_alphanumeric) && name != "Surface")
        else {
            continue;
        };
        match firsts.get(name) {
            Some(first) => push(
                format!("@{name} {key} doubled"),
                at + 3 + name.len() + 1,
                key.len() + 2,
                &format!("\"{first}\""),
                "DUPLICATE_KEY",
            ),
            None => {
                firsts.insert(name, key);
            }
        }
    }
    mutants
}

#[test]
fn every_mutant_of_the_canonical_product_is_refused_at_the_exact_characters() {
    let sources = example("croncloud");
    let mutants = mutants(&sources[ENTRY]);
    assert!(mutants.len() >= 200, "only {} mutants", mutants.len());
    let pool = pool(WorkerConfig::default());
    let judged = block_on(async {
        let mut running = JoinSet::new();
        for mutant in mutants {
            let (pool, mut sources): (_, Sources) = (pool.clone(), sources.clone());
            running.spawn(async move {
                sources.insert(ENTRY.to_owned(), mutant.text.clone());
                let compiled = compile(&pool, sources).await.unwrap();
                let position = |offset: usize| {
                    let before = &mutant.text[..offset];
                    (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap().encode_utf16().count() + 1)
                };
                let (start, end) = (position(mutant.start), position(mutant.start + mutant.len));
                let exact = compiled.diagnostics.iter().any(|found| {
                    found.code.as_str() == mutant.code
                        && found.span.as_ref().is_some_and(|span| {
                            (span.start.line as usize, span.start.column as usize) == start
                                && (span.end.line as usize, span.end.column as usize) == end
                        })
                });
                let told: Vec<String> = compiled
                    .diagnostics
                    .iter()
                    .map(|found| {
                        format!(
                            "{} {:?}",
                            found.code,
                            found.span.as_ref().map(|span| (span.start.line, span.start.column, span.end.column))
                        )
                    })
                    .collect();
                (!exact || compiled.ir.is_some())
                    .then(|| format!("{} wants {} at {start:?}-{end:?}, got {told:?}\n", mutant.what, mutant.code))
            });
        }
        running.join_all().await
    });
    let wrong: Vec<String> = judged.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} mutants are not named exactly:\n{}", wrong.len(), wrong.concat());
}
