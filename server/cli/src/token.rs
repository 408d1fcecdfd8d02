//! `svc token` and `svc operator`: who may do what; and `svc audit-log`: who did what.

use crate::consent::Consent;
use crate::global::Exit;
use crate::output::Output;
use crate::page::{PageArgs, with_cursor};
use crate::remote::{Remote, list, run, segment, table, text};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value as Json, json};

/// What to do with a business's tokens.
#[derive(Subcommand, Debug)]
pub(crate) enum TokenCommand {
    /// Mint a token and print it; it is kept nowhere.
    Mint(MintArgs),
    /// List tokens, newest first: never the tokens themselves.
    List(ListArgs),
    /// Take a token back, or with --subject all of a subject's; dead at every server within ten seconds.
    Revoke(RevokeArgs),
}

/// What to do with operators.
#[derive(Subcommand, Debug)]
pub(crate) enum OperatorCommand {
    /// Give a person, or a program, an operator's token of their own, and print it; it is kept nowhere.
    Add(AddArgs),
    /// List operators, newest first.
    List(PageArgs),
    /// Take an operator's token back; dead at every server within ten seconds.
    Revoke(RevokeOperatorArgs),
}

/// What a token opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// What publish, usage and read open together.
    Deploy,
    /// Builds, releases and where the product is pushed to.
    Publish,
    /// Reporting usage, and holds.
    Usage,
    /// Reading builds, releases and plans.
    Read,
    /// One subscriber's own bill.
    Portal,
    /// One subscriber's requests to the product, at its gateway.
    Gateway,
}

