//! What endpoints answer, where a use case's own type is not it already. These types are what `/openapi.json` tells of.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use svc_core::actor::ROOT_OPERATOR;
use svc_core::audit::Audit;
use svc_core::explain::Explanation;
use svc_core::holds::Held;
use svc_core::invoices::{Closed, OwnInvoice, PeriodInvoice};
use svc_core::items::ItemResult;
use svc_core::migrations::{Migrated, MigrationStatus, PlanOffer, PlanVersion, PlannedMove};
use svc_core::own_most::Spend;
use svc_core::plan_changes::Changed;
use svc_core::portal_sessions::PortalLink;
use svc_core::releases::PublishPreview;
use svc_core::resources::ResourceCount;
use svc_core::tokens::MintedToken;
use svc_core::what_if_report::WhatIf;
use svc_engine::manifest::ir::BillingInterval;
use svc_engine::moment::Moment;
use svc_engine::money::amount::Cents;
use svc_engine::money::fee::IntroFee;
use svc_store::records::{
    AuditEntry, Business, Delivery, DeliveryOutcome, DeliveryState, EventReceiver, EventType, ForgeKind, Id,
    PortalLook, ReleaseEntry, Source, Subscription, Token, TokenScope,
};

/// A business.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BusinessMade {
    business_id: Id,
    /// A name for people.
    name: String,
    #[schemars(with = "Moment")]
    created_at: Timestamp,
}

impl From<Business> for BusinessMade {
    fn from(business: Business) -> Self {
        BusinessMade { business_id: business.id, name: business.name, created_at: business.created_at }
    }
}

/// What the token of a request opens.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnToken {
    /// Its id; null for the operator's token that the server was started with.
    token_id: Option<Id>,
    kind: &'static str,
    /// The business that it is of; null for an operator's.
    business_id: Option<Id>,
    /// The subscriber that it is for: of portal and gateway tokens.
    subject: Option<String>,
    /// What people call it.
    name: String,
    /// From when on it opens nothing; null for never.
    #[schemars(with = "Option<Moment>")]
    expires_at: Option<Timestamp>,
}

impl OwnToken {
    /// The operator's whose token the server was started with.
    pub(crate) fn root() -> Self {
        OwnToken {
            token_id: None,
            kind: TokenScope::Operator.kind(),
            business_id: None,
            subject: None,
            name: ROOT_OPERATOR.to_owned(),
            expires_at: None,
        }
    }
}

impl From<&Token> for OwnToken {
    fn from(token: &Token) -> Self {
        OwnToken {
            token_id: Some(token.id.clone()),
            kind: token.scope.kind(),
            business_id: token.business.clone(),
            subject: token.scope.subject().map(str::to_owned),
            name: token.name.clone(),
            expires_at: token.expires_at,
        }
    }
}

/// A token, without its text, which is kept nowhere.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenShown {
    token_id: Id,
    kind: &'static str,
    /// The subscriber that it is for: of portal and gateway tokens.
    subject: Option<String>,
    /// What people call it.
    name: String,
    #[schemars(with = "Moment")]
    created_at: Timestamp,
    /// From when on it opens nothing; null for never.
    #[schemars(with = "Option<Moment>")]
    expires_at: Option<Timestamp>,
    /// When it was used last, to ten minutes.
    #[schemars(with = "Option<Moment>")]
    last_used_at: Option<Timestamp>,
    /// When it was taken back.
    #[schemars(with = "Option<Moment>")]
    revoked_at: Option<Timestamp>,
}

impl From<&Token> for TokenShown {
    fn from(token: &Token) -> Self {
        TokenShown {
            token_id: token.id.clone(),
            kind: token.scope.kind(),
            subject: token.scope.subject().map(str::to_owned),
            name: token.name.clone(),
            created_at: token.created_at,
            expires_at: token.expires_at,
            last_used_at: token.last_used_at,
            revoked_at: token.revoked_at,
        }
    }
}

/// A token that was just made, with its text: this once.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TokenMade {
    /// The token itself.
    token: String,
    #[serde(flatten)]
    shown: TokenShown,
}

impl From<MintedToken> for TokenMade {
    fn from(minted: MintedToken) -> Self {
        TokenMade { shown: TokenShown::from(&minted.token), token: minted.text }
    }
}

/// A page of tokens, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TokenPage {
    pub(crate) tokens: Vec<TokenShown>,
    /// Where the next page begins; null where there is none.
    pub(crate) cursor: Option<Id>,
}

/// A page of operators, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OperatorPage {
    pub(crate) operators: Vec<TokenShown>,
    /// Where the next page begins; null where there is none.
    pub(crate) cursor: Option<Id>,
}

/// How many tokens were taken back.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Revoked {
    pub(crate) revoked: u64,
}

