//! Which modules exist: the authoring package, and the files of the build below `product/`. Nothing else can be named. Whoever names
//! something else by mistake is told what they may have meant.

use crate::lower::sites::{PACKAGE, TESTING};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use svc_engine::diagnostic::Code;
use svc_engine::rules::suggest;
use svc_engine::sources::ROOT;

/// Endings that an import may leave out, in the order they are tried.
const ENDINGS: &[&str] = &["", ".ts", ".js", "/index.ts", "/index.js"];
/// Endings of modules that other tools know and a product does not have.
const OTHER_ENDINGS: &[&str] = &[".mts", ".cts", ".tsx", ".jsx", ".mjs", ".cjs", ".d.ts"];
/// What is said where nothing closer is known.
const WHAT_THERE_IS: &str = "a product's files end in `.ts`, `.js` or `.json` and lie below `product/`; `.d.ts` files, hidden files and links are not part of a build";

/// The files of a build, by their paths.
pub(crate) struct Files<'s> {
    paths: BTreeSet<&'s str>,
    /// The same in small letters; for help alone.
    small: OnceCell<HashMap<String, &'s str>>,
}

impl<'s> Files<'s> {
    pub(crate) fn new(paths: impl IntoIterator<Item = &'s str>) -> Self {
        Files { paths: paths.into_iter().collect(), small: OnceCell::new() }
    }

    fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// The file of this path in other letters.
    fn in_other_letters(&self, path: &str) -> Option<&'s str> {
        let small = || self.paths.iter().map(|path| (path.to_lowercase(), *path)).collect();
        self.small.get_or_init(small).get(&path.to_lowercase()).copied()
    }

    fn has_folder(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        self.paths.range(inside.as_str()..).next().is_some_and(|first| first.starts_with(&inside))
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
pub(crate) fn resolve(specifier: &str, referrer: &str, files: &Files<'_>) -> Result<String, ResolveError> {
    if specifier == PACKAGE {
        return Ok(PACKAGE.to_owned());
    }
    if specifier == TESTING && referrer.ends_with(".test.ts") {
        return Ok(TESTING.to_owned());
    }
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return Err(ResolveError {
            code: Code::ImportNotAllowed,
            message: format!(
                "{specifier:?} can't be imported; a product imports {PACKAGE:?} and files inside `product/`"
            ),
            hint: Some(match specifier {
                TESTING => "only files that end in `.test.ts` import it; `svc test` runs them".to_owned(),
                _ => "a relative import begins with \"./\"".to_owned(),
            }),
        });
    }
    let path = path_of(specifier, referrer).ok_or_else(|| ResolveError {
        code: Code::ImportNotAllowed,
        message: format!("{specifier:?} leads out of `product/`"),
        hint: None,
    })?;
    let found = ENDINGS.iter().map(|ending| format!("{path}{ending}")).find(|candidate| files.has(candidate));
    // TypeScript's own way of naming a `.ts` file by its compiled name.
    let found = found
        .or_else(|| path.strip_suffix(".js").map(|stem| format!("{stem}.ts")).filter(|candidate| files.has(candidate)));
    found.ok_or_else(|| ResolveError {
        code: Code::ImportNotFound,
        message: format!("{specifier:?} names no file; `{path}` is not there"),
        hint: Some(WHAT_THERE_IS.to_owned()),
    })
}

