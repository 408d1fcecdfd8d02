//! Businesses and subscriptions: the operator's endpoints.

use crate::answers::{BusinessMade, ChangeShown, SubscriptionShown};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;
use svc_core::plan_changes::PlanChange;
use svc_core::subscriptions::CancelAt;
use svc_store::Store;
use svc_store::records::{Id, Proration};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBusiness {
    name: String,
}

pub(crate) async fn create<S: Store>(call: &Call<'_, S>, request: Request<Incoming>) -> Result<Reply, Problem> {
    let NewBusiness { name } = request::json(request).await?;
    let business = call.core.create_business(&name, call.now()).await?;
    Reply::of(StatusCode::CREATED, &BusinessMade::from(business))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSubscription {
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
    let _place = call.traffic.write(business).await?;
    let subscription = call.core.subscribe(business, &subject, &plan, again, call.now()).await?;
    Reply::of(StatusCode::CREATED, &SubscriptionShown::from(&subscription))
}

pub(crate) async fn subscription<S: Store>(call: &Call<'_, S>, business: &Id, id: &Id) -> Result<Reply, Problem> {
    let subscription = call.core.subscription(business, id, call.now()).await?;
    Reply::of(StatusCode::OK, &SubscriptionShown::from(&subscription))
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Cancel {
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
    let _place = call.traffic.write(business).await?;
    let subscription = call.core.cancel(business, id, at, prorate, call.now()).await?;
    Reply::of(StatusCode::OK, &SubscriptionShown::from(&subscription))
}

pub(crate) async fn resume<S: Store>(call: &Call<'_, S>, business: &Id, id: &Id) -> Result<Reply, Problem> {
    let _place = call.traffic.write(business).await?;
    let subscription = call.core.resume(business, id, call.now()).await?;
    Reply::of(StatusCode::OK, &SubscriptionShown::from(&subscription))
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewPlan {
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
    let NewPlan { plan, at, proration, dry_run } = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let change = PlanChange { plan, at, proration };
    let changed = call.core.change_plan(business, id, &change, dry_run, call.now()).await?;
    let subscription = SubscriptionShown::from(&changed.subscription);
    Reply::of(StatusCode::OK, &ChangeShown { subscription, change: changed.planned })
}
