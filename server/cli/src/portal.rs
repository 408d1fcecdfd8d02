//! `svc portal`: links to the page on which a subscriber sees their bill, and how that page looks.

use crate::global::Exit;
use crate::output::Output;
use crate::remote::{Remote, run, text};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

/// What to do with the portal page.
#[derive(Subcommand, Debug)]
pub(crate) enum PortalCommand {
    /// Make a link that opens a subscriber's page once, within five minutes, and print it.
    Link(LinkArgs),
    /// Set the page's name and colours; what is left out is the business's name and the page's own colours.
    Look(LookArgs),
}

/// Arguments of `svc portal link`.
#[derive(Args, Debug)]
pub(crate) struct LinkArgs {
    /// The subscriber.
    subject: String,
    /// Where the page leads back to.
    #[arg(long)]
    return_url: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc portal look`.
#[derive(Args, Debug)]
pub(crate) struct LookArgs {
    /// Who the page says it is by.
    #[arg(long)]
    name: Option<String>,
    /// The colour of bars, links and buttons on light ground, as #0757ba.
    #[arg(long, value_name = "COLOUR")]
    accent_light: Option<String>,
    /// The same on dark ground, as #6cb0ff.
    #[arg(long, value_name = "COLOUR")]
    accent_dark: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Runs a portal command.
pub(crate) fn dispatch(command: &PortalCommand, output: &Output) -> Exit {
    match command {
        PortalCommand::Link(args) => {
            let body = json!({ "subject": args.subject, "returnUrl": args.return_url });
            let ask = async { args.remote.client()?.post(&args.remote.path("portal-sessions")?, &body).await };
            run("portal link", output, ask, |link| text(link, "url"))
        }
        PortalCommand::Look(args) => {
            let accent = json!({ "light": args.accent_light, "dark": args.accent_dark });
            let body = json!({ "name": args.name, "accent": accent });
            let ask = async { args.remote.client()?.put(&args.remote.path("portal")?, &body).await };
            run("portal look", output, ask, shown)
        }
    }
}

fn shown(look: &Json) -> String {
    let colour = |ground: &str| match look.get("accent").map(|accent| text(accent, ground)).as_deref() {
        None | Some("-") => "the page's own".to_owned(),
        Some(colour) => colour.to_owned(),
    };
    format!("{}: {} on light ground, {} on dark", text(look, "name"), colour("light"), colour("dark"))
}
