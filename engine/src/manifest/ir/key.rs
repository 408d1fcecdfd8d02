//! Keys of declarations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Longest key, in characters.
pub const KEY_MAX_CHARS: usize = 64;

/// A key of a declaration: `^[a-z][a-z0-9_.-]{0,63}$`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(String);

impl Key {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key as a name for people: `cpu_seconds` as `Cpu Seconds`.
    pub fn title_case(&self) -> String {
        let words = self.0.split(['_', '-', '.']).filter(|word| !word.is_empty()).map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

impl TryFrom<String> for Key {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let rest_ok =
            text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.' | b'-'));
        if rest_ok && text.len() <= KEY_MAX_CHARS && text.starts_with(|c: char| c.is_ascii_lowercase()) {
            Ok(Key(text))
        } else {
            Err(format!("the key {text:?} does not match ^[a-z][a-z0-9_.-]{{0,63}}$"))
        }
    }
}

impl From<Key> for String {
    fn from(key: Key) -> String {
        key.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl JsonSchema for Key {
    fn schema_name() -> Cow<'static, str> {
        "Key".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[a-z][a-z0-9_.-]{0,63}$" })
    }
}
