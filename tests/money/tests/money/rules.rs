//! Every row of the billing rules that were found wrong, on both stores: the number in a test's name is the row's, and the sum in
//! it is the row's "right". After them come others of the same kind. April has 30 days; a gauge is a `last` meter.

use crate::cases::{CENT_A_TOKEN, buckets, cents};
use crate::stores::order;
use jiff::SignedDuration;
use serde_json::{Value as Json, json};
use svc_core::adjustments::Adjustment;
use svc_core::credits::CreditSource;
use svc_core::due_work::DueWork;
use svc_core::invoices::DocumentKind;
use svc_core::metering::Estimate;
use svc_core::migrations::{MigrationOrder, VersionName};
use svc_core::plan_changes::PlanChange;
use svc_core::subscribing::SubscriptionOrder;
use svc_core::subscriptions::CancelAt;
use svc_core::{Core, CoreError};
use svc_engine::manifest::ir::GrantKind;
use svc_engine::money::amount::{Cents, NANOS_PER_CENT as CENT, Nanos};
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::{World, at, statuses};
use svc_store::Store;
use svc_store::records::{BuildResult, MigrationPolicy, Proration};

svc_money_tests::on_both_stores! {
    row_01_a_fall_that_finds_nobody_pays_the_next_rise,
    row_02_a_fall_undoes_what_was_waived_first,
    row_03_the_most_holds_in_any_order_of_reports,
    row_04_refunding_everything_comes_to_nothing,
    row_05_a_retry_costs_what_it_costs,
    row_06_a_difference_is_given_once,
    row_07_an_end_takes_the_credit_of_a_move_back,
    row_08_a_bucket_gets_back_what_it_paid_in_the_period,
    row_09_a_refund_of_a_closed_period_counts_under_a_least,
    row_10_the_least_is_for_charged_time,
    row_11_a_negative_sum_is_carried,
    row_12_a_day_of_a_year_costs_a_day_of_both,
    row_13_a_user_a_peak_and_a_level_are_paid_once_over_a_move,
    row_14_a_level_that_is_included_stays_so_over_a_move,
    row_15_a_trial_and_a_welcome_are_given_once,
    row_16_what_is_delivered_again_to_a_new_subscription_counts_once,
    row_17_a_correction_is_bounded_and_holds_up_nobody,
    row_19_an_opaque_plan_has_no_bucket_whose_amount_is_known,
    row_20_a_hold_on_distinct_values_holds_nothing,
    row_21_buckets_pay_in_the_order_in_which_they_were_given,
    row_22_buckets_that_are_over_leave,
    row_23_a_preview_under_a_least_is_the_invoice,
    a_void_in_a_closed_period_is_owed_by_the_open_one,
    after_the_end_what_is_put_right_makes_a_credit_note,
    late_items_are_taken_in_until_the_last_period_is_closed,
    documents_are_numbered_without_gaps_and_have_lines,
    a_subscription_changes_its_plan_and_keeps_what_it_has,
    a_planned_end_can_be_taken_back,
    an_untouched_pack_is_given_back_with_its_price,
    what_is_left_of_bought_credit_comes_along,
    a_fall_of_the_price_by_a_void_can_cost_more,
    the_closing_job_makes_the_invoices_that_closing_by_hand_makes,
    a_subscriber_sees_what_each_document_came_to,
    a_meter_that_counts_takes_ones_and_an_item_says_how_many_it_stands_for,
}

const APRIL: &str = "2026-04-01T00:00:00Z";
const MAY: &str = "2026-05-01T00:00:00Z";
/// A price of one dollar a unit, in micros.
const DOLLAR: u64 = 1_000_000;

fn day(day: u32) -> String {
    format!("2026-04-{day:02}T00:00:00Z")
}

/// One meter `m` that counts so, one plan `basic` with this fee and these prices. The route's fixed cost is on another meter.
fn product(aggregation: &str, fee: u64, prices: &[Json], more: Json) -> BuildResult {
    build(&[meter("a", "sum"), meter("m", aggregation)], &[plan("basic", fee, prices, more)])
}

/// All units at 3 cents up to a thousand, then all at 2.
fn volume() -> Json {
    json!({ "meter": "m", "kind": "volume", "tiers": [
        { "upTo": 1_000, "micros": 30_000, "per": 1 }, { "upTo": null, "micros": 20_000, "per": 1 },
    ] })
}

async fn april<F: Fresh>(fresh: &F, build: BuildResult) -> World<F::Store> {
    let world = World::new(fresh, build, APRIL).await;
    world.subscribe("ada", "basic").await;
    world
}

/// Reports one value after another, each in a batch of its own.
async fn report<S: Store>(world: &World<S>, units: &[&str]) {
    for units in units {
        let id = svc_core::new_id("item", world.now).to_string();
        assert_eq!(statuses(&world.report("ada", &[(&id, "m", units)]).await), ["accepted"]);
    }
}

/// Publishes a plan of this fee and moves everyone to it at once.
async fn move_to<S: Store>(world: &World<S>, from: u32, build: BuildResult, proration: Proration) {
    world.publish(build).await;
    let order = MigrationOrder { from: VersionName::Number(from), ..order(1, MigrationPolicy::Immediate, proration) };
    let moved = world.core.migrate(&world.business, "basic", order, false, None, world.now).await.unwrap();
    assert_eq!(moved.moves.len(), 1, "{}", moved.message);
    world.try_preview("ada").await.unwrap();
}

