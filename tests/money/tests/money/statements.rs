//! Statements of SQL: each is prepared on every database, and none is forgotten.

use std::collections::BTreeSet;
use std::path::Path;
use svc_money_tests::stores::{Fresh, FreshPostgres, FreshSqlite};
use svc_store::statement::{Registered, STATEMENTS};

svc_money_tests::on_both_stores! {
    every_statement_is_prepared,
}

/// Where a statement stands, with what is said of it.
fn at(statement: &Registered, what: &str) -> String {
    format!("{}:{}: {what}", statement.file, statement.line)
}

/// What is wrong with a statement's columns: rows are read by their names.
fn twice(columns: &[String]) -> Option<String> {
    let mut seen = BTreeSet::new();
    let again = columns.iter().find(|column| !seen.insert(column.as_str()));
    again.map(|column| format!("it returns two columns {column:?}"))
}

async fn every_statement_is_prepared(fresh: &impl Fresh) {
    let _tables = fresh.open().await;
    let prepared = fresh.prepare(&STATEMENTS).await;
    let problem = |result: &Result<Vec<String>, String>| match result {
        Err(refused) => Some(refused.clone()),
        Ok(columns) => twice(columns),
    };
    let wrong =
        STATEMENTS.iter().zip(&prepared).filter_map(|(statement, result)| Some(at(statement, &problem(result)?)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(prepared.len(), STATEMENTS.len());
}

/// A row is read alike whichever database it comes from.
#[test]
fn every_statement_returns_the_same_columns_everywhere() {
    svc_money_tests::block_on(async {
        let (sqlite, postgres) = (FreshSqlite::new().await, FreshPostgres::new().await);
        let _tables = (sqlite.open().await, postgres.open().await);
        let (one, other) = (sqlite.prepare(&STATEMENTS).await, postgres.prepare(&STATEMENTS).await);
        let differ = STATEMENTS.iter().zip(one.into_iter().zip(other)).filter(|(_, (one, other))| one != other);
        let differ: Vec<String> = differ.map(|(statement, both)| at(statement, &format!("{both:?}"))).collect();
        assert!(differ.is_empty(), "{}", differ.join("\n"));
    });
}

/// Tables that grow with what subscribers use.
const GROWING: &[&str] = &[
    "usage_items",
    "charges",
    "periods",
    "windows",
    "window_levels",
    "period_keys",
    "buckets",
    "ledger_transactions",
    "holds",
];

/// Indexes of what waits to be done, which is gone through as a whole.
const WAITING: &[&str] = &["holds_open"];

/// Whether a line of SQLite's plan goes through such a table from end to end, or through all that a business has in it; subscriptions are
/// listed by business, and no more.
fn is_wide(statement: &Registered, line: &str) -> bool {
    let mut words = line.split(' ');
    let (Some(how), Some(name)) = (words.next(), words.next()) else { return false };
    let is_of = |table: &str| table == name || statement.sqlite().contains(&format!("{table} {name} "));
    let is_growing = GROWING.iter().any(|table| is_of(table));
    let is_whole = how == "SCAN" && !WAITING.iter().any(|index| line.ends_with(index));
    is_whole && (is_growing || is_of("subscriptions")) || is_growing && line.ends_with("(business_id=?)")
}

#[test]
fn no_statement_goes_through_all_that_a_business_has_used() {
    svc_money_tests::block_on(async {
        let fresh = FreshSqlite::new().await;
        let _tables = fresh.open().await;
        let plans = fresh.plans(&STATEMENTS);
        let lines = STATEMENTS.iter().zip(&plans).flat_map(|(statement, plan)| {
            plan.iter().filter(|line| is_wide(statement, line)).map(move |line| at(statement, line))
        });
        let lines: Vec<String> = lines.collect();
        assert!(lines.is_empty(), "{}", lines.join("\n"));
    });
}

/// What stands in statements that PostgreSQL may plan otherwise until it knows the rows: pages of comparisons of many bills, and whose a bucket is.
const RARE: &[&str] = &["p.subscription_id || '/' || p.period", "b.business_id = $1 AND b.id = $2"];

/// What PostgreSQL's plan of a statement goes through from end to end, or through all that a business has in it. An index by which rows are found
/// is named on one line, and by what they are found on the next.
fn wide_in_postgres(plan: &[String]) -> Vec<&str> {
    let is_growing = |line: &str| GROWING.iter().any(|table| line.contains(&format!(" on {table}")));
    let through = plan.iter().enumerate().filter(|(at, line)| {
        let by = plan.get(at + 1).and_then(|next| next.trim().strip_prefix("Index Cond: "));
        let is_narrow = by.is_some_and(|by| by.contains(" AND ") || !by.contains("business_id"));
        let is_index = line.contains("Index Scan using ") || line.contains("Index Only Scan using ");
        is_growing(line) && (line.contains("Seq Scan on ") || is_index && !is_narrow)
            || line.contains("Bitmap Index Scan on ") && is_growing(line) && !is_narrow
    });
    through.map(|(_, line)| line.trim()).filter(|line| !WAITING.iter().any(|index| line.contains(index))).collect()
}

#[test]
fn nor_does_one_of_postgres_that_knows_nothing_of_the_rows() {
    svc_money_tests::block_on(async {
        let fresh = FreshPostgres::new().await;
        let _tables = fresh.open().await;
        let mut wide = Vec::new();
        for (statement, plan) in STATEMENTS.iter().zip(fresh.plans(&STATEMENTS).await) {
            let plan = plan.unwrap_or_else(|refused| panic!("{}", at(statement, &refused)));
            if RARE.iter().any(|text| statement.postgres().contains(text)) {
                continue;
            }
            wide.extend(wide_in_postgres(&plan).into_iter().map(|line| at(statement, line)));
        }
        assert!(wide.is_empty(), "{}", wide.join("\n"));
    });
}

/// A preview asks which version there is: by subject, before PostgreSQL knows how many subscriptions there are.
#[test]
fn versions_are_looked_at_by_subject_even_where_nothing_is_known_of_the_rows() {
    svc_money_tests::block_on(async {
        let fresh = FreshPostgres::new().await;
        let _tables = fresh.open().await;
        let plans = fresh.plans(&STATEMENTS).await;
        let looks = STATEMENTS.iter().zip(plans).filter(|(statement, _)| statement.postgres().contains("s.version"));
        let plans: Vec<Vec<String>> = looks.map(|(_, plan)| plan.unwrap()).collect();
        let [plan] = &plans[..] else { panic!("{plans:?}") };
        let by = |table: &str| {
            let at = plan.iter().position(|line| line.contains(&format!(" on {table}"))).unwrap();
            plan[at + 1].trim().to_owned()
        };
        assert!(by("subscriptions").starts_with("Index Cond: ((business_id = $1) AND (subject = "), "{plan:#?}");
        assert!(by("releases").starts_with("Index Cond: ((business_id = $1) AND (id = "), "{plan:#?}");
    });
}

/// The linker makes the list: it has as many statements as stand in the sources.
#[test]
fn no_statement_is_forgotten() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../server/store/src");
    let mut written = 0;
    let mut folders = vec![sources];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") && !path.ends_with("statement.rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                // Not the fragments that several share, such as `charge_sql!`.
                let is_whole = |before: &&str| !before.ends_with('_') || before.ends_with("rows_");
                let pieces: Vec<&str> = text.split("sql!(").collect();
                written += pieces.iter().rev().skip(1).filter(|before| is_whole(before)).count();
            }
        }
    }
    assert_eq!(STATEMENTS.len(), written);
}
