//! What a gateway is told, by `svc gateway` and by `svc serve --gateway`.

use crate::global::Exit;
use crate::output::CommandError;
use clap::Args;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use svc_core::{Clock, Core};
use svc_gateway::limits::{BODY_MAX_BYTES, REQUEST_MAX_SECONDS, SILENCE_MAX_SECONDS};
use svc_gateway::{Gateway, Journal, Proof, SECRET_MIN_CHARS, SECRETS_MAX, Settings};
use svc_store::Store;
use svc_store::records::Id;
use tokio::net::TcpListener;

/// What a gateway is told.
#[derive(Args, Clone, Debug)]
pub(crate) struct GatewaySettings {
    /// A host and the business whose product it is: api.example.com=biz_…; may be given several times. Where none is given, a request's key says whose it is.
    #[arg(long, env = "SVC_GATEWAY_HOSTS", value_delimiter = ',', value_name = "HOST=BUSINESS", value_parser = host)]
    gateway_host: Vec<(String, String)>,
    /// The secret that backends sign their reports with, 32 characters or more; BUSINESS=SECRET for one business alone; two while one takes over.
    #[arg(long, env = "SVC_USAGE_SECRETS", hide_env_values = true, value_delimiter = ',', value_name = "SECRET", value_parser = secret)]
    usage_secret: Vec<(Option<String>, String)>,
    /// Longest body of a request to a backend, in bytes.
    #[arg(long, env = "SVC_GATEWAY_BODY_BYTES", default_value_t = NonZeroU64::new(BODY_MAX_BYTES).unwrap_or(NonZeroU64::MIN), value_name = "BYTES")]
    gateway_body_bytes: NonZeroU64,
    /// Seconds that a backend may be silent: before its answer, and between two pieces of it.
    #[arg(long, env = "SVC_GATEWAY_SILENCE_SECONDS", default_value_t = NonZeroU32::new(SILENCE_MAX_SECONDS).unwrap_or(NonZeroU32::MIN), value_name = "SECONDS")]
    gateway_silence_seconds: NonZeroU32,
    /// Seconds that a request to a backend may take as a whole, its answer's stream among it; at most 86,000.
    #[arg(long, env = "SVC_GATEWAY_REQUEST_SECONDS", default_value_t = NonZeroU32::new(REQUEST_MAX_SECONDS).unwrap_or(NonZeroU32::MIN), value_name = "SECONDS", value_parser = request_seconds)]
    gateway_request_seconds: NonZeroU32,
    /// Whether other gateways work beside this one, so that limits are shared over the store; unless told, they are with PostgreSQL and not with a file.
    #[arg(long, env = "SVC_GATEWAY_SHARES_LIMITS", value_name = "BOOL")]
    gateway_shares_limits: Option<bool>,
    /// A folder for what is served and not charged yet, from where the next gateway charges it when this one is killed; unless told, one beside the file of the embedded database, and none with PostgreSQL.
    #[arg(long, env = "SVC_GATEWAY_JOURNAL", value_name = "DIR")]
    gateway_journal: Option<PathBuf>,
}

/// Longest time for a request, in seconds: a hold that lives a little longer still fits into a day.
const REQUEST_SECONDS_MAX: u32 = 86_000;

fn request_seconds(text: &str) -> Result<NonZeroU32, String> {
    let seconds = text.parse::<NonZeroU32>().ok().filter(|seconds| seconds.get() <= REQUEST_SECONDS_MAX);
    seconds.ok_or_else(|| format!("a number of seconds from 1 to {REQUEST_SECONDS_MAX} is needed"))
}

fn host(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').filter(|(host, business)| !host.is_empty() && business.starts_with("biz_"));
    let (host, business) = parts.ok_or("a host and a business are needed, such as api.example.com=biz_…")?;
    Ok((host.to_ascii_lowercase(), business.to_owned()))
}

