//! Levels that last: what they cost by now and in the end, over periods, moves, ends and refunds. The simulator compares the sums.

use serde_json::{Value as Json, json};
use svc_core::explain::Explained;
use svc_core::metering::Estimate;
use svc_core::plan_changes::PlanChange;
use svc_core::resources::{ResourceChange, ResourceCount};
use svc_core::subscriptions::CancelAt;
use svc_engine::manifest::ir::ResourceEffect;
use svc_money_tests::product::{build, build_with, credit, linear, meter, plan};
use svc_money_tests::stores::{Fresh, FreshSqlite};
use svc_money_tests::world::{World, statuses};
use svc_store::Store;
use svc_store::records::{BuildResult, Proration, Subscription};

svc_money_tests::on_both_stores! {
    seats_are_paid_by_the_day,
    a_level_holds_while_nobody_comes_by,
    reports_come_late_and_in_any_order,
    a_level_goes_on_under_another_plan,
    an_end_that_is_taken_out_was_none,
    a_level_that_was_all_taken_out_does_not_go_on,
    what_is_taken_out_never_held,
    what_comes_back_goes_to_who_paid_for_a_level_since,
    cells_have_levels_of_their_own,
    a_resource_is_paid_for_by_its_count,
    a_plan_that_prices_a_resource_begins_with_what_there_is,
    a_resource_costs_nothing_while_a_version_does_not_price_it,
    what_was_reported_before_a_break_is_no_level_behind_it,
    a_resource_that_is_priced_from_a_renewal_on_is_paid_for_from_then_on,
}

/// 8.75 of a seat in a month, in micro-dollars.
const SEAT: u64 = 8_750_000;
const DOLLAR: i128 = 1_000_000_000;

fn product(more: Json) -> BuildResult {
    let meters = [meter("a", "sum"), meter("seats", "time_weighted")];
    let dear = plan("dear", 0, &[linear("seats", 2 * SEAT, 1, 0)], json!({}));
    build(&meters, &[plan("basic", 0, &[linear("seats", SEAT, 1, 0)], more), dear])
}

async fn april<F: Fresh>(fresh: &F, build: BuildResult) -> (World<F::Store>, Subscription) {
    let world = World::new(fresh, build, "2026-04-01T00:00:00Z").await;
    let subscription = world.subscribe("ada", "basic").await;
    (world, subscription)
}

/// Says how many seats there are, from now on or from an earlier moment on.
async fn seats<S: Store>(world: &World<S>, id: &str, count: &str, since: Option<&str>) {
    let mut item = json!({ "id": id, "subject": "ada", "meter": "seats", "units": count });
    if let Some(since) = since {
        item["occurredAt"] = json!(since);
    }
    assert_eq!(statuses(&world.send(vec![item]).await), ["accepted"]);
}

/// What is rated by now, in cents, where that is whole.
async fn cents<S: Store>(world: &World<S>) -> i128 {
    let (rated, ..) = world.totals("ada").await;
    assert_eq!(rated % 10_000_000, 0, "{rated}");
    rated / 10_000_000
}

async fn invoiced<S: Store>(world: &World<S>) -> Vec<i128> {
    world.close().await.iter().map(|closed| closed.invoice.total_cents.0).collect()
}

async fn seats_are_paid_by_the_day(fresh: &impl Fresh) {
    let (mut world, subscription) = april(fresh, product(json!({}))).await;
    seats(&world, "one", "12", None).await;
    assert_eq!(cents(&world).await, 0, "no time has passed");
    assert_eq!(cents(world.go("2026-04-11T00:00:00Z")).await, 12 * 875 / 3);
    assert_eq!(cents(world.go("2026-04-21T00:00:00Z")).await, 7_000);
    seats(&world, "two", "15", None).await;
    assert_eq!(cents(&world).await, 7_000);
    // A preview writes nothing; whoever writes finds the same.
    let open = Explained::Open(subscription.id.clone());
    let explained = world.core.explain(&world.business, &open, (0, 100), world.now).await.unwrap();
    assert_eq!(explained.total_cents.0, 7_000);
    let entries: Vec<Json> = explained.charges.iter().map(|entry| json!([entry.kind, entry.charge_nanos])).collect();
    let wanted = [json!(["charge", "0"]), json!(["time", "70000000000"]), json!(["charge", "0"])];
    assert_eq!(entries, wanted);
    assert_eq!(world.go("2026-04-26T00:00:00Z").totals("ada").await.0, 91_875_000_000);
    let used = world.core.usage_of_period(&world.business, &subscription.id, world.now).await.unwrap();
    assert_eq!(used.lines[0].quantity, "10.5", "8 and 2.5");
    world.go("2026-05-01T00:00:00Z");
    assert_eq!(invoiced(&world).await, [11_375]);
    world.audit().await;
}

