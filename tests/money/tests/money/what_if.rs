//! What a release would do to the bills: the usage as it was under other terms, who pays then, and what can't be placed.

use jiff::SignedDuration;
use serde_json::{Value as Json, json};
use svc_core::what_if::{Keeps, Row, UnplacedReason, WhatIf, WhatIfPeriod};
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::World;
use svc_store::Store;
use svc_store::records::BuildResult;

svc_money_tests::on_both_stores! {
    the_release_that_is_active_changes_nothing,
    a_rise_is_paid_by_what_credit_is_left_and_then_owed,
    a_fall_gives_back_what_is_owed_and_then_credit,
    a_closed_period_is_compared_with_its_invoice,
    other_credit_pays_otherwise,
    a_bound_waives_or_denies_and_says_who_crosses_it,
    a_fee_is_the_plans_but_for_whoever_pays_another,
    a_meter_that_counts_otherwise_is_counted_again,
    what_can_not_be_placed_is_told,
    what_can_not_be_placed_in_one_window_is_placed_in_the_other,
    a_level_goes_on_where_nothing_of_it_counted,
    a_guard_counts_whom_the_rise_is_too_much,
    nothing_is_written,
    many_subscribers_are_read_in_pages,
}

const START: &str = "2026-01-01T00:00:00Z";
const HALF: &str = "2026-01-16T12:00:00Z";
const NEXT: &str = "2026-02-10T00:00:00Z";

/// One plan of 1,000 cents with tokens at so many micros, and whatever `more` says.
fn priced(micros: u64, more: Json) -> BuildResult {
    build(&[meter("tokens", "sum")], &[plan("basic", 1_000, &[linear("tokens", micros, 1, 0)], more)])
}

async fn world<F: Fresh>(fresh: &F, build: BuildResult) -> World<F::Store> {
    let world = World::new(fresh, build, START).await;
    world.subscribe("ada", "basic").await;
    world
}

async fn ask<S: Store>(world: &World<S>, build: BuildResult, period: WhatIfPeriod) -> WhatIf {
    ask_guarded(world, build, period, None).await
}

async fn ask_guarded<S: Store>(
    world: &World<S>,
    build: BuildResult,
    period: WhatIfPeriod,
    most: Option<u64>,
) -> WhatIf {
    let build = world.core.keep_build(&world.business, build, world.now).await.unwrap();
    world.core.what_if(&world.business, &build.id, period, most, world.now).await.unwrap()
}

async fn open<S: Store>(world: &World<S>, build: BuildResult) -> Row {
    ask(world, build, WhatIfPeriod::OpenPeriod).await.rows.remove(0)
}

/// Moves ada to a plan, now.
async fn move_to<S: Store>(world: &World<S>, plan: &str) {
    let subscription = {
        let mut tx = world.core.store.begin(svc_store::Mode::Read).await.unwrap();
        tx.live_subscription(&world.business, "ada").await.unwrap().unwrap().id
    };
    let change = svc_core::plan_changes::PlanChange {
        plan: plan.to_owned(),
        at: svc_core::subscriptions::CancelAt::Now,
        proration: svc_store::records::Proration::Prorate,
    };
    world.change_plan(&subscription, &change, false).await.unwrap();
}

fn cents(row: &Row) -> (i128, i128) {
    assert_eq!(row.difference_cents.0, row.new_cents.0 - row.old_cents.0);
    (row.old_cents.0, row.new_cents.0)
}

async fn the_release_that_is_active_changes_nothing(fresh: &impl Fresh) {
    let same = || priced(10_000, json!({ "grants": [credit("included", 300, true)], "minMonthlySpendCents": 900 }));
    let mut world = world(fresh, same()).await;
    world.go(HALF);
    world.report("ada", &[("a", "tokens", "900.000000001")]).await;
    for period in [WhatIfPeriod::OpenPeriod, WhatIfPeriod::LastPeriod] {
        let report = ask(&world, same(), period).await;
        assert_eq!((report.difference_cents.0, report.more, report.less), (0, 0, 0));
        assert_eq!(report.active_hash.as_ref(), Some(&report.proposed_hash));
    }
    world.go(NEXT);
    let invoice = world.close().await.remove(0).invoice;
    let report = ask(&world, same(), WhatIfPeriod::LastPeriod).await;
    assert_eq!((report.subscribers, report.same, report.without_period), (1, 1, 0));
    assert_eq!((report.old_cents, report.new_cents), (invoice.total_cents, invoice.total_cents));
    assert!(report.rows[0].meters.is_empty());
    assert_eq!(report.rows[0].old_rated_nanos, invoice.totals.rated_nanos);
}

