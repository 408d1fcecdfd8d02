//! `svc dev`: builds a product at every save, says what that changes, and serves the last good one on this machine.

mod example;
mod watch;

use crate::build;
use crate::global::{Exit, SystemClock};
use crate::log::Log;
use crate::output::{CommandError, Output, visible};
use crate::repl::money::refused;
use crate::repl::product::Product;
use crate::scratch::Scratch;
use crate::serve::{self, ServeArgs};
use crate::summary;
use crate::test;
use clap::Args;
use jiff::Timestamp;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Instant;
use svc_core::Core;
use svc_core::clock_guard::Guarded;
use svc_core::subscribing::SubscriptionOrder;
use svc_core::tokens::NewToken;
use svc_engine::manifest::Manifest;
use svc_engine::manifest::change_text::{Wording, human};
use svc_engine::manifest::diff::diff;
use svc_store::records::{BuildResult, Id, TokenScope};
use svc_store::sqlite::Sqlite;
use watch::Watch;

/// Who is subscribed to the first plan that takes somebody.
const SUBJECT: &str = "you";

/// Arguments of `svc dev`.
#[derive(Args, Debug)]
pub(crate) struct DevArgs {
    /// The folder that holds `product/product.config.ts`.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Where the last good product is served, on this machine.
    #[arg(long, default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
}

/// Watches until told to stop.
pub(crate) fn run(args: &DevArgs, output: &Output, clock: SystemClock) -> Exit {
    match serve::block_on(attempt(args, output, clock)) {
        Ok(()) => Exit::Done,
        Err(failure) => output.failed("dev", failure, &[]),
    }
}

async fn attempt(args: &DevArgs, output: &Output, clock: SystemClock) -> Result<(), CommandError> {
    if !args.listen.ip().is_loopback() {
        let message = format!("{} is not of this machine alone", args.listen);
        return Err(CommandError::new(Exit::Usage, "ADDRESS_NOT_LOCAL", message).with_hint("`svc serve` serves others"));
    }
    Log::begin(output, None)?;
    // Before the first build: a save in between is seen.
    let mut watch = Watch::start(&args.dir)?;
    let mut product = Product::open(&args.dir).await?;
    let folder = Scratch::new("dev")?;
    let data = folder.path().join("dev.db");
    let store = Sqlite::open(&data).map_err(serve::unopened(&data.display().to_string()))?;
    let serve_args = ServeArgs { allow_unsandboxed: true, ..ServeArgs::of(args.listen, data) };
    let ready = serve::prepare(store, None, serve_args, clock).await?;
    let mut served = Served::new(ready.app.core.clone(), ready.url(), clock).await?;
    let server = serve::serve(ready);
    tokio::pin!(server);
    say(&first(&product, &mut served, output).await);
    loop {
        tokio::select! {
            ended = &mut server => return ended,
            () = watch.changed() => {
                let began = Instant::now();
                if let Some(told) = again(&mut product, &mut served, output).await {
                    say(&format!("{told}\n[{} ms]", began.elapsed().as_millis()));
                }
            }
        }
    }
}

/// What is there at first.
async fn first(product: &Product, served: &mut Served, output: &Output) -> String {
    let mut told = build::rendered(&product.compiled.diagnostics, &product.sources, output.quiet);
    match &product.manifest {
        Some(manifest) => {
            told += &format!("{}\n{}", summary::summary(manifest), good(manifest, served).await);
            told += &tests(product).await;
        }
        None => told += &wrong(product),
    }
    told
}

/// What a save changed; nothing where it changed nothing.
async fn again(product: &mut Product, served: &mut Served, output: &Output) -> Option<String> {
    let (before, sources) = (product.manifest.clone(), product.sources.clone());
    if let Err(failure) = product.reload().await {
        return Some(format!("{}: {}", failure.code, failure.message));
    }
    if product.sources == sources {
        return None;
    }
    let mut told = build::rendered(&product.compiled.diagnostics, &product.sources, output.quiet);
    match (&product.compiled.ir, &product.manifest) {
        (Some(_), Some(after)) => {
            let wording = Wording::Author { before: before.as_ref(), after: Some(after) };
            told += &human(&diff(before.as_ref(), Some(after)), wording);
            if before.as_ref() != Some(after) {
                told += &format!("\n{}", good(after, served).await);
            }
            told += &tests(product).await;
        }
        _ => {
            told += &wrong(product);
            if before.is_some() {
                told += "; the last good product stays";
            }
        }
    }
    Some(told)
}

