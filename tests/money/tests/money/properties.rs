//! What must hold whatever the rules are in detail, over random lives of a subscription: sentences of the specification, and no
//! second model. `PROPERTY_LIVES` says how many lives each property sees, `PROPERTY_SEED` from where; a failure names its seed.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value as Json, json};
use svc_core::Core;
use svc_core::CoreError;
use svc_core::credits::CreditSource;
use svc_core::plan_changes::PlanChange;
use svc_core::resources::ResourceCount;
use svc_core::subscriptions::CancelAt;
use svc_engine::money::amount::{Cents, NANOS_PER_CENT as CENT};
use svc_money_tests::product::{build, build_with, credit, linear, meter, plan};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::{Fresh, FreshSqlite};
use svc_money_tests::world::{World, statuses};
use svc_store::Store;
use svc_store::records::{BuildResult, Id, Proration};

/// Lives that each property sees in CI.
const LIVES: u64 = 25;
const START: &str = "2026-04-01T00:00:00Z";
const PLANS: &[&str] = &["basic", "pro"];
const GIVEN: &[&str] = &["promo", "prepaid"];
const METERS: [(&str, &str); 7] =
    [("a", "sum"), ("c", "count"), ("l", "last"), ("m", "max"), ("t", "sum"), ("u", "unique"), ("s", "time_weighted")];
/// A resource, and the meter that counts it.
const SEATS: &str = "r";

/// What happens in a life, and when.
#[derive(Clone, Debug)]
enum Event {
    /// Reports, all at one moment.
    Use(Vec<Json>),
    Change(&'static str, Proration),
    /// Cents, kind, and the days that it lives.
    Give(u64, &'static str, Option<u32>),
    /// The pack, or so many cents of the buyer's choice.
    Buy(Option<u64>),
    Void(String),
    /// So many seats from now on.
    Count(u64),
    /// The most of a month of its own, in cents, or none.
    Most(Option<u64>),
}

impl Event {
    /// Whether it changes who can pay for what is used behind it.
    fn is_about_payers(&self) -> bool {
        matches!(self, Event::Give(..) | Event::Buy(_) | Event::Most(_))
    }

    /// Whether it is bought credit that ends.
    fn is_bought_for_a_time(&self) -> bool {
        matches!(self, Event::Give(_, "prepaid", Some(_)) | Event::Buy(None))
    }
}

/// How a life is lived: the same events, told in another way.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// Reports of one moment come in another order.
    shuffled: bool,
    /// Reports of one moment come one by one.
    split: bool,
    /// Someone looks at the bill every few hours.
    visited: bool,
    /// Two servers take turns.
    served_by_two: bool,
}

fn lives() -> impl Iterator<Item = u64> {
    let number = |name: &str, otherwise| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    let first: u64 = number("PROPERTY_SEED", 1);
    first..first + number("PROPERTY_LIVES", LIVES)
}

/// Which forms random products may have beside those that all may.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forms {
    /// Prices fall with more use: volume tiers, free units for each of another meter.
    falls: bool,
    /// A most waives, of the plan's or of its own, and a meter has a least.
    bounded: bool,
    /// Credit is for some meters only.
    scoped: bool,
    /// Meters share free units, which are used in the order of reports.
    pooled: bool,
    /// Fees come in advance, once a year with months of usage, or begin with another.
    fees: bool,
    /// Levels last.
    levels: bool,
    /// Seats are priced.
    counted: bool,
}

impl Forms {
    pub(crate) const ALL: Forms =
        Forms { falls: true, bounded: true, scoped: true, pooled: true, fees: true, levels: true, counted: true };

    /// The meters of a product, which are reported.
    fn meters(self) -> &'static [(&'static str, &'static str)] {
        if self.levels { &METERS } else { &METERS[..6] }
    }

    /// Those that are priced.
    fn priced(self) -> impl Iterator<Item = &'static str> {
        self.meters().iter().map(|(meter, _)| *meter).chain(self.counted.then_some(SEATS))
    }
}

