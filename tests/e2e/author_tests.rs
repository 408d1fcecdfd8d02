//! Hostile products and hostile test files, in the workers that run author tests: what ends a build as it must ends the tests that load the
//! product, and what such a worker has beside a build's gives nothing more away.

use std::collections::BTreeMap;
use svc_builds::tests::{SEED, Tested, run};
use svc_builds::{Compiled, compile};
use svc_engine::sources::{ENTRY, SourceLimits, Sources};
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{BuildFailure, Pool, TestPlan};
use svc_tests::case::{Case, cases};
use svc_tests::program::{block_on, patient, pool};
use tokio::task::JoinSet;

/// Loads the product that lies beside it.
const LOADS: &str = "import { test } from \"@svc/product/test\";\nimport \"./product.config.ts\";\ntest(\"it was loaded\", () => {});\n";
/// Where that stands.
const LOADER: &str = "product/zz_loads.test.ts";
/// A product whose bills the test files ask for.
const PRODUCT: &str = r#"import { Feature, Meter, Plan, Product, Requests } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Plain {
  @Requests() requests;
  @Meter("tokens") tokens;
  @Feature("jobs", { plans: ["pro"], routes: { "GET /": { reports: "tokens" } } }) jobs;
  @Plan("pro", { limits: { requests: { rate: 60, interval: "minute" } }, meter: { tokens: { micros: 10 } } }) pro;
}
"#;
/// Of so many hostile products one is loaded, unless `AUTHOR_TESTS_EVERY` says otherwise: each is a worker of its own that is not copied.
const EVERY: usize = 5;
/// A product that is stopped while what it declared is read. Tests don't read that.
const STOPPED_WHEN_READ: &str = "read_export_proxy_that_spins";
/// Seeds of V8's hashes and chance; every file of a product runs under each.
const SEEDS: [u32; 2] = [7, 4_000_000_007];

fn testers(seed: Option<u32>) -> Pool {
    let worker = WorkerConfig { seed, tests: true, ..WorkerConfig::default() };
    // Under a seed it is only compared with how it ended without.
    pool(if seed.is_some() { patient(worker) } else { worker })
}

fn ir() -> String {
    let sources = Sources::from([(ENTRY.to_owned(), PRODUCT.to_owned())]);
    block_on(compile(&pool(WorkerConfig::default()), sources)).unwrap().ir.unwrap().text
}

/// Runs each of these with its tests.
fn test_all(all: &[(String, Sources)], ir: &str, seed: Option<u32>) -> BTreeMap<String, Tested> {
    let pool = testers(seed);
    block_on(async {
        let mut running = JoinSet::new();
        for (name, sources) in all.iter().cloned() {
            let (pool, ir) = (pool.clone(), ir.to_owned());
            running.spawn(async move {
                let plan = TestPlan { ir, seed: SEED, runs: 0, filter: None, updates: false };
                (name, run(&pool, sources, plan).await.unwrap())
            });
        }
        running.join_all().await.into_iter().collect()
    })
}

fn build_all(all: &[Case]) -> BTreeMap<String, Compiled> {
    let pool = pool(WorkerConfig::default());
    block_on(async {
        let mut running = JoinSet::new();
        for case in all.iter().cloned() {
            let pool = pool.clone();
            running.spawn(async move { (case.name, compile(&pool, case.sources).await.unwrap()) });
        }
        running.join_all().await.into_iter().collect()
    })
}

