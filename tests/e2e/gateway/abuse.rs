//! Requests that proxies are attacked with, byte by byte: what is refused never reaches the backend, and what reaches it has one reading.

use super::PRODUCT;
use std::io::{Read, Write};
use std::time::Duration;
use svc_tests::gateway::Front;
use svc_tests::origin::Origin;
use svc_tests::program::block_on;
use svc_tests::raw::{connect, say, to_end};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// Requests with a key, each to be refused before the backend hears of it: what they are, their text, and the status.
fn refused(key: &str) -> Vec<(&'static str, String, u16)> {
    let get = |path: &str| {
        format!("GET {path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n")
    };
    let post = |headers: &str, body: &str| {
        format!(
            "POST /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\n{headers}connection: close\r\n\r\n{body}"
        )
    };
    vec![
        ("two lengths", post("content-length: 5\r\ncontent-length: 6\r\n", "hello!"), 400),
        ("a list of lengths", post("content-length: 5, 6\r\n", "hello!"), 400),
        ("a length with a sign", post("content-length: +5\r\n", "hello"), 400),
        ("a length below zero", post("content-length: -1\r\n", ""), 400),
        ("a length in hex", post("content-length: 0x5\r\n", "hello"), 400),
        ("another coding", post("transfer-encoding: gzip, chunked\r\n", "0\r\n\r\n"), 501),
        ("chunked twice", post("transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"), 400),
        ("chunked, hidden", post("transfer-encoding: xchunked\r\n", "0\r\n\r\n"), 0),
        ("a space before the colon", post("content-length : 5\r\n", "hello"), 400),
        ("a folded header", post("x-a: 1\r\n b\r\n", ""), 400),
        ("a bare carriage return", post("x-a: 1\rb\r\n", ""), 400),
        ("a null in a header", post("x-a: \0\r\n", ""), 400),
        ("a header without a name", post(": x\r\n", ""), 400),
        ("no host", format!("GET /v1/items HTTP/1.1\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"), 400),
        (
            "two hosts",
            format!(
                "GET /v1/items HTTP/1.1\r\nhost: a\r\nhost: b\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"
            ),
            400,
        ),
        (
            "a host with a path",
            format!("GET /v1/items HTTP/1.1\r\nhost: a/b\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"),
            400,
        ),
        (
            "two keys",
            format!(
                "GET /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"
            ),
            401,
        ),
        (
            "two own keys",
            format!(
                "GET /v1/items HTTP/1.1\r\nhost: a\r\nsvc-key: {key}\r\nsvc-key: {key}\r\nconnection: close\r\n\r\n"
            ),
            401,
        ),
        ("an upgrade", post("upgrade: websocket\r\nconnection: upgrade\r\n", ""), 501),
        ("HTTP/2 asked for in the clear", post("upgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n", ""), 501),
        ("another expectation", post("expect: 200-maybe\r\ncontent-length: 0\r\n", ""), 417),
        ("a loop", post("via: 1.1 svc-gateway\r\n", ""), 508),
        (
            "a method of nobody's",
            format!("BREW /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"),
            501,
        ),
        (
            "a connection through",
            format!("CONNECT a:80 HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"),
            400,
        ),
        (
            "a trace",
            format!("TRACE /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"),
            404,
        ),
        (
            "all there is",
            format!("OPTIONS * HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"),
            400,
        ),
        ("an encoded slash", get("/v1/items%2F7"), 400),
        ("two slashes", get("/v1//items"), 400),
        ("a slash at the end", get("/v1/items/"), 400),
        ("up", get("/v1/health/../items"), 400),
        ("up, encoded", get("/v1/health/%2e%2e/items"), 400),
        ("up, half encoded", get("/v1/health/.%2E/items"), 400),
        ("here", get("/v1/./items"), 400),
        ("a parameter of a path", get("/v1/items;x=1"), 400),
        ("a backslash", get("/v1\\items"), 400),
        ("an encoded null", get("/v1/items/%00"), 400),
        ("an encoded line", get("/v1/items/%0d%0aX-A:1"), 400),
        ("half an escape", get("/v1/items/%2"), 400),
        ("no UTF-8", get("/v1/items/%ff%fe"), 400),
        ("another letter case", get("/V1/items"), 404),
        ("a long path", get(&format!("/v1/items/{}", "a".repeat(20_000))), 414),
        ("a path past the library's", get(&format!("/v1/items/{}", "a".repeat(70_000))), 414),
        ("a large head", post(&format!("x-a: {}\r\n", "a".repeat(600_000)), ""), 431),
        (
            "a scheme of another kind",
            format!(
                "GET ftp://a/v1/items/../x HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"
            ),
            400,
        ),
        ("no request at all", "\x16\x03\x01\x02\x00\x01\r\n\r\n".to_owned(), 400),
    ]
}

#[test]
fn what_could_be_read_in_two_ways_never_reaches_the_backend() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "paid").await;
        let mut wrong = Vec::new();
        for (what, request, status) in refused(&key) {
            let mut stream = connect(&front.base);
            let _sent = stream.write_all(request.as_bytes());
            let answer = String::from_utf8_lossy(&to_end(&mut stream)).into_owned();
            let got: u16 = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
            let is_refused = if status == 0 { (400..600).contains(&got) || got == 0 } else { got == status };
            let reached = origin.count();
            if !is_refused || reached > 0 {
                wrong.push(format!("{what}: {got}, not {status}; {reached} reached the backend; {answer:.200}"));
                origin.seen.lock().unwrap().clear();
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        front.rated("ada", 0).await;
    });
}

