//! A zygote's memory: what its copies are to have of it, and have at hand before their job comes.

use super::code;
use super::raw::{Advice, Worked, advise};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of a page.
const PAGE_BYTES: usize = 4_096;
/// Bytes of an entry of `/proc/self/pagemap`, and its bits that say that the page is there, and that no other process has it.
const ENTRY_BYTES: usize = 8;
const PRESENT: u64 = 1 << 63;
const EXCLUSIVE: u64 = 1 << 56;
/// So many pages of a huge page must be in use for it to be one.
const USED_MIN_PAGES: usize = 16;

/// A line of `/proc/self/maps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mapping {
    start: usize,
    end: usize,
    is_writable: bool,
    is_code: bool,
}

/// A stretch of memory that copies write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    start: usize,
    len: usize,
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

    /// Lets copies of this process have all of its memory, its code on huge pages.
    ///
    /// # Errors
    /// Where the process's map can't be read.
    pub(crate) fn share_with_copies(&mut self) -> io::Result<()> {
        for mapping in self.mappings()? {
            advise(mapping.start, mapping.end.saturating_sub(mapping.start), Advice::Inherit);
            if mapping.is_code {
                let entries = self.entries(&mapping).unwrap_or_default();
                code::put_on_huge_pages(mapping.start..mapping.end, |start| {
                    let first = start.saturating_sub(mapping.start) / PAGE_BYTES;
                    let pages = entries.iter().skip(first).take(code::HUGE_BYTES / PAGE_BYTES);
                    pages.filter(|entry| **entry & PRESENT != 0).count() >= USED_MIN_PAGES
                });
            }
        }
        Ok(())
    }

    /// What a copy of this process writes to that does `work`: the pages that are this process's alone, while the copy has its own. The last
    /// look: copies are to have none of these files. What can't be told is left out, all of it where there is no copy or the copy dies:
    /// to know it only saves time.
    pub(crate) fn written_by_copy(mut self, work: impl FnOnce()) -> Vec<Stretch> {
        let mappings = self.mappings().unwrap_or_default();
        let Ok(_working) = Worked::copy(work) else { return Vec::new() };
        let mut stretches = Vec::new();
        for mapping in mappings.iter().filter(|mapping| mapping.is_writable) {
            stretches.extend(exclusive(mapping, &self.entries(mapping).unwrap_or_default()));
        }
        stretches
    }

    fn mappings(&mut self) -> io::Result<Vec<Mapping>> {
        let mut map = String::new();
        self.maps.seek(SeekFrom::Start(0))?;
        self.maps.read_to_string(&mut map)?;
        let form = || io::Error::other("/proc/self/maps is not of its form");
        map.lines().map(|line| Mapping::read(line).ok_or_else(form)).collect()
    }

    /// The entries of a mapping's pages. The kernel's own pages have none.
    fn entries(&mut self, mapping: &Mapping) -> io::Result<Vec<u64>> {
        let count = mapping.end.saturating_sub(mapping.start) / PAGE_BYTES;
        let mut bytes = vec![0; count.saturating_mul(ENTRY_BYTES)];
        let first = (mapping.start / PAGE_BYTES).saturating_mul(ENTRY_BYTES);
        self.pages.seek(SeekFrom::Start(u64::try_from(first).map_err(io::Error::other)?))?;
        self.pages.read_exact(&mut bytes)?;
        let entry = |entry: &[u8]| entry.try_into().map(u64::from_le_bytes).unwrap_or_default();
        Ok(bytes.chunks(ENTRY_BYTES).map(entry).collect())
    }
}

impl Mapping {
    fn read(line: &str) -> Option<Mapping> {
        let mut parts = line.split(' ');
        let (start, end) = parts.next()?.split_once('-')?;
        let address = |text: &str| usize::from_str_radix(text, 16).ok();
        let rights = parts.next()?;
        Some(Mapping {
            start: address(start)?,
            end: address(end)?,
            is_writable: rights.starts_with("rw"),
            is_code: rights.starts_with("r-x"),
        })
    }
}

/// The pages that are there and nobody else's, as stretches.
fn exclusive(mapping: &Mapping, entries: &[u64]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let own = |entry: u64| entry & PRESENT != 0 && entry & EXCLUSIVE != 0;
    for (index, _) in entries.iter().enumerate().filter(|(_, entry)| own(**entry)) {
        let page = mapping.start.saturating_add(index.saturating_mul(PAGE_BYTES));
        match stretches.last_mut() {
            Some(last) if page == last.start.saturating_add(last.len) => last.len = last.len.saturating_add(PAGE_BYTES),
            _ => stretches.push(Stretch { start: page, len: PAGE_BYTES }),
        }
    }
    stretches
}

/// Gives this copy pages of its own where it will write, so that the job need not wait for them one by one.
pub(crate) fn bring_in(stretches: &[Stretch]) {
    for stretch in stretches {
        advise(stretch.start, stretch.len, Advice::PopulateToWrite);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_map_is_read() {
        let line = "7f1bb3bcd000-7f1bb3bd0000 rw-p 00000000 00:00 0 ";
        let mapping = Mapping { start: 0x7f1b_b3bc_d000, end: 0x7f1b_b3bd_0000, is_writable: true, is_code: false };
        assert_eq!(Mapping::read(line), Some(mapping));
        assert_eq!(Mapping::read("nonsense"), None);
    }

    fn has(stretches: &[Stretch], address: usize) -> bool {
        stretches.iter().any(|stretch| (stretch.start..stretch.start + stretch.len).contains(&address))
    }

    /// Looks of which one at least tells of nothing that was only read.
    const LOOKS: usize = 500;

    #[test]
    fn what_a_copy_writes_to_is_known_and_brought_in() {
        let mut pages = vec![1_u8; 64 * PAGE_BYTES];
        let address = |page: usize| pages.as_ptr().addr() + page * PAGE_BYTES;
        let (read, written) = (address(16), address(48));
        let mut looked = || {
            OwnMemory::open().unwrap().written_by_copy(|| {
                let sum: usize = pages.iter().map(|byte| usize::from(*byte)).sum();
                pages[48 * PAGE_BYTES] = u8::try_from(sum % 2).unwrap();
            })
        };
        // Other tests make copies of this process meanwhile: what they share is nobody's own, and what they leave is. Soon they are done.
        let right = |stretches: &Vec<Stretch>| has(stretches, written) && !has(stretches, read);
        let stretches = (0..LOOKS).map(|_| looked()).find(right);
        let stretches = stretches.expect("a look that tells of what is written, and not of what is only read");
        bring_in(&stretches);
        assert!(pages.iter().all(|byte| *byte == 1), "nothing changed");
    }

    #[test]
    fn of_a_copy_that_dies_nothing_is_known() {
        let own = OwnMemory::open().unwrap();
        assert_eq!(own.written_by_copy(|| crate::sandbox::raw::leave(1)), []);
    }
}