/// What is wrong with how the tests of a hostile product ended, beside how its build did.
fn judge(case: &Case, built: &Compiled, tested: &Tested) -> Option<String> {
    let wanted = case.expectation.lines().find_map(|line| line.trim_end().strip_prefix("//= ")).unwrap_or_default();
    let right = match (built.failure, tested) {
        // What is met first of several limits is V8's to say.
        (Some(_), Tested::Stopped(failure)) => wanted.split(" | ").any(|name| name.trim() == failure.as_str()),
        // What was declared is not read, and the rules are not asked: what only they refuse is loaded.
        (Some(BuildFailure::RegistryTooLarge), Tested::Ran(_)) => true,
        (Some(_), Tested::Ran(_)) => case.name == STOPPED_WHEN_READ,
        (None, Tested::Ran(report)) => report.results.len() == 1 && report.results[0].failure.is_none(),
        (None, Tested::Wrong(problems)) => {
            let known = |code| built.diagnostics.iter().any(|diagnostic| diagnostic.code == code);
            built.ir.is_none() && problems.iter().all(|problem| known(problem.code))
        }
        _ => false,
    };
    (!right).then(|| {
        let text = format!("{tested:?}").chars().take(500).collect::<String>();
        format!(
            "{}: its build {:?} {:?}, its tests {text}\n",
            case.name,
            built.failure,
            built.diagnostics.first().map(|one| one.code)
        )
    })
}

#[test]
fn a_hostile_product_ends_its_tests_as_it_ends_its_build_and_always_the_same_way() {
    let every = std::env::var("AUTHOR_TESTS_EVERY").map_or(EVERY, |text| text.parse().unwrap());
    // One that has as many files as a build may has no room for another.
    let all: Vec<Case> = cases("hostile")
        .into_iter()
        .step_by(every)
        .filter(|case| case.sources.len() < SourceLimits::default().files_max)
        .collect();
    let ir = ir();
    let built = build_all(&all);
    let with_tests: Vec<(String, Sources)> = (all.iter())
        .map(|case| {
            let mut sources = case.sources.clone();
            sources.insert(LOADER.to_owned(), LOADS.to_owned());
            (case.name.clone(), sources)
        })
        .collect();
    let first = test_all(&with_tests, &ir, None);
    let wrong: Vec<String> =
        all.iter().filter_map(|case| judge(case, &built[&case.name], &first[&case.name])).collect();
    assert!(wrong.is_empty(), "{} of {} end otherwise:\n{}", wrong.len(), all.len(), wrong.concat());
    for case in &all {
        let text = format!("{:?}", first[&case.name]);
        for secret in ["@svc/internal", "ext:core", "op_svc", env!("CARGO_MANIFEST_DIR")] {
            let quoted = case.sources.iter().any(|(path, source)| path.contains(secret) || source.contains(secret));
            assert!(quoted || !text.contains(secret), "{} tells {secret}: {text}", case.name);
        }
    }
    let decided: Vec<_> =
        with_tests.into_iter().filter(|(name, _)| !matches!(first[name], Tested::Stopped(_))).collect();
    for seed in SEEDS {
        let again = test_all(&decided, &ir, Some(seed));
        let changed: Vec<String> = (again.iter().filter(|(name, ended)| **ended != first[*name]))
            .map(|(name, ended)| format!("{name}: {ended:?} where it was {:?}", first[name]))
            .collect();
        assert!(changed.is_empty(), "under the seed {seed}, otherwise than before:\n{}", changed.join("\n"));
    }
}

