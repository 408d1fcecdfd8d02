//! PostgreSQL, or a distributed engine that speaks its protocol: for any number of servers. A pool of connections; statements
//! are prepared once per connection; many rows are written by one statement.

mod address;
mod in_order;
mod migrate;
mod tls;
mod wire;

use crate::error::{StoreError, StoreResult};
use crate::statement::{RowsStatement, Statement};
use crate::transaction::{Connection, Connections, Mode, Store, Tx, Write};
use crate::value::{Row, Value};
use address::Address;
use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, PoolError, QueueMode, RecyclingMethod};
use in_order::InOrder;
use jiff::Timestamp;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;
use svc_tls::Check;
use tls::Connector;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::Statement as Prepared;
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::types::ToSql;

/// Connections that one server opens, at most.
pub const CONNECTIONS_MAX: usize = 16;
/// How long a transaction waits for a connection, in seconds.
const WAIT_MAX_SECONDS: u64 = 10;

/// How long a statement may take, in seconds.
pub const STATEMENT_MAX_SECONDS: u32 = 30;
/// How long a transaction waits for a lock, in seconds.
pub const LOCK_MAX_SECONDS: u32 = 10;
/// How long a transaction may do nothing, in seconds.
pub const IDLE_MAX_SECONDS: u32 = 60;

/// What one server takes of a database, and how long it bears to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Connections, at most; of these a quarter is left to what only reads.
    pub connections: NonZeroUsize,
    /// How long a statement may take, in seconds.
    pub statement_seconds: NonZeroU32,
    /// How long a transaction waits for a lock, in seconds.
    pub lock_seconds: NonZeroU32,
    /// How long a transaction may do nothing, in seconds.
    pub idle_seconds: NonZeroU32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        let seconds = |seconds: u32| NonZeroU32::new(seconds).unwrap_or(NonZeroU32::MIN);
        Bounds {
            connections: NonZeroUsize::new(CONNECTIONS_MAX).unwrap_or(NonZeroUsize::MIN),
            statement_seconds: seconds(STATEMENT_MAX_SECONDS),
            lock_seconds: seconds(LOCK_MAX_SECONDS),
            idle_seconds: seconds(IDLE_MAX_SECONDS),
        }
    }
}

impl Bounds {
    /// Connections that transactions which write have at most.
    fn writers(&self) -> usize {
        let all = self.connections.get();
        all.saturating_sub(all.div_ceil(4)).max(1)
    }
}

/// How transactions begin, and how statements end.
#[derive(Debug)]
struct Begins {
    /// How long a statement outside a transaction may take, which nothing in the database bounds: a pool before it forgets what is set there.
    alone: Duration,
    /// What reads several times: one state throughout.
    read: String,
    /// What writes: each statement sees what was committed before it; after a row lock was waited for, what the holder wrote.
    write: String,
}

impl Begins {
    fn of(bounds: &Bounds) -> Begins {
        let Bounds { statement_seconds, lock_seconds, idle_seconds, .. } = bounds;
        let both = format!(
            "SET LOCAL statement_timeout = '{statement_seconds}s'; SET LOCAL idle_in_transaction_session_timeout = '{idle_seconds}s'"
        );
        let read = format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {both}");
        let write = format!("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '{lock_seconds}s'; {both}");
        Begins { alone: Duration::from_secs(u64::from(statement_seconds.get())), read, write }
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        let text = error.as_db_error().map_or_else(|| with_causes(&error), without_rows);
        // Two that make the same row at one moment: run again, the second one finds it.
        let stopped =
            [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE, SqlState::UNIQUE_VIOLATION];
        if error.code().is_some_and(|code| stopped.contains(code)) {
            return StoreError::Conflict(text);
        }
        let unwritable = [SqlState::DISK_FULL, SqlState::READ_ONLY_SQL_TRANSACTION];
        if error.code().is_some_and(|code| unwritable.contains(code)) {
            return StoreError::Unwritable(text);
        }
        StoreError::Database(text)
    }
}

