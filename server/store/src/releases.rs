//! Builds, releases and their projections.

use crate::error::{StoreError, StoreResult};
use crate::records::{Build, BuildResult, Id, Progress, Release, ReleaseEntry, StoredFailure, StoredProjection};
use crate::statement::{Statement, rows_sql, sql};
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;
use jiff::Timestamp;

static BUILD: &Statement =
    sql!("SELECT id, business_id, base_hash, files, attempts, leased_until, ir_hash, ir, diagnostics, failure, failure_message, created_at,
                     commit_id, trace FROM builds WHERE business_id = ?1 AND id = ?2");

fn build(row: &mut Row) -> StoreResult<Build> {
    let (id, business, base_hash) = (row.get("id")?, row.get("business_id")?, row.get("base_hash")?);
    let (files, attempts, leased_until) =
        (row.get::<Option<String>>("files")?, row.get("attempts")?, row.get("leased_until")?);
    let (ir_hash, ir, diagnostics) = (row.get("ir_hash")?, row.get("ir")?, row.get::<Option<String>>("diagnostics")?);
    let failure = row.get::<Option<String>>("failure")?.zip(row.get::<Option<String>>("failure_message")?);
    let failure = failure.map(|(code, message)| StoredFailure { code, message });
    let progress = match diagnostics {
        None => Progress::Waiting { files, attempts, leased_until },
        Some(diagnostics) => Progress::Ended(BuildResult { ir_hash, ir, diagnostics, failure }),
    };
    Ok(Build {
        id,
        business,
        base_hash,
        progress,
        created_at: row.get("created_at")?,
        commit: row.get("commit_id")?,
        trace: row.get("trace")?,
    })
}

fn release(row: &mut Row) -> StoreResult<Release> {
    Ok(Release {
        id: row.get("id")?,
        business: row.get("business_id")?,
        build: row.get("build_id")?,
        ir_hash: row.get("ir_hash")?,
        ir: row.get("ir")?,
        activated_at: row.get("activated_at")?,
    })
}

macro_rules! projection_sql {
    ($rest:literal) => {
        concat!("SELECT release_id, plan, version, plan_hash, body, hash FROM projections ", $rest)
    };
}

fn projection(row: &mut Row) -> StoreResult<StoredProjection> {
    Ok(StoredProjection {
        release: row.get("release_id")?,
        plan: row.get("plan")?,
        version: row.get("version")?,
        plan_hash: row.get("plan_hash")?,
        body: row.get("body")?,
        hash: row.get("hash")?,
    })
}

macro_rules! release_entry_sql {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.build_id, r.ir_hash, r.activated_at, CAST(CASE WHEN a.release_id = r.id THEN 1 ELSE 0 END AS BIGINT) AS is_active ",
            "FROM releases r LEFT JOIN active_releases a ON a.business_id = r.business_id AND a.business_id = ?1 ",
            "WHERE r.business_id = ?1 ",
            $rest
        )
    };
}

fn release_entry(row: &mut Row) -> StoreResult<ReleaseEntry> {
    Ok(ReleaseEntry {
        id: row.get("id")?,
        build: row.get("build_id")?,
        ir_hash: row.get("ir_hash")?,
        activated_at: row.get("activated_at")?,
        is_active: row.get::<i64>("is_active")? != 0,
    })
}

