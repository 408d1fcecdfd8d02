//! `svc push` and `svc publish`: build at the service, and release what was built.

use crate::global::Exit;
use crate::output::{CommandError, Output, Rejected, plural, visible};
use crate::remote::{Remote, fresh_key, list, text};
use crate::serve::block_on;
use crate::{build, commit, sources, what_if, what_if_page};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;
use svc_engine::diagnostic::Diagnostic;
use svc_engine::manifest::change_text::{self, Wording};
use svc_engine::manifest::diff::Change;

/// Arguments of `svc push`.
#[derive(Args, Debug)]
pub(crate) struct PushArgs {
    /// The folder that holds `product/product.config.ts`; with --commit a folder of the repository, or a bare repository.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Build this commit instead of the files that lie there: an id, a branch or a tag of the git repository in DIR.
    #[arg(long)]
    commit: Option<String>,
    /// The folder in the repository that holds `product/`; DIR's own place in it unless given.
    #[arg(long, requires = "commit")]
    folder: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc publish`.
#[derive(Args, Debug)]
pub(crate) struct PublishArgs {
    /// The folder that holds `product/product.config.ts`; pushed first.
    #[arg(default_value = ".", conflicts_with = "build")]
    dir: PathBuf,
    /// Release this commit instead of the files that lie there: an id, a branch or a tag of the git repository in DIR.
    #[arg(long, conflicts_with = "build")]
    commit: Option<String>,
    /// The folder in the repository that holds `product/`; DIR's own place in it unless given.
    #[arg(long, requires = "commit")]
    folder: Option<String>,
    /// A build that was pushed before, instead of a folder.
    #[arg(long)]
    build: Option<String>,
    /// Say what would happen: every change, whom it touches; and do nothing.
    #[arg(long)]
    dry_run: bool,
    /// Compare the bills of a period as they are with what they would be; for --dry-run or --max-increase.
    #[arg(long, value_enum, value_name = "PERIOD", num_args = 0..=1, default_missing_value = "last-period")]
    what_if: Option<Period>,
    /// Release only where no bill of that period rises by more, such as 10%.
    #[arg(long, value_name = "SHARE")]
    max_increase: Option<String>,
    /// Write the comparison as a page to this file, to be read and printed.
    #[arg(long, value_name = "FILE", requires = "dry_run")]
    html: Option<PathBuf>,
    /// The hash of the release that the build may replace, where that is not the one that was active when it was pushed.
    #[arg(long)]
    replaces: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Pushes.
pub(crate) fn push(args: &PushArgs, output: &Output) -> Exit {
    let what = What { dir: &args.dir, commit: args.commit.as_deref(), folder: args.folder.as_deref() };
    match block_on(build_there(&what, &args.remote, output)) {
        Ok(answer) => {
            let human = format!("{}\nbuilt as {}", text(&answer, "irHash"), text(&answer, "buildId"));
            output.done("push", &human, answer)
        }
        Err(Rejected { failure, diagnostics }) => output.failed("push", failure, &diagnostics),
    }
}

/// What is to be built.
struct What<'a> {
    dir: &'a std::path::Path,
    commit: Option<&'a str>,
    folder: Option<&'a str>,
}

/// Builds a folder or a commit at the service; its diagnostics are shown.
async fn build_there(what: &What<'_>, remote: &Remote, output: &Output) -> Result<Json, Rejected> {
    let (files, commit) = match what.commit {
        Some(name) => {
            let read = commit::read(what.dir, name, what.folder)?;
            (read.files, Some(read.commit))
        }
        None => (sources::read(what.dir)?, None),
    };
    let (client, path) = (remote.client()?, remote.path("builds")?);
    let body = json!({ "files": files, "commit": commit });
    let (status, answer) = client.ask_once(&path, &body, &fresh_key()?).await?;
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
    let answer = match block_on(attempt(args, output)) {
        Ok(answer) => answer,
        Err(Rejected { failure, diagnostics }) => return output.failed("publish", failure, &diagnostics),
    };
    let compared = answer.get("whatIf");
    if let (Some(file), Some(compared)) = (&args.html, compared)
        && let Err(failure) = what_if_page::write(file, compared)
    {
        return output.failed("publish", failure, &[]);
    }
    let human = visible(&human(&answer, args.dry_run, output.verbose > 0));
    match compared.and_then(what_if::exceeded) {
        Some(failure) => {
            output.result(&human);
            let more = answer.as_object().cloned().unwrap_or_default();
            output.failed_with("publish", failure, &[], Map::from_iter([("data".to_owned(), Json::Object(more))]))
        }
        None => output.done("publish", &human, answer),
    }
}

/// Which period's bills are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Period {
    /// The newest of each subscriber that has ended.
    LastPeriod,
    /// The one that is open, as far as it is used.
    OpenPeriod,
}

/// What is asked for beside the build.
fn comparison(args: &PublishArgs) -> Result<Map<String, Json>, CommandError> {
    let unused = (args.what_if.is_some() || args.html.is_some()) && !args.dry_run && args.max_increase.is_none();
    if unused {
        let message = "--what-if is for --dry-run, or to hold a release to --max-increase";
        return Err(CommandError::new(Exit::Usage, "WHAT_IF_UNUSED", message));
    }
    let period = args.what_if.or_else(|| args.html.is_some().then_some(Period::LastPeriod));
    let name = period.map(|period| match period {
        Period::LastPeriod => "last-period",
        Period::OpenPeriod => "open-period",
    });
    let members =
        [("whatIf", name.map(|name| json!(name))), ("maxIncrease", args.max_increase.as_ref().map(|most| json!(most)))];
    Ok(members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
}

async fn attempt(args: &PublishArgs, output: &Output) -> Result<Json, Rejected> {
    let comparison = comparison(args)?;
    let build = match &args.build {
        Some(build) => build.clone(),
        None => {
            let what = What { dir: &args.dir, commit: args.commit.as_deref(), folder: args.folder.as_deref() };
            text(&build_there(&what, &args.remote, output).await?, "buildId")
        }
    };
    let mut body = json!({ "buildId": build, "dryRun": args.dry_run });
    if let (Some(hash), Json::Object(body)) = (&args.replaces, &mut body) {
        body.insert("replaces".to_owned(), json!(hash));
    }
    if let Json::Object(body) = &mut body {
        body.extend(comparison);
    }
    let (client, path) = (args.remote.client()?, args.remote.path("releases")?);
    Ok(client.post_once(&path, &body, &fresh_key()?).await?)
}

/// What publishing did, or would do.
pub(crate) fn human(answer: &Json, dry_run: bool, in_ir_names: bool) -> String {
    let unchanged = answer.get("unchanged") == Some(&Json::Bool(true));
    if !dry_run {
        let what = if unchanged { "is active already" } else { "published" };
        return format!("{}\n{what} as {}", text(answer, "irHash"), text(answer, "releaseId"));
    }
    let compared = answer.get("whatIf").map(|compared| format!("\n\n{}", what_if::human(compared, in_ir_names)));
    let compared = compared.unwrap_or_default();
    if unchanged {
        return format!("{}\nis active already; nothing would happen{compared}", text(answer, "irHash"));
    }
    let changes: Vec<Change> =
        serde_json::from_value(answer.get("changes").cloned().unwrap_or_default()).unwrap_or_default();
    let wording = if in_ir_names { Wording::Ir } else { Wording::Author { before: None, after: None } };
    let mut lines = vec![change_text::human(&changes, wording), String::new()];
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
    lines.join("\n") + &compared
}
