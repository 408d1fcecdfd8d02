//! Every row of the billing cases, on both stores: the number in a test's name is the row's. After them comes what the rows leave
//! out: holds, ends of buckets, spend bounds, ends of subscriptions, repeated requests, and time that passes unseen.

use crate::stores::order;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use svc_core::adjustments::Adjustment;
use svc_core::credits::CreditSource;
use svc_core::invoices::PeriodInvoice;
use svc_core::migrations::MigrationOrder;
use svc_core::subscribing::SubscriptionOrder;
use svc_core::subscriptions::CancelAt;
use svc_core::{Core, CoreError};
use svc_core::{holds::Held, metering::Estimate};
use svc_engine::manifest::ir::GrantKind;
use svc_engine::money::amount::{Cents, NANOS_PER_CENT as CENT, NANOS_PER_MICRO, Nanos};
use svc_engine::money::bill::Invoice;
use svc_engine::money::bucket::BucketState;
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::{World, at, statuses};
use svc_store::Store;
use svc_store::records::{BuildResult, HoldState, MigrationPolicy, Proration};

svc_money_tests::on_both_stores! {
    case_01_a_fee_is_charged_for_its_part_of_the_period,
    case_02_a_yearly_fee_is_prorated_before_anything_else_happened,
    case_03_an_ended_period_is_closed_once_whenever_the_job_runs,
    case_03_two_servers_close_a_period_once,
    case_04_parts_below_a_cent_are_added_up_and_then_floored,
    case_05_usage_at_a_period_boundary_is_in_the_right_period,
    case_07_each_release_has_its_own_price,
    case_08_a_version_counts_from_the_very_instant_it_is_published,
    case_09_a_month_end_comes_back_after_a_short_month,
    case_10_a_dry_run_says_what_closing_does,
    case_12_charges_that_credit_pays_leave_nothing_due,
    case_13_the_credit_that_ends_first_burns_first,
    case_14_windows_begin_and_end_within_an_hour,
    case_15_an_event_on_the_boundary_counts_once,
    case_17_overage_is_worked_out_by_the_server,
    case_17_a_preview_shows_no_price,
    case_19_amounts_are_exact,
    case_21_an_event_that_is_delivered_four_times_counts_once,
    case_23_a_refunded_item_is_charged_again,
    case_24_what_is_no_balanced_posting_is_refused_and_changes_nothing,
    case_27_a_pack_gives_its_credit_and_costs_its_price,
    case_28_a_short_month_has_its_own_length,
    case_28_a_move_charges_three_of_29_days,
    case_29_money_in_json_is_a_string,
    three_thirds_of_a_micro_are_a_thousand_nanos,
    seven_times_seven_tenths_of_a_nano_are_four,
    a_hold_sets_aside_what_its_route_is_expected_to_cost_and_the_item_settles_it,
    a_hold_takes_no_more_than_the_buckets_have_and_can_be_released,
    a_hold_goes_back_when_its_time_is_over,
    a_hold_survives_the_end_of_its_bucket,
    a_hold_survives_the_revocation_of_its_bucket,
    expiry_takes_only_what_is_left,
    a_revoked_bucket_pays_no_more,
    a_spend_cap_that_blocks_refuses_an_item_whole,
    a_spend_cap_that_bills_stops_at_the_cap,
    block_without_a_most_admits_what_is_paid_for,
    what_holds_may_come_to_owe_is_nobody_elses,
    a_true_up_brings_a_period_to_its_least,
    the_least_of_a_year_is_that_of_twelve_months,
    a_subscription_that_ends_with_its_period_is_served_until_then,
    a_subject_may_subscribe_anew_at_the_instant_of_the_end,
    a_credit_under_a_key_is_given_once,
    an_adjustment_under_a_key_is_made_once,
    when_something_happened_does_not_choose_its_window,
    recurring_credit_is_refreshed_and_not_carried_over,
    an_idle_gap_of_three_periods_is_settled_at_once,
}

const START: &str = "2026-01-01T00:00:00Z";
/// A price of one cent a unit, in micros.
pub(crate) const CENT_A_TOKEN: u64 = 10_000;

/// A product of one meter, `tokens`, and one plan, `basic`: its fee in cents, a token's price in micros.
fn product(fee: u64, micros: u64, more: Json) -> BuildResult {
    build(&[meter("tokens", "sum")], &[plan("basic", fee, &[linear("tokens", micros, 1, 0)], more)])
}

/// Period, fee, usage, true-up and total of each invoice, in cents.
pub(crate) fn cents(invoices: &[PeriodInvoice]) -> Vec<(u32, u64, i128, i128, i128)> {
    let line = |closed: &PeriodInvoice| {
        let invoice = &closed.invoice;
        let (fee, true_up) = (invoice.recurring_fee_cents.get(), invoice.true_up_cents.0);
        (closed.period, fee, invoice.usage_cents.0, true_up, invoice.total_cents.0)
    };
    invoices.iter().map(line).collect()
}

/// Period and rated nanodollars of each invoice.
fn rated(invoices: &[PeriodInvoice]) -> Vec<(u32, i128)> {
    invoices.iter().map(|closed| (closed.period, closed.invoice.totals.rated_nanos.get())).collect()
}

/// Everything of each invoice but whose it is.
fn bills(invoices: &[PeriodInvoice]) -> Vec<(u32, Timestamp, Timestamp, Invoice)> {
    let line = |closed: &PeriodInvoice| (closed.period, closed.period_start, closed.period_end, closed.invoice.clone());
    invoices.iter().map(line).collect()
}

/// Invoices as a dry run has them: without ids.
fn unnamed(invoices: Vec<PeriodInvoice>) -> Vec<PeriodInvoice> {
    invoices.into_iter().map(|closed| PeriodInvoice { invoice_id: None, number: None, ..closed }).collect()
}

/// Start, end and rated nanodollars of each window of a preview.
fn windows(preview: &Json) -> Vec<(&str, &str, &str)> {
    let shown = preview["windows"].as_array().unwrap().iter();
    shown
        .map(|window| {
            let (start, end) = (window["windowStart"].as_str().unwrap(), window["windowEnd"].as_str().unwrap());
            (start, end, window["ratedNanos"].as_str().unwrap())
        })
        .collect()
}

/// The subject's buckets, oldest first: kind, state, and how many cents are left, held and consumed.
pub(crate) async fn buckets<S: Store>(world: &World<S>, subject: &str) -> Vec<String> {
    let preview = world.preview(subject).await;
    let whole_cents = |allowance: &Json, name: &str| {
        let nanos: i128 = allowance[name].as_str().unwrap().parse().unwrap();
        assert_eq!(nanos % CENT, 0, "{name} of {allowance}");
        nanos / CENT
    };
    let shown = |allowance: &Json| {
        let (kind, state) = (allowance["kind"].as_str().unwrap(), allowance["state"].as_str().unwrap());
        let left = whole_cents(allowance, "remainingNanos");
        let held = whole_cents(allowance, "heldNanos");
        let consumed = whole_cents(allowance, "consumedNanos");
        format!("{kind} {state}: {left} left, {held} held, {consumed} consumed")
    };
    preview["allowances"].as_array().unwrap().iter().map(shown).collect()
}

/// Moves the plan's subscribers, at least one.
async fn migrate<S: Store>(world: &World<S>, order: MigrationOrder) {
    let migrated = world.core.migrate(&world.business, "basic", order, false, None, world.now).await.unwrap();
    let code = if order.policy == MigrationPolicy::Immediate { "MIGRATION_APPLIED" } else { "MIGRATION_SCHEDULED" };
    assert_eq!(migrated.code, code);
}

async fn hold<S: Store>(world: &World<S>, id: &str, estimate: &Estimate, seconds: u32) -> Result<Held, CoreError> {
    world.core.hold(&world.business, "ada", id, estimate, seconds, world.now).await
}

fn tokens(units: &str) -> Estimate {
    Estimate::Meter { meter: "tokens".to_owned(), units: units.parse().unwrap() }
}

/// A measured value of ada's that is paid from a hold.
fn settling(id: &str, units: &str, hold: &str) -> Json {
    json!({ "id": id, "subject": "ada", "meter": "tokens", "units": units, "hold": hold })
}