/// A random price of a meter.
fn price(chance: &mut SplitMix64, meter: &str, forms: Forms) -> Json {
    // 290 are 2.9 percent of a cent.
    let micros = *chance.pick(&[3, 290, 7_000, 150_000, 1_000_000]);
    if meter == "t" {
        return json!({ "meter": meter, "kind": "rates", "per": 7, "rates": { "x": micros, "y": micros / 2 } });
    }
    let mut tiers =
        json!([{ "upTo": 20, "micros": micros, "per": 3 }, { "upTo": null, "micros": micros / 2, "per": 3 }]);
    for tier in tiers.as_array_mut().unwrap() {
        if chance.one_in(4) {
            tier["flatMicros"] = json!(chance.below(900_000));
        }
        if chance.one_in(4) {
            tier["round"] = json!("up");
        }
    }
    let mut price = match chance.below(3) {
        0 => json!({ "meter": meter, "kind": "graduated", "tiers": tiers }),
        1 if forms.falls => json!({ "meter": meter, "kind": "volume", "tiers": tiers }),
        _ if micros == 290 => linear(meter, micros, 1, 0),
        _ => linear(meter, micros, 7, chance.below(15)),
    };
    if price["kind"] == "linear" && chance.one_in(3) {
        price["round"] = json!("up");
    }
    if meter == "u" && forms.falls && chance.one_in(2) {
        price["includedUnits"] = json!({ "per": "m", "units": 1 });
    }
    if chance.one_in(4) {
        price["maxCents"] = json!(100 + chance.below(300));
    }
    if forms.bounded && chance.one_in(4) {
        price["minCents"] = json!(chance.below(100));
    }
    price
}

/// Random credit that comes with a plan, or can be bought.
fn grants(chance: &mut SplitMix64, forms: Forms) -> Vec<Json> {
    let mut kept = credit("included", chance.below(200), true);
    if chance.one_in(2) {
        kept["rolloverPeriods"] = json!(chance.below(2) + 1);
    }
    let pack = json!({ "type": "topUp", "sku": "pack", "label": "Pack", "priceCents": 90, "creditCents": 100, "expiresAfterDays": 40 });
    let open = json!({ "type": "openTopUp", "sku": "open", "label": "Any", "minCents": 1, "maxCents": 400, "feeBasisPoints": 550 });
    let mut grants = vec![kept, credit("promo", chance.below(200), false), pack, open];
    let mut scopes: Vec<&[&str]> = vec![&["a"], &["a", "t"], &["c", "l", "m"], &["t", "u"]];
    if forms.levels && forms.counted {
        scopes.extend([&["s"][..], &["a", "r", "s"], &["r"]]);
    }
    for grant in grants.iter_mut().filter(|_| forms.scoped) {
        if chance.one_in(2) {
            grant["meters"] = json!(*chance.pick(&scopes));
        }
    }
    grants
}

/// Two plans, and their fees.
pub(crate) fn product(chance: &mut SplitMix64, forms: Forms) -> (BuildResult, [i128; 2]) {
    let mut fees = [0; 2];
    let mut plans = Vec::new();
    let is_yearly = forms.fees && chance.one_in(4);
    for (key, fee) in PLANS.iter().zip(&mut fees) {
        *fee = i128::from(chance.below(30)) * 100;
        let mut prices: Vec<Json> = forms.priced().map(|meter| price(chance, meter, forms)).collect();
        let mut more = json!({ "grants": grants(chance, forms) });
        if forms.pooled && chance.one_in(3) {
            for price in prices.iter_mut().filter(|price| ["a", "c"].contains(&price["meter"].as_str().unwrap())) {
                price["includedUnits"] = json!(0);
            }
            more["pools"] = json!({ "both": { "units": chance.below(40), "meters": { "a": 1, "c": 2 } } });
        }
        if forms.bounded && chance.one_in(2) {
            more["maxMonthlySpendCents"] = json!(*fee as u64 + chance.below(300));
        }
        if is_yearly {
            (more["interval"], more["usageInterval"]) = (json!("year"), json!("month"));
        }
        if forms.fees && chance.one_in(3) {
            more["billed"] = json!("advance");
        }
        if forms.fees && *fee > 0 && chance.one_in(3) {
            more["intro"] = json!({ "amountCents": chance.below(*fee as u64), "periods": chance.below(3) + 1 });
        }
        plans.push(plan(key, *fee as u64, &prices, more));
    }
    let mut meters: Vec<Json> = forms.meters().iter().map(|(key, aggregation)| meter(key, aggregation)).collect();
    for by in meters.iter_mut().filter(|meter| meter["key"] == "t") {
        by["by"] = json!(["k"]);
    }
    if !forms.counted {
        return (build(&meters, &plans), fees);
    }
    let mut seats = meter(SEATS, "time_weighted");
    seats["resource"] = json!(SEATS);
    meters.push(seats);
    let declared = json!([{ "name": SEATS, "display": "Seats", "countSource": "action_inferred" }]);
    (build_with(&meters, &plans, |ir| ir["resources"] = declared), fees)
}

