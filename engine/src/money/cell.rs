//! What is counted: a meter, or one combination of the values of a meter's attributes.

use crate::manifest::ir::Key;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

/// Longest value of an attribute, in characters.
pub const ATTRIBUTE_VALUE_MAX_CHARS: usize = 100;

/// Longest text of a cell, in bytes of UTF-8. Stores index it beside an item's id or a unique key, of at most 800 bytes, and a row of
/// PostgreSQL's index has at most 2,704.
pub const CELL_MAX_BYTES: usize = 1_024;

/// Whether a text may be the value of an attribute.
pub fn is_attribute_value(text: &str) -> bool {
    (1..=ATTRIBUTE_VALUE_MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

/// A quantity of its own. As text the meter's key, with the values of its attributes as a JSON array behind it where it has some:
/// `tokens`, `tokens["m-large","input"]`. A copy is shared, since a window keeps a thousand of them in several maps.
#[derive(Clone, Debug)]
pub struct Cell(Arc<Counted>);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Counted {
    meter: Key,
    by: Vec<String>,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Cell) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.0.cmp(&other.0) }
    }
}

impl Hash for Cell {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Cell {
    /// The one of a meter, or that of these values of its attributes, in the order in which the meter declares them.
    pub fn new(meter: Key, by: Vec<String>) -> Cell {
        Cell(Arc::new(Counted { meter, by }))
    }

    /// Whether its text is at most [`CELL_MAX_BYTES`] long.
    pub fn fits(&self) -> bool {
        self.by().is_empty() || self.to_string().len() <= CELL_MAX_BYTES
    }

    /// The meter.
    pub fn meter(&self) -> &Key {
        &self.0.meter
    }

    /// The values of its attributes; none where the meter has no attributes.
    pub fn by(&self) -> &[String] {
        &self.0.by
    }
}

impl From<Key> for Cell {
    fn from(meter: Key) -> Cell {
        Cell::new(meter, Vec::new())
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.meter(), f)?;
        if self.by().is_empty() {
            return Ok(());
        }
        f.write_str(&serde_json::to_string(self.by()).map_err(|_| fmt::Error)?)
    }
}

impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Cell, String> {
        let (meter, by) = text.split_at(text.find('[').unwrap_or(text.len()));
        let meter = Key::try_from(meter.to_owned())?;
        let by =
            if by.is_empty() { Vec::new() } else { serde_json::from_str(by).map_err(|error| error.to_string())? };
        Ok(Cell::new(meter, by))
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_read_back_from_its_text_whatever_its_values_hold() {
        let meter = Key::try_from("tokens".to_owned()).unwrap();
        for by in [vec![], vec!["m-large", "input"], vec!["a\"]b", "[", "é\\", ""]] {
            let cell = Cell::new(meter.clone(), by.into_iter().map(str::to_owned).collect());
            assert_eq!(cell.to_string().parse::<Cell>().unwrap(), cell);
        }
        assert_eq!(Cell::new(meter, vec!["a".to_owned()]).to_string(), "tokens[\"a\"]");
        for text in ["", "Tokens", "tokens[", "tokens[1]", "tokens[\"a\"]x"] {
            assert!(text.parse::<Cell>().is_err(), "{text:?}");
        }
    }
}
