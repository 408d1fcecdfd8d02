//! The ledger's audit: everything that is kept beside the postings is worked out again from the charges and postings alone, and
//! compared. It changes nothing.

use crate::beside::give_way;
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::{LISTED_MAX, next_page};
use crate::terms::Terms;
use crate::{businesses, locked_subscription, metering, period_ratings};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use svc_engine::money::amount::Nanos;
use svc_engine::money::bucket::Bucket;
use svc_engine::money::cell::Cell;
use svc_engine::money::ledger::{Account, Cause, PeriodTotals, Posting, Transaction};
use svc_engine::money::rating::{Counted, Levels, PeriodRating, Report};
use svc_store::records::{Charge, EntryKind, Id, StoredPeriod, StoredWindow, Subscription, SubscriptionKey};
use svc_store::{Connection, Mode, Store, Tx};

/// Charges and transactions that are read at once: few enough that a database is done with them before anybody else waits for the
/// processor.
const PAGE: u32 = 250;

/// What an audit looked at, and what it found wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Audit {
    /// Subscriptions looked at.
    pub subscriptions: u64,
    /// Windows rated again.
    pub windows: u64,
    /// Charges rated again.
    pub charges: u64,
    /// Ledger transactions added up again.
    pub transactions: u64,
    /// What does not agree: where, what is kept, what it should be.
    pub findings: Vec<Finding>,
}

/// Something that does not agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Which thing.
    pub place: String,
    /// What is kept.
    pub kept: String,
    /// What the charges and postings come to.
    pub computed: String,
}

impl Audit {
    fn compare<T: PartialEq + ToString>(&mut self, place: impl FnOnce() -> String, kept: T, computed: T) {
        if kept != computed {
            let (kept, computed) = (kept.to_string(), computed.to_string());
            self.findings.push(Finding { place: place(), kept, computed });
        }
    }
}

/// What a subscription's postings add up to.
#[derive(Default)]
struct Sums {
    totals: BTreeMap<u32, PeriodTotals>,
    /// Balances of buckets, and what each has paid for the usage of each period.
    buckets: BTreeMap<String, Nanos>,
    paid: BTreeMap<(String, u32), Nanos>,
}

fn add<K: Ord>(sums: &mut BTreeMap<K, Nanos>, key: K, amount: Nanos) -> Result<(), CoreError> {
    let sum = sums.entry(key).or_default();
    *sum = sum.plus(amount)?;
    Ok(())
}

impl<S: Store> Core<S> {
    /// Works out again what a business's subscriptions come to.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`]. What does not agree is no error but a finding.
    pub async fn audit(&self, business: &Id) -> Result<Audit, CoreError> {
        let (mut audit, mut after) = (Audit::default(), None);
        loop {
            let last = after.as_ref().map(Id::as_str);
            after = self.audit_more(business, last, LISTED_MAX, &mut audit).await?;
            if after.is_none() {
                return Ok(audit);
            }
        }
    }

    /// Works out again what a page of a business's subscriptions come to, by id, and says where the next page begins: at most `limit` of
    /// those after `after`.
    ///
    /// # Errors
    /// As [`Core::audit`].
    pub async fn audit_page(
        &self,
        business: &Id,
        after: Option<&str>,
        limit: u32,
    ) -> Result<(Audit, Option<Id>), CoreError> {
        let (business, after, limit) = (business.clone(), after.map(str::to_owned), limit.clamp(1, LISTED_MAX));
        let page = move |core: Core<S>| async move {
            let mut audit = Audit::default();
            let next = core.audit_more(&business, after.as_deref(), limit, &mut audit).await?;
            Ok((audit, next))
        };
        self.beside(page).await
    }

    async fn audit_more(
        &self,
        business: &Id,
        after: Option<&str>,
        limit: u32,
        audit: &mut Audit,
    ) -> Result<Option<Id>, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let subscriptions = tx.subscriptions_after(business, after.unwrap_or_default(), limit).await?;
        drop(tx);
        let known = audit.findings.len();
        for subscription in &subscriptions {
            // One consistent state per subscription; a long audit holds up nobody.
            let mut tx = self.store.begin(Mode::Read).await?;
            let found = tx.subscription(business, &subscription.id).await?;
            if let Some(subscription) = found {
                audit.subscriptions = audit.subscriptions.saturating_add(1);
                audit_subscription(&mut tx, &subscription, audit).await?;
            }
        }
        self.counters.audited(subscriptions.len(), audit.findings.len().saturating_sub(known));
        Ok(next_page(&subscriptions, limit, |last| last.id.clone()))
    }
}

