//! A small client of the service's own API.

use crate::global::Exit;
use crate::output::CommandError;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use hyper::{Method, Request, StatusCode};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as Pooled;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value as Json;
use svc_api::request::IDEMPOTENCY_KEY;
use svc_tls::{Check, Trust, client_config};

/// Longest answer that is read, in bytes.
const ANSWER_MAX_BYTES: usize = 64 << 20;

/// Speaks to one service with one token.
pub(crate) struct Client {
    base: String,
    token: String,
    http: Http,
}

/// The connections: in the clear, or over TLS alone. What is asked over one never goes over the other.
enum Http {
    Plain(Pooled<HttpConnector, Full<Bytes>>),
    Tls(Pooled<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl Client {
    /// Without TLS. Whoever calls this knows that the token may go in the clear.
    pub(crate) fn new(base: impl Into<String>, token: impl Into<String>) -> Self {
        let http = Pooled::builder(TokioExecutor::new()).build_http();
        Client { base: base.into(), token: token.into(), http: Http::Plain(http) }
    }

    /// Over TLS, to a server that somebody who is trusted signed for.
    pub(crate) fn over_tls(base: &str, token: String, trust: &Trust) -> Result<Self, CommandError> {
        let config = client_config(trust, Check::SignedForName);
        let config = config.map_err(|error| CommandError::new(Exit::Unreachable, "TLS_ROOTS", error.to_string()))?;
        let connector = HttpsConnectorBuilder::new().with_tls_config(config).https_only().enable_http1().build();
        let http = Pooled::builder(TokioExecutor::new()).build(connector);
        Ok(Client { base: base.to_owned(), token, http: Http::Tls(http) })
    }

    pub(crate) async fn post(&self, path: &str, body: &Json) -> Result<Json, CommandError> {
        answered(self.send(Method::POST, path, Some(body), None).await?)
    }

    /// Posts under a key: sent again, it is not done again.
    pub(crate) async fn post_once(&self, path: &str, body: &Json, key: &str) -> Result<Json, CommandError> {
        answered(self.ask_once(path, body, key).await?)
    }

    /// As [`Client::post_once`], with the status and whatever was answered.
    pub(crate) async fn ask_once(
        &self,
        path: &str,
        body: &Json,
        key: &str,
    ) -> Result<(StatusCode, Json), CommandError> {
        self.send(Method::POST, path, Some(body), Some(key)).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Json) -> Result<Json, CommandError> {
        answered(self.send(Method::PUT, path, Some(body), None).await?)
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Json, CommandError> {
        answered(self.send(Method::GET, path, None, None).await?)
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<Json, CommandError> {
        answered(self.send(Method::DELETE, path, None, None).await?)
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Json>,
        key: Option<&str>,
    ) -> Result<(StatusCode, Json), CommandError> {
        let unreachable = |error: String| {
            CommandError::new(Exit::Unreachable, "SERVICE_UNREACHABLE", format!("{}{path}: {error}", self.base))
        };
        let no_json = |error| unreachable(format!("the answer is no JSON: {error}"));
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header(AUTHORIZATION, format!("Bearer {}", self.token))
            .header(CONTENT_TYPE, "application/json");
        let request = key.into_iter().fold(request, |request, key| request.header(IDEMPOTENCY_KEY, key));
        let body = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        let request = request.body(Full::new(body)).map_err(|error| unreachable(error.to_string()))?;
        let response = match &self.http {
            Http::Plain(http) => http.request(request).await,
            Http::Tls(http) => http.request(request).await,
        };
        let response = response.map_err(|error| unreachable(causes(&error)).with_hint_of(tls_hint(&error)))?;
        let status = response.status();
        let body = Limited::new(response.into_body(), ANSWER_MAX_BYTES).collect().await;
        let bytes = body.map_err(|error| unreachable(error.to_string()))?.to_bytes();
        let json: Json = serde_json::from_slice(&bytes).map_err(no_json)?;
        Ok((status, json))
    }
}

/// What to do where a server is not trusted.
fn tls_hint(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    let all = std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<String>();
    let hints = [
        (
            "UnknownIssuer",
            "where an authority of your own signed for it, name its certificate with --cacert FILE, or SVC_CACERT",
        ),
        ("not valid for name", "ask it by a name that its certificate has"),
        ("InvalidContentType", "perhaps it speaks no TLS: ask it as http://"),
    ];
    hints.iter().find(|(part, _)| all.contains(part)).map(|(_, hint)| *hint)
}

/// An error with what caused it, down to what the system said: the first alone says `client error`.
fn causes(error: &dyn std::error::Error) -> String {
    let all = std::iter::successors(Some(error), |error| error.source());
    all.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn answered((status, json): (StatusCode, Json)) -> Result<Json, CommandError> {
    if status.is_success() { Ok(json) } else { Err(refusal(status, &json)) }
}

/// A problem document as a failure of the command.
pub(crate) fn refusal(status: StatusCode, problem: &Json) -> CommandError {
    let text = |name: &str| problem.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let exit = match status.as_u16() {
        401 | 403 | 404 | 409 | 429 => Exit::Refused,
        422 => Exit::Wrong,
        _ => Exit::Unreachable,
    };
    let mut detail = text("detail");
    if let Some(active) = problem.get("activeHash") {
        detail =
            format!("{detail} (expected {}, active is {active})", problem.get("expectedHash").unwrap_or(&Json::Null));
    }
    CommandError::new(exit, text("code"), detail)
}
