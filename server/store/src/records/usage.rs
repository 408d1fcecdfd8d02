//! What was used: windows, charges, and the items they came from.

use super::id::Id;
use super::subscription::SubscriptionKey;
use jiff::Timestamp;
use svc_engine::money::amount::Nanos;
use svc_engine::money::cell::Cell;
use svc_engine::money::units::Units;

/// A stretch of a period under one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredWindow {
    /// Its id.
    pub id: Id,
    /// The subscription.
    pub subscription: SubscriptionKey,
    /// The period's index.
    pub period: u32,
    /// First moment.
    pub start: Timestamp,
    /// First moment after it.
    pub end: Timestamp,
    /// The release it is rated under.
    pub release: Id,
    /// The plan.
    pub plan: String,
    /// Charges that count.
    pub charge_count: u64,
    /// Floor of the exact total.
    pub rated: Nanos,
    /// Up to when its levels that last have held in what it is rated at; nothing where it never had any.
    pub rated_until: Option<Timestamp>,
}

/// Begins the items of what the service enters by itself: no sender's id has a control character.
const OWN: char = '\u{1}';

/// What an entry of a period's list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A charge, as it was admitted.
    Charge,
    /// What takes a charge out again.
    Void,
    /// A level that lasts, as the period before left it.
    Carried,
    /// How many of a resource there are from its moment on.
    Counted,
    /// Levels that last held up to its moment. It is about its window, of which it names one cell.
    Time,
}

/// One entry of the list that a period is rated from: a charge, as it was admitted, what takes one out again, or what time did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The period's index.
    pub period: u32,
    /// How many entries the period had before.
    pub position: u64,
    /// The adjustment that voids the charge of this item, attempt and cell; nothing where this is the charge.
    pub voided_by: Option<Id>,
    /// Its id, unique in its subscription and attempt.
    pub id: String,
    /// The usage item it came from.
    pub item: String,
    /// 1, or more where the item was refunded and reported again.
    pub attempt: u32,
    /// The window it was admitted in.
    pub window: Id,
    /// What it counts.
    pub cell: Cell,
    /// How many units.
    pub units: Units,
    /// What a `unique` meter counts once.
    pub unique_key: Option<String>,
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

impl Charge {
    /// The item of a level that a period takes over.
    pub fn carried_item(period: u32) -> String {
        format!("{OWN}carried {period}")
    }

    /// The item of a count of a resource.
    pub fn counted_item(period: u32, position: u64) -> String {
        format!("{OWN}counted {period} {position}")
    }

    /// The item of levels that held for a while.
    pub fn time_item(period: u32, position: u64) -> String {
        format!("{OWN}time {period} {position}")
    }

    /// What it is.
    pub fn kind(&self) -> EntryKind {
        match self.item.strip_prefix(OWN) {
            _ if self.voided_by.is_some() => EntryKind::Void,
            Some(own) if own.starts_with("time") => EntryKind::Time,
            Some(own) if own.starts_with("counted") => EntryKind::Counted,
            Some(_) => EntryKind::Carried,
            None => EntryKind::Charge,
        }
    }

    /// Whether it says what a cell counts.
    pub fn counts(&self) -> bool {
        matches!(self.kind(), EntryKind::Charge | EntryKind::Carried | EntryKind::Counted)
    }
}

/// A usage item that was admitted: what a repeat is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageItemRecord {
    /// The id its sender gave it, unique for its subject.
    pub id: String,
    /// The subscription that it was admitted to.
    pub subscription: Id,
    /// Hash of its content.
    pub fingerprint: String,
    /// How many charges it made.
    pub charges: u32,
    /// How often it was charged: once, and once more after each refund.
    pub attempt: u32,
    /// The adjustment that gave its money back; after that the item may be reported again, and is charged again.
    pub refunded_by: Option<Id>,
}
