//! Quantities of what a meter counts: exact non-negative decimals.
// INVARIANT 5: the one `f64` of money is `Units::from_number`, which takes a number's shortest decimal form exactly.

use rust_decimal::Decimal;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// Most digits behind the point.
pub const UNITS_MAX_FRACTION_DIGITS: u32 = 9;
/// Largest quantity of one report, in whole units.
pub const UNITS_MAX: u64 = 1_000_000_000_000_000;
/// Digits in front of the point of [`UNITS_MAX`].
const UNITS_MAX_WHOLE_DIGITS: usize = 16;
/// Billionths in one unit: the step of [`Units`].
pub const STEPS_PER_UNIT: u128 = 1_000_000_000;

/// Why a quantity is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitsError {
    /// Not a plain decimal number.
    #[error("a quantity is a non-negative decimal number such as 12 or \"0.25\"")]
    Form,
    /// Below zero.
    #[error("a quantity can't be negative")]
    Negative,
    /// Finer than a billionth.
    #[error("a quantity has at most {UNITS_MAX_FRACTION_DIGITS} digits behind the point")]
    TooFine,
    /// Above [`UNITS_MAX`].
    #[error("a quantity is at most 10^15")]
    TooLarge,
}

/// A non-negative quantity with up to nine fraction digits.
///
/// In JSON an integer where it is one that JavaScript holds, else a decimal string. One report holds at most 10^15 units;
/// sums over a period may be larger and are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Units(u128);

impl Units {
    /// Zero units.
    pub const ZERO: Units = Units(0);
    /// One unit.
    pub const ONE: Units = Units(STEPS_PER_UNIT);

    /// The quantity in billionths of a unit.
    pub const fn steps(self) -> u128 {
        self.0
    }

    /// That many billionths of a unit; for sums that a store gives back.
    pub const fn from_steps(steps: u128) -> Self {
        Units(steps)
    }

    /// That many whole units; always fits.
    #[expect(clippy::arithmetic_side_effects, reason = "below 2^64 × 2^30, far from 2^128")]
    pub const fn from_whole(units: u64) -> Self {
        Units(units as u128 * STEPS_PER_UNIT)
    }

    /// The sum; `None` when it leaves 128 bits.
    pub fn checked_add(self, other: Units) -> Option<Units> {
        self.0.checked_add(other.0).map(Units)
    }

    /// The quantity so many times; `None` past what one report may hold, 10^15.
    pub fn checked_times(self, times: u32) -> Option<Units> {
        self.0.checked_mul(u128::from(times)).filter(|steps| *steps <= Units::from_whole(UNITS_MAX).0).map(Units)
    }

    /// The difference; `None` below zero.
    pub fn checked_sub(self, other: Units) -> Option<Units> {
        self.0.checked_sub(other.0).map(Units)
    }

    /// Whether it is nothing.
    pub const fn is_zero(&self) -> bool {
        self.0 == 0
    }

    /// Whether it is a whole number.
    pub const fn is_whole(self) -> bool {
        self.0.is_multiple_of(STEPS_PER_UNIT)
    }

    /// The quantity a JavaScript number shows: its shortest decimal form, taken exactly.
    ///
    /// # Errors
    /// [`UnitsError`] for what is negative, not finite, too fine or too large. `0.1 + 0.2` is too fine.
    pub fn from_number(value: f64) -> Result<Units, UnitsError> {
        if !value.is_finite() {
            return Err(UnitsError::Form);
        }
        format!("{value}").parse()
    }
}

impl From<u32> for Units {
    fn from(whole: u32) -> Units {
        Units::from_whole(u64::from(whole))
    }
}

impl std::str::FromStr for Units {
    type Err = UnitsError;

    fn from_str(text: &str) -> Result<Units, UnitsError> {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
        if !plain || text.starts_with('.') || text.ends_with('.') {
            return Err(UnitsError::Form);
        }
        if text.starts_with('-') {
            return Err(UnitsError::Negative);
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        if fraction.len() > UNITS_MAX_FRACTION_DIGITS as usize {
            return Err(UnitsError::TooFine);
        }
        if whole.len() > UNITS_MAX_WHOLE_DIGITS {
            return Err(UnitsError::TooLarge);
        }
        let decimal = Decimal::from_str_exact(&format!("0{whole}.{fraction}0")).map_err(|_| UnitsError::Form)?;
        Units::try_from(decimal)
    }
}

impl TryFrom<Decimal> for Units {
    type Error = UnitsError;

