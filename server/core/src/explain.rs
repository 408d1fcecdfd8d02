//! Why a bill is what it is: a tree from its total down to the parts of each price, as the rating itself noted them, and the period's
//! charges in pages. Nothing is worked out a second time, and every node is checked to be the sum of its children.

use crate::core::Core;
use crate::error::CoreError;
use crate::terms::Terms;
use crate::what_if::before_close;
use crate::{period_ratings, preview, subscriptions};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use svc_engine::manifest::ir::Disclosure;
use svc_engine::moment::Moment;
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::SignedCents;
use svc_engine::money::cell::Cell;
use svc_engine::money::rating::{self, CellTotal, ExactNanos, Window};
use svc_engine::money::trace::{ExactSteps, Part, PartKind};
use svc_engine::money::units::{STEPS_PER_UNIT, Units};
use svc_store::records::{self, Charge, Id, Projection, StoredPeriod, StoredWindow, SubscriptionKey};
use svc_store::{Connection, Mode, Store, Tx};

/// Most charges of one page.
pub const CHARGES_MAX: u32 = 1_000;

/// What a node of an explanation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// The whole bill.
    Total,
    /// The recurring fee.
    Fee,
    /// What a trial, moves and an end make of the fee.
    FeeAdjustment,
    /// What of fees is charged with another document: the next one in advance, a year's in one month of twelve.
    FeeDue,
    /// What usage owes.
    Usage,
    /// Usage under one plan of one release.
    Window,
    /// One meter, or one combination of its attributes' values.
    Meter,
    /// A part of a price.
    Part,
    /// What is left below a nano over all meters of a window.
    Fraction,
    /// What a bucket of credit pays: zero or less.
    Credit,
    /// What the plan's most leaves unbilled, or what is kept for the next rises.
    Unbilled,
    /// Packs, corrections, refunds of closed periods and what was carried.
    Other,
    /// What the plan's and its meters' leasts add.
    Least,
    /// What is below a cent and not charged: zero or less.
    Rounding,
    /// What was carried into the next period, since the sum was below zero: zero or more.
    Carried,
}

/// A node of an explanation: an amount, and what it is the sum of.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// What it is about.
    pub kind: NodeKind,
    /// The same for people.
    pub name: String,
    /// Exact nanodollars: an integer, or a fraction such as `7000/3`.
    pub exact: String,
    /// Its floor.
    pub nanos: Nanos,
    /// A quantity that it is about, as decimal text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<String>,
    /// What it is the sum of; nothing for a leaf.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Node>,
    #[serde(skip)]
    amount: ExactNanos,
}

impl Node {
    fn leaf(kind: NodeKind, name: impl Into<String>, amount: ExactNanos) -> Result<Node, CoreError> {
        let (exact, nanos) = (amount.to_string(), rating::floor(&amount)?);
        Ok(Node { kind, name: name.into(), exact, nanos, quantity: None, children: Vec::new(), amount })
    }

    fn of(kind: NodeKind, name: impl Into<String>, amount: Nanos) -> Result<Node, CoreError> {
        Node::leaf(kind, name, whole(amount))
    }

    /// A node of this amount, which must be its children's sum.
    fn sum(
        kind: NodeKind,
        name: impl Into<String>,
        amount: ExactNanos,
        children: Vec<Node>,
    ) -> Result<Node, CoreError> {
        let node = Node::leaf(kind, name, amount)?;
        let sum: ExactNanos = children.iter().map(|child| &child.amount).sum();
        if sum != node.amount {
            let why = format!("{:?} {} comes to {}, and its parts to {sum}", node.kind, node.name, node.exact);
            return Err(CoreError::Internal(why));
        }
        Ok(Node { children, ..node })
    }
}

fn whole(amount: Nanos) -> ExactNanos {
    ExactNanos::from_integer(amount.get().into())
}

