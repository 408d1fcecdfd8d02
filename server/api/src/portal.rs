//! What a subscriber sees: their own bill preview, and a plan version that is offered to them.

use crate::access;
use crate::answers::{OfferShown, OwnInvoices, SubscriptionShown};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use svc_core::LISTED_MAX;
use svc_store::Store;
use svc_store::records::Id;

pub(crate) async fn preview<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let subject = call.subject()?;
    if let Some(shown) = call.core.preview_again(business, subject, call.now()).await? {
        return Ok(Reply::json(StatusCode::OK, shown.json()?).private());
    }
    let _turn = call.traffic.read(business).await?;
    let shown = call.core.preview_anew(business, subject, call.now()).await?;
    Ok(Reply::json(StatusCode::OK, shown.json()?).private())
}

/// A subject's preview as they see it, for an operator.
pub(crate) async fn preview_of<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let subject = access::subject(request.uri())?.ok_or_else(access::nobody)?;
    let preview = call.core.preview(business, &subject, call.now()).await?;
    Ok(Reply::json(StatusCode::OK, preview.json()?).private())
}

/// The subject's invoices and credit notes, also after the end: what each came to, and nothing that a rate could be worked out from.
pub(crate) async fn invoices<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let subject = call.subject()?;
    let (limit, before) = (request::limit(request.uri(), LISTED_MAX)?, request::before(request.uri())?);
    let (invoices, cursor) = call.core.invoices_of_subject(business, subject, before, limit).await?;
    Ok(Reply::of(StatusCode::OK, &OwnInvoices { invoices, cursor: cursor.map(|number| number.to_string()) })?.private())
}

pub(crate) async fn offer<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let subject = call.subject()?;
    Ok(Reply::of(StatusCode::OK, &OfferShown { offer: call.core.plan_offer(business, subject, call.now()).await? })?
        .private())
}

pub(crate) async fn accept_offer<S: Store>(call: &Call<'_, S>, business: &Id, offer: &Id) -> Result<Reply, Problem> {
    let subject = call.subject()?;
    let _place = call.traffic.write(business).await?;
    let subscription = call.core.take_offer(business, subject, offer, call.now()).await?;
    Ok(Reply::of(StatusCode::OK, &SubscriptionShown::from(&subscription))?.private())
}
