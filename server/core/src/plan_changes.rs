//! One subscription changes its plan, by the very transitions that migrations are made of: subject, anchor, buckets, ids and keys
//! stay.

use crate::audit_log::Deed;
use crate::businesses;
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use crate::locked_subscription::LockedSubscription;
use crate::migrations::{self, PlannedMove};
use crate::subscriptions::{self, CancelAt};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_store::records::{Id, Projection, Proration, Subscription, Transition, TransitionState};
use svc_store::{Mode, Store};

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

/// What a change did, or would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The subscription after it: on its new plan, or, where it changes later or in a dry run, as it was.
    pub subscription: Subscription,
    /// When, and what it does to what the subscriber pays.
    pub planned: PlannedMove,
}

impl<S: Store> Core<S> {
    /// Changes the plan of a live subscription, now or at its period's end; a move that waits is superseded. A dry run changes
    /// nothing, and says what it would do.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Invalid`] for a plan that the active release does not have, or of another interval in
    /// the middle of a period; [`CoreError::Conflict`] for a plan that takes nobody any more, the plan it has, or an ended
    /// subscription.
    pub async fn change_plan(
        &self,
        business: &Id,
        id: &Id,
        change: &PlanChange,
        dry_run: bool,
        now: Timestamp,
    ) -> Result<Changed, CoreError> {
        self.again(move || Box::pin(self.change_once(business, id, change, dry_run, now))).await
    }

    async fn change_once(
        &self,
        business: &Id,
        id: &Id,
        change: &PlanChange,
        dry_run: bool,
        now: Timestamp,
    ) -> Result<Changed, CoreError> {
        let _turn = self.turn_of(business, id).await?;
        let mut tx = self.store.begin(Mode::Write).await?;
        // A publisher waits: the release that it moves to is the active one.
        businesses::lock_business(&mut tx, business).await?;
        let locked = subscriptions::lock(&mut tx, business, id, now).await?;
        let now = locked.now;
        let (release, target) = subscriptions::open_plan(&mut tx, business, &change.plan).await?;
        let planned = plan(&locked, &target, change, now)?;
        if dry_run {
            return Ok(Changed { subscription: locked.subscription, planned });
        }
        let key = locked.subscription.key();
        locked.save(&mut tx).await?;
        let transition = Transition {
            id: new_id("trn", now),
            migration: None,
            subscription: key,
            to_release: release,
            to_plan: change.plan.clone(),
            proration: change.proration,
            due_at: planned.due_at,
            state: TransitionState::Pending,
            keeps_fee: false,
        };
        tx.insert_transitions(business, std::slice::from_ref(&transition)).await?;
        let locked = subscriptions::lock(&mut tx, business, id, now).await?;
        let subscription = locked.subscription.clone();
        locked.save(&mut tx).await?;
        let deed = Deed::of(business, "subscription.changed", id.as_str()).with(json!({ "plan": change.plan }));
        self.note(&mut tx, deed, now).await?;
        tx.commit().await?;
        Ok(Changed { subscription, planned })
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
    if !locked.is_live() {
        let message = "the subscription has ended; subscribe the subject anew";
        return Err(CoreError::conflict("SUBSCRIPTION_ENDED", message));
    }
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
