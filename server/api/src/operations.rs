//! What a server that has no API shows of itself, at an address of its own: `/metrics`, `/healthz` and `/readyz`.

use crate::app::MetersBeside;
use crate::edge::layers::{AnyBody, Layered};
use crate::edge::server::refusal_of;
use crate::metrics;
use crate::probe;
use crate::problem::Problem;
use crate::reply::Reply;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use std::convert::Infallible;
use std::sync::Arc;
use svc_core::clock_guard::ClockGuard;
use svc_core::{Clock, Core, new_id, to_micros};
use svc_store::Store;
use tower::service_fn;
use tower::util::BoxCloneSyncService;

/// What is shown.
pub struct Operations<S> {
    /// The use cases, which count.
    pub core: Core<S>,
    /// Knows whether the server's clock and the database's are apart.
    pub clock_guard: Arc<ClockGuard>,
    /// What the server itself counts.
    pub meters_beside: Arc<MetersBeside>,
    /// Tells the time.
    pub clock: Arc<Clock>,
}

impl<S: Store> Operations<S> {
    /// As what takes requests.
    pub fn service(self) -> Layered {
        let shown = Arc::new(self);
        BoxCloneSyncService::new(service_fn(move |request| answer(Arc::clone(&shown), request)))
    }

    async fn reply(&self, request: &Request<Incoming>) -> Result<Reply, Problem> {
        let path = request.uri().path();
        if !["/metrics", "/healthz", "/readyz"].contains(&path) {
            return Err(Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "there is nothing at this path"));
        }
        if ![Method::GET, Method::HEAD].contains(request.method()) {
            let detail = "this path has other methods";
            let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", detail);
            return Err(problem.with_header(ALLOW, "GET, HEAD"));
        }
        match path {
            "/metrics" => metrics::operations(&self.core, &self.clock_guard, &self.meters_beside),
            "/readyz" => {
                let skew_ms = probe::works(&self.core.store, &self.clock_guard).await?;
                probe::passing(&self.core, skew_ms)
            }
            _ => probe::healthz(),
        }
    }
}

async fn answer<S: Store>(
    shown: Arc<Operations<S>>,
    request: Request<Incoming>,
) -> Result<Response<AnyBody>, Infallible> {
    let id = new_id("req", to_micros((shown.clock)())).to_string();
    let answer = match shown.reply(&request).await {
        Ok(Reply { status, kind, body, .. }) => {
            let content = Full::new(Bytes::from(body)).map_err(|never| match never {});
            let mut answer = Response::new(content.boxed_unsync());
            *answer.status_mut() = status;
            answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
            answer
        }
        Err(problem) => refusal_of(&problem, &id),
    };
    let is_head = request.method() == Method::HEAD;
    Ok(if is_head { answer.map(|_| AnyBody::default()) } else { answer })
}
