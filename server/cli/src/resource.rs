//! `svc resource`: what the gateway counts of a subscriber's resources, and what it is to count on from.

use crate::global::Exit;
use crate::output::Output;
use crate::page::{PageArgs, with_cursor};
use crate::remote::{Remote, list, run, segment, table, text};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

/// What to do with counts.
#[derive(Subcommand, Debug)]
pub(crate) enum ResourceCommand {
    /// Say how many of each resource a subscriber has, as the gateway counts.
    List(ListArgs),
    /// Say how many of a resource a subscriber has, whatever was counted; requests count on from there.
    Set(SetArgs),
}

/// Arguments of `svc resource list`.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// The subscriber.
    subject: String,
    #[command(flatten)]
    page: PageArgs,
}

/// Arguments of `svc resource set`.
#[derive(Args, Debug)]
pub(crate) struct SetArgs {
    /// The subscriber.
    subject: String,
    /// The resource, as the product declares it.
    resource: String,
    /// How many there are.
    count: u64,
    #[command(flatten)]
    remote: Remote,
}

/// Runs a resource command.
pub(crate) fn dispatch(command: &ResourceCommand, output: &Output) -> Exit {
    match command {
        ResourceCommand::List(args) => {
            let path = format!("resource-counts?subject={}", segment(&args.subject));
            run("resource list", output, args.page.list(&path, "resources"), shown)
        }
        ResourceCommand::Set(args) => {
            let body = json!({ "subject": args.subject, "resource": args.resource, "count": args.count });
            let ask = async { args.remote.client()?.put(&args.remote.path("resource-counts")?, &body).await };
            run("resource set", output, ask, shown)
        }
    }
}

fn shown(counts: &Json) -> String {
    let rows: Vec<Vec<String>> = list(counts, "resources")
        .iter()
        .map(|row| vec![text(row, "resource"), row.get("count").map(Json::to_string).unwrap_or_default()])
        .collect();
    if rows.is_empty() {
        return format!("nothing was ever counted of {}", text(counts, "subject"));
    }
    with_cursor(counts, table(&["RESOURCE", "COUNT"], rows))
}
