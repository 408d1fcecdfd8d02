//! SQLite: the embedded default, one file. One connection writes, a few read beside it (write-ahead log). Each has a thread of its own, so
//! that no call of SQLite's holds up what else a server does.

mod thread;

use crate::error::{StoreError, StoreResult};
use crate::schema::{Step, missing};
use crate::statement::{RowsStatement, Statement, sql};
use crate::transaction::{Connection, Mode, Store, Tx, Write};
use crate::value::{Row, Value};
use jiff::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{OptionalExtension, ToSql};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use thread::Thread;
use tokio::sync::{Mutex, OwnedMutexGuard};

const STEPS: &[Step] = &[
    Step { version: 1, sql: include_str!("0001_initial.sql") },
    Step { version: 2, sql: include_str!("0002_retention.sql") },
    Step { version: 3, sql: include_str!("0003_token_kinds.sql") },
    Step { version: 4, sql: include_str!("0004_access.sql") },
    Step { version: 5, sql: include_str!("0005_prices.sql") },
    Step { version: 6, sql: include_str!("0006_gateway.sql") },
    Step { version: 7, sql: include_str!("0007_leases.sql") },
    Step { version: 8, sql: include_str!("0008_credit.sql") },
    Step { version: 9, sql: include_str!("0009_fees.sql") },
    Step { version: 10, sql: include_str!("0010_traces.sql") },
    Step { version: 11, sql: include_str!("0011_scopes.sql") },
    Step { version: 12, sql: include_str!("0012_levels.sql") },
    Step { version: 13, sql: include_str!("0013_intro.sql") },
    Step { version: 14, sql: include_str!("0014_additions.sql") },
    Step { version: 15, sql: include_str!("0015_own_most.sql") },
];
/// Connections that read beside the one that writes.
const READERS: usize = 4;
/// How long a transaction waits for another process's, in milliseconds.
const BUSY_MS: u64 = 5_000;
/// Who may read and write a new file: its owner.
const FILE_MODE: u32 = 0o600;
/// Prepared statements that each connection keeps.
const STATEMENTS_KEPT: usize = 128;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DiskFull, ReadOnly, SystemIoFailure};
        match error.sqlite_error_code() {
            Some(DiskFull | ReadOnly | SystemIoFailure) => StoreError::Unwritable(error.to_string()),
            _ => StoreError::Database(error.to_string()),
        }
    }
}

/// A SQLite database.
#[derive(Clone, Debug)]
pub struct Sqlite {
    writer: Arc<Mutex<Thread>>,
    readers: Arc<[Arc<Mutex<Thread>>]>,
    next_reader: Arc<AtomicUsize>,
    /// Whether the last transaction that wrote could be written.
    writes: Arc<AtomicBool>,
}

impl Sqlite {
    /// Opens the file, making it and its tables where they are not there.
    ///
    /// # Errors
    /// [`StoreError`] when the file can't be opened, or has tables that this program does not know.
    pub fn open(path: &Path) -> StoreResult<Sqlite> {
        keep_private(path)?;
        let writer = connect(path)?;
        migrate(&writer)?;
        let thread = |connection| Thread::start(connection).map(|thread| Arc::new(Mutex::new(thread)));
        let readers = (0..READERS).map(|_| connect(path).and_then(thread)).collect::<StoreResult<_>>()?;
        let (next_reader, writes) = (Arc::default(), Arc::new(AtomicBool::new(true)));
        Ok(Sqlite { writer: thread(writer)?, readers, next_reader, writes })
    }

    /// An empty database in memory, gone when it is dropped. Its one connection reads and writes: for one who asks at a time.
    ///
    /// # Errors
    /// [`StoreError`] when there is no memory for it.
    pub fn in_memory() -> StoreResult<Sqlite> {
        let only = connect(Path::new(":memory:"))?;
        migrate(&only)?;
        let writer = Arc::new(Mutex::new(Thread::start(only)?));
        let (readers, next_reader, writes) = (Arc::from([]), Arc::default(), Arc::new(AtomicBool::new(true)));
        Ok(Sqlite { writer, readers, next_reader, writes })
    }

    /// A reader that nobody has, or the next one in turn.
    async fn reader(&self) -> OwnedMutexGuard<Thread> {
        let free = self.readers.iter().find_map(|reader| Arc::clone(reader).try_lock_owned().ok());
        if let Some(free) = free {
            return free;
        }
        let turn = self.next_reader.fetch_add(1, Ordering::Relaxed);
        let next = turn.checked_rem(self.readers.len()).and_then(|index| self.readers.get(index));
        Arc::clone(next.unwrap_or(&self.writer)).lock_owned().await
    }
}