fn secret(text: &str) -> Result<(Option<String>, String), String> {
    let of_one = text.split_once('=').filter(|(business, _)| business.starts_with("biz_"));
    let (business, secret) = of_one.map_or((None, text), |(business, secret)| (Some(business.to_owned()), secret));
    let is_long = secret.chars().count() >= SECRET_MIN_CHARS;
    is_long
        .then(|| (business, secret.to_owned()))
        .ok_or_else(|| format!("a secret has {SECRET_MIN_CHARS} characters or more"))
}

impl Default for GatewaySettings {
    fn default() -> GatewaySettings {
        GatewaySettings {
            gateway_host: Vec::new(),
            usage_secret: Vec::new(),
            gateway_body_bytes: NonZeroU64::new(BODY_MAX_BYTES).unwrap_or(NonZeroU64::MIN),
            gateway_silence_seconds: NonZeroU32::new(SILENCE_MAX_SECONDS).unwrap_or(NonZeroU32::MIN),
            gateway_request_seconds: NonZeroU32::new(REQUEST_MAX_SECONDS).unwrap_or(NonZeroU32::MIN),
            gateway_shares_limits: None,
            gateway_journal: None,
        }
    }
}

impl GatewaySettings {
    /// The journal, where there is one.
    pub(crate) fn journal(&self, data: Option<&Path>, clock: &Arc<Clock>) -> Result<Option<Journal>, CommandError> {
        let beside = |data: &Path| {
            let mut name = data.as_os_str().to_owned();
            name.push("-gateway");
            PathBuf::from(name)
        };
        let Some(folder) = self.gateway_journal.clone().or_else(|| data.map(beside)) else { return Ok(None) };
        Journal::open(&folder, clock()).map(Some).map_err(|error| {
            let message = format!("the gateway's journal in {} can't be opened: {error}", folder.display());
            CommandError::new(Exit::Unreachable, "JOURNAL_UNAVAILABLE", message)
        })
    }

    /// As the gateway has it.
    pub(crate) fn settings(self, has_servers_beside: bool, has_tls: bool) -> Result<Settings, CommandError> {
        let mut secrets: HashMap<Option<String>, Vec<String>> = HashMap::new();
        for (business, secret) in self.usage_secret {
            secrets.entry(business).or_default().push(secret);
        }
        if secrets.values().any(|secrets| secrets.len() > SECRETS_MAX) {
            let message = format!("a business has at most {SECRETS_MAX} secrets at once");
            return Err(CommandError::new(Exit::Usage, "USAGE_SECRETS", message));
        }
        let proof = Proof::new(secrets.remove(&None).unwrap_or_default());
        let proofs =
            secrets.into_iter().filter_map(|(business, secrets)| Some((Id::named(business?), Proof::new(secrets))));
        Ok(Settings {
            hosts: self.gateway_host.into_iter().map(|(host, business)| (host, Id::named(business))).collect(),
            proofs: proofs.collect(),
            proof,
            body_max: self.gateway_body_bytes.get(),
            silence_seconds: self.gateway_silence_seconds.get(),
            request_seconds: self.gateway_request_seconds.get(),
            has_tls,
            shares_limits: self.gateway_shares_limits.unwrap_or(has_servers_beside),
        })
    }
}

/// Listens at an address.
pub(crate) async fn bound(address: SocketAddr) -> Result<TcpListener, CommandError> {
    TcpListener::bind(address).await.map_err(|error| {
        let message = format!("{address} can't be listened on: {error}");
        CommandError::new(Exit::Unreachable, "ADDRESS_UNAVAILABLE", message)
    })
}

/// A gateway over Core.
pub(crate) fn made<S: Store>(
    core: Core<S>,
    clock: Arc<Clock>,
    settings: Settings,
    journal: Option<Journal>,
) -> Result<Arc<Gateway<S>>, CommandError> {
    let failed = |error: std::io::Error| {
        let message = format!("the roots that this system trusts can't be read: {error}");
        CommandError::new(Exit::Unreachable, "TLS_ROOTS", message)
            .with_hint("install the package ca-certificates, or name a file of roots in SSL_CERT_FILE")
    };
    Gateway::new(core, clock, settings, journal).map(Arc::new).map_err(failed)
}
