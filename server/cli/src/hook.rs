//! `svc hook`: the repository that a product is pushed to, and what its forge delivered.

use crate::consent::Consent;
use crate::global::Exit;
use crate::output::Output;
use crate::page::{PageArgs, with_cursor};
use crate::remote::{Remote, list, run, table, text};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value as Json, json};

/// What to do with the hook.
#[derive(Subcommand, Debug)]
pub(crate) enum HookCommand {
    /// Name the repository that the product is pushed to, and show what to enter at its forge; it takes the former one's place.
    Add(AddArgs),
    /// Show the repository and where its forge delivers to.
    Show(Remote),
    /// Make another secret; the former one is taken for 24 hours more. Or give another access token.
    Rotate(RotateArgs),
    /// Take the repository away: what is pushed to it is not built any more.
    Remove(RemoveArgs),
    /// List what the forge delivered, newest first, and what became of it.
    Deliveries(DeliveriesArgs),
}

/// The kinds of forges.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Forge {
    /// GitHub, its Enterprise Server too.
    Github,
    /// GitLab.
    Gitlab,
    /// Gitea and Forgejo.
    Gitea,
}

/// Arguments of `svc hook add`.
#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// What kind of forge it is.
    #[arg(long, value_enum)]
    forge: Forge,
    /// The repository: OWNER/NAME.
    #[arg(long)]
    repository: String,
    /// Where the forge's API is; needed for gitea, and for any other forge than github.com and gitlab.com.
    #[arg(long)]
    api_base: Option<String>,
    /// The folder in the repository that holds `product/`; its root unless given.
    #[arg(long, default_value = "")]
    folder: String,
    /// The branch that is published; the repository's default branch unless given.
    #[arg(long)]
    branch: Option<String>,
    /// An access token of the forge that reads the repository and writes commit statuses.
    #[arg(long, env = "SVC_FORGE_TOKEN", hide_env_values = true)]
    forge_token: String,
    /// The secret that deliveries are signed with; made and shown unless given.
    #[arg(long, env = "SVC_HOOK_SECRET", hide_env_values = true)]
    secret: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc hook rotate`.
#[derive(Args, Debug)]
pub(crate) struct RotateArgs {
    /// The new secret; made and shown unless given.
    #[arg(long, env = "SVC_HOOK_SECRET", hide_env_values = true)]
    secret: Option<String>,
    /// Take the former secret no more.
    #[arg(long)]
    at_once: bool,
    /// Another access token of the forge; alone, the secret stays.
    #[arg(long, env = "SVC_NEW_FORGE_TOKEN", hide_env_values = true)]
    forge_token: Option<String>,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc hook remove`.
#[derive(Args, Debug)]
pub(crate) struct RemoveArgs {
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc hook deliveries`.
#[derive(Args, Debug)]
pub(crate) struct DeliveriesArgs {
    #[command(flatten)]
    page: PageArgs,
}

/// Runs a hook command.
pub(crate) fn dispatch(command: &HookCommand, output: &Output) -> Exit {
    match command {
        HookCommand::Add(args) => {
            let ask = async { args.remote.client()?.post(&args.remote.path("source")?, &body(args)).await };
            run("hook add", output, ask, to_enter)
        }
        HookCommand::Show(remote) => {
            let ask = async { remote.client()?.get(&remote.path("source")?).await };
            run("hook show", output, ask, shown)
        }
        HookCommand::Rotate(args) => {
            let body = json!({ "secret": args.secret, "atOnce": args.at_once, "token": args.forge_token });
            let ask = async {
                if args.at_once {
                    args.consent
                        .ask(output, "deliveries that are signed with the former secret are refused from now on")?;
                }
                args.remote.client()?.post(&args.remote.path("source/rotate")?, &body).await
            };
            run("hook rotate", output, ask, to_enter)
        }
        HookCommand::Remove(args) => {
            let ask = async {
                args.consent
                    .ask(output, "what is pushed is not built any more, and secret and access token are forgotten")?;
                args.remote.client()?.delete(&args.remote.path("source")?).await
            };
            run("hook remove", output, ask, |_| "removed; remove the hook at the forge too".to_owned())
        }
        HookCommand::Deliveries(args) => {
            run("hook deliveries", output, args.page.list("deliveries", "deliveries"), deliveries)
        }
    }
}

fn body(args: &AddArgs) -> Json {
    let forge = match args.forge {
        Forge::Github => "github",
        Forge::Gitlab => "gitlab",
        Forge::Gitea => "gitea",
    };
    json!({
        "forge": forge, "repository": args.repository, "apiBase": args.api_base, "folder": args.folder,
        "branch": args.branch, "token": args.forge_token, "secret": args.secret,
    })
}

fn shown(source: &Json) -> String {
    let or = |name: &str, other: &str| match text(source, name).as_str() {
        "-" | "" => other.to_owned(),
        given => given.to_owned(),
    };
    let mut lines = vec![
        format!(
            "repository  {} at {} ({})",
            text(source, "repository"),
            text(source, "apiBase"),
            text(source, "forge")
        ),
        format!("folder      {}", or("folder", "the repository's root")),
        format!("published   {}", or("branch", "the repository's default branch")),
        format!("hook        {}", text(source, "hookUrl")),
    ];
    if source.get("formerSecretUntil").is_some_and(|until| !until.is_null()) {
        lines.push(format!("former secret is taken until {}", text(source, "formerSecretUntil")));
    }
    lines.join("\n")
}

/// The source with what is to be entered at the forge, where that is new.
fn to_enter(source: &Json) -> String {
    if source.get("secret").is_none() {
        return shown(source);
    }
    let secret = text(source, "secret");
    let how = match text(source, "forge").as_str() {
        "gitlab" => {
            "In the project, Settings > Webhooks: the URL above, the secret as signing token (or as secret token, where\n\
             GitLab has no signing tokens yet), trigger on push events."
        }
        "gitea" => {
            "In the repository, Settings > Webhooks > Gitea: the URL above as target, POST, application/json, the secret,\n\
             trigger on push events."
        }
        _ => {
            "In the repository, Settings > Webhooks: the URL above as payload URL, application/json, the secret, just the\n\
             push event."
        }
    };
    format!("{}\nsecret      {secret}  (shown once)\n\n{how}", shown(source))
}

fn deliveries(answer: &Json) -> String {
    let rows = list(answer, "deliveries").iter().map(|delivery| {
        let commit: String = text(delivery, "commit").chars().take(7).collect();
        let columns = ["receivedAt", "event", "branch"].map(|name| text(delivery, name));
        let rest = [commit, text(delivery, "outcome"), text(delivery, "buildId"), text(delivery, "reason")];
        columns.into_iter().chain(rest).collect()
    });
    let names = ["received", "event", "branch", "commit", "outcome", "build", "reason"];
    with_cursor(answer, table(&names, rows.collect()))
}
