//! Why a request is not let through, or not answered by its backend: each a problem document with a code that `docs/gateway.md` lists.

use crate::path::PathError;
use hyper::StatusCode;
use hyper::header::RETRY_AFTER;
use serde_json::json;
use svc_api::problem::Problem;
use svc_core::CoreError;
use svc_engine::manifest::ir::Key;

/// Why a request is refused.
#[derive(Debug)]
pub(crate) enum Deny {
    /// The host is none that this gateway serves.
    Host,
    /// There is no key, or none that opens anything.
    Key,
    /// The subject has no live subscription.
    NoSubscription,
    /// The path has no one reading.
    Path(PathError),
    /// No route of the served release matches.
    NoRoute,
    /// The plan does not have the route's feature.
    NotEntitled(Key),
    /// A limit is used up; seconds until there is room.
    Limited { dimension: Key, wait_seconds: u64 },
    /// The subject has too many requests under way.
    Concurrency,
    /// Nobody would pay.
    NoCredit,
    /// There may not be more of a resource.
    Cap { resource: Key, most: u64 },
    /// The protocol is to be changed.
    Upgrade,
    /// A body is coded twice.
    Lengths,
    /// The request came through this gateway already.
    Loop,
    /// The body is too long, in bytes.
    BodyTooLarge(u64),
    /// The body came too slowly.
    BodyLate,
    /// The body broke off.
    BodyBroken,
    /// The backend wants a tunnel.
    Tunnel,
    /// The backend can't be reached, or did so too often just now.
    Unreachable { rests: bool },
    /// The backend gave no whole answer.
    Broken,
    /// The backend gave no answer in time.
    Late,
    /// Whether it may be let through can't be found out.
    Unchecked(&'static str),
    /// Too much is under way.
    Busy(&'static str),
    /// Another refusal of the service's.
    Other(Problem),
}

impl Deny {
    /// As its caller sees it.
    pub(crate) fn problem(self) -> Problem {
        let problem = |status, code: &str, detail: &str| Problem::new(status, code, detail);
        match self {
            Deny::Host => {
                problem(StatusCode::MISDIRECTED_REQUEST, "HOST_UNKNOWN", "this gateway does not serve this host")
            }
            Deny::Key => problem(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", "a valid key of this product is needed")
                .with_header(hyper::header::WWW_AUTHENTICATE, "Bearer"),
            Deny::NoSubscription => {
                problem(StatusCode::FORBIDDEN, "SUBSCRIPTION_NOT_FOUND", "the key's subject has no live subscription")
            }
            Deny::Path(PathError::TooLong) => {
                Problem::new(StatusCode::URI_TOO_LONG, "URI_TOO_LONG", PathError::TooLong.to_string())
            }
            Deny::Path(why) => Problem::new(StatusCode::BAD_REQUEST, "PATH_FORM", why.to_string()),
            Deny::NoRoute => problem(StatusCode::NOT_FOUND, "ROUTE_NOT_FOUND", "the product has no such route"),
            Deny::NotEntitled(feature) => {
                problem(StatusCode::FORBIDDEN, "NOT_ENTITLED", "the subject's plan does not have this route's feature")
                    .with_member("feature", json!(feature))
            }
            Deny::Limited { dimension, wait_seconds } => {
                let detail = format!("the plan's limit of {dimension} is used up for now");
                Problem::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", detail)
                    .with_member("dimension", json!(dimension))
                    .with_header(RETRY_AFTER, wait_seconds.max(1).to_string())
            }
            Deny::Concurrency => retry(problem(
                StatusCode::TOO_MANY_REQUESTS,
                "TOO_MANY_UNDER_WAY",
                "the subject has too many requests under way",
            )),
            Deny::NoCredit => problem(
                StatusCode::PAYMENT_REQUIRED,
                "NO_CREDIT",
                "the subject's credit, or what the plan lets it spend, is used up",
            ),
            Deny::Cap { resource, most } => {
                let detail = format!("the plan allows {most} of {resource}, and there are as many");
                Problem::new(StatusCode::FORBIDDEN, "RESOURCE_CAP_REACHED", detail)
                    .with_member("resource", json!(resource))
                    .with_member("cap", json!(most))
            }
            Deny::Upgrade => {
                problem(StatusCode::NOT_IMPLEMENTED, "UPGRADE_REFUSED", "this gateway changes to no other protocol")
            }
            Deny::Lengths => problem(StatusCode::BAD_REQUEST, "BODY_LENGTHS", "a body is chunked once"),
            Deny::Loop => problem(StatusCode::LOOP_DETECTED, "LOOP", "the request came through this gateway already"),
            Deny::BodyTooLarge(most) => Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "BODY_TOO_LARGE",
                format!("a body has at most {most} bytes here"),
            ),
            Deny::BodyLate => problem(StatusCode::REQUEST_TIMEOUT, "BODY_TIMEOUT", "the body did not arrive in time"),
            Deny::BodyBroken => {
                problem(StatusCode::BAD_REQUEST, "BODY_UNREADABLE", "the body could not be read to its end")
            }
            Deny::Tunnel => problem(
                StatusCode::NOT_IMPLEMENTED,
                "TRANSPORT_TUNNEL",
                "the backend is reached by a tunnel, which this gateway does not have",
            ),
            Deny::Unreachable { rests: true } => retry(problem(
                StatusCode::SERVICE_UNAVAILABLE,
                "BACKEND_RESTS",
                "the backend could not be reached several times, and is left alone for a moment",
            )),
            Deny::Unreachable { rests: false } => {
                problem(StatusCode::BAD_GATEWAY, "BACKEND_UNREACHABLE", "the backend can't be reached")
            }
            Deny::Broken => problem(StatusCode::BAD_GATEWAY, "BACKEND_BROKEN", "the backend gave no whole answer"),
            Deny::Late => problem(StatusCode::GATEWAY_TIMEOUT, "BACKEND_TIMEOUT", "the backend gave no answer in time"),
            Deny::Unchecked(what) => {
                let detail = format!("whether {what} can't be found out just now");
                retry(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "CHECK_UNAVAILABLE", detail))
            }
            Deny::Busy(what) => retry(problem(StatusCode::SERVICE_UNAVAILABLE, "BUSY", what)),
            Deny::Other(other) => other,
        }
    }
}

fn retry(problem: Problem) -> Problem {
    problem.with_header(RETRY_AFTER, "1")
}

impl From<Problem> for Deny {
    fn from(problem: Problem) -> Deny {
        Deny::Other(problem)
    }
}

/// What a hold that was not given means.
pub(crate) fn of_hold(error: CoreError) -> Deny {
    match error {
        CoreError::Conflict { code: "SPEND_LIMIT_REACHED", .. } => Deny::NoCredit,
        CoreError::Conflict { code: "TOO_MANY_HOLDS", .. } => Deny::Concurrency,
        CoreError::NotFound(_) => Deny::NoSubscription,
        CoreError::Store(cause) => {
            tracing::error!(%cause, "money could not be set aside");
            Deny::Unchecked("somebody pays for it")
        }
        CoreError::Busy(what) => Deny::Busy(what),
        other => Deny::Other(other.into()),
    }
}
