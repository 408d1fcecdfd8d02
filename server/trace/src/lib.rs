//! What belongs together over programs: a request keeps the trace that its caller began, what is asked of others on its way carries it
//! on, and each piece of work is a span of it. W3C Trace Context, version 00.

mod context;
mod span;

pub use context::{Context, current, current_header, within};
pub use span::{Kind, Sampling, Span, Value, collect, sample, traced};
