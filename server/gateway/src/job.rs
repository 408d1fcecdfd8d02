//! What is to be settled, as it is written down and sent.

use crate::journal::{Found, Kept};
use crate::outcome::Charge;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use svc_core::resources::ResourceChange;
use svc_engine::money::units::Units;
use svc_store::records::Id;
use tokio::sync::oneshot;

/// A request that is to be settled.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) business: Id,
    pub(crate) subject: String,
    /// The request's id: the usage item's, and its hold's.
    pub(crate) id: String,
    /// `METHOD /path` of the route.
    pub(crate) route: String,
    /// When it was let through.
    pub(crate) at: Timestamp,
    pub(crate) charge: Option<Charge>,
    /// Whether money was set aside for it.
    pub(crate) is_held: bool,
    /// The count that it was to change, and whether it did.
    pub(crate) change: Option<(ResourceChange, bool)>,
    /// What its reports were expected to be: what was set aside.
    pub(crate) expected: BTreeMap<String, Units>,
    /// The requests that it stands for, where it is several that are charged together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) requests: Vec<String>,
    /// Of so many like it the cost is the sum. What was found stays by itself: it may have been sent.
    #[serde(skip)]
    pub(crate) together_max: u32,
    /// Where it is written down until it is done.
    #[serde(skip)]
    pub(crate) kept: Vec<Kept>,
    /// Who waits for it.
    #[serde(skip)]
    pub(crate) done: Option<oneshot::Sender<()>>,
}

impl Job {
    /// What a gateway has left that lives no more.
    pub(crate) fn found(Found { line, kept }: Found) -> Option<Job> {
        match serde_json::from_slice::<Job>(&line) {
            Ok(job) => Some(Job { kept: vec![kept], ..job }),
            Err(error) => {
                kept.unreadable(&error);
                None
            }
        }
    }

    /// Whether a client waits for it.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.is_held || self.change.is_some()
    }

    /// How many requests it is.
    pub(crate) fn count(&self) -> usize {
        self.requests.len().max(1)
    }

    /// It as usage.
    pub(crate) fn item(&self, charge: &Charge) -> Json {
        let mut item = json!({
            "id": self.id, "subject": self.subject, "route": self.route, "status": charge.status, "reports": charge.reports,
            "occurredAt": self.at,
        });
        let Json::Object(members) = &mut item else { return item };
        if self.is_held {
            members.insert("hold".to_owned(), json!(self.id));
        }
        if self.count() > 1 {
            members.insert("count".to_owned(), json!(self.count()));
        }
        item
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn job(reports: &[(&str, u64)], is_held: bool) -> Job {
        let units = |pairs: &[(&str, u64)]| {
            pairs.iter().map(|(meter, units)| ((*meter).to_owned(), Units::from_whole(*units))).collect()
        };
        Job {
            business: Id::named("biz"),
            subject: "ada".to_owned(),
            id: "req_1".to_owned(),
            route: "POST /v1/jobs".to_owned(),
            at: Timestamp::UNIX_EPOCH,
            charge: Some(Charge { status: 201, reports: units(reports) }),
            is_held,
            change: None,
            expected: units(&[("ms", 10)]),
            requests: Vec::new(),
            together_max: 0,
            kept: Vec::new(),
            done: None,
        }
    }

    #[test]
    fn an_item_is_the_same_each_time_and_names_its_hold() {
        let held = job(&[("ms", 5)], true);
        let item = held.item(held.charge.as_ref().unwrap());
        assert_eq!(item["hold"], "req_1");
        assert_eq!((&item["reports"]["ms"], &item["occurredAt"]), (&json!(5), &json!("1970-01-01T00:00:00Z")));
        let alone = job(&[], false).item(&Charge { status: 200, reports: BTreeMap::new() });
        assert_eq!((alone.get("hold"), alone.get("count")), (None, None));
        let several = Job { requests: vec!["req_1".to_owned(), "req_2".to_owned()], ..job(&[], false) };
        assert_eq!(several.item(several.charge.as_ref().unwrap())["count"], 2);
    }

    #[test]
    fn a_job_is_read_as_it_was_written() {
        let resource = svc_engine::manifest::ir::Key::try_from("jobs".to_owned()).unwrap();
        let change = ResourceChange {
            id: "req_1".to_owned(),
            resource,
            effect: svc_engine::manifest::ir::ResourceEffect::Create,
        };
        for job in [
            job(&[], false),
            Job { charge: None, change: Some((change, true)), subject: "a \u{2028}\n\"".to_owned(), ..job(&[], true) },
            job(&[("ms", 1_000_000_000_000_000)], true),
            Job { requests: vec!["req_1".to_owned(), "req_2".to_owned()], ..job(&[("ms", 3)], false) },
        ] {
            let text = serde_json::to_string(&job).unwrap();
            let read: Job = serde_json::from_str(&text).unwrap();
            assert_eq!(format!("{read:?}"), format!("{job:?}"), "{text}");
        }
    }
}
