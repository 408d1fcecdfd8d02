//! `POST /hooks/git/{business}`: a forge tells of a push. Its proof is looked at before anything else, the work is queued, and the
//! answer is given before anything is fetched.

mod delivery;
mod signature;

use crate::app::App;
use crate::edge::traffic::{Account, Passage};
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::json;
use svc_core::CoreError;
use svc_core::tokens::token_hash;
use svc_store::Store;
use svc_store::records::{DeliveryOutcome, Id};

pub(crate) async fn receive<S: Store>(
    app: &App<S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let now = app.now();
    let hook = app.core.hook_secrets(business, now).await?;
    // Who sent it is known by its body alone; until then it is counted apart from what the business itself does.
    Passage::of(request.extensions())?.enter(Account::Hook(business.clone()))?;
    let (headers, body) = request::raw(request).await?;
    if !signature::is_proven(hook.forge, &headers, &body, &hook.secrets, now) {
        let detail = "the delivery's signature is missing or wrong; `svc hook show` says how it is set up";
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "SIGNATURE", detail));
    }
    // Only what the forge sent counts: strangers use up nothing of the business's.
    app.rates.admit(&token_hash(&format!("hook {business}")))?;
    let malformed = |detail: String| Problem::new(StatusCode::BAD_REQUEST, "DELIVERY_FORM", detail);
    let arrival = delivery::read(hook.forge, &headers, &body).map_err(malformed)?;
    let _place = app.traffic.write(business).await?;
    let delivery = match app.core.take_delivery(business, &arrival, now).await {
        Err(CoreError::Invalid { message, .. }) => return Err(malformed(message)),
        taken => taken?,
    };
    let reply = json!({ "outcome": delivery.outcome, "reason": delivery.reason });
    let (Some(build), DeliveryOutcome::Queued) = (&delivery.build, delivery.outcome) else {
        return Ok(Reply::new(StatusCode::OK, reply));
    };
    let url = app.core.page_url(business, build)?;
    let reply = json!({ "outcome": delivery.outcome, "reason": delivery.reason, "buildId": build, "url": url });
    Ok(Reply::new(StatusCode::ACCEPTED, reply).private())
}
