//! "Did you mean": the nearest of the names that exist.

use crate::work;

/// A candidate is near when it takes at most this share of the name's characters to change (one change is always near).
const NEAR_PER_CHARS: usize = 3;
/// Most candidates that one name is compared with in full; the first of those whose length and letters are near.
const COMPARED_MAX: usize = 500;
/// Longest name that is compared, in bytes: what two names cost goes by the product of their lengths. Keys and options are shorter.
const COMPARED_MAX_BYTES: usize = 200;
/// More names than this are not listed.
const LISTED_MAX: usize = 12;
/// Classes of letters that are counted.
const LETTERS: usize = 64;

/// The candidate nearest to `name`, when it is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > COMPARED_MAX_BYTES {
        return None;
    }
    let letters = Letters::of(name);
    let limit = (letters.count / NEAR_PER_CHARS).max(1);
    // Only another letter case: nothing is nearer.
    let is_same = |candidate: &str| candidate.eq_ignore_ascii_case(name);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= COMPARED_MAX_BYTES)
        .filter(|candidate| is_same(candidate) || letters.least_distance(candidate, limit) <= limit)
        .take(COMPARED_MAX)
        .inspect(|_| work::step())
        .map(|candidate| (if is_same(candidate) { 0 } else { strsim::damerau_levenshtein(name, candidate) }, candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How often each letter stands in a name. Letters share a class where they are more than [`LETTERS`].
struct Letters {
    count: usize,
    of_class: [usize; LETTERS],
}

impl Letters {
    fn of(name: &str) -> Letters {
        let mut letters = Letters { count: 0, of_class: [0; LETTERS] };
        for letter in name.chars() {
            letters.count += 1;
            if let Some(class) = letters.of_class.get_mut(letter as usize % LETTERS) {
                *class += 1;
            }
        }
        letters
    }

    /// A distance that no way of changing one name into the other is below: each letter too many in either costs a change.
    fn least_distance(&self, other: &str, limit: usize) -> usize {
        // Four bytes at most make a letter; most names that are far are so by length alone.
        if other.len() / 4 > self.count.saturating_add(limit) || other.len().saturating_add(limit) < self.count {
            return usize::MAX;
        }
        let other = Letters::of(other);
        let classes = || self.of_class.iter().zip(&other.of_class);
        let missing: usize = classes().map(|(mine, others)| mine.saturating_sub(*others)).sum();
        let added: usize = classes().map(|(mine, others)| others.saturating_sub(*mine)).sum();
        missing.max(added)
    }
}

/// A hint naming the nearest candidate, or all of them when there are few.
pub fn hint<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> Option<String> {
    let candidates = candidates.into_iter();
    if let Some(near) = nearest(name, candidates.clone()) {
        return Some(format!("did you mean {near:?}?"));
    }
    let few: Vec<&str> = candidates.take(LISTED_MAX + 1).collect();
    (1..=LISTED_MAX).contains(&few.len()).then(|| format!("there is {}", list(&few)))
}

/// `"a", "b" and "c"`.
pub fn list(names: &[&str]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => format!("{one:?}"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|name| format!("{name:?}")).collect();
            format!("{} and {last:?}", first.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        assert_eq!(nearest("limts", ["limits", "caps"]), Some("limits"));
        assert_eq!(nearest("x", ["limits", "caps"]), None);
        assert_eq!(nearest("USD", ["used", "usd"]), Some("usd"));
        assert_eq!(hint("zzz", ["limits", "caps"]).as_deref(), Some("there is \"limits\" and \"caps\""));
        assert_eq!(hint("zzz", ["name"; LISTED_MAX + 1]), None);
        assert_eq!(hint("zzz", []), None);
    }

    #[test]
    fn however_many_names_are_near_only_so_many_are_compared() {
        let names: Vec<String> = (0..20_000).map(|number| format!("name_{number:05}")).collect();
        let ((), steps) = work::count(|| assert!(nearest("name_x", names.iter().map(String::as_str)).is_none()));
        assert_eq!(steps, 0, "none has nearly as many letters");
        let (near, steps) = work::count(|| nearest("name_0001x", names.iter().map(String::as_str)));
        assert_eq!((near, steps), (Some("name_00010"), COMPARED_MAX as u64));
    }

    #[test]
    fn long_names_are_compared_with_none() {
        let long = "x".repeat(COMPARED_MAX_BYTES);
        assert_eq!(nearest(&long, [long.as_str()]), Some(long.as_str()));
        let longer = format!("{long}x");
        assert_eq!((nearest(&longer, [long.as_str()]), nearest(&long, [longer.as_str()])), (None, None));
    }

    /// As it was before: the distance to each name.
    fn by_comparing_all<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
        let limit = (name.chars().count() / NEAR_PER_CHARS).max(1);
        let near = candidates.iter().map(|other| (strsim::damerau_levenshtein(name, other), *other));
        near.filter(|(distance, _)| *distance <= limit).min().map(|(_, other)| other)
    }

    proptest! {
        #[test]
        fn the_nearest_is_that_of_comparing_all(
            name in "[abcé𝒳]{0,9}", others in prop::collection::vec("[abcé𝒳]{0,9}", 0..12)
        ) {
            let others: Vec<&str> = others.iter().map(String::as_str).collect();
            prop_assert_eq!(nearest(&name, others.iter().copied()), by_comparing_all(&name, &others));
        }
    }
}
