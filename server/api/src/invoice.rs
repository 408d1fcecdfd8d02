//! Invoices and the ledger's audit: the operator's endpoints.

use crate::app::App;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::{auth, request};
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::json;
use svc_store::Store;
use svc_store::records::Id;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Close {
    subscription_id: Option<Id>,
    dry_run: bool,
}

pub(crate) async fn close<S: Store>(app: &App<S>, request: Request<Incoming>, business: &Id) -> Result<Reply, Problem> {
    auth::operator(app, &request)?;
    let Close { subscription_id, dry_run } = request::maybe_json(request).await?;
    let closed = app.core.close_invoices(business, subscription_id.as_ref(), dry_run, app.now()).await?;
    let status = if closed.invoices.is_empty() || dry_run { StatusCode::OK } else { StatusCode::CREATED };
    Ok(Reply::new(status, json!(closed)))
}

pub(crate) async fn list<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
    subscription: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, request)?;
    Ok(Reply::new(StatusCode::OK, json!({ "invoices": app.core.invoices(business, subscription).await? })))
}

pub(crate) async fn usage<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
    subscription: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, request)?;
    Ok(Reply::new(StatusCode::OK, json!(app.core.usage_of_period(business, subscription, app.now()).await?)))
}

pub(crate) async fn audit<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, request)?;
    Ok(Reply::new(StatusCode::OK, json!(app.core.audit(business).await?)))
}
