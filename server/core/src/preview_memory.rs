//! What a server keeps of the previews that it showed: each with the version of the subscription that it is of, and of nothing else.

use crate::cache::Cache;
use crate::shown_preview::ShownPreview;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use svc_store::records::Id;

/// Lines that are kept in memory: a preview, and each window and allowance of it, is one, of some 600 bytes at most with its text.
const PREVIEW_LINES_KEPT: usize = 100_000;

/// How long a preview is used, in seconds. Versions of rows are told apart by numbers of transactions, of which PostgreSQL has 2³² until
/// they come again.
const PREVIEW_KEPT_SECONDS: i64 = 3_600;

/// Previews by business and subject.
#[derive(Debug)]
pub(crate) struct PreviewMemory(Cache<(Id, String), Arc<Kept>>);

/// A preview that was shown.
#[derive(Debug)]
pub(crate) struct Kept {
    /// What it is of; see `Tx::versions_of`.
    pub(crate) version: String,
    pub(crate) preview: Arc<ShownPreview>,
    /// When time next does something to the subscription.
    due: Timestamp,
    /// When it was read.
    at: Timestamp,
}

impl Kept {
    /// A preview of this version, read at `at`; time does nothing to it until `due`.
    pub(crate) fn of(version: String, preview: &Arc<ShownPreview>, at: Timestamp, due: Timestamp) -> Kept {
        Kept { version, preview: Arc::clone(preview), due, at }
    }
}

impl Default for PreviewMemory {
    fn default() -> PreviewMemory {
        PreviewMemory(Cache::new(PREVIEW_LINES_KEPT))
    }
}

impl PreviewMemory {
    /// What was shown last, where time has done nothing since. Whether anybody else has, the store knows.
    pub(crate) fn kept(&self, business: &Id, subject: &str, now: Timestamp) -> Option<Arc<Kept>> {
        let kept = self.0.get(&(business.clone(), subject.to_owned()))?;
        let is_young = now.duration_since(kept.at).abs() < SignedDuration::from_secs(PREVIEW_KEPT_SECONDS);
        (is_young && kept.due > now).then_some(kept)
    }

    pub(crate) fn keep(&self, business: &Id, subject: &str, kept: Kept) {
        let lines = kept.preview.lines().saturating_add(1);
        self.0.put_weighing(lines, (business.clone(), subject.to_owned()), Arc::new(kept));
    }
}
