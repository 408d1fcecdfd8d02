//! `svc test`: runs the tests that lie beside a product, in a sealed worker of this very program.

use crate::build;
use crate::global::{Exit, Workers, pool};
use crate::output::{CommandError, Output, Rejected, plural, visible};
use crate::serve::block_on;
use crate::sources;
use clap::Args;
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use svc_builds::tests::{self, SEED, Tested, limits};
use svc_engine::sources::Sources;
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{Limits, TestPlan, TestReport, TestResult};

/// Arguments of `svc test`.
#[derive(Args, Debug)]
pub(crate) struct TestArgs {
    /// The folder that holds `product/product.config.ts`; its tests are `product/**/*.test.ts`.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Only tests in whose name or file this stands.
    #[arg(long)]
    filter: Option<String>,
    /// Write golden bills anew instead of comparing them.
    #[arg(long)]
    update: bool,
    /// What generated usage begins from; a failure names its own.
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Generated lives that each rule is tried on; as many as the rule says unless given.
    #[arg(long, default_value_t = 0)]
    runs: u32,
    /// V8's seed, to show that tests do not depend on it.
    #[arg(long, hide = true)]
    v8_seed: Option<u32>,
    /// Processor time of all tests, in milliseconds; less than there is, for tests of the end of it.
    #[arg(long, hide = true)]
    cpu_ms: Option<u64>,
}

/// Runs the tests.
pub(crate) fn run(args: &TestArgs, output: &Output) -> Exit {
    match attempt(args, output) {
        Ok(report) => shown(&report, output),
        Err(Rejected { failure, diagnostics }) => output.failed("test", failure, &diagnostics),
    }
}

fn attempt(args: &TestArgs, output: &Output) -> Result<TestReport, Rejected> {
    let sources = sources::read(&args.dir)?;
    let plan = TestPlan {
        ir: String::new(),
        seed: args.seed,
        runs: args.runs,
        filter: args.filter.clone(),
        updates: args.update,
    };
    let report = block_on(of(&sources, plan, args, output))?;
    // Whatever a worker answers, only the files beside tests are written.
    let own: BTreeSet<String> =
        svc_runtime::test_files(&sources).into_iter().map(|file| svc_runtime::golden_file(file)).collect();
    for (file, text) in &report.goldens {
        if !own.contains(file) {
            let message = format!("a golden bill belongs beside its test; {file:?} is beside none");
            return Err(CommandError::new(Exit::Stopped, "GOLDEN_FILE", message).into());
        }
        write(&args.dir, file, text)?;
        output.note(&format!("wrote {file}"));
    }
    Ok(report)
}

/// Builds a product and runs its tests; the diagnostics of both are shown.
async fn of(sources: &Sources, plan: TestPlan, args: &TestArgs, output: &Output) -> Result<TestReport, Rejected> {
    let own = WorkerConfig { seed: args.v8_seed, ..WorkerConfig::default() };
    let alone = Workers { running_max: 1, warm: 0, queue_max: 1, requires_sandbox: false };
    let builder = pool(own, &alone).map_err(build::unavailable)?;
    let compiled = svc_builds::compile(&builder, sources.clone()).await.map_err(build::unavailable)?;
    build::show(&compiled.diagnostics, sources, output);
    let diagnostics = compiled.diagnostics.clone();
    let ir = build::ir_of(compiled.failure, compiled.ir, &diagnostics, &own);
    let ir = ir.map_err(|failure| Rejected { failure, diagnostics })?;
    let limits = limits();
    let limits = Limits { cpu_ms: args.cpu_ms.unwrap_or(limits.cpu_ms), ..limits };
    match ran(sources, TestPlan { ir: ir.text, ..plan }, WorkerConfig { limits, ..own }).await? {
        Tested::Ran(report) => Ok(report),
        Tested::Wrong(diagnostics) => {
            build::show(&diagnostics, sources, output);
            let failure = CommandError::new(Exit::Wrong, "TESTS_REJECTED", build::count(&diagnostics));
            Err(Rejected { failure, diagnostics })
        }
        Tested::Stopped(failure) => {
            let code = failure.as_str().replacen("BUILD_", "TEST_", 1);
            Err(CommandError::new(Exit::Stopped, code, tests::message(failure, &limits)).into())
        }
    }
}

