//! What intake costs, as ratios in one run: `make bench-intake`. By the form of a price: a plan with one linear price is the yardstick; beside
//! it stand a price of 900 tiers, one of 1,000 cells, a level that lasts, and 1,000 of those; a second passes before each batch. By the way:
//! batches that wait for the same subscription one by one are the yardstick; beside them stand those that are admitted together. Each store is
//! spoken to through the use cases, in this process.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark")]
#![allow(clippy::float_arithmetic, clippy::arithmetic_side_effects, missing_docs, reason = "a benchmark")]

use jiff::SignedDuration;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use svc_core::Core;
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::{Fresh, FreshPostgres, FreshSqlite};
use svc_money_tests::world::World;
use svc_store::Store;
use svc_store::records::BuildResult;

/// Rounds; in each, every form takes its turn, so that a slow moment of the machine hits all alike.
const ROUNDS: usize = 25;
/// Batches of a form in one turn.
const BATCHES: usize = 4;
/// Items of a batch.
const ITEMS: usize = 100;
const TIERS: u64 = 900;
const CELLS: usize = 1_000;
const SUBJECTS: usize = 100;

const FORMS: [&str; 5] = ["linear", "900 tiers", "1,000 cells", "a level", "1,000 levels"];

/// Batches under way at once: as many writes as the edge lets one business do.
const SENDERS: usize = 8;
/// How long each way of many senders is measured at a time, in milliseconds; in turns.
const WAY_MS: u64 = 400;
const WAY_ROUNDS: usize = 6;

fn main() {
    svc_money_tests::block_on(async {
        let has_postgres = std::env::var_os("SVC_TEST_DATABASE_URL").is_some();
        // `-- "SQLite, forms"` runs that alone.
        let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
        let is_wanted = |what: &str| wanted.is_empty() || wanted.iter().any(|wanted| what.contains(wanted.as_str()));
        if is_wanted("SQLite, ways") {
            compare_ways("SQLite", &FreshSqlite::new().await).await;
        }
        if has_postgres && is_wanted("PostgreSQL, ways") {
            compare_ways("PostgreSQL", &FreshPostgres::new().await).await;
        }
        if is_wanted("SQLite, forms") {
            compare("SQLite", &FreshSqlite::new().await).await;
        }
        if has_postgres && is_wanted("PostgreSQL, forms") {
            compare("PostgreSQL", &FreshPostgres::new().await).await;
        }
    });
}

/// Batches from many senders at once, on one subscription and on several: one by one, and those that wait together.
async fn compare_ways<F: Fresh>(store: &str, fresh: &F) {
    let world = World::new(fresh, product(0), "2026-04-01T00:00:00Z").await;
    for subject in 0..64 {
        world.subscribe(&format!("s{subject}"), "basic").await;
    }
    let ways = [world.core.clone().one_by_one(), world.core.clone()];
    let next = Arc::new(AtomicUsize::new(0));
    for (subjects, items) in [(1, 1), (1, ITEMS), (4, 1), (4, ITEMS), (64, 1), (64, ITEMS)] {
        let mut admitted = [0.0; 2];
        for round in 0..=WAY_ROUNDS {
            for (way, core) in ways.iter().enumerate() {
                let per_second = at_once(&world, core, &next, (subjects, items)).await;
                // The first round makes what is kept. Then the best: what it comes to where nothing else takes the machine.
                if round > 0 {
                    admitted[way] = per_second.max(admitted[way]);
                }
            }
        }
        println!(
            "{store}, {SENDERS} senders of batches of {items:>3}, {subjects:>2} subscriptions: {:>8.0} items/s one by one, {:>8.0} together, {:.2} ×",
            admitted[0],
            admitted[1],
            admitted[1] / admitted[0]
        );
    }
}

/// Items per second.
async fn at_once<S: Store>(
    world: &World<S>,
    core: &Core<S>,
    next: &Arc<AtomicUsize>,
    (subjects, items): (usize, usize),
) -> f64 {
    let (started, mut senders) = (Instant::now(), tokio::task::JoinSet::new());
    for _ in 0..SENDERS {
        let (core, business, now, next) = (core.clone(), world.business.clone(), world.now, Arc::clone(next));
        senders.spawn(async move {
            let mut sent = 0;
            while started.elapsed() < Duration::from_millis(WAY_MS) {
                let batch = next.fetch_add(1, Ordering::Relaxed);
                let subject = format!("s{}", batch % subjects);
                let item = |number: usize| json!({ "id": format!("{batch}-{number}"), "subject": subject, "meter": "tokens", "units": 1 });
                let results = core.report_usage(&business, (0..items).map(item).collect(), now).await.unwrap();
                assert!(svc_money_tests::world::statuses(&results).iter().all(|status| *status == "accepted"));
                sent += items;
            }
            sent
        });
    }
    let sent: usize = senders.join_all().await.into_iter().sum();
    sent as f64 / started.elapsed().as_secs_f64()
}

