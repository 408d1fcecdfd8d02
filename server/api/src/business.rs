//! Businesses and subscriptions: the operator's endpoints.

use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use svc_core::plan_changes::PlanChange;
use svc_core::subscriptions::CancelAt;
use svc_store::Store;
use svc_store::records::{Id, Proration, Subscription};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewBusiness {
    name: String,
}

pub(crate) async fn create<S: Store>(call: &Call<'_, S>, request: Request<Incoming>) -> Result<Reply, Problem> {
    let NewBusiness { name } = request::json(request).await?;
    let business = call.core.create_business(&name, call.now()).await?;
    let body = json!({ "businessId": business.id, "name": business.name, "createdAt": business.created_at });
    Ok(Reply::new(StatusCode::CREATED, body))
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
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let NewSubscription { subject, plan, again } = request::json(request).await?;
    let subscription = call.core.subscribe(business, &subject, &plan, again, call.now()).await?;
    Ok(Reply::new(StatusCode::CREATED, shown(&subscription)))
}

pub(crate) async fn subscription<S: Store>(call: &Call<'_, S>, business: &Id, id: &Id) -> Result<Reply, Problem> {
    let subscription = call.core.subscription(business, id, call.now()).await?;
    Ok(Reply::new(StatusCode::OK, shown(&subscription)))
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Cancel {
    at: CancelAt,
    prorate: bool,
}

pub(crate) async fn cancel<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
    id: &Id,
) -> Result<Reply, Problem> {
    let Cancel { at, prorate } = request::maybe_json(request).await?;
    let subscription = call.core.cancel(business, id, at, prorate, call.now()).await?;
    Ok(Reply::new(StatusCode::OK, shown(&subscription)))
}

pub(crate) async fn resume<S: Store>(call: &Call<'_, S>, business: &Id, id: &Id) -> Result<Reply, Problem> {
    let subscription = call.core.resume(business, id, call.now()).await?;
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
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
    id: &Id,
) -> Result<Reply, Problem> {
    let Change { plan, at, proration, dry_run } = request::json(request).await?;
    let change = PlanChange { plan, at, proration };
    let changed = call.core.change_plan(business, id, &change, dry_run, call.now()).await?;
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
