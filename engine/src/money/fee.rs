//! How a recurring fee is spread over documents: with the period that it is for, with the one before it, or once for several periods.

use super::amount::{AmountError, Cents, Nanos};
use crate::manifest::ir::{Billed, Plan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When a plan's fee is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FeeTerms {
    /// For how many periods a fee is: 1, or 12 where a year's fee goes with months of usage.
    pub periods: u32,
    /// Whether it is charged before its first period begins, and not when its last one ends.
    pub in_advance: bool,
}

impl FeeTerms {
    /// Each period's fee with the period.
    pub const ARREARS: FeeTerms = FeeTerms { periods: 1, in_advance: false };

    /// The terms of a plan.
    pub fn of(plan: &Plan) -> FeeTerms {
        FeeTerms { periods: plan.periods_per_fee(), in_advance: plan.billed == Billed::Advance }
    }

    /// Whether a subscription begins with a period that no fee is for: a trial, or, where the fee comes in advance, one of no
    /// length, whose document has the first fee.
    pub const fn begins_without(self, has_trial: bool) -> bool {
        self.in_advance || (self.periods > 1 && has_trial)
    }
}

/// What is left of the fee that a subscription begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IntroFee {
    /// The fee, in cents.
    pub amount_cents: Cents,
    /// How many of the next fees are of this amount.
    pub left: u32,
}

impl IntroFee {
    /// That of a plan, where it has one.
    pub fn of(plan: &Plan) -> Option<IntroFee> {
        plan.intro.map(|intro| IntroFee { amount_cents: intro.amount_cents, left: intro.periods.get() })
    }

    /// What the next fee is, which would be `fee` without it: no more than that. Nothing where none is left.
    pub fn next(self, fee: Cents) -> Option<Cents> {
        (self.left > 0).then(|| self.amount_cents.min(fee))
    }

    /// Takes one of it; nothing where none is left.
    pub fn take(&mut self, fee: Cents) -> Option<Cents> {
        let next = self.next(fee);
        self.left = self.left.saturating_sub(1);
        next
    }
}

/// A period's part in a fee, and what its document charges of fees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PeriodFee {
    /// For how many periods its fee is; 0 where none is for it.
    pub periods: u32,
    /// How many of them come after this one.
    pub left: u32,
    /// Whether an earlier document has charged it.
    pub is_paid: bool,
    /// What its own document charges, in cents; the difference to the pin is posted.
    pub due: Cents,
    /// What its fee is, in cents, where that is not the pin: an introductory one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intro: Option<Cents>,
    /// By how much moves have changed it since its first period began, in nanodollars, whether that was posted or given as credit; nothing
    /// where that is not known: of a period that was written before it was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Nanos>,
}

impl PeriodFee {
    /// Of a period that no fee is for.
    pub const fn none(due: Cents) -> PeriodFee {
        PeriodFee { periods: 0, left: 0, is_paid: false, due, intro: None, moved: Some(Nanos::ZERO) }
    }

    /// Of the first of a fee's periods.
    pub const fn first(terms: FeeTerms, pin: Cents) -> PeriodFee {
        let left = terms.periods.saturating_sub(1);
        PeriodFee { left, is_paid: terms.in_advance, periods: terms.periods, ..PeriodFee::none(pin) }
    }

    /// Of the period after it.
    pub const fn following(self, terms: FeeTerms, pin: Cents) -> PeriodFee {
        match self.left.checked_sub(1) {
            Some(left) => PeriodFee { left, due: pin, ..self },
            None => PeriodFee::first(terms, pin),
        }
    }

    /// What its fee is, where the pin is this.
    pub const fn own(self, pin: Cents) -> Cents {
        match self.intro {
            Some(intro) => intro,
            None => pin,
        }
    }

    /// What it has come to by now, of which a trial waives `waived` (zero or less); nothing where that is not known.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] never in practice: authored amounts fit.
    pub fn so_far(self, pin: Cents, waived: Nanos) -> Result<Option<Nanos>, AmountError> {
        self.moved.map(|moved| self.own(pin).nanos().plus(waived)?.plus(moved)).transpose()
    }

    /// It after a move that changes it by so much.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] outside 128 bits.
    pub fn moved_by(self, change: Nanos) -> Result<PeriodFee, AmountError> {
        let moved = self.moved.map(|moved| moved.plus(change)).transpose()?;
        Ok(PeriodFee { moved, ..self })
    }

    /// Whether the period after it has another fee.
    pub const fn is_last(self) -> bool {
        self.left == 0
    }

    /// What the document of its period charges: its own fee, where that is due with it, and the `next` one, where that comes in
    /// advance and the subscription goes on. A subscription that `ends` owes its fee at once.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] past the range of cents.
    pub fn due_with(self, own: Cents, next: Option<Cents>, ends: bool) -> Result<Cents, AmountError> {
        let is_due = self.periods > 0 && !self.is_paid && (self.is_last() || ends);
        let own = if is_due { own.get() } else { 0 };
        let next = next.filter(|_| self.is_last() && !ends).map_or(0, Cents::get);
        Cents::try_from(own.checked_add(next).ok_or(AmountError::Overflow)?)
    }