/// What an entry of a period's list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A charge, as it was admitted.
    Charge,
    /// What takes one out again.
    Void,
    /// A level that lasts, as the period before left it.
    Carried,
    /// How many of a resource there are from its moment on.
    Counted,
    /// Levels that last held up to its moment: what they cost since the entry before.
    Time,
}

/// A charge, what takes one out again, or what time did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedCharge {
    /// How many entries the period had before.
    pub position: u64,
    /// What it is.
    pub kind: EntryKind,
    /// The charge's id.
    pub id: String,
    /// The usage item that it came from; nothing of what time did.
    pub item: Option<String>,
    /// Its window.
    pub window_id: Id,
    /// What it counts.
    #[schemars(with = "String")]
    pub meter: Cell,
    /// How many units.
    pub units: Units,
    /// When it was admitted.
    #[schemars(with = "Moment")]
    pub admitted_at: Timestamp,
    /// What it posted: the floor of its exact marginal value.
    pub charge_nanos: Nanos,
    /// What it brought the window's fractions to: 0 or 1.
    pub remainder_nanos: Nanos,
    /// The adjustment that takes the charge out again; nothing where this is the charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voided_by: Option<Id>,
}

/// Why a bill is what it is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The subscription.
    pub subscription_id: Id,
    /// How many periods came before.
    pub period: u32,
    /// First moment of the period.
    #[schemars(with = "Moment")]
    pub period_start: Timestamp,
    /// First moment after it.
    #[schemars(with = "Moment")]
    pub period_end: Timestamp,
    /// The plan at its end.
    pub plan: String,
    /// Its version.
    pub plan_version: u32,
    /// The invoice that closed it; nothing while it is open.
    pub invoice_id: Option<Id>,
    /// What is owed, in cents. Of an open period as if it ended now without more usage.
    pub total_cents: SignedCents,
    /// The tree.
    pub total: Node,
    /// A page of the period's charges and voids, in order. All of them together post what the windows come to.
    pub charges: Vec<ExplainedCharge>,
    /// Where the next page begins; nothing after the last.
    pub cursor: Option<u64>,
}

/// Which period of a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explained {
    /// The one that is open, or the last.
    Open(Id),
    /// The one of this number.
    Period(Id, u32),
    /// The one that an invoice closed.
    Invoice(Id),
}

impl<S: Store> Core<S> {
    /// Explains a period's bill, with a page of its charges from a position on. It is read as it is settled, in one state; nothing is
    /// locked or written, but for what levels that last have cost by now.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`]; [`CoreError::Internal`] where something does not add up.
    pub async fn explain(
        &self,
        business: &Id,
        which: &Explained,
        (from, limit): (u64, u32),
        now: Timestamp,
    ) -> Result<Explanation, CoreError> {
        let unknown = || CoreError::NotFound("there is no such bill");
        if let Explained::Open(id) | Explained::Period(id, _) = which {
            self.hold_up_to(business, id, now).await?;
        }
        let mut tx = self.store.begin(Mode::Read).await?;
        let (subscription, index) = match which {
            Explained::Open(id) => {
                let found = tx.subscription(business, id).await?.ok_or_else(unknown)?;
                (found.id, found.period)
            }
            Explained::Period(id, index) => (id.clone(), *index),
            Explained::Invoice(id) => tx.period_of_invoice(business, id).await?.ok_or_else(unknown)?,
        };
        let key = SubscriptionKey { business: business.clone(), id: subscription };
        let period = tx.period(&key, index).await?.ok_or_else(unknown)?;
        let charges = tx.charges(&key, index, from, limit.clamp(1, CHARGES_MAX)).await?;
        explained(&mut tx, period, charges).await
    }

