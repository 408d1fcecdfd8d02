//! Every answer that a test gets is held against `/openapi.json`: what the document promises, hundreds of tests check.

use jsonschema::Validator;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

static DOCUMENT: LazyLock<Json> = LazyLock::new(svc_api::openapi::document);
/// Validators by where their schema stands in the document.
static VALIDATORS: Mutex<Option<HashMap<String, &'static Validator>>> = Mutex::new(None);

/// Fails where the document has this path and method, and the answer is not as it says.
pub fn holds(method: &str, path: &str, status: u16, media: &str, body: &[u8]) {
    let path = path.split('?').next().unwrap_or_default();
    let Some((pattern, operation)) = operation(method, path) else { return };
    let answers = &operation["responses"];
    let known = answers.get(status.to_string());
    assert!(known.is_some() || status >= 400, "{method} {pattern} does not say that it answers {status}");
    let name = if known.is_some() { status.to_string() } else { "default".to_owned() };
    let content = answers[&name]["content"].as_object().unwrap();
    let media = media.split(';').next().unwrap_or_default();
    assert!(content.contains_key(media), "{method} {pattern} {status} is {media}; said is {:?}", content.keys());
    let schema = &content[media]["schema"];
    let body: Json =
        serde_json::from_slice(body).unwrap_or_else(|error| panic!("{method} {pattern} {status}: {error}"));
    let wrong: Vec<String> =
        validator(schema).iter_errors(&body).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{method} {pattern} {status} is not as /openapi.json says: {wrong:#?}\n{body:#}");
}

/// The operation of a path: of patterns that fit, the one with the fewest parameters.
fn operation(method: &str, path: &str) -> Option<(&'static str, &'static Json)> {
    let paths = DOCUMENT["paths"].as_object()?;
    let fitting = paths.iter().filter(|(pattern, _)| fits(pattern, path));
    let (pattern, methods) = fitting.min_by_key(|(pattern, _)| pattern.matches('{').count())?;
    Some((pattern, methods.get(method.to_ascii_lowercase())?))
}

fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (pattern.split('/'), path.split('/'));
    pattern.clone().count() == path.clone().count()
        && pattern.zip(path).all(|(wanted, part)| wanted == part || (wanted.starts_with('{') && !part.is_empty()))
}

fn validator(schema: &Json) -> &'static Validator {
    let mut all = VALIDATORS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    all.get_or_insert_default().entry(schema.to_string()).or_insert_with(|| {
        let whole = json!({ "allOf": [schema], "components": DOCUMENT["components"] });
        Box::leak(Box::new(jsonschema::draft202012::new(&whole).unwrap()))
    })
}
