//! Spans: what was done, for how long, and as a part of what. They are kept for whoever collects them; where nobody does, they are
//! nothing.

use crate::context::{Context, within};
use std::future::Future;
use std::sync::OnceLock;
use std::time::{Instant, SystemTime};
use tokio::sync::mpsc::Sender;
use tracing::Instrument;

/// Who collects spans.
static COLLECTOR: OnceLock<Sender<Span>> = OnceLock::new();
/// Which traces that begin here are recorded.
static SAMPLING: OnceLock<Sampling> = OnceLock::new();

/// Which traces are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Of those that begin here, so many of 2^32.
    pub share: u64,
    /// Whether a caller's word counts instead, where there is a caller who gave one.
    pub asks_parent: bool,
}

/// All: as many of 2^32 as there are.
const ALL: u64 = 1 << 32;

impl Sampling {
    /// All that begin here, and those of callers that they record.
    pub const DEFAULT: Sampling = Sampling { share: ALL, asks_parent: true };

    fn takes(self, context: Context) -> bool {
        let [.., a, b, c, d] = context.trace;
        u64::from(u32::from_be_bytes([a, b, c, d])) < self.share
    }
}

/// Has spans sent to whoever collects them; the first one stays.
pub fn collect(collector: Sender<Span>, sampling: Sampling) {
    SAMPLING.get_or_init(|| sampling);
    COLLECTOR.get_or_init(|| collector);
}

/// A span of what a caller began, or of a trace of its own.
pub fn sample(caller: Option<Context>) -> Context {
    let sampling = SAMPLING.get().copied().unwrap_or(Sampling::DEFAULT);
    let context = caller.map_or_else(|| Context::fresh(true), Context::child);
    let is_sampled = match caller {
        Some(caller) if sampling.asks_parent => caller.is_sampled,
        _ => sampling.takes(context),
    };
    Context { is_sampled, ..context }
}

/// What a span is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A request that came.
    Server,
    /// A request to another.
    Client,
    /// Work of its own.
    Internal,
}

/// What is said of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
}

/// Something that is done, or was.
#[derive(Clone, Debug)]
pub struct Span {
    /// What it is called; of few names.
    pub name: String,
    /// What it is of.
    pub kind: Kind,
    /// Its place in its trace.
    pub context: Context,
    /// What it is a part of, and whether that is another program's.
    pub parent: Option<([u8; 8], bool)>,
    /// When it began.
    pub begun: SystemTime,
    /// When it ended.
    pub ended: SystemTime,
    /// What is said of it, by OpenTelemetry's names.
    pub attributes: Vec<(&'static str, Value)>,
    /// Why it failed, where it did.
    pub error: Option<String>,
    since: Instant,
}

impl Span {
    /// Begins one, as a part of another program's or of this one's. A span's moments are the system's own: nothing depends on them.
    pub fn begin(name: impl Into<String>, kind: Kind, parent: Option<Context>) -> Span {
        let (context, begun) = (sample(parent), SystemTime::now());
        let parent = parent.map(|parent| (parent.span, kind == Kind::Server));
        Span {
            name: name.into(),
            kind,
            context,
            parent,
            begun,
            ended: begun,
            attributes: Vec::new(),
            error: None,
            since: Instant::now(),
        }
    }

    /// Says something of it.
    pub fn say(&mut self, name: &'static str, value: Value) {
        self.attributes.push((name, value));
    }

    /// Ends it. Where its collector is behind, it is lost.
    pub fn end(mut self) {
        self.ended = self.begun.checked_add(self.since.elapsed()).unwrap_or(self.begun);
        if let Some(collector) = COLLECTOR.get().filter(|_| self.context.is_sampled) {
            let _lost_where_the_collector_is_behind = collector.try_send(self);
        }
    }
}

/// Does work that nobody waits for, as a part of what asked for it, or of a trace of its own; lines that are logged meanwhile say which.
pub async fn traced<T, E: std::fmt::Display>(
    name: &'static str,
    cause: Option<Context>,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let mut span = Span::begin(name, Kind::Internal, cause);
    let line = tracing::info_span!("work", name, trace_id = span.context.trace_id());
    let done = within(span.context, work).instrument(line).await;
    span.error = done.as_ref().err().map(ToString::to_string);
    span.end();
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callers_word_counts_where_it_is_asked() {
        let caller = Context::fresh(false);
        assert!(!sample(Some(caller)).is_sampled);
        assert_eq!(sample(Some(caller)).trace, caller.trace);
        assert!(sample(None).is_sampled);
        let half = Sampling { share: ALL / 2, asks_parent: false };
        let low = Context { trace: [0x11; 16], ..caller };
        let high = Context { trace: [0xee; 16], ..caller };
        assert!(half.takes(low) && !half.takes(high));
        assert!(Sampling::DEFAULT.takes(high) && !Sampling { share: 0, asks_parent: false }.takes(low));
    }
}
