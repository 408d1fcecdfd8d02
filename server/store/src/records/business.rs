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

/// What a token allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenScope {
    /// One business's builds, releases and usage.
    Deploy,
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
    /// The kind, as rows and the tokens' own texts have it.
    pub fn kind(&self) -> &'static str {
        match self {
            TokenScope::Deploy => "deploy",
            TokenScope::Portal { .. } => "portal",
            TokenScope::Gateway { .. } => "gateway",
        }
    }

    /// The subject that it is for, where it is for one.
    pub fn subject(&self) -> Option<&str> {
        match self {
            TokenScope::Deploy => None,
            TokenScope::Portal { subject } | TokenScope::Gateway { subject } => Some(subject),
        }
    }

    /// The scope of this kind and subject, where there is one.
    pub fn of(kind: &str, subject: Option<String>) -> Option<TokenScope> {
        match (kind, subject) {
            ("deploy", None) => Some(TokenScope::Deploy),
            ("portal", Some(subject)) => Some(TokenScope::Portal { subject }),
            ("gateway", Some(subject)) => Some(TokenScope::Gateway { subject }),
            _ => None,
        }
    }
}

/// A token as it is kept: never itself, only its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// SHA-256 of the token.
    pub hash: [u8; 32],
    /// The business it is for.
    pub business: Id,
    /// What it allows.
    pub scope: TokenScope,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it opens nothing; nothing for never.
    pub expires_at: Option<Timestamp>,
}
