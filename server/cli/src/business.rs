//! `svc business`: making businesses, and the tokens that act for them.

use crate::global::Exit;
use crate::output::Output;
use crate::remote::{Remote, run, text};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

/// What to do with businesses.
#[derive(Subcommand, Debug)]
pub(crate) enum BusinessCommand {
    /// Make a business, and print its id.
    Create(CreateArgs),
    /// Mint a deploy token, or with --subject a portal token, with --gateway too a gateway token; it is printed, and kept nowhere.
    Token(TokenArgs),
}

/// Arguments of `svc business create`.
#[derive(Args, Debug)]
pub(crate) struct CreateArgs {
    /// A name for people.
    name: String,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc business token`.
#[derive(Args, Debug)]
pub(crate) struct TokenArgs {
    /// The subscriber that the token is for; without one it is a deploy token.
    #[arg(long)]
    subject: Option<String>,
    /// Mint a token for the subscriber's requests to the product, at its gateway.
    #[arg(long, requires = "subject")]
    gateway: bool,
    /// Seconds after which it ends, at most a year; never unless given.
    #[arg(long)]
    expires_in_seconds: Option<u32>,
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
        BusinessCommand::Token(args) => {
            let ask = async { args.remote.client()?.post(&args.remote.path("tokens")?, &body(args)).await };
            run("business token", output, ask, |minted| text(minted, "token"))
        }
    }
}

fn body(args: &TokenArgs) -> Json {
    match &args.subject {
        Some(subject) => {
            let kind = if args.gateway { "gateway" } else { "portal" };
            json!({ "kind": kind, "subject": subject, "expiresInSeconds": args.expires_in_seconds })
        }
        None => json!({ "kind": "deploy", "expiresInSeconds": args.expires_in_seconds }),
    }
}
