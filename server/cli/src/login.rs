//! `svc login` and `svc logout`: a service's address and token, kept for the commands that come.

use crate::global::Exit;
use crate::known_services::{Known, Logins};
use crate::output::{CommandError, Output, visible};
use crate::remote::{Remote, text};
use crate::serve::block_on;
use clap::Args;
use rustix::stdio::stdin;
use rustix::termios::{LocalModes, OptionalActions, isatty, tcgetattr, tcsetattr};
use serde_json::json;
use std::io::{BufRead, Read};
use std::path::PathBuf;

/// Longest line that is read for a token, in bytes.
const TOKEN_MAX_BYTES: u64 = 4_096;

/// Arguments of `svc login`.
#[derive(Args, Debug)]
pub(crate) struct LoginArgs {
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc logout`.
#[derive(Args, Debug)]
pub(crate) struct LogoutArgs {
    /// The service to forget; the one that commands speak to unless given.
    #[arg(long)]
    url: Option<String>,
}

/// Asks for a token where none is given, tries it, and keeps it.
pub(crate) fn login(args: &LoginArgs, output: &Output) -> Exit {
    match block_on(attempt(args, output)) {
        Ok((known, name, file)) => {
            let business = known.business.as_deref().map(|id| format!(", for {id}")).unwrap_or_default();
            let said = format!("logged in to {} as {name}{business}; kept in {}", known.url, file.display());
            let data = json!({ "url": known.url, "name": name, "business": known.business, "file": file });
            output.done("login", &visible(&said), data)
        }
        Err(failure) => output.failed("login", failure, &[]),
    }
}

async fn attempt(args: &LoginArgs, output: &Output) -> Result<(Known, String, PathBuf), CommandError> {
    let file = file()?;
    let token = args.remote.said_token().map_or_else(|| asked(output), |token| Ok(token.to_owned()))?;
    let url = args.remote.url()?;
    let own = args.remote.client_as(&token)?.get("/v1/token").await?;
    let business = match text(&own, "businessId").as_str() {
        "-" => args.remote.said_business().map(str::to_owned),
        business => Some(business.to_owned()),
    };
    let known = Known { url, token, business };
    let mut logins = Logins::read(&file)?;
    logins.put(known.clone());
    logins.write(&file)?;
    Ok((known, format!("{} ({})", text(&own, "name"), text(&own, "kind")), file))
}

/// Forgets a service.
pub(crate) fn logout(args: &LogoutArgs, output: &Output) -> Exit {
    match forget(args) {
        Ok(Some(url)) => output.done("logout", &visible(&format!("{url} is forgotten")), json!({ "url": url })),
        Ok(None) => output.done("logout", "nothing is kept", json!({ "url": null })),
        Err(failure) => output.failed("logout", failure, &[]),
    }
}

fn forget(args: &LogoutArgs) -> Result<Option<String>, CommandError> {
    let file = file()?;
    let mut logins = Logins::read(&file)?;
    let wanted = args.url.as_deref().map(|url| url.trim_end_matches('/'));
    let found = logins.services.iter().position(|known| wanted.is_none_or(|wanted| known.url == wanted));
    let Some(found) = found else { return Ok(None) };
    let known = logins.services.remove(found);
    logins.write(&file)?;
    Ok(Some(known.url))
}

fn file() -> Result<PathBuf, CommandError> {
    Logins::file().ok_or_else(|| {
        CommandError::new(Exit::Unreachable, "NO_HOME", "there is no folder to keep a login in")
            .with_hint("set HOME or XDG_CONFIG_HOME; or give --token, or SVC_TOKEN, to each command")
    })
}

/// A token from standard input; from a terminal without showing it.
fn asked(output: &Output) -> Result<String, CommandError> {
    let unread = |error: std::io::Error| CommandError::new(Exit::Unreachable, "TOKEN_UNREAD", error.to_string());
    let is_asked = isatty(stdin());
    let shown = is_asked.then(|| tcgetattr(stdin()).ok()).flatten();
    if let Some(shown) = &shown {
        output.say("token (not shown):");
        let mut hidden = shown.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(stdin(), OptionalActions::Now, &hidden).map_err(|error| unread(error.into()))?;
    }
    let mut line = String::new();
    let read = std::io::stdin().lock().take(TOKEN_MAX_BYTES).read_line(&mut line);
    if let Some(shown) = &shown {
        tcsetattr(stdin(), OptionalActions::Now, shown).map_err(|error| unread(error.into()))?;
    }
    read.map_err(unread)?;
    let token = line.trim();
    if token.is_empty() || token.chars().any(|char| !char.is_ascii_graphic()) {
        return Err(CommandError::new(Exit::Usage, "TOKEN_MISSING", "this needs a token, on standard input")
            .with_hint("an operator makes one: svc token mint"));
    }
    Ok(token.to_owned())
}
