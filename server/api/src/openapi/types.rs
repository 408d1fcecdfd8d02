//! The types of the document.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value as Json, json};

/// Where the document has its types.
pub(super) const COMPONENTS: &str = "/components/schemas";

/// The schemas of bodies, as they are read, and of answers, as they are written.
pub(super) struct Types {
    read: SchemaGenerator,
    written: SchemaGenerator,
    more: Map<String, Json>,
}

impl Types {
    /// None yet.
    pub(super) fn new() -> Types {
        let settings = || {
            let mut settings = SchemaSettings::draft2020_12();
            settings.definitions_path = COMPONENTS.into();
            settings.meta_schema = None;
            settings
        };
        Types {
            read: settings().into_generator(),
            written: settings().for_serialize().into_generator(),
            more: Map::new(),
        }
    }

    /// With the one of problems.
    pub(super) fn problem(&mut self) {
        let problem = json!({
            "description": "What is wrong (RFC 9457). Some problems have further members.",
            "type": "object",
            "required": ["type", "title", "status", "code", "detail", "requestId"],
            "properties": {
                "type": { "type": "string" },
                "title": { "type": "string" },
                "status": { "type": "integer", "minimum": 400, "maximum": 599 },
                "code": { "type": "string", "pattern": "^[A-Z][A-Z0-9_]*$", "description": "Stable." },
                "detail": { "type": "string" },
                "requestId": { "type": "string" },
            },
        });
        self.more.insert("Problem".to_owned(), problem);
    }

    /// All of them. A type that is read and written alike stands once.
    pub(super) fn components(mut self) -> Map<String, Json> {
        let mut all = self.read.take_definitions(true);
        for (name, schema) in self.written.take_definitions(true) {
            let known = all.entry(name.clone()).or_insert_with(|| schema.clone());
            debug_assert_eq!(known, &schema, "{name} is read and written in two forms");
        }
        all.extend(self.more);
        all.values_mut().for_each(bound);
        all
    }

    /// The schema of a body.
    pub(super) fn body<T: JsonSchema>(&mut self) -> Schema {
        self.read.subschema_for::<T>()
    }

    /// The schema of an answer.
    pub(super) fn answer<T: JsonSchema>(&mut self) -> Schema {
        self.written.subschema_for::<T>()
    }
}

/// Gives integers the bounds that their types have, which their formats alone name.
fn bound(schema: &mut Json) {
    match schema {
        Json::Array(parts) => parts.iter_mut().for_each(bound),
        Json::Object(members) => {
            members.values_mut().for_each(bound);
            let most = match members.get("format").and_then(Json::as_str) {
                Some("uint32") => json!(u32::MAX),
                Some("int32") => json!(i32::MAX),
                Some("uint" | "uint64") => json!(u64::MAX),
                Some("int64") => json!(i64::MAX),
                _ => return,
            };
            members.entry("maximum").or_insert(most);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::document;

    #[test]
    fn every_reference_leads_somewhere() {
        fn references(json: &Json, found: &mut Vec<String>) {
            match json {
                Json::Array(parts) => parts.iter().for_each(|part| references(part, found)),
                Json::Object(members) => {
                    found.extend(members.get("$ref").and_then(Json::as_str).map(str::to_owned));
                    members.values().for_each(|member| references(member, found));
                }
                _ => {}
            }
        }
        let (document, mut found) = (document(), Vec::new());
        references(&document, &mut found);
        assert!(found.len() > 100);
        for reference in found {
            let place = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(place).is_some(), "{reference}");
        }
    }
}
