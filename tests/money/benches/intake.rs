//! What intake costs by the form of a price, as ratios in one run: `make bench-intake`. A plan with one linear price is the yardstick; beside
//! it stand a price of 900 tiers and one of 1,000 cells. Each store is spoken to through the use cases, in this process.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark")]
#![allow(clippy::float_arithmetic, clippy::arithmetic_side_effects, missing_docs, reason = "a benchmark")]

use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};
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

const FORMS: [&str; 3] = ["linear", "900 tiers", "1,000 cells"];

fn main() {
    svc_money_tests::block_on(async {
        compare("SQLite", &FreshSqlite::new().await).await;
        if std::env::var_os("SVC_TEST_DATABASE_URL").is_some() {
            compare("PostgreSQL", &FreshPostgres::new().await).await;
        }
    });
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
        _ => {
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
            let started = Instant::now();
            let results = self.world.send(items).await;
            taken += started.elapsed();
            assert!(svc_money_tests::world::statuses(&results).iter().all(|status| *status == "accepted"));
        }
        taken
    }

    fn item(&self, number: usize, subjects: usize) -> Json {
        let subject = format!("s{}", if subjects == 1 { SUBJECTS } else { number % subjects });
        let mut item = json!({ "id": number.to_string(), "subject": subject, "meter": "tokens", "units": 1 });
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
        forms.push((name, Form { world, cells: if form == 2 { CELLS } else { 0 }, sent: 0 }));
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
