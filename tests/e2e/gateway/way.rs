//! A request's way through: who is let through to what, what the backend gets, and what the client gets back.

use super::PRODUCT;
use serde_json::json;
use std::io::Write;
use svc_tests::api::OPERATOR;
use svc_tests::gateway::Front;
use svc_tests::origin::{Origin, USAGE_SECRET, signed};
use svc_tests::program::block_on;
use svc_tests::raw::{Written, say};

/// An answer of a backend.
const OK: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\nsvc-secret: x\r\nx-own: 1\r\n\r\n{\"ok\":true}";

fn asked(front: &Front, key: &str, method: &str, path: &str, more: &str) -> Written {
    let key = if key.is_empty() { String::new() } else { format!("authorization: Bearer {key}\r\n") };
    say(&front.base, format!("{method} {path} HTTP/1.1\r\nhost: api.example\r\n{key}{more}connection: close\r\n\r\n"))
}

#[test]
fn a_request_reaches_its_backend_and_its_answer_the_client() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("Zoë", "paid").await;
        let answer = asked(
            &front,
            &key,
            "GET",
            "/v1/%69tems/a%20b?q=%2F;x",
            "svc-subject: root\r\nx-forwarded-for: 1.2.3.4\r\n",
        );
        assert_eq!((answer.status, answer.body.as_str()), (200, r#"{"ok":true}"#));
        assert!(answer.head.contains("x-own: 1") && !answer.head.contains("svc-secret"), "{answer:?}");
        assert!(answer.head.contains("ratelimit-policy: \"requests\";q=1000000;w=1"), "{answer:?}");
        assert!(answer.head.contains("ratelimit: \"requests\";r=999999;t=1"), "{answer:?}");
        let seen = origin.only();
        assert_eq!(seen.line, "GET /v1/items/a%20b?q=%2F;x HTTP/1.1");
        assert_eq!(seen.header("svc-subject"), Some("Zo%C3%AB"));
        assert_eq!((seen.header("svc-plan"), seen.header("svc-route")), (Some("paid"), Some("GET /v1/items/{id}")));
        assert_eq!((seen.header("svc-feature"), seen.header("x-forwarded-for")), (Some("base"), Some("127.0.0.1")));
        assert_eq!(seen.header("forwarded"), Some("for=127.0.0.1;proto=http;host=\"api.example\""));
        assert_eq!(seen.header("host"), Some(origin.address.as_str()));
        assert_eq!((seen.header("authorization"), seen.header("connection")), (None, None));
        assert!(seen.id().starts_with("req_") && answer.head.contains(&format!("x-request-id: {}", seen.id())));
        front.rated("Zoë", 1_000_000).await;
        // The product's own credentials go through beside the gateway's key.
        let own = say(
            &front.base,
            format!(
                "GET /v1/items HTTP/1.1\r\nhost: a\r\nauthorization: Basic eA==\r\nsvc-key: {key}\r\nconnection: close\r\n\r\n"
            ),
        );
        assert_eq!(own.status, 200);
        assert_eq!(origin.seen.lock().unwrap()[1].header("authorization"), Some("Basic eA=="));
    });
}

#[test]
fn who_may_not_is_told_why_and_the_backend_hears_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let (key, capped) = (front.subscribe("ada", "paid").await, front.subscribe("bea", "capped").await);
        let portal = front.business.portal("ada").await;
        let nobody = front.key("eve").await;
        let code = |key: &str, method: &str, path: &str| {
            let answer = asked(&front, key, method, path, "");
            (answer.status, answer.code())
        };
        let is = |status: u16, code: &str| (status, code.to_owned());
        assert_eq!(code("", "GET", "/v1/items"), is(401, "UNAUTHORIZED"));
        assert_eq!(code("svc_gateway_00", "GET", "/v1/items"), is(401, "UNAUTHORIZED"));
        assert_eq!(code(&portal, "GET", "/v1/items"), is(401, "UNAUTHORIZED"));
        assert_eq!(code(&front.business.deploy, "GET", "/v1/items"), is(401, "UNAUTHORIZED"));
        assert_eq!(code(&nobody, "GET", "/v1/items"), is(403, "SUBSCRIPTION_NOT_FOUND"));
        assert_eq!(code(&key, "GET", "/v1/nothing"), is(404, "ROUTE_NOT_FOUND"));
        assert_eq!(code(&key, "DELETE", "/v1/items"), is(404, "ROUTE_NOT_FOUND"));
        assert_eq!(code(&capped, "GET", "/v1/extra"), is(403, "NOT_ENTITLED"));
        assert_eq!(code(&key, "GET", "/v1/items/a%2Fb"), is(400, "PATH_FORM"));
        assert_eq!(origin.count(), 0);
        assert_eq!(asked(&front, &key, "GET", "/v1/extra", "").status, 200);
    });
}

