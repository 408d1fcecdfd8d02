//! Requests to a forge: to the host of the source's settings alone, within bounds of bytes and time. A redirect is an error, so no
//! credential goes anywhere else.

use crate::error::{ForgeError, Retry};
use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, StatusCode, Uri};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::time::Duration;
use svc_outbound::{Outbound, Unanswered};

/// Largest answer that is JSON, in bytes.
pub(crate) const JSON_MAX_BYTES: usize = 8 << 20;
/// Most of a forge's own words that an error repeats, in characters.
const WORDS_MAX_CHARS: usize = 120;

/// The API of one forge, with the credential for it.
pub(crate) struct Api {
    http: Outbound,
    /// Without a slash at its end.
    base: String,
    is_named: bool,
    credential: (HeaderName, HeaderValue),
}

/// An answer that says that all is well.
pub(crate) struct Answer {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, ForgeError> {
        serde_json::from_slice(&self.body).map_err(|error| ForgeError::form(&error.to_string()))
    }
}

impl Api {
    pub(crate) fn new(
        http: &Outbound,
        base: &str,
        is_named: bool,
        credential: (HeaderName, String),
    ) -> Result<Api, ForgeError> {
        let (name, value) = credential;
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| ForgeError::new("FORGE_TOKEN", Retry::Never, "the access token is no header's value"))?;
        value.set_sensitive(true);
        Ok(Api { http: http.clone(), base: base.to_owned(), is_named, credential: (name, value) })
    }

    pub(crate) async fn get(&self, path: &str, accept: &str, most_bytes: usize) -> Result<Answer, ForgeError> {
        self.send(Method::GET, path, &[(ACCEPT, accept)], Bytes::new(), most_bytes).await
    }

    pub(crate) async fn get_json<T: DeserializeOwned>(&self, path: &str, accept: &str) -> Result<T, ForgeError> {
        self.get(path, accept, JSON_MAX_BYTES).await?.json()
    }

    pub(crate) async fn post(&self, path: &str, accept: &str, body: &Json) -> Result<Answer, ForgeError> {
        let headers = [(ACCEPT, accept), (CONTENT_TYPE, "application/json")];
        self.send(Method::POST, path, &headers, body.to_string().into(), JSON_MAX_BYTES).await
    }

    /// Asks git itself, by its protocol's version 2.
    pub(crate) async fn upload_pack(&self, path: &str, body: Vec<u8>, most_bytes: usize) -> Result<Answer, ForgeError> {
        let headers = [
            (ACCEPT, "application/x-git-upload-pack-result"),
            (CONTENT_TYPE, "application/x-git-upload-pack-request"),
            (HeaderName::from_static("git-protocol"), "version=2"),
        ];
        self.send(Method::POST, path, &headers, body.into(), most_bytes).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(HeaderName, &str)],
        body: Bytes,
        most_bytes: usize,
    ) -> Result<Answer, ForgeError> {
        let unsent = |error: String| ForgeError::new("FORGE_REQUEST", Retry::Never, error);
        let uri: Uri = format!("{}{path}", self.base).parse().map_err(|error| unsent(format!("{error}")))?;
        let (name, value) = &self.credential;
        let agent = svc_outbound::USER_AGENT;
        let request = Request::builder().method(method).uri(uri).header(name, value).header(USER_AGENT, agent);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(name, *value));
        let request = request.body(Full::new(body)).map_err(|error| unsent(error.to_string()))?;
        let answered = self.http.send(request, self.is_named, most_bytes).await.map_err(unanswered)?;
        let answer = Answer { headers: answered.headers, body: answered.body };
        if answered.status.is_success() { Ok(answer) } else { Err(refusal(answered.status, &answer)) }
    }
}

fn unanswered(why: Unanswered) -> ForgeError {
    match why {
        Unanswered::NotPublic => {
            let message =
                "the forge's host has no public address; the operator may name it: svc serve --allow-host HOST";
            ForgeError::new("FORGE_ADDRESS", Retry::Never, message)
        }
        Unanswered::TooLarge(most) => {
            ForgeError::too_large(format!("an answer of the forge has more than {most} bytes"))
        }
        Unanswered::Broken => ForgeError::new("FORGE_UNREACHABLE", Retry::Soon, "the forge's answer broke off"),
        Unanswered::Late => ForgeError::new("FORGE_TIMEOUT", Retry::Soon, "the forge did not answer in time"),
        Unanswered::Unreachable(why) => {
            ForgeError::new("FORGE_UNREACHABLE", Retry::Soon, format!("the forge can't be reached: {}", cut(&why)))
        }
    }
}

fn refusal(status: StatusCode, answer: &Answer) -> ForgeError {
    let number = |name: &str| answer.headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
    let wait = number(RETRY_AFTER.as_str()).map(|seconds| Retry::After(Duration::from_secs(seconds)));
    let is_spent = number("x-ratelimit-remaining") == Some(0) || number("ratelimit-remaining") == Some(0);
    let reset = number("x-ratelimit-reset").or_else(|| number("ratelimit-reset")).map(Retry::At);
    let is_limited =
        status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::FORBIDDEN && (is_spent || wait.is_some());
    if is_limited {
        let retry = wait.or(reset).unwrap_or(Retry::Soon);
        return ForgeError::new("FORGE_RATE_LIMITED", retry, "the forge takes no more requests of this token for now");
    }
    if status.is_redirection() {
        let where_to = answer.headers.get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("elsewhere");
        let message = format!(
            "the forge redirects to {}, which is not followed: name the API base and repository as they are now",
            cut(where_to)
        );
        return ForgeError::new("FORGE_REDIRECT", Retry::Never, message);
    }
    let words = answer.json::<Json>().ok();
    let words = words.as_ref().and_then(|json| json.get("message").or_else(|| json.get("error")));
    let words = words.map(|words| words.as_str().map_or_else(|| words.to_string(), str::to_owned)).unwrap_or_default();
    let message = format!("the forge answers {status}: {}", cut(&words));
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => ForgeError::new("FORGE_DENIED", Retry::Never, message),
        StatusCode::NOT_FOUND | StatusCode::GONE => ForgeError::new("FORGE_NOT_FOUND", Retry::IfNew, message),
        _ if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT => {
            ForgeError::new("FORGE_FAILED", wait.unwrap_or(Retry::Soon), message)
        }
        _ => ForgeError::new("FORGE_REFUSED", Retry::Never, message),
    }
}

fn cut(text: &str) -> String {
    text.chars().filter(|char| !char.is_control()).take(WORDS_MAX_CHARS).collect()
}

/// Text as one segment of a path.
pub(crate) fn segment(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Text as segments of a path, its slashes between them.
pub(crate) fn segments(text: &str) -> String {
    text.split('/').map(segment).collect::<Vec<_>>().join("/")
}
