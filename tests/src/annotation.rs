//! What a case says it expects, in comments beside its code; see `tests/products/README.md`.

use svc_engine::diagnostic::Diagnostic;

/// One diagnostic as it is expected or found: where, and which code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// `line:column-line:column`, or `any`.
    pub place: String,
    /// The code.
    pub code: String,
}

/// The expectations of a text.
pub fn expected(text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut code_line = 0;
    for (index, line) in lines(text).into_iter().enumerate() {
        match mark(line, code_line) {
            Some(mark) => marks.push(mark),
            None => code_line = index + 1,
        }
    }
    marks.sort();
    marks
}

fn lines(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

fn mark(line: &str, code_line: usize) -> Option<Mark> {
    let rest = line.strip_prefix("//")?;
    if let Some(code) = rest.strip_prefix("? ") {
        return Some(Mark { place: "any".to_owned(), code: code.trim().to_owned() });
    }
    if let Some(code) = rest.strip_prefix("* ") {
        return Some(Mark { place: "many".to_owned(), code: code.trim().to_owned() });
    }
    if let Some(code) = rest.strip_prefix("@ ") {
        return Some(Mark { place: format!("line {code_line}"), code: code.trim().to_owned() });
    }
    if let Some(rest) = rest.strip_prefix("~ ") {
        let (place, code) = rest.trim().split_once(' ').unwrap();
        let place = match place.split_once('-') {
            Some(_) => place.to_owned(),
            None => {
                let (start, end) = place.split_once(':').unwrap();
                format!("{code_line}:{start}-{code_line}:{end}")
            }
        };
        return Some(Mark { place, code: code.to_owned() });
    }
    let carets = rest.trim_start().trim_start_matches('^');
    let count = rest.trim_start().len() - carets.len();
    let code = carets.trim();
    if count == 0
        || code.is_empty()
        || !code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    {
        return None;
    }
    let start = line.find('^').unwrap() + 1;
    Some(Mark { place: format!("{code_line}:{start}-{code_line}:{}", start + count), code: code.to_owned() })
}

/// What was found, in the words of what was expected: a code that was expected anywhere is found anywhere, and one that was
/// expected many times is found once, with or without the word that more were left out.
pub fn found(diagnostics: &[Diagnostic], expected: &[Mark]) -> Vec<Mark> {
    let mut loose: Vec<&Mark> = expected.iter().filter(|mark| !mark.place.contains('-')).collect();
    let mut marks: Vec<Mark> = diagnostics
        .iter()
        .map(|diagnostic| {
            let exact = diagnostic
                .span
                .as_ref()
                .map(|span| format!("{}:{}-{}:{}", span.start.line, span.start.column, span.end.line, span.end.column));
            let mark = Mark { place: exact.unwrap_or_else(|| "nowhere".to_owned()), code: diagnostic.code.to_string() };
            if expected.contains(&mark) {
                return mark;
            }
            let many = expected.iter().find(|wanted| wanted.place == "many");
            if let Some(many) =
                many.filter(|many| [many.code.as_str(), "TOO_MANY_PROBLEMS"].contains(&mark.code.as_str()))
            {
                return many.clone();
            }
            let line = diagnostic.span.as_ref().map(|span| format!("line {}", span.start.line));
            let matching = loose.iter().position(|loose| {
                loose.code == mark.code && (loose.place == "any" || Some(&loose.place) == line.as_ref())
            });
            matching.map_or(mark, |index| loose.remove(index).clone())
        })
        .collect();
    marks.sort();
    marks.dedup_by(|a, b| a == b && a.place == "many");
    marks
}
