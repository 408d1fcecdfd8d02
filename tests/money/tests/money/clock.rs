//! A server whose clock is apart from the database's writes nothing: neither usage, nor what time would do to whoever is only looked at.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use svc_core::clock_guard::{ClockGuard, Guarded, check_start};
use svc_core::subscribing::SubscriptionOrder;
use svc_core::{Core, CoreError};
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::{Fresh, FreshPostgres, FreshSqlite};
use svc_money_tests::world::{World, at, statuses};
use svc_store::postgres::Postgres;
use svc_store::sqlite::Sqlite;
use svc_store::{Store, StoreError};

/// A guard of a clock that is set ahead by so many milliseconds, the way to set it, and the way to let so many pass on the steady clock alone.
fn guard() -> (Arc<ClockGuard>, Arc<AtomicI64>, Arc<AtomicU64>) {
    let (ahead, passed) = (Arc::new(AtomicI64::new(0)), Arc::new(AtomicU64::new(0)));
    let (set, counted) = (Arc::clone(&ahead), Arc::clone(&passed));
    let clock = move || Timestamp::now() + SignedDuration::from_millis(set.load(Ordering::Relaxed));
    let start = Instant::now();
    let steady = move || start.elapsed() + Duration::from_millis(counted.load(Ordering::Relaxed));
    (Arc::new(ClockGuard::new(Arc::new(clock), Arc::new(steady))), ahead, passed)
}

/// A world of now, seen by a server whose clock can be set.
async fn seen_through<S: Store>(store: S, guard: &Arc<ClockGuard>) -> World<Guarded<S>> {
    guard.ask(&store).await.unwrap();
    let core = Core::new(Guarded::new(store, Arc::clone(guard)));
    let now = Timestamp::now();
    let business = core.create_business("Test", now).await.unwrap().id;
    let world = World { core, business, now };
    world
        .publish(build(
            &[meter("tokens", "sum")],
            &[plan("basic", 1_500, &[linear("tokens", 10_000, 1, 0)], json!({}))],
        ))
        .await;
    world.subscribe("ada", "basic").await;
    world.give("ada", 4_990, "promo", Some(90)).await;
    world
}

fn is_refused<T>(result: Result<T, CoreError>) -> bool {
    matches!(result, Err(CoreError::Store(StoreError::Clock(_))))
}

async fn a_clock_that_is_set_is_seen_at_once<S: Store>(store: S, right: S) {
    let (guard, ahead, passed) = guard();
    let mut world = seen_through(store, &guard).await;
    let item = |id: &str| vec![json!({ "id": id, "subject": "ada", "meter": "tokens", "units": 1 })];
    for milliseconds in [0, 1_500, -1_500] {
        ahead.store(milliseconds, Ordering::Relaxed);
        let id = format!("near {milliseconds}");
        assert_eq!(statuses(&world.send(item(&id)).await), ["accepted"], "{milliseconds}");
    }
    let year = 400 * 86_400_000;
    for milliseconds in [5_000, -5_000, year, -year] {
        ahead.store(milliseconds, Ordering::Relaxed);
        assert!(guard.is_apart());
        let now = world.now + SignedDuration::from_millis(milliseconds.max(0));
        let (core, business) = (&world.core, &world.business);
        assert!(is_refused(core.report_usage(business, item("far"), now).await), "{milliseconds}");
        assert!(
            is_refused(core.subscribe(business, "bea", SubscriptionOrder::of("basic"), now).await),
            "{milliseconds}"
        );
        let closed = core.close_invoices(business, None, false, now).await.unwrap();
        assert_eq!((closed.invoices.len(), closed.failed.len()), (0, 1), "{milliseconds}");
        if milliseconds == year {
            // One look, 400 days ahead, would let the credit expire and thirteen months pass.
            assert!(is_refused(core.preview(business, "ada", now).await));
            assert!(is_refused(core.do_due_work(Some(SignedDuration::ZERO), now).await));
        }
        // Asking again does not make a wrong clock right.
        guard.ask(&world.core.store).await.unwrap();
        assert!(guard.is_apart(), "{milliseconds}");
    }
    ahead.store(0, Ordering::Relaxed);
    guard.ask(&world.core.store).await.unwrap();
    // Whoever read it while it was wrong may still be on the way.
    assert!(!guard.is_apart() && !guard.trusts());
    assert!(is_refused(world.core.report_usage(&world.business, item("just set right"), world.now).await));
    passed.store(61_000, Ordering::Relaxed);
    // A minute for the machine's clock too, where that is all there is.
    ahead.store(if world.core.store.now().await.unwrap().is_some() { 0 } else { 61_000 }, Ordering::Relaxed);
    guard.ask(&world.core.store).await.unwrap();
    assert!(guard.trusts());
    assert_eq!(statuses(&world.send(item("right again")).await), ["accepted"]);
    let world = World {
        core: Core::new(right),
        business: world.business.clone(),
        now: {
            world.now += SignedDuration::from_secs(9);
            world.now
        },
    };
    let allowance = world.preview("ada").await["allowances"][0].clone();
    assert_eq!(
        (&allowance["state"], &allowance["consumedNanos"]),
        (&json!("AVAILABLE"), &json!("40000000")),
        "four were admitted"
    );
    world.audit().await;
}

