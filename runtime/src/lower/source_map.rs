//! Source maps, version 3: where printed code was written, in the form that debuggers read.

use serde::Deserialize;
use serde_json::json;

/// A place from 0: line, and column in UTF-16 code units.
pub(crate) type At = (u32, u32);

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Bits of one digit that carry the number; the next one says that more digits follow.
const DIGIT_BITS: u32 = 5;
const MORE: u64 = 1 << DIGIT_BITS;

/// A map as JSON. `pairs` are printed and written places, ordered by the printed ones.
pub(crate) fn encode(file: &str, text: &str, pairs: impl Iterator<Item = (At, At)>) -> String {
    let mut mappings = String::new();
    let (mut line, mut column) = (0, 0);
    let mut written = (0, 0);
    let mut is_first = true;
    for (printed, from) in pairs {
        while line < printed.0 {
            mappings.push(';');
            (line, column, is_first) = (line.saturating_add(1), 0, true);
        }
        if !is_first {
            mappings.push(',');
        }
        push(&mut mappings, printed.1, column);
        // The one source.
        push(&mut mappings, 0, 0);
        push(&mut mappings, from.0, written.0);
        push(&mut mappings, from.1, written.1);
        (column, written, is_first) = (printed.1, from, false);
    }
    json!({ "version": 3, "sources": [file], "sourcesContent": [text], "names": [], "mappings": mappings }).to_string()
}

/// Appends how far a number is from the one before.
fn push(mappings: &mut String, number: u32, before: u32) {
    let difference = i64::from(number).saturating_sub(i64::from(before));
    let mut rest = difference.unsigned_abs().wrapping_shl(1) | u64::from(difference < 0);
    loop {
        let digit = rest & (MORE - 1);
        rest >>= DIGIT_BITS;
        let digit = if rest > 0 { digit | MORE } else { digit };
        let char = usize::try_from(digit).ok().and_then(|digit| DIGITS.get(digit)).copied().unwrap_or(b'A');
        mappings.push(char::from(char));
        if rest == 0 {
            return;
        }
    }
}

/// The pairs of a map with one source, as [`encode`] took them; nothing for what is no such map.
pub(crate) fn decode(map: &str) -> Option<Vec<(At, At)>> {
    #[derive(Deserialize)]
    struct Map {
        mappings: String,
    }
    let map: Map = serde_json::from_str(map).ok()?;
    let mut pairs = Vec::new();
    let mut written = (0_i64, 0_i64);
    for (line, segments) in map.mappings.split(';').enumerate() {
        let line = u32::try_from(line).ok()?;
        let mut column = 0_i64;
        for segment in segments.split(',').filter(|segment| !segment.is_empty()) {
            let mut digits = segment.bytes();
            column = column.checked_add(number(&mut digits)?)?;
            let _the_one_source = number(&mut digits)?;
            written.0 = written.0.checked_add(number(&mut digits)?)?;
            written.1 = written.1.checked_add(number(&mut digits)?)?;
            let from = (u32::try_from(written.0).ok()?, u32::try_from(written.1).ok()?);
            pairs.push(((line, u32::try_from(column).ok()?), from));
        }
    }
    Some(pairs)
}

fn number(digits: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let (mut sum, mut shift) = (0_i64, 0_u32);
    loop {
        let byte = digits.next()?;
        let digit = i64::try_from(DIGITS.iter().position(|known| *known == byte)?).ok()?;
        sum = sum.checked_add((digit & 31).checked_shl(shift)?)?;
        shift = shift.checked_add(DIGIT_BITS).filter(|shift| *shift < 60)?;
        if digit < 32 {
            let half = sum >> 1;
            return Some(if sum & 1 == 1 { half.checked_neg()? } else { half });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let pairs = vec![((0, 0), (0, 0)), ((0, 9), (3, 40)), ((2, 1), (1, 2)), ((2, 700), (70_000, 0))];
        let map = encode("product/a.ts", "text", pairs.iter().copied());
        assert!(map.contains("\"mappings\":\"AAAA,SAGwC;;CAFtC,"), "{map}");
        assert_eq!(decode(&map), Some(pairs));
        for broken in ["", "{}", r#"{"mappings":"A"}"#, r#"{"mappings":"!!!!"}"#, r#"{"mappings":"AAAD"}"#] {
            assert_eq!(decode(broken), None, "{broken}");
        }
    }
}
