//! Who pays for usage. What pays depends on what a period's usage comes to, and not on the way there: a rise is paid from what is
//! kept, then from buckets, then owed, then waived past a bound; a fall undoes that in reverse. A bucket pays for no more than the usage of
//! its meters comes to.

use super::amount::{AmountError, Nanos};
use super::bucket::{Bucket, HoldPart, move_between};
use super::ledger::{Account, Cause, LedgerError, Posting, Transaction, UsageTotals};
use super::rating::Rated;
use super::scope::{Flow, Part, demand};
use crate::manifest::ir::GrantKind;
use jiff::Timestamp;

/// How much of a period's usage the subscriber may pay with own money, and what happens to a charge that goes further. The
/// bound is on [`UsageTotals::own`]: what usage owes, and what bought credit pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpendLimit {
    /// No bound.
    Unbounded,
    /// A charge that would pass it is refused.
    Refuse(Nanos),
    /// What passes it is not billed.
    Waive(Nanos),
}

impl SpendLimit {
    /// The same for what can't be refused, as what time makes dearer: what passes the bound is not billed.
    pub const fn never_refusing(self) -> SpendLimit {
        match self {
            SpendLimit::Refuse(bound) => SpendLimit::Waive(bound),
            SpendLimit::Unbounded | SpendLimit::Waive(_) => self,
        }
    }
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

/// What a period's usage is worth more, or less, than before.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// A charge was admitted.
    Charge {
        /// The charge's id.
        charge: &'a str,
        /// The id of its window.
        window: &'a str,
        /// What it costs.
        rated: Rated,
    },
    /// An item's charges were voided.
    Void {
        /// The adjustment's id.
        adjustment: &'a str,
        /// By how much that changes what was posted: negative where it costs less, which is the rule.
        amount: Nanos,
    },
    /// Levels that last held for a while.
    Time {
        /// The id of the window.
        window: &'a str,
        /// By how much that changes what was posted.
        amount: Nanos,
    },
}

impl Change<'_> {
    /// The cause of what pays for it.
    fn cause(&self) -> Cause {
        match self {
            Change::Charge { charge, .. } => Cause::Charge((*charge).to_owned()),
            Change::Void { adjustment, .. } => Cause::Refund((*adjustment).to_owned()),
            Change::Time { window, .. } => Cause::Time((*window).to_owned()),
        }
    }

    /// What it earns, by cause; nothing of zero.
    fn earned(&self) -> Vec<(Nanos, Cause)> {
        let lines = match self {
            Change::Charge { window, rated, .. } => {
                vec![(rated.charge, self.cause()), (rated.remainder, Cause::WindowRemainder((*window).to_owned()))]
            }
            Change::Void { amount, .. } | Change::Time { amount, .. } => vec![(*amount, self.cause())],
        };
        lines.into_iter().filter(|(amount, _)| *amount != Nanos::ZERO).collect()
    }
}

/// A change that is to be paid.
#[derive(Clone, Copy, Debug)]
pub struct Payment<'a> {
    /// What changes.
    pub change: Change<'a>,
    /// When.
    pub now: Timestamp,
    /// Who has paid for the period's usage so far.
    pub usage: UsageTotals,
    /// How far the subscriber pays.
    pub limit: SpendLimit,
    /// The usage that some buckets alone pay for; nothing where each pays for all.
    pub parts: &'a [Part],
    /// What buckets are asked for.
    pub reach: Reach,
}

/// What buckets are asked to pay when usage changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// What it rises by: what is owed already stays owed.
    Rise,
    /// All that no bucket has paid, which must be noted as owed or waived nowhere.
    All,
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

/// Pays a change and returns the transaction; `None` for one of zero that moves nothing between buckets. The buckets and the hold are
/// changed only when it succeeds.
///
/// # Errors
/// [`PayError::Blocked`] when the limit refuses it; [`PayError::Ledger`] when an amount leaves 128 bits, or a bucket's parts
/// don't add up.
pub fn pay(
    payment: &Payment<'_>,
    buckets: &mut [Bucket],
    held: &mut [HoldPart],
) -> Result<Option<Transaction>, PayError> {
    let mut postings = Vec::new();
    let mut due = Nanos::ZERO;
    for (amount, cause) in payment.change.earned() {
        due = due.plus(amount)?;
        postings.push(Posting { account: Account::Revenue, amount: amount.negated()?, cause });
    }
    let is_at_rest = payment.reach == Reach::Rise && payment.parts.iter().all(|part| part.before == part.after);
    if postings.is_empty() && is_at_rest {
        return Ok(None);
    }
    // Worked out on copies, so that a refusal leaves everything as it was.
    let (mut paying, mut parts) = (buckets.to_vec(), held.to_vec());
    let moves = settle(payment, due, &mut paying, &mut parts)?;
    let paid = |(account, amount)| Posting { account, amount, cause: payment.change.cause() };
    postings.extend(moves.into_iter().filter(|(_, amount)| *amount != Nanos::ZERO).map(paid));
    if postings.is_empty() {
        return Ok(None);
    }
    let transaction = Transaction::new(postings)?;
    paying.iter().try_for_each(Bucket::check)?;
    buckets.clone_from_slice(&paying);
    held.clone_from_slice(&parts);
    Ok(Some(transaction))
}

/// What is expected to be used, to be held for.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// What it would cost.
    pub amount: Nanos,
    /// The usage that some buckets alone pay for, without it and with it.
    pub parts: &'a [Part],
    /// When.
    pub now: Timestamp,
    /// Who has paid for the period's usage so far.
    pub usage: UsageTotals,
}

