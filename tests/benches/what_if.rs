//! The budget of a comparison of bills: `make bench-what-if`. A million charges of a thousand subscribers, compared by what their meters
//! have reached, and counted again charge by charge for a proposal whose meter counts otherwise; beside a plain scan of the same rows in
//! the same run, and with previews asked for meanwhile. Prints; asserts nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark")]
#![allow(clippy::float_arithmetic, missing_docs, reason = "a benchmark")]

use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use svc_core::Core;
use svc_core::what_if::WhatIfPeriod;
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::{Fresh, FreshPostgres, FreshSqlite};
use svc_money_tests::world::World;
use svc_store::records::{BuildResult, Id, SubscriptionKey};
use svc_store::{Mode, Store};
use svc_tests::program::block_on;

/// Subscribers, and charges of each; `WHAT_IF_SUBSCRIBERS` says otherwise.
const SUBSCRIBERS: usize = 1_000;
const CHARGES_EACH: usize = 1_000;
/// Charges that are scanned at once, as a recount reads them.
const PAGE: u32 = 1_000;
/// The budget, in seconds.
const BUDGET_SECONDS: u64 = 5;
/// Previews that are asked for alone, to compare with.
const PREVIEWS: usize = 2_000;

fn main() {
    let subscribers =
        std::env::var("WHAT_IF_SUBSCRIBERS").map_or(SUBSCRIBERS, |text| text.parse().expect("a number of subscribers"));
    block_on(async {
        measure("SQLite", &FreshSqlite::new().await, subscribers).await;
        if std::env::var_os("SVC_TEST_DATABASE_URL").is_some() {
            measure("PostgreSQL", &FreshPostgres::new().await, subscribers).await;
        }
    });
}

fn product(micros: u64, aggregation: &str) -> BuildResult {
    let meters = [meter("calls", "sum"), meter("tokens", aggregation)];
    build(&meters, &[plan("basic", 1_000, &[linear("tokens", micros, 7, 100)], json!({}))])
}

async fn measure<F: Fresh>(store: &str, fresh: &F, subscribers: usize) {
    let world = World::new(fresh, product(1_000, "sum"), "2026-01-01T00:00:00Z").await;
    let mut keys = Vec::new();
    for number in 0..subscribers {
        let subject = format!("subject-{number}");
        let id = world.subscribe(&subject, "basic").await.id;
        let item = |n: usize| json!({ "id": n.to_string(), "subject": subject, "meter": "tokens", "units": n % 17 });
        let items: Vec<Json> = (0..CHARGES_EACH).map(item).collect();
        assert_eq!(world.send(items).await.len(), CHARGES_EACH);
        keys.push(SubscriptionKey { business: world.business.clone(), id });
    }
    println!("{store}: {} charges of {subscribers} subscribers", subscribers * CHARGES_EACH);
    let alone = previews(&world.core, &world.business, &world, &AtomicBool::new(false)).await;
    // In turn and twice, so that a slow moment of the machine hits all alike.
    for _ in 0..2 {
        let scan = scan(&world.core.store, &keys).await;
        println!("  plain scan of the charges            {scan:>9.2?}");
        for (what, proposal) in [
            ("by what meters have reached ", product(2_000, "sum")),
            ("charge by charge, as a peak ", product(2_000, "max")),
        ] {
            let proposal = world.core.keep_build(&world.business, proposal, world.now).await.unwrap().id;
            let done = Arc::new(AtomicBool::new(false));
            // A task of its own, as at a server.
            let (core, business, now, is_done) =
                (world.core.clone(), world.business.clone(), world.now, Arc::clone(&done));
            let comparing = tokio::spawn(async move {
                let started = Instant::now();
                let report = core.what_if(&business, &proposal, WhatIfPeriod::OpenPeriod, None, now).await.unwrap();
                let took = started.elapsed();
                is_done.store(true, Ordering::Relaxed);
                assert_eq!(report.subscribers, subscribers as u64);
                took
            });
            let meanwhile = previews(&world.core, &world.business, &world, &done).await;
            let took = comparing.await.unwrap();
            println!(
                "  compared {what}        {took:>9.2?}  {:.2} of the scan; budget {BUDGET_SECONDS} s; a preview's p99 meanwhile {:.2?}, alone {:.2?}",
                took.as_secs_f64() / scan.as_secs_f64(),
                meanwhile.unwrap_or_default(),
                alone.unwrap_or_default(),
            );
        }
    }
}

/// Reads every charge as a recount does, and makes nothing of it.
async fn scan<S: Store>(store: &S, keys: &[SubscriptionKey]) -> Duration {
    let started = Instant::now();
    let mut count = 0;
    for key in keys {
        let mut tx = store.begin(Mode::Read).await.unwrap();
        let mut next = 0;
        loop {
            let page = tx.charges(key, 0, next, PAGE).await.unwrap();
            let Some(last) = page.last() else { break };
            next = last.position + 1;
            count += page.len();
        }
    }
    assert_eq!(count, keys.len() * CHARGES_EACH);
    started.elapsed()
}

/// Asks for one subscriber's preview again and again, until it is done or often enough. The 99th percentile of what it took.
async fn previews<S: Store>(core: &Core<S>, business: &Id, world: &World<S>, done: &AtomicBool) -> Option<Duration> {
    let mut all = Vec::new();
    while !done.load(Ordering::Relaxed) && all.len() < PREVIEWS {
        let started = Instant::now();
        let _shown = core.preview(business, "subject-0", world.now).await.unwrap();
        all.push(started.elapsed());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    all.sort();
    all.get((all.len() * 99 / 100).min(all.len().saturating_sub(1))).copied()
}
