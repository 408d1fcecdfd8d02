//! What stands in a column, and how the records' types become it. Exact integers are text, moments are UTC microseconds, and
//! names of closed sets are text.

use crate::error::StoreError;
use crate::records::{
    DeliveryOutcome, DeliveryState, EventType, ForgeKind, HoldState, Id, MigrationPolicy, Proration, PushOutcome,
    PushState, ReportState, TransitionState,
};
use jiff::Timestamp;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;
use std::sync::Arc;
use svc_engine::manifest::ir::{BillingInterval, ClosedSet, Display, GrantKind, Key};
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::bucket::{BucketOrigin, BucketState, HoldPart};
use svc_engine::money::cell::Cell;
use svc_engine::money::fee::{FeeTerms, IntroFee, PeriodFee};
use svc_engine::money::units::Units;

/// One value of a row or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A 64-bit integer.
    Integer(i64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A moment.
    Moment(Timestamp),
    /// What has no form in a column: the statement that it is given to fails, and says this.
    Unwritable(&'static str),
    /// Texts that a statement reads with `json_each`; a parameter only.
    Texts(Vec<String>),
}

/// A type that has a column.
pub(super) trait Column: Sized {
    /// The value in the column.
    fn write(self) -> Value;
    /// The type from its value; nothing when it is not of its form.
    fn read(value: Value) -> Option<Self>;
}

/// A row, read by the names of its columns.
#[derive(Debug)]
pub struct Row {
    columns: Arc<[String]>,
    /// Each until it is read.
    values: Vec<Option<Value>>,
    /// The column behind the one that was read last. Who reads in the columns' order finds each here.
    next: usize,
}

impl Row {
    pub(super) fn new(columns: Arc<[String]>, values: Vec<Option<Value>>) -> Row {
        Row { columns, values, next: 0 }
    }

    /// What stands in a column. It is read once.
    ///
    /// # Errors
    /// [`StoreError::Row`] names the column where there is none of that name, it was read before, or it holds something else.
    pub(super) fn get<T: Column>(&mut self, column: &str) -> Result<T, StoreError> {
        let wrong = |what: &str| StoreError::Row(format!("{what} {column:?}"));
        let is_next = self.columns.get(self.next).is_some_and(|next| next == column);
        let found = if is_next { Some(self.next) } else { self.columns.iter().position(|name| name == column) };
        let index = found.ok_or_else(|| wrong("there is no column"))?;
        self.next = index.saturating_add(1);
        let value =
            self.values.get_mut(index).and_then(Option::take).ok_or_else(|| wrong("read twice was the column"))?;
        let kind = std::any::type_name::<T>();
        T::read(value).ok_or_else(|| StoreError::Row(format!("the column {column:?} holds no {kind}")))
    }

    /// The rows of another table that a column has as one text, a JSON array of objects; none where it has nothing.
    ///
    /// # Errors
    /// As [`Row::get`].
    pub(super) fn nested(&mut self, column: &str) -> Result<Vec<Row>, StoreError> {
        let wrong = || StoreError::Row(format!("the column {column:?} holds no rows"));
        let Some(text) = self.get::<Option<String>>(column)? else { return Ok(Vec::new()) };
        let rows: Vec<Map<String, Json>> = serde_json::from_str(&text).map_err(|_| wrong())?;
        let row = |members: Map<String, Json>| {
            let (columns, values): (Vec<String>, Vec<Json>) = members.into_iter().unzip();
            let values = values.into_iter().map(|json| Value::of_json(json).map(Some)).collect::<Option<_>>();
            Ok(Row::new(columns.into(), values.ok_or_else(wrong)?))
        };
        rows.into_iter().map(row).collect()
    }
}

impl Value {
    /// A column's value as JSON has it.
    fn of_json(json: Json) -> Option<Value> {
        match json {
            Json::Null => Some(Value::Null),
            Json::Number(number) => number.as_i64().map(Value::Integer),
            Json::String(text) => Some(Value::Text(text)),
            _ => None,
        }
    }
}

/// The parameters of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => { vec![$($crate::value::Column::write($value)),*] };
}
pub(super) use values;

impl Column for i64 {
    fn write(self) -> Value {
        Value::Integer(self)
    }
    fn read(value: Value) -> Option<Self> {
        if let Value::Integer(integer) = value { Some(integer) } else { None }
    }
}

impl Column for String {
    fn write(self) -> Value {
        Value::Text(self)
    }
    fn read(value: Value) -> Option<Self> {
        if let Value::Text(text) = value { Some(text) } else { None }
    }
}

impl Column for Vec<String> {
    fn write(self) -> Value {
        Value::Texts(self)
    }
    fn read(_: Value) -> Option<Self> {
        None
    }
}

impl Column for Vec<u8> {
    fn write(self) -> Value {
        Value::Bytes(self)
    }
    fn read(value: Value) -> Option<Self> {
        if let Value::Bytes(bytes) = value { Some(bytes) } else { None }
    }
}

impl Column for [u8; 32] {
    fn write(self) -> Value {
        Value::Bytes(self.to_vec())
    }
    fn read(value: Value) -> Option<Self> {
        Vec::read(value)?.try_into().ok()
    }
}

impl Column for bool {
    fn write(self) -> Value {
        Value::Integer(i64::from(self))
    }
    fn read(value: Value) -> Option<Self> {
        match i64::read(value)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Column for Timestamp {
    fn write(self) -> Value {
        Value::Moment(self)
    }
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Moment(moment) => Some(moment),
            // SQLite keeps moments as integers.
            Value::Integer(micros) => Timestamp::from_microsecond(micros).ok(),
            // PostgreSQL has them so in JSON, to the microsecond.
            Value::Text(text) => text.parse().ok(),
            _ => None,
        }
    }
}