/// Runs the tests of a product whose manifest is in the plan, in a worker that is started for them.
async fn ran(sources: &Sources, plan: TestPlan, own: WorkerConfig) -> Result<Tested, CommandError> {
    let alone = Workers { running_max: 1, warm: 0, queue_max: 1, requires_sandbox: false };
    let worker = WorkerConfig { tests: true, ..own };
    let tester = pool(worker, &alone).map_err(build::unavailable)?;
    tests::run(&tester, sources.clone(), plan).await.map_err(build::unavailable)
}

/// What the tests of a product that was built say, for `svc dev`; nothing where it has none.
pub(crate) async fn watched(sources: &Sources, ir: &str) -> Option<String> {
    if svc_runtime::test_files(sources).is_empty() {
        return None;
    }
    let plan = TestPlan { ir: ir.to_owned(), seed: SEED, runs: 0, filter: None, updates: false };
    Some(match ran(sources, plan, WorkerConfig { limits: limits(), ..WorkerConfig::default() }).await {
        Ok(Tested::Ran(report)) if report.results.iter().all(|result| result.failure.is_none()) => {
            format!("tests: {} ok", report.results.len())
        }
        Ok(Tested::Ran(report)) => format!("tests:\n{}", human(&report)),
        Ok(Tested::Wrong(diagnostics)) => build::rendered(&diagnostics, sources, false),
        Ok(Tested::Stopped(failure)) => format!("tests: {}", tests::message(failure, &limits())),
        Err(failure) => format!("tests: {}", failure.message),
    })
}

/// Writes a file of golden bills below the folder.
fn write(dir: &Path, file: &str, text: &str) -> Result<(), CommandError> {
    let path = dir.join(file);
    // Written beside and renamed, so that a link is replaced and never followed.
    let beside = dir.join(format!("{file}.new"));
    let _none = std::fs::remove_file(&beside);
    let mut fresh = std::fs::OpenOptions::new();
    let made = fresh.write(true).create_new(true).open(&beside);
    let written =
        made.and_then(|mut made| made.write_all(text.as_bytes())).and_then(|()| std::fs::rename(&beside, &path));
    written.map_err(|error| {
        let message = format!("{} can't be written: {error}", path.display());
        CommandError::new(Exit::Unreachable, "FILE_NOT_WRITTEN", message)
    })
}

fn shown(report: &TestReport, output: &Output) -> Exit {
    let failed: Vec<&TestResult> = report.results.iter().filter(|result| result.failure.is_some()).collect();
    let data = json!({ "tests": report.results, "failed": failed.len(), "written": report.goldens.keys().collect::<Vec<_>>() });
    let text = visible(&human(report));
    if report.results.is_empty() {
        let failure = CommandError::new(Exit::Wrong, "NO_TESTS", "there is no test in product/**/*.test.ts")
            .with_hint("svc init writes one; docs/author-tests.md tells what a test may say");
        return output.failed("test", failure, &[]);
    }
    if failed.is_empty() {
        return output.done("test", &text, data);
    }
    output.result(&text);
    let message = format!("{} of {} failed", failed.len(), plural(report.results.len(), "test"));
    let failure = CommandError::new(Exit::Wrong, "TESTS_FAILED", message);
    output.failed_with("test", failure, &[], serde_json::Map::from_iter([("data".to_owned(), data)]))
}

/// Every test in a line, by file; of those that failed, where and why.
pub(crate) fn human(report: &TestReport) -> String {
    let mut lines = Vec::new();
    let mut file = None;
    for result in &report.results {
        if file != Some(&result.file) {
            lines.push(result.file.clone());
            file = Some(&result.file);
        }
        match &result.failure {
            None => lines.push(format!("  ok      {}", result.name)),
            Some(failure) => {
                lines.push(format!("  FAILED  {}", result.name));
                if let Some(span) = &failure.span {
                    lines.push(format!("          {}:{}:{}", span.file, span.start.line, span.start.column));
                }
                lines.extend(failure.message.lines().map(|line| format!("          {line}")));
            }
        }
    }
    lines.join("\n")
}