    /// What of fees counts towards the least and the most of its period, beside the period's own `adjustment` of it: its fee, whichever
    /// document charges it; of one for several periods an equal part of that which the rest is paid at.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] never in practice: authored amounts fit.
    pub fn spend(self, pin: Cents, current: Cents, adjustment: Nanos) -> Result<Nanos, AmountError> {
        match self.periods {
            0 => adjustment.negated(),
            1 => Ok(self.own(pin).nanos()),
            // What a move or an end posts here is for the rest of all of them.
            periods => current.nanos().share(1, i128::from(periods))?.minus(adjustment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cents(cents: u64) -> Cents {
        Cents::try_from(cents).unwrap()
    }

    const YEARLY: FeeTerms = FeeTerms { periods: 12, in_advance: false };
    const ADVANCE: FeeTerms = FeeTerms { periods: 1, in_advance: true };

    /// What the documents of so many periods charge, each followed by another.
    fn documents(mut fee: PeriodFee, terms: FeeTerms, count: usize) -> Vec<u64> {
        let next = terms.in_advance.then(|| cents(8_700));
        let mut due = Vec::new();
        for _ in 0..count {
            due.push(fee.due_with(cents(8_700), next, false).unwrap().get());
            fee = fee.following(terms, cents(8_700));
        }
        due
    }

    #[test]
    fn a_years_fee_comes_once_in_twelve_documents() {
        let mut wanted = [[0; 11].as_slice(), &[8_700]].concat();
        assert_eq!(documents(PeriodFee::first(YEARLY, cents(8_700)), YEARLY, 12), wanted);
        let terms = FeeTerms { in_advance: true, ..YEARLY };
        wanted.insert(0, 8_700);
        assert_eq!(documents(PeriodFee::none(cents(8_700)), terms, 13), wanted);
    }

    #[test]
    fn a_fee_in_advance_comes_with_the_document_before() {
        assert_eq!(documents(PeriodFee::none(cents(8_700)), ADVANCE, 3), [8_700; 3]);
        let paid = PeriodFee::first(ADVANCE, cents(8_700));
        assert_eq!(
            paid.due_with(cents(8_700), Some(cents(8_700)), true),
            Ok(Cents::ZERO),
            "nothing comes after the end"
        );
        let unpaid = PeriodFee::first(FeeTerms::ARREARS, cents(5));
        assert_eq!(unpaid.due_with(cents(5), Some(cents(7)), false), Ok(cents(12)), "a move from arrears to advance");
        assert_eq!(paid.due_with(cents(5), None, false), Ok(Cents::ZERO), "a move from advance to arrears");
    }

    #[test]
    fn an_introductory_fee_is_that_of_the_first_ones() {
        let mut intro = IntroFee { amount_cents: cents(100), left: 2 };
        let taken = [900, 90, 900].map(|fee| intro.take(cents(fee)));
        assert_eq!(taken, [Some(cents(100)), Some(cents(90)), None], "no more than the fee itself");
        let fee = PeriodFee { intro: Some(cents(100)), ..PeriodFee::first(YEARLY, cents(900)) };
        let last = (0..11).fold(fee, |fee, _| fee.following(YEARLY, cents(900)));
        assert_eq!((last.own(cents(900)), last.is_last()), (cents(100), true), "of all periods that it is for");
        assert_eq!(last.following(YEARLY, cents(900)).own(cents(900)), cents(900));
        let month = PeriodFee { intro: Some(cents(100)), ..PeriodFee::first(FeeTerms::ARREARS, cents(900)) };
        assert_eq!(month.spend(cents(900), cents(100), Nanos::ZERO), Ok(cents(100).nanos()));
    }

    #[test]
    fn what_a_fee_has_come_to_is_known_over_all_its_periods_and_begins_anew_with_the_next() {
        let fee = PeriodFee { intro: Some(cents(700)), ..PeriodFee::first(YEARLY, cents(900)) };
        let fee = fee.moved_by(Nanos::new(-4)).unwrap().following(YEARLY, cents(900)).moved_by(Nanos::new(1)).unwrap();
        let so_far = |fee: PeriodFee| fee.so_far(cents(900), Nanos::new(-7)).unwrap().map(Nanos::get);
        assert_eq!(so_far(fee), Some(7_000_000_000 - 7 - 3));
        assert_eq!(so_far(PeriodFee { moved: None, ..fee }.moved_by(Nanos::new(5)).unwrap()), None);
        let next = (0..11).fold(fee, |fee, _| fee.following(YEARLY, cents(900)));
        assert_eq!(so_far(next), Some(9_000_000_000 - 7));
        let before: PeriodFee = serde_json::from_str(r#"{"periods":1,"left":0,"isPaid":false,"due":5}"#).unwrap();
        assert_eq!(before.moved, None, "written before it was noted");
    }

    #[test]
    fn an_end_owes_what_was_put_off() {
        let early = PeriodFee::first(YEARLY, cents(8_700));
        assert_eq!(early.due_with(cents(8_700), None, true), Ok(cents(8_700)));
        let early = PeriodFee::first(FeeTerms { in_advance: true, ..YEARLY }, cents(8_700));
        assert_eq!(early.due_with(cents(8_700), None, true), Ok(Cents::ZERO));
        assert_eq!(PeriodFee::none(cents(8_700)).due_with(cents(8_700), None, true), Ok(Cents::ZERO), "in a trial");
        let most = Cents::try_from(9_007_199_254_740_991).unwrap();
        assert!(PeriodFee::first(FeeTerms::ARREARS, most).due_with(most, Some(most), false).is_err());
    }

    #[test]
    fn what_counts_for_the_bounds_is_the_periods_own_fee() {
        let none = PeriodFee::none(cents(5)).spend(cents(5), cents(5), Nanos::ZERO);
        assert_eq!(none, Ok(Nanos::ZERO));
        let whole = PeriodFee::first(ADVANCE, cents(5)).spend(cents(5), cents(9), Nanos::new(-3));
        assert_eq!(whole, Ok(Nanos::new(50_000_000)), "its adjustment is counted beside it");
        let part = PeriodFee::first(YEARLY, cents(5)).spend(cents(9), cents(1), Nanos::new(-3));
        assert_eq!(
            part,
            Ok(Nanos::new(833_333 + 3)),
            "a twelfth, and no part of what is posted for the rest of the year"
        );
    }
}
