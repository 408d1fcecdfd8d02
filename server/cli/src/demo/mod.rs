//! `svc demo`: the whole way on a real server, through its own API.

mod forge;
mod gateway;
mod push;

use crate::bill_text;
use crate::client::Client;
use crate::global::{Exit, SystemClock};
use crate::log::Log;
use crate::output::{CommandError, Output};
use crate::scratch::Scratch;
use crate::serve::{self, ServeArgs};
use clap::Args;
use serde_json::{Value as Json, json};
use std::net::SocketAddr;
use std::path::PathBuf;
use svc_store::sqlite::Sqlite;

/// The canonical example, file by file.
const EXAMPLE: &[(&str, &str)] = &[
    ("product/product.config.ts", include_str!("../../../../examples/croncloud/product/product.config.ts")),
    ("product/prices.ts", include_str!("../../../../examples/croncloud/product/prices.ts")),
    ("product/frontend.ts", include_str!("../../../../examples/croncloud/product/frontend.ts")),
];
/// Subjects, and the plan each takes: one transparent, one opaque.
const SUBSCRIBERS: &[(&str, &str)] = &[("ada", "starter"), ("grace", "scale")];

/// Arguments of `svc demo`.
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Where to listen.
    #[arg(long, default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// The database's file; a fresh one in a folder of its own unless given.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Show how a product is built on push instead: a repository, a small forge on this machine, pushes, and what becomes of them.
    #[arg(long)]
    push: bool,
    /// Show the gateway instead: a product, its origin, a loop of requests that meets its limit, and the bill that it made.
    #[arg(long, conflicts_with = "push")]
    gateway: bool,
    /// End after what is to be seen instead of serving on.
    #[arg(long)]
    once: bool,
    /// Serve even when the kernel does not enforce the whole sandbox on build workers.
    #[arg(long)]
    allow_unsandboxed: bool,
}

/// Shows the whole way.
pub(crate) fn run(args: &DemoArgs, output: &Output, clock: SystemClock) -> Exit {
    match serve::block_on(attempt(args, output, clock)) {
        Ok(exit) => exit,
        Err(failure) => output.failed("demo", failure, &[]),
    }
}

async fn attempt(args: &DemoArgs, output: &Output, clock: SystemClock) -> Result<Exit, CommandError> {
    let folder = Scratch::new("demo")?;
    let data = args.data.clone().unwrap_or_else(|| folder.path().join("demo.db"));
    let serve_args =
        ServeArgs { allow_unsandboxed: args.allow_unsandboxed, ..ServeArgs::of(args.listen, data.clone()) };
    Log::begin(output, None)?;
    if args.push {
        return push::show(folder.path(), serve_args, args.once, output, clock).await;
    }
    if args.gateway {
        return gateway::show(folder.path(), serve_args, args.once, output, clock).await;
    }
    let store = Sqlite::open(&data).map_err(serve::unopened(&data.display().to_string()))?;
    let ready = serve::prepare(store, None, serve_args, clock).await?;
    let base = ready.url();
    let operator = Client::new(base.as_str(), ready.operator_token.as_str());
    let server = tokio::spawn(serve::serve(ready));
    let shown = walk(&operator, &base, output).await?;
    let human: Vec<String> = shown.iter().map(Shown::human).collect();
    let data: Vec<Json> = shown.iter().map(Shown::json).collect();
    let exit = output.done("demo", &human.join("\n\n"), json!({ "url": base, "previews": data }));
    if !args.once {
        output.note(&format!("\nserving on {base}; press Ctrl-C to end"));
        server.await.map_err(|error| CommandError::new(Exit::Unreachable, "SERVER", error.to_string()))??;
    }
    Ok(exit)
}

/// A preview, and how to fetch it again.
struct Shown {
    plan: &'static str,
    preview: Json,
    curl: String,
    /// A link to the page that shows it.
    page: String,
}

impl Shown {
    fn human(&self) -> String {
        let disclosure = self.preview.get("disclosure").and_then(Json::as_str).unwrap_or_default();
        let Shown { plan, preview, curl, page } = self;
        let bill = bill_text::human(preview);
        format!("# plan {plan:?} ({disclosure})\n{bill}\n\n{curl}\nor open, once and within five minutes: {page}")
    }

    fn json(&self) -> Json {
        json!({ "plan": self.plan, "preview": self.preview, "curl": self.curl, "page": self.page })
    }
}

/// Builds, publishes, subscribes, uses, previews.
async fn walk(operator: &Client, base: &str, output: &Output) -> Result<Vec<Shown>, CommandError> {
    let business = operator.post("/v1/businesses", &json!({ "name": "CronCloud" })).await?;
    let root = format!("/v1/businesses/{}", text(&business, "businessId"));
    let files: Json =
        EXAMPLE.iter().map(|(path, text)| ((*path).to_owned(), json!(text))).collect::<serde_json::Map<_, _>>().into();
    let build = operator.post(&format!("{root}/builds"), &json!({ "files": files })).await?;
    output.note(&format!("built      {} as {}", text(&build, "irHash"), text(&build, "buildId")));
    let release = operator.post(&format!("{root}/releases"), &json!({ "buildId": text(&build, "buildId") })).await?;
    output.note(&format!("published  {}", text(&release, "releaseId")));
    let mut shown = Vec::new();
    for (subject, plan) in SUBSCRIBERS {
        operator.post(&format!("{root}/subscriptions"), &json!({ "subject": subject, "plan": plan })).await?;
        let usage = operator.post(&format!("{root}/usage"), &usage(subject)).await?;
        output.note(&format!("subscribed {subject} to {plan:?}; {}", outcome(&usage)));
        let token = operator.post(&format!("{root}/tokens"), &json!({ "kind": "portal", "subject": subject })).await?;
        let token = text(&token, "token");
        let path = format!("/portal/businesses/{}/me/bill-preview", text(&business, "businessId"));
        let preview = Client::new(base, token).get(&path).await?;
        let curl = format!("curl -H 'Authorization: Bearer {token}' {base}{path}");
        let link = operator.post(&format!("{root}/portal-sessions"), &json!({ "subject": subject })).await?;
        shown.push(Shown { plan, preview, curl, page: text(&link, "url").to_owned() });
    }
    Ok(shown)
}

/// Served requests as a gateway reports them, and a measured value beside.
fn usage(subject: &str) -> Json {
    let served = (0..40).map(|n| {
        json!({ "id": format!("req-{n}"), "subject": subject, "route": "POST /v1/jobs", "status": 201, "occurredAt": "2026-01-01T00:00:00Z" })
    });
    let measured = json!({ "id": "run-1", "subject": subject, "meter": "compute_ms", "units": 1_234_567 });
    json!({ "items": served.chain([measured]).collect::<Vec<_>>() })
}

fn outcome(usage: &Json) -> String {
    let results = usage.get("results").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let accepted = results.iter().filter(|result| text(result, "status") == "accepted").count();
    let refused: Vec<&str> = results
        .iter()
        .filter(|result| text(result, "status") == "refused")
        .map(|result| text(result, "message"))
        .collect();
    format!(
        "{accepted} usage items accepted, {} refused{}",
        refused.len(),
        refused.first().map(|why| format!(" ({why})")).unwrap_or_default()
    )
}

fn text<'j>(json: &'j Json, name: &str) -> &'j str {
    json.get(name).and_then(Json::as_str).unwrap_or_default()
}
