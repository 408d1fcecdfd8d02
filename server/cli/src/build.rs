//! `svc build` and `svc check`.

use crate::built::{Built, Done};
use crate::global::{Exit, Format, Workers, pool};
use crate::output::{CommandError, Output, Rejected, plural, visible};
use crate::{sarif, sources, summary, version};
use clap::Args;
use serde_json::{Map, Value as Json, json};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use svc_builds::excerpt::Excerpts;
use svc_builds::{self as builds, Compiled, CompiledIr};
use svc_engine::diagnostic::{Diagnostic, Severity};
use svc_engine::manifest::{Manifest, canonical};
use svc_engine::sources::Sources;
use svc_runtime::BuildFailure;
use svc_runtime::begun::Begun;
use svc_runtime::worker::WorkerConfig;

/// The file that a build writes.
pub(crate) const BUILD_FILE: &str = "product-build.json";

/// Arguments of `svc build` and `svc check`.
#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    /// The folders that hold `product/product.config.ts`, each a product of its own.
    #[arg(value_name = "DIR", default_value = ".")]
    dirs: Vec<PathBuf>,
    /// Seeds V8's hashes, to show that a build does not depend on them.
    #[arg(long, hide = true)]
    v8_seed: Option<u32>,
}

/// How a build's worker is set up, and one that prepares itself already.
type NextWorker = (WorkerConfig, Option<Begun>);

/// Which of the two commands runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    /// Writes the result.
    Build,
    /// Writes nothing, and says what it understood.
    Check,
}

impl Op {
    fn name(self) -> &'static str {
        match self {
            Op::Build => "build",
            Op::Check => "check",
        }
    }
}

/// Builds every folder, and reports; the first in the worker that was begun, where there is one. The exit status is the highest that any
/// of them has.
pub(crate) fn run(args: &BuildArgs, output: &Output, op: Op, mut begun: Option<Begun>) -> Exit {
    let worker = WorkerConfig { seed: args.v8_seed, ..WorkerConfig::default() };
    let is_one = args.dirs.len() == 1;
    let all: Vec<Built> = args.dirs.iter().map(|dir| build(dir, (worker, begun.take()), output, op, is_one)).collect();
    let failures = all.iter().filter_map(|built| built.end.as_ref().err());
    let exit = failures.map(|failure| failure.exit).max_by_key(|exit| *exit as u8).unwrap_or(Exit::Done);
    if output.format == Format::Sarif {
        output.document(&sarif::log(&all, exit));
        return exit;
    }
    match <[Built; 1]>::try_from(all) {
        Ok([Built { diagnostics, end: Ok(done), .. }]) => {
            output.done(op.name(), &human(&done), data(&done, &diagnostics))
        }
        Ok([Built { diagnostics, end: Err(failure), .. }]) => output.failed(op.name(), failure, &diagnostics),
        Err(all) => tell_all(all, exit, output, op),
    }
}

/// Builds one folder; its diagnostics, and what was understood, are shown. With several, why one failed is said at once.
fn build(dir: &Path, worker: NextWorker, output: &Output, op: Op, is_one: bool) -> Built {
    let mut diagnostics = Vec::new();
    // With one folder its files have the names that they have in a build.
    let folder = if is_one { String::new() } else { format!("{}/", dir.display()) };
    let end = attempt(dir, &folder, worker, output, op, &mut diagnostics);
    match &end {
        Ok(done) if op == Op::Check && output.format == Format::Human => {
            output.note(&summary::summary(&done.manifest));
        }
        Err(failure) if !is_one && output.format == Format::Human => {
            let (name, message) = (dir.display().to_string(), &failure.message);
            let whose = if message.starts_with(&name) { String::new() } else { format!("{name}: ") };
            output.say(&visible(&format!("svc: {}: {whose}{message}", failure.code)));
        }
        _ => {}
    }
    Built { dir: dir.to_owned(), diagnostics, end }
}

