//! What the server measures, as Prometheus' text form. No business, subject or token stands in a label.

use crate::app::{App, MetersBeside, WorkerState};
use crate::problem::Problem;
use crate::reply::Reply;
use hyper::StatusCode;
use jiff::Timestamp;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use svc_core::backlog::Backlog;
use svc_core::clock_guard::ClockGuard;
use svc_core::counters::{Counts, HoldEnd, TransactionEnd};
use svc_core::{Core, CoreError};
use svc_store::{Connections, Store};

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Means {
    means: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Item {
    outcome: &'static str,
    error_type: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct How {
    how: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Build {
    outcome: &'static str,
    error_type: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InState {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Queue {
    queue: &'static str,
}

/// Every metric, as it is now.
pub(crate) fn metrics<S: Store>(app: &App<S>) -> Result<Reply, Problem> {
    let WorkerState { warm, sandbox } = (app.workers)();
    let mut registry = Registry::default();
    gauged(&mut registry, "svc_build_workers_warm", "Build workers that wait, ready, for a build", whole(warm));
    let enforced = Family::<Means, Gauge>::default();
    for (means, how) in sandbox.as_object().into_iter().flatten() {
        let is_full = how.as_str() == Some("full");
        enforced.get_or_create(&Means { means: means.clone() }).set(i64::from(is_full));
    }
    let help = "Whether the kernel fully enforces a means of isolation on the build worker that got ready last";
    registry.register("svc_build_sandbox_enforced", help, enforced);
    of_core(&app.core, &app.clock_guard, &mut registry);
    if let Some(backlog) = app.backlog.get() {
        waiting(&backlog, app.now(), &mut registry);
    }
    app.traffic.meters.register(&mut registry);
    if let Some(register) = &app.meters_beside {
        register(&mut registry);
    }
    encoded(&registry)
}

/// The metrics of a server without the API: what its use cases did, its store, and what it counts beside.
pub(crate) fn operations<S: Store>(
    core: &Core<S>,
    clock_guard: &ClockGuard,
    beside: &Arc<MetersBeside>,
) -> Result<Reply, Problem> {
    let mut registry = Registry::default();
    of_core(core, clock_guard, &mut registry);
    beside(&mut registry);
    encoded(&registry)
}

fn encoded(registry: &Registry) -> Result<Reply, Problem> {
    let mut body = String::new();
    text::encode(&mut body, registry).map_err(|error| CoreError::Internal(error.to_string()))?;
    Ok(Reply::text(StatusCode::OK, body))
}

/// What the use cases did, and what their store and clock are like.
fn of_core<S: Store>(core: &Core<S>, clock_guard: &ClockGuard, registry: &mut Registry) {
    let help = "Transactions that were run again because the database had stopped them";
    counted(registry, "svc_store_reruns", help, core.reruns());
    let (help, is_writable) = ("Whether the last transaction that wrote could be written", core.store.is_writable());
    gauged(registry, "svc_store_writable", help, i64::from(is_writable));
    if let Some(skew) = clock_guard.skew() {
        let gauge = Gauge::<f64, AtomicU64>::default();
        gauge.set(skew.as_secs_f64());
        registry.register("svc_clock_skew_seconds", "How far this server's clock is ahead of the database's", gauge);
    }
    money(&core.counts(), registry);
    if let Some(connections) = core.store.connections() {
        store(connections, registry);
    }
}

/// What the use cases did since the process started.
fn money(counts: &Counts, registry: &mut Registry) {
    let items = Family::<Item, Counter>::default();
    for outcome in ["accepted", "duplicate"] {
        drop(items.get_or_create(&Item { outcome, error_type: "" }));
    }
    for ((outcome, error_type), count) in &counts.items {
        items.get_or_create(&Item { outcome, error_type }).inc_by(*count);
    }
    registry.register("svc_usage_items", "Usage items, by outcome, and by the code of a refusal", items);
    counted(registry, "svc_charges", "Charges that usage made", counts.charges);
    counted(registry, "svc_invoices_closed", "Periods that were closed with a document", counts.invoices);
    counted(registry, "svc_holds_opened", "Holds that were made", counts.holds_opened);
    let ended = Family::<How, Counter>::default();
    for end in HoldEnd::ALL {
        let count = counts.holds_ended.get(&end).copied().unwrap_or_default();
        ended.get_or_create(&How { how: end.name() }).inc_by(count);
    }
    registry.register("svc_holds_ended", "Holds that ended, by how", ended);
    let builds = Family::<Build, Counter>::default();
    for outcome in ["succeeded", "rejected"] {
        drop(builds.get_or_create(&Build { outcome, error_type: String::new() }));
    }
    for ((outcome, error_type), count) in &counts.builds {
        builds.get_or_create(&Build { outcome, error_type: error_type.clone() }).inc_by(*count);
    }
    registry.register("svc_builds", "Builds that ended, by outcome, and by the code of what stopped them", builds);
    let documents = Family::<Kind, Counter>::default();
    for (kind, cents) in [("invoice", counts.invoiced_cents), ("credit_note", counts.credited_cents)] {
        documents.get_or_create(&Kind { kind }).inc_by(cents);
    }
    registry.register("svc_documents_cents", "What closed documents came to, in cents, by kind", documents);
    counted(registry, "svc_ledger_audited", "Subscriptions whose ledger was worked out again", counts.audited);
    counted(
        registry,
        "svc_ledger_findings",
        "What did not agree when the ledger was worked out",
        counts.audit_findings,
    );
    let transactions = Family::<Ended, Counter>::default();
    for end in [TransactionEnd::Done, TransactionEnd::Refused, TransactionEnd::Stopped, TransactionEnd::Failed] {
        let count = counts.transactions.get(&end).copied().unwrap_or_default();
        transactions.get_or_create(&Ended { outcome: end.name() }).inc_by(count);
    }
    let help = "Transactions that write, by outcome; one that was stopped is run again, and counts again";
    registry.register("svc_store_transactions", help, transactions);
}

/// The connections to the database, by OpenTelemetry's names.
fn store(connections: Connections, registry: &mut Registry) {
    let count = Family::<InState, Gauge>::default();
    for (state, number) in [("idle", connections.idle), ("used", connections.used)] {
        count.get_or_create(&InState { state }).set(whole(number));
    }
    registry.register("db_client_connection_count", "Connections to the database, by state", count);
    gauged(registry, "db_client_connection_max", "Connections that there may be", whole(connections.most));
    let help = "Transactions that wait for a connection";
    gauged(registry, "db_client_connection_pending_requests", help, whole(connections.waiting));
}

/// What waits in the store, for all servers.
fn waiting(backlog: &Backlog, now: Timestamp, registry: &mut Registry) {
    let queues = Family::<Queue, Gauge>::default();
    let lengths = [
        ("builds", backlog.builds),
        ("pushes", backlog.pushes),
        ("statuses", backlog.statuses),
        ("events", backlog.events),
    ];
    for (queue, length) in lengths {
        queues.get_or_create(&Queue { queue }).set(i64::try_from(length).unwrap_or(i64::MAX));
    }
    registry.register("svc_queue_length", "What waits or is under way, for all servers, by queue", queues);
    let age = backlog.oldest_build.map_or(0, |at| now.duration_since(at).as_secs().max(0));
    gauged(registry, "svc_queue_oldest_build_age_seconds", "For how long the oldest build waits or is under way", age);
    let open = i64::try_from(backlog.holds).unwrap_or(i64::MAX);
    gauged(registry, "svc_holds_open", "Holds that are open, for all servers", open);
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn counted(registry: &mut Registry, name: &str, help: &str, count: u64) {
    let counter = Counter::<u64>::default();
    counter.inc_by(count);
    registry.register(name, help, counter);
}

fn gauged(registry: &mut Registry, name: &str, help: &str, value: i64) {
    let gauge = Gauge::<i64>::default();
    gauge.set(value);
    registry.register(name, help, gauge);
}
