//! SQLite: the embedded default, one file. One connection writes, a few read beside it (write-ahead log); SQLite's calls are
//! short and run where they are awaited.

mod rows;

use super::{Answer, Inserted, Mode, Store, StoreError, Tx};
use crate::core::model::{
    Build, Business, Charge, Grant, Id, PeriodTotals, Release, StoredProjection, StoredWindow, Subscription, Token,
    UsageItemRecord,
};
use jiff::Timestamp;
use rows::{micros, moment};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use svc_engine::manifest::ir::Key;
use svc_engine::money::amount::Nanos;
use svc_engine::money::funding::Bucket;
use svc_engine::money::ledger::{Account, Transaction};
use svc_engine::money::units::Units;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Version of the schema this program reads and writes.
const SCHEMA_VERSION: i64 = 1;
const SCHEMA: &str = include_str!("schema.sql");
/// Connections that read beside the one that writes.
const READERS: usize = 4;
/// How long a transaction waits for another process's, in milliseconds.
const BUSY_MS: u64 = 5_000;
/// Prepared statements that each connection keeps.
const STATEMENTS_KEPT: usize = 64;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        StoreError::Database(error.to_string())
    }
}

/// A SQLite database.
#[derive(Clone)]
pub struct Sqlite {
    writer: Arc<Mutex<Connection>>,
    readers: Arc<[Arc<Mutex<Connection>>]>,
    next_reader: Arc<std::sync::atomic::AtomicUsize>,
}

impl Sqlite {
    /// Opens the file, making it and its tables where they are not there.
    ///
    /// # Errors
    /// [`StoreError`] when the file can't be opened, or was written by a newer version.
    pub fn open(path: &Path) -> Answer<Sqlite> {
        let writer = connect(path)?;
        migrate(&writer)?;
        let readers =
            (0..READERS).map(|_| connect(path).map(|reader| Arc::new(Mutex::new(reader)))).collect::<Answer<_>>()?;
        Ok(Sqlite { writer: Arc::new(Mutex::new(writer)), readers, next_reader: Arc::default() })
    }
}

fn connect(path: &Path) -> Answer<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_millis(BUSY_MS))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    // FULL: an answer that was given survives a power cut.
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
    Ok(connection)
}

fn migrate(connection: &Connection) -> Answer<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        0 => connection.execute_batch(&format!("{SCHEMA}; PRAGMA user_version = {SCHEMA_VERSION}; COMMIT"))?,
        SCHEMA_VERSION => connection.execute_batch("COMMIT")?,
        newer => {
            return Err(StoreError::Database(format!(
                "the file has schema version {newer}, newer than {SCHEMA_VERSION}"
            )));
        }
    }
    Ok(())
}

impl Store for Sqlite {
    type Tx = SqliteTx;

    async fn begin(&self, mode: Mode) -> Answer<SqliteTx> {
        let (connection, begin) = match mode {
            Mode::Write => (Arc::clone(&self.writer), "BEGIN IMMEDIATE"),
            Mode::Read => {
                let turn = self.next_reader.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let reader = turn.checked_rem(self.readers.len()).and_then(|index| self.readers.get(index));
                (Arc::clone(reader.unwrap_or(&self.writer)), "BEGIN")
            }
        };
        let connection = connection.lock_owned().await;
        connection.execute_batch(begin)?;
        Ok(SqliteTx { connection, open: true })
    }

    async fn check(&self) -> Answer<()> {
        self.begin(Mode::Read).await?.commit().await
    }
}

/// A transaction. Dropped, it is rolled back.
pub struct SqliteTx {
    connection: OwnedMutexGuard<Connection>,
    open: bool,
}

impl Drop for SqliteTx {
    fn drop(&mut self) {
        if self.open
            && let Err(error) = self.connection.execute_batch("ROLLBACK")
        {
            tracing::error!(%error, "a transaction could not be rolled back");
        }
    }
}

impl SqliteTx {
    fn execute(&self, sql: &str, params: impl rusqlite::Params) -> Answer<usize> {
        Ok(self.connection.prepare_cached(sql)?.execute(params)?)
    }

