//! Releases and their projections.

use super::id::Id;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use svc_engine::manifest::ir::{Aggregation, Key, Manifest, Plan};

/// An accepted IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its id.
    pub id: Id,
    /// Whose it is.
    pub business: Id,
    /// The build it came from.
    pub build: Id,
    /// `sha256:…` of the IR.
    pub ir_hash: String,
    /// The IR's canonical text.
    pub ir: String,
    /// When new subscriptions began to get it; never for one that was not activated.
    pub activated_at: Option<Timestamp>,
}

/// A release as a list has it, without its IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseEntry {
    /// Its id.
    pub id: Id,
    /// The build it came from.
    pub build: Id,
    /// `sha256:…` of the IR.
    pub ir_hash: String,
    /// When new subscriptions began to get it.
    pub activated_at: Option<Timestamp>,
    /// Whether new subscriptions get it now.
    pub is_active: bool,
}

/// A release's view of one plan, which rating and preview read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Projection {
    /// The lowered plan.
    pub plan: Plan,
    /// The plan's version.
    pub version: u32,
    /// How each meter of the release counts.
    pub meters: BTreeMap<Key, Aggregation>,
    /// The attributes of the meters that count by some.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<Key, Vec<Key>>,
    /// The resources that are counted by a meter of their key, since some plan prices them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub resources: BTreeSet<Key>,
}

impl Projection {
    /// A release's view of a plan at a version.
    pub fn new(manifest: &Manifest, plan: &Plan, version: u32) -> Projection {
        let meters = manifest.meters.iter().map(|meter| (meter.key.clone(), meter.aggregation));
        let by = manifest.meters.iter().filter(|meter| !meter.by.is_empty());
        let attributes = by.map(|meter| (meter.key.clone(), meter.by.clone())).collect();
        let resources = manifest.meters.iter().filter_map(|meter| meter.resource.clone()).collect();
        Projection { plan: plan.clone(), version, meters: meters.collect(), attributes, resources }
    }
}

/// A projection as it is kept: text and the hash that it had when it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProjection {
    /// The release.
    pub release: Id,
    /// The plan.
    pub plan: String,
    /// The plan's version.
    pub version: u32,
    /// Hash of what the plan costs: its form, and what routes and meters charge of what it prices. Another one makes another version.
    pub plan_hash: String,
    /// Canonical text of the [`Projection`].
    pub body: String,
    /// `sha256:…` of the text.
    pub hash: String,
}
