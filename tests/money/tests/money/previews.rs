//! Previews that are asked for at once: they share their looks at the store, and each shows what there was when it was asked for, or later.

use crate::cases::CENT_A_TOKEN;
use serde_json::json;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Context, Poll, Waker};
use svc_core::error::CoreError;
use svc_core::shown_preview::ShownPreview;
use svc_core::{Core, LOOK_SHARED_MAX};
use svc_money_tests::counting::Counting;
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::{Fresh, FreshPostgres};
use svc_money_tests::world::{World, at, statuses};
use svc_store::Store;

svc_money_tests::on_both_stores! {
    nobody_is_shown_what_was_before_they_asked,
}

/// Who asks at once.
const ASKING: usize = 64;
/// The looks that are for all of them: the first one's, and those of whoever waits for it.
const LOOKS: usize = 1 + (ASKING - 1).div_ceil(LOOK_SHARED_MAX);

async fn world<S: Store>(store: S, subjects: &[&str]) -> World<S> {
    let now = at("2026-04-01T00:00:00Z");
    let core = Core::new(store);
    let business = core.create_business("Test", now).await.unwrap().id;
    let world = World { core, business, now };
    let prices = [linear("tokens", CENT_A_TOKEN, 1, 0)];
    world.publish(build(&[meter("tokens", "sum")], &[plan("basic", 500, &prices, json!({}))])).await;
    for subject in subjects {
        world.subscribe(subject, "basic").await;
        world.preview(subject).await;
    }
    world
}

/// Runs a future on one thread: nothing is answered while it does something else.
fn on_one_thread(future: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future);
}

type Asked<'w> = Pin<Box<dyn Future<Output = Result<Arc<ShownPreview>, CoreError>> + Send + 'w>>;

/// Somebody asks, as far as they get without an answer of the store.
fn ask<'w, S: Store>(world: &'w World<S>, subject: &'w str) -> Asked<'w> {
    let mut asked: Asked = Box::pin(world.core.preview(&world.business, subject, world.now));
    let polled = asked.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(polled, Poll::Pending), "{polled:?}");
    asked
}

#[test]
fn those_who_ask_at_once_share_a_look() {
    on_one_thread(async {
        let store = Counting::new(FreshPostgres::new().await.open().await);
        let world = world(store.clone(), &["ada", "bea"]).await;
        let (ada, bea) =
            (world.try_preview("ada").await.unwrap(), world.report("bea", &[("one", "tokens", "3")]).await);
        assert_eq!(statuses(&bea), ["accepted"]);
        store.taken();
        let asked: Vec<_> = (0..ASKING).map(|number| (number, ask(&world, ["ada", "bea"][number % 2]))).collect();
        for (number, asked) in asked {
            let preview = asked.await.unwrap();
            if number % 2 == 0 {
                assert_eq!(preview, ada);
            } else {
                let shown = serde_json::to_value(&preview).unwrap();
                assert_eq!(shown["totals"]["ratedNanos"], "30000000", "{number}");
            }
        }
        // What is new to whoever asked for it is read by each.
        assert_eq!(store.taken().journeys as usize, LOOKS + ASKING / 2);
        let asked: Vec<_> = (0..ASKING).map(|number| ask(&world, ["ada", "bea"][number % 2])).collect();
        for asked in asked {
            asked.await.unwrap();
        }
        assert_eq!(store.taken().journeys as usize, LOOKS);
    });
}

#[test]
fn who_leaves_holds_nobody_up() {
    on_one_thread(async {
        let world = world(FreshPostgres::new().await.open().await, &["ada"]).await;
        let wanted = world.try_preview("ada").await.unwrap();
        // Who looks leaves before the answer, or one who waits, or who would have looked next, or all of them.
        for leave in [vec![0], vec![1], vec![0, 1], vec![0, 1, 2, 5], (0..8).collect()] {
            let mut asked: Vec<_> = (0..8).map(|_| Some(ask(&world, "ada"))).collect();
            for number in &leave {
                asked[*number] = None;
            }
            // The next one who looks leaves while it does.
            if let Some(mut next) = asked.iter_mut().find_map(Option::take) {
                assert!(next.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            }
            for asked in asked.into_iter().flatten() {
                assert_eq!(asked.await.unwrap(), wanted, "{leave:?}");
            }
            assert_eq!(world.try_preview("ada").await.unwrap(), wanted, "{leave:?}");
        }
    });
}

async fn nobody_is_shown_what_was_before_they_asked(fresh: &impl Fresh) {
    let world = world(fresh.open().await, &["ada"]).await;
    let reported = AtomicI64::new(0);
    let rated = |preview: &ShownPreview| {
        let shown = serde_json::to_value(preview).unwrap();
        shown["totals"]["ratedNanos"].as_str().unwrap().parse::<i64>().unwrap()
    };
    let report = async {
        for number in 0..40 {
            let results = world.report("ada", &[(&number.to_string(), "tokens", "1")]).await;
            assert_eq!(statuses(&results), ["accepted"]);
            reported.store((number + 1) * 10_000_000, Ordering::SeqCst);
        }
    };
    let watch = async || {
        loop {
            let known = reported.load(Ordering::SeqCst);
            let shown = rated(&world.core.preview(&world.business, "ada", world.now).await.unwrap());
            assert!(shown >= known, "{shown} where {known} was reported");
            if known == 400_000_000 {
                return;
            }
        }
    };
    tokio::join!(report, watch(), watch(), watch(), watch(), watch(), watch(), watch(), watch());
}
