//! A small client of the service's own API.

use super::Exit;
use super::output::Failure;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use hyper::{Method, Request, StatusCode};
use hyper_util::client::legacy::Client as Pooled;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value as Json;

/// Longest answer that is read, in bytes.
const ANSWER_MAX_BYTES: usize = 64 << 20;

/// Speaks to one service with one token.
pub(crate) struct Client {
    base: String,
    token: String,
    http: Pooled<HttpConnector, Full<Bytes>>,
}

impl Client {
    pub(crate) fn new(base: impl Into<String>, token: impl Into<String>) -> Self {
        let http = Pooled::builder(TokioExecutor::new()).build_http();
        Client { base: base.into(), token: token.into(), http }
    }

    pub(crate) async fn post(&self, path: &str, body: &Json) -> Result<Json, Failure> {
        self.send(Method::POST, path, Full::new(Bytes::from(body.to_string()))).await
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Json, Failure> {
        self.send(Method::GET, path, Full::default()).await
    }

    async fn send(&self, method: Method, path: &str, body: Full<Bytes>) -> Result<Json, Failure> {
        let unreachable = |error: String| {
            Failure::new(Exit::Unreachable, "SERVICE_UNREACHABLE", format!("{}{path}: {error}", self.base))
        };
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header(AUTHORIZATION, format!("Bearer {}", self.token))
            .header(CONTENT_TYPE, "application/json")
            .body(body)
            .map_err(|error| unreachable(error.to_string()))?;
        let response = self.http.request(request).await.map_err(|error| unreachable(error.to_string()))?;
        let status = response.status();
        let body = Limited::new(response.into_body(), ANSWER_MAX_BYTES).collect().await;
        let bytes = body.map_err(|error| unreachable(error.to_string()))?.to_bytes();
        let json: Json = serde_json::from_slice(&bytes).map_err(|error| unreachable(error.to_string()))?;
        if status.is_success() { Ok(json) } else { Err(refusal(status, &json)) }
    }
}

/// A problem document as a failure of the command.
fn refusal(status: StatusCode, problem: &Json) -> Failure {
    let text = |name: &str| problem.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let exit = match status.as_u16() {
        401 | 403 | 404 | 409 | 429 => Exit::Refused,
        422 => Exit::Wrong,
        _ => Exit::Unreachable,
    };
    Failure::new(exit, text("code"), text("detail"))
}
