//! The records that use cases speak of and stores keep. No SQL, no HTTP; times are UTC with microseconds.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use svc_engine::manifest::ir::{Aggregation, BillingInterval, Key, Plan};
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::units::Units;

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
pub enum Grant {
    /// One business's builds, releases and usage.
    Deploy,
    /// One subject's own preview.
    Portal {
        /// The subscriber.
        subject: String,
    },
}

/// A token as it is kept: never itself, only its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// SHA-256 of the token.
    pub hash: [u8; 32],
    /// The business it is for.
    pub business: Id,
    /// What it allows.
    pub grant: Grant,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A finished build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// Its id.
    pub id: Id,
    /// Whose it is.
    pub business: Id,
    /// `sha256:…` of the IR, when it succeeded.
    pub ir_hash: Option<String>,
    /// The IR's canonical text, when it succeeded.
    pub ir: Option<String>,
    /// The diagnostics, as JSON.
    pub diagnostics: String,
    /// The name of the failure that stopped it.
    pub failure: Option<String>,
    /// When it ended.
    pub created_at: Timestamp,
}

/// An accepted IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its id.
    pub id: Id,
    /// Whose it is.
    pub business: Id,
    /// The build it came from.
    pub build: Id,
    /// `sha256:…` of the IR.
    pub ir_hash: String,
    /// The IR's canonical text.
    pub ir: String,
    /// When new subscriptions began to get it; never for one that was not activated.
    pub activated_at: Option<Timestamp>,
}

/// A release's view of one plan, which rating and preview read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Projection {
    /// The lowered plan.
    pub plan: Plan,
    /// The plan's version.
    pub version: u32,
    /// How each meter of the release counts.
    pub meters: BTreeMap<Key, Aggregation>,
}

/// A projection as it is kept: text and the hash that it had when it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProjection {
    /// The release.
    pub release: Id,
    /// The plan.
    pub plan: String,
    /// The plan's version.
    pub version: u32,
    /// Hash of the plan alone: another one makes another version.
    pub plan_hash: String,
    /// Canonical text of the [`Projection`].
    pub body: String,
    /// `sha256:…` of the text.
    pub hash: String,
}

/// A subject on one plan of one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its id.
    pub id: Id,
    /// The business.
    pub business: Id,
    /// The subscriber.
    pub subject: String,
    /// The release it is served under.
    pub release: Id,
    /// The plan.
    pub plan: String,
    /// The plan's version.
    pub plan_version: u32,
    /// The recurring-price pin.
    pub recurring_fee_cents: Cents,
    /// How long a period is.
    pub interval: BillingInterval,
    /// From when periods count.
    pub started_at: Timestamp,
    /// When it ended.
    pub cancelled_at: Option<Timestamp>,
    /// The newest period whose recurring grants were given.
    pub granted_period: u32,
}

/// A stretch of a period under one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredWindow {
    /// Its id.
    pub id: Id,
    /// The subscription.
    pub subscription: Id,
    /// The period's index.
    pub period: u32,
    /// First moment.
    pub start: Timestamp,
    /// First moment after it.
    pub end: Timestamp,
    /// The release it is rated under.
    pub release: Id,
    /// Charges admitted.
    pub charge_count: u64,
    /// Floor of the exact total.
    pub rated: Nanos,
}

/// One charge, as it was admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Its id, unique in its subscription.
    pub id: String,
    /// The subscription.
    pub subscription: Id,
    /// The window it was admitted in.
    pub window: Id,
    /// The meter.
    pub meter: String,
    /// How many units.
    pub units: Units,
    /// When it was admitted.
    pub admitted_at: Timestamp,
    /// When it happened, as reported.
    pub occurred_at: Option<Timestamp>,
    /// What it posted.
    pub charge: Nanos,
    /// What it brought the window's fractions to.
    pub remainder: Nanos,
}

/// A usage item that was admitted: what a repeat is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageItemRecord {
    /// The id its sender gave it.
    pub id: String,
    /// Hash of its content.
    pub fingerprint: String,
    /// How many charges it made.
    pub charges: u32,
}

/// Sums of one period's ledger postings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeriodTotals {
    /// Paid by buckets.
    pub funded: Nanos,
    /// Debits minus credits of the receivable account.
    pub receivable: Nanos,
}
