//! Requests to addresses that strangers name, such as a forge's API or whoever is told of events. An address is checked at the moment of
//! connecting; an answer is bounded in bytes and time; a redirect is an answer like another, so no credential goes anywhere else.

mod address;
mod connect;

pub use address::is_public;
pub use connect::Connector;

use bytes::Bytes;
use connect::NotPublic;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Request, StatusCode};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::error::Error;
use std::time::Duration;
use svc_trace::{Kind, Span, Value};

/// How long one request may take, from connecting to the end of its answer, in seconds.
pub const REQUEST_MAX_SECONDS: u64 = 10;
/// How long a connection is kept for the next request, in seconds.
const IDLE_MAX_SECONDS: u64 = 30;
/// Connections that are kept to one host.
const IDLE_MAX: usize = 8;
/// The trace that a request is a part of.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// What the server is called in its requests.
pub const USER_AGENT: &str = concat!("svc/", env!("CARGO_PKG_VERSION"));

type Pooled = Client<HttpsConnector<Connector>, Full<Bytes>>;

/// The connections to strangers, of the whole server.
#[derive(Clone)]
pub struct Outbound {
    /// For any host: public addresses alone, HTTPS alone.
    public: Pooled,
    /// For hosts that the operator named.
    named: Pooled,
}

/// Connections to hosts, kept for further requests, for who passes requests on.
pub type Pool<B> = Client<HttpsConnector<Connector>, B>;

/// Connections that trust the roots that the system trusts: to public addresses by HTTPS alone, or, for hosts that the operator named, to any
/// address and by HTTP too. Nothing is sent twice: a request goes over another connection only where the kept one was closed before anything
/// of it was written.
///
/// # Errors
/// Where the system has no roots to trust.
pub fn pool<B>(takes_private: bool, idle: Duration, idle_max: usize) -> Result<Pool<B>, std::io::Error>
where
    B: hyper::body::Body + Send + 'static + Unpin,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let tls = HttpsConnectorBuilder::new().with_native_roots()?;
    let tls = if takes_private { tls.https_or_http() } else { tls.https_only() };
    let connector = tls.enable_http1().wrap_connector(Connector { takes_private });
    let mut builder = Client::builder(TokioExecutor::new());
    builder.pool_idle_timeout(idle).pool_max_idle_per_host(idle_max).pool_timer(TokioTimer::new());
    Ok(builder.retry_canceled_requests(true).build(connector))
}

/// What was answered, whatever its status.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its content.
    pub body: Bytes,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The host has no public address, and the operator did not name it.
    #[error("the host has no public address")]
    NotPublic,
    /// The answer has more bytes than are taken.
    #[error("the answer has more than {0} bytes")]
    TooLarge(usize),
    /// The answer broke off.
    #[error("the answer broke off")]
    Broken,
    /// There was none in time.
    #[error("there was no answer within {REQUEST_MAX_SECONDS} s")]
    Late,
    /// The host can't be reached.
    #[error("{0}")]
    Unreachable(String),
}

impl Outbound {
    /// Connections that trust the roots that the system trusts.
    ///
    /// # Errors
    /// Where the system has no roots to trust.
    pub fn new() -> Result<Outbound, std::io::Error> {
        let pooled = |takes_private| -> Result<Pooled, std::io::Error> {
            let tls = HttpsConnectorBuilder::new().with_native_roots()?;
            let tls = if takes_private { tls.https_or_http() } else { tls.https_only() };
            let connector = tls.enable_http1().wrap_connector(Connector { takes_private });
            let mut builder = Client::builder(TokioExecutor::new());
            builder.pool_idle_timeout(Duration::from_secs(IDLE_MAX_SECONDS)).pool_max_idle_per_host(IDLE_MAX);
            builder.pool_timer(TokioTimer::new());
            Ok(builder.build(connector))
        };
        Ok(Outbound { public: pooled(false)?, named: pooled(true)? })
    }

