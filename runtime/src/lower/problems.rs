//! What is wrong with one file, as it is found.

use svc_engine::diagnostic::{Code, DIAGNOSTICS_MAX, Diagnostic};
use svc_engine::lines::Lines;

/// Most problems of one file that are kept: more than a build tells, so that it says that there are more.
pub(super) const KEPT_MAX: usize = DIAGNOSTICS_MAX * 2;

/// Problems of one file, in the order in which they were found.
pub(super) struct Problems<'l> {
    lines: &'l Lines<'l>,
    found: Vec<Diagnostic>,
}

impl<'l> Problems<'l> {
    pub(super) fn new(lines: &'l Lines<'l>) -> Self {
        Problems { lines, found: Vec::new() }
    }

    /// Adds a problem between two byte offsets.
    pub(super) fn push(&mut self, code: Code, span: oxc::span::Span, message: impl Into<String>, hint: Option<String>) {
        if self.is_full() {
            return;
        }
        let mut diagnostic = Diagnostic::new(code, message).with_span(Some(self.lines.span(span.start, span.end)));
        if let Some(hint) = hint {
            diagnostic = diagnostic.with_hint(hint);
        }
        self.found.push(diagnostic);
    }

    /// Adds a problem, with advice.
    pub(super) fn report(&mut self, code: Code, span: oxc::span::Span, message: &str, hint: &str) {
        self.push(code, span, message, Some(hint.to_owned()));
    }

    /// Where a byte offset stands, as a hint says it.
    pub(super) fn place(&self, offset: u32) -> String {
        let at = self.lines.position(offset);
        format!("line {}, column {}", at.line, at.column)
    }

    /// Whether no more are kept.
    pub(super) fn is_full(&self) -> bool {
        self.found.len() >= KEPT_MAX
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(super) fn into_found(self) -> Vec<Diagnostic> {
        self.found
    }
}
