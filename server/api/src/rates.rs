//! How often a token may call. What was used is counted in the store, by all servers; each server takes a share at a time, so that
//! few requests write anything.

use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Length of the stretches in which calls are counted, in seconds.
pub const RATE_WINDOW_SECONDS: i64 = 10;
/// Calls of one token in a stretch, unless the server is told otherwise.
pub const RATE_DEFAULT: u32 = 20_000;
/// A server takes this part of the limit at a time.
pub(crate) const SHARES: u32 = 50;
/// Tokens that a server remembers; beyond that, those of past stretches are forgotten.
const TOKENS_KEPT: usize = 10_000;

/// What this server may still let through, by token.
#[derive(Debug)]
pub struct Rates {
    pub(crate) limit: u32,
    left: Mutex<HashMap<[u8; 32], Left>>,
}

#[derive(Clone, Copy, Debug)]
struct Left {
    window: Timestamp,
    calls: u32,
    /// Whether the whole limit is used, by whichever server.
    is_spent: bool,
}

impl Rates {
    /// A limit of calls per stretch and token.
    pub fn new(limit: u32) -> Rates {
        Rates { limit, left: Mutex::default() }
    }

    /// Takes one of the calls at hand; nothing when a share must be fetched first.
    pub(crate) fn take(&self, token: &[u8; 32], window: Timestamp) -> Option<bool> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let known = left.get_mut(token).filter(|known| known.window == window)?;
        match known.calls.checked_sub(1) {
            Some(calls) => {
                known.calls = calls;
                Some(true)
            }
            None => known.is_spent.then_some(false),
        }
    }

    pub(crate) fn note(&self, token: [u8; 32], window: Timestamp, fetched: u32, is_spent: bool) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() >= TOKENS_KEPT {
            left.retain(|_, known| known.window == window);
        }
        let known = left.entry(token).or_insert(Left { window, calls: 0, is_spent: false });
        let before = if known.window == window { known.calls } else { 0 };
        *known = Left { window, calls: before.saturating_add(fetched), is_spent };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_used_up_and_a_new_stretch_begins_empty() {
        let (rates, token) = (Rates::new(100), [7; 32]);
        let first = Timestamp::from_second(1_000).unwrap();
        assert_eq!(rates.take(&token, first), None);
        rates.note(token, first, 2, false);
        assert_eq!(
            [rates.take(&token, first), rates.take(&token, first), rates.take(&token, first)],
            [Some(true), Some(true), None]
        );
        rates.note(token, first, 0, true);
        assert_eq!(rates.take(&token, first), Some(false));
        assert_eq!(rates.take(&token, Timestamp::from_second(1_010).unwrap()), None);
    }
}
