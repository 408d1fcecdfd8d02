//! `svc diff`.

use crate::build::compile_dir;
use crate::global::Exit;
use crate::output::{CommandError, Output, Rejected};
use crate::remote::Remote;
use crate::serve::block_on;
use clap::Args;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use svc_engine::manifest::Manifest;
use svc_engine::manifest::change_text::{self, Wording};
use svc_engine::manifest::diff::{Change, diff};

/// The word that names the active release.
pub(crate) const RELEASE: &str = "release";

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
        Err(Rejected { failure, diagnostics }) => output.failed("diff", failure, &diagnostics),
    }
}

fn attempt(args: &DiffArgs, output: &Output) -> Result<Exit, Rejected> {
    let after = compile_dir(&args.dir, output)?;
    let own = args.dir.join(crate::build::BUILD_FILE);
    let against = args.against.clone().or_else(|| own.is_file().then_some(own));
    let before = match &against {
        Some(path) if path.as_os_str() == RELEASE => Some(block_on(active_release(&args.remote))?),
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
    let wording = match output.verbose {
        0 => Wording::Author { before: before.as_ref(), after: Some(&after) },
        _ => Wording::Ir,
    };
    let done = output.done("diff", &change_text::human(&changes, wording), data);
    Ok(if different && args.exit_code { Exit::Wrong } else { done })
}

/// The IR of the active release.
pub(crate) async fn active_release(remote: &Remote) -> Result<Manifest, CommandError> {
    let mut release = remote.client()?.get(&remote.path("releases/active")?).await?;
    let ir = release.get_mut("ir").map(Json::take).unwrap_or_default();
    serde_json::from_value(ir)
        .map_err(|error| CommandError::new(Exit::Unreachable, "RELEASE_UNREADABLE", error.to_string()))
}

/// The IR in a file: `product-build.json`, or the IR itself.
pub(crate) fn read_ir(path: &Path) -> Result<Manifest, CommandError> {
    let unreadable =
        |error: String| CommandError::new(Exit::Unreachable, "FILE_UNREADABLE", format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let mut json: Json = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let ir = json.get_mut("ir").map(Json::take).unwrap_or(json);
    serde_json::from_value(ir).map_err(|error| unreadable(format!("it holds no Manifest IR: {error}")))
}
