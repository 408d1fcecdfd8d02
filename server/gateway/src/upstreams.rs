//! The backends: connections to them, kept for further requests; and which of them could not be reached just now.

use crate::body::Upload;
use crate::limits::{BACKEND_FAILURES_MAX, BACKEND_IDLE_MAX, BACKEND_IDLE_SECONDS, BACKEND_REST_SECONDS};
use hyper::Uri;
use hyper::header::HeaderValue;
use hyper::http::uri::{Authority, PathAndQuery, Scheme};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use svc_outbound::Pool;
use url::Url;

/// Backends that are remembered.
const BACKENDS_MAX: usize = 4_096;

/// Connections to backends.
pub(crate) struct Upstreams {
    public: Pool<Upload>,
    named: Pool<Upload>,
    known: Mutex<HashMap<String, Arc<Known>>>,
}

/// A backend's address.
#[derive(Debug)]
pub(crate) struct Known {
    scheme: Scheme,
    authority: Authority,
    /// The path of its URL, without a slash at its end.
    prefix: String,
    /// Host and port, as its `Host` header has them.
    pub(crate) host: Option<HeaderValue>,
    /// Whether the operator named its host.
    pub(crate) is_named: bool,
    health: Mutex<Health>,
}

#[derive(Debug, Default)]
struct Health {
    /// Failures in a row.
    failures: u32,
    /// Until when it is left alone.
    rests_until: Option<Instant>,
}

impl Upstreams {
    pub(crate) fn new() -> Result<Upstreams, io::Error> {
        let idle = Duration::from_secs(BACKEND_IDLE_SECONDS);
        let pool = |takes_private| svc_outbound::pool(takes_private, idle, BACKEND_IDLE_MAX);
        Ok(Upstreams { public: pool(false)?, named: pool(true)?, known: Mutex::default() })
    }

    /// The backend at this URL; nothing for what is none.
    pub(crate) fn get(&self, base: &str, is_named: impl Fn(&Url) -> bool) -> Option<Arc<Known>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(base) {
            return Some(Arc::clone(found));
        }
        let made = Arc::new(Known::at(&Url::parse(base).ok()?, is_named)?);
        if known.len() >= BACKENDS_MAX {
            known.clear();
        }
        known.insert(base.to_owned(), Arc::clone(&made));
        Some(made)
    }

    pub(crate) fn pool(&self, known: &Known) -> &Pool<Upload> {
        if known.is_named { &self.named } else { &self.public }
    }
}

impl Known {
    fn at(url: &Url, is_named: impl Fn(&Url) -> bool) -> Option<Known> {
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let host = format!("{}{port}", url.host_str()?);
        Some(Known {
            scheme: url.scheme().parse().ok()?,
            authority: host.parse().ok()?,
            prefix: url.path().trim_end_matches('/').to_owned(),
            host: HeaderValue::from_str(&host).ok(),
            is_named: is_named(url),
            health: Mutex::default(),
        })
    }

    /// Where it is asked for this path, with its query; nothing where that is none.
    pub(crate) fn uri(&self, target: &str) -> Option<Uri> {
        let mut parts = hyper::http::uri::Parts::default();
        parts.scheme = Some(self.scheme.clone());
        parts.authority = Some(self.authority.clone());
        parts.path_and_query = Some(PathAndQuery::try_from(format!("{}{target}", self.prefix)).ok()?);
        Uri::from_parts(parts).ok()
    }

    /// Whether it is left alone just now.
    pub(crate) fn rests(&self, now: Instant) -> bool {
        let health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        health.rests_until.is_some_and(|until| until > now)
    }

    /// Whether it may be asked by who is about to do so: after its rest one request tries it; others wait for how that goes.
    pub(crate) fn may_be_asked(&self, now: Instant) -> bool {
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        match health.rests_until {
            None => true,
            Some(until) if until > now => false,
            Some(_) => {
                health.rests_until = now.checked_add(Duration::from_secs(BACKEND_REST_SECONDS));
                true
            }
        }
    }

    /// It was reached.
    pub(crate) fn answered(&self) {
        *self.health.lock().unwrap_or_else(PoisonError::into_inner) = Health::default();
    }

    /// It could not be reached.
    pub(crate) fn failed(&self, now: Instant) {
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        health.failures = health.failures.saturating_add(1);
        if health.failures >= BACKEND_FAILURES_MAX {
            health.rests_until = now.checked_add(Duration::from_secs(BACKEND_REST_SECONDS));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_fails_again_and_again_rests_and_is_tried_by_one() {
        let known = Known::at(&Url::parse("http://127.0.0.1:9/base/").unwrap(), |_| true).unwrap();
        assert_eq!(known.uri("/a?b").unwrap(), "http://127.0.0.1:9/base/a?b");
        let now = Instant::now();
        for _ in 0..BACKEND_FAILURES_MAX {
            assert!(known.may_be_asked(now));
            known.failed(now);
        }
        assert!(!known.may_be_asked(now));
        let later = now + Duration::from_secs(BACKEND_REST_SECONDS);
        assert!(known.rests(now) && !known.rests(later), "looking at it is no try");
        assert!(known.may_be_asked(later), "one tries it");
        assert!(!known.may_be_asked(later), "and one alone");
        known.answered();
        assert!(known.may_be_asked(later));
    }
}
