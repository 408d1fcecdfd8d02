//! Credit beside a plan's own: given for some meters only, and credit that comes anew with each period, of a year too.

use serde_json::json;
use std::collections::BTreeSet;
use svc_core::CoreError;
use svc_core::credits::CreditSource;
use svc_core::subscriptions::CancelAt;
use svc_engine::manifest::ir::{GrantKind, Key};
use svc_engine::money::amount::Cents;
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::World;

const APRIL: &str = "2026-04-01T00:00:00Z";
const CENT: i128 = 10_000_000;

svc_money_tests::on_both_stores! {
    credit_is_given_for_some_meters,
    credit_of_each_period_comes_each_year_where_a_period_is_a_year,
    bought_credit_that_is_used_up_stays_where_its_money_may_come_back,
}

async fn credit_is_given_for_some_meters(fresh: &impl Fresh) {
    let prices = [linear("compute", 10_000, 1, 0), linear("egress", 10_000, 1, 0)];
    let build = build(&[meter("compute", "sum"), meter("egress", "sum")], &[plan("basic", 0, &prices, json!({}))]);
    let mut world = World::new(fresh, build, APRIL).await;
    world.subscribe("ada", "basic").await;
    let given = world.give_for(Some(&["compute"]), "ada", (100, "promo", None)).await;
    let named: Vec<String> = given.meters.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(named, ["compute"]);
    world.report("ada", &[("a", "egress", "40"), ("b", "compute", "30")]).await;
    assert_eq!(world.totals("ada").await, (70 * CENT, 30 * CENT, 40 * CENT));
    let source = |meters: &[&str]| CreditSource::Given {
        amount_cents: Cents::try_from(5).unwrap(),
        kind: GrantKind::Promo,
        expires_after_days: None,
        meters: Some(meters.iter().map(|key| Key::try_from((*key).to_owned()).unwrap()).collect::<BTreeSet<_>>()),
    };
    for (meters, code) in [(&["compute", "gold"][..], "UNKNOWN_METER"), (&[][..], "CREDIT_FORM")] {
        let refused = world.core.give_credit(&world.business, "ada", &source(meters), None, world.now).await;
        assert!(matches!(&refused, Err(CoreError::Invalid { code: known, .. }) if *known == code), "{refused:?}");
    }
    // Given again under one key, it is one; for other meters it is another deed.
    let key = Some("k");
    let give =
        async |meters: &[&str]| world.core.give_credit(&world.business, "ada", &source(meters), key, world.now).await;
    let (once, again) = (give(&["egress"]).await.unwrap(), give(&["egress"]).await.unwrap());
    assert_eq!(once.bucket_id, again.bucket_id);
    assert!(matches!(give(&["compute"]).await, Err(CoreError::Conflict { code: "IDEMPOTENCY_CONFLICT", .. })));
    assert_eq!(world.go("2026-05-01T00:00:00Z").close().await[0].invoice.total_cents.0, 40);
    world.audit().await;
}

async fn credit_of_each_period_comes_each_year_where_a_period_is_a_year(fresh: &impl Fresh) {
    for (usage_interval, first_year) in [(None, 500), (Some("month"), 1_000)] {
        let mut more = json!({ "interval": "year", "grants": [credit("included", 500, true)] });
        if let Some(interval) = usage_interval {
            more["usageInterval"] = json!(interval);
        }
        let plans = [plan("basic", 0, &[linear("a", 10_000, 1, 0)], more)];
        let mut world = World::new(fresh, build(&[meter("a", "sum")], &plans), APRIL).await;
        world.subscribe("ada", "basic").await;
        world.report("ada", &[("1", "a", "600")]).await;
        // In the next month of the same year it has come anew only where the usage has months.
        world.go("2026-05-02T00:00:00Z").report("ada", &[("2", "a", "600")]).await;
        let funded = |closed: &[svc_core::invoices::PeriodInvoice]| -> i128 {
            closed.iter().map(|closed| closed.invoice.totals.funded_nanos.get()).sum::<i128>() / CENT
        };
        assert_eq!(funded(&world.go("2027-04-01T00:00:00Z").close().await), first_year, "{usage_interval:?}");
        // And with the next year.
        world.report("ada", &[("3", "a", "600")]).await;
        assert_eq!(funded(&world.go("2028-04-01T00:00:00Z").close().await), 500, "{usage_interval:?}");
        world.audit().await;
    }
}

/// Another pack comes along when its subject subscribes anew; one that nothing is left in has not ended with it.
async fn bought_credit_that_is_used_up_stays_where_its_money_may_come_back(fresh: &impl Fresh) {
    let plans = [plan("basic", 0, &[linear("a", 10_000, 1, 0)], json!({}))];
    let mut world = World::new(fresh, build(&[meter("a", "sum")], &plans), APRIL).await;
    let first = world.subscribe("ada", "basic").await;
    world.give("ada", 100, "prepaid", None).await;
    world.give("ada", 50, "prepaid", None).await;
    world.report("ada", &[("one", "a", "100"), ("two", "a", "20")]).await;
    world.go("2026-04-10T00:00:00Z");
    world.core.cancel(&world.business, &first.id, CancelAt::Now, false, world.now).await.unwrap();
    let second = world.subscribe("ada", "basic").await;
    world.report("ada", &[("three", "a", "10")]).await;
    assert_eq!(world.totals("ada").await, (10 * CENT, 10 * CENT, 0), "30 came along");
    world.refund("ada", "one").await.unwrap();
    world.audit().await;
    world.core.cancel(&world.business, &second.id, CancelAt::Now, false, world.now).await.unwrap();
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("four", "a", "200")]).await;
    assert_eq!(world.totals("ada").await, (200 * CENT, 120 * CENT, 80 * CENT), "20 of one pack, 100 of the other");
    world.audit().await;
    let due: Vec<i128> = world.close().await.iter().map(|closed| closed.invoice.total_cents.0).collect();
    assert_eq!(due, [0, 0]);
}
