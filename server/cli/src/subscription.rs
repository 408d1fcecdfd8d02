//! `svc subscription`: subscribing a subject, changing its plan, ending and taking an end back.

use crate::amount::{Bound, bound, dollars};
use crate::consent::Consent;
use crate::global::Exit;
use crate::output::Output;
use crate::remote::{Remote, run, segment, text};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};
use svc_engine::manifest::words;
use svc_engine::money::amount::{Cents, Nanos};

/// What to do with subscriptions.
#[derive(Subcommand, Debug)]
pub(crate) enum SubscriptionCommand {
    /// Subscribe a subject to a plan of the active release.
    Create(CreateArgs),
    /// Show a subscription.
    Show(OneArgs),
    /// Change the plan of a live subscription, or the most that it has of its own; with --dry-run, say what that would do.
    Change(ChangeArgs),
    /// End a subscription.
    Cancel(CancelArgs),
    /// Take a planned end back.
    Resume(OneArgs),
}

/// Arguments of `svc subscription create`.
#[derive(Args, Debug)]
pub(crate) struct CreateArgs {
    /// The subscriber.
    subject: String,
    /// The plan.
    plan: String,
    /// Give a trial, an introductory fee and welcome credit even if the subject had them before.
    #[arg(long)]
    again: bool,
    /// The most of a month that the subscription has of its own, in dollars, such as 20.00: at most the plan's.
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_spend: Option<Cents>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of commands about one subscription.
#[derive(Args, Debug)]
pub(crate) struct OneArgs {
    /// The subscription.
    subscription: String,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc subscription change`.
#[derive(Args, Debug)]
pub(crate) struct ChangeArgs {
    /// The subscription.
    subscription: String,
    /// The plan to change to; left out, it stays.
    #[arg(required_unless_present = "max_spend")]
    plan: Option<String>,
    /// When the plan changes; now unless given.
    #[arg(long, requires = "plan", value_parser = ["now", "period_end"])]
    at: Option<String>,
    /// What happens to the fee of the open period; none unless given.
    #[arg(long, requires = "plan", value_parser = ["none", "prorate", "credit"])]
    proration: Option<String>,
    /// The most of a month that the subscription has of its own from now on, in dollars, such as 20.00: at most the plan's. none takes it away.
    #[arg(long, value_name = "DOLLARS", value_parser = bound)]
    max_spend: Option<Bound>,
    /// Change nothing; say what would be paid.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc subscription cancel`.
#[derive(Args, Debug)]
pub(crate) struct CancelArgs {
    /// The subscription.
    subscription: String,
    /// When.
    #[arg(long, default_value = "now", value_parser = ["now", "period_end"])]
    at: String,
    /// Give back what the fee is for after the end.
    #[arg(long)]
    prorate: bool,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Runs a subscription command.
pub(crate) fn dispatch(command: &SubscriptionCommand, output: &Output) -> Exit {
    match command {
        SubscriptionCommand::Create(args) => {
            let mut body = json!({ "subject": args.subject, "plan": args.plan, "again": args.again });
            if let (Some(most), Some(members)) = (args.max_spend, body.as_object_mut()) {
                members.insert("maxMonthlySpendCents".to_owned(), json!(most));
            }
            let ask = async { args.remote.client()?.post(&args.remote.path("subscriptions")?, &body).await };
            run("subscription create", output, ask, shown)
        }
        SubscriptionCommand::Show(args) => {
            let ask = async { args.remote.client()?.get(&args.path("")?).await };
            run("subscription show", output, ask, shown)
        }
        SubscriptionCommand::Change(args) => {
            let body = args.body();
            let path = args.remote.path(&format!("subscriptions/{}/change", segment(&args.subscription)));
            let ask = async { args.remote.client()?.post(&path?, &body).await };
            run("subscription change", output, ask, changed)
        }
        SubscriptionCommand::Cancel(args) => {
            let body = json!({ "at": args.at, "prorate": args.prorate });
            let path = args.remote.path(&format!("subscriptions/{}/cancel", segment(&args.subscription)));
            let ask = async {
                // An end that is still to come can be taken back.
                if args.at == "now" {
                    args.consent.ask(output, &format!("{} ends now", args.subscription))?;
                }
                args.remote.client()?.post(&path?, &body).await
            };
            run("subscription cancel", output, ask, shown)
        }
        SubscriptionCommand::Resume(args) => {
            let ask = async { args.remote.client()?.post(&args.path("/resume")?, &json!({})).await };
            run("subscription resume", output, ask, shown)
        }
    }
}

impl ChangeArgs {
    fn body(&self) -> Json {
        let most = self.max_spend.map(|most| match most {
            Bound::At(most) => json!(most),
            Bound::None => Json::Null,
        });
        let members = [
            ("plan", self.plan.as_ref().map(|plan| json!(plan))),
            ("at", self.at.as_ref().map(|at| json!(at))),
            ("proration", self.proration.as_ref().map(|proration| json!(proration))),
            ("maxMonthlySpendCents", most),
            ("dryRun", Some(json!(self.dry_run))),
        ];
        Json::Object(members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
    }
}

impl OneArgs {
    fn path(&self, rest: &str) -> Result<String, crate::output::CommandError> {
        self.remote.path(&format!("subscriptions/{}{rest}", segment(&self.subscription)))
    }
}

fn shown(subscription: &Json) -> String {
    let [id, subject, plan, version, fee] =
        ["subscriptionId", "subject", "plan", "planVersion", "recurringFeeCents"].map(|name| text(subscription, name));
    let mut line =
        format!("{id}: {subject} on {plan}, version {version}, {fee} cents a {}", text(subscription, "interval"));
    if let Some(intro) = subscription.get("intro").filter(|intro| intro.get("left").is_some_and(|left| *left != 0)) {
        let [left, amount] = ["left", "amountCents"].map(|name| text(intro, name));
        line.push_str(&format!("\nintroductory fees left: {left}, of {amount} cents"));
    }
    let more = [
        ("maxMonthlySpendCents", "cents a month at most, of its own"),
        ("nextFeeCents", "cents from the next period on"),
        ("trialEndsAt", "trial ends at"),
        ("cancelAt", "is going to end at"),
        ("cancelledAt", "ended at"),
    ];
    for (name, what) in more.iter().filter(|(name, _)| subscription.get(name).is_some_and(|value| !value.is_null())) {
        line.push_str(&format!("\n{what}: {}", text(subscription, name)));
    }
    line
}

fn changed(answer: &Json) -> String {
    let nothing = Json::Null;
    let [subscription, change, spend] =
        ["subscription", "change", "spend"].map(|name| answer.get(name).unwrap_or(&nothing));
    let mut lines = vec![shown(subscription)];
    lines.extend(moved(change));
    lines.extend(spent(spend));
    lines.join("\n")
}

/// When the plan changes, and what that does; nothing where it stays.
fn moved(change: &Json) -> Option<String> {
    change.as_object()?;
    let [due, old, new, owed, credit] =
        ["dueAt", "recurringFeeCents", "nextFeeCents", "prorationNanos", "creditNanos"].map(|name| text(change, name));
    Some(format!(
        "moves at {due}: {old} cents, then {new}; {owed} nanodollars are owed for the rest of the period, {credit} are given as credit"
    ))
}

/// What the open period has come to, beside the most that it may; nothing where there is no bound.
fn spent(spend: &Json) -> Option<String> {
    let nanos = |name: &str| spend.get(name)?.as_str()?.parse::<Nanos>().ok();
    let (most, spent) = (nanos("mostNanos")?, nanos("spentNanos")?);
    let mut line =
        format!("the open period may come to {}, and has come to {}", words::nanos(most), words::nanos(spent));
    if spend.get("isReached") == Some(&Json::Bool(true)) {
        let then = match text(spend, "overageBehavior").as_str() {
            "block" => "is refused",
            _ => "is let in and not billed",
        };
        line.push_str(&format!(
            ": what is owed stays owed, and usage that no credit pays for {then} until the period ends"
        ));
    }
    Some(line)
}
