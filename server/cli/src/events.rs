//! `svc events`: who is told of what happens in a business, and what was told.

use crate::consent::Consent;
use crate::global::Exit;
use crate::output::Output;
use crate::page::{PageArgs, with_cursor};
use crate::remote::{Remote, list, run, segment, table, text};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

/// What to do with events.
#[derive(Subcommand, Debug)]
pub(crate) enum EventsCommand {
    /// Name an address that events are posted to, and show the secret that they are signed with.
    Add(AddArgs),
    /// List who is told.
    Receivers(Remote),
    /// Make another secret; events are signed with the former one too for 24 hours more.
    Rotate(RotateArgs),
    /// Send events again to a receiver that had answered that it is gone.
    Start(ReceiverArgs),
    /// Take a receiver away, with what was on its way to it.
    Remove(RemoveArgs),
    /// List what happened, newest first, and whether it was told.
    List(ListArgs),
    /// Send one event again, or what was given up.
    Redeliver(RedeliverArgs),
}

/// Arguments of `svc events add`.
#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// The address: https://…
    #[arg(value_name = "ADDRESS")]
    to: String,
    /// A type of event to be told of, such as invoice.closed; may be given several times. All unless given.
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    /// The secret to sign with, `whsec_` and base64; made and shown unless given.
    #[arg(long, env = "SVC_EVENTS_SECRET", hide_env_values = true)]
    secret: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc events rotate`.
#[derive(Args, Debug)]
pub(crate) struct RotateArgs {
    /// The receiver's id.
    receiver: String,
    /// The new secret; made and shown unless given.
    #[arg(long, env = "SVC_EVENTS_SECRET", hide_env_values = true)]
    secret: Option<String>,
    /// Sign with the former secret no more.
    #[arg(long)]
    at_once: bool,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of commands on one receiver.
#[derive(Args, Debug)]
pub(crate) struct ReceiverArgs {
    /// The receiver's id.
    receiver: String,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc events remove`.
#[derive(Args, Debug)]
pub(crate) struct RemoveArgs {
    /// The receiver's id.
    receiver: String,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc events list`.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    page: PageArgs,
}

/// Arguments of `svc events redeliver`.
#[derive(Args, Debug)]
pub(crate) struct RedeliverArgs {
    /// The event's id; without one, all that was given up is sent again.
    event: Option<String>,
    /// Since when, such as 2026-11-28T00:00:00Z; a week ago unless given.
    #[arg(long, conflicts_with = "event")]
    since: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Runs an events command.
pub(crate) fn dispatch(command: &EventsCommand, output: &Output) -> Exit {
    match command {
        EventsCommand::Add(args) => {
            let types = (!args.types.is_empty()).then_some(&args.types);
            let body = json!({ "url": args.to, "types": types, "secret": args.secret });
            let ask = async { args.remote.client()?.post(&args.remote.path("event-receivers")?, &body).await };
            run("events add", output, ask, receiver)
        }
        EventsCommand::Receivers(remote) => {
            let ask = async { remote.client()?.get(&remote.path("event-receivers")?).await };
            run("events receivers", output, ask, receivers)
        }
        EventsCommand::Rotate(args) => {
            let body = json!({ "secret": args.secret, "atOnce": args.at_once });
            let path = receiver_path(&args.receiver, "/rotate");
            let ask = async {
                if args.at_once {
                    args.consent.ask(output, "receivers who know the former secret alone take nothing from now on")?;
                }
                args.remote.client()?.post(&args.remote.path(&path)?, &body).await
            };
            run("events rotate", output, ask, receiver)
        }
        EventsCommand::Start(args) => {
            let path = receiver_path(&args.receiver, "/start");
            let ask = async { args.remote.client()?.post(&args.remote.path(&path)?, &json!({})).await };
            run("events start", output, ask, receiver)
        }
        EventsCommand::Remove(args) => {
            let path = receiver_path(&args.receiver, "");
            let what = format!("{} is not told of anything any more, nor of what is on its way to it", args.receiver);
            let ask = async {
                args.consent.ask(output, &what)?;
                args.remote.client()?.delete(&args.remote.path(&path)?).await
            };
            run("events remove", output, ask, |_| "removed; nothing is sent there any more".to_owned())
        }
        EventsCommand::List(args) => run("events list", output, args.page.list("events", "events"), events),
        EventsCommand::Redeliver(args) => {
            let body = json!({ "event": args.event, "since": args.since });
            let ask = async { args.remote.client()?.post(&args.remote.path("events/redeliver")?, &body).await };
            run("events redeliver", output, ask, |answer| match text(answer, "deliveries").as_str() {
                "1" => "1 delivery is on its way".to_owned(),
                count => format!("{count} deliveries are on their way"),
            })
        }
    }
}

fn receiver_path(receiver: &str, rest: &str) -> String {
    format!("event-receivers/{}{rest}", segment(receiver))
}

fn types(receiver: &Json) -> String {
    let names: Vec<&str> = list(receiver, "types").iter().filter_map(Json::as_str).collect();
    if names.is_empty() { "all".to_owned() } else { names.join(", ") }
}

fn receiver(receiver: &Json) -> String {
    let mut lines = vec![
        format!("receiver  {}", text(receiver, "id")),
        format!("address   {}", text(receiver, "url")),
        format!("events    {}", types(receiver)),
    ];
    if receiver.get("secret").is_some() {
        lines.push(format!("secret    {}  (shown once)", text(receiver, "secret")));
    }
    if receiver.get("formerSecretUntil").is_some_and(|until| !until.is_null()) {
        lines.push(format!("signed with the former secret too until {}", text(receiver, "formerSecretUntil")));
    }
    lines.join("\n")
}

fn receivers(answer: &Json) -> String {
    let row = |receiver: &Json| {
        let stopped = receiver.get("stopped").and_then(Json::as_str);
        let state = stopped.map_or_else(|| "told".to_owned(), |why| format!("stopped: {why}"));
        vec![text(receiver, "id"), text(receiver, "url"), types(receiver), state]
    };
    table(&["receiver", "address", "events", "state"], list(answer, "receivers").iter().map(row).collect())
}

fn events(answer: &Json) -> String {
    let mut rows = Vec::new();
    for event in list(answer, "events") {
        // To the second: the whole moment is in the JSON.
        let moment = text(event, "timestamp").split('.').next().map(|second| second.trim_end_matches('Z').to_owned());
        let what = [moment.unwrap_or_default() + "Z", text(event, "id"), text(event, "type")];
        let deliveries = list(event, "deliveries");
        let row = |rest: [String; 4]| what.iter().cloned().chain(rest).collect::<Vec<String>>();
        if deliveries.is_empty() {
            rows.push(row(["-", "-", "-", "-"].map(str::to_owned)));
        }
        rows.extend(
            deliveries.iter().map(|d| row(["receiver", "state", "attempts", "problem"].map(|name| text(d, name)))),
        );
    }
    with_cursor(answer, table(&["happened", "event", "type", "receiver", "state", "tries", "problem"], rows))
}
