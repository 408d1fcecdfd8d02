//! HTTP to the letter: what is asked in bytes, and what is answered.

use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value as Json, json};
use std::io::{Read, Write};
use svc_tests::api::{Api, Business, OPERATOR, Server};
use svc_tests::program::block_on;
use svc_tests::raw::{Written, connect, say};

const METERED: &str = r#"
import { Meter, Plan, Product } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Tiny {
  @Meter("tokens") tokens;
  @Plan("basic", { limits: { requests: { rate: 60, interval: "minute" } }, meter: { tokens: { micros: 1000 } } }) basic;
}
"#;

fn with_business(arguments: &[&str], tell: impl FnOnce(&Server, &Business, String)) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db").display().to_string();
    let arguments = [&["--data", &data], arguments].concat();
    let server = Server::start_with(&arguments.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
    let (business, portal) = block_on(async {
        let business = Api::new(&server).business(METERED).await;
        let portal = business.subscribe("ada", "basic").await;
        (business, portal)
    });
    tell(&server, &business, portal);
    assert_eq!(server.terminate(), Some(0));
}

fn ask(server: &Server, method: &str, path: &str, headers: &[&str], body: &str) -> Written {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    say(&server.base, format!("{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n{body}"))
}

fn refused(answer: &Written, status: u16, code: &str) {
    assert_eq!((answer.status, answer.code().as_str()), (status, code), "{answer:?}");
}

/// JSON to the usage endpoint, as it is.
fn usage(server: &Server, business: &Business, body: &str) -> Written {
    let headers = [
        format!("authorization: Bearer {}", business.deploy),
        "content-type: application/json".to_owned(),
        format!("content-length: {}", body.len()),
    ];
    let headers = headers.each_ref().map(String::as_str);
    ask(server, "POST", &format!("{}/usage", business.root), &headers, body)
}

#[test]
fn head_is_get_without_content_and_uses_nothing_up() {
    with_business(&[], |server, business, portal| {
        let path = format!("/portal/businesses/{}/me/bill-preview", business.id);
        let token = format!("authorization: Bearer {portal}");
        let (get, head) = (ask(server, "GET", &path, &[&token], ""), ask(server, "HEAD", &path, &[&token], ""));
        assert_eq!((get.status, head.status, head.body.as_str()), (200, 200, ""));
        for same in ["content-type: application/json", "cache-control: private, no-store", "content-length: "] {
            assert!(get.head.contains(same) && head.head.contains(same), "{same}: {}", head.head);
        }
        assert!(head.head.contains(&format!("content-length: {}", get.body.len())), "{}", head.head);
        let missing = ask(server, "HEAD", "/nothing", &[], "");
        assert_eq!((missing.status, missing.body.as_str()), (404, ""));
        let link = block_on(async {
            let path = format!("{}/portal-sessions", business.root);
            business.api.post(OPERATOR, &path, json!({ "subject": "ada" })).await.expect(201).text("url")
        });
        let link = link.trim_start_matches(&server.base);
        assert_eq!(ask(server, "HEAD", link, &[], "").status, 503);
        assert_eq!(ask(server, "GET", link, &[], "").status, 303, "the link is still there");
    });
}

#[test]
fn head_over_http_2_ends_with_its_head_and_the_connection_goes_on() {
    with_business(&[], |server, _, _| {
        block_on(async {
            let client = Client::builder(TokioExecutor::new()).http2_only(true).build_http::<Empty<Bytes>>();
            for method in ["HEAD", "GET", "HEAD"] {
                let request = Request::builder().method(method).uri(format!("{}/healthz", server.base));
                let response = client.request(request.body(Empty::new()).unwrap()).await.unwrap();
                assert_eq!(response.status(), 200);
                assert_eq!(response.headers()["content-length"], "18");
                let body = response.into_body().collect().await.unwrap().to_bytes();
                assert_eq!(body.len(), if method == "HEAD" { 0 } else { 18 });
            }
        });
    });
}

