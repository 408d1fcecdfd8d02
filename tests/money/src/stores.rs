//! Both stores, fresh for each test. PostgreSQL is a real server: `make test` starts one and names it in
//! `SVC_TEST_DATABASE_URL`.

use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use svc_store::postgres::Postgres;
use svc_store::sqlite::Sqlite;
use svc_store::statement::Registered;
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
    /// Prepares statements of the store, and returns the names of each one's columns; why not, where one can't be prepared.
    fn prepare(
        &self,
        statements: &'static [Registered],
    ) -> impl Future<Output = Vec<Result<Vec<String>, String>>> + Send;
    /// What makes `svc serve` use it.
    fn arguments(&self) -> Vec<String>;
    /// Whether triggers keep the ledger append-only. An engine that distributes tables has the privileges of the server's role alone.
    fn has_triggers(&self) -> bool {
        true
    }
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

    /// How SQLite would go about statements of the store: a line for each table that one reads.
    pub fn plans(&self, statements: &[Registered]) -> Vec<Vec<String>> {
        let connection = rusqlite::Connection::open(self.path()).unwrap();
        let plan = |statement: &Registered| {
            let sql = format!("EXPLAIN QUERY PLAN {}", statement.sqlite());
            let mut plan = connection.prepare(&sql).unwrap();
            plan.raw_query().mapped(|row| row.get("detail")).collect::<Result<_, _>>().unwrap()
        };
        statements.iter().map(plan).collect()
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

    async fn prepare(&self, statements: &'static [Registered]) -> Vec<Result<Vec<String>, String>> {
        let connection = rusqlite::Connection::open(self.path()).unwrap();
        let prepare = |statement: &Registered| {
            let prepared = connection.prepare(statement.sqlite()).map_err(|error| error.to_string())?;
            Ok(prepared.column_names().map(str::to_owned).collect())
        };
        statements.iter().map(prepare).collect()
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

    /// Its address, with this user in it.
    pub fn url_of(&self, user: &str) -> String {
        let (scheme, rest) = self.url.split_once("://").unwrap();
        format!("{scheme}://{user}@{}", rest.split_once('@').unwrap().1)
    }
}

/// Refuses a transaction that writes to what belongs to a subscription and not to the subscription's own row: by that row's version every
/// server knows whether what it keeps still is so.
const WATCHED: &str = "
    CREATE FUNCTION its_own_row_is_written_too() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT FROM subscriptions s WHERE s.business_id = NEW.business_id AND s.id = NEW.subscription_id
            AND s.xmin <> pg_current_xact_id()::xid AND (TG_TABLE_NAME = 'buckets' OR s.period = (to_jsonb(NEW) ->> 'period')::int8)) THEN
            RAISE EXCEPTION '% were written to, and their subscription was not', TG_TABLE_NAME;
        END IF;
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER watched AFTER INSERT OR UPDATE ON periods DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION its_own_row_is_written_too();
    CREATE CONSTRAINT TRIGGER watched AFTER INSERT OR UPDATE ON windows DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION its_own_row_is_written_too();
    CREATE CONSTRAINT TRIGGER watched AFTER INSERT OR UPDATE ON buckets DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION its_own_row_is_written_too();";

impl FreshPostgres {
    /// A new one, which refuses what would leave a server with an old preview.
    pub async fn watched() -> Self {
        let fresh = FreshPostgres::new().await;
        drop(fresh.open().await);
        fresh.alter(WATCHED).await.unwrap();
        fresh
    }

