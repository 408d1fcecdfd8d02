//! `/openapi.json`: what every endpoint takes and answers, out of the table of endpoints and the very types that are read and written.

mod operations;
mod told;
mod types;

use crate::auth::Who;
use crate::endpoints::{ENDPOINTS, Endpoint};
use operations::told;
use serde_json::{Map, Value as Json, json};
use std::sync::LazyLock;
use svc_store::records::Right;
use told::{Told, parameter};
use types::{COMPONENTS, Types};

/// The document, as text.
pub fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| format!("{:#}\n", document()));
    &TEXT
}

/// The document.
pub fn document() -> Json {
    let mut types = Types::new();
    let mut paths: Map<String, Json> = Map::new();
    for (path, method, who, endpoint) in ENDPOINTS {
        let Some(told) = told(*endpoint, &mut types) else { continue };
        let own = operation(path, *who, *endpoint, told);
        let place = paths.entry((*path).to_owned()).or_insert_with(|| json!({}));
        if let Json::Object(methods) = place {
            methods.insert(method.as_str().to_ascii_lowercase(), own);
        }
    }
    types.problem();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "svc",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Builds products declared as code, releases them, takes usage in, and shows each subscriber an exact bill preview.",
            "license": { "name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE") },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "schemas": types.components(),
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "description": "A token; `x-access` of an operation says of which kind." },
            },
        },
    })
}

/// Whom an endpoint is for, as the document and the API's page say it.
fn access(who: Who) -> &'static str {
    match who {
        Who::Anyone => "none",
        Who::Holder => "any",
        Who::Operator => "operator",
        Who::Business(Right::Publish) => "publish",
        Who::Business(Right::Report) => "usage",
        Who::Business(Right::Read) => "read",
        Who::Subscriber => "portal",
        Who::Viewer => "portal, or the page's cookie",
    }
}

fn operation(path: &str, who: Who, endpoint: Endpoint, told: Told) -> Json {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let text = json!({ "type": "string", "minLength": 1 });
    let mut parameters: Vec<Json> =
        names.map(|name| parameter(name, "path", true, &format!("The {name}."), text.clone())).collect();
    parameters.extend(told.query.clone());
    if told.takes_key {
        let key = json!({ "type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$" });
        parameters.push(parameter("Idempotency-Key", "header", false, "Names a request that may come twice.", key));
    }
    let mut operation = json!({
        "operationId": operation_id(endpoint),
        "summary": told.summary,
        "parameters": parameters,
        "responses": responses(who, !path.contains('{'), &told),
        "x-access": access(who),
        "security": if who == Who::Anyone { json!([]) } else { json!([{ "bearer": [] }]) },
    });
    if let (Some((schema, required)), Json::Object(members)) = (&told.body, &mut operation) {
        let content = json!({ "application/json": { "schema": schema } });
        members.insert("requestBody".to_owned(), json!({ "required": required, "content": content }));
    }
    operation
}

/// `createBusiness` of `CreateBusiness`.
fn operation_id(endpoint: Endpoint) -> String {
    let name = format!("{endpoint:?}");
    let (first, rest) = name.split_at(1);
    first.to_ascii_lowercase() + rest
}

fn responses(who: Who, is_of_nothing: bool, told: &Told) -> Json {
    let mut all: Map<String, Json> = Map::new();
    for (status, what, schema) in &told.answers {
        let mut answer = json!({ "description": what });
        if let (Some(schema), Json::Object(members)) = (schema, &mut answer) {
            members.insert("content".to_owned(), json!({ "application/json": { "schema": schema } }));
            if !told.links.is_empty() {
                members.insert("links".to_owned(), links(told));
            }
        }
        all.insert(status.to_string(), answer);
    }
    let mut problems: Vec<(u16, Vec<&str>)> = Vec::new();
    let mut add = |status: u16, codes: &[&'static str]| match problems.iter_mut().find(|(known, _)| *known == status) {
        Some((_, known)) => known.extend(codes),
        None => problems.push((status, codes.to_vec())),
    };
    told.problems.iter().for_each(|(status, codes)| add(*status, codes));
    if who != Who::Anyone {
        add(401, &["UNAUTHORIZED"]);
        add(403, &["FORBIDDEN"]);
        add(429, &["RATE_LIMITED"]);
    }
    if !is_of_nothing {
        add(404, &["NOT_FOUND"]);
    }
    if told.body.is_some() {
        add(400, &["BODY_FORM"]);
        add(408, &["BODY_TIMEOUT"]);
        add(413, &["BODY_TOO_LARGE"]);
        add(415, &["MEDIA_TYPE", "CONTENT_ENCODING"]);
    }
    if !told.query.is_empty() {
        add(400, &["QUERY_FORM"]);
    }
    if told.takes_key {
        add(400, &["IDEMPOTENCY_KEY_FORM"]);
        add(409, &["IDEMPOTENCY_CONFLICT"]);
        add(422, &["IDEMPOTENCY_KEY_FORM"]);
    }
    add(503, &["BUSY", "STORE_UNAVAILABLE"]);
    problems.sort_by_key(|(status, _)| *status);
    for (status, codes) in problems {
        let codes = codes.iter().map(|code| format!("`{code}`")).collect::<Vec<_>>().join(", ");
        all.insert(status.to_string(), problem(&codes));
    }
    all.insert("default".to_owned(), problem("Any other problem."));
    Json::Object(all)
}

/// Where an answer leads: to endpoints of what was made, in the same business.
fn links(told: &Told) -> Json {
    let link = |(endpoint, parameter, member): &(Endpoint, &str, &str)| {
        let id = operation_id(*endpoint);
        let mut parameters = Map::new();
        parameters.insert((*parameter).to_owned(), json!(format!("$response.body#/{member}")));
        let is_of_business = ENDPOINTS.iter().any(|row| row.3 == *endpoint && row.0.contains("{business}"));
        if is_of_business && *parameter != "business" {
            parameters.insert("business".to_owned(), json!("$request.path.business"));
        }
        (id.clone(), json!({ "operationId": id, "parameters": parameters }))
    };
    Json::Object(told.links.iter().map(link).collect())
}

fn problem(what: &str) -> Json {
    let schema = json!({ "$ref": format!("#{COMPONENTS}/Problem") });
    json!({ "description": what, "content": { "application/problem+json": { "schema": schema } } })
}