#[test]
fn a_limit_lets_through_what_it_says_and_tells_when_there_is_more() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "small").await;
        for left in (0..5).rev() {
            let answer = asked(&front, &key, "GET", "/v1/items", "");
            assert!(
                answer.status == 200 && answer.head.contains(&format!("ratelimit: \"requests\";r={left};")),
                "{answer:?}"
            );
        }
        let denied = asked(&front, &key, "GET", "/v1/items", "");
        assert_eq!((denied.status, denied.code().as_str()), (429, "RATE_LIMITED"));
        let wait: u64 =
            denied.head.split("retry-after: ").nth(1).unwrap().split("\r\n").next().unwrap().parse().unwrap();
        assert!((700..=720).contains(&wait), "{denied:?}");
        assert_eq!(asked(&front, &key, "GET", "/v1/health", "").status, 200, "what is not metered is not limited");
        assert_eq!(origin.count(), 6);
        front.rated("ada", 5_000_000).await;
    });
}

/// Asks until the answer has this status: what is known of a subject is good for a moment.
async fn asked_until(front: &Front, key: &str, status: u16) {
    let begun = std::time::Instant::now();
    loop {
        let answer = asked(front, key, "GET", "/v1/items", "");
        if answer.status == status {
            return;
        }
        assert!(begun.elapsed().as_secs() < 10, "{answer:?}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[test]
fn limits_that_differ_count_apart_when_the_plan_is_moved() {
    for arguments in [&[][..], &["--gateway-shares-limits", "true"]] {
        let folder = tempfile::tempdir().unwrap();
        let origin = Origin::answering(OK);
        block_on(async {
            let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, arguments).await;
            let subscriptions = format!("{}/subscriptions", front.business.root);
            let body = json!({ "subject": "ada", "plan": "small" });
            let id = front.api.post(OPERATOR, &subscriptions, body).await.expect(201).text("subscriptionId");
            let key = front.key("ada").await;
            let moved = async |plan: &str| {
                let body = json!({ "plan": plan, "at": "now" });
                let _moved = front.api.post(OPERATOR, &format!("{subscriptions}/{id}/change"), body).await.expect(200);
            };
            let statuses: Vec<u16> = (0..6).map(|_| asked(&front, &key, "GET", "/v1/items", "").status).collect();
            assert_eq!(statuses, [200, 200, 200, 200, 200, 429]);
            moved("capped").await;
            asked_until(&front, &key, 200).await;
            let more: Vec<u16> = (0..20).map(|_| asked(&front, &key, "GET", "/v1/items", "").status).collect();
            assert_eq!(more, [200; 20], "five an hour are nothing to a plan with more");
            moved("small").await;
            asked_until(&front, &key, 429).await;
            let denied = asked(&front, &key, "GET", "/v1/items", "");
            let wait: u64 =
                denied.head.split("retry-after: ").nth(1).unwrap().split("\r\n").next().unwrap().parse().unwrap();
            assert!((600..=720).contains(&wait), "what was used of it is known, and nothing else: {denied:?}");
        });
    }
}

#[test]
fn credit_pays_for_what_it_covers_and_not_for_one_more() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "credit").await;
        // Four cents at a tenth of a cent each.
        let statuses: Vec<u16> = (0..42).map(|_| asked(&front, &key, "GET", "/v1/items", "").status).collect();
        assert_eq!(statuses, [vec![200; 40], vec![402; 2]].concat());
        assert_eq!(origin.count(), 40);
        let bill = front.rated("ada", 40_000_000).await;
        assert_eq!(bill["allowances"][0]["remainingNanos"], "0", "{bill:#}");
        let denied = asked(&front, &key, "GET", "/v1/items", "");
        assert_eq!(denied.code(), "NO_CREDIT");
    });
}

