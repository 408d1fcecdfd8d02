//! The types of the Manifest IR, version 1. Every field is documented here and nowhere else; the JSON Schema is made from
//! these types. Nothing here knows the author's source or how a number came about.
//!
//! Collections named "sorted" are sorted by key, so their order in the source does not count; all others keep the
//! author's order. Absent optional fields are left out; empty collections are there and empty.

mod closed_set;
mod grant;
mod key;
mod price;

pub use closed_set::*;
pub use grant::{Display, Grant};
pub use key::{KEY_MAX_CHARS, Key};
pub use price::{Included, IncludedEach, MeterPrice, PerUnits, Rates, Tier, UnitPool};

use crate::money::amount::Cents;
use crate::money::units::Units;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// The form of the IR this engine makes and takes.
pub const IR_VERSION: u32 = 1;

/// A fee for the beginning of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Intro {
    /// The fee, in cents: less than the plan's.
    pub amount_cents: Cents,
    /// How many fees it stands for, from the first that is charged: one or more.
    pub periods: NonZeroU32,
}

/// A whole product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// Always [`IR_VERSION`].
    pub ir_version: u32,
    /// Version of the authoring package.
    pub sdk_version: String,
    /// The product itself.
    pub product: Product,
    /// In declaration order.
    pub surfaces: Vec<Surface>,
    /// Sorted.
    pub meters: Vec<Meter>,
    /// Sorted.
    pub resources: Vec<Resource>,
    /// Sorted.
    pub capabilities: Vec<Capability>,
    /// In declaration order.
    pub features: Vec<Feature>,
    /// All features' routes in declaration order: the first match wins.
    pub routes: Vec<Route>,
    /// Sorted.
    pub plans: Vec<Plan>,
    /// Sorted.
    pub entitlements: Vec<Entitlement>,
    /// Sorted.
    pub workflows: Vec<Workflow>,
    /// Sorted.
    pub backends: Vec<Backend>,
    /// Sorted.
    pub policies: Vec<Policy>,
    /// Navigation and pages.
    pub frontend: Frontend,
    /// What `@Raw` adds, merged.
    pub raw: Map<String, Json>,
}

/// The product's own fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Product {
    /// Its name; the class's unless given.
    pub name: String,
    /// The business-logic origin the service calls.
    pub origin: String,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// A description for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether 4xx answers are billed like 2xx ones.
    #[serde(rename = "billOn4xx")]
    pub bill_on_4xx: bool,
}

/// A customer-facing surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Surface {
    /// The member's name.
    pub name: String,
    /// Its type.
    pub r#type: SurfaceType,
    /// A title for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The capability it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability: Option<Key>,
}

impl Surface {
    /// What tells it from the other surfaces: the member's name and the type.
    pub fn id(&self) -> String {
        format!("{}.{}", self.name, self.r#type.as_str())
    }
}

/// A billable or enforceable dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Meter {
    /// Its key.
    pub key: Key,
    /// A name for people.
    pub display: String,
    /// What is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Units assumed before a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Units>,
    /// Units added to every metered route.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_default: Option<Units>,
    /// How reports make one quantity.
    pub aggregation: Aggregation,
    /// Attributes by whose values it counts apart, in the order in which prices nest them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<Key>,
    /// The resource that it counts, where a plan prices that: the platform reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<Key>,
    /// Whether the platform feeds it (`@Requests`).
    pub managed: bool,
    /// Window of the managed meter's own limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<RateInterval>,
    /// What the managed meter's own limit does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enforcement_type: Option<Enforcement>,
}

/// A counted resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Resource {
    /// Its name.
    pub name: Key,
    /// A name for people.
    pub display: String,
    /// How it is counted.
    pub count_source: CountSource,
}

/// A capability bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Capability {
    /// Its key.
    pub key: Key,
    /// A title for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Features it brings.
    pub includes_features: Vec<Key>,
    /// Policies it brings.
    pub includes_policies: Vec<Key>,
    /// Capabilities it brings.
    pub includes_capabilities: Vec<Key>,
    /// When it may change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutation_class: Option<MutationClass>,
}

