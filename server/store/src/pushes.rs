//! Builds that pushes asked for, and what commits' statuses are to say.

use crate::error::StoreResult;
use crate::records::{Id, Push, PushOutcome, ReportState, StatusReport};
use crate::statement::sql;
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;
use jiff::Timestamp;

macro_rules! push_sql {
    ($rest:literal) => {
        concat!(
            "SELECT business_id, build_id, position, branch, commit_id, before_id, files_url, committed_at, publishes, state, rebuilds,
             attempts, due_at, outcome, summary, excerpts, created_at,
             (SELECT b.trace FROM builds b WHERE b.id = pushes.build_id) AS trace FROM pushes WHERE business_id = ?1 ",
            $rest
        )
    };
}

fn push(row: &mut Row) -> StoreResult<Push> {
    Ok(Push {
        business: row.get("business_id")?,
        build: row.get("build_id")?,
        position: row.get("position")?,
        branch: row.get("branch")?,
        commit: row.get("commit_id")?,
        before: row.get("before_id")?,
        files_url: row.get("files_url")?,
        committed_at: row.get("committed_at")?,
        publishes: row.get("publishes")?,
        state: row.get("state")?,
        rebuilds: row.get("rebuilds")?,
        attempts: row.get("attempts")?,
        due_at: row.get("due_at")?,
        outcome: row.get("outcome")?,
        summary: row.get("summary")?,
        excerpts: row.get("excerpts")?,
        created_at: row.get("created_at")?,
        trace: row.get("trace")?,
    })
}

fn report(row: &mut Row) -> StoreResult<StatusReport> {
    Ok(StatusReport {
        business: row.get("business_id")?,
        commit: row.get("commit_id")?,
        context: row.get("context")?,
        build: row.get("build_id")?,
        state: row.get("state")?,
        description: row.get("description")?,
        revision: row.get("revision")?,
        attempts: row.get("attempts")?,
        trace: row.get("trace")?,
    })
}

impl<C: Connection> Tx<C> {
    /// Stores a push, and makes it the last one of its source.
    pub async fn insert_push(&mut self, push: &Push) -> StoreResult<()> {
        let sql = sql!("INSERT INTO pushes (business_id, build_id, position, branch, commit_id, before_id, files_url, committed_at, publishes, state,
                   rebuilds, attempts, due_at, outcome, summary, excerpts, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)");
        let Push { business, build, position, branch, commit, before, files_url, committed_at, publishes, .. } =
            push.clone();
        let Push { state, rebuilds, attempts, due_at, outcome, summary, excerpts, created_at, .. } = push.clone();
        let values = values![
            business.clone(),
            build,
            position,
            branch,
            commit,
            before,
            files_url,
            committed_at,
            publishes,
            state,
            rebuilds,
            attempts,
            due_at,
            outcome,
            summary,
            excerpts,
            created_at
        ];
        self.0.write(sql, values).await?;
        let sql = sql!("UPDATE sources SET position = ?2 WHERE business_id = ?1");
        self.0.write(sql, values![business, position]).await
    }

    /// The push that asked for a build.
    pub async fn push(&mut self, business: &Id, build: &Id) -> StoreResult<Option<Push>> {
        self.one(sql!(push_sql!("AND build_id = ?2")), values![business.clone(), build.clone()], push).await
    }

    /// The push that asked for a build, which nobody else locks until the end.
    pub async fn lock_push(&mut self, business: &Id, build: &Id) -> StoreResult<Option<Push>> {
        let sql = sql!(push_sql!("AND build_id = ?2 /*pg FOR NO KEY UPDATE */"));
        self.one(sql, values![business.clone(), build.clone()], push).await
    }

    /// The pushes of a branch that have not ended, oldest first.
    pub async fn open_pushes(&mut self, business: &Id, branch: &str) -> StoreResult<Vec<Push>> {
        let sql = sql!(push_sql!("AND branch = ?2 AND state IN ('waiting', 'building') ORDER BY position"));
        self.all(sql, values![business.clone(), branch.to_owned()], push).await
    }

    /// The position of a business's last push; 0 where there is none.
    pub async fn last_position(&mut self, business: &Id) -> StoreResult<u64> {
        let sql = sql!(push_sql!("ORDER BY position DESC LIMIT 1"));
        Ok(self.one(sql, values![business.clone()], push).await?.map_or(0, |push| push.position))
    }

