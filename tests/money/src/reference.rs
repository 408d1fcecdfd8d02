//! The reference model of money: slow and obvious. It keeps every charge and works everything out again from all of them, in big
//! rationals, and shares no line with `engine/src/money`.

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp, ToSpan};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Nanodollars in a cent.
const CENT: i128 = 10_000_000;
/// Billionths in a unit.
pub const UNIT: i128 = 1_000_000_000;

/// What a meter costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    /// How a quantity makes an amount.
    pub shape: Shape,
    /// Units that are free: so many, or so many for each of another meter.
    pub included: (Option<&'static str>, i128),
    /// Least and most of a period, in cents.
    pub bounds: (Option<i128>, Option<i128>),
}

/// How a quantity makes an amount.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One rate for all.
    Linear(Rate),
    /// Each tier's units at its own rate.
    Graduated(Vec<Tier>),
    /// All units at the rate of the tier that they reach.
    Volume(Vec<Tier>),
}

/// So many micro-dollars per so many units; whether each that is started counts whole.
pub type Rate = (i128, i128, bool);
/// Credit: kind, cents, whether it recurs, days, periods after its own for which it is kept, and what it pays for.
pub type Grant = (&'static str, i128, bool, Option<i64>, i64, Scope);
/// A tier's last unit, rate, and what it costs by itself, in micro-dollars.
pub type Tier = (Option<i128>, Rate, i128);

/// A plan's version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    /// Recurring fee, in cents.
    pub fee: i128,
    /// Whether it is charged before the month, or the year, that it is for.
    pub advance: bool,
    /// Months that a fee is for: 1 or 12.
    pub months: usize,
    /// The fee of a subscription's beginning, in cents, and how many of the fees it is.
    pub intro: Option<(i128, usize)>,
    /// Prices by meter.
    pub prices: BTreeMap<String, Price>,
    /// Least and most of a month, in cents.
    pub bounds: (Option<i128>, Option<i128>),
    /// Whether what passes the most is refused.
    pub blocks: bool,
    /// Credit grants.
    pub grants: Vec<Grant>,
    /// Days of trial.
    pub trial_days: i64,
    /// A pack's price and credit, in cents, the days it lives, and what it pays for.
    pub pack: Option<(i128, i128, Option<i64>, Scope)>,
    /// Credit of any amount: what is paid on top, in basis points, the days it lives, and what it pays for.
    pub open_pack: Option<(i128, Option<i64>, Scope)>,
    /// Whether its previews are opaque.
    pub opaque: bool,
    /// Free units that meters use up together, and how many of them one of each takes.
    pub pool: Option<(i128, Vec<(&'static str, i128)>)>,
}

impl Terms {
    /// Whether a meter's level lasts: `s` does in every version.
    fn lasts(&self, meter: &str) -> bool {
        meter == "s" || (meter == SEATS && self.prices.contains_key(SEATS))
    }

    /// Whether these only add a price of what the others do not have: what the others say stays, but the fee of who comes.
    pub fn only_add_to(&self, other: &Terms) -> bool {
        let kept = |terms: &Terms| Terms { fee: 0, trial_days: 0, prices: BTreeMap::new(), ..terms.clone() };
        let is_kept = |(meter, price): (&String, &Price)| self.prices.get(meter) == Some(price);
        let is_new = |meter: &String| other.prices.contains_key(meter) || meter == SEATS;
        kept(self) == kept(other) && other.prices.iter().all(is_kept) && self.prices.keys().all(is_new)
    }

    /// The pool that a meter uses up with others.
    fn pool_of(&self, meter: &str) -> Option<&(i128, Vec<(&'static str, i128)>)> {
        self.pool.as_ref().filter(|(_, meters)| meters.iter().any(|(known, _)| *known == meter))
    }

    /// Whether a meter costs the same by other terms; its least is not for a use to pay.
    fn is_as(&self, other: &Terms, meter: &str) -> bool {
        let of =
            |terms: &Terms| terms.prices.get(meter).map(|price| (price.shape.clone(), price.included, price.bounds.1));
        of(self) == of(other) && self.pool_of(meter) == other.pool_of(meter)
    }
}

/// The meters that credit pays for; nothing where it pays for all.
pub type Scope = Option<&'static [&'static str]>;

/// How each meter counts.
pub const METERS: &[(&str, &str)] = &[
    ("a", "sum"),
    ("c", "count"),
    ("l", "last"),
    ("m", "max"),
    (SEATS, "time_weighted"),
    ("s", "time_weighted"),
    (CELL_X, "sum"),
    (CELL_Y, "sum"),
    ("u", "unique"),
];
/// The meter of a priced resource, which nobody reports: it is how many there are. A version that does not price it does not have it.
pub const SEATS: &str = "r";
/// Two cells of the meter `t`, which counts by `k`: to this model they are meters of their own.
pub const CELL_X: &str = "t[\"x\"]";
/// The item of a level that a month takes over, or that is counted: no item has its id.
const CARRIED: &str = "";
/// See [`CELL_X`].
pub const CELL_Y: &str = "t[\"y\"]";

/// A pool of money.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Where its money comes from.
    pub kind: &'static str,
    /// `AVAILABLE`, `EXHAUSTED`, `EXPIRED` or `REVOKED`.
    pub state: &'static str,
    /// What was put in.
    pub granted: i128,
    /// What is left, held and used, in nanodollars.
    pub amounts: (i128, i128, i128),
    /// When it ends.
    pub expires: Option<Timestamp>,
    /// What it pays for.
    pub scope: Scope,
    /// What it cost, where it was bought.
    pub price: Option<i128>,
    /// Whether a move to a cheaper plan gave it.
    pub from_move: bool,
    /// Whether nothing was in it when a month ended: nobody looks at it any more.
    pub gone: bool,
}

impl Pool {
    fn alive(&self) -> bool {
        self.state == "AVAILABLE" || self.state == "EXHAUSTED"
    }

    fn empty(&self) -> bool {
        self.amounts.0 == 0 && self.amounts.1 == 0
    }

    fn note(&mut self) {
        if self.alive() {
            self.state = if self.empty() { "EXHAUSTED" } else { "AVAILABLE" };
        }
    }
}

/// A report that was admitted.
#[derive(Clone, Debug)]
struct Use {
    item: String,
    meter: String,
    steps: i128,
    key: Option<String>,
    /// When it happened.
    at: Timestamp,
    /// Whether it was taken out again.
    void: bool,
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
    /// The end that was planned.
    planned_end: Timestamp,
    /// From when on it is charged.
    charged_from: Timestamp,
    /// The pin that it began with, in cents.
    pub fee: i128,
    /// What its fee is, in cents, where it is an introductory one.
    intro: Option<i128>,
    /// The fee that the rest of it is paid at, in cents.
    current: i128,
    /// What trial, moves and an end made it cost more.
    fee_postings: i128,
    /// What moves gave as credit where the fee fell.
    given: i128,
    /// What both made of its fee in the months before it that the fee is for too.
    earlier: i128,
    /// What its fee is for; nothing where no fee is for it.
    fee_time: Option<(Timestamp, Timestamp)>,
    /// Whether an earlier invoice has that fee, and whether the next month has another one.
    place: (bool, bool),
    /// What its invoice has of fees, in cents; worked out while it is open.
    due: Option<i128>,
    /// The version at its end.
    version: usize,
    /// Up to when levels that last have held.
    until: Timestamp,
    stretches: Vec<Stretch>,
    /// Everything that is owed beside the fee.
    pub receivable: i128,
    /// Who pays for usage: what is owed of it, what each pool paid, and what nobody pays (negative: kept).
    owed: i128,
    paid: BTreeMap<usize, i128>,
    unbilled: i128,
    /// What the last fall took from what was owed or waived.
    settled: i128,
    /// The subscriber's own most, in cents, as it holds in the month.
    most: Option<i128>,
    /// Whether it has an invoice.
    pub invoiced: bool,
}

/// An admitted item.
#[derive(Clone, Debug)]
pub struct Item {
    /// What was sent.
    pub json: Json,
    /// The month that it was admitted in.
    month: usize,
    /// Whether it was taken out.
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
    /// Whether it leaves the fee as it was agreed to.
    pub keeps_fee: bool,
}

/// What a subject had before.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// A trial.
    pub trial: bool,
    /// An introductory fee.
    pub intro: bool,
    /// Promotional credit that a plan gave once.
    pub promoted: bool,
}