/// What the database says, without its detail and context: they hold values of rows, such as who a subscriber is, and it goes to the log.
fn without_rows(refused: &DbError) -> String {
    format!("{}: {} ({})", refused.severity(), refused.message(), refused.code().code())
}

/// An error with what caused it: why a server can't be reached stands at the end of the chain.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// A server connects twice, and says it once.
static WARNED: Once = Once::new();

/// What may happen on the way to a database on another machine.
fn warn_of(has_tls: bool) {
    if has_tls {
        tracing::warn!(
            "the database's name is not held against its certificate: whoever stands on the way may pass for it; sslmode=verify-full in its address looks at it"
        );
    } else {
        tracing::warn!("the database on another machine is spoken to in the clear, as its address says");
    }
}

/// Says what to do where a database on another machine has no TLS.
fn without_tls(error: StoreError) -> StoreError {
    match error {
        StoreError::Database(text) if text.contains("does not support TLS") => StoreError::Database(format!(
            "{text}; turn it on there (ssl = on), or write sslmode=disable into the address where nobody else can read the way to it"
        )),
        other => other,
    }
}

/// A PostgreSQL database.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    begins: Arc<Begins>,
    /// Places of transactions that write.
    writers: Arc<Semaphore>,
    connector: Connector,
}

impl Postgres {
    /// Connects, and brings the tables up to date. `url` is a `postgres://` URL or a `key=value` string. To another machine TLS is spoken
    /// unless the address says `sslmode=disable`.
    ///
    /// # Errors
    /// [`StoreError`] when the server does not answer, or has tables that this program does not know.
    pub async fn connect(url: &str) -> StoreResult<Postgres> {
        Postgres::connect_within(url, &Bounds::default()).await
    }

    /// As [`Postgres::connect`], within other bounds.
    ///
    /// # Errors
    /// As there.
    pub async fn connect_within(url: &str, bounds: &Bounds) -> StoreResult<Postgres> {
        let Address { config, tls, is_elsewhere } = Address::read(url)?;
        if is_elsewhere && !tls.as_ref().is_some_and(|(_, check)| *check == Check::SignedForName) {
            WARNED.call_once(|| warn_of(tls.is_some()));
        }
        let connector = Connector::new(tls)?;
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let wait = Some(Duration::from_secs(WAIT_MAX_SECONDS));
        let pool = Pool::builder(Manager::from_config(config, connector.clone(), manager))
            .max_size(bounds.connections.get())
            .wait_timeout(wait)
            .create_timeout(wait)
            // The one that was given back last: what its server process needs is still at hand.
            .queue_mode(QueueMode::Lifo)
            .runtime(deadpool_postgres::Runtime::Tokio1)
            .build()
            .map_err(|error| StoreError::Database(error.to_string()))?;
        let (begins, writers) = (Arc::new(Begins::of(bounds)), Arc::new(Semaphore::new(bounds.writers())));
        let postgres = Postgres { pool, begins, writers, connector };
        let mut client = postgres.client().await.map_err(without_tls)?;
        migrate::migrate(&mut client).await?;
        drop(client);
        Ok(postgres)
    }

    /// Lets a server's role do what a server does, as the tables' owner: everything but changing what was posted.
    ///
    /// # Errors
    /// [`StoreError`] where there is no such role, or the tables are another's.
    pub async fn grant(&self, role: &str) -> StoreResult<()> {
        migrate::grant(&**self.client().await?, role).await
    }

    /// A place among the transactions that write.
    async fn place(&self) -> StoreResult<OwnedSemaphorePermit> {
        let wait = Duration::from_secs(WAIT_MAX_SECONDS);
        let place = tokio::time::timeout(wait, Arc::clone(&self.writers).acquire_owned()).await;
        let busy = || StoreError::Database("no connection to write with became free in time".to_owned());
        place.ok().and_then(Result::ok).ok_or_else(busy)
    }

    async fn client(&self) -> StoreResult<Object> {
        self.pool.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error.into(),
            other => StoreError::Database(with_causes(&other)),
        })
    }
}

impl Store for Postgres {
    type Connection = PostgresConnection;

