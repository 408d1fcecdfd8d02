//! The names of a record's fields as JSON has them, read from the record's own type.

use serde::de::{Deserialize, Deserializer, Error, Visitor, value};
use serde::forward_to_deserialize_any;

/// The names of the fields of `T`, a struct that serde derives; empty for any other type.
pub(crate) fn fields_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut names = Names(&[]);
    // Reading always fails: only what `T` asks for is of interest.
    let _read: Result<T, value::Error> = T::deserialize(&mut names);
    names.0
}

/// A source that holds nothing and notes which fields it is asked for.
struct Names(&'static [&'static str]);

impl<'de> Deserializer<'de> for &mut Names {
    type Error = value::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, value::Error> {
        self.0 = fields;
        Err(value::Error::custom("only the names are wanted"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, value::Error> {
        Err(value::Error::custom("only a struct has fields"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::ir::{Key, Manifest, Tier};

    #[test]
    fn names_are_those_of_the_json() {
        assert_eq!(fields_of::<Tier>(), ["upTo", "micros", "per", "flatMicros", "round"]);
        assert!(fields_of::<Manifest>().starts_with(&["irVersion", "sdkVersion", "product"]));
        assert!(fields_of::<Key>().is_empty());
    }
}
