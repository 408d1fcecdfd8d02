//! The API's doors: who may pass, what is refused and how, and how it ends.

use serde_json::{Value as Json, json};
use svc_tests::api::{Answer, Api, OPERATOR, Server};
use svc_tests::golden;
use svc_tests::program::{block_on, root};

const PRODUCT: &str = r#"
import { Plan, Product } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Tiny {
  @Plan("free", { limits: { requests: { rate: 60, interval: "minute" } } }) free;
  @Plan("old", { limits: { requests: { rate: 60, interval: "minute" } }, legacy: true }) old;
}
"#;

fn with_server<F: Future<Output = ()>>(tell: impl FnOnce(Api) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(tell(Api::new(&server)));
    assert_eq!(server.terminate(), Some(0), "SIGTERM ends the server with 0");
}

fn is_problem(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, answer.code()), (status, code), "{:#}", answer.body);
    assert_eq!(answer.headers["content-type"], "application/problem+json");
    assert_eq!(answer.body["status"], status);
    assert_eq!(answer.body["requestId"].as_str(), answer.headers["x-request-id"].to_str().ok());
    assert!(answer.body["title"].is_string() && answer.body["detail"].is_string());
}

/// The document is reviewed: what it says is a contract with everybody's clients.
#[test]
fn the_api_says_what_it_takes_and_answers() {
    golden::check("docs/openapi.json", svc_api::openapi::text());
    golden::check("docs/api.md", &with_endpoints(&std::fs::read_to_string(root().join("docs/api.md")).unwrap()));
    with_server(async |api| {
        let (status, headers, text) = api.text("GET", "/openapi.json").await;
        assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, "application/json"));
        assert_eq!(text, svc_api::openapi::text());
    });
}

/// The API's page with its table of endpoints as the document has them.
fn with_endpoints(page: &str) -> String {
    let document = svc_api::openapi::document();
    let mut table = "| Method and path | Token | What |\n|---|---|---|\n".to_owned();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let (method, access) = (method.to_uppercase(), operation["x-access"].as_str().unwrap());
            let summary = operation["summary"].as_str().unwrap();
            table += &format!("| `{method} {path}` | {access} | {summary} |\n");
        }
    }
    let (before, rest) = page.split_once("<!-- endpoints: written by `make golden` -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- endpoints end -->").unwrap();
    format!("{before}<!-- endpoints: written by `make golden` -->\n{table}<!-- endpoints end -->{after}")
}

#[test]
fn the_preview_asks_for_a_portal_token_of_its_own_business() {
    with_server(async |api| {
        let business = api.business(PRODUCT).await;
        let token = business.subscribe("ada", "free").await;
        assert_eq!(business.preview(&token).await.status, 200);
        let path = format!("/portal/businesses/{}/me/bill-preview", business.id);
        let bare = api.send("GET", &path, &[], "").await;
        is_problem(&bare, 401, "UNAUTHORIZED");
        assert_eq!(bare.headers["www-authenticate"], "Bearer");
        for wrong in ["nonsense", "", "svc_portal_00"] {
            is_problem(&business.preview(wrong).await, 401, "UNAUTHORIZED");
        }
        is_problem(&business.preview(OPERATOR).await, 403, "FORBIDDEN");
        is_problem(&api.send("GET", &path, &[("authorization", "Basic eDp5")], "").await, 401, "UNAUTHORIZED");
        is_problem(&business.preview(&business.deploy).await, 403, "FORBIDDEN");
        // Another's business and one that is not there look alike.
        let other = api.business(PRODUCT).await;
        let foreign = other.preview(&token).await;
        let unknown = api.get(&token, "/portal/businesses/biz_none/me/bill-preview").await;
        is_problem(&foreign, 404, "NOT_FOUND");
        is_problem(&unknown, 404, "NOT_FOUND");
        assert_eq!(foreign.body["detail"], unknown.body["detail"]);
        let stranger = business.portal("stranger").await;
        is_problem(&business.preview(&stranger).await, 404, "NOT_FOUND");
    });
}

