//! Moves of subscriptions from one plan version to another.

use super::id::Id;
use super::subscription::SubscriptionKey;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// When a migration moves a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum MigrationPolicy {
    /// Never: everyone keeps what they have.
    Grandfather,
    /// When its open period ends.
    NextRenewal,
    /// Now.
    Immediate,
    /// When its open period ends, or at the deadline if that comes first.
    ByDate,
    /// When the subscriber says so.
    OptIn,
    /// Now, where the version only adds to what they have: the fee stays as they agreed to it.
    Additions,
}

/// What a move in the middle of a period does to the period's fee.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Proration {
    /// The period keeps its fee; the new one counts from the next period on.
    #[default]
    None,
    /// The rest of the period costs the new fee: the difference is owed, or taken off what is owed.
    Prorate,
    /// The rest of the period costs the new fee. Where that is less, the difference becomes credit.
    Credit,
}

/// How far one subscription's move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TransitionState {
    /// It waits for the subscriber's word.
    Offered,
    /// It waits for its moment.
    Pending,
    /// It took place.
    Applied,
    /// A later migration took its place.
    Superseded,
    /// The subscription ended first.
    Dropped,
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
    /// From which version; 0 for any.
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
    /// The migration that it is part of; nothing where one subscription changes its plan.
    pub migration: Option<Id>,
    /// The subscription.
    pub subscription: SubscriptionKey,
    /// To which release.
    pub to_release: Id,
    /// To which plan.
    pub to_plan: String,
    /// What happens to the fee.
    pub proration: Proration,
    /// Whether the fee stays as it was agreed to.
    pub keeps_fee: bool,
    /// When it takes place; nothing for an offer that was not taken.
    pub due_at: Option<Timestamp>,
    /// How far it is.
    pub state: TransitionState,
}
