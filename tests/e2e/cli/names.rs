//! What varies from run to run, or with the package's version, gets a name: the same thing the same name, in the order of coming.

use std::collections::BTreeMap;

/// Fewest hexadecimal digits that are no word: an id has 32, a hash and a token 64.
const DIGITS_MIN: usize = 32;
/// `2026-01-01T00:00:00`, before fractions and the zone.
const MOMENT_MASK: &str = "0000-00-00T00:00:00";

/// The first port that a system gives to who asks for any.
const FREE_PORTS: u16 = 10_000;

/// Texts and their names.
#[derive(Default)]
pub(super) struct Names {
    known: Vec<(String, String)>,
    seen: BTreeMap<String, String>,
}

impl Names {
    /// From here on, this text has this name.
    pub(super) fn call(&mut self, text: &str, name: &str) {
        self.known.push((text.to_owned(), name.to_owned()));
    }

    /// A text with names instead of what varies; tables are laid out anew, since names have other widths.
    pub(super) fn apply(&mut self, text: &str) -> String {
        let mut shown = String::new();
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            let columns = columns(line);
            if columns.len() < 3 {
                shown += &self.line(line);
                continue;
            }
            let mut rows = vec![cells(line, &columns)];
            while let Some(row) = lines.next_if(|line| line.contains("  ")) {
                rows.push(cells(row, &columns).iter().map(|cell| self.line(cell)).collect());
            }
            shown += &layout(&rows);
        }
        shown
    }

    fn line(&mut self, line: &str) -> String {
        let known = self.known.iter().fold(line.to_owned(), |line, (text, name)| line.replace(text, name));
        let is_word = |char: char| char.is_ascii_alphanumeric() || "_:.-".contains(char);
        let mut shown = String::new();
        let mut rest = known.as_str();
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|char| is_word(char) != is_word(first)).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            shown += &self.word(part);
            rest = after;
        }
        shown
    }

    /// An end of a sentence is no part of what varies.
    fn word(&mut self, word: &str) -> String {
        let bare = word.trim_end_matches(['.', ':']);
        let after = &word[bare.len()..];
        if is_moment(bare) {
            return format!("<moment>{after}");
        }
        if is_address(bare) {
            return format!("<address>{after}");
        }
        let Some(kind) = kind(bare) else { return word.to_owned() };
        let count = self.seen.values().filter(|name| name.starts_with(&format!("<{kind} "))).count();
        let name = self.seen.entry(bare.to_owned()).or_insert_with(|| format!("<{kind} {}>", count + 1));
        format!("{name}{after}")
    }
}

fn is_moment(word: &str) -> bool {
    let mask = |char: char| if char.is_ascii_digit() { '0' } else { char };
    let masked: String = word.chars().map(mask).collect();
    masked.strip_prefix(MOMENT_MASK).is_some_and(|rest| rest.ends_with('Z'))
}

/// A port of this machine that was free.
fn is_address(word: &str) -> bool {
    word.strip_prefix("127.0.0.1:").and_then(|port| port.parse::<u16>().ok()).is_some_and(|port| port >= FREE_PORTS)
}

/// What an id, a token or a hash is of: `bld`, `token deploy`, `hash`.
fn kind(word: &str) -> Option<String> {
    let (head, digits) = word.rsplit_once(['_', ':'])?;
    let is_hex = digits.len() >= DIGITS_MIN && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let kind = match head.strip_prefix("svc_") {
        Some(token) => format!("{token} token"),
        None if head == "sha256" => "hash".to_owned(),
        None => head.to_owned(),
    };
    is_hex.then_some(kind)
}

/// Where the columns of a table begin, if this is a line of column names: capitals, two spaces or more apart.
fn columns(line: &str) -> Vec<usize> {
    let is_capital = |char: char| char.is_ascii_uppercase() || "- ()cn\n".contains(char);
    if !line.starts_with(|char: char| char.is_ascii_uppercase()) || !line.chars().all(is_capital) {
        return Vec::new();
    }
    let begins = |at: &usize| *at == 0 || (line[..*at].ends_with("  ") && !line[*at..].starts_with([' ', '\n']));
    (0..line.len()).filter(begins).collect()
}

/// The cells of a row. That they stand below the names is what makes them so.
fn cells(row: &str, columns: &[usize]) -> Vec<String> {
    let chars: Vec<char> = row.trim_end().chars().collect();
    let ends = columns.iter().skip(1).copied().chain([usize::MAX]);
    let cell = |(start, end): (&usize, usize)| {
        chars.get(*start..end.min(chars.len())).unwrap_or_default().iter().collect::<String>().trim_end().to_owned()
    };
    columns.iter().zip(ends).map(cell).collect()
}

fn layout(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().enumerate().map(|(n, cell)| format!("{cell:0$}", width(n))).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

#[test]
fn what_varies_has_a_name_and_the_rest_stays() {
    let mut names = Names::default();
    names.call("http://127.0.0.1:45367", "<service>");
    let id = |digit: &str| digit.repeat(DIGITS_MIN);
    let text = format!("bld_{} and bld_{}, bld_{}: http://127.0.0.1:45367/v1", id("1"), id("2"), id("1"));
    assert_eq!(names.apply(&text), "<bld 1> and <bld 2>, <bld 1>: <service>/v1");
    let hash = format!("\"sha256:{}\" 2026-01-02T03:04:05.678Z svc_portal_{}", id("ab"), id("cd"));
    assert_eq!(names.apply(&hash), "\"<hash 1>\" <moment> <portal token 1>");
    for plain in ["product/product.config.ts:5:61", "sha256: 0 done", "2026-01-02", "      --> f.ts:1:2\n   |    ^^"] {
        assert_eq!(names.apply(plain), plain);
    }
}

#[test]
fn a_table_is_laid_out_for_the_names() {
    let (id, moment) = (format!("sub_{}", "0".repeat(DIGITS_MIN)), "2026-01-02T03:04:05.6Z");
    let table = format!(
        "{:36}  AT                      FEE (c)\n{id}  {moment}  5\n{:36}                          -\nend\n",
        "ID", "x"
    );
    let shown = "ID       AT        FEE (c)\n<sub 1>  <moment>  5\nx                  -\nend\n";
    assert_eq!(Names::default().apply(&table), shown);
}