async fn cancel<S: Store>(world: &World<S>, subject_subscription: &svc_store::records::Id, prorates: bool) {
    let core = &world.core;
    core.cancel(&world.business, subject_subscription, CancelAt::Now, prorates, world.now).await.unwrap();
}

async fn row_01_a_fall_that_finds_nobody_pays_the_next_rise(fresh: &impl Fresh) {
    let mut world = april(fresh, product("sum", 0, &[volume()], json!({}))).await;
    world.give("ada", 3_000, "prepaid", Some(10)).await;
    report(&world, &["1000"]).await;
    world.go(&day(20));
    report(&world, &["1"]).await;
    assert_eq!(world.totals("ada").await, (2_002 * CENT, 3_000 * CENT, 0), "9.98 are kept");
    report(&world, &["499"]).await;
    assert_eq!(world.totals("ada").await, (3_000 * CENT, 3_000 * CENT, 0));
    world.audit().await;
}

async fn row_02_a_fall_undoes_what_was_waived_first(fresh: &impl Fresh) {
    let most = json!({ "maxMonthlySpendCents": 1_000 });
    let world = april(fresh, product("last", 0, &[linear("m", DOLLAR, 1, 0)], most)).await;
    report(&world, &["100", "90"]).await;
    assert_eq!(world.totals("ada").await.2, 1_000 * CENT);
    report(&world, &["3"]).await;
    assert_eq!(world.totals("ada").await.2, 300 * CENT);
    world.audit().await;
}

async fn row_03_the_most_holds_in_any_order_of_reports(fresh: &impl Fresh) {
    let most = json!({ "maxMonthlySpendCents": 1_000 });
    let world = april(fresh, product("sum", 0, &[volume()], most)).await;
    world.subscribe("bea", "basic").await;
    for (subject, units) in [("ada", ["1000", "1"]), ("bea", ["1", "1000"])] {
        for (id, units) in ["a", "b"].iter().zip(units) {
            world.report(subject, &[(id, "m", units)]).await;
        }
        assert_eq!(world.totals(subject).await, (2_002 * CENT, 0, 1_000 * CENT), "{subject}");
    }
    world.audit().await;
}

async fn row_04_refunding_everything_comes_to_nothing(fresh: &impl Fresh) {
    let most = json!({ "maxMonthlySpendCents": 1_000 });
    let mut world = april(fresh, product("last", 0, &[linear("m", DOLLAR, 1, 0)], most)).await;
    world.report("ada", &[("a", "m", "50")]).await;
    world.go(&day(2)).report("ada", &[("b", "m", "10")]).await;
    assert_eq!(world.totals("ada").await.2, 1_000 * CENT);
    world.refund("ada", "a").await.unwrap();
    assert_eq!(world.totals("ada").await, (1_000 * CENT, 0, 1_000 * CENT));
    world.refund("ada", "b").await.unwrap();
    assert_eq!(world.totals("ada").await, (0, 0, 0));
    assert_eq!(world.preview("ada").await["windows"][0]["chargeCount"], 0);
    world.audit().await;
}

async fn row_05_a_retry_costs_what_it_costs(fresh: &impl Fresh) {
    for aggregation in ["max", "last", "unique", "sum", "count"] {
        let world = april(fresh, product(aggregation, 0, &[linear("m", DOLLAR, 1, 0)], json!({}))).await;
        let item = |id: &str, key: &str, units: u32| {
            let mut item = json!({ "id": id, "subject": "ada", "meter": "m", "units": units });
            match aggregation {
                "unique" => item["uniqueKey"] = json!(key),
                "count" => item["units"] = json!(1),
                _ => {}
            }
            item
        };
        world.send(vec![item("a", "x", 7), item("b", "y", 5)]).await;
        let before = world.totals("ada").await;
        for id in ["a", "b"] {
            world.refund("ada", id).await.unwrap();
        }
        assert_eq!(world.totals("ada").await, (0, 0, 0), "{aggregation}");
        assert_eq!(statuses(&world.send(vec![item("a", "x", 7), item("b", "y", 5)]).await), ["accepted"; 2]);
        assert_eq!(world.totals("ada").await, before, "{aggregation}");
        world.audit().await;
    }
}

async fn row_06_a_difference_is_given_once(fresh: &impl Fresh) {
    let fee = |fee, name: &str| product("sum", fee, &[], json!({ "name": name }));
    let mut world = april(fresh, fee(3_000, "a")).await;
    world.go(&day(11));
    move_to(&world, 1, fee(1_500, "b"), Proration::Credit).await;
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 1000 left, 0 held, 0 consumed"]);
    world.go(&day(21));
    move_to(&world, 2, fee(1_500, "c"), Proration::Prorate).await;
    assert_eq!(world.totals("ada").await.2, 0, "3,000 less 1,000 of credit are 2,000");
    // And up again: the rest at the dearer fee is owed, whether or not the way down was credited.
    world.go("2026-04-26T00:00:00Z");
    move_to(&world, 3, fee(3_000, "d"), Proration::Credit).await;
    assert_eq!(world.totals("ada").await.2, 250 * CENT);
    world.audit().await;
}