async fn a_level_holds_while_nobody_comes_by(fresh: &impl Fresh) {
    let (mut world, subscription) = april(fresh, product(json!({}))).await;
    seats(&world, "one", "12", None).await;
    world.go("2026-08-16T12:00:00Z");
    assert_eq!(invoiced(&world).await, [10_500; 4]);
    assert_eq!(cents(&world).await, 5_250, "half of August");
    let lines = world.core.invoices(&world.business, &subscription.id, 0, 10).await.unwrap().0;
    assert_eq!(lines[2]["lines"][0]["quantity"], "12");
    assert_eq!(lines[2]["windows"][0]["chargeCount"], 0, "nobody reported anything");
    seats(&world, "none", "0", None).await;
    world.go("2026-11-01T00:00:00Z");
    assert_eq!(invoiced(&world).await, [5_250, 0, 0]);
    world.audit().await;
}

async fn reports_come_late_and_in_any_order(fresh: &impl Fresh) {
    let reports = [
        ("one", "12", "2026-04-01T00:00:00Z"),
        ("two", "3", "2026-04-11T00:00:00Z"),
        ("three", "15", "2026-04-21T00:00:00Z"),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [2, 0, 1], [1, 2, 0]] {
        let (mut world, _) = april(fresh, product(json!({}))).await;
        world.go("2026-04-22T00:00:00Z");
        for place in order {
            let (id, count, since) = reports[place];
            seats(&world, id, count, Some(since)).await;
        }
        world.go("2026-05-01T00:00:00Z");
        assert_eq!(invoiced(&world).await, [8_750], "10 seats, {order:?}");
        world.audit().await;
    }
    let (mut world, _) = april(fresh, product(json!({}))).await;
    seats(&world, "one", "30", None).await;
    world.go("2026-05-11T00:00:00Z");
    // For a moment of April: May begins with it, April stays as it was.
    seats(&world, "two", "31", Some("2026-04-16T00:00:00Z")).await;
    // Older than the newest known level: it changes nothing.
    seats(&world, "three", "1", Some("2026-04-02T00:00:00Z")).await;
    // Of two for one moment the one that came later counts.
    for (id, count) in [("four", "9"), ("five", "62")] {
        seats(&world, id, count, Some("2026-05-11T00:00:00Z")).await;
    }
    world.go("2026-06-01T00:00:00Z");
    assert_eq!(invoiced(&world).await, [30 * 875, 10 * 875 + 42 * 875]);
    world.audit().await;
}

async fn a_level_goes_on_under_another_plan(fresh: &impl Fresh) {
    let (mut world, subscription) = april(fresh, product(json!({}))).await;
    seats(&world, "one", "12", None).await;
    world.go("2026-04-11T00:00:00Z");
    let change = PlanChange { plan: "dear".to_owned(), at: CancelAt::Now, proration: Proration::None };
    world.change_plan(&subscription.id, &change, false).await.unwrap();
    assert_eq!(cents(world.go("2026-04-21T00:00:00Z")).await, 3_500 + 7_000);
    // What comes late is charged where it is admitted: ten days of three seats more, at the price of now.
    seats(&world, "two", "15", Some("2026-04-01T00:00:00Z")).await;
    assert_eq!(cents(&world).await, 3_500 + 7_000 + 3 * 1_750 * 2 / 3);
    world.refund("ada", "two").await.unwrap();
    assert_eq!(cents(&world).await, 3_500 + 7_000);
    world.go("2026-05-01T00:00:00Z");
    assert_eq!(invoiced(&world).await, [3_500 + 14_000]);
    world.go("2026-05-02T00:00:00Z");
    world.core.cancel(&world.business, &subscription.id, CancelAt::PeriodEnd, false, world.now).await.unwrap();
    world.go("2026-05-03T00:00:00Z");
    world.core.resume(&world.business, &subscription.id, world.now).await.unwrap();
    world.go("2026-06-11T00:00:00Z");
    world.core.cancel(&world.business, &subscription.id, CancelAt::Now, true, world.now).await.unwrap();
    world.go("2026-07-20T00:00:00Z");
    assert_eq!(invoiced(&world).await, [21_000, 7_000], "a level ends with its subscription");
    world.audit().await;
}

