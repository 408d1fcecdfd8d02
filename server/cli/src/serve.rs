//! `svc serve`.

use crate::dev_env::{self, DevEnv};
use crate::due_work;
use crate::edge::EdgeArgs;
use crate::gateway::{self, GatewaySettings};
use crate::global::{Exit, SystemClock, Workers, pool};
use crate::log::Log;
use crate::otlp;
use crate::output::{CommandError, Output};
use crate::reload::{self, Reload, Reread};
use crate::tls::{self, TlsArgs};
use clap::Args;
use clap::builder::BoolishValueParser;
use jiff::SignedDuration;
use serde_json::json;
use std::future::Future;
use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use svc_api::rates::{RATE_DEFAULT, Rates};
use svc_api::{App, Edge, Live, MetersBeside, Traffic, WorkerState};
use svc_builds::{Builder, Pushes};
use svc_core::clock_guard::{ClockGuard, Guarded, check_start};
use svc_core::secrets::Secrets;
use svc_core::tokens::{new_secret, token_hash};
use svc_core::{Core, PushSettings, to_micros};
use svc_events::Events;
use svc_gateway::Gateway;
use svc_outbound::Outbound;
use svc_runtime::Pool;
use svc_runtime::worker::WorkerConfig;
use svc_store::postgres::{Bounds, Postgres};
use svc_store::sqlite::Sqlite;
use svc_store::{Store, StoreError};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

/// Builds that may wait for a worker.
const QUEUE_MAX: usize = 256;
/// Builds that a server has taken beside those that run: the next is at hand, and no business holds many that others could have.
const BUILDS_AT_HAND: usize = 1;
/// Shortest operator token that is taken, in characters.
const OPERATOR_TOKEN_MIN_CHARS: usize = 32;

/// Arguments of `svc serve`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServeArgs {
    /// Where to listen.
    #[arg(long, env = "SVC_LISTEN", default_value = "127.0.0.1:8787")]
    pub(crate) listen: SocketAddr,
    /// The embedded database's file; not together with --database-url.
    #[arg(long, env = "SVC_DATA", default_value = "svc.db", conflicts_with = "database_url")]
    pub(crate) data: PathBuf,
    /// A PostgreSQL database instead: postgres://user:password@host/name.
    #[arg(long, env = "SVC_DATABASE_URL", hide_env_values = true)]
    pub(crate) database_url: Option<String>,
    /// Calls that one token may make in ten seconds, at this server.
    #[arg(long, env = "SVC_RATE_LIMIT", default_value_t = RATE_DEFAULT, value_name = "COUNT")]
    pub(crate) rate_limit: NonZeroU32,
    /// The operator's token, 32 characters or more; a fresh one is made and shown where none is given.
    #[arg(long, env = "SVC_OPERATOR_TOKEN", hide_env_values = true)]
    pub(crate) operator_token: Option<String>,
    /// Close each period by itself this long after its end, such as 12h or 3d; unless given, closing is the operator's act.
    #[arg(long, env = "SVC_CLOSE_AFTER", value_parser = due_work::parse_after, value_name = "TIME")]
    pub(crate) close_after: Option<SignedDuration>,
    /// Serve this machine for development: a business and tokens are made and kept in .svc/env, where commands in the same folder find them.
    #[arg(long)]
    pub(crate) dev: bool,
    /// Start although the clock stands far from when the embedded database was last worked with: it is right.
    #[arg(long)]
    pub(crate) trust_clock: bool,
    /// Builds that run at once.
    #[arg(long, env = "SVC_BUILDERS", default_value_t = 2, value_name = "COUNT")]
    pub(crate) builders: usize,
    /// Where this server is reached from outside, for links in commit statuses and to the portal page; the address that it listens on unless given.
    #[arg(long, env = "SVC_PUBLIC_URL")]
    pub(crate) public_url: Option<String>,
    /// The key that seals forges' tokens and hooks' secrets: 32 bytes as 64 hex digits or base64. Without it nothing is built on push, and nobody is told of events.
    #[arg(long, env = "SVC_SECRETS_KEY", hide_env_values = true)]
    pub(crate) secrets_key: Option<String>,
    /// A host of a forge or of a receiver of events, or HOST:PORT, that may have a private address and speak HTTP without TLS; may be given several times.
    #[arg(long, env = "SVC_ALLOW_HOSTS", value_delimiter = ',', value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,
    /// Serve even when the kernel does not enforce the whole sandbox on build workers.
    #[arg(long, env = "SVC_ALLOW_UNSANDBOXED", value_parser = BoolishValueParser::new())]
    pub(crate) allow_unsandboxed: bool,
    /// Take a build only where the tests that lie beside its product pass (`product/**/*.test.ts`).
    #[arg(long, env = "SVC_DEMAND_TESTS", value_parser = BoolishValueParser::new())]
    pub(crate) demand_tests: bool,
    /// What is logged, such as info, or warn,svc_api=debug; before RUST_LOG, -v and -q.
    #[arg(long, env = "SVC_LOG", value_name = "FILTER")]
    pub(crate) log: Option<String>,
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
    #[command(flatten)]
    pub(crate) tls: TlsArgs,
    /// Be the gateway of the products, too, at this address.
    #[arg(long, env = "SVC_GATEWAY", value_name = "ADDRESS")]
    pub(crate) gateway: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) gateway_settings: GatewaySettings,
    #[command(flatten)]
    pub(crate) edge: EdgeArgs,
}

