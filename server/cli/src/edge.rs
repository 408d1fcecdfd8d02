//! The limits of `svc serve` that an operator may set.

use clap::Args;
use hyper::header::HeaderValue;
use rustix::process::{Resource, getrlimit};
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;
use svc_api::limits::{
    ANSWERS_MAX_BYTES, ANSWERS_MAX_BYTES_EACH, BODIES_MAX_BYTES, BODIES_MAX_BYTES_PER_BUSINESS, BODY_MAX_SECONDS,
    CONNECTIONS_MAX, CONNECTIONS_MAX_PER_PEER, FIRST_BYTE_MAX_SECONDS, GRACE_SECONDS, HEAD_MAX_SECONDS,
    IDLE_MAX_SECONDS, Limits, REQUESTS_MAX, REQUESTS_MAX_PER_BUSINESS, Shared, WRITES_MAX, WRITES_MAX_PER_BUSINESS,
};
use svc_api::{Edge, Live};
use svc_tls::ServerTls;

/// Files that are kept for the store, the workers and connections to others; where there are few, half of them.
const FILES_KEPT: usize = 256;

/// What is borne of peers.
#[derive(Args, Clone, Debug)]
pub(crate) struct EdgeArgs {
    /// Connections that may be open; fewer where the process may have few files. At the bound, the one that rested longest is closed.
    #[arg(long, env = "SVC_MAX_CONNECTIONS", default_value_t = positive(CONNECTIONS_MAX), value_name = "COUNT")]
    max_connections: NonZeroUsize,
    /// Connections that one address may have open, or one IPv6 network of 64 bits; at most half of all. Raise it behind a proxy.
    #[arg(long, env = "SVC_MAX_CONNECTIONS_PER_PEER", default_value_t = positive(CONNECTIONS_MAX_PER_PEER), value_name = "COUNT")]
    max_connections_per_peer: NonZeroUsize,
    /// Seconds that a connection may be silent at first.
    #[arg(long, env = "SVC_FIRST_BYTE_SECONDS", default_value_t = seconds(FIRST_BYTE_MAX_SECONDS), value_name = "SECONDS")]
    first_byte_seconds: NonZeroU32,
    /// Seconds that its first head may take from its first byte on.
    #[arg(long, env = "SVC_HEAD_SECONDS", default_value_t = seconds(HEAD_MAX_SECONDS), value_name = "SECONDS")]
    head_seconds: NonZeroU32,
    /// Seconds that a connection may rest between two requests.
    #[arg(long, env = "SVC_IDLE_SECONDS", default_value_t = seconds(IDLE_MAX_SECONDS), value_name = "SECONDS")]
    idle_seconds: NonZeroU32,
    /// Seconds that a body may take to arrive.
    #[arg(long, env = "SVC_BODY_SECONDS", default_value_t = seconds(BODY_MAX_SECONDS), value_name = "SECONDS")]
    body_seconds: NonZeroU32,
    /// Seconds before a pace is asked of who sends a body or reads an answer.
    #[arg(long, env = "SVC_GRACE_SECONDS", default_value_t = seconds(GRACE_SECONDS), value_name = "SECONDS")]
    grace_seconds: NonZeroU32,
    /// Requests that may be under way.
    #[arg(long, env = "SVC_MAX_REQUESTS", default_value_t = positive(REQUESTS_MAX), value_name = "COUNT")]
    max_requests: NonZeroUsize,
    /// Requests of one business that may be under way.
    #[arg(long, env = "SVC_MAX_REQUESTS_PER_BUSINESS", default_value_t = positive(REQUESTS_MAX_PER_BUSINESS), value_name = "COUNT")]
    max_requests_per_business: NonZeroUsize,
    /// Writes by businesses' own tokens that are worked on at once; fewer than --database-connections.
    #[arg(long, env = "SVC_MAX_WRITES", default_value_t = positive(WRITES_MAX), value_name = "COUNT")]
    max_writes: NonZeroUsize,
    /// Such writes of one business.
    #[arg(long, env = "SVC_MAX_WRITES_PER_BUSINESS", default_value_t = positive(WRITES_MAX_PER_BUSINESS), value_name = "COUNT")]
    max_writes_per_business: NonZeroUsize,
    /// Bodies that may be in memory, in MiB.
    #[arg(long, env = "SVC_MAX_BODIES_MIB", default_value_t = mib(BODIES_MAX_BYTES), value_name = "MIB")]
    max_bodies_mib: NonZeroU32,
    /// Bodies of one business that may be in memory, in MiB.
    #[arg(long, env = "SVC_MAX_BODIES_MIB_PER_BUSINESS", default_value_t = mib(BODIES_MAX_BYTES_PER_BUSINESS), value_name = "MIB")]
    max_bodies_mib_per_business: NonZeroU32,
    /// Answers that were not read yet and may be in memory, in MiB.
    #[arg(long, env = "SVC_MAX_ANSWERS_MIB", default_value_t = mib(ANSWERS_MAX_BYTES), value_name = "MIB")]
    max_answers_mib: NonZeroU32,
    /// Such answers to one business, or to one peer's strangers, in MiB.
    #[arg(long, env = "SVC_MAX_ANSWERS_MIB_PER_READER", default_value_t = mib(ANSWERS_MAX_BYTES_EACH), value_name = "MIB")]
    max_answers_mib_per_reader: NonZeroU32,
    /// An origin whose pages may read a subscriber's preview with a portal token, such as https://app.example.com; may be given several times.
    #[arg(long, value_name = "ORIGIN", value_delimiter = ',', env = "SVC_CORS_ORIGINS", value_parser = origin)]
    cors_origin: Vec<HeaderValue>,
}

