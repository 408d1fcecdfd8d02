//! The house: which crate may know which, no circle of files, no forgotten test file.

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use svc_tests::program::root;

/// Every crate of the house, with the crates of the house that it may use. ARCHITECTURE.md says why.
const ARROWS: &[(&str, &[&str])] = &[
    ("svc-engine", &[]),
    ("svc-runtime", &["svc-engine"]),
    ("svc-tls", &[]),
    ("svc-trace", &[]),
    ("svc-store", &["svc-engine", "svc-tls"]),
    ("svc-core", &["svc-engine", "svc-store", "svc-trace"]),
    ("svc-outbound", &["svc-trace"]),
    ("svc-forge", &["svc-engine", "svc-outbound"]),
    ("svc-events", &["svc-core", "svc-engine", "svc-outbound", "svc-store"]),
    ("svc-builds", &["svc-core", "svc-engine", "svc-forge", "svc-outbound", "svc-runtime", "svc-store"]),
    ("svc-api", &["svc-core", "svc-engine", "svc-store", "svc-tls", "svc-trace"]),
    ("svc-gateway", &["svc-api", "svc-core", "svc-engine", "svc-outbound", "svc-store"]),
    (
        "svc-cli",
        &[
            "svc-api",
            "svc-builds",
            "svc-core",
            "svc-engine",
            "svc-events",
            "svc-forge",
            "svc-gateway",
            "svc-outbound",
            "svc-runtime",
            "svc-store",
            "svc-tls",
            "svc-trace",
        ],
    ),
    ("svc-money-tests", &["svc-core", "svc-engine", "svc-store"]),
    (
        "svc-tests",
        &[
            "svc-api",
            "svc-builds",
            "svc-cli",
            "svc-core",
            "svc-engine",
            "svc-forge",
            "svc-money-tests",
            "svc-outbound",
            "svc-runtime",
            "svc-store",
        ],
    ),
];

/// What a crate must not link, however far down.
const STRANGERS: &[(&str, &[&str])] = &[
    ("svc-engine", &["v8", "tokio", "hyper", "rusqlite", "tokio-postgres"]),
    (
        "svc-runtime",
        &["hyper", "rusqlite", "tokio-postgres", "rust_decimal_macros", "rustyline", "tungstenite", "notify"],
    ),
    ("svc-store", &["v8", "hyper"]),
    ("svc-tls", &["v8", "hyper", "tokio", "rusqlite"]),
    ("svc-trace", &["v8", "hyper", "rusqlite", "opentelemetry"]),
    ("svc-core", &["v8", "oxc", "hyper"]),
    ("svc-outbound", &["v8", "oxc", "rusqlite", "tokio-postgres"]),
    ("svc-forge", &["v8", "oxc", "rusqlite", "tokio-postgres"]),
    ("svc-events", &["v8", "oxc"]),
    ("svc-builds", &["matchit"]),
    ("svc-api", &["v8", "oxc"]),
    ("svc-gateway", &["v8", "oxc"]),
    ("svc-money-tests", &["v8", "oxc", "hyper"]),
];

