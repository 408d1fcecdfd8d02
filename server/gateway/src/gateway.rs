//! What all requests of a gateway share.

use crate::journal::Journal;
use crate::limits::{
    BODY_MAX_BYTES, PROMISE_MARGIN_MAX_SECONDS, REQUEST_MAX_SECONDS, SETTLE_DRAIN_MAX_SECONDS, SILENCE_MAX_SECONDS,
};
use crate::meters::Meters;
use crate::report::Proof;
use crate::settler::Settler;
use crate::subscribers::Subscribers;
use crate::upstreams::Upstreams;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use svc_core::{Clock, Core};
use svc_store::Store;
use svc_store::records::Id;

/// What a gateway is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The business behind each host, in lower case and without a port; where there are none, a key says it.
    pub hosts: HashMap<String, Id>,
    /// By what each business's backends prove their reports.
    pub proofs: HashMap<Id, Proof>,
    /// By what those of all other businesses do.
    pub proof: Proof,
    /// Longest body of a request, in bytes.
    pub body_max: u64,
    /// How long a backend may be silent, in seconds.
    pub silence_seconds: u32,
    /// How long a request may take as a whole, in seconds.
    pub request_seconds: u32,
    /// Whether it speaks TLS to clients, as its backends are told.
    pub has_tls: bool,
    /// Whether other gateways let requests of the same subjects through, so that the store knows how far limits are used up.
    pub shares_limits: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hosts: HashMap::new(),
            proofs: HashMap::new(),
            proof: Proof::default(),
            body_max: BODY_MAX_BYTES,
            silence_seconds: SILENCE_MAX_SECONDS,
            request_seconds: REQUEST_MAX_SECONDS,
            has_tls: false,
            shares_limits: false,
        }
    }
}

impl Settings {
    pub(crate) fn proof(&self, business: &Id) -> &Proof {
        self.proofs.get(business).unwrap_or(&self.proof)
    }

    /// How long a hold lives, or a place in a count: as long as a request may take, and a while to settle it.
    pub(crate) fn promise_seconds(&self) -> u32 {
        self.request_seconds.saturating_add(self.request_seconds.min(PROMISE_MARGIN_MAX_SECONDS))
    }

    pub(crate) fn silence(&self) -> Duration {
        Duration::from_secs(u64::from(self.silence_seconds))
    }
}

/// What all requests share.
pub struct Gateway<S> {
    pub(crate) core: Core<S>,
    pub(crate) clock: Arc<Clock>,
    pub(crate) settings: Settings,
    pub(crate) subscribers: Subscribers,
    pub(crate) upstreams: Upstreams,
    pub(crate) settler: Settler,
    pub(crate) meters: Meters,
    /// Requests that were let through and are not settled.
    pub(crate) live: AtomicUsize,
}

impl<S: Store> Gateway<S> {
    /// A gateway over Core, inside a runtime. With a journal, what was answered is charged though the gateway is killed.
    ///
    /// # Errors
    /// Where the system has no roots to trust.
    pub fn new(
        core: Core<S>,
        clock: Arc<Clock>,
        settings: Settings,
        journal: Option<Journal>,
    ) -> io::Result<Gateway<S>> {
        let meters = Meters::default();
        let settler = Settler::start(&core, &clock, &meters, journal);
        let subscribers = Subscribers::new(clock());
        Ok(Gateway {
            core,
            clock,
            settings,
            subscribers,
            upstreams: Upstreams::new()?,
            settler,
            meters,
            live: AtomicUsize::new(0),
        })
    }

    /// Shows what it counts.
    pub fn register(&self, registry: &mut prometheus_client::registry::Registry) {
        self.meters.register(registry);
    }

    /// Waits until all that was served is settled, but not for ever; what the journal has is settled by the next.
    pub(crate) async fn drained(&self) {
        let by = Instant::now().checked_add(Duration::from_secs(SETTLE_DRAIN_MAX_SECONDS));
        while self.live.load(Ordering::Acquire) > 0 || self.settler.waiting() > 0 {
            if by.is_none_or(|by| Instant::now() >= by) {
                let (live, waiting) = (self.live.load(Ordering::Acquire), self.settler.waiting());
                tracing::error!(live, waiting, "the gateway ends before all that it served is settled");
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.settler.end();
    }
}
