//! The files of a build: their names, sizes and number. The same check stands in front of the hosted queue and in the worker, so what
//! builds on the author's machine is taken by the service, and the other way round.

use crate::diagnostic::{Code, Diagnostic, PATH_MAX_BYTES};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The file every product begins with.
pub const ENTRY: &str = "product/product.config.ts";
/// The folder that holds a product's files.
pub const ROOT: &str = "product/";
/// Most problems that are told of file names and sizes. The check stops there.
pub const PROBLEMS_MAX: usize = 100;
/// Most of a bad path that a message repeats, in characters.
const PATH_SHOWN_CHARS: usize = 100;

/// The sources of one build: path to text.
pub type Sources = BTreeMap<String, String>;

/// What a build takes at most. Every limit is a named default that a host may lower or raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLimits {
    /// Size of one file, in bytes as JSON writes it: a line feed takes two. So a request body of one bound holds every build.
    pub file_max_bytes: usize,
    /// Size of all files, counted likewise.
    pub total_max_bytes: usize,
    /// Number of files.
    pub files_max: usize,
}

impl Default for SourceLimits {
    fn default() -> Self {
        SourceLimits { file_max_bytes: 1 << 20, total_max_bytes: 8 << 20, files_max: 256 }
    }
}

/// Checks the files' names, sizes and number, and that the entry is there. Linear in the sources.
///
/// # Errors
/// The first [`PROBLEMS_MAX`] problems.
pub fn check(sources: &Sources, limits: &SourceLimits) -> Result<(), Vec<Diagnostic>> {
    let SourceLimits { file_max_bytes, total_max_bytes, files_max } = *limits;
    let mut problems = Vec::new();
    let too_large = |message: String| Diagnostic::new(Code::SourceTooLarge, message);
    if sources.len() > files_max {
        problems.push(too_large(format!("the build has more than {files_max} files")));
    }
    if !sources.contains_key(ENTRY) {
        let diagnostic = Diagnostic::new(Code::EntryMissing, format!("there is no `{ENTRY}`"));
        problems.push(diagnostic.with_hint("`svc init` writes one"));
    }
    let mut total = 0_usize;
    for (path, text) in sources {
        let size = json_len(text);
        total = total.saturating_add(size);
        if problems.len() >= PROBLEMS_MAX {
            break;
        }
        problems.extend(check_path(path).map(|why| Diagnostic::new(Code::FileNotAllowed, why)));
        if text.contains('\0') {
            let message = format!("`{}` holds the character U+0000", shown(path));
            problems.push(Diagnostic::new(Code::FileNotAllowed, message));
        }
        if size > file_max_bytes {
            let message = format!("`{}` has more than {file_max_bytes} bytes", shown(path));
            problems.push(too_large(message));
        }
    }
    if total > total_max_bytes {
        problems.push(too_large(format!("the files have more than {total_max_bytes} bytes together")));
    }
    problems.truncate(PROBLEMS_MAX);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The bytes that a text takes inside a JSON string.
fn json_len(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..=0x1f => 6,
        _ => 1,
    };
    text.bytes().map(escaped).fold(0, usize::saturating_add)
}

/// Why a file can't be part of a build, if it can't.
pub fn check_path(path: &str) -> Option<String> {
    if path.len() > PATH_MAX_BYTES {
        return Some(format!("`{}` is longer than {PATH_MAX_BYTES} bytes", shown(path)));
    }
    let plain =
        path.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && part.chars().all(is_path_char));
    match (path.starts_with(ROOT), plain, is_source(path)) {
        (false, _, _) => Some(format!("`{}` is not below `product/`", shown(path))),
        (_, false, _) => Some(format!("`{}` is no plain path of letters, digits, `_`, `-`, `.` and `/`", shown(path))),
        (_, _, false) => Some(format!("`{}` ends neither in `.ts`, `.js` nor `.json`", shown(path))),
        _ => None,
    }
}

/// Whether a file of this name is one that a build takes.
pub fn is_source(name: &str) -> bool {
    [".ts", ".js", ".json"].iter().any(|ending| name.ends_with(ending)) && !name.ends_with(".d.ts")
}

/// A path, or its beginning where it is long.
fn shown(path: &str) -> String {
    match path.char_indices().nth(PATH_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", path.get(..end).unwrap_or_default()),
        None => path.to_owned(),
    }
}

fn is_path_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain() {
        assert_eq!(check_path(ENTRY), None);
        for path in [
            "product.config.ts",
            "product/../x.ts",
            "product/.env",
            "product/a b.ts",
            "product/a.wasm",
            "product//a.ts",
            "/product/a.ts",
            "product/types.d.ts",
        ] {
            assert!(check_path(path).is_some(), "{path}");
        }
        assert!(check_path(&format!("product/{}.ts", "a".repeat(PATH_MAX_BYTES))).unwrap().len() < 200);
    }

    #[test]
    fn many_bad_names_are_told_up_to_a_bound() {
        let sources: Sources = (0..10_000).map(|index| (format!("bad {index}"), String::new())).collect();
        assert_eq!(check(&sources, &SourceLimits::default()).unwrap_err().len(), PROBLEMS_MAX);
    }

    #[test]
    fn a_file_is_as_large_as_json_writes_it() {
        for text in ["plain", "\n\r\t\"\\", "\u{1}\u{8}\u{c}\u{1f}", "é😀\u{2028}"] {
            assert_eq!(json_len(text) + 2, serde_json::to_string(text).unwrap().len(), "{text:?}");
        }
        let lines = |count: usize| Sources::from([(ENTRY.to_owned(), "\n".repeat(count))]);
        assert!(check(&lines(1 << 19), &SourceLimits::default()).is_ok());
        assert!(check(&lines((1 << 19) + 1), &SourceLimits::default()).is_err());
    }

    #[test]
    fn the_character_nul_is_refused_by_name() {
        let sources = Sources::from([(ENTRY.to_owned(), "// \0".to_owned())]);
        let problems = check(&sources, &SourceLimits::default()).unwrap_err();
        assert!(problems[0].message.contains("U+0000"), "{problems:?}");
    }
}
