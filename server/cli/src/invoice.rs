//! `svc invoice`: closing periods.

use crate::consent::Consent;
use crate::global::Exit;
use crate::output::{CommandError, Output};
use crate::page::{PageArgs, joined, with_cursor};
use crate::remote::{Remote, list, run, segment, table, text};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

/// What to do with invoices.
#[derive(Subcommand, Debug)]
pub(crate) enum InvoiceCommand {
    /// Close every ended period, once; with --dry-run, say what that would come to.
    Close(CloseArgs),
    /// List a subscription's invoices, oldest first.
    List(ListArgs),
}

/// Arguments of `svc invoice close`.
#[derive(Args, Debug)]
pub(crate) struct CloseArgs {
    /// One subscription alone.
    #[arg(long)]
    subscription: Option<String>,
    /// Close nothing; show the invoices of ended periods, and what the open ones would come to now.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    remote: Remote,
}

/// Arguments of `svc invoice list`.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// The subscription.
    subscription: String,
    #[command(flatten)]
    page: PageArgs,
}

/// Runs an invoice command.
pub(crate) fn dispatch(command: &InvoiceCommand, output: &Output) -> Exit {
    match command {
        InvoiceCommand::Close(args) => {
            let what = "every ended period gets its invoice, with its number";
            let ask = async {
                if !args.dry_run {
                    args.consent.ask(output, what)?;
                }
                close(args).await
            };
            run("invoice close", output, ask, shown)
        }
        InvoiceCommand::List(args) => {
            let path = format!("subscriptions/{}/invoices", segment(&args.subscription));
            run("invoice list", output, args.page.list(&path, "invoices"), shown)
        }
    }
}

/// Closes page by page, and puts together what that came to.
async fn close(args: &CloseArgs) -> Result<Json, CommandError> {
    let mut body = json!({ "dryRun": args.dry_run });
    if let (Some(subscription), Json::Object(body)) = (&args.subscription, &mut body) {
        body.insert("subscriptionId".to_owned(), json!(subscription));
    }
    let (client, path) = (args.remote.client()?, args.remote.path("invoices")?);
    let mut whole = client.post(&path, &body).await?;
    while let Some(cursor) = whole.get("cursor").and_then(Json::as_str) {
        let page = client.post(&format!("{path}?cursor={}", segment(cursor)), &body).await?;
        whole = joined(whole, page, &["invoices", "failed", "open"]);
    }
    if let Some(whole) = whole.as_object_mut() {
        whole.remove("cursor");
    }
    Ok(whole)
}

fn shown(answer: &Json) -> String {
    let row = |invoice: &Json| {
        [
            "number",
            "invoiceId",
            "subject",
            "periodStart",
            "periodEnd",
            "recurringFeeCents",
            "usageCents",
            "trueUpCents",
            "totalCents",
            "carriedCents",
        ]
        .map(|name| text(invoice, name))
        .to_vec()
    };
    let names = [
        "NUMBER",
        "INVOICE",
        "SUBJECT",
        "FROM",
        "TO",
        "FEE (c)",
        "USAGE (c)",
        "TRUE-UP (c)",
        "TOTAL (c)",
        "CARRIED (c)",
    ];
    let mut parts = vec![table(&names, list(answer, "invoices").iter().map(row).collect())];
    let open = list(answer, "open");
    if !open.is_empty() {
        parts.push("if the open periods ended now:".to_owned());
        parts.push(table(&names, open.iter().map(row).collect()));
    }
    for subscription in list(answer, "failed") {
        parts.push(format!("not closed: {}; the server's log says why", subscription.as_str().unwrap_or_default()));
    }
    with_cursor(answer, parts.join("\n"))
}
