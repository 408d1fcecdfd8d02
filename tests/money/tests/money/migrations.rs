//! Moving subscribers between plan versions: when each policy moves whom, what that does to fees, windows and included units, and
//! that it is done once.

use crate::stores::order;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use svc_core::CoreError;
use svc_core::migrations::{Migrated, MigrationOrder, VersionName};
use svc_core::subscriptions::CancelAt;
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::{World, at, statuses};
use svc_store::Store;
use svc_store::records::{BuildResult, Id, MigrationPolicy, Proration, Subscription};

svc_money_tests::on_both_stores! {
    publishing_moves_nobody,
    grandfather_moves_nobody_and_says_so,
    immediate_moves_now_and_the_units_used_count_against_the_new_plan,
    next_renewal_moves_at_the_end_of_the_open_period,
    by_date_moves_at_the_deadline_or_the_renewal_before_it,
    opt_in_waits_for_the_subscriber,
    without_proration_the_open_period_keeps_its_fee,
    with_proration_each_plan_is_paid_for_its_time,
    with_credit_the_difference_becomes_a_bucket,
    a_trial_is_not_prorated_away,
    a_later_migration_supersedes_an_earlier_one,
    a_subscription_that_ends_first_is_dropped,
    a_change_of_interval_waits_for_the_renewal,
    a_dry_run_lists_who_moves_and_what_they_would_pay,
    what_can_not_be_ordered_is_refused_by_name,
    the_way_back_is_a_migration_too,
    two_servers_apply_a_transition_once,
    a_transition_whose_projection_is_damaged_waits,
    a_change_of_interval_that_missed_its_renewal_waits_for_the_next,
    additions_reach_every_version_and_move_no_fee,
}

const START: &str = "2026-01-01T00:00:00Z";

fn product(fee: u64, micros: u64, included: u64) -> BuildResult {
    let more = json!({ "grants": [credit("included", fee, true)] });
    build(&[meter("tokens", "sum")], &[plan("basic", fee, &[linear("tokens", micros, 1, included)], more)])
}

/// A world with ada on version 1 (3,100 cents, 1 micro, 100 units included), and version 2 published (6,200 cents, 2 micros, 150).
async fn world<F: Fresh>(fresh: &F) -> World<F::Store> {
    let world = World::new(fresh, product(3_100, 1, 100), START).await;
    world.subscribe("ada", "basic").await;
    world.publish(product(6_200, 2, 150)).await;
    world
}

impl<S: Store> Moves for World<S> {
    async fn migrate(&self, order: MigrationOrder) -> Result<Migrated, CoreError> {
        self.core.migrate(&self.business, "basic", order, false, None, self.now).await
    }

    async fn state(&self, batch: &Id) -> String {
        let all = self.core.migrations(&self.business, None, 100, self.now).await.unwrap().0;
        let found = all.into_iter().find(|status| status.batch_id == *batch).unwrap();
        found.transitions.iter().map(|(state, count)| format!("{state} {count}")).collect::<Vec<_>>().join(", ")
    }

    async fn ada(&self) -> Subscription {
        let mut tx = self.core.store.begin(svc_store::Mode::Read).await.unwrap();
        tx.live_subscription(&self.business, "ada").await.unwrap().unwrap()
    }

    async fn fee(&self) -> u64 {
        self.preview("ada").await["recurringFeeCents"].as_u64().unwrap()
    }
}

trait Moves {
    async fn migrate(&self, order: MigrationOrder) -> Result<Migrated, CoreError>;
    async fn state(&self, batch: &Id) -> String;
    async fn ada(&self) -> Subscription;
    async fn fee(&self) -> u64;
}

async fn publishing_moves_nobody(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    world.go("2026-04-15T00:00:00Z");
    assert_eq!(world.fee().await, 3_100);
    assert_eq!(world.ada().await.plan_version, 1);
    assert_eq!(world.subscribers().await[&("basic".to_owned(), 1)], 1);
    world.audit().await;
}

