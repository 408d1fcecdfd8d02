//! What is kept, and how a use case reaches it: one transaction at a time, row by row. Everything that decides something is in
//! `core`; a store decides nothing. This crate is the only place that knows SQL, and it owns
//! the records that the use cases speak of.
//!
//! Every statement stands once, in the files beside this one, in a dialect that both databases read: SQLite's, with what only
//! PostgreSQL needs in `/*pg … */` comments (row locks, as a rule). [`sqlite`] and [`postgres`] know how to run it, and hold the
//! tables of each database.

mod businesses;
pub mod ledger;
mod migrations;
pub mod positions;
pub mod postgres;
pub mod records;
mod releases;
mod schema;
pub mod sqlite;
mod subscriptions;
mod usage;
mod value;

pub use value::{Row, Value};

use std::future::Future;

/// The store failed. The text is for the log, never for a caller.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The database said no.
    #[error("{0}")]
    Database(String),
    /// Two transactions waited for each other and this one was stopped; nothing of it is there. It may be done again.
    #[error("the transaction was stopped in favour of another: {0}")]
    Conflict(String),
    /// A row is not as this service writes it.
    #[error("a stored row is not of its form: {0}")]
    Row(String),
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Reads one consistent state.
    Read,
    /// Reads with one query, whose state is consistent in itself.
    ReadOnce,
    /// Reads and writes. What it read with a lock nobody else changes until its end.
    Write,
}

/// Whether an insert took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The row is there now.
    New,
    /// Such a row was there before; nothing changed.
    Existing,
}

/// What every method of a store returns.
pub type StoreResult<T> = Result<T, StoreError>;

/// A database.
pub trait Store: Clone + Send + Sync + 'static {
    /// A connection of it, in a transaction.
    type Connection: Connection;

    /// Begins a transaction. Dropped without [`Tx::commit`], it leaves nothing behind.
    fn begin(&self, mode: Mode) -> impl Future<Output = StoreResult<Tx<Self::Connection>>> + Send;

    /// Whether it answers.
    fn check(&self) -> impl Future<Output = StoreResult<()>> + Send;
}

/// A connection with a transaction under way. Statements are in the dialect that the module's comment describes.
pub trait Connection: Send {
    /// Runs a statement. Answers how many rows it changed.
    fn execute(&mut self, sql: &'static str, values: Vec<Value>) -> impl Future<Output = StoreResult<u64>> + Send;
    /// Has a statement run once per row, in order with everything else, by the time of the next query or the commit, which answers
    /// its errors too. With more than one row it must be an `INSERT … VALUES (?1, …)`.
    fn write(&mut self, sql: &'static str, rows: Vec<Vec<Value>>) -> impl Future<Output = StoreResult<()>> + Send;
    /// Runs a query.
    fn query(&mut self, sql: &'static str, values: Vec<Value>) -> impl Future<Output = StoreResult<Vec<Row>>> + Send;
    /// Makes everything written last.
    fn commit(self) -> impl Future<Output = StoreResult<()>> + Send;
}

/// A transaction: the rows, as use cases need them. The methods stand in the files beside this one, by subject. Each may fail
/// with [`StoreError`] alone.
#[derive(Debug)]
pub struct Tx<C>(C);

impl<C: Connection> Tx<C> {
    /// Makes everything written last.
    ///
    /// # Errors
    /// [`StoreError`]; then nothing was written.
    pub async fn commit(self) -> StoreResult<()> {
        self.0.commit().await
    }

    async fn one<T>(
        &mut self,
        sql: &'static str,
        values: Vec<Value>,
        read: impl Fn(&mut Row) -> StoreResult<T>,
    ) -> StoreResult<Option<T>> {
        self.0.query(sql, values).await?.first_mut().map(read).transpose()
    }

    async fn all<T>(
        &mut self,
        sql: &'static str,
        values: Vec<Value>,
        read: impl Fn(&mut Row) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>> {
        self.0.query(sql, values).await?.iter_mut().map(read).collect()
    }
}

fn inserted(count: u64) -> Inserted {
    if count == 0 { Inserted::Existing } else { Inserted::New }
}
