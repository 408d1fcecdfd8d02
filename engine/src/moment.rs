//! What a moment is in JSON, for schemas: the type that holds one knows none.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// A moment in UTC, with at most six fraction digits; stands for [`jiff::Timestamp`] in schemas.
#[derive(Debug)]
pub struct Moment;

impl JsonSchema for Moment {
    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A moment in UTC, with at most six fraction digits.", "type": "string", "format": "date-time" })
    }
}
