//! Who pays for usage. What pays depends on what a period's usage comes to, and not on the way there: a rise is paid from what is
//! kept, then from buckets, then owed, then waived past a bound; a fall undoes that in reverse.

use super::amount::{AmountError, Nanos};
use super::bucket::{Bucket, HoldPart, draw, move_between};
use super::ledger::{Account, Cause, LedgerError, Posting, Transaction, UsageTotals};
use super::rating::Rated;
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
}

impl Change<'_> {
    /// The cause of what pays for it.
    fn cause(&self) -> Cause {
        match self {
            Change::Charge { charge, .. } => Cause::Charge((*charge).to_owned()),
            Change::Void { adjustment, .. } => Cause::Refund((*adjustment).to_owned()),
        }
    }

    /// What it earns, by cause; nothing of zero.
    fn earned(&self) -> Vec<(Nanos, Cause)> {
        let lines = match self {
            Change::Charge { window, rated, .. } => {
                vec![(rated.charge, self.cause()), (rated.remainder, Cause::WindowRemainder((*window).to_owned()))]
            }
            Change::Void { amount, .. } => vec![(*amount, self.cause())],
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

/// Pays a change and returns the transaction; `None` for one of zero. The buckets and the hold are changed only when it
/// succeeds.
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
    if postings.is_empty() {
        return Ok(None);
    }
    // Worked out on copies, so that a refusal leaves everything as it was.
    let (mut paying, mut parts) = (buckets.to_vec(), held.to_vec());
    let moves = if due < Nanos::ZERO {
        give_back(payment, due.negated()?, &mut paying)?
    } else {
        collect(payment, due, &mut paying, &mut parts)?
    };
    let paid = |(account, amount)| Posting { account, amount, cause: payment.change.cause() };
    postings.extend(moves.into_iter().filter(|(_, amount)| *amount != Nanos::ZERO).map(paid));
    let transaction = Transaction::new(postings)?;
    paying.iter().try_for_each(Bucket::check)?;
    buckets.clone_from_slice(&paying);
    held.clone_from_slice(&parts);
    Ok(Some(transaction))
}

type Moves = Vec<(Account, Nanos)>;

/// Takes a positive amount from what is kept, from holds and from buckets; the rest is owed, or waived past the limit.
fn collect(
    payment: &Payment<'_>,
    due: Nanos,
    buckets: &mut [Bucket],
    held: &mut [HoldPart],
) -> Result<Moves, PayError> {
    let mut moves = Moves::new();
    let kept = payment.usage.unbilled.negated()?.max(Nanos::ZERO).min(due);
    let mut unpaid = due.minus(kept)?;
    let mut bought = Nanos::ZERO;
    for part in held.iter_mut() {
        let Some(bucket) = buckets.iter_mut().find(|bucket| bucket.id == part.bucket) else { continue };
        let amount = part.amount.min(unpaid);
        part.amount = part.amount.minus(amount)?;
        bucket.held = bucket.held.minus(amount)?;
        unpaid = unpaid.minus(amount)?;
        bought = bought.plus(spend(bucket, amount, &mut moves)?)?;
    }
    for (index, amount) in draw(buckets, unpaid, payment.now)? {
        let Some(bucket) = buckets.get_mut(index) else { continue };
        bucket.remaining = bucket.remaining.minus(amount)?;
        unpaid = unpaid.minus(amount)?;
        bought = bought.plus(spend(bucket, amount, &mut moves)?)?;
    }
    let owed = owed(payment, bought, unpaid)?;
    let waived = unpaid.minus(owed)?;
    moves.extend([(Account::Receivable, owed), (Account::Adjustments, kept.plus(waived)?)]);
    Ok(moves)
}

/// Notes that a bucket paid, with money that was taken out already. Returns how much of it is the subscriber's own.
fn spend(bucket: &mut Bucket, amount: Nanos, moves: &mut Moves) -> Result<Nanos, AmountError> {
    bucket.consumed = bucket.consumed.plus(amount)?;
    bucket.paid = bucket.paid.plus(amount)?;
    bucket.note_rest();
    moves.push((Account::Funding(bucket.id.clone()), amount));
    Ok(if bucket.kind == GrantKind::Prepaid { amount } else { Nanos::ZERO })
}

/// How much more the subscriber owes of what nobody else pays, when bought credit has just paid `bought`. That is spending too: past
/// a bound that waives, what was owed makes room for it, so that the order of reports changes nothing, and this is negative.
fn owed(payment: &Payment<'_>, bought: Nanos, unpaid: Nanos) -> Result<Nanos, PayError> {
    let room = |bound: Nanos| bound.minus(payment.usage.own()?)?.minus(bought);
    match payment.limit {
        SpendLimit::Unbounded => Ok(unpaid),
        SpendLimit::Waive(bound) => {
            let makes_room = bought.min(payment.usage.owed).negated()?;
            Ok(unpaid.min(room(bound)?.max(makes_room)))
        }
        SpendLimit::Refuse(bound) => {
            let room = room(bound)?.max(Nanos::ZERO);
            if unpaid > room { Err(PayError::Blocked(unpaid.minus(room)?)) } else { Ok(unpaid) }
        }
    }
}

/// Gives a positive amount back: first what was waived, then what usage owes, then living buckets by what they paid in the period,
/// last first; the rest is kept.
fn give_back(payment: &Payment<'_>, credit: Nanos, buckets: &mut [Bucket]) -> Result<Moves, PayError> {
    let waived = payment.usage.unbilled.max(Nanos::ZERO).min(credit);
    let mut left = credit.minus(waived)?;
    let owed = payment.usage.owed.max(Nanos::ZERO).min(left);
    left = left.minus(owed)?;
    let mut moves = vec![(Account::Receivable, owed.negated()?)];
    let mut order: Vec<usize> = (0..buckets.len()).collect();
    order.sort_by(|a, b| buckets.get(*b).map(Bucket::draw_order).cmp(&buckets.get(*a).map(Bucket::draw_order)));
    for index in order {
        let living = buckets.get_mut(index).filter(|bucket| bucket.is_alive() && !bucket.is_over(payment.now));
        let Some(bucket) = living else { continue };
        let amount = left.min(bucket.paid);
        left = left.minus(amount)?;
        bucket.paid = bucket.paid.minus(amount)?;
        bucket.consumed = bucket.consumed.minus(amount)?;
        bucket.remaining = bucket.remaining.plus(amount)?;
        bucket.note_rest();
        moves.push((Account::Funding(bucket.id.clone()), amount.negated()?));
    }
    moves.push((Account::Adjustments, waived.plus(left)?.negated()?));
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::super::bucket::{BucketOrigin, BucketState, empty, expire, grant, release, reserve, revoke};
    use super::*;
    use proptest::prelude::*;

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
        Payment { change: Change::Charge { charge: "c", window: "w", rated }, now: now(), usage, limit }
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
        let payment =
            |amount| Payment { change: change(amount), now: now(), usage, limit: SpendLimit::Waive(Nanos::new(10)) };
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
        assert_eq!(empty(&mut lost.clone(), Account::Receivable, Cause::Cancellation("s".to_owned())), Err(unbalanced));
        let ended = Bucket { state: BucketState::Expired, ..lost };
        assert_eq!(ended.check(), Ok(()), "what an ended bucket lacks was taken");
        let negative = Bucket { held: Nanos::new(-1), remaining: Nanos::new(71), ..whole.clone() };
        assert!(negative.check().is_err());
        let never_held = [HoldPart { bucket: "a".to_owned(), amount: Nanos::new(7) }];
        assert!(release(&mut [whole], &never_held).is_err(), "more is released than was held");
    }
}