/// A feature; its routes stand in [`Manifest::routes`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Feature {
    /// Its key.
    pub key: Key,
    /// A description for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Plans that grant it.
    pub plans: Vec<Key>,
    /// Policies on its routes.
    pub policies: Vec<Key>,
    /// What its routes do.
    pub actions: Vec<Action>,
}

/// What a route does, for people and for counting resources.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Action {
    /// Its id.
    pub id: Key,
    /// Its kind, such as `mutation`.
    pub kind: String,
    /// A title for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it acts on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<ActionSubject>,
    /// The resource it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ActionResource>,
    /// How much of it is recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<String>,
}

/// What an action acts on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionSubject {
    /// What kind of thing.
    pub r#type: String,
    /// Where its id comes from: `path_param`.
    pub from: SubjectSource,
    /// The path parameter's name.
    pub name: String,
}

/// A count that an action changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionResource {
    /// The resource.
    pub resource: Key,
    /// The change.
    pub effect: ResourceEffect,
}

/// An inclusive range of HTTP status codes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatusRange {
    /// First code.
    pub from: u16,
    /// Last code.
    pub to: u16,
}

/// A gateway route with everything it costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Route {
    /// Method.
    pub method: Method,
    /// Path; parameters in braces.
    pub path: String,
    /// The feature that declares it.
    pub feature: Key,
    /// Units per request by meter: defaults and own costs summed.
    pub costs: BTreeMap<Key, Units>,
    /// Meters the upstream reports. Sorted.
    pub reports: Vec<Key>,
    /// Units assumed before the request.
    pub estimates: BTreeMap<Key, Units>,
    /// The action's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Key>,
    /// The backend's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<Key>,
    /// Answers that count; sorted, disjoint, not adjacent.
    pub status_codes: Vec<StatusRange>,
    /// Whether anything is metered.
    pub metered: bool,
}

impl Route {
    /// The route as its author writes it: `METHOD /path`.
    pub fn name(&self) -> String {
        format!("{} {}", self.method.as_str(), self.path)
    }
}

/// A lowered plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Plan {
    /// Its key.
    pub key: Key,
    /// A name for people.
    pub name: String,
    /// Recurring fee per interval, in cents.
    pub recurring_fee_cents: Cents,
    /// Currency.
    pub currency: Currency,
    /// Billing interval.
    pub interval: BillingInterval,
    /// When the fee is charged.
    #[serde(default, skip_serializing_if = "Billed::is_default")]
    pub billed: Billed,
    /// Length of a period, where it is not the billing interval: months of usage in a year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage_interval: Option<BillingInterval>,
    /// The fee of a subscription's beginning, where that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intro: Option<Intro>,
    /// Rate limits, in declaration order.
    pub limits: Vec<RateLimit>,
    /// Caps by resource, from `caps` and count limits.
    pub capability_limits: BTreeMap<Key, u64>,
    /// Prices of units, in declaration order.
    pub meters: Vec<MeterPrice>,
    /// Free units that several meters use up together.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pools: BTreeMap<Key, UnitPool>,
    /// Grants, in declaration order.
    pub grants: Vec<Grant>,
    /// Capabilities granted, with and without limits. Sorted, distinct.
    pub capabilities: Vec<Key>,
    /// Features opened or closed by key.
    pub feature_gates: BTreeMap<Key, bool>,
    /// Trial, in days.
    pub trial_days: u32,
    /// Most a month may cost, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_monthly_spend_cents: Option<Cents>,
    /// Least a month costs, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_monthly_spend_cents: Option<Cents>,
    /// What happens past the cap.
    pub overage_behavior: OverageBehavior,
    /// Whether subscribers may take it by themselves.
    pub self_serve_enabled: bool,
    /// Whether it is only kept for old subscribers.
    pub legacy: bool,
    /// When it stops taking subscribers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<Archive>,
    /// What its subscribers see of money.
    pub spend_policy: SpendPolicy,
    /// What the plan's `raw` adds.
    pub raw: Map<String, Json>,
}

