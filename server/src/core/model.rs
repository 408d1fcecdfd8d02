//! The records that use cases speak of and stores keep. No SQL, no HTTP; times are UTC with microseconds.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use svc_engine::manifest::ir::{Aggregation, BillingInterval, ClosedSet, Key, Plan};
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::funding::HoldPart;
use svc_engine::money::ledger::{PeriodTotals, Transaction};
use svc_engine::money::period::{Anchor, Period};
use svc_engine::money::units::Units;

/// A closed set of names, written the same in JSON, on the command line and in the store.
macro_rules! named_set {
    ($(#[$doc:meta])+ $name:ident { $($(#[$vdoc:meta])+ $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])+ #[serde(rename = $text)] $variant,)+ }

        impl ClosedSet for $name {
            const CHOICES: &'static [(&'static str, Self)] = &[$(($text, $name::$variant),)+];
        }

        impl $name {
            /// The value as it is written.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }
        }
    };
}

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

/// A build: asked for, under way, or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// Its id.
    pub id: Id,
    /// Whose it is.
    pub business: Id,
    /// Hash of the release that was active when it was asked for: what it means to replace.
    pub base_hash: Option<String>,
    /// How far it is.
    pub progress: Progress,
    /// When it was asked for.
    pub created_at: Timestamp,
}

/// How far a build is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It waits, or a server works on it.
    Waiting {
        /// The sources, as JSON: path to text.
        files: String,
        /// How often a server has taken it.
        attempts: u32,
        /// Until when the server that took it last has the right to; nothing while nobody has.
        leased_until: Option<Timestamp>,
    },
    /// It ended.
    Ended(BuildResult),
}

/// What a build came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildResult {
    /// `sha256:…` of the IR, when it succeeded.
    pub ir_hash: Option<String>,
    /// The IR's canonical text, when it succeeded.
    pub ir: Option<String>,
    /// The diagnostics, as JSON.
    pub diagnostics: String,
    /// The name of the failure that stopped it.
    pub failure: Option<String>,
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
    /// The recurring-price pin, in cents.
    pub recurring_fee_cents: Cents,
    /// The pin from the next period on, where a migration without proration set one.
    pub next_fee_cents: Option<Cents>,
    /// How long a period is.
    pub interval: BillingInterval,
    /// When it began.
    pub started_at: Timestamp,
    /// First moment of period `anchor_period`: from there periods are counted.
    pub anchor_at: Timestamp,
    /// 0, or the period from which on periods have another length.
    pub anchor_period: u32,
    /// Since when it is served under its release.
    pub served_since: Timestamp,
    /// When its trial ends, where it has one.
    pub trial_ends_at: Option<Timestamp>,
    /// When it is going to end, where that is decided.
    pub cancel_at: Option<Timestamp>,
    /// When it ended.
    pub cancelled_at: Option<Timestamp>,
    /// When time next does something to it; nothing once it has ended.
    pub next_due_at: Option<Timestamp>,
    /// The period that is open: everything before it has been settled.
    pub period: u32,
}

impl Subscription {
    /// From where its periods are counted.
    pub fn anchor(&self) -> Anchor {
        Anchor { start: self.anchor_at, index: self.anchor_period, interval: self.interval }
    }
}

/// One period of a subscription: under which plan it ends, what it costs, and what its postings add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPeriod {
    /// The subscription.
    pub subscription: Id,
    /// How many periods came before it.
    pub index: u32,
    /// First moment.
    pub start: Timestamp,
    /// First moment after it; earlier than planned where the subscription ended in it.
    pub end: Timestamp,
    /// The release at its end; the present one while it is open.
    pub release: Id,
    /// The plan.
    pub plan: String,
    /// What it costs for the plan itself, in cents.
    pub recurring_fee_cents: Cents,
    /// The lowest fee that moves with credit have brought the rest of it down to, in cents: no difference is credited twice.
    pub credited_fee_cents: Option<Cents>,
    /// Sums of its postings.
    pub totals: PeriodTotals,
    /// The invoice that closed it.
    pub invoice: Option<Id>,
}

impl StoredPeriod {
    /// Its stretch of time.
    pub fn period(&self) -> Period {
        Period { index: self.index, start: self.start, end: self.end }
    }
}

/// A closed period's invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredInvoice {
    /// Its id.
    pub id: Id,
    /// The subscription.
    pub subscription: Id,
    /// The period.
    pub period: u32,
    /// When it was closed.
    pub closed_at: Timestamp,
    /// The sum, in cents.
    pub total_cents: i128,
    /// The invoice, as JSON, with its windows.
    pub body: String,
}

named_set! {
    /// How far a hold is.
    HoldState {
        /// The money is set aside.
        Open = "open",
        /// A usage item used it.
        Settled = "settled",
        /// It was let go, or its time was over.
        Released = "released",
    }
}