/// Reserves what a charge under way is expected to cost, in the order that charges draw. What the buckets can't cover is not held.
///
/// # Errors
/// [`LedgerError::Amount`] outside 128 bits; [`LedgerError::BucketUnbalanced`] for a bucket whose parts don't add up.
pub fn reserve(buckets: &mut [Bucket], expected: Expected<'_>) -> Result<Vec<HoldPart>, LedgerError> {
    let Expected { amount, parts, now, usage } = expected;
    let before = usage.rated()?.max(Nanos::ZERO);
    let demands = [
        demand(parts.iter().map(|part| part.before), before)?,
        demand(parts.iter().map(|part| part.after), before.plus(amount.max(Nanos::ZERO))?)?,
    ];
    let order = in_order(buckets, now);
    let mut flow = as_paid(buckets, &order, parts, demands[0].clone())?;
    flow.open = rises(&demands)?;
    let mut held = Vec::new();
    let mut left = amount.max(Nanos::ZERO);
    for place in order {
        let Some(bucket) = buckets.get_mut(place).filter(|bucket| bucket.is_usable(now)) else { continue };
        let amount = flow.pay(place, bucket.remaining.min(left))?;
        if amount == Nanos::ZERO {
            continue;
        }
        left = left.minus(amount)?;
        bucket.remaining = bucket.remaining.minus(amount)?;
        bucket.held = bucket.held.plus(amount)?;
        bucket.check()?;
        held.push(HoldPart { bucket: bucket.id.clone(), amount });
    }
    Ok(held)
}

/// Buckets by place: in the order in which they pay, those that have ended behind the others. What those paid stays as it is.
fn in_order(buckets: &[Bucket], now: Timestamp) -> Vec<usize> {
    let mut order: Vec<(usize, &Bucket)> = buckets.iter().enumerate().collect();
    order.sort_by_key(|(_, bucket)| (!is_going_on(bucket, now), bucket.draw_order()));
    order.into_iter().map(|(place, _)| place).collect()
}

/// Whether what it paid can come back into it.
fn is_going_on(bucket: &Bucket, now: Timestamp) -> bool {
    bucket.is_alive() && !bucket.is_over(now)
}

/// Which usage the buckets have paid for, of what was to be paid: as much as can be of what only credit for all pays, then of the part before
/// it, and so on. So what is owed is owed for usage that other credit could pay too, and credit for some meters that comes behind it makes no
/// room by paying what is paid: a rise at once, or in steps, is paid alike.
fn as_paid(buckets: &[Bucket], order: &[usize], parts: &[Part], demand: Vec<Nanos>) -> Result<Flow, AmountError> {
    let mut flow = Flow::new(buckets, parts, vec![Nanos::ZERO; demand.len()]);
    let mut left: Vec<Nanos> = buckets.iter().map(|bucket| bucket.paid).collect();
    for (part, asked) in demand.into_iter().enumerate().rev() {
        if let Some(open) = flow.open.get_mut(part) {
            *open = asked;
        }
        for place in order {
            let Some(left) = left.get_mut(*place) else { continue };
            *left = left.minus(flow.pay(*place, *left)?)?;
        }
    }
    Ok(flow)
}

/// By how much what is to be paid of each part has risen.
fn rises([before, after]: &[Vec<Nanos>; 2]) -> Result<Vec<Nanos>, AmountError> {
    let rise = |(before, after): (&Nanos, &Nanos)| Ok(after.minus(*before)?.max(Nanos::ZERO));
    before.iter().zip(after).map(rise).collect()
}

/// What one bucket pays more, or less, by its place.
#[derive(Default)]
struct Paid(Vec<(usize, Nanos)>);

impl Paid {
    fn add(&mut self, place: usize, amount: Nanos) -> Result<(), AmountError> {
        match self.0.iter_mut().find(|(known, _)| *known == place) {
            Some((_, sum)) => *sum = sum.plus(amount)?,
            None => self.0.push((place, amount)),
        }
        Ok(())
    }

    /// The sum over buckets.
    fn sum(&self, buckets: &[Bucket], counts: impl Fn(&Bucket) -> bool) -> Result<Nanos, AmountError> {
        let counted = self.0.iter().filter(|(place, _)| buckets.get(*place).is_some_and(&counts));
        counted.map(|(_, amount)| *amount).try_fold(Nanos::ZERO, Nanos::plus)
    }
}

/// A change that is being paid.
struct Settling<'a> {
    payment: &'a Payment<'a>,
    buckets: &'a mut [Bucket],
    order: Vec<usize>,
    paid: Paid,
}

/// Accounts that move, and by how much.
type Moves = Vec<(Account, Nanos)>;

/// Moves what usage costs more, or less, between those who pay: buckets as far as they pay for it, then the rest.
fn settle(payment: &Payment<'_>, due: Nanos, buckets: &mut [Bucket], held: &mut [HoldPart]) -> Result<Moves, PayError> {
    let order = in_order(buckets, payment.now);
    let mut settling = Settling { payment, buckets, order, paid: Paid::default() };
    let (mut flow, most) = settling.fall(due)?;
    settling.rise(&mut flow, most, held)?;
    let bought = settling.paid.sum(settling.buckets, |bucket| bucket.kind == GrantKind::Prepaid)?;
    let rest = due.minus(settling.paid.sum(settling.buckets, |_| true)?)?;
    let Unpaid { owed, mut unbilled, left } = unpaid(payment, rest, bought)?;
    let kept = left.minus(settling.put_back(left)?)?;
    unbilled = unbilled.minus(kept)?;
    let Settling { buckets, paid, .. } = settling;
    let of_bucket = |(place, amount): (usize, Nanos)| {
        buckets.get(place).map(|bucket| (Account::Funding(bucket.id.clone()), amount))
    };
    let mut moves: Moves = paid.0.into_iter().filter_map(of_bucket).collect();
    let place = if due < Nanos::ZERO { 0 } else { moves.len() };
    moves.insert(place, (Account::Receivable, owed));
    moves.push((Account::Adjustments, unbilled));
    Ok(moves)
}

