//! `svc gateway`: the data plane of products, as a server of its own.

use crate::due_work;
use crate::edge::EdgeArgs;
use crate::gateway::{GatewaySettings, bound, made};
use crate::global::{Exit, SystemClock};
use crate::log::Log;
use crate::otlp;
use crate::output::{CommandError, Output};
use crate::reload::{self, Fresh, Reload, Reread};
use crate::serve::{self, DatabaseArgs, unopened};
use crate::tls::{self, TlsArgs};
use clap::Args;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use svc_api::rates::RATE_DEFAULT;
use svc_api::{Edge, Operations, Traffic, serve_behind_edge};
use svc_core::clock_guard::Guarded;
use svc_core::{Clock, Core, PushSettings, to_micros};
use svc_store::Store;
use svc_store::postgres::Postgres;
use svc_store::sqlite::Sqlite;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;

/// Arguments of `svc gateway`.
#[derive(Args, Debug)]
pub(crate) struct GatewayArgs {
    /// Where to listen.
    #[arg(long, default_value = "127.0.0.1:8788")]
    listen: SocketAddr,
    /// The embedded database's file, which `svc serve` works with too; not together with --database-url.
    #[arg(long, env = "SVC_DATA", default_value = "svc.db", conflicts_with = "database_url")]
    data: PathBuf,
    /// A PostgreSQL database instead: postgres://user:password@host/name.
    #[arg(long, env = "SVC_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
    /// A backend's host, or HOST:PORT, that may have a private address and speak HTTP without TLS; may be given several times.
    #[arg(long, env = "SVC_ALLOW_HOSTS", value_delimiter = ',', value_name = "HOST")]
    allow_host: Vec<String>,
    /// Start although the clock stands far from when the embedded database was last worked with: it is right.
    #[arg(long)]
    trust_clock: bool,
    /// Show /metrics, /healthz and /readyz at this address; not for the internet.
    #[arg(long, env = "SVC_GATEWAY_METRICS", value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// What is logged, such as info, or warn,svc_gateway=debug; before RUST_LOG, -v and -q.
    #[arg(long, env = "SVC_LOG", value_name = "FILTER")]
    log: Option<String>,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    settings: GatewaySettings,
    #[command(flatten)]
    tls: TlsArgs,
    #[command(flatten)]
    edge: EdgeArgs,
}

impl GatewayArgs {
    /// The settings that a running gateway takes over; how often a token may call the API is none of them.
    pub(crate) fn fresh(self, values: BTreeMap<String, Vec<String>>) -> Fresh {
        Fresh { rate_limit: RATE_DEFAULT, edge: self.edge, log: self.log, values }
    }
}

/// Passes requests on until told to stop.
pub(crate) fn run(args: GatewayArgs, output: &Output, clock: SystemClock, reread: Reread) -> Exit {
    let served = serve::block_on(async {
        let log = Log::begin(output, args.log.as_deref())?;
        let reload = Reload { log, reread };
        let sending = otlp::begin()?;
        let served = match args.database_url.clone() {
            Some(url) => {
                let store =
                    Postgres::connect_within(&url, &args.database.bounds()).await.map_err(unopened("the database"))?;
                serve_from(store, args, output, clock, reload).await
            }
            None => {
                let store = Sqlite::open(&args.data).map_err(unopened(&args.data.display().to_string()))?;
                serve_from(store, args, output, clock, reload).await
            }
        };
        if let Some(sending) = sending {
            sending.end().await;
        }
        served
    });
    match served {
        Ok(()) => Exit::Done,
        Err(failure) => output.failed("gateway", failure, &[]),
    }
}

async fn serve_from<S: Store>(
    store: S,
    args: GatewayArgs,
    output: &Output,
    clock: SystemClock,
    reload: Reload,
) -> Result<(), CommandError> {
    let listener = bound(args.listen).await?;
    let address = listener
        .local_addr()
        .map_err(|error| CommandError::new(Exit::Unreachable, "ADDRESS_UNAVAILABLE", error.to_string()))?;
    let clock: Arc<Clock> = Arc::new(move || to_micros(clock()));
    let tls = args.tls.read(clock())?;
    let guard = serve::guarded(&store, &clock, args.trust_clock).await?;
    let hosts = PushSettings { named_hosts: args.allow_host, ..PushSettings::default() };
    let asked = store.clone();
    let core = Core::new(Guarded::new(store, Arc::clone(&guard))).with_push(hosts);
    let data = args.database_url.is_none().then_some(args.data.as_path());
    let journal = args.settings.journal(data, &clock)?;
    let settings = args.settings.settings(args.database_url.is_some(), tls.is_some())?;
    let gateway = made(core.clone(), Arc::clone(&clock), settings, journal)?;
    let hangups = || {
        signal(SignalKind::hangup()).map_err(|error| CommandError::new(Exit::Unreachable, "SIGNALS", error.to_string()))
    };
    let (hangup, told) = (hangups()?, hangups()?);
    let edge = args.edge.edge(tls.clone());
    let shown = match args.metrics {
        Some(address) => {
            let operations = Operations {
                core: core.clone(),
                clock_guard: Arc::clone(&guard),
                meters_beside: serve::counted(&gateway),
                clock: Arc::clone(&clock),
            };
            Some(show(bound(address).await?, operations, args.edge.edge(None), output)?)
        }
        None => None,
    };
    let (heard, dated) = (Arc::clone(&clock), clock);
    let working = [
        due_work::keep_asking(guard, asked),
        due_work::keep_hearing(core, move || heard()),
        tls::keep_fresh(tls.clone(), hangup, move || dated()),
        reload::keep_gateway_up(reload, edge.clone(), told),
    ];
    output.note(&format!("the gateway listens on {}://{address}", if tls.is_some() { "https" } else { "http" }));
    let served = svc_gateway::serve(listener, gateway, edge, serve::told_to_stop()?).await;
    if let Some(shown) = shown {
        shown.abort();
    }
    working.iter().for_each(tokio::task::JoinHandle::abort);
    served.map_err(|error| CommandError::new(Exit::Unreachable, "SERVER", error.to_string()))
}

/// Shows what the gateway measures at an address of its own, until it is aborted.
fn show<S: Store>(
    listener: TcpListener,
    operations: Operations<S>,
    edge: Edge,
    output: &Output,
) -> Result<JoinHandle<()>, CommandError> {
    let address = listener
        .local_addr()
        .map_err(|error| CommandError::new(Exit::Unreachable, "ADDRESS_UNAVAILABLE", error.to_string()))?;
    output.note(&format!("its metrics are at http://{address}/metrics"));
    let (clock, stop) = (Arc::clone(&operations.clock), serve::told_to_stop()?);
    Ok(tokio::spawn(async move {
        let (service, traffic) = (operations.service(), Traffic::default());
        if let Err(error) = serve_behind_edge(listener, service, edge, &traffic, move || clock(), stop).await {
            tracing::error!(%error, "metrics are no longer shown");
        }
    }))
}
