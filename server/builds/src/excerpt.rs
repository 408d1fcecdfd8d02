//! A diagnostic for people: the author's line with carets under the very characters.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::ops::Range;
use svc_core::build_page::Excerpt;
use svc_engine::diagnostic::{Diagnostic, Severity};
use svc_engine::source::{Position, Span};
use svc_engine::sources::Sources;
use svc_engine::text::visible;

/// One diagnostic with its excerpt.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    render_in(diagnostic, sources, "", color)
}

/// One diagnostic with its excerpt, of a product in this folder.
pub fn render_in(diagnostic: &Diagnostic, sources: &Sources, folder: &str, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(visible(&diagnostic.message)).id(diagnostic.code.as_str());
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let hint = diagnostic.hint.as_deref().map(|hint| Level::HELP.message(visible(hint)));
    let place = diagnostic.span.as_ref().and_then(|span| Some((span, shown(sources.get(&*span.file)?))));
    match &place {
        Some((span, text)) => {
            let annotation = AnnotationKind::Primary.span(range(text, span));
            let path = visible(&format!("{folder}{}", span.file));
            let snippet = Snippet::source(text.as_str()).path(path).annotation(annotation);
            let group = title.element(snippet);
            match hint {
                Some(hint) => renderer.render(&[group.element(hint)]),
                None => renderer.render(&[group]),
            }
        }
        None => match hint {
            Some(hint) => renderer.render(&[annotate_snippets::Group::with_title(title).element(hint)]),
            None => renderer.render(&[annotate_snippets::Group::with_title(title)]),
        },
    }
}

/// Diagnostics that are kept for a page, at most.
const STORED_MAX: usize = 100;
/// Longest excerpt that is kept for a page, in characters.
const STORED_MAX_CHARS: usize = 8_192;

/// Diagnostics as they are kept for the page of a build, as JSON.
pub(crate) fn stored(diagnostics: &[Diagnostic], sources: &Sources) -> serde_json::Result<String> {
    let excerpt = |diagnostic: &Diagnostic| Excerpt {
        file: diagnostic.span.as_ref().map(|span| span.file.to_string()),
        line: diagnostic.span.as_ref().map(|span| span.start.line),
        text: cut(render(diagnostic, sources, false)),
    };
    serde_json::to_string(&diagnostics.iter().take(STORED_MAX).map(excerpt).collect::<Vec<_>>())
}

fn cut(text: String) -> String {
    match text.char_indices().nth(STORED_MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// The text as it is shown: no mark in front, line ends alike, one stand-in for each character a terminal might obey.
fn shown(text: &str) -> String {
    let text = text
        .strip_prefix('\u{feff}')
        .unwrap_or(text)
        .replace("\r\n", "\n")
        .replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    text.chars()
        .map(|char| if visible(char.encode_utf8(&mut [0; 4])).chars().count() > 1 { '\u{fffd}' } else { char })
        .collect()
}

/// The bytes of a span; a place outside the text is its end, since the span may come from a worker that lies.
fn range(text: &str, span: &Span) -> Range<usize> {
    let start = offset(text, span.start);
    start..offset(text, span.end).max(start)
}

fn offset(text: &str, at: Position) -> usize {
    let mut lines = text.split_inclusive('\n');
    let skipped = usize::try_from(at.line.saturating_sub(1)).unwrap_or(usize::MAX);
    let start: usize = lines.by_ref().take(skipped).map(str::len).sum();
    let mut units = usize::try_from(at.column.saturating_sub(1)).unwrap_or(usize::MAX);
    let line = lines.next().unwrap_or_default();
    let within = line.chars().take_while(|char| {
        let fits = units >= char.len_utf16();
        units = units.saturating_sub(char.len_utf16());
        fits
    });
    start.saturating_add(within.map(char::len_utf8).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_engine::diagnostic::Code;

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
        let shown_text = shown(&text);
        assert_eq!(shown_text.get(range(&shown_text, &span)), Some("rate"));
        let rendered = render(&diagnostic, &Sources::from([(span.file.to_string(), text)]), false);
        assert!(rendered.starts_with("error[UNKNOWN_OPTION]: no option \"rate\""), "{rendered}");
        assert!(rendered.contains("product/product.config.ts:2:"), "{rendered}");
        assert!(rendered.contains("^^^^") && rendered.contains("help: did you mean \"raet\"?"), "{rendered}");
        assert!(!rendered.contains('\u{1b}'), "{rendered}");
    }

    #[test]
    fn a_span_that_lies_outside_the_text_is_no_panic() {
        let at = |line, column| Position { line, column };
        let span = Span { file: "f".into(), start: at(u32::MAX, u32::MAX), end: at(0, 0) };
        let diagnostic = Diagnostic::new(Code::SyntaxError, "x").with_span(Some(span));
        for text in ["", "a", "\n\n", "😀"] {
            render(&diagnostic, &Sources::from([("f".to_owned(), text.to_owned())]), true);
        }
    }
}
