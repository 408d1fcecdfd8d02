//! Values of the guest's in one line each, from what V8 previews: nothing of the guest's runs to show them.

use serde_json::Value as Json;
use svc_engine::text::visible;

/// Longest text that is shown of one value, in characters.
const SHOWN_MAX_CHARS: usize = 2_000;

/// A value as the protocol describes it.
pub(super) fn shown(object: &Json) -> String {
    cut(&visible(&described(object)))
}

fn described(object: &Json) -> String {
    match object.get("preview") {
        Some(preview) => with_preview(object, preview),
        None => plain(object),
    }
}

fn text<'j>(json: &'j Json, name: &str) -> &'j str {
    json.get(name).and_then(Json::as_str).unwrap_or_default()
}

/// A value without a look inside.
fn plain(object: &Json) -> String {
    if let Some(value) = object.get("value") {
        return value.to_string();
    }
    match (text(object, "type"), text(object, "unserializableValue"), text(object, "description")) {
        ("undefined", ..) => "undefined".to_owned(),
        ("function", _, description) => first_line(description),
        (_, "", description) => first_line(description),
        (_, exact, _) => exact.to_owned(),
    }
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    if lines.next().is_some() { first + " …" } else { first }
}

fn with_preview(object: &Json, preview: &Json) -> String {
    let is_list = text(preview, "subtype") == "array";
    let name = match first_line(text(object, "description")).as_str() {
        "Object" => String::new(),
        _ if is_list => String::new(),
        name => format!("{name} "),
    };
    if text(preview, "subtype") == "error" {
        return name.trim_end().to_owned();
    }
    let list = |name: &str| preview.get(name).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default().to_vec();
    let mut parts: Vec<String> = list("properties").iter().map(|one| property(one, is_list)).collect();
    parts.extend(list("entries").iter().map(entry));
    if preview.get("overflow").and_then(Json::as_bool) == Some(true) {
        parts.push("…".to_owned());
    }
    match (is_list, parts.is_empty()) {
        (true, _) => format!("{name}[{}]", parts.join(", ")),
        (false, true) => format!("{name}{{}}"),
        (false, false) => format!("{name}{{ {} }}", parts.join(", ")),
    }
}

/// One property of a preview. A getter is not called.
fn property(property: &Json, is_list: bool) -> String {
    let value = match text(property, "type") {
        "accessor" => "(…)".to_owned(),
        "string" => format!("{:?}", text(property, "value")),
        "function" => "ƒ".to_owned(),
        _ => text(property, "value").to_owned(),
    };
    let name = text(property, "name");
    if is_list && name.bytes().all(|byte| byte.is_ascii_digit()) { value } else { format!("{name}: {value}") }
}

fn entry(entry: &Json) -> String {
    let side = |name: &str| {
        entry.get(name).map(|side| match text(side, "type") {
            "string" => format!("{:?}", text(side, "description")),
            _ => text(side, "description").to_owned(),
        })
    };
    match (side("key"), side("value")) {
        (Some(key), Some(value)) => format!("{key} => {value}"),
        (_, value) => value.unwrap_or_default(),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
