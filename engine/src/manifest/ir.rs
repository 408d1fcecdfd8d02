//! The types of the Manifest IR, version 1. Every field is documented here and nowhere else; the JSON Schema is made from
//! these types. Nothing here knows the author's source or how a number came about.
//!
//! Collections named "sorted" are sorted by key, so their order in the source does not count; all others keep the
//! author's order. Absent optional fields are left out; empty collections are there and empty.

use crate::money::amount::{Cents, Micros};
use crate::money::units::Units;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroU32;
use strum::{IntoStaticStr, VariantArray};

/// The form of the IR this engine makes and takes.
pub const IR_VERSION: u32 = 1;
/// Longest key, in characters.
pub const KEY_MAX_CHARS: usize = 64;

/// A key of a declaration: `^[a-z][a-z0-9_.-]{0,63}$`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(String);

impl Key {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key as a name for people: `cpu_seconds` as `Cpu Seconds`.
    pub fn title_case(&self) -> String {
        let words = self.0.split(['_', '-', '.']).filter(|word| !word.is_empty()).map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

impl TryFrom<String> for Key {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let rest_ok =
            text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.' | b'-'));
        if rest_ok && text.len() <= KEY_MAX_CHARS && text.starts_with(|c: char| c.is_ascii_lowercase()) {
            Ok(Key(text))
        } else {
            Err(format!("the key {text:?} does not match ^[a-z][a-z0-9_.-]{{0,63}}$"))
        }
    }
}

impl From<Key> for String {
    fn from(key: Key) -> String {
        key.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl JsonSchema for Key {
    fn schema_name() -> Cow<'static, str> {
        "Key".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[a-z][a-z0-9_.-]{0,63}$" })
    }
}

/// A closed set of named values that an option takes. Each name is the variant's own, in the case its type gives.
pub trait ClosedSet: Copy + VariantArray + Into<&'static str> {
    /// The value as JSON has it.
    fn as_str(self) -> &'static str {
        self.into()
    }

    /// Every value, in the order of its type.
    fn all() -> &'static [Self] {
        Self::VARIANTS
    }

    /// The value of this name.
    fn named(text: &str) -> Option<Self> {
        Self::VARIANTS.iter().copied().find(|value| value.as_str() == text)
    }
}

impl<T: Copy + VariantArray + Into<&'static str>> ClosedSet for T {}

/// A customer-facing surface's type.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SurfaceType {
    /// A web front end.
    Frontend,
    /// A programming interface.
    Api,
    /// Documentation.
    Docs,
    /// An embedded widget.
    Widget,
    /// A webhook sender.
    Webhook,
    /// A background worker.
    Worker,
    /// An agent.
    Agent,
    /// A dashboard.
    Dashboard,
}

/// How a meter's reports make one quantity per window.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Aggregation {
    /// The sum of all units.
    Sum,
    /// The number of reports.
    Count,
    /// The largest report.
    Max,
    /// The newest report.
    Last,
    /// The number of distinct `uniqueKey`s.
    Unique,
    /// The level that the newest report set, for as long as it holds: over the period's end too, until the next report.
    TimeWeighted,
}

/// The interval of a rate limit.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RateInterval {
    /// A second.
    Second,
    /// A minute.
    Minute,
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A week.
    Week,
    /// A month.
    Month,
}

/// What a limit does when it is reached.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Enforcement {
    /// Blocks.
    Enforce,
    /// Records only.
    Track,
}

/// The billing interval of a plan.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum BillingInterval {
    /// A calendar month from the anchor.
    Month,
    /// A calendar year from the anchor.
    Year,
}

/// When a recurring fee is charged.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Billed {
    /// When what it is for has ended.
    #[default]
    Arrears,
    /// Before what it is for begins.
    Advance,
}

/// A fee for the beginning of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Intro {
    /// The fee, in cents: less than the plan's.
    pub amount_cents: Cents,
    /// How many fees it stands for, from the first that is charged: one or more.
    pub periods: NonZeroU32,
}

