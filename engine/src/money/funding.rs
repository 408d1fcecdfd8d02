//! Buckets: pools of money that pay for charges before the subscriber does.

use super::amount::{AmountError, Nanos};
use super::ledger::{Account, Cause, LedgerError, Posting, Transaction};
use super::rating::Rated;
use crate::manifest::ir::{Display, GrantKind};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a bucket can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BucketState {
    /// It can pay.
    Available,
    /// Everything in it is consumed.
    Exhausted,
    /// Its time is over; what was left is forfeited.
    Expired,
    /// It was taken back; what was left is forfeited.
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

    /// The state of this name; `None` for any other text.
    pub fn named(text: &str) -> Option<BucketState> {
        let all = [BucketState::Available, BucketState::Exhausted, BucketState::Expired, BucketState::Revoked];
        all.into_iter().find(|state| state.as_str() == text)
    }
}

/// One pool of money. What was granted is always remaining, held, consumed, or gone by expiry or revocation;
/// [`Bucket::check`] says whether it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    /// Its id; ids sort by age.
    pub id: String,
    /// Where its money comes from.
    pub kind: GrantKind,
    /// What it can do.
    pub state: BucketState,
    /// What was put in, in nanodollars.
    pub granted: Nanos,
    /// What can still pay, in nanodollars.
    pub remaining: Nanos,
    /// What is reserved for charges under way, in nanodollars.
    pub held: Nanos,
    /// What has paid, in nanodollars.
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

    /// Whether it has neither expired nor been taken back.
    pub fn is_alive(&self) -> bool {
        matches!(self.state, BucketState::Available | BucketState::Exhausted)
    }

    /// Sets the state of a living bucket by what is left in it.
    fn note_rest(&mut self) {
        if self.is_alive() {
            let is_empty = self.remaining == Nanos::ZERO && self.held == Nanos::ZERO;
            self.state = if is_empty { BucketState::Exhausted } else { BucketState::Available };
        }
    }

    /// Checks that the parts make up what was granted: exactly while the bucket lives, and at most that once it has ended.
    ///
    /// # Errors
    /// [`LedgerError::BucketUnbalanced`] when they don't, or one is negative; [`LedgerError::Amount`] outside 128 bits.
    pub fn check(&self) -> Result<(), LedgerError> {
        let parts = [self.remaining, self.held, self.consumed];
        let accounted = parts.iter().try_fold(Nanos::ZERO, |sum, part| sum.plus(*part))?;
        let whole = if self.is_alive() { accounted == self.granted } else { accounted <= self.granted };
        if whole && parts.iter().all(|part| *part >= Nanos::ZERO) {
            return Ok(());
        }
        Err(LedgerError::BucketUnbalanced { granted: self.granted, accounted })
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

/// A part of a hold: that much of that bucket's money.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HoldPart {
    /// The bucket.
    pub bucket: String,
    /// How much of it, in nanodollars.
    pub amount: Nanos,
}

/// How far charges may raise what a period owes, and what happens to a charge that goes further. The bound is on the
/// period's receivable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpendLimit {
    /// No bound.
    Unbounded,
    /// A charge that would pass it is refused.
    Refuse(Nanos),
    /// What passes it is not billed.
    Waive(Nanos),
}

/// Why a charge was not paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayError {
    /// It would pass the bound of [`SpendLimit::Refuse`].
    #[error("the charge would owe {0} nanodollars more than the plan lets the subscriber owe")]
    Blocked(Nanos),
    /// A sum left 128 bits.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl From<AmountError> for PayError {
    fn from(error: AmountError) -> Self {
        PayError::Ledger(error.into())
    }
}

/// A rated charge to be paid.
#[derive(Clone, Copy, Debug)]
pub struct Payment<'a> {
    /// The charge's id.
    pub charge: &'a str,
    /// The id of its window.
    pub window: &'a str,
    /// What it costs.
    pub rated: Rated,
    /// When it was admitted.
    pub now: Timestamp,
    /// What the period owes so far, in nanodollars.
    pub receivable: Nanos,
    /// How far that may grow.
    pub limit: SpendLimit,
}

