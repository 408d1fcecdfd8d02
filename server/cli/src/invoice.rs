//! `svc invoice`: closing periods.

use crate::global::Exit;
use crate::output::Output;
use crate::page::{PageArgs, with_cursor};
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
            let ask = async {
                let mut body = json!({ "dryRun": args.dry_run });
                if let (Some(subscription), Json::Object(body)) = (&args.subscription, &mut body) {
                    body.insert("subscriptionId".to_owned(), json!(subscription));
                }
                args.remote.client()?.post(&args.remote.path("invoices")?, &body).await
            };
            run("invoice close", output, ask, shown)
        }
        InvoiceCommand::List(args) => {
            let ask = async {
                let path = args.page.path(&format!("subscriptions/{}/invoices", segment(&args.subscription)))?;
                args.page.remote.client()?.get(&path).await
            };
            run("invoice list", output, ask, shown)
        }
    }
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
