//! What is kept, and how a use case reaches it: one transaction at a time, row by row. Everything that decides something is in
//! `core`; a store decides nothing. This crate is the only place that knows SQL, and it owns
//! the records that the use cases speak of.
//!
//! Every statement stands once, in the files beside this one, in SQLite's dialect, with what only PostgreSQL needs in `/*pg … */` comments
//! (row locks, as a rule). Each database's form of it is worked out when the program is compiled ([`dialect`], [`statement`]). [`sqlite`] and
//! [`postgres`] know how to run it, and hold the tables of each database. What a statement returns is read by the columns' names ([`value`]).

mod backlog;
mod businesses;
mod changes;
mod dialect;
mod error;
mod events;
mod gateway;
pub mod ledger;
mod migrations;
pub mod past_periods;
mod portal;
pub mod positions;
pub mod postgres;
mod pushes;
pub mod records;
mod releases;
mod schema;
mod sources;
pub mod sqlite;
pub mod statement;
mod subscriptions;
mod tokens;
mod transaction;
mod usage;
mod value;

pub use changes::Changes;
pub use error::{StoreError, StoreResult};
pub use statement::{RowsStatement, Statement};
pub use tokens::TokenQuery;
pub use transaction::{Connection, Connections, Inserted, Mode, Store, Tx};
pub use value::{Row, Value};
