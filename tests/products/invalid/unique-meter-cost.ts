import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UniqueMeterCost {
  @Meter("seats", { aggregation: "unique" })
  seats!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { cost: { seats: 1 } } } })
//                                                                                   ^ UNIQUE_METER_ON_ROUTE
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
