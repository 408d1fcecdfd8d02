//! How long the texts of a diagnostic may be, and how text of an author's is shown.

/// Longest message, hint or path of a diagnostic, in characters; what is longer ends in `…`.
pub const TEXT_MAX_CHARS: usize = 400;

/// The text, or as much of it as a diagnostic holds.
pub(crate) fn cut(mut text: String) -> String {
    let mut places = text.char_indices().map(|(at, _)| at).skip(TEXT_MAX_CHARS - 1);
    if let (Some(end), Some(_)) = (places.next(), places.next()) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The first characters of a text, one more than a diagnostic holds, so that cutting what they are in shows that more was
/// there.
pub(crate) fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(TEXT_MAX_CHARS + 1).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// Text of an author's with everything a terminal or a page might obey made visible.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if is_unsafe(char) { shown.extend(char.escape_unicode()) } else { shown.push(char) }
    }
    shown
}

/// Control characters other than line feed and tab, and the marks that turn the direction of text.
pub fn is_unsafe(char: char) -> bool {
    let turns = matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}');
    turns || (char.is_control() && !matches!(char, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_are_shown_and_not_sent() {
        assert_eq!(visible("a\u{1b}[31mb\u{202e}c\td\n"), "a\\u{1b}[31mb\\u{202e}c\td\n");
    }

    #[test]
    fn a_text_is_cut_between_characters_and_says_so() {
        for letter in ["a", "é", "𝒳"] {
            let fits = letter.repeat(TEXT_MAX_CHARS);
            assert_eq!(cut(fits.clone()), fits);
            let long = cut(letter.repeat(TEXT_MAX_CHARS + 1));
            assert_eq!((long.chars().count(), long.ends_with('…')), (TEXT_MAX_CHARS, true));
            assert_eq!(beginning(&letter.repeat(9_000)).chars().count(), TEXT_MAX_CHARS + 1);
        }
    }
}
