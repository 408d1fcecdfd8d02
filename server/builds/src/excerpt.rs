//! A diagnostic for people: the author's line with carets under the very characters.

use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};
use std::collections::BTreeMap;
use std::ops::Range;
use svc_core::build_page::Excerpt;
use svc_engine::diagnostic::{Diagnostic, Severity};
use svc_engine::lines::Lines;
use svc_engine::source::Span;
use svc_engine::sources::Sources;
use svc_engine::text::{is_unsafe, visible};

/// What is drawn of what is marked, and of the line before and behind it, each in bytes at most: a file may be one line.
const STRETCH_MAX_BYTES: usize = 2_048;
/// What is drawn of a longer line before what is marked, in bytes.
const BEFORE_BYTES: usize = 200;
/// Lines of what is marked, at most; where it has more its first lines are drawn.
const LINES_MAX: u32 = 200;

/// Draws the diagnostics of one build. A file's lines are found once, and of each diagnostic a bounded part is drawn: so what a hostile
/// product has a server draw is bounded too.
pub struct Excerpts<'s> {
    sources: &'s Sources,
    /// Texts without the mark in front, and where their lines begin.
    files: BTreeMap<&'s str, (&'s str, Lines<'s>)>,
    folder: String,
    renderer: Renderer,
}

impl<'s> Excerpts<'s> {
    /// Of these files, without colours.
    pub fn new(sources: &'s Sources) -> Excerpts<'s> {
        Excerpts { sources, files: BTreeMap::new(), folder: String::new(), renderer: Renderer::plain() }
    }

    /// With what stands before the names of files, and perhaps in colour.
    #[must_use]
    pub fn for_terminal(self, folder: &str, color: bool) -> Excerpts<'s> {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        Excerpts { folder: folder.to_owned(), renderer, ..self }
    }

    /// One diagnostic with its excerpt.
    pub fn draw(&mut self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(visible(&diagnostic.message)).id(diagnostic.code.as_str());
        let lines = diagnostic.span.as_ref().map(|span| self.lines(span)).unwrap_or_default();
        let hint = diagnostic.hint.as_deref().map(|hint| Level::HELP.message(visible(hint)).into());
        self.renderer.render(&[title.elements(lines.into_iter().chain(hint))])
    }

    /// The lines of a span with carets; nothing where its file is not among the sources.
    fn lines(&mut self, span: &Span) -> Vec<Element<'static>> {
        let Some((file, text)) = self.sources.get_key_value(&*span.file) else { return Vec::new() };
        let (text, lines) = self.files.entry(file).or_insert_with(|| {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            (text, Lines::new(file, text))
        });
        let path = visible(&format!("{}{file}", self.folder));
        let (first, stretch) = stretch(text, lines, span);
        let snippet = Snippet::source(stretch.text).line_start(wide(first));
        let snippet = snippet.annotation(AnnotationKind::Primary.span(stretch.marked));
        if !stretch.is_cut {
            return vec![snippet.path(path).into()];
        }
        // What is drawn no longer tells the column.
        let at = Origin::path(path).line(wide(span.start.line)).char_column(wide(span.start.column));
        vec![at.into(), snippet.into()]
    }
}

/// One diagnostic with its excerpt.
pub fn render(diagnostic: &Diagnostic, sources: &Sources) -> String {
    Excerpts::new(sources).draw(diagnostic)
}

fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Diagnostics that are kept for a page, at most.
const STORED_MAX: usize = 100;
/// Longest excerpt that is kept for a page, in characters.
const STORED_MAX_CHARS: usize = 8_192;

/// Diagnostics as they are kept for the page of a build, as JSON.
pub(crate) fn stored(diagnostics: &[Diagnostic], sources: &Sources) -> serde_json::Result<String> {
    let mut excerpts = Excerpts::new(sources);
    let excerpt = |diagnostic: &Diagnostic| Excerpt {
        file: diagnostic.span.as_ref().map(|span| span.file.to_string()),
        line: diagnostic.span.as_ref().map(|span| span.start.line),
        text: cut(excerpts.draw(diagnostic)),
    };
    serde_json::to_string(&diagnostics.iter().take(STORED_MAX).map(excerpt).collect::<Vec<_>>())
}

