//! Sources to IR: the isolate's part and the engine's part, one after the other. The command line and the hosted service
//! both call [`compile`].

use super::error::CoreError;
use super::model::{Build, BuildResult, Id, Progress};
use super::once::Once;
use super::{Core, businesses, new_id};
use crate::store::{Mode, Store};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use svc_engine::diagnostic::Diagnostic;
use svc_engine::manifest::{self, Manifest, canonical};
use svc_engine::registry::Registry;
use svc_runtime::modules::Sources;
use svc_runtime::{Failure, Job, Outcome, Pool, PoolError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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

/// How long a server has for a build it took, in seconds. After that another may take it.
pub const LEASE_SECONDS: i64 = 30;
/// How often a build is taken before it counts as one that brings servers down.
pub const ATTEMPTS_MAX: u32 = 3;
/// Builds of all servers that may wait.
pub const QUEUE_MAX: u64 = 1_024;
/// How often a server looks for builds that nobody works on, in milliseconds.
const SWEEP_MS: u64 = 500;
/// How often someone who waits for a build looks whether it has ended, in milliseconds.
const WAIT_MS: u64 = 25;

/// What tells the time.
pub type Clock = dyn Fn() -> Timestamp + Send + Sync;

/// Who runs builds. They are queued in the store; a server that has room takes the oldest that nobody works on, its own or another's,
/// and one whose server is gone.
#[derive(Clone)]
pub struct Builder<S> {
    /// The use cases.
    pub core: Core<S>,
    /// The workers.
    pub pool: Pool,
    clock: Arc<Clock>,
    /// Builds that this server may have taken at once: as many as it can soon do, so that no lease ends in its own queue.
    slots: Arc<Semaphore>,
}

impl<S: Store> Builder<S> {
    /// A builder that takes `at_once` builds at once.
    pub fn new(core: Core<S>, pool: Pool, at_once: usize, clock: Arc<Clock>) -> Self {
        Builder { core, pool, clock, slots: Arc::new(Semaphore::new(at_once)) }
    }

    /// Builds a business's product and keeps what became of it. The same request under the same key answers the same build.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Busy`]; [`CoreError::Store`].
    pub async fn build(
        &self,
        business: &Id,
        sources: Sources,
        key: Option<&str>,
    ) -> Result<(Build, BuildResult), CoreError> {
        let id = self.core.queue_build(business, &sources, key, (self.clock)()).await?;
        loop {
            let build = self.core.find_build(business, &id).await?;
            if let Progress::Ended(result) = &build.progress {
                let result = result.clone();
                return Ok((build, result));
            }
            let wait = Duration::from_millis(WAIT_MS);
            // Without room here, another server may take it.
            let slot = tokio::time::timeout(wait, Arc::clone(&self.slots).acquire_owned()).await;
            if let Ok(Ok(slot)) = slot
                && !self.work(slot).await
            {
                tokio::time::sleep(wait).await;
            }
        }
    }

    /// Takes the oldest build that nobody works on, and does it. Whether there was one. Runs to its end even when whoever waits for
    /// it goes away: the build may be another's.
    async fn work(&self, slot: OwnedSemaphorePermit) -> bool {
        let builder = self.clone();
        let worked = tokio::spawn(async move {
            let worked = builder.take_and_build().await;
            drop(slot);
            worked
        });
        match worked.await {
            Ok(Ok(worked)) => worked,
            Ok(Err(error)) => {
                tracing::warn!(%error, "a queued build could not be taken or ended");
                false
            }
            Err(error) => {
                tracing::error!(%error, "a queued build's task failed");
                false
            }
        }
    }

    async fn take_and_build(&self) -> Result<bool, CoreError> {
        let now = (self.clock)();
        let mut tx = self.core.store.begin(Mode::Write).await?;
        let lease = now.checked_add(SignedDuration::from_secs(LEASE_SECONDS));
        let leased_until = lease.map_err(|error| CoreError::Internal(error.to_string()))?;
        let Some(build) = tx.take_build(now, leased_until).await? else { return Ok(false) };
        tx.commit().await?;
        let Progress::Waiting { files, attempts, .. } = &build.progress else { return Ok(false) };
        let compiled = if *attempts > ATTEMPTS_MAX {
            Compiled::stopped(Failure::Crashed)
        } else {
            let sources = serde_json::from_str(files).map_err(|error| CoreError::Internal(error.to_string()))?;
            compile(&self.pool, sources).await?
        };
        let result = result(&compiled)?;
        let mut tx = self.core.store.begin(Mode::Write).await?;
        tx.end_build(&build.id, &result).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Takes builds that nobody works on, for ever.
    pub async fn sweep(&self) {
        while let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await {
            if !self.work(slot).await {
                tokio::time::sleep(Duration::from_millis(SWEEP_MS)).await;
            }
        }
    }
}

fn result(compiled: &Compiled) -> Result<BuildResult, CoreError> {
    let diagnostics =
        serde_json::to_string(&compiled.diagnostics).map_err(|error| CoreError::Internal(error.to_string()))?;
    Ok(BuildResult {
        ir_hash: compiled.ir.as_ref().map(|ir| ir.hash.clone()),
        ir: compiled.ir.as_ref().map(|ir| ir.text.clone()),
        diagnostics,
        failure: compiled.failure.map(|failure| failure.as_str().to_owned()),
    })
}

impl<S: Store> Core<S> {
    /// Queues a build, noting what it means to replace. Gives its id.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Busy`]; [`CoreError::Conflict`]; [`CoreError::Store`].
    pub async fn queue_build(
        &self,
        business: &Id,
        sources: &Sources,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<Id, CoreError> {
        let mut tx = self.store.begin(Mode::Write).await?;
        businesses::known_business(&mut tx, business).await?;
        let once = Once::new(format!("builds/{business}"), key, sources)?;
        if let Some(known) = once.recall(&mut tx).await? {
            return Ok(known);
        }
        if tx.builds_waiting().await? >= QUEUE_MAX {
            return Err(CoreError::Busy("too many builds wait already"));
        }
        let files = serde_json::to_string(sources).map_err(|error| CoreError::Internal(error.to_string()))?;
        let build = Build {
            id: new_id("bld", now),
            business: business.clone(),
            base_hash: tx.active_release(business).await?.map(|active| active.ir_hash),
            progress: Progress::Waiting { files, attempts: 0, leased_until: None },
            created_at: now,
        };
        tx.insert_build(&build).await?;
        once.remember(&mut tx, &build.id, now).await?;
        tx.commit().await?;
        Ok(build.id)
    }

    /// The business's build of this id.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn find_build(&self, business: &Id, id: &Id) -> Result<Build, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        tx.build(business, id).await?.ok_or(CoreError::NotFound("there is no such build"))
    }

    /// Keeps a build that was made elsewhere: publishing checks it from scratch like every other.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn keep_build(&self, business: &Id, result: BuildResult, now: Timestamp) -> Result<Build, CoreError> {
        let mut tx = self.store.begin(Mode::Write).await?;
        businesses::known_business(&mut tx, business).await?;
        let base_hash = tx.active_release(business).await?.map(|active| active.ir_hash);
        let (id, business) = (new_id("bld", now), business.clone());
        let build = Build { id, business, base_hash, progress: Progress::Ended(result), created_at: now };
        tx.insert_build(&build).await?;
        tx.commit().await?;
        Ok(build)
    }
}