/// A random report of ada's.
pub(crate) fn usage(chance: &mut SplitMix64, forms: Forms, count: &mut u64, now: Timestamp) -> Json {
    *count += 1;
    let (meter, aggregation) = *chance.pick(forms.meters());
    let occurred_at = now - SignedDuration::from_micros(i64::try_from(*count).unwrap());
    let mut item = json!({
        "id": format!("i{count}"), "subject": "ada", "meter": meter, "occurredAt": occurred_at,
        "units": format!("{}.{:09}", chance.below(40), chance.below(1_000_000_000)),
    });
    if aggregation == "count" {
        item["units"] = json!(1);
    }
    if meter == "t" {
        item["by"] = json!({ "k": *chance.pick(&["x", "y"]) });
    }
    if aggregation == "unique" {
        item["uniqueKey"] = json!(format!("k{}", chance.below(9)));
    }
    item
}

/// Events over some six weeks.
fn life(chance: &mut SplitMix64, forms: Forms, changes: bool, voids: bool) -> Vec<(Timestamp, Event)> {
    let mut now: Timestamp = START.parse().unwrap();
    let (mut events, mut count) = (Vec::new(), 0);
    for _ in 0..14 {
        now += SignedDuration::from_secs(i64::try_from(chance.below(6 * 86_400)).unwrap());
        let (plan, kind) = (*chance.pick(PLANS), *chance.pick(GIVEN));
        let event = match chance.below(9) {
            0 if changes => {
                Event::Change(plan, *chance.pick(&[Proration::None, Proration::Prorate, Proration::Credit]))
            }
            1 => Event::Give(chance.below(300) + 1, kind, *chance.pick(&[None, Some(2), Some(5)])),
            6 if chance.one_in(2) => Event::Buy(chance.one_in(2).then(|| chance.below(400) + 1)),
            7 if forms.counted => Event::Count(chance.below(6)),
            8 if forms.bounded && chance.one_in(2) => Event::Most((!chance.one_in(3)).then(|| chance.below(3_200))),
            2 if voids && count > 0 => Event::Void(format!("i{}", chance.below(count) + 1)),
            _ => Event::Use((0..=chance.below(5)).map(|_| usage(chance, forms, &mut count, now)).collect()),
        };
        events.push((now, event));
    }
    events
}

/// Period, total in cents, what is owed for usage and what that is rated at in nanodollars.
type Document = (u32, i128, i128, i128);

/// What a life came to: its documents, and the preview at its end.
#[derive(Debug, PartialEq)]
struct Outcome {
    documents: Vec<Document>,
    preview: Json,
}

/// Nanodollars that a step may move between who pays, where credit is for some meters only and comes behind usage: the fractions of what
/// several sets of meters come to are rounded down for each of them by itself, at each step.
const NANOS_A_STEP: i128 = 1;
/// Most steps of a life: reports, and looks at the bill.
const STEPS_MAX: i128 = 400;

