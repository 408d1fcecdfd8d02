//! What authors' tests are played by says what the service says: the same life of a subscriber, in Core and as a scenario.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde_json::{Value as Json, json};
use svc_core::plan_changes::PlanChange;
use svc_core::subscriptions::CancelAt;
use svc_engine::manifest::Manifest;
use svc_engine::money::scenario::{FIRST_MOMENT, MoveProration, ScenarioBill, ScenarioError, Step, play};
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::FreshSqlite;
use svc_money_tests::world::{World, statuses};
use svc_store::records::{BuildResult, Proration};

/// Lives that are compared.
const LIVES: u64 = 150;

fn prices(chance: &mut SplitMix64) -> Vec<Json> {
    let mut prices = Vec::new();
    for meter in ["calls", "peak", "seats", "tokens", "users"] {
        let (micros, per) = (*chance.pick(&[1_u64, 7, 150_000, 90_071]), *chance.pick(&[1_u64, 3, 1_000]));
        let tiers =
            json!([{ "upTo": 10, "micros": micros, "per": per }, { "upTo": null, "micros": micros / 2, "per": 1 }]);
        match chance.below(4) {
            0 => continue,
            1 => prices.push(json!({ "meter": meter, "kind": "graduated", "tiers": tiers })),
            2 => prices.push(json!({ "meter": meter, "kind": "volume", "tiers": tiers })),
            _ => prices.push(linear(meter, micros, per, *chance.pick(&[0, 5, 100]))),
        }
    }
    prices
}

fn product(chance: &mut SplitMix64) -> BuildResult {
    let meters = [
        meter("calls", "count"),
        meter("peak", "max"),
        meter("seats", "time_weighted"),
        meter("tokens", "sum"),
        meter("users", "unique"),
    ];
    // Between plans of other lengths one moves at a renewal only.
    let is_yearly = chance.one_in(4);
    let plans: Vec<Json> = ["a", "b"]
        .iter()
        .map(|key| {
            let fee = chance.below(5_000);
            let mut more = json!({
                "trialDays": if chance.one_in(3) { chance.below(50) } else { 0 },
                "overageBehavior": if chance.one_in(3) { "block" } else { "allow_and_bill" },
                "spendPolicy": { "disclosure": if chance.one_in(4) { "opaque" } else { "transparent" } },
            });
            if is_yearly {
                (more["interval"], more["usageInterval"]) = (json!("year"), json!("month"));
            }
            if chance.one_in(3) {
                more["billed"] = json!("advance");
            }
            if chance.one_in(3) {
                more["minMonthlySpendCents"] = json!(chance.below(6_000));
            }
            if chance.one_in(3) {
                more["maxMonthlySpendCents"] = json!(6_000 + chance.below(3_000));
            }
            if fee > 0 && chance.one_in(3) {
                more["intro"] = json!({ "amountCents": chance.below(fee), "periods": chance.below(3) + 1 });
            }
            let mut grants = Vec::new();
            for kind in ["included", "promo"] {
                if chance.one_in(2) {
                    let mut grant = credit(kind, chance.below(3_000), chance.one_in(2));
                    if chance.one_in(3) {
                        grant["expiresAfterDays"] = json!(chance.below(40) + 1);
                    }
                    if grant["recurs"] == true && chance.one_in(2) {
                        grant["rolloverPeriods"] = json!(chance.below(3) + 1);
                    }
                    if chance.one_in(3) {
                        grant["meters"] = json!(*chance.pick(&[&["calls"][..], &["calls", "tokens"], &["peak"]]));
                    }
                    grants.push(grant);
                }
            }
            more["grants"] = json!(grants);
            plan(key, fee, &prices(chance), more)
        })
        .collect();
    build(&meters, &plans)
}

fn steps(chance: &mut SplitMix64) -> Vec<Step> {
    let mut on = "a";
    let mut step = |chance: &mut SplitMix64| match chance.below(10) {
        0..=2 => Step::After { span: (*chance.pick(&["1d", "10d", "1mo", "45d", "3h"])).to_owned() },
        3 => {
            on = if on == "a" { "b" } else { "a" };
            let proration = *chance.pick(&[MoveProration::None, MoveProration::Prorate, MoveProration::Credit]);
            Step::Move { plan: on.to_owned(), proration }
        }
        4 => Step::Request {
            route: "POST /v1/report".to_owned(),
            status: 500,
            reports: [("tokens".to_owned(), "2.5".parse().unwrap()), ("peak".to_owned(), "4".parse().unwrap())].into(),
        },
        5 => Step::Use {
            meter: "users".to_owned(),
            units: "1".parse().unwrap(),
            unique_key: Some(format!("k{}", chance.below(4))),
        },
        6 => Step::Use { meter: "calls".to_owned(), units: "1".parse().unwrap(), unique_key: None },
        _ => Step::Use {
            meter: (*chance.pick(&["tokens", "peak", "seats"])).to_owned(),
            units: format!("{}.{:03}", chance.below(40), chance.below(1_000)).parse().unwrap(),
            unique_key: None,
        },
    };
    (0..chance.below(25) + 1).map(|_| step(chance)).collect()
}

