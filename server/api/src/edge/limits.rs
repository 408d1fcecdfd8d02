//! What the server bears: how long a peer may take, and how much may be under way. `docs/limits.md` has them as a table.

use std::num::NonZeroU32;
use std::time::Duration;

/// Open connections, as a whole.
pub const CONNECTIONS_MAX: usize = 8_192;
/// Open connections of one peer: an IPv4 address, or the first 64 bits of an IPv6 address.
pub const CONNECTIONS_MAX_PER_PEER: usize = 1_024;
/// How long a connection may be silent before its first byte, in seconds.
pub const FIRST_BYTE_MAX_SECONDS: u32 = 10;
/// How long a connection's first head may take from its first byte on, in seconds.
pub const HEAD_MAX_SECONDS: u32 = 15;
/// How long a connection may rest between two requests, in seconds; the next one's head is a part of it. Longer than what balancers
/// have (60), so that it is they who close.
pub const IDLE_MAX_SECONDS: u32 = 75;
/// How long a body may take as a whole, in seconds.
pub const BODY_MAX_SECONDS: u32 = 60;
/// How long a body's sender, or an answer's reader, may take before a pace is asked of it, in seconds.
pub const GRACE_SECONDS: u32 = 10;
/// The least pace of a body after its grace, in bytes a second.
pub(crate) const BODY_PACE_BYTES: u64 = 4 << 10;
/// The least pace at which an answer is read after its grace, in bytes a second.
pub(crate) const ANSWER_PACE_BYTES: u64 = 16 << 10;
/// Longest body unless an endpoint has another bound, in bytes.
pub const BODY_MAX_BYTES: usize = 64 << 10;
/// Longest body of usage, in bytes.
pub const USAGE_MAX_BYTES: usize = 1 << 20;
/// Longest body of a build, and of a forge's delivery, in bytes.
pub const BUILD_MAX_BYTES: usize = 10 << 20;
/// JSON values in one body, members and elements of every depth.
pub const BODY_MAX_VALUES: usize = 200_000;
/// From this length on a body is parsed beside the threads that serve, in bytes.
pub(crate) const PARSE_APART_BYTES: usize = 64 << 10;
/// Bodies that are kept in memory, in bytes.
pub const BODIES_MAX_BYTES: usize = 256 << 20;
/// Bodies of one business that are kept in memory, in bytes.
pub const BODIES_MAX_BYTES_PER_BUSINESS: usize = 64 << 20;
/// Answers that nobody has read yet, in bytes.
pub const ANSWERS_MAX_BYTES: usize = 256 << 20;
/// Answers to one business that were not read yet, or to the strangers of one peer, in bytes.
pub const ANSWERS_MAX_BYTES_EACH: usize = 64 << 20;
/// Requests under way.
pub const REQUESTS_MAX: usize = 2_048;
/// Requests of one business under way.
pub const REQUESTS_MAX_PER_BUSINESS: usize = 512;
/// Writes by businesses' own tokens that are worked on (usage, holds, publishing and the like): fewer than the store has connections (16), so that some are there to read by.
pub const WRITES_MAX: usize = 12;
/// Such writes of one business that are worked on; further ones wait, without a connection to the store.
pub const WRITES_MAX_PER_BUSINESS: usize = 8;
/// How long one may wait for that, in seconds.
pub const WRITE_WAIT_MAX_SECONDS: u64 = 10;
/// Reads by one business's own tokens and sessions that are worked on at once: half of what the store has connections for (16). Further
/// ones wait in its own line, so that another business's wait behind no more than these.
pub(crate) const READS_MAX_PER_BUSINESS: usize = 8;
/// Refusals of too much (429, 503) that are answered at once, in a second: whoever asks again at once is to wait then.
pub(crate) const REFUSALS_AT_ONCE_PER_SECOND: NonZeroU32 = NonZeroU32::new(100).unwrap();
/// How long further ones wait for their answer, in milliseconds.
pub(crate) const REFUSAL_PAUSE_MS: u64 = 500;
/// How many wait so at once; beyond these the answer is there at once.
pub(crate) const REFUSALS_PAUSED_MAX: usize = 2_048;
/// Streams of one HTTP/2 connection.
pub(crate) const STREAMS_MAX: u32 = 64;
/// What an HTTP/1 connection buffers, in bytes: a request's head, or a piece of an answer. More than hyper's longest path (65,534).
pub(crate) const HEAD_MAX_BYTES: usize = 96 << 10;
/// What one HTTP/2 stream may hold to be sent, in bytes; and its head when it is unpacked.
pub(crate) const BUFFER_MAX_BYTES: usize = 64 << 10;
/// How often an HTTP/2 peer is asked whether it lives, in seconds.
pub(crate) const PING_SECONDS: u64 = 20;
/// How long it may take to say so, in seconds.
pub(crate) const PING_MAX_SECONDS: u64 = 10;
/// How long a connection that is told to end may take to say goodbye, in seconds.
pub(crate) const GOODBYE_SECONDS: u64 = 1;
/// How long requests under way may take once the server is told to stop, in seconds.
pub(crate) const DRAIN_MAX_SECONDS: u64 = 30;

