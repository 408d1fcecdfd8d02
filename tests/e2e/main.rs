//! End to end: the rules on real products, hostile products, the command line, the API and its money.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]
#![allow(missing_docs, reason = "tests")]

mod abuse;
mod access;
mod author_tests;
mod backup;
mod cli;
mod crash;
mod determinism;
mod differential;
mod docs;
mod edge;
mod edges;
mod events;
mod fuzz;
mod gateway;
mod golden;
mod hostile;
mod house;
mod http;
mod http_letter;
mod isolate;
mod model;
mod monitoring;
mod mutation;
mod pool;
mod portal;
mod preview;
mod prices;
mod products;
mod push;
mod structure;
mod tls;
mod tls_database;
mod traces;
