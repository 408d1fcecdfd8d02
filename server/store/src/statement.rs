//! Statements of SQL. Each stands once in the sources, where it is used, and has its form for each database when the program is compiled
//! ([`crate::dialect`]). All of them are registered, so that a test prepares each on every database.

use linkme::distributed_slice;
use std::sync::{Arc, OnceLock};

/// A statement, as each database reads it.
#[derive(Debug)]
pub struct Statement {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
    /// Names of the columns that it returns, by its text, so everywhere the same.
    pub(crate) columns: OnceLock<Arc<[String]>>,
}

impl Statement {
    /// Names of the columns that it returns, which a database has told by now.
    pub(crate) fn columns(&self, told: impl FnOnce() -> Vec<String>) -> Arc<[String]> {
        Arc::clone(self.columns.get_or_init(|| told().into()))
    }
}

/// A statement for any number of rows. Both databases run it row by row; PostgreSQL also takes many rows at once, as an array for each column.
#[derive(Debug)]
pub struct RowsStatement {
    pub(crate) one: Statement,
    pub(crate) many: &'static str,
}

/// A statement, and where it stands.
#[derive(Debug)]
pub struct Registered {
    pub(crate) statement: &'static Statement,
    pub(crate) many: Option<&'static str>,
    /// The file, from the workspace's folder on.
    pub file: &'static str,
    /// The line in it.
    pub line: u32,
}

impl Registered {
    /// Its text for SQLite.
    pub fn sqlite(&self) -> &'static str {
        self.statement.sqlite
    }

    /// Its text for PostgreSQL.
    pub fn postgres(&self) -> &'static str {
        self.statement.postgres
    }

    /// Its text for many rows at once, for PostgreSQL, where it has one.
    pub fn many(&self) -> Option<&'static str> {
        self.many
    }
}

/// Every statement of the store; the linker puts them together.
#[distributed_slice]
pub static STATEMENTS: [Registered];

/// A form of a text, as a constant.
macro_rules! form {
    ($form:ident($($argument:expr),+)) => {{
        const LENGTH: usize = $crate::dialect::Form::<0>::$form($($argument),+).length;
        const FORM: &$crate::dialect::Form<LENGTH> = &$crate::dialect::Form::$form($($argument),+);
        FORM.text()
    }};
}
pub(crate) use form;

/// Registers a statement with its place.
macro_rules! registered {
    ($statement:expr, $many:expr) => {
        #[expect(unsafe_code, reason = "the section that the linker makes the list of")]
        #[linkme::distributed_slice($crate::statement::STATEMENTS)]
        static REGISTERED: $crate::statement::Registered =
            $crate::statement::Registered { statement: $statement, many: $many, file: file!(), line: line!() };
    };
}
pub(crate) use registered;

/// A statement: a text for both databases in the dialect of [`crate::dialect`], or, where they truly differ, a text for each.
macro_rules! sql {
    ($text:expr) => {
        $crate::statement::sql!(sqlite: $text, postgres: $text)
    };
    (sqlite: $sqlite:expr, postgres: $postgres:expr) => {{
        static STATEMENT: $crate::statement::Statement = $crate::statement::Statement {
            sqlite: $crate::statement::form!(sqlite($sqlite)),
            postgres: $crate::statement::form!(postgres($postgres)),
            columns: std::sync::OnceLock::new(),
        };
        $crate::statement::registered!(&STATEMENT, None);
        &STATEMENT
    }};
}
pub(crate) use sql;

/// A statement for any number of rows: an `INSERT … VALUES (?1, …) …`, and PostgreSQL's types of its parameters; or a text for one row, and
/// one for many at once.
macro_rules! rows_sql {
    (one: $one:expr, many: $many:expr) => {{
        static STATEMENT: $crate::statement::RowsStatement = $crate::statement::RowsStatement {
            one: $crate::statement::Statement {
                sqlite: $crate::statement::form!(sqlite($one)),
                postgres: $crate::statement::form!(postgres($one)),
                columns: std::sync::OnceLock::new(),
            },
            many: $crate::statement::form!(postgres($many)),
        };
        $crate::statement::registered!(&STATEMENT.one, Some(STATEMENT.many));
        &STATEMENT
    }};
    ($text:expr, $($kind:ident)+) => {{
        static STATEMENT: $crate::statement::RowsStatement = $crate::statement::RowsStatement {
            one: $crate::statement::Statement {
                sqlite: $crate::statement::form!(sqlite($text)),
                postgres: $crate::statement::form!(postgres($text)),
                columns: std::sync::OnceLock::new(),
            },
            many: $crate::statement::form!(postgres_rows($text, &[$(stringify!($kind)),+])),
        };
        $crate::statement::registered!(&STATEMENT.one, Some(STATEMENT.many));
        &STATEMENT
    }};
}
pub(crate) use rows_sql;
