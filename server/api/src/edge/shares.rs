//! Shares of something bounded: as a whole and for each key, so that no key takes what all the others need. tower's
//! `ConcurrencyLimit` and `LoadShed` know the whole alone, and count calls, not bytes.

use crate::edge::limits::Shared;
use crate::live::Live;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What may be taken, and what is.
#[derive(Debug)]
pub(crate) struct Shares<K> {
    most: Live<Shared>,
    taken: Mutex<Taken<K>>,
}

#[derive(Debug)]
struct Taken<K> {
    all: usize,
    each: HashMap<K, usize>,
}

/// A share, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share<K: Eq + Hash> {
    of: Arc<Shares<K>>,
    key: K,
    amount: usize,
}

impl<K: Clone + Eq + Hash> Shares<K> {
    /// So much as a whole, and so much for each key.
    pub(crate) fn new(most: Shared) -> Arc<Shares<K>> {
        let taken = Mutex::new(Taken { all: 0, each: HashMap::new() });
        Arc::new(Shares { most: Live::new(most), taken })
    }

    /// Takes a share; nothing where the key, or the whole, has no more.
    pub(crate) fn take(self: &Arc<Self>, key: &K, amount: usize) -> Option<Share<K>> {
        let mut share = Share { of: Arc::clone(self), key: key.clone(), amount: 0 };
        share.grow(amount).then_some(share)
    }

    /// What is taken as a whole.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> usize {
        self.lock().all
    }
}

impl<K> Shares<K> {
    /// Sets how much there is. What is taken stays taken.
    pub(crate) fn bound(&self, most: Shared) {
        self.most.set(most);
    }

    fn lock(&self) -> MutexGuard<'_, Taken<K>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash> Share<K> {
    /// Takes more; leaves it as it is where there is no more.
    pub(crate) fn grow(&mut self, amount: usize) -> bool {
        let most = self.of.most.get();
        let mut taken = self.of.lock();
        let all = taken.all.saturating_add(amount);
        let own = taken.each.get(&self.key).copied().unwrap_or_default().saturating_add(amount);
        if all > most.all || own > most.each {
            return false;
        }
        taken.all = all;
        taken.each.insert(self.key.clone(), own);
        self.amount = self.amount.saturating_add(amount);
        true
    }
}

impl<K: Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        if self.amount == 0 {
            return;
        }
        let mut taken = self.of.lock();
        taken.all = taken.all.saturating_sub(self.amount);
        if let Some(own) = taken.each.get_mut(&self.key) {
            *own = own.saturating_sub(self.amount);
            if *own == 0 {
                taken.each.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_leaves_the_others_theirs_and_nothing_stays() {
        let shares = Shares::new(Shared::new(10, 6));
        let mut one = shares.take(&"one", 4).unwrap();
        assert!(one.grow(2) && !one.grow(1));
        assert!(shares.take(&"one", 1).is_none(), "past its own bound");
        let other = shares.take(&"other", 4).unwrap();
        assert!(shares.take(&"third", 1).is_none(), "past the whole");
        drop(one);
        assert_eq!(shares.taken(), 4);
        assert!(shares.take(&"one", 6).is_some());
        drop(other);
        assert_eq!(shares.taken(), 0);
        assert!(shares.lock().each.is_empty());
        let held = shares.take(&"one", 6).unwrap();
        shares.bound(Shared::new(5, 5));
        assert!(shares.take(&"other", 1).is_none(), "less than is taken already");
        drop(held);
        assert!(shares.take(&"other", 5).is_some());
    }
}
