import { Feature, Meter, Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class CostAndReport {
  @Meter("compute", { unit: "ms" })
  compute!: void;

  @Feature("jobs", {
    plans: ["starter"],
    routes: { "POST /v1/jobs": { cost: { compute: 10 }, reports: "compute" } },
//                                       ^^^^^^^ METER_COST_AND_REPORT
  })
  jobs!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
