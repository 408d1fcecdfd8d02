//! Hostile products: each tries one thing, and says how it must end; see `tests/hostile/README.md`.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use svc_builds::{Compiled, compile};
use svc_runtime::Pool;
use svc_runtime::worker::WorkerConfig;
use svc_tests::annotation::{expected, found};
use svc_tests::case::{Case, cases};
use svc_tests::program::{block_on, patient, pool, pool_alone};
use tokio::task::JoinSet;

/// Seeds of V8's hashes and chance.
const SEEDS: [u32; 5] = [1, 42, 65_537, 1_000_003, 4_000_000_007];
/// Times that each case is built by a worker that is started for it.
const ALONE_ROUNDS: usize = 2;

/// How a case ended, as text that must be the same in every run.
fn ended(compiled: &Compiled) -> String {
    match (&compiled.ir, compiled.failure) {
        (Some(ir), _) => format!("ok {}", ir.text),
        (None, Some(failure)) => failure.to_string(),
        (None, None) => serde_json::to_string(&compiled.diagnostics).unwrap(),
    }
}

fn run_all(all: &[Case], pool: &Pool) -> BTreeMap<String, Compiled> {
    block_on(async {
        let mut running = JoinSet::new();
        for case in all.iter().cloned() {
            let pool = pool.clone();
            running.spawn(async move { (case.name, compile(&pool, case.sources).await.unwrap()) });
        }
        running.join_all().await.into_iter().collect()
    })
}

/// The `//=` line of a case.
fn wanted_end(case: &Case) -> Option<&str> {
    case.expectation.lines().find_map(|line| line.trim_end().strip_prefix("//= "))
}

/// Whether the clock may end it.
fn is_clocked(case: &Case) -> bool {
    wanted_end(case).is_some_and(|wanted| wanted.contains("BUILD_TIMEOUT"))
}

/// What is wrong with how a case ended; nothing when all is as it must be.
fn judge(case: &Case, compiled: &Compiled) -> Option<String> {
    let Some(wanted) = wanted_end(case) else {
        let marks = expected(&case.expectation);
        let got = found(&compiled.diagnostics, &marks);
        let right = got == marks && !marks.is_empty() && compiled.failure.is_none();
        return (!right).then(|| format!("wanted {marks:?}, got {got:?} {}", ended(compiled)));
    };
    if let Some(rest) = wanted.strip_prefix("ok") {
        let Some(ir) = &compiled.ir else { return Some(format!("wanted ok, got {}", ended(compiled))) };
        let (path, value) = rest.trim().split_once(' ')?;
        let wanted: Json = serde_json::from_str(value).unwrap();
        let ir: Json = serde_json::from_str(&ir.text).unwrap();
        let pointer = format!("/{}", path.replace("].", "/").replace(']', "").replace(['.', '['], "/"));
        let got = ir.pointer(&pointer).cloned().unwrap_or_default();
        return (got != wanted).then(|| format!("{path} is {got}, not {wanted}"));
    }
    let got = compiled.failure.map(svc_runtime::BuildFailure::as_str).unwrap_or_default();
    let right = wanted.split(" | ").any(|name| name.trim() == got);
    (!right).then(|| format!("wanted {wanted}, got {}", ended(compiled)))
}

/// Diagnostics name what the author wrote, and nothing of the machine or of this service's inside.
fn tells_nothing_of_the_host(case: &Case, compiled: &Compiled) {
    let text = serde_json::to_string(&compiled.diagnostics).unwrap();
    for secret in ["/root", "/work", "/home", "/tmp", "@svc/internal", "ext:core", env!("CARGO_MANIFEST_DIR")] {
        let quoted = case.sources.iter().any(|(path, source)| path.contains(secret) || source.contains(secret));
        assert!(quoted || !text.contains(secret), "{} tells {secret}: {text}", case.name);
    }
}

/// Loops that can be stopped at any moment, other than those inside one call of V8's own.
const STOPPABLE: [&str; 9] =
    ["await", "do_while", "for", "generator", "in_decorator", "jobs", "labelled", "rejections", "thenable"];
