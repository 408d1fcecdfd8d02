//! Closing many periods: page by page, a subscription at a time, while others are served; and, whatever server is killed, in the end each once.

use jiff::SignedDuration;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use svc_core::Core;
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::{World, statuses};
use svc_store::Store;

svc_money_tests::on_both_stores! {
    thousands_are_closed_in_pages_while_others_go_on_and_over_kills,
}

/// Subscriptions whose periods end; fewer where each costs journeys between nodes.
const SUBSCRIPTIONS: usize = 2_000;
const SUBSCRIPTIONS_ON_NODES: usize = 300;
/// Subscriptions of a page.
const PAGE: u32 = 20;
/// Servers that are killed while they close.
const KILLS: usize = 6;
/// Subscribers of another business's, who go on.
const OTHERS: usize = 4;

/// Serves another business until it is told to stop; how many requests were answered is in `served`.
async fn serve<S: Store>(world: Arc<World<S>>, (stop, served): (Arc<AtomicBool>, Arc<AtomicU64>)) {
    while !stop.load(Ordering::Relaxed) {
        let number = served.load(Ordering::Relaxed);
        let subject = format!("s{}", number % OTHERS as u64);
        let sent = world.report(&subject, &[(&format!("i{number}"), "tokens", "1")]).await;
        assert_eq!(statuses(&sent), ["accepted"]);
        world.preview(&subject).await;
        served.fetch_add(1, Ordering::Relaxed);
    }
}

async fn subscribed<F: Fresh>(fresh: &F, subscriptions: usize) -> World<F::Store> {
    let product = build(&[meter("tokens", "sum")], &[plan("basic", 500, &[linear("tokens", 1_000, 1, 0)], json!({}))]);
    let world = World::new(fresh, product, "2026-04-01T00:00:00Z").await;
    for number in 0..subscriptions {
        world.subscribe(&format!("s{number}"), "basic").await;
    }
    let item =
        |number: usize| json!({ "id": "first", "subject": format!("s{number}"), "meter": "tokens", "units": number });
    let items: Vec<Json> = (0..subscriptions).map(item).collect();
    for batch in items.chunks(500) {
        world.send(batch.to_vec()).await;
    }
    world
}

async fn thousands_are_closed_in_pages_while_others_go_on_and_over_kills(fresh: &impl Fresh) {
    let count = if fresh.has_triggers() { SUBSCRIPTIONS } else { SUBSCRIPTIONS_ON_NODES };
    let mut world = subscribed(fresh, count).await;
    let mut others = subscribed(fresh, OTHERS).await;
    // By the same server, whose job the closing is.
    others.core = Core::new(world.core.store.clone());
    let (stop, served) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let serving = tokio::spawn(serve(Arc::new(others), (Arc::clone(&stop), Arc::clone(&served))));
    world.go("2026-05-01T00:00:00Z");
    let invoices = format!("SELECT COUNT(*) FROM invoices WHERE business_id = '{}'", world.business.as_str());
    let closed = async || fresh.rows(&invoices).await.concat().concat().parse::<usize>().unwrap();
    let mut chance = SplitMix64(20_260_501);
    for kill in 1..=KILLS {
        let (before, served_before) = (closed().await, served.load(Ordering::Relaxed));
        let server = Core::new(world.core.store.clone()).due_in_pages_of(PAGE);
        let now = world.now;
        let job = tokio::spawn(async move { server.do_due_work(Some(SignedDuration::ZERO), now).await });
        // Somewhere in a page, or between two.
        let until = before + (count - before) / (KILLS + 1) + usize::try_from(chance.below(u64::from(PAGE))).unwrap();
        while closed().await < until || served.load(Ordering::Relaxed) == served_before {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        job.abort();
        assert!(job.await.is_err_and(|error| error.is_cancelled()), "kill {kill} came while it closed");
        assert!(closed().await < count, "kill {kill} came before the end, after others were served");
        let early = Core::new(fresh.open().await).do_due_work(Some(SignedDuration::ZERO), world.now).await.unwrap();
        assert_eq!(early, None, "who was killed has the job until its lease is over");
        world.now += SignedDuration::from_mins(11);
    }
    let server = Core::new(fresh.open().await).due_in_pages_of(PAGE);
    let last = server.do_due_work(Some(SignedDuration::ZERO), world.now).await.unwrap().unwrap();
    assert!(last.closed > 0 && last.closed < u64::try_from(count).unwrap(), "{last:?}");
    stop.store(true, Ordering::Relaxed);
    serving.await.unwrap();
    let numbers = fresh
        .rows(&format!(
            "SELECT number, subscription_id FROM invoices WHERE business_id = '{}'",
            world.business.as_str()
        ))
        .await;
    let distinct = |column: usize| numbers.iter().map(|row| row[column].clone()).collect::<BTreeSet<_>>();
    let wanted: BTreeSet<String> = (1..=count).map(|number| number.to_string()).collect();
    assert_eq!((distinct(0), distinct(1).len(), numbers.len()), (wanted, count, count), "each once, without gaps");
    // By hand there is nothing left, page by page.
    let (mut after, mut pages) = (None, 0);
    loop {
        let (page, next) = world.core.close_page(&world.business, after.as_ref(), 100, false, world.now).await.unwrap();
        assert!(page.invoices.is_empty() && page.failed.is_empty());
        pages += 1;
        let Some(next) = next else { break };
        after = Some(next);
    }
    assert!(pages >= count / 100, "{pages}");
    world.audit().await;
}
