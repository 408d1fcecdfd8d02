//! Places of the author's text and of the code that runs, both ways.

use crate::lower::source_map::{self, At};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::fmt;
use svc_engine::source::Position;

/// What the address of a source map begins with.
const DATA: &str = "data:application/json;base64,";

/// A place in an author's file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file's path, such as `product/product.config.ts`.
    pub file: String,
    /// Line and column.
    pub position: Position,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.position.line, self.position.column)
    }
}

/// The map of one file, ordered by the printed places, which count from 0.
#[derive(Debug)]
pub(super) struct Positions(Vec<(At, At)>);

impl Positions {
    /// Reads the map of a script from its address; nothing for what has none.
    pub(super) fn read(url: &str) -> Option<Positions> {
        let bytes = BASE64_STANDARD.decode(url.strip_prefix(DATA)?).ok()?;
        source_map::decode(&String::from_utf8(bytes).ok()?).map(Positions)
    }

    /// Where a printed place was written: the nearest before it.
    pub(super) fn written(&self, printed: At) -> Option<Position> {
        let index = self.0.partition_point(|(at, _)| *at <= printed).checked_sub(1)?;
        let (_, (line, column)) = *self.0.get(index)?;
        Some(Position { line: line.saturating_add(1), column: column.saturating_add(1) })
    }
}