async fn row_07_an_end_takes_the_credit_of_a_move_back(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product("sum", 3_000, &[], json!({})), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.go(&day(11));
    move_to(&world, 1, product("sum", 1_500, &[], json!({})), Proration::Credit).await;
    world.go(&day(21));
    cancel(&world, &ada.id, true).await;
    assert_eq!(cents(&world.close().await), [(0, 3_000, -1_500, 0, 1_500)], "ten days at 3,000, ten at 1,500");
    world.audit().await;
}

async fn row_08_a_bucket_gets_back_what_it_paid_in_the_period(fresh: &impl Fresh) {
    let grants = json!({ "grants": [credit("included", 1_000, true)] });
    let mut world = april(fresh, product("last", 0, &[linear("m", DOLLAR, 1, 0)], grants)).await;
    world.give("ada", 1_000, "prepaid", None).await;
    report(&world, &["20"]).await;
    assert_eq!(world.totals("ada").await, (2_000 * CENT, 2_000 * CENT, 0));
    for (hour, level) in ["5", "0", "5", "0"].iter().enumerate() {
        world.go(&format!("2026-05-02T0{hour}:00:00Z"));
        report(&world, &[level]).await;
    }
    assert_eq!(world.totals("ada").await, (0, 0, 0));
    assert_eq!(buckets(&world, "ada").await, ["included AVAILABLE: 1000 left, 0 held, 0 consumed"]);
    world.audit().await;
}

async fn row_09_a_refund_of_a_closed_period_counts_under_a_least(fresh: &impl Fresh) {
    let least = json!({ "minMonthlySpendCents": 5_000 });
    let mut world = april(fresh, product("sum", 0, &[linear("m", CENT_A_TOKEN, 1, 0)], least)).await;
    world.report("ada", &[("a", "m", "2000")]).await;
    world.go(MAY);
    assert_eq!(cents(&world.close().await), [(0, 0, 2_000, 3_000, 5_000)]);
    world.refund("ada", "a").await.unwrap();
    assert_eq!(world.totals("ada").await, (0, 0, 3_000 * CENT), "the least stands, and 2,000 come off");
    assert_eq!(cents(&world.go("2026-06-01T00:00:00Z").close().await), [(1, 0, -2_000, 5_000, 3_000)]);
    world.audit().await;
}

async fn row_10_the_least_is_for_charged_time(fresh: &impl Fresh) {
    let more = |trial: u32| json!({ "minMonthlySpendCents": 5_000, "trialDays": trial });
    let plans = [plan("none", 3_000, &[], more(0)), plan("trial", 3_000, &[], more(14))];
    let mut world = World::new(fresh, build(&[meter("m", "sum")], &plans), APRIL).await;
    let at_once = world.subscribe("ada", "none").await;
    cancel(&world, &at_once.id, false).await;
    let given_up = world.subscribe("bea", "trial").await;
    world.go(&day(3));
    cancel(&world, &given_up.id, false).await;
    let half = world.subscribe("cy", "none").await;
    world.go(&day(18));
    cancel(&world, &half.id, true).await;
    let totals: Vec<i128> = world.close().await.iter().map(|closed| closed.invoice.total_cents.0).collect();
    assert_eq!(totals, [0, 0, 2_500], "nothing of no time; half of it for half a period");
    world.audit().await;
}

async fn row_11_a_negative_sum_is_carried(fresh: &impl Fresh) {
    let mut world = april(fresh, product("sum", 0, &[], json!({ "minMonthlySpendCents": 0 }))).await;
    world.correct("ada", -100 * CENT).await;
    world.go(MAY);
    let closed = world.close().await;
    assert_eq!(cents(&closed), [(0, 0, -100, 0, 0)]);
    assert_eq!((closed[0].carried_cents.0, closed[0].kind), (-100, DocumentKind::Invoice));
    assert_eq!(world.totals("ada").await.2, -100 * CENT);
    world.correct("ada", 250 * CENT).await;
    assert_eq!(cents(&world.go("2026-06-01T00:00:00Z").close().await), [(1, 0, 150, 0, 150)]);
    world.audit().await;
}

async fn row_12_a_day_of_a_year_costs_a_day_of_both(fresh: &impl Fresh) {
    let more = json!({ "interval": "year", "minMonthlySpendCents": 5_000 });
    let mut world = World::new(fresh, product("sum", 12_000, &[], more), "2026-01-01T00:00:00Z").await;
    let ada = world.subscribe("ada", "basic").await;
    world.go("2026-01-02T00:00:00Z");
    cancel(&world, &ada.id, true).await;
    // 12,000 ÷ 365 are 32.87…, and 60,000 ÷ 365 are 164.38…: the least of a day.
    assert_eq!(world.close().await[0].invoice.total_cents.0, 164);
    world.audit().await;
}

async fn row_13_a_user_a_peak_and_a_level_are_paid_once_over_a_move(fresh: &impl Fresh) {
    for aggregation in ["unique", "max", "last"] {
        let product = |name: &str| product(aggregation, 0, &[linear("m", 10 * DOLLAR, 1, 0)], json!({ "name": name }));
        let mut world = april(fresh, product("a")).await;
        for (round, moment) in [day(5), day(20)].iter().enumerate() {
            world.go(moment);
            if round == 1 {
                move_to(&world, 1, product("b"), Proration::None).await;
            }
            let items: Vec<Json> = (0..if aggregation == "unique" { 100 } else { 1 })
                .map(|user| {
                    let mut item =
                        json!({ "id": format!("{round}/{user}"), "subject": "ada", "meter": "m", "units": 100 });
                    if aggregation == "unique" {
                        item["uniqueKey"] = json!(format!("user {user}"));
                    }
                    item
                })
                .collect();
            world.send(items).await;
        }
        assert_eq!(world.totals("ada").await.0, 100_000 * CENT, "{aggregation}");
        world.audit().await;
    }
}

