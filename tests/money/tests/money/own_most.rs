//! The most that a subscription has of its own: what it bounds, from when on, and what is said where it is set below what is owed already.

use serde_json::{Value as Json, json};
use svc_core::CoreError;
use svc_core::credits::CreditSource;
use svc_core::metering::Estimate;
use svc_core::plan_changes::{PlanChange, SubscriptionChange};
use svc_core::subscribing::SubscriptionOrder;
use svc_core::subscriptions::CancelAt;
use svc_core::what_if::WhatIfPeriod;
use svc_engine::manifest::ir::OverageBehavior;
use svc_engine::money::amount::Cents;
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::{World, statuses};
use svc_store::records::{BuildResult, Proration};

const APRIL: &str = "2026-04-01T00:00:00Z";
const CENT: i128 = 10_000_000;

svc_money_tests::on_both_stores! {
    the_lower_one_of_two_mosts_refuses,
    what_was_owed_before_it_was_set_stays_owed,
    past_a_most_of_its_own_a_plan_that_bills_waives,
    a_period_that_ended_keeps_the_most_that_held_in_it,
    it_goes_on_over_periods_and_moves_until_it_is_taken_away,
    a_plan_says_how_high_and_how_low_it_may_be,
    nothing_is_let_in_that_the_plan_refuses,
    a_dry_run_of_it_changes_nothing,
    it_bounds_a_year_twelve_times,
}

/// Ten dollars a month, a cent a unit, with whatever `more` says.
fn product(more: Json) -> BuildResult {
    let pack = json!({ "type": "topUp", "sku": "pack", "label": "Pack", "priceCents": 100, "creditCents": 100 });
    let mut all = json!({ "grants": [pack] });
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let prices = [linear("tokens", 10_000, 1, 0)];
    build(&[meter("tokens", "sum")], &[plan("basic", 1_000, &prices, all), plan("other", 1_000, &prices, more)])
}

fn blocks() -> Json {
    json!({ "maxMonthlySpendCents": 2_000, "overageBehavior": "block" })
}

/// Nanodollars that are owed.
async fn owed(world: &World<impl svc_store::Store>) -> i128 {
    world.totals("ada").await.2
}

async fn the_lower_one_of_two_mosts_refuses(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(blocks()), APRIL).await;
    let order =
        SubscriptionOrder { own_most_cents: Some(Cents::try_from(1_500).unwrap()), ..SubscriptionOrder::of("basic") };
    let ada = world.core.subscribe(&world.business, "ada", order, world.now).await.unwrap();
    assert_eq!(ada.own_most_cents.map(Cents::get), Some(1_500));
    let batch = [("a", "tokens", "400"), ("b", "tokens", "101"), ("c", "tokens", "100")];
    assert_eq!(statuses(&world.report("ada", &batch).await), ["accepted", "SPEND_LIMIT_REACHED", "accepted"]);
    // Neither is anything set aside, but bought credit pays past it, as past the plan's.
    let estimate = Estimate::Meter { meter: "tokens".to_owned(), units: "1".parse().unwrap() };
    let held = world.core.hold(&world.business, "ada", "h", &estimate, 60, world.now).await;
    assert!(matches!(held, Err(CoreError::Conflict { code: "SPEND_LIMIT_REACHED", .. })), "{held:?}");
    let pack = CreditSource::TopUp { sku: "pack".to_owned(), amount_cents: None };
    world.core.give_credit(&world.business, "ada", &pack, None, world.now).await.unwrap();
    let batch = [("d", "tokens", "100"), ("e", "tokens", "1")];
    assert_eq!(statuses(&world.report("ada", &batch).await), ["accepted", "SPEND_LIMIT_REACHED"]);
    // Raised to the plan's, the rest is let in.
    let raised = world.set_most(&ada.id, Some(2_000), false).await.unwrap();
    let spend = (raised.spend.most_nanos.unwrap().get(), raised.spend.spent_nanos.get(), raised.spend.is_reached);
    assert_eq!(spend, (2_000 * CENT, 1_600 * CENT, false));
    let batch = [("e", "tokens", "400"), ("f", "tokens", "1")];
    assert_eq!(statuses(&world.report("ada", &batch).await), ["accepted", "SPEND_LIMIT_REACHED"]);
    assert_eq!(owed(&world).await, 1_000 * CENT);
    let closed = world.go("2026-05-01T00:00:00Z").close().await;
    assert_eq!(closed[0].invoice.total_cents.0, 2_000);
    world.audit().await;
}

