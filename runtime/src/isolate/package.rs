//! The authoring package as the isolate loads it: lowered from `js-shim/product/src` once, by the test below, and kept beside this
//! file, so that no worker spends its start on it. `GOLDEN=write cargo test -p svc-runtime` writes it anew; the test fails where it
//! is not what the sources lower to.

/// Where the package's files are said to lie. They reach each other by relative imports, like an author's files.
pub(crate) const FOLDER: &str = "product/@svc";

/// The package's files and their JavaScript.
pub(crate) const LOWERED: &[(&str, &str)] = &[
    ("checks.ts", include_str!("package/checks.js")),
    ("copy.ts", include_str!("package/copy.js")),
    ("decorators.ts", include_str!("package/decorators.js")),
    ("dialect.ts", include_str!("package/dialect.js")),
    ("drafts.ts", include_str!("package/drafts.js")),
    ("helpers.ts", include_str!("package/helpers.js")),
    ("index.ts", include_str!("package/index.js")),
    ("options.ts", include_str!("package/options.js")),
    ("primordials.ts", include_str!("package/primordials.js")),
    ("registry.ts", include_str!("package/registry.js")),
];

/// The names that the package exports, as its index says.
pub(crate) fn exports() -> Vec<&'static str> {
    let index = LOWERED.iter().find(|(file, _)| *file == "index.ts").map(|(_, code)| *code).unwrap_or_default();
    let lists = index.lines().filter_map(|line| line.strip_prefix("export { ")?.split_once(" } from "));
    lists.flat_map(|(names, _)| names.split(", ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_says_what_the_package_exports() {
        let exports = exports();
        assert!(
            ["Plan", "Product", "svc", "topUp", "ProductError"].iter().all(|name| exports.contains(name)),
            "{exports:?}"
        );
        assert!(exports.iter().all(|name| name.chars().all(char::is_alphanumeric)), "{exports:?}");
    }
    use crate::lower::{self, Effort};
    use crate::modules::Files;
    use std::path::Path;

    #[test]
    fn what_is_kept_is_what_the_sources_lower_to() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sources = root.join("../js-shim/product/src");
        let count = std::fs::read_dir(&sources).unwrap().count();
        assert_eq!(count, LOWERED.len(), "a file of the package is not listed");
        let paths: Vec<String> = LOWERED.iter().map(|(file, _)| format!("{FOLDER}/{file}")).collect();
        let files = Files::new(paths.iter().map(String::as_str));
        for (file, kept) in LOWERED {
            let text = std::fs::read_to_string(sources.join(file)).unwrap();
            let lowered = lower::lower(&format!("{FOLDER}/{file}"), &text, &files, &Effort::default()).unwrap().code;
            if std::env::var("GOLDEN").as_deref() == Ok("write") {
                let name = file.replace(".ts", ".js");
                std::fs::write(root.join("src/isolate/package").join(name), lowered).unwrap();
            } else {
                assert!(lowered == *kept, "{file} has changed: run `GOLDEN=write cargo test -p svc-runtime`");
            }
        }
    }
}
