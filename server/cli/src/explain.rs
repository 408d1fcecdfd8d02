//! `svc explain`: why a bill is what it is, and what a price makes of a quantity.

use crate::curve::{self, Asked};
use crate::global::Exit;
use crate::output::Output;
use crate::remote::{Remote, list, run, segment, table, text};
use clap::Args;
use serde_json::Value as Json;
use std::path::PathBuf;
use svc_engine::manifest::words;
use svc_engine::money::amount::Nanos;

/// Arguments of `svc explain`.
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The subscription whose open period to explain.
    #[arg(required_unless_present_any = ["invoice", "curve"], conflicts_with = "curve")]
    subscription: Option<String>,
    /// An earlier period of it instead: how many came before.
    #[arg(long, requires = "subscription")]
    period: Option<u32>,
    /// What an invoice closed, by its id.
    #[arg(long, conflicts_with = "subscription")]
    invoice: Option<String>,
    /// Instead of a bill, what each quantity of this meter costs in a period, by the product in `--dir`: as a table, and as a picture. No
    /// service is asked.
    #[arg(long, value_name = "METER", conflicts_with_all = ["invoice", "charges"])]
    curve: Option<String>,
    /// The plan whose price it is; may be left out where one plan alone prices the meter.
    #[arg(long, requires = "curve", value_name = "KEY")]
    plan: Option<String>,
    /// The folder that holds `product/product.config.ts`.
    #[arg(long, requires = "curve", default_value = ".")]
    dir: PathBuf,
    /// Write the picture to this file, as SVG.
    #[arg(long, requires = "curve", value_name = "FILE")]
    svg: Option<PathBuf>,
    /// List a page of the period's charges too, at most so many.
    #[arg(long, value_name = "N")]
    charges: Option<u32>,
    /// Where the charges go on: the cursor that a list ended with.
    #[arg(long, requires = "charges")]
    cursor: Option<u64>,
    #[command(flatten)]
    remote: Remote,
}

/// Explains a bill, or a price.
pub(crate) fn show(args: &ExplainArgs, output: &Output) -> Exit {
    if let Some(meter) = &args.curve {
        let asked = Asked { meter, plan: args.plan.as_deref(), dir: &args.dir, svg: args.svg.as_ref() };
        return curve::show(&asked, output);
    }
    let ask = async { args.remote.client()?.get(&args.remote.path(&path(args))?).await };
    run("explain", output, ask, |answer| shown(answer, args.charges.is_some()))
}

fn path(args: &ExplainArgs) -> String {
    let bill = match (&args.invoice, &args.subscription) {
        (Some(invoice), _) => format!("invoices/{}/explain", segment(invoice)),
        (None, subscription) => {
            format!("subscriptions/{}/explain", segment(subscription.as_deref().unwrap_or_default()))
        }
    };
    let period = args.period.map(|period| format!("&period={period}")).unwrap_or_default();
    let cursor = args.cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
    format!("{bill}?limit={}{period}{cursor}", args.charges.unwrap_or(1))
}

fn shown(answer: &Json, with_charges: bool) -> String {
    let mut lines = vec![format!(
        "{} version {}, {} to {}",
        text(answer, "plan"),
        text(answer, "planVersion"),
        text(answer, "periodStart"),
        text(answer, "periodEnd")
    )];
    if let Some(total) = answer.get("total") {
        tree(total, 0, &mut lines);
    }
    if with_charges {
        lines.push(charges(answer));
    }
    lines.join("\n")
}

/// A node and what it is the sum of. A fraction below a nano stands behind its floor.
fn tree(node: &Json, depth: usize, lines: &mut Vec<String>) {
    let quantity = node.get("quantity").and_then(Json::as_str).map(|quantity| format!(" ({quantity})"));
    let (nanos, exact) = (text(node, "nanos"), text(node, "exact"));
    let amount = nanos.parse::<Nanos>().map_or_else(|_| nanos.clone(), words::nanos);
    let exact = if exact == nanos { String::new() } else { format!(", exactly {exact} nanodollars") };
    let name = text(node, "name");
    lines.push(format!("{}{name}{}: {amount}{exact}", "  ".repeat(depth), quantity.unwrap_or_default()));
    for child in list(node, "children") {
        tree(child, depth.saturating_add(1), lines);
    }
}

fn charges(answer: &Json) -> String {
    let rows = list(answer, "charges").iter().map(|charge| {
        let members =
            ["position", "kind", "item", "meter", "units", "admittedAt", "chargeNanos", "remainderNanos", "voidedBy"];
        members.iter().map(|member| text(charge, member)).collect()
    });
    let names = ["n", "kind", "item", "meter", "units", "admitted", "nanodollars", "remainder", "void by"];
    let page = table(&names, rows.collect());
    match text(answer, "cursor").as_str() {
        "-" => page,
        cursor => format!("{page}\nmore: --cursor {cursor}"),
    }
}
