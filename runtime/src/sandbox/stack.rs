//! Stacks of an exact size. What the kernel gives a process as its stack begins at a random offset, grows as far as the shell's
//! `ulimit` lets it, and holds the program's path and arguments: a guest at the limit would pass or fail by chance. So a worker does
//! all its work in a thread whose stack is a mapping of this shape, lowest address first:
//!
//! ```text
//! guard (never accessible) | reader | guest | the thread's own frames
//! ```
//!
//! Sources are read and rules applied with the stack pointer at the top of `reader`, the guest runs with it at the top of `guest`, and
//! meanwhile `reader` can't be accessed either. It is one thread's one stack because V8, which looks through the stack when it
//! collects garbage, reads from where it is up to where the thread's stack begins.
#![expect(unsafe_code, reason = "memory is mapped, a thread is given it, and the stack pointer is moved")]

use std::ffi::c_void;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The guard, in bytes: wider than any frame. It takes no memory.
const GUARD_BYTES: usize = 16 << 20;
/// What reads the sources and applies the rules has this much, in bytes: some four thousand levels of nesting.
const READER_BYTES: usize = 8 << 20;
/// The thread's own frames have this much, in bytes: V8's start, and what loading the package takes.
const OWN_BYTES: usize = 4 << 20;
/// The stack of the handler that names an overflow, in bytes.
const HANDLER_BYTES: usize = 64 << 10;
/// Bytes of a page.
const PAGE_BYTES: usize = 4_096;

/// Where the mapping starts, and where the guest's part of it does. For the fault handler, which may read nothing else.
static START: AtomicUsize = AtomicUsize::new(0);
static GUEST: AtomicUsize = AtomicUsize::new(0);

/// Whether an address is one that a stack reaches when it overflows. No other access to these is made.
pub(crate) fn is_overflow(address: usize) -> bool {
    (START.load(Ordering::Relaxed)..GUEST.load(Ordering::Relaxed)).contains(&address)
}

/// The stacks of the thread that runs.
#[derive(Clone, Copy)]
pub(crate) struct Stacks {
    reader: usize,
    guest: usize,
    guest_bytes: usize,
}

impl Stacks {
    /// Runs `work` on the reader's stack.
    pub(crate) fn reader<R>(&self, work: impl FnOnce() -> R) -> R {
        run(self.reader, READER_BYTES, work)
    }

    /// Runs `work` on the guest's stack, below which nothing can be accessed.
    ///
    /// # Errors
    /// Where the kernel does not close what lies below, or does not open it again.
    pub(crate) fn guest<R>(&self, work: impl FnOnce() -> R) -> io::Result<R> {
        protect(self.reader, READER_BYTES, libc::PROT_NONE)?;
        let done = run(self.guest, self.guest_bytes, work);
        protect(self.reader, READER_BYTES, libc::PROT_READ | libc::PROT_WRITE)?;
        Ok(done)
    }
}

fn run<R>(base: usize, size: usize, work: impl FnOnce() -> R) -> R {
    let base = std::ptr::with_exposed_provenance_mut::<u8>(base);
    // SAFETY: the range is part of this thread's stack, readable, writable, of whole pages, and below every frame of it. `work` is the
    // thread's one piece of work at a time. A worker's panic hook ends the process, so nothing unwinds.
    unsafe { psm::on_stack(base, size, work) }
}

fn protect(base: usize, size: usize, rights: libc::c_int) -> io::Result<()> {
    // SAFETY: whole pages of the mapping that `start` made, with no frame on them.
    let done = unsafe { libc::mprotect(std::ptr::with_exposed_provenance_mut(base), size, rights) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn map(size: usize) -> io::Result<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
    // SAFETY: a new mapping at an address of the kernel's choice touches nothing that is there.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
    if start == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(start.expose_provenance()) }
}

/// What the thread is handed.
struct Work<F, R> {
    work: Option<F>,
    stacks: Stacks,
    result: Option<R>,
}

