//! What each endpoint takes and answers. An endpoint that is not told of does not compile.

use super::told::Told;
use super::types::Types;
use crate::access::{NewOperator, TokenBody};
use crate::answers::*;
use crate::build::{NewBuild, NewRelease};
use crate::business::{Cancel, NewBusiness, NewSubscription, NewTerms};
use crate::endpoints::Endpoint;
use crate::event::{NewReceiver, ReceiverRotation, Redelivery};
use crate::invoice::Close;
use crate::migration::NewMigration;
use crate::money::{Batch, NewAdjustment, NewCredit, NewHold, NewResourceCount, ReleaseHold};
use crate::portal_page::{NewLink, NewLook};
use crate::source::{SourceBody, SourceRotation};
use schemars::{JsonSchema, Schema, json_schema};
use svc_core::LISTED_MAX;
use svc_core::adjustments::Adjusted;
use svc_core::credits::Credited;
use svc_core::explain::{CHARGES_MAX, Explanation};
use svc_core::holds::Held;
use svc_core::invoices::PeriodUsage;
use svc_core::migrations::MOVES_LISTED_MAX;
use svc_core::releases::Published;
use svc_engine::money::bill::Preview;

/// What is to be told of an endpoint; nothing of pages for browsers and of what forges deliver, which have their own documents.
pub(super) fn told(endpoint: Endpoint, types: &mut Types) -> Option<Told> {
    match endpoint {
        Endpoint::FollowLink
        | Endpoint::PortalPage
        | Endpoint::PortalPageBare
        | Endpoint::PortalTheme
        | Endpoint::PortalWhy
        | Endpoint::TakeOffer
        | Endpoint::EndSession
        | Endpoint::PortalAsset
        | Endpoint::Hook
        | Endpoint::BuildPage
        | Endpoint::OpenApi
        | Endpoint::Metrics => None,
        Endpoint::Healthz => {
            Some(Told::new("Says that the process answers").answers(200, "It does.", types.answer::<Alive>()))
        }
        Endpoint::Readyz => {
            let told = Told::new("Says whether the server can work").answers(200, "It can.", types.answer::<Ready>());
            Some(told.refuses(&[(503, &["CLOCK_SKEW"])]))
        }
        Endpoint::CreateBusiness
        | Endpoint::MintToken
        | Endpoint::Tokens
        | Endpoint::RevokeTokens
        | Endpoint::RevokeToken
        | Endpoint::AddOperator
        | Endpoint::Operators
        | Endpoint::RevokeOperator
        | Endpoint::OwnToken
        | Endpoint::ServiceAuditLog
        | Endpoint::AuditLog => of_access(endpoint, types),
        Endpoint::Build
        | Endpoint::FindBuild
        | Endpoint::BuildSources
        | Endpoint::Publish
        | Endpoint::ActiveRelease
        | Endpoint::Releases
        | Endpoint::Plans
        | Endpoint::Migrate
        | Endpoint::Migrations => of_product(endpoint, types),
        Endpoint::Subscribe
        | Endpoint::Subscription
        | Endpoint::Cancel
        | Endpoint::Resume
        | Endpoint::ChangePlan
        | Endpoint::UsageOfPeriod
        | Endpoint::Explain
        | Endpoint::ExplainInvoice
        | Endpoint::Invoices
        | Endpoint::CloseInvoices
        | Endpoint::Audit => of_subscriptions(endpoint, types),
        Endpoint::Usage
        | Endpoint::Hold
        | Endpoint::Holds
        | Endpoint::ReleaseHold
        | Endpoint::ResourceCounts
        | Endpoint::SetResourceCount
        | Endpoint::Credit
        | Endpoint::Revoke
        | Endpoint::Adjust => of_money(endpoint, types),
        Endpoint::PortalLink
        | Endpoint::PortalLook
        | Endpoint::SetPortalLook
        | Endpoint::Preview
        | Endpoint::PreviewOf
        | Endpoint::OwnInvoices
        | Endpoint::ExplainToSubscriber
        | Endpoint::Offer
        | Endpoint::AcceptOffer => of_portal(endpoint, types),
        Endpoint::AddSource
        | Endpoint::Source
        | Endpoint::RemoveSource
        | Endpoint::RotateSource
        | Endpoint::Deliveries
        | Endpoint::AddReceiver
        | Endpoint::Receivers
        | Endpoint::RemoveReceiver
        | Endpoint::RotateReceiver
        | Endpoint::StartReceiver
        | Endpoint::Events
        | Endpoint::Redeliver => of_outside(endpoint, types),
    }
}