async fn a_rise_is_paid_by_what_credit_is_left_and_then_owed(fresh: &impl Fresh) {
    let credit = json!({ "grants": [credit("included", 500, true)] });
    let mut world = world(fresh, priced(10_000, credit.clone())).await;
    world.go(HALF);
    world.report("ada", &[("a", "tokens", "300")]).await;
    assert_eq!(cents(&open(&world, priced(16_000, credit.clone())).await), (1_000, 1_000));
    let row = open(&world, priced(20_000, credit)).await;
    assert_eq!(cents(&row), (1_000, 1_100));
    assert_eq!(row.fee_difference_nanos.get(), 0);
    let [tokens] = row.meters.as_slice() else { panic!("{row:#?}") };
    assert_eq!((tokens.old_nanos.get(), tokens.new_nanos.get()), (3_000_000_000, 6_000_000_000));
}

async fn a_fall_gives_back_what_is_owed_and_then_credit(fresh: &impl Fresh) {
    let credit = json!({ "grants": [credit("included", 500, true)] });
    let mut world = world(fresh, priced(10_000, credit.clone())).await;
    world.go(HALF);
    world.report("ada", &[("a", "tokens", "700")]).await;
    assert_eq!(cents(&open(&world, priced(9_000, credit.clone())).await), (1_200, 1_130));
    assert_eq!(cents(&open(&world, priced(1_000, credit)).await), (1_200, 1_000));
}

async fn a_closed_period_is_compared_with_its_invoice(fresh: &impl Fresh) {
    let terms = |micros| priced(micros, json!({ "grants": [credit("included", 500, true)], "trialDays": 10 }));
    let mut world = world(fresh, terms(10_000)).await;
    world.give("ada", 200, "prepaid", None).await;
    world.go(HALF);
    world.report("ada", &[("a", "tokens", "600"), ("b", "tokens", "100")]).await;
    world.go(NEXT);
    world.report("ada", &[("c", "tokens", "650")]).await;
    // 500 of the plan's credit and 200 of the bought; 21 of 31 days' fee.
    let closed = world.close().await.remove(0).invoice;
    assert_eq!(closed.total_cents.0, 677);
    let last = |micros| ask(&world, terms(micros), WhatIfPeriod::LastPeriod);
    assert_eq!(cents(&last(10_000).await.rows[0]), (677, 677));
    // The plan's credit had nothing left, and of the bought 200 all was drawn by its end.
    assert_eq!(cents(&last(11_000).await.rows[0]), (677, 747));
    assert_eq!(cents(&last(5_000).await.rows[0]), (677, 677));
    world.refund("ada", "b").await.unwrap();
    assert_eq!(cents(&last(10_000).await.rows[0]), (677, 677), "it stays as it was invoiced");
    let _audited = world.audit().await;
}

async fn other_credit_pays_otherwise(fresh: &impl Fresh) {
    let terms = |cents| priced(10_000, json!({ "grants": [credit("included", cents, true)] }));
    let mut world = world(fresh, terms(500)).await;
    world.go(HALF);
    world.report("ada", &[("a", "tokens", "700")]).await;
    for (amount, wanted) in [(500, 1_200), (600, 1_100), (900, 1_000), (100, 1_600)] {
        let row = open(&world, terms(amount)).await;
        assert_eq!((cents(&row), row.keeps.len()), ((1_200, wanted), 0), "{amount}");
    }
    let none = open(&world, priced(10_000, json!({}))).await;
    assert_eq!(cents(&none), (1_200, 1_700));
    let two = json!({ "grants": [credit("included", 500, true), credit("promo", 50, true)] });
    assert_eq!(cents(&open(&world, priced(10_000, two)).await), (1_200, 1_150));
}