fn positive(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN)
}

fn seconds(seconds: u32) -> NonZeroU32 {
    NonZeroU32::new(seconds).unwrap_or(NonZeroU32::MIN)
}

fn mib(bytes: usize) -> NonZeroU32 {
    u32::try_from(bytes >> 20).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN)
}

fn bytes(mib: NonZeroU32) -> usize {
    usize::try_from(u64::from(mib.get()) << 20).unwrap_or(usize::MAX)
}

/// An origin as a browser sends it.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_origin = host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '*', '?', '#', '@', ' ']));
    HeaderValue::from_str(text).ok().filter(|_| is_origin).ok_or_else(|| {
        "an origin is a scheme, a host and perhaps a port, such as https://app.example.com, without a path".to_owned()
    })
}

impl Default for EdgeArgs {
    fn default() -> EdgeArgs {
        EdgeArgs {
            max_connections: positive(CONNECTIONS_MAX),
            max_connections_per_peer: positive(CONNECTIONS_MAX_PER_PEER),
            first_byte_seconds: seconds(FIRST_BYTE_MAX_SECONDS),
            head_seconds: seconds(HEAD_MAX_SECONDS),
            idle_seconds: seconds(IDLE_MAX_SECONDS),
            body_seconds: seconds(BODY_MAX_SECONDS),
            grace_seconds: seconds(GRACE_SECONDS),
            max_requests: positive(REQUESTS_MAX),
            max_requests_per_business: positive(REQUESTS_MAX_PER_BUSINESS),
            max_writes: positive(WRITES_MAX),
            max_writes_per_business: positive(WRITES_MAX_PER_BUSINESS),
            max_bodies_mib: mib(BODIES_MAX_BYTES),
            max_bodies_mib_per_business: mib(BODIES_MAX_BYTES_PER_BUSINESS),
            max_answers_mib: mib(ANSWERS_MAX_BYTES),
            max_answers_mib_per_reader: mib(ANSWERS_MAX_BYTES_EACH),
            cors_origin: Vec::new(),
        }
    }
}

impl EdgeArgs {
    /// As the API has it.
    pub(crate) fn edge(&self, tls: Option<ServerTls>) -> Edge {
        let (limits, origins) = self.live();
        Edge { limits: Live::new(limits), cors_origins: Live::new(origins), tls }
    }

    /// What may be set anew; with no more connections than there can be files for.
    pub(crate) fn live(&self) -> (Limits, Vec<HeaderValue>) {
        let files = getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok());
        let connections = bounded(self.max_connections.get(), files.unwrap_or(usize::MAX));
        let each = self.max_connections_per_peer.get().min(connections.div_ceil(2));
        let long = |seconds: NonZeroU32| Duration::from_secs(u64::from(seconds.get()));
        let limits = Limits {
            connections,
            connections_per_peer: each,
            first_byte: long(self.first_byte_seconds),
            head: long(self.head_seconds),
            idle: long(self.idle_seconds),
            body: long(self.body_seconds),
            grace: long(self.grace_seconds),
            requests: Shared::new(self.max_requests.get(), self.max_requests_per_business.get()),
            bodies: Shared::new(bytes(self.max_bodies_mib), bytes(self.max_bodies_mib_per_business)),
            answers: Shared::new(bytes(self.max_answers_mib), bytes(self.max_answers_mib_per_reader)),
            writes: Shared::new(self.max_writes.get(), self.max_writes_per_business.get()),
        };
        (limits, self.cors_origin.clone())
    }
}

/// So many connections as there are files for beside those that are kept.
fn bounded(wanted: usize, files: usize) -> usize {
    let kept = FILES_KEPT.min(files.div_ceil(2));
    wanted.min(files.saturating_sub(kept)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_all_else() {
        assert_eq!(bounded(8_192, 1_024), 768);
        assert_eq!(bounded(8_192, 256), 128);
        assert_eq!(bounded(8_192, 65_536), 8_192);
        assert_eq!(bounded(8_192, 0), 1);
    }

    #[test]
    fn an_origin_is_what_a_browser_sends() {
        for right in ["https://app.example.com", "http://localhost:3000"] {
            assert!(origin(right).is_ok(), "{right}");
        }
        for wrong in ["*", "app.example.com", "https://", "https://a/", "https://a/b", "https://*.example.com", "null"]
        {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }
}
