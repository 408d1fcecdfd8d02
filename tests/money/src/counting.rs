//! A store that counts what is asked of it: statements, and journeys to the database and back.

use jiff::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use svc_store::{Connection, Mode, Row, RowsStatement, Statement, Store, StoreResult, Tx, Value};

/// What was asked of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Queries, other statements whose answer is waited for, and commits: one journey each, with all that is written before it.
    pub journeys: u64,
    /// Statements, those that travel with others too.
    pub statements: u64,
}

#[derive(Debug, Default)]
struct Counters {
    journeys: AtomicU64,
    statements: AtomicU64,
}

impl Counters {
    fn add(&self, journeys: u64, statements: u64) {
        self.journeys.fetch_add(journeys, Ordering::Relaxed);
        self.statements.fetch_add(statements, Ordering::Relaxed);
    }
}

/// A store in front of another one that counts.
#[derive(Clone)]
pub struct Counting<S> {
    store: S,
    counters: Arc<Counters>,
}

impl<S> Counting<S> {
    /// In front of a store.
    pub fn new(store: S) -> Counting<S> {
        Counting { store, counters: Arc::default() }
    }

    /// What was asked since this was last asked.
    pub fn taken(&self) -> Asked {
        let take = |counter: &AtomicU64| counter.swap(0, Ordering::Relaxed);
        Asked { journeys: take(&self.counters.journeys), statements: take(&self.counters.statements) }
    }
}

/// A connection of a [`Counting`] store.
pub struct CountingConnection<C> {
    connection: C,
    counters: Arc<Counters>,
}

impl<C: Connection> Connection for CountingConnection<C> {
    async fn execute(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<u64> {
        self.counters.add(1, 1);
        self.connection.execute(statement, values).await
    }

    async fn write(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<()> {
        self.counters.add(0, 1);
        self.connection.write(statement, values).await
    }

    async fn write_rows(&mut self, statement: &'static RowsStatement, rows: Vec<Vec<Value>>) -> StoreResult<()> {
        self.counters.add(0, u64::from(!rows.is_empty()));
        self.connection.write_rows(statement, rows).await
    }

    async fn query(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<Vec<Row>> {
        self.counters.add(1, 1);
        self.connection.query(statement, values).await
    }

    async fn commit(self) -> StoreResult<()> {
        self.counters.add(1, 0);
        self.connection.commit().await
    }
}

impl<S: Store> Store for Counting<S> {
    type Connection = CountingConnection<S::Connection>;

    async fn begin(&self, mode: Mode) -> StoreResult<Tx<CountingConnection<S::Connection>>> {
        let connection = self.store.begin(mode).await?.into_connection();
        Ok(Tx::over(CountingConnection { connection, counters: Arc::clone(&self.counters) }))
    }

    async fn now(&self) -> StoreResult<Option<Timestamp>> {
        self.store.now().await
    }

    async fn last_worked(&self) -> StoreResult<Option<Timestamp>> {
        self.store.last_worked().await
    }

    async fn note_work(&self, now: Timestamp) -> StoreResult<()> {
        self.store.note_work(now).await
    }

    async fn check(&self) -> StoreResult<()> {
        self.store.check().await
    }
}
