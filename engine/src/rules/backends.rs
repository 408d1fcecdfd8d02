//! `@Backend`.

use super::reader::Node;
use super::urls::url;
use crate::manifest::ir::{Backend, Key, Transport, TransportMode, Verification};

/// The backend of `@Backend(id, options?)`.
pub(crate) fn backend(id: Key, options: Option<&Node<'_>>) -> Backend {
    let mut backend = Backend {
        id,
        name: None,
        slug: None,
        origin_url: None,
        transport: Transport { mode: TransportMode::Direct },
        verification: Verification { required: true },
        meters: None,
        default: false,
    };
    if let Some(options) = options.and_then(Node::options) {
        backend.name = options.text("name");
        backend.slug = options.text("slug");
        backend.origin_url = options.get("originUrl").and_then(|node| url(&node));
        if let Some(transport) = options.get("transport").and_then(|node| node.options()) {
            backend.transport.mode =
                transport.require("mode").and_then(|mode| mode.choice()).unwrap_or(TransportMode::Direct);
            transport.finish();
        }
        if let Some(verification) = options.get("verification").and_then(|node| node.options()) {
            backend.verification.required =
                verification.require("required").and_then(|node| node.boolean()).unwrap_or(true);
            verification.finish();
        }
        backend.meters = options.get("meters").map(|node| node.keys());
        backend.default = options.boolean("default", false);
        options.finish();
    }
    backend
}
