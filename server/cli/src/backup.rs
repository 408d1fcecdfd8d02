//! `svc backup`: a whole copy of the embedded database, while it is served.

use crate::global::Exit;
use crate::output::{CommandError, Output};
use crate::serve::unopened;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use svc_store::sqlite;

/// Arguments of `svc backup`.
#[derive(Args, Debug)]
pub(crate) struct BackupArgs {
    /// The file to write; one that is there is left as it is.
    to: PathBuf,
    /// The embedded database's file.
    #[arg(long, default_value = "svc.db")]
    data: PathBuf,
}

/// Runs `svc backup`.
pub(crate) fn run(args: &BackupArgs, output: &Output) -> Exit {
    if args.to.exists() {
        let message = format!("{} is there already", args.to.display());
        return output.failed("backup", CommandError::new(Exit::Refused, "BACKUP_EXISTS", message), &[]);
    }
    if let Err(error) = sqlite::back_up(&args.data, &args.to) {
        let failure = unopened(&args.data.display().to_string())(error);
        return output.failed("backup", failure, &[]);
    }
    let said = format!("{} is a whole copy; restore it as --data {}", args.to.display(), args.to.display());
    output.done("backup", &said, json!({ "file": args.to }))
}
