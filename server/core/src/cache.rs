//! What seldom or never changes once it is written, kept in memory up to a bound.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values up to a sum of weights. When it is full it is emptied: what is wanted comes back at once.
#[derive(Debug)]
pub(crate) struct Cache<K, V> {
    max: usize,
    kept: Mutex<Kept<K, V>>,
}

/// Values with their weights.
#[derive(Debug)]
struct Kept<K, V> {
    weight: usize,
    values: HashMap<K, (V, usize)>,
}

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    pub(crate) fn new(max: usize) -> Self {
        Cache { max, kept: Mutex::new(Kept { weight: 0, values: HashMap::new() }) }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.kept().values.get(key).map(|(value, _)| value.clone())
    }

    /// Keeps a value that weighs one.
    pub(crate) fn put(&self, key: K, value: V) {
        self.put_weighing(1, key, value);
    }

    /// Keeps a value, unless it alone weighs more than all may.
    pub(crate) fn put_weighing(&self, weight: usize, key: K, value: V) {
        let mut kept = self.kept();
        kept.forget(&key);
        if weight > self.max {
            return;
        }
        if kept.weight.saturating_add(weight) > self.max {
            kept.clear();
        }
        kept.weight = kept.weight.saturating_add(weight);
        kept.values.insert(key, (value, weight));
    }

    pub(crate) fn forget(&self, key: &K) {
        self.kept().forget(key);
    }

    pub(crate) fn clear(&self) {
        self.kept().clear();
    }

    fn kept(&self) -> MutexGuard<'_, Kept<K, V>> {
        // Whole at every moment, so a panic elsewhere leaves nothing half done.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq, V> Kept<K, V> {
    fn forget(&mut self, key: &K) {
        if let Some((_, weight)) = self.values.remove(key) {
            self.weight = self.weight.saturating_sub(weight);
        }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.weight = 0;
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
            assert!(cache.kept().values.len() <= 2);
        }
    }

    #[test]
    fn what_weighs_more_leaves_less_room() {
        let cache = Cache::new(10);
        cache.put_weighing(4, "a", 1);
        cache.put_weighing(11, "too much", 2);
        cache.put_weighing(6, "b", 3);
        assert_eq!((cache.get(&"a"), cache.get(&"too much"), cache.get(&"b")), (Some(1), None, Some(3)));
        cache.put_weighing(5, "b", 4);
        cache.put_weighing(1, "c", 5);
        assert_eq!(
            (cache.get(&"a"), cache.get(&"b"), cache.kept().weight),
            (Some(1), Some(4), 10),
            "replaced, not added"
        );
        cache.forget(&"a");
        cache.put_weighing(4, "d", 6);
        assert_eq!((cache.get(&"b"), cache.get(&"c"), cache.get(&"d")), (Some(4), Some(5), Some(6)));
        cache.put("e", 7);
        assert_eq!((cache.get(&"d"), cache.get(&"e"), cache.kept().weight), (None, Some(7), 1));
        cache.put_weighing(11, "e", 8);
        assert_eq!((cache.get(&"e"), cache.kept().weight), (None, 0), "an old value is not the new one");
    }
}