impl ServeArgs {
    /// As without any arguments, on this file.
    pub(crate) fn of(listen: SocketAddr, data: PathBuf) -> ServeArgs {
        ServeArgs {
            listen,
            data,
            database_url: None,
            rate_limit: RATE_DEFAULT,
            operator_token: None,
            close_after: None,
            dev: false,
            trust_clock: false,
            builders: 1,
            public_url: None,
            secrets_key: None,
            allow_host: Vec::new(),
            allow_unsandboxed: false,
            demand_tests: false,
            log: None,
            database: DatabaseArgs::default(),
            tls: TlsArgs::default(),
            gateway: None,
            gateway_settings: GatewaySettings::default(),
            edge: EdgeArgs::default(),
        }
    }
}

/// What this server takes of a PostgreSQL database.
#[derive(Args, Clone, Debug)]
pub(crate) struct DatabaseArgs {
    /// Connections to PostgreSQL; a quarter of them is left to what only reads.
    #[arg(long, env = "SVC_DATABASE_CONNECTIONS", default_value_t = Bounds::default().connections, value_name = "COUNT")]
    database_connections: NonZeroUsize,
    /// Seconds that a statement may take there.
    #[arg(long, env = "SVC_STATEMENT_SECONDS", default_value_t = Bounds::default().statement_seconds, value_name = "SECONDS")]
    statement_seconds: NonZeroU32,
    /// Seconds that a transaction waits for a lock there.
    #[arg(long, env = "SVC_LOCK_SECONDS", default_value_t = Bounds::default().lock_seconds, value_name = "SECONDS")]
    lock_seconds: NonZeroU32,
    /// Seconds that a transaction may do nothing there.
    #[arg(long, env = "SVC_TRANSACTION_IDLE_SECONDS", default_value_t = Bounds::default().idle_seconds, value_name = "SECONDS")]
    transaction_idle_seconds: NonZeroU32,
}

impl DatabaseArgs {
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds {
            connections: self.database_connections,
            statement_seconds: self.statement_seconds,
            lock_seconds: self.lock_seconds,
            idle_seconds: self.transaction_idle_seconds,
        }
    }
}

impl Default for DatabaseArgs {
    fn default() -> DatabaseArgs {
        let Bounds { connections, statement_seconds, lock_seconds, idle_seconds } = Bounds::default();
        DatabaseArgs {
            database_connections: connections,
            statement_seconds,
            lock_seconds,
            transaction_idle_seconds: idle_seconds,
        }
    }
}

