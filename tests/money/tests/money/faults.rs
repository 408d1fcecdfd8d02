//! Transactions that the database stops are run again by the server, whole; a commit whose answer was lost is resolved by what is stored.

use crate::cases::CENT_A_TOKEN;
use serde_json::json;
use svc_core::Core;
use svc_core::CoreError;
use svc_core::adjustments::Adjustment;
use svc_core::credits::CreditSource;
use svc_core::metering::Estimate;
use svc_engine::money::amount::{Cents, Nanos};
use svc_money_tests::faulty::{Fault, Faulty};
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::{World, at, statuses};
use svc_store::{Store, StoreError};

svc_money_tests::on_both_stores! {
    a_commit_whose_answer_was_lost_is_resolved_by_what_is_stored,
    every_use_case_is_run_again_when_it_is_stopped,
}

const START: &str = "2026-04-01T00:00:00Z";

async fn world<S: Store>(store: Faulty<S>) -> World<Faulty<S>> {
    let core = Core::new(store);
    let now = at(START);
    let business = core.create_business("Test", now).await.unwrap().id;
    let world = World { core, business, now };
    let product = [plan("basic", 500, &[linear("tokens", CENT_A_TOKEN, 1, 0)], json!({}))];
    world.publish(build(&[meter("tokens", "sum")], &product)).await;
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
