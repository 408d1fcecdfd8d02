//! `svc adjust`: refunds and corrections.

use crate::global::Exit;
use crate::output::Output;
use crate::remote::{Remote, fresh_key, run, text};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

/// What to put right.
#[derive(Subcommand, Debug)]
pub(crate) enum AdjustCommand {
    /// Give the money of a usage item back; after that it may be reported again.
    Refund(RefundArgs),
    /// Move what a subscriber's open period owes.
    Correct(CorrectArgs),
}

/// Arguments of `svc adjust refund`.
#[derive(Args, Debug)]
pub(crate) struct RefundArgs {
    /// The subscriber.
    subject: String,
    /// The usage item's id.
    item: String,
    /// Why; it is kept with the adjustment.
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc adjust correct`.
#[derive(Args, Debug)]
pub(crate) struct CorrectArgs {
    /// The subscriber.
    subject: String,
    /// By how many nanodollars: negative in the subscriber's favour.
    #[arg(allow_negative_numbers = true)]
    nanos: i128,
    /// Why; it is kept with the adjustment.
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    remote: Remote,
}

/// Runs an adjust command.
pub(crate) fn dispatch(command: &AdjustCommand, output: &Output) -> Exit {
    let (op, remote, body) = match command {
        AdjustCommand::Refund(args) => {
            let body = json!({ "subject": args.subject, "kind": "refund", "item": args.item, "reason": args.reason });
            ("adjust refund", &args.remote, body)
        }
        AdjustCommand::Correct(args) => {
            let (subject, nanos, reason) = (&args.subject, args.nanos.to_string(), &args.reason);
            let body = json!({ "subject": subject, "kind": "correction", "amountNanos": nanos, "reason": reason });
            ("adjust correct", &args.remote, body)
        }
    };
    let ask = async { remote.client()?.post_once(&remote.path("adjustments")?, &body, &fresh_key()?).await };
    run(op, output, ask, shown)
}

fn shown(done: &Json) -> String {
    let (owed, buckets) = (text(done, "receivableNanos"), text(done, "refundedToBucketsNanos"));
    format!(
        "{}: what is owed moved by {owed} nanodollars; {buckets} went back into buckets",
        text(done, "adjustmentId")
    )
}
