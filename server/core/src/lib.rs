//! The use cases, written against a store. Each takes the moment as an argument; none knows HTTP, SQL, the command line or V8.

pub mod adjustments;
pub mod audit;
pub mod builds;
pub mod businesses;
mod cache;
pub mod credits;
pub mod error;
pub mod holds;
mod idempotency;
pub mod intake;
pub mod invoices;
pub mod items;
mod locked_subscription;
pub mod metering;
pub mod migrations;
pub mod preview;
pub mod releases;
pub mod subscriptions;

pub use error::CoreError;

use builds::BuildSignals;
use cache::Cache;
use jiff::Timestamp;
use std::sync::{Arc, Mutex};
use svc_engine::manifest::Manifest;
use svc_store::Store;
use svc_store::records::{Id, Projection, Token};
use uuid::Uuid;
use uuid::timestamp::context::ContextV7;

/// What tells the time. Only `main` reads the system's clock, and hands it to the edges as this.
pub type Clock = dyn Fn() -> Timestamp + Send + Sync;

/// Everything a use case needs.
#[derive(Clone, Debug)]
pub struct Core<S> {
    /// Where everything is kept.
    pub store: S,
    /// Releases' manifests, by release: they never change.
    manifests: Arc<Cache<Id, Arc<Manifest>>>,
    /// Projections that were found intact, by hash: another text has another hash.
    projections: Arc<Cache<String, Arc<Projection>>>,
    /// Tokens, by hash: there is no way to change or take back one.
    tokens: Arc<Cache<[u8; 32], Token>>,
    /// Wakes those who wait for builds, inside this process.
    signals: Arc<BuildSignals>,
}

/// Manifests kept in memory.
const MANIFESTS_KEPT: usize = 256;
/// Projections kept in memory.
const PROJECTIONS_KEPT: usize = 1_024;
/// Tokens kept in memory.
const TOKENS_KEPT: usize = 65_536;

impl<S: Store> Core<S> {
    /// Use cases over a store.
    pub fn new(store: S) -> Self {
        let (manifests, tokens) = (Cache::new(MANIFESTS_KEPT), Cache::new(TOKENS_KEPT));
        let projections = Arc::new(Cache::new(PROJECTIONS_KEPT));
        Core { store, manifests: Arc::new(manifests), projections, tokens: Arc::new(tokens), signals: Arc::default() }
    }
}

/// Orders the ids of one moment.
static IDS: Mutex<ContextV7> = Mutex::new(ContextV7::new());

/// A new id: sorts by `now`, and by order of making within one moment.
pub fn new_id(prefix: &str, now: Timestamp) -> Id {
    let seconds = u64::try_from(now.as_second()).unwrap_or(0);
    let nanos = u32::try_from(now.subsec_nanosecond()).unwrap_or(0);
    let uuid = Uuid::new_v7(uuid::Timestamp::from_unix(&IDS, seconds, nanos));
    Id::named(format!("{prefix}_{}", uuid.simple()))
}

/// A moment as it is kept: whole microseconds, rounded down.
pub fn to_micros(now: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(now.as_nanosecond().div_euclid(1_000).try_into().unwrap_or(0)).unwrap_or(now)
}