impl Outcome {
    /// Checks that it comes to what another does; to so many nanodollars where credit is `scoped`, and so to a cent where a cent is
    /// between them.
    fn is_as(&self, other: &Outcome, scoped: bool, context: &str) {
        if !scoped {
            assert_eq!(sums(self), sums(other), "{context}");
            return;
        }
        assert_eq!(self.documents.len(), other.documents.len(), "{context}");
        for (own, other) in self.documents.iter().zip(&other.documents) {
            assert_eq!((own.0, own.3), (other.0, other.3), "{context}");
            let is_near = (own.2 - other.2).abs() <= NANOS_A_STEP * STEPS_MAX && (own.1 - other.1).abs() <= 1;
            assert!(is_near, "{context}: {own:?} and {other:?}");
        }
    }
}

async fn live(
    seed: u64,
    build: &BuildResult,
    events: &[(Timestamp, Event)],
    way: Way,
) -> (Outcome, World<impl Store + use<>>, Id) {
    let fresh = FreshSqlite::new().await;
    let mut world = World::new(&fresh, build.clone(), START).await;
    let mut other = way.served_by_two.then_some(Core::new(fresh.open().await));
    let subscription = world.subscribe("ada", "basic").await.id;
    let mut chance = SplitMix64(seed ^ 0x5eed);
    for (moment, event) in events {
        while way.visited && world.now + SignedDuration::from_hours(31) < *moment {
            world.now += SignedDuration::from_hours(31);
            world.try_preview("ada").await.unwrap();
        }
        world.now = *moment;
        if let Some(other) = &mut other {
            std::mem::swap(&mut world.core, other);
        }
        happen(&world, &subscription, event, way, &mut chance).await;
    }
    world.now = "2026-08-01T00:00:00Z".parse().unwrap();
    let closed = world.close().await;
    let sums = |closed: &svc_core::invoices::PeriodInvoice| {
        let totals = &closed.invoice.totals;
        (closed.period, closed.invoice.total_cents.0, totals.receivable_nanos.get(), totals.rated_nanos.get())
    };
    let preview = world.preview("ada").await;
    world.audit().await;
    (Outcome { documents: closed.iter().map(sums).collect(), preview }, world, subscription)
}

async fn happen<S: Store>(world: &World<S>, subscription: &Id, event: &Event, way: Way, chance: &mut SplitMix64) {
    match event {
        Event::Use(items) => {
            let mut items = items.clone();
            if way.shuffled {
                items.sort_by_cached_key(|_| chance.below(u64::MAX));
            }
            let batches = if way.split { items.chunks(1) } else { items.chunks(items.len()) };
            for batch in batches {
                let results = world.send(batch.to_vec()).await;
                assert!(statuses(&results).iter().all(|status| *status == "accepted"), "{results:?}");
            }
        }
        Event::Change(plan, proration) => {
            let change = PlanChange { plan: (*plan).to_owned(), at: CancelAt::Now, proration: *proration };
            let _already_on_it = world.change_plan(subscription, &change, false).await;
        }
        Event::Give(cents, kind, days) => drop(world.give("ada", *cents, kind, *days).await),
        Event::Buy(cents) => {
            let sku = if cents.is_some() { "open" } else { "pack" }.to_owned();
            let source = CreditSource::TopUp { sku, amount_cents: cents.map(|cents| Cents::try_from(cents).unwrap()) };
            world.core.give_credit(&world.business, "ada", &source, None, world.now).await.unwrap();
        }
        Event::Void(item) => drop(world.refund("ada", item).await),
        Event::Count(count) => {
            let to = ResourceCount { resource: SEATS.to_owned(), count: *count };
            world.core.set_resource_count(&world.business, "ada", &to, world.now).await.unwrap();
        }
        Event::Most(most) => {
            let set = world.set_most(subscription, *most, false).await;
            let is_above_the_plans = matches!(set, Err(CoreError::Invalid { code: "MAX_SPEND_RANGE", .. }));
            assert!(set.is_ok() || is_above_the_plans, "{set:?}");
        }
    }
}

