//! Why the bill is what it is, for its subscriber: the tree of sums as nested lists. It is complete without script.

use crate::cookie::page_path;
use crate::html::text;
use svc_core::explain::{Explanation, Node};
use svc_engine::manifest::words;
use svc_store::records::Id;

/// All of the page but its frame.
pub(crate) fn main(business: &Id, explained: Option<&Explanation>) -> String {
    let back = format!("<p><a id=\"bill\" href=\"{}\">Back to the bill</a></p>", page_path(business));
    let Some(explained) = explained else {
        return format!("<h1>Why this amount</h1><p>This plan does not show how its amounts come about.</p>{back}");
    };
    format!(
        "<h1>Why this amount</h1><p>Each amount is the sum of those below it, exactly. What is left below a cent is not charged.</p>\
         <ul class=\"svc-bill-why\">{}</ul>{back}",
        node(&explained.total)
    )
}

fn node(of: &Node) -> String {
    let quantity = of.quantity.as_ref().map(|quantity| format!(" ({})", text(quantity))).unwrap_or_default();
    let line = format!("{}{quantity}: <strong>{}</strong>", text(&of.name), words::nanos(of.nanos));
    let below: String = of.children.iter().map(node).collect();
    let below = if below.is_empty() { below } else { format!("<ul>{below}</ul>") };
    format!("<li>{line}{below}</li>")
}
