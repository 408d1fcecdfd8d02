//! What the document tells of an endpoint beside its row.

use crate::endpoints::Endpoint;
use schemars::Schema;
use serde_json::{Value as Json, json};
use svc_core::LISTED_MAX;

/// What is to be told of an endpoint beside its row.
pub(super) struct Told {
    pub(super) summary: &'static str,
    pub(super) query: Vec<Json>,
    pub(super) body: Option<(Schema, bool)>,
    pub(super) answers: Vec<(u16, &'static str, Option<Schema>)>,
    /// Codes of its own problems, by status.
    pub(super) problems: &'static [(u16, &'static [&'static str])],
    pub(super) takes_key: bool,
    /// Where an answer leads: an endpoint, its parameter, and the member of the answer that it is.
    pub(super) links: Vec<(Endpoint, &'static str, &'static str)>,
}

impl Told {
    pub(super) fn new(summary: &'static str) -> Told {
        Told {
            summary,
            query: Vec::new(),
            body: None,
            answers: Vec::new(),
            problems: &[],
            takes_key: false,
            links: Vec::new(),
        }
    }

    pub(super) fn reads(mut self, body: Schema) -> Told {
        self.body = Some((body, true));
        self
    }

    /// A body that may be left out.
    pub(super) fn may_read(mut self, body: Schema) -> Told {
        self.body = Some((body, false));
        self
    }

    pub(super) fn answers(mut self, status: u16, what: &'static str, schema: Schema) -> Told {
        self.answers.push((status, what, Some(schema)));
        self
    }

    pub(super) fn refuses(mut self, problems: &'static [(u16, &'static [&'static str])]) -> Told {
        self.problems = problems;
        self
    }

    pub(super) fn leads(mut self, to: &[Endpoint], parameter: &'static str, member: &'static str) -> Told {
        self.links.extend(to.iter().map(|endpoint| (*endpoint, parameter, member)));
        self
    }

    pub(super) fn with_key(mut self) -> Told {
        self.takes_key = true;
        self
    }

    /// A list whose pages have [`LISTED_MAX`] entries at most.
    pub(super) fn paged(self) -> Told {
        self.asks_page(LISTED_MAX)
    }

    /// A list whose pages have so many entries at most.
    pub(super) fn asks_page(mut self, most: u32) -> Told {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": most });
        self.query.push(parameter("limit", "query", false, "How many entries at most.", limit));
        let cursor = json!({ "type": "string" });
        self.query.push(parameter("cursor", "query", false, "What the page before ended with.", cursor));
        self
    }

    /// A whole number in the query.
    pub(super) fn counts(mut self, name: &str, most: u64, what: &str) -> Told {
        let least = u8::from(name == "limit");
        let schema = json!({ "type": "integer", "minimum": least, "maximum": most });
        self.query.push(parameter(name, "query", false, what, schema));
        self
    }

    pub(super) fn asks(mut self, name: &str, required: bool, what: &str) -> Told {
        self.query.push(parameter(name, "query", required, what, json!({ "type": "string", "minLength": 1 })));
        self
    }
}

/// A parameter of a path, a query or a head.
pub(super) fn parameter(name: &str, place: &str, required: bool, what: &str, schema: Json) -> Json {
    json!({ "name": name, "in": place, "required": required, "description": what, "schema": schema })
}
