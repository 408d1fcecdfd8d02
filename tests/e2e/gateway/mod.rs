//! The gateway, end to end: a product, its backend, and what stands between them.

mod abuse;
mod kill;
mod payers;
mod races;
mod way;

/// A product with prices, limits, features and caps; `ORIGIN` is its backend's address.
const PRODUCT: &str = r#"
import { Capability, creditGrant, Feature, Meter, Plan, Product, Requests, Resource } from "@svc/product";
@Product({ origin: "ORIGIN" })
export default class Shop {
  @Requests() requests;
  @Meter("calls") calls;
  @Meter("tokens", { estimate: 10 }) tokens;
  @Resource("jobs") jobCount;
  @Feature("base", { plans: ["paid", "deep", "credit", "small", "capped", "busy"],
    actions: [
      { id: "make_job", kind: "mutation", resource: { resource: "jobs", effect: "create" } },
      { id: "drop_job", kind: "mutation", resource: { resource: "jobs", effect: "delete" } },
    ],
    routes: {
      "GET /v1/health": { unmetered: true },
      "GET /v1/items": { inheritDefaultMeters: false, cost: { calls: 1 } },
      "GET /v1/items/{id}": { inheritDefaultMeters: false, cost: { calls: 1 } },
      "POST /v1/items": { inheritDefaultMeters: false, cost: { calls: 1 } },
      "PUT /v1/items/{id}": { inheritDefaultMeters: false, cost: { calls: 1 } },
      "POST /v1/chat": { reports: "tokens", cost: { calls: 1 }, inheritDefaultMeters: false },
      "POST /v1/jobs": { action: "make_job" },
      "DELETE /v1/jobs/{id}": { action: "drop_job" },
    } }) base;
  @Feature("extra", { routes: { "GET /v1/extra": {} } }) extra;
  @Capability("more", { includesFeatures: ["extra"] }) more;
  @Plan("paid", { limits: { requests: { rate: 1000000, interval: "second" } },
    meter: { calls: { micros: 1000 }, tokens: { micros: 10 } }, capabilities: ["more"] }) paid;
  @Plan("deep", { limits: { requests: { rate: 1000000, interval: "second" } }, overageBehavior: "block",
    meter: { calls: { micros: 1000 }, tokens: { micros: 10 } }, grants: [creditGrant({ amountCents: 10000000 })] }) deep;
  @Plan("credit", { limits: { requests: { rate: 1000000, interval: "second" } }, overageBehavior: "block",
    meter: { calls: { micros: 1000 }, tokens: { micros: 10 } }, grants: [creditGrant({ amountCents: 4 })] }) credit;
  @Plan("small", { limits: { requests: { rate: 5, interval: "hour" } }, meter: { calls: { micros: 1000 } } }) small;
  @Plan("busy", { limits: { requests: { rate: 100, interval: "hour" } }, overageBehavior: "block", maxMonthlySpendCents: 3,
    meter: { calls: { micros: 1000 } } }) busy;
  @Plan("capped", { limits: { requests: { rate: 100000, interval: "second" } }, caps: { jobs: 2 }, featureGates: { extra: false } }) capped;
}
"#;
