//! The canonical product with one decorator or one key dropped, written twice, renamed, moved, or wrapped in something that means the
//! same: what changes the meaning changes the build or is refused at the exact characters, and what does not gives the same build.

use super::golden::example;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use svc_builds::{Compiled, compile};
use svc_engine::diagnostic::Diagnostic;
use svc_engine::sources::{ENTRY, Sources};
use svc_runtime::worker::WorkerConfig;
use svc_tests::program::{block_on, pool};
use tokio::task::JoinSet;

/// What a mutant must come to.
#[derive(Clone, Debug)]
enum Want {
    /// The very same build.
    Same,
    /// The same build or another one: order counts in some places and not in others.
    Builds,
    /// Another build, or an error at a place in the source.
    ChangesOrIsTold,
    /// Another build, or an error at exactly these characters.
    ChangesOrIsNamed(Range<usize>),
    /// An error of this code at exactly these characters.
    Refused(&'static str, Range<usize>),
}

struct Mutant {
    what: String,
    text: String,
    /// Another file beside the entry.
    file: Option<String>,
    want: Want,
}

/// What may be left out, since it says what holds without it.
const DEFAULTS: &[&str] = &[
    r#"unit: "request""#,
    "estimate: 1",
    "billOn4xx: false",
    r#"aggregation: "sum""#,
    "default: false",
    r#"display: "Jobs""#,
    r#"display: "Seats""#,
    r#"countSource: "action_inferred""#,
    r#"transport: { mode: "direct" }"#,
    "verification: { required: true }",
    "price: { free: true }",
    r#"enforcement: "enforce""#,
    "selfServeEnabled: true",
    r#"spendPolicy: { disclosure: "transparent" }"#,
    r#"disclosure: "transparent""#,
    r#"kind: "included""#,
    r#"overageBehavior: "allow_and_bill""#,
    "legacy: false",
    "archive: false",
    r#"at: "publish""#,
];

/// A property that is written out inside of a decorator.
#[derive(Clone, Debug)]
struct Property {
    key: Range<usize>,
    value: Range<usize>,
    /// Where its object begins: neighbours have the same.
    object: usize,
}

/// A decorator, from its sign to its closing parenthesis, and the name behind the sign.
#[derive(Clone, Debug)]
struct Decorator {
    whole: Range<usize>,
    name: String,
    is_of_class: bool,
}

/// The end of the text, comment or white space that begins here; where it begins when there is none.
fn behind(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let quote = rest.chars().next().filter(|char| matches!(char, '"' | '\'' | '`'));
    if let Some(quote) = quote {
        let mut escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, char)| {
            let ends = *char == quote && !escaped;
            escaped = *char == '\\' && !escaped;
            ends
        });
        return at + end.unwrap().0 + 1;
    }
    if rest.starts_with("//") {
        return at + rest.find('\n').unwrap();
    }
    if rest.starts_with("/*") {
        return at + rest.find("*/").unwrap() + 2;
    }
    at + rest.len() - rest.trim_start().len()
}

/// Just behind the bracket that closes the one here.
fn closed(text: &str, open: usize) -> usize {
    let (mut at, mut deep) = (open, 0);
    loop {
        let next = behind(text, at);
        if next > at {
            at = next;
            continue;
        }
        match text.as_bytes()[at] {
            b'(' | b'[' | b'{' => deep += 1,
            b')' | b']' | b'}' => deep -= 1,
            _ => {}
        }
        at += text[at..].chars().next().unwrap().len_utf8();
        if deep == 0 {
            return at;
        }
    }
}

/// Where a value ends: at the comma or bracket behind it.
fn value_end(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        match text.as_bytes()[at] {
            b'(' | b'[' | b'{' => at = closed(text, at),
            b',' | b')' | b']' | b'}' => return from + text[from..at].trim_end().len(),
            _ => {
                let next = behind(text, at);
                at = if next > at { next } else { at + text[at..].chars().next().unwrap().len_utf8() };
            }
        }
    }
}

/// Every property of every object between these places.
fn properties(text: &str, range: Range<usize>, found: &mut Vec<Property>) {
    let mut at = range.start;
    while at < range.end {
        if text.as_bytes()[at] == b'{' {
            let end = closed(text, at);
            object(text, at, found);
            at = end;
            continue;
        }
        let next = behind(text, at);
        at = if next > at { next } else { at + text[at..].chars().next().unwrap().len_utf8() };
    }
}