fn run(property: impl AsyncFn(u64, SplitMix64)) {
    svc_money_tests::block_on(async {
        for seed in lives() {
            println!("PROPERTY_SEED={seed} PROPERTY_LIVES=1");
            property(seed, SplitMix64(seed)).await;
        }
    });
}

#[test]
fn order_and_batches_of_reports_change_nothing() {
    run(async |seed, mut chance| {
        // In a pool the order decides which meter takes the free units.
        let forms = Forms { pooled: false, ..Forms::ALL };
        let (build, _) = product(&mut chance, forms);
        let mut events = life(&mut chance, forms, false, false);
        // Who pays is settled before use: credit that comes behind usage, or a most that changes, is what the next property is about.
        for (moment, _) in events.iter_mut().filter(|(_, event)| event.is_about_payers()) {
            *moment = START.parse().unwrap();
        }
        events.sort_by_key(|(moment, _)| *moment);
        let (plain, ..) = live(seed, &build, &events, Way::default()).await;
        for way in [Way { shuffled: true, ..Way::default() }, Way { split: true, shuffled: true, ..Way::default() }] {
            assert_eq!(sums(&live(seed, &build, &events, way).await.0), sums(&plain), "seed {seed}: {way:?}");
        }
    });
}

/// Credit may come, end and be bought whenever it likes, and a most may change, where no price falls and no report lowers what was used. (Where one does, a fall gives to what
/// was owed before credit came, and what rises again the credit pays. Where that credit is for some meters only, each report takes the first that can pay for it.)
#[test]
fn order_and_batches_change_nothing_whenever_credit_comes_where_no_price_falls() {
    run(async |seed, mut chance| {
        let forms = Forms { pooled: false, falls: false, levels: false, scoped: false, ..Forms::ALL };
        let (build, _) = product(&mut chance, forms);
        let mut events = life(&mut chance, forms, false, false);
        for (_, event) in &mut events {
            if let Event::Use(items) = event {
                items.retain(|item| item["meter"] != "l");
            }
        }
        events.retain(|(_, event)| !matches!(event, Event::Use(items) if items.is_empty()));
        let (plain, ..) = live(seed, &build, &events, Way::default()).await;
        for way in [Way { shuffled: true, ..Way::default() }, Way { split: true, shuffled: true, ..Way::default() }] {
            live(seed, &build, &events, way).await.0.is_as(&plain, forms.scoped, &format!("seed {seed}: {way:?}"));
        }
    });
}

/// Without what an order may change: how often a window was charged is counted alike, but ids and buckets' numbers are not money.
fn sums(outcome: &Outcome) -> (&[Document], &Json) {
    (&outcome.documents, &outcome.preview["totals"])
}

#[test]
fn visits_and_a_second_server_change_nothing() {
    run(async |seed, mut chance| {
        let forms = Forms { scoped: chance.one_in(2), ..Forms::ALL };
        let (build, _) = product(&mut chance, forms);
        let events = life(&mut chance, forms, true, true);
        let (plain, ..) = live(seed, &build, &events, Way::default()).await;
        for way in
            [Way { visited: true, ..Way::default() }, Way { served_by_two: true, visited: true, ..Way::default() }]
        {
            live(seed, &build, &events, way).await.0.is_as(&plain, forms.scoped, &format!("seed {seed}: {way:?}"));
        }
    });
}

#[test]
fn more_use_never_costs_less_where_no_price_falls() {
    run(async |seed, mut chance| {
        let forms = Forms { falls: false, ..Forms::ALL };
        let (build, _) = product(&mut chance, forms);
        // Without a move: what is used up under a cheaper plan can't be sold again under a dearer one.
        let mut events = life(&mut chance, forms, false, false);
        // What it is rated at: when it is used decides whether credit that ends pays for it.
        let total = |outcome: &Outcome| outcome.documents.iter().map(|(.., rated)| rated).sum::<i128>();
        let (less, ..) = live(seed, &build, &events, Way::default()).await;
        let mut count = 1_000;
        for (moment, event) in &mut events {
            if let Event::Use(items) = event {
                let mut more = usage(&mut chance, forms, &mut count, *moment);
                while ["l", "s"].iter().any(|level| more["meter"] == *level) {
                    // A level that is reported later is another level, not more use.
                    more = usage(&mut chance, forms, &mut count, *moment);
                }
                items.push(more);
            }
        }
        let (more, ..) = live(seed, &build, &events, Way::default()).await;
        assert!(total(&more) >= total(&less), "seed {seed}: {} and then {}", total(&less), total(&more));
    });
}

