//! A small client of the service's own API.

use crate::global::Exit;
use crate::output::CommandError;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use hyper::{Method, Request, StatusCode};
use hyper_util::client::legacy::Client as Pooled;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value as Json;
use svc_api::request::IDEMPOTENCY_KEY;

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
        let response = self.http.request(request).await.map_err(|error| unreachable(causes(&error)))?;
        let status = response.status();
        let body = Limited::new(response.into_body(), ANSWER_MAX_BYTES).collect().await;
        let bytes = body.map_err(|error| unreachable(error.to_string()))?.to_bytes();
        let json: Json = serde_json::from_slice(&bytes).map_err(no_json)?;
        Ok((status, json))
    }
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
