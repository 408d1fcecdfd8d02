//! What a plan's meters cost.

use super::closed_set::Rounding;
use super::key::Key;
use crate::money::amount::{Cents, Micros};
use crate::money::units::Units;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One step of a tiered price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tier {
    /// Last unit of the tier; nothing for the open last tier.
    pub up_to: Option<u64>,
    /// Micro-dollars per `per` units.
    pub micros: Micros,
    /// Units one price is for; at least 1.
    pub per: PerUnits,
    /// Micro-dollars for the tier itself, once a quantity is in it (`volume`) or has begun it (`graduated`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flat_micros: Option<Micros>,
    /// Whether each started `per` is charged whole; proportional where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Rounding>,
}

/// How many units one price is for: 1 to 2^53 − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct PerUnits(u64);

impl JsonSchema for PerUnits {
    fn schema_name() -> Cow<'static, str> {
        "PerUnits".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 1, "maximum": crate::money::amount::SAFE_INTEGER_MAX })
    }
}

impl PerUnits {
    /// Each unit by itself.
    pub const ONE: PerUnits = PerUnits(1);

    /// The number of units.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for PerUnits {
    type Error = &'static str;
    fn try_from(value: u64) -> Result<Self, &'static str> {
        match value {
            1..=crate::money::amount::SAFE_INTEGER_MAX => Ok(PerUnits(value)),
            _ => Err("`per` is an integer from 1 to 2^53 − 1"),
        }
    }
}

impl From<PerUnits> for u64 {
    fn from(value: PerUnits) -> u64 {
        value.0
    }
}

/// Units of a meter that are free in a period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Included {
    /// So many.
    Units(Units),
    /// So many for each unit of another meter.
    Each(IncludedEach),
}

/// Free units for each unit that another meter comes to in the period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IncludedEach {
    /// The other meter.
    pub per: Key,
    /// Free units for each of its units.
    pub units: Units,
}

impl Default for Included {
    fn default() -> Included {
        Included::Units(Units::ZERO)
    }
}

impl Included {
    /// Whether nothing is included.
    pub fn is_nothing(&self) -> bool {
        *self == Included::default()
    }

    /// The meter that the free units go by.
    pub fn per(&self) -> Option<&Key> {
        match self {
            Included::Units(_) => None,
            Included::Each(each) => Some(&each.per),
        }
    }

    /// The free units, where they are a number of their own.
    pub fn fixed(&self) -> Option<Units> {
        match self {
            Included::Units(units) => Some(*units),
            Included::Each(_) => None,
        }
    }
}

/// Free units of a period that several meters use up together, in the order in which their usage is admitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UnitPool {
    /// How many.
    pub units: Units,
    /// The meters, with how many of the pool's units one of theirs takes.
    pub meters: BTreeMap<Key, PerUnits>,
}

/// Rates of a meter's cells: micro-dollars, or for each value of the next attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Rates {
    /// Of one cell.
    Micros(Micros),
    /// By value.
    By(BTreeMap<String, Rates>),
}

impl Rates {
    /// Every cell that has a rate: the values of the attributes, outermost first, and the rate.
    pub fn cells_of(rates: &BTreeMap<String, Rates>) -> Vec<(Vec<String>, Micros)> {
        let mut cells = Vec::new();
        collect(rates, &mut Vec::new(), &mut cells);
        cells
    }
}

fn collect(rates: &BTreeMap<String, Rates>, values: &mut Vec<String>, cells: &mut Vec<(Vec<String>, Micros)>) {
    for (value, inner) in rates {
        values.push(value.clone());
        match inner {
            Rates::Micros(micros) => cells.push((values.clone(), *micros)),
            Rates::By(rates) => collect(rates, values, cells),
        }
        values.pop();
    }
}

/// What a plan charges for a meter's units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind", deny_unknown_fields)]
pub enum MeterPrice {
    /// One price for every unit past the included ones.
    Linear {
        /// The meter.
        meter: Key,
        /// Micro-dollars per `per` units.
        micros: Micros,
        /// Units one price is for.
        per: PerUnits,
        /// Free units per period.
        included_units: Included,
        /// Whether each started `per` is charged whole; proportional where absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<Rounding>,
        /// Least that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        min_cents: Option<Cents>,
        /// Most that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_cents: Option<Cents>,
    },
    /// A rate of its own for each cell: each combination of the values of the meter's attributes. What has none can't be used.
    Rates {
        /// The meter.
        meter: Key,
        /// Units one price is for.
        per: PerUnits,
        /// Whether each started `per` is charged whole; proportional where absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<Rounding>,
        /// By the value of the first attribute, inside by that of the second, and so on.
        rates: BTreeMap<String, Rates>,
    },
    /// Each tier's units at the tier's price.
    Graduated {
        /// The meter.
        meter: Key,
        /// Ascending; the last one is open.
        tiers: Vec<Tier>,
        /// Free units per period, used before the first tier begins.
        #[serde(default, skip_serializing_if = "Included::is_nothing")]
        included_units: Included,
        /// Least that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        min_cents: Option<Cents>,
        /// Most that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_cents: Option<Cents>,
    },
    /// All units at the price of the tier the quantity falls in.
    Volume {
        /// The meter.
        meter: Key,
        /// Ascending; the last one is open.
        tiers: Vec<Tier>,
        /// Free units per period, used before the first tier begins.
        #[serde(default, skip_serializing_if = "Included::is_nothing")]
        included_units: Included,
        /// Least that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        min_cents: Option<Cents>,
        /// Most that the meter costs in a period, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_cents: Option<Cents>,
    },
}

impl MeterPrice {
    /// The meter it prices.
    pub fn meter(&self) -> &Key {
        match self {
            MeterPrice::Linear { meter, .. }
            | MeterPrice::Rates { meter, .. }
            | MeterPrice::Graduated { meter, .. }
            | MeterPrice::Volume { meter, .. } => meter,
        }
    }

    /// Units that are free in a period.
    pub fn included(&self) -> &Included {
        /// Of rates by cell nothing is free by itself; a pool may make it so.
        const NOTHING: &Included = &Included::Units(Units::ZERO);
        match self {
            MeterPrice::Rates { .. } => NOTHING,
            MeterPrice::Linear { included_units, .. }
            | MeterPrice::Graduated { included_units, .. }
            | MeterPrice::Volume { included_units, .. } => included_units,
        }
    }

    /// Its tiers; none where there is one price for all units.
    pub fn tiers(&self) -> &[Tier] {
        match self {
            MeterPrice::Linear { .. } | MeterPrice::Rates { .. } => &[],
            MeterPrice::Graduated { tiers, .. } | MeterPrice::Volume { tiers, .. } => tiers,
        }
    }

    /// Least and most that the meter costs in a period.
    pub fn bounds(&self) -> (Option<Cents>, Option<Cents>) {
        match self {
            MeterPrice::Rates { .. } => (None, None),
            MeterPrice::Linear { min_cents, max_cents, .. }
            | MeterPrice::Graduated { min_cents, max_cents, .. }
            | MeterPrice::Volume { min_cents, max_cents, .. } => (*min_cents, *max_cents),
        }
    }
}
