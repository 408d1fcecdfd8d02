//! Migrations of plans, and each subscription's transition.

use crate::error::StoreResult;
use crate::records::{Id, Migration, MigrationPolicy, SubscriptionKey, Transition, TransitionState};
use crate::statement::{rows_sql, sql};
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;

macro_rules! migration_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, business_id, plan, from_version, to_version, to_release, policy, proration, complete_by, created_at, keeps_fee ",
            "FROM migrations WHERE business_id = ?1 ",
            $rest
        )
    };
}

fn migration(row: &mut Row) -> StoreResult<Migration> {
    let mut migration = Migration {
        id: row.get("id")?,
        business: row.get("business_id")?,
        plan: row.get("plan")?,
        from_version: row.get("from_version")?,
        to_version: row.get("to_version")?,
        to_release: row.get("to_release")?,
        policy: row.get("policy")?,
        proration: row.get("proration")?,
        complete_by: row.get("complete_by")?,
        created_at: row.get("created_at")?,
    };
    if row.get::<Option<bool>>("keeps_fee")?.unwrap_or_default() {
        migration.policy = MigrationPolicy::Additions;
    }
    Ok(migration)
}

fn transition(row: &mut Row) -> StoreResult<Transition> {
    let subscription = SubscriptionKey { business: row.get("business_id")?, id: row.get("subscription_id")? };
    Ok(Transition {
        subscription,
        id: row.get("id")?,
        migration: row.get("migration_id")?,
        to_release: row.get("to_release")?,
        to_plan: row.get("to_plan")?,
        proration: row.get("proration")?,
        due_at: row.get("due_at")?,
        state: row.get("state")?,
        keeps_fee: row.get::<Option<bool>>("keeps_fee")?.unwrap_or_default(),
    })
}

impl<C: Connection> Tx<C> {
    /// Stores a migration and its transitions; those that were open for the same subscriptions are superseded.
    pub async fn insert_migration(&mut self, migration: &Migration, transitions: &[Transition]) -> StoreResult<()> {
        let sql = sql!("INSERT INTO migrations (id, business_id, plan, from_version, to_version, to_release, policy, proration, complete_by, created_at, keeps_fee)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
        let m = migration.clone();
        // The table knows the policies of before: additions are made at once, and keep the fee.
        let keeps_fee = (m.policy == MigrationPolicy::Additions).then_some(true);
        let policy = if keeps_fee.is_some() { MigrationPolicy::Immediate } else { m.policy };
        let values = values![
            m.id,
            m.business,
            m.plan,
            m.from_version,
            m.to_version,
            m.to_release,
            policy,
            m.proration,
            m.complete_by,
            m.created_at,
            keeps_fee,
        ];
        self.0.write(sql, values).await?;
        self.insert_transitions(&migration.business, transitions).await
    }

    /// Stores transitions; those that were open for the same subscriptions are superseded.
    pub async fn insert_transitions(&mut self, business: &Id, transitions: &[Transition]) -> StoreResult<()> {
        let ids: Vec<String> = transitions.iter().map(|transition| transition.subscription.id.to_string()).collect();
        let sql = sql!(
            "UPDATE transitions SET state = 'superseded' WHERE business_id = ?1
                   AND state IN ('offered', 'pending') AND subscription_id IN (SELECT value FROM json_each(?2))"
        );
        self.0.write(sql, values![business.clone(), ids]).await?;
        let sql = rows_sql!("INSERT INTO transitions (business_id, id, migration_id, subscription_id, to_release, to_plan, proration, due_at, state, keeps_fee)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", text text text text text text text timestamptz text int8);
        let row = |transition: &Transition| {
            let t = transition.clone();
            values![
                t.subscription.business,
                t.id,
                t.migration,
                t.subscription.id,
                t.to_release,
                t.to_plan,
                t.proration,
                t.due_at,
                t.state,
                t.keeps_fee.then_some(true)
            ]
        };
        self.0.write_rows(sql, transitions.iter().map(row).collect()).await
    }

    /// The subscription's transition that has not ended.
    pub async fn open_transition(&mut self, subscription: &SubscriptionKey) -> StoreResult<Option<Transition>> {
        let sql =
            sql!("SELECT business_id, subscription_id, id, migration_id, to_release, to_plan, proration, due_at, state, keeps_fee FROM transitions
                   WHERE business_id = ?1 AND subscription_id = ?2 AND state IN ('offered', 'pending')");
        self.one(sql, values![subscription.business.clone(), subscription.id.clone()], transition).await
    }

    /// Changes a transition's due moment and state.
    pub async fn update_transition(&mut self, transition: &Transition) -> StoreResult<()> {
        let sql = sql!("UPDATE transitions SET due_at = ?3, state = ?4 WHERE business_id = ?1 AND id = ?2");
        self.0
            .write(
                sql,
                values![
                    transition.subscription.business.clone(),
                    transition.id.clone(),
                    transition.due_at,
                    transition.state
                ],
            )
            .await
    }

    /// The business's migrations, the newest first: `most` of those before `before`, or of all.
    pub async fn migrations(&mut self, business: &Id, before: Option<&str>, most: u32) -> StoreResult<Vec<Migration>> {
        match before {
            Some(before) => {
                let sql = sql!(migration_sql!("AND id < ?2 ORDER BY id DESC LIMIT ?3"));
                self.all(sql, values![business.clone(), before.to_owned(), most], migration).await
            }
            None => {
                self.all(sql!(migration_sql!("ORDER BY id DESC LIMIT ?2")), values![business.clone(), most], migration)
                    .await
            }
        }
    }

    /// How many transitions of each of these migrations are in which state.
    pub async fn transition_counts(
        &mut self,
        business: &Id,
        migrations: &[Migration],
    ) -> StoreResult<Vec<(Id, TransitionState, u64)>> {
        let ids: Vec<String> = migrations.iter().map(|migration| migration.id.to_string()).collect();
        let sql = sql!(
            "SELECT migration_id, state, COUNT(*) AS count FROM transitions
                   WHERE business_id = ?1 AND migration_id IN (SELECT value FROM json_each(?2))
                   GROUP BY migration_id, state ORDER BY migration_id, state"
        );
        self.all(sql, values![business.clone(), ids], |row| {
            Ok((row.get("migration_id")?, row.get("state")?, row.get("count")?))
        })
        .await
    }
}