fn attempt(
    dir: &Path,
    folder: &str,
    (worker, begun): NextWorker,
    output: &Output,
    op: Op,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Done, CommandError> {
    let sources = sources::read(dir)?;
    let compiled = compile((worker, begun), sources.clone())?;
    show_in(&compiled.diagnostics, &sources, folder, output);
    diagnostics.extend(compiled.diagnostics);
    let ir = ir_of(compiled.failure, compiled.ir, diagnostics, &worker)?;
    let manifest = read_manifest(&ir)?;
    let mut file = None;
    if op == Op::Build {
        let path = dir.join(BUILD_FILE);
        let text = build_file(&ir.hash, &manifest, diagnostics)
            .map_err(|error| CommandError::new(Exit::Unreachable, "FILE_NOT_WRITTEN", error))?;
        let unwritten = |error| {
            let message = format!("{} can't be written: {error}", path.display());
            CommandError::new(Exit::Unreachable, "FILE_NOT_WRITTEN", message)
        };
        replace(&path, &text).map_err(unwritten)?;
        file = Some(path);
    }
    Ok(Done { hash: ir.hash, manifest, file })
}

/// The IR that a build gave, or why it gave none.
pub(crate) fn ir_of(
    failure: Option<BuildFailure>,
    ir: Option<CompiledIr>,
    diagnostics: &[Diagnostic],
    worker: &WorkerConfig,
) -> Result<CompiledIr, CommandError> {
    match failure {
        Some(failure) => Err(CommandError::new(Exit::Stopped, failure.as_str(), failure.message(&worker.limits))),
        None => ir.ok_or_else(|| CommandError::new(Exit::Wrong, "BUILD_REJECTED", count(diagnostics))),
    }
}

fn read_manifest(ir: &CompiledIr) -> Result<Manifest, CommandError> {
    let damaged = |error| CommandError::new(Exit::Stopped, "WORKER_UNAVAILABLE", format!("no manifest: {error}"));
    ir.manifest().map_err(damaged)
}

fn human(done: &Done) -> String {
    match &done.file {
        Some(file) => format!("{}\nwrote {}", done.hash, file.display()),
        None => done.hash.clone(),
    }
}

fn data(done: &Done, diagnostics: &[Diagnostic]) -> Json {
    let mut data = json!({ "irHash": done.hash, "diagnostics": diagnostics });
    if let (Some(file), Json::Object(data)) = (&done.file, &mut data) {
        data.insert("file".to_owned(), json!(file));
    }
    data
}

/// The result of several folders.
fn tell_all(all: Vec<Built>, exit: Exit, output: &Output, op: Op) -> Exit {
    let products: Vec<Json> = all.iter().map(product).collect();
    let line = |built: &Built| {
        let done = built.end.as_ref().ok()?;
        Some(format!("{}  {}", done.hash, done.file.as_ref().unwrap_or(&built.dir).display()))
    };
    let lines = visible(&all.iter().filter_map(line).collect::<Vec<_>>().join("\n"));
    let (count, failed) = (all.len(), all.iter().filter(|built| built.end.is_err()).count());
    let mut diagnostics = Vec::new();
    let mut worst = None;
    for built in all {
        diagnostics.extend(built.diagnostics);
        worst = worst.or(built.end.err().filter(|failure| failure.exit == exit));
    }
    let Some(worst) = worst else { return output.done(op.name(), &lines, json!({ "products": products })) };
    output.result(&lines);
    let failure = CommandError::new(exit, worst.code, format!("{failed} of {count} products failed"));
    let more = Map::from_iter([("products".to_owned(), Json::from(products))]);
    output.failed_with(op.name(), failure, &diagnostics, more)
}

/// One of several products, as JSON has it.
fn product(built: &Built) -> Json {
    match &built.end {
        Ok(done) => {
            let mut product = data(done, &built.diagnostics);
            if let Json::Object(product) = &mut product {
                product.insert("dir".to_owned(), json!(built.dir));
            }
            product
        }
        Err(failure) => json!({ "dir": built.dir, "error": failure.json(), "diagnostics": built.diagnostics }),
    }
}

/// The manifest of a folder's product; its diagnostics are shown.
pub(crate) fn compile_dir(dir: &Path, output: &Output) -> Result<Manifest, Rejected> {
    let sources = sources::read(dir)?;
    let worker = WorkerConfig::default();
    let Compiled { ir, diagnostics, failure, .. } = compile((worker, None), sources.clone())?;
    show(&diagnostics, &sources, output);
    let manifest = ir_of(failure, ir, &diagnostics, &worker).and_then(|ir| read_manifest(&ir));
    manifest.map_err(|mut failure| {
        if failure.exit == Exit::Wrong {
            failure.message = format!("{}: {}", dir.display(), failure.message);
        }
        Rejected { failure, diagnostics }
    })
}

/// Writes a file beside its place and moves it there: whole or not at all, and never through a link that stands there.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = file.with_file_name(name);
    let written = OpenOptions::new().write(true).create_new(true).open(&part).and_then(|mut open| {
        open.write_all(text.as_bytes())?;
        std::fs::rename(&part, file)
    });
    if written.is_err() {
        let _it_may_not_be_there = std::fs::remove_file(&part);
    }
    written
}