/// A server that is about to serve.
pub(crate) struct Ready<S> {
    pub(crate) listener: TcpListener,
    pub(crate) app: Arc<App<S>>,
    pub(crate) edge: Edge,
    pub(crate) builder: Builder<S>,
    /// What speaks to forges and to receivers of events; where the server keeps secrets.
    pub(crate) outbound: Option<(Pushes<S>, Events<S>)>,
    pub(crate) address: SocketAddr,
    pub(crate) operator_token: String,
    pub(crate) close_after: Option<SignedDuration>,
    /// By which settings are taken over while it serves.
    pub(crate) reload: Option<Reload>,
    /// The gateway, and where it listens; where it is one.
    pub(crate) gateway: Option<(TcpListener, Arc<Gateway<S>>)>,
}

impl<S> Ready<S> {
    /// Where it is reached on this machine.
    pub(crate) fn url(&self) -> String {
        url(self.address, self.edge.tls.is_some())
    }
}

fn url(address: SocketAddr, has_tls: bool) -> String {
    format!("{}://{address}", if has_tls { "https" } else { "http" })
}

/// Serves until told to stop.
pub(crate) fn run(args: ServeArgs, output: &Output, clock: SystemClock, reread: Reread) -> Exit {
    let served = block_on(async {
        let log = Log::begin(output, args.log.as_deref())?;
        let reload = Reload { log, reread };
        let sending = otlp::begin()?;
        let served = open(args, output, clock, reload).await;
        if let Some(sending) = sending {
            sending.end().await;
        }
        served
    });
    match served {
        Ok(()) => Exit::Done,
        Err(failure) => output.failed("serve", failure, &[]),
    }
}

/// Opens the store, and serves from it.
async fn open(args: ServeArgs, output: &Output, clock: SystemClock, reload: Reload) -> Result<(), CommandError> {
    match args.database_url.clone() {
        Some(url) => {
            let bounds = args.database.bounds();
            let store = Postgres::connect_within(&url, &bounds).await.map_err(unopened("the database"))?;
            // Its own connections, so that a probe waits behind no caller.
            let probe = Postgres::connect(&url).await.map_err(unopened("the database"))?;
            announce(store, Some(probe), args, output, clock, reload).await
        }
        None => {
            let store = Sqlite::open(&args.data).map_err(unopened(&args.data.display().to_string()))?;
            announce(store, None, args, output, clock, reload).await
        }
    }
}

/// Serves from a store, and says where.
async fn announce<S: Store>(
    store: S,
    probe: Option<S>,
    args: ServeArgs,
    output: &Output,
    clock: SystemClock,
    reload: Reload,
) -> Result<(), CommandError> {
    let mut env = args.dev.then(|| developing(&args)).transpose()?;
    let args = match &env {
        Some(env) => of_development(args, env),
        None => args,
    };
    let shows_token = args.operator_token.is_none();
    let ready = prepare(store, probe, args, clock).await?;
    let ready = Ready { reload: Some(reload), ..ready };
    if let Some(env) = &mut env {
        (env.url, env.operator) = (ready.url(), ready.operator_token.clone());
        env.set_up(&ready.app.core, ready.app.now()).await?;
        output.note(&env.told());
    }
    if shows_token {
        output.say(&format!("operator token (shown once): {}", ready.operator_token));
    }
    if let Some((listener, _)) = &ready.gateway {
        let address = listener.local_addr().map_err(unbound(&"the gateway's address"))?;
        output.note(&format!("the gateway listens on {}", url(address, ready.edge.tls.is_some())));
    }
    output.note(&format!("listening on {}", ready.url()));
    serve(ready).await
}

/// What a development server begins with. It is for this machine alone, since its operator's token lies in a file.
fn developing(args: &ServeArgs) -> Result<DevEnv, CommandError> {
    if !args.listen.ip().is_loopback() {
        let message = format!("--dev serves this machine alone, and {} is reached from others", args.listen);
        return Err(CommandError::new(Exit::Usage, "DEV_LISTEN", message).with_hint("leave --listen out"));
    }
    DevEnv::begun()
}

