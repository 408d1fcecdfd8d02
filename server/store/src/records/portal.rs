//! The portal page: how it looks, and who may look at it.

use super::id::Id;
use jiff::Timestamp;

/// A subscriber's way to their page: a link for one use, and the session that it begins. Neither is kept itself, only its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortalSession {
    /// The business.
    pub business: Id,
    /// SHA-256 of the link's secret.
    pub link_hash: [u8; 32],
    /// The subscriber.
    pub subject: String,
    /// Where the page leads back to.
    pub return_url: Option<String>,
    /// When the link was made.
    pub created_at: Timestamp,
    /// From when on the link begins nothing.
    pub link_expires_at: Timestamp,
    /// SHA-256 of the session's secret; nothing before the link was used.
    pub session_hash: Option<[u8; 32]>,
    /// From when on the session shows nothing.
    pub session_expires_at: Option<Timestamp>,
}

/// How a business's page looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortalLook {
    /// Who the page says it is by; the business's name where nothing else is set.
    pub name: String,
    /// The colour of bars, links and buttons on light ground: `#` and six hex digits; the page's own unless set.
    pub accent_light: Option<String>,
    /// The same on dark ground.
    pub accent_dark: Option<String>,
}
