//! `svc repl`: a product in its sandboxed worker, stopped where its author wants, looked at, and tried with money. The terminal is this
//! process, the product another.

mod command;
mod debugging;
mod highlight;
mod input;
mod inspecting;
mod looking;
pub(crate) mod money;
pub(crate) mod product;

use crate::build;
use crate::global::{Exit, Format};
use crate::output::{CommandError, Output};
use crate::remote::{Remote, segment};
use crate::summary;
use clap::Args;
use command::{COMMANDS, Command};
use debugging::Debugging;
use input::{Line, Talk};
use inspecting::When;
use money::Money;
use product::Product;
use serde_json::Value as Json;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use svc_engine::manifest::Manifest;
use svc_engine::sources::Sources;
use svc_runtime::debugger::{Typed, typed};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;

/// Arguments of `svc repl`.
#[derive(Args, Debug)]
#[command(
    after_help = "At the prompt, .help lists the commands. Without a terminal, lines are read from standard input."
)]
pub(crate) struct ReplArgs {
    /// The folder that holds `product/product.config.ts`.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Look into a build at the service instead: one that failed, within a week. It takes a deploy token.
    #[arg(long, value_name = "ID", conflicts_with_all = ["dir", "inspect", "inspect_brk", "inspect_wait"])]
    build: Option<String>,
    /// Talk in frames: each line in is {"line": TEXT}, each answer out {"text", "state", "at"}.
    #[arg(long)]
    json: bool,
    /// Serve Chrome DevTools and editors instead of a prompt: the product runs at once, and is there at its end.
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = INSPECT_ADDRESS)]
    inspect: Option<SocketAddr>,
    /// The same; the product stops at its first statement.
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = INSPECT_ADDRESS, conflicts_with = "inspect")]
    inspect_brk: Option<SocketAddr>,
    /// The same; the product waits until the debugger lets it run.
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = INSPECT_ADDRESS, conflicts_with_all = ["inspect", "inspect_brk"])]
    inspect_wait: Option<SocketAddr>,
    #[command(flatten)]
    remote: Remote,
}

/// Where debuggers look for a program, as a rule.
const INSPECT_ADDRESS: &str = "127.0.0.1:9229";

impl ReplArgs {
    /// Where debuggers are served, and when the product runs then.
    fn inspects(&self) -> Option<(SocketAddr, When)> {
        let at = |address: Option<SocketAddr>, when| address.map(|address| (address, when));
        at(self.inspect, When::AtOnce)
            .or(at(self.inspect_brk, When::AtFirstStatement))
            .or(at(self.inspect_wait, When::Waits))
    }
}

/// Talks until it is left.
pub(crate) fn run(args: &ReplArgs, output: &Output) -> Exit {
    match attempt(args, output) {
        Ok(()) => Exit::Done,
        Err(failure) => output.failed("repl", failure, &[]),
    }
}

fn attempt(args: &ReplArgs, output: &Output) -> Result<(), CommandError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(build::unavailable)?;
    if let Some((address, when)) = args.inspects() {
        return runtime.block_on(inspecting::serve(&args.dir, address, when, output));
    }
    let mut talk = Talk::new(args.json || output.format == Format::Json, output.color)?;
    let interrupts = Arc::new(Notify::new());
    if talk.is_terminal() {
        runtime.block_on(listen(Arc::clone(&interrupts)))?;
    }
    let mut repl = runtime.block_on(Repl::open(args, interrupts))?;
    talk.tell(&repl.greeting(output), repl.debugging.state());
    loop {
        let line = match talk.read() {
            Line::Typed(line) => line,
            Line::GivenUp => continue,
            Line::End => return Ok(()),
        };
        let answer = match command::parse(&line, repl.debugging.is_paused()) {
            Command::Exit => return Ok(()),
            command => runtime.block_on(repl.answer(command)),
        };
        let told = answer.unwrap_or_else(|failure| {
            let hint = failure.hint.map(|hint| format!("\n  hint: {hint}")).unwrap_or_default();
            format!("{}: {}{hint}", failure.code, failure.message)
        });
        talk.tell(&told, repl.debugging.state());
        if talk.is_terminal() {
            talk.offer(runtime.block_on(repl.debugging.names()));
        }
    }
}

/// From here on Ctrl-C stops the product where it runs, and not this process.
async fn listen(interrupts: Arc<Notify>) -> Result<(), CommandError> {
    let deaf = |error: std::io::Error| CommandError::new(Exit::Unreachable, "SIGNALS", error.to_string());
    let mut interrupt = signal(SignalKind::interrupt()).map_err(deaf)?;
    tokio::spawn(async move {
        while interrupt.recv().await.is_some() {
            // Whoever waits for the product now; nobody later.
            interrupts.notify_waiters();
        }
    });
    Ok(())
}

/// The sources of a build at the service.
async fn fetched(remote: &Remote, build: &str) -> Result<Sources, CommandError> {
    let path = remote.path(&format!("builds/{}/files", segment(build)))?;
    let mut answer = remote.client()?.get(&path).await?;
    let files = answer.get_mut("files").map(Json::take).unwrap_or_default();
    serde_json::from_value(files).map_err(|error| {
        CommandError::new(
            Exit::Unreachable,
            "SERVICE_ANSWER",
            format!("the build's files are not of their form: {error}"),
        )
    })
}

struct Repl {
    product: Product,
    debugging: Debugging,
    remote: Remote,
    /// Made when money is asked about first.
    money: Option<Money>,
}

impl Repl {
    async fn open(args: &ReplArgs, interrupts: Arc<Notify>) -> Result<Repl, CommandError> {
        let product = match &args.build {
            Some(build) => Product::of(fetched(&args.remote, build).await?, None).await?,
            None => Product::open(&args.dir).await?,
        };
        Ok(Repl { product, debugging: Debugging::new(interrupts), remote: args.remote.clone(), money: None })
    }

