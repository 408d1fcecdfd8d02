//! What a handler answers when all is well.

use crate::problem::Problem;
use hyper::StatusCode;
use serde::Serialize;
use serde_json::Value as Json;
use svc_core::CoreError;

/// What a handler answers when all is well.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    /// Its media type.
    pub(crate) kind: &'static str,
    pub(crate) body: String,
    pub(crate) is_private: bool,
}

const JSON: &str = "application/json";
/// What a page is.
pub(crate) const HTML: &str = "text/html; charset=utf-8";
/// What `/metrics` answers.
const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

impl Reply {
    pub(crate) fn new(status: StatusCode, body: Json) -> Self {
        Reply { status, kind: JSON, body: body.to_string(), is_private: false }
    }

    /// Of something that is written as it is.
    pub(crate) fn of(status: StatusCode, body: &impl Serialize) -> Result<Self, Problem> {
        let body = serde_json::to_string(body).map_err(|error| CoreError::Internal(error.to_string()))?;
        Ok(Reply { status, kind: JSON, body, is_private: false })
    }

    /// Of metrics.
    pub(crate) fn text(status: StatusCode, body: String) -> Self {
        Reply { status, kind: METRICS, body, is_private: false }
    }

    /// Of a page: it runs nothing, loads nothing, is in no frame, and tells nobody where it was read.
    pub(crate) fn html(body: String) -> Self {
        Reply { status: StatusCode::OK, kind: HTML, body, is_private: true }
    }

    /// Not to be kept by anyone on the way.
    pub(crate) fn private(mut self) -> Self {
        self.is_private = true;
        self
    }
}