#[test]
fn a_fee_is_paid_for_all_of_its_time_and_a_move_costs_no_more_than_the_dearer_plan() {
    run(async |seed, mut chance| {
        let (build, fees) = product(&mut chance, Forms::default());
        let events: Vec<(Timestamp, Event)> = (life(&mut chance, Forms::default(), true, false).into_iter())
            .filter(|(moment, event)| {
                matches!(event, Event::Change(..)) && *moment < "2026-05-01T00:00:00Z".parse().unwrap()
            })
            .collect();
        let (outcome, world, _) = live(seed, &build, &events, Way::default()).await;
        let (_, april, ..) = outcome.documents[0];
        let credited = credited_by_moves(&world).await;
        let dearest = *fees.iter().max().unwrap();
        assert!(april * CENT - credited <= dearest * CENT, "seed {seed}: {april} for plans of {fees:?}");
        // Each plan's fee for its time; where a move prices nothing, the time goes on at what it was paid at.
        let end: Timestamp = "2026-05-01T00:00:00Z".parse().unwrap();
        let (mut on, mut paid, mut since, mut due) = (0, fees[0], START.parse::<Timestamp>().unwrap(), 0_i128);
        for (moment, event) in events.iter().chain([&(end, Event::Give(0, "promo", None))]) {
            due += paid * CENT * (moment.as_microsecond() - since.as_microsecond()) as i128 / (30 * 86_400_000_000);
            since = *moment;
            if let Event::Change(plan, proration) = event {
                let to = PLANS.iter().position(|known| known == plan).unwrap();
                paid = if to == on || *proration == Proration::None { paid } else { fees[to] };
                on = to;
            }
        }
        let difference = april * CENT - credited - due;
        assert!(
            (-CENT..=events.len() as i128 + 1).contains(&difference),
            "seed {seed}: {april} less {credited}, and {due}"
        );
    });
}

/// What moves gave as credit, in nanodollars.
async fn credited_by_moves<S: Store>(world: &World<S>) -> i128 {
    let mut tx = world.core.store.begin(svc_store::Mode::Read).await.unwrap();
    let mut sum = 0;
    for subscription in tx.subscriptions_after(&world.business, "", 100).await.unwrap() {
        for bucket in tx.all_buckets(&subscription.key()).await.unwrap() {
            let is_of_move = bucket.origin == svc_engine::money::bucket::BucketOrigin::Move;
            sum += if is_of_move { bucket.granted.get() } else { 0 };
        }
    }
    sum
}

#[test]
fn ending_and_beginning_again_gives_nothing_for_free() {
    run(async |seed, mut chance| {
        let welcome = i128::from(chance.below(500));
        let fee = chance.below(50) * 100;
        let more = json!({ "trialDays": chance.below(20), "grants": [credit("promo", welcome as u64, false)] });
        let product = build(&[meter("a", "sum")], &[plan("basic", fee, &[linear("a", 10_000, 1, 0)], more)]);
        let fresh = FreshSqlite::new().await;
        let mut world = World::new(&fresh, product, START).await;
        let (rounds, units) = (2 + chance.below(5), 1 + chance.below(300));
        for round in 0..rounds {
            let id = world.subscribe("ada", "basic").await.id;
            world.report("ada", &[(&format!("r{round}"), "a", &units.to_string())]).await;
            world.now += SignedDuration::from_hours(i64::try_from(1 + chance.below(60)).unwrap());
            world.core.cancel(&world.business, &id, CancelAt::Now, true, world.now).await.unwrap();
        }
        let invoiced: i128 = world.close().await.iter().map(|closed| closed.invoice.total_cents.0).sum();
        let used = i128::from(rounds * units);
        assert!(
            invoiced >= used - welcome,
            "seed {seed}: {used} cents of usage, {welcome} of welcome, {invoiced} invoiced"
        );
        world.audit().await;
    });
}