impl Billed {
    fn is_default(&self) -> bool {
        *self == Billed::default()
    }
}

/// The currency of every amount.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Currency {
    /// US dollars.
    Usd,
}

/// What happens past the included units or the spend cap.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum OverageBehavior {
    /// Deny.
    Block,
    /// Go on and bill.
    AllowAndBill,
}

/// What a plan's subscribers may see of money.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Disclosure {
    /// Windows, totals and nanodollars.
    Transparent,
    /// Only how much of each allowance is left, in a form without money.
    Opaque,
}

/// Where a bucket's money comes from; also its place in the order of drawing.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum GrantKind {
    /// Part of the plan.
    Included,
    /// A promotion.
    Promo,
    /// A referral.
    Referral,
    /// Bought in advance.
    Prepaid,
}

/// How a backend is reached.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TransportMode {
    /// By its URL.
    Direct,
    /// Through a tunnel the backend opens.
    Tunnel,
}

/// A policy layer's kind.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PolicyKind {
    /// Authentication or authorisation.
    Auth,
    /// Rate limiting.
    RateLimit,
    /// The product's own.
    Custom,
}

/// When a capability may change under a subscriber.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum MutationClass {
    /// At run time.
    Runtime,
    /// Only with the contract.
    Contractual,
}

/// A gateway route's method.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub enum Method {
    /// GET.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// PATCH.
    Patch,
    /// DELETE.
    Delete,
    /// HEAD.
    Head,
    /// OPTIONS.
    Options,
}

/// How a resource is counted.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CountSource {
    /// From the effects of actions.
    ActionInferred,
}

/// When an archived plan stops taking subscribers.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ArchiveAt {
    /// When the release is published.
    Publish,
}

/// How a component shows what the subscriber lacks.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum GateMode {
    /// Offers the plan that has it.
    Upsell,
    /// Leaves it out.
    Hide,
}

/// What an action does to a resource's count.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ResourceEffect {
    /// One more.
    Create,
    /// One less.
    Delete,
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

/// How what is not a whole `per` is charged.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Rounding {
    /// Each started `per` is charged whole.
    Up,
}

/// One step of a tiered price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tier {
    /// Last unit of the tier; nothing for the open last tier.
    pub up_to: Option<u64>,
    /// Micro-dollars per `per` units.
    pub micros: Micros,
    /// Units one price is for; at least 1.
    pub per: PerUnits,
    /// Micro-dollars for the tier itself, once a quantity is in it (`volume`) or has begun it (`graduated`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flat_micros: Option<Micros>,
    /// Whether each started `per` is charged whole; proportional where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Rounding>,
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

/// Where an action's subject id comes from.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SubjectSource {
    /// A path parameter.
    PathParam,
}

/// How many units one price is for: 1 to 2^53 − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct PerUnits(u64);

impl JsonSchema for PerUnits {
    fn schema_name() -> Cow<'static, str> {
        "PerUnits".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 1, "maximum": crate::money::amount::SAFE_INTEGER_MAX })
    }
}

impl PerUnits {
    /// Each unit by itself.
    pub const ONE: PerUnits = PerUnits(1);

    /// The number of units.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for PerUnits {
    type Error = &'static str;
    fn try_from(value: u64) -> Result<Self, &'static str> {
        match value {
            1..=crate::money::amount::SAFE_INTEGER_MAX => Ok(PerUnits(value)),
            _ => Err("`per` is an integer from 1 to 2^53 − 1"),
        }
    }
}

impl From<PerUnits> for u64 {
    fn from(value: PerUnits) -> u64 {
        value.0
    }
}

/// Units of a meter that are free in a period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Included {
    /// So many.
    Units(Units),
    /// So many for each unit of another meter.
    Each(IncludedEach),
}