async fn case_01_a_fee_is_charged_for_its_part_of_the_period(fresh: &impl Fresh) {
    let plans = [plan("trial", 3_000, &[], json!({ "trialDays": 15 })), plan("whole", 3_000, &[], json!({}))];
    let mut world = World::new(fresh, build(&[meter("tokens", "sum")], &plans), "2026-04-01T00:00:00Z").await;
    world.subscribe("ada", "trial").await;
    let bea = world.subscribe("bea", "whole").await;
    // 3,000 × 15 ÷ 30 for ada, whose paid time begins on 16 April; known from the first moment on. The fee is the pin, and the
    // trial's part of it is given back.
    assert_eq!(world.preview("ada").await["recurringFeeCents"], 3_000);
    assert_eq!(world.totals("ada").await.2, -1_500 * CENT);
    assert_eq!(cents(&world.dry_close().await.open), [(0, 3_000, -1_500, 0, 1_500), (0, 3_000, 0, 0, 3_000)]);
    // And for bea, who leaves on 16 April.
    world.go("2026-04-16T00:00:00Z");
    world.core.cancel(&world.business, &bea.id, CancelAt::Now, true, world.now).await.unwrap();
    let closed = world.close().await;
    assert_eq!(cents(&closed), [(0, 3_000, -1_500, 0, 1_500)]);
    assert_eq!((closed[0].subject.as_str(), closed[0].period_end), ("bea", at("2026-04-16T00:00:00Z")));
    let closed = world.go("2026-05-01T00:00:00Z").close().await;
    assert_eq!(cents(&closed), [(0, 3_000, -1_500, 0, 1_500)]);
    assert_eq!(closed[0].subject, "ada");
    assert_eq!(world.totals("ada").await.2, 0, "May has no trial");
    world.audit().await;
}

async fn case_02_a_yearly_fee_is_prorated_before_anything_else_happened(fresh: &impl Fresh) {
    // The trial's 273 days end on 1 October; 92 of 365 are paid: 36,500 × 92 ÷ 365.
    let yearly = plan("basic", 36_500, &[], json!({ "interval": "year", "trialDays": 273 }));
    let mut world = World::new(fresh, build(&[meter("tokens", "sum")], &[yearly]), "2025-01-01T00:00:00Z").await;
    let ada = world.subscribe("ada", "basic").await;
    assert_eq!(ada.trial_ends_at, Some(at("2025-10-01T00:00:00Z")));
    let wanted = [(0, 36_500, -27_300, 0, 9_200)];
    assert_eq!(cents(&world.dry_close().await.open), wanted);
    assert_eq!(world.go("2025-11-15T00:00:00Z").totals("ada").await.2, -27_300 * CENT);
    assert_eq!(cents(&world.go("2026-01-01T00:00:00Z").close().await), wanted);
    assert_eq!(world.preview("ada").await["recurringFeeCents"], 36_500);
    world.audit().await;
}

async fn case_03_an_ended_period_is_closed_once_whenever_the_job_runs(fresh: &impl Fresh) {
    // A month of Tokyo's: its day begins at 15:00 UTC.
    let mut world = World::new(fresh, product(0, 1_000, json!({})), "2026-01-28T15:00:00Z").await;
    let ada = world.subscribe("ada", "basic").await;
    world.go("2026-02-10T00:00:00Z").report("ada", &[("a", "tokens", "5")]).await;
    let first = world.go("2026-02-28T15:30:00Z").close().await;
    assert_eq!(rated(&first), [(0, 5_000_000)]);
    assert!(world.go("2026-02-28T16:30:00Z").close().await.is_empty());
    let kept = world.core.invoices(&world.business, &ada.id, 0, 100).await.unwrap().0;
    assert_eq!(kept, [serde_json::to_value(&first[0]).unwrap()]);
    assert_eq!(
        (&kept[0]["totals"]["receivableNanos"], &kept[0]["roundingNanos"]),
        (&json!("5000000"), &json!("5000000"))
    );
    world.audit().await;
}

async fn case_03_two_servers_close_a_period_once(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(100, CENT_A_TOKEN, json!({})), START).await;
    let ada = world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "7")]).await;
    world.go("2026-02-01T00:00:00Z");
    let other = Core::new(fresh.open().await);
    let (one, two) = tokio::join!(
        world.core.close_invoices(&world.business, None, false, world.now),
        other.close_invoices(&world.business, None, false, world.now),
    );
    let closed = [one.unwrap().invoices, two.unwrap().invoices].concat();
    assert_eq!(cents(&closed), [(0, 100, 7, 0, 107)]);
    assert_eq!(fresh.rows("SELECT total_cents FROM invoices").await, [["107"]]);
    assert_eq!(world.core.invoices(&world.business, &ada.id, 0, 100).await.unwrap().0.len(), 1);
    let fees = "SELECT amount_nanos FROM ledger_postings WHERE cause LIKE 'recurring_fee:%' ORDER BY line";
    assert_eq!(fresh.rows(fees).await, [["1000000000"], ["-1000000000"]]);
    world.audit().await;
}

async fn case_04_parts_below_a_cent_are_added_up_and_then_floored(fresh: &impl Fresh) {
    // 66.6 cents each: 199.8 in sum. Rounded one by one they would be 198, or 201.
    let mut world = World::new(fresh, product(0, 666_000, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    for id in ["a", "b", "c"] {
        world.report("ada", &[(id, "tokens", "1")]).await;
    }
    assert_eq!(world.totals("ada").await, (1_998_000_000, 0, 1_998_000_000));
    let closed = world.go("2026-02-01T00:00:00Z").close().await;
    assert_eq!(cents(&closed), [(0, 0, 199, 0, 199)]);
    assert_eq!(closed[0].invoice.rounding_nanos.get(), 8_000_000);
    world.audit().await;
}

async fn case_05_usage_at_a_period_boundary_is_in_the_right_period(fresh: &impl Fresh) {
    // Months of Budapest's winter: they begin at 23:00 UTC of the day before.
    let mut world = World::new(fresh, product(0, 1_000, json!({})), "2024-10-31T23:00:00Z").await;
    world.subscribe("ada", "basic").await;
    world.subscribe("bea", "basic").await;
    world.go("2024-12-31T22:59:59.999999Z").report("bea", &[("last", "tokens", "3")]).await;
    world.go("2024-12-31T23:00:00Z").report("bea", &[("first", "tokens", "4")]).await;
    world.go("2024-12-31T23:30:00Z").report("ada", &[("a", "tokens", "7")]).await;
    let closed = world.go("2025-01-31T23:00:00Z").close().await;
    let (ada, bea) = closed.split_at(3);
    assert_eq!((ada[2].period_start, ada[2].period_end), (at("2024-12-31T23:00:00Z"), at("2025-01-31T23:00:00Z")));
    assert_eq!(rated(ada), [(0, 0), (1, 0), (2, 7_000_000)]);
    assert_eq!(rated(bea), [(0, 0), (1, 3_000_000), (2, 4_000_000)]);
    world.audit().await;
}

async fn case_07_each_release_has_its_own_price(fresh: &impl Fresh) {
    let (moved, end) = ("2026-01-16T00:00:00Z", "2026-02-01T00:00:00Z");
    let mut world = World::new(fresh, product(0, 2, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "60")]).await;
    world.go("2026-01-10T00:00:00Z").publish(product(0, 5, json!({}))).await;
    world.report("ada", &[("b", "tokens", "40")]).await;
    assert_eq!(world.totals("ada").await.0, 200_000, "publishing alone changes nobody's price");
    world.go(moved);
    migrate(&world, order(1, MigrationPolicy::Immediate, Proration::None)).await;
    world.report("ada", &[("c", "tokens", "100")]).await;
    assert_eq!(windows(&world.preview("ada").await), [(START, moved, "200000"), (moved, end, "500000")]);
    assert_eq!(world.totals("ada").await, (700_000, 0, 700_000));
    let closed = world.go(end).close().await;
    assert_eq!(rated(&closed), [(0, 700_000)]);
    let by_window: Vec<i128> = closed[0].windows.iter().map(|window| window.rated_nanos.get()).collect();
    assert_eq!(by_window, [200_000, 500_000]);
    world.audit().await;
}

async fn case_08_a_version_counts_from_the_very_instant_it_is_published(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(699, 1, json!({})), "2026-01-15T00:00:00Z").await;
    world.subscribe("old", "basic").await;
    world.go("2026-02-01T00:00:00Z").publish(product(1_050, 1, json!({}))).await;
    world.go("2026-03-01T00:00:00Z").publish(product(1_250, 1, json!({}))).await;
    let new = world.subscribe("new", "basic").await;
    assert_eq!((new.started_at, new.plan_version, new.recurring_fee_cents.get()), (world.now, 3, 1_250));
    assert_eq!(world.preview("new").await["recurringFeeCents"], 1_250);
    assert_eq!(world.preview("old").await["recurringFeeCents"], 699);
    let closed = world.go("2026-04-15T00:00:00Z").close().await;
    let fees: Vec<(&str, u64)> =
        closed.iter().map(|closed| (closed.subject.as_str(), closed.invoice.recurring_fee_cents.get())).collect();
    assert_eq!(fees, [("old", 699), ("old", 699), ("old", 699), ("new", 1_250)]);
    assert_eq!(world.preview("old").await["recurringFeeCents"], 699);
    world.audit().await;
}

