//! What the server measures, as Prometheus' text form. No business, subject or token stands in a label.

use crate::app::{App, WorkerState};
use crate::problem::Problem;
use crate::reply::Reply;
use hyper::StatusCode;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::sync::atomic::AtomicU64;
use svc_core::CoreError;
use svc_store::Store;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Means {
    means: String,
}

/// Every metric, as it is now.
pub(crate) fn metrics<S: Store>(app: &App<S>) -> Result<Reply, Problem> {
    let WorkerState { warm, sandbox } = (app.workers)();
    let mut registry = Registry::default();
    let waiting = Gauge::<i64>::default();
    waiting.set(i64::try_from(warm).unwrap_or(i64::MAX));
    registry.register("svc_build_workers_warm", "Build workers that wait, ready, for a build", waiting);
    let enforced = Family::<Means, Gauge>::default();
    for (means, how) in sandbox.as_object().into_iter().flatten() {
        let is_full = how.as_str() == Some("full");
        enforced.get_or_create(&Means { means: means.clone() }).set(i64::from(is_full));
    }
    let help = "Whether the kernel fully enforces a means of isolation on the build worker that got ready last";
    registry.register("svc_build_sandbox_enforced", help, enforced);
    let reruns = Counter::<u64>::default();
    reruns.inc_by(app.core.reruns());
    registry.register(
        "svc_store_reruns",
        "Transactions that were run again because the database had stopped them",
        reruns,
    );
    let writable = Gauge::<i64>::default();
    writable.set(i64::from(app.core.store.is_writable()));
    registry.register("svc_store_writable", "Whether the last transaction that wrote could be written", writable);
    if let Some(skew) = app.clock_guard.skew() {
        let gauge = Gauge::<f64, AtomicU64>::default();
        gauge.set(skew.as_secs_f64());
        registry.register("svc_clock_skew_seconds", "How far this server's clock is ahead of the database's", gauge);
    }
    app.traffic.meters.register(&mut registry);
    let mut body = String::new();
    text::encode(&mut body, &registry).map_err(|error| CoreError::Internal(error.to_string()))?;
    Ok(Reply::text(StatusCode::OK, body))
}
