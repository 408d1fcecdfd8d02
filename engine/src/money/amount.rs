//! Amounts of US money, each unit its own type, so that mixing units does not compile.
// INVARIANT 5: the fields are private and every constructor checks its range or is exact; there is no `f64` here.

use num_bigint::BigInt;
use num_rational::BigRational;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Largest integer that JavaScript holds exactly, 2^53 − 1: the cap of every authored amount.
pub const SAFE_INTEGER_MAX: u64 = (1 << 53) - 1;
/// Nanodollars in one cent.
pub const NANOS_PER_CENT: i128 = 10_000_000;
/// Nanodollars in one micro-dollar.
pub const NANOS_PER_MICRO: i128 = 1_000;

/// An amount that its type can't hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// Above [`SAFE_INTEGER_MAX`].
    #[error("the amount {0} is above 2^53 − 1")]
    TooLarge(u64),
    /// A sum left the range of 128 bits.
    #[error("an amount left the range of 128 bits")]
    Overflow,
}

/// US cents, 0 to 2^53 − 1, as an author writes them. In JSON an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Cents(u64);

impl Cents {
    /// Zero cents.
    pub const ZERO: Cents = Cents(0);

    /// The plain integer.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for Cents {
    type Error = AmountError;
    fn try_from(value: u64) -> Result<Self, AmountError> {
        authored(value).map(Cents)
    }
}

impl From<Cents> for u64 {
    fn from(value: Cents) -> u64 {
        value.0
    }
}

impl JsonSchema for Cents {
    fn schema_name() -> Cow<'static, str> {
        "Cents".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        authored_schema()
    }
}

impl Cents {
    /// The same amount in nanodollars; always fits.
    pub const fn nanos(self) -> Nanos {
        self.nanos_times(1)
    }

    /// That many times the amount, in nanodollars; always fits.
    #[expect(clippy::arithmetic_side_effects, reason = "below 2^53 × 2^24 × 2^8, far from 2^127")]
    pub const fn nanos_times(self, times: u8) -> Nanos {
        Nanos(self.0 as i128 * NANOS_PER_CENT * times as i128)
    }
}

/// Micro-dollars (10^-6 dollar), 0 to 2^53 − 1, as an author writes them. In JSON an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Micros(u64);

impl Micros {
    /// Zero micros.
    pub const ZERO: Micros = Micros(0);

    /// The plain integer.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for Micros {
    type Error = AmountError;
    fn try_from(value: u64) -> Result<Self, AmountError> {
        authored(value).map(Micros)
    }
}

impl From<Micros> for u64 {
    fn from(value: Micros) -> u64 {
        value.0
    }
}

impl JsonSchema for Micros {
    fn schema_name() -> Cow<'static, str> {
        "Micros".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        authored_schema()
    }
}

fn authored(value: u64) -> Result<u64, AmountError> {
    if value > SAFE_INTEGER_MAX { Err(AmountError::TooLarge(value)) } else { Ok(value) }
}

fn authored_schema() -> Schema {
    json_schema!({ "type": "integer", "minimum": 0, "maximum": SAFE_INTEGER_MAX })
}

/// Nanodollars (10^-9 dollar), signed. In JSON always a string, since JavaScript numbers end at 2^53.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(i128);

impl Nanos {
    /// Zero nanodollars.
    pub const ZERO: Nanos = Nanos(0);

    /// Whole cents.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn from_cents(cents: i128) -> Result<Self, AmountError> {
        cents.checked_mul(NANOS_PER_CENT).map(Nanos).ok_or(AmountError::Overflow)
    }

    /// That many nanodollars.
    pub const fn new(value: i128) -> Self {
        Nanos(value)
    }

    /// The plain integer.
    pub const fn get(self) -> i128 {
        self.0
    }

    /// The sum.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn plus(self, other: Nanos) -> Result<Nanos, AmountError> {
        self.0.checked_add(other.0).map(Nanos).ok_or(AmountError::Overflow)
    }

    /// The difference.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn minus(self, other: Nanos) -> Result<Nanos, AmountError> {
        self.0.checked_sub(other.0).map(Nanos).ok_or(AmountError::Overflow)
    }

    /// The opposite.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] for the one value that has no opposite.
    pub fn negated(self) -> Result<Nanos, AmountError> {
        self.0.checked_neg().map(Nanos).ok_or(AmountError::Overflow)
    }

    /// The part of it that `part` is of `whole`, rounded down (towards the subscriber, whatever the sign). `part` may be
    /// negative or larger than `whole`.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits, or when `whole` is not positive.
    pub fn share(self, part: i128, whole: i128) -> Result<Nanos, AmountError> {
        if whole <= 0 {
            return Err(AmountError::Overflow);
        }
        #[expect(clippy::arithmetic_side_effects, reason = "big integers have no range to leave")]
        let exact = BigRational::new(BigInt::from(self.0) * part, BigInt::from(whole));
        i128::try_from(exact.floor().to_integer()).map(Nanos).map_err(|_| AmountError::Overflow)
    }

    /// Whole cents in it, rounded down, and the nanos left below a cent.
    pub const fn floor_cents(self) -> (i128, Nanos) {
        (self.0.div_euclid(NANOS_PER_CENT), Nanos(self.0.rem_euclid(NANOS_PER_CENT)))
    }
}

impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::str::FromStr for Nanos {
    type Err = std::num::ParseIntError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Nanos)
    }
}

impl JsonSchema for Nanos {
    fn schema_name() -> Cow<'static, str> {
        "Nanos".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Nanodollars (10^9 are a dollar): an integer of at most 39 digits as a string, never to be parsed as a floating-point number.",
            "type": "string",
            "pattern": "^-?[0-9]{1,39}$",
        })
    }
}

impl Serialize for Nanos {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Nanos {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanos_are_strings_in_json_beyond_what_a_double_holds() {
        let json = serde_json::to_string(&Nanos::new(9_007_199_254_740_993)).unwrap();
        assert_eq!(json, "\"9007199254740993\"");
        assert_eq!(serde_json::from_str::<Nanos>(&json).unwrap().get(), 9_007_199_254_740_993);
    }

    #[test]
    fn a_posting_that_is_no_integer_is_refused() {
        assert!(serde_json::from_str::<Nanos>("\"10.85\"").is_err());
        assert!(serde_json::from_str::<Cents>("10.85").is_err());
        assert!(serde_json::from_str::<Cents>("9007199254740992").is_err());
    }

    #[test]
    fn a_share_is_floored_whatever_its_sign() {
        assert_eq!(Nanos::new(900_000_000).share(3, 29).unwrap().get(), 93_103_448);
        assert_eq!(Nanos::new(-10).share(1, 3).unwrap().get(), -4);
        assert_eq!(Nanos::new(i128::MAX).share(2, 2).unwrap().get(), i128::MAX);
        assert_eq!(Nanos::new(i128::MAX).share(2, 1), Err(AmountError::Overflow));
        assert_eq!(Nanos::new(1).share(1, 0), Err(AmountError::Overflow));
    }

    #[test]
    fn cents_round_down_also_below_zero() {
        assert_eq!(Nanos::new(19_999_999).floor_cents(), (1, Nanos::new(9_999_999)));
        assert_eq!(Nanos::new(-1).floor_cents(), (-1, Nanos::new(9_999_999)));
    }
}
