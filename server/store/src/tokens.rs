//! Tokens, the keys that mark them, and the log of who did what.

use crate::error::{StoreError, StoreResult};
use crate::records::{AuditEntry, Id, Token, TokenScope};
use crate::statement::sql;
use crate::transaction::{Connection, Tx};
use crate::value::{Row, values};
use jiff::Timestamp;

/// What stands for the business of what is of none.
const NO_BUSINESS: &str = "";

/// Which tokens of a business to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenQuery {
    /// Those of one subject alone.
    pub subject: Option<String>,
    /// Those made before this one.
    pub before: Option<Id>,
    /// How many at most.
    pub limit: u32,
}

macro_rules! token_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, hash, business_id, COALESCE(kind, CASE WHEN subject IS NULL THEN 'deploy' ELSE 'portal' END) AS kind, subject, name, created_at, expires_at, last_used_at, revoked_at FROM tokens ",
            $rest
        )
    };
}

macro_rules! audit_sql {
    ($rest:literal) => {
        concat!(
            "SELECT business_id, id, at, actor_kind, actor, actor_name, action, target, detail
             FROM audit_log WHERE business_id = ?1 ",
            $rest
        )
    };
}

fn token(row: &mut Row) -> StoreResult<Token> {
    let (id, hash, business) = (row.get("id")?, row.get("hash")?, owner(row)?);
    let kind: String = row.get("kind")?;
    let unknown = || StoreError::Row(format!("a token's kind {kind:?} is not one of this program's"));
    let scope = TokenScope::of(&kind, row.get("subject")?).ok_or_else(unknown)?;
    Ok(Token {
        id,
        hash,
        business,
        scope,
        name: row.get("name")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
        last_used_at: row.get("last_used_at")?,
        revoked_at: row.get("revoked_at")?,
    })
}

/// The business in a column.
fn owner(row: &mut Row) -> StoreResult<Option<Id>> {
    let business: Id = row.get("business_id")?;
    Ok(Some(business).filter(|business| business.as_str() != NO_BUSINESS))
}

/// What stands in the column of a business.
fn column(business: Option<&Id>) -> Id {
    business.cloned().unwrap_or_else(|| Id::named(NO_BUSINESS))
}

fn entry(row: &mut Row) -> StoreResult<AuditEntry> {
    let business = owner(row)?;
    Ok(AuditEntry {
        business,
        id: row.get("id")?,
        at: row.get("at")?,
        actor_kind: row.get("actor_kind")?,
        actor: row.get("actor")?,
        actor_name: row.get("actor_name")?,
        action: row.get("action")?,
        target: row.get("target")?,
        detail: row.get("detail")?,
    })
}

