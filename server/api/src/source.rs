//! Where a business's product is pushed to: the deploy token's endpoints.

use crate::answers::{DeliveryPage, DeliveryShown, Removed, SourceShown};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;
use svc_core::sources::{DELIVERIES_MAX, NewSource};
use svc_store::Store;
use svc_store::records::{Delivery, ForgeKind, Id, Source};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SourceBody {
    forge: ForgeKind,
    api_base: Option<String>,
    repository: String,
    #[serde(default)]
    folder: String,
    branch: Option<String>,
    token: String,
    secret: Option<String>,
}

pub(crate) async fn add<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let SourceBody { forge, api_base, repository, folder, branch, token, secret } = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let new = NewSource { forge, api_base, repository, folder, branch, token, secret };
    let (source, secret) = call.core.add_source(business, new, call.now()).await?;
    told(StatusCode::CREATED, call, &source, Some(&secret))
}

pub(crate) async fn find<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    told(StatusCode::OK, call, &call.core.find_source(business).await?, None)
}

pub(crate) async fn remove<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let _place = call.traffic.write(business).await?;
    call.core.remove_source(business, call.now()).await?;
    Reply::of(StatusCode::OK, &Removed { removed: true })
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct SourceRotation {
    secret: Option<String>,
    at_once: bool,
    /// Another access token; alone, the hook's secret stays.
    token: Option<String>,
}

pub(crate) async fn rotate<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let SourceRotation { secret, at_once, token } = request::maybe_json(request).await?;
    let _place = call.traffic.write(business).await?;
    if let Some(token) = token {
        let source = call.core.replace_token(business, token, call.now()).await?;
        if secret.is_none() && !at_once {
            return told(StatusCode::OK, call, &source, None);
        }
    }
    let (source, secret) = call.core.rotate_source(business, secret, at_once, call.now()).await?;
    told(StatusCode::OK, call, &source, Some(&secret))
}

pub(crate) async fn deliveries<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (limit, cursor) = request::page(request.uri(), DELIVERIES_MAX)?;
    let (page, cursor) = call.core.deliveries(business, cursor.as_deref(), limit).await?;
    let deliveries = page.iter().map(|delivery| shown(call, delivery)).collect();
    Ok(Reply::of(StatusCode::OK, &DeliveryPage { deliveries, cursor })?.private())
}

fn shown<S: Store>(call: &Call<'_, S>, delivery: &Delivery) -> DeliveryShown {
    let url = delivery.build.as_ref().and_then(|build| call.core.page_url(&delivery.business, build).ok());
    DeliveryShown::of(delivery, url)
}

/// A source without its token; with its hook's secret where that is new.
fn told<S: Store>(
    status: StatusCode,
    call: &Call<'_, S>,
    source: &Source,
    secret: Option<&str>,
) -> Result<Reply, Problem> {
    Ok(Reply::of(status, &SourceShown::of(source, call.core.hook_url(&source.business), secret))?.private())
}
