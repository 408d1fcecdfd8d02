//! Byte offsets of a source text to positions as editors count them.

use svc_engine::source::{Position, Span};

/// Where each line of one file begins.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    file: &'t str,
    text: &'t str,
    /// Whether bytes and UTF-16 units are the same, as in most sources; then a column needs no counting.
    is_ascii: bool,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Finds the line starts: behind LF, CRLF, CR, U+2028 and U+2029, as JavaScript has it.
    pub(crate) fn new(file: &'t str, text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let ends = text.char_indices().filter(|(at, char)| match char {
            '\r' => bytes.get(at.saturating_add(1)) != Some(&b'\n'),
            '\n' | '\u{2028}' | '\u{2029}' => true,
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, char)| at.saturating_add(char.len_utf8()))).collect();
        Lines { file, text, is_ascii: text.is_ascii(), starts }
    }

    /// The position of a byte offset; offsets beyond the text are its end.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        if self.is_ascii {
            return Position { line: one_based(line), column: one_based(offset.saturating_sub(start)) };
        }
        let before = self.text.get(start..offset).unwrap_or_default();
        Position { line: one_based(line), column: one_based(before.encode_utf16().count()) }
    }

    /// The span between two byte offsets.
    pub(crate) fn span(&self, start: u32, end: u32) -> Span {
        Span { file: self.file.to_owned(), start: self.position(start), end: self.position(end) }
    }

    /// The span of the name or the one character that begins at `at`.
    pub(crate) fn token_at(&self, at: Position) -> Span {
        let line = usize::try_from(at.line.saturating_sub(1)).unwrap_or(usize::MAX);
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let skip = usize::try_from(at.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let rest = self.text.get(start..).unwrap_or_default();
        let token: u32 = rest
            .chars()
            .scan(0_usize, |units, char| {
                let before = *units;
                *units = units.saturating_add(char.len_utf16());
                Some((before, char))
            })
            .skip_while(|(before, _)| *before < skip)
            .take_while(|(_, char)| char.is_alphanumeric() || matches!(char, '_' | '$' | '.'))
            .map(|(_, char)| u32::try_from(char.len_utf16()).unwrap_or(1))
            .sum();
        let end = Position { line: at.line, column: at.column.saturating_add(token.max(1)) };
        Span { file: self.file.to_owned(), start: at, end }
    }
}

fn one_based(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_utf16_units() {
        let text = "a\r\nb\tc\n😀d\re";
        let lines = Lines::new("f", text);
        let at = |needle: &str| {
            let position = lines.position(u32::try_from(text.find(needle).unwrap()).unwrap());
            (position.line, position.column)
        };
        assert_eq!(
            [at("a"), at("b"), at("c"), at("😀"), at("d"), at("e")],
            [(1, 1), (2, 1), (2, 3), (3, 1), (3, 3), (4, 1)]
        );
        assert_eq!(lines.position(u32::MAX), lines.position(u32::try_from(text.len()).unwrap()));
    }
}