/// What is given, and else what a development server has.
fn of_development(mut args: ServeArgs, env: &DevEnv) -> ServeArgs {
    args.operator_token.get_or_insert_with(|| env.operator.clone());
    args.secrets_key.get_or_insert_with(|| env.secrets_key.clone());
    args.allow_host.extend(dev_env::HOSTS.map(str::to_owned));
    args
}

/// The failure of a store that can't be opened.
pub(crate) fn unopened(what: &str) -> impl FnOnce(StoreError) -> CommandError {
    let what = what.to_owned();
    move |error| CommandError::new(Exit::Unreachable, "STORE_UNAVAILABLE", format!("{what} can't be opened: {error}"))
}

/// Runs a future on the server's runtime.
pub(crate) fn block_on<T, E: From<CommandError>>(future: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| CommandError::new(Exit::Unreachable, "RUNTIME", error.to_string()))?.block_on(future)
}

/// Warms the workers, and binds the address. `probe` is a store for `/readyz` alone, where callers share connections.
pub(crate) async fn prepare<S: Store>(
    store: S,
    probe: Option<S>,
    args: ServeArgs,
    clock: SystemClock,
) -> Result<Ready<Guarded<S>>, CommandError> {
    let operator_token = operator_token(args.operator_token)?;
    let tls = args.tls.read(clock())?;
    let builders = args.builders.max(1);
    let pool = warmed(builders, !args.allow_unsandboxed).await?;
    let listener = gateway::bound(args.listen).await?;
    let address = listener.local_addr().map_err(unbound(&args.listen))?;
    if tls.is_none() && !address.ip().is_loopback() {
        tracing::warn!(%address, "HTTP is spoken without TLS to other machines: tokens can be read on the way, unless a proxy with TLS stands in front (--tls-cert and --tls-key)");
    }
    let public_url = args.public_url.unwrap_or_else(|| url(address, tls.is_some()));
    let settings = push_settings(&args.secrets_key, args.allow_host, public_url)?;
    let keeps_secrets = settings.secrets.is_some();
    let clock: Arc<svc_core::Clock> = Arc::new(move || to_micros(clock()));
    let guard = guarded(&store, &clock, args.trust_clock).await?;
    let core = Core::new(Guarded::new(store, Arc::clone(&guard))).with_push(settings);
    let at_once = builders.saturating_add(BUILDS_AT_HAND);
    let tester = args.demand_tests.then(|| tester(builders, !args.allow_unsandboxed)).transpose()?;
    let builder = Builder::new(core.clone(), pool.clone(), at_once, Arc::clone(&clock)).demanding_tests(tester);
    let outbound = keeps_secrets.then(connections).transpose()?;
    let outbound = outbound.map(|outbound| {
        let pushes = Pushes::new(core.clone(), outbound.clone(), Arc::clone(&clock));
        (pushes, Events::new(core.clone(), outbound, Arc::clone(&clock)))
    });
    let workers = move || WorkerState { warm: pool.warm_count(), sandbox: json!(pool.enforced()) };
    let edge = args.edge.edge(tls);
    let gateway = match args.gateway {
        Some(address) => {
            let data = args.database_url.is_none().then_some(args.data.as_path());
            let journal = args.gateway_settings.journal(data, &clock)?;
            let settings = args.gateway_settings.settings(args.database_url.is_some(), edge.tls.is_some())?;
            let gateway = gateway::made(core.clone(), Arc::clone(&clock), settings, journal)?;
            Some((gateway::bound(address).await?, gateway))
        }
        None => None,
    };
    let app = App {
        core,
        rates: Rates::new(args.rate_limit),
        traffic: Traffic::new(&edge.limits.get()),
        probe: probe.map(|probe| Guarded::new(probe, Arc::clone(&guard))),
        operator_hash: token_hash(&operator_token),
        backlog: Live::default(),
        meters_beside: gateway.as_ref().map(|(_, gateway)| counted(gateway)),
        clock_guard: guard,
        workers: Arc::new(workers),
        clock,
    };
    let (app, close_after) = (Arc::new(app), args.close_after);
    Ok(Ready { listener, app, edge, builder, outbound, address, operator_token, close_after, reload: None, gateway })
}

