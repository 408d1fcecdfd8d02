//! Byte offsets of a source text to positions as editors count them, and back.

use crate::source::{Position, Span};
use std::ops::Range;
use std::sync::Arc;

/// Where each line of one file begins.
#[derive(Debug)]
pub struct Lines<'t> {
    file: Arc<str>,
    text: &'t str,
    starts: Vec<usize>,
    /// Where bytes and UTF-16 units are not the same, the units before each [`STEP_BYTES`]th byte, or before the character that it is
    /// inside of: a column in a long line is counted from the nearest of these. Empty for most sources, which are ASCII.
    units: Vec<usize>,
}

/// Bytes between two places whose UTF-16 units are known.
const STEP_BYTES: usize = 256;

impl<'t> Lines<'t> {
    /// Finds the line starts: behind LF, CRLF, CR, U+2028 and U+2029, as JavaScript has it.
    pub fn new(file: &str, text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let ends = text.char_indices().filter(|(at, char)| match char {
            '\r' => bytes.get(at.saturating_add(1)) != Some(&b'\n'),
            '\n' | '\u{2028}' | '\u{2029}' => true,
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, char)| at.saturating_add(char.len_utf8()))).collect();
        let units = if text.is_ascii() { Vec::new() } else { units_before_steps(text) };
        Lines { file: file.into(), text, starts, units }
    }

    /// The byte offset of a position; of one behind its line or the text, where that ends, and inside of a character, where that begins.
    pub fn offset(&self, at: Position) -> usize {
        let line = self.line(at.line);
        let skip = usize::try_from(at.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let wanted = self.units_before(line.start).saturating_add(skip);
        let Some(step) = self.units.partition_point(|units| *units <= wanted).checked_sub(1) else {
            return self.text.floor_char_boundary(line.start.saturating_add(skip).min(line.end));
        };
        let from = self.text.floor_char_boundary(step.saturating_mul(STEP_BYTES)).clamp(line.start, line.end);
        let mut units = self.units_before(from);
        let rest = self.text.get(from..line.end).unwrap_or_default();
        let behind = rest.char_indices().find(|(_, char)| {
            units = units.saturating_add(char.len_utf16());
            units > wanted
        });
        behind.map_or(line.end, |(at, _)| from.saturating_add(at))
    }

    /// The bytes of a line, from 1, without its end; the text's end where there is no such line.
    pub fn line(&self, number: u32) -> Range<usize> {
        let index = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let start = self.starts.get(index).copied().unwrap_or(self.text.len());
        let end = index.checked_add(1).and_then(|next| self.starts.get(next)).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..end).unwrap_or_default();
        start..start.saturating_add(text.trim_end_matches(['\r', '\n', '\u{2028}', '\u{2029}']).len())
    }

    /// How many lines it has: one at least.
    pub fn count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// The position of a byte offset; offsets beyond the text are its end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let column = self.units_before(offset).saturating_sub(self.units_before(start));
        Position { line: one_based(line), column: one_based(column) }
    }

    /// The UTF-16 units of the text before a byte offset; that of a character where the offset is inside of one.
    fn units_before(&self, offset: usize) -> usize {
        let step = offset / STEP_BYTES;
        let Some(known) = self.units.get(step) else { return offset };
        let from = self.text.floor_char_boundary(step.saturating_mul(STEP_BYTES));
        let rest = self.text.get(from..self.text.floor_char_boundary(offset)).unwrap_or_default();
        known.saturating_add(rest.encode_utf16().count())
    }

    /// The span between two byte offsets.
    pub fn span(&self, start: u32, end: u32) -> Span {
        Span { file: Arc::clone(&self.file), start: self.position(start), end: self.position(end) }
    }

    /// The span of the name or the one character that begins at `at`.
    pub fn token_at(&self, at: Position) -> Span {
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
        Span { file: Arc::clone(&self.file), start: at, end }
    }
}

/// The UTF-16 units before each [`STEP_BYTES`]th byte, or before the character that it is inside of.
fn units_before_steps(text: &str) -> Vec<usize> {
    let (mut units, mut known) = (0_usize, Vec::with_capacity(text.len() / STEP_BYTES));
    for (at, char) in text.char_indices() {
        let end = at.saturating_add(char.len_utf8());
        while known.len().saturating_mul(STEP_BYTES) < end {
            known.push(units);
        }
        units = units.saturating_add(char.len_utf16());
    }
    known
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
        let line = |number| text.get(lines.line(number)).unwrap();
        assert_eq!((1..=5).map(line).collect::<Vec<_>>(), ["a", "b\tc", "😀d", "e", ""]);
        let offset = |line, column| lines.offset(Position { line, column });
        assert_eq!(offset(1, 9), 1, "behind its line");
        assert_eq!(offset(3, 2), offset(3, 1), "inside of a character");
        assert_eq!([offset(9, 1), offset(u32::MAX, u32::MAX)], [text.len(); 2]);
        assert_eq!(offset(0, 0), 0);
    }

    #[test]
    fn columns_of_a_long_line_are_those_of_counting_it_all() {
        let text: String = (0..3_000).map(|number| ["a", "é", "√", "😀", "\n"][number * 7 % 13 % 5]).collect();
        let text = format!("{}{}", text.replace('\n', ""), text);
        let lines = Lines::new("f", &text);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let start = text.get(..at).unwrap().rfind('\n').map_or(0, |end| end + 1);
            let column = u32::try_from(text.get(start..at).unwrap().encode_utf16().count()).unwrap() + 1;
            let position = lines.position(u32::try_from(at).unwrap());
            assert_eq!(position.column, column, "{at}");
            assert_eq!(lines.offset(position), at);
        }
    }
}
