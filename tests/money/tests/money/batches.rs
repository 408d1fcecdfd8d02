//! Batches that are admitted together, in one transaction, are what they are one after the other: the same answers, the same rows.

use crate::properties::{self, Forms};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_core::Core;
use svc_core::items::ItemResult;
use svc_core::metering::Estimate;
use svc_money_tests::counting::Counting;
use svc_money_tests::faulty::{Fault, Faulty};
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::{World, at, statuses};
use svc_store::Store;
use svc_store::records::BuildResult;

svc_money_tests::on_both_stores! {
    together_is_as_one_after_the_other,
    those_that_wait_are_admitted_together,
    who_leaves_and_what_is_stopped_takes_nobody_along,
}

const START: &str = "2026-04-01T00:00:00Z";
const SUBJECTS: [&str; 2] = ["ada", "bea"];
/// Lives on each store; `BATCH_LIVES` says otherwise.
const LIVES: u64 = 6;
/// Rounds of a life, each of several batches.
const ROUNDS: usize = 10;

/// A product with everything that a batch may depend on what came before it by: levels that last, included units, credit for some usage only,
/// a most that refuses.
fn product(chance: &mut SplitMix64) -> BuildResult {
    let meters = [meter("a", "sum"), meter("l", "time_weighted"), meter("u", "unique")];
    let mut scoped = credit("included", chance.below(200), true);
    scoped["meters"] = json!(["a"]);
    let tiers = json!([{ "upTo": 20, "micros": 70_000, "per": 1 }, { "upTo": null, "micros": 30_000, "per": 1 }]);
    let prices = [
        linear("a", 100_000, 1, 30),
        json!({ "meter": "u", "kind": "graduated", "tiers": tiers }),
        linear("l", 900_000, 1, 0),
    ];
    let prices = if chance.one_in(2) { &prices[..] } else { &prices[..2] };
    let mut more = json!({ "grants": [scoped, credit("promo", chance.below(300), false)] });
    if chance.one_in(2) {
        (more["maxMonthlySpendCents"], more["overageBehavior"]) = (json!(chance.below(900)), json!("block"));
    }
    build(&meters, &[plan("basic", 0, prices, more)])
}