async fn what_was_owed_before_it_was_set_stays_owed(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(blocks()), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "600"), ("b", "tokens", "200")]).await;
    let estimate = Estimate::Meter { meter: "tokens".to_owned(), units: "50".parse().unwrap() };
    world.core.hold(&world.business, "ada", "h", &estimate, 3_600, world.now).await.unwrap();
    let set = world.set_most(&ada.id, Some(1_200), false).await.unwrap();
    let spend = (set.spend.most_nanos.unwrap().get(), set.spend.spent_nanos.get(), set.spend.is_reached);
    assert_eq!(spend, (1_200 * CENT, 1_800 * CENT, true));
    assert_eq!(set.spend.overage_behavior, OverageBehavior::Block);
    assert_eq!((set.subscription.own_most_cents.map(Cents::get), set.planned), (Some(1_200), None));
    assert_eq!(owed(&world).await, 800 * CENT, "the bill stays");
    // Nor is what a hold has promised before.
    let promised = json!({ "id": "p", "subject": "ada", "meter": "tokens", "units": "50", "hold": "h" });
    assert_eq!(statuses(&world.send(vec![promised]).await), ["SPEND_LIMIT_REACHED"]);
    assert_eq!(statuses(&world.report("ada", &[("c", "tokens", "1")]).await), ["SPEND_LIMIT_REACHED"]);
    // Given credit pays on.
    world.give("ada", 5, "promo", None).await;
    assert_eq!(statuses(&world.report("ada", &[("c", "tokens", "5")]).await), ["accepted"]);
    // What is refunded falls, and makes room only below the most.
    world.refund("ada", "a").await.unwrap();
    assert_eq!(owed(&world).await, 200 * CENT);
    assert_eq!(statuses(&world.report("ada", &[("d", "tokens", "1")]).await), ["SPEND_LIMIT_REACHED"]);
    world.refund("ada", "b").await.unwrap();
    assert_eq!(statuses(&world.report("ada", &[("d", "tokens", "150")]).await), ["accepted"], "50 are promised");
    assert_eq!(world.go("2026-05-01T00:00:00Z").close().await[0].invoice.total_cents.0, 1_150);
    world.audit().await;
}

async fn past_a_most_of_its_own_a_plan_that_bills_waives(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(json!({})), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "700")]).await;
    let set = world.set_most(&ada.id, Some(1_500), false).await.unwrap();
    assert_eq!((set.spend.is_reached, set.spend.overage_behavior), (true, OverageBehavior::AllowAndBill));
    for id in ["b", "c"] {
        assert_eq!(statuses(&world.report("ada", &[(id, "tokens", "300")]).await), ["accepted"]);
        assert_eq!(owed(&world).await, 700 * CENT, "what was owed stays owed, and nothing more is");
    }
    // What was waived is the first to go.
    world.refund("ada", "b").await.unwrap();
    world.refund("ada", "a").await.unwrap();
    assert_eq!(owed(&world).await, 300 * CENT);
    world.report("ada", &[("d", "tokens", "300")]).await;
    assert_eq!(owed(&world).await, 500 * CENT);
    // Nor does buying end at it: what is bought pays for usage as far as the most goes.
    assert_eq!(world.go("2026-05-01T00:00:00Z").close().await[0].invoice.total_cents.0, 1_500);
    world.audit().await;
    let build = world.core.keep_build(&world.business, product(json!({})), world.now).await.unwrap();
    let report =
        world.core.what_if(&world.business, &build.id, WhatIfPeriod::LastPeriod, None, world.now).await.unwrap();
    assert_eq!((report.rows[0].old_cents.0, report.rows[0].new_cents.0), (1_500, 1_500), "the comparison knows it");
}

async fn a_period_that_ended_keeps_the_most_that_held_in_it(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(json!({})), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.set_most(&ada.id, Some(1_500), false).await.unwrap();
    world.report("ada", &[("a", "tokens", "400"), ("b", "tokens", "300")]).await;
    world.go("2026-05-02T00:00:00Z").set_most(&ada.id, None, false).await.unwrap();
    // In April nothing changes, also where something is taken out of it.
    world.refund("ada", "a").await.unwrap();
    world.report("ada", &[("c", "tokens", "900")]).await;
    let closed = world.go("2026-06-01T00:00:00Z").close().await;
    let totals: Vec<i128> = closed.iter().map(|closed| closed.invoice.total_cents.0).collect();
    assert_eq!(totals, [1_300, 1_900]);
    world.audit().await;
}

