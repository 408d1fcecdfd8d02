//! Ledger transactions as they are stored, and the adjustments that caused some of them.

use super::id::Id;
use super::subscription::SubscriptionKey;
use jiff::Timestamp;
use svc_engine::money::ledger::Transaction;

/// An adjustment, as it was asked for and done: for whoever audits the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAdjustment {
    /// Its id, which its posting's cause names.
    pub id: Id,
    /// The subscription.
    pub subscription: SubscriptionKey,
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
