//! Pages of lists: which one is asked for, and where a list goes on.

use crate::output::CommandError;
use crate::remote::{Remote, segment, text};
use clap::Args;
use serde_json::Value as Json;

/// Which page of a list.
#[derive(Args, Debug)]
pub(crate) struct PageArgs {
    /// How many to list, 100 at most.
    #[arg(long, default_value_t = 100)]
    limit: u32,
    /// Where to go on: the cursor that a list ended with.
    #[arg(long)]
    cursor: Option<String>,
    #[command(flatten)]
    pub(crate) remote: Remote,
}

impl PageArgs {
    /// The page as a query.
    pub(crate) fn query(&self) -> String {
        let cursor = self.cursor.as_deref().map(|cursor| format!("&cursor={}", segment(cursor)));
        format!("?limit={}{}", self.limit, cursor.unwrap_or_default())
    }

    /// The page of a list of the business's.
    pub(crate) fn path(&self, list: &str) -> Result<String, CommandError> {
        self.remote.path(&format!("{list}{}", self.query()))
    }
}

/// A list with where to go on, where there is more.
pub(crate) fn with_cursor(answer: &Json, table: String) -> String {
    match text(answer, "cursor").as_str() {
        "-" => table,
        cursor => format!("{table}\nmore: --cursor {cursor}"),
    }
}