/// An invoice in cents: fee, usage, true-up, total, what is carried, and nanodollars below a cent.
pub type Sums = (i128, i128, i128, i128, i128, i128);

/// What pools are asked to pay of a month's usage: of each set of meters that the same pools pay for, then of the rest.
#[derive(Clone, Debug)]
pub struct Asked {
    parts: Vec<BTreeSet<String>>,
    /// What each part comes to.
    sums: Vec<i128>,
    /// What all of it comes to.
    rated: i128,
}

impl Asked {
    /// What is asked of each part where all comes to so much.
    fn of(&self, all: i128) -> Vec<i128> {
        let mut left = all.max(0);
        let mut asked = Vec::new();
        for sum in &self.sums {
            asked.push((*sum).clamp(0, left));
            left -= asked.last().unwrap();
        }
        asked.push(left);
        asked
    }

    /// The most that pools pay of what is asked: the least cut between the parts and the pools.
    fn most(&self, asked: &[i128], pools: &[(Scope, i128)]) -> i128 {
        let pays = |scope: &Scope, part: usize| match (scope, self.parts.get(part)) {
            (None, _) => true,
            (Some(scope), Some(part)) => part.iter().all(|meter| scope.contains(&meter.as_str())),
            (Some(_), None) => false,
        };
        let cut = |cut: usize| {
            let is_cut = |part: &usize| (cut >> part) & 1 == 1;
            let usage: i128 = (0..asked.len()).filter(is_cut).map(|part| asked[part]).sum();
            let reaches = |scope: &Scope| (0..asked.len()).any(|part| !is_cut(&part) && pays(scope, part));
            usage + pools.iter().filter(|(scope, _)| reaches(scope)).map(|(_, money)| money).sum::<i128>()
        };
        (0..1 << asked.len()).map(cut).min().unwrap()
    }

    /// What each of these pools pays, where those before it pay as much as they can.
    fn each(&self, asked: &[i128], pools: &[(Scope, i128)]) -> Vec<i128> {
        let most = |count: usize| self.most(asked, &pools[..count]);
        (0..pools.len()).map(|place| most(place + 1) - most(place)).collect()
    }

    /// How much more one of these pools pays of up to `money` more, while each of the others pays as much as before.
    fn more(&self, asked: &[i128], pools: &mut [(Scope, i128)], place: usize, money: i128) -> i128 {
        let before = self.most(asked, pools);
        let paid = pools[place].1;
        pools[place].1 += money;
        let more = self.most(asked, pools) - before;
        pools[place].1 = paid + more;
        more
    }

    /// Which parts these pools have paid for: as much as can be of the last, then of the one before it.
    fn covered(&self, asked: &[i128], pools: &[(Scope, i128)]) -> Vec<i128> {
        let most = |count: usize| {
            let some: Vec<i128> =
                asked.iter().enumerate().map(|(part, asked)| if part >= count { *asked } else { 0 }).collect();
            self.most(&some, pools)
        };
        (0..asked.len()).map(|part| most(part) - most(part + 1)).collect()
    }
}

/// What is set aside of which pools.
type Parts = Vec<(usize, i128)>;

/// A subscriber.
#[derive(Clone, Debug)]
pub struct Subscriber {
    /// Its subscription's id.
    pub id: String,
    /// Its version.
    pub version: usize,
    /// Its fee, and the one from the next period on, in cents.
    pub pin: (i128, Option<i128>),
    /// Where the months are counted from, and which is the first.
    anchor: (Timestamp, usize),
    /// Months that a fee is for.
    fee_months: usize,
    /// The fee that it began with, and how many are left.
    pub intro: Option<(i128, usize)>,
    /// The most of a month that it has of its own, in cents.
    most: Option<i128>,
    /// When its trial ends.
    pub trial_end: Option<Timestamp>,
    /// Whether its plan gave it promotional credit once.
    pub promoted: bool,
    served_since: Timestamp,
    /// Its periods, oldest first.
    pub months: Vec<Month>,
    /// Its pools, in the order in which they were given.
    pub pools: Vec<Pool>,
    /// Its open holds: parts, end, and what of them no pool covers where the plan refuses.
    pub holds: BTreeMap<String, (Parts, Timestamp, i128)>,
    /// A move to come.
    pub planned: Option<Move>,
    /// Everything admitted.
    pub items: BTreeMap<String, Item>,
    /// How many there are of the resource that some versions price.
    pub seats: i128,
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

fn whole(number: i128) -> BigRational {
    BigRational::from_integer(number.into())
}

/// Exact nanodollars of a quantity at a rate.
fn at_rate(quantity: &BigRational, (micros, per, up): Rate) -> BigRational {
    let packages = quantity / whole(UNIT * per);
    (if up { packages.ceil() } else { packages }) * whole(micros * 1_000)
}

fn end_of(tier: &Tier) -> Option<BigRational> {
    tier.0.map(|end| whole(end * UNIT))
}

/// Exact nanodollars of a shape for a quantity past what is free that goes from `before` to `reached`.
fn shaped(shape: &Shape, before: &BigRational, reached: &BigRational) -> BigRational {
    match shape {
        Shape::Linear(rate) => at_rate(reached, *rate) - at_rate(before, *rate),
        Shape::Graduated(tiers) => {
            let sum = |quantity: &BigRational| {
                let (mut sum, mut from) = (whole(0), whole(0));
                for tier in tiers {
                    let to = end_of(tier).map_or(quantity.clone(), |end| end.min(quantity.clone()));
                    if to > from {
                        sum += whole(tier.2 * 1_000) + at_rate(&(&to - &from), tier.1);
                        from = to;
                    }
                }
                sum
            };
            sum(reached) - sum(before)
        }
        Shape::Volume(tiers) => {
            let tier = |quantity: &BigRational| {
                tiers.iter().find(|tier| end_of(tier).is_none_or(|end| *quantity <= end)).unwrap()
            };
            let flat = |quantity: &BigRational| if *quantity == whole(0) { 0 } else { tier(quantity).2 * 1_000 };
            let rate = tier(reached).1;
            at_rate(reached, rate) - at_rate(before, rate) + whole(flat(reached) - flat(before))
        }
    }
}

/// Exact nanodollars of a price, beside what was charged for the quantity before it by other terms.
fn cost(
    price: &Price,
    (before, reached): (BigRational, BigRational),
    free: &BigRational,
    charged: &BigRational,
) -> BigRational {
    let past = |quantity: BigRational| (quantity - free).max(whole(0));
    let way = shaped(&price.shape, &past(before), &past(reached)).max(whole(0));
    let Some(most) = price.bounds.1.map(|cents| whole(cents * CENT)) else { return way };
    way.min((most - charged).max(whole(0)))
}

/// How a meter counts.
fn aggregation(meter: &str) -> &'static str {
    METERS.iter().find(|(known, _)| *known == meter).unwrap().1
}

