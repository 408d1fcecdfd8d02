//! Who may do what, how that is taken back, and who did what.

use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};
use svc_money_tests::stores::FreshPostgres;
use svc_tests::api::{Answer, Api, Business, OPERATOR, Server};
use svc_tests::program::block_on;

const PRODUCT: &str = r#"
import { Meter, Plan, Product } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Tiny {
  @Meter("tokens", { unit: "token" }) tokens;
  @Plan("free", { limits: { requests: { rate: 60, interval: "minute" } }, meter: { tokens: { micros: 5 } } }) free;
}
"#;
/// How long after it was taken back a token may open something, at any server, in seconds.
const DEAD_SECONDS: u64 = 10;

async fn mint(business: &Business, body: Json) -> Answer {
    business.api.post(OPERATOR, &format!("{}/tokens", business.root), body).await.expect(201)
}

async fn delete(api: &Api, path: &str) -> Answer {
    let authorization = format!("Bearer {OPERATOR}");
    api.send("DELETE", path, &[("authorization", authorization.as_str())], "").await
}

/// What each kind of token may, of what a business does: build, report, read, see its own bill.
#[test]
fn each_kind_of_token_opens_what_it_is_for() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(async {
        let api = Api::new(&server);
        let business = api.business(PRODUCT).await;
        let _portal = business.subscribe("ada", "free").await;
        let kinds = [
            ("deploy", None, [201, 200, 200, 403]),
            ("publish", None, [201, 403, 200, 403]),
            ("usage", None, [403, 200, 403, 403]),
            ("read", None, [403, 403, 200, 403]),
            ("portal", Some("ada"), [403, 403, 403, 200]),
            ("gateway", Some("ada"), [403, 403, 403, 403]),
        ];
        for (kind, subject, wanted) in kinds {
            let token = mint(&business, json!({ "kind": kind, "subject": subject })).await.text("token");
            assert!(token.starts_with(&format!("svc_{kind}_")), "{token}");
            let files = json!({ "files": { "product/product.config.ts": PRODUCT } });
            let root = &business.root;
            let did = [
                api.post(&token, &format!("{root}/builds"), files).await,
                api.post(&token, &format!("{root}/usage"), json!({ "items": [] })).await,
                api.get(&token, &format!("{root}/plans")).await,
                business.preview(&token).await,
            ];
            assert_eq!(did.each_ref().map(|answer| answer.status), wanted, "{kind}");
            for refused in did.iter().filter(|answer| answer.status == 403) {
                assert_eq!(refused.code(), "FORBIDDEN", "{kind}");
            }
        }
        for wrong in [json!({ "kind": "portal" }), json!({ "kind": "usage", "subject": "ada" })] {
            let refused = api.post(OPERATOR, &format!("{}/tokens", business.root), wrong).await;
            assert_eq!((refused.status, refused.code()), (422, "TOKEN_FORM"));
        }
    });
}

