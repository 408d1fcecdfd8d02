//! Money against a second model in another language: `tests/model/replay.py` takes random steps over HTTP under a clock that this test
//! holds, and compares every preview and invoice with what it works out itself, in fractions. `MODEL_STEPS` and `MODEL_SEED` say how
//! many and from where; a failure names both.

use jiff::Timestamp;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroU32;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use svc_api::rates::Rates;
use svc_api::{App, Edge, Live, Traffic, WorkerState};
use svc_core::Core;
use svc_core::clock_guard::ClockGuard;
use svc_core::tokens::{NewToken, token_hash};
use svc_money_tests::product::{build_with, linear, meter, plan};
use svc_store::records::TokenScope;
use svc_store::records::{BuildResult, Id};
use svc_store::sqlite::Sqlite;
use svc_tests::api::OPERATOR;
use svc_tests::program::block_on;
use tokio::net::TcpListener;

/// Steps in CI.
const STEPS: u64 = 500;
/// Steps of one world; then a new one begins.
const STEPS_PER_WORLD: u64 = 125;
/// A resource, and the meter that counts it where it is priced.
const SEATS: &str = "r";
/// Calls in ten seconds; a replay is no visitor.
const RATE: NonZeroU32 = NonZeroU32::MAX;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

#[test]
fn a_model_in_another_language_agrees_to_the_nano() {
    let (steps, first) = (number("MODEL_STEPS").unwrap_or(STEPS), number("MODEL_SEED").unwrap_or(1));
    for world in 0..steps.div_ceil(STEPS_PER_WORLD) {
        let left = STEPS_PER_WORLD.min(steps - world * STEPS_PER_WORLD);
        println!("{}", block_on(replay(first + world, left)));
    }
}

/// One world's steps. Returns what the model says at its end.
async fn replay(seed: u64, steps: u64) -> String {
    let folder = tempfile::tempdir().unwrap();
    let core = Core::new(Sqlite::open(&folder.path().join("svc.db")).unwrap());
    let clock = Arc::new(Mutex::new(Timestamp::UNIX_EPOCH));
    let business = core.create_business("Model", Timestamp::UNIX_EPOCH).await.unwrap().id;
    let deploy =
        core.mint_token(&business, NewToken::of(TokenScope::Deploy), Timestamp::UNIX_EPOCH).await.unwrap().text;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let app = app(core.clone(), Arc::clone(&clock));
    let serving = tokio::spawn(svc_api::serve(listener, Arc::new(app), Edge::default(), async { drop(stopped.await) }));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/model/replay.py");
    let model = Command::new("python3")
        .args([
            script,
            &address.to_string(),
            business.as_str(),
            OPERATOR,
            &deploy,
            &seed.to_string(),
            &steps.to_string(),
        ])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let said = follow(model, &core, &business, &clock).await;
    let audit = core.audit(&business).await.unwrap();
    assert!(audit.findings.is_empty(), "seed {seed}: {:#?}", audit.findings);
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
    said
}

fn app(core: Core<Sqlite>, clock: Arc<Mutex<Timestamp>>) -> App<Sqlite> {
    App {
        core,
        rates: Rates::new(RATE),
        traffic: Traffic::default(),
        probe: None,
        operator_hash: token_hash(OPERATOR),
        workers: Arc::new(|| WorkerState { warm: 0, sandbox: Json::Null }),
        backlog: Live::default(),
        meters_beside: None,
        clock_guard: Arc::new(ClockGuard::new(Arc::new(jiff::Timestamp::now), Arc::new(Duration::default))),
        clock: Arc::new(move || *clock.lock().unwrap()),
    }
}

/// Does what the model asks for until it is done. Returns its last word.
async fn follow(mut model: Child, core: &Core<Sqlite>, business: &Id, clock: &Mutex<Timestamp>) -> String {
    let mut answers = model.stdin.take().unwrap();
    let (lines, mut asked) = tokio::sync::mpsc::unbounded_channel();
    let said = BufReader::new(model.stdout.take().unwrap());
    std::thread::spawn(move || said.lines().map_while(Result::ok).for_each(|line| drop(lines.send(line))));
    while let Some(line) = asked.recv().await {
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("CLOCK", moment) => *clock.lock().unwrap() = moment.parse().unwrap(),
            ("PUBLISH", plans) => publish(core, business, &serde_json::from_str(plans).unwrap(), clock).await,
            ("DONE", _) => {
                assert!(model.wait().unwrap().success());
                return line;
            }
            _ => panic!("the model says {line:?}"),
        }
        acknowledge(&mut answers);
    }
    panic!("the model ended: {}", model.wait().unwrap());
}

