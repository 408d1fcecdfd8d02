//! Colours for what is typed, while it is typed. Text that is not finished has them, too, and so has what is no TypeScript at all: it is
//! read here by its looks alone, and only colours come of that.

use super::command::COMMANDS;

const COMMAND: &str = "\x1b[36m";
const KEYWORD: &str = "\x1b[35m";
const TEXT: &str = "\x1b[32m";
const NUMBER: &str = "\x1b[33m";
const COMMENT: &str = "\x1b[90m";
const PLAIN: &str = "\x1b[0m";

/// Words of the language.
const KEYWORDS: &[&str] = &[
    "as",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "of",
    "return",
    "satisfies",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "yield",
];

/// The line with its colours. Without them it is the same, character by character.
pub(super) fn highlighted(line: &str) -> String {
    let command =
        line.split(' ').next().filter(|head| COMMANDS.iter().any(|(name, ..)| name == head && head.starts_with('.')));
    if let Some(command) = command {
        return format!("{COMMAND}{command}{PLAIN}{}", line.get(command.len()..).unwrap_or_default());
    }
    let mut told = String::with_capacity(line.len().saturating_mul(2));
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (length, color) = token(rest, first);
        let (text, after) = rest.split_at(length.clamp(first.len_utf8(), rest.len()));
        match color {
            Some(color) => told.push_str(&format!("{color}{text}{PLAIN}")),
            None => told.push_str(text),
        }
        rest = after;
    }
    told
}

/// How long what stands at the beginning is, in bytes, and its colour.
fn token(rest: &str, first: char) -> (usize, Option<&'static str>) {
    let until = |is_over: fn(char) -> bool| rest.find(is_over).unwrap_or(rest.len());
    match first {
        '"' | '\'' | '`' => (quoted(rest, first), Some(TEXT)),
        '/' if rest.starts_with("//") => (until(|char| char == '\n'), Some(COMMENT)),
        '/' if rest.starts_with("/*") => {
            (rest.find("*/").map_or(rest.len(), |end| end.saturating_add("*/".len())), Some(COMMENT))
        }
        '0'..='9' => (until(|char| !is_name(char) && char != '.'), Some(NUMBER)),
        _ if is_name(first) => {
            let length = until(|char| !is_name(char));
            let is_keyword = rest.get(..length).is_some_and(|word| KEYWORDS.contains(&word));
            (length, is_keyword.then_some(KEYWORD))
        }
        _ => (first.len_utf8(), None),
    }
}

/// How long a text in quotes is: to its end, or to that of the line where it has none.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' if quote != '`' => return at,
            _ if char == quote => return at.saturating_add(quote.len_utf8()),
            _ => {}
        }
    }
    rest.len()
}

fn is_name(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a letter in place of each colour.
    fn shown(line: &str) -> String {
        let mut told = highlighted(line);
        for (color, letter) in
            [(COMMAND, "<c "), (KEYWORD, "<k "), (TEXT, "<t "), (NUMBER, "<n "), (COMMENT, "<# "), (PLAIN, ">")]
        {
            told = told.replace(color, letter);
        }
        told
    }

    #[test]
    fn words_texts_numbers_and_comments_have_colours() {
        assert_eq!(shown("const a1 = 1_000.5 + n2;"), "<k const> a1 = <n 1_000.5> + n2;");
        assert_eq!(shown(r#"f("a\"b", 'c', `d${1}`)"#), r#"f(<t "a\"b">, <t 'c'>, <t `d${1}`>)"#);
        assert_eq!(shown("a // b 1\nc /* d */ e"), "a <# // b 1>\nc <# /* d */> e");
        assert_eq!(shown(".ir plans.pro"), "<c .ir> plans.pro");
        assert_eq!(shown(".irs 1"), ".irs <n 1>");
        assert_eq!(shown("c"), "c");
    }

    #[test]
    fn what_is_not_finished_has_them_too_and_loses_nothing() {
        assert_eq!(shown("x = \"a\ny = 'b"), "x = <t \"a>\ny = <t 'b>");
        assert_eq!(shown("/* never ends"), "<# /* never ends>");
        for line in ["", "\"", "\\", "é\"é\\", "`\n\u{1F600}", "/*", "1.e9.ü"] {
            let mut plain = highlighted(line);
            for color in [COMMAND, KEYWORD, TEXT, NUMBER, COMMENT, PLAIN] {
                plain = plain.replace(color, "");
            }
            assert_eq!(plain, line);
        }
    }
}