async fn a_bound_waives_or_denies_and_says_who_crosses_it(fresh: &impl Fresh) {
    let mut world = world(fresh, priced(10_000, json!({}))).await;
    world.go(HALF);
    world.report("ada", &[("a", "tokens", "700")]).await;
    let waiving = open(&world, priced(20_000, json!({ "maxMonthlySpendCents": 1_500 }))).await;
    assert_eq!(cents(&waiving), (1_700, 1_500));
    assert_eq!((waiving.new_waived_nanos.get(), waiving.denied_nanos.get(), waiving.crosses), (9_000_000_000, 0, true));
    let denying =
        open(&world, priced(20_000, json!({ "maxMonthlySpendCents": 1_500, "overageBehavior": "block" }))).await;
    assert_eq!(cents(&denying), (1_700, 1_500));
    assert_eq!((denying.new_waived_nanos.get(), denying.denied_nanos.get(), denying.crosses), (0, 9_000_000_000, true));
    let least = open(&world, priced(10_000, json!({ "minMonthlySpendCents": 3_000 }))).await;
    assert_eq!(cents(&least), (1_700, 3_000));
    assert!(!least.crosses);
}

async fn a_fee_is_the_plans_but_for_whoever_pays_another(fresh: &impl Fresh) {
    let fee = |cents| build(&[meter("tokens", "sum")], &[plan("basic", cents, &[], json!({ "trialDays": 10 }))]);
    let mut world = world(fresh, fee(3_100)).await;
    world.go(HALF);
    let row = open(&world, fee(6_200)).await;
    assert_eq!((cents(&row), row.fee_difference_nanos.get()), ((2_100, 4_200), 21_000_000_000));
    // Of a released version's subscribers the pin is compared, too.
    world.publish(fee(4_000)).await;
    world.go("2026-01-20T00:00:00Z");
    move_to(&world, "basic").await;
    let kept = open(&world, fee(9_000)).await;
    assert_eq!((kept.difference_cents.0, kept.keeps.as_slice()), (0, [Keeps::Fee].as_slice()));
}

async fn a_meter_that_counts_otherwise_is_counted_again(fresh: &impl Fresh) {
    let terms = |aggregation| {
        let meters = [meter("calls", "sum"), meter("tokens", aggregation)];
        build(&meters, &[plan("basic", 0, &[linear("tokens", 10_000, 1, 0)], json!({}))])
    };
    let mut world = world(fresh, terms("sum")).await;
    world.go(HALF);
    world.report("ada", &[("a", "tokens", "30"), ("b", "tokens", "70"), ("c", "tokens", "50")]).await;
    world.refund("ada", "b").await.unwrap();
    assert_eq!(cents(&open(&world, terms("sum")).await), (80, 80));
    assert_eq!(cents(&open(&world, terms("max")).await), (80, 50));
    assert_eq!(cents(&open(&world, terms("last")).await), (80, 50));
    let unique = ask(&world, terms("unique"), WhatIfPeriod::OpenPeriod).await;
    assert_eq!(cents(&unique.rows[0]), (80, 0));
    let [told] = unique.unplaced.as_slice() else { panic!("{unique:#?}") };
    assert_eq!((told.reason, told.charges, told.old_nanos.get()), (UnplacedReason::UniqueKeyMissing, 2, 800_000_000));
}

