//! The billing simulator: random products, subscribers, usage, credits, holds, refunds, migrations, closes, ends and restarts under a
//! clock of its own, on both stores, compared with the reference model after every step. A failure prints its seed and step, and
//! the same seed fails again (`SIM_SEED=… SIM_STEPS=…`).

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use svc_core::Core;
use svc_core::CoreError;
use svc_core::credits::CreditSource;
use svc_core::explain::{CHARGES_MAX, Explained};
use svc_core::items::ItemResult;
use svc_core::metering::Estimate;
use svc_core::migrations::{MigrationOrder, VersionName};
use svc_core::plan_changes::PlanChange;
use svc_core::resources::ResourceCount;
use svc_core::subscribing::SubscriptionOrder;
use svc_core::subscriptions::CancelAt;
use svc_core::what_if::WhatIfPeriod;
use svc_core::what_if_report::Unplaced;
use svc_engine::money::amount::Cents;
use svc_money_tests::faulty::{Fault, Faulty};
use svc_money_tests::product::{build_with, meter, plan};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::reference::{
    CELL_X, CELL_Y, METERS, Move, Past, Price, Rate, SEATS, Scope, Shape, Subscriber, Terms, Tier, UNIT,
};
use svc_money_tests::stores::{Fresh, FreshCitus, FreshPostgres, FreshSqlite};
use svc_money_tests::world::{World, statuses};
use svc_store::records::{Id, MigrationPolicy, Proration, SubscriptionKey};
use svc_store::sqlite::Sqlite;
use svc_store::statement::Registered;
use svc_store::{Mode, Store, StoreError};

/// Steps in CI, on each store; `SIM_STEPS` says otherwise.
const STEPS: u64 = 1_500;
/// The same on a cluster, where each takes several nodes.
const CITUS_STEPS: u64 = 250;
/// Steps of one world; then a new one begins.
const STEPS_PER_WORLD: u64 = 250;
/// Steps between two audits of a whole world.
const STEPS_PER_AUDIT: u64 = 50;
const SUBJECTS: &[&str] = &["ada", "bea", "cy"];
const KINDS: &[&str] = &["included", "promo", "referral", "prepaid"];
/// What credit pays for: usage of some meters, sets that cross each other, or all.
const SCOPES: &[Scope] =
    &[None, None, None, Some(&["a"]), Some(&["c", "l"]), Some(&["a", "t"]), Some(&["t"]), Some(&["l", "m", "u"])];

#[test]
fn sqlite() {
    run("sqlite", STEPS, async |seed, steps| simulate(&FreshSqlite::new().await, seed, steps).await);
}

#[test]
fn postgres() {
    run("postgres", STEPS, async |seed, steps| simulate(&FreshPostgres::watched().await, seed, steps).await);
}

/// Where a cluster can be had.
#[test]
fn citus() {
    if svc_money_tests::block_on(FreshCitus::new()).is_some() {
        run("citus", CITUS_STEPS, async |seed, steps| simulate(&FreshCitus::new().await.unwrap(), seed, steps).await);
    }
}

/// Every twentieth statement is stopped: the numbers are those of a database that stops nothing.
#[test]
fn stopped() {
    run("sqlite, stopped", STEPS, async |seed, steps| simulate(&Stopping(FreshSqlite::new().await), seed, steps).await);
}

/// A store that is opened with faults.
struct Stopping(FreshSqlite);

impl Fresh for Stopping {
    type Store = Faulty<Sqlite>;

    async fn open(&self) -> Faulty<Sqlite> {
        self.try_open().await.unwrap()
    }

    async fn try_open(&self) -> Result<Faulty<Sqlite>, StoreError> {
        let store = Faulty::new(self.0.try_open().await?, 20);
        store.set(Fault::Stopped(20));
        Ok(store)
    }

    async fn alter(&self, sql: &str) -> Result<(), String> {
        self.0.alter(sql).await
    }

    async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        self.0.rows(sql).await
    }

    async fn prepare(&self, statements: &'static [Registered]) -> Vec<Result<Vec<String>, String>> {
        self.0.prepare(statements).await
    }

    fn arguments(&self) -> Vec<String> {
        self.0.arguments()
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

fn run(store: &str, steps: u64, simulate: impl AsyncFn(u64, u64) -> Counts) {
    let total = number("SIM_STEPS").unwrap_or(steps);
    let first = number("SIM_SEED").unwrap_or(20_261_128);
    let mut counts = Counts::default();
    svc_money_tests::block_on(async {
        let mut done = 0;
        for seed in first.. {
            let steps = STEPS_PER_WORLD.min(total - done);
            if steps == 0 {
                break;
            }
            for (what, count) in simulate(seed, steps).await {
                *counts.entry(what).or_default() += count;
            }
            done += steps;
        }
    });
    println!("simulator on {store}: {total} steps from seed {first}: {counts:?}");
}

type Counts = BTreeMap<&'static str, u64>;
/// Meter, billionths of a unit, and unique key of each use.
type Uses = Vec<(String, i128, Option<String>)>;

/// A world and its model.
struct Simulation<'f, F: Fresh> {
    fresh: &'f F,
    world: World<F::Store>,
    chance: SplitMix64,
    versions: Vec<Terms>,
    live: BTreeMap<&'static str, Subscriber>,
    ended: Vec<(&'static str, Subscriber)>,
    next_id: u64,
    /// What each item stands for.
    uses: BTreeMap<String, Uses>,
    /// How many each subject has of the resource.
    seats: BTreeMap<&'static str, u64>,
    counts: Counts,
}

async fn simulate<F: Fresh>(fresh: &F, seed: u64, steps: u64) -> Counts {
    let mut chance = SplitMix64(seed);
    let months = if chance.one_in(4) { 12 } else { 1 };
    let versions = vec![terms(&mut chance, 0, months)];
    let world = World::new(fresh, product(&versions[0]), "2026-01-31T12:00:00Z").await;
    let (live, ended, uses, seats, counts) = Default::default();
    let mut simulation = Simulation { fresh, world, chance, versions, live, ended, next_id: 0, uses, seats, counts };
    for step in 0..steps {
        let guard = Context(Some(format!("SIM_SEED={seed}, step {step}")));
        simulation.step().await;
        if step % STEPS_PER_AUDIT == STEPS_PER_AUDIT - 1 || step == steps - 1 {
            simulation.world.audit().await;
            simulation.what_if().await;
            simulation.explain().await;
        }
        guard.passed();
    }
    simulation.counts
}

/// Says where a step failed.
struct Context(Option<String>);

impl Context {
    fn passed(mut self) {
        self.0 = None;
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some(context) = &self.0 {
            eprintln!("the simulation failed at {context}");
        }
    }
}

/// Leaves some of the prices as they were, so that a move does not change them; at times all, and what goes with them.
fn leave(next: &mut Terms, last: &Terms, chance: &mut SplitMix64) {
    if chance.one_in(4) {
        (next.prices, next.pool) = (last.prices.clone(), last.pool.clone());
    }
    for (meter, price) in &last.prices {
        // What is in a pool has no free units of its own.
        let fits = next.pool.is_none() || price.included == (None, 0) || !["a", "c"].contains(&meter.as_str());
        if chance.one_in(4) && fits {
            next.prices.insert(meter.clone(), price.clone());
        }
    }
}

/// The meters that are reported: all but the one that a resource counts.
fn reported() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    METERS.iter().filter(|(meter, _)| *meter != SEATS)
}

