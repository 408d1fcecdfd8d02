//! Cases as files: a folder of products, each a file or a folder.

use std::fs;
use std::path::Path;
use svc_runtime::modules::{ENTRY, Sources};

/// One product to build.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its file's name without the ending.
    pub name: String,
    /// Its files.
    pub sources: Sources,
}

impl Case {
    /// The text of `product/product.config.ts`.
    pub fn entry(&self) -> &str {
        self.sources.get(ENTRY).map_or("", String::as_str)
    }
}

/// Every case of a folder below `tests/`, by name.
pub fn cases(folder: &str) -> Vec<Case> {
    let folder = crate::program::root().join("tests").join(folder);
    let mut cases: Vec<Case> =
        fs::read_dir(&folder).unwrap().filter_map(|entry| case(&entry.unwrap().path())).collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!cases.is_empty(), "{} holds no case", folder.display());
    cases
}

fn case(path: &Path) -> Option<Case> {
    let file_name = path.file_name().unwrap().to_str().unwrap();
    if path.is_dir() {
        let mut sources = Sources::new();
        read_folder(path, "", &mut sources);
        return Some(Case { name: file_name.to_owned(), sources });
    }
    if let Some(name) = file_name.strip_suffix(".gen.json") {
        return Some(Case { name: name.to_owned(), sources: generate(path) });
    }
    let name = file_name.strip_suffix(".ts")?;
    let text = fs::read_to_string(path).unwrap();
    Some(Case { name: name.to_owned(), sources: Sources::from([(ENTRY.to_owned(), text)]) })
}

fn read_folder(folder: &Path, prefix: &str, sources: &mut Sources) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            read_folder(&entry.path(), &format!("{name}/"), sources);
        } else {
            sources.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
}

/// Files too large or too many to keep: `{ "files": { path: [{ "text": … }, { "repeat": …, "times": n }] } }`. The
/// expectation is put at the end of the entry, as the other cases have it.
fn generate(path: &Path) -> Sources {
    let recipe: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let files = recipe["files"].as_object().unwrap();
    let mut sources: Sources = files.iter().map(|(path, parts)| (path.clone(), assemble(parts))).collect();
    if let Some(expected) = recipe["expect"].as_str() {
        sources.entry(ENTRY.to_owned()).and_modify(|text| text.push_str(&format!("\n//= {expected}\n")));
    }
    sources
}

fn assemble(parts: &serde_json::Value) -> String {
    let part = |part: &serde_json::Value| match part["repeat"].as_str() {
        Some(text) => text.repeat(usize::try_from(part["times"].as_u64().unwrap()).unwrap()),
        None => part["text"].as_str().unwrap().to_owned(),
    };
    parts.as_array().unwrap().iter().map(part).collect()
}