fn object(text: &str, open: usize, found: &mut Vec<Property>) {
    let mut at = open + 1;
    loop {
        while behind(text, at) > at && !text[at..].starts_with(['"', '\'']) {
            at = behind(text, at);
        }
        match text.as_bytes()[at] {
            b'}' => return,
            b',' => at += 1,
            _ => {
                let key_end = match text.as_bytes()[at] {
                    b'"' => behind(text, at),
                    _ => at + text[at..].find(|c: char| !c.is_alphanumeric()).unwrap(),
                };
                let key = at..key_end;
                let is_property = text[key_end..].starts_with(':');
                let value_start = behind(text, key_end + 1);
                let start =
                    if is_property && !text[key_end + 1..].starts_with('"') { value_start } else { key_end + 1 };
                let end = value_end(text, if is_property { start } else { at });
                if is_property {
                    found.push(Property { key, value: start..end, object: open });
                    properties(text, start..end, found);
                }
                at = end.max(key_end);
            }
        }
    }
}

/// The decorators of the class, in order.
fn decorators(text: &str) -> Vec<Decorator> {
    let class = text.find("export default class").unwrap();
    let starts = text.match_indices('@').filter(|(at, _)| {
        let line = &text[text[..*at].rfind('\n').map_or(0, |end| end + 1)..*at];
        line.trim().is_empty()
    });
    let found = starts.map(|(at, _)| {
        let open = at + text[at..].find('(').unwrap();
        let name = text[at + 1..open].to_owned();
        Decorator { whole: at..closed(text, open), name, is_of_class: at < class }
    });
    found.collect()
}

/// The text with these parts replaced; they don't overlap.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut edited = text.to_owned();
    edits.into_iter().for_each(|(range, with)| edited.replace_range(range, &with));
    edited
}

/// Where the class's own decorators begin: what is put there is outside of it.
fn outside(text: &str) -> usize {
    text.find("@Product(").unwrap()
}

/// Whether a value may stand in another file: it names nothing.
fn names_nothing(value: &str) -> bool {
    let quoted: String = value.split('"').step_by(2).collect();
    let words = quoted.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    // A key before its colon, or a number.
    words.into_iter().all(|word| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || matches!(word, "true" | "false" | "null")
            || value.contains(&format!("{word}:"))
    })
}

fn of_properties(text: &str) -> Vec<Mutant> {
    let mut all = Vec::new();
    for decorator in decorators(text) {
        properties(text, decorator.whole.clone(), &mut all);
    }
    let mut mutants = Vec::new();
    for (number, property) in all.iter().enumerate() {
        let Property { key, value, .. } = property;
        let (name, written) = (&text[key.clone()], &text[value.clone()]);
        let mut push = |what: &str, text: String, want: Want| {
            mutants.push(Mutant {
                what: format!("{name} {what}, at {} ({written})", key.start),
                text,
                file: None,
                want,
            });
        };
        let comma = text[value.end..].find(|c: char| !c.is_whitespace()).map_or(value.end, |at| value.end + at);
        let end = if text[comma..].starts_with(',') { comma + 1 } else { value.end };
        let is_default = DEFAULTS.contains(&format!("{name}: {written}").as_str());
        let drop = if is_default { Want::Same } else { Want::ChangesOrIsTold };
        push("dropped", edited(text, vec![(key.start..end, String::new())]), drop);
        let twice = format!("{name}: {written}, ");
        let second = key.start + twice.len();
        let twice = edited(text, vec![(key.start..key.start, twice)]);
        push("twice", twice, Want::Refused("KEY_WRITTEN_TWICE", second..second + name.len()));
        let renamed = match name.strip_suffix('"') {
            Some(open) => format!("{open}z\""),
            None => format!("{name}z"),
        };
        let at = key.start..key.start + renamed.len();
        push("renamed", edited(text, vec![(key.clone(), renamed)]), Want::ChangesOrIsNamed(at));
        if let Some(next) = all[number + 1..].iter().find(|next| next.object == property.object) {
            let (here, there) = (key.start..value.end, next.key.start..next.value.end);
            let moved = vec![(here.clone(), text[there.clone()].to_owned()), (there, text[here].to_owned())];
            push("behind its neighbour", edited(text, moved), Want::Builds);
        }
        mutants.extend(wrapped(text, property, number));
    }
    mutants
}