    /// Explains a subject's open bill to the subject; nothing of money where the plan shows none.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn explain_to_subject(
        &self,
        business: &Id,
        subject: &str,
        now: Timestamp,
    ) -> Result<Option<Explanation>, CoreError> {
        let none = || CoreError::NotFound("there is no bill to explain");
        let mut tx = self.store.begin(Mode::Read).await?;
        let live = tx.live_subscription(business, subject).await?.ok_or_else(none)?;
        drop(tx);
        self.hold_up_to(business, &live.id, now).await?;
        let mut tx = self.store.begin(Mode::Read).await?;
        let live = tx.live_subscription(business, subject).await?.ok_or_else(none)?;
        let period = tx.period(&live.key(), live.period).await?.ok_or_else(none)?;
        // INVARIANT 8: a lookup that missed, of any window too, shows nothing of money.
        let windows = tx.windows(&period.subscription, period.index).await?;
        let own = windows.iter().map(|window| (&window.release, window.plan.as_str()));
        for (release, plan) in own.chain([(&period.release, period.plan.as_str())]) {
            let stored = tx.served_projection(business, release, plan).await?;
            let disclosure = stored.as_ref().and_then(Terms::verified).map(|terms| terms.plan.spend_policy.disclosure);
            if disclosure != Some(Disclosure::Transparent) {
                return Ok(None);
            }
        }
        explained(&mut tx, period, Vec::new()).await.map(Some)
    }
}

impl<S: Store> Core<S> {
    /// Has levels that last rated up to now, where a subscription has some.
    async fn hold_up_to(&self, business: &Id, id: &Id, now: Timestamp) -> Result<(), CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        let Some(found) = tx.subscription(business, id).await? else { return Ok(()) };
        let stored = tx.served_projection(business, &found.release, &found.plan).await?;
        drop(tx);
        let terms = stored.as_ref().and_then(Terms::verified);
        if found.cancelled_at.is_some() || !terms.is_some_and(|terms| terms.card().has_lasting()) {
            return Ok(());
        }
        self.again(move || {
            Box::pin(async move {
                let _turn = self.turn_of(business, id).await?;
                let mut tx = self.store.begin(Mode::Write).await?;
                subscriptions::lock(&mut tx, business, id, now).await?.save(&mut tx).await?;
                Ok(tx.commit().await?)
            })
        })
        .await
    }
}

async fn explained<C: Connection>(
    tx: &mut Tx<C>,
    period: StoredPeriod,
    charges: Vec<Charge>,
) -> Result<Explanation, CoreError> {
    let stored = tx.projection(&period.subscription.business, &period.release, &period.plan).await?;
    let projection = stored.as_ref().and_then(Terms::verified);
    let projection =
        projection.ok_or_else(|| CoreError::Internal("what a period ended under is missing or altered".to_owned()))?;
    let windows = tx.windows(&period.subscription, period.index).await?;
    let rating = period_ratings::period_rating(tx, &period, &windows).await?;
    let mut shown = Vec::new();
    for (window, rated) in windows.iter().zip(rating.windows()) {
        shown.push(window_node(window, rated)?);
    }
    let payers = payers(tx, &period).await?;
    let bill = Settled::of(tx, &period, &projection, &windows).await?;
    let cursor = charges.last().map(|last| last.position.saturating_add(1)).filter(|next| *next < period.entries);
    Ok(Explanation {
        total: total(&period, &bill, shown, payers)?,
        total_cents: SignedCents(bill.total_cents),
        subscription_id: period.subscription.id,
        period: period.index,
        period_start: period.start,
        period_end: period.end,
        plan: period.plan,
        plan_version: projection.version,
        invoice_id: period.invoice,
        charges: charges.into_iter().map(explained_charge).collect(),
        cursor,
    })
}

/// What a period's bill comes to before it is taken apart.
struct Settled {
    total_cents: i128,
    /// Owed beside fee and least.
    receivable: Nanos,
    true_up: Nanos,
    rounding: Nanos,
    /// Carried into the next period: zero or less.
    carried: SignedCents,
}

