//! Events: what happened is written in the transaction in which it did, and told afterwards, at least once, to who asked to be told.

use crate::businesses;
use crate::core::Core;
use crate::documents::DocumentKind;
use crate::error::CoreError;
use crate::ids::new_id;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::time::Duration;
use svc_engine::diagnostic::Severity;
use svc_engine::manifest::ir::{GrantKind, Key};
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::SignedCents;
use svc_engine::money::bucket::{Bucket, BucketState};
use svc_engine::money::units::Units;
use svc_store::records::{
    BuildResult, DeliveryState, Event, EventDelivery, EventReceiver, EventSent, EventType, Id, Proration, Subscription,
};
use svc_store::{Connection, Mode, Store, Tx};

/// How long events are kept, in days. One that is still to be sent stays longer.
pub const EVENTS_KEPT_DAYS: i64 = 90;
/// How long deliveries of forges are kept, in days. The last one of each branch stays.
pub const DELIVERIES_KEPT_DAYS: i64 = 90;
/// How long the level of a limit is kept that nobody uses, in days: longer than any limit's interval.
pub const RATE_LEVELS_KEPT_DAYS: i64 = 90;
/// Events, and deliveries, that one transaction forgets, at most.
const FORGOTTEN_AT_ONCE: u32 = 1_000;
/// The name of the lease under which it is forgotten.
const FORGETTING_LEASE: &str = "forgetting";
/// How long a server has that for itself, in seconds from the pass's beginning.
const FORGETTING_LEASE_SECONDS: i64 = 600;
/// How long a server has to send an event, in seconds.
const LEASE_SECONDS: i64 = 15;
/// Events that are on their way to one receiver at once: a slow one holds up itself alone.
const AT_ONCE_PER_RECEIVER: u32 = 4;
/// Events that one page of the list has, at most.
pub const EVENTS_MAX: u32 = 100;
/// How far back failed deliveries are sent again where no moment is named, in days.
pub const REDELIVERED_DAYS: i64 = 7;

/// Where a subscription was, or is, by plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Served {
    plan: String,
    plan_version: u32,
    release_id: Id,
}

impl Served {
    pub(crate) fn of(subscription: &Subscription) -> Served {
        Served {
            plan: subscription.plan.clone(),
            plan_version: subscription.plan_version,
            release_id: subscription.release.clone(),
        }
    }
}

/// Of what a share was used up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "of", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum Threshold {
    /// Of a meter's included units.
    IncludedUnits { meter: Key, used_units: Units, included_units: Units },
    /// Of what the most that the plan may cost leaves for usage.
    Spend { used_nanos: Nanos, limit_nanos: Nanos },
}

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BuildOutcome {
    /// It gave an IR.
    Succeeded,
    /// It did not.
    Failed,
}

/// Something that happened, with its particulars.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(crate) enum News {
    BuildFinished {
        build_id: Id,
        outcome: BuildOutcome,
        ir_hash: Option<String>,
        /// The code of what stopped it.
        failure: Option<String>,
        errors: usize,
        warnings: usize,
    },
    ReleaseActivated {
        release_id: Id,
        build_id: Id,
        ir_hash: String,
        plan_versions: BTreeMap<String, u32>,
    },
    MigrationApplied {
        subscription_id: Id,
        subject: String,
        /// The migration; nothing where the subscription alone changed its plan.
        migration_id: Option<Id>,
        from: Served,
        to: Served,
        proration: Proration,
    },
    ThresholdReached {
        subscription_id: Id,
        subject: String,
        period: u32,
        percent: u8,
        #[serde(flatten)]
        threshold: Threshold,
    },
    BucketLow {
        subscription_id: Id,
        subject: String,
        #[serde(flatten)]
        bucket: ToldBucket,
    },
    BucketEnded {
        subscription_id: Id,
        subject: String,
        state: BucketState,
        #[serde(flatten)]
        bucket: ToldBucket,
    },
    InvoiceClosed {
        subscription_id: Id,
        subject: String,
        invoice_id: Id,
        number: u64,
        kind: DocumentKind,
        period: u32,
        period_start: Timestamp,
        period_end: Timestamp,
        plan: String,
        total_cents: SignedCents,
        carried_cents: SignedCents,
    },
}

/// A bucket as an event tells of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToldBucket {
    bucket_id: String,
    kind: GrantKind,
    granted_nanos: Nanos,
    remaining_nanos: Nanos,
    consumed_nanos: Nanos,
    expires_at: Option<Timestamp>,
}

impl ToldBucket {
    pub(crate) fn of(bucket: &Bucket) -> ToldBucket {
        ToldBucket {
            bucket_id: bucket.id.clone(),
            kind: bucket.kind,
            granted_nanos: bucket.granted,
            remaining_nanos: bucket.remaining,
            consumed_nanos: bucket.consumed,
            expires_at: bucket.expires_at,
        }
    }
}

