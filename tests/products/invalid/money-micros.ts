import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class MoneyMicros {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", { plans: ["starter"], routes: { "POST /v1/jobs": { reports: "compute" } } })
  jobs!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { compute: { micros: 0.5 } },
//                              ^^^ MONEY_NOT_AN_INTEGER
  })
  starter!: void;
}