fn of_access(endpoint: Endpoint, types: &mut Types) -> Option<Told> {
    const LIFE: &[(u16, &[&str])] = &[(422, &["NAME_FORM", "TOKEN_FORM", "TOKEN_LIFE_RANGE"])];
    Some(match endpoint {
        Endpoint::CreateBusiness => Told::new("Makes a business")
            .reads(types.body::<NewBusiness>())
            .answers(201, "It is there.", types.answer::<BusinessMade>())
            .leads(&[Endpoint::MintToken, Endpoint::Plans, Endpoint::AuditLog], "business", "businessId")
            .refuses(&[(422, &["NAME_FORM"])]),
        Endpoint::MintToken => Told::new("Mints a token")
            .reads(types.body::<TokenBody>())
            .answers(201, "The token, with its text: this once.", types.answer::<TokenMade>())
            .leads(&[Endpoint::RevokeToken], "token", "tokenId")
            .refuses(LIFE),
        Endpoint::Tokens => Told::new("Lists tokens, the newest first")
            .asks("subject", false, "Those of one subscriber alone.")
            .paged()
            .answers(200, "A page.", types.answer::<TokenPage>()),
        Endpoint::RevokeTokens => Told::new("Takes back all tokens of a subject")
            .asks("subject", true, "The subscriber.")
            .answers(200, "How many there were.", types.answer::<Revoked>()),
        Endpoint::RevokeToken => {
            Told::new("Takes a token back").answers(200, "It opens nothing any more.", types.answer::<TokenShown>())
        }
        Endpoint::AddOperator => Told::new("Gives somebody an operator's token")
            .reads(types.body::<NewOperator>())
            .answers(201, "The token, with its text: this once.", types.answer::<TokenMade>())
            .leads(&[Endpoint::RevokeOperator], "operator", "tokenId")
            .refuses(LIFE),
        Endpoint::Operators => Told::new("Lists operators, the newest first").paged().answers(
            200,
            "A page.",
            types.answer::<OperatorPage>(),
        ),
        Endpoint::OwnToken => {
            Told::new("Shows what the token of the request opens").answers(200, "It.", types.answer::<OwnToken>())
        }
        Endpoint::RevokeOperator => Told::new("Takes an operator's token back").answers(
            200,
            "It opens nothing any more.",
            types.answer::<TokenShown>(),
        ),
        Endpoint::ServiceAuditLog | Endpoint::AuditLog => Told::new(match endpoint {
            Endpoint::AuditLog => "Lists who did what in a business, the newest first",
            _ => "Lists who did what beside businesses, the newest first",
        })
        .paged()
        .answers(200, "A page.", types.answer::<AuditPage>()),
        _ => return None,
    })
}

fn of_product(endpoint: Endpoint, types: &mut Types) -> Option<Told> {
    Some(match endpoint {
        Endpoint::Build => Told::new("Builds a product")
            .reads(types.body::<NewBuild>())
            .with_key()
            .answers(201, "It gave an IR.", types.answer::<BuildEnded>())
            .leads(&[Endpoint::FindBuild, Endpoint::BuildSources], "build", "buildId")
            .refuses(&[(422, &["BUILD_REJECTED", "BUILD_…", "COMMIT_FORM"])]),
        Endpoint::FindBuild => Told::new("Shows a build")
            .answers(200, "It gave an IR.", types.answer::<BuildEnded>())
            .answers(202, "It has not ended.", types.answer::<BuildWaits>())
            .refuses(&[(422, &["BUILD_REJECTED", "BUILD_…"])]),
        Endpoint::BuildSources => Told::new("Shows the sources of a build that failed").answers(
            200,
            "The files.",
            types.answer::<BuildFiles>(),
        ),
        Endpoint::Publish => Told::new("Publishes a build, or says what that would do")
            .reads(types.body::<NewRelease>())
            .with_key()
            .answers(
                200,
                "In a dry run, what it would do; else the release that was active before.",
                either::<DryRun, Published>(types),
            )
            .answers(201, "The release is active.", types.answer::<Published>())
            .refuses(&[
                (409, &["BUILD_FAILED", "BUILD_UNFINISHED", "RELEASE_MOVED", "INCREASE_TOO_LARGE"]),
                (422, &["WHAT_IF_UNUSED", "MAX_INCREASE_FORM", "IR_REFUSED"]),
            ]),
        Endpoint::ActiveRelease => Told::new("Shows the active release with its IR").answers(
            200,
            "The release.",
            types.answer::<ActiveRelease>(),
        ),
        Endpoint::Releases => {
            Told::new("Lists releases, the newest first").paged().answers(200, "A page.", types.answer::<ReleasePage>())
        }
        Endpoint::Plans => Told::new("Lists the versions of plans and how many subscribe to each")
            .paged()
            .answers(200, "A page.", types.answer::<Plans>())
            .refuses(&[(422, &["CURSOR_FORM"])]),
        Endpoint::Migrate => Told::new("Moves subscribers to another version of their plan, or says who would move")
            .asks_page(MOVES_LISTED_MAX)
            .reads(types.body::<NewMigration>())
            .with_key()
            .answers(200, "Nobody was to be moved, or a dry run.", types.answer::<MigratedPage>())
            .answers(201, "They move.", types.answer::<MigratedPage>())
            .refuses(&[(422, &["MIGRATION_DEADLINE", "MIGRATION_INTERVAL"])]),
        Endpoint::Migrations => Told::new("Lists migrations, the newest first").paged().answers(
            200,
            "A page.",
            types.answer::<Migrations>(),
        ),
        _ => return None,
    })
}