/// The subscriber was moved meanwhile: from then on the level held under the other plan.
async fn an_end_that_is_taken_out_was_none(fresh: &impl Fresh) {
    let (mut world, subscription) = april(fresh, product(json!({}))).await;
    seats(&world, "one", "12", None).await;
    world.go("2026-04-06T00:00:00Z");
    seats(&world, "none", "0", None).await;
    world.go("2026-04-11T00:00:00Z");
    let change = PlanChange { plan: "dear".to_owned(), at: CancelAt::Now, proration: Proration::None };
    world.change_plan(&subscription.id, &change, false).await.unwrap();
    assert_eq!(cents(world.go("2026-04-21T00:00:00Z")).await, 1_750);
    world.refund("ada", "none").await.unwrap();
    assert_eq!(cents(&world).await, 3_500 + 7_000);
    world.go("2026-05-01T00:00:00Z");
    assert_eq!(invoiced(&world).await, [3_500 + 14_000]);
    world.audit().await;
}

/// Nothing is kept of it under what the subscriber was moved to, whoever opens a window there, and after however long.
async fn a_level_that_was_all_taken_out_does_not_go_on(fresh: &impl Fresh) {
    let prices = [linear("a", 10_000, 1, 0), linear("disks", SEAT, 1, 0), linear("seats", SEAT, 1, 0)];
    let mut counted = meter("seats", "time_weighted");
    counted["resource"] = json!("seats");
    let meters = [meter("a", "sum"), meter("disks", "time_weighted"), counted];
    let plans = [plan("basic", 0, &prices, json!({})), plan("dear", 0, &prices, json!({}))];
    let product = build_with(&meters, &plans, |ir| {
        ir["resources"] = json!([{ "name": "seats", "display": "Seats", "countSource": "action_inferred" }]);
    });
    let change = PlanChange { plan: "dear".to_owned(), at: CancelAt::Now, proration: Proration::None };
    for (opened_by, then) in [("a count", 6 * 875), ("a count of none", 0), ("use", 1), ("a level", 12 * 875)] {
        for moved_at in ["2026-04-01T00:00:00Z", "2026-04-06T00:00:00Z"] {
            let (mut world, subscription) = april(fresh, product.clone()).await;
            world.send(vec![json!({ "id": "one", "subject": "ada", "meter": "disks", "units": "12" })]).await;
            world.refund("ada", "one").await.unwrap();
            world.go(moved_at).change_plan(&subscription.id, &change, false).await.unwrap();
            world.go("2026-04-16T00:00:00Z");
            match opened_by {
                "a count" => count(&world, 12).await,
                "a count of none" => count(&world, 0).await,
                "use" => assert_eq!(statuses(&world.report("ada", &[("two", "a", "1")]).await), ["accepted"]),
                _ => assert_eq!(statuses(&world.report("ada", &[("two", "disks", "24")]).await), ["accepted"]),
            }
            world.audit().await;
            world.go("2026-05-01T00:00:00Z");
            assert_eq!(invoiced(&world).await, [then], "{opened_by}, moved at {moved_at}");
            world.audit().await;
        }
    }
}

async fn what_is_taken_out_never_held(fresh: &impl Fresh) {
    let (mut world, _) = april(fresh, product(json!({ "grants": [credit("promo", 1_000, false)] }))).await;
    seats(&world, "one", "12", None).await;
    world.go("2026-04-11T00:00:00Z");
    seats(&world, "two", "30", None).await;
    world.go("2026-04-21T00:00:00Z");
    assert_eq!(world.totals("ada").await, (122_500_000_000, 10 * DOLLAR, 112_500_000_000));
    world.refund("ada", "two").await.unwrap();
    assert_eq!(world.totals("ada").await, (70 * DOLLAR, 10 * DOLLAR, 60 * DOLLAR), "12 all along");
    world.refund("ada", "one").await.unwrap();
    assert_eq!(world.totals("ada").await, (0, 0, 0));
    seats(&world, "one", "12", None).await;
    world.go("2026-05-16T12:00:00Z");
    // What a period took over stays, and is put right by a report: it is refunded in its own period alone.
    world.refund("ada", "one").await.unwrap();
    assert_eq!(cents(&world).await, 5_250);
    seats(&world, "none", "0", Some("2026-05-01T00:00:00Z")).await;
    assert_eq!(cents(&world).await, 0);
    world.go("2026-06-01T00:00:00Z");
    assert_eq!(invoiced(&world).await, [0, 0]);
    world.audit().await;
}