fn cut(text: String) -> String {
    match text.char_indices().nth(STORED_MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// A part of a text that is drawn.
struct Stretch {
    text: String,
    /// The bytes of it that are marked.
    marked: Range<usize>,
    /// Whether its line begins before it.
    is_cut: bool,
}

/// What is drawn for a span, and the number of its first line. A place outside the text is its end, since the span may come from a worker
/// that lies.
fn stretch(text: &str, lines: &Lines<'_>, span: &Span) -> (u32, Stretch) {
    let first = span.start.line.clamp(1, lines.count());
    let last = span.end.line.clamp(first, first.saturating_add(LINES_MAX).min(lines.count()));
    let (begin, finish) = (lines.line(first).start, lines.line(last).end);
    let start = lines.offset(span.start).clamp(begin, finish);
    let end = lines.offset(span.end).clamp(start, finish.min(start.saturating_add(STRETCH_MAX_BYTES)));
    let end = text.ceil_char_boundary(end);
    let is_cut = start.saturating_sub(begin) > STRETCH_MAX_BYTES;
    let from = if is_cut { text.floor_char_boundary(start.saturating_sub(BEFORE_BYTES)) } else { begin };
    let to = text.ceil_char_boundary(finish.min(end.saturating_add(STRETCH_MAX_BYTES)));
    let part = |bytes: Range<usize>| shown(text.get(bytes).unwrap_or_default());
    let (before, within) = (part(from..start), part(start..end));
    let marked = before.len()..before.len().saturating_add(within.len());
    (first, Stretch { text: before + &within + &part(end..to), marked, is_cut })
}

/// The text as it is shown: line ends alike, one stand-in for each character a terminal might obey.
fn shown(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let char = |char| match char {
        '\r' | '\u{2028}' | '\u{2029}' => '\n',
        char if is_unsafe(char) => '\u{fffd}',
        char => char,
    };
    text.chars().map(char).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_engine::diagnostic::Code;
    use svc_engine::source::Position;

    #[test]
    fn carets_stand_under_the_very_characters() {
        let text = "\u{feff}const a = 1;\r\nconst 😀b\t= { rate: 5 };\u{1b}[2J\r\n".to_owned();
        let span = Span {
            file: "product/product.config.ts".into(),
            start: Position { line: 2, column: 15 },
            end: Position { line: 2, column: 19 },
        };
        let diagnostic = Diagnostic::new(Code::UnknownOption, "no option \"rate\"")
            .with_hint("did you mean \"raet\"?")
            .with_span(Some(span.clone()));
        let rendered = render(&diagnostic, &Sources::from([(span.file.to_string(), text)]));
        assert!(rendered.starts_with("error[UNKNOWN_OPTION]: no option \"rate\""), "{rendered}");
        assert!(rendered.contains("product/product.config.ts:2:14\n"), "{rendered}");
        assert!(
            rendered.contains("\n2 | const 😀b    = { rate: 5 };\u{fffd}[2J\n  |                  ^^^^\n"),
            "{rendered}"
        );
        assert!(rendered.contains("^^^^") && rendered.contains("help: did you mean \"raet\"?"), "{rendered}");
        assert!(!rendered.contains('\u{1b}'), "{rendered}");
    }

    #[test]
    fn a_span_that_lies_outside_the_text_is_no_panic() {
        let at = |line, column| Position { line, column };
        let span = Span { file: "f".into(), start: at(u32::MAX, u32::MAX), end: at(0, 0) };
        let diagnostic = Diagnostic::new(Code::SyntaxError, "x").with_span(Some(span));
        for text in ["", "a", "\n\n", "😀"] {
            let sources = Sources::from([("f".to_owned(), text.to_owned())]);
            Excerpts::new(&sources).for_terminal("", true).draw(&diagnostic);
        }
    }

    #[test]
    fn of_a_file_that_is_one_line_only_what_is_around_is_drawn() {
        let text = format!("{}bad();{}", "ok();".repeat(20_000), "ok();\u{1b}".repeat(20_000));
        let at = |column| Position { line: 1, column };
        let span = Span { file: "f".into(), start: at(100_001), end: at(100_004) };
        let diagnostic = Diagnostic::new(Code::SyntaxError, "x").with_span(Some(span));
        let drawn = render(&diagnostic, &Sources::from([("f".to_owned(), text)]));
        let (head, lines) = drawn.split_once("--> f:1:100001\n").unwrap();
        assert_eq!(head, "error[SYNTAX_ERROR]: x\n ");
        let lines: Vec<&str> = lines.lines().collect();
        let [.., code, carets] = lines[..] else { panic!("{drawn}") };
        let column = carets.find("^^^").unwrap();
        assert_eq!(code.get(column..column + 3), Some("bad"), "{drawn}");
        assert!(drawn.len() < 1_000, "{drawn}");
    }
}