/// The packages that cargo links into a package, dependencies of its tests left out.
fn linked(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal", "--prefix", "none", "--format", "{p}", "--package", package])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// The crates of the house that a crate names in its manifest, its tests' left out.
fn named(folder: &Path) -> (String, BTreeSet<String>) {
    let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let name = text.lines().find_map(|line| line.strip_prefix("name = \"")).unwrap().trim_end_matches('"').to_owned();
    let dependencies = text.split("\n[dependencies]\n").nth(1).unwrap_or_default().split("\n[").next().unwrap();
    let ours =
        |line: &str| line.split(['.', ' ', '=']).next().filter(|name| name.starts_with("svc-")).map(str::to_owned);
    (name, dependencies.lines().filter_map(ours).collect())
}

fn crates() -> Vec<PathBuf> {
    let server = std::fs::read_dir(root().join("server")).unwrap().map(|entry| entry.unwrap().path());
    let others = ["engine", "runtime", "tests", "tests/money"].map(|name| root().join(name));
    let mut all: Vec<PathBuf> = server.filter(|path| path.join("Cargo.toml").is_file()).chain(others).collect();
    all.sort();
    all
}

#[test]
fn the_compiler_keeps_the_rooms_apart() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    let mut seen = BTreeSet::new();
    for folder in crates() {
        let (name, used) = named(&folder);
        let may: BTreeSet<String> = allowed[name.as_str()].iter().map(|name| (*name).to_owned()).collect();
        let forbidden: Vec<_> = used.difference(&may).collect();
        assert!(forbidden.is_empty(), "{name} must not know {forbidden:?}");
        seen.insert(name);
    }
    assert_eq!(seen, allowed.keys().map(|name| (*name).to_owned()).collect(), "a room is missing here or in the house");
}

#[test]
fn no_room_links_what_it_must_not_know() {
    for (name, strangers) in STRANGERS {
        let linked = linked(name);
        let found: Vec<_> = strangers.iter().filter(|stranger| linked.contains(**stranger)).collect();
        assert!(found.is_empty(), "{name} links {found:?}");
    }
}

/// A file's module path, and its text without comments and without its tests.
type Files = BTreeMap<Vec<String>, String>;

fn read(folder: &Path, module: &[String], files: &mut Files) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            read(&path, &[module, &[stem]].concat(), files);
        } else if path.extension().is_some_and(|ending| ending == "rs") && stem != "main" {
            let own = if ["lib", "mod"].contains(&stem.as_str()) { Vec::new() } else { vec![stem] };
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            let plain = |line: &str| line.split("//").next().unwrap().to_owned() + "\n";
            files.insert([module, &own].concat(), code.lines().map(plain).collect());
        }
    }
}