/// What happens in a life, the same in both worlds.
enum Event {
    Give(&'static str, u64, u32),
    Hold(&'static str, String, u32),
    Refund(&'static str, String),
    Batches(Vec<(Vec<Json>, Timestamp)>),
}

/// Some batches of the same subjects: new items, known ones, others under a known id, and bad ones.
fn batches(
    chance: &mut SplitMix64,
    count: &mut u64,
    sent: &mut Vec<Json>,
    start: Timestamp,
) -> Vec<(Vec<Json>, Timestamp)> {
    let subjects = if chance.one_in(3) { &SUBJECTS[..] } else { &SUBJECTS[..1] };
    let mut now = start;
    let mut batches = Vec::new();
    for _ in 0..=chance.below(5) {
        let mut items = Vec::new();
        for number in 0..subjects.len().max(usize::try_from(chance.below(5)).unwrap()) {
            let mut item = properties::usage(chance, Forms::ALL, count, now);
            item["subject"] = json!(subjects[number % subjects.len()]);
            match chance.below(9) {
                0 => item["meter"] = json!("unknown"),
                1 => item["units"] = json!("-1"),
                2 => item["hold"] = json!(format!("h{}", chance.below(*count) + 1)),
                3 if !sent.is_empty() => item = chance.pick(sent).clone(),
                4 if !sent.is_empty() => item["id"] = chance.pick(sent)["id"].clone(),
                _ => sent.push(item.clone()),
            }
            items.push(item);
        }
        batches.push((items, now));
        let later =
            *chance.pick(&[0, 0, 0, 1, 1_000_000, 7_200_000_000, 86_400_000_000, 20 * 86_400_000_000, -1_000_000]);
        now += SignedDuration::from_micros(later);
    }
    batches
}

fn life(chance: &mut SplitMix64) -> Vec<(Timestamp, Event)> {
    let (mut now, mut count, mut sent, mut events) = (at(START), 0, Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        now += SignedDuration::from_secs(i64::try_from(chance.below(2 * 86_400)).unwrap());
        let subject = *chance.pick(&SUBJECTS);
        let event = match chance.below(3) {
            0 => Event::Give(subject, chance.below(200) + 1, u32::try_from(chance.below(3)).unwrap() + 1),
            1 => Event::Hold(subject, format!("h{}", count + 1), u32::try_from(60 + chance.below(86_400)).unwrap()),
            _ => Event::Refund(subject, format!("i{}", chance.below(count + 1) + 1)),
        };
        events.push((now, event));
        let next = batches(chance, &mut count, &mut sent, now);
        now = next.iter().map(|(_, now)| *now).max().unwrap();
        events.push((now, Event::Batches(next)));
    }
    events
}

/// Lives a life; what was answered to its batches.
async fn live<S: Store>(
    world: &mut World<S>,
    events: &[(Timestamp, Event)],
    is_together: bool,
) -> Vec<Vec<ItemResult>> {
    let mut answers = Vec::new();
    for subject in SUBJECTS {
        world.subscribe(subject, "basic").await;
    }
    for (now, event) in events {
        world.now = *now;
        match event {
            Event::Give(subject, cents, days) => drop(world.give(subject, *cents, "promo", Some(*days)).await),
            Event::Hold(subject, id, seconds) => {
                let estimate = Estimate::Meter { meter: "a".to_owned(), units: "3".parse().unwrap() };
                let _what_no_credit_covers =
                    world.core.hold(&world.business, subject, id, &estimate, *seconds, world.now).await;
            }
            Event::Refund(subject, item) => drop(world.refund(subject, item).await),
            Event::Batches(batches) if is_together => {
                answers.extend(world.core.report_in_order(&world.business, batches.clone()).await.unwrap());
            }
            Event::Batches(batches) => {
                for (items, now) in batches {
                    answers.push(world.core.report_usage(&world.business, items.clone(), *now).await.unwrap());
                }
            }
        }
    }
    world.audit().await;
    answers
}

/// Everything that is kept of a business's money, with its ids told by when they first come.
async fn rows(fresh: &impl Fresh, business: &str) -> Vec<(&'static str, Vec<Vec<String>>)> {
    let mut ids = BTreeMap::new();
    let mut kept = Vec::new();
    // In an order that says nothing of ids but in which order they were made.
    for (table, order) in [
        ("subscriptions", "subject"),
        ("periods", "subscription_id, period"),
        ("windows", "subscription_id, window_start, id"),
        ("buckets", "id"),
        ("ledger_transactions", "id"),
        ("charges", "subscription_id, period, position"),
        ("usage_items", "subject, id"),
        ("period_keys", "subscription_id, period, meter, unique_key"),
        ("window_levels", "window_id, meter"),
        ("holds", "subscription_id, id"),
        ("events", "id"),
    ] {
        let found =
            fresh.rows(&format!("SELECT * FROM {table} WHERE business_id = '{business}' ORDER BY {order}")).await;
        let row = |row: Vec<String>| row.into_iter().map(|text| told(&text, &mut ids)).collect();
        let mut found: Vec<Vec<String>> = found.into_iter().map(row).collect();
        found.sort();
        kept.push((table, found));
    }
    kept
}

/// A text with each id in it told by how many came before it.
fn told(text: &str, ids: &mut BTreeMap<String, usize>) -> String {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut told = String::new();
    for word in text.split_inclusive(|character| !is_part(character)) {
        let (name, rest) = word.split_at(word.trim_end_matches(|character| !is_part(character)).len());
        match name.split_once('_') {
            Some((kind, id)) if id.len() == 32 && id.chars().all(|digit| digit.is_ascii_hexdigit()) => {
                let next = ids.len();
                told += &format!("{kind}#{}{rest}", ids.entry(name.to_owned()).or_insert(next));
            }
            _ => told += word,
        }
    }
    told
}

async fn together_is_as_one_after_the_other(fresh: &impl Fresh) {
    let number = |name: &str, otherwise| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    let first: u64 = number("BATCH_SEED", 1);
    let mut split = 0;
    for seed in first..first + number("BATCH_LIVES", LIVES) {
        let mut chance = SplitMix64(seed);
        let build =
            if seed.is_multiple_of(2) { product(&mut chance) } else { properties::product(&mut chance, Forms::ALL).0 };
        let events = life(&mut chance);
        let mut one_by_one = World::new(fresh, build.clone(), START).await;
        let mut together = World::new(fresh, build, START).await;
        println!("BATCH_SEED={seed} BATCH_LIVES=1");
        let wanted = live(&mut one_by_one, &events, false).await;
        println!("together");
        assert_eq!(live(&mut together, &events, true).await, wanted, "BATCH_SEED={seed}");
        let (found, kept) =
            (rows(fresh, together.business.as_str()).await, rows(fresh, one_by_one.business.as_str()).await);
        for ((table, found), (_, kept)) in found.iter().zip(&kept) {
            let differ = found.iter().zip(kept).find(|(found, kept)| found != kept);
            assert_eq!((differ, found.len()), (None, kept.len()), "{table}, BATCH_SEED={seed}");
        }
        split += wanted.len();
    }
    assert!(split > 2 * ROUNDS, "{split}");
}

fn simple() -> BuildResult {
    build(&[meter("tokens", "sum")], &[plan("basic", 0, &[linear("tokens", 1_000, 1, 0)], json!({}))])
}

async fn world<S: Store>(store: S) -> World<S> {
    let core = Core::new(store);
    let now = at(START);
    let business = core.create_business("Test", now).await.unwrap().id;
    let world = World { core, business, now };
    world.publish(simple()).await;
    world.subscribe("ada", "basic").await;
    world
}

fn item(id: &str) -> Json {
    json!({ "id": id, "subject": "ada", "meter": "tokens", "units": 1 })
}

/// Many batches at once; what each is answered.
async fn at_once<S: Store>(world: &World<S>, core: &Core<S>, batches: Vec<Vec<Json>>) -> Vec<Vec<ItemResult>> {
    let mut senders = Vec::new();
    for items in batches {
        let (core, business, now) = (core.clone(), world.business.clone(), world.now);
        senders.push(tokio::spawn(async move { core.report_usage(&business, items, now).await.unwrap() }));
    }
    let mut answers = Vec::new();
    for sender in senders {
        answers.push(sender.await.unwrap());
    }
    answers
}

async fn those_that_wait_are_admitted_together(fresh: &impl Fresh) {
    let store = Counting::new(fresh.open().await);
    let world = world(store.clone()).await;
    const BATCHES: usize = 48;
    let batch = |number: usize| vec![item(&format!("i{number}")), item(&format!("i{}", number / 2)), item("")];
    let mut asked = Vec::new();
    for core in [world.core.clone().one_by_one(), world.core.clone()] {
        let name = |number: usize| number + 1_000 * asked.len();
        let batches = (0..BATCHES).map(|number| batch(name(number))).collect();
        store.taken();
        let answers = at_once(&world, &core, batches).await;
        asked.push(store.taken().journeys);
        let all: Vec<&str> = answers.iter().flat_map(|answer| statuses(answer)).collect();
        let count = |status: &str| all.iter().filter(|found| **found == status).count();
        assert_eq!((count("accepted") + count("duplicate"), all.len()), (2 * BATCHES, 3 * BATCHES), "{all:?}");
    }
    assert!(asked[1] * 2 < asked[0], "journeys one by one and together: {asked:?}");
    let known = fresh.rows("SELECT COUNT(*), COUNT(DISTINCT item) FROM charges").await;
    assert_eq!(known[0][0], known[0][1], "each item is charged once");
    world.audit().await;
}

async fn who_leaves_and_what_is_stopped_takes_nobody_along(fresh: &impl Fresh) {
    let store = Faulty::new(fresh.open().await, 7);
    let world = Arc::new(world(store.clone()).await);
    for (round, fault) in [Fault::None, Fault::Stopped(8), Fault::LostAnswer].into_iter().enumerate() {
        store.set(fault);
        let mut senders = Vec::new();
        for number in 0..40 {
            let (world, id) = (Arc::clone(&world), format!("{round}-{number}"));
            senders.push(tokio::spawn(async move {
                while world.core.report_usage(&world.business, vec![item(&id)], world.now).await.is_err() {}
            }));
        }
        // Some leave: before their turn, while they admit, or after it.
        for (number, sender) in senders.iter().enumerate().filter(|(number, _)| number.is_multiple_of(5)) {
            tokio::time::sleep(std::time::Duration::from_micros(200 * number as u64)).await;
            sender.abort();
        }
        for (number, sender) in senders.into_iter().enumerate() {
            assert!(sender.await.is_ok() || number.is_multiple_of(5));
        }
    }
    store.set(Fault::None);
    let again = (0..3).flat_map(|round| (0..40).map(move |number| format!("{round}-{number}")));
    for id in again.collect::<Vec<_>>() {
        let status = statuses(&world.send(vec![item(&id)]).await)[0].to_owned();
        let number: usize = id.split_once('-').unwrap().1.parse().unwrap();
        assert!(status == "duplicate" || number.is_multiple_of(5) && status == "accepted", "{id}: {status}");
    }
    assert_eq!(fresh.rows("SELECT COUNT(*), COUNT(DISTINCT item) FROM charges").await, [["120", "120"]]);
    world.audit().await;
}
