//! The reference model of money: slow and obvious. It keeps every charge and works everything out again from all of them, in big
//! rationals, and shares no line with `engine/src/money`.

use jiff::tz::Offset;
use jiff::{Timestamp, ToSpan};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Nanodollars in a cent.
const CENT: i128 = 10_000_000;
/// Billionths in a unit.
pub const UNIT: i128 = 1_000_000_000;

/// What a meter costs.
#[derive(Clone, Debug)]
pub enum Price {
    /// So many micros per so many units past the included ones.
    Linear {
        /// Micro-dollars.
        micros: i128,
        /// Units that they buy.
        per: i128,
        /// Units that are free.
        included: i128,
    },
    /// Each tier's units at its own price: (last unit, micros, per).
    Graduated(Vec<(Option<i128>, i128, i128)>),
    /// All units at the price of the tier that they reach.
    Volume(Vec<(Option<i128>, i128, i128)>),
}

/// A plan's version.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// Recurring fee, in cents.
    pub fee: i128,
    /// Prices by meter.
    pub prices: BTreeMap<String, Price>,
    /// Least and most of a month, in cents.
    pub bounds: (Option<i128>, Option<i128>),
    /// Whether what passes the most is refused.
    pub blocks: bool,
    /// Credit grants: kind, cents, whether it recurs, days.
    pub grants: Vec<(&'static str, i128, bool, Option<i64>)>,
    /// Days of trial.
    pub trial_days: i64,
    /// A pack's price and credit, in cents.
    pub pack: Option<(i128, i128)>,
    /// Whether its previews are opaque.
    pub opaque: bool,
}

/// How each meter counts.
pub const METERS: &[(&str, &str)] = &[("a", "sum"), ("c", "count"), ("l", "last"), ("m", "max"), ("u", "unique")];

/// A pool of money.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Where its money comes from.
    pub kind: &'static str,
    /// `AVAILABLE`, `EXHAUSTED`, `EXPIRED` or `REVOKED`.
    pub state: &'static str,
    /// What is left, held and used, in nanodollars.
    pub amounts: (i128, i128, i128),
    /// When it ends.
    pub expires: Option<Timestamp>,
    /// Its id at the service, once known.
    pub id: String,
}

impl Pool {
    fn alive(&self) -> bool {
        self.state == "AVAILABLE" || self.state == "EXHAUSTED"
    }

    fn note(&mut self) {
        if self.alive() {
            self.state = if self.amounts.0 == 0 && self.amounts.1 == 0 { "EXHAUSTED" } else { "AVAILABLE" };
        }
    }
}

/// Who paid what of a charge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Payer {
    /// It is owed.
    Owed,
    /// This pool, by place.
    Pool(usize),
}

/// A report that was admitted.
#[derive(Clone, Debug)]
struct Use {
    meter: String,
    steps: i128,
    key: Option<String>,
}

/// Uses under one version.
#[derive(Clone, Debug)]
struct Stretch {
    version: usize,
    start: Timestamp,
    end: Timestamp,
    uses: Vec<Use>,
}

/// One period.
#[derive(Clone, Debug)]
pub struct Month {
    /// First moment, and the first after it.
    pub bounds: (Timestamp, Timestamp),
    /// What it costs for the plan, in cents.
    pub fee: i128,
    /// The fee that moves with credit have brought the rest of it down to.
    credited: Option<i128>,
    /// The version at its end.
    version: usize,
    stretches: Vec<Stretch>,
    /// What pools paid towards usage, and what is owed.
    pub paid: (i128, i128),
    /// Whether it has an invoice.
    pub invoiced: bool,
}

/// An admitted item.
#[derive(Clone, Debug)]
pub struct Item {
    /// What was sent.
    pub json: Json,
    /// Who paid.
    pub paid: Vec<(Payer, i128)>,
    /// Whether that was given back.
    pub refunded: bool,
}

/// A move to come.
#[derive(Clone, Debug)]
pub struct Move {
    /// To which version.
    pub to: usize,
    /// When; nothing while it is only offered.
    pub due: Option<Timestamp>,
    /// `none`, `prorate` or `credit`.
    pub proration: &'static str,
}