    async fn begin(&self, mode: Mode) -> StoreResult<Tx<PostgresConnection>> {
        let state = match mode {
            Mode::Read | Mode::Write => State::ToBegin(mode),
            // A statement alone is a transaction.
            Mode::ReadOnce => State::Alone,
        };
        let place = match mode {
            Mode::Write => Some(self.place().await?),
            Mode::Read | Mode::ReadOnce => None,
        };
        let client = Some(self.client().await?);
        let (begins, connector) = (Arc::clone(&self.begins), self.connector.clone());
        Ok(Tx(PostgresConnection { client, state, pending: Vec::new(), begins, place, connector }))
    }

    fn connections(&self) -> Option<Connections> {
        let status = self.pool.status();
        let used = status.size.saturating_sub(status.available);
        Some(Connections { most: status.max_size, idle: status.available, used, waiting: status.waiting })
    }

    async fn now(&self) -> StoreResult<Option<Timestamp>> {
        let row = self.client().await?.query_one("SELECT clock_timestamp()", &[]).await?;
        match row.try_get(0)? {
            Value::Moment(now) => Ok(Some(now)),
            other => Err(StoreError::Row(format!("the database's clock says {other:?}"))),
        }
    }

    async fn last_worked(&self) -> StoreResult<Option<Timestamp>> {
        Ok(None)
    }

    async fn note_work(&self, _: Timestamp) -> StoreResult<()> {
        Ok(())
    }

    async fn check(&self) -> StoreResult<()> {
        self.client().await?.simple_query("SELECT 1").await?;
        Ok(())
    }
}

/// A connection in a transaction. Dropped, the transaction is rolled back, in the background.
pub struct PostgresConnection {
    /// There until commit or drop.
    client: Option<Object>,
    state: State,
    /// What is to be written before the next query, or with the commit: all of it in one round trip.
    pending: Vec<Write>,
    begins: Arc<Begins>,
    /// Given back with the connection.
    place: Option<OwnedSemaphorePermit>,
    /// By what the database is told to leave a statement.
    connector: Connector,
}

/// Where a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The statement that begins it travels with the first other one.
    ToBegin(Mode),
    /// It has begun.
    Begun,
    /// There is none: each statement is one.
    Alone,
}

impl Drop for PostgresConnection {
    fn drop(&mut self) {
        let Some(client) = self.client.take().filter(|_| self.state == State::Begun) else { return };
        let place = self.place.take();
        tokio::spawn(async move {
            let _place = place;
            if let Err(error) = client.batch_execute("ROLLBACK").await {
                tracing::warn!(%error, "a transaction could not be rolled back; its connection goes");
                let _closed = Object::take(client);
            }
        });
    }
}

/// A statement with its parameters: one value each, or a column each.
enum Call {
    One(Prepared, Vec<Value>),
    Many(Prepared, Vec<Vec<Value>>),
}

impl Call {
    fn prepared(&self) -> &Prepared {
        match self {
            Call::One(prepared, _) | Call::Many(prepared, _) => prepared,
        }
    }

    fn parameters(&self) -> Vec<&(dyn ToSql + Sync)> {
        fn each<T: ToSql + Sync>(values: &[T]) -> Vec<&(dyn ToSql + Sync)> {
            values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
        }
        match self {
            Call::One(_, values) => each(values),
            Call::Many(_, columns) => each(columns),
        }
    }
}

impl PostgresConnection {
    fn client(&self) -> StoreResult<&Object> {
        self.client.as_ref().ok_or_else(|| StoreError::Database("the transaction is over".to_owned()))
    }

