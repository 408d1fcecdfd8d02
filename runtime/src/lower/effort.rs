//! What reading one build may still spend on what only serves positions and help: most of it would be for nothing in a product that
//! holds more.

use std::cell::Cell;

/// Most values of one build whose places are noted; past them a value is blamed as a whole. Real products have hundreds, and constants
/// that are spread into each other many more.
const VALUES_MAX: usize = 400_000;
/// Most imports of one build that help is looked up for.
const HELPED_MAX: usize = 100;

/// What is left for one build.
pub(crate) struct Effort {
    values: Cell<usize>,
    helps: Cell<usize>,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { values: Cell::new(VALUES_MAX), helps: Cell::new(HELPED_MAX) }
    }
}

impl Effort {
    /// Spends the places of so many values; answers whether there were so many left.
    pub(super) fn values(&self, count: usize) -> bool {
        spend(&self.values, count)
    }

    /// Spends one look for help; answers whether there was one left.
    pub(super) fn help(&self) -> bool {
        spend(&self.helps, 1)
    }
}

fn spend(left: &Cell<usize>, count: usize) -> bool {
    let rest = left.get().checked_sub(count);
    left.set(rest.unwrap_or_default());
    rest.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_past_the_end_ends_it() {
        let effort = Effort::default();
        assert!(effort.values(VALUES_MAX - 1) && effort.values(1));
        assert!(effort.values(0) && !effort.values(1));
        let effort = Effort::default();
        assert!(!effort.values(VALUES_MAX + 1) && !effort.values(1));
        assert_eq!((0..HELPED_MAX + 9).filter(|_| effort.help()).count(), HELPED_MAX);
    }
}