/// A subscriber.
#[derive(Clone, Debug)]
pub struct Subscriber {
    /// Its subscription's id.
    pub id: String,
    /// Its version.
    pub version: usize,
    /// Its fee, and the one from the next period on, in cents.
    pub pin: (i128, Option<i128>),
    start: Timestamp,
    trial_end: Option<Timestamp>,
    served_since: Timestamp,
    /// Its periods, oldest first.
    pub months: Vec<Month>,
    /// Its pools, oldest first.
    pub pools: Vec<Pool>,
    /// Its open holds: parts and end.
    pub holds: BTreeMap<String, (Vec<(usize, i128)>, Timestamp)>,
    /// A move to come.
    pub planned: Option<Move>,
    /// Everything admitted.
    pub items: BTreeMap<String, Item>,
    /// When it is to end.
    pub ends: Option<Timestamp>,
    /// When it ended.
    pub ended: Option<Timestamp>,
}

fn months_after(start: Timestamp, months: i64) -> Timestamp {
    let later = Offset::UTC.to_datetime(start).checked_add(months.months()).unwrap();
    Offset::UTC.to_timestamp(later).unwrap()
}

fn days_after(start: Timestamp, days: i64) -> Timestamp {
    start.checked_add((days * 24).hours()).unwrap()
}

fn micros(from: Timestamp, to: Timestamp) -> i128 {
    (i128::from(to.as_microsecond()) - i128::from(from.as_microsecond())).max(0)
}

fn floor_div(a: i128, b: i128, c: i128) -> i128 {
    let exact = BigRational::new(BigInt::from(a) * b, BigInt::from(c));
    exact.floor().to_integer().try_into().unwrap()
}

/// The part of `[start, end)` in which the plan is paid.
fn paid_time(bounds: (Timestamp, Timestamp), trial_end: Option<Timestamp>, from: Timestamp, to: Timestamp) -> i128 {
    let from = trial_end.unwrap_or(bounds.0).max(bounds.0).max(from);
    micros(from, to.min(bounds.1))
}

/// Exact nanodollars of a price for the units `before..before + steps`.
fn cost(price: &Price, before: i128, steps: i128) -> BigRational {
    let nanos = |steps: i128, micros: i128, per: i128| {
        BigRational::new(BigInt::from(steps) * micros * 1_000, BigInt::from(UNIT) * per)
    };
    match price {
        Price::Linear { micros, per, included } => {
            let free = (included * UNIT - before).max(0).min(steps);
            nanos(steps - free, *micros, *per)
        }
        Price::Graduated(tiers) => {
            let (mut sum, mut from) = (BigRational::from_integer(0.into()), 0);
            for (end, micros, per) in tiers {
                let to = end.map_or(i128::MAX, |end| end * UNIT);
                let inside = (before + steps).min(to) - before.max(from);
                sum += nanos(inside.max(0), *micros, *per);
                from = to;
            }
            sum
        }
        Price::Volume(tiers) => {
            let reached = before + steps;
            let tier = tiers.iter().find(|(end, ..)| end.is_none_or(|end| reached <= end * UNIT));
            tier.map_or(BigRational::from_integer(0.into()), |(_, micros, per)| nanos(steps, *micros, *per))
        }
    }
}

fn quantity(aggregation: &str, uses: &[&Use]) -> i128 {
    match aggregation {
        "sum" => uses.iter().map(|used| used.steps).sum(),
        "count" => uses.len() as i128 * UNIT,
        "max" => uses.iter().map(|used| used.steps).max().unwrap_or(0),
        "last" => uses.last().map_or(0, |used| used.steps),
        _ => uses.iter().filter_map(|used| used.key.as_ref()).collect::<BTreeSet<_>>().len() as i128 * UNIT,
    }
}

impl Stretch {
    fn quantities(&self) -> BTreeMap<&'static str, i128> {
        METERS
            .iter()
            .map(|(meter, aggregation)| {
                let uses: Vec<&Use> = self.uses.iter().filter(|used| used.meter == *meter).collect();
                (*meter, quantity(aggregation, &uses))
            })
            .collect()
    }
}