/// What uses come to, all of them, in the order in which they were admitted.
fn quantity(aggregation: &str, uses: &[&Use]) -> i128 {
    match aggregation {
        // A use of a meter that counts is of as many as it stands for.
        "sum" | "count" => uses.iter().map(|used| used.steps).sum(),
        "max" => uses.iter().map(|used| used.steps).max().unwrap_or(0),
        "last" => {
            uses.iter().enumerate().max_by_key(|(place, used)| (used.at, *place)).map_or(0, |(_, used)| used.steps)
        }
        _ => uses.iter().filter_map(|used| used.key.as_ref()).collect::<BTreeSet<_>>().len() as i128 * UNIT,
    }
}

impl Month {
    /// Who pays for its usage: what is owed, what each pool paid, and what nobody pays.
    fn paid_by(&self) -> (i128, BTreeMap<usize, i128>, i128) {
        let paid = self.paid.iter().filter(|(_, paid)| **paid != 0).map(|(pool, paid)| (*pool, *paid));
        (self.owed, paid.collect(), self.unbilled)
    }

    /// The first of the stretches up to one in which a meter is there without a break: a level that lasts begins anew behind one.
    fn unbroken(&self, meter: &str, index: usize, versions: &[Terms]) -> usize {
        if meter != SEATS {
            return 0;
        }
        (0..index).rev().find(|at| !self.terms_of(*at, versions).lasts(meter)).map_or(0, |at| at + 1)
    }

    /// What a meter has come to from a stretch on by the end of so many stretches.
    fn level(&self, meter: &str, aggregation: &str, from: usize, stretches: usize) -> BigRational {
        let uses = self.stretches[from.min(stretches)..stretches].iter().flat_map(|stretch| &stretch.uses);
        let uses: Vec<&Use> = uses.filter(|used| used.meter == meter && !used.void).collect();
        if aggregation == "time_weighted" {
            return self.weighted(uses, stretches);
        }
        whole(quantity(aggregation, &uses))
    }

    /// The sum of each level times how long it holds, by the length of the month.
    fn weighted(&self, mut uses: Vec<&Use>, stretches: usize) -> BigRational {
        let Some(last) = stretches.checked_sub(1) else { return whole(0) };
        let until = self.stretches[last].end.min(self.until);
        uses.sort_by_key(|used| used.at);
        let mut sum = whole(0);
        for (place, used) in uses.iter().enumerate() {
            let next = uses.get(place + 1).map_or(until, |next| next.at.min(until));
            sum += whole(used.steps) * whole(micros(used.at.max(self.bounds.0), next.max(self.bounds.0)));
        }
        let end = if self.fee_time.is_some() { self.planned_end } else { months_after(self.bounds.0, 1) };
        sum / whole(micros(self.bounds.0, end))
    }

    /// The level that a meter is at under the version of the last stretch, and since when.
    fn newest(&self, meter: &str, versions: &[Terms]) -> Option<(i128, Timestamp)> {
        let last = self.stretches.len().checked_sub(1)?;
        if !self.terms_of(last, versions).lasts(meter) {
            return None;
        }
        let from = self.unbroken(meter, last, versions);
        let uses = self.stretches[from..].iter().flat_map(|stretch| &stretch.uses);
        let uses = uses.filter(|used| used.meter == meter && !used.void).enumerate();
        let newest = uses.max_by_key(|(place, used)| (used.at, *place))?.1;
        Some((newest.steps, newest.at))
    }

    /// The levels that go on into the next month, under the same version or another.
    fn left(&self, next: &Terms, versions: &[Terms]) -> Vec<(&'static str, i128, Timestamp)> {
        let lasting = [SEATS, "s"].into_iter().filter(|meter| next.lasts(meter));
        let left = lasting.filter_map(|meter| self.newest(meter, versions).map(|(steps, at)| (meter, steps, at)));
        left.filter(|(_, steps, _)| *steps > 0).collect()
    }

    /// Units of a meter that pools made free by the end of so many stretches: taken in order, each use gets what all before it left.
    fn pooled(&self, wanted: &str, stretches: usize, versions: &[Terms]) -> i128 {
        let (mut levels, mut free): (BTreeMap<&str, i128>, i128) = Default::default();
        for stretch in &self.stretches[..stretches] {
            let pool = versions[stretch.version].pool.as_ref();
            for used in stretch.uses.iter().filter(|used| !used.void) {
                let weight = |meter: &str| {
                    pool.and_then(|(_, meters)| meters.iter().find(|(known, _)| *known == meter))
                        .map(|(_, weight)| *weight)
                };
                if let (Some((units, _)), Some(own)) = (pool, weight(&used.meter)) {
                    let taken: i128 = levels.iter().map(|(meter, level)| level * weight(meter).unwrap_or(0)).sum();
                    let left = ((units * UNIT - taken).max(0) + own - 1) / own;
                    if used.meter == wanted {
                        free += left.min(used.steps);
                    }
                }
                *levels.entry(&used.meter).or_default() += used.steps;
            }
        }
        free
    }

    /// What a meter costs in the stretch at `index`, exactly.
    fn exact(&self, index: usize, meter: &str, versions: &[Terms]) -> BigRational {
        let mut costs: Vec<BigRational> = Vec::new();
        // Where its terms began to count: stretches on the same terms are as one.
        let mut from = 0;
        for at in 0..=index {
            if at > 0 && !self.terms_of(at, versions).is_as(self.terms_of(at - 1, versions), meter) {
                from = at;
            }
            let charged = |stretches: &[BigRational]| stretches.iter().fold(whole(0), |sum, cost| sum + cost);
            let all = self.since(from, at, meter, &charged(&costs[..from]), versions);
            costs.push(all.map_or(whole(0), |all| all - charged(&costs[from..])));
        }
        costs.swap_remove(index)
    }

