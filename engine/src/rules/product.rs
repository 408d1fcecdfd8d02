//! `@Product`.

use super::finding::At;
use super::reader::Node;
use super::urls::url;
use crate::diagnostic::Code;
use crate::manifest::ir::Product;

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