#[test]
fn taking_everything_out_again_comes_to_nothing() {
    run(async |seed, mut chance| {
        // Of seats nothing can be taken out. A level that a period took over from the one before is not the item's any more.
        let (levels, bounded) = (chance.one_in(2), chance.one_in(2));
        let forms = Forms { counted: false, levels, bounded, ..Forms::ALL };
        let (build, _) = product(&mut chance, forms);
        let mut events = life(&mut chance, forms, true, false);
        let end: Timestamp = if levels { "2026-05-01T00:00:00Z" } else { "2027-01-01T00:00:00Z" }.parse().unwrap();
        events.retain(|(moment, _)| *moment < end);
        let Some((last, _)) = events.last().cloned() else { return };
        let mut items: Vec<String> = (events.iter())
            .filter_map(|(_, event)| if let Event::Use(items) = event { Some(items) } else { None })
            .flatten()
            .map(|item| item["id"].as_str().unwrap().to_owned())
            .collect();
        items.sort_by_cached_key(|_| chance.below(u64::MAX));
        let unused: Vec<_> = events.iter().filter(|(_, event)| !matches!(event, Event::Use(_))).cloned().collect();
        events.extend(items.into_iter().map(|item| (last, Event::Void(item))));
        let (voided, ..) = live(seed, &build, &events, Way::default()).await;
        let (never, ..) = live(seed, &build, &unused, Way::default()).await;
        // Bought credit that has ended can't come back. What it paid stays spent, and a least is met by it.
        let cents = |outcome: &Outcome| outcome.documents.iter().map(|(_, cents, ..)| *cents).collect::<Vec<_>>();
        let is_less = |(voided, never): (&i128, &i128)| voided <= never;
        assert!(cents(&voided).iter().zip(&cents(&never)).all(is_less), "seed {seed}: {voided:?} and {never:?}");
        if !forms.bounded || !unused.iter().any(|(_, event)| event.is_bought_for_a_time()) {
            assert_eq!(voided.documents, never.documents, "seed {seed}");
        }
    });
}

#[test]
fn taking_all_out_and_reporting_it_again_changes_nothing() {
    run(async |seed, mut chance| {
        let forms = Forms { scoped: false, ..Forms::ALL };
        let (build, _) = product(&mut chance, forms);
        let end: Timestamp = "2026-05-01T00:00:00Z".parse().unwrap();
        let mut events = life(&mut chance, forms, false, false);
        events.retain(|(moment, _)| *moment < end);
        // Credit comes before use: what was owed before it came would be paid by it at the second admission.
        events.sort_by_key(|(_, event)| !event.is_about_payers());
        let mut latest = START.parse::<Timestamp>().unwrap();
        for (moment, event) in &mut events {
            *moment = if event.is_about_payers() { latest } else { latest.max(*moment) };
            latest = *moment;
        }
        let items: Vec<Json> = (events.iter())
            .filter_map(|(_, event)| if let Event::Use(items) = event { Some(items.clone()) } else { None })
            .flatten()
            .collect();
        let Some((last, _)) = events.last().cloned() else { return };
        let (plain, ..) = live(seed, &build, &events, Way::default()).await;
        // Money that has expired since paid for some of them: all of it comes out, is kept, and pays again before anybody else.
        let voids = items.iter().map(|item| Event::Void(item["id"].as_str().unwrap().to_owned()));
        let uses = items.iter().map(|item| Event::Use(vec![item.clone()]));
        events.extend(voids.chain(uses).map(|event| (last, event)));
        let (again, ..) = live(seed, &build, &events, Way::default()).await;
        assert_eq!(again.documents, plain.documents, "seed {seed}");
    });
}