impl<C: Connection> Tx<C> {
    /// Stores a build.
    pub async fn insert_build(&mut self, build: &Build) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO builds (id, business_id, base_hash, files, attempts, leased_until, ir_hash, ir, diagnostics,
                   failure, failure_message, created_at, commit_id, trace)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
        );
        let Build { id, business, base_hash, commit, progress, created_at, trace } = build.clone();
        let (files, attempts, leased_until, result) = match progress {
            Progress::Waiting { files, attempts, leased_until } => (files, attempts, leased_until, None),
            Progress::Ended(result) => (None, 1, None, Some(result)),
        };
        let diagnostics = result.as_ref().map(|result| result.diagnostics.clone());
        let (ir_hash, ir, failure) =
            result.map_or((None, None, None), |result| (result.ir_hash, result.ir, result.failure));
        let (failure, message) = failure.map(|failure| (failure.code, failure.message)).unzip();
        let values = values![
            id,
            business,
            base_hash,
            files,
            attempts,
            leased_until,
            ir_hash,
            ir,
            diagnostics,
            failure,
            message,
            created_at,
            commit,
            trace
        ];
        self.0.write(sql, values).await
    }

    /// The business's build of this id.
    pub async fn build(&mut self, business: &Id, id: &Id) -> StoreResult<Option<Build>> {
        self.one(BUILD, values![business.clone(), id.clone()], build).await
    }

    /// Whether a build of the business has ended; nothing where there is none of this id. Reads no sources.
    pub async fn build_is_ended(&mut self, business: &Id, id: &Id) -> StoreResult<Option<bool>> {
        let sql = sql!(
            "SELECT CAST(CASE WHEN diagnostics IS NULL THEN 0 ELSE 1 END AS BIGINT) AS is_ended FROM builds
                   WHERE business_id = ?1 AND id = ?2"
        );
        self.one(sql, values![business.clone(), id.clone()], |row| Ok(row.get::<i64>("is_ended")? != 0)).await
    }

    /// Takes a build that nobody works on, until `leased_until`: of the business with the fewest builds under way, the oldest. Two
    /// servers never take the same one.
    pub async fn take_build(&mut self, now: Timestamp, leased_until: Timestamp) -> StoreResult<Option<Build>> {
        let sql = sql!("SELECT b.business_id, b.id FROM builds b
                   WHERE b.diagnostics IS NULL AND b.files IS NOT NULL AND (b.leased_until IS NULL OR b.leased_until <= ?1)
                   ORDER BY (SELECT COUNT(*) FROM builds r WHERE r.diagnostics IS NULL AND r.business_id = b.business_id
                             AND r.leased_until > ?1), b.created_at, b.id
                   LIMIT 1 /*pg FOR UPDATE OF b SKIP LOCKED */");
        let found =
            self.one(sql, values![now], |row| Ok((row.get::<Id>("business_id")?, row.get::<Id>("id")?))).await?;
        let Some((business, id)) = found else { return Ok(None) };
        let sql = sql!("UPDATE builds SET leased_until = ?2, attempts = attempts + 1 WHERE id = ?1");
        self.0.write(sql, values![id.clone(), leased_until]).await?;
        self.build(&business, &id).await
    }

    /// Extends the lease of a build until `leased_until`, where this is still its attempt and it has not ended. Returns whether it is.
    pub async fn extend_build(&mut self, id: &Id, attempts: u32, leased_until: Timestamp) -> StoreResult<bool> {
        let sql = sql!("UPDATE builds SET leased_until = ?3 WHERE id = ?1 AND attempts = ?2 AND diagnostics IS NULL");
        Ok(self.0.execute(sql, values![id.clone(), attempts, leased_until]).await? > 0)
    }

    /// Gives a build that was taken back, as if it had not been.
    pub async fn return_build(&mut self, id: &Id) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE builds SET leased_until = NULL, attempts = attempts - 1
                   WHERE id = ?1 AND diagnostics IS NULL AND attempts > 0"
        );
        self.0.write(sql, values![id.clone()]).await
    }

    /// Gives a build the files of its commit. Returns whether it still waits for them.
    pub async fn fill_build(&mut self, id: &Id, files: String) -> StoreResult<bool> {
        let sql = sql!("UPDATE builds SET files = ?2 WHERE id = ?1 AND diagnostics IS NULL AND files IS NULL");
        Ok(self.0.execute(sql, values![id.clone(), files]).await? > 0)
    }

    /// Notes another release's hash as what a build means to replace.
    pub async fn rebase_build(&mut self, id: &Id, base_hash: Option<String>) -> StoreResult<()> {
        let sql = sql!("UPDATE builds SET base_hash = ?2 WHERE id = ?1");
        self.0.write(sql, values![id.clone(), base_hash]).await
    }

    /// Ends a build that no server works on, once. Returns whether it did.
    pub async fn end_waiting_build(&mut self, id: &Id, failure: StoredFailure, now: Timestamp) -> StoreResult<bool> {
        let sql = sql!("UPDATE builds SET files = NULL, leased_until = NULL, diagnostics = '[]', failure = ?2, failure_message = ?3
                   WHERE id = ?1 AND diagnostics IS NULL AND (leased_until IS NULL OR leased_until <= ?4)");
        let values = values![id.clone(), failure.code, failure.message, now];
        Ok(self.0.execute(sql, values).await? > 0)
    }

    /// Keeps the sources of a build that is about to end, until a moment, and of the business's others the newest `most`.
    pub async fn keep_sources(&mut self, business: &Id, id: &Id, until: Timestamp, most: u32) -> StoreResult<()> {
        let sql = sql!("INSERT INTO kept_sources (business_id, build_id, files, kept_until)
                   SELECT business_id, id, files, ?3 /*pg ::timestamptz */ FROM builds
                   WHERE business_id = ?1 AND id = ?2 AND diagnostics IS NULL AND files IS NOT NULL ON CONFLICT DO NOTHING");
        self.0.write(sql, values![business.clone(), id.clone(), until]).await?;
        let sql = sql!(
            "DELETE FROM kept_sources WHERE business_id = ?1 AND build_id NOT IN (
                       SELECT build_id FROM kept_sources WHERE business_id = ?1 ORDER BY build_id DESC LIMIT ?2)"
        );
        self.0.write(sql, values![business.clone(), i64::from(most)]).await
    }

    /// The sources of a build that are kept, as JSON.
    pub async fn kept_sources(&mut self, business: &Id, id: &Id, now: Timestamp) -> StoreResult<Option<String>> {
        let sql = sql!("SELECT files FROM kept_sources WHERE business_id = ?1 AND build_id = ?2 AND kept_until > ?3");
        self.one(sql, values![business.clone(), id.clone(), now], |row| row.get("files")).await
    }

    /// Forgets sources whose time is over. Returns of how many builds.
    pub async fn forget_sources(&mut self, now: Timestamp) -> StoreResult<u64> {
        self.0.execute(sql!("DELETE FROM kept_sources WHERE kept_until <= ?1"), values![now]).await
    }

    /// Ends a build, once: whoever comes later changes nothing. Returns whether it did.
    pub async fn end_build(&mut self, id: &Id, result: &BuildResult) -> StoreResult<bool> {
        let sql = sql!("UPDATE builds SET files = NULL, leased_until = NULL, ir_hash = ?2, ir = ?3, diagnostics = ?4, failure = ?5,
                   failure_message = ?6 WHERE id = ?1 AND diagnostics IS NULL");
        let BuildResult { ir_hash, ir, diagnostics, failure } = result.clone();
        let (failure, message) = failure.map(|failure| (failure.code, failure.message)).unzip();
        let values = values![id.clone(), ir_hash, ir, diagnostics, failure, message];
        Ok(self.0.execute(sql, values).await? > 0)
    }

    /// How many builds wait or are under way: of one business; or of all, those left out whose commit is still to be fetched, since they
    /// wait for a stranger's forge and not for a builder.
    pub async fn builds_waiting(&mut self, business: Option<&Id>) -> StoreResult<u64> {
        let count = match business {
            Some(business) => {
                let sql = sql!("SELECT COUNT(*) AS count FROM builds WHERE diagnostics IS NULL AND business_id = ?1");
                self.one(sql, values![business.clone()], |row| row.get("count")).await?
            }
            None => {
                self.one(
                    sql!("SELECT COUNT(*) AS count FROM builds WHERE diagnostics IS NULL AND files IS NOT NULL"),
                    values![],
                    |row| row.get("count"),
                )
                .await?
            }
        };
        count.ok_or_else(|| StoreError::Row("a count returned no row".to_owned()))
    }

    /// Stores a release and its projections.
    pub async fn insert_release(&mut self, release: &Release, projections: &[StoredProjection]) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO releases (id, business_id, build_id, ir_hash, ir, activated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        );
        let Release { id, business, build, ir_hash, ir, activated_at } = release.clone();
        self.0.write(sql, values![id, business.clone(), build, ir_hash, ir, activated_at]).await?;
        let sql = rows_sql!("INSERT INTO projections (release_id, plan, business_id, version, plan_hash, body, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", text text text int8 text text text);
        let row = |projection: &StoredProjection| {
            let StoredProjection { release, plan, version, plan_hash, body, hash } = projection.clone();
            values![release, plan, business.clone(), version, plan_hash, body, hash]
        };
        self.0.write_rows(sql, projections.iter().map(row).collect()).await
    }

    /// Makes a release the one that new subscriptions get.
    pub async fn activate(&mut self, business: &Id, release: &Id) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO active_releases (business_id, release_id) VALUES (?1, ?2)
                   ON CONFLICT (business_id) DO UPDATE SET release_id = excluded.release_id"
        );
        self.0.write(sql, values![business.clone(), release.clone()]).await
    }

    /// The release that new subscriptions get.
    pub async fn active_release(&mut self, business: &Id) -> StoreResult<Option<Release>> {
        let sql = sql!(
            "SELECT r.id, r.business_id, r.build_id, r.ir_hash, r.ir, r.activated_at
                   FROM active_releases a JOIN releases r ON r.business_id = a.business_id AND r.id = a.release_id
                   WHERE a.business_id = ?1 AND r.business_id = ?1"
        );
        self.one(sql, values![business.clone()], release).await
    }

    /// The release of this id.
    pub async fn release(&mut self, business: &Id, id: &Id) -> StoreResult<Option<Release>> {
        let sql = sql!(
            "SELECT id, business_id, build_id, ir_hash, ir, activated_at FROM releases WHERE business_id = ?1 AND id = ?2"
        );
        self.one(sql, values![business.clone(), id.clone()], release).await
    }

    /// A release's view of a plan.
    pub async fn projection(
        &mut self,
        business: &Id,
        release: &Id,
        plan: &str,
    ) -> StoreResult<Option<StoredProjection>> {
        let sql = sql!(projection_sql!("WHERE business_id = ?1 AND release_id = ?2 AND plan = ?3"));
        self.one(sql, values![business.clone(), release.clone(), plan.to_owned()], projection).await
    }

    /// An activated release's view of a plan; nothing when the release was never activated or does not have it.
    pub async fn served_projection(
        &mut self,
        business: &Id,
        release: &Id,
        plan: &str,
    ) -> StoreResult<Option<StoredProjection>> {
        let sql = sql!("SELECT p.release_id, p.plan, p.version, p.plan_hash, p.body, p.hash
                   FROM projections p JOIN releases r ON r.business_id = p.business_id AND r.id = p.release_id
                   WHERE p.business_id = ?1 AND r.business_id = ?1 AND p.release_id = ?2 AND p.plan = ?3 AND r.activated_at IS NOT NULL");
        self.one(sql, values![business.clone(), release.clone(), plan.to_owned()], projection).await
    }

    /// The newest version of a plan that the business ever released, in the newest release that has it.
    pub async fn newest_version(&mut self, business: &Id, plan: &str) -> StoreResult<Option<StoredProjection>> {
        let sql = sql!(projection_sql!(
            "WHERE business_id = ?1 AND plan = ?2 ORDER BY version DESC, release_id DESC LIMIT 1"
        ));
        self.one(sql, values![business.clone(), plan.to_owned()], projection).await
    }

    /// A version of a plan, in the newest release that has it.
    pub async fn version(&mut self, business: &Id, plan: &str, version: u32) -> StoreResult<Option<StoredProjection>> {
        let sql = sql!(projection_sql!(
            "WHERE business_id = ?1 AND plan = ?2 AND version = ?3 ORDER BY release_id DESC LIMIT 1"
        ));
        self.one(sql, values![business.clone(), plan.to_owned(), version], projection).await
    }

    /// The plans and versions that the business ever released, each with the first release that has it, by plan and version: `most` of
    /// those that follow one.
    pub async fn plan_versions(
        &mut self,
        business: &Id,
        (plan, version): (&str, u32),
        most: u32,
    ) -> StoreResult<Vec<(String, u32, Id)>> {
        let sql = sql!(
            "SELECT plan, version, MIN(release_id) AS release_id FROM projections
                   WHERE business_id = ?1 AND (plan > ?2 OR plan = ?2 AND version > ?3)
                   GROUP BY plan, version ORDER BY plan, version LIMIT ?4"
        );
        let values = values![business.clone(), plan.to_owned(), version, most];
        self.all(sql, values, |row| Ok((row.get("plan")?, row.get("version")?, row.get("release_id")?))).await
    }

    /// The business's releases, the newest first: `most` of those before `before`, or of all.
    pub async fn releases(&mut self, business: &Id, before: Option<&str>, most: u32) -> StoreResult<Vec<ReleaseEntry>> {
        match before {
            Some(before) => {
                let sql = sql!(release_entry_sql!("AND r.id < ?2 ORDER BY r.id DESC LIMIT ?3"));
                self.all(sql, values![business.clone(), before.to_owned(), most], release_entry).await
            }
            None => {
                let sql = sql!(release_entry_sql!("ORDER BY r.id DESC LIMIT ?2"));
                self.all(sql, values![business.clone(), most], release_entry).await
            }
        }
    }

    /// How many live subscriptions each plan and version has.
    pub async fn subscriber_counts(&mut self, business: &Id) -> StoreResult<Vec<(String, u32, u64)>> {
        let sql =
            sql!("SELECT plan, plan_version, COUNT(*) AS count FROM subscriptions WHERE business_id = ?1 AND cancelled_at IS NULL
                   GROUP BY plan, plan_version ORDER BY plan, plan_version");
        self.all(sql, values![business.clone()], |row| {
            Ok((row.get("plan")?, row.get("plan_version")?, row.get("count")?))
        })
        .await
    }
}