async fn case_09_a_month_end_comes_back_after_a_short_month(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(1_000, 1_000, json!({})), "2026-03-31T00:00:00Z").await;
    world.subscribe("ada", "basic").await;
    let window = |preview: Json| preview["windows"][0]["windowEnd"].clone();
    world.report("ada", &[("a", "tokens", "1")]).await;
    assert_eq!(window(world.preview("ada").await), "2026-04-30T00:00:00Z");
    world.go("2026-04-30T00:00:00Z").report("ada", &[("b", "tokens", "1")]).await;
    assert_eq!(window(world.preview("ada").await), "2026-05-31T00:00:00Z");
    let dry = world.go("2026-06-30T00:00:00Z").dry_close().await.invoices;
    let bounds: Vec<(Timestamp, Timestamp)> =
        dry.iter().map(|closed| (closed.period_start, closed.period_end)).collect();
    let days = ["2026-03-31T00:00:00Z", "2026-04-30T00:00:00Z", "2026-05-31T00:00:00Z", "2026-06-30T00:00:00Z"].map(at);
    assert_eq!(bounds, [(days[0], days[1]), (days[1], days[2]), (days[2], days[3])]);
    assert_eq!(rated(&dry), [(0, 1_000_000), (1, 1_000_000), (2, 0)]);
    assert_eq!(unnamed(world.close().await), dry);
    world.audit().await;
}

async fn case_10_a_dry_run_says_what_closing_does(fresh: &impl Fresh) {
    let mut late = World::new(fresh, product(1_000, 1_000, json!({})), START).await;
    let mut early = World::new(fresh, product(1_000, 1_000, json!({})), START).await;
    late.subscribe("ada", "basic").await;
    early.subscribe("ada", "basic").await;
    let month = |period: u32| (period, 1_000_u64, 0_i128, 0_i128, 1_000_i128);
    // One business closes its first period in time; the other none.
    assert_eq!(cents(&early.go("2026-02-01T00:00:00Z").close().await), [month(0)]);
    late.go("2026-04-01T00:00:00Z").report("ada", &[("a", "tokens", "3")]).await;
    let dry = late.dry_close().await;
    assert_eq!(cents(&dry.invoices), [month(0), month(1), month(2)]);
    assert_eq!(dry.invoices.iter().map(|closed| closed.invoice.total_cents.0).sum::<i128>(), 3_000);
    assert_eq!(late.dry_close().await, dry, "a dry run changes nothing");
    // What is still open comes to what the preview says.
    let preview = late.preview("ada").await;
    assert_eq!(serde_json::to_value(&dry.open[0].invoice.totals).unwrap(), preview["totals"]);
    assert_eq!(json!(dry.open[0].invoice.recurring_fee_cents), preview["recurringFeeCents"]);
    assert_eq!(unnamed(late.close().await), dry.invoices);
    // What was closed before makes no difference to the rest.
    let rest = early.go("2026-04-01T00:00:00Z").dry_close().await.invoices;
    assert_eq!(bills(&rest), bills(&dry.invoices)[1..]);
    assert_eq!(unnamed(early.close().await), rest);
    assert!(late.close().await.is_empty() && early.close().await.is_empty());
    late.audit().await;
    early.audit().await;
}

async fn case_12_charges_that_credit_pays_leave_nothing_due(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(1_000, 6_000, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.give("ada", 2, "promo", None).await;
    world.report("ada", &[("a", "tokens", "1"), ("b", "tokens", "1")]).await;
    assert_eq!(world.totals("ada").await, (12_000_000, 12_000_000, 0));
    let closed = world.go("2026-02-01T00:00:00Z").close().await;
    assert_eq!(cents(&closed), [(0, 1_000, 0, 0, 1_000)]);
    assert_eq!(closed[0].invoice.rounding_nanos, Nanos::ZERO);
    world.audit().await;
}

async fn case_13_the_credit_that_ends_first_burns_first(fresh: &impl Fresh) {
    let world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), "2026-08-01T00:00:00Z").await;
    world.subscribe("ada", "basic").await;
    // B is older and of a kind that comes first; A ends first.
    world.give("ada", 100, "included", Some(60)).await;
    world.give("ada", 100, "prepaid", Some(30)).await;
    world.report("ada", &[("a", "tokens", "60")]).await;
    let preview = world.preview("ada").await;
    let left = |ends: &str| {
        let found = preview["allowances"].as_array().unwrap().iter().find(|allowance| allowance["expiresAt"] == ends);
        found.unwrap()["remainingNanos"].clone()
    };
    let (a, b) = (left("2026-08-31T00:00:00Z"), left("2026-09-30T00:00:00Z"));
    assert_eq!((a, b), (json!("400000000"), json!("1000000000")));
    assert_eq!(world.totals("ada").await, (60 * CENT, 60 * CENT, 0));
    world.audit().await;
}

async fn case_14_windows_begin_and_end_within_an_hour(fresh: &impl Fresh) {
    let (start, first, second) = ("2026-01-05T10:00:00Z", "2026-01-05T10:30:00Z", "2026-01-05T12:00:00Z");
    let mut world = World::new(fresh, product(0, 1, json!({})), start).await;
    world.subscribe("ada", "basic").await;
    world.publish(product(0, 2, json!({}))).await;
    world.go("2026-01-05T10:29:59.999999Z").report("ada", &[("a", "tokens", "2")]).await;
    world.go(first);
    migrate(&world, order(1, MigrationPolicy::Immediate, Proration::None)).await;
    world.go("2026-01-05T10:45:00Z").report("ada", &[("b", "tokens", "3")]).await;
    world.go("2026-01-05T11:15:00Z").report("ada", &[("c", "tokens", "4")]).await;
    world.publish(product(0, 3, json!({}))).await;
    world.go(second);
    migrate(&world, order(2, MigrationPolicy::Immediate, Proration::None)).await;
    world.report("ada", &[("d", "tokens", "1")]).await;
    let preview = world.preview("ada").await;
    let wanted = [(start, first, "2000"), (first, second, "14000"), (second, "2026-02-05T10:00:00Z", "3000")];
    assert_eq!(windows(&preview), wanted);
    assert_eq!(preview["windows"][1]["chargeCount"], 2);
    world.audit().await;
}

async fn case_15_an_event_on_the_boundary_counts_once(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, 1_000, json!({})), "2026-02-01T00:00:00Z").await;
    world.subscribe("ada", "basic").await;
    world.go("2026-03-01T00:00:00Z").report("ada", &[("a", "tokens", "5")]).await;
    let february = world.close().await;
    assert_eq!(rated(&february), [(0, 0)]);
    assert_eq!(world.totals("ada").await, (5_000_000, 0, 5_000_000));
    let march = world.go("2026-04-01T00:00:00Z").close().await;
    assert_eq!(rated(&march), [(1, 5_000_000)]);
    world.audit().await;
}

async fn case_17_overage_is_worked_out_by_the_server(fresh: &impl Fresh) {
    let tiers = json!([{ "upTo": 1_000, "micros": 0, "per": 1 }, { "upTo": null, "micros": 5_000_000, "per": 100 }]);
    let graduated = json!({ "meter": "tokens", "kind": "graduated", "tiers": tiers });
    let plans = [
        plan("line", 0, &[linear("tokens", 5_000_000, 100, 1_000)], json!({})),
        plan("tier", 0, &[graduated], json!({})),
    ];
    let mut world = World::new(fresh, build(&[meter("tokens", "sum")], &plans), START).await;
    for (subject, plan) in [("ada", "line"), ("bea", "tier")] {
        world.subscribe(subject, plan).await;
        world.report(subject, &[("a", "tokens", "1000")]).await;
        assert_eq!(world.totals(subject).await.0, 0, "{plan}");
        world.report(subject, &[("b", "tokens", "250")]).await;
        // Part of a hundred is paid in part: 250 at 500 cents a hundred.
        assert_eq!(world.totals(subject).await, (1_250 * CENT, 0, 1_250 * CENT), "{plan}");
    }
    let closed = world.go("2026-02-01T00:00:00Z").close().await;
    assert_eq!(cents(&closed), [(0, 0, 1_250, 0, 1_250), (0, 0, 1_250, 0, 1_250)]);
    world.audit().await;
}

/// Every key anywhere in a value.
fn keys(json: &Json, into: &mut BTreeSet<String>) {
    match json {
        Json::Object(object) => object.iter().for_each(|(key, value)| {
            into.insert(key.clone());
            keys(value, into);
        }),
        Json::Array(items) => items.iter().for_each(|item| keys(item, into)),
        _ => {}
    }
}

/// The words of a key in camel case, in lower case.
fn words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in key.chars() {
        if letter.is_uppercase() {
            words.push(String::new());
        }
        words.last_mut().unwrap().extend(letter.to_lowercase());
    }
    words
}

