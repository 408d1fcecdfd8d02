//! What the subscriber of an opaque plan can work out from all that they are shown: ratios, and no amount. Two businesses that differ in
//! nothing but the size of their money show the same, byte for byte, over whole lives; so no number of responses, offers and fees together
//! tells how large it is.

use crate::stores::order;
use jiff::{SignedDuration, Timestamp};
use num_rational::Ratio;
use serde_json::{Value as Json, json};
use svc_core::credits::CreditSource;
use svc_core::metering::Estimate;
use svc_core::migrations::{MigrationOrder, VersionName};
use svc_core::plan_changes::PlanChange;
use svc_core::subscriptions::CancelAt;
use svc_engine::money::amount::Cents;
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::FreshSqlite;
use svc_money_tests::world::World;
use svc_store::Store;
use svc_store::records::{BuildResult, MigrationPolicy, Proration};

/// Lives that are lived at every scale.
const LIVES: u64 = 20;
const START: &str = "2026-04-01T00:00:00Z";
const PLANS: [&str; 2] = ["basic", "pro"];
/// How many times as large the money of each business is.
const SCALES: [u64; 3] = [1, 2, 1_000];

/// What is the same at every scale: everything but the money that is not told.
#[derive(Clone, Debug)]
struct Terms {
    fees: [u64; 2],
    micros: [u64; 2],
    granted: [u64; 2],
    factor: Option<&'static str>,
    tiered: bool,
}

impl Terms {
    fn of(chance: &mut SplitMix64) -> Terms {
        let two = |chance: &mut SplitMix64, most| [chance.below(most), chance.below(most)];
        Terms {
            fees: [chance.below(30) * 100, chance.below(30) * 100],
            micros: two(chance, 300_000),
            granted: two(chance, 400),
            factor: *chance.pick(&[None, Some("5"), Some("2.5")]),
            tiered: chance.one_in(2),
        }
    }

    fn product(&self, scale: u64, disclosure: &str) -> BuildResult {
        let plans: Vec<Json> = (0..2)
            .map(|at| {
                let micros = self.micros[at] * scale;
                let price = match self.tiered {
                    true => json!({ "meter": "a", "kind": "graduated", "tiers": [
                        { "upTo": 20, "micros": micros, "per": 1 }, { "upTo": null, "micros": micros * 2, "per": 1 },
                    ] }),
                    false => linear("a", micros, 1, 3),
                };
                let display = self.factor.map(|factor| json!({ "kind": "multiplier", "factor": factor }));
                let grant = |kind: &str, recurs: bool| {
                    let mut grant = json!({ "type": "credit", "kind": kind, "amountCents": self.granted[at] * scale, "recurs": recurs });
                    if let Some(display) = &display {
                        grant["display"] = display.clone();
                    }
                    grant
                };
                let more = json!({
                    "grants": [grant("included", true), grant("promo", false)], "spendPolicy": { "disclosure": disclosure },
                });
                plan(PLANS[at], self.fees[at], &[price], more)
            })
            .collect();
        build(&[meter("a", "sum")], &plans)
    }
}

