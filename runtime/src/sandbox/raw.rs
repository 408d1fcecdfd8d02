//! What needs unsafe code of the sandbox: closing the files a worker inherited, and naming a stack overflow.
//!
//! V8's own stack check could be caught by the guest, the kernel's can't. The handler runs on the alternate stack that Rust's
//! runtime has set up for the main thread.
#![expect(unsafe_code, reason = "a signal handler and a raw system call are C interfaces")]

use std::sync::atomic::{AtomicUsize, Ordering};

/// Exit status of a worker whose stack overflowed.
pub(crate) const EXIT_STACK_OVERFLOW: i32 = 82;
/// A fault this close below the stack's top is an overflow, in bytes. Nothing else is mapped there.
const STACK_REACH_BYTES: usize = 64 << 20;

static STACK_TOP: AtomicUsize = AtomicUsize::new(0);

/// First file descriptor behind the three standard ones.
const FIRST_INHERITED: libc::c_uint = 3;

/// Closes every file but the standard three, whatever the parent or its parents left open. A worker's first act, before anything
/// of its own is open.
pub(crate) fn close_inherited_files() -> bool {
    // SAFETY: nothing in this process holds a file descriptor above the standard ones yet.
    unsafe { libc::close_range(FIRST_INHERITED, libc::c_uint::MAX, 0) == 0 }
}

/// Installs the handler. Called once, on the main thread, near the bottom of its calls.
pub(crate) fn name_stack_overflow() -> bool {
    let here = 0_u8;
    STACK_TOP.store(std::ptr::from_ref(&here).addr(), Ordering::Relaxed);
    let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_fault;
    // SAFETY: the action is zeroed and then filled in as sigaction(2) wants; the handler only calls what is safe in one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask) == 0
            && libc::sigaction(libc::SIGSEGV, &raw const action, std::ptr::null_mut()) == 0
    }
}

extern "C" fn on_fault(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    let top = STACK_TOP.load(Ordering::Relaxed);
    // SAFETY: the kernel passes a valid siginfo; `_exit`, `signal` and `raise` are safe in a handler.
    unsafe {
        let address = (*info).si_addr().addr();
        if address < top && top.saturating_sub(address) < STACK_REACH_BYTES {
            libc::_exit(EXIT_STACK_OVERFLOW);
        }
        libc::signal(signal, libc::SIG_DFL);
    }
}
