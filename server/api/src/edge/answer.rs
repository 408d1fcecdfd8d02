//! How replies and problems are written.

use crate::problem::Problem;
use crate::reply::Reply;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::{Response, StatusCode};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

/// What is given to hyper at a time, in bytes: so the rest of what a peer does not read is in no buffer of hyper's, and counts.
const PIECE_BYTES: usize = 16 << 10;

/// An answer's body.
#[derive(Debug, Default)]
pub(crate) struct Content(Bytes);

impl Body for Content {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.0.is_empty() {
            return Poll::Ready(None);
        }
        let piece = self.0.len().min(PIECE_BYTES);
        Poll::Ready(Some(Ok(Frame::data(self.0.split_to(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(u64::try_from(self.0.len()).unwrap_or(u64::MAX))
    }
}

/// An answer.
pub(crate) type Answer = Response<Content>;

/// A reply, or the problem that there is instead.
pub(crate) fn written(result: Result<Reply, Problem>, request_id: &str) -> Answer {
    let reply = match result {
        Ok(reply) => reply,
        Err(problem) => return refused(&problem, request_id),
    };
    let mut response = respond(reply.status, reply.kind, reply.body);
    if reply.is_private {
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    }
    reply.headers.into_iter().fold(response, |response, (name, value)| with_header(response, name, &value))
}

/// A problem.
pub(crate) fn refused(problem: &Problem, request_id: &str) -> Answer {
    let mut response = respond(problem.status, "application/problem+json", problem.body(request_id).to_string());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    problem.headers.iter().fold(response, |response, (name, value)| with_header(response, name.clone(), value))
}

/// The same without its content, which its length still tells of: an answer to `HEAD`.
pub(crate) fn without_content(mut answer: Answer) -> Answer {
    let length = answer.body().0.len();
    if length > 0 {
        answer.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    answer.map(|_| Content::default())
}

fn respond(status: StatusCode, kind: &'static str, body: String) -> Answer {
    let mut response = Response::new(Content(Bytes::from(body)));
    *response.status_mut() = status;
    if status != StatusCode::NO_CONTENT {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    // What is no script is never run as one.
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

fn with_header(mut response: Answer, name: HeaderName, value: &str) -> Answer {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
    response
}
