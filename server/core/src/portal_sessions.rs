//! Who may look at a portal page: a link for one use begins a session, which shows one subscriber's bill for a while. Both are
//! secrets of their holders; the store has their hashes.

use crate::audit_log::Deed;
use crate::businesses::{checked_name, known_business};
use crate::core::Core;
use crate::error::CoreError;
use crate::tokens::{new_secret, token_hash};
use jiff::{SignedDuration, Timestamp};
use svc_store::records::{Id, PortalSession};
use svc_store::{Mode, Store};
use url::Url;

/// How long a link may be used, in seconds: it is made when the subscriber asks for it, and followed at once.
pub const PORTAL_LINK_SECONDS: i64 = 5 * 60;
/// How long a session lasts, in seconds.
pub const PORTAL_SESSION_SECONDS: i64 = 60 * 60;
/// How long a link is remembered after it was made, in seconds, so that a late visitor is told what it was.
const PORTAL_REMEMBERED_SECONDS: i64 = 24 * 60 * 60;
/// Longest address that a page leads back to, in bytes.
pub const RETURN_URL_MAX_BYTES: usize = 2_048;

/// A link that was just made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortalLink {
    /// Where it leads. It ends in the link's secret, which is kept nowhere.
    pub url: String,
    /// From when on it begins nothing.
    pub expires_at: Timestamp,
}

/// What following a link came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// A session, by its secret, which is kept nowhere.
    Begun(String),
    /// The link was used before.
    Used {
        /// The hash of the session that it began.
        session_hash: Option<[u8; 32]>,
        /// Where the page would have led back to.
        return_url: Option<String>,
    },
    /// Its time is over.
    Expired {
        /// Where the page would have led back to.
        return_url: Option<String>,
    },
    /// There is no such link, or not any more.
    Unknown,
}

/// What a session's secret opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visit {
    /// One subscriber's page.
    Open {
        /// The subscriber.
        subject: String,
        /// Where the page leads back to.
        return_url: Option<String>,
    },
    /// Nothing any more.
    Ended {
        /// Where the page led back to.
        return_url: Option<String>,
    },
    /// Nothing: there is no such session.
    Unknown,
}

impl<S: Store> Core<S> {
    /// Makes a link to a subscriber's page. Links of earlier days are forgotten with it.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for a bad subject or address; [`CoreError::Store`].
    pub async fn portal_link(
        &self,
        business: &Id,
        subject: &str,
        return_url: Option<&str>,
        now: Timestamp,
    ) -> Result<PortalLink, CoreError> {
        let secret = new_secret("link")?;
        let link = PortalSession {
            business: business.clone(),
            link_hash: token_hash(&secret),
            subject: checked_name("a subject", subject)?,
            return_url: return_url.map(checked_return_url).transpose()?,
            created_at: now,
            link_expires_at: later(now, PORTAL_LINK_SECONDS)?,
            session_hash: None,
            session_expires_at: None,
        };
        let forgotten = later(now, -PORTAL_REMEMBERED_SECONDS)?;
        let (link, secret) = (&link, &secret);
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                known_business(&mut tx, business).await?;
                tx.forget_portal_sessions(business, forgotten).await?;
                tx.insert_portal_link(link).await?;
                self.note(&mut tx, Deed::of(business, "portal.link_made", &link.subject), now).await?;
                tx.commit().await?;
                let url = format!("{}/portal/businesses/{business}/links/{secret}", self.push.public_url);
                Ok(PortalLink { url, expires_at: link.link_expires_at })
            })
        })
        .await
    }

    /// Where this service is reached from outside.
    pub fn public_url(&self) -> &str {
        &self.push.public_url
    }

    /// Follows a link: the first who does so before its end has the session.
    ///
    /// # Errors
    /// [`CoreError::Busy`] where too many are followed; [`CoreError::Store`].
    pub async fn follow_portal_link(&self, business: &Id, link: &str, now: Timestamp) -> Result<Followed, CoreError> {
        let secret = new_secret("session")?;
        let (link_hash, session_hash) = (token_hash(link), token_hash(&secret));
        let end = later(now, PORTAL_SESSION_SECONDS)?;
        let _place = self.strangers_place().await?;
        let outcome = self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                let Some(found) = tx.portal_link(business, &link_hash).await? else {
                    return Ok(Err(Followed::Unknown));
                };
                let (begun, return_url) = (found.session_hash, found.return_url.clone());
                if begun.is_none() && found.link_expires_at <= now {
                    return Ok(Err(Followed::Expired { return_url }));
                }
                if !tx.begin_portal_session(&found, session_hash, end).await? {
                    return Ok(Err(Followed::Used { session_hash: begun, return_url }));
                }
                tx.commit().await?;
                Ok(Ok(()))
            })
        });
        Ok(outcome.await?.map_or_else(|other| other, |()| Followed::Begun(secret)))
    }

    /// What a session's secret opens at `now`.
    ///
    /// # Errors
    /// [`CoreError::Busy`] where too many are asked for; [`CoreError::Store`].
    pub async fn portal_visit(&self, business: &Id, secret: &str, now: Timestamp) -> Result<Visit, CoreError> {
        let _place = self.strangers_place().await?;
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        let Some(session) = tx.portal_session(business, &token_hash(secret)).await? else { return Ok(Visit::Unknown) };
        let PortalSession { subject, return_url, session_expires_at, .. } = session;
        let lives = session_expires_at.is_some_and(|end| now < end);
        Ok(if lives { Visit::Open { subject, return_url } } else { Visit::Ended { return_url } })
    }

    /// Ends a session, where there is one.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn end_portal_session(&self, business: &Id, secret: &str, now: Timestamp) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                tx.end_portal_session(business, &token_hash(secret), now).await?;
                tx.commit().await?;
                Ok(())
            })
        })
        .await
    }
}

fn later(now: Timestamp, seconds: i64) -> Result<Timestamp, CoreError> {
    now.checked_add(SignedDuration::from_secs(seconds)).map_err(|error| CoreError::Internal(error.to_string()))
}

/// An address that a page may lead to: of the web, and with nobody's password in it.
fn checked_return_url(text: &str) -> Result<String, CoreError> {
    let url = Url::parse(text).ok().filter(|_| text.len() <= RETURN_URL_MAX_BYTES);
    let plain = |url: &Url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
    };
    url.filter(plain).map(String::from).ok_or_else(|| {
        let message = format!(
            "returnUrl is an http:// or https:// address without a password, of {RETURN_URL_MAX_BYTES} bytes at most"
        );
        CoreError::invalid("RETURN_URL_FORM", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_leads_back_to_the_web_alone() {
        assert_eq!(checked_return_url("https://app.example/a?b=c#d").unwrap(), "https://app.example/a?b=c#d");
        assert_eq!(checked_return_url("http://127.0.0.1:3000").unwrap(), "http://127.0.0.1:3000/");
        // What would end an attribute is encoded by its parsing.
        assert_eq!(
            checked_return_url("https://a.example/\"><script>").unwrap(),
            "https://a.example/%22%3E%3Cscript%3E"
        );
        let long = format!("https://a.example/{}", "x".repeat(RETURN_URL_MAX_BYTES));
        for bad in [
            "",
            "/account",
            "javascript:alert(1)",
            "data:text/html,x",
            "ftp://a.example",
            "https://u:p@a.example",
            &long,
        ] {
            assert!(checked_return_url(bad).is_err(), "{bad}");
        }
    }
}
