//! Closing periods: each ended period becomes one invoice, once.

pub use crate::documents::DocumentKind;

use crate::audit_log::Deed;
use crate::core::Core;
use crate::error::CoreError;
use crate::events::{self, News};
use crate::ids::{LISTED_MAX, new_id, next_page};
use crate::terms::Terms;
use crate::{businesses, period_ratings, preview, releases, subscriptions};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::json;
use std::collections::BTreeMap;
use svc_engine::manifest::ir::Key;
use svc_engine::moment::Moment;
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::{self, BillWindow, Invoice, SignedCents};
use svc_engine::money::funding;
use svc_engine::money::ledger::{Cause, Transaction};
use svc_engine::money::rating::{self, CellTotal, PeriodRating};
use svc_engine::money::units::Units;
use svc_store::records::{Entry, Id, Projection, StoredInvoice, StoredPeriod, StoredWindow, SubscriptionKey};
use svc_store::{Connection, Mode, Store, Tx};

/// What one meter of one window came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceLine {
    /// The window.
    pub window_id: String,
    /// The meter.
    pub meter: Key,
    /// The values of its attributes; absent where it has none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by: BTreeMap<Key, String>,
    /// What was used: decimal text, negative where a level fell; of a level that lasts rounded down to a billionth.
    pub quantity: String,
    /// Units of the period that are free in this window's plan; those that earlier windows used count.
    pub included_units: Units,
    /// Units of the quantity that a pool made free; absent where none did.
    #[serde(skip_serializing_if = "Units::is_zero")]
    pub pooled_units: Units,
    /// What it costs, rounded down to a nano. A window's fractions are added up before they are rounded, so its lines may sum to a
    /// few nanos less than the window.
    pub rated_nanos: Nanos,
}

/// A period's invoice, closed or as it would be.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodInvoice {
    /// Its id; nothing before it is closed.
    pub invoice_id: Option<Id>,
    /// Its number among the business's invoices and credit notes, from 1 without gaps; nothing before it is closed.
    pub number: Option<u64>,
    /// Which document it is.
    pub kind: DocumentKind,
    /// The subscription.
    pub subscription_id: Id,
    /// The subscriber.
    pub subject: String,
    /// How many periods came before it.
    pub period: u32,
    /// First moment of the period.
    #[schemars(with = "Moment")]
    pub period_start: Timestamp,
    /// First moment after it.
    #[schemars(with = "Moment")]
    pub period_end: Timestamp,
    /// The plan at its end.
    pub plan: String,
    /// The plan's name.
    pub plan_name: String,
    /// What is owed.
    #[serde(flatten)]
    pub invoice: Invoice,
    /// What of a negative sum is taken off the next period instead, in cents: zero or less.
    pub carried_cents: SignedCents,
    /// The period's windows.
    pub windows: Vec<BillWindow>,
    /// What each meter of each window came to.
    pub lines: Vec<InvoiceLine>,
}

/// What closing did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
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

impl Closed {
    /// What each document came to.
    pub(crate) fn totals(&self) -> impl Iterator<Item = SignedCents> {
        self.invoices.iter().map(|closed| closed.invoice.total_cents)
    }
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
        drop(tx);
        if let Some(id) = subscription {
            return self.close_each(business, vec![id.clone()], false, (dry_run, now)).await;
        }
        let (mut all, mut after) = (Closed::default(), None);
        loop {
            let (page, next) = self.close_page(business, after.as_ref(), LISTED_MAX, dry_run, now).await?;
            all.invoices.extend(page.invoices);
            all.failed.extend(page.failed);
            all.open.extend(page.open);
            let Some(next) = next else { return Ok(all) };
            after = Some(next);
        }
    }

    /// As [`Core::close_invoices`] of all of a business's, for a page of its subscriptions, by id: at most `limit` of those after `after`.
    /// Returns where the next page begins, too.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn close_page(
        &self,
        business: &Id,
        after: Option<&Id>,
        limit: u32,
        dry_run: bool,
        now: Timestamp,
    ) -> Result<(Closed, Option<Id>), CoreError> {
        let limit = limit.clamp(1, LISTED_MAX);
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let page = tx.subscriptions_after(business, after.map_or("", Id::as_str), limit).await?;
        drop(tx);
        let next = next_page(&page, limit, |last| last.id.clone());
        let ids = page.into_iter().map(|subscription| subscription.id).collect();
        Ok((self.close_each(business, ids, true, (dry_run, now)).await?, next))
    }

    /// Closes each of these, in a transaction of its own. Where they are many, one that can't be closed holds up none of the others.
    async fn close_each(
        &self,
        business: &Id,
        ids: Vec<Id>,
        are_many: bool,
        (dry_run, now): (bool, Timestamp),
    ) -> Result<Closed, CoreError> {
        let mut all = Closed::default();
        for id in ids {
            let id = &id;
            let closing = self.again(move || {
                Box::pin(async move {
                    let _turn = self.turn_of(business, id).await?;
                    let mut tx = self.store.begin(Mode::Write).await?;
                    let closed = close(&mut tx, business, id, Closing { dry_run, ended_by: now, now }).await?;
                    if !dry_run {
                        self.note_closed(&mut tx, business, &closed, now).await?;
                        tx.commit().await?;
                    }
                    Ok(closed)
                })
            });
            let closed = match closing.await {
                Ok(closed) => closed,
                Err(error) if are_many => {
                    tracing::error!(%error, subscription = %id, "not closed");
                    all.failed.push(id.clone());
                    continue;
                }
                Err(error) => return Err(error),
            };
            if !dry_run {
                self.counters.closed(closed.totals());
            }
            all.invoices.extend(closed.invoices);
            all.open.extend(closed.open);
        }
        Ok(all)
    }

    /// Notes who closed what.
    pub(crate) async fn note_closed(
        &self,
        tx: &mut Tx<S::Connection>,
        business: &Id,
        closed: &Closed,
        now: Timestamp,
    ) -> Result<(), CoreError> {
        for invoice in &closed.invoices {
            let target = invoice.invoice_id.as_ref().map(Id::as_str);
            let detail = Some(json!({ "subscriptionId": invoice.subscription_id, "number": invoice.number }));
            self.note(tx, Deed { business: Some(business), action: "invoice.closed", target, detail }, now).await?;
        }
        Ok(())
    }
}

