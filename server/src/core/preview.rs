//! The bill preview: what the invoicing engine says of the open period, shown as the served plan allows.

use super::Core;
use super::error::CoreError;
use super::model::{Id, Projection, Subscription};
use super::settlement;
use crate::store::{Mode, Store, Tx};
use jiff::Timestamp;
use svc_engine::manifest::ir::{Currency, Disclosure};
use svc_engine::money::bill::{self, Bill, BillWindow, Position, Preview};
use svc_engine::money::funding::Bucket;
use svc_engine::money::period::Period;

impl<S: Store> Core<S> {
    /// A subject's preview at `now`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business or a subject without a live subscription; [`CoreError::Store`].
    pub async fn preview(&self, business: &Id, subject: &str, now: Timestamp) -> Result<Preview, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        let open = open_period(&mut tx, business, subject, now).await?;
        if !settlement::is_due(&open.subscription, open.period, &open.buckets, now) {
            return show(&mut tx, open, now).await;
        }
        // Time has passed over the subscription: settle first, then show what is.
        drop(tx);
        let mut tx = self.store.begin(Mode::Write).await?;
        let mut open = open_period(&mut tx, business, subject, now).await?;
        let OpenPeriod { subscription, projection, period, buckets } = &mut open;
        settlement::settle(&mut tx, subscription, projection.as_ref(), *period, buckets, now).await?;
        let preview = show(&mut tx, open, now).await?;
        tx.commit().await?;
        Ok(preview)
    }
}

/// A subscription at a moment.
struct OpenPeriod {
    subscription: Subscription,
    projection: Option<Projection>,
    period: Period,
    buckets: Vec<Bucket>,
}

async fn open_period<T: Tx>(tx: &mut T, business: &Id, subject: &str, now: Timestamp) -> Result<OpenPeriod, CoreError> {
    let found = tx.live_subscription(business, subject).await?;
    let subscription = found.ok_or(CoreError::NotFound("there is no bill to preview"))?;
    let period = settlement::period(&subscription, now)?;
    let projection = settlement::served_projection(tx, &subscription).await?;
    let buckets = tx.buckets(&subscription.id, period.start).await?;
    Ok(OpenPeriod { subscription, projection, period, buckets })
}

async fn show<T: Tx>(tx: &mut T, open: OpenPeriod, now: Timestamp) -> Result<Preview, CoreError> {
    // Rule 3: whatever is missing or altered, nothing of money is shown.
    let disclosure =
        open.projection.as_ref().map_or(Disclosure::Opaque, |projection| projection.plan.spend_policy.disclosure);
    Ok(bill::preview(compute(tx, open, now).await?, disclosure))
}

/// The bill of the open period.
async fn compute<T: Tx>(tx: &mut T, open: OpenPeriod, now: Timestamp) -> Result<Bill, CoreError> {
    let OpenPeriod { subscription, projection, period, buckets } = open;
    let windows = tx.windows(&subscription.id, period.index).await?;
    let totals = tx.period_totals(&subscription.id, period.index).await?;
    let windows = windows.into_iter().map(|window| BillWindow {
        window_id: window.id.to_string(),
        window_start: window.start,
        window_end: window.end,
        charge_count: window.charge_count,
        rated_nanos: window.rated,
    });
    let position = Position {
        currency: projection.map_or(Currency::Usd, |projection| projection.plan.currency),
        recurring_fee_cents: subscription.recurring_fee_cents,
        windows: windows.collect(),
        funded: totals.funded,
        receivable: totals.receivable,
        buckets,
    };
    Ok(bill::bill(position, now)?)
}
