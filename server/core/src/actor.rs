//! Who uses the use cases.

use svc_store::records::Id;

/// What the operator is called whose token the server was started with.
pub const ROOT_OPERATOR: &str = "root";

/// Who does something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Actor {
    /// The service by itself.
    #[default]
    Service,
    /// An operator.
    Operator {
        /// Their token's id; nothing for the one that the server was started with.
        id: Option<Id>,
        /// What they are called.
        name: String,
    },
    /// Whoever holds a token of a business.
    Token {
        /// The token's id.
        id: Id,
        /// What it is called.
        name: String,
        /// Its kind.
        kind: &'static str,
    },
    /// A subscriber.
    Subscriber {
        /// Who it is.
        subject: String,
    },
}

impl Actor {
    /// Its kind, its id and its name, as an entry has them.
    pub(crate) fn columns(&self) -> (&'static str, Option<String>, Option<String>) {
        match self {
            Actor::Service => ("service", None, None),
            Actor::Operator { id, name } => ("operator", id.as_ref().map(ToString::to_string), Some(name.clone())),
            Actor::Token { id, name, kind } => (kind, Some(id.to_string()), Some(name.clone())),
            Actor::Subscriber { subject } => ("subscriber", Some(subject.clone()), None),
        }
    }
}
