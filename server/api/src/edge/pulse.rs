//! What a connection does, and by when it must do something else.

use crate::edge::limits::{ANSWER_PACE_BYTES, Limits};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::time::Instant;

/// The pulse of one connection, felt by its stream, its requests and its answers.
#[derive(Debug)]
pub(crate) struct Pulse {
    limits: Limits,
    state: Mutex<State>,
    ended: Arc<Notify>,
}

#[derive(Debug)]
struct State {
    opened: Instant,
    /// When its first byte came.
    first_byte: Option<Instant>,
    /// Whether it ever sent a whole head.
    has_asked: bool,
    /// Requests and answers under way.
    under_way: usize,
    /// Since when there are none.
    rests_since: Instant,
    /// By when each answer must be read.
    answers: BTreeMap<u64, Instant>,
    next_answer: u64,
}

/// Why a connection ends before its peer wanted it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overdue {
    /// It said nothing.
    Silent,
    /// Its first head did not arrive.
    Head,
    /// It rested too long.
    Idle,
    /// An answer was not read.
    Unread,
    /// Its place was needed.
    Displaced,
}

impl Pulse {
    pub(crate) fn new(limits: Limits) -> Arc<Pulse> {
        let now = Instant::now();
        let state = State {
            opened: now,
            first_byte: None,
            has_asked: false,
            under_way: 0,
            rests_since: now,
            answers: BTreeMap::new(),
            next_answer: 0,
        };
        Arc::new(Pulse { limits, state: Mutex::new(state), ended: Arc::new(Notify::new()) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its peer sent something.
    pub(crate) fn heard(&self) {
        let mut state = self.lock();
        state.first_byte.get_or_insert_with(Instant::now);
    }

    /// A request arrived; under way until what is returned is dropped, with its answer.
    pub(crate) fn asked(self: &Arc<Self>) -> UnderWay {
        let mut state = self.lock();
        state.has_asked = true;
        state.under_way = state.under_way.saturating_add(1);
        UnderWay { pulse: Arc::clone(self), answer: None }
    }

    /// Whether it ever asked, and since when it rests; nothing while something is under way.
    pub(crate) fn rest(&self) -> Option<(bool, Instant)> {
        let state = self.lock();
        (state.under_way == 0).then_some((state.has_asked, state.rests_since))
    }

    /// Ends the connection: its place is needed.
    pub(crate) fn displace(&self) {
        self.ended.notify_one();
    }

    /// Waits until the connection must end.
    pub(crate) async fn overdue(&self) -> Overdue {
        loop {
            let now = Instant::now();
            let due = self.lock().due(&self.limits);
            // What has no deadline now may have one soon: none is shorter than this.
            let look = match due {
                Some((at, why)) if at <= now => return why,
                Some((at, _)) => at,
                None => now.checked_add(self.limits.shortest()).unwrap_or(now),
            };
            tokio::select! {
                () = tokio::time::sleep_until(look) => {}
                () = Arc::clone(&self.ended).notified_owned() => return Overdue::Displaced,
            }
        }
    }
}

impl State {
    fn due(&self, limits: &Limits) -> Option<(Instant, Overdue)> {
        if self.under_way > 0 {
            return self.answers.values().min().map(|at| (*at, Overdue::Unread));
        }
        let (since, most, why) = match self.first_byte {
            _ if self.has_asked => (self.rests_since, limits.idle, Overdue::Idle),
            Some(first) => (first, limits.head, Overdue::Head),
            None => (self.opened, limits.first_byte, Overdue::Silent),
        };
        since.checked_add(most).map(|at| (at, why))
    }
}

/// A request, and then its answer.
#[derive(Debug)]
pub(crate) struct UnderWay {
    pulse: Arc<Pulse>,
    answer: Option<u64>,
}

impl UnderWay {
    /// Its answer of so many bytes is to be read from now on.
    pub(crate) fn answered(&mut self, bytes: u64) {
        let within = self.pulse.limits.paced(bytes, ANSWER_PACE_BYTES);
        let Some(by) = Instant::now().checked_add(within) else { return };
        let mut state = self.pulse.lock();
        let id = state.next_answer;
        state.next_answer = id.saturating_add(1);
        state.answers.insert(id, by);
        self.answer = Some(id);
    }

    /// Its reader has read all that there was of the answer so far: nothing is due until there is more.
    pub(crate) fn kept_up(&mut self) {
        if let Some(id) = self.answer.take() {
            self.pulse.lock().answers.remove(&id);
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.pulse.lock();
        if let Some(id) = self.answer {
            state.answers.remove(&id);
        }
        state.under_way = state.under_way.saturating_sub(1);
        state.rests_since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn each_state_has_its_deadline() {
        let limits = Limits::default();
        let pulse = Pulse::new(limits);
        let due = |pulse: &Pulse| pulse.lock().due(&limits).map(|(at, why)| (at.duration_since(Instant::now()), why));
        let near = |found: Option<(Duration, Overdue)>, most: Duration, why: Overdue| {
            let (left, reason) = found.unwrap();
            assert!(left <= most && left > most.saturating_sub(Duration::from_secs(2)), "{left:?} of {most:?}");
            assert_eq!(reason, why);
        };
        near(due(&pulse), limits.first_byte, Overdue::Silent);
        pulse.heard();
        near(due(&pulse), limits.head, Overdue::Head);
        let mut asked = pulse.asked();
        assert_eq!((due(&pulse), pulse.rest()), (None, None));
        asked.answered(10 * ANSWER_PACE_BYTES);
        near(due(&pulse), limits.grace + Duration::from_secs(10), Overdue::Unread);
        asked.kept_up();
        assert_eq!(due(&pulse), None, "a stream that has nothing to say is waited for");
        drop(asked);
        near(due(&pulse), limits.idle, Overdue::Idle);
    }
}