async fn grandfather_moves_nobody_and_says_so(fresh: &impl Fresh) {
    let world = world(fresh).await;
    let migrated = world.migrate(order(1, MigrationPolicy::Grandfather, Proration::None)).await.unwrap();
    assert_eq!((migrated.batch_id, migrated.code.as_str()), (None, "MIGRATION_SKIPPED"));
    assert!(migrated.message.contains("grandfather moves nobody"), "{}", migrated.message);
    assert!(world.core.migrations(&world.business, None, 100, world.now).await.unwrap().0.is_empty());
}

async fn immediate_moves_now_and_the_units_used_count_against_the_new_plan(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    world.report("ada", &[("a", "tokens", "120")]).await;
    world.go("2026-01-16T12:00:00Z");
    let migrated = world.migrate(order(1, MigrationPolicy::Immediate, Proration::None)).await.unwrap();
    assert_eq!((migrated.code.as_str(), migrated.moves.len()), ("MIGRATION_APPLIED", 1));
    assert_eq!(world.state(&migrated.batch_id.unwrap()).await, "applied 1");
    world.report("ada", &[("b", "tokens", "40")]).await;
    let preview = world.preview("ada").await;
    let windows: Vec<(&str, &str, &str)> = preview["windows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| {
            (w["windowStart"].as_str().unwrap(), w["windowEnd"].as_str().unwrap(), w["ratedNanos"].as_str().unwrap())
        })
        .collect();
    // 20 units past the first plan's 100; of the second's 150 there are 30 left, so 10 are paid, at 2 micros.
    let (start, moved, end) = (START, "2026-01-16T12:00:00Z", "2026-02-01T00:00:00Z");
    assert_eq!(windows, [(start, moved, "20000"), (moved, end, "20000")]);
    assert_eq!(world.ada().await.plan_version, 2);
    let again = world.migrate(order(1, MigrationPolicy::Immediate, Proration::None)).await.unwrap();
    assert_eq!(again.code, "MIGRATION_SKIPPED", "nobody is left on version 1");
    world.audit().await;
}

async fn next_renewal_moves_at_the_end_of_the_open_period(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    let migrated = world.migrate(order(1, MigrationPolicy::NextRenewal, Proration::Prorate)).await.unwrap();
    let batch = migrated.batch_id.unwrap();
    assert_eq!(migrated.moves[0].due_at, Some(at("2026-02-01T00:00:00Z")));
    world.go("2026-01-31T23:59:59.999999Z");
    assert_eq!((world.state(&batch).await.as_str(), world.fee().await), ("pending 1", 3_100));
    world.go("2026-02-01T00:00:00Z");
    assert_eq!((world.state(&batch).await.as_str(), world.fee().await), ("applied 1", 6_200));
    let fees: Vec<u64> = world.close().await.iter().map(|closed| closed.invoice.recurring_fee_cents.get()).collect();
    assert_eq!(fees, [3_100]);
    let allowances = world.preview("ada").await["allowances"].clone();
    assert_eq!(allowances[0]["remainingNanos"], "62000000000", "the new period's grant is the new plan's");
    world.audit().await;
}

async fn by_date_moves_at_the_deadline_or_the_renewal_before_it(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(3_100, 1, 100), "2025-12-20T00:00:00Z").await;
    world.subscribe("bea", "basic").await;
    world.go(START).subscribe("ada", "basic").await;
    world.publish(product(6_200, 2, 150)).await;
    let deadline = Some(at("2026-01-25T00:00:00Z"));
    let by_date = MigrationOrder { complete_by: deadline, ..order(1, MigrationPolicy::ByDate, Proration::None) };
    let migrated = world.migrate(by_date).await.unwrap();
    let due: Vec<(&str, Option<Timestamp>)> = migrated.moves.iter().map(|m| (m.subject.as_str(), m.due_at)).collect();
    assert_eq!(due, [("ada", deadline), ("bea", Some(at("2026-01-20T00:00:00Z")))]);
    let batch = migrated.batch_id.unwrap();
    for (now, wanted) in [
        ("2026-01-19T23:59:59Z", "pending 2"),
        ("2026-01-20T00:00:00Z", "applied 1, pending 1"),
        ("2026-01-25T00:00:00Z", "applied 2"),
    ] {
        assert_eq!(world.go(now).state(&batch).await, wanted, "{now}");
    }
    world.audit().await;
}