#[test]
fn options_says_what_there_is_and_nothing_of_other_origins_unless_told() {
    let preview = |business: &Business| format!("/portal/businesses/{}/me/bill-preview", business.id);
    let asked = ["origin: https://app.example.com", "access-control-request-method: GET"];
    with_business(&[], |server, business, _| {
        for (path, allow) in [
            ("/v1/businesses", "allow: post, options"),
            ("/healthz", "allow: get, head, options"),
            ("/v1/businesses/x/portal", "allow: get, put, head, options"),
            ("*", "allow: get, head, post, put, delete, options"),
        ] {
            let answer = ask(server, "OPTIONS", path, &[], "");
            assert_eq!((answer.status, answer.body.as_str()), (204, ""));
            assert!(answer.head.contains(allow), "{path}: {}", answer.head);
        }
        refused(&ask(server, "OPTIONS", "/nothing", &[], ""), 404, "NOT_FOUND");
        let answer = ask(server, "OPTIONS", &preview(business), &asked, "");
        assert!(!answer.head.contains("access-control"), "{}", answer.head);
    });
    with_business(&["--cors-origin", "https://app.example.com"], |server, business, portal| {
        let path = preview(business);
        let answer = ask(server, "OPTIONS", &path, &asked, "");
        assert!(answer.head.contains("access-control-allow-origin: https://app.example.com"), "{}", answer.head);
        let token = format!("authorization: Bearer {portal}");
        let read = ask(server, "GET", &path, &[&token, asked[0]], "");
        assert_eq!(read.status, 200);
        assert!(read.head.contains("access-control-allow-origin: https://app.example.com"), "{}", read.head);
        for stranger in [
            ask(server, "GET", &path, &[&token, "origin: https://evil.example.com"], ""),
            ask(server, "GET", "/healthz", &[asked[0]], ""),
            ask(server, "OPTIONS", "/v1/businesses", &asked, ""),
        ] {
            assert!(!stranger.head.contains("access-control-allow-origin"), "{}", stranger.head);
        }
    });
}

#[test]
fn heads_that_are_none_are_refused_with_a_problem() {
    with_business(&[], |server, _, _| {
        let bare = |request: &str| say(&server.base, request.replace('\n', "\r\n"));
        refused(&bare("GET /healthz HTTP/1.1\nconnection: close\n\n"), 400, "HOST");
        refused(&bare("GET /healthz HTTP/1.1\nhost: a\nhost: b\nconnection: close\n\n"), 400, "HOST");
        assert_eq!(bare("GET /healthz HTTP/1.0\n\n").status, 200);
        let post = |more: &str| bare(&format!("POST /v1/businesses HTTP/1.1\nhost: x\nconnection: close\n{more}\n\n"));
        refused(&post("transfer-encoding: gzip, chunked\n\n0\n"), 501, "TRANSFER_ENCODING");
        refused(&post("expect: tea"), 417, "EXPECTATION");
        refused(&ask(server, "BREW", "/healthz", &[], ""), 501, "METHOD_UNKNOWN");
        refused(&ask(server, "TRACE", "/healthz", &[], ""), 405, "METHOD_NOT_ALLOWED");
        // What hyper refuses by itself.
        refused(&bare("this is no request\n\n"), 400, "REQUEST_FORM");
        refused(&bare("GET /healthz HTTP/1.1\nhost: x\ncontent-length: 1\ncontent-length: 2\n\n"), 400, "REQUEST_FORM");
        refused(&bare(&format!("GET /{} HTTP/1.1\nhost: x\n\n", "a".repeat(70_000))), 414, "URI_TOO_LONG");
        let large = format!("GET /healthz HTTP/1.1\nhost: x\nlarge: {}\n\n", "a".repeat(400_000));
        refused(&bare(&large), 431, "HEAD_TOO_LARGE");
        // In a pipeline, too, the first answer comes first.
        let pipeline = bare("GET /healthz HTTP/1.1\nhost: x\n\nnonsense\n\n");
        assert_eq!(pipeline.status, 200);
    });
}

