//! `svc build` and `svc check`.

use crate::global::{Exit, Format, Workers, pool};
use crate::output::{CommandError, Output, plural};
use crate::{sources, version};
use clap::Args;
use serde_json::{Value as Json, json};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use svc_builds::{self as builds, Compiled, CompiledIr};
use svc_engine::diagnostic::{Diagnostic, Severity};
use svc_engine::manifest::{Manifest, canonical};
use svc_engine::sources::Sources;
use svc_runtime::worker::WorkerConfig;

/// The file that a build writes.
pub(crate) const BUILD_FILE: &str = "product-build.json";

/// Arguments of `svc build` and `svc check`.
#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    /// The folder that holds `product/product.config.ts`.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Seeds V8's hashes, to show that a build does not depend on them.
    #[arg(long, hide = true)]
    v8_seed: Option<u32>,
}

/// Builds, reports, and writes the result when `writes`.
pub(crate) fn run(args: &BuildArgs, output: &Output, writes: bool) -> Exit {
    let op = if writes { "build" } else { "check" };
    match attempt(args, output, writes, op) {
        Ok(exit) => exit,
        Err(failure) => output.failed(op, failure, &[]),
    }
}

fn attempt(args: &BuildArgs, output: &Output, writes: bool, op: &str) -> Result<Exit, CommandError> {
    let sources = sources::read(&args.dir)?;
    let worker = WorkerConfig { seed: args.v8_seed, ..WorkerConfig::default() };
    let compiled = compile(worker, sources.clone())?;
    show(&compiled.diagnostics, &sources, output);
    let Compiled { ir, diagnostics, failure } = compiled;
    if let Some(failure) = failure {
        let failure = CommandError::new(Exit::Stopped, failure.as_str(), failure.message(&worker.limits));
        return Ok(output.failed(op, failure, &diagnostics));
    }
    let Some(ir) = ir else {
        return Ok(output.failed(
            op,
            CommandError::new(Exit::Wrong, "BUILD_REJECTED", count(&diagnostics)),
            &diagnostics,
        ));
    };
    let file = args.dir.join(BUILD_FILE);
    if writes {
        let text = build_file(&ir, &diagnostics)
            .map_err(|error| CommandError::new(Exit::Unreachable, "FILE_NOT_WRITTEN", error))?;
        let unwritten = |error| {
            let message = format!("{} can't be written: {error}", file.display());
            CommandError::new(Exit::Unreachable, "FILE_NOT_WRITTEN", message)
        };
        replace(&file, &text).map_err(unwritten)?;
    }
    let human = if writes { format!("{}\nwrote {}", ir.hash, file.display()) } else { ir.hash.clone() };
    let mut data = json!({ "irHash": ir.hash, "diagnostics": diagnostics });
    if let (true, Json::Object(data)) = (writes, &mut data) {
        data.insert("file".to_owned(), json!(file));
    }
    Ok(output.done(op, &human, data))
}

/// The manifest of a folder's product; its diagnostics are shown.
pub(crate) fn compile_dir(dir: &Path, output: &Output) -> Result<Manifest, CommandError> {
    let sources = sources::read(dir)?;
    let worker = WorkerConfig::default();
    let compiled = compile(worker, sources.clone())?;
    show(&compiled.diagnostics, &sources, output);
    if let Some(failure) = compiled.failure {
        return Err(CommandError::new(Exit::Stopped, failure.as_str(), failure.message(&worker.limits)));
    }
    let rejected = || {
        CommandError::new(Exit::Wrong, "BUILD_REJECTED", format!("{}: {}", dir.display(), count(&compiled.diagnostics)))
    };
    let damaged = |error: serde_json::Error| {
        CommandError::new(Exit::Stopped, "WORKER_UNAVAILABLE", format!("no manifest: {error}"))
    };
    compiled.ir.as_ref().ok_or_else(rejected)?.manifest().map_err(damaged)
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
fn compile(worker: WorkerConfig, sources: Sources) -> Result<Compiled, CommandError> {
    let unavailable = |error: String| CommandError::new(Exit::Stopped, "WORKER_UNAVAILABLE", error);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| unavailable(error.to_string()))?;
    runtime
        .block_on(async {
            // Its own product, on its author's machine: as sealed as the kernel allows.
            let alone = Workers { running_max: 1, warm: 0, queue_max: 1, requires_sandbox: false };
            let pool = pool(worker, &alone)?;
            builds::compile(&pool, sources).await
        })
        .map_err(|error: svc_runtime::PoolError| unavailable(error.to_string()))
}

/// What `product-build.json` holds: canonical, so that the same source gives the same file.
fn build_file(ir: &CompiledIr, diagnostics: &[Diagnostic]) -> Result<String, String> {
    let manifest = ir.manifest().map_err(|error| error.to_string())?;
    let content = json!({
        "ir": manifest,
        "irHash": ir.hash,
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
    if output.format == Format::Human {
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.is_error() || !output.quiet) {
            output.say(&format!("{}\n", builds::excerpt::render(diagnostic, sources, output.color)));
        }
    }
}

fn count(diagnostics: &[Diagnostic]) -> String {
    let of = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    match (of(Severity::Error), of(Severity::Warning)) {
        (errors, 0) => plural(errors, "error"),
        (errors, warnings) => format!("{} and {}", plural(errors, "error"), plural(warnings, "warning")),
    }
}
