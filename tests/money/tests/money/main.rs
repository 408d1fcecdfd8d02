//! Core and its money: every story on both databases, without HTTP and without builds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(missing_docs, reason = "tests")]

mod batches;
mod cases;
mod clock;
mod closing;
mod credit;
mod events;
mod explain;
mod faults;
mod fees;
mod journeys;
mod levels;
mod migrations;
mod opaque;
mod own_most;
mod previews;
mod prices;
mod properties;
mod pushes;
mod rules;
mod scenarios;
mod simulator;
mod statements;
mod stores;
mod what_if;
