//! What a subscriber sees: their own bill preview, and a plan version that is offered to them.

use crate::app::App;
use crate::auth;
use crate::business::shown;
use crate::problem::Problem;
use crate::reply::Reply;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::json;
use svc_store::Store;
use svc_store::records::Id;

pub(crate) async fn preview<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let subject = auth::reader(app, request, business).await?;
    let preview = app.core.preview(business, &subject, app.now()).await?;
    Ok(Reply::of(StatusCode::OK, &preview)?.private())
}

/// The subject's invoices and credit notes, also after the end: what each came to, and nothing that a rate could be worked out from.
pub(crate) async fn invoices<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let subject = auth::subject(app, request, business).await?;
    let invoices = app.core.invoices_of_subject(business, &subject).await?;
    Ok(Reply::new(StatusCode::OK, json!({ "invoices": invoices })).private())
}

pub(crate) async fn offer<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let subject = auth::subject(app, request, business).await?;
    Ok(Reply::new(StatusCode::OK, json!({ "offer": app.core.plan_offer(business, &subject, app.now()).await? }))
        .private())
}

pub(crate) async fn accept_offer<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
    offer: &Id,
) -> Result<Reply, Problem> {
    let subject = auth::subject(app, request, business).await?;
    let _place = app.traffic.write(business).await?;
    let subscription = app.core.take_offer(business, &subject, offer, app.now()).await?;
    Ok(Reply::new(StatusCode::OK, shown(&subscription)).private())
}
