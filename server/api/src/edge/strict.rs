//! JSON that means one thing: no member twice, no U+0000, none of serde_json's own names, and not too many values. Checked while it
//! is read once, keeping nothing but the names of the objects that are open, before it is read into a type.

use crate::edge::limits::BODY_MAX_VALUES;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// Members by which serde_json tells itself what a value is: `raw_value` and `arbitrary_precision`.
const PRIVATE: &str = "$serde_json::private::";
/// How a byte-order mark looks in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Checks a JSON text.
///
/// # Errors
/// A sentence on what is wrong.
pub(crate) fn check(json: &[u8]) -> Result<(), String> {
    if json.starts_with(BYTE_ORDER_MARK) {
        return Err("it begins with a byte-order mark; JSON is UTF-8 without one".to_owned());
    }
    let mut reader = serde_json::Deserializer::from_slice(json);
    let mut left = BODY_MAX_VALUES;
    Value { left: &mut left }.deserialize(&mut reader).and_then(|()| reader.end()).map_err(|error| error.to_string())
}

/// A value, and how many more there may be.
struct Value<'a> {
    left: &'a mut usize,
}

impl Value<'_> {
    fn text<E: Error>(text: &str) -> Result<(), E> {
        if text.contains('\0') { Err(E::custom("a text holds the character U+0000")) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let too_many = || D::Error::custom(format_args!("it has more than {BODY_MAX_VALUES} values"));
        *self.left = self.left.checked_sub(1).ok_or_else(too_many)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        Value::text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while elements.next_element_seed(Value { left: self.left })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = members.next_key::<String>()? {
            Value::text(&name)?;
            if name.starts_with(PRIVATE) {
                return Err(A::Error::custom(format_args!("a member may not be called {name:?}")));
            }
            if names.contains(&name) {
                return Err(A::Error::custom(format_args!("the member {name:?} is there twice")));
            }
            names.insert(name);
            members.next_value_seed(Value { left: self.left })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_that_means_one_thing_is_taken() {
        for right in [
            r#"{"a":1,"b":[{"a":2},{"a":3}],"c":{"a":-1.5e300}}"#,
            "[]",
            "18446744073709551616",
            r#""\\u0000""#,
            "null",
            " true ",
        ] {
            assert_eq!(check(right.as_bytes()), Ok(()), "{right}");
        }
    }

    #[test]
    fn what_could_be_read_otherwise_is_refused_with_its_reason() {
        for (wrong, reason) in [
            (r#"{"a":1,"a":1}"#, "the member \"a\" is there twice"),
            (r#"[{"x":{"a":1,"\u0061":2}}]"#, "the member \"a\" is there twice"),
            (r#"{"$serde_json::private::RawValue":"1"}"#, "may not be called"),
            (r#"{"a":{"\u0024serde_json::private::Number":"1"}}"#, "may not be called"),
            (r#""\u0000""#, "U+0000"),
            (r#"{"\u0000":1}"#, "U+0000"),
            ("\u{feff}{}", "byte-order mark"),
            ("{} {}", "trailing characters"),
            ("", "EOF"),
        ] {
            let error = check(wrong.as_bytes()).unwrap_err();
            assert!(error.contains(reason), "{wrong}: {error}");
        }
    }

    #[test]
    fn values_are_counted_at_every_depth() {
        let of = |count: usize| format!("[{}]", vec!["0"; count - 1].join(","));
        assert_eq!(check(of(BODY_MAX_VALUES).as_bytes()), Ok(()));
        assert!(check(of(BODY_MAX_VALUES + 1).as_bytes()).unwrap_err().contains("values"));
        assert!(check("[".repeat(200).as_bytes()).unwrap_err().contains("recursion"));
    }
}
