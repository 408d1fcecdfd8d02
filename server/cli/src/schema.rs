//! `svc schema`: the tables of a PostgreSQL database, by their owner.

use crate::global::Exit;
use crate::output::Output;
use crate::serve::{block_on, unopened};
use clap::{Args, Subcommand};
use serde_json::json;
use svc_store::postgres::Postgres;

/// What to do with the tables.
#[derive(Subcommand, Debug)]
pub(crate) enum SchemaCommand {
    /// Bring the tables up to date, as a server does at its start, and let a server's own role use them.
    Apply(ApplyArgs),
}

/// Arguments of `svc schema apply`.
#[derive(Args, Debug)]
pub(crate) struct ApplyArgs {
    /// The database, with the user who is to own the tables: postgres://owner:password@host/name. On a Citus coordinator they are spread.
    #[arg(long, env = "SVC_DATABASE_URL", hide_env_values = true)]
    database_url: String,
    /// A role that servers connect as: it may do all that a server does, and can't change what was posted.
    #[arg(long, value_name = "ROLE")]
    server_role: Option<String>,
}

/// Runs a schema command.
pub(crate) fn dispatch(command: &SchemaCommand, output: &Output) -> Exit {
    let SchemaCommand::Apply(args) = command;
    let applied = block_on(async {
        let store = Postgres::connect(&args.database_url).await.map_err(unopened("the database"))?;
        if let Some(role) = &args.server_role {
            store.grant(role).await.map_err(unopened("the database"))?;
        }
        Ok(())
    });
    if let Err(failure) = applied {
        return output.failed("schema apply", failure, &[]);
    }
    let granted = args.server_role.as_ref().map(|role| format!("; servers may connect as {role}"));
    let said = format!("the tables are up to date{}", granted.unwrap_or_default());
    output.done("schema apply", &said, json!({ "upToDate": true, "serverRole": args.server_role }))
}