async fn what_can_not_be_placed_is_told(fresh: &impl Fresh) {
    let mut world = world(fresh, priced(10_000, json!({}))).await;
    world.go(HALF);
    world.report("ada", &[("a", "tokens", "700")]).await;
    let other = build(&[meter("words", "sum")], &[plan("basic", 1_000, &[linear("words", 10_000, 1, 0)], json!({}))]);
    let report = ask(&world, other, WhatIfPeriod::OpenPeriod).await;
    assert_eq!(cents(&report.rows[0]), (1_700, 1_000));
    let [told] = report.unplaced.as_slice() else { panic!("{report:#?}") };
    assert_eq!((told.reason, told.meter.as_ref().unwrap().as_str()), (UnplacedReason::MeterMissing, "tokens"));
    assert_eq!((told.charges, told.old_nanos.get()), (1, 7_000_000_000));
    let renamed = build(&[meter("tokens", "sum")], &[plan("other", 1, &[linear("tokens", 1, 1, 0)], json!({}))]);
    let kept = ask(&world, renamed, WhatIfPeriod::OpenPeriod).await.rows.remove(0);
    assert_eq!((cents(&kept), kept.keeps.as_slice()), ((1_700, 1_700), [Keeps::Plan].as_slice()));
    let yearly = ask(&world, priced(10_000, json!({ "interval": "year" })), WhatIfPeriod::OpenPeriod).await;
    assert_eq!((yearly.subscribers, yearly.unplaced[0].reason), (0, UnplacedReason::IntervalChanged));
    let guard = ask_guarded(&world, priced(1, json!({ "interval": "year" })), WhatIfPeriod::OpenPeriod, Some(1)).await;
    let guard = guard.guard.unwrap();
    assert_eq!((guard.exceeded, guard.unknown, guard.is_kept()), (0, 1, false), "who can't be compared may pay more");
    let gone = build(&[meter("words", "sum")], &[plan("basic", 1_000, &[linear("words", 1, 1, 0)], json!({}))]);
    let guard = ask_guarded(&world, gone, WhatIfPeriod::OpenPeriod, Some(1)).await.guard.unwrap();
    assert!(guard.is_kept(), "what there is no price for costs nothing: {guard:?}");
}

async fn what_can_not_be_placed_in_one_window_is_placed_in_the_other(fresh: &impl Fresh) {
    let models = |basic: Json, pro: Json| {
        let mut tokens = meter("tokens", "sum");
        tokens["by"] = json!(["model"]);
        let price = |rates: Json| json!({ "meter": "tokens", "kind": "rates", "per": 1, "rates": rates });
        let plan = |key: &str, rates: Json| plan(key, 0, &[price(rates)], json!({}));
        build(&[meter("calls", "sum"), tokens], &[plan("basic", basic), plan("pro", pro)])
    };
    let both = json!({ "a": 10_000, "b": 20_000 });
    let mut world = world(fresh, models(both.clone(), both.clone())).await;
    let used = |id: &str, model: &str| json!({ "id": id, "subject": "ada", "meter": "tokens", "units": 10, "by": { "model": model } });
    world.go(HALF);
    let sent = world.send(vec![used("1", "a"), used("2", "b"), used("3", "b")]).await;
    assert_eq!(svc_money_tests::world::statuses(&sent), ["accepted"; 3]);
    move_to(&world, "pro").await;
    world.send(vec![used("4", "b")]).await;
    let report = ask(&world, models(json!({ "a": 10_000 }), both), WhatIfPeriod::OpenPeriod).await;
    // Ten of a and twenty of b before, ten of b after: only the twenty are not placed.
    assert_eq!(cents(&report.rows[0]), (70, 30));
    let [told] = report.unplaced.as_slice() else { panic!("{report:#?}") };
    assert_eq!((told.reason, told.charges, told.old_nanos.get()), (UnplacedReason::CellWithoutPrice, 2, 400_000_000));
}

async fn a_level_goes_on_where_nothing_of_it_counted(fresh: &impl Fresh) {
    let terms = |micros: Option<u64>| {
        let mut meters = vec![meter("calls", "sum")];
        meters.extend(micros.map(|_| meter("tokens", "time_weighted")));
        let prices: Vec<Json> = micros.iter().map(|micros| linear("tokens", *micros, 1, 0)).collect();
        build(&meters, &["basic", "pro"].map(|key| plan(key, 0, &prices, json!({}))))
    };
    let mut world = world(fresh, terms(Some(10_000))).await;
    world.report("ada", &[("a", "tokens", "100")]).await;
    world.go(HALF);
    world.publish(terms(None)).await;
    move_to(&world, "pro").await;
    // Of what there is no meter for nothing is counted, and no window is opened for it.
    world.go("2026-01-24T06:00:00Z");
    assert_eq!(cents(&open(&world, terms(Some(10_000))).await), (50, 75));
    assert_eq!(cents(&open(&world, terms(None)).await), (50, 0));
    world.go(NEXT);
    let report = ask(&world, terms(Some(20_000)), WhatIfPeriod::LastPeriod).await;
    assert_eq!((cents(&report.rows[0]), report.unplaced.len()), ((50, 200), 0));
}

