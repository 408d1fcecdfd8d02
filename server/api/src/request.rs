//! What a handler reads of a request: its path's parameters, its JSON body within bounds, and who sent it.

use crate::edge::body::read;
use crate::edge::limits::PARSE_APART_BYTES;
use crate::edge::strict;
use crate::edge::traffic::Passage;
use crate::problem::Problem;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, WWW_AUTHENTICATE};
use hyper::http::Extensions;
use hyper::{Request, StatusCode, Uri};
use percent_encoding::percent_decode_str;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value as Json};
use svc_core::CoreError;

/// The header that names a request that may come twice.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Reads and parses a JSON body.
///
/// # Errors
/// 415 for another type, 400 for what is no JSON of the form, and what reading a body may end with: 413, 408, 503.
pub(crate) async fn json<T: DeserializeOwned + Send + 'static>(request: Request<Incoming>) -> Result<T, Problem> {
    is_json(request.headers())?;
    let (parts, bytes) = read(request).await?;
    parsed(&parts.extensions, bytes).await
}

/// Reads a body that may be left out: one without content is none, whatever is said of its type.
///
/// # Errors
/// As [`json`].
pub(crate) async fn maybe_json<T: DeserializeOwned + Default + Send + 'static>(
    request: Request<Incoming>,
) -> Result<T, Problem> {
    if request.body().is_end_stream() {
        return Ok(T::default());
    }
    let (parts, bytes) = read(request).await?;
    if bytes.is_empty() {
        return Ok(T::default());
    }
    is_json(&parts.headers)?;
    parsed(&parts.extensions, bytes).await
}

/// Reads a body as it is, with its headers.
///
/// # Errors
/// What reading a body may end with: 413, 408, 415, 503.
pub(crate) async fn raw(request: Request<Incoming>) -> Result<(HeaderMap, Bytes), Problem> {
    let (parts, bytes) = read(request).await?;
    Ok((parts.headers, bytes))
}

/// Parses, beside the threads that serve where it is much, and so many at once as there are cores.
async fn parsed<T: DeserializeOwned + Send + 'static>(extensions: &Extensions, bytes: Bytes) -> Result<T, Problem> {
    if bytes.len() < PARSE_APART_BYTES {
        return parse(&bytes);
    }
    let _place = Passage::of(extensions)?.parsing().await;
    let apart = tokio::task::spawn_blocking(move || parse(&bytes));
    apart.await.map_err(|error| CoreError::Internal(format!("a body was not parsed: {error}")))?
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let malformed = |error: String| {
        Problem::new(StatusCode::BAD_REQUEST, "BODY_FORM", format!("the body is not of its form: {error}"))
    };
    strict::check(bytes).map_err(malformed)?;
    // Every body is an object; what derives its reading would take a list for one, member by member.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(malformed("it is no object".to_owned()));
    }
    serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))
}

/// Reads a member that is an object: what derives its reading would take a list for one.
pub(crate) fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<T, D::Error> {
    let members = Map::<String, Json>::deserialize(deserializer)?;
    T::deserialize(Json::Object(members)).map_err(D::Error::custom)
}

/// Reads a member that may be null, where being left out means something else: with `default` nothing stands for left out.
pub(crate) fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}

/// A parameter of the query, the first of its name.
pub(crate) fn query(uri: &Uri, name: &str) -> Option<String> {
    member(uri.query().unwrap_or_default(), name)
}

/// A field of a form's body, the first of its name: one without spaces, which a form writes otherwise.
///
/// # Errors
/// As [`raw`].
pub(crate) async fn form_field(request: Request<Incoming>, name: &str) -> Result<Option<String>, Problem> {
    let (_, body) = raw(request).await?;
    Ok(member(&String::from_utf8_lossy(&body), name))
}

fn member(pairs: &str, name: &str) -> Option<String> {
    let mut pairs = pairs.split('&').filter_map(|pair| pair.split_once('='));
    let value = pairs.find(|(known, _)| *known == name)?.1;
    Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
}

/// How many entries a page of a list is to have: the query's `limit`, all that is allowed where there is none.
///
/// # Errors
/// 400 for what is no number from 1 to `most`.
pub(crate) fn limit(uri: &Uri, most: u32) -> Result<u32, Problem> {
    let Some(text) = query(uri, "limit") else { return Ok(most) };
    text.parse().ok().filter(|limit| (1..=most).contains(limit)).ok_or_else(|| {
        Problem::new(StatusCode::BAD_REQUEST, "QUERY_FORM", format!("limit is a number from 1 to {most}"))
    })
}

/// How many entries a page of a list is to have, as [`limit`] reads it, and what the page before ended with, where there was one.
///
/// # Errors
/// As [`limit`].
pub(crate) fn page(uri: &Uri, most: u32) -> Result<(u32, Option<String>), Problem> {
    Ok((limit(uri, most)?, query(uri, "cursor")))
}

/// A whole number of the query.
///
/// # Errors
/// 400 for what is none.
pub(crate) fn number<T: std::str::FromStr>(uri: &Uri, name: &str) -> Result<Option<T>, Problem> {
    let form = |_| Problem::new(StatusCode::BAD_REQUEST, "QUERY_FORM", format!("{name} is a whole number"));
    query(uri, name).map(|text| text.parse().map_err(form)).transpose()
}

/// The query's `cursor` of a list whose entries are numbered; 0 where there is none.
///
/// # Errors
/// 400 for what no page of any list ends with.
pub(crate) fn position(uri: &Uri) -> Result<u64, Problem> {
    let position = number::<u64>(uri, "cursor")?.unwrap_or_default();
    let beyond = |_| Problem::new(StatusCode::BAD_REQUEST, "QUERY_FORM", format!("cursor is at most {}", i64::MAX));
    i64::try_from(position).map(|_| position).map_err(beyond)
}

/// As [`position`], of a list that begins with the highest number; nothing where there is none.
///
/// # Errors
/// As [`position`].
pub(crate) fn before(uri: &Uri) -> Result<Option<u64>, Problem> {
    let position = position(uri)?;
    Ok(query(uri, "cursor").map(|_| position))
}

/// Text as one segment of a path.
pub fn segment(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn is_json(headers: &HeaderMap) -> Result<(), Problem> {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if value.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return Ok(());
    }
    let detail = "the body's type must be application/json";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "MEDIA_TYPE", detail))
}

/// The sender's own key of a request that may come twice.
///
/// # Errors
/// 400 for one that is no text.
pub fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let unreadable =
        |_| Problem::new(StatusCode::BAD_REQUEST, "IDEMPOTENCY_KEY_FORM", "the header Idempotency-Key is no text");
    headers.get(IDEMPOTENCY_KEY).map(|value| value.to_str().map(str::to_owned).map_err(unreadable)).transpose()
}

/// The token of an `Authorization: Bearer` header.
///
/// # Errors
/// 401 when there is none.
pub fn bearer(headers: &HeaderMap) -> Result<&str, Problem> {
    let value = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token =
        value.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    token.map(|(_, token)| token.trim()).filter(|token| !token.is_empty()).ok_or_else(unauthorized)
}

/// 401, alike for no token and a wrong one.
pub fn unauthorized() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", "a valid bearer token is needed")
        .with_header(WWW_AUTHENTICATE, "Bearer")
}