/// A version that only adds to the last one: it prices the resource too, where that did not, and has another fee for who comes. Nothing where the
/// most of the last one does not leave room for the fee.
fn addition(last: &Terms, random: Terms) -> Option<Terms> {
    let mut next = Terms { fee: last.fee / 1_000 * 1_000 + random.fee % 1_000, ..last.clone() };
    next.trial_days = random.trial_days;
    let priced = random.prices.get(SEATS).filter(|_| !last.prices.contains_key(SEATS));
    next.prices.extend(priced.map(|price| (SEATS.to_owned(), price.clone())));
    next.bounds.1.is_none_or(|most| most >= next.fee).then_some(next)
}

/// Random terms of a version. Every version differs from the others in its fee.
fn terms(chance: &mut SplitMix64, version: u64, months: usize) -> Terms {
    let mut prices = BTreeMap::new();
    for (meter, _) in METERS {
        let micros = *chance.pick(&[0, 1, 2, 7, 1_000, 150_000, 9_007_199]);
        let per = *chance.pick(&[1, 1, 3, 7, 1_000, 1_000_000]);
        let mut rate = |micros: i128, per: i128| (micros, per, chance.one_in(3));
        let (one, half, last) = (rate(micros, per), rate(micros / 2, per), rate(micros / 3, 1));
        let mut flat = || if chance.one_in(4) { i128::from(chance.below(9_000_000)) } else { 0 };
        let flats = [flat(), flat(), flat()];
        let end = i128::from(chance.below(20) + 1);
        let tiers = vec![(Some(end), one, flats[0]), (Some(end * 3), half, flats[1]), (None, last, flats[2])];
        let is_cell = meter.contains('[');
        let shape = match chance.below(5) {
            _ if *meter == SEATS && chance.one_in(3) => continue,
            // Where a meter has rates, each of its cells has one.
            0 if !is_cell => continue,
            1 if !is_cell => Shape::Graduated(tiers),
            2 if !is_cell => Shape::Volume(tiers),
            _ if is_cell => Shape::Linear((micros, CELL_PER, false)),
            _ => Shape::Linear(one),
        };
        if is_cell {
            prices.insert((*meter).to_owned(), Price { shape, included: (None, 0), bounds: (None, None) });
            continue;
        }
        let each =
            [("a", "l"), ("u", "m"), ("c", "u"), ("m", "s")].iter().find(|(own, _)| own == meter).map(|(_, per)| *per);
        let per = each.filter(|_| chance.one_in(3));
        let mut cents = || chance.one_in(6).then(|| i128::from(chance.below(3_000)));
        let (least, most) = (cents(), cents());
        let bounds = (least.filter(|least| most.is_none_or(|most| *least <= most)), most);
        let included = (per, i128::from(*chance.pick(&[0, 0, 1, 10, 500])));
        prices.insert((*meter).to_owned(), Price { shape, included, bounds });
    }
    let pool = chance.one_in(3).then(|| {
        let meters = ["a", "c", CELL_X].into_iter().map(|meter| (meter, i128::from(chance.below(3)) + 1));
        let mut meters: Vec<(&str, i128)> = meters.collect();
        // Both cells are one meter to the pool.
        meters.push((CELL_Y, meters[2].1));
        (i128::from(chance.below(60)), meters)
    });
    if pool.is_some() {
        for meter in ["a", "c"] {
            prices.entry(meter.to_owned()).and_modify(|price: &mut Price| price.included = (None, 0));
        }
    }
    let cents = |chance: &mut SplitMix64| i128::from(chance.below(300));
    let grants = (0..chance.below(4))
        .map(|_| {
            let days = chance.one_in(3).then(|| i64::try_from(chance.below(40) + 1).unwrap());
            let recurs = chance.one_in(2);
            let kept = if recurs { i64::try_from(chance.below(3)).unwrap() } else { 0 };
            (*chance.pick(KINDS), cents(chance), recurs, days, kept, *chance.pick(SCOPES))
        })
        .collect();
    let fee = i128::from(chance.below(20)) * 1_000 + i128::from(version);
    let intro = chance.one_in(3).then(|| (i128::from(chance.below(900)), 1 + chance.below(3) as usize));
    let mut days = || chance.one_in(2).then(|| i64::try_from(chance.below(40) + 1).unwrap());
    let (pack_days, open_days) = (days(), days());
    let points = i128::from(*chance.pick(&[0, 1, 550, 333, 10_000]));
    let opaque = chance.one_in(4);
    Terms {
        fee,
        advance: chance.one_in(2),
        months,
        intro: intro.filter(|(amount, _)| *amount < fee),
        prices,
        bounds: (chance.one_in(3).then(|| cents(chance) * 40), chance.one_in(3).then(|| fee + cents(chance))),
        blocks: chance.one_in(4),
        grants,
        trial_days: if chance.one_in(4) { i64::try_from(chance.below(60)).unwrap() } else { 0 },
        pack: chance.one_in(2).then(|| (cents(chance), cents(chance), pack_days, *chance.pick(SCOPES))),
        open_pack: (!opaque).then_some((points, open_days, *chance.pick(SCOPES))),
        opaque,
        pool,
    }
}

/// Units that each rate of a cell is for.
const CELL_PER: i128 = 7;

/// The meter of a cell, or the meter itself.
fn key_of(meter: &str) -> &str {
    meter.split('[').next().unwrap()
}

/// The value of a cell's attribute.
fn value_of(cell: &str) -> &str {
    cell.split('"').nth(1).unwrap()
}

/// A price as the IR has it.
fn priced(meter: &str, price: &Price) -> Json {
    let rated = |mut json: Json, (micros, per, up): Rate| {
        (json["micros"], json["per"]) = (json!(micros as i64), json!(per as i64));
        if up {
            json["round"] = json!("up");
        }
        json
    };
    let tier = |(end, rate, flat): &Tier| {
        let mut json = rated(json!({ "upTo": end.map(|end| end as i64) }), *rate);
        if *flat > 0 {
            json["flatMicros"] = json!(*flat as i64);
        }
        json
    };
    let tiers = |tiers: &[Tier]| -> Json { tiers.iter().map(tier).collect() };
    let mut json = match &price.shape {
        Shape::Linear(rate) => rated(json!({ "meter": meter, "kind": "linear" }), *rate),
        Shape::Graduated(all) => json!({ "meter": meter, "kind": "graduated", "tiers": tiers(all) }),
        Shape::Volume(all) => json!({ "meter": meter, "kind": "volume", "tiers": tiers(all) }),
    };
    let (per, units) = price.included;
    let units = json!(units as i64);
    json["includedUnits"] = per.map_or(units.clone(), |per| json!({ "per": per, "units": units }));
    for (name, bound) in [("minCents", price.bounds.0), ("maxCents", price.bounds.1)] {
        if let Some(bound) = bound {
            json[name] = json!(bound as i64);
        }
    }
    json
}

