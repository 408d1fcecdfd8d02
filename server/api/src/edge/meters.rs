//! What is counted of requests and connections, by OpenTelemetry's names where it has one. No business, subject, path or token stands
//! in a label: a route is its pattern, and a method that HTTP does not have is `_OTHER`.

use crate::edge::pulse::Overdue;
use hyper::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use svc_tls::ServerTls;

/// What requests' durations are sorted into, in seconds: OpenTelemetry's advice.
const BUCKETS: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];

/// Clones count together.
#[derive(Clone, Debug)]
pub struct Meters {
    durations: Family<Request, Histogram, fn() -> Histogram>,
    under_way: Gauge,
    open: Gauge,
    ended: Family<Ended, Counter>,
    handshakes: Family<Handshake, Counter>,
    tls: Arc<OnceLock<ServerTls>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Handshake {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    http_request_method: String,
    http_route: &'static str,
    http_response_status_code: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    why: &'static str,
}

impl Default for Meters {
    fn default() -> Meters {
        let durations = Family::new_with_constructor((|| Histogram::new(BUCKETS)) as fn() -> Histogram);
        let (under_way, open) = (Gauge::default(), Gauge::default());
        Meters {
            durations,
            under_way,
            open,
            ended: Family::default(),
            handshakes: Family::default(),
            tls: Arc::default(),
        }
    }
}

/// One more of something until it is dropped.
#[derive(Debug)]
pub(crate) struct OneMore(Gauge);

impl OneMore {
    fn of(gauge: &Gauge) -> OneMore {
        gauge.inc();
        OneMore(gauge.clone())
    }
}

impl Drop for OneMore {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Meters {
    /// A request was answered.
    pub(crate) fn answered(&self, method: Option<&Method>, route: &'static str, status: StatusCode, took: Duration) {
        let method = method.map_or("_OTHER", Method::as_str).to_owned();
        let request =
            Request { http_request_method: method, http_route: route, http_response_status_code: status.as_u16() };
        self.durations.get_or_create(&request).observe(took.as_secs_f64());
    }

    /// A request is under way.
    pub(crate) fn asked(&self) -> OneMore {
        OneMore::of(&self.under_way)
    }

    /// A connection is open.
    pub(crate) fn opened(&self) -> OneMore {
        OneMore::of(&self.open)
    }

    /// A connection was ended.
    pub(crate) fn ended(&self, why: Overdue) {
        let why = match why {
            Overdue::Silent => "silent",
            Overdue::Head => "head",
            Overdue::Idle => "idle",
            Overdue::Unread => "unread",
            Overdue::Displaced => "displaced",
        };
        self.ended.get_or_create(&Ended { why }).inc();
    }

    /// A connection was turned away.
    pub(crate) fn turned_away(&self) {
        self.ended.get_or_create(&Ended { why: "turned_away" }).inc();
    }

    /// A connection tried to speak TLS.
    pub(crate) fn shaken(&self, outcome: &'static str) {
        self.handshakes.get_or_create(&Handshake { outcome }).inc();
    }

    /// What is shown of the server.
    pub(crate) fn shows(&self, tls: &ServerTls) {
        self.tls.get_or_init(|| tls.clone());
    }

    /// Shows them.
    pub fn register(&self, registry: &mut Registry) {
        let help = "How long requests took until their answer's head";
        registry.register_with_unit("http_server_request_duration", help, Unit::Seconds, self.durations.clone());
        registry.register("http_server_active_requests", "Requests under way, and answers", self.under_way.clone());
        registry.register("svc_http_connections", "Open connections", self.open.clone());
        let help = "Connections that were ended before their peers wanted it, by reason";
        registry.register("svc_http_connections_ended", help, self.ended.clone());
        if let Some(ends) = self.tls.get().and_then(ServerTls::ends) {
            let gauge = Gauge::<i64>::default();
            gauge.set(ends.as_second());
            let help = "When the certificate that is shown ends, in seconds since 1970";
            registry.register("svc_tls_certificate_expiry_timestamp_seconds", help, gauge);
        }
        registry.register("svc_tls_handshakes", "Handshakes of TLS, by outcome", self.handshakes.clone());
    }
}
