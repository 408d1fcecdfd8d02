//! Businesses, and answers that were given.

use crate::error::StoreResult;
use crate::records::{Business, Id, IdempotentAnswer};
use crate::statement::sql;
use crate::transaction::{Connection, Inserted, Tx, inserted};
use crate::value::Row;
use crate::value::values;
use jiff::Timestamp;

fn business(row: &mut Row) -> StoreResult<Business> {
    Ok(Business { id: row.get("id")?, name: row.get("name")?, created_at: row.get("created_at")? })
}

impl<C: Connection> Tx<C> {
    /// Stores a business.
    pub async fn insert_business(&mut self, business: &Business) -> StoreResult<()> {
        let sql = sql!("INSERT INTO businesses (id, name, created_at) VALUES (?1, ?2, ?3)");
        let Business { id, name, created_at } = business.clone();
        self.0.write(sql, values![id, name, created_at]).await
    }

    /// The business of this id.
    pub async fn business(&mut self, id: &Id) -> StoreResult<Option<Business>> {
        let sql = sql!("SELECT id, name, created_at FROM businesses WHERE id = ?1");
        self.one(sql, values![id.clone()], business).await
    }

    /// The business of this id, which nobody else locks until the end: publishing, subscribing and migrating take turns.
    pub async fn lock_business(&mut self, id: &Id) -> StoreResult<Option<Business>> {
        let sql = sql!("SELECT id, name, created_at FROM businesses WHERE id = ?1 /*pg FOR NO KEY UPDATE */");
        self.one(sql, values![id.clone()], business).await
    }

    /// The answer that was given in this scope under this key.
    pub async fn remembered(&mut self, business: &Id, scope: &str, key: &str) -> StoreResult<Option<IdempotentAnswer>> {
        let sql = sql!("SELECT fingerprint, answer FROM remembered WHERE business_id = ?1 AND scope = ?2 AND key = ?3");
        self.one(sql, values![business.clone(), scope.to_owned(), key.to_owned()], |row| {
            Ok(IdempotentAnswer { fingerprint: row.get("fingerprint")?, answer: row.get("answer")? })
        })
        .await
    }

    /// Stores an answer, unless one is there.
    pub async fn remember(
        &mut self,
        business: &Id,
        scope: &str,
        key: &str,
        answer: &IdempotentAnswer,
        now: Timestamp,
    ) -> StoreResult<Inserted> {
        let sql = sql!(
            "INSERT INTO remembered (business_id, scope, key, fingerprint, answer, at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING"
        );
        let IdempotentAnswer { fingerprint, answer } = answer.clone();
        let values = values![business.clone(), scope.to_owned(), key.to_owned(), fingerprint, answer, now];
        Ok(inserted(self.0.execute(sql, values).await?))
    }
}
