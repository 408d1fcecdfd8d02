//! `svc usage`: what was used, reported and shown.

use crate::global::Exit;
use crate::output::{CommandError, Output, visible};
use crate::remote::{Remote, list, run, segment, table, text};
use crate::serve::block_on;
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Items that are sent at once: what the service takes.
const BATCH_MAX_ITEMS: usize = 1_000;
/// Bytes of items that are sent at once, unless one item alone has more.
const BATCH_MAX_BYTES: usize = 900_000;
/// Items that were refused and are shown, at most; the rest is counted.
const REFUSED_SHOWN: usize = 20;

/// What to do with usage.
#[derive(Subcommand, Debug)]
pub(crate) enum UsageCommand {
    /// Report usage items, one JSON object a line. An item that was reported before is not charged again.
    Report(ReportArgs),
    /// Show what a subscription has used in its open period: a line per window and meter.
    Show(ShowArgs),
}

/// Arguments of `svc usage report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// The file of items; standard input where it is -, or is not given.
    file: Option<PathBuf>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc usage show`.
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The subscription.
    subscription: String,
    #[command(flatten)]
    remote: Remote,
}

/// Runs a usage command.
pub(crate) fn dispatch(command: &UsageCommand, output: &Output) -> Exit {
    match command {
        UsageCommand::Report(args) => report(args, output),
        UsageCommand::Show(args) => {
            let path = args.remote.path(&format!("subscriptions/{}/usage", segment(&args.subscription)));
            let ask = async { args.remote.client()?.get(&path?).await };
            run("usage show", output, ask, shown)
        }
    }
}

/// What a report came to.
#[derive(Default)]
struct Reported {
    accepted: u64,
    duplicate: u64,
    /// What was refused, each with the line it stands in.
    refused: Vec<Json>,
}

fn report(args: &ReportArgs, output: &Output) -> Exit {
    let mut reported = Reported::default();
    let sent = block_on(send(args, output, &mut reported));
    let Reported { accepted, duplicate, refused } = &reported;
    if let Err(failure) = sent {
        output.note(&format!(
            "{accepted} accepted, {duplicate} known before; send the same file again, nothing is charged twice"
        ));
        return output.failed("usage report", failure, &[]);
    }
    for item in refused.iter().take(REFUSED_SHOWN) {
        let [line, code, message] = ["line", "code", "message"].map(|name| text(item, name));
        output.say(&visible(&format!("line {line}: {code}: {message}")));
    }
    let said = format!("{accepted} accepted, {duplicate} known before, {} refused", refused.len());
    if refused.is_empty() {
        let data = json!({ "accepted": accepted, "duplicate": duplicate, "refused": refused });
        return output.done("usage report", &said, data);
    }
    let failure = CommandError::new(Exit::Refused, "ITEMS_REFUSED", said);
    output.failed("usage report", failure.with_hint("the others are charged; mend these, and send them again"), &[])
}

/// Sends all lines, a batch after the other.
async fn send(args: &ReportArgs, output: &Output, reported: &mut Reported) -> Result<(), CommandError> {
    let (client, path) = (args.remote.client()?, args.remote.path("usage")?);
    let mut lines = open(args.file.as_deref())?.lines().zip(1_u64..).peekable();
    let mut batch: Vec<(u64, Json)> = Vec::new();
    let mut bytes = 0_usize;
    while let Some((line, number)) = lines.next() {
        let line = line.map_err(|error| unreadable(&args.file, &error.to_string()))?;
        if !line.trim().is_empty() {
            bytes = bytes.saturating_add(line.len());
            batch.push((number, item(&line, number)?));
        }
        let next = lines.peek().and_then(|(next, _)| next.as_ref().ok()).map_or(0, String::len);
        let is_full = batch.len() >= BATCH_MAX_ITEMS || bytes.saturating_add(next) > BATCH_MAX_BYTES;
        if batch.is_empty() || !is_full && lines.peek().is_some() {
            continue;
        }
        let items: Vec<&Json> = batch.iter().map(|(_, item)| item).collect();
        let answer = client.post(&path, &json!({ "items": items })).await?;
        for (result, (number, _)) in list(&answer, "results").iter().zip(&batch) {
            match text(result, "status").as_str() {
                "accepted" => reported.accepted = reported.accepted.saturating_add(1),
                "duplicate" => reported.duplicate = reported.duplicate.saturating_add(1),
                _ => reported.refused.push(json!({
                    "line": number, "id": result.get("id"), "code": result.get("code"), "message": result.get("message"),
                })),
            }
        }
        output.note(&format!("line {number}: {} accepted so far", reported.accepted));
        batch.clear();
        bytes = 0;
    }
    Ok(())
}

fn open(file: Option<&Path>) -> Result<Box<dyn BufRead>, CommandError> {
    match file.filter(|file| *file != Path::new("-")) {
        None => Ok(Box::new(std::io::stdin().lock())),
        Some(file) => {
            let opened = std::fs::File::open(file);
            let opened = opened.map_err(|error| unreadable(&Some(file.to_owned()), &error.to_string()))?;
            Ok(Box::new(std::io::BufReader::new(opened)))
        }
    }
}

fn unreadable(file: &Option<PathBuf>, why: &str) -> CommandError {
    let name = file.as_deref().map_or_else(|| "standard input".to_owned(), |file| file.display().to_string());
    CommandError::new(Exit::Unreachable, "USAGE_UNREADABLE", format!("{name} can't be read: {why}"))
}

fn item(line: &str, number: u64) -> Result<Json, CommandError> {
    serde_json::from_str(line).map_err(|error| {
        let message = format!("line {number} is no usage item as JSON: {error}");
        CommandError::new(Exit::Usage, "ITEM_FORM", message)
            .with_hint("one JSON object a line; mend it and send the file again: nothing is charged twice")
    })
}

fn shown(usage: &Json) -> String {
    let row = |line: &Json| {
        ["windowId", "meter", "quantity", "includedUnits", "ratedNanos"].map(|name| text(line, name)).to_vec()
    };
    let names = ["WINDOW", "METER", "QUANTITY", "INCLUDED", "RATED (n)"];
    let [subject, plan, from, to] = ["subject", "plan", "periodStart", "periodEnd"].map(|name| text(usage, name));
    let lines = list(usage, "lines").iter().map(row).collect();
    format!("{subject} on {plan}, from {from} to {to}\n{}", table(&names, lines))
}
