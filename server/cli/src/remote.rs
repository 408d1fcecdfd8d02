//! The service that a command speaks to, and how it shows what it was told.

use crate::client::Client;
use crate::dev_env::DevEnv;
use crate::global::Exit;
use crate::known_services::{Known, Logins};
use crate::output::{CommandError, Output, visible};
use crate::serve::block_on;
use clap::Args;
use clap::builder::BoolishValueParser;
use hyper::Uri;
use serde_json::Value as Json;
use std::net::IpAddr;
use std::path::PathBuf;
pub(crate) use svc_api::request::segment;
use svc_tls::Trust;

/// The service that is spoken to where nothing says another.
const URL_DEFAULT: &str = "http://127.0.0.1:8787";

/// Which service, as whom, and for which business.
#[derive(Args, Clone, Debug)]
pub(crate) struct Remote {
    /// The service's address; the one of .svc/env, of the last `svc login`, else http://127.0.0.1:8787, unless given.
    #[arg(long, env = "SVC_URL")]
    url: Option<String>,
    /// The token to speak with: a deploy token, the operator's, or a subscriber's portal token; the one of .svc/env or `svc login` unless given.
    #[arg(long, env = "SVC_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// The business; the one of .svc/env or `svc login` unless given.
    #[arg(long, env = "SVC_BUSINESS")]
    business: Option<String>,
    /// Trust the authorities in this file (PEM) to sign for the service, and not those that the system trusts.
    #[arg(long, env = "SVC_CACERT", value_name = "FILE")]
    cacert: Option<PathBuf>,
    /// Send the token to another machine over http://, where whoever is on the way can read it.
    #[arg(long, env = "SVC_INSECURE_HTTP", value_parser = BoolishValueParser::new())]
    insecure_http: bool,
}

impl Remote {
    /// The token that a flag or a variable says.
    pub(crate) fn said_token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The business that a flag or a variable says.
    pub(crate) fn said_business(&self) -> Option<&str> {
        self.business.as_deref()
    }

    /// The service's address, without a slash at the end.
    pub(crate) fn url(&self) -> Result<String, CommandError> {
        let url = match &self.url {
            Some(url) => url.clone(),
            None => known_services()?.into_iter().next().map_or_else(|| URL_DEFAULT.to_owned(), |known| known.url),
        };
        Ok(url.trim_end_matches('/').to_owned())
    }

    /// What is known of the service by `.svc/env` or an earlier login. What is known of one is never said to another.
    fn known(&self) -> Result<Option<Known>, CommandError> {
        let url = self.url()?;
        Ok(known_services()?.into_iter().find(|known| known.url == url))
    }

    /// A client of the service.
    pub(crate) fn client(&self) -> Result<Client, CommandError> {
        let missing = || {
            CommandError::new(Exit::Usage, "TOKEN_MISSING", "this needs a token")
                .with_hint("give --token, set SVC_TOKEN, or keep one with svc login")
        };
        match &self.token {
            Some(token) => self.client_as(token),
            None => {
                // An address that is none is said to be none first.
                let url = self.url()?;
                host(&url)?;
                self.client_as(&self.known()?.ok_or_else(missing)?.token)
            }
        }
    }

    /// A client of the service, with this token.
    pub(crate) fn client_as(&self, token: &str) -> Result<Client, CommandError> {
        let base = self.url()?;
        let (is_secret, host) = host(&base)?;
        if is_secret {
            let trust = self.cacert.clone().map_or(Trust::System, Trust::File);
            return Client::over_tls(&base, token.to_owned(), &trust);
        }
        if is_loopback(&host) || self.insecure_http {
            return Ok(Client::new(base, token));
        }
        let message = format!("the token would go to {host} in the clear");
        Err(CommandError::new(Exit::Usage, "TOKEN_IN_CLEAR", message)
            .with_hint("ask it as https://; or say --insecure-http where nobody else can read the way there"))
    }

    /// The business.
    pub(crate) fn business(&self) -> Result<String, CommandError> {
        let missing = || {
            CommandError::new(Exit::Usage, "BUSINESS_MISSING", "this needs a business")
                .with_hint("give --business, or set SVC_BUSINESS")
        };
        match &self.business {
            Some(business) => Ok(business.clone()),
            None => self.known()?.and_then(|known| known.business).ok_or_else(missing),
        }
    }

