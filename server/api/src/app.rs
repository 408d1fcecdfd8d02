//! What every request handler shares.

use crate::edge::traffic::Traffic;
use crate::live::Live;
use crate::rates::Rates;
use jiff::Timestamp;
use prometheus_client::registry::Registry;
use serde_json::Value as Json;
use std::sync::Arc;
use svc_core::backlog::Backlog;
use svc_core::clock_guard::ClockGuard;
use svc_core::{Clock, Core, to_micros};

/// How the build workers are.
#[derive(Clone, Debug)]
pub struct WorkerState {
    /// Workers that wait, ready, for a build.
    pub warm: usize,
    /// What the kernel enforces on them.
    pub sandbox: Json,
}

/// Tells how the build workers are. Whoever starts the server knows them; the API does not.
pub type WorkerReport = dyn Fn() -> WorkerState + Send + Sync;

/// Shows what something beside the API counts at its `/metrics`.
pub type MetersBeside = dyn Fn(&mut Registry) + Send + Sync;

/// What every request handler shares.
pub struct App<S> {
    /// The use cases.
    pub core: Core<S>,
    /// How often a token may call.
    pub rates: Rates,
    /// What is under way, as a whole and for each business.
    pub traffic: Traffic,
    /// A store that nobody but `/readyz` uses, so that it waits behind no caller; where there is none it uses the callers'.
    pub probe: Option<S>,
    /// SHA-256 of the operator's token.
    pub operator_hash: [u8; 32],
    /// What `/readyz` tells of the build workers.
    pub workers: Arc<WorkerReport>,
    /// Knows whether the server's clock and the database's are apart.
    pub clock_guard: Arc<ClockGuard>,
    /// What waited in the store when somebody looked last.
    pub backlog: Live<Option<Backlog>>,
    /// What else is shown at `/metrics`.
    pub meters_beside: Option<Arc<MetersBeside>>,
    /// Tells the time. The program's `main` reads the system's clock; nothing below does.
    pub clock: Arc<Clock>,
}

impl<S> App<S> {
    /// The moment, in whole microseconds.
    pub fn now(&self) -> Timestamp {
        // A clock that is apart just now is noted: whoever has its word writes nothing.
        let _noted = self.clock_guard.is_apart();
        to_micros((self.clock)())
    }
}
