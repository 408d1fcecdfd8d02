//! Passing a request on, and its answer back. Whatever becomes of either, the request is settled once: by its end, or by being dropped.

use crate::body::{Download, Ending, Settling, Upload, UploadEnd, UploadWatch};
use crate::deny::Deny;
use crate::gateway::Gateway;
use crate::headers::{self, Caller};
use crate::job::Job;
use crate::outcome::Outcome;
use crate::report::{ReportError, Reports, USAGE};
use crate::request::{Admitted, micros};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode, Version};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use svc_api::{AnyBody, Streamed};
use svc_engine::manifest::ir::Key;
use svc_store::Store;
use tokio::sync::oneshot;
use tokio::time::Instant;

// INVARIANT 21: whatever becomes of a request that was let through, this is dropped at last, and then it is settled.
/// A request that was let through, until it is settled.
pub(crate) struct Settlement<S: Store> {
    gateway: Arc<Gateway<S>>,
    pub(crate) admitted: Admitted,
    /// The answer's status, and what its head reports, once it is there.
    head: Option<(u16, Option<Reports>)>,
    is_done: bool,
}

impl<S: Store> Settlement<S> {
    pub(crate) fn new(gateway: Arc<Gateway<S>>, admitted: Admitted) -> Settlement<S> {
        gateway.live.fetch_add(1, Ordering::AcqRel);
        Settlement { gateway, admitted, head: None, is_done: false }
    }

    /// The answer's head is there.
    fn note_head(&mut self, response: &Response<Incoming>) {
        let reports = self.reports_in(response.headers());
        self.head = Some((response.status().as_u16(), reports));
    }

    /// What these headers report, where it can be believed.
    fn reports_in(&self, headers: &HeaderMap) -> Option<Reports> {
        let must_prove = self.admitted.route().is_none_or(|route| route.upstream.must_prove);
        let proof = self.gateway.settings.proof(&self.admitted.subscriber.business);
        let now = u64::try_from((self.gateway.clock)().as_second()).unwrap_or_default();
        match proof.reports(headers, &self.admitted.id, must_prove, now) {
            Ok(reports) => reports,
            Err(error) => {
                self.distrust(error);
                None
            }
        }
    }

    fn distrust(&self, error: ReportError) {
        self.gateway.meters.reported(error.code());
        tracing::warn!(id = self.admitted.id, code = error.code(), "a backend's report is not taken");
    }

    /// Settles it; what is returned is done when that is written, where somebody should wait for it.
    fn finish(&mut self, outcome: Outcome) -> Option<oneshot::Receiver<()>> {
        if self.is_done {
            return None;
        }
        self.is_done = true;
        let change = self.admitted.change.take().map(|change| (change, outcome.has_done()));
        let route = self.admitted.route()?;
        let served = self.admitted.served();
        let charge = outcome.charge(route);
        if let (Some(charge), Some(taken)) = (&charge, &self.admitted.taken) {
            let reported = |dimension: &Key| charge.reports.get(dimension.as_str()).copied();
            let now = micros((self.gateway.clock)());
            self.admitted.subscriber.correct((served, route), taken, reported, now);
        }
        if charge.is_none() && !self.admitted.is_held && change.is_none() {
            return None;
        }
        let is_waited_for = self.admitted.is_held || change.is_some();
        let (done, waited) = if is_waited_for { Some(oneshot::channel()) } else { None }.unzip();
        self.gateway.settler.settle(Job {
            business: self.admitted.subscriber.business.clone(),
            subject: self.admitted.subscriber.subject.clone(),
            id: self.admitted.id.clone(),
            route: route.name.clone(),
            at: self.admitted.at,
            charge,
            is_held: self.admitted.is_held,
            change,
            expected: route.estimated_reports().collect(),
            requests: Vec::new(),
            // What a plan may refuse is asked for request by request, where no money could be set aside for it too.
            together_max: if route.is_held { 1 } else { route.together_max },
            kept: Vec::new(),
            done,
        });
        waited
    }
}

/// Waits for a settlement, but not for ever.
async fn settled(waited: oneshot::Receiver<()>) {
    let most = Duration::from_secs(crate::limits::SETTLE_WAIT_MAX_SECONDS);
    let _settled_later = tokio::time::timeout(most, waited).await;
}

impl<S: Store> Ending for Settlement<S> {
    fn whole(&mut self, trailers: Option<&HeaderMap>) -> Option<Settling> {
        let (status, head) = self.head.take()?;
        let trailing = trailers.filter(|trailers| trailers.contains_key(USAGE));
        let reports = match (head, trailing) {
            (Some(_), Some(_)) => {
                self.distrust(ReportError::Form);
                None
            }
            (None, Some(trailers)) => self.reports_in(trailers),
            (head, None) => head,
        };
        let expects = self.admitted.route().is_some_and(|route| !route.reports.is_empty());
        match &reports {
            Some(_) => self.gateway.meters.reported("taken"),
            None if expects => self.gateway.meters.reported("missing"),
            None => {}
        }
        let waited = self.finish(Outcome::Whole { status, reports: reports.unwrap_or_default() })?;
        Some(Box::pin(settled(waited)))
    }

    fn broke(&mut self) {
        self.finish(Outcome::Failed);
    }

    fn cut(&mut self) {
        let outcome = self.head.take().map_or(Outcome::Failed, |(status, reports)| Outcome::Cut { status, reports });
        self.finish(outcome);
    }
}