/// Credit that has ended paid for what is taken out: who else paid in that period gets it, by whatever time has passed since somebody came by.
async fn what_comes_back_goes_to_who_paid_for_a_level_since(fresh: &impl Fresh) {
    let prices = [linear("a", 10_000, 1, 0), linear("seats", SEAT, 1, 0)];
    let basic = plan("basic", 0, &prices, json!({}));
    let (mut world, _) = april(fresh, build(&[meter("a", "sum"), meter("seats", "time_weighted")], &[basic])).await;
    world.give("ada", 50, "promo", Some(10)).await;
    world.give("ada", 20_000, "referral", None).await;
    assert_eq!(statuses(&world.report("ada", &[("used", "a", "50")]).await), ["accepted"]);
    seats(&world, "one", "12", None).await;
    // Nobody comes by until then: April's 105.00, and May's so far, are posted with the refund.
    world.go("2026-05-03T00:00:00Z").refund("ada", "used").await.unwrap();
    let preview = world.preview("ada").await;
    let lasting = preview["allowances"].as_array().unwrap().iter().find(|one| one["expiresAt"].is_null()).unwrap();
    let (april, may) = (105 * DOLLAR - DOLLAR / 2, 12 * 2 * 8_750_000_000 / 31);
    assert_eq!(lasting["consumedNanos"], (april + may).to_string(), "the other 0.50 was paid");
    world.audit().await;
}

async fn cells_have_levels_of_their_own(fresh: &impl Fresh) {
    let mut disks = meter("disks", "time_weighted");
    disks["by"] = json!(["kind"]);
    let rates = json!({ "meter": "disks", "kind": "rates", "per": 1, "rates": { "fast": 300_000, "slow": 30_000 } });
    let build = build(&[meter("a", "sum"), disks], &[plan("basic", 0, &[rates], json!({}))]);
    let (mut world, _) = april(fresh, build).await;
    let disk = |id: &str, kind: &str, units: u32| json!({ "id": id, "subject": "ada", "meter": "disks", "units": units, "by": { "kind": kind } });
    world.send(vec![disk("1", "fast", 100), disk("2", "slow", 1_000)]).await;
    world.go("2026-04-16T00:00:00Z");
    world.send(vec![disk("3", "fast", 0)]).await;
    world.go("2026-06-01T00:00:00Z");
    assert_eq!(invoiced(&world).await, [1_500 + 3_000, 3_000]);
    world.audit().await;
}

#[test]
fn who_could_pay_while_a_level_held_pays_for_it() {
    svc_money_tests::block_on(async {
        let (mut world, _) = april(&FreshSqlite::new().await, product(json!({}))).await;
        seats(&world, "one", "30", None).await;
        world.give("ada", 100_000, "promo", Some(10)).await;
        world.go("2026-04-16T00:00:00Z");
        world.give("ada", 100_000, "promo", None).await;
        // Ten days by the first, five owed, five by the second.
        assert_eq!(
            world.go("2026-04-21T00:00:00Z").totals("ada").await,
            (175 * DOLLAR, 131_250_000_000, 43_750_000_000)
        );
        world.audit().await;
    });
}

#[test]
fn a_level_that_nobody_could_pay_for_is_not_raised() {
    svc_money_tests::block_on(async {
        let block = json!({ "overageBehavior": "block", "maxMonthlySpendCents": 10_000 });
        let (mut world, _) = april(&FreshSqlite::new().await, product(block)).await;
        let raise = |id: &str, count: u32| json!({ "id": id, "subject": "ada", "meter": "seats", "units": count });
        let results = world.send(vec![raise("a", 12), raise("b", 11), raise("c", 3)]).await;
        assert_eq!(statuses(&results), ["SPEND_LIMIT_REACHED", "accepted", "accepted"], "12 would be 105.00");
        world.go("2026-04-16T00:00:00Z");
        let results = world.send(vec![raise("d", 20), raise("e", 19)]).await;
        assert_eq!(
            statuses(&results),
            ["SPEND_LIMIT_REACHED", "accepted"],
            "13.125 are owed, and 20 would be 87.50 more"
        );
        world.audit().await;
    });
}