    /// Sends a request, and reads the answer's status and headers; its content is left.
    ///
    /// # Errors
    /// [`Unanswered`].
    pub async fn head(
        &self,
        request: Request<Full<Bytes>>,
        is_named: bool,
    ) -> Result<(StatusCode, HeaderMap), Unanswered> {
        let (request, span) = spanned(request);
        let answered = async {
            let response = self.client(is_named).request(request).await.map_err(|error| unreachable(&error))?;
            let (parts, _) = response.into_parts();
            Ok((parts.status, parts.headers))
        };
        let answered = in_time(answered).await;
        ended(span, answered.as_ref().map(|(status, _)| *status));
        answered
    }

    fn client(&self, is_named: bool) -> &Pooled {
        if is_named { &self.named } else { &self.public }
    }

    /// Sends a request, and reads an answer of at most `most_bytes`. A host that the operator named may have a private address and speak
    /// HTTP without TLS.
    ///
    /// # Errors
    /// [`Unanswered`].
    pub async fn send(
        &self,
        request: Request<Full<Bytes>>,
        is_named: bool,
        most_bytes: usize,
    ) -> Result<Answer, Unanswered> {
        let (request, span) = spanned(request);
        let answered = async {
            let response = self.client(is_named).request(request).await.map_err(|error| unreachable(&error))?;
            let (parts, body) = response.into_parts();
            let broken = |error: Box<dyn Error + Send + Sync>| match error.is::<LengthLimitError>() {
                true => Unanswered::TooLarge(most_bytes),
                false => Unanswered::Broken,
            };
            let body = Limited::new(body, most_bytes).collect().await.map_err(broken)?;
            Ok(Answer { status: parts.status, headers: parts.headers, body: body.to_bytes() })
        };
        let answered = in_time(answered).await;
        ended(span, answered.as_ref().map(|answer| answer.status));
        answered
    }
}

/// A request as a part of the trace that it is asked in, which it carries on.
fn spanned(mut request: Request<Full<Bytes>>) -> (Request<Full<Bytes>>, Span) {
    let mut span = Span::begin(request.method().as_str(), Kind::Client, svc_trace::current());
    span.say("http.request.method", Value::Text(request.method().as_str().to_owned()));
    if let Some(host) = request.uri().host() {
        span.say("server.address", Value::Text(host.to_owned()));
    }
    if let Ok(header) = HeaderValue::from_str(&span.context.header()) {
        request.headers_mut().insert(TRACEPARENT, header);
    }
    (request, span)
}

fn ended(mut span: Span, answered: Result<StatusCode, &Unanswered>) {
    match answered {
        Ok(status) => {
            span.say("http.response.status_code", Value::Number(i64::from(status.as_u16())));
            if status.is_client_error() || status.is_server_error() {
                span.error = Some(format!("it answered {status}"));
            }
        }
        Err(why) => span.error = Some(why.to_string()),
    }
    span.end();
}

async fn in_time<T>(answered: impl Future<Output = Result<T, Unanswered>>) -> Result<T, Unanswered> {
    let answered = tokio::time::timeout(Duration::from_secs(REQUEST_MAX_SECONDS), answered).await;
    answered.map_err(|_| Unanswered::Late)?
}

/// An error and what caused it, from the outside in.
fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&(dyn Error + 'static)| (*error).source())
}

fn unreachable(error: &(dyn Error + 'static)) -> Unanswered {
    // What an I/O error wraps is not among its sources.
    let inner = |cause: &(dyn Error + 'static)| {
        let io = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        io.is_some_and(|inner| inner.downcast_ref::<NotPublic>().is_some())
    };
    if causes(error).any(|cause| cause.is::<NotPublic>() || inner(cause)) {
        return Unanswered::NotPublic;
    }
    Unanswered::Unreachable(causes(error).last().map(ToString::to_string).unwrap_or_default())
}