#[test]
fn a_deploy_token_opens_its_own_business_only() {
    with_server(async |api| {
        let (one, two) = (api.business(PRODUCT).await, api.business(PRODUCT).await);
        let files = json!({ "files": { "product/product.config.ts": PRODUCT } });
        is_problem(&api.post(&one.deploy, &format!("{}/builds", two.root), files.clone()).await, 404, "NOT_FOUND");
        let portal = one.portal("ada").await;
        is_problem(&api.post(&portal, &format!("{}/builds", one.root), files.clone()).await, 403, "FORBIDDEN");
        let gateway = json!({ "kind": "gateway", "subject": "ada" });
        let gateway = api.post(OPERATOR, &format!("{}/tokens", one.root), gateway).await.expect(201).text("token");
        is_problem(&api.post(&gateway, &format!("{}/builds", one.root), files.clone()).await, 403, "FORBIDDEN");
        is_problem(&one.preview(&gateway).await, 403, "FORBIDDEN");
        is_problem(&api.post(&one.deploy, "/v1/businesses", json!({ "name": "x" })).await, 403, "FORBIDDEN");
        is_problem(
            &api.post(&one.deploy, &format!("{}/subscriptions", one.root), json!({ "subject": "a", "plan": "free" }))
                .await,
            403,
            "FORBIDDEN",
        );
        let build = one.build(PRODUCT).await.expect(201).text("buildId");
        is_problem(
            &api.post(&two.deploy, &format!("{}/releases", two.root), json!({ "buildId": build })).await,
            404,
            "NOT_FOUND",
        );
    });
}

#[test]
fn a_token_with_a_life_ends() {
    with_server(async |api| {
        let business = api.business(PRODUCT).await;
        let _forever = business.subscribe("ada", "free").await;
        let tokens = format!("{}/tokens", business.root);
        let mint = async |life: Json| {
            let body = json!({ "kind": "portal", "subject": "ada", "expiresInSeconds": life });
            api.post(OPERATOR, &tokens, body).await
        };
        let forever = mint(Json::Null).await.expect(201);
        assert!(forever.body["expiresAt"].is_null());
        for life in [0, 31_622_401, u64::from(u32::MAX)] {
            is_problem(&mint(json!(life)).await, 422, "TOKEN_LIFE_RANGE");
        }
        for life in [json!(-1), json!(1.5), json!("60"), json!(1_u64 << 32)] {
            is_problem(&mint(life).await, 400, "BODY_FORM");
        }
        let _longest = mint(json!(31_622_400)).await.expect(201);
        let (short, long) = (mint(json!(2)).await.expect(201), mint(json!(300)).await.expect(201));
        assert!(short.text("expiresAt") < long.text("expiresAt"));
        assert_eq!(business.preview(&short.text("token")).await.status, 200);
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        // Remembered by the server, and ended all the same.
        is_problem(&business.preview(&short.text("token")).await, 401, "UNAUTHORIZED");
        assert_eq!(business.preview(&long.text("token")).await.status, 200);
        let deploy = api.post(OPERATOR, &tokens, json!({ "kind": "deploy", "expiresInSeconds": 1 })).await.expect(201);
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let plans = format!("{}/plans", business.root);
        is_problem(&api.get(&deploy.text("token"), &plans).await, 401, "UNAUTHORIZED");
    });
}

