//! A server under test, and a client that keeps status and headers.

use crate::contract;
use crate::program::svc;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{HeaderMap, Request};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// The operator's token of every server under test.
pub const OPERATOR: &str = "svc_operator_of_the_tests_0123456789abcdef";

/// A product of one plan: a fee, and usage at seven micros per three tokens.
pub const ONE_PLAN: &str = r#"
import { Feature, Meter, Plan, Product, Requests } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Priced {
  @Requests() requests;
  @Meter("tokens") tokens;
  @Feature("jobs", { plans: ["basic"], routes: { "POST /v1/jobs": { reports: "tokens" } } }) jobs;
  @Plan("basic", { limits: { requests: { rate: 60, interval: "minute" } }, price: { amount: 1900, currency: "usd", interval: "month" },
    meter: { tokens: { micros: 7, per: 3 } } }) basic;
}
"#;

/// A running `svc serve`. Dropped, it is killed.
pub struct Server {
    /// Its process.
    pub child: Child,
    /// `http://127.0.0.1:port`.
    pub base: String,
    /// Where its gateway listens: `http://127.0.0.1:port`; where it is one.
    pub gateway: Option<String>,
    /// What it has logged.
    pub log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts one on a free port.
    pub fn start(data: &Path) -> Server {
        Server::start_with(&["--data".to_owned(), data.display().to_string()])
    }

    /// Starts one on a free port, with these arguments.
    pub fn start_with(arguments: &[String]) -> Server {
        Server::start_as(Command::new(svc()), arguments)
    }

    /// Starts one on a free port by this command, which is the program with whatever stands before its own arguments.
    pub fn start_as(mut command: Command, arguments: &[String]) -> Server {
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .env("SVC_OPERATOR_TOKEN", OPERATOR)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut gateway = None;
        let listening = lines.find_map(|line| {
            let line = line.unwrap();
            gateway = gateway.take().or_else(|| line.strip_prefix("the gateway listens on ").map(str::to_owned));
            line.strip_prefix("listening on ").map(str::to_owned)
        });
        let base = listening.expect("the server says where it listens");
        // Someone must read on, or the server would wait with its log.
        let log = Arc::new(Mutex::new(Vec::new()));
        let logged = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                eprintln!("server: {line}");
                logged.lock().unwrap().push(line);
            }
        });
        Server { child, base, gateway, log }
    }

    /// Sends SIGTERM and waits. Returns the exit code.
    pub fn terminate(mut self) -> Option<i32> {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _already_ended = self.child.kill();
        let _already_ended = self.child.wait();
    }
}

/// An answer, whole.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; null where it is no JSON.
    pub body: Json,
}

impl Answer {
    /// The problem's code.
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    /// A text of the body.
    pub fn text(&self, name: &str) -> String {
        self.body[name].as_str().unwrap_or_else(|| panic!("{name} is no text in {:#}", self.body)).to_owned()
    }

    /// The body of an answer that must be this one.
    #[must_use]
    pub fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{:#}", self.body);
        self
    }
}

/// A client of one server.
#[derive(Clone)]
pub struct Api {
    base: String,
    http: Client<HttpConnector, Full<Bytes>>,
}

impl Api {
    /// A client of this server.
    pub fn new(server: &Server) -> Api {
        Api { base: server.base.clone(), http: Client::builder(TokioExecutor::new()).build_http() }
    }

    /// Sends anything.
    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Answer {
        self.try_send(method, path, headers, body).await.unwrap()
    }

