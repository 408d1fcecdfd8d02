//! Sources to IR: the isolate's part and the engine's part, one after the other. The command line and the hosted service both call
//! [`compile`].

use svc_engine::diagnostic::Diagnostic;
use svc_engine::manifest::{self, Manifest, canonical};
use svc_engine::registry::Registry;
use svc_engine::sources::Sources;
use svc_runtime::{BuildFailure, Job, Outcome, Pool, PoolError};

/// What sources came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    /// The IR, when nothing is wrong.
    pub ir: Option<CompiledIr>,
    /// What there is to say about the product, ordered by position.
    pub diagnostics: Vec<Diagnostic>,
    /// Why the build was stopped, when it was.
    pub failure: Option<BuildFailure>,
}

/// A manifest with its bytes and hash.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledIr {
    /// The manifest.
    pub manifest: Manifest,
    /// Its canonical text.
    pub text: String,
    /// `sha256:…` of the text.
    pub hash: String,
}

impl Compiled {
    pub(crate) fn stopped(failure: BuildFailure) -> Self {
        Compiled { ir: None, diagnostics: Vec::new(), failure: Some(failure) }
    }
}

/// Builds a product.
///
/// # Errors
/// [`PoolError`] when no worker could take the build. Whatever the product does is in [`Compiled`].
pub async fn compile(pool: &Pool, sources: Sources) -> Result<Compiled, PoolError> {
    let (registry, classes) = match pool.build(Job { sources }).await? {
        Outcome::Collected { registry, classes } => (registry, classes),
        Outcome::Rejected(diagnostics) => return Ok(Compiled { ir: None, diagnostics, failure: None }),
        Outcome::Failed(failure) => return Ok(Compiled::stopped(failure)),
    };
    // Only a worker that is no longer ours hands over what is no registry.
    let Ok(registry) = Registry::parse(&registry) else { return Ok(Compiled::stopped(BuildFailure::Crashed)) };
    let finalized = manifest::finalize(&registry, &classes);
    let Some(manifest) = finalized.manifest else {
        return Ok(Compiled { ir: None, diagnostics: finalized.diagnostics, failure: None });
    };
    let ir = canonical::bytes(&manifest).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(text) = ir else { return Ok(Compiled::stopped(BuildFailure::Crashed)) };
    let hash = canonical::hash_bytes(text.as_bytes());
    Ok(Compiled { ir: Some(CompiledIr { manifest, text, hash }), diagnostics: finalized.diagnostics, failure: None })
}