async fn opt_in_waits_for_the_subscriber(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    let batch = world.migrate(order(1, MigrationPolicy::OptIn, Proration::None)).await.unwrap().batch_id.unwrap();
    world.go("2026-03-10T00:00:00Z");
    assert_eq!(world.state(&batch).await, "offered 1");
    assert_eq!(world.fee().await, 3_100);
    let offer = world.core.plan_offer(&world.business, "ada", world.now).await.unwrap().unwrap();
    assert_eq!((offer.from_version, offer.to_version, offer.next_fee_cents.get()), (1, 2, 6_200));
    let moved = world.core.take_offer(&world.business, "ada", &offer.offer_id, world.now).await.unwrap();
    assert_eq!((moved.plan_version, moved.served_since), (2, world.now));
    assert_eq!(world.state(&batch).await, "applied 1");
    assert_eq!(world.core.plan_offer(&world.business, "ada", world.now).await.unwrap(), None);
    let gone = world.core.take_offer(&world.business, "ada", &offer.offer_id, world.now).await;
    assert!(matches!(gone, Err(CoreError::NotFound(_))), "{gone:?}");
    world.audit().await;
}

async fn without_proration_the_open_period_keeps_its_fee(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    world.go("2026-01-11T00:00:00Z").migrate(order(1, MigrationPolicy::Immediate, Proration::None)).await.unwrap();
    assert_eq!(world.fee().await, 3_100);
    world.go("2026-02-01T00:00:00Z");
    assert_eq!(world.fee().await, 6_200);
    assert_eq!(world.close().await[0].invoice.total_cents.0, 3_100);
    world.audit().await;
}

async fn with_proration_each_plan_is_paid_for_its_time(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    // Ten of 31 days at 3,100 cents and 21 at 6,200.
    world.go("2026-01-11T00:00:00Z");
    let planned = world.migrate(order(1, MigrationPolicy::Immediate, Proration::Prorate)).await.unwrap();
    assert_eq!(planned.moves[0].proration_nanos.get(), 21_000_000_000);
    assert_eq!(world.fee().await, 3_100, "a period keeps the pin it began with");
    assert_eq!(world.totals("ada").await, (0, 0, 21_000_000_000), "a move prices the rest");
    // And down again at the 21st: 11 days are left.
    world.go("2026-01-21T00:00:00Z");
    let back =
        MigrationOrder { to: VersionName::Number(1), ..order(2, MigrationPolicy::Immediate, Proration::Prorate) };
    world.migrate(back).await.unwrap();
    assert_eq!(world.totals("ada").await, (0, 0, 10_000_000_000));
    world.go("2026-02-01T00:00:00Z");
    let exact_cents = 3_100 * 10 / 31 + 6_200 * 10 / 31 + 3_100 * 11 / 31;
    let total = world.close().await[0].invoice.total_cents.0;
    assert_eq!((exact_cents, total), (4_100, 4_100));
    world.audit().await;
}

async fn with_credit_the_difference_becomes_a_bucket(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(6_200, 1, 0), START).await;
    world.subscribe("ada", "basic").await;
    world.publish(product(3_100, 1, 0)).await;
    world.go("2026-01-11T00:00:00Z").migrate(order(1, MigrationPolicy::Immediate, Proration::Credit)).await.unwrap();
    let preview = world.preview("ada").await;
    assert_eq!(preview["recurringFeeCents"], 6_200);
    let credit = &preview["allowances"][1];
    assert_eq!(
        (&credit["kind"], &credit["remainingNanos"], &credit["expiresAt"]),
        (&"promo".into(), &"21000000000".into(), &json!(null))
    );
    world.go("2026-02-01T00:00:00Z");
    assert_eq!(world.fee().await, 3_100);
    world.audit().await;
}