impl News {
    /// What a build came to.
    pub(crate) fn of_build(build: &Id, result: &BuildResult) -> News {
        let diagnostics: Vec<Json> = serde_json::from_str(&result.diagnostics).unwrap_or_default();
        let of = |severity: Severity| {
            let name = serde_json::to_value(severity).unwrap_or_default();
            diagnostics.iter().filter(|diagnostic| diagnostic.get("severity") == Some(&name)).count()
        };
        News::BuildFinished {
            build_id: build.clone(),
            outcome: if result.ir.is_some() { BuildOutcome::Succeeded } else { BuildOutcome::Failed },
            ir_hash: result.ir_hash.clone(),
            failure: result.failure.as_ref().map(|failure| failure.code.clone()),
            errors: of(Severity::Error),
            warnings: of(Severity::Warning),
        }
    }

    fn event_type(&self) -> EventType {
        match self {
            News::BuildFinished { .. } => EventType::BuildFinished,
            News::ReleaseActivated { .. } => EventType::ReleaseActivated,
            News::MigrationApplied { .. } => EventType::MigrationApplied,
            News::ThresholdReached { .. } => EventType::UsageThresholdReached,
            News::BucketLow { .. } => EventType::BucketLow,
            News::BucketEnded { .. } => EventType::BucketEnded,
            News::InvoiceClosed { .. } => EventType::InvoiceClosed,
        }
    }

    /// What it happened to: the events of one subscription are told in their order, and so are those of a business's releases.
    fn stream(&self) -> String {
        match self {
            News::BuildFinished { build_id, .. } => build_id.to_string(),
            News::ReleaseActivated { .. } => "releases".to_owned(),
            News::MigrationApplied { subscription_id, .. }
            | News::ThresholdReached { subscription_id, .. }
            | News::BucketLow { subscription_id, .. }
            | News::BucketEnded { subscription_id, .. }
            | News::InvoiceClosed { subscription_id, .. } => subscription_id.to_string(),
        }
    }
}

// INVARIANT 20: what happened is told, and what did not is not: it is written in the transaction in which it happens.
/// Writes what happened at `at`, to be told. The transaction holds what it happened to.
pub(crate) async fn tell<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    news: &News,
    at: Timestamp,
    now: Timestamp,
) -> Result<(), CoreError> {
    tell_of(tx, business, news, (at, now), svc_trace::current_header()).await
}

/// As [`tell`], of what another trace than the present one made happen.
pub(crate) async fn tell_of<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    news: &News,
    (at, now): (Timestamp, Timestamp),
    trace: Option<String>,
) -> Result<(), CoreError> {
    let body = serde_json::to_string(news).map_err(|error| CoreError::Internal(error.to_string()))?;
    let (id, event) = (new_id("evt", now), news.event_type());
    Ok(tx.emit(Event { business: business.clone(), stream: news.stream(), id, event, body, at, trace }, now).await?)
}

/// What a receiver answered, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It took the event.
    Delivered,
    /// It did not; the event is due again at a moment, or given up where there is none.
    Problem(Option<Timestamp>, String),
    /// It says that it is gone for good: nothing is sent to it any more.
    Gone,
}

impl<S: Store> Core<S> {
    /// Waits until an event is to be sent, for `at_most`.
    pub async fn queued_event(&self, at_most: Duration) {
        let _woken = tokio::time::timeout(at_most, self.signals.told.notified()).await;
    }