fn acknowledge(answers: &mut ChildStdin) {
    answers.write_all(b"OK\n").unwrap();
    answers.flush().unwrap();
}

async fn publish(core: &Core<Sqlite>, business: &Id, plans: &Json, clock: &Mutex<Timestamp>) {
    let now = *clock.lock().unwrap();
    let build = core.keep_build(business, product(plans), now).await.unwrap();
    core.publish(business, &build.id, None, None, now).await.unwrap();
}

fn product(plans: &Json) -> BuildResult {
    let meters = [("a", "sum"), ("c", "count"), ("l", "last"), ("m", "max"), ("s", "time_weighted"), ("u", "unique")];
    let mut meters: Vec<Json> = meters.iter().map(|(key, aggregation)| meter(key, aggregation)).collect();
    let plans = plans.as_object().unwrap();
    if plans.values().any(|terms| terms["prices"].get(SEATS).is_some()) {
        let mut seats = meter(SEATS, "time_weighted");
        seats["resource"] = json!(SEATS);
        meters.push(seats);
    }
    let plans: Vec<Json> = plans.iter().map(|(key, terms)| priced(key, terms)).collect();
    let resources = json!([{ "name": SEATS, "display": "Seats", "countSource": "action_inferred" }]);
    build_with(&meters, &plans, |ir| ir["resources"] = resources)
}

/// Credit that pays for some meters only, where it names some.
fn only(mut credit: Json, meters: &Json) -> Json {
    if !meters.is_null() {
        credit["meters"] = meters.clone();
    }
    credit
}

fn priced(key: &str, terms: &Json) -> Json {
    let whole = |json: &Json| json.as_u64().unwrap();
    let price = |(meter, form): (&String, &Json)| match form["kind"].as_str().unwrap() {
        "linear" => linear(meter, whole(&form["micros"]), whole(&form["per"]), whole(&form["includedUnits"])),
        kind => json!({ "meter": meter, "kind": kind, "tiers": form["tiers"] }),
    };
    let prices: Vec<Json> = terms["prices"].as_object().unwrap().iter().map(price).collect();
    let grant = |grant: &Json| {
        let mut shown = json!({ "type": "credit", "kind": grant["kind"], "amountCents": grant["cents"], "recurs": grant["recurs"] });
        if !grant["days"].is_null() {
            shown["expiresAfterDays"] = grant["days"].clone();
        }
        if grant["recurs"] == true && grant["kept"] != 0 {
            shown["rolloverPeriods"] = grant["kept"].clone();
        }
        only(shown, &grant["meters"])
    };
    let mut grants: Vec<Json> = terms["grants"].as_array().unwrap().iter().map(grant).collect();
    let dated = |mut pack: Json, days: &Json| {
        if !days.is_null() {
            pack["expiresAfterDays"] = days.clone();
        }
        pack
    };
    let [price_cents, credit_cents] = [&terms["pack"][0], &terms["pack"][1]];
    let pack = json!({ "type": "topUp", "sku": "pack", "label": "Pack", "priceCents": price_cents, "creditCents": credit_cents });
    grants.push(only(dated(pack, &terms["pack"][2]), &terms["pack"][3]));
    let points = &terms["open"][0];
    let open = json!({ "type": "openTopUp", "sku": "open", "label": "Any", "minCents": 1, "maxCents": 400, "feeBasisPoints": points });
    grants.push(only(dated(open, &terms["open"][1]), &terms["open"][2]));
    let mut more = json!({
        "grants": grants,
        "trialDays": terms["trial"],
        "overageBehavior": if terms["block"] == true { "block" } else { "allow_and_bill" },
        "spendPolicy": { "disclosure": if terms["opaque"] == true { "opaque" } else { "transparent" } },
    });
    if terms["months"] == 12 {
        (more["interval"], more["usageInterval"]) = (json!("year"), json!("month"));
    }
    if terms["advance"] == true {
        more["billed"] = json!("advance");
    }
    if let [amount, periods] = terms["intro"].as_array().map_or(&[][..], Vec::as_slice) {
        more["intro"] = json!({ "amountCents": amount, "periods": periods });
    }
    for (name, bound) in [("minMonthlySpendCents", &terms["least"]), ("maxMonthlySpendCents", &terms["most"])] {
        if !bound.is_null() {
            more[name] = bound.clone();
        }
    }
    plan(key, whole(&terms["fee"]), &prices, more)
}
