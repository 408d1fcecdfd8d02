//! What a store keeps, and how a use case reaches it: one transaction at a time, row by row. Everything that decides
//! something is in `core`; a store decides nothing. The folders below are the only place that knows SQL.

pub mod sqlite;

use crate::core::model::{
    Build, Business, Charge, Id, PeriodTotals, Release, StoredProjection, StoredWindow, Subscription, Token,
    UsageItemRecord,
};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::future::Future;
use svc_engine::manifest::ir::Key;
use svc_engine::money::funding::Bucket;
use svc_engine::money::ledger::Transaction;
use svc_engine::money::units::Units;

/// The store failed. The text is for the log, never for a caller.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database said no.
    #[error("{0}")]
    Database(String),
    /// A row is not as this service writes it.
    #[error("a stored row is not of its form: {0}")]
    Row(String),
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Reads one consistent state.
    Read,
    /// Reads and writes; alone, or as if it were.
    Write,
}

/// Whether an insert took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The row is there now.
    New,
    /// Such a row was there before; nothing changed.
    Existing,
}

/// A place where everything is kept.
pub trait Store: Clone + Send + Sync + 'static {
    /// A transaction of this store.
    type Tx: Tx;

    /// Begins a transaction. Dropped without [`Tx::commit`], it leaves nothing behind.
    fn begin(&self, mode: Mode) -> impl Future<Output = Result<Self::Tx, StoreError>> + Send;

    /// Whether it answers.
    fn check(&self) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// Shorthand for what every method answers.
pub type Answer<T> = Result<T, StoreError>;

/// The rows, as use cases need them. Every method may fail with [`StoreError`] alone.
pub trait Tx: Send {
    /// Makes everything written last.
    fn commit(self) -> impl Future<Output = Answer<()>> + Send;

    /// Keeps a business.
    fn insert_business(&mut self, business: &Business) -> impl Future<Output = Answer<()>> + Send;
    /// The business of this id.
    fn business(&mut self, id: &Id) -> impl Future<Output = Answer<Option<Business>>> + Send;

    /// Keeps a token.
    fn insert_token(&mut self, token: &Token) -> impl Future<Output = Answer<()>> + Send;
    /// The token of this hash.
    fn token(&mut self, hash: &[u8; 32]) -> impl Future<Output = Answer<Option<Token>>> + Send;

    /// Keeps a build.
    fn insert_build(&mut self, build: &Build) -> impl Future<Output = Answer<()>> + Send;
    /// The business's build of this id.
    fn build(&mut self, business: &Id, id: &Id) -> impl Future<Output = Answer<Option<Build>>> + Send;

    /// Keeps a release and its projections.
    fn insert_release(
        &mut self,
        release: &Release,
        projections: &[StoredProjection],
    ) -> impl Future<Output = Answer<()>> + Send;
    /// Makes a release the one that new subscriptions get.
    fn activate(&mut self, business: &Id, release: &Id) -> impl Future<Output = Answer<()>> + Send;
    /// The release that new subscriptions get.
    fn active_release(&mut self, business: &Id) -> impl Future<Output = Answer<Option<Release>>> + Send;
    /// The release of this id.
    fn release(&mut self, id: &Id) -> impl Future<Output = Answer<Option<Release>>> + Send;
    /// When the release was activated; nothing when there is none or it never was.
    fn activated_at(&mut self, id: &Id) -> impl Future<Output = Answer<Option<Timestamp>>> + Send;
    /// A release's view of a plan.
    fn projection(&mut self, release: &Id, plan: &str)
    -> impl Future<Output = Answer<Option<StoredProjection>>> + Send;
    /// The newest version of a plan that the business ever released, and its hash.
    fn newest_version(
        &mut self,
        business: &Id,
        plan: &str,
    ) -> impl Future<Output = Answer<Option<(u32, String)>>> + Send;

    /// Keeps a subscription; [`Inserted::Existing`] when the subject has a live one.
    fn insert_subscription(&mut self, subscription: &Subscription) -> impl Future<Output = Answer<Inserted>> + Send;
    /// Changes what may change of a subscription.
    fn update_subscription(&mut self, subscription: &Subscription) -> impl Future<Output = Answer<()>> + Send;
    /// The business's subscription of this id.
    fn subscription(&mut self, business: &Id, id: &Id) -> impl Future<Output = Answer<Option<Subscription>>> + Send;
    /// The subject's live subscription. In a write transaction nobody else changes it until the end.
    fn live_subscription(
        &mut self,
        business: &Id,
        subject: &str,
    ) -> impl Future<Output = Answer<Option<Subscription>>> + Send;

    /// The windows of a period, oldest first.
    fn windows(&mut self, subscription: &Id, period: u32) -> impl Future<Output = Answer<Vec<StoredWindow>>> + Send;
    /// Keeps a window, or its new state.
    fn put_window(&mut self, window: &StoredWindow) -> impl Future<Output = Answer<()>> + Send;
    /// The quantities of a window.
    fn quantities(&mut self, window: &Id) -> impl Future<Output = Answer<BTreeMap<Key, Units>>> + Send;
    /// Keeps the quantities of a window.
    fn put_quantities(
        &mut self,
        window: &Id,
        quantities: &BTreeMap<Key, Units>,
    ) -> impl Future<Output = Answer<()>> + Send;
    /// Notes a key that a meter counts once per window.
    fn insert_unique_key(
        &mut self,
        window: &Id,
        meter: &str,
        key: &str,
    ) -> impl Future<Output = Answer<Inserted>> + Send;

    /// The admitted usage item of this id.
    fn usage_item(
        &mut self,
        subscription: &Id,
        id: &str,
    ) -> impl Future<Output = Answer<Option<UsageItemRecord>>> + Send;
    /// Keeps an admitted usage item and its charges.
    fn insert_usage_item(
        &mut self,
        subscription: &Id,
        item: &UsageItemRecord,
        charges: &[Charge],
    ) -> impl Future<Output = Answer<()>> + Send;

    /// Appends a transaction to the ledger and adds it to its period's sums.
    fn append(
        &mut self,
        subscription: &Id,
        period: u32,
        id: &Id,
        at: Timestamp,
        transaction: &Transaction,
    ) -> impl Future<Output = Answer<()>> + Send;
    /// Sums of a period's postings.
    fn period_totals(&mut self, subscription: &Id, period: u32) -> impl Future<Output = Answer<PeriodTotals>> + Send;

    /// The buckets of a subscription's subject that still count at `since`, oldest first.
    fn buckets(&mut self, subscription: &Id, since: Timestamp) -> impl Future<Output = Answer<Vec<Bucket>>> + Send;
    /// Keeps a bucket, or its new state.
    fn put_bucket(&mut self, subscription: &Id, bucket: &Bucket) -> impl Future<Output = Answer<()>> + Send;
}
