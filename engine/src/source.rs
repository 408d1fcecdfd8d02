//! Where things stand in the author's source. Knows positions only; it has no parser and no text.

use crate::text::{TEXT_MAX_CHARS, beginning, cut};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A place between two characters: 1-based line, and 1-based column in UTF-16 code units, as editors count.
///
/// A tab is one column, a byte-order mark none, and CRLF, LF and CR each end a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in UTF-16 code units.
    pub column: u32,
}

/// A half-open stretch of one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Path as the author's file map names it, such as `product/product.config.ts`. Shared by all that stands in the file.
    pub file: Arc<str>,
    /// First character.
    pub start: Position,
    /// Just behind the last character.
    pub end: Position,
}

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Segment {
    /// Element of an array, from 0.
    Index(u32),
    /// Key of an object. Shared, since many paths lead through one key.
    Key(Arc<str>),
}

impl From<&str> for Segment {
    fn from(key: &str) -> Self {
        Segment::Key(key.into())
    }
}

impl From<String> for Segment {
    fn from(key: String) -> Self {
        Segment::Key(key.into())
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Segment::Index(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// Names a value as its author thinks of it, such as `plans.starter.limits.requests.rate`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(Vec<Segment>);

impl Path {
    /// The path of these segments.
    pub fn new<S: Into<Segment>>(segments: impl IntoIterator<Item = S>) -> Self {
        Path(segments.into_iter().map(Into::into).collect())
    }

    /// Reads `plans.starter.meters[0].micros`. A route is one step: `features.jobs.routes.POST /v1/jobs.cost`.
    pub fn parse(text: &str) -> Path {
        let steps = text.split('.').filter(|step| !step.is_empty()).flat_map(|step| {
            let (name, indices) = step.split_once('[').unwrap_or((step, ""));
            let indices = indices.split('[').filter_map(|index| index.trim_end_matches(']').parse().ok());
            let name = (!name.is_empty()).then(|| Segment::from(name));
            name.into_iter().chain(indices.map(Segment::Index)).collect::<Vec<_>>()
        });
        Path(steps.collect())
    }

    /// This path and one step more.
    #[must_use]
    pub fn join(&self, segment: impl Into<Segment>) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment.into());
        Path(segments)
    }

    /// This path and these steps more.
    #[must_use]
    pub fn joined(&self, rest: &[Segment]) -> Self {
        Path(self.0.iter().chain(rest).cloned().collect())
    }

    /// The steps from the product downwards.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// The path as a diagnostic shows it, at most [`TEXT_MAX_CHARS`] long.
    pub fn shown(&self) -> String {
        let mut text = String::new();
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => text.push_str(&format!("[{index}]")),
                Segment::Key(key) => {
                    text.push_str(if position == 0 { "" } else { "." });
                    text.push_str(beginning(key));
                }
            }
            // A character has four bytes at most; what is longer is cut whatever follows.
            if text.len() > TEXT_MAX_CHARS * 4 {
                break;
            }
        }
        cut(text)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

/// The spans of a value the author wrote out: its own, its key's, and those of what is inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanTree {
    /// The property key in front of the value, where there is one.
    pub key: Option<Span>,
    /// The value.
    pub value: Span,
    /// What the literal holds, in source order; shared with other uses of the same constant. Empty for computed values.
    pub children: Arc<Vec<(Segment, SpanTree)>>,
}

impl SpanTree {
    /// The entry under `segment`. The last one wins, as in a JavaScript literal.
    pub fn child(&self, segment: &Segment) -> Option<&SpanTree> {
        self.children.iter().rev().find(|(name, _)| name == segment).map(|(_, tree)| tree)
    }
}

/// Where one decorator call stands: matched by position to the registry's declarations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The decorator's exported name, such as `Meter`, whatever the author imported it as.
    pub decorator: String,
    /// The decorated member; `None` for a class decorator.
    pub member: Option<String>,
    /// The decorator expression from `@` to its closing parenthesis.
    pub span: Span,
    /// The arguments written out.
    pub args: Vec<SpanTree>,
}

/// A decorator whose expression names decorators of the authoring package somewhere inside, behind a condition or a helper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndirectSite {
    /// The decorators that it may stand for, by their exported names.
    pub decorators: Vec<String>,
    /// The decorated member; `None` for a class decorator.
    pub member: Option<String>,
    /// The decorator expression from `@` to its end.
    pub span: Span,
}

/// One class that carries decorators of the authoring package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSite {
    /// The class's own name, where it has one.
    pub name: Option<String>,
    /// The whole class.
    pub span: Span,
    /// Its decorators in the registry's order: the class's from top to bottom, then the members'.
    pub calls: Vec<CallSite>,
    /// Its decorators that name the package's only inside.
    pub indirect: Vec<IndirectSite>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shown_as_its_author_would_say_it_and_never_longer_than_a_diagnostic() {
        let path = Path::new(["plans", "starter", "meters"]).join(0).join("micros");
        assert_eq!(path.shown(), "plans.starter.meters[0].micros");
        assert_eq!(Path::parse("plans.starter.meters[0].micros"), path);
        let route = Path::new(["features", "jobs", "routes", "POST /v1/jobs"]).join("cost");
        assert_eq!(Path::parse("features.jobs.routes.POST /v1/jobs.cost"), route);
        assert_eq!(Path::default().shown(), "");
        let deep = Path::new((0..1_000).map(|_| "𝒳".repeat(1_000)));
        assert_eq!(deep.shown().chars().count(), TEXT_MAX_CHARS);
        assert!(deep.shown().ends_with('…'));
        let fits = Path::new(["k".repeat(TEXT_MAX_CHARS)]);
        assert_eq!(fits.shown().len(), TEXT_MAX_CHARS);
    }
}