/// The limits that may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Open connections, as a whole; at least 1.
    pub connections: usize,
    /// Open connections of one peer; at least 1.
    pub connections_per_peer: usize,
    /// How long a connection may be silent before its first byte.
    pub first_byte: Duration,
    /// How long its first head may take from then on.
    pub head: Duration,
    /// How long it may rest between two requests.
    pub idle: Duration,
    /// How long a body may take as a whole.
    pub body: Duration,
    /// How long a body's sender, or an answer's reader, may take before a pace is asked of it.
    pub grace: Duration,
    /// Requests under way.
    pub requests: Shared,
    /// Bodies that are kept in memory, in bytes.
    pub bodies: Shared,
    /// Answers that nobody has read yet, in bytes.
    pub answers: Shared,
    /// Writes by businesses' own tokens that are worked on. Read once, at the start.
    pub writes: Shared,
}

/// A bound, as a whole and for each: a business, or a stranger's peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// As a whole.
    pub all: usize,
    /// For each.
    pub each: usize,
}

impl Shared {
    /// So much as a whole, and so much for each, which is no more than that.
    pub fn new(all: usize, each: usize) -> Shared {
        Shared { all, each: each.min(all) }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
        Limits {
            connections: CONNECTIONS_MAX,
            connections_per_peer: CONNECTIONS_MAX_PER_PEER,
            first_byte: seconds(FIRST_BYTE_MAX_SECONDS),
            head: seconds(HEAD_MAX_SECONDS),
            idle: seconds(IDLE_MAX_SECONDS),
            body: seconds(BODY_MAX_SECONDS),
            grace: seconds(GRACE_SECONDS),
            requests: Shared::new(REQUESTS_MAX, REQUESTS_MAX_PER_BUSINESS),
            bodies: Shared::new(BODIES_MAX_BYTES, BODIES_MAX_BYTES_PER_BUSINESS),
            answers: Shared::new(ANSWERS_MAX_BYTES, ANSWERS_MAX_BYTES_EACH),
            writes: Shared::new(WRITES_MAX, WRITES_MAX_PER_BUSINESS),
        }
    }
}

impl Limits {
    /// The shortest deadline of a connection that has no request under way.
    pub(crate) fn shortest(&self) -> Duration {
        self.first_byte.min(self.head).min(self.idle).min(self.grace)
    }

