//! What is left to be written when use cases are done with subscriptions: rows, table by table, and what there is to tell after them. Of one
//! subscription, or of all that a batch touches together.

use crate::error::CoreError;
use crate::events::{self, News};
use jiff::Timestamp;
use svc_store::records::Id;
use svc_store::{Changes, Connection, Tx};

/// Something that happened, to be told.
pub(crate) struct Told {
    pub(crate) business: Id,
    pub(crate) news: News,
    /// When it happened.
    pub(crate) at: Timestamp,
    /// The moment of the request, from which on it is sent.
    pub(crate) now: Timestamp,
    /// The trace of what made it happen.
    pub(crate) trace: Option<String>,
}

/// What is to be written.
#[derive(Default)]
pub(crate) struct Saving {
    pub(crate) changes: Changes,
    /// In the order in which it happened to each subscription.
    pub(crate) told: Vec<Told>,
}

impl Saving {
    /// Writes it.
    pub(crate) async fn write<C: Connection>(self, tx: &mut Tx<C>) -> Result<(), CoreError> {
        tx.write(self.changes).await?;
        for Told { business, news, at, now, trace } in self.told {
            events::tell_of(tx, &business, &news, (at, now), trace).await?;
        }
        Ok(())
    }
}