impl<S: Store> Drop for Settlement<S> {
    fn drop(&mut self) {
        self.cut();
        self.gateway.live.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A backend's answer, once its head is there.
pub(crate) struct Answered<S: Store> {
    response: Response<Incoming>,
    settlement: Settlement<S>,
    /// When the time for the whole request is over.
    deadline: Instant,
}

/// Passes a request on, and waits for its answer's head.
///
/// # Errors
/// Why there is no answer.
pub(crate) async fn exchanged<S: Store>(
    mut settlement: Settlement<S>,
    request: Request<Incoming>,
) -> Result<Answered<S>, Deny> {
    let most = Duration::from_secs(u64::from(settlement.gateway.settings.request_seconds));
    let now = Instant::now();
    let deadline = now.checked_add(most).unwrap_or(now);
    let response = exchange(&settlement, request, deadline).await?;
    settlement.note_head(&response);
    Ok(Answered { response, settlement, deadline })
}

/// The answer as its client gets it.
pub(crate) async fn passed_back<S: Store>(answered: Answered<S>) -> Response<AnyBody> {
    let Answered { response, mut settlement, deadline } = answered;
    let (mut parts, body) = response.into_parts();
    headers::to_client(&mut parts.headers);
    parts.version = Version::HTTP_11;
    parts.extensions = hyper::http::Extensions::new();
    parts.extensions.insert(Streamed);
    settlement.admitted.tell_limits(&mut parts.headers);
    let id = HeaderName::from_static("x-request-id");
    if let (false, Ok(own)) = (parts.headers.contains_key(&id), HeaderValue::from_str(&settlement.admitted.id)) {
        parts.headers.insert(id, own);
    }
    if body.is_end_stream() {
        if let Some(settled) = settlement.whole(None) {
            settled.await;
        }
        let empty = http_body_util::Empty::new().map_err(|never| match never {});
        return Response::from_parts(parts, empty.boxed_unsync());
    }
    let silence = settlement.gateway.settings.silence();
    let body = Download::new(body, settlement, silence, deadline);
    Response::from_parts(parts, body.boxed_unsync())
}

/// Sends a request to its backend, and waits for the answer's head.
async fn exchange<S: Store>(
    settlement: &Settlement<S>,
    request: Request<Incoming>,
    deadline: Instant,
) -> Result<Response<Incoming>, Deny> {
    let (gateway, admitted) = (&settlement.gateway, &settlement.admitted);
    let (parts, body) = request.into_parts();
    let most = gateway.settings.body_max;
    if body.size_hint().lower() > most {
        return Err(Deny::BodyTooLarge(most));
    }
    let head = onward(admitted, parts, if gateway.settings.has_tls { "https" } else { "http" })?;
    // Only here: a request that limits or money refused has not tried it.
    if !admitted.backend.may_be_asked(std::time::Instant::now()) {
        return Err(Deny::Unreachable { rests: true });
    }
    let watch = UploadWatch::new();
    let upload = Upload::new(Some(body).filter(|body| !body.is_end_stream()), Arc::clone(&watch), most);
    let sent = gateway.upstreams.pool(&admitted.backend).request(Request::from_parts(head, upload));
    // One that is slow was reached: a client that sends slowly, or one slow route, says nothing about the others.
    let error = match within(sent, &watch, gateway.settings.silence(), deadline).await? {
        Ok(response) => {
            admitted.backend.answered();
            return checked(response);
        }
        Err(error) => error,
    };
    match watch.end() {
        UploadEnd::TooLarge => return Err(Deny::BodyTooLarge(most)),
        UploadEnd::Late => return Err(Deny::BodyLate),
        UploadEnd::Broken => return Err(Deny::BodyBroken),
        UploadEnd::Fine => {}
    }
    tracing::info!(id = admitted.id, %error, cause = error.source().map(tracing::field::display), "a backend gave no answer");
    if error.is_connect() {
        admitted.backend.failed(std::time::Instant::now());
        return Err(Deny::Unreachable { rests: false });
    }
    Err(Deny::Broken)
}

/// Waits for an answer's head as long as the request's body moves, or the backend is not silent for too long.
async fn within<T>(
    sent: impl Future<Output = T>,
    watch: &UploadWatch,
    silence: Duration,
    deadline: Instant,
) -> Result<T, Deny> {
    let mut sent = std::pin::pin!(sent);
    loop {
        let left = silence.saturating_sub(watch.rests());
        let look = Instant::now().checked_add(left).unwrap_or(deadline).min(deadline);
        tokio::select! {
            biased;
            answer = sent.as_mut() => return Ok(answer),
            () = tokio::time::sleep_until(look) => {}
        }
        if Instant::now() >= deadline || watch.rests() >= silence {
            return Err(Deny::Late);
        }
    }
}

/// The head of the request as its backend gets it.
fn onward(admitted: &Admitted, mut parts: Parts, scheme: &'static str) -> Result<Parts, Deny> {
    let route = admitted.route().ok_or(Deny::NoRoute)?;
    let caller = Caller {
        request_id: &admitted.id,
        business: &admitted.subscriber.business_named,
        subject: &admitted.subscriber.subject_named,
        plan: &admitted.subscribed.plan_named,
        feature: &route.feature_named,
        route: &route.name_named,
        peer: &admitted.peer,
        scheme,
        key_in_authorization: admitted.key_in_authorization,
    };
    parts.uri = admitted.backend.uri(&admitted.target).ok_or(Deny::NoRoute)?;
    parts.version = Version::HTTP_11;
    // What was noted of the client's connection is not the backend's.
    parts.extensions = hyper::http::Extensions::new();
    headers::to_backend(&mut parts.headers, &caller, admitted.backend.host.clone());
    Ok(parts)
}

/// An answer that can be passed back.
fn checked(response: Response<Incoming>) -> Result<Response<Incoming>, Deny> {
    // Nobody asked for another protocol.
    if response.status() == StatusCode::SWITCHING_PROTOCOLS { Err(Deny::Broken) } else { Ok(response) }
}
