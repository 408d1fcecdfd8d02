//! How often a token may call: a rate limiter in the server's memory, so that a read writes nothing. Several servers limit each for
//! itself, so that *n* of them let through at most *n* times the limit.

use crate::live::Live;
use crate::problem::Problem;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use hyper::StatusCode;
use hyper::header::RETRY_AFTER;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The stretch of time that a limit is for, in seconds.
pub const RATE_SECONDS: u32 = 10;
/// Calls of one token in [`RATE_SECONDS`], unless the server is told otherwise.
pub const RATE_DEFAULT: NonZeroU32 = NonZeroU32::new(20_000).unwrap();
/// After this many calls, tokens that have their whole limit again are forgotten.
const CALLS_PER_CLEANING: u32 = 65_536;

/// One limit, and how much of it each token has used.
#[derive(Debug)]
struct Limiter {
    limit: NonZeroU32,
    each: DefaultKeyedRateLimiter<[u8; 32]>,
}

impl Limiter {
    fn new(limit: NonZeroU32) -> Limiter {
        let every = Duration::from_secs(u64::from(RATE_SECONDS)).checked_div(limit.get()).unwrap_or_default();
        // Past a thousand million calls a second the limit is none.
        let every = every.max(Duration::from_nanos(1));
        let quota = Quota::with_period(every).unwrap_or_else(|| Quota::per_second(limit)).allow_burst(limit);
        Limiter { limit, each: RateLimiter::keyed(quota) }
    }
}

/// Limits calls by token, by the cell-rate algorithm (GCRA): a token may use its limit at once, and gets it back evenly.
#[derive(Debug)]
pub struct Rates {
    limiter: Live<Arc<Limiter>>,
    clock: DefaultClock,
    calls: AtomicU32,
}

impl Rates {
    /// A limit of calls per token and [`RATE_SECONDS`].
    pub fn new(limit: NonZeroU32) -> Rates {
        let limiter = Live::new(Arc::new(Limiter::new(limit)));
        Rates { limiter, clock: DefaultClock::default(), calls: AtomicU32::new(0) }
    }

    /// Sets another limit; every token has all of it.
    pub fn set(&self, limit: NonZeroU32) {
        self.limiter.set(Arc::new(Limiter::new(limit)));
    }

    /// Lets a token's call through, or says when to come again.
    pub(crate) fn admit(&self, token: &[u8; 32]) -> Result<(), Problem> {
        let limiter = self.limiter.get();
        if self.calls.fetch_add(1, Ordering::Relaxed) % CALLS_PER_CLEANING == CALLS_PER_CLEANING - 1 {
            limiter.each.retain_recent();
        }
        limiter.each.check_key(token).map_err(|early| {
            let wait = early.wait_time_from(self.clock.now());
            let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0)).max(1);
            let detail = format!("this token makes more than {} calls in {RATE_SECONDS} seconds", limiter.limit);
            Problem::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", detail)
                .with_header(RETRY_AFTER, seconds.to_string())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_its_limit_at_once_and_others_have_their_own() {
        let rates = Rates::new(NonZeroU32::new(3).unwrap());
        let (one, other) = ([1; 32], [2; 32]);
        for _ in 0..3 {
            assert!(rates.admit(&one).is_ok());
        }
        let refused = rates.admit(&one).unwrap_err();
        assert_eq!((refused.status, refused.code.as_str()), (StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED"));
        let wait: u64 = refused.headers[0].1.parse().unwrap();
        assert!((1..=4).contains(&wait), "{wait}");
        assert!(rates.admit(&other).is_ok());
        rates.set(NonZeroU32::new(4).unwrap());
        assert!((0..4).all(|_| rates.admit(&one).is_ok()) && rates.admit(&one).is_err());
    }

    #[test]
    fn tokens_that_do_not_call_are_forgotten() {
        let rates = Rates::new(NonZeroU32::MAX);
        for index in 0..=CALLS_PER_CLEANING {
            let mut token = [0; 32];
            token[..4].copy_from_slice(&index.to_le_bytes());
            rates.admit(&token).unwrap();
        }
        assert!(rates.limiter.get().each.len() < 1_000, "{} tokens are remembered", rates.limiter.get().each.len());
    }
}
