//! Who runs builds. They are queued in the store; a server that has room takes one that nobody works on, its own or another's, and
//! one whose server is gone.

use crate::compile::{Compiled, compile};
use std::sync::Arc;
use std::time::Duration;
use svc_core::{Clock, Core, CoreError};
use svc_runtime::{BuildFailure, Pool, PoolError};
use svc_store::Store;
use svc_store::records::{Build, BuildResult, Progress, StoredFailure};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How often a build is taken before it counts as one that brings servers down.
pub const ATTEMPTS_MAX: u32 = 3;
/// How often a server looks for builds that were queued on other servers, in milliseconds.
const SWEEP_MS: u64 = 500;
/// How long a server waits before it takes another build after one that no worker could be started for, in milliseconds.
const RECOVERY_MS: u64 = 1_000;

/// Runs queued builds.
#[derive(Clone)]
pub struct Builder<S> {
    core: Core<S>,
    pool: Pool,
    clock: Arc<Clock>,
    /// Builds that this server may have taken at once: as many as it can soon do, so that no lease ends in its own queue.
    slots: Arc<Semaphore>,
}

impl<S: Store> Builder<S> {
    /// A builder that takes `at_once` builds at once.
    pub fn new(core: Core<S>, pool: Pool, at_once: usize, clock: Arc<Clock>) -> Self {
        Builder { core, pool, clock, slots: Arc::new(Semaphore::new(at_once)) }
    }

    /// Takes builds that nobody works on, and runs them, for ever.
    pub async fn run(&self) {
        while let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await {
            match self.core.take_build((self.clock)()).await {
                Ok(Some(build)) => self.begin(build, slot),
                Ok(None) => {
                    drop(slot);
                    self.core.queued_build(Duration::from_millis(SWEEP_MS)).await;
                }
                Err(error) => {
                    tracing::warn!(%error, "a queued build could not be taken");
                    tokio::time::sleep(Duration::from_millis(SWEEP_MS)).await;
                }
            }
        }
    }

    /// Runs a build beside whatever goes on, to its end, whoever waits for it.
    fn begin(&self, build: Build, slot: OwnedSemaphorePermit) {
        let builder = self.clone();
        tokio::spawn(async move {
            let id = build.id.clone();
            if let Err(error) = builder.work(build).await {
                tracing::warn!(%error, %id, "a build could not be ended; its lease runs out");
            }
            drop(slot);
        });
    }

    async fn work(&self, build: Build) -> Result<(), CoreError> {
        let Progress::Waiting { files, attempts, .. } = &build.progress else { return Ok(()) };
        let compiled = if *attempts > ATTEMPTS_MAX {
            Compiled::stopped(BuildFailure::Crashed)
        } else {
            let sources = serde_json::from_str(files).map_err(|error| CoreError::Internal(error.to_string()))?;
            match compile(&self.pool, sources).await {
                Ok(compiled) => compiled,
                // Not the product's fault: it goes back, and the attempt does not count.
                Err(error) => return self.give_back(&build, &error).await,
            }
        };
        self.core.end_build(&build.id, &self.result(&compiled)?).await
    }

    async fn give_back(&self, build: &Build, error: &PoolError) -> Result<(), CoreError> {
        tracing::error!(%error, id = %build.id, "no worker took a build; it goes back to the queue");
        self.core.return_build(&build.id).await?;
        tokio::time::sleep(Duration::from_millis(RECOVERY_MS)).await;
        Ok(())
    }

    fn result(&self, compiled: &Compiled) -> Result<BuildResult, CoreError> {
        let diagnostics =
            serde_json::to_string(&compiled.diagnostics).map_err(|error| CoreError::Internal(error.to_string()))?;
        let failure = compiled.failure.map(|failure| StoredFailure {
            code: failure.as_str().to_owned(),
            message: failure.message(&self.pool.limits()),
        });
        Ok(BuildResult {
            ir_hash: compiled.ir.as_ref().map(|ir| ir.hash.clone()),
            ir: compiled.ir.as_ref().map(|ir| ir.text.clone()),
            diagnostics,
            failure,
        })
    }
}