async fn row_14_a_level_that_is_included_stays_so_over_a_move(fresh: &impl Fresh) {
    let product = |name: &str| product("last", 0, &[linear("m", 10 * DOLLAR, 1, 100)], json!({ "name": name }));
    let mut world = april(fresh, product("a")).await;
    report(&world, &["100"]).await;
    world.go(&day(16));
    move_to(&world, 1, product("b"), Proration::None).await;
    report(&world, &["100"]).await;
    assert_eq!(world.totals("ada").await, (0, 0, 0));
    world.audit().await;
}

async fn row_15_a_trial_and_a_welcome_are_given_once(fresh: &impl Fresh) {
    let more = json!({ "trialDays": 14, "grants": [credit("promo", 600, false)] });
    let mut world = World::new(fresh, product("sum", 3_000, &[linear("m", CENT_A_TOKEN, 1, 0)], more), APRIL).await;
    let mut owed = Vec::new();
    for round in 0..12 {
        let ada = world.subscribe("ada", "basic").await;
        assert_eq!(ada.trial_ends_at.is_some(), round == 0, "round {round}");
        report(&world, &["600"]).await;
        owed.push(world.totals("ada").await.2 / CENT + if round == 0 { 1_400 } else { 0 });
        world.now += SignedDuration::from_hours(1);
        cancel(&world, &ada.id, true).await;
    }
    assert_eq!(owed, [[0].as_slice(), &[600; 11]].concat());
    let again = world
        .core
        .subscribe(
            &world.business,
            "ada",
            SubscriptionOrder { again: true, ..SubscriptionOrder::of("basic") },
            world.now,
        )
        .await
        .unwrap();
    assert!(again.trial_ends_at.is_some(), "unless the operator says so");
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 600 left, 0 held, 0 consumed"]);
    world.audit().await;
}

async fn row_16_what_is_delivered_again_to_a_new_subscription_counts_once(fresh: &impl Fresh) {
    let pack = json!({ "type": "topUp", "sku": "pack", "label": "Pack", "priceCents": 1_200, "creditCents": 1_000 });
    let grants = json!({ "grants": [pack] });
    let mut world = World::new(fresh, product("sum", 0, &[linear("m", CENT_A_TOKEN, 1, 0)], grants), APRIL).await;
    let first = world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "m", "5")]).await;
    let source = CreditSource::TopUp { sku: "pack".to_owned(), amount_cents: None };
    let buy = async |world: &World<_>| {
        world.core.give_credit(&world.business, "ada", &source, Some("key"), world.now).await.unwrap()
    };
    let bought = buy(&world).await;
    world.go(&day(2));
    cancel(&world, &first.id, false).await;
    world.subscribe("ada", "basic").await;
    assert_eq!(statuses(&world.report("ada", &[("a", "m", "5")]).await), ["duplicate"]);
    assert_eq!(buy(&world).await, bought);
    assert_eq!(world.totals("ada").await, (0, 0, 0));
    world.audit().await;
}

async fn row_17_a_correction_is_bounded_and_holds_up_nobody(fresh: &impl Fresh) {
    let mut world = april(fresh, product("sum", 100, &[], json!({}))).await;
    world.subscribe("bea", "basic").await;
    let cents_max = svc_core::adjustments::CORRECTION_MAX_CENTS;
    for nanos in [i128::MAX, i128::MIN + 1, cents_max * CENT + 1, -cents_max * CENT - 1] {
        let correction = Adjustment::Correction { amount: Nanos::new(nanos) };
        let refused =
            world.core.adjust(&world.business, "ada", &correction, "a test", None, world.now).await.unwrap_err();
        assert!(matches!(refused, CoreError::Invalid { code: "AMOUNT_RANGE", .. }), "{refused:?}");
    }
    world.correct("ada", cents_max * CENT).await;
    let closed = world.go(MAY).close().await;
    let totals: Vec<i128> = closed.iter().map(|closed| closed.invoice.total_cents.0).collect();
    assert_eq!(totals, [cents_max + 100, 100]);
    world.audit().await;
}

