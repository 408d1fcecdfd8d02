//! What gateways keep: counts of resources, and how far rate limits are used up.

use crate::error::{StoreError, StoreResult};
use crate::records::Id;
use crate::statement::sql;
use crate::transaction::{Connection, Tx};
use crate::value::values;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Whose count of what: business, subject, resource.
pub(crate) type Counted<'a> = (&'a Id, &'a str, &'a str);

/// How far a limit is used up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLevel {
    /// In billionths of a unit times microseconds.
    pub level: u128,
    /// When that was so.
    pub at: Timestamp,
    /// For each gateway that has leased of it, how low the level was since.
    pub lowest: BTreeMap<String, u128>,
}

impl RateLevel {
    fn read(level: &str, at: Timestamp, lowest: &str) -> Option<RateLevel> {
        let texts: BTreeMap<String, String> = serde_json::from_str(lowest).ok()?;
        let lowest = texts.into_iter().map(|(holder, low)| Some((holder, low.parse().ok()?))).collect::<Option<_>>()?;
        Some(RateLevel { level: level.parse().ok()?, at, lowest })
    }

    /// As JSON, with texts for numbers that are too large for it.
    fn lowest_text(&self) -> String {
        let texts: BTreeMap<&String, String> =
            self.lowest.iter().map(|(holder, low)| (holder, low.to_string())).collect();
        serde_json::json!(texts).to_string()
    }
}

impl<C: Connection> Tx<C> {
    /// How many of a resource a subject has; nobody else changes it until the end.
    pub async fn lock_resource_count(&mut self, (business, subject, resource): Counted<'_>) -> StoreResult<u64> {
        let sql = sql!(
            "INSERT INTO resource_counts (business_id, subject, resource, count) VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING"
        );
        let name = || values![business.clone(), subject.to_owned(), resource.to_owned()];
        self.0.execute(sql, name()).await?;
        let sql = sql!(
            "SELECT count FROM resource_counts WHERE business_id = ?1 AND subject = ?2 AND resource = ?3 /*pg FOR NO KEY UPDATE */"
        );
        let count = self.one(sql, name(), |row| row.get("count")).await?;
        count.ok_or_else(|| StoreError::Row("a resource's count is not there".to_owned()))
    }

    /// Sets a count that is locked.
    pub async fn set_resource_count(
        &mut self,
        (business, subject, resource): Counted<'_>,
        count: u64,
    ) -> StoreResult<()> {
        let sql =
            sql!("UPDATE resource_counts SET count = ?4 WHERE business_id = ?1 AND subject = ?2 AND resource = ?3");
        let values = values![business.clone(), subject.to_owned(), resource.to_owned(), count];
        self.0.write(sql, values).await
    }

    /// What a subject has of each resource that was ever counted, by resource.
    pub async fn resource_counts(
        &mut self,
        business: &Id,
        subject: &str,
        after: &str,
        most: u32,
    ) -> StoreResult<Vec<(String, u64)>> {
        let sql = sql!(
            "SELECT resource, count FROM resource_counts WHERE business_id = ?1 AND subject = ?2 AND resource > ?3
                   ORDER BY resource LIMIT ?4"
        );
        let values = values![business.clone(), subject.to_owned(), after.to_owned(), most];
        self.all(sql, values, |row| Ok((row.get("resource")?, row.get("count")?))).await
    }

    /// How many requests under way are to make one more of a resource. Those whose time is over by `now` are forgotten.
    pub async fn resources_under_way(
        &mut self,
        (business, subject, resource): Counted<'_>,
        now: Timestamp,
    ) -> StoreResult<u64> {
        let sql = sql!(
            "DELETE FROM resource_changes WHERE business_id = ?1 AND subject = ?2 AND resource = ?3 AND expires_at <= ?4"
        );
        self.0.execute(sql, values![business.clone(), subject.to_owned(), resource.to_owned(), now]).await?;
        let sql = sql!(
            "SELECT COUNT(*) AS count FROM resource_changes WHERE business_id = ?1 AND subject = ?2 AND resource = ?3 AND effect = 'create'"
        );
        let count = self
            .one(sql, values![business.clone(), subject.to_owned(), resource.to_owned()], |row| row.get("count"))
            .await?;
        Ok(count.unwrap_or_default())
    }

