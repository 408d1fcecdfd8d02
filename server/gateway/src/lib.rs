//! The gateway: the data plane of a product. A request is let through by its key, the subject's subscription, the first route that matches, the
//! plan's features, limits and money; it is passed on, and what it cost is settled. What is decided is in files without I/O; what passes
//! bytes on decides nothing.

mod body;
mod counters;
mod deny;
mod forward;
mod gateway;
mod headers;
mod job;
mod journal;
pub mod limits;
mod meters;
mod outcome;
mod outlives;
mod path;
mod report;
mod request;
mod served;
mod server;
mod settler;
mod subscribers;
mod table;
mod together;
mod upstreams;

pub use gateway::{Gateway, Settings};
pub use journal::Journal;
pub use report::{Proof, SECRET_MIN_CHARS, SECRETS_MAX};
pub use server::serve;
