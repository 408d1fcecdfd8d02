//! A transaction: how a use case reaches what is kept, row by row. The two databases implement [`Store`] and [`Connection`].

use crate::error::StoreResult;
use crate::statement::{RowsStatement, Statement};
use crate::value::{Row, Value};
use jiff::Timestamp;
use std::future::Future;

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

/// A store's connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// How many there may be.
    pub most: usize,
    /// Those that are open, and not in use.
    pub idle: usize,
    /// Those in use.
    pub used: usize,
    /// Transactions that wait for one.
    pub waiting: usize,
}

/// A database.
pub trait Store: Clone + Send + Sync + 'static {
    /// A connection of it, in a transaction.
    type Connection: Connection;

    /// Begins a transaction. Dropped without [`Tx::commit`], it leaves nothing behind.
    fn begin(&self, mode: Mode) -> impl Future<Output = StoreResult<Tx<Self::Connection>>> + Send;

    /// What its clock says; nothing where it has none of its own, as a file on the server's machine.
    fn now(&self) -> impl Future<Output = StoreResult<Option<Timestamp>>> + Send;

    /// When a server last worked with it, by that server's clock; nothing where it has a clock of its own, or nobody has.
    fn last_worked(&self) -> impl Future<Output = StoreResult<Option<Timestamp>>> + Send;

    /// Notes that a server works with it at `now`, where it has no clock of its own.
    fn note_work(&self, now: Timestamp) -> impl Future<Output = StoreResult<()>> + Send;

    /// Whether the last transaction that wrote could be written, as far as it is known.
    fn is_writable(&self) -> bool {
        true
    }

    /// How its connections are; nothing where it has none that are waited for.
    fn connections(&self) -> Option<Connections> {
        None
    }

    /// Whether it answers.
    fn check(&self) -> impl Future<Output = StoreResult<()>> + Send;
}

/// A connection with a transaction under way.
pub trait Connection: Send {
    /// Runs a statement. Returns how many rows it changed.
    fn execute(
        &mut self,
        statement: &'static Statement,
        values: Vec<Value>,
    ) -> impl Future<Output = StoreResult<u64>> + Send;
    /// Has a statement run, in order with everything else, by the time of the next query or the commit, which answers its errors too.
    fn write(
        &mut self,
        statement: &'static Statement,
        values: Vec<Value>,
    ) -> impl Future<Output = StoreResult<()>> + Send;
    /// As [`Connection::write`], once for each row; nothing where there is none.
    fn write_rows(
        &mut self,
        statement: &'static RowsStatement,
        rows: Vec<Vec<Value>>,
    ) -> impl Future<Output = StoreResult<()>> + Send;
    /// Runs a query.
    fn query(
        &mut self,
        statement: &'static Statement,
        values: Vec<Value>,
    ) -> impl Future<Output = StoreResult<Vec<Row>>> + Send;
    /// Makes everything written last.
    fn commit(self) -> impl Future<Output = StoreResult<()>> + Send;
}

/// What is to be written.
#[derive(Debug)]
pub(crate) enum Write {
    /// One row, or as many as a statement finds.
    One(&'static Statement, Vec<Value>),
    /// Rows that come together.
    Rows(&'static RowsStatement, Vec<Vec<Value>>),
}

/// A transaction: the rows, as use cases need them. The methods stand in the files beside this one, by subject. Each may fail
/// with [`StoreError`] alone.
#[derive(Debug)]
pub struct Tx<C>(pub(crate) C);

impl<C: Connection> Tx<C> {
    /// A transaction over a connection, for stores that stand before another one.
    pub fn over(connection: C) -> Self {
        Tx(connection)
    }

    /// The connection, for stores that stand before another one.
    pub fn into_connection(self) -> C {
        self.0
    }

    /// Makes everything written last.
    ///
    /// # Errors
    /// [`StoreError`]; then nothing was written.
    pub async fn commit(self) -> StoreResult<()> {
        self.0.commit().await
    }

    pub(crate) async fn one<T>(
        &mut self,
        statement: &'static Statement,
        values: Vec<Value>,
        read: impl Fn(&mut Row) -> StoreResult<T>,
    ) -> StoreResult<Option<T>> {
        self.0.query(statement, values).await?.first_mut().map(read).transpose()
    }

    pub(crate) async fn all<T>(
        &mut self,
        statement: &'static Statement,
        values: Vec<Value>,
        read: impl Fn(&mut Row) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>> {
        self.0.query(statement, values).await?.iter_mut().map(read).collect()
    }
}

pub(crate) fn inserted(count: u64) -> Inserted {
    if count == 0 { Inserted::Existing } else { Inserted::New }
}