impl Settling<'_> {
    fn demands(&self, due: Nanos) -> Result<[Vec<Nanos>; 2], AmountError> {
        let (parts, before) = (self.payment.parts, self.payment.usage.rated()?);
        Ok([
            demand(parts.iter().map(|part| part.before), before)?,
            demand(parts.iter().map(|part| part.after), before.plus(due)?)?,
        ])
    }

    /// Takes back from living buckets what is more than the usage that they can pay for comes to. Returns who pays for what then, with
    /// what is open for buckets to pay; and how much of it they pay at most in sum.
    fn fall(&mut self, due: Nanos) -> Result<(Flow, Nanos), AmountError> {
        let Payment { parts, usage, reach, .. } = *self.payment;
        let demands = self.demands(due)?;
        let kept = usage.unbilled.negated()?.max(Nanos::ZERO);
        if reach == Reach::All {
            let (flow, back) = self.stay(demands[1].clone())?;
            return Ok((flow, due.plus(back)?.minus(kept)?));
        }
        let rises = rises(&demands)?;
        let [before, after] = demands;
        let lower: Vec<Nanos> = before.iter().zip(&after).map(|(before, after)| *before.min(after)).collect();
        if lower != before {
            // What was owed till now is paid where a bucket no longer pays for what fell.
            self.stay(lower.clone())?;
        }
        let mut flow = as_paid(self.buckets, &self.order, parts, lower)?;
        let rise = rises.iter().copied().try_fold(Nanos::ZERO, Nanos::plus)?;
        flow.open = rises;
        // What is kept pays first. What of it makes up for usage of less than nothing is none of the rise.
        let kept = kept.minus(usage.rated()?.negated()?.max(Nanos::ZERO))?.max(Nanos::ZERO);
        Ok((flow, rise.minus(kept)?))
    }

    /// Lets living buckets pay what they paid, as far as it is for what is to be paid. The rest comes back to them, and is returned in sum.
    fn stay(&mut self, demand: Vec<Nanos>) -> Result<(Flow, Nanos), AmountError> {
        let mut flow = Flow::new(self.buckets, self.payment.parts, demand);
        let mut back = Vec::new();
        for place in &self.order {
            let Some(bucket) = self.buckets.get(*place) else { continue };
            let stays = flow.pay(*place, bucket.paid)?;
            if is_going_on(bucket, self.payment.now) && stays < bucket.paid {
                back.push((*place, bucket.paid.minus(stays)?));
            }
        }
        let mut sum = Nanos::ZERO;
        for (place, amount) in back.into_iter().rev() {
            self.return_to(place, amount)?;
            sum = sum.plus(amount)?;
        }
        Ok((flow, sum))
    }

    /// Has buckets pay what is open, up to `most`: first from what is held, then in their order.
    fn rise(&mut self, flow: &mut Flow, most: Nanos, held: &mut [HoldPart]) -> Result<(), AmountError> {
        let mut left = most;
        for part in held {
            let Some(place) = self.buckets.iter().position(|bucket| bucket.id == part.bucket) else { continue };
            let amount = flow.pay(place, part.amount.min(left))?;
            let Some(bucket) = self.buckets.get_mut(place) else { continue };
            part.amount = part.amount.minus(amount)?;
            bucket.held = bucket.held.minus(amount)?;
            left = left.minus(amount)?;
            self.spend(place, amount)?;
        }
        for place in self.order.clone() {
            let usable = self.buckets.get_mut(place).filter(|bucket| bucket.is_usable(self.payment.now));
            let Some(bucket) = usable else { continue };
            let amount = flow.pay(place, bucket.remaining.min(left))?;
            bucket.remaining = bucket.remaining.minus(amount)?;
            left = left.minus(amount)?;
            self.spend(place, amount)?;
        }
        Ok(())
    }

    /// Notes that a bucket paid, with money that was taken out already.
    fn spend(&mut self, place: usize, amount: Nanos) -> Result<(), AmountError> {
        let Some(bucket) = self.buckets.get_mut(place).filter(|_| amount != Nanos::ZERO) else { return Ok(()) };
        bucket.consumed = bucket.consumed.plus(amount)?;
        bucket.paid = bucket.paid.plus(amount)?;
        bucket.note_rest();
        self.paid.add(place, amount)
    }

    /// Gives a bucket back what it paid.
    fn return_to(&mut self, place: usize, amount: Nanos) -> Result<(), AmountError> {
        let Some(bucket) = self.buckets.get_mut(place).filter(|_| amount != Nanos::ZERO) else { return Ok(()) };
        bucket.paid = bucket.paid.minus(amount)?;
        bucket.consumed = bucket.consumed.minus(amount)?;
        bucket.remaining = bucket.remaining.plus(amount)?;
        bucket.note_rest();
        self.paid.add(place, amount.negated()?)
    }

    /// Gives up to an amount back to living buckets by what they paid in the period, the last first. Returns how much.
    fn put_back(&mut self, credit: Nanos) -> Result<Nanos, AmountError> {
        let mut left = credit;
        for place in self.order.clone().into_iter().rev() {
            let living = self.buckets.get(place).filter(|bucket| is_going_on(bucket, self.payment.now));
            let Some(bucket) = living else { continue };
            let amount = left.min(bucket.paid);
            left = left.minus(amount)?;
            self.return_to(place, amount)?;
        }
        credit.minus(left)
    }
}