    fn one<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnOnce(&Row<'_>) -> Answer<T>,
    ) -> Answer<Option<T>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        statement.query_row(params, |row| Ok(read(row))).optional()?.transpose()
    }

    fn all<T>(&self, sql: &str, params: impl rusqlite::Params, read: impl Fn(&Row<'_>) -> Answer<T>) -> Answer<Vec<T>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(read(row)?);
        }
        Ok(found)
    }
}

impl Tx for SqliteTx {
    async fn commit(mut self) -> Answer<()> {
        self.connection.execute_batch("COMMIT")?;
        self.open = false;
        Ok(())
    }

    async fn insert_business(&mut self, business: &Business) -> Answer<()> {
        let sql = "INSERT INTO businesses (id, name, created_at) VALUES (?1, ?2, ?3)";
        self.execute(sql, params![business.id.as_str(), business.name, micros(business.created_at)])?;
        Ok(())
    }

    async fn business(&mut self, id: &Id) -> Answer<Option<Business>> {
        self.one("SELECT id, name, created_at FROM businesses WHERE id = ?1", [id.as_str()], |row| {
            Ok(Business {
                id: Id::named(row.get::<_, String>(0)?),
                name: row.get(1)?,
                created_at: moment(row.get(2)?)?,
            })
        })
    }

    async fn insert_token(&mut self, token: &Token) -> Answer<()> {
        let subject = match &token.grant {
            Grant::Portal { subject } => Some(subject),
            Grant::Deploy => None,
        };
        let sql = "INSERT INTO tokens (hash, business_id, subject, created_at) VALUES (?1, ?2, ?3, ?4)";
        self.execute(sql, params![token.hash, token.business.as_str(), subject, micros(token.created_at)])?;
        Ok(())
    }

    async fn token(&mut self, hash: &[u8; 32]) -> Answer<Option<Token>> {
        self.one("SELECT hash, business_id, subject, created_at FROM tokens WHERE hash = ?1", [hash], |row| {
            let grant = row.get::<_, Option<String>>(2)?.map_or(Grant::Deploy, |subject| Grant::Portal { subject });
            let business = Id::named(row.get::<_, String>(1)?);
            Ok(Token { hash: row.get(0)?, business, grant, created_at: moment(row.get(3)?)? })
        })
    }

    async fn insert_build(&mut self, build: &Build) -> Answer<()> {
        let sql = "INSERT INTO builds (id, business_id, ir_hash, ir, diagnostics, failure, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let Build { id, business, ir_hash, ir, diagnostics, failure, created_at } = build;
        self.execute(
            sql,
            params![id.as_str(), business.as_str(), ir_hash, ir, diagnostics, failure, micros(*created_at)],
        )?;
        Ok(())
    }

    async fn build(&mut self, business: &Id, id: &Id) -> Answer<Option<Build>> {
        let sql = "SELECT ir_hash, ir, diagnostics, failure, created_at FROM builds WHERE business_id = ?1 AND id = ?2";
        self.one(sql, [business.as_str(), id.as_str()], |row| {
            Ok(Build {
                id: id.clone(),
                business: business.clone(),
                ir_hash: row.get(0)?,
                ir: row.get(1)?,
                diagnostics: row.get(2)?,
                failure: row.get(3)?,
                created_at: moment(row.get(4)?)?,
            })
        })
    }

