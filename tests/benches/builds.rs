//! Builds against their budgets, as ratios in one run: `make bench`. Interleaves what is compared, so that a busy machine slows
//! both. Prints a table; asserts nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark")]
#![allow(missing_docs, clippy::cast_precision_loss, clippy::float_arithmetic, reason = "a benchmark")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use svc_builds::compile;
use svc_engine::sources::Sources;
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{Pool, PoolConfig};
use svc_tests::program::{from_a_shell, root, svc};

/// Whole processes of each kind.
const PROCESSES: usize = 40;
/// Builds through a warm pool.
const WARM_BUILDS: usize = 1_000;
/// Builds in a row through one pool, for its memory.
const LONG_RUN: usize = 10_000;

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn percentile(times: &[Duration], percent: usize) -> Duration {
    times[(times.len() * percent / 100).min(times.len() - 1)]
}

fn timed(command: &mut Command) -> Duration {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
    start.elapsed()
}

fn croncloud() -> Sources {
    let folder = root().join("examples/croncloud/product");
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| {
            (format!("product/{}", entry.file_name().to_str().unwrap()), std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

/// Kilobytes of this name in a process's rollup.
fn memory_kib(pid: &str, names: &[&str]) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let value = |line: &str| line.split_whitespace().nth(1).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    rollup.lines().filter(|line| names.iter().any(|name| line.starts_with(name))).map(value).sum()
}

fn pool(warm: usize) -> Pool {
    let arguments = vec![svc_cli::WORKER.to_owned()];
    Pool::new(PoolConfig {
        requires_sandbox: true,
        program: svc(),
        arguments,
        worker: WorkerConfig::default(),
        running_max: 2,
        warm,
        queue_max: 100_000,
    })
    .unwrap()
}

/// Other ways to run the same class, where `npm ci` has installed their tools.
fn other_tools() -> Vec<(&'static str, Command)> {
    let package = root().join("js-shim");
    let benches = root().join("tests/benches");
    let entry = root().join("examples/croncloud/product/product.config.ts");
    let bin =
        |folder: &Path, name: &str| Some(folder.join("node_modules/.bin").join(name)).filter(|path| path.exists());
    let mut tools = Vec::new();
    if let Some(deno) = bin(&benches, "deno") {
        // The launcher is a script of Node's that replaces itself once by the binary it has found.
        let mut command = Command::new(deno);
        command.args(["run", "--no-check", "--quiet", "--config"]).arg(benches.join("deno.json")).arg(&entry);
        tools.push(("`deno run`", command));
    }
    if let Some(tsx) = bin(&benches, "tsx") {
        let mut command = Command::new(tsx);
        command.arg("--tsconfig").arg(benches.join("tsconfig.json")).arg(&entry);
        tools.push(("`tsx`", command));
    }
    if let Some(esbuild) = bin(&package, "esbuild") {
        let bundle = std::env::temp_dir().join("svc-bench.mjs");
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!(
            "{} {} --bundle --format=esm --target=es2022 --alias:@svc/product={} --outfile={bundle} && node {bundle}",
            esbuild.display(),
            entry.display(),
            package.join("product/src/index.ts").display(),
            bundle = bundle.display(),
        ));
        tools.push(("esbuild + node", command));
    }
    tools
}

/// Whether a ratio keeps its budget, beside it.
fn judged(ratio: f64, budget: f64) -> String {
    format!("ratio {ratio:.3}, budget {budget}: {}", if ratio <= budget { "met" } else { "MISSED" })
}

/// The cold build of the canonical product beside Node's bare start, which it returns: the yardstick of every other figure.
fn cold() -> Duration {
    let mut build = Vec::new();
    let mut node = Vec::new();
    let mut others: Vec<(&str, Command, Vec<Duration>)> =
        other_tools().into_iter().map(|(name, command)| (name, command, Vec::new())).collect();
    let example = root().join("examples/croncloud");
    for _ in 0..PROCESSES {
        build.push(timed(from_a_shell().arg("build").arg(&example)));
        node.push(timed(Command::new("node").args(["-e", "0"])));
        for (_, command, times) in &mut others {
            times.push(timed(command));
        }
    }
    let _written = std::fs::remove_file(example.join("product-build.json"));
    let (build, node) = (median(&mut build), median(&mut node));
    println!("cold `svc build` of croncloud, whole process   {build:>9.1?}");
    println!(
        "  `node -e 0`                                  {node:>9.1?}   {}",
        judged(build.as_secs_f64() / node.as_secs_f64(), 0.4)
    );
    for (name, _, mut times) in others {
        let time = median(&mut times);
        let ratio = build.as_secs_f64() / time.as_secs_f64();
        let beside = if name == "`deno run`" { judged(ratio, 0.5) } else { format!("ratio {ratio:.3}") };
        println!("  {name:<43}  {time:>9.1?}   {beside}");
    }
    node
}

async fn warm(node: Duration) {
    let pool = pool(4);
    pool.fill().await.unwrap();
    let sources = croncloud();
    let mut times = Vec::new();
    for _ in 0..WARM_BUILDS {
        // One after the other, the pool refilled in between, as pushes come: the latency of a warm worker.
        while pool.warm_count() < 4 {
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        let start = Instant::now();
        assert!(compile(&pool, sources.clone()).await.unwrap().ir.is_some());
        times.push(start.elapsed());
    }
    times.sort();
    println!("warm pool, job sent to result, sandbox on, beside `node -e 0`:");
    for (percent, budget) in [(50, 0.05), (99, 0.2)] {
        let time = percentile(&times, percent);
        println!("  p{percent} {time:>9.2?}   {}", judged(time.as_secs_f64() / node.as_secs_f64(), budget));
    }
    let start = Instant::now();
    let running: Vec<_> = (0..WARM_BUILDS)
        .map(|_| {
            let (pool, sources) = (pool.clone(), sources.clone());
            tokio::spawn(async move { compile(&pool, sources).await.unwrap().ir.is_some() })
        })
        .collect();
    for build in running {
        assert!(build.await.unwrap());
    }
    let per_second = WARM_BUILDS as f64 / start.elapsed().as_secs_f64();
    println!(
        "sustained: {per_second:.0} builds/s; one takes of `node -e 0`: {}",
        judged(1.0 / per_second / node.as_secs_f64(), 0.1)
    );
}

async fn memory() {
    let pool = pool(1);
    pool.fill().await.unwrap();
    let ours = std::process::id().to_string();
    for entry in std::fs::read_dir("/proc").unwrap().filter_map(Result::ok) {
        let pid = entry.file_name().into_string().unwrap();
        let arguments = std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        let parent = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        if arguments.contains(svc_cli::WORKER) && parent.contains(&format!("PPid:\t{ours}\n")) {
            println!(
                "idle warm worker: {:.1} MiB private (budget 20)",
                memory_kib(&pid, &["Private_Clean:", "Private_Dirty:"]) as f64 / 1024.0
            );
        }
    }
    let sources = croncloud();
    let mut before = 0;
    for n in 0..LONG_RUN {
        assert!(compile(&pool, sources.clone()).await.unwrap().ir.is_some());
        if n == LONG_RUN / 100 {
            before = memory_kib("self", &["Rss:"]);
        }
    }
    let after = memory_kib("self", &["Rss:"]);
    println!(
        "{LONG_RUN} builds through one pool: parent {before} KiB after the first hundredth, {after} KiB at the end, 0 lost"
    );
}

/// A product of this many features with ten routes each.
fn large(features: usize) -> Sources {
    let feature = |n: usize| {
        let routes: String = (0..10).map(|r| format!("\"GET /f{n}/r{r}/{{id}}\": {{ reports: \"m\" }}, ")).collect();
        format!("  @Feature(\"f{n}\", {{ plans: [\"p\"], routes: {{ {routes} }} }}) f{n};\n")
    };
    let features: String = (0..features).map(feature).collect();
    let text = format!(
        "import {{ Feature, Meter, Plan, Product }} from \"@svc/product\";\n@Product({{ origin: \"https://api.example.com\" }})\nexport default class Large {{\n  @Meter(\"m\") m;\n  @Plan(\"p\", {{ limits: {{ m: {{ rate: 1, interval: \"day\" }} }} }}) p;\n{features}}}\n"
    );
    Sources::from([("product/product.config.ts".to_owned(), text)])
}

async fn growth() {
    let pool = pool(2);
    let mut base = None;
    for features in [50, 500] {
        let sources = large(features);
        let mut times = Vec::new();
        for _ in 0..11 {
            pool.fill().await.unwrap();
            let start = Instant::now();
            let compiled = compile(&pool, sources.clone()).await.unwrap();
            assert!(compiled.ir.is_some(), "{:?} {:?}", compiled.diagnostics.first(), compiled.failure);
            times.push(start.elapsed());
        }
        let time = median(&mut times);
        let ratio = base.map_or(1.0, |base: Duration| time.as_secs_f64() / base.as_secs_f64());
        base = base.or(Some(time));
        println!("{features} features, {} routes: {time:.1?} ({ratio:.1} times the first)", features * 10);
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let node = cold();
    runtime.block_on(async {
        warm(node).await;
        growth().await;
        memory().await;
    });
}
