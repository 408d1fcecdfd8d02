//! Billing periods: half-open stretches of UTC time, counted from a subscription's start.

use crate::manifest::ir::BillingInterval;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{Span, Timestamp};
use std::num::NonZeroU32;

/// A moment lies outside the calendar this service knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the moment lies outside the calendar, or before the subscription began")]
pub struct PeriodError;

/// `[start, end)` in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// How many periods came before it.
    pub index: u32,
    /// First moment.
    pub start: Timestamp,
    /// First moment of the next period.
    pub end: Timestamp,
}

impl Period {
    /// Length in microseconds of the part of the period that lies in `[from, to)`; 0 where they don't meet.
    pub fn overlap_micros(self, from: Timestamp, to: Timestamp) -> i128 {
        let (from, to) = (self.start.max(from), self.end.min(to));
        if from < to { i128::from(to.as_microsecond().abs_diff(from.as_microsecond())) } else { 0 }
    }

    /// Length in microseconds.
    pub fn micros(self) -> i128 {
        self.overlap_micros(self.start, self.end)
    }
}

/// From where a subscription's periods are counted.
///
/// Period n begins n intervals after the anchor, counted from the anchor itself: a month end that a short month clamps is
/// there again in the next long one (31 January, 28 February, 31 March).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// First moment of period `index`: the subscription's start, or where the length of its periods changed.
    pub start: Timestamp,
    /// The period that begins there; 0 but where the length changed.
    pub index: u32,
    /// How long a period is.
    pub interval: BillingInterval,
}

impl Anchor {
    /// First moment of period `index`.
    ///
    /// # Errors
    /// [`PeriodError`] beyond the year 9999, or for a period before the anchor.
    pub fn start_of(self, index: u32) -> Result<Timestamp, PeriodError> {
        let index = index.checked_sub(self.index).ok_or(PeriodError)?;
        let span = match self.interval {
            BillingInterval::Month => Span::new().try_months(index),
            BillingInterval::Year => Span::new().try_years(index),
        };
        let begin = Offset::UTC.to_datetime(self.start);
        let start = span.and_then(|span| begin.checked_add(span)).and_then(|start| Offset::UTC.to_timestamp(start));
        start.map_err(|_| PeriodError)
    }

    /// Period `index`.
    ///
    /// # Errors
    /// [`PeriodError`] beyond the year 9999.
    pub fn period(self, index: u32) -> Result<Period, PeriodError> {
        let next = index.checked_add(1).ok_or(PeriodError)?;
        Ok(Period { index, start: self.start_of(index)?, end: self.start_of(next)? })
    }

    /// The end of period `index`, or of so many after it.
    ///
    /// # Errors
    /// [`PeriodError`] beyond the year 9999.
    pub fn end_after(self, index: u32, more: Option<NonZeroU32>) -> Result<Timestamp, PeriodError> {
        let periods = more.map_or(0, NonZeroU32::get).checked_add(1).ok_or(PeriodError)?;
        self.start_of(index.checked_add(periods).ok_or(PeriodError)?)
    }

    /// The period that `moment` lies in.
    ///
    /// # Errors
    /// [`PeriodError`] before the anchor or beyond the year 9999.
    pub fn period_at(self, moment: Timestamp) -> Result<Period, PeriodError> {
        if moment < self.start {
            return Err(PeriodError);
        }
        let (from, to) = (Offset::UTC.to_datetime(self.start), Offset::UTC.to_datetime(moment));
        let calendar = |day: DateTime| match self.interval {
            BillingInterval::Month => i64::from(day.year()).checked_mul(12)?.checked_add(i64::from(day.month())),
            BillingInterval::Year => Some(i64::from(day.year())),
        };
        let passed = calendar(to).zip(calendar(from)).and_then(|(to, from)| to.checked_sub(from));
        // The moment's own calendar month (or year) is the period's, or the one before where the anchor's day is still to come.
        let passed = passed.and_then(|passed| u32::try_from(passed).ok()).ok_or(PeriodError)?;
        let mut index = passed.checked_add(self.index).ok_or(PeriodError)?;
        if self.start_of(index)? > moment {
            index = index.checked_sub(1).ok_or(PeriodError)?;
        }
        self.period(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn monthly(start: &str) -> Anchor {
        Anchor { index: 0, start: at(start), interval: BillingInterval::Month }
    }

    #[test]
    fn month_end_anchor_recovers_after_a_short_month() {
        let anchor = monthly("2026-03-31T00:00:00Z");
        let starts: Vec<String> = (1..4).map(|n| anchor.start_of(n).unwrap().to_string()).collect();
        assert_eq!(starts, ["2026-04-30T00:00:00Z", "2026-05-31T00:00:00Z", "2026-06-30T00:00:00Z"]);
        let anchor = monthly("2026-01-31T09:30:00Z");
        assert_eq!(anchor.start_of(1).unwrap(), at("2026-02-28T09:30:00Z"));
        assert_eq!(anchor.start_of(2).unwrap(), at("2026-03-31T09:30:00Z"));
    }

    #[test]
    fn periods_are_half_open() {
        let anchor = monthly("2026-02-01T00:00:00Z");
        assert_eq!(anchor.period_at(at("2026-02-28T23:59:59.999999Z")).unwrap().index, 0);
        assert_eq!(anchor.period_at(at("2026-03-01T00:00:00Z")).unwrap().index, 1);
        assert_eq!(anchor.period_at(at("2026-01-31T23:59:59Z")), Err(PeriodError));
    }

    #[test]
    fn every_moment_lies_in_exactly_the_period_found() {
        for start in ["2024-01-31T12:00:00Z", "2024-02-29T00:00:00Z", "2023-12-01T23:59:59.999999Z"] {
            for interval in [BillingInterval::Month, BillingInterval::Year] {
                let anchor = Anchor { index: 0, start: at(start), interval };
                for hours in (0..24 * 1500).step_by(5) {
                    let moment = anchor.start.checked_add(jiff::SignedDuration::from_hours(hours)).unwrap();
                    let period = anchor.period_at(moment).unwrap();
                    assert!(period.start <= moment && moment < period.end, "{start} {interval:?} {moment} {period:?}");
                }
            }
        }
    }

    #[test]
    fn leap_day_years_clamp() {
        let anchor = Anchor { index: 0, start: at("2024-02-29T00:00:00Z"), interval: BillingInterval::Year };
        assert_eq!(anchor.start_of(1).unwrap(), at("2025-02-28T00:00:00Z"));
        assert_eq!(anchor.start_of(4).unwrap(), at("2028-02-29T00:00:00Z"));
    }

    #[test]
    fn a_later_anchor_goes_on_counting() {
        let anchor = Anchor { start: at("2026-03-31T00:00:00Z"), index: 2, interval: BillingInterval::Year };
        assert_eq!(anchor.period_at(at("2028-01-01T00:00:00Z")).unwrap().index, 3);
        assert_eq!(anchor.start_of(2).unwrap(), at("2026-03-31T00:00:00Z"));
        assert_eq!(anchor.start_of(1), Err(PeriodError));
    }

    #[test]
    fn overlaps_are_clamped_to_the_period() {
        let period = monthly("2026-02-01T00:00:00Z").period(0).unwrap();
        let day = 86_400_000_000;
        assert_eq!(period.micros(), 28 * day);
        assert_eq!(period.overlap_micros(at("2026-01-01T00:00:00Z"), at("2026-02-03T00:00:00Z")), 2 * day);
        assert_eq!(period.overlap_micros(at("2026-03-01T00:00:00Z"), at("2026-04-03T00:00:00Z")), 0);
    }
}
