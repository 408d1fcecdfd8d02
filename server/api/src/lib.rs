//! The HTTP API, over hyper: the one place that knows it as a server. A request finds its endpoint, the endpoint lets its caller
//! in, calls one use case, and writes the answer.

mod access;
mod answers;
mod app;
mod auth;
mod build;
mod business;
mod cookie;
mod edge;
mod endpoints;
mod event;
mod explain;
mod hook;
pub mod html;
mod invoice;
mod live;
mod lockstep;
mod metrics;
mod migration;
mod money;
pub mod openapi;
mod operations;
mod page;
mod portal;
mod portal_page;
mod probe;
pub mod problem;
pub mod rates;
mod reply;
pub mod request;
mod routes;
mod source;

pub use app::{App, MetersBeside, WorkerReport, WorkerState};
pub use edge::connections::Peer;
pub use edge::head::check as check_head;
pub use edge::layers::{AnyBody, Edge, Layered};
pub use edge::limits;
pub use edge::meters::Meters;
pub use edge::server::{Streamed, refusal_of, serve, serve_behind_edge};
pub use edge::traffic::Traffic;
pub use live::Live;
pub use operations::Operations;