impl Settled {
    /// Of the bill's own function; of a closed period what its invoice says, which stays whatever was refunded since.
    async fn of<C: Connection>(
        tx: &mut Tx<C>,
        period: &StoredPeriod,
        projection: &Projection,
        windows: &[StoredWindow],
    ) -> Result<Settled, CoreError> {
        let (receivable, true_up, carried) = match &period.invoice {
            Some(id) => {
                let body = tx.invoice_body(&period.subscription.business, id).await?;
                let body = body.ok_or_else(|| CoreError::Internal("a period's invoice is missing".to_owned()))?;
                let closed = before_close(period.totals, &body)?;
                (closed.totals.receivable, closed.true_up, closed.carried)
            }
            None => {
                let leasts = preview::leasts(tx, period, Some(projection), windows).await?;
                let bill =
                    preview::compute(period, Some(projection), windows.to_vec(), Vec::new(), leasts, period.end)?;
                (period.totals.receivable, bill.true_up, SignedCents(0))
            }
        };
        let (owed_cents, rounding) = receivable.plus(true_up)?.floor_cents();
        let fee = i128::from(period.recurring_fee_cents.get());
        let total_cents = fee.checked_add(owed_cents).and_then(|total| total.checked_sub(carried.0));
        let total_cents = total_cents.ok_or_else(|| CoreError::out_of_range("a bill's total"))?;
        Ok(Settled { total_cents, receivable, true_up, rounding, carried })
    }
}

/// What each bucket has paid for a period's usage, by its kind.
async fn payers<C: Connection>(tx: &mut Tx<C>, period: &StoredPeriod) -> Result<Vec<Node>, CoreError> {
    if period.totals.usage.funded == Nanos::ZERO {
        return Ok(Vec::new());
    }
    let mut paid: BTreeMap<String, Nanos> = BTreeMap::new();
    for (account, amount) in tx.paid_by_buckets(&period.subscription, period.index).await? {
        let sum = paid.entry(account.strip_prefix("funding:").unwrap_or(&account).to_owned()).or_default();
        *sum = sum.plus(amount)?;
    }
    let buckets = tx.all_buckets(&period.subscription).await?;
    let mut nodes = Vec::new();
    for (id, amount) in paid.into_iter().filter(|(_, amount)| *amount != Nanos::ZERO) {
        let kind = buckets.iter().find(|bucket| bucket.id == id).map_or("", |bucket| bucket.kind.into());
        nodes.push(Node::of(NodeKind::Credit, format!("paid by {kind} credit {id}"), amount.negated()?)?);
    }
    Ok(nodes)
}

/// The whole tree.
fn total(period: &StoredPeriod, bill: &Settled, windows: Vec<Node>, payers: Vec<Node>) -> Result<Node, CoreError> {
    let totals = period.totals;
    let usage = totals.usage;
    let mut of_usage = windows;
    of_usage.extend(payers);
    if usage.unbilled != Nanos::ZERO {
        let name =
            if usage.unbilled > Nanos::ZERO { "not billed past the plan's most" } else { "kept, since a price fell" };
        of_usage.push(Node::of(NodeKind::Unbilled, name, usage.unbilled.negated()?)?);
    }
    let due = period.fee.due.nanos().minus(period.recurring_fee_cents.nanos())?;
    let other = bill.receivable.minus(usage.owed)?.minus(totals.fee_adjustment)?.minus(due)?;
    let mut children = vec![
        Node::of(NodeKind::Fee, "recurring fee", period.recurring_fee_cents.nanos())?,
        Node::sum(NodeKind::Usage, "usage", whole(usage.owed), of_usage)?,
    ];
    for (kind, name, amount) in [
        (NodeKind::FeeAdjustment, "trial, moves and end", totals.fee_adjustment),
        (NodeKind::FeeDue, "an introductory fee, fees in advance, and what another document charges", due),
        (NodeKind::Other, "packs, corrections, refunds of closed periods, and what was carried", other),
        (NodeKind::Least, "what the least adds", bill.true_up),
        (NodeKind::Rounding, "below a cent, not charged", bill.rounding.negated()?),
        (NodeKind::Carried, "carried into the next period", Nanos::from_cents(bill.carried.0)?.negated()?),
    ] {
        if amount != Nanos::ZERO {
            children.push(Node::of(kind, name, amount)?);
        }
    }
    Node::sum(NodeKind::Total, "total", whole(Nanos::from_cents(bill.total_cents)?), children)
}

