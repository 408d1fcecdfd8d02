//! Whether the server lives, and whether it can work.

use super::problem::Problem;
use super::{App, Reply};
use crate::store::Store;
use hyper::StatusCode;
use serde_json::json;

pub(crate) fn healthz() -> Reply {
    Reply::new(StatusCode::OK, json!({ "status": "alive" }))
}

/// The store answers, and build workers are there; with what the kernel enforces on them.
pub(crate) async fn readyz<S: Store>(app: &App<S>) -> Result<Reply, Problem> {
    app.core.store.check().await.map_err(crate::core::CoreError::from)?;
    let body = json!({ "status": "ready", "store": "ok", "warmWorkers": app.builder.pool.warm_count(), "sandbox": app.enforced });
    Ok(Reply::new(StatusCode::OK, body))
}
