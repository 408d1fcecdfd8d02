//! `svc diff`.

use crate::build::compile_dir;
use crate::global::Exit;
use crate::output::{CommandError, Output, visible};
use crate::remote::Remote;
use crate::serve::block_on;
use clap::Args;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use svc_engine::manifest::Manifest;
use svc_engine::manifest::diff::{Change, ChangeKind, diff};

/// The word that names the active release.
const RELEASE: &str = "release";
/// Longest value that is shown to people, in characters.
const SHOWN_MAX_CHARS: usize = 60;

/// Arguments of `svc diff`.
#[derive(Args, Debug)]
pub(crate) struct DiffArgs {
    /// The folder that holds `product/product.config.ts`.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// What to compare with: a product-build.json, a bare IR, another product's folder, or `release` for the active release of the
    /// service. Without it, the product-build.json in DIR; where there is none, nothing.
    #[arg(long)]
    against: Option<PathBuf>,
    #[command(flatten)]
    remote: Remote,
    /// End with 1 when something changed.
    #[arg(long)]
    exit_code: bool,
}

/// Builds, compares, prints.
pub(crate) fn run(args: &DiffArgs, output: &Output) -> Exit {
    match attempt(args, output) {
        Ok(exit) => exit,
        Err(failure) => output.failed("diff", failure, &[]),
    }
}

fn attempt(args: &DiffArgs, output: &Output) -> Result<Exit, CommandError> {
    let after = compile_dir(&args.dir, output)?;
    let own = args.dir.join(crate::build::BUILD_FILE);
    let against = args.against.clone().or_else(|| own.is_file().then_some(own));
    let before = match &against {
        Some(path) if path.as_os_str() == RELEASE => Some(read_release(&args.remote)?),
        Some(path) if path.is_dir() => Some(compile_dir(path, output)?),
        Some(path) => Some(read_ir(path)?),
        None => None,
    };
    let changes = diff(before.as_ref(), Some(&after));
    let different = !changes.is_empty();
    let count = |picks: fn(&Change) -> bool| changes.iter().filter(|change| picks(change)).count();
    let data = json!({
        "against": against,
        "changes": changes,
        "economic": count(|change| change.economic),
        "breaking": count(|change| change.breaking),
    });
    let done = output.done("diff", &human(&changes), data);
    Ok(if different && args.exit_code { Exit::Wrong } else { done })
}

/// The IR of the active release.
fn read_release(remote: &Remote) -> Result<Manifest, CommandError> {
    let mut release = block_on(async { remote.client()?.get(&remote.path("releases/active")?).await })?;
    let ir = release.get_mut("ir").map(Json::take).unwrap_or_default();
    serde_json::from_value(ir)
        .map_err(|error| CommandError::new(Exit::Unreachable, "RELEASE_UNREADABLE", error.to_string()))
}

/// The IR in a file: `product-build.json`, or the IR itself.
fn read_ir(path: &Path) -> Result<Manifest, CommandError> {
    let unreadable =
        |error: String| CommandError::new(Exit::Unreachable, "FILE_UNREADABLE", format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let mut json: Json = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let ir = json.get_mut("ir").map(Json::take).unwrap_or(json);
    serde_json::from_value(ir).map_err(|error| unreadable(format!("it holds no Manifest IR: {error}")))
}

/// The changes for people, by resource.
pub(crate) fn human(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "nothing changed".to_owned();
    }
    let mut lines = Vec::new();
    let (mut resource, mut key) = ("", "");
    for change in changes {
        if change.resource != resource {
            (resource, key) = (&change.resource, "");
            lines.push(resource.to_owned());
        }
        if change.field.is_empty() {
            lines.push(format!("  {} {}{}", sign(change.kind), name(change), marks(change)));
            key = &change.key;
            continue;
        }
        if change.key != key || key.is_empty() && lines.last().is_some_and(|line| line == resource) {
            key = &change.key;
            lines.push(format!("  ~ {}", name(change)));
        }
        lines.push(format!(
            "      {} {}{}{}",
            sign(change.kind),
            visible(&change.field),
            values(change),
            marks(change)
        ));
    }
    lines.join("\n")
}

fn name(change: &Change) -> String {
    if change.key.is_empty() { format!("({})", change.resource) } else { visible(&change.key) }
}

fn sign(kind: ChangeKind) -> char {
    match kind {
        ChangeKind::Added => '+',
        ChangeKind::Removed => '-',
        ChangeKind::Changed => '~',
        ChangeKind::Moved => '↕',
    }
}

fn values(change: &Change) -> String {
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!(": {} → {}", short(before), short(after)),
        (Some(only), None) | (None, Some(only)) => format!(": {}", short(only)),
        (None, None) => String::new(),
    }
}

fn short(value: &Json) -> String {
    let text = visible(&value.to_string());
    if text.chars().count() <= SHOWN_MAX_CHARS {
        return text;
    }
    text.chars().take(SHOWN_MAX_CHARS).chain(['…']).collect()
}

fn marks(change: &Change) -> &'static str {
    match (change.economic, change.breaking) {
        (true, true) => "  [economic, breaking]",
        (true, false) => "  [economic]",
        (false, true) => "  [breaking]",
        (false, false) => "",
    }
}
