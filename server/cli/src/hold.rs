//! `svc hold`: money set aside before something is used, and let go.

use crate::consent::Consent;
use crate::global::Exit;
use crate::output::Output;
use crate::page::{PageArgs, with_cursor};
use crate::remote::{Remote, list, run, segment, table, text};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};
use svc_engine::manifest::words;
use svc_engine::money::amount::Nanos;

/// What to do with holds.
#[derive(Subcommand, Debug)]
pub(crate) enum HoldCommand {
    /// Set money aside for what is about to be used; the usage item that names the hold settles it.
    Create(CreateArgs),
    /// List what a subscriber has set aside.
    List(ListArgs),
    /// Let what was set aside go.
    Release(ReleaseArgs),
}

/// Arguments of `svc hold create`.
#[derive(Args, Debug)]
pub(crate) struct CreateArgs {
    /// The subscriber.
    subject: String,
    /// The hold's id, the sender's own: the same again answers the hold as it is.
    id: String,
    /// Set aside what a request of this route is expected to cost, such as "POST /v1/jobs".
    #[arg(long, required_unless_present = "meter")]
    route: Option<String>,
    /// Set aside what units of this meter cost.
    #[arg(long, requires = "units", conflicts_with = "route")]
    meter: Option<String>,
    /// How many units.
    #[arg(long, requires = "meter")]
    units: Option<String>,
    /// After how many seconds it lets go by itself.
    #[arg(long, value_name = "SECONDS")]
    expires_in_seconds: Option<u32>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc hold list`.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// The subscriber.
    subject: String,
    #[command(flatten)]
    page: PageArgs,
}

/// Arguments of `svc hold release`.
#[derive(Args, Debug)]
pub(crate) struct ReleaseArgs {
    /// The subscriber.
    subject: String,
    /// The hold.
    id: String,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Runs a hold command.
pub(crate) fn dispatch(command: &HoldCommand, output: &Output) -> Exit {
    match command {
        HoldCommand::Create(args) => {
            let members = [
                ("subject", Some(json!(args.subject))),
                ("id", Some(json!(args.id))),
                ("route", args.route.as_ref().map(|route| json!(route))),
                ("meter", args.meter.as_ref().map(|meter| json!(meter))),
                ("units", args.units.as_ref().map(|units| json!(units))),
                ("expiresInSeconds", args.expires_in_seconds.map(|seconds| json!(seconds))),
            ];
            let body: Json = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
            let ask = async { args.remote.client()?.post(&args.remote.path("holds")?, &body).await };
            run("hold create", output, ask, shown)
        }
        HoldCommand::List(args) => {
            let path = format!("holds?subject={}", segment(&args.subject));
            run("hold list", output, args.page.list(&path, "holds"), holds)
        }
        HoldCommand::Release(args) => {
            let path = args.remote.path(&format!("holds/{}/release", segment(&args.id)));
            let body = json!({ "subject": args.subject });
            let what =
                format!("what {} set aside is free for other usage, and its request may find too little", args.id);
            let ask = async {
                args.consent.ask(output, &what)?;
                args.remote.client()?.post(&path?, &body).await
            };
            run("hold release", output, ask, shown)
        }
    }
}

fn holds(answer: &Json) -> String {
    let row = |hold: &Json| vec![text(hold, "holdId"), amount(hold), text(hold, "expiresAt")];
    let rows: Vec<Vec<String>> = list(answer, "holds").iter().map(row).collect();
    if rows.is_empty() {
        return "nothing is set aside".to_owned();
    }
    with_cursor(answer, table(&["HOLD", "AMOUNT", "UNTIL"], rows))
}

/// What a hold has set aside, as people write it.
fn amount(hold: &Json) -> String {
    let nanos = text(hold, "heldNanos");
    nanos.parse::<Nanos>().map_or(nanos, words::nanos)
}

fn shown(hold: &Json) -> String {
    let [id, state, expires] = ["holdId", "state", "expiresAt"].map(|name| text(hold, name));
    let amount = amount(hold);
    let until = if state == "open" { format!(", until {expires}") } else { String::new() };
    format!("{id} is {state}: {amount}{until}")
}