    /// Notes a request that is to change a count.
    pub async fn begin_resource_change(
        &mut self,
        (business, subject, resource): Counted<'_>,
        (id, effect): (&str, &str),
        expires_at: Timestamp,
    ) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO resource_changes (business_id, subject, resource, id, effect, expires_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING"
        );
        let values = values![
            business.clone(),
            subject.to_owned(),
            resource.to_owned(),
            id.to_owned(),
            effect.to_owned(),
            expires_at
        ];
        self.0.execute(sql, values).await?;
        Ok(())
    }

    /// Forgets a request that is to change a count; whether it was there.
    pub async fn end_resource_change(
        &mut self,
        (business, subject, resource): Counted<'_>,
        id: &str,
    ) -> StoreResult<bool> {
        let sql =
            sql!("DELETE FROM resource_changes WHERE business_id = ?1 AND subject = ?2 AND resource = ?3 AND id = ?4");
        let values = values![business.clone(), subject.to_owned(), resource.to_owned(), id.to_owned()];
        Ok(self.0.execute(sql, values).await? > 0)
    }

    /// How far a limit is used up; nobody else changes it until the end. Where nothing is known of it, not at all.
    pub async fn lock_rate_level(
        &mut self,
        (business, subject, name): Counted<'_>,
        now: Timestamp,
    ) -> StoreResult<RateLevel> {
        let sql = sql!(
            "INSERT INTO rate_levels (business_id, subject, dimension, level, at) VALUES (?1, ?2, ?3, '0', ?4) ON CONFLICT DO NOTHING"
        );
        self.0.execute(sql, values![business.clone(), subject.to_owned(), name.to_owned(), now]).await?;
        let sql = sql!(
            "SELECT level, at, lowest FROM rate_levels WHERE business_id = ?1 AND subject = ?2 AND dimension = ?3 /*pg FOR NO KEY UPDATE */"
        );
        let values = values![business.clone(), subject.to_owned(), name.to_owned()];
        let found = self
            .one(sql, values, |row| Ok((row.get::<String>("level")?, row.get("at")?, row.get::<String>("lowest")?)))
            .await?;
        let (level, at, lowest) = found.ok_or_else(|| StoreError::Row("a limit's level is not there".to_owned()))?;
        RateLevel::read(&level, at, &lowest)
            .ok_or_else(|| StoreError::Row(format!("{level:?}, {lowest:?} is no level")))
    }

    /// Forgets so many levels of limits that nobody has used since a moment; how many there were.
    pub async fn forget_rate_levels(&mut self, before: Timestamp, most: u32) -> StoreResult<u64> {
        let sql = sql!(
            "DELETE FROM rate_levels WHERE (business_id, subject, dimension) IN (
                       SELECT l.business_id, l.subject, l.dimension FROM rate_levels l WHERE l.at < ?1 LIMIT ?2)"
        );
        self.0.execute(sql, values![before, i64::from(most)]).await
    }

    /// Sets how far a limit is used up, which is locked.
    pub async fn set_rate_level(&mut self, (business, subject, name): Counted<'_>, to: &RateLevel) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE rate_levels SET level = ?4, at = ?5, lowest = ?6
                   WHERE business_id = ?1 AND subject = ?2 AND dimension = ?3"
        );
        let values = values![
            business.clone(),
            subject.to_owned(),
            name.to_owned(),
            to.level.to_string(),
            to.at,
            to.lowest_text()
        ];
        self.0.write(sql, values).await
    }
}
