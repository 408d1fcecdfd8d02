//! The bill preview: what the invoicing engine says of the open period, shown as the served plan allows.

use crate::core::Core;
use crate::error::CoreError;
use crate::period_ratings::{self, Holding};
use crate::preview_memory::Kept;
use crate::shown_preview::ShownPreview;
use crate::subscriptions;
use crate::terms::Terms;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;
use svc_engine::manifest::ir::{Currency, Disclosure};
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::{self, Bill, BillWindow, PeriodMoney, SpendBounds};
use svc_engine::money::bucket::Bucket;
use svc_store::positions::StoredPosition;
use svc_store::records::{Id, Projection, StoredPeriod, StoredWindow};
use svc_store::{Connection, Mode, Store, StoreError, Tx};

impl<S: Store> Core<S> {
    /// A subject's preview at `now`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business or a subject without a live subscription; [`CoreError::Store`].
    pub async fn preview(&self, business: &Id, subject: &str, now: Timestamp) -> Result<Arc<ShownPreview>, CoreError> {
        match self.preview_again(business, subject, now).await? {
            Some(shown) => Ok(shown),
            None => self.preview_anew(business, subject, now).await,
        }
    }

    /// What was shown of a subject last, where it is still what there is at `now`; nothing where it is not, or is not kept any more. All of a
    /// business who ask at once have one connection to the store between them.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn preview_again(
        &self,
        business: &Id,
        subject: &str,
        now: Timestamp,
    ) -> Result<Option<Arc<ShownPreview>>, CoreError> {
        let Some(kept) = self.previews.kept(business, subject, now) else { return Ok(None) };
        // Whether anything has happened since, here or at another server.
        match self.looks.version_of(&self.store, business, subject).await {
            Ok(version) => Ok((version.as_ref() == Some(&kept.version)).then(|| Arc::clone(&kept.preview))),
            // Stopped by the database in favour of another: it says nothing, and all is read.
            Err(CoreError::Store(StoreError::Conflict(_))) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A subject's preview at `now`, whatever was shown before.
    ///
    /// # Errors
    /// As [`Core::preview`].
    pub async fn preview_anew(
        &self,
        business: &Id,
        subject: &str,
        now: Timestamp,
    ) -> Result<Arc<ShownPreview>, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::ReadOnce).await?;
                let no_bill = || CoreError::NotFound("there is no bill to preview");
                let mut position = tx.position_of(business, subject).await?.ok_or_else(no_bill)?;
                let due = position.next_due_at.filter(|due| *due > now);
                let is_settled = due.is_some();
                let served = served_by(&position);
                let takes_more = |terms: &Terms| has_leasts(terms) || terms.card().has_lasting();
                if is_settled && !served.as_deref().is_some_and(takes_more) {
                    // What a miss shows is not kept.
                    let version = position.version.take().zip(due).filter(|_| served.is_some());
                    let preview = Self::show(position, projection(served.as_deref()), Nanos::ZERO, now)?;
                    if let Some((version, due)) = version {
                        self.previews.keep(business, subject, Kept::of(version, &preview, now, due));
                    }
                    return Ok(preview);
                }
                if is_settled {
                    // What meters come to by themselves takes more than one query, of one state.
                    let mut tx = self.store.begin(Mode::Read).await?;
                    let mut position = tx.position_of(business, subject).await?.ok_or_else(no_bill)?;
                    let served = served_by(&position);
                    let leasts = match &served {
                        Some(terms) => as_held(&mut tx, &mut position, terms, now).await?,
                        None => Nanos::ZERO,
                    };
                    return Self::show(position, projection(served.as_deref()), leasts, now);
                }
                // Time has passed over the subscription: settle first, then show what is.
                drop(tx);
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                if let Some(locked) = subscriptions::lock_live(&mut tx, business, subject, now).await? {
                    locked.save(&mut tx).await?;
                }
                let position = tx.position_of(business, subject).await?;
                let served = position.as_ref().and_then(served_by);
                let leasts = match &position {
                    Some(position) => {
                        leasts(&mut tx, &position.period, projection(served.as_deref()), &position.windows).await?
                    }
                    None => Nanos::ZERO,
                };
                tx.commit().await?;
                Self::show(position.ok_or_else(no_bill)?, projection(served.as_deref()), leasts, now)
            })
        })
        .await
    }

    fn show(
        position: StoredPosition,
        projection: Option<&Projection>,
        leasts: Nanos,
        now: Timestamp,
    ) -> Result<Arc<ShownPreview>, CoreError> {
        let StoredPosition { period, windows, buckets, .. } = position;
        // Rule 3: whatever is missing or altered, nothing of money is shown.
        let disclosure =
            // INVARIANT 8: a lookup that missed shows the opaque shape.
            projection.map_or(Disclosure::Opaque, |projection| projection.plan.spend_policy.disclosure);
        let preview = bill::preview(compute(&period, projection, windows, buckets, leasts, now)?, disclosure);
        Ok(Arc::new(ShownPreview::of(preview)))
    }
}

