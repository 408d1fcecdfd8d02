//! `svc serve`.

use super::output::{Failure, Output};
use super::{Clock, Exit, Format, pool};
use crate::core::Core;
use crate::core::businesses::{new_token, token_hash};
use crate::http::{self, App};
use crate::store::sqlite::Sqlite;
use clap::Args;
use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use svc_runtime::worker::WorkerConfig;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// Builds that may wait for a worker.
const QUEUE_MAX: usize = 256;
/// Shortest operator token that is taken, in characters.
const OPERATOR_TOKEN_MIN_CHARS: usize = 32;

/// Arguments of `svc serve`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServeArgs {
    /// Where to listen.
    #[arg(long, default_value = "127.0.0.1:8787")]
    pub(crate) listen: SocketAddr,
    /// The embedded database's file.
    #[arg(long, default_value = "svc.db")]
    pub(crate) data: PathBuf,
    /// The operator's token, 32 characters or more; a fresh one is made and shown where none is given.
    #[arg(long, env = "SVC_OPERATOR_TOKEN", hide_env_values = true)]
    pub(crate) operator_token: Option<String>,
    /// Builds that run at once.
    #[arg(long, default_value_t = 2)]
    pub(crate) builders: usize,
    /// Serve even when the kernel does not enforce the whole sandbox on build workers.
    #[arg(long)]
    pub(crate) allow_unsandboxed: bool,
}

/// A server that is about to serve.
pub(crate) struct Ready {
    pub(crate) listener: TcpListener,
    pub(crate) app: Arc<App<Sqlite>>,
    pub(crate) address: SocketAddr,
    pub(crate) operator_token: String,
}

/// Serves until told to stop.
pub(crate) fn run(args: ServeArgs, output: &Output, clock: Clock) -> Exit {
    let served = block_on(async {
        let shows_token = args.operator_token.is_none();
        let ready = prepare(args, output, clock).await?;
        if shows_token {
            output.say(&format!("operator token (shown once): {}", ready.operator_token));
        }
        output.note(&format!("listening on http://{}", ready.address));
        serve(ready).await
    });
    match served {
        Ok(()) => Exit::Done,
        Err(failure) => output.failed("serve", failure, &[]),
    }
}

/// Runs a future on the server's runtime.
pub(crate) fn block_on<T>(future: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| Failure::new(Exit::Unreachable, "RUNTIME", error.to_string()))?.block_on(future)
}

/// Opens the store, warms the workers, and binds the address.
pub(crate) async fn prepare(args: ServeArgs, output: &Output, clock: Clock) -> Result<Ready, Failure> {
    log(output);
    let operator_token = match args.operator_token {
        Some(token) if token.chars().count() < OPERATOR_TOKEN_MIN_CHARS => {
            let message = format!("the operator token has fewer than {OPERATOR_TOKEN_MIN_CHARS} characters");
            return Err(Failure::new(Exit::Usage, "OPERATOR_TOKEN_SHORT", message));
        }
        Some(token) => token,
        None => new_token("operator").map_err(|error| Failure::new(Exit::Unreachable, "CHANCE", error.to_string()))?,
    };
    let unopened = |error| {
        Failure::new(
            Exit::Unreachable,
            "STORE_UNAVAILABLE",
            format!("{} can't be opened: {error}", args.data.display()),
        )
    };
    let store = Sqlite::open(&args.data).map_err(unopened)?;
    let unavailable =
        |error: svc_runtime::PoolError| Failure::new(Exit::Stopped, "WORKER_UNAVAILABLE", error.to_string());
    let pool =
        pool(WorkerConfig::default(), args.builders.max(1), args.builders.max(1), QUEUE_MAX).map_err(unavailable)?;
    let enforced = pool.fill().await.map_err(unavailable)?;
    tracing::info!(?enforced, "build workers are ready");
    if !args.allow_unsandboxed && !enforced.is_some_and(svc_runtime::Enforced::is_enough) {
        let message = format!("the kernel does not enforce the whole sandbox on build workers: {enforced:?}");
        return Err(Failure::new(Exit::Refused, "SANDBOX_INCOMPLETE", message)
            .with_hint("--allow-unsandboxed serves all the same; never for strangers' code"));
    }
    let unbound = |error| {
        Failure::new(Exit::Unreachable, "ADDRESS_UNAVAILABLE", format!("{} can't be listened on: {error}", args.listen))
    };
    let listener = TcpListener::bind(args.listen).await.map_err(unbound)?;
    let address = listener.local_addr().map_err(unbound)?;
    let operator_hash = token_hash(&operator_token);
    let app = App { core: Core::new(store, pool), operator_hash, enforced, clock: Box::new(clock) };
    Ok(Ready { listener, app: Arc::new(app), address, operator_token })
}

/// Serves until SIGTERM or SIGINT, finishes what runs, and ends.
pub(crate) async fn serve(ready: Ready) -> Result<(), Failure> {
    let deaf = |error: std::io::Error| Failure::new(Exit::Unreachable, "SIGNALS", error.to_string());
    let mut terminate = signal(SignalKind::terminate()).map_err(deaf)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(deaf)?;
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
    };
    http::serve(ready.listener, ready.app, stop)
        .await
        .map_err(|error| Failure::new(Exit::Unreachable, "SERVER", error.to_string()))
}

/// Logs to standard error: JSON lines with `--format json`, else lines for people. `RUST_LOG` overrides the level.
fn log(output: &Output) {
    let level = match (output.quiet, output.verbose) {
        (true, _) => "error",
        (false, 0) => "warn",
        (false, 1) => "info",
        (false, _) => "debug",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second subscriber in one process would be refused; the first goes on.
    let _first_one_stays = match output.format {
        Format::Json => builder.json().try_init(),
        Format::Human => builder.with_ansi(output.color).try_init(),
    };
}