/// The property's value by two other ways that mean the same, another two for each number.
fn wrapped(text: &str, property: &Property, number: usize) -> Vec<Mutant> {
    let Property { key, value, .. } = property;
    let (name, written, out) = (&text[key.clone()], &text[value.clone()], outside(text));
    let (is_plain, start) = (names_nothing(written), out..out);
    let made = |code: &str, with: &str| {
        edited(text, vec![(start.clone(), format!("{code}\n")), (value.clone(), with.to_owned())])
    };
    let ways: [(&str, String, Option<String>); 8] = [
        ("in a constant", made(&format!("const made = {written};"), "made"), None),
        ("through a helper", made("const same = <T>(value: T): T => value;", &format!("same({written})")), None),
        ("behind a condition", made("const yes = true;", &format!("yes ? {written} : (undefined as never)")), None),
        ("in a namespace", made(&format!("namespace Made {{ export const value = {written}; }}"), "Made.value"), None),
        ("in a spread", edited(text, vec![(key.start..value.end, format!("...{{ {name}: {written} }}"))]), None),
        ("by a computed key", made("const key = \"\";", &format!("{written} as never")), None),
        (
            "in another file",
            made("import { value } from \"./made\";", "value"),
            is_plain.then(|| format!("export const value = {written};\n")),
        ),
        (
            "in a module of another file",
            made("import * as made from \"./made\";", "made.value as never"),
            is_plain.then(|| format!("const inner = {written};\nexport {{ inner as value }};\n")),
        ),
    ];
    let count = ways.len();
    let chosen = ways.into_iter().enumerate().filter(|(way, _)| {
        let turn = (way + number) % count;
        turn == 0 || turn == 3
    });
    let possible = chosen.filter(|(_, (_, text, file))| file.is_some() || !text.contains("\"./made\""));
    let mutants = possible.map(|(_, (way, text, file))| Mutant {
        what: format!("{name} {way}, at {}", key.start),
        text,
        file,
        want: Want::Same,
    });
    mutants.collect()
}

fn of_decorators(text: &str) -> Vec<Mutant> {
    let all = decorators(text);
    let mut mutants = Vec::new();
    for (number, Decorator { whole, name, is_of_class }) in all.iter().enumerate() {
        let written = &text[whole.clone()];
        let made = &written[1..];
        let args = &made[name.len()..];
        let out = outside(text);
        let mut push = |what: &str, text: String, file: Option<&str>, want: Want| {
            let what = format!("@{name} {what}, at {}", whole.start);
            mutants.push(Mutant { what, text, file: file.map(str::to_owned), want });
        };
        push("dropped", edited(text, vec![(whole.clone(), String::new())]), None, Want::ChangesOrIsTold);
        let twice = edited(text, vec![(whole.start..whole.start, format!("{written}\n"))]);
        // The same JSON merged twice is the same JSON.
        push("twice", twice, None, if name == "Raw" { Want::Same } else { Want::ChangesOrIsTold });
        let named = whole.start + 1..whole.start + 1 + name.len() + 1;
        let renamed = edited(text, vec![(named.start..named.end - 1, format!("{name}z"))]);
        push("renamed", renamed, None, Want::Refused("UNCAUGHT_EXCEPTION", named));
        if let Some(next) = all.get(number + 1).filter(|next| next.is_of_class == *is_of_class && name != "Product") {
            let moved =
                vec![(whole.clone(), text[next.whole.clone()].to_owned()), (next.whole.clone(), written.to_owned())];
            push("in its neighbour's place", edited(text, moved), None, Want::Builds);
        }
        let outside = |code: &str, with: &str| {
            // A class decorator may stand at the very place.
            let mut edits = vec![(whole.clone(), with.to_owned())];
            match whole.start == out {
                true => edits[0].1 = format!("{code}\n{with}"),
                false => edits.push((out..out, format!("{code}\n"))),
            }
            edited(text, edits)
        };
        push("by another name", outside(&format!("const Alias = {name};"), &format!("@Alias{args}")), None, Want::Same);
        let helper = format!("const helper = (...all: never[]) => ({name} as Function)(...all);");
        push("by a helper", outside(&helper, &format!("@helper{args}")), None, Want::Same);
        push("in a constant", outside(&format!("const made = {made};"), "@made"), None, Want::Same);
        let namespace = format!("namespace Made {{ export const it = {made}; }}");
        push("in a namespace", outside(&namespace, "@Made.it"), None, Want::Same);
        let none = "const none = () => {};";
        push("behind a condition", outside(none, &format!("@(true ? {made} : none)")), None, Want::Same);
        push("in an object", outside(&format!("const all = {{ it: {made} }};"), "@all.it"), None, Want::Same);
        let elsewhere = format!("export {{ {name} as Alias }} from \"@svc/product\";\n");
        let import = "import { Alias } from \"./made\";";
        push("of another file", outside(import, &format!("@Alias{args}")), Some(&elsewhere), Want::Same);
        let all_of = "import * as passed from \"./made\";";
        let star = "export * from \"@svc/product\";\n";
        push("of a module passed on", outside(all_of, &format!("@passed.{name}{args}")), Some(star), Want::Same);
        let lost = outside(none, &format!("@(Math.PI < 3 ? {made} : none)"));
        let shift = lost.len() - text.len();
        let start = lost.rfind("@(Math.PI").unwrap();
        let end = whole.end + shift;
        // Without its `@Product` there is no product to be told of.
        let want =
            if name == "Product" { Want::ChangesOrIsTold } else { Want::Refused("DECORATOR_NOT_APPLIED", start..end) };
        push("behind a condition that fails", lost, None, want);
    }
    mutants
}

