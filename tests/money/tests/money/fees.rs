//! Fees in advance, and by the year with months of usage: which document has which fee. The simulator compares the sums.

use serde_json::{Value as Json, json};
use svc_core::plan_changes::PlanChange;
use svc_core::subscribing::SubscriptionOrder;
use svc_core::subscriptions::CancelAt;
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::FreshSqlite;
use svc_money_tests::world::World;
use svc_store::records::{BuildResult, Id, Proration};
use svc_store::sqlite::Sqlite;

const START: &str = "2026-04-01T00:00:00Z";

/// Two plans at a cent a unit, billed in advance: 30 and 15 dollars.
fn product(more: Json) -> BuildResult {
    let prices = [linear("units", 10_000, 1, 0)];
    let with = |other: Json| {
        let mut all = more.clone();
        all.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        all
    };
    let advance = || with(json!({ "billed": "advance" }));
    let plans = [
        plan("dear", 3_000, &prices, advance()),
        plan("cheap", 1_500, &prices, advance()),
        plan("later", 1_000, &prices, with(json!({}))),
    ];
    build(&[meter("units", "sum")], &plans)
}

struct Life {
    world: World<Sqlite>,
    id: Id,
}

impl Life {
    async fn begin(more: Json, plan: &str) -> Life {
        let world = World::new(&FreshSqlite::new().await, product(more), START).await;
        let id = world.subscribe("ada", plan).await.id;
        Life { world, id }
    }

    /// Totals of all documents that are closed, oldest first.
    async fn documents(&self) -> Vec<i64> {
        let (invoices, _) = self.world.core.invoices(&self.world.business, &self.id, 0, 100).await.unwrap();
        invoices.iter().map(|invoice| invoice["totalCents"].as_i64().unwrap()).collect()
    }

    /// What the preview says is owed at a moment: the pin, and the sum.
    async fn shown(&mut self, at: &str) -> (i64, i64) {
        let preview = self.world.go(at).preview("ada").await;
        let pin = preview["recurringFeeCents"].as_i64().unwrap();
        let receivable: i64 = preview["totals"]["receivableNanos"].as_str().unwrap().parse().unwrap();
        (pin, pin + receivable.div_euclid(10_000_000))
    }

    async fn close(&mut self, at: &str) -> Vec<i64> {
        self.world.go(at).close().await;
        self.world.audit().await;
        self.documents().await
    }

    async fn cancel(&self, at: CancelAt, prorates: bool) {
        let Life { world, id } = self;
        world.core.cancel(&world.business, id, at, prorates, world.now).await.unwrap();
    }

    async fn change(&self, plan: &str, at: CancelAt) {
        let Life { world, id } = self;
        let change = PlanChange { plan: plan.to_owned(), at, proration: Proration::Prorate };
        world.change_plan(id, &change, false).await.unwrap();
    }
}

#[test]
fn the_first_invoice_comes_at_subscribing_and_each_has_the_next_fee() {
    svc_money_tests::block_on(async {
        let mut life = Life::begin(json!({}), "dear").await;
        assert_eq!(life.documents().await, [3_000], "at once");
        life.world.report("ada", &[("a", "units", "250")]).await;
        assert_eq!(life.shown("2026-04-30T23:59:59Z").await, (3_000, 3_250));
        assert_eq!(life.close("2026-05-01T00:00:00Z").await, [3_000, 3_250]);
        assert_eq!(life.shown("2026-05-31T23:59:59Z").await, (3_000, 3_000));
        assert_eq!(life.close("2026-06-01T00:00:00Z").await, [3_000, 3_250, 3_000]);
    });
}

