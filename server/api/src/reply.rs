//! What a handler answers when all is well.

use crate::problem::Problem;
use hyper::StatusCode;
use hyper::header::{ALLOW, CONTENT_SECURITY_POLICY, HeaderName, LOCATION, REFERRER_POLICY};
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
    /// Further headers.
    pub(crate) headers: Vec<(HeaderName, String)>,
}

const JSON: &str = "application/json";
/// What a page is.
const HTML: &str = "text/html; charset=utf-8";
/// What a build's page may do: nothing runs in it, nothing is loaded by it.
const STILL: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// What `/metrics` answers.
const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

impl Reply {
    pub(crate) fn new(status: StatusCode, body: Json) -> Self {
        Reply::plain(status, JSON, body.to_string())
    }

    /// Of something that is written as it is.
    pub(crate) fn of(status: StatusCode, body: &impl Serialize) -> Result<Self, Problem> {
        let body = serde_json::to_string(body).map_err(|error| CoreError::Internal(error.to_string()))?;
        Ok(Reply::plain(status, JSON, body))
    }

    /// Of JSON that is written already.
    pub(crate) fn json(status: StatusCode, body: &str) -> Self {
        Reply::plain(status, JSON, body.to_owned())
    }

    /// Of metrics.
    pub(crate) fn text(status: StatusCode, body: String) -> Self {
        Reply::plain(status, METRICS, body)
    }

    /// Of a page that runs nothing and loads nothing.
    pub(crate) fn html(body: String) -> Self {
        Reply::page(StatusCode::OK, body, STILL)
    }

    /// Of a page that may do what its policy says. It is nobody else's, and tells nobody where it was read, since its address may open it.
    pub(crate) fn page(status: StatusCode, body: String, policy: &str) -> Self {
        let page = Reply::plain(status, HTML, body).private();
        page.with_header(CONTENT_SECURITY_POLICY, policy).with_header(REFERRER_POLICY, "no-referrer")
    }

    /// Of what a page loads.
    pub(crate) fn asset(kind: &'static str, body: String) -> Self {
        Reply::plain(StatusCode::OK, kind, body)
    }

    /// To another page, to be asked for with GET.
    pub(crate) fn see_other(path: &str) -> Self {
        let reply = Reply::plain(StatusCode::SEE_OTHER, HTML, String::new()).private();
        reply.with_header(LOCATION, path).with_header(REFERRER_POLICY, "no-referrer")
    }

    /// Of what there is at a path.
    pub(crate) fn options(allowed: String) -> Self {
        Reply::plain(StatusCode::NO_CONTENT, JSON, String::new()).with_header(ALLOW, allowed)
    }

    fn plain(status: StatusCode, kind: &'static str, body: String) -> Self {
        Reply { status, kind, body, is_private: false, headers: Vec::new() }
    }

    /// With one more header.
    pub(crate) fn with_header(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Not to be kept by anyone on the way.
    pub(crate) fn private(mut self) -> Self {
        self.is_private = true;
        self
    }
}
