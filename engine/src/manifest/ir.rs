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
use std::collections::BTreeMap;
use std::fmt;

/// The form of the IR this engine makes and takes.
pub const IR_VERSION: u32 = 1;
/// Longest key, in characters.
pub const KEY_MAX_CHARS: usize = 64;

/// The IR's fields that hold what was declared, in its order.
pub const RESOURCES: &[&str] = &[
    "product",
    "surfaces",
    "meters",
    "resources",
    "capabilities",
    "features",
    "routes",
    "plans",
    "entitlements",
    "workflows",
    "backends",
    "policies",
    "frontend",
    "raw",
];

/// A key of a declaration: `^[a-z][a-z0-9_.-]{0,63}$`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(String);

impl Key {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
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

macro_rules! closed_set {
    ($(#[$doc:meta])+ $name:ident { $($(#[$vdoc:meta])+ $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name { $($(#[$vdoc])+ #[serde(rename = $text)] $variant,)+ }

        impl ClosedSet for $name {
            const CHOICES: &'static [(&'static str, Self)] = &[$(($text, $name::$variant),)+];
        }

        impl $name {
            /// The value as it is written.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }
        }
    };
}

/// A set of named values an option takes.
pub trait ClosedSet: Copy + 'static {
    /// Every value with its written form.
    const CHOICES: &'static [(&'static str, Self)];
}

closed_set! {
    /// A customer-facing surface's type.
    SurfaceType {
        /// A web front end.
        Frontend = "frontend",
        /// A programming interface.
        Api = "api",
        /// Documentation.
        Docs = "docs",
        /// An embedded widget.
        Widget = "widget",
        /// A webhook sender.
        Webhook = "webhook",
        /// A background worker.
        Worker = "worker",
        /// An agent.
        Agent = "agent",
        /// A dashboard.
        Dashboard = "dashboard",
    }
}
closed_set! {
    /// How a meter's reports make one quantity per window.
    Aggregation {
        /// The sum of all units.
        Sum = "sum",
        /// The number of reports.
        Count = "count",
        /// The largest report.
        Max = "max",
        /// The newest report.
        Last = "last",
        /// The number of distinct `uniqueKey`s.
        Unique = "unique",
    }
}
closed_set! {
    /// The interval of a rate limit.
    RateInterval {
        /// A second.
        Second = "second",
        /// A minute.
        Minute = "minute",
        /// An hour.
        Hour = "hour",
        /// A day.
        Day = "day",
        /// A week.
        Week = "week",
        /// A month.
        Month = "month",
    }
}
closed_set! {
    /// What a limit does when it is reached.
    Enforcement {
        /// Blocks.
        Enforce = "enforce",
        /// Records only.
        Track = "track",
    }
}
closed_set! {
    /// The billing interval of a plan.
    BillingInterval {
        /// A calendar month from the anchor.
        Month = "month",
        /// A calendar year from the anchor.
        Year = "year",
    }
}
closed_set! {
    /// The currency of every amount.
    Currency {
        /// US dollars.
        Usd = "usd",
    }
}
closed_set! {
    /// What happens past the included units or the spend cap.
    OverageBehavior {
        /// Deny.
        Block = "block",
        /// Go on and bill.
        AllowAndBill = "allow_and_bill",
    }
}
closed_set! {
    /// What a plan's subscribers may see of money.
    Disclosure {
        /// Windows, totals and nanodollars.
        Transparent = "transparent",
        /// Only how much of each allowance is left, in a form without money.
        Opaque = "opaque",
    }
}
closed_set! {
    /// Where a bucket's money comes from; also its place in the order of drawing.
    GrantKind {
        /// Part of the plan.
        Included = "included",
        /// A promotion.
        Promo = "promo",
        /// A referral.
        Referral = "referral",
        /// Bought in advance.
        Prepaid = "prepaid",
    }
}
closed_set! {
    /// How a backend is reached.
    TransportMode {
        /// By its URL.
        Direct = "direct",
        /// Through a tunnel the backend opens.
        Tunnel = "tunnel",
    }
}
closed_set! {
    /// A policy layer's kind.
    PolicyKind {
        /// Authentication or authorisation.
        Auth = "auth",
        /// Rate limiting.
        RateLimit = "rate_limit",
        /// The product's own.
        Custom = "custom",
    }
}
closed_set! {
    /// When a capability may change under a subscriber.
    MutationClass {
        /// At run time.
        Runtime = "runtime",
        /// Only with the contract.
        Contractual = "contractual",
    }
}
closed_set! {
    /// A gateway route's method.
    Method {
        /// GET.
        Get = "GET",
        /// POST.
        Post = "POST",
        /// PUT.
        Put = "PUT",
        /// PATCH.
        Patch = "PATCH",
        /// DELETE.
        Delete = "DELETE",
        /// HEAD.
        Head = "HEAD",
        /// OPTIONS.
        Options = "OPTIONS",
    }
}
closed_set! {
    /// How a resource is counted.
    CountSource {
        /// From the effects of actions.
        ActionInferred = "action_inferred",
    }
}
closed_set! {
    /// When an archived plan stops taking subscribers.
    ArchiveAt {
        /// When the release is published.
        Publish = "publish",
    }
}
closed_set! {
    /// How a component shows what the subscriber lacks.
    GateMode {
        /// Offers the plan that has it.
        Upsell = "upsell",
        /// Leaves it out.
        Hide = "hide",
    }
}
closed_set! {
    /// What an action does to a resource's count.
    ResourceEffect {
        /// One more.
        Create = "create",
        /// One less.
        Delete = "delete",
    }
}

