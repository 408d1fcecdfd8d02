//! Things that are shared by name for as long as somebody holds them, and made anew after that.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Names that are remembered before those that nobody holds any more are forgotten.
const FORGET_AT: usize = 1_024;

/// Things by name, each there while it is held.
#[derive(Debug)]
pub struct HeldByName<K, T>(Mutex<HashMap<K, Weak<T>>>);

impl<K, T> Default for HeldByName<K, T> {
    fn default() -> Self {
        HeldByName(Mutex::default())
    }
}

impl<K: Eq + Hash, T> HeldByName<K, T> {
    /// The thing of this name that somebody holds, or a new one.
    pub fn get_or_make(&self, name: K, make: impl FnOnce() -> T) -> Arc<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = known.get(&name).and_then(Weak::upgrade) {
            return held;
        }
        if known.len() >= FORGET_AT {
            known.retain(|_, thing| thing.strong_count() > 0);
        }
        let made = Arc::new(make());
        known.insert(name, Arc::downgrade(&made));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_forgotten_and_what_is_held_is_the_same() {
        let things = HeldByName::default();
        let kept = things.get_or_make("kept".to_owned(), || 1);
        for number in 0..3 * FORGET_AT {
            drop(things.get_or_make(number.to_string(), || 2));
        }
        assert!(things.0.lock().unwrap().len() <= FORGET_AT);
        assert!(Arc::ptr_eq(&kept, &things.get_or_make("kept".to_owned(), || 3)));
        drop(kept);
        assert_eq!(*things.get_or_make("kept".to_owned(), || 4), 4);
    }
}
