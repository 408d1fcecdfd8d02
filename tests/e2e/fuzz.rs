//! Random small programs over the intrinsics: property chains, reflection, proxies, iterators, promises, errors, species. None
//! may learn anything of the host, differ between two runs, or end without a name. `FUZZ_SEED` and `FUZZ_PROGRAMS` replay and
//! extend a run; a failure prints the program.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};
use svc_builds::{Compiled, compile};
use svc_engine::sources::{ENTRY, Sources};
use svc_money_tests::random::SplitMix64;
use svc_runtime::BuildFailure;
use svc_runtime::worker::WorkerConfig;
use svc_tests::program::{block_on, pool};
use tokio::task::JoinSet;

/// Programs of one run in CI.
const PROGRAMS: u64 = 400;
/// A variable of this process that no guest may see.
const CANARY: (&str, &str) = ("SVC_TEST_CANARY", "canary-7f3a9c51");

struct Chance(SplitMix64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n).unwrap()).unwrap()
    }

    fn of<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// What every program can call: each step reaches for something, and none stops the program.
const HELPERS: &str = r#"
const seen = [];
const text = (v) => { try { return typeof v === "symbol" ? v.toString() : typeof v + ":" + String(v); } catch (e) { return "!" + typeof e; } };
const note = (v) => { seen.push(text(v).slice(0, 160)); return v; };
const tried = (f) => { try { return f(); } catch (e) { note(e && e.message); return e; } };
const keys = (x) => tried(() => Reflect.ownKeys(Object(x)));
const pick = (x, n) => tried(() => { const k = keys(x); return x[k[n % k.length]]; });
const desc = (x, n) => tried(() => { const k = keys(x); return Reflect.getOwnPropertyDescriptor(Object(x), k[n % k.length]); });
const up = (x) => tried(() => Object.getPrototypeOf(Object(x)));
const get = (x, k) => tried(() => x[k]);
const put = (x, k, v) => tried(() => { x[k] = v; return x; });
const apply = (f, t, a) => tried(() => Reflect.apply(f, t, a));
const make = (f, a) => tried(() => Reflect.construct(f, a));
const late = (v) => tried(() => Promise.resolve(v).then(note, note));
const first = (x) => tried(() => { for (const y of x) return y; });
const spy = (x) => tried(() => new Proxy(Object(x), { get: (t, k, r) => { note(k); return Reflect.get(t, k, r); }, ownKeys: (t) => { note("ownKeys"); return Reflect.ownKeys(t); } }));
"#;
const ROOTS: &[&str] = &[
    "globalThis",
    "Object",
    "Function",
    "Array",
    "String",
    "Number",
    "BigInt",
    "Symbol",
    "Boolean",
    "Date",
    "Math",
    "JSON",
    "Reflect",
    "Promise",
    "Proxy",
    "RegExp",
    "Error",
    "AggregateError",
    "Map",
    "Set",
    "WeakMap",
    "Iterator",
    "ArrayBuffer",
    "Uint8Array",
    "DataView",
    "escape",
    "eval",
    "parseInt",
    "Plan",
    "Product",
    "[]",
    "({})",
    "\"text\"",
    "/x/g",
    "(() => {})",
    "(async () => {})",
    "(function* () {})",
    "(async function* () {})",
    "1n",
    "0.5",
    "new Error(\"e\")",
    "new Map([[1, 2]])",
    "new Date(0)",
    "Promise.resolve(1)",
    "[1, 2].values()",
    "\"ab\".matchAll(/./g)",
    "seen",
    "undefined",
    "typeof process",
    "typeof Deno",
    "typeof fetch",
    "class A extends Array {}",
    "Symbol.species",
    "new (class extends Date {})(1)",
];
const KEYS: &[&str] = &[
    "\"constructor\"",
    "\"prototype\"",
    "\"__proto__\"",
    "\"caller\"",
    "\"arguments\"",
    "\"callee\"",
    "\"stack\"",
    "\"message\"",
    "\"name\"",
    "\"length\"",
    "\"then\"",
    "\"now\"",
    "\"random\"",
    "\"toString\"",
    "\"toLocaleString\"",
    "\"valueOf\"",
    "\"next\"",
    "\"return\"",
    "\"captureStackTrace\"",
    "\"prepareStackTrace\"",
    "\"stackTraceLimit\"",
    "\"description\"",
    "\"cause\"",
    "Symbol.iterator",
    "Symbol.species",
    "Symbol.toPrimitive",
    "Symbol.toStringTag",
    "Symbol.asyncIterator",
    "Symbol.hasInstance",
    "Symbol.unscopables",
    "Symbol.metadata",
    "0",
];

