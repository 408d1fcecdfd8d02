//! The callbacks that V8 calls with raw pointers. The one place of this crate with unsafe code; each block says why it holds.
#![expect(unsafe_code, reason = "V8's callbacks and its allocator are C interfaces")]

use super::state::GuestState;
use crate::sandbox::raw::leave;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a guest reads from an error's `stack`: that there is nothing to read.
const NO_STACK: &str = "stack traces are not available in a build";

/// Exit status of a worker whose V8 ran out of memory beyond recovery.
pub(crate) const EXIT_OUT_OF_MEMORY: i32 = 81;

/// Exit status of a worker whose V8 gave up for another reason: a text or an array past the sizes it can have, as a rule.
pub(crate) const EXIT_ENGINE_FATAL: i32 = 84;

/// Room that V8 gets past the heap limit to unwind in, in bytes; also what its nursery may hold beside the limit.
const UNWIND_BYTES: usize = 16 << 20;

/// An address below every stack, as V8's own limit: it comes after the guard of whatever stack a guest runs on.
const NO_STACK_LIMIT: usize = 1 << 16;

unsafe extern "C" {
    /// `v8::Isolate::SetStackLimit(uintptr_t)`, which the crate has no binding for.
    #[link_name = "_ZN2v87Isolate13SetStackLimitEm"]
    fn set_stack_limit(isolate: *mut c_void, limit: usize);
}

/// Sees to it that V8's own check of the stack, whose error a guest may catch, never comes first. After the isolate was made: making
/// it sets the limit by the stack that the process was born with.
pub(crate) fn lift_stack_limit(isolate: &mut v8::Isolate) {
    // SAFETY: the wrapper holds the isolate's address and nothing else.
    let pointer = unsafe { std::mem::transmute::<v8::UnsafeRawIsolatePtr, *mut c_void>(isolate.as_raw_isolate_ptr()) };
    // SAFETY: the isolate lives. V8 compares the stack pointer with the limit, and never reads what it points to.
    unsafe { set_stack_limit(pointer, NO_STACK_LIMIT) };
}

/// What the heap's watch needs; lives as long as the process.
struct HeapWatch {
    exceeded: Arc<AtomicBool>,
    handle: v8::IsolateHandle,
    max_bytes: usize,
}

/// Whether the heap holds more than its limit and what may lie in the nursery beside it. V8 lets one large object pass its limit.
pub(crate) fn heap_is_exceeded(isolate: &mut v8::Isolate, max_bytes: usize) -> bool {
    isolate.get_heap_statistics().used_heap_size() > max_bytes.saturating_add(UNWIND_BYTES)
}

/// Notes when the heap comes near its limit, stops the guest, and gives V8 room to unwind in.
pub(crate) fn watch_heap(isolate: &mut v8::Isolate, exceeded: &Arc<AtomicBool>, max_bytes: usize) {
    let watch = HeapWatch { exceeded: Arc::clone(exceeded), handle: isolate.thread_safe_handle(), max_bytes };
    // One isolate a process, which ends with it: the watch is never taken back.
    let data: *mut HeapWatch = Box::leak(Box::new(watch));
    isolate.set_slot(HeapWatched(data));
    isolate.add_near_heap_limit_callback(near_heap_limit, data.cast());
    isolate.add_gc_prologue_callback(before_collection, data.cast(), v8::GCType::kGCTypeAll);
}

/// The heap's watch of an isolate, in a slot of it.
struct HeapWatched(*mut HeapWatch);

/// Puts the watch in front of what others have added since: V8 asks the last one alone, and its debugger's own would pause the guest and
/// let its heap grow to several times the limit.
pub(crate) fn watch_heap_first(isolate: &mut v8::Isolate) {
    let Some(HeapWatched(data)) = isolate.get_slot::<HeapWatched>() else { return };
    let data = *data;
    isolate.remove_near_heap_limit_callback(near_heap_limit, 0);
    isolate.add_near_heap_limit_callback(near_heap_limit, data.cast());
}