impl<S: Store> Core<S> {
    /// A page of the invoices of a subscription, oldest first, as they were closed, and where the next page begins: at most `limit` of
    /// those whose number follows `after`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn invoices(
        &self,
        business: &Id,
        subscription: &Id,
        after: u64,
        limit: u32,
    ) -> Result<(Vec<Json>, Option<u64>), CoreError> {
        let limit = limit.clamp(1, LISTED_MAX);
        let mut tx = self.store.begin(Mode::Read).await?;
        let known = tx.subscription(business, subscription).await?;
        known.ok_or(CoreError::NotFound("there is no such subscription"))?;
        let key = SubscriptionKey { business: business.clone(), id: subscription.clone() };
        let page = tx.invoices_after(&key, after, limit).await?;
        let next = next_page(&page, limit, |last| last.number);
        let parse = |invoice: StoredInvoice| serde_json::from_str(&invoice.body);
        let invoices = page.into_iter().map(parse).collect::<Result<_, _>>();
        Ok((invoices.map_err(|error| CoreError::Internal(error.to_string()))?, next))
    }
}

/// What a subscription has used in its open period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodUsage {
    /// The subscription.
    pub subscription_id: Id,
    /// The subscriber.
    pub subject: String,
    /// How many periods came before it.
    pub period: u32,
    /// First moment of the period.
    #[schemars(with = "Moment")]
    pub period_start: Timestamp,
    /// First moment after it.
    #[schemars(with = "Moment")]
    pub period_end: Timestamp,
    /// The plan.
    pub plan: String,
    /// What each meter of each window came to.
    pub lines: Vec<InvoiceLine>,
}

impl<S: Store> Core<S> {
    /// What a subscription has used in its open period, or in its last one; for its operator.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn usage_of_period(
        &self,
        business: &Id,
        subscription: &Id,
        now: Timestamp,
    ) -> Result<PeriodUsage, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let _turn = self.turn_of(business, subscription).await?;
                let mut tx = self.store.begin(Mode::Write).await?;
                let locked = subscriptions::lock(&mut tx, business, subscription, now).await?;
                let (period, subject) = (locked.period.clone(), locked.subscription.subject.clone());
                locked.save(&mut tx).await?;
                let windows = tx.windows(&period.subscription, period.index).await?;
                let lines = lines(&mut tx, &period, &windows).await?;
                tx.commit().await?;
                Ok(PeriodUsage {
                    subscription_id: subscription.clone(),
                    subject,
                    period: period.index,
                    period_start: period.start,
                    period_end: period.end,
                    plan: period.plan,
                    lines,
                })
            })
        })
        .await
    }
}

/// An invoice as its subscriber sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnInvoice {
    /// Its number.
    pub number: u64,
    /// Which document it is.
    pub kind: DocumentKind,
    /// First moment of its period.
    pub period_start: Json,
    /// First moment after it.
    pub period_end: Json,
    /// The plan's name.
    pub plan_name: Json,
    /// Currency of every amount.
    pub currency: Json,
    /// The sum, in cents.
    pub total_cents: SignedCents,
}

