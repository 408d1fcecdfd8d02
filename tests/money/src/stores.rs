//! Both stores, fresh for each test. PostgreSQL is a real server: `make test` starts one and names it in
//! `SVC_TEST_DATABASE_URL`.

use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use svc_store::postgres::Postgres;
use svc_store::sqlite::Sqlite;
use svc_store::{Store, StoreError};
use tokio_postgres::NoTls;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A way to a fresh database of one kind.
pub trait Fresh {
    /// The store.
    type Store: Store;
    /// Opens the store, again or for the first time: another server's view of the same data.
    fn open(&self) -> impl Future<Output = Self::Store> + Send;
    /// Opens the store, or says why that can't be done.
    fn try_open(&self) -> impl Future<Output = Result<Self::Store, StoreError>> + Send;
    /// Does something to the rows that no use case would.
    fn alter(&self, sql: &str) -> impl Future<Output = Result<(), String>> + Send;
    /// Rows of a query, as text.
    fn rows(&self, sql: &str) -> impl Future<Output = Vec<Vec<String>>> + Send;
    /// What makes `svc serve` use it.
    fn arguments(&self) -> Vec<String>;
}

/// A SQLite file in a folder of its own.
pub struct FreshSqlite {
    folder: tempfile::TempDir,
}

impl FreshSqlite {
    /// A new one.
    pub async fn new() -> Self {
        FreshSqlite { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("svc.db")
    }
}

impl Fresh for FreshSqlite {
    type Store = Sqlite;

    async fn open(&self) -> Sqlite {
        self.try_open().await.unwrap()
    }

    async fn try_open(&self) -> Result<Sqlite, StoreError> {
        Sqlite::open(&self.path())
    }

    async fn alter(&self, sql: &str) -> Result<(), String> {
        let connection = rusqlite::Connection::open(self.path()).unwrap();
        connection.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
        connection.execute_batch(&format!("BEGIN; {sql}; COMMIT")).map_err(|error| error.to_string())
    }

    async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let connection = rusqlite::Connection::open(self.path()).unwrap();
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let read = |row: &rusqlite::Row<'_>| {
            (0..columns)
                .map(|column| {
                    row.get_ref(column).map(|value| match value {
                        rusqlite::types::ValueRef::Null => "null".to_owned(),
                        rusqlite::types::ValueRef::Integer(integer) => integer.to_string(),
                        rusqlite::types::ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                        other => format!("{other:?}"),
                    })
                })
                .collect()
        };
        statement.query_map([], read).unwrap().collect::<Result<_, _>>().unwrap()
    }

    fn arguments(&self) -> Vec<String> {
        vec!["--data".to_owned(), self.path().display().to_string()]
    }
}

/// A PostgreSQL database of its own. Dropped, it stays; the server's folder goes with the machine.
pub struct FreshPostgres {
    url: String,
}

impl FreshPostgres {
    /// A new one.
    pub async fn new() -> Self {
        let server = std::env::var("SVC_TEST_DATABASE_URL").unwrap_or_else(|_| {
            panic!("SVC_TEST_DATABASE_URL names no PostgreSQL server; use `make test`, or scripts/postgres/ensure.sh")
        });
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("svc_{}_{number}", std::process::id());
        let client = connect(&server).await;
        if number == 0 {
            drop_databases_of_the_dead(&client).await;
        }
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).await.unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        let (base, _) = server.rsplit_once('/').unwrap();
        FreshPostgres { url: format!("{base}/{name}") }
    }
}

/// Drops what test runs that have ended left behind: a database names the process that made it.
async fn drop_databases_of_the_dead(client: &tokio_postgres::Client) {
    for row in client.query("SELECT datname FROM pg_database WHERE datname LIKE 'svc\\_%'", &[]).await.unwrap() {
        let name: String = row.get(0);
        let maker = name.split('_').nth(1).and_then(|maker| maker.parse::<u32>().ok());
        if maker.is_some_and(|maker| !Path::new(&format!("/proc/{maker}")).exists()) {
            // Another run may be at the very same.
            client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await.ok();
        }
    }
}

async fn connect(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

impl Fresh for FreshPostgres {
    type Store = Postgres;

    async fn open(&self) -> Postgres {
        self.try_open().await.unwrap()
    }

    async fn try_open(&self) -> Result<Postgres, StoreError> {
        Postgres::connect(&self.url).await
    }

    async fn alter(&self, sql: &str) -> Result<(), String> {
        let refused =
            |error: tokio_postgres::Error| error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string);
        connect(&self.url).await.batch_execute(&format!("BEGIN; {sql}; COMMIT")).await.map_err(refused)
    }

    async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let messages = connect(&self.url).await.simple_query(sql).await.unwrap();
        let row = |message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => {
                Some((0..row.len()).map(|column| row.get(column).unwrap_or("null").to_owned()).collect())
            }
            _ => None,
        };
        messages.into_iter().filter_map(row).collect()
    }

    fn arguments(&self) -> Vec<String> {
        vec!["--database-url".to_owned(), self.url.clone()]
    }
}

/// Runs each of these stories on both stores. A story is `async fn name(fresh: &impl Fresh)`.
#[macro_export]
macro_rules! on_both_stores {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $name() {
                $crate::block_on(async {
                    super::$name(&$crate::stores::FreshSqlite::new().await).await;
                });
            })*
        }
        mod postgres {
            $(#[test]
            fn $name() {
                $crate::block_on(async {
                    super::$name(&$crate::stores::FreshPostgres::new().await).await;
                });
            })*
        }
    };
}
