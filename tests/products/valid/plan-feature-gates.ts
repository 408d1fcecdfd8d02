import { Feature, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class PlanFeatureGates {
  @Feature("jobs", { routes: { "POST /v1/jobs": {} } })
  jobs!: void;

  @Feature("alerts", { plans: ["pro"], routes: { "POST /v1/alerts": {} } })
  alerts!: void;

  @Plan("pro", {
    limits: { requests: { rate: 60, interval: "minute" } },
    featureGates: { jobs: true, alerts: false },
  })
  pro!: void;
}
