//! Double entry. A transaction that does not sum to zero can't be made.

use super::amount::{AmountError, Nanos};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where money stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Account {
    /// What the subscriber owes.
    Receivable,
    /// What the business earned. Grows by negative postings.
    Revenue,
    /// One bucket's money, by bucket id. Holds negative balances: money owed to the subscriber as usage.
    Funding(String),
    /// Grants, expiries, refunds and corrections.
    Adjustments,
    /// What was left below a cent at a close.
    Rounding,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Account::Receivable => f.write_str("receivable"),
            Account::Revenue => f.write_str("revenue"),
            Account::Funding(bucket) => write!(f, "funding:{bucket}"),
            Account::Adjustments => f.write_str("adjustments"),
            Account::Rounding => f.write_str("rounding"),
        }
    }
}

/// What a posting is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A charge, by id.
    Charge(String),
    /// The fractions of a window reached a whole nano.
    WindowRemainder(String),
    /// A bucket was granted.
    Grant(String),
    /// A bucket expired.
    Expiry(String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Charge(id) => write!(f, "charge:{id}"),
            Cause::WindowRemainder(id) => write!(f, "window_remainder:{id}"),
            Cause::Grant(id) => write!(f, "grant:{id}"),
            Cause::Expiry(id) => write!(f, "expiry:{id}"),
        }
    }
}

/// One line of a transaction: positive debits, negative credits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The account.
    pub account: Account,
    /// The amount.
    pub amount: Nanos,
    /// What it is for.
    pub cause: Cause,
}

/// Why postings are no transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// The sum is not zero.
    #[error("the postings sum to {0} nanodollars, not to zero")]
    Unbalanced(Nanos),
    /// A posting moves nothing.
    #[error("a posting of zero moves nothing")]
    ZeroPosting,
    /// There is none.
    #[error("a transaction needs postings")]
    Empty,
    /// A sum left 128 bits.
    #[error(transparent)]
    Amount(#[from] AmountError),
}

/// Postings that sum to zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction(Vec<Posting>);

impl Transaction {
    /// Checks and takes the postings.
    ///
    /// # Errors
    /// [`LedgerError`] when they are empty, one is zero, or they do not sum to zero.
    pub fn new(postings: Vec<Posting>) -> Result<Transaction, LedgerError> {
        let mut sum = Nanos::ZERO;
        for posting in &postings {
            if posting.amount == Nanos::ZERO {
                return Err(LedgerError::ZeroPosting);
            }
            sum = sum.plus(posting.amount)?;
        }
        match sum {
            Nanos::ZERO if postings.is_empty() => Err(LedgerError::Empty),
            Nanos::ZERO => Ok(Transaction(postings)),
            other => Err(LedgerError::Unbalanced(other)),
        }
    }

    /// The lines.
    pub fn postings(&self) -> &[Posting] {
        &self.0
    }

    /// Debits minus credits of the accounts that `selects` picks.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn net(&self, selects: impl Fn(&Account) -> bool) -> Result<Nanos, AmountError> {
        self.0
            .iter()
            .filter(|posting| selects(&posting.account))
            .try_fold(Nanos::ZERO, |sum, posting| sum.plus(posting.amount))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posting(account: Account, amount: i128) -> Posting {
        Posting { account, amount: Nanos::new(amount), cause: Cause::Charge("c".to_owned()) }
    }

    #[test]
    fn only_balanced_postings_are_a_transaction() {
        assert!(Transaction::new(vec![posting(Account::Receivable, 5), posting(Account::Revenue, -5)]).is_ok());
        assert_eq!(
            Transaction::new(vec![posting(Account::Receivable, 5)]),
            Err(LedgerError::Unbalanced(Nanos::new(5)))
        );
        assert_eq!(Transaction::new(vec![]), Err(LedgerError::Empty));
        assert_eq!(Transaction::new(vec![posting(Account::Revenue, 0)]), Err(LedgerError::ZeroPosting));
        let huge = vec![posting(Account::Receivable, i128::MAX), posting(Account::Receivable, 1)];
        assert_eq!(Transaction::new(huge), Err(LedgerError::Amount(AmountError::Overflow)));
    }
}