async fn audit_subscription<C: Connection>(
    tx: &mut Tx<C>,
    subscription: &Subscription,
    audit: &mut Audit,
) -> Result<(), CoreError> {
    let key = subscription.key();
    let periods = tx.periods(&key).await?;
    let mut rated = BTreeMap::new();
    // Which period a void is about: it may have been posted in a later one.
    let mut voids = BTreeMap::new();
    for period in &periods {
        rated.insert(period.index, audit_windows(tx, period, &mut voids, audit).await?);
    }
    let buckets = tx.all_buckets(&key).await?;
    let sums = add_up(tx, &key, &buckets, &voids, audit).await?;
    for period in &periods {
        let computed = sums.totals.get(&period.index).copied().unwrap_or_default();
        let place = |what: &str| format!("subscription {} period {} {what}", subscription.id, period.index);
        audit_totals(place, period.totals, computed, audit);
        // Whoever pays, all of it is paid: by buckets, by the subscriber, or by nobody past a bound, less what is kept.
        let rated = rated.get(&period.index).copied().unwrap_or_default();
        audit.compare(|| place("usage that is paid for"), period.totals.usage.rated()?, rated);
    }
    for invoice in tx.invoices(&key).await? {
        let owed = sums.totals.get(&invoice.period).copied().unwrap_or_default().receivable;
        audit.compare(|| format!("invoice {}", invoice.id), Nanos::from_cents(invoice.total_cents)?, owed);
    }
    let mut held: BTreeMap<String, Nanos> = BTreeMap::new();
    for part in tx.open_holds(&key).await?.into_iter().flat_map(|hold| hold.parts) {
        add(&mut held, part.bucket, part.amount)?;
    }
    for bucket in buckets {
        let place = |what: &str| format!("bucket {} {what}", bucket.id);
        let balance = sums.buckets.get(&bucket.id).copied().unwrap_or_default().negated()?;
        audit.compare(|| place("balance"), bucket.remaining.plus(bucket.held)?, balance);
        audit.compare(|| place("held"), bucket.held, held.get(&bucket.id).copied().unwrap_or_default());
        let paid = sums.paid.get(&(bucket.id.clone(), subscription.period)).copied().unwrap_or_default();
        audit.compare(|| place("paid"), bucket.paid, paid);
        let used = bucket.remaining.plus(bucket.held)?.plus(bucket.consumed)?;
        if bucket.is_alive() {
            audit.compare(|| place("granted"), bucket.granted, used);
        }
    }
    Ok(())
}

fn audit_totals(place: impl Fn(&str) -> String, kept: PeriodTotals, computed: PeriodTotals, audit: &mut Audit) {
    let sums = |totals: PeriodTotals| {
        let PeriodTotals { receivable, fee_adjustment, usage } = totals;
        [
            ("receivable", receivable),
            ("fee adjustment", fee_adjustment),
            ("funded", usage.funded),
            ("prepaid", usage.prepaid),
            ("owed", usage.owed),
            ("unbilled", usage.unbilled),
        ]
    };
    for ((what, kept), (_, computed)) in sums(kept).into_iter().zip(sums(computed)) {
        audit.compare(|| place(what), kept, computed);
    }
}

/// Adds up a subscription's postings.
async fn add_up<C: Connection>(
    tx: &mut Tx<C>,
    subscription: &SubscriptionKey,
    buckets: &[Bucket],
    voids: &BTreeMap<Id, u32>,
    audit: &mut Audit,
) -> Result<Sums, CoreError> {
    let mut sums = Sums::default();
    let mut last = Id::named("");
    loop {
        let page = tx.postings_after(subscription, &last, PAGE).await?;
        let Some((_, newest, ..)) = page.last() else { return Ok(sums) };
        last = newest.clone();
        give_way();
        for lines in page.chunk_by(|a, b| a.1 == b.1) {
            audit.transactions = audit.transactions.saturating_add(1);
            add_transaction(lines, buckets, voids, &mut sums, audit)?;
        }
    }
}