/// Shows what a gateway counts.
pub(crate) fn counted<S: Store>(gateway: &Arc<Gateway<S>>) -> Arc<MetersBeside> {
    let gateway = Arc::clone(gateway);
    Arc::new(move |registry| gateway.register(registry))
}

fn unbound(address: &impl std::fmt::Display) -> impl FnOnce(std::io::Error) -> CommandError {
    move |error| {
        let message = format!("{address} can't be listened on: {error}");
        CommandError::new(Exit::Unreachable, "ADDRESS_UNAVAILABLE", message)
    }
}

/// The operator's token: the one that was given, or a fresh one.
fn operator_token(given: Option<String>) -> Result<String, CommandError> {
    match given {
        Some(token) if token.chars().count() < OPERATOR_TOKEN_MIN_CHARS => {
            let message = format!("the operator token has fewer than {OPERATOR_TOKEN_MIN_CHARS} characters");
            Err(CommandError::new(Exit::Usage, "OPERATOR_TOKEN_SHORT", message))
        }
        Some(token) => Ok(token),
        None => {
            new_secret("operator").map_err(|error| CommandError::new(Exit::Unreachable, "CHANCE", error.to_string()))
        }
    }
}

/// Build workers, ready, on which the kernel enforces the whole sandbox where that is wanted.
async fn warmed(builders: usize, requires_sandbox: bool) -> Result<Pool, CommandError> {
    let unavailable =
        |error: svc_runtime::PoolError| CommandError::new(Exit::Stopped, "WORKER_UNAVAILABLE", error.to_string());
    let workers = Workers { running_max: builders, warm: builders, queue_max: QUEUE_MAX, requires_sandbox };
    let pool = pool(WorkerConfig::default(), &workers).map_err(unavailable)?;
    let filled = pool.fill().await;
    let enforced = pool.enforced();
    if requires_sandbox && enforced.is_some_and(|enforced| !enforced.is_enough()) {
        let message = format!("the kernel does not enforce the whole sandbox on build workers: {enforced:?}");
        return Err(CommandError::new(Exit::Refused, "SANDBOX_INCOMPLETE", message)
            .with_hint("--allow-unsandboxed serves all the same; never for strangers' code"));
    }
    filled.map_err(unavailable)?;
    tracing::info!(?enforced, "build workers are ready");
    Ok(pool)
}

/// Testing workers. None waits: one is started for each build that has tests.
fn tester(builders: usize, requires_sandbox: bool) -> Result<Pool, CommandError> {
    let workers = Workers { running_max: builders, warm: 0, queue_max: QUEUE_MAX, requires_sandbox };
    let config = WorkerConfig { tests: true, limits: svc_builds::tests::limits(), ..WorkerConfig::default() };
    pool(config, &workers).map_err(|error| CommandError::new(Exit::Stopped, "WORKER_UNAVAILABLE", error.to_string()))
}

/// The guard of the server's clock, which was held against when the store was last worked with, and against the store's own.
pub(crate) async fn guarded<S: Store>(
    store: &S,
    clock: &Arc<svc_core::Clock>,
    trusts: bool,
) -> Result<Arc<ClockGuard>, CommandError> {
    let start = check_start(store, clock(), trusts).await;
    start.map_err(|error| match error {
        StoreError::Clock(why) => CommandError::new(Exit::Refused, "CLOCK_SKEW", why).with_hint(
            "set the clock right, or give --trust-clock where it is: what time does to money can't be taken back",
        ),
        other => unopened("the database")(other),
    })?;
    let guard = Arc::new(ClockGuard::new(Arc::clone(clock), Arc::new(due_work::steady)));
    guard.ask(store).await.map_err(unopened("the database"))?;
    if guard.is_apart() {
        let skew = guard.skew().unwrap_or_default();
        tracing::error!(%skew, "this server's clock is apart from the database's; it writes nothing until it is set right");
    }
    Ok(guard)
}

