//! What needs unsafe code of the sandbox: closing the files a worker inherited, copying a process, ignoring signals, and naming a
//! stack overflow.
//!
//! V8's own stack check could be caught by the guest, the guard of a mapping can't. The handler runs on the alternate stack that
//! Rust's runtime has set up for the main thread.
#![expect(unsafe_code, reason = "a signal handler and a raw system call are C interfaces")]

use super::stack;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::time::Duration;
use tokio::io::unix::AsyncFd;

/// Exit status of a worker whose stack overflowed.
pub(crate) const EXIT_STACK_OVERFLOW: i32 = 82;
/// First file descriptor behind the three standard ones.
const FIRST_INHERITED: libc::c_uint = 3;

/// Closes every file but the standard three, whatever the parent or its parents left open. A worker's first act, before anything
/// of its own is open.
pub(crate) fn close_inherited_files() -> bool {
    // SAFETY: nothing in this process holds a file descriptor above the standard ones yet.
    unsafe { libc::close_range(FIRST_INHERITED, libc::c_uint::MAX, 0) == 0 }
}

/// Makes a copy of this process as its sibling: a child of the same parent, which can wait for it and kill it. Gives its id, or
/// nothing in the copy.
pub(crate) fn fork_sibling() -> std::io::Result<Option<i32>> {
    let flags = libc::CLONE_PARENT | libc::SIGCHLD;
    // SAFETY: the other thread of this process waits for this one and holds no lock that the copy would lack; without CLONE_VM the
    // copy's memory is its own. glibc's cached thread id stays the original's: nothing here asks for it.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
    match i32::try_from(pid) {
        Ok(0) => Ok(None),
        Ok(pid) if pid > 0 => Ok(Some(pid)),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// A child of this process that nobody has waited for. Dropped, it is killed, and its end seen.
#[derive(Debug)]
pub(crate) struct OwnChild(libc::pid_t);

impl OwnChild {
    /// Its id, for whoever waits for it from here on.
    pub(crate) fn into_id(self) -> i32 {
        let id = self.0;
        std::mem::forget(self);
        id
    }
}

impl Drop for OwnChild {
    fn drop(&mut self) {
        // SAFETY: the child is this process's own, and nobody has waited for it.
        unsafe {
            libc::kill(self.0, libc::SIGKILL);
            libc::waitpid(self.0, std::ptr::null_mut(), 0);
        }
    }
}

/// Makes a copy of this process as its child. Gives the child, or nothing in the copy.
pub(crate) fn fork() -> std::io::Result<Option<OwnChild>> {
    // SAFETY: glibc's fork holds the locks of its allocator. Where there is another thread, it waits for this one and holds none of ours.
    match unsafe { libc::fork() } {
        0 => Ok(None),
        pid if pid > 0 => Ok(Some(OwnChild(pid))),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// How long a copy's piece of work may take: half of what a worker may take to get ready.
const WORK_MAX: Duration = Duration::from_secs(5);

/// A copy of this process that has done a piece of work and waits. Dropped, it is ended.
pub(crate) struct Worked {
    _copy: OwnChild,
}

impl Worked {
    /// Makes a copy, lets it work, and waits until it has.
    ///
    /// # Errors
    /// Where there is no copy, or it ended before it had worked, or has not within [`WORK_MAX`].
    pub(crate) fn copy(work: impl FnOnce()) -> std::io::Result<Worked> {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        let Some(child) = fork()? else {
            drop(ours);
            work();
            // It ends when its original drops the other end, or is gone.
            let _gone = (&theirs).write(&[0]).and_then(|_| (&theirs).read(&mut [0]));
            leave(0)
        };
        drop(theirs);
        ours.set_read_timeout(Some(WORK_MAX))?;
        match (&ours).read(&mut [0])? {
            0 => Err(std::io::Error::other("the copy ended before it had worked")),
            _ => Ok(Worked { _copy: child }),
        }
    }
}

/// How the names of variables begin that the loader and the C library obey before a program's first instruction.
const READ_BY_C: [&[u8]; 3] = [b"LD_", b"GLIBC_", b"MALLOC_"];
/// The zone of a worker, whatever the machine's is.
const ZONE: (&std::ffi::CStr, &std::ffi::CStr) = (c"TZ", c"UTC");

unsafe extern "C" {
    /// The process's variables, `NAME=VALUE` each, up to a null pointer.
    static mut environ: *mut *mut libc::c_char;
}

/// Each of the process's variables, where it lies. No other thread may change them meanwhile.
fn variables() -> impl Iterator<Item = *mut libc::c_char> {
    // SAFETY: `environ` is null or points to a list that ends with a null pointer.
    let all = |index| unsafe { if environ.is_null() { std::ptr::null_mut() } else { *environ.add(index) } };
    (0..).map(all).take_while(|variable| !variable.is_null())
}

/// Whether a variable says how the C library or the loader behaves. Copies no value.
pub(crate) fn environment_reaches_c() -> bool {
    variables().any(|variable| {
        // SAFETY: a variable is a C text, which nobody changes here.
        let text = unsafe { std::ffi::CStr::from_ptr(variable) }.to_bytes();
        READ_BY_C.iter().any(|start| text.starts_with(start))
    })
}

/// Overwrites every variable of a copy that has one thread, leaves it the one that a worker has, and its allocator one arena.
///
/// # Errors
/// Where the C library has no room for one variable.
pub(crate) fn forget_environment() -> std::io::Result<()> {
    // SAFETY: this is the process's one thread; each variable is a C text in its own memory, as long as `strlen` says.
    let done = unsafe {
        for variable in variables() {
            std::ptr::write_bytes(variable, 0, libc::strlen(variable));
        }
        libc::clearenv() == 0
            && libc::setenv(ZONE.0.as_ptr(), ZONE.1.as_ptr(), 1) == 0
            && libc::mallopt(libc::M_ARENA_MAX, 1) == 1
    };
    if done { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// What a copy of this process does with a stretch of its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// Copies have it at all. V8 marks what it maps as not to be copied, so that a fork of a browser's process is cheap.
    Inherit,
    /// Its pages are there to be written: the copy's own.
    PopulateToWrite,
}

/// Tells the kernel; one that does not know the advice, or whose own pages these are, refuses, and nothing is lost.
pub(crate) fn advise(start: usize, len: usize, advice: Advice) {
    let advice = match advice {
        Advice::Inherit => libc::MADV_DOFORK,
        Advice::PopulateToWrite => libc::MADV_POPULATE_WRITE,
    };
    // SAFETY: none of these changes any content: they say whether a later copy has the pages, and bring pages in early.
    let _refused = unsafe { libc::madvise(std::ptr::without_provenance_mut(start), len, advice) };
}

/// Has the runtime watch a process's file.
pub(crate) fn watch_process(file: OwnedFd) -> std::io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` names the same open file until it is dropped, and the `AsyncFd` owns it.
    unsafe { Ok(AsyncFd::register(file)?) }
}

/// By how much the C library's heap grows at once, in bytes, and from which size on a piece of memory is a mapping of its own.
const HEAP_STEP_BYTES: libc::c_int = 1 << 20;
const MAPPING_MIN_BYTES: libc::c_int = 32 << 20;

/// Has the C library keep what is freed: a worker ends after its job, and what it would give back it asks for again.
pub(crate) fn keep_memory() {
    // SAFETY: these only say when memory is asked for and given back. One that is refused costs time alone.
    let _refused = unsafe {
        libc::mallopt(libc::M_TOP_PAD, HEAP_STEP_BYTES)
            + libc::mallopt(libc::M_TRIM_THRESHOLD, libc::c_int::MAX)
            + libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPING_MIN_BYTES)
    };
}

/// Signals that people and supervisors send to a whole group of processes. A worker ends when its parent wants it to.
const IGNORED: [libc::c_int; 4] = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];

/// Ignores the signals that are meant for the server.
pub(crate) fn ignore_signals() -> bool {
    // SAFETY: ignoring a signal installs no code.
    IGNORED.iter().all(|signal| unsafe { libc::signal(*signal, libc::SIG_IGN) != libc::SIG_ERR })
}

/// Ends the process at once, without running what C and V8 have registered for its end: for handlers inside V8.
pub(crate) fn leave(status: i32) -> ! {
    // SAFETY: it does not return, and touches nothing of this process.
    unsafe { libc::_exit(status) }
}

/// Installs the handler. Called once, on the main thread.
pub(crate) fn name_stack_overflow() -> bool {
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
    // SAFETY: the kernel passes a valid siginfo; `_exit`, `signal` and `raise` are safe in a handler.
    unsafe {
        if stack::is_overflow((*info).si_addr().addr()) {
            libc::_exit(EXIT_STACK_OVERFLOW);
        }
        libc::signal(signal, libc::SIG_DFL);
    }
}

#[cfg(test)]
mod tests {
    use crate::sandbox::filter_calls;

    /// How a process ended that had closed its system calls and then made one.
    #[derive(Debug, PartialEq, Eq)]
    enum End {
        Exited(i32),
        Killed(i32),
    }

    /// Makes a call in a process of its own, behind the filter. The call's result is the exit status: 0, or the error's number.
    fn filtered(call: impl FnOnce() -> libc::c_long) -> End {
        // SAFETY: the child makes system calls and ends; what it allocates for the filters glibc's fork makes safe.
        unsafe {
            let child = libc::fork();
            assert!(child >= 0);
            if child == 0 {
                if filter_calls() != crate::sandbox::Enforcement::Full {
                    libc::_exit(255);
                }
                let failed = call() == -1;
                libc::_exit(if failed { *libc::__errno_location() } else { 0 });
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
            if libc::WIFEXITED(status) {
                End::Exited(libc::WEXITSTATUS(status))
            } else {
                End::Killed(libc::WTERMSIG(status))
            }
        }
    }

    fn map(rights: libc::c_int, flags: libc::c_int) -> End {
        // SAFETY: a new mapping touches nothing that is there.
        filtered(|| unsafe { libc::syscall(libc::SYS_mmap, 0, 4_096, rights, flags, -1, 0) }.min(0))
    }

    #[test]
    fn only_private_memory_that_is_not_code_can_be_had() {
        let (data, code) = (libc::PROT_READ | libc::PROT_WRITE, libc::PROT_READ | libc::PROT_EXEC);
        let anonymous = libc::MAP_ANONYMOUS;
        assert_eq!(map(data, anonymous | libc::MAP_PRIVATE), End::Exited(0));
        for (rights, flags) in [
            (data, anonymous | libc::MAP_SHARED),
            (data, anonymous | libc::MAP_SHARED_VALIDATE),
            (data, anonymous | libc::MAP_PRIVATE | libc::MAP_LOCKED),
            (code, anonymous | libc::MAP_PRIVATE),
        ] {
            assert_eq!(map(rights, flags), End::Killed(libc::SIGSYS), "{rights:x} {flags:x}");
        }
    }

    #[test]
    fn advice_that_reaches_others_and_limits_are_refused() {
        let page = Box::into_raw(Box::new([0_u8; 3 * 4_096]));
        let inside = page.addr().next_multiple_of(4_096);
        // SAFETY: the page is this test's own.
        let advise =
            |advice: libc::c_int| filtered(|| unsafe { libc::syscall(libc::SYS_madvise, inside, 4_096, advice) });
        assert_eq!(advise(libc::MADV_DONTNEED), End::Exited(0));
        for advice in [libc::MADV_HWPOISON, libc::MADV_SOFT_OFFLINE, libc::MADV_MERGEABLE, libc::MADV_REMOVE] {
            assert_eq!(advise(advice), End::Exited(libc::EACCES), "{advice}");
        }
        // SAFETY: null pointers ask for nothing.
        let limit = filtered(|| unsafe { libc::syscall(libc::SYS_prlimit64, 0, libc::RLIMIT_STACK, 0, 0) });
        assert_eq!(limit, End::Exited(libc::EACCES));
    }

    #[test]
    fn the_one_signal_is_an_abort_to_itself() {
        let signal = |signal: libc::c_int, own: bool| {
            // SAFETY: signals to this very process; others are refused before they are sent.
            filtered(move || unsafe {
                let (process, thread) = (libc::getpid(), libc::syscall(libc::SYS_gettid));
                libc::syscall(libc::SYS_tgkill, if own { process } else { 1 }, thread, signal)
            })
        };
        assert_eq!(signal(libc::SIGABRT, true), End::Killed(libc::SIGABRT));
        assert_eq!(signal(libc::SIGKILL, true), End::Killed(libc::SIGSYS));
        assert_eq!(signal(libc::SIGABRT, false), End::Killed(libc::SIGSYS));
        // SAFETY: as above.
        let kill = filtered(|| unsafe { libc::syscall(libc::SYS_kill, 1, 0) });
        assert_eq!(kill, End::Killed(libc::SIGSYS));
    }
}