#[test]
fn what_a_level_costs_past_a_bound_is_not_billed() {
    svc_money_tests::block_on(async {
        let block = json!({ "overageBehavior": "block", "grants": [credit("prepaid", 20_000, false)] });
        let (mut world, _) = april(&FreshSqlite::new().await, product(block)).await;
        seats(&world, "one", "16", None).await;
        world.go("2026-06-01T00:00:00Z");
        // Time can't be refused. The credit pays for April and a part of May.
        assert_eq!(invoiced(&world).await, [0, 0]);
        assert_eq!(world.totals("ada").await, (0, 0, 0));
        let results = world.report("ada", &[("two", "seats", "17"), ("three", "seats", "15")]).await;
        assert_eq!(statuses(&results), ["SPEND_LIMIT_REACHED", "accepted"]);
        world.audit().await;
    });
}

#[test]
fn a_trial_of_its_own_is_weighted_by_a_whole_interval() {
    svc_money_tests::block_on(async {
        let advance = json!({ "billed": "advance", "trialDays": 15 });
        let (mut world, _) = april(&FreshSqlite::new().await, product(advance)).await;
        seats(&world, "one", "12", None).await;
        world.go("2026-05-16T00:00:00Z");
        assert_eq!(invoiced(&world).await, [5_250, 10_500], "half a month, and a month from 16 April");
        world.audit().await;
    });
}

#[test]
fn free_units_tiers_least_and_most_are_of_the_weighted_quantity() {
    svc_money_tests::block_on(async {
        let tiers =
            json!([{ "upTo": 10, "micros": 10_000_000, "per": 1 }, { "upTo": null, "micros": 5_000_000, "per": 1 }]);
        let price = json!({ "meter": "seats", "kind": "graduated", "tiers": tiers, "includedUnits": 2, "minCents": 2_000, "maxCents": 12_000 });
        let meters = [meter("a", "sum"), meter("seats", "time_weighted")];
        let (mut world, _) =
            april(&FreshSqlite::new().await, build(&meters, &[plan("basic", 0, &[price], json!({}))])).await;
        seats(&world, "one", "3", None).await;
        world.go("2026-04-16T00:00:00Z");
        assert_eq!(
            world.totals("ada").await,
            (0, 0, 20 * DOLLAR),
            "1.5 of 2 free ones are used; the least is owed all along"
        );
        seats(&world, "two", "25", None).await;
        world.go("2026-05-01T00:00:00Z");
        assert_eq!(invoiced(&world).await, [11_000], "14 less 2: ten at 10.00 and two at 5.00");
        assert_eq!(world.go("2026-06-01T00:00:00Z").close().await[0].invoice.total_cents.0, 12_000, "the most");
        world.audit().await;
    });
}

#[test]
fn nothing_is_held_for_a_level() {
    svc_money_tests::block_on(async {
        let (world, _) = april(&FreshSqlite::new().await, product(json!({}))).await;
        world.give("ada", 1_000, "promo", None).await;
        let estimate = Estimate::Meter { meter: "seats".to_owned(), units: 5_u32.into() };
        world.core.hold(&world.business, "ada", "h", &estimate, 60, world.now).await.unwrap();
        let preview = world.preview("ada").await;
        assert_eq!(preview["allowances"][0]["heldNanos"], "0");
    });
}

/// A plan with priced seats, and one without.
fn team(plans: &[Json]) -> BuildResult {
    let is_priced = plans.iter().any(|plan| plan["meters"].to_string().contains("seats"));
    let mut meters = vec![meter("a", "sum")];
    if is_priced {
        let mut seats = meter("seats", "time_weighted");
        seats["resource"] = json!("seats");
        meters.push(seats);
    }
    build_with(&meters, plans, |ir| {
        ir["resources"] = json!([{ "name": "seats", "display": "Seats", "countSource": "action_inferred" }]);
    })
}

async fn count<S: Store>(world: &World<S>, count: u64) {
    let to = ResourceCount { resource: "seats".to_owned(), count };
    world.core.set_resource_count(&world.business, "ada", &to, world.now).await.unwrap();
}

