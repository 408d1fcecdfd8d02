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
    /// Levels that last held for a while, by window.
    Time(String),
    /// A bucket was granted.
    Grant(String),
    /// A bucket expired.
    Expiry(String),
    /// A bucket was taken back.
    Revocation(String),
    /// A pack of credit was bought, by bucket.
    TopUp(String),
    /// An adjustment voided the charges of a usage item.
    Refund(String),
    /// An adjustment moved what is owed.
    Correction(String),
    /// The part of a period's fee that a trial waives, by period.
    Trial(String),
    /// A move changed what the rest of the open period's fee is.
    Proration(String),
    /// An end with proration gave back the rest of a period's fee, by subscription.
    Cancellation(String),
    /// A period's document charges another fee than the period's pin, by period: that of the next in advance, or none of a year's.
    FeeDue(String),
    /// A negative total was carried into the next period, by the invoice that it would have been.
    Carry(String),
    /// What was left in a bucket went to its subject's next subscription, by the bucket that it left.
    Transfer(String),
    /// An invoice's recurring fee.
    RecurringFee(String),
    /// What an invoice adds to reach the least that a period costs.
    TrueUp(String),
    /// What an invoice leaves below a cent.
    Rounding(String),
}

/// Makes a cause of the id that it names.
type OfId = fn(String) -> Cause;

/// Every kind of cause, by the name that a posting carries.
const CAUSES: &[(&str, OfId)] = &[
    ("charge", Cause::Charge),
    ("window_remainder", Cause::WindowRemainder),
    ("time", Cause::Time),
    ("grant", Cause::Grant),
    ("expiry", Cause::Expiry),
    ("revocation", Cause::Revocation),
    ("top_up", Cause::TopUp),
    ("refund", Cause::Refund),
    ("correction", Cause::Correction),
    ("trial", Cause::Trial),
    ("proration", Cause::Proration),
    ("cancellation", Cause::Cancellation),
    ("fee_due", Cause::FeeDue),
    ("carry", Cause::Carry),
    ("transfer", Cause::Transfer),
    ("recurring_fee", Cause::RecurringFee),
    ("true_up", Cause::TrueUp),
    ("rounding", Cause::Rounding),
];

impl Cause {
    const fn parts(&self) -> (&'static str, &String) {
        match self {
            Cause::Charge(id) => ("charge", id),
            Cause::WindowRemainder(id) => ("window_remainder", id),
            Cause::Time(id) => ("time", id),
            Cause::Grant(id) => ("grant", id),
            Cause::Expiry(id) => ("expiry", id),
            Cause::Revocation(id) => ("revocation", id),
            Cause::TopUp(id) => ("top_up", id),
            Cause::Refund(id) => ("refund", id),
            Cause::Correction(id) => ("correction", id),
            Cause::Trial(id) => ("trial", id),
            Cause::Proration(id) => ("proration", id),
            Cause::Cancellation(id) => ("cancellation", id),
            Cause::FeeDue(id) => ("fee_due", id),
            Cause::Carry(id) => ("carry", id),
            Cause::Transfer(id) => ("transfer", id),
            Cause::RecurringFee(id) => ("recurring_fee", id),
            Cause::TrueUp(id) => ("true_up", id),
            Cause::Rounding(id) => ("rounding", id),
        }
    }

    /// Whether it moves money because of what was used.
    pub const fn is_usage(&self) -> bool {
        matches!(self, Cause::Charge(_) | Cause::WindowRemainder(_) | Cause::Time(_) | Cause::Refund(_))
    }

    /// Whether it makes a period cost something else than its pin.
    pub const fn is_fee(&self) -> bool {
        matches!(self, Cause::Trial(_) | Cause::Proration(_) | Cause::Cancellation(_))
    }
}

impl std::str::FromStr for Cause {
    type Err = LedgerError;

    fn from_str(text: &str) -> Result<Cause, LedgerError> {
        let (name, id) = text.split_once(':').ok_or(LedgerError::UnknownCause)?;
        let (_, cause) = CAUSES.iter().find(|(known, _)| *known == name).ok_or(LedgerError::UnknownCause)?;
        Ok(cause(id.to_owned()))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, id) = self.parts();
        write!(f, "{name}:{id}")
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
    /// A text names no cause.
    #[error("there is no such cause")]
    UnknownCause,
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

/// Who pays for a period's usage. At every moment `rated = funded + owed + unbilled`, since each transaction sums to zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageTotals {
    /// Paid by buckets.
    pub funded: Nanos,
    /// The part of it that bought credit paid.
    pub prepaid: Nanos,
    /// Owed by the subscriber.
    pub owed: Nanos,
    /// What nobody pays. Positive: waived past a bound. Negative: *kept*, since a price fell and nobody was left to get it; it pays
    /// the period's next rises first. Never both: a rise takes what is kept before it is waived, a fall the other way round.
    pub unbilled: Nanos,
}

