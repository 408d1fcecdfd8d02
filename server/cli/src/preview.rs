//! `svc preview`: a subscriber's own bill.

use crate::bill_text;
use crate::global::Exit;
use crate::output::Output;
use crate::remote::{Remote, run, segment};
use clap::Args;

/// Arguments of `svc preview`.
#[derive(Args, Debug)]
pub(crate) struct PreviewArgs {
    #[command(flatten)]
    remote: Remote,
}

/// Shows the bill preview of the token's subscriber.
pub(crate) fn show(args: &PreviewArgs, output: &Output) -> Exit {
    let ask = async {
        let path = format!("/portal/businesses/{}/me/bill-preview", segment(args.remote.business()?));
        args.remote.client()?.get(&path).await
    };
    run("preview", output, ask, bill_text::human)
}
