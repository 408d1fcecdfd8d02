//! Files that hold tokens: their owner alone reads them, and nobody finds half of one.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// What the owner alone may do with a file.
const FILE_MODE: u32 = 0o600;
/// What the owner alone may do with a folder.
const FOLDER_MODE: u32 = 0o700;

/// Writes a file, beside it first; its folder is made where it is not there.
///
/// # Errors
/// Where it can't be written; what was there is left as it was.
pub(crate) fn put(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder)?;
    }
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let beside = file.with_file_name(name);
    let written = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(&beside).and_then(|mut new| {
        new.write_all(text.as_bytes())?;
        new.sync_all()?;
        fs::rename(&beside, file)
    });
    if written.is_err() {
        let _nothing_was_there = fs::remove_file(&beside);
    }
    written
}
