//! The ledger's audit: everything that is kept beside the postings is worked out again from the charges and postings alone, and
//! compared. It changes nothing.

use crate::core::Core;
use crate::error::CoreError;
use crate::{businesses, metering, releases};
use serde::Serialize;
use std::collections::BTreeMap;
use svc_engine::manifest::ir::Key;
use svc_engine::money::amount::Nanos;
use svc_engine::money::funding::BucketState;
use svc_engine::money::ledger::Account;
use svc_engine::money::rating::{Report, Window};
use svc_engine::money::units::Units;
use svc_store::records::{Id, StoredPeriod, StoredWindow, Subscription};
use svc_store::{Connection, Mode, Store, Tx};

/// Charges and transactions that are read at once.
const PAGE: u32 = 1_000;

/// What an audit looked at, and what it found wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    receivable: BTreeMap<u32, Nanos>,
    funded: BTreeMap<u32, Nanos>,
    revenue_of_usage: BTreeMap<u32, Nanos>,
    buckets: BTreeMap<String, Nanos>,
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
        let mut audit = Audit::default();
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let subscriptions = tx.subscriptions(business).await?;
        drop(tx);
        for subscription in subscriptions {
            // One consistent state per subscription; a long audit holds up nobody.
            let mut tx = self.store.begin(Mode::Read).await?;
            let found = tx.subscription(business, &subscription.id).await?;
            if let Some(subscription) = found {
                audit.subscriptions = audit.subscriptions.saturating_add(1);
                audit_subscription(&mut tx, &subscription, &mut audit).await?;
            }
        }
        Ok(audit)
    }
}

async fn audit_subscription<C: Connection>(
    tx: &mut Tx<C>,
    subscription: &Subscription,
    audit: &mut Audit,
) -> Result<(), CoreError> {
    let sums = add_up(tx, &subscription.id, audit).await?;
    for period in tx.periods(&subscription.id).await? {
        let place = |what: &str| format!("subscription {} period {} {what}", subscription.id, period.index);
        let of = |sums: &BTreeMap<u32, Nanos>| sums.get(&period.index).copied().unwrap_or_default();
        audit.compare(|| place("receivable"), period.totals.receivable, of(&sums.receivable));
        audit.compare(|| place("funded"), period.totals.funded, of(&sums.funded));
        let rated = audit_windows(tx, &period, audit).await?;
        audit.compare(|| place("revenue of usage"), of(&sums.revenue_of_usage), rated.negated()?);
    }
    for invoice in tx.invoices(&subscription.id).await? {
        let place = || format!("invoice {}", invoice.id);
        let owed = sums.receivable.get(&invoice.period).copied().unwrap_or_default();
        audit.compare(place, Nanos::from_cents(invoice.total_cents)?, owed);
    }
    let mut held: BTreeMap<String, Nanos> = BTreeMap::new();
    for part in tx.open_holds(&subscription.id).await?.into_iter().flat_map(|hold| hold.parts) {
        add(&mut held, part.bucket, part.amount)?;
    }
    for bucket in tx.all_buckets(&subscription.id).await? {
        let place = |what: &str| format!("bucket {} {what}", bucket.id);
        let balance = sums.buckets.get(&bucket.id).copied().unwrap_or_default().negated()?;
        audit.compare(|| place("balance"), bucket.remaining.plus(bucket.held)?, balance);
        audit.compare(|| place("held"), bucket.held, held.get(&bucket.id).copied().unwrap_or_default());
        let used = bucket.remaining.plus(bucket.held)?.plus(bucket.consumed)?;
        let is_whole = bucket.state == BucketState::Available || bucket.state == BucketState::Exhausted;
        if is_whole {
            audit.compare(|| place("granted"), bucket.granted, used);
        }
    }
    Ok(())
}

/// Adds up a subscription's postings.
async fn add_up<C: Connection>(tx: &mut Tx<C>, subscription: &Id, audit: &mut Audit) -> Result<Sums, CoreError> {
    let mut sums = Sums::default();
    let mut last = Id::named("");
    loop {
        let page = tx.postings_after(subscription, &last, PAGE).await?;
        let Some((_, newest, ..)) = page.last() else { return Ok(sums) };
        last = newest.clone();
        for lines in page.chunk_by(|a, b| a.1 == b.1) {
            audit.transactions = audit.transactions.saturating_add(1);
            add_transaction(lines, &mut sums, audit)?;
        }
    }
}