#[test]
fn a_second_request_hidden_in_the_first_stays_its_body() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "paid").await;
        let hidden = "GET /v1/health HTTP/1.1\r\nhost: a\r\nsvc-subject: root\r\n\r\n";
        let head = |framing: &str| {
            format!(
                "POST /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\n{framing}connection: close\r\n\r\n"
            )
        };
        let plain = head(&format!("content-length: {}\r\n", hidden.len())) + hidden;
        assert_eq!(say(&front.base, plain).status, 200);
        let chunked = head("transfer-encoding: chunked\r\n")
            + &format!("{:x}\r\n{hidden}\r\n0\r\nx-trailer: 1\r\n\r\n", hidden.len());
        assert_eq!(say(&front.base, chunked).status, 200);
        let seen = origin.seen.lock().unwrap().clone();
        assert_eq!(seen.len(), 2, "{seen:#?}");
        for seen in seen {
            assert_eq!((seen.body.as_slice(), seen.path()), (hidden.as_bytes(), "/v1/items"));
            let both = (seen.header("content-length"), seen.header("transfer-encoding"));
            assert!(matches!(both, (Some(_), None) | (None, Some("chunked"))), "one framing: {both:?}");
            assert_eq!((seen.header("x-trailer"), seen.header("svc-subject")), (None, Some("ada")));
        }
    });
}

#[test]
fn a_length_beside_chunks_is_not_passed_on_in_either_order() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "paid").await;
        for (count, both) in [
            "transfer-encoding: chunked\r\ncontent-length: 3\r\n",
            "content-length: 3\r\ntransfer-encoding: chunked\r\n",
        ]
        .into_iter()
        .enumerate()
        {
            // What a reader of the length would take for the next request is a part of the chunk.
            let body = "3d\r\nGET /v1/health HTTP/1.1\r\nhost: a\r\nsvc-subject: root\r\nx: y\r\n\r\n\r\n0\r\n\r\n";
            let request = format!(
                "POST /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\n{both}connection: close\r\n\r\n{body}"
            );
            assert_eq!(say(&front.base, request).status, 200);
            let seen = origin.seen.lock().unwrap().clone();
            assert_eq!(seen.len(), count + 1, "{seen:#?}");
            assert_eq!(
                (seen[count].header("content-length"), seen[count].header("transfer-encoding")),
                (None, Some("chunked"))
            );
            assert_eq!((seen[count].path(), seen[count].body.len()), ("/v1/items", 0x3d));
        }
    });
}

#[test]
fn a_client_is_told_to_go_on_only_when_it_was_let_through() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front =
            Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &["--gateway-body-bytes", "1000"]).await;
        let key = front.subscribe("ada", "paid").await;
        let head = |key: &str, length: usize| {
            format!(
                "POST /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nexpect: 100-continue\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            )
        };
        for (key, length, status) in [("nobody", 5, "401"), (key.as_str(), 1_001, "413")] {
            let mut stream = connect(&front.base);
            stream.write_all(head(key, length).as_bytes()).unwrap();
            let answer = String::from_utf8(to_end(&mut stream)).unwrap();
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        }
        assert_eq!(origin.count(), 0);
        let mut stream = connect(&front.base);
        stream.write_all(head(&key, 5).as_bytes()).unwrap();
        let mut told = [0; 25];
        stream.read_exact(&mut told).unwrap();
        assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
        stream.write_all(b"hello").unwrap();
        assert!(String::from_utf8(to_end(&mut stream)).unwrap().starts_with("HTTP/1.1 200"));
        assert_eq!((origin.only().body.as_slice(), origin.only().header("expect")), (&b"hello"[..], None));
        // One that says nothing of its length is cut where it is too long.
        let long = format!(
            "POST /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
        );
        let chunk = format!("200\r\n{}\r\n", "x".repeat(512));
        assert_eq!(say(&front.base, long + &chunk + &chunk + "0\r\n\r\n").status, 413);
        assert_eq!(origin.count(), 1);
    });
}

#[test]
fn an_answer_may_come_before_the_body_and_a_stream_as_it_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::start(|seen, stream| {
        assert_eq!(seen.path(), "/v1/items");
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
            .unwrap();
        for number in 0..3 {
            std::thread::sleep(Duration::from_millis(300));
            stream.write_all(format!("9\r\ndata: {number}\n\n\r\n").as_bytes()).unwrap();
        }
        stream.write_all(b"0\r\n\r\n").is_ok()
    });
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "credit").await;
        let mut stream = connect(&front.base);
        stream
            .write_all(
                format!(
                    "GET /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"
                )
                .as_bytes(),
            )
            .unwrap();
        let begun = std::time::Instant::now();
        let mut read = String::new();
        let mut came = Vec::new();
        while came.len() < 3 {
            let mut piece = [0; 1_024];
            let length = stream.read(&mut piece).unwrap();
            assert!(length > 0, "{read}");
            read.push_str(std::str::from_utf8(&piece[..length]).unwrap());
            while came.len() < read.matches("data: ").count() {
                came.push(begun.elapsed());
            }
        }
        assert!(came[2] - came[0] >= Duration::from_millis(400), "each came when it was made: {came:?}");
        assert!(String::from_utf8(to_end(&mut stream)).unwrap().ends_with("0\r\n\r\n"));
        front.rated("ada", 1_000_000).await;
    });
}