async fn a_trial_is_not_prorated_away(fresh: &impl Fresh) {
    let trial = |fee| build(&[meter("tokens", "sum")], &[plan("basic", fee, &[], json!({ "trialDays": 10 }))]);
    let mut world = World::new(fresh, trial(3_100), START).await;
    world.subscribe("ada", "basic").await;
    assert_eq!((world.fee().await, world.totals("ada").await.2), (3_100, -10_000_000_000), "21 of 31 days are paid");
    world.publish(trial(6_200)).await;
    world.go("2026-01-06T00:00:00Z").migrate(order(1, MigrationPolicy::Immediate, Proration::Prorate)).await.unwrap();
    let receivable = world.totals("ada").await.2;
    assert_eq!(
        (world.fee().await, receivable),
        (3_100, 11_000_000_000),
        "3,100 more for 21 of 31 days, and the trial stays free"
    );
    world.go("2026-02-01T00:00:00Z");
    assert_eq!(world.close().await[0].invoice.total_cents.0, 4_200);
    assert_eq!(world.fee().await, 6_200);
    world.audit().await;
}

async fn a_later_migration_supersedes_an_earlier_one(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    let first = world.migrate(order(1, MigrationPolicy::NextRenewal, Proration::None)).await.unwrap().batch_id.unwrap();
    world.publish(product(9_300, 3, 0)).await;
    let second =
        world.migrate(order(1, MigrationPolicy::NextRenewal, Proration::None)).await.unwrap().batch_id.unwrap();
    world.go("2026-02-01T00:00:00Z");
    assert_eq!(
        (world.state(&first).await.as_str(), world.state(&second).await.as_str()),
        ("superseded 1", "applied 1")
    );
    assert_eq!((world.fee().await, world.ada().await.plan_version), (9_300, 3));
    world.audit().await;
}

async fn a_subscription_that_ends_first_is_dropped(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    let batch = world.migrate(order(1, MigrationPolicy::NextRenewal, Proration::None)).await.unwrap().batch_id.unwrap();
    let ada = world.ada().await.id;
    world.core.cancel(&world.business, &ada, CancelAt::PeriodEnd, false, world.now).await.unwrap();
    world.go("2026-02-01T00:00:00Z");
    assert_eq!(world.state(&batch).await, "dropped 1");
    let ended = world.core.subscription(&world.business, &ada, world.now).await.unwrap();
    assert_eq!((ended.cancelled_at, ended.plan_version), (Some(at("2026-02-01T00:00:00Z")), 1));
    assert_eq!(world.close().await.len(), 1);
    world.audit().await;
}

async fn a_change_of_interval_waits_for_the_renewal(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(3_100, 1, 100), "2025-12-31T00:00:00Z").await;
    world.subscribe("ada", "basic").await;
    let yearly = plan("basic", 30_000, &[linear("tokens", 1, 1, 0)], json!({ "interval": "year" }));
    world.publish(build(&[meter("tokens", "sum")], &[yearly])).await;
    let refused = world.migrate(order(1, MigrationPolicy::Immediate, Proration::None)).await.unwrap_err();
    assert!(matches!(refused, CoreError::Invalid { code: "MIGRATION_INTERVAL", .. }));
    world.go("2026-02-01T00:00:00Z").migrate(order(1, MigrationPolicy::NextRenewal, Proration::None)).await.unwrap();
    world.go("2026-03-01T00:00:00Z").report("ada", &[("a", "tokens", "1")]).await;
    let window = world.preview("ada").await["windows"][0].clone();
    assert_eq!(
        (&window["windowStart"], &window["windowEnd"]),
        (&"2026-02-28T00:00:00Z".into(), &"2027-02-28T00:00:00Z".into())
    );
    world.go("2027-03-01T00:00:00Z");
    let fees: Vec<(u32, u64)> =
        world.close().await.iter().map(|closed| (closed.period, closed.invoice.recurring_fee_cents.get())).collect();
    assert_eq!(fees, [(0, 3_100), (1, 3_100), (2, 30_000)]);
    world.audit().await;
}