/// Arguments of `svc token mint`.
#[derive(Args, Debug)]
pub(crate) struct MintArgs {
    /// What it opens; `portal` with --subject and `deploy` without, unless given.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// The subscriber that it is for: of portal and gateway tokens.
    #[arg(long)]
    subject: Option<String>,
    /// What people call it; its kind unless given.
    #[arg(long)]
    name: Option<String>,
    /// Seconds after which it ends, at most a year; never unless given.
    #[arg(long)]
    expires_in_seconds: Option<u32>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc token list`.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Those of one subscriber alone.
    #[arg(long)]
    subject: Option<String>,
    #[command(flatten)]
    page: PageArgs,
}

/// Arguments of `svc token revoke`.
#[derive(Args, Debug)]
pub(crate) struct RevokeArgs {
    /// The token's id, as a list shows it.
    #[arg(required_unless_present = "subject")]
    id: Option<String>,
    /// All tokens of this subscriber.
    #[arg(long, conflicts_with = "id")]
    subject: Option<String>,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc operator add`.
#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// What they are called; the audit log says so.
    name: String,
    /// Seconds after which it ends, at most a year; never unless given.
    #[arg(long)]
    expires_in_seconds: Option<u32>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc operator revoke`.
#[derive(Args, Debug)]
pub(crate) struct RevokeOperatorArgs {
    /// The operator's id, as a list shows it.
    id: String,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc audit-log`.
#[derive(Args, Debug)]
pub(crate) struct AuditLogArgs {
    /// What was done beside businesses: to operators.
    #[arg(long)]
    service: bool,
    #[command(flatten)]
    page: PageArgs,
}

/// Runs a token command.
pub(crate) fn dispatch(command: &TokenCommand, output: &Output) -> Exit {
    match command {
        TokenCommand::Mint(args) => {
            let ask = async { args.remote.client()?.post(&args.remote.path("tokens")?, &body(args)).await };
            run("token mint", output, ask, |minted| text(minted, "token"))
        }
        TokenCommand::List(args) => {
            let subject = args.subject.as_deref().map(|subject| format!("?subject={}", segment(subject)));
            let path = format!("tokens{}", subject.unwrap_or_default());
            run("token list", output, args.page.list(&path, "tokens"), |answer| tokens(answer, "tokens"))
        }
        TokenCommand::Revoke(args) => {
            let subject = args.subject.as_deref().map(|subject| format!("tokens?subject={}", segment(subject)));
            let one = args.id.as_deref().map(|id| format!("tokens/{}", segment(id)));
            let path = subject.or(one).unwrap_or_default();
            let whose = args.subject.as_ref().map(|subject| format!("every token of {subject} opens"));
            let whose = whose.or(args.id.as_ref().map(|id| format!("{id} opens"))).unwrap_or_default();
            let ask = async {
                args.consent.ask(output, &format!("{whose} nothing any more"))?;
                args.remote.client()?.delete(&args.remote.path(&path)?).await
            };
            run("token revoke", output, ask, revoked)
        }
    }
}

/// Runs an operator command.
pub(crate) fn operators(command: &OperatorCommand, output: &Output) -> Exit {
    match command {
        OperatorCommand::Add(args) => {
            let body = json!({ "name": args.name, "expiresInSeconds": args.expires_in_seconds });
            let ask = async { args.remote.client()?.post("/v1/operators", &body).await };
            run("operator add", output, ask, |minted| text(minted, "token"))
        }
        OperatorCommand::List(page) => {
            run("operator list", output, page.list_at("/v1/operators", "operators"), |answer| {
                tokens(answer, "operators")
            })
        }
        OperatorCommand::Revoke(args) => {
            let path = format!("/v1/operators/{}", segment(&args.id));
            let ask = async {
                args.consent.ask(output, &format!("{} opens nothing any more", args.id))?;
                args.remote.client()?.delete(&path).await
            };
            run("operator revoke", output, ask, revoked)
        }
    }
}

/// Shows who did what.
pub(crate) fn audit_log(args: &AuditLogArgs, output: &Output) -> Exit {
    let ask = async {
        match args.service {
            true => args.page.list_at("/v1/audit-log", "entries").await,
            false => args.page.list("audit-log", "entries").await,
        }
    };
    run("audit-log", output, ask, entries)
}

fn body(args: &MintArgs) -> Json {
    let usual = if args.subject.is_some() { Kind::Portal } else { Kind::Deploy };
    let kind = args.kind.unwrap_or(usual).to_possible_value();
    json!({
        "kind": kind.as_ref().map(clap::builder::PossibleValue::get_name),
        "subject": args.subject,
        "name": args.name,
        "expiresInSeconds": args.expires_in_seconds,
    })
}

fn revoked(answer: &Json) -> String {
    match text(answer, "revoked").as_str() {
        "-" => format!("{} opens nothing any more", text(answer, "name")),
        "1" => "1 token opens nothing any more".to_owned(),
        count => format!("{count} tokens open nothing any more"),
    }
}

fn tokens(answer: &Json, name: &str) -> String {
    let rows = list(answer, name).iter().map(|token| {
        let members = ["tokenId", "kind", "subject", "name", "createdAt", "expiresAt", "lastUsedAt", "revokedAt"];
        members.iter().map(|member| text(token, member)).collect()
    });
    let names = ["id", "kind", "subject", "name", "created", "expires", "last used", "revoked"];
    with_cursor(answer, table(&names, rows.collect()))
}

fn entries(answer: &Json) -> String {
    let rows = list(answer, "entries").iter().map(|entry| {
        let actor = entry.get("actor").unwrap_or(&Json::Null);
        let who = ["name", "id"].iter().map(|member| text(actor, member)).find(|text| text != "-");
        let detail = entry.get("detail").filter(|detail| !detail.is_null()).map(Json::to_string);
        vec![
            text(entry, "at"),
            text(actor, "kind"),
            who.unwrap_or_else(|| "-".to_owned()),
            text(entry, "action"),
            text(entry, "target"),
            detail.unwrap_or_default(),
        ]
    });
    with_cursor(answer, table(&["at", "kind", "who", "did", "to", "detail"], rows.collect()))
}