/// The paths that a `use` tree names.
fn expand(tree: &str) -> Vec<String> {
    let Some((before, inside)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inside = inside.rsplit_once('}').unwrap().0;
    let (mut depth, mut part, mut parts) = (0, String::new(), Vec::new());
    for char in inside.chars() {
        match char {
            ',' if depth == 0 => parts.push(std::mem::take(&mut part)),
            _ => {
                depth += match char {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                part.push(char);
            }
        }
    }
    parts.push(part);
    let nested = parts.iter().filter(|part| !part.trim().is_empty());
    nested.flat_map(|part| expand(part.trim())).map(|path| format!("{}{path}", before.trim())).collect()
}

/// The file that a path leads to, seen from a module; nothing for what is outside the crate.
fn target(path: &str, module: &[String], files: &Files) -> Option<Vec<String>> {
    let mut segments: Vec<&str> = path.split("::").map(str::trim).collect();
    let mut at: Vec<String> = module.to_vec();
    match segments[0] {
        "crate" => at.clear(),
        "self" => {}
        "super" => {
            at.pop();
            while segments.get(1) == Some(&"super") {
                segments.remove(0);
                at.pop();
            }
        }
        child => {
            at.push(child.to_owned());
            files.contains_key(&at).then_some(())?;
        }
    }
    for segment in &segments[1..] {
        let deeper = [at.as_slice(), &[(*segment).to_owned()]].concat();
        if files.keys().any(|file| file.starts_with(&deeper)) {
            at = deeper;
        }
    }
    files.contains_key(&at).then_some(at)
}

/// The `use` statements of a text, without the keyword.
fn statements(text: &str) -> Vec<String> {
    let (mut found, mut open): (Vec<String>, Option<String>) = (Vec::new(), None);
    for line in text.lines() {
        let trimmed = line.trim();
        let begun = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "]
            .iter()
            .find_map(|head| trimmed.strip_prefix(head));
        let part = if open.is_some() { Some(trimmed) } else { begun };
        let Some(part) = part else { continue };
        let tree = open.take().unwrap_or_default() + " " + part;
        match tree.split_once(';') {
            Some((whole, _)) => found.push(whole.to_owned()),
            None => open = Some(tree),
        }
    }
    found
}

fn uses(module: &[String], text: &str, files: &Files) -> BTreeSet<Vec<String>> {
    let paths = statements(text).into_iter().flat_map(|tree| expand(tree.trim()));
    let found = paths.filter_map(|path| target(path.split(" as ").next().unwrap(), module, files));
    found.filter(|file| file != module).collect()
}

#[test]
fn no_circle_of_files() {
    for folder in crates() {
        let mut files = Files::new();
        let source = folder.join("src");
        read(&source, &[], &mut files);
        let mut open: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> =
            files.iter().map(|(module, text)| (module.clone(), uses(module, text, &files))).collect();
        assert!(files.len() < 4 || open.values().any(|uses| !uses.is_empty()), "{} was not read", source.display());
        // Files that use nothing which is still open are no part of a circle.
        loop {
            let free: BTreeSet<_> = open
                .iter()
                .filter(|(_, uses)| uses.is_disjoint(&open.keys().cloned().collect()))
                .map(|(file, _)| file.clone())
                .collect();
            if free.is_empty() {
                break;
            }
            open.retain(|file, _| !free.contains(file));
        }
        assert!(open.is_empty(), "{}: circles among {open:#?}", source.display());
    }
}

#[test]
fn a_use_tree_is_read_whole() {
    assert_eq!(expand("crate::{a, b::{self, C}, d}"), ["crate::a", "crate::b::self", "crate::b::C", "crate::d"]);
    let files = Files::from([
        (vec![], String::new()),
        (vec!["a".to_owned()], String::new()),
        (vec!["b".to_owned()], String::new()),
    ]);
    let text = "fn f() {}\nuse crate::{a,\n b::B};\npub(crate) use super::c;";
    assert_eq!(uses(&[], text, &files), BTreeSet::from([vec!["a".to_owned()], vec!["b".to_owned()]]));
}

/// Lists of answers that have a bound of their own instead of pages: method, path, the answer's member, and what bounds it.
const BOUNDED: &[(&str, &str, &str, &str)] = &[
    ("post", "/v1/businesses/{business}/builds", "diagnostics", "what a build says: 500 problems (docs/limits.md)"),
    (
        "get",
        "/v1/businesses/{business}/builds/{build}",
        "diagnostics",
        "what a build says: 500 problems (docs/limits.md)",
    ),
    ("get", "/v1/businesses/{business}/builds/{build}/files", "files", "files of a build: 256 (docs/determinism.md)"),
    ("post", "/v1/businesses/{business}/releases", "changes", "what two products declare (docs/limits.md)"),
    ("post", "/v1/businesses/{business}/releases", "plans", "plans of two products: 1,000 each (docs/limits.md)"),
    ("post", "/v1/businesses/{business}/releases", "planVersions", "plans of one product: 1,000 (docs/limits.md)"),
    ("get", "/v1/businesses/{business}/releases/active", "ir", "what one product declares (docs/limits.md)"),
    (
        "get",
        "/v1/businesses/{business}/subscriptions/{subscription}/usage",
        "lines",
        "meters and cells of a period's windows",
    ),
    ("get", "/v1/businesses/{business}/bill-preview", "windows", "windows of one period"),
    ("get", "/v1/businesses/{business}/bill-preview", "allowances", "buckets of the open period"),
    ("get", "/portal/businesses/{business}/me/bill-preview", "windows", "windows of one period"),
    ("get", "/portal/businesses/{business}/me/bill-preview", "allowances", "buckets of the open period"),
    ("post", "/v1/businesses/{business}/credits", "meters", "meters of one product: 10,000 (docs/limits.md)"),
    (
        "post",
        "/v1/businesses/{business}/credits/{bucket}/revoke",
        "meters",
        "meters of one product: 10,000 (docs/limits.md)",
    ),
    ("post", "/v1/businesses/{business}/usage", "results", "items of a batch: 1,000 (docs/limits.md)"),
    ("put", "/v1/businesses/{business}/resource-counts", "resources", "the one that was set"),
    ("get", "/v1/businesses/{business}/event-receivers", "receivers", "receivers of a business: 10 (docs/events.md)"),
    ("post", "/v1/businesses/{business}/event-receivers", "types", "types of events"),
    ("post", "/v1/businesses/{business}/event-receivers/{receiver}/rotate", "types", "types of events"),
    ("post", "/v1/businesses/{business}/event-receivers/{receiver}/start", "types", "types of events"),
];

/// The members of a schema of the API's document, with those of the schemas that it is put together from.
fn members<'j>(document: &'j Json, schema: &'j Json) -> BTreeMap<&'j str, &'j Json> {
    let schema = resolved(document, schema);
    let own = schema["properties"].as_object().into_iter().flatten().map(|(name, member)| (name.as_str(), member));
    let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|kind| schema[kind].as_array()).flatten();
    own.chain(parts.flat_map(|part| members(document, part))).collect()
}

