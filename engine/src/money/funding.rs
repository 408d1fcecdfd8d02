//! Buckets: pools of money that pay for charges before the subscriber does.

use super::amount::{AmountError, Nanos};
use super::ledger::{Account, Cause, LedgerError, Posting, Transaction};
use super::rating::Rated;
use crate::manifest::ir::{Display, GrantKind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What a bucket can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BucketState {
    /// It pays.
    Available,
    /// Nothing is left.
    Exhausted,
    /// Its time is over.
    Expired,
    /// It was taken back.
    Revoked,
}

impl BucketState {
    /// The state as the preview and the stores write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            BucketState::Available => "AVAILABLE",
            BucketState::Exhausted => "EXHAUSTED",
            BucketState::Expired => "EXPIRED",
            BucketState::Revoked => "REVOKED",
        }
    }
}

/// One pool. What was granted is always remaining, held, consumed, or gone by expiry or revocation.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    /// Its id; ids sort by age.
    pub id: String,
    /// Where its money comes from.
    pub kind: GrantKind,
    /// What it can do.
    pub state: BucketState,
    /// What was put in.
    pub granted: Nanos,
    /// What can still pay.
    pub remaining: Nanos,
    /// What is set aside for charges under way.
    pub held: Nanos,
    /// What has paid.
    pub consumed: Nanos,
    /// From when on it can't pay; never where absent.
    pub expires_at: Option<Timestamp>,
    /// How an opaque preview shows it.
    pub display: Option<Display>,
}

impl Bucket {
    /// Whether it can pay at `now`.
    pub fn is_usable(&self, now: Timestamp) -> bool {
        self.state == BucketState::Available && self.remaining > Nanos::ZERO && !self.is_over(now)
    }

    /// Whether its time is over at `now`, whatever its state says yet.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Earliest expiry first (none last), then included, promo, referral, prepaid, then oldest.
    fn draw_order(&self) -> (bool, Option<Timestamp>, GrantKind, &str) {
        (self.expires_at.is_none(), self.expires_at, self.kind, self.id.as_str())
    }
}

/// The transaction that puts `amount` into a new bucket; nothing for a bucket of zero.
///
/// # Errors
/// [`LedgerError`] never in practice: the postings mirror each other.
pub fn grant(bucket: &str, amount: Nanos) -> Result<Option<Transaction>, LedgerError> {
    move_between(Account::Adjustments, Account::Funding(bucket.to_owned()), amount, Cause::Grant(bucket.to_owned()))
}

/// Ends a bucket whose time is over: what is left goes, and the transaction says so. Nothing when it is not over or has
/// already ended.
///
/// # Errors
/// [`LedgerError`] never in practice: the postings mirror each other.
pub fn expire(bucket: &mut Bucket, now: Timestamp) -> Result<Option<Transaction>, LedgerError> {
    let alive = matches!(bucket.state, BucketState::Available | BucketState::Exhausted);
    if !alive || !bucket.is_over(now) {
        return Ok(None);
    }
    let left = bucket.remaining;
    bucket.remaining = Nanos::ZERO;
    bucket.state = BucketState::Expired;
    move_between(Account::Funding(bucket.id.clone()), Account::Adjustments, left, Cause::Expiry(bucket.id.clone()))
}

fn move_between(
    debit: Account,
    credit: Account,
    amount: Nanos,
    cause: Cause,
) -> Result<Option<Transaction>, LedgerError> {
    if amount == Nanos::ZERO {
        return Ok(None);
    }
    let postings = vec![
        Posting { account: debit, amount, cause: cause.clone() },
        Posting { account: credit, amount: amount.negated()?, cause },
    ];
    Transaction::new(postings).map(Some)
}

/// Pays a rated charge: draws the buckets in order, leaves the rest to the receivable, and gives the transaction; nothing
/// where nothing is to be paid. The buckets are changed only when it succeeds.
///
/// # Errors
/// [`LedgerError`] when an amount leaves 128 bits.
pub fn pay(
    charge: &str,
    window: &str,
    rated: Rated,
    buckets: &mut [Bucket],
    now: Timestamp,
) -> Result<Option<Transaction>, LedgerError> {
    let due = rated.charge.plus(rated.remainder)?;
    let mut postings = Vec::new();
    for (amount, cause) in
        [(rated.charge, Cause::Charge(charge.to_owned())), (rated.remainder, Cause::WindowRemainder(window.to_owned()))]
    {
        if amount != Nanos::ZERO {
            postings.push(Posting { account: Account::Revenue, amount: amount.negated()?, cause });
        }
    }
    if postings.is_empty() {
        return Ok(None);
    }
    let draws = draw(buckets, due, now)?;
    let mut unpaid = due;
    for (index, amount) in &draws {
        let Some(bucket) = buckets.get(*index) else { continue };
        unpaid = unpaid.minus(*amount)?;
        postings.push(Posting {
            account: Account::Funding(bucket.id.clone()),
            amount: *amount,
            cause: Cause::Charge(charge.to_owned()),
        });
    }
    if unpaid != Nanos::ZERO {
        postings.push(Posting {
            account: Account::Receivable,
            amount: unpaid,
            cause: Cause::Charge(charge.to_owned()),
        });
    }
    let transaction = Transaction::new(postings)?;
    for (index, amount) in draws {
        if let Some(bucket) = buckets.get_mut(index) {
            consume(bucket, amount)?;
        }
    }
    Ok(Some(transaction))
}