impl<S: Store> Core<S> {
    /// A page of a subject's invoices over all its subscriptions, the newest first, also after the end, and where the next page begins:
    /// at most `limit` of those whose number comes before `before`; for the subject.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub async fn invoices_of_subject(
        &self,
        business: &Id,
        subject: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<(Vec<OwnInvoice>, Option<u64>), CoreError> {
        let limit = limit.clamp(1, LISTED_MAX);
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        let own = |invoice: StoredInvoice| {
            let body: Json =
                serde_json::from_str(&invoice.body).map_err(|error| CoreError::Internal(error.to_string()))?;
            let member = |name: &str| body.get(name).cloned().unwrap_or_default();
            let kind = if invoice.total_cents < 0 { DocumentKind::CreditNote } else { DocumentKind::Invoice };
            Ok(OwnInvoice {
                number: invoice.number,
                kind,
                period_start: member("periodStart"),
                period_end: member("periodEnd"),
                plan_name: member("planName"),
                currency: member("currency"),
                total_cents: SignedCents(invoice.total_cents),
            })
        };
        let before = before.unwrap_or(i64::MAX.unsigned_abs());
        let page = tx.invoices_of_subject(business, subject, before, limit).await?;
        let next = next_page(&page, limit, |last| last.number);
        Ok((page.into_iter().map(own).collect::<Result<_, CoreError>>()?, next))
    }
}

/// Settles a subscription, and closes its periods as asked.
pub(crate) async fn close<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    id: &Id,
    closing: Closing,
) -> Result<Closed, CoreError> {
    let locked = subscriptions::lock(tx, business, id, closing.now).await?;
    let subject = locked.subscription.subject.clone();
    locked.save(tx).await?;
    close_periods(tx, business, id, &subject, closing).await
}

/// Closes the periods of a subscription that have ended; its caller has it under lock, and has settled and saved it.
pub(crate) async fn close_ended<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    id: &Id,
    now: Timestamp,
) -> Result<Closed, CoreError> {
    let found = tx.subscription(business, id).await?;
    let subject = found.map(|subscription| subscription.subject).unwrap_or_default();
    close_periods(tx, business, id, &subject, Closing { dry_run: false, ended_by: now, now }).await
}

/// What to close.
#[derive(Clone, Copy)]
pub(crate) struct Closing {
    pub(crate) dry_run: bool,
    /// Periods that ended by then.
    pub(crate) ended_by: Timestamp,
    pub(crate) now: Timestamp,
}

async fn close_periods<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    id: &Id,
    subject: &str,
    Closing { dry_run, ended_by, now }: Closing,
) -> Result<Closed, CoreError> {
    let mut closed = Closed::default();
    let mut carried = None;
    let mut periods = tx
        .periods(&SubscriptionKey { business: business.clone(), id: id.clone() })
        .await?
        .into_iter()
        .filter(|period| period.invoice.is_none())
        .peekable();
    while let Some(mut period) = periods.next() {
        if let Some(amount) = carried.take() {
            period.totals.receivable = period.totals.receivable.plus(amount)?;
        }
        let has_ended = period.end <= ended_by;
        if !has_ended && !dry_run {
            continue;
        }
        let mut shown = show(tx, &period, subject).await?;
        let next = periods.peek();
        if shown.invoice.total_cents.0 < 0 && next.is_some() {
            // What is left over in the subscriber's favour pays the next period.
            shown.carried_cents = std::mem::replace(&mut shown.invoice.total_cents, SignedCents(0));
            carried = Some(Nanos::from_cents(shown.carried_cents.0)?);
        } else if shown.invoice.total_cents.0 < 0 {
            shown.kind = DocumentKind::CreditNote;
        }
        if !dry_run {
            keep(tx, business, period, next, &mut shown, now).await?;
        }
        if has_ended {
            closed.invoices.push(shown);
        } else {
            closed.open.push(shown);
        }
    }
    Ok(closed)
}

/// A period's invoice as it would be: the bill at its end, in cents, with its lines.
async fn show<C: Connection>(tx: &mut Tx<C>, period: &StoredPeriod, subject: &str) -> Result<PeriodInvoice, CoreError> {
    let stored = tx.served_projection(&period.subscription.business, &period.release, &period.plan).await?;
    let projection = stored.as_ref().and_then(Terms::verified).ok_or_else(|| {
        CoreError::Internal(format!("the projection that period {} ended under is missing or altered", period.index))
    })?;
    let windows = tx.windows(&period.subscription, period.index).await?;
    let lines = lines(tx, period, &windows).await?;
    let leasts = preview::leasts(tx, period, Some(&projection), &windows).await?;
    let bill = preview::compute(period, Some(&projection), windows, Vec::new(), leasts, period.end)?;
    Ok(PeriodInvoice {
        invoice_id: None,
        number: None,
        kind: DocumentKind::Invoice,
        subscription_id: period.subscription.id.clone(),
        subject: subject.to_owned(),
        period: period.index,
        period_start: period.start,
        period_end: period.end,
        plan: period.plan.clone(),
        plan_name: projection.plan.name.clone(),
        invoice: bill::invoice(&bill)?,
        carried_cents: SignedCents(0),
        windows: bill.windows,
        lines,
    })
}

