//! How a price is made up, noted as it is computed: the rating code hands its parts to a recorder. Where nobody asks, the recorder
//! is `()`, which takes nothing and costs nothing.

use num_rational::BigRational;

/// An exact number of nanodollars.
pub type ExactNanos = BigRational;
/// An exact quantity, in billionths of a unit.
pub type ExactSteps = BigRational;

/// Takes the parts of a price.
pub trait Recorder {
    /// Whether parts are made at all.
    const RECORDS: bool;
    /// Takes one.
    fn part(&mut self, part: Part);
}

/// Nobody asks.
impl Recorder for () {
    const RECORDS: bool = false;
    fn part(&mut self, _: Part) {}
}

impl Recorder for Vec<Part> {
    const RECORDS: bool = true;
    fn part(&mut self, part: Part) {
        self.push(part);
    }
}

/// One part of what a cell of a window costs. All parts together are its exact price.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// How much of the quantity it is about, in billionths of a unit.
    pub quantity: ExactSteps,
    /// What it costs.
    pub exact: ExactNanos,
}

/// What a part of a price is.
#[derive(Clone, Debug, PartialEq)]
pub enum PartKind {
    /// Units that a pool made free.
    Pooled,
    /// Units that are included.
    Included,
    /// Units at one price.
    Units,
    /// Units in a tier, by its place from 0.
    Tier(usize),
    /// What a tier costs by itself, by its place from 0.
    Flat(usize),
    /// What would have been given back of what other terms charged: zero or more.
    Kept,
    /// What the price's most takes off: zero or less.
    Most,
    /// What the period's earlier windows used and charged by the same terms: their parts stand above it, with those of this window.
    Earlier,
}