async fn case_17_a_preview_shows_no_price(fresh: &impl Fresh) {
    let grants = json!({ "grants": [credit("included", 500, true)] });
    let basic = plan("basic", 1_900, &[linear("tokens", 5_000_000, 100, 1_000)], grants);
    let world = World::new(fresh, build(&[meter("tokens", "sum")], &[basic]), START).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "1250")]).await;
    let preview = world.preview("ada").await;
    assert_eq!(preview["disclosure"], "transparent");
    assert!(preview["windows"][0].is_object() && preview["allowances"][0].is_object());
    let mut shown = BTreeSet::new();
    keys(&preview, &mut shown);
    let pricing = ["micros", "rate", "rates", "price", "prices", "per", "tier", "tiers", "included", "units", "meter"];
    for key in &shown {
        assert!(!words(key).iter().any(|word| pricing.contains(&word.as_str())), "the preview shows {key}");
    }
    assert!(shown.contains("ratedNanos") && shown.contains("remainingNanos"), "{shown:?}");
    world.audit().await;
}

async fn case_19_amounts_are_exact(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, 2_110_000, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "950")]).await;
    // 950 × 2.11 dollars are 2,004.50.
    assert_eq!(world.preview("ada").await["totals"]["ratedNanos"], "2004500000000");
    let micros = Cents::try_from(418_u64).unwrap().nanos().get() / NANOS_PER_MICRO;
    assert_eq!(micros, 4_180_000);
    world.correct("ada", micros * NANOS_PER_MICRO).await;
    world.give("ada", 418, "promo", None).await;
    let preview = world.preview("ada").await;
    assert_eq!(
        preview["totals"],
        json!({ "ratedNanos": "2004500000000", "fundedNanos": "0", "receivableNanos": "2008680000000" })
    );
    assert_eq!(preview["allowances"][0]["remainingNanos"], "4180000000");
    let closed = world.go("2026-02-01T00:00:00Z").close().await;
    assert_eq!(cents(&closed), [(0, 0, 200_868, 0, 200_868)]);
    assert_eq!(closed[0].invoice.rounding_nanos, Nanos::ZERO);
    world.audit().await;
}