async fn row_19_an_opaque_plan_has_no_bucket_whose_amount_is_known(fresh: &impl Fresh) {
    let opaque = |fee| {
        product("sum", fee, &[linear("m", CENT_A_TOKEN, 1, 0)], json!({ "spendPolicy": { "disclosure": "opaque" } }))
    };
    let mut world = World::new(fresh, opaque(3_000), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.publish(opaque(1_500)).await;
    world.go(&day(16));
    let order = order(1, MigrationPolicy::OptIn, Proration::Credit);
    world.core.migrate(&world.business, "basic", order, false, None, world.now).await.unwrap();
    let offer = world.core.plan_offer(&world.business, "ada", world.now).await.unwrap().unwrap();
    world.core.take_offer(&world.business, "ada", &offer.offer_id, world.now).await.unwrap();
    assert_eq!(world.preview("ada").await["allowances"], json!([]));
    report(&world, &["400"]).await;
    assert_eq!(world.preview("ada").await["allowances"], json!([]));
    let open = world.dry_close().await.open;
    assert_eq!(cents(&open), [(0, 3_000, -750 + 400, 0, 2_650)], "the difference is on the invoice");
    assert_eq!(open[0].subscription_id, ada.id);
    world.audit().await;
}

async fn row_20_a_hold_on_distinct_values_holds_nothing(fresh: &impl Fresh) {
    let block = json!({ "overageBehavior": "block" });
    let world = april(fresh, product("unique", 0, &[linear("m", DOLLAR, 1, 0)], block)).await;
    let estimate = Estimate::Meter { meter: "m".to_owned(), units: "1".parse().unwrap() };
    let held = world.core.hold(&world.business, "ada", "h", &estimate, 60, world.now).await.unwrap();
    assert_eq!(held.held_nanos, Nanos::ZERO);
    world.audit().await;
}

async fn row_21_buckets_pay_in_the_order_in_which_they_were_given(fresh: &impl Fresh) {
    let mut world = april(fresh, product("sum", 0, &[linear("m", CENT_A_TOKEN, 1, 0)], json!({}))).await;
    world.go("2026-04-02T00:00:00.050Z").give("ada", 10, "promo", None).await;
    let behind = World { core: Core::new(fresh.open().await), business: world.business.clone(), now: at(&day(2)) };
    behind.give("ada", 20, "promo", None).await;
    world.go(&day(3));
    report(&world, &["5"]).await;
    let wanted = ["promo AVAILABLE: 5 left, 0 held, 5 consumed", "promo AVAILABLE: 20 left, 0 held, 0 consumed"];
    assert_eq!(buckets(&world, "ada").await, wanted);
    world.audit().await;
}

async fn row_22_buckets_that_are_over_leave(fresh: &impl Fresh) {
    let mut world = april(fresh, product("sum", 0, &[linear("m", CENT_A_TOKEN, 1, 0)], json!({}))).await;
    for _ in 0..40 {
        world.give("ada", 1, "prepaid", None).await;
    }
    world.give("ada", 100, "prepaid", None).await;
    report(&world, &["40"]).await;
    assert_eq!(buckets(&world, "ada").await.len(), 41, "they are the period's");
    world.go(MAY);
    assert_eq!(buckets(&world, "ada").await, ["prepaid AVAILABLE: 100 left, 0 held, 0 consumed"]);
    report(&world, &["1"]).await;
    let kept = "SELECT COUNT(*) FROM buckets WHERE last_period = 0 AND paid_nanos = '0' AND state = 'EXHAUSTED'";
    assert_eq!(fresh.rows(kept).await, [["40"]]);
    world.audit().await;
}

async fn row_23_a_preview_under_a_least_is_the_invoice(fresh: &impl Fresh) {
    let least = json!({ "minMonthlySpendCents": 500 });
    let mut world = april(fresh, product("sum", 0, &[linear("m", 100, 1, 0)], least)).await;
    report(&world, &["21235"]).await;
    assert_eq!(world.totals("ada").await, (2_123_500_000, 0, 500 * CENT));
    assert_eq!(cents(&world.go(MAY).close().await), [(0, 0, 212, 288, 500)]);
    world.audit().await;
}

async fn a_void_in_a_closed_period_is_owed_by_the_open_one(fresh: &impl Fresh) {
    let mut world = april(fresh, product("max", 100, &[linear("m", CENT_A_TOKEN, 1, 0)], json!({}))).await;
    world.give("ada", 30, "promo", None).await;
    world.report("ada", &[("a", "m", "50"), ("b", "m", "40")]).await;
    world.go(MAY);
    assert_eq!(cents(&world.close().await), [(0, 100, 20, 0, 120)]);
    // Without the 50 April comes to 40: 10 that were owed then are given back now.
    let refunded = world.refund("ada", "a").await.unwrap();
    assert_eq!((refunded.receivable_nanos.get(), refunded.refunded_to_buckets_nanos.get()), (-10 * CENT, 0));
    assert_eq!(world.totals("ada").await, (0, 0, -10 * CENT));
    // And without the 40 nothing was used: 10 more, and what the bucket paid then is in it again.
    let refunded = world.refund("ada", "b").await.unwrap();
    assert_eq!((refunded.receivable_nanos.get(), refunded.refunded_to_buckets_nanos.get()), (-10 * CENT, 30 * CENT));
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 30 left, 0 held, 0 consumed"]);
    assert_eq!(cents(&world.go("2026-06-01T00:00:00Z").close().await), [(1, 100, -20, 0, 80)]);
    let kept = fresh.rows("SELECT total_cents FROM invoices ORDER BY number").await;
    assert_eq!(kept, [["120"], ["80"]], "a closed period stays as its invoice says");
    world.audit().await;
}

async fn after_the_end_what_is_put_right_makes_a_credit_note(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product("sum", 0, &[linear("m", CENT_A_TOKEN, 1, 0)], json!({})), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "m", "500"), ("b", "m", "7")]).await;
    world.go(&day(10));
    cancel(&world, &ada.id, false).await;
    world.correct("ada", -7 * CENT).await;
    assert_eq!(cents(&world.close().await), [(0, 0, 500, 0, 500)], "the last period is open until it is closed");
    world.go("2026-07-01T00:00:00Z").refund("ada", "a").await.unwrap();
    world.correct("ada", 3 * CENT).await;
    assert!(world.close().await.is_empty(), "each is a document of its own, at once");
    let invoices = world.core.invoices(&world.business, &ada.id, 0, 100).await.unwrap().0;
    let shown: Vec<_> =
        invoices.iter().map(|invoice| (&invoice["number"], &invoice["kind"], &invoice["totalCents"])).collect();
    assert_eq!(
        shown,
        [
            (&json!(1), &json!("invoice"), &json!(500)),
            (&json!(2), &json!("credit_note"), &json!(-500)),
            (&json!(3), &json!("invoice"), &json!(3)),
        ]
    );
    world.audit().await;
}