fn add_transaction(
    lines: &[(u32, Id, String, Nanos, String)],
    buckets: &[Bucket],
    voids: &BTreeMap<Id, u32>,
    sums: &mut Sums,
    audit: &mut Audit,
) -> Result<(), CoreError> {
    let Some((period, id, ..)) = lines.first() else { return Ok(()) };
    let mut postings = Vec::with_capacity(lines.len());
    for (_, _, account, amount, cause) in lines {
        match (account.parse(), cause.parse()) {
            (Ok(account), Ok(cause)) => postings.push(Posting { account, amount: *amount, cause }),
            (Err(_), _) => audit.compare(|| format!("transaction {id} account"), account.as_str(), "an account"),
            (_, Err(_)) => audit.compare(|| format!("transaction {id} cause"), cause.as_str(), "a cause"),
        }
    }
    let transaction = match Transaction::new(postings) {
        Ok(transaction) => transaction,
        Err(error) => {
            audit.compare(|| format!("transaction {id}"), error.to_string(), "postings that sum to zero".to_owned());
            return Ok(());
        }
    };
    let about = transaction.postings().iter().find_map(|posting| match &posting.cause {
        Cause::Refund(adjustment) => voids.get(&Id::named(adjustment.clone())).copied(),
        _ => None,
    });
    let about = about.unwrap_or(*period);
    let is_bought = |id: &str| locked_subscription::is_bought(buckets, id);
    let own = sums.totals.entry(*period).or_default();
    *own = own.with_receivable(&transaction)?;
    let used = sums.totals.entry(about).or_default();
    used.usage = used.usage.with(&transaction, is_bought)?;
    for posting in transaction.postings() {
        let Account::Funding(bucket) = &posting.account else { continue };
        add(&mut sums.buckets, bucket.clone(), posting.amount)?;
        if posting.cause.is_usage() {
            add(&mut sums.paid, (bucket.clone(), about), posting.amount)?;
        }
    }
    Ok(())
}

/// Rates the windows of a period again, from its list of charges and voids. Gives their sum.
async fn audit_windows<C: Connection>(
    tx: &mut Tx<C>,
    period: &StoredPeriod,
    voids: &mut BTreeMap<Id, u32>,
    audit: &mut Audit,
) -> Result<Nanos, CoreError> {
    let windows = tx.windows(&period.subscription, period.index).await?;
    let mut rating = PeriodRating::default();
    for window in &windows {
        let stored = tx.projection(&period.subscription.business, &window.release, &window.plan).await?;
        let Some(projection) = stored.as_ref().and_then(Terms::verified) else {
            let place = || format!("window {} projection", window.id);
            audit.compare(place, "missing or altered", "intact");
            return windows.iter().try_fold(Nanos::ZERO, |sum, window| Ok(sum.plus(window.rated)?));
        };
        if rating.windows().is_empty() {
            rating = period_ratings::empty(period, Some(&projection))?;
        }
        rating.open(projection.card(), Levels::new())?;
    }
    let mut replay = Replay::new(&windows, rating);
    let mut next = 0_u64;
    loop {
        let page = tx.charges(&period.subscription, period.index, next, PAGE).await?;
        if page.is_empty() {
            break;
        }
        give_way();
        for entry in page {
            audit.compare(|| replay_place(&entry, "position"), entry.position, next);
            replay.take(&entry, audit)?;
            if let Some(adjustment) = entry.voided_by {
                voids.insert(adjustment, period.index);
            }
            next = next.saturating_add(1);
        }
    }
    audit.compare(|| format!("period {} of {} entries", period.index, period.subscription), period.entries, next);
    let place = || format!("period {} of {} time", period.index, period.subscription);
    audit.compare(place, replay.hold_to_end()?, Nanos::ZERO);
    let mut kept = tx.levels(&period.subscription, period.index).await?;
    let mut sum = Nanos::ZERO;
    for ((window, rated), count) in windows.iter().zip(replay.rating.windows()).zip(replay.counts) {
        let place = |what: &str| format!("window {} {what}", window.id);
        audit.windows = audit.windows.saturating_add(1);
        audit.compare(|| place("rated"), window.rated, rated.rated()?);
        audit.compare(|| place("charge count"), window.charge_count, count);
        let shown = |levels: &Levels| format!("{levels:?}");
        let own = kept.remove(&window.id).unwrap_or_default();
        audit.compare(|| place("levels"), shown(&own), shown(rated.levels()));
        sum = sum.plus(window.rated)?;
    }
    Ok(sum)
}

fn replay_place(entry: &Charge, what: &str) -> String {
    let kind = if entry.voided_by.is_some() { "void of charge" } else { "charge" };
    format!("{kind} {} of window {} {what}", entry.id, entry.window)
}

/// An item and its attempt, with what it counts.
type CountedItem = ((String, u32), Counted);

/// An entry of the list, as rating counts it.
fn counted(window: usize, entry: &Charge) -> Counted {
    Counted {
        window,
        cell: entry.cell.clone(),
        units: entry.units,
        unique_key: entry.unique_key.clone(),
        at: metering::happened_at(entry.occurred_at, entry.admitted_at),
    }
}

/// A period's list, taken in again from the start.
pub(crate) struct Replay<'a> {
    windows: &'a [StoredWindow],
    pub(crate) rating: PeriodRating,
    /// What counts, in order, with the item and attempt that it came from; only of cells whose sum does not tell.
    counted: Vec<CountedItem>,
    /// How many charges count each key.
    keys: BTreeMap<(Cell, String), u64>,
    counts: Vec<u64>,
}