    fn terms_of<'t>(&self, stretch: usize, versions: &'t [Terms]) -> &'t Terms {
        &versions[self.stretches[stretch].version]
    }

    /// What a meter costs from the beginning of the stretch at `from` to the end of the one at `index`, where anything in that moves it.
    fn since(
        &self,
        from: usize,
        index: usize,
        meter: &str,
        charged: &BigRational,
        versions: &[Terms],
    ) -> Option<BigRational> {
        let terms = self.terms_of(index, versions);
        let price = terms.prices.get(meter)?;
        let is_used = |meter: &str, at: usize| {
            // What lasts goes on in all that follows.
            let lasts = aggregation(meter) == "time_weighted";
            let first = if lasts { self.unbroken(meter, at, versions) } else { at };
            self.stretches[first..=at].iter().any(|stretch| stretch.uses.iter().any(|used| used.meter == meter))
        };
        let (per, units) = price.included;
        // It also moves where what its free units go by does.
        let moves_with = per.is_some_and(|per| is_used(per, index)) && (0..index).any(|at| is_used(meter, at));
        if !is_used(meter, index) && !moves_with {
            return None;
        }
        let level = |meter: &str, stretches| {
            self.level(meter, aggregation(meter), self.unbroken(meter, index, versions), stretches)
        };
        // What another plan's pool made free counts against a plan that has none for the meter.
        let is_pooled = terms.pool_of(meter).is_some();
        let pooled = |stretches| if is_pooled { self.pooled(meter, stretches, versions) } else { 0 };
        let own = |stretches| level(meter, stretches) - whole(pooled(stretches));
        let free = whole(units) * per.map_or(whole(UNIT), |per| level(per, index + 1));
        Some(cost(price, (own(from), own(index + 1)), &free, charged))
    }

    /// The stretch at `index`, rounded down.
    fn floor(&self, index: usize, versions: &[Terms]) -> i128 {
        let sum: BigRational = METERS.iter().map(|(meter, _)| self.exact(index, meter, versions)).sum();
        sum.floor().to_integer().try_into().unwrap()
    }

    /// What pools with these scopes are asked to pay.
    fn asked(&self, scopes: impl Iterator<Item = Scope>, versions: &[Terms]) -> Asked {
        let scopes: BTreeSet<BTreeSet<&str>> = scopes.flatten().map(|scope| scope.iter().copied().collect()).collect();
        let key = |meter: &str| meter.split('[').next().unwrap().to_owned();
        let mut parts: BTreeMap<Vec<usize>, BTreeSet<String>> = BTreeMap::new();
        for meter in METERS.iter().map(|(meter, _)| key(meter)) {
            let named: Vec<usize> = scopes
                .iter()
                .enumerate()
                .filter(|(_, scope)| scope.contains(&*meter))
                .map(|(place, _)| place)
                .collect();
            if !named.is_empty() {
                parts.entry(named).or_default().insert(meter);
            }
        }
        let parts: Vec<BTreeSet<String>> = parts.into_values().collect();
        let mut asked = Asked { sums: vec![0; parts.len()], parts, rated: 0 };
        for index in 0..self.stretches.len() {
            let exact: Vec<(String, BigRational)> =
                METERS.iter().map(|(meter, _)| (key(meter), self.exact(index, meter, versions))).collect();
            let floor = |counts: &dyn Fn(&String) -> bool| -> i128 {
                let sum: BigRational = exact.iter().filter(|(meter, _)| counts(meter)).map(|(_, exact)| exact).sum();
                sum.floor().to_integer().try_into().unwrap()
            };
            asked.rated += floor(&|_| true);
            for (sum, part) in asked.sums.iter_mut().zip(&asked.parts) {
                *sum += floor(&|meter| part.contains(meter));
            }
        }
        asked
    }

    /// What the leasts of meters add: what is missing of each, and with it the fractions of what was used.
    fn short(&self, versions: &[Terms]) -> i128 {
        let time = micros(self.charged_from.max(self.bounds.0), self.bounds.1.min(self.planned_end));
        let part = BigRational::new(time.into(), micros(self.bounds.0, self.planned_end).max(1).into());
        let used = |meter: &str| (0..self.stretches.len()).map(|index| self.exact(index, meter, versions)).sum();
        let mut missing = whole(0);
        for (meter, price) in &versions[self.version].prices {
            let used: BigRational = used(meter);
            missing += (whole(price.bounds.0.unwrap_or(0) * CENT) * &part - used.max(whole(0))).max(whole(0));
        }
        if missing == whole(0) {
            return 0;
        }
        let all: BigRational = METERS.iter().map(|(meter, _)| -> BigRational { used(meter) }).sum();
        let whole: i128 = (missing + all).floor().to_integer().try_into().unwrap();
        whole - self.rated(versions)
    }

    /// What its usage comes to, each stretch under its own version.
    pub fn rated(&self, versions: &[Terms]) -> i128 {
        (0..self.stretches.len()).map(|index| self.floor(index, versions)).sum()
    }

    /// What its usage would come to under one version.
    pub fn rated_under(&self, version: usize, versions: &[Terms]) -> i128 {
        let mut other = self.clone();
        other.stretches.iter_mut().for_each(|stretch| stretch.version = version);
        other.rated(versions)
    }

    /// Whether all of it is under one version, and at its price.
    pub fn is_under(&self, version: usize, versions: &[Terms]) -> bool {
        let same = self.stretches.iter().all(|stretch| stretch.version == version);
        same && self.version == version && self.fee == versions[version].fee
    }

    /// What `nanos` for the whole period are for the charged time between two moments.
    fn part(&self, nanos: i128, from: Timestamp, to: Timestamp) -> i128 {
        let time = micros(from.max(self.charged_from), to.min(self.planned_end));
        if time == 0 { 0 } else { floor_div(nanos, time, micros(self.bounds.0, self.planned_end)) }
    }

    fn post_fee(&mut self, nanos: i128) {
        self.fee_postings += nanos;
        self.receivable += nanos;
    }

    fn true_up(&self, pools: &[Pool], versions: &[Terms]) -> i128 {
        let (least, most) = (versions[self.version].bounds.0, self.bound(versions));
        let least = self.part(least.unwrap_or(0) * CENT, self.charged_from, self.bounds.1);
        let spent = self.spent_fee() + self.own(pools);
        let meters = self.short(versions).min(most.map_or(i128::MAX, |most| (most * CENT - spent).max(0)));
        if least == 0 { meters } else { meters + (least - spent - meters).max(0) }
    }

    /// The most that the month may cost, in cents: the plan's, or the subscriber's own where that is lower.
    fn bound(&self, versions: &[Terms]) -> Option<i128> {
        [versions[self.version].bounds.1, self.most].into_iter().flatten().min()
    }

    /// What its fee is.
    fn own_fee(&self) -> i128 {
        self.intro.unwrap_or(self.fee)
    }

    /// What the fee counts towards the bounds.
    fn spent_fee(&self) -> i128 {
        match self.fee_time {
            None => 0,
            Some(time) if time == (self.bounds.0, self.planned_end) => self.own_fee() * CENT + self.fee_postings,
            Some(_) => self.current * CENT / 12,
        }
    }

    /// What a fee for all of its time is for the charged part between two moments.
    fn part_of_fee(&self, cents: i128, from: Timestamp, to: Timestamp) -> i128 {
        let Some((start, end)) = self.fee_time else { return 0 };
        let whole_month = (start, end) == (self.bounds.0, self.planned_end);
        let first = if whole_month { self.charged_from } else { start };
        let time = micros(from.max(first), to.min(end));
        if time == 0 { 0 } else { floor_div(cents * CENT, time, micros(start, end)) }
    }

    /// What so many cents more, or less, are for the rest of what the fee is for. Each part of a fee is rounded down, and all of them together
    /// come to no less than nothing.
    fn rest_of_fee(&self, cents: i128, at: Timestamp) -> i128 {
        let so_far = self.own_fee() * CENT + self.earlier + self.fee_postings - self.given;
        self.part_of_fee(cents, at, Timestamp::MAX).max(-so_far)
    }

    /// What the subscriber pays for usage with own money.
    fn own(&self, pools: &[Pool]) -> i128 {
        let bought = self.paid.iter().filter(|(pool, _)| pools[**pool].kind == "prepaid");
        self.owed + bought.map(|(_, paid)| paid).sum::<i128>()
    }
}

impl Subscriber {
    /// A new subscriber of the newest version, with a past.
    pub fn new(id: &str, versions: &[Terms], past: &Past, most: Option<i128>, now: Timestamp) -> Subscriber {
        let version = versions.len() - 1;
        let terms = &versions[version];
        let mut subscriber = Subscriber {
            id: id.to_owned(),
            version,
            pin: (terms.fee, None),
            anchor: (now, 0),
            fee_months: terms.months,
            intro: terms.intro.filter(|_| !past.intro),
            most,
            trial_end: (terms.trial_days > 0 && !past.trial).then(|| days_after(now, terms.trial_days)),
            promoted: past.promoted || terms.grants.iter().any(|(kind, _, recurs, ..)| *kind == "promo" && !recurs),
            served_since: now,
            months: Vec::new(),
            pools: Vec::new(),
            holds: BTreeMap::new(),
            planned: None,
            items: BTreeMap::new(),
            seats: 0,
            ends: None,
            ended: None,
        };
        let trial_end = subscriber.trial_end;
        if terms.advance || (terms.months > 1 && trial_end.is_some()) {
            // The trial is a month of its own, or one of no length is, whose invoice comes at once.
            let end = trial_end.unwrap_or(now);
            subscriber.anchor = (end, 1);
            let mut first = subscriber.empty_month((now, end), end);
            (first.fee_time, first.place) = (None, (false, true));
            subscriber.months.push(first);
            if trial_end.is_none() {
                subscriber.finish(versions, false);
                subscriber.month().invoiced = true;
                subscriber.begin_month(versions);
            }
        } else {
            subscriber.begin_month(versions);
        }
        subscriber.grant(versions, now, |kind, recurs| recurs || kind != "promo" || !past.promoted);
        subscriber
    }

