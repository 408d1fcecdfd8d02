//! The isolate changes nothing but what it bans: every valid product's registry is, to the letter, the one that the plain
//! package gives under Node in either decorator dialect.

use super::golden::example;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use svc_engine::sources::Sources;
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{Job, Outcome, Stage};
use svc_tests::case::cases;
use svc_tests::program::{block_on, pool, root};

fn under_node(products: &BTreeMap<String, Sources>) -> BTreeMap<String, BTreeMap<String, String>> {
    assert!(
        root().join("js-shim/node_modules/esbuild").is_dir(),
        "the package's development dependencies are not installed; run `make test`, or `npm ci` in js-shim"
    );
    let mut node = Command::new("node")
        .arg(root().join("tests/differential/registries.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin.take().unwrap().write_all(serde_json::to_string(products).unwrap().as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn registries_are_those_of_the_plain_package_in_both_dialects() {
    let mut products: BTreeMap<String, Sources> =
        cases("products/valid").into_iter().map(|case| (case.name, case.sources)).collect();
    for name in ["croncloud", "tokens"] {
        products.insert(format!("example-{name}"), example(name));
    }
    let plain = under_node(&products);
    let pool = pool(WorkerConfig::default());
    let mut different = String::new();
    for (name, sources) in products {
        let Outcome::Collected(registry) = block_on(pool.build(Job { sources, stage: Stage::Registry })).unwrap()
        else {
            panic!("{name} does not build");
        };
        for (dialect, text) in &plain[&name] {
            if *text != registry {
                let at = text.bytes().zip(registry.bytes()).position(|(a, b)| a != b).unwrap_or(0);
                let near = |text: &str| {
                    text.get(at.saturating_sub(60)..).unwrap_or(text).chars().take(140).collect::<String>()
                };
                different.push_str(&format!(
                    "{name} ({dialect}):\n  node    …{}\n  isolate …{}\n",
                    near(text),
                    near(&registry)
                ));
            }
        }
    }
    assert!(different.is_empty(), "{different}");
}

/// A random program under TypeScript's own compiler and Node.
#[derive(serde::Deserialize)]
struct Program {
    sources: Sources,
    registry: Option<String>,
    error: Option<String>,
}

/// How many random programs are tried; `FUZZ_PROGRAMS` says otherwise.
const PROGRAMS: u32 = 200;
/// What a build may refuse a program by that TypeScript would run.
const REFUSALS: &[&str] = &["SYNTAX_NOT_SUPPORTED"];

fn by_tsc(count: u32, seed: u32) -> BTreeMap<String, Program> {
    let mut node = Command::new("node")
        .arg(root().join("tests/differential/programs.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let asked = serde_json::json!({ "count": count, "seed": seed });
    node.stdin.take().unwrap().write_all(asked.to_string().as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What only TypeScript has is lowered to what TypeScript makes of it, to the letter, or refused by name and at a place.
/// `FUZZ_PROGRAMS=2000 FUZZ_SEED=1000 cargo test -p svc-tests random_programs -- --nocapture` tries others.
#[test]
fn random_programs_mean_what_typescript_makes_of_them() {
    let number = |name: &str, otherwise: u32| std::env::var(name).ok().map_or(otherwise, |text| text.parse().unwrap());
    let (count, seed) = (number("FUZZ_PROGRAMS", PROGRAMS), number("FUZZ_SEED", 1));
    let programs = by_tsc(count, seed);
    let pool = pool(WorkerConfig::default());
    let (mut equal, mut refused, mut failed) = (0, BTreeMap::new(), 0);
    let mut wrong = String::new();
    for (name, Program { sources, registry, error }) in programs {
        let outcome = block_on(pool.build(Job { sources: sources.clone(), stage: Stage::Registry })).unwrap();
        match (&outcome, &registry) {
            (Outcome::Collected(ours), Some(theirs)) if ours == theirs => equal += 1,
            (Outcome::Rejected(problems), Some(_))
                if problems
                    .iter()
                    .all(|problem| REFUSALS.contains(&problem.code.as_str()) && problem.span.is_some()) =>
            {
                let why = problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
                *refused.entry(why.chars().filter(|char| !char.is_ascii_digit()).collect::<String>()).or_insert(0) += 1;
            }
            (Outcome::Rejected(_), None) => failed += 1,
            _ => wrong.push_str(&format!(
                "{name}: ours {outcome:?}\n  theirs {registry:?} {error:?}\n{}\n",
                sources.values().cloned().collect::<Vec<_>>().concat()
            )),
        }
    }
    let refusals: u32 = refused.values().sum();
    println!(
        "{count} programs from seed {seed}: {equal} equal, {refusals} refused by name, {failed} fail in both; {refused:#?}"
    );
    assert!(wrong.is_empty(), "{wrong}");
    assert!(equal * 2 > count, "only {equal} of {count} programs could be compared");
}
