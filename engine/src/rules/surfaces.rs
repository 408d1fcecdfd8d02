//! `@Surface`.

use super::reader::Node;
use crate::manifest::ir::Surface;

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
