//! The documentation holds: its examples build, its wrong examples are wrong in the way they say, and the catalogue of codes is
//! whole.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use svc_builds::{Compiled, compile};
use svc_engine::diagnostic::{Code, Severity};
use svc_engine::sources::{ENTRY, Sources};
use svc_runtime::worker::WorkerConfig;
use svc_tests::golden;
use svc_tests::program::{block_on, pool, root};

/// The fenced blocks of a text that begin with this info string.
pub(crate) fn blocks(text: &str, info: &str) -> Vec<String> {
    let fence = format!("```{info}\n");
    let after = text.split(&fence).skip(1);
    after.map(|rest| rest.split("\n```").next().unwrap().to_owned() + "\n").collect()
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
    found.sort();
}

fn build(text: String) -> Compiled {
    block_on(compile(&pool(WorkerConfig::default()), Sources::from([(ENTRY.to_owned(), text)]))).unwrap()
}

fn builds_cleanly(text: String, what: &str) {
    let compiled = build(text);
    assert!(
        compiled.ir.is_some() && compiled.diagnostics.is_empty(),
        "{what}: {:#?} {:?}",
        compiled.diagnostics,
        compiled.failure
    );
}

#[test]
fn every_example_of_the_docs_builds() {
    let mut found = vec![root().join("README.md"), root().join("js-shim/product/README.md")];
    pages(&root().join("docs"), &mut found);
    let mut count = 0;
    for page in found {
        let text = std::fs::read_to_string(&page).unwrap();
        let examples = blocks(&text, "ts product");
        // The two readmes show theirs to people who read no info strings.
        let plain = if page.ends_with("README.md") && !page.starts_with(root().join("docs")) {
            blocks(&text, "ts")
        } else {
            Vec::new()
        };
        for example in examples.into_iter().chain(plain) {
            builds_cleanly(example, &page.display().to_string());
            count += 1;
        }
    }
    assert!(count >= 18, "only {count} examples");
}

/// The page of one code.
fn entry(code: Code) -> String {
    let file = root().join(format!("engine/catalogue/{code}.md"));
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn every_code_has_a_wrong_and_a_right_example_that_are_so() {
    for code in Code::ALL {
        let text = entry(*code);
        assert!(text.starts_with(&format!("# {code}\n")), "{code}");
        let (wrong, right) = (blocks(&text, "ts wrong"), blocks(&text, "ts right"));
        if wrong.is_empty() {
            assert!(!blocks(&text, "text").is_empty(), "{code} has no example");
            continue;
        }
        for example in wrong {
            let compiled = build(example);
            assert!(
                compiled.diagnostics.iter().any(|found| found.code == *code),
                "{code}: {:#?}",
                compiled.diagnostics
            );
        }
        assert!(!right.is_empty(), "{code} has no right example");
        right.into_iter().for_each(|example| builds_cleanly(example, code.as_str()));
    }
    let files = std::fs::read_dir(root().join("engine/catalogue")).unwrap().count();
    assert_eq!(files, Code::ALL.len(), "the catalogue has pages of codes that are not there");
}

#[test]
fn golden_catalogue_of_diagnostics() {
    let mut text = String::from(
        "# Diagnostics\n\nEvery code, what it means, and a wrong and a right example. Generated from `engine/src/diagnostic.rs` and \
         `engine/catalogue/` by `make golden`; the tests build every example.\n\n| Code | Severity | Meaning |\n|---|---|---|\n",
    );
    for code in Code::ALL {
        let severity = if code.severity() == Severity::Error { "error" } else { "warning" };
        let anchor = code.as_str().to_ascii_lowercase();
        writeln!(text, "| [`{code}`](#{anchor}) | {severity} | {} |", code.meaning().trim()).unwrap();
    }
    for code in Code::ALL {
        write!(text, "\n#{}", entry(*code).trim_end()).unwrap();
        text.push('\n');
    }
    golden::check("docs/diagnostics.md", &text);
}