#[test]
fn a_body_of_no_content_is_no_body() {
    with_business(&[], |server, business, _| {
        let subscriptions = format!("{}/subscriptions", business.root);
        let made = block_on(async {
            let body = json!({ "subject": "bea", "plan": "basic" });
            business.api.post(OPERATOR, &subscriptions, body).await.expect(201).text("subscriptionId")
        });
        let operator = format!("authorization: Bearer {OPERATOR}");
        let cancel = format!("{subscriptions}/{made}/cancel");
        let chunked = ask(server, "POST", &cancel, &[&operator, "transfer-encoding: chunked"], "0\r\n\r\n");
        assert_eq!(chunked.status, 200, "{chunked:?}");
        let typed = ask(server, "POST", &cancel, &[&operator, "transfer-encoding: chunked"], "2\r\n{}\r\n0\r\n\r\n");
        refused(&typed, 415, "MEDIA_TYPE");
    });
}

#[test]
fn a_body_that_will_be_refused_is_never_asked_for() {
    with_business(&[], |server, business, _| {
        let announce = |path: &str, token: &str, bytes: usize| {
            let headers = [
                format!("authorization: Bearer {token}"),
                "content-type: application/json".to_owned(),
                format!("content-length: {bytes}"),
                "expect: 100-continue".to_owned(),
            ];
            ask(server, "POST", path, &headers.each_ref().map(String::as_str), "")
        };
        for (path, most) in [("builds", 10 << 20), ("usage", 1 << 20), ("holds", 64 << 10)] {
            let path = format!("{}/{path}", business.root);
            refused(&announce(&path, &business.deploy, most + 1), 413, "BODY_TOO_LARGE");
            refused(&announce(&path, "nonsense", 1), 401, "UNAUTHORIZED");
        }
        // One that is taken is asked for.
        let mut stream = connect(&server.base);
        let body = r#"{"items":[]}"#;
        let head = format!(
            "POST {}/usage HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n",
            business.root,
            business.deploy,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut going_on = [0; 25];
        stream.read_exact(&mut going_on).unwrap();
        assert_eq!(&going_on, b"HTTP/1.1 100 Continue\r\n\r\n");
        stream.write_all(body.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    });
}

#[test]
fn a_body_means_one_thing() {
    with_business(&[], |server, business, _| {
        let item = |more: &str| format!(r#"{{"items":[{{"id":"a","subject":"ada","meter":"tokens",{more}}}]}}"#);
        for (body, says) in [
            (item(r#""units":1,"units":1000"#), "twice"),
            (item(r#""units":1,"\u0075nits":1000"#), "twice"),
            (item(r#""units":{"$serde_json::private::RawValue":"5"}"#), "may not be called"),
            (r#"{"items":[{"$serde_json::private::RawValue":"{}"}]}"#.to_owned(), "may not be called"),
            (item(r#""units":{"$serde_json::private::Number":"5"}"#), "may not be called"),
            (r#"{"items":[],"items":[]}"#.to_owned(), "twice"),
            (item(r#""units":"\u0000""#), "U+0000"),
            (format!("\u{feff}{}", item(r#""units":1"#)), "byte-order mark"),
            (format!(r#"{{"items":[{}0]}}"#, "0,".repeat(250_000)), "values"),
        ] {
            let answer = usage(server, business, &body);
            refused(&answer, 400, "BODY_FORM");
            assert!(answer.body.contains(says), "{says}: {}", answer.body);
        }
        let taken = usage(server, business, &item(r#""units":1"#));
        let taken: Json = serde_json::from_str(&taken.body).unwrap();
        assert_eq!(taken["results"][0]["status"], "accepted", "{taken}");
        let headers = [
            &format!("authorization: Bearer {}", business.deploy),
            "content-type: application/json",
            "content-encoding: gzip",
            "content-length: 2",
        ];
        let encoded = ask(server, "POST", &format!("{}/usage", business.root), &headers, "{}");
        refused(&encoded, 415, "CONTENT_ENCODING");
        assert!(encoded.head.contains("accept-encoding: identity"), "{}", encoded.head);
    });
}

#[test]
fn requests_are_measured_by_route_and_nobodys_name_is_a_label() {
    with_business(&["--first-byte-seconds", "1"], |server, business, portal| {
        let token = format!("authorization: Bearer {portal}");
        let path = format!("/portal/businesses/{}/me/bill-preview", business.id);
        for _ in 0..3 {
            assert_eq!(ask(server, "GET", &path, &[&token], "").status, 200);
        }
        let _unknown = (ask(server, "BREW", "/x/y", &[], ""), say(&server.base, "nonsense\r\n\r\n"));
        svc_tests::raw::to_end(&mut connect(&server.base));
        let metrics = ask(server, "GET", "/metrics", &[], "").body;
        for line in [
            "http_server_request_duration_seconds_count{http_request_method=\"GET\",http_route=\"/portal/businesses/{business}/me/bill-preview\",http_response_status_code=\"200\"} 3",
            "http_server_request_duration_seconds_count{http_request_method=\"_OTHER\",http_route=\"none\",http_response_status_code=\"501\"} 1",
            "http_server_request_duration_seconds_count{http_request_method=\"_OTHER\",http_route=\"none\",http_response_status_code=\"400\"} 1",
            "svc_http_connections_ended_total{why=\"silent\"} 1",
            "http_server_active_requests 1",
        ] {
            assert!(metrics.lines().any(|one| one == line), "{line} is not in {metrics}");
        }
        assert!(!metrics.contains(&business.id) && !metrics.contains("x/y"), "{metrics}");
    });
}

#[test]
fn each_request_has_an_access_line_and_no_secret_is_in_it() {
    // At its most talkative, in both versions of HTTP.
    with_business(&["--format", "json", "-vv"], |server, business, portal| {
        block_on(async {
            let client = Client::builder(TokioExecutor::new()).http2_only(true).build_http::<Empty<Bytes>>();
            let uri = format!("{}/portal/businesses/{}/me/bill-preview", server.base, business.id);
            let request = Request::builder().uri(uri).header("authorization", format!("Bearer {portal}"));
            let response = client.request(request.body(Empty::new()).unwrap()).await.unwrap();
            assert_eq!(response.status(), 200);
        });
        let path = format!("/portal/businesses/{}/me/bill-preview", business.id);
        let token = format!("authorization: Bearer {portal}");
        let answer = ask(server, "GET", &path, &[&token, "x-request-id: mine", "cookie: svc_portal=hidden"], "");
        let id = answer.head.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned();
        assert!(id.starts_with("req_"), "{id}");
        let find = || {
            let log = server.log.lock().unwrap();
            let lines = log.iter().filter_map(|line| serde_json::from_str::<Json>(line).ok());
            lines.into_iter().find(|line| line["span"]["id"] == id.as_str() && line["fields"]["message"] == "answered")
        };
        let line = (0..100).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            find()
        });
        let line = line.expect("an access line");
        assert_eq!((&line["span"]["peer"], &line["span"]["method"]), (&json!("127.0.0.1"), &json!("GET")));
        assert_eq!(line["fields"]["route"], "/portal/businesses/{business}/me/bill-preview");
        assert_eq!(line["fields"]["status"], 200);
        assert!(line["fields"]["took_ms"].is_u64(), "{line}");
        let log = server.log.lock().unwrap().join("\n");
        for secret in [portal.as_str(), business.deploy.as_str(), OPERATOR, "hidden", "mine"] {
            assert!(!log.contains(secret), "{secret} is in the log");
        }
    });
}