macro_rules! records {
    ($($(#[$doc:meta])+ $name:ident { $($(#[$fdoc:meta])+ $field:ident: $type:ty,)* })+) => {
        $(
            $(#[$doc])+
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(rename_all = "camelCase", deny_unknown_fields)]
            pub struct $name { $($(#[$fdoc])+ pub $field: $type,)* }
        )+
    };
}

records! {
    /// A whole product.
    Manifest {
        /// Always [`IR_VERSION`].
        ir_version: u32,
        /// Version of the authoring package.
        sdk_version: String,
        /// The product itself.
        product: Product,
        /// In declaration order.
        surfaces: Vec<Surface>,
        /// Sorted.
        meters: Vec<Meter>,
        /// Sorted.
        resources: Vec<Resource>,
        /// Sorted.
        capabilities: Vec<Capability>,
        /// In declaration order.
        features: Vec<Feature>,
        /// All features' routes in declaration order: the first match wins.
        routes: Vec<Route>,
        /// Sorted.
        plans: Vec<Plan>,
        /// Sorted.
        entitlements: Vec<Entitlement>,
        /// Sorted.
        workflows: Vec<Workflow>,
        /// Sorted.
        backends: Vec<Backend>,
        /// Sorted.
        policies: Vec<Policy>,
        /// Navigation and pages.
        frontend: Frontend,
        /// What `@Raw` adds, merged.
        raw: Map<String, Json>,
    }

    /// The product's own fields.
    Product {
        /// Its name; the class's unless given.
        name: String,
        /// The business-logic origin the service calls.
        origin: String,
        /// A name for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        display_name: Option<String>,
        /// A description for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// Whether 4xx answers are billed like 2xx ones.
        #[serde(rename = "billOn4xx")]
        bill_on_4xx: bool,
    }

    /// A customer-facing surface.
    Surface {
        /// The member's name.
        name: String,
        /// Its type.
        r#type: SurfaceType,
        /// A title for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Where it is found.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// The capability it needs.
        #[serde(skip_serializing_if = "Option::is_none")]
        capability: Option<Key>,
    }

    /// A billable or enforceable dimension.
    Meter {
        /// Its key.
        key: Key,
        /// A name for people.
        display: String,
        /// What is counted.
        #[serde(skip_serializing_if = "Option::is_none")]
        unit: Option<String>,
        /// Units assumed before a request.
        #[serde(skip_serializing_if = "Option::is_none")]
        estimate: Option<Units>,
        /// Units added to every metered route.
        #[serde(skip_serializing_if = "Option::is_none")]
        route_default: Option<Units>,
        /// How reports make one quantity.
        aggregation: Aggregation,
        /// Whether the platform feeds it (`@Requests`).
        managed: bool,
        /// Window of the managed meter's own limit.
        #[serde(skip_serializing_if = "Option::is_none")]
        window: Option<RateInterval>,
        /// What the managed meter's own limit does.
        #[serde(skip_serializing_if = "Option::is_none")]
        enforcement_type: Option<Enforcement>,
    }

    /// A counted resource.
    Resource {
        /// Its name.
        name: Key,
        /// A name for people.
        display: String,
        /// How it is counted.
        count_source: CountSource,
    }

    /// A capability bundle.
    Capability {
        /// Its key.
        key: Key,
        /// A title for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// A description for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// Features it brings.
        includes_features: Vec<Key>,
        /// Policies it brings.
        includes_policies: Vec<Key>,
        /// Capabilities it brings.
        includes_capabilities: Vec<Key>,
        /// When it may change.
        #[serde(skip_serializing_if = "Option::is_none")]
        mutation_class: Option<MutationClass>,
    }

    /// A feature; its routes stand in [`Manifest::routes`].
    Feature {
        /// Its key.
        key: Key,
        /// A description for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// Plans that grant it.
        plans: Vec<Key>,
        /// Policies on its routes.
        policies: Vec<Key>,
        /// What its routes do.
        actions: Vec<Action>,
    }

    /// What a route does, for people and for counting resources.
    Action {
        /// Its id.
        id: Key,
        /// Its kind, such as `mutation`.
        kind: String,
        /// A title for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// What it acts on.
        #[serde(skip_serializing_if = "Option::is_none")]
        subject: Option<ActionSubject>,
        /// The resource it counts.
        #[serde(skip_serializing_if = "Option::is_none")]
        resource: Option<ActionResource>,
        /// How much of it is recorded.
        #[serde(skip_serializing_if = "Option::is_none")]
        audit: Option<String>,
    }

    /// What an action acts on.
    ActionSubject {
        /// What kind of thing.
        r#type: String,
        /// Where its id comes from: `path_param`.
        from: SubjectSource,
        /// The path parameter's name.
        name: String,
    }

    /// A count that an action changes.
    ActionResource {
        /// The resource.
        resource: Key,
        /// The change.
        effect: ResourceEffect,
    }

    /// An inclusive range of HTTP status codes.
    StatusRange {
        /// First code.
        from: u16,
        /// Last code.
        to: u16,
    }

    /// A gateway route with everything it costs.
    Route {
        /// Method.
        method: Method,
        /// Path; parameters in braces.
        path: String,
        /// The feature that declares it.
        feature: Key,
        /// Units per request by meter: defaults and own costs summed.
        costs: BTreeMap<Key, Units>,
        /// Meters the upstream reports. Sorted.
        reports: Vec<Key>,
        /// Units assumed before the request.
        estimates: BTreeMap<Key, Units>,
        /// The action's id.
        #[serde(skip_serializing_if = "Option::is_none")]
        action: Option<Key>,
        /// The backend's id.
        #[serde(skip_serializing_if = "Option::is_none")]
        backend: Option<Key>,
        /// Answers that count; sorted, disjoint, not adjacent.
        status_codes: Vec<StatusRange>,
        /// Whether anything is metered.
        metered: bool,
    }

    /// A lowered plan.
    Plan {
        /// Its key.
        key: Key,
        /// A name for people.
        name: String,
        /// Recurring fee per interval, in cents.
        recurring_fee_cents: Cents,
        /// Currency.
        currency: Currency,
        /// Billing interval.
        interval: BillingInterval,
        /// Rate limits, in declaration order.
        limits: Vec<RateLimit>,
        /// Caps by resource, from `caps` and count limits.
        capability_limits: BTreeMap<Key, u64>,
        /// Prices of units, in declaration order.
        meters: Vec<MeterPrice>,
        /// Grants, in declaration order.
        grants: Vec<Grant>,
        /// Capabilities granted, with and without limits. Sorted, distinct.
        capabilities: Vec<Key>,
        /// Features opened or closed by key.
        feature_gates: BTreeMap<Key, bool>,
        /// Trial, in days.
        trial_days: u32,
        /// Most a month may cost, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_monthly_spend_cents: Option<Cents>,
        /// Least a month costs, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        min_monthly_spend_cents: Option<Cents>,
        /// What happens past the cap.
        overage_behavior: OverageBehavior,
        /// Whether subscribers may take it by themselves.
        self_serve_enabled: bool,
        /// Whether it is only kept for old subscribers.
        legacy: bool,
        /// When it stops taking subscribers.
        #[serde(skip_serializing_if = "Option::is_none")]
        archive: Option<Archive>,
        /// What its subscribers see of money.
        spend_policy: SpendPolicy,
        /// What the plan's `raw` adds.
        raw: Map<String, Json>,
    }

    /// A rate limit on one dimension.
    RateLimit {
        /// A meter's key, or `requests`.
        dimension: Key,
        /// Units per interval.
        rate: Units,
        /// The interval.
        interval: RateInterval,
        /// What it does.
        enforcement: Enforcement,
    }

    /// One step of a tiered price.
    Tier {
        /// Last unit of the tier; nothing for the open last tier.
        up_to: Option<u64>,
        /// Micro-dollars per `per` units.
        micros: Micros,
        /// Units one price is for; at least 1.
        per: PerUnits,
    }

    /// When a plan stops taking subscribers.
    Archive {
        /// The moment.
        at: ArchiveAt,
    }

    /// What a plan's subscribers see.
    SpendPolicy {
        /// Which shape the preview has.
        disclosure: Disclosure,
    }

    /// Access metadata that plans and code share.
    Entitlement {
        /// Its key.
        key: Key,
        /// Capabilities in it.
        capabilities: Vec<Key>,
        /// Features opened or closed by key.
        feature_gates: BTreeMap<Key, bool>,
        /// Rate limits, in declaration order.
        limits: Vec<RateLimit>,
        /// Caps by resource.
        capability_limits: BTreeMap<Key, u64>,
        /// Meters in it.
        meters: Vec<Key>,
    }

    /// A workflow that no HTTP request starts.
    Workflow {
        /// Its key.
        key: Key,
        /// Its kind, such as `scheduled_job`.
        kind: String,
        /// What starts it: a name or a description in plain JSON.
        #[serde(skip_serializing_if = "Option::is_none")]
        trigger: Option<Json>,
        /// Capabilities it needs.
        capabilities: Vec<Key>,
        /// Meters it reports.
        meters: Vec<Key>,
        /// Units assumed before a run.
        estimates: BTreeMap<Key, Units>,
    }

    /// A backend that routes bind to.
    Backend {
        /// Its id.
        id: Key,
        /// A name for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// A short name for addresses.
        #[serde(skip_serializing_if = "Option::is_none")]
        slug: Option<String>,
        /// Its URL; the product's origin unless given.
        #[serde(skip_serializing_if = "Option::is_none")]
        origin_url: Option<String>,
        /// How it is reached.
        transport: Transport,
        /// Whether it must prove who it is.
        verification: Verification,
        /// Meters it may report; all where absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        meters: Option<Vec<Key>>,
        /// Whether routes without a backend go to it.
        default: bool,
    }

    /// How a backend is reached.
    Transport {
        /// Directly or through a tunnel.
        mode: TransportMode,
    }

    /// Whether a backend must prove who it is.
    Verification {
        /// It must.
        required: bool,
    }

    /// A policy layer.
    Policy {
        /// Its name.
        name: Key,
        /// Its kind.
        kind: PolicyKind,
        /// Its settings, the author's own.
        config: Json,
    }

    /// Navigation and pages.
    Frontend {
        /// Entries of the navigation.
        nav: Vec<NavEntry>,
        /// Pages.
        pages: Vec<Page>,
    }

    /// An entry of the navigation.
    NavEntry {
        /// Text.
        label: String,
        /// Page it leads to.
        path: String,
        /// Capability it needs.
        #[serde(skip_serializing_if = "Option::is_none")]
        capability: Option<Key>,
    }

    /// A page.
    Page {
        /// Where it is.
        path: String,
        /// Title.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Whether one must be signed in.
        requires_auth: bool,
        /// Capability it needs.
        #[serde(skip_serializing_if = "Option::is_none")]
        capability: Option<Key>,
        /// What is on it.
        components: Vec<Component>,
    }

    /// A part of a page.
    Component {
        /// Its kind, such as `usage_card`.
        component: String,
        /// Its settings, plain JSON.
        props: Map<String, Json>,
        /// Capability it needs.
        #[serde(skip_serializing_if = "Option::is_none")]
        capability: Option<Key>,
        /// What is shown without the capability.
        #[serde(skip_serializing_if = "Option::is_none")]
        gate_mode: Option<GateMode>,
    }
}

closed_set! {
    /// Where an action's subject id comes from.
    SubjectSource {
        /// A path parameter.
        PathParam = "path_param",
    }
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
        included_units: Units,
    },
    /// Each tier's units at the tier's price.
    Graduated {
        /// The meter.
        meter: Key,
        /// Ascending; the last one is open.
        tiers: Vec<Tier>,
    },
    /// All units at the price of the tier the quantity falls in.
    Volume {
        /// The meter.
        meter: Key,
        /// Ascending; the last one is open.
        tiers: Vec<Tier>,
    },
}

impl Surface {
    /// What tells it from the other surfaces: the member's name and the type.
    pub fn id(&self) -> String {
        format!("{}.{}", self.name, self.r#type.as_str())
    }
}

impl MeterPrice {
    /// The meter it prices.
    pub fn meter(&self) -> &Key {
        match self {
            MeterPrice::Linear { meter, .. }
            | MeterPrice::Graduated { meter, .. }
            | MeterPrice::Volume { meter, .. } => meter,
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
    },
    /// A grant the platform knows by name.
    Named {
        /// The name.
        name: String,
    },
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
