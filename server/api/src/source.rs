//! Where a business's product is pushed to: the deploy token's endpoints.

use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use svc_core::sources::{DELIVERIES_MAX, NewSource};
use svc_store::Store;
use svc_store::records::{Delivery, ForgeKind, Id, Source};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
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
    let Body { forge, api_base, repository, folder, branch, token, secret } = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let new = NewSource { forge, api_base, repository, folder, branch, token, secret };
    let (source, secret) = call.core.add_source(business, new, call.now()).await?;
    Ok(told(StatusCode::CREATED, call, &source, Some(&secret)))
}

pub(crate) async fn find<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    Ok(told(StatusCode::OK, call, &call.core.find_source(business).await?, None))
}

pub(crate) async fn remove<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let _place = call.traffic.write(business).await?;
    call.core.remove_source(business, call.now()).await?;
    Ok(Reply::new(StatusCode::OK, json!({ "removed": true })))
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Rotation {
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
    let Rotation { secret, at_once, token } = request::maybe_json(request).await?;
    let _place = call.traffic.write(business).await?;
    if let Some(token) = token {
        let source = call.core.replace_token(business, token, call.now()).await?;
        if secret.is_none() && !at_once {
            return Ok(told(StatusCode::OK, call, &source, None));
        }
    }
    let (source, secret) = call.core.rotate_source(business, secret, at_once, call.now()).await?;
    Ok(told(StatusCode::OK, call, &source, Some(&secret)))
}

pub(crate) async fn deliveries<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let limit = request::limit(request.uri(), DELIVERIES_MAX)?;
    let cursor = request::query(request.uri(), "cursor");
    let (page, next) = call.core.deliveries(business, cursor.as_deref(), limit).await?;
    let deliveries = page.iter().map(|delivery| shown(call, delivery)).collect::<Vec<_>>();
    Ok(Reply::new(StatusCode::OK, json!({ "deliveries": deliveries, "cursor": next })).private())
}

fn shown<S: Store>(call: &Call<'_, S>, delivery: &Delivery) -> Json {
    let url = delivery.build.as_ref().and_then(|build| call.core.page_url(&delivery.business, build).ok());
    json!({
        "deliveryId": delivery.delivery,
        "receivedAt": delivery.received_at,
        "event": delivery.event,
        "branch": delivery.branch,
        "commit": delivery.commit,
        "outcome": delivery.outcome,
        "reason": delivery.reason,
        "buildId": delivery.build,
        "url": url,
    })
}

/// A source without its token; with its hook's secret where that is new.
fn told<S: Store>(status: StatusCode, call: &Call<'_, S>, source: &Source, secret: Option<&str>) -> Reply {
    let mut body = json!({
        "forge": source.forge,
        "apiBase": source.api_base,
        "repository": source.repository,
        "folder": source.folder,
        "branch": source.branch,
        "hookUrl": call.core.hook_url(&source.business),
        "formerSecretUntil": source.previous.as_ref().map(|(_, until)| until),
        "createdAt": source.created_at,
    });
    if let (Some(secret), Json::Object(members)) = (secret, &mut body) {
        members.insert("secret".to_owned(), json!(secret));
    }
    Reply::new(status, body).private()
}
