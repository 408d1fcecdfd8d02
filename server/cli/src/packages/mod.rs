//! `svc packages`: the npm packages that this program carries, written as tarballs, so that a project needs them on no registry.

mod archive;
mod carried;

use crate::global::Exit;
use crate::output::{CommandError, Output};
use clap::Args;
use serde_json::{Value as Json, json};
use std::io;
use std::path::{Path, PathBuf};

/// Where a project keeps the tarballs.
pub(crate) const FOLDER: &str = ".svc/packages";
/// The version of the program and of all packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The members of a project's manifest that name what it needs.
const NEEDS: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/// Arguments of `svc packages`.
#[derive(Args, Debug)]
pub(crate) struct PackagesArgs {
    /// The project's folder.
    #[arg(default_value = ".")]
    dir: PathBuf,
}

/// Writes the tarballs, and says what of the project is of another version.
pub(crate) fn run(args: &PackagesArgs, output: &Output) -> Exit {
    match attempt(&args.dir) {
        Ok(written) => {
            let human = written.join("\n");
            output.done("packages", &human, json!({ "version": VERSION, "files": written }))
        }
        Err(failure) => output.failed("packages", failure, &[]),
    }
}

fn attempt(dir: &Path) -> Result<Vec<String>, CommandError> {
    let written = write(dir)?;
    let strays = strays(dir)?;
    if strays.is_empty() {
        return Ok(written);
    }
    let list: Vec<String> = strays.iter().map(|(name, what)| format!("{name} is {what}")).collect();
    let mut names: Vec<&str> = strays.iter().map(|(name, _)| *name).collect();
    names.dedup();
    let files: Vec<String> = names.iter().map(|name| format!("./{FOLDER}/{}", file_name(name))).collect();
    let message =
        format!("the packages of {} are not in lockstep with svc {VERSION}: {}", dir.display(), list.join(", "));
    let hint =
        format!("the tarballs of {VERSION} were written; in {} run `npm install {}`", dir.display(), files.join(" "));
    Err(CommandError::new(Exit::Wrong, "OUT_OF_LOCKSTEP", message).with_hint(hint))
}

/// Writes all tarballs into a project, in place of those that are there. Answers their paths.
///
/// # Errors
/// `FILE_NOT_WRITTEN`.
pub(crate) fn write(dir: &Path) -> Result<Vec<String>, CommandError> {
    let folder = dir.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(|error| unwritten(&folder, &error))?;
    let mut written = Vec::new();
    for (name, files) in carried::FILES {
        let file = folder.join(file_name(name));
        let packed = archive::pack(files).map_err(|path| {
            CommandError::new(Exit::Unreachable, "PACKAGE_FORM", format!("{name} can't be packed: {}", path.0))
        })?;
        std::fs::write(&file, packed).map_err(|error| unwritten(&file, &error))?;
        written.push(file.display().to_string());
    }
    Ok(written)
}

/// The failure of a file that can't be written.
pub(crate) fn unwritten(file: &Path, error: &io::Error) -> CommandError {
    CommandError::new(Exit::Unreachable, "FILE_NOT_WRITTEN", format!("{} can't be written: {error}", file.display()))
}

/// How a project refers to a package.
pub(crate) fn reference(name: &str) -> String {
    format!("file:{FOLDER}/{}", file_name(name))
}

/// A package's tarball, named as npm names it.
fn file_name(name: &str) -> String {
    format!("{}-{VERSION}.tgz", name.trim_start_matches('@').replace('/', "-"))
}

/// What of ours a project asks for, or has installed, that is not of this version: the package, and what it is instead.
fn strays(dir: &Path) -> Result<Vec<(&'static str, String)>, CommandError> {
    let Some(manifest) = read_json(&dir.join("package.json"))? else { return Ok(Vec::new()) };
    let mut strays = Vec::new();
    for (name, _) in carried::FILES {
        let asked = NEEDS.iter().filter_map(|member| manifest.get(member)?.get(name)?.as_str());
        for spec in asked.filter(|spec| !fits(spec, name)) {
            strays.push((*name, format!("{spec} in package.json")));
        }
        let installed = read_json(&dir.join("node_modules").join(name).join("package.json"))?;
        let version = installed.as_ref().and_then(|json| json.get("version")?.as_str());
        if let Some(version) = version.filter(|version| *version != VERSION) {
            strays.push((*name, format!("{version} in node_modules")));
        }
    }
    Ok(strays)
}

/// Whether what a project asks for is this version: its tarball, or the version itself.
fn fits(spec: &str, name: &str) -> bool {
    let path = spec.strip_prefix("file:").map(|path| path.trim_start_matches("./"));
    spec == VERSION || path == Some(&format!("{FOLDER}/{}", file_name(name)))
}

/// A JSON file; nothing where there is none.
fn read_json(file: &Path) -> Result<Option<Json>, CommandError> {
    let unread = |error: &dyn std::fmt::Display| {
        CommandError::new(Exit::Unreachable, "FILE_NOT_READ", format!("{} can't be read: {error}", file.display()))
    };
    match std::fs::read(file) {
        Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|error| unread(&error)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(unread(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_packages_are_of_this_version_and_fit_their_archive() {
        for (name, files) in carried::FILES {
            let (_, manifest) = files.iter().find(|(path, _)| *path == "package.json").unwrap();
            let manifest: Json = serde_json::from_str(manifest).unwrap();
            assert_eq!((&manifest["name"], &manifest["version"]), (&json!(name), &json!(VERSION)));
            assert!(archive::pack(files).is_ok());
            for (_, entry) in manifest["exports"].as_object().unwrap() {
                let file = entry.get("default").unwrap_or(entry).as_str().unwrap().trim_start_matches("./");
                assert!(files.iter().any(|(path, _)| *path == file), "{name} exports {file}");
            }
        }
    }

    #[test]
    fn a_version_and_its_tarball_fit() {
        assert!(fits(VERSION, "@svc/product") && fits(&reference("@svc/product"), "@svc/product"));
        assert!(fits(&format!("file:./{FOLDER}/svc-product-{VERSION}.tgz"), "@svc/product"));
        for other in ["^0.1.0", "*", "9.0.0", "file:../x.tgz", &reference("@svc/backend")] {
            assert!(!fits(other, "@svc/product"), "{other}");
        }
    }
}
