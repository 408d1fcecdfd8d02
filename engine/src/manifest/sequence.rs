//! Two lists compared as sequences: which elements are the same thing, and which of those moved. Knows no JSON.

use std::collections::BTreeMap;

/// What tells one element of a list from another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Label {
    /// A name of its own. Elements with one name are matched in order.
    Name(String),
    /// Only its content. Elements that are left over are matched in order, and are then changed.
    Content(String),
}

/// An element that is in both lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// Its index in the old list.
    pub(crate) old: usize,
    /// Its index in the new list.
    pub(crate) new: usize,
    /// Whether it has to move: it is not in the longest run of elements that kept their order.
    pub(crate) is_moved: bool,
}

/// How one list became another. Each index of either list is in exactly one place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Alignment {
    /// By index in the old list.
    pub(crate) matches: Vec<Match>,
    /// Indices in the old list.
    pub(crate) removed: Vec<usize>,
    /// Indices in the new list.
    pub(crate) added: Vec<usize>,
}

/// Aligns two lists by their labels. n log n.
pub(crate) fn align(old: &[Label], new: &[Label]) -> Alignment {
    let mut at: BTreeMap<(&Label, usize), usize> =
        numbered(old).into_iter().enumerate().map(|(index, label)| (label, index)).collect();
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for (index, label) in numbered(new).into_iter().enumerate() {
        match at.remove(&label) {
            Some(old) => pairs.push((old, index)),
            None => left.push(index),
        }
    }
    let mut removed: Vec<usize> = at.into_values().collect();
    removed.sort_unstable();
    let has_name = |of: &[Label], index: usize| matches!(of.get(index), Some(Label::Name(_)));
    let (named_old, plain_old): (Vec<_>, Vec<_>) = removed.into_iter().partition(|index| has_name(old, *index));
    let (named_new, plain_new): (Vec<_>, Vec<_>) = left.into_iter().partition(|index| has_name(new, *index));
    pairs.extend(plain_old.iter().copied().zip(plain_new.iter().copied()));
    let both = plain_old.len().min(plain_new.len());
    Alignment {
        matches: with_moves(pairs),
        removed: in_order(named_old, plain_old, both),
        added: in_order(named_new, plain_new, both),
    }
}

/// Each label with how often it stood before.
fn numbered(labels: &[Label]) -> Vec<(&Label, usize)> {
    let mut counts: BTreeMap<&Label, usize> = BTreeMap::new();
    let mut number = |label| {
        let count = counts.entry(label).or_default();
        *count += 1;
        (label, *count)
    };
    labels.iter().map(&mut number).collect()
}

fn in_order(named: Vec<usize>, plain: Vec<usize>, paired: usize) -> Vec<usize> {
    let mut all: Vec<usize> = named.into_iter().chain(plain.into_iter().skip(paired)).collect();
    all.sort_unstable();
    all
}

fn with_moves(mut pairs: Vec<(usize, usize)>) -> Vec<Match> {
    pairs.sort_unstable();
    let news: Vec<usize> = pairs.iter().map(|(_, new)| *new).collect();
    let stays = longest_increasing(&news);
    pairs.into_iter().zip(stays).map(|((old, new), stays)| Match { old, new, is_moved: !stays }).collect()
}

