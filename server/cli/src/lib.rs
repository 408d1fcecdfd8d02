//! The command line: one file a command. Each parses, calls, prints; what it calls lives elsewhere.

mod adjust;
mod amount;
mod backup;
mod bill_text;
mod build;
mod built;
mod business;
mod client;
mod commit;
mod config;
mod consent;
mod credits;
mod curve;
mod demo;
mod dev;
mod dev_env;
mod diff;
mod due_work;
mod edge;
mod events;
mod explain;
mod gateway;
mod gateway_command;
mod git;
mod global;
mod hold;
mod hook;
mod init;
mod invoice;
mod known_services;
mod ledger;
mod log;
mod login;
mod mistake;
mod otlp;
mod output;
mod packages;
mod page;
mod plan;
mod portal;
mod preview;
mod private_file;
mod push;
mod release;
mod reload;
mod remote;
mod repl;
mod resource;
mod sarif;
mod schema;
mod scratch;
mod serve;
mod settings;
mod shell;
mod sources;
mod subscription;
mod summary;
mod test;
mod tls;
mod token;
mod usage;
mod version;
mod what_if;
mod what_if_page;

pub use global::{BUILD_ONCE, Exit, SystemClock, WORKER};

use build::Op;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use global::{Format, Global};
use output::{CommandError, Output};
use reload::Fresh;
use settings::File;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use svc_runtime::begun::Begun;

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

#[derive(Subcommand, Debug)]
enum Command {
    /// Build the product in each DIR and write product-build.json beside it.
    Build(build::BuildArgs),
    /// Build the product in each DIR, write nothing, and say what it costs.
    Check(build::BuildArgs),
    /// Show what changed in the product in DIR, by resource, and what of it touches money or takes something away.
    Diff(diff::DiffArgs),
    /// Write a new project into DIR that installs, type-checks, builds and passes its tests as it is.
    Init(init::InitArgs),
    /// Write the npm packages of this version into DIR/.svc/packages, and say whether the project uses them.
    Packages(packages::PackagesArgs),
    /// Run the tests of the product in DIR: bills that usage is to come to, and rules that hold for any usage.
    Test(test::TestArgs),
    /// Build the product in DIR at every save, say what that changes and costs, and serve it on this machine.
    Dev(dev::DevArgs),
    /// Stop inside the product in DIR while it is built, look around, and try money, at a prompt.
    Repl(repl::ReplArgs),
    /// Build the product in DIR at the service.
    Push(push::PushArgs),
    /// Release the product in DIR, or a build that was pushed; with --dry-run, say what that would change.
    Publish(push::PublishArgs),
    /// What was released, and the way back to it.
    #[command(subcommand)]
    Release(release::ReleaseCommand),
    /// Build on push: the repository that a product is pushed to, and what its forge delivered.
    #[command(subcommand)]
    Hook(hook::HookCommand),
    /// Keep a service's address and token for the commands that come, in a file that only you can read.
    Login(login::LoginArgs),
    /// Forget a service that was logged in to.
    Logout(login::LogoutArgs),
    /// Make businesses.
    #[command(subcommand)]
    Business(business::BusinessCommand),
    /// Tokens of a business: mint, list and take back.
    #[command(subcommand)]
    Token(token::TokenCommand),
    /// Operators, each with a token of their own.
    #[command(subcommand)]
    Operator(token::OperatorCommand),
    /// Show who did what, newest first.
    AuditLog(token::AuditLogArgs),
    /// Plan versions, and moving subscribers between them.
    #[command(subcommand)]
    Plan(plan::PlanCommand),
    /// Show a subscriber's bill preview: one's own by a portal token, or any subscriber's as operator.
    Preview(preview::PreviewArgs),
    /// Links to the page on which a subscriber sees their bill, and how it looks.
    #[command(subcommand)]
    Portal(portal::PortalCommand),
    /// Subscribe subjects, change their plans, end and resume.
    #[command(subcommand)]
    Subscription(subscription::SubscriptionCommand),
    /// Report usage, and show what was used.
    #[command(subcommand)]
    Usage(usage::UsageCommand),
    /// Set money aside before something is used, list what is set aside, and let it go.
    #[command(subcommand)]
    Hold(hold::HoldCommand),
    /// What the gateway counts of a subscriber's resources.
    #[command(subcommand)]
    Resource(resource::ResourceCommand),
    /// Explain a bill: a tree from its total to the parts of each price, each the sum of those below it.
    Explain(explain::ExplainArgs),
    /// Close periods, list invoices.
    #[command(subcommand)]
    Invoice(invoice::InvoiceCommand),
    /// Give credit, sell packs, take buckets back.
    #[command(subcommand)]
    Credits(credits::CreditsCommand),
    /// Refund a usage item, correct what is owed.
    #[command(subcommand)]
    Adjust(adjust::AdjustCommand),
    /// Events: who is told of what happens in a business, and what was told.
    #[command(subcommand)]
    Events(events::EventsCommand),
    /// Audit the ledger.
    #[command(subcommand)]
    Ledger(ledger::LedgerCommand),
    /// Write a whole copy of the embedded database, while it is served.
    Backup(backup::BackupArgs),
    /// The tables of a PostgreSQL database, by their owner.
    #[command(subcommand)]
    Schema(schema::SchemaCommand),
    /// Serve the hosted builder and the preview API.
    Serve(serve::ServeArgs),
    /// Show every setting, what it is, and whether a flag, a variable or a file says so; takes each flag that is a setting.
    Config(config::ConfigArgs),
    /// Be the gateway of products: let requests through to their backends by key, plan and limits, and charge for them.
    Gateway(gateway_command::GatewayArgs),
    /// Show the whole way, from an example product to two served bill previews, and keep serving.
    Demo(demo::DemoArgs),
    /// Print what a shell completes of this program, for its folder of completions.
    Completions(shell::CompletionsArgs),
    /// Write the manual pages of all commands.
    Man(shell::ManArgs),
    /// Print the versions of the program, the authoring package, the IR and V8.
    Version,
}

