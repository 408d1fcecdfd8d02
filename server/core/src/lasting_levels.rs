//! What time does to a subscription's levels that last: they go on holding, under another plan and in another period too. Each time it is
//! an entry in the list that the period is rated from.

use crate::error::CoreError;
use crate::ids::new_id;
use crate::locked_subscription::LockedSubscription;
use crate::period_ratings::{self, Holding, Known};
use crate::terms::Terms;
use crate::watermarks;
use jiff::Timestamp;
use std::collections::BTreeMap;
use svc_engine::money::amount::Nanos;
use svc_engine::money::cell::Cell;
use svc_engine::money::rating::{Level, Levels, PeriodRating, Report, Window};
use svc_engine::money::units::Units;
use svc_store::records::{Charge, Id, StoredWindow, Subscription};
use svc_store::{Connection, Tx};

impl LockedSubscription {
    /// Whether it is served under terms by which levels last.
    pub(crate) fn has_lasting(&self) -> bool {
        self.projection.as_ref().is_some_and(|terms| terms.card().has_lasting())
    }

    /// Lets its levels hold up to a moment; who pays for that is who could at `paid_at`. Levels that are known are not read. Returns the
    /// rating of its windows then, where it was worked out.
    pub(crate) async fn hold_levels<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        until: Timestamp,
        paid_at: Timestamp,
        known: Option<BTreeMap<Id, Levels>>,
    ) -> Result<Option<PeriodRating>, CoreError> {
        let Some(terms) = self.projection.clone().filter(|terms| terms.card().has_lasting()) else { return Ok(None) };
        let (release, plan) = (&self.subscription.release, &self.subscription.plan);
        let is_served = |window: &&StoredWindow| window.release == *release && window.plan == *plan;
        let Some(window) = self.windows.last().filter(is_served).filter(|window| window.end >= until) else {
            return Ok(None);
        };
        if window.rated_until.is_some_and(|rated| until <= rated) {
            return Ok(None);
        }
        let mut rating = match known {
            Some(mut levels) => self.rating_of(tx, &mut levels).await?,
            None => self.rating(tx).await?,
        };
        let Some(cell) = rating.windows().last().and_then(first_lasting) else { return Ok(Some(rating)) };
        let with_included = |window: &Window| watermarks::of_meters_with_included(&terms.plan, window);
        let from = rating.windows().last().map(with_included).transpose()?.unwrap_or_default();
        let holding = &mut Holding {
            period: &mut self.period,
            windows: &mut self.windows,
            buckets: &mut self.buckets,
            terms: &terms,
        };
        let (amount, transaction) = holding.until(&mut rating, until, paid_at)?;
        let to = rating.windows().last().map(with_included).transpose()?.unwrap_or_default();
        let news = watermarks::of_included(&self.subscription, self.period.index, &terms.plan, &from, &to);
        self.news.extend(news.into_iter().map(|news| (until, news)));
        let Some(window) = self.windows.last().cloned() else { return Ok(None) };
        tx.put_window(&window).await?;
        if let Some(rated) = rating.windows().last() {
            tx.put_levels(&window, &rated.moved()).await?;
        }
        if let Some(transaction) = transaction {
            let position = self.period.entries;
            let entry = Charge {
                id: format!("time/{position}"),
                item: Charge::time_item(self.period.index, position),
                charge: amount,
                transaction: Some(self.post(transaction, until)?),
                ..self.own_entry(&window.id, cell, Units::ZERO, until)?
            };
            tx.insert_charges(&self.subscription.key(), &[entry]).await?;
        }
        Ok(Some(rating))
    }

    /// Its windows, rated from the levels that are kept of them.
    async fn rating<C: Connection>(&self, tx: &mut Tx<C>) -> Result<PeriodRating, CoreError> {
        let mut levels = tx.levels(&self.period.subscription, self.period.index).await?;
        self.rating_of(tx, &mut levels).await
    }

    /// The same, from these levels.
    async fn rating_of<C: Connection>(
        &self,
        tx: &mut Tx<C>,
        levels: &mut BTreeMap<Id, Levels>,
    ) -> Result<PeriodRating, CoreError> {
        period_ratings::rating_of(tx, &self.period, (&self.windows, self.known_terms()), levels).await
    }

    /// What it is served under.
    pub(crate) fn known_terms(&self) -> Option<Known<'_>> {
        let Subscription { release, plan, .. } = &self.subscription;
        self.projection.as_ref().map(|terms| Known { release, plan, terms })
    }

    /// The next entry of the open period's list that nobody sent.
    fn own_entry(&mut self, window: &Id, cell: Cell, units: Units, at: Timestamp) -> Result<Charge, CoreError> {
        let position = self.period.entries;
        let next = position.checked_add(1).ok_or_else(|| CoreError::out_of_range("a period's count of entries"))?;
        self.period.entries = next;
        Ok(Charge {
            period: self.period.index,
            position,
            voided_by: None,
            id: String::new(),
            item: String::new(),
            attempt: 1,
            window: window.clone(),
            cell,
            units,
            unique_key: None,
            admitted_at: at,
            occurred_at: None,
            charge: Nanos::ZERO,
            remainder: Nanos::ZERO,
            transaction: None,
        })
    }

    /// The levels that go on under what it is served under now.
    pub(crate) async fn held_levels<C: Connection>(&self, tx: &mut Tx<C>) -> Result<Levels, CoreError> {
        let Some(terms) = self.projection.as_ref().filter(|_| self.has_lasting() && !self.windows.is_empty()) else {
            return Ok(Levels::new());
        };
        let rating = self.rating(tx).await?;
        Ok(rating.windows().last().map(|window| window.held(&terms.card())).unwrap_or_default())
    }

    /// A window of the open period that begins at a moment because levels hold then.
    fn held_window(&self, at: Timestamp) -> StoredWindow {
        StoredWindow {
            id: new_id("win", self.now),
            subscription: self.subscription.key(),
            period: self.period.index,
            start: at,
            end: self.period.end,
            release: self.subscription.release.clone(),
            plan: self.subscription.plan.clone(),
            charge_count: 0,
            rated: Nanos::ZERO,
            rated_until: Some(at),
        }
    }

    /// Lets levels that were set go on under what it was moved to; where that has no such meter they end there, and a window says so.
    pub(crate) async fn go_on_under_move<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        at: Timestamp,
    ) -> Result<(), CoreError> {
        if at >= self.period.end || self.windows.is_empty() {
            return Ok(());
        }
        let rating = self.rating(tx).await?;
        if rating.windows().last().is_some_and(Window::has_held) {
            let window = self.held_window(at);
            tx.put_window(&window).await?;
            self.windows.push(window);
        }
        Ok(())
    }

    /// Sets the levels of all resources that its release prices to how many there are.
    pub(crate) async fn count_resources<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        at: Timestamp,
    ) -> Result<(), CoreError> {
        let Some(terms) = self.projection.clone().filter(|terms| !terms.resources.is_empty()) else { return Ok(()) };
        let Subscription { business, subject, .. } = self.subscription.clone();
        for resource in &terms.resources {
            // Under the count's lock, so that one that is changed at this moment is seen, or sees this.
            let count = tx.lock_resource_count((&business, &subject, resource.as_str())).await?;
            self.set_counts(tx, &[(resource.to_string(), count)], at).await?;
        }
        Ok(())
    }

    /// Sets the levels of resources to how many there are, from a moment on.
    pub(crate) async fn set_counts<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        counts: &[(String, u64)],
        at: Timestamp,
    ) -> Result<(), CoreError> {
        let Some(terms) = self.projection.clone().filter(|terms| !terms.resources.is_empty()) else { return Ok(()) };
        if at >= self.period.end {
            return Ok(());
        }
        for (resource, count) in counts {
            let known = terms.resources.iter().find(|known| known.as_str() == resource);
            let Some(cell) = known.cloned().map(Cell::from) else { continue };
            self.set_level(tx, &terms, (cell, Units::from_whole(*count)), at).await?;
        }
        Ok(())
    }

    /// Sets a level by an entry that nobody sent. It costs nothing by itself: only time does.
    async fn set_level<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        terms: &Terms,
        (cell, units): (Cell, Units),
        at: Timestamp,
    ) -> Result<(), CoreError> {
        let (release, plan) = (&self.subscription.release, &self.subscription.plan);
        let is_open =
            |window: &StoredWindow| window.release == *release && window.plan == *plan && window.end == self.period.end;
        let is_new = !self.windows.last().is_some_and(is_open);
        let mut windows = self.windows.clone();
        if is_new {
            windows.push(self.held_window(at));
        }
        let mut rating = match windows.is_empty() {
            true => period_ratings::empty(&self.period, Some(terms))?,
            false => period_ratings::period_rating(tx, &self.period, &windows).await?,
        };
        let place = windows.len().saturating_sub(1);
        let Some(window) = windows.last_mut() else { return Ok(()) };
        rating.pass(place, at)?;
        let level = rating.windows().last().map(|window| window.reached(&cell)).unwrap_or_default();
        if level.units == units {
            return Ok(());
        }
        let report = Report { units, is_new_key: false, at, around: None };
        let rated = rating.admit(place, &cell, report)?;
        if rated.charge != Nanos::ZERO || rated.remainder != Nanos::ZERO {
            return Err(CoreError::Internal("a count that has not held yet costs something".to_owned()));
        }
        window.rated_until = Some(window.rated_until.map_or(at, |rated| rated.max(at)));
        tx.put_window(window).await?;
        if let Some(rated) = rating.windows().last() {
            tx.put_levels(window, &rated.moved()).await?;
        }
        let position = self.period.entries;
        let entry = Charge {
            id: format!("counted/{position}"),
            item: Charge::counted_item(self.period.index, position),
            ..self.own_entry(&window.id, cell, units, at)?
        };
        tx.insert_charges(&self.subscription.key(), &[entry]).await?;
        self.windows = windows;
        Ok(())
    }

    /// Takes the levels over that the period before left. Zero is what a level is that nobody set.
    pub(crate) async fn carry_levels<C: Connection>(
        &mut self,
        tx: &mut Tx<C>,
        mut held: Levels,
        at: Timestamp,
    ) -> Result<(), CoreError> {
        held.retain(|_, level| level.units != Units::ZERO);
        let Some(terms) = self.projection.clone().filter(|_| !held.is_empty()) else { return Ok(()) };
        let window = self.held_window(at);
        let mut rating = period_ratings::empty(&self.period, Some(&terms))?;
        rating.open(terms.card(), Levels::new())?;
        let mut entries = Vec::with_capacity(held.len());
        for (cell, Level { units, as_of, .. }) in held {
            let occurred_at = as_of.unwrap_or(at);
            rating.admit(0, &cell, Report { units, is_new_key: false, at: occurred_at, around: None })?;
            entries.push(Charge {
                id: format!("carried/{cell}"),
                item: Charge::carried_item(self.period.index),
                occurred_at: Some(occurred_at),
                ..self.own_entry(&window.id, cell, units, at)?
            });
        }
        tx.put_window(&window).await?;
        if let Some(rated) = rating.windows().last() {
            tx.put_levels(&window, rated.levels()).await?;
        }
        self.windows.push(window);
        tx.insert_charges(&self.subscription.key(), &entries).await?;
        Ok(())
    }
}

/// A cell of a window whose level lasts.
fn first_lasting(window: &Window) -> Option<Cell> {
    window.end().into_keys().find(|cell| window.card().lasts(cell.meter()))
}
