//! `@Product`, `@Surface` and `@Raw`.

use super::reader::Node;
use super::{At, Finding, Place};
use crate::diagnostic::Code;
use crate::manifest::ir::{Product, RESOURCES, Surface};
use crate::source::Path;
use serde_json::{Map, Value as Json};

/// The product of `@Product(options)`; fields that are missing stay empty and are reported.
pub(crate) fn product(options: &Node<'_>, class_name: &str) -> Product {
    let mut product = Product {
        name: class_name.to_owned(),
        origin: String::new(),
        display_name: None,
        description: None,
        bill_on_4xx: false,
    };
    let Some(options) = options.options() else { return product };
    if let Some(origin) = options.require("origin") {
        product.origin = url(&origin).unwrap_or_default();
    }
    match options.get("name") {
        Some(name) => product.name = name.text().unwrap_or_default(),
        None if class_name.is_empty() => {
            let message = "an anonymous class needs the option `name`";
            options.node().report(Code::OptionRequired, At::Value, message, None);
        }
        None => {}
    }
    product.display_name = options.text("displayName");
    product.description = options.text("description");
    product.bill_on_4xx = options.boolean("billOn4xx", false);
    options.finish();
    product
}

/// An `http` or `https` URL with a host, taken as it is written.
pub(crate) fn url(node: &Node<'_>) -> Option<String> {
    let text = node.text()?;
    // Browsers forgive missing slashes and stray white space; a configuration does not need them to.
    let exact = text.chars().all(|c| !c.is_whitespace() && !c.is_control() && c != '\\');
    let host_follows =
        text.split_once("://").is_some_and(|(_, rest)| rest.starts_with(|c: char| !matches!(c, '/' | '?' | '#')));
    let parsed = url::Url::parse(&text).ok().filter(|url| {
        let known_scheme = matches!(url.scheme(), "http" | "https");
        let anonymous = url.username().is_empty() && url.password().is_none();
        known_scheme && anonymous && url.host_str().is_some() && url.port() != Some(0)
    });
    if exact && host_follows && parsed.is_some() {
        return Some(text);
    }
    let message = format!("{text:?} is no http or https URL with a host name");
    node.report(Code::UrlForm, At::Value, message, Some("such as \"https://api.example.com\"".to_owned()));
    None
}

/// The surface of `@Surface(type, options?)` on the member `name`.
pub(crate) fn surface(name: &str, kind: Option<&Node<'_>>, options: Option<&Node<'_>>) -> Option<Surface> {
    let kind = kind?.choice()?;
    let mut surface = Surface { name: name.to_owned(), r#type: kind, title: None, path: None, capability: None };
    if let Some(options) = options.and_then(Node::options) {
        surface.title = options.text("title");
        surface.path = options.text("path");
        surface.capability = options.key("capability");
        options.finish();
    }
    Some(surface)
}

/// Merges one `@Raw(json)` into what the earlier ones gave.
pub(crate) fn raw(node: &Node<'_>, merged: &mut Map<String, Json>) {
    // Raw JSON may touch none of the IR's typed fields.
    let typed = [&["irVersion", "sdkVersion"], RESOURCES].concat();
    merge_raw(node, merged, &typed, "the product");
}

/// Merges raw JSON deeply, later values winning; a name in `typed` is refused.
pub(crate) fn merge_raw(node: &Node<'_>, merged: &mut Map<String, Json>, typed: &[&str], owner: &str) {
    for (key, value) in node.entries() {
        if typed.contains(&key.as_str()) {
            let message = format!("raw {key:?} would stand beside the typed field {key:?} of {owner}");
            value.report(
                Code::RawOverTyped,
                At::Key,
                message,
                Some(format!("declare {key:?} with its decorator or option, or choose another name")),
            );
        } else if let Some(json) = value.json() {
            merge(merged, key, json);
        }
    }
}

fn merge(into: &mut Map<String, Json>, key: String, value: Json) {
    match (into.get_mut(&key), value) {
        (Some(Json::Object(old)), Json::Object(new)) => {
            for (key, value) in new {
                merge(old, key, value);
            }
        }
        (_, value) => {
            into.insert(key, value);
        }
    }
}

/// A complaint about the product as a whole, standing at declaration `declaration` where there is one.
pub(crate) fn about_product(code: Code, message: impl Into<String>, declaration: Option<usize>) -> Finding {
    let path = Path::new(["product"]);
    let place = declaration.map_or(Place::Path(At::Value), Place::Declaration);
    Finding { code, message: message.into(), hint: None, path, place }
}
