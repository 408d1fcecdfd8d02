//! The bill preview: what the invoicing engine says of the open period, shown as the served plan allows.

use crate::core::Core;
use crate::error::CoreError;
use crate::subscriptions;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;
use svc_engine::manifest::canonical;
use svc_engine::manifest::ir::{Currency, Disclosure};
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::{self, Bill, BillWindow, PeriodMoney, Preview, SpendBounds};
use svc_engine::money::bucket::Bucket;
use svc_store::positions::StoredPosition;
use svc_store::records::{Id, Projection, StoredPeriod, StoredWindow};
use svc_store::{Mode, Store};

impl<S: Store> Core<S> {
    /// A subject's preview at `now`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business or a subject without a live subscription; [`CoreError::Store`].
    pub async fn preview(&self, business: &Id, subject: &str, now: Timestamp) -> Result<Preview, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let no_bill = || CoreError::NotFound("there is no bill to preview");
                let mut tx = self.store.begin(Mode::ReadOnce).await?;
                let position = tx.position_of(business, subject).await?.ok_or_else(no_bill)?;
                if position.next_due_at.is_some_and(|due| due > now) {
                    return self.show(position, now);
                }
                // Time has passed over the subscription: settle first, then show what is.
                drop(tx);
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                if let Some(locked) = subscriptions::lock_live(&mut tx, business, subject, now).await? {
                    locked.save(&mut tx).await?;
                }
                let position = tx.position_of(business, subject).await?;
                tx.commit().await?;
                self.show(position.ok_or_else(no_bill)?, now)
            })
        })
        .await
    }

    fn show(&self, position: StoredPosition, now: Timestamp) -> Result<Preview, CoreError> {
        let StoredPosition { period, projection, windows, buckets, .. } = position;
        let projection = projection.and_then(|(body, hash)| self.intact(&body, hash));
        // Rule 3: whatever is missing or altered, nothing of money is shown.
        let disclosure =
            // INVARIANT 8: a lookup that missed shows the opaque shape.
            projection.as_ref().map_or(Disclosure::Opaque, |projection| projection.plan.spend_policy.disclosure);
        Ok(bill::preview(compute(&period, projection.as_deref(), windows, buckets, now)?, disclosure))
    }

    /// The projection of a text whose hash is this one. The text is hashed each time, and read once.
    fn intact(&self, body: &str, hash: String) -> Option<Arc<Projection>> {
        if canonical::hash_bytes(body.as_bytes()) != hash {
            return None;
        }
        if let Some(known) = self.projections.get(&hash) {
            return Some(known);
        }
        let projection: Arc<Projection> = Arc::new(serde_json::from_str(body).ok()?);
        self.projections.put(hash, Arc::clone(&projection));
        Some(projection)
    }
}

/// The bill of a period. Preview and invoice both come from here.
pub(crate) fn compute(
    period: &StoredPeriod,
    projection: Option<&Projection>,
    windows: Vec<StoredWindow>,
    buckets: Vec<Bucket>,
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
            let (fee, totals) = (period.recurring_fee_cents, period.totals);
            SpendBounds::of(&projection.plan).true_up(period.charged_time(), period.end, fee, totals)?
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