#[test]
fn a_clock_that_is_set_is_seen_at_once_on_postgresql() {
    svc_money_tests::block_on(async {
        let fresh = FreshPostgres::new().await;
        a_clock_that_is_set_is_seen_at_once::<Postgres>(fresh.open().await, fresh.open().await).await;
    });
}

#[test]
fn a_clock_that_is_set_is_seen_at_once_on_sqlite() {
    svc_money_tests::block_on(async {
        let fresh = FreshSqlite::new().await;
        a_clock_that_is_set_is_seen_at_once::<Sqlite>(fresh.open().await, fresh.open().await).await;
    });
}

#[test]
fn the_databases_clock_is_the_authority_from_the_start() {
    svc_money_tests::block_on(async {
        let store = FreshPostgres::new().await.open().await;
        let (guard, ahead, _) = guard();
        assert_eq!((guard.skew(), guard.is_apart()), (None, false), "nothing is known before it is asked");
        ahead.store(-3_600_000, Ordering::Relaxed);
        guard.ask(&store).await.unwrap();
        let skew = guard.skew().unwrap();
        assert!((skew + SignedDuration::from_hours(1)).abs() < SignedDuration::from_secs(1), "{skew}");
        assert!(guard.is_apart());
    });
}

#[test]
fn a_steady_clock_counts_between_two_questions() {
    svc_money_tests::block_on(async {
        let store = FreshSqlite::new().await.open().await;
        let (now, steady) = (Arc::new(Mutex::new(at("2026-04-01T00:00:00Z"))), Arc::new(Mutex::new(Duration::ZERO)));
        let (clock, counted) = (Arc::clone(&now), Arc::clone(&steady));
        let guard =
            ClockGuard::new(Arc::new(move || *clock.lock().unwrap()), Arc::new(move || *counted.lock().unwrap()));
        guard.ask(&store).await.unwrap();
        // Ten minutes pass for both; then the clock alone is set by three seconds.
        *now.lock().unwrap() += SignedDuration::from_mins(10);
        *steady.lock().unwrap() += Duration::from_secs(600);
        assert_eq!(guard.skew(), Some(SignedDuration::ZERO));
        *now.lock().unwrap() += SignedDuration::from_secs(3);
        assert_eq!((guard.skew(), guard.is_apart()), (Some(SignedDuration::from_secs(3)), true));
        guard.ask(&store).await.unwrap();
        assert!(guard.is_apart(), "a machine's own clock does not vouch for itself");
    });
}

#[test]
fn a_start_far_from_when_the_file_was_worked_with_is_refused() {
    svc_money_tests::block_on(async {
        let store = FreshSqlite::new().await.open().await;
        let start = async |moment: &str, trusted| {
            check_start(&store, at(moment), trusted).await.map_err(|error| error.to_string())
        };
        start("2026-04-01T00:00:00Z", false).await.unwrap();
        start("2026-05-02T00:00:00Z", false).await.unwrap();
        start("2026-05-01T23:59:30Z", false).await.unwrap();
        let back = start("2026-05-01T00:00:00Z", false).await.unwrap_err();
        assert_eq!(
            back,
            "the clock says 2026-05-01T00:00:00Z, but the file was worked with at 2026-05-01T23:59:30Z, which is later"
        );
        let ahead = start("2027-06-05T00:00:00Z", false).await.unwrap_err();
        assert!(ahead.contains("399 days after the file was last worked with"), "{ahead}");
        start("2026-05-03T00:00:00Z", false).await.unwrap();
        start("2027-06-05T00:00:00Z", true).await.unwrap();
        start("2027-06-06T00:00:00Z", false).await.unwrap();
        // A database with a clock of its own needs no such note.
        let postgres = FreshPostgres::new().await.open().await;
        for moment in ["2026-04-01T00:00:00Z", "2036-04-01T00:00:00Z", "2016-04-01T00:00:00Z"] {
            check_start(&postgres, at(moment), false).await.unwrap();
        }
    });
}