#[test]
fn a_token_that_is_taken_back_is_dead_at_every_server_within_ten_seconds() {
    let fresh = block_on(FreshPostgres::new());
    let arguments = ["--database-url".to_owned(), fresh.url_of("svc")];
    let servers = [Server::start_with(&arguments), Server::start_with(&arguments)];
    block_on(async {
        let [here, there] = servers.each_ref().map(Api::new);
        let business = here.business(PRODUCT).await;
        let one = mint(&business, json!({ "kind": "read", "name": "dashboard" })).await;
        let (token, id) = (one.text("token"), one.text("tokenId"));
        let plans = format!("{}/plans", business.root);
        for api in [&here, &there] {
            assert_eq!(api.get(&token, &plans).await.status, 200);
        }
        let revoked = delete(&here, &format!("{}/tokens/{id}", business.root)).await.expect(200);
        assert!(revoked.body["revokedAt"].is_string(), "{:#}", revoked.body);
        assert_eq!(here.get(&token, &plans).await.status, 401, "at once where it was taken back");
        let since = Instant::now();
        while there.get(&token, &plans).await.status != 401 {
            assert!(since.elapsed() < Duration::from_secs(DEAD_SECONDS), "the other server still lets it in");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // Once more changes nothing; what is not there, or is another's, is not found.
        let again = delete(&there, &format!("{}/tokens/{id}", business.root)).await.expect(200);
        assert_eq!(again.body["revokedAt"], revoked.body["revokedAt"]);
        let other = here.business(PRODUCT).await;
        for path in [format!("{}/tokens/{id}", other.root), format!("{}/tokens/tok_no", business.root)] {
            assert_eq!(delete(&here, &path).await.status, 404, "{path}");
        }
        // All of a subject, and nobody else's.
        let (ada, bea) = (business.portal("ada").await, business.portal("bea").await);
        let _second = business.portal("ada").await;
        let gone = delete(&here, &format!("{}/tokens?subject=ada", business.root)).await.expect(200);
        assert_eq!(gone.body, json!({ "revoked": 2 }));
        assert_eq!(business.preview(&ada).await.status, 401);
        assert_eq!(business.preview(&bea).await.status, 404, "known, and subscribed to nothing");
        assert_eq!(delete(&here, &format!("{}/tokens", business.root)).await.status, 400);
    });
}

#[test]
fn tokens_are_listed_by_pages_and_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(async {
        let api = Api::new(&server);
        let business = api.business(PRODUCT).await;
        let minted = mint(&business, json!({ "kind": "usage", "name": "backend", "expiresInSeconds": 3600 })).await;
        let token = minted.text("token");
        let _used = api.post(&token, &format!("{}/usage", business.root), json!({ "items": [] })).await.expect(200);
        for _ in 0..3 {
            let _portal = business.portal("ada").await;
        }
        let mut path = format!("{}/tokens?limit=2", business.root);
        let mut listed = Vec::new();
        loop {
            let page = api.get(OPERATOR, &path).await.expect(200);
            let tokens = page.body["tokens"].as_array().unwrap().clone();
            assert!(tokens.len() <= 2);
            assert!(!page.body.to_string().contains(&token));
            listed.extend(tokens);
            match page.body["cursor"].as_str() {
                Some(cursor) => path = format!("{}/tokens?limit=2&cursor={cursor}", business.root),
                None => break,
            }
        }
        let kinds: Vec<&str> = listed.iter().map(|token| token["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["portal", "portal", "portal", "usage", "deploy"], "the newest first");
        let backend = &listed[3];
        assert_eq!((&backend["name"], &backend["subject"]), (&json!("backend"), &Json::Null));
        assert_eq!(backend["expiresAt"], minted.body["expiresAt"]);
        let of_ada = api.get(OPERATOR, &format!("{}/tokens?subject=ada", business.root)).await.expect(200);
        assert_eq!(of_ada.body["tokens"].as_array().unwrap().len(), 3);
        // Its use is noted, a few seconds later.
        let since = Instant::now();
        loop {
            let page = api.get(OPERATOR, &format!("{}/tokens", business.root)).await.expect(200);
            if page.body["tokens"][3]["lastUsedAt"].is_string() {
                break;
            }
            assert!(since.elapsed() < Duration::from_secs(30), "its use was not noted: {:#}", page.body);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        assert_eq!(api.get(&business.deploy, &format!("{}/tokens", business.root)).await.status, 403);
    });
}

/// A cursor that no page ended with is the caller's mistake, however large it is.
#[test]
fn a_cursor_past_all_numbers_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(async {
        let api = Api::new(&server);
        let business = api.business(PRODUCT).await;
        let body = json!({ "subject": "ada", "plan": "free" });
        let made = api.post(OPERATOR, &format!("{}/subscriptions", business.root), body).await.expect(201);
        for list in ["invoices", "explain"] {
            let path = format!("{}/subscriptions/{}/{list}", business.root, made.text("subscriptionId"));
            let ask = async |cursor: &str| api.get(OPERATOR, &format!("{path}?cursor={cursor}")).await;
            assert_eq!(ask("9223372036854775807").await.status, 200, "{list}");
            for wrong in ["9223372036854775808", "18446744073709551616", "-1", "x"] {
                let refused = ask(wrong).await;
                assert_eq!((refused.status, refused.code()), (400, "QUERY_FORM"), "{list} {wrong}");
            }
        }
    });
}

#[test]
fn a_token_says_what_it_opens() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(async {
        let api = Api::new(&server);
        let business = api.business(PRODUCT).await;
        let ask = async |token: &str| api.get(token, "/v1/token").await;
        let made = mint(&business, json!({ "kind": "portal", "subject": "ada", "expiresInSeconds": 60 })).await;
        let own = ask(&made.text("token")).await.expect(200).body;
        let wanted = json!({
            "tokenId": made.body["tokenId"], "kind": "portal", "businessId": business.id, "subject": "ada",
            "name": "portal", "expiresAt": made.body["expiresAt"],
        });
        assert_eq!(own, wanted);
        let root = ask(OPERATOR).await.expect(200).body;
        assert_eq!(
            (&root["kind"], &root["name"], &root["businessId"]),
            (&json!("operator"), &json!("root"), &Json::Null)
        );
        assert_eq!(ask("svc_read_00").await.status, 401);
    });
}

#[test]
fn operators_are_several_and_what_each_did_is_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(async {
        let api = Api::new(&server);
        let added = api.post(OPERATOR, "/v1/operators", json!({ "name": "ada" })).await.expect(201);
        let (ada, id) = (added.text("token"), added.text("tokenId"));
        let business = api.business(PRODUCT).await;
        let _portal = business.subscribe("eve", "free").await;
        let root = &business.root;
        let credit = json!({ "subject": "eve", "amountCents": 500 });
        let given = api.post(&ada, &format!("{root}/credits"), credit).await.expect(201).text("bucketId");
        let build = business.build(PRODUCT).await.expect(201).text("buildId");
        let _dry =
            api.post(&ada, &format!("{root}/releases"), json!({ "buildId": build, "dryRun": true })).await.expect(200);
        let log = api.get(&ada, &format!("{root}/audit-log")).await.expect(200);
        let told: Vec<(&str, &str, &str)> = log.body["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| (&entry["actor"]["kind"], &entry["actor"]["name"], &entry["action"]))
            .map(|(kind, name, action)| (kind.as_str().unwrap(), name.as_str().unwrap(), action.as_str().unwrap()))
            .collect();
        let wanted = [
            ("operator", "ada", "credit.given"),
            ("operator", "root", "token.minted"),
            ("operator", "root", "subscription.created"),
            ("deploy", "deploy", "release.published"),
            ("operator", "root", "token.minted"),
            ("operator", "root", "business.created"),
        ];
        assert_eq!(told, wanted, "the newest first; a dry run is no deed");
        let newest = &log.body["entries"][0];
        assert_eq!((&newest["target"], &newest["actor"]["id"]), (&json!(given), &json!(id)));
        assert!(!log.body.to_string().contains("svc_deploy_"), "no token is in the log");
        let page = api.get(&ada, &format!("{root}/audit-log?limit=4")).await.expect(200);
        let cursor = page.text("cursor");
        let rest = api.get(&ada, &format!("{root}/audit-log?limit=4&cursor={cursor}")).await.expect(200);
        assert_eq!(rest.body["entries"].as_array().unwrap().len(), 2);
        assert_eq!(rest.body["cursor"], Json::Null);
        // An operator who is taken back is no operator, and a business's token never was one.
        let _gone = delete(&api, &format!("/v1/operators/{id}")).await.expect(200);
        assert_eq!(api.get(&ada, "/v1/operators").await.status, 401);
        assert_eq!(api.get(&business.deploy, "/v1/operators").await.status, 403);
        assert_eq!(api.get(&business.deploy, "/v1/audit-log").await.status, 403);
        let beside = api.get(OPERATOR, "/v1/audit-log").await.expect(200);
        let actions: Vec<&str> =
            beside.body["entries"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["token.revoked", "token.minted"]);
        let listed = api.get(OPERATOR, "/v1/operators").await.expect(200);
        assert!(listed.body["operators"][0]["revokedAt"].is_string());
    });
}

/// What nobody minted is refused without a question to the store, whatever its form.
#[test]
fn a_guess_is_refused_without_the_store() {
    let fresh = block_on(FreshPostgres::new());
    let url = fresh.url_of("svc");
    let server = Server::start_with(&["--database-url".to_owned(), url.clone()]);
    block_on(async {
        let api = Api::new(&server);
        let business = api.business(PRODUCT).await;
        let plans = format!("{}/plans", business.root);
        let last = business.deploy.chars().last().unwrap();
        let other = if last == '0' { "1" } else { "0" };
        let near = format!("{}{other}", business.deploy.strip_suffix(last).unwrap());
        let guesses = [format!("svc_deploy_{}", "0a".repeat(32)), format!("svc_read_{}", "0a".repeat(40)), near];
        let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute("BEGIN; LOCK TABLE tokens").await.unwrap();
        for guess in guesses.iter().cycle().take(100) {
            let answer = tokio::time::timeout(Duration::from_secs(5), api.get(guess, &plans)).await;
            assert_eq!(answer.expect("it does not wait for the table").status, 401, "{guess}");
        }
        client.batch_execute("ROLLBACK").await.unwrap();
        assert_eq!(api.get(&business.deploy, &plans).await.status, 200);
    });
}

/// Every endpoint of the document with every token that it is not for: refused, each as what it is, and never let through.
#[test]
fn every_endpoint_refuses_every_wrong_token() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(async {
        let api = Api::new(&server);
        let (business, other) = (api.business(PRODUCT).await, api.business(PRODUCT).await);
        let mut kinds = Vec::new();
        for kind in ["deploy", "publish", "usage", "read", "portal", "gateway"] {
            let subject = ["portal", "gateway"].contains(&kind).then_some("ada");
            let token = mint(&business, json!({ "kind": kind, "subject": subject })).await.text("token");
            let foreign = mint(&other, json!({ "kind": kind, "subject": subject })).await.text("token");
            kinds.push((kind, token, foreign));
        }
        let revoked = mint(&business, json!({ "kind": "deploy" })).await;
        let path = format!("{}/tokens/{}", business.root, revoked.text("tokenId"));
        let _dead = delete(&api, &path).await.expect(200);
        let ended = mint(&business, json!({ "kind": "deploy", "expiresInSeconds": 1 })).await.text("token");
        let operator = api.post(OPERATOR, "/v1/operators", json!({ "name": "gone" })).await.expect(201);
        let _dead = delete(&api, &format!("/v1/operators/{}", operator.text("tokenId"))).await.expect(200);
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let dead = ["nonsense".to_owned(), revoked.text("token"), ended, operator.text("token")];
        let mut asked = 0;
        for (pattern, methods) in svc_api::openapi::document()["paths"].as_object().unwrap() {
            let path = pattern.replace("{business}", &business.id).replace(['{', '}'], "");
            for (method, operation) in methods.as_object().unwrap() {
                let access = operation["x-access"].as_str().unwrap();
                if access == "none" {
                    continue;
                }
                let send = async |token: &str| {
                    let authorization = format!("Bearer {token}");
                    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
                    api.send(&method.to_uppercase(), &path, &headers, "{}").await.status
                };
                for token in &dead {
                    assert_eq!(send(token).await, 401, "{method} {path} with {token}");
                }
                for (kind, token, foreign) in &kinds {
                    let opens = match access {
                        "operator" => false,
                        "any" => true,
                        "publish" => ["deploy", "publish"].contains(kind),
                        "usage" => ["deploy", "usage"].contains(kind),
                        "read" => ["deploy", "publish", "read"].contains(kind),
                        _ => *kind == "portal",
                    };
                    let own = send(token).await;
                    assert_eq!(own == 403, !opens, "{method} {path}, which is for {access}, with {kind}: {own}");
                    assert_ne!(own, 401, "{method} {path} with {kind}");
                    let wanted = match access {
                        "operator" => 403,
                        "any" => 200,
                        _ => 404,
                    };
                    assert_eq!(send(foreign).await, wanted, "{method} {path} with another business's {kind}");
                    asked += 2;
                }
                let root = send(OPERATOR).await;
                assert_eq!(root == 403, access.starts_with("portal"), "{method} {path} as operator: {root}");
            }
        }
        assert!(asked > 500, "{asked} questions");
    });
}
