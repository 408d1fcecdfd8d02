//! The program's code on huge pages. A copy of a process has none of its original's pages of files at hand: each is asked for anew, by a
//! fault, and each takes an entry of its own of what the processor remembers of addresses. Code that lies in anonymous huge pages
//! the copies share from their first moment, two megabytes with one entry.
#![expect(unsafe_code, reason = "code is moved under the process that runs it")]

use std::io;
use std::ops::Range;

/// Bytes of a huge page.
pub(crate) const HUGE_BYTES: usize = 2 << 20;

/// Puts what of a mapping of code fills whole huge pages, and is in use as `is_used` says, on such pages. What can't be moved stays.
pub(crate) fn put_on_huge_pages(code: Range<usize>, is_used: impl Fn(usize) -> bool) {
    let mut start = code.start.next_multiple_of(HUGE_BYTES);
    while start.saturating_add(HUGE_BYTES) <= code.end {
        if is_used(start) && replace(start).is_err() {
            return;
        }
        start = start.saturating_add(HUGE_BYTES);
    }
}

/// Puts a huge page with the same content in the place of readable, executable memory.
fn replace(start: usize) -> io::Result<()> {
    let failed = |done: *mut libc::c_void| done == libc::MAP_FAILED;
    let checked = |code: libc::c_int| if code == 0 { Ok(()) } else { Err(io::Error::last_os_error()) };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let there = std::ptr::with_exposed_provenance_mut::<libc::c_void>(start);
    // SAFETY: the new mapping is nobody else's; of it the aligned part is filled with what lies at `there`, which is readable, never
    // written, and of whole pages. `mremap` swaps the two at once as all threads see it, and the bytes are the same, so that whoever
    // runs them runs on. No page can be written and executed at any time.
    unsafe {
        let room = libc::mmap(std::ptr::null_mut(), 2 * HUGE_BYTES, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
        if failed(room) {
            return Err(io::Error::last_os_error());
        }
        let page = room.map_addr(|address| address.next_multiple_of(HUGE_BYTES));
        let done = checked(libc::madvise(page, HUGE_BYTES, libc::MADV_HUGEPAGE)).and_then(|()| {
            std::ptr::copy_nonoverlapping(there.cast_const().cast::<u8>(), page.cast::<u8>(), HUGE_BYTES);
            checked(libc::mprotect(page, HUGE_BYTES, libc::PROT_READ | libc::PROT_EXEC))?;
            let moved = libc::mremap(page, HUGE_BYTES, HUGE_BYTES, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, there);
            if failed(moved) { Err(io::Error::last_os_error()) } else { Ok(()) }
        });
        // Where the page went nothing is left, and unmapping nothing is no error.
        let _rest = libc::munmap(room, 2 * HUGE_BYTES);
        done
    }
}
