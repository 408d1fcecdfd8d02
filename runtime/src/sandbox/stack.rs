//! Stacks of an exact size. What the kernel gives a process as its stack begins at a random offset, grows as far as the shell's
//! `ulimit` lets it, and holds the program's path and arguments: a guest at the limit would pass or fail by chance. So reading and
//! running each happen on a mapping of their own, whose size is exact, with a guard below it that nothing steps over.
#![expect(unsafe_code, reason = "memory is mapped, and the stack pointer moved to it")]

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The guard below a stack, in bytes: wider than any frame. It takes no memory.
const GUARD_BYTES: usize = 16 << 20;
/// Bytes of a page.
const PAGE_BYTES: usize = 4_096;
/// Stacks that a worker has: one to read and judge on, one for the guest.
const STACKS_MAX: usize = 2;

/// First byte of each guard; 0 where there is none. For the fault handler, which may read nothing else.
static GUARDS: [AtomicUsize; STACKS_MAX] = [const { AtomicUsize::new(0) }; STACKS_MAX];

/// A stack of an exact size. It lives as long as the process.
pub(crate) struct ExactStack {
    base: usize,
    size: usize,
}

impl ExactStack {
    /// Maps one of `size` bytes, rounded up to whole pages. A process maps [`STACKS_MAX`] of them.
    ///
    /// # Errors
    /// What the kernel says.
    pub(crate) fn map(size: usize) -> io::Result<ExactStack> {
        let size = size.max(PAGE_BYTES).next_multiple_of(PAGE_BYTES);
        let whole = size.checked_add(GUARD_BYTES).ok_or_else(|| io::Error::other("a stack past the address space"))?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
        // SAFETY: a new mapping at an address of the kernel's choice touches nothing that is there.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), whole, libc::PROT_NONE, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let guard = start.addr();
        let base = guard.saturating_add(GUARD_BYTES);
        let usable = std::ptr::with_exposed_provenance_mut::<libc::c_void>(base);
        // SAFETY: the range is the upper part of the mapping made above.
        if unsafe { libc::mprotect(usable, size, libc::PROT_READ | libc::PROT_WRITE) } != 0 {
            return Err(io::Error::last_os_error());
        }
        start.expose_provenance();
        let free = GUARDS.iter().find(|known| known.compare_exchange(0, guard, Ordering::Relaxed, Ordering::Relaxed).is_ok());
        free.map(|_| ExactStack { base, size }).ok_or_else(|| io::Error::other("a worker has no more stacks"))
    }

    /// Runs `work` on it. A panic must end the process, as a worker's does.
    pub(crate) fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        let base = std::ptr::with_exposed_provenance_mut::<u8>(self.base);
        // SAFETY: the mapping is readable, writable, page aligned, of whole pages, is never unmapped, and nobody else runs on it:
        // `work` is the process's one piece of work at a time. The worker's panic hook ends the process, so nothing unwinds.
        unsafe { psm::on_stack(base, self.size, work) }
    }
}

/// Whether an address lies in the guard of a stack.
pub(crate) fn is_overflow(address: usize) -> bool {
    let within = |guard: usize| guard != 0 && (guard..guard.saturating_add(GUARD_BYTES)).contains(&address);
    GUARDS.iter().any(|guard| within(guard.load(Ordering::Relaxed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(left: u32) -> usize {
        let here = std::hint::black_box([left; 64]);
        if left == 0 { here.as_ptr().addr() } else { depth(left - 1) }
    }

    #[test]
    fn work_runs_on_the_mapping_and_its_guard_is_known() {
        let stack = ExactStack::map(100_000).unwrap();
        assert_eq!(stack.size % PAGE_BYTES, 0);
        let deepest = stack.run(|| depth(20));
        assert!((stack.base..stack.base + stack.size).contains(&deepest));
        assert!(is_overflow(stack.base - 1) && is_overflow(stack.base - GUARD_BYTES));
        assert!(!is_overflow(stack.base) && !is_overflow(stack.base - GUARD_BYTES - 1));
    }
}