async fn late_items_are_taken_in_until_the_last_period_is_closed(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product("sum", 0, &[linear("m", CENT_A_TOKEN, 1, 0)], json!({})), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.go(&day(10));
    cancel(&world, &ada.id, false).await;
    world.go(&day(12));
    let item =
        |id: &str, moment: &str| json!({ "id": id, "subject": "ada", "meter": "m", "units": 5, "occurredAt": moment });
    let late = vec![item("a", &day(9)), item("b", &day(10)), item("c", &day(11))];
    let refused = "SUBSCRIPTION_NOT_FOUND";
    assert_eq!(statuses(&world.send(late).await), ["accepted", refused, refused]);
    assert_eq!(statuses(&world.report("ada", &[("d", "m", "5")]).await), [refused], "it occurs now");
    let closed = world.close().await;
    assert_eq!(cents(&closed), [(0, 0, 5, 0, 5)]);
    assert_eq!(statuses(&world.send(vec![item("e", &day(9))]).await), [refused]);
    world.audit().await;
}

async fn documents_are_numbered_without_gaps_and_have_lines(fresh: &impl Fresh) {
    let mut world = april(fresh, product("sum", 100, &[linear("m", 1, 3, 10)], json!({ "name": "Starter" }))).await;
    world.subscribe("bea", "basic").await;
    report(&world, &["4", "8.5"]).await;
    let used = world
        .core
        .usage_of_period(&world.business, &world.dry_close().await.open[0].subscription_id, world.now)
        .await
        .unwrap();
    world.go("2026-06-01T00:00:00Z");
    let closed = world.close().await;
    let mut numbers: Vec<u64> = closed.iter().filter_map(|closed| closed.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4]);
    let first = &closed[0];
    assert_eq!((first.plan.as_str(), first.plan_name.as_str()), ("basic", "Starter"));
    let line = serde_json::to_value(&first.lines[0]).unwrap();
    assert_eq!(
        (&line["meter"], &line["quantity"], &line["includedUnits"], &line["ratedNanos"]),
        (&json!("m"), &json!("12.5"), &json!(10), &json!("833"))
    );
    assert_eq!(used.lines, first.lines);
    world.audit().await;
}

