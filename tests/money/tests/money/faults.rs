//! Transactions that the database stops are run again by the server, whole; a commit whose answer was lost is resolved by what is stored.

use crate::cases::CENT_A_TOKEN;
use serde_json::json;
use std::num::NonZeroU32;
use svc_core::Core;
use svc_core::CoreError;
use svc_core::adjustments::Adjustment;
use svc_core::credits::CreditSource;
use svc_core::metering::Estimate;
use svc_engine::money::amount::{Cents, Nanos};
use svc_money_tests::faulty::{Fault, Faulty};
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::proxy::flaky;
use svc_money_tests::stores::{Fresh, FreshPostgres};
use svc_money_tests::world::{World, at, statuses};
use svc_store::postgres::{Bounds, Postgres};
use svc_store::records::BuildResult;
use svc_store::{Store, StoreError};

svc_money_tests::on_both_stores! {
    a_commit_whose_answer_was_lost_is_resolved_by_what_is_stored,
    every_use_case_is_run_again_when_it_is_stopped,
}

const START: &str = "2026-04-01T00:00:00Z";

fn product() -> BuildResult {
    build(&[meter("tokens", "sum")], &[plan("basic", 500, &[linear("tokens", CENT_A_TOKEN, 1, 0)], json!({}))])
}

async fn world<S: Store>(store: Faulty<S>) -> World<Faulty<S>> {
    let core = Core::new(store);
    let now = at(START);
    let business = core.create_business("Test", now).await.unwrap().id;
    let world = World { core, business, now };
    world.publish(product()).await;
    world.subscribe("ada", "basic").await;
    world
}

/// Whoever got no answer asks again, and gets the answer to what was done.
async fn a_commit_whose_answer_was_lost_is_resolved_by_what_is_stored(fresh: &impl Fresh) {
    let store = Faulty::new(fresh.open().await, 1);
    let mut world = world(store.clone()).await;
    let lost = |error: CoreError| matches!(error, CoreError::Store(StoreError::Database(_)));
    let item = || vec![json!({ "id": "i1", "subject": "ada", "meter": "tokens", "units": 7 })];
    let (core, business, now) = (world.core.clone(), world.business.clone(), world.now);

    store.set(Fault::LostAnswer);
    assert!(lost(core.report_usage(&business, item(), now).await.unwrap_err()));
    assert_eq!(statuses(&world.send(item()).await), ["duplicate"]);

    let source = CreditSource::Given {
        amount_cents: Cents::try_from(3).unwrap(),
        kind: svc_engine::manifest::ir::GrantKind::Promo,
        expires_after_days: None,
        meters: None,
    };
    let give = || core.give_credit(&business, "ada", &source, Some("key-1"), now);
    store.set(Fault::LostAnswer);
    assert!(lost(give().await.unwrap_err()));
    let given = give().await.unwrap();
    assert_eq!(given, give().await.unwrap());

    let estimate = Estimate::Meter { meter: "tokens".to_owned(), units: "2".parse().unwrap() };
    let hold = || core.hold(&business, "ada", "h1", &estimate, 60, now);
    store.set(Fault::LostAnswer);
    assert!(lost(hold().await.unwrap_err()));
    hold().await.unwrap();

    let correction = Adjustment::Correction { amount: Nanos::new(-1_000) };
    let correct = || core.adjust(&business, "ada", &correction, "a test", Some("key-2"), now);
    store.set(Fault::LostAnswer);
    assert!(lost(correct().await.unwrap_err()));
    correct().await.unwrap();

    let refund = Adjustment::Refund { item: "i1".to_owned() };
    let refund = || core.adjust(&business, "ada", &refund, "a test", Some("key-3"), now);
    store.set(Fault::LostAnswer);
    assert!(lost(refund().await.unwrap_err()));
    refund().await.unwrap();

    world.go("2026-05-02T00:00:00Z");
    let (core, now) = (world.core.clone(), world.now);
    store.set(Fault::LostAnswer);
    let closed = core.close_invoices(&business, None, false, now).await.unwrap();
    assert_eq!((closed.invoices.len(), closed.failed.len()), (0, 1), "nobody knows whether it was closed");
    assert!(core.close_invoices(&business, None, false, now).await.unwrap().invoices.is_empty(), "it was");

    assert_eq!(store.struck(), 6);
    let count = async |table: &str| fresh.rows(&format!("SELECT COUNT(*) FROM {table}")).await.concat().concat();
    for (table, rows) in
        [("usage_items", "1"), ("buckets", "1"), ("holds", "1"), ("adjustments", "2"), ("invoices", "1")]
    {
        assert_eq!(count(table).await, rows, "{table}");
    }
    world.audit().await;
}

