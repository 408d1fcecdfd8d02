//! Products as files: each says beside its code what the build must report, to the very characters.

use std::collections::BTreeSet;
use svc_builds::{Compiled, compile};
use svc_engine::diagnostic::{Code, Severity};
use svc_runtime::worker::WorkerConfig;
use svc_tests::annotation::{Mark, expected, found};
use svc_tests::case::{Case, cases};
use svc_tests::program::{block_on, pool};
use tokio::task::JoinSet;

/// Codes that no single file can give; other tests give them.
const NOT_BY_ONE_FILE: &[Code] =
    &[Code::FileNotAllowed, Code::EntryMissing, Code::SourceTooLarge, Code::TooManyProblems, Code::TestFailed];

/// Builds every case of a folder.
fn build_all(folder: &str) -> Vec<(Case, Compiled)> {
    let pool = pool(WorkerConfig::default());
    block_on(async {
        let mut running = JoinSet::new();
        for case in cases(folder) {
            let pool = pool.clone();
            running.spawn(async move {
                let compiled = compile(&pool, case.sources.clone()).await.unwrap();
                (case, compiled)
            });
        }
        running.join_all().await
    })
}

/// What is expected but not found (−) and found but not expected (+).
fn difference(case: &Case, compiled: &Compiled) -> String {
    let wanted = expected(&case.expectation);
    let got = found(&compiled.diagnostics, &wanted);
    let lines = |sign: &str, marks: &[Mark], others: &[Mark]| -> String {
        let mut others = others.to_vec();
        let missing = marks.iter().filter(|mark| match others.iter().position(|other| other == *mark) {
            Some(index) => {
                others.remove(index);
                false
            }
            None => true,
        });
        missing.map(|mark| format!("  {sign} {} {}\n", mark.place, mark.code)).collect()
    };
    lines("-", &wanted, &got)
        + &lines("+", &got, &wanted)
        + &compiled.failure.map(|failure| format!("  + {failure}\n")).unwrap_or_default()
}

fn report(differing: &[String], what: &str) {
    assert!(differing.is_empty(), "{} {what}:\n{}", differing.len(), differing.concat());
}

#[test]
fn invalid_products_are_refused_at_the_very_characters() {
    let built = build_all("products/invalid");
    let differ = |(case, compiled): &(Case, Compiled)| {
        let mut text = difference(case, compiled);
        if compiled.ir.is_some() {
            text.push_str("  + it built\n");
        }
        (!text.is_empty()).then(|| format!("{}\n{text}", case.name))
    };
    let mut differing: Vec<String> = built.iter().filter_map(differ).collect();
    differing.sort();
    report(&differing, "invalid products are not judged as annotated");
}

#[test]
fn valid_products_build_with_exactly_their_warnings() {
    let built = build_all("products/valid");
    let differ = |(case, compiled): &(Case, Compiled)| {
        let mut text = difference(case, compiled);
        if compiled.ir.is_none() {
            text.push_str("  - it did not build\n");
        }
        (!text.is_empty()).then(|| format!("{}\n{text}", case.name))
    };
    let mut differing: Vec<String> = built.iter().filter_map(differ).collect();
    differing.sort();
    report(&differing, "valid products are not judged as annotated");
}

#[test]
fn every_code_has_a_case() {
    let mut covered = BTreeSet::new();
    for case in cases("products/invalid").iter().chain(&cases("products/valid")) {
        covered.extend(expected(&case.expectation).into_iter().map(|mark| mark.code));
    }
    // What only a hostile product meets has its cases there.
    for case in cases("hostile") {
        covered.extend(expected(&case.expectation).into_iter().map(|mark| mark.code));
    }
    let bare: Vec<&Code> =
        Code::ALL.iter().filter(|code| !NOT_BY_ONE_FILE.contains(code) && !covered.contains(code.as_str())).collect();
    assert!(bare.is_empty(), "codes without a case: {bare:?}");
}

#[test]
fn warnings_do_not_fail_a_build_and_errors_do() {
    for (case, compiled) in build_all("products/valid") {
        assert!(
            compiled.diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Warning),
            "{}",
            case.name
        );
    }
}
