//! What a use case answers when it can't do what it was asked.

use svc_engine::money::amount::AmountError;
use svc_engine::money::funding::PayError;
use svc_engine::money::ledger::LedgerError;
use svc_engine::money::period::PeriodError;
use svc_engine::money::rating::RatingError;
use svc_store::StoreError;

/// A refusal with a stable code and a safe sentence, or a defect whose cause goes to the log only.
#[derive(Debug, thiserror::Error)]
pub enum CoreError {
    /// There is no such thing, or it is another's.
    #[error("{0}")]
    NotFound(&'static str),
    /// The request is well formed, but its content can't be taken.
    #[error("{message}")]
    Invalid {
        /// Stable code.
        code: &'static str,
        /// What is wrong.
        message: String,
    },
    /// It contradicts what is.
    #[error("{message}")]
    Conflict {
        /// Stable code.
        code: &'static str,
        /// What it contradicts.
        message: String,
    },
    /// It was planned against something that has changed since.
    #[error("{message}")]
    Moved {
        /// Stable code.
        code: &'static str,
        /// What happened.
        message: String,
        /// What was expected to be.
        expected: Option<String>,
        /// What is.
        actual: Option<String>,
    },
    /// Too much at once; the same request may be taken later.
    #[error("{0}")]
    Busy(&'static str),
    /// The store did not answer.
    #[error("the store failed: {0}")]
    Store(#[from] StoreError),
    /// Something is not as this service writes it.
    #[error("{0}")]
    Internal(String),
}

impl CoreError {
    /// A counter that left its range: what is kept is not as this service writes it.
    pub(crate) fn out_of_range(what: &'static str) -> Self {
        CoreError::Internal(format!("{what} left its range"))
    }

    /// A refusal of content.
    pub fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        CoreError::Invalid { code, message: message.into() }
    }

    /// A contradiction.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        CoreError::Conflict { code, message: message.into() }
    }
}

impl From<AmountError> for CoreError {
    fn from(error: AmountError) -> Self {
        CoreError::invalid("AMOUNT_RANGE", error.to_string())
    }
}

impl From<LedgerError> for CoreError {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Amount(error) => error.into(),
            other => CoreError::Internal(other.to_string()),
        }
    }
}

impl From<PeriodError> for CoreError {
    fn from(error: PeriodError) -> Self {
        CoreError::Internal(error.to_string())
    }
}

impl From<RatingError> for CoreError {
    fn from(error: RatingError) -> Self {
        match error {
            RatingError::UnknownMeter(_) => CoreError::invalid("UNKNOWN_METER", error.to_string()),
            RatingError::Overflow => CoreError::invalid("AMOUNT_RANGE", error.to_string()),
        }
    }
}

impl From<PayError> for CoreError {
    fn from(error: PayError) -> Self {
        match error {
            PayError::Blocked(_) => CoreError::conflict("SPEND_LIMIT_REACHED", error.to_string()),
            PayError::Ledger(error) => error.into(),
        }
    }
}