/// What the process was asked, with what a file of settings says.
struct Asked {
    cli: Cli,
    matches: ArgMatches,
    file: Option<File>,
}

/// Why it is not known what was asked.
enum Unasked {
    Arguments(clap::Error),
    Settings(CommandError),
}

impl From<clap::Error> for Unasked {
    fn from(error: clap::Error) -> Unasked {
        Unasked::Arguments(error)
    }
}

/// Reads the arguments, the variables, and the file of settings where one is named.
fn asked(arguments: &[OsString]) -> Result<Asked, Unasked> {
    let Some(path) = settings::file_named(arguments) else {
        let matches = Cli::command().try_get_matches_from(arguments)?;
        return Ok(Asked { cli: Cli::from_arg_matches(&matches)?, matches, file: None });
    };
    let mut file = File::read(&path, &settings::all()).map_err(Unasked::Settings)?;
    let read = |file: &File| settings::with_defaults(Cli::command(), &file.values()).try_get_matches_from(arguments);
    let mut matches = read(&file)?;
    // A database that is named by a flag or a variable is the one, whichever kind the file names.
    let source = |matches: &ArgMatches, id: &str| matches.subcommand().and_then(|(_, below)| below.value_source(id));
    let serves = matches!(matches.subcommand_name(), Some("serve" | "config"));
    if serves && source(&matches, "data").is_some_and(|source| source != ValueSource::DefaultValue) {
        file.forget("SVC_DATABASE_URL");
        matches = read(&file)?;
    }
    Ok(Asked { cli: Cli::from_arg_matches(&matches)?, matches, file: Some(file) })
}

/// Says why it is not known what was asked.
fn unasked(why: Unasked, arguments: &[OsString]) -> ExitCode {
    let exit = match why {
        // Help and version go to standard output and are no mistake.
        Unasked::Arguments(error) if !error.use_stderr() => {
            let _broken_pipe = error.print();
            Exit::Done
        }
        Unasked::Arguments(error) if mistake::wants_json(arguments) => {
            let output = Output::new(&Global { format: Format::Json, ..Global::default() });
            output.failed(&mistake::operation(&Cli::command(), arguments), mistake::mistaken(&error), &[])
        }
        Unasked::Arguments(error) => {
            let _broken_pipe = error.print();
            Exit::Usage
        }
        Unasked::Settings(failure) => {
            let given = Cli::command().try_get_matches_from(arguments);
            let global = given.and_then(|matches| Global::from_arg_matches(&matches)).unwrap_or_default();
            Output::new(&global).failed("config", failure, &[])
        }
    };
    ExitCode::from(exit as u8)
}