/// A large object that is garbage by now is seen here, before it goes.
unsafe extern "C" fn before_collection(
    isolate: v8::UnsafeRawIsolatePtr,
    _kind: v8::GCType,
    _flags: v8::GCCallbackFlags,
    data: *mut c_void,
) {
    // SAFETY: `watch_heap` passed a leaked `HeapWatch`, which is shared and never freed.
    let watch = unsafe { &*data.cast::<HeapWatch>() };
    // SAFETY: V8 passes the live isolate that collects, and nobody else holds it meanwhile.
    let mut isolate = unsafe { v8::Isolate::from_raw_isolate_ptr(isolate) };
    if heap_is_exceeded(&mut isolate, watch.max_bytes) {
        watch.exceeded.store(true, Ordering::Relaxed);
        watch.handle.terminate_execution();
    }
}

unsafe extern "C" fn near_heap_limit(data: *mut c_void, current: usize, initial: usize) -> usize {
    // SAFETY: `watch_heap` passed a leaked `HeapWatch`, which is shared and never freed.
    let watch = unsafe { &*data.cast::<HeapWatch>() };
    watch.exceeded.store(true, Ordering::Relaxed);
    watch.handle.terminate_execution();
    current.max(initial.saturating_add(UNWIND_BYTES))
}

/// Installs every callback of the isolate.
pub(crate) fn install(isolate: &mut v8::Isolate) {
    isolate.set_prepare_stack_trace_callback(prepare_stack_trace);
    isolate.set_promise_reject_callback(promise_reject);
    isolate.set_host_import_module_dynamically_callback(refuse_import);
    isolate.set_host_initialize_import_meta_object_callback(leave_import_meta_empty);
    isolate.set_oom_error_handler(out_of_memory);
}

extern "C" fn leave_import_meta_empty(
    _: v8::Local<'_, v8::Context>,
    _: v8::Local<'_, v8::Module>,
    _: v8::Local<'_, v8::Object>,
) {
}

fn refuse_import<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    _options: v8::Local<'s, v8::Data>,
    _resource: v8::Local<'s, v8::Value>,
    _specifier: v8::Local<'s, v8::String>,
    _attributes: v8::Local<'s, v8::FixedArray>,
) -> Option<v8::Local<'s, v8::Promise>> {
    let message = v8::String::new(scope, "`import()` is not available in a build")?;
    let error = v8::Exception::type_error(scope, message);
    scope.throw_exception(error);
    None
}

/// Answers a constant, so that neither the author's `Error.prepareStackTrace` nor ours runs.
fn prepare_stack_trace<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    _error: v8::Local<'s, v8::Value>,
    _sites: v8::Local<'s, v8::Array>,
) -> v8::Local<'s, v8::Value> {
    match v8::String::new(scope, NO_STACK) {
        Some(text) => text.into(),
        None => v8::undefined(scope).into(),
    }
}

extern "C" fn promise_reject(message: v8::PromiseRejectMessage<'_>) {
    // SAFETY: V8 calls this with a live message, inside a context.
    v8::callback_scope!(unsafe scope, &message);
    let promise = message.get_promise();
    let Some(state) = scope.get_slot::<GuestState>().cloned() else { return };
    match message.get_event() {
        v8::PromiseRejectEvent::PromiseRejectWithNoHandler => {
            let Some(value) = message.get_value() else { return };
            let (promise, value) = (v8::Global::new(scope, promise), v8::Global::new(scope, value));
            state.unhandled.borrow_mut().add(promise, value);
        }
        v8::PromiseRejectEvent::PromiseHandlerAddedAfterReject => {
            let promise = v8::Global::new(scope, promise);
            state.unhandled.borrow_mut().remove(&promise);
        }
        _ => {}
    }
}

