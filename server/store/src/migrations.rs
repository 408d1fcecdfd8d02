//! Migrations of plans, and each subscription's transition.

use crate::error::StoreResult;
use crate::records::{Id, Migration, Transition, TransitionState};
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;

fn migration(row: &mut Row) -> StoreResult<Migration> {
    Ok(Migration {
        id: row.get()?,
        business: row.get()?,
        plan: row.get()?,
        from_version: row.get()?,
        to_version: row.get()?,
        to_release: row.get()?,
        policy: row.get()?,
        proration: row.get()?,
        complete_by: row.get()?,
        created_at: row.get()?,
    })
}

fn transition(row: &mut Row) -> StoreResult<Transition> {
    Ok(Transition {
        id: row.get()?,
        migration: row.get()?,
        subscription: row.get()?,
        to_release: row.get()?,
        to_plan: row.get()?,
        proration: row.get()?,
        due_at: row.get()?,
        state: row.get()?,
    })
}

impl<C: Connection> Tx<C> {
    /// Stores a migration and its transitions; those that were open for the same subscriptions are superseded.
    pub async fn insert_migration(&mut self, migration: &Migration, transitions: &[Transition]) -> StoreResult<()> {
        let sql = "INSERT INTO migrations (id, business_id, plan, from_version, to_version, to_release, policy, proration, complete_by, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let m = migration.clone();
        let values = values![
            m.id,
            m.business,
            m.plan,
            m.from_version,
            m.to_version,
            m.to_release,
            m.policy,
            m.proration,
            m.complete_by,
            m.created_at,
        ];
        self.0.write(sql, vec![values]).await?;
        self.insert_transitions(transitions).await
    }

    /// Stores transitions; those that were open for the same subscriptions are superseded.
    pub async fn insert_transitions(&mut self, transitions: &[Transition]) -> StoreResult<()> {
        let ids: Vec<String> = transitions.iter().map(|transition| transition.subscription.to_string()).collect();
        let sql = "UPDATE transitions SET state = 'superseded' WHERE state IN ('offered', 'pending')
                   AND subscription_id IN (SELECT value FROM json_each(?1))";
        self.0.write(sql, vec![values![ids]]).await?;
        let sql =
            "INSERT INTO transitions (id, migration_id, subscription_id, to_release, to_plan, proration, due_at, state)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let row = |transition: &Transition| {
            let t = transition.clone();
            values![t.id, t.migration, t.subscription, t.to_release, t.to_plan, t.proration, t.due_at, t.state]
        };
        self.0.write(sql, transitions.iter().map(row).collect()).await
    }

    /// The subscription's transition that has not ended.
    pub async fn open_transition(&mut self, subscription: &Id) -> StoreResult<Option<Transition>> {
        let sql =
            "SELECT id, migration_id, subscription_id, to_release, to_plan, proration, due_at, state FROM transitions
                   WHERE subscription_id = ?1 AND state IN ('offered', 'pending')";
        self.one(sql, values![subscription.clone()], transition).await
    }

    /// Changes a transition's due moment and state.
    pub async fn update_transition(&mut self, transition: &Transition) -> StoreResult<()> {
        let sql = "UPDATE transitions SET due_at = ?2, state = ?3 WHERE id = ?1";
        self.0.write(sql, vec![values![transition.id.clone(), transition.due_at, transition.state]]).await
    }

    /// The business's migrations, oldest first.
    pub async fn migrations(&mut self, business: &Id) -> StoreResult<Vec<Migration>> {
        let sql = "SELECT id, business_id, plan, from_version, to_version, to_release, policy, proration, complete_by, created_at
                   FROM migrations WHERE business_id = ?1 ORDER BY id";
        self.all(sql, values![business.clone()], migration).await
    }

    /// How many transitions of each of the business's migrations are in which state.
    pub async fn transition_counts(&mut self, business: &Id) -> StoreResult<Vec<(Id, TransitionState, u64)>> {
        let sql =
            "SELECT t.migration_id, t.state, COUNT(*) FROM transitions t JOIN migrations m ON m.id = t.migration_id
                   WHERE m.business_id = ?1 GROUP BY t.migration_id, t.state ORDER BY t.migration_id, t.state";
        self.all(sql, values![business.clone()], |row| Ok((row.get()?, row.get()?, row.get()?))).await
    }
}
