//! Events and who is told of them: the operator's endpoints.

use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use svc_core::events::EVENTS_MAX;
use svc_store::Store;
use svc_store::records::{EventReceiver, EventSent, EventType, Id};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewReceiver {
    url: String,
    types: Option<Vec<EventType>>,
    secret: Option<String>,
}

pub(crate) async fn add_receiver<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let NewReceiver { url, types, secret } = request::json(request).await?;
    let (receiver, secret) = call.core.add_receiver(business, &url, types, secret, call.now()).await?;
    Ok(Reply::new(StatusCode::CREATED, told(&receiver, Some(&secret))).private())
}

pub(crate) async fn receivers<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let receivers = call.core.receivers(business).await?;
    let receivers: Vec<Json> = receivers.iter().map(|receiver| told(receiver, None)).collect();
    Ok(Reply::new(StatusCode::OK, json!({ "receivers": receivers })).private())
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Rotation {
    secret: Option<String>,
    at_once: bool,
}

pub(crate) async fn rotate_receiver<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
    receiver: &Id,
) -> Result<Reply, Problem> {
    let Rotation { secret, at_once } = request::maybe_json(request).await?;
    let (receiver, secret) = call.core.rotate_receiver(business, receiver, secret, at_once, call.now()).await?;
    Ok(Reply::new(StatusCode::OK, told(&receiver, Some(&secret))).private())
}

pub(crate) async fn start_receiver<S: Store>(
    call: &Call<'_, S>,
    business: &Id,
    receiver: &Id,
) -> Result<Reply, Problem> {
    let receiver = call.core.start_receiver(business, receiver, call.now()).await?;
    Ok(Reply::new(StatusCode::OK, told(&receiver, None)).private())
}

pub(crate) async fn remove_receiver<S: Store>(
    call: &Call<'_, S>,
    business: &Id,
    receiver: &Id,
) -> Result<Reply, Problem> {
    call.core.remove_receiver(business, receiver, call.now()).await?;
    Ok(Reply::new(StatusCode::OK, json!({ "removed": true })))
}

pub(crate) async fn events<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let limit = request::limit(request.uri(), EVENTS_MAX)?;
    let cursor = request::query(request.uri(), "cursor");
    let (page, next) = call.core.events(business, cursor.as_deref(), limit).await?;
    let mut events: Vec<Json> = Vec::new();
    for sent in &page {
        match events.last_mut().filter(|last| last.get("id") == Some(&json!(sent.event.id))) {
            Some(last) => add_delivery(last, sent),
            None => events.push(shown(sent)),
        }
    }
    Ok(Reply::new(StatusCode::OK, json!({ "events": events, "cursor": next })).private())
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Redelivery {
    /// One event; without it, what was given up.
    event: Option<Id>,
    /// Since when; a week ago unless given.
    since: Option<Timestamp>,
}

pub(crate) async fn redeliver<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let Redelivery { event, since } = request::maybe_json(request).await?;
    let waiting = call.core.redeliver(business, event.as_ref(), since, call.now()).await?;
    Ok(Reply::new(StatusCode::ACCEPTED, json!({ "deliveries": waiting })))
}

/// A receiver; with its secret where that is new.
fn told(receiver: &EventReceiver, secret: Option<&str>) -> Json {
    let mut body = json!({
        "id": receiver.id,
        "url": receiver.url,
        "types": receiver.types,
        "stopped": receiver.stopped,
        "formerSecretUntil": receiver.previous.as_ref().map(|(_, until)| until),
        "createdAt": receiver.created_at,
    });
    if let (Some(secret), Json::Object(members)) = (secret, &mut body) {
        members.insert("secret".to_owned(), json!(secret));
    }
    body
}

fn shown(sent: &EventSent) -> Json {
    let data: Json = serde_json::from_str(&sent.event.body).unwrap_or_default();
    let mut event = json!({
        "id": sent.event.id,
        "type": sent.event.event,
        "timestamp": sent.event.at,
        "data": data,
        "deliveries": [],
    });
    add_delivery(&mut event, sent);
    event
}

fn add_delivery(event: &mut Json, sent: &EventSent) {
    let Some((receiver, state)) = &sent.receiver else { return };
    let delivery = json!({ "receiver": receiver, "state": state, "attempts": sent.attempts, "problem": sent.problem });
    if let Some(Json::Array(deliveries)) = event.get_mut("deliveries") {
        deliveries.push(delivery);
    }
}