#[test]
fn a_package_of_another_major_is_told_what_to_do() {
    with_server(async |api| {
        let business = api.business(PRODUCT).await;
        let authorization = format!("Bearer {}", business.deploy);
        let ask = async |package: &str| {
            let headers = [
                ("authorization", authorization.as_str()),
                ("content-type", "application/json"),
                ("svc-package", package),
            ];
            api.send("POST", &format!("{}/usage", business.root), &headers, r#"{"items":[]}"#).await
        };
        let own = env!("CARGO_PKG_VERSION");
        assert_eq!(ask(&format!("@svc/backend@{own}")).await.status, 200);
        let refused = ask("@svc/backend@7.0.1").await;
        is_problem(&refused, 426, "PACKAGE_VERSION");
        assert_eq!(
            refused.body["detail"],
            format!(
                "this service is of version {own} and @svc/backend of 7.0.1: install @svc/backend {own}, which `svc packages` of that version writes"
            )
        );
        assert_eq!((&refused.body["packageVersion"], &refused.body["serviceVersion"]), (&json!("7.0.1"), &json!(own)));
        assert_eq!(ask("somebody's@7.0.1").await.status, 200);
    });
}

#[test]
fn wrong_paths_methods_types_and_bodies_each_have_their_answer() {
    with_server(async |api| {
        let bearer = format!("Bearer {OPERATOR}");
        let json_type = ("content-type", "application/json");
        let authorized = ("authorization", bearer.as_str());
        is_problem(&api.get(OPERATOR, "/nothing").await, 404, "NOT_FOUND");
        let wrong_method = api.send("DELETE", "/v1/businesses", &[authorized], "").await;
        is_problem(&wrong_method, 405, "METHOD_NOT_ALLOWED");
        assert_eq!(wrong_method.headers["allow"], "POST, OPTIONS");
        is_problem(&api.send("POST", "/v1/businesses", &[authorized], "{}").await, 415, "MEDIA_TYPE");
        is_problem(
            &api.send("POST", "/v1/businesses", &[authorized, ("content-type", "text/json")], "{}").await,
            415,
            "MEDIA_TYPE",
        );
        for body in ["", "{", "[]", "{\"nam\":\"x\"}", "{\"name\":1}", "{\"name\":\"x\",\"more\":1}", "\u{feff}{}"] {
            is_problem(&api.send("POST", "/v1/businesses", &[authorized, json_type], body).await, 400, "BODY_FORM");
        }
        let huge = vec![b' '; (10 << 20) + 1];
        is_problem(&api.send("POST", "/v1/businesses", &[authorized, json_type], huge).await, 413, "BODY_TOO_LARGE");
        is_problem(&api.post(OPERATOR, "/v1/businesses", json!({ "name": "" })).await, 422, "NAME_FORM");
        is_problem(
            &api.post(OPERATOR, "/v1/businesses/biz_none/tokens", json!({ "kind": "deploy" })).await,
            404,
            "NOT_FOUND",
        );
        is_problem(
            &api.post(OPERATOR, "/v1/businesses/biz_none/tokens", json!({ "kind": "root" })).await,
            400,
            "BODY_FORM",
        );
    });
}

#[test]
fn a_bad_build_is_the_authors_and_the_server_goes_on() {
    with_server(async |api| {
        let business = api.business(PRODUCT).await;
        let rejected = business.build(&PRODUCT.replace("minute", "minut")).await;
        is_problem(&rejected, 422, "BUILD_REJECTED");
        assert_eq!(rejected.body["diagnostics"][0]["code"], "UNKNOWN_VALUE");
        let build = rejected.text("buildId");
        is_problem(
            &api.post(&business.deploy, &format!("{}/releases", business.root), json!({ "buildId": build })).await,
            422,
            "BUILD_FAILED",
        );
        for (body, code) in [
            ("while (true) {}", "BUILD_TIMEOUT"),
            ("const a = []; while (true) a.push(new Array(999).fill(1));", "BUILD_OUT_OF_MEMORY"),
            ("(function f() { f(); f(); })();", "BUILD_STACK_OVERFLOW"),
        ] {
            is_problem(&business.build(&format!("{body}{PRODUCT}")).await, 422, code);
        }
        assert_eq!(business.build(PRODUCT).await.status, 201);
        let ready = api.get("", "/readyz").await.expect(200);
        assert_eq!(ready.body["sandbox"]["seccomp"], "full");
        assert_eq!(api.get("", "/healthz").await.body["status"], "alive");
    });
}

#[test]
fn a_subject_has_one_live_subscription() {
    with_server(async |api| {
        let business = api.business(PRODUCT).await;
        let subscriptions = format!("{}/subscriptions", business.root);
        let body = |plan: &str| json!({ "subject": "ada", "plan": plan });
        let first = api.post(OPERATOR, &subscriptions, body("free")).await.expect(201);
        let id = first.text("subscriptionId");
        is_problem(&api.post(OPERATOR, &subscriptions, body("free")).await, 409, "ALREADY_SUBSCRIBED");
        is_problem(
            &api.post(OPERATOR, &subscriptions, json!({ "subject": "bea", "plan": "fre" })).await,
            422,
            "UNKNOWN_PLAN",
        );
        is_problem(
            &api.post(OPERATOR, &subscriptions, json!({ "subject": "bea", "plan": "old" })).await,
            409,
            "PLAN_CLOSED",
        );
        assert_eq!(api.get(OPERATOR, &format!("{subscriptions}/{id}")).await.expect(200).body, first.body);
        let other = api.business(PRODUCT).await;
        is_problem(&api.get(OPERATOR, &format!("{}/subscriptions/{id}", other.root)).await, 404, "NOT_FOUND");
        let ended = api.post(OPERATOR, &format!("{subscriptions}/{id}/cancel"), json!({})).await.expect(200);
        let again = api.post(OPERATOR, &format!("{subscriptions}/{id}/cancel"), json!({})).await.expect(200);
        assert!(ended.body["cancelledAt"].is_string());
        assert_eq!(ended.body, again.body);
        let _second = api.post(OPERATOR, &subscriptions, body("free")).await.expect(201);
    });
}

#[test]
fn what_was_accepted_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db");
    let server = Server::start(&data);
    let (id, token) = block_on(async {
        let business = Api::new(&server).business(PRODUCT).await;
        let token = business.subscribe("ada", "free").await;
        (business.id, token)
    });
    // Not told to stop: killed.
    drop(server);
    let server = Server::start(&data);
    let preview = block_on(Api::new(&server).get(&token, &format!("/portal/businesses/{id}/me/bill-preview")));
    assert_eq!(preview.status, 200);
}

