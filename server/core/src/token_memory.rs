//! What a server remembers of tokens: each question to the store is for once, as long as the server hears what was taken back.

use crate::cache::Cache;
use jiff::Timestamp;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use svc_store::records::Token;
use tokio::sync::OnceCell;

/// How long a server uses what it remembers after it last heard what was taken back, in seconds: with the time that asking takes, a token is
/// dead at every server within ten.
const HEARD_SECONDS: i64 = 8;
/// How exactly a token's last use is noted, in seconds.
const USE_NOTED_SECONDS: i64 = 600;
/// Uses that are noted at once, at most; the others are noted at the next turn.
const USES_NOTED_MAX: usize = 1_000;
/// Tokens kept in memory.
const TOKENS_KEPT: usize = 65_536;

/// What a server remembers of tokens.
pub(crate) struct TokenMemory {
    known: Cache<[u8; 32], Arc<Known>>,
    /// Until when what is remembered may be used; in microseconds since 1970.
    heard_until: AtomicI64,
    /// Whether texts without a mark may be tokens: those that an earlier program made.
    has_unmarked: AtomicBool,
    /// Uses that are to be noted.
    used: Mutex<Vec<([u8; 32], Timestamp)>>,
    /// The key that marks tokens.
    pub(crate) mark_key: OnceCell<Vec<u8>>,
}

/// A token that was read.
struct Known {
    token: Arc<Token>,
    /// When its use was noted last; in seconds since 1970.
    noted: AtomicI64,
}

// Neither tokens nor keys are ever shown.
impl fmt::Debug for TokenMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenMemory")
    }
}

impl Default for TokenMemory {
    fn default() -> TokenMemory {
        TokenMemory {
            known: Cache::new(TOKENS_KEPT),
            heard_until: AtomicI64::new(i64::MIN),
            has_unmarked: true.into(),
            used: Mutex::default(),
            mark_key: OnceCell::new(),
        }
    }
}

impl TokenMemory {
    /// What is remembered under this hash, where that may be used.
    pub(crate) fn recall(&self, hash: &[u8; 32], now: Timestamp) -> Option<Arc<Token>> {
        let until = self.heard_until.load(Ordering::Acquire);
        let since = until.saturating_sub(HEARD_SECONDS.saturating_mul(1_000_000));
        // A clock that was set back tells nothing of how long ago it was.
        if !(since..until).contains(&now.as_microsecond()) {
            return None;
        }
        let known = self.known.get(hash)?;
        self.note_use(&known, now);
        Some(Arc::clone(&known.token))
    }

    /// What was taken back lately, heard at this moment.
    pub(crate) fn heard(&self, revoked: &[[u8; 32]], has_unmarked: bool, now: Timestamp) {
        revoked.iter().for_each(|hash| self.known.forget(hash));
        self.has_unmarked.store(has_unmarked, Ordering::Relaxed);
        let until = now.as_microsecond().saturating_add(HEARD_SECONDS.saturating_mul(1_000_000));
        self.heard_until.store(until, Ordering::Release);
    }

    /// Whether texts without a mark may be tokens.
    pub(crate) fn has_unmarked(&self) -> bool {
        self.has_unmarked.load(Ordering::Relaxed)
    }

    /// Forgets a token.
    pub(crate) fn forget(&self, hash: &[u8; 32]) {
        self.known.forget(hash);
    }

    /// Forgets all tokens.
    pub(crate) fn clear(&self) {
        self.known.clear();
    }

    /// Remembers a token that was read, and that it is used.
    pub(crate) fn remember(&self, token: &Arc<Token>, now: Timestamp) {
        let noted = token.last_used_at.map_or(i64::MIN, |at| at.as_second());
        let known = Arc::new(Known { token: Arc::clone(token), noted: noted.into() });
        self.note_use(&known, now);
        self.known.put(token.hash, known);
    }

    fn note_use(&self, known: &Known, now: Timestamp) {
        let (before, at) = (known.noted.load(Ordering::Relaxed), now.as_second());
        let is_due = at.saturating_sub(before) >= USE_NOTED_SECONDS;
        if is_due && known.noted.compare_exchange(before, at, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            if used.len() < TOKENS_KEPT {
                used.push((known.token.hash, now));
            }
        }
    }

    /// Uses that are to be noted now.
    pub(crate) fn take_uses(&self) -> Vec<([u8; 32], Timestamp)> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let count = used.len().min(USES_NOTED_MAX);
        used.drain(..count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;
    use svc_store::records::{Id, TokenScope};

    #[test]
    fn what_is_remembered_is_used_while_the_server_hears_what_was_taken_back() {
        let memory = TokenMemory::default();
        let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let after = |seconds: i64| now + SignedDuration::from_secs(seconds);
        let token = Arc::new(Token {
            id: Id::named("tok_1"),
            hash: [1; 32],
            business: Some(Id::named("biz_1")),
            scope: TokenScope::Deploy,
            name: "ci".to_owned(),
            created_at: now,
            expires_at: None,
            last_used_at: None,
            revoked_at: None,
        });
        memory.remember(&token, now);
        assert_eq!(memory.recall(&token.hash, now), None, "it never heard");
        memory.heard(&[], false, now);
        assert_eq!(memory.recall(&token.hash, now), Some(token.clone()));
        assert_eq!(memory.recall(&token.hash, after(HEARD_SECONDS - 1)), Some(token.clone()));
        assert_eq!(memory.recall(&token.hash, after(HEARD_SECONDS)), None, "it has not heard for long");
        assert_eq!(memory.recall(&token.hash, after(-1)), None, "the clock was set back");
        memory.heard(&[token.hash], false, now);
        assert_eq!(memory.recall(&token.hash, now), None, "it was taken back");
    }

    #[test]
    fn a_use_is_noted_once_in_ten_minutes() {
        let memory = TokenMemory::default();
        let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let token = Arc::new(Token {
            id: Id::named("tok_1"),
            hash: [1; 32],
            business: None,
            scope: TokenScope::Operator,
            name: "ada".to_owned(),
            created_at: now,
            expires_at: None,
            last_used_at: None,
            revoked_at: None,
        });
        memory.remember(&token, now);
        let later = |seconds: i64| now + SignedDuration::from_secs(seconds);
        for seconds in 0..=USE_NOTED_SECONDS {
            memory.heard(&[], false, later(seconds));
            assert!(memory.recall(&token.hash, later(seconds)).is_some());
        }
        assert_eq!(memory.take_uses(), [([1; 32], now), ([1; 32], later(USE_NOTED_SECONDS))]);
        assert!(memory.take_uses().is_empty());
    }
}