fn window_node(window: &StoredWindow, rated: &Window) -> Result<Node, CoreError> {
    let mut children = Vec::new();
    for explained in rated.explained()? {
        children.push(meter_node(explained.cell, &explained.total, &explained.parts)?);
    }
    let posted = rated.rated()?;
    let exact: ExactNanos = children.iter().map(|child: &Node| &child.amount).sum();
    if exact != whole(posted) {
        #[expect(clippy::arithmetic_side_effects, reason = "rationals have no range to leave")]
        children.push(Node::leaf(NodeKind::Fraction, "fractions below a nano", whole(posted) - exact)?);
    }
    Node::sum(
        NodeKind::Window,
        format!("{} from {} to {}", window.plan, window.start, window.end),
        whole(posted),
        children,
    )
}

fn meter_node(cell: &Cell, total: &CellTotal, parts: &[Part]) -> Result<Node, CoreError> {
    let mut children = Vec::new();
    for part in parts {
        let mut node = Node::leaf(NodeKind::Part, part_name(&part.kind), part.exact.clone())?;
        node.quantity = (part.quantity != ExactSteps::default()).then(|| decimal(&part.quantity));
        children.push(node);
    }
    let name = cell.to_string();
    // A meter without a price has no parts.
    let node = match children.is_empty() {
        true => Node::leaf(NodeKind::Meter, name, total.exact.clone())?,
        false => Node::sum(NodeKind::Meter, name, total.exact.clone(), children)?,
    };
    let used = crate::invoices::quantity(total);
    Ok(Node { quantity: Some(used), ..node })
}

fn part_name(kind: &PartKind) -> String {
    match kind {
        PartKind::Pooled => "free from a pool".to_owned(),
        PartKind::Included => "included, free".to_owned(),
        PartKind::Units => "units past what is free".to_owned(),
        PartKind::Tier(place) => format!("units of tier {}", place.saturating_add(1)),
        PartKind::Flat(place) => format!("tier {} itself", place.saturating_add(1)),
        PartKind::Kept => "what was charged before on other terms is not given back".to_owned(),
        PartKind::Most => "past the meter's most, not billed".to_owned(),
        PartKind::Earlier => "of it before the move, on the same terms".to_owned(),
    }
}

/// Steps of a quantity as units.
#[expect(clippy::arithmetic_side_effects, reason = "rationals have no range to leave")]
fn decimal(steps: &ExactSteps) -> String {
    let units = steps / ExactSteps::from_integer(STEPS_PER_UNIT.into());
    match i128::try_from(steps.to_integer()).ok().filter(|_| steps.is_integer()) {
        Some(steps) => {
            let sign = if steps < 0 { "-" } else { "" };
            format!("{sign}{}", Units::from_steps(steps.unsigned_abs()))
        }
        None => units.to_string(),
    }
}

fn explained_charge(charge: Charge) -> ExplainedCharge {
    let kind = match charge.kind() {
        records::EntryKind::Charge => EntryKind::Charge,
        records::EntryKind::Void => EntryKind::Void,
        records::EntryKind::Carried => EntryKind::Carried,
        records::EntryKind::Counted => EntryKind::Counted,
        records::EntryKind::Time => EntryKind::Time,
    };
    ExplainedCharge {
        position: charge.position,
        kind,
        id: charge.id,
        item: Some(charge.item).filter(|_| matches!(kind, EntryKind::Charge | EntryKind::Void)),
        window_id: charge.window,
        meter: charge.cell,
        units: charge.units,
        admitted_at: charge.admitted_at,
        charge_nanos: charge.charge,
        remainder_nanos: charge.remainder,
        voided_by: charge.voided_by,
    }
}
