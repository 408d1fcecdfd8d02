//! One subscription changes: its plan, by the very transitions that migrations are made of (subject, anchor, buckets, ids and keys
//! stay), and the most that it has of its own.

use crate::audit_log::Deed;
use crate::businesses;
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use crate::locked_subscription::LockedSubscription;
use crate::migrations::{self, PlannedMove};
use crate::own_most::{self, Spend};
use crate::subscriptions::{self, CancelAt};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use svc_engine::money::amount::Cents;
use svc_store::records::{Id, Projection, Proration, Subscription, Transition, TransitionState};
use svc_store::{Mode, Store};

/// What changes of a subscription: its plan, the most that it has of its own, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionChange {
    /// Another plan; nothing where it stays.
    pub plan: Option<PlanChange>,
    /// The most of a month that it has of its own from now on, in cents; nothing inside takes it away, nothing at all leaves it.
    pub own_most_cents: Option<Option<Cents>>,
}

/// To which plan, when, and what happens to the open period's fee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanChange {
    /// The plan, of the active release.
    pub plan: String,
    /// When.
    #[serde(default)]
    pub at: CancelAt,
    /// What happens to the fee of the open period.
    #[serde(default)]
    pub proration: Proration,
}

impl From<PlanChange> for SubscriptionChange {
    fn from(plan: PlanChange) -> Self {
        SubscriptionChange { plan: Some(plan), own_most_cents: None }
    }
}

/// What a change did, or would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The subscription after it: on its new plan, or, where it changes later or in a dry run, as it was.
    pub subscription: Subscription,
    /// When it changes its plan, and what that does to what the subscriber pays; nothing where the plan stays.
    pub planned: Option<PlannedMove>,
    /// What the open period has come to after it, beside the most that it may.
    pub spend: Spend,
}

impl<S: Store> Core<S> {
    /// Changes a live subscription: its plan, now or at its period's end, where a move that waits is superseded; and the most that it
    /// has of its own, now. A dry run changes nothing, and says what it would do.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Invalid`] for a plan that the active release does not have, or of another interval in
    /// the middle of a period, and for a most that the plan does not allow; [`CoreError::Conflict`] for a plan that takes nobody any
    /// more, the plan it has, or an ended subscription.
    pub async fn change_subscription(
        &self,
        business: &Id,
        id: &Id,
        change: &SubscriptionChange,
        dry_run: bool,
        now: Timestamp,
    ) -> Result<Changed, CoreError> {
        self.again(move || Box::pin(self.change_once(business, id, change, dry_run, now))).await
    }

    async fn change_once(
        &self,
        business: &Id,
        id: &Id,
        change: &SubscriptionChange,
        dry_run: bool,
        now: Timestamp,
    ) -> Result<Changed, CoreError> {
        let _turn = self.turn_of(business, id).await?;
        let mut tx = self.store.begin(Mode::Write).await?;
        // A publisher waits: the release that it moves to is the active one.
        businesses::lock_business(&mut tx, business).await?;
        let mut locked = subscriptions::lock(&mut tx, business, id, now).await?;
        let now = locked.now;
        if !locked.is_live() {
            let message = "the subscription has ended; subscribe the subject anew";
            return Err(CoreError::conflict("SUBSCRIPTION_ENDED", message));
        }
        let before = locked.subscription.clone();
        let mut planned = None;
        let mut transitions = Vec::new();
        let mut bounded_by = locked.projection.clone();
        if let Some(change) = &change.plan {
            let (release, target) = subscriptions::open_plan(&mut tx, business, &change.plan).await?;
            let moves = plan(&locked, &target, change, now)?;
            transitions.push(transition(&locked, release, change, &moves));
            planned = Some(moves);
            bounded_by = Some(target).filter(|_| change.at == CancelAt::Now).or(bounded_by);
        }
        if let Some(own) = change.own_most_cents {
            let missing = || CoreError::Internal("the projection a subscription is served under is missing".to_owned());
            own_most::check(own, &bounded_by.ok_or_else(missing)?.plan)?;
            locked.set_own_most(own);
        }
        locked.save(&mut tx).await?;
        if !transitions.is_empty() {
            tx.insert_transitions(business, &transitions).await?;
        }
        let locked = subscriptions::lock(&mut tx, business, id, now).await?;
        let (subscription, spend) = (locked.subscription.clone(), locked.spend()?);
        if dry_run {
            // All of it is undone with the transaction.
            return Ok(Changed { subscription: before, planned, spend });
        }
        locked.save(&mut tx).await?;
        let deed = Deed::of(business, "subscription.changed", id.as_str()).with(told(change));
        self.note(&mut tx, deed, now).await?;
        tx.commit().await?;
        Ok(Changed { subscription, planned, spend })
    }
}

/// What the audit log has of a change.
fn told(change: &SubscriptionChange) -> Json {
    let plan = change.plan.as_ref().map(|change| ("plan".to_owned(), json!(change.plan)));
    let most = change.own_most_cents.map(|own| ("maxMonthlySpendCents".to_owned(), json!(own)));
    Json::Object(plan.into_iter().chain(most).collect())
}

/// The move that a change of plan is.
fn transition(locked: &LockedSubscription, release: Id, change: &PlanChange, planned: &PlannedMove) -> Transition {
    Transition {
        id: new_id("trn", locked.now),
        migration: None,
        subscription: locked.subscription.key(),
        to_release: release,
        to_plan: change.plan.clone(),
        proration: change.proration,
        due_at: planned.due_at,
        state: TransitionState::Pending,
        keeps_fee: false,
    }
}

/// When the change takes place, and what it does to the fee.
fn plan(
    locked: &LockedSubscription,
    target: &Projection,
    change: &PlanChange,
    now: Timestamp,
) -> Result<PlannedMove, CoreError> {
    let subscription = &locked.subscription;
    let missing = || CoreError::Internal("the projection a subscription is served under is missing".to_owned());
    let current = locked.projection.as_ref().ok_or_else(missing)?;
    if subscription.plan == change.plan && subscription.plan_version == target.version {
        let message = format!("the subscription is on {:?}, version {}, already", change.plan, target.version);
        return Err(CoreError::conflict("ALREADY_ON_PLAN", message));
    }
    let period = locked.fee_time()?.period;
    let due_at = match change.at {
        CancelAt::Now => now,
        CancelAt::PeriodEnd => period.end,
    };
    let projections = [current, target];
    migrations::planned_at(subscription, Some(&locked.period), period, projections, change.proration, Some(due_at))
}
