//! What waits: how many rows each queue has.

use crate::error::StoreResult;
use crate::statement::{Statement, sql};
use crate::transaction::{Connection, Tx};
use jiff::Timestamp;

impl<C: Connection> Tx<C> {
    async fn count(&mut self, sql: &'static Statement) -> StoreResult<u64> {
        let count = self.one(sql, Vec::new(), |row| row.get::<i64>("count")).await?;
        Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
    }

    /// Builds that wait or are under way, and when the oldest was asked for.
    pub async fn waiting_builds(&mut self) -> StoreResult<(u64, Option<Timestamp>)> {
        let sql = sql!(
            "SELECT COUNT(*) AS count, MIN(created_at) AS oldest FROM builds WHERE diagnostics IS NULL AND files IS NOT NULL"
        );
        let found = self.one(sql, Vec::new(), |row| Ok((row.get::<i64>("count")?, row.get("oldest")?))).await?;
        let (count, oldest) = found.unwrap_or_default();
        Ok((u64::try_from(count).unwrap_or_default(), oldest))
    }

    /// Pushes with a step to do.
    pub async fn waiting_pushes(&mut self) -> StoreResult<u64> {
        self.count(sql!("SELECT COUNT(*) AS count FROM pushes WHERE state IN ('waiting', 'ended')")).await
    }

    /// Commit statuses to be sent.
    pub async fn waiting_statuses(&mut self) -> StoreResult<u64> {
        self.count(sql!(
            "SELECT COUNT(*) AS count FROM status_reports WHERE sent_revision < revision AND gave_up IS NULL"
        ))
        .await
    }

    /// Deliveries of events to be made.
    pub async fn waiting_deliveries(&mut self) -> StoreResult<u64> {
        self.count(sql!("SELECT COUNT(*) AS count FROM event_deliveries WHERE state = 'waiting'")).await
    }

    /// Holds that are open.
    pub async fn holds_open(&mut self) -> StoreResult<u64> {
        self.count(sql!("SELECT COUNT(*) AS count FROM holds WHERE state = 'open'")).await
    }
}