impl<'a> Replay<'a> {
    /// Of these windows, in which nothing was used yet.
    pub(crate) fn new(windows: &'a [StoredWindow], rating: PeriodRating) -> Self {
        let counts = vec![0; windows.len()];
        Replay { windows, rating, counted: Vec::new(), keys: BTreeMap::new(), counts }
    }

    /// Which of the period's windows an entry is of.
    pub(crate) fn window(&self, entry: &Charge) -> Option<usize> {
        self.windows.iter().position(|window| window.id == entry.window)
    }

    /// Takes an entry of a window in. Returns what it posts.
    pub(crate) fn enter(&mut self, window: usize, entry: &Charge) -> Result<(Nanos, Nanos), CoreError> {
        // Levels that last had held up to its moment.
        let held = self.hold(entry.admitted_at)?;
        match entry.kind() {
            EntryKind::Time => Ok((held, Nanos::ZERO)),
            EntryKind::Charge | EntryKind::Carried | EntryKind::Counted => self.admit(window, entry),
            EntryKind::Void => Ok((self.void(window, entry)?, Nanos::ZERO)),
        }
    }

    /// Lets levels hold up to a moment, in each window up to its end. Returns what that posts.
    pub(crate) fn hold(&mut self, until: Timestamp) -> Result<Nanos, CoreError> {
        let mut held = Nanos::ZERO;
        for (place, window) in self.windows.iter().enumerate().take_while(|(_, window)| window.start <= until) {
            held = held.plus(self.rating.pass(place, until.min(window.end))?)?;
        }
        Ok(held)
    }

    /// Lets levels hold up to where the windows are rated. Returns what that posts, which is nothing where the list is whole.
    pub(crate) fn hold_to_end(&mut self) -> Result<Nanos, CoreError> {
        let mut held = Nanos::ZERO;
        for (place, until) in self.windows.iter().map(|window| window.rated_until).enumerate() {
            if let Some(until) = until {
                held = held.plus(self.rating.pass(place, until)?)?;
            }
        }
        Ok(held)
    }

    fn take(&mut self, entry: &Charge, audit: &mut Audit) -> Result<(), CoreError> {
        audit.charges = audit.charges.saturating_add(1);
        let Some(window) = self.window(entry) else {
            audit.compare(|| replay_place(entry, "window"), "missing", "there");
            return Ok(());
        };
        let (charge, remainder) = self.enter(window, entry)?;
        audit.compare(|| replay_place(entry, "amount"), entry.charge, charge);
        audit.compare(|| replay_place(entry, "remainder"), entry.remainder, remainder);
        Ok(())
    }

    fn admit(&mut self, window: usize, entry: &Charge) -> Result<(Nanos, Nanos), CoreError> {
        let mut is_new_key = false;
        if let Some(key) = &entry.unique_key {
            let count = self.keys.entry((entry.cell.clone(), key.clone())).or_default();
            is_new_key = *count == 0;
            *count = count.saturating_add(1);
        }
        let at = metering::happened_at(entry.occurred_at, entry.admitted_at);
        let own = counted(window, entry);
        let lasts = self.rating.windows().get(window).is_some_and(|window| window.card().lasts(entry.cell.meter()));
        let since = self.rating.lasting_since(window, entry.cell.meter());
        let before = || self.counted.iter().map(|(_, counted)| counted).filter(|before| before.window >= since);
        let around = lasts.then(|| own.around(before())).flatten();
        let report = Report { units: entry.units, is_new_key, at, around };
        let rated = self.rating.admit(window, &entry.cell, report)?;
        if !self.rating.replayed_with(&entry.cell).is_empty() {
            let origin = (entry.item.clone(), entry.attempt);
            self.counted.push((origin, own));
        }
        if entry.kind() == EntryKind::Charge {
            self.count(window, true);
        }
        Ok((rated.charge, rated.remainder))
    }

    fn void(&mut self, window: usize, entry: &Charge) -> Result<Nanos, CoreError> {
        let origin = (entry.item.clone(), entry.attempt);
        self.counted.retain(|(known, counted)| *known != origin || counted.cell != entry.cell);
        if let Some(key) = &entry.unique_key
            && let Some(count) = self.keys.get_mut(&(entry.cell.clone(), key.clone()))
        {
            *count = count.saturating_sub(1);
        }
        let replayed = self.rating.replayed_with(&entry.cell);
        let others = self.counted.iter().map(|(_, counted)| counted).filter(|counted| replayed.contains(&counted.cell));
        let others: Vec<Counted> = others.cloned().collect();
        let change = self.rating.void(&counted(window, entry), &others)?;
        self.count(window, false);
        Ok(change)
    }

    fn count(&mut self, window: usize, is_more: bool) {
        if let Some(count) = self.counts.get_mut(window) {
            *count = if is_more { count.saturating_add(1) } else { count.saturating_sub(1) };
        }
    }
}