async fn a_dry_run_lists_who_moves_and_what_they_would_pay(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    world.go("2026-01-11T00:00:00Z").subscribe("new", "basic").await;
    let order = order(1, MigrationPolicy::Immediate, Proration::Prorate);
    let dry = world.core.migrate(&world.business, "basic", order, true, None, world.now).await.unwrap();
    assert_eq!((dry.batch_id.clone(), dry.from_version, dry.to_version), (None, Some(1), 2));
    let shown = serde_json::to_value(&dry.moves).unwrap();
    assert_eq!(shown.as_array().unwrap().len(), 1, "the new subscriber has version 2 already");
    assert_eq!(
        (&shown[0]["subject"], &shown[0]["recurringFeeCents"], &shown[0]["nextFeeCents"], &shown[0]["prorationNanos"]),
        (&"ada".into(), &3_100.into(), &6_200.into(), &"21000000000".into())
    );
    assert_eq!(world.ada().await.plan_version, 1);
    let real = world.migrate(order).await.unwrap();
    assert_eq!(real.moves, dry.moves);
    assert_eq!(world.totals("ada").await.2, 21_000_000_000);
    world.audit().await;
}

async fn what_can_not_be_ordered_is_refused_by_name(fresh: &impl Fresh) {
    let world = world(fresh).await;
    let base = order(1, MigrationPolicy::Immediate, Proration::None);
    let early = Some(at("2025-01-01T00:00:00Z"));
    for (wanted, order) in [
        ("UNKNOWN_VERSION", MigrationOrder { from: VersionName::Number(7), ..base }),
        ("UNKNOWN_VERSION", MigrationOrder { to: VersionName::Number(0), ..base }),
        ("MIGRATION_DEADLINE", MigrationOrder { policy: MigrationPolicy::ByDate, ..base }),
        ("MIGRATION_DEADLINE", MigrationOrder { policy: MigrationPolicy::ByDate, complete_by: early, ..base }),
        ("MIGRATION_DEADLINE", MigrationOrder { complete_by: Some(at("2027-01-01T00:00:00Z")), ..base }),
    ] {
        let refused = world.migrate(order).await.unwrap_err();
        assert!(matches!(&refused, CoreError::Invalid { code, .. } if *code == wanted), "{wanted}: {refused:?}");
    }
    let unknown = world.core.migrate(&world.business, "none", base, false, None, world.now).await;
    assert!(matches!(unknown, Err(CoreError::NotFound(_))));
    let same = MigrationOrder { from: VersionName::Head, ..base };
    assert_eq!(world.migrate(same).await.unwrap().code, "MIGRATION_SKIPPED");
}

async fn the_way_back_is_a_migration_too(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    world.migrate(order(1, MigrationPolicy::Immediate, Proration::None)).await.unwrap();
    world.report("ada", &[("a", "tokens", "200")]).await;
    world.go("2026-01-02T00:00:00Z");
    let back = MigrationOrder { to: VersionName::Number(1), ..order(2, MigrationPolicy::Immediate, Proration::None) };
    world.migrate(back).await.unwrap();
    assert_eq!(statuses(&world.report("ada", &[("b", "tokens", "1")]).await), ["accepted"]);
    assert_eq!(world.totals("ada").await.0, 50 * 2_000 + 1_000);
    world.audit().await;
}

async fn two_servers_apply_a_transition_once(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    world.go("2026-01-11T00:00:00Z").migrate(order(1, MigrationPolicy::Immediate, Proration::Prorate)).await.unwrap();
    let others: Vec<_> = [fresh.open().await, fresh.open().await, fresh.open().await].map(svc_core::Core::new).into();
    let (business, now) = (world.business.clone(), world.now);
    let mut tasks = tokio::task::JoinSet::new();
    for core in others {
        let business = business.clone();
        tasks.spawn(async move { core.preview(&business, "ada", now).await.unwrap() });
    }
    let mut seen = Vec::new();
    while let Some(preview) = tasks.join_next().await {
        seen.push(serde_json::to_value(preview.unwrap()).unwrap()["totals"]["receivableNanos"].clone());
    }
    assert_eq!(seen, ["21000000000"; 3]);
    assert_eq!(fresh.rows("SELECT COUNT(*) FROM ledger_postings WHERE cause LIKE 'proration:%'").await, [["2"]]);
    world.audit().await;
}

