//! What every request goes through before its endpoint, as layers of tower-http: request ids, the access line, sensitive headers,
//! panics, CORS. Its limits and timeouts are not here: they are for one bound alone and answer in no shape of ours (`body.rs`,
//! `traffic.rs`), and know nothing of a socket on which there is no request yet (`pulse.rs`).

use crate::app::App;
use crate::edge::answer::{Answer, Content, refused, without_content, written};
use crate::edge::connections::Peer;
use crate::edge::head;
use crate::edge::limits::Limits;
use crate::edge::meters::Meters;
use crate::live::Live;
use crate::problem::Problem;
use crate::routes::Router;
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue, PROXY_AUTHORIZATION, RETRY_AFTER, SET_COOKIE};
use hyper::{Method, Request, Response, StatusCode};
use std::any::Any;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use svc_core::new_id;
use svc_store::Store;
use svc_tls::ServerTls;
use svc_trace::{Kind, Value};
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Layer, ServiceBuilder, ServiceExt, service_fn};
use tower_http::catch_panic::{CatchPanic, ResponseForPanic};
use tower_http::cors::CorsLayer;
use tower_http::request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer};
use tower_http::sensitive_headers::{SetSensitiveRequestHeadersLayer, SetSensitiveResponseHeadersLayer};
use tower_http::trace::TraceLayer;
use tracing::Span;

/// How long a browser may remember what another origin may ask, in seconds.
const CORS_MAX_AGE_SECONDS: u64 = 600;
/// The request's id, in answers.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The trace that a request is a part of.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// Headers of a request that open something.
const SECRETS: [HeaderName; 6] = [
    AUTHORIZATION,
    COOKIE,
    PROXY_AUTHORIZATION,
    HeaderName::from_static("x-gitlab-token"),
    HeaderName::from_static("x-hub-signature-256"),
    HeaderName::from_static("webhook-signature"),
];

/// What the edge is told.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// How long peers may take, and how many connections there may be.
    pub limits: Live<Limits>,
    /// Origins whose pages may read a subscriber's preview by a portal token, such as `https://app.example.com`.
    pub cors_origins: Live<Vec<HeaderValue>>,
    /// What is shown of the server where it speaks TLS; without it HTTP is spoken in the clear.
    pub tls: Option<ServerTls>,
}

/// The body of an answer that went through the layers.
pub type AnyBody = UnsyncBoxBody<Bytes, BoxError>;
/// What takes requests.
pub type Layered = BoxCloneSyncService<Request<Incoming>, Response<AnyBody>, Infallible>;

/// What an answer is of, for the access line: its method, where HTTP has it, and the pattern of its path.
#[derive(Clone)]
struct Asked {
    method: Option<Method>,
    route: &'static str,
    span: Option<svc_trace::Span>,
}

/// Makes ids of requests.
#[derive(Clone)]
struct Ids<S>(Arc<App<S>>);

impl<S: Store> MakeRequestId for Ids<S> {
    fn make_request_id<B>(&mut self, _: &Request<B>) -> Option<RequestId> {
        HeaderValue::from_str(new_id("req", self.0.now()).as_str()).ok().map(RequestId::new)
    }
}

