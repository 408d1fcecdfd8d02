//! A server that builds on push, a business with a source, and a forge's deliveries to it.

use crate::api::{Answer, Api, Business, OPERATOR, Server};
use crate::forge::{Dialect, FORGE_TOKEN, TestForge};
use crate::program::svc;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value as Json, json};
use sha2::Sha256;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// The key for secrets of every server under test.
pub const SECRETS_KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// The repository's name at every forge under test.
pub const REPOSITORY: &str = "ada/jobs";
/// Where a branch stood that is new.
pub const NOWHERE: &str = "0000000000000000000000000000000000000000";

static DELIVERIES: AtomicU64 = AtomicU64::new(1);

/// A server that builds what is pushed to forges on loopback.
pub fn serve(arguments: &[String]) -> Server {
    let mut command = Command::new(svc());
    command.env("SVC_SECRETS_KEY", SECRETS_KEY);
    let more = ["--allow-host", "127.0.0.1"].map(str::to_owned);
    Server::start_as(command, &[&more, arguments].concat())
}

/// A delivery, as a forge sends it.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The forge's headers, its proof among them.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: String,
}

/// A push, as a forge tells of it.
#[derive(Clone, Debug)]
pub struct Told {
    /// The branch.
    pub branch: String,
    /// Where it stood.
    pub before: String,
    /// Where it stands.
    pub after: String,
    /// The last commit's message.
    pub message: String,
    /// What was changed; GitHub alone tells that all of it is there.
    pub modified: Vec<String>,
}

/// A business whose product is pushed to a forge.
pub struct Hooked {
    /// The business.
    pub business: Business,
    /// The forge's dialect.
    pub dialect: Dialect,
    /// The hook's secret.
    pub secret: String,
}

impl Hooked {
    /// A new business with a source at the forge, which has published nothing.
    pub async fn new(server: &Server, forge: &TestForge, dialect: Dialect, folder: &str) -> Hooked {
        let api = Api::new(server);
        let made = api.post(OPERATOR, "/v1/businesses", json!({ "name": "Pushed" })).await.expect(201);
        let id = made.text("businessId");
        let root = format!("/v1/businesses/{id}");
        let token = api.post(OPERATOR, &format!("{root}/tokens"), json!({ "kind": "deploy" })).await.expect(201);
        let business = Business { api, id, root, deploy: token.text("token") };
        let source = json!({
            "forge": dialect.name(), "apiBase": forge.base(dialect), "repository": REPOSITORY, "folder": folder,
            "token": FORGE_TOKEN,
        });
        let added = business.api.post(&business.deploy, &format!("{}/source", business.root), source).await.expect(201);
        Hooked { secret: added.text("secret"), business, dialect }
    }

    /// A push's delivery, signed as the dialect signs.
    pub fn delivery(&self, told: &Told) -> Delivery {
        let head = json!({
            "id": told.after, "message": told.message, "timestamp": "2026-11-28T15:00:00+01:00", "added": [], "removed": [],
            "modified": told.modified,
        });
        let reference = format!("refs/heads/{}", told.branch);
        let body = match self.dialect {
            Dialect::Github => json!({
                "ref": reference, "before": told.before, "after": told.after, "created": told.before == NOWHERE, "deleted": false,
                "forced": false, "repository": { "full_name": REPOSITORY, "default_branch": "main" },
                "head_commit": head, "commits": [head],
            }),
            Dialect::Gitea => json!({
                "ref": reference, "before": told.before, "after": told.after,
                "repository": { "full_name": REPOSITORY, "default_branch": "main" }, "head_commit": head, "commits": [head],
            }),
            Dialect::Gitlab => json!({
                "object_kind": "push", "ref": reference, "before": told.before, "after": told.after, "checkout_sha": told.after,
                "project": { "path_with_namespace": REPOSITORY, "default_branch": "main" }, "commits": [head], "total_commits_count": 1,
            }),
        };
        self.signed(&body)
    }

    /// Any body as a push's delivery, with an id of its own.
    pub fn signed(&self, body: &Json) -> Delivery {
        let body = body.to_string();
        let id = format!("delivery-{}-{}", std::process::id(), DELIVERIES.fetch_add(1, Ordering::Relaxed));
        let hex = |mac: Vec<u8>| mac.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let headers = match self.dialect {
            Dialect::Github => vec![
                ("x-github-event", "push".to_owned()),
                ("x-github-delivery", id),
                ("x-hub-signature-256", format!("sha256={}", hex(mac(self.secret.as_bytes(), body.as_bytes())))),
            ],
            Dialect::Gitea => vec![
                ("x-gitea-event", "push".to_owned()),
                ("x-gitea-delivery", id),
                ("x-gitea-signature", hex(mac(self.secret.as_bytes(), body.as_bytes()))),
            ],
            Dialect::Gitlab => {
                let at = jiff::Timestamp::now().as_second().to_string();
                let key = STANDARD.decode(self.secret.strip_prefix("whsec_").unwrap()).unwrap();
                let signature = STANDARD.encode(mac(&key, format!("{id}.{at}.{body}").as_bytes()));
                vec![
                    ("x-gitlab-event", "Push Hook".to_owned()),
                    ("webhook-id", id),
                    ("webhook-timestamp", at),
                    ("webhook-signature", format!("v1,{signature}")),
                ]
            }
        };
        Delivery { headers, body }
    }

    /// Sends a delivery. Nothing where the server is gone meanwhile.
    pub async fn try_deliver(&self, api: &Api, delivery: &Delivery) -> Option<Answer> {
        let mut headers: Vec<(&str, &str)> = vec![("content-type", "application/json")];
        headers.extend(delivery.headers.iter().map(|(name, value)| (*name, value.as_str())));
        api.try_send("POST", &format!("/hooks/git/{}", self.business.id), &headers, delivery.body.clone()).await
    }

    /// Sends a delivery.
    pub async fn deliver(&self, delivery: &Delivery) -> Answer {
        self.try_deliver(&self.business.api, delivery).await.unwrap()
    }

    /// Tells of a push to `main`.
    pub async fn push(&self, before: &str, after: &str) -> Answer {
        self.deliver(&self.delivery(&told("main", before, after))).await
    }

    /// The active release, where there is one.
    pub async fn active(&self) -> Answer {
        self.business.api.get(&self.business.deploy, &format!("{}/releases/active", self.business.root)).await
    }
}

/// A push that changed the product.
pub fn told(branch: &str, before: &str, after: &str) -> Told {
    Told {
        branch: branch.to_owned(),
        before: before.to_owned(),
        after: after.to_owned(),
        message: "change".to_owned(),
        modified: vec!["product/product.config.ts".to_owned()],
    }
}

fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).unwrap();
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}