    /// What the files say, first of all.
    fn greeting(&self, output: &Output) -> String {
        let shown = build::rendered(&self.product.compiled.diagnostics, &self.product.sources, output.quiet);
        let said = match (&self.product.compiled.failure, &self.product.manifest) {
            (Some(failure), _) => format!("{failure}: {}", failure.message(&self.product.config().worker.limits)),
            (None, Some(manifest)) => summary::summary(manifest),
            (None, None) => build::count(&self.product.compiled.diagnostics),
        };
        format!("{shown}{said}\n.help lists the commands")
    }

    /// The manifest that is looked at: of the run, where it has come to one; else of the files.
    fn manifest(&self) -> Option<Manifest> {
        self.debugging.manifest().or_else(|| self.product.manifest.clone())
    }

    async fn answer(&mut self, command: Command) -> Result<String, CommandError> {
        let product = &self.product;
        let debugging = &mut self.debugging;
        match command {
            Command::Again => Ok(debugging.again(product).await),
            Command::Help(name) => Ok(help(&name)),
            Command::Run => debugging.run(product).await,
            Command::Step(step) => Ok(debugging.step(step, product).await),
            Command::Break(breakpoint) => match wrong_condition(breakpoint.condition.as_deref()) {
                Some(why) => Ok(why),
                None => debugging.set(breakpoint, product).await,
            },
            Command::Breaks => Ok(debugging.breakpoints()),
            Command::Clear(number) => Ok(debugging.clear(number).await),
            Command::Throws(all) => Ok(debugging.stop_at_throws(all).await),
            Command::Backtrace => Ok(debugging.backtrace()),
            Command::List(lines) => Ok(debugging.list(lines, &product.sources)),
            Command::Move(by) => Ok(debugging.go_to_frame(by, &product.sources)),
            Command::Locals => Ok(debugging.locals().await),
            Command::Watch(expression) => Ok(debugging.watch(expression).await),
            Command::Watches => Ok(debugging.watched().await),
            Command::Unwatch(number) => Ok(debugging.unwatch(number)),
            Command::Type(text) => debugging.kind(&text, product).await,
            Command::Evaluate(text) => debugging.evaluate(&text, product).await,
            Command::Reload => self.reload().await,
            Command::Subscribe(plan) => self.subscribe(&plan).await,
            Command::Use(words) => self.money().await?.report(&words).await,
            Command::Clock(text) => self.money().await?.clock(&text),
            Command::Bill { as_json } => self.money().await?.bill(as_json).await,
            Command::Invoice => self.money().await?.invoice().await,
            other => self.look(other).await,
        }
    }

    async fn money(&mut self) -> Result<&mut Money, CommandError> {
        if self.money.is_none() {
            self.money = Some(Money::new().await?);
        }
        self.money.as_mut().ok_or_else(|| build::unavailable("there is no store"))
    }

    async fn subscribe(&mut self, plan: &str) -> Result<String, CommandError> {
        let Some(manifest) = self.manifest() else { return Ok(looking::NO_MANIFEST.to_owned()) };
        self.money().await?.subscribe(&manifest, plan).await
    }

    async fn look(&mut self, command: Command) -> Result<String, CommandError> {
        let manifest = self.manifest();
        let (product, manifest) = (&self.product, manifest.as_ref());
        match command {
            Command::Registry => looking::registry(product).await,
            Command::Ir(path) => Ok(looking::ir(manifest, &path)),
            Command::Diff(against) => looking::difference(manifest, against.as_deref(), product, &self.remote).await,
            Command::Routes { method, path } => looking::answering(manifest, &method, &path, product).await,
            Command::Why(path) => looking::why(manifest, &path, product).await,
            Command::Unknown(name) => Ok(misused(&name)),
            other => Ok(misused(&format!("{other:?}"))),
        }
    }

    /// Reads the files again, and says what that changes.
    async fn reload(&mut self) -> Result<String, CommandError> {
        let before = self.product.manifest.clone();
        self.product.reload().await?;
        self.debugging.forget();
        let compiled = &self.product.compiled;
        let shown = build::rendered(&compiled.diagnostics, &self.product.sources, false);
        Ok(match (&compiled.ir, &self.product.manifest) {
            (Some(_), Some(after)) => format!("{shown}{}", debugging::changed("read again:", before.as_ref(), after)),
            _ => format!("{shown}{}; the last good manifest stays", build::count(&compiled.diagnostics)),
        })
    }
}

/// Why a condition is none.
fn wrong_condition(condition: Option<&str>) -> Option<String> {
    match typed(condition?) {
        Typed::Code(_) => None,
        Typed::Unfinished => Some("the condition ends too early".to_owned()),
        Typed::Wrong(why) => Some(format!("the condition is no expression: {why}")),
    }
}

/// What a command is for, where it was asked in another way or is not there.
fn misused(name: &str) -> String {
    let known = help(name);
    if known.is_empty() { format!("there is no {name}; .help lists the commands") } else { known }
}

/// The commands, or those of one name.
fn help(name: &str) -> String {
    let name = name.trim();
    let all = COMMANDS
        .iter()
        .filter(|(known, ..)| name.is_empty() || *known == name || known.strip_prefix('.') == Some(name));
    let heads: Vec<(String, &str)> = all.map(|(name, takes, does)| (format!("{name} {takes}"), *does)).collect();
    let width = heads.iter().map(|(head, _)| head.trim_end().chars().count()).max().unwrap_or(0);
    heads.iter().map(|(head, does)| format!("{:<width$}  {does}", head.trim_end())).collect::<Vec<_>>().join("\n")
}
