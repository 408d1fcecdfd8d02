//! The service: use cases over a store, HTTP, and the command line. See ARCHITECTURE.md for which folder may know what.

pub mod cli;
pub mod core;
pub mod http;
pub mod store;