/// Lets levels that last hold up to now, as whoever writes next will, without writing anything. Returns what the leasts of meters add then.
async fn as_held<C: Connection>(
    tx: &mut Tx<C>,
    position: &mut StoredPosition,
    terms: &Terms,
    now: Timestamp,
) -> Result<Nanos, CoreError> {
    let StoredPosition { period, windows, buckets, .. } = position;
    let mut rating = period_ratings::period_rating(tx, period, windows).await?;
    Holding { period, windows, buckets, terms }.up_to_now(&mut rating, now)?;
    if !has_leasts(terms) {
        return Ok(Nanos::ZERO);
    }
    Ok(bill::short_of_leasts(&terms.plan, &rating, period.charged_time(), period.end)?)
}

/// What a position is served under, verified; nothing when any lookup missed.
fn served_by(position: &StoredPosition) -> Option<Arc<Terms>> {
    let (body, hash) = position.projection.as_ref()?;
    Terms::intact(body, hash)
}

fn projection(served: Option<&Terms>) -> Option<&Projection> {
    served.map(Deref::deref)
}

/// Whether meters of a plan have a least of their own.
fn has_leasts(projection: &Projection) -> bool {
    projection.plan.meters.iter().any(|price| price.bounds().0.is_some())
}

/// What the leasts of meters add to a period as it stands. Only where there are some is anything read.
pub(crate) async fn leasts<C: Connection>(
    tx: &mut Tx<C>,
    period: &StoredPeriod,
    projection: Option<&Projection>,
    windows: &[StoredWindow],
) -> Result<Nanos, CoreError> {
    let Some(projection) = projection.filter(|projection| has_leasts(projection)) else { return Ok(Nanos::ZERO) };
    let rating = period_ratings::period_rating(tx, period, windows).await?;
    Ok(bill::short_of_leasts(&projection.plan, &rating, period.charged_time(), period.end)?)
}

/// The bill of a period. Preview and invoice both come from here.
pub(crate) fn compute(
    period: &StoredPeriod,
    projection: Option<&Projection>,
    windows: Vec<StoredWindow>,
    buckets: Vec<Bucket>,
    leasts: Nanos,
    at: Timestamp,
) -> Result<Bill, CoreError> {
    let windows = windows.into_iter().map(|window| BillWindow {
        window_id: window.id.to_string(),
        window_start: window.start,
        window_end: window.end,
        charge_count: window.charge_count,
        rated_nanos: window.rated,
    });
    let true_up = match projection {
        Some(projection) => {
            let (fee, totals) = (period.spend_fee()?, period.totals);
            let bounds = SpendBounds::of(&projection.plan, period.own_most_cents);
            bounds.true_up(period.charged_time(), period.end, fee, totals, leasts)?
        }
        None => Nanos::ZERO,
    };
    let position = PeriodMoney {
        currency: projection.map_or(Currency::Usd, |projection| projection.plan.currency),
        recurring_fee_cents: period.recurring_fee_cents,
        windows: windows.collect(),
        totals: period.totals,
        true_up,
        buckets,
    };
    Ok(bill::bill(position, at)?)
}