/// Test files that abuse what they are given, and how their one test ends: nothing where it passes, else what its failure says.
const ABUSES: [(&str, &str); 31] = [
    ("given(\"pro\").uses({ tokens: NaN })", "uses.tokens is a quantity"),
    ("given(\"pro\").uses({ tokens: -1 })", "uses.tokens is a quantity"),
    ("given(\"pro\").uses({ tokens: -0 }).bill()", ""),
    ("given(\"pro\").uses({ tokens: 1e21 })", "write 1e+21 as text"),
    ("given(\"pro\").uses({ tokens: \"1e9\" }).bill()", "a quantity is a non-negative decimal number"),
    ("given(\"pro\").uses({ tokens: 10n ** 5000n }).bill()", "a quantity is at most 10^15"),
    (
        "given(\"pro\").uses({ tokens: { valueOf() { return 1; } } })",
        "uses.tokens has no \"valueOf\"; it has units, by and uniqueKey",
    ),
    ("given(\"pro\").uses({ [\"__proto__\"]: 1 }).bill()", "__proto__"),
    ("given(\"pro\").uses(\"GET /\", { reports: { [\"__proto__\"]: 1 } }).bill()", "__proto__"),
    ("given(\"pro\").uses({ constructor: 1 }).bill()", "constructor"),
    ("given(\"pro\").uses({ \"\\ud800\": 1 }).bill()", "meter"),
    ("given(\"\\ud800\").bill()", "plan"),
    ("given(\"__proto__\").bill()", "__proto__"),
    ("given({ toString() { return \"pro\"; } })", "given takes the key of a plan"),
    ("given(\"pro\").after(\"1e9d\").bill()", "1e9d"),
    ("given(\"pro\").after(\"99999999999999999999y\").bill()", "99999999999999999999y"),
    ("given(\"pro\").after(\"9000y\").bill()", "9000y"),
    ("given(\"pro\").uses(\"GET /\", { status: 1e308 }).bill()", "status is a whole number from 100 to 599"),
    ("given(\"pro\").uses(\"GET /\", { times: 2 ** 31 })", "times is a whole number of at most 10,000"),
    (
        "let deep = given(\"pro\"); for (let n = 0; n < 10_001; n++) deep = deep.after(\"1h\"); deep.bill()",
        "a scenario has at most 10,000 steps",
    ),
    ("given(\"pro\").bill.call({})", "Receiver must be an instance of class Subscriber"),
    ("Object.getPrototypeOf(given(\"pro\")).bill = () => 1", "read only"),
    ("Object.getPrototypeOf(given(\"pro\")).uses = null", "read only"),
    ("Object.defineProperty(Object.getPrototypeOf(given(\"pro\")), \"more\", { value: 1 })", "not extensible"),
    ("for (const key of Reflect.ownKeys(given(\"pro\").bill())) given(\"pro\").bill()[key] = 1", "read only"),
    ("new (given(\"pro\").constructor)(\"pro\", [{ kind: \"nothing\" }]).bill()", "is not a function"),
    ("given(\"pro\").uses({ tokens: new Proxy([], { get() { throw new RangeError(\"trap\"); } }) })", "trap"),
    ("given(\"pro\").bill().matchesGolden(\"x\".repeat(1 << 20))", "golden"),
    ("throw Object.assign(new Error(), { message: { toString() { throw 1; } } })", "no text"),
    ("throw new Error(\"x\".repeat(1 << 20))", "xxx"),
    ("forAll(\"pro\", usage({ steps: 2 ** 53 }), () => true)", "steps"),
];

#[test]
fn what_a_test_file_is_given_can_not_be_turned_against_it() {
    let ir = ir();
    let all: Vec<(String, Sources)> = (ABUSES.iter().enumerate())
        .map(|(number, (script, _))| {
            let text = format!("import {{ forAll, given, test, usage }} from \"@svc/product/test\";\ntest(\"abuse\", () => {{ {script}; }});\n");
            (number.to_string(), Sources::from([(ENTRY.to_owned(), PRODUCT.to_owned()), (LOADER.to_owned(), text)]))
        })
        .collect();
    let first = test_all(&all, &ir, None);
    let mut wrong = String::new();
    for (number, (script, wanted)) in ABUSES.iter().enumerate() {
        let failure = match &first[&number.to_string()] {
            Tested::Ran(report) => {
                report.results[0].failure.as_ref().map(|failure| failure.message.clone()).unwrap_or_default()
            }
            other => format!("NOT RUN {other:?}"),
        };
        let right = if wanted.is_empty() {
            failure.is_empty()
        } else {
            failure.contains(wanted) && !failure.starts_with("NOT RUN")
        };
        if !right || failure.len() > 20_000 {
            wrong +=
                &format!("{script}\n    wanted {wanted:?}, got {:?}\n", failure.chars().take(300).collect::<String>());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    for seed in SEEDS {
        assert_eq!(test_all(&all, &ir, Some(seed)), first, "under the seed {seed}");
    }
}
