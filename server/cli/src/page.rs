//! Pages of lists: which one is asked for, and where a list goes on.

use crate::client::Client;
use crate::output::CommandError;
use crate::remote::{Remote, list, segment, text};
use clap::Args;
use serde_json::Value as Json;
use svc_core::LISTED_MAX;

/// How much of a list.
#[derive(Args, Debug)]
pub(crate) struct PageArgs {
    /// How many to list; as many pages are asked for as that takes.
    #[arg(long, default_value_t = LISTED_MAX, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// List all that there are.
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Where to go on: the cursor that a list ended with.
    #[arg(long)]
    cursor: Option<String>,
    #[command(flatten)]
    pub(crate) remote: Remote,
}

impl PageArgs {
    /// A list of the business's, whose entries are the answer's member `entries`.
    pub(crate) async fn list(&self, path: &str, entries: &str) -> Result<Json, CommandError> {
        // Without a token that is said first, as of every command.
        let client = self.remote.client()?;
        self.pages(&client, &self.remote.path(path)?, entries).await
    }

    /// The list at a path of the service.
    pub(crate) async fn list_at(&self, path: &str, entries: &str) -> Result<Json, CommandError> {
        self.pages(&self.remote.client()?, path, entries).await
    }

    async fn pages(&self, client: &Client, path: &str, entries: &str) -> Result<Json, CommandError> {
        let sign = if path.contains('?') { '&' } else { '?' };
        let (mut left, mut cursor) = (if self.all { u32::MAX } else { self.limit }, self.cursor.clone());
        let mut whole = Json::Null;
        loop {
            let from = cursor.as_deref().map(|cursor| format!("&cursor={}", segment(cursor))).unwrap_or_default();
            let page = client.get(&format!("{path}{sign}limit={}{from}", left.min(LISTED_MAX))).await?;
            let count = u32::try_from(list(&page, entries).len()).unwrap_or(u32::MAX);
            left = if self.all { left } else { left.saturating_sub(count) };
            cursor = page.get("cursor").and_then(Json::as_str).map(str::to_owned);
            whole = joined(whole, page, &[entries]);
            if cursor.is_none() || left == 0 || count == 0 {
                return Ok(whole);
            }
        }
    }
}

/// An answer with the next page of its lists: their entries behind the others, and all else in place of what was.
pub(crate) fn joined(whole: Json, mut page: Json, lists: &[&str]) -> Json {
    let (Json::Object(before), Json::Object(after)) = (whole, &mut page) else { return page };
    for (name, entries) in before {
        let Json::Array(mut all) = entries else { continue };
        if lists.contains(&name.as_str()) {
            if let Some(Json::Array(more)) = after.get_mut(&name) {
                all.append(more);
            }
            after.insert(name, Json::Array(all));
        }
    }
    page
}

/// A list with where to go on, where there is more.
pub(crate) fn with_cursor(answer: &Json, table: String) -> String {
    match text(answer, "cursor").as_str() {
        "-" => table,
        cursor => format!("{table}\nmore: --cursor {cursor}"),
    }
}
