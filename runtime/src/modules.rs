//! Which modules exist: the authoring package, and the files of the build below `product/`. Nothing else can be named.

use crate::lower::sites::PACKAGE;
use svc_engine::diagnostic::Code;
use svc_engine::sources::ROOT;

/// Endings that an import may leave out, in the order they are tried.
const ENDINGS: &[&str] = &["", ".ts", ".js", "/index.ts", "/index.js"];

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

#[cfg(test)]
mod tests {
    use super::*;
    use svc_engine::sources::ENTRY;

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
}
