//! Many at once: never one too many, whatever the plan counts; with one gateway and with several.

use super::PRODUCT;
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_tests::gateway::{Front, Gateway};
use svc_tests::origin::Origin;
use svc_tests::program::block_on;
use svc_tests::raw::say;

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
/// Threads that ask.
const THREADS: usize = 50;

/// Asks so often at once, over these gateways in turn, and counts the statuses.
fn all_at_once(bases: &[String], key: &str, times: usize) -> BTreeMap<u16, usize> {
    let barrier = Arc::new(std::sync::Barrier::new(THREADS));
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| {
            let (barrier, bases, key) = (Arc::clone(&barrier), bases.to_vec(), key.to_owned());
            std::thread::spawn(move || {
                barrier.wait();
                let each = times / THREADS;
                let ask = |number: usize| {
                    let request = format!(
                        "GET /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"
                    );
                    say(&bases[(thread + number) % bases.len()], request).status
                };
                (0..each).map(ask).collect::<Vec<_>>()
            })
        })
        .collect();
    let mut counts = BTreeMap::new();
    for status in threads.into_iter().flat_map(|thread| thread.join().unwrap()) {
        *counts.entry(status).or_default() += 1;
    }
    counts
}

#[test]
fn a_thousand_at_once_meet_a_limit_of_a_hundred_and_a_bound_for_thirty() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        // Three cents at a tenth of a cent each, and a hundred requests an hour.
        let key = front.subscribe("ada", "busy").await;
        let counts = all_at_once(std::slice::from_ref(&front.base), &key, 1_000);
        assert_eq!(counts, BTreeMap::from([(200, 30), (402, 70), (429, 900)]));
        assert_eq!(origin.count(), 30);
        front.rated("ada", 30_000_000).await;
    });
}

#[test]
fn credit_for_forty_serves_forty_of_a_thousand() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "credit").await;
        let counts = all_at_once(std::slice::from_ref(&front.base), &key, 1_000);
        assert_eq!(counts, BTreeMap::from([(200, 40), (402, 960)]));
        assert_eq!(origin.count(), 40);
        front.rated("ada", 40_000_000).await;
    });
}

/// What several gateways let through of a hundred an hour: all of it, but for what the others have leased and do not use.
fn shared(gateways: usize) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db").display().to_string();
    let origin = Origin::answering(OK);
    let product = PRODUCT.replace(
        r#"@Plan("small", { limits: { requests: { rate: 5, interval: "hour" } }"#,
        r#"@Plan("small", { limits: { requests: { rate: 100, interval: "hour" } }"#,
    );
    block_on(async {
        let front = Front::start(std::path::Path::new(&data), &product, &origin, &[]).await;
        let key = front.subscribe("ada", "small").await;
        let started: Vec<Gateway> =
            (0..gateways).map(|_| Gateway::start(&["--data", &data, "--gateway-shares-limits", "true"])).collect();
        let bases: Vec<String> = started.iter().map(|gateway| gateway.base.clone()).collect();
        let counts = all_at_once(&bases, &key, 1_000);
        let served = counts.get(&200).copied().unwrap_or_default();
        // A lease is a twentieth: five.
        let unused = 5 * (gateways - 1);
        assert!((100 - unused..=101).contains(&served), "{gateways} gateways: {counts:?}");
        assert_eq!(origin.count(), served);
        assert_eq!(counts.values().sum::<usize>(), 1_000);
        front.rated("ada", 1_000_000 * i128::try_from(served).unwrap()).await;
    });
}

#[test]
fn one_gateway_that_shares_lets_through_all_and_not_one_more() {
    shared(1);
}

#[test]
fn three_gateways_let_through_no_more_than_one() {
    shared(3);
}

#[test]
fn ten_gateways_let_through_no_more_than_one() {
    shared(10);
}

#[test]
fn without_the_store_what_may_be_refused_is_closed_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db");
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&data, PRODUCT, &origin, &[]).await;
        let (paid, credit) = (front.subscribe("ada", "paid").await, front.subscribe("bea", "credit").await);
        let ask = |key: &str| {
            say(
                &front.base,
                format!(
                    "GET /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"
                ),
            )
        };
        assert_eq!([ask(&paid).status, ask(&credit).status], [200, 200]);
        front.rated("ada", 1_000_000).await;
        // Nobody else writes to a file that somebody has locked.
        let lock = rusqlite::Connection::open(&data).unwrap();
        lock.execute_batch("BEGIN IMMEDIATE").unwrap();
        let (open, closed) = (ask(&paid), ask(&credit));
        assert_eq!(open.status, 200);
        assert_eq!((closed.status, closed.code().as_str()), (503, "CHECK_UNAVAILABLE"), "{closed:?}");
        assert_eq!(origin.count(), 3);
        lock.execute_batch("ROLLBACK").unwrap();
        // What was served meanwhile is charged as soon as it can be.
        front.rated("ada", 2_000_000).await;
        front.rated("bea", 1_000_000).await;
    });
}
