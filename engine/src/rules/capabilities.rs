//! `@Capability`.

use super::reader::Node;
use crate::manifest::ir::{Capability, Key};

/// The capability of `@Capability(key, options?)`.
pub(crate) fn capability(key: Key, options: Option<&Node<'_>>) -> Capability {
    let mut capability = Capability {
        key,
        title: None,
        description: None,
        includes_features: Vec::new(),
        includes_policies: Vec::new(),
        includes_capabilities: Vec::new(),
        mutation_class: None,
    };
    if let Some(options) = options.and_then(Node::options) {
        capability.title = options.text("title");
        capability.description = options.text("description");
        capability.includes_features = options.keys("includesFeatures");
        capability.includes_policies = options.keys("includesPolicies");
        capability.includes_capabilities = options.keys("includesCapabilities");
        capability.mutation_class = options.choice("mutationClass");
        options.finish();
    }
    capability
}