/// Free units for each unit that another meter comes to in the period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IncludedEach {
    /// The other meter.
    pub per: Key,
    /// Free units for each of its units.
    pub units: Units,
}

impl Default for Included {
    fn default() -> Included {
        Included::Units(Units::ZERO)
    }
}

impl Included {
    /// Whether nothing is included.
    pub fn is_nothing(&self) -> bool {
        *self == Included::default()
    }

    /// The meter that the free units go by.
    pub fn per(&self) -> Option<&Key> {
        match self {
            Included::Units(_) => None,
            Included::Each(each) => Some(&each.per),
        }
    }

    /// The free units, where they are a number of their own.
    pub fn fixed(&self) -> Option<Units> {
        match self {
            Included::Units(units) => Some(*units),
            Included::Each(_) => None,
        }
    }
}

/// Free units of a period that several meters use up together, in the order in which their usage is admitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UnitPool {
    /// How many.
    pub units: Units,
    /// The meters, with how many of the pool's units one of theirs takes.
    pub meters: BTreeMap<Key, PerUnits>,
}

/// Rates of a meter's cells: micro-dollars, or for each value of the next attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Rates {
    /// Of one cell.
    Micros(Micros),
    /// By value.
    By(BTreeMap<String, Rates>),
}

impl Rates {
    /// Every cell that has a rate: the values of the attributes, outermost first, and the rate.
    pub fn cells_of(rates: &BTreeMap<String, Rates>) -> Vec<(Vec<String>, Micros)> {
        let mut cells = Vec::new();
        collect(rates, &mut Vec::new(), &mut cells);
        cells
    }
}

fn collect(rates: &BTreeMap<String, Rates>, values: &mut Vec<String>, cells: &mut Vec<(Vec<String>, Micros)>) {
    for (value, inner) in rates {
        values.push(value.clone());
        match inner {
            Rates::Micros(micros) => cells.push((values.clone(), *micros)),
            Rates::By(rates) => collect(rates, values, cells),
        }
        values.pop();
    }
}

/// What a plan charges for a meter's units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind", deny_unknown_fields)]
pub enum MeterPrice {
    /// One price for every unit past the included ones.
    Linear {
        /// The meter.
        meter: Key,
        /// Micro-dollars per `per` units.
        micros: Micros,
        /// Units one price is for.
        per: PerUnits,
        /// Free units per period.
        included_units: Included,
        /// Whether each started `per` is charged whole; proportional where absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<Rounding>,
        /// Least that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        min_cents: Option<Cents>,
        /// Most that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_cents: Option<Cents>,
    },
    /// A rate of its own for each cell: each combination of the values of the meter's attributes. What has none can't be used.
    Rates {
        /// The meter.
        meter: Key,
        /// Units one price is for.
        per: PerUnits,
        /// Whether each started `per` is charged whole; proportional where absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<Rounding>,
        /// By the value of the first attribute, inside by that of the second, and so on.
        rates: BTreeMap<String, Rates>,
    },
    /// Each tier's units at the tier's price.
    Graduated {
        /// The meter.
        meter: Key,
        /// Ascending; the last one is open.
        tiers: Vec<Tier>,
        /// Free units per period, used before the first tier begins.
        #[serde(default, skip_serializing_if = "Included::is_nothing")]
        included_units: Included,
        /// Least that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        min_cents: Option<Cents>,
        /// Most that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_cents: Option<Cents>,
    },
    /// All units at the price of the tier the quantity falls in.
    Volume {
        /// The meter.
        meter: Key,
        /// Ascending; the last one is open.
        tiers: Vec<Tier>,
        /// Free units per period, used before the first tier begins.
        #[serde(default, skip_serializing_if = "Included::is_nothing")]
        included_units: Included,
        /// Least that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        min_cents: Option<Cents>,
        /// Most that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_cents: Option<Cents>,
    },
}

