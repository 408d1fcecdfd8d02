//! Money and quantities, exactly: checked integers and big rationals, never a float.
#![warn(clippy::arithmetic_side_effects)]

pub mod amount;
pub mod bill;
pub mod bucket;
pub mod card;
pub mod cell;
pub mod curve;
pub mod fee;
pub mod funding;
pub mod ledger;
pub mod level;
pub mod period;
pub mod plot;
pub mod rating;
pub mod scenario;
pub mod scope;
pub mod trace;
pub mod units;
pub mod what_if;
