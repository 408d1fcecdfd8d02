//! Wake-ups between those who ask for work and those who do it.

use tokio::sync::Notify;

/// Wakes, inside this process, those who wait. Other servers are found out about by looking.
#[derive(Debug, Default)]
pub(crate) struct BuildSignals {
    /// A build was queued, or given back.
    pub(crate) queued: Notify,
    /// A build ended.
    pub(crate) ended: Notify,
    /// A push has a step to do.
    pub(crate) pushed: Notify,
    /// A commit's status is to be sent.
    pub(crate) reported: Notify,
    /// An event is to be sent.
    pub(crate) told: Notify,
}
