//! Buckets: pools of money that pay for charges before the subscriber does.

use super::amount::Nanos;
use super::ledger::{Account, Cause, LedgerError, Posting, Transaction};
use crate::manifest::ir::{Display, GrantKind, Key};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a bucket can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
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

/// How a bucket came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BucketOrigin {
    /// The plan gives it once, when the subscription begins.
    Plan,
    /// The plan gives it each period anew.
    Period,
    /// An operator gave it.
    Given,
    /// It was bought.
    TopUp,
    /// A move to a cheaper plan gave it for the rest of the period.
    Move,
    /// It was left in the subject's earlier subscription.
    Transfer,
}

impl BucketOrigin {
    /// Its name, as the stores write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            BucketOrigin::Plan => "plan",
            BucketOrigin::Period => "period",
            BucketOrigin::Given => "given",
            BucketOrigin::TopUp => "top_up",
            BucketOrigin::Move => "move",
            BucketOrigin::Transfer => "transfer",
        }
    }

    /// The origin of this name; `None` for any other text.
    pub fn named(text: &str) -> Option<BucketOrigin> {
        use BucketOrigin::{Given, Move, Period, Plan, TopUp, Transfer};
        [Plan, Period, Given, TopUp, Move, Transfer].into_iter().find(|origin| origin.as_str() == text)
    }
}

/// One pool of money. What was granted is always remaining, held, consumed, or gone by expiry or revocation;
/// [`Bucket::check`] says whether it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    /// Its id.
    pub id: String,
    /// How many its subject was given before it: of one expiry and kind, the first pays first, whatever the clocks say.
    pub number: u64,
    /// How it came about.
    pub origin: BucketOrigin,
    /// The period in which it was given; nothing for one of before that was noted.
    pub given_in: Option<u32>,
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
    /// What has paid for usage of the open period and not come back, in nanodollars: as much can come back.
    pub paid: Nanos,
    /// What a pack cost, in nanodollars; nothing where it was not bought.
    pub price: Option<Nanos>,
    /// From when on it can't pay; never where absent.
    pub expires_at: Option<Timestamp>,
    /// How an opaque preview shows it.
    pub display: Option<Display>,
    /// The meters whose usage it pays for; all usage where nothing is said.
    pub meters: Option<BTreeSet<Key>>,
}

impl Bucket {
    /// Whether it can pay at `now`.
    pub fn is_usable(&self, now: Timestamp) -> bool {
        self.state == BucketState::Available && self.remaining > Nanos::ZERO && !self.is_over(now)
    }

    /// What is given back when it is revoked: the price of a pack that nothing was taken from.
    pub fn returned_price(&self) -> Option<Nanos> {
        self.price.filter(|_| self.is_alive() && self.remaining == self.granted)
    }

    /// Whether nothing is in it any more. It can get something back only by [`Bucket::paid`].
    pub fn is_spent(&self) -> bool {
        self.remaining == Nanos::ZERO && self.held == Nanos::ZERO
    }

    /// Whether it has neither expired nor been taken back.
    pub fn is_alive(&self) -> bool {
        matches!(self.state, BucketState::Available | BucketState::Exhausted)
    }

    /// Sets the state of a living bucket by what is left in it.
    pub(super) fn note_rest(&mut self) {
        if self.is_alive() {
            self.state = if self.is_spent() { BucketState::Exhausted } else { BucketState::Available };
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

    /// Earliest expiry first (none last), then what pays for some meters only, then included, promo, referral, prepaid, then the one
    /// that was given first.
    pub(super) fn draw_order(&self) -> (bool, Option<Timestamp>, bool, GrantKind, u64) {
        (self.expires_at.is_none(), self.expires_at, self.meters.is_none(), self.kind, self.number)
    }
}

/// A part of a hold: that much of that bucket's money.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldPart {
    /// The bucket.
    pub bucket: String,
    /// How much of it, in nanodollars.
    pub amount: Nanos,
}

/// The transaction that puts `amount` into a new bucket, because of `cause`; `None` for a bucket of zero.
///
/// # Errors
/// [`LedgerError`] never in practice: the postings mirror each other.
pub fn grant(bucket: &str, amount: Nanos, cause: Cause) -> Result<Option<Transaction>, LedgerError> {
    move_between(Account::Adjustments, Account::Funding(bucket.to_owned()), amount, cause)
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

/// Revokes a bucket and returns what takes what is left, and what gives the price of an untouched pack back; held money stays
/// held. Nothing when it has already ended.
///
/// # Errors
/// [`LedgerError::BucketUnbalanced`] for a bucket whose parts don't add up.
pub fn revoke(bucket: &mut Bucket) -> Result<Vec<Transaction>, LedgerError> {
    if !bucket.is_alive() {
        return Ok(Vec::new());
    }
    let price = bucket.returned_price().unwrap_or(Nanos::ZERO);
    let cause = Cause::Revocation(bucket.id.clone());
    let refund = move_between(Account::Adjustments, Account::Receivable, price, cause)?;
    Ok([end(bucket, BucketState::Revoked)?, refund].into_iter().flatten().collect())
}

/// Takes what is left in a living bucket out of it, to `account`, and ends it. `None` when nothing is left. Held money stays held.
///
/// # Errors
/// [`LedgerError::BucketUnbalanced`] for a bucket whose parts don't add up.
pub fn empty(bucket: &mut Bucket, account: Account, cause: Cause) -> Result<Option<Transaction>, LedgerError> {
    if !bucket.is_alive() {
        return Ok(None);
    }
    bucket.check()?;
    let left = std::mem::take(&mut bucket.remaining);
    bucket.state = BucketState::Revoked;
    move_between(Account::Funding(bucket.id.clone()), account, left, cause)
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
