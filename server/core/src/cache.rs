//! What seldom or never changes once it is written, kept in memory by its id, up to a bound.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// Up to a number of values. When it is full it is emptied: what is wanted comes back at once.
#[derive(Debug)]
pub(crate) struct Cache<K, V> {
    max: usize,
    values: Mutex<HashMap<K, V>>,
}

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    pub(crate) fn new(max: usize) -> Self {
        Cache { max, values: Mutex::default() }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    pub(crate) fn put(&self, key: K, value: V) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= self.max {
            values.clear();
        }
        values.insert(key, value);
    }

    pub(crate) fn forget(&self, key: &K) {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }

    pub(crate) fn clear(&self) {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_holds_more_than_its_bound() {
        let cache = Cache::new(2);
        for key in 0..5 {
            cache.put(key, key * 10);
            assert_eq!(cache.get(&key), Some(key * 10));
            assert!(cache.values.lock().unwrap().len() <= 2);
        }
    }
}
