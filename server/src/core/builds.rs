//! Sources to IR: the isolate's part and the engine's part, one after the other. The command line and the hosted service
//! both call [`compile`].

use super::error::CoreError;
use super::model::{Build, Id};
use super::{Core, businesses, new_id};
use crate::store::{Mode, Store, Tx};
use jiff::Timestamp;
use svc_engine::diagnostic::Diagnostic;
use svc_engine::manifest::{self, Manifest, canonical};
use svc_engine::registry::Registry;
use svc_runtime::modules::Sources;
use svc_runtime::{Failure, Job, Outcome, Pool, PoolError};

/// What sources came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    /// The IR, when nothing is wrong.
    pub ir: Option<CompiledIr>,
    /// What there is to say about the product, ordered by position.
    pub diagnostics: Vec<Diagnostic>,
    /// Why the build was stopped, when it was.
    pub failure: Option<Failure>,
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
    fn stopped(failure: Failure) -> Self {
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
    let Ok(registry) = Registry::parse(&registry) else { return Ok(Compiled::stopped(Failure::Crashed)) };
    let finalized = manifest::finalize(&registry, &classes);
    let Some(manifest) = finalized.manifest else {
        return Ok(Compiled { ir: None, diagnostics: finalized.diagnostics, failure: None });
    };
    let ir = canonical::bytes(&manifest).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(text) = ir else { return Ok(Compiled::stopped(Failure::Crashed)) };
    let hash = canonical::hash_bytes(text.as_bytes());
    Ok(Compiled { ir: Some(CompiledIr { manifest, text, hash }), diagnostics: finalized.diagnostics, failure: None })
}

impl<S: Store> Core<S> {
    /// Builds a business's product and keeps what became of it.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Busy`]; [`CoreError::Store`].
    pub async fn build(&self, business: &Id, sources: Sources, now: Timestamp) -> Result<(Build, Compiled), CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        drop(tx);
        let compiled = compile(&self.pool, sources).await?;
        let diagnostics =
            serde_json::to_string(&compiled.diagnostics).map_err(|error| CoreError::Internal(error.to_string()))?;
        let build = Build {
            id: new_id("bld", now),
            business: business.clone(),
            ir_hash: compiled.ir.as_ref().map(|ir| ir.hash.clone()),
            ir: compiled.ir.as_ref().map(|ir| ir.text.clone()),
            diagnostics,
            failure: compiled.failure.map(|failure| failure.as_str().to_owned()),
            created_at: now,
        };
        let mut tx = self.store.begin(Mode::Write).await?;
        tx.insert_build(&build).await?;
        tx.commit().await?;
        Ok((build, compiled))
    }
}