fn resolved<'j>(document: &'j Json, schema: &'j Json) -> &'j Json {
    match schema["$ref"].as_str().and_then(|path| path.strip_prefix('#')) {
        Some(path) => resolved(document, document.pointer(path).unwrap()),
        None => schema,
    }
}

/// Whether something may have any number of entries.
fn is_list(schema: &Json) -> bool {
    let is =
        |kind: &str| schema["type"] == kind || schema["type"].as_array().is_some_and(|of| of.contains(&kind.into()));
    is("array") || is("object") && schema["additionalProperties"].is_object() | (schema["additionalProperties"] == true)
}

#[test]
fn every_list_of_the_api_is_paged_or_has_a_bound() {
    let text = std::fs::read_to_string(root().join("docs/openapi.json")).unwrap();
    let document: Json = serde_json::from_str(&text).unwrap();
    let (mut paged, mut bounded) = (0, BTreeSet::new());
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in
            methods.as_object().unwrap().iter().filter(|(_, known)| known["responses"].is_object())
        {
            let answers =
                operation["responses"].as_object().unwrap().iter().filter(|(status, _)| status.starts_with('2'));
            let schemas = answers.filter_map(|(_, answer)| answer.pointer("/content/application~1json/schema"));
            let all: BTreeMap<&str, &Json> = schemas.flat_map(|schema| members(&document, schema)).collect();
            let lists = all.iter().filter(|(_, schema)| is_list(resolved(&document, schema)));
            let asks = |name: &str| {
                operation["parameters"].as_array().is_some_and(|all| all.iter().any(|one| one["name"] == name))
            };
            for (member, _) in lists {
                let row = BOUNDED.iter().find(|(m, p, of, _)| m == method && p == path && of == member);
                if let Some(row) = row {
                    bounded.insert(row);
                    continue;
                }
                let is_paged = all.contains_key("cursor") && asks("limit") && asks("cursor");
                assert!(is_paged, "{method} {path}: {member} is neither paged nor in BOUNDED");
                paged += 1;
            }
        }
    }
    assert_eq!(bounded.len(), BOUNDED.len(), "what BOUNDED names is answered somewhere: {bounded:#?}");
    assert!(paged >= 15, "{paged} lists are paged");
}

#[test]
fn no_test_file_is_forgotten() {
    for folder in ["tests/e2e", "tests/money/tests/money", "server"] {
        for main in mains(&root().join(folder)) {
            let text = std::fs::read_to_string(&main).unwrap();
            for module in modules(main.parent().unwrap()) {
                assert!(text.contains(&format!("mod {module};")), "{} does not name {module}", main.display());
            }
        }
    }
}

