//! The one shape of every error: RFC 9457 `application/problem+json` with a stable code. Causes go to the log, never out.

use hyper::StatusCode;
use serde_json::{Map, Value as Json, json};
use svc_core::CoreError;
use svc_store::StoreError;

/// An error as a caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// HTTP status.
    pub status: StatusCode,
    /// Stable code, upper snake case.
    pub code: String,
    /// A safe sentence.
    pub detail: String,
    /// Further members.
    pub members: Map<String, Json>,
    /// Further headers.
    pub headers: Vec<(hyper::header::HeaderName, String)>,
}

impl Problem {
    /// A problem without further members.
    pub fn new(status: StatusCode, code: impl Into<String>, detail: impl Into<String>) -> Self {
        Problem { status, code: code.into(), detail: detail.into(), members: Map::new(), headers: Vec::new() }
    }

    /// Whether it says that there is too much: too many calls of a token, or too much under way.
    pub(crate) fn is_too_much(&self) -> bool {
        self.status == StatusCode::TOO_MANY_REQUESTS || self.code == "BUSY"
    }

    /// With one more header.
    #[must_use]
    pub fn with_header(mut self, name: hyper::header::HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// With one more member.
    #[must_use]
    pub fn with_member(mut self, name: &str, value: Json) -> Self {
        self.members.insert(name.to_owned(), value);
        self
    }

    /// The JSON body.
    pub fn body(&self, request_id: &str) -> Json {
        let mut body = json!({
            "type": "about:blank",
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "code": self.code,
            "detail": self.detail,
            "requestId": request_id,
        });
        if let Json::Object(object) = &mut body {
            object.extend(self.members.clone());
        }
        body
    }
}

/// Seconds after which a refused caller may try again.
const RETRY_AFTER_SECONDS: u32 = 1;

// INVARIANT 10: causes go to the log here, and nowhere out.
impl From<CoreError> for Problem {
    fn from(error: CoreError) -> Self {
        match error {
            CoreError::NotFound(detail) => Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", detail),
            CoreError::Invalid { code, message } => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, message),
            CoreError::Conflict { code, message } => Problem::new(StatusCode::CONFLICT, code, message),
            CoreError::Moved { code, message, expected, actual } => Problem::new(StatusCode::CONFLICT, code, message)
                .with_member("expectedHash", json!(expected))
                .with_member("activeHash", json!(actual)),
            CoreError::Busy(detail) => Problem::new(StatusCode::SERVICE_UNAVAILABLE, "BUSY", detail)
                .with_header(hyper::header::RETRY_AFTER, RETRY_AFTER_SECONDS.to_string()),
            CoreError::Store(StoreError::Clock(cause)) => {
                tracing::error!(%cause, "nothing is written");
                let detail =
                    "this server's clock is apart from the database's, so that it writes nothing; ask another one";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "CLOCK_SKEW", detail)
                    .with_header(hyper::header::RETRY_AFTER, RETRY_AFTER_SECONDS.to_string())
            }
            CoreError::Store(StoreError::Unwritable(cause)) => {
                tracing::error!(%cause, "nothing can be written");
                let detail = "the service's store takes no writes for now: its disk is full, or it is read-only; nothing of this is there";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "STORE_READ_ONLY", detail)
                    .with_header(hyper::header::RETRY_AFTER, RETRY_AFTER_SECONDS.to_string())
            }
            CoreError::Store(cause) => {
                tracing::error!(%cause, "the store failed");
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "STORE_UNAVAILABLE", "the service can't reach its store")
                    .with_header(hyper::header::RETRY_AFTER, RETRY_AFTER_SECONDS.to_string())
            }
            CoreError::Internal(cause) => {
                tracing::error!(%cause, "an internal error");
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", "the service failed; its log says why")
            }
        }
    }
}
