//! Whether the server lives, and whether it can work.

use crate::app::{App, WorkerState};
use crate::problem::Problem;
use crate::reply::Reply;
use hyper::StatusCode;
use serde_json::json;
use svc_store::Store;

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
