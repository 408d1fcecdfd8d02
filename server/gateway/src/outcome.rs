//! Who pays: what a request's end means for what is charged. `docs/gateway.md` has it as a table, and a test for each row.

use crate::report::Reports;
use crate::served::ServedRoute;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use svc_engine::money::units::Units;
use svc_engine::rules::routes;

/// How a request that was passed on ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The backend's answer came whole.
    Whole { status: u16, reports: Reports },
    /// The client left after the answer's head had come, or the time for the whole request was over; a report that had not come is lost.
    Cut { status: u16, reports: Option<Reports> },
    /// The backend gave no answer, or not all of it, or the request never reached it whole.
    Failed,
}

/// What is charged: the status by which fixed costs count, and units by meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Charge {
    pub(crate) status: u16,
    pub(crate) reports: BTreeMap<String, Units>,
}

impl Outcome {
    /// Whether what the route does to its resource was done.
    pub(crate) fn has_done(&self) -> bool {
        match self {
            Outcome::Whole { status, .. } | Outcome::Cut { status, .. } => (200..300).contains(status),
            Outcome::Failed => false,
        }
    }

    /// What is charged of it; nothing where nothing is.
    pub(crate) fn charge(self, route: &ServedRoute) -> Option<Charge> {
        let (status, reported, expects) = match self {
            Outcome::Whole { status, reports } => (status, reports, false),
            // What the backend would have reported is not known any more, and it did the work.
            Outcome::Cut { status, reports } => (status, reports.clone().unwrap_or_default(), reports.is_none()),
            Outcome::Failed => return None,
        };
        let is_allowed = |meter: &String| route.reports.contains(meter);
        let mut reports: BTreeMap<String, Units> =
            reported.into_iter().filter(|(meter, _)| is_allowed(meter)).collect();
        if expects && routes::counts(&route.status_codes, status) {
            reports.extend(route.estimated_reports());
        }
        let counts = route.has_costs && routes::counts(&route.status_codes, status);
        (route.is_metered && (counts || !reports.is_empty())).then_some(Charge { status, reports })
    }
}