/// Who did something.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ActorShown {
    /// `operator`, a token's kind, `subscriber`, or `service` for what the service does by itself.
    kind: String,
    /// Their token's id, or the subscriber.
    id: Option<String>,
    /// What people call them.
    name: Option<String>,
}

/// Something that was done, and by whom.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AuditEntryShown {
    id: Id,
    #[schemars(with = "Moment")]
    at: Timestamp,
    actor: ActorShown,
    /// What was done, such as `credit.given`.
    action: String,
    /// The id of what it was done to.
    target: Option<String>,
    /// What else is to be known of it.
    detail: Option<Json>,
}

impl From<AuditEntry> for AuditEntryShown {
    fn from(entry: AuditEntry) -> Self {
        AuditEntryShown {
            id: entry.id,
            at: entry.at,
            actor: ActorShown { kind: entry.actor_kind, id: entry.actor, name: entry.actor_name },
            action: entry.action,
            target: entry.target,
            detail: entry.detail.and_then(|detail| serde_json::from_str(&detail).ok()),
        }
    }
}

/// A page of what was done, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AuditPage {
    pub(crate) entries: Vec<AuditEntryShown>,
    /// Where the next page begins; null where there is none.
    pub(crate) cursor: Option<Id>,
}

/// A diagnostic, as a build's answer has it.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "what is kept is answered as it is; this is its schema")]
pub(crate) struct DiagnosticShown {
    /// Stable code, upper snake case.
    code: String,
    severity: SeverityShown,
    message: String,
    /// What to write instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The value's name, such as `plans.starter.limits.requests.rate`.
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u32>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "a schema")]
enum SeverityShown {
    Error,
    Warning,
}

/// A build that gave an IR.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BuildEnded {
    pub(crate) build_id: Id,
    /// `sha256:…` of the IR.
    pub(crate) ir_hash: String,
    /// Warnings.
    #[schemars(with = "Vec<DiagnosticShown>")]
    pub(crate) diagnostics: Json,
    /// The commit that it is of, where that was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
}

/// A build that has not ended.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BuildWaits {
    pub(crate) build_id: Id,
    /// Null: there is none yet.
    pub(crate) ir_hash: Option<String>,
}

/// The sources of a build that failed.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BuildFiles {
    pub(crate) build_id: Id,
    /// Texts by path.
    #[schemars(with = "BTreeMap<String, String>")]
    pub(crate) files: Json,
}

/// What publishing would do.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DryRun {
    #[serde(flatten)]
    pub(crate) preview: PublishPreview,
    /// What it would do to each subscriber's bill, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) what_if: Option<WhatIf>,
}

/// The release that is active.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActiveRelease {
    pub(crate) release_id: Id,
    /// `sha256:…` of its IR.
    pub(crate) ir_hash: String,
    #[schemars(with = "Option<Moment>")]
    pub(crate) activated_at: Option<Timestamp>,
    /// The Manifest IR (docs/manifest.schema.json).
    #[schemars(with = "BTreeMap<String, Json>")]
    pub(crate) ir: Json,
}

/// A release, without its IR.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReleaseShown {
    release_id: Id,
    /// The build that it came from, which can be published again.
    build_id: Id,
    /// `sha256:…` of its IR.
    ir_hash: String,
    #[schemars(with = "Option<Moment>")]
    activated_at: Option<Timestamp>,
    /// Whether new subscriptions get it now.
    active: bool,
}

impl From<ReleaseEntry> for ReleaseShown {
    fn from(entry: ReleaseEntry) -> Self {
        let ReleaseEntry { id, build, ir_hash, activated_at, is_active } = entry;
        ReleaseShown { release_id: id, build_id: build, ir_hash, activated_at, active: is_active }
    }
}

/// A page of releases, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ReleasePage {
    pub(crate) releases: Vec<ReleaseShown>,
    /// Where the next page begins; null at the end.
    pub(crate) cursor: Option<Id>,
}

/// A page of the versions of plans, by plan and version.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Plans {
    pub(crate) plans: Vec<PlanVersion>,
    /// Where the next page begins; null at the end.
    pub(crate) cursor: Option<String>,
}

/// A page of what is counted of a subscriber's resources, by resource.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ResourceCounts {
    /// The subscriber.
    pub(crate) subject: String,
    /// By resource; those that were ever counted.
    pub(crate) resources: Vec<ResourceCount>,
    /// Where the next page begins; null at the end.
    pub(crate) cursor: Option<String>,
}

/// A page of migrations, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Migrations {
    pub(crate) migrations: Vec<MigrationStatus>,
    /// Where the next page begins; null at the end.
    pub(crate) cursor: Option<Id>,
}