/// How often each of them is stopped, and the processor time of the first and of the last, in milliseconds.
const STOPS: u64 = 40;
const STOPPED_FROM_MS: u64 = 3;
const STOPPED_TO_MS: u64 = 42;

/// Where two threads meet at a lock of V8's, the libraries under it make system calls that they make at no other time.
#[test]
fn a_product_is_stopped_wherever_it_is() {
    let names = STOPPABLE.map(|name| format!("kill_loop_{name}"));
    let loops: Vec<Case> = cases("hostile").into_iter().filter(|case| names.contains(&case.name)).collect();
    assert_eq!(loops.len(), STOPPABLE.len());
    for nth in 0..STOPS {
        let cpu_ms = STOPPED_FROM_MS + (STOPPED_TO_MS - STOPPED_FROM_MS) * nth / (STOPS - 1);
        let config = patient(WorkerConfig::default());
        let limits = svc_runtime::Limits { cpu_ms, ..config.limits };
        let stopped = run_all(&loops, &pool(WorkerConfig { limits, ..config }));
        let wrong: String = (loops.iter())
            .filter_map(|case| Some(format!("{}: {}\n", case.name, judge(case, &stopped[&case.name])?)))
            .collect();
        assert!(wrong.is_empty(), "after {cpu_ms} ms:\n{wrong}");
    }
}

/// The cases that do not end as they did before, and how they do.
fn changed(again: &BTreeMap<String, Compiled>, first: &BTreeMap<String, Compiled>) -> Vec<String> {
    let ends = again.iter().map(|(name, compiled)| (name, ended(compiled), ended(&first[name])));
    ends.filter(|(_, now, before)| now != before)
        .map(|(name, now, before)| format!("{name}: {now:.300} where it was {before:.300}"))
        .collect()
}

#[test]
fn every_hostile_product_ends_as_it_must_and_always_the_same_way() {
    let all = cases("hostile");
    // Whose end is not the clock's gets the time of a slow machine.
    let (clocked, others): (Vec<_>, Vec<_>) = all.iter().cloned().partition(is_clocked);
    let mut first = run_all(&clocked, &pool(WorkerConfig::default()));
    first.extend(run_all(&others, &pool(patient(WorkerConfig::default()))));
    let wrong: Vec<String> = all
        .iter()
        .filter_map(|case| {
            judge(case, &first[&case.name])
                .map(|why| format!("{}: {}\n", case.name, why.chars().take(700).collect::<String>()))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} hostile products end otherwise:\n{}", wrong.len(), all.len(), wrong.concat());
    for case in &all {
        tells_nothing_of_the_host(case, &first[&case.name]);
    }
    // Compared at every upgrade of V8, oxc or ICU: what these products see of the engine is in their IR.
    let hashes: Vec<String> = (first.iter())
        .filter_map(|(name, compiled)| compiled.ir.as_ref().map(|ir| format!("{} {name}\n", ir.hash)))
        .collect();
    svc_tests::golden::check("tests/golden/hashes.txt", &hashes.concat());
    // Loops take all their time and end by the clock; of several limits the first that is met depends on what was at hand.
    let is_certain = |case: &&Case| wanted_end(case).is_none_or(|wanted| !wanted.contains('|'));
    let certain: Vec<Case> = others.iter().filter(is_certain).cloned().collect();
    for round in 0..ALONE_ROUNDS {
        let again = run_all(&certain, &pool_alone(patient(WorkerConfig::default())));
        let changed = changed(&again, &first);
        assert!(changed.is_empty(), "alone, round {round}, otherwise than in a copy:\n{}", changed.join("\n"));
    }
    // What the guest decides must not depend on anything.
    let decided: Vec<Case> = all.into_iter().filter(|case| first[&case.name].failure.is_none()).collect();
    let repeats = std::env::var("HOSTILE_REPEATS").ok().and_then(|count| count.parse().ok()).unwrap_or(SEEDS.len());
    for round in 0..repeats {
        let seed = Some(SEEDS[round % SEEDS.len()]);
        let again = run_all(&decided, &pool(patient(WorkerConfig { seed, ..WorkerConfig::default() })));
        let changed = changed(&again, &first);
        assert!(changed.is_empty(), "round {round}, otherwise than before:\n{}", changed.join("\n"));
    }
}
