//! SQLite: the embedded default, one file. One connection writes, a few read beside it (write-ahead log); SQLite's calls are
//! short and run where they are awaited.

use crate::error::{StoreError, StoreResult};
use crate::schema::{Step, missing};
use crate::transaction::{Connection, Mode, Store, Tx};
use crate::value::{Row, Value, values};
use jiff::Timestamp;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, OptionalExtension, ToSql};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard};

const STEPS: &[Step] = &[Step { version: 1, sql: include_str!("0001_initial.sql") }];
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
        StoreError::Database(error.to_string())
    }
}

/// A SQLite database.
#[derive(Clone, Debug)]
pub struct Sqlite {
    writer: Arc<Mutex<rusqlite::Connection>>,
    readers: Arc<[Arc<Mutex<rusqlite::Connection>>]>,
    next_reader: Arc<AtomicUsize>,
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
        let readers = (0..READERS)
            .map(|_| connect(path).map(|reader| Arc::new(Mutex::new(reader))))
            .collect::<StoreResult<_>>()?;
        Ok(Sqlite { writer: Arc::new(Mutex::new(writer)), readers, next_reader: Arc::default() })
    }

    /// An empty database in memory, gone when it is dropped. Its one connection reads and writes: for one who asks at a time.
    ///
    /// # Errors
    /// [`StoreError`] when there is no memory for it.
    pub fn in_memory() -> StoreResult<Sqlite> {
        let only = connect(Path::new(":memory:"))?;
        migrate(&only)?;
        let only = Arc::new(Mutex::new(only));
        Ok(Sqlite { readers: Arc::new([Arc::clone(&only)]), writer: only, next_reader: Arc::default() })
    }
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
        let (connection, begin) = match mode {
            Mode::Write => (Arc::clone(&self.writer), "BEGIN IMMEDIATE"),
            Mode::Read | Mode::ReadOnce => {
                let turn = self.next_reader.fetch_add(1, Ordering::Relaxed);
                let reader = turn.checked_rem(self.readers.len()).and_then(|index| self.readers.get(index));
                (Arc::clone(reader.unwrap_or(&self.writer)), "BEGIN")
            }
        };
        let connection = connection.lock_owned().await;
        connection.execute_batch(begin)?;
        Ok(Tx(SqliteConnection { connection, is_open: true }))
    }

    async fn now(&self) -> StoreResult<Option<Timestamp>> {
        Ok(None)
    }

    async fn last_worked(&self) -> StoreResult<Option<Timestamp>> {
        let mut tx = self.begin(Mode::ReadOnce).await?;
        tx.one("SELECT last_at FROM clock", Vec::new(), |row| row.get()).await
    }

    async fn note_work(&self, now: Timestamp) -> StoreResult<()> {
        let mut tx = self.begin(Mode::Write).await?;
        let sql = "INSERT INTO clock (one, last_at) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET last_at = excluded.last_at";
        tx.0.write(sql, vec![values![now]]).await?;
        tx.commit().await
    }

    async fn check(&self) -> StoreResult<()> {
        self.begin(Mode::Read).await?.commit().await
    }
}

/// A connection in a transaction. Dropped, the transaction is rolled back.
#[derive(Debug)]
pub struct SqliteConnection {
    connection: OwnedMutexGuard<rusqlite::Connection>,
    is_open: bool,
}

impl Drop for SqliteConnection {
    fn drop(&mut self) {
        if self.is_open
            && let Err(error) = self.connection.execute_batch("ROLLBACK")
        {
            tracing::error!(%error, "a transaction could not be rolled back");
        }
    }
}

impl SqliteConnection {
    fn prepare(&self, sql: &'static str) -> StoreResult<CachedStatement<'_>> {
        Ok(self.connection.prepare_cached(sql)?)
    }
}

impl Connection for SqliteConnection {
    async fn execute(&mut self, sql: &'static str, values: Vec<Value>) -> StoreResult<u64> {
        let changed = self.prepare(sql)?.execute(rusqlite::params_from_iter(values))?;
        u64::try_from(changed).map_err(|error| StoreError::Row(error.to_string()))
    }

    async fn write(&mut self, sql: &'static str, rows: Vec<Vec<Value>>) -> StoreResult<()> {
        let mut statement = self.prepare(sql)?;
        for values in rows {
            statement.execute(rusqlite::params_from_iter(values))?;
        }
        Ok(())
    }

    async fn query(&mut self, sql: &'static str, values: Vec<Value>) -> StoreResult<Vec<Row>> {
        let mut statement = self.prepare(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let read = |column| row.get_ref(column).map_err(StoreError::from).and_then(value);
            found.push(Row::new((0..columns).map(read).collect::<StoreResult<_>>()?));
        }
        Ok(found)
    }

    async fn commit(mut self) -> StoreResult<()> {
        self.connection.execute_batch("COMMIT")?;
        self.is_open = false;
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
