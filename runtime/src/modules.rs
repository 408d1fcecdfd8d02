//! Which modules exist: the authoring package, and the files of the build below `product/`. Nothing else can be named.

use crate::lower::sites::PACKAGE;
use std::collections::BTreeMap;
use svc_engine::diagnostic::{Code, Diagnostic};

/// The file every product begins with.
pub const ENTRY: &str = "product/product.config.ts";
/// The folder that holds a product's files.
const ROOT: &str = "product/";
/// Endings that an import may leave out, in the order they are tried.
const ENDINGS: &[&str] = &["", ".ts", ".js", "/index.ts", "/index.js"];

/// The sources of one build: path to text.
pub type Sources = BTreeMap<String, String>;

/// What a build takes at most. Every limit is a named default that a host may lower or raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SourceLimits {
    /// Bytes of one file.
    pub file_max_bytes: usize,
    /// Bytes of all files.
    pub total_max_bytes: usize,
    /// Number of files.
    pub files_max: usize,
}

impl Default for SourceLimits {
    fn default() -> Self {
        SourceLimits { file_max_bytes: 1 << 20, total_max_bytes: 8 << 20, files_max: 256 }
    }
}

/// Why a specifier names no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolveError {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// The module that `specifier` names inside `referrer`: the package's specifier, or a path of the build.
pub(crate) fn resolve(specifier: &str, referrer: &str, exists: impl Fn(&str) -> bool) -> Result<String, ResolveError> {
    if specifier == PACKAGE {
        return Ok(PACKAGE.to_owned());
    }
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return Err(ResolveError {
            code: Code::ImportNotAllowed,
            message: format!(
                "{specifier:?} can't be imported; a product imports {PACKAGE:?} and files inside `product/`"
            ),
            hint: Some("a relative import begins with \"./\"".to_owned()),
        });
    }
    let folder = referrer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = normalize(folder, specifier).filter(|path| path.starts_with(ROOT)).ok_or_else(|| ResolveError {
        code: Code::ImportNotAllowed,
        message: format!("{specifier:?} leads out of `product/`"),
        hint: None,
    })?;
    let found = ENDINGS.iter().map(|ending| format!("{path}{ending}")).find(|candidate| exists(candidate));
    // TypeScript's own way of naming a `.ts` file by its compiled name.
    let found = found
        .or_else(|| path.strip_suffix(".js").map(|stem| format!("{stem}.ts")).filter(|candidate| exists(candidate)));
    found.ok_or_else(|| ResolveError {
        code: Code::ImportNotFound,
        message: format!("{specifier:?} names no file; `{path}` is not there"),
        hint: None,
    })
}

fn normalize(folder: &str, specifier: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in specifier.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            "" => return None,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Checks the files' names, sizes and number, and that the entry is there. Reports all that is wrong.
pub(crate) fn check(sources: &Sources, limits: &SourceLimits) -> Result<(), Vec<Diagnostic>> {
    let SourceLimits { file_max_bytes, total_max_bytes, files_max } = *limits;
    let mut problems: Vec<Diagnostic> = sources
        .keys()
        .filter_map(|path| check_path(path))
        .map(|why| Diagnostic::new(Code::FileNotAllowed, why))
        .collect();
    let too_large = |message: String| Diagnostic::new(Code::SourceTooLarge, message);
    if sources.len() > files_max {
        problems.push(too_large(format!("the build has {} files; at most {files_max} are taken", sources.len())));
    }
    for (path, text) in sources.iter().filter(|(_, text)| text.len() > file_max_bytes) {
        problems.push(too_large(format!("`{path}` has {} bytes; at most {file_max_bytes} are taken", text.len())));
    }
    let total = sources.values().map(String::len).fold(0, usize::saturating_add);
    if total > total_max_bytes {
        problems.push(too_large(format!("the files have {total} bytes together; at most {total_max_bytes} are taken")));
    }
    if !sources.contains_key(ENTRY) {
        let diagnostic = Diagnostic::new(Code::EntryMissing, format!("there is no `{ENTRY}`"));
        problems.push(diagnostic.with_hint("`svc init` writes one"));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Why a file can't be part of a build, if it can't.
fn check_path(path: &str) -> Option<String> {
    let plain =
        path.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && part.chars().all(is_path_char));
    let ending = [".ts", ".js", ".json"].iter().any(|ending| path.ends_with(ending)) && !path.ends_with(".d.ts");
    match (path.starts_with(ROOT), plain, ending) {
        (false, _, _) => Some(format!("`{path}` is not below `product/`")),
        (_, false, _) => Some(format!("`{path}` is no plain path of letters, digits, `_`, `-`, `.` and `/`")),
        (_, _, false) => Some(format!("`{path}` ends neither in `.ts`, `.js` nor `.json`")),
        _ => None,
    }
}

fn is_path_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(specifier: &str) -> Result<String, Code> {
        let files = [ENTRY, "product/prices.ts", "product/lib/index.ts", "product/data.json", "product/plain.js"];
        resolve(specifier, ENTRY, |path| files.contains(&path)).map_err(|error| error.code)
    }

    #[test]
    fn relative_imports_find_files_of_the_build() {
        for (specifier, path) in [
            ("./prices", "product/prices.ts"),
            ("./prices.ts", "product/prices.ts"),
            ("./prices.js", "product/prices.ts"),
            ("./lib", "product/lib/index.ts"),
            ("./lib/../data.json", "product/data.json"),
            ("./plain", "product/plain.js"),
            ("@svc/product", "@svc/product"),
        ] {
            assert_eq!(resolved(specifier).as_deref(), Ok(path), "{specifier}");
        }
    }

    #[test]
    fn nothing_else_can_be_named() {
        for specifier in [
            "node:fs",
            "fs",
            "/etc/passwd",
            "file:///etc/passwd",
            "https://example.com/a.ts",
            "ext:core/mod.js",
            "@svc/product/registry",
            "@svc/internal/helpers/decorate",
            "data:text/javascript,1",
            "../package.json",
            "../../x",
            "./a//b",
            "..",
            "",
        ] {
            assert_eq!(resolved(specifier), Err(Code::ImportNotAllowed), "{specifier}");
        }
        assert_eq!(resolved("./missing"), Err(Code::ImportNotFound));
    }

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
    }
}