/// The endpoints behind their layers.
pub(crate) fn layered<S: Store>(app: &Arc<App<S>>, edge: &Edge) -> Result<Layered, matchit::InsertError> {
    let (limits, origins) = (edge.limits.clone(), edge.cors_origins.clone());
    let endpoints = Arc::new(Endpoints { app: Arc::clone(app), router: Router::new()?, limits, origins });
    // Boxed once: every layer moves what it is around.
    let endpoints = service_fn(move |request| Box::pin(routed(Arc::clone(&endpoints), request)));
    let counted = Arc::clone(app);
    let layers = ServiceBuilder::new()
        // Ids are ours: a caller's could be anything, in our log.
        .map_request(|mut request: Request<Incoming>| {
            request.headers_mut().remove(REQUEST_ID);
            let span = begun(&request);
            request.extensions_mut().insert(span);
            request
        })
        .layer(SetSensitiveRequestHeadersLayer::new(SECRETS))
        .layer(SetRequestIdLayer::x_request_id(Ids(Arc::clone(app))))
        .map_response(|response: Response<_>| {
            response.map(|body| BodyExt::boxed_unsync(BodyExt::map_err(body, Into::into)))
        })
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_request(())
                .on_response(move |response: &Response<_>, took: Duration, _: &Span| {
                    access(&counted.traffic.meters, response, took);
                })
                .on_body_chunk(())
                .on_eos(())
                .on_failure(()),
        )
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(SetSensitiveResponseHeadersLayer::new([SET_COOKIE]));
    Ok(BoxCloneSyncService::new(layers.service(endpoints)))
}

/// What every request is answered by. One count of references for all of it, which the processors contend for.
struct Endpoints<S> {
    app: Arc<App<S>>,
    router: Router,
    limits: Live<Limits>,
    origins: Live<Vec<HeaderValue>>,
}

/// Lets the endpoint answer, behind what is made for each request: what a panic is answered with names the request, and CORS is for one
/// path alone.
async fn routed<S: Store>(
    endpoints: Arc<Endpoints<S>>,
    request: Request<Incoming>,
) -> Result<Response<tower_http::body::UnsyncBoxBody<Bytes, BoxError>>, Infallible> {
    let Endpoints { app, router, limits, origins } = &*endpoints;
    let route = router.pattern(request.uri().path());
    let span = request.extensions().get::<svc_trace::Span>().cloned();
    let context = span.as_ref().map_or_else(|| svc_trace::sample(None), |span| span.context);
    let asked = Asked { method: head::known(request.method()).cloned(), route: route.unwrap_or("none"), span };
    let panicked = Panicked(id(&request));
    let is_cors = route == Some(Router::PREVIEW) && !is_plain_options(&request);
    let limits = limits.get();
    let endpoint = service_fn(|request| answer(app, router, limits, request));
    let answered = async {
        match is_cors.then(|| cors(&origins.get())).flatten() {
            Some(cors) => CatchPanic::custom(cors.layer(endpoint), panicked).oneshot(request).await,
            None => CatchPanic::custom(endpoint, panicked).oneshot(request).await,
        }
    };
    let mut response = svc_trace::within(context, answered).await?;
    response.extensions_mut().insert(asked);
    Ok(response)
}

/// What every line that is logged of a request says.
fn span(request: &Request<Incoming>) -> Span {
    let peer = request.extensions().get::<Peer>().map(ToString::to_string).unwrap_or_default();
    let path = loggable(request.uri().path());
    let trace_id = request.extensions().get::<svc_trace::Span>().map(|span| span.context.trace_id());
    tracing::info_span!("request", id = %id(request), trace_id, peer, method = %request.method(), path)
}

/// A request as a part of the trace that its caller began, or of one of its own.
fn begun(request: &Request<Incoming>) -> svc_trace::Span {
    let mut told = request.headers().get_all(TRACEPARENT).iter();
    // Two of them say nothing.
    let caller = told.next().filter(|_| told.next().is_none()).and_then(|header| header.to_str().ok());
    svc_trace::Span::begin("request", Kind::Server, caller.and_then(svc_trace::Context::parse))
}

/// Ends a request's span: by its route, of which there are few, and not by its path.
fn ended(asked: &Asked, status: StatusCode) {
    let Some(mut span) = asked.span.clone() else { return };
    let method = asked.method.as_ref().map_or("_OTHER", Method::as_str);
    span.name = format!("{method} {}", asked.route);
    span.say("http.request.method", Value::Text(method.to_owned()));
    span.say("http.route", Value::Text(asked.route.to_owned()));
    span.say("http.response.status_code", Value::Number(i64::from(status.as_u16())));
    span.error = status.is_server_error().then(|| format!("answered with {status}"));
    span.end();
}