/// A subscription.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubscriptionShown {
    subscription_id: Id,
    subject: String,
    plan: String,
    plan_version: u32,
    release_id: Id,
    recurring_fee_cents: Cents,
    /// What the next period begins with, where a move has set it.
    next_fee_cents: Option<Cents>,
    /// What is left of the introductory fee that it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    intro: Option<IntroFee>,
    /// The most of a month that it has of its own; left out where only the plan's holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_monthly_spend_cents: Option<Cents>,
    interval: BillingInterval,
    #[schemars(with = "Moment")]
    started_at: Timestamp,
    #[schemars(with = "Option<Moment>")]
    trial_ends_at: Option<Timestamp>,
    /// When it is to end.
    #[schemars(with = "Option<Moment>")]
    cancel_at: Option<Timestamp>,
    /// When it ended.
    #[schemars(with = "Option<Moment>")]
    cancelled_at: Option<Timestamp>,
}

impl From<&Subscription> for SubscriptionShown {
    fn from(subscription: &Subscription) -> Self {
        SubscriptionShown {
            subscription_id: subscription.id.clone(),
            subject: subscription.subject.clone(),
            plan: subscription.plan.clone(),
            plan_version: subscription.plan_version,
            release_id: subscription.release.clone(),
            recurring_fee_cents: subscription.recurring_fee_cents,
            next_fee_cents: subscription.next_fee_cents,
            intro: subscription.intro,
            max_monthly_spend_cents: subscription.own_most_cents,
            interval: subscription.billing_interval(),
            started_at: subscription.started_at,
            trial_ends_at: subscription.trial_ends_at,
            cancel_at: subscription.cancel_at,
            cancelled_at: subscription.cancelled_at,
        }
    }
}

/// A change of a subscription.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ChangeShown {
    /// The subscription after it; in a dry run as it is.
    subscription: SubscriptionShown,
    /// When its plan changes, and what that does to what the subscriber pays; null where the plan stays.
    change: Option<PlannedMove>,
    /// What the open period has come to after it, beside the most that it may.
    spend: Spend,
}

impl From<Changed> for ChangeShown {
    fn from(changed: Changed) -> Self {
        let Changed { subscription, planned, spend } = changed;
        ChangeShown { subscription: SubscriptionShown::from(&subscription), change: planned, spend }
    }
}

/// A page of the invoices and credit notes of a subscription, oldest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Invoices {
    #[schemars(with = "Vec<PeriodInvoice>")]
    pub(crate) invoices: Vec<Json>,
    /// Where the next page begins; null at the end.
    pub(crate) cursor: Option<String>,
}

/// What closing the periods of a page of subscriptions came to.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClosedPage {
    #[serde(flatten)]
    pub(crate) closed: Closed,
    /// Where the next page of subscriptions begins; null at the end.
    pub(crate) cursor: Option<Id>,
}

/// What a migration came to, with a page of those who move.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MigratedPage {
    #[serde(flatten)]
    pub(crate) migrated: Migrated,
    /// Where the next page of moves begins, in a dry run or under the same key; null at the end.
    pub(crate) cursor: Option<String>,
}

/// A page of the holds that a subscriber has open, by id.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Holds {
    pub(crate) holds: Vec<Held>,
    /// Where the next page begins; null at the end.
    pub(crate) cursor: Option<String>,
}

/// What an audit of a page of subscriptions found.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuditShown {
    #[serde(flatten)]
    pub(crate) audit: Audit,
    /// Where the next page of subscriptions begins; null at the end.
    pub(crate) cursor: Option<Id>,
}

/// A page of a subscriber's own invoices and credit notes, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OwnInvoices {
    pub(crate) invoices: Vec<OwnInvoice>,
    /// Where the next page begins; null at the end.
    pub(crate) cursor: Option<String>,
}

/// What became of each item of a batch, in its order.
#[derive(Serialize, JsonSchema)]
pub(crate) struct UsageResults {
    pub(crate) results: Vec<ItemResult>,
}

/// A plan version that is offered to a subscriber.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OfferShown {
    /// Null where none is.
    pub(crate) offer: Option<PlanOffer>,
}

/// Why the subscriber's bill is what it is.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OwnExplanation {
    /// Null where the plan does not show amounts.
    pub(crate) explanation: Option<Explanation>,
}

/// A link to a subscriber's page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkMade {
    /// Opens the page once.
    url: String,
    #[schemars(with = "Moment")]
    expires_at: Timestamp,
}

impl From<PortalLink> for LinkMade {
    fn from(link: PortalLink) -> Self {
        LinkMade { url: link.url, expires_at: link.expires_at }
    }
}

/// The accent on light and on dark ground; null for the page's own.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AccentShown {
    light: Option<String>,
    dark: Option<String>,
}

/// How a business's page looks.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LookShown {
    name: String,
    accent: AccentShown,
}

impl From<PortalLook> for LookShown {
    fn from(look: PortalLook) -> Self {
        LookShown { name: look.name, accent: AccentShown { light: look.accent_light, dark: look.accent_dark } }
    }
}

