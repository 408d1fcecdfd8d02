//! The use cases, written against a store. Each takes the moment as an argument; none knows HTTP, SQL, the command line or V8.

pub mod adjustments;
pub mod audit;
pub mod build_page;
pub mod builds;
pub mod businesses;
mod cache;
mod core;
pub mod credits;
pub mod error;
pub mod holds;
mod idempotency;
mod ids;
pub mod intake;
pub mod invoices;
pub mod items;
mod locked_subscription;
pub mod metering;
pub mod migrations;
pub mod plan_changes;
pub mod preview;
mod push_settings;
pub mod push_steps;
mod push_texts;
pub mod pushes;
pub mod releases;
pub mod reports;
pub mod secrets;
mod signals;
pub mod sources;
pub mod subscriptions;
mod voids;

pub use crate::core::{Clock, Core};
pub use error::CoreError;
pub use ids::{new_id, to_micros};
pub use push_settings::PushSettings;