impl Plan {
    /// How long its periods are.
    pub fn period_interval(&self) -> BillingInterval {
        self.usage_interval.unwrap_or(self.interval)
    }

    /// For how many periods its fee is.
    pub fn periods_per_fee(&self) -> u32 {
        match (self.interval, self.usage_interval) {
            (BillingInterval::Year, Some(BillingInterval::Month)) => MONTHS_PER_YEAR,
            _ => 1,
        }
    }

    /// The meters whose quantities tell what it costs: those it prices, and those that free units go by or that use them up.
    pub fn metered(&self) -> impl Iterator<Item = &Key> {
        let each = |price| [Some(MeterPrice::meter(price)), price.included().per()];
        let pooled = self.pools.values().flat_map(|pool| pool.meters.keys());
        self.meters.iter().flat_map(each).flatten().chain(pooled)
    }
}

/// Months in a year.
const MONTHS_PER_YEAR: u32 = 12;

/// A rate limit on one dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RateLimit {
    /// A meter's key, or `requests`.
    pub dimension: Key,
    /// Units per interval.
    pub rate: Units,
    /// The interval.
    pub interval: RateInterval,
    /// What it does.
    pub enforcement: Enforcement,
}

/// When a plan stops taking subscribers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Archive {
    /// The moment.
    pub at: ArchiveAt,
}

/// What a plan's subscribers see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SpendPolicy {
    /// Which shape the preview has.
    pub disclosure: Disclosure,
}

/// Access metadata that plans and code share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Entitlement {
    /// Its key.
    pub key: Key,
    /// Capabilities in it.
    pub capabilities: Vec<Key>,
    /// Features opened or closed by key.
    pub feature_gates: BTreeMap<Key, bool>,
    /// Rate limits, in declaration order.
    pub limits: Vec<RateLimit>,
    /// Caps by resource.
    pub capability_limits: BTreeMap<Key, u64>,
    /// Meters in it.
    pub meters: Vec<Key>,
}

/// A workflow that no HTTP request starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Workflow {
    /// Its key.
    pub key: Key,
    /// Its kind, such as `scheduled_job`.
    pub kind: String,
    /// What starts it: a name or a description in plain JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<Json>,
    /// Capabilities it needs.
    pub capabilities: Vec<Key>,
    /// Meters it reports.
    pub meters: Vec<Key>,
    /// Units assumed before a run.
    pub estimates: BTreeMap<Key, Units>,
}

/// A backend that routes bind to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Backend {
    /// Its id.
    pub id: Key,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A short name for addresses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// Its URL; the product's origin unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin_url: Option<String>,
    /// How it is reached.
    pub transport: Transport,
    /// Whether it must prove who it is.
    pub verification: Verification,
    /// Meters it may report; all where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meters: Option<Vec<Key>>,
    /// Whether routes without a backend go to it.
    pub default: bool,
}

/// How a backend is reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Transport {
    /// Directly or through a tunnel.
    pub mode: TransportMode,
}

/// Whether a backend must prove who it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Verification {
    /// It must.
    pub required: bool,
}

/// A policy layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Policy {
    /// Its name.
    pub name: Key,
    /// Its kind.
    pub kind: PolicyKind,
    /// Its settings, the author's own.
    pub config: Json,
}

/// Navigation and pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Frontend {
    /// Entries of the navigation.
    pub nav: Vec<NavEntry>,
    /// Pages.
    pub pages: Vec<Page>,
}

/// An entry of the navigation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NavEntry {
    /// Text.
    pub label: String,
    /// Page it leads to.
    pub path: String,
    /// Capability it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability: Option<Key>,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Page {
    /// Where it is.
    pub path: String,
    /// Title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether one must be signed in.
    pub requires_auth: bool,
    /// Capability it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability: Option<Key>,
    /// What is on it.
    pub components: Vec<Component>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Component {
    /// Its kind, such as `usage_card`.
    pub component: String,
    /// Its settings, plain JSON.
    pub props: Map<String, Json>,
    /// Capability it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability: Option<Key>,
    /// What is shown without the capability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate_mode: Option<GateMode>,
}
