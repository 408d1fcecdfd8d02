//! Businesses and subscriptions: the operator's endpoints.

use crate::answers::{BusinessMade, ChangeShown, SubscriptionShown};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use svc_core::CoreError;
use svc_core::plan_changes::{PlanChange, SubscriptionChange};
use svc_core::subscribing::SubscriptionOrder;
use svc_core::subscriptions::CancelAt;
use svc_engine::money::amount::Cents;
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
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewSubscription {
    subject: String,
    plan: String,
    /// Whether what is given once per subject is given again.
    #[serde(default)]
    again: bool,
    /// The most of a month that it has of its own: at most the plan's.
    #[serde(default)]
    max_monthly_spend_cents: Option<Cents>,
}

pub(crate) async fn subscribe<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let NewSubscription { subject, plan, again, max_monthly_spend_cents } = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let order = SubscriptionOrder { plan: &plan, again, own_most_cents: max_monthly_spend_cents };
    let subscription = call.core.subscribe(business, &subject, order, call.now()).await?;
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

/// Another plan, a most of its own, or both.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewTerms {
    /// The plan, of the active release; left out, it stays.
    plan: Option<String>,
    /// When the plan changes; now where nothing is said.
    at: Option<CancelAt>,
    /// What happens to the fee of the open period; `none` where nothing is said.
    proration: Option<Proration>,
    /// The most of a month that it has of its own from now on, at most the plan's; null takes it away, left out it stays.
    #[serde(default, deserialize_with = "request::given")]
    #[schemars(with = "Option<Cents>", transform = without_default)]
    max_monthly_spend_cents: Option<Option<Cents>>,
    #[serde(default)]
    dry_run: bool,
}

/// Of a member that means something else when it is left out than when it is null.
fn without_default(schema: &mut Schema) {
    schema.remove("default");
}

impl NewTerms {
    /// What is to change.
    fn wanted(self) -> Result<SubscriptionChange, CoreError> {
        let NewTerms { plan, at, proration, max_monthly_spend_cents: own_most_cents, .. } = self;
        let wrong = |message: &str| Err(CoreError::invalid("CHANGE_FORM", message));
        let plan = match plan {
            Some(plan) => {
                Some(PlanChange { plan, at: at.unwrap_or_default(), proration: proration.unwrap_or_default() })
            }
            None if at.is_some() || proration.is_some() => {
                return wrong("`at` and `proration` are of a change of plan, and there is no `plan`");
            }
            None if own_most_cents.is_none() => {
                return wrong("say what changes: `plan`, `maxMonthlySpendCents`, or both");
            }
            None => None,
        };
        Ok(SubscriptionChange { plan, own_most_cents })
    }
}

pub(crate) async fn change<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
    id: &Id,
) -> Result<Reply, Problem> {
    let change: NewTerms = request::json(request).await?;
    let dry_run = change.dry_run;
    let change = change.wanted()?;
    let _place = call.traffic.write(business).await?;
    let changed = call.core.change_subscription(business, id, &change, dry_run, call.now()).await?;
    Reply::of(StatusCode::OK, &ChangeShown::from(changed))
}