async fn a_transition_whose_projection_is_damaged_waits(fresh: &impl Fresh) {
    let mut world = world(fresh).await;
    let batch = world.migrate(order(1, MigrationPolicy::NextRenewal, Proration::None)).await.unwrap().batch_id.unwrap();
    fresh.alter("UPDATE projections SET hash = 'x' || hash WHERE version = 2").await.unwrap();
    world.go("2026-02-03T00:00:00Z");
    assert_eq!((world.state(&batch).await.as_str(), world.fee().await), ("pending 1", 3_100));
    fresh.alter("UPDATE projections SET hash = substr(hash, 2) WHERE version = 2").await.unwrap();
    world.report("ada", &[("a", "tokens", "1")]).await;
    assert_eq!((world.state(&batch).await.as_str(), world.ada().await.plan_version), ("applied 1", 2));
    world.audit().await;
}

async fn a_change_of_interval_that_missed_its_renewal_waits_for_the_next(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product(3_100, 1, 100), START).await;
    world.subscribe("ada", "basic").await;
    let yearly = plan("basic", 30_000, &[], json!({ "interval": "year" }));
    world.publish(build(&[meter("tokens", "sum")], &[yearly])).await;
    world.migrate(order(1, MigrationPolicy::NextRenewal, Proration::None)).await.unwrap();
    fresh.alter("UPDATE projections SET hash = 'x' || hash WHERE version = 2").await.unwrap();
    assert_eq!(world.go("2026-02-03T00:00:00Z").fee().await, 3_100);
    fresh.alter("UPDATE projections SET hash = substr(hash, 2) WHERE version = 2").await.unwrap();
    assert_eq!((world.go("2026-02-04T00:00:00Z").fee().await, world.ada().await.plan_version), (3_100, 1));
    world.go("2026-03-01T00:00:00Z").report("ada", &[("a", "tokens", "1")]).await;
    let preview = world.preview("ada").await;
    assert_eq!(
        (&preview["recurringFeeCents"], &preview["windows"][0]["windowEnd"]),
        (&30_000.into(), &"2027-03-01T00:00:00Z".into())
    );
    world.audit().await;
}

/// Models with their rates, and a price of what is new.
fn models(fee: u64, rates: Json, regions: bool) -> BuildResult {
    let mut tokens = meter("tokens", "sum");
    tokens["by"] = json!(["model"]);
    let mut meters = vec![meter("a", "sum"), tokens];
    let mut prices = vec![json!({ "meter": "tokens", "kind": "rates", "per": 1, "rates": rates })];
    if regions {
        meters.push(meter("regions", "max"));
        prices.push(linear("regions", 1_000_000, 1, 0));
    }
    build(&meters, &[plan("basic", fee, &prices, json!({}))])
}