/// Lives the same life in the service. Gives what each period comes to, and how many uses were denied.
async fn live(world: &mut World<svc_store::sqlite::Sqlite>, steps: &[Step]) -> (Vec<Json>, u64) {
    let id = world.subscribe("ada", "a").await.id;
    let mut denied = 0;
    for (number, step) in steps.iter().enumerate() {
        let mut item = json!({ "id": format!("i{number}"), "subject": "ada" });
        match step {
            Step::After { span } => {
                let span: Span = span.parse().unwrap();
                world.now = world.now.to_zoned_datetime(TimeZone::UTC).checked_add(span).unwrap().timestamp();
                continue;
            }
            Step::Move { plan, proration } => {
                let proration = match proration {
                    MoveProration::None => Proration::None,
                    MoveProration::Prorate => Proration::Prorate,
                    MoveProration::Credit => Proration::Credit,
                };
                let change = PlanChange { plan: plan.clone(), at: CancelAt::Now, proration };
                world.change_plan(&id, &change, false).await.unwrap();
                let _settled = world.try_preview("ada").await;
                continue;
            }
            Step::Use { meter, units, unique_key } => {
                (item["meter"], item["units"]) = (json!(meter), json!(units));
                if let Some(key) = unique_key {
                    item["uniqueKey"] = json!(key);
                }
            }
            Step::Request { route, status, reports } => {
                (item["route"], item["status"], item["reports"]) = (json!(route), json!(status), json!(reports));
            }
        }
        match statuses(&world.send(vec![item]).await)[0] {
            "accepted" => {}
            "SPEND_LIMIT_REACHED" => denied += 1,
            other => panic!("{other}: {step:?}"),
        }
    }
    let _settled = world.try_preview("ada").await;
    // That of a fee in advance is closed already.
    let (closed, _) = world.core.invoices(&world.business, &id, 0, 100).await.unwrap();
    let dry = world.core.close_invoices(&world.business, Some(&id), true, world.now).await.unwrap();
    let open = dry.invoices.iter().chain(&dry.open).map(|document| json!(document));
    (closed.into_iter().chain(open).collect(), denied)
}

#[test]
fn a_scenario_comes_to_what_the_service_says() {
    svc_money_tests::block_on(async {
        let mut compared = 0;
        for seed in 0..LIVES {
            let mut chance = SplitMix64(seed);
            let (product, steps) = (product(&mut chance), steps(&mut chance));
            let manifest: Manifest = serde_json::from_str(product.ir.as_ref().unwrap()).unwrap();
            let mut world = World::new(&FreshSqlite::new().await, product, FIRST_MOMENT).await;
            let (service, denied) = live(&mut world, &steps).await;
            let played = play(&manifest, "a", &steps).unwrap();
            assert_eq!(played.now, world.now, "seed {seed}");
            let all: Vec<&ScenarioBill> = played.invoices.iter().chain([&played.bill]).collect();
            assert_eq!(all.len(), service.len(), "seed {seed}");
            let count: u64 = all.iter().map(|bill| bill.denied).sum();
            assert_eq!(count, denied, "seed {seed}");
            for (bill, wanted) in all.into_iter().zip(&service) {
                let shown = json!(bill);
                for name in [
                    "plan",
                    "periodStart",
                    "periodEnd",
                    "recurringFeeCents",
                    "usageCents",
                    "trueUpCents",
                    "totalCents",
                    "roundingNanos",
                    "totals",
                    "carriedCents",
                ] {
                    assert_eq!(shown[name], wanted[name], "seed {seed} {name}: {shown:#} {wanted:#} {steps:#?}");
                }
                compared += 1;
            }
        }
        println!("{compared} bills compared");
        assert!(compared > 300, "{compared}");
    });
}

#[test]
fn what_can_not_be_played_is_told() {
    let manifest: Manifest = serde_json::from_str(
        build(&[meter("tokens", "sum")], &[plan("basic", 1, &[], json!({}))]).ir.as_ref().unwrap(),
    )
    .unwrap();
    let wrong = |plan: &str, step: Step| match play(&manifest, plan, &[step]) {
        Err(ScenarioError::Wrong(message)) => message,
        other => panic!("{other:?}"),
    };
    let uses = |meter: &str| Step::Use { meter: meter.to_owned(), units: "1".parse().unwrap(), unique_key: None };
    let after = |span: &str| Step::After { span: span.to_owned() };
    assert_eq!(wrong("basics", after("1d")), "there is no plan \"basics\"; did you mean \"basic\"?");
    assert_eq!(wrong("basic", uses("token")), "there is no meter \"token\"; did you mean \"tokens\"?");
    assert!(wrong("basic", after("soon")).contains("no span of time"));
    assert!(wrong("basic", after("-1d")).contains("leads back"));
    assert!(wrong("basic", after("200y")).contains("at most 1200 periods"));
    let moment: Timestamp = FIRST_MOMENT.parse().unwrap();
    let played = play(&manifest, "basic", &[after("1y")]).unwrap();
    assert_eq!((played.invoices.len(), played.invoices[0].period_start), (12, moment));
}
