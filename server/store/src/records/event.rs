//! Events: what happened, who is told of it, and how far that is.

use super::id::Id;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// What an event tells.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray, JsonSchema,
)]
pub enum EventType {
    /// A build came to an end.
    #[serde(rename = "build.finished")]
    #[strum(serialize = "build.finished")]
    BuildFinished,
    /// A release became the one that new subscriptions get.
    #[serde(rename = "release.activated")]
    #[strum(serialize = "release.activated")]
    ReleaseActivated,
    /// A subscription was moved to another plan, or version of its plan.
    #[serde(rename = "migration.applied")]
    #[strum(serialize = "migration.applied")]
    MigrationApplied,
    /// What a subscription used in its period has reached a share of what is included, or of the most it may spend.
    #[serde(rename = "usage.threshold_reached")]
    #[strum(serialize = "usage.threshold_reached")]
    UsageThresholdReached,
    /// A bucket has little left.
    #[serde(rename = "bucket.low")]
    #[strum(serialize = "bucket.low")]
    BucketLow,
    /// A bucket has nothing left: it was used up, expired, or was revoked.
    #[serde(rename = "bucket.ended")]
    #[strum(serialize = "bucket.ended")]
    BucketEnded,
    /// A period was closed with an invoice or a credit note.
    #[serde(rename = "invoice.closed")]
    #[strum(serialize = "invoice.closed")]
    InvoiceClosed,
}

/// Something that happened, to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Whose it is.
    pub business: Id,
    /// What it happened to, such as a subscription's id: the events of one stream are told in their order.
    pub stream: String,
    /// Its id: what a receiver tells the same event by that is sent twice.
    pub id: Id,
    /// What it tells.
    pub event: EventType,
    /// The particulars, as JSON.
    pub body: String,
    /// When it happened.
    pub at: Timestamp,
    /// The trace of what made it happen, as `traceparent` says it; nothing where that was time alone.
    pub trace: Option<String>,
}

/// Who is told of a business's events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventReceiver {
    /// Whose it is.
    pub business: Id,
    /// Its id.
    pub id: Id,
    /// Where events are posted to.
    pub url: String,
    /// What it is told of; nothing for everything.
    pub types: Option<Vec<EventType>>,
    /// What events are signed with, sealed.
    pub sealed_secret: Vec<u8>,
    /// What they were signed with before, sealed, and until when they are signed with that too.
    pub previous: Option<(Vec<u8>, Timestamp)>,
    /// Why nothing is sent to it any more.
    pub stopped: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// How far an event is on its way to a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryState {
    /// It is to be sent, or sent again.
    Waiting,
    /// The receiver took it.
    Delivered,
    /// It was given up.
    Failed,
}

/// An event on its way to a receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDelivery {
    /// The event.
    pub event: Event,
    /// Its place in its stream, from 1.
    pub sequence: u64,
    /// Who is told.
    pub receiver: EventReceiver,
    /// How often a server has taken it.
    pub attempts: u32,
}

/// How far an event is on its way to one receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSent {
    /// The event.
    pub event: Event,
    /// Its place in its stream, from 1.
    pub sequence: u64,
    /// Who is told, and how far that is; nothing where nobody is.
    pub receiver: Option<(Id, DeliveryState)>,
    /// How often it was tried.
    pub attempts: u32,
    /// What the last try that failed came to.
    pub problem: Option<String>,
}
