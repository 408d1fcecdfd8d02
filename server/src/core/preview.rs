//! The bill preview: what the invoicing engine says of the open period, shown as the served plan allows.

use super::error::CoreError;
use super::model::{Id, Projection, StoredPeriod, Subscription};
use super::{Core, account, subscriptions};
use crate::store::{Connection, Mode, Store, Tx};
use jiff::Timestamp;
use svc_engine::manifest::ir::{Currency, Disclosure};
use svc_engine::money::bill::{self, Bill, BillWindow, Position, Preview};
use svc_engine::money::funding::Bucket;

impl<S: Store> Core<S> {
    /// A subject's preview at `now`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business or a subject without a live subscription; [`CoreError::Store`].
    pub async fn preview(&self, business: &Id, subject: &str, now: Timestamp) -> Result<Preview, CoreError> {
        let no_bill = || CoreError::NotFound("there is no bill to preview");
        let mut tx = self.store.begin(Mode::Read).await?;
        let found = tx.live_subscription(business, subject).await?.ok_or_else(no_bill)?;
        if found.next_due_at.is_some_and(|due| due > now) {
            return show(&mut tx, &found, now).await;
        }
        // Time has passed over the subscription: settle first, then show what is.
        drop(tx);
        let mut tx = self.store.begin(Mode::Write).await?;
        let account = subscriptions::lock_live(&mut tx, business, subject, now).await?;
        let Some(account) = account else {
            tx.commit().await?;
            return Err(no_bill());
        };
        let subscription = account.subscription.clone();
        account.save(&mut tx).await?;
        let preview = show(&mut tx, &subscription, now).await?;
        tx.commit().await?;
        Ok(preview)
    }
}

async fn show<C: Connection>(tx: &mut Tx<C>, subscription: &Subscription, now: Timestamp) -> Result<Preview, CoreError> {
    let projection = account::served_projection(tx, subscription).await?;
    // Rule 3: whatever is missing or altered, nothing of money is shown.
    let disclosure =
        projection.as_ref().map_or(Disclosure::Opaque, |projection| projection.plan.spend_policy.disclosure);
    let missing = || CoreError::Internal("a subscription's open period is missing".to_owned());
    let period = tx.period(&subscription.id, subscription.period).await?.ok_or_else(missing)?;
    let buckets = tx.buckets(&subscription.id, period.start).await?;
    Ok(bill::preview(compute(tx, &period, projection.as_ref(), buckets, now).await?, disclosure))
}

/// The bill of a period. Preview and invoice both come from here.
pub(crate) async fn compute<C: Connection>(
    tx: &mut Tx<C>,
    period: &StoredPeriod,
    projection: Option<&Projection>,
    buckets: Vec<Bucket>,
    at: Timestamp,
) -> Result<Bill, CoreError> {
    let windows = tx.windows(&period.subscription, period.index).await?;
    let windows = windows.into_iter().map(|window| BillWindow {
        window_id: window.id.to_string(),
        window_start: window.start,
        window_end: window.end,
        charge_count: window.charge_count,
        rated_nanos: window.rated,
    });
    let position = Position {
        currency: projection.map_or(Currency::Usd, |projection| projection.plan.currency),
        recurring_fee_cents: period.recurring_fee_cents,
        windows: windows.collect(),
        totals: period.totals,
        buckets,
    };
    Ok(bill::bill(position, at)?)
}
