//! Reads a product's files from a commit of a git repository on this machine, bare or not, by the program `git`: what stands in the
//! commit, whatever lies in the folder.

use crate::git::git;
use crate::global::Exit;
use crate::output::CommandError;
use crate::sources::not_text;
use std::path::Path;
use svc_engine::sources::{ROOT, SourceLimits, Sources, is_source};

/// A commit's files.
pub(crate) struct Commit {
    /// Its id.
    pub(crate) commit: String,
    /// The product's files, `product/` first.
    pub(crate) files: Sources,
}

/// A file in a commit.
struct Listed<'l> {
    id: &'l str,
    path: &'l str,
}

/// The files of the commit of this name below `product/` of a folder in the repository that `dir` is in.
///
/// # Errors
/// A [`CommandError`] with exit 4 for what git can't find, 1 for what is no text.
pub(crate) fn read(dir: &Path, name: &str, folder: Option<&str>) -> Result<Commit, CommandError> {
    // A name that looks like an option is none.
    let wanted = format!("{name}^{{commit}}");
    let commit = line(&git(dir, &["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted], &[]).map_err(
        |failure| {
            let message = format!("there is no commit {name:?} in the git repository of {}", dir.display());
            CommandError::new(Exit::Unreachable, "COMMIT_NOT_FOUND", message).with_hint(failure.message)
        },
    )?);
    let folder = match folder {
        Some(folder) => folder.trim_matches('/').to_owned(),
        None => line(&git(dir, &["rev-parse", "--show-prefix"], &[])?).trim_end_matches('/').to_owned(),
    };
    let prefix = if folder.is_empty() || folder == "." { String::new() } else { format!("{folder}/") };
    let below = format!("{prefix}{ROOT}");
    let listing = git(dir, &["ls-tree", "-r", "-l", "-z", "--full-tree", &commit, "--", &below], &[])?;
    let listing = String::from_utf8_lossy(&listing).into_owned();
    let listed = listed(&listing, &prefix)?;
    let ids: String = listed.iter().map(|file| format!("{}\n", file.id)).collect();
    let objects = git(dir, &["cat-file", "--batch"], ids.as_bytes())?;
    Ok(Commit { commit, files: texts(&listed, &objects)? })
}

/// The files that a build takes: as from a disk, hidden ones, links and `node_modules` left out.
fn listed<'l>(listing: &'l str, prefix: &str) -> Result<Vec<Listed<'l>>, CommandError> {
    let limits = SourceLimits::default();
    let (mut files, mut bytes) = (Vec::new(), 0_usize);
    for entry in listing.split('\0').filter(|entry| !entry.is_empty()) {
        let (words, path) = entry.split_once('\t').unwrap_or((entry, ""));
        let mut words = words.split_whitespace();
        let (Some(mode), Some("blob"), Some(id), Some(size)) = (words.next(), words.next(), words.next(), words.next())
        else {
            continue;
        };
        let Some(path) = path.strip_prefix(prefix) else { continue };
        let is_left_out = path.split('/').any(|part| part.starts_with('.') || part == "node_modules");
        let name = path.rsplit('/').next().unwrap_or(path);
        if mode.starts_with("100") && !is_left_out && is_source(name) {
            bytes = bytes.saturating_add(size.parse().unwrap_or_default());
            files.push(Listed { id, path });
        }
    }
    if files.len() > limits.files_max || bytes > limits.total_max_bytes {
        let message = format!("a build has at most {} files and {} bytes", limits.files_max, limits.total_max_bytes);
        return Err(CommandError::new(Exit::Wrong, "SOURCE_TOO_LARGE", message));
    }
    Ok(files)
}

/// The texts of the files, from what `git cat-file --batch` printed: a line with the size, the bytes, a line feed; for each.
fn texts(listed: &[Listed<'_>], mut objects: &[u8]) -> Result<Sources, CommandError> {
    let broken = || CommandError::new(Exit::Unreachable, "GIT", "git printed something else than its objects");
    let mut files = Sources::new();
    for file in listed {
        let end = objects.iter().position(|byte| *byte == b'\n').ok_or_else(broken)?;
        let (header, rest) = objects.split_at_checked(end).ok_or_else(broken)?;
        let size = String::from_utf8_lossy(header).rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
        let rest = rest.get(1..).ok_or_else(broken)?;
        let (bytes, rest) = size.and_then(|size| rest.split_at_checked(size)).ok_or_else(broken)?;
        let text = String::from_utf8(bytes.to_vec()).map_err(|_| not_text(file.path))?;
        files.insert(file.path.to_owned(), text);
        objects = rest.get(1..).ok_or_else(broken)?;
    }
    Ok(files)
}

fn line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}