impl<T: Column> Column for Option<T> {
    fn write(self) -> Value {
        self.map_or(Value::Null, T::write)
    }
    fn read(value: Value) -> Option<Self> {
        if value == Value::Null { Some(None) } else { T::read(value).map(Some) }
    }
}

macro_rules! by_integer {
    ($($kind:ty),*) => { $(
        impl Column for $kind {
            fn write(self) -> Value {
                i64::try_from(u64::from(self)).map_or(Value::Unwritable("an integer past 2^63"), Value::Integer)
            }
            fn read(value: Value) -> Option<Self> {
                u64::try_from(i64::read(value)?).ok()?.try_into().ok()
            }
        }
    )* };
}
by_integer!(u16, u32, u64, Cents);

macro_rules! by_text {
    ($($kind:ty: $write:expr, $read:expr;)*) => { $(
        impl Column for $kind {
            fn write(self) -> Value {
                let write: fn(&$kind) -> String = $write;
                Value::Text(write(&self))
            }
            fn read(value: Value) -> Option<Self> {
                let read: fn(String) -> Option<$kind> = $read;
                read(String::read(value)?)
            }
        }
    )* };
}
by_text! {
    Id: |id| id.to_string(), |text| Some(Id::named(text));
    Nanos: |nanos| nanos.to_string(), |text| text.parse().ok();
    i128: |number| number.to_string(), |text| text.parse().ok();
    Units: |units| units.steps().to_string(), |text| text.parse().ok().map(Units::from_steps);
    Key: |key| key.to_string(), |text| Key::try_from(text).ok();
    Cell: |cell| cell.to_string(), |text| text.parse().ok();
    BucketOrigin: |origin| origin.as_str().to_owned(), |text| BucketOrigin::named(&text);
    BucketState: |state| state.as_str().to_owned(), |text| BucketState::named(&text);
}

macro_rules! by_json {
    ($($kind:ty),*) => { $(
        impl Column for $kind {
            fn write(self) -> Value {
                serde_json::to_string(&self).map_or(Value::Unwritable("a value that is no JSON"), Value::Text)
            }
            fn read(value: Value) -> Option<Self> {
                serde_json::from_str(&String::read(value)?).ok()
            }
        }
    )* };
}
by_json!(BTreeSet<Key>, Display, FeeTerms, IntroFee, PeriodFee, Vec<HoldPart>);

macro_rules! by_name {
    ($($kind:ty),*) => { $(
        impl Column for $kind {
            fn write(self) -> Value {
                Value::Text(self.as_str().to_owned())
            }
            fn read(value: Value) -> Option<Self> {
                <$kind as ClosedSet>::named(&String::read(value)?)
            }
        }
    )* };
}
by_name!(BillingInterval, DeliveryOutcome, ForgeKind, GrantKind, HoldState, MigrationPolicy, Proration);
by_name!(DeliveryState, EventType, PushOutcome, PushState, ReportState, TransitionState);

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let columns: Arc<[String]> = ["id", "plan", "period"].map(str::to_owned).into();
        let values = [Value::Text("a".to_owned()), Value::Null, Value::Integer(-1)];
        Row::new(columns, values.into_iter().map(Some).collect())
    }

    #[test]
    fn a_row_is_read_by_name_in_any_order() {
        let mut row = row();
        assert_eq!(row.get::<i64>("period").unwrap(), -1);
        assert_eq!(row.get::<String>("id").unwrap(), "a");
        assert_eq!(row.get::<Option<Key>>("plan").unwrap(), None);
    }

    #[test]
    fn rows_within_a_row_are_read_as_rows() {
        let columns: Arc<[String]> = ["windows", "holds", "wrong"].map(str::to_owned).into();
        let rows = r#"[{"at":"2026-08-01T02:00:00.000001+02:00","id":"w","n":9007199254740993,"none":null},{"at":1,"id":"v"}]"#;
        let values = [Value::Text(rows.to_owned()), Value::Null, Value::Text("[1.5]".to_owned())];
        let mut row = Row::new(columns, values.into_iter().map(Some).collect());
        let mut windows = row.nested("windows").unwrap();
        assert_eq!(windows[0].get::<i64>("n").unwrap(), 9_007_199_254_740_993);
        assert_eq!(windows[0].get::<Option<Key>>("none").unwrap(), None);
        let moment: Timestamp = "2026-08-01T00:00:00.000001Z".parse().unwrap();
        assert_eq!(windows[0].get::<Timestamp>("at").unwrap(), moment);
        assert_eq!(windows[1].get::<Timestamp>("at").unwrap(), Timestamp::from_microsecond(1).unwrap());
        assert_eq!(row.nested("holds").unwrap().len(), 0);
        assert!(row.nested("wrong").unwrap_err().to_string().contains("the column \"wrong\" holds no rows"));
    }

    #[test]
    fn what_is_wrong_with_a_row_names_the_column() {
        let mut row = row();
        let wrong = |error: StoreError| error.to_string();
        assert!(wrong(row.get::<u32>("period").unwrap_err()).contains("the column \"period\" holds no u32"));
        assert!(wrong(row.get::<String>("plan").unwrap_err()).contains("the column \"plan\" holds no"));
        assert!(wrong(row.get::<String>("plans").unwrap_err()).contains("there is no column \"plans\""));
        assert!(wrong(row.get::<i64>("period").unwrap_err()).contains("read twice was the column \"period\""));
    }
}