/// Which elements are in a longest increasing subsequence of distinct numbers: the most that can keep their order.
fn longest_increasing(numbers: &[usize]) -> Vec<bool> {
    // For each length, the least number in which a subsequence of that length ends, and where it stands.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (index, number) in numbers.iter().enumerate() {
        crate::work::step();
        let length = ends.partition_point(|(end, _)| end < number);
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter)).map(|(_, index)| *index));
        match ends.get_mut(length) {
            Some(end) => *end = (*number, index),
            None => ends.push((*number, index)),
        }
    }
    let mut stays = vec![false; numbers.len()];
    let mut next = ends.last().map(|(_, index)| *index);
    while let Some(index) = next {
        if let Some(place) = stays.get_mut(index) {
            *place = true;
        }
        next = before.get(index).copied().flatten();
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work;
    use proptest::prelude::*;

    fn names(text: &str) -> Vec<Label> {
        text.chars().map(|letter| Label::Name(letter.to_string())).collect()
    }

    fn moved(old: &str, new: &str) -> String {
        let letters: Vec<char> = old.chars().collect();
        let alignment = align(&names(old), &names(new));
        alignment.matches.iter().filter(|found| found.is_moved).map(|found| letters[found.old]).collect()
    }

    #[test]
    fn only_what_moved_is_blamed() {
        assert_eq!(moved("abcdef", "abcdef"), "");
        assert_eq!(moved("abcdef", "bcdefa"), "a");
        assert_eq!(moved("abcdef", "fabcde"), "f");
        assert_eq!(moved("abcdef", "acbdef").len(), 1, "one of two neighbours");
        assert_eq!(moved("abcdef", "xacf"), "", "what goes and comes moves nobody");
        assert_eq!(moved("aab", "baa"), "b", "the same name twice");
    }

    #[test]
    fn what_has_only_content_is_changed_in_order() {
        let content = |text: &str| -> Vec<Label> { text.chars().map(|letter| Label::Content(letter.into())).collect() };
        let alignment = align(&content("abc"), &content("xbyz"));
        let pairs: Vec<_> = alignment.matches.iter().map(|found| (found.old, found.new, found.is_moved)).collect();
        assert_eq!(pairs, [(0, 0, false), (1, 1, false), (2, 2, false)]);
        assert_eq!((alignment.removed, alignment.added), (vec![], vec![3]));
    }

    #[test]
    fn the_steps_are_as_many_as_the_elements() {
        let labels =
            |count: usize| -> Vec<Label> { (0..count).map(|number| Label::Name(number.to_string())).collect() };
        for count in [8_000, 32_000] {
            let (old, mut new) = (labels(count), labels(count));
            new.reverse();
            let (alignment, steps) = work::count(|| align(&old, &new));
            assert_eq!(steps, count as u64);
            assert_eq!(alignment.matches.iter().filter(|found| !found.is_moved).count(), 1);
        }
    }

    /// The length of the longest increasing subsequence, each number compared with each before it.
    fn longest_by_comparing_all(numbers: &[usize]) -> usize {
        let mut lengths: Vec<usize> = Vec::new();
        for (index, number) in numbers.iter().enumerate() {
            let before = (0..index).filter(|earlier| numbers[*earlier] < *number).map(|earlier| lengths[earlier]);
            lengths.push(before.max().unwrap_or(0) + 1);
        }
        lengths.into_iter().max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn what_stays_is_increasing_and_as_long_as_can_be(numbers in Just((0..40_usize).collect::<Vec<_>>()).prop_shuffle()) {
            let stays = longest_increasing(&numbers);
            let kept: Vec<usize> = numbers.iter().zip(stays).filter(|(_, stays)| *stays).map(|(number, _)| *number).collect();
            prop_assert!(kept.is_sorted());
            prop_assert_eq!(kept.len(), longest_by_comparing_all(&numbers));
        }

        #[test]
        fn every_element_is_in_one_place(
            old in prop::collection::vec((any::<bool>(), "[a-d]"), 0..10), new in prop::collection::vec((any::<bool>(), "[a-d]"), 0..10)
        ) {
            let label = |(named, text): &(bool, String)| if *named { Label::Name(text.clone()) } else { Label::Content(text.clone()) };
            let (old, new): (Vec<_>, Vec<_>) = (old.iter().map(label).collect(), new.iter().map(label).collect());
            let found = align(&old, &new);
            let mut olds: Vec<usize> = found.matches.iter().map(|found| found.old).chain(found.removed.iter().copied()).collect();
            let mut news: Vec<usize> = found.matches.iter().map(|found| found.new).chain(found.added.iter().copied()).collect();
            olds.sort_unstable();
            news.sort_unstable();
            prop_assert_eq!(olds, (0..old.len()).collect::<Vec<_>>());
            prop_assert_eq!(news, (0..new.len()).collect::<Vec<_>>());
            let unchanged = found.removed.is_empty() && found.added.is_empty()
                && found.matches.iter().all(|found| !found.is_moved && old[found.old] == new[found.new]);
            prop_assert_eq!(unchanged, old == new);
        }
    }
}
