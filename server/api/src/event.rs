//! Events and who is told of them: the operator's endpoints.

use crate::answers::{EventDeliveryShown, EventPage, EventShown, ReceiverShown, Receivers, Redelivered, Removed};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_core::events::EVENTS_MAX;
use svc_engine::moment::Moment;
use svc_store::Store;
use svc_store::records::{EventSent, EventType, Id};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewReceiver {
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
    Ok(Reply::of(StatusCode::CREATED, &ReceiverShown::of(&receiver, Some(&secret)))?.private())
}

pub(crate) async fn receivers<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let receivers = call.core.receivers(business).await?;
    let receivers = receivers.iter().map(|receiver| ReceiverShown::of(receiver, None)).collect();
    Ok(Reply::of(StatusCode::OK, &Receivers { receivers })?.private())
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct ReceiverRotation {
    secret: Option<String>,
    at_once: bool,
}

pub(crate) async fn rotate_receiver<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
    receiver: &Id,
) -> Result<Reply, Problem> {
    let ReceiverRotation { secret, at_once } = request::maybe_json(request).await?;
    let (receiver, secret) = call.core.rotate_receiver(business, receiver, secret, at_once, call.now()).await?;
    Ok(Reply::of(StatusCode::OK, &ReceiverShown::of(&receiver, Some(&secret)))?.private())
}

pub(crate) async fn start_receiver<S: Store>(
    call: &Call<'_, S>,
    business: &Id,
    receiver: &Id,
) -> Result<Reply, Problem> {
    let receiver = call.core.start_receiver(business, receiver, call.now()).await?;
    Ok(Reply::of(StatusCode::OK, &ReceiverShown::of(&receiver, None))?.private())
}

pub(crate) async fn remove_receiver<S: Store>(
    call: &Call<'_, S>,
    business: &Id,
    receiver: &Id,
) -> Result<Reply, Problem> {
    call.core.remove_receiver(business, receiver, call.now()).await?;
    Reply::of(StatusCode::OK, &Removed { removed: true })
}

pub(crate) async fn events<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (limit, cursor) = request::page(request.uri(), EVENTS_MAX)?;
    let (page, cursor) = call.core.events(business, cursor.as_deref(), limit).await?;
    let mut events: Vec<EventShown> = Vec::new();
    for sent in page {
        match events.last_mut().filter(|last| last.id == sent.event.id) {
            Some(last) => last.deliveries.extend(delivery(sent)),
            None => events.push(shown(sent)),
        }
    }
    Ok(Reply::of(StatusCode::OK, &EventPage { events, cursor })?.private())
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Redelivery {
    /// One event; without it, what was given up.
    event: Option<Id>,
    /// Since when; a week ago unless given.
    #[schemars(with = "Option<Moment>")]
    since: Option<Timestamp>,
}

pub(crate) async fn redeliver<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let Redelivery { event, since } = request::maybe_json(request).await?;
    let waiting = call.core.redeliver(business, event.as_ref(), since, call.now()).await?;
    Reply::of(StatusCode::ACCEPTED, &Redelivered { deliveries: waiting })
}

fn shown(sent: EventSent) -> EventShown {
    EventShown {
        id: sent.event.id.clone(),
        event: sent.event.event,
        timestamp: sent.event.at,
        data: serde_json::from_str(&sent.event.body).unwrap_or_default(),
        deliveries: delivery(sent).into_iter().collect(),
    }
}

fn delivery(sent: EventSent) -> Option<EventDeliveryShown> {
    let (receiver, state) = sent.receiver?;
    Some(EventDeliveryShown { receiver, state, attempts: sent.attempts, problem: sent.problem })
}
