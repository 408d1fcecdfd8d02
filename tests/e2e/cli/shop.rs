//! A business at a served service, and `svc` as its client.

use super::{CONFIG, Place, Told};
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use svc_tests::api::{Api, Business, OPERATOR, Server};
use svc_tests::hooked::serve;
use svc_tests::program::block_on;

/// A product with a free plan, and one with a fee, a metered value and a pack of credit.
pub(super) const PRICED: &str = r#"import { Feature, Meter, Plan, Product, Requests, topUp } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Priced {
  @Requests() requests;
  @Meter("tokens") tokens;
  @Feature("jobs", { plans: ["free", "pro"], routes: { "POST /v1/jobs": { reports: "tokens" } } }) jobs;
  @Plan("free", { limits: { requests: { rate: 60, interval: "minute" } } }) free;
  @Plan("pro", {
    price: { amount: 1900, currency: "usd", interval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { tokens: { micros: 7, per: 3 } },
    grants: [topUp({ sku: "pack", label: "Ten dollars", priceCents: 1000, creditCents: 1100 })],
  }) pro;
}
"#;

/// The name of a service's file.
const DATA: &str = "svc.db";

/// A served service on a file of its own.
struct Service {
    server: Server,
    data: tempfile::TempDir,
}

/// The one service of all stories that run just now. The last of them ends it, so that none outlives the tests.
static SERVICE: Mutex<Weak<Service>> = Mutex::new(Weak::new());

fn service() -> Arc<Service> {
    let mut shared = SERVICE.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let data = tempfile::tempdir().unwrap();
        let data_file = data.path().join(DATA).display().to_string();
        let server = serve(&["--data".to_owned(), data_file]);
        let service = Arc::new(Service { server, data });
        *shared = Arc::downgrade(&service);
        service
    })
}

/// A business that has published [`PRICED`], and a folder that holds it.
pub(super) struct Shop {
    pub(super) place: Place,
    pub(super) business: String,
    deploy: String,
    service: Arc<Service>,
}

impl Shop {
    pub(super) fn open() -> Shop {
        let shop = Shop::before_its_first_release();
        let _published = shop.api(async |business| business.publish(PRICED).await.expect(201));
        shop
    }

    pub(super) fn before_its_first_release() -> Shop {
        let service = service();
        let (business, deploy) = block_on(async {
            let api = Api::new(&service.server);
            let made = api.post(OPERATOR, "/v1/businesses", json!({ "name": "Test" })).await.expect(201);
            let business = made.text("businessId");
            let tokens = format!("/v1/businesses/{business}/tokens");
            let token = api.post(OPERATOR, &tokens, json!({ "kind": "deploy" })).await.expect(201).text("token");
            (business, token)
        });
        let place = Place::with(PRICED);
        place.call(&service.server.base, "<service>");
        Shop { place, business, deploy, service }
    }

    /// Speaks with the service's API beside the command line. A client of its own each time: a connection lives as long as the
    /// runtime that made it.
    pub(super) fn api<T>(&self, tell: impl AsyncFnOnce(Business) -> T) -> T {
        let (id, root) = (self.business.clone(), format!("/v1/businesses/{}", self.business));
        block_on(tell(Business { api: Api::new(&self.service.server), id, root, deploy: self.deploy.clone() }))
    }

    /// Subscribes a subject to a plan. Answers the subscription's id.
    pub(super) fn subscribe(&self, subject: &str, plan: &str) -> String {
        let body = json!({ "subject": subject, "plan": plan });
        self.api(async |business| {
            let path = format!("{}/subscriptions", business.root);
            business.api.post(OPERATOR, &path, body).await.expect(201).text("subscriptionId")
        })
    }

    /// A portal token of a subject.
    pub(super) fn portal(&self, subject: &str) -> String {
        self.api(async |business| business.portal(subject).await)
    }

    /// Reports one use of the meter, which the plan takes.
    pub(super) fn use_tokens(&self, id: &str, subject: &str, units: u64) {
        let item = json!({ "id": id, "subject": subject, "meter": "tokens", "units": units });
        let results = self.api(async |business| business.usage(json!([item])).await);
        assert_eq!(results[0]["status"], "accepted", "{results:?}");
    }

    /// The service's address.
    pub(super) fn url(&self) -> &str {
        &self.service.server.base
    }

    /// Changes what is kept, behind the service's back.
    pub(super) fn meddle(&self, sql: &str, subscription: &str) {
        let kept = rusqlite::Connection::open(self.service.data.path().join(DATA)).unwrap();
        kept.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
        assert_eq!(kept.execute(sql, [subscription]).unwrap(), 1, "{sql}");
    }

    /// Publishes the product with one part changed, in the folder and at the service.
    pub(super) fn republish(&self, before: &str, after: &str) {
        self.place.edit(CONFIG, before, after);
        self.deploy(&["publish"]).done();
    }

    /// Runs `svc` with the business's deploy token.
    pub(super) fn deploy(&self, arguments: &[&str]) -> Told {
        self.run(&self.deploy, arguments)
    }

    /// Runs `svc` with the business's deploy token and this on standard input.
    pub(super) fn deploy_with(&self, arguments: &[&str], input: &str) -> Told {
        let mut command = self.place.command(arguments);
        command.env("SVC_URL", self.url()).env("SVC_TOKEN", &self.deploy).env("SVC_BUSINESS", &self.business);
        self.place.feed(command, input)
    }

    /// Runs `svc` with the operator's token.
    pub(super) fn operator(&self, arguments: &[&str]) -> Told {
        self.run(OPERATOR, arguments)
    }

    /// Runs `svc` with any token.
    pub(super) fn run(&self, token: &str, arguments: &[&str]) -> Told {
        let mut command = self.place.command(arguments);
        command.env("SVC_URL", self.url()).env("SVC_TOKEN", token).env("SVC_BUSINESS", &self.business);
        self.place.tell(&command.output().unwrap())
    }
}
