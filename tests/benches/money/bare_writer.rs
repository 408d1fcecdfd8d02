//! The yardstick of intake: a program that writes the rows that intake wrote, in the same batches, to tables like those, and does nothing else.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Row, Statement};

/// A table that a batch writes to: how its rows of a subscription are found, in the order in which they were written, and what becomes of a
/// row that is there already. A batch writes as many rows as it has charges, or the one that there is.
struct Table {
    name: &'static str,
    rows: &'static str,
    /// Nothing where there never is one.
    key: Option<&'static str>,
}

const TABLES: [Table; 7] = [
    Table { name: "windows", rows: "t.subscription_id = $1 ORDER BY t.window_start", key: Some("business_id, id") },
    Table {
        name: "window_levels",
        rows: "t.window_id IN (SELECT id FROM windows WHERE subscription_id = $1)",
        key: Some("business_id, window_id, meter"),
    },
    Table {
        name: "usage_items",
        // An item's name is its batch's number and its own.
        rows: "t.subscription_id = $1 ORDER BY SPLIT_PART(t.id, '-', 1)::int8, SPLIT_PART(t.id, '-', 2)::int8",
        key: None,
    },
    Table { name: "charges", rows: "t.subscription_id = $1 ORDER BY t.position", key: None },
    Table { name: "subscriptions", rows: "t.id = $1", key: Some("business_id, id") },
    Table {
        name: "periods",
        rows: "t.subscription_id = $1 ORDER BY t.period",
        key: Some("business_id, subscription_id, period"),
    },
    Table { name: "ledger_transactions", rows: "t.subscription_id = $1 ORDER BY t.id", key: None },
];

/// What a column holds.
enum Column {
    Texts(Vec<Option<String>>),
    Numbers(Vec<Option<i64>>),
    Moments(Vec<Option<SystemTime>>),
    Truths(Vec<Option<bool>>),
}

impl Column {
    fn of(rows: &[Row], index: usize) -> Column {
        let column = rows[0].columns()[index].type_();
        match *column {
            Type::TEXT => Column::Texts(rows.iter().map(|row| row.get(index)).collect()),
            Type::INT8 => Column::Numbers(rows.iter().map(|row| row.get(index)).collect()),
            Type::TIMESTAMPTZ => Column::Moments(rows.iter().map(|row| row.get(index)).collect()),
            Type::BOOL => Column::Truths(rows.iter().map(|row| row.get(index)).collect()),
            ref other => panic!("a column of {other}"),
        }
    }

    fn array_type(&self) -> &'static str {
        match self {
            Column::Texts(_) => "text[]",
            Column::Numbers(_) => "int8[]",
            Column::Moments(_) => "timestamptz[]",
            Column::Truths(_) => "bool[]",
        }
    }

    fn part(&self, range: Range<usize>) -> Box<dyn ToSql + Sync + Send> {
        match self {
            Column::Texts(all) => Box::new(all[range].to_vec()),
            Column::Numbers(all) => Box::new(all[range].to_vec()),
            Column::Moments(all) => Box::new(all[range].to_vec()),
            Column::Truths(all) => Box::new(all[range].to_vec()),
        }
    }
}

/// The rows of one subscription in one table.
struct Written {
    insert: String,
    columns: Vec<Column>,
    rows: usize,
}

impl Written {
    async fn read(client: &Client, table: &Table, subscription: &str) -> Written {
        let rows =
            client.query(&format!("SELECT t.* FROM {} t WHERE {}", table.name, table.rows), &[&subscription]).await;
        let rows = rows.unwrap();
        let columns: Vec<Column> = (0..rows[0].len()).map(|index| Column::of(&rows, index)).collect();
        let names: Vec<&str> = rows[0].columns().iter().map(tokio_postgres::Column::name).collect();
        let arrays = (1..).zip(&columns).map(|(number, column)| format!("${number}::{}", column.array_type()));
        let arrays: Vec<String> = arrays.collect();
        let put = names.iter().map(|name| format!("{name} = excluded.{name}")).collect::<Vec<_>>().join(", ");
        let conflict = match table.key {
            None => String::new(),
            Some(key) => format!(" ON CONFLICT ({key}) DO UPDATE SET {put}"),
        };
        let insert = format!(
            "INSERT INTO bare_{} ({}) SELECT * FROM UNNEST({}){conflict}",
            table.name,
            names.join(", "),
            arrays.join(", ")
        );
        Written { insert, columns, rows: rows.len() }
    }

