//! What a request costs at the database: journeys there and back, and statements. A batch of usage costs the same however many subjects it is of.

use crate::cases::CENT_A_TOKEN;
use jiff::SignedDuration;
use serde_json::{Value as Json, json};
use svc_core::Core;
use svc_core::metering::Estimate;
use svc_money_tests::counting::{Asked, Counting};
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::{World, at, statuses};
use svc_store::Store;
use svc_store::records::BuildResult;

svc_money_tests::on_both_stores! {
    a_batch_over_many_subjects_costs_what_one_over_one_costs,
    so_does_one_over_many_whose_levels_last,
    each_request_makes_few_journeys,
}

/// Subjects of the large batch.
const SUBJECTS: usize = 100;

async fn world<S: Store>(store: Counting<S>) -> World<Counting<S>> {
    let meters = [meter("tokens", "sum"), meter("users", "unique")];
    let prices = [linear("tokens", CENT_A_TOKEN, 1, 0), linear("users", CENT_A_TOKEN, 1, 0)];
    world_of(store, build(&meters, &[plan("basic", 500, &prices, json!({}))])).await
}

async fn world_of<S: Store>(store: Counting<S>, product: BuildResult) -> World<Counting<S>> {
    let core = Core::new(store);
    let now = at("2026-04-01T00:00:00Z");
    let business = core.create_business("Test", now).await.unwrap().id;
    let world = World { core, business, now };
    world.publish(product).await;
    for number in 0..SUBJECTS {
        world.subscribe(&format!("s{number}"), "basic").await;
    }
    world
}

/// An item on each of so many subjects, of this name.
fn items(name: &str, subjects: usize, uses: &Json) -> Vec<Json> {
    let item = |number: usize| {
        let mut item = json!({ "id": format!("{name}-{number}"), "subject": format!("s{number}") });
        item.as_object_mut().unwrap().extend(uses.as_object().unwrap().clone());
        item
    };
    (0..subjects).map(item).collect()
}

async fn a_batch_over_many_subjects_costs_what_one_over_one_costs(fresh: &impl Fresh) {
    let store = Counting::new(fresh.open().await);
    let world = world(store.clone()).await;
    let plain = json!({ "meter": "tokens", "units": 3 });
    let unique = json!({ "meter": "users", "units": 1, "uniqueKey": "ada" });
    let refused = json!({ "meter": "nothing", "units": 3 });
    // What is kept in memory of the release is read once; every subject has a window then.
    world.send(items("first", SUBJECTS, &plain)).await;
    let asked = async |name: &str, subjects: usize, uses: &Json, wanted: &str| {
        store.taken();
        let results = world.send(items(name, subjects, uses)).await;
        assert!(statuses(&results).iter().all(|status| *status == wanted), "{results:?}");
        store.taken()
    };
    for (uses, wanted, journeys, statements) in [
        // Locks, positions, levels, known items, commit; with it windows, levels, items, charges, subscriptions, periods and ledger.
        (&plain, "accepted", 5, 11),
        // Beside these, keys that are known, and new ones.
        (&unique, "accepted", 6, 13),
        (&refused, "UNKNOWN_METER", 5, 7),
    ] {
        for (name, subjects) in [("one", 1), ("many", SUBJECTS)] {
            let name = format!("{wanted}-{}-{name}", uses["meter"]);
            let found = asked(&name, subjects, uses, wanted).await;
            assert_eq!(found, Asked { journeys, statements }, "{name}");
            if wanted == "accepted" {
                assert_eq!(asked(&name, subjects, uses, "duplicate").await.journeys, journeys, "{name} again");
            }
        }
    }
    world.audit().await;
}

async fn so_does_one_over_many_whose_levels_last(fresh: &impl Fresh) {
    let store = Counting::new(fresh.open().await);
    let mut gauge = meter("tokens", "sum");
    gauge["aggregation"] = json!("time_weighted");
    let product = build(
        &[meter("calls", "sum"), gauge],
        &[plan("basic", 500, &[linear("tokens", CENT_A_TOKEN, 1, 0)], json!({}))],
    );
    let mut world = world_of(store.clone(), product).await;
    let level = |units: u32| json!({ "meter": "tokens", "units": units });
    world.send(items("first", SUBJECTS, &level(3))).await;
    // Locks, positions, levels, known items, commit: what has lasted meanwhile is rated from the levels that the batch reads anyway.
    for (name, subjects) in [("one", 1), ("many", SUBJECTS)] {
        world.now += SignedDuration::from_secs(1);
        store.taken();
        let results = world.send(items(name, subjects, &level(5))).await;
        assert!(statuses(&results).iter().all(|status| *status == "accepted"), "{results:?}");
        assert_eq!(store.taken().journeys, 5, "{name}");
    }
    world.audit().await;
}

async fn each_request_makes_few_journeys(fresh: &impl Fresh) {
    let store = Counting::new(fresh.open().await);
    let mut world = world(store.clone()).await;
    world.report("s0", &[("first", "tokens", "3")]).await;
    let mut found = Vec::new();
    store.taken();
    for what in ["preview", "preview again"] {
        world.core.preview(&world.business, "s0", world.now).await.unwrap();
        found.push((what, store.taken().journeys));
    }
    let estimate = Estimate::Meter { meter: "tokens".to_owned(), units: "2".parse().unwrap() };
    world.core.hold(&world.business, "s0", "h1", &estimate, 60, world.now).await.unwrap();
    found.push(("hold", store.taken().journeys));
    world.give("s0", 100, "promo", None).await;
    found.push(("credit", store.taken().journeys));
    world.correct("s0", -5).await;
    found.push(("correction", store.taken().journeys));
    world.refund("s0", "first").await.unwrap();
    found.push(("refund", store.taken().journeys));
    world.subscribe("new", "basic").await;
    found.push(("subscribe", store.taken().journeys));
    world.go("2026-05-02T00:00:00Z");
    world.core.preview(&world.business, "s0", world.now).await.unwrap();
    found.push(("preview of what is due", store.taken().journeys));
    assert_eq!(
        found,
        [
            ("preview", 1),
            ("preview again", 1),
            ("hold", 5),
            ("credit", 3),
            ("correction", 4),
            ("refund", 11),
            ("subscribe", 9),
            ("preview of what is due", 5),
        ]
    );
    world.audit().await;
}
