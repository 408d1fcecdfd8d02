//! Turns at subjects, inside this process: whoever waits for a subscription that this server works on already waits here, and holds no
//! connection of the database's meanwhile. What other servers do is waited for at the row's lock.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use svc_store::records::Id;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// Subjects whose turns are remembered before those that nobody has any more are forgotten.
const FORGET_AT: usize = 1_024;

type Turns = HashMap<(Id, String), Weak<Turn<()>>>;

/// Whose turn it is at which subject.
#[derive(Debug, Default)]
pub(crate) struct SubjectTurns(Mutex<Turns>);

impl SubjectTurns {
    /// Waits for the turns at subjects of a business, from the first to the last, so that two who want several never wait for each other. They
    /// end when they are dropped.
    pub(crate) async fn at(&self, business: &Id, subjects: BTreeSet<&str>) -> Vec<OwnedMutexGuard<()>> {
        let mut turns = Vec::with_capacity(subjects.len());
        for subject in subjects {
            let turn = self.of(business, subject);
            turns.push(turn.lock_owned().await);
        }
        turns
    }

    fn of(&self, business: &Id, subject: &str) -> Arc<Turn<()>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= FORGET_AT {
            known.retain(|_, turn| turn.strong_count() > 0);
        }
        let kept = known.entry((business.clone(), subject.to_owned())).or_default();
        if let Some(turn) = kept.upgrade() {
            return turn;
        }
        let turn = Arc::new(Turn::new(()));
        *kept = Arc::downgrade(&turn);
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_has_a_turn_is_waited_for_and_others_are_not() {
        let turns = SubjectTurns::default();
        let (one, two) = (Id::named("biz_1"), Id::named("biz_2"));
        let held = turns.at(&one, BTreeSet::from(["ada", "bea"])).await;
        let _others = turns.at(&one, BTreeSet::from(["cy"])).await;
        let _others = turns.at(&two, BTreeSet::from(["ada"])).await;
        let soon = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, turns.at(&one, BTreeSet::from(["bea"]))).await.is_err());
        drop(held);
        assert_eq!(turns.at(&one, BTreeSet::from(["ada", "bea"])).await.len(), 2);
    }

    #[tokio::test]
    async fn what_nobody_has_is_forgotten() {
        let turns = SubjectTurns::default();
        let business = Id::named("biz_1");
        let held = turns.at(&business, BTreeSet::from(["kept"])).await;
        for number in 0..3 * FORGET_AT {
            turns.at(&business, BTreeSet::from([number.to_string().as_str()])).await;
        }
        assert!(turns.0.lock().unwrap().len() <= FORGET_AT);
        assert!(
            tokio::time::timeout(std::time::Duration::from_millis(20), turns.at(&business, BTreeSet::from(["kept"])))
                .await
                .is_err()
        );
        drop(held);
    }
}