async fn case_21_an_event_that_is_delivered_four_times_counts_once(fresh: &impl Fresh) {
    let world = World::new(fresh, product(0, 5_000, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    let item = || json!({ "id": "same", "subject": "ada", "meter": "tokens", "units": 3 });
    // Twice at once, to two servers; then twice in one batch.
    let other = Core::new(fresh.open().await);
    let (one, two) = tokio::join!(
        world.core.report_usage(&world.business, vec![item()], world.now),
        other.report_usage(&world.business, vec![item()], world.now),
    );
    let results = [one.unwrap(), two.unwrap()].concat();
    let mut seen = statuses(&results);
    seen.sort_unstable();
    assert_eq!(seen, ["accepted", "duplicate"]);
    assert_eq!(statuses(&world.send(vec![item(), item()]).await), ["duplicate", "duplicate"]);
    let preview = world.preview("ada").await;
    assert_eq!(preview["windows"][0]["chargeCount"], 1);
    assert_eq!(preview["totals"]["receivableNanos"], "15000000");
    assert_eq!(world.audit().await.charges, 1);
}

async fn case_23_a_refunded_item_is_charged_again(fresh: &impl Fresh) {
    let world = World::new(fresh, product(0, 1, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    let key = [("K", "tokens", "10")];
    assert_eq!(statuses(&world.report("ada", &key).await), ["accepted"]);
    assert_eq!(world.totals("ada").await.2, 10_000);
    assert_eq!(world.refund("ada", "K").await.unwrap().receivable_nanos.get(), -10_000);
    assert_eq!(world.totals("ada").await.2, 0);
    assert_eq!(statuses(&world.report("ada", &key).await), ["accepted"], "the refund took the admission back");
    assert_eq!(world.totals("ada").await.2, 10_000);
    assert_eq!(statuses(&world.report("ada", &key).await), ["duplicate"]);
    assert_eq!(statuses(&world.report("ada", &[("K", "tokens", "11")]).await), ["ITEM_CONFLICT"]);
    assert_eq!(world.totals("ada").await.2, 10_000);
    world.audit().await;
}

async fn case_24_what_is_no_balanced_posting_is_refused_and_changes_nothing(fresh: &impl Fresh) {
    assert!(serde_json::from_value::<Nanos>(json!("10.85")).is_err());
    assert!(serde_json::from_value::<Nanos>(json!(10.85)).is_err());
    assert!(serde_json::from_value::<Nanos>(json!(10)).is_err(), "money in JSON is a string");
    assert!(serde_json::from_value::<Cents>(json!(10.85)).is_err());
    let world = World::new(fresh, product(0, 1_000, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "20")]).await;
    let sums = "SELECT COUNT(*), COUNT(DISTINCT transaction_id), MAX(amount_nanos) FROM ledger_postings";
    let before = (world.totals("ada").await, fresh.rows(sums).await);
    let transaction = |id: &str, amounts: &[&str]| {
        let postings: Vec<Json> = amounts.iter().map(|amount| json!(["receivable", amount, "charge:x"])).collect();
        format!(
            "INSERT INTO ledger_transactions (business_id, id, subscription_id, period, at, postings)
             SELECT business_id, '{id}', subscription_id, period, at, '{}' FROM ledger_transactions LIMIT 1",
            json!(postings)
        )
    };
    let sealed = fresh.rows("SELECT MIN(id) FROM ledger_transactions").await[0][0].clone();
    let more = "UPDATE ledger_transactions SET postings = '[]'".to_owned();
    for (what, sql, wanted) in [
        ("a fraction", transaction("t1", &["10.85", "-10.85"]), "sum_to_zero"),
        ("an exponent", transaction("t2", &["1085e-2", "-1085e-2"]), "sum_to_zero"),
        ("no number", transaction("t3", &["", "-"]), "sum_to_zero"),
        ("unbalanced", transaction("t4", &["10", "-9"]), "sum_to_zero"),
        ("half of it", transaction("t5", &["10"]), "sum_to_zero"),
        ("nothing", transaction("t6", &[]), "sum_to_zero"),
        ("the same again", transaction(&sealed, &["10", "-10"]), "constraint"),
        ("a line more", more, "append-only"),
        ("an update", "UPDATE ledger_transactions SET period = 7".to_owned(), "append-only"),
        ("a deletion", "DELETE FROM ledger_transactions".to_owned(), "append-only"),
    ] {
        if wanted == "append-only" && !fresh.has_triggers() {
            continue;
        }
        let refused = fresh.alter(&sql).await.expect_err(what);
        assert!(refused.contains(wanted), "{what}: {refused}");
        assert_eq!((world.totals("ada").await, fresh.rows(sums).await), before, "{what}");
    }
    world.audit().await;
}

async fn case_27_a_pack_gives_its_credit_and_costs_its_price(fresh: &impl Fresh) {
    let pack = json!({ "type": "topUp", "sku": "pack", "label": "Pack", "priceCents": 1_200, "creditCents": 1_000 });
    let product = product(0, CENT_A_TOKEN, json!({ "grants": [pack] }));
    let mut world = World::new(fresh, product, START).await;
    world.subscribe("ada", "basic").await;
    assert!(buckets(&world, "ada").await.is_empty(), "a pack is bought, not given");
    let source = CreditSource::TopUp { sku: "pack".to_owned(), amount_cents: None };
    let bought = world.core.give_credit(&world.business, "ada", &source, None, world.now).await.unwrap();
    assert_eq!(
        (bought.kind, bought.remaining_nanos.get(), bought.expires_at),
        (GrantKind::Prepaid, 1_000 * CENT, None)
    );
    assert_eq!(world.totals("ada").await, (0, 0, 1_200 * CENT));
    world.report("ada", &[("a", "tokens", "600")]).await;
    assert_eq!(world.totals("ada").await, (600 * CENT, 600 * CENT, 1_200 * CENT));
    assert_eq!(buckets(&world, "ada").await, ["prepaid AVAILABLE: 400 left, 0 held, 600 consumed"]);
    assert_eq!(cents(&world.go("2026-02-01T00:00:00Z").close().await), [(0, 0, 1_200, 0, 1_200)]);
    assert_eq!(world.totals("ada").await, (0, 0, 0));
    assert_eq!(buckets(&world, "ada").await, ["prepaid AVAILABLE: 400 left, 0 held, 600 consumed"]);
    world.audit().await;
}

async fn case_28_a_short_month_has_its_own_length(fresh: &impl Fresh) {
    // The last three days of February 2020, which has 29.
    assert_eq!(Nanos::new(9_000_000_000).share(3, 29).unwrap().get(), 931_034_482);
    let plans = [plan("trial", 900, &[], json!({ "trialDays": 26 })), plan("whole", 900, &[], json!({}))];
    let mut world = World::new(fresh, build(&[meter("tokens", "sum")], &plans), "2020-02-01T00:00:00Z").await;
    world.subscribe("ada", "trial").await;
    let bea = world.subscribe("bea", "whole").await;
    // 93.10… cents for the three days that are paid, and 837.93… for the 27 that are used.
    assert_eq!(world.totals("ada").await.2, -8_068_965_518);
    world.go("2020-02-28T00:00:00Z");
    world.core.cancel(&world.business, &bea.id, CancelAt::Now, true, world.now).await.unwrap();
    let closed = world.go("2020-03-01T00:00:00Z").close().await;
    assert_eq!(cents(&closed), [(0, 900, -807, 0, 93), (0, 900, -63, 0, 837)]);
    world.audit().await;
}

async fn case_28_a_move_charges_three_of_29_days(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, 1_000, json!({})), "2020-02-01T00:00:00Z").await;
    world.subscribe("ada", "basic").await;
    world.publish(product(900, 1_000, json!({}))).await;
    world.go("2020-02-27T00:00:00Z");
    migrate(&world, order(1, MigrationPolicy::Immediate, Proration::Prorate)).await;
    let fee = world.preview("ada").await["recurringFeeCents"].clone();
    let (_, _, receivable) = world.totals("ada").await;
    assert_eq!((fee, receivable), (json!(0), 931_034_482), "9.00 dollars for 27 to 29 February, rounded down");
    let closed = world.go("2020-03-01T00:00:00Z").close().await;
    assert_eq!(cents(&closed), [(0, 0, 93, 0, 93)]);
    assert_eq!(closed[0].invoice.rounding_nanos.get(), 1_034_482);
    world.audit().await;
}

async fn case_29_money_in_json_is_a_string(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, 1, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "9007199254740.993")]).await;
    let preview = world.preview("ada").await;
    for amount in
        [&preview["windows"][0]["ratedNanos"], &preview["totals"]["ratedNanos"], &preview["totals"]["receivableNanos"]]
    {
        assert_eq!(*amount, json!("9007199254740993"));
    }
    assert!(preview.to_string().contains(r#""receivableNanos":"9007199254740993""#), "{preview}");
    let closed = world.go("2026-02-01T00:00:00Z").close().await;
    let sent = serde_json::to_value(&closed[0]).unwrap();
    assert_eq!(sent["totals"]["receivableNanos"], "9007199254740993");
    assert_eq!((&sent["totalCents"], &sent["roundingNanos"]), (&json!(900_719_925), &json!("4740993")));
    world.audit().await;
}

async fn three_thirds_of_a_micro_are_a_thousand_nanos(fresh: &impl Fresh) {
    let basic = plan("basic", 0, &[linear("tokens", 1, 3, 0)], json!({}));
    let world = World::new(fresh, build(&[meter("tokens", "sum")], &[basic]), START).await;
    world.subscribe("ada", "basic").await;
    for (id, sum) in [("a", 333), ("b", 666), ("c", 1_000)] {
        world.report("ada", &[(id, "tokens", "1")]).await;
        assert_eq!(world.totals("ada").await, (sum, 0, sum), "{id}");
    }
    let charges = "SELECT charge_nanos, remainder_nanos FROM charges ORDER BY position";
    assert_eq!(fresh.rows(charges).await, [["333", "0"], ["333", "0"], ["333", "1"]]);
    let remainders = "SELECT account, amount_nanos FROM ledger_postings WHERE cause LIKE 'window_remainder:%'";
    assert_eq!(fresh.rows(remainders).await, [["revenue", "-1"]]);
    world.audit().await;
}

async fn seven_times_seven_tenths_of_a_nano_are_four(fresh: &impl Fresh) {
    let basic = plan("basic", 0, &[linear("tokens", 7, 10_000, 0)], json!({}));
    let world = World::new(fresh, build(&[meter("tokens", "sum")], &[basic]), START).await;
    world.subscribe("ada", "basic").await;
    for (id, sum) in [("a", 0), ("b", 1), ("c", 2), ("d", 2), ("e", 3), ("f", 4), ("g", 4)] {
        world.report("ada", &[(id, "tokens", "1")]).await;
        assert_eq!(world.totals("ada").await, (sum, 0, sum), "{id}");
    }
    assert_eq!(world.preview("ada").await["windows"][0]["chargeCount"], 7);
    world.audit().await;
}

async fn a_hold_sets_aside_what_its_route_is_expected_to_cost_and_the_item_settles_it(fresh: &impl Fresh) {
    let world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.give("ada", 100, "promo", None).await;
    let route = |route: &str| Estimate::Route { route: route.to_owned() };
    // The route's estimate is ten tokens.
    let held = hold(&world, "h", &route("POST /v1/report"), 900).await.unwrap();
    let wanted = (HoldState::Open, 10 * CENT, at("2026-01-01T00:15:00Z"));
    assert_eq!((held.state, held.held_nanos.get(), held.expires_at), wanted);
    assert_eq!(hold(&world, "h", &route("POST /v1/report"), 900).await.unwrap(), held, "the same id is the same hold");
    let another = hold(&world, "h", &tokens("1"), 900).await.unwrap_err();
    assert!(matches!(another, CoreError::Conflict { code: "HOLD_CONFLICT", .. }), "{another:?}");
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 90 left, 10 held, 0 consumed"]);
    assert_eq!(world.totals("ada").await, (0, 0, 0));
    // A route's fixed costs are expected too.
    let small = hold(&world, "small", &route("POST /v1/use"), 900).await.unwrap();
    assert_eq!(small.held_nanos.get(), CENT);
    world.core.release_hold(&world.business, "ada", "small", world.now).await.unwrap();
    // What is held is not there for others.
    world.report("ada", &[("other", "tokens", "95")]).await;
    assert_eq!(world.totals("ada").await, (95 * CENT, 90 * CENT, 5 * CENT));
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 0 left, 10 held, 90 consumed"]);
    // The item uses four of ten, and the rest goes back.
    let served = |id: &str| json!({ "id": id, "subject": "ada", "route": "POST /v1/report", "status": 200, "reports": { "tokens": 4 }, "hold": "h" });
    assert_eq!(
        statuses(&world.send(vec![served("a"), served("a"), served("b")]).await),
        ["accepted", "duplicate", "HOLD_NOT_OPEN",]
    );
    assert_eq!(world.totals("ada").await, (99 * CENT, 94 * CENT, 5 * CENT));
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 6 left, 0 held, 94 consumed"]);
    let settled = world.core.release_hold(&world.business, "ada", "h", world.now).await.unwrap();
    assert_eq!(settled.state, HoldState::Settled, "a release comes too late and changes nothing");
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 6 left, 0 held, 94 consumed"]);
    world.audit().await;
}

async fn a_hold_takes_no_more_than_the_buckets_have_and_can_be_released(fresh: &impl Fresh) {
    let world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.give("ada", 5, "promo", None).await;
    let held = hold(&world, "h", &tokens("8"), 900).await.unwrap();
    assert_eq!(held.held_nanos.get(), 5 * CENT);
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 0 left, 5 held, 0 consumed"]);
    for _ in 0..2 {
        let released = world.core.release_hold(&world.business, "ada", "h", world.now).await.unwrap();
        assert_eq!(released.state, HoldState::Released);
        assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 5 left, 0 held, 0 consumed"]);
    }
    assert_eq!(statuses(&world.send(vec![settling("a", "1", "h")]).await), ["HOLD_NOT_OPEN"]);
    let none = world.core.release_hold(&world.business, "ada", "none", world.now).await;
    assert!(matches!(none, Err(CoreError::NotFound(_))), "{none:?}");
    assert_eq!(world.totals("ada").await, (0, 0, 0));
    world.audit().await;
}

async fn a_hold_goes_back_when_its_time_is_over(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.give("ada", 5, "promo", None).await;
    hold(&world, "h", &tokens("3"), 60).await.unwrap();
    world.go("2026-01-01T00:00:59.999999Z");
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 2 left, 3 held, 0 consumed"]);
    world.go("2026-01-01T00:01:00Z");
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 5 left, 0 held, 0 consumed"]);
    assert_eq!(statuses(&world.send(vec![settling("a", "1", "h")]).await), ["HOLD_NOT_OPEN"]);
    let over = world.core.release_hold(&world.business, "ada", "h", world.now).await.unwrap();
    assert_eq!(over.state, HoldState::Released);
    // The refused item left nothing behind: it may come without its hold.
    assert_eq!(statuses(&world.report("ada", &[("a", "tokens", "1")]).await), ["accepted"]);
    assert_eq!(world.totals("ada").await, (CENT, CENT, 0));
    world.audit().await;
}

async fn a_hold_survives_the_end_of_its_bucket(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.give("ada", 5, "promo", Some(1)).await;
    world.go("2026-01-01T23:59:00Z");
    hold(&world, "h", &tokens("3"), 900).await.unwrap();
    world.go("2026-01-02T00:05:00Z");
    assert_eq!(buckets(&world, "ada").await, ["promo EXPIRED: 0 left, 3 held, 0 consumed"]);
    assert_eq!(statuses(&world.send(vec![settling("a", "2", "h")]).await), ["accepted"]);
    assert_eq!(world.totals("ada").await, (2 * CENT, 2 * CENT, 0));
    assert_eq!(buckets(&world, "ada").await, ["promo EXPIRED: 0 left, 0 held, 2 consumed"]);
    // Two cents went when the bucket ended, and the one that the item did not use when it was let go.
    let expired =
        "SELECT amount_nanos FROM ledger_postings WHERE cause LIKE 'expiry:%' AND line = 0 ORDER BY transaction_id";
    assert_eq!(fresh.rows(expired).await, [["20000000"], ["10000000"]]);
    world.audit().await;
}

async fn a_hold_survives_the_revocation_of_its_bucket(fresh: &impl Fresh) {
    let world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    let given = world.give("ada", 5, "promo", None).await;
    hold(&world, "h", &tokens("3"), 900).await.unwrap();
    world.core.revoke_credit(&world.business, &given.bucket_id, world.now).await.unwrap();
    assert_eq!(buckets(&world, "ada").await, ["promo REVOKED: 0 left, 3 held, 0 consumed"]);
    // Four tokens: three are paid by the hold, and one is owed.
    assert_eq!(statuses(&world.send(vec![settling("a", "4", "h")]).await), ["accepted"]);
    assert_eq!(world.totals("ada").await, (4 * CENT, 3 * CENT, CENT));
    assert_eq!(buckets(&world, "ada").await, ["promo REVOKED: 0 left, 0 held, 3 consumed"]);
    world.audit().await;
}

async fn expiry_takes_only_what_is_left(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.give("ada", 10, "promo", Some(10)).await;
    world.report("ada", &[("a", "tokens", "4")]).await;
    world.go("2026-01-10T23:59:59.999999Z");
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 6 left, 0 held, 4 consumed"]);
    world.go("2026-01-11T00:00:00Z");
    assert_eq!(buckets(&world, "ada").await, ["promo EXPIRED: 0 left, 0 held, 4 consumed"]);
    assert_eq!(world.totals("ada").await, (4 * CENT, 4 * CENT, 0), "what was paid stays paid");
    let expired = "SELECT amount_nanos FROM ledger_postings WHERE cause LIKE 'expiry:%' ORDER BY line";
    assert_eq!(fresh.rows(expired).await, [["60000000"], ["-60000000"]]);
    world.report("ada", &[("b", "tokens", "2")]).await;
    assert_eq!(world.totals("ada").await, (6 * CENT, 4 * CENT, 2 * CENT));
    // It happens once, whoever comes by later.
    world.go("2026-01-20T00:00:00Z").preview("ada").await;
    assert_eq!(fresh.rows(expired).await.len(), 2);
    world.audit().await;
}

async fn a_revoked_bucket_pays_no_more(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    let given = world.give("ada", 10, "promo", None).await;
    world.report("ada", &[("a", "tokens", "4")]).await;
    for _ in 0..2 {
        let revoked = world.core.revoke_credit(&world.business, &given.bucket_id, world.now).await.unwrap();
        assert_eq!((revoked.state, revoked.remaining_nanos), (BucketState::Revoked, Nanos::ZERO));
    }
    let taken = "SELECT amount_nanos FROM ledger_postings WHERE cause LIKE 'revocation:%' ORDER BY line";
    assert_eq!(fresh.rows(taken).await, [["60000000"], ["-60000000"]], "once");
    world.report("ada", &[("b", "tokens", "2")]).await;
    assert_eq!(world.totals("ada").await, (6 * CENT, 4 * CENT, 2 * CENT));
    assert_eq!(buckets(&world, "ada").await, ["promo REVOKED: 0 left, 0 held, 4 consumed"]);
    let unknown = world.core.revoke_credit(&world.business, "bkt_none", world.now).await;
    assert!(matches!(unknown, Err(CoreError::NotFound(_))), "{unknown:?}");
    assert_eq!(cents(&world.go("2026-02-01T00:00:00Z").close().await), [(0, 0, 2, 0, 2)]);
    world.audit().await;
}

async fn a_spend_cap_that_blocks_refuses_an_item_whole(fresh: &impl Fresh) {
    let prices = [linear("calls", CENT_A_TOKEN, 1, 0), linear("tokens", CENT_A_TOKEN, 1, 0)];
    let capped = plan("basic", 1_000, &prices, json!({ "maxMonthlySpendCents": 1_500, "overageBehavior": "block" }));
    let product = build(&[meter("calls", "sum"), meter("tokens", "sum")], &[capped]);
    let mut world = World::new(fresh, product, START).await;
    world.subscribe("ada", "basic").await;
    // The fee leaves 500 cents. A refusal stops none of its batch.
    let batch = [("a", "tokens", "400"), ("b", "tokens", "101"), ("c", "tokens", "50")];
    assert_eq!(statuses(&world.report("ada", &batch).await), ["accepted", "SPEND_LIMIT_REACHED", "accepted"]);
    // The ten calls would fit, the tokens beside them not.
    let both = json!({ "calls": 10, "tokens": 100 });
    let item = json!({ "id": "d", "subject": "ada", "route": "POST /v1/report", "status": 200, "reports": both });
    assert_eq!(statuses(&world.send(vec![item]).await), ["SPEND_LIMIT_REACHED"]);
    assert_eq!(world.totals("ada").await, (450 * CENT, 0, 450 * CENT));
    assert_eq!(world.preview("ada").await["windows"][0]["chargeCount"], 2);
    for (rows, count) in [("charges", "2"), ("usage_items", "2"), ("window_levels", "1"), ("ledger_transactions", "2")]
    {
        assert_eq!(fresh.rows(&format!("SELECT COUNT(*) FROM {rows}")).await, [[count]], "{rows}");
    }
    // What was refused left no mark: its id is free, and the room is there to the last nano.
    assert_eq!(statuses(&world.report("ada", &[("b", "tokens", "50")]).await), ["accepted"]);
    assert_eq!(statuses(&world.report("ada", &[("e", "tokens", "1")]).await), ["SPEND_LIMIT_REACHED"]);
    world.give("ada", 1, "promo", None).await;
    assert_eq!(statuses(&world.report("ada", &[("e", "tokens", "1")]).await), ["accepted"], "credit is not spending");
    assert_eq!(world.totals("ada").await, (501 * CENT, CENT, 500 * CENT));
    world.go("2026-02-01T00:00:00Z");
    assert_eq!(cents(&world.close().await), [(0, 1_000, 500, 0, 1_500)]);
    assert_eq!(statuses(&world.report("ada", &[("f", "tokens", "500")]).await), ["accepted"], "a new month");
    world.audit().await;
}

async fn a_spend_cap_that_bills_stops_at_the_cap(fresh: &impl Fresh) {
    let more = json!({ "maxMonthlySpendCents": 1_500, "overageBehavior": "allow_and_bill" });
    let mut world = World::new(fresh, product(1_000, CENT_A_TOKEN, more), START).await;
    world.subscribe("ada", "basic").await;
    let batch = [("a", "tokens", "400"), ("b", "tokens", "200"), ("c", "tokens", "100")];
    assert_eq!(statuses(&world.report("ada", &batch).await), ["accepted"; 3]);
    assert_eq!(world.totals("ada").await, (700 * CENT, 0, 500 * CENT));
    let waived = "SELECT amount_nanos FROM ledger_postings WHERE account = 'adjustments' AND cause LIKE 'charge:%'
                  ORDER BY transaction_id";
    assert_eq!(fresh.rows(waived).await, [["1000000000"], ["1000000000"]]);
    // Credit still pays; what it does not pay is waived.
    world.give("ada", 50, "promo", None).await;
    world.report("ada", &[("d", "tokens", "60")]).await;
    assert_eq!(world.totals("ada").await, (760 * CENT, 50 * CENT, 500 * CENT));
    world.audit().await;
    world.go("2026-02-01T00:00:00Z").report("ada", &[("e", "tokens", "300")]).await;
    assert_eq!(world.totals("ada").await, (300 * CENT, 0, 300 * CENT));
    assert_eq!(cents(&world.close().await), [(0, 1_000, 500, 0, 1_500)]);
    world.audit().await;
}

async fn block_without_a_most_admits_what_is_paid_for(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(1_000, CENT_A_TOKEN, json!({ "overageBehavior": "block" })), START).await;
    world.subscribe("ada", "basic").await;
    world.give("ada", 100, "promo", None).await;
    let batch = [("a", "tokens", "60"), ("b", "tokens", "50"), ("c", "tokens", "40"), ("d", "tokens", "1")];
    let wanted = ["accepted", "SPEND_LIMIT_REACHED", "accepted", "SPEND_LIMIT_REACHED"];
    assert_eq!(statuses(&world.report("ada", &batch).await), wanted);
    assert_eq!(world.totals("ada").await, (100 * CENT, 100 * CENT, 0));
    assert_eq!(buckets(&world, "ada").await, ["promo EXHAUSTED: 0 left, 0 held, 100 consumed"]);
    let refused = hold(&world, "h", &tokens("1"), 900).await.unwrap_err();
    assert!(matches!(refused, CoreError::Conflict { code: "SPEND_LIMIT_REACHED", .. }), "{refused:?}");
    assert_eq!(fresh.rows("SELECT COUNT(*) FROM holds").await, [["0"]]);
    world.give("ada", 1, "promo", None).await;
    assert_eq!(statuses(&world.report("ada", &[("d", "tokens", "1")]).await), ["accepted"]);
    assert_eq!(cents(&world.go("2026-02-01T00:00:00Z").close().await), [(0, 1_000, 0, 0, 1_000)]);
    world.audit().await;
}

