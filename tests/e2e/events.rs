//! Events over sockets: what the docs' receiver sees, and that servers that are killed lose none and keep their order.

use crate::docs::blocks;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::Fresh;
use svc_tests::api::{Api, Business, OPERATOR, Server};
use svc_tests::hooked::serve;
use svc_tests::program::root;
use svc_tests::receiver::{Came, Receiver};

svc_money_tests::on_both_stores! {
    killed_servers_lose_no_event_and_keep_the_order,
    a_receiver_is_named_told_and_taken_away,
}

/// A product whose usage passes marks: a meter with units included, and a little credit.
const MARKED: &str = r#"
import { creditGrant, Feature, Meter, Plan, Product, Requests } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Marked {
  @Requests() requests;
  @Meter("tokens") tokens;
  @Feature("jobs", { plans: ["basic"], routes: { "POST /v1/jobs": { reports: "tokens" } } }) jobs;
  @Plan("basic", { limits: { requests: { rate: 60, interval: "minute" } }, price: { amount: 1900, currency: "usd", interval: "month" },
    meter: { tokens: { micros: 10000, includedUnits: 100 } }, grants: [creditGrant({ amountCents: 100, kind: "promo" })] }) basic;
}
"#;
/// Kills, in CI; `EVENT_KILLS` says otherwise.
const KILLS: u32 = 2;
/// Subscriptions, each with three events or more.
const SUBJECTS: usize = 4;
/// How long all may take to be told after the last kill, in seconds: the leases of the dead run out.
const SETTLE_SECONDS: u64 = 120;

async fn add(business: &Business, url: &str, types: Json) -> (String, String) {
    let body = json!({ "url": url, "types": types });
    let added = business.api.post(OPERATOR, &format!("{}/event-receivers", business.root), body).await.expect(201);
    (added.text("id"), added.text("secret"))
}