impl Month {
    /// The exact total of the stretch at `index`.
    fn exact(&self, index: usize, versions: &[Terms]) -> BigRational {
        let own = self.stretches[index].quantities();
        let terms = &versions[self.stretches[index].version];
        let mut sum = BigRational::from_integer(0.into());
        for (meter, steps) in own {
            let before: i128 = self.stretches[..index].iter().map(|stretch| stretch.quantities()[meter]).sum();
            if let Some(price) = terms.prices.get(meter) {
                sum += cost(price, before, steps);
            }
        }
        sum
    }

    fn floor(&self, index: usize, versions: &[Terms]) -> i128 {
        self.exact(index, versions).floor().to_integer().try_into().unwrap()
    }
}

impl Subscriber {
    /// A new subscriber of the newest version.
    pub fn new(id: &str, versions: &[Terms], now: Timestamp) -> Subscriber {
        let version = versions.len() - 1;
        let terms = &versions[version];
        let mut subscriber = Subscriber {
            id: id.to_owned(),
            version,
            pin: (terms.fee, None),
            start: now,
            trial_end: (terms.trial_days > 0).then(|| days_after(now, terms.trial_days)),
            served_since: now,
            months: Vec::new(),
            pools: Vec::new(),
            holds: BTreeMap::new(),
            planned: None,
            items: BTreeMap::new(),
            ends: None,
            ended: None,
        };
        subscriber.begin_month(versions);
        subscriber.grant(versions, now, true);
        subscriber
    }

    /// The open period.
    pub fn month(&mut self) -> &mut Month {
        self.months.last_mut().unwrap()
    }

    fn begin_month(&mut self, versions: &[Terms]) {
        let index = i64::try_from(self.months.len()).unwrap();
        let bounds = (months_after(self.start, index), months_after(self.start, index + 1));
        let fee = self.fee(bounds, bounds.1);
        let _ = versions;
        self.months.push(Month {
            bounds,
            fee,
            credited: None,
            version: self.version,
            stretches: Vec::new(),
            paid: (0, 0),
            invoiced: false,
        });
    }

    fn fee(&self, bounds: (Timestamp, Timestamp), until: Timestamp) -> i128 {
        let paid = paid_time(bounds, self.trial_end, bounds.0, until);
        floor_div(self.pin.0, paid, micros(bounds.0, bounds.1))
    }

    fn grant(&mut self, versions: &[Terms], now: Timestamp, first: bool) {
        let month_end = self.month().bounds.1;
        for (kind, cents, recurs, days) in versions[self.version].grants.clone() {
            if !recurs && !first {
                continue;
            }
            let ends = [recurs.then_some(month_end), days.map(|days| days_after(now, days))];
            self.add_pool(kind, cents * CENT, ends.into_iter().flatten().min());
        }
    }

    /// Adds a pool.
    pub fn add_pool(&mut self, kind: &'static str, nanos: i128, expires: Option<Timestamp>) {
        let state = if nanos == 0 { "EXHAUSTED" } else { "AVAILABLE" };
        self.pools.push(Pool { kind, state, amounts: (nanos, 0, 0), expires, id: String::new() });
    }

    /// Lets time pass up to `now`.
    pub fn pass(&mut self, versions: &[Terms], now: Timestamp) {
        while self.ended.is_none() {
            let hold = self.holds.iter().map(|(id, (_, end))| (*end, id.clone())).min();
            let pool = self.pools.iter().filter(|pool| pool.alive()).filter_map(|pool| pool.expires).min();
            let planned = self.planned.as_ref().and_then(|planned| planned.due);
            let month_end = self.month().bounds.1;
            let next = [
                hold.as_ref().map(|(at, _)| (*at, 0)),
                pool.map(|at| (at, 1)),
                self.ends.map(|at| (at, 2)),
                planned.map(|at| (at, 3)),
                Some((month_end, 4)),
            ];
            let (at, what) = next.into_iter().flatten().min().unwrap();
            if at > now {
                return;
            }
            match what {
                0 => self.release(&hold.unwrap().1),
                1 => self
                    .pools
                    .iter_mut()
                    .filter(|pool| pool.alive() && pool.expires.is_some_and(|end| end <= at))
                    .for_each(|pool| {
                        pool.state = "EXPIRED";
                        pool.amounts.0 = 0;
                    }),
                2 => self.end(at, false),
                3 => self.move_over(versions, at),
                _ => {
                    self.pin = (self.pin.1.unwrap_or(self.pin.0), None);
                    self.begin_month(versions);
                    self.grant(versions, at, false);
                }
            }
        }
    }