#[test]
fn what_backends_report_is_charged_by_header_and_by_trailer() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::start(|seen, stream| {
        let value = signed(USAGE_SECRET, &seen.id(), r#"{"tokens":7}"#);
        let answer = match seen.body.as_slice() {
            b"header" => format!("HTTP/1.1 200 OK\r\nsvc-usage: {value}\r\ncontent-length: 2\r\n\r\nok"),
            b"trailer" => format!(
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: svc-usage\r\n\r\n2\r\nok\r\n0\r\nsvc-usage: {value}\r\n\r\n"
            ),
            b"both" => format!(
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nsvc-usage: {value}\r\n\r\n2\r\nok\r\n0\r\nsvc-usage: {value}\r\n\r\n"
            ),
            b"forged" => {
                let value = signed("another-secret-of-32-characters-00", &seen.id(), r#"{"tokens":7}"#);
                format!("HTTP/1.1 200 OK\r\nsvc-usage: {value}\r\ncontent-length: 2\r\n\r\nok")
            }
            b"foreign" => {
                let value = signed(USAGE_SECRET, &seen.id(), r#"{"tokens":7,"calls":1000}"#);
                format!("HTTP/1.1 200 OK\r\nsvc-usage: {value}\r\ncontent-length: 2\r\n\r\nok")
            }
            _ => "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".to_owned(),
        };
        stream.write_all(answer.as_bytes()).is_ok()
    });
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "paid").await;
        let mut rated = 0;
        for (how, nanos) in [
            ("header", 1_000_000 + 70_000),
            ("trailer", 1_000_000 + 70_000),
            ("both", 1_000_000),
            ("forged", 1_000_000),
            ("foreign", 1_000_000 + 70_000),
            ("none", 1_000_000),
        ] {
            let request = format!(
                "POST /v1/chat HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nte: trailers\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{how}",
                how.len()
            );
            let answer = say(&front.base, request);
            assert_eq!(answer.status, 200, "{how}: {answer:?}");
            assert!(!answer.head.contains("svc-usage") && !answer.body.contains("svc-usage"), "{how}: {answer:?}");
            rated += nanos;
            front.rated("ada", rated).await;
        }
    });
}

#[test]
fn there_are_never_more_of_a_resource_than_the_plan_allows() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::start(|seen, stream| {
        let status = if seen.body == b"bad" { "422 No" } else { "201 Created" };
        stream.write_all(format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").as_bytes()).is_ok()
    });
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "capped").await;
        let make = |body: &str| {
            say(
                &front.base,
                format!(
                    "POST /v1/jobs HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                ),
            )
        };
        assert_eq!([make("bad").status, make("").status, make("").status], [422, 201, 201]);
        let denied = make("");
        assert_eq!((denied.status, denied.code().as_str()), (403, "RESOURCE_CAP_REACHED"));
        let body: serde_json::Value = serde_json::from_str(&denied.body).unwrap();
        assert_eq!((&body["resource"], &body["cap"]), (&json!("jobs"), &json!(2)));
        assert_eq!(asked(&front, &key, "DELETE", "/v1/jobs/1", "").status, 201);
        assert_eq!([make("").status, make("").status], [201, 403]);
        assert_eq!(origin.count(), 5);
        // The backend knows better: two jobs have ended by themselves.
        let counts = format!("{}/resource-counts", front.business.root);
        let counted = front.api.get(OPERATOR, &format!("{counts}?subject=ada")).await.expect(200).body;
        assert_eq!(
            counted,
            json!({ "subject": "ada", "resources": [{ "resource": "jobs", "count": 2 }], "cursor": null })
        );
        let body = json!({ "subject": "ada", "resource": "jobs", "count": 0 });
        let token = json!({ "kind": "usage" });
        let usage =
            front.api.post(OPERATOR, &format!("{}/tokens", front.business.root), token).await.expect(201).text("token");
        let counted = front.api.put(&usage, &counts, body.clone()).await.expect(200).body;
        assert_eq!(counted["resources"][0]["count"], 0);
        assert_eq!([make("").status, make("").status, make("").status], [201, 201, 403]);
        for (member, value, code) in [
            ("resource", json!("seats"), "UNKNOWN_RESOURCE"),
            ("count", json!(1_u64 << 53), "COUNT_RANGE"),
            ("subject", json!("a\nb"), "NAME_FORM"),
        ] {
            let mut wrong = body.clone();
            wrong[member] = value;
            assert_eq!(front.api.put(&usage, &counts, wrong).await.expect(422).text("code"), code);
        }
        let log = front.api.get(OPERATOR, &format!("{}/audit-log", front.business.root)).await.expect(200).body;
        let entry = log["entries"].as_array().unwrap().iter().find(|entry| entry["action"] == "resource.count_set");
        assert_eq!(entry.unwrap()["detail"], json!({ "resource": "jobs", "before": 2, "after": 0 }));
    });
}

