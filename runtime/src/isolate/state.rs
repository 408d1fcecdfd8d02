//! What the callbacks of one isolate share with whoever runs it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The rejected promises that nobody handles yet.
#[derive(Default)]
pub(crate) struct Unhandled {
    /// Each with its number and what it was rejected with.
    rejected: HashMap<v8::Global<v8::Promise>, (u64, v8::Global<v8::Value>)>,
    /// How many there were.
    count: u64,
}

impl Unhandled {
    /// Notes one.
    pub(crate) fn add(&mut self, promise: v8::Global<v8::Promise>, value: v8::Global<v8::Value>) {
        self.rejected.insert(promise, (self.count, value));
        self.count = self.count.saturating_add(1);
    }

    /// Forgets one that is handled after all.
    pub(crate) fn remove(&mut self, promise: &v8::Global<v8::Promise>) {
        self.rejected.remove(promise);
    }

    /// What they were rejected with, in their order.
    pub(crate) fn take(&mut self) -> Vec<v8::Global<v8::Value>> {
        let mut all: Vec<_> = self.rejected.drain().map(|(_, numbered)| numbered).collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, value)| value).collect()
    }
}

/// Kept in a slot of the isolate.
#[derive(Clone, Default)]
pub(crate) struct GuestState {
    /// Compiled modules by name.
    pub(crate) modules: Rc<RefCell<HashMap<String, v8::Global<v8::Module>>>>,
    /// Rejections without a handler.
    pub(crate) unhandled: Rc<RefCell<Unhandled>>,
}
