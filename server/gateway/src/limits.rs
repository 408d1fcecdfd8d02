//! What the gateway bears. `docs/gateway.md` has them as a table.

/// Requests under way, as a whole.
pub const REQUESTS_MAX: usize = 8_192;
/// Requests of one subject under way.
pub const REQUESTS_MAX_PER_SUBJECT: usize = 1_024;
/// Longest body of a request unless the gateway is told otherwise, in bytes.
pub const BODY_MAX_BYTES: u64 = 1 << 30;
/// How long a body's sender may be waited for before a pace is asked of it, in seconds.
pub const BODY_GRACE_SECONDS: u64 = 10;
/// The least pace of a body after its grace, in bytes for each second that its sender was waited for.
pub const BODY_PACE_BYTES: u64 = 4 << 10;
/// How long a backend may be silent: before its answer's head, and between two pieces of it; in seconds, unless told otherwise.
pub const SILENCE_MAX_SECONDS: u32 = 60;
/// How long a request may take as a whole, in seconds, unless told otherwise.
pub const REQUEST_MAX_SECONDS: u32 = 900;
/// How much longer than its request a hold lives at most, in seconds: time to settle it. A request that may take less has as much again.
pub const PROMISE_MARGIN_MAX_SECONDS: u32 = 60;
/// How long what is known of a subject is good without asking, in seconds.
pub const STANDING_SECONDS: u64 = 2;
/// How long it is good while it is being asked for, or the store can't be asked, in seconds.
pub const STANDING_STALE_MAX_SECONDS: u64 = 60;
/// Shares of a limit that a gateway leases at a time where several share it: a twentieth.
pub const LEASE_SHARES: u32 = 20;
/// How long a lease is used, in seconds; what is left of it then is given back with the next.
pub const LEASE_SECONDS: u64 = 1;
/// Subjects that are remembered.
pub const SUBJECTS_MAX: usize = 65_536;
/// Of so many there is room when some are forgotten: those that have been silent for longest.
pub const SUBJECTS_FORGOTTEN: usize = 4_096;
/// What is to be settled and waits, as a whole; past it no metered request is let through.
pub const SETTLEMENTS_MAX: usize = 65_536;
/// Settled in one transaction, at most.
pub const SETTLEMENT_BATCH: usize = 500;
/// How long what nobody waits for is gathered before it is settled, and within what time requests are that are charged together, in
/// milliseconds.
pub const SETTLE_TOGETHER_MS: i64 = 100;
/// Requests that are gathered for one time of settling.
pub const SETTLE_GATHERED_MAX: usize = 16_384;
/// Transactions that settle at once, of those that somebody waits for and of the others.
pub const SETTLERS: usize = 4;
/// How long an answer waits for its settlement, where the plan may refuse usage, in seconds; it goes on after that.
pub const SETTLE_WAIT_MAX_SECONDS: u64 = 10;
/// Longest pause before a settlement is tried again, in milliseconds.
pub const SETTLE_PAUSE_MAX_MS: u64 = 2_000;
/// How long settlements are waited for when the gateway is told to stop, in seconds.
pub const SETTLE_DRAIN_MAX_SECONDS: u64 = 20;
/// How long a file of what is to be settled gets before there is another, in bytes.
pub const JOURNAL_FILE_BYTES: u64 = 8 << 20;
/// How long it is when it is emptied at a moment at which all of it is settled, in bytes.
pub const JOURNAL_EMPTIED_BYTES: u64 = 64 << 10;
/// Connections to one backend that rest and are kept.
pub const BACKEND_IDLE_MAX: usize = 512;
/// How long they are kept, in seconds.
pub const BACKEND_IDLE_SECONDS: u64 = 30;
/// Failures to reach a backend in a row before it is left alone for a while.
pub const BACKEND_FAILURES_MAX: u32 = 5;
/// How long it is left alone, in seconds.
pub const BACKEND_REST_SECONDS: u64 = 5;