/// At every statement and at the commit.
async fn every_use_case_is_run_again_when_it_is_stopped(fresh: &impl Fresh) {
    let store = Faulty::new(fresh.open().await, 2);
    store.set(Fault::Stopped(1));
    let mut world = world(store.clone()).await;
    let before = store.struck();
    assert!(before >= 4, "making, publishing and subscribing were each stopped: {before}");
    // Each way to stop a batch: at its first statement, its second, and so on until it comes through unstopped.
    for times in 1..40 {
        store.set(Fault::Stopped(times));
        let id = format!("i{times}");
        assert_eq!(statuses(&world.report("ada", &[(&id, "tokens", "1")]).await), ["accepted"]);
    }
    store.set(Fault::Stopped(3));
    world.give("ada", 100, "prepaid", Some(3)).await;
    world.correct("ada", -5).await;
    world.refund("ada", "i1").await.unwrap();
    world.go("2026-05-02T00:00:00Z");
    assert_eq!(world.close().await.len(), 1);
    assert!(store.struck() > before + 10, "{}", store.struck());
    assert_eq!(fresh.rows("SELECT COUNT(*) FROM usage_items").await, [["39"]]);
    world.audit().await;
}

/// Connections that are cut and late, at any byte, in the middle of statements and of commits: whoever asks until there is an answer gets
/// one, and everything is there once.
#[test]
fn a_network_that_cuts_and_delays_loses_and_doubles_nothing() {
    svc_money_tests::block_on(async {
        let fresh = FreshPostgres::new().await;
        let plain = World::new(&fresh, product(), START).await;
        plain.subscribe("ada", "basic").await;
        plain.subscribe("bea", "basic").await;
        let url = fresh.arguments().pop().unwrap();
        let (before, after) = url.split_once('@').unwrap();
        let (address, name) = after.split_once('/').unwrap();
        let port = flaky(address.to_owned(), 60, 12).await;
        let url = format!("{before}@127.0.0.1:{port}/{name}");
        let store = loop {
            if let Ok(store) = Postgres::connect(&url).await {
                break store;
            }
        };
        let mut senders = tokio::task::JoinSet::new();
        for sender in 0..4 {
            let (core, business, now) = (Core::new(store.clone()), plain.business.clone(), plain.now);
            senders.spawn(async move {
                let subject = ["ada", "bea"][sender % 2];
                let mut failed = 0_u64;
                for number in 0..60 {
                    let id = format!("{sender}-{number}");
                    let item = || vec![json!({ "id": id, "subject": subject, "meter": "tokens", "units": 2 })];
                    while core.report_usage(&business, item(), now).await.is_err() {
                        failed += 1;
                    }
                    let source = CreditSource::Given {
                        amount_cents: Cents::try_from(1).unwrap(),
                        kind: svc_engine::manifest::ir::GrantKind::Promo,
                        expires_after_days: None,
                        meters: None,
                    };
                    while number % 10 == 0
                        && core.give_credit(&business, subject, &source, Some(&id), now).await.is_err()
                    {
                        failed += 1;
                    }
                }
                failed
            });
        }
        let mut failed = 0;
        while let Some(done) = senders.join_next().await {
            failed += done.unwrap();
        }
        assert!(failed > 20, "{failed}");
        for (table, rows) in [("usage_items", "240"), ("charges", "240"), ("buckets", "24")] {
            assert_eq!(fresh.rows(&format!("SELECT COUNT(*) FROM {table}")).await, [[rows]], "{table}");
        }
        plain.audit().await;
    });
}

/// A question that is no transaction has no bound of the database's: the server leaves it, the database is told, and what others ask goes on.
#[test]
fn a_question_that_takes_too_long_is_left() {
    svc_money_tests::block_on(async {
        let fresh = FreshPostgres::new().await;
        let world = World::new(&fresh, product(), START).await;
        world.subscribe("ada", "basic").await;
        let url = fresh.arguments().pop().unwrap();
        let bounds = Bounds { statement_seconds: NonZeroU32::MIN, ..Bounds::default() };
        let hasty = World {
            core: Core::new(Postgres::connect_within(&url, &bounds).await.unwrap()),
            business: world.business.clone(),
            now: world.now,
        };
        hasty.core.preview(&hasty.business, "ada", hasty.now).await.unwrap();
        let (mut holder, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        let holding = holder.transaction().await.unwrap();
        holding.batch_execute("LOCK TABLE subscriptions IN ACCESS EXCLUSIVE MODE").await.unwrap();
        let late = hasty.core.preview(&hasty.business, "ada", hasty.now).await;
        let told = format!("{late:?}");
        assert!(late.is_err() && told.contains("a statement took longer than 1 s"), "{told}");
        let waiting =
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let begun = std::time::Instant::now();
        while fresh.rows(waiting).await != [["0"]] {
            assert!(begun.elapsed() < std::time::Duration::from_secs(10), "the database still waits for it");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        drop(holding);
        hasty.core.preview(&hasty.business, "ada", hasty.now).await.unwrap();
    });
}