fn product(terms: &Terms) -> svc_store::records::BuildResult {
    let (cells, whole): (Vec<_>, Vec<_>) = terms.prices.iter().partition(|(meter, _)| meter.contains('['));
    let mut prices: Vec<Json> = whole.into_iter().map(|(meter, price)| priced(meter, price)).collect();
    let rate = |price: &Price| if let Shape::Linear((micros, ..)) = price.shape { micros as i64 } else { 0 };
    let rates: serde_json::Map<String, Json> =
        cells.into_iter().map(|(cell, price)| (value_of(cell).to_owned(), json!(rate(price)))).collect();
    prices.push(json!({ "meter": "t", "kind": "rates", "per": CELL_PER as i64, "rates": rates }));
    let mut grants: Vec<Json> = (terms.grants.iter())
        .map(|(kind, cents, recurs, days, kept, scope)| {
            let mut grant = json!({ "type": "credit", "kind": kind, "amountCents": *cents as i64, "recurs": recurs });
            if let Some(days) = days {
                grant["expiresAfterDays"] = json!(days);
            }
            if *kept > 0 {
                grant["rolloverPeriods"] = json!(kept);
            }
            if let Some(meters) = scope {
                grant["meters"] = json!(meters);
            }
            grant
        })
        .collect();
    let dated = |mut pack: Json, days: Option<i64>, scope: Scope| {
        if let Some(days) = days {
            pack["expiresAfterDays"] = json!(days);
        }
        if let Some(meters) = scope {
            pack["meters"] = json!(meters);
        }
        pack
    };
    if let Some((price, credit, days, scope)) = terms.pack {
        let pack = json!({ "type": "topUp", "sku": "pack", "label": "Pack", "priceCents": price as i64, "creditCents": credit as i64 });
        grants.push(dated(pack, days, scope));
    }
    if let Some((points, days, scope)) = terms.open_pack {
        let pack = json!({ "type": "openTopUp", "sku": "open", "label": "Any", "minCents": 1, "maxCents": 400, "feeBasisPoints": points as i64 });
        grants.push(dated(pack, days, scope));
    }
    let mut more = json!({
        "grants": grants,
        "trialDays": terms.trial_days,
        "interval": if terms.months == 12 { "year" } else { "month" },
        "overageBehavior": if terms.blocks { "block" } else { "allow_and_bill" },
        "spendPolicy": { "disclosure": if terms.opaque { "opaque" } else { "transparent" } },
    });
    if terms.months == 12 {
        more["usageInterval"] = json!("month");
    }
    if terms.advance {
        more["billed"] = json!("advance");
    }
    if let Some((amount, periods)) = terms.intro {
        more["intro"] = json!({ "amountCents": amount as i64, "periods": periods });
    }
    for (name, bound) in [("minMonthlySpendCents", terms.bounds.0), ("maxMonthlySpendCents", terms.bounds.1)] {
        if let Some(bound) = bound {
            more[name] = json!(bound as i64);
        }
    }
    if let Some((units, meters)) = &terms.pool {
        let weights: serde_json::Map<String, Json> =
            meters.iter().map(|(meter, weight)| (key_of(meter).to_owned(), json!(*weight as i64))).collect();
        more["pools"] = json!({ "all": { "units": *units as i64, "meters": weights } });
    }
    let whole = reported().filter(|(key, _)| !key.contains('['));
    let mut meters: Vec<Json> = whole.map(|(key, aggregation)| meter(key, aggregation)).collect();
    if terms.prices.contains_key(SEATS) {
        let mut seats = meter(SEATS, "time_weighted");
        seats["resource"] = json!(SEATS);
        meters.push(seats);
    }
    let mut by = meter("t", "sum");
    by["by"] = json!(["k"]);
    meters.push(by);
    build_with(&meters, &[plan("basic", u64::try_from(terms.fee).unwrap(), &prices, more)], |ir| {
        ir["resources"] = json!([{ "name": SEATS, "display": "Seats", "countSource": "action_inferred" }]);
    })
}