#[test]
fn an_end_that_is_planned_takes_the_next_fee_off_and_taking_it_back_brings_it_back() {
    svc_money_tests::block_on(async {
        let mut life = Life::begin(json!({}), "dear").await;
        life.world.report("ada", &[("a", "units", "250")]).await;
        life.cancel(CancelAt::PeriodEnd, false).await;
        assert_eq!(life.shown("2026-04-10T00:00:00Z").await, (3_000, 250));
        let Life { world, id } = &life;
        world.core.resume(&world.business, id, world.now).await.unwrap();
        assert_eq!(life.shown("2026-04-11T00:00:00Z").await, (3_000, 3_250));
        life.cancel(CancelAt::PeriodEnd, false).await;
        assert_eq!(life.close("2026-05-02T00:00:00Z").await, [3_000, 250]);
    });
}

#[test]
fn an_end_in_the_middle_keeps_the_fee_or_gives_the_rest_of_it_back() {
    svc_money_tests::block_on(async {
        for (prorates, last) in [(false, 250), (true, 250 - 2_000)] {
            let mut life = Life::begin(json!({}), "dear").await;
            life.world.report("ada", &[("a", "units", "250")]).await;
            life.world.go("2026-04-11T00:00:00Z");
            life.cancel(CancelAt::Now, prorates).await;
            assert_eq!(life.close("2026-04-12T00:00:00Z").await, [3_000, last]);
        }
        let mut life = Life::begin(json!({}), "dear").await;
        life.cancel(CancelAt::Now, false).await;
        assert_eq!(life.close(START).await, [3_000, -3_000], "nothing of it was bought");
    });
}

/// A plan of 9.00 whose first three fees are 1.00.
fn beginning(mut more: Json) -> Json {
    more["intro"] = json!({ "amountCents": 100, "periods": 3 });
    more
}

#[test]
fn the_first_fees_are_introductory_ones_whichever_document_has_them() {
    svc_money_tests::block_on(async {
        let months = ["2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z", "2026-08-01T00:00:00Z"];
        let mut life = Life::begin(beginning(json!({})), "dear").await;
        assert_eq!(life.documents().await, [100], "in advance");
        for (month, wanted) in months.iter().zip([100, 100, 3_000, 3_000]) {
            assert_eq!(life.close(month).await.last(), Some(&wanted), "{month}");
        }
        let mut life = Life::begin(beginning(json!({})), "later").await;
        assert_eq!(life.shown("2026-04-10T00:00:00Z").await, (1_000, 100), "the pin is the plan's price");
        for (month, wanted) in months.iter().zip([100, 100, 100, 1_000]) {
            assert_eq!(life.close(month).await.last(), Some(&wanted), "{month}");
        }
    });
}

#[test]
fn an_introductory_fee_of_a_year_is_the_years() {
    svc_money_tests::block_on(async {
        let year = beginning(json!({ "interval": "year", "usageInterval": "month" }));
        let mut life = Life::begin(year, "dear").await;
        let mut documents = life.close("2029-04-30T00:00:00Z").await;
        documents.retain(|cents| *cents != 0);
        assert_eq!(documents, [100, 100, 100, 3_000]);
    });
}

#[test]
fn a_trial_is_no_introductory_fee_and_a_part_of_one_is_a_part_of_a_fee() {
    svc_money_tests::block_on(async {
        let mut life = Life::begin(beginning(json!({ "trialDays": 15 })), "later").await;
        assert_eq!(life.close("2026-05-01T00:00:00Z").await, [50], "half of the first");
        let mut life = Life::begin(beginning(json!({ "trialDays": 30 })), "later").await;
        let wanted = [0, 100, 100, 100, 1_000];
        assert_eq!(life.close("2026-09-01T00:00:00Z").await, wanted, "none is used up by a month that costs nothing");
        let mut life = Life::begin(beginning(json!({ "trialDays": 14 })), "dear").await;
        assert_eq!(life.close("2026-08-15T00:00:00Z").await, [100, 100, 100, 3_000, 3_000]);
    });
}