impl Surface {
    /// What tells it from the other surfaces: the member's name and the type.
    pub fn id(&self) -> String {
        format!("{}.{}", self.name, self.r#type.as_str())
    }
}

impl Route {
    /// The route as its author writes it: `METHOD /path`.
    pub fn name(&self) -> String {
        format!("{} {}", self.method.as_str(), self.path)
    }
}

impl Plan {
    /// The meters whose quantities tell what it costs: those it prices, and those that free units go by or that use them up.
    pub fn metered(&self) -> impl Iterator<Item = &Key> {
        let each = |price| [Some(MeterPrice::meter(price)), price.included().per()];
        let pooled = self.pools.values().flat_map(|pool| pool.meters.keys());
        self.meters.iter().flat_map(each).flatten().chain(pooled)
    }
}

impl MeterPrice {
    /// The meter it prices.
    pub fn meter(&self) -> &Key {
        match self {
            MeterPrice::Linear { meter, .. }
            | MeterPrice::Rates { meter, .. }
            | MeterPrice::Graduated { meter, .. }
            | MeterPrice::Volume { meter, .. } => meter,
        }
    }

    /// Units that are free in a period.
    pub fn included(&self) -> &Included {
        /// Of rates by cell nothing is free by itself; a pool may make it so.
        const NOTHING: &Included = &Included::Units(Units::ZERO);
        match self {
            MeterPrice::Rates { .. } => NOTHING,
            MeterPrice::Linear { included_units, .. }
            | MeterPrice::Graduated { included_units, .. }
            | MeterPrice::Volume { included_units, .. } => included_units,
        }
    }

    /// Its tiers; none where there is one price for all units.
    pub fn tiers(&self) -> &[Tier] {
        match self {
            MeterPrice::Linear { .. } | MeterPrice::Rates { .. } => &[],
            MeterPrice::Graduated { tiers, .. } | MeterPrice::Volume { tiers, .. } => tiers,
        }
    }

    /// Least and most that the meter costs in a period.
    pub fn bounds(&self) -> (Option<Cents>, Option<Cents>) {
        match self {
            MeterPrice::Rates { .. } => (None, None),
            MeterPrice::Linear { min_cents, max_cents, .. }
            | MeterPrice::Graduated { min_cents, max_cents, .. }
            | MeterPrice::Volume { min_cents, max_cents, .. } => (*min_cents, *max_cents),
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn names_are_those_of_json<T: ClosedSet + Serialize + PartialEq + fmt::Debug>() {
        assert!(!T::all().is_empty());
        for value in T::all().iter().copied() {
            assert_eq!(serde_json::to_value(value).unwrap(), value.as_str());
            assert_eq!(T::named(value.as_str()), Some(value));
        }
        assert_eq!(T::named("nothing of the kind"), None);
    }

    #[test]
    fn closed_sets_have_one_name_each_in_options_and_in_json() {
        names_are_those_of_json::<SurfaceType>();
        names_are_those_of_json::<Aggregation>();
        names_are_those_of_json::<RateInterval>();
        names_are_those_of_json::<Enforcement>();
        names_are_those_of_json::<BillingInterval>();
        names_are_those_of_json::<Billed>();
        names_are_those_of_json::<Currency>();
        names_are_those_of_json::<OverageBehavior>();
        names_are_those_of_json::<Disclosure>();
        names_are_those_of_json::<GrantKind>();
        names_are_those_of_json::<TransportMode>();
        names_are_those_of_json::<PolicyKind>();
        names_are_those_of_json::<MutationClass>();
        names_are_those_of_json::<Method>();
        names_are_those_of_json::<CountSource>();
        names_are_those_of_json::<ArchiveAt>();
        names_are_those_of_json::<GateMode>();
        names_are_those_of_json::<ResourceEffect>();
        names_are_those_of_json::<SubjectSource>();
        names_are_those_of_json::<Rounding>();
        names_are_those_of_json::<Code>();
    }
}