/// A request that made one more seat, or one less.
async fn changed<S: Store>(world: &World<S>, id: &str, effect: ResourceEffect) {
    let resource = "seats".to_owned().try_into().unwrap();
    let change = ResourceChange { id: id.to_owned(), resource, effect };
    let now = world.now;
    world.core.begin_resource_change(&world.business, "ada", &change, None, (60, now)).await.unwrap();
    for _ in 0..2 {
        world.core.end_resource_change(&world.business, "ada", &change, true, now).await.unwrap();
    }
}

async fn a_resource_is_paid_for_by_its_count(fresh: &impl Fresh) {
    let build = team(&[plan("basic", 0, &[linear("seats", SEAT, 1, 0)], json!({}))]);
    let (mut world, subscription) = april(fresh, build).await;
    count(&world, 11).await;
    changed(&world, "one", ResourceEffect::Create).await;
    let reported = world.report("ada", &[("x", "seats", "500")]).await;
    assert_eq!(statuses(&reported), ["METER_COUNTS_RESOURCE"]);
    assert_eq!(cents(world.go("2026-04-11T00:00:00Z")).await, 3_500);
    count(&world, 12).await;
    world.go("2026-04-21T00:00:00Z");
    count(&world, 16).await;
    changed(&world, "two", ResourceEffect::Delete).await;
    world.go("2026-05-01T00:00:00Z");
    let closed = world.close().await;
    assert_eq!((closed[0].invoice.total_cents.0, closed[0].lines[0].quantity.as_str()), (11_375, "13"));
    assert_eq!((closed[0].lines[0].meter.as_str(), closed[0].windows[0].charge_count), ("seats", 0));
    world.go("2026-06-16T00:00:00Z");
    count(&world, 0).await;
    world.core.cancel(&world.business, &subscription.id, CancelAt::Now, false, world.now).await.unwrap();
    assert_eq!(invoiced(&world).await, [15 * 875, 15 * 875 / 2]);
    count(&world, 7).await;
    world.audit().await;
    world.go("2026-07-01T00:00:00Z");
    // Who subscribes anew pays for what is there.
    world.subscribe("ada", "basic").await;
    world.go("2026-08-01T00:00:00Z");
    assert_eq!(invoiced(&world).await, [7 * 875]);
    world.audit().await;
}

async fn a_plan_that_prices_a_resource_begins_with_what_there_is(fresh: &impl Fresh) {
    let (mut world, subscription) = april(fresh, team(&[plan("basic", 0, &[], json!({}))])).await;
    count(&world, 8).await;
    world.go("2026-04-06T00:00:00Z");
    world.publish(team(&[plan("basic", 0, &[linear("seats", SEAT, 1, 2)], json!({}))])).await;
    world.go("2026-04-11T00:00:00Z");
    count(&world, 12).await;
    let change = PlanChange { plan: "basic".to_owned(), at: CancelAt::Now, proration: Proration::None };
    world.change_plan(&subscription.id, &change, false).await.unwrap();
    world.go("2026-04-26T00:00:00Z");
    count(&world, 6).await;
    world.go("2026-05-01T00:00:00Z");
    assert_eq!(invoiced(&world).await, [5 * 875], "6 and 1, and two of them are free");
    world.audit().await;
}

/// Moves to a release that has no such meter and back to one that has: the time between is nobody's, whatever happens in it.
async fn a_resource_costs_nothing_while_a_version_does_not_price_it(fresh: &impl Fresh) {
    let with = |fee: u64, micros: u64| team(&[plan("basic", fee, &[linear("seats", micros, 1, 0)], json!({}))]);
    let without = || team(&[plan("basic", 1, &[linear("a", 1_000_000, 1, 0)], json!({}))]);
    // What is counted, and what else is used, while nothing prices the seats; seats from then on; the price from then on.
    let lives = [(None, false, 12, 1), (Some(12), false, 12, 1), (None, true, 12, 1), (Some(18), true, 18, 1)];
    let lives = lives.into_iter().chain([(None, true, 12, 2), (Some(0), false, 0, 1), (Some(6), false, 6, 2)]);
    for (counted, is_used, then, factor) in lives {
        let (mut world, subscription) = april(fresh, with(0, SEAT)).await;
        count(&world, 12).await;
        let change = PlanChange { plan: "basic".to_owned(), at: CancelAt::Now, proration: Proration::None };
        world.go("2026-04-11T00:00:00Z").publish(without()).await;
        world.change_plan(&subscription.id, &change, false).await.unwrap();
        if is_used {
            assert_eq!(statuses(&world.report("ada", &[("one", "a", "7")]).await), ["accepted"]);
        }
        world.go("2026-04-16T00:00:00Z");
        if let Some(number) = counted {
            count(&world, number).await;
        }
        let usage = if is_used { 700 } else { 0 };
        assert_eq!(cents(world.go("2026-04-21T00:00:00Z")).await, 3_500 + usage, "ten days of twelve");
        world.publish(with(2, factor * SEAT)).await;
        world.change_plan(&subscription.id, &change, false).await.unwrap();
        assert_eq!(cents(&world).await, 3_500 + usage);
        let wanted = 3_500 + usage + i128::from(factor) * then * 875 / 3;
        world.go("2026-05-01T00:00:00Z");
        assert_eq!(invoiced(&world).await, [wanted], "{counted:?} {is_used} {then} {factor}");
        world.audit().await;
    }
}

