//! Reads a product's files from disk.

use crate::global::Exit;
use crate::output::CommandError;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use svc_engine::sources::{SourceLimits, Sources};

/// How deep folders may nest below `product/`.
const FOLDERS_DEEP_MAX: usize = 32;

/// Every `.ts`, `.js` and `.json` file below `dir/product`, hidden ones and `node_modules` left out.
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
    let mut sources = Sources::new();
    walk(&root, "product", FOLDERS_DEEP_MAX, &mut sources)?;
    Ok(sources)
}

fn walk(folder: &Path, name: &str, depth: usize, sources: &mut Sources) -> Result<(), CommandError> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(CommandError::new(Exit::Unreachable, "FILE_UNREADABLE", format!("{name} nests too deep")));
    };
    let unreadable = |error: io::Error| {
        CommandError::new(Exit::Unreachable, "FILE_UNREADABLE", format!("{name} can't be read: {error}"))
    };
    let mut entries = fs::read_dir(folder).map_err(unreadable)?.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Ok(file_name) = entry.file_name().into_string() else { continue };
        let kind = entry.file_type().map_err(unreadable)?;
        let path = format!("{name}/{file_name}");
        if file_name.starts_with('.') || file_name == "node_modules" || kind.is_symlink() {
            continue;
        }
        if kind.is_dir() {
            walk(&entry.path(), &path, depth, sources)?;
        } else if is_source(&file_name) {
            let text = read_file(&entry.path(), &path)?;
            sources.insert(path, text);
        }
    }
    Ok(())
}

fn is_source(name: &str) -> bool {
    [".ts", ".js", ".json"].iter().any(|ending| name.ends_with(ending)) && !name.ends_with(".d.ts")
}

/// Reads no more than shows that a file is too long.
fn read_file(path: &Path, name: &str) -> Result<String, CommandError> {
    let most = u64::try_from(SourceLimits::default().file_max_bytes).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| {
        CommandError::new(Exit::Unreachable, "FILE_UNREADABLE", format!("{name} can't be read: {error}"))
    })?;
    String::from_utf8(bytes)
        .map_err(|_| CommandError::new(Exit::Wrong, "FILE_NOT_TEXT", format!("{name} is no UTF-8 text")))
}