/// What build on push needs to know.
fn push_settings(key: &Option<String>, hosts: Vec<String>, public_url: String) -> Result<PushSettings, CommandError> {
    let secrets = key.as_deref().map(Secrets::from_text).transpose();
    let secrets = secrets.map_err(|error| CommandError::new(Exit::Usage, "SECRETS_KEY_FORM", error.to_string()))?;
    if !public_url.starts_with("https://") && !public_url.starts_with("http://") {
        let message = format!("{public_url} is no http:// or https:// address");
        return Err(CommandError::new(Exit::Usage, "PUBLIC_URL_FORM", message));
    }
    let public_url = public_url.trim_end_matches('/').to_owned();
    Ok(PushSettings { secrets, named_hosts: hosts, public_url })
}

/// The connections to forges and to receivers of events.
fn connections() -> Result<Outbound, CommandError> {
    Outbound::new().map_err(|error| {
        let message = format!("the roots that this system trusts can't be read: {error}");
        CommandError::new(Exit::Unreachable, "TLS_ROOTS", message)
            .with_hint("install the package ca-certificates, or name a file of roots in SSL_CERT_FILE")
    })
}

/// Waits for SIGTERM or SIGINT.
pub(crate) fn told_to_stop() -> Result<impl Future<Output = ()>, CommandError> {
    let deaf = |error: std::io::Error| CommandError::new(Exit::Unreachable, "SIGNALS", error.to_string());
    let mut terminate = signal(SignalKind::terminate()).map_err(deaf)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(deaf)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
    })
}

/// Serves until SIGTERM or SIGINT, finishes what runs, and ends.
pub(crate) async fn serve<S: Store>(ready: Ready<S>) -> Result<(), CommandError> {
    let deaf = |error: std::io::Error| CommandError::new(Exit::Unreachable, "SIGNALS", error.to_string());
    let stop = told_to_stop()?;
    let hangup = signal(SignalKind::hangup()).map_err(deaf)?;
    // Builds that this server has taken run to their end while requests drain; those that wait are for others.
    let builder = ready.builder;
    let taking = tokio::spawn(async move { builder.run().await });
    let outbound = ready.outbound;
    let sending = tokio::spawn(async move {
        if let Some((pushes, events)) = outbound {
            tokio::join!(pushes.run(), events.run());
        }
    });
    let (tls, app) = (ready.edge.tls.clone(), Arc::clone(&ready.app));
    let renewing = tls::keep_fresh(tls, hangup, move || app.now());
    let told = signal(SignalKind::hangup()).map_err(deaf)?;
    let (reload, app, edge) = (ready.reload, Arc::clone(&ready.app), ready.edge.clone());
    let reloading = tokio::spawn(async move {
        if let Some(reload) = reload {
            reload::keep_up(reload, app, edge, told).await;
        }
    });
    let counting = due_work::keep_counting(Arc::clone(&ready.app));
    let watching = due_work::keep_asking(Arc::clone(&ready.app.clock_guard), ready.app.core.store.clone());
    let heard = Arc::clone(&ready.app);
    let hearing = due_work::keep_hearing(ready.app.core.clone(), move || heard.now());
    let keeping_up = due_work::keep_up(Arc::clone(&ready.app), ready.close_after);
    let edge = ready.edge.clone();
    let passing = ready.gateway.map(|(listener, gateway)| {
        told_to_stop().map(|stop| tokio::spawn(svc_gateway::serve(listener, gateway, edge, stop)))
    });
    let passing = passing.transpose()?;
    let served = svc_api::serve(ready.listener, ready.app, ready.edge, stop).await;
    if let Some(passing) = passing {
        let ended = passing.await.map_err(std::io::Error::other).flatten();
        ended.map_err(|error| CommandError::new(Exit::Unreachable, "SERVER", error.to_string()))?;
    }
    taking.abort();
    sending.abort();
    keeping_up.abort();
    renewing.abort();
    reloading.abort();
    counting.abort();
    watching.abort();
    hearing.abort();
    served.map_err(|error| CommandError::new(Exit::Unreachable, "SERVER", error.to_string()))
}
