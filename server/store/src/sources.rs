//! Sources and what they delivered.

use crate::error::StoreResult;
use crate::records::{Delivery, DeliveryOutcome, Id, Source};
use crate::statement::sql;
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;
use jiff::Timestamp;
use std::collections::BTreeMap;

macro_rules! source_sql {
    ($rest:literal) => {
        concat!(
            "SELECT business_id, forge, api_base, repository, folder, branch, sealed_token, sealed_secret,
             sealed_previous, previous_until, position, published_position, created_at
             FROM sources WHERE business_id = ?1 ",
            $rest
        )
    };
}

fn source(row: &mut Row) -> StoreResult<Source> {
    Ok(Source {
        business: row.get("business_id")?,
        forge: row.get("forge")?,
        api_base: row.get("api_base")?,
        repository: row.get("repository")?,
        folder: row.get("folder")?,
        branch: row.get("branch")?,
        sealed_token: row.get("sealed_token")?,
        sealed_secret: row.get("sealed_secret")?,
        previous: row.get::<Option<Vec<u8>>>("sealed_previous")?.zip(row.get("previous_until")?),
        position: row.get("position")?,
        published_position: row.get("published_position")?,
        created_at: row.get("created_at")?,
    })
}

macro_rules! delivery_sql {
    ($rest:literal) => {
        concat!(
            "SELECT business_id, delivery_id, id, event, branch, commit_id, outcome, reason, build_id, received_at
             FROM deliveries WHERE business_id = ?1 ",
            $rest
        )
    };
}

fn delivery(row: &mut Row) -> StoreResult<Delivery> {
    Ok(Delivery {
        business: row.get("business_id")?,
        delivery: row.get("delivery_id")?,
        id: row.get("id")?,
        event: row.get("event")?,
        branch: row.get("branch")?,
        commit: row.get("commit_id")?,
        outcome: row.get("outcome")?,
        reason: row.get("reason")?,
        build: row.get("build_id")?,
        received_at: row.get("received_at")?,
    })
}

impl<C: Connection> Tx<C> {
    /// A business's source.
    pub async fn source(&mut self, business: &Id) -> StoreResult<Option<Source>> {
        self.one(sql!(source_sql!("")), values![business.clone()], source).await
    }

    /// A business's source, which nobody else locks until the end: deliveries of one business take turns.
    pub async fn lock_source(&mut self, business: &Id) -> StoreResult<Option<Source>> {
        self.one(sql!(source_sql!("/*pg FOR NO KEY UPDATE */")), values![business.clone()], source).await
    }

    /// Stores a source, in place of the business's former one.
    pub async fn put_source(&mut self, source: &Source) -> StoreResult<()> {
        let sql = sql!("INSERT INTO sources (business_id, forge, api_base, repository, folder, branch, sealed_token, sealed_secret,
                   sealed_previous, previous_until, position, published_position, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                   ON CONFLICT (business_id) DO UPDATE SET forge = excluded.forge, api_base = excluded.api_base,
                   repository = excluded.repository, folder = excluded.folder, branch = excluded.branch,
                   sealed_token = excluded.sealed_token, sealed_secret = excluded.sealed_secret,
                   sealed_previous = excluded.sealed_previous, previous_until = excluded.previous_until,
                   position = excluded.position, published_position = excluded.published_position,
                   created_at = excluded.created_at");
        let Source { business, forge, api_base, repository, folder, branch, .. } = source.clone();
        let Source { sealed_token, sealed_secret, previous, position, published_position, created_at, .. } =
            source.clone();
        let (sealed_previous, previous_until) = previous.unzip();
        let values = values![
            business,
            forge,
            api_base,
            repository,
            folder,
            branch,
            sealed_token,
            sealed_secret,
            sealed_previous,
            previous_until,
            position,
            published_position,
            created_at
        ];
        self.0.write(sql, values).await
    }

    /// Takes a business's source away. Returns whether there was one.
    pub async fn remove_source(&mut self, business: &Id) -> StoreResult<bool> {
        let sql = sql!("DELETE FROM sources WHERE business_id = ?1");
        Ok(self.0.execute(sql, values![business.clone()]).await? > 0)
    }

    /// Notes that a push was published.
    pub async fn note_published(&mut self, business: &Id, position: u64) -> StoreResult<()> {
        let sql = sql!("UPDATE sources SET published_position = ?2 WHERE business_id = ?1 AND published_position < ?2");
        self.0.write(sql, values![business.clone(), position]).await
    }

    /// What became of a delivery, by the forge's id of it.
    pub async fn delivery(&mut self, business: &Id, id: &str) -> StoreResult<Option<Delivery>> {
        self.one(sql!(delivery_sql!("AND delivery_id = ?2")), values![business.clone(), id.to_owned()], delivery).await
    }

    /// Stores what became of a delivery.
    pub async fn insert_delivery(&mut self, delivery: &Delivery) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO deliveries (business_id, delivery_id, id, event, branch, commit_id, outcome, reason, build_id,
                   received_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
        );
        let Delivery { business, delivery, id, event, branch, commit, outcome, reason, build, received_at } =
            delivery.clone();
        let values = values![business, delivery, id, event, branch, commit, outcome, reason, build, received_at];
        self.0.write(sql, values).await
    }