async fn use_tokens(business: &Business, subject: &str, id: &str, units: u32) {
    let item = json!({ "id": id, "subject": subject, "meter": "tokens", "units": units });
    let body = json!({ "items": [item] });
    loop {
        // A server that is killed may have admitted it: the same item again is a duplicate.
        let answer = business.api.try_post(&business.deploy, &format!("{}/usage", business.root), id, &body).await;
        if answer.is_some_and(|answer| answer.status == 200) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn subscribe(business: &Business, subject: &str) {
    let body = json!({ "subject": subject, "plan": "basic" });
    let _subscription =
        business.api.post(OPERATOR, &format!("{}/subscriptions", business.root), body).await.expect(201);
}

async fn events(business: &Business) -> Vec<Json> {
    let listed = business.api.get(OPERATOR, &format!("{}/events?limit=100", business.root)).await.expect(200);
    let mut events = listed.body["events"].as_array().unwrap().clone();
    events.reverse();
    events
}

/// Waits until all events are told.
async fn all_told(business: &Business) -> Vec<Json> {
    let end = Instant::now() + Duration::from_secs(SETTLE_SECONDS);
    loop {
        let events = events(business).await;
        let waits =
            |event: &&Json| event["deliveries"].as_array().unwrap().iter().any(|one| one["state"] != "delivered");
        let Some(waiting) = events.iter().find(waits) else { return events };
        assert!(Instant::now() < end, "{waiting:#}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn killed_servers_lose_no_event_and_keep_the_order(fresh: &impl Fresh) {
    let kills = std::env::var("EVENT_KILLS").map_or(KILLS, |text| text.parse().unwrap());
    let mut server = serve(&fresh.arguments());
    let mut chance = SplitMix64(14);
    let mut answers = SplitMix64(15);
    let receiver = Receiver::start(move |_| if answers.one_in(6) { 503 } else { 204 }).await;
    let mut business = Api::new(&server).business(MARKED).await;
    let (_, secret) = add(&business, &receiver.url(), Json::Null).await;
    receiver.trust(&secret);
    let subjects: Vec<String> = (0..SUBJECTS).map(|at| format!("s{at}")).collect();
    for subject in &subjects {
        subscribe(&business, subject).await;
    }
    for kill in 0..kills {
        for subject in &subjects {
            use_tokens(&business, subject, &format!("{kill}-a"), 90 / kills).await;
            use_tokens(&business, subject, &format!("{kill}-b"), 130 / kills).await;
        }
        tokio::time::sleep(Duration::from_millis(chance.below(700))).await;
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        server = serve(&fresh.arguments());
        business.api = Api::new(&server);
    }
    let told = all_told(&business).await;
    let of_subjects: Vec<&Json> = told.iter().filter(|event| event["data"]["subject"].is_string()).collect();
    assert!(of_subjects.len() >= 3 * SUBJECTS, "{told:#?}");
    // Everything came, and of each subscription in the order in which it happened.
    let came = receiver.came();
    let taken: Vec<&Came> = came.iter().filter(|came| came.status == 204).collect();
    let ids: BTreeSet<&str> = taken.iter().map(|came| came.id.as_str()).collect();
    let missed: Vec<&Json> =
        of_subjects.iter().copied().filter(|event| !ids.contains(event["id"].as_str().unwrap())).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    let mut wanted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for event in &of_subjects {
        let subject = event["data"]["subject"].as_str().unwrap();
        wanted.entry(subject).or_default().push(event["id"].as_str().unwrap());
    }
    for (subject, wanted) in wanted {
        let mut seen: Vec<&str> = Vec::new();
        for came in taken.iter().filter(|came| came.body["data"]["subject"] == subject) {
            if !seen.contains(&came.id.as_str()) {
                seen.push(&came.id);
            }
        }
        assert_eq!(seen, wanted, "{subject}");
    }
}

async fn a_receiver_is_named_told_and_taken_away(fresh: &impl Fresh) {
    let server = serve(&fresh.arguments());
    let business = Api::new(&server).business(MARKED).await;
    let receiver = Receiver::start(|_| 204).await;
    let (id, secret) = add(&business, &receiver.url(), json!(["usage.threshold_reached"])).await;
    receiver.trust(&secret);
    let path = format!("{}/event-receivers", business.root);
    let rotated = business.api.post(OPERATOR, &format!("{path}/{id}/rotate"), json!({})).await.expect(200);
    receiver.trust(&rotated.text("secret"));
    subscribe(&business, "ada").await;
    use_tokens(&business, "ada", "i1", 100).await;
    all_told(&business).await;
    let came = receiver.came();
    assert_eq!(came.len(), 2);
    assert!(came.iter().all(|came| came.signatures == 2), "while a secret is changed both sign: {came:#?}");
    assert_eq!((&came[1].body["data"]["percent"], &came[1].body["data"]["subject"]), (&json!(100), &json!("ada")));
    // Amounts and receivers are the operator's: a deploy token sees neither.
    for path in [path.clone(), format!("{}/events", business.root)] {
        assert_eq!(business.api.get(&business.deploy, &path).await.status, 403);
        assert_eq!(business.api.get("nobody", &path).await.status, 401);
    }
    let listed = business.api.get(OPERATOR, &path).await.expect(200);
    assert!(!listed.body.to_string().contains("whsec_"), "{:#}", listed.body);
    let removed = |id: &str| {
        let (api, path) = (business.api.clone(), format!("{path}/{id}"));
        async move { api.send("DELETE", &path, &[("authorization", &format!("Bearer {OPERATOR}"))], "").await.status }
    };
    assert_eq!((removed(&id).await, removed(&id).await), (200, 404));
    for (body, code) in [
        (json!({ "url": "http://example.com/" }), "RECEIVER_URL"),
        (json!({ "url": "https://10.0.0.1/", "types": ["nothing.happened"] }), "BODY_FORM"),
        (json!({ "url": "https://example.com/", "extra": 1 }), "BODY_FORM"),
    ] {
        assert_eq!(business.api.post(OPERATOR, &path, body.clone()).await.code(), code, "{body}");
    }
}

/// Node with the receiver of the docs. Dropped, it is killed.
struct Documented {
    child: Child,
    lines: std::sync::mpsc::Receiver<String>,
}

impl Drop for Documented {
    fn drop(&mut self) {
        let _already_ended = self.child.kill();
        let _already_ended = self.child.wait();
    }
}

/// The receiver of the docs, type-checked and compiled.
fn compiled(folder: &std::path::Path) {
    let text = std::fs::read_to_string(root().join("docs/events.md")).unwrap();
    std::fs::write(folder.join("receiver.ts"), blocks(&text, "ts receiver").concat()).unwrap();
    let shim = root().join("js-shim/node_modules");
    let mut tsc = Command::new(shim.join(".bin/tsc"));
    tsc.args(["--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "--typeRoots"]);
    std::fs::write(folder.join("package.json"), r#"{ "type": "module" }"#).unwrap();
    let output = tsc.arg(shim.join("@types")).arg(folder.join("receiver.ts")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn documented(folder: &std::path::Path, secret: &str, port: u16) -> Documented {
    let mut node = Command::new("node");
    node.arg(folder.join("receiver.js")).env("SVC_EVENTS_SECRET", secret).env("PORT", port.to_string());
    let mut child = node.stdout(Stdio::piped()).spawn().unwrap();
    let (send, lines) = std::sync::mpsc::channel();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || stdout.lines().map_while(Result::ok).for_each(|line| drop(send.send(line))));
    Documented { child, lines }
}

#[test]
fn the_receiver_of_the_docs_takes_what_is_signed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    compiled(folder.path());
    svc_tests::program::block_on(async {
        let server = serve(&["--data".to_owned(), folder.path().join("svc.db").display().to_string()]);
        let business = Api::new(&server).business(MARKED).await;
        // A port that was free a moment ago.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (_, secret) = add(&business, &format!("http://127.0.0.1:{port}/"), Json::Null).await;
        let receiver = documented(folder.path(), &secret, port);
        subscribe(&business, "ada").await;
        use_tokens(&business, "ada", "i1", 100).await;
        let told = all_told(&business).await;
        let wanted: Vec<&Json> = told.iter().filter(|event| event["data"]["subject"] == "ada").collect();
        assert_eq!(wanted.len(), 2);
        let seen: Vec<String> = (0..2).map(|_| receiver.lines.recv_timeout(Duration::from_secs(10)).unwrap()).collect();
        for event in wanted {
            let line = format!("{} {}", event["id"].as_str().unwrap(), event["type"].as_str().unwrap());
            assert!(seen.contains(&line), "{seen:?}");
        }
        let address = Server {
            gateway: None,
            base: format!("http://127.0.0.1:{port}"),
            child: Command::new("true").spawn().unwrap(),
            log: std::sync::Arc::default(),
        };
        let at = |seconds: i64| (jiff::Timestamp::now().as_second() + seconds).to_string();
        for (moment, signature) in
            [(at(0), "v1,AAAA"), (at(0), ""), (at(-400), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")]
        {
            let headers = [("webhook-id", "evt_1"), ("webhook-timestamp", &*moment), ("webhook-signature", signature)];
            let answer = Api::new(&address).send("POST", "/", &headers, "{}").await;
            assert_eq!(answer.status, 401, "{moment} {signature}");
        }
    });
}