/// The settings of a server, read again.
fn reread() -> Result<Fresh, CommandError> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let Asked { cli, matches, .. } = asked(&arguments).map_err(|why| match why {
        Unasked::Arguments(error) => CommandError::new(Exit::Usage, "USAGE", error.to_string()),
        Unasked::Settings(failure) => failure,
    })?;
    let Some((_, served)) = matches.subcommand() else {
        return Err(CommandError::new(Exit::Usage, "USAGE", "this serves nothing"));
    };
    let values = config::values(&settings::all(), served);
    match cli.command {
        Command::Serve(args) => Ok(Fresh { rate_limit: args.rate_limit, edge: args.edge, log: args.log, values }),
        Command::Gateway(args) => Ok(args.fresh(values)),
        _ => Err(CommandError::new(Exit::Usage, "USAGE", "this serves nothing")),
    }
}

/// Runs the command of the process's arguments.
pub fn run(clock: SystemClock, begun: Option<Begun>) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let Asked { cli, matches, file } = match asked(&arguments) {
        Ok(asked) => asked,
        Err(why) => return unasked(why, &arguments),
    };
    let output = Output::new(&cli.global);
    if output.format == Format::Sarif && !matches!(cli.command, Command::Build(_) | Command::Check(_)) {
        output.say("svc: USAGE: `--format sarif` is for `svc build` and `svc check`");
        return ExitCode::from(Exit::Usage as u8);
    }
    let exit = match cli.command {
        Command::Build(args) => build::run(&args, &output, Op::Build, begun),
        Command::Check(args) => build::run(&args, &output, Op::Check, begun),
        Command::Diff(args) => diff::run(&args, &output),
        Command::Init(args) => init::run(&args, &output),
        Command::Packages(args) => packages::run(&args, &output),
        Command::Test(args) => test::run(&args, &output),
        Command::Dev(args) => dev::run(&args, &output, clock),
        Command::Repl(args) => repl::run(&args, &output),
        Command::Push(args) => push::push(&args, &output),
        Command::Publish(args) => push::publish(&args, &output),
        Command::Release(command) => release::dispatch(&command, &output),
        Command::Login(args) => login::login(&args, &output),
        Command::Logout(args) => login::logout(&args, &output),
        Command::Hook(command) => hook::dispatch(&command, &output),
        Command::Business(command) => business::dispatch(&command, &output),
        Command::Token(command) => token::dispatch(&command, &output),
        Command::Operator(command) => token::operators(&command, &output),
        Command::AuditLog(args) => token::audit_log(&args, &output),
        Command::Portal(command) => portal::dispatch(&command, &output),
        Command::Plan(command) => plan::dispatch(&command, &output),
        Command::Preview(args) => preview::show(&args, &output),
        Command::Subscription(command) => subscription::dispatch(&command, &output),
        Command::Usage(command) => usage::dispatch(&command, &output),
        Command::Hold(command) => hold::dispatch(&command, &output),
        Command::Resource(command) => resource::dispatch(&command, &output),
        Command::Explain(args) => explain::show(&args, &output),
        Command::Invoice(command) => invoice::dispatch(&command, &output),
        Command::Credits(command) => credits::dispatch(&command, &output),
        Command::Adjust(command) => adjust::dispatch(&command, &output),
        Command::Events(command) => events::dispatch(&command, &output),
        Command::Ledger(command) => ledger::dispatch(&command, &output),
        Command::Backup(args) => backup::run(&args, &output),
        Command::Schema(command) => schema::dispatch(&command, &output),
        Command::Serve(args) => serve::run(args, &output, clock, Arc::new(reread)),
        Command::Config(_) => {
            let below = matches.subcommand().map_or(&matches, |(_, below)| below);
            config::show(below, file.as_ref(), &settings::all(), &output)
        }
        Command::Gateway(args) => gateway_command::run(args, &output, clock, Arc::new(reread)),
        Command::Demo(args) => demo::run(&args, &output, clock),
        Command::Completions(args) => shell::completions(&args, Cli::command(), &output),
        Command::Man(args) => shell::man(&args, Cli::command(), &output),
        Command::Version => version::run(&output),
    };
    ExitCode::from(exit as u8)
}