    /// How PostgreSQL would go about statements of the store that it knows nothing of but the tables: the lines of each plan, or why there is none.
    pub async fn plans(&self, statements: &[Registered]) -> Vec<Result<Vec<String>, String>> {
        let client = connect(&self.url).await;
        // Not for whom it is, nor how few rows there are.
        client.batch_execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off").await.unwrap();
        let mut plans = Vec::with_capacity(statements.len());
        for statement in statements {
            let found = client.prepare(statement.postgres()).await.map(|prepared| prepared.params().len());
            let nulls = vec!["NULL"; found.unwrap_or_default()].join(", ");
            let given = if nulls.is_empty() { String::new() } else { format!("({nulls})") };
            let text = format!("PREPARE p AS {}; EXPLAIN EXECUTE p{given}; DEALLOCATE p", statement.postgres());
            let messages = client.simple_query(&text).await;
            let line = |message| match message {
                tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            };
            let lines = messages.map(|messages| messages.into_iter().filter_map(line).collect());
            plans.push(lines.map_err(|error| format!("{error:?}")));
        }
        plans
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

/// Prepares a statement, and its form for many rows, which takes an array for each parameter of the other.
async fn prepare(client: &tokio_postgres::Client, statement: &Registered) -> Result<Vec<String>, String> {
    let refused =
        |error: tokio_postgres::Error| error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string);
    let one = client.prepare(statement.postgres()).await.map_err(refused)?;
    if let Some(many) = statement.many() {
        let many = client.prepare(many).await.map_err(refused)?;
        let wanted: Vec<String> = one.params().iter().map(|kind| format!("_{}", kind.name())).collect();
        let found: Vec<&str> = many.params().iter().map(tokio_postgres::types::Type::name).collect();
        if wanted != found {
            return Err(format!("for many rows it takes {found:?}, and not {wanted:?}"));
        }
    }
    Ok(one.columns().iter().map(|column| column.name().to_owned()).collect())
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
        let client = connect(&self.url).await;
        // What changes a distributed table stands alone: a coordinator passes on the whole text that it came in.
        client.batch_execute("BEGIN").await.map_err(refused)?;
        client.batch_execute(sql).await.map_err(refused)?;
        client.batch_execute("COMMIT").await.map_err(refused)
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

    async fn prepare(&self, statements: &'static [Registered]) -> Vec<Result<Vec<String>, String>> {
        let client = connect(&self.url).await;
        let mut prepared = Vec::with_capacity(statements.len());
        for statement in statements {
            prepared.push(prepare(&client, statement).await);
        }
        prepared
    }

    fn arguments(&self) -> Vec<String> {
        vec!["--database-url".to_owned(), self.url.clone()]
    }
}

/// A database of its own on a Citus cluster, whose tables are spread over the workers. Dropped, it stays.
pub struct FreshCitus {
    /// The coordinator's.
    pub database: FreshPostgres,
}

/// Nodes of the cluster: the coordinator's port, and the workers' after it.
const CITUS_NODES: u16 = 3;
/// The database that others are copied from, made once by each process.
static CITUS_TEMPLATE: tokio::sync::OnceCell<String> = tokio::sync::OnceCell::const_new();

impl FreshCitus {
    /// A new one; nothing where `SVC_TEST_CITUS_URL` names no coordinator.
    pub async fn new() -> Option<Self> {
        let url = std::env::var("SVC_TEST_CITUS_URL").ok().filter(|url| !url.is_empty())?;
        let template = CITUS_TEMPLATE.get_or_init(|| citus_template(&url)).await;
        let name = format!("svc_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        for node in citus_nodes(&url) {
            let client = connect(&format!("{node}/postgres")).await;
            client.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template}")).await.unwrap();
        }
        Some(FreshCitus { database: FreshPostgres { url: format!("{}/{name}", citus_nodes(&url)[0]) } })
    }
}

/// The nodes' addresses without a database, the coordinator's first.
fn citus_nodes(url: &str) -> Vec<String> {
    let (base, _) = url.rsplit_once('/').unwrap();
    let (host, port) = base.rsplit_once(':').unwrap();
    let port: u16 = port.parse().unwrap();
    (port..port + CITUS_NODES).map(|port| format!("{host}:{port}")).collect()
}

/// Joins a database of three nodes, and has the program make its tables there.
async fn citus_template(url: &str) -> String {
    let (name, nodes) = (format!("svc_{}_template", std::process::id()), citus_nodes(url));
    for node in &nodes {
        let client = connect(&format!("{node}/postgres")).await;
        drop_databases_of_the_dead(&client).await;
        client.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        // Few shards: each story has a database of its own.
        client.batch_execute(&format!("ALTER DATABASE {name} SET citus.shard_count = 4")).await.unwrap();
        connect(&format!("{node}/{name}")).await.batch_execute("CREATE EXTENSION citus").await.unwrap();
    }
    let coordinator = connect(&format!("{}/{name}", nodes[0])).await;
    for (index, node) in nodes.iter().enumerate() {
        let port = node.rsplit_once(':').unwrap().1;
        let join = if index == 0 { "citus_set_coordinator_host" } else { "citus_add_node" };
        coordinator.batch_execute(&format!("SELECT {join}('127.0.0.1', {port})")).await.unwrap();
    }
    Postgres::connect(&format!("{}/{name}", nodes[0])).await.unwrap();
    for node in &nodes {
        let client = connect(&format!("{node}/postgres")).await;
        let close = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false");
        client.batch_execute(&close).await.unwrap();
        let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
        client.batch_execute(&end).await.unwrap();
    }
    // What was told to end takes a moment to.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    name
}

impl Fresh for FreshCitus {
    type Store = Postgres;

    async fn open(&self) -> Postgres {
        self.database.open().await
    }

    async fn try_open(&self) -> Result<Postgres, StoreError> {
        self.database.try_open().await
    }

    async fn alter(&self, sql: &str) -> Result<(), String> {
        self.database.alter(sql).await
    }

    async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        self.database.rows(sql).await
    }

    async fn prepare(&self, statements: &'static [Registered]) -> Vec<Result<Vec<String>, String>> {
        self.database.prepare(statements).await
    }

    fn arguments(&self) -> Vec<String> {
        self.database.arguments()
    }

    fn has_triggers(&self) -> bool {
        false
    }
}

/// Runs each of these stories on both stores, and the second on a cluster too where there is one. A story is `async fn name(fresh: &impl Fresh)`.
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
        mod citus {
            $(#[test]
            fn $name() {
                $crate::block_on(async {
                    if let Some(fresh) = $crate::stores::FreshCitus::new().await {
                        super::$name(&fresh).await;
                    }
                });
            })*
        }
    };
}