/// The transaction that puts `amount` into a new bucket; `None` for a bucket of zero.
///
/// # Errors
/// [`LedgerError`] never in practice: the postings mirror each other.
pub fn grant(bucket: &str, amount: Nanos) -> Result<Option<Transaction>, LedgerError> {
    move_between(Account::Adjustments, Account::Funding(bucket.to_owned()), amount, Cause::Grant(bucket.to_owned()))
}

/// The transaction that bills a pack of credit; `None` for a free one.
///
/// # Errors
/// [`LedgerError`] never in practice: the postings mirror each other.
pub fn bill_top_up(bucket: &str, price: Nanos) -> Result<Option<Transaction>, LedgerError> {
    move_between(Account::Receivable, Account::Adjustments, price, Cause::TopUp(bucket.to_owned()))
}

/// The transaction that moves what is owed by `amount`, up or down; `None` for zero.
///
/// # Errors
/// [`LedgerError`] for the one amount that has no opposite.
pub fn adjust(cause: Cause, amount: Nanos) -> Result<Option<Transaction>, LedgerError> {
    move_between(Account::Receivable, Account::Adjustments, amount, cause)
}

/// Expires a bucket whose time is over and returns the transaction that takes what is left. `None` when it is not over, has
/// already ended, or holds nothing more. Held money stays held: a charge under way was promised it.
///
/// # Errors
/// [`LedgerError::BucketUnbalanced`] for a bucket whose parts don't add up.
pub fn expire(bucket: &mut Bucket, now: Timestamp) -> Result<Option<Transaction>, LedgerError> {
    if !bucket.is_alive() || !bucket.is_over(now) {
        return Ok(None);
    }
    end(bucket, BucketState::Expired)
}

/// Revokes a bucket and returns the transaction that takes what is left; held money stays held. `None` when it has already
/// ended, or holds nothing more.
///
/// # Errors
/// [`LedgerError::BucketUnbalanced`] for a bucket whose parts don't add up.
pub fn revoke(bucket: &mut Bucket) -> Result<Option<Transaction>, LedgerError> {
    if !bucket.is_alive() {
        return Ok(None);
    }
    end(bucket, BucketState::Revoked)
}

fn end(bucket: &mut Bucket, state: BucketState) -> Result<Option<Transaction>, LedgerError> {
    bucket.check()?;
    let left = std::mem::take(&mut bucket.remaining);
    bucket.state = state;
    forfeit(bucket, left)
}

/// What an ended bucket loses.
fn forfeit(bucket: &Bucket, amount: Nanos) -> Result<Option<Transaction>, LedgerError> {
    let id = bucket.id.clone();
    let cause = if bucket.state == BucketState::Revoked { Cause::Revocation(id) } else { Cause::Expiry(id) };
    move_between(Account::Funding(bucket.id.clone()), Account::Adjustments, amount, cause)
}