async fn a_guard_counts_whom_the_rise_is_too_much(fresh: &impl Fresh) {
    let mut world = world(fresh, priced(10_000, json!({}))).await;
    world.subscribe("bea", "basic").await;
    world.go(HALF);
    world.report("ada", &[("a", "tokens", "1000")]).await;
    world.report("bea", &[("a", "tokens", "100")]).await;
    let most =
        |basis_points| ask_guarded(&world, priced(12_000, json!({})), WhatIfPeriod::OpenPeriod, Some(basis_points));
    // ada's bill goes from 2,000 to 2,200 cents, bea's from 1,100 to 1,120.
    let report = most(1_000).await;
    assert_eq!((report.more, report.guard.as_ref().unwrap().exceeded), (2, 0));
    let guard = most(999).await.guard.unwrap();
    assert_eq!((guard.exceeded, guard.worst.unwrap().subject.as_str()), (1, "ada"));
    assert_eq!(most(0).await.guard.unwrap().exceeded, 2);
    let quantiles: Vec<(u8, i128)> =
        report.quantiles.iter().map(|quantile| (quantile.percent, quantile.difference_cents.0)).collect();
    assert_eq!(quantiles[..5], [(0, 20), (5, 20), (25, 20), (50, 20), (75, 200)]);
    assert_eq!(report.rows.iter().map(|row| row.subject.as_str()).collect::<Vec<_>>(), ["ada", "bea"]);
    assert_eq!(report.distribution.iter().map(|step| step.subscribers).sum::<u64>(), 2);
}

async fn nothing_is_written(fresh: &impl Fresh) {
    let mut world = world(fresh, priced(10_000, json!({}))).await;
    world.report("ada", &[("a", "tokens", "700")]).await;
    let build = world.core.keep_build(&world.business, priced(1, json!({})), world.now).await.unwrap();
    // The period has ended, and nobody has come by since.
    world.go(NEXT);
    let tables =
        ["subscriptions", "periods", "windows", "charges", "buckets", "ledger_transactions", "releases", "events"];
    let mut before = Vec::new();
    for table in tables {
        before.push(fresh.rows(&format!("SELECT COUNT(*) FROM {table}")).await);
    }
    let due = fresh.rows("SELECT period FROM subscriptions").await;
    for period in [WhatIfPeriod::OpenPeriod, WhatIfPeriod::LastPeriod] {
        let report = world.core.what_if(&world.business, &build.id, period, Some(1), world.now).await.unwrap();
        assert_eq!(cents(&report.rows[0]), (1_700, 1_000));
    }
    for (table, before) in tables.iter().zip(before) {
        assert_eq!(fresh.rows(&format!("SELECT COUNT(*) FROM {table}")).await, before, "{table}");
    }
    assert_eq!(fresh.rows("SELECT period FROM subscriptions").await, due);
}

async fn many_subscribers_are_read_in_pages(fresh: &impl Fresh) {
    let mut world = World::new(fresh, priced(10_000, json!({})), START).await;
    for number in 0..203_u32 {
        let subject = format!("subject-{number}");
        world.subscribe(&subject, "basic").await;
        if number % 50 == 0 {
            let units = (number + 1).to_string();
            world.report(&subject, &[("a", "tokens", &units)]).await;
        }
    }
    world.now += SignedDuration::from_hours(1);
    let report = ask(&world, priced(20_000, json!({})), WhatIfPeriod::OpenPeriod).await;
    assert_eq!((report.subscribers, report.more, report.same), (203, 5, 198));
    // 1 + 51 + 101 + 151 + 201 tokens at a cent more.
    assert_eq!(report.difference_cents.0, 505);
    assert_eq!(report.rows[0].difference_cents.0, 201);
}