    /// Sends anything to a server that may be killed meanwhile; then nobody knows whether it was done.
    pub async fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Option<Answer> {
        let request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let response = self.http.request(request.body(Full::new(body.into())).unwrap()).await.ok()?;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.ok()?.to_bytes();
        let media = parts.headers.get("content-type").and_then(|media| media.to_str().ok()).unwrap_or_default();
        if method != "HEAD" && !bytes.is_empty() {
            contract::holds(method, path, parts.status.as_u16(), media, &bytes);
        }
        Some(Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
        })
    }

    /// Asks for text: status, headers, and the text.
    pub async fn text(&self, method: &str, path: &str) -> (u16, HeaderMap, String) {
        self.page(method, path, &[], "").await
    }

    /// Sends anything, and answers text: status, headers, and the text.
    pub async fn page(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> (u16, HeaderMap, String) {
        let request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let response = self.http.request(request.body(Full::new(body.into())).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        (parts.status.as_u16(), parts.headers, String::from_utf8(bytes.to_vec()).unwrap())
    }

    /// Sends JSON with a token under a key, to a server that may be killed meanwhile.
    pub async fn try_post(&self, token: &str, path: &str, key: &str, body: &Json) -> Option<Answer> {
        let authorization = format!("Bearer {token}");
        let headers =
            [("authorization", authorization.as_str()), ("content-type", "application/json"), ("idempotency-key", key)];
        self.try_send("POST", path, &headers, body.to_string()).await
    }

    /// Sends JSON with a token.
    pub async fn post(&self, token: &str, path: &str, body: Json) -> Answer {
        self.send_json("POST", token, path, body).await
    }

    /// Puts JSON there with a token.
    pub async fn put(&self, token: &str, path: &str, body: Json) -> Answer {
        self.send_json("PUT", token, path, body).await
    }

    async fn send_json(&self, method: &str, token: &str, path: &str, body: Json) -> Answer {
        let authorization = format!("Bearer {token}");
        self.send(
            method,
            path,
            &[("authorization", &authorization), ("content-type", "application/json")],
            body.to_string(),
        )
        .await
    }

    /// Asks with a token.
    pub async fn get(&self, token: &str, path: &str) -> Answer {
        self.send("GET", path, &[("authorization", &format!("Bearer {token}"))], "").await
    }

    /// A business with this product published.
    pub async fn business(&self, product: &str) -> Business {
        let made = self.post(OPERATOR, "/v1/businesses", json!({ "name": "Test" })).await.expect(201);
        let id = made.text("businessId");
        let root = format!("/v1/businesses/{id}");
        let token = self.post(OPERATOR, &format!("{root}/tokens"), json!({ "kind": "deploy" })).await.expect(201);
        let business = Business { api: self.clone(), id, root, deploy: token.text("token") };
        business.publish(product).await;
        business
    }
}

/// A business on a server under test.
#[derive(Clone)]
pub struct Business {
    /// The client.
    pub api: Api,
    /// Its id.
    pub id: String,
    /// `/v1/businesses/{id}`.
    pub root: String,
    /// Its deploy token.
    pub deploy: String,
}

impl Business {
    /// Builds a product's one file.
    pub async fn build(&self, product: &str) -> Answer {
        let files = json!({ "files": { "product/product.config.ts": product } });
        self.api.post(&self.deploy, &format!("{}/builds", self.root), files).await
    }

    /// Builds and publishes a product's one file.
    pub async fn publish(&self, product: &str) -> Answer {
        let build = self.build(product).await.expect(201).text("buildId");
        self.api.post(&self.deploy, &format!("{}/releases", self.root), json!({ "buildId": build })).await
    }

    /// Subscribes a subject, and answers its portal token.
    pub async fn subscribe(&self, subject: &str, plan: &str) -> String {
        let body = json!({ "subject": subject, "plan": plan });
        let _subscribed = self.api.post(OPERATOR, &format!("{}/subscriptions", self.root), body).await.expect(201);
        self.portal(subject).await
    }

    /// A portal token of a subject.
    pub async fn portal(&self, subject: &str) -> String {
        let body = json!({ "kind": "portal", "subject": subject });
        self.api.post(OPERATOR, &format!("{}/tokens", self.root), body).await.expect(201).text("token")
    }

    /// Reports usage, and answers the results.
    pub async fn usage(&self, items: Json) -> Vec<Json> {
        let answer =
            self.api.post(&self.deploy, &format!("{}/usage", self.root), json!({ "items": items })).await.expect(200);
        answer.body["results"].as_array().unwrap().clone()
    }

    /// The preview of a portal token's subject.
    pub async fn preview(&self, token: &str) -> Answer {
        self.api.get(token, &format!("/portal/businesses/{}/me/bill-preview", self.id)).await
    }
}
