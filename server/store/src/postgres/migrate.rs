//! Bringing the tables up to date, by whichever server comes first; and spreading them, where the engine is one of several nodes.

use crate::error::{StoreError, StoreResult};
use crate::schema::{Step, missing};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, GenericClient};

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
/// What keeps each business's rows together on a node of a Citus cluster, behind the step that makes the tables.
const DISTRIBUTED: &[(i64, &str)] = &[(1, include_str!("distributed.sql")), (4, include_str!("0004_distributed.sql"))];
/// How often two servers that start together may meet at the creation of the first table.
const MEETINGS_MAX: u32 = 10;
/// Runs what touches many shards one shard after the other: tables that refer to each other are made in one transaction.
const ONE_BY_ONE: &str = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'";

/// Applies the steps that the database lacks. A role that may not make tables can start a server on tables that are up to date.
pub(super) async fn migrate(client: &mut Client) -> StoreResult<()> {
    if is_known(client).await? && missing(STEPS, &applied(client).await?)?.is_empty() {
        return Ok(());
    }
    create_versions(client).await?;
    let transaction = client.transaction().await?;
    // Whoever starts beside this server waits here, and finds it done.
    transaction.batch_execute("LOCK TABLE schema_versions IN SHARE ROW EXCLUSIVE MODE").await?;
    let is_cluster = is_cluster(&transaction).await?;
    if is_cluster {
        transaction.batch_execute(ONE_BY_ONE).await?;
    }
    for step in missing(STEPS, &applied(&transaction).await?)? {
        transaction.batch_execute(step.sql).await?;
        if let Some((_, spread)) = DISTRIBUTED.iter().find(|(version, _)| is_cluster && *version == step.version) {
            transaction.batch_execute(spread).await?;
        }
        let note = "INSERT INTO schema_versions (version, hash) VALUES ($1, $2)";
        transaction.execute(note, &[&step.version, &step.hash()]).await?;
    }
    Ok(transaction.commit().await?)
}

/// Whether there is a table of versions.
async fn is_known(client: &impl GenericClient) -> StoreResult<bool> {
    let row = client.query_one("SELECT to_regclass('schema_versions') IS NOT NULL", &[]).await?;
    Ok(row.try_get(0)?)
}

async fn applied(client: &impl GenericClient) -> StoreResult<Vec<(i64, String)>> {
    let rows = client.query("SELECT version, hash FROM schema_versions ORDER BY version", &[]).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Whether the database is the coordinator of a Citus cluster.
async fn is_cluster(client: &impl GenericClient) -> StoreResult<bool> {
    let extension = client.query_opt("SELECT 1 FROM pg_extension WHERE extname = 'citus'", &[]).await?;
    if extension.is_none() {
        return Ok(false);
    }
    Ok(client.query_one("SELECT citus_is_coordinator()", &[]).await?.try_get(0)?)
}

/// Makes the table of versions. `IF NOT EXISTS` does not keep two from making it at one moment; one of them fails, and looks again.
async fn create_versions(client: &Client) -> StoreResult<()> {
    let table = "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY, hash TEXT NOT NULL)";
    let met = [SqlState::UNIQUE_VIOLATION, SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT];
    for _ in 1..MEETINGS_MAX {
        match client.batch_execute(table).await {
            Err(error) if error.code().is_some_and(|code| met.contains(code)) => {}
            made => return Ok(made?),
        }
    }
    Ok(client.batch_execute(table).await?)
}

/// What a server's role may do beside the owner's, which brings the tables up to date: everything but changing what was posted, and who did what.
///
/// # Errors
/// [`StoreError::Database`] where the role is not there, or the tables are another's.
pub(super) async fn grant(client: &Client, role: &str) -> StoreResult<()> {
    let quoted = client.query_one("SELECT quote_ident($1)", &[&role]).await?.try_get::<_, String>(0)?;
    let tables = "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables
                  WHERE schemaname = current_schema() AND tablename NOT IN ('ledger_transactions', 'audit_log', 'schema_versions')";
    let tables: Option<String> = client.query_one(tables, &[]).await?.try_get(0)?;
    let tables = tables.ok_or_else(|| StoreError::Database("there are no tables yet".to_owned()))?;
    let grants = format!(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {quoted};
         REVOKE ALL ON ledger_transactions, audit_log FROM {quoted};
         GRANT SELECT, INSERT ON ledger_transactions, audit_log TO {quoted};
         GRANT SELECT ON ledger_postings, schema_versions TO {quoted};"
    );
    Ok(client.batch_execute(&grants).await?)
}