    /// Deliveries of a business, newest first, from one that is older than `before`.
    pub async fn deliveries(&mut self, business: &Id, before: Option<&str>, limit: u32) -> StoreResult<Vec<Delivery>> {
        match before {
            Some(before) => {
                let sql = sql!(delivery_sql!("AND id < ?2 ORDER BY id DESC LIMIT ?3"));
                self.all(sql, values![business.clone(), before.to_owned(), i64::from(limit)], delivery).await
            }
            None => {
                let sql = sql!(delivery_sql!("ORDER BY id DESC LIMIT ?2"));
                self.all(sql, values![business.clone(), i64::from(limit)], delivery).await
            }
        }
    }

    /// Forgets, `most` at once, deliveries that came before a moment and are not the last one of their branch, and what was told of
    /// their commits where no other delivery has them and it is no longer to be sent. Returns how many deliveries.
    pub async fn forget_deliveries(&mut self, before: Timestamp, most: u32) -> StoreResult<u64> {
        let sql = sql!(
            "SELECT d.business_id, d.delivery_id, d.commit_id FROM deliveries d WHERE d.received_at < ?1
                   AND EXISTS (SELECT 1 FROM deliveries n WHERE n.business_id = d.business_id
                       AND (n.branch = d.branch OR n.branch IS NULL AND d.branch IS NULL) AND n.id > d.id)
                   LIMIT ?2"
        );
        let read = |row: &mut Row| {
            Ok((
                row.get::<Id>("business_id")?,
                row.get::<String>("delivery_id")?,
                row.get::<Option<String>>("commit_id")?,
            ))
        };
        let old = self.all(sql, values![before, i64::from(most)], read).await?;
        let count = u64::try_from(old.len()).unwrap_or(u64::MAX);
        let mut by_business: BTreeMap<Id, (Vec<String>, Vec<String>)> = BTreeMap::new();
        for (business, id, commit) in old {
            let (ids, commits) = by_business.entry(business).or_default();
            ids.push(id);
            commits.extend(commit);
        }
        for (business, (ids, commits)) in by_business {
            let sql = sql!(
                "DELETE FROM deliveries WHERE business_id = ?1 AND delivery_id IN (SELECT value FROM json_each(?2))"
            );
            self.0.write(sql, values![business.clone(), ids]).await?;
            let sql = sql!("DELETE FROM status_reports WHERE business_id = ?1 AND commit_id IN (SELECT value FROM json_each(?2))
                       AND (sent_revision = revision OR gave_up IS NOT NULL)
                       AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.business_id = ?1 AND d.commit_id = status_reports.commit_id)");
            self.0.write(sql, values![business, commits]).await?;
        }
        Ok(count)
    }

    /// What became of the last delivery that moved a branch to a commit, and the place of the push that it asked for.
    pub async fn moved_to(
        &mut self,
        business: &Id,
        branch: &str,
        commit: &str,
    ) -> StoreResult<Option<(DeliveryOutcome, Option<u64>)>> {
        let sql = sql!(
            "SELECT d.outcome, p.position FROM deliveries d
                   LEFT JOIN pushes p ON p.business_id = d.business_id AND p.build_id = d.build_id
                   WHERE d.business_id = ?1 AND d.branch = ?2 AND d.commit_id = ?3 ORDER BY d.id DESC LIMIT 1"
        );
        let values = values![business.clone(), branch.to_owned(), commit.to_owned()];
        self.one(sql, values, |row| Ok((row.get("outcome")?, row.get("position")?))).await
    }

    /// Whether a commit of a branch was found good since a moment: built and published or compared, or unchanged since such a one.
    pub async fn is_commit_good(
        &mut self,
        business: &Id,
        branch: &str,
        commit: &str,
        since: Timestamp,
    ) -> StoreResult<bool> {
        let sql = sql!("SELECT p.build_id AS id FROM pushes p WHERE p.business_id = ?1 AND p.branch = ?2 AND p.commit_id = ?3
                   AND p.created_at >= ?5 AND p.outcome IN ('published', 'compared')
                   UNION ALL SELECT d.id FROM deliveries d WHERE d.business_id = ?1 AND d.branch = ?2 AND d.commit_id = ?3
                   AND d.received_at >= ?5 AND d.outcome = ?4 LIMIT 1");
        let values = values![business.clone(), branch.to_owned(), commit.to_owned(), DeliveryOutcome::Unchanged, since];
        Ok(self.one(sql, values, |row| row.get::<Id>("id")).await?.is_some())
    }
}