/// What an author who wrote a specifier that names no module may have meant.
pub(crate) fn help(specifier: &str, referrer: &str, files: &Files<'_>) -> Option<String> {
    if matches!(specifier.trim_end_matches('/'), "." | "..") {
        return Some(format!("write \"{}/index\"", specifier.trim_end_matches('/')));
    }
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return None;
    }
    if let Some(folder) = specifier.strip_suffix('/') {
        return Some(format!(
            "a folder is named without the `/`, as {folder:?}, or by its file, as \"{folder}/index\""
        ));
    }
    let path = path_of(specifier, referrer)?;
    if let Some(ending) = OTHER_ENDINGS.iter().find(|ending| path.ends_with(**ending)) {
        return Some(format!("a product's files end in `.ts`, `.js` or `.json`, not in `{ending}`; rename the file"));
    }
    if path.split('/').any(|part| part.starts_with('.')) {
        return Some("hidden files, whose names begin with `.`, are not part of a build; rename the file".to_owned());
    }
    let in_other_letters = ENDINGS.iter().find_map(|ending| files.in_other_letters(&format!("{path}{ending}")));
    if let Some(other) = in_other_letters {
        let meant = specifier_of(other, referrer, specifier);
        return Some(format!("did you mean {meant:?}? Capital and small letters count"));
    }
    if files.has_folder(&path) {
        return Some(format!("`{path}` is a folder without an `index.ts`; name a file in it"));
    }
    // By what would be written here, so that the folders they share don't make names alike.
    let written: Vec<String> = files.paths.iter().map(|path| specifier_of(path, referrer, specifier)).collect();
    let plain = |specifier: &str| specifier.trim_start_matches("./").to_owned();
    let names: Vec<String> = written.iter().map(|written| plain(written)).collect();
    let near = suggest::nearest(&plain(specifier), names.iter().map(String::as_str))?;
    Some(format!("did you mean \"{}{near}\"?", if near.starts_with("../") { "" } else { "./" }))
}

fn without_ending(path: &str) -> &str {
    path.strip_suffix(".ts").or_else(|| path.strip_suffix(".js")).unwrap_or(path)
}

/// How `referrer` names a path of the build, with an ending where `like` has one.
fn specifier_of(path: &str, referrer: &str, like: &str) -> String {
    let path = if like.ends_with(".ts") || like.ends_with(".js") { path } else { without_ending(path) };
    let folder = referrer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut from, mut to) = (folder.split('/').peekable(), path.split('/').peekable());
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let up = "../".repeat(from.count());
    let down: Vec<&str> = to.collect();
    format!("{}{}", if up.is_empty() { "./" } else { &up }, down.join("/"))
}

/// The path that a relative specifier leads to, where it stays in the product.
fn path_of(specifier: &str, referrer: &str) -> Option<String> {
    let folder = referrer.rsplit_once('/').map_or("", |(folder, _)| folder);
    normalize(folder, specifier).filter(|path| path.starts_with(ROOT))
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

#[cfg(test)]
mod tests {
    use super::*;
    use svc_engine::sources::ENTRY;

    const FILES: [&str; 6] = [
        ENTRY,
        "product/prices.ts",
        "product/lib/index.ts",
        "product/data.json",
        "product/plain.js",
        "product/lib/Rates.ts",
    ];

    fn resolved(specifier: &str) -> Result<String, Code> {
        resolve(specifier, ENTRY, &Files::new(FILES)).map_err(|error| error.code)
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
    fn whoever_names_no_file_is_told_what_they_may_have_meant() {
        let told = |specifier: &str, referrer: &str| help(specifier, referrer, &Files::new(FILES)).unwrap_or_default();
        for (specifier, hint) in [
            (".", "\"./index\""),
            ("..", "\"../index\""),
            ("./", "\"./index\""),
            ("./lib/", "\"./lib/index\""),
            ("./Prices", "\"./prices\""),
            ("./PRICES.TS", "\"./prices\""),
            ("./price.ts", "\"./prices.ts\""),
            ("./DATA.json", "\"./data.json\""),
            ("./Lib", "\"./lib/index\""),
            ("./lib/rates", "\"./lib/Rates\""),
            ("./prices.mts", "`.mts`"),
            ("./prices.tsx", "`.tsx`"),
            ("./prices.d.ts", "`.d.ts`"),
            ("./.prices", "hidden"),
        ] {
            assert!(told(specifier, ENTRY).contains(hint), "{specifier}: {}", told(specifier, ENTRY));
        }
        assert!(told("./prices", "product/lib/Rates.ts").is_empty());
        assert!(told("../price", "product/lib/Rates.ts").contains("\"../prices\""));
        assert!(told("node:fs", ENTRY).is_empty());
    }
}