async fn what_holds_may_come_to_owe_is_nobody_elses(fresh: &impl Fresh) {
    let plan = json!({ "overageBehavior": "block", "maxMonthlySpendCents": 1_500 });
    let world = World::new(fresh, product(1_000, CENT_A_TOKEN, plan), START).await;
    world.subscribe("ada", "basic").await;
    let refused =
        |held: Result<Held, CoreError>| matches!(held, Err(CoreError::Conflict { code: "SPEND_LIMIT_REACHED", .. }));
    assert!(hold(&world, "one", &tokens("300"), 900).await.is_ok());
    assert!(
        refused(hold(&world, "two", &tokens("201"), 900).await),
        "500 cents are left beside the fee, 300 are promised"
    );
    assert!(hold(&world, "two", &tokens("200"), 900).await.is_ok());
    assert_eq!(statuses(&world.report("ada", &[("a", "tokens", "1")]).await), ["SPEND_LIMIT_REACHED"]);
    let settled =
        |id: &str, units: u32| json!({ "id": id, "subject": "ada", "meter": "tokens", "units": units, "hold": id });
    assert_eq!(statuses(&world.send(vec![settled("one", 300), settled("two", 199)]).await), ["accepted"; 2]);
    assert_eq!(
        statuses(&world.report("ada", &[("b", "tokens", "1"), ("c", "tokens", "1")]).await),
        ["accepted", "SPEND_LIMIT_REACHED"]
    );
    assert_eq!(world.totals("ada").await, (500 * CENT, 0, 500 * CENT));
    world.audit().await;
}

