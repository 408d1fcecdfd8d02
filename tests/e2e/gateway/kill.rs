//! Gateways, backends and databases that are killed at any moment: what reached the backend and was answered is charged once, whatever the plan
//! refuses; nothing is charged that did not, and nothing stays set aside.

use super::PRODUCT;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::Fresh;
use svc_tests::api::{Api, Server};
use svc_tests::gateway::{Front, Gateway};
use svc_tests::origin::Origin;

svc_money_tests::on_both_stores! {
    what_was_answered_is_charged_once_whatever_is_killed,
}

/// Kills in CI, on each store; `GATEWAY_KILLS` says otherwise.
const KILLS: u64 = 6;
/// Clients of each plan.
const CLIENTS: usize = 3;

/// What clients know of their requests: the ids of those whose answers came whole, by plan.
type Whole = Arc<Mutex<BTreeMap<&'static str, BTreeSet<String>>>>;

/// Asks, and gives the request's id where the answer came whole.
fn ask(base: &str, key: &str) -> Option<String> {
    let mut stream = TcpStream::connect(base.trim_start_matches("http://")).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let request =
        format!("GET /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let is_whole = answer.starts_with("HTTP/1.1 200") && answer.ends_with("\r\n\r\nok");
    let id = answer.split("x-request-id: ").nth(1)?.split("\r\n").next()?.to_owned();
    is_whole.then_some(id)
}

fn kills() -> u64 {
    std::env::var("GATEWAY_KILLS").map_or(KILLS, |text| text.parse().unwrap())
}

async fn what_was_answered_is_charged_once_whatever_is_killed(fresh: &impl Fresh) {
    let kills = kills();
    let mut chance = SplitMix64(20_261_128);
    // A backend that dies in every tenth answer.
    let dying = Mutex::new(SplitMix64(7));
    let origin = Origin::start(move |_, stream| {
        let dies = dying.lock().unwrap().below(10);
        std::thread::sleep(Duration::from_millis(5));
        match dies {
            0 => false,
            1 => {
                let _half = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no");
                false
            }
            _ => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").is_ok(),
        }
    });
    let server = Server::start_with(&fresh.arguments());
    let api = Api::new(&server);
    let business = api.business(&PRODUCT.replace("ORIGIN", &format!("http://{}", origin.address))).await;
    let front = Front { base: String::new(), api, server, business };
    let keys = [("deep", front.subscribe("ada", "deep").await), ("paid", front.subscribe("bea", "paid").await)];
    let arguments = fresh.arguments();
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal").display().to_string();
    let start = || {
        let own = ["--gateway-request-seconds", "2", "--gateway-journal", &journal];
        let all: Vec<&str> = arguments.iter().map(String::as_str).chain(own).collect();
        Gateway::start(&all)
    };
    let mut gateway = start();
    let base = Arc::new(Mutex::new(gateway.base.clone()));
    let (whole, stops): (Whole, _) = (Arc::default(), Arc::new(AtomicBool::new(false)));
    let clients: Vec<_> = keys
        .iter()
        .flat_map(|key| std::iter::repeat_n(key.clone(), CLIENTS))
        .map(|(plan, key)| {
            let (base, whole, stops) = (Arc::clone(&base), Arc::clone(&whole), Arc::clone(&stops));
            std::thread::spawn(move || {
                while !stops.load(Ordering::SeqCst) {
                    let at = base.lock().unwrap().clone();
                    match ask(&at, &key) {
                        Some(id) => {
                            whole.lock().unwrap().entry(plan).or_default().insert(id);
                        }
                        None => std::thread::sleep(Duration::from_millis(5)),
                    }
                }
            })
        })
        .collect();
    for kill in 0..kills {
        tokio::time::sleep(Duration::from_millis(chance.below(400) + 50)).await;
        let is_postgres = arguments[0] == "--database-url";
        if is_postgres && kill % 2 == 1 {
            let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
            fresh.rows(sql).await;
        } else {
            gateway.child.kill().unwrap();
            gateway.child.wait().unwrap();
            gateway = start();
            *base.lock().unwrap() = gateway.base.clone();
        }
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    stops.store(true, Ordering::SeqCst);
    clients.into_iter().for_each(|client| client.join().unwrap());
    let whole = whole.lock().unwrap().clone();
    settled(&front, fresh, &origin, &whole).await;
    drop(gateway);
}

/// Waits until nothing is set aside any more, and looks at what was charged.
async fn settled(front: &Front, fresh: &impl Fresh, origin: &Origin, whole: &BTreeMap<&'static str, BTreeSet<String>>) {
    let begun = Instant::now();
    // Looking at a bill lets go what is over.
    while front.bill("ada").await["allowances"][0]["heldNanos"] != "0" {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:#}", front.bill("ada").await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(fresh.rows("SELECT COUNT(*) FROM holds WHERE state = 'open'").await, [["0"]]);
    let reached: BTreeSet<String> = origin.seen.lock().unwrap().iter().map(svc_tests::origin::Seen::id).collect();
    for (subject, plan) in [("ada", "deep"), ("bea", "paid")] {
        let rows = fresh.rows(&format!("SELECT id, charges FROM usage_items WHERE subject = '{subject}'")).await;
        let items: BTreeSet<String> = rows.iter().map(|row| row[0].clone()).collect();
        assert_eq!(items.len(), rows.len(), "each once");
        assert!(rows.iter().all(|row| row[1] == "1"));
        assert!(items.is_subset(&reached), "{subject}: charged for what reached no backend");
        let answered = &whole[plan];
        assert!(!answered.is_empty(), "{subject} was served");
        let rated: usize = front.bill(subject).await["totals"]["ratedNanos"].as_str().unwrap().parse().unwrap();
        let charged = rated / 1_000_000;
        if plan == "deep" {
            let lost: Vec<_> = answered.difference(&items).collect();
            assert!(lost.is_empty(), "{subject}: whole answers that are not charged: {lost:?}");
            assert_eq!(charged, items.len());
        } else {
            // What costs alike is one item: so many as were answered, and of each client one in each kill of which it knows nothing.
            assert!(items.len() < answered.len(), "some were charged together");
            let unknown = CLIENTS * (usize::try_from(kills()).unwrap() + 1);
            let most = answered.len() + unknown;
            assert!(
                (answered.len()..=most).contains(&charged),
                "{subject}: {charged} charged, {} answered",
                answered.len()
            );
        }
        eprintln!(
            "{plan}: {charged} charged in {} items, {} answered whole, {} reached the backend in all",
            items.len(),
            answered.len(),
            reached.len()
        );
    }
}
