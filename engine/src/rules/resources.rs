//! `@Resource`.

use super::reader::Node;
use crate::manifest::ir::{CountSource, Key, Resource};

/// The resource of `@Resource(name, options?)`.
pub(crate) fn resource(name: Key, options: Option<&Node<'_>>) -> Resource {
    let mut resource = Resource { display: name.title_case(), name, count_source: CountSource::ActionInferred };
    if let Some(options) = options.and_then(Node::options) {
        resource.display = options.text("display").unwrap_or(resource.display);
        resource.count_source = options.choice("countSource").unwrap_or(resource.count_source);
        options.finish();
    }
    resource
}