impl<C: Connection> Tx<C> {
    /// Stores a token.
    pub async fn insert_token(&mut self, token: &Token) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO tokens (id, hash, business_id, kind, subject, name, is_marked, created_at, expires_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?8)"
        );
        let (kind, subject) = (token.scope.kind().to_owned(), token.scope.subject().map(str::to_owned));
        let (business, Token { id, hash, name, created_at, expires_at, .. }) =
            (column(token.business.as_ref()), token.clone());
        self.0.write(sql, values![id, hash, business, kind, subject, name, created_at, expires_at]).await
    }

    /// The token of this hash.
    pub async fn token(&mut self, hash: &[u8; 32]) -> StoreResult<Option<Token>> {
        self.one(sql!(token_sql!("WHERE hash = ?1")), values![*hash], token).await
    }

    /// The token of this id, of a business or, without one, of an operator.
    pub async fn token_by_id(&mut self, business: Option<&Id>, id: &Id) -> StoreResult<Option<Token>> {
        self.one(sql!(token_sql!("WHERE business_id = ?1 AND id = ?2")), values![column(business), id.clone()], token)
            .await
    }

    /// Tokens of a business or, without one, of operators; the newest first.
    pub async fn tokens(&mut self, business: Option<&Id>, query: &TokenQuery) -> StoreResult<Vec<Token>> {
        let TokenQuery { subject, before, limit } = query.clone();
        let (business, limit) = (column(business), i64::from(limit));
        match (subject, before) {
            (None, None) => {
                let sql = sql!(token_sql!("WHERE business_id = ?1 ORDER BY id DESC LIMIT ?2"));
                self.all(sql, values![business, limit], token).await
            }
            (None, Some(before)) => {
                let sql = sql!(token_sql!("WHERE business_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3"));
                self.all(sql, values![business, before, limit], token).await
            }
            (Some(subject), None) => {
                let sql = sql!(token_sql!("WHERE business_id = ?1 AND subject = ?2 ORDER BY id DESC LIMIT ?3"));
                self.all(sql, values![business, subject, limit], token).await
            }
            (Some(subject), Some(before)) => {
                let sql =
                    sql!(token_sql!("WHERE business_id = ?1 AND subject = ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4"));
                self.all(sql, values![business, subject, before, limit], token).await
            }
        }
    }

    /// Takes a token back, unless it was taken back before.
    pub async fn revoke_token(&mut self, business: Option<&Id>, id: &Id, now: Timestamp) -> StoreResult<()> {
        let sql = sql!("UPDATE tokens SET revoked_at = ?3 WHERE business_id = ?1 AND id = ?2 AND revoked_at IS NULL");
        self.0.write(sql, values![column(business), id.clone(), now]).await
    }

    /// Takes back every token of a subject that was not before; says how many.
    pub async fn revoke_tokens_of(&mut self, business: &Id, subject: &str, now: Timestamp) -> StoreResult<u64> {
        let sql =
            sql!("UPDATE tokens SET revoked_at = ?3 WHERE business_id = ?1 AND subject = ?2 AND revoked_at IS NULL");
        self.0.execute(sql, values![business.clone(), subject.to_owned(), now]).await
    }

    /// The hashes of tokens that were taken back since then.
    pub async fn revoked_since(&mut self, since: Timestamp) -> StoreResult<Vec<[u8; 32]>> {
        let sql = sql!("SELECT hash FROM tokens WHERE revoked_at >= ?1");
        self.all(sql, values![since], |row| row.get("hash")).await
    }

    /// Notes when tokens were used last.
    pub async fn note_token_uses(&mut self, uses: Vec<([u8; 32], Timestamp)>) -> StoreResult<()> {
        let sql = sql!("UPDATE tokens SET last_used_at = ?2 WHERE hash = ?1");
        for (hash, at) in uses {
            self.0.write(sql, values![hash, at]).await?;
        }
        Ok(())
    }

    /// Whether there are tokens whose texts bear no mark of this service: those that an earlier program made.
    pub async fn has_unmarked_tokens(&mut self, now: Timestamp) -> StoreResult<bool> {
        let sql = sql!("SELECT is_marked FROM tokens WHERE is_marked = 0 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)
                   LIMIT 1");
        Ok(self.one(sql, values![now], |row| row.get::<i64>("is_marked")).await?.is_some())
    }

    /// A key of the service's own, where it was made.
    pub async fn service_key(&mut self, purpose: &str) -> StoreResult<Option<Vec<u8>>> {
        let sql = sql!("SELECT key FROM service_keys WHERE purpose = ?1");
        self.one(sql, values![purpose.to_owned()], |row| row.get("key")).await
    }

    /// Keeps a key of the service's own, unless there is one.
    pub async fn insert_service_key(&mut self, purpose: &str, key: Vec<u8>) -> StoreResult<()> {
        let sql = sql!("INSERT INTO service_keys (purpose, key) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
        self.0.write(sql, values![purpose.to_owned(), key]).await
    }

    /// Notes what was done, and who did it.
    pub async fn insert_audit_entry(&mut self, entry: &AuditEntry) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO audit_log (business_id, id, at, actor_kind, actor, actor_name, action, target, detail)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        );
        let business = column(entry.business.as_ref());
        let AuditEntry { id, at, actor_kind, actor, actor_name, action, target, detail, .. } = entry.clone();
        self.0.write(sql, values![business, id, at, actor_kind, actor, actor_name, action, target, detail]).await
    }

    /// What was done in a business or, without one, beside them; the newest first.
    pub async fn audit_entries(
        &mut self,
        business: Option<&Id>,
        before: Option<&str>,
        limit: u32,
    ) -> StoreResult<Vec<AuditEntry>> {
        let (business, limit) = (column(business), i64::from(limit));
        match before {
            Some(before) => {
                let sql = sql!(audit_sql!("AND id < ?2 ORDER BY id DESC LIMIT ?3"));
                self.all(sql, values![business, before.to_owned(), limit], entry).await
            }
            None => self.all(sql!(audit_sql!("ORDER BY id DESC LIMIT ?2")), values![business, limit], entry).await,
        }
    }
}
