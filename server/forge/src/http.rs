//! Requests to a forge: to the host of the source's settings alone, within bounds of bytes and time. A redirect is an error, so no
//! credential goes anywhere else.

use crate::connect::{Connector, NotPublic};
use crate::error::{ForgeError, Retry};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::error::Error;
use std::time::Duration;

/// How long one request may take, from connecting to the end of its answer, in seconds.
const REQUEST_MAX_SECONDS: u64 = 10;
/// Largest answer that is JSON, in bytes.
pub(crate) const JSON_MAX_BYTES: usize = 8 << 20;
/// How long a connection is kept for the next request, in seconds.
const IDLE_MAX_SECONDS: u64 = 30;
/// Connections that are kept to one host.
const IDLE_MAX: usize = 8;
/// Most of a forge's own words that an error repeats, in characters.
const WORDS_MAX_CHARS: usize = 120;

type Pooled = Client<HttpsConnector<Connector>, Full<Bytes>>;

/// The connections to forges, of the whole server.
#[derive(Clone)]
pub struct Http {
    /// For any host: public addresses alone, HTTPS alone.
    public: Pooled,
    /// For hosts that the operator named.
    named: Pooled,
}

impl Http {
    /// Connections that trust the roots that the system trusts.
    ///
    /// # Errors
    /// Where the system has no roots to trust.
    pub fn new() -> Result<Http, std::io::Error> {
        let pooled = |takes_private| -> Result<Pooled, std::io::Error> {
            let tls = HttpsConnectorBuilder::new().with_native_roots()?;
            let tls = if takes_private { tls.https_or_http() } else { tls.https_only() };
            let connector = tls.enable_http1().wrap_connector(Connector { takes_private });
            let mut builder = Client::builder(TokioExecutor::new());
            builder.pool_idle_timeout(Duration::from_secs(IDLE_MAX_SECONDS)).pool_max_idle_per_host(IDLE_MAX);
            builder.pool_timer(TokioTimer::new());
            Ok(builder.build(connector))
        };
        Ok(Http { public: pooled(false)?, named: pooled(true)? })
    }
}

/// The API of one forge, with the credential for it.
pub(crate) struct Api {
    http: Http,
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
        http: &Http,
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
        let agent = concat!("svc/", env!("CARGO_PKG_VERSION"));
        let request = Request::builder().method(method).uri(uri).header(name, value).header(USER_AGENT, agent);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(name, *value));
        let request = request.body(Full::new(body)).map_err(|error| unsent(error.to_string()))?;
        let client = if self.is_named { &self.http.named } else { &self.http.public };
        let answered = async {
            let response = client.request(request).await.map_err(|error| unreachable(&error))?;
            let (parts, body) = response.into_parts();
            let body =
                Limited::new(body, most_bytes).collect().await.map_err(|error| broken(error.as_ref(), most_bytes))?;
            Ok((parts.status, Answer { headers: parts.headers, body: body.to_bytes() }))
        };
        let late = |_| ForgeError::new("FORGE_TIMEOUT", Retry::Soon, "the forge did not answer in time");
        let (status, answer) =
            tokio::time::timeout(Duration::from_secs(REQUEST_MAX_SECONDS), answered).await.map_err(late)??;
        if status.is_success() { Ok(answer) } else { Err(refusal(status, &answer)) }
    }
}

/// An error and what caused it, from the outside in.
fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&(dyn Error + 'static)| (*error).source())
}

fn unreachable(error: &(dyn Error + 'static)) -> ForgeError {
    // What an I/O error wraps is not among its sources.
    let inner = |cause: &(dyn Error + 'static)| {
        let io = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        io.is_some_and(|inner| inner.downcast_ref::<NotPublic>().is_some())
    };
    if causes(error).any(|cause| cause.is::<NotPublic>() || inner(cause)) {
        let message =
            "the forge's host has no public address; the operator may name it: svc serve --allow-forge-host HOST";
        return ForgeError::new("FORGE_ADDRESS", Retry::Never, message);
    }
    let last = causes(error).last().map(ToString::to_string).unwrap_or_default();
    ForgeError::new("FORGE_UNREACHABLE", Retry::Soon, format!("the forge can't be reached: {}", cut(&last)))
}

fn broken(error: &(dyn Error + 'static), most_bytes: usize) -> ForgeError {
    if error.is::<LengthLimitError>() {
        return ForgeError::too_large(format!("an answer of the forge has more than {most_bytes} bytes"));
    }
    ForgeError::new("FORGE_UNREACHABLE", Retry::Soon, "the forge's answer broke off")
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
