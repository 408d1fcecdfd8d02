//! Why a bill is what it is: the operator's endpoints, and the subscriber's own.

use crate::answers::OwnExplanation;
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode, Uri};
use svc_core::explain::{CHARGES_MAX, Explained};
use svc_store::Store;
use svc_store::records::Id;

/// Explains the open period, or the one that the query names.
pub(crate) async fn of_subscription<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
    subscription: &Id,
) -> Result<Reply, Problem> {
    let which = match request::number::<u32>(request.uri(), "period")? {
        Some(period) => Explained::Period(subscription.clone(), period),
        None => Explained::Open(subscription.clone()),
    };
    show(call, request.uri(), business, &which).await
}

/// Explains what an invoice closed.
pub(crate) async fn of_invoice<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
    invoice: &Id,
) -> Result<Reply, Problem> {
    show(call, request.uri(), business, &Explained::Invoice(invoice.clone())).await
}

/// Explains the open period to the subscriber, where the plan discloses it.
pub(crate) async fn to_subscriber<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let explanation = call.core.explain_to_subject(business, call.subject()?, call.now()).await?;
    Ok(Reply::of(StatusCode::OK, &OwnExplanation { explanation })?.private())
}

async fn show<S: Store>(call: &Call<'_, S>, uri: &Uri, business: &Id, which: &Explained) -> Result<Reply, Problem> {
    let from = request::position(uri)?;
    let limit = request::limit(uri, CHARGES_MAX)?;
    Ok(Reply::of(StatusCode::OK, &call.core.explain(business, which, (from, limit), call.now()).await?)?.private())
}
