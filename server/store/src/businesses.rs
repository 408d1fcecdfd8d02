//! Businesses, tokens, what tokens used of their rate limit, and answers that were given.

use crate::error::{StoreError, StoreResult};
use crate::records::{Business, Id, IdempotentAnswer, Token, TokenScope};
use crate::transaction::{Connection, Inserted, Tx, inserted};
use crate::value::Row;
use crate::value::values;
use jiff::Timestamp;

fn business(row: &mut Row) -> StoreResult<Business> {
    Ok(Business { id: row.get()?, name: row.get()?, created_at: row.get()? })
}

impl<C: Connection> Tx<C> {
    /// Stores a business.
    pub async fn insert_business(&mut self, business: &Business) -> StoreResult<()> {
        let sql = "INSERT INTO businesses (id, name, created_at) VALUES (?1, ?2, ?3)";
        let Business { id, name, created_at } = business.clone();
        self.0.write(sql, vec![values![id, name, created_at]]).await
    }

    /// The business of this id.
    pub async fn business(&mut self, id: &Id) -> StoreResult<Option<Business>> {
        let sql = "SELECT id, name, created_at FROM businesses WHERE id = ?1";
        self.one(sql, values![id.clone()], business).await
    }

    /// The business of this id, which nobody else locks until the end: publishing, subscribing and migrating take turns.
    pub async fn lock_business(&mut self, id: &Id) -> StoreResult<Option<Business>> {
        let sql = "SELECT id, name, created_at FROM businesses WHERE id = ?1 /*pg FOR NO KEY UPDATE */";
        self.one(sql, values![id.clone()], business).await
    }

    /// Stores a token.
    pub async fn insert_token(&mut self, token: &Token) -> StoreResult<()> {
        let (kind, subject) = (token.scope.kind().to_owned(), token.scope.subject().map(str::to_owned));
        let sql = "INSERT INTO tokens (hash, business_id, kind, subject, created_at, expires_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let values = values![token.hash, token.business.clone(), kind, subject, token.created_at, token.expires_at];
        self.0.write(sql, vec![values]).await
    }

    /// The token of this hash.
    pub async fn token(&mut self, hash: &[u8; 32]) -> StoreResult<Option<Token>> {
        let sql = "SELECT hash, business_id, COALESCE(kind, CASE WHEN subject IS NULL THEN 'deploy' ELSE 'portal' END), subject,
                   created_at, expires_at FROM tokens WHERE hash = ?1";
        self.one(sql, values![*hash], |row| {
            let (hash, business, kind) = (row.get()?, row.get()?, row.get::<String>()?);
            let unknown = || StoreError::Database(format!("a token's kind {kind:?} is not one of this program's"));
            let scope = TokenScope::of(&kind, row.get()?).ok_or_else(unknown)?;
            Ok(Token { hash, business, scope, created_at: row.get()?, expires_at: row.get()? })
        })
        .await
    }

    /// The answer that was given in this scope under this key.
    pub async fn remembered(&mut self, business: &Id, scope: &str, key: &str) -> StoreResult<Option<IdempotentAnswer>> {
        let sql = "SELECT fingerprint, answer FROM remembered WHERE business_id = ?1 AND scope = ?2 AND key = ?3";
        self.one(sql, values![business.clone(), scope.to_owned(), key.to_owned()], |row| {
            Ok(IdempotentAnswer { fingerprint: row.get()?, answer: row.get()? })
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
        let sql = "INSERT INTO remembered (business_id, scope, key, fingerprint, answer, at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";
        let IdempotentAnswer { fingerprint, answer } = answer.clone();
        let values = values![business.clone(), scope.to_owned(), key.to_owned(), fingerprint, answer, now];
        Ok(inserted(self.0.execute(sql, values).await?))
    }
}
