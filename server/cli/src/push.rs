//! `svc push` and `svc publish`: build at the service, and release what was built.

use crate::global::Exit;
use crate::output::{CommandError, Output, plural, visible};
use crate::remote::{Remote, fresh_key, list, text};
use crate::serve::block_on;
use crate::{build, sources};
use clap::Args;
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use svc_engine::diagnostic::Diagnostic;
use svc_engine::manifest::change_text::human as human_changes;
use svc_engine::manifest::diff::Change;

/// Arguments of `svc push`.
#[derive(Args, Debug)]
pub(crate) struct PushArgs {
    /// The folder that holds `product/product.config.ts`.
    #[arg(default_value = ".")]
    dir: PathBuf,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc publish`.
#[derive(Args, Debug)]
pub(crate) struct PublishArgs {
    /// The folder that holds `product/product.config.ts`; pushed first.
    #[arg(default_value = ".", conflicts_with = "build")]
    dir: PathBuf,
    /// A build that was pushed before, instead of a folder.
    #[arg(long)]
    build: Option<String>,
    /// Say what would happen: every change, whom it touches; and do nothing.
    #[arg(long)]
    dry_run: bool,
    /// The hash of the release that the build may replace, where that is not the one that was active when it was pushed.
    #[arg(long)]
    replaces: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Pushes.
pub(crate) fn push(args: &PushArgs, output: &Output) -> Exit {
    match block_on(build_there(&args.dir, &args.remote, output)) {
        Ok(answer) => {
            let human = format!("{}\nbuilt as {}", text(&answer, "irHash"), text(&answer, "buildId"));
            output.done("push", &human, answer)
        }
        Err(Rejected { failure, diagnostics }) => output.failed("push", failure, &diagnostics),
    }
}

/// A failure, with the diagnostics that explain it.
struct Rejected {
    failure: CommandError,
    diagnostics: Vec<Diagnostic>,
}

impl From<CommandError> for Rejected {
    fn from(failure: CommandError) -> Self {
        Rejected { failure, diagnostics: Vec::new() }
    }
}

/// Builds a folder at the service; its diagnostics are shown.
async fn build_there(dir: &std::path::Path, remote: &Remote, output: &Output) -> Result<Json, Rejected> {
    let files = sources::read(dir)?;
    let (client, path) = (remote.client()?, remote.path("builds")?);
    let (status, answer) = client.ask_once(&path, &json!({ "files": files }), &fresh_key()?).await?;
    let diagnostics = answer.get("diagnostics").cloned().unwrap_or_default();
    let diagnostics: Vec<Diagnostic> = serde_json::from_value(diagnostics).unwrap_or_default();
    build::show(&diagnostics, &files, output);
    if status.is_success() {
        return Ok(answer);
    }
    let mut failure = crate::client::refusal(status, &answer);
    if failure.code.starts_with("BUILD_") && failure.code != "BUILD_REJECTED" {
        failure.exit = Exit::Stopped;
    }
    Err(Rejected { failure, diagnostics })
}

/// Publishes.
pub(crate) fn publish(args: &PublishArgs, output: &Output) -> Exit {
    match block_on(attempt(args, output)) {
        Ok(answer) => output.done("publish", &visible(&human(&answer, args.dry_run)), answer),
        Err(Rejected { failure, diagnostics }) => output.failed("publish", failure, &diagnostics),
    }
}

async fn attempt(args: &PublishArgs, output: &Output) -> Result<Json, Rejected> {
    let build = match &args.build {
        Some(build) => build.clone(),
        None => text(&build_there(&args.dir, &args.remote, output).await?, "buildId"),
    };
    let mut body = json!({ "buildId": build, "dryRun": args.dry_run });
    if let (Some(hash), Json::Object(body)) = (&args.replaces, &mut body) {
        body.insert("replaces".to_owned(), json!(hash));
    }
    let (client, path) = (args.remote.client()?, args.remote.path("releases")?);
    Ok(client.post_once(&path, &body, &fresh_key()?).await?)
}

fn human(answer: &Json, dry_run: bool) -> String {
    let unchanged = answer.get("unchanged") == Some(&Json::Bool(true));
    if !dry_run {
        let what = if unchanged { "is active already" } else { "published" };
        return format!("{}\n{what} as {}", text(answer, "irHash"), text(answer, "releaseId"));
    }
    if unchanged {
        return format!("{}\nis active already; nothing would happen", text(answer, "irHash"));
    }
    let changes: Vec<Change> =
        serde_json::from_value(answer.get("changes").cloned().unwrap_or_default()).unwrap_or_default();
    let mut lines = vec![human_changes(&changes), String::new()];
    for (plan, preview) in answer.get("plans").and_then(Json::as_object).into_iter().flatten() {
        let subscribers = preview.get("subscribers").and_then(Json::as_object).into_iter().flatten();
        let counts: Vec<String> = subscribers.map(|(version, count)| format!("{count} on version {version}")).collect();
        let stay = if counts.is_empty() {
            "no subscribers".to_owned()
        } else {
            format!("{}, who stay there", counts.join(", "))
        };
        let (from, to) = (text(preview, "activeVersion"), text(preview, "nextVersion"));
        lines.push(format!("plan {plan}: version {from} → {to}; {stay}"));
    }
    let yes = |name: &str| answer.get(name) == Some(&Json::Bool(true));
    lines.push(format!(
        "{}; economic: {}; breaking: {}",
        plural(list(answer, "changes").len(), "change"),
        yes("economic"),
        yes("breaking")
    ));
    lines.join("\n")
}
