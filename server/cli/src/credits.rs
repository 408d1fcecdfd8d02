//! `svc credits`: giving credit, selling packs, taking buckets back.

use crate::consent::Consent;
use crate::global::Exit;
use crate::output::Output;
use crate::remote::{Remote, fresh_key, run, segment, text};
use clap::{Args, Subcommand};
use serde_json::{Map, Value as Json, json};

/// What to do with credits.
#[derive(Subcommand, Debug)]
pub(crate) enum CreditsCommand {
    /// Give a subscriber credit, or sell one of the plan's packs.
    Give(GiveArgs),
    /// Take a bucket back: what is left in it is gone.
    Revoke(RevokeArgs),
}

/// Arguments of `svc credits give`.
#[derive(Args, Debug)]
pub(crate) struct GiveArgs {
    /// The subscriber.
    subject: String,
    /// How much, in cents; with --top-up, of a pack whose amount the buyer chooses.
    #[arg(long, required_unless_present = "top_up")]
    cents: Option<u64>,
    /// Where it comes from; promo unless given.
    #[arg(long, conflicts_with = "top_up", value_parser = ["included", "promo", "prepaid", "referral"])]
    kind: Option<String>,
    /// Days it lives; for ever unless given.
    #[arg(long, conflicts_with = "top_up")]
    expires_after_days: Option<u32>,
    /// A meter whose usage it pays for; given more than once, for each of them. All usage unless given.
    #[arg(long = "meter", conflicts_with = "top_up", value_name = "METER")]
    meters: Vec<String>,
    /// A pack of the subscriber's plan, by its article number.
    #[arg(long)]
    top_up: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc credits revoke`.
#[derive(Args, Debug)]
pub(crate) struct RevokeArgs {
    /// The bucket.
    bucket: String,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Runs a credits command.
pub(crate) fn dispatch(command: &CreditsCommand, output: &Output) -> Exit {
    match command {
        CreditsCommand::Give(args) => {
            let ask = async {
                let key = fresh_key()?;
                args.remote.client()?.post_once(&args.remote.path("credits")?, &Json::Object(body(args)), &key).await
            };
            run("credits give", output, ask, shown)
        }
        CreditsCommand::Revoke(args) => {
            let ask = async {
                args.consent.ask(output, &format!("what is left in {} is gone", args.bucket))?;
                let path = args.remote.path(&format!("credits/{}/revoke", segment(&args.bucket)))?;
                args.remote.client()?.post(&path, &json!({})).await
            };
            run("credits revoke", output, ask, shown)
        }
    }
}

fn body(args: &GiveArgs) -> Map<String, Json> {
    let mut body = Map::from_iter([("subject".to_owned(), json!(args.subject))]);
    let members = [
        ("amountCents", args.cents.map(|cents| json!(cents))),
        ("kind", args.kind.as_ref().map(|kind| json!(kind))),
        ("expiresAfterDays", args.expires_after_days.map(|days| json!(days))),
        ("meters", (!args.meters.is_empty()).then(|| json!(args.meters))),
        ("topUp", args.top_up.as_ref().map(|sku| json!(sku))),
    ];
    body.extend(members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    body
}

fn shown(bucket: &Json) -> String {
    let ends = match text(bucket, "expiresAt").as_str() {
        "-" => "never ends".to_owned(),
        moment => format!("ends {moment}"),
    };
    let (id, kind, state) = (text(bucket, "bucketId"), text(bucket, "kind"), text(bucket, "state"));
    let scope = bucket.get("meters").and_then(Json::as_array).map(|meters| {
        let meters: Vec<&str> = meters.iter().filter_map(Json::as_str).collect();
        format!(", for {} only", meters.join(", "))
    });
    let left = text(bucket, "remainingNanos");
    format!("{id}: {kind}, {state}, {left} nanodollars left, {ends}{}", scope.unwrap_or_default())
}