/// What happens in a life.
#[derive(Clone, Debug)]
enum Event {
    Use(String, u64),
    Give(u64, &'static str, Option<u32>),
    Hold(String, u64),
    Void(String),
    Change(&'static str, Proration),
    /// A new version with another fee is offered, and taken.
    Offer([u64; 2], Proration),
}

fn life(chance: &mut SplitMix64) -> Vec<(Timestamp, Event)> {
    let mut now: Timestamp = START.parse().unwrap();
    let (mut events, mut count) = (Vec::new(), 0);
    for _ in 0..18 {
        now += SignedDuration::from_secs(i64::try_from(chance.below(5 * 86_400)).unwrap());
        count += 1;
        let (plan, kind) = (*chance.pick(&PLANS), *chance.pick(&["promo", "prepaid"]));
        let proration = *chance.pick(&[Proration::None, Proration::Prorate, Proration::Credit]);
        events.push((
            now,
            match chance.below(9) {
                0 => Event::Give(chance.below(300) + 1, kind, *chance.pick(&[None, Some(3)])),
                1 => Event::Hold(format!("h{count}"), chance.below(20_000)),
                2 => Event::Void(format!("i{}", chance.below(count) + 1)),
                3 => Event::Change(plan, proration),
                4 => Event::Offer([chance.below(30) * 100, chance.below(30) * 100], proration),
                _ => Event::Use(format!("i{count}"), chance.below(40_000)),
            },
        ));
    }
    events
}

/// Thousandths of a unit as text.
fn thousandths(count: u64) -> String {
    format!("{}.{:03}", count / 1_000, count % 1_000)
}

/// All that a subscriber was shown, after each event.
async fn shown(terms: &Terms, events: &[(Timestamp, Event)], scale: u64) -> Vec<Json> {
    let fresh = FreshSqlite::new().await;
    let mut terms = terms.clone();
    let mut world = World::new(&fresh, terms.product(scale, "opaque"), START).await;
    let subscription = world.subscribe("ada", "basic").await;
    let mut shown = Vec::new();
    for (moment, event) in events {
        world.now = *moment;
        match event {
            Event::Use(id, units) => drop(world.report("ada", &[(id, "a", &thousandths(*units))]).await),
            Event::Give(cents, kind, days) => {
                let (amount_cents, expires_after_days) = (Cents::try_from(cents * scale).unwrap(), *days);
                let kind = serde_json::from_value(json!(kind)).unwrap();
                let source = CreditSource::Given { amount_cents, kind, expires_after_days, meters: None };
                world.core.give_credit(&world.business, "ada", &source, None, world.now).await.unwrap();
            }
            Event::Hold(id, units) => {
                let estimate = Estimate::Meter { meter: "a".to_owned(), units: thousandths(*units).parse().unwrap() };
                world.core.hold(&world.business, "ada", id, &estimate, 86_400, world.now).await.unwrap();
            }
            Event::Void(item) => drop(world.refund("ada", item).await),
            Event::Change(plan, proration) => {
                let change = PlanChange { plan: (*plan).to_owned(), at: CancelAt::Now, proration: *proration };
                let same = world.change_plan(&subscription.id, &change, false).await;
                shown.push(json!(same.is_ok()));
            }
            Event::Offer(fees, proration) => {
                terms.fees = *fees;
                world.publish(terms.product(scale, "opaque")).await;
                shown.push(offer(&world, *proration).await);
            }
        }
        shown.push(world.preview("ada").await);
    }
    shown
}

/// Offers the newest version to who is on the one before, and has it taken. The offer as it is shown.
async fn offer<S: Store>(world: &World<S>, proration: Proration) -> Json {
    let versions = world.subscribers().await;
    let Some(((plan, version), _)) = versions.iter().find(|(_, count)| **count > 0) else { return Json::Null };
    let from = VersionName::Number(*version);
    let order = MigrationOrder { from, to: VersionName::Head, ..order(1, MigrationPolicy::OptIn, proration) };
    world.core.migrate(&world.business, plan, order, false, None, world.now).await.unwrap();
    let Some(offer) = world.core.plan_offer(&world.business, "ada", world.now).await.unwrap() else {
        return Json::Null;
    };
    world.core.take_offer(&world.business, "ada", &offer.offer_id, world.now).await.unwrap();
    let mut offer = serde_json::to_value(&offer).unwrap();
    offer["offerId"] = json!("an id");
    offer
}

#[test]
fn nothing_that_is_shown_tells_how_large_the_money_is() {
    svc_money_tests::block_on(async {
        let mut moved = 0;
        for seed in 1..=LIVES {
            let mut chance = SplitMix64(seed);
            let terms = Terms::of(&mut chance);
            let events = life(&mut chance);
            let plain = shown(&terms, &events, SCALES[0]).await;
            for scale in &SCALES[1..] {
                assert_eq!(
                    shown(&terms, &events, *scale).await,
                    plain,
                    "seed {seed}, {scale} times: {terms:?} {events:#?}"
                );
            }
            let partly = |seen: &Json| {
                seen["allowances"].as_array().is_some_and(|all| {
                    all.iter().any(|one| {
                        one["display"]["consumedBasisPoints"].as_u64().is_some_and(|gone| gone > 0 && gone < 10_000)
                    })
                })
            };
            moved += plain.iter().filter(|seen| partly(seen)).count();
        }
        // What is shown does say something: it is not the same because nothing moves.
        assert!(moved > 30, "{moved}");
    });
}

/// The ratio of price to grant that one reading leaves open, from below and up to: units used, and the basis points that are gone.
fn ratio(thousandths: i128, gone: i128) -> [Ratio<i128>; 2] {
    [Ratio::new(gone * 1_000, 10_000 * thousandths), Ratio::new((gone + 1) * 1_000, 10_000 * thousandths)]
}

#[test]
fn two_readings_give_the_ratio_of_price_to_grant_and_a_transparent_plan_the_rate() {
    svc_money_tests::block_on(async {
        for seed in 1..=LIVES {
            let mut chance = SplitMix64(seed);
            let (micros, granted) = (chance.below(200) + 1, chance.below(900) + 100);
            let terms = Terms { fees: [0; 2], micros: [micros; 2], granted: [granted, 0], factor: None, tiered: false };
            let used: Vec<u64> = (0..2).map(|_| 3_000 + chance.below(300_000)).collect();
            for disclosure in ["opaque", "transparent"] {
                let fresh = FreshSqlite::new().await;
                let world = World::new(&fresh, terms.product(1, disclosure), START).await;
                world.subscribe("ada", "basic").await;
                let (mut open, mut sum) = ([Ratio::from_integer(0), Ratio::from_integer(i128::MAX / 1_000_000)], 0);
                for (at, units) in used.iter().enumerate() {
                    world.report("ada", &[(&format!("i{at}"), "a", &thousandths(*units))]).await;
                    sum += i128::from(*units);
                    let seen = world.preview("ada").await;
                    // Three units are included.
                    let paid = sum - 3_000;
                    if disclosure == "transparent" {
                        let rated: i128 = seen["totals"]["ratedNanos"].as_str().unwrap().parse().unwrap();
                        assert_eq!(rated * 1_000, paid * i128::from(micros) * 1_000, "the rate is there to be read");
                        continue;
                    }
                    let display = &seen["allowances"][0]["display"];
                    let gone = i128::from(display["consumedBasisPoints"].as_u64().unwrap());
                    if paid > 0 && gone < 10_000 {
                        let [from, to] = ratio(paid, gone);
                        open = [open[0].max(from), open[1].min(to)];
                    }
                }
                // Nanos a unit costs by nanos granted: that much can be known, and it is so. More can't, as the scale is free.
                let truth = Ratio::new(i128::from(micros) * 1_000, i128::from(granted) * 10_000_000);
                assert!(open[0] <= truth && truth <= open[1], "seed {seed}: {truth} in {open:?}");
            }
        }
    });
}
