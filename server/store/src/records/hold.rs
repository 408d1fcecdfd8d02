//! Money set aside for usage to come.

use super::subscription::SubscriptionKey;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};
use svc_engine::money::amount::Nanos;
use svc_engine::money::bucket::HoldPart;

/// How far a hold is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum HoldState {
    /// The money is set aside.
    Open,
    /// A usage item used it.
    Settled,
    /// It was let go, or its time was over.
    Released,
}

/// Money set aside for a usage item to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The id its sender gave it, unique in its subscription.
    pub id: String,
    /// The subscription.
    pub subscription: SubscriptionKey,
    /// Hash of what it was asked for.
    pub fingerprint: String,
    /// What is held of which bucket.
    pub parts: Vec<HoldPart>,
    /// What of the estimate no bucket covers, where the plan refuses what goes too far: no other usage may owe it meanwhile.
    pub owed: Nanos,
    /// How far it is.
    pub state: HoldState,
    /// When it is let go by itself.
    pub expires_at: Timestamp,
}