const TINY: &str = r#"
import { Meter, Plan, Product } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Tiny {
  @Meter("tokens") tokens;
  @Plan("basic", { limits: { requests: { rate: 60, interval: "minute" } }, meter: { tokens: { micros: 1000 } } }) basic;
}
"#;

#[test]
fn a_token_that_calls_too_often_is_told_when_to_come_again() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db").display().to_string();
    let server = Server::start_with(&["--data".to_owned(), data, "--rate-limit".to_owned(), "40".to_owned()]);
    block_on(async {
        let business = Api::new(&server).business(TINY).await;
        let token = business.subscribe("ada", "basic").await;
        let mut statuses = Vec::new();
        for _ in 0..120 {
            let answer = business.preview(&token).await;
            if answer.status == 429 {
                assert_eq!(answer.code(), "RATE_LIMITED");
                let wait: u32 = answer.headers["retry-after"].to_str().unwrap().parse().unwrap();
                assert!((1..=10).contains(&wait));
            }
            statuses.push(answer.status);
        }
        // At most two stretches of ten seconds were touched.
        let through = statuses.iter().filter(|status| **status == 200).count();
        assert!((40..=80).contains(&through) && statuses.contains(&429), "{through} of 120 went through");
        // The other tokens have limits of their own, and the operator has none.
        let other = business.portal("ada").await;
        assert_eq!(business.preview(&other).await.status, 200);
    });
}

