//! What may be set anew while it is used.

use std::sync::{Arc, PoisonError, RwLock};

/// A setting. Clones are one and the same; whoever looks sees what was set last.
#[derive(Clone, Debug, Default)]
pub struct Live<T>(Arc<RwLock<T>>);

impl<T: Clone> Live<T> {
    /// One that holds this.
    pub fn new(value: T) -> Live<T> {
        Live(Arc::new(RwLock::new(value)))
    }

    /// What it holds now.
    pub fn get(&self) -> T {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets it.
    pub fn set(&self, value: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = value;
    }
}
