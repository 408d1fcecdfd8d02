//! Turns at subjects, inside this process: whoever waits for a subscription that this server works on already waits here, and holds no
//! connection of the database's meanwhile. What other servers do is waited for at the row's lock.

use crate::held::HeldByName;
use std::collections::BTreeSet;
use svc_store::records::Id;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// A turn at a subject, which ends when it is dropped.
pub(crate) type SubjectTurn = OwnedMutexGuard<()>;

/// Whose turn it is at which subject.
#[derive(Debug, Default)]
pub(crate) struct SubjectTurns(HeldByName<(Id, String), Turn<()>>);

impl SubjectTurns {
    /// Waits for the turns at subjects of a business, from the first to the last, so that two who want several never wait for each other. They
    /// end when they are dropped.
    pub(crate) async fn at(&self, business: &Id, subjects: BTreeSet<&str>) -> Vec<SubjectTurn> {
        let mut turns = Vec::with_capacity(subjects.len());
        for subject in subjects {
            let turn = self.0.get_or_make((business.clone(), subject.to_owned()), || Turn::new(()));
            turns.push(turn.lock_owned().await);
        }
        turns
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
}
