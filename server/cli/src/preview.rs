//! `svc preview`: a subscriber's bill, as they see it.

use crate::bill_text;
use crate::global::Exit;
use crate::output::Output;
use crate::remote::{Remote, run, segment};
use clap::Args;

/// Arguments of `svc preview`.
#[derive(Args, Debug)]
pub(crate) struct PreviewArgs {
    /// The subscriber, to an operator; whoever's the portal token is unless given.
    subject: Option<String>,
    #[command(flatten)]
    remote: Remote,
}

/// Shows the bill preview of a subscriber, or of the token's.
pub(crate) fn show(args: &PreviewArgs, output: &Output) -> Exit {
    let ask = async {
        let path = match &args.subject {
            Some(subject) => args.remote.path(&format!("bill-preview?subject={}", segment(subject)))?,
            None => format!("/portal/businesses/{}/me/bill-preview", segment(&args.remote.business()?)),
        };
        args.remote.client()?.get(&path).await
    };
    run("preview", output, ask, bill_text::human)
}
