//! What the callbacks of one isolate share with whoever runs it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A rejected promise that nobody handles yet.
pub(crate) struct Unhandled {
    pub(crate) promise: v8::Global<v8::Promise>,
    pub(crate) value: v8::Global<v8::Value>,
}

/// Kept in a slot of the isolate.
#[derive(Clone, Default)]
pub(crate) struct GuestState {
    /// Compiled modules by name.
    pub(crate) modules: Rc<RefCell<HashMap<String, v8::Global<v8::Module>>>>,
    /// Rejections without a handler.
    pub(crate) unhandled: Rc<RefCell<Vec<Unhandled>>>,
}