#[test]
fn an_introductory_fee_is_of_the_plan_and_ends_with_a_change_to_another() {
    svc_money_tests::block_on(async {
        let mut life = Life::begin(beginning(json!({})), "later").await;
        life.world.go("2026-04-16T00:00:00Z");
        life.change("dear", CancelAt::Now).await;
        // Half a month at 1.00 and half at 30.00; the next in advance.
        assert_eq!(life.close("2026-05-01T00:00:00Z").await, [50 + 1_500 + 3_000]);
        let mut life = Life::begin(beginning(json!({})), "dear").await;
        life.change("cheap", CancelAt::PeriodEnd).await;
        assert_eq!(life.close("2026-05-01T00:00:00Z").await, [100, 1_500], "the next one's price, and no beginning");
    });
}

#[test]
fn an_introductory_fee_goes_on_over_versions_of_its_plan_and_an_end_that_is_taken_back() {
    svc_money_tests::block_on(async {
        let mut life = Life::begin(beginning(json!({})), "dear").await;
        life.world.go("2026-04-10T00:00:00Z");
        let mut more = beginning(json!({}));
        more["trialDays"] = json!(1);
        life.world.publish(product(more)).await;
        life.change("dear", CancelAt::Now).await;
        life.cancel(CancelAt::PeriodEnd, false).await;
        assert_eq!(life.shown("2026-04-11T00:00:00Z").await, (3_000, 0));
        let Life { world, id } = &life;
        world.core.resume(&world.business, id, world.now).await.unwrap();
        assert_eq!(life.close("2026-07-01T00:00:00Z").await, [100, 100, 100, 3_000]);
    });
}

#[test]
fn an_introductory_fee_is_given_once() {
    svc_money_tests::block_on(async {
        let mut life = Life::begin(beginning(json!({})), "later").await;
        life.world.go("2026-04-16T00:00:00Z");
        life.cancel(CancelAt::Now, true).await;
        assert_eq!(life.close("2026-04-16T00:00:00Z").await, [50]);
        life.id = life.world.subscribe("ada", "later").await.id;
        assert_eq!(life.shown("2026-04-17T00:00:00Z").await, (1_000, 1_000));
        life.cancel(CancelAt::Now, true).await;
        let Life { world, .. } = &life;
        life.id = world
            .core
            .subscribe(
                &world.business,
                "ada",
                SubscriptionOrder { again: true, ..SubscriptionOrder::of("later") },
                world.now,
            )
            .await
            .unwrap()
            .id;
        assert_eq!(life.shown("2026-04-18T00:00:00Z").await, (1_000, 100), "again, where the operator says so");
    });
}

#[test]
fn a_trial_is_a_period_of_its_own_and_the_first_fee_is_due_when_it_ends() {
    svc_money_tests::block_on(async {
        let trial = || json!({ "trialDays": 14 });
        let mut life = Life::begin(trial(), "dear").await;
        assert_eq!(life.documents().await, [0_i64; 0]);
        life.world.report("ada", &[("a", "units", "250")]).await;
        assert_eq!(life.shown("2026-04-14T23:59:59Z").await, (3_000, 3_250));
        assert_eq!(life.close("2026-04-15T00:00:00Z").await, [3_250]);
        assert_eq!(life.close("2026-05-15T00:00:00Z").await, [3_250, 3_000], "periods are counted from its end");
        let mut life = Life::begin(trial(), "dear").await;
        life.world.report("ada", &[("a", "units", "250")]).await;
        life.cancel(CancelAt::PeriodEnd, false).await;
        assert_eq!(life.close("2026-05-01T00:00:00Z").await, [250], "who ends in the trial pays no fee");
    });
}