fn expression(chance: &mut Chance, depth: usize) -> String {
    if depth == 0 {
        return chance.of(ROOTS).to_owned();
    }
    let inner = |chance: &mut Chance| expression(chance, depth - 1);
    match chance.below(14) {
        0 | 1 => format!("pick({}, {})", inner(chance), chance.below(60)),
        2 => format!("desc({}, {})", inner(chance), chance.below(60)),
        3 | 4 => format!("up({})", inner(chance)),
        5..=7 => format!("get({}, {})", inner(chance), chance.of(KEYS)),
        8 => format!("put({}, {}, {})", inner(chance), chance.of(KEYS), inner(chance)),
        9 | 10 => format!("apply({}, {}, [{}])", inner(chance), inner(chance), inner(chance)),
        11 => format!("make({}, [{}])", inner(chance), inner(chance)),
        12 => format!("late({})", inner(chance)),
        _ => format!("{}({})", chance.of(&["first", "spy", "keys"]), inner(chance)),
    }
}

fn program(seed: u64) -> String {
    let mut chance = Chance(SplitMix64(seed));
    let mut text = format!("import {{ Plan, Product }} from \"@svc/product\";\n{HELPERS}");
    for _ in 0..10 {
        let depth = 1 + chance.below(4);
        let wait = if chance.below(8) == 0 { "await " } else { "" };
        writeln!(text, "note({wait}tried(() => {}));", expression(&mut chance, depth)).unwrap();
    }
    text.push_str("await Promise.resolve();\nconst told = seen.join(\"|\").toWellFormed().slice(0, 4000);\n@Product({ name: \"x\", origin: \"https://api.example.com\", description: told })\nexport default class X { @Plan(\"free\", { limits: { requests: { rate: 1, interval: \"minute\" } } }) free; }\n");
    text
}

fn ended(compiled: &Compiled) -> String {
    match (&compiled.ir, compiled.failure) {
        (Some(ir), _) => ir.text.clone(),
        (None, Some(failure)) => failure.to_string(),
        (None, None) => serde_json::to_string(&compiled.diagnostics).unwrap(),
    }
}

/// What a host would tell and a source can't know.
fn secrets() -> Vec<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    // The first digits of the present moment, in seconds; and this process's folder and canary.
    vec![
        now.to_string()[..6].to_owned(),
        CANARY.1.to_owned(),
        env!("CARGO_MANIFEST_DIR").to_owned(),
        "/proc/".to_owned(),
        "ext:".to_owned(),
        "node:".to_owned(),
    ]
}

#[test]
fn random_programs_learn_nothing_and_always_end_the_same_way() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seed, programs) = (number("FUZZ_SEED", 20_261_128), number("FUZZ_PROGRAMS", PROGRAMS));
    println!("FUZZ_SEED={seed} FUZZ_PROGRAMS={programs}");
    let secrets = secrets();
    let built = block_on(async {
        let mut built = 0;
        let mut running = JoinSet::new();
        for n in 0..programs {
            running.spawn(async move {
                let text = program(seed.wrapping_add(n));
                let sources = Sources::from([(ENTRY.to_owned(), text.clone())]);
                let mut ends = Vec::new();
                for v8_seed in [7, 1_000_003] {
                    let pool = pool(WorkerConfig { seed: Some(v8_seed), ..WorkerConfig::default() });
                    ends.push(compile(&pool, sources.clone()).await.unwrap());
                }
                (n, text, ends)
            });
            // Two workers at a time: each pool here is of one build.
            if running.len() >= 4 {
                built += check(running.join_next().await.unwrap().unwrap(), &secrets);
            }
        }
        while let Some(done) = running.join_next().await {
            built += check(done.unwrap(), &secrets);
        }
        built
    });
    // A generator whose programs all fail would show nothing.
    assert!(built * 2 > programs, "only {built} of {programs} programs build");
}

/// Judges one program. Answers 1 when it built.
fn check((n, text, ends): (u64, String, Vec<Compiled>), secrets: &[String]) -> u64 {
    let told: Vec<String> = ends.iter().map(ended).collect();
    let late = ends.iter().any(|end| end.failure == Some(BuildFailure::Timeout));
    assert!(late || told[0] == told[1], "program {n} ends in two ways:\n{}\n{}\n{text}", told[0], told[1]);
    assert!(ends.iter().all(|end| end.failure != Some(BuildFailure::Crashed)), "program {n} crashes:\n{text}");
    for secret in secrets {
        assert!(!told[0].contains(secret), "program {n} tells {secret}:\n{}\n{text}", told[0]);
    }
    u64::from(ends[0].ir.is_some())
}
