//! Double entry. A transaction that does not sum to zero can't be made.

use super::amount::{AmountError, Nanos};
use serde::{Deserialize, Serialize};
use std::fmt;

const RECEIVABLE: &str = "receivable";
const REVENUE: &str = "revenue";
const ADJUSTMENTS: &str = "adjustments";
const ROUNDING: &str = "rounding";

/// An account of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Account {
    /// What the subscriber owes.
    Receivable,
    /// What the business earned. Grows by negative postings.
    Revenue,
    /// One bucket's money, by bucket id. Holds negative balances: money owed to the subscriber as usage.
    Funding(String),
    /// Grants, expiries, refunds, corrections, and what a spend cap left unbilled.
    Adjustments,
    /// What was left below a cent at a close.
    Rounding,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Account::Receivable => f.write_str(RECEIVABLE),
            Account::Revenue => f.write_str(REVENUE),
            Account::Funding(bucket) => write!(f, "funding:{bucket}"),
            Account::Adjustments => f.write_str(ADJUSTMENTS),
            Account::Rounding => f.write_str(ROUNDING),
        }
    }
}

impl std::str::FromStr for Account {
    type Err = LedgerError;

    fn from_str(text: &str) -> Result<Account, LedgerError> {
        match (text, text.split_once(':')) {
            (RECEIVABLE, _) => Ok(Account::Receivable),
            (REVENUE, _) => Ok(Account::Revenue),
            (ADJUSTMENTS, _) => Ok(Account::Adjustments),
            (ROUNDING, _) => Ok(Account::Rounding),
            (_, Some(("funding", bucket))) => Ok(Account::Funding(bucket.to_owned())),
            _ => Err(LedgerError::UnknownAccount),
        }
    }
}

/// What a posting is for. Each names the thing that made it, so that every posting can be traced to its source.
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
    /// A bucket was taken back.
    Revocation(String),
    /// A pack of credit was bought, by bucket.
    TopUp(String),
    /// An adjustment gave a charge's money back.
    Refund(String),
    /// An adjustment moved what is owed.
    Correction(String),
    /// A migration's transition moved what the open period's fee is.
    Proration(String),
    /// An invoice's recurring fee.
    RecurringFee(String),
    /// What an invoice adds to reach the least that a period costs.
    TrueUp(String),
    /// What an invoice leaves below a cent.
    Rounding(String),
}

impl Cause {
    const fn name(&self) -> &'static str {
        match self {
            Cause::Charge(_) => "charge",
            Cause::WindowRemainder(_) => "window_remainder",
            Cause::Grant(_) => "grant",
            Cause::Expiry(_) => "expiry",
            Cause::Revocation(_) => "revocation",
            Cause::TopUp(_) => "top_up",
            Cause::Refund(_) => "refund",
            Cause::Correction(_) => "correction",
            Cause::Proration(_) => "proration",
            Cause::RecurringFee(_) => "recurring_fee",
            Cause::TrueUp(_) => "true_up",
            Cause::Rounding(_) => "rounding",
        }
    }

    fn id(&self) -> &str {
        match self {
            Cause::Charge(id)
            | Cause::WindowRemainder(id)
            | Cause::Grant(id)
            | Cause::Expiry(id)
            | Cause::Revocation(id)
            | Cause::TopUp(id)
            | Cause::Refund(id)
            | Cause::Correction(id)
            | Cause::Proration(id)
            | Cause::RecurringFee(id)
            | Cause::TrueUp(id)
            | Cause::Rounding(id) => id,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name(), self.id())
    }
}

/// One line of a transaction: positive debits, negative credits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The account it moves.
    pub account: Account,
    /// The amount, in nanodollars: positive debits, negative credits.
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
    /// There are no postings.
    #[error("a transaction needs postings")]
    Empty,
    /// A bucket's parts don't make up what was granted, or one of them is negative: money appeared or vanished.
    #[error("a bucket of {granted} nanodollars accounts for {accounted}")]
    BucketUnbalanced {
        /// What was put in.
        granted: Nanos,
        /// Remaining, held and consumed together.
        accounted: Nanos,
    },
    /// A text names no account.
    #[error("there is no such account")]
    UnknownAccount,
    /// A sum left 128 bits.
    #[error(transparent)]
    Amount(#[from] AmountError),
}

/// Postings that sum to zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction(Vec<Posting>);

impl Transaction {
    /// Checks and takes the postings.
    // INVARIANT 7: this is the only way to make a transaction.
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

    /// The lines, in the order they were given.
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

/// Sums of the postings of one period, kept beside the ledger so that a preview need not add it up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeriodTotals {
    /// What buckets paid towards revenue.
    pub funded: Nanos,
    /// Debits minus credits of the receivable account.
    pub receivable: Nanos,
}

impl PeriodTotals {
    /// The sums with one more transaction.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn with(self, transaction: &Transaction) -> Result<PeriodTotals, AmountError> {
        // Money put into a bucket, taken out by expiry or given back by a refund is no payment: only what revenue got is.
        let earns = transaction.postings().iter().any(|posting| posting.account == Account::Revenue);
        let funded =
            if earns { transaction.net(|account| matches!(account, Account::Funding(_)))? } else { Nanos::ZERO };
        let receivable = transaction.net(|account| *account == Account::Receivable)?;
        Ok(PeriodTotals { funded: self.funded.plus(funded)?, receivable: self.receivable.plus(receivable)? })
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

    #[test]
    fn accounts_read_back_as_they_are_written() {
        let funding = Account::Funding("bkt_1".to_owned());
        for account in [Account::Receivable, Account::Revenue, funding, Account::Adjustments, Account::Rounding] {
            assert_eq!(account.to_string().parse(), Ok(account.clone()));
        }
        assert_eq!("pocket".parse::<Account>(), Err(LedgerError::UnknownAccount));
    }

    #[test]
    fn only_what_earns_counts_as_funded() {
        let funding = || Account::Funding("b".to_owned());
        let granted = Transaction::new(vec![posting(Account::Adjustments, 9), posting(funding(), -9)]).unwrap();
        let paid = Transaction::new(vec![
            posting(Account::Revenue, -7),
            posting(funding(), 5),
            posting(Account::Receivable, 2),
        ]);
        let totals = PeriodTotals::default().with(&granted).unwrap().with(&paid.unwrap()).unwrap();
        assert_eq!((totals.funded.get(), totals.receivable.get()), (5, 2));
    }
}