fn add_transaction(
    lines: &[(u32, Id, String, Nanos, String)],
    sums: &mut Sums,
    audit: &mut Audit,
) -> Result<(), CoreError> {
    let earns = lines.iter().any(|(_, _, account, ..)| account.parse() == Ok(Account::Revenue));
    let mut balance = Nanos::ZERO;
    for (period, id, account, amount, cause) in lines {
        balance = balance.plus(*amount)?;
        match account.parse() {
            Ok(Account::Receivable) => add(&mut sums.receivable, *period, *amount)?,
            Ok(Account::Funding(bucket)) => {
                add(&mut sums.buckets, bucket, *amount)?;
                if earns {
                    add(&mut sums.funded, *period, *amount)?;
                }
            }
            Ok(Account::Revenue) => {
                let is_usage = cause.starts_with("charge:") || cause.starts_with("window_remainder:");
                add(&mut sums.revenue_of_usage, *period, if is_usage { *amount } else { Nanos::ZERO })?;
            }
            Ok(Account::Adjustments | Account::Rounding) => {}
            Err(_) => audit.compare(|| format!("transaction {id} account"), account.clone(), "an account".to_owned()),
        }
    }
    if let Some((_, id, ..)) = lines.first() {
        audit.compare(|| format!("transaction {id} balance"), balance, Nanos::ZERO);
    }
    Ok(())
}

/// Rates the windows of a period again. Gives their sum.
async fn audit_windows<C: Connection>(
    tx: &mut Tx<C>,
    period: &StoredPeriod,
    audit: &mut Audit,
) -> Result<Nanos, CoreError> {
    let mut before: BTreeMap<Id, BTreeMap<Key, Units>> = BTreeMap::new();
    let mut sum = Nanos::ZERO;
    let kept = tx.quantities(&period.subscription, period.index).await?;
    for window in tx.windows(&period.subscription, period.index).await? {
        let place = |what: &str| format!("window {} {what}", window.id);
        let stored = tx.projection(&window.release, &period.plan).await?;
        let Some(projection) = stored.as_ref().and_then(releases::verified) else {
            audit.compare(|| place("projection"), "missing or altered".to_owned(), "intact".to_owned());
            sum = sum.plus(window.rated)?;
            continue;
        };
        let rating =
            Window::new(metering::rate_card(&projection), metering::used_before(before.clone())?, BTreeMap::new())?;
        let rating = rate_again(tx, &window, rating, audit).await?;
        audit.windows = audit.windows.saturating_add(1);
        audit.compare(|| place("rated"), window.rated, rating.rated()?);
        let shown = |quantities: &BTreeMap<Key, Units>| format!("{quantities:?}");
        let own = kept.get(&window.id).cloned().unwrap_or_default();
        audit.compare(|| place("quantities"), shown(&own), shown(rating.quantities()));
        sum = sum.plus(window.rated)?;
        before.insert(window.id.clone(), rating.quantities().clone());
    }
    Ok(sum)
}

/// Takes in a window's charges again, in the order in which they were admitted.
async fn rate_again<C: Connection>(
    tx: &mut Tx<C>,
    window: &StoredWindow,
    mut rating: Window,
    audit: &mut Audit,
) -> Result<Window, CoreError> {
    let mut next = 0_u64;
    loop {
        let page = tx.charges(&window.id, next, PAGE).await?;
        if page.is_empty() {
            break;
        }
        for charge in page {
            let place = |what: &str| format!("charge {} of window {} {what}", charge.id, window.id);
            audit.charges = audit.charges.saturating_add(1);
            audit.compare(|| place("position"), charge.position, next);
            let rated = rating.admit(&charge.meter, Report { units: charge.units, is_new_key: charge.is_new_key })?;
            audit.compare(|| place("amount"), charge.charge, rated.charge);
            audit.compare(|| place("remainder"), charge.remainder, rated.remainder);
            next = next.saturating_add(1);
        }
    }
    audit.compare(|| format!("window {} charge count", window.id), window.charge_count, next);
    Ok(rating)
}
