//! `svc ledger`: the audit.

use crate::global::{Exit, Format};
use crate::output::{CommandError, Output, plural};
use crate::remote::{Remote, list, segment, text};
use crate::serve::block_on;
use clap::{Args, Subcommand};
use serde_json::{Map, Value as Json};

/// What to do with the ledger.
#[derive(Subcommand, Debug)]
pub(crate) enum LedgerCommand {
    /// Work out every balance, window and invoice again from charges and postings alone, and compare.
    Verify(VerifyArgs),
}

/// Arguments of `svc ledger verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    remote: Remote,
}

/// Runs a ledger command.
pub(crate) fn dispatch(command: &LedgerCommand, output: &Output) -> Exit {
    let LedgerCommand::Verify(args) = command;
    match block_on(audit(&args.remote)) {
        Ok(audit) if list(&audit, "findings").is_empty() => output.done("ledger verify", &summary(&audit), audit),
        Ok(audit) => {
            if output.format == Format::Human {
                list(&audit, "findings").iter().for_each(|finding| output.say(&shown(finding)));
            }
            let found = list(&audit, "findings").len();
            let disagree = if found == 1 { "does not agree" } else { "do not agree" };
            let message = format!("{} {disagree}; {}", plural(found, "thing"), summary(&audit));
            let failure = CommandError::new(Exit::Wrong, "LEDGER_DISAGREES", message);
            output.failed_with("ledger verify", failure, &[], Map::from_iter([("data".to_owned(), audit)]))
        }
        Err(failure) => output.failed("ledger verify", failure, &[]),
    }
}

/// Has all subscriptions looked at, page by page.
async fn audit(remote: &Remote) -> Result<Json, CommandError> {
    let (client, path) = (remote.client()?, remote.path("ledger/audit")?);
    let mut whole = client.get(&path).await?;
    loop {
        let cursor = whole.as_object_mut().and_then(|whole| whole.remove("cursor"));
        let Some(Json::String(cursor)) = cursor else { return Ok(whole) };
        let page = client.get(&format!("{path}?cursor={}", segment(&cursor))).await?;
        for (name, value) in page.as_object().into_iter().flatten() {
            match (whole.get_mut(name), value) {
                (Some(Json::Array(all)), Json::Array(more)) => all.extend(more.iter().cloned()),
                (Some(all @ Json::Number(_)), Json::Number(more)) => {
                    let sum = all.as_u64().unwrap_or_default().saturating_add(more.as_u64().unwrap_or_default());
                    *all = Json::from(sum);
                }
                (_, Json::String(next)) => {
                    if let Some(whole) = whole.as_object_mut() {
                        whole.insert(name.clone(), Json::String(next.clone()));
                    }
                }
                _ => {}
            }
        }
    }
}

fn shown(finding: &Json) -> String {
    format!("{}: kept {}, computed {}", text(finding, "place"), text(finding, "kept"), text(finding, "computed"))
}

fn summary(audit: &Json) -> String {
    let count = |name: &str, thing| {
        let count = audit.get(name).and_then(Json::as_u64).and_then(|count| usize::try_from(count).ok());
        plural(count.unwrap_or_default(), thing)
    };
    format!(
        "{}, {}, {} and {} looked at",
        count("subscriptions", "subscription"),
        count("windows", "window"),
        count("charges", "charge"),
        count("transactions", "transaction")
    )
}
