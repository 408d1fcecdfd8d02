//! What a handler reads of a request: its path's parameters, its JSON body within bounds, and who sent it.

use crate::problem::Problem;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, WWW_AUTHENTICATE};
use hyper::{Request, StatusCode, Uri};
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The header that names a request that may come twice.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Longest body, in bytes.
pub const BODY_MAX_BYTES: usize = 10 << 20;
/// How long a body may take to arrive, in seconds.
const BODY_MAX_SECONDS: u64 = 30;

/// Reads and parses a JSON body.
///
/// # Errors
/// 415 for another type, 413 past [`BODY_MAX_BYTES`], 408 when it does not arrive, 400 for what is no JSON of the form.
pub async fn json<T: DeserializeOwned>(request: Request<Incoming>) -> Result<T, Problem> {
    if !is_json(request.headers()) {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "MEDIA_TYPE",
            "the body's type must be application/json",
        ));
    }
    let bytes = read(request.into_body()).await?;
    if holds_nul(&bytes) {
        return Err(Problem::new(StatusCode::BAD_REQUEST, "BODY_FORM", "a text holds the character U+0000"));
    }
    serde_json::from_slice(&bytes).map_err(|error| {
        Problem::new(StatusCode::BAD_REQUEST, "BODY_FORM", format!("the body is not of its form: {error}"))
    })
}

/// Reads a body as it is, with its headers.
///
/// # Errors
/// 413 past [`BODY_MAX_BYTES`], 408 when it does not arrive.
pub async fn raw(request: Request<Incoming>) -> Result<(HeaderMap, Bytes), Problem> {
    let (parts, body) = request.into_parts();
    Ok((parts.headers, read(body).await?))
}

async fn read(body: Incoming) -> Result<Bytes, Problem> {
    let body = Limited::new(body, BODY_MAX_BYTES).collect();
    let late = |_| Problem::new(StatusCode::REQUEST_TIMEOUT, "BODY_TIMEOUT", "the body did not arrive in time");
    let collected = tokio::time::timeout(Duration::from_secs(BODY_MAX_SECONDS), body).await.map_err(late)?;
    Ok(collected.map_err(|error| unreadable(error.as_ref()))?.to_bytes())
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

/// Text as one segment of a path.
pub fn segment(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Whether a JSON text has the escape of U+0000 in it, which not every store can keep.
fn holds_nul(json: &[u8]) -> bool {
    json.windows(6).enumerate().filter(|(_, six)| *six == b"\\u0000").any(|(at, _)| {
        let before = json.get(..at).unwrap_or_default();
        // An escaped backslash before it makes it plain text.
        before.iter().rev().take_while(|byte| **byte == b'\\').count().is_multiple_of(2)
    })
}

/// Reads a body that may be left out.
///
/// # Errors
/// As [`json`].
pub async fn maybe_json<T: DeserializeOwned + Default>(request: Request<Incoming>) -> Result<T, Problem> {
    if request.body().is_end_stream() { Ok(T::default()) } else { json(request).await }
}

fn unreadable(error: &(dyn std::error::Error + 'static)) -> Problem {
    if error.is::<LengthLimitError>() {
        return Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "BODY_TOO_LARGE",
            format!("a body has at most {BODY_MAX_BYTES} bytes"),
        );
    }
    Problem::new(StatusCode::BAD_REQUEST, "BODY_UNREADABLE", "the body could not be read to its end")
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_nul_is_found_and_its_name_in_a_text_is_not() {
        assert!(holds_nul(br#"{"a":"x\u0000"}"#));
        assert!(holds_nul(br#"{"a":"\\\u0000"}"#));
        assert!(!holds_nul(br#"{"a":"\\u0000"}"#));
        assert!(!holds_nul(br#"{"a":"\u0001"}"#));
    }
}