#[test]
fn a_move_credits_what_is_unused_and_sets_the_next_fee() {
    svc_money_tests::block_on(async {
        let mut life = Life::begin(json!({}), "dear").await;
        life.world.go("2026-04-11T00:00:00Z");
        life.change("cheap", CancelAt::Now).await;
        // 20 days of 15 dollars in place of 30, and 15 for May.
        assert_eq!(life.shown("2026-04-30T00:00:00Z").await, (3_000, 1_500 - 1_000));
        assert_eq!(life.close("2026-05-01T00:00:00Z").await, [3_000, 500]);
        assert_eq!(life.shown("2026-05-02T00:00:00Z").await, (1_500, 1_500));
        // One that waits for the end is in the preview before it takes place.
        life.change("later", CancelAt::PeriodEnd).await;
        assert_eq!(life.shown("2026-05-31T23:59:59Z").await, (1_500, 0), "its fee is charged in arrears");
        assert_eq!(life.close("2026-06-01T00:00:00Z").await, [3_000, 500, 0]);
        life.change("dear", CancelAt::PeriodEnd).await;
        assert_eq!(life.shown("2026-06-30T23:59:59Z").await, (1_000, 1_000 + 3_000), "both fees");
        assert_eq!(life.close("2026-07-01T00:00:00Z").await, [3_000, 500, 0, 4_000]);
    });
}

#[test]
fn the_bounds_compare_a_period_with_its_own_fee() {
    svc_money_tests::block_on(async {
        let mut life =
            Life::begin(json!({ "minMonthlySpendCents": 3_100, "maxMonthlySpendCents": 3_200 }), "dear").await;
        assert_eq!(life.documents().await, [3_000]);
        assert_eq!(life.shown("2026-04-02T00:00:00Z").await, (3_000, 3_100), "a true-up of 1 dollar");
        life.world.report("ada", &[("a", "units", "250")]).await;
        assert_eq!(life.shown("2026-04-03T00:00:00Z").await, (3_000, 3_200), "50 cents are past the most");
        life.cancel(CancelAt::PeriodEnd, false).await;
        assert_eq!(life.close("2026-05-01T00:00:00Z").await, [3_000, 200], "the fee of April met its least");
    });
}

#[test]
fn a_years_fee_goes_with_one_month_in_twelve() {
    svc_money_tests::block_on(async {
        let yearly = || json!({ "interval": "year", "usageInterval": "month" });
        for (plan, first, fee) in [("dear", vec![3_000], 3_000), ("later", vec![], 1_000)] {
            let mut life = Life::begin(yearly(), plan).await;
            assert_eq!(life.documents().await, first);
            life.world.go("2026-06-10T00:00:00Z").report("ada", &[("a", "units", "250")]).await;
            assert_eq!(life.shown("2026-06-30T00:00:00Z").await, (fee, 250), "the pin, and no fee");
            let mut wanted = first;
            wanted.extend([0, 0, 250, 0, 0, 0, 0, 0, 0, 0, 0, fee]);
            assert_eq!(life.close("2027-04-01T00:00:00Z").await, wanted);
            // An end at the period's end waits for the year's; what was put off is owed at once where it ends before.
            life.cancel(CancelAt::PeriodEnd, false).await;
            let Life { world, id } = &life;
            let subscription = world.core.subscription(&world.business, id, world.now).await.unwrap();
            assert_eq!(subscription.cancel_at.unwrap().to_string(), "2028-04-01T00:00:00Z");
            life.world.go("2027-04-20T00:00:00Z");
            life.cancel(CancelAt::Now, false).await;
            wanted.push(if plan == "later" { fee } else { 0 });
            assert_eq!(life.close("2027-05-01T00:00:00Z").await, wanted);
        }
    });
}

/// Each part of a fee is rounded down to a nano by itself; an end gives back no more than they have come to.
#[test]
fn what_ends_before_anything_is_charged_costs_exactly_nothing() {
    svc_money_tests::block_on(async {
        for (day, proration) in [(2, Proration::None), (3, Proration::Prorate), (4, Proration::Credit)] {
            let mut life = Life::begin(json!({ "trialDays": 7 }), "later").await;
            life.world.now += jiff::SignedDuration::from_secs(86_400 * day + 7);
            let plan = if proration == Proration::None { "dear" } else { "cheap" };
            let change = PlanChange { plan: plan.to_owned(), at: CancelAt::Now, proration };
            let _of_another_form = life.world.change_plan(&life.id, &change, false).await;
            life.world.now += jiff::SignedDuration::from_secs(3_601);
            life.cancel(CancelAt::Now, false).await;
            let now = life.world.now.to_string();
            assert_eq!(life.close(&now).await, [0], "{proration:?}");
        }
    });
}

