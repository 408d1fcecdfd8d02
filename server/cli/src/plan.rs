//! `svc plan`: versions, and moving subscribers between them.

use crate::consent::Consent;
use crate::global::Exit;
use crate::output::{CommandError, Output};
use crate::page::{PageArgs, joined, with_cursor};
use crate::remote::{Remote, business_path, fresh_key, list, run, segment, table, text};
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use serde_json::{Value as Json, json};

/// What to do with plans.
#[derive(Subcommand, Debug)]
pub(crate) enum PlanCommand {
    /// List every plan's versions with their live subscribers.
    List(PageArgs),
    /// Move live subscribers of a plan from one version to another.
    Migrate(MigrateArgs),
    /// List migrations and how far they are, newest first.
    Migrations(PageArgs),
}

/// Arguments of `svc plan migrate`.
#[derive(Args, Debug)]
pub(crate) struct MigrateArgs {
    /// The product: its business's id.
    product: String,
    /// The plan.
    plan: String,
    /// The version to move from: a number, head for the newest, or any for all but the one to move to.
    #[arg(long)]
    from: String,
    /// The version to move to: a number, or head for the newest.
    #[arg(long)]
    to: String,
    /// When subscribers move.
    #[arg(long, value_enum)]
    policy: Policy,
    /// The deadline of by_date, such as 2027-01-01T00:00:00Z.
    #[arg(long, value_name = "MOMENT", value_parser = parse_moment)]
    complete_by: Option<Timestamp>,
    /// What a move in the middle of a period does to its fee.
    #[arg(long, value_enum, default_value_t = Proration::None)]
    proration: Proration,
    /// List who would move and what they would pay; move nobody.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Policy {
    /// Nobody moves.
    Grandfather,
    /// When the open period ends.
    NextRenewal,
    /// Now.
    Immediate,
    /// When the open period ends, or at the deadline.
    ByDate,
    /// When the subscriber accepts.
    OptIn,
    /// Now, with the fee that each agreed to; only where the version adds prices and changes none.
    Additions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Proration {
    /// The period keeps its fee.
    None,
    /// Each plan's fee for its part of the time.
    Prorate,
    /// The period keeps its fee; what the new plan is cheaper by becomes credit.
    Credit,
}

fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Runs a plan command.
pub(crate) fn dispatch(command: &PlanCommand, output: &Output) -> Exit {
    match command {
        PlanCommand::List(page) => run("plan list", output, page.list("plans", "plans"), versions),
        PlanCommand::Migrations(page) => {
            run("plan migrations", output, page.list("migrations", "migrations"), migrations)
        }
        PlanCommand::Migrate(args) => run("plan migrate", output, migrate(args, output), migrated),
    }
}

async fn migrate(args: &MigrateArgs, output: &Output) -> Result<Json, CommandError> {
    if !args.dry_run && !matches!(args.policy, Policy::Grandfather) {
        let [plan, from, to] = [&args.plan, &args.from, &args.to];
        args.consent.ask(output, &format!("subscribers of {plan} move from version {from} to {to}, and pay by it"))?;
    }
    let mut body = json!({
        "from": args.from, "to": args.to, "policy": name(args.policy), "proration": name(args.proration), "dryRun": args.dry_run,
    });
    if let (Some(deadline), Json::Object(body)) = (&args.complete_by, &mut body) {
        body.insert("completeBy".to_owned(), json!(deadline));
    }
    let path = business_path(&args.product, &format!("plans/{}/migrations", segment(&args.plan)));
    let (client, key) = (args.remote.client()?, fresh_key()?);
    let mut whole = client.post_once(&path, &body, &key).await?;
    while let Some(cursor) = whole.get("cursor").and_then(Json::as_str) {
        let page = client.post_once(&format!("{path}?cursor={}", segment(cursor)), &body, &key).await?;
        whole = joined(whole, page, &["moves"]);
    }
    if let Some(whole) = whole.as_object_mut() {
        whole.remove("cursor");
    }
    Ok(whole)
}

/// A moment of RFC 3339.
fn parse_moment(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| format!("{text:?} is no moment: such as 2027-01-01T00:00:00Z"))
}

fn versions(answer: &Json) -> String {
    let row = |version: &Json| {
        let active = if version.get("active") == Some(&Json::Bool(true)) { "yes" } else { "" };
        vec![
            text(version, "plan"),
            text(version, "version"),
            text(version, "subscribers"),
            active.to_owned(),
            text(version, "releaseId"),
        ]
    };
    let names = ["PLAN", "VERSION", "SUBSCRIBERS", "ACTIVE", "FIRST RELEASE"];
    with_cursor(answer, table(&names, list(answer, "plans").iter().map(row).collect()))
}

fn migrations(answer: &Json) -> String {
    let row = |migration: &Json| {
        let states = migration.get("transitions").and_then(Json::as_object).into_iter().flatten();
        let states: Vec<String> = states.map(|(state, count)| format!("{count} {state}")).collect();
        let versions = format!("{} → {}", text(migration, "fromVersion"), text(migration, "toVersion"));
        vec![
            text(migration, "batchId"),
            text(migration, "plan"),
            versions,
            text(migration, "policy"),
            states.join(", "),
        ]
    };
    let names = ["BATCH", "PLAN", "VERSIONS", "POLICY", "SUBSCRIPTIONS"];
    with_cursor(answer, table(&names, list(answer, "migrations").iter().map(row).collect()))
}

fn migrated(answer: &Json) -> String {
    let mut lines = vec![format!("{}: {}", text(answer, "code"), text(answer, "message"))];
    let row = |planned: &Json| {
        ["subscriptionId", "subject", "dueAt", "recurringFeeCents", "nextFeeCents", "prorationNanos", "creditNanos"]
            .map(|name| text(planned, name))
            .to_vec()
    };
    lines.extend(list(answer, "added").iter().filter_map(Json::as_str).map(|path| format!("adds {path}")));
    let moves = list(answer, "moves");
    if !moves.is_empty() {
        let names = ["SUBSCRIPTION", "SUBJECT", "MOVES AT", "FEE (c)", "NEXT FEE (c)", "PRORATION (n)", "CREDIT (n)"];
        lines.push(table(&names, moves.iter().map(row).collect()));
    }
    if answer.get("batchId").is_some_and(Json::is_string) {
        lines.push(format!("batch {}", text(answer, "batchId")));
    }
    lines.join("\n")
}
