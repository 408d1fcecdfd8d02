//! The rating of a stored period, and what time makes of it where levels last.

use crate::error::CoreError;
use crate::releases;
use crate::terms::Terms;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_engine::manifest::ir::{BillingInterval, GrantKind};
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::SpendBounds;
use svc_engine::money::bucket::Bucket;
use svc_engine::money::funding::{self, Change, Payment, Reach};
use svc_engine::money::ledger::Transaction;
use svc_engine::money::level::Weighing;
use svc_engine::money::rating::{Levels, PeriodRating};
use svc_engine::money::scope;
use svc_store::records::{Id, StoredPeriod, StoredWindow};
use svc_store::{Connection, Tx};

/// The moment before one, to the microsecond: who could pay then pays for what lasted up to it.
pub(crate) fn just_before(at: Timestamp) -> Timestamp {
    at.checked_sub(SignedDuration::from_micros(1)).unwrap_or(at)
}

/// By what a period weights levels that last.
pub(crate) fn weighing(period: &StoredPeriod, interval: BillingInterval) -> Result<Weighing, CoreError> {
    Ok(Weighing::of(period.charged_time().period, period.fee, interval)?)
}

/// A period without windows, to be rated by its time.
pub(crate) fn empty(period: &StoredPeriod, terms: Option<&Terms>) -> Result<PeriodRating, CoreError> {
    let Some(terms) = terms else { return Ok(PeriodRating::default()) };
    Ok(PeriodRating::timed(weighing(period, terms.plan.period_interval())?))
}

/// A period's windows, rated from the levels that are kept of them.
pub(crate) async fn period_rating<C: Connection>(
    tx: &mut Tx<C>,
    period: &StoredPeriod,
    windows: &[StoredWindow],
) -> Result<PeriodRating, CoreError> {
    let mut levels = tx.levels(&period.subscription, period.index).await?;
    rating_of(tx, period, (windows, None), &mut levels).await
}

/// Terms that are known already, and of what.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    pub(crate) release: &'k Id,
    pub(crate) plan: &'k str,
    pub(crate) terms: &'k Arc<Terms>,
}

impl Known<'_> {
    fn of(&self, window: &StoredWindow) -> Option<Arc<Terms>> {
        (window.release == *self.release && window.plan == self.plan).then(|| Arc::clone(self.terms))
    }
}

/// The same, from these levels; the terms of windows that are not of what is known are read.
pub(crate) async fn rating_of<C: Connection>(
    tx: &mut Tx<C>,
    period: &StoredPeriod,
    (windows, known): (&[StoredWindow], Option<Known<'_>>),
    levels: &mut BTreeMap<Id, Levels>,
) -> Result<PeriodRating, CoreError> {
    let mut rating = PeriodRating::default();
    for (place, window) in windows.iter().enumerate() {
        let terms = match known.and_then(|known| known.of(window)) {
            Some(terms) => terms,
            None => releases::of_window(tx, window).await?,
        };
        if place == 0 {
            rating = empty(period, Some(&terms))?;
        }
        rating.reopen(terms.card(), levels.remove(&window.id).unwrap_or_default(), window.rated_until)?;
    }
    Ok(rating)
}

/// A period whose levels go on holding.
pub(crate) struct Holding<'p> {
    pub(crate) period: &'p mut StoredPeriod,
    /// Its windows, oldest first.
    pub(crate) windows: &'p mut [StoredWindow],
    pub(crate) buckets: &'p mut [Bucket],
    /// What its last window is served under.
    pub(crate) terms: &'p Terms,
}

impl Holding<'_> {
    /// Lets levels of the last window hold up to a moment, where it is not rated up to then already. Who pays is who could at `paid_at`; what
    /// passes the plan's bound is not billed, since time can't be refused. Returns by how much that changes what is rated, and what it posts, which
    /// is not in the period's sums yet.
    pub(crate) fn until(
        &mut self,
        rating: &mut PeriodRating,
        until: Timestamp,
        paid_at: Timestamp,
    ) -> Result<(Nanos, Option<Transaction>), CoreError> {
        let until = until.min(self.period.end);
        let place = self.windows.len().saturating_sub(1);
        let Some(window) = self.windows.last_mut() else { return Ok((Nanos::ZERO, None)) };
        if window.rated_until.is_some_and(|rated| until <= rated) {
            return Ok((Nanos::ZERO, None));
        }
        let parts = scope::parts_of(self.buckets.iter());
        let before = (!parts.is_empty()).then(|| rating.clone());
        let amount = rating.pass(place, until)?;
        let parts = before.map(|before| scope::between(parts, &before, rating)).transpose()?.unwrap_or_default();
        window.rated_until = Some(until);
        window.rated = rating.windows().last().map_or(Ok(window.rated), svc_engine::money::rating::Window::rated)?;
        let bounds = SpendBounds::of(&self.terms.plan, self.period.own_most_cents);
        let payment = Payment {
            change: Change::Time { window: window.id.as_str(), amount },
            now: paid_at,
            usage: self.period.totals.usage,
            limit: bounds.limit(self.period.spend_fee()?, self.period.totals)?.never_refusing(),
            parts: &parts,
            reach: Reach::Rise,
        };
        Ok((amount, funding::pay(&payment, self.buckets, &mut [])?))
    }

    /// The same up to now, with what it posts in the period's sums: what whoever writes next will find, for those who only read.
    pub(crate) fn up_to_now(&mut self, rating: &mut PeriodRating, now: Timestamp) -> Result<(), CoreError> {
        let (release, plan) = (&self.period.release, &self.period.plan);
        let is_open = |window: &StoredWindow| window.release == *release && window.plan == *plan;
        let is_held = self.windows.last().is_some_and(|window| is_open(window) && window.end == self.period.end);
        if !is_held || !self.terms.card().has_lasting() {
            return Ok(());
        }
        let (_, transaction) = self.until(rating, now, now)?;
        if let Some(transaction) = transaction {
            let bought = |bucket: &&Bucket| bucket.kind == GrantKind::Prepaid;
            let is_bought = |id: &str| self.buckets.iter().filter(bought).any(|bucket| bucket.id == id);
            self.period.totals = self.period.totals.with(&transaction, is_bought)?;
        }
        Ok(())
    }
}
