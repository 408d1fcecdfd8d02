//! Money as people write it on a command line.

use svc_engine::money::amount::Cents;

/// Digits between two commas.
const GROUP: usize = 3;
/// Cents in a dollar.
const CENTS_PER_DOLLAR: u64 = 100;

/// An amount that may be taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// This much, in cents.
    At(Cents),
    /// None.
    None,
}

/// Reads `none`, or an amount as [`dollars`] does.
///
/// # Errors
/// A sentence for what is neither.
pub(crate) fn bound(text: &str) -> Result<Bound, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Bound::None);
    }
    dollars(text).map(Bound::At)
}

/// Reads dollars: `20`, `20.50`, `$1,000.00`.
///
/// # Errors
/// A sentence for what is no amount, or more than 2^53 − 1 cents.
pub(crate) fn dollars(text: &str) -> Result<Cents, String> {
    let wrong = || format!("{text:?} is no amount of dollars, such as 20, 20.50 or $1,000.00");
    let amount = text.strip_prefix('$').unwrap_or(text);
    let (whole, cents) = amount.split_once('.').map_or((amount, "00"), |(whole, cents)| (whole, cents));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(cents) || cents.len() > 2 {
        return Err(wrong());
    }
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let mut rest = groups.clone();
    let is_grouped = groups.next().is_some();
    let is_well_grouped = rest.all(|group| is_number(group) && group.len() == GROUP);
    if !is_number(first) || (is_grouped && (first.len() > GROUP || !is_well_grouped)) {
        return Err(wrong());
    }
    let parsed = |digits: &str| digits.parse::<u64>().ok();
    let tens = if cents.len() == 1 { 10 } else { 1 };
    let sum = parsed(&whole.replace(',', ""))
        .and_then(|dollars| dollars.checked_mul(CENTS_PER_DOLLAR))
        .zip(parsed(cents).and_then(|cents| cents.checked_mul(tens)))
        .and_then(|(dollars, cents)| dollars.checked_add(cents));
    let too_much = || format!("{text:?} is more than 2^53 − 1 cents");
    sum.and_then(|sum| Cents::try_from(sum).ok()).ok_or_else(too_much)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_read_as_people_write_them() {
        let read = |text: &str| dollars(text).map(Cents::get).ok();
        for (text, cents) in [
            ("20", 2_000),
            ("$20", 2_000),
            ("20.5", 2_050),
            ("20.05", 2_005),
            ("0", 0),
            ("0.01", 1),
            ("$1,000.50", 100_050),
            ("1,234,567", 123_456_700),
            ("90071992547409.91", 9_007_199_254_740_991),
        ] {
            assert_eq!(read(text), Some(cents), "{text}");
        }
        for text in [
            "",
            "$",
            ".5",
            "5.",
            "-1",
            "+1",
            "1e3",
            "1,00",
            "1,0000",
            ",100",
            "1000,000",
            "1,,000",
            "20.005",
            "20 ",
            " 20",
            "20,50",
            "none",
            "90071992547409.92",
            "99999999999999999999",
            "£5",
            "1_000",
            "0x10",
            "$$5",
            "1.2.3",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(
            (bound("none"), bound("None"), bound("5")),
            (Ok(Bound::None), Ok(Bound::None), dollars("5").map(Bound::At))
        );
    }
}
