//! The product as its files have it: read, built, and asked about. Nothing here stops anywhere.

use crate::global::{Workers, pool, pool_config};
use crate::output::CommandError;
use crate::{build, sources};
use std::path::{Path, PathBuf};
use svc_builds::{self as builds, Compiled};
use svc_engine::manifest::Manifest;
use svc_engine::sources::Sources;
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{Job, Outcome, Pool, PoolConfig, Stage};

/// A product in a folder, and the workers that build it.
pub(crate) struct Product {
    /// Where its files are read from; nothing where they are a build's, which do not change.
    dir: Option<PathBuf>,
    pool: Pool,
    config: PoolConfig,
    /// The files as they were read last.
    pub(crate) sources: Sources,
    /// What they came to.
    pub(crate) compiled: Compiled,
    /// The manifest of the last build that gave one.
    pub(crate) manifest: Option<Manifest>,
}

/// Its author's own machine: one build at once, the next worker ready.
const WORKERS: Workers = Workers { running_max: 1, warm: 1, queue_max: 8, requires_sandbox: false };

impl Product {
    /// Reads and builds what a folder holds.
    ///
    /// # Errors
    /// Where the files can't be read, or no worker can be started.
    pub(crate) async fn open(dir: &Path) -> Result<Product, CommandError> {
        Product::of(sources::read(dir)?, Some(dir.to_owned())).await
    }

    /// Builds these files, which lie in a folder or nowhere.
    ///
    /// # Errors
    /// Where no worker can be started.
    pub(crate) async fn of(sources: Sources, dir: Option<PathBuf>) -> Result<Product, CommandError> {
        let pool = pool(WorkerConfig::default(), &WORKERS).map_err(build::unavailable)?;
        let config = pool_config(WorkerConfig::default(), &WORKERS);
        let compiled = builds::compile(&pool, sources.clone()).await.map_err(build::unavailable)?;
        let manifest = compiled.ir.as_ref().and_then(|ir| ir.manifest().ok());
        Ok(Product { dir, pool, config, sources, compiled, manifest })
    }

    /// How its workers are set up.
    pub(crate) fn config(&self) -> &PoolConfig {
        &self.config
    }

    /// The folder; nothing where the files are a build's.
    pub(crate) fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// Reads and builds again. The manifest stays where the new files give none.
    ///
    /// # Errors
    /// As [`Product::open`].
    pub(crate) async fn reload(&mut self) -> Result<(), CommandError> {
        let sources = self.dir.as_deref().map_or_else(|| Ok(self.sources.clone()), sources::read)?;
        self.compiled = builds::compile(&self.pool, sources.clone()).await.map_err(build::unavailable)?;
        self.sources = sources;
        if let Some(manifest) = self.compiled.ir.as_ref().and_then(|ir| ir.manifest().ok()) {
            self.manifest = Some(manifest);
        }
        Ok(())
    }

    /// Runs a job on the files.
    ///
    /// # Errors
    /// Where no worker can be started.
    pub(crate) async fn ask(&self, stage: Stage) -> Result<Outcome, CommandError> {
        let job = Job { sources: self.sources.clone(), stage };
        self.pool.build(job).await.map_err(build::unavailable)
    }
}
