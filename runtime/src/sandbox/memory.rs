//! A zygote's memory: what its copies are to have of it, and have at hand before their job comes.

use super::raw::{Advice, advise};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of a page.
const PAGE_BYTES: usize = 4_096;
/// Bytes of an entry of `/proc/self/pagemap`, and its bit that says that the page is there.
const ENTRY_BYTES: usize = 8;
const PRESENT: u64 = 1 << 63;
/// Pages that are missing between two that are there, and are brought in with them.
const GAP_MAX_PAGES: usize = 8;

/// A stretch of memory that is in use, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    start: usize,
    len: usize,
    advice: Advice,
}

/// The process's own map and its table of pages, opened while the process may still read them: one that can't be dumped, and is not
/// root's, may not open them any more.
pub(crate) struct OwnMemory {
    maps: File,
    pages: File,
}

impl OwnMemory {
    /// Opens both.
    ///
    /// # Errors
    /// What the kernel says.
    pub(crate) fn open() -> io::Result<OwnMemory> {
        Ok(OwnMemory { maps: File::open("/proc/self/maps")?, pages: File::open("/proc/self/pagemap")? })
    }
}

/// Lets copies of this process have all of its memory, and returns what of it is in use.
///
/// # Errors
/// Where the process's map can't be read. What is in use is left out where the table of pages can't be: bringing pages in early
/// only saves time.
pub(crate) fn share_with_copies(own: OwnMemory) -> io::Result<Vec<Stretch>> {
    let OwnMemory { mut maps, mut pages } = own;
    let mut map = String::new();
    maps.read_to_string(&mut map)?;
    let mut stretches = Vec::new();
    for line in map.lines() {
        let (start, end, rights) =
            mapping(line).ok_or_else(|| io::Error::other("/proc/self/maps is not of its form"))?;
        let len = end.saturating_sub(start);
        advise(start, len, Advice::Inherit);
        let advice = if rights.starts_with("rw") { Advice::PopulateToWrite } else { Advice::PopulateToRead };
        // What can't be read is reserved, not used; and the kernel's own pages stand in no map of pages.
        if rights.starts_with('r') && !line.ends_with(']') || line.ends_with("[heap]") || line.ends_with("[stack]") {
            stretches.extend(in_use(&mut pages, start, len, advice).unwrap_or_default());
        }
    }
    Ok(stretches)
}

/// Start, end and rights of a line of `/proc/self/maps`.
fn mapping(line: &str) -> Option<(usize, usize, &str)> {
    let mut parts = line.split(' ');
    let (start, end) = parts.next()?.split_once('-')?;
    let address = |text: &str| usize::from_str_radix(text, 16).ok();
    Some((address(start)?, address(end)?, parts.next()?))
}

/// The pages of a mapping that are there, as stretches.
fn in_use(pages: &mut File, start: usize, len: usize, advice: Advice) -> io::Result<Vec<Stretch>> {
    let gap = if advice == Advice::PopulateToRead { GAP_MAX_PAGES } else { 0 };
    let mut entries = vec![0; (len / PAGE_BYTES).saturating_mul(ENTRY_BYTES)];
    let first = (start / PAGE_BYTES).saturating_mul(ENTRY_BYTES);
    pages.seek(SeekFrom::Start(u64::try_from(first).map_err(io::Error::other)?))?;
    pages.read_exact(&mut entries)?;
    let mut stretches: Vec<Stretch> = Vec::new();
    let present = |entry: &[u8]| entry.try_into().map(u64::from_le_bytes).unwrap_or_default() & PRESENT != 0;
    for (index, _) in entries.chunks(ENTRY_BYTES).enumerate().filter(|(_, entry)| present(entry)) {
        let page = start.saturating_add(index.saturating_mul(PAGE_BYTES));
        match stretches.last_mut() {
            Some(last) if page.saturating_sub(last.start.saturating_add(last.len)) <= gap * PAGE_BYTES => {
                last.len = page.saturating_add(PAGE_BYTES).saturating_sub(last.start);
            }
            _ => stretches.push(Stretch { start: page, len: PAGE_BYTES, advice }),
        }
    }
    Ok(stretches)
}

/// Brings in what the original had in use, so that the job need not wait for it page by page.
pub(crate) fn bring_in(stretches: &[Stretch]) {
    for stretch in stretches {
        advise(stretch.start, stretch.len, stretch.advice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_map_is_read() {
        let line = "7f1bb3bcd000-7f1bb3bd0000 rw-p 00000000 00:00 0 ";
        assert_eq!(mapping(line), Some((0x7f1b_b3bc_d000, 0x7f1b_b3bd_0000, "rw-p")));
        assert_eq!(mapping("nonsense"), None);
    }

    #[test]
    fn the_pages_in_use_are_among_those_of_this_process() {
        let used = vec![1_u8; 64 * PAGE_BYTES];
        let stretches = share_with_copies(OwnMemory::open().unwrap()).unwrap();
        let middle = used.as_ptr().addr() + 32 * PAGE_BYTES;
        assert!(stretches.iter().any(|stretch| stretch.start <= middle && middle < stretch.start + stretch.len));
        bring_in(&stretches);
        assert!(used.iter().all(|byte| *byte == 1), "nothing changed");
    }
}