    /// How long `bytes` may take at this pace, in bytes a second.
    pub(crate) fn paced(&self, bytes: u64, pace: u64) -> Duration {
        self.grace.saturating_add(Duration::from_secs(bytes.checked_div(pace).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_core::{LOOK_SHARED_MAX, STRANGER_WAIT_MAX_SECONDS, STRANGERS_MAX};
    use svc_engine::money::cell::{ATTRIBUTE_VALUE_MAX_CHARS, CELL_MAX_BYTES};
    use svc_engine::rules::meters::ATTRIBUTES_MAX;

    /// A count as the docs write it: with a comma before each three digits.
    fn said(count: usize) -> String {
        let digits = count.to_string();
        let mut text = String::new();
        for (place, digit) in digits.char_indices() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        text
    }

    #[test]
    fn what_the_docs_say_a_server_bears_is_what_it_bears() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/limits.md")).unwrap();
        let section = page.split("\n## ").find(|section| section.starts_with("What a server bears")).unwrap();
        let mib = |bytes: usize| bytes >> 20;
        for row in [
            format!("| a connection says nothing | {FIRST_BYTE_MAX_SECONDS} s |"),
            format!("from its first byte on | {HEAD_MAX_SECONDS} s |"),
            format!("the next one's head among it | {IDLE_MAX_SECONDS} s |"),
            format!(
                "| a body takes | {BODY_MAX_SECONDS} s, and after {GRACE_SECONDS} s {} KiB/s",
                BODY_PACE_BYTES >> 10
            ),
            format!("| an answer is read | {GRACE_SECONDS} s, and 1 s for each {} KiB", ANSWER_PACE_BYTES >> 10),
            format!("which it gets every {PING_SECONDS} s | {PING_MAX_SECONDS} s |"),
            format!("| a write waits for its place | {WRITE_WAIT_MAX_SECONDS} s"),
            format!("once the server is told to stop | {DRAIN_MAX_SECONDS} s"),
            format!("| connections | {} (`--max-connections`)", said(CONNECTIONS_MAX)),
            format!("| peer: {} (`--max-connections-per-peer`)", said(CONNECTIONS_MAX_PER_PEER)),
            format!(
                "| requests under way | {} | business: {REQUESTS_MAX_PER_BUSINESS}; HTTP/2 connection: {STREAMS_MAX} |",
                said(REQUESTS_MAX)
            ),
            format!("adjustments, migrations, closing | {WRITES_MAX} | business: {WRITES_MAX_PER_BUSINESS} |"),
            format!(
                "| reads that are worked on, but previews that are shown once more | | business: {READS_MAX_PER_BUSINESS} |"
            ),
            format!(
                "| refusals of too much, 429 and 503, that are answered at once | {REFUSALS_AT_ONCE_PER_SECOND} a second; further ones after \
                 {}.{} s, {} of them at once",
                REFUSAL_PAUSE_MS / 1_000,
                REFUSAL_PAUSE_MS % 1_000 / 100,
                said(REFUSALS_PAUSED_MAX)
            ),
            format!(
                "| previews of a business that share a look at whether they changed | {LOOK_SHARED_MAX}; further ones share the next |"
            ),
            format!("a delivery, a page | {STRANGERS_MAX}; others wait up to {STRANGER_WAIT_MAX_SECONDS} s,"),
            format!(
                "| bodies in memory | {} MiB | business: {} MiB |",
                mib(BODIES_MAX_BYTES),
                mib(BODIES_MAX_BYTES_PER_BUSINESS)
            ),
            format!("not read yet | {} MiB | business: {} MiB;", mib(ANSWERS_MAX_BYTES), mib(ANSWERS_MAX_BYTES_EACH)),
            format!("a forge's delivery | {} MiB |", mib(BUILD_MAX_BYTES)),
            format!(
                "| `POST …/usage` | {} MiB, and {} items |",
                mib(USAGE_MAX_BYTES),
                said(svc_core::intake::BATCH_MAX_ITEMS)
            ),
            format!("| every other endpoint | {} KiB |", BODY_MAX_BYTES >> 10),
            format!("| JSON | {} values, ", said(BODY_MAX_VALUES)),
            format!("| its id, a unique key | {} characters |", svc_core::items::ITEM_ID_MAX_CHARS),
            format!("| a value of an attribute | {ATTRIBUTE_VALUE_MAX_CHARS} characters, {ATTRIBUTES_MAX} of them |"),
            format!("behind it | {} bytes |", said(CELL_MAX_BYTES)),
        ] {
            assert!(section.contains(&row), "docs/limits.md lacks: {row}");
        }
    }
}