async fn it_goes_on_over_periods_and_moves_until_it_is_taken_away(fresh: &impl Fresh) {
    let prices = [linear("tokens", 10_000, 1, 0)];
    let plans = [
        plan("basic", 1_000, &prices, json!({ "maxMonthlySpendCents": 5_000 })),
        plan("other", 1_000, &prices, json!({ "maxMonthlySpendCents": 1_200 })),
    ];
    let mut world = World::new(fresh, build(&[meter("tokens", "sum")], &plans), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.set_most(&ada.id, Some(1_500), false).await.unwrap();
    world.go("2026-05-02T00:00:00Z").report("ada", &[("a", "tokens", "900")]).await;
    assert_eq!(owed(&world).await, 500 * CENT);
    // The other plan's is lower. Its own stays with the subscription.
    let change = PlanChange { plan: "other".to_owned(), at: CancelAt::PeriodEnd, proration: Proration::None };
    world.change_plan(&ada.id, &change, false).await.unwrap();
    world.go("2026-06-02T00:00:00Z").report("ada", &[("b", "tokens", "900")]).await;
    assert_eq!(owed(&world).await, 200 * CENT);
    // Both at once: back, and without one of its own.
    let plan = Some(PlanChange { plan: "basic".to_owned(), at: CancelAt::Now, proration: Proration::None });
    let change = SubscriptionChange { plan, own_most_cents: Some(None) };
    let both = world.core.change_subscription(&world.business, &ada.id, &change, false, world.now).await.unwrap();
    assert_eq!((both.subscription.plan.as_str(), both.subscription.own_most_cents), ("basic", None));
    assert_eq!(both.spend.most_nanos.unwrap().get(), 5_000 * CENT);
    world.report("ada", &[("c", "tokens", "100")]).await;
    assert_eq!(owed(&world).await, 300 * CENT);
    let log = world.core.audit_entries(Some(&world.business), None, 100).await.unwrap().0;
    let changes: Vec<Json> = (log.iter().rev())
        .filter(|entry| entry.action == "subscription.changed")
        .map(|entry| serde_json::from_str(entry.detail.as_deref().unwrap()).unwrap())
        .collect();
    let wanted = [
        json!({ "maxMonthlySpendCents": 1_500 }),
        json!({ "plan": "other" }),
        json!({ "plan": "basic", "maxMonthlySpendCents": null }),
    ];
    assert_eq!(changes, wanted);
    world.audit().await;
}

async fn a_plan_says_how_high_and_how_low_it_may_be(fresh: &impl Fresh) {
    let bounds = json!({ "minMonthlySpendCents": 1_200, "maxMonthlySpendCents": 2_000 });
    let mut world = World::new(fresh, product(bounds), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    for (cents, needle) in
        [(2_001, "at most its plan's: \"basic\" has $20.00 a month"), (1_199, "costs at least $12.00")]
    {
        let refused = world.set_most(&ada.id, Some(cents), false).await.unwrap_err();
        assert!(matches!(&refused, CoreError::Invalid { code: "MAX_SPEND_RANGE", .. }), "{refused:?}");
        assert!(refused.to_string().contains(needle), "{refused}");
        let order = SubscriptionOrder {
            own_most_cents: Some(Cents::try_from(cents).unwrap()),
            ..SubscriptionOrder::of("basic")
        };
        let refused = world.core.subscribe(&world.business, "bea", order, world.now).await.unwrap_err();
        assert!(matches!(&refused, CoreError::Invalid { code: "MAX_SPEND_RANGE", .. }), "{refused:?}");
    }
    for cents in [1_200, 2_000] {
        world.set_most(&ada.id, Some(cents), false).await.unwrap();
    }
    world.core.cancel(&world.business, &ada.id, CancelAt::Now, false, world.now).await.unwrap();
    let ended = world.go("2026-04-02T00:00:00Z").set_most(&ada.id, None, false).await.unwrap_err();
    assert!(matches!(ended, CoreError::Conflict { code: "SUBSCRIPTION_ENDED", .. }), "{ended:?}");
}

async fn nothing_is_let_in_that_the_plan_refuses(fresh: &impl Fresh) {
    let world = World::new(fresh, product(json!({ "overageBehavior": "block" })), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    let set = world.set_most(&ada.id, Some(5_000), false).await.unwrap();
    assert!(set.spend.is_reached);
    assert_eq!(statuses(&world.report("ada", &[("a", "tokens", "1")]).await), ["SPEND_LIMIT_REACHED"]);
}

async fn a_dry_run_of_it_changes_nothing(fresh: &impl Fresh) {
    let world = World::new(fresh, product(blocks()), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "100")]).await;
    let dry = world.set_most(&ada.id, Some(1_000), true).await.unwrap();
    assert_eq!((dry.subscription.own_most_cents, dry.spend.is_reached), (None, true));
    assert_eq!(statuses(&world.report("ada", &[("b", "tokens", "900")]).await), ["accepted"]);
    assert_eq!(fresh.rows("SELECT COUNT(*) FROM audit_log WHERE action = 'subscription.changed'").await, [["0"]]);
}

async fn it_bounds_a_year_twelve_times(fresh: &impl Fresh) {
    let world = World::new(fresh, product(json!({ "interval": "year" })), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    let set = world.set_most(&ada.id, Some(100), false).await.unwrap();
    assert_eq!(set.spend.most_nanos.unwrap().get(), 1_200 * CENT);
    world.report("ada", &[("a", "tokens", "900")]).await;
    assert_eq!(owed(&world).await, 200 * CENT);
}
