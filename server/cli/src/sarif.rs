//! SARIF 2.1.0, the form in which code hosts take annotations: one run, with what is wrong in every folder that was built.

use crate::built::Built;
use crate::global::Exit;
use crate::output::CommandError;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use svc_engine::diagnostic::{Diagnostic, Severity};
use svc_engine::sources::ENTRY;

/// Where the form is defined.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// What file names are relative to: where the command ran, as a rule the root of the repository.
const ROOT: &str = "%SRCROOT%";

/// The log of one run of `svc check` or `svc build`.
pub(crate) fn log(all: &[Built], exit: Exit) -> Json {
    let mut log =
        Log { root: std::env::current_dir().ok(), rules: Rules::default(), results: Vec::new(), notes: Vec::new() };
    for built in all {
        log.add(built);
    }
    let invocation = json!({
        "executionSuccessful": log.notes.is_empty(),
        "exitCode": exit as u8,
        "toolExecutionNotifications": log.notes,
    });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "svc", "version": env!("CARGO_PKG_VERSION"), "rules": log.rules.described } },
            "invocations": [invocation],
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": { ROOT: { "description": { "text": "The folder that svc ran in." } } },
            "results": log.results,
        }],
    })
}

/// The kinds of problems that a run has, each described once.
#[derive(Default)]
struct Rules {
    numbers: BTreeMap<String, usize>,
    described: Vec<Json>,
}

impl Rules {
    fn number(&mut self, code: &str, meaning: &str, level: &str) -> usize {
        if let Some(number) = self.numbers.get(code) {
            return *number;
        }
        let number = self.described.len();
        self.numbers.insert(code.to_owned(), number);
        self.described.push(json!({
            "id": code,
            "shortDescription": { "text": meaning.trim() },
            "defaultConfiguration": { "level": level },
        }));
        number
    }
}

struct Log {
    root: Option<PathBuf>,
    rules: Rules,
    results: Vec<Json>,
    notes: Vec<Json>,
}

impl Log {
    fn add(&mut self, built: &Built) {
        for diagnostic in &built.diagnostics {
            self.diagnostic(diagnostic, &built.dir);
        }
        match &built.end {
            Err(failure) if failure.exit == Exit::Stopped => self.stopped(failure, &built.dir),
            // What is wrong has been said.
            Err(failure) if failure.exit == Exit::Wrong && !built.diagnostics.is_empty() => {}
            Err(failure) => self.notes.push(json!({
                "level": "error",
                "descriptor": { "id": failure.code },
                "message": { "text": failure.message },
            })),
            Ok(_) => {}
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, dir: &Path) {
        let level = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let code = diagnostic.code.as_str();
        let number = self.rules.number(code, diagnostic.code.meaning(), level);
        let text = match &diagnostic.hint {
            Some(hint) => format!("{}\nhelp: {hint}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        let file = diagnostic.span.as_ref().map_or(ENTRY, |span| &*span.file);
        let region = match &diagnostic.span {
            Some(span) => json!({
                "startLine": span.start.line.max(1),
                "startColumn": span.start.column.max(1),
                "endLine": span.end.line.max(1),
                "endColumn": span.end.column.max(1),
            }),
            None => json!({ "startLine": 1 }),
        };
        let mut location = self.location(dir, file, region);
        if let (Json::Object(location), false) = (&mut location, diagnostic.path.is_empty()) {
            location.insert("logicalLocations".to_owned(), json!([{ "fullyQualifiedName": diagnostic.path }]));
        }
        self.result(code, number, level, &text, location);
    }

    /// A build that a limit stopped: the product's doing, though of no line in particular.
    fn stopped(&mut self, failure: &CommandError, dir: &Path) {
        let number = self.rules.number(&failure.code, &failure.message, "error");
        let location = self.location(dir, ENTRY, json!({ "startLine": 1 }));
        self.result(&failure.code, number, "error", &failure.message, location);
    }

    fn result(&mut self, code: &str, number: usize, level: &str, text: &str, location: Json) {
        self.results.push(json!({
            "ruleId": code,
            "ruleIndex": number,
            "level": level,
            "message": { "text": text },
            "locations": [location],
        }));
    }

    fn location(&self, dir: &Path, file: &str, region: Json) -> Json {
        json!({ "physicalLocation": { "artifactLocation": self.artifact(&dir.join(file)), "region": region } })
    }

    /// A file by its name from where the command ran; one that lies elsewhere by its whole name.
    fn artifact(&self, file: &Path) -> Json {
        let whole = self.root.as_ref().map_or_else(|| plain(file), |root| plain(&root.join(file)));
        match self.root.as_ref().and_then(|root| whole.strip_prefix(root).ok()) {
            Some(inside) => json!({ "uri": uri(inside), "uriBaseId": ROOT }),
            None => json!({ "uri": format!("file://{}", uri(&whole)) }),
        }
    }
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// A path as part of a URI: whatever has a meaning there is escaped.
fn uri(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.to_string_lossy().bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.' | b'_' | b'~');
        if is_plain { text.push(char::from(byte)) } else { text.push_str(&format!("%{byte:02X}")) }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_where_the_command_ran() {
        let log = Log {
            root: Some(PathBuf::from("/work/shop")),
            rules: Rules::default(),
            results: Vec::new(),
            notes: Vec::new(),
        };
        let told = |file: &str| log.artifact(Path::new(file));
        assert_eq!(told("./a b/é.ts"), json!({ "uri": "a%20b/%C3%A9.ts", "uriBaseId": ROOT }));
        assert_eq!(told("/work/shop/x.ts"), json!({ "uri": "x.ts", "uriBaseId": ROOT }));
        assert_eq!(told("../other/x.ts"), json!({ "uri": "file:///work/other/x.ts" }));
    }
}
