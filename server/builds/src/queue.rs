//! Who runs builds. They are queued in the store; a server that has room takes one that nobody works on, its own or another's, and
//! one whose server is gone.

use crate::compile::{Compiled, FailedStage, compile};
use crate::excerpt;
use crate::tests;
use std::sync::Arc;
use std::time::Duration;
use svc_core::builds::LEASE_SECONDS;
use svc_core::work::{self, Queue};
use svc_core::{Clock, Core, CoreError};
use svc_engine::sources::Sources;
use svc_runtime::{BuildFailure, Pool, PoolError};
use svc_store::Store;
use svc_store::records::{Build, BuildResult, Progress, StoredFailure};
use tokio::sync::Semaphore;

/// How often a build is taken before it counts as one that brings servers down.
pub const ATTEMPTS_MAX: u32 = 3;
/// How often a lease is extended in its time, so that one try may fail.
const EXTENDED_PER_LEASE: u64 = 3;
/// How long a server waits before it takes another build after one that no worker could be started for, in milliseconds.
const RECOVERY_MS: u64 = 1_000;

/// Runs queued builds.
#[derive(Clone)]
pub struct Builder<S> {
    core: Core<S>,
    pool: Pool,
    clock: Arc<Clock>,
    /// Runs products' tests, where they must pass.
    tester: Option<Pool>,
    /// Builds that this server may have taken at once: as many as it can soon do, so that no lease ends in its own queue.
    slots: Arc<Semaphore>,
}

impl<S: Store> Builder<S> {
    /// A builder that takes `at_once` builds at once.
    pub fn new(core: Core<S>, pool: Pool, at_once: usize, clock: Arc<Clock>) -> Self {
        Builder { core, pool, clock, tester: None, slots: Arc::new(Semaphore::new(at_once)) }
    }

    /// The same, for whom a product whose tests fail is wrong. `tester` has testing workers.
    #[must_use]
    pub fn demanding_tests(self, tester: Option<Pool>) -> Self {
        Builder { tester, ..self }
    }

    /// Builds a product, and runs its tests where they must pass.
    async fn compile(&self, sources: &Sources) -> Result<Compiled, PoolError> {
        let compiled = compile(&self.pool, sources.clone()).await?;
        match (&self.tester, &compiled.ir) {
            (Some(tester), Some(_)) => tests::demand(tester, sources, compiled).await,
            _ => Ok(compiled),
        }
    }

    /// Takes builds that nobody works on, and runs them, for ever.
    pub async fn run(&self) {
        work::run(self).await;
    }

    async fn build(&self, build: Build) -> Result<(), CoreError> {
        let Progress::Waiting { files: Some(files), attempts, .. } = &build.progress else { return Ok(()) };
        let sources: Sources = serde_json::from_str(files).map_err(|error| CoreError::Internal(error.to_string()))?;
        let compiled = if *attempts > ATTEMPTS_MAX {
            Compiled::stopped(BuildFailure::Crashed)
        } else {
            match self.held(&build, self.compile(&sources)).await {
                Ok(compiled) => compiled,
                // Not the product's fault: it goes back, and the attempt does not count.
                Err(error) => return self.give_back(&build, &error).await,
            }
        };
        // Their files are gone afterwards, and whoever reads the page of a push has none.
        let excerpts = build.commit.as_ref().map(|_| excerpt::stored(&compiled.diagnostics, &sources)).transpose();
        let excerpts = excerpts.map_err(|error| CoreError::Internal(error.to_string()))?;
        self.core
            .end_build(&build.business, &build.id, &self.result(&compiled)?, excerpts.as_deref(), (self.clock)())
            .await
    }

    /// Works on a build, and keeps it from being taken by others meanwhile: with its tests it may take longer than one lease.
    async fn held<T>(&self, build: &Build, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        let rest = Duration::from_secs(LEASE_SECONDS.unsigned_abs() / EXTENDED_PER_LEASE);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(rest) => {}
            }
            match self.core.extend_build(build, (self.clock)()).await {
                Ok(true) => {}
                Ok(false) => tracing::warn!(id = %build.id, "a build is worked on that is another server's by now"),
                Err(error) => tracing::warn!(%error, id = %build.id, "a build's lease was not extended"),
            }
        }
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
            message: match compiled.stage {
                FailedStage::Build => failure.message(&self.pool.limits()),
                FailedStage::Tests => tests::message(failure, &tests::limits()),
            },
        });
        Ok(BuildResult {
            ir_hash: compiled.ir.as_ref().map(|ir| ir.hash.clone()),
            ir: compiled.ir.as_ref().map(|ir| ir.text.clone()),
            diagnostics,
            failure,
        })
    }
}

impl<S: Store> Queue for Builder<S> {
    const NAME: &'static str = "build";

    type Work = Build;

    fn slots(&self) -> &Arc<Semaphore> {
        &self.slots
    }

    async fn take(&self) -> Result<Option<Build>, CoreError> {
        self.core.take_build((self.clock)()).await
    }

    async fn wait(&self, at_most: Duration) {
        self.core.queued_build(at_most).await;
    }

    fn cause(build: &Build) -> Option<&str> {
        build.trace.as_deref()
    }

    async fn work(&self, build: Build) -> Result<(), CoreError> {
        self.build(build).await
    }
}
