//! Sources to IR, in a worker: the product is run and the rules are applied there, under one set of limits. The command line and the
//! hosted service both call [`compile`].

use svc_engine::diagnostic::Diagnostic;
use svc_engine::manifest::{Manifest, canonical};
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
    /// What was stopped then.
    pub stage: FailedStage,
}

/// What of a build may be stopped: each has limits of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedStage {
    /// Running the product and its rules.
    Build,
    /// Running the tests beside it.
    Tests,
}

/// A manifest's bytes and hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledIr {
    /// Its canonical text, as the worker wrote it. Whoever acts on it reads it as a stranger's.
    pub text: String,
    /// `sha256:…` of the text.
    pub hash: String,
}

impl CompiledIr {
    /// The manifest.
    ///
    /// # Errors
    /// Where the text is none: only a worker that is no longer ours writes such.
    pub fn manifest(&self) -> Result<Manifest, serde_json::Error> {
        serde_json::from_str(&self.text)
    }
}

impl Compiled {
    pub(crate) fn stopped(failure: BuildFailure) -> Self {
        Compiled { failure: Some(failure), ..Compiled::of(None, Vec::new()) }
    }

    /// What ran to an end of its own.
    pub(crate) fn of(ir: Option<CompiledIr>, diagnostics: Vec<Diagnostic>) -> Self {
        Compiled { ir, diagnostics, failure: None, stage: FailedStage::Build }
    }
}

// INVARIANT 3: the sources are the one argument.
/// Builds a product.
///
/// # Errors
/// [`PoolError`] when no worker ran the build to an end of its own. Whatever the product does is in [`Compiled`].
pub async fn compile(pool: &Pool, sources: Sources) -> Result<Compiled, PoolError> {
    Ok(match pool.build(Job::build(sources)).await? {
        Outcome::Built { ir: text, diagnostics } => {
            let hash = canonical::hash_bytes(text.as_bytes());
            Compiled::of(Some(CompiledIr { text, hash }), diagnostics)
        }
        Outcome::Rejected(diagnostics) => Compiled::of(None, diagnostics),
        Outcome::Failed(failure) => Compiled::stopped(failure),
        // No build asks for it.
        Outcome::Collected(_) | Outcome::Located(_) | Outcome::Tested(_) => Compiled::stopped(BuildFailure::Crashed),
    })
}