fn of_subscriptions(endpoint: Endpoint, types: &mut Types) -> Option<Told> {
    Some(match endpoint {
        Endpoint::Subscribe => Told::new("Subscribes a subject to a plan")
            .reads(types.body::<NewSubscription>())
            .answers(201, "The subscription.", types.answer::<SubscriptionShown>())
            .leads(
                &[
                    Endpoint::Subscription,
                    Endpoint::Cancel,
                    Endpoint::Resume,
                    Endpoint::ChangePlan,
                    Endpoint::UsageOfPeriod,
                    Endpoint::Invoices,
                ],
                "subscription",
                "subscriptionId",
            )
            .refuses(&[
                (409, &["ALREADY_SUBSCRIBED", "NO_ACTIVE_RELEASE"]),
                (422, &["NAME_FORM", "UNKNOWN_PLAN", "PLAN_CLOSED", "MAX_SPEND_RANGE"]),
            ]),
        Endpoint::Subscription => {
            Told::new("Shows a subscription").answers(200, "It.", types.answer::<SubscriptionShown>())
        }
        Endpoint::Cancel => Told::new("Ends a subscription, now or when its period ends")
            .may_read(types.body::<Cancel>())
            .answers(200, "The subscription.", types.answer::<SubscriptionShown>()),
        Endpoint::Resume => Told::new("Takes a planned end back")
            .answers(200, "The subscription.", types.answer::<SubscriptionShown>())
            .refuses(&[(409, &["SUBSCRIPTION_ENDED"])]),
        Endpoint::ChangePlan => Told::new("Changes a subscription's plan or its own most, or says what that would do")
            .reads(types.body::<NewTerms>())
            .answers(200, "The change.", types.answer::<ChangeShown>())
            .refuses(&[
                (409, &["SUBSCRIPTION_ENDED", "ALREADY_ON_PLAN", "NO_ACTIVE_RELEASE"]),
                (422, &["CHANGE_FORM", "UNKNOWN_PLAN", "PLAN_CLOSED", "MIGRATION_INTERVAL", "MAX_SPEND_RANGE"]),
            ]),
        Endpoint::UsageOfPeriod => Told::new("Shows what a subscription has used in its open period").answers(
            200,
            "By window and meter.",
            types.answer::<PeriodUsage>(),
        ),
        Endpoint::Explain => {
            Told::new("Explains the bill of a subscription's open period, or of the one that is named")
                .counts("period", u32::MAX.into(), "How many periods came before it.")
                .counts(
                    "cursor",
                    i64::MAX.unsigned_abs(),
                    "Where the page of charges begins: what the page before ended with.",
                )
                .counts("limit", CHARGES_MAX.into(), "How many charges at most.")
                .answers(200, "A tree of sums, and a page of charges.", types.answer::<Explanation>())
        }
        Endpoint::ExplainInvoice => Told::new("Explains an invoice")
            .counts(
                "cursor",
                i64::MAX.unsigned_abs(),
                "Where the page of charges begins: what the page before ended with.",
            )
            .counts("limit", CHARGES_MAX.into(), "How many charges at most.")
            .answers(200, "A tree of sums, and a page of charges.", types.answer::<Explanation>()),
        Endpoint::Invoices => Told::new("Lists the invoices of a subscription, the oldest first")
            .counts("cursor", i64::MAX.unsigned_abs(), "What the page before ended with.")
            .counts("limit", LISTED_MAX.into(), "How many entries at most.")
            .answers(200, "A page, as they were closed.", types.answer::<Invoices>()),
        Endpoint::CloseInvoices => {
            Told::new("Closes ended periods of one subscription or of a page of them, or says what that would do")
                .paged()
                .may_read(types.body::<Close>())
                .answers(200, "Nothing was to be closed, or a dry run.", types.answer::<ClosedPage>())
                .answers(201, "The invoices.", types.answer::<ClosedPage>())
        }
        Endpoint::Audit => {
            let told = Told::new("Works the ledger of a page of subscriptions out again").paged();
            told.answers(200, "What does not agree.", types.answer::<AuditShown>())
        }
        _ => return None,
    })
}