/// Line and column of an offset, from 1, in UTF-16 units.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap().encode_utf16().count() + 1)
}

fn stands_at(found: &Diagnostic, text: &str, range: &Range<usize>) -> bool {
    found.span.as_ref().is_some_and(|span| {
        let at = |line: u32, column: u32| (line as usize, column as usize);
        at(span.start.line, span.start.column) == position(text, range.start)
            && at(span.end.line, span.end.column) == position(text, range.end)
    })
}

/// Why a mutant did not come to what it must.
fn judge(mutant: &Mutant, built: &Compiled, base: &str) -> Option<String> {
    let hash = built.ir.as_ref().map(|ir| ir.hash.as_str());
    let changes = hash.is_some_and(|hash| hash != base);
    let errors: Vec<&Diagnostic> = built.diagnostics.iter().filter(|found| found.is_error()).collect();
    let is_right = match &mutant.want {
        Want::Same => hash == Some(base),
        Want::Builds => hash.is_some(),
        Want::ChangesOrIsTold => changes || errors.iter().any(|error| error.span.is_some()),
        Want::ChangesOrIsNamed(range) => changes || errors.iter().any(|error| stands_at(error, &mutant.text, range)),
        Want::Refused(code, range) => {
            errors.iter().any(|error| error.code.as_str() == *code && stands_at(error, &mutant.text, range))
        }
    };
    let told: Vec<String> = errors
        .iter()
        .take(3)
        .map(|error| format!("{} {:?} {}", error.code, error.span.as_ref().map(|span| span.start), error.message))
        .collect();
    let came = if hash == Some(base) {
        "the same build"
    } else if changes {
        "another build"
    } else {
        "errors"
    };
    (!is_right)
        .then(|| format!("{}: wants {:?}, came to {came} {told:?} {:?}\n", mutant.what, mutant.want, built.failure))
}

#[test]
fn nothing_of_the_canonical_product_is_lost_or_changed_in_silence() {
    let sources = example("croncloud");
    let text = &sources[ENTRY];
    let mutants: Vec<Mutant> = of_decorators(text).into_iter().chain(of_properties(text)).collect();
    let kinds: BTreeSet<&str> = mutants.iter().filter_map(|mutant| mutant.what.split([' ', ',']).nth(1)).collect();
    assert!(mutants.len() >= 1_200 && kinds.len() >= 7, "only {} mutants of {kinds:?}", mutants.len());
    let pool = pool(WorkerConfig::default());
    let (count, wrong) = block_on(async {
        let base = compile(&pool, sources.clone()).await.unwrap().ir.unwrap().hash;
        let base: Arc<str> = base.into();
        let mut running = JoinSet::new();
        for mutant in mutants {
            let (pool, base) = (pool.clone(), Arc::clone(&base));
            let mut sources: Sources = sources.clone();
            running.spawn(async move {
                sources.insert(ENTRY.to_owned(), mutant.text.clone());
                if let Some(file) = &mutant.file {
                    sources.insert("product/made.ts".to_owned(), file.clone());
                }
                judge(&mutant, &compile(&pool, sources).await.unwrap(), &base)
            });
        }
        let judged = running.join_all().await;
        (judged.len(), judged.into_iter().flatten().collect::<Vec<String>>())
    });
    assert!(wrong.is_empty(), "{} of {count} mutants:\n{}", wrong.len(), wrong.concat());
    println!("{count} mutants of the canonical product");
}
