//! `svc ledger`: the audit.

use crate::global::{Exit, Format};
use crate::output::{CommandError, Output, plural};
use crate::remote::{Remote, list, text};
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
    let ask = async { args.remote.client()?.get(&args.remote.path("ledger/audit")?).await };
    match block_on(ask) {
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
