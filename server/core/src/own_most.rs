//! The most of a month that a subscription has of its own: the lower one of it and the plan's bounds each period from the moment on at which
//! it is set. Periods that ended keep what held in them.

use crate::error::CoreError;
use crate::locked_subscription::LockedSubscription;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_engine::manifest::ir::{OverageBehavior, Plan};
use svc_engine::manifest::words;
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::bill::SpendBounds;

/// What an open period has come to, beside the most that it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Spend {
    /// The most that the period may come to, by the plan and the subscription's own; null for no bound.
    pub most_nanos: Option<Nanos>,
    /// What it has come to: its fee, and usage that the subscriber pays for, with bought credit too.
    pub spent_nanos: Nanos,
    /// Whether no more usage is owed until the period ends. What is owed already stays owed.
    pub is_reached: bool,
    /// What happens then to usage that no credit pays for: `block` refuses it, `allow_and_bill` lets it in and does not bill it.
    pub overage_behavior: OverageBehavior,
}

impl LockedSubscription {
    /// Sets the most of its own, or takes it away, from now on.
    pub(crate) fn set_own_most(&mut self, own: Option<Cents>) {
        self.subscription.own_most_cents = own;
        self.period.own_most_cents = own;
    }

    /// What its open period has come to, beside the most that it may.
    pub(crate) fn spend(&self) -> Result<Spend, CoreError> {
        let missing = || CoreError::Internal("the projection a subscription is served under is missing".to_owned());
        let plan = &self.projection.as_ref().ok_or_else(missing)?.plan;
        let bounds = SpendBounds::of(plan, self.period.own_most_cents);
        let totals = self.period.totals;
        let fee = self.period.spend_fee()?.plus(totals.fee_adjustment)?;
        let spent = fee.plus(totals.usage.own()?)?;
        Ok(Spend {
            most_nanos: bounds.max,
            spent_nanos: spent,
            is_reached: bounds.owes_nothing || bounds.max.is_some_and(|most| spent >= most),
            overage_behavior: bounds.overage,
        })
    }
}

/// A subscription's own most is at most its plan's, and not below what the plan costs at least.
pub(crate) fn check(own: Option<Cents>, plan: &Plan) -> Result<(), CoreError> {
    let Some(own) = own else { return Ok(()) };
    let shown = |cents: Cents| words::cents(cents.get());
    let wrong = |message: String| Err(CoreError::invalid("MAX_SPEND_RANGE", message));
    match (plan.min_monthly_spend_cents, plan.max_monthly_spend_cents) {
        (_, Some(most)) if own > most => wrong(format!(
            "a subscription's own most is at most its plan's: {:?} has {} a month, not {}",
            plan.key.as_str(),
            shown(most),
            shown(own)
        )),
        (Some(least), _) if own < least => wrong(format!(
            "{:?} costs at least {} a month; a subscription's own most can't be {}",
            plan.key.as_str(),
            shown(least),
            shown(own)
        )),
        _ => Ok(()),
    }
}