/// Writes a whole copy of a file that may be served meanwhile, as it is at one moment. The copy is its owner's alone.
///
/// # Errors
/// [`StoreError`] when the file is not there or is no such database, or the copy can't be written.
pub fn back_up(from: &Path, to: &Path) -> StoreResult<()> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = rusqlite::Connection::open_with_flags(from, flags)?;
    connection.busy_timeout(Duration::from_millis(BUSY_MS))?;
    let versions = "SELECT version, hash FROM schema_versions ORDER BY version";
    let mut statement = connection.prepare(versions)?;
    let applied = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<_>, _>>()?;
    missing(STEPS, &applied)?;
    // Only a whole copy has the name that was asked for.
    let partial = to.with_extension("partial");
    keep_private(&partial)?;
    let copied = copy_into(&connection, &partial)
        .and_then(|()| std::fs::rename(&partial, to).map_err(|error| StoreError::Database(error.to_string())));
    if copied.is_err() {
        let _nothing_to_remove = std::fs::remove_file(&partial);
    }
    copied
}

fn copy_into(connection: &rusqlite::Connection, to: &Path) -> StoreResult<()> {
    let to = to.to_str().ok_or_else(|| StoreError::Database("the copy's name is not UTF-8".to_owned()))?;
    connection.execute("VACUUM INTO ?1", [to])?;
    Ok(())
}

/// Makes the file, where it is not there, for its owner alone: what SQLite puts beside it has its mode.
fn keep_private(path: &Path) -> StoreResult<()> {
    let made = std::fs::OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path);
    match made {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(StoreError::Database(error.to_string())),
        _ => Ok(()),
    }
}

fn connect(path: &Path) -> StoreResult<rusqlite::Connection> {
    let connection = rusqlite::Connection::open(path)?;
    connection.busy_timeout(Duration::from_millis(BUSY_MS))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    // One plan for a statement, whatever is bound: without this, a statement with a `LIMIT` or a range is parsed again each time it is run.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // FULL: an answer that was given survives a power cut.
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
    Ok(connection)
}

fn migrate(connection: &rusqlite::Connection) -> StoreResult<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let migrated = apply_missing(connection);
    connection.execute_batch(if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    migrated
}

fn apply_missing(connection: &rusqlite::Connection) -> StoreResult<()> {
    let table = "SELECT name FROM sqlite_schema WHERE name = ?1";
    let has = |name: &str| connection.query_row(table, [name], |_| Ok(())).optional();
    if has("schema_versions")?.is_none() && has("businesses")?.is_some() {
        return Err(StoreError::Database("the file was written by a program older than its first release".to_owned()));
    }
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT",
    )?;
    let mut statement = connection.prepare("SELECT version, hash FROM schema_versions ORDER BY version")?;
    let applied = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<_>, _>>()?;
    for step in missing(STEPS, &applied)? {
        connection.execute_batch(step.sql)?;
        let note = "INSERT INTO schema_versions (version, hash) VALUES (?1, ?2)";
        connection.execute(note, (step.version, step.hash()))?;
    }
    Ok(())
}

impl Store for Sqlite {
    type Connection = SqliteConnection;

    async fn begin(&self, mode: Mode) -> StoreResult<Tx<SqliteConnection>> {
        let (thread, begin, writes) = match mode {
            Mode::Write => {
                (Arc::clone(&self.writer).lock_owned().await, "BEGIN IMMEDIATE", Some(Arc::clone(&self.writes)))
            }
            Mode::Read | Mode::ReadOnce => (self.reader().await, "BEGIN", None),
        };
        Ok(Tx(SqliteConnection { thread, state: State::ToBegin(begin), pending: Vec::new(), writes }))
    }

    async fn now(&self) -> StoreResult<Option<Timestamp>> {
        Ok(None)
    }

    async fn last_worked(&self) -> StoreResult<Option<Timestamp>> {
        let reader = self.reader().await;
        let last = reader.ask(|connection| {
            Ok(connection.query_row("SELECT last_at FROM clock", [], |row| row.get::<_, i64>(0)).optional()?)
        });
        let moment = |micros| Timestamp::from_microsecond(micros).map_err(|error| StoreError::Row(error.to_string()));
        last.await?.map(moment).transpose()
    }

    async fn note_work(&self, now: Timestamp) -> StoreResult<()> {
        let writer = Arc::clone(&self.writer).lock_owned().await;
        let note = "INSERT INTO clock (one, last_at) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET last_at = excluded.last_at";
        writer.ask(move |connection| Ok(connection.execute(note, [now.as_microsecond()]).map(drop)?)).await
    }

    fn is_writable(&self) -> bool {
        self.writes.load(Ordering::Relaxed)
    }

    async fn check(&self) -> StoreResult<()> {
        let mut tx = self.begin(Mode::Read).await?;
        tx.0.query(sql!("SELECT 1 AS one"), Vec::new()).await?;
        tx.commit().await
    }
}

/// A connection in a transaction. Dropped, the transaction is rolled back.
#[derive(Debug)]
pub struct SqliteConnection {
    thread: OwnedMutexGuard<Thread>,
    state: State,
    /// What is to be written before the next query, or with the commit: one way to the thread and back for all of it.
    pending: Vec<Write>,
    /// Where a transaction that writes notes whether it could.
    writes: Option<Arc<AtomicBool>>,
}

