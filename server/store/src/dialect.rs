//! A statement's text, as it stands in the sources, in the form of each database: worked out when the program is compiled, never when it runs.
//!
//! The sources' dialect is SQLite's: `?1` for a parameter, `json_each(?1)` for a list of texts as rows of one column `value`,
//! `IN (SELECT value FROM json_each(?1))` for what is among them, `json_object`
//! and `json_group_array` for rows within a row, and what only PostgreSQL needs in `/*pg … */`.

/// A text under construction: its bytes, as far as there is room for them, and how long the whole is. Without room it only measures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form<const LENGTH: usize> {
    bytes: [u8; LENGTH],
    /// Length of the whole text, in bytes.
    pub(crate) length: usize,
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated when the program is compiled: what is out of range does not compile"
)]
impl<const LENGTH: usize> Form<LENGTH> {
    const EMPTY: Form<LENGTH> = Form { bytes: [0; LENGTH], length: 0 };

    /// SQLite's form: without what only PostgreSQL needs.
    pub(crate) const fn sqlite(text: &str) -> Form<LENGTH> {
        let (text, mut form, mut at) = (text.as_bytes(), Form::EMPTY, 0);
        while at < text.len() {
            if starts_with(text, at, b"/*pg") {
                while !starts_with(text, at, b"*/") {
                    at += 1;
                }
                at += 2;
            } else {
                form.push(text[at]);
                at += 1;
            }
        }
        form
    }

    /// PostgreSQL's form: `$1` for `?1`, `/*pg … */` bared, an array of texts for `json_each`, its own names of functions of JSON.
    pub(crate) const fn postgres(text: &str) -> Form<LENGTH> {
        let (text, mut form, mut at) = (text.as_bytes(), Form::EMPTY, 0);
        while at < text.len() {
            if starts_with(text, at, b"/*pg") {
                at += 4;
            } else if starts_with(text, at, b"*/") {
                at += 2;
            } else if starts_with(text, at, b"IN (SELECT value FROM json_each(?") {
                // As a list it is looked up in an index. As rows it is joined, and what is joined is gone through as long as little is known of it.
                at += b"IN (SELECT value FROM json_each(?".len();
                form.push_all(b"= ANY($");
                at = form.push_digits(text, at) + b"))".len();
                form.push_all(b"::text[])");
            } else if starts_with(text, at, b"json_each(?") {
                at += b"json_each(?".len();
                form.push_all(b"UNNEST($");
                at = form.push_digits(text, at) + b")".len();
                form.push_all(b"::text[]) AS value");
            } else if starts_with(text, at, b"json_object(") {
                at += b"json_object(".len();
                form.push_all(b"json_build_object(");
            } else if starts_with(text, at, b"json_group_array(") {
                at += b"json_group_array(".len();
                form.push_all(b"json_agg(");
            } else {
                form.push(if text[at] == b'?' { b'$' } else { text[at] });
                at += 1;
            }
        }
        form
    }

    /// PostgreSQL's form of an `INSERT … VALUES (?1, …) …` for many rows at once: an array for each column, of these types.
    pub(crate) const fn postgres_rows(text: &str, types: &[&str]) -> Form<LENGTH> {
        let (text, mut form, mut at) = (text.as_bytes(), Form::EMPTY, 0);
        while !starts_with(text, at, b"VALUES (") {
            form.push(text[at]);
            at += 1;
        }
        form.push_all(b"SELECT * FROM UNNEST(");
        let mut column = 0;
        while column < types.len() {
            form.push_all(if column == 0 { b"$" } else { b", $" });
            form.push_number(column + 1);
            form.push_all(b"::");
            form.push_all(types[column].as_bytes());
            form.push_all(b"[]");
            column += 1;
        }
        while text[at] != b')' {
            at += 1;
        }
        while at < text.len() {
            form.push(text[at]);
            at += 1;
        }
        form
    }

    const fn push(&mut self, byte: u8) {
        if self.length < LENGTH {
            self.bytes[self.length] = byte;
        }
        self.length += 1;
    }

    const fn push_all(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() {
            self.push(bytes[at]);
            at += 1;
        }
    }

    /// Pushes what stands from a place up to the next bracket. Returns where that is.
    const fn push_digits(&mut self, text: &[u8], mut at: usize) -> usize {
        while text[at] != b')' {
            self.push(text[at]);
            at += 1;
        }
        at
    }

    const fn push_number(&mut self, number: usize) {
        if number > 9 {
            self.push_number(number / 10);
        }
        self.push(b"0123456789"[number % 10]);
    }

    /// The text.
    #[expect(clippy::panic, reason = "a text that is no text does not compile")]
    pub(crate) const fn text(&self) -> &str {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) if self.length == LENGTH => text,
            _ => panic!("the form of a statement is not whole"),
        }
    }
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated when the program is compiled: what is out of range does not compile"
)]
const fn starts_with(text: &[u8], at: usize, start: &[u8]) -> bool {
    let mut length = 0;
    while length < start.len() {
        if at + length >= text.len() || text[at + length] != start[length] {
            return false;
        }
        length += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(form: Form<1_000>) -> String {
        String::from_utf8(form.bytes[..form.length].to_vec()).unwrap()
    }

    #[test]
    fn a_statement_has_a_form_for_each_database() {
        let text =
            "SELECT a FROM t WHERE b = ?1 AND c IN (SELECT value FROM json_each(?2)) LIMIT ?10 /*pg FOR UPDATE */";
        let sqlite = "SELECT a FROM t WHERE b = ?1 AND c IN (SELECT value FROM json_each(?2)) LIMIT ?10 ";
        let postgres = "SELECT a FROM t WHERE b = $1 AND c = ANY($2::text[]) LIMIT $10  FOR UPDATE ";
        assert_eq!(whole(Form::sqlite(text)), sqlite);
        assert_eq!(whole(Form::postgres(text)), postgres);
        assert_eq!(Form::<0>::postgres(text).length, postgres.len(), "it is measured without room");
        let list = "SELECT a.value FROM (SELECT value FROM json_each(?1)) a";
        assert_eq!(
            whole(Form::postgres(list)),
            "SELECT a.value FROM (SELECT value FROM UNNEST($1::text[]) AS value) a"
        );
        let rows = "SELECT json_group_array(json_object('a', t.a) ORDER BY t.a) FROM t";
        assert_eq!(whole(Form::sqlite(rows)), rows);
        assert_eq!(whole(Form::postgres(rows)), "SELECT json_agg(json_build_object('a', t.a) ORDER BY t.a) FROM t");
    }

    #[test]
    fn one_row_becomes_many() {
        let text = "INSERT INTO t (a, b) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        let rows = "INSERT INTO t (a, b) SELECT * FROM UNNEST($1::int8[], $2::text[]) ON CONFLICT DO NOTHING";
        assert_eq!(whole(Form::postgres_rows(text, &["int8", "text"])), rows);
        let types = ["text"; 12];
        assert!(
            whole(Form::postgres_rows(text, &types)).contains("$9::text[], $10::text[], $11::text[], $12::text[])")
        );
    }
}
