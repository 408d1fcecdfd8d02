//! The records that a store keeps and the use cases speak of. Plain data: no SQL, no HTTP. Times are UTC with microseconds.

mod build;
mod business;
mod hold;
mod ledger;
mod migration;
mod release;
mod subscription;
mod usage;

pub use build::{Build, BuildResult, Progress, StoredFailure};
pub use business::{Business, Token, TokenScope};
pub use hold::{Hold, HoldState};
pub use ledger::{Entry, StoredAdjustment};
pub use migration::{Migration, MigrationPolicy, Proration, Transition, TransitionState};
pub use release::{Projection, Release, StoredProjection};
pub use subscription::{StoredInvoice, StoredPeriod, Subscription};
pub use usage::{Charge, StoredWindow, UsageItemRecord};

use serde::{Deserialize, Serialize};
use std::fmt;

/// An id that sorts by age (UUID version 7), with a prefix that says of what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(String);

impl Id {
    /// An id from outside, taken as it is; it names something or nothing.
    pub fn named(text: impl Into<String>) -> Self {
        Id(text.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An answer that was given, by what asked for it: a repeat gets the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotentAnswer {
    /// Hash of what was asked.
    pub fingerprint: String,
    /// The answer, as JSON.
    pub answer: String,
}