#[test]
fn a_key_that_has_ended_or_was_taken_back_opens_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &origin, &[]).await;
        front.business.subscribe("ada", "paid").await;
        let tokens = format!("{}/tokens", front.business.root);
        let mint = async |body| front.api.post(svc_tests::api::OPERATOR, &tokens, body).await.expect(201);
        let short = mint(json!({ "kind": "gateway", "subject": "ada", "expiresInSeconds": 1 })).await.text("token");
        let taken = mint(json!({ "kind": "gateway", "subject": "ada" })).await;
        let (id, taken) = (taken.text("tokenId"), taken.text("token"));
        assert_eq!(asked(&front, &taken, "GET", "/v1/items", "").status, 200);
        let authorization = format!("Bearer {}", svc_tests::api::OPERATOR);
        let revoked =
            front.api.send("DELETE", &format!("{tokens}/{id}"), &[("authorization", &authorization)], "").await;
        assert!(revoked.status < 300, "{revoked:?}");
        tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
        assert_eq!(asked(&front, &taken, "GET", "/v1/items", "").status, 401);
        assert_eq!(asked(&front, &short, "GET", "/v1/items", "").status, 401);
        assert_eq!(origin.count(), 1);
        front.rated("ada", 1_000_000).await;
        let (_, _, metrics) = front.api.text("GET", "/metrics").await;
        for line in [
            "svc_gateway_refused_total{code=\"UNAUTHORIZED\"} 2",
            "svc_gateway_settled_total{code=\"charged\"} 1",
            "svc_gateway_settlements_waiting 0",
        ] {
            assert!(metrics.contains(line), "{line} is not in {metrics}");
        }
    });
}

#[test]
fn a_host_is_one_businesss() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db");
    let origin = Origin::answering(OK);
    block_on(async {
        let front = Front::start(&data, PRODUCT, &origin, &[]).await;
        let key = front.subscribe("ada", "paid").await;
        let host = format!("api.example={}", front.business.id);
        let other = front.api.business(&PRODUCT.replace("ORIGIN", &format!("http://{}", origin.address))).await;
        let foreign = format!("other.example={}", other.id);
        let data = data.display().to_string();
        let gateway =
            svc_tests::gateway::Gateway::start(&["--data", &data, "--gateway-host", &host, "--gateway-host", &foreign]);
        let ask = |host: &str| {
            say(
                &gateway.base,
                format!(
                    "GET /v1/items HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"
                ),
            )
        };
        assert_eq!(ask("API.example:80").status, 200);
        assert_eq!(ask("other.example").code(), "UNAUTHORIZED", "a key of another business");
        assert_eq!((ask("unknown.example").status, ask("unknown.example").code().as_str()), (421, "HOST_UNKNOWN"));
        assert_eq!(origin.count(), 1);
    });
}