/// The meter was another, or not there, for a while: what lasts begins at nothing then, also for what comes late.
async fn what_was_reported_before_a_break_is_no_level_behind_it(fresh: &impl Fresh) {
    let with = |fee: u64, how: &str| {
        let meters = [meter("a", "sum"), meter("seats", how)];
        build(&meters, &[plan("basic", fee, &[linear("seats", SEAT, 1, 0)], json!({}))])
    };
    let without = || build(&[meter("a", "sum")], &[plan("basic", 1, &[], json!({}))]);
    for (first, then, cost) in [
        (with(0, "time_weighted"), Some(without()), 3_500),
        (with(0, "sum"), None, 10_500),
        (with(0, "last"), Some(without()), 10_500),
        (with(0, "time_weighted"), Some(with(1, "sum")), 3_500),
    ] {
        let (mut world, subscription) = april(fresh, first).await;
        let change = PlanChange { plan: "basic".to_owned(), at: CancelAt::Now, proration: Proration::None };
        seats(&world, "one", "12", None).await;
        world.go("2026-04-11T00:00:00Z");
        if let Some(then) = then {
            world.publish(then).await;
            world.change_plan(&subscription.id, &change, false).await.unwrap();
        }
        world.go("2026-04-21T00:00:00Z").publish(with(2, "time_weighted")).await;
        world.change_plan(&subscription.id, &change, false).await.unwrap();
        world.go("2026-04-26T00:00:00Z");
        seats(&world, "two", "6", None).await;
        seats(&world, "three", "12", Some("2026-04-23T00:00:00Z")).await;
        assert_eq!(cents(world.go("2026-05-01T00:00:00Z")).await, 0, "nothing of May is over");
        let dry = world.dry_close().await.invoices;
        assert_eq!(dry[0].invoice.total_cents.0, cost + 1_925, "three days of twelve, and five of six");
        world.refund("ada", "three").await.unwrap();
        assert_eq!(world.dry_close().await.invoices[0].invoice.total_cents.0, cost + 875);
        world.refund("ada", "one").await.unwrap();
        assert_eq!(invoiced(&world).await, [875]);
        world.audit().await;
    }
}

async fn a_resource_that_is_priced_from_a_renewal_on_is_paid_for_from_then_on(fresh: &impl Fresh) {
    for used in [false, true] {
        let (mut world, subscription) = april(fresh, team(&[plan("basic", 0, &[], json!({}))])).await;
        count(&world, 8).await;
        if used {
            assert_eq!(statuses(&world.report("ada", &[("one", "a", "7")]).await), ["accepted"]);
        }
        world.publish(team(&[plan("basic", 0, &[linear("seats", SEAT, 1, 2)], json!({}))])).await;
        let change = PlanChange { plan: "basic".to_owned(), at: CancelAt::PeriodEnd, proration: Proration::None };
        world.change_plan(&subscription.id, &change, false).await.unwrap();
        world.go("2026-07-01T00:00:00Z");
        assert_eq!(invoiced(&world).await, [0, 6 * 875, 6 * 875]);
        world.publish(team(&[plan("basic", 1, &[], json!({}))])).await;
        world.change_plan(&subscription.id, &change, false).await.unwrap();
        world.go("2026-09-01T00:00:00Z");
        assert_eq!(invoiced(&world).await, [6 * 875, 1], "and up to a renewal");
        world.audit().await;
    }
}