/// What happens to what no bucket pays: how much more is owed and how much more nobody pays; and what comes back for which nobody owed
/// anything.
struct Unpaid {
    owed: Nanos,
    unbilled: Nanos,
    left: Nanos,
}

/// Takes a rise from what is kept, then lets it be owed, or waived past the limit; gives a fall to what was waived, then to what usage
/// owes. Bought credit has just paid `bought` more.
fn unpaid(payment: &Payment<'_>, rest: Nanos, bought: Nanos) -> Result<Unpaid, PayError> {
    let usage = payment.usage;
    let mut settled = if rest >= Nanos::ZERO {
        let kept = usage.unbilled.negated()?.max(Nanos::ZERO).min(rest);
        let unpaid = rest.minus(kept)?;
        let owed = owed(payment, bought, unpaid)?;
        Unpaid { owed, unbilled: rest.minus(owed)?, left: Nanos::ZERO }
    } else {
        let credit = rest.negated()?;
        let waived = usage.unbilled.max(Nanos::ZERO).min(credit);
        let owed = usage.owed.max(Nanos::ZERO).min(credit.minus(waived)?);
        let left = credit.minus(waived)?.minus(owed)?;
        Unpaid { owed: owed.negated()?, unbilled: waived.negated()?, left }
    };
    if let SpendLimit::Waive(bound) = payment.limit {
        let room = bound.minus(usage.own()?.plus(bought)?.plus(settled.owed)?)?;
        // Bought credit that came back leaves room for what was waived, and credit that paid takes the room of what was owed.
        let more = if bought < Nanos::ZERO {
            let waived = usage.unbilled.plus(settled.unbilled)?.max(Nanos::ZERO);
            room.max(Nanos::ZERO).min(bought.negated()?).min(waived)
        } else if rest < Nanos::ZERO {
            let owed = usage.owed.plus(settled.owed)?.max(Nanos::ZERO);
            room.negated()?.max(Nanos::ZERO).min(bought).min(owed).negated()?
        } else {
            Nanos::ZERO
        };
        settled.owed = settled.owed.plus(more)?;
        settled.unbilled = settled.unbilled.minus(more)?;
    }
    Ok(settled)
}

