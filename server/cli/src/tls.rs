//! The certificate that `svc serve` shows, read anew while it serves.

use crate::global::Exit;
use crate::output::CommandError;
use clap::Args;
use jiff::Timestamp;
use std::path::PathBuf;
use std::time::Duration;
use svc_tls::{PairFiles, Reload, ServerTls};
use tokio::signal::unix::Signal;
use tokio::task::JoinHandle;

/// How often the files are looked at, in seconds.
const LOOK_SECONDS: u64 = 5;

/// Where the certificate and its key are.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TlsArgs {
    /// Speak TLS, with the certificate in this file (PEM), followed by those that lead to its root; read again when it changes.
    #[arg(long, env = "SVC_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// The certificate's key (PEM, without a passphrase); read again when it changes.
    #[arg(long, env = "SVC_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,
}

impl TlsArgs {
    /// The pair, where one is named.
    pub(crate) fn read(&self, now: Timestamp) -> Result<Option<ServerTls>, CommandError> {
        let (certificate, key) = match (&self.tls_cert, &self.tls_key) {
            (None, None) => return Ok(None),
            (Some(certificate), Some(key)) => (certificate.clone(), key.clone()),
            (Some(_), None) => return Err(half("a certificate without its key", "--tls-key")),
            (None, Some(_)) => return Err(half("a key without its certificate", "--tls-cert")),
        };
        let refused = |error: svc_tls::TlsError| CommandError::new(Exit::Unreachable, "TLS_PAIR", error.to_string());
        let tls = ServerTls::read(PairFiles { certificate, key }).map_err(refused)?;
        if let Some(ended) = tls.ends().filter(|ends| *ends <= now) {
            tracing::warn!(%ended, "the certificate has ended: clients will refuse it; a new one is taken as soon as it is in its file");
        }
        Ok(Some(tls))
    }
}

fn half(what: &str, missing: &str) -> CommandError {
    CommandError::new(Exit::Usage, "TLS_PAIR", what).with_hint(format!("name the other file with {missing}"))
}

/// Looks at the files again and again, and whenever it is told to, until it is aborted.
pub(crate) fn keep_fresh(
    tls: Option<ServerTls>,
    mut told: Signal,
    now: impl Fn() -> Timestamp + Send + 'static,
) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            let at_once = tokio::select! {
                () = tokio::time::sleep(Duration::from_secs(LOOK_SECONDS)) => false,
                _told = told.recv() => true,
            };
            if let Some(tls) = &tls {
                look(tls, now(), at_once).await;
            }
        }
    })
}

async fn look(tls: &ServerTls, now: Timestamp, at_once: bool) {
    let looked = tls.clone();
    // Files may be slow to read: others are served meanwhile.
    match tokio::task::spawn_blocking(move || looked.reload(now, at_once)).await {
        Ok(Reload::Same) => {}
        Ok(Reload::Taken(ends)) => {
            let ends = ends.map(|ends| ends.to_string()).unwrap_or_default();
            tracing::warn!(ends, "another certificate is shown from now on");
        }
        Ok(Reload::Kept(why)) => tracing::error!(%why, "the new certificate is not taken; the one before stays"),
        Err(error) => tracing::error!(%error, "the certificate's files were not looked at"),
    }
}