/// Runs one build in one worker.
fn compile((worker, begun): NextWorker, sources: Sources) -> Result<Compiled, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(unavailable)?;
    runtime
        .block_on(async {
            // Its own product, on its author's machine: as sealed as the kernel allows.
            let alone = Workers { running_max: 1, warm: 0, queue_max: 1, requires_sandbox: false };
            let pool = pool(worker, &alone)?;
            begun.into_iter().for_each(|begun| pool.begin_with(begun));
            builds::compile(&pool, sources).await
        })
        .map_err(|error: svc_runtime::PoolError| unavailable(error))
}

/// The failure of a worker that can't be had.
pub(crate) fn unavailable(error: impl std::fmt::Display) -> CommandError {
    CommandError::new(Exit::Stopped, "WORKER_UNAVAILABLE", error.to_string())
}

/// What `product-build.json` holds: canonical, so that the same source gives the same file.
fn build_file(hash: &str, manifest: &Manifest, diagnostics: &[Diagnostic]) -> Result<String, String> {
    let content = json!({
        "ir": manifest,
        "irHash": hash,
        "sdkVersion": manifest.sdk_version,
        "engine": version::engine(),
        "diagnostics": diagnostics,
    });
    let mut bytes = canonical::bytes(&content).map_err(|error| error.to_string())?;
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// Shows diagnostics to people, with the lines they are about.
pub(crate) fn show(diagnostics: &[Diagnostic], sources: &Sources, output: &Output) {
    show_in(diagnostics, sources, "", output);
}

/// Diagnostics with the lines they are about, as text without colours; of warnings only where they are wanted.
pub(crate) fn rendered(diagnostics: &[Diagnostic], sources: &Sources, quiet: bool) -> String {
    let mut excerpts = Excerpts::new(sources);
    let shown = diagnostics.iter().filter(|diagnostic| diagnostic.is_error() || !quiet);
    shown.map(|one| format!("{}\n", excerpts.draw(one))).collect()
}

fn show_in(diagnostics: &[Diagnostic], sources: &Sources, folder: &str, output: &Output) {
    if output.format == Format::Human {
        let mut excerpts = Excerpts::new(sources).for_terminal(folder, output.color);
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.is_error() || !output.quiet) {
            output.say(&format!("{}\n", excerpts.draw(diagnostic)));
        }
    }
}

pub(crate) fn count(diagnostics: &[Diagnostic]) -> String {
    let of = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    match (of(Severity::Error), of(Severity::Warning)) {
        (errors, 0) => plural(errors, "error"),
        (errors, warnings) => format!("{} and {}", plural(errors, "error"), plural(warnings, "warning")),
    }
}
