//! Why a store could not do something.

/// The store failed. The text is for the log, never for a caller.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The database said no.
    #[error("{0}")]
    Database(String),
    /// Two transactions waited for each other and this one was stopped; nothing of it is there. It may be done again.
    #[error("the transaction was stopped in favour of another: {0}")]
    Conflict(String),
    /// The database takes no writes: its disk is full, or it is read-only. Nothing of the transaction is there.
    #[error("the database takes no writes: {0}")]
    Unwritable(String),
    /// The server's clock and the database's are apart; nothing is written.
    #[error("{0}")]
    Clock(String),
    /// A row is not as this service writes it.
    #[error("a stored row is not of its form: {0}")]
    Row(String),
}

/// What every method of a store returns.
pub type StoreResult<T> = Result<T, StoreError>;