    /// Ends the subscription.
    pub fn end(&mut self, at: Timestamp, prorates: bool) {
        let bounds = self.month().bounds;
        if prorates || at == bounds.0 {
            let fee = self.fee(bounds, at);
            self.month().fee = fee;
        }
        for id in self.holds.keys().cloned().collect::<Vec<_>>() {
            self.release(&id);
        }
        self.close_stretches(at);
        self.month().bounds.1 = at;
        self.planned = None;
        self.ended = Some(at);
    }

    fn close_stretches(&mut self, at: Timestamp) {
        for stretch in &mut self.month().stretches {
            stretch.end = stretch.end.min(at);
        }
    }

    fn move_over(&mut self, versions: &[Terms], at: Timestamp) {
        let planned = self.planned.take().unwrap();
        self.close_stretches(at);
        let (old, new) = (self.pin.0, versions[planned.to].fee);
        let bounds = self.month().bounds;
        let length = micros(bounds.0, bounds.1);
        let in_period = at < bounds.1;
        self.version = planned.to;
        self.served_since = at;
        if in_period {
            self.month().version = planned.to;
        }
        match planned.proration {
            "prorate" if in_period => {
                self.pin = (new, None);
                let fee = self.fee(bounds, bounds.1);
                let moved = floor_div((old - new) * CENT, paid_time(bounds, self.trial_end, bounds.0, at), length);
                self.month().fee = fee;
                self.month().paid.1 += moved;
            }
            "credit" if in_period => {
                self.pin.1 = Some(new);
                let base = self.month().credited.unwrap_or(old).min(old);
                let credit =
                    floor_div((base - new).max(0) * CENT, paid_time(bounds, self.trial_end, at, bounds.1), length);
                if credit > 0 {
                    self.month().credited = Some(new);
                    self.add_pool("promo", credit, None);
                }
            }
            _ => self.pin.1 = Some(new),
        }
    }

    /// Lets a hold go.
    pub fn release(&mut self, id: &str) {
        for (pool, nanos) in self.holds.remove(id).unwrap().0 {
            let pool = &mut self.pools[pool];
            pool.amounts.1 -= nanos;
            if pool.alive() {
                pool.amounts.0 += nanos;
                pool.note();
            }
        }
    }

    fn order(&self, now: Timestamp) -> Vec<usize> {
        let rank = |kind: &str| ["included", "promo", "referral", "prepaid"].iter().position(|known| *known == kind);
        let mut usable: Vec<usize> = (0..self.pools.len())
            .filter(|&index| self.pools[index].alive() && self.pools[index].expires.is_none_or(|end| end > now))
            .collect();
        usable.sort_by_key(|&index| {
            let pool = &self.pools[index];
            (pool.expires.is_none(), pool.expires, rank(pool.kind), index)
        });
        usable
    }

    /// Sets money aside; whether the plan allows it.
    pub fn hold(&mut self, id: &str, nanos: i128, end: Timestamp, versions: &[Terms], now: Timestamp) -> bool {
        let mut left = nanos;
        let mut parts = Vec::new();
        for index in self.order(now) {
            let part = left.min(self.pools[index].amounts.0);
            if part > 0 {
                parts.push((index, part));
                left -= part;
            }
        }
        let room = self.room(versions);
        if versions[self.version].blocks && left > 0 && left > room.unwrap() {
            return false;
        }
        for (index, part) in &parts {
            self.pools[*index].amounts.0 -= part;
            self.pools[*index].amounts.1 += part;
        }
        self.holds.insert(id.to_owned(), (parts, end));
        true
    }