    /// Takes an event that is due and that nobody sends, with the receiver that it is for.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn take_event(&self, now: Timestamp) -> Result<Option<EventDelivery>, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let leased_until = after(now, SignedDuration::from_secs(LEASE_SECONDS))?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let found = tx.take_event(now, leased_until, AT_ONCE_PER_RECEIVER).await?;
                tx.commit().await?;
                Ok(found)
            })
        })
        .await
    }

    /// Notes what became of a delivery.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn event_was_sent(
        &self,
        delivery: &EventDelivery,
        outcome: &Outcome,
        now: Timestamp,
    ) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                match outcome.clone() {
                    Outcome::Delivered => tx.settle_delivery(delivery, DeliveryState::Delivered, now, None).await?,
                    Outcome::Problem(Some(due_at), problem) => {
                        tx.settle_delivery(delivery, DeliveryState::Waiting, due_at, Some(problem)).await?;
                    }
                    Outcome::Problem(None, problem) => {
                        tx.settle_delivery(delivery, DeliveryState::Failed, now, Some(problem)).await?;
                    }
                    Outcome::Gone => stop_receiver(&mut tx, delivery).await?,
                }
                tx.commit().await?;
                self.signals.told.notify_one();
                Ok(())
            })
        })
        .await
    }

    /// A page of a business's events, newest first, and where the next one begins. An event stands once per receiver that it is for.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn events(
        &self,
        business: &Id,
        before: Option<&str>,
        limit: u32,
    ) -> Result<(Vec<EventSent>, Option<Id>), CoreError> {
        let limit = limit.clamp(1, EVENTS_MAX);
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let page = tx.events(business, before, limit).await?;
        let mut ids: Vec<&Id> = page.iter().map(|sent| &sent.event.id).collect();
        ids.dedup();
        let is_full = u32::try_from(ids.len()).is_ok_and(|length| length == limit);
        let next = ids.last().filter(|_| is_full).map(|last| (*last).clone());
        Ok((page, next))
    }

    /// Has an event sent again to everyone who is told of its type; or, where none is named, what was given up since a moment, a week ago
    /// unless named. Returns how many deliveries wait for it.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business or event; [`CoreError::Store`].
    pub async fn redeliver(
        &self,
        business: &Id,
        event: Option<&Id>,
        since: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<u64, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let week = SignedDuration::from_hours(REDELIVERED_DAYS * 24);
                let since = since.map_or_else(|| after(now, -week), Ok)?;
                let mut tx = self.store.begin(Mode::Write).await?;
                businesses::known_business(&mut tx, business).await?;
                if let Some(event) = event
                    && !tx.has_event(business, event).await?
                {
                    return Err(CoreError::NotFound("there is no such event; events are kept for 90 days"));
                }
                let waiting = tx.redeliver(business, event, since, now).await?;
                tx.commit().await?;
                self.signals.told.notify_one();
                Ok(waiting)
            })
        })
        .await
    }

    /// Forgets events that are older than [`EVENTS_KEPT_DAYS`], deliveries of forges that are older than [`DELIVERIES_KEPT_DAYS`] with
    /// the statuses of their commits, and sources of failed builds whose time is over. One server at a time does it, page by page. Returns
    /// how many; nothing where another server is at it.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn forget_the_old(&self, now: Timestamp) -> Result<Option<u64>, CoreError> {
        let (events, deliveries) = (days_before(now, EVENTS_KEPT_DAYS)?, days_before(now, DELIVERIES_KEPT_DAYS)?);
        let unused = days_before(now, RATE_LEVELS_KEPT_DAYS)?;
        let leased_until = after(now, SignedDuration::from_secs(FORGETTING_LEASE_SECONDS))?;
        let owner = &new_id("job", now);
        let mut forgotten = 0_u64;
        loop {
            let page = self.again(move || {
                Box::pin(async move {
                    let mut tx = self.store.begin(Mode::Write).await?;
                    if !tx.take_lease(FORGETTING_LEASE, owner, now, leased_until).await? {
                        return Ok(None);
                    }
                    let of_events = tx.forget_events(events, FORGOTTEN_AT_ONCE).await?;
                    let of_deliveries = tx.forget_deliveries(deliveries, FORGOTTEN_AT_ONCE).await?;
                    let of_sources = tx.forget_sources(now).await?;
                    let of_limits = tx.forget_rate_levels(unused, FORGOTTEN_AT_ONCE).await?;
                    let of_events = of_events.saturating_add(of_limits);
                    let page = of_events.saturating_add(of_deliveries).saturating_add(of_sources);
                    if page == 0 {
                        tx.end_lease(FORGETTING_LEASE, owner).await?;
                    }
                    tx.commit().await?;
                    Ok(Some(page))
                })
            });
            match page.await? {
                None => return Ok((forgotten > 0).then_some(forgotten)),
                Some(0) => return Ok(Some(forgotten)),
                Some(page) => forgotten = forgotten.saturating_add(page),
            }
        }
    }
}

/// Stops the receiver of a delivery, which says that it is gone.
async fn stop_receiver<C: Connection>(tx: &mut Tx<C>, delivery: &EventDelivery) -> Result<(), CoreError> {
    const GONE: &str = "it answered 410 Gone";
    let (business, id) = (&delivery.event.business, &delivery.receiver.id);
    if let Some(receiver) = tx.lock_receiver(business, id).await? {
        tx.put_receiver(&EventReceiver { stopped: Some(GONE.to_owned()), ..receiver }).await?;
    }
    Ok(tx.give_up_deliveries(business, id, GONE).await?)
}

fn days_before(now: Timestamp, days: i64) -> Result<Timestamp, CoreError> {
    after(now, SignedDuration::from_hours(days.saturating_mul(-24)))
}

fn after(now: Timestamp, time: SignedDuration) -> Result<Timestamp, CoreError> {
    now.checked_add(time).map_err(|error| CoreError::Internal(error.to_string()))
}