/// The access line, and what is counted.
fn access<B>(meters: &Meters, response: &Response<B>, took: Duration) {
    let asked = response.extensions().get::<Asked>();
    let route = asked.map_or("none", |asked| asked.route);
    meters.answered(asked.and_then(|asked| asked.method.as_ref()), route, response.status(), took);
    if let Some(asked) = asked {
        ended(asked, response.status());
    }
    let took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    tracing::info!(route, status = response.status().as_u16(), took_ms, "answered");
}

/// A path as the log has it: without what opens a page.
fn loggable(path: &str) -> &str {
    let opens = path.starts_with("/builds/") || path.contains("/links/");
    path.rsplit_once('/').filter(|_| opens).map_or(path, |(before, _)| before)
}

fn id<B>(request: &Request<B>) -> String {
    let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
    id.unwrap_or_default().to_owned()
}

/// Whether it asks what there is, and not what another origin may.
fn is_plain_options<B>(request: &Request<B>) -> bool {
    request.method() == Method::OPTIONS && !request.headers().contains_key("access-control-request-method")
}

/// What pages of these origins may read; nothing where there are none.
fn cors(origins: &[HeaderValue]) -> Option<CorsLayer> {
    let layer = || {
        CorsLayer::new()
            .allow_origin(origins.to_vec())
            .allow_methods([Method::GET, Method::HEAD])
            .allow_headers([AUTHORIZATION, HeaderName::from_static("svc-package")])
            .expose_headers([REQUEST_ID, RETRY_AFTER])
            .max_age(Duration::from_secs(CORS_MAX_AGE_SECONDS))
    };
    (!origins.is_empty()).then(layer)
}

async fn answer<S: Store>(
    app: &App<S>,
    router: &Router,
    limits: Limits,
    mut request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    let (id, is_head) = (id(&request), request.method() == Method::HEAD);
    // Kept until the answer is there, whatever becomes of the request.
    let passage = app.traffic.passage(limits);
    request.extensions_mut().insert(passage.clone());
    let result = match head::check(&request) {
        Ok(()) => router.dispatch(app, &passage, request).await,
        Err(problem) => Err(problem),
    };
    if let Err(problem) = &result {
        tracing::info!(code = %problem.code, "refused");
        // One that was let in has waited already, and keeps its share until it is answered.
        if problem.is_too_much() && passage.account().is_none() {
            app.traffic.pause().await;
        }
    }
    let mut answer = written(result, &id);
    if let Some(account) = passage.account() {
        answer.extensions_mut().insert(account);
    }
    Ok(if is_head { without_content(answer) } else { answer })
}

/// What a panic is answered with.
#[derive(Clone)]
struct Panicked(String);

impl ResponseForPanic for Panicked {
    type ResponseBody = Content;

    fn response_for_panic(&mut self, _: Box<dyn Any + Send + 'static>) -> Answer {
        // The panic's own hook has written what it was.
        tracing::error!("a request panicked");
        let detail = "the service failed; its log says why";
        refused(&Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", detail), &self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_problem_of_its_request() {
        async fn panics(_: Request<()>) -> Result<Answer, Infallible> {
            panic!("on purpose")
        }
        let service = CatchPanic::custom(service_fn(panics), Panicked("req_1".to_owned()));
        let response = service.oneshot(Request::new(())).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&body["code"], &body["requestId"]), (&"INTERNAL".into(), &"req_1".into()));
        assert!(!body.to_string().contains("on purpose"));
    }

    #[test]
    fn the_log_has_nothing_that_opens_a_page() {
        assert_eq!(loggable("/builds/biz_1/bld_1/secret"), "/builds/biz_1/bld_1");
        assert_eq!(loggable("/portal/businesses/biz_1/links/secret"), "/portal/businesses/biz_1/links");
        for plain in ["/", "/v1/businesses/biz_1/tokens", "/portal/businesses/biz_1/me/bill-preview"] {
            assert_eq!(loggable(plain), plain);
        }
    }
}