async fn a_true_up_brings_a_period_to_its_least(fresh: &impl Fresh) {
    let mut world =
        World::new(fresh, product(1_000, CENT_A_TOKEN, json!({ "minMonthlySpendCents": 2_500 })), START).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "300")]).await;
    let preview = world.totals("ada").await;
    assert_eq!(preview, (300 * CENT, 0, 1_500 * CENT), "as if the month ended without more usage");
    let none = "SELECT COUNT(*) FROM ledger_postings WHERE cause LIKE 'true_up:%'";
    assert_eq!(fresh.rows(none).await, [["0"]], "it is posted at the close, not before");
    assert_eq!(cents(&world.dry_close().await.open), [(0, 1_000, 300, 1_200, 2_500)]);
    world.go("2026-02-01T00:00:00Z").report("ada", &[("b", "tokens", "5000")]).await;
    assert_eq!(cents(&world.close().await), [(0, 1_000, 300, 1_200, 2_500)]);
    let closed = world.go("2026-04-01T00:00:00Z").close().await;
    assert_eq!(cents(&closed), [(1, 1_000, 5_000, 0, 6_000), (2, 1_000, 0, 1_500, 2_500)]);
    let posted = "SELECT amount_nanos FROM ledger_postings WHERE cause LIKE 'true_up:%' AND account = 'receivable'
                  ORDER BY transaction_id";
    assert_eq!(fresh.rows(posted).await, [["12000000000"], ["15000000000"]]);
    world.audit().await;
}

async fn the_least_of_a_year_is_that_of_twelve_months(fresh: &impl Fresh) {
    let more = json!({ "interval": "year", "minMonthlySpendCents": 100 });
    let mut world = World::new(fresh, product(1_000, CENT_A_TOKEN, more), START).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "50")]).await;
    assert_eq!(cents(&world.go("2027-01-01T00:00:00Z").close().await), [(0, 1_000, 50, 150, 1_200)]);
    world.audit().await;
}

async fn a_subscription_that_ends_with_its_period_is_served_until_then(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(1_000, CENT_A_TOKEN, json!({})), START).await;
    let ada = world.subscribe("ada", "basic").await;
    world.go("2026-01-10T00:00:00Z");
    let end = at("2026-02-01T00:00:00Z");
    let ending = world.core.cancel(&world.business, &ada.id, CancelAt::PeriodEnd, false, world.now).await.unwrap();
    assert_eq!((ending.cancel_at, ending.cancelled_at), (Some(end), None));
    world.go("2026-01-31T23:59:59.999999Z");
    assert_eq!(statuses(&world.report("ada", &[("a", "tokens", "5")]).await), ["accepted"]);
    assert_eq!(world.preview("ada").await["recurringFeeCents"], 1_000);
    assert!(world.close().await.is_empty(), "it has not ended");
    world.go("2026-02-01T00:00:00Z");
    assert_eq!(statuses(&world.report("ada", &[("b", "tokens", "5")]).await), ["SUBSCRIPTION_NOT_FOUND"]);
    assert!(matches!(world.try_preview("ada").await, Err(CoreError::NotFound(_))));
    let ended = world.core.subscription(&world.business, &ada.id, world.now).await.unwrap();
    assert_eq!((ended.cancelled_at, ended.period), (Some(end), 0));
    world.go("2026-05-01T00:00:00Z");
    assert_eq!(cents(&world.close().await), [(0, 1_000, 5, 0, 1_005)]);
    assert!(world.close().await.is_empty(), "no period comes after the end");
    world.audit().await;
}

async fn a_subject_may_subscribe_anew_at_the_instant_of_the_end(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(1_000, CENT_A_TOKEN, json!({})), START).await;
    let first = world.subscribe("ada", "basic").await;
    world.give("ada", 100, "promo", None).await;
    world.report("ada", &[("a", "tokens", "30")]).await;
    world.core.cancel(&world.business, &first.id, CancelAt::PeriodEnd, false, world.now).await.unwrap();
    world.go("2026-01-31T23:59:59.999999Z");
    let early =
        world.core.subscribe(&world.business, "ada", SubscriptionOrder::of("basic"), world.now).await.unwrap_err();
    assert!(matches!(early, CoreError::Conflict { code: "ALREADY_SUBSCRIBED", .. }), "{early:?}");
    world.go("2026-02-01T00:00:00Z");
    let second = world.subscribe("ada", "basic").await;
    assert_ne!(first.id, second.id);
    assert_eq!((second.started_at, second.period), (world.now, 0));
    assert!(buckets(&world, "ada").await.is_empty(), "credit is not inherited");
    assert_eq!(world.totals("ada").await, (0, 0, 0));
    let repeated = world.report("ada", &[("a", "tokens", "30"), ("a", "tokens", "5"), ("b", "tokens", "5")]).await;
    assert_eq!(statuses(&repeated), ["duplicate", "ITEM_CONFLICT", "accepted"], "an id is its subject's, for good");
    let closed = world.go("2026-03-01T00:00:00Z").close().await;
    assert_eq!(cents(&closed), [(0, 1_000, 0, 0, 1_000), (0, 1_000, 5, 0, 1_005)]);
    assert_eq!([&closed[0].subscription_id, &closed[1].subscription_id], [&first.id, &second.id]);
    world.audit().await;
}