fn of_money(endpoint: Endpoint, types: &mut Types) -> Option<Told> {
    Some(match endpoint {
        Endpoint::Usage => Told::new("Takes usage in")
            .reads(types.body::<Batch>())
            .answers(200, "What became of each item, in order.", types.answer::<UsageResults>())
            .refuses(&[(422, &["TOO_MANY_ITEMS"])]),
        Endpoint::Hold => Told::new("Sets money aside for what is about to be used")
            .reads(types.body::<NewHold>())
            .answers(201, "The hold.", types.answer::<Held>())
            .leads(&[Endpoint::ReleaseHold], "hold", "holdId")
            .refuses(&[
                (409, &["SPEND_LIMIT_REACHED", "TOO_MANY_HOLDS", "IDEMPOTENCY_CONFLICT"]),
                (422, &["HOLD_FORM", "HOLD_LIFE", "UNKNOWN_METER", "UNKNOWN_ROUTE", "AMOUNT_RANGE"]),
            ]),
        Endpoint::Holds => Told::new("Lists what is set aside of a subscriber's money, by id")
            .asks("subject", true, "The subscriber.")
            .paged()
            .answers(200, "A page.", types.answer::<Holds>()),
        Endpoint::ReleaseHold => Told::new("Lets what was set aside go").reads(types.body::<ReleaseHold>()).answers(
            200,
            "The hold.",
            types.answer::<Held>(),
        ),
        Endpoint::ResourceCounts => Told::new("Says how many of each resource a subscriber has, as the gateway counts")
            .asks("subject", true, "The subscriber.")
            .paged()
            .answers(200, "A page of what was ever counted.", types.answer::<ResourceCounts>()),
        Endpoint::SetResourceCount => Told::new("Says how many of a resource a subscriber has, whatever was counted")
            .reads(types.body::<NewResourceCount>())
            .answers(200, "What was set, alone.", types.answer::<ResourceCounts>())
            .refuses(&[(422, &["UNKNOWN_RESOURCE", "COUNT_RANGE", "NAME_FORM"])]),
        Endpoint::Credit => Told::new("Gives credit, or sells a pack")
            .reads(types.body::<NewCredit>())
            .with_key()
            .answers(201, "The bucket.", types.answer::<Credited>())
            .leads(&[Endpoint::Revoke], "bucket", "bucketId")
            .refuses(&[(
                422,
                &[
                    "CREDIT_FORM",
                    "EXPIRY_RANGE",
                    "UNKNOWN_METER",
                    "UNKNOWN_SKU",
                    "AMOUNT_OUT_OF_BOUNDS",
                    "AMOUNT_RANGE",
                ],
            )]),
        Endpoint::Revoke => Told::new("Takes a bucket back").answers(200, "The bucket.", types.answer::<Credited>()),
        Endpoint::Adjust => Told::new("Refunds a usage item, or corrects what is owed")
            .reads(types.body::<NewAdjustment>())
            .with_key()
            .answers(201, "What it did.", types.answer::<Adjusted>())
            .refuses(&[(409, &["ALREADY_REFUNDED"]), (422, &["ADJUSTMENT_FORM", "REASON_FORM", "AMOUNT_RANGE"])]),
        _ => return None,
    })
}

