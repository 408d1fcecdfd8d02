//! The command line: one file a command. Each parses, calls, prints; what it calls lives elsewhere.

mod adjust;
mod build;
mod client;
mod credits;
mod demo;
mod diff;
pub mod excerpt;
mod init;
mod invoice;
mod ledger;
mod output;
mod plan;
mod preview;
mod push;
mod remote;
mod serve;
mod sources;
mod version;

use clap::{Args, Parser, Subcommand, ValueEnum};
use jiff::Timestamp;
use output::Output;
use std::process::ExitCode;
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{Pool, PoolConfig, PoolError};

/// The first argument of a build worker's process. Not for people.
pub const WORKER: &str = "__worker";

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what it was asked.
    Done = 0,
    /// The product is wrong.
    Wrong = 1,
    /// It was asked in a way it does not know.
    Usage = 2,
    /// The build was stopped: a limit, or a crash.
    Stopped = 3,
    /// It could not reach or read something.
    Unreachable = 4,
    /// It was refused: a token, or a contradiction.
    Refused = 5,
}

/// Tells the time.
pub type Clock = fn() -> Timestamp;

#[derive(Parser, Debug)]
#[command(name = "svc", version, about = "Build metered products declared as one TypeScript class, and preview their bills exactly", long_about = None)]
#[command(
    after_help = "Exit status: 0 done, 1 the product is wrong, 2 usage, 3 the build was stopped (limit or crash), 4 could not reach or read something, 5 refused (auth, conflict)."
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Args, Clone, Debug)]
struct Global {
    /// How results are written to standard output.
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Say nothing but the result.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say more; twice for everything.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON envelope.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColorChoice {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Build the product in DIR and write product-build.json beside it.
    Build(build::BuildArgs),
    /// Build the product in DIR and write nothing.
    Check(build::BuildArgs),
    /// Show what changed in the product in DIR, by resource, and what of it touches money or takes something away.
    Diff(diff::DiffArgs),
    /// Write a new product into DIR that type-checks and builds as it is.
    Init(init::InitArgs),
    /// Build the product in DIR at the service.
    Push(push::PushArgs),
    /// Release the product in DIR, or a build that was pushed; with --dry-run, say what that would change.
    Publish(push::PublishArgs),
    /// Plan versions, and moving subscribers between them.
    #[command(subcommand)]
    Plan(plan::PlanCommand),
    /// Show a subscriber's own bill preview.
    Preview(preview::PreviewArgs),
    /// Close periods, list invoices.
    #[command(subcommand)]
    Invoice(invoice::InvoiceCommand),
    /// Give credit, sell packs, take buckets back.
    #[command(subcommand)]
    Credits(credits::CreditsCommand),
    /// Refund a usage item, correct what is owed.
    #[command(subcommand)]
    Adjust(adjust::AdjustCommand),
    /// Audit the ledger.
    #[command(subcommand)]
    Ledger(ledger::LedgerCommand),
    /// Serve the hosted builder and the preview API.
    Serve(serve::ServeArgs),
    /// Show the whole way, from an example product to two served bill previews, and keep serving.
    Demo(demo::DemoArgs),
    /// Print the versions of the program, the authoring package, the IR and V8.
    Version,
}

/// Runs the command of the process's arguments.
pub fn run(clock: Clock) -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output and are no mistake.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            let _broken_pipe = error.print();
            return ExitCode::from(exit as u8);
        }
    };
    let output = Output::new(&cli.global);
    let exit = match cli.command {
        Command::Build(args) => build::run(&args, &output, true),
        Command::Check(args) => build::run(&args, &output, false),
        Command::Diff(args) => diff::run(&args, &output),
        Command::Init(args) => init::run(&args, &output),
        Command::Push(args) => push::push(&args, &output),
        Command::Publish(args) => push::publish(&args, &output),
        Command::Plan(command) => plan::dispatch(&command, &output),
        Command::Preview(args) => preview::show(&args, &output),
        Command::Invoice(command) => invoice::dispatch(&command, &output),
        Command::Credits(command) => credits::dispatch(&command, &output),
        Command::Adjust(command) => adjust::dispatch(&command, &output),
        Command::Ledger(command) => ledger::dispatch(&command, &output),
        Command::Serve(args) => serve::run(args, &output, clock),
        Command::Demo(args) => demo::run(&args, &output, clock),
        Command::Version => version::run(&output),
    };
    ExitCode::from(exit as u8)
}

/// A pool whose workers are this very program.
fn pool(worker: WorkerConfig, running_max: usize, warm: usize, queue_max: usize) -> Result<Pool, PoolError> {
    let program = std::env::current_exe().map_err(PoolError::Start)?;
    Pool::new(PoolConfig { program, arguments: vec![WORKER.to_owned()], worker, running_max, warm, queue_max })
}