fn product(form: usize) -> BuildResult {
    let tiers = || -> Vec<Json> {
        let tier = |tier: u64| json!({ "upTo": if tier == TIERS { Json::Null } else { json!(tier * 5) }, "micros": 2_000 - tier, "per": 1 });
        (1..=TIERS).map(tier).collect()
    };
    let rates = || -> serde_json::Map<String, Json> { (0..CELLS).map(|cell| (model(cell), json!(cell))).collect() };
    let mut tokens = meter("tokens", "sum");
    let price = match form {
        0 => linear("tokens", 3, 1, 0),
        1 => json!({ "meter": "tokens", "kind": "graduated", "tiers": tiers() }),
        3 => {
            tokens["aggregation"] = json!("time_weighted");
            linear("tokens", 3, 1, 0)
        }
        _ => {
            if form == 4 {
                tokens["aggregation"] = json!("time_weighted");
            }
            tokens["by"] = json!(["model"]);
            json!({ "meter": "tokens", "kind": "rates", "per": 1, "rates": rates() })
        }
    };
    build(&[meter("all", "sum"), tokens], &[plan("basic", 0, &[price], json!({}))])
}

fn model(cell: usize) -> String {
    format!("model-{cell:04}")
}

/// One form's subscribers, and how many items they have sent.
struct Form<S> {
    world: World<S>,
    cells: usize,
    sent: usize,
}

impl<S: Store> Form<S> {
    /// How long batches take, of one subject or of many.
    async fn turn(&mut self, subjects: usize) -> Duration {
        let mut taken = Duration::ZERO;
        for _ in 0..BATCHES {
            let items: Vec<Json> = (self.sent..self.sent + ITEMS).map(|number| self.item(number, subjects)).collect();
            self.sent += ITEMS;
            self.world.now += SignedDuration::from_secs(1);
            let started = Instant::now();
            let results = self.world.send(items).await;
            taken += started.elapsed();
            assert!(svc_money_tests::world::statuses(&results).iter().all(|status| *status == "accepted"));
        }
        taken
    }

    fn item(&self, number: usize, subjects: usize) -> Json {
        let subject = format!("s{}", if subjects == 1 { SUBJECTS } else { number % subjects });
        let mut item =
            json!({ "id": number.to_string(), "subject": subject, "meter": "tokens", "units": 1 + number % 3 });
        if self.cells > 0 {
            item["by"] = json!({ "model": model(number % self.cells) });
        }
        item
    }
}

async fn compare<F: Fresh>(store: &str, fresh: &F) {
    let mut forms = Vec::new();
    for (form, name) in FORMS.iter().enumerate() {
        let world = World::new(fresh, product(form), "2026-04-01T00:00:00Z").await;
        for subject in 0..=SUBJECTS {
            world.subscribe(&format!("s{subject}"), "basic").await;
        }
        forms.push((name, Form { world, cells: if [2, 4].contains(&form) { CELLS } else { 0 }, sent: 0 }));
    }
    for (what, subjects) in [("of one subject", 1), ("of 100 subjects", SUBJECTS)] {
        let mut taken = vec![Vec::new(); forms.len()];
        for round in 0..=ROUNDS {
            for (form, (_, own)) in forms.iter_mut().enumerate() {
                let turn = own.turn(subjects).await;
                // The first round makes what is kept.
                if round > 0 {
                    taken[form].push(turn);
                }
            }
        }
        // What a turn takes where nothing else takes the machine.
        let best = |all: Vec<Duration>| all.iter().min().unwrap().as_secs_f64();
        let bests: Vec<f64> = taken.into_iter().map(best).collect();
        for ((name, _), own) in forms.iter().zip(&bests) {
            println!(
                "{store}, batches of {ITEMS} items {what}: {name:<12} {:>8.0} items/s, {:.2} × linear",
                (BATCHES * ITEMS) as f64 / own,
                own / bests[0]
            );
        }
    }
}
