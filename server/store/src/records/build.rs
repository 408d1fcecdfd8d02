//! Builds: waiting, leased, or ended.

use super::id::Id;
use jiff::Timestamp;

/// A build: asked for, under way, or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// Its id.
    pub id: Id,
    /// Whose it is.
    pub business: Id,
    /// Hash of the release that was active when it was asked for: what it means to replace.
    pub base_hash: Option<String>,
    /// The commit that its files are of, where it is known.
    pub commit: Option<String>,
    /// How far it is.
    pub progress: Progress,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// The trace of who asked for it, as `traceparent` says it.
    pub trace: Option<String>,
}

/// How far a build is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It waits, or a server works on it.
    Waiting {
        /// The sources, as JSON: path to text. Nothing while its commit is to be fetched.
        files: Option<String>,
        /// How often a server has taken it.
        attempts: u32,
        /// Until when the server that took it last has the right to; nothing while nobody has.
        leased_until: Option<Timestamp>,
    },
    /// It ended.
    Ended(BuildResult),
}

/// What a build came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildResult {
    /// `sha256:…` of the IR, when it succeeded.
    pub ir_hash: Option<String>,
    /// The IR's canonical text, when it succeeded.
    pub ir: Option<String>,
    /// The diagnostics, as JSON.
    pub diagnostics: String,
    /// What stopped it, when it was stopped.
    pub failure: Option<StoredFailure>,
}

/// What stopped a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFailure {
    /// Stable code, such as `BUILD_TIMEOUT`.
    pub code: String,
    /// One sentence for the author.
    pub message: String,
}
