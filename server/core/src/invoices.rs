//! Closing periods: each ended period becomes one invoice, once.

use crate::core::Core;
use crate::error::CoreError;
use crate::ids::new_id;
use crate::{businesses, preview, releases, subscriptions};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value as Json;
use svc_engine::money::bill::{self, Bill, BillWindow, Invoice, SpendBounds};
use svc_store::records::{Entry, Id, Projection, StoredInvoice, StoredPeriod};
use svc_store::{Connection, Mode, Store, Tx};

/// A period's invoice, closed or as it would be.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PeriodInvoice {
    /// Its id; nothing before it is closed.
    pub invoice_id: Option<Id>,
    /// The subscription.
    pub subscription_id: Id,
    /// The subscriber.
    pub subject: String,
    /// How many periods came before it.
    pub period: u32,
    /// First moment of the period.
    pub period_start: Timestamp,
    /// First moment after it.
    pub period_end: Timestamp,
    /// What is owed.
    #[serde(flatten)]
    pub invoice: Invoice,
    /// The period's windows.
    pub windows: Vec<BillWindow>,
}

/// What closing did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// The invoices of ended periods, oldest first.
    pub invoices: Vec<PeriodInvoice>,
    /// Subscriptions that could not be closed; the server's log says why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Id>,
    /// In a dry run: what the open periods would come to if they ended now. They are not closed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<PeriodInvoice>,
}

impl<S: Store> Core<S> {
    /// Closes every ended period of a subscription, or of all of the business's. A dry run closes none, and says what it would
    /// do from the very same state.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business or subscription; [`CoreError::Store`]. Of all of a business's, those that can't
    /// be closed are in [`Closed::failed`]; the same request again closes them.
    pub async fn close_invoices(
        &self,
        business: &Id,
        subscription: Option<&Id>,
        dry_run: bool,
        now: Timestamp,
    ) -> Result<Closed, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let ids = match subscription {
            Some(id) => vec![id.clone()],
            None => tx.subscriptions(business).await?.into_iter().map(|subscription| subscription.id).collect(),
        };
        drop(tx);
        let mut all = Closed::default();
        for id in ids {
            let id = &id;
            let closing = self.again(move || {
                Box::pin(async move {
                    let mut tx = self.store.begin(Mode::Write).await?;
                    let closed = close(&mut tx, business, id, dry_run, now).await?;
                    if !dry_run {
                        tx.commit().await?;
                    }
                    Ok(closed)
                })
            });
            let closed = match closing.await {
                Ok(closed) => closed,
                // One that can't be closed, for whatever cause, does not hold up the others.
                Err(error) if subscription.is_none() => {
                    tracing::error!(%error, subscription = %id, "not closed");
                    all.failed.push(id.clone());
                    continue;
                }
                Err(error) => return Err(error),
            };
            all.invoices.extend(closed.invoices);
            all.open.extend(closed.open);
        }
        Ok(all)
    }
}

impl<S: Store> Core<S> {
    /// The invoices of a subscription, oldest first, as they were closed.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn invoices(&self, business: &Id, subscription: &Id) -> Result<Vec<Json>, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        let known = tx.subscription(business, subscription).await?;
        known.ok_or(CoreError::NotFound("there is no such subscription"))?;
        let parse = |invoice: StoredInvoice| serde_json::from_str(&invoice.body);
        let invoices = tx.invoices(subscription).await?.into_iter().map(parse).collect::<Result<_, _>>();
        invoices.map_err(|error| CoreError::Internal(error.to_string()))
    }
}

async fn close<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    id: &Id,
    dry_run: bool,
    now: Timestamp,
) -> Result<Closed, CoreError> {
    let locked = subscriptions::lock(tx, business, id, now).await?;
    let subject = locked.subscription.subject.clone();
    locked.save(tx).await?;
    let mut closed = Closed::default();
    for period in tx.periods(id).await?.into_iter().filter(|period| period.invoice.is_none()) {
        let has_ended = period.end <= now;
        if !has_ended && !dry_run {
            continue;
        }
        let (bill, invoice) = compute(tx, &period).await?;
        let mut shown = PeriodInvoice {
            invoice_id: None,
            subscription_id: id.clone(),
            subject: subject.clone(),
            period: period.index,
            period_start: period.start,
            period_end: period.end,
            invoice,
            windows: bill.windows,
        };
        if dry_run {
            if has_ended {
                closed.invoices.push(shown)
            } else {
                closed.open.push(shown)
            }
            continue;
        }
        let invoice_id = new_id("inv", now);
        shown.invoice_id = Some(invoice_id.clone());
        keep(tx, period, &invoice_id, &shown, now).await?;
        closed.invoices.push(shown);
    }
    Ok(closed)
}

/// The bill of a period at its end, in cents.
async fn compute<C: Connection>(tx: &mut Tx<C>, period: &StoredPeriod) -> Result<(Bill, Invoice), CoreError> {
    let stored = tx.served_projection(&period.release, &period.plan).await?;
    let projection: Projection = stored.as_ref().and_then(releases::verified).ok_or_else(|| {
        CoreError::Internal(format!("the projection that period {} ended under is missing or altered", period.index))
    })?;
    let windows = tx.windows(&period.subscription, period.index).await?;
    let bill = preview::compute(period, Some(&projection), windows, Vec::new(), period.end)?;
    let invoice = bill::invoice(&bill, SpendBounds::of(&projection.plan))?;
    Ok((bill, invoice))
}

/// Posts what closing posts, and keeps the invoice.
async fn keep<C: Connection>(
    tx: &mut Tx<C>,
    mut period: StoredPeriod,
    id: &Id,
    shown: &PeriodInvoice,
    now: Timestamp,
) -> Result<(), CoreError> {
    let mut entries = Vec::new();
    for transaction in shown.invoice.transactions(id.as_str())? {
        period.totals = period.totals.with(&transaction)?;
        entries.push(Entry { id: new_id("ltx", now), period: period.index, at: now, transaction });
    }
    period.invoice = Some(id.clone());
    tx.append(&period.subscription, &entries).await?;
    tx.put_period(&period).await?;
    let body = serde_json::to_string(shown).map_err(|error| CoreError::Internal(error.to_string()))?;
    let total_cents = shown.invoice.total_cents.0;
    let (id, subscription) = (id.clone(), period.subscription.clone());
    tx.insert_invoice(&StoredInvoice { id, subscription, period: period.index, closed_at: now, total_cents, body })
        .await?;
    Ok(())
}