impl UsageTotals {
    /// The sums with what one more transaction moves because of usage.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn with(self, transaction: &Transaction, is_bought: impl Fn(&str) -> bool) -> Result<UsageTotals, AmountError> {
        let mut totals = self;
        for posting in transaction.postings().iter().filter(|posting| posting.cause.is_usage()) {
            let amount = posting.amount;
            match &posting.account {
                Account::Funding(bucket) => {
                    totals.funded = totals.funded.plus(amount)?;
                    if is_bought(bucket) {
                        totals.prepaid = totals.prepaid.plus(amount)?;
                    }
                }
                Account::Receivable => totals.owed = totals.owed.plus(amount)?,
                Account::Adjustments => totals.unbilled = totals.unbilled.plus(amount)?,
                Account::Revenue | Account::Rounding => {}
            }
        }
        Ok(totals)
    }

    /// What all of it comes to: the sum of the period's windows.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn rated(self) -> Result<Nanos, AmountError> {
        self.funded.plus(self.owed)?.plus(self.unbilled)
    }

    /// What the subscriber pays for it with own money: owed, or from credit that was bought.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn own(self) -> Result<Nanos, AmountError> {
        self.owed.plus(self.prepaid)
    }
}

/// Sums of the postings of one period, kept beside the ledger so that a preview need not add it up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeriodTotals {
    /// Debits minus credits of the receivable account.
    pub receivable: Nanos,
    /// The part of it by which the period costs something else than its pin: trial, moves, an end.
    pub fee_adjustment: Nanos,
    /// Who pays for usage.
    pub usage: UsageTotals,
}

impl PeriodTotals {
    /// The sums with one more transaction.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn with(
        self,
        transaction: &Transaction,
        is_bought: impl Fn(&str) -> bool,
    ) -> Result<PeriodTotals, AmountError> {
        let usage = self.usage.with(transaction, is_bought)?;
        Ok(PeriodTotals { usage, ..self.with_receivable(transaction)? })
    }

    /// The sums with one more transaction that is about another period's usage: only what is owed moves.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn with_receivable(self, transaction: &Transaction) -> Result<PeriodTotals, AmountError> {
        let mut totals = self;
        let owing = transaction.postings().iter().filter(|posting| posting.account == Account::Receivable);
        for posting in owing {
            totals.receivable = totals.receivable.plus(posting.amount)?;
            if posting.cause.is_fee() {
                totals.fee_adjustment = totals.fee_adjustment.plus(posting.amount)?;
            }
        }
        Ok(totals)
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
    fn causes_read_back_as_they_are_written() {
        for (_, cause) in CAUSES {
            let cause = cause("a:b".to_owned());
            assert_eq!(cause.to_string().parse(), Ok(cause.clone()));
            assert!(!(cause.is_usage() && cause.is_fee()));
        }
        assert_eq!("gift:b".parse::<Cause>(), Err(LedgerError::UnknownCause));
        assert_eq!("charge".parse::<Cause>(), Err(LedgerError::UnknownCause));
    }

    #[test]
    fn only_usage_counts_as_paid_and_only_fees_as_fees() {
        let line = |account, amount, cause| Posting { account, amount: Nanos::new(amount), cause };
        let charge = || Cause::Charge("c".to_owned());
        let funding = |bucket: &str| Account::Funding(bucket.to_owned());
        let grant = || Cause::Grant("b".to_owned());
        let granted = vec![line(Account::Adjustments, 9, grant()), line(funding("b"), -9, grant())];
        let paid = vec![
            line(Account::Revenue, -17, charge()),
            line(funding("bought"), 5, charge()),
            line(funding("given"), 6, charge()),
            line(Account::Receivable, 2, charge()),
            line(Account::Adjustments, 4, charge()),
        ];
        let trial = || Cause::Trial("0".to_owned());
        let waived = vec![line(Account::Receivable, -3, trial()), line(Account::Adjustments, 3, trial())];
        let mut totals = PeriodTotals::default();
        for postings in [granted, paid, waived] {
            totals = totals.with(&Transaction::new(postings).unwrap(), |bucket| bucket == "bought").unwrap();
        }
        let usage = totals.usage;
        assert_eq!([usage.funded, usage.prepaid, usage.owed, usage.unbilled].map(Nanos::get), [11, 5, 2, 4]);
        assert_eq!((usage.rated().unwrap().get(), usage.own().unwrap().get()), (17, 7));
        assert_eq!((totals.receivable.get(), totals.fee_adjustment.get()), (-1, -3));
    }
}
