//! Usage, credits and the bill preview.

use super::problem::Problem;
use super::{App, Reply, auth, request};
use crate::core::credits::Credit;
use crate::core::model::Id;
use crate::store::Store;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use svc_engine::manifest::ir::GrantKind;
use svc_engine::money::amount::Cents;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    items: Vec<Json>,
}

pub(crate) async fn usage<S: Store>(app: &App<S>, request: Request<Incoming>, business: &Id) -> Result<Reply, Problem> {
    auth::deploy(app, request.headers(), business).await?;
    let Batch { items } = request::json(request).await?;
    let results = app.core.report_usage(business, items, app.now()).await?;
    Ok(Reply::new(StatusCode::OK, json!({ "results": results })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewCredit {
    subject: String,
    amount_cents: Cents,
    #[serde(default = "promo")]
    kind: GrantKind,
    expires_after_days: Option<u32>,
}

fn promo() -> GrantKind {
    GrantKind::Promo
}

pub(crate) async fn credits<S: Store>(
    app: &App<S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, request.headers())?;
    let NewCredit { subject, amount_cents, kind, expires_after_days } = request::json(request).await?;
    let credit = Credit { subject, amount: amount_cents, kind, expires_after_days };
    let bucket = app.core.give_credit(business, credit, app.now()).await?;
    let body = json!({
        "bucketId": bucket.id,
        "kind": bucket.kind,
        "state": bucket.state,
        "remainingNanos": bucket.remaining,
        "expiresAt": bucket.expires_at,
    });
    Ok(Reply::new(StatusCode::CREATED, body))
}

pub(crate) async fn preview<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let subject = auth::subject(app, request.headers(), business).await?;
    let preview = app.core.preview(business, &subject, app.now()).await?;
    let body = serde_json::to_value(&preview).map_err(|error| crate::core::CoreError::Internal(error.to_string()))?;
    Ok(Reply::new(StatusCode::OK, body).private())
}