    /// Sets the most of a month that it has of its own, from now on, or takes it away. Returns what the month has come to.
    pub fn set_most(&mut self, most: Option<i128>) -> i128 {
        self.most = most;
        self.month().most = most;
        let month = self.months.last().unwrap();
        month.spent_fee() + month.own(&self.pools)
    }

    /// The open period.
    pub fn month(&mut self) -> &mut Month {
        self.months.last_mut().unwrap()
    }

    /// First moment of a month.
    fn start_of(&self, index: usize) -> Timestamp {
        months_after(self.anchor.0, i64::try_from(index - self.anchor.1).unwrap())
    }

    /// What is charged when a month ends: its fee, where that is due, and the next one, where that comes in advance.
    fn due(&self, versions: &[Terms]) -> i128 {
        let month = self.months.last().unwrap();
        if let Some(due) = month.due {
            return due;
        }
        let ((paid, last), ends) = (month.place, self.ends.is_some_and(|at| at <= month.bounds.1));
        let own = if month.fee_time.is_some() && !paid && (last || ends) { month.own_fee() } else { 0 };
        if !last || ends {
            return own;
        }
        let moves = self.planned.as_ref().filter(|planned| planned.due.is_some_and(|due| due <= month.bounds.1));
        let intro = self.intro.filter(|(_, left)| *left > 0).map(|(fee, _)| fee);
        let next = match moves {
            Some(planned) if versions[planned.to].advance => {
                intro.map_or(versions[planned.to].fee, |intro| intro.min(versions[planned.to].fee))
            }
            None if versions[self.version].advance => {
                let fee = self.pin.1.unwrap_or(self.pin.0);
                intro.map_or(fee, |intro| intro.min(fee))
            }
            _ => 0,
        };
        own + next
    }

    /// Settles what the month's invoice has of fees.
    fn finish(&mut self, versions: &[Terms], ended: bool) {
        let month = self.months.last().unwrap();
        let owes = month.fee_time.is_some() && !month.place.0;
        let due = if ended { if owes { month.own_fee() } else { 0 } } else { self.due(versions) };
        self.month().due = Some(due);
    }

    fn begin_month(&mut self, versions: &[Terms]) {
        let index = self.months.len();
        let bounds = (self.start_of(index), self.start_of(index + 1));
        for pool in &mut self.pools {
            pool.gone = pool.empty();
        }
        let place = (index - self.anchor.1) % self.fee_months;
        let before = self
            .months
            .last()
            .map(|month| (month.place.0, month.current, month.intro, month.earlier + month.fee_postings - month.given));
        if place == 0 {
            self.pin = (self.pin.1.unwrap_or(self.pin.0), None);
        }
        let charged_from = self.trial_end.unwrap_or(bounds.0).clamp(bounds.0, bounds.1);
        let mut month = self.empty_month(bounds, charged_from);
        month.fee_time = Some((self.start_of(index - place), self.start_of(index - place + self.fee_months)));
        month.place = (versions[self.version].advance && index > 0, place + 1 == self.fee_months);
        if place > 0 {
            (month.place.0, month.current, month.intro, month.earlier) = before.unwrap();
        } else if let Some((fee, left)) = self.intro.as_mut().filter(|(_, left)| *left > 0 && charged_from < bounds.1) {
            *left -= 1;
            month.intro = Some(month.fee.min(*fee));
            month.current = month.own_fee();
        }
        if self.fee_months == 1 {
            let trial = micros(bounds.0, charged_from);
            month.post_fee(floor_div(-month.own_fee() * CENT, trial, micros(bounds.0, bounds.1)));
        }
        self.months.push(month);
    }

    /// First moment after what the open month's fee is for.
    pub fn renewal(&mut self) -> Timestamp {
        let month = self.month();
        month.fee_time.map_or(month.planned_end, |(_, end)| end)
    }

    fn empty_month(&self, bounds: (Timestamp, Timestamp), charged_from: Timestamp) -> Month {
        Month {
            bounds,
            planned_end: bounds.1,
            charged_from,
            fee: self.pin.0,
            intro: None,
            current: self.pin.0,
            fee_postings: 0,
            given: 0,
            earlier: 0,
            fee_time: None,
            place: (false, false),
            due: None,
            version: self.version,
            until: bounds.0,
            stretches: Vec::new(),
            receivable: 0,
            owed: 0,
            paid: BTreeMap::new(),
            unbilled: 0,
            settled: 0,
            most: self.most,
            invoiced: false,
        }
    }

    fn grant(&mut self, versions: &[Terms], now: Timestamp, wanted: impl Fn(&str, bool) -> bool) {
        for (kind, cents, recurs, days, kept, scope) in versions[self.version].grants.clone() {
            if !wanted(kind, recurs) {
                continue;
            }
            let kept = self.months.len() + usize::try_from(kept).unwrap();
            let ends = [recurs.then(|| self.start_of(kept)), days.map(|days| days_after(now, days))];
            self.add_pool(kind, cents * CENT, ends.into_iter().flatten().min()).scope = scope;
        }
    }

    /// Adds a pool.
    pub fn add_pool(&mut self, kind: &'static str, nanos: i128, expires: Option<Timestamp>) -> &mut Pool {
        let state = if nanos == 0 { "EXHAUSTED" } else { "AVAILABLE" };
        let (amounts, price) = ((nanos, 0, 0), None);
        let (from_move, gone, scope) = (false, false, None);
        let pool = Pool { kind, state, granted: nanos, amounts, expires, scope, price, from_move, gone };
        self.pools.push(pool);
        self.pools.last_mut().unwrap()
    }

    /// Sells a pack.
    pub fn buy(&mut self, (price, credit, days, scope): (i128, i128, Option<i64>, Scope), now: Timestamp) {
        let pool = self.add_pool("prepaid", credit, days.map(|days| days_after(now, days)));
        (pool.price, pool.scope) = (Some(price), scope);
        self.month().receivable += price;
    }

    /// Takes out of an ended subscription what is left of bought credit: how much, when it ends, and what it pays for.
    pub fn take_bought(&mut self) -> Vec<(i128, Option<Timestamp>, Scope)> {
        let bought = self.pools.iter_mut().filter(|pool| pool.kind == "prepaid" && pool.state == "AVAILABLE");
        bought
            .map(|pool| {
                let left = std::mem::take(&mut pool.amounts.0);
                pool.state = "REVOKED";
                (left, pool.expires, pool.scope)
            })
            .collect()
    }

    /// The next moment at which something is due, what it is, and which hold is over then.
    fn next_event(&self) -> (Timestamp, u8, Option<String>) {
        let hold = self.holds.iter().map(|(id, (_, end, _))| (*end, id.clone())).min();
        let pool = self.pools.iter().filter(|pool| pool.alive() && !pool.gone).filter_map(|pool| pool.expires).min();
        let planned = self.planned.as_ref().and_then(|planned| planned.due);
        let next = [
            hold.as_ref().map(|(at, _)| (*at, 0)),
            pool.map(|at| (at, 1)),
            self.ends.map(|at| (at, 2)),
            planned.map(|at| (at, 3)),
            self.months.last().map(|month| (month.bounds.1, 4)),
        ];
        let (at, what) = next.into_iter().flatten().min().unwrap();
        (at, what, hold.map(|(_, id)| id))
    }