    async fn call(&self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<Call> {
        Ok(Call::One(self.client()?.prepare_cached(statement.postgres).await?, values))
    }

    async fn call_of(&self, write: Write) -> StoreResult<Call> {
        match write {
            Write::One(statement, values) => self.call(statement, values).await,
            Write::Rows(statement, mut rows) if rows.len() == 1 => {
                self.call(&statement.one, rows.pop().unwrap_or_default()).await
            }
            Write::Rows(statement, rows) => {
                let many = self.client()?.prepare_cached(statement.many).await?;
                let columns = wire::columns(rows, many.params().len());
                Ok(Call::Many(many, columns))
            }
        }
    }

    async fn found(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<Vec<Row>> {
        let call = self.call(statement, values).await?;
        let rows = self.send(async |client| client.query(call.prepared(), &call.parameters()).await).await?;
        let names = || call.prepared().columns().iter().map(|column| column.name().to_owned()).collect();
        let columns = statement.columns(names);
        rows.iter().map(|row| wire::row(row, &columns)).collect()
    }

    /// Leaves a statement that takes too long: the database is told, and the connection goes.
    fn leave(&mut self) -> StoreError {
        if let Some(client) = self.client.take() {
            let (token, connector) = (client.cancel_token(), self.connector.clone());
            let _closed = Object::take(client);
            tokio::spawn(async move {
                if let Err(error) = token.cancel_query(connector).await {
                    tracing::warn!(%error, "a statement that took too long could not be stopped");
                }
            });
        }
        StoreError::Database(format!("a statement took longer than {} s", self.begins.alone.as_secs()))
    }

    /// Sends what is pending, and what is given with it, in one round trip: `BEGIN` where it is due, each statement, and the last.
    async fn send<T>(&mut self, last: impl AsyncFnOnce(&Object) -> Result<T, tokio_postgres::Error>) -> StoreResult<T> {
        let mut calls = Vec::with_capacity(self.pending.len());
        for write in std::mem::take(&mut self.pending) {
            calls.push(self.call_of(write).await?);
        }
        let begins = Arc::clone(&self.begins);
        let begin = match self.state {
            State::ToBegin(Mode::Write) => Some(&begins.write),
            State::ToBegin(_) => Some(&begins.read),
            State::Begun | State::Alone => None,
        };
        let client = self.client.as_ref().ok_or_else(|| StoreError::Database("the transaction is over".to_owned()))?;
        if begin.is_some() {
            self.state = State::Begun;
        }
        let begun = async { if let Some(begin) = begin { client.batch_execute(begin).await } else { Ok(()) } };
        let parameters: Vec<Vec<&(dyn ToSql + Sync)>> = calls.iter().map(Call::parameters).collect();
        let writes =
            calls.iter().zip(&parameters).map(|(call, parameters)| client.execute(call.prepared(), parameters));
        let sent = AtomicUsize::new(0);
        let last = async {
            // Nothing that ends a transaction may overtake what it is to write.
            if sent.load(Ordering::Relaxed) != calls.len() {
                return Err(StoreError::Database("a statement was not sent in its turn".to_owned()));
            }
            Ok(last(client).await?)
        };
        let (begun, written, last) = tokio::join!(biased; begun, InOrder::new(writes, &sent), last);
        begun?;
        for written in written {
            written?;
        }
        last
    }
}

impl Connection for PostgresConnection {
    async fn execute(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<u64> {
        let call = self.call(statement, values).await?;
        self.send(async |client| client.execute(call.prepared(), &call.parameters()).await).await
    }

    async fn write(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<()> {
        self.pending.push(Write::One(statement, values));
        Ok(())
    }

    async fn write_rows(&mut self, statement: &'static RowsStatement, rows: Vec<Vec<Value>>) -> StoreResult<()> {
        if !rows.is_empty() {
            self.pending.push(Write::Rows(statement, rows));
        }
        Ok(())
    }

    async fn query(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<Vec<Row>> {
        if self.state != State::Alone {
            return self.found(statement, values).await;
        }
        match tokio::time::timeout(self.begins.alone, self.found(statement, values)).await {
            Ok(found) => found,
            Err(_elapsed) => Err(self.leave()),
        }
    }

    async fn commit(mut self) -> StoreResult<()> {
        if self.state == State::Begun || !self.pending.is_empty() {
            self.send(async |client| client.batch_execute("COMMIT").await).await?;
        }
        // Nothing is left to roll back.
        self.state = State::Alone;
        Ok(())
    }
}
