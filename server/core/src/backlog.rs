//! What waits in the store, for whoever watches the service.

use crate::core::Core;
use crate::error::CoreError;
use jiff::Timestamp;
use svc_store::{Mode, Store};

/// How much waits of each kind, for all servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Builds that wait or are under way.
    pub builds: u64,
    /// When the oldest of them was asked for.
    pub oldest_build: Option<Timestamp>,
    /// Pushes with a step to do.
    pub pushes: u64,
    /// Commit statuses to be sent.
    pub statuses: u64,
    /// Deliveries of events to be made.
    pub events: u64,
    /// Holds that are open.
    pub holds: u64,
}

impl<S: Store> Core<S> {
    /// What waits.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn backlog(&self) -> Result<Backlog, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        let (builds, oldest_build) = tx.waiting_builds().await?;
        let (pushes, statuses) = (tx.waiting_pushes().await?, tx.waiting_statuses().await?);
        let (events, holds) = (tx.waiting_deliveries().await?, tx.holds_open().await?);
        Ok(Backlog { builds, oldest_build, pushes, statuses, events, holds })
    }
}
