//! A gateway under test in front of a backend under test.

use crate::api::{Api, Business, OPERATOR, Server};
use crate::origin::{Origin, USAGE_SECRET};
use crate::program::svc;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running `svc gateway`. Dropped, it is killed.
pub struct Gateway {
    /// Its process.
    pub child: Child,
    /// `http://127.0.0.1:port`.
    pub base: String,
}

impl Gateway {
    /// Starts one on a free port, with these arguments.
    pub fn start(arguments: &[&str]) -> Gateway {
        let mut child = Command::new(svc())
            .args(["gateway", "--listen", "127.0.0.1:0", "--allow-host", "127.0.0.1", "--usage-secret", USAGE_SECRET])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let listening = lines.find_map(|line| line.unwrap().strip_prefix("the gateway listens on ").map(str::to_owned));
        let base = listening.expect("the gateway says where it listens");
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                eprintln!("gateway: {line}");
            }
        });
        Gateway { child, base }
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _already_ended = self.child.kill();
        let _already_ended = self.child.wait();
    }
}

/// A service that is a gateway too, a business whose product is served by a backend, and a client.
pub struct Front {
    /// The service; dropped last.
    pub server: Server,
    /// Its API.
    pub api: Api,
    /// Where its gateway is: `http://127.0.0.1:port`.
    pub base: String,
    /// The business.
    pub business: Business,
}

impl Front {
    /// Starts it on this file for this product, whose text names its origin `ORIGIN`.
    pub async fn start(data: &Path, product: &str, origin: &Origin, arguments: &[&str]) -> Front {
        let fixed = ["--gateway", "127.0.0.1:0", "--allow-host", "127.0.0.1", "--usage-secret", USAGE_SECRET, "--data"];
        let data = data.display().to_string();
        let all = fixed.into_iter().chain([data.as_str()]).chain(arguments.iter().copied());
        let server = Server::start_with(&all.map(str::to_owned).collect::<Vec<_>>());
        let api = Api::new(&server);
        let base = server.gateway.clone().expect("the server is a gateway");
        let business = api.business(&product.replace("ORIGIN", &format!("http://{}", origin.address))).await;
        Front { server, api, base, business }
    }

    /// A subject's key, who is subscribed to a plan.
    pub async fn subscribe(&self, subject: &str, plan: &str) -> String {
        self.business.subscribe(subject, plan).await;
        self.key(subject).await
    }

    /// A key of a subject.
    pub async fn key(&self, subject: &str) -> String {
        let body = json!({ "kind": "gateway", "subject": subject });
        self.api.post(OPERATOR, &format!("{}/tokens", self.business.root), body).await.expect(201).text("token")
    }

    /// A subject's bill.
    pub async fn bill(&self, subject: &str) -> Json {
        let portal = self.business.portal(subject).await;
        self.business.preview(&portal).await.expect(200).body
    }

    /// What a subject's usage has come to, in nanodollars, once it is this; waits for it.
    pub async fn rated(&self, subject: &str, wanted: i128) -> Json {
        let begun = std::time::Instant::now();
        loop {
            let bill = self.bill(subject).await;
            let rated: i128 = bill["totals"]["ratedNanos"].as_str().unwrap().parse().unwrap();
            if rated == wanted || begun.elapsed().as_secs() >= 10 {
                assert_eq!(rated, wanted, "{bill:#}");
                return bill;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}