async fn a_credit_under_a_key_is_given_once(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    let source = |cents: u64| CreditSource::Given {
        amount_cents: Cents::try_from(cents).unwrap(),
        kind: GrantKind::Promo,
        expires_after_days: Some(20),
        meters: None,
    };
    let (hundred, fifty) = (source(100), source(50));
    let other = Core::new(fresh.open().await);
    let (one, two) = tokio::join!(
        world.core.give_credit(&world.business, "ada", &hundred, Some("key"), world.now),
        other.give_credit(&world.business, "ada", &hundred, Some("key"), world.now),
    );
    let given = one.unwrap();
    assert_eq!(given, two.unwrap());
    world.report("ada", &[("a", "tokens", "30")]).await;
    world.go("2026-01-05T00:00:00Z");
    let again = world.core.give_credit(&world.business, "ada", &hundred, Some("key"), world.now).await.unwrap();
    assert_eq!(again, given, "the answer of the first time, whatever happened since");
    let conflict = world.core.give_credit(&world.business, "ada", &fifty, Some("key"), world.now).await.unwrap_err();
    assert!(matches!(conflict, CoreError::Conflict { code: "IDEMPOTENCY_CONFLICT", .. }), "{conflict:?}");
    assert_eq!(buckets(&world, "ada").await, ["promo AVAILABLE: 70 left, 0 held, 30 consumed"]);
    let more = world.core.give_credit(&world.business, "ada", &hundred, Some("another"), world.now).await.unwrap();
    assert_ne!(more.bucket_id, given.bucket_id);
    assert_eq!(buckets(&world, "ada").await.len(), 2);
    world.audit().await;
}

async fn an_adjustment_under_a_key_is_made_once(fresh: &impl Fresh) {
    let world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), START).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "30")]).await;
    let (core, business, now) = (&world.core, &world.business, world.now);
    let correction = |nanos: i128| Adjustment::Correction { amount: Nanos::new(nanos) };
    let (five, six) = (correction(-5), correction(-6));
    let first = core.adjust(business, "ada", &five, "a gift", Some("key"), now).await.unwrap();
    assert_eq!((first.receivable_nanos.get(), first.refunded_to_buckets_nanos), (-5, Nanos::ZERO));
    assert_eq!(core.adjust(business, "ada", &five, "a gift", Some("key"), now).await.unwrap(), first);
    for (adjustment, reason) in [(&six, "a gift"), (&five, "another reason")] {
        let conflict = core.adjust(business, "ada", adjustment, reason, Some("key"), now).await.unwrap_err();
        assert!(matches!(conflict, CoreError::Conflict { code: "IDEMPOTENCY_CONFLICT", .. }), "{conflict:?}");
    }
    assert_eq!(world.totals("ada").await.2, 30 * CENT - 5);
    let refund = Adjustment::Refund { item: "a".to_owned() };
    let refunded = core.adjust(business, "ada", &refund, "a fault", Some("refund"), now).await.unwrap();
    assert_eq!(refunded.receivable_nanos.get(), -30 * CENT);
    assert_eq!(core.adjust(business, "ada", &refund, "a fault", Some("refund"), now).await.unwrap(), refunded);
    let twice = core.adjust(business, "ada", &refund, "a fault", None, now).await.unwrap_err();
    assert!(matches!(twice, CoreError::Conflict { code: "ALREADY_REFUNDED", .. }), "{twice:?}");
    assert_eq!(world.totals("ada").await, (0, 0, -5), "what is void was never used");
    world.audit().await;
}

async fn when_something_happened_does_not_choose_its_window(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(0, CENT_A_TOKEN, json!({})), "2026-02-01T00:00:00Z").await;
    world.subscribe("ada", "basic").await;
    let item = |id: &str, occurred_at: &str| json!({ "id": id, "subject": "ada", "meter": "tokens", "units": 1, "occurredAt": occurred_at });
    world.go("2026-02-10T00:00:00Z");
    let results = world
        .send(vec![
            item("epoch", "1970-01-01T00:00:00Z"),
            item("before", "2026-01-31T23:59:59.999999Z"),
            item("next month", "2026-03-05T00:00:00Z"),
            item("far", "9999-12-30T22:00:00Z"),
            item("elsewhere", "2026-02-10T01:00:00+02:00"),
            item("no moment", "yesterday"),
        ])
        .await;
    assert_eq!(statuses(&results), ["accepted", "accepted", "accepted", "accepted", "accepted", "ITEM_FORM"]);
    assert_eq!(world.totals("ada").await.0, 5 * CENT);
    // February is closed; what comes late for it is March's.
    world.go("2026-03-01T00:00:00Z");
    assert_eq!(rated(&world.close().await), [(0, 5 * CENT)]);
    assert_eq!(statuses(&world.send(vec![item("late", "2026-02-27T00:00:00Z")]).await), ["accepted"]);
    assert_eq!(world.totals("ada").await, (CENT, 0, CENT));
    assert_eq!(rated(&world.go("2026-04-01T00:00:00Z").close().await), [(1, CENT)]);
    world.audit().await;
}

async fn recurring_credit_is_refreshed_and_not_carried_over(fresh: &impl Fresh) {
    let more = json!({ "grants": [credit("included", 100, true), credit("promo", 50, false)] });
    let mut world = World::new(fresh, product(0, CENT_A_TOKEN, more), START).await;
    world.subscribe("ada", "basic").await;
    world.go("2026-01-31T23:59:59.999999Z").report("ada", &[("a", "tokens", "30")]).await;
    let promo = "promo AVAILABLE: 50 left, 0 held, 0 consumed";
    assert_eq!(buckets(&world, "ada").await, ["included AVAILABLE: 70 left, 0 held, 30 consumed", promo]);
    world.go("2026-02-01T00:00:00Z");
    assert_eq!(buckets(&world, "ada").await, [promo, "included AVAILABLE: 100 left, 0 held, 0 consumed"]);
    assert_eq!(world.preview("ada").await["allowances"][1]["expiresAt"], "2026-03-01T00:00:00Z");
    let expired =
        "SELECT amount_nanos FROM ledger_postings WHERE cause LIKE 'expiry:%' AND line = 0 ORDER BY transaction_id";
    assert_eq!(fresh.rows(expired).await, [["700000000"]]);
    world.report("ada", &[("b", "tokens", "120")]).await;
    assert_eq!(world.totals("ada").await, (120 * CENT, 120 * CENT, 0));
    let wanted = ["promo AVAILABLE: 30 left, 0 held, 20 consumed", "included EXHAUSTED: 0 left, 0 held, 100 consumed"];
    assert_eq!(buckets(&world, "ada").await, wanted);
    world.go("2026-03-01T00:00:00Z");
    let wanted = ["promo AVAILABLE: 30 left, 0 held, 20 consumed", "included AVAILABLE: 100 left, 0 held, 0 consumed"];
    assert_eq!(buckets(&world, "ada").await, wanted);
    assert_eq!(fresh.rows(expired).await.len(), 1, "an empty bucket has nothing to lose");
    assert_eq!(cents(&world.close().await), [(0, 0, 0, 0, 0), (1, 0, 0, 0, 0)]);
    world.audit().await;
}

async fn an_idle_gap_of_three_periods_is_settled_at_once(fresh: &impl Fresh) {
    let more = json!({ "grants": [credit("included", 100, true)] });
    let mut world = World::new(fresh, product(1_000, CENT_A_TOKEN, more), START).await;
    for subject in ["ada", "bea"] {
        world.subscribe(subject, "basic").await;
        world.give(subject, 40, "promo", Some(45)).await;
        world.report(subject, &[("a", "tokens", "30")]).await;
    }
    // Someone looks at bea now and then, and at ada never.
    for moment in ["2026-02-03T00:00:00Z", "2026-02-20T00:00:00Z", "2026-03-07T00:00:00Z"] {
        world.go(moment).preview("bea").await;
    }
    world.go("2026-04-10T00:00:00Z");
    for subject in ["ada", "bea"] {
        assert_eq!(statuses(&world.report(subject, &[("b", "tokens", "130")]).await), ["accepted"]);
        assert_eq!(world.totals(subject).await, (130 * CENT, 100 * CENT, 30 * CENT), "{subject}");
        assert_eq!(buckets(&world, subject).await, ["included EXHAUSTED: 0 left, 0 held, 100 consumed"]);
        let preview = world.preview(subject).await;
        let wanted = ("2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z", "1300000000");
        assert_eq!(windows(&preview), [wanted], "{subject}");
    }
    let closed = world.close().await;
    let (ada, bea) = closed.split_at(3);
    assert_eq!(cents(ada), [(0, 1_000, 0, 0, 1_000), (1, 1_000, 0, 0, 1_000), (2, 1_000, 0, 0, 1_000)]);
    assert_eq!(rated(ada), [(0, 30 * CENT), (1, 0), (2, 0)]);
    assert_eq!(bills(ada), bills(bea), "it makes no difference who came by, and when");
    // Each bucket ended in its own period: January's credit, the promotion on 15 February, February's and March's credit.
    let expired =
        "SELECT t.period, p.amount_nanos FROM ledger_postings p JOIN ledger_transactions t ON t.business_id = p.business_id AND t.id = p.transaction_id
                   WHERE p.cause LIKE 'expiry:%' AND p.line = 0 ORDER BY t.subscription_id, t.id";
    let own = [["0", "700000000"], ["1", "400000000"], ["1", "1000000000"], ["2", "1000000000"]];
    assert_eq!(fresh.rows(expired).await, [own, own].concat());
    world.audit().await;
}