async fn a_subscription_changes_its_plan_and_keeps_what_it_has(fresh: &impl Fresh) {
    let price = |micros| [linear("m", micros, 1, 0)];
    let plans = [plan("basic", 3_000, &price(CENT_A_TOKEN), json!({})), plan("pro", 6_000, &price(5_000), json!({}))];
    let mut world = World::new(fresh, build(&[meter("m", "sum")], &plans), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.give("ada", 10, "prepaid", None).await;
    report(&world, &["4"]).await;
    world.go(&day(16));
    let change = PlanChange { plan: "pro".to_owned(), at: CancelAt::Now, proration: Proration::Prorate };
    let dry = world.change_plan(&ada.id, &change, true).await.unwrap();
    assert_eq!(
        (dry.subscription.plan.as_str(), dry.planned.as_ref().unwrap().proration_nanos.get()),
        ("basic", 1_500 * CENT)
    );
    let changed = world.change_plan(&ada.id, &change, false).await.unwrap();
    assert_eq!(changed.planned, dry.planned);
    assert_eq!((changed.subscription.plan.as_str(), changed.subscription.anchor_at), ("pro", ada.anchor_at));
    let again = world.change_plan(&ada.id, &change, false).await.unwrap_err();
    assert!(matches!(again, CoreError::Conflict { code: "ALREADY_ON_PLAN", .. }), "{again:?}");
    let unknown = PlanChange { plan: "gold".to_owned(), ..change.clone() };
    let unknown = world.change_plan(&ada.id, &unknown, false).await.unwrap_err();
    assert!(matches!(unknown, CoreError::Invalid { code: "UNKNOWN_PLAN", .. }), "{unknown:?}");
    report(&world, &["4"]).await;
    assert_eq!(world.totals("ada").await, (6 * CENT, 6 * CENT, 1_500 * CENT));
    // And back, when the period ends.
    let back = PlanChange { plan: "basic".to_owned(), at: CancelAt::PeriodEnd, proration: Proration::None };
    world.change_plan(&ada.id, &back, false).await.unwrap();
    assert_eq!(cents(&world.go(MAY).close().await), [(0, 3_000, 1_500, 0, 4_500)]);
    assert_eq!(world.preview("ada").await["recurringFeeCents"], 3_000);
    assert_eq!(buckets(&world, "ada").await, ["prepaid AVAILABLE: 4 left, 0 held, 6 consumed"]);
    world.audit().await;
}

async fn a_planned_end_can_be_taken_back(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product("sum", 100, &[], json!({})), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    let (core, business) = (&world.core, &world.business);
    core.cancel(business, &ada.id, CancelAt::PeriodEnd, false, world.now).await.unwrap();
    assert_eq!(core.resume(business, &ada.id, world.now).await.unwrap().cancel_at, None);
    world.go("2026-05-02T00:00:00Z").try_preview("ada").await.unwrap();
    cancel(&world, &ada.id, false).await;
    let ended = world.core.resume(&world.business, &ada.id, world.now).await.unwrap_err();
    assert!(matches!(ended, CoreError::Conflict { code: "SUBSCRIPTION_ENDED", .. }), "{ended:?}");
    world.audit().await;
}

async fn an_untouched_pack_is_given_back_with_its_price(fresh: &impl Fresh) {
    let pack = json!({ "type": "topUp", "sku": "pack", "label": "Pack", "priceCents": 1_200, "creditCents": 1_000 });
    let grants = json!({ "grants": [pack] });
    let mut world = World::new(fresh, product("sum", 0, &[linear("m", CENT_A_TOKEN, 1, 0)], grants), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    let source = CreditSource::TopUp { sku: "pack".to_owned(), amount_cents: None };
    let buy = async |world: &World<_>| {
        world.core.give_credit(&world.business, "ada", &source, None, world.now).await.unwrap().bucket_id
    };
    let (first, second, third) = (buy(&world).await, buy(&world).await, buy(&world).await);
    report(&world, &["1"]).await;
    for bucket in [&first, &second] {
        world.core.revoke_credit(&world.business, bucket, world.now).await.unwrap();
    }
    assert_eq!(world.totals("ada").await.2, 2_400 * CENT, "the first was used, the second was not");
    world.go(&day(2));
    cancel(&world, &ada.id, false).await;
    assert_eq!(cents(&world.close().await), [(0, 0, 2_400, 0, 2_400)]);
    world.core.revoke_credit(&world.business, &third, world.now).await.unwrap();
    let invoices = world.core.invoices(&world.business, &ada.id, 0, 100).await.unwrap().0;
    assert_eq!((&invoices[1]["kind"], &invoices[1]["totalCents"]), (&json!("credit_note"), &json!(-1_200)));
    world.audit().await;
}

async fn what_is_left_of_bought_credit_comes_along(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product("sum", 0, &[linear("m", CENT_A_TOKEN, 1, 0)], json!({})), APRIL).await;
    let first = world.subscribe("ada", "basic").await;
    world.give("ada", 50, "prepaid", Some(90)).await;
    world.give("ada", 50, "promo", None).await;
    report(&world, &["20"]).await;
    world.go(&day(2));
    cancel(&world, &first.id, false).await;
    world.go(&day(20));
    let second = world.subscribe("ada", "basic").await;
    assert_eq!(buckets(&world, "ada").await, ["prepaid AVAILABLE: 30 left, 0 held, 0 consumed"]);
    assert_eq!(world.preview("ada").await["allowances"][0]["expiresAt"], "2026-06-30T00:00:00Z");
    report(&world, &["40"]).await;
    assert_eq!(world.totals("ada").await, (40 * CENT, 30 * CENT, 10 * CENT));
    world.go(&day(21));
    cancel(&world, &second.id, false).await;
    let cheap = Cents::try_from(5).unwrap();
    let third = world.subscribe("ada", "basic").await;
    assert!(buckets(&world, "ada").await.is_empty(), "nothing was left");
    let given =
        CreditSource::Given { amount_cents: cheap, kind: GrantKind::Promo, expires_after_days: None, meters: None };
    world.core.give_credit(&world.business, "ada", &given, None, world.now).await.unwrap();
    assert_ne!(third.id, second.id);
    world.audit().await;
}

async fn a_fall_of_the_price_by_a_void_can_cost_more(fresh: &impl Fresh) {
    let world = april(fresh, product("sum", 0, &[volume()], json!({ "maxMonthlySpendCents": 2_500 }))).await;
    world.report("ada", &[("a", "m", "1000")]).await;
    world.report("ada", &[("b", "m", "1")]).await;
    assert_eq!(world.totals("ada").await, (2_002 * CENT, 0, 2_002 * CENT));
    let refunded = world.refund("ada", "b").await.unwrap();
    assert_eq!(
        refunded.receivable_nanos.get(),
        498 * CENT,
        "the thousand lost their tier; 500 past the most are waived"
    );
    assert_eq!(world.totals("ada").await, (3_000 * CENT, 0, 2_500 * CENT));
    world.audit().await;
}

async fn the_closing_job_makes_the_invoices_that_closing_by_hand_makes(fresh: &impl Fresh) {
    let least = json!({ "minMonthlySpendCents": 500 });
    let mut world = april(fresh, product("sum", 100, &[linear("m", CENT_A_TOKEN, 1, 0)], least)).await;
    let bea = world.subscribe("bea", "basic").await;
    report(&world, &["7"]).await;
    world.go(&day(10));
    cancel(&world, &bea.id, true).await;
    let days = |days: i64| SignedDuration::from_hours(days * 24);
    // Nobody came by since: what is due is settled first. Three days after the end of April nothing of May is closed.
    world.go("2026-06-03T23:59:59.999999Z");
    let wanted: Vec<_> = world.dry_close().await.invoices;
    let other = Core::new(fresh.open().await);
    let (one, two) =
        tokio::join!(world.core.do_due_work(Some(days(3)), world.now), other.do_due_work(Some(days(3)), world.now));
    let made = [one.unwrap(), two.unwrap()];
    assert_eq!(made.iter().flatten().map(|done| done.closed).sum::<u64>(), 2, "{made:?}");
    world.go("2026-06-04T00:00:00Z");
    let again = || async { world.core.do_due_work(Some(days(3)), world.now).await.unwrap().unwrap() };
    assert_eq!(again().await.closed, 1, "May is three days over");
    assert_eq!(again().await, DueWork::default());
    let closed =
        fresh.rows("SELECT subscription_id, period, total_cents FROM invoices ORDER BY subscription_id, period").await;
    let by_hand: Vec<[String; 3]> = (wanted.iter())
        .map(|closed| {
            [closed.subscription_id.to_string(), closed.period.to_string(), closed.invoice.total_cents.0.to_string()]
        })
        .collect();
    assert_eq!(closed, by_hand);
    world.audit().await;
}

async fn a_subscriber_sees_what_each_document_came_to(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product("sum", 100, &[linear("m", CENT_A_TOKEN, 1, 0)], json!({})), APRIL).await;
    let ada = world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "m", "7")]).await;
    world.go(MAY);
    cancel(&world, &ada.id, false).await;
    world.close().await;
    world.refund("ada", "a").await.unwrap();
    let own = world.core.invoices_of_subject(&world.business, "ada", None, 100).await.unwrap().0;
    let shown = serde_json::to_value(&own).unwrap();
    let totals: Vec<_> = own.iter().map(|invoice| (invoice.number, invoice.total_cents.0)).collect();
    assert_eq!(totals, [(3, -7), (2, 0), (1, 107)], "the newest first, after the end too");
    assert_eq!((&shown[0]["kind"], &shown[2]["periodEnd"]), (&json!("credit_note"), &json!(MAY)));
    assert!(!shown.to_string().contains("Nanos"), "nothing that tells a rate");
    assert!(world.core.invoices_of_subject(&world.business, "bea", None, 100).await.unwrap().0.is_empty());
    let (newest, next) = world.core.invoices_of_subject(&world.business, "ada", None, 2).await.unwrap();
    let (rest, end) = world.core.invoices_of_subject(&world.business, "ada", next, 2).await.unwrap();
    assert_eq!(([newest, rest].concat(), end), (own, None));
}

