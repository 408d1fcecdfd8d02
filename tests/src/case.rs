//! Cases as files: a folder of products, each a file or a folder.

use std::fs;
use std::path::Path;
use svc_engine::sources::{ENTRY, Sources};

/// One product to build.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its file's name without the ending.
    pub name: String,
    /// Its files.
    pub sources: Sources,
    /// The text that says what is expected: the entry's, as a rule.
    pub expectation: String,
}

impl Case {
    /// A case that says in its entry what is expected.
    pub fn new(name: &str, sources: Sources) -> Case {
        let expectation = sources.get(ENTRY).cloned().unwrap_or_default();
        Case { name: name.to_owned(), sources, expectation }
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
        return Some(Case::new(file_name, sources));
    }
    if let Some(name) = file_name.strip_suffix(".gen.json") {
        return Some(generate(name, path));
    }
    let name = file_name.strip_suffix(".ts")?;
    let text = fs::read_to_string(path).unwrap();
    Some(Case::new(name, Sources::from([(ENTRY.to_owned(), text)])))
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

/// Files too large, too many or too odd to keep: `{ "files": { path: [{ "text": … }, { "repeat": …, "times": n }] }, "expect": … }`.
/// In what is repeated `{#}` is the number of the time, from 0.
/// What is expected is a comment line as in the other cases, in the entry too or nowhere else.
fn generate(name: &str, path: &Path) -> Case {
    let recipe: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let files = recipe["files"].as_object().unwrap();
    let sources: Sources = files.iter().map(|(path, parts)| (path.clone(), assemble(parts))).collect();
    let expected = recipe["expect"].as_str().unwrap();
    let line = if expected.starts_with("//") { expected.to_owned() } else { format!("//= {expected}") };
    let mut case = Case::new(name, sources);
    if !case.expectation.contains(&line) {
        case.expectation = line;
    }
    case
}

fn assemble(parts: &serde_json::Value) -> String {
    let part = |part: &serde_json::Value| match part["repeat"].as_str() {
        Some(text) if text.contains("{#}") => {
            (0..part["times"].as_u64().unwrap()).map(|time| text.replace("{#}", &time.to_string())).collect()
        }
        Some(text) => text.repeat(usize::try_from(part["times"].as_u64().unwrap()).unwrap()),
        None => part["text"].as_str().unwrap().to_owned(),
    };
    parts.as_array().unwrap().iter().map(part).collect()
}