    /// Takes a push whose next step is due and that nobody works on, until `leased_until`: of the business with the fewest steps under
    /// way, fewer than `most`, the oldest.
    pub async fn take_push(&mut self, now: Timestamp, leased_until: Timestamp, most: u32) -> StoreResult<Option<Push>> {
        let sql = sql!("SELECT p.business_id, p.build_id FROM pushes p
                   WHERE p.state IN ('waiting', 'ended') AND p.due_at <= ?1
                   AND (p.leased_until IS NULL OR p.leased_until <= ?1)
                   AND (SELECT COUNT(*) FROM pushes r WHERE r.state IN ('waiting', 'ended') AND r.business_id = p.business_id
                        AND r.leased_until > ?1) < ?2
                   ORDER BY (SELECT COUNT(*) FROM pushes r WHERE r.state IN ('waiting', 'ended')
                             AND r.business_id = p.business_id AND r.leased_until > ?1), p.due_at, p.build_id
                   LIMIT 1 /*pg FOR UPDATE OF p SKIP LOCKED */");
        let found = self.one(sql, values![now, i64::from(most)], |row| {
            Ok((row.get::<Id>("business_id")?, row.get::<Id>("build_id")?))
        });
        let Some((business, build)) = found.await? else { return Ok(None) };
        let sql = sql!(
            "UPDATE pushes SET leased_until = ?3, attempts = attempts + 1 WHERE business_id = ?1 AND build_id = ?2"
        );
        self.0.write(sql, values![business.clone(), build.clone(), leased_until]).await?;
        self.push(&business, &build).await
    }

    /// Leaves a push's step for later.
    pub async fn postpone_push(&mut self, business: &Id, build: &Id, due_at: Timestamp) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE pushes SET leased_until = NULL, due_at = ?3
                   WHERE business_id = ?1 AND build_id = ?2 AND state <> 'done'"
        );
        self.0.write(sql, values![business.clone(), build.clone(), due_at]).await
    }

    /// Lets a push's build into the queue of builds: its files are there.
    pub async fn push_is_fetched(&mut self, business: &Id, build: &Id) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE pushes SET state = 'building', leased_until = NULL, attempts = 0
                   WHERE business_id = ?1 AND build_id = ?2 AND state = 'waiting'"
        );
        self.0.write(sql, values![business.clone(), build.clone()]).await
    }

    /// Notes that a push's build ended, with what the command line would show. Returns whether the build is a push's.
    pub async fn push_is_built(&mut self, build: &Id, excerpts: Option<String>, now: Timestamp) -> StoreResult<bool> {
        let sql = sql!(
            "UPDATE pushes SET state = 'ended', leased_until = NULL, attempts = 0, due_at = ?3, excerpts = ?2
                   WHERE build_id = ?1 AND state IN ('waiting', 'building')
                   AND business_id = (SELECT business_id FROM builds WHERE id = ?1)"
        );
        Ok(self.0.execute(sql, values![build.clone(), excerpts, now]).await? > 0)
    }

    /// Notes that a push is built once more.
    pub async fn count_rebuild(&mut self, business: &Id, build: &Id, now: Timestamp) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE pushes SET rebuilds = rebuilds + 1, leased_until = NULL, attempts = 0, due_at = ?3
                   WHERE business_id = ?1 AND build_id = ?2"
        );
        self.0.write(sql, values![business.clone(), build.clone(), now]).await
    }

    /// Notes what a push came to. It is done then.
    pub async fn conclude_push(
        &mut self,
        business: &Id,
        build: &Id,
        outcome: PushOutcome,
        summary: &str,
    ) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE pushes SET state = 'done', leased_until = NULL, outcome = ?3, summary = ?4
                   WHERE business_id = ?1 AND build_id = ?2"
        );
        self.0.write(sql, values![business.clone(), build.clone(), outcome, summary.to_owned()]).await
    }

    /// Has a commit's status say something else; whatever it was to say before need not be sent any more.
    pub async fn report(&mut self, report: &StatusReport, now: Timestamp) -> StoreResult<()> {
        let sql = sql!("INSERT INTO status_reports (business_id, commit_id, context, build_id, state, description, revision, sent_revision,
                   attempts, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 0, 0, ?7)
                   ON CONFLICT (business_id, commit_id, context) DO UPDATE SET build_id = excluded.build_id,
                   state = excluded.state, description = excluded.description, revision = status_reports.revision + 1,
                   attempts = 0, due_at = excluded.due_at, gave_up = NULL");
        let StatusReport { business, commit, context, build, state, description, .. } = report.clone();
        self.0.execute(sql, values![business, commit, context, build, state, description, now]).await?;
        Ok(())
    }

    /// Takes a report that is due and that nobody sends, until `leased_until`: of the business with the fewest under way, fewer than
    /// `most`, the oldest.
    pub async fn take_report(
        &mut self,
        now: Timestamp,
        leased_until: Timestamp,
        most: u32,
    ) -> StoreResult<Option<StatusReport>> {
        let sql = sql!("SELECT s.business_id, s.commit_id, s.context, s.build_id, s.state, s.description, s.revision, s.attempts + 1 AS attempts,
                   (SELECT b.trace FROM builds b WHERE b.id = s.build_id) AS trace
                   FROM status_reports s
                   WHERE s.sent_revision < s.revision AND s.gave_up IS NULL AND s.due_at <= ?1
                   AND (s.leased_until IS NULL OR s.leased_until <= ?1)
                   AND (SELECT COUNT(*) FROM status_reports r WHERE r.sent_revision < r.revision AND r.gave_up IS NULL
                        AND r.business_id = s.business_id AND r.leased_until > ?1) < ?2
                   ORDER BY (SELECT COUNT(*) FROM status_reports r WHERE r.sent_revision < r.revision AND r.gave_up IS NULL
                             AND r.business_id = s.business_id AND r.leased_until > ?1), s.due_at, s.commit_id, s.context
                   LIMIT 1 /*pg FOR UPDATE OF s SKIP LOCKED */");
        let Some(found) = self.one(sql, values![now, i64::from(most)], report).await? else { return Ok(None) };
        let sql = sql!(
            "UPDATE status_reports SET leased_until = ?4, attempts = attempts + 1
                   WHERE business_id = ?1 AND commit_id = ?2 AND context = ?3"
        );
        let StatusReport { business, commit, context, .. } = found.clone();
        self.0.write(sql, values![business, commit, context, leased_until]).await?;
        Ok(Some(found))
    }

    /// Notes that a revision of a report was sent. A newer one is still to be.
    pub async fn report_is_sent(&mut self, report: &StatusReport) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE status_reports SET leased_until = NULL, sent_revision = ?4
                   WHERE business_id = ?1 AND commit_id = ?2 AND context = ?3 AND sent_revision < ?4"
        );
        let StatusReport { business, commit, context, revision, .. } = report.clone();
        self.0.write(sql, values![business, commit, context, revision]).await
    }

    /// Leaves a report for later, unless it has something newer to say, which is due.
    pub async fn postpone_report(&mut self, report: &StatusReport, due_at: Timestamp) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE status_reports SET leased_until = NULL,
                   due_at = CASE WHEN revision = ?4 THEN ?5 ELSE due_at END
                   WHERE business_id = ?1 AND commit_id = ?2 AND context = ?3"
        );
        let StatusReport { business, commit, context, revision, .. } = report.clone();
        self.0.write(sql, values![business, commit, context, revision, due_at]).await
    }

    /// Gives a report up, unless it has something newer to say.
    pub async fn give_report_up(&mut self, report: &StatusReport, why: &str) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE status_reports SET leased_until = NULL, gave_up = CASE WHEN revision = ?4 THEN ?5 ELSE gave_up END
                   WHERE business_id = ?1 AND commit_id = ?2 AND context = ?3"
        );
        let StatusReport { business, commit, context, revision, .. } = report.clone();
        self.0.write(sql, values![business, commit, context, revision, why.to_owned()]).await
    }

    /// What a commit's statuses say and whether that was sent: context, state, description, sent, why it was given up.
    pub async fn reports(
        &mut self,
        business: &Id,
        commit: &str,
    ) -> StoreResult<Vec<(String, ReportState, String, bool, Option<String>)>> {
        let sql = sql!(
            "SELECT context, state, description,
                   CAST(CASE WHEN sent_revision = revision THEN 1 ELSE 0 END AS BIGINT) AS is_sent, gave_up
                   FROM status_reports WHERE business_id = ?1 AND commit_id = ?2 ORDER BY context"
        );
        let read = |row: &mut Row| {
            Ok((
                row.get("context")?,
                row.get("state")?,
                row.get("description")?,
                row.get("is_sent")?,
                row.get("gave_up")?,
            ))
        };
        self.all(sql, values![business.clone(), commit.to_owned()], read).await
    }
}