impl<F: Fresh> Simulation<'_, F> {
    async fn step(&mut self) {
        let subject = *self.chance.pick(SUBJECTS);
        if !self.live.contains_key(subject) {
            if self.chance.one_in(2) {
                let what = self.after_the_end(subject).await;
                *self.counts.entry(what).or_default() += 1;
                return;
            }
            self.subscribe(subject).await;
            if !self.live.contains_key(subject) {
                *self.counts.entry("subscription refused").or_default() += 1;
                return;
            }
        }
        let what = match self.chance.below(51) {
            0..=6 => self.pass_time(subject),
            7..=20 => self.report(subject).await,
            21..=22 => self.repeat(subject).await,
            23..=24 => self.credit(subject).await,
            25..=27 => self.hold(subject).await,
            28 => self.release(subject).await,
            29..=30 => self.refund(subject).await,
            31 => self.correct(subject).await,
            32 => self.revoke(subject).await,
            33 => self.publish().await,
            34..=35 => self.migrate().await,
            36 => self.close().await,
            37 => self.cancel(subject).await,
            38 => self.buy(subject).await,
            39..=40 => self.change_plan(subject).await,
            41 => self.resume(subject).await,
            42 => self.after_the_end(subject).await,
            43..=44 => self.bound(subject).await,
            45..=47 => self.seat(subject).await,
            48..=49 => self.add().await,
            _ => self.restart().await,
        };
        *self.counts.entry(what).or_default() += 1;
        self.compare(subject).await;
    }

    fn id(&mut self) -> String {
        self.next_id += 1;
        format!("i{}", self.next_id)
    }

    /// The model of a subject as those leave it who only look: what is due has happened. Gives nothing once it has ended.
    fn due(&mut self, subject: &'static str) -> Option<&mut Subscriber> {
        match self.live.get(subject)?.is_due(self.world.now) {
            true => self.model(subject),
            false => self.live.get_mut(subject),
        }
    }

    /// A copy of the model of a subject, up to now: what those see who only look, and what is tried by who may be refused.
    fn copy(&mut self, subject: &'static str) -> Option<Subscriber> {
        let mut copy = self.due(subject)?.clone();
        copy.pass(&self.versions, self.world.now);
        Some(copy)
    }

    /// The model of a subject, up to now, as those leave it who write. Gives nothing once it has ended.
    fn model(&mut self, subject: &'static str) -> Option<&mut Subscriber> {
        let subscriber = self.live.get_mut(subject)?;
        subscriber.pass(&self.versions, self.world.now);
        if subscriber.ended.is_some() {
            let ended = self.live.remove(subject).unwrap();
            self.ended.push((subject, ended));
        }
        self.live.get_mut(subject)
    }

    async fn subscribe(&mut self, subject: &'static str) {
        let most = self.own_most(self.versions.len() - 1);
        let order = SubscriptionOrder {
            own_most_cents: most.map(|most| Cents::try_from(most).unwrap()),
            ..SubscriptionOrder::of("basic")
        };
        let (core, business, now) = (&self.world.core, &self.world.business, self.world.now);
        let subscription = match core.subscribe(business, subject, order, now).await {
            Ok(subscription) => subscription,
            Err(CoreError::Invalid { code: "MAX_SPEND_RANGE", .. }) if !self.allows(self.versions.len() - 1, most) => {
                return;
            }
            refused => panic!("{most:?} {refused:?}"),
        };
        assert!(self.allows(self.versions.len() - 1, most), "{most:?}");
        let mut past = Past::default();
        let mut bought = Vec::new();
        for (_, earlier) in self.ended.iter_mut().filter(|(known, _)| *known == subject) {
            past.trial |= earlier.trial_end.is_some();
            past.intro |= earlier.intro.is_some();
            past.promoted |= earlier.promoted;
            bought.extend(earlier.take_bought());
        }
        let mut subscriber =
            Subscriber::new(subscription.id.as_str(), &self.versions, &past, most.map(i128::from), self.world.now);
        assert_eq!(subscription.trial_ends_at, subscriber.trial_end);
        // What is due in advance has an invoice already.
        let (first, _) = self.world.core.invoices(&self.world.business, &subscription.id, 0, 10).await.unwrap();
        let due: Vec<i128> = first.iter().map(|invoice| i128::from(invoice["totalCents"].as_i64().unwrap())).collect();
        let wanted = subscriber.months.iter().filter(|month| month.invoiced).count();
        let wanted: Vec<i128> = (0..wanted).map(|index| subscriber.invoice(index, &self.versions).3).collect();
        assert_eq!(due, wanted);
        for (nanos, expires, scope) in bought {
            subscriber.add_pool("prepaid", nanos, expires).scope = scope;
        }
        subscriber.seats = self.seats.get(subject).copied().unwrap_or(0).into();
        subscriber.count(&self.versions, self.world.now);
        self.live.insert(subject, subscriber);
    }

    fn pass_time(&mut self, subject: &'static str) -> &'static str {
        let month_end = self.live.get_mut(subject).unwrap().month().bounds.1;
        let soon = |chance: &mut SplitMix64, seconds: u64| {
            SignedDuration::from_micros(i64::try_from(chance.below(seconds * 1_000_000)).unwrap())
        };
        let later: Timestamp = match self.chance.below(6) {
            0 => month_end,
            1 => month_end.checked_sub(SignedDuration::from_micros(1)).unwrap(),
            2 => self.world.now + soon(&mut self.chance, 3_600),
            3 => self.world.now + soon(&mut self.chance, 86_400 * 3),
            4 => self.world.now + soon(&mut self.chance, 86_400 * 20),
            _ => self.world.now + soon(&mut self.chance, 2),
        };
        if self.chance.one_in(40) {
            self.world.now += soon(&mut self.chance, 86_400 * 100);
        }
        self.world.now = later.max(self.world.now);
        "pass time"
    }

    fn units(&mut self) -> (i128, String) {
        let steps = match self.chance.below(6) {
            0 => 1,
            1 => i128::from(self.chance.below(1_000_000_000)),
            2 => i128::from(self.chance.below(1_000)) * UNIT,
            3 => 1_000_000_000_000_000 * UNIT,
            4 => 0,
            _ => i128::from(self.chance.below(50)) * UNIT,
        };
        (steps, format!("{}.{:09}", steps / UNIT, steps % UNIT))
    }

    async fn report(&mut self, subject: &'static str) -> &'static str {
        let mut items = Vec::new();
        let mut wanted = Vec::new();
        for _ in 0..=self.chance.below(4) {
            let (item, uses) = self.item(subject);
            let hold = item["hold"].as_str().map(str::to_owned);
            let (versions, now) = (self.versions.clone(), self.world.now);
            wanted.push(match self.model(subject) {
                None => self.late(subject, &item, &uses),
                Some(model) if hold.as_ref().is_some_and(|hold| !model.holds.contains_key(hold)) => "HOLD_NOT_OPEN",
                Some(model) => match model.admit(&item, &uses, hold.as_deref(), &versions, now) {
                    true => "accepted",
                    false => "SPEND_LIMIT_REACHED",
                },
            });
            items.push(item);
        }
        let results = match self.chance.one_in(3) {
            true => self.send_together(&items).await,
            false => self.world.send(items.clone()).await,
        };
        assert_eq!(statuses(&results), wanted, "{items:#?}");
        "report"
    }

    /// Sends items as batches that are admitted together.
    async fn send_together(&mut self, items: &[Json]) -> Vec<ItemResult> {
        let length = usize::try_from(self.chance.below(3)).unwrap() + 1;
        let batches = items.chunks(length).map(|batch| (batch.to_vec(), self.world.now)).collect();
        self.world.core.report_in_order(&self.world.business, batches).await.unwrap().concat()
    }

    /// A random item, and the uses it stands for.
    fn item(&mut self, subject: &'static str) -> (Json, Uses) {
        let id = self.id();
        let held: Vec<String> =
            self.live.get(subject).map(|model| model.holds.keys().cloned().collect()).unwrap_or_default();
        let (mut item, uses): (Json, Uses) = if self.chance.one_in(3) {
            let mut reports = serde_json::Map::new();
            let mut uses = BTreeMap::new();
            let count = i128::from(self.chance.below(3)) + 1;
            for (meter, aggregation) in reported() {
                if *aggregation != "unique" && self.chance.one_in(2) {
                    let counted = (count * UNIT, count.to_string());
                    let (steps, text) = if *aggregation == "count" { counted } else { self.units() };
                    if meter.contains('[') {
                        let cells = reports.entry(key_of(meter)).or_insert(json!([])).as_array_mut().unwrap();
                        cells.push(json!({ "units": text, "by": { "k": value_of(meter) } }));
                    } else {
                        reports.insert((*meter).to_owned(), json!(text));
                    }
                    uses.insert((*meter).to_owned(), steps);
                }
            }
            let mut item =
                json!({ "id": id, "subject": subject, "route": "POST /v1/report", "status": 500, "reports": reports });
            if count > 1 {
                item["count"] = json!(count);
            }
            (item, uses.into_iter().map(|(meter, steps)| (meter, steps, None)).collect())
        } else {
            let reported: Vec<_> = reported().collect();
            let (meter, aggregation) = **self.chance.pick(&reported);
            let (steps, text) = if aggregation == "count" { (UNIT, "1".to_owned()) } else { self.units() };
            let key = (aggregation == "unique").then(|| format!("k{}", self.chance.below(8)));
            let mut item = json!({ "id": id, "subject": subject, "meter": key_of(meter), "units": text });
            if meter.contains('[') {
                item["by"] = json!({ "k": value_of(meter) });
            }
            if let Some(key) = &key {
                item["uniqueKey"] = json!(key);
            }
            (item, vec![(meter.to_owned(), steps, key)])
        };
        if self.chance.one_in(10) {
            item["occurredAt"] =
                json!(["1970-01-01T00:00:00Z", "2099-12-31T23:59:59Z"][usize::from(self.chance.one_in(2))]);
        } else if self.chance.one_in(4) {
            let days = *self.chance.pick(&[1, 3, 40]);
            let earlier = self.chance.below(86_400 * days) * 1_000_000;
            let earlier = SignedDuration::from_micros(i64::try_from(earlier).unwrap());
            item["occurredAt"] = json!(self.world.now - earlier);
        }
        if !held.is_empty() && self.chance.one_in(2) {
            item["hold"] = json!(self.chance.pick(&held));
        } else if self.chance.one_in(30) {
            item["hold"] = json!("no-such-hold");
        }
        self.uses.insert(id, uses.clone());
        (item, uses)
    }

    /// Sends an item again, or another one under its id.
    async fn repeat(&mut self, subject: &'static str) -> &'static str {
        let Some(model) = self.model(subject) else { return "nobody" };
        let known: Vec<(Json, bool)> = model.items.values().map(|item| (item.json.clone(), item.refunded)).collect();
        if known.is_empty() {
            return "nothing to repeat";
        }
        let (mut item, refunded) = self.chance.pick(&known).clone();
        if self.chance.one_in(4) {
            item["occurredAt"] = json!("2001-01-01T00:00:00Z");
            assert_eq!(statuses(&self.world.send(vec![item]).await), ["ITEM_CONFLICT"]);
            return "conflict";
        }
        if refunded {
            let uses = self.uses[item["id"].as_str().unwrap()].clone();
            let (versions, now) = (self.versions.clone(), self.world.now);
            let admitted = self.model(subject).unwrap().admit(&item, &uses, None, &versions, now);
            let wanted = if admitted { "accepted" } else { "SPEND_LIMIT_REACHED" };
            assert_eq!(statuses(&self.world.send(vec![item]).await), [wanted]);
            return "repeat of a refunded one";
        }
        assert_eq!(statuses(&self.world.send(vec![item.clone(), item]).await), ["duplicate", "duplicate"]);
        "repeat"
    }

    async fn credit(&mut self, subject: &'static str) -> &'static str {
        if self.model(subject).is_none() {
            return "nobody";
        }
        let (cents, kind) = (self.chance.below(500) + 1, *self.chance.pick(KINDS));
        let days = self.chance.one_in(2).then(|| u32::try_from(self.chance.below(30)).unwrap() + 1);
        let scope = *self.chance.pick(SCOPES);
        self.world.give_for(scope, subject, (cents, kind, days)).await;
        let ends = days.map(|days| self.world.now + SignedDuration::from_hours(i64::from(days) * 24));
        self.model(subject).unwrap().add_pool(kind, i128::from(cents) * 10_000_000, ends).scope = scope;
        "credit"
    }

    async fn buy(&mut self, subject: &'static str) -> &'static str {
        let versions = self.versions.clone();
        let amount = self.chance.one_in(2).then(|| self.chance.below(402));
        let Some(mut model) = self.copy(subject) else { return "nobody" };
        let (pack, open) = (versions[model.version].pack, versions[model.version].open_pack);
        let sku = if amount.is_some() { "open" } else { "pack" }.to_owned();
        let amount_cents = amount.map(|cents| Cents::try_from(cents).unwrap());
        let source = CreditSource::TopUp { sku, amount_cents };
        let bought = self.world.core.give_credit(&self.world.business, subject, &source, None, self.world.now).await;
        let cent = 10_000_000;
        // A basis point of a cent is a thousand nanodollars.
        let sold = match amount.map(i128::from) {
            Some(0 | 401..) if open.is_some() => {
                assert!(matches!(bought, Err(CoreError::Invalid { code: "AMOUNT_OUT_OF_BOUNDS", .. })), "{bought:?}");
                return "amount out of bounds";
            }
            Some(cents) => {
                open.map(|(points, days, scope)| (cents * cent + cents * points * 1_000, cents * cent, days, scope))
            }
            None => pack.map(|(price, credit, days, scope)| (price * cent, credit * cent, days, scope)),
        };
        match (sold, bought) {
            (None, Err(CoreError::Invalid { code: "UNKNOWN_SKU", .. })) => "no pack",
            (Some(pack), Ok(_)) => {
                model.buy(pack, self.world.now);
                self.live.insert(subject, model);
                if amount.is_some() { "credit of an amount" } else { "pack" }
            }
            (sold, bought) => panic!("{sold:?} {bought:?}"),
        }
    }

    async fn hold(&mut self, subject: &'static str) -> &'static str {
        let (id, life) = (self.id(), u32::try_from(self.chance.below(20_000)).unwrap() + 1);
        let (meter, _) = *self.chance.pick(&METERS[..4]);
        let (steps, text) = self.units();
        let by_route = self.chance.one_in(3);
        let estimate = if by_route {
            Estimate::Route { route: "POST /v1/report".to_owned() }
        } else {
            Estimate::Meter { meter: meter.to_owned(), units: text.parse().unwrap() }
        };
        let uses = if by_route {
            METERS[..4].iter().map(|(meter, _)| ((*meter).to_owned(), 10 * UNIT, None)).collect()
        } else {
            vec![(meter.to_owned(), steps, None)]
        };
        let (versions, now) = (self.versions.clone(), self.world.now);
        let Some(mut model) = self.copy(subject) else { return "nobody" };
        let amount = model.estimate(&uses, &versions, now);
        let end = now + SignedDuration::from_secs(i64::from(life));
        let allowed = model.hold(&id, amount, end, &versions, now);
        let held = self.world.core.hold(&self.world.business, subject, &id, &estimate, life, now).await;
        match held {
            Ok(held) if allowed => {
                assert_eq!(held.expires_at, end);
                self.live.insert(subject, model);
            }
            Err(CoreError::Conflict { code: "SPEND_LIMIT_REACHED", .. }) if !allowed => {}
            held => panic!("{allowed} {held:?}"),
        }
        "hold"
    }

    async fn release(&mut self, subject: &'static str) -> &'static str {
        let Some(model) = self.model(subject) else { return "nobody" };
        let open: Vec<String> = model.holds.keys().cloned().collect();
        if open.is_empty() {
            return "nothing to release";
        }
        let id = self.chance.pick(&open).clone();
        self.model(subject).unwrap().release(&id);
        self.world.core.release_hold(&self.world.business, subject, &id, self.world.now).await.unwrap();
        "release"
    }

    async fn refund(&mut self, subject: &'static str) -> &'static str {
        let Some(mut model) = self.copy(subject) else { return "nobody" };
        let known: Vec<(String, bool)> = model.items.iter().map(|(id, item)| (id.clone(), item.refunded)).collect();
        if known.is_empty() {
            return "nothing to refund";
        }
        let (id, refunded) = self.chance.pick(&known).clone();
        match self.world.refund(subject, &id).await {
            Ok(_) if !refunded => {
                model.refund(&id, &self.versions, self.world.now);
                self.live.insert(subject, model);
            }
            Err(CoreError::Conflict { code: "ALREADY_REFUNDED", .. }) if refunded => {}
            other => panic!("{refunded} {other:?}"),
        }
        "refund"
    }

    async fn correct(&mut self, subject: &'static str) -> &'static str {
        if self.model(subject).is_none() {
            return "nobody";
        }
        let nanos = i128::from(self.chance.below(1_000_000_000)) * 2 - 999_999_999;
        self.world.correct(subject, nanos).await;
        let now = self.world.now;
        self.model(subject).unwrap().correct(nanos, now);
        "correct"
    }

    async fn revoke(&mut self, subject: &'static str) -> &'static str {
        let Some(model) = self.due(subject) else { return "nobody" };
        let (id, count) = (Id::named(model.id.as_str()), model.pools.len());
        if count == 0 {
            return "nothing to revoke";
        }
        let index = usize::try_from(self.chance.below(count as u64)).unwrap();
        // What is only due has not been written yet: look at the account first.
        let _settled = self.world.try_preview(subject).await;
        let mut tx = self.world.core.store.begin(Mode::Read).await.unwrap();
        let buckets =
            tx.all_buckets(&SubscriptionKey { business: self.world.business.clone(), id: id.clone() }).await.unwrap();
        drop(tx);
        assert_eq!(buckets.len(), count);
        self.world.core.revoke_credit(&self.world.business, &buckets[index].id, self.world.now).await.unwrap();
        // One that nobody looks at any more stays as it is.
        if !self.live[subject].pools[index].gone {
            self.model(subject).unwrap().revoke(index);
        }
        "revoke"
    }

    async fn publish(&mut self) -> &'static str {
        let mut next = terms(&mut self.chance, self.versions.len() as u64, self.versions[0].months);
        let last = self.versions.last().unwrap();
        leave(&mut next, last, &mut self.chance);
        if self.chance.one_in(2) {
            next = addition(last, next.clone()).unwrap_or(next);
        }
        let published = self.world.publish(product(&next)).await;
        self.versions.push(next);
        assert_eq!(published.plan_versions["basic"] as usize, self.versions.len());
        "publish"
    }

    async fn migrate(&mut self) -> &'static str {
        let number = |chance: &mut SplitMix64, count: usize| usize::try_from(chance.below(count as u64)).unwrap();
        let (from, to) = (number(&mut self.chance, self.versions.len()), number(&mut self.chance, self.versions.len()));
        let (policy, proration) = (
            *self.chance.pick(&[
                MigrationPolicy::Immediate,
                MigrationPolicy::NextRenewal,
                MigrationPolicy::ByDate,
                MigrationPolicy::OptIn,
            ]),
            *self.chance.pick(&[Proration::None, Proration::Prorate, Proration::Credit]),
        );
        let now = self.world.now;
        let deadline = now + SignedDuration::from_secs(i64::try_from(self.chance.below(86_400 * 40)).unwrap());
        let deadline = (policy == MigrationPolicy::ByDate).then(|| svc_core::to_micros(deadline));
        let name = |index: usize| VersionName::Number(u32::try_from(index).unwrap() + 1);
        let order = MigrationOrder { from: name(from), to: name(to), policy, proration, complete_by: deadline };
        let mut moving = 0;
        for subject in SUBJECTS {
            let Some(model) = self.due(subject).filter(|model| model.version == from && from != to) else { continue };
            let month_end = model.renewal();
            let due = match policy {
                MigrationPolicy::Immediate => Some(now),
                MigrationPolicy::NextRenewal => Some(month_end),
                MigrationPolicy::ByDate => deadline.map(|deadline| deadline.min(month_end)),
                _ => None,
            };
            model.planned = Some(Move { to, due, proration: proration.into(), keeps_fee: false });
            moving += 1;
        }
        let migrated = self.world.core.migrate(&self.world.business, "basic", order, false, None, now).await.unwrap();
        assert_eq!(migrated.moves.len(), moving);
        if self.chance.one_in(3) {
            return self.opt_in().await;
        }
        "migrate"
    }

    /// Orders that what the newest version adds reaches all others, or those of one, without their fee.
    async fn add(&mut self) -> &'static str {
        let to = self.versions.len() - 1;
        let from = self.chance.one_in(3).then(|| usize::try_from(self.chance.below(to as u64 + 1)).unwrap());
        let name = |index: usize| VersionName::Number(u32::try_from(index).unwrap() + 1);
        let (policy, proration) = (MigrationPolicy::Additions, Proration::None);
        let from_name = from.map_or(VersionName::Any, name);
        let order = MigrationOrder { from: from_name, to: VersionName::Head, policy, proration, complete_by: None };
        let (mut moving, mut only_adds) = (Vec::new(), true);
        for subject in SUBJECTS {
            let Some(model) = self.due(subject) else { continue };
            let is_from = model.version != to && from.is_none_or(|from| model.version == from);
            if is_from && model.planned.is_none() {
                let version = model.version;
                only_adds &= self.versions[to].only_add_to(&self.versions[version]);
                moving.push(*subject);
            }
        }
        let now = self.world.now;
        match self.world.core.migrate(&self.world.business, "basic", order, false, None, now).await {
            Ok(migrated) if only_adds => assert_eq!(migrated.moves.len(), moving.len()),
            Err(CoreError::Invalid { code: "NOT_AN_ADDITION", .. }) if !only_adds => return "no addition",
            other => panic!("{only_adds} {moving:?} {other:?}"),
        }
        for subject in &moving {
            let planned = Move { to, due: Some(now), proration: proration.into(), keeps_fee: true };
            self.due(subject).unwrap().planned = Some(planned);
        }
        if moving.is_empty() { "nothing to add" } else { "addition" }
    }

    /// The operator says how many there are of the resource.
    async fn seat(&mut self, subject: &'static str) -> &'static str {
        let count = *self.chance.pick(&[0, 1, 2, 5, 40, 1_000_000]);
        let (now, versions) = (self.world.now, self.versions.clone());
        let to = ResourceCount { resource: SEATS.to_owned(), count };
        self.seats.insert(subject, count);
        // A count that nobody pays for settles nothing.
        let is_paid = self.due(subject).is_some_and(|model| versions[model.version].prices.contains_key(SEATS));
        let model = if is_paid { self.model(subject) } else { self.due(subject) };
        if let Some(model) = model {
            model.seats = count.into();
            model.count(&versions, now);
        }
        self.world.core.set_resource_count(&self.world.business, subject, &to, now).await.unwrap();
        "count of a resource"
    }

    async fn opt_in(&mut self) -> &'static str {
        for subject in SUBJECTS {
            let Some(model) = self.due(subject) else { continue };
            let offered = model.planned.as_ref().is_some_and(|planned| planned.due.is_none());
            let offer = self.world.core.plan_offer(&self.world.business, subject, self.world.now).await.unwrap();
            assert_eq!(offer.is_some(), offered);
            if let Some(offer) = offer {
                self.world
                    .core
                    .take_offer(&self.world.business, subject, &offer.offer_id, self.world.now)
                    .await
                    .unwrap();
                let now = self.world.now;
                self.model(subject).unwrap().planned.as_mut().unwrap().due = Some(now);
            }
        }
        "opt in"
    }

    async fn cancel(&mut self, subject: &'static str) -> &'static str {
        let (now, prorates, at_end) = (self.world.now, self.chance.one_in(2), self.chance.one_in(2));
        let versions = self.versions.clone();
        let Some(model) = self.model(subject) else { return "nobody" };
        let id = Id::named(model.id.as_str());
        let at = if at_end { CancelAt::PeriodEnd } else { CancelAt::Now };
        if at_end {
            model.ends = Some(model.renewal());
        } else {
            model.end(&versions, now, prorates);
        }
        self.world.core.cancel(&self.world.business, &id, at, prorates, now).await.unwrap();
        self.model(subject);
        "cancel"
    }

    /// Moves a subscriber to the newest version by itself.
    async fn change_plan(&mut self, subject: &'static str) -> &'static str {
        let proration = *self.chance.pick(&[Proration::None, Proration::Prorate, Proration::Credit]);
        let (newest, now, at_end) = (self.versions.len() - 1, self.world.now, self.chance.one_in(2));
        let Some(mut model) = self.copy(subject) else { return "nobody" };
        let id = Id::named(model.id.as_str());
        let at = if at_end { CancelAt::PeriodEnd } else { CancelAt::Now };
        let change = PlanChange { plan: "basic".to_owned(), at, proration };
        let due = if at_end { model.renewal() } else { now };
        let is_newest = model.version == newest;
        if !is_newest {
            model.planned = Some(Move { to: newest, due: Some(due), proration: proration.into(), keeps_fee: false });
        }
        match self.world.change_plan(&id, &change, false).await {
            Ok(changed) if !is_newest => {
                assert_eq!(changed.planned.unwrap().due_at, Some(due));
                self.live.insert(subject, model);
            }
            Err(CoreError::Conflict { code: "ALREADY_ON_PLAN", .. }) if is_newest => {}
            other => panic!("{is_newest} {other:?}"),
        }
        "change of plan"
    }

    /// A most that a subscription may have of its own, at times one that its plan does not allow.
    fn own_most(&mut self, version: usize) -> Option<u64> {
        let fee = u64::try_from(self.versions[version].fee).unwrap();
        let near = fee + self.chance.below(300);
        self.chance.one_in(2).then(|| *self.chance.pick(&[0, fee / 2, near, near, near]))
    }

    /// Whether a version allows an own most.
    fn allows(&self, version: usize, most: Option<u64>) -> bool {
        let (least, highest) = self.versions[version].bounds;
        most.map(i128::from)
            .is_none_or(|own| least.is_none_or(|least| own >= least) && highest.is_none_or(|highest| own <= highest))
    }

    /// Sets a subscription's own most, or takes it away; at times only asks what that would do.
    async fn bound(&mut self, subject: &'static str) -> &'static str {
        let Some(mut asked) = self.copy(subject) else { return "nobody" };
        let version = asked.version;
        let (most, dry_run) = (self.own_most(version), self.chance.one_in(4));
        let allowed = self.allows(version, most);
        let spent = asked.set_most(most.map(i128::from));
        let changed = self.world.set_most(&Id::named(asked.id.as_str()), most, dry_run).await;
        match changed {
            Ok(changed) if allowed => assert_eq!((changed.spend.spent_nanos.get(), changed.planned), (spent, None)),
            Err(CoreError::Invalid { code: "MAX_SPEND_RANGE", .. }) if !allowed => return "most out of range",
            other => panic!("{most:?} {other:?}"),
        }
        if !dry_run {
            self.live.insert(subject, asked);
        }
        "own most"
    }

    async fn resume(&mut self, subject: &'static str) -> &'static str {
        let Some(model) = self.model(subject) else { return "nobody" };
        let id = Id::named(model.id.as_str());
        model.ends = None;
        let resumed = self.world.core.resume(&self.world.business, &id, self.world.now).await.unwrap();
        assert_eq!(resumed.cancel_at, None);
        "resume"
    }

    /// What is put right, or comes late, when a subscription of the subject has ended.
    async fn after_the_end(&mut self, subject: &'static str) -> &'static str {
        let Some(place) = self.ended.iter().rposition(|(known, _)| *known == subject) else { return "never ended" };
        let (versions, now) = (self.versions.clone(), self.world.now);
        let is_live = self.live.contains_key(subject);
        let known: Vec<(String, bool)> =
            self.ended[place].1.items.iter().map(|(id, item)| (id.clone(), item.refunded)).collect();
        if !known.is_empty() && self.chance.one_in(2) {
            let (id, refunded) = self.chance.pick(&known).clone();
            match self.world.refund(subject, &id).await {
                Ok(_) if !refunded => self.ended[place].1.refund(&id, &versions, now),
                Err(CoreError::Conflict { code: "ALREADY_REFUNDED", .. }) if refunded => {}
                other => panic!("{refunded} {other:?}"),
            }
            return "refund after the end";
        }
        if is_live {
            return "alive again";
        }
        if self.chance.one_in(3) {
            let nanos = i128::from(self.chance.below(1_000_000_000)) * 2 - 999_999_999;
            self.world.correct(subject, nanos).await;
            self.ended[place].1.correct(nanos, now);
            return "correction after the end";
        }
        let (mut item, uses) = self.item(subject);
        let end = self.ended[place].1.ended.unwrap();
        let moment =
            *self.chance.pick(&[end, end - SignedDuration::from_micros(1), end - SignedDuration::from_hours(50)]);
        item["occurredAt"] = json!(moment);
        let wanted = self.late(subject, &item, &uses);
        assert_eq!(statuses(&self.world.send(vec![item]).await), [wanted]);
        "late item"
    }

    /// What becomes of an item of a subject whose subscription has ended: until the last period is closed it takes in what happened
    /// before.
    fn late(&mut self, subject: &'static str, item: &Json, uses: &Uses) -> &'static str {
        let (versions, now) = (&self.versions, self.world.now);
        let moment = item["occurredAt"].as_str().map(|text| text.parse::<Timestamp>().unwrap());
        let last = self.ended.iter_mut().rev().find(|(known, _)| *known == subject).map(|(_, ended)| ended);
        match last {
            Some(ended)
                if !ended.months.last().unwrap().invoiced
                    && moment.is_some_and(|moment| moment < ended.ended.unwrap()) =>
            {
                if item["hold"].is_string() {
                    "HOLD_NOT_OPEN"
                } else if ended.admit(item, uses, None, versions, now) {
                    "accepted"
                } else {
                    "SPEND_LIMIT_REACHED"
                }
            }
            _ => "SUBSCRIPTION_NOT_FOUND",
        }
    }

    async fn close(&mut self) -> &'static str {
        for subject in SUBJECTS {
            self.model(subject);
        }
        let dry = self.world.dry_close().await.invoices;
        let closed = self.world.close().await;
        let (versions, now) = (self.versions.clone(), self.world.now);
        let mut wanted = Vec::new();
        let everyone = self.live.values_mut().chain(self.ended.iter_mut().map(|(_, subscriber)| subscriber));
        let mut everyone: Vec<&mut Subscriber> = everyone.collect();
        everyone.sort_by(|a, b| a.id.cmp(&b.id));
        for subscriber in everyone {
            for index in 0..subscriber.months.len() {
                let month = &subscriber.months[index];
                if month.invoiced || month.bounds.1 > now {
                    continue;
                }
                wanted.push((subscriber.id.clone(), index, subscriber.close(index, &versions)));
            }
        }
        for got in [&dry, &closed] {
            let got: Vec<_> = (got.iter())
                .map(|closed| {
                    let invoice = &closed.invoice;
                    let money = (
                        i128::from(invoice.recurring_fee_cents.get()),
                        invoice.usage_cents.0,
                        invoice.true_up_cents.0,
                        invoice.total_cents.0,
                        closed.carried_cents.0,
                        invoice.rounding_nanos.get(),
                    );
                    (closed.subscription_id.to_string(), closed.period as usize, money)
                })
                .collect();
            assert_eq!(got, wanted);
        }
        "close"
    }

    async fn restart(&mut self) -> &'static str {
        self.world.core = Core::new(self.fresh.open().await);
        "restart"
    }

    /// What the bills would be under some version: as they are where they are of that version already, and else rated as the model says.
    async fn what_if(&mut self) {
        let version = usize::try_from(self.chance.below(self.versions.len() as u64)).unwrap();
        let build = product(&self.versions[version]);
        let build = self.world.core.keep_build(&self.world.business, build, self.world.now).await.unwrap();
        let models = self.looked_at().await;
        for which in [WhatIfPeriod::OpenPeriod, WhatIfPeriod::LastPeriod] {
            let (core, business) = (&self.world.core, &self.world.business);
            let report = core.what_if(business, &build.id, which, None, self.world.now).await.unwrap();
            let has_last = |model: &&Subscriber| model.months.len() > 1 || which == WhatIfPeriod::OpenPeriod;
            assert_eq!(report.subscribers, models.values().filter(has_last).count() as u64);
            assert_eq!(report.without_period, models.len() as u64 - report.subscribers);
            // What is counted of a resource has no place in a version that does not price it.
            let is_placed = |one: &Unplaced| one.meter.as_ref().is_none_or(|meter| meter.as_str() != SEATS);
            let has_seats = self.versions[version].prices.contains_key(SEATS);
            let unplaced: Vec<_> = report.unplaced.iter().filter(|one| has_seats || is_placed(one)).collect();
            assert!(unplaced.is_empty(), "{unplaced:#?}");
            for row in report.rows {
                let model = &models[row.subject.as_str()];
                let (index, versions) = (row.period as usize, &self.versions);
                let month = &model.months[index];
                assert_eq!((row.period_start, row.period_end), month.bounds);
                let (.., total, carried, _) = model.invoice(index, versions);
                let mut old = total + carried;
                if month.invoiced {
                    // It stays as it was closed, whatever was refunded since.
                    let closed = core.invoices(business, &row.subscription_id, 0, 100).await.unwrap().0;
                    let closed = closed.iter().find(|closed| closed["period"] == row.period).unwrap();
                    let cents = |name: &str| closed[name].to_string().trim_matches('"').parse::<i128>().unwrap();
                    old = cents("totalCents") + cents("carriedCents");
                }
                assert_eq!(row.old_cents.0, old, "{row:#?}");
                assert_eq!(row.old_rated_nanos.get(), month.rated(versions), "{row:#?}");
                assert_eq!(row.new_rated_nanos.get(), month.rated_under(version, versions), "{row:#?}");
                if month.is_under(version, versions) {
                    assert_eq!((row.difference_cents.0, row.new_cents), (0, row.old_cents), "{row:#?}");
                    assert!(row.meters.is_empty() && row.keeps.is_empty() && !row.crosses, "{row:#?}");
                    *self.counts.entry("what-if of the same terms").or_default() += 1;
                } else {
                    *self.counts.entry("what-if of other terms").or_default() += 1;
                }
            }
        }
    }

    /// Every bill is explained: each node is the sum of its children, its total is the model's, and its charges post what the windows come to.
    async fn explain(&mut self) {
        let models = self.looked_at().await;
        let (core, business) = (&self.world.core, &self.world.business);
        for model in models.values() {
            for (index, month) in model.months.iter().enumerate() {
                let which = Explained::Period(Id::named(model.id.as_str()), u32::try_from(index).unwrap());
                let explained = core.explain(business, &which, (0, CHARGES_MAX), self.world.now).await.unwrap();
                if month.invoiced {
                    let closed = core.invoices(business, &Id::named(model.id.as_str()), 0, 100).await.unwrap().0;
                    let closed = closed.iter().find(|closed| closed["period"] == index).unwrap();
                    let total = closed["totalCents"].to_string();
                    assert_eq!(explained.total_cents.0.to_string(), total.trim_matches('"'), "{explained:#?}");
                } else {
                    let (.., total, carried, _) = model.invoice(index, &self.versions);
                    assert_eq!(explained.total_cents.0, total + carried, "{explained:#?}");
                }
                assert_eq!(explained.total.nanos.get(), explained.total_cents.0 * 10_000_000);
                let posted: i128 = (explained.charges.iter())
                    .map(|charge| charge.charge_nanos.get() + charge.remainder_nanos.get())
                    .sum();
                assert_eq!((posted, explained.cursor), (month.rated(&self.versions), None));
                *self.counts.entry("explained").or_default() += 1;
            }
        }
    }

    /// Everybody, after somebody has looked.
    async fn looked_at(&mut self) -> BTreeMap<&'static str, Subscriber> {
        let mut models = BTreeMap::new();
        for subject in SUBJECTS {
            models.extend(self.copy(subject).map(|model| (*subject, model)));
            let _settled = self.world.try_preview(subject).await;
        }
        models
    }

    /// What the service says of a subject is what the model says.
    async fn compare(&mut self, subject: &'static str) {
        let versions = self.versions.clone();
        let Some(mut model) = self.copy(subject) else {
            assert!(matches!(self.world.try_preview(subject).await, Err(CoreError::NotFound(_))));
            return;
        };
        let wanted = model.preview(&versions);
        let (id, index) = (Id::named(model.id.as_str()), model.months.len() - 1);
        // What closing everything before it would carry into it is not posted yet.
        let mut closing = model.clone();
        let open_months = (0..index).filter(|month| !model.months[*month].invoiced).collect::<Vec<_>>();
        for month in open_months {
            closing.close(month, &versions);
        }
        let invoice = closing.invoice(index, &versions);
        let mut preview = self.world.preview(subject).await;
        for window in preview.get_mut("windows").and_then(Json::as_array_mut).into_iter().flatten() {
            window.as_object_mut().unwrap().remove("windowId");
        }
        if preview["disclosure"] == "opaque" {
            assert!(!preview.to_string().contains("Nanos"), "{preview:#}");
            for allowance in preview["allowances"].as_array_mut().unwrap() {
                let display = allowance.as_object_mut().unwrap().remove("display").unwrap();
                let points = |name: &str| display[name].as_i64().unwrap();
                assert_eq!(points("consumedBasisPoints") + points("remainingBasisPoints"), 10_000);
                assert!((0..=10_000).contains(&points("remainingBasisPoints")));
            }
        }
        assert_eq!(preview, wanted, "{subject} at {}", self.world.now);
        // What closing now would invoice is what the preview says.
        let dry = self.world.core.close_invoices(&self.world.business, Some(&id), true, self.world.now).await.unwrap();
        let open = &dry.open.last().unwrap().invoice;
        let got = (open.recurring_fee_cents, open.usage_cents.0, open.total_cents.0, open.rounding_nanos.get());
        assert_eq!(got, (Cents::try_from(u64::try_from(invoice.0).unwrap()).unwrap(), invoice.1, invoice.3, invoice.5));
    }
}