/// Money set aside for a usage item to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The id its sender gave it, unique in its subscription.
    pub id: String,
    /// The subscription.
    pub subscription: Id,
    /// Hash of what it was asked for.
    pub fingerprint: String,
    /// What is held of which bucket.
    pub parts: Vec<HoldPart>,
    /// How far it is.
    pub state: HoldState,
    /// When it is let go by itself.
    pub expires_at: Timestamp,
}

named_set! {
    /// When a migration moves a subscription.
    MigrationPolicy {
        /// Never: everyone keeps what they have.
        Grandfather = "grandfather",
        /// When its open period ends.
        NextRenewal = "next_renewal",
        /// Now.
        Immediate = "immediate",
        /// When its open period ends, or at the deadline if that comes first.
        ByDate = "by_date",
        /// When the subscriber says so.
        OptIn = "opt_in",
    }
}
named_set! {
    /// What a move in the middle of a period does to the period's fee.
    Proration {
        /// The period keeps its fee; the new one counts from the next period on.
        None = "none",
        /// The period costs each plan's fee for its part of the time.
        Prorate = "prorate",
        /// The period keeps its fee; where the new plan is cheaper, the difference for the rest of it becomes a credit.
        Credit = "credit",
    }
}
named_set! {
    /// How far one subscription's move is.
    TransitionState {
        /// It waits for the subscriber's word.
        Offered = "offered",
        /// It waits for its moment.
        Pending = "pending",
        /// It took place.
        Applied = "applied",
        /// A later migration took its place.
        Superseded = "superseded",
        /// The subscription ended first.
        Dropped = "dropped",
    }
}

#[expect(clippy::derivable_impls, reason = "the sets of names derive the same traits, and no other has a default")]
impl Default for Proration {
    fn default() -> Self {
        Proration::None
    }
}

/// An order to move a plan's subscribers from one version to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// Its id: the batch.
    pub id: Id,
    /// The business.
    pub business: Id,
    /// The plan.
    pub plan: String,
    /// From which version.
    pub from_version: u32,
    /// To which version.
    pub to_version: u32,
    /// To which release, which holds that version.
    pub to_release: Id,
    /// When.
    pub policy: MigrationPolicy,
    /// What happens to fees in the middle of a period.
    pub proration: Proration,
    /// The deadline of [`MigrationPolicy::ByDate`].
    pub complete_by: Option<Timestamp>,
    /// When it was ordered.
    pub created_at: Timestamp,
}

/// One subscription's part in a migration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Its id.
    pub id: Id,
    /// The migration.
    pub migration: Id,
    /// The subscription.
    pub subscription: Id,
    /// To which release.
    pub to_release: Id,
    /// What happens to the fee.
    pub proration: Proration,
    /// When it takes place; nothing for an offer that was not taken.
    pub due_at: Option<Timestamp>,
    /// How far it is.
    pub state: TransitionState,
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
    /// Its id, unique in its subscription and attempt.
    pub id: String,
    /// The usage item it came from.
    pub item: String,
    /// 1, or more where the item was refunded and reported again.
    pub attempt: u32,
    /// The window it was admitted in.
    pub window: Id,
    /// How many charges the window had before.
    pub position: u64,
    /// The meter.
    pub meter: Key,
    /// How many units.
    pub units: Units,
    /// What a `unique` meter counts once.
    pub unique_key: Option<String>,
    /// Whether that was new in the window.
    pub is_new_key: bool,
    /// When it was admitted.
    pub admitted_at: Timestamp,
    /// When it happened, as reported.
    pub occurred_at: Option<Timestamp>,
    /// What it posted.
    pub charge: Nanos,
    /// What it brought the window's fractions to.
    pub remainder: Nanos,
    /// The ledger transaction that it posted; nothing where it costs nothing.
    pub transaction: Option<Id>,
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
    /// How often it was charged: once, and once more after each refund.
    pub attempt: u32,
    /// The adjustment that gave its money back; after that the item may be reported again, and is charged again.
    pub refunded_by: Option<Id>,
}

/// An adjustment, as it was asked for and done: for whoever audits the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAdjustment {
    /// Its id, which its posting's cause names.
    pub id: Id,
    /// The subscription.
    pub subscription: Id,
    /// Why, in its maker's words.
    pub reason: String,
    /// What was asked, as JSON.
    pub body: String,
    /// When.
    pub at: Timestamp,
}

/// A transaction of the ledger as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: Id,
    /// The period whose sums it is part of.
    pub period: u32,
    /// When it was posted.
    pub at: Timestamp,
    /// Its postings.
    pub transaction: Transaction,
}

/// An answer that was given, by what asked for it: a repeat gets the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Hash of what was asked.
    pub fingerprint: String,
    /// The answer, as JSON.
    pub answer: String,
}
