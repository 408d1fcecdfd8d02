//! A store whose transactions are stopped, or whose answers are lost: what a database does under load, and what a network does.

use crate::random::SplitMix64;
use jiff::Timestamp;
use std::sync::{Arc, Mutex};
use svc_store::{Connection, Mode, Row, RowsStatement, Statement, Store, StoreError, StoreResult, Tx, Value};

/// What goes wrong next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// Each statement of a transaction that writes, and its commit, is stopped one time in so many: 40001. Never twice in a row, so that
    /// the next run comes through.
    Stopped(u64),
    /// The next commit is done, and its answer is lost.
    LostAnswer,
}

struct Plan {
    fault: Fault,
    chance: SplitMix64,
    spared: bool,
    struck: u64,
}

/// A store in front of another one that makes faults.
#[derive(Clone)]
pub struct Faulty<S> {
    store: S,
    plan: Arc<Mutex<Plan>>,
}

impl<S> Faulty<S> {
    /// Without faults yet; those that come are of this seed.
    pub fn new(store: S, seed: u64) -> Faulty<S> {
        let plan = Plan { fault: Fault::None, chance: SplitMix64(seed), spared: false, struck: 0 };
        Faulty { store, plan: Arc::new(Mutex::new(plan)) }
    }

    /// Has faults come from now on.
    pub fn set(&self, fault: Fault) {
        self.plan.lock().unwrap().fault = fault;
    }

    /// How many faults there were.
    pub fn struck(&self) -> u64 {
        self.plan.lock().unwrap().struck
    }
}

/// A connection of a [`Faulty`] store.
pub struct FaultyConnection<C> {
    connection: C,
    writes: bool,
    plan: Arc<Mutex<Plan>>,
}

impl<C> FaultyConnection<C> {
    fn stopped(&self) -> StoreResult<()> {
        let mut plan = self.plan.lock().unwrap();
        if let Fault::Stopped(times) = plan.fault
            && self.writes
            && !plan.spared
            && plan.chance.one_in(times)
        {
            plan.spared = true;
            plan.struck += 1;
            return Err(StoreError::Conflict("a fault of the tests".to_owned()));
        }
        Ok(())
    }
}

impl<C: Connection> Connection for FaultyConnection<C> {
    async fn execute(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<u64> {
        self.stopped()?;
        self.connection.execute(statement, values).await
    }

    async fn write(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<()> {
        self.stopped()?;
        self.connection.write(statement, values).await
    }

    async fn write_rows(&mut self, statement: &'static RowsStatement, rows: Vec<Vec<Value>>) -> StoreResult<()> {
        self.stopped()?;
        self.connection.write_rows(statement, rows).await
    }

    async fn query(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<Vec<Row>> {
        self.stopped()?;
        self.connection.query(statement, values).await
    }

    async fn commit(self) -> StoreResult<()> {
        self.stopped()?;
        let (writes, plan) = (self.writes, Arc::clone(&self.plan));
        self.connection.commit().await?;
        let mut plan = plan.lock().unwrap();
        if writes {
            plan.spared = false;
        }
        if writes && plan.fault == Fault::LostAnswer {
            plan.fault = Fault::None;
            plan.struck += 1;
            return Err(StoreError::Database("the answer to a commit was lost, by the tests".to_owned()));
        }
        Ok(())
    }
}

impl<S: Store> Store for Faulty<S> {
    type Connection = FaultyConnection<S::Connection>;

    async fn begin(&self, mode: Mode) -> StoreResult<Tx<FaultyConnection<S::Connection>>> {
        let connection = self.store.begin(mode).await?.into_connection();
        let (writes, plan) = (mode == Mode::Write, Arc::clone(&self.plan));
        Ok(Tx::over(FaultyConnection { connection, writes, plan }))
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
