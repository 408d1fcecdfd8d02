//! The wire form of usage: a measured value or a served request, read into types and checked before anything else sees it.

use crate::error::CoreError;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use svc_engine::moment::Moment;
use svc_engine::money::units::Units;

/// Longest id and unique key of an item, in characters.
pub const ITEM_ID_MAX_CHARS: usize = 200;

/// First second of the year 1, counted from 1970: no store keeps moments before it.
const YEAR_ONE_SECONDS: i64 = -62_135_596_800;

/// One item, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Item {
    /// A measured value.
    Measured(Measured),
    /// A served request.
    Served(Served),
}

/// A measured value of one meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measured {
    /// The sender's id, unique in the subscription.
    pub id: String,
    /// The subscriber.
    pub subject: String,
    /// The meter.
    pub meter: String,
    /// How many units.
    pub units: Units,
    /// The values of the meter's attributes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by: BTreeMap<String, String>,
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Moment>")]
    pub occurred_at: Option<Timestamp>,
    /// What a `unique` meter counts once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique_key: Option<String>,
    /// The hold whose money pays first; the rest of it is let go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<String>,
}

/// A request that the gateway served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Served {
    /// The sender's id, unique in the subscription.
    pub id: String,
    /// The subscriber.
    pub subject: String,
    /// Method and path.
    pub route: String,
    /// The answer's status code.
    pub status: u16,
    /// How many requests it stands for, all alike; one unless given.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: NonZeroU32,
    /// What the upstream reported, by meter; over all requests that it stands for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reports: BTreeMap<String, Reported>,
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Moment>")]
    pub occurred_at: Option<Timestamp>,
    /// The hold whose money pays first; the rest of it is let go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<String>,
}

/// What an upstream reported of one meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Reported {
    /// A quantity.
    Units(Units),
    /// Quantities of a meter that counts by attributes.
    Cells(Vec<ReportedCell>),
}

/// A quantity with the values of its meter's attributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportedCell {
    /// How many units.
    pub units: Units,
    /// The values.
    pub by: BTreeMap<String, String>,
}

fn one() -> NonZeroU32 {
    NonZeroU32::MIN
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls it with")]
fn is_one(count: &NonZeroU32) -> bool {
    *count == NonZeroU32::MIN
}

/// What became of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "status")]
pub enum ItemResult {
    /// It was admitted now.
    Accepted {
        /// Its id.
        id: String,
        /// Charges it made; none where its status does not count.
        charges: u32,
    },
    /// The very same item was admitted before; the first result stands.
    Duplicate {
        /// Its id.
        id: String,
        /// Charges it made then.
        charges: u32,
    },
    /// It was not admitted.
    Refused {
        /// Its id, where it has one.
        id: Option<String>,
        /// Its place in the batch, from 0.
        index: usize,
        /// Stable code.
        code: &'static str,
        /// What is wrong with it.
        message: String,
    },
}

/// A refusal of one item.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

pub(crate) fn refuse<T>(code: &'static str, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code, message: message.into() })
}

impl Item {
    pub(crate) fn id(&self) -> &str {
        match self {
            Item::Measured(item) => &item.id,
            Item::Served(item) => &item.id,
        }
    }

    pub(crate) fn occurred_at(&self) -> Option<Timestamp> {
        match self {
            Item::Measured(item) => item.occurred_at,
            Item::Served(item) => item.occurred_at,
        }
    }

    pub(crate) fn hold(&self) -> Option<&str> {
        match self {
            Item::Measured(item) => item.hold.as_deref(),
            Item::Served(item) => item.hold.as_deref(),
        }
    }

    pub(crate) fn subject(&self) -> &str {
        match self {
            Item::Measured(item) => &item.subject,
            Item::Served(item) => &item.subject,
        }
    }

    /// Reads an item. Which of the two kinds it is, its keys tell, so that a mistake is named inside the right one.
    pub(crate) fn parse(json: Json) -> Result<Item, Refusal> {
        // An item is an object; what derives its reading would take a list for one, member by member.
        if !json.is_object() {
            return refuse("ITEM_FORM", "an item is an object");
        }
        let served = json.get("route").is_some();
        let parsed = if served {
            serde_json::from_value(json).map(Item::Served)
        } else {
            serde_json::from_value(json).map(Item::Measured)
        };
        let item = parsed.or_else(|error| refuse("ITEM_FORM", error.to_string()))?;
        let unique = if let Item::Measured(item) = &item { item.unique_key.as_deref() } else { None };
        [Some(item.id()), unique].into_iter().flatten().try_for_each(checked_id)?;
        if item.occurred_at().is_some_and(|moment| moment.as_second() < YEAR_ONE_SECONDS) {
            return refuse("ITEM_FORM", "occurredAt lies before the year 1");
        }
        Ok(item)
    }
}

/// Checks what a sender named something.
pub(crate) fn checked_id(text: &str) -> Result<(), Refusal> {
    let fits = (1..=ITEM_ID_MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits {
        return Ok(());
    }
    refuse(
        "ITEM_FORM",
        format!("an id and a uniqueKey have 1 to {ITEM_ID_MAX_CHARS} characters and no control characters"),
    )
}

impl From<Refusal> for CoreError {
    fn from(refusal: Refusal) -> Self {
        CoreError::Invalid { code: refusal.code, message: refusal.message }
    }
}
