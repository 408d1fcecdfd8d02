//! What a plan's newer form adds to an older one: prices of what could not be used before, such as a new model's rate, and capabilities.
//! Whatever else differs is named by its path, so that nobody is moved to terms that change what they have.

use super::canonical::CanonicalError;
use super::ir::{Key, Manifest, Plan};
use super::pricing;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// Fields of a plan that say nothing about what its subscribers have: the fee is theirs as they agreed to it, and the others are for who
/// comes. Prices are compared by themselves.
const NOT_THEIRS: [&str; 9] =
    ["recurringFeeCents", "name", "legacy", "archive", "selfServeEnabled", "trialDays", "raw", "key", "meters"];

/// How two forms of a plan differ for whoever has the older one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additions {
    /// Paths of what is added.
    pub added: Vec<String>,
    /// Paths of what is gone, is another, or costs although it was free, each with a word on it.
    pub others: Vec<String>,
}

impl Additions {
    /// What a plan of one manifest adds to its form in another.
    ///
    /// # Errors
    /// What the canonical form can't hold; a manifest has nothing of the kind.
    pub fn between(old: (&Manifest, &Plan), new: (&Manifest, &Plan)) -> Result<Additions, CanonicalError> {
        let path = format!("plans.{}", old.1.key);
        let mut found = Additions::default();
        let (mut before, mut after) = (fields(old.1), fields(new.1));
        let [own, others] = [&mut before, &mut after].map(|fields| texts(fields.remove("capabilities")));
        found.added.extend(others.difference(&own).map(|capability| format!("{path}.capabilities: {capability}")));
        found
            .others
            .extend(own.difference(&others).map(|capability| format!("{path}.capabilities: {capability} is gone")));
        found.compare(&path, (&Json::Object(before), &Json::Object(after)), false);
        found.prices(&format!("{path}.meter"), old, new);
        found.charges(old, new)?;
        Ok(found)
    }

    /// Names the innermost places at which two values differ; what is only in the newer one is added, where it `may_grow`.
    fn compare(&mut self, path: &str, (before, after): (&Json, &Json), may_grow: bool) {
        match (before, after) {
            (Json::Object(a), Json::Object(b)) => {
                for name in a.keys().chain(b.keys()).collect::<BTreeSet<_>>() {
                    let pair = (a.get(name).unwrap_or(&Json::Null), b.get(name).unwrap_or(&Json::Null));
                    self.compare(&format!("{path}.{name}"), pair, may_grow);
                }
            }
            (a, b) if a == b => {}
            (Json::Null, _) if may_grow => self.added.push(path.to_owned()),
            (Json::Null, b) => self.others.push(format!("{path} is {b} and was not there")),
            (a, Json::Null) => self.others.push(format!("{path} is gone and was {a}")),
            (a, b) => self.others.push(format!("{path} is {b} and was {a}")),
        }
    }

    /// A price stays, but that rates of new cells may come; what has a price for the first time could not be used before.
    fn prices(&mut self, path: &str, old: (&Manifest, &Plan), new: (&Manifest, &Plan)) {
        let (before, mut after) = (prices(old.1), prices(new.1));
        for (meter, mut price) in before {
            let path = format!("{path}.{meter}");
            let Some(mut other) = after.remove(&meter) else {
                self.others.push(format!("{path} is gone"));
                continue;
            };
            if let (Some(own), Some(more)) = (price.remove("rates"), other.remove("rates")) {
                self.compare(&format!("{path}.rates"), (&own, &more), true);
            }
            self.compare(&path, (&Json::Object(price), &Json::Object(other)), false);
        }
        for meter in after.into_keys() {
            match old.0.meters.iter().any(|known| known.key == meter) {
                true => self.others.push(format!("{path}.{meter} prices what was free")),
                false => self.added.push(format!("{path}.{meter}")),
            }
        }
    }

    /// What the older form charges for counts as it did, and routes charge it as they did.
    fn charges(&mut self, old: (&Manifest, &Plan), new: (&Manifest, &Plan)) -> Result<(), CanonicalError> {
        let (before, after) = (pricing::charged(old.0)?, pricing::charged(new.0)?);
        for meter in old.1.metered().collect::<BTreeSet<&Key>>() {
            let (own, other) = (before.get(meter), after.get(meter));
            if own != other && other.is_some() {
                self.others
                    .push(format!("meters.{meter}: how it counts, or which routes charge it and how, is another"));
            }
        }
        Ok(())
    }
}

/// The fields of a plan that its subscribers have, but for its prices.
fn fields(plan: &Plan) -> Map<String, Json> {
    let Ok(Json::Object(mut fields)) = serde_json::to_value(plan) else { return Map::new() };
    for name in NOT_THEIRS {
        fields.remove(name);
    }
    fields
}

/// The prices of a plan, by meter.
fn prices(plan: &Plan) -> BTreeMap<Key, Map<String, Json>> {
    let price = |price: &super::ir::MeterPrice| {
        let Ok(Json::Object(fields)) = serde_json::to_value(price) else { return None };
        Some((price.meter().clone(), fields))
    };
    plan.meters.iter().filter_map(price).collect()
}

fn texts(list: Option<Json>) -> BTreeSet<String> {
    let items = list.and_then(|list| if let Json::Array(items) = list { Some(items) } else { None });
    items.into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