/// What each meter of each window of a period came to, oldest window first.
pub(crate) async fn lines<C: Connection>(
    tx: &mut Tx<C>,
    period: &StoredPeriod,
    windows: &[StoredWindow],
) -> Result<Vec<InvoiceLine>, CoreError> {
    let mut levels = tx.levels(&period.subscription, period.index).await?;
    let mut rating = PeriodRating::default();
    let mut lines = Vec::new();
    for window in windows {
        let projection = releases::of_window(tx, window).await?;
        if rating.windows().is_empty() {
            rating = period_ratings::empty(period, Some(&projection))?;
        }
        rating.reopen(projection.card(), levels.remove(&window.id).unwrap_or_default(), window.rated_until)?;
        let Some(rated) = rating.windows().last() else { continue };
        for (cell, total) in rated.cells() {
            let meter = cell.meter();
            lines.push(InvoiceLine {
                window_id: window.id.to_string(),
                meter: meter.clone(),
                by: rated.card().attributes(meter).iter().cloned().zip(cell.by().iter().cloned()).collect(),
                quantity: quantity(&total),
                included_units: included_units(&projection, meter),
                pooled_units: total.to.pooled.checked_sub(total.from.pooled).unwrap_or_default(),
                rated_nanos: rating::floor(&total.exact)?,
            });
        }
    }
    Ok(lines)
}

/// What a cell of a window used, as decimal text; of a level that lasts rounded down to a billionth.
#[expect(clippy::arithmetic_side_effects, reason = "rationals have no range to leave")]
pub(crate) fn quantity(total: &CellTotal) -> String {
    let steps = (total.to.quantity.exact() - total.from.quantity.exact()).floor().to_integer();
    let sign = if steps < 0.into() { "-" } else { "" };
    // A quantity of a period fits, and so does what lies between two.
    let steps = u128::try_from(steps.magnitude()).unwrap_or(u128::MAX);
    format!("{sign}{}", Units::from_steps(steps))
}

fn included_units(projection: &Projection, meter: &Key) -> Units {
    let price = projection.plan.meters.iter().find(|price| price.meter() == meter);
    price.and_then(|price| price.included().fixed()).unwrap_or_default()
}

/// Posts what closing posts, carries what is to be carried, and keeps the invoice under the next number.
async fn keep<C: Connection>(
    tx: &mut Tx<C>,
    business: &Id,
    mut period: StoredPeriod,
    next: Option<&StoredPeriod>,
    shown: &mut PeriodInvoice,
    now: Timestamp,
) -> Result<(), CoreError> {
    let (id, number) = (new_id("inv", now), tx.next_invoice_number(business).await?);
    (shown.invoice_id, shown.number) = (Some(id.clone()), Some(number));
    let mut entries = Vec::new();
    let mut enter = |period: &mut StoredPeriod, transaction: Transaction| {
        period.totals = period.totals.with_receivable(&transaction)?;
        entries.push(Entry { id: new_id("ltx", now), period: period.index, at: now, transaction });
        Ok::<_, CoreError>(())
    };
    for transaction in shown.invoice.transactions(id.as_str())? {
        enter(&mut period, transaction)?;
    }
    let carried = Nanos::from_cents(shown.carried_cents.0)?;
    if let Some(back) = funding::adjust(Cause::Carry(id.to_string()), carried.negated()?)? {
        enter(&mut period, back)?;
    }
    if let (Some(next), Some(forward)) = (next, funding::adjust(Cause::Carry(id.to_string()), carried)?) {
        let mut next = next.clone();
        enter(&mut next, forward)?;
        tx.put_period(&next).await?;
    }
    period.invoice = Some(id.clone());
    tx.append(&period.subscription, &entries).await?;
    tx.put_period(&period).await?;
    let body = serde_json::to_string(shown).map_err(|error| CoreError::Internal(error.to_string()))?;
    let total_cents = shown.invoice.total_cents.0;
    let SubscriptionKey { business, id: subscription } = period.subscription;
    let (period, closed_at) = (period.index, now);
    let news = News::InvoiceClosed {
        subscription_id: subscription.clone(),
        subject: shown.subject.clone(),
        invoice_id: id.clone(),
        number,
        kind: shown.kind,
        period,
        period_start: shown.period_start,
        period_end: shown.period_end,
        plan: shown.plan.clone(),
        total_cents: shown.invoice.total_cents,
        carried_cents: shown.carried_cents,
    };
    events::tell(tx, &business, &news, now, now).await?;
    tx.insert_invoice(&StoredInvoice { id, business, number, subscription, period, closed_at, total_cents, body })
        .await?;
    Ok(())
}
