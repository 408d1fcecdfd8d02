//! Connections: each request finds its endpoint, and its answer or problem is written.

use crate::app::App;
use crate::problem::Problem;
use crate::routes::Router;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use svc_core::new_id;
use svc_store::Store;
use tokio::net::TcpListener;
use tracing::Instrument;

/// How long a connection may take to send a request's head, in seconds; also how long it may idle between two.
const HEAD_MAX_SECONDS: u64 = 30;
/// How long requests under way may take once the server is told to stop, in seconds.
const DRAIN_MAX_SECONDS: u64 = 30;

/// Serves until `stop` is done, then finishes what runs.
///
/// # Errors
/// Only when the listener fails for good.
pub async fn serve<S: Store>(
    listener: TcpListener,
    app: Arc<App<S>>,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let router = Arc::new(Router::new().map_err(io::Error::other)?);
    let mut server = auto::Builder::new(TokioExecutor::new());
    server.http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(HEAD_MAX_SECONDS));
    server.http2().timer(TokioTimer::new()).keep_alive_interval(Duration::from_secs(HEAD_MAX_SECONDS));
    let graceful = GracefulShutdown::new();
    tokio::pin!(stop);
    loop {
        let stream = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Out of files, as a rule: let some close.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        let (app, router) = (Arc::clone(&app), Arc::clone(&router));
        let service = service_fn(move |request| answer(Arc::clone(&app), Arc::clone(&router), request));
        let connection = server.serve_connection(TokioIo::new(stream), service).into_owned();
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = watched.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    let drained = tokio::time::timeout(Duration::from_secs(DRAIN_MAX_SECONDS), graceful.shutdown()).await;
    if drained.is_err() {
        tracing::warn!("requests were still under way when the time to stop was over");
    }
    Ok(())
}

type HttpResponse = Response<Full<Bytes>>;

async fn answer<S: Store>(
    app: Arc<App<S>>,
    router: Arc<Router>,
    request: Request<Incoming>,
) -> Result<HttpResponse, std::convert::Infallible> {
    let request_id = new_id("req", app.now()).to_string();
    let path = loggable(request.uri().path());
    let span = tracing::info_span!("request", id = %request_id, method = %request.method(), path);
    let handled = async {
        let result = router.dispatch(&app, request).await;
        match &result {
            Ok(reply) => tracing::info!(status = reply.status.as_u16(), "answered"),
            Err(problem) => tracing::info!(status = problem.status.as_u16(), code = %problem.code, "refused"),
        }
        result
    };
    let response = match handled.instrument(span).await {
        Ok(reply) => {
            let mut response = respond(reply.status, reply.kind, reply.body);
            if reply.is_private {
                response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
            }
            reply.headers.into_iter().fold(response, |response, (name, value)| with_header(response, name, &value))
        }
        Err(problem) => refuse(&problem, &request_id),
    };
    Ok(with_header(response, HeaderName::from_static("x-request-id"), &request_id))
}

/// A path as the log has it: without what opens a page.
fn loggable(path: &str) -> &str {
    let opens = path.starts_with("/builds/") || path.contains("/links/");
    path.rsplit_once('/').filter(|_| opens).map_or(path, |(before, _)| before)
}

fn refuse(problem: &Problem, request_id: &str) -> HttpResponse {
    let mut response = respond(problem.status, "application/problem+json", problem.body(request_id).to_string());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    problem.headers.iter().fold(response, |response, (name, value)| with_header(response, name.clone(), value))
}

fn respond(status: StatusCode, kind: &'static str, body: String) -> HttpResponse {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    // What is no script is never run as one.
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

fn with_header(mut response: HttpResponse, name: HeaderName, value: &str) -> HttpResponse {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_nothing_that_opens_a_page() {
        assert_eq!(loggable("/builds/biz_1/bld_1/secret"), "/builds/biz_1/bld_1");
        assert_eq!(loggable("/portal/businesses/biz_1/links/secret"), "/portal/businesses/biz_1/links");
        for plain in ["/", "/v1/businesses/biz_1/tokens", "/portal/businesses/biz_1/me/bill-preview"] {
            assert_eq!(loggable(plain), plain);
        }
    }
}