    /// How much more may be owed; may be negative. Nothing where there is no bound.
    fn room(&mut self, versions: &[Terms]) -> Option<i128> {
        let terms = &versions[self.version];
        let bound = match terms.bounds.1 {
            Some(most) => Some(((most - self.month().fee) * CENT).max(0)),
            None => terms.blocks.then_some(0),
        };
        bound.map(|bound| bound - self.month().paid.1)
    }

    /// Whether a pack may be bought.
    pub fn may_buy(&mut self, versions: &[Terms]) -> bool {
        let terms = &versions[self.version];
        let price = terms.pack.unwrap().0 * CENT;
        terms.bounds.1.is_none() || self.room(versions).is_none_or(|room| price <= room)
    }

    /// What these uses would cost now, rounded down at each.
    pub fn estimate(&mut self, uses: &[(String, i128, Option<String>)], versions: &[Terms], now: Timestamp) -> i128 {
        let mut copy = self.clone();
        let index = copy.stretch(now);
        let before = copy.month().floor(index, versions);
        for (meter, steps, key) in uses {
            let used = Use { meter: meter.clone(), steps: *steps, key: key.clone() };
            copy.month().stretches[index].uses.push(used);
        }
        (copy.month().floor(index, versions) - before).max(0)
    }

    fn stretch(&mut self, now: Timestamp) -> usize {
        let (version, since) = (self.version, self.served_since);
        let month = self.month();
        let open = month.stretches.iter().position(|stretch| stretch.version == version && stretch.end > now);
        open.unwrap_or_else(|| {
            let start = month.bounds.0.max(since);
            month.stretches.push(Stretch { version, start, end: month.bounds.1, uses: Vec::new() });
            month.stretches.len() - 1
        })
    }

    /// Admits an item's uses, or says that the plan refuses them. A hold's money pays first.
    pub fn admit(
        &mut self,
        item: &Json,
        uses: &[(String, i128, Option<String>)],
        hold: Option<&str>,
        versions: &[Terms],
        now: Timestamp,
    ) -> bool {
        let before = self.clone();
        let mut paid = Vec::new();
        for (meter, steps, key) in uses {
            let index = self.stretch(now);
            let floor = self.month().floor(index, versions);
            let used = Use { meter: meter.clone(), steps: *steps, key: key.clone() };
            self.month().stretches[index].uses.push(used);
            let due = self.month().floor(index, versions) - floor;
            if !self.settle(due, hold, versions, now, &mut paid) {
                *self = before;
                return false;
            }
        }
        if let Some(hold) = hold {
            self.release(hold);
        }
        let id = item["id"].as_str().unwrap().to_owned();
        self.items.insert(id, Item { json: item.clone(), paid, refunded: false });
        true
    }

    fn settle(
        &mut self,
        due: i128,
        hold: Option<&str>,
        versions: &[Terms],
        now: Timestamp,
        paid: &mut Vec<(Payer, i128)>,
    ) -> bool {
        let mut left = due;
        if due > 0 {
            let parts = hold.map(|hold| self.holds[hold].0.clone()).unwrap_or_default();
            for (place, (index, part)) in parts.into_iter().enumerate() {
                let amount = part.min(left);
                self.holds.get_mut(hold.unwrap()).unwrap().0[place].1 -= amount;
                self.pools[index].amounts.1 -= amount;
                self.use_pool(index, amount, &mut left, paid);
            }
            for index in self.order(now) {
                let amount = left.min(self.pools[index].amounts.0);
                self.pools[index].amounts.0 -= amount;
                self.use_pool(index, amount, &mut left, paid);
            }
            let room = self.room(versions);
            let owed = room.map_or(left, |room| left.min(room.max(0)));
            if owed < left && versions[self.version].blocks {
                return false;
            }
            self.month().paid.1 += owed;
            paid.push((Payer::Owed, owed));
        } else if due < 0 {
            let back = (-left).min(self.month().paid.1.max(0));
            self.month().paid.1 -= back;
            paid.push((Payer::Owed, -back));
            left += back;
            for index in self.order(now).into_iter().rev() {
                let amount = (-left).min(self.pools[index].amounts.2);
                self.pools[index].amounts.0 += amount;
                self.use_pool(index, -amount, &mut left, paid);
            }
        }
        true
    }

