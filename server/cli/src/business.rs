//! `svc business`: making businesses.

use crate::global::Exit;
use crate::output::Output;
use crate::remote::{Remote, run, text};
use clap::{Args, Subcommand};
use serde_json::json;

/// What to do with businesses.
#[derive(Subcommand, Debug)]
pub(crate) enum BusinessCommand {
    /// Make a business, and print its id.
    Create(CreateArgs),
}

/// Arguments of `svc business create`.
#[derive(Args, Debug)]
pub(crate) struct CreateArgs {
    /// A name for people.
    name: String,
    #[command(flatten)]
    remote: Remote,
}

/// Runs a business command.
pub(crate) fn dispatch(command: &BusinessCommand, output: &Output) -> Exit {
    match command {
        BusinessCommand::Create(args) => {
            let ask = async { args.remote.client()?.post("/v1/businesses", &json!({ "name": args.name })).await };
            run("business create", output, ask, |made| text(made, "businessId"))
        }
    }
}
