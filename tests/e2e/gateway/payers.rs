//! Who pays when the client leaves, the backend fails, is late, or is asked twice: each row of the table in docs/gateway.md.

use super::PRODUCT;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use svc_tests::gateway::Front;
use svc_tests::origin::{Origin, Seen, USAGE_SECRET, signed};
use svc_tests::program::block_on;
use svc_tests::raw::{connect, say, to_end};

/// A tenth of a cent.
const CALL: i128 = 1_000_000;
/// The ten tokens that a chat is expected to use.
const EXPECTED: i128 = 100_000;

fn chat(key: &str, body: &str) -> String {
    format!(
        "POST /v1/chat HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Begins an answer, and then waits for longer than any test.
fn begins(seen: &Seen, stream: &mut TcpStream) -> bool {
    let head = match seen.body.as_slice() {
        b"reported" => {
            let value = signed(USAGE_SECRET, &seen.id(), r#"{"tokens":3}"#);
            format!("HTTP/1.1 200 OK\r\nsvc-usage: {value}\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n")
        }
        b"failed" => "HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n".to_owned(),
        _ => "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n".to_owned(),
    };
    stream.write_all(head.as_bytes()).unwrap();
    // The gateway closes when its client has left.
    let _closed = stream.read(&mut [0]);
    false
}

#[test]
fn who_leaves_in_the_middle_of_an_answer_pays_what_was_expected_or_reported() {
    for plan in ["paid", "credit"] {
        let folder = tempfile::tempdir().unwrap();
        let origin = Origin::start(begins);
        block_on(async {
            let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
            let key = front.subscribe("ada", plan).await;
            let mut rated = 0;
            for (body, nanos) in [("plain", CALL + EXPECTED), ("reported", CALL + 30_000), ("failed", 0)] {
                let mut stream = connect(&front.base);
                stream.write_all(chat(&key, body).as_bytes()).unwrap();
                let mut read = Vec::new();
                while !read.ends_with(b"hello\r\n") {
                    let mut byte = [0];
                    stream.read_exact(&mut byte).unwrap();
                    read.push(byte[0]);
                }
                drop(stream);
                rated += nanos;
                front.rated("ada", rated).await;
            }
        });
    }
}

#[test]
fn who_leaves_before_the_answer_pays_as_if_they_had_stayed() {
    let folder = tempfile::tempdir().unwrap();
    let answered = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&answered);
    let origin = Origin::start(move |seen, stream| {
        std::thread::sleep(Duration::from_millis(300));
        let value = signed(USAGE_SECRET, &seen.id(), r#"{"tokens":3}"#);
        let written = stream
            .write_all(format!("HTTP/1.1 200 OK\r\nsvc-usage: {value}\r\ncontent-length: 2\r\n\r\nok").as_bytes());
        count.fetch_add(1, Ordering::SeqCst);
        written.is_ok()
    });
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "credit").await;
        let mut stream = connect(&front.base);
        stream.write_all(chat(&key, "x").as_bytes()).unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        drop(stream);
        front.rated("ada", CALL + 30_000).await;
        assert_eq!(answered.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn who_leaves_before_the_request_is_whole_pays_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "credit").await;
        let mut stream = connect(&front.base);
        let head = format!(
            "POST /v1/chat HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\ncontent-length: 100\r\n\r\nhalf"
        );
        stream.write_all(head.as_bytes()).unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(front.bill("ada").await["allowances"][0]["heldNanos"], (CALL + EXPECTED).to_string());
        drop(stream);
        released(&front).await;
        front.rated("ada", 0).await;
        assert_eq!(origin.count(), 0);
    });
}

/// Waits until nothing is set aside any more.
async fn released(front: &Front) {
    for _ in 0..500 {
        if front.bill("ada").await["allowances"][0]["heldNanos"] == "0" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("what was set aside is not let go: {:#}", front.bill("ada").await);
}

#[test]
fn a_backend_that_fails_or_is_late_is_paid_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::start(|seen, stream| match seen.body.as_slice() {
        b"closes" => false,
        b"breaks" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf").unwrap();
            false
        }
        b"garbage" => {
            stream.write_all(b"SSH-2.0-OpenSSH\r\n\r\n").unwrap();
            false
        }
        b"late" => {
            std::thread::sleep(Duration::from_secs(4));
            false
        }
        b"stops" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf").unwrap();
            std::thread::sleep(Duration::from_secs(4));
            false
        }
        _ => stream.write_all(b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n").is_ok(),
    });
    block_on(async {
        let silence = ["--gateway-silence-seconds", "1"];
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &silence).await;
        let key = front.subscribe("ada", "credit").await;
        for (body, status, code) in [
            ("closes", 502, "BACKEND_BROKEN"),
            ("garbage", 502, "BACKEND_BROKEN"),
            ("late", 504, "BACKEND_TIMEOUT"),
            ("fails", 503, ""),
        ] {
            let answer = say(&front.base, chat(&key, body));
            assert_eq!(answer.status, status, "{body}: {answer:?}");
            assert!(code.is_empty() || answer.code() == code, "{body}: {answer:?}");
        }
        for body in ["breaks", "stops"] {
            let mut stream = connect(&front.base);
            stream.write_all(chat(&key, body).as_bytes()).unwrap();
            let answer = String::from_utf8(to_end(&mut stream)).unwrap();
            assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("half"), "{body}: {answer}");
        }
        released(&front).await;
        front.rated("ada", 0).await;
    });
}

#[test]
fn a_report_past_what_may_be_spent_costs_what_was_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::start(|seen, stream| {
        let value = signed(USAGE_SECRET, &seen.id(), r#"{"tokens":1000000}"#);
        stream
            .write_all(format!("HTTP/1.1 200 OK\r\nsvc-usage: {value}\r\ncontent-length: 2\r\n\r\nok").as_bytes())
            .is_ok()
    });
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "credit").await;
        assert_eq!(say(&front.base, chat(&key, "x")).status, 200);
        front.rated("ada", CALL + EXPECTED).await;
        released(&front).await;
    });
}

#[test]
fn a_request_that_is_sent_again_is_charged_once() {
    let folder = tempfile::tempdir().unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    // Each connection is closed behind its first answer, without a word.
    let origin = Origin::start(move |_, stream| {
        count.fetch_add(1, Ordering::SeqCst);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").unwrap();
        false
    });
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "paid").await;
        let get =
            format!("GET /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n");
        // One that met a connection on its way to be closed may have been sent, and is not sent again.
        let served = (0..50).filter(|_| say(&front.base, &get).status == 200).count();
        assert!(served > 25 && connections.load(Ordering::SeqCst) >= served, "{served}");
        assert_eq!(origin.count(), served);
        front.rated("ada", CALL * i128::try_from(served).unwrap()).await;
    });
}
