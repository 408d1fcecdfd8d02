//! Events on their way to receivers: taken from the store under a lease, signed as Standard Webhooks has it, and sent until the receiver
//! takes them or the schedule ends.

mod message;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER, USER_AGENT};
use hyper::{Request, StatusCode};
use jiff::{SignedDuration, Timestamp};
use message::Message;
use std::sync::Arc;
use std::time::Duration;
use svc_core::events::Outcome;
use svc_core::work::{self, Queue};
use svc_core::{Clock, Core, CoreError};
use svc_outbound::{Outbound, Unanswered};
use svc_store::Store;
use svc_store::records::EventDelivery;
use tokio::sync::Semaphore;

/// Events that a server sends at once.
const AT_ONCE: usize = 32;
/// Pauses before an event is sent again, in seconds: about three days in all, as Standard Webhooks recommends.
const PAUSES_SECONDS: [u64; 10] = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/// The part of a pause by which it may be longer, by chance: one in so many.
const JITTER_PART: u64 = 10;
/// Longest time that a receiver may have an event wait by `Retry-After`, in seconds.
const RETRY_AFTER_MAX_SECONDS: u64 = 86_400;

/// Sends events.
#[derive(Clone)]
pub struct Events<S> {
    core: Core<S>,
    outbound: Outbound,
    clock: Arc<Clock>,
    slots: Arc<Semaphore>,
}

impl<S: Store> Events<S> {
    /// With the connections to receivers.
    pub fn new(core: Core<S>, outbound: Outbound, clock: Arc<Clock>) -> Self {
        Events { core, outbound, clock, slots: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Sends what is due, for ever.
    pub async fn run(&self) {
        work::run(self).await;
    }

    async fn send(&self, delivery: &EventDelivery) -> Result<Outcome, CoreError> {
        let now = (self.clock)();
        let opened = self.core.open_delivery(delivery, now).and_then(|open| Ok((open, Message::of(&delivery.event)?)));
        let (open, message) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                tracing::error!(%error, receiver = %delivery.receiver.id, "an event can't be signed");
                let problem = "it could not be signed; the service's log says why".to_owned();
                return Ok(Outcome::Problem(again_at(now, delivery.attempts, None), problem));
            }
        };
        let headers = message.headers(&open.keys, now);
        let request = Request::post(delivery.receiver.url.as_str())
            .header(CONTENT_TYPE, "application/json")
            .header(USER_AGENT, svc_outbound::USER_AGENT);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, value));
        let request = request.body(Full::new(Bytes::from(message.body)));
        let request = request.map_err(|error| CoreError::Internal(error.to_string()))?;
        let answered = self.outbound.head(request, open.is_named).await;
        Ok(self.outcome(answered, delivery.attempts))
    }

    /// What an answer means for a delivery that was tried `attempts` times.
    fn outcome(&self, answered: Result<(StatusCode, HeaderMap), Unanswered>, attempts: u32) -> Outcome {
        let (problem, wait) = match answered {
            Ok((status, _)) if status.is_success() => return Outcome::Delivered,
            Ok((StatusCode::GONE, _)) => return Outcome::Gone,
            Ok((status, headers)) => (format!("it answered {status}"), retry_after(&headers)),
            Err(Unanswered::NotPublic) => {
                ("its host has no public address; the operator may name it: svc serve --allow-host".to_owned(), None)
            }
            Err(why) => (why.to_string(), None),
        };
        Outcome::Problem(again_at((self.clock)(), attempts, wait), problem)
    }
}

/// How long a receiver asks to be left alone.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds.min(RETRY_AFTER_MAX_SECONDS)))
}

/// When an event is sent again that was sent `attempts` times; nothing where it is given up.
fn again_at(now: Timestamp, attempts: u32, wait: Option<Duration>) -> Option<Timestamp> {
    let index = usize::try_from(attempts.saturating_sub(1)).ok()?;
    let pause_ms = PAUSES_SECONDS.get(index)?.saturating_mul(1_000);
    // Without chance the pause alone: it only serves to keep many apart.
    let most = pause_ms.checked_div(JITTER_PART).unwrap_or_default();
    let jitter_ms = getrandom::u64().ok().and_then(|chance| chance.checked_rem(most)).unwrap_or_default();
    let pause = Duration::from_millis(pause_ms.saturating_add(jitter_ms)).max(wait.unwrap_or_default());
    now.checked_add(SignedDuration::try_from(pause).ok()?).ok()
}

impl<S: Store> Queue for Events<S> {
    const NAME: &'static str = "deliver event";

    type Work = EventDelivery;

    fn slots(&self) -> &Arc<Semaphore> {
        &self.slots
    }

    async fn take(&self) -> Result<Option<EventDelivery>, CoreError> {
        self.core.take_event((self.clock)()).await
    }

    async fn wait(&self, at_most: Duration) {
        self.core.queued_event(at_most).await;
    }

    fn cause(delivery: &EventDelivery) -> Option<&str> {
        delivery.event.trace.as_deref()
    }

    async fn work(&self, delivery: EventDelivery) -> Result<(), CoreError> {
        let outcome = self.send(&delivery).await?;
        if let Outcome::Problem(_, problem) = &outcome {
            let (event, receiver) = (&delivery.event.id, &delivery.receiver.id);
            tracing::info!(%event, %receiver, attempts = delivery.attempts, problem, "an event was not taken");
        }
        self.core.event_was_sent(&delivery, &outcome, (self.clock)()).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_sent_again_for_about_three_days() {
        let now: Timestamp = "2026-04-01T00:00:00Z".parse().unwrap();
        let mut at = now;
        let mut pauses = Vec::new();
        for attempts in 1.. {
            let Some(next) = again_at(at, attempts, None) else { break };
            pauses.push(next.duration_since(at).as_secs());
            at = next;
        }
        for (pause, least) in pauses.iter().zip([5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
            assert!((least..=least + least / 10).contains(pause), "{pauses:?}");
        }
        assert_eq!(pauses.len(), 10);
        assert_eq!(again_at(now, 0, None).map(|_| ()), Some(()), "an attempt that was not counted is the first");
    }

    #[test]
    fn a_receiver_may_ask_for_a_longer_pause_and_for_no_shorter_one() {
        let now: Timestamp = "2026-04-01T00:00:00Z".parse().unwrap();
        let pause = |wait| again_at(now, 2, Some(Duration::from_secs(wait))).unwrap().duration_since(now).as_secs();
        assert_eq!(pause(600), 600);
        assert!((60..=66).contains(&pause(1)));
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, "9999999".parse().unwrap());
        assert_eq!(retry_after(&headers), Some(Duration::from_secs(RETRY_AFTER_MAX_SECONDS)));
        headers.insert(RETRY_AFTER, "Wed, 21 Oct 2026 07:28:00 GMT".parse().unwrap());
        assert_eq!(retry_after(&headers), None);
    }
}
