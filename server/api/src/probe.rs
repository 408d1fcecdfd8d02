//! Whether the server lives, and whether it can work.

use crate::problem::Problem;
use crate::{App, Reply};
use hyper::StatusCode;
use serde_json::{Value as Json, json};
use svc_store::Store;

/// How the build workers are.
#[derive(Clone, Debug)]
pub struct WorkerState {
    /// Workers that wait, ready, for a build.
    pub warm: usize,
    /// What the kernel enforces on them.
    pub sandbox: Json,
}

pub(crate) fn healthz() -> Reply {
    Reply::new(StatusCode::OK, json!({ "status": "alive" }))
}

/// The store answers, and build workers are there; with what the kernel enforces on them.
pub(crate) async fn readyz<S: Store>(app: &App<S>) -> Result<Reply, Problem> {
    app.core.store.check().await.map_err(svc_core::CoreError::from)?;
    let WorkerState { warm, sandbox } = (app.workers)();
    let body = json!({ "status": "ready", "store": "ok", "warmWorkers": warm, "sandbox": sandbox });
    Ok(Reply::new(StatusCode::OK, body))
}
