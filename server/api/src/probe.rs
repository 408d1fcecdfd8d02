//! Whether the server lives, and whether it can work.

use crate::answers::{Alive, Ready};
use crate::app::{App, WorkerState};
use crate::problem::Problem;
use crate::reply::Reply;
use hyper::StatusCode;
use serde_json::json;
use std::time::Duration;
use svc_core::clock_guard::ClockGuard;
use svc_core::{Core, CoreError};
use svc_store::{Store, StoreError};

/// How long the store may take to answer a probe, in seconds.
const CHECK_MAX_SECONDS: u64 = 2;

pub(crate) fn healthz() -> Result<Reply, Problem> {
    Reply::of(StatusCode::OK, &Alive { status: "alive" })
}

/// Whether the store answers and the clocks agree; by how much they are apart, in milliseconds.
///
/// # Errors
/// 503 where it does not, or they don't.
pub(crate) async fn works<S: Store>(store: &S, clock_guard: &ClockGuard) -> Result<Option<i64>, Problem> {
    let late = |_| StoreError::Database(format!("no answer within {CHECK_MAX_SECONDS} seconds"));
    let checked = tokio::time::timeout(Duration::from_secs(CHECK_MAX_SECONDS), store.check()).await;
    checked.unwrap_or_else(|elapsed| Err(late(elapsed))).map_err(CoreError::from)?;
    let skew_ms = clock_guard.skew().map(|skew| i64::try_from(skew.as_millis()).unwrap_or(i64::MAX));
    if !clock_guard.trusts() {
        let detail = "this server's clock is apart from the database's; nothing is written until it is set right";
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "CLOCK_SKEW", detail);
        return Err(problem.with_member("clockSkewMs", json!(skew_ms)));
    }
    Ok(skew_ms)
}

/// What a server without build workers says of itself when it works.
pub(crate) fn passing<S: Store>(core: &Core<S>, skew_ms: Option<i64>) -> Result<Reply, Problem> {
    Ok(Reply::new(StatusCode::OK, json!({ "status": "ready", "store": store_state(core), "clockSkewMs": skew_ms })))
}

/// What is read goes on where nothing can be written.
fn store_state<S: Store>(core: &Core<S>) -> &'static str {
    if core.store.is_writable() { "ok" } else { "reads only" }
}

/// The store answers, and build workers are there; with what the kernel enforces on them.
pub(crate) async fn readyz<S: Store>(app: &App<S>) -> Result<Reply, Problem> {
    let skew_ms = works(app.probe.as_ref().unwrap_or(&app.core.store), &app.clock_guard).await?;
    let WorkerState { warm, sandbox } = (app.workers)();
    let store = store_state(&app.core);
    let ready = Ready { status: "ready", store, clock_skew_ms: skew_ms, warm_workers: warm, sandbox };
    Reply::of(StatusCode::OK, &ready)
}
