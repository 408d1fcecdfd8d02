//! `svc version`.

use crate::global::Exit;
use crate::output::Output;
use serde_json::{Value as Json, json};
use svc_engine::manifest::ir::IR_VERSION;

/// What made a build; in its envelope, never in the IR.
pub(crate) fn engine() -> Json {
    json!({ "svc": env!("CARGO_PKG_VERSION"), "v8": svc_runtime::v8_version() })
}

/// Prints the versions.
pub(crate) fn run(output: &Output) -> Exit {
    let (svc, v8) = (env!("CARGO_PKG_VERSION"), svc_runtime::v8_version());
    let sdk = svc_runtime::SDK_VERSION;
    let human = format!("svc {svc}\n@svc/product {sdk}\nManifest IR {IR_VERSION}\nV8 {v8}");
    output.done("version", &human, json!({ "svc": svc, "sdkVersion": sdk, "irVersion": IR_VERSION, "v8": v8 }))
}
