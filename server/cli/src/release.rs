//! `svc release`: what was published, and the way back to it.

use crate::global::Exit;
use crate::output::{CommandError, Output, visible};
use crate::page::{PageArgs, with_cursor};
use crate::remote::{Remote, fresh_key, list, run, segment, table, text};
use crate::serve::block_on;
use crate::{client, push};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

/// What to do with releases.
#[derive(Subcommand, Debug)]
pub(crate) enum ReleaseCommand {
    /// List releases, newest first.
    List(PageArgs),
    /// Release again what was released before; with --dry-run, say what that would change. Nobody who is subscribed is moved.
    Rollback(RollbackArgs),
}

/// Arguments of `svc release rollback`.
#[derive(Args, Debug)]
pub(crate) struct RollbackArgs {
    /// The release to go back to; the newest with another manifest than the active one unless given.
    release: Option<String>,
    /// Say what would happen: every change, whom it touches; and do nothing.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    remote: Remote,
}

/// Runs a release command.
pub(crate) fn dispatch(command: &ReleaseCommand, output: &Output) -> Exit {
    match command {
        ReleaseCommand::List(page) => run("release list", output, page.list("releases", "releases"), releases),
        ReleaseCommand::Rollback(args) => match block_on(roll_back(args)) {
            Ok(answer) => {
                let human = push::human(&answer, args.dry_run, output.verbose > 0);
                output.done("release rollback", &visible(&human), answer)
            }
            Err(failure) => output.failed("release rollback", failure, &[]),
        },
    }
}

async fn roll_back(args: &RollbackArgs) -> Result<Json, CommandError> {
    let (client, releases) = (args.remote.client()?, args.remote.path("releases")?);
    let (active, target) = found(&client, &releases, args.release.as_deref()).await?;
    let body = json!({ "buildId": target, "replaces": active, "dryRun": args.dry_run });
    client.post_once(&releases, &body, &fresh_key()?).await
}

/// The hash of the active release, and the build of the one to go back to: page by page, the newest first.
async fn found(client: &client::Client, path: &str, wanted: Option<&str>) -> Result<(String, String), CommandError> {
    let (mut cursor, mut active, mut target) = (String::new(), None, None);
    loop {
        let page = client.get(&format!("{path}?{cursor}")).await?;
        for release in list(&page, "releases") {
            let hash = text(release, "irHash");
            if release.get("active") == Some(&Json::Bool(true)) {
                active = Some(hash.clone());
            }
            let is_target = match wanted {
                Some(wanted) => text(release, "releaseId") == wanted,
                None => active.as_ref().is_some_and(|active| *active != hash),
            };
            if is_target && target.is_none() {
                target = Some(text(release, "buildId"));
            }
        }
        match (&active, &target, text(&page, "cursor").as_str()) {
            (Some(active), Some(target), _) => return Ok((active.clone(), target.clone())),
            (_, _, "-") => return Err(missing(wanted, active.is_some())),
            (_, _, next) => cursor = format!("cursor={}", segment(next)),
        }
    }
}

fn missing(wanted: Option<&str>, has_active: bool) -> CommandError {
    let message = match wanted {
        Some(wanted) if has_active => format!("there is no release {wanted}"),
        _ if has_active => "there is no earlier release with another manifest".to_owned(),
        _ => "the business has published nothing yet".to_owned(),
    };
    CommandError::new(Exit::Refused, "NO_RELEASE", message).with_hint("svc release list shows what there is")
}

fn releases(answer: &Json) -> String {
    let row = |release: &Json| {
        let active = if release.get("active") == Some(&Json::Bool(true)) { "yes" } else { "" };
        let [id, activated, build, hash] =
            ["releaseId", "activatedAt", "buildId", "irHash"].map(|name| text(release, name));
        vec![id, activated, active.to_owned(), build, hash]
    };
    let names = ["RELEASE", "ACTIVATED", "ACTIVE", "BUILD", "MANIFEST"];
    with_cursor(answer, table(&names, list(answer, "releases").iter().map(row).collect()))
}
