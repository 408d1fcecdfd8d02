//! What needs unsafe code of the inspector: V8 calls back with raw pointers.
#![expect(
    unsafe_code,
    reason = "V8's interrupts are a C interface, and its inspector asks for a context outside of any scope"
)]

use std::ffi::c_void;
use std::rc::Rc;

/// What is done on the isolate's own thread when another thread interrupts it. Kept in a slot of the isolate.
#[derive(Clone)]
pub(super) struct OnInterrupt(pub(super) Rc<dyn Fn()>);

/// Has the isolate's thread do what its [`OnInterrupt`] says, at the next moment that V8 finds safe, in the middle of a guest's loop too.
pub(super) fn interrupt(handle: &v8::IsolateHandle) {
    let _the_isolate_is_gone = handle.request_interrupt(interrupted, std::ptr::null_mut());
}

unsafe extern "C" fn interrupted(isolate: v8::UnsafeRawIsolatePtr, _: *mut c_void) {
    // SAFETY: V8 calls this on the thread of the live isolate that was interrupted.
    let isolate = unsafe { v8::Isolate::from_raw_isolate_ptr(isolate) };
    let on_interrupt = isolate.get_slot::<OnInterrupt>().cloned();
    if let Some(OnInterrupt(act)) = on_interrupt {
        act();
    }
}

/// The isolate that asks for its context in a callback that brings no scope.
#[derive(Clone, Copy)]
pub(super) struct Asking(v8::UnsafeRawIsolatePtr);

impl Asking {
    pub(super) fn new(isolate: &mut v8::Isolate) -> Asking {
        // SAFETY: reading the address of a live isolate.
        Asking(unsafe { isolate.as_raw_isolate_ptr() })
    }

    /// Does something with the isolate, on its own thread, between two things that V8 does.
    pub(super) fn with(self, act: impl FnOnce(&mut v8::Isolate)) {
        // SAFETY: the isolate lives as long as its worker, and whoever calls is on its thread, with V8 waiting for them.
        let mut isolate = unsafe { v8::Isolate::from_raw_isolate_ptr(self.0) };
        act(&mut isolate);
    }

    /// A handle to the context in the scope that V8 has open where it asks.
    pub(super) fn context<'a>(self, context: &v8::Global<v8::Context>) -> v8::Local<'a, v8::Context> {
        // SAFETY: V8 asks on the isolate's thread, while it lives.
        let mut isolate = unsafe { v8::Isolate::from_raw_isolate_ptr(self.0) };
        // SAFETY: V8 has a handle scope open wherever its inspector asks for a context.
        v8::callback_scope!(unsafe scope, &mut isolate);
        let local = v8::Local::new(scope, context);
        // SAFETY: the handle lives in V8's scope, which outlasts the answer.
        unsafe { v8::Local::extend_lifetime_unchecked(local) }
    }
}