/// The files below a folder that name the modules beside them: the `main.rs` of every integration test, and every `mod.rs`.
fn mains(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(mains(&path));
        } else if path.ends_with("mod.rs") || path.ends_with("main.rs") && !path.parent().unwrap().ends_with("src") {
            found.push(path);
        }
    }
    found
}

/// What a folder holds that a `main.rs` or `mod.rs` in it has to name: files, and folders with a `mod.rs` of their own.
fn modules(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_file = path.extension().is_some_and(|ending| ending == "rs") && stem != "main" && stem != "mod";
        if is_file || path.join("mod.rs").is_file() {
            found.push(stem);
        }
    }
    found
}

#[test]
fn the_stories_of_the_command_line_are_among_the_tests_that_must_be_named() {
    let mains = mains(&root().join("tests/e2e"));
    assert_eq!(mains.len(), 4, "main.rs, and mod.rs of cli, gateway and push: {mains:?}");
    assert!(modules(&root().join("tests/e2e")).contains(&"cli".to_owned()));
    assert!(modules(&root().join("tests/e2e/cli")).contains(&"build".to_owned()));
}

/// A transaction that the database stops is run again by the server, whole: so each one that writes begins inside of [`Core::again`], or in a
/// function named `…_once` that is called so.
#[test]
fn every_transaction_that_writes_may_be_run_again() {
    let mut found = 0;
    for entry in std::fs::read_dir(root().join("server/core/src")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for (at, _) in text.match_indices("begin(Mode::Write)") {
            let function = &text[text[..at].rfind("async fn ").unwrap()..at];
            let name = function["async fn ".len()..].split(['(', '<']).next().unwrap();
            assert!(function.contains(".again(") || name.ends_with("_once"), "{name}");
            if name.ends_with("_once") {
                let calls = format!("Box::pin(self.{name}(");
                assert!(text.contains(&calls), "{name} is not called by `again`");
            }
            found += 1;
        }
    }
    assert!(found > 40, "{found}");
}

/// Functions of the store that put SQL together while the program runs, by file: a role's name and times are no parameters there.
const SQL_AT_RUN_TIME: &[(&str, &str)] = &[("postgres/migrate.rs", "grant"), ("postgres/mod.rs", "of")];

/// The arguments of the call that a text begins with.
fn arguments(text: &str) -> &str {
    let (mut depth, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_quoted,
            '"' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted && depth == 1 => return &text[..at],
            ')' if !is_quoted => depth -= 1,
            _ => {}
        }
    }
    text
}

/// Statements have their form for each database when the program is compiled: none is built, rewritten or leaked into one later.
#[test]
fn no_statement_is_put_together_at_run_time() {
    let folder = root().join("server/store/src");
    let mut files = vec![];
    let mut folders = vec![folder.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    let words = [
        "SELECT ", "INSERT ", "UPDATE ", "DELETE ", "BEGIN", "COMMIT", "SET ", "GRANT ", "CREATE ", "WHERE ", "VACUUM ",
    ];
    let mut built = BTreeSet::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|kind| kind == "rs")) {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        assert!(!code.contains("leak("), "{name}: a text that is made at run time is no statement");
        assert!(name == "statement.rs" || !code.contains("Statement {"), "{name}: a statement is made by `sql!`");
        let is_sql = |text: &str| words.iter().any(|word| text.contains(word));
        for call in ["format!(", "write!(", ".replace(", ".push_str(", ".concat(", ".join("] {
            for (at, _) in code.match_indices(call) {
                if is_sql(arguments(&code[at..])) {
                    let function = code[..at].rsplit("fn ").next().unwrap().split(['(', '<']).next().unwrap();
                    built.insert((name.clone(), function.to_owned()));
                }
            }
        }
    }
    let allowed = SQL_AT_RUN_TIME.iter().map(|(file, function)| ((*file).to_owned(), (*function).to_owned()));
    assert_eq!(built, allowed.collect::<BTreeSet<_>>());
}
