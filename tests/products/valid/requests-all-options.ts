import { Feature, Plan, Product, Requests } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class RequestsAllOptions {
  @Requests({ display: "API calls", unit: "call", estimate: 2, window: "hour", enforcementType: "track" })
  calls!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { estimates: { requests: 1 } } } })
  jobs!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { requests: { micros: 100, per: 1_000, includedUnits: 10_000 } },
  })
  starter!: void;
}
