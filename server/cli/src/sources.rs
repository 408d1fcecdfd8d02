//! Reads a product's files from disk, within the bounds of a build.

use crate::global::Exit;
use crate::output::CommandError;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use svc_engine::sources::{ENTRY, SourceLimits, Sources, is_source};

/// How deep folders may nest below `product/`.
const FOLDERS_DEEP_MAX: usize = 32;
/// Most entries of one folder that are looked at.
const ENTRIES_MAX: usize = 10_000;

/// Why what is no file is not read.
const NO_FILE: &str = "it is a pipe, a device or a socket, not a file";

/// Every `.ts`, `.js` and `.json` file below `dir/product`, hidden ones, links and `node_modules` left out. Past the limits of a build
/// it stops reading: what is there already shows that they are passed.
///
/// # Errors
/// A [`CommandError`] with exit 4 for what can't be read, 1 for what is no text.
pub(crate) fn read(dir: &Path) -> Result<Sources, CommandError> {
    let root = dir.join("product");
    if !root.is_dir() {
        let message = format!("{} has no folder `product`", dir.display());
        return Err(CommandError::new(Exit::Unreachable, "PRODUCT_NOT_FOUND", message)
            .with_hint("give the folder that holds `product/product.config.ts`"));
    }
    let mut reading = Reading { sources: Sources::new(), bytes: 0, limits: SourceLimits::default() };
    // First, so that a build with too many other files is not said to have none.
    let entry = dir.join(ENTRY);
    if entry.symlink_metadata().is_ok_and(|entry| !entry.is_symlink()) {
        let text = reading.read_file(&entry, ENTRY)?;
        reading.take(ENTRY.to_owned(), text);
    }
    reading.walk(&root, "product", FOLDERS_DEEP_MAX)?;
    Ok(reading.sources)
}

/// What was read so far.
struct Reading {
    sources: Sources,
    bytes: usize,
    limits: SourceLimits,
}

impl Reading {
    fn is_full(&self) -> bool {
        self.sources.len() > self.limits.files_max || self.bytes > self.limits.total_max_bytes
    }

    fn take(&mut self, path: String, text: String) {
        self.bytes = self.bytes.saturating_add(text.len());
        self.sources.insert(path, text);
    }

    fn walk(&mut self, folder: &Path, name: &str, depth: usize) -> Result<(), CommandError> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(unreadable(name, "it nests too deep"));
        };
        let entries = fs::read_dir(folder).map_err(|error| unreadable(name, error))?;
        let mut entries =
            entries.take(ENTRIES_MAX + 1).collect::<Result<Vec<_>, _>>().map_err(|error| unreadable(name, error))?;
        if entries.len() > ENTRIES_MAX {
            return Err(unreadable(name, format!("it has more than {ENTRIES_MAX} entries")));
        }
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let Ok(file_name) = entry.file_name().into_string() else { continue };
            let kind = entry.file_type().map_err(|error| unreadable(name, error))?;
            let path = format!("{name}/{file_name}");
            if file_name.starts_with('.') || file_name == "node_modules" || kind.is_symlink() {
                continue;
            }
            if kind.is_dir() {
                self.walk(&entry.path(), &path, depth)?;
            } else if is_source(&file_name) && path != ENTRY && !self.is_full() {
                let text = self.read_file(&entry.path(), &path)?;
                self.take(path, text);
            }
        }
        Ok(())
    }

    /// Reads no more than shows that a file is too long. Never waits for a pipe, nor reads a device.
    fn read_file(&self, path: &Path, name: &str) -> Result<String, CommandError> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let unopened = |error| match error {
            // What opening a socket says.
            Errno::NXIO => unreadable(name, NO_FILE),
            other => unreadable(name, io::Error::from(other)),
        };
        let file = rustix::fs::open(path, flags, Mode::empty()).map_err(unopened)?;
        let file = fs::File::from(file);
        if !file.metadata().map_err(|error| unreadable(name, error))?.is_file() {
            return Err(unreadable(name, NO_FILE));
        }
        let most = u64::try_from(self.limits.file_max_bytes).unwrap_or(u64::MAX).saturating_add(1);
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes).map_err(|error| unreadable(name, error))?;
        let cut = u64::try_from(bytes.len()).is_ok_and(|read| read == most);
        String::from_utf8(bytes).or_else(|error| {
            // Where reading stopped inside a letter, what stands before it is text.
            let whole = error.utf8_error();
            let (end, is_end) = (whole.valid_up_to(), whole.error_len().is_none());
            let mut bytes = error.into_bytes();
            bytes.truncate(end);
            String::from_utf8(bytes)
                .ok()
                .filter(|_| cut && is_end)
                .map(|text| text + "\u{fffd}")
                .ok_or_else(|| not_text(name))
        })
    }
}

fn unreadable(name: &str, why: impl std::fmt::Display) -> CommandError {
    CommandError::new(Exit::Unreachable, "FILE_UNREADABLE", format!("{name} can't be read: {why}"))
}

/// The failure of a file that is no text.
pub(crate) fn not_text(name: &str) -> CommandError {
    CommandError::new(Exit::Wrong, "FILE_NOT_TEXT", format!("{name} is no UTF-8 text"))
}