/// Debits one account and credits another.
pub(crate) fn move_between(
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

/// Reserves up to `amount` for a charge under way, in the order that charges draw. What the buckets can't cover is not held.
///
/// # Errors
/// [`LedgerError::Amount`] outside 128 bits; [`LedgerError::BucketUnbalanced`] for a bucket whose parts don't add up.
pub fn reserve(buckets: &mut [Bucket], amount: Nanos, now: Timestamp) -> Result<Vec<HoldPart>, LedgerError> {
    let draws = draw(buckets, amount, now)?;
    let mut parts = Vec::with_capacity(draws.len());
    for (index, amount) in draws {
        let Some(bucket) = buckets.get_mut(index) else { continue };
        bucket.remaining = bucket.remaining.minus(amount)?;
        bucket.held = bucket.held.plus(amount)?;
        bucket.check()?;
        parts.push(HoldPart { bucket: bucket.id.clone(), amount });
    }
    Ok(parts)
}

/// Releases held money: back into its bucket, or, where that has ended meanwhile, to where the bucket's rest went.
///
/// # Errors
/// [`LedgerError::Amount`] outside 128 bits; [`LedgerError::BucketUnbalanced`] when more is released than was held.
pub fn release(buckets: &mut [Bucket], parts: &[HoldPart]) -> Result<Vec<Transaction>, LedgerError> {
    let mut transactions = Vec::new();
    for part in parts {
        let Some(bucket) = buckets.iter_mut().find(|bucket| bucket.id == part.bucket) else { continue };
        bucket.held = bucket.held.minus(part.amount)?;
        if bucket.is_alive() {
            bucket.remaining = bucket.remaining.plus(part.amount)?;
            bucket.note_rest();
        } else {
            transactions.extend(forfeit(bucket, part.amount)?);
        }
        bucket.check()?;
    }
    Ok(transactions)
}

/// Pays a rated charge and returns the transaction; `None` for a charge of zero. Held money pays first, then the buckets
/// in order, and the rest is owed. The buckets and the hold are changed only when it succeeds.
///
/// A price that falls (a volume tier, a `last` quantity) makes a negative charge: it lowers what is owed, down to nothing, and
/// then goes back into the buckets, never out as money.
///
/// # Errors
/// [`PayError::Blocked`] when the limit refuses it; [`PayError::Ledger`] when an amount leaves 128 bits, or a bucket's parts
/// don't add up.
pub fn pay(
    payment: &Payment<'_>,
    buckets: &mut [Bucket],
    held: &mut [HoldPart],
) -> Result<Option<Transaction>, PayError> {
    let Payment { charge, window, rated, .. } = *payment;
    let cause = Cause::Charge(charge.to_owned());
    let mut postings = Vec::new();
    for (amount, cause) in [(rated.charge, cause.clone()), (rated.remainder, Cause::WindowRemainder(window.to_owned()))]
    {
        if amount != Nanos::ZERO {
            postings.push(Posting { account: Account::Revenue, amount: amount.negated()?, cause });
        }
    }
    if postings.is_empty() {
        return Ok(None);
    }
    let due = rated.charge.plus(rated.remainder)?;
    // Worked out on copies, so that a refusal leaves everything as it was.
    let (mut paying, mut parts) = (buckets.to_vec(), held.to_vec());
    let moves = if due < Nanos::ZERO {
        give_back(payment, due.negated()?, &mut paying)?
    } else {
        collect(payment, due, &mut paying, &mut parts)?
    };
    postings.extend(moves.into_iter().map(|(account, amount)| Posting { account, amount, cause: cause.clone() }));
    let transaction = Transaction::new(postings)?;
    paying.iter().try_for_each(Bucket::check)?;
    buckets.clone_from_slice(&paying);
    held.clone_from_slice(&parts);
    Ok(Some(transaction))
}

type Moves = Vec<(Account, Nanos)>;

/// Takes a positive amount from holds and buckets; the rest is owed, or waived past the limit.
fn collect(
    payment: &Payment<'_>,
    due: Nanos,
    buckets: &mut [Bucket],
    held: &mut [HoldPart],
) -> Result<Moves, PayError> {
    let mut moves = Moves::new();
    let mut unpaid = due;
    for part in held.iter_mut() {
        let Some(bucket) = buckets.iter_mut().find(|bucket| bucket.id == part.bucket) else { continue };
        let amount = part.amount.min(unpaid);
        if amount == Nanos::ZERO {
            continue;
        }
        unpaid = unpaid.minus(amount)?;
        part.amount = part.amount.minus(amount)?;
        bucket.held = bucket.held.minus(amount)?;
        bucket.consumed = bucket.consumed.plus(amount)?;
        bucket.note_rest();
        moves.push((Account::Funding(bucket.id.clone()), amount));
    }
    for (index, amount) in draw(buckets, unpaid, payment.now)? {
        let Some(bucket) = buckets.get_mut(index) else { continue };
        unpaid = unpaid.minus(amount)?;
        bucket.remaining = bucket.remaining.minus(amount)?;
        bucket.consumed = bucket.consumed.plus(amount)?;
        bucket.note_rest();
        moves.push((Account::Funding(bucket.id.clone()), amount));
    }
    let owed = owed(payment, unpaid)?;
    let waived = unpaid.minus(owed)?;
    moves.extend([(Account::Receivable, owed), (Account::Adjustments, waived)]);
    moves.retain(|(_, amount)| *amount != Nanos::ZERO);
    Ok(moves)
}

/// How much of what no bucket pays the subscriber may owe.
fn owed(payment: &Payment<'_>, unpaid: Nanos) -> Result<Nanos, PayError> {
    let room = |bound: Nanos| bound.minus(payment.receivable).map(|room| room.max(Nanos::ZERO));
    match payment.limit {
        SpendLimit::Unbounded => Ok(unpaid),
        SpendLimit::Waive(bound) => Ok(unpaid.min(room(bound)?)),
        SpendLimit::Refuse(bound) => {
            let room = room(bound)?;
            if unpaid > room { Err(PayError::Blocked(unpaid.minus(room)?)) } else { Ok(unpaid) }
        }
    }
}

/// Gives a positive amount back: off what is owed, then into buckets in reverse order; the rest is forfeited.
fn give_back(payment: &Payment<'_>, credit: Nanos, buckets: &mut [Bucket]) -> Result<Moves, PayError> {
    let mut moves = Moves::new();
    let mut left = credit;
    let mut give = |account: Account, amount: Nanos| -> Result<Nanos, AmountError> {
        left = left.minus(amount)?;
        if amount != Nanos::ZERO {
            moves.push((account, amount.negated()?));
        }
        Ok(left)
    };
    let mut left = give(Account::Receivable, credit.min(payment.receivable.max(Nanos::ZERO)))?;
    let mut order: Vec<usize> = (0..buckets.len()).collect();
    order.sort_by(|a, b| buckets.get(*b).map(Bucket::draw_order).cmp(&buckets.get(*a).map(Bucket::draw_order)));
    for index in order {
        let Some(bucket) = buckets.get_mut(index).filter(|bucket| bucket.is_alive() && !bucket.is_over(payment.now))
        else {
            continue;
        };
        let amount = left.min(bucket.consumed);
        bucket.consumed = bucket.consumed.minus(amount)?;
        bucket.remaining = bucket.remaining.plus(amount)?;
        bucket.note_rest();
        left = give(Account::Funding(bucket.id.clone()), amount)?;
    }
    give(Account::Adjustments, left)?;
    Ok(moves)
}

/// Gives the money of an item's charges back, to whoever paid it: what was owed is owed no more, and what a bucket paid is in it
/// again, or lost where the bucket has ended. `paid` are the postings of its charges. Charges that gave something back themselves
/// count against it: never more is given back than was paid on the whole. `None` where that is zero.
///
/// # Errors
/// [`LedgerError::Amount`] outside 128 bits; [`LedgerError::BucketUnbalanced`] for a bucket whose parts don't add up.
pub fn refund(id: &str, paid: &[Posting], buckets: &mut [Bucket]) -> Result<Option<Transaction>, LedgerError> {
    let cause = Cause::Refund(id.to_owned());
    let mut by_payer: BTreeMap<&Account, Nanos> = BTreeMap::new();
    let mut left = Nanos::ZERO;
    for posting in paid.iter().filter(|posting| matches!(posting.account, Account::Receivable | Account::Funding(_))) {
        let sum = by_payer.entry(&posting.account).or_default();
        *sum = sum.plus(posting.amount)?;
        left = left.plus(posting.amount)?;
    }
    let mut postings = Vec::new();
    let mut given = Nanos::ZERO;
    for (account, sum) in by_payer {
        let mut amount = sum.min(left).max(Nanos::ZERO);
        left = left.minus(amount)?;
        if let Account::Funding(id) = account {
            let Some(bucket) = buckets.iter_mut().find(|bucket| bucket.id == *id && bucket.is_alive()) else {
                continue;
            };
            // A falling price may have given some of it back already.
            amount = amount.min(bucket.consumed);
            bucket.consumed = bucket.consumed.minus(amount)?;
            bucket.remaining = bucket.remaining.plus(amount)?;
            bucket.note_rest();
            bucket.check()?;
        }
        if amount == Nanos::ZERO {
            continue;
        }
        given = given.plus(amount)?;
        postings.push(Posting { account: account.clone(), amount: amount.negated()?, cause: cause.clone() });
    }
    if postings.is_empty() {
        return Ok(None);
    }
    postings.push(Posting { account: Account::Adjustments, amount: given, cause });
    Transaction::new(postings).map(Some)
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

    fn payment(rated: Rated, receivable: i128, limit: SpendLimit) -> Payment<'static> {
        Payment { charge: "c", window: "w", rated, now: now(), receivable: Nanos::new(receivable), limit }
    }

    fn pay_plainly(rated: Rated, buckets: &mut [Bucket]) -> Option<Transaction> {
        pay(&payment(rated, 0, SpendLimit::Unbounded), buckets, &mut []).unwrap()
    }

    fn lines(transaction: &Transaction) -> Vec<String> {
        transaction.postings().iter().map(|posting| format!("{} {}", posting.account, posting.amount)).collect()
    }

    #[test]
    fn the_bucket_that_ends_first_pays_first() {
        let mut buckets = [
            bucket("b", GrantKind::Included, 100, Some("2026-09-30T00:00:00Z")),
            bucket("a", GrantKind::Prepaid, 100, Some("2026-08-31T00:00:00Z")),
        ];
        pay_plainly(rated(60, 0), &mut buckets).unwrap();
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
        let transaction = pay_plainly(rated(45, 0), &mut buckets).unwrap();
        assert_eq!(
            lines(&transaction),
            ["revenue -45", "funding:4 10", "funding:2 10", "funding:3 10", "funding:5 10", "funding:1 5"]
        );
        assert_eq!(buckets.map(|bucket| bucket.state == BucketState::Exhausted), [false, true, true, true, true]);
    }

    #[test]
    fn the_rest_is_receivable_and_the_remainder_has_its_own_cause() {
        let mut buckets = [bucket("a", GrantKind::Included, 300, None)];
        let transaction = pay_plainly(rated(333, 1), &mut buckets).unwrap();
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
        assert!(pay_plainly(rated(0, 0), &mut buckets).is_none());
    }

    #[test]
    fn two_fully_funded_debits_leave_nothing_due() {
        let mut buckets = [bucket("a", GrantKind::Included, 12_000_000, None)];
        for _ in 0..2 {
            let transaction = pay_plainly(rated(6_000_000, 0), &mut buckets).unwrap();
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

    #[test]
    fn a_bound_refuses_the_charge_or_waives_what_passes_it() {
        let mut buckets = [bucket("a", GrantKind::Included, 10, None)];
        let before = buckets.clone();
        let blocked = pay(&payment(rated(100, 0), 950, SpendLimit::Refuse(Nanos::new(1000))), &mut buckets, &mut []);
        assert_eq!(blocked, Err(PayError::Blocked(Nanos::new(40))));
        assert_eq!(buckets, before, "a refusal changes nothing");
        let paid = pay(&payment(rated(100, 0), 950, SpendLimit::Waive(Nanos::new(1000))), &mut buckets, &mut []);
        assert_eq!(lines(&paid.unwrap().unwrap()), ["revenue -100", "funding:a 10", "receivable 50", "adjustments 40"]);
        let exact = pay(&payment(rated(50, 0), 950, SpendLimit::Refuse(Nanos::new(1000))), &mut buckets, &mut []);
        assert_eq!(lines(&exact.unwrap().unwrap()), ["revenue -50", "receivable 50"]);
    }

    #[test]
    fn a_falling_price_lowers_what_is_owed_and_then_refills_buckets_but_never_pays_out() {
        let mut buckets = [
            bucket("a", GrantKind::Included, 10, None),
            bucket("b", GrantKind::Promo, 10, Some("2026-07-01T00:00:00Z")),
            bucket("c", GrantKind::Prepaid, 10, None),
        ];
        for bucket in &mut buckets {
            (bucket.consumed, bucket.remaining) = (bucket.remaining, Nanos::ZERO);
        }
        let back = pay(&payment(rated(-25, 0), 7, SpendLimit::Unbounded), &mut buckets, &mut []).unwrap().unwrap();
        assert_eq!(lines(&back), ["revenue 25", "receivable -7", "funding:c -10", "funding:a -8"]);
        let rest = pay(&payment(rated(-5, 0), 0, SpendLimit::Unbounded), &mut buckets, &mut []).unwrap().unwrap();
        assert_eq!(lines(&rest), ["revenue 5", "funding:a -2", "adjustments -3"], "b is over; its money is gone");
    }

    #[test]
    fn held_money_pays_first_even_after_its_bucket_expired_and_the_rest_goes_where_the_bucket_went() {
        let mut buckets = [
            bucket("a", GrantKind::Promo, 100, Some("2026-08-02T00:00:00Z")),
            bucket("b", GrantKind::Promo, 100, None),
        ];
        let mut parts = reserve(&mut buckets, Nanos::new(130), now()).unwrap();
        assert_eq!(buckets.clone().map(|bucket| (bucket.remaining.get(), bucket.held.get())), [(0, 100), (70, 30)]);
        assert_eq!(buckets[0].state, BucketState::Available, "held money is not gone");
        let later = "2026-08-03T00:00:00Z".parse().unwrap();
        assert_eq!(expire(&mut buckets[0], later).unwrap(), None, "nothing was left beside the held money");
        let due = Payment { now: later, ..payment(rated(60, 0), 0, SpendLimit::Unbounded) };
        let paid = pay(&due, &mut buckets, &mut parts).unwrap().unwrap();
        assert_eq!(lines(&paid), ["revenue -60", "funding:a 60"]);
        let released = release(&mut buckets, &parts).unwrap();
        assert_eq!(released.iter().map(lines).collect::<Vec<_>>(), [["funding:a 40", "adjustments -40"]]);
        assert_eq!(buckets.map(|bucket| (bucket.remaining.get(), bucket.held.get())), [(0, 0), (100, 0)]);
    }

    #[test]
    fn a_refund_goes_back_to_whoever_paid() {
        let mut buckets = [bucket("a", GrantKind::Included, 30, None)];
        let paid = pay_plainly(rated(100, 0), &mut buckets).unwrap();
        let back = refund("r", paid.postings(), &mut buckets).unwrap().unwrap();
        assert_eq!(lines(&back), ["receivable -70", "funding:a -30", "adjustments 100"]);
        assert_eq!((buckets[0].remaining.get(), buckets[0].state), (30, BucketState::Available));
        revoke(&mut buckets[0]).unwrap();
        let back = refund("r", paid.postings(), &mut buckets).unwrap().unwrap();
        assert_eq!(lines(&back), ["receivable -70", "adjustments 70"], "a bucket that was taken back gets nothing");
    }

    #[test]
    fn a_refund_finds_the_bucket_that_paid_among_others() {
        let mut buckets = [bucket("a", GrantKind::Promo, 30, None), bucket("b", GrantKind::Included, 30, None)];
        let paid = pay_plainly(rated(20, 0), &mut buckets).unwrap();
        assert_eq!(lines(&paid), ["revenue -20", "funding:b 20"]);
        let back = refund("r", paid.postings(), &mut buckets).unwrap().unwrap();
        assert_eq!(lines(&back), ["funding:b -20", "adjustments 20"]);
        assert_eq!(buckets.map(|bucket| (bucket.remaining.get(), bucket.consumed.get())), [(30, 0), (30, 0)]);
    }

    #[test]
    fn a_refund_never_gives_more_than_was_paid_on_the_whole() {
        let mut buckets = [bucket("a", GrantKind::Included, 30, None)];
        let paid = pay_plainly(rated(100, 0), &mut buckets).unwrap();
        let back = pay(&payment(rated(-20, 0), 70, SpendLimit::Unbounded), &mut buckets, &mut []).unwrap().unwrap();
        let both = [paid.postings(), back.postings()].concat();
        let refunded = refund("r", &both, &mut buckets).unwrap().unwrap();
        assert_eq!(lines(&refunded), ["receivable -50", "funding:a -30", "adjustments 80"]);
        assert!(refund("r", back.postings(), &mut buckets).unwrap().is_none(), "it paid nothing");
    }

    #[test]
    fn states_read_back_as_they_are_written() {
        for (state, text) in [
            (BucketState::Available, "AVAILABLE"),
            (BucketState::Exhausted, "EXHAUSTED"),
            (BucketState::Expired, "EXPIRED"),
            (BucketState::Revoked, "REVOKED"),
        ] {
            assert_eq!((state.as_str(), BucketState::named(text)), (text, Some(state)));
        }
        assert_eq!(BucketState::named("available"), None);
    }

    fn causes(transaction: &Transaction) -> Vec<String> {
        transaction
            .postings()
            .iter()
            .map(|posting| format!("{} {} {}", posting.account, posting.amount, posting.cause))
            .collect()
    }

    #[test]
    fn what_moves_money_without_a_charge_mirrors_itself() {
        let five = Nanos::new(5);
        let granted = grant("b", five).unwrap().unwrap();
        assert_eq!(causes(&granted), ["adjustments 5 grant:b", "funding:b -5 grant:b"]);
        let billed = bill_top_up("b", five).unwrap().unwrap();
        assert_eq!(causes(&billed), ["receivable 5 top_up:b", "adjustments -5 top_up:b"]);
        let moved = adjust(Cause::Correction("c".to_owned()), Nanos::new(-5)).unwrap().unwrap();
        assert_eq!(causes(&moved), ["receivable -5 correction:c", "adjustments 5 correction:c"]);
        assert_eq!(grant("b", Nanos::ZERO).unwrap(), None);
        assert!(adjust(Cause::Correction("c".to_owned()), Nanos::new(i128::MIN)).is_err());
    }

    #[test]
    fn a_bucket_ends_once_and_says_how() {
        let mut revoked = bucket("a", GrantKind::Promo, 70, None);
        let taken = revoke(&mut revoked).unwrap().unwrap();
        assert_eq!(causes(&taken), ["funding:a 70 revocation:a", "adjustments -70 revocation:a"]);
        assert_eq!((revoked.state, revoked.remaining), (BucketState::Revoked, Nanos::ZERO));
        assert_eq!(revoke(&mut revoked).unwrap(), None);
        let mut going_on = bucket("b", GrantKind::Promo, 70, Some("2026-08-01T00:00:01Z"));
        assert_eq!(expire(&mut going_on, now()).unwrap(), None, "its time is not over");
        assert_eq!(going_on.state, BucketState::Available);
        let mut over = bucket("c", GrantKind::Promo, 70, Some("2026-08-01T00:00:00Z"));
        let ended = expire(&mut over, now()).unwrap().unwrap();
        assert_eq!(causes(&ended), ["funding:c 70 expiry:c", "adjustments -70 expiry:c"]);
        over.remaining = Nanos::new(1);
        assert_eq!(expire(&mut over, now()).unwrap(), None, "it has ended");
        assert_eq!(revoke(&mut over).unwrap(), None);
        let held = [HoldPart { bucket: "a".to_owned(), amount: Nanos::new(7) }];
        revoked.held = Nanos::new(7);
        let mut buckets = [revoked];
        let let_go = release(&mut buckets, &held).unwrap();
        assert_eq!(causes(&let_go[0]), ["funding:a 7 revocation:a", "adjustments -7 revocation:a"]);
    }

    #[test]
    fn a_bucket_whose_parts_do_not_add_up_moves_no_money() {
        let whole = bucket("a", GrantKind::Promo, 70, None);
        assert_eq!(whole.check(), Ok(()));
        let lost = Bucket { remaining: Nanos::new(69), ..whole.clone() };
        let unbalanced = LedgerError::BucketUnbalanced { granted: Nanos::new(70), accounted: Nanos::new(69) };
        assert_eq!(lost.check(), Err(unbalanced));
        let paid = pay(&payment(rated(5, 0), 0, SpendLimit::Unbounded), &mut [lost.clone()], &mut []);
        assert_eq!(paid, Err(PayError::Ledger(unbalanced)));
        assert_eq!(reserve(&mut [lost.clone()], Nanos::new(5), now()), Err(unbalanced));
        assert_eq!(revoke(&mut lost.clone()), Err(unbalanced));
        let ended = Bucket { state: BucketState::Expired, ..lost };
        assert_eq!(ended.check(), Ok(()), "what an ended bucket lacks was taken");
        let negative = Bucket { held: Nanos::new(-1), remaining: Nanos::new(71), ..whole.clone() };
        assert!(negative.check().is_err());
        let never_held = [HoldPart { bucket: "a".to_owned(), amount: Nanos::new(7) }];
        assert!(release(&mut [whole], &never_held).is_err(), "more is released than was held");
    }
}