#[test]
fn what_is_not_understood_is_refused_and_never_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(async {
        let business = Api::new(&server).business(TINY).await;
        let _token = business.subscribe("ada", "basic").await;
        let (api, root) = (&business.api, &business.root);
        let order = |more: Json| {
            let mut order = json!({ "from": "1", "to": "head", "policy": "immediate" });
            order.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            order
        };
        for (path, body, wanted) in [
            ("plans/basic/migrations", order(json!({ "dry_run": true })), (400, "BODY_FORM")),
            ("plans/basic/migrations", order(json!({ "policy": "sometime" })), (400, "BODY_FORM")),
            ("plans/basic/migrations", order(json!({ "from": "newest" })), (400, "BODY_FORM")),
            ("plans/nobody%27s/migrations", order(json!({})), (404, "NOT_FOUND")),
            ("credits", json!({ "subject": "ada" }), (422, "CREDIT_FORM")),
            ("credits", json!({ "subject": "ada", "topUp": "x", "kind": "promo" }), (422, "CREDIT_FORM")),
            ("credits", json!({ "subject": "a\u{0}da", "amountCents": 1 }), (400, "BODY_FORM")),
            ("credits", json!({ "subject": "nobody", "amountCents": 1 }), (404, "NOT_FOUND")),
            ("adjustments", json!({ "subject": "ada", "kind": "refund", "reason": "x" }), (422, "ADJUSTMENT_FORM")),
            (
                "adjustments",
                json!({ "subject": "ada", "kind": "correction", "amountNanos": "10.85", "reason": "x" }),
                (400, "BODY_FORM"),
            ),
            (
                "adjustments",
                json!({ "subject": "ada", "kind": "correction", "amountNanos": "1", "reason": " " }),
                (422, "REASON_FORM"),
            ),
            (
                "adjustments",
                json!({ "subject": "ada", "kind": "refund", "item": "none", "reason": "x" }),
                (404, "NOT_FOUND"),
            ),
            ("holds", json!({ "subject": "ada", "id": "h" }), (422, "HOLD_FORM")),
            ("holds", json!({ "subject": "ada", "id": "h", "meter": "none", "units": 1 }), (422, "UNKNOWN_METER")),
            (
                "holds",
                json!({ "subject": "ada", "id": "h", "meter": "tokens", "units": 1, "expiresInSeconds": 0 }),
                (422, "HOLD_LIFE"),
            ),
            ("invoices", json!({ "subscriptionId": "sub_none" }), (404, "NOT_FOUND")),
            ("invoices", json!({ "dryrun": true }), (400, "BODY_FORM")),
        ] {
            let answer = api.post(OPERATOR, &format!("{root}/{path}"), body.clone()).await;
            assert_eq!((answer.status, answer.code()), wanted, "{path} {body}: {:#}", answer.body);
        }
        let hold = |units: u32| json!({ "subject": "ada", "id": "h /?", "meter": "tokens", "units": units });
        let _held = api.post(OPERATOR, &format!("{root}/holds"), hold(1)).await.expect(201);
        let other = api.post(OPERATOR, &format!("{root}/holds"), hold(2)).await;
        assert_eq!((other.status, other.code()), (409, "HOLD_CONFLICT"));
        let path = format!("{root}/holds/h%20%2F%3F/release");
        let released = api.post(OPERATOR, &path, json!({ "subject": "ada" })).await.expect(200);
        assert_eq!(released.body["state"], "released");
    });
}

#[test]
fn the_publisher_who_comes_second_is_told_both_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(async {
        let business = Api::new(&server).business(TINY).await;
        let mine = business.build(&TINY.replace("1000", "2000")).await.expect(201).text("buildId");
        let theirs = business.build(&TINY.replace("1000", "3000")).await.expect(201);
        let path = format!("{}/releases", business.root);
        let publish = async |build: &str| business.api.post(&business.deploy, &path, json!({ "buildId": build })).await;
        let _won = publish(&theirs.text("buildId")).await.expect(201);
        let lost = publish(&mine).await;
        assert_eq!((lost.status, lost.code()), (409, "RELEASE_MOVED"));
        assert_eq!(lost.body["activeHash"], theirs.body["irHash"]);
        assert!(lost.body["expectedHash"].as_str().unwrap().starts_with("sha256:"));
        let body = json!({ "buildId": mine, "replaces": theirs.body["irHash"] });
        let _after_all = business.api.post(&business.deploy, &path, body).await.expect(201);
    });
}
