//! What authors' tests are played by says what the service says: the same life of a subscriber, in Core and as a scenario.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use svc_core::plan_changes::PlanChange;
use svc_core::subscriptions::CancelAt;
use svc_engine::manifest::Manifest;
use svc_engine::money::scenario::{
    FIRST_MOMENT, MoveProration, Reported, ReportedCell, ScenarioBill, ScenarioError, Step, play,
};
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::FreshSqlite;
use svc_money_tests::world::{World, statuses};
use svc_store::records::{BuildResult, Proration};

/// Lives that are compared.
const LIVES: u64 = 200;
/// Values of the attribute that `tokens` may count by.
const KINDS: &[&str] = &["input", "output"];

fn prices(chance: &mut SplitMix64, has_kinds: bool) -> Vec<Json> {
    let mut prices = Vec::new();
    for meter in ["calls", "peak", "seats", "tokens", "users"] {
        let (micros, per) = (*chance.pick(&[1_u64, 7, 150_000, 90_071]), *chance.pick(&[1_u64, 3, 1_000]));
        let tiers =
            json!([{ "upTo": 10, "micros": micros, "per": per }, { "upTo": null, "micros": micros / 2, "per": 1 }]);
        match chance.below(4) {
            0 => continue,
            _ if has_kinds && meter == "tokens" => {
                let rates = json!({ "input": micros, "output": micros * 3 });
                prices.push(json!({ "meter": meter, "kind": "rates", "per": per, "rates": rates }));
            }
            1 => prices.push(json!({ "meter": meter, "kind": "graduated", "tiers": tiers })),
            2 => prices.push(json!({ "meter": meter, "kind": "volume", "tiers": tiers })),
            _ => prices.push(linear(meter, micros, per, *chance.pick(&[0, 5, 100]))),
        }
    }
    prices
}

fn product(chance: &mut SplitMix64, has_kinds: bool) -> BuildResult {
    let mut tokens = meter("tokens", "sum");
    if has_kinds {
        tokens["by"] = json!(["kind"]);
    }
    let meters = [
        meter("calls", "count"),
        meter("peak", "max"),
        meter("seats", "time_weighted"),
        tokens,
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
            plan(key, fee, &prices(chance, has_kinds), more)
        })
        .collect();
    build(&meters, &plans)
}

fn steps(chance: &mut SplitMix64, has_kinds: bool) -> Vec<Step> {
    let mut on = "a";
    let of = |kind: &str| BTreeMap::from([("kind".to_owned(), kind.to_owned())]);
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
            reports: {
                let units = |text: &str| text.parse().unwrap();
                let cell = |kind: &&str| ReportedCell { units: units("1.25"), by: of(kind) };
                let tokens = match has_kinds {
                    true => Reported::Cells(KINDS.iter().map(cell).collect()),
                    false => Reported::Units(units("2.5")),
                };
                [("tokens".to_owned(), tokens), ("peak".to_owned(), Reported::Units(units("4")))].into()
            },
        },
        5 => Step::Use {
            meter: "users".to_owned(),
            units: "1".parse().unwrap(),
            unique_key: Some(format!("k{}", chance.below(4))),
            by: BTreeMap::new(),
        },
        6 => {
            Step::Use { meter: "calls".to_owned(), units: "1".parse().unwrap(), unique_key: None, by: BTreeMap::new() }
        }
        _ => {
            let meter = *chance.pick(&["tokens", "peak", "seats"]);
            let units = format!("{}.{:03}", chance.below(40), chance.below(1_000)).parse().unwrap();
            let by = if has_kinds && meter == "tokens" { of(chance.pick::<&str>(KINDS)) } else { BTreeMap::new() };
            Step::Use { meter: meter.to_owned(), units, unique_key: None, by }
        }
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
            Step::Use { meter, units, unique_key, by } => {
                (item["meter"], item["units"]) = (json!(meter), json!(units));
                if !by.is_empty() {
                    item["by"] = json!(by);
                }
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
            let has_kinds = chance.one_in(3);
            let (product, steps) = (product(&mut chance, has_kinds), steps(&mut chance, has_kinds));
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
    let mut lines = meter("lines", "sum");
    lines["by"] = json!(["model", "kind"]);
    let rates = json!({ "meter": "lines", "kind": "rates", "per": 1, "rates": { "m": { "input": 1, "output": 2 } } });
    let product = build(&[meter("tokens", "sum"), lines], &[plan("basic", 1, &[rates], json!({}))]);
    let manifest: Manifest = serde_json::from_str(product.ir.as_ref().unwrap()).unwrap();
    let wrong = |plan: &str, step: Step| match play(&manifest, plan, &[step]) {
        Err(ScenarioError::Wrong(message)) => message,
        other => panic!("{other:?}"),
    };
    let uses_of = |meter: &str, by: &[(&str, &str)]| Step::Use {
        meter: meter.to_owned(),
        units: "1".parse().unwrap(),
        unique_key: None,
        by: by.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    };
    let uses = |meter: &str| uses_of(meter, &[]);
    let after = |span: &str| Step::After { span: span.to_owned() };
    assert_eq!(wrong("basics", after("1d")), "there is no plan \"basics\"; did you mean \"basic\"?");
    assert_eq!(wrong("basic", uses("token")), "there is no meter \"token\"; did you mean \"tokens\"?");
    let by = |by| wrong("basic", uses_of("lines", by));
    assert_eq!(by(&[("model", "m")]), "the meter \"lines\" counts by \"kind\"; say its value in `by`");
    assert_eq!(
        by(&[("model", "m"), ("kinds", "input")]),
        "the meter \"lines\" has no attribute \"kinds\"; did you mean \"kind\"?"
    );
    let unpriced = by(&[("model", "x"), ("kind", "input")]);
    assert_eq!(unpriced, "the plan \"basic\" has no price for lines[\"x\",\"input\"]");
    assert!(by(&[("model", ""), ("kind", "input")]).contains("1 to 100 characters"));
    let input = || ReportedCell {
        units: "2".parse().unwrap(),
        by: BTreeMap::from([("model".to_owned(), "m".to_owned()), ("kind".to_owned(), "input".to_owned())]),
    };
    let report = |cells: Vec<ReportedCell>| Step::Request {
        route: "POST /v1/report".to_owned(),
        status: 200,
        reports: BTreeMap::from([("lines".to_owned(), Reported::Cells(cells))]),
    };
    assert_eq!(wrong("basic", report(vec![input(), input()])), "lines[\"m\",\"input\"] is reported twice");
    let output = uses_of("lines", &[("model", "m"), ("kind", "output")]);
    let bill = play(&manifest, "basic", &[report(vec![input()]), output.clone(), output]).unwrap().bill;
    let lines = json!(bill.meters.values().next().unwrap());
    let cells = json!([
        { "by": { "kind": "input", "model": "m" }, "quantity": "2", "ratedNanos": "2000" },
        { "by": { "kind": "output", "model": "m" }, "quantity": "2", "ratedNanos": "4000" },
    ]);
    assert_eq!(lines, json!({ "quantity": "4", "ratedNanos": "6000", "cells": cells }));
    assert!(wrong("basic", after("soon")).contains("no span of time"));
    assert!(wrong("basic", after("-1d")).contains("leads back"));
    assert!(wrong("basic", after("200y")).contains("at most 1200 periods"));
    let moment: Timestamp = FIRST_MOMENT.parse().unwrap();
    let played = play(&manifest, "basic", &[after("1y")]).unwrap();
    assert_eq!((played.invoices.len(), played.invoices[0].period_start), (12, moment));
}
