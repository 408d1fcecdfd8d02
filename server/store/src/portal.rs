//! The portal page: its links and sessions, and how it looks.

use crate::error::StoreResult;
use crate::records::{Id, PortalLook, PortalSession};
use crate::statement::sql;
use crate::transaction::{Connection, Tx};
use crate::value::Row;
use crate::value::values;
use jiff::Timestamp;

macro_rules! session_sql {
    ($rest:literal) => {
        concat!(
            "SELECT business_id, link_hash, subject, return_url, created_at, link_expires_at, session_hash, session_expires_at
             FROM portal_sessions WHERE business_id = ?1 AND ",
            $rest
        )
    };
}

fn session(row: &mut Row) -> StoreResult<PortalSession> {
    Ok(PortalSession {
        business: row.get("business_id")?,
        link_hash: row.get("link_hash")?,
        subject: row.get("subject")?,
        return_url: row.get("return_url")?,
        created_at: row.get("created_at")?,
        link_expires_at: row.get("link_expires_at")?,
        session_hash: row.get("session_hash")?,
        session_expires_at: row.get("session_expires_at")?,
    })
}

impl<C: Connection> Tx<C> {
    /// Stores a link that was not used yet.
    pub async fn insert_portal_link(&mut self, link: &PortalSession) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO portal_sessions (business_id, link_hash, subject, return_url, created_at, link_expires_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        );
        let PortalSession { business, link_hash, subject, return_url, created_at, link_expires_at, .. } = link.clone();
        self.0.write(sql, values![business, link_hash, subject, return_url, created_at, link_expires_at]).await
    }

    /// The link of this hash, used or not.
    pub async fn portal_link(&mut self, business: &Id, hash: &[u8; 32]) -> StoreResult<Option<PortalSession>> {
        self.one(sql!(session_sql!("link_hash = ?2")), values![business.clone(), *hash], session).await
    }

    /// The session of this hash, ended or not.
    pub async fn portal_session(&mut self, business: &Id, hash: &[u8; 32]) -> StoreResult<Option<PortalSession>> {
        self.one(sql!(session_sql!("session_hash = ?2")), values![business.clone(), *hash], session).await
    }

    /// Begins the session of a link that has none. Answers whether it did: of two that try, one does.
    pub async fn begin_portal_session(
        &mut self,
        link: &PortalSession,
        session_hash: [u8; 32],
        expires_at: Timestamp,
    ) -> StoreResult<bool> {
        let sql = sql!(
            "UPDATE portal_sessions SET session_hash = ?3, session_expires_at = ?4
                   WHERE business_id = ?1 AND link_hash = ?2 AND session_hash IS NULL"
        );
        let values = values![link.business.clone(), link.link_hash, session_hash, expires_at];
        Ok(self.0.execute(sql, values).await? > 0)
    }

    /// Ends a session.
    pub async fn end_portal_session(&mut self, business: &Id, hash: &[u8; 32], at: Timestamp) -> StoreResult<()> {
        let sql = sql!(
            "UPDATE portal_sessions SET session_expires_at = ?3
                   WHERE business_id = ?1 AND session_hash = ?2 AND session_expires_at > ?3"
        );
        self.0.execute(sql, values![business.clone(), *hash, at]).await.map(drop)
    }

    /// Forgets the links that were made before a moment, and their sessions.
    pub async fn forget_portal_sessions(&mut self, business: &Id, before: Timestamp) -> StoreResult<()> {
        let sql = sql!("DELETE FROM portal_sessions WHERE business_id = ?1 AND created_at < ?2");
        self.0.execute(sql, values![business.clone(), before]).await.map(drop)
    }

    /// How a business's page looks; nothing for a business that is not there.
    pub async fn portal_look(&mut self, business: &Id) -> StoreResult<Option<PortalLook>> {
        let sql = sql!("SELECT COALESCE(portal_looks.name, businesses.name) AS name, accent_light, accent_dark
                   FROM businesses LEFT JOIN portal_looks ON portal_looks.business_id = businesses.id WHERE businesses.id = ?1");
        self.one(sql, values![business.clone()], |row| {
            Ok(PortalLook {
                name: row.get("name")?,
                accent_light: row.get("accent_light")?,
                accent_dark: row.get("accent_dark")?,
            })
        })
        .await
    }

    /// Sets how a business's page looks, in place of what was set; without a name it has the business's.
    pub async fn set_portal_look(
        &mut self,
        business: &Id,
        name: Option<String>,
        accents: [Option<String>; 2],
    ) -> StoreResult<()> {
        let sql = sql!(
            "INSERT INTO portal_looks (business_id, name, accent_light, accent_dark) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT (business_id) DO UPDATE SET name = excluded.name, accent_light = excluded.accent_light,
                       accent_dark = excluded.accent_dark"
        );
        let [light, dark] = accents;
        self.0.execute(sql, values![business.clone(), name, light, dark]).await.map(drop)
    }
}