    /// Whether something is due by `now`. Where nothing is, whoever only looks writes nothing: how long levels have lasted by then is
    /// settled, in one, by who writes next.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.ended.is_none() && self.next_event().0 <= now
    }

    /// Lets time pass up to `now`, as whoever writes does.
    pub fn pass(&mut self, versions: &[Terms], now: Timestamp) {
        while self.ended.is_none() {
            let (at, what, hold) = self.next_event();
            if at > now {
                return self.last(versions, now, now);
            }
            self.last(versions, at, at - SignedDuration::from_micros(1));
            match what {
                0 => self.release(&hold.unwrap()),
                1 => self.expire(at),
                2 => self.end(versions, at, false),
                3 => self.move_over(versions, at),
                _ => self.turn_over(versions, at),
            }
        }
    }

    /// Ends the pools whose time is over.
    fn expire(&mut self, at: Timestamp) {
        let ends = |pool: &&mut Pool| pool.alive() && !pool.gone && pool.expires.is_some_and(|end| end <= at);
        for pool in self.pools.iter_mut().filter(ends) {
            pool.state = "EXPIRED";
            pool.amounts.0 = 0;
        }
    }

    /// Ends a month and begins the next, which takes levels over.
    fn turn_over(&mut self, versions: &[Terms], at: Timestamp) {
        self.finish(versions, false);
        let next = &versions[self.version];
        let left = self.month().left(next, versions);
        self.begin_month(versions);
        self.grant(versions, at, |_, recurs| recurs);
        for (meter, steps, since) in left {
            let stretch = self.stretch(at);
            self.use_up(CARRIED, meter, steps, None, stretch, since);
        }
        if self.served_since == at {
            // It was moved as the month before ended.
            self.count(versions, at);
        }
    }

    /// Lets levels last up to a moment; who pays is who could at another one. What passes a bound is not billed.
    fn last(&mut self, versions: &[Terms], until: Timestamp, paid_at: Timestamp) {
        let index = self.months.len() - 1;
        let without = self.asked(index, versions);
        let until = until.min(self.month().bounds.1);
        self.month().until = until.max(self.month().until);
        let asked = [without, self.asked(index, versions)];
        let room = self.room(index, versions);
        self.settle(index, &asked, None, (room, false), paid_at);
    }

    /// Ends the subscription. With proration the rest of the fee comes back, and what is left of the credit that moves gave for it.
    pub fn end(&mut self, versions: &[Terms], at: Timestamp, prorates: bool) {
        let month = self.month();
        let nothing_was_charged = match month.fee_time {
            Some((start, end)) if (start, end) != (month.bounds.0, month.planned_end) => at <= start,
            _ => at <= month.charged_from,
        };
        if prorates || nothing_was_charged {
            let rest = month.rest_of_fee(-month.current, at);
            month.post_fee(rest);
            let mut left = 0;
            for pool in self.pools.iter_mut().filter(|pool| pool.from_move && pool.alive()) {
                left += std::mem::take(&mut pool.amounts.0);
                pool.state = "REVOKED";
            }
            self.month().post_fee(-left);
        }
        for id in self.holds.keys().cloned().collect::<Vec<_>>() {
            self.release(&id);
        }
        self.close_stretches(at);
        self.finish(versions, true);
        self.month().bounds.1 = at;
        self.planned = None;
        self.ended = Some(at);
    }

    fn close_stretches(&mut self, at: Timestamp) {
        for stretch in &mut self.month().stretches {
            stretch.end = stretch.end.min(at);
        }
    }

    /// There are as many of the resource from now on as there are. By itself that costs nothing: only time does.
    pub fn count(&mut self, versions: &[Terms], now: Timestamp) {
        let (seats, lasts) = (self.seats * UNIT, versions[self.version].lasts(SEATS));
        let month = self.month();
        let known = month.newest(SEATS, versions).map_or(0, |(steps, _)| steps);
        if lasts && now < month.bounds.1 && known != seats {
            let stretch = self.stretch_from(now, now);
            self.use_up(CARRIED, SEATS, seats, None, stretch, now);
        }
    }

    fn move_over(&mut self, versions: &[Terms], at: Timestamp) {
        let planned = self.planned.take().unwrap();
        self.close_stretches(at);
        let new = versions[planned.to].fee;
        let opaque = versions[self.version].opaque || versions[planned.to].opaque;
        self.version = planned.to;
        self.served_since = at;
        if !planned.keeps_fee {
            self.pin.1 = Some(new);
        }
        let renewal = self.renewal();
        let month = self.month();
        if at < month.bounds.1 {
            month.version = planned.to;
            // Also where it is at nothing, since what set it to that may be taken out, and where the version does not have it.
            if [SEATS, "s"].iter().any(|meter| month.newest(meter, versions).is_some()) {
                self.stretch(at);
            }
            self.count(versions, at);
        }
        let month = self.month();
        if at >= renewal || planned.proration == "none" || planned.keeps_fee {
            return;
        }
        // The introductory fee goes on, on whichever version of the plan.
        let new = month.intro.map_or(new, |intro| new.min(intro));
        let difference = month.rest_of_fee(new - month.current, at);
        month.current = new;
        if planned.proration == "credit" && difference < 0 && !opaque {
            month.given -= difference;
            self.add_pool("promo", -difference, None).from_move = true;
        } else {
            month.post_fee(difference);
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

    /// The pools that can pay, in the order in which they do.
    fn order(&self, now: Timestamp) -> Vec<usize> {
        let (order, living) = self.payers(now);
        order.into_iter().take(living).collect()
    }

    /// All pools in the order in which they pay, but those that have ended behind the others; and how many have not.
    fn payers(&self, now: Timestamp) -> (Vec<usize>, usize) {
        let rank = |kind: &str| ["included", "promo", "referral", "prepaid"].iter().position(|known| *known == kind);
        let has_ended = |pool: &Pool| !pool.alive() || pool.expires.is_some_and(|end| end <= now);
        let mut order: Vec<usize> = (0..self.pools.len()).collect();
        order.sort_by_key(|&index| {
            let pool = &self.pools[index];
            let ends = (pool.expires.is_none(), pool.expires);
            (has_ended(pool), ends, pool.scope.is_none(), rank(pool.kind), index)
        });
        (order, self.pools.iter().filter(|pool| !has_ended(pool)).count())
    }

    /// What pools are asked to pay of a month: in the open one, those that somebody looks at.
    fn asked(&self, month: usize, versions: &[Terms]) -> Asked {
        let is_open = month + 1 == self.months.len();
        let scopes = self.pools.iter().filter(|pool| !is_open || !pool.gone).map(|pool| pool.scope);
        self.months[month].asked(scopes, versions)
    }

    /// What pools have paid for a month.
    fn paid(&self, month: usize, pools: &[usize]) -> Vec<(Scope, i128)> {
        let paid = |index: &usize| self.months[month].paid.get(index).copied().unwrap_or(0);
        pools.iter().map(|index| (self.pools[*index].scope, paid(index))).collect()
    }

    /// Sets money aside; whether the plan allows it.
    pub fn hold(
        &mut self,
        id: &str,
        (nanos, [without, with]): (i128, [Asked; 2]),
        end: Timestamp,
        versions: &[Terms],
        now: Timestamp,
    ) -> bool {
        let mut left = nanos;
        let mut parts = Vec::new();
        let open = self.months.len() - 1;
        let (order, living) = self.payers(now);
        let mut paid = self.paid(open, &order);
        let before = without.of(without.rated);
        let after = with.of(without.rated.max(0) + nanos);
        let each = without.each(&before, &paid);
        paid.iter_mut().zip(each).for_each(|(paid, each)| paid.1 = each);
        let covered = without.covered(&before, &paid);
        let asked: Vec<i128> =
            (0..before.len()).map(|part| covered[part] + (after[part] - before[part]).max(0)).collect();
        for (place, index) in order.iter().enumerate().take(living) {
            let part = without.more(&asked, &mut paid, place, left.min(self.pools[*index].amounts.0));
            if part > 0 {
                parts.push((*index, part));
                left -= part;
            }
        }
        let last = self.months.len() - 1;
        let blocks = versions[self.version].blocks;
        if blocks && left > 0 && left > self.room(last, versions).unwrap() - self.promised(None) {
            return false;
        }
        for (index, part) in &parts {
            self.pools[*index].amounts.0 -= part;
            self.pools[*index].amounts.1 += part;
        }
        self.holds.insert(id.to_owned(), (parts, end, if blocks { left } else { 0 }));
        true
    }

    /// What the open holds but this one may come to owe.
    fn promised(&self, but: Option<&str>) -> i128 {
        self.holds.iter().filter(|(id, _)| Some(id.as_str()) != but).map(|(_, (.., owed))| owed).sum()
    }

    /// How much more usage of a month may be paid with own money; may be negative. Nothing where there is no bound.
    fn room(&self, month: usize, versions: &[Terms]) -> Option<i128> {
        let month = &self.months[month];
        let terms = &versions[month.version];
        let bound = match month.bound(versions) {
            // What a plan refuses altogether no own most lets in.
            _ if terms.blocks && terms.bounds.1.is_none() => Some(0),
            Some(most) => Some((most * CENT - month.spent_fee()).max(0)),
            None => None,
        };
        bound.map(|bound| bound - month.own(&self.pools))
    }

    /// What these uses would cost now, rounded down at each; and what pools are asked to pay without them and with them.
    pub fn estimate(
        &mut self,
        uses: &[(String, i128, Option<String>)],
        versions: &[Terms],
        now: Timestamp,
    ) -> (i128, [Asked; 2]) {
        let mut copy = self.clone();
        let index = copy.stretch(now);
        let (before, open) = (copy.month().floor(index, versions), copy.months.len() - 1);
        let without = copy.asked(open, versions);
        for (meter, steps, _) in uses {
            if meter == "s" {
                // Nor how long a level will last.
                continue;
            }
            // Which key it will be is not known: it may be one that counts already.
            copy.use_up("", meter, *steps, None, index, now);
        }
        ((copy.month().floor(index, versions) - before).max(0), [without, copy.asked(open, versions)])
    }

    fn use_up(&mut self, item: &str, meter: &str, steps: i128, key: Option<String>, stretch: usize, at: Timestamp) {
        let (item, meter) = (item.to_owned(), meter.to_owned());
        self.month().stretches[stretch].uses.push(Use { item, meter, steps, key, at, void: false });
    }

    fn stretch(&mut self, now: Timestamp) -> usize {
        self.stretch_from(now, self.served_since)
    }

    /// The open stretch, or a new one that begins at a moment of the month.
    fn stretch_from(&mut self, now: Timestamp, since: Timestamp) -> usize {
        let version = self.version;
        let month = self.month();
        let is_open =
            |stretch: &Stretch| stretch.version == version && (stretch.end > now || stretch.end == month.bounds.1);
        let open = month.stretches.iter().rposition(is_open);
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
        let id = item["id"].as_str().unwrap().to_owned();
        let at: Timestamp = item["occurredAt"].as_str().map_or(now, |text| text.parse().unwrap());
        let last = self.months.len() - 1;
        for (meter, steps, key) in uses {
            let index = self.stretch(now);
            let without = self.asked(last, versions);
            let known = self.month().newest("s", versions);
            let (held, newest) = known.unwrap_or((0, Timestamp::MIN));
            self.use_up(&id, meter, *steps, key.clone(), index, at.min(now));
            let asked = [without, self.asked(last, versions)];
            let refuses = versions[self.version].blocks;
            let promised = if refuses { self.promised(hold) } else { 0 };
            let room = |all: &Subscriber| all.room(last, versions).map(|room| room - promised);
            let is_refused = self.settle(last, &asked, hold, (room(self), refuses), now) > 0 && refuses;
            let is_raised = meter == "s" && at.min(now) >= newest && *steps > held;
            if is_refused
                || (is_raised && refuses && {
                    let mut later = self.clone();
                    let without = later.asked(last, versions);
                    later.month().until = later.month().bounds.1;
                    let asked = [without, later.asked(last, versions)];
                    later.settle(last, &asked, None, (room(self), true), now) > 0
                })
            {
                *self = before;
                return false;
            }
        }
        if let Some(hold) = hold {
            self.release(hold);
        }
        self.items.insert(id, Item { json: item.clone(), month: last, refunded: false });
        true
    }

    /// Moves what a month's usage is worth more, or less. Returns what was waived.
    fn settle(
        &mut self,
        month: usize,
        [without, with]: &[Asked; 2],
        hold: Option<&str>,
        (room, refuses): (Option<i128>, bool),
        now: Timestamp,
    ) -> i128 {
        let (order, living) = self.payers(now);
        let (before, after) = (without.of(without.rated), with.of(with.rated));
        let lower: Vec<i128> = before.iter().zip(&after).map(|(before, after)| *before.min(after)).collect();
        let funded = |all: &Subscriber| all.months[month].paid.values().sum::<i128>();
        let bought = |all: &Subscriber| all.months[month].own(&all.pools) - all.months[month].owed;
        let (was_funded, was_bought) = (funded(self), bought(self));
        // What living pools paid for usage that is no more comes back to them.
        // A cut of usage into other parts, for credit that has come since, takes nothing back by itself.
        let paid = self.paid(month, &order);
        let placed = without.each(&lower, &paid);
        let stays = if lower == before { paid.iter().map(|(_, paid)| *paid).collect() } else { placed.clone() };
        for (place, index) in order.iter().enumerate().take(living) {
            self.pools[*index].amounts.0 += paid[place].1 - stays[place];
            self.pool_pays(month, *index, stays[place] - paid[place].1);
        }
        // What usage rises by is paid from what is kept, then from pools: each as far as it can, whatever the others pay for then.
        // What a pool has paid beyond what it can pay for by the new cut, a nano at most for each part, pays for none of that.
        let mut caps: Vec<(Scope, i128)> =
            order.iter().zip(placed).map(|(index, placed)| (self.pools[*index].scope, placed)).collect();
        let covered = without.covered(&lower, &caps);
        let rises: Vec<i128> = before.iter().zip(&after).map(|(before, after)| (after - before).max(0)).collect();
        let asked: Vec<i128> = covered.iter().zip(&rises).map(|(covered, rise)| covered + rise).collect();
        let kept = (-self.months[month].unbilled).max(0);
        let mut left = rises.iter().sum::<i128>() - (kept - (-without.rated).max(0)).max(0);
        let parts = hold.map(|hold| self.holds[hold].0.clone()).unwrap_or_default();
        let held = parts.into_iter().enumerate().map(|(place, (index, part))| (index, Some((place, part))));
        for (index, held) in held.chain(self.order(now).into_iter().map(|index| (index, None))).collect::<Vec<_>>() {
            let place = order.iter().position(|known| *known == index).unwrap();
            let money = held.map_or(self.pools[index].amounts.0, |(_, part)| part).min(left).max(0);
            let amount = without.more(&asked, &mut caps, place, money);
            left -= amount;
            match held {
                Some((place, _)) => {
                    self.holds.get_mut(hold.unwrap()).unwrap().0[place].1 -= amount;
                    self.pools[index].amounts.1 -= amount;
                }
                None => self.pools[index].amounts.0 -= amount,
            }
            self.pool_pays(month, index, amount);
        }
        let rest = with.rated - without.rated - (funded(self) - was_funded);
        let spent = bought(self) - was_bought;
        let waived = self.pay_rest(month, rest, spent, (room, refuses));
        if rest < 0 {
            let mut left = -rest - self.months[month].settled;
            for index in self.order(now).into_iter().rev() {
                let paid = self.months[month].paid.get(&index).copied().unwrap_or(0);
                let amount = left.min(paid);
                self.pools[index].amounts.0 += amount;
                self.pool_pays(month, index, -amount);
                left -= amount;
            }
            self.months[month].unbilled -= left;
        }
        // Who has got something back is looked at again; not who pays it at once.
        self.pools.iter_mut().for_each(|pool| pool.gone &= pool.empty());
        waived
    }

    /// Owes or waives what no pool pays, or takes that back; bought credit has just paid `spent` more. Returns what was waived.
    fn pay_rest(&mut self, index: usize, rest: i128, spent: i128, (room, refuses): (Option<i128>, bool)) -> i128 {
        let month = &mut self.months[index];
        let (owed, waived) = (month.owed, month.unbilled.max(0));
        let mut unpaid = rest;
        if rest >= 0 {
            let kept = (-month.unbilled).max(0).min(rest);
            month.unbilled += kept;
            unpaid -= kept;
        }
        // What bought credit pays counts as spending: past a most that waives, what is owed makes room for it, and where it comes back
        // there is room for what was waived.
        let room = room.map(|room| room - spent);
        let (mut owes, mut waives) = (0, 0);
        if rest >= 0 {
            let lowest = if refuses { 0 } else { -spent.clamp(0, owed.max(0)) };
            owes = room.map_or(unpaid, |room| unpaid.min(room.max(lowest)));
            waives = unpaid - owes;
        } else {
            waives -= waived.min(-rest);
            owes -= owed.min(-rest + waives);
        }
        month.settled = -(owes + waives);
        if let Some(room) = room.filter(|_| !refuses) {
            let more = match (spent, rest) {
                (..0, _) => (room - owes).max(0).min(-spent).min((month.unbilled + waives).max(0)),
                (_, ..0) => -(owes - room).max(0).min(spent).min(owed + owes),
                _ => 0,
            };
            owes += more;
            waives -= more;
        }
        month.owed += owes;
        month.receivable += owes;
        month.unbilled += waives;
        waives
    }

    fn pool_pays(&mut self, month: usize, index: usize, amount: i128) {
        let pool = &mut self.pools[index];
        pool.amounts.2 += amount;
        pool.note();
        if amount != 0 {
            *self.months[month].paid.entry(index).or_default() += amount;
        }
    }

    /// Takes an item out, in the month that it was admitted in. Whatever moves of what is owed there is owed in the open one, where it
    /// has an invoice already; after the end it is an invoice of its own.
    pub fn refund(&mut self, id: &str, versions: &[Terms], now: Timestamp) {
        let item = self.items.get_mut(id).unwrap();
        item.refunded = true;
        let index = item.month;
        let without = self.asked(index, versions);
        for stretch in &mut self.months[index].stretches {
            stretch.uses.iter_mut().filter(|used| used.item == id).for_each(|used| used.void = true);
        }
        let asked = [without, self.asked(index, versions)];
        let receivable = self.months[index].receivable;
        let before = self.months[index].paid_by();
        let room = self.last_bound(index, versions);
        self.settle(index, &asked, None, (room, false), now);
        // Who pays may change where what usage comes to does not.
        if self.months[index].invoiced && self.months[index].paid_by() != before {
            let moved = self.months[index].receivable - receivable;
            self.months[index].receivable = receivable;
            self.begin_note(now);
            self.month().receivable += moved;
            self.close_note();
        }
    }

    /// The room of a month that something is taken out of: that of the stretch it ended with.
    fn last_bound(&self, month: usize, versions: &[Terms]) -> Option<i128> {
        let last = self.months[month].stretches.last().map(|stretch| stretch.version)?;
        let mut copy = self.clone();
        copy.months[month].version = last;
        copy.room(month, versions)
    }

    /// Corrects what is owed.
    pub fn correct(&mut self, nanos: i128, now: Timestamp) {
        self.begin_note(now);
        self.month().receivable += nanos;
        self.close_note();
    }

    /// After the end, when everything is closed, begins a month of no length.
    fn begin_note(&mut self, now: Timestamp) {
        if !self.month().invoiced {
            return;
        }
        for pool in &mut self.pools {
            pool.gone = pool.empty();
        }
        self.pin.0 = 0;
        let mut month = self.empty_month((now, now), now);
        month.due = Some(0);
        self.months.push(month);
    }

    fn close_note(&mut self) {
        let has_ended = self.ended.is_some();
        let month = self.month();
        if has_ended && month.bounds.0 == month.planned_end {
            month.invoiced = true;
        }
    }

    /// Takes a pool back; the price of an untouched one is owed no more.
    pub fn revoke(&mut self, index: usize) {
        let pool = &mut self.pools[index];
        if pool.alive() && !pool.gone {
            let price = pool.price.filter(|_| pool.amounts.0 == pool.granted).unwrap_or(0);
            pool.state = "REVOKED";
            pool.amounts.0 = 0;
            self.month().receivable -= price;
        }
    }

    /// The invoice of a period: what is carried into the next one is zero or less.
    pub fn invoice(&self, index: usize, versions: &[Terms]) -> Sums {
        let month = &self.months[index];
        let due = if index + 1 == self.months.len() { self.due(versions) } else { month.due.unwrap() };
        let posted = month.receivable + (due - month.fee) * CENT;
        let receivable = posted + month.true_up(&self.pools, versions);
        let usage = posted.div_euclid(CENT);
        let total = month.fee + receivable.div_euclid(CENT);
        let has_next = index + 1 < self.months.len();
        let carried = if has_next { total.min(0) } else { 0 };
        (month.fee, usage, receivable.div_euclid(CENT) - usage, total - carried, carried, receivable.rem_euclid(CENT))
    }

    /// Closes a period, and carries a negative sum into the next.
    pub fn close(&mut self, index: usize, versions: &[Terms]) -> Sums {
        let sums = self.invoice(index, versions);
        self.months[index].invoiced = true;
        if let Some(next) = self.months.get_mut(index + 1) {
            next.receivable += sums.4 * CENT;
        }
        sums
    }

    /// The transparent preview; opaque ones are this without money.
    pub fn preview(&mut self, versions: &[Terms]) -> Json {
        let opaque = versions[self.version].opaque;
        let month = self.month().clone();
        let counts = self.pools.iter().filter(|pool| !pool.gone);
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
        let windows: Vec<Json> = (month.stretches.iter().enumerate())
            .map(|(index, stretch)| {
                let count = stretch.uses.iter().filter(|used| !used.void && used.item != CARRIED).count();
                json!({
                    "windowStart": stretch.start, "windowEnd": stretch.end, "chargeCount": count,
                    "ratedNanos": month.floor(index, versions).to_string(),
                })
            })
            .collect();
        let funded: i128 = month.paid.values().sum();
        let due = self.due(versions);
        let receivable = month.receivable + (due - month.fee) * CENT + month.true_up(&self.pools, versions);
        let rated = month.rated(versions);
        assert_eq!(rated, funded + month.owed + month.unbilled, "the model pays for what was used");
        json!({
            "currency": "usd", "disclosure": "transparent", "recurringFeeCents": month.fee as i64, "windows": windows,
            "totals": { "ratedNanos": rated.to_string(), "fundedNanos": funded.to_string(), "receivableNanos": receivable.to_string() },
            "allowances": allowances,
        })
    }
}
