//! Whether the server lives, and whether it can work.

use crate::answers::{Alive, Ready};
use crate::app::{App, WorkerState};
use crate::problem::Problem;
use crate::reply::Reply;
use hyper::StatusCode;
use serde_json::json;
use std::time::Duration;
use svc_core::CoreError;
use svc_store::{Store, StoreError};

/// How long the store may take to answer a probe, in seconds.
const CHECK_MAX_SECONDS: u64 = 2;

pub(crate) fn healthz() -> Result<Reply, Problem> {
    Reply::of(StatusCode::OK, &Alive { status: "alive" })
}

/// The store answers, and build workers are there; with what the kernel enforces on them.
pub(crate) async fn readyz<S: Store>(app: &App<S>) -> Result<Reply, Problem> {
    let check = app.probe.as_ref().unwrap_or(&app.core.store).check();
    let late = |_| StoreError::Database(format!("no answer within {CHECK_MAX_SECONDS} seconds"));
    let checked = tokio::time::timeout(Duration::from_secs(CHECK_MAX_SECONDS), check).await;
    checked.unwrap_or_else(|elapsed| Err(late(elapsed))).map_err(CoreError::from)?;
    let skew_ms = app.clock_guard.skew().map(|skew| i64::try_from(skew.as_millis()).unwrap_or(i64::MAX));
    if !app.clock_guard.trusts() {
        let detail = "this server's clock is apart from the database's; nothing is written until it is set right";
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "CLOCK_SKEW", detail);
        return Err(problem.with_member("clockSkewMs", json!(skew_ms)));
    }
    let WorkerState { warm, sandbox } = (app.workers)();
    // What is read goes on where nothing can be written.
    let store = if app.core.store.is_writable() { "ok" } else { "reads only" };
    let ready = Ready { status: "ready", store, clock_skew_ms: skew_ms, warm_workers: warm, sandbox };
    Reply::of(StatusCode::OK, &ready)
}