async fn additions_reach_every_version_and_move_no_fee(fresh: &impl Fresh) {
    let mut world = World::new(fresh, models(1_000, json!({ "large": 5_000_000 }), false), START).await;
    world.subscribe("ada", "basic").await;
    world.publish(models(2_000, json!({ "large": 5_000_000, "small": 1_000_000 }), false)).await;
    world.subscribe("bea", "basic").await;
    world.publish(models(3_000, json!({ "large": 5_000_000, "small": 1_000_000, "new": 2_000_000 }), true)).await;
    world.subscribe("cy", "basic").await;
    let tokens = |id: &str, subject: &str, model: &str| json!({ "id": id, "subject": subject, "meter": "tokens", "units": 1, "by": { "model": model } });
    world.go("2026-01-16T12:00:00Z");
    let refused = world.send(vec![tokens("1", "ada", "large"), tokens("2", "ada", "new")]).await;
    assert_eq!(statuses(&refused), ["accepted", "CELL_WITHOUT_PRICE"]);
    let additions = MigrationOrder {
        from: VersionName::Any,
        to: VersionName::Head,
        policy: MigrationPolicy::Additions,
        proration: Proration::None,
        complete_by: None,
    };
    let prorated = world.migrate(MigrationOrder { proration: Proration::Prorate, ..additions }).await.unwrap_err();
    assert!(matches!(prorated, CoreError::Invalid { code: "MIGRATION_PRORATION", .. }), "{prorated:?}");
    let dry = world.core.migrate(&world.business, "basic", additions, true, None, world.now).await.unwrap();
    let added =
        ["plans.basic.meter.regions", "plans.basic.meter.tokens.rates.new", "plans.basic.meter.tokens.rates.small"];
    assert_eq!(
        (dry.code.as_str(), dry.from_version, dry.added.clone()),
        ("MIGRATION_PLANNED", None, added.map(str::to_owned).to_vec())
    );
    assert!(
        dry.message.ends_with("from any version to version 3, with the fee that each agreed to"),
        "{}",
        dry.message
    );
    let done = world.migrate(additions).await.unwrap();
    assert_eq!((done.code.as_str(), done.moves.clone()), ("MIGRATION_APPLIED", dry.moves));
    let fees = done.moves.iter().map(|planned| {
        (planned.recurring_fee_cents.get(), planned.next_fee_cents.get(), planned.proration_nanos.get())
    });
    assert_eq!(fees.collect::<Vec<_>>(), [(1_000, 1_000, 0), (2_000, 2_000, 0)]);
    let accepted = world.send(vec![tokens("2", "ada", "new"), tokens("3", "bea", "new")]).await;
    assert_eq!(statuses(&accepted), ["accepted"; 2]);
    world.go("2026-03-01T00:00:00Z");
    let totals: Vec<i128> = world.close().await.iter().map(|closed| closed.invoice.total_cents.0).collect();
    assert_eq!(totals, [1_700, 1_000, 2_200, 2_000, 3_000, 3_000], "7.00 and 2.00 of usage, and the fee of each");
    let status = world.core.migrations(&world.business, None, 10, world.now).await.unwrap().0.remove(0);
    assert_eq!((status.policy, status.from_version), (MigrationPolicy::Additions, None));
    assert_eq!(world.migrate(additions).await.unwrap().code, "MIGRATION_SKIPPED");
    // What is no addition is named where it is, and nobody is moved.
    world.publish(models(3_000, json!({ "large": 6_000_000, "small": 1_000_000 }), true)).await;
    let refused = world.migrate(additions).await.unwrap_err();
    let CoreError::Invalid { code: "NOT_AN_ADDITION", message } = refused else { panic!("{refused:?}") };
    let named = [
        "version 4 of \"basic\" does not only add to version 3",
        "plans.basic.meter.tokens.rates.large is 6000000 and was 5000000",
        "plans.basic.meter.tokens.rates.new is gone and was 2000000",
    ];
    assert!(named.iter().all(|text| message.contains(text)), "{message}");
    assert_eq!(world.subscribers().await[&("basic".to_owned(), 3)], 3);
    // What was free does not begin to cost.
    world
        .publish(build(
            &[meter("a", "sum"), meter("b", "sum")],
            &[plan("basic", 0, &[linear("a", 1, 1, 0)], json!({}))],
        ))
        .await;
    world.subscribe("dee", "basic").await;
    world
        .publish(build(
            &[meter("a", "sum"), meter("b", "sum")],
            &[plan("basic", 0, &[linear("a", 1, 1, 0), linear("b", 1, 1, 0)], json!({}))],
        ))
        .await;
    let refused = world.migrate(MigrationOrder { from: VersionName::Number(5), ..additions }).await.unwrap_err();
    assert!(refused.to_string().contains("plans.basic.meter.b prices what was free"), "{refused}");
    world.audit().await;
}