async fn a_meter_that_counts_takes_ones_and_an_item_says_how_many_it_stands_for(fresh: &impl Fresh) {
    // The route of the product costs one unit of `a`, here a meter that counts at a cent each.
    let prices = [linear("a", CENT_A_TOKEN, 1, 0)];
    let product = build(&[meter("a", "count"), meter("m", "sum")], &[plan("basic", 0, &prices, json!({}))]);
    let world = april(fresh, product).await;
    for units in ["0", "2", "0.5", "1000000000000000"] {
        assert_eq!(statuses(&world.report("ada", &[("w", "a", units)]).await), ["COUNT_UNITS"], "{units}");
    }
    assert_eq!(statuses(&world.report("ada", &[("i1", "a", "1")]).await), ["accepted"]);
    assert_eq!(statuses(&world.report("ada", &[("i2", "a", "1.000")]).await), ["accepted"], "one is one");
    let served = |id: &str, more: Json| {
        let mut item = json!({ "id": id, "subject": "ada", "route": "POST /v1/use", "status": 200 });
        more.as_object().unwrap().iter().for_each(|(name, value)| item[name] = value.clone());
        item
    };
    let accepted =
        vec![served("s1", json!({})), served("s2", json!({ "count": 1 })), served("s3", json!({ "count": 40 }))];
    assert_eq!(statuses(&world.send(accepted).await), ["accepted"; 3]);
    assert_eq!(world.totals("ada").await.0, 44 * CENT);
    // One request is one request, said or not; forty are others.
    let again = vec![served("s1", json!({ "count": 1 })), served("s3", json!({ "count": 41 }))];
    assert_eq!(statuses(&world.send(again).await), ["duplicate", "ITEM_CONFLICT"]);
    world.refund("ada", "s3").await.unwrap();
    assert_eq!(world.totals("ada").await.0, 4 * CENT);
    // What the upstream reports is for all the requests of the item, and on a meter that counts it is their number.
    let reported = |id: &str, count: u32, a: u32| {
        let reports = json!({ "a": a, "m": "0.5" });
        json!({ "id": id, "subject": "ada", "route": "POST /v1/report", "status": 200, "count": count, "reports": reports })
    };
    let results = world.send(vec![reported("r1", 3, 3), reported("r2", 3, 1), reported("r3", 1, 3)]).await;
    assert_eq!(statuses(&results), ["accepted", "COUNT_UNITS", "COUNT_UNITS"]);
    assert_eq!(world.totals("ada").await.0, 7 * CENT);
    let bad = vec![
        served("b1", json!({ "count": 0 })),
        served("b2", json!({ "count": -1 })),
        served("b3", json!({ "count": "2" })),
    ];
    assert_eq!(statuses(&world.send(bad).await), ["ITEM_FORM"; 3]);
    world.audit().await;
}
