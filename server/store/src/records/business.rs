//! Businesses and the tokens that act for them.

use super::id::Id;
use jiff::Timestamp;

/// A tenant; publishes one product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Business {
    /// Its id, as the preview's path has it.
    pub id: Id,
    /// A name for people.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a token can give the right to, in its business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// To build, to release, to say where the product is pushed to and how its page looks.
    Publish,
    /// To report usage and to hold money for it.
    Report,
    /// To read builds, releases, plans and deliveries.
    Read,
}

/// What a token allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenScope {
    /// Everything, in every business.
    Operator,
    /// One business's builds, releases and usage: every right.
    Deploy,
    /// One business's builds and releases, and reading them.
    Publish,
    /// One business's usage.
    Usage,
    /// Reading one business's builds, releases and plans.
    Read,
    /// One subject's own preview.
    Portal {
        /// The subscriber.
        subject: String,
    },
    /// One subject's requests to the product, through the gateway.
    Gateway {
        /// The subscriber.
        subject: String,
    },
}

impl TokenScope {
    /// The scopes of a business that are for no subject.
    const OF_BUSINESS: [TokenScope; 4] = [TokenScope::Deploy, TokenScope::Publish, TokenScope::Usage, TokenScope::Read];

    /// The kind, as rows and the tokens' own texts have it.
    pub fn kind(&self) -> &'static str {
        match self {
            TokenScope::Operator => "operator",
            TokenScope::Deploy => "deploy",
            TokenScope::Publish => "publish",
            TokenScope::Usage => "usage",
            TokenScope::Read => "read",
            TokenScope::Portal { .. } => "portal",
            TokenScope::Gateway { .. } => "gateway",
        }
    }

    /// The subject that it is for, where it is for one.
    pub fn subject(&self) -> Option<&str> {
        match self {
            TokenScope::Portal { subject } | TokenScope::Gateway { subject } => Some(subject),
            _ => None,
        }
    }

    /// The scope of this kind and subject, where there is one.
    pub fn of(kind: &str, subject: Option<String>) -> Option<TokenScope> {
        match (kind, subject) {
            ("operator", None) => Some(TokenScope::Operator),
            ("deploy", None) => Some(TokenScope::Deploy),
            ("publish", None) => Some(TokenScope::Publish),
            ("usage", None) => Some(TokenScope::Usage),
            ("read", None) => Some(TokenScope::Read),
            ("portal", Some(subject)) => Some(TokenScope::Portal { subject }),
            ("gateway", Some(subject)) => Some(TokenScope::Gateway { subject }),
            _ => None,
        }
    }

    /// Whether it gives a right in its business.
    pub fn gives(&self, right: Right) -> bool {
        match self {
            TokenScope::Deploy => true,
            TokenScope::Publish => matches!(right, Right::Publish | Right::Read),
            TokenScope::Usage => right == Right::Report,
            TokenScope::Read => right == Right::Read,
            TokenScope::Operator | TokenScope::Portal { .. } | TokenScope::Gateway { .. } => false,
        }
    }

    /// The kinds of tokens that give a right.
    pub fn kinds_that_give(right: Right) -> Vec<&'static str> {
        TokenScope::OF_BUSINESS.iter().filter(|scope| scope.gives(right)).map(TokenScope::kind).collect()
    }
}

/// A token as it is kept: never itself, only its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is listed and taken back by; opens nothing.
    pub id: Id,
    /// SHA-256 of the token.
    pub hash: [u8; 32],
    /// The business it is for; nothing for an operator's, and only there.
    pub business: Option<Id>,
    /// What it allows.
    pub scope: TokenScope,
    /// What people call it.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it opens nothing; nothing for never.
    pub expires_at: Option<Timestamp>,
    /// When it was used last, to some ten minutes; nothing where it was not.
    pub last_used_at: Option<Timestamp>,
    /// When it was taken back; it opens nothing since.
    pub revoked_at: Option<Timestamp>,
}

/// Something that was done, and who did it. Never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its id: sorts by when it was done.
    pub id: Id,
    /// The business in which it was done; nothing for what is of none.
    pub business: Option<Id>,
    /// When.
    pub at: Timestamp,
    /// What kind of caller did it: `operator`, a token's kind, `subscriber` or `service`.
    pub actor_kind: String,
    /// The caller's token, or the subscriber; nothing where there is none.
    pub actor: Option<String>,
    /// What people call the caller.
    pub actor_name: Option<String>,
    /// What was done, such as `credit.given`.
    pub action: String,
    /// The id of what it was done to.
    pub target: Option<String>,
    /// What else is to be known of it, as JSON; never personal, never a secret.
    pub detail: Option<String>,
}