    /// Its rows of a range.
    fn part(&self, range: &Range<usize>) -> Vec<Box<dyn ToSql + Sync + Send>> {
        self.columns.iter().map(|column| column.part(range.clone())).collect()
    }
}

/// Everything that was written of a subscription, and of how many charges.
struct Subscription {
    tables: Vec<Written>,
    charges: usize,
}

impl Subscription {
    async fn read(client: &Client, id: &str) -> Subscription {
        let mut tables = Vec::new();
        for table in &TABLES {
            tables.push(Written::read(client, table, id).await);
        }
        let charges = tables.iter().map(|table| table.rows).max().unwrap_or_default();
        Subscription { tables, charges }
    }

    /// What a batch of these charges writes, table by table.
    fn part(&self, charges: &Range<usize>) -> Vec<Vec<Box<dyn ToSql + Sync + Send>>> {
        let whole = |table: &Written| table.part(&(0..table.rows));
        let part = |table: &Written| if table.rows == self.charges { table.part(charges) } else { whole(table) };
        self.tables.iter().map(part).collect()
    }
}

/// Everything that was written of subscriptions.
pub(crate) struct Replay {
    url: String,
    subscriptions: Vec<Subscription>,
}

impl Replay {
    /// Reads what there is of these subjects, and makes empty tables like those that it is in.
    pub(crate) async fn of(url: &str, subjects: &[String]) -> Replay {
        let client = connect(url).await;
        for table in &TABLES {
            let name = table.name;
            let made =
                format!("DROP TABLE IF EXISTS bare_{name}; CREATE TABLE bare_{name} (LIKE {name} INCLUDING ALL)");
            client.batch_execute(&made).await.unwrap();
        }
        let mut subscriptions = Vec::new();
        for subject in subjects {
            let found = client.query_one("SELECT id FROM subscriptions WHERE subject = $1", &[subject]).await.unwrap();
            subscriptions.push(Subscription::read(&client, found.get(0)).await);
        }
        Replay { url: url.to_owned(), subscriptions }
    }

    /// Writes all of it over so many connections, in batches of so many charges, a transaction each, which is one journey. Returns the
    /// charges per second.
    pub(crate) async fn run(self, connections: usize, batch: usize) -> f64 {
        let Replay { url, subscriptions } = self;
        let mut batches: Vec<(usize, Range<usize>)> = (subscriptions.iter().enumerate())
            .flat_map(|(place, subscription)| {
                let charges = subscription.charges;
                (0..charges).step_by(batch).map(move |first| (place, first..(first + batch).min(charges)))
            })
            .collect();
        // As senders come: one batch of each subscription after the other.
        batches.sort_by_key(|(place, range)| (range.start, *place));
        let charges: usize = subscriptions.iter().map(|subscription| subscription.charges).sum();
        let all = Arc::new((subscriptions, batches));
        let mut writers = Vec::new();
        for _ in 0..connections {
            let client = connect(&url).await;
            let mut inserts = Vec::new();
            for table in &all.0[0].tables {
                inserts.push(client.prepare(&table.insert).await.unwrap());
            }
            writers.push((client, inserts));
        }
        let (next, started) = (Arc::new(AtomicUsize::new(0)), Instant::now());
        let mut tasks = tokio::task::JoinSet::new();
        for (client, inserts) in writers {
            let (all, next) = (Arc::clone(&all), Arc::clone(&next));
            tasks.spawn(async move {
                while let Some((place, range)) = all.1.get(next.fetch_add(1, Ordering::Relaxed)) {
                    write(&client, &inserts, &all.0[*place].part(range)).await;
                }
            });
        }
        tasks.join_all().await;
        charges as f64 / started.elapsed().as_secs_f64()
    }
}

async fn write(client: &Client, inserts: &[Statement], parts: &[Vec<Box<dyn ToSql + Sync + Send>>]) {
    let parameters: Vec<Vec<&(dyn ToSql + Sync)>> =
        parts.iter().map(|part| part.iter().map(|column| &**column as &(dyn ToSql + Sync)).collect()).collect();
    // Each is sent when it is first asked for, which is in this order.
    let begin = client.batch_execute("BEGIN");
    let writes = futures_util::future::join_all(
        inserts.iter().zip(&parameters).map(|(insert, parameters)| client.execute(insert, parameters)),
    );
    let commit = client.batch_execute("COMMIT");
    let (begun, written, committed) = tokio::join!(biased; begin, writes, commit);
    begun.unwrap();
    for rows in written {
        rows.unwrap();
    }
    committed.unwrap();
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
