//! Invoices and the ledger's audit: the operator's endpoints.

use crate::answers::{AuditShown, ClosedPage, Invoices};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;
use svc_core::LISTED_MAX;
use svc_store::Store;
use svc_store::records::Id;

#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Close {
    subscription_id: Option<Id>,
    dry_run: bool,
}

pub(crate) async fn close<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (limit, after) = request::page(request.uri(), LISTED_MAX)?;
    let after = after.map(Id::named);
    let Close { subscription_id, dry_run } = request::maybe_json(request).await?;
    let _place = call.traffic.write(business).await?;
    let (closed, cursor) = match subscription_id {
        Some(one) => (call.core.close_invoices(business, Some(&one), dry_run, call.now()).await?, None),
        None => call.core.close_page(business, after.as_ref(), limit, dry_run, call.now()).await?,
    };
    let status = if closed.invoices.is_empty() || dry_run { StatusCode::OK } else { StatusCode::CREATED };
    Reply::of(status, &ClosedPage { closed, cursor })
}

pub(crate) async fn list<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
    subscription: &Id,
) -> Result<Reply, Problem> {
    let limit = request::limit(request.uri(), LISTED_MAX)?;
    let after = request::position(request.uri())?;
    let (invoices, cursor) = call.core.invoices(business, subscription, after, limit).await?;
    Reply::of(StatusCode::OK, &Invoices { invoices, cursor: cursor.map(|cursor| cursor.to_string()) })
}

pub(crate) async fn usage<S: Store>(call: &Call<'_, S>, business: &Id, subscription: &Id) -> Result<Reply, Problem> {
    Reply::of(StatusCode::OK, &call.core.usage_of_period(business, subscription, call.now()).await?)
}

/// Works a page of the business's subscriptions out again.
pub(crate) async fn audit<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (limit, cursor) = request::page(request.uri(), LISTED_MAX)?;
    let (audit, cursor) = call.core.audit_page(business, cursor.as_deref(), limit).await?;
    Reply::of(StatusCode::OK, &AuditShown { audit, cursor })
}
