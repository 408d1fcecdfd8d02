//! The gateway as a server: its answers to requests.

use crate::deny::Deny;
use crate::forward::{Settlement, exchanged, passed_back};
use crate::gateway::Gateway;
use crate::limits::REQUESTS_MAX;
use crate::outlives::Outlives;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, Response};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use svc_api::{AnyBody, Edge, Layered, Peer, Traffic, refusal_of, serve_behind_edge};
use svc_core::{new_id, to_micros};
use svc_store::Store;
use tokio::net::TcpListener;
use tower::service_fn;
use tower::util::BoxCloneSyncService;

/// Serves until `stop` is done, then finishes what runs and settles it.
///
/// # Errors
/// Only when the listener fails for good.
pub async fn serve<S: Store>(
    listener: TcpListener,
    gateway: Arc<Gateway<S>>,
    edge: Edge,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let served = Arc::clone(&gateway);
    let service = service_fn(move |request| answer(Arc::clone(&served), request));
    let clock = Arc::clone(&gateway.clock);
    let now = move || to_micros(clock());
    let service: Layered = BoxCloneSyncService::new(service);
    serve_behind_edge(listener, service, edge, &Traffic::default(), now, stop).await?;
    gateway.drained().await;
    Ok(())
}

async fn answer<S: Store>(
    gateway: Arc<Gateway<S>>,
    request: Request<Incoming>,
) -> Result<Response<AnyBody>, Infallible> {
    let at = to_micros((gateway.clock)());
    let id = new_id("req", at).to_string();
    let begun = Instant::now();
    let (method, peer) = (request.method().clone(), request.extensions().get::<Peer>().copied());
    let is_head = method == hyper::Method::HEAD;
    let result = attempt(&gateway, request, &id, at).await;
    let response = result.unwrap_or_else(|deny| {
        let problem = deny.problem();
        gateway.meters.refused(&problem.code);
        tracing::info!(id, code = problem.code, "refused");
        let answer = refusal_of(&problem, &id);
        if is_head { answer.map(|_| AnyBody::default()) } else { answer }
    });
    let peer = peer.map(|peer| peer.to_string()).unwrap_or_default();
    let took_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::info!(id, peer, %method, status = response.status().as_u16(), took_ms, "passed");
    Ok(response)
}

async fn attempt<S: Store>(
    gateway: &Arc<Gateway<S>>,
    request: Request<Incoming>,
    id: &str,
    at: jiff::Timestamp,
) -> Result<Response<AnyBody>, Deny> {
    if gateway.live.load(Ordering::Relaxed) >= REQUESTS_MAX {
        return Err(Deny::Busy("too many requests are under way"));
    }
    // Whoever leaves meanwhile leaves nothing set aside that nobody settles, and has not called for nothing when they hang up just before the
    // answer: the exchange with the backend goes on to its head.
    let (gateway, id) = (Arc::clone(gateway), id.to_owned());
    let passed = Outlives::new(async move {
        let admitted = request::admit(&gateway, &request, &id, at).await?;
        exchanged(Settlement::new(gateway, admitted), request).await
    });
    match passed.await {
        Some(answer) => Ok(passed_back(answer?).await),
        None => Err(Deny::Busy("the request could not be passed on")),
    }
}