    fn use_pool(&mut self, index: usize, amount: i128, left: &mut i128, paid: &mut Vec<(Payer, i128)>) {
        *left -= amount;
        let pool = &mut self.pools[index];
        pool.amounts.2 += amount;
        pool.note();
        self.month().paid.0 += amount;
        paid.push((Payer::Pool(index), amount));
    }

    /// Gives an item's money back, never more than it paid on the whole; what is owed first, then pools by age.
    pub fn refund(&mut self, id: &str) {
        let item = self.items.get_mut(id).unwrap();
        item.refunded = true;
        let paid = item.paid.clone();
        let mut left: i128 = paid.iter().map(|(_, amount)| amount).sum();
        let payers = std::iter::once(Payer::Owed).chain((0..self.pools.len()).map(Payer::Pool));
        for payer in payers {
            let sum: i128 = paid.iter().filter(|(known, _)| *known == payer).map(|(_, amount)| amount).sum();
            let amount = sum.min(left).max(0);
            left -= amount;
            match payer {
                Payer::Owed => self.month().paid.1 -= amount,
                Payer::Pool(index) if self.pools[index].alive() => {
                    // A falling price may have given some of it back already.
                    let amount = amount.min(self.pools[index].amounts.2);
                    self.pools[index].amounts.0 += amount;
                    self.pools[index].amounts.2 -= amount;
                    self.pools[index].note();
                }
                Payer::Pool(_) => {}
            }
        }
    }

    /// Takes a pool back.
    pub fn revoke(&mut self, index: usize) {
        if self.pools[index].alive() {
            self.pools[index].state = "REVOKED";
            self.pools[index].amounts.0 = 0;
        }
    }

    /// The invoice of a period: fee, usage, true-up and total in cents, and what is below a cent.
    pub fn invoice(&self, index: usize, versions: &[Terms]) -> (i128, i128, i128, i128, i128) {
        let month = &self.months[index];
        let usage = month.paid.1.div_euclid(CENT);
        let due = month.fee + usage;
        let true_up = versions[month.version].bounds.0.map_or(0, |least| (least - due).max(0));
        (month.fee, usage, true_up, due + true_up, month.paid.1.rem_euclid(CENT))
    }

    /// The transparent preview; opaque ones are this without money.
    pub fn preview(&mut self, versions: &[Terms]) -> Json {
        let opaque = versions[self.version].opaque;
        let pools: Vec<Pool> = self.pools.clone();
        let month = self.month().clone();
        let counts = pools
            .iter()
            .filter(|pool| pool.alive() || pool.amounts.1 != 0 || pool.expires.is_none_or(|end| end > month.bounds.0));
        if opaque {
            let allowances: Vec<Json> = counts
                .map(|pool| json!({ "kind": pool.kind, "state": pool.state, "expiresAt": pool.expires }))
                .collect();
            return json!({ "currency": "usd", "disclosure": "opaque", "recurringFeeCents": month.fee as i64, "allowances": allowances });
        }
        let allowances: Vec<Json> = counts
            .map(|pool| {
                let (left, held, used) = pool.amounts;
                json!({
                    "kind": pool.kind, "state": pool.state, "expiresAt": pool.expires,
                    "remainingNanos": left.to_string(), "heldNanos": held.to_string(), "consumedNanos": used.to_string(),
                })
            })
            .collect();
        let mut rated = 0;
        let windows: Vec<Json> = (month.stretches.iter().enumerate())
            .map(|(index, stretch)| {
                let floor = month.floor(index, versions);
                rated += floor;
                json!({
                    "windowStart": stretch.start, "windowEnd": stretch.end, "chargeCount": stretch.uses.len(), "ratedNanos": floor.to_string(),
                })
            })
            .collect();
        json!({
            "currency": "usd", "disclosure": "transparent", "recurringFeeCents": month.fee as i64, "windows": windows,
            "totals": { "ratedNanos": rated.to_string(), "fundedNanos": month.paid.0.to_string(), "receivableNanos": month.paid.1.to_string() },
            "allowances": allowances,
        })
    }
}