/// How much more the subscriber owes of what nobody else pays, when bought credit has just paid `bought`. That is spending too: past
/// a bound that waives, what was owed makes room for it, so that the order of reports changes nothing, and this is negative.
fn owed(payment: &Payment<'_>, bought: Nanos, unpaid: Nanos) -> Result<Nanos, PayError> {
    let room = |bound: Nanos| bound.minus(payment.usage.own()?)?.minus(bought);
    match payment.limit {
        SpendLimit::Unbounded => Ok(unpaid),
        SpendLimit::Waive(bound) => {
            let makes_room = bought.max(Nanos::ZERO).min(payment.usage.owed).negated()?;
            Ok(unpaid.min(room(bound)?.max(makes_room)))
        }
        SpendLimit::Refuse(bound) => {
            let room = room(bound)?.max(Nanos::ZERO);
            if unpaid > room { Err(PayError::Blocked(unpaid.minus(room)?)) } else { Ok(unpaid) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bucket::{BucketOrigin, BucketState, empty, expire, grant, release, revoke};
    use super::super::scope::parts_of;
    use super::*;
    use crate::manifest::ir::Key;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn bucket(id: &str, kind: GrantKind, nanos: i128, expires_at: Option<&str>) -> Bucket {
        Bucket {
            id: id.to_owned(),
            number: u64::from(id.bytes().next().unwrap()),
            origin: BucketOrigin::Given,
            given_in: Some(0),
            kind,
            state: BucketState::Available,
            granted: Nanos::new(nanos),
            remaining: Nanos::new(nanos),
            held: Nanos::ZERO,
            consumed: Nanos::ZERO,
            paid: Nanos::ZERO,
            price: None,
            expires_at: expires_at.map(|text| text.parse().unwrap()),
            display: None,
            meters: None,
        }
    }

    fn now() -> Timestamp {
        "2026-08-01T00:00:00Z".parse().unwrap()
    }

    fn rated(charge: i128, remainder: i128) -> Rated {
        Rated { charge: Nanos::new(charge), remainder: Nanos::new(remainder) }
    }

    fn payment(rated: Rated, owed: i128, limit: SpendLimit) -> Payment<'static> {
        let usage = UsageTotals { owed: Nanos::new(owed), ..UsageTotals::default() };
        let change = Change::Charge { charge: "c", window: "w", rated };
        Payment { change, now: now(), usage, limit, parts: &[], reach: Reach::Rise }
    }

    fn expected(amount: i128) -> Expected<'static> {
        Expected { amount: Nanos::new(amount), parts: &[], now: now(), usage: UsageTotals::default() }
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

    /// Pays changes one after another, and gives what each posted and what the usage comes to.
    fn run(
        changes: &[i128],
        buckets: &mut [Bucket],
        limit: SpendLimit,
        mut usage: UsageTotals,
    ) -> (Vec<Vec<String>>, UsageTotals) {
        let mut posted = Vec::new();
        for change in changes {
            let payment = Payment { usage, ..payment(rated(*change, 0), 0, limit) };
            let Some(transaction) = pay(&payment, buckets, &mut []).unwrap() else { continue };
            let bought: Vec<String> = buckets
                .iter()
                .filter(|bucket| bucket.kind == GrantKind::Prepaid)
                .map(|bucket| bucket.id.clone())
                .collect();
            usage = usage.with(&transaction, |id| bought.iter().any(|known| known == id)).unwrap();
            posted.push(lines(&transaction));
        }
        (posted, usage)
    }

    fn sums(usage: UsageTotals) -> [i128; 4] {
        [usage.funded, usage.prepaid, usage.owed, usage.unbilled].map(Nanos::get)
    }

    #[test]
    fn a_fall_undoes_what_was_waived_then_owed_then_paid_by_living_buckets_and_the_rest_is_kept() {
        let mut buckets = [
            bucket("a", GrantKind::Included, 10, None),
            bucket("b", GrantKind::Promo, 10, Some("2026-08-02T00:00:00Z")),
            bucket("c", GrantKind::Prepaid, 10, None),
        ];
        let limit = SpendLimit::Waive(Nanos::new(17));
        let (posted, usage) = run(&[40], &mut buckets, limit, UsageTotals::default());
        assert_eq!(
            posted,
            [["revenue -40", "funding:b 10", "funding:a 10", "funding:c 10", "receivable 7", "adjustments 3"]]
        );
        assert_eq!(sums(usage), [30, 10, 7, 3], "own money: 10 bought and 7 owed");
        expire(&mut buckets[1], "2026-08-02T00:00:00Z".parse().unwrap()).unwrap();
        let (posted, usage) = run(&[-12, -15, -13], &mut buckets, limit, usage);
        assert_eq!(posted[0], ["revenue 12", "receivable -7", "funding:c -2", "adjustments -3"]);
        assert_eq!(posted[1], ["revenue 15", "funding:c -8", "funding:a -7"]);
        assert_eq!(posted[2], ["revenue 13", "funding:a -3", "adjustments -10"], "b is over: its ten are kept");
        assert_eq!(sums(usage), [10, 0, 0, -10]);
        let (posted, usage) = run(&[12], &mut buckets, limit, usage);
        assert_eq!(posted, [["revenue -12", "funding:a 2", "adjustments 10"]], "what is kept pays first");
        assert_eq!(sums(usage), [12, 0, 0, 0]);
    }

    #[test]
    fn a_bucket_gets_back_what_it_paid_in_the_period_and_no_more() {
        let mut old = bucket("a", GrantKind::Prepaid, 10, None);
        (old.consumed, old.remaining, old.state) = (Nanos::new(10), Nanos::ZERO, BucketState::Exhausted);
        let mut buckets = [old, bucket("b", GrantKind::Included, 5, None)];
        let (posted, usage) = run(&[5, -5, 5, -5], &mut buckets, SpendLimit::Unbounded, UsageTotals::default());
        assert_eq!(posted[1], ["revenue 5", "funding:b -5"]);
        assert_eq!((posted[3].clone(), buckets[0].remaining), (posted[1].clone(), Nanos::ZERO));
        assert_eq!(sums(usage), [0, 0, 0, 0]);
    }

    #[test]
    fn a_void_costs_nobody_more_than_the_bound() {
        let usage = UsageTotals { owed: Nanos::new(8), ..UsageTotals::default() };
        let change = |amount| Change::Void { adjustment: "r", amount: Nanos::new(amount) };
        let limit = SpendLimit::Waive(Nanos::new(10));
        let payment = |amount| Payment { usage, change: change(amount), ..payment(rated(0, 0), 0, limit) };
        let back = pay(&payment(-5), &mut [], &mut []).unwrap().unwrap();
        assert_eq!(causes(&back), ["revenue 5 refund:r", "receivable -5 refund:r"]);
        let dearer = pay(&payment(5), &mut [], &mut []).unwrap().unwrap();
        assert_eq!(lines(&dearer), ["revenue -5", "receivable 2", "adjustments 3"], "a volume tier was lost");
        assert_eq!(pay(&payment(0), &mut [], &mut []), Ok(None));
    }

    proptest! {
        /// Any way to the same usage ends with the same payers, as long as no bucket comes or goes.
        #[test]
        fn who_pays_depends_on_the_sum_and_not_on_the_way(
            totals in prop::collection::vec(0_i128..200, 1..12), sizes in prop::collection::vec(1_i128..60, 3), bound in prop::option::of(0_i128..100),
        ) {
            let kinds = [GrantKind::Included, GrantKind::Promo, GrantKind::Prepaid];
            let fresh = || -> Vec<Bucket> {
                kinds.iter().zip(&sizes).zip(["a", "b", "c"]).map(|((kind, size), id)| bucket(id, *kind, *size, None)).collect()
            };
            let limit = bound.map_or(SpendLimit::Unbounded, |bound| SpendLimit::Waive(Nanos::new(bound)));
            let mut steps = Vec::new();
            let mut last = 0_i128;
            for total in &totals {
                steps.push(total.checked_sub(last).unwrap());
                last = *total;
            }
            let (mut winding, mut straight) = (fresh(), fresh());
            let (_, by_steps) = run(&steps, &mut winding, limit, UsageTotals::default());
            let (_, at_once) = run(&[last], &mut straight, limit, UsageTotals::default());
            prop_assert_eq!(by_steps, at_once);
            prop_assert_eq!(winding, straight);
            prop_assert_eq!(at_once.rated().unwrap().get(), last);
            prop_assert!(at_once.unbilled >= Nanos::ZERO, "all buckets live, so nothing is kept");
        }
    }

    #[test]
    fn held_money_pays_first_even_after_its_bucket_expired_and_the_rest_goes_where_the_bucket_went() {
        let mut buckets = [
            bucket("a", GrantKind::Promo, 100, Some("2026-08-02T00:00:00Z")),
            bucket("b", GrantKind::Promo, 100, None),
        ];
        let mut parts = reserve(&mut buckets, expected(130)).unwrap();
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
        for text in ["plan", "period", "given", "top_up", "move", "transfer"] {
            assert_eq!(BucketOrigin::named(text).unwrap().as_str(), text);
        }
        assert_eq!(BucketOrigin::named("stolen"), None);
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
        let granted = grant("b", five, Cause::Grant("b".to_owned())).unwrap().unwrap();
        assert_eq!(causes(&granted), ["adjustments 5 grant:b", "funding:b -5 grant:b"]);
        let billed = bill_top_up("b", five).unwrap().unwrap();
        assert_eq!(causes(&billed), ["receivable 5 top_up:b", "adjustments -5 top_up:b"]);
        let moved = adjust(Cause::Correction("c".to_owned()), Nanos::new(-5)).unwrap().unwrap();
        assert_eq!(causes(&moved), ["receivable -5 correction:c", "adjustments 5 correction:c"]);
        assert_eq!(grant("b", Nanos::ZERO, Cause::Grant("b".to_owned())).unwrap(), None);
        assert!(adjust(Cause::Correction("c".to_owned()), Nanos::new(i128::MIN)).is_err());
    }

    #[test]
    fn a_bucket_ends_once_and_says_how() {
        let mut revoked = bucket("a", GrantKind::Promo, 70, None);
        let taken = revoke(&mut revoked).unwrap();
        assert_eq!(causes(&taken[0]), ["funding:a 70 revocation:a", "adjustments -70 revocation:a"]);
        assert_eq!((taken.len(), revoked.state, revoked.remaining), (1, BucketState::Revoked, Nanos::ZERO));
        assert_eq!(revoke(&mut revoked).unwrap(), []);
        let pack = |remaining: i128| Bucket {
            price: Some(Nanos::new(50)),
            remaining: Nanos::new(remaining),
            consumed: Nanos::new(70).minus(Nanos::new(remaining)).unwrap(),
            ..bucket("p", GrantKind::Prepaid, 70, None)
        };
        let untouched = revoke(&mut pack(70)).unwrap();
        assert_eq!(causes(&untouched[1]), ["adjustments 50 revocation:p", "receivable -50 revocation:p"]);
        assert_eq!(revoke(&mut pack(69)).unwrap().len(), 1, "what was used was bought");
        let mut going_on = bucket("b", GrantKind::Promo, 70, Some("2026-08-01T00:00:01Z"));
        assert_eq!(expire(&mut going_on, now()).unwrap(), None, "its time is not over");
        assert_eq!(going_on.state, BucketState::Available);
        let mut over = bucket("c", GrantKind::Promo, 70, Some("2026-08-01T00:00:00Z"));
        let ended = expire(&mut over, now()).unwrap().unwrap();
        assert_eq!(causes(&ended), ["funding:c 70 expiry:c", "adjustments -70 expiry:c"]);
        over.remaining = Nanos::new(1);
        assert_eq!(expire(&mut over, now()).unwrap(), None, "it has ended");
        assert_eq!(revoke(&mut over).unwrap(), []);
        let held = [HoldPart { bucket: "a".to_owned(), amount: Nanos::new(7) }];
        revoked.held = Nanos::new(7);
        let mut buckets = [revoked];
        let let_go = release(&mut buckets, &held).unwrap();
        assert_eq!(causes(&let_go[0]), ["funding:a 7 revocation:a", "adjustments -7 revocation:a"]);
    }

    fn key(text: &str) -> Key {
        Key::try_from(text.to_owned()).unwrap()
    }

    fn only(scope: &[&str], mut bucket: Bucket) -> Bucket {
        bucket.meters = Some(scope.iter().map(|meter| key(meter)).collect());
        bucket
    }

    /// A life on three meters: what each has come to, and who has paid.
    struct Life {
        buckets: Vec<Bucket>,
        at: [i128; 3],
        usage: UsageTotals,
        limit: SpendLimit,
    }

    impl Life {
        fn of(buckets: Vec<Bucket>) -> Life {
            Life { buckets, at: [0; 3], usage: UsageTotals::default(), limit: SpendLimit::Unbounded }
        }

        fn part(&self, meters: BTreeSet<Key>, then: [i128; 3]) -> Part {
            let of = |at: [i128; 3]| -> Nanos {
                let sums = ["a", "b", "c"].into_iter().zip(at);
                Nanos::new(sums.filter(|(meter, _)| meters.contains(&key(meter))).map(|(_, sum)| sum).sum())
            };
            Part { before: of(self.at), after: of(then), meters }
        }

        /// Lets the meters come to these sums.
        fn go(&mut self, then: [i128; 3]) {
            let parts: Vec<Part> = parts_of(&self.buckets).into_iter().map(|meters| self.part(meters, then)).collect();
            let amount = then.iter().sum::<i128>().checked_sub(self.at.iter().sum()).unwrap();
            let change = Change::Void { adjustment: "x", amount: Nanos::new(amount) };
            let due = Payment { change, usage: self.usage, parts: &parts, ..payment(rated(0, 0), 0, self.limit) };
            if let Some(transaction) = pay(&due, &mut self.buckets, &mut []).unwrap() {
                let bought =
                    |id: &str| self.buckets.iter().any(|bucket| bucket.id == id && bucket.kind == GrantKind::Prepaid);
                self.usage = self.usage.with(&transaction, bought).unwrap();
            }
            self.at = then;
            assert_eq!(self.usage.rated().unwrap().get(), then.iter().sum::<i128>(), "all of it is paid");
        }

        fn left(&self) -> Vec<i128> {
            self.buckets.iter().map(|bucket| bucket.remaining.get()).collect()
        }
    }

    /// What is left in the buckets after these steps, and what is owed.
    fn live(steps: &[[i128; 3]], buckets: Vec<Bucket>) -> (Vec<i128>, i128) {
        let mut life = Life::of(buckets);
        steps.iter().for_each(|step| life.go(*step));
        (life.left(), life.usage.owed.get())
    }

    #[test]
    fn credit_for_some_meters_pays_for_those_and_before_credit_for_all() {
        let buckets = || {
            vec![bucket("u", GrantKind::Included, 10, None), only(&["a"], bucket("s", GrantKind::Prepaid, 10, None))]
        };
        assert_eq!(live(&[[0, 15, 0]], buckets()), (vec![0, 10], 5), "it pays for nothing else");
        for steps in [vec![[15, 15, 0]], vec![[0, 15, 0], [15, 15, 0]], vec![[15, 0, 0], [15, 15, 0]]] {
            assert_eq!(live(&steps, buckets()), (vec![0, 0], 10), "{steps:?}");
        }
        assert_eq!(
            live(&[[15, 15, 0], [0, 15, 0]], buckets()),
            (vec![0, 10], 5),
            "what a paid comes back to its credit"
        );
        assert_eq!(live(&[[15, 15, 0], [15, 0, 0]], buckets()), (vec![5, 0], 0));
        // One meter rises as another falls: nothing is due in sum, and other credit pays.
        assert_eq!(live(&[[8, 0, 0], [0, 8, 0]], buckets()), (vec![2, 10], 0));
    }

    #[test]
    fn credit_that_ends_first_pays_first_and_makes_room_where_other_credit_can_take_its_place() {
        let buckets = || {
            let soon = bucket("u", GrantKind::Prepaid, 10, Some("2026-08-02T00:00:00Z"));
            vec![only(&["a"], bucket("s", GrantKind::Included, 10, None)), soon]
        };
        assert_eq!(live(&[[10, 0, 0]], buckets()), (vec![10, 0], 0), "the one that ends first");
        for steps in [vec![[10, 10, 0]], vec![[10, 0, 0], [10, 10, 0]], vec![[0, 10, 0], [10, 10, 0]]] {
            assert_eq!(live(&steps, buckets()), (vec![0, 0], 0), "{steps:?}");
        }
        assert_eq!(live(&[[10, 10, 0], [10, 0, 0]], buckets()), (vec![10, 0], 0));
    }

    #[test]
    fn crossing_scopes_leave_nothing_unpaid_that_one_of_them_could_pay() {
        let buckets = || {
            vec![
                only(&["a", "b"], bucket("x", GrantKind::Included, 10, None)),
                only(&["b", "c"], bucket("y", GrantKind::Included, 10, None)),
                only(&["c"], bucket("z", GrantKind::Included, 10, None)),
            ]
        };
        assert_eq!(live(&[[0, 10, 0], [0, 10, 10], [10, 10, 10]], buckets()), (vec![0, 0, 0], 0), "two steps aside");
        assert_eq!(live(&[[10, 10, 10], [10, 0, 10]], buckets()), (vec![0, 0, 10], 0));
        assert_eq!(live(&[[30, 0, 0]], buckets()), (vec![0, 10, 10], 20));
    }

    #[test]
    fn credit_that_comes_later_pays_for_what_is_used_from_then_on() {
        let mut life = Life::of(Vec::new());
        life.go([10, 0, 0]);
        life.buckets.push(only(&["a"], bucket("s", GrantKind::Promo, 10, None)));
        life.go([10, 5, 0]);
        assert_eq!((life.left(), life.usage.owed.get()), (vec![10], 15), "what was owed stays owed");
        life.go([12, 5, 0]);
        assert_eq!((life.left(), life.usage.owed.get()), (vec![8], 15));
    }

    #[test]
    fn what_ended_credit_paid_for_usage_that_is_void_pays_the_periods_other_usage() {
        let mut life = Life::of(vec![
            only(&["a"], bucket("s", GrantKind::Promo, 10, None)),
            bucket("u", GrantKind::Included, 4, None),
        ]);
        life.go([10, 6, 0]);
        assert_eq!((life.left(), life.usage.owed.get()), (vec![0, 0], 2));
        revoke(&mut life.buckets[0]).unwrap();
        life.go([0, 6, 0]);
        assert_eq!(
            (life.left(), sums(life.usage)),
            (vec![0, 4], [10, 0, 0, -4]),
            "what was owed, then who is left, is paid"
        );
        life.go([0, 9, 0]);
        assert_eq!((life.left(), sums(life.usage)), (vec![0, 4], [10, 0, 0, -1]));
        life.go([0, 12, 0]);
        assert_eq!((life.left(), sums(life.usage)), (vec![0, 2], [12, 0, 0, 0]));
    }

    #[test]
    fn bought_credit_that_comes_back_leaves_room_for_what_was_waived() {
        let mut life = Life::of(vec![only(&["a"], bucket("s", GrantKind::Prepaid, 10, None))]);
        life.limit = SpendLimit::Waive(Nanos::new(12));
        life.go([10, 8, 0]);
        assert_eq!(sums(life.usage), [10, 10, 2, 6]);
        life.go([0, 8, 0]);
        assert_eq!(sums(life.usage), [0, 0, 8, 0]);
        life.go([10, 8, 0]);
        assert_eq!(sums(life.usage), [10, 10, 2, 6], "and takes it again");
    }

    #[test]
    fn a_hold_takes_what_the_charge_will_and_a_charge_takes_it_though_it_is_for_another_meter() {
        let mut buckets = [
            bucket("u", GrantKind::Included, 10, Some("2026-08-02T00:00:00Z")),
            only(&["a"], bucket("s", GrantKind::Included, 10, None)),
        ];
        let part = |before, after| Part {
            meters: BTreeSet::from([key("a")]),
            before: Nanos::new(before),
            after: Nanos::new(after),
        };
        let of_a = reserve(&mut buckets, Expected { parts: &[part(0, 12)], ..expected(12) }).unwrap();
        assert_eq!(of_a.iter().map(|part| part.amount.get()).collect::<Vec<_>>(), [10, 2]);
        let none = reserve(&mut buckets, Expected { parts: &[part(0, 0)], ..expected(5) }).unwrap();
        assert_eq!(none, [], "what is left is for a alone");
        let mut held = of_a;
        let due = Payment { parts: &[part(0, 0)], ..payment(rated(12, 0), 0, SpendLimit::Unbounded) };
        let paid = pay(&due, &mut buckets, &mut held).unwrap().unwrap();
        assert_eq!(lines(&paid), ["revenue -12", "funding:u 10", "receivable 2"]);
        assert_eq!(held[1].amount.get(), 2);
    }

    proptest! {
        /// Any way to the same usage of each meter ends with the same payers, as long as no bucket comes or goes; and the payers are
        /// those whom the order names, one after another, each as far as it can.
        #[test]
        fn who_pays_depends_on_the_meters_sums_and_not_on_the_way(
            steps in prop::collection::vec(prop::array::uniform3(0_i128..60), 1..8),
            drawn in prop::collection::vec((0_usize..8, 0_i128..50, 0_usize..4, 0_usize..3), 1..5),
            bound in prop::option::of(0_i128..80),
        ) {
            let scopes = [None, Some(vec!["a"]), Some(vec!["b"]), Some(vec!["a", "b"]), Some(vec!["b", "c"]), Some(vec!["a", "c"]), None, Some(vec!["a", "b", "c"])];
            let kinds = [GrantKind::Included, GrantKind::Promo, GrantKind::Prepaid, GrantKind::Prepaid];
            let ends = [None, Some("2026-08-02T00:00:00Z"), Some("2026-08-03T00:00:00Z")];
            let buckets = || -> Vec<Bucket> {
                let ids = ["d", "e", "f", "g"];
                let new = |(id, (scope, size, kind, end)): (&str, &(usize, i128, usize, usize))| {
                    let bucket = bucket(id, kinds[*kind], *size, ends[*end]);
                    match &scopes[*scope] { Some(scope) => only(scope, bucket), None => bucket }
                };
                ids.into_iter().zip(&drawn).map(new).collect()
            };
            let life = |steps: &[[i128; 3]]| {
                let mut life = Life::of(buckets());
                life.limit = bound.map_or(SpendLimit::Unbounded, |bound| SpendLimit::Waive(Nanos::new(bound)));
                steps.iter().for_each(|step| life.go(*step));
                life
            };
            let last = *steps.last().unwrap();
            let (winding, straight) = (life(&steps), life(&[last]));
            prop_assert_eq!(&winding.buckets, &straight.buckets);
            prop_assert_eq!(winding.usage, straight.usage);
            prop_assert!(winding.usage.unbilled >= Nanos::ZERO, "all buckets live, so nothing is kept");
            let all = buckets();
            let mut order: Vec<&Bucket> = all.iter().collect();
            order.sort_by_key(|bucket| bucket.draw_order());
            for (count, bucket) in order.iter().enumerate() {
                let most = |buckets: &[&Bucket]| most_paid(buckets, last);
                let wanted = most(&order[..=count]).checked_sub(most(&order[..count])).unwrap();
                let paid = winding.buckets.iter().find(|known| known.id == bucket.id).unwrap().paid.get();
                prop_assert_eq!(paid, wanted, "{}", bucket.id);
            }
        }
    }

    /// What these buckets pay together at most: the least cut between meters and buckets.
    fn most_paid(buckets: &[&Bucket], at: [i128; 3]) -> i128 {
        let cut = |cut: usize| {
            let is_cut = |place: usize| (cut >> place) & 1 == 1;
            let meters = ["a", "b", "c"].into_iter().zip(at).enumerate();
            let usage: i128 = meters.clone().filter(|(place, _)| is_cut(*place)).map(|(_, (_, sum))| sum).sum();
            let asked = |bucket: &&&Bucket| {
                meters.clone().any(|(place, (meter, _))| {
                    !is_cut(place) && bucket.meters.as_ref().is_none_or(|scope| scope.contains(&key(meter)))
                })
            };
            let credit: i128 = buckets.iter().filter(asked).map(|bucket| bucket.granted.get()).sum();
            usage.checked_add(credit).unwrap()
        };
        (0..8).map(cut).min().unwrap()
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
        assert_eq!(reserve(&mut [lost.clone()], expected(5)), Err(unbalanced));
        assert_eq!(revoke(&mut lost.clone()), Err(unbalanced));
        assert_eq!(empty(&mut lost.clone(), Account::Receivable, Cause::Cancellation("s".to_owned())), Err(unbalanced));
        let ended = Bucket { state: BucketState::Expired, ..lost };
        assert_eq!(ended.check(), Ok(()), "what an ended bucket lacks was taken");
        let negative = Bucket { held: Nanos::new(-1), remaining: Nanos::new(71), ..whole.clone() };
        assert!(negative.check().is_err());
        let never_held = [HoldPart { bucket: "a".to_owned(), amount: Nanos::new(7) }];
        assert!(release(&mut [whole], &never_held).is_err(), "more is released than was held");
    }
}
