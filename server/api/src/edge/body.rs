//! Bodies, read whole before any place is taken. tower-http's `RequestBodyLimit` and `TimeoutBody` have one bound for all paths, no
//! pace, and answers of their own shape; here the endpoint has the bound, and the answer is a problem document.

use crate::edge::limits::BODY_PACE_BYTES;
use crate::edge::traffic::Passage;
use crate::problem::Problem;
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap};
use hyper::http::request::Parts;
use hyper::{Request, StatusCode};
use tokio::time::{Instant, timeout_at};

/// Reads a body to its end, with the head.
///
/// # Errors
/// 413 past the endpoint's bound, at once where that much is announced; 408 when it does not arrive in time or comes too slowly; 415
/// where it is encoded; 503 where bodies take too much memory; 400 where it breaks off.
pub(crate) async fn read(request: Request<Incoming>) -> Result<(Parts, Bytes), Problem> {
    let (parts, mut body) = request.into_parts();
    let passage = Passage::of(&parts.extensions)?;
    plain(&parts.headers)?;
    if body.size_hint().lower() > u64::try_from(passage.body_max()).unwrap_or(u64::MAX) {
        return Err(too_large(&passage));
    }
    let (begun, limits) = (Instant::now(), *passage.limits());
    let mut read = Vec::new();
    loop {
        let within = limits.paced(u64::try_from(read.len()).unwrap_or(u64::MAX), BODY_PACE_BYTES).min(limits.body);
        let by = begun.checked_add(within).unwrap_or(begun);
        let Some(frame) = timeout_at(by, body.frame()).await.map_err(|_| late())? else { break };
        let Ok(data) = frame.map_err(|_| broken())?.into_data() else { continue };
        if data.len() > passage.body_max().saturating_sub(read.len()) {
            return Err(too_large(&passage));
        }
        passage.keep(data.len())?;
        read.extend_from_slice(&data);
    }
    Ok((parts, Bytes::from(read)))
}

fn plain(headers: &HeaderMap) -> Result<(), Problem> {
    let is_plain = |coding: &[u8]| coding.eq_ignore_ascii_case(b"identity");
    if headers.get_all(CONTENT_ENCODING).iter().all(|coding| is_plain(coding.as_bytes())) {
        return Ok(());
    }
    let detail = "the body is encoded; send it as it is, without content-encoding";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "CONTENT_ENCODING", detail)
        .with_header(ACCEPT_ENCODING, "identity"))
}

fn too_large(passage: &Passage) -> Problem {
    let detail = format!("a body has at most {} bytes here", passage.body_max());
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "BODY_TOO_LARGE", detail)
}

fn late() -> Problem {
    Problem::new(StatusCode::REQUEST_TIMEOUT, "BODY_TIMEOUT", "the body did not arrive in time")
}

fn broken() -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "BODY_UNREADABLE", "the body could not be read to its end")
}
