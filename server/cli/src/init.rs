//! `svc init`.

use crate::global::Exit;
use crate::output::{CommandError, Output};
use crate::packages;
use clap::Args;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file that makes a folder a product's.
const CONFIG: &str = "product/product.config.ts";
/// What npm knows of the project.
const MANIFEST: &str = "package.json";
/// What a new project's folder holds. `{name}`, `{class}` and `{product}` are filled in.
const FILES: &[(&str, &str)] = &[
    (CONFIG, include_str!("init/product.config.ts.txt")),
    ("product/pricing.test.ts", include_str!("init/pricing.test.ts.txt")),
    ("test/product.test.ts", include_str!("init/product.test.ts.txt")),
    (MANIFEST, include_str!("init/package.json.txt")),
    ("tsconfig.json", include_str!("init/tsconfig.json.txt")),
    (".vscode/launch.json", include_str!("init/launch.json.txt")),
    (".gitignore", "node_modules\nproduct-build.json\n.svc/build\n"),
];
/// What a project is called whose folder's name has no letter or digit that a package's name may have.
const NAME_DEFAULT: &str = "my-product";
/// Longest name of a project, in characters; npm takes 214.
const NAME_MAX_CHARS: usize = 100;

/// Arguments of `svc init`.
#[derive(Args, Debug)]
pub(crate) struct InitArgs {
    /// The folder to write into, whose name the project gets; it is made where it is not there.
    #[arg(default_value = ".")]
    dir: PathBuf,
}

/// What became of a project's files.
struct Project {
    written: Vec<String>,
    /// Those that were there before; none is touched.
    kept: Vec<String>,
}

/// Writes the files and the packages.
pub(crate) fn run(args: &InitArgs, output: &Output) -> Exit {
    match attempt(&args.dir) {
        Ok(Project { written, kept }) => {
            for file in &kept {
                output.note(&format!("{file} was there and is left as it is"));
            }
            let human = format!("{}\nnext: {}", written.join("\n"), next(&args.dir, &kept));
            output.done("init", &human, json!({ "files": written, "kept": kept }))
        }
        Err(failure) => output.failed("init", failure, &[]),
    }
}

fn attempt(dir: &Path) -> Result<Project, CommandError> {
    if dir.join(CONFIG).exists() {
        let message = format!("{} has a product already, {CONFIG}; nothing was written", dir.display());
        return Err(CommandError::new(Exit::Refused, "FILE_EXISTS", message));
    }
    std::fs::create_dir_all(dir).map_err(|error| packages::unwritten(dir, &error))?;
    let name = name_of(dir);
    let class = class_of(&name);
    let mut project = Project { written: Vec::new(), kept: Vec::new() };
    for (path, text) in FILES {
        let file = dir.join(path);
        let text = text.replace("{name}", &name).replace("{class}", &class);
        let text = text.replace("{product}", &packages::reference("@svc/product"));
        let list = if write_new(&file, &text)? { &mut project.written } else { &mut project.kept };
        list.push(file.display().to_string());
    }
    project.written.extend(packages::write(dir)?);
    Ok(project)
}

/// What to run next. A manifest that was there names none of what the project needs.
fn next(dir: &Path, kept: &[String]) -> String {
    let go = if dir == Path::new(".") { String::new() } else { format!("cd {} && ", dir.display()) };
    let manifest = dir.join(MANIFEST).display().to_string();
    if kept.contains(&manifest) {
        let product = packages::reference("@svc/product");
        return format!("{go}npm install --save-dev {product} typescript @types/node && npx tsc --noEmit && svc check");
    }
    format!("{go}npm install && npm run check && npm test")
}

/// Writes a file, unless there is one. Answers whether it did.
fn write_new(file: &Path, text: &str) -> Result<bool, CommandError> {
    let unwritten = |error| packages::unwritten(file, &error);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(unwritten)?;
    }
    match std::fs::File::create_new(file) {
        Ok(mut created) => created.write_all(text.as_bytes()).map(|()| true).map_err(unwritten),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(unwritten(error)),
    }
}

/// A folder's name as a package may have it: small letters, digits and hyphens.
fn name_of(dir: &Path) -> String {
    let whole = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let name = whole.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let plain: String = name.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let name: String = words.join("-").chars().take(NAME_MAX_CHARS).collect();
    if name.is_empty() { NAME_DEFAULT.to_owned() } else { name.trim_end_matches('-').to_owned() }
}

/// A project's name as its class has it: `cron-jobs` is `CronJobs`.
fn class_of(name: &str) -> String {
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
    };
    let class: String = name.split('-').map(capital).collect();
    // A class begins with a letter, and is none of the decorators' names.
    let taken = ["Feature", "Meter", "Plan", "Product", "Requests"].contains(&class.as_str());
    if taken || !class.starts_with(|first: char| first.is_ascii_alphabetic()) { format!("My{class}") } else { class }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_names_its_project() {
        for (folder, name, class) in [
            ("/srv/shop", "shop", "Shop"),
            ("/srv/Cron_Jobs 2", "cron-jobs-2", "CronJobs2"),
            ("/srv/.git-ish.", "git-ish", "GitIsh"),
            ("/srv/3d", "3d", "My3d"),
            ("/srv/plan", "plan", "MyPlan"),
            ("/srv/日本", "my-product", "MyProduct"),
            ("/", "my-product", "MyProduct"),
        ] {
            let found = name_of(Path::new(folder));
            assert_eq!((found.as_str(), class_of(&found).as_str()), (name, class), "{folder}");
        }
        assert_eq!(name_of(Path::new(&format!("/srv/{}-x", "a".repeat(99)))).len(), 99);
    }
}