fn of_portal(endpoint: Endpoint, types: &mut Types) -> Option<Told> {
    Some(match endpoint {
        Endpoint::PortalLink => Told::new("Makes a link to the page of a subscriber")
            .reads(types.body::<NewLink>())
            .answers(201, "The link, for one use.", types.answer::<LinkMade>())
            .refuses(&[(422, &["NAME_FORM", "RETURN_URL_FORM"])]),
        Endpoint::PortalLook => {
            Told::new("Shows how the page looks").answers(200, "Its name and colours.", types.answer::<LookShown>())
        }
        Endpoint::SetPortalLook => Told::new("Says how the page looks")
            .reads(types.body::<NewLook>())
            .answers(200, "Its name and colours.", types.answer::<LookShown>())
            .refuses(&[(422, &["NAME_FORM", "COLOUR_FORM", "COLOUR_CONTRAST"])]),
        Endpoint::Preview => Told::new("Shows the subscriber's bill, exact to the nanodollar").answers(
            200,
            "Transparent or opaque, as the plan discloses.",
            types.answer::<Preview>(),
        ),
        Endpoint::ExplainToSubscriber => Told::new("Explains the subscriber's bill, where the plan discloses it")
            .answers(200, "A tree of sums, or nothing.", types.answer::<OwnExplanation>()),
        Endpoint::PreviewOf => Told::new("Shows a subscriber's bill as they see it")
            .asks("subject", true, "The subscriber.")
            .answers(200, "Of either form: as the plan discloses.", types.answer::<Preview>()),
        Endpoint::OwnInvoices => Told::new("Lists the subscriber's invoices and credit notes, the newest first")
            .counts("cursor", i64::MAX.unsigned_abs(), "What the page before ended with.")
            .counts("limit", LISTED_MAX.into(), "How many entries at most.")
            .answers(200, "A page: what each came to.", types.answer::<OwnInvoices>()),
        Endpoint::Offer => Told::new("Shows a plan version that is offered to the subscriber").answers(
            200,
            "The offer.",
            types.answer::<OfferShown>(),
        ),
        Endpoint::AcceptOffer => Told::new("Takes the plan version that is offered").answers(
            200,
            "The subscription.",
            types.answer::<SubscriptionShown>(),
        ),
        _ => return None,
    })
}

fn of_outside(endpoint: Endpoint, types: &mut Types) -> Option<Told> {
    const SECRET: &[(u16, &[&str])] = &[(409, &["SECRETS_KEY_MISSING"]), (422, &["SECRET_FORM"])];
    Some(match endpoint {
        Endpoint::AddSource => Told::new("Names the repository that the product is pushed to")
            .reads(types.body::<SourceBody>())
            .answers(201, "The source, with its hook's secret: this once.", types.answer::<SourceShown>())
            .refuses(&[
                (409, &["SECRETS_KEY_MISSING"]),
                (422, &["API_BASE", "REPOSITORY_FORM", "FOLDER_FORM", "BRANCH_FORM", "SECRET_FORM"]),
            ]),
        Endpoint::Source => Told::new("Shows the source").answers(200, "It.", types.answer::<SourceShown>()),
        Endpoint::RemoveSource => {
            Told::new("Takes the source away").answers(200, "It is gone.", types.answer::<Removed>())
        }
        Endpoint::RotateSource => Told::new("Makes another secret for the hook, or takes another access token")
            .may_read(types.body::<SourceRotation>())
            .answers(200, "The source.", types.answer::<SourceShown>())
            .refuses(SECRET),
        Endpoint::Deliveries => Told::new("Lists what the forge delivered, the newest first").paged().answers(
            200,
            "A page.",
            types.answer::<DeliveryPage>(),
        ),
        Endpoint::AddReceiver => Told::new("Names who is told of events")
            .reads(types.body::<NewReceiver>())
            .answers(201, "The receiver, with its secret: this once.", types.answer::<ReceiverShown>())
            .leads(&[Endpoint::RotateReceiver, Endpoint::StartReceiver, Endpoint::RemoveReceiver], "receiver", "id")
            .refuses(&[
                (409, &["SECRETS_KEY_MISSING", "TOO_MANY_RECEIVERS"]),
                (422, &["RECEIVER_URL", "EVENT_TYPES", "SECRET_FORM"]),
            ]),
        Endpoint::Receivers => {
            Told::new("Lists who is told of events").answers(200, "The oldest first.", types.answer::<Receivers>())
        }
        Endpoint::RemoveReceiver => {
            Told::new("Takes a receiver away").answers(200, "It is gone.", types.answer::<Removed>())
        }
        Endpoint::RotateReceiver => Told::new("Makes another secret for a receiver")
            .may_read(types.body::<ReceiverRotation>())
            .answers(200, "The receiver, with its secret: this once.", types.answer::<ReceiverShown>())
            .refuses(SECRET),
        Endpoint::StartReceiver => Told::new("Sends events again to a receiver that was gone").answers(
            200,
            "The receiver.",
            types.answer::<ReceiverShown>(),
        ),
        Endpoint::Events => Told::new("Lists what happened and whether it was told, the newest first").paged().answers(
            200,
            "A page.",
            types.answer::<EventPage>(),
        ),
        Endpoint::Redeliver => Told::new("Sends events again").may_read(types.body::<Redelivery>()).answers(
            202,
            "They are on their way.",
            types.answer::<Redelivered>(),
        ),
        _ => return None,
    })
}

/// One of two answers.
fn either<A: JsonSchema, B: JsonSchema>(types: &mut Types) -> Schema {
    json_schema!({ "anyOf": [types.answer::<A>(), types.answer::<B>()] })
}