/// Finds a module by its rewritten specifier, which names it outright.
pub(crate) fn resolve_module<'s>(
    context: v8::Local<'s, v8::Context>,
    specifier: v8::Local<'s, v8::String>,
    _attributes: v8::Local<'s, v8::FixedArray>,
    _referrer: v8::Local<'s, v8::Module>,
) -> Option<v8::Local<'s, v8::Module>> {
    // SAFETY: V8 calls this with the live context that is being instantiated in.
    v8::callback_scope!(unsafe scope, context);
    let name = specifier.to_rust_string_lossy(scope);
    let state = scope.get_slot::<GuestState>().cloned()?;
    let found = state.modules.borrow().get(&name).map(|module| v8::Local::new(scope, module));
    if found.is_none() {
        let message = v8::String::new(scope, "no such module")?;
        let error = v8::Exception::error(scope, message);
        scope.throw_exception(error);
    }
    found
}

/// V8 can't go on: leave with a status that names it. Only a worker's process may end so.
unsafe extern "C" fn out_of_memory(_location: *const std::ffi::c_char, _details: &v8::OomDetails) {
    leave(EXIT_OUT_OF_MEMORY)
}

/// Names the end of a process whose V8 gives up.
pub(crate) fn name_fatal_errors() {
    v8::V8::set_fatal_error_handler(|_file: &str, _line: i32, _message: &str| leave(EXIT_ENGINE_FATAL));
}

/// Array buffers, counted against a cap. V8's own heap limit does not see them.
pub(crate) struct CappedBuffers {
    cap_bytes: usize,
    used_bytes: AtomicUsize,
    /// Attempts in a row that were refused.
    refused: AtomicUsize,
    /// Whether V8 gave an allocation up: it tries again after each of its collections.
    pub(crate) exceeded: AtomicBool,
}

/// How often V8 tries to allocate a buffer, collecting garbage in between, before it throws.
const ATTEMPTS: usize = 4;

impl CappedBuffers {
    pub(crate) fn new(cap_bytes: usize) -> Arc<Self> {
        Arc::new(CappedBuffers {
            cap_bytes,
            used_bytes: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            exceeded: AtomicBool::new(false),
        })
    }

    /// V8's view of it.
    pub(crate) fn allocator(self: &Arc<Self>) -> v8::UniqueRef<v8::Allocator> {
        // SAFETY: the handle is an `Arc` that `drop_handle` releases once, and the table's functions take that very type.
        unsafe { v8::new_rust_allocator(Arc::into_raw(Arc::clone(self)), &BUFFERS) }
    }

    fn reserve(&self, len: usize) -> bool {
        let add = |used: usize| used.checked_add(len).filter(|sum| *sum <= self.cap_bytes);
        let reserved = self.used_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok();
        if reserved {
            self.refused.store(0, Ordering::Relaxed);
        } else if self.refused.fetch_add(1, Ordering::Relaxed) >= ATTEMPTS - 1 {
            self.exceeded.store(true, Ordering::Relaxed);
        }
        reserved
    }
}

static BUFFERS: v8::RustAllocatorVtable<CappedBuffers> =
    v8::RustAllocatorVtable { allocate, allocate_uninitialized: allocate, free, drop: drop_handle };

fn layout(len: usize) -> Option<std::alloc::Layout> {
    // V8 wants buffers aligned for every element type, and a pointer also for no bytes.
    std::alloc::Layout::from_size_align(len.max(1), 16).ok()
}

unsafe extern "C" fn allocate(buffers: &CappedBuffers, len: usize) -> *mut c_void {
    match layout(len) {
        // SAFETY: the layout has a size of at least one byte.
        Some(layout) if buffers.reserve(len) => unsafe { std::alloc::alloc_zeroed(layout) }.cast(),
        _ => std::ptr::null_mut(),
    }
}

unsafe extern "C" fn free(buffers: &CappedBuffers, data: *mut c_void, len: usize) {
    if let Some(layout) = layout(len) {
        // SAFETY: V8 gives back what `allocate` gave it, with the same length.
        unsafe { std::alloc::dealloc(data.cast(), layout) };
        buffers.used_bytes.fetch_sub(len, Ordering::Relaxed);
    }
}

unsafe extern "C" fn drop_handle(buffers: *const CappedBuffers) {
    // SAFETY: the pointer came from `Arc::into_raw` in `allocator`, and V8 drops it once.
    drop(unsafe { Arc::from_raw(buffers) });
}