/// Where a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The statement that begins it goes with the first other one.
    ToBegin(&'static str),
    /// It has begun.
    Begun,
    /// It is over.
    Over,
}

impl Drop for SqliteConnection {
    fn drop(&mut self) {
        if self.state == State::Begun {
            self.thread.tell(|connection| {
                // Whoever waited for the commit may have gone just then.
                if connection.is_autocommit() {
                    return;
                }
                if let Err(error) = connection.execute_batch("ROLLBACK") {
                    tracing::error!(%error, "a transaction could not be rolled back");
                }
            });
        }
    }
}

impl SqliteConnection {
    /// Does what is pending and then the last thing, on the connection's thread.
    async fn run<T: Send + 'static>(
        &mut self,
        last: impl FnOnce(&rusqlite::Connection) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        let pending = std::mem::take(&mut self.pending);
        let begin = if let State::ToBegin(begin) = self.state { Some(begin) } else { None };
        self.state = State::Begun;
        let done = self.thread.ask(move |connection| {
            if let Some(begin) = begin {
                connection.execute_batch(begin)?;
            }
            for write in pending {
                let (statement, rows) = match write {
                    Write::One(statement, values) => (statement, vec![values]),
                    Write::Rows(statement, rows) => (&statement.one, rows),
                };
                let mut prepared = connection.prepare_cached(statement.sqlite)?;
                for values in rows {
                    prepared.execute(rusqlite::params_from_iter(values))?;
                }
            }
            last(connection)
        });
        let done = done.await;
        if let (Some(writes), Err(StoreError::Unwritable(_))) = (&self.writes, &done) {
            writes.store(false, Ordering::Relaxed);
        }
        done
    }
}

impl Connection for SqliteConnection {
    async fn execute(&mut self, statement: &'static Statement, values: Vec<Value>) -> StoreResult<u64> {
        self.run(move |connection| {
            let changed = connection.prepare_cached(statement.sqlite)?.execute(rusqlite::params_from_iter(values))?;
            u64::try_from(changed).map_err(|error| StoreError::Row(error.to_string()))
        })
        .await
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
        self.run(move |connection| {
            let mut prepared = connection.prepare_cached(statement.sqlite)?;
            let columns = statement.columns(|| prepared.column_names().map(str::to_owned).collect());
            let mut rows = prepared.query(rusqlite::params_from_iter(values))?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let read = |column| row.get_ref(column).map_err(StoreError::from).and_then(value).map(Some);
                let values = (0..columns.len()).map(read).collect::<StoreResult<_>>()?;
                found.push(Row::new(Arc::clone(&columns), values));
            }
            Ok(found)
        })
        .await
    }

    async fn commit(mut self) -> StoreResult<()> {
        if self.state == State::Begun || !self.pending.is_empty() {
            self.run(|connection| Ok(connection.execute_batch("COMMIT")?)).await?;
            if let Some(writes) = &self.writes {
                writes.store(true, Ordering::Relaxed);
            }
        }
        self.state = State::Over;
        Ok(())
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        use rusqlite::types::Value as Owned;
        Ok(match self {
            Value::Null => ToSqlOutput::Owned(Owned::Null),
            Value::Integer(integer) => ToSqlOutput::Owned(Owned::Integer(*integer)),
            Value::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Value::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            Value::Moment(moment) => ToSqlOutput::Owned(Owned::Integer(moment.as_microsecond())),
            Value::Unwritable(what) => return Err(rusqlite::Error::ToSqlConversionFailure((*what).into())),
            Value::Texts(texts) => {
                let json = serde_json::to_string(texts);
                ToSqlOutput::Owned(Owned::Text(
                    json.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?,
                ))
            }
        })
    }
}

fn value(value: ValueRef<'_>) -> StoreResult<Value> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(integer) => Value::Integer(integer),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        ValueRef::Text(text) => {
            Value::Text(String::from_utf8(text.to_vec()).map_err(|error| StoreError::Row(error.to_string()))?)
        }
        ValueRef::Real(_) => return Err(StoreError::Row("no column holds a real number".to_owned())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::StatementStatus;

    #[test]
    fn a_statement_is_parsed_once_whatever_is_bound() {
        let connection = connect(Path::new(":memory:")).unwrap();
        connection.execute_batch("CREATE TABLE moments (at INTEGER PRIMARY KEY) STRICT").unwrap();
        let mut ranged = connection.prepare("SELECT at FROM moments WHERE at > ?1 ORDER BY at LIMIT ?2").unwrap();
        for bound in 0..5 {
            ranged.query_row((bound, bound + 1), |_| Ok(())).optional().unwrap();
        }
        assert_eq!(ranged.get_status(StatementStatus::RePrepare), 0);
    }
}