extern "C" fn begin<F: FnOnce(Stacks) -> R, R>(given: *mut c_void) -> *mut c_void {
    // SAFETY: `start` passes its own `Work`, and waits for this thread before it looks at it again.
    let given = unsafe { &mut *given.cast::<Work<F, R>>() };
    if handle_faults_apart().is_ok() {
        given.result = given.work.take().map(|work| work(given.stacks));
    }
    std::ptr::null_mut()
}

/// Gives this thread a stack for signal handlers, since its own is what overflows.
fn handle_faults_apart() -> io::Result<()> {
    let base = map(HANDLER_BYTES)?;
    protect(base, HANDLER_BYTES, libc::PROT_READ | libc::PROT_WRITE)?;
    let stack =
        libc::stack_t { ss_sp: std::ptr::with_exposed_provenance_mut(base), ss_flags: 0, ss_size: HANDLER_BYTES };
    // SAFETY: the memory was just mapped and is used for nothing else.
    let done = unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Runs `work` in a thread of its own with stacks of exact sizes, `guest_bytes` (rounded up to whole pages) for the guest, and waits
/// for it. Once per process.
///
/// # Errors
/// Where the kernel gives no memory or no thread.
pub(crate) fn start<R: Send>(guest_bytes: usize, work: impl FnOnce(Stacks) -> R + Send) -> io::Result<R> {
    let guest_bytes = guest_bytes.max(PAGE_BYTES).next_multiple_of(PAGE_BYTES);
    let usable = READER_BYTES.saturating_add(guest_bytes).saturating_add(OWN_BYTES);
    let start = map(GUARD_BYTES.saturating_add(usable))?;
    let reader = start.saturating_add(GUARD_BYTES);
    protect(reader, usable, libc::PROT_READ | libc::PROT_WRITE)?;
    let stacks = Stacks { reader, guest: reader.saturating_add(READER_BYTES), guest_bytes };
    START.store(start, Ordering::Relaxed);
    GUEST.store(stacks.guest, Ordering::Relaxed);
    let mut given = Work { work: Some(work), stacks, result: None };
    spawn_and_join(reader, usable, begin_of(&given), (&raw mut given).cast())?;
    given.result.ok_or_else(|| io::Error::other("the thread did not begin"))
}

/// The entry of the thread for work of this type.
fn begin_of<F: FnOnce(Stacks) -> R, R>(_: &Work<F, R>) -> extern "C" fn(*mut c_void) -> *mut c_void {
    begin::<F, R>
}

fn spawn_and_join(
    base: usize,
    size: usize,
    entry: extern "C" fn(*mut c_void) -> *mut c_void,
    given: *mut c_void,
) -> io::Result<()> {
    let checked = |code: libc::c_int| if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(code)) };
    // SAFETY: the attributes are initialised before they are used; the stack is mapped and this thread's alone; `given` outlives the
    // thread, which is waited for here.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        checked(libc::pthread_attr_init(&raw mut attributes))?;
        let stack = std::ptr::with_exposed_provenance_mut(base);
        checked(libc::pthread_attr_setstack(&raw mut attributes, stack, size))?;
        let mut thread: libc::pthread_t = std::mem::zeroed();
        checked(libc::pthread_create(&raw mut thread, &raw const attributes, entry, given))?;
        checked(libc::pthread_join(thread, std::ptr::null_mut()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(left: u32) -> usize {
        let here = std::hint::black_box([left; 64]);
        if left == 0 { here.as_ptr().addr() } else { depth(left - 1) }
    }

    #[test]
    fn work_runs_where_it_should_and_overflows_are_known() {
        let (reader, guest, stacks) =
            start(100_000, |stacks| (stacks.reader(|| depth(20)), stacks.guest(|| depth(20)).unwrap(), stacks))
                .unwrap();
        assert_eq!(stacks.guest_bytes % PAGE_BYTES, 0);
        assert!((stacks.reader..stacks.guest).contains(&reader));
        assert!((stacks.guest..stacks.guest + stacks.guest_bytes).contains(&guest));
        assert!(is_overflow(stacks.reader - 1) && is_overflow(stacks.guest - 1));
        assert!(!is_overflow(stacks.guest) && !is_overflow(stacks.reader - GUARD_BYTES - 1));
    }
}
