//! "Did you mean": the nearest of the names that exist.

/// A candidate is near when it takes at most this share of the name's characters to change (one change is always near).
const NEAR_PER_CHARS: usize = 3;

/// The candidate nearest to `name`, when it is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / NEAR_PER_CHARS).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// A hint naming the nearest candidate, or all of them when there are few.
pub fn hint<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    /// More names than this are not listed.
    const LISTED_MAX: usize = 12;
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(near) = nearest(name, candidates.iter().copied()) {
        return Some(format!("did you mean {near:?}?"));
    }
    match candidates.len() {
        0 => None,
        1..=LISTED_MAX => Some(format!("there is {}", list(&candidates))),
        _ => None,
    }
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

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        assert_eq!(nearest("limts", ["limits", "caps"]), Some("limits"));
        assert_eq!(nearest("x", ["limits", "caps"]), None);
        assert_eq!(hint("zzz", ["limits", "caps"]).as_deref(), Some("there is \"limits\" and \"caps\""));
    }
}
