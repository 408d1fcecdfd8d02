//! A folder of a command's own, for as long as it runs.

use crate::global::Exit;
use crate::output::CommandError;
use std::path::{Path, PathBuf};

/// A folder that goes when this is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one for this process and purpose.
    ///
    /// # Errors
    /// Where it can't be made.
    pub(crate) fn new(purpose: &str) -> Result<Self, CommandError> {
        let folder = std::env::temp_dir().join(format!("svc-{purpose}-{}", std::process::id()));
        let unmade = |error| {
            CommandError::new(
                Exit::Unreachable,
                "FILE_NOT_WRITTEN",
                format!("{} can't be made: {error}", folder.display()),
            )
        };
        std::fs::create_dir_all(&folder).map_err(unmade)?;
        Ok(Scratch(folder))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::debug!(%error, "a folder of its own stays");
        }
    }
}