    fn try_from(decimal: Decimal) -> Result<Units, UnitsError> {
        let decimal = decimal.normalize();
        if decimal.is_sign_negative() && !decimal.is_zero() {
            return Err(UnitsError::Negative);
        }
        let missing_digits = UNITS_MAX_FRACTION_DIGITS.checked_sub(decimal.scale()).ok_or(UnitsError::TooFine)?;
        if decimal > Decimal::from(UNITS_MAX) {
            return Err(UnitsError::TooLarge);
        }
        let steps = decimal.mantissa().unsigned_abs().checked_mul(10_u128.pow(missing_digits));
        steps.map(Units).ok_or(UnitsError::TooLarge)
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = (self.0 / STEPS_PER_UNIT, self.0 % STEPS_PER_UNIT);
        if fraction == 0 {
            return write!(f, "{whole}");
        }
        let digits = format!("{fraction:09}");
        write!(f, "{whole}.{}", digits.trim_end_matches('0'))
    }
}

impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let whole = u64::try_from(self.0 / STEPS_PER_UNIT).ok();
        match whole.filter(|&n| self.is_whole() && n <= super::amount::SAFE_INTEGER_MAX) {
            Some(integer) => serializer.serialize_u64(integer),
            None => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Units {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Units;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a non-negative integer or a decimal string")
            }
            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Units, E> {
                Units::try_from(Decimal::from(value)).map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Units, E> {
                Err(E::custom(UnitsError::Negative))
            }
            fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Units, E> {
                Err(E::custom("a quantity with a fraction is written as a string, such as \"0.25\""))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Units, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Units {
    fn schema_name() -> Cow<'static, str> {
        "Units".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A non-negative decimal quantity: an integer, or a string with up to nine fraction digits.",
            "anyOf": [
                { "type": "integer", "minimum": 0, "maximum": UNITS_MAX },
                { "type": "string", "pattern": "^[0-9]{1,16}(\\.[0-9]{1,9})?$" },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Result<Units, UnitsError> {
        text.parse()
    }

    #[test]
    fn decimals_are_exact() {
        let tenth = Units::from_number(0.1).unwrap();
        let fifth = Units::from_number(0.2).unwrap();
        assert_eq!(tenth.checked_add(fifth).unwrap().to_string(), "0.3");
        assert_eq!(Units::from_number(0.1 + 0.2), Err(UnitsError::TooFine));
        assert_eq!(units("1.250000000").unwrap().to_string(), "1.25");
        assert_eq!(units("0.0000000001"), Err(UnitsError::TooFine));
    }

    #[test]
    fn the_range_ends_at_ten_to_the_fifteenth() {
        assert_eq!(units("1000000000000000").unwrap().to_string(), "1000000000000000");
        assert_eq!(units("1000000000000000.000000001"), Err(UnitsError::TooLarge));
        assert_eq!(units("99999999999999999999999999999999999999"), Err(UnitsError::TooLarge));
        assert_eq!(units("-1"), Err(UnitsError::Negative));
    }

    #[test]
    fn what_is_no_plain_decimal_is_refused() {
        for text in ["", ".", ".5", "5.", "1e3", "+1", " 1", "1_0", "0x1", "NaN", "1.2.3", "--1"] {
            assert!(units(text).is_err(), "{text:?} was taken");
        }
        assert_eq!(Units::from_number(f64::NAN), Err(UnitsError::Form));
    }

    #[test]
    fn json_is_an_integer_or_a_string_and_reads_back() {
        for (text, json) in [("12", "12"), ("0.25", "\"0.25\""), ("1000000000000000", "1000000000000000")] {
            let value = units(text).unwrap();
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
            assert_eq!(serde_json::from_str::<Units>(json).unwrap(), value);
        }
        assert!(serde_json::from_str::<Units>("0.25").is_err());
        assert!(serde_json::from_str::<Units>("-1").is_err());
    }
}
