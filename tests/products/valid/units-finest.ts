import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnitsFinest {
  @Meter("compute", { estimate: 0.000000001 })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { cost: { compute: 1e-9 } } } })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 0.5, interval: "second" }, compute: { rate: 1_000_000_000_000_000, interval: "month" } } })
  starter!: void;
}
