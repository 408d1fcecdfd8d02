//! What a plan gives.

use super::closed_set::GrantKind;
use super::key::Key;
use crate::money::amount::Cents;
use crate::money::units::Units;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

/// What a plan gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "type", deny_unknown_fields)]
pub enum Grant {
    /// Money that pays for charges.
    Credit {
        /// Where it comes from.
        kind: GrantKind,
        /// How much, in cents.
        amount_cents: Cents,
        /// Whether each period gets it anew.
        recurs: bool,
        /// A name for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        label: Option<String>,
        /// Days it lives; for ever (or to the period's end, where it recurs) unless given.
        #[serde(skip_serializing_if = "Option::is_none")]
        expires_after_days: Option<u32>,
        /// Periods after its own for which what is left is kept, at least one; only where it recurs.
        #[serde(skip_serializing_if = "Option::is_none")]
        rollover_periods: Option<NonZeroU32>,
        /// The meters whose usage it pays for, at least one; all usage where absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        meters: Option<BTreeSet<Key>>,
        /// How an opaque preview shows it.
        #[serde(skip_serializing_if = "Option::is_none")]
        display: Option<Display>,
    },
    /// A capability, with limits of its own.
    Capability {
        /// The capability.
        capability: Key,
        /// Caps by resource.
        limits: BTreeMap<Key, u64>,
    },
    /// A pack of credit one can buy.
    TopUp {
        /// Its article number.
        sku: String,
        /// A name for people.
        label: String,
        /// What it costs, in cents.
        price_cents: Cents,
        /// What it gives, in cents.
        credit_cents: Cents,
        /// Days it lives; for ever unless given.
        #[serde(skip_serializing_if = "Option::is_none")]
        expires_after_days: Option<u32>,
        /// The meters whose usage it pays for, at least one; all usage where absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        meters: Option<BTreeSet<Key>>,
    },
    /// Credit one can buy as much of as one likes.
    OpenTopUp {
        /// Its article number.
        sku: String,
        /// A name for people.
        label: String,
        /// Least that one may buy at once, in cents: one or more.
        min_cents: Cents,
        /// Most that one may buy at once, in cents.
        max_cents: Cents,
        /// What is paid beside the amount, in hundredths of a percent of it.
        fee_basis_points: u32,
        /// Days it lives; for ever unless given.
        #[serde(skip_serializing_if = "Option::is_none")]
        expires_after_days: Option<u32>,
        /// The meters whose usage it pays for, at least one; all usage where absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        meters: Option<BTreeSet<Key>>,
    },
    /// A grant the platform knows by name.
    Named {
        /// The name.
        name: String,
    },
}

impl Grant {
    /// The meters whose usage its credit pays for; nothing where it pays for all.
    pub fn meters(&self) -> Option<&BTreeSet<Key>> {
        match self {
            Grant::Credit { meters, .. } | Grant::TopUp { meters, .. } | Grant::OpenTopUp { meters, .. } => {
                meters.as_ref()
            }
            Grant::Capability { .. } | Grant::Named { .. } => None,
        }
    }

    /// The article number of what can be bought; nothing for what comes with the plan.
    pub fn sku(&self) -> Option<&str> {
        match self {
            Grant::TopUp { sku, .. } | Grant::OpenTopUp { sku, .. } => Some(sku),
            Grant::Credit { .. } | Grant::Capability { .. } | Grant::Named { .. } => None,
        }
    }
}

/// How an opaque preview shows a bucket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", tag = "kind", deny_unknown_fields)]
pub enum Display {
    /// As so many units of the author's choice.
    Multiplier {
        /// Units a full bucket shows; positive, at most two fraction digits.
        factor: Units,
    },
}