/// Something is not there any more.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Removed {
    pub(crate) removed: bool,
}

/// Where a product is pushed to, without its access token.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SourceShown {
    forge: ForgeKind,
    api_base: String,
    repository: String,
    folder: String,
    branch: Option<String>,
    /// The address that the forge is to deliver to.
    hook_url: String,
    #[schemars(with = "Option<Moment>")]
    former_secret_until: Option<Timestamp>,
    #[schemars(with = "Moment")]
    created_at: Timestamp,
    /// The hook's secret, where it is new: this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl SourceShown {
    pub(crate) fn of(source: &Source, hook_url: String, secret: Option<&str>) -> Self {
        SourceShown {
            forge: source.forge,
            api_base: source.api_base.clone(),
            repository: source.repository.clone(),
            folder: source.folder.clone(),
            branch: source.branch.clone(),
            hook_url,
            former_secret_until: source.previous.as_ref().map(|(_, until)| *until),
            created_at: source.created_at,
            secret: secret.map(str::to_owned),
        }
    }
}

/// What a forge delivered, and what became of it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveryShown {
    delivery_id: String,
    #[schemars(with = "Moment")]
    received_at: Timestamp,
    event: String,
    branch: Option<String>,
    commit: Option<String>,
    outcome: DeliveryOutcome,
    reason: String,
    build_id: Option<Id>,
    /// The page of its build.
    url: Option<String>,
}

impl DeliveryShown {
    pub(crate) fn of(delivery: &Delivery, url: Option<String>) -> Self {
        DeliveryShown {
            delivery_id: delivery.delivery.clone(),
            received_at: delivery.received_at,
            event: delivery.event.clone(),
            branch: delivery.branch.clone(),
            commit: delivery.commit.clone(),
            outcome: delivery.outcome,
            reason: delivery.reason.clone(),
            build_id: delivery.build.clone(),
            url,
        }
    }
}

/// A page of deliveries, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DeliveryPage {
    pub(crate) deliveries: Vec<DeliveryShown>,
    /// Where the next page begins; null where there is none.
    pub(crate) cursor: Option<Id>,
}

/// Who is told of events.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReceiverShown {
    id: Id,
    url: String,
    /// The types that it is told of; null for all.
    types: Option<Vec<EventType>>,
    /// Why nothing is sent to it any more.
    stopped: Option<String>,
    #[schemars(with = "Option<Moment>")]
    former_secret_until: Option<Timestamp>,
    #[schemars(with = "Moment")]
    created_at: Timestamp,
    /// What events are signed with, where it is new: this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl ReceiverShown {
    pub(crate) fn of(receiver: &EventReceiver, secret: Option<&str>) -> Self {
        ReceiverShown {
            id: receiver.id.clone(),
            url: receiver.url.clone(),
            types: receiver.types.clone(),
            stopped: receiver.stopped.clone(),
            former_secret_until: receiver.previous.as_ref().map(|(_, until)| *until),
            created_at: receiver.created_at,
            secret: secret.map(str::to_owned),
        }
    }
}

/// Who is told of events, oldest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Receivers {
    pub(crate) receivers: Vec<ReceiverShown>,
}

/// An event on its way to a receiver.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EventDeliveryShown {
    pub(crate) receiver: Id,
    pub(crate) state: DeliveryState,
    pub(crate) attempts: u32,
    /// What the last try that failed came to.
    pub(crate) problem: Option<String>,
}

/// Something that happened.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EventShown {
    pub(crate) id: Id,
    #[serde(rename = "type")]
    pub(crate) event: EventType,
    #[schemars(with = "Moment")]
    pub(crate) timestamp: Timestamp,
    /// What a receiver is told (docs/events.md).
    #[schemars(with = "BTreeMap<String, Json>")]
    pub(crate) data: Json,
    pub(crate) deliveries: Vec<EventDeliveryShown>,
}

/// A page of events, the newest first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EventPage {
    pub(crate) events: Vec<EventShown>,
    /// Where the next page begins; null where there is none.
    pub(crate) cursor: Option<Id>,
}

/// How many deliveries are on their way again.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Redelivered {
    pub(crate) deliveries: u64,
}

/// The process answers.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Alive {
    /// `alive`.
    pub(crate) status: &'static str,
}

/// The server can work.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ready {
    /// `ready`.
    pub(crate) status: &'static str,
    /// `ok`, or `reads only` where nothing can be written.
    pub(crate) store: &'static str,
    /// How far the server's clock is ahead of the database's, in milliseconds.
    pub(crate) clock_skew_ms: Option<i64>,
    /// Build workers that wait, ready.
    pub(crate) warm_workers: usize,
    /// What the kernel enforces on build workers.
    pub(crate) sandbox: Json,
}