/// What the product's tests say, in lines of their own; nothing where it has none.
async fn tests(product: &Product) -> String {
    let Some(ir) = &product.compiled.ir else { return String::new() };
    test::watched(&product.sources, &ir.text).await.map(|told| format!("\n{told}")).unwrap_or_default()
}

fn wrong(product: &Product) -> String {
    match product.compiled.failure {
        Some(failure) => format!("{failure}: {}", failure.message(&product.config().worker.limits)),
        None => build::count(&product.compiled.diagnostics),
    }
}

/// The example bills of a good product, which is served from now on.
async fn good(manifest: &Manifest, served: &mut Served) -> String {
    let bills = example::bills(manifest).await.unwrap_or_else(|failure| failure.message);
    let release = served.release(manifest).await.unwrap_or_else(|failure| failure.message);
    format!("example bills:\n{bills}\n{release}")
}

/// The one result of this command: what it says as it goes.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _broken_pipe = writeln!(out, "{}", visible(text)).and_then(|()| out.flush());
}

/// The business that the last good product is released for.
struct Served {
    core: Core<Guarded<Sqlite>>,
    url: String,
    clock: SystemClock,
    business: Id,
    is_subscribed: bool,
}

impl Served {
    async fn new(core: Core<Guarded<Sqlite>>, url: String, clock: SystemClock) -> Result<Served, CommandError> {
        let business = core.create_business("dev", now(clock)).await.map_err(refused)?.id;
        Ok(Served { core, url, clock, business, is_subscribed: false })
    }

    /// Releases a manifest; the first time, subscribes somebody, and says how their preview is fetched.
    async fn release(&mut self, manifest: &Manifest) -> Result<String, CommandError> {
        let now = now(self.clock);
        let bytes = svc_engine::manifest::canonical::bytes(manifest).map_err(build::unavailable)?;
        let hash = svc_engine::manifest::canonical::hash_bytes(&bytes);
        let ir = String::from_utf8(bytes).map_err(build::unavailable)?;
        let result = BuildResult { ir_hash: Some(hash), ir: Some(ir), diagnostics: "[]".to_owned(), failure: None };
        let build = self.core.keep_build(&self.business, result, now).await.map_err(refused)?;
        self.core.publish(&self.business, &build.id, None, None, now).await.map_err(refused)?;
        if self.is_subscribed {
            return Ok(format!("served on {}; subscribers keep their version of a plan", self.url));
        }
        for plan in &manifest.plans {
            let subscribed =
                self.core.subscribe(&self.business, SUBJECT, SubscriptionOrder::of(plan.key.as_str()), now).await;
            if subscribed.is_ok() {
                self.is_subscribed = true;
                let scope = TokenScope::Portal { subject: SUBJECT.to_owned() };
                let token = self.core.mint_token(&self.business, NewToken::of(scope), now).await.map_err(refused)?.text;
                let page = self.core.portal_link(&self.business, SUBJECT, None, now).await.map_err(refused)?.url;
                let path = format!("/portal/businesses/{}/me/bill-preview", self.business);
                return Ok(format!(
                    "served on {}; {SUBJECT:?} is subscribed to {}:\npage (opens once, within five minutes): {page}\ncurl -H 'Authorization: Bearer {token}' {}{path}",
                    self.url,
                    plan.key.as_str(),
                    self.url
                ));
            }
        }
        Ok(format!("served on {}; no plan takes anybody", self.url))
    }
}

/// The moment, as the service keeps it.
fn now(clock: SystemClock) -> Timestamp {
    svc_core::to_micros(clock())
}
