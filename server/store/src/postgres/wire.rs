//! Between the store's values and PostgreSQL's.

use crate::error::{StoreError, StoreResult};
use crate::value::{Row, Value};
use bytes::BytesMut;
use jiff::Timestamp;
use std::error::Error;
use std::sync::Arc;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

/// Microseconds from 1970, where moments are counted from, to 2000, where PostgreSQL counts them from.
const EPOCH_2000_MICROS: i64 = 946_684_800_000_000;

/// Rows as columns.
pub(super) fn columns(rows: Vec<Vec<Value>>, width: usize) -> Vec<Vec<Value>> {
    let mut columns: Vec<Vec<Value>> = (0..width).map(|_| Vec::with_capacity(rows.len())).collect();
    for row in rows {
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    columns
}

/// A row's values.
pub(super) fn row(row: &tokio_postgres::Row, columns: &Arc<[String]>) -> StoreResult<Row> {
    let read = |column| row.try_get::<_, Value>(column).map(Some).map_err(StoreError::from);
    Ok(Row::new(Arc::clone(columns), (0..row.len()).map(read).collect::<StoreResult<_>>()?))
}

type BoxError = Box<dyn Error + Sync + Send>;

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, BoxError> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Integer(integer) => integer.to_sql(kind, out),
            Value::Text(text) => text.to_sql(kind, out),
            Value::Bytes(bytes) => bytes.to_sql(kind, out),
            Value::Moment(moment) => {
                let micros = moment.as_microsecond().checked_sub(EPOCH_2000_MICROS).ok_or("a moment out of range")?;
                micros.to_sql(&Type::INT8, out)
            }
            Value::Unwritable(what) => Err((*what).into()),
            Value::Texts(texts) => texts.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::TEXT, Type::BYTEA, Type::TIMESTAMPTZ, Type::TEXT_ARRAY].contains(kind)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, BoxError> {
        Ok(match *kind {
            Type::INT8 => Value::Integer(i64::from_sql(kind, raw)?),
            Type::BYTEA => Value::Bytes(Vec::from_sql(kind, raw)?),
            Type::TIMESTAMPTZ => {
                let micros = i64::from_sql(&Type::INT8, raw)?.checked_add(EPOCH_2000_MICROS);
                Value::Moment(Timestamp::from_microsecond(micros.ok_or("a moment out of range")?)?)
            }
            _ => Value::Text(String::from_sql(kind, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, BoxError> {
        Ok(Value::Null)
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::TEXT, Type::VARCHAR, Type::BYTEA, Type::TIMESTAMPTZ].contains(kind)
    }
}