fn consume(bucket: &mut Bucket, amount: Nanos) -> Result<(), AmountError> {
    bucket.consumed = bucket.consumed.plus(amount)?;
    bucket.remaining = bucket.remaining.minus(amount)?;
    if bucket.remaining == Nanos::ZERO && bucket.held == Nanos::ZERO {
        bucket.state = BucketState::Exhausted;
    }
    Ok(())
}

/// Which buckets pay how much of `due`.
fn draw(buckets: &[Bucket], due: Nanos, now: Timestamp) -> Result<Vec<(usize, Nanos)>, AmountError> {
    let mut usable: Vec<(usize, &Bucket)> =
        buckets.iter().enumerate().filter(|(_, bucket)| bucket.is_usable(now)).collect();
    usable.sort_by(|(_, a), (_, b)| a.draw_order().cmp(&b.draw_order()));
    let mut left = due;
    let mut draws = Vec::new();
    for (index, bucket) in usable {
        if left <= Nanos::ZERO {
            break;
        }
        let amount = bucket.remaining.min(left);
        left = left.minus(amount)?;
        draws.push((index, amount));
    }
    Ok(draws)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(id: &str, kind: GrantKind, nanos: i128, expires_at: Option<&str>) -> Bucket {
        Bucket {
            id: id.to_owned(),
            kind,
            state: BucketState::Available,
            granted: Nanos::new(nanos),
            remaining: Nanos::new(nanos),
            held: Nanos::ZERO,
            consumed: Nanos::ZERO,
            expires_at: expires_at.map(|text| text.parse().unwrap()),
            display: None,
        }
    }

    fn now() -> Timestamp {
        "2026-08-01T00:00:00Z".parse().unwrap()
    }

    fn rated(charge: i128, remainder: i128) -> Rated {
        Rated { charge: Nanos::new(charge), remainder: Nanos::new(remainder) }
    }

    #[test]
    fn the_bucket_that_ends_first_pays_first() {
        let mut buckets = [
            bucket("b", GrantKind::Included, 100, Some("2026-09-30T00:00:00Z")),
            bucket("a", GrantKind::Prepaid, 100, Some("2026-08-31T00:00:00Z")),
        ];
        pay("c", "w", rated(60, 0), &mut buckets, now()).unwrap();
        assert_eq!(buckets.map(|bucket| bucket.remaining.get()), [100, 40]);
    }

    #[test]
    fn then_the_kind_and_then_the_age_decide() {
        let mut buckets = [
            bucket("1", GrantKind::Prepaid, 10, None),
            bucket("3", GrantKind::Promo, 10, None),
            bucket("2", GrantKind::Promo, 10, None),
            bucket("4", GrantKind::Included, 10, None),
            bucket("5", GrantKind::Referral, 10, None),
        ];
        let transaction = pay("c", "w", rated(45, 0), &mut buckets, now()).unwrap().unwrap();
        let drawn: Vec<String> =
            transaction.postings().iter().map(|posting| format!("{} {}", posting.account, posting.amount)).collect();
        assert_eq!(
            drawn,
            ["revenue -45", "funding:4 10", "funding:2 10", "funding:3 10", "funding:5 10", "funding:1 5"]
        );
        assert_eq!(buckets.map(|bucket| bucket.state == BucketState::Exhausted), [false, true, true, true, true]);
    }

    #[test]
    fn the_rest_is_receivable_and_the_remainder_has_its_own_cause() {
        let mut buckets = [bucket("a", GrantKind::Included, 300, None)];
        let transaction = pay("c", "w", rated(333, 1), &mut buckets, now()).unwrap().unwrap();
        let lines: Vec<String> = transaction
            .postings()
            .iter()
            .map(|posting| format!("{} {} {}", posting.account, posting.amount, posting.cause))
            .collect();
        assert_eq!(
            lines,
            [
                "revenue -333 charge:c",
                "revenue -1 window_remainder:w",
                "funding:a 300 charge:c",
                "receivable 34 charge:c"
            ]
        );
        assert!(pay("d", "w", rated(0, 0), &mut buckets, now()).unwrap().is_none());
    }

    #[test]
    fn two_fully_funded_debits_leave_nothing_due() {
        let mut buckets = [bucket("a", GrantKind::Included, 12_000_000, None)];
        for _ in 0..2 {
            let transaction = pay("c", "w", rated(6_000_000, 0), &mut buckets, now()).unwrap().unwrap();
            assert_eq!(transaction.net(|account| *account == Account::Receivable).unwrap(), Nanos::ZERO);
        }
    }

    #[test]
    fn expiry_takes_only_what_is_left_and_only_once() {
        let mut ended = bucket("a", GrantKind::Promo, 100, Some("2026-07-31T00:00:00Z"));
        assert!(!ended.is_usable(now()));
        ended.consumed = Nanos::new(30);
        ended.remaining = Nanos::new(70);
        let transaction = expire(&mut ended, now()).unwrap().unwrap();
        assert_eq!(transaction.net(|account| *account == Account::Adjustments).unwrap(), Nanos::new(-70));
        assert_eq!((ended.state, ended.remaining), (BucketState::Expired, Nanos::ZERO));
        assert!(expire(&mut ended, now()).unwrap().is_none());
    }
}
