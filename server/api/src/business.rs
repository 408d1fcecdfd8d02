//! Businesses, tokens and subscriptions: the operator's endpoints.

use crate::app::App;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::{auth, request};
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use svc_core::plan_changes::PlanChange;
use svc_core::subscriptions::CancelAt;
use svc_store::Store;
use svc_store::records::{Id, Proration, Subscription, TokenScope};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewBusiness {
    name: String,
}

pub(crate) async fn create<S: Store>(app: &App<S>, request: Request<Incoming>) -> Result<Reply, Problem> {
    auth::operator(app, &request)?;
    let NewBusiness { name } = request::json(request).await?;
    let business = app.core.create_business(&name, app.now()).await?;
    let body = json!({ "businessId": business.id, "name": business.name, "createdAt": business.created_at });
    Ok(Reply::new(StatusCode::CREATED, body))
}

/// `{ "kind": "deploy" }`, `{ "kind": "portal", "subject": … }` or `{ "kind": "gateway", "subject": … }`, each with `expiresInSeconds` where it shall end.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
enum NewToken {
    Deploy { expires_in_seconds: Option<u32> },
    Portal { subject: String, expires_in_seconds: Option<u32> },
    Gateway { subject: String, expires_in_seconds: Option<u32> },
}

pub(crate) async fn mint_token<S: Store>(
    app: &App<S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, &request)?;
    let (scope, life) = match request::json(request).await? {
        NewToken::Deploy { expires_in_seconds } => (TokenScope::Deploy, expires_in_seconds),
        NewToken::Portal { subject, expires_in_seconds } => (TokenScope::Portal { subject }, expires_in_seconds),
        NewToken::Gateway { subject, expires_in_seconds } => (TokenScope::Gateway { subject }, expires_in_seconds),
    };
    let minted = app.core.mint_token(business, scope, life, app.now()).await?;
    let body = json!({ "token": minted.text, "expiresAt": minted.expires_at });
    Ok(Reply::new(StatusCode::CREATED, body).private())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewSubscription {
    subject: String,
    plan: String,
    /// Whether what is given once per subject is given again.
    #[serde(default)]
    again: bool,
}

pub(crate) async fn subscribe<S: Store>(
    app: &App<S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, &request)?;
    let NewSubscription { subject, plan, again } = request::json(request).await?;
    let subscription = app.core.subscribe(business, &subject, &plan, again, app.now()).await?;
    Ok(Reply::new(StatusCode::CREATED, shown(&subscription)))
}

pub(crate) async fn subscription<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
    id: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, request)?;
    let subscription = app.core.subscription(business, id, app.now()).await?;
    Ok(Reply::new(StatusCode::OK, shown(&subscription)))
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Cancel {
    at: CancelAt,
    prorate: bool,
}

pub(crate) async fn cancel<S: Store>(
    app: &App<S>,
    request: Request<Incoming>,
    business: &Id,
    id: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, &request)?;
    let Cancel { at, prorate } = request::maybe_json(request).await?;
    let subscription = app.core.cancel(business, id, at, prorate, app.now()).await?;
    Ok(Reply::new(StatusCode::OK, shown(&subscription)))
}

pub(crate) async fn resume<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
    id: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, request)?;
    let subscription = app.core.resume(business, id, app.now()).await?;
    Ok(Reply::new(StatusCode::OK, shown(&subscription)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Change {
    plan: String,
    #[serde(default)]
    at: CancelAt,
    #[serde(default)]
    proration: Proration,
    #[serde(default)]
    dry_run: bool,
}

pub(crate) async fn change<S: Store>(
    app: &App<S>,
    request: Request<Incoming>,
    business: &Id,
    id: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, &request)?;
    let Change { plan, at, proration, dry_run } = request::json(request).await?;
    let change = PlanChange { plan, at, proration };
    let changed = app.core.change_plan(business, id, &change, dry_run, app.now()).await?;
    let body = json!({ "subscription": shown(&changed.subscription), "change": changed.planned });
    Ok(Reply::new(StatusCode::OK, body))
}

pub(crate) fn shown(subscription: &Subscription) -> Json {
    json!({
        "subscriptionId": subscription.id,
        "subject": subscription.subject,
        "plan": subscription.plan,
        "planVersion": subscription.plan_version,
        "releaseId": subscription.release,
        "recurringFeeCents": subscription.recurring_fee_cents,
        "nextFeeCents": subscription.next_fee_cents,
        "interval": subscription.interval,
        "startedAt": subscription.started_at,
        "trialEndsAt": subscription.trial_ends_at,
        "cancelAt": subscription.cancel_at,
        "cancelledAt": subscription.cancelled_at,
    })
}
