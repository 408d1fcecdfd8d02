//! What a build of one folder came to.

use crate::output::CommandError;
use std::path::PathBuf;
use svc_engine::diagnostic::Diagnostic;
use svc_engine::manifest::Manifest;

/// What became of one folder's product.
pub(crate) struct Built {
    /// The folder, as it was given.
    pub(crate) dir: PathBuf,
    /// What is wrong with the product.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The product, or why there is none.
    pub(crate) end: Result<Done, CommandError>,
}

/// A product that was built.
pub(crate) struct Done {
    pub(crate) hash: String,
    pub(crate) manifest: Manifest,
    /// The file that was written.
    pub(crate) file: Option<PathBuf>,
}