    async fn insert_release(&mut self, release: &Release, projections: &[StoredProjection]) -> Answer<()> {
        let sql = "INSERT INTO releases (id, business_id, build_id, ir_hash, ir, activated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let Release { id, business, build, ir_hash, ir, activated_at } = release;
        self.execute(
            sql,
            params![id.as_str(), business.as_str(), build.as_str(), ir_hash, ir, activated_at.map(micros)],
        )?;
        let sql = "INSERT INTO projections (release_id, plan, business_id, version, plan_hash, body, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        for StoredProjection { release, plan, version, plan_hash, body, hash } in projections {
            self.execute(sql, params![release.as_str(), plan, business.as_str(), version, plan_hash, body, hash])?;
        }
        Ok(())
    }

    async fn activate(&mut self, business: &Id, release: &Id) -> Answer<()> {
        let sql = "INSERT INTO active_releases (business_id, release_id) VALUES (?1, ?2)
                   ON CONFLICT (business_id) DO UPDATE SET release_id = excluded.release_id";
        self.execute(sql, [business.as_str(), release.as_str()])?;
        Ok(())
    }

    async fn active_release(&mut self, business: &Id) -> Answer<Option<Release>> {
        let sql = "SELECT r.id, r.business_id, r.build_id, r.ir_hash, r.ir, r.activated_at
                   FROM active_releases a JOIN releases r ON r.id = a.release_id WHERE a.business_id = ?1";
        self.one(sql, [business.as_str()], rows::release)
    }

    async fn release(&mut self, id: &Id) -> Answer<Option<Release>> {
        let sql = "SELECT id, business_id, build_id, ir_hash, ir, activated_at FROM releases WHERE id = ?1";
        self.one(sql, [id.as_str()], rows::release)
    }

    async fn activated_at(&mut self, id: &Id) -> Answer<Option<Timestamp>> {
        let found = self.one("SELECT activated_at FROM releases WHERE id = ?1", [id.as_str()], |row| {
            rows::maybe_moment(row.get(0)?)
        })?;
        Ok(found.flatten())
    }

    async fn projection(&mut self, release: &Id, plan: &str) -> Answer<Option<StoredProjection>> {
        let sql = "SELECT version, plan_hash, body, hash FROM projections WHERE release_id = ?1 AND plan = ?2";
        self.one(sql, [release.as_str(), plan], |row| {
            let (version, plan_hash, body, hash) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            Ok(StoredProjection { release: release.clone(), plan: plan.to_owned(), version, plan_hash, body, hash })
        })
    }

    async fn newest_version(&mut self, business: &Id, plan: &str) -> Answer<Option<(u32, String)>> {
        let sql = "SELECT version, plan_hash FROM projections WHERE business_id = ?1 AND plan = ?2 ORDER BY version DESC LIMIT 1";
        self.one(sql, [business.as_str(), plan], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    async fn insert_subscription(&mut self, subscription: &Subscription) -> Answer<Inserted> {
        let sql = "INSERT INTO subscriptions (id, business_id, subject, release_id, plan, plan_version, recurring_fee_cents,
                   billing_interval, started_at, cancelled_at, granted_period) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                   ON CONFLICT DO NOTHING";
        let s = subscription;
        let count = self.execute(
            sql,
            params![
                s.id.as_str(),
                s.business.as_str(),
                s.subject,
                s.release.as_str(),
                s.plan,
                s.plan_version,
                rows::integer(s.recurring_fee_cents.get())?,
                s.interval.as_str(),
                micros(s.started_at),
                s.cancelled_at.map(micros),
                s.granted_period
            ],
        )?;
        Ok(rows::inserted(count))
    }

    async fn update_subscription(&mut self, subscription: &Subscription) -> Answer<()> {
        let sql = "UPDATE subscriptions SET cancelled_at = ?2, granted_period = ?3 WHERE id = ?1";
        let Subscription { id, cancelled_at, granted_period, .. } = subscription;
        self.execute(sql, params![id.as_str(), cancelled_at.map(micros), granted_period])?;
        Ok(())
    }

    async fn subscription(&mut self, business: &Id, id: &Id) -> Answer<Option<Subscription>> {
        let sql = format!("SELECT {} FROM subscriptions WHERE business_id = ?1 AND id = ?2", rows::SUBSCRIPTION);
        self.one(&sql, [business.as_str(), id.as_str()], rows::subscription)
    }

    async fn live_subscription(&mut self, business: &Id, subject: &str) -> Answer<Option<Subscription>> {
        let sql = format!(
            "SELECT {} FROM subscriptions WHERE business_id = ?1 AND subject = ?2 AND cancelled_at IS NULL",
            rows::SUBSCRIPTION
        );
        self.one(&sql, [business.as_str(), subject], rows::subscription)
    }

    async fn windows(&mut self, subscription: &Id, period: u32) -> Answer<Vec<StoredWindow>> {
        let sql = "SELECT id, subscription_id, period, window_start, window_end, release_id, charge_count, rated_nanos
                   FROM windows WHERE subscription_id = ?1 AND period = ?2 ORDER BY window_start, id";
        self.all(sql, params![subscription.as_str(), period], rows::window)
    }

    async fn put_window(&mut self, window: &StoredWindow) -> Answer<()> {
        let sql = "INSERT INTO windows (id, subscription_id, period, window_start, window_end, release_id, charge_count, rated_nanos)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO UPDATE SET
                   window_end = excluded.window_end, charge_count = excluded.charge_count, rated_nanos = excluded.rated_nanos";
        let w = window;
        let count = rows::integer(w.charge_count)?;
        let (id, subscription, release) = (w.id.as_str(), w.subscription.as_str(), w.release.as_str());
        self.execute(
            sql,
            params![id, subscription, w.period, micros(w.start), micros(w.end), release, count, w.rated.to_string()],
        )?;
        Ok(())
    }

    async fn quantities(&mut self, window: &Id) -> Answer<BTreeMap<Key, Units>> {
        let sql = "SELECT meter, steps FROM window_quantities WHERE window_id = ?1";
        let found = self.all(sql, [window.as_str()], |row| {
            Ok((rows::key(row.get(0)?)?, rows::units(&row.get::<_, String>(1)?)?))
        })?;
        Ok(found.into_iter().collect())
    }

    async fn put_quantities(&mut self, window: &Id, quantities: &BTreeMap<Key, Units>) -> Answer<()> {
        let sql = "INSERT INTO window_quantities (window_id, meter, steps) VALUES (?1, ?2, ?3)
                   ON CONFLICT (window_id, meter) DO UPDATE SET steps = excluded.steps";
        for (meter, units) in quantities {
            self.execute(sql, params![window.as_str(), meter.as_str(), units.steps().to_string()])?;
        }
        Ok(())
    }

    async fn insert_unique_key(&mut self, window: &Id, meter: &str, key: &str) -> Answer<Inserted> {
        let sql = "INSERT INTO window_keys (window_id, meter, unique_key) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        Ok(rows::inserted(self.execute(sql, params![window.as_str(), meter, key])?))
    }

    async fn usage_item(&mut self, subscription: &Id, id: &str) -> Answer<Option<UsageItemRecord>> {
        let sql = "SELECT id, fingerprint, charges FROM usage_items WHERE subscription_id = ?1 AND id = ?2";
        self.one(sql, [subscription.as_str(), id], |row| {
            Ok(UsageItemRecord { id: row.get(0)?, fingerprint: row.get(1)?, charges: row.get(2)? })
        })
    }

    async fn insert_usage_item(&mut self, subscription: &Id, item: &UsageItemRecord, charges: &[Charge]) -> Answer<()> {
        let sql = "INSERT INTO usage_items (subscription_id, id, fingerprint, charges) VALUES (?1, ?2, ?3, ?4)";
        self.execute(sql, params![subscription.as_str(), item.id, item.fingerprint, item.charges])?;
        let sql = "INSERT INTO charges (subscription_id, id, window_id, meter, steps, admitted_at, occurred_at, charge_nanos, remainder_nanos)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        for c in charges {
            let (steps, charge, remainder) =
                (c.units.steps().to_string(), c.charge.to_string(), c.remainder.to_string());
            let (admitted, occurred) = (micros(c.admitted_at), c.occurred_at.map(micros));
            self.execute(
                sql,
                params![
                    subscription.as_str(),
                    c.id,
                    c.window.as_str(),
                    c.meter,
                    steps,
                    admitted,
                    occurred,
                    charge,
                    remainder
                ],
            )?;
        }
        Ok(())
    }

    async fn append(
        &mut self,
        subscription: &Id,
        period: u32,
        id: &Id,
        at: Timestamp,
        transaction: &Transaction,
    ) -> Answer<()> {
        let sql = "INSERT INTO ledger_transactions (id, subscription_id, period, at) VALUES (?1, ?2, ?3, ?4)";
        self.execute(sql, params![id.as_str(), subscription.as_str(), period, micros(at)])?;
        let sql = "INSERT INTO ledger_postings (transaction_id, line, account, amount_nanos, cause) VALUES (?1, ?2, ?3, ?4, ?5)";
        for (line, posting) in transaction.postings().iter().enumerate() {
            let line = i64::try_from(line).map_err(|error| StoreError::Row(error.to_string()))?;
            self.execute(
                sql,
                params![
                    id.as_str(),
                    line,
                    posting.account.to_string(),
                    posting.amount.to_string(),
                    posting.cause.to_string()
                ],
            )?;
        }
        let old = self.period_totals(subscription, period).await?;
        let sum = |old: Nanos, picks: fn(&Account) -> bool| {
            let net = transaction.net(picks).and_then(|net| old.plus(net));
            net.map_err(|error| StoreError::Row(error.to_string()))
        };
        // Money put into a bucket or taken out by expiry is no payment: only what revenue got counts as funded.
        let earns = transaction.postings().iter().any(|posting| posting.account == Account::Revenue);
        let funded =
            if earns { sum(old.funded, |account| matches!(account, Account::Funding(_)))? } else { old.funded };
        let receivable = sum(old.receivable, |account| *account == Account::Receivable)?;
        let sql = "INSERT INTO period_totals (subscription_id, period, funded_nanos, receivable_nanos) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT (subscription_id, period) DO UPDATE SET funded_nanos = excluded.funded_nanos, receivable_nanos = excluded.receivable_nanos";
        self.execute(sql, params![subscription.as_str(), period, funded.to_string(), receivable.to_string()])?;
        Ok(())
    }

    async fn period_totals(&mut self, subscription: &Id, period: u32) -> Answer<PeriodTotals> {
        let sql = "SELECT funded_nanos, receivable_nanos FROM period_totals WHERE subscription_id = ?1 AND period = ?2";
        let found = self.one(sql, params![subscription.as_str(), period], |row| {
            Ok(PeriodTotals {
                funded: rows::nanos(&row.get::<_, String>(0)?)?,
                receivable: rows::nanos(&row.get::<_, String>(1)?)?,
            })
        })?;
        Ok(found.unwrap_or_default())
    }

    async fn buckets(&mut self, subscription: &Id, since: Timestamp) -> Answer<Vec<Bucket>> {
        let sql = "SELECT id, kind, state, granted_nanos, remaining_nanos, held_nanos, consumed_nanos, expires_at, display FROM buckets
                   WHERE subscription_id = ?1 AND (expires_at IS NULL OR expires_at > ?2 OR state IN ('AVAILABLE', 'EXHAUSTED')) ORDER BY id";
        self.all(sql, params![subscription.as_str(), micros(since)], rows::bucket)
    }

    async fn put_bucket(&mut self, subscription: &Id, bucket: &Bucket) -> Answer<()> {
        let sql = "INSERT INTO buckets (id, subscription_id, kind, state, granted_nanos, remaining_nanos, held_nanos, consumed_nanos, expires_at, display)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO UPDATE SET state = excluded.state,
                   remaining_nanos = excluded.remaining_nanos, held_nanos = excluded.held_nanos, consumed_nanos = excluded.consumed_nanos";
        let b = bucket;
        let display = b
            .display
            .as_ref()
            .map(serde_json::to_string)
            .transpose()
            .map_err(|error| StoreError::Row(error.to_string()))?;
        let amounts = [b.granted, b.remaining, b.held, b.consumed].map(|amount| amount.to_string());
        let [granted, remaining, held, consumed] = amounts;
        let expires = b.expires_at.map(micros);
        self.execute(
            sql,
            params![
                b.id,
                subscription.as_str(),
                b.kind.as_str(),
                b.state.as_str(),
                granted,
                remaining,
                held,
                consumed,
                expires,
                display
            ],
        )?;
        Ok(())
    }
}
