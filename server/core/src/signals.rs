//! Wake-ups between those who ask for builds and those who run them.

use tokio::sync::Notify;

/// Wakes, inside this process, those who wait for builds. Other servers are found out about by looking.
#[derive(Debug, Default)]
pub(crate) struct BuildSignals {
    /// A build was queued, or given back.
    pub(crate) queued: Notify,
    /// A build ended.
    pub(crate) ended: Notify,
}