    /// `/v1/businesses/{id}` and what follows.
    pub(crate) fn path(&self, rest: &str) -> Result<String, CommandError> {
        Ok(business_path(&self.business()?, rest))
    }
}

/// The services that are known: the development server of this folder, before those that were logged in to. A folder may be a stranger's,
/// so that it names none but on this machine.
fn known_services() -> Result<Vec<Known>, CommandError> {
    let here = |env: &DevEnv| host(&env.url).is_ok_and(|(_, host)| is_loopback(&host));
    let dev = DevEnv::read()?.filter(here).map(|env| Known {
        url: env.url,
        token: env.operator,
        business: Some(env.business).filter(|business| !business.is_empty()),
    });
    let kept = Logins::file().map(|file| Logins::read(&file)).transpose()?;
    Ok(dev.into_iter().chain(kept.unwrap_or_default().services).collect())
}

/// Whether an address is of TLS, and its host.
fn host(url: &str) -> Result<(bool, String), CommandError> {
    let no_address = || {
        let message = format!("{url} is no http:// or https:// address");
        CommandError::new(Exit::Usage, "URL_FORM", message)
    };
    let uri: Uri = url.parse().map_err(|_| no_address())?;
    let host = uri.host().ok_or_else(no_address)?.to_owned();
    match uri.scheme_str() {
        Some("https") => Ok((true, host)),
        Some("http") => Ok((false, host)),
        _ => Err(no_address()),
    }
}

/// Whether a host of an address is this machine alone.
fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
}

/// `/v1/businesses/{id}` and what follows.
pub(crate) fn business_path(business: &str, rest: &str) -> String {
    format!("/v1/businesses/{}/{rest}", segment(business))
}

/// Runs a command against the service, and shows its answer: `human` makes the text for people.
pub(crate) fn run(
    op: &str,
    output: &Output,
    ask: impl Future<Output = Result<Json, CommandError>>,
    human: impl FnOnce(&Json) -> String,
) -> Exit {
    match block_on(ask) {
        Ok(answer) => output.done(op, &visible(&human(&answer)), answer),
        Err(failure) => output.failed(op, failure, &[]),
    }
}

/// A member's text; numbers as they are written, nothing for null.
pub(crate) fn text(json: &Json, name: &str) -> String {
    match json.get(name) {
        Some(Json::String(text)) => text.clone(),
        None | Some(Json::Null) => "-".to_owned(),
        Some(other) => other.to_string(),
    }
}

/// A member's list.
pub(crate) fn list<'j>(json: &'j Json, name: &str) -> &'j [Json] {
    json.get(name).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Rows in columns, with a line of names above; names alone where there is none.
pub(crate) fn table(names: &[&str], rows: Vec<Vec<String>>) -> String {
    let header = names.iter().map(|name| (*name).to_owned()).collect();
    let all: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    let width = |column: usize| {
        all.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A fresh key for a request that must not be done twice, however often it is sent.
pub(crate) fn fresh_key() -> Result<String, CommandError> {
    svc_core::tokens::new_secret("key")
        .map_err(|error| CommandError::new(Exit::Unreachable, "CHANCE", error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_segment_is_one_segment() {
        assert_eq!(segment("biz_1.a~b-c"), "biz_1.a~b-c");
        assert_eq!(segment("../a b/?"), "..%2Fa%20b%2F%3F");
    }

    #[test]
    fn this_machine_alone_is_loopback() {
        for here in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "[::ffff:127.0.0.1]"] {
            assert!(is_loopback(here), "{here}");
        }
        for elsewhere in
            ["svc.internal", "localhost.example.com", "10.0.0.1", "[::2]", "0.0.0.0", "127.0.0.1.example.com"]
        {
            assert!(!is_loopback(elsewhere), "{elsewhere}");
        }
    }

    #[test]
    fn columns_stand_below_each_other() {
        let rows = vec![vec!["a".to_owned(), "1".to_owned()], vec!["long".to_owned(), "2".to_owned()]];
        assert_eq!(table(&["plan", "v"], rows), "plan  v\na     1\nlong  2");
    }
}