/// Plans without a trial and an introductory fee, which a fee of nothing can't have.
fn with_a_free_one(more: &Json) -> BuildResult {
    let mut plain = more.clone();
    plain.as_object_mut().unwrap().remove("trialDays");
    let prices = [linear("units", 10_000, 1, 0)];
    let plans = [
        plan("dear", 3_000, &prices, plain.clone()),
        plan("later", 1_000, &prices, more.clone()),
        plan("free", 0, &prices, plain),
    ];
    build(&[meter("units", "sum")], &plans)
}

/// As with an end: each part of a fee is rounded down to a nano by itself, and a move gives back no more than they have come to.
#[test]
fn a_fee_that_is_moved_to_nothing_comes_to_no_less_than_nothing() {
    svc_money_tests::block_on(async {
        let months = json!({ "interval": "year", "usageInterval": "month" });
        let trial = json!({ "trialDays": 7 });
        let both = |first: &Json, second: &Json| {
            let mut both = first.clone();
            both.as_object_mut().unwrap().extend(second.as_object().unwrap().clone());
            both
        };
        let advance = json!({ "billed": "advance" });
        // Each move with the microseconds after which it is made, and what of the fee is not due before the year's last document.
        let at_once: &[(i64, &str)] = &[(1, "dear"), (0, "free")];
        let later: &[(i64, &str)] = &[(1, "dear"), (0, "free"), (40 * 86_400_000_001, "dear"), (0, "free")];
        let in_trial: &[(i64, &str)] = &[(3 * 86_400_000_000 + 7, "free")];
        let lives = [
            (trial, in_trial, 0),
            (json!({}), at_once, 0),
            (advance.clone(), at_once, 0),
            (months.clone(), later, 1_000),
            (both(&months, &advance), later, 0),
        ];
        for (more, moves, put_off) in lives {
            for proration in [Proration::Prorate, Proration::Credit] {
                let world = World::new(&FreshSqlite::new().await, with_a_free_one(&more), START).await;
                let id = world.subscribe("ada", "later").await.id;
                let mut life = Life { world, id };
                for (micros, plan) in moves {
                    life.world.now += jiff::SignedDuration::from_micros(*micros);
                    let change = PlanChange { plan: (*plan).to_owned(), at: CancelAt::Now, proration };
                    let planned = life.world.change_plan(&life.id, &change, true).await.unwrap().planned.unwrap();
                    let done = life.world.change_plan(&life.id, &change, false).await.unwrap().planned.unwrap();
                    assert_eq!(planned, done, "a dry run says what the move does");
                }
                let closed = life.world.dry_close().await;
                let documents = closed.invoices.iter().chain(&closed.open).map(|document| &document.invoice);
                let due: i128 = documents.map(|it| it.total_cents.0 * 10_000_000 + it.rounding_nanos.get()).sum();
                let in_advance: i64 = life.documents().await.iter().sum();
                let allowances = life.world.preview("ada").await["allowances"].clone();
                let given = allowances.as_array().unwrap().iter().map(|one| one["remainingNanos"].as_str().unwrap());
                let given: i128 = given.map(|nanos| nanos.parse::<i128>().unwrap()).sum();
                assert_eq!(given > 0, proration == Proration::Credit, "{more}");
                let fee = due + i128::from(in_advance + put_off) * 10_000_000 - given;
                assert_eq!(fee, 0, "{more} {proration:?}");
                life.world.audit().await;
            }
        }
    });
}
